/* SPDX-License-Identifier: GPL-2.0-only */
/* What a transport offers, and how drivers ask for it: Linux 6.1, 6.12. */
#ifndef _LINUX_VIRTIO_CONFIG_H
#define _LINUX_VIRTIO_CONFIG_H

#include <linux/bug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <linux/virtio.h>
#include <linux/virtio_byteorder.h>
#include <uapi/linux/virtio_config.h>

struct irq_affinity;

/* A shared memory region, 2.10. */
struct virtio_shm_region {
	u64 addr;
	u64 len;
};

/**
 * struct virtqueue_info - what a driver asks of one queue
 * @name: lives as long as the queue; NULL: do not set this queue up
 * @callback: NULL: no interrupt wanted
 * @ctx: buffers come with a second token
 */
struct virtqueue_info {
	const char *name;
	vq_callback_t *callback;
	bool ctx;
};

/**
 * struct virtio_config_ops - a transport. All may trap and park.
 * @get: read @len bytes of configuration space at @offset, 2.5
 * @set: write them
 * @generation: config_generation, changes with the content, 2.5; or NULL
 * @get_status: device status, 2.1
 * @set_status: add to it; never 0
 * @reset: write 0 and wait until 0 is read, 2.4
 * @find_vqs: make @nvqs queues, each with or without a vector of its own;
 *	returns 0 or a negative errno, and then none is made
 * @del_vqs: undo find_vqs
 * @synchronize_cbs: return when no callback that has begun still runs
 * @get_features: bits the device offers
 * @finalize_features: write virtio_device.features to the device
 * @bus_name: for the driver's users; or NULL
 * @set_vq_affinity: interrupt of the queue to the CPUs of @cpu_mask
 * @get_vq_affinity: CPUs of the interrupt of queue @index; or NULL
 * @get_shm_region: find region @id; false if there is none
 * @disable_vq_and_reset: @enable_vq_after_reset: one queue, 2.6.1
 */
struct virtio_config_ops {
	void (*get)(struct virtio_device *vdev, unsigned int offset,
		    void *buf, unsigned int len);
	void (*set)(struct virtio_device *vdev, unsigned int offset,
		    const void *buf, unsigned int len);
	u32 (*generation)(struct virtio_device *vdev);
	u8 (*get_status)(struct virtio_device *vdev);
	void (*set_status)(struct virtio_device *vdev, u8 status);
	void (*reset)(struct virtio_device *vdev);
	int (*__api_find_vqs)(struct virtio_device *vdev, unsigned int nvqs,
			      struct virtqueue *vqs[],
			      struct virtqueue_info vqs_info[],
			      struct irq_affinity *desc);
	void (*del_vqs)(struct virtio_device *vdev);
	void (*synchronize_cbs)(struct virtio_device *vdev);
	u64 (*get_features)(struct virtio_device *vdev);
	int (*finalize_features)(struct virtio_device *vdev);
	const char *(*bus_name)(struct virtio_device *vdev);
	int (*set_vq_affinity)(struct virtqueue *vq,
			       const struct cpumask *cpu_mask);
	const struct cpumask *(*get_vq_affinity)(struct virtio_device *vdev,
						 int index);
	bool (*get_shm_region)(struct virtio_device *vdev,
			       struct virtio_shm_region *region, u8 id);
	int (*disable_vq_and_reset)(struct virtqueue *vq);
	int (*enable_vq_after_reset)(struct virtqueue *vq);
};

/* Feature bits, 0 to 63, of virtio_device.features. */
static inline bool __virtio_test_bit(const struct virtio_device *vdev,
				     unsigned int fbit)
{
	return vdev->features & (1ULL << fbit);
}

static inline void __virtio_set_bit(struct virtio_device *vdev,
				    unsigned int fbit)
{
	vdev->features |= 1ULL << fbit;
}

static inline void __virtio_clear_bit(struct virtio_device *vdev,
				      unsigned int fbit)
{
	vdev->features &= ~(1ULL << fbit);
}

/* Was the bit negotiated? Valid from validate() on. */
static inline bool virtio_has_feature(const struct virtio_device *vdev,
				      unsigned int fbit)
{
	return __virtio_test_bit(vdev, fbit);
}

/* May addresses go to the device as they are? 6, VIRTIO_F_ACCESS_PLATFORM */
static inline bool virtio_has_dma_quirk(const struct virtio_device *vdev)
{
	return !virtio_has_feature(vdev, VIRTIO_F_ACCESS_PLATFORM);
}

