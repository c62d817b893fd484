/* Pictures: the crowd from above as SVG, the depth buffer as PNG. */
#include "survey.h"

#include "output.h"

#include <math.h>
#ifdef BOXWOOD_PNG
#    include <png.h>
#endif
#include <stdlib.h>
#include <string.h>

/* ---- from above ---- */

enum { PICTURE = 1000 };

typedef struct drawing {
    const survey *s;
    FILE *out;
    bw_box bounds; /* with z up */
    double scale;
    survey_fate fate;
} drawing;

/* A box as it stands with z up: axes are swapped and turned, never slanted. */
static bw_box with_z_up(const survey *s, const bw_box *box)
{
    const bw_transform map = units_to_z_up(s->crowd->up);
    const bw_vec3 a =
        bw_transform_point(&map, (bw_vec3){(double)box->min[0], (double)box->min[1], (double)box->min[2]});
    const bw_vec3 b =
        bw_transform_point(&map, (bw_vec3){(double)box->max[0], (double)box->max[1], (double)box->max[2]});
    return (bw_box){{(float)fmin(a.x, b.x), (float)fmin(a.y, b.y), (float)fmin(a.z, b.z)},
                    {(float)fmax(a.x, b.x), (float)fmax(a.y, b.y), (float)fmax(a.z, b.z)}};
}

typedef struct entry {
    const char *style, *text;
    bool shown;
} entry;

static double to_x(const drawing *d, double x)
{
    return (x - (double)d->bounds.min[0]) * d->scale;
}

static double to_y(const drawing *d, double y)
{
    return ((double)d->bounds.max[1] - y) * d->scale;
}

static void draw_box(const drawing *d, const bw_box *given)
{
    const bw_box box = with_z_up(d->s, given);
    double w = ((double)box.max[0] - (double)box.min[0]) * d->scale,
           h = ((double)box.max[1] - (double)box.min[1]) * d->scale;
    fprintf(d->out, "M%.1f %.1fh%.1fv%.1fh%.1fz", to_x(d, (double)box.min[0]), to_y(d, (double)box.max[1]), w,
            h, -w);
}

static bool draw_node(void *user, const bw_box *box, uint32_t depth, const bw_id *ids, uint32_t count)
{
    const drawing *d = user;
    const bw_region region = {
        .kind = BW_REGION_PLANES, .planes = d->s->planes, .plane_count = d->s->plane_count};
    (void)depth;
    (void)ids;
    (void)count;
    if (!d->s->wish.camera || bw_region_meets(&region, box))
        draw_box(d, box);
    return true;
}

static void draw_objects(drawing *d, survey_fate fate, const char *style)
{
    const survey *s = d->s;
    fprintf(d->out, "<path style=\"%s\" d=\"", style);
    for (uint32_t i = 0; i < s->crowd->count; i++)
        if (s->fates == NULL ? fate == FATE_OUTSIDE : s->fates[i] == (uint8_t)fate)
            draw_box(d, &s->crowd->boxes[i]);
    fprintf(d->out, "\"/>\n");
}

static void draw_camera(const drawing *d)
{
    const bw_view *v = &d->s->wish.view;
    const bw_transform map = units_to_z_up(d->s->crowd->up);
    const bw_vec3 eye = bw_transform_point(&map, v->eye), forward = bw_transform_point(&map, v->forward);
    double x = to_x(d, eye.x), y = to_y(d, eye.y);
    fprintf(d->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\"/>\n", x, y);
    if (forward.x == 0 && forward.y == 0)
        return; /* straight up or down: no direction on this map */
    double half = atan(tan(0.5 * v->fov_y) * v->aspect), angle = atan2(forward.y, forward.x);
    fprintf(d->out,
            "<path style=\"fill:none;stroke:#000;stroke-width:1.5\" d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2f\"/>\n",
            x + 3.0 * PICTURE * cos(angle + half), y - 3.0 * PICTURE * sin(angle + half), x, y,
            x + 3.0 * PICTURE * cos(angle - half), y - 3.0 * PICTURE * sin(angle - half));
}

