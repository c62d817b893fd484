/* A report as one page: the chunks of its data, the table of contents, and the page around them. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "report/html.h"

#include "output.h"
#include "progress.h"
#include "report/manifest.h"
#include "report/pack.h"
#include "report/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A chunk is unpacked as a whole, when something of it is looked at. */
enum { CHUNK_BYTES = 1 << 20 };
enum { LISTED_WITHOUT_SCRIPTS = 1000 };

typedef struct writer {
    const report *report;
    FILE *out;
    manifest manifest;
    pack chunk;
    uint32_t chunks; /* written */
    report_html_size size;
} writer;

static void flush_chunk(writer *w, uint64_t *bytes)
{
    if (w->chunk.count > 0) {
        fprintf(w->out, "<script type=\"application/x-boxwood\" id=\"chunk-%" PRIu32 "\">", w->chunks++);
        *bytes += pack_write(&w->chunk, w->out);
        fputs("</script>\n", w->out);
    }
    w->chunk.count = 0;
}

/* Where the next bytes go. */
static manifest_spot here(writer *w, uint64_t *bytes)
{
    if (w->chunk.count >= CHUNK_BYTES)
        flush_chunk(w, bytes);
    return (manifest_spot){w->chunks, w->chunk.count};
}

static void note(manifest *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(manifest *m, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    m->notes = tool_grow(m->notes, m->note_count, &m->note_capacity, sizeof *m->notes);
    m->notes[m->note_count++] = tool_copy(text);
}

/* ---- what is left out ---- */

typedef struct by_size {
    uint32_t mesh, triangles;
} by_size;

static int larger_first(const void *a, const void *b)
{
    const by_size *x = a, *y = b;
    return x->triangles != y->triangles ? (x->triangles < y->triangles ? 1 : -1)
                                        : (x->mesh > y->mesh) - (x->mesh < y->mesh);
}

static void choose_boxes(writer *w, uint64_t limit)
{
    const report *r = w->report;
    bool *whole = tool_alloc(r->mesh_count, sizeof *whole);
    memset(whole, 0, r->mesh_count * sizeof *whole);
    for (size_t i = 0; i < r->finding_count; i++)
        whole[r->parts[r->findings[i].a].mesh] = whole[r->parts[r->findings[i].b].mesh] = true;
    by_size *others = tool_alloc(r->mesh_count, sizeof *others);
    size_t count = 0;
    uint64_t triangles = 0;
    for (size_t i = 0; i < r->mesh_count; i++) {
        uint32_t own = report_primitives(&r->meshes[i]);
        triangles += own;
        if (!whole[i] && own > 12)
            others[count++] = (by_size){(uint32_t)i, own};
        whole[i] = true; /* from now on: what is not to become a box */
    }
    if (triangles > limit)
        qsort(others, count, sizeof *others, larger_first);
    for (size_t i = 0; i < count && triangles > limit; i++) {
        whole[others[i].mesh] = false;
        triangles -= others[i].triangles;
    }
    for (size_t i = 0; i < r->part_count; i++) {
        bw_vec3 low, high;
        w->manifest.boxed[i] = !whole[r->parts[i].mesh] && report_part_box(r, (uint32_t)i, &low, &high);
        w->size.boxes += w->manifest.boxed[i];
    }
    if (w->size.boxes > 0)
        note(&w->manifest,
             "%" PRIu32 " parts that are in no clash are shown as their boxes, so that the page is not too "
             "large.",
             w->size.boxes);
    free(others);
    free(whole);
}

static void choose_frames(writer *w, uint64_t limit)
{
    const report *r = w->report;
    double bytes = 0;
    for (size_t i = 0; i < r->mesh_count; i++)
        bytes += 12.0 * r->meshes[i].frame_count * r->meshes[i].view.vertex_count;
    double step = ceil(bytes / (double)limit);
    w->manifest.frame_step = step < 1 ? 1 : step > 1e9 ? 1000000000 : (uint32_t)step;
    w->size.frame_step = w->manifest.frame_step;
    if (w->size.frame_step > 1)
        note(&w->manifest, "Of the film every %" PRIu32 "th frame is in this page; the results are of all.",
             w->size.frame_step);
}

/* ---- chunks ---- */

/* Films are shown to a millionth of their size (FILM_STEPS): that is a third of the bytes. */
enum { FILM_STEPS = 1 << 20 };

static void film_box(writer *w, uint32_t mesh, const report_geometry *g, float *now)
{
    const report_mesh *m = &w->report->meshes[mesh];
    manifest_mesh *entry = &w->manifest.meshes[mesh];
    for (uint32_t f = 0; f < m->frame_count; f++) {
        if (!manifest_keeps_frame(&w->manifest, m, f))
            continue;
        report_geometry_frame(w->report, mesh, g, f, now);
        for (size_t i = 0; i < 3 * (size_t)g->vertex_count; i++) {
            entry->low[i % 3] = fminf(entry->low[i % 3], now[i]);
            entry->high[i % 3] = fmaxf(entry->high[i % 3], now[i]);
        }
    }
    double size = 0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, fmax(fabs((double)entry->low[k]), fabs((double)entry->high[k])));
    entry->step = size > 0 ? 2 * size / FILM_STEPS : 1;
}

