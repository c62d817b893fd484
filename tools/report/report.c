/* The report in memory: adding to it, sorting it, and where its parts are at a time. */
#include "report/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const report_kind_names[REPORT_KINDS] = {"hard", "clearance", "contained", "touching"};

report report_start(const char *command, const char *title)
{
    return (report){.command = tool_copy(command), .title = tool_copy(title), .clearance = -1};
}

void report_free(report *r)
{
    for (size_t i = 0; i < r->note_count; i++)
        free(r->notes[i]);
    for (size_t i = 0; r->parts && i < r->part_count; i++) {
        free(r->parts[i].name);
        free(r->parts[i].file);
    }
    for (size_t i = 0; r->findings && i < r->finding_count; i++)
        report_finding_free(&r->findings[i]);
    for (size_t i = 0; i < r->file_count; i++) {
        free(r->files[i].path);
        free(r->files[i].error);
    }
    for (size_t i = 0; i < r->layer_count; i++) {
        free(r->layers[i].name);
        free(r->layers[i].points);
    }
    free(r->title);
    free(r->command);
    free(r->notes);
    free(r->files);
    free(r->counts);
    free(r->meshes);
    free(r->parts);
    free(r->findings);
    free(r->layers);
    *r = (report){.title = NULL};
}

void report_note(report *r, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->notes = tool_grow(r->notes, r->note_count, &r->note_capacity, sizeof *r->notes);
    r->notes[r->note_count++] = tool_copy(text);
}

void report_add_file(report *r, const char *path, const char *error, uint32_t part_count)
{
    r->files = tool_grow(r->files, r->file_count, &r->file_capacity, sizeof *r->files);
    r->files[r->file_count++] = (report_file){tool_copy(path), error ? tool_copy(error) : NULL, part_count};
}

void report_add_count(report *r, const char *key, double value)
{
    r->counts = tool_grow(r->counts, r->count_count, &r->count_capacity, sizeof *r->counts);
    r->counts[r->count_count++] = (report_count){key, value};
}

void report_add_pair(report_finding *f, const report_pair *pair)
{
    f->pairs = tool_grow(f->pairs, f->listed_count, &f->listed_capacity, sizeof *f->pairs);
    f->pairs[f->listed_count++] = *pair;
}

uint32_t report_add_mesh(report *r, const report_mesh *mesh)
{
    r->meshes = tool_grow(r->meshes, r->mesh_count, &r->mesh_capacity, sizeof *r->meshes);
    r->meshes[r->mesh_count] = *mesh;
    return (uint32_t)r->mesh_count++;
}

uint32_t report_add_part(report *r, const char *name, const char *file, uint32_t mesh,
                         const bw_transform *pose)
{
    r->parts = tool_grow(r->parts, r->part_count, &r->part_capacity, sizeof *r->parts);
    r->parts[r->part_count] = (report_part){.name = tool_copy(name),
                                            .file = tool_copy(file),
                                            .mesh = mesh,
                                            .posed = pose != NULL,
                                            .pose = pose ? *pose : bw_transform_identity()};
    return (uint32_t)r->part_count++;
}

report_finding report_new_finding(uint32_t a, uint32_t b, report_kind kind)
{
    return (report_finding){.a = a,
                            .b = b,
                            .kind = kind,
                            .depth_upper = INFINITY,
                            .volume_error = INFINITY,
                            .low = {INFINITY, INFINITY, INFINITY},
                            .high = {-INFINITY, -INFINITY, -INFINITY}};
}

void report_finding_free(report_finding *f)
{
    free(f->detail_a);
    free(f->detail_b);
    free(f->segments);
    free(f->moments);
    free(f->pairs);
}

report_finding *report_add_finding(report *r, uint32_t a, uint32_t b, report_kind kind)
{
    r->findings = tool_grow(r->findings, r->finding_count, &r->finding_capacity, sizeof *r->findings);
    report_finding *f = &r->findings[r->finding_count++];
    *f = report_new_finding(a, b, kind);
    return f;
}

