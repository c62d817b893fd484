/* When to sample what a file plays: at the keys of all its channels, merged, and where paths bend in between.
 */
#include "io/sampler.h"

#include <ctype.h>
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
    if (m->clip_count == 0 && wanted)
        return fault_set(why, "%s: has no animations, so none called \"%s\"", m->file, wanted);
    uint32_t found = wanted ? m->clip_count : 0;
    for (uint32_t i = 0; wanted && i < m->clip_count && found == m->clip_count; i++)
        if (strcmp(m->clips[i].name, wanted) == 0)
            found = i;
    if (wanted && found == m->clip_count && isdigit((unsigned char)wanted[0])) {
        char *end;
        unsigned long number = strtoul(wanted, &end, 10);
        if (!*end && number >= 1 && number <= m->clip_count)
            found = (uint32_t)number - 1;
    }
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

/* How many samples there will be: before anything of that size is made. */
static double count_samples(const sampler *s, double rate, bool even)
{
    double span = s->keys[s->key_count - 1] - s->keys[0], count = 1 + (double)s->jump_count;
    if (even)
        return 1 + ceil(span * rate - 1e-6);
    for (size_t i = 1; i < s->key_count; i++)
        count += s->bends ? pieces(s->keys[i] - s->keys[i - 1], rate) : 1;
    return count;
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
        size_t jump = 0;
        for (size_t i = 0; i < s->key_count; i++) {
            double gap = i > 0 ? s->keys[i] - s->keys[i - 1] : 0,
                   n = s->bends && i > 0 ? pieces(gap, rate) : 1;
            for (double k = 1; k < n; k++) {
                double between = s->keys[i - 1] + gap * (k / n);
                if (between > p.at[p.count - 1] && between < s->keys[i])
                    add(&p, between);
            }
            add(&p, s->keys[i]);
            while (jump < s->jump_count && s->jumps[jump] < s->keys[i])
                jump++;
            if (i > 0 && jump < s->jump_count && s->jumps[jump] == s->keys[i])
                add(&p, s->keys[i]);
        }
    }
    *out = (sampler_times){p.at, (uint32_t)p.count};
    return true;
}
