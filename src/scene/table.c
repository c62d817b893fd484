/* Ids with generations that tell whether they are stale. */
#include "scene/table.h"

bw_table bw_table_empty(void)
{
    return (bw_table){bw_slab_empty(sizeof(bw_entry), 12), bw_slab_empty(sizeof(uint64_t), 12), 0};
}

bw_result bw_table_id_error(const bw_table *table, bw_id id)
{
    /* Generations of given-out ids are odd; a place above the end may have been given back with its memory.
     */
    uint32_t generation = (uint32_t)(id >> 32);
    if ((generation & 1) == 0)
        return BW_ERROR_ARGUMENT;
    uint32_t last = bw_id_index(id) < table->entries.end ? bw_table_entry(table, bw_id_index(id))->generation
                                                         : table->floor;
    return generation <= last ? BW_ERROR_STALE : BW_ERROR_ARGUMENT;
}

bool bw_table_reserve(bw_table *table, const bw_allocator *allocator, uint32_t count)
{
    return bw_slab_reserve(&table->entries, allocator, count) &&
           bw_slab_reserve(&table->users, allocator, count);
}

bw_id bw_table_take(bw_table *table, uint64_t user)
{
    uint32_t end = table->entries.end;
    uint32_t index = bw_slab_take(&table->entries);
    bw_entry *entry = bw_table_entry(table, index);
    /* The two pools see the same calls, but only the first keeps a list. */
    if (index == end) {
        entry->generation = table->floor;
        table->users.end = end + 1;
    }
    entry->generation++;
    *bw_table_user(table, index) = user;
    return bw_id_of(index, entry->generation);
}

bool bw_table_takes_in_turn(const bw_table *table)
{
    return table->entries.free_count == 0;
}

bw_id bw_table_take_in_turn(bw_table *table, const uint64_t *users, uint32_t count)
{
    const uint32_t first = table->entries.end, generation = table->floor + 1;
    for (uint32_t i = 0; i < count; i++) {
        bw_table_entry(table, first + i)->generation = generation;
        *bw_table_user(table, first + i) = users == NULL ? 0 : users[i];
    }
    table->entries.end = table->users.end = first + count;
    return bw_id_of(first, generation);
}

void bw_table_give(bw_table *table, uint32_t index)
{
    bw_table_entry(table, index)->generation++;
    bw_slab_give(&table->entries, index);
}

static bool in_use(const void *context, uint32_t index)
{
    return (bw_table_entry(context, index)->generation & 1) != 0;
}

static bool below_end(const void *context, uint32_t index)
{
    return index < ((const bw_table *)context)->entries.end;
}

void bw_table_trim(bw_table *table, const bw_allocator *allocator)
{
    uint32_t floor = table->floor;
    for (uint32_t i = table->entries.end; i > 0 && !in_use(table, i - 1); i--) {
        uint32_t generation = bw_table_entry(table, i - 1)->generation;
        floor = generation > floor ? generation : floor;
    }
    table->floor = floor;
    bw_slab_trim(&table->entries, allocator, in_use, table);
    bw_slab_trim(&table->users, allocator, below_end, table);
}

void bw_table_release(bw_table *table, const bw_allocator *allocator)
{
    bw_slab_release(&table->entries, allocator);
    bw_slab_release(&table->users, allocator);
}
