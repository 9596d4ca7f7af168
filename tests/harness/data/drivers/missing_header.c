// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <linux/virtio_blkk.h>
