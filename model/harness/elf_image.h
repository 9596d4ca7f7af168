/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The symbols of an ELF file (a driver that was built or is to be loaded), read
 * without loading it. The file may be damaged: nothing outside of it is read.
 */
#ifndef MODEL_HARNESS_ELF_IMAGE_H
#define MODEL_HARNESS_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* @bytes at @data: the whole file. The other fields are parts of it. */
struct elf_image {
	unsigned char *data;
	size_t bytes;
	const Elf64_Ehdr *header;
	const unsigned char *symbols;
	uint32_t symbols_nr;
	const char *names;
	size_t names_bytes;
	const Elf64_Shdr *dynamic;
};

/* @name belongs to the image. @defined: in this image, else wanted from others. */
struct elf_image_symbol {
	const char *name;
	uint64_t address;
	uint64_t bytes;
	bool defined;
};

/* Does a file that begins with @bytes at @data claim to be ELF? */
bool elf_image_is_elf(const void *data, size_t bytes);

/*
 * Read the file @path: an object file's symbol table or a shared object's
 * dynamic one.
 * Returns NULL, or what is wrong with the file; then @image is empty.
 */
const char *elf_image_read(struct elf_image *image, const char *path);

void elf_image_fini(struct elf_image *image);

bool elf_image_is_shared(const struct elf_image *image);

/*
 * The next symbol that takes part in linking with other files, from @at on
 * (start with 0; moved behind it). False: there are no more.
 */
bool elf_image_next(const struct elf_image *image, uint32_t *at,
		    struct elf_image_symbol *symbol);

/* Find a symbol by name; @symbol may be NULL. */
bool elf_image_find(const struct elf_image *image, const char *name,
		    struct elf_image_symbol *symbol);

bool elf_image_defines(const struct elf_image *image, const char *name);
bool elf_image_wants(const struct elf_image *image, const char *name);

/* The @idx-th library a shared object asks for, or NULL. */
const char *elf_image_library(const struct elf_image *image, uint32_t idx);

/* Do a shared object's own symbols win over those of others? */
bool elf_image_is_symbolic(const struct elf_image *image);

/*
 * The text (up to its NUL) at the defined symbol @name of a shared object, or
 * NULL. Belongs to the image.
 */
const char *elf_image_text(const struct elf_image *image, const char *name);

#endif
