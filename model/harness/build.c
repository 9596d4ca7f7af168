// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <vblksim-config.h>

#include "model/harness/build_cache.h"
#include "model/harness/compile.h"
#include "model/harness/driver_check.h"
#include "model/harness/port.h"
#include "model/harness/workdir.h"

#define BUILD_VERSION	"vblksim-driver 2"
#define BUILD_OBJECT	"driver.so"
#define BUILD_TEXT(name)	BUILD_TEXT_OF(name)
#define BUILD_TEXT_OF(name)	#name

/* The bundled ring; driver/CMakeLists.txt has the same list. */
static const char *const build_ring[] = {
	"virtio_ring.c", "virtio_ring_split.c", "virtio_ring_packed.c"
};

#define BUILD_RING_NR	(sizeof(build_ring) / sizeof(*build_ring))
#define BUILD_RING_HEADER	"virtio_ring_impl.h"

/* One part, or those of the bundled ring, from RING on. */
enum { BLK, RING, PARTS_MAX = RING + BUILD_RING_NR };

struct part {
	struct compile_source source;
	const char *profile;
	const char *object;		/* relative to the work folder; NULL: left out */
};

struct build {
	const struct build_request *request;
	struct port port;
	struct compiler cc;
	struct workdir *w;
	struct part part[PARTS_MAX];
	unsigned int parts_nr;
	struct compile_source ring_header;	/* of the bundled ring */
	char ring_hash[SHA256_HEX_BYTES];
	char key[SHA256_HEX_BYTES];
	struct driver_info *info;
	struct arena *a;
	FILE *err;
};

/*
 * What comes on top of the sources, in C. The compiler may call the four memory
 * functions by itself, for a large structure; what they touch is charged
 * where the compiler's instrumentation says so, and libc's must not be bound.
 * Data begins on a cache line, so that which variables share one does not
 * depend on how long the tables of the linker are.
 */
static const char build_extra[] =
	"#define HIDDEN __attribute__((visibility(\"hidden\")))\n"
	"typedef __SIZE_TYPE__ size_t;\n"
	"HIDDEN void *memcpy(void *to, const void *from, size_t n)\n"
	"{\n"
	"	char *t = to;\n"
	"	const char *f = from;\n"
	"	while (n--)\n"
	"		*t++ = *f++;\n"
	"	return to;\n"
	"}\n"
	"HIDDEN void *memmove(void *to, const void *from, size_t n)\n"
	"{\n"
	"	char *t = to;\n"
	"	const char *f = from;\n"
	"	if (t <= f)\n"
	"		return memcpy(to, from, n);\n"
	"	while (n--)\n"
	"		t[n] = f[n];\n"
	"	return to;\n"
	"}\n"
	"HIDDEN void *memset(void *to, int c, size_t n)\n"
	"{\n"
	"	char *t = to;\n"
	"	while (n--)\n"
	"		*t++ = (char)c;\n"
	"	return to;\n"
	"}\n"
	"HIDDEN int memcmp(const void *a, const void *b, size_t n)\n"
	"{\n"
	"	const unsigned char *x = a, *y = b;\n"
	"	for (; n; n--, x++, y++)\n"
	"		if (*x != *y)\n"
	"			return *x < *y ? -1 : 1;\n"
	"	return 0;\n"
	"}\n"
	"__asm__(\".section .data.rel.ro,\\\"aw\\\"\\n.balign 64\\n\"\n"
	"	\".data\\n.balign 64\\n.bss\\n.balign 64\\n.text\\n\");\n";

static const char *const build_extra_flags[] = {
	"-std=gnu11", "-O2", "-nostdinc", "-fPIC", "-ffreestanding",
	"-fno-builtin", "-fno-tree-loop-distribute-patterns",
	"-fno-stack-protector", "-fcf-protection=none", NULL
};

static const char *const build_link_flags[] = {
	"-shared", "-nostdlib", "-Wl,--build-id=sha1", "-Wl,-z,noexecstack",
	"-Wl,-Bsymbolic", "-Wl,-soname," BUILD_OBJECT, NULL
};

/* Reading. */

static bool build_ring_is_bundled(const struct build *b)
{
	return !strcmp(b->request->ring, BUILD_BUNDLED);
}

static int build_read_bundled(struct build *b, struct compile_source *s,
			      const char *name)
{
	return compile_source_read(s, arena_format(b->a, "%s/driver/%s",
						   VBLKSIM_SOURCE_DIR, name),
				   b->a, b->err);
}

