#include "world/playground.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double number(playground *p, double low, double high)
{
    return bws_random_double(&p->random, low, high);
}

static uint32_t below(playground *p, uint32_t n)
{
    return (uint32_t)bws_random_below(&p->random, n);
}

/* ---- bodies ---- */

static void make_kinetic(playground *p)
{
    const bws_mesh *mesh = &p->meshes[0];
    const uint32_t n = mesh->vertex_count;
    const bw_mesh *view = &p->views[0];
    for (int f = 0; f < PLAY_FRAMES; f++) {
        p->frames[f] = malloc(3 * n * sizeof *p->frames[f]);
        p->times[f] = f;
        for (uint32_t v = 0; v < 3 * n; v++)
            p->frames[f][v] = ((const float *)mesh->positions)[v] * (1 + 0.4f * (float)f) + 0.5f * (float)f;
    }
    p->motion = (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                            .vertex_count = n,
                            .scalar = BW_F32,
                            .frame_count = PLAY_FRAMES,
                            .times = p->times,
                            .frames = (const void *const *)p->frames};
    const bw_kinetic_desc desc = {.method = BW_KINETIC_AUTO};
    assert_int_equal(bw_kinetic_create(&desc, view, &p->motion, &p->kinetic, NULL), BW_OK);
}

static void make_hulls(playground *p)
{
    for (int h = 0; h < PLAY_HULLS; h++) {
        bw_vec3 points[40];
        for (int i = 0; i < 40; i++)
            points[i] = (bw_vec3){number(p, -0.6, 0.6), number(p, -0.6, 0.6), number(p, -0.6, 0.6)};
        assert_int_equal(bw_hull_create(NULL, points, h == 0 ? 5 : 40, &p->hulls[h], NULL), BW_OK);
    }
}

void play_begin(playground *p, uint64_t seed, const bw_world_desc *desc, double size)
{
    *p = (playground){.random = bws_random_seeded(seed), .size = size, .separation = desc->separation};
    for (int m = 0; m < PLAY_MESHES; m++) {
        const bws_sphere_desc sphere = {
            .frequency = m == 0 ? 1 : 2, .radius = 0.5, .amplitude = m == 1 ? 0.3 : -1, .seed = seed};
        assert_int_equal(bws_bumpy_sphere(&sphere, m == 2 ? BW_F64 : BW_F32, &p->meshes[m]), BW_OK);
        p->views[m] = bws_view(&p->meshes[m]);
        assert_int_equal(bw_tree_create(NULL, &p->views[m], &p->trees[m], NULL), BW_OK);
    }
    make_hulls(p);
    make_kinetic(p);
    assert_int_equal(bw_world_create(desc, &p->world, NULL), BW_OK);
}

void play_end(playground *p)
{
    bw_world_destroy(p->world);
    bw_kinetic_destroy(p->kinetic);
    for (int m = 0; m < PLAY_MESHES; m++) {
        bw_tree_destroy(p->trees[m]);
        bws_mesh_free(&p->meshes[m]);
    }
    for (int h = 0; h < PLAY_HULLS; h++)
        bw_hull_destroy(p->hulls[h]);
    for (int f = 0; f < PLAY_FRAMES; f++)
        free(p->frames[f]);
    free(p->keys);
}

static bw_transform new_pose(playground *p)
{
    bw_transform pose = bws_random_rigid(&p->random, 0);
    /* half of them on a lattice, where boxes touch */
    const bool lattice = below(p, 4) == 0;
    if (lattice)
        pose = bw_transform_identity();
    for (int i = 0; i < 3; i++) {
        const double at = number(p, -p->size, p->size);
        pose.m[i][3] = lattice ? (double)(int)(2 * at) / 2 : at;
    }
    return pose;
}

