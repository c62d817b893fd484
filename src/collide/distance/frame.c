/* u is half an ulp of 1 in float, v bounds the relative error of a short chain of sums and products in
 * double.
 */
#include "collide/distance/frame.h"

#include "geom/box.h"
#include "geom/vec.h"

#include <math.h>

static const double u = 0x1p-24, v = 0x1p-48;
static const double tiny = 0x1p-140;   /* above all that underflow can lose in one coordinate */
static const double largest = 0x1p100; /* factors beyond it are of no use in float */

static double axis_reach(const bw_metric_side *side, int j)
{
    const bw_box *box = &side->tree->bounds;
    return fmax(fabs((double)box->min[j]), fabs((double)box->max[j]));
}

/* Row k of a side's map. */
static const double *map_row(const bw_metric_side *side, int k)
{
    static const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    return side->map != NULL ? side->map->m[k] : identity[k];
}

/* The largest coordinate k that a mapped point can have. */
static double world_reach(const bw_metric_side *side, int k)
{
    const double *row = map_row(side, k);
    return fabs(row[0]) * axis_reach(side, 0) + fabs(row[1]) * axis_reach(side, 1) +
           fabs(row[2]) * axis_reach(side, 2) + fabs(row[3]);
}

static void centre_of(const bw_metric_side *side, double centre[3], double half[3])
{
    const bw_box *box = &side->tree->bounds;
    for (int j = 0; j < 3; j++) {
        centre[j] = (double)(0.5f * box->min[j] + 0.5f * box->max[j]);
        half[j] = fmax((double)box->max[j] - centre[j], centre[j] - (double)box->min[j]);
    }
}

/* The middle of a side's bounds, mapped, and how far from it mapped points are along axis k. */
static double world_middle(const bw_metric_side *side, int k, double *extent)
{
    const double *row = map_row(side, k);
    double centre[3], half[3], middle = row[3];
    centre_of(side, centre, half);
    *extent = 0.0;
    for (int j = 0; j < 3; j++) {
        middle += row[j] * centre[j];
        *extent += fabs(row[j]) * half[j];
    }
    return middle;
}

void bw_distance_frame_set(bw_distance_frame *frame, const bw_metric_side *a, const bw_metric_side *b,
                           const double *point)
{
    double size = 0.0;
    int exponent = 0;
    for (int k = 0; k < 3; k++) {
        double extent_a, extent_b = 0.0, middle_b = 0.0;
        frame->origin[k] = world_middle(a, k, &extent_a);
        middle_b = b != NULL ? world_middle(b, k, &extent_b) : point[k];
        size += extent_a + extent_b + fabs(middle_b - frame->origin[k]);
        for (int j = 0; j < 3; j++)
            frame->axis[k][j] = j == k ? 1.0 : 0.0;
    }
    frexp(size, &exponent);
    exponent = exponent < -100 ? -100 : exponent > 110 ? 110 : exponent;
    frame->scale = size > 0.0 ? ldexp(1.0, -exponent) : 1.0;
}

/* A direction of length 1; false where there is none. */
static bool unit_of(double d[3])
{
    double size = fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2])));
    if (!(size > 0x1p-500 && size < 0x1p500))
        return false;
    for (int k = 0; k < 3; k++)
        d[k] /= size;
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; k++)
        d[k] /= length;
    return true;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Completes the first axis by the coordinate axis that is most across it. */
static void complete(double (*axis)[3])
{
    double x = fabs(axis[0][0]), y = fabs(axis[0][1]), z = fabs(axis[0][2]);
    double other[3] = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    cross(axis[0], other, axis[1]);
    unit_of(axis[1]);
    cross(axis[0], axis[1], axis[2]);
    unit_of(axis[2]);
}

bool bw_distance_frame_turn(bw_distance_frame *frame, bw_vec3 direction)
{
    double d[3] = {direction.x, direction.y, direction.z};
    if (!unit_of(d))
        return false;
    for (int k = 0; k < 3; k++)
        frame->axis[0][k] = d[k];
    complete(frame->axis);
    return true;
}

void bw_distance_frame_toward(bw_distance_frame *frame, const bw_metric_side *b)
{
    double extent;
    bw_distance_frame_turn(frame, (bw_vec3){world_middle(b, 0, &extent) - frame->origin[0],
                                            world_middle(b, 1, &extent) - frame->origin[1],
                                            world_middle(b, 2, &extent) - frame->origin[2]});
}

/* The axes are the columns of the map made orthonormal one after the other, so that the map becomes
 * triangular, and diagonal for a rotation with scales along the body's axes. */