static void widen(bw_vec3 *low, bw_vec3 *high, bw_vec3 p)
{
    *low = (bw_vec3){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
    *high = (bw_vec3){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
}

void report_add_segment(report_finding *f, bw_vec3 from, bw_vec3 to)
{
    f->segments = tool_grow(f->segments, f->segment_count, &f->segment_capacity, sizeof *f->segments);
    f->segments[f->segment_count++] = (report_segment){{from, to}};
    widen(&f->low, &f->high, from);
    widen(&f->low, &f->high, to);
    if (f->moment_count > 0)
        f->moments[f->moment_count - 1].segment_count++;
}

void report_add_moment(report_finding *f, double time, double depth)
{
    f->moments = tool_grow(f->moments, f->moment_count, &f->moment_capacity, sizeof *f->moments);
    f->moments[f->moment_count++] = (report_moment){time, depth, f->segment_count, 0};
}

uint32_t report_add_layer(report *r, report_layer_role role, report_shape shape, uint32_t level,
                          const char *name)
{
    r->layers = tool_grow(r->layers, r->layer_count, &r->layer_capacity, sizeof *r->layers);
    r->layers[r->layer_count] =
        (report_layer){.role = role, .shape = shape, .level = level, .name = tool_copy(name)};
    return (uint32_t)r->layer_count++;
}

void report_add_point(report *r, uint32_t layer, bw_vec3 point)
{
    report_layer *l = &r->layers[layer];
    l->points = tool_grow(l->points, l->point_count, &l->point_capacity, sizeof *l->points);
    l->points[l->point_count++] = point;
}

/* ---- sorting ---- */

double report_depth(const report_finding *f)
{
    return f->kind == REPORT_CLEARANCE ? -f->distance
           : f->depth_lower > 0        ? f->depth_lower
           : f->pierce > 0             ? fmin(f->pierce, f->depth_upper)
           : isfinite(f->depth_upper)  ? f->depth_upper
                                       : 0;
}

static const int kind_rank[REPORT_KINDS] = {
    [REPORT_HARD] = 0, [REPORT_CONTAINED] = 0, [REPORT_TOUCHING] = 1, [REPORT_CLEARANCE] = 2};

/* What is not a number comes last: it has no place among numbers, and the order would depend on who sorts. */
static double known(double x)
{
    return isnan(x) ? -(double)INFINITY : x;
}

report_key report_key_of(const report_finding *f)
{
    /* What only touches has a volume within its error. */
    return (report_key){.rank = kind_rank[f->kind],
                        .a = f->a,
                        .b = f->b,
                        .depth = known(report_depth(f)),
                        .upper = f->kind == REPORT_CLEARANCE ? 0 : known(f->depth_upper),
                        .volume = f->kind != REPORT_TOUCHING && isfinite(f->volume_error)
                                      ? known(f->volume)
                                      : -(double)INFINITY};
}

int report_key_compare(const report_key *a, const report_key *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    const double first[3] = {a->depth, a->upper, a->volume}, second[3] = {b->depth, b->upper, b->volume};
    for (int i = 0; i < 3; i++)
        if (first[i] < second[i] || second[i] < first[i])
            return first[i] > second[i] ? -1 : 1;
    return 0;
}

static bool worse(const report_finding *a, const report_finding *b)
{
    const report_key x = report_key_of(a), y = report_key_of(b);
    return report_key_compare(&x, &y) < 0;
}

/* Merges sorted halves; equal ones keep their order. */
void report_sort(report *r)
{
    size_t n = r->finding_count;
    report_finding *from = r->findings, *to = tool_alloc(n, sizeof *to);
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = low + width < n ? low + width : n, high = middle + width < n ? middle + width : n;
            for (size_t i = low, j = middle, k = low; k < high; k++)
                to[k] = i < middle && (j == high || !worse(&from[j], &from[i])) ? from[i++] : from[j++];
        }
        report_finding *other = from;
        from = to;
        to = other;
    }
    r->findings = from; /* either array has room for n, and to grow */
    if (n > 0)
        r->finding_capacity = n;
    free(to);
}

/* ---- one after the other ---- */

report_cursor report_each(const report *r)
{
    report_stream *s = r->stream;
    if (s && !s->failed)
        s->failed = !s->start(s->user, &s->why);
    return (report_cursor){r, 0};
}

const report_finding *report_next(report_cursor *c)
{
    report_stream *s = c->report->stream;
    if (!s)
        return c->at < c->report->finding_count ? &c->report->findings[c->at++] : NULL;
    return s->failed ? NULL : s->next(s->user, &s->failed, &s->why);
}

void report_count_kinds(const report *r, uint64_t kinds[REPORT_KINDS])
{
    memset(kinds, 0, REPORT_KINDS * sizeof *kinds);
    if (r->stream)
        memcpy(kinds, r->stream->kinds, REPORT_KINDS * sizeof *kinds);
    for (size_t i = 0; !r->stream && i < r->finding_count; i++)
        kinds[r->findings[i].kind]++;
}

const char *report_part_name(const report *r, uint32_t part)
{
    const char *name, *file;
    if (!r->stream)
        return r->parts[part].name;
    r->stream->part(r->stream->user, part, &name, &file);
    return name;
}

const char *report_part_file(const report *r, uint32_t part)
{
    const char *name, *file;
    if (!r->stream)
        return r->parts[part].file;
    r->stream->part(r->stream->user, part, &name, &file);
    return file;
}

/* ---- where parts are ---- */

