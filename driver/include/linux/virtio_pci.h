/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_VIRTIO_PCI_H
#define _LINUX_VIRTIO_PCI_H

#include <uapi/linux/virtio_pci.h>

#endif /* _LINUX_VIRTIO_PCI_H */
