// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* strverscmp */
#include "model/harness/port.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <vblksim-config.h>

#define PORT_DEPTH_MAX		8u
#define PORT_ONLY_PROFILE	"6.12"
#define PORT_PROFILES		"profile/"

static int port_by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int port_newest_first(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*b)->d_name, (*a)->d_name);
}

static int port_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool port_is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool port_is_header(const char *name)
{
	size_t length = strlen(name);

	return length > 2 && !strcmp(name + length - 2, ".h");
}

static int port_scan(struct port *port, const char *relative,
		     unsigned int depth, struct arena *a);

static int port_scan_entry(struct port *port, const char *name,
			   unsigned int depth, struct arena *a)
{
	if (port_is_folder(arena_format(a, "%s/%s", port->folder, name)))
		return depth < PORT_DEPTH_MAX ?
		       port_scan(port, arena_format(a, "%s/", name), depth + 1,
				 a) : 0;
	if (!port_is_header(name))
		return 0;
	if (port->headers_nr == PORT_HEADERS_MAX)
		return -E2BIG;
	port->header[port->headers_nr++] = name;
	return 0;
}

/* @relative: "" or ends with a slash */
static int port_scan(struct port *port, const char *relative,
		     unsigned int depth, struct arena *a)
{
	const char *path = arena_format(a, "%s/%s", port->folder, relative);
	struct dirent **entries;
	int nr = scandir(path, &entries, port_visible, port_by_name);
	int ret = 0;
	int i;

	if (nr < 0)
		return -errno;
	for (i = 0; i < nr; i++) {
		if (!ret)
			ret = port_scan_entry(port,
					      arena_format(a, "%s%s", relative,
							   entries[i]->d_name),
					      depth, a);
		free(entries[i]);
	}
	free(entries);
	return ret;
}

static void port_scan_profiles(struct port *port, struct arena *a)
{
	const char *path = arena_format(a, "%s/" PORT_PROFILES, port->folder);
	struct dirent **entries;
	int nr = scandir(path, &entries, port_visible, port_newest_first);
	int i;

	for (i = 0; i < nr; i++) {
		const char *name = entries[i]->d_name;

		if (port->profiles_nr < PORT_PROFILES_MAX &&
		    port_is_folder(arena_format(a, "%s%s", path, name)))
			port->profile[port->profiles_nr++] =
				arena_string(a, name);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	if (!port->profiles_nr)
		port->profile[port->profiles_nr++] = PORT_ONLY_PROFILE;
}

int port_open(struct port *port, const char *folder, struct arena *a,
	      FILE *err)
{
	int ret;

	memset(port, 0, sizeof(*port));
	port->folder = folder ? folder : VBLKSIM_SOURCE_DIR "/driver/include";
	ret = port_scan(port, "", 0, a);
	if (!ret && !port->headers_nr)
		ret = -ENOENT;
	if (ret) {
		fprintf(err, "vblksim: the headers that drivers are compiled against cannot be read: %s: %s\n",
			port->folder, strerror(-ret));
		return ret;
	}
	port_scan_profiles(port, a);
	return 0;
}

static int port_hash_header(const struct port *port, const char *name,
			    struct sha256 *s)
{
	char path[4096];
	char bytes[4096];
	uint64_t all = 0;
	size_t got;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", port->folder, name);
	f = fopen(path, "rbe");
	if (!f)
		return -errno;
	sha256_add_text(s, name);
	while ((got = fread(bytes, 1, sizeof(bytes), f))) {
		sha256_add(s, bytes, got);
		all += got;
	}
	sha256_add(s, &all, sizeof(all));
	fclose(f);
	return 0;
}

int port_hash(const struct port *port, struct sha256 *s)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < port->headers_nr && !ret; i++)
		ret = port_hash_header(port, port->header[i], s);
	return ret;
}

bool port_has_profile(const struct port *port, const char *name)
{
	uint32_t i;

	for (i = 0; i < port->profiles_nr; i++)
		if (!strcmp(port->profile[i], name))
			return true;
	return false;
}

const char *port_profile_folder(const struct port *port, const char *name,
				struct arena *a)
{
	const char *path = arena_format(a, "%s/" PORT_PROFILES "%s",
					port->folder, name);

	return port_is_folder(path) ? path : NULL;
}

const char *port_header_name(const struct port *port, uint32_t i)
{
	const char *name = port->header[i];
	const char *slash;

	if (strncmp(name, PORT_PROFILES, sizeof(PORT_PROFILES) - 1))
		return name;
	slash = strchr(name + sizeof(PORT_PROFILES) - 1, '/');
	return slash ? slash + 1 : name;
}

static bool port_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Keep a copy of the word only if it is the best so far. */
static void port_offer_word(const char *text, size_t length,
			    struct suggest *near, struct arena *a)
{
	char word[64];

	if (length < 4 || length >= sizeof(word) ||
	    isdigit((unsigned char)*text))
		return;
	memcpy(word, text, length);
	word[length] = '\0';
	suggest_offer(near, word);
	if (near->best == word)
		near->best = arena_text(a, word, length);
}

static void port_offer_text(const char *text, struct suggest *near,
			    struct arena *a)
{
	while (*text) {
		size_t length = 0;

		while (port_in_word(text[length]))
			length++;
		port_offer_word(text, length, near, a);
		text += length ? length : 1;
	}
}

void port_offer_names(const struct port *port, struct suggest *near,
		      struct arena *a)
{
	static char text[1u << 18];
	uint32_t i;

	for (i = 0; i < port->headers_nr; i++) {
		const char *path = arena_format(a, "%s/%s", port->folder,
						port->header[i]);
		FILE *f = fopen(path, "re");
		size_t got;

		if (!f)
			continue;
		got = fread(text, 1, sizeof(text) - 1, f);
		text[got] = '\0';
		port_offer_text(text, near, a);
		fclose(f);
	}
}
