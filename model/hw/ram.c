// SPDX-License-Identifier: GPL-2.0-only
#include "model/hw/ram.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "model/hw/cost.h"
#include "model/hw/lines.h"
#include "sim/assert.h"

static uint64_t ram_size;

int ram_init(uint64_t bytes)
{
	void *want = (void *)(uintptr_t)RAM_BASE;
	void *got;
	int err;

	sim_assert(!ram_size);
	if (!bytes || bytes % RAM_PAGE_BYTES || bytes > RAM_MAX_BYTES)
		return -EINVAL;
	got = mmap(want, bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
		   MAP_FIXED_NOREPLACE, -1, 0);
	if (got == MAP_FAILED)
		return -errno;
	if (got != want) {
		munmap(got, bytes);
		return -EEXIST;
	}
	err = lines_init(RAM_BASE, bytes);
	if (err)
		munmap(want, bytes);
	else
		ram_size = bytes;
	return err;
}

void ram_fini(void)
{
	lines_fini();
	munmap((void *)(uintptr_t)RAM_BASE, ram_size);
	ram_size = 0;
}

uint64_t ram_bytes(void)
{
	return ram_size;
}

bool ram_valid(uint64_t pa, uint64_t bytes)
{
	return pa >= RAM_FIRST_PA && pa <= ram_size && bytes <= ram_size - pa;
}

static bool ram_access(uint64_t pa, uint64_t bytes, bool write)
{
	if (!ram_valid(pa, bytes))
		return false;
	if (bytes)
		lines_access(RAM_BASE + pa, bytes, write);
	return true;
}

bool ram_read(uint64_t pa, void *buf, uint32_t bytes)
{
	if (!ram_access(pa, bytes, false))
		return false;
	memcpy(buf, ram_va(pa), bytes);
	return true;
}

bool ram_write(uint64_t pa, const void *buf, uint32_t bytes)
{
	if (!ram_access(pa, bytes, true))
		return false;
	memcpy(ram_va(pa), buf, bytes);
	return true;
}

bool ram_read16(uint64_t pa, uint16_t *value)
{
	return !(pa % sizeof(*value)) && ram_read(pa, value, sizeof(*value));
}

bool ram_read32(uint64_t pa, uint32_t *value)
{
	return !(pa % sizeof(*value)) && ram_read(pa, value, sizeof(*value));
}

bool ram_read64(uint64_t pa, uint64_t *value)
{
	return !(pa % sizeof(*value)) && ram_read(pa, value, sizeof(*value));
}

bool ram_write8(uint64_t pa, uint8_t value)
{
	return ram_write(pa, &value, sizeof(value));
}

bool ram_write16(uint64_t pa, uint16_t value)
{
	return !(pa % sizeof(value)) && ram_write(pa, &value, sizeof(value));
}

bool ram_write32(uint64_t pa, uint32_t value)
{
	return !(pa % sizeof(value)) && ram_write(pa, &value, sizeof(value));
}

bool ram_dma_read(uint64_t pa, void *buf, uint64_t bytes)
{
	if (!ram_valid(pa, bytes))
		return false;
	memcpy(buf, ram_va(pa), bytes);
	return true;
}

bool ram_dma_write(uint64_t pa, const void *buf, uint64_t bytes)
{
	if (!ram_valid(pa, bytes))
		return false;
	memcpy(ram_va(pa), buf, bytes);
	lines_drop(RAM_BASE + pa, bytes);
	return true;
}

void ram_barrier(void)
{
	sim_spend(hw_cost.barrier_ps);
	sim_sync();
}