#include <linux/api-virtio-config.h>

/* The only queue of a device, or ERR_PTR(). */
static inline struct virtqueue *
virtio_find_single_vq(struct virtio_device *vdev, vq_callback_t *c,
		      const char *name)
{
	struct virtqueue_info info = { .name = name, .callback = c };
	struct virtqueue *vq;
	int err = vdev->config->__api_find_vqs(vdev, 1, &vq, &info, NULL);

	return err ? ERR_PTR(err) : vq;
}

/* Wait for callbacks that have begun. */
static inline void virtio_synchronize_cbs(struct virtio_device *vdev)
{
	if (vdev->config->synchronize_cbs)
		vdev->config->synchronize_cbs(vdev);
}

/*
 * The driver is about to use its queues: DRIVER_OK, 3.1.1 step 8. Needed in
 * probe only by drivers that use them before probe returns.
 */
static inline void virtio_device_ready(struct virtio_device *vdev)
{
	u8 status = vdev->config->get_status(vdev);

	BUG_ON(status & VIRTIO_CONFIG_S_DRIVER_OK);
	vdev->config->set_status(vdev, status | VIRTIO_CONFIG_S_DRIVER_OK);
}

static inline const char *virtio_bus_name(struct virtio_device *vdev)
{
	return vdev->config->bus_name ? vdev->config->bus_name(vdev) :
		"virtio";
}

/* Returns 0 (also if the transport cannot) or a negative errno. */
static inline int virtqueue_set_affinity(struct virtqueue *vq,
					 const struct cpumask *cpu_mask)
{
	const struct virtio_config_ops *ops = vq->vdev->config;

	return ops->set_vq_affinity ? ops->set_vq_affinity(vq, cpu_mask) : 0;
}

static inline bool virtio_get_shm_region(struct virtio_device *vdev,
					 struct virtio_shm_region *region,
					 u8 id)
{
	return vdev->config->get_shm_region &&
	       vdev->config->get_shm_region(vdev, region, id);
}

/* Byte order of this device: always little-endian but for legacy ones. */
static inline bool virtio_is_little_endian(const struct virtio_device *vdev)
{
	return virtio_legacy_is_little_endian() ||
	       virtio_has_feature(vdev, VIRTIO_F_VERSION_1);
}

static inline u16 virtio16_to_cpu(const struct virtio_device *vdev,
				  __virtio16 val)
{
	return __virtio16_to_cpu(virtio_is_little_endian(vdev), val);
}

static inline __virtio16 cpu_to_virtio16(const struct virtio_device *vdev,
					 u16 val)
{
	return __cpu_to_virtio16(virtio_is_little_endian(vdev), val);
}

static inline u32 virtio32_to_cpu(const struct virtio_device *vdev,
				  __virtio32 val)
{
	return __virtio32_to_cpu(virtio_is_little_endian(vdev), val);
}

static inline __virtio32 cpu_to_virtio32(const struct virtio_device *vdev,
					 u32 val)
{
	return __cpu_to_virtio32(virtio_is_little_endian(vdev), val);
}

static inline u64 virtio64_to_cpu(const struct virtio_device *vdev,
				  __virtio64 val)
{
	return __virtio64_to_cpu(virtio_is_little_endian(vdev), val);
}

static inline __virtio64 cpu_to_virtio64(const struct virtio_device *vdev,
					 u64 val)
{
	return __cpu_to_virtio64(virtio_is_little_endian(vdev), val);
}

static inline u8 __virtio8_to_cpu(const struct virtio_device *vdev, u8 val)
{
	(void)vdev;
	return val;
}

/* By the width of @val. The conversion is its own inverse. */
#define __virtio_to_cpu(vdev, val) \
	_Generic((val), \
		 u8: __virtio8_to_cpu, \
		 u16: virtio16_to_cpu, \
		 u32: virtio32_to_cpu, \
		 u64: virtio64_to_cpu)(vdev, val)
#define __cpu_to_virtio(vdev, val)	__virtio_to_cpu(vdev, val)

/*
 * Read @bytes that may span fields, all of one generation, 2.5.1: a field
 * wider than the transport's access can change half-way.
 */
static inline void virtio_cread_bytes(struct virtio_device *vdev,
				      unsigned int offset,
				      void *buf, size_t len)
{
	const struct virtio_config_ops *ops = vdev->config;
	u32 before, after = ops->generation ? ops->generation(vdev) : 0;

	do {
		before = after;
		ops->get(vdev, offset, buf, len);
		after = ops->generation ? ops->generation(vdev) : 0;
	} while (before != after);
}

