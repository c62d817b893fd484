/* Any bytes as a file of rules: they are refused by file and line, or judge every pair the same both ways round. */
#include "fuzz/bytes.h"

#include "rules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool good)
{
    if (!good)
        abort();
}

static void judge_all(const rules *r, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            double there = -1, back = -1;
            rules_verdict verdict = rules_judge(r, i, j, &there);
            need(rules_judge(r, j, i, &back) == verdict && there == back);
            need((verdict == RULES_TOUCH) == (there >= 0));
            need((rules_uses(r, i) && rules_uses(r, j)) || verdict == RULES_ASIDE);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rules_part parts[] = {
        {"a.obj", ""},          {"folder/b.glb", "pipe"}, {"folder/b.glb", "pipe/bolt[1]"},
        {"c d.stl", "a \"b\""}, {"c d.stl", "#"},         {"-", "x/y/z"}};
    enum { COUNT = sizeof parts / sizeof *parts };
    char *copy = tool_alloc(size + 1, 1); /* a block of its own, so that reading past its end is seen */
    memcpy(copy, data, size);
    copy[size] = 0;
    fault why = {""};
    rules *r = rules_create();
    bool fine = rules_read_bytes(r, "f.rules", copy, size, &why);
    if (!fine)
        need(strncmp(why.text, "f.rules:", 8) == 0);
    free(copy);
    fine = fine && rules_resolve(r, parts, COUNT, &why);
    if (fine)
        judge_all(r, COUNT);
    else
        need(strncmp(why.text, "f.rules:", 8) == 0);
    rules_free(r);
    return 0;
}
