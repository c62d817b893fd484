/* The contacts of one pair: two shapes, a shape and a mesh, or two meshes. */
#include "world/narrow.h"

#include "base/radix_sort.h"
#include "contact/geometry.h"
#include "geom/vec.h"
#include "mesh/view.h"
#include "shape/pair.h"

#include <math.h>
#include <string.h>

static bw_vec3 middle(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){0.5 * a.x + 0.5 * b.x, 0.5 * a.y + 0.5 * b.y, 0.5 * a.z + 0.5 * b.z};
}

/* Within the separation shapes have points, and no kind of contact. */
static bw_contact_kind kind_of(const bw_shape_contact *contact)
{
    return contact->kind == BW_CONTACT_NONE && contact->point_count != 0 ? BW_CONTACT_NEAR : contact->kind;
}

/* ---- in order ---- */

/* Contacts wait in piece->unsorted, by primitives in piece->keys, and go to piece->contacts in their order. */
static bool put(bw_piece *piece, const bw_world_contact *contact, uint64_t key)
{
    bw_world_contact *slot = bw_array_push(&piece->unsorted);
    uint64_t *keys = bw_array_push(&piece->keys);
    uint32_t *order = bw_array_push(&piece->order);
    if (slot == NULL || keys == NULL || order == NULL)
        return false;
    *slot = *contact;
    *keys = key;
    *order = (uint32_t)piece->unsorted.count - 1;
    return true;
}

static bool deliver(bw_piece *piece)
{
    const size_t count = piece->unsorted.count;
    if (count == 0)
        return true;
    bw_world_contact *out = bw_array_extend(&piece->contacts, count);
    if (out == NULL || bw_array_extend(&piece->keys, count) == NULL ||
        bw_array_extend(&piece->order, count) == NULL)
        return false;
    uint64_t *keys = (uint64_t *)(void *)piece->keys.items;
    uint32_t *order = (uint32_t *)(void *)piece->order.items;
    bool sorted = true;
    for (size_t i = 1; i < count; i++)
        sorted &= keys[i - 1] <= keys[i];
    if (!sorted)
        bw_sort_u64(keys, order, keys + count, order + count, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        out[i] = *(const bw_world_contact *)bw_array_at(&piece->unsorted, order[i]);
    return true;
}

/* ---- two shapes ---- */

static bw_result two_shapes(const bw_world *world, const bw_member *a, const bw_member *b,
                            bw_broad_pair *pair, bool list, bw_piece *piece, bool *meet)
{
    bw_shape_contact found;
    bw_pair_contact(&a->placed, &b->placed, world->separation, BW_PAIR_POINTS, &pair->warm, &found);
    *meet = found.point_count != 0;
    for (uint32_t i = 0; i < found.point_count && list; i++) {
        const bw_shape_point *p = &found.points[i];
        const bw_world_contact contact = {.a = a->id,
                                          .b = b->id,
                                          .primitive_a = BW_NONE,
                                          .primitive_b = BW_NONE,
                                          .feature = p->feature,
                                          .kind = kind_of(&found),
                                          .point = middle(p->point_a, p->point_b),
                                          .normal = found.normal,
                                          .depth = p->depth};
        if (!put(piece, &contact, p->feature))
            return BW_ERROR_MEMORY;
    }
    return BW_OK;
}

/* ---- a shape and a mesh ---- */

typedef struct shape_search {
    bw_id a, b;
    bool shape_first;
    bw_piece *piece;
    bool failed;
} shape_search;

static bool on_shape_hit(void *user, const bw_shape_hit *hit)
{
    shape_search *s = user;
    const bw_shape_contact *c = &hit->contact;
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < c->point_count; i++)
        deepest = c->points[i].depth > c->points[deepest].depth ? i : deepest;
    const bw_world_contact contact = {.a = s->a,
                                      .b = s->b,
                                      .primitive_a = s->shape_first ? BW_NONE : hit->primitive,
                                      .primitive_b = s->shape_first ? hit->primitive : BW_NONE,
                                      .kind = kind_of(c),
                                      .point = middle(c->points[deepest].point_a, c->points[deepest].point_b),
                                      .normal = s->shape_first ? c->normal : bw_vec3_scale(c->normal, -1),
                                      .depth = c->depth};
    s->failed = !put(s->piece, &contact, hit->primitive);
    return !s->failed;
}

static bw_result shape_and_mesh(const bw_world *world, const bw_member *a, const bw_member *b, bool list,
                                bw_piece *piece, bool *meet, bw_fault *fault)
{
    shape_search s = {.a = a->id, .b = b->id, .shape_first = a->is_shape, .piece = piece};
    const bw_placed_shape shape = bw_member_shape(a->is_shape ? a : b);
    const bw_body body = bw_member_body(a->is_shape ? b : a);
    const bw_shape_collide_desc desc = {.mode = list ? BW_COLLIDE_ALL : BW_COLLIDE_ANY,
                                        .separation = world->separation,
                                        .on_hit = list ? on_shape_hit : NULL,
                                        .user = &s,
                                        .allocator = &world->allocator};
    bw_shape_collide_report report = {0};
    const bw_result result = bw_shape_collide_body(&shape, &body, &desc, &report, fault);
    if (result == BW_OK)
        *meet = report.hit_count != 0;
    return s.failed ? BW_ERROR_MEMORY : result;
}

