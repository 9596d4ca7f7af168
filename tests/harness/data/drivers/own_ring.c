// SPDX-License-Identifier: GPL-2.0-only
/* One file that is driver and ring. */
#include "../../../../driver/virtio_blk.c"
#include "../../../../driver/virtio_ring.c"
#include "../../../../driver/virtio_ring_split.c"
#include "../../../../driver/virtio_ring_packed.c"
