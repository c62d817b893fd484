/* Fitting oriented boxes to leaves, and the decision whether a tree has them. docs/ideas/needles.md. */
#include "tree/wide/leaf_obbs.h"

#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/wide/wide.h"

#include <math.h>
#include <string.h>

/* How many leaves are looked at to decide, at most and of how many one; and how many times smaller their
 * oriented boxes must be: below that, what queries save is less than what reading the boxes takes
 * (docs/lab/needles.md). */
enum { SAMPLES = 16, ONE_IN = 32, GRAIN = 64 };
_Static_assert(BW_WIDTH == 8, "a row of oriented boxes is a lane per child");
_Static_assert(sizeof(bw_leaf_obbs) == 384, "the oriented boxes of a node are six cache lines");
static const double least_gain = 2.5;

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* To a length of 1; false where there is no direction. */
static bool make_unit(double v[3])
{
    const double length = sqrt(dot(v, v));
    if (!(length > 0 && length < INFINITY))
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

/* The sum of the areas of the triangles, each across its plane, and that of their longest edges, all turned
 * to the side of the first. */
static void sum_up(const bw_wide_corners *c, uint32_t count, double normal[3], double along[3])
{
    double first[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        normal[k] = along[k] = 0;
    for (uint32_t slot = 0; slot < count; slot++) {
        double edge[3][3], area[3], most = -1;
        const double *longest = edge[0];
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                edge[i][k] = (double)c->coordinate[(i + 1) % 3][k][slot] - (double)c->coordinate[i][k][slot];
            const double size = dot(edge[i], edge[i]);
            longest = size > most ? edge[i] : longest;
            most = size > most ? size : most;
        }
        if (slot == 0)
            memcpy(first, longest, sizeof first);
        cross(edge[0], edge[1], area);
        const double side = dot(longest, first) < 0 ? -1 : 1;
        for (int k = 0; k < 3; k++) {
            normal[k] += area[k];
            along[k] += side * longest[k];
        }
    }
}

/* Two directions at right angles, but for rounding, whatever the sums are. */
static void make_axes(double normal[3], double along[3])
{
    if (!make_unit(normal)) {
        normal[0] = normal[1] = 0;
        normal[2] = 1;
    }
    const double d = dot(normal, along), whole = dot(along, along);
    for (int k = 0; k < 3; k++)
        along[k] -= d * normal[k];
    /* What is left of a direction along the normal is rounding, at no angle in particular. */
    if (dot(along, along) > 0x1p-20 * whole && make_unit(along))
        return;
    const int least = fabs(normal[0]) < fabs(normal[1]) ? (fabs(normal[0]) < fabs(normal[2]) ? 0 : 2)
                                                        : (fabs(normal[1]) < fabs(normal[2]) ? 1 : 2);
    double other[3] = {0, 0, 0};
    other[least] = 1;
    cross(normal, other, along);
    make_unit(along);
}

/* Rows that give the parts of a vector along three axes, which need not be at right angles. */
static void invert(double axis[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        cross(axis[(i + 1) % 3], axis[(i + 2) % 3], out[i]);
    const double volume = dot(axis[0], out[0]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] /= volume;
}

static void fit(const bw_wide_corners *c, uint32_t count, const float origin[3], bw_leaf_obbs *out,
                uint32_t lane)
{
    double exact[2][3], axis[3][3], part[3][3];
    float rounded[3][3];
    sum_up(c, count, exact[0], exact[1]);
    make_axes(exact[0], exact[1]);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            rounded[i][k] = (float)exact[i][k];
    bw_leaf_obb_across(rounded[0], rounded[1], rounded[2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axis[i][k] = (double)rounded[i][k];
    invert(axis, part);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int corner = 0; corner < 3; corner++)
        for (uint32_t slot = 0; slot < count; slot++) {
            const double x[3] = {(double)c->coordinate[corner][0][slot],
                                 (double)c->coordinate[corner][1][slot],
                                 (double)c->coordinate[corner][2][slot]};
            for (int i = 0; i < 3; i++) {
                const double p = dot(part[i], x);
                low[i] = p < low[i] ? p : low[i];
                high[i] = p > high[i] ? p : high[i];
            }
        }
    /* The float centre is not the middle: what is measured from is the float. */
    double from[3], distance = 0;
    for (int k = 0; k < 3; k++) {
        double middle = (double)c->origin[k] - (double)origin[k], centre = middle;
        distance += fabs((double)c->origin[k]) + fabs((double)origin[k]);
        for (int i = 0; i < 3; i++)
            centre += 0.5 * (low[i] + high[i]) * axis[i][k];
        out->centre[k][lane] = (float)centre;
        out->normal[k][lane] = rounded[0][k];
        out->along[k][lane] = rounded[1][k];
        from[k] = middle - (double)out->centre[k][lane];
    }
    for (int i = 0; i < 3; i++) {
        const double shift = dot(part[i], from), least = fabs(low[i] + shift), most = fabs(high[i] + shift);
        const double norm = fabs(part[i][0]) + fabs(part[i][1]) + fabs(part[i][2]);
        const double size = fabs(low[i]) + fabs(high[i]) + fabs(from[0]) + fabs(from[1]) + fabs(from[2]);
        const double error =
            norm * (1.01 * 0x1p-24 * (double)c->magnitude + 0x1p-148) + 0x1p-44 * size + 0x1p-50 * distance;
        out->half[i][lane] = bw_float_up((least > most ? least : most) + error);
    }
}

static double half_area(double x, double y, double z)
{
    return (x + y) * z + x * y;
}

double bw_wide_obb_gain(const bw_wide *wide)
{
    if (wide->corners == NULL)
        return 1.0;
    const uint32_t share = wide->leaf_count / SAMPLES + 1, step = share > ONE_IN ? share : ONE_IN;
    double boxes = 0, oriented = 0;
    for (uint32_t leaf = step / 2; leaf < wide->leaf_count; leaf += step) {
        const bw_wide_leaf *l = &wide->leaves[leaf];
        if (l->count == 0)
            continue;
        const bw_box box = bw_wide_lane_box(&wide->nodes[l->parent], l->lane);
        bw_leaf_obbs obb;
        fit(&wide->corners[leaf], l->count, wide->corners[leaf].origin, &obb, 0);
        boxes += half_area((double)box.max[0] - (double)box.min[0], (double)box.max[1] - (double)box.min[1],
                           (double)box.max[2] - (double)box.min[2]);
        oriented += 4.0 * half_area((double)obb.half[0][0], (double)obb.half[1][0], (double)obb.half[2][0]);
    }
    return oriented > 0 ? boxes / oriented : 1.0;
}

typedef struct job {
    const bw_wide *wide;
    bw_wide_obbs *obbs;
} job;

static void fit_nodes(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *j = context;
    const bw_wide *wide = j->wide;
    for (uint32_t i = begin; i < end; i++) {
        const bw_wide_node *node = &wide->nodes[i];
        memset(&j->obbs->of_node[i], 0, sizeof *j->obbs->of_node);
        for (uint32_t lane = 0; lane < node->count; lane++) {
            const uint32_t leaf = node->child[lane] & ~BW_WIDE_LEAF;
            if ((node->child[lane] & BW_WIDE_LEAF) != 0)
                fit(&wide->corners[leaf], wide->leaves[leaf].count, j->obbs->origin, &j->obbs->of_node[i],
                    lane);
        }
    }
}

/* The largest magnitude of some floats. */
static float largest(const float *values, size_t count, float most)
{
    for (size_t i = 0; i < count; i++) {
        const float size = fabsf(values[i]);
        most = size > most ? size : most;
    }
    return most;
}

bw_result bw_wide_fit_obbs(bw_wide *wide, const bw_tasks *tasks)
{
    bw_wide_drop_obbs(wide);
    return bw_wide_obb_gain(wide) >= least_gain ? bw_wide_make_obbs(wide, tasks) : BW_OK;
}

bw_result bw_wide_make_obbs(bw_wide *wide, const bw_tasks *tasks)
{
    bw_wide_drop_obbs(wide);
    if (wide->node_count == 0 || wide->corners == NULL)
        return BW_OK;
    bw_wide_obbs obbs = {.node_count = wide->node_count};
    obbs.of_node = bw_allocate(&wide->allocator, obbs.node_count, sizeof *obbs.of_node);
    if (obbs.of_node == NULL)
        return BW_ERROR_MEMORY;
    for (int k = 0; k < 3; k++) /* bounds are below 2^101, halves cannot overflow */
        obbs.origin[k] = 0.5f * wide->bounds.min[k] + 0.5f * wide->bounds.max[k];
    bw_parallel(tasks, fit_nodes, &(job){wide, &obbs}, obbs.node_count, GRAIN);
    for (uint32_t i = 0; i < obbs.node_count; i++) {
        const bw_leaf_obbs *o = &obbs.of_node[i];
        obbs.far_centre = largest(o->centre[0], sizeof o->centre / sizeof(float), obbs.far_centre);
        obbs.far_half = largest(o->half[0], sizeof o->half / sizeof(float), obbs.far_half);
    }
    wide->obbs = obbs;
    return BW_OK;
}

void bw_wide_drop_obbs(bw_wide *wide)
{
    bw_release(&wide->allocator, wide->obbs.of_node, wide->obbs.node_count, sizeof *wide->obbs.of_node);
    wide->obbs = (bw_wide_obbs){.of_node = NULL};
}

/* The determinant of three columns. */
static double volume_of(const double a[3], const double b[3], const double c[3])
{
    double bc[3];
    cross(b, c, bc);
    return dot(a, bc);
}

const char *bw_wide_check_obb(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh)
{
    const bw_wide_leaf *l = &wide->leaves[leaf];
    if (wide->corners == NULL || l->parent >= wide->obbs.node_count)
        return "oriented boxes of leaves are there, but not of this tree";
    const bw_leaf_obbs *o = &wide->obbs.of_node[l->parent];
    float axis[3][3];
    double exact[3][3];
    for (int k = 0; k < 3; k++) {
        axis[0][k] = o->normal[k][l->lane];
        axis[1][k] = o->along[k][l->lane];
        if (!(fabsf(o->centre[k][l->lane]) <= wide->obbs.far_centre) ||
            !(o->half[k][l->lane] <= wide->obbs.far_half) || !(fabsf(axis[0][k]) <= 1.0f) ||
            !(fabsf(axis[1][k]) <= 1.0f))
            return "an oriented box of a leaf is larger than the tree knows";
    }
    bw_leaf_obb_across(axis[0], axis[1], axis[2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            exact[i][k] = (double)axis[i][k];
    const double volume = volume_of(exact[0], exact[1], exact[2]);
    for (uint32_t slot = 0; slot < l->count; slot++) {
        bw_vec3 corners[3];
        bw_mesh_view_corners(mesh, wide->primitives[(size_t)leaf * BW_WIDTH + slot], corners);
        for (int corner = 0; corner < 3; corner++) {
            double x[3] = {corners[corner].x, corners[corner].y, corners[corner].z};
            for (int k = 0; k < 3; k++)
                x[k] = (x[k] - (double)wide->obbs.origin[k]) - (double)o->centre[k][l->lane];
            const double parts[3] = {volume_of(x, exact[1], exact[2]), volume_of(exact[0], x, exact[2]),
                                     volume_of(exact[0], exact[1], x)};
            for (int i = 0; i < 3; i++)
                if (!(fabs(parts[i] / volume) <= (double)o->half[i][l->lane]))
                    return "an oriented box does not hold the corners of its leaf";
        }
    }
    return NULL;
}
