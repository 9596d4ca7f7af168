/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs; all possible CPUs are online. */
#ifndef PORT_LINUX_CPUMASK_H
#define PORT_LINUX_CPUMASK_H

#include <linux/bitops.h>
#include <linux/cpumask_types.h>
#include <linux/gfp_types.h>
#include <linux/smp.h>
#include <linux/string.h>

/* CPUs of the guest; set by the implementation before a module's init */
extern unsigned int nr_cpu_ids;

#define cpumask_bits(mask)	((mask)->bits)
#define cpumask_size()		sizeof(struct cpumask)
#define num_online_cpus()	nr_cpu_ids
#define num_possible_cpus()	nr_cpu_ids
#define num_present_cpus()	nr_cpu_ids
#define cpu_online(cpu)		((unsigned int)(cpu) < nr_cpu_ids)
#define cpu_possible(cpu)	cpu_online(cpu)

static inline void cpumask_clear(struct cpumask *mask)
{
	memset(mask, 0, sizeof(*mask));
}

static inline void cpumask_copy(struct cpumask *dest,
				const struct cpumask *src)
{
	memcpy(dest, src, sizeof(*dest));
}

static inline void cpumask_set_cpu(unsigned int cpu, struct cpumask *mask)
{
	set_bit(cpu, mask->bits);
}

static inline void cpumask_clear_cpu(unsigned int cpu, struct cpumask *mask)
{
	clear_bit(cpu, mask->bits);
}

static inline bool cpumask_test_cpu(unsigned int cpu,
				    const struct cpumask *mask)
{
	return test_bit(cpu, mask->bits);
}

static inline unsigned int cpumask_first(const struct cpumask *mask)
{
	return find_first_bit(mask->bits, nr_cpu_ids);
}

static inline unsigned int cpumask_next(int cpu, const struct cpumask *mask)
{
	return find_next_bit(mask->bits, nr_cpu_ids, cpu + 1);
}

static inline bool cpumask_empty(const struct cpumask *mask)
{
	return cpumask_first(mask) >= nr_cpu_ids;
}

static inline unsigned int cpumask_weight(const struct cpumask *mask)
{
	unsigned int i, weight = 0;

	for (i = 0; i < BITS_TO_LONGS(NR_CPUS); i++)
		weight += hweight_long(mask->bits[i]);
	return weight;
}

bool zalloc_cpumask_var(cpumask_var_t *mask, gfp_t gfp);
void free_cpumask_var(cpumask_var_t mask);

#define for_each_cpu(cpu, mask) \
	for ((cpu) = cpumask_first(mask); (cpu) < nr_cpu_ids; \
	     (cpu) = cpumask_next(cpu, mask))
#define for_each_possible_cpu(cpu) \
	for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++)
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)

#endif /* PORT_LINUX_CPUMASK_H */
