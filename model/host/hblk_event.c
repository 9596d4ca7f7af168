// SPDX-License-Identifier: GPL-2.0-only
#include "model/host/hblk_event.h"

#include <errno.h>

#include "model/host/hblk_req.h"

int hblk_resize(struct hblk *blk, uint64_t sectors)
{
	uint64_t block = blk->space.blk_size / HSTORE_SECTOR_BYTES;
	int err;

	if (blk->hpci.gone)
		return -ENODEV;
	if (blk->zones.zone)
		return -EOPNOTSUPP;
	if (!sectors || sectors % block)
		return -EINVAL;
	err = hstore_resize(blk->config.store, sectors);
	if (err)
		return err;
	blk->space.capacity = sectors;
	hpci_config_changed(&blk->hpci);
	return 0;
}

void hblk_pause(struct hblk *blk)
{
	blk->paused = true;
}

void hblk_resume(struct hblk *blk)
{
	if (!blk->paused)
		return;
	blk->paused = false;
	for (uint32_t vq = 0; vq < blk->config.props.num_queues; vq++)
		if (hpci_queue_live(&blk->hpci, vq))
			hloop_signal(&blk->queue[vq].kick_source);
}

/* Also those that are not in flight: they begin anew when they are taken. */
static void hblk_abort_queue(struct hblk_queue *queue, uint32_t reqs_nr)
{
	for (uint32_t i = 0; i < reqs_nr; i++)
		queue->reqs[i].store.aborted = true;
}

void hblk_unplug(struct hblk *blk)
{
	hpci_unplug(&blk->hpci);
	for (uint32_t vq = 0; vq < blk->config.props.num_queues; vq++)
		hblk_abort_queue(&blk->queue[vq],
				 blk->config.props.queue_size);
}

int hblk_fail_zone(struct hblk *blk, uint64_t sector, uint8_t state)
{
	return blk->zones.zone ? hzone_fail(&blk->zones, sector, state) :
				 -EINVAL;
}
