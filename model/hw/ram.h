/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest RAM: an arena at a fixed virtual address, so that guest code uses
 * plain pointers, and guest-physical addresses are offsets into it.
 *
 * Guest code reaches it by ordinary instructions and is charged by the hooks
 * (hooks.c). Host code uses the functions below: they check the address, wait
 * for the caller's turn, charge the line like any other CPU's access, then
 * transfer.
 */
#ifndef MODEL_HW_RAM_H
#define MODEL_HW_RAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Outside the shadow memory of AddressSanitizer; PAGE_OFFSET of the port. */
#define RAM_BASE	UINT64_C(0x300000000000)
/* Nothing lives below, so that guest-physical 0 is never valid. */
#define RAM_FIRST_PA	UINT64_C(0x100000)
#define RAM_MAX_BYTES	(UINT64_C(1) << 31)
#define RAM_PAGE_BYTES	UINT64_C(4096)
#define RAM_LINE_BYTES	UINT64_C(64)

/* Map @bytes (page multiple, up to RAM_MAX_BYTES), zeroed on demand. 0 or -errno. */
int ram_init(uint64_t bytes);
void ram_fini(void);
uint64_t ram_bytes(void);

/* Does [pa, pa + bytes) lie in RAM? bytes 0 is valid anywhere up to the end. */
bool ram_valid(uint64_t pa, uint64_t bytes);

static inline uint64_t ram_pa(const void *va)
{
	return (uint64_t)(uintptr_t)va - RAM_BASE;
}

/* Pointer to @pa; the caller has checked it. Uncharged: set-up, oracles, DMA. */
static inline void *ram_va(uint64_t pa)
{
	return (void *)(uintptr_t)(RAM_BASE + pa);
}

/*
 * Host CPU access, little-endian as virtio 1.2 fields are. False, and nothing
 * done, when the address is not in RAM or not naturally aligned. May switch.
 */
bool ram_read16(uint64_t pa, uint16_t *value);
bool ram_read32(uint64_t pa, uint32_t *value);
bool ram_read64(uint64_t pa, uint64_t *value);
bool ram_write8(uint64_t pa, uint8_t value);
bool ram_write16(uint64_t pa, uint16_t value);
bool ram_write32(uint64_t pa, uint32_t value);

/* Any length, one charge per line; for structures such as descriptors. */
bool ram_read(uint64_t pa, void *buf, uint32_t bytes);
bool ram_write(uint64_t pa, const void *buf, uint32_t bytes);

/*
 * Transfer by a device: no CPU is charged, no order is enforced; a write takes
 * the lines out of all caches. False when the address is not in RAM.
 */
bool ram_dma_read(uint64_t pa, void *buf, uint64_t bytes);
bool ram_dma_write(uint64_t pa, const void *buf, uint64_t bytes);

/* Full barrier of a host thread: charge it and wait for its turn. */
void ram_barrier(void);

#endif
