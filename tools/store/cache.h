/* Meshes of a store in memory, with their trees: those that were used last, up to a number of bytes. */
#ifndef TOOL_STORE_CACHE_H
#define TOOL_STORE_CACHE_H

#include "store/store.h"

typedef struct store_cache store_cache;

/* What it did until now. */
typedef struct store_cache_counts {
    uint64_t reads;      /* meshes read, again and again where they were given up in between */
    uint64_t bytes_read; /* from the file */
    uint64_t used;       /* meshes asked for */
    size_t most_bytes;   /* held at once */
} store_cache_counts;

/* A mesh that is held. */
typedef struct store_held {
    const bw_mesh *view;
    const bw_tree *tree;
    const uint32_t *faces, *lines; /* NULL: none */
    uint32_t slot;
} store_held;

/* Keeps at most so many bytes, but for what is held: a pair of meshes that is larger than that by itself is still served.
 * Each of the threads has a number below `workers`. The store must outlive the cache. */
store_cache *store_cache_create(const store *store, size_t bytes, uint32_t workers);
void store_cache_destroy(store_cache *cache);

/* The mesh, until it is released. It may be held several times, by several threads. */
bool store_cache_hold(store_cache *cache, uint32_t worker, uint32_t mesh, store_held *out, fault *why);
void store_cache_release(store_cache *cache, const store_held *held);
/* While nothing is held: how often each mesh will be held from now on. After the last time it is given up, and makes room. Owned by
 * the cache; NULL: nobody knows. One that is held more often is read again. */
void store_cache_expect(store_cache *cache, uint32_t *uses);
/* While nothing is held. */
store_cache_counts store_cache_get_counts(const store_cache *cache);

#endif
