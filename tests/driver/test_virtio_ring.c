// SPDX-License-Identifier: GPL-2.0-only
/* The driver's split ring, with this program as the device: memory only. */
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

#define EVENT		(1ULL << VIRTIO_RING_F_EVENT_IDX)
#define INDIRECT	(1ULL << VIRTIO_RING_F_INDIRECT_DESC)
#define BUF_BYTES	512
#define BUF_NR		1024

static struct virtqueue *vq;
static struct vring ring;		/* as the device sees it */
static char *bufs;
static uint16_t dev_avail_seq;		/* next entry to pop */
static uint16_t dev_used_seq;		/* next entry to use */

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

static uint64_t guest_pa(const void *p)
{
	return (uintptr_t)p - KSTUB_BASE;
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

static void dev_attach(void)
{
	ring.num = virtqueue_get_vring_size(vq);
	ring.desc = guest_ptr(virtqueue_get_desc_addr(vq));
	ring.avail = guest_ptr(virtqueue_get_avail_addr(vq));
	ring.used = guest_ptr(virtqueue_get_used_addr(vq));
	dev_avail_seq = 0;
	dev_used_seq = 0;
}

static void make_queue(unsigned int num, uint64_t features)
{
	const struct kstub_queue_opts opts = {
		.num = num, .features = features, .callback = true,
	};

	vq = kstub_queue_create(&opts);
	ck_assert_ptr_nonnull(vq);
	dev_attach();
}

static uint16_t dev_pop(void)
{
	ck_assert_uint_ne(dev_avail_seq, ring.avail->idx);
	return ring.avail->ring[dev_avail_seq++ & (ring.num - 1)];
}

static void dev_use(uint32_t id, uint32_t len)
{
	vring_used_elem_t *elem = &ring.used->ring[dev_used_seq++ &
						   (ring.num - 1)];

	elem->id = id;
	elem->len = len;
	ring.used->idx = dev_used_seq;
}

static void *token(unsigned int i)
{
	return bufs + i;
}

/* A buffer of nr segments, the first out_nr readable. */
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

/* n single buffers go round; leaves the ring empty and reaped. */
static void go_round(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		ck_assert_int_eq(add(1, 0, token(0)), 0);
		virtqueue_kick_prepare(vq);
		dev_use(dev_pop(), 0);
		ck_assert_ptr_eq(reap(), token(0));
	}
}

/* Check the chain that starts at desc[idx] of a table against add(). */
static void check_chain(const struct vring_desc *desc, unsigned int idx,
			unsigned int out_nr, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		unsigned int flags = desc[idx].flags;

		ck_assert_uint_eq(desc[idx].addr,
				  guest_pa(bufs + i * BUF_BYTES));
		ck_assert_uint_eq(desc[idx].len, 16 + i);
		ck_assert_uint_eq(flags & VRING_DESC_F_INDIRECT, 0);
		ck_assert_int_eq(!!(flags & VRING_DESC_F_WRITE), i >= out_nr);
		ck_assert_int_eq(!!(flags & VRING_DESC_F_NEXT), i + 1 < nr);
		idx = desc[idx].next;
	}
}

static void check_indirect(uint16_t head, unsigned int out_nr, unsigned int nr)
{
	const struct vring_desc *desc = &ring.desc[head];

	ck_assert_uint_eq(desc->flags, VRING_DESC_F_INDIRECT);
	ck_assert_uint_eq(desc->len, nr * sizeof(struct vring_desc));
	check_chain(guest_ptr(desc->addr), 0, out_nr, nr);
}

START_TEST(parts_are_aligned_and_zeroed)
{
	make_queue(256, EVENT);
	ck_assert_uint_eq((uintptr_t)ring.desc % VRING_DESC_ALIGN_SIZE, 0);
	ck_assert_uint_eq((uintptr_t)ring.avail % VRING_AVAIL_ALIGN_SIZE, 0);
	ck_assert_uint_eq((uintptr_t)ring.used % VRING_USED_ALIGN_SIZE, 0);
	ck_assert_ptr_eq(ring.avail, (char *)ring.desc + 256 * 16);
	ck_assert_ptr_eq(ring.used, (char *)ring.desc + 4672);
	ck_assert_uint_eq(ring.avail->idx, 0);
	ck_assert_uint_eq(ring.avail->flags, 0);
	ck_assert_uint_eq(ring.used->idx, 0);
	ck_assert_uint_eq(ring.used->flags, 0);
}
END_TEST

START_TEST(vring_is_where_the_device_is_told)
{
	const struct vring *vring;

	make_queue(8, 0);
	vring = virtqueue_get_vring(vq);
	ck_assert_ptr_nonnull(vring);
	ck_assert_uint_eq(vring->num, ring.num);
	ck_assert_ptr_eq(vring->desc, ring.desc);
	ck_assert_ptr_eq(vring->avail, ring.avail);
	ck_assert_ptr_eq(vring->used, ring.used);
}
END_TEST

