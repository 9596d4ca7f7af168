/* SPDX-License-Identifier: GPL-2.0-only */
/* The task behind control.h, as the boot task sees it. Guest code. */
#ifndef MODEL_GUEST_CONTROL_TASK_H
#define MODEL_GUEST_CONTROL_TASK_H

#include "model/guest/control.h"

#define CONTROL_ACTIONS_MAX	64u

struct gendisk;

/*
 * Start doing @actions (@nr, up to CONTROL_ACTIONS_MAX, by ascending time) to
 * @disk, on vCPU 0. In task context.
 */
void control_start(const struct control_action *actions, uint32_t nr,
		   struct gendisk *disk);

/* All of them have ended. */
bool control_is_done(void);

#endif