/* One for the ring, as cmake/driver-description.cmake makes it. */
static void build_hash_ring(struct build *b)
{
	struct sha256 s;
	unsigned int i;

	sha256_init(&s);
	for (i = RING; i < b->parts_nr; i++) {
		sha256_add(&s, b->part[i].source.hash, SHA256_HEX_BYTES - 1);
		sha256_add(&s, "\n", 1);
	}
	sha256_add(&s, b->ring_header.hash, SHA256_HEX_BYTES - 1);
	sha256_add(&s, "\n", 1);
	sha256_hex(&s, b->ring_hash);
}

/* The header is read like a source. */
static int build_read_bundled_ring(struct build *b)
{
	unsigned int i;
	int ret = build_read_bundled(b, &b->ring_header, BUILD_RING_HEADER);

	for (i = 0; !ret && i < BUILD_RING_NR; i++) {
		struct compile_source *s = &b->part[b->parts_nr++].source;

		ret = build_read_bundled(b, s, build_ring[i]);
		s->has_local = false;	/* it is in the key */
	}
	if (!ret)
		build_hash_ring(b);
	return ret;
}

static int build_read_ring(struct build *b)
{
	struct compile_source *s = &b->part[RING].source;
	int ret;

	if (build_ring_is_bundled(b))
		return build_read_bundled_ring(b);
	ret = compile_source_read(s, b->request->ring, b->a, b->err);
	b->parts_nr++;
	memcpy(b->ring_hash, s->hash, sizeof(b->ring_hash));
	return ret;
}

static int build_read(struct build *b)
{
	const char *blk = b->request->blk;
	int ret;

	b->parts_nr = RING;
	ret = strcmp(blk, BUILD_BUNDLED) ?
	      compile_source_read(&b->part[BLK].source, blk, b->a, b->err) :
	      build_read_bundled(b, &b->part[BLK].source, "virtio_blk.c");
	return ret || build_read_ring(b) ? -EINVAL : 0;
}

static int build_check_profile(struct build *b)
{
	const char *wanted = b->request->profile;
	struct suggest near;
	uint32_t i;

	if (!wanted || port_has_profile(&b->port, wanted))
		return 0;
	suggest_init(&near, wanted);
	fprintf(b->err, "vblksim: no profile '%s' of the port; there are:",
		wanted);
	for (i = 0; i < b->port.profiles_nr; i++) {
		fprintf(b->err, " %s", b->port.profile[i]);
		suggest_offer(&near, b->port.profile[i]);
	}
	if (suggest_result(&near))
		fprintf(b->err, "; did you mean '%s'?", suggest_result(&near));
	fputc('\n', b->err);
	return -EINVAL;
}

/* Everything that decides the bytes of the result, and nothing else. */
static int build_make_key(struct build *b)
{
	struct sha256 s;
	unsigned int i;
	int ret;

	sha256_init(&s);
	sha256_add_text(&s, BUILD_VERSION);
	for (i = 0; i < b->parts_nr; i++) {
		sha256_add_text(&s, b->part[i].source.name);
		sha256_add_text(&s, b->part[i].source.hash);
	}
	/* a ring that is not asked for may be left out */
	sha256_add_text(&s, build_ring_is_bundled(b) ? b->ring_header.hash :
						       "own");
	sha256_add_text(&s, b->request->profile ? b->request->profile : "");
	sha256_add_text(&s, compile_flags());
	sha256_add_text(&s, b->cc.name);
	sha256_add_text(&s, build_extra);
	for (i = 0; build_link_flags[i]; i++)
		sha256_add_text(&s, build_link_flags[i]);
	ret = port_hash(&b->port, &s);
	sha256_hex(&s, b->key);
	return ret;
}

/* Compiling and linking. */

static int build_make_folder(struct build *b, const char *folder,
			     bool needs_header)
{
	const struct compile_source *header = &b->ring_header;
	int ret = workdir_mkdir(b->w, folder);

	if (ret || !needs_header)
		return ret;
	return workdir_write(b->w, arena_format(b->a, "%s/" BUILD_RING_HEADER,
						folder),
			     header->text, header->bytes);
}

