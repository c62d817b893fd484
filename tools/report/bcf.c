/* A report as BCF 2.1 (BIM Collaboration Format, buildingSMART): a zip of topics, one for each finding, with a
 * viewpoint that looks at it and selects both parts. Lengths are metres and z is up, as the format wants. A topic of the
 * same two parts has the same identifier in every report, so that programs know it again. */
#define _POSIX_C_SOURCE 200809L
#include "report/write.h"

#include "json.h"
#include "printable.h"
#include "progress.h"
#include "report/camera.h"
#include "report/picture.h"
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <zip.h>

enum { GUID = 37, MOST_LINES = 2000, WIDTH = 600, HEIGHT = 400, MANY_TRIANGLES = 300000 };

/* One file of the zip, before it is written. */
typedef struct page {
    char *text;
    size_t size, capacity;
} page;

static void put(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(page *p, const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    va_end(values);
    size_t need = p->size + (size_t)(length > 0 ? length : 0) + 1;
    while (p->capacity < need)
        p->text = tool_resize(p->text, p->capacity = p->capacity > 0 ? 2 * p->capacity : 4096, 1);
    vsnprintf(p->text + p->size, p->capacity - p->size, format, again);
    va_end(again);
    p->size = need - 1;
}

/* Text between tags: what XML does not allow is shown as it is in lines for people. */
static void put_text(page *p, const char *text)
{
    for (const char *s = printable(text); *s; s++)
        if (strncmp(s, "\xEF\xBF", 2) == 0 &&
            (unsigned char)s[2] >= 0xBE) { /* U+FFFE, U+FFFF: no characters */
            put(p, "?");
            s += 2;
        } else if (*s == '<' || *s == '>' || *s == '&' || *s == '"')
            put(p, "%s", *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '&' ? "&amp;" : "&quot;");
        else
            put(p, "%c", *s);
}

static void put_element(page *p, const char *tag, const char *text)
{
    put(p, "<%s>", tag);
    put_text(p, text);
    put(p, "</%s>", tag);
}

static void put_vec3(page *p, const char *tag, bw_vec3 v)
{
    char x[3][32];
    put(p, "<%s><X>%s</X><Y>%s</Y><Z>%s</Z></%s>", tag, number_text(v.x, x[0]), number_text(v.y, x[1]),
        number_text(v.z, x[2]), tag);
}

/* ---- identifiers ---- */

static uint64_t hash(uint64_t seed, const char *text)
{
    for (; *text; text++)
        seed = (seed ^ (unsigned char)*text) * UINT64_C(1099511628211);
    seed = (seed ^ 0xff) * UINT64_C(1099511628211); /* so that texts do not run into each other */
    return seed ^ seed >> 29;
}

/* In the form of a UUID of names (version 8, RFC 9562). */
static void make_guid(const report *r, const report_finding *f, const char *what, uint32_t again,
                      char out[GUID])
{
    const report_part *a = &r->parts[f->a], *b = &r->parts[f->b];
    char from[32] = "", number[16] = "";
    if (f->timed) /* two parts may meet several times */
        number_text(f->from, from);
    if (again > 0)
        snprintf(number, sizeof number, "%" PRIu32, again);
    const char *texts[] = {what, a->file, a->name, b->file, b->name, from, number};
    uint64_t high = UINT64_C(14695981039346656037), low = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        high = hash(high, texts[i]);
        low = hash(low, texts[i]);
    }
    snprintf(out, GUID, "%08" PRIx32 "-%04" PRIx32 "-8%03" PRIx32 "-%04" PRIx32 "-%012" PRIx64,
             (uint32_t)(high >> 32), (uint32_t)(high >> 16 & 0xffff), (uint32_t)(high & 0xfff),
             (uint32_t)(low >> 48 & 0x3fff) | 0x8000, low & UINT64_C(0xffffffffffff));
}

typedef struct entry {
    char guid[GUID];
    size_t rank;
} entry;

