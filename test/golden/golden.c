/* The same bits for any number of threads, level of vector instructions and compiler: hashes of saved trees
 * and of whatever queries answer, in the order in which they answer, beside those that are written down.
 *
 * usage: golden FILE            compares with the hashes in FILE
 *        golden --write FILE    writes them: after a change that is meant to change trees or orders
 * It is linked once for each level (CMakeLists.txt). Exit status: 0 the same; 1 another hash; 2 error. */
#include "oracle/pool.h"
#include "scenes/random.h"
#include "scenes/scenes.h"

#include <boxwood/boxwood.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "golden: %s\n", what);
        exit(2);
    }
}

static void succeed(bw_result result)
{
    require(result == BW_OK, bw_result_string(result));
}

/* ---- FNV-1a over values, never over the padding of structures ---- */

typedef uint64_t hash;
static const hash nothing = 0xCBF29CE484222325u;

static hash add_bytes(hash h, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
    return h;
}
static hash add(hash h, uint64_t value)
{
    return add_bytes(h, &value, sizeof value);
}
static hash add_double(hash h, double value)
{
    return add_bytes(h, &value, sizeof value);
}
static hash add_vec3(hash h, bw_vec3 v)
{
    return add_double(add_double(add_double(h, v.x), v.y), v.z);
}

/* ---- what is looked at ---- */

enum { ROOM = 1 << 18 };

typedef struct input {
    bws_mesh bumpy[2], pot, needles, soup; /* [scalar] */
    bw_transform pose;
    bws_mesh frames[4]; /* of a sheet that moves */
    double times[4];
} input;

static bw_tree *tree_of(const bws_mesh *mesh, bw_builder builder, const bw_tasks *tasks)
{
    const bw_mesh view = bws_view(mesh);
    bw_tree *tree = NULL;
    succeed(bw_tree_create(&(bw_tree_desc){.builder = builder, .tasks = tasks}, &view, &tree, NULL));
    return tree;
}

static hash hash_trees(const input *in, const bw_tasks *tasks)
{
    const bws_mesh *meshes[] = {&in->bumpy[0], &in->bumpy[1], &in->pot, &in->needles, &in->soup};
    hash h = nothing;
    for (int i = 0; i < 5; i++)
        for (int builder = BW_BUILDER_FAST; builder <= BW_BUILDER_QUALITY; builder++) {
            bw_tree *tree = tree_of(meshes[i], (bw_builder)builder, tasks);
            const size_t size = bw_tree_saved_size(tree);
            void *bytes = malloc(size);
            require(bytes != NULL, "no memory");
            succeed(bw_tree_save(tree, bytes, size, NULL));
            h = add_bytes(h, bytes, size);
            free(bytes);
            bw_tree_destroy(tree);
        }
    return h;
}

static hash add_hits(hash h, const bw_hit *hits, const bw_collide_report *report)
{
    require(report->hit_count <= ROOM, "more hits than there is room for");
    for (uint64_t i = 0; i < report->hit_count; i++)
        h = add(add(add(h, hits[i].a), hits[i].b), hits[i].kind);
    return add(h, report->hit_count);
}

static bw_hit *room_for_hits(void)
{
    bw_hit *hits = malloc(ROOM * sizeof *hits);
    require(hits != NULL, "no memory");
    return hits;
}

static hash hash_pairs(const input *in, const bw_tasks *tasks)
{
    const bws_mesh *meshes[] = {&in->bumpy[0], &in->bumpy[1], &in->needles, &in->soup};
    bw_hit *hits = room_for_hits();
    hash h = nothing;
    for (int i = 0; i < 4; i++) {
        const bw_mesh view = bws_view(meshes[i]);
        bw_tree *tree = tree_of(meshes[i], BW_BUILDER_DEFAULT, NULL);
        const bw_body a = {tree, &view, NULL}, b = {tree, &view, &in->pose};
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = ROOM, .tasks = tasks};
        bw_collide_report report = {0};
        succeed(bw_collide(&a, &b, &desc, &report, NULL));
        h = add_hits(h, hits, &report);
        desc.mode = BW_COLLIDE_ANY;
        succeed(bw_collide(&a, &b, &desc, &report, NULL));
        h = add_hits(h, hits, &report);
        bw_tree_destroy(tree);
    }
    free(hits);
    return h;
}

