/* boxwood clash --shard: chunks of the whole work, decided in parallel, each written as soon as it is done. */
#define _DEFAULT_SOURCE
#include "clash/shard.h"

#include "interrupt.h"
#include "number.h"
#include "order.h"
#include "progress.h"
#include "store/sum.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Pairs of a chunk: what is lost at most of each thread when a shard is killed. */
enum { PAIRS_A_CHUNK = 32 };

static bool read_shard(const clash_job *job, uint32_t *shard, uint32_t *shards, fault *why)
{
    const char *text = args_value(job->given, "shard"), *slash = strchr(text, '/');
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

bool clash_shard_check(const clash_job *job, fault *why)
{
    uint32_t shard, shards;
    const args *given = job->given;
    if (!job->from_store)
        return fault_set(why, "--shard goes with a part store as the only file: boxwood pack makes one");
    if (!args_each(given, "output", 0) || args_each(given, "output", 1))
        return fault_set(why, "--shard goes with one -o: the file for what this shard finds");
    static const char *const later[] = {"json", "csv", "top", "counts", NULL};
    for (int i = 0; later[i]; i++)
        if (args_given(given, later[i]))
            return fault_set(why, "--%s: is for boxwood merge, not for a shard", later[i]);
    return read_shard(job, &shard, &shards, why);
}

/* A sum of everything that rules are made of. */
static bool sum_rules(const args *given, uint64_t *out, fault *why)
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

static void cut(const clash_job *job, clash_work *w)
{
    const store *s = job->assembly.store;
    const clash_candidates *c = &w->candidates;
    uint32_t *primitives = tool_alloc(s->part_count, sizeof *primitives);
    for (uint32_t i = 0; i < s->part_count; i++)
        primitives[i] = s->meshes[s->parts[i].mesh].primitive_count;
    uint32_t *costs = cluster_costs(s->part_count, primitives, c->list, c->count);
    uint64_t chunks = c->count / PAIRS_A_CHUNK + 1;
    w->chunk_count = chunks < PART_CHUNKS ? chunks : PART_CHUNKS;
    w->cuts = tool_alloc((size_t)w->chunk_count + 1, sizeof *w->cuts);
    if (costs)
        cluster_cut(costs, c->count, (uint32_t)w->chunk_count, w->cuts);
    else
        for (uint64_t i = 0; i <= w->chunk_count; i++) /* without memory: by number */
            w->cuts[i] = (size_t)((double)c->count * (double)i / (double)w->chunk_count);
    free(costs);
    free(primitives);
}

bool clash_work_find(clash_job *job, const bw_tasks *tasks, clash_work *w, fault *why)
{
    const assembly *a = &job->assembly;
    const clash_wish *wish = &job->wish;
    *w = (clash_work){.chunk_count = 0};
    progress_step("finding pairs of %" PRIu32 " boxes", a->part_count);
    double start = seconds_now();
    bool fine = clash_find_candidates(a, wish, tasks, &w->candidates, why);
    const clash_candidates *c = &w->candidates;
    if (fine && !cluster_order(a->store->boxes, a->part_count, c->list, c->count))
        fine = fault_set(why, "not enough memory to order %zu pairs of parts", c->count);
    if (fine)
        cut(job, w);
    job->found.counts.broad_seconds = seconds_now() - start;
    progress_end();
    w->head = (part_head){.flags = (wish->contain ? PART_CONTAIN : 0u) | (wish->all ? PART_ALL : 0u) |
                                   (wish->measure ? PART_MEASURE : 0u),
                          .store_sum = a->store->tail.sum,
                          .store_bytes = a->store->tail.file_bytes,
                          .clearance = wish->clearance,
                          .tolerance = wish->tolerance,
                          .limit = wish->limit,
                          .candidates = c->count,
                          .aside = c->aside,
                          .order = store_sum(c->list, c->count * sizeof *c->list),
                          .chunks = w->chunk_count};
    return fine && sum_rules(job->given, &w->head.rules, why);
}

void clash_work_free(clash_work *w)
{
    free(w->candidates.list);
    free(w->cuts);
    *w = (clash_work){.chunk_count = 0};
}

typedef struct run {
    const clash_work *work;
    clash_worker *workers;
    part_bytes *bodies; /* of each thread */
    uint64_t *chunks;   /* still to be done */
    FILE *out;
    uint64_t good;   /* bytes of the file that are whole */
    uint64_t frames; /* in the file */
    bool failed;
    fault why;
    pthread_mutex_t lock;
} run;

static void fail(run *r, const char *format, const char *a, const char *b)
{
    pthread_mutex_lock(&r->lock);
    if (!r->failed)
        fault_set(&r->why, format, a, b);
    r->failed = true;
    pthread_mutex_unlock(&r->lock);
}

static void append(run *r, part_frame *frame, const part_bytes *content)
{
    pthread_mutex_lock(&r->lock);
    if (!r->failed) {
        errno = 0;
        if (part_write_frame(r->out, frame, content)) {
            r->good += sizeof *frame + content->size;
            r->frames++;
        } else {
            fault_set(&r->why, "%s", strerror(errno));
            r->failed = true;
        }
    }
    pthread_mutex_unlock(&r->lock);
}

static void decide_chunk(run *r, uint32_t number, uint64_t chunk)
{
    clash_worker *worker = &r->workers[number];
    part_bytes *content = &r->bodies[number];
    part_frame frame = {.chunk = chunk};
    worker->counts = (clash_counts){.candidates = 0};
    content->size = 0;
    bool stopped = false;
    const size_t begin = r->work->cuts[chunk], end = r->work->cuts[chunk + 1];
    for (size_t i = begin; i < end && !stopped; i++) {
        const uint32_t a = (uint32_t)(r->work->candidates.list[i] >> 32),
                       b = (uint32_t)r->work->candidates.list[i];
        clash found;
        bw_result result = clash_decide(worker, a, b, &found);
        if (result != BW_OK) {
            char name[2048];
            assembly_name(worker->assembly, a, name, sizeof name);
            fail(r, worker->why ? "%s" : "%s: %s", worker->why ? worker->why->text : name,
                 bw_result_string(result));
        }
        stopped = result != BW_OK || found.cut || interrupt_asked();
        if (!stopped && found.kind != CLASH_NONE) {
            part_encode(content, &found);
            frame.records++;
            progress_found(1);
        }
        clash_free(&found);
    }
    progress_done(end - begin);
    if (stopped)
        return; /* it is done from its beginning next time */
    frame.finished = end - begin;
    frame.shallow = worker->counts.shallow;
    frame.nodes_visited = worker->counts.nodes_visited;
    frame.box_tests = worker->counts.box_tests;
    frame.primitive_tests = worker->counts.primitive_tests;
    append(r, &frame, content);
}

static void decide_chunks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    run *r = context;
    for (uint32_t i = begin; i < end && !r->failed && !interrupt_asked(); i++)
        decide_chunk(r, worker, r->chunks[i]);
}

