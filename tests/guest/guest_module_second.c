// SPDX-License-Identifier: GPL-2.0-only
#define KBUILD_MODNAME "test_second"

#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

#include <linux/module.h>

/* Comes after the first in link order, and has no exit function. */
static int __init second_init(void)
{
	machine_check(module_values.inits_nr == 1);
	return module_second_error;
}

module_init(second_init);
