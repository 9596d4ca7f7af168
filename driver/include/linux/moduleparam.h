/* SPDX-License-Identifier: GPL-2.0-only */
/* Module parameters; a constructor registers each at load time. */
#ifndef PORT_LINUX_MODULEPARAM_H
#define PORT_LINUX_MODULEPARAM_H

#include <linux/init.h>
#include <linux/stat.h>
#include <linux/types.h>

struct kernel_param;

struct kernel_param_ops {
	unsigned int flags;
	int (*set)(const char *val, const struct kernel_param *kp);
	int (*get)(char *buffer, const struct kernel_param *kp);
	void (*free)(void *arg);
};

/*
 * module, name: KBUILD_MODNAME and the parameter. type: "uint", "bool", ...
 * as in the source, or NULL with ops. arg: the variable, of size bytes.
 * perm: of /sys/module/.../parameters. Lives in the driver, never freed.
 */
struct kernel_param {
	const char *module;
	const char *name;
	const char *type;
	const struct kernel_param_ops *ops;
	void *arg;
	size_t size;
	umode_t perm;
	struct kernel_param *next;	/* the implementation's list */
};

struct kernel_param_desc {
	const char *module;
	const char *name;
	const char *description;
	struct kernel_param_desc *next;	/* the implementation's list */
};

/* Called before any guest CPU exists; the structs stay valid. */
void __module_param_register(struct kernel_param *kp);
void __module_param_describe(struct kernel_param_desc *desc);

int param_set_uint(const char *val, const struct kernel_param *kp);
int param_get_uint(char *buffer, const struct kernel_param *kp);
int param_set_int(const char *val, const struct kernel_param *kp);
int param_get_int(char *buffer, const struct kernel_param *kp);
int param_set_bool(const char *val, const struct kernel_param *kp);
int param_get_bool(char *buffer, const struct kernel_param *kp);
int param_set_uint_minmax(const char *val, const struct kernel_param *kp,
			  unsigned int min, unsigned int max);

/* C types behind the names; a variable of another type stops the build */
typedef unsigned char __port_param_byte;
typedef short __port_param_short;
typedef unsigned short __port_param_ushort;
typedef int __port_param_int;
typedef unsigned int __port_param_uint;
typedef unsigned int __port_param_hexint;
typedef long __port_param_long;
typedef unsigned long __port_param_ulong;
typedef unsigned long long __port_param_ullong;
typedef char *__port_param_charp;
typedef bool __port_param_bool;
typedef bool __port_param_invbool;

#define __port_param(_name, _type, _ops, _arg, _size, _perm) \
static struct kernel_param __param_##_name = { \
	.module = KBUILD_MODNAME, \
	.name = #_name, \
	.type = _type, \
	.ops = _ops, \
	.arg = _arg, \
	.size = _size, \
	.perm = _perm, \
}; \
static __port_ctor void __param_register_##_name(void) \
{ \
	__module_param_register(&__param_##_name); \
}

/* The type is pasted at once: as an argument, bool would become _Bool. */
#define module_param_named(_name, _value, _type, _perm) \
	__port_param_typed(_name, _value, __port_param_##_type, #_type, _perm)
#define module_param(_name, _type, _perm) \
	__port_param_typed(_name, _name, __port_param_##_type, #_type, _perm)
#define __port_param_typed(_name, _value, _ctype, _type, _perm) \
_Static_assert(__same_type(_value, _ctype), \
	       "module_param: variable is not of type " _type); \
__port_param(_name, _type, NULL, &_value, sizeof(_value), _perm) \
struct __port_semicolon
#define module_param_cb(_name, _ops, _arg, _perm) \
__port_param(_name, NULL, _ops, (void *)(_arg), 0, _perm) \
struct __port_semicolon

#define MODULE_PARM_DESC(_name, _text) \
static struct kernel_param_desc __param_desc_##_name = { \
	.module = KBUILD_MODNAME, \
	.name = #_name, \
	.description = _text, \
}; \
static __port_ctor void __param_describe_##_name(void) \
{ \
	__module_param_describe(&__param_desc_##_name); \
} \
struct __port_semicolon

#endif /* PORT_LINUX_MODULEPARAM_H */
