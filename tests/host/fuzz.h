/* SPDX-License-Identifier: GPL-2.0-only */
/* Rings of random bytes that are nearly what a driver would write. */
#ifndef TESTS_HOST_FUZZ_H
#define TESTS_HOST_FUZZ_H

#include "tests/host/rig.h"

static inline uint64_t fuzz_pa(struct sim_random *r)
{
	switch (sim_random_below(r, 40)) {
	case 0:
		return sim_random_u64(r);
	case 1:
		return RIG_RAM_BYTES - sim_random_below(r, 64);
	case 2:
		return RIG_TABLE_PA + sim_random_below(r, 64);
	default:
		return RIG_DATA_PA + sim_random_below(r, 4096);
	}
}

static inline uint32_t fuzz_len(struct sim_random *r)
{
	switch (sim_random_below(r, 40)) {
	case 0:
		return (uint32_t)sim_random_u64(r);
	case 1:
		return 0;
	case 2:
		return UINT32_MAX;
	default:
		return 1 + (uint32_t)sim_random_below(r, 8192);
	}
}

static inline void fuzz_table(struct sim_random *r, uint64_t table_pa,
			      uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		uint16_t flags = (uint16_t)sim_random_below(r, 4);
		uint32_t len = fuzz_len(r);
		uint64_t pa = fuzz_pa(r);

		if (!sim_random_below(r, 6)) {
			flags |= RIG_INDIRECT;
			if (sim_random_below(r, 4)) {
				flags &= (uint16_t)~RIG_NEXT;
				pa = sim_random_below(r, 20) ? RIG_TABLE_PA : 0;
				len = 16 * (uint32_t)sim_random_below(r, 20);
			} else if (!sim_random_below(r, 4)) {
				len &= ~15u;
			}
		}
		if (!sim_random_below(r, 30))
			flags = (uint16_t)sim_random_u64(r);
		rig_desc_in(table_pa, i, pa, len, flags,
			    (uint16_t)sim_random_below(r, nr + !(i % 7)));
	}
}

static inline void fuzz_ring(struct sim_random *r, uint32_t size)
{
	uint32_t moved = (uint32_t)sim_random_below(r, size + 1);

	if (!sim_random_below(r, 20))
		moved = (uint16_t)sim_random_u64(r);
	fuzz_table(r, RIG_DESC_PA, size);
	fuzz_table(r, RIG_TABLE_PA, 20);
	rig_put16(RIG_AVAIL_PA + 2, (uint16_t)moved);
	for (uint32_t i = 0; i < size; i++) {
		uint16_t head = (uint16_t)((i * 5 + 1) & (size - 1));

		if (!sim_random_below(r, 30))
			head = (uint16_t)sim_random_below(r, size + 2);
		rig_put16(RIG_AVAIL_PA + 4 + 2 * i, head);
	}
}

/* One pass over a packed ring, buffer ids mostly fresh. */
static inline void fuzz_packed_ring(struct sim_random *r, uint32_t size)
{
	fuzz_table(r, RIG_DESC_PA, size);
	fuzz_table(r, RIG_TABLE_PA, 20);
	for (uint32_t i = 0; i < size; i++) {
		uint64_t at = RIG_DESC_PA + 16 * (uint64_t)i;
		uint16_t flags = rig_get16(at + 12) & 7;
		uint16_t id = (uint16_t)((i * 5 + 1) % size);

		if (!sim_random_below(r, 20))
			id = (uint16_t)sim_random_below(r, size + 2);
		flags |= sim_random_below(r, 20) ? 0x80 :
			 (uint16_t)sim_random_u64(r);
		rig_put16(at + 12, id);
		rig_put16(at + 14, flags);
	}
	for (uint32_t i = 0; i < 20; i++) {
		uint64_t at = RIG_TABLE_PA + 16 * (uint64_t)i;

		rig_put16(at + 14, rig_get16(at + 12) & 3);
	}
}

#endif
