/* The program: one file per header calls what that header declares. */
#include "calls.h"

#include <stdio.h>
#include <string.h>

static int failures;

void calls_check(bool holds, const char *file, int line, const char *what)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double positions_aside[] = {0.25, 0, 0, 1.25, 0, 0, 0.25, 1, 0, 0.25, 0, 1};
static const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
const bw_mesh calls_mesh = {positions, BW_F32, 4, 0, indices, 4};
const bw_mesh calls_aside = {positions_aside, BW_F64, 4, 0, indices, 4};

static void parallel_for(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    (void)user;
    (void)grain;
    if (count > 0)
        fn(context, 0, count, 0);
}
const bw_tasks calls_tasks = {parallel_for, NULL, 1};

bw_vec3 calls_vec3(double x, double y, double z)
{
    bw_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

bool calls_go_on(void *user)
{
    (void)user;
    return true;
}

static void call_base(void)
{
    char text[80];
    bw_fault fault = {BW_ERROR_NOT_FINITE, BW_DEFECT_NAN, 12, 40, 1, 0.5, "a coordinate is NaN"};
    CHECK(bw_version() == BW_VERSION);
    CHECK(strcmp(bw_version_string(), BW_VERSION_STRING) == 0);
    CHECK(strlen(bw_result_string(BW_ERROR_MEMORY)) > 0);
    CHECK(strlen(bw_defect_string(BW_DEFECT_NAN)) > 0);
    CHECK(bw_fault_describe(&fault, text, sizeof text) > 0);
    CHECK(strstr(text, "12") != NULL);
}

int main(void)
{
    call_base();
    call_math();
    call_mesh();
    call_tree();
    call_collide();
    call_contact();
    call_nearest();
    call_swept();
    call_shape();
    call_motion();
    call_kinetic();
    call_timeline();
    call_scene();
    call_cull();
    call_world();
    call_anytime();
    call_pool();
    return failures == 0 ? 0 : 1;
}