START_TEST(create_refuses_sizes_the_spec_forbids)
{
	static const unsigned int bad[] = { 0, 3, 255, 65536 };
	struct kstub_queue_opts opts = { 0 };
	unsigned int live_nr = kstub_counts.live_nr;

	for (unsigned int i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		opts.num = bad[i];
		ck_assert_ptr_null(kstub_queue_create(&opts));
	}
	opts.num = 32768;
	vq = kstub_queue_create(&opts);
	ck_assert_ptr_nonnull(vq);
	vring_del_virtqueue(vq);
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
}
END_TEST

START_TEST(create_halves_the_queue_if_memory_is_short)
{
	struct kstub_queue_opts opts = { .num = 1024 };

	kstub_alloc_bytes_max = 8192;
	ck_assert_ptr_null(kstub_queue_create(&opts));
	opts.may_reduce_num = true;
	vq = kstub_queue_create(&opts);
	ck_assert_ptr_nonnull(vq);
	ck_assert_uint_eq(virtqueue_get_vring_size(vq), 256);
	ck_assert_uint_eq(kstub_num_free(vq), 256);
}
END_TEST

START_TEST(create_without_memory_leaks_nothing)
{
	const struct kstub_queue_opts opts = { .num = 16 };
	unsigned int live_nr = kstub_counts.live_nr;

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

START_TEST(transport_features_keep_only_what_the_ring_can_do)
{
	uint64_t device_type = (1ULL << 24) - 1;
	uint64_t known = INDIRECT | EVENT | 1ULL << VIRTIO_F_VERSION_1 |
			 1ULL << VIRTIO_F_RING_PACKED |
			 1ULL << VIRTIO_F_ORDER_PLATFORM |
			 1ULL << VIRTIO_F_NOTIFICATION_DATA;

	ck_assert_uint_eq(kstub_transport_features(known | device_type),
			  known | device_type);
	ck_assert_uint_eq(kstub_transport_features(
				1ULL << VIRTIO_F_IN_ORDER |
				1ULL << VIRTIO_F_ACCESS_PLATFORM), 0);
	ck_assert_uint_eq(kstub_transport_features(~0ULL) >> 28 & 0x3fff,
			  known >> 28);
}
END_TEST

static unsigned int barriers_nr;
static uint16_t slot_value;

static void look_before_index(void)
{
	barriers_nr++;
	ck_assert_uint_eq(ring.avail->idx, 0);
	slot_value = ring.avail->ring[0];
	check_chain(ring.desc, slot_value, 1, 3);
}

START_TEST(add_publishes_chain_before_index)
{
	make_queue(8, 0);
	ring.avail->ring[0] = 0xdead;
	kstub_in_wmb = look_before_index;
	ck_assert_int_eq(add(1, 2, token(0)), 0);
	ck_assert_uint_eq(barriers_nr, 1);
	ck_assert_uint_eq(ring.avail->idx, 1);
	ck_assert_uint_eq(ring.avail->ring[0], slot_value);
}
END_TEST

START_TEST(chain_has_readable_segments_then_writable_ones)
{
	make_queue(16, 0);
	for (unsigned int out = 0; out <= 4; out++) {
		ck_assert_int_eq(add(out, 4 - out, token(out)), 0);
		uint16_t head = dev_pop();

		check_chain(ring.desc, head, out, 4);
		dev_use(head, 0);
		ck_assert_ptr_eq(reap(), token(out));
	}
}
END_TEST

START_TEST(indirect_table_takes_one_descriptor)
{
	unsigned int live_nr;

	make_queue(16, INDIRECT);
	live_nr = kstub_counts.live_nr;
	ck_assert_int_eq(add(2, 3, token(7)), 0);
	ck_assert_uint_eq(kstub_num_free(vq), 15);
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr + 1);
	uint16_t head = dev_pop();

	check_indirect(head, 2, 5);
	dev_use(head, 0);
	ck_assert_ptr_eq(reap(), token(7));
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
	ck_assert_uint_eq(kstub_num_free(vq), 16);
}
END_TEST

START_TEST(single_segment_needs_no_table)
{
	make_queue(16, INDIRECT);
	ck_assert_int_eq(add(0, 1, token(0)), 0);
	check_chain(ring.desc, dev_pop(), 0, 1);
}
END_TEST

START_TEST(indirect_falls_back_to_a_chain_without_memory)
{
	make_queue(4, INDIRECT);
	kstub_alloc_budget = 0;
	ck_assert_int_eq(add(1, 2, token(0)), 0);
	ck_assert_uint_eq(kstub_num_free(vq), 1);
	check_chain(ring.desc, dev_pop(), 1, 3);
	ck_assert_int_eq(add(1, 2, token(1)), -ENOSPC);
	ck_assert_int_eq(add(1, 0, token(1)), 0);
}
END_TEST

