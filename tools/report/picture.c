/* Pictures by the depth buffer. Parts of one colour are drawn into one buffer each; the nearest of these has the
 * pixel. Over a plane 1 / depth is linear in the picture, so its slopes are the normal: with (s, t) a pixel's
 * direction (s, t, 1), n . (s, t, 1) = c / depth gives n = (ds, dt, v - s ds - t dt) for v = 1 / depth. Everything
 * is drawn twice as large and averaged. */
#include "report/picture.h"

#include "output.h"
#include "progress.h"
#include "report/camera.h"
#include "report/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef BOXWOOD_PNG
#    include <png.h>
#endif

/* Groups: the palette, grey, and ghosts. */
enum { GREY = REPORT_COLOURS, GHOST = REPORT_COLOURS + 1, GROUPS = REPORT_COLOURS + 2 };
enum { FINER = 2 };

typedef struct picture {
    const report *report;
    uint32_t width, height; /* of the buffers */
    bw_view view;
    double time;
    const report_finding *one; /* NULL: the whole scene */
    double half_x, half_y;     /* tangents of half the angles of view */
    bw_depth *groups[GROUPS];  /* NULL: nothing of it so far */
    float (*colours)[3];
    float *nearest; /* 1 / depth of what is solid */
    float *mask;    /* what lines cover */
} picture;

/* ---- the camera ---- */

