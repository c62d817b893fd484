/* What track found: for people, as JSON, as CSV. */
#include "json.h"
#include "printable.h"
#include "table.h"
#include "track.h"
#include "units.h"

#include <stdio.h>

static const char *name_of(const track *t, uint32_t object)
{
    return t->objects[object].model.file;
}

static void print_objects(const track *t)
{
    cell n;
    for (uint32_t i = 0; i < t->count; i++) {
        const track_object *o = &t->objects[i];
        printf("%u: %s, %s triangles, ", i + 1, printable(o->model.file),
               count_cell(&n, o->model.triangle_count));
        if (!o->moves)
            puts("stands still");
        else
            printf("%u keyframes, %g to %g s\n", o->model.film.frame_count, o->model.film.times[0],
                   o->model.film.times[o->model.film.frame_count - 1]);
        if (o->welded > 0)
            printf("   (vertices that are always where another is, taken as one with it: %s)\n",
                   count_cell(&n, o->welded));
    }
}

static void print_sampled(const track *t)
{
    cell n[4];
    puts("a check of single frames would have missed");
    for (int i = 0; i < TRACK_RATES; i++)
        printf("  at %d frames a second: %s of %s contact%s, %s of %s of triangles\n", track_rates[i],
               count_cell(&n[0], t->missed[i]), count_cell(&n[1], t->contact_count), plural(t->contact_count),
               count_cell(&n[2], t->missed_triangles[i]), count_cell(&n[3], t->triangle_contacts));
}

void track_text(const track *t)
{
    cell n[2];
    print_objects(t);
    if (t->contact_count == 0) {
        printf("apart from %g to %g s: no two triangles touch or cross at any time\n", t->begin, t->end);
        return;
    }
    const track_contact *first = &t->contacts[0];
    printf("first contact at %.9g s (frame %.2f at %g frames a second): %u triangle %u, %u triangle %u%s\n",
           first->from, (first->from - t->begin) * t->fps, t->fps, first->object_a + 1, first->triangle_a,
           first->object_b + 1, first->triangle_b, first->cut_start ? ", from the start" : "");
    if (t->first_only)
        return;
    printf("%s contact%s of objects, %s of triangles\n", count_cell(&n[0], t->contact_count),
           plural(t->contact_count), count_cell(&n[1], t->triangle_contacts));
    for (size_t i = 0; i < t->contact_count; i++) {
        const track_contact *c = &t->contacts[i];
        printf("  %u and %u: %.9g to %.9g s%s, up to %s pair%s of triangles at once\n", c->object_a + 1,
               c->object_b + 1, c->from, c->to, c->cut_end ? " (the end)" : "", count_cell(&n[0], c->most),
               plural(c->most));
    }
    print_sampled(t);
    for (uint32_t i = 0; i < t->deepest_count; i++) {
        const track_frame *f = &t->deepest[i];
        printf("%s %.9g s: %u and %u, %s %.6g, %s pair%s of triangles\n", i == 0 ? "deepest at" : "  then at",
               f->time, f->object_a + 1, f->object_b + 1,
               f->solid ? "a vertex is inside the other's closed surface by"
                        : "triangles pierce each other by",
               f->depth, count_cell(&n[0], f->pairs), plural(f->pairs));
    }
}

static void json_contact(json *j, const track_contact *c)
{
    json_object(j, NULL);
    json_count(j, "a", c->object_a);
    json_count(j, "b", c->object_b);
    json_number(j, "begin", c->from);
    json_number(j, "end", c->to);
    json_bool(j, "from_the_start", c->cut_start);
    json_bool(j, "to_the_end", c->cut_end);
    json_count(j, "triangle_a", c->triangle_a);
    json_count(j, "triangle_b", c->triangle_b);
    json_count(j, "most_pairs", c->most);
    json_object_end(j);
}

void track_json(const track *t)
{
    json j = json_start(stdout);
    json_object(&j, NULL);
    json_array(&j, "objects");
    for (uint32_t i = 0; i < t->count; i++) {
        json_object(&j, NULL);
        json_count(&j, "welded_vertices", t->objects[i].welded);
        json_string(&j, "file", name_of(t, i));
        json_count(&j, "triangles", t->objects[i].model.triangle_count);
        json_bool(&j, "moves", t->objects[i].moves);
        json_object_end(&j);
    }
    json_array_end(&j);
    units_json(t->unit, t->up, &j);
    json_number(&j, "begin", t->begin);
    json_number(&j, "end", t->end);
    json_bool(&j, "in_contact", t->contact_count > 0);
    json_number(&j, "first_contact", t->contact_count > 0 ? t->contacts[0].from : (double)__builtin_nanf(""));
    json_array(&j, "contacts");
    for (size_t i = 0; i < t->contact_count; i++)
        json_contact(&j, &t->contacts[i]);
    json_array_end(&j);
    if (!t->first_only) {
        json_count(&j, "triangle_contacts", t->triangle_contacts);
        json_count(&j, "triangle_instants", t->instants);
        json_array(&j, "sampled");
        for (int i = 0; i < TRACK_RATES; i++) {
            json_object(&j, NULL);
            json_count(&j, "fps", (uint64_t)track_rates[i]);
            json_count(&j, "missed", t->missed[i]);
            json_count(&j, "missed_triangles", t->missed_triangles[i]);
            json_object_end(&j);
        }
        json_array_end(&j);
        json_array(&j, "deepest");
        for (uint32_t i = 0; i < t->deepest_count; i++) {
            json_object(&j, NULL);
            json_number(&j, "time", t->deepest[i].time);
            json_count(&j, "a", t->deepest[i].object_a);
            json_count(&j, "b", t->deepest[i].object_b);
            json_number(&j, "depth", t->deepest[i].depth);
            json_string(&j, "measure", t->deepest[i].solid ? "solid" : "triangles");
            json_count(&j, "pairs", t->deepest[i].pairs);
            json_object_end(&j);
        }
        json_array_end(&j);
    }
    json_object_end(&j);
    json_finish(&j);
}

/* RFC 4180: quoted, quotes doubled. Made printable: programs that read lines, and terminals, are safe. */
static void quoted(const char *name)
{
    const char *text = printable(name);
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

void track_csv(const track *t)
{
    char from[32], to[32];
    puts("a,b,begin,end,triangle_a,triangle_b,most_pairs");
    for (size_t i = 0; i < t->contact_count; i++) {
        const track_contact *c = &t->contacts[i];
        quoted(name_of(t, c->object_a));
        putchar(',');
        quoted(name_of(t, c->object_b));
        printf(",%s,%s,%u,%u,%llu\n", number_text(c->from, from), number_text(c->to, to), c->triangle_a,
               c->triangle_b, (unsigned long long)c->most);
    }
}
