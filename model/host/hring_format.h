/* SPDX-License-Identifier: GPL-2.0-only */
/* What the ring formats share (hring.h): private to hring*.c. */
#ifndef MODEL_HOST_HRING_FORMAT_H
#define MODEL_HOST_HRING_FORMAT_H

#include "model/host/hring.h"

/* A descriptor of either format, 2.7.5 and 2.8.13. */
#define HRING_DESC_BYTES	16u

/* The driver's bytes are bad, for good. @at: see error_at. -EBADMSG. */
int hring_fail(struct hring *ring, enum hring_error error, uint32_t at);

/* A part of the ring: in RAM and aligned to @align bytes? */
bool hring_part_ok(uint64_t pa, uint64_t bytes, uint64_t align);

/* Is the chain named @head, below the queue size, outstanding? */
bool hring_is_busy(const struct hring *ring, uint16_t head);

/* Account for @chain: it is outstanding from now on. */
void hring_take(struct hring *ring, const struct hring_chain *chain);

/* The reverse. That @head is outstanding is asserted. */
void hring_give_back(struct hring *ring, uint16_t head);

/* Count a decision about an interrupt. @wanted */
bool hring_count_interrupt(struct hring *ring, bool wanted);

/* Append a buffer to @chain, if it is a good one. */
enum hring_error hring_add_buffer(struct hring_chain *chain, uint64_t pa,
				  uint32_t len, bool writable);

/* May an indirect table of @len bytes lie at @pa? */
enum hring_error hring_check_table(uint64_t pa, uint32_t len);

#endif
