// SPDX-License-Identifier: GPL-2.0-only
/*
 * The virtio bus: implements the parts of <linux/virtio.h> that belong neither
 * to the ring nor to the transport. Device and driver meet in the order of
 * virtio 1.2, 3.1.1.
 */
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>

#include "model/guest/virtio.h"

/* Feature bits that drivers name in their tables. */
#define VIRTIO_FEATURES_NR	64u

#define VIRTIO_DRIVERS_MAX	8u
#define VIRTIO_DEVICES_MAX	8u

static struct {
	struct mutex lock;
	struct virtio_driver *driver[VIRTIO_DRIVERS_MAX];
	u32 drivers_nr;
	struct virtio_device *device[VIRTIO_DEVICES_MAX];
	u32 devices_nr;
	struct ida ida;
} bus;

static const struct bus_type virtio_bus = {
	.name = "virtio",
};

void virtio_init(void)
{
	memset(&bus, 0, sizeof(bus));
	mutex_init(&bus.lock);
	ida_init(&bus.ida);
}

struct virtio_device *virtio_device_nr(u32 idx)
{
	return idx < bus.devices_nr ? bus.device[idx] : NULL;
}

static struct virtio_driver *virtio_driver_of(struct virtio_device *dev)
{
	return dev->dev.driver ? drv_to_virtio(dev->dev.driver) : NULL;
}

static void virtio_add_status(struct virtio_device *dev, u8 status)
{
	dev->config->set_status(dev, dev->config->get_status(dev) | status);
}

static bool virtio_feature_listed(const unsigned int *table,
				  unsigned int size, unsigned int fbit)
{
	for (unsigned int i = 0; i < size; i++)
		if (table[i] == fbit)
			return true;
	return false;
}

void virtio_check_driver_offered_feature(const struct virtio_device *vdev,
					 unsigned int fbit)
{
	struct virtio_driver *drv = drv_to_virtio(vdev->dev.driver);

	BUG_ON(!virtio_feature_listed(drv->feature_table,
				      drv->feature_table_size, fbit) &&
	       !virtio_feature_listed(drv->feature_table_legacy,
				      drv->feature_table_legacy ?
				      drv->feature_table_size_legacy : 0,
				      fbit));
}

static u64 virtio_table_bits(const unsigned int *table, unsigned int size)
{
	u64 bits = 0;

	for (unsigned int i = 0; i < size; i++) {
		BUG_ON(table[i] >= VIRTIO_FEATURES_NR);
		bits |= 1ULL << table[i];
	}
	return bits;
}

/* What the driver knows of a device that offers @offered. */
static u64 virtio_driver_features(const struct virtio_driver *drv, u64 offered)
{
	bool legacy = !(offered & 1ULL << VIRTIO_F_VERSION_1);

	if (legacy && drv->feature_table_legacy)
		return virtio_table_bits(drv->feature_table_legacy,
					 drv->feature_table_size_legacy);
	return virtio_table_bits(drv->feature_table, drv->feature_table_size);
}

/* The transport's bits are not the driver's; the transport drops some later. */
static u64 virtio_common_features(const struct virtio_driver *drv, u64 offered)
{
	u64 transport = GENMASK_ULL(VIRTIO_TRANSPORT_F_END - 1,
				    VIRTIO_TRANSPORT_F_START);

	return offered & (virtio_driver_features(drv, offered) | transport);
}

/* 3.1.1 step 5 and 6: FEATURES_OK, and see whether the device agrees. */
static int virtio_features_ok(struct virtio_device *dev)
{
	if (!virtio_has_feature(dev, VIRTIO_F_VERSION_1))
		return 0;
	virtio_add_status(dev, VIRTIO_CONFIG_S_FEATURES_OK);
	if (dev->config->get_status(dev) & VIRTIO_CONFIG_S_FEATURES_OK)
		return 0;
	dev_err(&dev->dev, "device refuses features: 0x%llx\n",
		(unsigned long long)dev->features);
	return -ENODEV;
}

/* The driver may withdraw features; then they are written once more. */
static int virtio_negotiate(struct virtio_device *dev,
			    struct virtio_driver *drv)
{
	u64 features;
	int err;

	dev->features = virtio_common_features(drv,
					       dev->config->get_features(dev));
	err = dev->config->finalize_features(dev);
	if (err || !drv->validate)
		return err ? err : virtio_features_ok(dev);
	features = dev->features;
	err = drv->validate(dev);
	if (!err && features != dev->features)
		err = dev->config->finalize_features(dev);
	return err ? err : virtio_features_ok(dev);
}

