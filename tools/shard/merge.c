/* boxwood merge: the files of clash --shard or track --shard put together into the report that one run would have given. */
#include "shard/merge.h"

#include "commands.h"
#include "progress.h"
#include "report/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    REPORT_OPTIONS,
    {"store", "FILE", "of a clash: the part store, where it is not where the shards found it"},
    {"svg", "OUT.svg", "of a track: draw the timeline"},
    {"memory", "BYTES",
     "of a clash: memory for findings, such as 512M or 2G (default 256M); what does not fit is\n"
     "sorted in a file in TMPDIR, or /var/tmp"},
    {"threads", "N",
     "of a track: threads for what is measured across the borders of shards; as many as\n"
     "there are processors if not given"},
    {"counts", NULL, "say how many pairs were looked at"},
    {NULL, NULL, NULL}};

/* Which file is which shard. Everything that is wrong is said, not only the first. */
static bool list_shards(merge_job *m)
{
    bool fine = true, first = true;
    for (int i = 0; i < m->given->count; i++) {
        const char *file = m->given->names[i];
        part_head head;
        char *words = NULL;
        fault why;
        if (!part_read_head(file, &head, &words, &why)) {
            complain("%s: run its shard again", why.text);
            fine = false;
            continue;
        }
        if (first) {
            m->head = head;
            m->of = tool_alloc(head.shards, sizeof *m->of);
            memset(m->of, 0, head.shards * sizeof *m->of);
        } else if (!part_same_work(&m->head, &head)) {
            complain("%s: is of other files, other options or another number of shards than %s", file,
                     m->given->names[0]);
            fine = false;
        }
        if ((first || fine) && head.shard < m->head.shards) {
            if (m->of[head.shard]) {
                complain("%s and %s: both are shard %" PRIu32 " of %" PRIu32, m->of[head.shard], file,
                         head.shard + 1, head.shards);
                fine = false;
            }
            m->of[head.shard] = file;
        }
        first = false;
        free(words);
    }
    return fine && !first;
}

/* Of a clash the store, of a track its arguments. */
static void print_words(const merge_job *m, char *out, size_t size)
{
    size_t length = 0;
    out[0] = 0;
    for (size_t at = 0; at < m->head.word_bytes && length + 3 < size; at += strlen(m->words + at) + 1)
        length += (size_t)snprintf(out + length, size - length, "%s%s", at > 0 ? " " : "", m->words + at);
}

static bool name_missing(merge_job *m)
{
    bool fine = true;
    char words[2048] = "";
    fault why;
    for (uint32_t i = 0; i < m->head.shards; i++) {
        if (m->of[i] && !m->words) {
            if (!part_read_head(m->of[i], &m->head, &m->words, &why))
                return complain("%s", why.text) == 0;
            print_words(m, words, sizeof words);
        }
    }
    for (uint32_t i = 0; i < m->head.shards; i++)
        if (!m->of[i]) {
            bool track = m->head.flags & PART_TRACK;
            complain("shard %" PRIu32 " of %" PRIu32 " is missing: boxwood %s --shard %" PRIu32 "/%" PRIu32
                     " -o FILE %s%s",
                     i + 1, m->head.shards, track ? "track" : "clash", i + 1, m->head.shards, words,
                     track ? "" : ", with the options of the others");
            fine = false;
        }
    return fine;
}

bool merge_read(const merge_job *m, part_take_fn *take, void *user, fault *why)
{
    bool fine = true;
    progress_step("reading %" PRIu32 " shards", m->head.shards);
    progress_total(m->head.shards);
    for (uint32_t i = 0; i < m->head.shards; i++) {
        part_head head;
        bool complete = false;
        uint64_t good;
        fault broken, cause;
        if (!part_read(m->of[i], &head, &complete, &good, take, user, &broken, &cause)) {
            complain("%s", cause.text);
            fine = false;
        } else if (!complete) {
            complain("%s: shard %" PRIu32 " of %" PRIu32 " is not whole: %s; run it again with --resume",
                     m->of[i], i + 1, m->head.shards, broken.text);
            fine = false;
        }
        progress_done(1);
    }
    progress_end();
    return fine || fault_set(why, "not all shards are there: nothing is told of the others");
}

static int run(const args *given)
{
    fault why;
    merge_job m = {.given = given};
    int result = EXIT_FAULT;
    if (!report_outputs_check(given, &m.curves, &why))
        complain("%s", why.text);
    else if (list_shards(&m) && name_missing(&m))
        result = m.head.flags & PART_TRACK ? track_merge(&m) : clash_merge(&m);
    free(m.words);
    free(m.of);
    return result;
}

const command command_merge = {
    "merge",
    "the files of clash --shard or track --shard put together into one report",
    "PART... [--store FILE] [--json] [--csv] [--top N] [-o FILE] [--svg OUT.svg]",
    "Reads what the shards of one clash or track wrote and tells what one run would have told, in\n"
    "the same bytes, whatever the number of shards and the order of the files. Shards that are\n"
    "missing, cut or damaged are named, every one, and nothing is told: only these must be run\n"
    "again. The part store of a clash must be there, for names and what is shown of geometry, and\n"
    "the files of a track, where the shards found them.",
    options,
    "examples:\n"
    "  for i in $(seq 8); do boxwood clash plant.bws --shard $i/8 -o part.$i; done\n"
    "  boxwood merge part.*\n"
    "  boxwood merge part.* --json -o clashes.csv\n"
    "  for i in $(seq 8); do boxwood track dance.fbx --self --shard $i/8 -o take.$i; done\n"
    "  boxwood merge take.* -o dance.html\n"
    "\n"
    "exit codes: 0 no clashes, 1 clashes, 2 error, or not all shards are there\n",
    1,
    -1,
    run};
