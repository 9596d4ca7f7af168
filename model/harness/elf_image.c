// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/elf_image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ELF_MAX_BYTES	(256u << 20)

#ifdef __aarch64__
#define ELF_OWN_MACHINE	EM_AARCH64
#else
#define ELF_OWN_MACHINE	EM_X86_64
#endif

bool elf_image_is_elf(const void *data, size_t bytes)
{
	return bytes >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG);
}

/* @nr items of @item_bytes at @offset, or NULL if the file does not have them. */
static const void *image_part(const struct elf_image *image, uint64_t offset,
			      uint64_t nr, uint64_t item_bytes)
{
	if (offset > image->bytes || offset % 8 ||
	    (item_bytes && nr > (image->bytes - offset) / item_bytes))
		return NULL;
	return image->data + offset;
}

static const Elf64_Shdr *image_sections(const struct elf_image *image)
{
	if (image->header->e_shentsize != sizeof(Elf64_Shdr))
		return NULL;
	return image_part(image, image->header->e_shoff,
			  image->header->e_shnum, sizeof(Elf64_Shdr));
}

static const char *image_strings(const struct elf_image *image,
				 const Elf64_Shdr *section)
{
	const char *text;

	if (section->sh_type != SHT_STRTAB || !section->sh_size ||
	    section->sh_offset > image->bytes ||
	    section->sh_size > image->bytes - section->sh_offset)
		return NULL;
	text = (const char *)image->data + section->sh_offset;
	return text[section->sh_size - 1] ? NULL : text;
}

static const char *image_take_symbols(struct elf_image *image,
				      const Elf64_Shdr *sections,
				      const Elf64_Shdr *table)
{
	const Elf64_Shdr *strings;

	if (table->sh_link >= image->header->e_shnum ||
	    table->sh_entsize != sizeof(Elf64_Sym))
		return "its symbol table is damaged";
	strings = &sections[table->sh_link];
	image->names = image_strings(image, strings);
	image->names_bytes = strings->sh_size;
	image->symbols_nr = (uint32_t)(table->sh_size / sizeof(Elf64_Sym));
	image->symbols = image_part(image, table->sh_offset, image->symbols_nr,
				    sizeof(Elf64_Sym));
	if (!image->symbols || !image->names)
		return "its symbol table is damaged";
	return NULL;
}

static const char *image_scan(struct elf_image *image)
{
	const Elf64_Shdr *sections = image_sections(image);
	uint32_t type = image->header->e_type == ET_DYN ? SHT_DYNSYM :
							  SHT_SYMTAB;
	const Elf64_Shdr *table = NULL;
	uint32_t i;

	if (!sections)
		return "its section table is damaged";
	for (i = 0; i < image->header->e_shnum; i++) {
		if (sections[i].sh_type == type)
			table = &sections[i];
		if (sections[i].sh_type == SHT_DYNAMIC)
			image->dynamic = &sections[i];
	}
	if (!table)
		return "it has no symbol table";
	return image_take_symbols(image, sections, table);
}

static const char *image_check(struct elf_image *image)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)image->data;

	if (!elf_image_is_elf(image->data, image->bytes) ||
	    image->bytes < sizeof(*header))
		return "it is not an ELF file";
	image->header = header;
	if (header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    header->e_machine != ELF_OWN_MACHINE)
		return "it is for another kind of machine";
	if (header->e_type != ET_DYN && header->e_type != ET_REL)
		return "it is neither a shared object nor an object file";
	return image_scan(image);
}

static const char *image_slurp(struct elf_image *image, FILE *f)
{
	struct stat st;

	if (fstat(fileno(f), &st))
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "it is not a file";
	if (st.st_size > ELF_MAX_BYTES)
		return "it is too large";
	image->bytes = (size_t)st.st_size;
	image->data = malloc(image->bytes + 1);
	if (!image->data)
		return strerror(ENOMEM);
	if (fread(image->data, 1, image->bytes, f) != image->bytes)
		return "it cannot be read";
	return NULL;
}

const char *elf_image_read(struct elf_image *image, const char *path)
{
	FILE *f = fopen(path, "rbe");
	const char *wrong;

	memset(image, 0, sizeof(*image));
	if (!f)
		return strerror(errno);
	wrong = image_slurp(image, f);
	fclose(f);
	if (!wrong)
		wrong = image_check(image);
	if (wrong)
		elf_image_fini(image);
	return wrong;
}

void elf_image_fini(struct elf_image *image)
{
	free(image->data);
	memset(image, 0, sizeof(*image));
}

