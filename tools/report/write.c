/* Which writer for which file. */
#define _POSIX_C_SOURCE 200809L
#include "report/write.h"

#include "output.h"
#include "report/glb.h"
#include "report/html.h"
#include "report/picture.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef bool write_fn(const report *report, const report_desc *desc, const char *file, fault *why);

static bool write_stream(const report *r, const report_desc *desc, const char *file, fault *why,
                         void (*put)(const report *, const report_desc *, FILE *))
{
    FILE *out = output_open(file, why);
    if (!out)
        return false;
    put(r, desc, out);
    return output_close(out, file, true, why);
}

static bool write_text(const report *r, const report_desc *desc, const char *file, fault *why)
{
    return write_stream(r, desc, file, why, report_text);
}

static bool write_json(const report *r, const report_desc *desc, const char *file, fault *why)
{
    return write_stream(r, desc, file, why, report_json);
}

static void put_csv(const report *r, const report_desc *desc, FILE *out)
{
    (void)desc;
    report_csv(r, false, out);
}

static bool write_csv(const report *r, const report_desc *desc, const char *file, fault *why)
{
    return write_stream(r, desc, file, why, put_csv);
}

static bool write_html(const report *r, const report_desc *desc, const char *file, fault *why)
{
    (void)desc;
    return report_html_file(r, file, NULL, NULL, why);
}

static bool write_glb(const report *r, const report_desc *desc, const char *file, fault *why)
{
    (void)desc;
    return report_glb_file(r, file, why);
}

static bool write_png(const report *r, const report_desc *desc, const char *file, fault *why)
{
    if (desc->picture > r->finding_count && r->finding_count > 0)
        return fault_set(why, "--picture %" PRIu64 ": there are %zu findings", desc->picture,
                         r->finding_count);
    bool all = desc->picture == 0 || r->finding_count == 0;
    report_picture_desc picture = {.finding = all ? REPORT_NO_FINDING : (size_t)(desc->picture - 1)};
    return report_png_file(r, file, &picture, why);
}

#ifdef BOXWOOD_ZIP
#    define WRITE_BCF report_bcf, true, NULL
#else
#    define WRITE_BCF NULL, true, "minizip"
#endif

static const struct {
    const char *extension;
    write_fn *write;
    bool curves;
    const char *missing; /* what this build is without; NULL: nothing */
} writers[] = {{".txt", write_text, false, NULL},
               {".json", write_json, false, NULL},
               {".csv", write_csv, false, NULL},
               {".bcf", WRITE_BCF},
               {".bcfzip", WRITE_BCF},
               {".html", write_html, true, NULL},
               {".glb", write_glb, true, NULL},
               {".png", write_png, true, REPORT_PNG ? NULL : "libpng"}};
enum { WRITERS = sizeof writers / sizeof *writers };

static int find_writer(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash + 1 : file, '.');
    for (int i = 0; dot && i < WRITERS; i++)
        if (strcasecmp(dot, writers[i].extension) == 0)
            return i;
    return -1;
}

bool report_outputs_check(const args *given, bool *curves, fault *why)
{
    const char *file;
    *curves = false;
    for (int i = 0; (file = args_each(given, "output", i)); i++) {
        int writer = find_writer(file);
        if (writer < 0)
            return fault_set(why, "-o %s: no format has such a name: %s", file, REPORT_FORMATS);
        if (writers[writer].missing)
            return fault_set(why, "-o %s: this build was made without %s, which writes such files", file,
                             writers[writer].missing);
        *curves |= writers[writer].curves;
    }
    uint64_t picture;
    if (!args_count(given, "picture", 0, UINT64_MAX, &picture, why))
        return false;
    if (args_given(given, "json") && args_given(given, "csv"))
        return fault_set(why, "--csv and --json: one of them");
    return true;
}

static bool read_whole(const report *r, fault *why)
{
    if (r->stream && r->stream->failed)
        return fault_set(why, "%s", r->stream->why.text);
    return !(r->source && r->source->failed) || fault_set(why, "%s", r->source->why.text);
}

bool report_output(const report *r, const args *given, const report_desc *desc, fault *why)
{
    const char *file;
    report_desc own = *desc;
    own.picture = 1;
    if (!args_count(given, "picture", 0, UINT64_MAX, &own.picture, why))
        return false;
    for (int i = 0; (file = args_each(given, "output", i)); i++) {
        if (!writers[find_writer(file)].write(r, &own, file, why))
            return false;
        if (!read_whole(r, why)) { /* it lacks what could not be read */
            remove(file);
            return false;
        }
    }
    if (args_given(given, "json"))
        report_json(r, desc, stdout);
    else if (args_given(given, "csv"))
        report_csv(r, isatty(fileno(stdout)) == 1, stdout);
    else
        report_text(r, desc, stdout);
    return read_whole(r, why);
}
