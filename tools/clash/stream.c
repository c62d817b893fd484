/* Clashes on their way through a sorter to the writers of a report. */
#include "clash/stream.h"

#include <stdlib.h>

/* As report_sort orders those that come by parts. */
static int compare(const void *a, const void *b)
{
    const report_key *x = a, *y = b;
    const int order = report_key_compare(x, y);
    if (order != 0)
        return order;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static bool start(void *user, fault *why)
{
    clash_stream *s = user;
    if (record_sorter_start(s->sorter, why))
        return true;
    if (!s->keep)
        return false;
    record_sorter_stay(s->sorter);
    return record_sorter_start(s->sorter, why);
}

static void let_go(clash_stream *s)
{
    if (s->given)
        report_finding_free(&s->finding);
    s->given = false;
}

static const report_finding *next(void *user, bool *failed, fault *why)
{
    clash_stream *s = user;
    size_t size, at = 0;
    clash found;
    let_go(s);
    const void *bytes = record_sorter_next(s->sorter, &size, why);
    *failed = !bytes && size > 0;
    if (!bytes)
        return NULL;
    s->encoded.size = 0;
    part_put(&s->encoded, bytes, size);
    *failed = !clash_decode(&s->encoded, &at, s->assembly->part_count, &found);
    if (*failed) {
        fault_set(why, "a finding that was put aside has changed on the disk");
        return NULL;
    }
    s->finding = clash_finding(s->assembly, &found);
    s->given = true;
    clash_free(&found);
    return &s->finding;
}

static void part(void *user, uint32_t number, const char **name, const char **file)
{
    const assembly *a = ((const clash_stream *)user)->assembly;
    *name = a->parts[number].name;
    *file = a->files[a->parts[number].file].path;
}

void clash_stream_open(clash_stream *s, const assembly *a, bool by_depth, bool keep, size_t memory)
{
    *s = (clash_stream){.assembly = a,
                        .by_depth = by_depth,
                        .keep = keep,
                        .sorter = record_sorter_create(sizeof(report_key), compare, memory),
                        .report = {.user = s, .start = start, .next = next, .part = part}};
}

bool clash_stream_add(clash_stream *s, const clash *c, fault *why)
{
    report_key key = {.a = c->a, .b = c->b};
    if (s->by_depth) {
        report_finding finding = clash_finding(s->assembly, c);
        key = report_key_of(&finding);
        report_finding_free(&finding);
    }
    s->encoded.size = 0;
    clash_encode(&s->encoded, c);
    if (!record_sorter_add(s->sorter, &key, s->encoded.bytes, s->encoded.size, why)) {
        if (!s->keep)
            return false;
        record_sorter_stay(s->sorter);
        if (!record_sorter_add(s->sorter, &key, s->encoded.bytes, s->encoded.size, why))
            return false;
    }
    s->report.kinds[clash_report_kind(c->kind)]++;
    return true;
}

void clash_stream_close(clash_stream *s)
{
    let_go(s);
    record_sorter_destroy(s->sorter);
    free(s->encoded.bytes);
    *s = (clash_stream){.assembly = NULL};
}
