// SPDX-License-Identifier: GPL-2.0-only
#include <linux/virtio.h>

struct virtio_driver nothing_starts_this;
