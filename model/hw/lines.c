// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/lines.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "model/hw/cost.h"
#include "sim/assert.h"

struct lines_region {
	uint64_t start;
	uint64_t bytes;
	uint64_t *entry;
};

static struct {
	struct lines_region ram;
	struct lines_region other[LINES_REGIONS_MAX];
	uint32_t others_nr;
	lines_watcher_fn watcher;
	void *watcher_arg;
} lines;

static int lines_map(struct lines_region *r, uint64_t start, uint64_t bytes)
{
	uint64_t first = start >> LINE_SHIFT;
	uint64_t last = (start + bytes - 1) >> LINE_SHIFT;
	void *p = mmap(NULL, (last - first + 1) * sizeof(*r->entry),
		       PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return -ENOMEM;
	r->start = first << LINE_SHIFT;
	r->bytes = (last - first + 1) << LINE_SHIFT;
	r->entry = p;
	return 0;
}

static void lines_unmap(struct lines_region *r)
{
	if (r->entry)
		munmap(r->entry, (r->bytes >> LINE_SHIFT) * sizeof(*r->entry));
	memset(r, 0, sizeof(*r));
}

int lines_init(uint64_t base, uint64_t bytes)
{
	sim_assert(!lines.ram.entry);
	return lines_map(&lines.ram, base, bytes);
}

void lines_fini(void)
{
	lines_unmap(&lines.ram);
	while (lines.others_nr)
		lines_unmap(&lines.other[--lines.others_nr]);
	lines.watcher = NULL;
}

int lines_add_region(uint64_t start, uint64_t bytes)
{
	int err;

	if (lines.others_nr == LINES_REGIONS_MAX)
		return -ENOSPC;
	err = lines_map(&lines.other[lines.others_nr], start, bytes);
	if (!err)
		lines.others_nr++;
	return err;
}

static inline uint64_t *lines_in(const struct lines_region *r, uint64_t addr)
{
	uint64_t offset = addr - r->start;

	return offset < r->bytes ? &r->entry[offset >> LINE_SHIFT] : NULL;
}

static uint64_t *lines_find_other(uint64_t addr)
{
	for (uint32_t i = 0; i < lines.others_nr; i++) {
		uint64_t *entry = lines_in(&lines.other[i], addr);

		if (entry)
			return entry;
	}
	return NULL;
}

static enum hw_distance lines_nearest(const struct hw_thread *t,
				      uint64_t holders)
{
	if (!holders)
		return HW_MEMORY;
	if (holders & t->core_mask)
		return HW_SAME_CORE;
	return holders & t->socket_mask ? HW_SAME_SOCKET : HW_OTHER_SOCKET;
}

static enum hw_distance lines_farthest(const struct hw_thread *t,
				       uint64_t holders)
{
	if (!holders)
		return HW_MEMORY;
	if (holders & ~t->socket_mask)
		return HW_OTHER_SOCKET;
	return holders & ~t->core_mask ? HW_SAME_SOCKET : HW_SAME_CORE;
}

static void lines_charge(struct hw_thread *t, enum hw_distance from)
{
	const uint64_t cost_ps[HW_DISTANCE_NR] = {
		[HW_SAME_CORE] = hw_cost.line_same_core_ps,
		[HW_SAME_SOCKET] = hw_cost.line_same_socket_ps,
		[HW_OTHER_SOCKET] = hw_cost.line_other_socket_ps,
		[HW_MEMORY] = hw_cost.line_memory_ps,
	};

	t->stats.transfers_nr[from]++;
	t->stats.line_ps += cost_ps[from];
	sim_spend(cost_ps[from]);
}

static void lines_read(struct hw_thread *t, uint64_t *entry)
{
	uint64_t holders = *entry & LINE_HOLDERS;

	if (holders & t->self_mask)
		return;
	*entry = (*entry & LINE_WATCHED) | holders | t->self_mask;
	lines_charge(t, lines_nearest(t, holders));
}

/* A sole clean holder (exclusive state) becomes the modifier for nothing. */
static void lines_write(struct hw_thread *t, uint64_t *entry)
{
	uint64_t holders = *entry & LINE_HOLDERS;
	uint64_t others = holders & ~t->self_mask;

	*entry = (*entry & LINE_WATCHED) | t->self_mask | LINE_MODIFIED;
	if (holders != t->self_mask)
		lines_charge(t, lines_farthest(t, others));
}

static __attribute__((noinline)) void
lines_slow(struct hw_thread *t, uint64_t *entry, uint64_t addr, uint32_t bytes,
	   bool write)
{
	if ((*entry & LINE_WATCHED) && lines.watcher)
		lines.watcher(lines.watcher_arg, addr, bytes, write);
	if (write)
		lines_write(t, entry);
	else
		lines_read(t, entry);
}

/* @bytes stays within one line. */
static inline void lines_access_one(uint64_t addr, uint32_t bytes, bool write)
{
	struct hw_thread *t;
	uint64_t *entry;
	bool hit;

	sim_sync();
	t = hw_self();
	if (!t)
		return;
	t->stats.accesses_nr++;
	entry = lines_in(&lines.ram, addr);
	if (!entry)
		entry = lines_find_other(addr);
	if (entry) {
		hit = write ? *entry == (t->self_mask | LINE_MODIFIED)
			    : (*entry & (t->self_mask | LINE_WATCHED)) ==
			      t->self_mask;
		if (!hit)
			lines_slow(t, entry, addr, bytes, write);
	}
	sim_spend(hw_cost.access_ps);
}

void lines_access(uint64_t addr, uint64_t bytes, bool write)
{
	uint64_t in_line = (1u << LINE_SHIFT) - (addr & ((1u << LINE_SHIFT) - 1));

	while (bytes > in_line) {
		lines_access_one(addr, (uint32_t)in_line, write);
		addr += in_line;
		bytes -= in_line;
		in_line = 1u << LINE_SHIFT;
	}
	lines_access_one(addr, (uint32_t)bytes, write);
}

void lines_drop(uint64_t addr, uint64_t bytes)
{
	for (uint64_t a = addr >> LINE_SHIFT;
	     bytes && a <= (addr + bytes - 1) >> LINE_SHIFT; a++) {
		uint64_t *entry = lines_in(&lines.ram, a << LINE_SHIFT);

		if (entry)
			*entry &= LINE_WATCHED;
	}
}

void lines_watch(uint64_t addr, uint64_t bytes, bool on)
{
	for (uint64_t a = addr >> LINE_SHIFT;
	     bytes && a <= (addr + bytes - 1) >> LINE_SHIFT; a++) {
		uint64_t *entry = lines_in(&lines.ram, a << LINE_SHIFT);

		sim_assert(entry);
		*entry = on ? *entry | LINE_WATCHED : *entry & ~LINE_WATCHED;
	}
}

void lines_set_watcher(lines_watcher_fn fn, void *arg)
{
	lines.watcher = fn;
	lines.watcher_arg = arg;
}
