/* boxwood track --shard: pieces of time, each written as soon as it is done; and such files put together.
 *
 * What happens in a piece depends on nothing outside it, and how deep two parts are at a time on nothing but the time. So a shard finds
 * the events of its pieces and measures the frames in them; merging stitches the events of all pieces as one run does, and
 * measures what no shard could know of: contacts without a frame, and the deepest moments of those, that reach across a border. */
#include "shard/merge.h"

#include "commands.h"
#include "interrupt.h"
#include "progress.h"
#include "shard/writer.h"
#include "store/sum.h"
#include "track/job.h"
#include "track/records.h"
#include "track/store.h"

#include <boxwood/pool.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which work it is ---- */

static void put_word(part_bytes *to, const char *dashes, const char *word)
{
    part_put(to, dashes, strlen(dashes));
    part_put(to, word, strlen(word) + 1);
}

/* The arguments that decide what is found, as track would be given them. *options: a sum of all but the files. */
static part_bytes words_of(const args *given, uint64_t *options)
{
    static const char *const switches[] = {"parts", "self", "no-depth", NULL};
    static const char *const valued[] = {"pose-a", "pose-b", "clip",  "scale",   "up",        "fps",
                                         "rate",   "ignore", "rules", "between", "tolerance", NULL};
    part_bytes words = {NULL, 0, 0};
    for (int i = 0; switches[i]; i++)
        if (args_given(given, switches[i]))
            put_word(&words, "--", switches[i]);
    for (int i = 0; valued[i]; i++) {
        const args_option *option;
        for (int k = 0; (option = args_each_pair(given, valued[i], k)); k++) {
            put_word(&words, "--", valued[i]);
            put_word(&words, "", option->value);
            if (option->second)
                put_word(&words, "", option->second);
        }
    }
    put_word(&words, "--", "");
    *options = store_sum(words.bytes, words.size);
    for (int i = 0; i < given->count; i++)
        put_word(&words, "", given->names[i]);
    return words;
}

static void sum_in(uint64_t *sum, const void *bytes, size_t size)
{
    *sum = *sum * UINT64_C(0x9e3779b97f4a7c15) + store_sum(bytes, size);
}

/* A sum of all that moves and stands, and of what its parts are called. */
static uint64_t sum_films(const track *t, uint64_t *bytes)
{
    uint64_t sum = 0;
    *bytes = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const track_object *o = &t->objects[i];
        if (o->store) {
            uint64_t size, own = track_store_sum(o->store, &size);
            sum_in(&sum, &own, sizeof own);
            *bytes += size;
            continue;
        }
        const size_t frame =
            3 * (size_t)o->model.vertex_count * (o->scalar == BW_F64 ? sizeof(double) : sizeof(float));
        sum_in(&sum, o->model.indices, 3 * (size_t)o->model.triangle_count * sizeof *o->model.indices);
        sum_in(&sum, o->times, o->frame_count * sizeof *o->times);
        for (uint32_t k = 0; k < o->frame_count; k++)
            if (k == 0 || o->frames[k] != o->frames[k - 1])
                sum_in(&sum, o->frames[k], frame);
        *bytes += frame * o->frame_count;
    }
    for (uint32_t i = 0; i < t->part_count; i++) {
        sum_in(&sum, t->parts[i].name, strlen(t->parts[i].name));
        sum_in(&sum, &t->parts[i].first_triangle, sizeof t->parts[i].first_triangle);
    }
    return sum;
}

static bool head_of(const track_job *job, part_head *out, part_bytes *words, fault *why)
{
    const track *t = &job->track;
    *out = (part_head){.flags = PART_TRACK | (job->measure ? PART_MEASURE : 0u),
                       .clearance = -1,
                       .tolerance = t->tolerance,
                       .chunks = t->piece_count,
                       .candidates = t->piece_count,
                       .record_bytes = track_record_bytes()};
    *words = words_of(job->given, &out->order);
    out->source_sum = sum_films(t, &out->source_bytes);
    if (t->piece_count > PART_CHUNKS)
        return fault_set(why, "a film of %" PRIu32 " pieces of time: too many for shards", t->piece_count);
    return part_sum_rules(job->given, &out->rules, why);
}

/* ---- a shard ---- */

typedef struct sharing {
    const track_job *job;
    const track_mover *movers;
    uint32_t mover_count;
    uint64_t *pieces; /* still to be done */
    part_writer file;
} sharing;

