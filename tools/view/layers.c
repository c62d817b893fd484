/* Layers of a report: what is to be seen of its meshes beside their faces. */
#include "view/layers.h"

#include "progress.h"
#include "report/geometry.h"

#include <boxwood/collide.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Boxes of one level, and self-contacts, beyond which a picture shows nothing more. */
enum { MOST_BOXES = 100000, MOST_CONTACTS = 100000, MOST_LEVELS = 64 };

typedef struct layers {
    report *report;
    uint32_t defects, open, nonmanifold, self; /* numbers of layers */
    uint32_t level[MOST_LEVELS];               /* number of the layer of each level; BW_NONE: none so far */
    /* the part that is looked at, where it stands */
    bw_vec3 *points;
    bw_mesh mesh;
} layers;

static void add_line(layers *l, uint32_t layer, bw_vec3 a, bw_vec3 b)
{
    report_add_point(l->report, layer, a);
    report_add_point(l->report, layer, b);
}

static void add_outline(layers *l, uint32_t layer, const bw_vec3 *corners, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        add_line(l, layer, corners[k], corners[(k + 1) % count]);
}

static double distance2(bw_vec3 a, bw_vec3 b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
}

static void find_flat(layers *l)
{
    for (uint32_t t = 0; t < l->mesh.triangle_count; t++) {
        bw_vec3 c[3];
        bw_mesh_corners(&l->mesh, t, c);
        if (!bw_exact_range(c, 3) || !bw_collinear(&c[0], &c[1], &c[2]))
            continue;
        l->report->layers[l->defects].count++;
        int far = 0; /* the longest of its edges holds the others */
        for (int k = 1; k < 3; k++)
            if (distance2(c[k], c[(k + 1) % 3]) > distance2(c[far], c[(far + 1) % 3]))
                far = k;
        add_line(l, l->defects, c[far], c[(far + 1) % 3]);
    }
}

static bool find_edges(layers *l, fault *why)
{
    bw_adjacency *adjacency;
    bw_result result = bw_adjacency_create(&l->mesh, NULL, &adjacency, NULL);
    if (result != BW_OK)
        return fault_set(why, "edges: %s", bw_result_string(result));
    for (uint32_t i = 0; i < adjacency->edge_count; i++) {
        const bw_edge *edge = &adjacency->edges[i];
        if (edge->use_count == 2)
            continue;
        uint32_t layer = edge->use_count == 1 ? l->open : l->nonmanifold;
        l->report->layers[layer].count++;
        add_line(l, layer, l->points[edge->low], l->points[edge->high]);
    }
    bw_adjacency_destroy(adjacency);
    return true;
}

static bool add_box(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    (void)primitives;
    (void)count;
    layers *l = user;
    if (depth >= MOST_LEVELS)
        return true;
    if (l->level[depth] == BW_NONE) {
        char name[32];
        snprintf(name, sizeof name, "tree level %" PRIu32, depth);
        l->level[depth] = report_add_layer(l->report, REPORT_TREE, REPORT_BOXES, depth, name);
    }
    if (l->report->layers[l->level[depth]].count++ < MOST_BOXES)
        add_line(l, l->level[depth], (bw_vec3){(double)box->min[0], (double)box->min[1], (double)box->min[2]},
                 (bw_vec3){(double)box->max[0], (double)box->max[1], (double)box->max[2]});
    return true;
}

static bool add_contact(void *user, const bw_hit *hit)
{
    layers *l = user;
    if (l->report->layers[l->self].count++ >= MOST_CONTACTS)
        return true;
    bw_vec3 a[3], b[3];
    bw_mesh_corners(&l->mesh, hit->a, a);
    bw_mesh_corners(&l->mesh, hit->b, b);
    bw_triangle_contact contact;
    bw_triangle_triangle_contact(a, b, &contact);
    if (contact.point_count > 0)
        add_outline(l, l->self, contact.points, contact.point_count < 3 ? 1 : contact.point_count);
    if (contact.point_count == 2) /* a segment is no outline */
        l->report->layers[l->self].points[l->report->layers[l->self].point_count - 1] = contact.points[1];
    return true;
}

