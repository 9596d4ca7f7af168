/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a driver's shared object says about its making: a text at its symbol
 * vblksim_driver_description, lines of "key: value" in any order.
 */
#ifndef MODEL_HARNESS_DRIVER_INFO_H
#define MODEL_HARNESS_DRIVER_INFO_H

#include "model/harness/arena.h"

#define DRIVER_INFO_SYMBOL	vblksim_driver_description

/*
 * X(field, key, what): every line. Sources are named by their files, without
 * folders: the text does not depend on where the driver was built. The bundled
 * ring has several; it is named by the first, and its hash is that of theirs, a
 * line each.
 */
#define DRIVER_INFO_LINES(X)						\
	X(source, "source", "file of virtio_blk")			\
	X(source_hash, "source-sha256", "of its bytes")			\
	X(profile, "profile", "of the port, that it was compiled with")	\
	X(ring, "ring", "file of virtio_ring")				\
	X(ring_hash, "ring-sha256", "of its bytes; bundled: below")	\
	X(ring_profile, "ring-profile", "that it was compiled with")	\
	X(compiler, "compiler", "name and version")			\
	X(flags, "flags", "of the compiler, as far as code depends on them") \
	X(key, "key", "hash of everything it was made from")

struct driver_info {
#define DRIVER_INFO_FIELD(field, key, what) const char *field;
	DRIVER_INFO_LINES(DRIVER_INFO_FIELD)
#undef DRIVER_INFO_FIELD
};

/* The text for @info; fields that are NULL are left out. */
char *driver_info_print(const struct driver_info *info, struct arena *a);

/* Read @text; what it does not say is NULL. */
void driver_info_parse(struct driver_info *info, const char *text,
		       struct arena *a);

#endif