static double dot(bw_vec3 a, bw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bw_vec3 cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bw_vec3 unit(bw_vec3 v)
{
    double length = sqrt(dot(v, v));
    return (bw_vec3){v.x / length, v.y / length, v.z / length};
}

/* Of what is seen at a time; false: nothing. */
static bool box_at(const report *r, double time, bw_vec3 *low, bw_vec3 *high)
{
    *low = (bw_vec3){INFINITY, INFINITY, INFINITY};
    *high = (bw_vec3){-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < r->part_count; i++) {
        const report_mesh *m = &r->meshes[r->parts[i].mesh];
        bw_vec3 l, h;
        if (m->frame_count == 0) {
            if (report_part_box(r, i, &l, &h)) {
                *low = (bw_vec3){fmin(low->x, l.x), fmin(low->y, l.y), fmin(low->z, l.z)};
                *high = (bw_vec3){fmax(high->x, h.x), fmax(high->y, h.y), fmax(high->z, h.z)};
            }
            continue;
        }
        size_t count = m->view.indices ? 3 * (size_t)m->view.triangle_count : m->view.vertex_count;
        for (size_t k = 0; k < count; k++) {
            uint32_t v = m->view.indices ? m->view.indices[k] : (uint32_t)k;
            if (v >= m->view.vertex_count)
                continue;
            bw_vec3 p = report_vertex(r, i, v, time);
            *low = (bw_vec3){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
            *high = (bw_vec3){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
        }
    }
    return low->x <= high->x;
}

static bw_view whole_view(const report *r, double time, double aspect)
{
    static const bw_vec3 ups[4] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const bw_vec3 back[4] = {
        {-0.55, -0.7, 0.45}, {0.45, -0.55, -0.7}, {-0.55, 0.45, 0.7}, {-0.55, -0.7, 0.45}};
    bw_vec3 low = {-1, -1, -1}, high = {1, 1, 1}, l, h;
    if (box_at(r, time, &l, &h)) {
        low = l;
        high = h;
    }
    bw_vec3 middle = {0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)};
    /* The nearest place from which all corners of the box are seen. */
    const bw_vec3 z = unit(back[r->up]), x = unit(cross(ups[r->up], z)), y = cross(z, x);
    double angle = 0.66, half = 0.92 * tan(0.5 * angle), away = 0;
    for (int corner = 0; corner < 8; corner++) {
        bw_vec3 p = {(corner & 1 ? high.x : low.x) - middle.x, (corner & 2 ? high.y : low.y) - middle.y,
                     (corner & 4 ? high.z : low.z) - middle.z};
        away = fmax(away, dot(p, z) + fmax(fabs(dot(p, x)) / (half * aspect), fabs(dot(p, y)) / half));
    }
    away = away > 0 ? away : 1;
    return (bw_view){.eye = {middle.x + away * z.x, middle.y + away * z.y, middle.z + away * z.z},
                     .forward = {-z.x, -z.y, -z.z},
                     .up = ups[r->up],
                     .fov_y = angle};
}

static void choose_view(picture *p, const report_picture_desc *desc)
{
    const report *r = p->report;
    double aspect = (double)p->width / p->height;
    if (desc->view) {
        p->view = *desc->view;
    } else if (p->one) {
        const report_camera c = report_camera_of(r, p->one);
        p->view = (bw_view){.eye = c.eye, .forward = c.look, .up = c.up, .fov_y = c.angle * acos(-1) / 180};
    } else {
        p->view = whole_view(r, p->time, aspect);
    }
    p->view.aspect = aspect;
    bw_vec3 low, high, e = p->view.eye;
    if (p->view.near_distance <= 0) { /* a thousandth of the way to the farthest corner is near enough */
        double far = 1;
        if (report_box(r, &low, &high))
            far = sqrt(pow(fmax(fabs(low.x - e.x), fabs(high.x - e.x)), 2) +
                       pow(fmax(fabs(low.y - e.y), fabs(high.y - e.y)), 2) +
                       pow(fmax(fabs(low.z - e.z), fabs(high.z - e.z)), 2));
        p->view.near_distance = fmax(1e-3 * fmin(far, 1e30), 1e-30);
        if (p->one) {
            bw_vec3 at = p->one->place;
            double there = sqrt(pow(at.x - e.x, 2) + pow(at.y - e.y, 2) + pow(at.z - e.z, 2));
            if (there > 0)
                p->view.near_distance = fmin(p->view.near_distance, 0.02 * there);
        }
    }
    p->half_y = tan(0.5 * p->view.fov_y);
    p->half_x = p->half_y * aspect;
}

/* ---- parts into buffers ---- */

static bool draw(picture *p, int group, const bw_mesh *mesh, const bw_transform *pose, fault *why)
{
    bw_result result = BW_OK;
    if (!p->groups[group]) {
        result = bw_depth_create(NULL, p->width, p->height, &p->groups[group], NULL);
        if (result == BW_OK)
            result = bw_depth_begin(p->groups[group], &p->view, NULL);
    }
    if (result == BW_OK)
        result = bw_depth_draw(p->groups[group], &(bw_occluder){.mesh = mesh, .pose = pose}, NULL, NULL);
    return result == BW_OK || fault_set(why, "the picture: %s", bw_result_string(result));
}

/* Whether a part that need not be read is certainly out of the picture: its box is beyond one side of it. */
static bool out_of_sight(const picture *p, uint32_t part)
{
    const report_part *it = &p->report->parts[part];
    if (!it->boxed)
        return false;
    const bw_vec3 z = unit(p->view.forward), x = unit(cross(z, p->view.up)), y = cross(x, z);
    bool beyond[5] = {true, true, true, true, true};
    for (int corner = 0; corner < 8; corner++) {
        bw_vec3 c = {(corner & 1 ? it->high.x : it->low.x) - p->view.eye.x,
                     (corner & 2 ? it->high.y : it->low.y) - p->view.eye.y,
                     (corner & 4 ? it->high.z : it->low.z) - p->view.eye.z};
        const double away = dot(c, z), across = dot(c, x), up = dot(c, y);
        const double wide = 1.001 * p->half_x * away, high = 1.001 * p->half_y * away;
        beyond[0] &= away < 0;
        beyond[1] &= across > wide;
        beyond[2] &= across < -wide;
        beyond[3] &= up > high;
        beyond[4] &= up < -high;
    }
    return beyond[0] || beyond[1] || beyond[2] || beyond[3] || beyond[4];
}

static bool draw_part(picture *p, uint32_t part, int group, report_geometry *held, uint32_t *held_mesh,
                      fault *why)
{
    const report_part *it = &p->report->parts[part];
    if (*held_mesh != it->mesh) {
        report_geometry_free(held);
        *held = report_geometry_of(p->report, it->mesh, p->time);
        *held_mesh = it->mesh;
    }
    if (held->triangle_count == 0)
        return true;
    bw_mesh mesh = {held->positions, BW_F32, held->vertex_count, 0, held->indices, held->triangle_count};
    bw_transform pose = bw_transform_identity();
    if (it->posed)
        pose = it->pose;
    bw_vec3 at = it->posed ? bw_transform_point(&it->pose, held->centre) : held->centre;
    pose.m[0][3] = at.x;
    pose.m[1][3] = at.y;
    pose.m[2][3] = at.z;
    return draw(p, group, &mesh, &pose, why);
}

static bool draw_parts(picture *p, bool alone, fault *why)
{
    const report *r = p->report;
    const report_finding *f = p->one;
    int8_t *colours = tool_alloc(r->part_count, 1);
    report_colour_parts(r, colours);
    report_geometry held = {.positions = NULL};
    uint32_t held_mesh = BW_NONE;
    bool fine = true;
    for (uint32_t i = 0; i < r->part_count && fine; i++) {
        int group = f                      ? (i == f->a   ? 0
                                              : i == f->b ? 1
                                                          : GHOST)
                    : r->finding_count > 0 ? (colours[i] < 0 ? GREY : colours[i])
                                           : (int)((i + 1) % REPORT_COLOURS);
        if ((group != GHOST || !alone) && !out_of_sight(p, i))
            fine = draw_part(p, i, group, &held, &held_mesh, why);
    }
    report_geometry_free(&held);
    free(colours);
    return fine;
}

/* ---- shading ---- */

/* The slope at a pixel: of the two sides, the one on which the surface goes on. */
static double slope(const float *v, uint32_t at, uint32_t count, size_t step, double here)
{
    double before = at > 0 && *(v - step) > 0 ? here - (double)*(v - step) : NAN;
    double after = at + 1 < count && v[step] > 0 ? (double)v[step] - here : NAN;
    if (isnan(before))
        return isnan(after) ? 0 : after;
    return isnan(after) || fabs(before) < fabs(after) ? before : after;
}

/* How bright a pixel is, from 0 to 1; *facing: how much it faces the eye. */
static double shade(const picture *p, const float *values, uint32_t x, uint32_t y, double *facing)
{
    const float *v = values + (size_t)y * p->width + x;
    double here = (double)*v, sx = 2 * p->half_x / p->width, sy = 2 * p->half_y / p->height;
    double s = (x + 0.5) * sx - p->half_x, t = p->half_y - (y + 0.5) * sy;
    double ds = slope(v, x, p->width, 1, here) / sx, dt = -slope(v, y, p->height, p->width, here) / sy;
    double n[3] = {ds, dt, here - s * ds - t * dt}, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double ray = sqrt(s * s + t * t + 1);
    if (!(length > 0))
        return 0.8;
    /* n is towards the far side; the eye looks along +z here. */
    *facing = fabs(n[0] * s + n[1] * t + n[2]) / (length * ray);
    double sun = fmax(0, (0.45 * n[0] - 0.75 * n[1] + 0.6 * n[2]) / length / 1.06);
    double sky = 0.5 - 0.5 * n[1] / length;
    return 0.32 + 0.22 * sky + 0.28 * *facing + 0.30 * sun;
}

/* Whether the surface ends or bends sharply here: 1 / depth is not linear across the pixel. */
static bool is_edge(const picture *p, const float *values, uint32_t x, uint32_t y)
{
    if (x == 0 || y == 0 || x + 1 >= p->width || y + 1 >= p->height)
        return false;
    const float *v = values + (size_t)y * p->width + x;
    double here = (double)*v, limit = 6e-4 * here;
    double along = (double)v[1] + (double)v[-1] - 2 * here;
    double down = (double)v[p->width] + (double)*(v - p->width) - 2 * here;
    return along < -limit || down < -limit;
}

static void composite(picture *p)
{
    const float *values[GROUPS] = {NULL};
    uint32_t width, height;
    for (int g = 0; g < GROUPS; g++)
        if (p->groups[g])
            values[g] = bw_depth_values(p->groups[g], &width, &height);
    static const float grey[3] = {0.74f, 0.77f, 0.80f};
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++) {
            size_t at = (size_t)y * p->width + x;
            float *colour = p->colours[at];
            float paper = 1.0f - 0.07f * (float)y / (float)p->height;
            colour[0] = colour[1] = colour[2] = paper;
            int best = -1;
            for (int g = 0; g < GHOST; g++)
                if (values[g] && values[g][at] > 0 && (best < 0 || values[g][at] > values[best][at]))
                    best = g;
            double facing = 1;
            if (best >= 0) {
                double light =
                    shade(p, values[best], x, y, &facing) * (is_edge(p, values[best], x, y) ? 0.45 : 1);
                for (int k = 0; k < 3; k++)
                    colour[k] = fminf(1, (best == GREY ? grey : report_palette[best])[k] * (float)light);
                p->nearest[at] = values[best][at];
            }
            if (values[GHOST] && values[GHOST][at] > p->nearest[at]) {
                double light = shade(p, values[GHOST], x, y, &facing);
                float alpha =
                    is_edge(p, values[GHOST], x, y) ? 0.35f : 0.10f + 0.22f * (float)pow(1 - facing, 1.5);
                for (int k = 0; k < 3; k++)
                    colour[k] += alpha * (0.75f * (float)light - colour[k]);
            }
        }
}

/* ---- contacts ---- */

/* How much of a pixel the lines cover, so that each pixel is painted once. */
static void cover(picture *p, int64_t x, int64_t y, double v, double share, double through)
{
    if (x < 0 || y < 0 || x >= (int64_t)p->width || y >= (int64_t)p->height || share <= 0)
        return;
    size_t at = (size_t)y * p->width + (size_t)x;
    bool hidden = (double)p->nearest[at] > v * (1 + 2e-3);
    p->mask[at] = fmaxf(p->mask[at], (float)(fmin(1, share) * (hidden ? through : 1)));
}

static void paint_lines(picture *p, const float colour[3])
{
    for (size_t at = 0; at < (size_t)p->width * p->height; at++) {
        for (int k = 0; k < 3 && p->mask[at] > 0; k++)
            p->colours[at][k] += p->mask[at] * (colour[k] - p->colours[at][k]);
        p->mask[at] = 0;
    }
}

/* A line of some pixels' width between two points of the scene; behind the eye nothing of it is drawn. */
static void draw_line(picture *p, bw_vec3 a, bw_vec3 b, double width, double through)
{
    double x[2], y[2], depth[2];
    if (!bw_view_project(&p->view, p->width, p->height, a, &x[0], &y[0], &depth[0]) ||
        !bw_view_project(&p->view, p->width, p->height, b, &x[1], &y[1], &depth[1]))
        return;
    double dx = x[1] - x[0], dy = y[1] - y[0], length2 = dx * dx + dy * dy, reach = 0.5 * width + 1;
    double low_x = fmax(0, fmin(x[0], x[1]) - reach), high_x = fmin(p->width - 1.0, fmax(x[0], x[1]) + reach);
    double low_y = fmax(0, fmin(y[0], y[1]) - reach),
           high_y = fmin(p->height - 1.0, fmax(y[0], y[1]) + reach);
    for (double py = floor(low_y); py <= high_y; py++)
        for (double px = floor(low_x); px <= high_x; px++) {
            double qx = px + 0.5 - x[0], qy = py + 0.5 - y[0];
            double t = length2 > 0 ? fmin(1, fmax(0, (qx * dx + qy * dy) / length2)) : 0;
            double off = hypot(qx - t * dx, qy - t * dy);
            cover(p, (int64_t)px, (int64_t)py, (1 - t) / depth[0] + t / depth[1], 0.5 * width + 0.5 - off,
                  through);
        }
}

static void draw_contacts(picture *p)
{
    static const float yellow[3] = {1.0f, 0.88f, 0.05f}, ink[3] = {0.08f, 0.10f, 0.12f};
    const report *r = p->report;
    const bool one = p->one != NULL;
    for (size_t i = 0; i < r->finding_count; i++) {
        const report_finding *f = &r->findings[i];
        if (one && f != p->one)
            continue;
        size_t first = 0, count = f->segment_count;
        for (size_t k = 0; k < f->moment_count; k++) { /* the last moment before the time */
            bool now = f->moments[k].time <= p->time && p->time <= f->to;
            if (k == 0 || now) {
                first = f->moments[k].first_segment;
                count = now ? f->moments[k].segment_count : 0;
            }
        }
        for (size_t k = first; k < first + count; k++)
            draw_line(p, f->segments[k].ends[0], f->segments[k].ends[1], (one ? 3.5 : 2) * FINER, 0.45);
    }
    paint_lines(p, yellow);
    if (!one)
        return;
    const report_finding *f = p->one;
    bw_vec3 from = f->place, to = from;
    if (f->kind == REPORT_CLEARANCE) {
        from = f->nearest[0];
        to = f->nearest[1];
    } else if (isfinite(f->depth_upper)) {
        to = (bw_vec3){from.x + f->depth_upper * f->direction.x, from.y + f->depth_upper * f->direction.y,
                       from.z + f->depth_upper * f->direction.z};
    }
    draw_line(p, from, to, 2.5 * FINER, 0.7);
    paint_lines(p, ink);
}

/* ---- the picture ---- */

static uint8_t *average(const picture *p)
{
    uint32_t width = p->width / FINER, height = p->height / FINER;
    uint8_t *pixels = tool_alloc((size_t)width * height, 3), *out = pixels;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (int k = 0; k < 3; k++) {
                float sum = 0;
                for (uint32_t i = 0; i < FINER * FINER; i++)
                    sum += p->colours[(size_t)(FINER * y + i / FINER) * p->width + FINER * x + i % FINER][k];
                *out++ = (uint8_t)(fminf(1, fmaxf(0, sum / (FINER * FINER))) * 255 + 0.5f);
            }
    return pixels;
}

uint8_t *report_picture(const report *r, const report_picture_desc *desc, fault *why)
{
    static const report_picture_desc none = {0};
    desc = desc ? desc : &none;
    uint32_t width = desc->width ? desc->width : 1200, height = desc->height ? desc->height : 800;
    if (width > BW_DEPTH_SIZE_MAX / FINER || height > BW_DEPTH_SIZE_MAX / FINER) {
        fault_set(why, "a picture of %u by %u pixels is too large: at most %u", width, height,
                  BW_DEPTH_SIZE_MAX / FINER);
        return NULL;
    }
    picture p = {.report = r, .width = FINER * width, .height = FINER * height};
    p.one = desc->finding < r->finding_count ? &r->findings[desc->finding] : NULL;
    p.time = desc->at_time ? desc->time : p.one && p.one->timed ? p.one->deepest : r->begin;
    choose_view(&p, desc);
    size_t pixels = (size_t)p.width * p.height;
    p.colours = tool_alloc(pixels, sizeof *p.colours);
    p.nearest = tool_alloc(pixels, sizeof *p.nearest);
    memset(p.nearest, 0, pixels * sizeof *p.nearest);
    p.mask = tool_alloc(pixels, sizeof *p.mask);
    memset(p.mask, 0, pixels * sizeof *p.mask);
    uint8_t *out = NULL;
    if (draw_parts(&p, desc->alone, why)) {
        composite(&p);
        draw_contacts(&p);
        out = average(&p);
    }
    for (int g = 0; g < GROUPS; g++)
        bw_depth_destroy(p.groups[g]);
    free(p.colours);
    free(p.nearest);
    free(p.mask);
    return out;
}

bool report_write_png(const report *r, FILE *out, const report_picture_desc *desc, fault *why)
{
    *why->text = 0;
#ifdef BOXWOOD_PNG
    uint8_t *pixels = report_picture(r, desc, why);
    if (!pixels)
        return false;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = desc && desc->width ? desc->width : 1200,
                       .height = desc && desc->height ? desc->height : 800,
                       .format = PNG_FORMAT_RGB};
    bool fine = png_image_write_to_stdio(&image, out, 0, pixels, 0, NULL) != 0;
    free(pixels);
    return fine;
#else
    (void)r;
    (void)out;
    (void)desc;
    return fault_set(why, "this build writes no PNG files: it was made without libpng");
#endif
}

bool report_png_file(const report *r, const char *file, const report_picture_desc *desc, fault *why)
{
    FILE *out = output_open(file, why);
    if (!out)
        return false;
    progress_step("drawing %s", file);
    fault inner;
    bool whole = report_write_png(r, out, desc, &inner);
    progress_end();
    if (output_close(out, file, whole, why))
        return true;
    if (*inner.text)
        fault_set(why, "%s: %.4000s", file, inner.text);
    return false;
}
