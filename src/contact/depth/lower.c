/* Lower bounds of depths by points: the vertices and faces of one body inside the other. */
#include "contact/depth/lower.h"

#include "base/array.h"
#include "base/radix_sort.h"
#include "contact/depth/interior.h"
#include "geom/vec.h"
#include "mesh/view.h"

#include <math.h>

/* Whose depth a point speaks of. */
typedef struct subject {
    uint32_t overlap; /* BW_NONE: of the bodies only */
    bool bounds;      /* its triangle has a vertex inside, so that it has to leave the whole other body */
} subject;

/* Points of one body. */
typedef struct points {
    bw_array places;   /* bw_vec3, in the world */
    bw_array subjects; /* subject */
} points;

static bool add_point(points *list, bw_vec3 place, subject of)
{
    bw_vec3 *slot = bw_array_push(&list->places);
    subject *its = slot == NULL ? NULL : bw_array_push(&list->subjects);
    if (its == NULL)
        return false;
    *slot = place;
    *its = of;
    return true;
}

static bool add_vertices(const bw_contact_query *query, const bw_overlaps *overlaps, bool of_a, points *list)
{
    const bw_immersed *body = of_a ? &query->immersion.a : &query->immersion.b;
    for (uint32_t v = 0; v < body->vertex_count; v++) {
        if (body->place[v] != v || !bw_immersed_inside(body, v))
            continue;
        bw_vec3 p = bw_mesh_view_vertex(body->body->mesh, v);
        if (body->body->pose != NULL)
            p = bw_transform_point(body->body->pose, p);
        if (!add_point(list, p, (subject){bw_overlaps_of_vertex(overlaps, query, of_a, v), true}))
            return false;
    }
    return true;
}

static bool has_vertex_inside(const bw_contact_query *query, bool of_a, uint32_t triangle)
{
    const bw_immersed *body = of_a ? &query->immersion.a : &query->immersion.b;
    bool inside = false;
    for (uint32_t k = 0; k < 3; k++)
        inside = inside || bw_immersed_inside(body, bw_mesh_view_index(body->body->mesh, triangle, k));
    return inside;
}

/* The middle of the contacts of each triangle within a region: on the triangle, for that is convex, and
 * inside the other body where these contacts surround its part inside. */
static bool add_middles(const bw_contact_query *query, bool of_a, points *list)
{
    const uint32_t count = query->contact_count;
    if (count == 0)
        return true;
    uint64_t *keys = bw_allocate(&query->allocator, count, 2 * sizeof *keys);
    uint32_t *order = bw_allocate(&query->allocator, count, 2 * sizeof *order);
    bool good = keys != NULL && order != NULL;
    for (uint32_t i = 0; good && i < count; i++) {
        const bw_contact *contact = &query->contacts[i];
        keys[i] = (uint64_t)contact->region << 32 | (of_a ? contact->a : contact->b);
        order[i] = i;
    }
    if (good)
        bw_sort_u64(keys, order, keys + count, order + count, count);
    for (uint32_t first = 0, end; good && first < count; first = end) {
        const bw_vec3 origin = query->contacts[order[first]].point;
        bw_vec3 sum = {0.0, 0.0, 0.0};
        for (end = first; end < count && keys[end] == keys[first]; end++)
            sum = bw_vec3_add(sum, bw_vec3_sub(query->contacts[order[end]].point, origin));
        if (end - first > 1)
            good = add_point(list, bw_vec3_add(origin, bw_vec3_scale(sum, 1.0 / (double)(end - first))),
                             (subject){query->regions[keys[first] >> 32].overlap,
                                       has_vertex_inside(query, of_a, (uint32_t)keys[first])});
    }
    bw_release(&query->allocator, keys, count, 2 * sizeof *keys);
    bw_release(&query->allocator, order, count, 2 * sizeof *order);
    return good;
}

static void improve(bw_depth_bound *bound, double lower, bw_vec3 exit, bw_vec3 point)
{
    if (lower > bound->lower)
        *bound = (bw_depth_bound){lower, exit, point};
}

