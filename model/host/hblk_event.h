/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can happen to a device while it runs. Each may be called from an event
 * callback, which is how a scenario does it, or by an actor in its turn; none
 * waits, none takes the big lock. In an event nothing switches.
 */
#ifndef MODEL_HOST_HBLK_EVENT_H
#define MODEL_HOST_HBLK_EVENT_H

#include <stdint.h>

#include "model/host/hblk.h"

/*
 * The disk has @sectors sectors from now on: the store is resized, the
 * configuration space changes, its generation moves on and the driver gets a
 * configuration interrupt (5.2.6: only after DRIVER_OK). Requests that have
 * not been taken are judged by the new size, those in the store when they end
 * (hstore_resize): VIRTIO_BLK_S_IOERR if they reach beyond the end.
 * 0; -EINVAL if not whole logical blocks, or 0; -EOPNOTSUPP for a host-managed
 * disk; -ENOMEM; -ENODEV after an unplug. With an error nothing has changed.
 */
int hblk_resize(struct hblk *blk, uint64_t sectors);

/*
 * Take no requests until hblk_resume. What has been taken is completed as
 * always, registers work, and a reset does not wait. Kicks have no effect;
 * hblk_resume looks into all queues, on their loops. Both may be called twice.
 */
void hblk_pause(struct hblk *blk);
void hblk_resume(struct hblk *blk);

/*
 * Surprise removal: all registers, and PCI configuration space, read as all
 * ones; writes and doorbells go nowhere; no interrupt comes any more. Requests
 * in flight are never completed: the store drops them without touching guest
 * memory. Who is just writing a status byte or used element finishes that.
 * Nobody is told: the guest's bus must be. Twice is the same as once.
 *
 * An orderly removal is the guest's: it unbinds its driver, which resets the
 * device, and this follows when nothing is in flight any more.
 */
void hblk_unplug(struct hblk *blk);

/*
 * The zone that holds @sector becomes read-only or offline: @state is
 * VIRTIO_BLK_ZS_RDONLY or VIRTIO_BLK_ZS_OFFLINE. Requests in the store are not
 * affected. Results as hzone_fail, -EINVAL if the disk has no zones.
 */
int hblk_fail_zone(struct hblk *blk, uint64_t sector, uint8_t state);

#endif
