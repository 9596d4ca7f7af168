// SPDX-License-Identifier: GPL-2.0-only
/* The driver's packed ring, with this program as the device: memory only. */
#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <uapi/linux/virtio_config.h>
#include <uapi/linux/virtio_ring.h>

#include "tests/driver/kernel_stub.h"

#define PACKED		(1ULL << VIRTIO_F_RING_PACKED)
#define EVENT		(1ULL << VIRTIO_RING_F_EVENT_IDX)
#define INDIRECT	(1ULL << VIRTIO_RING_F_INDIRECT_DESC)
#define BUF_BYTES	512
#define BUF_NR		1024
#define AVAIL		0x80u
#define USED		0x8000u

static struct virtqueue *vq;
static uint32_t num;
static struct vring_packed_desc *desc;
static struct vring_packed_desc_event *driver_event;
static struct vring_packed_desc_event *device_event;
static char *bufs;
/* The device's places, in integers that don't wrap. */
static uint64_t dev_avail;
static uint64_t dev_used;

void kstub_say(const char *level, const char *fmt, va_list args)
{
	(void)level;
	vprintf(fmt, args);
}

void kstub_die(const char *what, const char *func, int line)
{
	ck_abort_msg("%s in %s, line %d", what, func, line);
	abort();
}

static void *guest_ptr(uint64_t pa)
{
	return (char *)KSTUB_BASE + pa;
}

static void map_arena(void)
{
	void *p = mmap((void *)KSTUB_BASE, KSTUB_ARENA_BYTES,
		       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
		       MAP_FIXED_NOREPLACE, -1, 0);

	ck_assert_ptr_eq(p, (void *)KSTUB_BASE);
	kstub_init();
	bufs = kstub_alloc(BUF_BYTES * BUF_NR);
}

static void unmap_arena(void)
{
	ck_assert_int_eq(munmap((void *)KSTUB_BASE, KSTUB_ARENA_BYTES), 0);
}

static void make_queue(unsigned int size, uint64_t features)
{
	const struct kstub_queue_opts opts = {
		.num = size, .features = features | PACKED, .callback = true,
	};

	vq = kstub_queue_create(&opts);
	ck_assert_ptr_nonnull(vq);
	num = virtqueue_get_vring_size(vq);
	desc = guest_ptr(virtqueue_get_desc_addr(vq));
	driver_event = guest_ptr(virtqueue_get_avail_addr(vq));
	device_event = guest_ptr(virtqueue_get_used_addr(vq));
	dev_avail = 0;
	dev_used = 0;
}

static bool wrap_at(uint64_t at)
{
	return !(at / num & 1);
}

static uint16_t off_wrap(uint64_t at)
{
	return (uint16_t)(at % num | (uint32_t)wrap_at(at) << 15);
}

static bool is_avail(uint64_t at)
{
	return (desc[at % num].flags & (AVAIL | USED)) ==
	       (wrap_at(at) ? AVAIL : USED);
}

/* Take the chain that must be there; all of it must be available. Its id. */
static uint16_t dev_pop(unsigned int *nr)
{
	const struct vring_packed_desc *d;

	*nr = 0;
	do {
		ck_assert_uint_lt(*nr, num);
		ck_assert(is_avail(dev_avail));
		d = &desc[dev_avail++ % num];
		++*nr;
	} while (d->flags & VRING_DESC_F_NEXT);
	ck_assert_uint_lt(d->id, num);
	return d->id;
}

/* Use chain @id of @nr descriptors. */
static void dev_use(uint16_t id, unsigned int nr, uint32_t len, uint16_t flags)
{
	struct vring_packed_desc *d = &desc[dev_used % num];

	d->id = id;
	d->len = len;
	d->flags = flags | (wrap_at(dev_used) ? AVAIL | USED : 0);
	dev_used += nr;
}

static void *token(unsigned int i)
{
	return bufs + i;
}