START_TEST(full_ring_refuses_and_loses_no_descriptor)
{
	unsigned int used = 0;

	make_queue(8, 0);
	ck_assert_int_eq(add(1, 2, token(0)), 0);
	ck_assert_int_eq(add(1, 2, token(1)), 0);
	ck_assert_int_eq(add(1, 2, token(2)), -ENOSPC);
	ck_assert_uint_eq(kstub_num_free(vq), 2);
	ck_assert_uint_eq(ring.avail->idx, 2);
	ck_assert_int_eq(add(1, 1, token(2)), 0);
	ck_assert_int_eq(add(1, 0, token(3)), -ENOSPC);

	/* all eight descriptors are in exactly one chain */
	for (unsigned int i = 0; i < 3; i++)
		for (unsigned int idx = dev_pop(), more = 1; more;
		     idx = ring.desc[idx].next) {
			ck_assert_uint_eq(used & 1u << idx, 0);
			used |= 1u << idx;
			more = ring.desc[idx].flags & VRING_DESC_F_NEXT;
		}
	ck_assert_uint_eq(used, 0xff);
}
END_TEST

START_TEST(full_ring_refuses_indirect_and_leaks_no_table)
{
	unsigned int live_nr;

	make_queue(2, INDIRECT);
	ck_assert_int_eq(add(1, 1, token(0)), 0);
	ck_assert_int_eq(add(1, 1, token(1)), 0);
	live_nr = kstub_counts.live_nr;
	ck_assert_int_eq(add(1, 1, token(2)), -ENOSPC);
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
}
END_TEST

START_TEST(chain_longer_than_the_queue_is_refused)
{
	make_queue(4, INDIRECT);
	ck_assert_int_eq(add(1, 4, token(0)), -EINVAL);
	ck_assert_int_eq(add(1, 0, NULL), -EINVAL);
	ck_assert_int_eq(add(0, 0, token(0)), -EINVAL);
	ck_assert_uint_ge(kstub_counts.warn_nr, 1);
	ck_assert_uint_eq(ring.avail->idx, 0);
	ck_assert_int_eq(add(1, 3, token(0)), 0);
}
END_TEST

START_TEST(out_of_order_completion_refills_in_order)
{
	static const unsigned int order[] = { 5, 0, 7, 2, 1, 6, 3, 4 };
	uint16_t heads[8];

	make_queue(8, 0);
	for (unsigned int i = 0; i < 8; i++) {
		ck_assert_int_eq(add(1, 0, token(i)), 0);
		heads[i] = dev_pop();
	}
	for (unsigned int i = 0; i < 8; i++) {
		dev_use(heads[order[i]], i);
		ck_assert_ptr_eq(reap(), token(order[i]));
	}
	/* first freed, first taken again */
	for (unsigned int i = 0; i < 8; i++) {
		ck_assert_int_eq(add(1, 0, token(i)), 0);
		ck_assert_uint_eq(dev_pop(), heads[order[i]]);
	}
}
END_TEST

START_TEST(get_buf_reports_the_length_the_device_wrote)
{
	unsigned int len;

	make_queue(8, 0);
	add(1, 1, token(0));
	dev_use(dev_pop(), 0x12345678);
	ck_assert_ptr_eq(virtqueue_get_buf(vq, &len), token(0));
	ck_assert_uint_eq(len, 0x12345678);
	ck_assert_ptr_null(virtqueue_get_buf(vq, &len));
}
END_TEST

static bool used_entry_hidden;

static void reveal_entry(void)
{
	if (used_entry_hidden) {
		ring.used->ring[0].len = 99;
		used_entry_hidden = false;
	}
}

START_TEST(get_buf_reads_index_then_entry)
{
	unsigned int len;

	make_queue(8, 0);
	add(1, 1, token(0));
	dev_use(dev_pop(), 0);
	/* what a CPU may see that reads the entry too early */
	used_entry_hidden = true;
	kstub_in_rmb = reveal_entry;
	ck_assert_ptr_eq(virtqueue_get_buf(vq, &len), token(0));
	ck_assert_uint_eq(len, 99);
}
END_TEST

START_TEST(second_token_comes_back)
{
	const struct kstub_seg seg = { bufs, 64 };
	unsigned int len;
	void *ctx = NULL;

	make_queue(8, INDIRECT);
	ck_assert_int_eq(kstub_add_inbuf_ctx(vq, &seg, token(1), token(2)), 0);
	dev_use(dev_pop(), 64);
	ck_assert_ptr_eq(virtqueue_get_buf_ctx(vq, &len, &ctx), token(1));
	ck_assert_ptr_eq(ctx, token(2));
}
END_TEST

