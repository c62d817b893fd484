/* The hash map of objects under paths: open addressing, at most half full. */
#include "scene/key_map.h"

#include <string.h>

static bw_key_entry *slot_of(const bw_key_map *map, bw_id id, uint32_t path)
{
    uint64_t hash = (id ^ (uint64_t)path * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    uint32_t at = (uint32_t)(hash >> 32) & (map->capacity - 1);
    while (map->entries[at].id != 0 && (map->entries[at].id != id || map->entries[at].path != path))
        at = (at + 1) & (map->capacity - 1);
    return &map->entries[at];
}

uint32_t *bw_key_map_find(const bw_key_map *map, bw_id id, uint32_t path)
{
    bw_key_entry *entry = map->count == 0 ? NULL : slot_of(map, id, path);
    return entry == NULL || entry->id == 0 ? NULL : &entry->value;
}

bool bw_key_map_add(bw_key_map *map, const bw_allocator *allocator, bw_id id, uint32_t path, uint32_t value)
{
    if (2 * map->count >= map->capacity) {
        bw_key_map larger = {NULL, map->count, map->capacity == 0 ? 16 : 2 * map->capacity};
        larger.entries = bw_allocate_zero(allocator, larger.capacity, sizeof *larger.entries);
        if (larger.entries == NULL)
            return false;
        for (uint32_t i = 0; i < map->capacity; i++)
            if (map->entries[i].id != 0)
                *slot_of(&larger, map->entries[i].id, map->entries[i].path) = map->entries[i];
        bw_key_map_release(map, allocator);
        *map = larger;
    }
    *slot_of(map, id, path) = (bw_key_entry){id, path, value};
    map->count++;
    return true;
}

void bw_key_map_clear(bw_key_map *map)
{
    if (map->count != 0)
        memset(map->entries, 0, map->capacity * sizeof *map->entries);
    map->count = 0;
}

void bw_key_map_release(bw_key_map *map, const bw_allocator *allocator)
{
    bw_release(allocator, map->entries, map->capacity, sizeof *map->entries);
    *map = (bw_key_map){0};
}
