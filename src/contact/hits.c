/* Hits of bw_collide, of which nobody knows the number before. */
#include "contact/hits.h"

#define MOST ((size_t)1 << 30)

typedef struct collecting {
    bw_array *hits;
    bool failed;
} collecting;

static bool collect(void *user, const bw_hit *hit)
{
    collecting *c = user;
    bw_hit *slot = c->hits->count < MOST ? bw_array_push(c->hits) : NULL;
    c->failed = slot == NULL;
    if (!c->failed)
        *slot = *hit;
    return !c->failed;
}

bw_result bw_hits_collect(const bw_body *a, const bw_body *b, const bw_tasks *tasks, bw_progress progress,
                          bw_array *out, bool *stopped)
{
    collecting c = {out, false};
    const bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                                  .on_hit = collect,
                                  .user = &c,
                                  .tasks = tasks,
                                  .allocator = out->allocator,
                                  .progress = progress};
    bw_collide_report report = {0};
    const bw_result result = bw_collide(a, b, &desc, &report, NULL);
    *stopped = report.status == BW_STOPPED;
    if (result != BW_OK || !c.failed)
        return result;
    return out->count >= MOST ? BW_ERROR_SIZE : BW_ERROR_MEMORY;
}