START_TEST(kick_prepare_is_false_without_new_buffers)
{
	make_queue(8, 0);
	ck_assert(!virtqueue_kick_prepare(vq));
	add(1, 0, token(0));
	ck_assert(virtqueue_kick_prepare(vq));
	ck_assert(!virtqueue_kick_prepare(vq));
}
END_TEST

START_TEST(kick_prepare_honours_no_notify_flag)
{
	make_queue(8, 0);
	ring.used->flags = VRING_USED_F_NO_NOTIFY;
	add(1, 0, token(0));
	ck_assert(!virtqueue_kick_prepare(vq));
	ring.used->flags = 0;
	add(1, 0, token(1));
	ck_assert(virtqueue_kick_prepare(vq));
}
END_TEST

START_TEST(kick_prepare_ignores_flag_with_event_index)
{
	make_queue(8, EVENT);
	ring.used->flags = VRING_USED_F_NO_NOTIFY;
	add(1, 0, token(0));
	ck_assert(virtqueue_kick_prepare(vq));
}
END_TEST

START_TEST(kick_prepare_honours_event_index_across_wrap)
{
	make_queue(16, EVENT);
	go_round(65530);
	ck_assert_uint_eq(ring.avail->idx, 65530);

	for (unsigned int round = 0; round < 4; round++) {
		uint16_t from = ring.avail->idx;

		for (unsigned int batch = 1; batch <= 5; batch++) {
			uint16_t old_seq = ring.avail->idx;
			/* from before the batch to behind it */
			uint16_t event = old_seq - 2 + (round + batch) % 8;
			bool passed = (uint16_t)(event - old_seq) < batch;

			for (unsigned int i = 0; i < batch; i++)
				ck_assert_int_eq(add(1, 0, token(i)), 0);
			vring_avail_event(&ring) = event;
			ck_assert_int_eq(virtqueue_kick_prepare(vq), passed);
			for (unsigned int i = 0; i < batch; i++) {
				dev_use(dev_pop(), 0);
				ck_assert_ptr_eq(reap(), token(i));
			}
		}
		ck_assert_uint_eq((uint16_t)(ring.avail->idx - from), 15);
	}
	ck_assert_uint_lt(ring.avail->idx, 65530);
}
END_TEST

static void device_goes_to_sleep(void)
{
	/* it must see the index that is there before it looks at our wish */
	ck_assert_uint_eq(ring.avail->idx, 1);
	ring.used->flags = 0;
	vring_avail_event(&ring) = 0;
}

START_TEST(kick_prepare_reads_the_wish_after_a_barrier)
{
	uint64_t features = _i ? EVENT : 0;

	make_queue(8, features);
	ring.used->flags = VRING_USED_F_NO_NOTIFY;
	vring_avail_event(&ring) = 0x8000;
	add(1, 0, token(0));
	kstub_in_mb = device_goes_to_sleep;
	ck_assert(virtqueue_kick_prepare(vq));
}
END_TEST

START_TEST(a_full_wrap_without_kick_kicks_by_itself)
{
	make_queue(4, EVENT);
	for (unsigned int i = 0; i < 65535; i++) {
		ck_assert_uint_eq(kstub_counts.notify_nr, 0);
		ck_assert_int_eq(add(1, 0, token(0)), 0);
		dev_use(dev_pop(), 0);
		ck_assert_ptr_eq(reap(), token(0));
	}
	ck_assert_uint_eq(kstub_counts.notify_nr, 1);
}
END_TEST

START_TEST(failed_doorbell_breaks_the_queue)
{
	make_queue(8, 0);
	add(1, 0, token(0));
	kstub_notify_result = false;
	ck_assert(!virtqueue_kick(vq));
	ck_assert(virtqueue_is_broken(vq));
	ck_assert_int_eq(add(1, 0, token(1)), -EIO);
}
END_TEST

START_TEST(notification_data_is_queue_and_next_index)
{
	make_queue(8, 0);
	go_round(65535);
	ck_assert_uint_eq(vring_notification_data(vq), 0xffff0003);
	add(1, 0, token(0));
	ck_assert_uint_eq(vring_notification_data(vq), 0x00000003);
}
END_TEST

/* The queue is broken and says so everywhere. */
static void check_broken(void)
{
	unsigned int len;

	ck_assert(virtqueue_is_broken(vq));
	ck_assert_uint_eq(kstub_counts.error_nr, 1);
	ck_assert_int_eq(add(1, 0, token(0)), -EIO);
	ck_assert_ptr_null(virtqueue_get_buf(vq, &len));
	ck_assert(!virtqueue_notify(vq));
	kstub_irq(vq);
	ck_assert_uint_eq(kstub_counts.callback_nr, 0);
}

