/* SPDX-License-Identifier: GPL-2.0-only */
/* The compiler's fixed-width types, without libc (-nostdinc). */
#ifdef __clang__
#include_next <stdint.h>
#else
#include <stdint-gcc.h>
#endif