void bw_distance_frame_align(bw_distance_frame *frame, const bw_metric_side *side)
{
    if (side->map == NULL)
        return;
    double axis[3][3], second[3];
    for (int k = 0; k < 3; k++) {
        axis[0][k] = map_row(side, k)[0];
        second[k] = map_row(side, k)[1];
    }
    if (!unit_of(axis[0]))
        return;
    bool plane = unit_of(second);
    cross(axis[0], second, axis[2]);
    double size = fabs(axis[2][0]) + fabs(axis[2][1]) + fabs(axis[2][2]);
    if (plane && size > 0x1p-20 && unit_of(axis[2])) {
        cross(axis[2], axis[0], axis[1]);
        unit_of(axis[1]);
    } else {
        complete(axis);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            frame->axis[i][k] = axis[i][k];
}

/* To be used in float, and for boxes at all? */
static void set_row(bw_distance_map *map, int i, const double half[3], double middle, double slack)
{
    double sum = 0.0, error = slack + tiny;
    bool fits = true;
    for (int j = 0; j < 3; j++) {
        double m = half[j] > 0.0 ? map->turn[j][i] : 0.0;
        fits &= fabs(m) < largest;
        map->m[i][j] = fits ? (float)m : 0.0f;
        sum += fabs(m) * half[j];
    }
    /* The difference from the centre, the factor, the product and three sums are rounded. */
    double margin = error + 1.01 * u * (7.0 * sum + 4.0 * (fabs(middle) + error));
    if (!fits || !(sum + fabs(middle) + margin < largest)) {
        map->m[i][0] = map->m[i][1] = map->m[i][2] = 0.0f;
        map->low[i] = -INFINITY;
        map->high[i] = INFINITY;
        map->reach = INFINITY;
        return;
    }
    map->low[i] = bw_float_down(middle - margin);
    map->high[i] = bw_float_up(middle + margin);
}

/* What lenses need of a row: rounded up, so that what they have across their normals is, too. Where squares
 * of the row do not fit a float, lenses say nothing along it. */
static void set_lens_row(bw_distance_map *map, int i, const double half[3])
{
    double row2 = 0.0, diagonal2 = 0.0;
    for (int j = 0; j < 3; j++) {
        row2 += (double)map->m[i][j] * (double)map->m[i][j];
        diagonal2 += half[j] * half[j];
    }
    map->row2[i] = bw_distance_round_up(row2 * (1.0 + 0x1p-19));
    map->lens_slack[i] = row2 > 0x1p-100 && row2 < 0x1p120
                             ? bw_distance_round_up(16.0 * u * sqrt(row2) * sqrt(diagonal2))
                             : INFINITY;
}

void bw_distance_map_set(bw_distance_map *map, const bw_distance_frame *frame, const bw_metric_side *side)
{
    double centre[3], half[3], reach[3], row_sum = 0.0, most = 0.0;
    centre_of(side, centre, half);
    for (int k = 0; k < 3; k++) {
        map->centre[k] = (float)centre[k];
        reach[k] = world_reach(side, k) + fabs(frame->origin[k]);
    }
    map->reach = 0.0f;
    map->turn[0][3] = map->turn[1][3] = map->turn[2][3] = map->shift[3] = 0.0;
    for (int i = 0; i < 3; i++) {
        double slack = 0.0, middle = 0.0, sum = 0.0;
        map->shift[i] = 0.0;
        for (int j = 0; j < 3; j++)
            map->turn[j][i] = 0.0;
        for (int k = 0; k < 3; k++) {
            const double *row = map_row(side, k);
            double n = frame->scale * frame->axis[i][k];
            for (int j = 0; j < 3; j++)
                map->turn[j][i] += n * row[j];
            map->shift[i] += n * (row[3] - frame->origin[k]);
            middle += n * (row[0] * centre[0] + row[1] * centre[1] + row[2] * centre[2] +
                           (row[3] - frame->origin[k]));
            slack += v * fabs(n) * reach[k];
        }
        most = fmax(most, slack);
        set_row(map, i, half, middle, slack);
        for (int j = 0; j < 3; j++)
            sum += half[j] > 0.0 ? fabs(map->turn[j][i]) : 0.0;
        row_sum = fmax(row_sum, sum);
        set_lens_row(map, i, half);
    }
    map->slack = bw_distance_round_up(most + tiny);
    map->reach = map->reach < INFINITY ? bw_distance_round_up(row_sum * (1.0 + v)) : INFINITY;
}

void bw_distance_frame_point(const bw_distance_frame *frame, const double point[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 3; k++)
            out[i] += frame->scale * frame->axis[i][k] * (point[k] - frame->origin[k]);
    }
}

double bw_distance_frame_limit(const bw_distance_frame *frame, double distance)
{
    /* Computed distances are good to a relative 2^-45 or so of the extent of the two triangles, which is
     * below one here; frames are orthonormal to a relative 2^-50. */
    return frame->scale * distance * (1.0 + 0x1p-30) + 0x1p-42;
}