START_TEST(used_id_beyond_the_table_breaks_the_queue)
{
	static const uint32_t ids[] = { 8, 0x10000, 0xffffffff };

	make_queue(8, 0);
	add(1, 0, token(0));
	dev_use(ids[_i], 0);
	ck_assert_ptr_null(reap());
	check_broken();
}
END_TEST

START_TEST(used_id_not_in_flight_breaks_the_queue)
{
	make_queue(8, 0);
	add(1, 0, token(0));
	dev_use(dev_pop() + 1, 0);
	ck_assert_ptr_null(reap());
	check_broken();
}
END_TEST

START_TEST(used_id_inside_a_chain_breaks_the_queue)
{
	make_queue(8, 0);
	add(1, 2, token(0));
	dev_use(ring.desc[dev_pop()].next, 0);
	ck_assert_ptr_null(reap());
	check_broken();
}
END_TEST

START_TEST(buffer_used_twice_breaks_the_queue)
{
	make_queue(8, 0);
	add(1, 2, token(0));
	uint16_t head = dev_pop();

	dev_use(head, 0);
	dev_use(head, 0);
	ck_assert_ptr_eq(reap(), token(0));
	ck_assert_ptr_null(reap());
	check_broken();
}
END_TEST

START_TEST(break_device_breaks_its_queues)
{
	make_queue(8, 0);
	add(1, 0, token(0));
	dev_use(dev_pop(), 0);
	kstub_break_device();
	ck_assert(virtqueue_is_broken(vq));
	ck_assert_ptr_null(reap());
	ck_assert_int_eq(add(1, 0, token(1)), -EIO);
	ck_assert_ptr_eq(virtqueue_detach_unused_buf(vq), token(0));
}
END_TEST

START_TEST(interrupt_calls_back_only_if_something_was_used)
{
	make_queue(8, 0);
	ck_assert(!kstub_irq(vq));
	add(1, 0, token(0));
	ck_assert(!kstub_irq(vq));
	ck_assert_uint_eq(kstub_counts.callback_nr, 0);
	dev_use(dev_pop(), 0);
	ck_assert(kstub_irq(vq));
	ck_assert_uint_eq(kstub_counts.callback_nr, 1);
}
END_TEST

START_TEST(queue_without_callback_asks_for_no_interrupt)
{
	struct kstub_queue_opts opts = { .num = 8, .features = _i * EVENT };

	vq = kstub_queue_create(&opts);
	dev_attach();
	if (_i) {
		ck_assert_uint_eq(ring.avail->flags, 0);
		ck_assert_uint_eq(vring_used_event(&ring), 0xffff);
	} else {
		ck_assert_uint_eq(ring.avail->flags,
				  VRING_AVAIL_F_NO_INTERRUPT);
	}
}
END_TEST

START_TEST(disable_sets_flag_and_enable_clears_it)
{
	make_queue(8, 0);
	virtqueue_disable_cb(vq);
	ck_assert_uint_eq(ring.avail->flags, VRING_AVAIL_F_NO_INTERRUPT);
	ck_assert(virtqueue_enable_cb(vq));
	ck_assert_uint_eq(ring.avail->flags, 0);
}
END_TEST

/* Would a device that uses entry seq now interrupt? 2.7.7.2 */
static bool wants_irq_at(uint16_t seq)
{
	return vring_used_event(&ring) == seq;
}

START_TEST(disable_moves_the_event_out_of_reach)
{
	make_queue(8, EVENT);
	go_round(20);
	ck_assert(wants_irq_at(20));
	virtqueue_disable_cb(vq);
	ck_assert_uint_eq(ring.avail->flags, 0);
	for (uint16_t seq = 20; seq < 28; seq++)
		ck_assert(!wants_irq_at(seq));
	ck_assert(virtqueue_enable_cb(vq));
	ck_assert(wants_irq_at(20));
}
END_TEST

START_TEST(disable_leaves_a_passed_event_alone)
{
	make_queue(8, EVENT);
	add(1, 0, token(0));
	dev_use(dev_pop(), 0);
	/* mark what the driver would overwrite */
	vring_used_event(&ring) = 0x5555;
	virtqueue_disable_cb(vq);
	ck_assert_uint_eq(vring_used_event(&ring), 0x5555);
	ck_assert_ptr_eq(reap(), token(0));
	ck_assert_uint_eq(vring_used_event(&ring), 0x5555);
	ck_assert(virtqueue_enable_cb(vq));
	ck_assert(wants_irq_at(1));
}
END_TEST

START_TEST(reaping_with_callbacks_on_arms_the_next_entry)
{
	make_queue(8, EVENT);
	for (unsigned int i = 0; i < 3; i++) {
		add(1, 0, token(0));
		dev_use(dev_pop(), 0);
		reap();
		ck_assert(wants_irq_at(i + 1));
	}
}
END_TEST

