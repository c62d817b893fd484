/* Which leaf has which vertex and edge: the first with a primitive of it. The owners are found by two
 * workers, one for the vertices and one for the edges; leaves are then counted and filled by any number, each alone,
 * so that the same bits come out. */
#include "swept/assign.h"

#include "base/tasks.h"

enum { LEAVES_A_TASK = 512 };

typedef struct job {
    const bw_swept *s;
    const bw_wide *tree;
    uint32_t *owner[2]; /* of vertices, of edges: the place in the tree of the primitive that brings it */
    bw_swept_leaf *leaves;
    bw_swept_group *groups;
} job;

/* A primitive: a face, an edge of no triangle, or a point; what it is not is BW_NONE. */
typedef struct primitive {
    uint32_t face, loose_edge, point;
    const uint32_t *features[2]; /* its vertices, its edges: BW_NONE for an edge that is no feature */
    uint32_t count[2];
} primitive;

static inline void primitive_of(const bw_swept *s, uint32_t number, primitive *p)
{
    p->face = p->loose_edge = p->point = BW_NONE;
    if (number < s->triangle_count) {
        p->face = number;
        p->features[0] = s->faces[number];
        p->features[1] = &s->face_edges[3 * (size_t)number];
        p->count[0] = p->count[1] = 3;
        return;
    }
    number += s->face_edge_count - s->triangle_count;
    if (number < s->edge_count) {
        p->loose_edge = number;
        p->features[0] = s->edges[number];
        p->features[1] = &p->loose_edge;
        p->count[0] = 2;
        p->count[1] = 1;
    } else {
        p->features[0] = p->features[1] = &s->points[number - s->edge_count];
        p->point = *p->features[0];
        p->count[0] = 1;
        p->count[1] = 0;
    }
}

static void find_owners(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const job *j = context;
    (void)worker;
    for (uint32_t kind = begin; kind < end; kind++) {
        uint32_t *owner = j->owner[kind], count = kind == 0 ? j->s->vertex_count : j->s->edge_count;
        for (uint32_t i = 0; i < count; i++)
            owner[i] = BW_NONE;
        for (uint32_t leaf = 0; leaf < j->tree->leaf_count; leaf++)
            for (uint32_t i = 0; i < j->tree->leaves[leaf].count; i++) {
                uint32_t place = leaf * BW_WIDTH + i;
                primitive p;
                primitive_of(j->s, j->tree->primitives[place], &p);
                const uint32_t *feature = p.features[kind];
                for (uint32_t k = 0; k < p.count[kind]; k++)
                    if (feature[k] != BW_NONE && owner[feature[k]] == BW_NONE)
                        owner[feature[k]] = place;
            }
    }
}

/* The features that a primitive brings, as bits; each once, though it may have a vertex twice. */
static uint32_t brought(const uint32_t *owner, const uint32_t *feature, uint32_t count, uint32_t place)
{
    uint32_t bits = 0;
    for (uint32_t k = 0; k < count; k++) {
        bool again = (k > 0 && feature[k] == feature[0]) || (k > 1 && feature[k] == feature[1]);
        if (feature[k] != BW_NONE && !again && owner[feature[k]] == place)
            bits |= 1u << k;
    }
    return bits;
}

static void count_features(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const job *j = context;
    (void)worker;
    for (uint32_t leaf = begin; leaf < end; leaf++) {
        uint32_t faces = 0, loose_edges = 0, points = 0, count[2] = {0, 0};
        for (uint32_t i = 0; i < j->tree->leaves[leaf].count; i++) {
            const uint32_t place = leaf * BW_WIDTH + i;
            primitive p;
            primitive_of(j->s, j->tree->primitives[place], &p);
            for (uint32_t kind = 0; kind < 2; kind++) {
                const uint32_t bits = brought(j->owner[kind], p.features[kind], p.count[kind], place);
                count[kind] += (bits & 1) + (bits >> 1 & 1) + (bits >> 2);
            }
            faces += p.face != BW_NONE;
            loose_edges += p.loose_edge != BW_NONE;
            points += p.point != BW_NONE;
        }
        j->leaves[leaf] = (bw_swept_leaf){.face_count = (uint8_t)faces,
                                          .vertex_count = (uint8_t)count[0],
                                          .edge_count = (uint8_t)count[1],
                                          .loose_edge_count = (uint8_t)loose_edges,
                                          .point_count = (uint8_t)points};
    }
}

