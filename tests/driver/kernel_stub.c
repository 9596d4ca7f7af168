// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bug.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ring.h>

#include "tests/driver/kernel_stub.h"

_Static_assert(KSTUB_BASE == PAGE_OFFSET, "one address of guest RAM");

#define UNIT	8			/* finest alignment kmalloc() gives */
#define CLASS_NR 25			/* sizes 1 << 0 to 1 << 24 */

struct kstub_counts kstub_counts;
bool kstub_notify_result;
int kstub_alloc_budget;
size_t kstub_alloc_bytes_max;
void (*kstub_in_mb)(void);
void (*kstub_in_rmb)(void);
void (*kstub_in_wmb)(void);

static struct virtio_device vdev;

/* Size asked for, by address; 0: not allocated. */
static u32 size_of[KSTUB_ARENA_BYTES / UNIT];
static size_t arena_used;
/* Freed blocks of each class, linked through their first bytes. */
static void *freed[CLASS_NR];

static u32 *size_slot(const void *p)
{
	size_t off = (const char *)p - (const char *)KSTUB_BASE;

	if (off >= KSTUB_ARENA_BYTES || off % UNIT)
		kstub_die("not an allocation", __func__, __LINE__);
	return &size_of[off / UNIT];
}

static void *block_take(unsigned int class)
{
	size_t bytes = 1UL << class;
	void *p = freed[class];

	if (p) {
		freed[class] = *(void **)p;
		return p;
	}
	arena_used = (arena_used + bytes - 1) & ~(bytes - 1);
	if (arena_used + bytes > KSTUB_ARENA_BYTES)
		kstub_die("arena is too small", __func__, __LINE__);
	p = (char *)KSTUB_BASE + arena_used;
	arena_used += bytes;
	return p;
}

static void *block_alloc(size_t size, size_t bytes_min, gfp_t gfp)
{
	size_t bytes = size > bytes_min ? size : bytes_min;
	unsigned int class = order_base_2(bytes);
	void *p;

	if (!kstub_alloc_budget || size > kstub_alloc_bytes_max)
		return NULL;
	if (kstub_alloc_budget > 0)
		kstub_alloc_budget--;
	p = block_take(class);
	/* Memory that nobody cleared is no use to anybody */
	__builtin_memset(p, gfp & __GFP_ZERO ? 0 : 0xa5, 1UL << class);
	*size_slot(p) = size;
	kstub_counts.live_nr++;
	return p;
}

static void block_free(const void *p, size_t bytes_min)
{
	u32 *slot = size_slot(p);
	size_t bytes = *slot > bytes_min ? *slot : bytes_min;
	unsigned int class = order_base_2(bytes);

	if (!*slot)
		kstub_die("freed twice or never allocated", __func__, __LINE__);
	*slot = 0;
	__builtin_memset((void *)p, 0x6b, 1UL << class);
	*(void **)p = freed[class];
	freed[class] = (void *)p;
	kstub_counts.live_nr--;
}

void *kmalloc(size_t size, gfp_t gfp)
{
	return block_alloc(size, UNIT, gfp);
}

void *kmalloc_array(size_t n, size_t size, gfp_t gfp)
{
	return block_alloc(n * size, UNIT, gfp);
}

void kfree(const void *p)
{
	if (p)
		block_free(p, UNIT);
}

void *alloc_pages_exact(size_t size, gfp_t gfp)
{
	return block_alloc(size, PAGE_SIZE, gfp);
}

void free_pages_exact(void *virt, size_t size)
{
	if (*size_slot(virt) != size)
		kstub_die("freed with another size", __func__, __LINE__);
	block_free(virt, PAGE_SIZE);
}

void __guest_mb(void)
{
	__sync_synchronize();
	if (kstub_in_mb)
		kstub_in_mb();
}

void __guest_rmb(void)
{
	__sync_synchronize();
	if (kstub_in_rmb)
		kstub_in_rmb();
}

void __guest_wmb(void)
{
	__sync_synchronize();
	if (kstub_in_wmb)
		kstub_in_wmb();
}

void __guest_bug(const char *file, int line, const char *func)
{
	(void)file;
	kstub_die("BUG", func, line);
}

void __guest_warn(const char *file, int line, const char *func,
		  const char *fmt, ...)
{
	(void)file;
	(void)line;
	(void)func;
	(void)fmt;
	kstub_counts.warn_nr++;
}

