/* Contact regions: which contacts hang together, and what they are on average. */
#ifndef BW_CONTACT_REGIONS_H
#define BW_CONTACT_REGIONS_H

#include "base/memory.h"

#include <boxwood/contact.h>

/* Joins hits of one primitive whose other primitives have a corner at one place: writes the region of each,
 * numbered by first hit, and their number. BW_ERROR_MEMORY. */
bw_result bw_regions_find(const bw_mesh *a, const bw_mesh *b, const bw_allocator *allocator,
                          const bw_hit *hits, uint32_t count, uint32_t *region_of, uint32_t *region_count);

/* Makes regions with their first contact and their count, all else zero, and of depth nothing known; and
 * replaces the region of each hit by its place among contacts in the order of regions, stably. */
void bw_regions_arrange(uint32_t *region_of, uint32_t count, bw_contact_region *regions,
                        uint32_t region_count);

/* Point, normal and length of each region. */
void bw_regions_average(const bw_contact *contacts, bw_contact_region *regions, uint32_t region_count);

#endif
