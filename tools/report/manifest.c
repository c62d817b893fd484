/* The table of contents of a page, as JSON. */
#include "report/manifest.h"

#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void numbers(json_writer *j, const char *key, const double *values, size_t count)
{
    jw_flat_array(j, key);
    for (size_t i = 0; i < count; i++)
        jw_number(j, NULL, values[i]);
    jw_array_end(j);
}

static void spot(json_writer *j, const char *key, const manifest_spot *s, size_t count)
{
    jw_flat_array(j, key);
    jw_count(j, NULL, s->chunk);
    jw_count(j, NULL, s->offset);
    jw_count(j, NULL, count);
    jw_array_end(j);
}

bool manifest_keeps_frame(const manifest *m, const report_mesh *mesh, uint32_t frame)
{
    return frame % m->frame_step == 0 || frame + 1 == mesh->frame_count ||
           (frame > 0 && mesh->times[frame] <= mesh->times[frame - 1]) ||
           mesh->times[frame + 1] <= mesh->times[frame];
}

static void write_head(json_writer *j, const manifest *m)
{
    const report *r = m->report;
    static const char *const axes[] = {NULL, "x", "y", "z"};
    jw_count(j, "format", 1);
    jw_string(j, "boxwood", bw_version_string());
    jw_string(j, "command", r->command);
    jw_string(j, "title", r->title);
    jw_number(j, "unit", r->unit);
    jw_string(j, "up", axes[r->up]);
    jw_number(j, "tolerance", r->tolerance);
    jw_number(j, "clearance", r->clearance);
    jw_number(j, "begin", r->begin);
    jw_number(j, "end", r->end);
    jw_array(j, "notes");
    for (size_t i = 0; i < r->note_count; i++)
        jw_string(j, NULL, r->notes[i]);
    for (size_t i = 0; i < m->note_count; i++)
        jw_string(j, NULL, m->notes[i]);
    jw_array_end(j);
}

static void write_meshes(json_writer *j, const manifest *m)
{
    jw_array(j, "meshes");
    for (size_t i = 0; i < m->report->mesh_count; i++) {
        const manifest_mesh *mesh = &m->meshes[i];
        jw_flat_object(j, NULL);
        if (mesh->there) {
            jw_count(j, "vertices", mesh->vertex_count);
            jw_count(j, "triangles", mesh->triangle_count);
            jw_bool(j, "points", mesh->points);
            jw_vec3(j, "centre", mesh->centre);
            const double box[6] = {(double)mesh->low[0],  (double)mesh->low[1],  (double)mesh->low[2],
                                   (double)mesh->high[0], (double)mesh->high[1], (double)mesh->high[2]};
            numbers(j, "box", box, 6);
            spot(j, "spot", &mesh->spot, 0);
        }
        jw_object_end(j);
    }
    jw_array_end(j);
}

/* Clocks are shared: the parts of one film have the same times. */
static void write_films(json_writer *j, const manifest *m)
{
    const report *r = m->report;
    uint32_t *clock = tool_alloc(r->mesh_count, sizeof *clock), clocks = 0;
    const report_mesh *last = NULL;
    jw_array(j, "clocks");
    for (size_t i = 0; i < r->mesh_count; i++) {
        const report_mesh *mesh = &r->meshes[i];
        if (mesh->frame_count == 0 || !m->meshes[i].there)
            continue;
        if (!last || last->times != mesh->times || last->frame_count != mesh->frame_count) {
            jw_flat_array(j, NULL);
            for (uint32_t f = 0; f < mesh->frame_count; f++)
                if (manifest_keeps_frame(m, mesh, f))
                    jw_number(j, NULL, mesh->times[f]);
            jw_array_end(j);
            clocks++;
        }
        last = mesh;
        clock[i] = clocks - 1;
    }
    jw_array_end(j);
    jw_array(j, "films");
    for (size_t i = 0; i < m->frames_count; i++) {
        const manifest_frames *f = &m->frames[i];
        jw_flat_object(j, NULL);
        jw_count(j, "mesh", f->mesh);
        jw_count(j, "clock", clock[f->mesh]);
        jw_number(j, "step", m->meshes[f->mesh].step);
        jw_count(j, "first", f->first);
        spot(j, "spot", &f->spot, f->count);
        jw_object_end(j);
    }
    jw_array_end(j);
    free(clock);
}

