// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/cost.h"

#include "sim/sim.h"

struct hw_cost hw_cost;

void hw_spend_ps(const uint64_t *cost_ps)
{
	sim_spend(*cost_ps);
}
