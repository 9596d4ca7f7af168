/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers with units as people write them, read exactly: integers all the way,
 * nothing is rounded, whatever does not fit is refused.
 *
 * All readers take the whole @text and return 0, -EINVAL (not of this form),
 * -ERANGE (does not fit) or -EDOM (finer than the unit of the result); @value
 * is written on success only.
 */
#ifndef MODEL_HARNESS_QUANTITY_H
#define MODEL_HARNESS_QUANTITY_H

#include <stddef.h>
#include <stdint.h>

/* Digits only. */
int quantity_number(const char *text, uint64_t *value);

/* 4096, 4k, 1M, 2G, 1T: fio's, so k is 1024; either case. */
int quantity_size(const char *text, uint64_t *bytes);

/* 10s, 1.5ms, 20us, 80ns, 250ps; a unit is needed except for 0. */
int quantity_time(const char *text, uint64_t *ps);

/* 2.4GHz, 2400MHz, 1000000Hz; either case. */
int quantity_clock(const char *text, uint64_t *hz);

/* A decimal number times 10^@digits (up to 9): "1.5" with 3 is 1500. */
int quantity_decimal(const char *text, unsigned int digits, uint64_t *value);

/* 0-3,5: bit n for number n, up to 63. */
int quantity_cpus(const char *text, uint64_t *mask);

/* The shortest form that reads back as the same value. */
void quantity_print_size(char *buf, size_t size, uint64_t bytes);
void quantity_print_time(char *buf, size_t size, uint64_t ps);
void quantity_print_decimal(char *buf, size_t size, unsigned int digits,
			    uint64_t value);
void quantity_print_cpus(char *buf, size_t size, uint64_t mask);

#endif
