/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of <linux/blk-mq.h>: Linux 6.1. */
#ifndef PORT_LINUX_API_BLK_MQ_H
#define PORT_LINUX_API_BLK_MQ_H

/*
 * Lists linked by rq_next. listp is the address of the pointer to the first
 * request; list is that pointer.
 */
#define rq_list_empty(list)	((list) == (struct request *)NULL)
#define rq_list_next(rq)	((rq)->rq_next)
#define rq_list_peek(listp)	__api_rq_list_peek(listp)
#define rq_list_pop(listp)	__api_rq_list_pop(listp)
#define rq_list_add(listp, rq)	__api_rq_list_add(listp, rq)
/* linkp: address of the pointer to the last link, which moves on */
#define rq_list_add_tail(linkp, rq)	__api_rq_list_add_tail(linkp, rq)

static inline struct request *__api_rq_list_peek(struct request **listp)
{
	return *listp;
}

static inline struct request *__api_rq_list_pop(struct request **listp)
{
	struct request *rq = *listp;

	if (rq)
		*listp = rq->rq_next;
	return rq;
}

static inline void __api_rq_list_add(struct request **listp,
				     struct request *rq)
{
	rq->rq_next = *listp;
	*listp = rq;
}

static inline void __api_rq_list_add_tail(struct request ***linkp,
					  struct request *rq)
{
	rq->rq_next = NULL;
	**linkp = rq;
	*linkp = &rq->rq_next;
}

#define rq_list_for_each(listp, pos) \
	for (pos = rq_list_peek(listp); pos; pos = rq_list_next(pos))
#define rq_list_for_each_safe(listp, pos, nxt) \
	for (pos = rq_list_peek(listp); \
	     pos && ((nxt = rq_list_next(pos)), 1); pos = nxt)

/*
 * The guest kernel places the driver's data behind its own struct request,
 * which lacks our tail: it is to reserve that much more. And plugs of 6.1 were
 * stacks: drivers reckon with it in queue_rqs.
 */
static inline int __api_alloc_tag_set(struct blk_mq_tag_set *set)
{
	const unsigned int tail = sizeof_field(struct request, __api_tail);
	int err;

	set->cmd_size += tail;
	set->flags |= __API_BLK_MQ_F_NEWEST_FIRST;
	err = blk_mq_alloc_tag_set(set);
	if (err)
		set->cmd_size -= tail;
	return err;
}

#define blk_mq_alloc_tag_set(set)	__api_alloc_tag_set(set)

#define blk_mq_alloc_disk(set, queuedata) \
({ \
	static struct lock_class_key __disk_key; \
\
	__blk_mq_alloc_disk(set, NULL, queuedata, &__disk_key); \
})

/*
 * ioerror: 0 or what went wrong. Keeps rq for iob->complete(), or returns
 * false: the caller completes it. Refused without a batch, with a scheduler's
 * tags, for what has failed, when an ordinary request wants an end_io call,
 * and in a batch of another driver.
 */
static inline bool blk_mq_add_to_batch(struct request *rq,
				       struct io_comp_batch *iob, int ioerror,
				       void (*complete)(struct io_comp_batch *))
{
	if (!iob || (rq->rq_flags & RQF_SCHED_TAGS) || ioerror)
		return false;
	if (!blk_rq_is_passthrough(rq) && rq->end_io)
		return false;
	if (iob->complete && iob->complete != complete)
		return false;

	iob->complete = complete;
	iob->need_ts |= blk_mq_need_time_stamp(rq);
	rq_list_add(&iob->req_list, rq);
	return true;
}

#endif /* PORT_LINUX_API_BLK_MQ_H */
