/* Worlds of any shapes and a mesh, with any poses: a call is refused and changes nothing, or the world is sound and its contacts
 * are those of every pair asked alone; questions answer as a loop over the bodies does. */
#include "fuzz/bytes.h"

#include <boxwood/world.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 10 };

typedef struct thing {
    bw_id id; /* 0: none */
    bw_shape shape;
    bool mesh;
    bw_transform pose;
} thing;

typedef struct harness {
    bw_world *world;
    double separation;
    bw_hull *hull;
    bw_tree *tree;
    bw_mesh mesh;
    thing things[MOST];
    uint64_t last_contact;
} harness;

static const double tetrahedron[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static bw_transform take_pose(bytes *b, uint8_t style)
{
    bw_transform pose = bw_transform_identity();
    const uint8_t turn = bytes_u8(b);
    if (turn % 3 == 1) { /* by a quarter, exactly */
        pose.m[0][0] = pose.m[1][1] = 0;
        pose.m[0][1] = -1;
        pose.m[1][0] = 1;
    } else if (turn % 3 == 2) {
        const bw_vec3 zero = {0, 0, 0}, one = {1, 1, 1}, axis = {1, (double)(turn / 32), 1};
        pose = bw_transform_compose(zero, axis, (double)turn, one);
    }
    for (int i = 0; i < 3; i++)
        pose.m[i][3] = bytes_coordinate(b, style);
    if (bytes_u8(b) == 255)
        pose.m[bytes_u8(b) % 3][bytes_u8(b) % 4] = bytes_coordinate(b, 2);
    return pose;
}

static bw_shape take_shape(const harness *h, bytes *b)
{
    const uint8_t kind = bytes_u8(b);
    bw_shape shape = {.kind = (bw_shape_kind)(kind % 5),
                      .radius = fabs(bytes_coordinate(b, kind / 8)),
                      .half = {fabs(bytes_coordinate(b, kind / 8)), fabs(bytes_coordinate(b, kind / 8)),
                               fabs(bytes_coordinate(b, kind / 8))}};
    if (shape.kind == BW_SHAPE_HULL)
        shape.hull = h->hull;
    return shape;
}

static void change(harness *h, bytes *b)
{
    thing *t = &h->things[bytes_u8(b) % MOST];
    const uint8_t what = bytes_u8(b);
    const uint32_t before = bw_world_body_count(h->world);
    if (t->id == 0) {
        thing fresh = {.mesh = what % 4 == 0};
        fresh.pose = take_pose(b, bytes_u8(b));
        bw_world_body body = {.pose = &fresh.pose};
        if (fresh.mesh) {
            body.tree = h->tree;
            body.mesh = &h->mesh;
        } else {
            fresh.shape = take_shape(h, b);
            body.shape = &fresh.shape;
        }
        const bool many = what % 2 == 0;
        if ((many ? bw_world_insert_many(h->world, &body, 1, &fresh.id, NULL)
                  : bw_world_insert(h->world, &body, &fresh.id, NULL)) == BW_OK)
            *t = fresh;
        else
            must(bw_world_body_count(h->world) == before);
    } else if (what % 8 == 0) {
        must(bw_world_remove(h->world, t->id, NULL) == BW_OK);
        must(bw_world_remove(h->world, t->id, NULL) == BW_ERROR_STALE);
        t->id = 0;
    } else {
        const bw_transform pose = take_pose(b, bytes_u8(b));
        if ((what % 2 == 0 ? bw_world_move_many(h->world, &t->id, &pose, 1, NULL)
                           : bw_world_move(h->world, t->id, &pose, NULL)) == BW_OK)
            t->pose = pose;
        bw_world_body now = {0};
        must(bw_world_get(h->world, t->id, &now, NULL) == BW_OK);
        must(memcmp(now.pose, &t->pose, sizeof t->pose) == 0);
        must(bw_world_changed(h->world, t->id, NULL) == BW_OK);
    }
}

/* Whether shapes are as far apart as the separation but for the rounding of distances, which a cache may change. */
static bool is_at_limit(const harness *h, const bw_placed_shape *a, const bw_placed_shape *b)
{
    const bw_placed_shape *both[2] = {a, b};
    bw_shape_nearest nearest;
    double size = h->separation;
    for (int k = 0; k < 2; k++) {
        bw_box box;
        if (bw_shape_bounds(both[k], &box, NULL) != BW_OK)
            return false;
        size += both[k]->shape->radius;
        for (int i = 0; i < 3; i++) {
            size += fabs(both[k]->pose->m[i][3]);
            size += isfinite(box.min[i]) ? fabs((double)box.min[i]) : 0; /* half-spaces have no end */
            size += isfinite(box.max[i]) ? fabs((double)box.max[i]) : 0;
        }
    }
    return h->separation > 0 && bw_shape_distance(a, b, NULL, &nearest, NULL) == BW_OK &&
           fabs(nearest.distance - h->separation) <= 1e-11 * size;
}

/* Whether two meet, asked alone; false in *known where that fails, or where it is too close to tell. */
static bool meet(const harness *h, const thing *x, const thing *y, bool *known)
{
    const bw_placed_shape a = {&x->shape, &x->pose}, b = {&y->shape, &y->pose};
    const bw_body ma = {h->tree, &h->mesh, &x->pose}, mb = {h->tree, &h->mesh, &y->pose};
    *known = true;
    if (!x->mesh && !y->mesh) {
        const bw_shape_desc desc = {.separation = h->separation};
        bw_shape_contact contact;
        *known = bw_shape_contact_pair(&a, &b, &desc, &contact, NULL) == BW_OK && !is_at_limit(h, &a, &b);
        return *known && contact.point_count != 0;
    }
    if (x->mesh && y->mesh) {
        const bw_collide_desc desc = {.separation = h->separation};
        bw_collide_report report = {0};
        *known = bw_collide(&ma, &mb, &desc, &report, NULL) == BW_OK;
        return *known && report.hit_count != 0;
    }
    const bw_shape_collide_desc desc = {.separation = h->separation};
    bw_shape_collide_report report = {0};
    *known = bw_shape_collide_body(x->mesh ? &b : &a, x->mesh ? &ma : &mb, &desc, &report, NULL) == BW_OK;
    return *known && report.hit_count != 0;
}

static void step(harness *h)
{
    bw_world_step_report report = {0};
    const bw_result result = bw_world_step(h->world, NULL, &report, NULL);
    const char *why = bw_world_check(h->world);
    if (why != NULL)
        fprintf(stderr, "%s\n", why);
    must(why == NULL);
    if (result != BW_OK)
        return;
    for (int i = 0; i < MOST; i++)
        for (int k = i + 1; k < MOST; k++) {
            const thing *x = &h->things[i], *y = &h->things[k];
            bool known = false, told = false;
            const bool planes = !x->mesh && !y->mesh && x->shape.kind == BW_SHAPE_HALF_SPACE &&
                                y->shape.kind == BW_SHAPE_HALF_SPACE;
            if (x->id == 0 || y->id == 0 || planes)
                continue;
            if ((uint32_t)x->id > (uint32_t)y->id) {
                x = y;
                y = &h->things[i];
            }
            const bool expected = meet(h, x, y, &known);
            for (uint32_t p = 0; p < report.pair_count; p++)
                told |= report.pairs[p].event != BW_EVENT_END && report.pairs[p].a == x->id &&
                        report.pairs[p].b == y->id;
            must(!known || told == expected);
        }
    for (uint64_t i = 0; i < report.contact_count; i++)
        if (report.contacts[i].event == BW_EVENT_BEGIN) {
            must(report.contacts[i].id > h->last_contact);
            h->last_contact = report.contacts[i].id;
        } else {
            must(report.contacts[i].id <= h->last_contact);
        }
}

static void ask(harness *h, bytes *b)
{
    const uint8_t style = bytes_u8(b);
    const bw_ray ray = {
        .origin = {bytes_coordinate(b, style), bytes_coordinate(b, style), bytes_coordinate(b, style)},
        .direction = {bytes_coordinate(b, style), bytes_coordinate(b, style), 1}};
    bw_world_ray_hit hits[MOST];
    uint32_t count = 0;
    if (bw_world_raycast(h->world, &ray, NULL, hits, MOST, &count, NULL) == BW_OK)
        for (uint32_t i = 1; i < count; i++)
            must(hits[i - 1].t <= hits[i].t);
    bw_world_raycast_many(h->world, &ray, 1, NULL, hits, NULL);
    const bw_shape shape = take_shape(h, b);
    const bw_transform pose = take_pose(b, style);
    const bw_placed_shape placed = {&shape, &pose};
    bw_id ids[MOST];
    bw_world_distance_report nearest = {0};
    if (bw_world_overlap(h->world, &placed, NULL, ids, MOST, &count, NULL) == BW_OK &&
        bw_world_distance(h->world, &placed, 0, NULL, &nearest, NULL) == BW_OK)
        must((count != 0) == (nearest.distance == 0));
    const bw_rigid_motion motion = {.start = pose, .translation = {bytes_coordinate(b, style), 0, 1}};
    bw_world_impact impact;
    if (bw_world_sweep(h->world, &shape, &motion, NULL, &impact, NULL) == BW_OK)
        must(impact.time >= 0 && impact.time <= 1 && (count == 0 || impact.time == 0));
}

static void travel(harness *h, bytes *b)
{
    bw_id ids[MOST];
    bw_transform poses[MOST];
    uint32_t count = 0;
    for (int i = 0; i < MOST; i++)
        if (h->things[i].id != 0 && bytes_u8(b) % 2 == 0) {
            poses[count] = h->things[i].pose;
            poses[count].m[0][3] += bytes_coordinate(b, 0);
            ids[count++] = h->things[i].id;
        }
    bw_world_advance_report report = {0};
    if (bw_world_advance(h->world, ids, poses, count, NULL, &report, NULL) == BW_OK)
        must(report.first.time >= 0 && report.first.time <= 1);
    for (int i = 0; i < MOST; i++) {
        bw_world_body now = {0};
        if (h->things[i].id != 0 && bw_world_get(h->world, h->things[i].id, &now, NULL) == BW_OK)
            h->things[i].pose = *now.pose;
    }
}

static void filter(harness *h, bytes *b)
{
    const thing *x = &h->things[bytes_u8(b) % MOST], *y = &h->things[bytes_u8(b) % MOST];
    if (x->id == 0 || y->id == 0 || x == y)
        return;
    bw_world_step_report report = {0};
    must(bw_world_set_filter(h->world, x->id, 1, 0, 0, NULL) == BW_OK);
    must(bw_world_allow(h->world, x->id, y->id, true, NULL) == BW_OK);
    if (bw_world_step(h->world, NULL, &report, NULL) == BW_OK)
        for (uint32_t p = 0; p < report.pair_count; p++)
            must(report.pairs[p].event == BW_EVENT_END ||
                 !((report.pairs[p].a == x->id && report.pairs[p].b == y->id) ||
                   (report.pairs[p].a == y->id && report.pairs[p].b == x->id)));
    for (uint64_t i = 0; i < report.contact_count; i++)
        h->last_contact = report.contacts[i].id > h->last_contact ? report.contacts[i].id : h->last_contact;
    must(bw_world_allow(h->world, x->id, y->id, false, NULL) == BW_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    harness h = {.mesh = {tetrahedron, BW_F64, 4, 0, faces[0], 4}};
    if (bytes_u8(&b) % 2 == 0)
        bytes_go_on(&b);
    h.separation = bytes_u8(&b) % 4 == 0 ? 0.25 : 0;
    bw_vec3 points[6];
    for (int i = 0; i < 6; i++)
        points[i] = (bw_vec3){bytes_coordinate(&b, 0), bytes_coordinate(&b, 0), bytes_coordinate(&b, 1)};
    must(bw_hull_create(NULL, points, 6, &h.hull, NULL) == BW_OK);
    must(bw_tree_create(NULL, &h.mesh, &h.tree, NULL) == BW_OK);
    must(bw_world_create(&(bw_world_desc){.separation = h.separation}, &h.world, NULL) == BW_OK);
    for (int turn = 0; turn < 24; turn++) {
        for (int i = bytes_u8(&b) % 4; i >= 0; i--)
            change(&h, &b);
        if (turn % 2 == 0)
            step(&h);
        if (turn % 5 == 4)
            ask(&h, &b);
        if (turn % 7 == 6)
            travel(&h, &b);
        if (turn % 11 == 10)
            filter(&h, &b);
    }
    bw_world_destroy(h.world);
    bw_tree_destroy(h.tree);
    bw_hull_destroy(h.hull);
    return 0;
}
