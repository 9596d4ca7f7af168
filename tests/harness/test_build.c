// SPDX-License-Identifier: GPL-2.0-only
/* Hashes, ELF files, descriptions, the port as files: what building rests on. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vblksim-config.h>

#include "model/harness/build.h"
#include "model/harness/build_cache.h"
#include "model/harness/driver_check.h"
#include "model/harness/elf_image.h"
#include "model/harness/port.h"
#include "model/harness/sha256.h"

#define DESCRIPTION	"vblksim_driver_description"

static struct arena arena;
static char folder[64];

static void setup(void)
{
	arena_init(&arena);
	strcpy(folder, "/tmp/test_build-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	setenv("XDG_CACHE_HOME", folder, 1);
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
	arena_fini(&arena);
}

static const char *in_folder(const char *name)
{
	return arena_format(&arena, "%s/%s", folder, name);
}

static void write_file(const char *path, const void *data, size_t bytes)
{
	FILE *f = fopen(path, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(data, 1, bytes, f), bytes);
	ck_assert_int_eq(fclose(f), 0);
}

/* Examples of FIPS 180-4 and its predecessors. */
START_TEST(sha256_is_the_standard)
{
	static const char million_hash[] =
		"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
	char hex[SHA256_HEX_BYTES];
	struct sha256 s;
	int i;

	sha256_of("", 0, hex);
	ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	sha256_of("abc", 3, hex);
	ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  56, hex);
	ck_assert_str_eq(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	sha256_init(&s);
	for (i = 0; i < 100000; i++)
		sha256_add(&s, "aaaaaaaaaa", 10);
	sha256_hex(&s, hex);
	ck_assert_str_eq(hex, million_hash);
}
END_TEST

START_TEST(texts_do_not_run_together)
{
	char hex[2][SHA256_HEX_BYTES];
	struct sha256 s;

	sha256_init(&s);
	sha256_add_text(&s, "ab");
	sha256_add_text(&s, "c");
	sha256_hex(&s, hex[0]);
	sha256_init(&s);
	sha256_add_text(&s, "a");
	sha256_add_text(&s, "bc");
	sha256_hex(&s, hex[1]);
	ck_assert_str_ne(hex[0], hex[1]);
}
END_TEST

START_TEST(bundled_driver_passes_and_is_described)
{
	struct driver_info info;
	struct elf_image image;

	ck_assert_ptr_null(elf_image_read(&image, VBLKSIM_BUNDLED_DRIVER));
	ck_assert(elf_image_is_shared(&image));
	ck_assert(elf_image_is_symbolic(&image));
	ck_assert(elf_image_defines(&image, "vring_interrupt"));
	ck_assert(!elf_image_wants(&image, "vring_interrupt"));
	ck_assert(elf_image_wants(&image, "__module_register"));
	ck_assert_ptr_null(elf_image_library(&image, 0));
	ck_assert_int_eq(driver_check(&image, "bundled", stderr), 0);
	driver_info_parse(&info, elf_image_text(&image, DESCRIPTION), &arena);
	ck_assert_str_eq(info.source, "virtio_blk.c");
	ck_assert_str_eq(info.ring, "virtio_ring.c");
	ck_assert_uint_eq(strlen(info.source_hash), 64);
	ck_assert_str_eq(info.compiler, VBLKSIM_DRIVER_COMPILER);
	ck_assert_str_eq(info.flags, VBLKSIM_DRIVER_CFLAGS);
	elf_image_fini(&image);
}
END_TEST

/* Use everything of an image; AddressSanitizer judges. */
static void look_at_all(const struct elf_image *image)
{
	struct elf_image_symbol symbol;
	uint32_t at = 0;
	uint32_t i;

	while (elf_image_next(image, &at, &symbol))
		ck_assert_uint_lt(strlen(symbol.name), image->bytes);
	for (i = 0; elf_image_library(image, i); i++)
		;
	elf_image_is_symbolic(image);
	elf_image_text(image, DESCRIPTION);
}