static int by_guid(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    int order = strcmp(p->guid, q->guid);
    return order != 0 ? order : (p->rank > q->rank) - (p->rank < q->rank);
}

/* How often a topic's two names came before it: a file that is given twice has parts of the same names. */
static uint32_t *count_again(const report *r, size_t count)
{
    entry *all = tool_alloc(count, sizeof *all);
    uint32_t *again = tool_alloc(count, sizeof *again);
    for (size_t i = 0; i < count; i++) {
        make_guid(r, &r->findings[i], "topic", 0, all[i].guid);
        all[i].rank = i;
    }
    if (count > 0)
        qsort(all, count, sizeof *all, by_guid);
    for (size_t i = 0; i < count; i++)
        again[all[i].rank] =
            i > 0 && strcmp(all[i].guid, all[i - 1].guid) == 0 ? again[all[i - 1].rank] + 1 : 0;
    free(all);
    return again;
}

/* The GlobalId that names of IFC files end with here ("IfcWall_north_0$WU4A9R19$vKWO$AdOnKA"); false: there is none. */
static bool ifc_guid(const report_part *p, char out[23])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
    size_t file = strlen(p->file), length = strlen(p->name);
    if (file < 4 || strcasecmp(p->file + file - 4, ".ifc") != 0 || length < 23 || p->name[length - 23] != '_')
        return false;
    memcpy(out, p->name + length - 22, 23);
    return strspn(out, digits) == 22 && out[0] >= '0' && out[0] <= '3';
}

/* ---- pages ---- */

static const char *date_now(char out[32])
{
    const char *fixed = getenv("SOURCE_DATE_EPOCH"); /* for builds that must repeat to the bit */
    time_t now = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    struct tm t;
    if (!gmtime_r(&now, &t) || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &t) == 0)
        snprintf(out, 32, "1970-01-01T00:00:00Z");
    return out;
}

