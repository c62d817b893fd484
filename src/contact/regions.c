/* Contact regions by disjoint sets: two hits meet in a hash table under the primitive that they share and
 * a place where their other primitives have a corner. */
#include "contact/regions.h"

#include "base/union_find.h"
#include "contact/position_hash.h"
#include "contact/unit.h"
#include "mesh/view.h"

#include <math.h>
#include <string.h>

/* An entry of the table: which hit's primitive has which corner there, and some bits of the hash. */
typedef struct entry {
    uint32_t hit; /* BW_NONE: none */
    uint32_t tag; /* bits of the hash, the lowest two replaced by the corner */
} entry;

typedef struct joining {
    const bw_hit *hits;
    uint32_t *parent;
    entry *table;
    size_t slots;
} joining;

static uint32_t primitive_of(const bw_hit *hit, bool of_a)
{
    return of_a ? hit->a : hit->b;
}

/* Whether an entry is of the same primitive beside and the same place, known by its vertex or position. */
static bool is_same(const joining *j, entry e, const bw_mesh *mesh, bool mesh_is_a, uint32_t shared,
                    uint32_t vertex, bw_vec3 place)
{
    const bw_hit *other = &j->hits[e.hit];
    if (primitive_of(other, !mesh_is_a) != shared)
        return false;
    const uint32_t v = bw_mesh_view_index(mesh, primitive_of(other, mesh_is_a), e.tag & 3);
    if (v == vertex)
        return true;
    const bw_vec3 there = bw_mesh_view_vertex(mesh, v);
    return bw_vec3_equal(&place, &there);
}

/* Hits that share a primitive of one body, by the corners of the other's, whose mesh is given. */
static void join_by_corners(joining *j, uint32_t count, const bw_mesh *mesh, bool mesh_is_a)
{
    const uint32_t corners = mesh->indices == NULL ? 1 : 3;
    memset(j->table, 0xff, j->slots * sizeof *j->table); /* BW_NONE everywhere */
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t shared = primitive_of(&j->hits[i], !mesh_is_a);
        for (uint32_t k = 0; k < corners; k++) {
            const uint32_t vertex = bw_mesh_view_index(mesh, primitive_of(&j->hits[i], mesh_is_a), k);
            const bw_vec3 place = bw_mesh_view_vertex(mesh, vertex);
            const uint64_t hash = bw_hash_position(place, shared);
            const uint32_t bits = (uint32_t)(hash >> 24) & ~3u;
            size_t slot = hash & (j->slots - 1);
            for (; j->table[slot].hit != BW_NONE; slot = (slot + 1) & (j->slots - 1))
                if ((j->table[slot].tag & ~3u) == bits &&
                    is_same(j, j->table[slot], mesh, mesh_is_a, shared, vertex, place))
                    break;
            if (j->table[slot].hit == BW_NONE)
                j->table[slot] = (entry){i, bits | k};
            else if (j->parent[i] != j->parent[j->table[slot].hit])
                bw_sets_unite(j->parent, i, j->table[slot].hit);
        }
    }
}

bw_result bw_regions_find(const bw_mesh *a, const bw_mesh *b, const bw_allocator *allocator,
                          const bw_hit *hits, uint32_t count, uint32_t *region_of, uint32_t *region_count)
{
    joining j = {.hits = hits, .parent = region_of, .slots = bw_hash_slots(3 * (size_t)count)};
    j.table = bw_allocate(allocator, j.slots, sizeof *j.table);
    if (j.table == NULL)
        return BW_ERROR_MEMORY;
    bw_sets_init(j.parent, count);
    join_by_corners(&j, count, b, false);
    join_by_corners(&j, count, a, true);
    bw_release(allocator, j.table, j.slots, sizeof *j.table);
    /* Every hit points to its root, the first of its set; then roots are numbered, and the others, which come
     * later, take the number of theirs. */
    for (uint32_t i = 0; i < count; i++)
        region_of[i] = bw_sets_root(region_of, i);
    *region_count = 0;
    for (uint32_t i = 0; i < count; i++)
        region_of[i] = region_of[i] == i ? (*region_count)++ : region_of[region_of[i]];
    return BW_OK;
}

void bw_regions_arrange(uint32_t *region_of, uint32_t count, bw_contact_region *regions,
                        uint32_t region_count)
{
    for (uint32_t r = 0; r < region_count; r++)
        regions[r] = (bw_contact_region){.overlap = BW_NONE, .depth_upper = INFINITY};
    for (uint32_t i = 0; i < count; i++)
        regions[region_of[i]].count++;
    uint64_t first = 0;
    for (uint32_t r = 0; r < region_count; r++) {
        regions[r].first = first;
        first += regions[r].count;
        regions[r].count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        bw_contact_region *region = &regions[region_of[i]];
        region_of[i] = (uint32_t)(region->first + region->count++);
    }
}

static double length_of(const bw_contact *contact)
{
    const bw_vec3 d = bw_vec3_sub(contact->ends[1], contact->ends[0]);
    return sqrt(bw_vec3_dot(d, d));
}

/* The averages of one region. Its first contact's point is the origin, so that far from the world's nothing
 * is lost; where no contact has a length all weigh the same. */
static void average(bw_contact_region *region, const bw_contact *contacts)
{
    double length = 0.0;
    for (uint64_t i = 0; i < region->count; i++)
        length += length_of(&contacts[i]);
    bw_vec3 point = {0.0, 0.0, 0.0}, normal = {0.0, 0.0, 0.0};
    double sum = 0.0;
    for (uint64_t i = 0; i < region->count; i++) {
        const double weight = length > 0.0 ? length_of(&contacts[i]) : 1.0;
        const bw_vec3 offset = bw_vec3_sub(contacts[i].point, contacts[0].point);
        point = bw_vec3_add(point, bw_vec3_scale(offset, weight));
        normal = bw_vec3_add(normal, bw_vec3_scale(contacts[i].normal, weight));
        sum += weight;
    }
    region->length = length;
    region->point = bw_vec3_add(contacts[0].point, bw_vec3_scale(point, 1.0 / sum));
    const double magnitude = sqrt(bw_vec3_dot(normal, normal));
    region->normal = magnitude > 0x1p-40 * sum ? bw_unit(normal) : (bw_vec3){0.0, 0.0, 0.0};
}

void bw_regions_average(const bw_contact *contacts, bw_contact_region *regions, uint32_t region_count)
{
    for (uint32_t r = 0; r < region_count; r++)
        average(&regions[r], contacts + regions[r].first);
}
