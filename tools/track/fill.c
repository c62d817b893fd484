/* What track found as a report. */
#include "track/store.h"

#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_files(const track *t, report *r)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const track_object *o = &t->objects[i];
        report_add_file(r, o->model.file, NULL, o->part_count);
        r->primitive_count += o->model.triangle_count;
        for (uint32_t k = 0; k < o->model.note_count; k++)
            report_note(r, "%s: %s", o->model.file, o->model.notes[k]);
        if (o->moves)
            report_note(r, "%s: %u keyframes, %g to %g s", o->model.file, o->model.film.frame_count,
                        o->model.film.times[0], o->model.film.times[o->model.film.frame_count - 1]);
        else
            report_note(r, "%s: stands still", o->model.file);
        if (o->welded > 0)
            report_note(r, "%s: vertices that are always where another is, taken as one with it: %u",
                        o->model.file, o->welded);
    }
}

static void add_parts(const track *t, report *r)
{
    for (uint32_t i = 0; i < t->part_count; i++) {
        const track_part *p = &t->parts[i];
        const track_object *o = &t->objects[p->object];
        report_mesh mesh = {.view = p->mesh};
        if (!o->store)
            mesh.view.positions = p->frames[0];
        if (o->moves) {
            mesh.frame_count = o->frame_count;
            mesh.scalar = o->scalar;
            mesh.times = o->times;
            mesh.frames = p->frames;
        }
        uint32_t part = report_add_part(r, p->name, o->model.file, report_add_mesh(r, &mesh), NULL);
        if (o->store) {
            bw_box box;
            track_store_box(o->store, i - o->first_part, &box);
            report_set_box(r, part, &box);
        }
    }
}

static void add_notes(const track *t, report *r)
{
    cell n[4];
    if (t->contact_count == 0) {
        report_note(r, "apart from %g to %g s: no two triangles touch or cross at any time", t->begin,
                    t->end);
        return;
    }
    const track_contact *first = &t->contacts[0];
    report_note(
        r, "first contact at %.9g s (frame %.2f at %g frames a second): %s triangle %u, %s triangle %u%s",
        first->from, (first->from - t->begin) * t->fps, t->fps,
        t->objects[t->parts[first->part_a].object].model.file, first->triangle_a,
        t->objects[t->parts[first->part_b].object].model.file, first->triangle_b,
        first->cut_start ? ", from the start" : "");
    if (t->first_only)
        return;
    for (int i = 0; i < TRACK_RATES; i++)
        report_note(r,
                    "a check of single frames at %d frames a second would have missed %s of %s contact%s, %s "
                    "of %s of triangles",
                    track_rates[i], count_cell(&n[0], t->missed[i]),
                    count_cell(&n[1], t->contact_count + t->shallow), plural(t->contact_count + t->shallow),
                    count_cell(&n[2], t->missed_triangles[i]), count_cell(&n[3], t->triangle_contacts));
}

static void add_counts(const track *t, report *r)
{
    report_add_count(r, "triangle_contacts", (double)t->triangle_contacts);
    report_add_count(r, "triangle_instants", (double)t->instants);
    static const char *const missed[TRACK_RATES] = {"missed_at_24", "missed_at_30", "missed_at_60"};
    static const char *const triangles[TRACK_RATES] = {"missed_triangles_at_24", "missed_triangles_at_30",
                                                       "missed_triangles_at_60"};
    for (int i = 0; i < TRACK_RATES; i++) {
        report_add_count(r, missed[i], (double)t->missed[i]);
        report_add_count(r, triangles[i], (double)t->missed_triangles[i]);
    }
    report_add_count(r, "search_seconds", t->seconds);
}

static report_triangle triangle_of(const track *t, uint32_t part, uint32_t triangle)
{
    const track_object *o = &t->objects[t->parts[part].object];
    const model *m = &o->model;
    if (o->store)
        return track_store_triangle(o->store, part - o->first_part, triangle);
    return (report_triangle){.index = triangle,
                             .face = m->faces ? m->faces[triangle] : triangle,
                             .line = m->triangle_lines ? m->triangle_lines[triangle] : 0};
}