static hash hash_self(const input *in, const bw_tasks *tasks)
{
    const bws_mesh *meshes[] = {&in->bumpy[0], &in->bumpy[1], &in->pot, &in->soup};
    bw_hit *hits = room_for_hits();
    hash h = nothing;
    for (int i = 0; i < 4; i++) {
        const bw_mesh view = bws_view(meshes[i]);
        bw_tree *tree = tree_of(meshes[i], BW_BUILDER_DEFAULT, NULL);
        const bw_body body = {tree, &view, NULL};
        bw_collide_report report = {0};
        succeed(bw_collide_self(
            &body,
            &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = ROOM, .tasks = tasks},
            &report, NULL));
        h = add_hits(h, hits, &report);
        bw_tree_destroy(tree);
    }
    free(hits);
    return h;
}

/* Pairs nearer than a separation, of two bodies and of one with itself. */
static hash hash_near(const input *in, const bw_tasks *tasks)
{
    const bws_mesh *meshes[] = {&in->bumpy[0], &in->bumpy[1], &in->needles, &in->soup};
    bw_hit *hits = room_for_hits();
    hash h = nothing;
    for (int i = 0; i < 4; i++) {
        const bw_mesh view = bws_view(meshes[i]);
        bw_tree *tree = tree_of(meshes[i], BW_BUILDER_DEFAULT, NULL);
        const bw_body a = {tree, &view, NULL}, b = {tree, &view, &in->pose};
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                                .hits = hits,
                                .hit_capacity = ROOM,
                                .tasks = tasks,
                                .separation = 0.01,
                                .rings = 2};
        bw_collide_report report = {0};
        succeed(bw_collide(&a, &b, &desc, &report, NULL));
        h = add_hits(h, hits, &report);
        succeed(bw_collide_self(&a, &desc, &report, NULL));
        h = add_hits(h, hits, &report);
        desc.mode = BW_COLLIDE_ANY;
        succeed(bw_collide(&a, &b, &desc, &report, NULL));
        h = add_hits(h, hits, &report);
        bw_tree_destroy(tree);
    }
    free(hits);
    return h;
}

static hash hash_distances(const input *in, const bw_tasks *tasks)
{
    (void)tasks;
    const bws_mesh *meshes[] = {&in->bumpy[0], &in->bumpy[1], &in->needles, &in->soup};
    hash h = nothing;
    for (int i = 0; i < 4; i++) {
        const bw_mesh view = bws_view(meshes[i]);
        bw_tree *tree = tree_of(meshes[i], BW_BUILDER_DEFAULT, NULL);
        bws_random random = bws_random_seeded(7);
        for (int k = 0; k < 40; k++) {
            bw_transform pose = bws_random_rigid(&random, 3.0);
            pose.m[0][3] += 3.0;
            const bw_body a = {tree, &view, NULL}, b = {tree, &view, &pose};
            bw_distance_report distance = {0};
            succeed(bw_distance(&a, &b, NULL, &distance, NULL));
            h = add_double(h, distance.distance);
            if (distance.distance > 0) /* where they meet any pair may be told */
                h = add_vec3(add_vec3(add(add(h, distance.a), distance.b), distance.point_a),
                             distance.point_b);
            const bw_vec3 point = {pose.m[0][3], pose.m[1][3], pose.m[2][3]};
            bw_nearest_hit nearest;
            succeed(bw_nearest(&a, &point, NULL, &nearest, NULL, NULL));
            h = add_double(add_vec3(add(h, nearest.primitive), nearest.point), nearest.distance);
        }
        bw_tree_destroy(tree);
    }
    return h;
}

static hash hash_rays(const input *in, const bw_tasks *tasks)
{
    enum { RAYS = 500 };
    static bw_ray rays[RAYS];
    static bw_ray_hit hits[RAYS];
    const bws_mesh *meshes[] = {&in->bumpy[0], &in->bumpy[1], &in->pot, &in->needles, &in->soup};
    hash h = nothing;
    for (int i = 0; i < 5; i++) {
        const bw_mesh view = bws_view(meshes[i]);
        bw_tree *tree = tree_of(meshes[i], BW_BUILDER_DEFAULT, NULL);
        const bw_body body = {tree, &view, &in->pose};
        bws_random random = bws_random_seeded(11);
        for (int k = 0; k < RAYS; k++) {
            const bw_vec3 d = bws_random_direction(&random), e = bws_random_direction(&random);
            rays[k] = (bw_ray){.origin = {2 * d.x, 2 * d.y, 2 * d.z},
                               .between = true,
                               .direction = {0.4 * e.x, 0.4 * e.y, 0.4 * e.z}};
        }
        succeed(bw_raycast_many(&body, rays, RAYS, &(bw_raycast_desc){.tasks = tasks}, hits, NULL, NULL));
        for (int k = 0; k < RAYS; k++)
            h = add_double(add(add(h, hits[k].primitive), hits[k].kind), hits[k].t);
        bw_tree_destroy(tree);
    }
    return h;
}