static int add(unsigned int out_nr, unsigned int in_nr, void *data)
{
	struct kstub_seg segs[KSTUB_SEGS_MAX];

	for (unsigned int i = 0; i < out_nr + in_nr; i++)
		segs[i] = (struct kstub_seg){ bufs + i * BUF_BYTES, 16 + i };
	return kstub_add(vq, segs, out_nr, in_nr, data);
}

static void *reap(void)
{
	unsigned int len;

	return virtqueue_get_buf(vq, &len);
}

/* One buffer of @nr descriptors goes round. */
static void go_round(unsigned int nr)
{
	unsigned int got;
	uint16_t id;

	ck_assert_int_eq(add(1, nr - 1, token(0)), 0);
	id = dev_pop(&got);
	ck_assert_uint_eq(got, nr);
	ck_assert_ptr_null(reap());
	dev_use(id, nr, 1, VRING_DESC_F_WRITE);
	ck_assert_ptr_eq(reap(), token(0));
	ck_assert_ptr_null(reap());
	ck_assert_uint_eq(kstub_num_free(vq), num);
}

START_TEST(parts_are_aligned_and_zeroed)
{
	make_queue(5, EVENT);
	ck_assert_uint_eq((uintptr_t)desc % 16, 0);
	ck_assert_uint_eq((uintptr_t)driver_event % 4, 0);
	ck_assert_uint_eq((uintptr_t)device_event % 4, 0);
	ck_assert((void *)driver_event >= (void *)(desc + 5));
	ck_assert(device_event > driver_event);
	for (uint32_t i = 0; i < num; i++)
		ck_assert(!is_avail(i));
	ck_assert_uint_eq(driver_event->flags, 0);
	ck_assert_uint_eq(device_event->flags, 0);
}
END_TEST

START_TEST(the_feature_decides_the_format)
{
	struct kstub_queue_opts opts = { .num = 8, .features = PACKED };

	vq = kstub_queue_create(&opts);
	ck_assert_ptr_null(virtqueue_get_vring(vq));
	vring_del_virtqueue(vq);
	opts.features = 0;
	vq = kstub_queue_create(&opts);
	ck_assert_ptr_nonnull(virtqueue_get_vring(vq));
	vring_del_virtqueue(vq);
}
END_TEST

START_TEST(memory_of_others_takes_split_rings_only)
{
	struct kstub_queue_opts opts = { .num = 8, .features = PACKED };
	void *pages = kstub_alloc(4096);
	unsigned int live_nr = kstub_counts.live_nr;

	ck_assert_ptr_null(kstub_queue_new(&opts, pages));
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
	opts.features = 0;
	vq = kstub_queue_new(&opts, pages);
	ck_assert_ptr_nonnull(vq);
	ck_assert_ptr_eq(guest_ptr(virtqueue_get_desc_addr(vq)), pages);
	vring_del_virtqueue(vq);
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
}
END_TEST

START_TEST(create_refuses_sizes_the_spec_forbids)
{
	struct kstub_queue_opts opts = { .num = 8, .features = PACKED };
	unsigned int live_nr = kstub_counts.live_nr;

	for (unsigned int i = 0; i < 2; i++) {
		opts.num = i ? 32769 : 0;
		ck_assert_ptr_null(kstub_queue_create(&opts));
	}
	opts.num = 16;
	for (int i = 0; i < 3; i++) {
		kstub_alloc_budget = i;
		ck_assert_ptr_null(kstub_queue_create(&opts));
		ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
	}
	kstub_alloc_budget = 3;
	vq = kstub_queue_create(&opts);
	ck_assert_ptr_nonnull(vq);
	vring_del_virtqueue(vq);
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
}
END_TEST

START_TEST(transport_features_keep_packed_rings)
{
	ck_assert_uint_eq(kstub_transport_features(PACKED | EVENT | INDIRECT |
					1ULL << VIRTIO_F_IN_ORDER),
			  PACKED | EVENT | INDIRECT);
}
END_TEST

static void look_before_flags(void)
{
	ck_assert(!is_avail(0));
	ck_assert(is_avail(1) && is_avail(2));
	ck_assert_uint_eq(desc[0].len, 16);
}

