/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Just enough kernel under driver/virtio_ring*.c for a Check program.
 *
 * kernel_stub.c is compiled as guest code, without instrumentation; this
 * header is plain C, for it and for the test, which knows libc only. The
 * prototypes of the virtqueue API are repeated here and are checked against
 * <linux/virtio.h> where both are seen, in kernel_stub.c.
 */
#ifndef TESTS_DRIVER_KERNEL_STUB_H
#define TESTS_DRIVER_KERNEL_STUB_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct virtqueue;
struct vring;

/* Where guest RAM is mapped; guest-physical addresses are relative to it. */
#define KSTUB_BASE		0x300000000000UL
#define KSTUB_ARENA_BYTES	(16UL << 20)

/* One element of a buffer; buf lies in the arena. */
struct kstub_seg {
	void *buf;
	unsigned int len;
};

#define KSTUB_SEGS_MAX		128

struct kstub_queue_opts {
	unsigned int num;
	unsigned long long features;
	bool callback;
	bool may_reduce_num;
	bool strong_barriers;
};

/* What the driver did; reset by kstub_init(). */
struct kstub_counts {
	unsigned int notify_nr;
	unsigned int callback_nr;
	unsigned int warn_nr;
	unsigned int error_nr;
	unsigned int live_nr;		/* allocations not freed yet */
};

extern struct kstub_counts kstub_counts;
extern bool kstub_notify_result;	/* what the doorbell returns */
extern int kstub_alloc_budget;		/* allocations that succeed; -1: all */
extern size_t kstub_alloc_bytes_max;	/* larger ones fail */
/* Run inside the barriers, as another CPU would; or NULL. */
extern void (*kstub_in_mb)(void);
extern void (*kstub_in_rmb)(void);
extern void (*kstub_in_wmb)(void);

/* Forget everything. The arena is mapped and zeroed by the caller. */
void kstub_init(void);
/* NULL if the ring refuses. */
struct virtqueue *kstub_queue_create(const struct kstub_queue_opts *opts);
/* The same in memory of the caller's, which is zeroed. */
struct virtqueue *kstub_queue_new(const struct kstub_queue_opts *opts,
				  void *pages);
unsigned int kstub_num_free(const struct virtqueue *vq);
/* features after vring_transport_features() */
unsigned long long kstub_transport_features(unsigned long long features);
bool kstub_irq(struct virtqueue *vq);
/* All readable segments as one list, then all writable ones as another. */
int kstub_add(struct virtqueue *vq, const struct kstub_seg *segs,
	      unsigned int out_nr, unsigned int in_nr, void *data);
int kstub_add_inbuf_ctx(struct virtqueue *vq, const struct kstub_seg *seg,
			void *data, void *ctx);
void kstub_break_device(void);
void *kstub_alloc(size_t size);

bool virtqueue_kick(struct virtqueue *vq);
bool virtqueue_kick_prepare(struct virtqueue *vq);
bool virtqueue_notify(struct virtqueue *vq);
void *virtqueue_get_buf(struct virtqueue *vq, unsigned int *len);
void *virtqueue_get_buf_ctx(struct virtqueue *vq, unsigned int *len,
			    void **ctx);
void virtqueue_disable_cb(struct virtqueue *vq);
bool virtqueue_enable_cb(struct virtqueue *vq);
unsigned int virtqueue_enable_cb_prepare(struct virtqueue *vq);
bool virtqueue_poll(struct virtqueue *vq, unsigned int last_used_idx);
bool virtqueue_enable_cb_delayed(struct virtqueue *vq);
void *virtqueue_detach_unused_buf(struct virtqueue *vq);
unsigned int virtqueue_get_vring_size(const struct virtqueue *vq);
const struct vring *virtqueue_get_vring(const struct virtqueue *vq);
bool virtqueue_is_broken(const struct virtqueue *vq);
unsigned long long virtqueue_get_desc_addr(const struct virtqueue *vq);
unsigned long long virtqueue_get_avail_addr(const struct virtqueue *vq);
unsigned long long virtqueue_get_used_addr(const struct virtqueue *vq);
unsigned int vring_notification_data(struct virtqueue *vq);
void vring_del_virtqueue(struct virtqueue *vq);

/* Given by the test: say it, and for bugs end the test. */
void kstub_say(const char *level, const char *fmt, va_list args);
_Noreturn void kstub_die(const char *what, const char *func, int line);

#endif /* TESTS_DRIVER_KERNEL_STUB_H */
