#include "anytime_inputs.h"

#include "anytime_files.h"
#include "anytime_shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_scan(bws_mesh *out)
{
    const char *named = getenv("BOXWOOD_SCAN");
    return anytime_read_obj(named != NULL ? named : "/usr/share/glmark2/models/bunny.obj", out);
}

/* ---- objects ---- */

static const char *const names[] = {"sphere", "pipes", "car", "scan", "plates", "needles", "spikes"};

const char *anytime_object_name(anytime_set set, uint32_t i)
{
    if (set == ANYTIME_KNOWN)
        return i < sizeof names / sizeof names[0] ? names[i] : NULL;
    const anytime_shape *shape = anytime_shape_of((uint32_t)set - ANYTIME_UNSEEN, i);
    return shape != NULL ? shape->name : NULL;
}

static bool make_known(uint32_t i, bool quick, bws_mesh *out)
{
    bw_result result = BW_OK;
    switch (i) {
    case 0:
        result = bws_bumpy_sphere(&(bws_sphere_desc){.frequency = quick ? 13 : 41}, BW_F32, out);
        break;
    case 1:
        result = bws_pipes(&(bws_parts_desc){.triangles = quick ? 2000 : 45000}, BW_F32, out);
        break;
    case 2:
        result = bws_car(&(bws_parts_desc){.triangles = quick ? 2000 : 40000}, BW_F32, out);
        break;
    case 3:
        if (quick || !read_scan(out)) /* its size is what it is */
            return false;
        break;
    case 4:
        result = bws_plates(&(bws_parts_desc){.triangles = quick ? 2000 : 20000}, BW_F32, out);
        break;
    case 5:
        result = bws_needle_sphere(&(bws_needle_desc){.triangles = quick ? 2000 : 20000}, BW_F32, out);
        break;
    default:
        result = bws_spikes(&(bws_parts_desc){.triangles = quick ? 2000 : 20000}, BW_F32, out);
        break;
    }
    bench_require(result == BW_OK, bw_result_string(result));
    return true;
}

bool anytime_object_make(anytime_set set, uint32_t i, bool quick, anytime_object *out)
{
    bws_mesh mesh;
    if (set == ANYTIME_KNOWN ? !make_known(i, quick, &mesh)
                             : !anytime_shape_of((uint32_t)set - ANYTIME_UNSEEN, i)->make(quick, &mesh))
        return false;
    *out = (anytime_object){.name = anytime_object_name(set, i), .mesh = mesh};
    out->view = bws_view(&out->mesh);
    bw_result result = bw_tree_create(NULL, &out->view, &out->tree, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    result = bw_anytime_create(NULL, out->tree, &out->view, &out->anytime, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return true;
}

void anytime_object_paper(anytime_object *object)
{
    if (object->paper != NULL)
        return;
    bw_result result =
        bw_tree_create(&(bw_tree_desc){.builder = BW_BUILDER_MIDPOINT}, &object->view, &object->binary, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    result = bw_anytime_create(&(bw_anytime_desc){.estimator = BW_ESTIMATOR_PAPER}, object->binary,
                               &object->view, &object->paper, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
}

void anytime_object_free(anytime_object *object)
{
    bw_anytime_destroy(object->anytime);
    bw_anytime_destroy(object->paper);
    bw_tree_destroy(object->tree);
    bw_tree_destroy(object->binary);
    bws_mesh_free(&object->mesh);
}

/* ---- poses ---- */

anytime_poses anytime_poses_draw(const anytime_object *object, bw_anytime_poses kind, uint32_t count)
{
    anytime_poses p = {bench_alloc(count, sizeof *p.poses), bench_alloc(count, sizeof *p.meet), count, 0.0};
    const bw_anytime_body body = {object->anytime, &object->view, NULL};
    bw_result result = bw_anytime_draw_poses(&body, &body, kind, 7, p.poses, count, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    for (uint32_t i = 0; i < count; i++) {
        bw_collide_report report = {0};
        result = bw_collide(&(bw_body){object->tree, &object->view, NULL},
                            &(bw_body){object->tree, &object->view, &p.poses[i]}, NULL, &report, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        p.meet[i] = report.hit_count > 0;
        p.share += (double)p.meet[i] / count;
    }
    return p;
}

void anytime_poses_free(anytime_poses *poses)
{
    free(poses->poses);
    free(poses->meet);
}

/* ---- scores ---- */

typedef struct graded {
    double confidence;
    bool right;
} graded;

static int by_confidence(const void *a, const void *b)
{
    const double x = ((const graded *)a)->confidence, y = ((const graded *)b)->confidence;
    return (x > y) - (x < y);
}

static double calibration_error(graded *grades, uint32_t count)
{
    double sum = 0.0;
    qsort(grades, count, sizeof *grades, by_confidence);
    for (uint32_t class = 0; class < 10; class ++) {
        const uint32_t first = (uint32_t)((uint64_t)count * class / 10),
                       last = (uint32_t)((uint64_t)count * (class + 1) / 10);
        double right = 0.0, said = 0.0;
        for (uint32_t i = first; i < last; i++) {
            right += grades[i].right;
            said += grades[i].confidence;
        }
        sum += fabs(right - said);
    }
    return sum / count;
}

anytime_score anytime_score_of(const anytime_object *object, const bw_anytime *adb,
                               const anytime_poses *poses, const bw_anytime_query_desc *desc)
{
    anytime_score score = {0};
    const double one = 1.0 / poses->count;
    graded *grades = bench_alloc(poses->count, sizeof *grades);
    for (uint32_t i = 0; i < poses->count; i++) {
        const bw_anytime_body a = {adb, &object->view, NULL}, b = {adb, &object->view, &poses->poses[i]};
        bw_anytime_answer answer = {0};
        const bw_result result = bw_anytime_query(&a, &b, desc, &answer, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        const bool right = answer.collision == poses->meet[i];
        bench_require(right || !answer.proven, "a proven answer is wrong");
        score.wrong += right ? 0.0 : one;
        score.false_collisions += !right && answer.collision ? one : 0.0;
        score.missed += !right && !answer.collision ? one : 0.0;
        score.steps += (double)answer.steps * one;
        score.proven += answer.proven ? one : 0.0;
        grades[i] = (graded){answer.confidence, right};
    }
    score.calibration = calibration_error(grades, poses->count);
    free(grades);
    return score;
}
