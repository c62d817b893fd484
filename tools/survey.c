#include "survey.h"

#include "scenes/random.h"

#include <stdlib.h>
#include <string.h>

enum { QUERIES = 1000, BATCHES = 10, BATCH = 1000 };

const char *const nesting_names[NESTING_COUNT] = {"auto",   "modern",     "kd",      "ternary",
                                                  "octree", "icoseptree", "per-node"};

static bool build(survey *s, fault *why)
{
    const crowd *c = s->crowd;
    uint64_t *users = tool_alloc(c->count, sizeof *users);
    s->ids = tool_alloc(c->count, sizeof *s->ids);
    for (uint32_t i = 0; i < c->count; i++)
        users[i] = i;
    const bw_scene_desc desc = {.nesting = s->wish.nesting, .leafy = s->wish.leafy};
    double start = seconds_now();
    bw_result result = bw_scene_create(&desc, &s->scene, NULL);
    if (result == BW_OK)
        result = bw_scene_insert_many(s->scene, c->boxes, users, c->count, s->ids, NULL);
    if (result == BW_OK)
        result = bw_scene_prepare(s->scene, NULL, NULL, NULL);
    s->build_seconds = seconds_now() - start;
    free(users);
    if (result != BW_OK)
        return fault_set(why, "the scene could not be built: %s", bw_result_string(result));
    s->bounds = bw_scene_bounds(s->scene);
    return true;
}

/* Cubes around random objects. */
static bool ask(survey *s, bws_random *random, fault *why)
{
    const crowd *c = s->crowd;
    bw_region *regions = tool_alloc(QUERIES, sizeof *regions);
    for (int i = 0; i < QUERIES; i++) {
        const bw_box *near = &c->boxes[bws_random_below(random, c->count)];
        regions[i] = (bw_region){.kind = BW_REGION_BOX};
        for (int a = 0; a < 3; a++) {
            double middle = 0.5 * ((double)near->min[a] + (double)near->max[a]);
            double low = middle - c->query_size * bws_random_unit(random);
            regions[i].box.min[a] = (float)low;
            regions[i].box.max[a] = (float)(low + c->query_size);
        }
    }
    bw_result result = BW_OK;
    double start = seconds_now();
    for (int i = 0; i < QUERIES && result == BW_OK; i++) {
        bw_scene_report report = {0};
        result = bw_scene_query(s->scene, &regions[i], NULL, &report, NULL);
        if (result == BW_OK) {
            s->found += (double)report.found_count / QUERIES;
            s->tested += (double)(report.tested_count + report.untested_count) / QUERIES;
            s->nodes += (double)report.node_count / QUERIES;
        }
    }
    s->query_seconds = (seconds_now() - start) / QUERIES;
    s->queries = QUERIES;
    free(regions);
    return result == BW_OK || fault_set(why, "a query failed: %s", bw_result_string(result));
}

/* Random objects by a distance in proportion to their size, and back. */
static bool move(survey *s, bws_random *random, fault *why)
{
    const crowd *c = s->crowd;
    bw_id *ids = tool_alloc(BATCH, sizeof *ids);
    bw_box *there = tool_alloc(BATCH, sizeof *there), *back = tool_alloc(BATCH, sizeof *back);
    bw_result result = BW_OK;
    for (int b = 0; b < BATCHES && result == BW_OK; b++) {
        for (int i = 0; i < BATCH; i++) {
            uint64_t object = bws_random_below(random, c->count);
            ids[i] = s->ids[object];
            there[i] = back[i] = c->boxes[object];
            for (int a = 0; a < 3; a++) {
                float by = 0.5f * (back[i].max[a] - back[i].min[a]) * bws_random_float(random, -1, 1);
                if (back[i].min[a] + by >= -BW_SCENE_COORDINATE_MAX &&
                    back[i].max[a] + by <= BW_SCENE_COORDINATE_MAX) {
                    there[i].min[a] += by;
                    there[i].max[a] += by;
                }
            }
        }
        double start = seconds_now();
        result = bw_scene_move_many(s->scene, ids, there, BATCH, NULL);
        if (result == BW_OK)
            result = bw_scene_move_many(s->scene, ids, back, BATCH, NULL);
        s->move_seconds += (seconds_now() - start) / (2.0 * BATCH * BATCHES);
    }
    s->moves = 2 * BATCH * BATCHES;
    free(ids);
    free(there);
    free(back);
    return result == BW_OK || fault_set(why, "a move failed: %s", bw_result_string(result));
}