static void note_done(void *user, const part_frame *frame, clash *clashes, size_t count)
{
    unsigned char *done = user;
    done[frame->chunk] = 1;
    for (size_t i = 0; i < count; i++)
        clash_free(&clashes[i]);
    free(clashes);
}

static bool same_work(const part_head *a, const part_head *b)
{
    part_head x = *a, y = *b;
    x.path_bytes = y.path_bytes = 0;
    x.sum = y.sum = 0;
    memcpy(x.magic, y.magic, sizeof x.magic);
    x.version = y.version;
    x.clash_bytes = y.clash_bytes;
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Marks in done what the file has already. *good: where it may go on; 0: it is to be begun. */
static bool take_up(const char *path, const part_head *head, uint32_t part_count, unsigned char *done,
                    uint64_t *good, bool *complete, fault *why)
{
    part_head there;
    char *store_path = NULL;
    fault broken;
    *good = 0;
    *complete = false;
    if (access(path, F_OK) != 0)
        return true;
    bool read =
        part_read(path, part_count, &there, &store_path, complete, good, note_done, done, &broken, why);
    free(store_path);
    if (!read) {
        warn("%s; it is begun again", why->text);
        *good = 0;
        *complete = false;
        return true;
    }
    if (!same_work(&there, head))
        return fault_set(
            why, "%s: is of another store, other options or another shard: it is not gone on with", path);
    return true;
}

/* The part file, locked, with `good` bytes of it kept. */
static FILE *open_part(const char *path, uint64_t good, fault *why)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    FILE *out = NULL;
    if (file < 0)
        fault_set(why, "%s: %s", path, strerror(errno));
    else if (flock(file, LOCK_EX | LOCK_NB) != 0)
        fault_set(why, "%s: another process is writing it", path);
    else if (ftruncate(file, (off_t)good) != 0 || lseek(file, (off_t)good, SEEK_SET) < 0 ||
             !(out = fdopen(file, "wb")))
        fault_set(why, "%s: %s", path, strerror(errno));
    if (file >= 0 && !out)
        close(file);
    if (out) /* what could not be written must not be tried again by fclose */
        setvbuf(out, NULL, _IONBF, 0);
    return out;
}

