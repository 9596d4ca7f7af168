// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/cost.h"

#include "sim/assert.h"
#include "sim/random.h"
#include "sim/sim.h"

struct hw_cost hw_cost;

static struct {
	uint32_t percent;
	struct sim_random random;
} jitter;

void hw_spend_ps(const uint64_t *cost_ps)
{
	sim_spend(*cost_ps);
}

void hw_set_jitter(uint32_t percent, uint64_t seed)
{
	sim_assert(percent <= 100);
	jitter.percent = percent;
	sim_random_init(&jitter.random, seed, "jitter");
}

void hw_spend_varying(uint64_t mean_ps)
{
	uint64_t spread_ps = mean_ps * jitter.percent / 100;

	if (!spread_ps) {
		sim_spend(mean_ps);
		return;
	}
	sim_spend(mean_ps - spread_ps +
		  sim_random_below(&jitter.random, 2 * spread_ps + 1));
}
