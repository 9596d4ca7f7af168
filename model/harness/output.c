// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files, and what is not there yet, are replaced; devices and pipes written. */
static bool output_replaceable(const char *path)
{
	struct stat st;

	return stat(path, &st) || S_ISREG(st.st_mode);
}

static int output_write_plain(const char *path, output_print_fn print,
			      const void *what)
{
	FILE *out = fopen(path, "w");
	int err;

	if (!out)
		return -errno;
	err = print(what, out);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

/* mkstemp makes private files; give @fd the mode that open would. */
static void output_set_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, 0666 & ~mask))
		return;
}

/* @name: pattern, becomes the name of the file; "" if there is none */
static int output_write_temporary(char *name, output_print_fn print,
				  const void *what)
{
	int fd = mkstemp(name);
	FILE *out;
	int err;

	if (fd < 0) {
		*name = '\0';
		return -errno;
	}
	output_set_mode(fd);
	out = fdopen(fd, "w");
	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = print(what, out);
	if (!err && fsync(fd))
		err = -errno;
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

static int output_replace(const char *path, output_print_fn print,
			  const void *what)
{
	static const char suffix[] = ".XXXXXX";
	size_t length = strlen(path);
	char *name = malloc(length + sizeof(suffix));
	int err;

	if (!name)
		return -ENOMEM;
	memcpy(name, path, length);
	memcpy(name + length, suffix, sizeof(suffix));
	err = output_write_temporary(name, print, what);
	if (!err && rename(name, path))
		err = -errno;
	if (err && *name)
		unlink(name);
	free(name);
	return err;
}

int output_check(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int err;

	if (!strcmp(path, "-") || !output_replaceable(path))
		return 0;
	folder = slash ? strndup(path, (size_t)(slash - path + 1)) :
			 strdup(".");
	if (!folder)
		return -ENOMEM;
	err = access(folder, W_OK | X_OK) ? -errno : 0;
	free(folder);
	return err;
}

int output_write(const char *path, output_print_fn print, const void *what)
{
	if (output_replaceable(path))
		return output_replace(path, print, what);
	return output_write_plain(path, print, what);
}
