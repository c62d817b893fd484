/* A report as one JSON document: docs/tool/report.schema.json. */
#include "report/write.h"

#include "json.h"
#include "units.h"

#include <boxwood/base.h>
#include <math.h>

static void put_part(json *j, const char *key, const report_part *p, const char *detail)
{
    json_flat_object(j, key);
    json_string(j, "file", p->file);
    json_string(j, "name", p->name);
    if (detail)
        json_string(j, "detail", detail);
    json_object_end(j);
}

static void put_triangle(json *j, const char *key, const report_triangle *t)
{
    json_flat_object(j, key);
    json_count(j, "index", t->index);
    if (t->face != BW_NONE)
        json_count(j, "face", t->face);
    if (t->line > 0)
        json_count(j, "line", t->line);
    json_object_end(j);
}

static void put_pairs(json *j, const report_finding *f)
{
    json_array(j, "pair_list");
    for (size_t i = 0; i < f->listed_count; i++) {
        const report_pair *p = &f->pairs[i];
        json_object(j, NULL);
        put_triangle(j, "a", &p->a);
        put_triangle(j, "b", &p->b);
        json_string(j, "kind",
                    p->contact.kind == BW_CONTACT_CROSSING   ? "crossing"
                    : p->contact.kind == BW_CONTACT_TOUCHING ? "touching"
                                                             : "near");
        json_number(j, "distance", p->distance);
        if (p->contact.kind != BW_CONTACT_NONE) {
            json_bool(j, "coplanar", p->contact.coplanar);
            json_flat_array(j, "points");
            for (uint32_t k = 0; k < p->contact.point_count; k++)
                json_vec3(j, NULL, p->contact.points[k]);
            json_array_end(j);
        }
        json_object_end(j);
    }
    json_array_end(j);
}

static void put_time(json *j, const report_finding *f)
{
    json_number(j, "from", f->from);
    json_number(j, "to", f->to);
    json_bool(j, "at_begin", f->at_begin);
    json_bool(j, "at_end", f->at_end);
    if (f->moment_count == 0)
        return;
    json_number(j, "deepest", f->deepest);
    json_flat_array(j, "depth_over_time");
    for (size_t i = 0; i < f->moment_count; i++) {
        json_flat_array(j, NULL);
        json_number(j, NULL, f->moments[i].time);
        json_number(j, NULL, f->moments[i].depth);
        json_array_end(j);
    }
    json_array_end(j);
}

static void put_depth(json *j, const report_finding *f)
{
    json_flat_object(j, "depth");
    json_number(j, "lower", f->depth_lower);
    json_number(j, "upper", f->depth_upper);
    json_number(j, "pierce", f->pierce);
    json_object_end(j);
    if (isfinite(f->depth_upper) && f->depth_upper > 0)
        json_vec3(j, "direction", f->direction);
    if (isfinite(f->volume_error)) {
        json_number(j, "volume", f->volume);
        json_number(j, "volume_error", f->volume_error);
    }
}

static void put_finding(json *j, const report *r, size_t rank, const report_desc *desc)
{
    const report_finding *f = &r->findings[rank];
    json_object(j, NULL);
    json_count(j, "rank", rank + 1);
    put_part(j, "a", &r->parts[f->a], f->detail_a);
    put_part(j, "b", &r->parts[f->b], f->detail_b);
    json_string(j, "kind", report_kind_names[f->kind]);
    if (f->kind == REPORT_CONTAINED)
        json_string(j, "inside", f->b_inside ? "b" : "a");
    if (f->cut)
        json_bool(j, "complete", false);
    if (f->timed)
        put_time(j, f);
    if (r->measured && f->kind != REPORT_CLEARANCE)
        put_depth(j, f);
    if (f->distance > 0) {
        json_number(j, "distance", f->distance);
        json_flat_array(j, "nearest");
        json_vec3(j, NULL, f->nearest[0]);
        json_vec3(j, NULL, f->nearest[1]);
        json_array_end(j);
    }
    json_vec3(j, "place", f->place);
    if (f->low.x <= f->high.x) {
        json_flat_array(j, "box");
        json_vec3(j, NULL, f->low);
        json_vec3(j, NULL, f->high);
        json_array_end(j);
    }
    if (r->measured || desc->pairs)
        json_count(j, "pairs", f->pair_count);
    if (r->measured)
        json_count(j, "regions", f->region_count);
    put_pairs(j, f);
    json_object_end(j);
}

static void put_files(json *j, const report *r)
{
    json_array(j, "files");
    for (size_t i = 0; i < r->file_count; i++) {
        json_flat_object(j, NULL);
        json_string(j, "file", r->files[i].path);
        if (r->files[i].error)
            json_string(j, "error", r->files[i].error);
        else
            json_count(j, "parts", r->files[i].part_count);
        json_object_end(j);
    }
    json_array_end(j);
}

static void put_kinds(json *j, const report *r)
{
    uint64_t kinds[REPORT_KINDS] = {0};
    for (size_t i = 0; i < r->finding_count; i++)
        kinds[r->findings[i].kind]++;
    json_flat_object(j, "kinds");
    for (int i = 0; i < REPORT_KINDS; i++)
        json_count(j, report_kind_names[i], kinds[i]);
    json_object_end(j);
}

/* NaN: there is none. */
static double first_contact(const report *r)
{
    double first = NAN;
    for (size_t i = 0; i < r->finding_count; i++)
        first = fmin(first, r->findings[i].from);
    return first;
}

void report_json(const report *r, const report_desc *desc, FILE *out)
{
    json j = json_start(out);
    json_object(&j, NULL);
    json_string(&j, "boxwood", bw_version_string());
    json_string(&j, "command", r->command);
    json_string(&j, "title", r->title);
    units_json(r->unit, r->up, &j);
    put_files(&j, r);
    json_count(&j, "parts", r->part_count);
    json_count(&j, "meshes", r->mesh_count);
    json_count(&j, "primitives", r->primitive_count);
    json_count(&j, "quarantined", r->quarantined);
    json_count(&j, "skipped_files", r->skipped_files);
    json_count(&j, "skipped_parts", r->skipped_parts);
    if (r->tolerance > 0)
        json_number(&j, "tolerance", r->tolerance);
    if (r->clearance >= 0)
        json_number(&j, "clearance", r->clearance);
    if (r->begin < r->end) {
        json_number(&j, "begin", r->begin);
        json_number(&j, "end", r->end);
        json_number(&j, "first_contact", first_contact(r));
    }
    json_array(&j, "notes");
    for (size_t i = 0; i < r->note_count; i++)
        json_string(&j, NULL, r->notes[i]);
    json_array_end(&j);
    json_bool(&j, "complete", r->looked_at == r->candidates);
    json_bool(&j, "measured", r->measured);
    json_flat_object(&j, "left_out");
    json_count(&j, "shallow", r->left_by_tolerance);
    json_count(&j, "by_rules", r->left_by_rules);
    json_object_end(&j);
    put_kinds(&j, r);
    json_count(&j, "findings_found", r->finding_count);
    json_array(&j, "findings");
    for (size_t i = 0; i < r->finding_count && (desc->top == 0 || i < desc->top); i++)
        put_finding(&j, r, i, desc);
    json_array_end(&j);
    if (desc->counts) {
        json_object(&j, "counts");
        for (size_t i = 0; i < r->count_count; i++)
            json_number(&j, r->counts[i].key, r->counts[i].value);
        json_object_end(&j);
    }
    json_object_end(&j);
    json_finish(&j);
}
