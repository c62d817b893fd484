/* A crowd: a scene of many boxes that move, whose pairs come to overlap and part, and what a camera sees of
 * it.
 *
 * 400 people stand in a square of 20 by 20, one metre apart, each 0.5 m wide. In each frame those in every
 * other row walk to the right by 0.3 m. In frame 1 number 25 also steps into the row beside it, where it meets
 * number 5, and in frame 2 it is back. A wall stands before the left half. The program prints the pairs that begin and end, and how many of the
 * crowd a camera in front of it may see: all within the frustum without the wall, fewer with it.
 */
#include "common.h"

#include <boxwood/pool.h>

enum { SIDE = 20, PEOPLE = SIDE * SIDE };

/* The wall as it hides things: two triangles. In general: a mesh that lies inside the object. */
static const float wall_xyz[4][3] = {{-20, -3, 0}, {10, -3, 0}, {10, -3, 4}, {-20, -3, 4}};
static const uint32_t wall_indices[2][3] = {{0, 1, 2}, {0, 2, 3}};
static const bw_mesh wall_mesh = {
    .positions = wall_xyz, .vertex_count = 4, .indices = wall_indices[0], .triangle_count = 2};

static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    (void)user;
    *out = (bw_occluder){.mesh = &wall_mesh};
    return object->user == PEOPLE; /* the number that the wall was inserted with */
}

static bw_box person(double x, double y)
{
    return bw_box_of_points((bw_vec3[]){{x - 0.25, y - 0.25, 0}, {x + 0.25, y + 0.25, 1.8}}, 2);
}

int main(void)
{
    bw_fault fault;
    bw_scene *scene = NULL;
    bw_pool *pool = NULL; /* a thread per processor; answers do not depend on their number */
    must(bw_pool_create(0, &pool, &fault), &fault);
    bw_scene_desc desc = {.track_pairs = true, .tasks = bw_pool_tasks(pool)};
    must(bw_scene_create(&desc, &scene, &fault), &fault);
    bw_box boxes[PEOPLE];
    uint64_t users[PEOPLE];
    bw_id ids[PEOPLE], wall;
    for (int i = 0; i < PEOPLE; i++)
        boxes[i] = person(i % SIDE, i / SIDE), users[i] = (uint64_t)i;
    must(bw_scene_insert_many(scene, boxes, users, PEOPLE, ids, &fault), &fault);
    bw_box wall_box = {{-20, -3.1f, 0}, {10, -2.9f, 4}};
    must(bw_scene_insert(scene, &wall_box, PEOPLE, &wall, &fault), &fault);

    for (int frame = 0; frame < 3; frame++) {
        for (int i = 0; i < PEOPLE; i++)
            if (i / SIDE % 2 == 1)
                boxes[i] = person(i % SIDE + 0.3 * frame, i / SIDE);
        if (frame == 1)
            boxes[SIDE + 5] = person(5.3, 0.4); /* into the row beside it */
        must(bw_scene_move_many(scene, ids, boxes, PEOPLE, &fault), &fault);

        bw_pair began[10];
        bw_pair_output out = {.pairs = began, .pair_capacity = 10};
        bw_pair_report begins = {0}, ends = {0};
        must(bw_scene_pairs_changed(scene, &out, NULL, &begins, &ends, &fault), &fault);
        printf("frame %d: %d pairs begin, %d end\n", frame, (int)begins.found_count, (int)ends.found_count);
        for (uint64_t i = 0; i < begins.found_count && i < out.pair_capacity; i++) {
            uint64_t a, b;
            must(bw_scene_get(scene, began[i].a, NULL, &a, &fault), &fault);
            must(bw_scene_get(scene, began[i].b, NULL, &b, &fault), &fault);
            printf("  %d meets %d\n", (int)(a < b ? a : b), (int)(a < b ? b : a));
        }
    }

    bw_view view = {.eye = {9.5, -7, 1.7},
                    .forward = {0, 1, 0},
                    .up = {0, 0, 1},
                    .fov_y = 0.6,
                    .aspect = 2,
                    .far_distance = 100};
    for (int hiding = 0; hiding < 2; hiding++) {
        bw_cull_desc how = {.occluder_of = hiding ? occluder_of : NULL};
        bw_cull *cull = NULL; /* one per camera, kept from frame to frame */
        bw_cull_report report = {0};
        must(bw_cull_create(&how, &cull, &fault), &fault);
        must(bw_cull_frame(cull, scene, &view, NULL, &report, &fault), &fault);
        printf("%s the wall about %.0f of %d people may be seen\n", hiding ? "with" : "without",
               10 * floor((double)report.visible_count / 10 + 0.5), PEOPLE);
        bw_cull_destroy(cull);
    }
    bw_scene_destroy(scene);
    bw_pool_destroy(pool);
    return 0;
}