static bw_shape new_shape(playground *p)
{
    switch (below(p, 9)) {
    case 0:
    case 1:
        return (bw_shape){.kind = BW_SHAPE_SPHERE, .radius = below(p, 2) == 0 ? 0.5 : number(p, 0.1, 0.7)};
    case 2:
    case 3:
        return (bw_shape){
            .kind = BW_SHAPE_CAPSULE, .radius = number(p, 0.1, 0.4), .half = {0, 0, number(p, 0, 0.6)}};
    case 4:
    case 5:
        return (bw_shape){.kind = BW_SHAPE_BOX,
                          .half = {0.5, below(p, 2) == 0 ? 0.5 : number(p, 0.1, 0.7), 0.5}};
    default:
        return (bw_shape){.kind = BW_SHAPE_HULL,
                          .radius = below(p, 3) == 0 ? 0.1 : 0,
                          .hull = p->hulls[below(p, PLAY_HULLS)]};
    }
}

static void insert(playground *p, play_body *x)
{
    *x = (play_body){.pose = new_pose(p)};
    x->body = (bw_world_body){.layers = below(p, 6) == 0   ? 2u
                                        : below(p, 6) == 0 ? 6u
                                                           : 0,
                              .mask = below(p, 8) == 0   ? 2u
                                      : below(p, 8) == 0 ? 5u
                                                         : 0,
                              .group = below(p, 5) == 0 ? 1 + below(p, 3) : 0,
                              .fixed = below(p, 5) == 0,
                              .user = below(p, 1000)};
    bool kinetic = below(p, 12) == 0;
    for (int i = 0; i < PLAY_BODIES; i++)
        kinetic &= p->bodies[i].id == 0 || p->bodies[i].body.kinetic == NULL;
    bw_world_body given = x->body;
    if (kinetic) {
        x->body.kinetic = given.kinetic = p->kinetic;
    } else if (below(p, 3) == 0) {
        const uint32_t m = below(p, PLAY_MESHES);
        x->body.tree = given.tree = p->trees[m];
        x->body.mesh = given.mesh = &p->views[m];
    } else {
        x->shape = new_shape(p);
        if (below(p, 40) == 0) {
            x->shape = (bw_shape){.kind = BW_SHAPE_HALF_SPACE};
            x->pose.m[2][3] = -p->size;
        }
        given.shape = &x->shape;
    }
    given.pose = &x->pose;
    assert_int_equal(bw_world_insert(p->world, &given, &x->id, NULL), BW_OK);
}

static void allow(playground *p, play_body *x, play_body *y)
{
    for (uint32_t i = 0; i < p->allowed_count; i++)
        if ((p->allowed[i].a == x->id && p->allowed[i].b == y->id) ||
            (p->allowed[i].a == y->id && p->allowed[i].b == x->id)) {
            assert_int_equal(bw_world_allow(p->world, y->id, x->id, false, NULL), BW_OK);
            p->allowed[i] = p->allowed[--p->allowed_count];
            return;
        }
    if (p->allowed_count == sizeof p->allowed / sizeof *p->allowed || x == y)
        return;
    assert_int_equal(bw_world_allow(p->world, x->id, y->id, true, NULL), BW_OK);
    p->allowed[p->allowed_count].a = x->id;
    p->allowed[p->allowed_count++].b = y->id;
}

static void forget(playground *p, bw_id id)
{
    for (uint32_t i = 0; i < p->allowed_count;)
        if (p->allowed[i].a == id || p->allowed[i].b == id)
            p->allowed[i] = p->allowed[--p->allowed_count];
        else
            i++;
}

static void nudge(playground *p, play_body *x)
{
    if (x->body.kinetic != NULL && below(p, 2) == 0) {
        assert_int_equal(bw_kinetic_advance(p->kinetic, number(p, 0, PLAY_FRAMES - 1), NULL, NULL), BW_OK);
        assert_int_equal(bw_world_changed(p->world, x->id, NULL), BW_OK);
        return;
    }
    if (below(p, 4) == 0)
        x->pose = new_pose(p);
    for (int i = 0; i < 3; i++)
        x->pose.m[i][3] += number(p, -0.05, 0.05);
    assert_int_equal(bw_world_move(p->world, x->id, &x->pose, NULL), BW_OK);
}

