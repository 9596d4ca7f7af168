// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* dladdr, RTLD_DEFAULT */
#include "model/harness/driver_check.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/guest/ring_calls.h"

#define CHECK_ERRORS_MAX	20u

struct check {
	const struct elf_image *image;
	const char *name;
	FILE *err;
	uint32_t errors_nr;
};

static int check_compare(const void *key, const void *element)
{
	return strcmp(key, *(const char *const *)element);
}

bool driver_symbol_known(const char *name)
{
	return bsearch(name, driver_symbols, driver_symbols_nr,
		       sizeof(*driver_symbols), check_compare);
}

void driver_symbols_offer(struct suggest *near)
{
	size_t i;

	for (i = 0; i < driver_symbols_nr; i++)
		suggest_offer(near, driver_symbols[i]);
}

/* Count an error; should it be printed? */
static bool check_error(struct check *c)
{
	if (c->errors_nr++ >= CHECK_ERRORS_MAX)
		return false;
	fprintf(c->err, "vblksim: %s: ", c->name);
	return true;
}

static bool check_is_ours(const void *address)
{
	Dl_info ours;
	Dl_info theirs;

	return dladdr(driver_symbols, &ours) && dladdr(address, &theirs) &&
	       ours.dli_fbase == theirs.dli_fbase;
}

static void check_say_unknown(struct check *c, const char *name)
{
	struct suggest near;

	fprintf(c->err, "the guest kernel has no function '%s'", name);
	suggest_init(&near, name);
	driver_symbols_offer(&near);
	if (suggest_result(&near))
		fprintf(c->err, "; did you mean '%s'?", suggest_result(&near));
	fputc('\n', c->err);
}

static void check_wanted(struct check *c, const char *name)
{
	const void *address;

	if (driver_symbol_known(name) || !check_error(c))
		return;
	address = dlsym(RTLD_DEFAULT, name);
	if (!address)
		check_say_unknown(c, name);
	else if (check_is_ours(address))
		fprintf(c->err, "uses '%s', which is the simulator's own and no function of the guest kernel\n",
			name);
	else
		fprintf(c->err, "uses '%s' of the C library: it was not compiled against the port's headers\n",
			name);
}

/* Its own @name would lose against ours, in its own calls, too. */
static void check_defined(struct check *c, const char *name)
{
	if (elf_image_is_symbolic(c->image) || !dlsym(RTLD_DEFAULT, name) ||
	    !check_error(c))
		return;
	fprintf(c->err, "defines '%s', which the simulator has, too: link it with -Wl,-Bsymbolic\n",
		name);
}

static void check_symbols(struct check *c)
{
	struct elf_image_symbol symbol;
	uint32_t at = 0;

	while (elf_image_next(c->image, &at, &symbol)) {
		if (symbol.defined)
			check_defined(c, symbol.name);
		else
			check_wanted(c, symbol.name);
	}
}

static void check_libraries(struct check *c)
{
	const char *library;
	uint32_t i;

	for (i = 0; (library = elf_image_library(c->image, i)); i++)
		if (check_error(c))
			fprintf(c->err, "asks for the library %s: a driver is linked with -nostdlib\n",
				library);
}

static void check_ring(struct check *c)
{
	const char *first = NULL;
	uint32_t missing_nr = 0;

#define CHECK_RING(field, symbol)					\
	if (!elf_image_defines(c->image, #symbol) && !missing_nr++)	\
		first = #symbol;
	VIRTIO_RING_CALLS(CHECK_RING)
#undef CHECK_RING
	if (missing_nr && check_error(c))
		fprintf(c->err, "has no ring: %s%s, which virtio_ring.c has, %s missing\n",
			first, missing_nr > 1 ? " and others" : "",
			missing_nr > 1 ? "are" : "is");
}

static void check_entry(struct check *c)
{
	if (!elf_image_wants(c->image, "__module_register") && check_error(c))
		fputs("not a driver: it has no module_init()\n", c->err);
	else if (!elf_image_wants(c->image, "__register_virtio_driver") &&
		 check_error(c))
		fputs("not a virtio driver: it does not call register_virtio_driver()\n",
		      c->err);
}

int driver_check(const struct elf_image *image, const char *name, FILE *err)
{
	struct check c = { .image = image, .name = name, .err = err };

	if (!elf_image_is_shared(image)) {
		fprintf(err, "vblksim: %s: an object file is not a driver; give its C source\n",
			name);
		return -ENOEXEC;
	}
	check_libraries(&c);
	/* a program's other faults would fill pages */
	if (!c.errors_nr) {
		check_symbols(&c);
		check_entry(&c);
		check_ring(&c);
	}
	if (c.errors_nr > CHECK_ERRORS_MAX)
		fprintf(err, "vblksim: %s: and %u more\n", name,
			c.errors_nr - CHECK_ERRORS_MAX);
	return c.errors_nr ? -ENOEXEC : 0;
}
