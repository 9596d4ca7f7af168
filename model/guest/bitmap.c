// SPDX-License-Identifier: GPL-2.0-only
/* Searches of <linux/bitops.h>, and what <linux/cpumask.h> has out of line. */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/slab.h>

/* First bit from @offset on that is set in the words xor @flip. */
static unsigned long bitmap_find(const unsigned long *addr, unsigned long size,
				 unsigned long offset, unsigned long flip)
{
	unsigned long mask = ~0UL << (offset % BITS_PER_LONG);
	unsigned long i;

	if (offset >= size)
		return size;
	for (i = BIT_WORD(offset); i * BITS_PER_LONG < size; i++) {
		unsigned long word = (addr[i] ^ flip) & mask;

		if (word)
			return min(i * BITS_PER_LONG + __ffs(word), size);
		mask = ~0UL;
	}
	return size;
}

unsigned long find_first_bit(const unsigned long *addr, unsigned long size)
{
	return bitmap_find(addr, size, 0, 0);
}

unsigned long find_next_bit(const unsigned long *addr, unsigned long size,
			    unsigned long offset)
{
	return bitmap_find(addr, size, offset, 0);
}

unsigned long find_first_zero_bit(const unsigned long *addr,
				  unsigned long size)
{
	return bitmap_find(addr, size, 0, ~0UL);
}

unsigned long find_next_zero_bit(const unsigned long *addr,
				 unsigned long size, unsigned long offset)
{
	return bitmap_find(addr, size, offset, ~0UL);
}

bool zalloc_cpumask_var(cpumask_var_t *mask, gfp_t gfp)
{
	*mask = kzalloc(cpumask_size(), gfp);
	return *mask;
}

void free_cpumask_var(cpumask_var_t mask)
{
	kfree(mask);
}
