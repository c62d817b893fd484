/* Ids: an index into the table below, and above it a generation that tells whether the id is stale. A
 * generation is odd while its place is in use, so a free place matches no id. */
#ifndef BW_SCENE_TABLE_H
#define BW_SCENE_TABLE_H

#include "scene/slab.h"

#include <boxwood/scene.h>

typedef struct bw_entry {
    uint32_t location; /* where the tree keeps the object; the pool's link while free */
    uint32_t generation;
} bw_entry;

typedef struct bw_table {
    bw_slab entries; /* of bw_entry */
    bw_slab users;   /* of uint64_t, same indices */
    uint32_t floor;  /* even: generation that new places start from, above all that were given back */
} bw_table;

static inline uint32_t bw_id_index(bw_id id)
{
    return (uint32_t)id;
}

static inline bw_id bw_id_of(uint32_t index, uint32_t generation)
{
    return (bw_id)generation << 32 | index;
}

static inline bw_entry *bw_table_entry(const bw_table *table, uint32_t index)
{
    return bw_slab_at(&table->entries, index);
}

static inline uint64_t *bw_table_user(const bw_table *table, uint32_t index)
{
    return bw_slab_at(&table->users, index);
}

/* The ids of a batch: a list, or where that is NULL so many from `first` on. */
typedef struct bw_id_list {
    const bw_id *ids;
    bw_id first;
} bw_id_list;

static inline bw_id bw_id_at(const bw_id_list *list, uint32_t i)
{
    return list->ids != NULL ? list->ids[i] : list->first + i;
}

/* The entry of a live id, or NULL. */
static inline bw_entry *bw_table_find(const bw_table *table, bw_id id)
{
    if (bw_id_index(id) >= table->entries.end)
        return NULL;
    bw_entry *entry = bw_table_entry(table, bw_id_index(id));
    return (entry->generation & 1) != 0 && entry->generation == (uint32_t)(id >> 32) ? entry : NULL;
}

/* Why bw_table_find found nothing. */
bw_result bw_table_id_error(const bw_table *table, bw_id id);

bw_table bw_table_empty(void);
bool bw_table_reserve(bw_table *table, const bw_allocator *allocator, uint32_t count);
/* A new id. Only after a reservation. */
bw_id bw_table_take(bw_table *table, uint64_t user);
/* Whether the next ones follow one another. */
bool bw_table_takes_in_turn(const bw_table *table);
/* So many that do; users may be NULL. Returns the first. Only after a reservation. */
bw_id bw_table_take_in_turn(bw_table *table, const uint64_t *users, uint32_t count);
void bw_table_give(bw_table *table, uint32_t index);
/* Gives memory back where places at the end are free. */
void bw_table_trim(bw_table *table, const bw_allocator *allocator);
void bw_table_release(bw_table *table, const bw_allocator *allocator);

#endif