void play_change(playground *p)
{
    for (int i = 0; i < PLAY_BODIES; i++) {
        play_body *x = &p->bodies[i];
        const uint32_t what = below(p, 30);
        if (x->id == 0) {
            if (what < 4)
                insert(p, x);
        } else if (what == 0) {
            assert_int_equal(bw_world_remove(p->world, x->id, NULL), BW_OK);
            forget(p, x->id);
            x->id = 0;
        } else if (what == 1) {
            x->body.layers = below(p, 2) == 0 ? 2u : 0;
            x->body.mask = below(p, 4) == 0 ? 1u : 0;
            x->body.group = below(p, 4);
            assert_int_equal(
                bw_world_set_filter(p->world, x->id, x->body.layers, x->body.mask, x->body.group, NULL),
                BW_OK);
        } else if (what == 2) {
            play_body *y = &p->bodies[below(p, PLAY_BODIES)];
            if (y->id != 0)
                allow(p, x, y);
        } else if (what < 12) {
            nudge(p, x);
        }
    }
}

/* ---- brute force ---- */

static bool half_space(const play_body *x)
{
    return x->body.tree == NULL && x->body.kinetic == NULL && x->shape.kind == BW_SHAPE_HALF_SPACE;
}

bool play_filtered(const playground *p, const play_body *x, const play_body *y)
{
    const uint32_t lx = x->body.layers == 0 ? 1 : x->body.layers,
                   ly = y->body.layers == 0 ? 1 : y->body.layers;
    const uint32_t mx = x->body.mask == 0 ? UINT32_MAX : x->body.mask,
                   my = y->body.mask == 0 ? UINT32_MAX : y->body.mask;
    bool out = (x->body.fixed && y->body.fixed) || !(lx & my) || !(ly & mx) ||
               (x->body.group != 0 && x->body.group == y->body.group) || (half_space(x) && half_space(y));
    for (uint32_t i = 0; i < p->allowed_count; i++)
        out |= (p->allowed[i].a == x->id && p->allowed[i].b == y->id) ||
               (p->allowed[i].b == x->id && p->allowed[i].a == y->id);
    return out;
}

bw_body play_mesh_body(const playground *p, const play_body *x)
{
    bw_body body = {x->body.tree, x->body.mesh, NULL};
    if (x->body.kinetic != NULL)
        assert_int_equal(bw_kinetic_body(p->kinetic, &body, NULL), BW_OK);
    body.pose = &x->pose;
    return body;
}

bw_placed_shape play_shape(const play_body *x)
{
    return (bw_placed_shape){&x->shape, &x->pose};
}

static bool is_shape(const play_body *x)
{
    return x->body.tree == NULL && x->body.kinetic == NULL;
}

static void corners_of(const bw_mesh *mesh, uint32_t t, bw_vec3 out[3])
{
    for (int c = 0; c < 3; c++) {
        const uint32_t v = mesh->indices[3 * t + (uint32_t)c];
        if (mesh->scalar == BW_F64) {
            const double *xyz = (const double *)mesh->positions + 3 * v;
            out[c] = (bw_vec3){xyz[0], xyz[1], xyz[2]};
        } else {
            const float *xyz = (const float *)mesh->positions + 3 * v;
            out[c] = (bw_vec3){(double)xyz[0], (double)xyz[1], (double)xyz[2]};
        }
    }
}

/* Every triangle with every other: in a's frame, as bw_collide promises, or by their distance in the world. */
static uint32_t count_meshes(const playground *p, const play_body *x, const play_body *y,
                             void (*each)(void *user, uint32_t a, uint32_t b), void *user)
{
    const bw_body a = play_mesh_body(p, x), b = play_mesh_body(p, y);
    bw_transform inverse;
    assert_int_equal(bw_transform_invert(a.pose, &inverse), BW_OK);
    const bw_transform relative = bw_transform_multiply(&inverse, b.pose);
    uint32_t count = 0;
    for (uint32_t s = 0; s < a.mesh->triangle_count; s++)
        for (uint32_t t = 0; t < b.mesh->triangle_count; t++) {
            bw_vec3 u[3], v[3], w[3];
            corners_of(a.mesh, s, u);
            corners_of(b.mesh, t, v);
            for (int c = 0; c < 3; c++)
                w[c] = bw_transform_point(&relative, v[c]);
            bool meet = bw_triangle_triangle(u, w) != BW_CONTACT_NONE;
            if (!meet && p->separation > 0)
                meet = bw_triangle_distance2(u, w, NULL, NULL) <= p->separation * p->separation;
            if (meet && each != NULL)
                each(user, s, t);
            count += meet;
        }
    return count;
}

