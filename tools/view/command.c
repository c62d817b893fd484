/* boxwood view: a page that shows what is in files. */
#define _DEFAULT_SOURCE /* mkstemps */
#include "commands.h"
#include "io/cache.h"
#include "io/film.h"
#include "number.h"
#include "progress.h"
#include "report/glb.h"
#include "report/html.h"
#include "report/picture.h"
#include "table.h"
#include "units.h"
#include "view/layers.h"
#include "view/stores.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const option_spec options[] = {
    {"output", "FILE",
     "the page to write (default: a file in TMPDIR, or /tmp); a name that ends with\n"
     ".png makes a picture instead, one with .glb a glTF scene"},
    {"time", "T", "with .png and .glb: at that moment of the film, in seconds"},
    {"size", "WxH", "with .png: pixels (default 1200x800)"},
    {"no-open", NULL, "do not open the page, just write it"},
    {"no-layers", NULL, "just the parts: no boxes of trees, edges and self-contacts, which take time"},
    {"clip", "[FILE:]NAME",
     "which animation of FILE, by name or number from 1 (default: the first); without\n"
     "FILE, of the only one that has animations"},
    SCALE_OPTION,
    UP_OPTION,
    {"fps", "F", "frames a second of sequences and caches (default 24)"},
    {"rate", "R", "sample what is played at least so often a second (default 60)"},
    {"json", NULL, "print what was written as one JSON document"},
    {NULL, NULL, NULL}};

typedef struct view {
    model *models;
    stream *streams;
    view_stores stores; /* those of the files that are part stores: their models are empty */
    bw_transform *maps; /* of the stores, into the common space */
    bool *moved;
    int count; /* of those that are open */
    report report;
} view;

static void view_free(view *v)
{
    for (int i = 0; i < v->count; i++) {
        if (v->streams[i].close)
            stream_close(&v->streams[i]);
        model_free(&v->models[i]);
    }
    free(v->models);
    free(v->streams);
    free(v->maps);
    free(v->moved);
    report_free(&v->report);
    view_stores_free(&v->stores);
}

static bool open_files(view *v, const args *given, fault *why)
{
    animation_desc desc = {.fps = ANIMATION_FPS};
    clip_wish clips = {.names = NULL};
    bool fine = args_number(given, "fps", 1e-3, 1e6, "a number a second", &desc.fps, why) &&
                args_number(given, "rate", 1e-3, 1e6, "a number a second", &desc.rate, why) &&
                clip_wish_read(given, given->count, &clips, why);
    for (int i = 0; i < given->count && fine; i++) {
        desc.clip = clip_wish_of(&clips, i);
        progress_step("reading %s", given->names[i]);
        v->streams[i] = (stream){.frame_count = 0};
        fine = store_is(given->names[i])
                   ? view_stores_open(&v->stores, i, given->names[i], &v->models[i], why)
                   : animation_open(given->names[i], &desc, &v->models[i], &v->streams[i], why);
        progress_end();
        if (fine) {
            v->count++;
            model_warn(&v->models[i]);
        }
    }
    uint32_t *counts = tool_alloc((size_t)given->count, sizeof *counts);
    for (int i = 0; i < v->count; i++)
        counts[i] = v->models[i].clip_count;
    fine = fine && clip_wish_met(&clips, given, given->count, counts, why);
    free(counts);
    clip_wish_free(&clips);
    return fine;
}

/* Reads the films into one space. */
static bool hold_files(view *v, const args *given, fault *why)
{
    unit_wish wish;
    bool fine = unit_wish_read(given, given->count, &wish, why);
    const model **models = tool_alloc((size_t)v->count, sizeof *models);
    for (int i = 0; i < v->count; i++)
        models[i] = &v->models[i];
    units common = {.maps = NULL};
    if (fine)
        units_decide(models, v->count, &wish, &common);
    for (int i = 0; i < v->count && fine; i++) {
        v->moved[i] = common.moved[i];
        v->maps[i] = common.maps[i];
        if (view_stores_has(&v->stores, i))
            continue;
        progress_step("reading %s", v->models[i].file);
        fine = film_hold(&v->models[i], &v->streams[i], common.moved[i] ? &common.maps[i] : NULL,
                         FILM_IN_MEMORY, why);
        v->streams[i] = (stream){.frame_count = 0};
        progress_end();
    }
    v->report.unit = common.unit;
    v->report.up = common.up;
    units_free(&common);
    unit_wish_free(&wish);
    free(models);
    return fine;
}