static bool find_in_tree(layers *l, fault *why)
{
    bw_tree *tree;
    bw_tree_desc desc = {.quarantine = BW_DEFECTS_FATAL};
    bw_result result = bw_tree_create(&desc, &l->mesh, &tree, NULL);
    if (result == BW_ERROR_EMPTY)
        return true; /* nothing is left to look at */
    if (result != BW_OK)
        return fault_set(why, "the tree: %s", bw_result_string(result));
    result = bw_tree_visit(tree, add_box, l, NULL);
    if (result == BW_OK && l->mesh.indices) {
        bw_body body = {tree, &l->mesh, NULL};
        bw_collide_desc all = {.mode = BW_COLLIDE_ALL, .on_hit = add_contact, .user = l};
        result = bw_collide_self(&body, &all, &(bw_collide_report){0}, NULL);
    }
    bw_tree_destroy(tree);
    return result == BW_OK || fault_set(why, "self-contacts: %s", bw_result_string(result));
}

static bool look_at(layers *l, uint32_t part, fault *why)
{
    /* As it stands at the beginning, so that vertices of films are joined, too. */
    const report_part *p = &l->report->parts[part];
    const report_mesh held = report_hold(l->report, p->mesh);
    report still = {.meshes = &(report_mesh){.view = held.view}, .mesh_count = 1};
    report_geometry g = report_geometry_of(&still, 0, 0);
    l->points = tool_resize(l->points, g.vertex_count, sizeof *l->points);
    for (uint32_t v = 0; v < g.vertex_count; v++) {
        bw_vec3 q = bw_mesh_vertex(&still.meshes[0].view, g.sources[v]);
        l->points[v] = p->posed ? bw_transform_point(&p->pose, q) : q;
    }
    report_release(l->report, &held);
    l->mesh = (bw_mesh){.positions = l->points,
                        .scalar = BW_F64,
                        .vertex_count = g.vertex_count,
                        .indices = g.indices,
                        .triangle_count = g.triangle_count};
    bool fine = g.vertex_count == 0 || ((!g.indices || find_edges(l, why)) && find_in_tree(l, why));
    if (fine && g.indices)
        find_flat(l);
    report_geometry_free(&g);
    const report_source *source = l->report->source;
    return fine && (!source || !source->failed || fault_set(why, "%s", source->why.text));
}

bool view_layers(report *r, fault *why)
{
    layers l = {.report = r};
    memset(l.level, 0xff, sizeof l.level);
    l.defects = report_add_layer(r, REPORT_DEFECTS, REPORT_LINES, 0, "Triangles without area");
    l.open = report_add_layer(r, REPORT_OPEN_EDGES, REPORT_LINES, 0, "Open edges");
    l.nonmanifold =
        report_add_layer(r, REPORT_NONMANIFOLD_EDGES, REPORT_LINES, 0, "Edges of more than two triangles");
    l.self = report_add_layer(r, REPORT_SELF_CONTACTS, REPORT_LINES, 0, "Self-contacts");
    progress_step("looking at %zu parts", r->part_count);
    progress_total(r->part_count);
    bool fine = true;
    for (uint32_t i = 0; i < r->part_count && fine; i++) {
        fine = look_at(&l, i, why);
        progress_done(1);
    }
    progress_end();
    free(l.points);
    for (size_t i = 0; i < r->layer_count; i++) {
        const report_layer *layer = &r->layers[i];
        int most = layer->role == REPORT_TREE ? MOST_BOXES : MOST_CONTACTS;
        if ((layer->role == REPORT_TREE || layer->role == REPORT_SELF_CONTACTS) &&
            layer->count > (uint64_t)most)
            report_note(r, "%s: of %" PRIu64 " the first %d are shown.", layer->name, layer->count, most);
    }
    return fine;
}