static void read_damaged(const char *path)
{
	struct elf_image image;

	if (elf_image_read(&image, path)) {
		ck_assert_ptr_null(image.data);
		return;
	}
	look_at_all(&image);
	elf_image_fini(&image);
}

START_TEST(files_that_end_early_are_read_within_their_bounds)
{
	const char *path = in_folder("damaged");
	struct elf_image whole;
	size_t i;

	ck_assert_ptr_null(elf_image_read(&whole, VBLKSIM_BUNDLED_DRIVER));
	for (i = 0; i < whole.bytes; i = i * 5 / 4 + 1) {
		write_file(path, whole.data, i);
		read_damaged(path);
	}
	elf_image_fini(&whole);
}
END_TEST

/* Every byte of the header and of all section headers. */
START_TEST(damaged_files_are_read_within_their_bounds)
{
	const char *path = in_folder("damaged");
	struct elf_image whole;
	size_t sections;
	size_t i;
	int fd;

	ck_assert_ptr_null(elf_image_read(&whole, VBLKSIM_BUNDLED_DRIVER));
	sections = whole.header->e_shoff;
	write_file(path, whole.data, whole.bytes);
	fd = open(path, O_RDWR);
	for (i = 0; i < whole.bytes; i = i + 1 == 64 ? sections : i + 1) {
		ck_assert_int_eq(pwrite(fd, "\xff", 1, (off_t)i), 1);
		read_damaged(path);
		ck_assert_int_eq(pwrite(fd, whole.data + i, 1, (off_t)i), 1);
	}
	close(fd);
	elf_image_fini(&whole);
}
END_TEST

START_TEST(other_files_are_no_images)
{
	struct elf_image image;

	ck_assert_str_eq(elf_image_read(&image, in_folder("none")),
			 "No such file or directory");
	ck_assert_str_eq(elf_image_read(&image, folder), "it is not a file");
	write_file(in_folder("text"), "text", 4);
	ck_assert_str_eq(elf_image_read(&image, in_folder("text")),
			 "it is not an ELF file");
}
END_TEST

