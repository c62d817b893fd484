/* Two meshes: which triangles touch or cross, where they meet, how far they are apart, and whether one lies
 * inside the other.
 *
 * Two balls of radius 1 stand 1.5 apart, so their surfaces meet in a circle: in the plane x = 0.75, with a
 * radius of sqrt(1 - 0.75^2) = 0.66. Then the second is moved away, and then shrunk into the first. The
 * program prints what it finds of that. Meshes are coarser than balls, so the last digit may be off.
 */
#include "common.h"

static shape ball;

/* Corners where the body's pose puts them. */
static void corners(const bw_body *body, uint32_t triangle, bw_vec3 out[3])
{
    bw_mesh_corners(body->mesh, triangle, out);
    for (int i = 0; i < 3 && body->pose != NULL; i++)
        out[i] = bw_transform_point(body->pose, out[i]);
}

int main(void)
{
    bw_fault fault;
    make_ball(&ball, 1);
    bw_tree *tree = NULL; /* one tree serves every body that has this mesh */
    must(bw_tree_create(NULL, &ball.mesh, &tree, &fault), &fault);

    bw_transform pose =
        bw_transform_compose((bw_vec3){1.5, 0, 0}, (bw_vec3){1, 2, 3}, 0.7, (bw_vec3){1, 1, 1});
    bw_body a = {tree, &ball.mesh, NULL}, b = {tree, &ball.mesh, &pose};

    bw_hit hits[1000];
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = 1000};
    bw_collide_report report = {0};
    must(bw_collide(&a, &b, &desc, &report, &fault), &fault);
    if (report.status == BW_FULL) /* the count is right all the same: try again with a larger buffer */
        printf("the first 1000 of %llu contacts:\n", (unsigned long long)report.hit_count);

    double x = 0, radius = 0, points = 0;
    for (uint64_t i = 0; i < report.hit_count && i < desc.hit_capacity; i++) {
        bw_vec3 of_a[3], of_b[3];
        corners(&a, hits[i].a, of_a);
        corners(&b, hits[i].b, of_b);
        bw_triangle_contact contact;
        bw_triangle_triangle_contact(of_a, of_b, &contact);
        for (uint32_t p = 0; p < contact.point_count; p++, points++) {
            x += contact.points[p].x;
            radius +=
                sqrt(contact.points[p].y * contact.points[p].y + contact.points[p].z * contact.points[p].z);
        }
    }
    printf("in contact: %s, on a circle at x = %.2f of radius %.2f\n", report.hit_count > 0 ? "yes" : "no",
           x / points, radius / points);

    pose = bw_transform_compose((bw_vec3){5, 0, 0}, (bw_vec3){1, 2, 3}, 0.7, (bw_vec3){1, 1, 1});
    bw_distance_report apart = {0};
    must(bw_distance(&a, &b, NULL, &apart, &fault), &fault);
    printf("five apart: the distance is %.1f, from x = %.1f to x = %.1f\n", apart.distance, apart.point_a.x,
           apart.point_b.x);

    pose = bw_transform_compose((bw_vec3){0.2, 0, 0}, (bw_vec3){1, 2, 3}, 0.7, (bw_vec3){0.5, 0.5, 0.5});
    desc = (bw_collide_desc){.mode = BW_COLLIDE_ANY, .containment = true};
    must(bw_collide(&a, &b, &desc, &report, &fault), &fault);
    printf("half as large, inside: %d contacts, %s\n", (int)report.hit_count,
           report.containment == BW_CONTAINMENT_B_IN_A ? "the second lies in the first" : "not contained");

    bw_tree_destroy(tree);
    return 0;
}
