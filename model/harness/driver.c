// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* dl_iterate_phdr */
#include "model/harness/driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vblksim-config.h>

#include "model/guest/guest.h"
#include "model/guest/ring_calls.h"
#include "model/harness/build.h"
#include "model/harness/compile.h"
#include "model/harness/driver_check.h"
#include "model/harness/driver_info.h"
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

/*
 * What was found or built for a scenario's words.
 * @path: of the shared object, absolute
 * @built: from sources, by us
 */
struct driver {
	const char *source;
	const char *ring;
	const char *folder;
	const char *path;
	bool built;
	struct driver_info info;
	struct driver *next;
};

/* They live as long as the process. */
static struct {
	struct arena a;
	struct driver *first;
} drivers;

/* The folder of the scenario's file, with a slash; "": this one. */
static const char *driver_folder(const struct scenario_config *cfg,
				 struct arena *a)
{
	const char *slash = cfg->path ? strrchr(cfg->path, '/') : NULL;

	return slash ? arena_text(a, cfg->path,
				  (size_t)(slash + 1 - cfg->path)) : "";
}

static const char *driver_locate(const struct driver *d, const char *name,
				 struct arena *a)
{
	if (*name == '/' || !strcmp(name, BUILD_BUNDLED))
		return name;
	return arena_format(a, "%s%s", d->folder, name);
}

static bool driver_is_elf(const char *path)
{
	char magic[SELFMAG];
	struct stat st;
	/* opening a pipe would wait for somebody to write */
	FILE *f = !stat(path, &st) && S_ISREG(st.st_mode) ? fopen(path, "rbe") :
							    NULL;
	bool is = f && fread(magic, sizeof(magic), 1, f) == 1 &&
		  elf_image_is_elf(magic, sizeof(magic));

	if (f)
		fclose(f);
	return is;
}

static bool driver_is_c(const char *path)
{
	size_t length = strlen(path);

	return length > 2 && !strcmp(path + length - 2, ".c");
}

#define DRIVER_TEXT(name)	DRIVER_TEXT_OF(name)
#define DRIVER_TEXT_OF(name)	#name

static int driver_open(struct driver *d, const char *path, FILE *err)
{
	const char *shown = compile_shown(path, &drivers.a);
	char *whole = realpath(path, NULL);
	struct elf_image image;
	const char *wrong = whole ? elf_image_read(&image, whole) :
				    strerror(errno);
	const char *text;
	int ret;

	if (wrong) {
		fprintf(err, "vblksim: %s: cannot be loaded as a driver: %s\n",
			shown, wrong);
		free(whole);
		return -EINVAL;
	}
	d->path = arena_string(&drivers.a, whole);
	free(whole);
	text = elf_image_text(&image, DRIVER_TEXT(DRIVER_INFO_SYMBOL));
	driver_info_parse(&d->info, text ? text : "", &drivers.a);
	ret = driver_check(&image, shown, err);
	elf_image_fini(&image);
	return ret ? -EINVAL : 0;
}

static int driver_build(struct driver *d, const char *blk, FILE *err)
{
	const struct build_request request = {
		.blk = blk,
		.ring = driver_locate(d, d->ring, &drivers.a),
	};

	d->built = true;
	return build_driver(&request, NULL, &d->path, &d->info, &drivers.a,
			    err);
}

static int driver_make(struct driver *d, FILE *err)
{
	const char *blk = driver_locate(d, d->source, &drivers.a);
	bool own_ring = strcmp(d->ring, BUILD_BUNDLED);

	if (!strcmp(blk, BUILD_BUNDLED))
		return own_ring ? driver_build(d, blk, err) :
				  driver_open(d, VBLKSIM_BUNDLED_DRIVER, err);
	if (driver_is_elf(blk)) {
		if (!own_ring)
			return driver_open(d, blk, err);
		fprintf(err, "vblksim: driver.ring: %s is built already and has its ring inside\n",
			compile_shown(blk, &drivers.a));
		return -EINVAL;
	}
	if (driver_is_c(blk))
		return driver_build(d, blk, err);
	if (access(blk, R_OK))
		fprintf(err, "vblksim: %s: cannot be read: %s\n",
			compile_shown(blk, &drivers.a), strerror(errno));
	else
		fprintf(err, "vblksim: driver.source: %s is neither C source (.c) nor a driver that was built (see `vblksim help build-driver`)\n",
			compile_shown(blk, &drivers.a));
	return -EINVAL;
}

