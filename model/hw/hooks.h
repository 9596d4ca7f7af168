/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What gcc's -fsanitize=thread calls before each memory access and around each
 * function of guest code. We give these calls our own meaning: charge the access to
 * the running thread at its exact place in time. Nothing needs to call this
 * header's contents by hand; it exists to state the contract.
 *
 *   __tsan_read/writeN, unaligned_*, *_range: lines_access, then the access follows
 *   __tsan_volatile_*: the same, for READ_ONCE and WRITE_ONCE
 *   __tsan_atomicN_*:  lines_access as a write plus hw_cost.atomic, then the
 *                      operation, indivisible; a load is a plain read, and a
 *                      store that is not sequentially consistent a plain write
 *   __tsan_func_entry/exit: hw_cost.call, and the fiber's list of calls
 *
 * Outside an actor (constructors of a loaded driver, tests) they do only what
 * the program needs: the atomic operation itself.
 */
#ifndef MODEL_HW_HOOKS_H
#define MODEL_HW_HOOKS_H

#include <stdint.h>

/* Charge the running vCPU for a range that guest code copies or fills by a call. */
void hooks_range(const void *addr, uint64_t bytes, int write);

#endif
