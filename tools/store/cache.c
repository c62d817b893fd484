/* The cache of meshes: least recently used first to go, what is held never. A mesh is read outside of the lock by who asks
 * for it first; others that want it wait. */
#define _POSIX_C_SOURCE 200809L
#include "store/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef enum slot_state { SLOT_READING, SLOT_READY, SLOT_FAILED } slot_state;

typedef struct slot {
    uint32_t mesh;
    uint32_t newer, older; /* among those that nobody holds */
    uint32_t holders;
    slot_state state;
    size_t bytes;
    store_geometry geometry;
    bw_tree *tree;
    fault *why; /* of a failure */
} slot;

struct store_cache {
    const store *store;
    size_t limit, bytes;
    store_buffer *buffers; /* by worker */
    uint32_t workers;
    uint32_t *slot_of; /* by mesh; STORE_NONE: not here */
    uint32_t *uses;    /* by mesh, that are expected; NULL: nobody knows */
    slot **slots;      /* blocks of their own, so that holders may look at them without the lock */
    uint32_t *unused;  /* numbers of slots */
    size_t slot_count, slot_capacity, unused_count, unused_capacity;
    uint32_t newest, oldest;
    store_cache_counts counts;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
};

store_cache *store_cache_create(const store *s, size_t bytes, uint32_t workers)
{
    store_cache *c = tool_alloc(1, sizeof *c);
    *c = (store_cache){
        .store = s, .limit = bytes, .workers = workers, .newest = STORE_NONE, .oldest = STORE_NONE};
    c->buffers = tool_alloc(workers, sizeof *c->buffers);
    memset(c->buffers, 0, workers * sizeof *c->buffers);
    c->slot_of = tool_alloc(s->mesh_count, sizeof *c->slot_of);
    memset(c->slot_of, 0xff, s->mesh_count * sizeof *c->slot_of);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->arrived, NULL);
    return c;
}

static void empty(slot *s)
{
    bw_tree_destroy(s->tree);
    store_geometry_free(&s->geometry);
    free(s->why);
    s->tree = NULL;
    s->why = NULL;
}

void store_cache_destroy(store_cache *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->slot_count; i++) {
        empty(c->slots[i]);
        free(c->slots[i]);
    }
    for (uint32_t i = 0; i < c->workers; i++)
        free(c->buffers[i].bytes);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->arrived);
    free(c->slots);
    free(c->unused);
    free(c->slot_of);
    free(c->uses);
    free(c->buffers);
    free(c);
}

static void take_from_list(store_cache *c, slot *s)
{
    *(s->newer == STORE_NONE ? &c->newest : &c->slots[s->newer]->older) = s->older;
    *(s->older == STORE_NONE ? &c->oldest : &c->slots[s->older]->newer) = s->newer;
}

static void put_in_list(store_cache *c, uint32_t number)
{
    slot *s = c->slots[number];
    s->newer = STORE_NONE;
    s->older = c->newest;
    *(c->newest == STORE_NONE ? &c->oldest : &c->slots[c->newest]->newer) = number;
    c->newest = number;
}

/* Gives up a slot that nobody holds and that is in no list. */
static void drop(store_cache *c, uint32_t number)
{
    slot *s = c->slots[number];
    c->slot_of[s->mesh] = STORE_NONE;
    c->bytes -= s->bytes;
    s->bytes = 0;
    empty(s);
    c->unused = tool_grow(c->unused, c->unused_count, &c->unused_capacity, sizeof *c->unused);
    c->unused[c->unused_count++] = number;
}

static void make_room(store_cache *c, size_t wanted)
{
    while (c->oldest != STORE_NONE && c->bytes + wanted > c->limit) {
        uint32_t number = c->oldest;
        take_from_list(c, c->slots[number]);
        drop(c, number);
    }
}