static bool finish(run *r, fault *why, const char *path, uint64_t wanted)
{
    if (!r->failed && r->frames == wanted) {
        part_frame end = {.chunk = UINT64_MAX, .records = r->frames};
        errno = 0;
        if (part_write_frame(r->out, &end, NULL) && fsync(fileno(r->out)) == 0)
            return true;
        fault_set(&r->why, "%s", strerror(errno));
        r->failed = true;
    }
    /* What is not whole is taken away; what is stays. */
    fault told = r->why;
    if (ftruncate(fileno(r->out), (off_t)r->good) != 0)
        warn("%s: %s", path, strerror(errno));
    return fault_set(why,
                     "%s: %.2000s: %" PRIu64 " of %" PRIu64
                     " pieces of its work are kept, and --resume goes on from there",
                     path, r->failed ? told.text : "interrupted", r->frames, wanted);
}

static bool run_chunks(clash_job *job, const clash_work *w, const bw_tasks *tasks, const unsigned char *done,
                       run *r)
{
    const part_head *head = &w->head;
    const uint64_t first = part_first_chunk(head, head->shard),
                   last = part_first_chunk(head, head->shard + 1);
    uint32_t count = 0;
    uint64_t pairs = 0;
    r->chunks = tool_alloc((size_t)(last - first) + 1, sizeof *r->chunks);
    for (uint64_t c = first; c < last; c++) {
        if (done[c]) {
            r->frames++;
            continue;
        }
        r->chunks[count++] = c;
        pairs += w->cuts[c + 1] - w->cuts[c];
    }
    r->workers = tool_alloc(tasks->worker_count, sizeof *r->workers);
    r->bodies = tool_alloc(tasks->worker_count, sizeof *r->bodies);
    for (uint32_t i = 0; i < tasks->worker_count; i++) {
        r->workers[i] =
            (clash_worker){.assembly = &job->assembly, .wish = &job->wish, .placed = BW_NONE, .number = i};
        r->bodies[i] = (part_bytes){NULL, 0, 0};
    }
    pthread_mutex_init(&r->lock, NULL);
    progress_step("shard %" PRIu32 " of %" PRIu32 ": looking at %" PRIu64 " pairs of parts", head->shard + 1,
                  head->shards, pairs);
    progress_total(pairs);
    interrupt_watch();
    tasks->parallel_for(tasks->user, decide_chunks, r, count, 1);
    interrupt_unwatch();
    progress_end();
    for (uint32_t i = 0; i < tasks->worker_count; i++) {
        clash_worker_free(&r->workers[i]);
        free(r->bodies[i].bytes);
    }
    pthread_mutex_destroy(&r->lock);
    free(r->workers);
    free(r->bodies);
    free(r->chunks);
    return r->frames == last - first;
}

bool clash_shard(clash_job *job, const bw_tasks *tasks, fault *why)
{
    const char *path = args_each(job->given, "output", 0);
    clash_work w;
    run r = {.work = &w};
    uint64_t good = 0;
    bool complete = false,
         fine = clash_work_find(job, tasks, &w, why) && read_shard(job, &w.head.shard, &w.head.shards, why);
    unsigned char *done = tool_alloc((size_t)w.chunk_count + 1, 1);
    memset(done, 0, (size_t)w.chunk_count + 1);
    if (fine && args_given(job->given, "resume"))
        fine = take_up(path, &w.head, job->assembly.part_count, done, &good, &complete, why);
    if (good == 0)
        memset(done, 0, (size_t)w.chunk_count + 1);
    if (fine && !complete) {
        const uint64_t wanted =
            part_first_chunk(&w.head, w.head.shard + 1) - part_first_chunk(&w.head, w.head.shard);
        r.out = open_part(path, good, why);
        fine = r.out != NULL;
        errno = 0;
        if (fine && good == 0 && !part_write_head(r.out, &w.head, job->given->names[0]))
            fine = fault_set(why, "%s: %s", path, strerror(errno));
        if (fine) {
            r.good = good > 0 ? good : sizeof w.head + w.head.path_bytes;
            run_chunks(job, &w, tasks, done, &r);
            fine = finish(&r, why, path, wanted);
        }
        if (r.out && fclose(r.out) != 0 && fine)
            fine = fault_set(why, "%s: %s", path, strerror(errno));
    }
    free(done);
    clash_work_free(&w);
    return fine;
}
