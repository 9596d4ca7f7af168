// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/virtio_test.h"
#include "tests/guest/machine.h"

#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>

#include "model/guest/sysfs.h"
#include "model/guest/virtio.h"
#include "model/guest/virtio_pci.h"

/* Feature bits of the device type: known to the driver, and not. */
#define F_KNOWN		1
#define F_ALSO_KNOWN	9
#define F_UNKNOWN	2

struct virtio_test virtio_test;
int virtio_test_probe_result;

struct test_ring {
	struct virtqueue vq;
	unsigned int num;
	void *memory;
	bool (*notify)(struct virtqueue *vq);
};

struct test_config {
	__le64 capacity;
	__le16 small_field;
};

static struct virtqueue *vqs[VIRTIO_TEST_QUEUES];

static struct test_ring *to_ring(const struct virtqueue *vq)
{
	return container_of(vq, struct test_ring, vq);
}

static struct virtqueue *ring_create(unsigned int index, unsigned int num,
				     unsigned int vring_align,
				     struct virtio_device *vdev,
				     bool weak_barriers, bool may_reduce_num,
				     bool context,
				     bool (*notify)(struct virtqueue *vq),
				     void (*callback)(struct virtqueue *vq),
				     const char *name)
{
	struct test_ring *r = kzalloc(sizeof(*r), GFP_KERNEL);

	r->memory = (void *)get_zeroed_page(GFP_KERNEL);
	r->num = num;
	r->notify = notify;
	r->vq.index = index;
	r->vq.callback = callback;
	r->vq.name = name;
	r->vq.vdev = vdev;
	virtio_test.rings_nr++;
	return &r->vq;
}

static void ring_del(struct virtqueue *vq)
{
	struct test_ring *r = to_ring(vq);

	free_page((unsigned long)r->memory);
	kfree(r);
	virtio_test.rings_nr--;
}

static unsigned int ring_interrupt(int irq, void *vq)
{
	((struct virtqueue *)vq)->callback(vq);
	return IRQ_HANDLED;
}

static void ring_transport_features(struct virtio_device *vdev)
{
	__virtio_clear_bit(vdev, VIRTIO_F_RING_PACKED);
}

static unsigned int ring_get_size(const struct virtqueue *vq)
{
	return to_ring(vq)->num;
}

static unsigned long long ring_desc(const struct virtqueue *vq)
{
	return virt_to_phys(to_ring(vq)->memory);
}

static unsigned long long ring_avail(const struct virtqueue *vq)
{
	return ring_desc(vq) + 2048;
}

static unsigned long long ring_used(const struct virtqueue *vq)
{
	return ring_desc(vq) + 3072;
}

static const struct virtio_ring_calls ring_calls = {
	.create = ring_create,
	.del = ring_del,
	.interrupt = ring_interrupt,
	.transport_features = ring_transport_features,
	.get_size = ring_get_size,
	.get_desc_addr = ring_desc,
	.get_avail_addr = ring_avail,
	.get_used_addr = ring_used,
};

static void driver_callback(struct virtqueue *vq)
{
	machine_check(in_interrupt());
	virtio_test.callbacks_nr[vq->index]++;
	virtio_test.callback_cpu[vq->index] = smp_processor_id();
}

static void driver_note_affinity(struct virtio_device *vdev)
{
	for (unsigned int i = 0; i < virtio_test.queues_nr; i++) {
		const struct cpumask *mask =
			vdev->config->get_vq_affinity(vdev, i);

		virtio_test.affinity[i] = mask ? cpumask_bits(mask)[0] : 0;
	}
}

static int driver_find_vqs(struct virtio_device *vdev)
{
	struct virtqueue_info infos[VIRTIO_TEST_QUEUES] = { };
	struct irq_affinity desc = { };

	for (unsigned int i = 0; i < virtio_test.queues_nr; i++) {
		infos[i].name = "req";
		if (i < virtio_test.queues_nr - virtio_test.polled_nr)
			infos[i].callback = driver_callback;
	}
	return virtio_find_vqs(vdev, virtio_test.queues_nr, vqs, infos,
			       virtio_test.spread ? &desc : NULL);
}

static int driver_validate(struct virtio_device *vdev)
{
	vdev->features &= ~virtio_test.withdraw;
	return 0;
}

static int driver_probe(struct virtio_device *vdev)
{
	virtio_test.probes_nr++;
	virtio_test.features = vdev->features;
	virtio_test.find_error = driver_find_vqs(vdev);
	if (virtio_test.find_error)
		return virtio_test.find_error;
	driver_note_affinity(vdev);
	virtio_cread(vdev, struct test_config, capacity,
		     &virtio_test.capacity);
	virtio_cread(vdev, struct test_config, small_field,
		     &virtio_test.small_field);
	if (virtio_test.probe_error) {
		vdev->config->del_vqs(vdev);
		return virtio_test.probe_error;
	}
	virtio_test.small_field++;
	virtio_cwrite(vdev, struct test_config, small_field,
		      &virtio_test.small_field);
	return 0;
}

