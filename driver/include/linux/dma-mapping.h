/* SPDX-License-Identifier: GPL-2.0-only */
/* DMA mapping; without IOMMU a DMA address is the guest-physical one. */
#ifndef PORT_LINUX_DMA_MAPPING_H
#define PORT_LINUX_DMA_MAPPING_H

#include <linux/device.h>
#include <linux/dma-direction.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>

#define DMA_MAPPING_ERROR	(~(dma_addr_t)0)
#define DMA_ATTR_NO_WARN	(1UL << 8)
#define DMA_ATTR_SKIP_CPU_SYNC	(1UL << 5)
#define DMA_BIT_MASK(n)		((n) == 64 ? ~0ULL : (1ULL << (n)) - 1)

dma_addr_t dma_map_page_attrs(struct device *dev, struct page *page,
			      size_t offset, size_t size,
			      enum dma_data_direction dir,
			      unsigned long attrs);
void dma_unmap_page_attrs(struct device *dev, dma_addr_t addr, size_t size,
			  enum dma_data_direction dir, unsigned long attrs);
unsigned int dma_map_sg_attrs(struct device *dev, struct scatterlist *sg,
			      int nents, enum dma_data_direction dir,
			      unsigned long attrs);
void dma_unmap_sg_attrs(struct device *dev, struct scatterlist *sg, int nents,
			enum dma_data_direction dir, unsigned long attrs);
void *dma_alloc_attrs(struct device *dev, size_t size, dma_addr_t *handle,
		      gfp_t gfp, unsigned long attrs);
void dma_free_attrs(struct device *dev, size_t size, void *cpu_addr,
		    dma_addr_t handle, unsigned long attrs);
void dma_sync_single_for_cpu(struct device *dev, dma_addr_t addr, size_t size,
			     enum dma_data_direction dir);
void dma_sync_single_for_device(struct device *dev, dma_addr_t addr,
				size_t size, enum dma_data_direction dir);
bool dma_need_sync(struct device *dev, dma_addr_t addr);
size_t dma_max_mapping_size(struct device *dev);
int dma_set_mask_and_coherent(struct device *dev, u64 mask);
int dma_set_max_seg_size(struct device *dev, unsigned int size);

static inline int dma_mapping_error(struct device *dev __always_unused,
				    dma_addr_t addr)
{
	return addr == DMA_MAPPING_ERROR ? -ENOMEM : 0;
}

static inline dma_addr_t dma_map_single_attrs(struct device *dev, void *ptr,
					      size_t size,
					      enum dma_data_direction dir,
					      unsigned long attrs)
{
	return dma_map_page_attrs(dev, virt_to_page(ptr), offset_in_page(ptr),
				  size, dir, attrs);
}

static inline void dma_unmap_single_attrs(struct device *dev, dma_addr_t addr,
					  size_t size,
					  enum dma_data_direction dir,
					  unsigned long attrs)
{
	dma_unmap_page_attrs(dev, addr, size, dir, attrs);
}

static inline void *dma_alloc_coherent(struct device *dev, size_t size,
				       dma_addr_t *handle, gfp_t gfp)
{
	return dma_alloc_attrs(dev, size, handle, gfp, 0);
}

static inline void dma_free_coherent(struct device *dev, size_t size,
				     void *cpu_addr, dma_addr_t handle)
{
	dma_free_attrs(dev, size, cpu_addr, handle, 0);
}

static inline void dma_sync_single_range_for_cpu(struct device *dev,
						 dma_addr_t addr,
						 unsigned long offset,
						 size_t size,
						 enum dma_data_direction dir)
{
	dma_sync_single_for_cpu(dev, addr + offset, size, dir);
}

static inline void dma_sync_single_range_for_device(struct device *dev,
						    dma_addr_t addr,
						    unsigned long offset,
						    size_t size,
						    enum dma_data_direction dir)
{
	dma_sync_single_for_device(dev, addr + offset, size, dir);
}

#define dma_map_page(d, p, o, s, r)	dma_map_page_attrs(d, p, o, s, r, 0)
#define dma_unmap_page(d, a, s, r)	dma_unmap_page_attrs(d, a, s, r, 0)
#define dma_map_single(d, p, s, r)	dma_map_single_attrs(d, p, s, r, 0)
#define dma_unmap_single(d, a, s, r)	dma_unmap_single_attrs(d, a, s, r, 0)
#define dma_map_sg(d, s, n, r)		dma_map_sg_attrs(d, s, n, r, 0)
#define dma_unmap_sg(d, s, n, r)	dma_unmap_sg_attrs(d, s, n, r, 0)

#endif /* PORT_LINUX_DMA_MAPPING_H */
