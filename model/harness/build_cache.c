// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* mkostemp */
#include "model/harness/build_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/harness/elf_image.h"

#define CACHE_TEXT(name)	CACHE_TEXT_OF(name)
#define CACHE_TEXT_OF(name)	#name

/* Make the folder and those it is in. 0 or -errno */
static int cache_mkdirs(const char *path, struct arena *a)
{
	char *part = arena_string(a, path);
	char *slash = part;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(part, 0700) && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return mkdir(part, 0700) && errno != EEXIST ? -errno : 0;
}

static const char *cache_folder(struct arena *a)
{
	const char *base = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	/* a relative one is to be ignored, says the XDG specification */
	if (base && *base == '/')
		return arena_format(a, "%s/vblksim/drivers", base);
	if (home && *home == '/')
		return arena_format(a, "%s/.cache/vblksim/drivers", home);
	return NULL;
}

const char *build_cache_path(const char *key, struct arena *a)
{
	const char *folder = cache_folder(a);

	if (!folder || cache_mkdirs(folder, a) || access(folder, W_OK | X_OK))
		return NULL;
	return arena_format(a, "%s/%s.so", folder, key);
}

bool build_cache_holds(const char *path, const char *key,
		       struct driver_info *info, struct arena *a)
{
	struct elf_image image;
	const char *text;

	if (elf_image_read(&image, path))
		return false;
	text = elf_image_text(&image, CACHE_TEXT(DRIVER_INFO_SYMBOL));
	driver_info_parse(info, text ? text : "", a);
	elf_image_fini(&image);
	return info->key && !strcmp(info->key, key);
}

static int cache_copy_bytes(int from, int to)
{
	char bytes[65536];
	ssize_t got;

	while ((got = read(from, bytes, sizeof(bytes))) > 0) {
		char *at = bytes;

		while (got) {
			ssize_t put = write(to, at, (size_t)got);

			if (put < 0)
				return -errno;
			at += put;
			got -= put;
		}
	}
	return got < 0 ? -errno : 0;
}

static int cache_copy_to(int from, int to, const char *temporary,
			 const char *path)
{
	mode_t mask = umask(0);
	int ret;

	umask(mask);
	ret = cache_copy_bytes(from, to);
	if (!ret && fchmod(to, 0666 & ~mask))
		ret = -errno;
	if (close(to) && !ret)
		ret = -errno;
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret;
}

int build_cache_copy(const char *from, const char *to, struct arena *a)
{
	char *temporary = arena_format(a, "%s.XXXXXX", to);
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out;
	int ret;

	if (in < 0)
		return -errno;
	out = mkostemp(temporary, O_CLOEXEC);
	ret = out < 0 ? -errno : cache_copy_to(in, out, temporary, to);
	close(in);
	return ret;
}