static void driver_remove(struct virtio_device *vdev)
{
	virtio_test.removes_nr++;
	virtio_reset_device(vdev);
	vdev->config->del_vqs(vdev);
}

static void driver_config_changed(struct virtio_device *vdev)
{
	virtio_test.config_changes_nr++;
}

static const struct virtio_device_id ids[] = {
	{ 2, VIRTIO_DEV_ANY_ID }, { },
};
static const unsigned int feature_table[] = { F_KNOWN, F_ALSO_KNOWN };
static struct virtio_driver driver = {
	.driver.name = "virtio_test",
	.id_table = ids,
	.feature_table = feature_table,
	.feature_table_size = ARRAY_SIZE(feature_table),
	.validate = driver_validate,
	.probe = driver_probe,
	.remove = driver_remove,
	.config_changed = driver_config_changed,
};

void virtio_test_init(void)
{
	memset(&virtio_test, 0, sizeof(virtio_test));
	virtio_test.queues_nr = VIRTIO_TEST_QUEUES;
	virtio_pci_set_ring(&ring_calls);
}

void virtio_test_probe(void *fn)
{
	machine_check(!register_virtio_driver(&driver));
	virtio_test_probe_result = virtio_pci_probe(fn);
}

void virtio_test_kick(void *unused)
{
	for (unsigned int i = 0; i < virtio_test.queues_nr; i++)
		machine_check(to_ring(vqs[i])->notify(vqs[i]));
}

void virtio_test_move(void *unused)
{
	struct cpumask mask = { };

	cpumask_set_cpu(1, &mask);
	machine_check(!virtqueue_set_affinity(vqs[0], &mask));
}

void virtio_test_remove(void *unused)
{
	machine_check(virtio_device_nr(0));
	virtio_pci_remove();
	machine_check(!virtio_device_nr(0));
	unregister_virtio_driver(&driver);
}

/* Attributes */

static unsigned int attr_value = 5, releases_nr;

static ssize_t value_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%u\n", attr_value);
}

static ssize_t value_store(struct device *dev, struct device_attribute *attr,
			   const char *buf, size_t count)
{
	int err = kstrtouint(buf, 0, &attr_value);

	return err ? err : (ssize_t)count;
}
static DEVICE_ATTR_RW(value);

static ssize_t serial_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%s", dev_name(dev));
}
static DEVICE_ATTR_RO(serial);

static ssize_t hidden_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	return 0;
}
static DEVICE_ATTR_RO(hidden);

static struct attribute *attrs[] = {
	&dev_attr_value.attr, &dev_attr_serial.attr, &dev_attr_hidden.attr,
	NULL,
};

static umode_t attr_visible(struct kobject *kobj, struct attribute *attr,
			    int index)
{
	if (attr == &dev_attr_hidden.attr)
		return 0;
	return attr == &dev_attr_serial.attr ? 0200 : attr->mode;
}

static const struct attribute_group plain_group = {
	.attrs = attrs, .is_visible = attr_visible,
};
static const struct attribute_group named_group = {
	.name = "more", .attrs = attrs,
};
static const struct attribute_group *groups[] = {
	&plain_group, &named_group, NULL,
};

static void test_release(struct device *dev)
{
	releases_nr++;
	kfree(dev);
}

static void check_attributes(struct device *dev, char *buf)
{
	machine_check(sysfs_show(dev, "value", buf) == 2 && buf[0] == '5');
	machine_check(sysfs_store(dev, "value", "7\n", 2) == 2 &&
		      attr_value == 7);
	machine_check(sysfs_store(dev, "value", "x", 1) == -EINVAL);
	machine_check(sysfs_show(dev, "serial", buf) == -EACCES);
	machine_check(sysfs_store(dev, "serial", "1", 1) == -EIO);
	machine_check(sysfs_show(dev, "hidden", buf) == -ENOENT);
	machine_check(sysfs_show(dev, "more/serial", buf) == 5 &&
		      !strcmp(buf, "disk3"));
	machine_check(sysfs_store(dev, "more/serial", "1", 1) == -EACCES);
	machine_check(!strcmp(sysfs_name(dev, 0), "value"));
	machine_check(!strcmp(sysfs_name(dev, 4), "more/hidden"));
	machine_check(!sysfs_name(dev, 5));
}

void virtio_test_sysfs(void *unused)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	char *buf = (char *)get_zeroed_page(GFP_KERNEL);

	releases_nr = 0;
	dev->groups = groups;
	dev->release = test_release;
	device_initialize(dev);
	machine_check(device_add(dev) == -EINVAL);
	dev_set_name(dev, "disk%d", 3);
	machine_check(!device_add(dev));
	check_attributes(dev, buf);
	get_device(dev);
	device_unregister(dev);
	machine_check(!releases_nr && !sysfs_name(dev, 0));
	machine_check(sysfs_show(dev, "value", buf) == -ENOENT);
	put_device(dev);
	machine_check(releases_nr == 1);
	free_page((unsigned long)buf);
}