/* Other code has other accesses, and so other results. */
static void driver_compare_compiler(const struct driver *d, FILE *err)
{
	if (d->info.compiler && strcmp(d->info.compiler, VBLKSIM_DRIVER_COMPILER))
		fprintf(err, "vblksim: note: %s was compiled by %s, the bundled driver by %s: do not compare their results\n",
			compile_shown(d->source, &drivers.a), d->info.compiler,
			VBLKSIM_DRIVER_COMPILER);
}

static struct driver *driver_known(const struct driver *wanted)
{
	struct driver *d;

	for (d = drivers.first; d; d = d->next)
		if (!strcmp(d->source, wanted->source) &&
		    !strcmp(d->ring, wanted->ring) &&
		    !strcmp(d->folder, wanted->folder))
			return d;
	return NULL;
}

static int driver_get(const struct scenario_config *cfg, struct driver **out,
		      FILE *err)
{
	struct driver *d = arena_alloc(&drivers.a, sizeof(*d));
	int ret;

	d->source = arena_string(&drivers.a, cfg->driver.source);
	d->ring = arena_string(&drivers.a, cfg->driver.ring ?
			       cfg->driver.ring : BUILD_BUNDLED);
	d->folder = driver_folder(cfg, &drivers.a);
	*out = driver_known(d);
	if (*out)
		return 0;
	ret = driver_make(d, err);
	if (ret)
		return ret;
	driver_compare_compiler(d, err);
	d->next = drivers.first;
	drivers.first = d;
	*out = d;
	return 0;
}

int driver_prepare(const struct scenario_config *cfg, FILE *err)
{
	struct driver *d;

	return driver_get(cfg, &d, err);
}

static void driver_set(char **field, const char *text)
{
	result_set(field, text ? text : "unknown");
}

/*
 * As the scenario names it, if it was compiled for that; a driver may have its
 * ring inside its own source, and a built one cannot have another.
 */
static const char *driver_ring_name(const struct driver *d)
{
	if (!d->info.key)
		return "unknown";
	if (!d->info.ring)
		return "";
	return d->built || !strcmp(d->source, BUILD_BUNDLED) ? d->ring :
							       d->info.ring;
}

static int driver_describe(const struct driver *d, struct result *out)
{
	const struct driver_info *info = &d->info;
	char hex[17];
	int err = driver_hash(d->path, hex, sizeof(hex));

	if (err)
		return err;
	result_set(&out->driver.source, d->source);
	result_set(&out->driver.hash, hex);
	result_set(&out->driver.ring, driver_ring_name(d));
	driver_set(&out->driver.source_hash, info->source_hash);
	driver_set(&out->driver.profile, info->profile);
	driver_set(&out->driver.compiler, info->compiler);
	driver_set(&out->driver.flags, info->flags);
	if (info->key && !info->ring)
		return 0;
	driver_set(&out->driver.ring_hash, info->ring_hash);
	driver_set(&out->driver.ring_profile, info->ring_profile);
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

/*
 * A scenario that was written for one driver can be run with another: then the
 * parameters that only the first one has do not count.
 */
static bool driver_param_is_other(const struct scenario_config *cfg,
				  const struct scenario_param *p, int error)
{
	return error == -ENOENT && cfg->driver.source_from_set && !p->from_set;
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
	if (driver_param_is_other(cfg, p, error))
		fputs(", so the scenario's does not count", err);
	else if (suggest_result(&near))
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
		if (!driver_param_is_other(cfg, p, error))
			result = -EINVAL;
	}
	return result;
}

int driver_load(const struct scenario_config *cfg, struct result *out,
		FILE *err)
{
	struct driver *d;
	void *image;
	int error = driver_get(cfg, &d, err);

	if (error)
		return error;
	image = dlopen(d->path, RTLD_NOW | RTLD_LOCAL);
	if (!image) {
		fprintf(err, "vblksim: cannot load the driver: %s\n",
			dlerror());
		return -ENOEXEC;
	}
	error = driver_describe(d, out);
	if (!error)
		error = driver_bind(image, err);
	if (!error)
		error = image_track("");
	if (!error)
		error = image_track(d->path);
	return error ? error : driver_check_params(cfg, err);
}
