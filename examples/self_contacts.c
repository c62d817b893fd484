/* Contacts of a mesh with itself: triangles that share an edge or a corner do not count, triangles that fold
 * onto each other do.
 *
 * A flat sheet has none. Then it is folded along (0, 0) -> (1, 0) -> (1, 0.2) -> (0.3, -0.1), seen from
 * the side in x and z: its end goes through its beginning where z = 0, at x = 1 - 0.7 * 2/3 = 0.53. The
 * program prints where it found that.
 */
#include "common.h"

static shape sheet;

/* A point of the fold at s of [0, 1]. */
static void fold(double s, float *x, float *z)
{
    static const double way[4][2] = {{0, 0}, {1, 0}, {1, 0.2}, {0.3, -0.1}};
    int leg = s < 0.45 ? 0 : s < 0.55 ? 1 : 2;
    static const double begin[] = {0, 0.45, 0.55, 1};
    double t = (s - begin[leg]) / (begin[leg + 1] - begin[leg]);
    *x = (float)((1 - t) * way[leg][0] + t * way[leg + 1][0]);
    *z = (float)((1 - t) * way[leg][1] + t * way[leg + 1][1]);
}

int main(void)
{
    bw_fault fault;
    make_sheet(&sheet, 0.5);
    bw_tree *tree = NULL;
    bw_tree_desc deforming = {.deforms = true};
    must(bw_tree_create(&deforming, &sheet.mesh, &tree, &fault), &fault);
    bw_body body = {tree, &sheet.mesh, NULL};

    bw_hit hits[1000];
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = 1000};
    bw_collide_report report = {0};
    must(bw_collide_self(&body, &desc, &report, &fault), &fault);
    printf("flat: %d contacts\n", (int)report.hit_count);

    for (uint32_t v = 0; v < VERTICES; v++)
        fold((double)sheet.xyz[v][0] + 0.5, &sheet.xyz[v][0], &sheet.xyz[v][2]);
    must(bw_tree_update(tree, &sheet.mesh, NULL, NULL, &fault), &fault);
    must(bw_collide_self(&body, &desc, &report, &fault), &fault);

    double from = INFINITY, to = -INFINITY;
    for (uint64_t i = 0; i < report.hit_count && i < desc.hit_capacity; i++) {
        bw_vec3 a[3], b[3];
        bw_mesh_corners(&sheet.mesh, hits[i].a, a);
        bw_mesh_corners(&sheet.mesh, hits[i].b, b);
        bw_triangle_contact contact;
        bw_triangle_triangle_contact(a, b, &contact);
        for (uint32_t p = 0; p < contact.point_count; p++) {
            from = fmin(from, contact.points[p].x);
            to = fmax(to, contact.points[p].x);
        }
    }
    printf("folded: %s, all between x = %.2f and x = %.2f\n",
           report.hit_count > 0 ? "contacts" : "no contact", from, to);
    bw_tree_destroy(tree);
    return 0;
}
