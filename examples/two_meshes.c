/* Two meshes: which triangles touch or cross, where they meet, how deep they are in each other and how to get
 * them apart, how far they are apart, and whether one lies inside the other.
 *
 * Two balls of radius 1 stand 1.5 apart, so their surfaces meet in a circle: in the plane x = 0.75, with a
 * radius of sqrt(1 - 0.75^2) = 0.66, and they are 0.5 deep in each other. The lens that they share has a
 * volume of pi (4 + 1.5) (2 - 1.5)^2 / 12 = 0.36. Then the second is moved away, and then shrunk into the
 * first. The program prints what it finds of that. Meshes are coarser than balls, so the last digit may be
 * off.
 */
#include "common.h"

static shape ball;

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

    bw_contact contacts[1000];
    bw_contact_region regions[10];
    bw_contacts_desc wanted = {.depth = true, .volume = true, .regions = regions, .region_capacity = 10};
    bw_contacts_report depth = {0};
    must(bw_contacts(&a, &b, &wanted, contacts, 1000, &depth, &fault), &fault);
    double radius = 0;
    for (uint64_t i = 0; i < depth.contact_count && i < 1000; i++)
        radius += sqrt(contacts[i].point.y * contacts[i].point.y + contacts[i].point.z * contacts[i].point.z);
    printf("in contact: %s, on a circle at x = %.2f of radius %.2f\n", report.hit_count > 0 ? "yes" : "no",
           regions[0].point.x, radius / (double)depth.contact_count);
    printf("between %.1f and %.1f deep, with a common volume of %.1f\n", depth.depth_lower, depth.depth_upper,
           depth.volume);

    pose.m[0][3] += depth.translation.x;
    pose.m[1][3] += depth.translation.y;
    pose.m[2][3] += depth.translation.z;
    must(bw_collide(&a, &b, NULL, &report, &fault), &fault);
    printf("moved by that: %d contacts\n", (int)report.hit_count);

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