static uint32_t new_slot(store_cache *c)
{
    if (c->unused_count > 0)
        return c->unused[--c->unused_count];
    c->slots = tool_grow(c->slots, c->slot_count, &c->slot_capacity, sizeof *c->slots);
    c->slots[c->slot_count] = tool_alloc(1, sizeof(slot));
    return (uint32_t)c->slot_count++;
}

/* About what a mesh will take. */
static size_t estimate(const store_mesh *m)
{
    return (size_t)m->vertex_count * (m->flags & STORE_DOUBLES || m->pose != STORE_NONE ? 24 : 12) +
           (size_t)m->primitive_count * 32;
}

static bool fill(store_cache *c, uint32_t worker, slot *s, fault *why)
{
    if (!store_read(c->store, s->mesh, &c->buffers[worker], &s->geometry, why) ||
        !store_tree(c->store, s->mesh, &s->geometry, &s->tree, why))
        return false;
    bw_tree_stats stats = {0};
    bw_tree_get_stats(s->tree, &stats);
    s->bytes = sizeof *s + s->geometry.bytes + stats.bytes;
    return true;
}

/* Reads a mesh that is not here; with the lock, which it gives up in between. */
static uint32_t read_mesh(store_cache *c, uint32_t worker, uint32_t mesh)
{
    make_room(c, estimate(&c->store->meshes[mesh]));
    uint32_t number = new_slot(c);
    slot *s = c->slots[number];
    *s = (slot){.mesh = mesh, .holders = 1, .state = SLOT_READING};
    c->slot_of[mesh] = number;
    pthread_mutex_unlock(&c->lock);
    fault why;
    bool fine = fill(c, worker, s, &why);
    pthread_mutex_lock(&c->lock);
    s->state = fine ? SLOT_READY : SLOT_FAILED;
    if (!fine) {
        s->why = tool_alloc(1, sizeof why);
        *s->why = why;
    }
    c->bytes += s->bytes;
    c->counts.reads++;
    c->counts.bytes_read += c->store->meshes[mesh].bytes;
    if (c->bytes > c->counts.most_bytes)
        c->counts.most_bytes = c->bytes;
    pthread_cond_broadcast(&c->arrived);
    return number;
}

static void let_go(store_cache *c, uint32_t number)
{
    slot *s = c->slots[number];
    if (--s->holders > 0)
        return;
    if (s->state == SLOT_FAILED || (c->uses && c->uses[s->mesh] == 0)) {
        drop(c, number);
        return;
    }
    put_in_list(c, number);
    make_room(c, 0);
}

bool store_cache_hold(store_cache *c, uint32_t worker, uint32_t mesh, store_held *out, fault *why)
{
    pthread_mutex_lock(&c->lock);
    c->counts.used++;
    if (c->uses && c->uses[mesh] > 0)
        c->uses[mesh]--;
    uint32_t number = c->slot_of[mesh];
    if (number == STORE_NONE) {
        number = read_mesh(c, worker, mesh);
    } else {
        slot *s = c->slots[number];
        if (s->holders++ == 0)
            take_from_list(c, s);
        while (s->state == SLOT_READING)
            pthread_cond_wait(&c->arrived, &c->lock);
    }
    slot *s = c->slots[number];
    bool fine = s->state == SLOT_READY;
    if (fine) {
        *out = (store_held){&s->geometry.view, s->tree, s->geometry.faces, s->geometry.lines, number};
    } else {
        *why = *s->why;
        let_go(c, number);
    }
    pthread_mutex_unlock(&c->lock);
    return fine;
}

void store_cache_release(store_cache *c, const store_held *held)
{
    pthread_mutex_lock(&c->lock);
    let_go(c, held->slot);
    pthread_mutex_unlock(&c->lock);
}

void store_cache_expect(store_cache *c, uint32_t *uses)
{
    free(c->uses);
    c->uses = uses;
}

store_cache_counts store_cache_get_counts(const store_cache *c)
{
    return c->counts;
}