/* Read one field into a variable of the same width. */
static inline void __virtio_cread(struct virtio_device *vdev,
				  unsigned int offset, void *buf, size_t len)
{
	/* 2.5.1: only up to 32 bits are read in one access */
	if (len > sizeof(u32))
		virtio_cread_bytes(vdev, offset, buf, len);
	else
		vdev->config->get(vdev, offset, buf, len);
}

/*
 * Configuration fields by name: virtio_cread(vdev, struct x, field, &var).
 * The field's width decides; *ptr is in the CPU's byte order.
 */
#define virtio_cread(vdev, structname, member, ptr) \
	do { \
		typeof(((structname *)0)->member) __vcr_raw; \
		\
		__virtio_cread(vdev, offsetof(structname, member), \
			       &__vcr_raw, sizeof(__vcr_raw)); \
		*(ptr) = __virtio_to_cpu(vdev, __vcr_raw); \
	} while (0)

#define virtio_cwrite(vdev, structname, member, ptr) \
	do { \
		typeof(((structname *)0)->member) __vcw_raw = *(ptr); \
		\
		__vcw_raw = __cpu_to_virtio(vdev, __vcw_raw); \
		(vdev)->config->set(vdev, offsetof(structname, member), \
				    &__vcw_raw, sizeof(__vcw_raw)); \
	} while (0)

/* Fields that are little-endian with legacy devices too: same on our CPUs. */
#define virtio_cread_le(vdev, structname, member, ptr) \
	virtio_cread(vdev, structname, member, ptr)
#define virtio_cwrite_le(vdev, structname, member, ptr) \
	virtio_cwrite(vdev, structname, member, ptr)

/* If feature @fbit: read the field, value 0. If not: value -ENOENT. */
#define virtio_cread_feature(vdev, fbit, structname, member, ptr) \
	({ \
		int __vcf_err = -ENOENT; \
		\
		if (virtio_has_feature(vdev, fbit)) { \
			virtio_cread(vdev, structname, member, ptr); \
			__vcf_err = 0; \
		} \
		__vcf_err; \
	})
#define virtio_cread_le_feature(vdev, fbit, structname, member, ptr) \
	virtio_cread_feature(vdev, fbit, structname, member, ptr)

/* Fields by byte offset. */
static inline u8 virtio_cread8(struct virtio_device *vdev,
			       unsigned int offset)
{
	u8 val;

	vdev->config->get(vdev, offset, &val, sizeof(val));
	return val;
}

static inline void virtio_cwrite8(struct virtio_device *vdev,
				  unsigned int offset, u8 val)
{
	vdev->config->set(vdev, offset, &val, sizeof(val));
}

static inline u16 virtio_cread16(struct virtio_device *vdev,
				 unsigned int offset)
{
	__virtio16 val;

	vdev->config->get(vdev, offset, &val, sizeof(val));
	return virtio16_to_cpu(vdev, val);
}

static inline void virtio_cwrite16(struct virtio_device *vdev,
				   unsigned int offset, u16 val)
{
	__virtio16 raw = cpu_to_virtio16(vdev, val);

	vdev->config->set(vdev, offset, &raw, sizeof(raw));
}

static inline u32 virtio_cread32(struct virtio_device *vdev,
				 unsigned int offset)
{
	__virtio32 val;

	vdev->config->get(vdev, offset, &val, sizeof(val));
	return virtio32_to_cpu(vdev, val);
}

static inline void virtio_cwrite32(struct virtio_device *vdev,
				   unsigned int offset, u32 val)
{
	__virtio32 raw = cpu_to_virtio32(vdev, val);

	vdev->config->set(vdev, offset, &raw, sizeof(raw));
}

static inline u64 virtio_cread64(struct virtio_device *vdev,
				 unsigned int offset)
{
	__virtio64 val;

	virtio_cread_bytes(vdev, offset, &val, sizeof(val));
	return virtio64_to_cpu(vdev, val);
}

static inline void virtio_cwrite64(struct virtio_device *vdev,
				   unsigned int offset, u64 val)
{
	__virtio64 raw = cpu_to_virtio64(vdev, val);

	vdev->config->set(vdev, offset, &raw, sizeof(raw));
}

#endif /* _LINUX_VIRTIO_CONFIG_H */
