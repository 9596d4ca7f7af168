/* SPDX-License-Identifier: GPL-2.0-only */
/* Virtio over PCI, virtio 1.2 clause 4.1. Structures in device memory. */
#ifndef _UAPI_LINUX_VIRTIO_PCI_H
#define _UAPI_LINUX_VIRTIO_PCI_H

#include "types.h"

#define VIRTIO_PCI_VENDOR_ID		0x1af4
/* Device id of a non-transitional device: this plus the device type, 4.1.2 */
#define VIRTIO_PCI_DEVICE_ID_BASE	0x1040

#ifndef VIRTIO_PCI_NO_LEGACY
/* Legacy registers in BAR 0, 4.1.4.10 */
#define VIRTIO_PCI_HOST_FEATURES	0	/* 32 bits, read */
#define VIRTIO_PCI_GUEST_FEATURES	4	/* 32 bits, written */
#define VIRTIO_PCI_QUEUE_PFN		8	/* 32 bits */
#define VIRTIO_PCI_QUEUE_NUM		12	/* 16 bits, read */
#define VIRTIO_PCI_QUEUE_SEL		14	/* 16 bits */
#define VIRTIO_PCI_QUEUE_NOTIFY		16	/* 16 bits, written */
#define VIRTIO_PCI_STATUS		18	/* 8 bits */
#define VIRTIO_PCI_ISR			19	/* 8 bits, read clears */
/* Present only with MSI-X */
#define VIRTIO_MSI_CONFIG_VECTOR	20	/* 16 bits */
#define VIRTIO_MSI_QUEUE_VECTOR		22	/* 16 bits */
#define VIRTIO_PCI_CONFIG_OFF(msix)	((msix) ? 24 : 20)
#define VIRTIO_PCI_ABI_VERSION		0
#define VIRTIO_PCI_QUEUE_ADDR_SHIFT	12
#define VIRTIO_PCI_VRING_ALIGN		4096
#endif

/* ISR status, 4.1.4.5 */
#define VIRTIO_PCI_ISR_QUEUE		0x1
#define VIRTIO_PCI_ISR_CONFIG		0x2
/* No vector: written to unmap, read back when the device has none to give */
#define VIRTIO_MSI_NO_VECTOR		0xffff

/* virtio_pci_cap.cfg_type, 4.1.4 */
#define VIRTIO_PCI_CAP_COMMON_CFG	1
#define VIRTIO_PCI_CAP_NOTIFY_CFG	2
#define VIRTIO_PCI_CAP_ISR_CFG		3
#define VIRTIO_PCI_CAP_DEVICE_CFG	4
#define VIRTIO_PCI_CAP_PCI_CFG		5
#define VIRTIO_PCI_CAP_SHARED_MEMORY_CFG 8
#define VIRTIO_PCI_CAP_VENDOR_CFG	9

/* Vendor-specific capability that locates a structure, 4.1.4 */
struct virtio_pci_cap {
	__u8 cap_vndr;			/* 0x09 */
	__u8 cap_next;
	__u8 cap_len;			/* bytes */
	__u8 cfg_type;			/* VIRTIO_PCI_CAP_* */
	__u8 bar;			/* 0 to 5 */
	__u8 id;
	__u8 padding[2];
	__le32 offset;			/* bytes, in the BAR */
	__le32 length;			/* bytes */
};

struct virtio_pci_cap64 {
	struct virtio_pci_cap cap;
	__le32 offset_hi;
	__le32 length_hi;
};

/* 4.1.4.4: doorbell of a queue at offset + queue_notify_off * multiplier */
struct virtio_pci_notify_cap {
	struct virtio_pci_cap cap;
	__le32 notify_off_multiplier;	/* bytes; 0, or a power of two >= 2 */
};

/* 4.1.4.9 */
struct virtio_pci_cfg_cap {
	struct virtio_pci_cap cap;
	__u8 pci_cfg_data[4];
};