bool play_meet(const playground *p, const play_body *x, const play_body *y)
{
    if (is_shape(x) && is_shape(y)) {
        const bw_placed_shape a = play_shape(x), b = play_shape(y);
        const bw_shape_desc desc = {.separation = p->separation};
        bw_shape_contact contact;
        assert_int_equal(bw_shape_contact_pair(&a, &b, &desc, &contact, NULL), BW_OK);
        return contact.point_count != 0;
    }
    if (is_shape(x) || is_shape(y)) {
        const bw_placed_shape shape = play_shape(is_shape(x) ? x : y);
        const bw_body body = play_mesh_body(p, is_shape(x) ? y : x);
        const bw_shape_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .separation = p->separation};
        bw_shape_collide_report report = {0};
        assert_int_equal(bw_shape_collide_body(&shape, &body, &desc, &report, NULL), BW_OK);
        return report.hit_count != 0;
    }
    return count_meshes(p, x, y, NULL, NULL) != 0;
}

/* ---- a step ---- */

static int by_places(const void *x, const void *y)
{
    const play_body *const *a = x, *const *b = y;
    return ((uint32_t)(*a)->id > (uint32_t)(*b)->id) - ((uint32_t)(*a)->id < (uint32_t)(*b)->id);
}

typedef struct following {
    const bw_world_contact *at, *end;
    bw_id a, b;
} following;

static void expect_triangles(void *user, uint32_t a, uint32_t b)
{
    following *f = user;
    assert_true(f->at < f->end && f->at->a == f->a && f->at->b == f->b);
    assert_true(f->at->primitive_a == a && f->at->primitive_b == b);
    f->at++;
}

static int compare_keys(const play_key *x, const play_key *y)
{
    if (x->primitive_a != y->primitive_a)
        return x->primitive_a < y->primitive_a ? -1 : 1;
    if (x->primitive_b != y->primitive_b)
        return x->primitive_b < y->primitive_b ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static play_key key_of(const bw_world_contact *c)
{
    return (play_key){c->a, c->b, c->primitive_a, c->primitive_b, c->feature, c->id};
}

/* How many contacts of a list have this key. */
static uint32_t count_key(const bw_world_contact *list, uint64_t count, const play_key *key, uint64_t id)
{
    uint32_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        const play_key k = key_of(&list[i]);
        found += k.a == key->a && k.b == key->b && compare_keys(&k, key) == 0 && (id == 0 || k.id == id);
    }
    return found;
}

static void compare_contact(playground *p, const bw_world_contact *c)
{
    const double length = c->normal.x * c->normal.x + c->normal.y * c->normal.y + c->normal.z * c->normal.z;
    assert_true(length < 1 + 1e-9 && (length > 1 - 1e-9 || length == 0));
    assert_true(c->kind == BW_CONTACT_NEAR ? c->depth <= 1e-9 && -c->depth <= p->separation * (1 + 1e-9)
                                           : c->kind != BW_CONTACT_NONE);
    if (c->event == BW_EVENT_BEGIN) {
        assert_true(c->id > p->highest_id);
        p->highest_id = c->id;
        return;
    }
    assert_int_equal(c->event, BW_EVENT_PERSIST);
    const play_key key = key_of(c);
    bool found = false;
    for (size_t i = 0; i < p->key_count; i++)
        found |= p->keys[i].a == key.a && p->keys[i].b == key.b && compare_keys(&p->keys[i], &key) == 0 &&
                 p->keys[i].id == key.id;
    assert_true(found);
}