bool elf_image_is_shared(const struct elf_image *image)
{
	return image->header->e_type == ET_DYN;
}

bool elf_image_next(const struct elf_image *image, uint32_t *at,
		    struct elf_image_symbol *symbol)
{
	while (*at < image->symbols_nr) {
		Elf64_Sym s;

		memcpy(&s, image->symbols + *at * sizeof(s), sizeof(s));
		++*at;
		if (ELF64_ST_BIND(s.st_info) == STB_LOCAL ||
		    s.st_name >= image->names_bytes || !image->names[s.st_name])
			continue;
		symbol->name = image->names + s.st_name;
		symbol->address = s.st_value;
		symbol->bytes = s.st_size;
		symbol->defined = s.st_shndx != SHN_UNDEF;
		/* the linker's own, in object files */
		if (strcmp(symbol->name, "_GLOBAL_OFFSET_TABLE_"))
			return true;
	}
	return false;
}

bool elf_image_find(const struct elf_image *image, const char *name,
		    struct elf_image_symbol *symbol)
{
	struct elf_image_symbol s;
	uint32_t at = 0;

	while (elf_image_next(image, &at, &s)) {
		if (strcmp(s.name, name))
			continue;
		if (symbol)
			*symbol = s;
		return true;
	}
	return false;
}

bool elf_image_defines(const struct elf_image *image, const char *name)
{
	struct elf_image_symbol s;

	return elf_image_find(image, name, &s) && s.defined;
}

bool elf_image_wants(const struct elf_image *image, const char *name)
{
	struct elf_image_symbol s;

	return elf_image_find(image, name, &s) && !s.defined;
}

/* The @i-th entry of the dynamic section. False: there is none. */
static bool image_dynamic(const struct elf_image *image, uint64_t i,
			  Elf64_Dyn *entry)
{
	const unsigned char *all;

	if (!image->dynamic ||
	    i >= image->dynamic->sh_size / sizeof(Elf64_Dyn))
		return false;
	all = image_part(image, image->dynamic->sh_offset, i + 1,
			 sizeof(Elf64_Dyn));
	if (!all)
		return false;
	memcpy(entry, all + i * sizeof(*entry), sizeof(*entry));
	return entry->d_tag != DT_NULL;
}

const char *elf_image_library(const struct elf_image *image, uint32_t idx)
{
	Elf64_Dyn entry;
	uint64_t i;

	for (i = 0; image_dynamic(image, i, &entry); i++) {
		if (entry.d_tag != DT_NEEDED || idx--)
			continue;
		return entry.d_un.d_val < image->names_bytes ?
		       image->names + entry.d_un.d_val : "?";
	}
	return NULL;
}

bool elf_image_is_symbolic(const struct elf_image *image)
{
	Elf64_Dyn entry;
	uint64_t i;

	for (i = 0; image_dynamic(image, i, &entry); i++)
		if (entry.d_tag == DT_SYMBOLIC ||
		    (entry.d_tag == DT_FLAGS && entry.d_un.d_val & DF_SYMBOLIC))
			return true;
	return false;
}

/* The file's bytes of a loaded address, up to the end of its segment. */
static const char *image_at(const struct elf_image *image, uint64_t address,
			    uint64_t *left)
{
	const Elf64_Ehdr *header = image->header;
	const Elf64_Phdr *ph;
	uint32_t i;

	if (header->e_phentsize != sizeof(*ph))
		return NULL;
	ph = image_part(image, header->e_phoff, header->e_phnum, sizeof(*ph));
	for (i = 0; ph && i < header->e_phnum; i++, ph++) {
		if (ph->p_type != PT_LOAD || address < ph->p_vaddr ||
		    address - ph->p_vaddr >= ph->p_filesz ||
		    ph->p_offset > image->bytes ||
		    ph->p_filesz > image->bytes - ph->p_offset)
			continue;
		*left = ph->p_filesz - (address - ph->p_vaddr);
		return (const char *)image->data + ph->p_offset +
		       (address - ph->p_vaddr);
	}
	return NULL;
}

const char *elf_image_text(const struct elf_image *image, const char *name)
{
	struct elf_image_symbol symbol;
	const char *text;
	uint64_t left;

	if (!elf_image_is_shared(image) ||
	    !elf_image_find(image, name, &symbol) || !symbol.defined)
		return NULL;
	text = image_at(image, symbol.address, &left);
	return text && memchr(text, '\0', left) ? text : NULL;
}
