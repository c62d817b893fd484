/* Which parts the patterns of rules mean, and what the rules say of two parts. */
#define _POSIX_C_SOURCE 200809L
#include "rules.h"

#include "rules_lines.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a pattern may be compared with, of all parts: sorted, so that plain names among thousands are found at
 * once. */
typedef struct key {
    char *text;
    uint32_t part;
} key;

typedef struct keys {
    key *list;
    size_t count, capacity;
    const rules *rules;
    uint32_t part_count;
    bool *hit; /* by part: of the pattern or set at hand */
} keys;

static int by_text(const void *a, const void *b)
{
    const key *p = a, *q = b;
    int order = strcmp(p->text, q->text);
    return order != 0 ? order : (p->part > q->part) - (p->part < q->part);
}

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void add_key(keys *k, uint32_t part, const char *file, const char *name)
{
    bool both = file && name;
    size_t size = (file ? strlen(file) : 0) + (name ? strlen(name) : 0) + 2;
    char *text = tool_alloc(size, 1);
    snprintf(text, size, "%s%s%s", file ? file : "", both ? ":" : "", name ? name : "");
    k->list = tool_grow(k->list, k->count, &k->capacity, sizeof *k->list);
    k->list[k->count++] = (key){text, part};
}

static void add_keys(keys *k, const rules_part *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *file = parts[i].file, *name = parts[i].name, *bare = last_of(file);
        add_key(k, i, file, NULL);
        if (bare != file)
            add_key(k, i, bare, NULL);
        if (!*name)
            continue;
        add_key(k, i, NULL, name);
        if (last_of(name) != name)
            add_key(k, i, NULL, last_of(name));
        add_key(k, i, file, name);
        if (bare != file)
            add_key(k, i, bare, name);
    }
    if (k->count > 0)
        qsort(k->list, k->count, sizeof *k->list, by_text);
}

/* Marks the parts that a pattern means. A name that is there to the letter is meant, whatever stands in it. */
static bool mark_pattern(keys *k, const char *pattern)
{
    bool any = false;
    size_t low = 0, high = k->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(k->list[middle].text, pattern) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < k->count && strcmp(k->list[low].text, pattern) == 0; low++)
        any = k->hit[k->list[low].part] = true;
    for (size_t i = 0; strpbrk(pattern, "*?[\\") && i < k->count; i++)
        if (!k->hit[k->list[i].part] && fnmatch(pattern, k->list[i].text, 0) == 0)
            any = k->hit[k->list[i].part] = true;
    return any;
}

static bool nothing(const rule_line *line, const char *pattern, fault *why)
{
    return fault_set(why, "%s: no part is called \"%.400s\" or matches it", line->where, pattern);
}

/* Marks what a word of a line means: a set, or a pattern. */
static bool mark(keys *k, const rule_line *line, const char *word, fault *why)
{
    const rule_line *set = rules_set(k->rules, word);
    bool fine = true;
    if (!set || set == line)
        return mark_pattern(k, word) || nothing(line, word, why);
    for (size_t i = 1; i < set->word_count && fine; i++)
        fine = mark_pattern(k, set->words[i]) || nothing(set, set->words[i], why);
    return fine;
}

static bool take_side(rules *r, keys *k, uint32_t line, uint32_t side, fault *why)
{
    memset(k->hit, 0, k->part_count * sizeof *k->hit);
    if (!mark(k, &r->lines[line], r->lines[line].words[side], why))
        return false;
    for (uint32_t i = 0; i < k->part_count; i++) {
        if (!k->hit[i])
            continue;
        r->sides = tool_grow(r->sides, r->side_count, &r->side_capacity, sizeof *r->sides);
        r->sides[r->side_count++] = (rule_side){i, line, side};
    }
    return true;
}

static int by_part(const void *a, const void *b)
{
    const rule_side *p = a, *q = b;
    if (p->part != q->part)
        return p->part < q->part ? -1 : 1;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    return (p->side > q->side) - (p->side < q->side);
}