static void add_part(view *v, int file, uint32_t part)
{
    const model *m = &v->models[file];
    report_mesh mesh = {.view = model_view(m)};
    if (m->film.frame_count > 1) {
        mesh.frame_count = m->film.frame_count;
        mesh.scalar = m->film.scalar;
        mesh.times = m->film.times;
        mesh.frames = (const void *const *)m->film.frames;
    }
    const char *name = "";
    if (m->indices) {
        mesh.view.indices += 3 * (size_t)m->parts[part].first_triangle;
        mesh.view.triangle_count = m->parts[part].triangle_count;
        name = m->parts[part].name;
    }
    report_add_part(&v->report, *name ? name : m->file, m->file, report_add_mesh(&v->report, &mesh), NULL);
}

static void fill(view *v)
{
    report *r = &v->report;
    bool moves = false;
    for (int i = 0; i < v->count; i++) {
        const model *m = &v->models[i];
        if (m->film.frame_count > 1) {
            double begin = m->film.times[0], end = m->film.times[m->film.frame_count - 1];
            r->begin = moves ? fmin(r->begin, begin) : begin;
            r->end = moves ? fmax(r->end, end) : end;
            moves = true;
        }
        if (view_stores_has(&v->stores, i))
            view_stores_fill(&v->stores, i, v->moved[i] ? &v->maps[i] : NULL, r);
        else
            for (uint32_t k = 0; k < (m->indices ? m->part_count : 1); k++)
                add_part(v, i, k);
        for (uint32_t k = 0; k < m->note_count; k++)
            report_note(r, "%s: %s", m->file, m->notes[k]);
    }
}

/* A name in the folder for temporary files; the caller frees it. */
static char *temporary(fault *why)
{
    const char *folder = getenv("TMPDIR");
    char name[4096];
    snprintf(name, sizeof name, "%s/boxwood-view-XXXXXX.html", folder && *folder ? folder : "/tmp");
    int descriptor = mkstemps(name, 5);
    if (descriptor < 0) {
        fault_set(why, "%s: %s (--output names a file)", name, strerror(errno));
        return NULL;
    }
    close(descriptor);
    return tool_copy(name);
}

/* By what the desktop opens pages with; false: there is nothing such. */
static bool open_page(const char *file)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return false;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        execlp("xdg-open", "xdg-open", file, (char *)NULL);
        _exit(127);
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void tell(const view *v, const char *file, const report_html_size *size, bool as_json)
{
    const report *r = &v->report;
    cell c[2];
    if (!as_json) {
        printf("%s: %zu part%s, %s\n", file, r->part_count, plural(r->part_count),
               bytes_cell(&c[0], (double)size->bytes));
        for (size_t i = 0; i < r->layer_count; i++)
            if (r->layers[i].role != REPORT_TREE)
                printf("  %-34s %s\n", r->layers[i].name, count_cell(&c[1], r->layers[i].count));
        return;
    }
    json_writer j = jw_start(stdout);
    jw_object(&j, NULL);
    jw_string(&j, "page", file);
    jw_count(&j, "bytes", size->bytes);
    jw_count(&j, "parts", r->part_count);
    jw_number(&j, "begin", r->begin);
    jw_number(&j, "end", r->end);
    jw_object(&j, "layers");
    for (size_t i = 0; i < r->layer_count; i++)
        jw_count(&j, r->layers[i].name, r->layers[i].count);
    jw_object_end(&j);
    jw_object_end(&j);
    jw_finish(&j);
}

static bool ends_with(const char *file, const char *ending)
{
    size_t length = strlen(file), end = strlen(ending);
    return length > end && strcasecmp(file + length - end, ending) == 0;
}

/* "1200x800". */
static bool parse_size(const args *given, report_picture_desc *out, fault *why)
{
    const char *text = args_value(given, "size"), *cross = text ? strchr(text, 'x') : NULL;
    if (!text)
        return true;
    uint64_t width = 0, height = 0;
    char first[16] = "";
    if (cross && (size_t)(cross - text) < sizeof first)
        memcpy(first, text, (size_t)(cross - text));
    if (!cross || !number_count(first, BW_DEPTH_SIZE_MAX / 2, &width) ||
        !number_count(cross + 1, BW_DEPTH_SIZE_MAX / 2, &height) || width == 0 || height == 0)
        return fault_set(why, "--size %s: not a size such as 1200x800, of at most %u pixels", text,
                         BW_DEPTH_SIZE_MAX / 2);
    out->width = (uint32_t)width;
    out->height = (uint32_t)height;
    return true;
}

