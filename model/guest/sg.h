/* SPDX-License-Identifier: GPL-2.0-only */
/* Scatter lists: implements <linux/scatterlist.h>. Guest code. */
#ifndef MODEL_GUEST_SG_H
#define MODEL_GUEST_SG_H

/* Make the caches that chained tables come from. After slab_init. */
void sg_init(void);

#endif