START_TEST(add_publishes_the_first_descriptor_last)
{
	make_queue(8, 0);
	kstub_in_wmb = look_before_flags;
	ck_assert_int_eq(add(1, 2, token(0)), 0);
	ck_assert(is_avail(0));
}
END_TEST

START_TEST(chain_has_readable_segments_then_writable_ones)
{
	unsigned int nr;

	make_queue(7, 0);
	for (unsigned int out = 0; out <= 4; out++) {
		uint64_t at = dev_avail;

		ck_assert_int_eq(add(out, 4 - out, token(0)), 0);
		uint16_t id = dev_pop(&nr);

		ck_assert_uint_eq(nr, 4);
		for (unsigned int i = 0; i < 4; i++) {
			const struct vring_packed_desc *d =
				&desc[(at + i) % num];

			ck_assert_ptr_eq(guest_ptr(d->addr),
					 bufs + i * BUF_BYTES);
			ck_assert_uint_eq(d->len, 16 + i);
			ck_assert_int_eq(!!(d->flags & VRING_DESC_F_WRITE),
					 i >= out);
			ck_assert_uint_eq(d->flags & VRING_DESC_F_INDIRECT, 0);
		}
		dev_use(id, nr, 0, 0);
		ck_assert_ptr_eq(reap(), token(0));
	}
}
END_TEST

START_TEST(chains_of_every_length_start_at_every_slot)
{
	for (unsigned int size = 1; size <= 6; size++)
		for (unsigned int first = 0; first < 2 * size; first++)
			for (unsigned int nr = 1; nr <= size; nr++) {
				make_queue(size, 0);
				for (unsigned int i = 0; i < first; i++)
					go_round(1);
				for (unsigned int i = 0; i < 4; i++)
					go_round(nr);
				vring_del_virtqueue(vq);
			}
}
END_TEST

START_TEST(indirect_table_takes_one_descriptor)
{
	const struct vring_packed_desc *table;
	unsigned int live_nr, nr;
	uint16_t id;

	make_queue(4, INDIRECT);
	live_nr = kstub_counts.live_nr;
	ck_assert_int_eq(add(2, 2, token(7)), 0);
	ck_assert_uint_eq(kstub_num_free(vq), 3);
	id = dev_pop(&nr);
	ck_assert_uint_eq(nr, 1);
	ck_assert_uint_eq(desc[0].flags, AVAIL | VRING_DESC_F_INDIRECT);
	ck_assert_uint_eq(desc[0].len, 64);
	table = guest_ptr(desc[0].addr);
	for (unsigned int i = 0; i < 4; i++) {
		ck_assert_uint_eq(table[i].len, 16 + i);
		ck_assert_uint_eq(table[i].flags,
				  i < 2 ? 0 : VRING_DESC_F_WRITE);
	}
	dev_use(id, 1, 0, 0);
	ck_assert_ptr_eq(reap(), token(7));
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
}
END_TEST

START_TEST(full_ring_refuses_and_loses_no_descriptor)
{
	make_queue(8, 0);
	ck_assert_int_eq(add(1, 2, token(0)), 0);
	ck_assert_int_eq(add(1, 2, token(1)), 0);
	ck_assert_int_eq(add(1, 2, token(2)), -ENOSPC);
	ck_assert_uint_eq(kstub_num_free(vq), 2);
	ck_assert(!is_avail(6));
	ck_assert_int_eq(add(1, 1, token(2)), 0);
	ck_assert_int_eq(add(1, 0, token(3)), -ENOSPC);
	ck_assert_int_eq(add(1, 8, token(3)), -EINVAL);
	for (unsigned int i = 0; i < 3; i++)
		ck_assert_ptr_nonnull(virtqueue_detach_unused_buf(vq));
	ck_assert_ptr_null(virtqueue_detach_unused_buf(vq));
	ck_assert_uint_eq(kstub_num_free(vq), 8);
}
END_TEST