static void write_frames(writer *w, uint32_t mesh, const report_geometry *g)
{
    const report_mesh *m = &w->report->meshes[mesh];
    size_t count = 3 * (size_t)g->vertex_count;
    float *now = tool_alloc(count, sizeof *now);
    int32_t *steps[3]; /* the present frame, the last, and the one before */
    for (int k = 0; k < 3; k++)
        steps[k] = tool_alloc(count, sizeof *steps[k]);
    film_box(w, mesh, g, now);
    const double step = w->manifest.meshes[mesh].step;
    manifest_frames run = {.mesh = mesh};
    for (uint32_t f = 0, kept = 0; f < m->frame_count; f++) {
        if (!manifest_keeps_frame(&w->manifest, m, f))
            continue;
        report_geometry_frame(w->report, mesh, g, f, now);
        for (size_t i = 0; i < count; i++)
            steps[0][i] = (int32_t)lrint((double)now[i] / step);
        if (run.count == 0 || w->chunk.count >= CHUNK_BYTES) {
            run = (manifest_frames){.mesh = mesh, .first = kept, .spot = here(w, &w->size.film_bytes)};
            w->manifest.frames = tool_grow(w->manifest.frames, w->manifest.frames_count,
                                           &w->manifest.frames_capacity, sizeof *w->manifest.frames);
            w->manifest.frames_count++;
        }
        pack_steps(&w->chunk, steps[0], run.count > 0 ? steps[1] : NULL, run.count > 1 ? steps[2] : NULL,
                   count);
        run.count++;
        kept++;
        w->manifest.frames[w->manifest.frames_count - 1] = run;
        int32_t *oldest = steps[2];
        steps[2] = steps[1];
        steps[1] = steps[0];
        steps[0] = oldest;
    }
    for (int k = 0; k < 3; k++)
        free(steps[k]);
    free(now);
}

static void write_meshes(writer *w)
{
    const report *r = w->report;
    for (size_t i = 0; i < r->part_count; i++)
        if (!w->manifest.boxed[i])
            w->manifest.meshes[r->parts[i].mesh].there = true;
    for (int films = 0; films < 2; films++) {
        for (size_t i = 0; i < r->mesh_count; i++) {
            manifest_mesh *entry = &w->manifest.meshes[i];
            if (!entry->there || (r->meshes[i].frame_count > 0) != films)
                continue;
            report_geometry g = report_geometry_of(r, (uint32_t)i, r->begin);
            w->size.dropped += g.dropped;
            entry->spot = here(w, &w->size.geometry_bytes);
            entry->vertex_count = g.vertex_count;
            entry->triangle_count = g.triangle_count;
            entry->points = !g.indices;
            entry->centre = g.centre;
            memcpy(entry->low, g.low, sizeof g.low);
            memcpy(entry->high, g.high, sizeof g.high);
            pack_floats(&w->chunk, g.positions, 3 * (size_t)g.vertex_count, 3);
            pack_words(&w->chunk, g.indices, 3 * (size_t)g.triangle_count, 1);
            if (films) {
                flush_chunk(w, &w->size.geometry_bytes);
                write_frames(w, (uint32_t)i, &g);
                flush_chunk(w, &w->size.film_bytes);
            }
            report_geometry_free(&g);
        }
        flush_chunk(w, &w->size.geometry_bytes);
    }
    if (w->size.dropped > 0)
        note(&w->manifest,
             "%" PRIu64 " triangles or points cannot be drawn: they name vertices that are not "
             "there, or have coordinates that are not finite.",
             w->size.dropped);
}

static void pack_points(writer *w, const bw_vec3 *points, size_t count, bw_vec3 origin, size_t stride)
{
    float *values = tool_alloc(count, 3 * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[3 * i] = (float)(points[i].x - origin.x);
        values[3 * i + 1] = (float)(points[i].y - origin.y);
        values[3 * i + 2] = (float)(points[i].z - origin.z);
    }
    pack_floats(&w->chunk, values, 3 * count, stride);
    free(values);
}

static void write_findings(writer *w)
{
    const report *r = w->report;
    for (size_t i = 0; i < r->finding_count; i++) {
        const report_finding *f = &r->findings[i];
        w->manifest.findings[i] = here(w, &w->size.finding_bytes);
        if (f->segment_count > 0)
            pack_points(w, f->segments[0].ends, 2 * f->segment_count, f->place, 3);
    }
    flush_chunk(w, &w->size.finding_bytes);
}

static void write_layers(writer *w)
{
    const report *r = w->report;
    for (size_t i = 0; i < r->layer_count; i++) {
        const report_layer *layer = &r->layers[i];
        w->manifest.layers[i] = here(w, &w->size.layer_bytes);
        if (layer->point_count > 0)
            w->manifest.layer_origins[i] = layer->points[0];
        pack_points(w, layer->points, layer->point_count, w->manifest.layer_origins[i], 3);
    }
    flush_chunk(w, &w->size.layer_bytes);
}

