/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that programs read, replaced in one step. */
#ifndef MODEL_HARNESS_OUTPUT_H
#define MODEL_HARNESS_OUTPUT_H

#include <stdio.h>

/* Write @what to @out and flush it. 0 or -errno. */
typedef int (*output_print_fn)(const void *what, FILE *out);

/*
 * Can a file be written at @path, as far as can be told before? "-", standard
 * output, always can. 0 or -errno.
 */
int output_check(const char *path);

/*
 * Let @print write @what to the file @path. A regular file is replaced in one
 * step: whoever reads it sees the old or the new one.
 * Returns 0 or -errno.
 */
int output_write(const char *path, output_print_fn print, const void *what);

#endif
