/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls that wait: pread and pwrite with O_DIRECT (preadv2 with
 * RWF_HIPRI polls), fsync, BLKDISCARD. Guest code; in task context; park.
 */
#ifndef MODEL_GUEST_SYNC_H
#define MODEL_GUEST_SYNC_H

#include "model/guest/aio.h"

/*
 * Do what @iocb says (its ctx is not used) and leave the result in
 * iocb->error. @hipri: on a poll queue, waiting by polling it, if there is one.
 */
void sync_rw(struct aio_iocb *iocb, bool hipri);

/* Discard @iocb's range. */
void sync_discard(struct aio_iocb *iocb);

/* 0 or a negative errno. */
int sync_flush(struct block_device *bdev);

#endif
