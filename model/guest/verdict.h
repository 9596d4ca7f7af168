/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verdicts: the code under test broke a rule of the kernel (freed twice, WARN,
 * slept with a lock held). A verdict does not end the run. No kernel header is
 * needed to include this.
 */
#ifndef MODEL_GUEST_VERDICT_H
#define MODEL_GUEST_VERDICT_H

#include <stdint.h>

/*
 * @what:  a sentence without end, static storage
 * @value: a number that belongs to it; never a host address (verdict_address)
 * Hits trace point guest.verdict, counts, keeps the first, and prints it as a
 * kernel message. Callable anywhere; does not park.
 */
void guest_verdict(const char *what, unsigned long value);

/* The same for a text on the caller's stack: copied, cut at VERDICT_BYTES. */
#define VERDICT_BYTES 160
void guest_verdict_text(const char *text, unsigned long value);

/* An address as a number that is the same in each run: guest-physical, or 0. */
unsigned long verdict_address(const void *va);

/* Number of verdicts, and the first: NULL if there was none. */
uint64_t guest_verdicts_nr(void);
const char *guest_verdict_first(unsigned long *value, uint64_t *time_ps);

/* Forget them (before a guest starts). */
void guest_verdict_reset(void);

#endif
