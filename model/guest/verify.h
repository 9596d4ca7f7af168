/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contents of blocks for load_config.verify: what was written last is what a
 * read must bring. Works on guest memory without being charged for it: the
 * comparison is the harness's, not the guest's.
 */
#ifndef MODEL_GUEST_VERIFY_H
#define MODEL_GUEST_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Fill @buf with the contents of @bytes at disk offset @offset as of write
 * number @generation (1, 2, ...; 0: never written, zeroes).
 */
void verify_fill(void *buf, uint32_t bytes, uint64_t offset,
		 uint32_t generation);

/* Does @buf hold that? */
bool verify_check(const void *buf, uint32_t bytes, uint64_t offset,
		  uint32_t generation);

#endif
