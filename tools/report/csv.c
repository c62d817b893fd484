/* A report as a table for spreadsheets and programs: RFC 4180. */
#include "report/write.h"

#include "json.h"
#include "printable.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_text(const char *text, bool terminal, FILE *out)
{
    if (!text)
        return;
    text = terminal ? printable(text) : text;
    fputc('"', out);
    if (*text && strchr("=+-@'\t\r", *text))
        fputc('\'', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* Nothing where it is not known. */
static void put_number(double value, bool known, FILE *out)
{
    char text[32];
    fputc(',', out);
    if (known && isfinite(value))
        fputs(number_text(value, text), out);
}

static void put_vec3(bw_vec3 v, bool known, FILE *out)
{
    put_number(v.x, known, out);
    put_number(v.y, known, out);
    put_number(v.z, known, out);
}

static void put_finding(const report *r, const report_finding *f, size_t rank, bool terminal, FILE *out)
{
    const bool deep = r->measured && f->kind != REPORT_CLEARANCE, near = f->kind == REPORT_CLEARANCE;
    const bool boxed = f->low.x <= f->high.x;
    fprintf(out, "%zu,%s,", rank + 1, report_kind_names[f->kind]);
    put_text(report_part_file(r, f->a), terminal, out);
    fputc(',', out);
    put_text(report_part_name(r, f->a), terminal, out);
    fputc(',', out);
    put_text(report_part_file(r, f->b), terminal, out);
    fputc(',', out);
    put_text(report_part_name(r, f->b), terminal, out);
    fprintf(out, ",%s", f->kind != REPORT_CONTAINED ? "" : f->b_inside ? "b" : "a");
    put_number(f->depth_lower, deep, out);
    put_number(f->depth_upper, deep, out);
    put_number(f->pierce, deep, out);
    put_vec3(f->direction, deep && isfinite(f->depth_upper), out);
    put_number(f->volume, deep && isfinite(f->volume_error), out);
    put_number(f->volume_error, deep, out);
    put_number(f->distance, near, out);
    put_vec3(f->place, true, out);
    put_vec3(f->low, boxed, out);
    put_vec3(f->high, boxed, out);
    fprintf(out, ",%" PRIu64 ",%" PRIu32, f->pair_count, f->region_count);
    put_number(f->from, f->timed, out);
    put_number(f->to, f->timed, out);
    put_number(f->deepest, f->timed && f->moment_count > 0, out);
    fprintf(out, ",%s,%s,",
            !f->timed     ? ""
            : f->at_begin ? "true"
                          : "false",
            !f->timed   ? ""
            : f->at_end ? "true"
                        : "false");
    put_text(f->detail_a, terminal, out);
    fputc(',', out);
    put_text(f->detail_b, terminal, out);
    fputs("\r\n", out);
}

void report_csv(const report *r, bool terminal, FILE *out)
{
    fputs(
        "rank,kind,file_a,name_a,file_b,name_b,inside,depth_lower,depth_upper,pierce,direction_x,direction_y,"
        "direction_z,volume,volume_error,distance,x,y,z,min_x,min_y,min_z,max_x,max_y,max_z,pairs,regions,"
        "from,to,deepest,at_begin,at_end,detail_a,detail_b\r\n",
        out);
    const report_finding *f;
    report_cursor each = report_each(r);
    for (size_t i = 0; (f = report_next(&each)); i++)
        put_finding(r, f, i, terminal, out);
}
