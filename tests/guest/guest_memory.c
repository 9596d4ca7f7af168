// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

#include <linux/cache.h>
#include <linux/gfp.h>
#include <linux/idr.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "model/guest/page.h"
#include "model/guest/slab.h"

#define CHURN_STEPS	600
#define SLOTS		128

/* Objects on their way from one vCPU to another. */
static void *slot[SLOTS];
static u32 slot_bytes[SLOTS];
static DEFINE_SPINLOCK(slot_lock);
static uint64_t seed;
static unsigned int churners_left;

void memory_set_seed(uint64_t value)
{
	seed = value;
	memset(slot, 0, sizeof(slot));
	spin_lock_init(&slot_lock);
	churners_left = 4;
}

uint64_t memory_pages_nr(void)
{
	return page_used_nr();
}

uint64_t memory_objects_nr(void)
{
	return slab_used_nr();
}

static bool filled_with(const void *p, u32 bytes, u8 value)
{
	const u8 *b = p;

	for (u32 i = 0; i < bytes; i++)
		if (b[i] != value)
			return false;
	return true;
}

/* Fill an object by its address, so that an overlap is seen. */
static u8 mark_of(const void *p)
{
	return (unsigned long)p >> 3;
}

static void churn_one(struct sim_random *random)
{
	u32 i = sim_random_below(random, SLOTS);
	u32 bytes = 1 + sim_random_below(random, 700);
	void *fresh = kmalloc(bytes, GFP_KERNEL), *old;
	u32 old_bytes;

	machine_check(fresh);
	memset(fresh, mark_of(fresh), bytes);
	spin_lock(&slot_lock);
	old = slot[i];
	old_bytes = slot_bytes[i];
	slot[i] = fresh;
	slot_bytes[i] = bytes;
	spin_unlock(&slot_lock);
	if (old)
		machine_check(filled_with(old, old_bytes, mark_of(old)));
	kfree(old);
}

void memory_churn_slab(void *rank)
{
	struct sim_random random;
	bool last;

	sim_random_init(&random, seed + (unsigned long)rank, "churn");
	for (int i = 0; i < CHURN_STEPS; i++)
		churn_one(&random);
	spin_lock(&slot_lock);
	last = !--churners_left;
	spin_unlock(&slot_lock);
	for (int i = 0; last && i < SLOTS; i++)
		kfree(slot[i]);
}

/* Far more objects of one size than a vCPU keeps, freed on another vCPU. */
#define BURST_NR	400
static void *burst[BURST_NR];

void memory_burst_alloc(void *unused)
{
	for (int i = 0; i < BURST_NR; i++) {
		burst[i] = kmalloc(48, GFP_KERNEL);
		memset(burst[i], mark_of(burst[i]), 48);
	}
}

void memory_burst_free(void *unused)
{
	for (int i = 0; i < BURST_NR; i++) {
		machine_check(filled_with(burst[i], 48, mark_of(burst[i])));
		kfree(burst[i]);
	}
}

/* Objects of a size class lie as close as the class says. */
static u64 closest(size_t bytes)
{
	void *object[12];
	u64 least = U64_MAX;

	for (int i = 0; i < 12; i++)
		object[i] = kmalloc(bytes, GFP_KERNEL);
	for (int i = 0; i < 12; i++) {
		for (int k = 0; k < i; k++)
			least = min(least, (u64)(max(object[i], object[k]) -
						 min(object[i], object[k])));
	}
	for (int i = 0; i < 12; i++)
		kfree(object[i]);
	return least;
}

