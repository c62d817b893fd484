#include "printable.h"
#include "survey.h"
#include "table.h"

#include <inttypes.h>
#include <string.h>

static const char *const fate_names[FATE_COUNT] = {"outside", "candidate", "hidden", "visible"};

/* Why, without the name of the nesting that may stand before it. */
static const char *reason_of(const survey *s)
{
    const char *name = nesting_names[s->stats.nesting], *reason = s->stats.reason;
    size_t length = strlen(name);
    return strncmp(reason, name, length) == 0 && strncmp(reason + length, ": ", 2) == 0 ? reason + length + 2
                                                                                        : reason;
}

void survey_print_text(const survey *s)
{
    cell c[4];
    const bw_scene_stats *t = &s->stats;
    printf("objects   %s (%s)\n", count_cell(&c[0], t->object_count), printable(s->crowd->name));
    printf("bounds    (%g, %g, %g) to (%g, %g, %g)\n", (double)s->bounds.min[0], (double)s->bounds.min[1],
           (double)s->bounds.min[2], (double)s->bounds.max[0], (double)s->bounds.max[1],
           (double)s->bounds.max[2]);
    if (s->crowd->has_files)
        printf("up        %s\n", units_axis(s->crowd->up));
    printf("nesting   %s%s (%s)\n", nesting_names[t->nesting], t->leafy ? ", leafy" : "", reason_of(s));
    printf("tree      nodes: %s, leaves among them: %s, depth: %" PRIu32 ", largest node: %" PRIu32
           " objects, splits: %s\n",
           count_cell(&c[0], t->node_count), count_cell(&c[1], t->leaf_count), t->depth,
           t->largest_leaf_count, count_cell(&c[2], t->split_count));
    printf("memory    %s, %.1f bytes per object\n", bytes_cell(&c[0], (double)t->bytes),
           (double)t->bytes / t->object_count);
    printf("build     %s, %s an object\n", time_cell(&c[0], s->build_seconds),
           time_cell(&c[1], s->build_seconds / t->object_count));
    printf("query     %s for a cube of side %g: found %.1f of a working set of %.1f, in %.1f nodes\n",
           time_cell(&c[0], s->query_seconds), s->crowd->query_size, s->found, s->tested, s->nodes);
    printf("move      %s an object, in batches of 1,000\n", time_cell(&c[0], s->move_seconds));
    printf("pairs     %s overlap, found in %s\n", count_cell(&c[0], s->pairs),
           time_cell(&c[1], s->pair_seconds));
    if (!s->wish.camera)
        return;
    const bw_view *v = &s->wish.view;
    printf("camera    at (%g, %g, %g), towards (%g, %g, %g)\n", v->eye.x, v->eye.y, v->eye.z,
           v->eye.x + v->forward.x, v->eye.y + v->forward.y, v->eye.z + v->forward.z);
    printf("view      %s in view, found in %s: %s tested, %s in nodes wholly in view, %s nodes visited\n",
           count_cell(&c[0], s->seen.found_count), time_cell(&c[1], s->view_seconds),
           count_cell(&c[2], s->seen.tested_count), count_cell(&c[3], s->seen.untested_count),
           count_cell(&(cell){{0}}, s->seen.node_count));
    for (int i = 0; i < 2 && s->wish.occlusion; i++) {
        const bw_cull_report *f = &s->frames[i];
        printf("frame %d   %s visible, found in %s: %s occluders drawn", i + 1,
               count_cell(&c[0], f->visible_count), time_cell(&c[1], s->frame_seconds[i]),
               count_cell(&c[2], f->occluder_count));
        printf(" (%s triangles), %s objects", count_cell(&c[0], f->triangle_count),
               count_cell(&c[1], f->hidden_object_count));
        printf(" and %s nodes hidden\n", count_cell(&c[0], f->hidden_node_count));
    }
}

static void json_view(json_writer *j, const survey *s)
{
    jw_object(j, "camera");
    jw_vec3(j, "eye", s->wish.view.eye);
    jw_vec3(j, "forward", s->wish.view.forward);
    jw_count(j, "in_view", s->seen.found_count);
    jw_count(j, "tested", s->seen.tested_count);
    jw_count(j, "untested", s->seen.untested_count);
    jw_count(j, "nodes", s->seen.node_count);
    jw_number(j, "seconds", s->view_seconds);
    jw_object(j, "fates");
    for (int i = 0; i < FATE_COUNT; i++)
        jw_count(j, fate_names[i], s->fate_counts[i]);
    jw_object_end(j);
    if (s->wish.occlusion) {
        jw_array(j, "frames");
        for (int i = 0; i < 2; i++) {
            const bw_cull_report *f = &s->frames[i];
            jw_object(j, NULL);
            jw_count(j, "visible", f->visible_count);
            jw_count(j, "nodes", f->node_count);
            jw_count(j, "nodes_hidden", f->hidden_node_count);
            jw_count(j, "tested", f->tested_count);
            jw_count(j, "objects_hidden", f->hidden_object_count);
            jw_count(j, "occluders", f->occluder_count);
            jw_count(j, "from_last_frame", f->last_frame_occluder_count);
            jw_count(j, "triangles", f->triangle_count);
            jw_number(j, "seconds", s->frame_seconds[i]);
            jw_object_end(j);
        }
        jw_array_end(j);
    }
    jw_object_end(j);
}

void survey_print_json(const survey *s)
{
    const bw_scene_stats *t = &s->stats;
    json_writer j = jw_start(stdout);
    jw_object(&j, NULL);
    jw_string(&j, "spread", s->crowd->name);
    jw_count(&j, "objects", t->object_count);
    jw_flat_object(&j, "bounds");
    jw_vec3(&j, "min",
            (bw_vec3){(double)s->bounds.min[0], (double)s->bounds.min[1], (double)s->bounds.min[2]});
    jw_vec3(&j, "max",
            (bw_vec3){(double)s->bounds.max[0], (double)s->bounds.max[1], (double)s->bounds.max[2]});
    jw_object_end(&j);
    units_json(s->crowd->unit, s->crowd->up, &j);
    jw_string(&j, "nesting", nesting_names[t->nesting]);
    jw_bool(&j, "leafy", t->leafy);
    jw_string(&j, "reason", reason_of(s));
    jw_count(&j, "nodes", t->node_count);
    jw_count(&j, "leaves", t->leaf_count);
    jw_count(&j, "depth", t->depth);
    jw_count(&j, "largest_node", t->largest_leaf_count);
    jw_count(&j, "splits", t->split_count);
    jw_count(&j, "bytes", t->bytes);
    jw_number(&j, "bytes_per_object", (double)t->bytes / t->object_count);
    jw_number(&j, "build_seconds", s->build_seconds);
    jw_object(&j, "query");
    jw_count(&j, "queries", s->queries);
    jw_number(&j, "side", s->crowd->query_size);
    jw_number(&j, "seconds", s->query_seconds);
    jw_number(&j, "found", s->found);
    jw_number(&j, "working_set", s->tested);
    jw_number(&j, "nodes", s->nodes);
    jw_object_end(&j);
    jw_object(&j, "move");
    jw_count(&j, "moves", s->moves);
    jw_number(&j, "seconds", s->move_seconds);
    jw_object_end(&j);
    jw_count(&j, "pairs", s->pairs);
    jw_number(&j, "pair_seconds", s->pair_seconds);
    if (s->wish.camera)
        json_view(&j, s);
    jw_object_end(&j);
    jw_finish(&j);
}