/* Sides, signed distances and regions. Winding numbers are of the C library's arc tangent: not their last
 * bits. */
static hash hash_points(const input *in, const bw_tasks *tasks)
{
    enum { POINTS = 500 };
    static bw_vec3 points[POINTS];
    static bw_signed_hit hits[POINTS];
    const bws_mesh *meshes[] = {&in->bumpy[0], &in->bumpy[1], &in->pot, &in->needles, &in->soup};
    bw_region_hit *met = malloc(ROOM * sizeof *met);
    require(met != NULL, "no memory");
    hash h = nothing;
    for (int i = 0; i < 5; i++) {
        const bw_mesh view = bws_view(meshes[i]);
        bw_tree *tree = tree_of(meshes[i], BW_BUILDER_DEFAULT, NULL);
        const bw_body body = {tree, &view, &in->pose};
        bws_random random = bws_random_seeded(13);
        for (int k = 0; k < POINTS; k++) {
            const bw_vec3 d = bws_random_direction(&random);
            const double far = bws_random_double(&random, 0, 1.5);
            points[k] = (bw_vec3){far * d.x, far * d.y, far * d.z};
        }
        bw_contains_report sides = {0};
        succeed(bw_signed_distance_many(&body, points, POINTS, &(bw_signed_desc){.tasks = tasks}, hits,
                                        &sides, NULL));
        h = add(add(add(h, sides.closed), sides.boundary_count), sides.inside_count);
        for (int k = 0; k < POINTS; k++) {
            const bw_surface_point *at = &hits[k].nearest;
            h = add(add(add_double(h, hits[k].distance), hits[k].location.side), at->primitive);
            h = add_vec3(add_vec3(add(add(h, at->feature), at->corner), at->point), at->normal);
            h = add_bytes(h, at->weights, sizeof at->weights);
        }
        const bw_region capsule = {
            .kind = BW_REGION_CAPSULE, .centre = {-0.5, 0, 0}, .end = {0.25, 1, 0.5}, .radius = 0.3};
        bw_region_report report = {0};
        succeed(bw_collide_region(
            &body, &capsule, &(bw_region_desc){.mode = BW_COLLIDE_ALL, .hits = met, .hit_capacity = ROOM},
            &report, NULL));
        require(report.hit_count <= ROOM, "more hits than there is room for");
        for (uint64_t k = 0; k < report.hit_count; k++)
            h = add(add(h, met[k].primitive), met[k].inside);
        bw_tree_destroy(tree);
    }
    free(met);
    return h;
}

static hash add_witness(hash h, const bw_swept_witness *w)
{
    for (int i = 0; i < 4; i++)
        h = add_double(h, w->weights[i]);
    return add_double(add_vec3(add_vec3(add_vec3(h, w->point_a), w->point_b), w->normal), w->distance);
}