void memory_size_classes(void *unused)
{
	static const u16 class[][2] = {
		{ 1, 8 }, { 8, 8 }, { 9, 16 }, { 16, 16 }, { 17, 32 },
		{ 33, 64 }, { 64, 64 }, { 65, 128 }, { 128, 128 },
		{ 129, 192 }, { 192, 192 }, { 193, 256 }, { 256, 256 },
		{ 257, 512 }, { 513, 1024 }, { 1025, 2048 }, { 2049, 4096 },
		{ 4097, 8192 }, { 8192, 8192 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(class); i++)
		machine_check(closest(class[i][0]) == class[i][1]);
}

void memory_free_twice(void *unused)
{
	void *p = kmalloc(100, GFP_KERNEL);

	kfree(p);
	kfree(p);
	/* it must not be handed out twice now */
	machine_check(kmalloc(100, GFP_KERNEL) != kmalloc(100, GFP_KERNEL));
}

void memory_free_foreign(void *unused)
{
	static long not_allocated;

	kfree(&not_allocated);
}

void memory_free_inside(void *unused)
{
	char *p = kmalloc(256, GFP_KERNEL);

	kfree(p + 8);
	kfree(p);
}

void memory_free_pages_twice(void *unused)
{
	unsigned long p = __get_free_pages(GFP_KERNEL, 2);

	free_pages(p, 2);
	free_pages(p, 2);
}

void memory_check_alignment(void *unused)
{
	for (u32 bytes = 1; bytes <= 20000; bytes += bytes / 7 + 1) {
		void *p = kmalloc(bytes, GFP_KERNEL);
		u32 align = bytes >= 64 ? 64 : 8;

		machine_check(IS_ALIGNED((unsigned long)p, align));
		if (!(bytes & (bytes - 1)) && bytes >= 8)
			machine_check(IS_ALIGNED((unsigned long)p, bytes));
		kfree(p);
	}
	kfree(NULL);
	machine_check(kmalloc(0, GFP_KERNEL) != NULL);
	kfree(kmalloc(0, GFP_KERNEL));
	machine_check(!kmalloc(KMALLOC_MAX_SIZE + 1, GFP_KERNEL));
	machine_check(!kcalloc(1UL << 33, 1UL << 33, GFP_KERNEL));
}

void memory_check_zeroing(void *unused)
{
	static const u32 sizes[] = { 8, 100, 192, 4096, 8192, 100000 };

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++) {
		void *p = kmalloc(sizes[i], GFP_KERNEL);

		memset(p, 0xff, sizes[i]);
		kfree(p);
		p = kzalloc(sizes[i], GFP_KERNEL);
		machine_check(filled_with(p, sizes[i], 0));
		kfree(p);
		p = vzalloc(sizes[i]);
		machine_check(filled_with(p, sizes[i], 0));
		vfree(p);
	}
}

void memory_churn_pages(void *unused)
{
	struct sim_random random;
	void *block[16] = { };
	u32 bytes[16] = { };

	sim_random_init(&random, seed, "pages");
	for (int i = 0; i < 2000; i++) {
		u32 k = sim_random_below(&random, 16);

		if (block[k]) {
			machine_check(filled_with(block[k], 64, k));
			free_pages_exact(block[k], bytes[k]);
		}
		bytes[k] = 1 + sim_random_below(&random, 100000);
		block[k] = alloc_pages_exact(bytes[k], GFP_KERNEL);
		machine_check(block[k] && PAGE_ALIGNED(block[k]));
		memset(block[k], k, 64);
		memset((char *)block[k] + bytes[k] - 1, k, 1);
	}
	for (int k = 0; k < 16; k++)
		if (block[k])
			free_pages_exact(block[k], bytes[k]);
}

/* All of memory in the largest blocks, twice: freeing has merged them. */
static u64 take_all(void)
{
	void *first = NULL, *p;
	u64 nr = 0;

	while ((p = alloc_pages(0, PAGE_ORDER_MAX))) {
		*(void **)p = first;
		first = p;
		nr++;
	}
	while (first) {
		p = *(void **)first;
		__free_pages(first, PAGE_ORDER_MAX);
		first = p;
	}
	return nr;
}