START_TEST(enable_lasts_until_the_next_disable)
{
	make_queue(8, _i ? EVENT : 0);
	virtqueue_disable_cb(vq);
	ck_assert(virtqueue_enable_cb(vq));
	go_round(1);
	if (_i)
		ck_assert(wants_irq_at(1));
	virtqueue_disable_cb(vq);
	go_round(1);
	ck_assert(_i ? !wants_irq_at(2) :
		  ring.avail->flags == VRING_AVAIL_F_NO_INTERRUPT);
}
END_TEST

static unsigned int race_nr;

static void device_uses_one(void)
{
	/* no interrupt for it if the event is not armed in memory by now */
	ck_assert(!(ring.avail->flags & VRING_AVAIL_F_NO_INTERRUPT));
	if (!race_nr++)
		dev_use(dev_pop(), 0);
}

START_TEST(enable_sees_a_buffer_used_while_arming)
{
	make_queue(8, _i ? EVENT : 0);
	virtqueue_disable_cb(vq);
	add(1, 0, token(0));
	race_nr = 0;
	kstub_in_mb = device_uses_one;
	ck_assert(!virtqueue_enable_cb(vq));
	ck_assert_uint_eq(race_nr, 1);
	kstub_in_mb = NULL;
	ck_assert_ptr_eq(reap(), token(0));
	ck_assert(virtqueue_enable_cb(vq));
}
END_TEST

static void check_armed_at_one(void)
{
	race_nr++;
	ck_assert(wants_irq_at(1));
	dev_use(dev_pop(), 0);
	kstub_in_mb = NULL;
}

START_TEST(reap_arms_before_it_looks_for_more)
{
	make_queue(8, EVENT);
	add(1, 0, token(0));
	add(1, 0, token(1));
	dev_use(dev_pop(), 0);
	race_nr = 0;
	kstub_in_mb = check_armed_at_one;
	ck_assert_ptr_eq(reap(), token(0));
	ck_assert_uint_eq(race_nr, 1);
	ck_assert_ptr_eq(reap(), token(1));
}
END_TEST

START_TEST(poll_compares_with_the_state_of_prepare)
{
	unsigned int state;

	make_queue(8, 0);
	go_round(65535);
	add(1, 0, token(0));
	state = virtqueue_enable_cb_prepare(vq);
	ck_assert(!virtqueue_poll(vq, state));
	dev_use(dev_pop(), 0);
	ck_assert(virtqueue_poll(vq, state));
	reap();
	ck_assert(!virtqueue_poll(vq, virtqueue_enable_cb_prepare(vq)));
}
END_TEST

START_TEST(delayed_enable_waits_for_three_quarters)
{
	make_queue(16, EVENT);
	go_round(65530);
	virtqueue_disable_cb(vq);
	for (unsigned int i = 0; i < 8; i++)
		add(1, 0, token(i));
	ck_assert(virtqueue_enable_cb_delayed(vq));
	/* the sixth of eight: entry 65535 */
	ck_assert(wants_irq_at(65535));

	for (unsigned int i = 0; i < 6; i++)
		dev_use(dev_pop(), 0);
	ck_assert(!virtqueue_enable_cb_delayed(vq));
	for (unsigned int i = 0; i < 6; i++)
		ck_assert_ptr_eq(reap(), token(i));
	ck_assert(virtqueue_enable_cb_delayed(vq));
}
END_TEST

START_TEST(delayed_enable_on_an_idle_queue_arms_the_next_entry)
{
	make_queue(16, EVENT);
	go_round(5);
	virtqueue_disable_cb(vq);
	ck_assert(virtqueue_enable_cb_delayed(vq));
	ck_assert(wants_irq_at(5));
}
END_TEST

START_TEST(detach_returns_each_buffer_once)
{
	unsigned int live_nr, seen = 0;
	void *data;

	make_queue(8, INDIRECT);
	live_nr = kstub_counts.live_nr;
	add(1, 0, token(0));
	add(1, 2, token(1));
	add(2, 2, token(2));
	while ((data = virtqueue_detach_unused_buf(vq))) {
		unsigned int i = (char *)data - bufs;

		ck_assert_uint_lt(i, 3);
		ck_assert_uint_eq(seen & 1u << i, 0);
		seen |= 1u << i;
	}
	ck_assert_uint_eq(seen, 7);
	ck_assert_uint_eq(kstub_num_free(vq), 8);
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
	ck_assert_uint_eq(kstub_counts.warn_nr, 0);
}
END_TEST

START_TEST(delete_frees_everything)
{
	unsigned int live_nr = kstub_counts.live_nr;

	make_queue(64, INDIRECT | EVENT);
	add(1, 2, token(0));
	dev_use(dev_pop(), 0);
	reap();
	vring_del_virtqueue(vq);
	ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
}
END_TEST

static uint32_t rng_state;

