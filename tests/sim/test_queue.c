// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/queue.h"
#include "sim/random.h"
#include "tests/sim/died.h"

#define NODES_NR	700u	/* more than the heap starts with */
#define OPS_NR		100000u

static struct queue queue;
static struct sim_node node[NODES_NR];

static void start(void)
{
	memset(node, 0, sizeof(node));
	queue_init(&queue);
}

static void put(struct sim_node *n, uint64_t time_ps, uint64_t order)
{
	n->time_ps = time_ps;
	n->order = order;
	queue_push(&queue, n);
}

static bool before(const struct sim_node *a, const struct sim_node *b)
{
	if (a->time_ps != b->time_ps)
		return a->time_ps < b->time_ps;
	return a->order < b->order;
}

/* The reference: look at all nodes. */
static struct sim_node *first_of_all(void)
{
	struct sim_node *first = NULL;

	for (uint32_t i = 0; i < NODES_NR; i++)
		if (node[i].slot && (!first || before(&node[i], first)))
			first = &node[i];
	return first;
}

/* Check writes a file at each of its assertions: not where it is hot. */
#define quick_assert(cond)						\
	do {								\
		if (!(cond))						\
			ck_abort_msg("%s", #cond);			\
	} while (0)

/* queue.h: slot is the 1-based position, keys are those of the node. */
static void assert_consistent(void)
{
	uint32_t queued_nr = 0;

	for (uint32_t i = 1; i <= queue.nr; i++) {
		const struct queue_entry *e = &queue.entry[i];

		quick_assert(e->node->slot == i);
		quick_assert(e->time_ps == e->node->time_ps);
		quick_assert(e->order == e->node->order);
		quick_assert(i == 1 ||
			     !before(e->node, queue.entry[i / 2].node));
	}
	for (uint32_t i = 0; i < NODES_NR; i++)
		queued_nr += node[i].slot != 0;
	ck_assert_uint_eq(queued_nr, queue.nr);
}

START_TEST(empty_queue_has_no_first)
{
	start();
	ck_assert_ptr_null(queue_top(&queue));
	ck_assert_ptr_null(queue_pop(&queue));
	queue_fini(&queue);
}
END_TEST

START_TEST(pop_yields_ascending_time_then_order)
{
	start();
	put(&node[0], 5, 9);
	put(&node[1], 5, 2);
	put(&node[2], UINT64_MAX, 0);
	put(&node[3], 0, UINT64_MAX);
	put(&node[4], 5, UINT64_C(1) << 63);
	ck_assert_ptr_eq(queue_pop(&queue), &node[3]);
	ck_assert_ptr_eq(queue_pop(&queue), &node[1]);
	ck_assert_ptr_eq(queue_pop(&queue), &node[0]);
	ck_assert_ptr_eq(queue_pop(&queue), &node[4]);
	ck_assert_ptr_eq(queue_pop(&queue), &node[2]);
	ck_assert_ptr_null(queue_pop(&queue));
	queue_fini(&queue);
}
END_TEST

START_TEST(top_shows_the_first_and_leaves_it)
{
	start();
	put(&node[0], 7, 1);
	put(&node[1], 3, 2);
	ck_assert_ptr_eq(queue_top(&queue)->node, &node[1]);
	ck_assert_uint_eq(queue_top(&queue)->time_ps, 3);
	ck_assert_uint_eq(queue.nr, 2);
	queue_fini(&queue);
}
END_TEST

static void fill(uint32_t nr)
{
	start();
	for (uint32_t i = 0; i < nr; i++)
		put(&node[i], (i * 37 + 11) % nr, i);
}

START_TEST(any_node_can_be_removed_from_heaps_of_any_size)
{
	for (uint32_t nr = 1; nr <= 33; nr++) {
		for (uint32_t i = 0; i < nr; i++) {
			fill(nr);
			queue_remove(&queue, &node[i]);
			ck_assert_uint_eq(node[i].slot, 0);
			ck_assert_uint_eq(queue.nr, nr - 1);
			assert_consistent();
			queue_fini(&queue);
		}
	}
}
END_TEST

START_TEST(removed_node_may_be_pushed_again)
{
	fill(10);
	queue_remove(&queue, &node[4]);
	put(&node[4], 0, 0);
	ck_assert_ptr_eq(queue_pop(&queue), &node[4]);
	queue_fini(&queue);
}
END_TEST

static void random_op(struct sim_random *r, uint64_t *order)
{
	struct sim_node *n = &node[sim_random_below(r, NODES_NR)];
	struct sim_node *first;

	switch (sim_random_below(r, 4)) {
	case 0:
		if (n->slot)
			queue_remove(&queue, n);
		break;
	case 1:
		first = first_of_all();
		quick_assert(queue_pop(&queue) == first);
		quick_assert(!first || !first->slot);
		break;
	default:
		if (!n->slot)
			put(n, sim_random_below(r, 50), ++*order);
	}
}

START_TEST(random_operations_agree_with_a_search_of_all_nodes)
{
	struct sim_random r;
	struct sim_node *first;
	uint64_t order = 0;

	start();
	sim_random_init(&r, 1, "test.queue");
	for (uint32_t i = 0; i < OPS_NR; i++) {
		random_op(&r, &order);
		if (i % 512 == 0)
			assert_consistent();
	}
	while ((first = first_of_all()))
		ck_assert_ptr_eq(queue_pop(&queue), first);
	ck_assert_uint_eq(queue.nr, 0);
	queue_fini(&queue);
}
END_TEST

START_TEST(grown_heap_drains_in_order)
{
	uint64_t last = 0;
	struct sim_node *n;

	fill(NODES_NR);
	assert_consistent();
	for (uint32_t i = 0; i < NODES_NR; i++) {
		n = queue_pop(&queue);
		ck_assert_uint_ge(n->time_ps, last);
		last = n->time_ps;
	}
	ck_assert_ptr_null(queue_pop(&queue));
	queue_fini(&queue);
}
END_TEST

START_TEST(fini_leaves_no_node_queued)
{
	fill(100);
	queue_fini(&queue);
	for (uint32_t i = 0; i < 100; i++)
		ck_assert_uint_eq(node[i].slot, 0);
}
END_TEST

static void push_twice(void)
{
	fill(3);
	queue_push(&queue, &node[1]);
}

static void remove_unqueued(void)
{
	fill(3);
	queue_remove(&queue, &node[5]);
}

START_TEST(misuse_is_refused)
{
	ck_assert_int_eq(died_of(push_twice), SIGABRT);
	ck_assert_int_eq(died_of(remove_unqueued), SIGABRT);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sim/queue");
	TCase *tc = tcase_create("queue");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, empty_queue_has_no_first);
	tcase_add_test(tc, pop_yields_ascending_time_then_order);
	tcase_add_test(tc, top_shows_the_first_and_leaves_it);
	tcase_add_test(tc, any_node_can_be_removed_from_heaps_of_any_size);
	tcase_add_test(tc, removed_node_may_be_pushed_again);
	tcase_add_test(tc, random_operations_agree_with_a_search_of_all_nodes);
	tcase_add_test(tc, grown_heap_drains_in_order);
	tcase_add_test(tc, fini_leaves_no_node_queued);
	tcase_add_test(tc, misuse_is_refused);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