void memory_exhaust_pages(void *unused)
{
	void *first = NULL, *p;
	u64 blocks_nr = take_all();

	machine_check(blocks_nr > 8);
	while ((p = alloc_pages(0, 0))) {
		*(void **)p = first;
		first = p;
	}
	machine_check(!kmalloc(100000, GFP_KERNEL));
	machine_check(!alloc_pages_exact(5000, GFP_KERNEL));
	while (first) {
		p = *(void **)first;
		__free_pages(first, 0);
		first = p;
	}
	machine_check(take_all() == blocks_nr);
	machine_check(!alloc_pages(0, PAGE_ORDER_MAX + 1));
}

void memory_realloc(void *unused)
{
	char *p = krealloc(NULL, 10, GFP_KERNEL);

	strcpy(p, "hello");
	for (u32 bytes = 20; bytes < 200000; bytes *= 3) {
		p = krealloc(p, bytes, GFP_KERNEL);
		machine_check(!strcmp(p, "hello"));
	}
	kfree(p);
	p = kvmalloc(3 * PAGE_SIZE, GFP_KERNEL);
	kvfree(p);
	p = kvmalloc(10, GFP_KERNEL);
	kvfree(p);
	p = kmemdup("abc", 4, GFP_KERNEL);
	machine_check(!strcmp(p, "abc"));
	kfree(p);
	p = kstrdup("def", GFP_KERNEL);
	machine_check(!strcmp(p, "def"));
	kfree_sensitive(p);
}

static void constructor(void *object)
{
	*(u32 *)object = 42;
}

void memory_cache_life(void *unused)
{
	struct kmem_cache *cache = kmem_cache_create("test", 40, 0,
		SLAB_HWCACHE_ALIGN, constructor);
	void *object[100];

	for (u32 i = 0; i < ARRAY_SIZE(object); i++) {
		object[i] = kmem_cache_alloc(cache, GFP_KERNEL);
		machine_check(IS_ALIGNED((unsigned long)object[i], 64));
		machine_check(*(u32 *)object[i] == 42);
	}
	for (u32 i = 0; i < ARRAY_SIZE(object); i++)
		kmem_cache_free(cache, object[i]);
	kmem_cache_destroy(cache);
	machine_check(!kmem_cache_create("test", 8, 3, 0, NULL));
}

void memory_cache_busy(void *unused)
{
	struct kmem_cache *cache = kmem_cache_create("test", 40, 0, 0, NULL);

	machine_check(kmem_cache_alloc(cache, GFP_KERNEL));
	kmem_cache_destroy(cache);
}

static void check_list(struct sg_table *table, u32 nents)
{
	struct scatterlist *sg;
	u32 i, links = 0;

	machine_check(table->nents == nents && table->orig_nents == nents);
	for_each_sg(table->sgl, sg, nents, i)
		sg_set_buf(sg, table, i + 1);
	machine_check(!sg);
	machine_check(sg_nents(table->sgl) == (int)nents);
	for_each_sg(table->sgl, sg, nents, i) {
		machine_check(sg->length == i + 1);
		machine_check(sg_virt(sg) == (void *)table);
		machine_check(sg_is_last(sg) == (i == nents - 1));
		if (!sg_is_last(sg) && sg_is_chain(sg + 1))
			links++;
	}
	machine_check(links <= nents / 2);
}

static void chain_one(u32 nents, struct scatterlist *first, u32 first_nr)
{
	struct sg_table table;

	machine_check(!sg_alloc_table_chained(&table, nents, first, first_nr));
	machine_check(first_nr < 2 || table.sgl == first);
	check_list(&table, nents);
	sg_free_table_chained(&table, first_nr);
}

void memory_chain_lists(void *unused)
{
	static struct scatterlist first[4];
	struct sg_table table;

	for (u32 nents = 1; nents <= 400; nents += 1 + nents / 60) {
		chain_one(nents, NULL, 0);
		for (u32 first_nr = 1; first_nr <= 4; first_nr++)
			chain_one(nents, first, first_nr);
		machine_check(!sg_alloc_table(&table, nents, GFP_KERNEL));
		check_list(&table, nents);
		sg_free_table(&table);
	}
}