/* Chains of 3, 1 and 2, used in another order. */
START_TEST(reaping_skips_the_length_of_each_chain)
{
	static const unsigned int length[] = { 3, 1, 2 }, order[] = { 1, 2, 0 };
	unsigned int nr, len;
	uint16_t id[3];

	make_queue(8, 0);
	for (int round = 0; round < 20; round++) {
		for (unsigned int i = 0; i < 3; i++) {
			ck_assert_int_eq(add(length[i], 0, token(i)), 0);
			id[i] = dev_pop(&nr);
			ck_assert_uint_eq(nr, length[i]);
		}
		for (unsigned int i = 0; i < 3; i++)
			dev_use(id[order[i]], length[order[i]], 40 + i,
				VRING_DESC_F_WRITE);
		for (unsigned int i = 0; i < 3; i++) {
			ck_assert_ptr_eq(virtqueue_get_buf(vq, &len),
					 token(order[i]));
			ck_assert_uint_eq(len, 40 + i);
		}
		ck_assert_ptr_null(reap());
	}
}
END_TEST

START_TEST(length_counts_only_with_the_write_flag)
{
	unsigned int nr, len = 99;
	uint16_t id;

	make_queue(8, 0);
	ck_assert_int_eq(add(1, 0, token(0)), 0);
	id = dev_pop(&nr);
	dev_use(id, nr, 0xdead, 0);
	ck_assert_ptr_eq(virtqueue_get_buf(vq, &len), token(0));
	ck_assert_uint_eq(len, 0);
}
END_TEST

/* An id out of range, then one that is not in flight. */
START_TEST(bad_ids_break_the_queue)
{
	unsigned int nr;
	uint16_t id;

	make_queue(8, 0);
	ck_assert_int_eq(add(1, 0, token(0)), 0);
	id = dev_pop(&nr);
	dev_use(_i ? (uint16_t)(id + 1) : 8, 1, 0, 0);
	ck_assert_ptr_null(reap());
	ck_assert(virtqueue_is_broken(vq));
	ck_assert_uint_eq(kstub_counts.error_nr, 1);
	ck_assert_int_eq(add(1, 0, token(1)), -EIO);
}
END_TEST

START_TEST(kick_follows_the_flags)
{
	make_queue(8, EVENT);
	ck_assert(!virtqueue_kick_prepare(vq));
	ck_assert_int_eq(add(1, 0, token(0)), 0);
	ck_assert(virtqueue_kick_prepare(vq));
	ck_assert(!virtqueue_kick_prepare(vq));
	device_event->flags = VRING_PACKED_EVENT_FLAG_DISABLE;
	ck_assert_int_eq(add(1, 0, token(1)), 0);
	ck_assert(!virtqueue_kick_prepare(vq));
}
END_TEST

/* All places, all numbers of descriptors, all events. */
START_TEST(kick_agrees_with_wide_integers)
{
	uint32_t size = (uint32_t)_i;

	for (uint32_t old = 0; old < 2 * size; old++)
		for (uint32_t moved = 1; moved <= size; moved++)
			for (uint32_t e = 0; e < 2 * size; e++) {
				bool passed = false;

				make_queue(size, EVENT);
				for (uint32_t i = 0; i < old; i++)
					go_round(1);
				virtqueue_kick_prepare(vq);
				ck_assert_int_eq(add(moved, 0, token(0)), 0);
				device_event->off_wrap = off_wrap(e);
				device_event->flags =
					VRING_PACKED_EVENT_FLAG_DESC;
				for (uint32_t at = old; at < old + moved; at++)
					passed |= off_wrap(at) == off_wrap(e);
				ck_assert_int_eq(virtqueue_kick_prepare(vq),
						 passed);
				virtqueue_detach_unused_buf(vq);
				vring_del_virtqueue(vq);
			}
}
END_TEST

static uint16_t race_id;

static void use_meanwhile(void)
{
	kstub_in_mb = NULL;
	dev_use(race_id, 1, 0, 0);
}

