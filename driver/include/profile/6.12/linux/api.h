/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the common headers leave to the API generation, here Linux 6.12. This
 * is the generation of the guest kernel itself; the others fit themselves to
 * its layouts.
 */
#ifndef PORT_LINUX_API_H
#define PORT_LINUX_API_H

struct request;

/* Requests linked by request.rq_next. */
struct rq_list {
	struct request *head;
	struct request *tail;
};

/* what queue_rqs is given the address of, and how a field of it is declared */
typedef struct rq_list __api_rq_list;
#define __API_RQ_LIST(name)	struct rq_list name

/* Bytes between the guest kernel's part of a structure and what follows. */
#define __API_REQUEST_TAIL
#define __API_VIRTQUEUE_TAIL
#define __API_REQUEST_BYTES	248
#define __API_VIRTQUEUE_BYTES	64

/* Arguments that became const between the generations. */
#define __api_const		const

/* virtio_config_ops.find_vqs with struct virtqueue_info */
#define __api_find_vqs		find_vqs

#endif /* PORT_LINUX_API_H */
