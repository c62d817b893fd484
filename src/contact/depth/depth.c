/* Depths: overlaps and their lower bounds, then translations for the bodies and for each overlap. */
#include "contact/depth/depth.h"

#include "contact/depth/escape.h"
#include "contact/depth/overlaps.h"
#include "contact/depth/parts.h"
#include "contact/unit.h"

enum { DEFAULT_TRIALS = 500, OF_CONTACTS = 24 };

/* Directions to begin with, each once. */
typedef struct directions {
    bw_vec3 list[BW_ESCAPE_DIRECTIONS];
    uint32_t count;
} directions;

static void add_direction(directions *d, bw_vec3 v)
{
    const bw_vec3 unit = bw_unit(v);
    if (bw_vec3_dot(unit, unit) < 0.5 || d->count == BW_ESCAPE_DIRECTIONS)
        return;
    for (uint32_t i = 0; i < d->count; i++)
        if (bw_vec3_dot(d->list[i], unit) > 0.99999)
            return;
    d->list[d->count++] = unit;
}

/* Which way out: from the deepest point to the surface, the normals of regions and of some of their contacts
 * from end to end, away from the middle of the contacts; then the axes, and diagonals between them. */
static void choose_directions(const bw_contact_query *query, uint32_t overlap, const bw_depth_bound *bound,
                              directions *out)
{
    out->count = 0;
    add_direction(out, bound->exit);
    for (uint32_t r = 0; r < query->region_count && out->count < OF_CONTACTS; r++)
        if (overlap == BW_NONE || query->regions[r].overlap == overlap) {
            add_direction(out, query->regions[r].normal);
            add_direction(out, bw_vec3_scale(query->regions[r].normal, -1.0));
        }
    for (uint32_t r = 0; r < query->region_count; r++) {
        const bw_contact_region *region = &query->regions[r];
        if (overlap != BW_NONE && region->overlap != overlap)
            continue;
        const uint64_t stride = region->count / OF_CONTACTS + 1;
        for (uint64_t i = 0; i < region->count && out->count < OF_CONTACTS; i += stride)
            add_direction(out, query->contacts[region->first + i].normal);
    }
    for (int most = 1; most <= 3; most++) /* of one, two and three nonzero components */
        for (int i = 0; i < 27; i++) {
            const bw_vec3 v = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            if (bw_vec3_dot(v, v) == most)
                add_direction(out, v);
        }
}

static uint32_t trials_of(const bw_contact_query *query)
{
    return query->desc->trials == 0 ? DEFAULT_TRIALS : query->desc->trials;
}

/* The triangles of all overlaps: of a, of b, and those of each with a vertex inside. */
typedef struct all_triangles {
    bw_overlap_triangles of[2], inside[2];
} all_triangles;

static bw_result separate_overlap(bw_contact_query *query, const bw_overlaps *overlaps,
                                  const all_triangles *triangles, uint32_t overlap,
                                  const bw_separation *bodies, bw_escape *best)
{
    bw_part_owner parts[2], inside[2];
    for (int i = 0; i < 2; i++)
        parts[i] = inside[i] = (bw_part_owner){.tree = NULL};
    const bw_part *whole[2] = {&bodies->whole_a, &bodies->whole_b};
    bw_result result = BW_OK;
    for (int i = 0; i < 2; i++) {
        if (result == BW_OK)
            result =
                bw_part_of_overlap(query, overlaps, &triangles->of[i], overlap, i == 0, whole[i], &parts[i]);
        if (result == BW_OK)
            result = bw_part_of_overlap(query, overlaps, &triangles->inside[i], overlap, i == 0, whole[i],
                                        &inside[i]);
    }
    if (result == BW_OK) {
        bw_separation s = {.query = query,
                           .a = parts[0].part,
                           .b = parts[1].part,
                           .inside_a = inside[0].part,
                           .inside_b = inside[1].part,
                           .whole_a = *whole[0],
                           .whole_b = *whole[1],
                           .trials = trials_of(query)};
        directions d;
        choose_directions(query, overlap, &overlaps->bounds[overlap], &d);
        result = bw_escape_search(&s, d.list, d.count, overlaps->bounds[overlap].lower, best);
    }
    for (int i = 0; i < 2; i++) {
        bw_part_release(query, &parts[i]);
        bw_part_release(query, &inside[i]);
    }
    return result;
}

static void tell_region(bw_contact_region *region, const bw_escape *escape, double lower)
{
    region->translation = escape->translation;
    region->depth_upper = escape->length;
    region->depth_lower = lower;
}