static uint32_t rnd(uint32_t below)
{
	/* xorshift32, Marsaglia 2003 */
	rng_state ^= rng_state << 13;
	rng_state ^= rng_state >> 17;
	rng_state ^= rng_state << 5;
	return rng_state % below;
}

/* Buffers between add and reap in the random tests. */
static struct flight {
	bool busy;
	uint16_t head;
	unsigned int out_nr, nr, descs;
} flights[64];

static void flight_add(unsigned int i)
{
	struct flight *f = &flights[i];
	unsigned int free_nr = kstub_num_free(vq);
	int err;

	f->out_nr = rnd(4);
	f->nr = f->out_nr + rnd(4) + !f->out_nr;
	err = add(f->out_nr, f->nr - f->out_nr, token(i));
	if (err) {
		ck_assert_int_eq(err, -ENOSPC);
		ck_assert_uint_eq(kstub_num_free(vq), free_nr);
		return;
	}
	f->descs = free_nr - kstub_num_free(vq);
	f->busy = true;
	f->head = dev_pop();
	ck_assert(f->descs == f->nr || f->descs == 1);
	if (ring.desc[f->head].flags & VRING_DESC_F_INDIRECT)
		check_indirect(f->head, f->out_nr, f->nr);
	else
		check_chain(ring.desc, f->head, f->out_nr, f->nr);
}

static unsigned int flights_descs(void)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < 64; i++)
		nr += flights[i].busy ? flights[i].descs : 0;
	return nr;
}

START_TEST(random_traffic_loses_and_swaps_nothing)
{
	uint64_t features = (_i & 1 ? EVENT : 0) | (_i & 2 ? INDIRECT : 0);
	unsigned int len;

	rng_state = 12345 + _i;
	memset(flights, 0, sizeof(flights));
	make_queue(32, features);
	for (unsigned int step = 0; step < 150000; step++) {
		unsigned int i = rnd(64);

		if (!flights[i].busy) {
			flight_add(i);
		} else {
			dev_use(flights[i].head, step);
			flights[i].busy = false;
			ck_assert_ptr_eq(virtqueue_get_buf(vq, &len),
					 token(i));
			ck_assert_uint_eq(len, step);
		}
		if (!rnd(16))
			kstub_alloc_budget = rnd(2) ? -1 : 0;
		ck_assert_uint_eq(kstub_num_free(vq) + flights_descs(), 32);
	}
	ck_assert(!virtqueue_is_broken(vq));
	ck_assert_uint_eq(kstub_counts.error_nr, 0);
}
END_TEST

/* One random entry of a device that has gone mad. */
static void dev_rave(void)
{
	uint32_t id = rnd(4) ? rnd(ring.num) : rnd(0xffffffff);

	if (!rnd(20))
		dev_used_seq += rnd(0x10000);
	if (!rnd(8))
		memset(ring.desc, rnd(256), 16 * ring.num);
	ring.used->flags = rnd(0x10000);
	vring_avail_event(&ring) = rnd(0x10000);
	dev_use(id, rnd(0xffffffff));
}

START_TEST(ten_thousand_random_used_entries_do_no_harm)
{
	unsigned int live_nr = kstub_counts.live_nr, broken_nr = 0;
	bool in_flight[16] = { false };
	void *data;

	rng_state = 4711 + _i;
	make_queue(16, EVENT | INDIRECT);
	for (unsigned int step = 0; step < 10000; step++) {
		unsigned int i = rnd(16);

		if (!in_flight[i] && !add(1, rnd(4), token(i)))
			in_flight[i] = true;
		virtqueue_kick(vq);
		dev_rave();
		kstub_irq(vq);
		while ((data = reap())) {
			i = (char *)data - bufs;
			ck_assert_uint_lt(i, 16);
			ck_assert(in_flight[i]);
			in_flight[i] = false;
		}
		if (!virtqueue_is_broken(vq))
			continue;
		broken_nr++;
		while ((data = virtqueue_detach_unused_buf(vq))) {
			ck_assert(in_flight[(char *)data - bufs]);
			in_flight[(char *)data - bufs] = false;
		}
		ck_assert_uint_eq(kstub_num_free(vq), 16);
		vring_del_virtqueue(vq);
		ck_assert_uint_eq(kstub_counts.live_nr, live_nr);
		make_queue(16, EVENT | INDIRECT);
		memset(in_flight, 0, sizeof(in_flight));
	}
	ck_assert_uint_gt(broken_nr, 100);
	ck_assert_uint_eq(kstub_counts.error_nr, broken_nr);
}
END_TEST

