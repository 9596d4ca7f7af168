// SPDX-License-Identifier: GPL-2.0-only
/* A virtio driver, but for another kind of device. */
#include <linux/module.h>
#include <linux/virtio.h>

static const struct virtio_device_id ids[] = {
	{ 1, VIRTIO_DEV_ANY_ID },
	{ 0 },
};

static int probe(struct virtio_device *vdev)
{
	return 0;
}

static void remove(struct virtio_device *vdev)
{
}

static struct virtio_driver driver = {
	.driver.name = "other",
	.id_table = ids,
	.probe = probe,
	.remove = remove,
};

static int __init start(void)
{
	return register_virtio_driver(&driver);
}
module_init(start);
