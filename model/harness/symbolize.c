// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* dladdr */
#include "model/harness/symbolize.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that the dynamic linker has accepted, so its headers are sane. */
struct symbol_file {
	const unsigned char *data;
	size_t bytes;
};

static int symbol_file_open(struct symbol_file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || st.st_size < (off_t)sizeof(Elf64_Ehdr)) {
		close(fd);
		return -1;
	}
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return -1;
	f->data = data;
	f->bytes = (size_t)st.st_size;
	return 0;
}

static const Elf64_Shdr *symbol_table(const struct symbol_file *f,
				      const Elf64_Shdr **names)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)f->data;
	const Elf64_Shdr *sh = (const Elf64_Shdr *)(f->data + eh->e_shoff);

	if (eh->e_shoff + eh->e_shnum * sizeof(*sh) > f->bytes)
		return NULL;
	for (unsigned int i = 0; i < eh->e_shnum; i++)
		if (sh[i].sh_type == SHT_SYMTAB &&
		    sh[i].sh_offset + sh[i].sh_size <= f->bytes) {
			*names = &sh[sh[i].sh_link];
			return &sh[i];
		}
	return NULL;
}

/* The function that contains @offset (from the load address), or NULL. */
static const char *symbol_find(const struct symbol_file *f, uintptr_t offset,
			       uintptr_t *start)
{
	const Elf64_Shdr *names, *table = symbol_table(f, &names);
	const Elf64_Sym *sym;

	if (!table)
		return NULL;
	sym = (const Elf64_Sym *)(f->data + table->sh_offset);
	for (uint64_t i = 0; i < table->sh_size / sizeof(*sym); i++)
		if (ELF64_ST_TYPE(sym[i].st_info) == STT_FUNC &&
		    offset - sym[i].st_value < sym[i].st_size) {
			*start = sym[i].st_value;
			return (const char *)f->data + names->sh_offset +
			       sym[i].st_name;
		}
	return NULL;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void symbolize(uintptr_t address, char *buf, size_t bytes)
{
	uintptr_t offset, start = 0;
	const char *name = NULL;
	struct symbol_file f;
	Dl_info info;

	snprintf(buf, bytes, "%#" PRIxPTR, address);
	if (!dladdr((void *)address, &info) || !info.dli_fname)
		return;
	offset = address - (uintptr_t)info.dli_fbase;
	snprintf(buf, bytes, "%#" PRIxPTR " (%s)", offset,
		 file_name(info.dli_fname));
	if (symbol_file_open(&f, info.dli_fname))
		return;
	name = symbol_find(&f, offset, &start);
	if (name)
		snprintf(buf, bytes, "%s+%#" PRIxPTR " (%s)", name,
			 offset - start, file_name(info.dli_fname));
	munmap((void *)(uintptr_t)f.data, f.bytes);
}

/* A call list holds return addresses: each names the caller, not the callee. */
void symbolize_calls(FILE *out, const struct fiber *f, const char *indent)
{
	uint32_t depth = f->depth < FIBER_DEPTH_MAX ? f->depth :
						      FIBER_DEPTH_MAX;
	char text[160];

	while (depth--) {
		symbolize(f->calls[depth], text, sizeof(text));
		fprintf(out, "%s%s\n", indent, text);
	}
}
