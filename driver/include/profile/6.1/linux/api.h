/* SPDX-License-Identifier: GPL-2.0-only */
/* What the common headers leave to the API generation, here Linux 6.1. */
#ifndef PORT_LINUX_API_H
#define PORT_LINUX_API_H

struct request;

/*
 * Requests linked by request.rq_next: a driver sees the first one only. The
 * guest kernel keeps a pointer to the last one behind it, which a driver of
 * this generation does not keep up to date.
 */
typedef struct request *__api_rq_list;
#define __API_RQ_LIST(name) \
	struct request *name; \
	struct request *__##name##_tail

/*
 * 6.1 has 24 more bytes in struct request (write hint and priority, longer
 * flush and completion fields) and 8 more in struct virtqueue. They follow at
 * the end, so that what the driver and the ring put behind lies on the same
 * cache lines as there.
 */
#define __API_REQUEST_TAIL	char __api_tail[24];
#define __API_VIRTQUEUE_TAIL	char __api_tail[8];
#define __API_REQUEST_BYTES	272
#define __API_VIRTQUEUE_BYTES	72

/* Arguments that became const between the generations. */
#define __api_const

/*
 * The transport's operation takes struct virtqueue_info, which 6.1 does not
 * know: drivers call virtio_find_vqs().
 */
#define __api_find_vqs		__find_vqs_info

#endif /* PORT_LINUX_API_H */
