/* The folder that boxwood demo --out leaves. */
#define _POSIX_C_SOURCE 200809L
#include "demo/album.h"

#include "output.h"
#include "report/html.h"
#include "report/picture.h"
#include "table.h"

#include <boxwood/contact.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool album_start(album *a, const char *folder, fault *why)
{
    *a = (album){.folder = folder};
    struct stat status;
    if (!folder || mkdir(folder, 0777) == 0 ||
        (errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    return fault_set(why, "--out %s: %s", folder, strerror(errno == EEXIST ? ENOTDIR : errno));
}

static void forget_frames(album *a)
{
    for (size_t i = 0; i < a->frame_count; i++) {
        free(a->frames[i].positions[0]);
        free(a->frames[i].positions[1]);
        free(a->frames[i].segments);
    }
    a->frame_count = 0;
}

void album_free(album *a)
{
    forget_frames(a);
    for (size_t i = 0; i < a->act_count; i++) {
        free(a->acts[i].title);
        free(a->acts[i].text);
        free(a->acts[i].file);
    }
    free(a->frames);
    free(a->acts);
    *a = (album){.folder = NULL};
}

void album_add(album *a, const stage *g, uint64_t hit_count, const bw_transform *pose, double time)
{
    if (!a->folder)
        return;
    a->frames = tool_grow(a->frames, a->frame_count, &a->frame_capacity, sizeof *a->frames);
    album_frame *f = &a->frames[a->frame_count++];
    *f = (album_frame){.time = time, .pairs = hit_count};
    bw_mesh views[2] = {g->views[0], g->views[1]};
    for (int k = 0; k < 2; k++) {
        f->positions[k] = tool_alloc(views[k].vertex_count, 3 * sizeof(double));
        for (uint32_t v = 0; v < views[k].vertex_count; v++) {
            bw_vec3 p = bw_mesh_vertex(&views[k], v);
            if (k == 1 && pose)
                p = bw_transform_point(pose, p);
            memcpy(f->positions[k] + 3 * (size_t)v, (const double[3]){p.x, p.y, p.z}, 3 * sizeof(double));
        }
        views[k].positions = f->positions[k];
        views[k].scalar = BW_F64;
        views[k].stride = 0;
    }
    f->segments = tool_alloc(hit_count, sizeof *f->segments);
    for (uint64_t i = 0; i < hit_count; i++) {
        bw_vec3 c[2][3];
        bw_mesh_corners(&views[0], g->hits[i].a, c[0]);
        bw_mesh_corners(&views[1], g->hits[i].b, c[1]);
        bw_triangle_contact contact;
        bw_triangle_triangle_contact(c[0], c[1], &contact);
        if (contact.point_count > 0)
            f->segments[f->segment_count++] =
                (report_segment){{contact.points[0], contact.points[contact.point_count > 1]}};
    }
}

/* How deep the meshes are in each other in a frame, and where. */
static bool measure(const bw_mesh views[2], const album_frame *shot, report_finding *f, fault *why)
{
    bw_tree *trees[2] = {NULL, NULL};
    bw_mesh at[2];
    bw_result result = BW_OK;
    for (int k = 0; k < 2 && result == BW_OK; k++) {
        at[k] = views[k];
        at[k].positions = shot->positions[k];
        result = bw_tree_create(NULL, &at[k], &trees[k], NULL);
    }
    bw_contacts_report found = {0};
    bw_contact_region *regions = NULL;
    uint64_t count = 0;
    if (result == BW_OK) {
        bw_body bodies[2] = {{trees[0], &at[0], NULL}, {trees[1], &at[1], NULL}};
        result =
            bw_contacts(&bodies[0], &bodies[1], &(bw_contacts_desc){.depth = true}, NULL, 0, &found, NULL);
        count = found.region_count;
        regions = tool_alloc(count, sizeof *regions);
        if (result == BW_OK)
            result = bw_contacts(&bodies[0], &bodies[1],
                                 &(bw_contacts_desc){.regions = regions, .region_capacity = count}, NULL, 0,
                                 &(bw_contacts_report){0}, NULL);
    }
    if (result == BW_OK && count > 0) {
        f->depth_lower = found.depth_lower;
        f->depth_upper = found.depth_upper;
        f->pair_count = found.contact_count;
        f->region_count = (uint32_t)count;
        bw_vec3 t = found.translation;
        double length = sqrt(t.x * t.x + t.y * t.y + t.z * t.z);
        if (length > 0)
            f->direction = (bw_vec3){t.x / length, t.y / length, t.z / length};
        size_t largest = 0;
        for (size_t i = 1; i < count; i++)
            if (regions[i].length > regions[largest].length)
                largest = i;
        f->place = regions[largest].point;
    }
    free(regions);
    bw_tree_destroy(trees[0]);
    bw_tree_destroy(trees[1]);
    return result == BW_OK || fault_set(why, "measuring an act: %s", bw_result_string(result));
}

/* The act as a report of one finding, if the meshes meet at all. */
static bool add_finding(const album *a, const bw_mesh views[2], report *r, fault *why)
{
    size_t most = 0;
    for (size_t i = 1; i < a->frame_count; i++)
        if (a->frames[i].pairs > a->frames[most].pairs)
            most = i;
    if (a->frames[most].pairs == 0)
        return true;
    report_finding *f = report_add_finding(r, 0, 1, REPORT_HARD);
    f->timed = true;
    f->from = INFINITY;
    for (size_t i = 0; i < a->frame_count; i++) {
        const album_frame *shot = &a->frames[i];
        if (shot->pairs == 0)
            continue;
        f->from = fmin(f->from, shot->time);
        f->to = shot->time;
        f->at_begin |= i == 0;
        f->at_end |= i + 1 == a->frame_count;
        report_add_moment(f, shot->time, NAN);
        for (size_t k = 0; k < shot->segment_count; k++)
            report_add_segment(f, shot->segments[k].ends[0], shot->segments[k].ends[1]);
    }
    f->deepest = a->frames[most].time;
    return measure(views, &a->frames[most], f, why);
}

bool album_end_act(album *a, const stage *g, fault *why)
{
    if (!a->folder || a->frame_count == 0)
        return true;
    report r = report_start("demo", a->title);
    r.up = MODEL_UP_Z;
    r.end = a->frames[a->frame_count - 1].time;
    report_note(&r, "%s", a->text);
    report_note(&r, "The depth is that of the moment with the most pairs of triangles in contact.");
    const void **frames = tool_alloc(2 * a->frame_count, sizeof *frames);
    double *times = tool_alloc(a->frame_count, sizeof *times);
    bw_mesh views[2];
    for (size_t i = 0; i < a->frame_count; i++) {
        times[i] = a->frames[i].time;
        frames[i] = a->frames[i].positions[0];
        frames[a->frame_count + i] = a->frames[i].positions[1];
    }
    for (int k = 0; k < 2; k++) {
        views[k] = g->views[k];
        views[k].positions = a->frames[0].positions[k];
        views[k].scalar = BW_F64;
        views[k].stride = 0;
        report_mesh mesh = {.view = views[k],
                            .frame_count = (uint32_t)a->frame_count,
                            .scalar = BW_F64,
                            .times = times,
                            .frames = frames + (size_t)k * a->frame_count};
        report_add_part(&r, k == 0 ? a->name_a : a->name_b, "built-in scene", report_add_mesh(&r, &mesh),
                        NULL);
    }
    char file[4096], name[32];
    snprintf(name, sizeof name, "act-%zu", a->act_count + 1);
    snprintf(file, sizeof file, "%s/%s.html", a->folder, name);
    bool fine = add_finding(a, views, &r, why) && report_html_file(&r, file, NULL, NULL, why);
    if (fine && REPORT_PNG) {
        snprintf(file, sizeof file, "%s/%s.png", a->folder, name);
        report_picture_desc desc = {.width = 720,
                                    .height = 480,
                                    .finding = REPORT_NO_FINDING,
                                    .at_time = true,
                                    .time = r.finding_count > 0 ? r.findings[0].deepest : 0};
        fine = report_png_file(&r, file, &desc, why);
    }
    if (fine) {
        a->acts = tool_grow(a->acts, a->act_count, &a->act_capacity, sizeof *a->acts);
        a->acts[a->act_count++] = (struct album_act){tool_copy(a->title), tool_copy(a->text), tool_copy(name),
                                                     r.finding_count ? r.findings[0].pair_count : 0};
    }
    report_free(&r);
    free(times);
    free(frames);
    forget_frames(a);
    return fine;
}

/* Titles and texts are our own: nothing in them needs to be escaped. */
bool album_finish(album *a, fault *why)
{
    if (!a->folder)
        return true;
    char file[4096];
    snprintf(file, sizeof file, "%s/index.html", a->folder);
    FILE *out = output_open(file, why);
    if (!out)
        return false;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>Boxwood: what the demo showed</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n"
          ":root { color-scheme: light dark; }\n"
          "body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 24px; max-width: 1100px; }\n"
          "h1 { font-size: 26px; } h2 { font-size: 18px; margin: 10px 0 2px; } p { margin: 0; }\n"
          "main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); "
          "gap: 22px; "
          "margin-top: 20px; }\n"
          "a { display: block; color: inherit; text-decoration: none; border: 1px solid #8884; "
          "border-radius: 12px;\n"
          "  overflow: hidden; padding-bottom: 14px; }\n"
          "a:hover, a:focus-visible { border-color: #2a80db; } a > :not(img) { padding: 0 16px; }\n"
          "img { width: 100%; aspect-ratio: 3 / 2; object-fit: cover; display: block; background: #fff; }\n"
          ".count { color: #2a80db; font-variant-numeric: tabular-nums; }\n"
          "</style>\n<h1>Boxwood: what the demo showed</h1>\n"
          "<p>Built-in scenes that move, deform and collide. Each opens as a page with the scene in 3D: turn "
          "it, cut it, play it.</p>\n"
          "<main>\n",
          out);
    for (size_t i = 0; i < a->act_count; i++) {
        const struct album_act *act = &a->acts[i];
        cell c;
        fprintf(out, "<a href=\"%s.html\">", act->file);
        if (REPORT_PNG)
            fprintf(out, "<img src=\"%s.png\" alt=\"\">", act->file);
        fprintf(out,
                "<h2>%s</h2><p>%s</p><p class=\"count\">%s pairs of triangles in contact at once</p></a>\n",
                act->title, act->text, count_cell(&c, act->most_pairs));
    }
    fputs("</main>\n</html>\n", out);
    return output_close(out, file, true, why);
}