/* A picture or a scene: what stands still, at a moment. */
static bool write_still(view *v, const args *given, const char *file, fault *why)
{
    report *r = &v->report;
    report_picture_desc desc = {.finding = REPORT_NO_FINDING, .at_time = true, .time = r->begin};
    if (!args_number(given, "time", r->begin, r->end, "a time of the film", &desc.time, why) ||
        !parse_size(given, &desc, why))
        return false;
    if (ends_with(file, ".png"))
        return report_png_file(r, file, &desc, why);
    r->begin = desc.time; /* a scene shows the beginning */
    return report_glb_file(r, file, why);
}

static bool write_page(view *v, const args *given, const char *file, fault *why)
{
    report_html_size size;
    if (!args_given(given, "no-layers") && !view_layers(&v->report, why))
        return false;
    if (!report_html_file(&v->report, file, NULL, &size, why))
        return false;
    tell(v, file, &size, args_given(given, "json"));
    if (!args_given(given, "no-open") && !open_page(file) && !args_given(given, "json"))
        printf("open it in a browser: there is nothing here to open it with\n");
    return true;
}

/* The name of a file for people: of MESH@CACHE, as animations are read, that of the mesh. To be freed. */
static char *shown_name(const char *file)
{
    struct stat there;
    char *name = tool_copy(file), *at = strrchr(name, '@');
    if (at && at != name && cache_is_name(at + 1) && stat(file, &there) != 0)
        *at = '\0';
    const char *slash = strrchr(name, '/');
    char *last = tool_copy(slash && slash[1] ? slash + 1 : name);
    free(name);
    return last;
}

static int run(const args *given)
{
    fault why;
    const char *wished = args_value(given, "output");
    bool still = wished && (ends_with(wished, ".png") || ends_with(wished, ".glb"));
    if (!still && (args_given(given, "time") || args_given(given, "size")))
        return complain("--time and --size go with -o FILE.png");
    if (still && ends_with(wished, ".png") && !REPORT_PNG)
        return complain("-o %s: this build writes no PNG files: it was made without libpng", wished);
    view v = {.models = tool_alloc((size_t)given->count, sizeof *v.models),
              .streams = tool_alloc((size_t)given->count, sizeof *v.streams),
              .maps = tool_alloc((size_t)given->count, sizeof *v.maps),
              .moved = tool_alloc((size_t)given->count, sizeof *v.moved)};
    view_stores_start(&v.stores, given->count);
    char title[512], *first = shown_name(given->names[0]);
    snprintf(title, sizeof title, given->count > 1 ? "%s and %d more" : "%s", first, given->count - 1);
    free(first);
    v.report = report_start("view", title);
    bool fine = open_files(&v, given, &why) && hold_files(&v, given, &why);
    char *file = !fine ? NULL : wished ? tool_copy(wished) : temporary(&why);
    fine = file != NULL;
    if (fine) {
        fill(&v);
        fine = still ? write_still(&v, given, file, &why) : write_page(&v, given, file, &why);
        if (fine && v.stores.source.failed) { /* it lacks what could not be read */
            remove(file);
            fine = fault_set(&why, "%s", v.stores.source.why.text);
        }
    }
    int result = fine ? 0 : complain("%s", why.text);
    free(file);
    view_free(&v);
    return result;
}

const command command_view = {
    "view",
    "a page that shows what is in files: parts, trees, defects, edges, animations",
    "FILE... [-o OUT.html | OUT.png | OUT.glb] [--no-open] [--no-layers] [--clip [FILE:]NAME] [--json]",
    "Writes one page that shows the parts of the files in 3D and opens it, where there is a desktop\n"
    "to do so. The page holds everything and loads nothing: it can be kept and mailed. Beside the\n"
    "parts it shows the boxes of their trees level by level, triangles without area, open edges,\n"
    "edges of more than two triangles, and where a part meets itself; animations play. A FILE is\n"
    "whatever track takes: an animated file, MESH@CACHE, NAME####.obj, or a file that stands "
    "still;\nthe parts of a part store (boxwood pack) are read one by one.\n" UNITS_HELP,
    options,
    "examples:\n"
    "  boxwood view engine.glb\n"
    "  boxwood view bunny.obj -o bunny.html --no-open\n"
    "  boxwood view walk.glb wall.obj\n"
    "  boxwood view scene:dress\n"
    "  boxwood view walk.glb -o frame.png --time 0.5 --size 800x600\n"
    "\n"
    "exit codes: 0 written, 2 error\n",
    1,
    -1,
    run};