static int build_compile(struct build *b, unsigned int nr)
{
	struct part *part = &b->part[nr];
	struct compile_job job = {
		.cc = &b->cc,
		.port = &b->port,
		.w = b->w,
		.source = &part->source,
		.folder = nr == BLK ? "blk" : nr == RING ? "ring" :
			  arena_format(b->a, "ring%u", nr),
		/* One ring, one profile */
		.wanted = nr > RING ? b->part[RING].profile :
				      b->request->profile,
		.first = nr == BLK ? NULL : b->part[BLK].profile,
		.a = b->a,
		.err = b->err,
	};
	int ret = build_make_folder(b, job.folder,
				    nr != BLK && build_ring_is_bundled(b));

	if (!ret)
		ret = compile_run(&job);
	part->profile = job.used;
	part->object = arena_format(b->a, "%s/%s", job.folder, job.object);
	return ret;
}

/* Does the blk part bring the ring's functions along? */
static bool build_has_ring(struct build *b)
{
	struct elf_image image;
	bool has;

	if (elf_image_read(&image, arena_format(b->a, "%s/%s", b->w->path,
						b->part[BLK].object)))
		return false;
	has = elf_image_defines(&image, "vring_create_virtqueue");
	elf_image_fini(&image);
	return has;
}

static int build_compile_all(struct build *b)
{
	int ret = build_compile(b, BLK);
	bool has_ring = !ret && build_has_ring(b);
	unsigned int i;

	if (has_ring && !build_ring_is_bundled(b)) {
		fprintf(b->err, "vblksim: %s has the ring's functions itself: leave %s out\n",
			b->part[BLK].source.shown, b->part[RING].source.shown);
		return -EINVAL;
	}
	for (i = RING; !ret && !has_ring && i < b->parts_nr; i++)
		ret = build_compile(b, i);
	return ret;
}

static const char *build_quote(const char *text, struct arena *a)
{
	char *quoted = arena_alloc(a, 4 * strlen(text) + 1);
	char *to = quoted;

	/* octal, and of three digits: nothing after it can join */
	for (; *text; text++)
		to += sprintf(to, strchr("\"\\\n?", *text) ? "\\%03o" : "%c",
			      (unsigned char)*text);
	return quoted;
}

static void build_describe(struct build *b)
{
	const struct part *blk = &b->part[BLK];
	const struct part *ring = &b->part[RING];

	*b->info = (struct driver_info){
		.source = arena_string(b->a, blk->source.name),
		.source_hash = arena_string(b->a, blk->source.hash),
		.profile = blk->profile,
		.compiler = b->cc.name,
		.flags = compile_flags(),
		.key = arena_string(b->a, b->key),
	};
	if (!ring->object)
		return;
	b->info->ring = arena_string(b->a, ring->source.name);
	b->info->ring_hash = arena_string(b->a, b->ring_hash);
	b->info->ring_profile = ring->profile;
}

/* Run the compiler; its words are for the user only if it fails. */
static int build_step(struct build *b, const char *const *argv,
		      const char *what)
{
	char *output;
	int ret = workdir_run(b->w, ".", argv, &output);

	if (ret && ret != -EINTR) {
		fprintf(b->err, "vblksim: %s: %s\n",
			b->part[BLK].source.shown, what);
		fputs(ret > 0 && output ? output : "", b->err);
	}
	free(output);
	return ret > 0 ? -EINVAL : ret;
}

static int build_extra_object(struct build *b)
{
	const char *argv[32] = { b->cc.program };
	const char *text;
	unsigned int nr = 1;
	unsigned int i;
	int ret;

	text = arena_format(b->a, "%sextern const char " BUILD_TEXT(DRIVER_INFO_SYMBOL)
			    "[];\nconst char " BUILD_TEXT(DRIVER_INFO_SYMBOL)
			    "[] = \"%s\";\n", build_extra,
			    build_quote(driver_info_print(b->info, b->a),
					b->a));
	ret = workdir_write(b->w, "extra.c", text, strlen(text));
	if (ret)
		return ret;
	for (i = 0; build_extra_flags[i]; i++)
		argv[nr++] = build_extra_flags[i];
	argv[nr++] = "-c";
	argv[nr++] = "extra.c";
	argv[nr++] = "-o";
	argv[nr++] = "extra.o";
	return build_step(b, argv, "its description does not compile");
}

static int build_link(struct build *b)
{
	const char *argv[32] = { b->cc.program };
	unsigned int nr = 1;
	unsigned int i;

	for (i = 0; build_link_flags[i]; i++)
		argv[nr++] = build_link_flags[i];
	argv[nr++] = "-o";
	argv[nr++] = BUILD_OBJECT;
	for (i = 0; i < b->parts_nr; i++)
		if (b->part[i].object)
			argv[nr++] = b->part[i].object;
	argv[nr++] = "extra.o";
	return build_step(b, argv, "cannot be linked with the ring");
}