/* The times within the piece at which the whole contact, of which c is what the piece has, is looked at. */
static void plan(const track *t, uint32_t piece, bool open_start, bool open_end, track_contact *c)
{
    double first, last;
    track_frames_of(t, c->from, c->to, &first, &last);
    size_t capacity = 0;
    for (double k = first; k <= last; k++) {
        double time = t->begin + k / t->fps;
        if (!open_start)
            time = fmax(time, c->from);
        if (!open_end)
            time = fmin(time, c->to);
        if (track_piece_at(t, time) != piece || !(time >= c->from && time <= c->to))
            continue;
        c->moments = tool_grow(c->moments, c->moment_count, &capacity, sizeof *c->moments);
        c->moments[c->moment_count++] = (track_moment){.time = time, .upper = INFINITY};
    }
    if (!open_start && !open_end && last < first) {
        c->moments = tool_grow(c->moments, c->moment_count, &capacity, sizeof *c->moments);
        c->moments[c->moment_count++] = (track_moment){.time = 0.5 * (c->from + c->to), .upper = INFINITY};
    }
}

/* Hands a moment over. */
static void keep(track_known *to, const track_contact *c, track_moment *m, char *details[2])
{
    track_measured entry = {.part_a = c->part_a, .part_b = c->part_b, .close = details != NULL, .moment = *m};
    for (int i = 0; i < 2 && details; i++) {
        entry.details[i] = details[i];
        details[i] = NULL;
    }
    m->segments = NULL;
    track_known_add(to, &entry);
}

static bw_result measure_contact(const track *t, uint32_t piece, track_contact *c, track_known *out)
{
    const bool open_start = c->cut_start && piece > 0, open_end = c->cut_end && piece + 1 < t->piece_count;
    plan(t, piece, open_start, open_end, c);
    bw_result result = BW_OK;
    for (uint32_t k = 0; k < c->moment_count && result == BW_OK && !interrupt_asked(); k++) {
        result = track_measure_frame(t, c, &c->moments[k]);
        keep(out, c, &c->moments[k], NULL);
    }
    if (result != BW_OK || open_start || open_end || interrupt_asked() || !track_has_close(t, c))
        return result;
    result = track_measure_closely(t, c);
    if (result == BW_OK)
        keep(out, c, &c->moments[c->deepest], c->details);
    return result;
}

/* The contacts of one piece alone, measured. */
static bool measure_piece(const track *t, uint32_t piece, const track_events *events, track_known *out,
                          fault *why)
{
    track alone = *t;
    alone.contacts = NULL;
    alone.contact_count = alone.contact_capacity = 0;
    track_stitch *s = track_stitch_start(&alone);
    bool fine = track_stitch_piece(s, &t->pieces[piece], true, true, events) ||
                fault_set(why, "what happens from %g to %g s does not hold together", t->pieces[piece].from,
                          t->pieces[piece].to);
    track_stitch_end(s);
    bw_result result = BW_OK;
    for (size_t i = 0; i < alone.contact_count && fine && result == BW_OK; i++)
        result = measure_contact(t, piece, &alone.contacts[i], out);
    if (fine && result != BW_OK)
        fine = fault_set(why, "measuring contacts: %s",
                         track_store_failed(t) ? track_store_failed(t) : bw_result_string(result));
    for (size_t i = 0; i < alone.contact_count; i++)
        track_contact_free(&alone.contacts[i]);
    free(alone.contacts);
    return fine;
}

static void run_piece(sharing *all, uint32_t piece)
{
    const track_job *job = all->job;
    const track *t = &job->track;
    track_events events = {.list = NULL};
    track_known measured = {.list = NULL};
    fault why;
    bool fine = (all->mover_count == 0 ||
                 track_find_events(t, all->movers, all->mover_count, piece, &events, &why)) &&
                (!job->measure || interrupt_asked() || measure_piece(t, piece, &events, &measured, &why));
    if (!fine) {
        part_writer_fail(&all->file, &why);
    } else if (!interrupt_asked()) {
        part_bytes content = {NULL, 0, 0};
        part_frame frame = {.chunk = piece, .records = events.count, .finished = 1};
        track_encode(&content, &events, &measured);
        part_writer_add(&all->file, &frame, &content);
        free(content.bytes);
    }
    progress_done(1);
    free(events.list);
    track_known_free(&measured);
}

static void run_pieces(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    sharing *all = context;
    for (uint32_t i = begin; i < end && !all->file.failed && !interrupt_asked(); i++)
        run_piece(all, (uint32_t)all->pieces[i]);
}

static bool sound(void *user, const part_frame *frame, const part_bytes *content)
{
    track_events events;
    track_known measured = {.list = NULL};
    bool fine = track_decode(content, user, (uint32_t)frame->chunk, &events, &measured);
    free(events.list);
    track_known_free(&measured);
    return fine;
}