/* For simulators: the earliest contact, safe steps and near pairs of a sheet with thickness and a rope. */
static hash hash_simulator(const input *in, const bw_tasks *tasks)
{
    bw_swept_near_pair *pairs = malloc(ROOM * sizeof *pairs);
    const bw_mesh start = bws_view(&in->frames[0]), end = bws_view(&in->frames[3]);
    double *thickness = malloc(start.vertex_count * sizeof *thickness);
    require(pairs != NULL && thickness != NULL, "no memory");
    for (uint32_t v = 0; v < start.vertex_count; v++)
        thickness[v] = 1e-4 * (v % 3);
    uint32_t edges[64][2];
    for (uint32_t e = 0; e < 64; e++) {
        edges[e][0] = e * 7 % start.vertex_count;
        edges[e][1] = (e * 7 + 3) % start.vertex_count;
    }
    hash h = nothing;
    for (int i = 0; i < 2; i++) {
        bw_swept_desc desc = {.tasks = tasks};
        if (i == 1)
            desc = (bw_swept_desc){
                .tasks = tasks, .edges = edges[0], .edge_count = 64, .points = true, .thickness = thickness};
        bw_swept *swept = NULL;
        succeed(bw_swept_create(&desc, &start, &end, &swept, NULL));
        bw_swept_query query = {.mode = BW_SWEPT_EARLIEST, .tasks = tasks};
        bw_swept_report report = {0};
        succeed(bw_swept_self(swept, &query, &report, NULL));
        h = add(add(add(h, report.earliest.feature), report.earliest.a), report.earliest.b);
        h = add(add(add_double(h, report.earliest.first.time), report.tested), report.candidate_count);
        const bw_swept_couple couple = {swept, NULL};
        bw_swept_safe_report safe = {0};
        succeed(bw_swept_safe_step(&couple, 1, &(bw_swept_safe_desc){.separation = 1e-3, .tasks = tasks},
                                   &safe, NULL));
        h = add(add_double(h, safe.step), safe.near_count);
        bw_swept_near_query near = {
            .distance = 2e-2, .time = 0.5, .pairs = pairs, .pair_capacity = ROOM, .tasks = tasks};
        bw_swept_near_report found = {0};
        succeed(bw_swept_near(swept, NULL, &near, &found, NULL));
        require(found.status == BW_DONE, "more near pairs than there is room for");
        for (uint64_t k = 0; k < found.pair_count; k++) {
            const bw_swept_near_pair *p = &pairs[k];
            h = add(add(add(add(h, p->feature), p->a), p->b), p->pair_count);
            h = add_witness(h, &p->at);
        }
        bw_swept_destroy(swept);
    }
    free(thickness);
    free(pairs);
    return h;
}

static hash add_shape_contact(hash h, const bw_shape_contact *c)
{
    h = add_double(add_double(add_vec3(add(h, c->kind), c->normal), c->depth), c->depth_lower);
    for (uint32_t i = 0; i < c->point_count; i++)
        h = add(add_vec3(add_vec3(h, c->points[i].point_a), c->points[i].point_b), c->points[i].feature);
    return add(h, c->point_count);
}

/* Pairs of shapes of every kind, and shapes against a mesh. */
/* Sines and cosines of angles small and large. */
static hash hash_poses(const input *in, const bw_tasks *tasks)
{
    bws_random random = bws_random_seeded(12);
    hash h = nothing;
    (void)in;
    (void)tasks;
    for (int i = 0; i < 20000; i++) {
        const double angle = bws_random_double(&random, -4, 4) * (i % 3 == 0 ? 1e5 : i % 3 == 1 ? 1 : 1e9);
        const bw_transform t =
            bw_transform_compose((bw_vec3){0, 0, 0}, (bw_vec3){1, 2, 3}, angle, (bw_vec3){1, 1, 1});
        h = add_bytes(h, t.m, sizeof t.m);
    }
    return h;
}

static hash hash_shapes(const input *in, const bw_tasks *tasks)
{
    const bw_mesh view = bws_view(&in->bumpy[0]);
    bw_vec3 points[40];
    bws_random random = bws_random_seeded(11);
    bw_hull *hull = NULL;
    (void)tasks;
    for (int i = 0; i < 40; i++)
        points[i] = bw_mesh_vertex(&view, (uint32_t)bws_random_below(&random, view.vertex_count));
    succeed(bw_hull_create(NULL, points, 40, &hull, NULL));
    const bw_shape shapes[5] = {{.kind = BW_SHAPE_SPHERE, .radius = 0.8},
                                {.kind = BW_SHAPE_CAPSULE, .radius = 0.4, .half = {0, 0, 0.7}},
                                {.kind = BW_SHAPE_BOX, .radius = 0.1, .half = {0.5, 0.6, 0.7}},
                                {.kind = BW_SHAPE_HALF_SPACE},
                                {.kind = BW_SHAPE_HULL, .hull = hull}};
    bw_tree *tree = tree_of(&in->bumpy[0], BW_BUILDER_DEFAULT, NULL);
    const bw_body body = {tree, &view, NULL};
    hash h = nothing;
    for (int i = 0; i < 200; i++) {
        const bw_transform a = bws_random_rigid(&random, 1), b = bws_random_rigid(&random, 1);
        const bw_placed_shape first = {&shapes[i % 5], &a}, second = {&shapes[i / 5 % 5], &b};
        bw_shape_contact contact;
        bw_shape_nearest nearest;
        bw_shape_distance_report report = {0};
        succeed(bw_shape_contact_pair(&first, &second, NULL, &contact, NULL));
        succeed(bw_shape_distance(&first, &second, NULL, &nearest, NULL));
        h = add_vec3(add_vec3(add_double(add_shape_contact(h, &contact), nearest.distance), nearest.point_a),
                     nearest.point_b);
        if (i < 40) {
            succeed(bw_shape_distance_body(&first, &body, NULL, &report, NULL));
            h = add_double(add(h, report.primitive), report.nearest.distance);
        }
    }
    bw_tree_destroy(tree);
    bw_hull_destroy(hull);
    return h;
}

