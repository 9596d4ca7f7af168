/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of <linux/blk-mq.h>: Linux 6.12. */
#ifndef PORT_LINUX_API_BLK_MQ_H
#define PORT_LINUX_API_BLK_MQ_H

/* Lists linked by rq_next. */
static inline int rq_list_empty(const struct rq_list *rl)
{
	return !rl->head;
}

static inline void rq_list_init(struct rq_list *rl)
{
	rl->head = NULL;
	rl->tail = NULL;
}

static inline struct request *rq_list_peek(struct rq_list *rl)
{
	return rl->head;
}

static inline void rq_list_add_tail(struct rq_list *rl, struct request *rq)
{
	struct request **link = rl->tail ? &rl->tail->rq_next : &rl->head;

	*link = rq;
	rq->rq_next = NULL;
	rl->tail = rq;
}

static inline void rq_list_add_head(struct rq_list *rl, struct request *rq)
{
	if (!rl->tail)
		rl->tail = rq;
	rq->rq_next = rl->head;
	rl->head = rq;
}

static inline struct request *rq_list_pop(struct rq_list *rl)
{
	struct request *rq = rl->head;

	if (!rq)
		return NULL;
	rl->head = rq->rq_next;
	if (!rl->head)
		rl->tail = NULL;
	rq->rq_next = NULL;
	return rq;
}

#define rq_list_for_each(rl, pos) \
	for (pos = rq_list_peek(rl); pos; pos = pos->rq_next)
#define rq_list_for_each_safe(rl, pos, nxt) \
	for (pos = rq_list_peek(rl); \
	     pos && ((nxt = pos->rq_next), 1); pos = nxt)

#define blk_mq_alloc_disk(set, lim, queuedata) \
({ \
	static struct lock_class_key __disk_key; \
\
	__blk_mq_alloc_disk(set, lim, queuedata, &__disk_key); \
})

/*
 * Keeps rq for iob->complete(), or returns false: the
 * caller completes it. Refused without a batch, with a scheduler's tags, when
 * an ordinary request has failed or wants an end_io call, and in a batch of
 * another driver.
 */
static inline bool blk_mq_add_to_batch(struct request *rq,
				       struct io_comp_batch *iob,
				       bool is_error,
				       void (*complete)(struct io_comp_batch *))
{
	if (!iob || (rq->rq_flags & RQF_SCHED_TAGS))
		return false;
	if (!blk_rq_is_passthrough(rq) && (rq->end_io || is_error))
		return false;
	if (iob->complete && iob->complete != complete)
		return false;

	iob->complete = complete;
	iob->need_ts |= blk_mq_need_time_stamp(rq);
	rq_list_add_head(&iob->req_list, rq);
	return true;
}

#endif /* PORT_LINUX_API_BLK_MQ_H */
