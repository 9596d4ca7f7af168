/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The coherence directory: who holds which 64-byte line.
 *
 * Caches are infinite and only coherence costs: an access to a line that the
 * physical CPU already holds in a sufficient state is a hit; otherwise the
 * line comes from the nearest holder (read) or must be taken away from the
 * farthest one (write). One entry per line: a mask of holders, the modified
 * bit, the watch bit. Guest RAM has a flat directory; driver and guest kernel
 * images are registered as further regions; other memory is not tracked.
 *
 * Invariant of an entry: LINE_MODIFIED implies exactly one holder.
 */
#ifndef MODEL_HW_LINES_H
#define MODEL_HW_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/hw/thread.h"

#define LINE_SHIFT	6
#define LINE_MODIFIED	(UINT64_C(1) << 63)
#define LINE_WATCHED	(UINT64_C(1) << 62)
#define LINE_HOLDERS	((UINT64_C(1) << HW_PCPU_MAX) - 1)

/*
 * Called by ram_init and ram_fini: a directory for [base, base + bytes).
 * Returns 0 or -ENOMEM.
 */
int lines_init(uint64_t base, uint64_t bytes);
void lines_fini(void);

/*
 * Track [start, start + bytes) too (static data of an image). Up to
 * LINES_REGIONS_MAX regions, forgotten by lines_fini. 0, -ENOMEM or -ENOSPC.
 */
#define LINES_REGIONS_MAX	16u
int lines_add_region(uint64_t start, uint64_t bytes);

/*
 * The running thread accesses [addr, addr + bytes) now: waits for its turn,
 * moves the lines, charges access and transfers. Nothing outside an actor.
 */
void lines_access(uint64_t addr, uint64_t bytes, bool write);

/* A device overwrote the range: nobody holds it any more. No charge. */
void lines_drop(uint64_t addr, uint64_t bytes);

/*
 * Have accesses to the lines of [addr, addr + bytes) reported to the watcher, just
 * before they happen, at their exact time. RAM only.
 */
void lines_watch(uint64_t addr, uint64_t bytes, bool on);
typedef void (*lines_watcher_fn)(void *arg, uint64_t addr, uint32_t bytes,
				 bool write);
void lines_set_watcher(lines_watcher_fn fn, void *arg);

#endif