static bool write_manifest(writer *w, fault *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        manifest_write(&w->manifest, memory);
    bool fine = memory && !ferror(memory);
    if (memory && fclose(memory) != 0)
        fine = false;
    if (!fine) {
        free(text);
        return fault_set(why, "no memory for the list of parts and clashes");
    }
    pack_bytes(&w->chunk, text, size);
    free(text);
    fprintf(w->out, "<script type=\"application/x-boxwood\" id=\"manifest\"%s>",
            PACK_DEFLATES ? " data-deflated" : "");
    w->size.finding_bytes += pack_write(&w->chunk, w->out);
    fputs("</script>\n", w->out);
    return true;
}

/* ---- the page ---- */

static void write_escaped(const char *text, FILE *out)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'' || (c < 32 && c != '\n' && c != '\t'))
            fprintf(out, "&#%d;", c < 32 ? 0xfffd : c);
        else
            fputc(c, out);
    }
}

/* For who has no scripts: names and depths. */
static void write_list(const report *r, FILE *out)
{
    fputs("<noscript><h1>", out);
    write_escaped(r->title, out);
    fputs("</h1><p>This page shows the scene in 3D where scripts are allowed.</p><table>\n"
          "<tr><th>#<th>kind<th>depth<th>part<th>part</tr>\n",
          out);
    for (size_t i = 0; i < r->finding_count && i < LISTED_WITHOUT_SCRIPTS; i++) {
        const report_finding *f = &r->findings[i];
        fprintf(out, "<tr><td>%zu<td>%s<td>%.4g<td>", i + 1, report_kind_names[f->kind],
                f->kind == REPORT_CLEARANCE ? f->distance : report_depth(f));
        write_escaped(r->parts[f->a].name, out);
        fputs("<td>", out);
        write_escaped(r->parts[f->b].name, out);
        fputs("</tr>\n", out);
    }
    fputs("</table>\n", out);
    if (r->finding_count > LISTED_WITHOUT_SCRIPTS)
        fprintf(out, "<p>and %zu more</p>\n", r->finding_count - LISTED_WITHOUT_SCRIPTS);
    fputs("</noscript>\n", out);
}

/* Counts what goes through it; pages can be written into pipes. */
static uint64_t place_of(FILE *out)
{
    long at = ftell(out);
    return at < 0 ? 0 : (uint64_t)at;
}

bool report_write_html(const report *r, FILE *out, const report_html_desc *desc, report_html_size *size,
                       fault *why)
{
    writer w = {.report = r, .out = out, .manifest = {.report = r}};
    *why->text = 0;
    w.manifest.meshes = tool_alloc(r->mesh_count, sizeof *w.manifest.meshes);
    memset(w.manifest.meshes, 0, r->mesh_count * sizeof *w.manifest.meshes);
    w.manifest.boxed = tool_alloc(r->part_count, sizeof *w.manifest.boxed);
    memset(w.manifest.boxed, 0, r->part_count * sizeof *w.manifest.boxed);
    w.manifest.findings = tool_alloc(r->finding_count, sizeof *w.manifest.findings);
    w.manifest.layers = tool_alloc(r->layer_count, sizeof *w.manifest.layers);
    w.manifest.layer_origins = tool_alloc(r->layer_count, sizeof *w.manifest.layer_origins);
    memset(w.manifest.layer_origins, 0, r->layer_count * sizeof *w.manifest.layer_origins);
    choose_boxes(&w, desc && desc->triangle_limit ? desc->triangle_limit : 4000000);
    choose_frames(&w, desc && desc->frame_bytes ? desc->frame_bytes : (uint64_t)256 << 20);

    uint64_t begin = place_of(out);
    fwrite(page_head, 1, page_head_size, out);
    write_escaped(r->title, out);
    fwrite(page_body, 1, page_body_size, out);
    write_list(r, out);
    write_meshes(&w);
    write_findings(&w);
    write_layers(&w);
    bool fine = write_manifest(&w, why);
    fwrite(page_tail, 1, page_tail_size, out);
    w.size.page_bytes = page_head_size + page_body_size + page_tail_size;
    w.size.bytes = place_of(out) - begin;
    if (size)
        *size = w.size;
    fine = fine && !ferror(out);

    for (size_t i = 0; i < w.manifest.note_count; i++)
        free(w.manifest.notes[i]);
    free(w.manifest.notes);
    free(w.manifest.meshes);
    free(w.manifest.boxed);
    free(w.manifest.findings);
    free(w.manifest.layers);
    free(w.manifest.layer_origins);
    free(w.manifest.frames);
    pack_free(&w.chunk);
    return fine;
}

bool report_html_file(const report *r, const char *file, const report_html_desc *desc, report_html_size *size,
                      fault *why)
{
    FILE *out = output_open(file, why);
    if (!out)
        return false;
    progress_step("writing %s", file);
    fault inner;
    bool whole = report_write_html(r, out, desc, size, &inner);
    progress_end();
    if (output_close(out, file, whole, why))
        return true;
    if (*inner.text)
        fault_set(why, "%s: %.4000s", file, inner.text);
    return false;
}
