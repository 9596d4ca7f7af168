/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The port as files: headers that drivers are compiled against, and its profiles
 * (folders profile/NAME with what differs between kernel versions).
 */
#ifndef MODEL_HARNESS_PORT_H
#define MODEL_HARNESS_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/harness/arena.h"
#include "model/harness/sha256.h"
#include "model/harness/suggest.h"

#define PORT_PROFILES_MAX	16u
#define PORT_HEADERS_MAX	1024u

/*
 * @folder: absolute
 * @profile: names, the newest kernel first; one without a folder if there are
 *           none
 * @header: all of them, relative to @folder, sorted
 */
struct port {
	const char *folder;
	const char *profile[PORT_PROFILES_MAX];
	uint32_t profiles_nr;
	const char *header[PORT_HEADERS_MAX];
	uint32_t headers_nr;
};

/*
 * @folder: NULL: the project's driver/include; kept
 * @a: what the names live in
 * 0, or -errno after a message on @err.
 */
int port_open(struct port *port, const char *folder, struct arena *a,
	      FILE *err);

/* Add all headers, names and bytes, to @s. 0 or -errno */
int port_hash(const struct port *port, struct sha256 *s);

/* Is there a profile called @name? */
bool port_has_profile(const struct port *port, const char *name);

/* The folder of profile @name, or NULL if it needs none. */
const char *port_profile_folder(const struct port *port, const char *name,
				struct arena *a);

/* "linux/virtio.h" as a driver writes it, for the @i-th header. */
const char *port_header_name(const struct port *port, uint32_t i);

/* Offer every identifier of the headers to @near; they live in @a. */
void port_offer_names(const struct port *port, struct suggest *near,
		      struct arena *a);

#endif
