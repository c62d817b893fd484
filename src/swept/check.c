/* The invariants of a step. */
#include "swept/swept.h"

#include "geom/box.h"

#include <math.h>

typedef struct tally {
    const bw_swept *s;
    uint8_t *seen; /* vertices, then edges */
} tally;

/* Whether the box of a lane is around a vertex at both ends, with its thickness up to rounding. */
static bool around(const bw_swept_group *g, uint32_t lane, const bw_ccd_path *path)
{
    for (int k = 0; k < 3; k++)
        for (int time = 0; time < 2; time++) {
            double x = path->at[4 * time + k], thickness = bw_swept_thickness(path),
                   doubt = thickness > 0 ? 0x1p-22 * (fabs(x) + thickness) : 0;
            if (!((double)g->min[k][lane] <= x - thickness + doubt &&
                  x + thickness - doubt <= (double)g->max[k][lane]))
                return false;
        }
    return true;
}

static bool within(const bw_swept_group *g, uint32_t lane, const bw_box *box)
{
    for (int k = 0; k < 3; k++)
        if (g->min[k][lane] < box->min[k] || g->max[k][lane] > box->max[k])
            return false;
    return true;
}

/* kind 0: faces, 1: vertices, 2: edges; so many of them. again: they stand in other groups already. */
static const char *check_groups(tally *t, const bw_swept_group *groups, uint32_t count, int kind, bool again,
                                const bw_box *box)
{
    const bw_swept *s = t->s;
    for (uint32_t i = 0; i < BW_SWEPT_EIGHTS(count); i++) {
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
            uint32_t id = groups[i].id[lane];
            if (i * BW_WIDTH + lane >= count) {
                if (id != BW_NONE || !(groups[i].min[0][lane] > groups[i].max[0][lane]))
                    return "an unused lane is not empty";
                continue;
            }
            if (id >= (kind == 0 ? s->triangle_count : kind == 1 ? s->vertex_count : s->edge_count))
                return "a feature's number is out of range";
            const uint32_t *vertices = kind == 0 ? s->faces[id] : kind == 1 ? &id : s->edges[id];
            for (int v = 0; v < 3; v++)
                if (groups[i].vertex[v][lane] != vertices[v < (kind == 0 ? 3 : kind) ? v : 0])
                    return "a group names a vertex that is not its feature's";
            for (int v = 0; v < (kind == 0 ? 3 : kind); v++)
                if (!around(&groups[i], lane, &s->paths[vertices[v]]))
                    return "a box does not hold its feature";
            if (!within(&groups[i], lane, box))
                return "a feature sticks out of its leaf";
            if (kind > 0 && !again) {
                uint8_t *seen = &t->seen[kind == 1 ? id : s->vertex_count + (size_t)id];
                if (*seen != 0)
                    return "a vertex or edge belongs to two leaves";
                *seen = 1;
            }
        }
    }
    return NULL;
}

const char *bw_swept_check(const bw_swept *sweep)
{
    if (sweep == NULL)
        return "there is no step";
    const uint32_t count = bw_swept_primitive_count(sweep);
    const char *fault = bw_wide_check(&sweep->tree, NULL, count);
    if (fault != NULL)
        return fault;
    if (sweep->tree.primitive_count != count || sweep->leaf_count != sweep->tree.leaf_count)
        return "the tree does not hold every primitive";
    size_t features = (size_t)sweep->vertex_count + sweep->edge_count;
    tally t = {sweep, bw_allocate_zero(&sweep->allocator, features, 1)};
    if (t.seen == NULL)
        return "out of memory";
    for (uint32_t leaf = 0; fault == NULL && leaf < sweep->leaf_count; leaf++) {
        bw_box box = bw_swept_leaf_box(sweep, leaf);
        const bw_swept_leaf *own = &sweep->leaves[leaf];
        fault = check_groups(&t, bw_swept_faces(sweep, leaf), own->face_count, 0, false, &box);
        if (fault == NULL)
            fault = check_groups(&t, bw_swept_vertices(sweep, leaf), own->vertex_count, 1, false, &box);
        if (fault == NULL)
            fault = check_groups(&t, bw_swept_edges(sweep, leaf), own->edge_count, 2, false, &box);
        if (fault == NULL)
            fault = check_groups(&t, bw_swept_loose_edges(sweep, leaf), own->loose_edge_count, 2, true, &box);
        if (fault == NULL)
            fault = check_groups(&t, bw_swept_points(sweep, leaf), own->point_count, 1, true, &box);
    }
    for (uint32_t f = 0; fault == NULL && f < sweep->triangle_count; f++)
        for (uint32_t k = 0; fault == NULL && k < 3; k++) {
            uint32_t e = sweep->face_edges[3 * (size_t)f + k];
            if (t.seen[sweep->faces[f][k]] == 0 ||
                (e != BW_NONE && t.seen[sweep->vertex_count + (size_t)e] == 0))
                fault = "a vertex or edge belongs to no leaf";
        }
    for (uint32_t e = sweep->face_edge_count; fault == NULL && e < sweep->edge_count; e++)
        if (t.seen[sweep->vertex_count + (size_t)e] == 0 || t.seen[sweep->edges[e][0]] == 0 ||
            t.seen[sweep->edges[e][1]] == 0)
            fault = "an edge of no triangle, or its vertex, belongs to no leaf";
    for (uint32_t i = 0; fault == NULL && i < sweep->point_count; i++)
        if (t.seen[sweep->points[i]] == 0)
            fault = "a point belongs to no leaf";
    bw_release(&sweep->allocator, t.seen, features, 1);
    return fault;
}
