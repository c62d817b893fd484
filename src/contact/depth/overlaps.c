/* Overlaps by disjoint sets: vertices inside the other body hang together along edges that nothing cuts, and
 * with the regions whose triangles they belong to. */
#include "contact/depth/overlaps.h"

#include "base/union_find.h"
#include "contact/depth/lower.h"
#include "mesh/view.h"

static uint32_t place_of(const bw_contact_query *query, bool of_a, uint32_t vertex)
{
    const bw_immersion *immersion = &query->immersion;
    return query->region_count +
           (of_a ? immersion->a.place[vertex] : immersion->a.vertex_count + immersion->b.place[vertex]);
}

static void join_inside(const bw_contact_query *query, bw_overlaps *out, bool of_a)
{
    const bw_immersed *body = of_a ? &query->immersion.a : &query->immersion.b;
    for (uint32_t i = 0; i < body->triangle_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t t = body->triangles[i];
            const uint32_t u = bw_mesh_view_index(body->body->mesh, t, k),
                           v = bw_mesh_view_index(body->body->mesh, t, k == 2 ? 0 : k + 1);
            if (bw_immersed_inside(body, u) && body->cuts[3 * (size_t)t + k] == 0)
                bw_sets_unite(out->sets, place_of(query, of_a, u), place_of(query, of_a, v));
        }
}

static void join_regions(const bw_contact_query *query, bw_overlaps *out)
{
    for (uint32_t i = 0; i < query->contact_count; i++) {
        const bw_contact *contact = &query->contacts[i];
        for (uint32_t k = 0; k < 6; k++) {
            const bool of_a = k < 3;
            const bw_immersed *body = of_a ? &query->immersion.a : &query->immersion.b;
            const uint32_t v = bw_mesh_view_index(body->body->mesh, of_a ? contact->a : contact->b, k % 3);
            if (bw_immersed_inside(body, v))
                bw_sets_unite(out->sets, contact->region, place_of(query, of_a, v));
        }
    }
}

uint32_t bw_overlaps_of_vertex(const bw_overlaps *overlaps, const bw_contact_query *query, bool of_a,
                               uint32_t vertex)
{
    const uint32_t root = bw_sets_root(overlaps->sets, place_of(query, of_a, vertex));
    return root < query->region_count ? overlaps->number[root] : BW_NONE;
}

bool bw_overlaps_first_of_piece(const bw_overlaps *overlaps, const bw_contact_query *query, bool of_a,
                                uint32_t vertex)
{
    return overlaps->first[place_of(query, of_a, vertex)];
}

/* Regions come first, so that a set with a region has one for its root. */
static void number_overlaps(bw_contact_query *query, bw_overlaps *out)
{
    for (uint32_t r = 0; r < query->region_count; r++) {
        const uint32_t root = bw_sets_root(out->sets, r);
        if (root == r)
            out->number[r] = out->count++;
        query->regions[r].overlap = out->number[root];
    }
}

static bool has_hidden(const bw_contact_query *query, const bw_overlaps *overlaps, bool of_a)
{
    const bw_immersed *body = of_a ? &query->immersion.a : &query->immersion.b;
    for (uint32_t v = 0; v < body->vertex_count; v++)
        if (body->place[v] == v && bw_immersed_inside(body, v) &&
            bw_overlaps_of_vertex(overlaps, query, of_a, v) == BW_NONE)
            return true;
    return false;
}

bw_result bw_overlaps_find(bw_contact_query *query, bw_overlaps *out)
{
    const bw_immersion *immersion = &query->immersion;
    const uint64_t sets =
        (uint64_t)query->region_count + immersion->a.vertex_count + immersion->b.vertex_count;
    *out = (bw_overlaps){0};
    if (sets >= BW_NONE)
        return BW_ERROR_SIZE;
    out->set_count = (uint32_t)sets;
    out->sets = bw_allocate(&query->allocator, out->set_count, sizeof *out->sets);
    out->first = bw_allocate(&query->allocator, out->set_count, sizeof *out->first);
    out->deepest = bw_allocate_zero(&query->allocator, query->region_count, sizeof *out->deepest);
    out->number = bw_allocate_zero(&query->allocator, query->region_count, sizeof *out->number);
    out->bounds = bw_allocate_zero(&query->allocator, query->region_count, sizeof *out->bounds);
    if (out->sets == NULL || out->first == NULL ||
        (query->region_count > 0 && (out->number == NULL || out->bounds == NULL || out->deepest == NULL)))
        return BW_ERROR_MEMORY;
    bw_sets_init(out->sets, out->set_count);
    join_inside(query, out, true);
    join_inside(query, out, false);
    for (uint32_t i = 0; i < out->set_count; i++)
        out->first[i] = out->sets[i] == i;
    join_regions(query, out);
    number_overlaps(query, out);
    out->hidden = has_hidden(query, out, true) || has_hidden(query, out, false);
    out->single = out->count == 1 && !out->hidden;
    return bw_lower_bounds(query, out);
}

void bw_overlaps_release(const bw_contact_query *query, bw_overlaps *overlaps)
{
    bw_release(&query->allocator, overlaps->sets, overlaps->set_count, sizeof *overlaps->sets);
    bw_release(&query->allocator, overlaps->first, overlaps->set_count, sizeof *overlaps->first);
    bw_release(&query->allocator, overlaps->deepest, query->region_count, sizeof *overlaps->deepest);
    bw_release(&query->allocator, overlaps->number, query->region_count, sizeof *overlaps->number);
    bw_release(&query->allocator, overlaps->bounds, query->region_count, sizeof *overlaps->bounds);
}