static TCase *tcase_layout(void)
{
	TCase *tc = tcase_create("layout");

	tcase_add_checked_fixture(tc, map_arena, unmap_arena);
	tcase_add_test(tc, parts_are_aligned_and_zeroed);
	tcase_add_test(tc, vring_is_where_the_device_is_told);
	tcase_add_test(tc, create_refuses_sizes_the_spec_forbids);
	tcase_add_test(tc, create_halves_the_queue_if_memory_is_short);
	tcase_add_test(tc, create_without_memory_leaks_nothing);
	tcase_add_test(tc, transport_features_keep_only_what_the_ring_can_do);
	tcase_add_test(tc, detach_returns_each_buffer_once);
	tcase_add_test(tc, delete_frees_everything);
	return tc;
}

static TCase *tcase_submit(void)
{
	TCase *tc = tcase_create("submit");

	tcase_add_checked_fixture(tc, map_arena, unmap_arena);
	tcase_add_test(tc, add_publishes_chain_before_index);
	tcase_add_test(tc, chain_has_readable_segments_then_writable_ones);
	tcase_add_test(tc, indirect_table_takes_one_descriptor);
	tcase_add_test(tc, single_segment_needs_no_table);
	tcase_add_test(tc, indirect_falls_back_to_a_chain_without_memory);
	tcase_add_test(tc, full_ring_refuses_and_loses_no_descriptor);
	tcase_add_test(tc, full_ring_refuses_indirect_and_leaks_no_table);
	tcase_add_test(tc, chain_longer_than_the_queue_is_refused);
	tcase_add_test(tc, kick_prepare_is_false_without_new_buffers);
	tcase_add_test(tc, kick_prepare_honours_no_notify_flag);
	tcase_add_test(tc, kick_prepare_ignores_flag_with_event_index);
	tcase_add_test(tc, kick_prepare_honours_event_index_across_wrap);
	tcase_add_loop_test(tc, kick_prepare_reads_the_wish_after_a_barrier,
			    0, 2);
	tcase_add_test(tc, a_full_wrap_without_kick_kicks_by_itself);
	tcase_add_test(tc, failed_doorbell_breaks_the_queue);
	tcase_add_test(tc, notification_data_is_queue_and_next_index);
	return tc;
}

static TCase *tcase_reap(void)
{
	TCase *tc = tcase_create("reap");

	tcase_add_checked_fixture(tc, map_arena, unmap_arena);
	tcase_add_test(tc, out_of_order_completion_refills_in_order);
	tcase_add_test(tc, get_buf_reports_the_length_the_device_wrote);
	tcase_add_test(tc, get_buf_reads_index_then_entry);
	tcase_add_test(tc, second_token_comes_back);
	tcase_add_loop_test(tc, used_id_beyond_the_table_breaks_the_queue,
			    0, 3);
	tcase_add_test(tc, used_id_not_in_flight_breaks_the_queue);
	tcase_add_test(tc, used_id_inside_a_chain_breaks_the_queue);
	tcase_add_test(tc, buffer_used_twice_breaks_the_queue);
	tcase_add_test(tc, break_device_breaks_its_queues);
	return tc;
}

static TCase *tcase_callbacks(void)
{
	TCase *tc = tcase_create("callbacks");

	tcase_add_checked_fixture(tc, map_arena, unmap_arena);
	tcase_add_test(tc, interrupt_calls_back_only_if_something_was_used);
	tcase_add_loop_test(tc, queue_without_callback_asks_for_no_interrupt,
			    0, 2);
	tcase_add_test(tc, disable_sets_flag_and_enable_clears_it);
	tcase_add_test(tc, disable_moves_the_event_out_of_reach);
	tcase_add_test(tc, disable_leaves_a_passed_event_alone);
	tcase_add_test(tc, reaping_with_callbacks_on_arms_the_next_entry);
	tcase_add_loop_test(tc, enable_lasts_until_the_next_disable, 0, 2);
	tcase_add_loop_test(tc, enable_sees_a_buffer_used_while_arming, 0, 2);
	tcase_add_test(tc, reap_arms_before_it_looks_for_more);
	tcase_add_test(tc, poll_compares_with_the_state_of_prepare);
	tcase_add_test(tc, delayed_enable_waits_for_three_quarters);
	tcase_add_test(tc, delayed_enable_on_an_idle_queue_arms_the_next_entry);
	return tc;
}

static TCase *tcase_random(void)
{
	TCase *tc = tcase_create("random");

	tcase_add_checked_fixture(tc, map_arena, unmap_arena);
	tcase_add_loop_test(tc, random_traffic_loses_and_swaps_nothing,
			    0, 4);
	tcase_add_loop_test(tc, ten_thousand_random_used_entries_do_no_harm,
			    0, 3);
	return tc;
}

int main(void)
{
	Suite *s = suite_create("virtio_ring");
	SRunner *sr;
	int failed;

	suite_add_tcase(s, tcase_layout());
	suite_add_tcase(s, tcase_submit());
	suite_add_tcase(s, tcase_reap());
	suite_add_tcase(s, tcase_callbacks());
	suite_add_tcase(s, tcase_random());
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
