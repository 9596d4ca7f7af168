/* SPDX-License-Identifier: GPL-2.0-only */
/* SHA-256 (FIPS 180-4), so that a hash we print is the one sha256sum prints. */
#ifndef MODEL_HARNESS_SHA256_H
#define MODEL_HARNESS_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_HEX_BYTES	65u	/* with the NUL */

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	unsigned char block[64];
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t bytes);

/* Add the length of @text and @text: "ab","c" differs from "a","bc". */
void sha256_add_text(struct sha256 *s, const char *text);

/* The hash in hexadecimal; nothing may be added afterwards. */
void sha256_hex(struct sha256 *s, char hex[SHA256_HEX_BYTES]);

/* Of @bytes at @data. */
void sha256_of(const void *data, size_t bytes, char hex[SHA256_HEX_BYTES]);

#endif