static int build_check(struct build *b, const char *path, const char *name)
{
	struct elf_image image;
	const char *wrong = elf_image_read(&image, path);
	int ret;

	if (wrong) {
		fprintf(b->err, "vblksim: %s: %s\n", name, wrong);
		return -EINVAL;
	}
	ret = driver_check(&image, name, b->err);
	elf_image_fini(&image);
	return ret ? -EINVAL : 0;
}

static int build_make(struct build *b)
{
	int ret = build_compile_all(b);

	if (ret)
		return ret;
	build_describe(b);
	ret = build_extra_object(b);
	if (!ret)
		ret = build_link(b);
	return ret ? ret : build_check(b, arena_format(b->a, "%s/" BUILD_OBJECT,
						       b->w->path),
				       b->part[BLK].source.shown);
}

/* Placing. */

static bool build_is_source(const struct build *b, const char *output)
{
	struct stat out;
	struct stat in;
	unsigned int i;

	if (stat(output, &out))
		return false;
	for (i = 0; i < b->parts_nr; i++)
		if (!stat(b->part[i].source.path, &in) &&
		    in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return true;
	return false;
}

static int build_deliver(struct build *b, const char *from, const char *output)
{
	int ret = build_cache_copy(from, output, b->a);

	if (ret)
		fprintf(b->err, "vblksim: %s: cannot be written: %s\n",
			compile_shown(output, b->a), strerror(-ret));
	return ret ? -EINVAL : 0;
}

/* Where the cache has it or should; NULL: no cache for this. */
static const char *build_cache_for(const struct build *b)
{
	unsigned int i;

	if (b->request->keep)
		return NULL;
	for (i = 0; i < b->parts_nr; i++)
		if (b->part[i].source.has_local)
			return NULL;
	return build_cache_path(b->key, b->a);
}

static int build_new(struct build *b, const char *cached, const char **made)
{
	int ret = build_make(b);

	if (ret)
		return ret;
	*made = arena_format(b->a, "%s/" BUILD_OBJECT, b->w->path);
	/* a full disk, say, costs the cache and not the run */
	if (cached && !build_cache_copy(*made, cached, b->a))
		*made = cached;
	return 0;
}

static int build_prepare(struct build *b)
{
	const char *program = b->request->compiler;
	int ret = build_read(b);

	if (!ret)
		ret = port_open(&b->port, b->request->port, b->a, b->err);
	if (!ret)
		ret = build_check_profile(b);
	if (ret)
		return ret;
	b->w = workdir_create(b->err);
	if (!b->w)
		return -EINVAL;
	b->w->keep = b->request->keep;
	b->w->log = b->request->log;
	ret = compiler_find(&b->cc, program ? program : VBLKSIM_DRIVER_CC,
			    b->w, b->a, b->err);
	if (ret)
		return ret == -EINTR ? ret : -EINVAL;
	return build_make_key(b);
}

static int build_run(struct build *b, const char *output, const char **path)
{
	const char *cached;
	const char *made;
	int ret = build_prepare(b);

	if (ret)
		return ret;
	if (output && build_is_source(b, output)) {
		fprintf(b->err, "vblksim: %s: is a source of the driver; nothing was written\n",
			compile_shown(output, b->a));
		return -EINVAL;
	}
	cached = build_cache_for(b);
	made = cached;
	if (cached && build_cache_holds(cached, b->key, b->info, b->a))
		ret = build_check(b, cached, b->part[BLK].source.shown);
	else
		ret = build_new(b, cached, &made);
	if (!ret && output)
		ret = build_deliver(b, made, output);
	*path = output ? output : made;
	return ret;
}

int build_driver(const struct build_request *request, const char *output,
		 const char **path, struct driver_info *info, struct arena *a,
		 FILE *err)
{
	struct build b = {
		.request = request, .info = info, .a = a, .err = err
	};
	bool used;
	int ret;

	*path = NULL;
	workdir_catch_signals();
	ret = build_run(&b, output, path);
	used = !ret && b.w && !strncmp(*path, b.w->path, strlen(b.w->path));
	if (b.w && request->keep)
		fprintf(err, "vblksim: kept %s\n", b.w->path);
	if (!used)
		workdir_destroy(b.w);
	workdir_release_signals();
	return ret;
}