/* Takes the points up. The first inside_count are vertices, known to be inside; of the others only those that
 * would tell something new are tested. */
static bw_result judge(const bw_contact_query *query, bw_overlaps *overlaps, bool of_a, const points *list,
                       size_t inside_count, const bw_nearest_hit *hits)
{
    bw_interior_side other;
    bw_result result = bw_interior_prepare(of_a ? query->frame.b : query->frame.a, &query->allocator, &other);
    for (size_t i = 0; result == BW_OK && i < list->places.count; i++) {
        const bw_vec3 p = *(const bw_vec3 *)bw_array_at(&list->places, i);
        const subject of = *(const subject *)bw_array_at(&list->subjects, i);
        const double lower = bw_interior_certain(p, hits[i].distance);
        if (lower <= (of.overlap == BW_NONE ? overlaps->bodies.lower : overlaps->bounds[of.overlap].lower) ||
            (!of.bounds && lower <= overlaps->deepest[of.overlap]))
            continue;
        /* A vertex that was inside while b was a little off is so where b is if the surface is farther. */
        bool inside = i < inside_count && hits[i].distance > 2.0 * query->immersion.moved;
        if (i >= inside_count)
            result = bw_interior_inside(&other, p, &inside);
        if (!inside)
            continue;
        bw_vec3 exit = bw_vec3_sub(hits[i].point, p);
        if (of_a)
            exit = bw_vec3_scale(exit, -1.0);
        if (of.overlap != BW_NONE && of.bounds)
            improve(&overlaps->bounds[of.overlap], lower, exit, p);
        if (of.overlap != BW_NONE)
            overlaps->deepest[of.overlap] = fmax(overlaps->deepest[of.overlap], lower);
        improve(&overlaps->bodies, lower, exit, p);
    }
    return result;
}

static bw_result bound_by_points(const bw_contact_query *query, bw_overlaps *overlaps, bool of_a)
{
    points list = {bw_array_of(sizeof(bw_vec3), &query->allocator),
                   bw_array_of(sizeof(subject), &query->allocator)};
    bw_result result = BW_ERROR_MEMORY;
    size_t inside_count = 0;
    if (add_vertices(query, overlaps, of_a, &list)) {
        inside_count = list.places.count;
        if (add_middles(query, of_a, &list))
            result = BW_OK;
    }
    const size_t count = list.places.count;
    bw_nearest_hit *hits = NULL;
    if (result == BW_OK && count > 0) {
        hits = bw_allocate(&query->allocator, count, sizeof *hits);
        result = hits == NULL ? BW_ERROR_MEMORY : count >= BW_NONE ? BW_ERROR_SIZE : BW_OK;
        const bw_nearest_desc desc = {.tasks = query->desc->tasks, .allocator = &query->allocator};
        if (result == BW_OK)
            result =
                bw_nearest_many(of_a ? query->frame.b : query->frame.a, (const bw_vec3 *)list.places.items,
                                (uint32_t)count, &desc, hits, NULL, NULL);
        if (result == BW_OK)
            result = judge(query, overlaps, of_a, &list, inside_count, hits);
    }
    bw_release(&query->allocator, hits, count, sizeof *hits);
    bw_array_release(&list.places);
    bw_array_release(&list.subjects);
    return result;
}

bw_result bw_lower_bounds(const bw_contact_query *query, bw_overlaps *overlaps)
{
    const bw_immersion *immersion = &query->immersion;
    bw_result result = BW_OK;
    if (immersion->known && immersion->b.closed)
        result = bound_by_points(query, overlaps, true);
    if (result == BW_OK && immersion->known && immersion->a.closed)
        result = bound_by_points(query, overlaps, false);
    if (result == BW_OK && immersion->known && immersion->a.closed && immersion->b.closed)
        result = bw_interior_bound(query, overlaps);
    if (overlaps->single) {
        overlaps->bounds[0] = overlaps->bodies;
        overlaps->deepest[0] = overlaps->bodies.lower;
    }
    return result;
}
