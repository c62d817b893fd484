/* A report as one JSON document: docs/tool/report.schema.json. */
#include "report/write.h"

#include "json.h"
#include "units.h"

#include <boxwood/base.h>
#include <math.h>

static void put_part(json_writer *j, const char *key, const report *r, uint32_t part, const char *detail)
{
    jw_flat_object(j, key);
    jw_string(j, "file", report_part_file(r, part));
    jw_string(j, "name", report_part_name(r, part));
    if (detail)
        jw_string(j, "detail", detail);
    jw_object_end(j);
}

static void put_triangle(json_writer *j, const char *key, const report_triangle *t)
{
    jw_flat_object(j, key);
    jw_count(j, "index", t->index);
    if (t->face != BW_NONE)
        jw_count(j, "face", t->face);
    if (t->line > 0)
        jw_count(j, "line", t->line);
    jw_object_end(j);
}

static void put_pairs(json_writer *j, const report_finding *f)
{
    jw_array(j, "pair_list");
    for (size_t i = 0; i < f->listed_count; i++) {
        const report_pair *p = &f->pairs[i];
        jw_object(j, NULL);
        put_triangle(j, "a", &p->a);
        put_triangle(j, "b", &p->b);
        jw_string(j, "kind",
                  p->contact.kind == BW_CONTACT_CROSSING   ? "crossing"
                  : p->contact.kind == BW_CONTACT_TOUCHING ? "touching"
                                                           : "near");
        jw_number(j, "distance", p->distance);
        if (p->contact.kind != BW_CONTACT_NONE) {
            jw_bool(j, "coplanar", p->contact.coplanar);
            jw_flat_array(j, "points");
            for (uint32_t k = 0; k < p->contact.point_count; k++)
                jw_vec3(j, NULL, p->contact.points[k]);
            jw_array_end(j);
        }
        jw_object_end(j);
    }
    jw_array_end(j);
}

static void put_time(json_writer *j, const report_finding *f)
{
    jw_number(j, "from", f->from);
    jw_number(j, "to", f->to);
    jw_bool(j, "at_begin", f->at_begin);
    jw_bool(j, "at_end", f->at_end);
    if (f->moment_count == 0)
        return;
    jw_number(j, "deepest", f->deepest);
    jw_flat_array(j, "depth_over_time");
    for (size_t i = 0; i < f->moment_count; i++) {
        jw_flat_array(j, NULL);
        jw_number(j, NULL, f->moments[i].time);
        jw_number(j, NULL, f->moments[i].depth);
        jw_array_end(j);
    }
    jw_array_end(j);
}

static void put_depth(json_writer *j, const report_finding *f)
{
    jw_flat_object(j, "depth");
    jw_number(j, "lower", f->depth_lower);
    jw_number(j, "upper", f->depth_upper);
    jw_number(j, "pierce", f->pierce);
    jw_object_end(j);
    if (isfinite(f->depth_upper) && f->depth_upper > 0)
        jw_vec3(j, "direction", f->direction);
    if (isfinite(f->volume_error)) {
        jw_number(j, "volume", f->volume);
        jw_number(j, "volume_error", f->volume_error);
    }
}

static void put_finding(json_writer *j, const report *r, const report_finding *f, size_t rank,
                        const report_desc *desc)
{
    jw_object(j, NULL);
    jw_count(j, "rank", rank + 1);
    put_part(j, "a", r, f->a, f->detail_a);
    put_part(j, "b", r, f->b, f->detail_b);
    jw_string(j, "kind", report_kind_names[f->kind]);
    if (f->kind == REPORT_CONTAINED)
        jw_string(j, "inside", f->b_inside ? "b" : "a");
    if (f->cut)
        jw_bool(j, "complete", false);
    if (f->timed)
        put_time(j, f);
    if (r->measured && f->kind != REPORT_CLEARANCE)
        put_depth(j, f);
    if (f->distance > 0) {
        jw_number(j, "distance", f->distance);
        jw_flat_array(j, "nearest");
        jw_vec3(j, NULL, f->nearest[0]);
        jw_vec3(j, NULL, f->nearest[1]);
        jw_array_end(j);
    }
    jw_vec3(j, "place", f->place);
    if (f->low.x <= f->high.x) {
        jw_flat_array(j, "box");
        jw_vec3(j, NULL, f->low);
        jw_vec3(j, NULL, f->high);
        jw_array_end(j);
    }
    if (r->measured || desc->pairs)
        jw_count(j, "pairs", f->pair_count);
    if (r->measured)
        jw_count(j, "regions", f->region_count);
    put_pairs(j, f);
    jw_object_end(j);
}

