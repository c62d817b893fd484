/* What clash found as a report. */
#include "clash/clash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const report_kind kinds[CLASH_KINDS] = {[CLASH_CROSSING] = REPORT_HARD,
                                               [CLASH_TOUCHING] = REPORT_TOUCHING,
                                               [CLASH_A_INSIDE] = REPORT_CONTAINED,
                                               [CLASH_B_INSIDE] = REPORT_CONTAINED,
                                               [CLASH_NEAR] = REPORT_CLEARANCE};

report_kind clash_report_kind(clash_kind kind)
{
    return kinds[kind];
}

static void add_files(const assembly *a, report *r)
{
    for (uint32_t i = 0; i < a->file_count; i++)
        report_add_file(r, a->files[i].path, a->files[i].error, a->files[i].part_count);
    for (uint32_t i = 0; i < a->file_count; i++)
        for (uint32_t k = 0; k < a->files[i].body.model.note_count; k++)
            report_note(r, "%s: %s", a->files[i].path, a->files[i].body.model.notes[k]);
    r->skipped_files = a->skipped_files;
    r->skipped_parts = a->skipped_parts;
    r->primitive_count = a->triangles;
    r->quarantined = a->quarantined;
}

static void add_parts(const assembly *a, report *r)
{
    for (uint32_t i = 0; i < a->mesh_count; i++)
        report_add_mesh(r, &(report_mesh){.view = a->store ? store_counts(a->store, i) : a->meshes[i].view});
    for (uint32_t i = 0; i < a->part_count; i++) {
        const assembly_part *p = &a->parts[i];
        uint32_t part = report_add_part(r, p->name, a->files[p->file].path, p->mesh, p->pose);
        if (a->store)
            report_set_box(r, part, &p->box);
    }
}

static report_triangle triangle(const assembly *a, uint32_t part, uint32_t primitive)
{
    const assembly_part *p = &a->parts[part];
    const model *m = &a->files[p->file].body.model;
    size_t t = (size_t)a->meshes[p->mesh].first_triangle + primitive;
    return (report_triangle){.index = p->first_triangle + primitive,
                             .face = m->indices ? m->faces[t] : BW_NONE,
                             .line = m->indices && m->triangle_lines ? m->triangle_lines[t] : 0};
}

static bw_vec3 middle(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
}

static report_pair pair_of(const assembly *a, const clash *c, const clash_pair *pair)
{
    bw_vec3 corners[2][3];
    report_pair out = {triangle(a, c->a, pair->a), triangle(a, c->b, pair->b), pair->distance, {0}};
    if (pair->kind != BW_CONTACT_NONE) {
        assembly_corners(a, c->a, pair->a, corners[0]);
        assembly_corners(a, c->b, pair->b, corners[1]);
        bw_triangle_triangle_contact(corners[0], corners[1], &out.contact);
    }
    return out;
}

/* Where to look, as far as it is known without measuring. */
static bw_vec3 place_of(const assembly *a, const clash *c)
{
    if (c->near_known && c->distance > 0)
        return middle(c->point_a, c->point_b);
    report_pair first = c->told    ? c->told[c->kept_count]
                        : c->shown ? pair_of(a, c, &c->first)
                                   : (report_pair){.distance = 0};
    if (first.contact.point_count > 0)
        return middle(first.contact.points[0], first.contact.points[first.contact.point_count > 1]);
    const bw_box *box = &a->parts[c->kind == CLASH_A_INSIDE ? c->a : c->b].box;
    return middle((bw_vec3){(double)box->min[0], (double)box->min[1], (double)box->min[2]},
                  (bw_vec3){(double)box->max[0], (double)box->max[1], (double)box->max[2]});
}

