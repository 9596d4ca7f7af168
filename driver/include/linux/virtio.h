/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Virtio devices, drivers and virtqueues as a driver sees them: Linux 6.1
 * and 6.12.
 *
 * A virtqueue has no lock of its own. Calls on one queue must be serialised
 * by the caller, except virtqueue_notify() and virtqueue_is_broken(), and
 * vring_interrupt(). No virtqueue call parks, but any memory access may let
 * simulated time pass.
 */
#ifndef _LINUX_VIRTIO_H
#define _LINUX_VIRTIO_H

#include <linux/api.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct virtio_config_ops;
struct virtio_device;
struct virtqueue;
struct vring;
struct vringh_config_ops;

typedef void vq_callback_t(struct virtqueue *);

/**
 * struct virtqueue - what a driver may see of a queue
 * @list: in virtio_device.vqs
 * @callback: called by vring_interrupt() when buffers were used; or NULL
 * @name: for messages and interrupt names; the driver's, or NULL
 * @vdev: owner
 * @index: of the queue in the device, from 0
 * @num_free: free descriptors, a hint for the driver
 * @num_max: most entries the device allows
 * @reset: the queue is reset, 2.6.1
 * @priv: the transport's
 */
struct virtqueue {
	struct list_head list;
	void (*callback)(struct virtqueue *vq);
	const char *name;
	struct virtio_device *vdev;
	unsigned int index;
	unsigned int num_free;
	unsigned int num_max;
	bool reset;
	void *priv;
	__API_VIRTQUEUE_TAIL
};

_Static_assert(sizeof(struct virtqueue) == __API_VIRTQUEUE_BYTES, "virtqueue");

/*
 * Make one buffer available, 2.7.13: out_sgs lists the device reads, then
 * in_sgs lists it writes.
 * @sgs: out_sgs + in_sgs terminated scatter lists, read before return
 * @data: token handed back by virtqueue_get_buf(), not NULL; stays the
 *	  caller's
 * @gfp: for the indirect table
 * Returns 0, -ENOSPC (too few descriptors; the queue is as before), -EIO
 * (queue broken), -ENOMEM (mapping failed), -EINVAL (no data, or more elements
 * than the queue has entries: 2.7.5.3.1). The device may look at once, but
 * need not before it is notified.
 */
int virtqueue_add_sgs(struct virtqueue *vq, struct scatterlist *sgs[],
		      unsigned int out_sgs, unsigned int in_sgs,
		      void *data, gfp_t gfp);

/* The same for one list of @num entries that the device reads. */
int virtqueue_add_outbuf(struct virtqueue *vq, struct scatterlist sg[],
			 unsigned int num, void *data, gfp_t gfp);

/* The same for one list of @num entries that the device writes. */
int virtqueue_add_inbuf(struct virtqueue *vq, struct scatterlist sg[],
			unsigned int num, void *data, gfp_t gfp);

/* The same with a second token, for queues made with ctx. */
int virtqueue_add_inbuf_ctx(struct virtqueue *vq, struct scatterlist sg[],
			    unsigned int num, void *data, void *ctx, gfp_t gfp);

/* The device that DMA mappings are for, or NULL if none are needed. */
struct device *virtqueue_dma_dev(struct virtqueue *vq);

/* prepare + notify. Returns false if the queue is broken. */
bool virtqueue_kick(struct virtqueue *vq);

/*
 * Show the device what was added and ask whether it wants to know, 2.7.13.4.
 * Returns true if virtqueue_notify() is due. Serialised like add.
 */
bool virtqueue_kick_prepare(struct virtqueue *vq);

/*
 * Ring the doorbell; may trap, needs no serialisation. Returns false if the
 * queue is, or thereby becomes, broken.
 */
bool virtqueue_notify(struct virtqueue *vq);

/*
 * Take back one used buffer, 2.7.14.
 * @len: receives the bytes the device says it wrote
 * Returns the token of add, or NULL if none is used or the queue is broken.
 */
void *virtqueue_get_buf(struct virtqueue *vq, unsigned int *len);

/* The same; *ctx receives the second token, if ctx is not NULL. */
void *virtqueue_get_buf_ctx(struct virtqueue *vq, unsigned int *len,
			    void **ctx);

/* Ask for no interrupts; a hint, they may come all the same, 2.7.7. */
void virtqueue_disable_cb(struct virtqueue *vq);

/*
 * Ask for an interrupt at the next used buffer. Returns false if one is used
 * already, for which no interrupt may come: reap again.
 */
bool virtqueue_enable_cb(struct virtqueue *vq);

/* First half of enable: returns the state for virtqueue_poll(). */
unsigned int virtqueue_enable_cb_prepare(struct virtqueue *vq);

/* Second half: were buffers used since @last_used_idx was returned? */
bool virtqueue_poll(struct virtqueue *vq, unsigned int last_used_idx);

/*
 * As enable_cb, but be content with an interrupt when three quarters of what
 * is outstanding has been used. Returns false if that is so already.
 */