bool track_shard(const track_job *job, const bw_tasks *tasks, fault *why)
{
    const args *given = job->given;
    sharing all = {.job = job};
    part_head head;
    part_bytes words = {NULL, 0, 0};
    bool fine = head_of(job, &head, &words, why) && part_shard_read(given, &head.shard, &head.shards, why);
    if (fine) {
        track_mover *movers;
        all.mover_count = track_movers(&job->track, &movers);
        all.movers = movers;
        fine = part_writer_open(&all.file, args_each(given, "output", 0), &head, (const char *)words.bytes,
                                words.size, args_given(given, "resume"), sound,
                                (void *)(uintptr_t)&job->track, why);
        if (all.file.out) {
            uint32_t count;
            all.pieces = part_writer_missing(&all.file, &count);
            progress_step("shard %" PRIu32 " of %" PRIu32 ": %" PRIu32 " pieces of time", head.shard + 1,
                          head.shards, count);
            progress_total(count > 1 ? count : 0);
            interrupt_watch();
            tasks->parallel_for(tasks->user, run_pieces, &all, count, 1);
            interrupt_unwatch();
            progress_end();
            free(all.pieces);
        }
        fine = part_writer_close(&all.file, fine, why);
        free(movers);
    }
    free(words.bytes);
    return fine;
}

/* ---- merging ---- */

typedef struct merging {
    track_job job;
    track_events *events; /* of each piece */
    track_known known;
} merging;

static bool take_frame(void *user, const part_frame *frame, const part_bytes *content)
{
    merging *m = user;
    if (frame->chunk >= m->job.track.piece_count)
        return false;
    track_events *events = &m->events[frame->chunk];
    free(events->list);
    return track_decode(content, &m->job.track, (uint32_t)frame->chunk, events, &m->known);
}

static bool stitch(merging *m, fault *why)
{
    track *t = &m->job.track;
    track_stitch *s = track_stitch_start(t);
    bool fine = true;
    for (uint32_t i = 0; i < t->piece_count && fine; i++)
        fine = track_stitch_piece(s, &t->pieces[i], i == 0, i + 1 == t->piece_count, &m->events[i]) ||
               fault_set(why, "what the shards tell of %g to %g s does not hold together", t->pieces[i].from,
                         t->pieces[i].to);
    track_stitch_end(s);
    return fine;
}

static bool measure(merging *m, uint64_t threads, fault *why)
{
    track *t = &m->job.track;
    bw_pool *pool = NULL;
    if (!m->job.measure || t->contact_count == 0)
        return true;
    if (bw_pool_create((uint32_t)threads, &pool, NULL) != BW_OK)
        return fault_set(why, "cannot start %" PRIu64 " threads", threads);
    track_known_sort(&m->known);
    t->known = &m->known;
    bool fine = track_measure(t, bw_pool_tasks(pool), why);
    bw_pool_destroy(pool);
    return fine;
}

static bool merge(merging *m, const merge_job *from, const args *shard, fault *why)
{
    uint64_t threads = bw_pool_default_workers();
    part_head head;
    part_bytes words = {NULL, 0, 0};
    if (!args_count(from->given, "threads", 1, BW_MAX_WORKERS, &threads, why) ||
        !track_job_open(&m->job, shard, why))
        return false;
    track *t = &m->job.track;
    t->curves = from->curves;
    bool fine = head_of(&m->job, &head, &words, why);
    free(words.bytes);
    head.shards = from->head.shards;
    memcpy(head.magic, from->head.magic, sizeof head.magic);
    head.version = from->head.version;
    if (fine && !part_same_work(&head, &from->head))
        fine = fault_set(why, "%s: is not what the shards were made from", shard->names[0]);
    m->events = tool_alloc(t->piece_count, sizeof *m->events);
    memset(m->events, 0, t->piece_count * sizeof *m->events);
    fine = fine && merge_read(from, take_frame, m, why) && stitch(m, why) && measure(m, threads, why) &&
           track_job_tell(&m->job, from->given, args_value(from->given, "svg"), why);
    for (uint32_t i = 0; i < t->piece_count; i++)
        free(m->events[i].list);
    free(m->events);
    return fine;
}

int track_merge(const merge_job *from)
{
    fault why;
    merging m = {.job = {.given = NULL}};
    int count = 0, result = EXIT_FAULT;
    char **words = NULL;
    size_t capacity = 0;
    for (size_t at = 0; at < from->head.word_bytes; at += strlen(from->words + at) + 1) {
        words = tool_grow(words, (size_t)count, &capacity, sizeof *words);
        words[count++] = from->words + at;
    }
    args shard;
    if (args_read(&command_track, count, words, &shard) == 0 && shard.count > 0) {
        const char *const of_clash = args_given(from->given, "store")    ? "store"
                                     : args_given(from->given, "memory") ? "memory"
                                                                         : NULL;
        bool fine = of_clash ? fault_set(&why, "--%s: these are shards of a track, not of a clash", of_clash)
                             : merge(&m, from, &shard, &why);
        result = !fine ? complain("%s", why.text) : m.job.track.contact_count > 0 ? EXIT_CONTACT : EXIT_APART;
        track_known_free(&m.known);
        track_job_free(&m.job);
    }
    args_free(&shard);
    free(words);
    return result;
}