static void virtio_deliver_config(struct virtio_device *dev)
{
	struct virtio_driver *drv = virtio_driver_of(dev);

	if (!dev->config_core_enabled || dev->config_driver_disabled) {
		dev->config_change_pending = true;
	} else if (drv && drv->config_changed) {
		drv->config_changed(dev);
		dev->config_change_pending = false;
	}
}

void virtio_config_changed(struct virtio_device *dev)
{
	unsigned long flags;

	spin_lock_irqsave(&dev->config_lock, flags);
	virtio_deliver_config(dev);
	spin_unlock_irqrestore(&dev->config_lock, flags);
}

static void virtio_config_core(struct virtio_device *dev, bool on)
{
	unsigned long flags;

	spin_lock_irqsave(&dev->config_lock, flags);
	dev->config_core_enabled = on;
	if (on && dev->config_change_pending)
		virtio_deliver_config(dev);
	spin_unlock_irqrestore(&dev->config_lock, flags);
}

static void virtio_config_driver(struct virtio_device *dev, bool on)
{
	unsigned long flags;

	spin_lock_irqsave(&dev->config_lock, flags);
	dev->config_driver_disabled = !on;
	if (on && dev->config_change_pending)
		virtio_deliver_config(dev);
	spin_unlock_irqrestore(&dev->config_lock, flags);
}

void virtio_config_driver_disable(struct virtio_device *dev)
{
	virtio_config_driver(dev, false);
}

void virtio_config_driver_enable(struct virtio_device *dev)
{
	virtio_config_driver(dev, true);
}

/* Steps 4 to 8 of 3.1.1; the driver may do step 8 itself. */
static int virtio_start(struct virtio_device *dev, struct virtio_driver *drv)
{
	int err = virtio_negotiate(dev, drv);

	if (!err)
		err = drv->probe(dev);
	if (err)
		return err;
	if (!(dev->config->get_status(dev) & VIRTIO_CONFIG_S_DRIVER_OK))
		virtio_device_ready(dev);
	return 0;
}

static bool virtio_matches(const struct virtio_device *dev,
			   const struct virtio_driver *drv)
{
	const struct virtio_device_id *id;

	for (id = drv->id_table; id && id->device; id++)
		if ((id->device == VIRTIO_DEV_ANY_ID ||
		     id->device == dev->id.device) &&
		    (id->vendor == VIRTIO_DEV_ANY_ID ||
		     id->vendor == dev->id.vendor))
			return true;
	return false;
}

/* Called with the bus locked. 0 also if they do not match. */
static int virtio_bind(struct virtio_device *dev, struct virtio_driver *drv)
{
	int err;

	if (dev->dev.driver || !virtio_matches(dev, drv))
		return 0;
	dev->dev.driver = &drv->driver;
	virtio_add_status(dev, VIRTIO_CONFIG_S_DRIVER);
	err = virtio_start(dev, drv);
	if (err) {
		dev_err(&dev->dev, "probe failed with error %d\n", err);
		virtio_add_status(dev, VIRTIO_CONFIG_S_FAILED);
		dev->dev.driver = NULL;
		return err;
	}
	if (drv->scan)
		drv->scan(dev);
	virtio_config_core(dev, true);
	return 0;
}

static void virtio_unbind(struct virtio_device *dev)
{
	struct virtio_driver *drv = virtio_driver_of(dev);

	if (!drv)
		return;
	virtio_config_core(dev, false);
	drv->remove(dev);
	/* the driver has reset the device; it may go to another driver now */
	WARN_ON(dev->config->get_status(dev));
	dev->dev.driver = NULL;
	virtio_add_status(dev, VIRTIO_CONFIG_S_ACKNOWLEDGE);
}

static int virtio_add_driver(struct virtio_driver *drv)
{
	if (bus.drivers_nr == VIRTIO_DRIVERS_MAX)
		return -ENOSPC;
	bus.driver[bus.drivers_nr++] = drv;
	/* as the kernel: a failed probe is no failure of registration */
	for (u32 i = 0; i < bus.devices_nr; i++)
		virtio_bind(bus.device[i], drv);
	return 0;
}

int __register_virtio_driver(struct virtio_driver *drv, struct module *owner)
{
	int err;

	drv->driver.bus = &virtio_bus;
	drv->driver.owner = owner;
	mutex_lock(&bus.lock);
	err = virtio_add_driver(drv);
	mutex_unlock(&bus.lock);
	return err;
}

