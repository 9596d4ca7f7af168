/* SPDX-License-Identifier: GPL-2.0-only */
/* Names for code addresses of the running program and the driver in it. */
#ifndef MODEL_HARNESS_SYMBOLIZE_H
#define MODEL_HARNESS_SYMBOLIZE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/fiber.h"

/*
 * "vblk_queue_rq+0x45 (bundled.so)", static functions too; the bare number if
 * nothing is known there. Reads the files' symbol tables: for the few
 * addresses of a report.
 */
void symbolize(uintptr_t address, char *buf, size_t bytes);

/* The instrumented functions @f is in, innermost first, a line each after @indent. */
void symbolize_calls(FILE *out, const struct fiber *f, const char *indent);

#endif