/* Every pattern of a set must mean something, also of one that no line uses. */
static bool check_set(keys *k, const rule_line *set, fault *why)
{
    for (size_t i = 1; i < set->word_count; i++) {
        if (rules_set(k->rules, set->words[i]))
            return fault_set(why, "%s: \"%.200s\" is a set: sets are made of patterns", set->where,
                             set->words[i]);
        memset(k->hit, 0, k->part_count * sizeof *k->hit);
        if (!mark_pattern(k, set->words[i]))
            return nothing(set, set->words[i], why);
    }
    return true;
}

bool rules_resolve(rules *r, const rules_part *parts, uint32_t count, fault *why)
{
    keys k = {.rules = r, .part_count = count, .hit = tool_alloc(count, sizeof *k.hit)};
    bool fine = true;
    add_keys(&k, parts, count);
    for (uint32_t i = 0; i < r->line_count && fine; i++) {
        const rule_line *line = &r->lines[i];
        r->between |= line->kind == RULE_BETWEEN;
        if (line->kind == RULE_SET)
            fine = check_set(&k, line, why);
        for (uint32_t side = 0; line->kind != RULE_SET && side < (line->kind == RULE_IGNORE ? 1 : 2) && fine;
             side++)
            fine = take_side(r, &k, i, side, why);
    }
    if (r->side_count > 0)
        qsort(r->sides, r->side_count, sizeof *r->sides, by_part);
    r->part_count = count;
    r->first = tool_resize(r->first, (size_t)count + 1, sizeof *r->first);
    for (size_t i = 0, at = 0; i <= count; i++) {
        while (at < r->side_count && r->sides[at].part < i)
            at++;
        r->first[i] = at;
    }
    for (size_t i = 0; i < k.count; i++)
        free(k.list[i].text);
    free(k.list);
    free(k.hit);
    return fine;
}

bool rules_uses(const rules *r, uint32_t part)
{
    if (!rules_any(r))
        return true;
    bool between = !r->between;
    for (size_t i = r->first[part]; i < r->first[part + 1]; i++) {
        rule_kind kind = r->lines[r->sides[i].line].kind;
        if (kind == RULE_IGNORE)
            return false;
        between |= kind == RULE_BETWEEN;
    }
    return between;
}

rules_verdict rules_judge(const rules *r, uint32_t a, uint32_t b, double *depth)
{
    if (!rules_any(r))
        return RULES_COUNT;
    if (!rules_uses(r, a) || !rules_uses(r, b))
        return RULES_ASIDE;
    bool between = !r->between, allowed = false, touch = false;
    double most = 0;
    size_t i = r->first[a], j = r->first[b];
    while (i < r->first[a + 1] && j < r->first[b + 1]) {
        uint32_t line = r->sides[i].line;
        if (line != r->sides[j].line) {
            if (line < r->sides[j].line)
                i++;
            else
                j++;
            continue;
        }
        unsigned of_a = 0, of_b = 0; /* bits of the sides that the part is of */
        for (; i < r->first[a + 1] && r->sides[i].line == line; i++)
            of_a |= 1U << r->sides[i].side;
        for (; j < r->first[b + 1] && r->sides[j].line == line; j++)
            of_b |= 1U << r->sides[j].side;
        if (!((of_a & 1U && of_b & 2U) || (of_a & 2U && of_b & 1U)))
            continue;
        const rule_line *rule = &r->lines[line];
        between |= rule->kind == RULE_BETWEEN;
        allowed |= rule->kind == RULE_ALLOW;
        if (rule->kind == RULE_TOUCH) {
            touch = true;
            most = fmax(most, rule->depth);
        }
    }
    if (!between)
        return RULES_ASIDE;
    if (allowed)
        return RULES_ALLOWED;
    if (touch)
        *depth = most;
    return touch ? RULES_TOUCH : RULES_COUNT;
}