static hash hash_contacts(const input *in, const bw_tasks *tasks)
{
    const bws_mesh *meshes[] = {&in->bumpy[0], &in->bumpy[1], &in->soup};
    bw_contact *contacts = malloc(ROOM * sizeof *contacts);
    bw_contact_region *regions = malloc(ROOM * sizeof *regions);
    require(contacts != NULL && regions != NULL, "no memory");
    hash h = nothing;
    for (int i = 0; i < 3; i++) {
        const bw_mesh view = bws_view(meshes[i]);
        bw_tree *tree = tree_of(meshes[i], BW_BUILDER_DEFAULT, NULL);
        const bw_body a = {tree, &view, NULL}, b = {tree, &view, &in->pose};
        const bw_contacts_desc desc = {.depth = i < 2,
                                       .volume = i < 2,
                                       .trials = 20,
                                       .regions = regions,
                                       .region_capacity = ROOM,
                                       .tasks = tasks};
        bw_contacts_report report = {0};
        succeed(bw_contacts(&a, &b, &desc, contacts, ROOM, &report, NULL));
        require(report.status == BW_DONE, "more contacts than there is room for");
        for (uint64_t k = 0; k < report.contact_count; k++) {
            const bw_contact *c = &contacts[k];
            h = add(add(add(add(add(h, c->a), c->b), c->kind), c->region), c->point_count);
            h = add_vec3(add_vec3(add_vec3(h, c->ends[0]), c->ends[1]), c->point);
            h = add_double(add_vec3(h, c->normal), c->depth);
        }
        for (uint64_t k = 0; k < report.region_count; k++) {
            const bw_contact_region *r = &regions[k];
            h = add(add(add(h, r->first), r->count), r->overlap);
            h = add_vec3(add_vec3(add_vec3(h, r->point), r->normal), r->translation);
            h = add_double(add_double(add_double(h, r->length), r->depth_upper), r->depth_lower);
        }
        h = add_double(add_double(add_vec3(h, report.translation), report.depth_upper), report.depth_lower);
        h = add_double(add_double(h, report.volume), report.volume_error);
        bw_tree_destroy(tree);
    }
    free(contacts);
    free(regions);
    return h;
}

static hash hash_swept(const input *in, const bw_tasks *tasks)
{
    bw_swept_contact *contacts = malloc(ROOM * sizeof *contacts);
    bw_swept_candidate *candidates = malloc(ROOM * sizeof *candidates);
    require(contacts != NULL && candidates != NULL, "no memory");
    const bw_mesh start = bws_view(&in->frames[0]), end = bws_view(&in->frames[3]);
    bw_swept *swept = NULL;
    succeed(bw_swept_create(&(bw_swept_desc){.tasks = tasks}, &start, &end, &swept, NULL));
    hash h = nothing;
    for (int i = 0; i < 2; i++) {
        bw_swept_query query = {.mode = BW_SWEPT_ALL,
                                .separation = i == 0 ? 0 : 1e-3,
                                .contacts = contacts,
                                .contact_capacity = ROOM,
                                .tasks = tasks};
        bw_swept_report report = {0};
        succeed(bw_swept_self(swept, &query, &report, NULL));
        require(report.contact_count <= ROOM, "more contacts than there is room for");
        for (uint64_t k = 0; k < report.contact_count; k++) {
            const bw_swept_contact *c = &contacts[k];
            h = add(add(add(h, c->feature), c->a), c->b);
            h = add(add_double(h, c->first.time), c->first.answer);
        }
        query = (bw_swept_query){.mode = BW_SWEPT_CANDIDATES,
                                 .separation = query.separation,
                                 .candidates = candidates,
                                 .candidate_capacity = ROOM,
                                 .tasks = tasks};
        succeed(bw_swept_self(swept, &query, &report, NULL));
        const uint64_t count = report.candidate_count;
        require(count <= ROOM, "more candidates than there is room for");
        for (uint64_t k = 0; k < count; k++)
            h = add(add(add(h, candidates[k].feature), candidates[k].a), candidates[k].b);
    }
    bw_swept_destroy(swept);
    free(candidates);
    free(contacts);
    return h;
}