bool virtqueue_enable_cb_delayed(struct virtqueue *vq);

/*
 * Give up the buffers of a queue that the device no longer touches (after
 * reset). Returns one token a call, in no order; NULL when none is left.
 */
void *virtqueue_detach_unused_buf(struct virtqueue *vq);

/* Entries of the queue. */
unsigned int virtqueue_get_vring_size(__api_const struct virtqueue *vq);

/* Has the device broken the rules, or the transport given it up? */
bool virtqueue_is_broken(__api_const struct virtqueue *vq);

const struct vring *virtqueue_get_vring(__api_const struct virtqueue *vq);

/* Guest-physical addresses of the three areas, 2.7, for the transport. */
dma_addr_t virtqueue_get_desc_addr(__api_const struct virtqueue *vq);
dma_addr_t virtqueue_get_avail_addr(__api_const struct virtqueue *vq);
dma_addr_t virtqueue_get_used_addr(__api_const struct virtqueue *vq);

#include <linux/api-virtio.h>

/* Buffers are mapped by the caller. -EINVAL if this ring cannot. */
int virtqueue_set_dma_premapped(struct virtqueue *vq);

/**
 * struct virtio_device - one device on the virtio bus
 * @index: on the bus
 * @failed: saved FAILED bit over suspend
 * @config_core_enabled: config_changed() may be delivered
 * @config_driver_disabled: the driver asked for none
 * @config_change_pending: one came meanwhile
 * @config_lock: protects the three above
 * @vqs_list_lock: protects @vqs
 * @dev: device model
 * @id: type and vendor
 * @config: the transport's operations
 * @vringh_config: unused here
 * @vqs: of struct virtqueue
 * @features: negotiated, bit n is feature n
 * @priv: the driver's
 */
struct virtio_device {
	int index;
	bool failed;
	bool config_core_enabled;
	bool config_driver_disabled;
	bool config_change_pending;
	spinlock_t config_lock;
	spinlock_t vqs_list_lock;
	struct device dev;
	struct virtio_device_id id;
	const struct virtio_config_ops *config;
	const struct vringh_config_ops *vringh_config;
	struct list_head vqs;
	u64 features;
	void *priv;
};

#define dev_to_virtio(_dev)	container_of(_dev, struct virtio_device, dev)

#define virtio_device_for_each_vq(vdev, vq) \
	list_for_each_entry(vq, &(vdev)->vqs, list)

int register_virtio_device(struct virtio_device *dev);
void unregister_virtio_device(struct virtio_device *dev);
bool is_virtio_device(struct device *dev);

/* Mark all queues broken: adding fails and reaping finds nothing. */
void virtio_break_device(struct virtio_device *dev);
void __virtio_unbreak_device(struct virtio_device *dev);
void __virtqueue_break(struct virtqueue *vq);
void __virtqueue_unbreak(struct virtqueue *vq);

/* The device's configuration changed: called by the transport. */
void virtio_config_changed(struct virtio_device *dev);
void virtio_config_driver_disable(struct virtio_device *dev);
void virtio_config_driver_enable(struct virtio_device *dev);

/* Reset, 2.4; may park. Afterwards no callback runs and no buffer is used. */
void virtio_reset_device(struct virtio_device *dev);

/* Largest segment in bytes that the device can be given. */
size_t virtio_max_dma_size(__api_const struct virtio_device *vdev);

/**
 * struct virtio_driver - a driver on the virtio bus
 * @driver: device model
 * @id_table: device types, ended by a zero entry
 * @feature_table: feature bits the driver knows
 * @feature_table_size: entries of it
 * @feature_table_legacy: the same with a legacy device, or NULL
 * @feature_table_size_legacy: entries of it
 * @validate: may withdraw features; runs before negotiation ends; or NULL
 * @probe: returns 0 or a negative errno
 * @scan: runs after a successful probe; or NULL
 * @remove: the device goes
 * @config_changed: or NULL
 * @freeze: @restore: suspend; or NULL
 */
struct virtio_driver {
	struct device_driver driver;
	const struct virtio_device_id *id_table;
	const unsigned int *feature_table;
	unsigned int feature_table_size;
	const unsigned int *feature_table_legacy;
	unsigned int feature_table_size_legacy;
	int (*validate)(struct virtio_device *dev);
	int (*probe)(struct virtio_device *dev);
	void (*scan)(struct virtio_device *dev);
	void (*remove)(struct virtio_device *dev);
	void (*config_changed)(struct virtio_device *dev);
	int (*freeze)(struct virtio_device *dev);
	int (*restore)(struct virtio_device *dev);
};

#define drv_to_virtio(_drv)	container_of(_drv, struct virtio_driver, driver)

#define register_virtio_driver(drv) \
	__register_virtio_driver(drv, THIS_MODULE)
int __register_virtio_driver(struct virtio_driver *drv, struct module *owner);
void unregister_virtio_driver(struct virtio_driver *drv);

#endif /* _LINUX_VIRTIO_H */
