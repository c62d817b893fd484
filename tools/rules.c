/* Lines of rules: read, checked, kept. */
#include "rules.h"

#include "io/text.h"
#include "number.h"
#include "rules_lines.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rules *rules_create(void)
{
    rules *r = tool_alloc(1, sizeof *r);
    *r = (rules){.lines = NULL};
    return r;
}

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
}

void rules_free(rules *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->line_count; i++) {
        free_words(r->lines[i].words, r->lines[i].word_count);
        free(r->lines[i].where);
    }
    free(r->lines);
    free(r->first);
    free(r->sides);
    free(r);
}

bool rules_any(const rules *r)
{
    return r && r->line_count > 0;
}

static const struct {
    const char *word, *usage;
    size_t least, most; /* words after it */
} kinds[RULE_KINDS] = {[RULE_SET] = {"set", "set NAME PATTERN...", 2, SIZE_MAX},
                       [RULE_BETWEEN] = {"between", "between A B", 2, 2},
                       [RULE_IGNORE] = {"ignore", "ignore A", 1, 1},
                       [RULE_ALLOW] = {"allow", "allow A B", 2, 2},
                       [RULE_TOUCH] = {"touch", "touch A B [DEPTH]", 2, 3}};

static bool find_kind(const char *word, rule_kind *out)
{
    for (int i = 0; i < RULE_KINDS; i++)
        if (strcmp(word, kinds[i].word) == 0) {
            *out = (rule_kind)i;
            return true;
        }
    return false;
}

const rule_line *rules_set(const rules *r, const char *name)
{
    for (size_t i = 0; i < r->line_count; i++)
        if (r->lines[i].kind == RULE_SET && strcmp(r->lines[i].words[0], name) == 0)
            return &r->lines[i];
    return NULL;
}

/* Takes over the words, also where they are refused. words[0] is the kind. */
static bool add(rules *r, const char *where, char **words, size_t count, fault *why)
{
    rule_line line = {.where = tool_copy(where), .words = words + 1, .word_count = count - 1};
    bool fine = true;
    if (!find_kind(words[0], &line.kind))
        fine =
            fault_set(why, "%s: \"%.200s\": not one of set, between, ignore, allow, touch", where, words[0]);
    else if (count - 1 < kinds[line.kind].least || count - 1 > kinds[line.kind].most)
        fine = fault_set(why, "%s: %zu word%s after \"%s\": %s", where, count - 1, count == 2 ? "" : "s",
                         words[0], kinds[line.kind].usage);
    else if (line.kind == RULE_TOUCH && count == 4 &&
             (!number_read(words[3], &line.depth) || !(line.depth >= 0 && line.depth <= DBL_MAX)))
        fine = fault_set(why, "%s: \"%.200s\": not a depth: touch A B [DEPTH]", where, words[3]);
    const rule_line *before = fine && line.kind == RULE_SET ? rules_set(r, words[1]) : NULL;
    if (before)
        fine = fault_set(why, "%s: a set \"%.200s\" is there already: %s", where, words[1], before->where);
    if (!fine) {
        free(line.where);
        free_words(words, count);
        return false;
    }
    /* The words without their first, in a block of their own. */
    line.words = tool_alloc(line.word_count, sizeof *line.words);
    memcpy(line.words, words + 1, line.word_count * sizeof *line.words);
    free(words[0]);
    free(words);
    r->lines = tool_grow(r->lines, r->line_count, &r->line_capacity, sizeof *r->lines);
    r->lines[r->line_count++] = line;
    return true;
}

bool rules_option(rules *r, const char *option, const char *const *given, size_t count, fault *why)
{
    char **words = tool_alloc(count + 1, sizeof *words), where[64];
    words[0] = tool_copy(option);
    for (size_t i = 0; i < count; i++)
        words[i + 1] = tool_copy(given[i]);
    snprintf(where, sizeof where, "--%.48s", option);
    return add(r, where, words, count + 1, why);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The next word of a line; NULL at its end, or with a fault. */
static char *next_word(text *t, fault *why, bool *fine)
{
    const char *s = t->at;
    while (s < t->end && is_space(*s))
        s++;
    t->at = s;
    if (s == t->end || *s == '\n' || *s == '#')
        return NULL;
    bool quoted = *s == '"';
    char *word = NULL;
    size_t length = 0, capacity = 0;
    for (s += quoted;; s++) {
        bool end = s == t->end || *s == '\n';
        if (end && quoted) {
            *fine = text_fault(t, why, "a quote without its end");
            break;
        }
        if (end || (quoted ? *s == '"' : is_space(*s)))
            break;
        if (*s == 0) {
            *fine = text_fault(t, why, "a zero byte: not a text file");
            break;
        }
        if (quoted && *s == '\\' && s + 1 < t->end && (s[1] == '"' || s[1] == '\\'))
            s++;
        word = tool_grow(word, length + 1, &capacity, 1);
        word[length++] = *s;
    }
    if (*fine && quoted) {
        s++;
        if (s < t->end && !is_space(*s) && *s != '\n')
            *fine = text_fault(t, why, "a quote that ends within a word");
    }
    if (*fine && length == 0)
        *fine = text_fault(t, why, "an empty name");
    if (!*fine) {
        free(word);
        return NULL;
    }
    word[length] = 0;
    t->at = s;
    return word;
}

static bool read_line(rules *r, text *t, fault *why)
{
    char **words = NULL, *word, where[4096 + 32];
    size_t count = 0, capacity = 0;
    bool fine = true;
    while ((word = next_word(t, why, &fine))) {
        words = tool_grow(words, count, &capacity, sizeof *words);
        words[count++] = word;
    }
    if (!fine || count == 0) {
        free_words(words, count);
        return fine;
    }
    snprintf(where, sizeof where, "%.4096s:%u", t->file, t->line);
    return add(r, where, words, count, why);
}

bool rules_read_bytes(rules *r, const char *file, const char *bytes, size_t size, fault *why)
{
    text t = {.file = file, .at = bytes, .end = bytes + size, .line = 1};
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        t.at += 3;
    while (t.at < t.end) {
        if (!read_line(r, &t, why))
            return false;
        text_next_line(&t);
    }
    return true;
}

bool rules_read(rules *r, const char *file, fault *why)
{
    text whole;
    if (!text_open(strcmp(file, "-") == 0 ? "/dev/stdin" : file, &whole, why))
        return false;
    bool fine = rules_read_bytes(r, file, whole.data, whole.size, why);
    text_close(&whole);
    return fine;
}