static bool take_event(void *user, const bw_timeline_event *e)
{
    hash *h = user;
    *h = add(add(add_double(*h, e->time), e->begins), e->cut);
    *h = add(add(add(add(*h, e->object_a), e->object_b), e->triangle_a), e->triangle_b);
    return true;
}

/* The sheet, and a ball that it passes through and that stands still. */
static hash hash_motion(const input *in, const bw_tasks *tasks)
{
    const void *frames[4], *same[4];
    for (int i = 0; i < 4; i++) {
        frames[i] = in->frames[i].positions;
        same[i] = in->bumpy[1].positions;
    }
    const bw_mesh sheet = bws_view(&in->frames[0]), ball = bws_view(&in->bumpy[1]);
    const bw_motion moves = {.kind = BW_MOTION_KEYFRAMES,
                             .vertex_count = sheet.vertex_count,
                             .scalar = BW_F64,
                             .frame_count = 4,
                             .times = in->times,
                             .frames = frames},
                    stays = {.kind = BW_MOTION_KEYFRAMES,
                             .vertex_count = ball.vertex_count,
                             .scalar = BW_F64,
                             .frame_count = 4,
                             .times = in->times,
                             .frames = same};
    const bw_moving objects[2] = {{&sheet, &moves}, {&ball, &stays}};
    hash h = nothing;
    bw_timeline_report told = {0};
    succeed(bw_contact_timeline(
        objects, 2, &(bw_timeline_desc){.self = true, .on_event = take_event, .user = &h, .tasks = tasks},
        &told, NULL));
    h = add(h, told.contact_count);
    bw_hit *hits = room_for_hits();
    for (int method = BW_SEPARATION_AUTO; method <= BW_SEPARATION_TRAVERSE; method++) {
        bw_separation *separation = NULL;
        succeed(bw_separation_create(
            &(bw_separation_desc){.method = (bw_separation_method)method, .tasks = tasks}, &objects[0],
            &objects[1], &separation, NULL));
        for (int step = 0; step <= 12; step++) {
            succeed(bw_separation_advance(separation, in->times[3] * step / 12, NULL, NULL));
            bw_collide_report report = {0};
            succeed(bw_separation_collide(
                separation, &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = ROOM},
                &report, NULL));
            h = add_hits(h, hits, &report);
        }
        bw_separation_destroy(separation);
    }
    free(hits);
    return h;
}

/* Pairs and a ball of 3000 boxes, some of them moved, in a scene; and the same through two instances of it.
 */