static void put_head(page *p)
{
    put(p, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

static const char *short_name(const report_part *p)
{
    const char *whole = *p->name ? p->name : p->file, *slash = strrchr(whole, '/');
    return slash && slash[1] ? slash + 1 : whole;
}

static void put_part_line(page *p, const char *letter, const report_part *part, const char *detail)
{
    put(p, "%s: ", letter);
    put_text(p, part->file);
    put(p, "%s", *part->name ? ": " : "");
    put_text(p, part->name);
    if (detail) {
        put(p, " (");
        put_text(p, detail);
        put(p, ")");
    }
    put(p, "\n");
}

static void put_description(page *p, const report *r, const report_finding *f)
{
    char unit[32];
    const char *of = r->unit > 0 ? units_name(r->unit, unit) : "units of the file";
    put(p, "<Description>");
    put_part_line(p, "A", &r->parts[f->a], f->detail_a);
    put_part_line(p, "B", &r->parts[f->b], f->detail_b);
    if (f->kind == REPORT_CONTAINED)
        put(p, "%s is inside the other.\n", f->b_inside ? "B" : "A");
    if (f->kind == REPORT_CLEARANCE)
        put(p, "Distance: %.6g %s.\n", f->distance, of);
    else if (r->measured && isfinite(f->depth_upper))
        put(p, "Depth: %.6g %s; B comes out by %.6g along (%.3f, %.3f, %.3f).\n", report_depth(f), of,
            f->depth_upper, f->direction.x, f->direction.y, f->direction.z);
    if (isfinite(f->volume_error) && f->volume > 0)
        put(p, "Overlap: %.6g cubic %s.\n", f->volume, of);
    if (f->timed)
        put(p, "From %.6g to %.6g s.\n", f->from, f->to);
    if (f->segment_count > MOST_LINES)
        put(p, "The first %d of %zu lines in which they meet are in the viewpoint.\n", MOST_LINES,
            f->segment_count);
    put(p, "At (%.9g, %.9g, %.9g).</Description>\n", f->place.x, f->place.y, f->place.z);
}

static void make_markup(const report *r, size_t rank, const char *guid, const char *view, const char *date,
                        page *p)
{
    const report_finding *f = &r->findings[rank];
    const report_part *parts[2] = {&r->parts[f->a], &r->parts[f->b]};
    put_head(p);
    put(p, "<Markup>\n<Header>\n");
    for (int k = 0; k < 2; k++) {
        if (k == 1 && strcmp(parts[0]->file, parts[1]->file) == 0)
            break;
        put(p, "<File isExternal=\"true\">");
        put_element(p, "Filename", parts[k]->file);
        put(p, "</File>\n");
    }
    put(p, "</Header>\n<Topic Guid=\"%s\" TopicType=\"Clash\" TopicStatus=\"Open\">\n", guid);
    put(p, "<Title>%s: ", report_kind_names[f->kind]);
    put_text(p, short_name(parts[0]));
    put(p, " / ");
    put_text(p, short_name(parts[1]));
    put(p, "</Title>\n<Index>%zu</Index>\n<Labels>%s</Labels>\n", rank, report_kind_names[f->kind]);
    put(p, "<CreationDate>%s</CreationDate>\n<CreationAuthor>boxwood</CreationAuthor>\n", date);
    put_description(p, r, f);
    put(p, "</Topic>\n<Viewpoints Guid=\"%s\">\n<Viewpoint>viewpoint.bcfv</Viewpoint>\n", view);
    if (REPORT_PNG)
        put(p, "<Snapshot>snapshot.png</Snapshot>\n");
    put(p, "<Index>0</Index>\n</Viewpoints>\n</Markup>\n");
}

static void put_component(page *p, const report_part *part)
{
    char guid[23];
    put(p, "<Component");
    if (ifc_guid(part, guid))
        put(p, " IfcGuid=\"%s\"", guid);
    put(p, ">");
    put_element(p, "OriginatingSystem", part->file);
    put_element(p, "AuthoringToolId", *part->name ? part->name : part->file);
    put(p, "</Component>");
}

/* Into metres, z up. */
static bw_transform to_bcf(const report *r)
{
    bw_transform map = units_to_z_up(r->up);
    double factor = r->unit > 0 ? r->unit : 1;
    for (int i = 0; i < 9; i++)
        map.m[i / 3][i % 3] *= factor;
    return map;
}

static void make_viewpoint(const report *r, const report_finding *f, const char *guid, page *p)
{
    static const char *const colours[2] = {"FFD04020", "FF2060D0"};
    const report_part *parts[2] = {&r->parts[f->a], &r->parts[f->b]};
    const int count = f->a == f->b ? 1 : 2;
    const report_camera c = report_camera_of(r, f);
    const bw_transform map = to_bcf(r), turn = units_to_z_up(r->up);
    put_head(p);
    put(p, "<VisualizationInfo Guid=\"%s\">\n<Components>\n<Selection>", guid);
    for (int k = 0; k < count; k++)
        put_component(p, parts[k]);
    put(p, "</Selection>\n<Visibility DefaultVisibility=\"true\"/>\n<Coloring>");
    for (int k = 0; k < count; k++) {
        put(p, "<Color Color=\"%s\">", colours[k]);
        put_component(p, parts[k]);
        put(p, "</Color>");
    }
    put(p, "</Coloring>\n</Components>\n<PerspectiveCamera>");
    put_vec3(p, "CameraViewPoint", bw_transform_point(&map, c.eye));
    put_vec3(p, "CameraDirection", bw_transform_point(&turn, c.look));
    put_vec3(p, "CameraUpVector", bw_transform_point(&turn, c.up));
    put(p, "<FieldOfView>%g</FieldOfView></PerspectiveCamera>\n", c.angle);
    size_t lines = f->segment_count < MOST_LINES ? f->segment_count : MOST_LINES;
    if (lines > 0)
        put(p, "<Lines>");
    for (size_t i = 0; i < lines; i++) {
        put(p, "<Line>");
        put_vec3(p, "StartPoint", bw_transform_point(&map, f->segments[i].ends[0]));
        put_vec3(p, "EndPoint", bw_transform_point(&map, f->segments[i].ends[1]));
        put(p, "</Line>\n");
    }
    if (lines > 0)
        put(p, "</Lines>\n");
    put(p, "</VisualizationInfo>\n");
}

/* ---- the zip ---- */

static bool add_file(zipFile zip, const char *name, const void *data, size_t size)
{
    const zip_fileinfo info = {.tmz_date = {.tm_mday = 1, .tm_year = 1980}};
    if (zipOpenNewFileInZip(zip, name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED, Z_DEFAULT_COMPRESSION) !=
        ZIP_OK)
        return false;
    bool fine = zipWriteInFileInZip(zip, data, (unsigned)size) == ZIP_OK;
    return zipCloseFileInZip(zip) == ZIP_OK && fine;
}

static bool add_page(zipFile zip, const char *folder, const char *name, page *p)
{
    char path[64];
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    bool fine = add_file(zip, path, p->text, p->size);
    p->size = 0;
    return fine;
}

/* What the viewpoint shows; of large scenes the two parts alone. */
static bool add_picture(zipFile zip, const report *r, size_t rank, const char *folder)
{
    const report_picture_desc desc = {
        .width = WIDTH, .height = HEIGHT, .finding = rank, .alone = r->primitive_count > MANY_TRIANGLES};
    fault why;
    page p = {.text = NULL};
    FILE *out = tmpfile();
    bool fine = out && report_write_png(r, out, &desc, &why) && fflush(out) == 0;
    long size = fine ? ftell(out) : -1;
    if (size > 0) {
        p.text = tool_alloc((size_t)size, 1);
        rewind(out);
        p.size = fread(p.text, 1, (size_t)size, out);
    }
    if (out)
        fclose(out);
    fine = size > 0 && p.size == (size_t)size && add_page(zip, folder, "snapshot.png", &p);
    free(p.text);
    return fine;
}

static bool add_topic(zipFile zip, const report *r, size_t rank, uint32_t again, const char *date, page *p)
{
    const report_finding *f = &r->findings[rank];
    char guid[GUID], view[GUID];
    make_guid(r, f, "topic", again, guid);
    make_guid(r, f, "viewpoint", again, view);
    make_markup(r, rank, guid, view, date, p);
    bool fine = add_page(zip, guid, "markup.bcf", p);
    make_viewpoint(r, f, view, p);
    fine = fine && add_page(zip, guid, "viewpoint.bcfv", p);
    progress_done(1);
    return fine && (!REPORT_PNG || add_picture(zip, r, rank, guid));
}

bool report_bcf(const report *r, const report_desc *desc, const char *file, fault *why)
{
    page p = {.text = NULL};
    char date[32];
    zipFile zip = zipOpen64(file, APPEND_STATUS_CREATE);
    if (!zip)
        return fault_set(why, "%s: cannot be written", file);
    put_head(&p);
    put(&p, "<Version VersionId=\"2.1\"><DetailedVersion>2.1</DetailedVersion></Version>\n");
    bool fine = add_page(zip, "", "bcf.version", &p);
    date_now(date);
    size_t count = desc->top > 0 && desc->top < r->finding_count ? (size_t)desc->top : r->finding_count;
    uint32_t *again = count_again(r, count);
    progress_step("writing %s", file);
    progress_total(count);
    for (size_t i = 0; i < count && fine; i++)
        fine = add_topic(zip, r, i, again[i], date, &p);
    progress_end();
    free(again);
    free(p.text);
    fine = zipClose(zip, NULL) == ZIP_OK && fine;
    if (!fine)
        remove(file);
    return fine || fault_set(why, "%s: could not be written", file);
}
