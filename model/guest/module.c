// SPDX-License-Identifier: GPL-2.0-only
#include "model/guest/module.h"

#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/module.h>
#include <linux/string.h>

#include "model/guest/guest.h"

#define MODULES_MAX	16u
/* Largest variable behind a parameter with a type name. */
#define PARAM_BYTES_MAX	8u

static struct {
	struct __module_entry *entry[MODULES_MAX];
	u32 nr;
	u32 initialised_nr;
	struct kernel_param *params;
	struct kernel_param **params_last;
	struct kernel_param_desc *descs;
} modules = {
	.params_last = &modules.params,
};

void __module_register(struct __module_entry *entry)
{
	BUG_ON(modules.nr == MODULES_MAX);
	modules.entry[modules.nr++] = entry;
}

void __module_param_register(struct kernel_param *kp)
{
	kp->next = NULL;
	*modules.params_last = kp;
	modules.params_last = &kp->next;
}

void __module_param_describe(struct kernel_param_desc *desc)
{
	desc->next = modules.descs;
	modules.descs = desc;
}

static void module_exit_down_to(u32 nr)
{
	while (modules.initialised_nr > nr) {
		struct __module_entry *e =
			modules.entry[--modules.initialised_nr];

		if (e->exit)
			e->exit();
	}
}

int module_init_all(void)
{
	while (modules.initialised_nr < modules.nr) {
		int err = modules.entry[modules.initialised_nr]->init();

		if (err) {
			module_exit_down_to(0);
			return err;
		}
		modules.initialised_nr++;
	}
	return 0;
}

void module_exit_all(void)
{
	module_exit_down_to(0);
}

static char param_fold(char c)
{
	return c == '-' ? '_' : c;
}

/* Length of @name if @text starts with it, else 0. */
static size_t param_starts(const char *text, const char *name)
{
	size_t len = 0;

	while (name[len] && param_fold(text[len]) == param_fold(name[len]))
		len++;
	return name[len] ? 0 : len;
}

static bool param_is_named(const char *text, const char *module,
			   const char *name)
{
	size_t len = param_starts(text, module);

	if (len && text[len] == '.' &&
	    text[len + 1 + param_starts(text + len + 1, name)] == '\0')
		return text[len + 1];
	len = param_starts(text, name);
	return len && !text[len];
}

static struct kernel_param *param_find(const char *name)
{
	struct kernel_param *kp;

	for (kp = modules.params; kp; kp = kp->next)
		if (param_is_named(name, kp->module, kp->name))
			return kp;
	return NULL;
}

const char *module_param_description(const char *name)
{
	struct kernel_param_desc *d;

	for (d = modules.descs; d; d = d->next)
		if (param_is_named(name, d->module, d->name))
			return d->description;
	return NULL;
}

const char *guest_param_name(uint32_t idx)
{
	struct kernel_param *kp = modules.params;

	while (kp && idx--)
		kp = kp->next;
	return kp ? kp->name : NULL;
}

static int param_store_unsigned(const char *value, void *to, size_t bytes)
{
	u64 v;
	int err = kstrtoull(value, 0, &v);

	if (err)
		return err;
	if (bytes < sizeof(v) && v >> (8 * bytes))
		return -ERANGE;
	memcpy(to, &v, bytes);
	return 0;
}

static int param_store_signed(const char *value, void *to, size_t bytes)
{
	unsigned int unused = 64 - 8 * bytes;
	s64 v;
	int err = kstrtoll(value, 0, &v);

	if (err)
		return err;
	if ((s64)((u64)v << unused) >> unused != v)
		return -ERANGE;
	memcpy(to, &v, bytes);
	return 0;
}

/* A name without value means yes, as on the kernel's command line. */
static int param_store_bool(const char *value, bool *to, bool invert)
{
	bool v = true;
	int err = value && *value ? kstrtobool(value, &v) : 0;

	if (!err)
		*to = v != invert;
	return err;
}

static int param_store(const struct kernel_param *kp, const char *value)
{
	const char *type = kp->type;

	if (!type)
		return kp->ops->set ? kp->ops->set(value, kp) : -EINVAL;
	if (!strcmp(type, "bool") || !strcmp(type, "invbool"))
		return param_store_bool(value, kp->arg, *type == 'i');
	if (!value)
		return -EINVAL;
	if (!strcmp(type, "charp")) {
		*(const char **)kp->arg = value;
		return 0;
	}
	if (!strcmp(type, "int") || !strcmp(type, "short") ||
	    !strcmp(type, "long"))
		return param_store_signed(value, kp->arg, kp->size);
	return param_store_unsigned(value, kp->arg, kp->size);
}

int module_param_set(const char *name, const char *value)
{
	struct kernel_param *kp = param_find(name);

	return kp ? param_store(kp, value) : -ENOENT;
}

static int param_check_typed(const struct kernel_param *kp, const char *value)
{
	char old[PARAM_BYTES_MAX];
	int err;

	BUG_ON(kp->size > sizeof(old));
	memcpy(old, kp->arg, kp->size);
	err = param_store(kp, value);
	memcpy(kp->arg, old, kp->size);
	return err;
}

/* The driver's own functions know the variable: write the old value back. */
static int param_check_ops(const struct kernel_param *kp, const char *value)
{
	static char old[PAGE_SIZE];
	int err = -EINVAL;

	if (kp->ops->get)
		err = kp->ops->get(old, kp);
	if (err < 0)
		return param_store(kp, value);
	err = param_store(kp, value);
	if (!err && param_store(kp, strim(old)))
		return -EINVAL;
	return err;
}

int guest_param_check(const char *name, const char *value)
{
	struct kernel_param *kp = param_find(name);
	int err;

	if (!kp)
		return -ENOENT;
	err = kp->type ? param_check_typed(kp, value) :
	      param_check_ops(kp, value);
	return err ? -EINVAL : 0;
}

int param_set_uint(const char *val, const struct kernel_param *kp)
{
	return val ? kstrtouint(val, 0, kp->arg) : -EINVAL;
}

int param_get_uint(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%u\n", *(unsigned int *)kp->arg);
}

int param_set_int(const char *val, const struct kernel_param *kp)
{
	return val ? kstrtoint(val, 0, kp->arg) : -EINVAL;
}

int param_get_int(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%d\n", *(int *)kp->arg);
}

int param_set_bool(const char *val, const struct kernel_param *kp)
{
	return param_store_bool(val, kp->arg, false);
}

int param_get_bool(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%c\n",
			 *(bool *)kp->arg ? 'Y' : 'N');
}

int param_set_uint_minmax(const char *val, const struct kernel_param *kp,
			  unsigned int min, unsigned int max)
{
	unsigned int v;
	int err = val ? kstrtouint(val, 0, &v) : -EINVAL;

	if (err)
		return err;
	if (v < min || v > max)
		return -EINVAL;
	*(unsigned int *)kp->arg = v;
	return 0;
}
