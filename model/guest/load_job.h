/* SPDX-License-Identifier: GPL-2.0-only */
/* The load as the guest's boot task sees it. Guest code. */
#ifndef MODEL_GUEST_LOAD_JOB_H
#define MODEL_GUEST_LOAD_JOB_H

#include <linux/types.h>

#include "model/guest/load.h"

struct block_device;

/*
 * Start the jobs on @bdev. In task context. 0, -ENOMEM, or -ENOSPC when the
 * disk is too small; the reason is logged.
 */
int load_start(const struct load_config *config, struct block_device *bdev);

bool load_is_started(void);

/* All jobs have reaped everything and ended. */
bool load_is_done(void);

#endif