/* What separates the bodies separates each overlap of theirs, for which something shorter may do. */
static bw_result separate_overlaps(bw_contact_query *query, const bw_overlaps *overlaps,
                                   const bw_separation *bodies, const bw_escape *whole)
{
    all_triangles triangles = {.of = {{.count = 0}}, .inside = {{.count = 0}}};
    bw_result result = BW_OK;
    for (int i = 0; i < 4 && result == BW_OK; i++)
        result = bw_overlap_triangles_find(query, overlaps, i % 2 == 0, i >= 2,
                                           i < 2 ? &triangles.of[i] : &triangles.inside[i - 2]);
    bw_escape *escapes = bw_allocate(&query->allocator, overlaps->count, sizeof *escapes);
    if (escapes == NULL)
        result = BW_ERROR_MEMORY;
    for (uint32_t i = 0; result == BW_OK && i < overlaps->count && !query->stopped; i++) {
        escapes[i] = *whole;
        result = separate_overlap(query, overlaps, &triangles, i, bodies, &escapes[i]);
    }
    for (uint32_t r = 0; result == BW_OK && r < query->region_count && !query->stopped; r++) {
        const uint32_t overlap = query->regions[r].overlap;
        tell_region(&query->regions[r], &escapes[overlap], overlaps->bounds[overlap].lower);
    }
    bw_release(&query->allocator, escapes, overlaps->count, sizeof *escapes);
    for (int i = 0; i < 2; i++) {
        bw_overlap_triangles_release(query, &triangles.of[i]);
        bw_overlap_triangles_release(query, &triangles.inside[i]);
    }
    return result;
}

static bw_result separate(bw_contact_query *query, const bw_overlaps *overlaps)
{
    bw_part_owner a = {0}, b = {0};
    bw_escape whole = {.length = INFINITY};
    bw_result result = bw_part_of_body(query, true, &a);
    if (result == BW_OK)
        result = bw_part_of_body(query, false, &b);
    bw_separation s = {.query = query, .a = a.part, .b = b.part, .whole_a = a.part, .whole_b = b.part};
    s.inside_a =
        (bw_part){.mesh = a.part.mesh, .vertices = a.part.vertices, .vertex_count = a.part.vertex_count};
    s.inside_b =
        (bw_part){.mesh = b.part.mesh, .vertices = b.part.vertices, .vertex_count = b.part.vertex_count};
    if (result == BW_OK) {
        s.trials = trials_of(query);
        directions d;
        choose_directions(query, BW_NONE, &overlaps->bodies, &d);
        result = bw_escape_search(&s, d.list, d.count, overlaps->bodies.lower, &whole);
    }
    query->report.translation = whole.translation;
    query->report.depth_upper = whole.length;
    if (result == BW_OK && overlaps->single)
        for (uint32_t r = 0; r < query->region_count; r++)
            tell_region(&query->regions[r], &whole, overlaps->bodies.lower);
    else if (result == BW_OK && overlaps->count > 0 && !query->stopped)
        result = separate_overlaps(query, overlaps, &s, &whole);
    bw_part_release(query, &a);
    bw_part_release(query, &b);
    return result;
}

static bool all_inside(const bw_immersed *body)
{
    for (uint32_t v = 0; v < body->vertex_count; v++)
        if (body->place[v] == v && !bw_immersed_inside(body, v))
            return false;
    return true;
}

static void tell_containment(bw_contact_query *query)
{
    if (query->contact_count > 0 || !query->immersion.known)
        return;
    if (all_inside(&query->immersion.b))
        query->report.containment = BW_CONTAINMENT_B_IN_A;
    else if (all_inside(&query->immersion.a))
        query->report.containment = BW_CONTAINMENT_A_IN_B;
}

/* Closed bodies that share no volume only touch, whichever way their triangles meet. */
static bool only_touch(const bw_immersion *immersion)
{
    return immersion->volume_error < INFINITY && immersion->volume <= immersion->volume_error;
}

/* Whether points inside say nothing of a region's depth that the tolerance could go by. */
static bool needs_upper(const bw_contact_query *query, const bw_overlaps *overlaps)
{
    if (query->desc->depth)
        return true;
    const bool none_closed = !query->immersion.a.closed && !query->immersion.b.closed;
    for (uint32_t r = 0; r < query->region_count; r++)
        if (none_closed ||
            (query->flush[r] && overlaps->deepest[query->regions[r].overlap] <= query->desc->tolerance))
            return true;
    return false;
}

bw_result bw_depths_find(bw_contact_query *query)
{
    tell_containment(query);
    bw_overlaps overlaps;
    bw_result result = bw_overlaps_find(query, &overlaps);
    const bool apart = query->contact_count == 0 && !overlaps.hidden;
    if (result == BW_OK && (apart || only_touch(&query->immersion))) {
        query->report.depth_upper = 0.0;
        for (uint32_t r = 0; r < query->region_count; r++)
            tell_region(&query->regions[r], &(bw_escape){.length = 0.0}, 0.0);
    } else if (result == BW_OK) {
        query->report.depth_lower = overlaps.bodies.lower;
        for (uint32_t r = 0; r < query->region_count; r++) {
            query->regions[r].depth_lower = overlaps.bounds[query->regions[r].overlap].lower;
            query->deepest[r] = overlaps.deepest[query->regions[r].overlap];
        }
        if (needs_upper(query, &overlaps))
            result = separate(query, &overlaps);
    }
    bw_overlaps_release(query, &overlaps);
    return result;
}
