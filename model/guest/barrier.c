// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <asm/barrier.h>. Memory is sequentially consistent, so a barrier
 * costs time and is a point where others that are earlier go first. Read and
 * write barriers are free, as on x86.
 */
#include <asm/barrier.h>

#include "model/hw/cost.h"
#include "sim/sim.h"

void __guest_mb(void)
{
	if (sim.actor)
		hw_spend(barrier);
	sim_sync();
}

void __guest_rmb(void)
{
	sim_sync();
}

void __guest_wmb(void)
{
	sim_sync();
}