void unregister_virtio_driver(struct virtio_driver *drv)
{
	u32 kept = 0;

	mutex_lock(&bus.lock);
	for (u32 i = 0; i < bus.devices_nr; i++)
		if (virtio_driver_of(bus.device[i]) == drv)
			virtio_unbind(bus.device[i]);
	for (u32 i = 0; i < bus.drivers_nr; i++)
		if (bus.driver[i] != drv)
			bus.driver[kept++] = bus.driver[i];
	bus.drivers_nr = kept;
	mutex_unlock(&bus.lock);
}

bool is_virtio_device(struct device *dev)
{
	return dev->bus == &virtio_bus;
}

void virtio_reset_device(struct virtio_device *dev)
{
	dev->config->reset(dev);
}

/* Called with the bus locked; the device is kept even if no driver takes it. */
static int virtio_add_device(struct virtio_device *dev)
{
	if (bus.devices_nr == VIRTIO_DEVICES_MAX)
		return -ENOSPC;
	bus.device[bus.devices_nr++] = dev;
	for (u32 i = 0; i < bus.drivers_nr; i++)
		virtio_bind(dev, bus.driver[i]);
	return 0;
}

static int virtio_name_device(struct virtio_device *dev)
{
	int err;

	dev->index = ida_alloc(&bus.ida, GFP_KERNEL);
	if (dev->index < 0)
		return dev->index;
	err = dev_set_name(&dev->dev, "virtio%d", dev->index);
	if (err)
		ida_free(&bus.ida, dev->index);
	return err;
}

/* Steps 1 and 2 of 3.1.1 come before anybody looks for a driver. */
int register_virtio_device(struct virtio_device *dev)
{
	int err;

	dev->dev.bus = &virtio_bus;
	device_initialize(&dev->dev);
	err = virtio_name_device(dev);
	if (err)
		return err;
	spin_lock_init(&dev->config_lock);
	spin_lock_init(&dev->vqs_list_lock);
	INIT_LIST_HEAD(&dev->vqs);
	dev->config_core_enabled = false;
	dev->config_driver_disabled = false;
	dev->config_change_pending = false;
	virtio_reset_device(dev);
	virtio_add_status(dev, VIRTIO_CONFIG_S_ACKNOWLEDGE);
	err = device_add(&dev->dev);
	if (!err) {
		mutex_lock(&bus.lock);
		err = virtio_add_device(dev);
		mutex_unlock(&bus.lock);
		if (err)
			device_del(&dev->dev);
	}
	if (err) {
		virtio_add_status(dev, VIRTIO_CONFIG_S_FAILED);
		ida_free(&bus.ida, dev->index);
	}
	return err;
}

/* The caller still has its reference: put_device() when it is done. */
void unregister_virtio_device(struct virtio_device *dev)
{
	u32 kept = 0;

	mutex_lock(&bus.lock);
	virtio_unbind(dev);
	for (u32 i = 0; i < bus.devices_nr; i++)
		if (bus.device[i] != dev)
			bus.device[kept++] = bus.device[i];
	bus.devices_nr = kept;
	mutex_unlock(&bus.lock);
	ida_free(&bus.ida, dev->index);
	if (!kept)
		ida_destroy(&bus.ida);
	device_unregister(&dev->dev);
}

/* Weak: the kernel's ring code has its own. */
__weak size_t virtio_max_dma_size(const struct virtio_device *vdev)
{
	return SIZE_MAX;
}

int virtio_device_freeze(struct virtio_device *dev)
{
	struct virtio_driver *drv = virtio_driver_of(dev);

	if (drv && !drv->freeze)
		return -EOPNOTSUPP;
	virtio_config_core(dev, false);
	return drv ? drv->freeze(dev) : 0;
}

static int virtio_restart(struct virtio_device *dev, struct virtio_driver *drv)
{
	int err;

	virtio_add_status(dev, VIRTIO_CONFIG_S_DRIVER);
	err = dev->config->finalize_features(dev);
	if (!err)
		err = virtio_features_ok(dev);
	if (!err)
		err = drv->restore(dev);
	if (err)
		return err;
	if (!(dev->config->get_status(dev) & VIRTIO_CONFIG_S_DRIVER_OK))
		virtio_device_ready(dev);
	virtio_config_core(dev, true);
	return 0;
}

int virtio_device_restore(struct virtio_device *dev)
{
	struct virtio_driver *drv = virtio_driver_of(dev);
	int err;

	virtio_reset_device(dev);
	virtio_add_status(dev, VIRTIO_CONFIG_S_ACKNOWLEDGE);
	if (!drv)
		return 0;
	err = virtio_restart(dev, drv);
	if (err)
		virtio_add_status(dev, VIRTIO_CONFIG_S_FAILED);
	return err;
}
