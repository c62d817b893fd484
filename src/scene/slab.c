/* A pool of equal elements in chunks. */
#include "scene/slab.h"

#include <string.h>

static uint32_t capacity(const bw_slab *pool)
{
    if (pool->chunk_count == 0)
        return 0;
    return pool->first_capacity + ((pool->chunk_count - 1) << pool->shift);
}

static bool grow_first(bw_slab *pool, const bw_allocator *allocator, uint32_t wanted)
{
    uint32_t full = 1u << pool->shift;
    uint32_t size = pool->first_capacity == 0 ? 2 : 2 * pool->first_capacity;
    while (size < wanted && size < full)
        size *= 2;
    size = size > full ? full : size;
    char *chunk = bw_allocate(allocator, size, pool->element);
    if (chunk == NULL)
        return false;
    if (pool->first_capacity != 0) {
        memcpy(chunk, pool->chunks[0], (size_t)pool->first_capacity * pool->element);
        bw_release(allocator, pool->chunks[0], pool->first_capacity, pool->element);
    }
    pool->chunks[0] = chunk;
    pool->chunk_count = pool->chunk_count == 0 ? 1 : pool->chunk_count;
    pool->first_capacity = size;
    return true;
}

static bool grow_room(bw_slab *pool, const bw_allocator *allocator)
{
    uint32_t room = pool->chunk_room == 0 ? 4 : 2 * pool->chunk_room;
    char **chunks = bw_allocate(allocator, room, sizeof *chunks);
    if (chunks == NULL)
        return false;
    if (pool->chunk_count != 0)
        memcpy(chunks, pool->chunks, pool->chunk_count * sizeof *chunks);
    bw_release(allocator, pool->chunks, pool->chunk_room, sizeof *chunks);
    pool->chunks = chunks;
    pool->chunk_room = room;
    return true;
}

bool bw_slab_reserve(bw_slab *pool, const bw_allocator *allocator, uint32_t count)
{
    if (count <= pool->free_count)
        return true;
    uint32_t wanted = pool->end + (count - pool->free_count);
    uint32_t full = 1u << pool->shift;
    while (capacity(pool) < wanted) {
        if (pool->chunk_count == pool->chunk_room && !grow_room(pool, allocator))
            return false;
        if (pool->first_capacity < full) {
            if (!grow_first(pool, allocator, wanted))
                return false;
        } else {
            char *chunk = bw_allocate(allocator, full, pool->element);
            if (chunk == NULL)
                return false;
            pool->chunks[pool->chunk_count++] = chunk;
        }
    }
    return true;
}

uint32_t bw_slab_take(bw_slab *pool)
{
    if (pool->free_head != BW_SLAB_NONE) {
        uint32_t index = pool->free_head;
        memcpy(&pool->free_head, bw_slab_at(pool, index), sizeof pool->free_head);
        pool->free_count--;
        return index;
    }
    return pool->end++;
}

void bw_slab_give(bw_slab *pool, uint32_t index)
{
    memcpy(bw_slab_at(pool, index), &pool->free_head, sizeof pool->free_head);
    pool->free_head = index;
    pool->free_count++;
}

static void cut(bw_slab *pool, const bw_allocator *allocator, uint32_t end)
{
    pool->end = end;
    uint32_t chunks = end == 0 ? 0 : ((end - 1) >> pool->shift) + 1;
    while (pool->chunk_count > chunks) {
        uint32_t last = --pool->chunk_count;
        bw_release(allocator, pool->chunks[last], last == 0 ? pool->first_capacity : 1u << pool->shift,
                   pool->element);
    }
    if (pool->chunk_count == 0)
        pool->first_capacity = 0;
}

void bw_slab_trim(bw_slab *pool, const bw_allocator *allocator,
                  bool (*used)(const void *context, uint32_t index), const void *context)
{
    uint32_t end = pool->end;
    while (end > 0 && !used(context, end - 1))
        end--;
    if (end == pool->end)
        return;
    /* The list keeps its order: which index comes next must not depend on when memory went back. */
    uint32_t *link = &pool->free_head, kept = 0;
    for (uint32_t index = pool->free_head, next; index != BW_SLAB_NONE; index = next) {
        uint32_t *own = bw_slab_at(pool, index);
        next = *own;
        if (index < end) {
            *link = index;
            link = own;
            kept++;
        }
    }
    *link = BW_SLAB_NONE;
    pool->free_count = kept;
    cut(pool, allocator, end);
}

void bw_slab_cut(bw_slab *pool, const bw_allocator *allocator, uint32_t end)
{
    pool->free_head = BW_SLAB_NONE;
    pool->free_count = 0;
    cut(pool, allocator, end);
}

void bw_slab_release(bw_slab *pool, const bw_allocator *allocator)
{
    for (uint32_t i = 0; i < pool->chunk_count; i++)
        bw_release(allocator, pool->chunks[i], i == 0 ? pool->first_capacity : 1u << pool->shift,
                   pool->element);
    bw_release(allocator, pool->chunks, pool->chunk_room, sizeof *pool->chunks);
    *pool = bw_slab_empty(pool->element, pool->shift);
}

size_t bw_slab_bytes(const bw_slab *pool)
{
    return (size_t)capacity(pool) * pool->element + pool->chunk_room * sizeof *pool->chunks;
}
