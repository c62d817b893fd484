/* A tree over primitives of your own: here spheres, as of particles. You give their boxes and an exact test
 * of two; the library finds the pairs whose boxes meet.
 *
 * Two swarms of 500 spheres fly through each other. In each of three frames the program prints how many pairs
 * meet, and compares with all 250,000 pairs.
 */
#include "common.h"

enum { COUNT = 500 };

typedef struct swarm {
    bw_vec3 centre[COUNT];
    double radius;
} swarm;

/* The box of one sphere. bw_box_of_points rounds outward, so that a box never is too small. */
static void box_of(void *user, uint32_t i, bw_box *out)
{
    const swarm *s = user;
    bw_vec3 c = s->centre[i], ends[2] = {{c.x - s->radius, c.y - s->radius, c.z - s->radius},
                                         {c.x + s->radius, c.y + s->radius, c.z + s->radius}};
    *out = bw_box_of_points(ends, 2);
}

/* Whether two spheres meet. */
static bw_contact_kind meet(void *user, uint32_t i, uint32_t j)
{
    const swarm *both = user, *a = &both[0], *b = &both[1];
    double x = a->centre[i].x - b->centre[j].x, y = a->centre[i].y - b->centre[j].y,
           z = a->centre[i].z - b->centre[j].z, reach = a->radius + b->radius;
    return x * x + y * y + z * z <= reach * reach ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
}

int main(void)
{
    static swarm swarms[2] = {{.radius = 0.05}, {.radius = 0.08}};
    uint32_t state = 1; /* a small random generator, so that every run is the same */
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < COUNT; i++) {
            double p[3];
            for (int axis = 0; axis < 3; axis++)
                p[axis] = (state = state * 1664525u + 1013904223u) / 4294967296.0;
            swarms[s].centre[i] = (bw_vec3){p[0] + 1.2 * s, p[1], p[2]};
        }

    bw_fault fault;
    bw_tree *trees[2] = {NULL, NULL};
    for (int s = 0; s < 2; s++) {
        bw_primitives primitives = {.count = COUNT, .box = box_of, .user = &swarms[s]};
        must(bw_tree_create_user(NULL, &primitives, &trees[s], &fault), &fault);
    }
    bw_body a = {.tree = trees[0]}, b = {.tree = trees[1]};
    for (int frame = 0; frame < 3; frame++) {
        bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT};
        bw_collide_report report = {0};
        must(bw_collide_user(&a, &b, meet, swarms, &desc, &report, &fault), &fault);
        uint64_t pairs = 0;
        for (uint32_t i = 0; i < COUNT * COUNT; i++)
            pairs += meet(swarms, i / COUNT, i % COUNT) != BW_CONTACT_NONE;
        printf("frame %d: %d pairs meet, %s\n", frame, (int)report.hit_count,
               pairs == report.hit_count ? "as among all pairs" : "but not among all pairs");

        for (int i = 0; i < COUNT; i++)
            swarms[1].centre[i].x -= 0.6;
        must(bw_tree_refit_user(trees[1], &fault), &fault);
    }
    bw_tree_destroy(trees[0]);
    bw_tree_destroy(trees[1]);
    return 0;
}