/* Common configuration, 4.1.4.3; the guest_* fields are driver_* there */
struct virtio_pci_common_cfg {
	/* The whole device */
	__le32 device_feature_select;	/* read-write */
	__le32 device_feature;		/* read-only for the driver */
	__le32 guest_feature_select;	/* read-write */
	__le32 guest_feature;		/* read-write */
	__le16 msix_config;		/* read-write */
	__le16 num_queues;		/* read-only for the driver */
	__u8 device_status;		/* read-write */
	__u8 config_generation;		/* read-only for the driver */
	/* The queue chosen by queue_select */
	__le16 queue_select;		/* read-write */
	__le16 queue_size;		/* read-write */
	__le16 queue_msix_vector;	/* read-write */
	__le16 queue_enable;		/* read-write */
	__le16 queue_notify_off;	/* read-only for the driver */
	__le32 queue_desc_lo;		/* read-write */
	__le32 queue_desc_hi;		/* read-write */
	__le32 queue_avail_lo;		/* read-write, queue_driver there */
	__le32 queue_avail_hi;		/* read-write */
	__le32 queue_used_lo;		/* read-write, queue_device there */
	__le32 queue_used_hi;		/* read-write */
};

/* With the fields that have a feature bit of their own, or come after 1.2 */
struct virtio_pci_modern_common_cfg {
	struct virtio_pci_common_cfg cfg;
	__le16 queue_notify_data;	/* read-only for the driver */
	__le16 queue_reset;		/* read-write */
	__le16 admin_queue_index;	/* read-only for the driver */
	__le16 admin_queue_num;		/* read-only for the driver */
};

_Static_assert(sizeof(struct virtio_pci_cap) == 16, "4.1.4");
_Static_assert(sizeof(struct virtio_pci_common_cfg) == 56, "4.1.4.3");

/* Byte offsets in a capability */
#define VIRTIO_PCI_CAP_VNDR		0
#define VIRTIO_PCI_CAP_NEXT		1
#define VIRTIO_PCI_CAP_LEN		2
#define VIRTIO_PCI_CAP_CFG_TYPE		3
#define VIRTIO_PCI_CAP_BAR		4
#define VIRTIO_PCI_CAP_OFFSET		8
#define VIRTIO_PCI_CAP_LENGTH		12
#define VIRTIO_PCI_NOTIFY_CAP_MULT	16

/* Byte offsets in the common configuration */
#define VIRTIO_PCI_COMMON_DFSELECT	0
#define VIRTIO_PCI_COMMON_DF		4
#define VIRTIO_PCI_COMMON_GFSELECT	8
#define VIRTIO_PCI_COMMON_GF		12
#define VIRTIO_PCI_COMMON_MSIX		16
#define VIRTIO_PCI_COMMON_NUMQ		18
#define VIRTIO_PCI_COMMON_STATUS	20
#define VIRTIO_PCI_COMMON_CFGGENERATION	21
#define VIRTIO_PCI_COMMON_Q_SELECT	22
#define VIRTIO_PCI_COMMON_Q_SIZE	24
#define VIRTIO_PCI_COMMON_Q_MSIX	26
#define VIRTIO_PCI_COMMON_Q_ENABLE	28
#define VIRTIO_PCI_COMMON_Q_NOFF	30
#define VIRTIO_PCI_COMMON_Q_DESCLO	32
#define VIRTIO_PCI_COMMON_Q_DESCHI	36
#define VIRTIO_PCI_COMMON_Q_AVAILLO	40
#define VIRTIO_PCI_COMMON_Q_AVAILHI	44
#define VIRTIO_PCI_COMMON_Q_USEDLO	48
#define VIRTIO_PCI_COMMON_Q_USEDHI	52
#define VIRTIO_PCI_COMMON_Q_NDATA	56
#define VIRTIO_PCI_COMMON_Q_RESET	58
#define VIRTIO_PCI_COMMON_ADM_Q_IDX	60
#define VIRTIO_PCI_COMMON_ADM_Q_NUM	62

#endif /* _UAPI_LINUX_VIRTIO_PCI_H */
