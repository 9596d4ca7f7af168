// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <linux/dma-mapping.h> for a guest without IOMMU: a DMA address is
 * the guest-physical one, and caches are coherent.
 */
#include <linux/dma-mapping.h>
#include <linux/kernel.h>
#include <linux/slab.h>

dma_addr_t dma_map_page_attrs(struct device *dev, struct page *page,
			      size_t offset, size_t size,
			      enum dma_data_direction dir, unsigned long attrs)
{
	return page_to_phys(page) + offset;
}

void dma_unmap_page_attrs(struct device *dev, dma_addr_t addr, size_t size,
			  enum dma_data_direction dir, unsigned long attrs)
{
}

unsigned int dma_map_sg_attrs(struct device *dev, struct scatterlist *sg,
			      int nents, enum dma_data_direction dir,
			      unsigned long attrs)
{
	struct scatterlist *s;
	int i;

	for_each_sg(sg, s, nents, i) {
		s->dma_address = sg_phys(s);
		s->dma_length = s->length;
	}
	return nents;
}

void dma_unmap_sg_attrs(struct device *dev, struct scatterlist *sg, int nents,
			enum dma_data_direction dir, unsigned long attrs)
{
}

void *dma_alloc_attrs(struct device *dev, size_t size, dma_addr_t *handle,
		      gfp_t gfp, unsigned long attrs)
{
	void *va = alloc_pages_exact(size, gfp | __GFP_ZERO);

	if (va)
		*handle = virt_to_phys(va);
	return va;
}

void dma_free_attrs(struct device *dev, size_t size, void *cpu_addr,
		    dma_addr_t handle, unsigned long attrs)
{
	free_pages_exact(cpu_addr, size);
}

void dma_sync_single_for_cpu(struct device *dev, dma_addr_t addr, size_t size,
			     enum dma_data_direction dir)
{
}

void dma_sync_single_for_device(struct device *dev, dma_addr_t addr,
				size_t size, enum dma_data_direction dir)
{
}

bool dma_need_sync(struct device *dev, dma_addr_t addr)
{
	return false;
}

size_t dma_max_mapping_size(struct device *dev)
{
	return SIZE_MAX;
}

int dma_set_mask_and_coherent(struct device *dev, u64 mask)
{
	dev->coherent_dma_mask = mask;
	if (dev->dma_mask)
		*dev->dma_mask = mask;
	return 0;
}

int dma_set_max_seg_size(struct device *dev, unsigned int size)
{
	if (!dev->dma_parms)
		return -EIO;
	dev->dma_parms->max_segment_size = size;
	return 0;
}
