/* When to sample what a file plays: at the keys of all its channels, merged, and where paths bend in between.
 */
#include "io/sampler.h"

#include "number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

size_t sampler_merge(double *times, size_t count)
{
    size_t finite = 0, kept = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(times[i]))
            times[finite++] = times[i];
    if (finite == 0)
        return 0;
    qsort(times, finite, sizeof *times, compare_times);
    for (size_t i = 0; i < finite; i++)
        if (i == 0 || times[i] > times[kept - 1])
            times[kept++] = times[i];
    return kept;
}

bool sampler_find_clip(const model *m, const char *wanted, uint32_t *out, fault *why)
{
    *out = 0;
    if (m->clip_count == 0)
        return true;
    uint32_t found = wanted ? m->clip_count : 0;
    for (uint32_t i = 0; wanted && i < m->clip_count && found == m->clip_count; i++)
        if (strcmp(m->clips[i].name, wanted) == 0)
            found = i;
    uint64_t number;
    if (wanted && found == m->clip_count && number_count(wanted, m->clip_count, &number) && number >= 1)
        found = (uint32_t)number - 1;
    if (wanted && found == m->clip_count) {
        char known[1024] = "";
        for (uint32_t i = 0; i < m->clip_count && strlen(known) + 100 < sizeof known; i++)
            snprintf(known + strlen(known), sizeof known - strlen(known), " \"%.90s\"", m->clips[i].name);
        return fault_set(why, "%s: no animation \"%s\"; there are %" PRIu32 ":%s", m->file, wanted,
                         m->clip_count, known);
    }
    *out = found;
    return true;
}

void sampler_close(sampler *s)
{
    if (s->close)
        s->close(s->self);
    free(s->keys);
    free(s->jumps);
    *s = (sampler){.keys = NULL};
}

typedef struct plan {
    double *at;
    size_t count, capacity;
} plan;

static void add(plan *p, double time)
{
    p->at = tool_grow(p->at, p->count, &p->capacity, sizeof *p->at);
    p->at[p->count++] = time;
}

/* How many steps of at most 1 / rate a gap takes; roundings do not add one. */
static double pieces(double gap, double rate)
{
    return fmax(1, ceil(gap * rate - 1e-6));
}

/* How many samples there will be at most: before anything of that size is made. */
static double count_samples(const sampler *s, double rate, bool even)
{
    double span = s->keys[s->key_count - 1] - s->keys[0], count = 1 + (double)s->jump_count;
    if (even)
        return 1 + ceil(span * rate - 1e-6);
    for (size_t i = 1; i < s->key_count; i++)
        count += s->bends ? pieces(s->keys[i] - s->keys[i - 1], rate) : 1;
    return count;
}

/* Every key, those that differ by roundings once, and between them what bends. */
static void plan_keys(const sampler *s, double rate, plan *p)
{
    const double same = 1e-9 * (s->keys[s->key_count - 1] - s->keys[0]);
    size_t jump = 0;
    add(p, s->keys[0]);
    for (size_t i = 1; i < s->key_count; i++) {
        const double key = s->keys[i], from = p->at[p->count - 1], gap = key - from;
        while (jump < s->jump_count && s->jumps[jump] < key)
            jump++;
        bool jumps = jump < s->jump_count && s->jumps[jump] == key;
        if (gap <= same && !jumps)
            continue;
        double n = s->bends ? pieces(gap, rate) : 1;
        for (double k = 1; k < n; k++) {
            double between = from + gap * (k / n);
            if (between > p->at[p->count - 1] && between < key)
                add(p, between);
        }
        add(p, key);
        if (jumps)
            add(p, key);
    }
}

bool sampler_plan(const sampler *s, const char *file, double rate, bool even, sampler_times *out, fault *why)
{
    *out = (sampler_times){NULL, 0};
    if (s->key_count == 0)
        return true;
    double count = count_samples(s, rate, even);
    if (!(count < UINT32_MAX))
        return fault_set(why, "%s: from %g to %g s, %g times a second, are %.3g samples: more than 2^32",
                         file, s->keys[0], s->keys[s->key_count - 1], rate, count);
    plan p = {.at = NULL};
    if (even) {
        for (uint32_t i = 0; i < (uint32_t)count; i++)
            add(&p, s->keys[0] + (double)i / rate);
    } else {
        plan_keys(s, rate, &p);
    }
    *out = (sampler_times){p.at, (uint32_t)p.count};
    return true;
}
