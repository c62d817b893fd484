/* The measurements behind figures 12, 14, 16 and 17 of Klein and Zachmann's paper, by its own procedure: two
 * identical objects of size 2, their middles 0.4 to 2.1 apart, averages over random turns of poses whose
 * outer boxes meet. Prints a line a point: object, triangles, hierarchy, p_min, k_min, distance, microseconds
 * a query, percent of wrong answers, and microseconds of the exact query. `./dev plots adb` draws them. */
#include "scenes/scenes.h"

#include <boxwood/boxwood.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { POSES = 150 };

static void require(bw_result result)
{
    if (result == BW_OK)
        return;
    fprintf(stderr, "adb-figures: %s\n", bw_result_string(result));
    exit(1);
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Scaled to size 2 about the origin, as the paper's objects are. */
static void normalize(bws_mesh *mesh)
{
    bw_vec3 low = bws_mesh_vertex(mesh, 0), high = low;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const bw_vec3 p = bws_mesh_vertex(mesh, v);
        low = (bw_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (bw_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    const double s = 2 / fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    const bw_transform map = {{{s, 0, 0, -s * (low.x + high.x) / 2},
                               {0, s, 0, -s * (low.y + high.y) / 2},
                               {0, 0, s, -s * (low.z + high.z) / 2}}};
    bws_mesh_transform(mesh, &map);
}

typedef struct subject {
    bws_mesh mesh;
    bw_mesh view;
    bw_tree *exact, *tree;
    bw_anytime *anytime;
} subject;

static void make_subject(subject *s, const char *name, uint32_t triangles, bool octree)
{
    if (name[0] == 's')
        require(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = bws_sphere_frequency(triangles)}, BW_F32,
                                 &s->mesh));
    else if (name[0] == 'p')
        require(bws_pipes(&(bws_parts_desc){.triangles = triangles}, BW_F32, &s->mesh));
    else
        require(bws_car(&(bws_parts_desc){.triangles = triangles}, BW_F32, &s->mesh));
    normalize(&s->mesh);
    s->view = bws_view(&s->mesh);
    require(bw_tree_create(NULL, &s->view, &s->exact, NULL));
    require(bw_tree_create(&(bw_tree_desc){.builder = BW_BUILDER_MIDPOINT}, &s->view, &s->tree, NULL));
    require(
        bw_anytime_create(&(bw_anytime_desc){.estimator = BW_ESTIMATOR_PAPER,
                                             .hierarchy = octree ? BW_ANYTIME_OCTREE : BW_ANYTIME_OF_TREE},
                          s->tree, &s->view, &s->anytime, NULL));
}

static void free_subject(subject *s)
{
    bw_anytime_destroy(s->anytime);
    bw_tree_destroy(s->tree);
    bw_tree_destroy(s->exact);
    bws_mesh_free(&s->mesh);
}

/* The AABB of a and the turned box of b meet: tested by trees of one box each would be simpler to read, but
 * the exact query visits nothing where the roots are apart. */
static bool outer_boxes_meet(const subject *s, const bw_transform *pose)
{
    bw_collide_report report = {0};
    require(bw_collide(&(bw_body){s->tree, &s->view, NULL}, &(bw_body){s->tree, &s->view, pose},
                       &(bw_collide_desc){.box_test = BW_BOX_TEST_SAT}, &report, NULL));
    return report.box_tests > 1;
}

static void measure(const char *name, const subject *s, const char *hierarchy, double p_min, uint32_t k_min)
{
    for (int step = 0; step <= 17; step++) {
        const double distance = 0.4 + 0.1 * step;
        bws_random r = bws_random_seeded((uint64_t)step + 1);
        bw_transform poses[POSES];
        bool meet[POSES];
        uint32_t count = 0, wrong = 0;
        for (int attempt = 0; attempt < 20 * POSES && count < POSES; attempt++) {
            bw_transform pose = bws_random_rigid(&r, 0);
            const bw_vec3 along = bws_random_direction(&r);
            pose.m[0][3] = distance * along.x;
            pose.m[1][3] = distance * along.y;
            pose.m[2][3] = distance * along.z;
            if (outer_boxes_meet(s, &pose))
                poses[count++] = pose;
        }
        if (count == 0)
            continue;
        double best_exact = 1e9, best = 1e9;
        for (int repeat = 0; repeat < 3; repeat++) {
            double start = now();
            for (uint32_t i = 0; i < count; i++) {
                bw_collide_report report = {0};
                require(bw_collide(&(bw_body){s->exact, &s->view, NULL},
                                   &(bw_body){s->exact, &s->view, &poses[i]}, NULL, &report, NULL));
                meet[i] = report.hit_count > 0;
            }
            best_exact = fmin(best_exact, now() - start);
            wrong = 0;
            start = now();
            for (uint32_t i = 0; i < count; i++) {
                bw_anytime_answer answer = {0};
                require(bw_anytime_query(&(bw_anytime_body){s->anytime, &s->view, NULL},
                                         &(bw_anytime_body){s->anytime, &s->view, &poses[i]},
                                         &(bw_anytime_query_desc){.p_min = p_min, .k_min = k_min}, &answer,
                                         NULL));
                wrong += answer.collision != meet[i];
            }
            best = fmin(best, now() - start);
        }
        printf("%s %u %s %g %u %.1f %.3f %.2f %.3f\n", name, s->view.triangle_count, hierarchy, p_min, k_min,
               distance, 1e6 * best / count, 100.0 * wrong / count, 1e6 * best_exact / count);
    }
    fflush(stdout);
}

int main(void)
{
    static const struct {
        const char *name;
        uint32_t triangles[2];
    } objects[] = {{"sphere", {2000, 20000}}, {"pipes", {5000, 20000}}, {"car", {5000, 20000}}};
    subject s;
    printf("# object triangles hierarchy p_min k_min distance us wrong exact_us\n");
    for (int o = 0; o < 3; o++)
        for (int size = 0; size < 2; size++) {
            make_subject(&s, objects[o].name, objects[o].triangles[size], false);
            measure(objects[o].name, &s, "aabb", 0.99, 10); /* figures 14 and 16 */
            measure(objects[o].name, &s, "aabb", 0.5, 1);   /* where it works best today */
            if (o == 2 && size == 1) {                      /* figure 17 */
                measure("car", &s, "aabb", 0.5, 10);
                measure("car", &s, "aabb", 0.9, 10);
                measure("car", &s, "aabb", 0.99, 1);
                measure("car", &s, "aabb", 0.99, 5);
            }
            free_subject(&s);
        }
    make_subject(&s, "car", 20000, true); /* figure 12 */
    measure("car", &s, "octree", 0.99, 10);
    measure("car", &s, "octree", 0.5, 1);
    free_subject(&s);
    return 0;
}