static void put_files(json_writer *j, const report *r)
{
    jw_array(j, "files");
    for (size_t i = 0; i < r->file_count; i++) {
        jw_flat_object(j, NULL);
        jw_string(j, "file", r->files[i].path);
        if (r->files[i].error)
            jw_string(j, "error", r->files[i].error);
        else
            jw_count(j, "parts", r->files[i].part_count);
        jw_object_end(j);
    }
    jw_array_end(j);
}

static void put_kinds(json_writer *j, const report *r)
{
    uint64_t kinds[REPORT_KINDS];
    report_count_kinds(r, kinds);
    jw_flat_object(j, "kinds");
    for (int i = 0; i < REPORT_KINDS; i++)
        jw_count(j, report_kind_names[i], kinds[i]);
    jw_object_end(j);
}

/* NaN: there is none. */
static double first_contact(const report *r)
{
    double first = NAN;
    const report_finding *f;
    for (report_cursor each = report_each(r); (f = report_next(&each));)
        first = fmin(first, f->from);
    return first;
}

void report_json(const report *r, const report_desc *desc, FILE *out)
{
    json_writer j = jw_start(out);
    jw_object(&j, NULL);
    jw_string(&j, "boxwood", bw_version_string());
    jw_string(&j, "command", r->command);
    jw_string(&j, "title", r->title);
    units_json(r->unit, r->up, &j);
    put_files(&j, r);
    jw_count(&j, "parts", r->part_count);
    jw_count(&j, "meshes", r->mesh_count);
    jw_count(&j, "primitives", r->primitive_count);
    jw_count(&j, "quarantined", r->quarantined);
    jw_count(&j, "skipped_files", r->skipped_files);
    jw_count(&j, "skipped_parts", r->skipped_parts);
    if (r->tolerance > 0)
        jw_number(&j, "tolerance", r->tolerance);
    if (r->clearance >= 0)
        jw_number(&j, "clearance", r->clearance);
    if (r->begin < r->end) {
        jw_number(&j, "begin", r->begin);
        jw_number(&j, "end", r->end);
        jw_number(&j, "first_contact", first_contact(r));
    }
    jw_array(&j, "notes");
    for (size_t i = 0; i < r->note_count; i++)
        jw_string(&j, NULL, r->notes[i]);
    jw_array_end(&j);
    jw_bool(&j, "complete", r->looked_at == r->candidates);
    jw_bool(&j, "measured", r->measured);
    jw_flat_object(&j, "left_out");
    jw_count(&j, "shallow", r->left_by_tolerance);
    jw_count(&j, "by_rules", r->left_by_rules);
    jw_object_end(&j);
    put_kinds(&j, r);
    jw_count(&j, "findings_found", r->finding_count);
    jw_array(&j, "findings");
    const report_finding *f;
    report_cursor each = report_each(r);
    for (size_t i = 0; (desc->top == 0 || i < desc->top) && (f = report_next(&each)); i++)
        put_finding(&j, r, f, i, desc);
    jw_array_end(&j);
    if (desc->counts) {
        jw_object(&j, "counts");
        for (size_t i = 0; i < r->count_count; i++)
            jw_number(&j, r->counts[i].key, r->counts[i].value);
        jw_object_end(&j);
    }
    jw_object_end(&j);
    jw_finish(&j);
}