static void write_parts(json_writer *j, const manifest *m)
{
    const report *r = m->report;
    uint32_t *file = tool_alloc(r->part_count, sizeof *file), files = 0;
    jw_array(j, "files");
    for (size_t i = 0; i < r->part_count; i++) {
        bool same = i > 0 && strcmp(r->parts[i].file, r->parts[i - 1].file) == 0;
        if (!same) {
            jw_string(j, NULL, r->parts[i].file);
            files++;
        }
        file[i] = files - 1;
    }
    jw_array_end(j);
    jw_array(j, "parts");
    for (size_t i = 0; i < r->part_count; i++) {
        const report_part *part = &r->parts[i];
        jw_flat_object(j, NULL);
        jw_string(j, "name", part->name);
        jw_count(j, "file", file[i]);
        jw_count(j, "mesh", part->mesh);
        if (part->posed)
            numbers(j, "pose", &part->pose.m[0][0], 12);
        if (m->boxed[i]) {
            bw_vec3 low, high;
            report_part_box(r, (uint32_t)i, &low, &high);
            const double box[6] = {low.x, low.y, low.z, high.x, high.y, high.z};
            numbers(j, "box", box, 6);
        }
        jw_object_end(j);
    }
    jw_array_end(j);
    free(file);
}

static void write_time(json_writer *j, const report_finding *f)
{
    jw_number(j, "from", f->from);
    jw_number(j, "to", f->to);
    jw_number(j, "deepest", f->deepest);
    jw_bool(j, "at_begin", f->at_begin);
    jw_bool(j, "at_end", f->at_end);
    jw_array(j, "moments");
    for (size_t i = 0; i < f->moment_count; i++) {
        const report_moment *at = &f->moments[i];
        jw_array(j, NULL);
        jw_number(j, NULL, at->time);
        jw_number(j, NULL, at->depth);
        jw_count(j, NULL, at->first_segment);
        jw_count(j, NULL, at->segment_count);
        jw_array_end(j);
    }
    jw_array_end(j);
}

static void write_findings(json_writer *j, const manifest *m)
{
    const report *r = m->report;
    jw_array(j, "findings");
    for (size_t i = 0; i < r->finding_count; i++) {
        const report_finding *f = &r->findings[i];
        jw_flat_object(j, NULL);
        jw_count(j, "a", f->a);
        jw_count(j, "b", f->b);
        jw_string(j, "kind", report_kind_names[f->kind]);
        if (f->kind == REPORT_CONTAINED)
            jw_bool(j, "b_inside", f->b_inside);
        if (f->kind != REPORT_CLEARANCE)
            jw_number(j, "depth", report_depth(f));
        jw_number(j, "lower", f->depth_lower);
        jw_number(j, "upper", f->depth_upper); /* infinite becomes null */
        jw_vec3(j, "direction", f->direction);
        if (f->kind == REPORT_CLEARANCE) {
            jw_number(j, "distance", f->distance);
            jw_vec3(j, "near_a", f->nearest[0]);
            jw_vec3(j, "near_b", f->nearest[1]);
        }
        if (isfinite(f->volume_error))
            jw_number(j, "volume", f->volume);
        jw_vec3(j, "place", f->place);
        if (f->low.x <= f->high.x) {
            jw_vec3(j, "low", f->low);
            jw_vec3(j, "high", f->high);
        }
        jw_count(j, "pairs", f->pair_count);
        jw_count(j, "regions", f->region_count);
        if (f->detail_a)
            jw_string(j, "detail_a", f->detail_a);
        if (f->detail_b)
            jw_string(j, "detail_b", f->detail_b);
        spot(j, "segments", &m->findings[i], f->segment_count);
        if (f->timed)
            write_time(j, f);
        jw_object_end(j);
    }
    jw_array_end(j);
}

static void write_layers(json_writer *j, const manifest *m)
{
    static const char *const roles[REPORT_LAYER_ROLES] = {"tree", "defects", "open edges",
                                                          "nonmanifold edges", "self-contacts"};
    static const char *const shapes[] = {"points", "lines", "boxes"};
    const report *r = m->report;
    jw_array(j, "layers");
    for (size_t i = 0; i < r->layer_count; i++) {
        const report_layer *layer = &r->layers[i];
        jw_flat_object(j, NULL);
        jw_string(j, "role", roles[layer->role]);
        jw_string(j, "shape", shapes[layer->shape]);
        jw_count(j, "level", layer->level);
        jw_count(j, "count", layer->count);
        jw_string(j, "name", layer->name);
        jw_vec3(j, "origin", m->layer_origins[i]);
        spot(j, "spot", &m->layers[i], layer->point_count);
        jw_object_end(j);
    }
    jw_array_end(j);
}

void manifest_write(const manifest *m, FILE *out)
{
    json_writer j = jw_start(out);
    jw_object(&j, NULL);
    write_head(&j, m);
    write_meshes(&j, m);
    write_films(&j, m);
    write_parts(&j, m);
    write_findings(&j, m);
    write_layers(&j, m);
    jw_object_end(&j);
    jw_finish(&j);
}
