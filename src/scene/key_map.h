/* A hash map from an object and the path of instances to it (an id and a number) to a number. */
#ifndef BW_SCENE_KEY_MAP_H
#define BW_SCENE_KEY_MAP_H

#include "base/memory.h"

#include <boxwood/scene.h>

typedef struct bw_key_entry {
    bw_id id; /* 0: free */
    uint32_t path, value;
} bw_key_entry;

typedef struct bw_key_map {
    bw_key_entry *entries;
    uint32_t count, capacity; /* a power of two, or 0 */
} bw_key_map;

/* The value of a key, or NULL. */
uint32_t *bw_key_map_find(const bw_key_map *map, bw_id id, uint32_t path);
/* Adds a key that is not there. False: no memory, nothing changed. */
bool bw_key_map_add(bw_key_map *map, const bw_allocator *allocator, bw_id id, uint32_t path, uint32_t value);
void bw_key_map_clear(bw_key_map *map);
void bw_key_map_release(bw_key_map *map, const bw_allocator *allocator);

#endif