/* Bit 0: with event index; bit 1: delayed; bit 2: used while we arm. */
START_TEST(enable_cb_arms_then_looks)
{
	bool (*enable)(struct virtqueue *) = _i & 2 ?
		virtqueue_enable_cb_delayed : virtqueue_enable_cb;
	unsigned int nr;

	make_queue(8, _i & 1 ? EVENT : 0);
	for (int i = 0; i < 11; i++)
		go_round(1);
	virtqueue_disable_cb(vq);
	ck_assert_uint_eq(driver_event->flags,
			  VRING_PACKED_EVENT_FLAG_DISABLE);
	ck_assert_int_eq(add(1, 0, token(1)), 0);
	race_id = dev_pop(&nr);
	if (_i & 4)
		kstub_in_mb = use_meanwhile;
	ck_assert_int_eq(enable(vq), !(_i & 4));
	if (_i & 1) {
		ck_assert_uint_eq(driver_event->flags,
				  VRING_PACKED_EVENT_FLAG_DESC);
		ck_assert_uint_eq(driver_event->off_wrap, off_wrap(11));
	} else {
		ck_assert_uint_eq(driver_event->flags,
				  VRING_PACKED_EVENT_FLAG_ENABLE);
	}
}
END_TEST

START_TEST(delayed_event_is_three_quarters_ahead)
{
	make_queue(8, EVENT);
	for (unsigned int i = 0; i < 8; i++)
		ck_assert_int_eq(add(1, 0, token(i)), 0);
	ck_assert(virtqueue_enable_cb_delayed(vq));
	/* Six of eight: the descriptor with number 5. */
	ck_assert_uint_eq(driver_event->off_wrap, off_wrap(5));
}
END_TEST

START_TEST(event_moves_along_while_callbacks_are_on)
{
	make_queue(3, EVENT);
	for (unsigned int i = 0; i < 10; i++) {
		go_round(1 + i % 3);
		ck_assert_uint_eq(driver_event->flags,
				  VRING_PACKED_EVENT_FLAG_DESC);
		ck_assert_uint_eq(driver_event->off_wrap, off_wrap(dev_used));
	}
}
END_TEST

START_TEST(interrupt_is_ours_if_something_was_used)
{
	unsigned int nr;
	uint16_t id;

	make_queue(2, 0);
	for (int i = 0; i < 5; i++) {
		ck_assert(!kstub_irq(vq));
		ck_assert_int_eq(add(1, 1, token(0)), 0);
		ck_assert(!kstub_irq(vq));
		id = dev_pop(&nr);
		dev_use(id, nr, 0, 0);
		ck_assert(kstub_irq(vq));
		ck_assert_ptr_eq(reap(), token(0));
	}
	ck_assert_uint_eq(kstub_counts.callback_nr, 5);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("virtio_ring_packed");
	TCase *t = tcase_create("packed");

	tcase_add_checked_fixture(t, map_arena, unmap_arena);
	tcase_add_test(t, parts_are_aligned_and_zeroed);
	tcase_add_test(t, the_feature_decides_the_format);
	tcase_add_test(t, memory_of_others_takes_split_rings_only);
	tcase_add_test(t, create_refuses_sizes_the_spec_forbids);
	tcase_add_test(t, transport_features_keep_packed_rings);
	tcase_add_test(t, add_publishes_the_first_descriptor_last);
	tcase_add_test(t, chain_has_readable_segments_then_writable_ones);
	tcase_add_test(t, chains_of_every_length_start_at_every_slot);
	tcase_add_test(t, indirect_table_takes_one_descriptor);
	tcase_add_test(t, full_ring_refuses_and_loses_no_descriptor);
	tcase_add_test(t, reaping_skips_the_length_of_each_chain);
	tcase_add_test(t, length_counts_only_with_the_write_flag);
	tcase_add_loop_test(t, bad_ids_break_the_queue, 0, 2);
	tcase_add_test(t, kick_follows_the_flags);
	tcase_add_loop_test(t, kick_agrees_with_wide_integers, 1, 6);
	tcase_add_loop_test(t, enable_cb_arms_then_looks, 0, 8);
	tcase_add_test(t, delayed_event_is_three_quarters_ahead);
	tcase_add_test(t, event_moves_along_while_callbacks_are_on);
	tcase_add_test(t, interrupt_is_ours_if_something_was_used);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	SRunner *runner = srunner_create(suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
