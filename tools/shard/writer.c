/* Writes part files, and goes on with those that are not whole. */
#define _DEFAULT_SOURCE
#include "shard/writer.h"

#include "number.h"
#include "output.h"
#include "store/sum.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool part_shard_read(const args *given, uint32_t *shard, uint32_t *shards, fault *why)
{
    const char *text = args_value(given, "shard"), *slash = strchr(text, '/');
    char first[16] = "";
    uint64_t i = 0, n = 0;
    if (slash && (size_t)(slash - text) < sizeof first) {
        memcpy(first, text, (size_t)(slash - text));
        first[slash - text] = 0;
    }
    if (!number_count(first, UINT32_MAX, &i) || !number_count(slash + 1, UINT32_MAX, &n) || i < 1 || i > n)
        return fault_set(why, "--shard %s is not I/N with I from 1 to N, such as 3/8", text);
    *shard = (uint32_t)i - 1;
    *shards = (uint32_t)n;
    return true;
}

bool part_shard_check(const args *given, fault *why)
{
    uint32_t shard, shards;
    if (!args_each(given, "output", 0) || args_each(given, "output", 1))
        return fault_set(why, "--shard goes with one -o: the file for what this shard finds");
    static const char *const later[] = {"json", "csv", "top", "counts", "picture", NULL};
    for (int i = 0; later[i]; i++)
        if (args_given(given, later[i]))
            return fault_set(why, "--%s: is for boxwood merge, not for a shard", later[i]);
    return part_shard_read(given, &shard, &shards, why);
}

bool part_sum_rules(const args *given, uint64_t *out, fault *why)
{
    store_summer sum = store_summer_start();
    uint64_t total = 0;
    const char *value;
    const args_option *pair;
    for (int i = 0; (pair = args_each_pair(given, "between", i)); i++)
        total = total * 31 + store_sum(pair->value, strlen(pair->value)) * 3 +
                store_sum(pair->second, strlen(pair->second));
    for (int i = 0; (value = args_each(given, "ignore", i)); i++)
        total = total * 37 + store_sum(value, strlen(value));
    for (int i = 0; (value = args_each(given, "rules", i)); i++) {
        unsigned char bytes[4096];
        size_t got;
        FILE *in = fopen(value, "rb");
        if (!in)
            return fault_set(why, "%s: %s", value, strerror(errno));
        while ((got = fread(bytes, 1, sizeof bytes, in)) > 0)
            store_summer_add(&sum, bytes, got);
        fclose(in);
    }
    *out = total ^ store_summer_end(&sum);
    return true;
}

typedef struct taking_up {
    part_writer *writer;
    part_take_fn *sound;
    void *user;
} taking_up;

static bool note_done(void *user, const part_frame *frame, const part_bytes *content)
{
    taking_up *t = user;
    part_writer *w = t->writer;
    if (frame->chunk < w->first || frame->chunk >= w->last || !t->sound(t->user, frame, content))
        return false;
    w->done[frame->chunk - w->first] = 1;
    w->frames++;
    return true;
}

/* Marks what the file has already. */
static bool take_up(part_writer *w, const part_head *head, part_take_fn *sound, void *user, bool *complete,
                    fault *why)
{
    part_head there;
    char *words = NULL;
    fault broken;
    if (!part_read_head(w->path, &there, &words, why)) {
        warn("%s; it is begun again", why->text);
        return true;
    }
    free(words);
    if (there.shard != head->shard || !part_same_work(&there, head))
        return fault_set(why,
                         "%s: is of other files, other options or another shard, or of another version of "
                         "boxwood: it is not gone on with",
                         w->path);
    taking_up t = {w, sound, user};
    return part_read(w->path, &there, complete, &w->good, note_done, &t, &broken, why);
}

bool part_writer_open(part_writer *w, const char *path, part_head *head, const char *words, size_t word_bytes,
                      bool resume, part_take_fn *sound, void *user, fault *why)
{
    bool complete = false;
    *w = (part_writer){.path = path,
                       .first = part_first_chunk(head, head->shard),
                       .last = part_first_chunk(head, head->shard + 1)};
    pthread_mutex_init(&w->lock, NULL);
    w->done = tool_alloc((size_t)(w->last - w->first) + 1, 1);
    memset(w->done, 0, (size_t)(w->last - w->first) + 1);
    part_seal_head(head, words, word_bytes);
    if (!(w->out = output_open_alone(path, why)))
        return false;
    setvbuf(w->out, NULL, _IONBF, 0); /* what could not be written must not be tried again by fclose */
    off_t size = lseek(fileno(w->out), 0, SEEK_END);
    bool fine = !resume || size <= 0 || take_up(w, head, sound, user, &complete, why);
    if (fine && !complete &&
        (ftruncate(fileno(w->out), (off_t)w->good) != 0 ||
         lseek(fileno(w->out), (off_t)w->good, SEEK_SET) < 0))
        fine = fault_set(why, "%s: %s", path, strerror(errno));
    errno = 0;
    if (fine && w->good == 0) {
        fine = part_write_head(w->out, head, words, word_bytes) ||
               fault_set(why, "%s: %s", path, strerror(errno));
        w->good = sizeof *head + word_bytes;
    }
    if (!fine || complete) {
        fclose(w->out);
        w->out = NULL;
    }
    return fine;
}

uint64_t *part_writer_missing(const part_writer *w, uint32_t *count)
{
    uint64_t *list = tool_alloc((size_t)(w->last - w->first) + 1, sizeof *list);
    *count = 0;
    for (uint64_t c = w->first; c < w->last; c++)
        if (!w->done[c - w->first])
            list[(*count)++] = c;
    return list;
}

void part_writer_add(part_writer *w, part_frame *frame, const part_bytes *content)
{
    pthread_mutex_lock(&w->lock);
    if (!w->failed) {
        errno = 0;
        if (part_write_frame(w->out, frame, content)) {
            w->good += sizeof *frame + content->size;
            w->frames++;
        } else {
            fault_set(&w->why, "%s", strerror(errno));
            w->failed = true;
        }
    }
    pthread_mutex_unlock(&w->lock);
}

void part_writer_fail(part_writer *w, const fault *why)
{
    pthread_mutex_lock(&w->lock);
    if (!w->failed)
        w->why = *why;
    w->failed = true;
    pthread_mutex_unlock(&w->lock);
}

static bool finish(part_writer *w, fault *why)
{
    const uint64_t wanted = w->last - w->first;
    if (!w->failed && w->frames == wanted) {
        part_frame end = {.chunk = UINT64_MAX, .records = w->frames};
        errno = 0;
        if (part_write_frame(w->out, &end, NULL) && fsync(fileno(w->out)) == 0)
            return true;
        fault_set(&w->why, "%s", strerror(errno));
        w->failed = true;
    }
    /* What is not whole is taken away; what is stays. */
    if (ftruncate(fileno(w->out), (off_t)w->good) != 0)
        warn("%s: %s", w->path, strerror(errno));
    return fault_set(why,
                     "%s: %.2000s: %" PRIu64 " of %" PRIu64
                     " pieces of its work are kept, and --resume goes on from there",
                     w->path, w->failed ? w->why.text : "interrupted", w->frames, wanted);
}

bool part_writer_close(part_writer *w, bool fine, fault *why)
{
    if (w->out) {
        fine = fine && finish(w, why);
        if (fclose(w->out) != 0 && fine)
            fine = fault_set(why, "%s: %s", w->path, strerror(errno));
    }
    free(w->done);
    pthread_mutex_destroy(&w->lock);
    *w = (part_writer){.path = NULL};
    return fine;
}