uint32_t report_frame_at(const report_mesh *m, double time, double *beyond)
{
    uint32_t low = 0, high = m->frame_count;
    while (high - low > 1) { /* times[low] <= time < times[high] */
        uint32_t middle = low + (high - low) / 2;
        if (m->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    *beyond = 0;
    if (low + 1 < m->frame_count && m->times[low + 1] > m->times[low])
        *beyond = fmin(1, fmax(0, (time - m->times[low]) / (m->times[low + 1] - m->times[low])));
    return low;
}

static bw_vec3 frame_vertex(const report_mesh *m, uint32_t frame, uint32_t vertex)
{
    size_t at = 3 * ((size_t)m->first_vertex + vertex);
    if (m->scalar == BW_F64) {
        const double *p = (const double *)m->frames[frame] + at;
        return (bw_vec3){p[0], p[1], p[2]};
    }
    const float *p = (const float *)m->frames[frame] + at;
    return (bw_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

static bw_vec3 placed(const report_part *part, bw_vec3 p)
{
    return part->posed ? bw_transform_point(&part->pose, p) : p;
}

void report_set_box(report *r, uint32_t part, const bw_box *box)
{
    report_part *p = &r->parts[part];
    p->boxed = true;
    p->low = (bw_vec3){(double)box->min[0], (double)box->min[1], (double)box->min[2]};
    p->high = (bw_vec3){(double)box->max[0], (double)box->max[1], (double)box->max[2]};
}

static bool is_elsewhere(const report_mesh *m)
{
    return !m->view.positions && m->frame_count == 0 && m->view.vertex_count > 0;
}

uint32_t report_primitives(const report_mesh *m)
{
    return m->view.indices || m->view.triangle_count > 0 ? m->view.triangle_count : m->view.vertex_count;
}

report_mesh report_hold(const report *r, uint32_t mesh)
{
    report_mesh held = r->meshes[mesh];
    if (!r->source || !is_elsewhere(&held))
        return held;
    report_source *source = r->source;
    fault why;
    if (!source->hold(source->user, mesh, &held.view, &why)) {
        held.view = (bw_mesh){.positions = NULL};
        if (!source->failed)
            source->why = why;
        source->failed = true;
    }
    return held;
}

void report_release(const report *r, const report_mesh *held)
{
    if (r->source && held->view.positions && r->source->release)
        r->source->release(r->source->user);
}

bw_vec3 report_vertex(const report *r, uint32_t part, uint32_t vertex, double time)
{
    const report_mesh *m = &r->meshes[r->parts[part].mesh];
    if (m->frame_count == 0)
        return placed(&r->parts[part], bw_mesh_vertex(&m->view, vertex));
    double beyond;
    uint32_t frame = report_frame_at(m, time, &beyond);
    bw_vec3 p = frame_vertex(m, frame, vertex);
    if (beyond > 0) {
        bw_vec3 q = frame_vertex(m, frame + 1, vertex);
        p = (bw_vec3){p.x + beyond * (q.x - p.x), p.y + beyond * (q.y - p.y), p.z + beyond * (q.z - p.z)};
    }
    return placed(&r->parts[part], p);
}

bool report_part_box(const report *r, uint32_t part, bw_vec3 *low, bw_vec3 *high)
{
    const report_part *p = &r->parts[part];
    const report_mesh *m = &r->meshes[p->mesh];
    *low = p->low;
    *high = p->high;
    if (p->boxed)
        return low->x <= high->x;
    *low = (bw_vec3){INFINITY, INFINITY, INFINITY};
    *high = (bw_vec3){-INFINITY, -INFINITY, -INFINITY};
    /* Of triangles, the vertices that they name: a view may be wider. */
    size_t count = m->view.indices ? 3 * (size_t)m->view.triangle_count : m->view.vertex_count;
    for (uint32_t f = 0; f < (m->frame_count > 0 ? m->frame_count : 1); f++)
        for (size_t i = 0; i < count; i++) {
            uint32_t v = m->view.indices ? m->view.indices[i] : (uint32_t)i;
            if (v >= m->view.vertex_count)
                continue;
            bw_vec3 q = placed(p, m->frame_count > 0 ? frame_vertex(m, f, v) : bw_mesh_vertex(&m->view, v));
            if (isfinite(q.x) && isfinite(q.y) && isfinite(q.z))
                widen(low, high, q);
        }
    return low->x <= high->x;
}

bool report_box(const report *r, bw_vec3 *low, bw_vec3 *high)
{
    *low = (bw_vec3){INFINITY, INFINITY, INFINITY};
    *high = (bw_vec3){-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < r->part_count; i++) {
        bw_vec3 a, b;
        if (report_part_box(r, (uint32_t)i, &a, &b)) {
            widen(low, high, a);
            widen(low, high, b);
        }
    }
    return low->x <= high->x;
}