static void fill_finding(const assembly *a, const clash *c, report_finding *f)
{
    f->b_inside = c->kind == CLASH_B_INSIDE;
    f->cut = c->cut;
    f->pair_count = c->pairs;
    if (c->kept_count > 0) {
        f->pairs = tool_alloc(c->kept_count, sizeof *f->pairs);
        f->listed_capacity = c->kept_count;
    }
    for (size_t i = 0; i < c->kept_count; i++) {
        const report_pair pair = c->told ? c->told[i] : pair_of(a, c, &c->kept[i]);
        report_add_pair(f, &pair);
    }
    if (c->near_known && c->distance > 0) {
        f->distance = c->distance;
        f->nearest[0] = c->point_a;
        f->nearest[1] = c->point_b;
    }
    f->place = place_of(a, c);
    if (c->kind == CLASH_NEAR) {
        f->low = (bw_vec3){fmin(c->point_a.x, c->point_b.x), fmin(c->point_a.y, c->point_b.y),
                           fmin(c->point_a.z, c->point_b.z)};
        f->high = (bw_vec3){fmax(c->point_a.x, c->point_b.x), fmax(c->point_a.y, c->point_b.y),
                            fmax(c->point_a.z, c->point_b.z)};
    }
    if (!c->measured)
        return;
    f->place = c->place;
    f->low = c->low;
    f->high = c->high;
    f->region_count = (uint32_t)(c->regions < UINT32_MAX ? c->regions : UINT32_MAX);
    f->depth_lower = c->depth_lower;
    f->depth_upper = c->depth_upper;
    f->pierce = c->pierce;
    f->volume = c->volume;
    f->volume_error = c->volume_error;
    double length = sqrt(c->translation.x * c->translation.x + c->translation.y * c->translation.y +
                         c->translation.z * c->translation.z);
    if (length > 0)
        f->direction =
            (bw_vec3){c->translation.x / length, c->translation.y / length, c->translation.z / length};
    for (size_t i = 0; i < c->segment_count; i++)
        report_add_segment(f, c->segments[i].ends[0], c->segments[i].ends[1]);
}

report_finding clash_finding(const assembly *a, const clash *c)
{
    report_finding f = report_new_finding(c->a, c->b, kinds[c->kind]);
    fill_finding(a, c, &f);
    return f;
}

static void add_counts(const assembly *a, const clash_counts *c, report *r)
{
    report_add_count(r, "tree_bytes", (double)a->tree_bytes);
    report_add_count(r, "candidates", (double)c->candidates);
    report_add_count(r, "finished", (double)c->finished);
    report_add_count(r, "nodes_visited", (double)c->nodes_visited);
    report_add_count(r, "box_tests", (double)c->box_tests);
    report_add_count(r, "primitive_tests", (double)c->primitive_tests);
    report_add_count(r, "read_seconds", c->read_seconds);
    report_add_count(r, "build_seconds", c->build_seconds);
    report_add_count(r, "broad_seconds", c->broad_seconds);
    report_add_count(r, "exact_seconds", c->exact_seconds);
}

report clash_report(const assembly *a, const clash_wish *wish, clash_result *result, report_stream *stream)
{
    char title[256];
    const char *first = a->files[0].path, *slash = strrchr(first, '/');
    first = slash ? slash + 1 : first;
    if (a->file_count > 1)
        snprintf(title, sizeof title, "%.200s and %u more", first, a->file_count - 1);
    else
        snprintf(title, sizeof title, "%.200s", first);
    report r = report_start("clash", title);
    r.unit = a->unit;
    r.up = a->up;
    r.tolerance = wish->tolerance;
    r.clearance = wish->clearance;
    r.measured = wish->measure;
    r.looked_at = result->counts.finished;
    r.candidates = result->counts.candidates;
    r.left_by_tolerance = result->counts.shallow;
    r.left_by_rules = result->counts.aside;
    add_files(a, &r);
    add_counts(a, &result->counts, &r);
    if (stream) {
        r.stream = stream;
        r.part_count = a->part_count;
        r.mesh_count = a->mesh_count;
        for (int i = 0; i < REPORT_KINDS; i++)
            r.finding_count += (size_t)stream->kinds[i];
        return r;
    }
    add_parts(a, &r);
    for (size_t i = 0; i < result->count; i++) {
        const clash *c = &result->list[i];
        fill_finding(a, c, report_add_finding(&r, c->a, c->b, kinds[c->kind]));
        clash_free(&result->list[i]);
    }
    if (wish->measure)
        report_sort(&r);
    return r;
}
