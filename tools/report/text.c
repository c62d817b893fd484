/* A report for people: the worst first, rounded, a few lines each. */
#include "report/write.h"

#include "printable.h"
#include "table.h"
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* " mm", or nothing where nobody says the unit. */
static const char *unit_of(const report *r, int power, char buffer[32])
{
    static const struct {
        double metres;
        const char *name;
    } known[] = {{1, "m"},       {0.01, "cm"},   {0.001, "mm"},  {1e-6, "um"},
                 {0.0254, "in"}, {0.3048, "ft"}, {0.9144, "yd"}, {1000, "km"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (r->unit == known[i].metres) {
            snprintf(buffer, 32, " %s%s", known[i].name, power == 3 ? "3" : "");
            return buffer;
        }
    return "";
}

/* "12.5 mm deep", "8.1 mm deep (12.5 to come out)", "triangles pierce each other by 3 mm (40 to come out)". */
static void put_depth(const report *r, const report_finding *f, FILE *out)
{
    char unit[32];
    const double depth = report_depth(f), way = f->depth_upper;
    if (f->kind == REPORT_TOUCHING && !(f->depth_lower > 0))
        return;
    if (f->depth_lower > 0)
        fprintf(out, ", %.4g%s deep", depth, unit_of(r, 1, unit));
    else if (f->pierce > 0)
        fprintf(out, ", triangles pierce each other by %.4g%s", depth, unit_of(r, 1, unit));
    else if (isfinite(way))
        fprintf(out, ", at most %.4g%s deep", depth, unit_of(r, 1, unit));
    else
        fputs(", depth not known", out);
    if (isfinite(way) && way > 1.01 * depth)
        fprintf(out, " (%.4g to come out)", way);
    if (isfinite(f->volume_error) && f->volume > 0)
        fprintf(out, ", overlap %.4g%s", f->volume, unit_of(r, 3, unit));
}

static void put_name(const report *r, uint32_t part, const char *detail, FILE *out)
{
    const char *name = report_part_name(r, part);
    fprintf(out, "%s%s%s", printable(report_part_file(r, part)), *name ? ":" : "", printable(name));
    if (detail)
        fprintf(out, " (%s)", printable(detail));
}

static void put_triangle(const report_triangle *t, FILE *out)
{
    if (t->face == BW_NONE) {
        fprintf(out, "point %" PRIu64, t->index);
        return;
    }
    fprintf(out, "triangle %" PRIu64 " (face %" PRIu32, t->index, t->face);
    if (t->line > 0)
        fprintf(out, ", line %" PRIu32, t->line);
    fputc(')', out);
}

/* "triangle 3 (face 1) and triangle 8 (face 4)", and where they meet or how far they are apart. */
static void put_pair(const report_pair *p, FILE *out)
{
    put_triangle(&p->a, out);
    fputs(" and ", out);
    put_triangle(&p->b, out);
    if (p->contact.kind == BW_CONTACT_NONE) {
        fprintf(out, ": %.9g apart", p->distance);
        return;
    }
    fprintf(out, ": %s%s at", p->contact.kind == BW_CONTACT_CROSSING ? "crossing" : "touching",
            p->contact.coplanar ? " in one plane" : "");
    for (uint32_t i = 0; i < p->contact.point_count; i++)
        fprintf(out, "%s (%.9g, %.9g, %.9g)", i > 0 ? " to" : "", p->contact.points[i].x,
                p->contact.points[i].y, p->contact.points[i].z);
}

static void put_time(const report_finding *f, FILE *out)
{
    fprintf(out, ", %.6g to %.6g s%s", f->from, f->to, f->at_end ? " (the end)" : "");
    if (f->at_begin)
        fputs(", from the first frame on", out);
    if (f->moment_count > 0 && f->to > f->from)
        fprintf(out, ", deepest at %.6g s", f->deepest);
}

static void put_finding(const report *r, const report_finding *f, size_t rank, const report_desc *desc,
                        FILE *out)
{
    char unit[32];
    cell n[2];
    fprintf(out, "\n%4zu. %s", rank + 1, report_kind_names[f->kind]);
    if (f->timed)
        put_time(f, out);
    if (f->kind == REPORT_CLEARANCE)
        fprintf(out, ", %.4g%s apart", f->distance, unit_of(r, 1, unit));
    else if (r->measured)
        put_depth(r, f, out);
    fprintf(out, ", at (%.6g, %.6g, %.6g)", f->place.x, f->place.y, f->place.z);
    if (f->pair_count > 0 && (r->measured || desc->pairs))
        fprintf(out, ", %s%s pair%s of triangles", f->cut ? "at least " : "",
                count_cell(&n[0], f->pair_count), plural(f->pair_count));
    if (f->region_count > 1)
        fprintf(out, " in %s regions", count_cell(&n[1], f->region_count));
    fputs(f->cut ? " (interrupted)\n      " : "\n      ", out);
    put_name(r, f->a, f->detail_a, out);
    if (f->kind == REPORT_CONTAINED && !f->b_inside)
        fputs("  (inside)", out);
    fputs("\n      ", out);
    if (f->a == f->b)
        fputs("itself", out);
    else
        put_name(r, f->b, f->detail_b, out);
    if (f->kind == REPORT_CONTAINED && f->b_inside)
        fputs("  (inside)", out);
    fputc('\n', out);
    if (!desc->pairs)
        return;
    for (size_t i = 0; i < f->listed_count; i++) {
        fputs("        ", out);
        put_pair(&f->pairs[i], out);
        fputc('\n', out);
    }
    if (f->listed_count < f->pair_count)
        fprintf(out, "        and %s more that --limit leaves unlisted\n",
                count_cell(&n[0], f->pair_count - f->listed_count));
}

static void put_head(const report *r, FILE *out)
{
    cell n[4];
    char unit[32];
    size_t files = r->file_count - r->skipped_files;
    fprintf(out, "%s file%s, %s part%s, %s triangles and points", count_cell(&n[0], files), plural(files),
            count_cell(&n[1], r->part_count), plural(r->part_count), count_cell(&n[2], r->primitive_count));
    if (r->unit > 0)
        fprintf(out, ", in %s", units_name(r->unit, unit));
    if (r->up != MODEL_UP_UNKNOWN)
        fprintf(out, ", %s is up", units_axis(r->up));
    if (r->quarantined > 0)
        fprintf(out, ", %s of them with defects and left out", count_cell(&n[3], r->quarantined));
    if (r->skipped_files > 0)
        fprintf(out, "; %s file%s skipped", count_cell(&n[0], r->skipped_files), plural(r->skipped_files));
    if (r->skipped_parts > 0)
        fprintf(out, "; %s part%s skipped", count_cell(&n[0], r->skipped_parts), plural(r->skipped_parts));
    fputc('\n', out);
    for (size_t i = 0; i < r->note_count; i++)
        fprintf(out, "%s\n", printable(r->notes[i]));
}

static void put_sum(const report *r, FILE *out)
{
    cell n[2];
    char unit[32];
    const char *what = strcmp(r->command, "track") == 0 ? "contact" : "clash";
    const char *many = strcmp(what, "clash") == 0 ? "es" : "s";
    uint64_t kinds[REPORT_KINDS];
    report_count_kinds(r, kinds);
    const bool cut = r->looked_at < r->candidates;
    if (cut)
        fprintf(out, "interrupted when %s of %s pairs of parts had been looked at: ",
                count_cell(&n[0], r->looked_at), count_cell(&n[1], r->candidates));
    if (r->finding_count == 0) {
        fprintf(out, "no %s%s%s", what, many, cut ? " until then" : "");
    } else {
        fprintf(out, "%s %s%s:", count_cell(&n[0], r->finding_count), what,
                r->finding_count == 1 ? "" : many);
        fprintf(out, " %s hard, ", count_cell(&n[0], kinds[REPORT_HARD]));
        if (kinds[REPORT_CONTAINED] > 0)
            fprintf(out, "%s inside another, ", count_cell(&n[0], kinds[REPORT_CONTAINED]));
        fprintf(out, "%s only touching", count_cell(&n[0], kinds[REPORT_TOUCHING]));
        if (r->clearance >= 0)
            fprintf(out, ", %s apart but within %.9g%s", count_cell(&n[0], kinds[REPORT_CLEARANCE]),
                    r->clearance, unit_of(r, 1, unit));
    }
    if (r->left_by_tolerance > 0)
        fprintf(out, "; %s too shallow to count, or allowed by a rule",
                count_cell(&n[0], r->left_by_tolerance));
    if (r->left_by_rules > 0)
        fprintf(out, "; %s near pairs of parts left out by rules", count_cell(&n[0], r->left_by_rules));
    fputc('\n', out);
}

void report_text(const report *r, const report_desc *desc, FILE *out)
{
    cell n;
    put_head(r, out);
    put_sum(r, out);
    size_t shown = desc->top > 0 && desc->top < r->finding_count ? (size_t)desc->top : r->finding_count;
    const report_finding *f;
    report_cursor each = report_each(r);
    for (size_t i = 0; i < shown && (f = report_next(&each)); i++)
        put_finding(r, f, i, desc, out);
    if (shown < r->finding_count)
        fprintf(out, "\n%s more, not as %s, are left out by --top\n",
                count_cell(&n, r->finding_count - shown), r->measured ? "deep" : "early");
    for (size_t i = 0; desc->counts && i < r->count_count; i++)
        fprintf(out, "%s%-16s %.9g\n", i == 0 ? "\n" : "", r->counts[i].key, r->counts[i].value);
}
