/* The timeline as a picture: a row for each pair of objects, a bar for each contact. */
#include "track/track.h"

#include "output.h"
#include "printable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 260, RIGHT = 20, WIDTH = 900, ROW = 26, TOP = 30 };

static double across(const track *t, double time)
{
    return LEFT + (time - t->begin) / (t->end - t->begin) * (WIDTH - LEFT - RIGHT);
}

static void escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *as = *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : *text == '>' ? "&gt;" : NULL;
        if (as != NULL)
            fputs(as, out);
        else
            putc(*text, out);
    }
}

/* The name without its folders; of a long one the end, which tells more. Not within a character. */
static void short_name(FILE *out, const char *file)
{
    enum { LONGEST = 18 };
    const char *slash = strrchr(file, '/'), *name = printable(slash != NULL ? slash + 1 : file);
    size_t length = strlen(name);
    if (length > LONGEST) {
        fputs("\xE2\x80\xA6", out);
        for (name += length - LONGEST + 1; ((unsigned char)*name & 0xC0) == 0x80;)
            name++;
    }
    escaped(out, name);
}

/* A step of 1, 2 or 5 times a power of ten, about an eighth of the whole. */
static double tick_step(double whole)
{
    double step = pow(10, floor(log10(whole / 8))), part = whole / 8 / step;
    return step * (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1);
}

/* A part's name, or its file's where the file has no other. */
static const char *name_of(const track *t, uint32_t part)
{
    const track_object *o = &t->objects[t->parts[part].object];
    return o->part_count > 1 && *t->parts[part].name ? t->parts[part].name : o->model.file;
}

static void row(FILE *out, const track *t, uint32_t a, uint32_t b, int y)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, y + ROW / 2 + 4);
    short_name(out, name_of(t, a));
    fputs(" / ", out);
    if (a == b)
        fputs("itself", out);
    else
        short_name(out, name_of(t, b));
    fprintf(out, "</text>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#eef1f4\"/>\n", LEFT,
            y + 4, WIDTH - LEFT - RIGHT, ROW - 8);
    for (size_t i = 0; i < t->contact_count; i++) {
        const track_contact *c = &t->contacts[i];
        if (c->part_a != a || c->part_b != b)
            continue;
        double x = across(t, c->from), width = across(t, c->to) - x;
        fprintf(out,
                "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"#c0392b\">"
                "<title>%.9g s to %.9g s</title></rect>\n",
                x, y + 4, width < 1 ? 1 : width, ROW - 8, c->from, c->to);
    }
    for (size_t i = 0; i < t->contact_count; i++) {
        const track_contact *c = &t->contacts[i];
        if (c->part_a != a || c->part_b != b || c->moment_count == 0)
            continue;
        const track_moment *m = &c->moments[c->deepest];
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%d\" r=\"3\"><title>%.6g deep at %.9g s</title></circle>\n",
                across(t, m->time), y + ROW / 2, m->lower > 0 ? m->lower : m->pierce, m->time);
    }
}

/* The first contact of its two parts, so that each pair has one row. */
static bool is_first(const track *t, size_t contact)
{
    for (size_t i = 0; i < contact; i++)
        if (t->contacts[i].part_a == t->contacts[contact].part_a &&
            t->contacts[i].part_b == t->contacts[contact].part_b)
            return false;
    return true;
}

bool track_svg(const track *t, const char *file, fault *why)
{
    FILE *out = output_open(file, why);
    if (out == NULL)
        return false;
    int rows = 0;
    for (size_t i = 0; i < t->contact_count; i++)
        rows += is_first(t, i);
    int bottom = TOP + rows * ROW, height = bottom + 40;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"18\">contacts over "
            "time%s</text>\n",
            WIDTH, height, WIDTH, height, WIDTH, height, LEFT,
            t->measured ? ", and the deepest moment of each" : "");
    int y = TOP;
    for (size_t i = 0; i < t->contact_count; i++)
        if (is_first(t, i)) {
            row(out, t, t->contacts[i].part_a, t->contacts[i].part_b, y);
            y += ROW;
        }
    double step = tick_step(t->end - t->begin), first = ceil(t->begin / step - 1e-9);
    for (int i = 0; (first + i) * step <= t->end + 1e-9 * step; i++) {
        double time = (first + i) * step, x = across(t, time);
        fprintf(out,
                "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\" stroke=\"#888\" stroke-width=\"0.5\"/>\n"
                "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%.9g s</text>\n",
                x, TOP, x, bottom + 4, x, bottom + 18, time);
    }
    fputs("</svg>\n", out);
    return output_close(out, file, true, why);
}
