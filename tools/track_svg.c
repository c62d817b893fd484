/* The timeline as a picture: a row for each pair of objects, a bar for each contact. */
#include "track.h"

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

static void row(FILE *out, const track *t, uint32_t a, uint32_t b, int y)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, y + ROW / 2 + 4);
    short_name(out, t->objects[a].model.file);
    fputs(" / ", out);
    if (a == b)
        fputs("itself", out);
    else
        short_name(out, t->objects[b].model.file);
    fprintf(out, "</text>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#eef1f4\"/>\n", LEFT,
            y + 4, WIDTH - LEFT - RIGHT, ROW - 8);
    for (size_t i = 0; i < t->contact_count; i++) {
        const track_contact *c = &t->contacts[i];
        if (c->object_a != a || c->object_b != b)
            continue;
        double x = across(t, c->from), width = across(t, c->to) - x;
        fprintf(out,
                "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"#c0392b\">"
                "<title>%.9g s to %.9g s</title></rect>\n",
                x, y + 4, width < 1 ? 1 : width, ROW - 8, c->from, c->to);
    }
    for (uint32_t i = 0; i < t->deepest_count; i++) {
        const track_frame *f = &t->deepest[i];
        if (f->object_a == a && f->object_b == b)
            fprintf(out,
                    "<circle cx=\"%.2f\" cy=\"%d\" r=\"3\"><title>%.6g deep at %.9g s</title></circle>\n",
                    across(t, f->time), y + ROW / 2, f->depth, f->time);
    }
}

bool track_svg(const track *t, const char *file, fault *why)
{
    FILE *out = output_open(file, why);
    if (out == NULL)
        return false;
    int rows = 0;
    for (uint32_t a = 0; a < t->count; a++)
        rows += (int)(t->count - a) - (t->self ? 0 : 1);
    int bottom = TOP + rows * ROW, height = bottom + 40;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"18\">contacts over "
            "time%s</text>\n",
            WIDTH, height, WIDTH, height, WIDTH, height, LEFT,
            t->deepest_count > 0 ? ", and the deepest frames" : "");
    int y = TOP;
    for (uint32_t a = 0; a < t->count; a++)
        for (uint32_t b = t->self ? a : a + 1; b < t->count; b++, y += ROW)
            row(out, t, a, b, y);
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