START_TEST(allowed_names_are_the_guest_kernels_and_no_others)
{
	static const char *const yes[] = {
		"kmalloc", "kfree", "nr_cpu_ids", "guest_memcpy",
		"__module_register", "blk_mq_end_request", "__tsan_read8",
		"__tsan_func_entry", "_raw_spin_lock_irqsave",
	};
	static const char *const no[] = {
		"strlen", "memcpy", "printf", "malloc", "sim_yield",
		"sim_run", "hring_pop", "yaml_tree_parse", "guest_init",
		"lines_access", "main", "cli_main", "",
	};
	size_t i;

	for (i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		ck_assert_msg(driver_symbol_known(yes[i]), "%s", yes[i]);
	for (i = 0; i < sizeof(no) / sizeof(*no); i++)
		ck_assert_msg(!driver_symbol_known(no[i]), "%s", no[i]);
	for (i = 1; i < driver_symbols_nr; i++)
		ck_assert(strcmp(driver_symbols[i - 1], driver_symbols[i]) < 0);
}
END_TEST

START_TEST(descriptions_are_read_as_written)
{
	const struct driver_info info = {
		.source = "a: b.c", .flags = "-D\"x\" -O2", .key = "1",
	};
	struct driver_info back;

	driver_info_parse(&back, driver_info_print(&info, &arena), &arena);
	ck_assert_str_eq(back.source, info.source);
	ck_assert_str_eq(back.flags, info.flags);
	ck_assert_str_eq(back.key, info.key);
	ck_assert_ptr_null(back.ring);
	driver_info_parse(&back, "nonsense\nring:x\n", &arena);
	ck_assert_ptr_null(back.ring);
	ck_assert_ptr_null(back.key);
}
END_TEST

START_TEST(cache_holds_only_what_was_put_for_the_key)
{
	struct driver_info info;
	const char *path = build_cache_path("key", &arena);
	const char *key;

	ck_assert_ptr_nonnull(path);
	ck_assert(!build_cache_holds(path, "key", &info, &arena));
	ck_assert_int_eq(build_cache_copy(VBLKSIM_BUNDLED_DRIVER, path,
					  &arena), 0);
	ck_assert(!build_cache_holds(path, "key", &info, &arena));
	key = arena_string(&arena, info.key);
	ck_assert(build_cache_holds(path, key, &info, &arena));
}
END_TEST

START_TEST(no_cache_where_none_can_be)
{
	write_file(in_folder("file"), "", 0);
	setenv("XDG_CACHE_HOME", in_folder("file"), 1);
	ck_assert_ptr_null(build_cache_path("key", &arena));
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", in_folder("home"), 1);
	ck_assert_str_eq(build_cache_path("key", &arena),
			 in_folder("home/.cache/vblksim/drivers/key.so"));
	unsetenv("HOME");
	ck_assert_ptr_null(build_cache_path("key", &arena));
}
END_TEST

/* A port of our own: some headers in profile folders. */
static void make_port(void)
{
	static const char *const folders[] = {
		"", "/linux", "/profile", "/profile/6.1", "/profile/6.12",
		"/profile/6.1/linux", "/profile/6.12/linux",
	};
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		mkdir(arena_format(&arena, "%s/port%s", folder, folders[i]),
		      0755);
	write_file(in_folder("port/linux/a.h"), "int a;\n", 7);
	write_file(in_folder("port/profile/6.1/linux/b.h"), "int b;\n", 7);
	write_file(in_folder("port/profile/6.12/linux/b.h"), "int c;\n", 7);
}

static void hash_port(char hex[SHA256_HEX_BYTES])
{
	struct sha256 s;
	struct port port;

	ck_assert_int_eq(port_open(&port, in_folder("port"), &arena, stderr),
			 0);
	sha256_init(&s);
	ck_assert_int_eq(port_hash(&port, &s), 0);
	sha256_hex(&s, hex);
}

START_TEST(profiles_are_tried_from_the_newest_kernel_on)
{
	struct port port;

	make_port();
	ck_assert_int_eq(port_open(&port, in_folder("port"), &arena, stderr),
			 0);
	ck_assert_uint_eq(port.profiles_nr, 2);
	ck_assert_str_eq(port.profile[0], "6.12");
	ck_assert_str_eq(port.profile[1], "6.1");
	ck_assert_uint_eq(port.headers_nr, 3);
	ck_assert_str_eq(port_header_name(&port, 0), "linux/a.h");
	ck_assert_str_eq(port_header_name(&port, 1), "linux/b.h");
}
END_TEST

START_TEST(hash_of_the_port_covers_names_and_bytes)
{
	char first[SHA256_HEX_BYTES];
	char hex[SHA256_HEX_BYTES];

	make_port();
	hash_port(first);
	write_file(in_folder("port/linux/a.h"), "int A;\n", 7);
	hash_port(hex);
	ck_assert_str_ne(first, hex);
	write_file(in_folder("port/linux/a.h"), "int a;\n", 7);
	hash_port(hex);
	ck_assert_str_eq(first, hex);
	rename(in_folder("port/linux/a.h"), in_folder("port/linux/z.h"));
	hash_port(hex);
	ck_assert_str_ne(first, hex);
}
END_TEST

/* What build_driver says of @request; "" if all is well. */
static const char *build(const struct build_request *request)
{
	struct driver_info info;
	const char *path;
	char *text = NULL;
	size_t bytes;
	FILE *err = open_memstream(&text, &bytes);
	const char *said;
	int ret;

	ret = build_driver(request, in_folder("out.so"), &path, &info, &arena,
			   err);
	fclose(err);
	ck_assert_int_eq(ret == 0, access(in_folder("out.so"), F_OK) == 0);
	ck_assert_int_le(ret, 0);
	said = arena_string(&arena, text);
	free(text);
	return said;
}

START_TEST(missing_compiler_is_named_with_what_to_install)
{
	const struct build_request request = {
		.blk = "bundled", .ring = "bundled",
		.compiler = "/nonexistent/gcc",
	};
	const char *said = build(&request);

	ck_assert_ptr_nonnull(strstr(said, "/nonexistent/gcc, which is not there"));
	ck_assert_ptr_nonnull(strstr(said, "package gcc"));
}
END_TEST

START_TEST(compiler_that_fails_is_named)
{
	const struct build_request request = {
		.blk = "bundled", .ring = "bundled", .compiler = "/bin/false",
	};

	ck_assert_ptr_nonnull(strstr(build(&request),
				     "/bin/false, which does not work"));
}
END_TEST

START_TEST(missing_port_is_named)
{
	const struct build_request request = {
		.blk = "bundled", .ring = "bundled", .port = "/nonexistent",
	};

	ck_assert_ptr_nonnull(strstr(build(&request), "/nonexistent"));
}
END_TEST

START_TEST(profile_with_the_fewest_errors_is_shown)
{
	const struct build_request request = {
		.blk = in_folder("driver.c"), .ring = "bundled",
		.port = in_folder("port"),
	};
	static const char source[] = "#include <linux/b.h>\n"
				     "int *x = &b, *y = &b2, *z = &c;\n"
				     "int *w = &b3, *v = &c;\n";
	const char *said;

	make_port();
	write_file(in_folder("driver.c"), source, strlen(source));
	said = build(&request);
	/* b is 6.1's, c is 6.12's; of b, b2, b3, c, c the latter lacks fewer */
	ck_assert_msg(strstr(said, "profiles tried: 6.12 6.1; nearest is 6.12"),
		      "%s", said);
	ck_assert_ptr_nonnull(strstr(said, "'b2' undeclared"));
}
END_TEST

START_TEST(other_compiler_is_another_key)
{
	struct build_request request = { .blk = "bundled", .ring = "bundled" };
	const char *script = in_folder("gcc");
	struct driver_info first;
	struct driver_info info;
	const char *path;
	char text[512];

	snprintf(text, sizeof(text),
		 "#!/bin/sh\n[ \"$1\" = -dumpfullversion ] && echo 99.1 && exit\n"
		 "exec %s \"$@\"\n", VBLKSIM_DRIVER_CC);
	write_file(script, text, strlen(text));
	chmod(script, 0755);
	ck_assert_int_eq(build_driver(&request, NULL, &path, &first, &arena,
				      stderr), 0);
	request.compiler = script;
	ck_assert_int_eq(build_driver(&request, NULL, &path, &info, &arena,
				      stderr), 0);
	ck_assert_str_eq(info.compiler, "gcc 99.1");
	ck_assert_str_ne(info.key, first.key);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("build");
	TCase *tcase = tcase_create("build");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, sha256_is_the_standard);
	tcase_add_test(tcase, texts_do_not_run_together);
	tcase_add_test(tcase, bundled_driver_passes_and_is_described);
	tcase_add_test(tcase,
		       files_that_end_early_are_read_within_their_bounds);
	tcase_add_test(tcase, damaged_files_are_read_within_their_bounds);
	tcase_add_test(tcase, other_files_are_no_images);
	tcase_add_test(tcase, allowed_names_are_the_guest_kernels_and_no_others);
	tcase_add_test(tcase, descriptions_are_read_as_written);
	tcase_add_test(tcase, cache_holds_only_what_was_put_for_the_key);
	tcase_add_test(tcase, no_cache_where_none_can_be);
	tcase_add_test(tcase, profiles_are_tried_from_the_newest_kernel_on);
	tcase_add_test(tcase, hash_of_the_port_covers_names_and_bytes);
	tcase_add_test(tcase, missing_compiler_is_named_with_what_to_install);
	tcase_add_test(tcase, compiler_that_fails_is_named);
	tcase_add_test(tcase, missing_port_is_named);
	tcase_add_test(tcase, profile_with_the_fewest_errors_is_shown);
	tcase_add_test(tcase, other_compiler_is_another_key);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