/* With all of memory taken: -ENOMEM, and nothing leaks. */
void memory_chain_without_memory(void *unused)
{
	struct scatterlist first[2];
	struct sg_table table;
	void *taken = NULL, *p;
	u64 objects_nr;

	while ((p = alloc_pages(0, 0))) {
		*(void **)p = taken;
		taken = p;
	}
	objects_nr = slab_used_nr();
	machine_check(sg_alloc_table_chained(&table, 300, first, 2) ==
		      -ENOMEM);
	machine_check(slab_used_nr() == objects_nr);
	/* one page lets the first chunk through, and a later one fails */
	p = *(void **)taken;
	__free_pages(taken, 0);
	taken = p;
	sg_alloc_table_chained(&table, 3000, first, 2);
	machine_check(slab_used_nr() == objects_nr);
	while (taken) {
		p = *(void **)taken;
		__free_pages(taken, 0);
		taken = p;
	}
}

void memory_ida_lowest(void *unused)
{
	DEFINE_IDA(ida);

	for (int i = 0; i < 200; i++)
		machine_check(ida_alloc(&ida, GFP_KERNEL) == i);
	ida_free(&ida, 70);
	ida_free(&ida, 7);
	machine_check(ida_alloc(&ida, GFP_KERNEL) == 7);
	machine_check(ida_alloc(&ida, GFP_KERNEL) == 70);
	machine_check(ida_alloc_range(&ida, 10, 20, GFP_KERNEL) == -ENOSPC);
	machine_check(ida_alloc_range(&ida, 1000, 1001, GFP_KERNEL) == 1000);
	machine_check(ida_alloc_range(&ida, 1000, 1001, GFP_KERNEL) == 1001);
	machine_check(ida_alloc_range(&ida, 1000, 1001, GFP_KERNEL) ==
		      -ENOSPC);
	machine_check(ida_alloc_min(&ida, 150, GFP_KERNEL) == 200);
	ida_destroy(&ida);
	machine_check(ida_alloc(&ida, GFP_KERNEL) == 0);
	ida_destroy(&ida);
}

static DEFINE_IDA(race_ida);
static u8 ida_owner[4096];

void memory_ida_race(void *rank)
{
	struct sim_random random;
	int id[32];

	sim_random_init(&random, seed + (unsigned long)rank, "ida");
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 32; i++) {
			id[i] = ida_alloc(&race_ida, GFP_KERNEL);
			machine_check(id[i] >= 0 && id[i] < 128);
			machine_check(!xchg(&ida_owner[id[i]], 1));
			machine_delay(&random, 100000);
		}
		for (int i = 0; i < 32; i++) {
			machine_check(xchg(&ida_owner[id[i]], 0));
			ida_free(&race_ida, id[i]);
		}
	}
}

void memory_ida_free_twice(void *unused)
{
	DEFINE_IDA(ida);

	ida_free(&ida, ida_alloc(&ida, GFP_KERNEL));
	ida_free(&ida, 0);
	ida_destroy(&ida);
}

/* Reading the counter is an access or two, too. */
static bool charged(u64 accesses_nr, u64 lines_nr)
{
	return accesses_nr >= lines_nr && accesses_nr < lines_nr + 8;
}

void memory_copy_charges(void *unused)
{
	char *from = alloc_pages_exact(2 * PAGE_SIZE, GFP_KERNEL);
	struct hw_thread *t = &vcpu_self()->thread;
	u64 before = t->stats.accesses_nr;

	memcpy(from + PAGE_SIZE, from, PAGE_SIZE);
	machine_check(charged(t->stats.accesses_nr - before,
			      2 * PAGE_SIZE / 64));
	before = t->stats.accesses_nr;
	memset(from, 1, PAGE_SIZE);
	machine_check(charged(t->stats.accesses_nr - before, PAGE_SIZE / 64));
	free_pages_exact(from, 2 * PAGE_SIZE);
}
