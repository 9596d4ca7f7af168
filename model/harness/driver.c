// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* dl_iterate_phdr */
#include "model/harness/driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "model/guest/guest.h"
#include "model/guest/ring_calls.h"
#include "model/harness/suggest.h"
#include "model/hw/lines.h"
#include "sim/digest.h"

/* Where to look for the data of an image: the program itself has no name. */
struct image {
	const char *path;
	int err;
};

static int image_add_segment(uint64_t base, const ElfW(Phdr) *ph)
{
	if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_W) || !ph->p_memsz)
		return 0;
	return lines_add_region(base + ph->p_vaddr, ph->p_memsz);
}

static int image_visit(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct image *image = arg;

	(void)size;
	if (strcmp(info->dlpi_name, image->path))
		return 0;
	for (int i = 0; i < info->dlpi_phnum && !image->err; i++)
		image->err = image_add_segment(info->dlpi_addr,
					       &info->dlpi_phdr[i]);
	return 1;
}

static int image_track(const char *path)
{
	struct image image = { .path = path };

	dl_iterate_phdr(image_visit, &image);
	return image.err;
}

static int driver_hash(const char *path, char *hex, size_t bytes)
{
	FILE *f = fopen(path, "rb");
	struct sim_digest d;
	int c;

	if (!f)
		return -errno;
	sim_digest_init(&d);
	while ((c = getc(f)) != EOF)
		sim_digest_u64(&d, (uint64_t)c);
	fclose(f);
	snprintf(hex, bytes, "%016" PRIx64, sim_digest_value(&d));
	return 0;
}

static int driver_describe(const struct scenario_config *cfg,
			   const char *path, struct result *out)
{
	char hex[17];
	int err = driver_hash(path, hex, sizeof(hex));

	if (err)
		return err;
	result_set(&out->driver.source, cfg->driver.source);
	result_set(&out->driver.hash, hex);
	result_set(&out->driver.compiler, VBLKSIM_DRIVER_COMPILER);
	result_set(&out->driver.flags, VBLKSIM_DRIVER_CFLAGS);
	return 0;
}

static bool driver_find(void *image, const char *name, void *pointer)
{
	void *symbol = dlsym(image, name);

	memcpy(pointer, &symbol, sizeof(symbol));
	return symbol;
}

static bool driver_symbol(void *image, const char *name, void *pointer,
			  FILE *err)
{
	if (driver_find(image, name, pointer))
		return true;
	fprintf(err, "vblksim: the driver has no function %s\n", name);
	return false;
}

static int driver_bind(void *image, FILE *err)
{
	static struct virtio_ring_calls calls;

#define DRIVER_BIND(field, symbol)					\
	if (!driver_symbol(image, #symbol, &calls.field, err))		\
		return -ENOEXEC;
	VIRTIO_RING_CALLS(DRIVER_BIND)
#undef DRIVER_BIND
#define DRIVER_BIND(field, symbol) driver_find(image, #symbol, &calls.field);
	VIRTIO_RING_CALLS_OPTIONAL(DRIVER_BIND)
#undef DRIVER_BIND
	virtio_pci_set_ring(&calls);
	return 0;
}

static void driver_say_param(const struct scenario_config *cfg,
			     const struct scenario_param *p, int error,
			     FILE *err)
{
	struct suggest near;
	const char *name;

	if (error != -ENOENT) {
		fprintf(err, "vblksim: driver parameter %s: the driver refuses '%s'\n",
			p->name, p->value);
		return;
	}
	fprintf(err, "vblksim: the driver %s has no parameter '%s'",
		cfg->driver.source, p->name);
	suggest_init(&near, p->name);
	for (uint32_t i = 0; (name = guest_param_name(i)); i++)
		suggest_offer(&near, name);
	if (suggest_result(&near))
		fprintf(err, "; did you mean '%s'?", suggest_result(&near));
	fputc('\n', err);
}

static int driver_check_params(const struct scenario_config *cfg, FILE *err)
{
	int result = 0;

	for (uint32_t i = 0; i < cfg->driver.params_nr; i++) {
		const struct scenario_param *p = &cfg->driver.params[i];
		int error = guest_param_check(p->name, p->value);

		if (!error)
			continue;
		driver_say_param(cfg, p, error, err);
		result = -EINVAL;
	}
	return result;
}

int driver_load(const struct scenario_config *cfg, struct result *out,
		FILE *err)
{
	const char *path = cfg->driver.source;
	void *image;
	int error;

	if (!strcmp(path, "bundled"))
		path = VBLKSIM_BUNDLED_DRIVER;
	image = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!image) {
		fprintf(err, "vblksim: cannot load the driver: %s\n",
			dlerror());
		return -ENOEXEC;
	}
	error = driver_describe(cfg, path, out);
	if (!error)
		error = driver_bind(image, err);
	if (!error)
		error = image_track("");
	if (!error)
		error = image_track(path);
	return error ? error : driver_check_params(cfg, err);
}
