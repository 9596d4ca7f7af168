/* SPDX-License-Identifier: GPL-2.0-only */
/* Guest code of the tests (guest_*.c), as the tests (test_*.c) call it. */
#ifndef TESTS_GUEST_CALLS_H
#define TESTS_GUEST_CALLS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* guest_memory.c: tasks; each checks with machine_check */
void memory_set_seed(uint64_t seed);
void memory_churn_slab(void *rank);
void memory_burst_alloc(void *unused);
void memory_burst_free(void *unused);
void memory_size_classes(void *unused);
void memory_free_twice(void *unused);
void memory_free_foreign(void *unused);
void memory_free_inside(void *unused);
void memory_free_pages_twice(void *unused);
void memory_check_alignment(void *unused);
void memory_check_zeroing(void *unused);
void memory_churn_pages(void *unused);
void memory_exhaust_pages(void *unused);
void memory_realloc(void *unused);
void memory_cache_life(void *unused);
void memory_cache_busy(void *unused);
void memory_chain_lists(void *unused);
void memory_chain_without_memory(void *unused);
void memory_ida_lowest(void *unused);
void memory_ida_race(void *rank);
void memory_ida_free_twice(void *unused);
void memory_copy_charges(void *unused);

/* Leak check: pages and objects in use. */
uint64_t memory_pages_nr(void);
uint64_t memory_objects_nr(void);

/* guest_text.c: called outside of a vCPU */
int text_format(char *buf, size_t size, const char *fmt, ...);
int text_string_to_uint(const char *text, unsigned int base, uint32_t *value);
int text_string_to_int(const char *text, unsigned int base, int32_t *value);
int text_string_to_u64(const char *text, unsigned int base, uint64_t *value);
int text_string_to_bool(const char *text, bool *value);
int text_scan_numbers(const char *text, int *a, unsigned int *b, char *word);
int text_size(uint64_t size, uint64_t block, bool binary, char *buf, int len);
void text_check_strings(void);

/* guest_module.c */
struct module_values {
	unsigned int depth;
	bool fast;
	const char *name;
	unsigned short port;
	long offset;
	unsigned int limited;
	unsigned int inits_nr;
	unsigned int exits_nr;
};
extern struct module_values module_values;
extern int module_second_error;

/* guest_verdict.c */
extern bool verdict_went_on;
void verdict_bug(void *unused);
void verdict_warn(void *unused);
void verdict_messages(void *unused);
void verdict_poison(void *unused);

/* guest_work.c */
void work_refuses_pending(void *unused);
void work_requeues_itself(void *unused);
void work_flush_waits(void *unused);
void work_cancel(void *unused);
void work_cancel_self_requeueing(void *unused);
void work_never_overlaps(void *unused);
void work_delayed(void *unused);
void work_mod_delayed(void *unused);
void work_destroy(void *unused);
void work_stress(void *rank);
void work_stress_end(void *unused);

/* guest_wait.c */
void wait_set_seed(uint64_t seed);
void wait_complete_side(void *unused);
void wait_waiter_side(void *unused);
uint64_t wait_rounds_nr(void);
void wait_all_waiter(void *rank);
void wait_all_waker(void *unused);
void wait_timeouts(void *unused);
void wait_exclusive_waiter(void *rank);
void wait_exclusive_waker(void *unused);
void wait_event_consumer(void *unused);
void wait_event_producer(void *unused);
void wait_mutex_user(void *rank);
void wait_mutex_result(void);
void wait_mutex_wrong_owner(void *unused);
void wait_timer_order(void *unused);
void wait_timer_cpu(void *unused);
void wait_timer_delete(void *unused);
void wait_sleeps(void *unused);

#endif
