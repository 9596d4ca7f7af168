/* SPDX-License-Identifier: GPL-2.0-only */
/* Disk geometry. */
#ifndef PORT_LINUX_HDREG_H
#define PORT_LINUX_HDREG_H

struct hd_geometry {
	unsigned char heads;
	unsigned char sectors;
	unsigned short cylinders;
	unsigned long start;
};

#endif /* PORT_LINUX_HDREG_H */