static uint32_t groups_of(const bw_swept_leaf *leaf)
{
    return 1 + BW_SWEPT_EIGHTS(leaf->vertex_count) + BW_SWEPT_EIGHTS(leaf->edge_count) +
           BW_SWEPT_EIGHTS(leaf->loose_edge_count) + BW_SWEPT_EIGHTS(leaf->point_count);
}

static void clear_groups(bw_swept_group *groups, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
            groups[i].id[lane] = BW_NONE;
            for (int k = 0; k < 3; k++)
                groups[i].vertex[k][lane] = BW_NONE;
        }
}

static void add_to_group(bw_swept_group *groups, uint32_t index, uint32_t id, const uint32_t *vertices,
                         uint32_t vertex_count)
{
    bw_swept_group *g = &groups[index / BW_WIDTH];
    uint32_t lane = index % BW_WIDTH;
    g->id[lane] = id;
    for (uint32_t k = 0; k < 3; k++)
        g->vertex[k][lane] = vertices[k < vertex_count ? k : 0];
}

static void fill_groups(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const job *j = context;
    (void)worker;
    for (uint32_t leaf = begin; leaf < end; leaf++) {
        const bw_swept_leaf *out = &j->leaves[leaf];
        bw_swept_group *faces = &j->groups[out->first], *vertices = faces + 1,
                       *edges = vertices + BW_SWEPT_EIGHTS(out->vertex_count),
                       *loose = edges + BW_SWEPT_EIGHTS(out->edge_count),
                       *points = loose + BW_SWEPT_EIGHTS(out->loose_edge_count);
        uint32_t face_count = 0, vertex_count = 0, edge_count = 0, loose_count = 0, point_count = 0;
        clear_groups(faces, groups_of(out));
        for (uint32_t i = 0; i < j->tree->leaves[leaf].count; i++) {
            uint32_t place = leaf * BW_WIDTH + i;
            primitive p;
            primitive_of(j->s, j->tree->primitives[place], &p);
            const uint32_t *corner = p.features[0], *edge = p.features[1];
            uint32_t new_vertices = brought(j->owner[0], corner, p.count[0], place),
                     new_edges = brought(j->owner[1], edge, p.count[1], place);
            if (p.face != BW_NONE)
                add_to_group(faces, face_count++, p.face, corner, 3);
            if (p.loose_edge != BW_NONE)
                add_to_group(loose, loose_count++, p.loose_edge, corner, 2);
            if (p.point != BW_NONE)
                add_to_group(points, point_count++, p.point, corner, 1);
            for (int k = 0; k < 3; k++) {
                if ((new_vertices >> k & 1) != 0)
                    add_to_group(vertices, vertex_count++, corner[k], &corner[k], 1);
                if ((new_edges >> k & 1) != 0)
                    add_to_group(edges, edge_count++, edge[k], j->s->edges[edge[k]], 2);
            }
        }
    }
}

bw_result bw_swept_assign(const bw_swept *s, const bw_wide *tree, const bw_tasks *tasks,
                          bw_swept_assignment *out)
{
    size_t features = (size_t)s->vertex_count + s->edge_count;
    uint32_t *owners = bw_allocate(&s->allocator, features, sizeof *owners);
    bw_swept_assignment now = {.leaf_count = tree->leaf_count};
    now.leaves = bw_allocate(&s->allocator, tree->leaf_count, sizeof *now.leaves);
    bw_result result = owners == NULL || now.leaves == NULL ? BW_ERROR_MEMORY : BW_OK;
    if (result == BW_OK) {
        job j = {s, tree, {owners, owners + s->vertex_count}, now.leaves, NULL};
        bw_parallel(tasks, find_owners, &j, 2, 1);
        bw_parallel(tasks, count_features, &j, tree->leaf_count, LEAVES_A_TASK);
        for (uint32_t leaf = 0; leaf < tree->leaf_count; leaf++) {
            now.leaves[leaf].first = now.group_count;
            now.group_count += groups_of(&now.leaves[leaf]);
        }
        now.groups = bw_allocate(&s->allocator, now.group_count, sizeof *now.groups);
        j.groups = now.groups;
        if (now.groups != NULL)
            bw_parallel(tasks, fill_groups, &j, tree->leaf_count, LEAVES_A_TASK);
        else
            result = BW_ERROR_MEMORY;
    }
    bw_release(&s->allocator, owners, features, sizeof *owners);
    if (result == BW_OK)
        *out = now;
    else
        bw_release(&s->allocator, now.leaves, now.leaf_count, sizeof *now.leaves);
    return result;
}
