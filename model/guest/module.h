/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The loaded driver's entry points and parameters: implements
 * <linux/module.h> and <linux/moduleparam.h>. Constructors of the driver have
 * registered them, in link order. No kernel header is needed to include this.
 */
#ifndef MODEL_GUEST_MODULE_H
#define MODEL_GUEST_MODULE_H

/*
 * Set a parameter before module_init_all. @name: "name" or "module.name", where
 * - and _ are the same. @value: must outlive the guest (type charp keeps it).
 * 0, -ENOENT unknown name, -EINVAL or -ERANGE bad value.
 */
int module_param_set(const char *name, const char *value);

/* Description of a parameter from MODULE_PARM_DESC, NULL if it has none. */
const char *module_param_description(const char *name);

/*
 * Call the init functions in the order of registration, in task context. On an
 * error those that have succeeded are exited again, and it is returned.
 */
int module_init_all(void);

/* Call the exit functions of what was initialised, in reverse order. */
void module_exit_all(void);

#endif
