/* Chunks of groups for threads. */
#include "collide/many/groups.h"

#include "base/tasks.h"

enum { CHUNK = 32 };

_Static_assert(sizeof(bw_witness) % 4 == 0, "witnesses stand behind words");

/* Of one place. */
enum { ROOM = 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) + sizeof(bw_witness) };

typedef struct job {
    const bw_groups *groups;
    char *room; /* room_of(groups) for each worker */
} job;

/* Of a worker: a multiple of eight bytes, for the keys of the next. */
static size_t room_of(const bw_groups *g)
{
    return ((size_t)g->group_size * ROOM + 7) / 8 * 8;
}

static void run_chunk(const bw_groups *g, uint32_t chunk, bw_group_room *room)
{
    const uint32_t first = chunk * CHUNK;
    const uint32_t end = g->group_count - first < CHUNK ? g->group_count : first + CHUNK;
    uint32_t until = 0;
    bool wanted = true;
    for (uint32_t k = 0; k < g->group_size; k++) {
        room->order[k] = k;
        room->witnesses[k].valid = false;
    }
    for (uint32_t group = first; group < end; group++) {
        wanted = wanted && (g->cancel == NULL || bw_cancel_step(g->cancel, &until));
        if (wanted)
            g->answer(g, group, room);
        else
            g->skip(g, group);
    }
}

static void run_chunks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const job *j = context;
    const size_t n = j->groups->group_size;
    char *own = j->room + worker * room_of(j->groups);
    bw_group_room room = {.keys = (uint64_t *)(void *)own,
                          .order = (uint32_t *)(void *)(own + 2 * n * sizeof(uint64_t)),
                          .witnesses =
                              (bw_witness *)(void *)(own + 2 * n * (sizeof(uint64_t) + sizeof(uint32_t)))};
    for (uint32_t chunk = begin; chunk < end; chunk++)
        run_chunk(j->groups, chunk, &room);
}

bw_result bw_groups_run(bw_groups *g, const bw_body_pair *pairs, uint32_t pair_count, uint32_t group_size,
                        bool coherent, bw_progress progress, const bw_tasks *tasks, const bw_allocator *given)
{
    bw_cancel cancel;
    g->coherent = coherent;
    g->cancel = bw_cancel_init(&cancel, progress);
    g->pairs = pairs;
    g->group_size = group_size > 0 ? group_size : 1;
    g->group_count = pair_count / g->group_size;
    if ((pair_count > 0 && pairs == NULL) || pair_count % g->group_size != 0 ||
        bw_tasks_check(tasks) != BW_OK)
        return BW_ERROR_ARGUMENT;
    const bw_allocator allocator = bw_allocator_or_heap(given);
    _Alignas(8) char own[16 * ROOM];
    const size_t count = bw_workers(tasks);
    const bool fits = room_of(g) <= sizeof own / count;
    job j = {g, fits ? own : bw_allocate(&allocator, count, room_of(g))};
    if (j.room == NULL)
        return BW_ERROR_MEMORY;
    bw_parallel(tasks, run_chunks, &j, g->group_count / CHUNK + (g->group_count % CHUNK != 0), 1);
    if (!fits)
        bw_release(&allocator, j.room, count, room_of(g));
    return BW_OK;
}
