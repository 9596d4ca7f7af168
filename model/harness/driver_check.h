/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a shared object a driver that may be loaded? A name it wants binds to
 * whatever in the program or in libc has it, so each must be one that drivers
 * are meant to use: a function of the guest kernel that the port declares, or a
 * hook of the instrumentation.
 */
#ifndef MODEL_HARNESS_DRIVER_CHECK_H
#define MODEL_HARNESS_DRIVER_CHECK_H

#include <stdbool.h>
#include <stdio.h>

#include "model/harness/elf_image.h"
#include "model/harness/suggest.h"

/* Names that drivers may use, sorted; made when the program is built. */
extern const char *const driver_symbols[];
extern const size_t driver_symbols_nr;

bool driver_symbol_known(const char *name);
void driver_symbols_offer(struct suggest *near);

/*
 * @name: of the driver, for messages
 * 0, or -ENOEXEC after messages on @err about everything that is wrong.
 */
int driver_check(const struct elf_image *image, const char *name, FILE *err);

#endif
