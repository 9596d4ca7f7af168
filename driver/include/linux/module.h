/* SPDX-License-Identifier: GPL-2.0-only */
/* Module entry points; a constructor registers them at load time. */
#ifndef PORT_LINUX_MODULE_H
#define PORT_LINUX_MODULE_H

#include <linux/export.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>

#ifndef KBUILD_MODNAME
#define KBUILD_MODNAME "module"
#endif

struct module;
#define THIS_MODULE ((struct module *)0)

/*
 * One for each module_init(); exit is NULL without a module_exit(). Lives in
 * the driver, never freed.
 */
struct __module_entry {
	const char *name;
	initcall_t init;
	exitcall_t exit;
	struct __module_entry *next;	/* the implementation's list */
};

/* Called before any guest CPU exists; init is to be called later. */
void __module_register(struct __module_entry *entry);

/*
 * All names are static, so that several files link into one driver. The
 * first line is a tentative definition, completed by a module_exit().
 */
#define module_init(fn) \
static __maybe_unused exitcall_t __module_exit_fn; \
static __port_ctor void __module_register_init(void) \
{ \
	static struct __module_entry entry = { .name = KBUILD_MODNAME }; \
\
	entry.init = fn; \
	entry.exit = __module_exit_fn; \
	__module_register(&entry); \
} \
struct __port_semicolon
#define module_exit(fn) \
static __maybe_unused exitcall_t __module_exit_fn = fn
#define subsys_initcall(fn)	module_init(fn)
#define core_initcall(fn)	module_init(fn)
#define device_initcall(fn)	module_init(fn)

#define __port_nothing(text) struct __port_semicolon
#define MODULE_LICENSE(text)		__port_nothing(text)
#define MODULE_AUTHOR(text)		__port_nothing(text)
#define MODULE_DESCRIPTION(text)	__port_nothing(text)
#define MODULE_VERSION(text)		__port_nothing(text)
#define MODULE_ALIAS(text)		__port_nothing(text)
#define MODULE_SOFTDEP(text)		__port_nothing(text)
#define MODULE_IMPORT_NS(ns)		__port_nothing(ns)
#define MODULE_FIRMWARE(text)		__port_nothing(text)
#define MODULE_INFO(tag, text)		__port_nothing(text)
#define MODULE_DEVICE_TABLE(type, name)	__port_nothing(name)

/* nothing can unload the driver while it is used */
#define __module_get(module)	((void)(module))
#define try_module_get(module)	((void)(module), true)
#define module_put(module)	((void)(module))

#endif /* PORT_LINUX_MODULE_H */