static void compare_events(playground *p, const bw_world_step_report *r)
{
    uint64_t began = 0;
    for (uint64_t i = 0; i < r->contact_count; i++) {
        const bw_world_contact *c = &r->contacts[i];
        began += c->event == BW_EVENT_BEGIN;
        compare_contact(p, c);
        /* a contact that was there keeps its id */
        if (c->event != BW_EVENT_BEGIN)
            continue;
        const play_key key = key_of(c);
        for (size_t k = 0; k < p->key_count; k++)
            if (p->keys[k].a == key.a && p->keys[k].b == key.b && compare_keys(&p->keys[k], &key) == 0)
                assert_true(count_key(r->contacts, r->contact_count, &key, 0) > 1); /* two of one feature */
    }
    assert_int_equal(began, r->began_count);
    /* what was there is there or has ended, once */
    assert_int_equal(r->ended_count + r->contact_count - began, p->key_count);
    for (size_t k = 0; k < p->key_count; k++)
        assert_int_equal(count_key(r->ended, r->ended_count, &p->keys[k], p->keys[k].id) +
                             count_key(r->contacts, r->contact_count, &p->keys[k], p->keys[k].id),
                         1);
}

static bool met_before(const playground *p, bw_id a, bw_id b)
{
    for (uint32_t i = 0; i < p->meeting_count; i++)
        if (p->meetings[i].a == a && p->meetings[i].b == b)
            return true;
    return false;
}

static void remember(playground *p, const bw_world_step_report *r)
{
    if (p->key_capacity < r->contact_count) {
        p->key_capacity = 2 * r->contact_count;
        p->keys = realloc(p->keys, p->key_capacity * sizeof *p->keys);
    }
    p->key_count = r->contact_count;
    for (uint64_t i = 0; i < r->contact_count; i++)
        p->keys[i] = key_of(&r->contacts[i]);
    p->meeting_count = 0;
    for (uint32_t i = 0; i < r->pair_count; i++)
        if (r->pairs[i].event != BW_EVENT_END) {
            p->meetings[p->meeting_count].a = r->pairs[i].a;
            p->meetings[p->meeting_count++].b = r->pairs[i].b;
        }
}

void play_compare(playground *p, const bw_world_step_report *r)
{
    const play_body *live[PLAY_BODIES];
    uint32_t count = 0, ended = 0, at = 0;
    for (int i = 0; i < PLAY_BODIES; i++)
        if (p->bodies[i].id != 0)
            live[count++] = &p->bodies[i];
    qsort(live, count, sizeof *live, by_places);
    for (uint32_t i = 0; i < r->pair_count; i++)
        ended += r->pairs[i].event == BW_EVENT_END;
    uint32_t meetings = 0, persisting = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++) {
            if (play_filtered(p, live[i], live[k]) || !play_meet(p, live[i], live[k]))
                continue;
            while (at < r->pair_count && r->pairs[at].event == BW_EVENT_END)
                at++;
            assert_true(at < r->pair_count);
            const bw_world_pair *pair = &r->pairs[at++];
            assert_true(pair->a == live[i]->id && pair->b == live[k]->id && pair->count > 0);
            const bool before = met_before(p, pair->a, pair->b);
            assert_int_equal(pair->event, before ? BW_EVENT_PERSIST : BW_EVENT_BEGIN);
            meetings++;
            persisting += before;
            following f = {&r->contacts[pair->first], &r->contacts[pair->first + pair->count], pair->a,
                           pair->b};
            if (!is_shape(live[i]) && !is_shape(live[k])) {
                count_meshes(p, live[i], live[k], expect_triangles, &f);
                assert_true(f.at == f.end);
            }
        }
    assert_int_equal(meetings + ended, r->pair_count);
    assert_int_equal(ended, p->meeting_count - persisting);
    compare_events(p, r);
    remember(p, r);
}

uint32_t play_moves(playground *p, bw_id ids[PLAY_BODIES], bw_transform poses[PLAY_BODIES])
{
    uint32_t count = 0;
    for (int i = 0; i < PLAY_BODIES; i++)
        if (p->bodies[i].id != 0 && i % 3 != 0) {
            ids[count] = p->bodies[i].id;
            poses[count] = p->bodies[i].pose;
            for (int k = 0; k < 3; k++)
                poses[count].m[k][3] += bws_random_double(&p->random, -0.5, 0.5);
            count++;
        }
    return count;
}