/* ---- two meshes ---- */

typedef struct mesh_search {
    bw_id a, b;
    const bw_body *body_a, *body_b;
    bw_contact_frame frame; /* made for the first hit, as what it needs inverts a pose */
    bool framed;
    bw_piece *piece;
    bw_result result;
} mesh_search;

/* The points of two triangles that are nearest to each other. */
static void near(const mesh_search *s, const bw_hit *hit, bw_world_contact *out)
{
    bw_vec3 corners[2][3], on[2];
    const bw_body *bodies[2] = {s->body_a, s->body_b};
    for (int i = 0; i < 2; i++) {
        bw_mesh_view_corners(bodies[i]->mesh, i == 0 ? hit->a : hit->b, corners[i]);
        for (int k = 0; k < 3 && bodies[i]->pose != NULL; k++)
            corners[i][k] = bw_transform_point(bodies[i]->pose, corners[i][k]);
    }
    const double distance = sqrt(bw_triangle_distance2(corners[0], corners[1], &on[0], &on[1]));
    const bw_vec3 way = bw_vec3_sub(on[1], on[0]);
    out->point = middle(on[0], on[1]);
    out->depth = -distance;
    const double length =
        sqrt(bw_vec3_dot(way, way)); /* of rounded points: not the distance where that is small */
    if (length > 0)
        out->normal = bw_vec3_scale(way, 1 / length);
}

static bool on_hit(void *user, const bw_hit *hit)
{
    mesh_search *s = user;
    bw_world_contact contact = {
        .a = s->a, .b = s->b, .primitive_a = hit->a, .primitive_b = hit->b, .kind = hit->kind};
    if (hit->kind == BW_CONTACT_NEAR) {
        near(s, hit, &contact);
    } else {
        bw_contact found;
        bool flush;
        if (!s->framed)
            s->result = bw_contact_frame_init(s->body_a, s->body_b, &s->frame);
        s->framed = true;
        if (s->result != BW_OK)
            return false;
        if (!bw_contact_of_hit(&s->frame, hit, &found, &flush)) {
            s->result = BW_ERROR_RANGE;
            return false;
        }
        contact.point = found.point;
        contact.normal = found.normal;
        contact.depth = found.depth;
    }
    if (!put(s->piece, &contact, (uint64_t)hit->a << 32 | hit->b))
        s->result = BW_ERROR_MEMORY;
    return s->result == BW_OK;
}

static bool go_on(void *cancel)
{
    return bw_cancel_go_on(cancel);
}

static bw_result two_meshes(const bw_world *world, const bw_member *a, const bw_member *b,
                            bw_broad_pair *pair, bool list, bw_cancel *cancel, bw_piece *piece, bool *meet,
                            bw_fault *fault)
{
    const bw_body ba = bw_member_body(a), bb = bw_member_body(b);
    mesh_search s;
    s.a = a->id;
    s.b = b->id;
    s.body_a = &ba;
    s.body_b = &bb;
    s.framed = false;
    s.piece = piece;
    s.result = BW_OK;
    if (pair->cache == NULL && (a->kinetic != NULL || b->kinetic != NULL))
        bw_pair_cache_create(&world->allocator, &pair->cache, NULL); /* without memory there is none */
    const bw_collide_desc desc = {.mode = list ? BW_COLLIDE_ALL : BW_COLLIDE_ANY,
                                  .separation = world->separation,
                                  .on_hit = list ? on_hit : NULL,
                                  .user = &s,
                                  .witness = list ? NULL : &pair->witness,
                                  .cache = pair->cache,
                                  .allocator = &world->allocator,
                                  .progress = {cancel == NULL ? NULL : go_on, cancel}};
    bw_collide_report report = {0};
    const bw_result result = bw_collide(&ba, &bb, &desc, &report, fault);
    if (s.result != BW_OK || result != BW_OK)
        return s.result != BW_OK ? s.result : result;
    *meet = report.hit_count != 0;
    return report.status == BW_STOPPED ? BW_ERROR_STOPPED : BW_OK;
}

bw_result bw_narrow(const bw_world *world, bw_broad_pair *pair, bool list, bw_cancel *cancel, bw_piece *piece,
                    bool *meet, bw_fault *fault)
{
    const bw_member *a = bw_member_at(world, bw_place_of(pair->a));
    const bw_member *b = bw_member_at(world, bw_place_of(pair->b));
    piece->unsorted.count = piece->keys.count = piece->order.count = 0;
    *meet = false;
    bw_result result;
    if (a->is_shape && b->is_shape)
        result = two_shapes(world, a, b, pair, list, piece, meet);
    else if (a->is_shape || b->is_shape)
        result = shape_and_mesh(world, a, b, list, piece, meet, fault);
    else
        result = two_meshes(world, a, b, pair, list, cancel, piece, meet, fault);
    if (result == BW_OK && !deliver(piece))
        result = BW_ERROR_MEMORY;
    return result;
}