static bool pair(survey *s, fault *why)
{
    bw_pair_report report = {0};
    double start = seconds_now();
    bw_result result = bw_scene_pairs(s->scene, NULL, &report, NULL);
    s->pair_seconds = seconds_now() - start;
    s->pairs = result == BW_OK ? report.found_count : 0;
    return result == BW_OK || fault_set(why, "the pairs failed: %s", bw_result_string(result));
}

static uint64_t number_of(const survey *s, bw_id id)
{
    uint64_t object = 0;
    bw_scene_get(s->scene, id, NULL, &object, NULL);
    return object;
}

typedef struct marker {
    survey *s;
    survey_fate fate;
} marker;

static bool mark(void *user, const bw_id *ids, size_t count, uint32_t path)
{
    (void)path; /* no object is an instance */
    const marker *m = user;
    for (size_t i = 0; i < count; i++)
        m->s->fates[number_of(m->s, ids[i])] = (uint8_t)m->fate;
    return true;
}

static bw_region view_region(const survey *s)
{
    return (bw_region){.kind = BW_REGION_PLANES, .planes = s->planes, .plane_count = s->plane_count};
}

static bool mark_candidates(void *user, const bw_box *box, uint32_t depth, const bw_id *ids, uint32_t count)
{
    survey *s = user;
    const bw_region region = view_region(s);
    (void)depth;
    if (bw_region_meets(&region, box))
        for (uint32_t i = 0; i < count; i++)
            s->fates[number_of(s, ids[i])] = FATE_CANDIDATE;
    return true;
}

static bool look(survey *s, crowd *c, fault *why)
{
    if (bw_view_planes(&s->wish.view, s->planes, &s->plane_count, NULL) != BW_OK)
        return fault_set(why, "--eye and --look: numbers of which no view can be made");
    s->fates = tool_alloc(c->count, sizeof *s->fates);
    memset(s->fates, FATE_OUTSIDE, c->count);
    marker into = {s, s->wish.occlusion ? FATE_HIDDEN : FATE_VISIBLE};
    const bw_scene_output output = {.on_objects = mark, .user = &into};
    const bw_region region = view_region(s);
    double start = seconds_now();
    bw_result result = bw_scene_query(s->scene, &region, NULL, &s->seen, NULL);
    s->view_seconds = seconds_now() - start;
    if (result == BW_OK)
        result = bw_scene_visit(s->scene, mark_candidates, s, NULL);
    if (result == BW_OK)
        result = bw_scene_query(s->scene, &region, &output, NULL, NULL);
    if (result == BW_OK && s->wish.occlusion) {
        const bw_cull_desc desc = {.width = 1024, .height = 512, .occluder_of = crowd_occluder, .user = c};
        into.fate = FATE_VISIBLE;
        result = bw_cull_create(&desc, &s->cull, NULL);
        for (int frame = 0; frame < 2 && result == BW_OK; frame++) {
            start = seconds_now();
            result = bw_cull_frame(s->cull, s->scene, &s->wish.view, frame == 1 ? &output : NULL,
                                   &s->frames[frame], NULL);
            s->frame_seconds[frame] = seconds_now() - start;
        }
    }
    for (uint32_t i = 0; i < c->count; i++)
        s->fate_counts[s->fates[i]]++;
    return result == BW_OK || fault_set(why, "the view failed: %s", bw_result_string(result));
}

bool survey_run(survey *out, crowd *c, const survey_wish *wish, fault *why)
{
    bws_random random = bws_random_seeded(wish->seed + 1);
    *out = (survey){.wish = *wish, .crowd = c};
    if (!build(out, why) || !ask(out, &random, why) || !move(out, &random, why) || !pair(out, why))
        return false;
    bw_scene_get_stats(out->scene, &out->stats);
    return !wish->camera || look(out, c, why);
}

void survey_free(survey *s)
{
    bw_cull_destroy(s->cull);
    bw_scene_destroy(s->scene);
    free(s->ids);
    free(s->fates);
}