/* What the colours mean, below the picture; only what there is in it. */
static void draw_legend(const drawing *d, const entry *entries, size_t count, double y)
{
    double x = 0;
    fprintf(d->out, "<g font-family=\"sans-serif\" font-size=\"18\">\n");
    for (size_t i = 0; i < count; i++) {
        if (!entries[i].shown)
            continue;
        fprintf(d->out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"18\" height=\"18\" style=\"%s\"/>", x, y,
                entries[i].style);
        fprintf(d->out, "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + 26, y + 15, entries[i].text);
        x += 26 + 9.5 * (double)strlen(entries[i].text) + 24;
    }
    fprintf(d->out, "</g>\n");
}

bool survey_write_svg(const survey *s, const char *file, bool nodes, fault *why)
{
    FILE *out = output_open(file, why);
    if (out == NULL)
        return false;
    const bw_box bounds = with_z_up(s, &s->bounds);
    double w = (double)bounds.max[0] - (double)bounds.min[0],
           h = (double)bounds.max[1] - (double)bounds.min[1];
    double most = fmax(w, h);
    drawing d = {s, out, bounds, most > 0 ? PICTURE / most : 1, FATE_OUTSIDE};
    const entry entries[] = {
        {"fill:#d9480f;stroke:#7a2600;stroke-width:.3", s->wish.occlusion ? "visible" : "in view",
         s->fate_counts[FATE_VISIBLE] > 0},
        {"fill:#9db8d9;stroke:#5a7ba6;stroke-width:.3", "in view, hidden", s->fate_counts[FATE_HIDDEN] > 0},
        {"fill:#f2dca0;stroke:#c9a94e;stroke-width:.3", "tested in vain", s->fate_counts[FATE_CANDIDATE] > 0},
        {"fill:#ddd;stroke:#bbb;stroke-width:.2", s->wish.camera ? "outside, never looked at" : "objects",
         !s->wish.camera || s->fate_counts[FATE_OUTSIDE] > 0},
        {"fill:none;stroke:#2b8a3e;stroke-width:2", s->wish.camera ? "nodes in view" : "nodes", nodes},
        {"fill:#000", "camera", s->wish.camera}};
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-20 -20 %.0f %.0f\">\n",
            fmax(w * d.scale, PICTURE) + 40, h * d.scale + 80);
    fprintf(out, "<rect x=\"-20\" y=\"-20\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    for (int fate = FATE_OUTSIDE; fate <= FATE_VISIBLE; fate++)
        draw_objects(&d, (survey_fate)fate, entries[FATE_VISIBLE - fate].style);
    bw_result result = BW_OK;
    if (nodes) {
        fprintf(out, "<path style=\"fill:none;stroke:#2b8a3e;stroke-width:.4\" d=\"");
        result = bw_scene_visit(s->scene, draw_node, &d, NULL);
        fprintf(out, "\"/>\n");
    }
    if (s->wish.camera)
        draw_camera(&d);
    /* The edges of the view run beyond the picture. */
    fprintf(out, "<rect x=\"-20\" y=\"%.0f\" width=\"100%%\" height=\"60\" fill=\"#fff\"/>\n",
            h * d.scale + 20);
    draw_legend(&d, entries, sizeof entries / sizeof *entries, h * d.scale + 30);
    fprintf(out, "</svg>\n");
    return output_close(out, file, true, why) &&
           (result == BW_OK || fault_set(why, "the nodes: %s", bw_result_string(result)));
}

/* ---- the depth buffer ---- */

#ifdef BOXWOOD_PNG

bool survey_write_png(const survey *s, const char *file, fault *why)
{
    uint32_t width, height;
    const float *values = bw_depth_values(bw_cull_depth(s->cull), &width, &height);
    /* By the rank between the nearest and the farthest reciprocal depth: steps near the eye stay visible. */
    float nearest = 0, farthest = INFINITY;
    for (size_t i = 0; i < (size_t)width * height; i++)
        if (values[i] > 0) {
            nearest = fmaxf(nearest, values[i]);
            farthest = fminf(farthest, values[i]);
        }
    double low = log((double)farthest), span = nearest > farthest ? log((double)nearest) - low : 1;
    uint8_t *pixels = tool_alloc((size_t)width * height, 1);
    for (size_t i = 0; i < (size_t)width * height; i++)
        pixels[i] = values[i] > 0 ? (uint8_t)(40.5 + 215 * (log((double)values[i]) - low) / span) : 0;
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_GRAY};
    /* Not by the library's own png_image_write_to_file: that removes what it could not write, devices too. */
    FILE *out = output_open(file, why);
    bool fine = out != NULL;
    if (fine) {
        bool whole = png_image_write_to_stdio(&image, out, 0, pixels, 0, NULL) != 0;
        fine = output_close(out, file, whole, why);
    }
    free(pixels);
    return fine;
}

#else

bool survey_write_png(const survey *s, const char *file, fault *why)
{
    (void)s;
    return fault_set(why, "--depth %s: this build writes no PNG files: it was made without libpng", file);
}

#endif