static hash hash_scene(hash h, bw_nesting nesting, const bw_tasks *tasks)
{
    enum { OBJECTS = 3000 };
    bw_id *ids = malloc(2 * OBJECTS * sizeof *ids);
    uint32_t *paths = malloc(2 * OBJECTS * sizeof *paths);
    bw_pair *pairs = malloc(ROOM * sizeof *pairs);
    bw_box *boxes = malloc(OBJECTS * sizeof *boxes);
    require(ids != NULL && paths != NULL && pairs != NULL && boxes != NULL, "no memory");
    const bw_scene_desc desc = {.nesting = nesting, .tasks = tasks};
    bw_scene *scene = NULL, *outer = NULL;
    bw_scene_paths *numbers = NULL;
    succeed(bw_scene_create(&desc, &scene, NULL));
    succeed(bw_scene_create(&desc, &outer, NULL));
    succeed(bw_scene_paths_create(NULL, &numbers));
    bws_random random = bws_random_seeded(5);
    for (int i = 0; i < OBJECTS; i++)
        for (int axis = 0; axis < 3; axis++) {
            const float at = (float)bws_random_double(&random, 0, 100);
            boxes[i].min[axis] = at;
            boxes[i].max[axis] = at + (float)bws_random_double(&random, 0.5, 5);
        }
    succeed(bw_scene_insert_many(scene, boxes, NULL, OBJECTS, ids, NULL));
    succeed(bw_scene_prepare(scene, NULL, NULL, NULL));
    for (int i = 0; i < OBJECTS; i += 3) {
        boxes[i].max[0] += 4;
        succeed(bw_scene_move(scene, ids[i], &boxes[i], NULL));
    }
    for (int k = 0; k < 2; k++) {
        const bw_transform pose = bw_transform_compose((bw_vec3){30.0 * k, 0, 0}, (bw_vec3){1, 2, 3}, 0.4 + k,
                                                       (bw_vec3){1, 1, k == 0 ? 1 : -0.5});
        succeed(bw_scene_insert_scene(outer, scene, &pose, 0, &ids[0], NULL));
    }
    for (int nested = 0; nested < 2; nested++) {
        const bw_scene *of = nested != 0 ? outer : scene;
        bw_scene_paths *through = nested != 0 ? numbers : NULL;
        bw_pair_report found = {0};
        const bw_pair_output pairs_to = {.pairs = pairs, .pair_capacity = ROOM, .paths = through};
        succeed(bw_scene_pairs(of, &pairs_to, &found, NULL));
        require(found.found_count <= ROOM, "more pairs than there is room for");
        for (uint64_t k = 0; k < found.found_count; k++)
            h = add(add(h, pairs[k].a), pairs[k].b);
        bw_scene_report report = {0};
        const bw_region ball = {.kind = BW_REGION_SPHERE, .centre = {50, 50, 50}, .radius = 30};
        const bw_scene_output to = {
            .ids = ids, .id_paths = paths, .id_capacity = 2 * OBJECTS, .paths = through};
        succeed(bw_scene_query(of, &ball, &to, &report, NULL));
        for (uint64_t k = 0; k < report.found_count; k++)
            h = add(add(h, ids[k]), paths[k]);
        bw_scene_hit hits[20];
        uint32_t count;
        succeed(bw_scene_nearest(of, (bw_vec3){40, 50, 60}, &(bw_scene_search){.paths = through}, hits, 20,
                                 &count, NULL));
        for (uint32_t k = 0; k < count; k++)
            h = add(add(h, hits[k].id), hits[k].path);
    }
    bw_scene_destroy(outer);
    bw_scene_destroy(scene);
    bw_scene_paths_destroy(numbers);
    free(boxes);
    free(pairs);
    free(paths);
    free(ids);
    return h;
}

static hash hash_scenes(const input *in, const bw_tasks *tasks)
{
    (void)in;
    return hash_scene(nothing, BW_NESTING_MODERN, tasks);
}

#if BW_RESEARCH
static hash hash_shagam(const input *in, const bw_tasks *tasks)
{
    (void)in;
    hash h = nothing;
    for (int nesting = BW_NESTING_KD; nesting <= BW_NESTING_PER_NODE; nesting++)
        h = hash_scene(h, (bw_nesting)nesting, tasks);
    return h;
}
#endif

static hash hash_budgets(const input *in, const bw_tasks *tasks)
{
    (void)tasks;
    const bw_mesh view = bws_view(&in->bumpy[0]);
    bw_tree *tree = tree_of(&in->bumpy[0], BW_BUILDER_DEFAULT, NULL);
    bw_anytime *adb = NULL;
    succeed(bw_anytime_create(&(bw_anytime_desc){.tries = 64}, tree, &view, &adb, NULL));
    hash h = nothing;
    bws_random random = bws_random_seeded(3);
    for (int k = 0; k < 60; k++) {
        bw_transform pose = bws_random_rigid(&random, 0);
        pose.m[0][3] = 1.5 + 0.015 * k;
        const bw_anytime_body a = {.anytime = adb, .mesh = &view},
                              b = {.anytime = adb, .mesh = &view, .pose = &pose};
        bw_anytime_answer answer = {0};
        succeed(bw_anytime_query(&a, &b, &(bw_anytime_query_desc){.limit_steps = true, .max_steps = 6},
                                 &answer, NULL));
        h = add_double(add(add(add(h, answer.collision), answer.proven), answer.steps), answer.confidence);
    }
    bw_anytime_destroy(adb);
    bw_tree_destroy(tree);
    return h;
}