/* Bones and materials: of the triangles that meet at the deepest moment, or of the first that touch. */
static void add_details(const track *t, const track_contact *c, report_finding *f)
{
    if (c->moment_count > 0 && c->moments[c->deepest].pairs > 0) {
        f->detail_a = c->details[0] ? tool_copy(c->details[0]) : NULL;
        f->detail_b = c->details[1] ? tool_copy(c->details[1]) : NULL;
        return;
    }
    track_labels labels[2] = {{.list = NULL}, {.list = NULL}};
    track_add_label(t, c->part_a, c->triangle_a, &labels[0]);
    track_add_label(t, c->part_b, c->triangle_b, &labels[c->part_a != c->part_b]);
    f->detail_a = track_tell_labels(t, c->part_a, &labels[0]);
    f->detail_b = track_tell_labels(t, c->part_b, &labels[1]);
}

static void add_contact(const track *t, const track_contact *c, report *r)
{
    bool crossing = !t->measured;
    for (uint32_t k = 0; k < c->moment_count; k++)
        crossing |= c->moments[k].crossing;
    report_finding *f = report_add_finding(r, c->part_a, c->part_b, crossing ? REPORT_HARD : REPORT_TOUCHING);
    f->timed = true;
    f->from = c->from;
    f->to = c->to;
    f->at_begin = c->cut_start;
    f->at_end = c->cut_end;
    f->pair_count = c->most;
    f->deepest = c->from;
    const report_pair first = {.a = triangle_of(t, c->part_a, c->triangle_a),
                               .b = triangle_of(t, c->part_b, c->triangle_b),
                               .contact = {.kind = BW_CONTACT_TOUCHING}}; /* as it begins */
    report_add_pair(f, &first);
    add_details(t, c, f);
    for (uint32_t k = 0; k < c->moment_count; k++) {
        const track_moment *m = &c->moments[k];
        report_add_moment(f, m->time, m->pairs > 0 ? track_depth(m) : (double)NAN);
        for (size_t i = 0; i < m->segment_count; i++)
            report_add_segment(f, m->segments[i].ends[0], m->segments[i].ends[1]);
    }
    if (c->moment_count == 0)
        return;
    const track_moment *m = &c->moments[c->deepest];
    f->deepest = m->time;
    f->depth_lower = m->lower;
    f->depth_upper = m->upper;
    f->pierce = m->pierce;
    f->volume = m->volume;
    f->volume_error = m->volume_error;
    f->region_count = m->regions;
    f->place = m->place;
    f->low = m->low;
    f->high = m->high;
    double length = sqrt(m->translation.x * m->translation.x + m->translation.y * m->translation.y +
                         m->translation.z * m->translation.z);
    if (length > 0)
        f->direction =
            (bw_vec3){m->translation.x / length, m->translation.y / length, m->translation.z / length};
}

/* What touches in the first frame already comes after what comes to touch. */
static void begin_last(report *r)
{
    report_finding *sorted = tool_alloc(r->finding_count, sizeof *sorted);
    size_t count = 0;
    for (int begin = 0; begin < 2; begin++)
        for (size_t i = 0; i < r->finding_count; i++)
            if (r->findings[i].at_begin == (begin == 1))
                sorted[count++] = r->findings[i];
    memcpy(r->findings, sorted, count * sizeof *sorted);
    free(sorted);
}

report track_report(const track *t)
{
    char title[256];
    const char *first = t->objects[0].model.file, *slash = strrchr(first, '/');
    snprintf(title, sizeof title, t->count > 1 ? "%.200s and %u more" : "%.200s", slash ? slash + 1 : first,
             t->count - 1);
    report r = report_start("track", title);
    r.unit = t->unit;
    r.up = t->up;
    r.tolerance = t->tolerance;
    r.begin = t->begin;
    r.end = t->end;
    r.measured = t->measured;
    r.left_by_tolerance = t->shallow;
    r.left_by_rules = t->aside;
    add_files(t, &r);
    add_parts(t, &r);
    r.source = track_store_source(t);
    add_notes(t, &r);
    for (size_t i = 0; i < t->contact_count; i++)
        add_contact(t, &t->contacts[i], &r);
    add_counts(t, &r);
    if (t->measured) {
        report_sort(&r);
        begin_last(&r);
    }
    return r;
}