void _dev_printk(const char *level, const struct device *dev,
		 const char *fmt, ...)
{
	va_list args;

	(void)dev;
	kstub_counts.error_nr++;
	va_start(args, fmt);
	kstub_say(level, fmt, args);
	va_end(args);
}

static unsigned int locked_nr;

void _raw_spin_lock(raw_spinlock_t *lock)
{
	(void)lock;
	if (locked_nr++)
		kstub_die("deadlock", __func__, __LINE__);
}

void _raw_spin_unlock(raw_spinlock_t *lock)
{
	(void)lock;
	locked_nr--;
}

/* The lists of this file are never chained. */
struct scatterlist *sg_next(struct scatterlist *sg)
{
	return sg_is_last(sg) ? NULL : sg + 1;
}

void kstub_init(void)
{
	kstub_counts = (struct kstub_counts){ 0 };
	kstub_notify_result = true;
	kstub_alloc_budget = -1;
	kstub_alloc_bytes_max = KSTUB_ARENA_BYTES;
	kstub_in_mb = NULL;
	kstub_in_rmb = NULL;
	kstub_in_wmb = NULL;
	__builtin_memset(size_of, 0, sizeof(size_of));
	__builtin_memset(freed, 0, sizeof(freed));
	/* so that no block is at guest-physical 0 */
	arena_used = PAGE_SIZE;
	locked_nr = 0;
	__builtin_memset(&vdev, 0, sizeof(vdev));
	INIT_LIST_HEAD(&vdev.vqs);
}

static bool notify(struct virtqueue *vq)
{
	(void)vq;
	kstub_counts.notify_nr++;
	return kstub_notify_result;
}

static void callback(struct virtqueue *vq)
{
	(void)vq;
	kstub_counts.callback_nr++;
}

struct virtqueue *kstub_queue_create(const struct kstub_queue_opts *opts)
{
	vdev.features = opts->features;
	return vring_create_virtqueue(3, opts->num, 64, &vdev,
				      !opts->strong_barriers,
				      opts->may_reduce_num, false, notify,
				      opts->callback ? callback : NULL,
				      "req.0");
}

struct virtqueue *kstub_queue_new(const struct kstub_queue_opts *opts,
				  void *pages)
{
	vdev.features = opts->features;
	return vring_new_virtqueue(3, opts->num, 64, &vdev,
				   !opts->strong_barriers, false, pages,
				   notify, opts->callback ? callback : NULL,
				   "req.0");
}

unsigned int kstub_num_free(const struct virtqueue *vq)
{
	return vq->num_free;
}

unsigned long long kstub_transport_features(unsigned long long features)
{
	vdev.features = features;
	vring_transport_features(&vdev);
	return vdev.features;
}

bool kstub_irq(struct virtqueue *vq)
{
	return vring_interrupt(0, vq) == IRQ_HANDLED;
}

static void fill_list(struct scatterlist *sg, const struct kstub_seg *segs,
		      unsigned int nr)
{
	__builtin_memset(sg, 0, nr * sizeof(*sg));
	for (unsigned int i = 0; i < nr; i++)
		sg_set_buf(&sg[i], segs[i].buf, segs[i].len);
	sg_mark_end(&sg[nr - 1]);
}

int kstub_add(struct virtqueue *vq, const struct kstub_seg *segs,
	      unsigned int out_nr, unsigned int in_nr, void *data)
{
	struct scatterlist out[KSTUB_SEGS_MAX], in[KSTUB_SEGS_MAX];
	struct scatterlist *sgs[2];
	unsigned int lists = 0;

	if (out_nr) {
		fill_list(out, segs, out_nr);
		sgs[lists++] = out;
	}
	if (in_nr) {
		fill_list(in, segs + out_nr, in_nr);
		sgs[lists++] = in;
	}
	return virtqueue_add_sgs(vq, sgs, !!out_nr, !!in_nr, data,
				 GFP_ATOMIC);
}

int kstub_add_inbuf_ctx(struct virtqueue *vq, const struct kstub_seg *seg,
			void *data, void *ctx)
{
	struct scatterlist sg;

	fill_list(&sg, seg, 1);
	return virtqueue_add_inbuf_ctx(vq, &sg, 1, data, ctx, GFP_ATOMIC);
}

void kstub_break_device(void)
{
	virtio_break_device(&vdev);
}

void *kstub_alloc(size_t size)
{
	return kmalloc(size, GFP_KERNEL);
}