typedef struct part {
    const char *name;
    hash (*of)(const input *in, const bw_tasks *tasks);
} part;

static const part parts[] = {
    {"trees", hash_trees},       {"pairs", hash_pairs},         {"self", hash_self},
    {"near", hash_near},         {"distances", hash_distances}, {"rays", hash_rays},
    {"points", hash_points},     {"swept", hash_swept},         {"simulator", hash_simulator},
    {"motion", hash_motion},     {"scenes", hash_scenes},       {"budgets", hash_budgets},
    {"contacts", hash_contacts}, {"shapes", hash_shapes},       {"poses", hash_poses},
#if BW_RESEARCH
    {"shagam", hash_shagam}, /* last: without it the rest of the file is read */
#endif
};
enum { PARTS = sizeof parts / sizeof *parts };

static void make_input(input *in)
{
    memset(in, 0, sizeof *in);
    const bws_sphere_desc sphere = {.frequency = 16, .seed = 1};
    succeed(bws_bumpy_sphere(&sphere, BW_F32, &in->bumpy[0]));
    succeed(bws_bumpy_sphere(&sphere, BW_F64, &in->bumpy[1]));
    succeed(bws_lathe(&(bws_lathe_desc){.triangles = 3000}, BW_F32, &in->pot));
    succeed(bws_needle_sphere(&(bws_needle_desc){.triangles = 3000}, BW_F32, &in->needles));
    succeed(bws_soup(&(bws_soup_desc){.triangles = 1500, .size = 0.15, .seed = 4}, BW_F64, &in->soup));
    in->pose =
        bw_transform_compose((bw_vec3){0.7, 0.2, 0.1}, (bw_vec3){0.6, 0, 0.8}, 0.5, (bw_vec3){1, 1, 1});
    for (int i = 0; i < 4; i++) {
        const bws_sheet_desc sheet = {
            .columns = 30, .rows = 30, .size = 3, .amplitude = 0.5, .origin = {0, 0, 1.6 - 0.5 * i}};
        succeed(bws_sheet(&sheet, 0.2 * i, BW_F64, &in->frames[i]));
        in->times[i] = i;
    }
}

static void free_input(input *in)
{
    bws_mesh *meshes[] = {&in->bumpy[0],  &in->bumpy[1],  &in->pot,       &in->needles,  &in->soup,
                          &in->frames[0], &in->frames[1], &in->frames[2], &in->frames[3]};
    for (int i = 0; i < 9; i++)
        bws_mesh_free(meshes[i]);
}

static hash expected(FILE *file, const char *name)
{
    char word[32];
    hash value;
    require(fscanf(file, "%31s %" SCNx64, word, &value) == 2, "the file of hashes is not one");
    require(strcmp(word, name) == 0, "the file of hashes has other parts: golden --write makes it");
    return value;
}

int main(int count, char **words)
{
    const bool writes = count == 3 && strcmp(words[1], "--write") == 0;
    require(count == 2 || writes, "usage: golden [--write] FILE");
    FILE *file = fopen(words[count - 1], writes ? "w" : "r");
    require(file != NULL, "the file of hashes cannot be opened");
    static const uint32_t workers[] = {1, 2, 7};
    input in;
    make_input(&in);
    int wrong = 0;
    for (int i = 0; i < PARTS; i++) {
        const hash serial = parts[i].of(&in, NULL);
        if (writes)
            fprintf(file, "%s %016" PRIx64 "\n", parts[i].name, serial);
        const hash wanted = writes ? serial : expected(file, parts[i].name);
        if (serial != wanted) {
            printf("%s: %016" PRIx64 ", not %016" PRIx64 "\n", parts[i].name, serial, wanted);
            wrong = 1;
        }
        for (int w = 0; w < 3; w++) {
            bw_pool *pool = test_pool_create(workers[w]);
            const hash parallel = parts[i].of(&in, bw_pool_tasks(pool));
            if (parallel != serial) {
                printf("%s: %016" PRIx64 " with %" PRIu32 " threads, %016" PRIx64 " without\n", parts[i].name,
                       parallel, workers[w], serial);
                wrong = 1;
            }
            bw_pool_destroy(pool);
        }
    }
    require(fclose(file) == 0, "the file of hashes cannot be written");
    free_input(&in);
    return wrong;
}
