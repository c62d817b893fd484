/* bw_mpi_clash: chunks of pairs, taken from counters on rank 0 by MPI_Fetch_and_op. */
#include "mpi_clashes.h"
#include "mpi_node.h"
#include "order.h"

#include <boxwood/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chunks of each rank's stretch: what is not shared out evenly at the end is one of them. */
enum { CHUNKS = 128, CUTS = CHUNKS + 1 };
/* Pairs that are sent at a time. */
enum { PAIRS_AT_A_TIME = 1 << 24 };
/* Words of the window after the counters. */
enum { FAILED = 0, DONE = 1, WORDS = 2 };

typedef struct work {
    const bw_mpi_clash_desc *desc;
    mpi_node node;
    uint64_t *pairs; /* of all ranks, in order; those of a machine share them */
    uint64_t pair_count;
    uint64_t *cuts; /* behind the pairs: CUTS of each stretch */
    uint64_t *own;  /* found by this rank */
    uint64_t own_count, own_capacity;
    const bw_scene *scene;
    cluster_slab slab; /* of the search for pairs */
    bool full;
    uint32_t *left;  /* chunks of each stretch when last looked at */
    uint64_t *taken; /* the counters then */
    MPI_Comm comm;
    MPI_Win window;
    int rank, ranks;
    uint64_t *words;   /* the window itself, where all ranks share memory; NULL: they do not */
    double next_serve; /* when rank 0 looks after the others again */
    bw_mpi_clash_report report;
} work;

bool mpi_agree(MPI_Comm comm, bw_result own, bw_result *all)
{
    int mine = (int)own, most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, comm);
    *all = (bw_result)most;
    return most == 0;
}

static bool take_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t count)
{
    (void)paths;
    work *w = user;
    if (w->own_count + count > w->own_capacity) {
        uint64_t capacity = 2 * w->own_capacity + count;
        uint64_t *more = realloc(w->own, capacity * sizeof *more);
        if (!more) {
            w->full = true;
            return false;
        }
        w->own = more;
        w->own_capacity = capacity;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t a = 0, b = 0;
        bw_scene_get(w->scene, pairs[i].a, NULL, &a, NULL);
        bw_scene_get(w->scene, pairs[i].b, NULL, &b, NULL);
        if (cluster_slab_owns(&w->slab, &w->desc->boxes[a], &w->desc->boxes[b]))
            w->own[w->own_count++] = a < b ? a << 32 | b : b << 32 | a;
    }
    return true;
}

/* Each rank finds the pairs of its slab. */
static bw_result find_pairs(work *w)
{
    const uint32_t all = w->desc->part_count;
    uint32_t count = 0;
    bw_scene *scene = NULL;
    bw_box *boxes = malloc(all * sizeof *boxes);
    uint64_t *users = malloc(all * sizeof *users);
    bw_id *ids = malloc(all * sizeof *ids);
    bw_result result = boxes && users && ids ? BW_OK : BW_ERROR_MEMORY;
    w->slab = cluster_slab_of(w->desc->boxes, all, (uint32_t)w->rank, (uint32_t)w->ranks);
    for (uint32_t i = 0; i < all && result == BW_OK; i++) {
        const bw_box *box = &w->desc->boxes[i];
        /* One that no scene takes is for a scene to name. */
        bool sound = true;
        for (int k = 0; k < 3; k++)
            sound = sound && fabsf(box->min[k]) <= BW_SCENE_COORDINATE_MAX &&
                    fabsf(box->max[k]) <= BW_SCENE_COORDINATE_MAX && box->min[k] <= box->max[k];
        if (sound && !cluster_slab_touches(&w->slab, box))
            continue;
        boxes[count] = *box;
        users[count++] = i;
    }
    if (result == BW_OK)
        result = bw_scene_create(&(bw_scene_desc){.nesting = BW_NESTING_MODERN}, &scene, NULL);
    if (result == BW_OK && count > 0)
        result = bw_scene_insert_many(scene, boxes, users, count, ids, NULL);
    w->scene = scene;
    if (result == BW_OK)
        result = bw_scene_pairs(scene, &(bw_pair_output){.on_pairs = take_pairs, .user = w}, NULL, NULL);
    bw_scene_destroy(scene);
    free(boxes);
    free(users);
    free(ids);
    return w->full ? BW_ERROR_MEMORY : result;
}

/* Whether the caller's pairs are of parts that are there. */
static bw_result check_pairs(const bw_mpi_clash_desc *d)
{
    for (uint64_t i = 0; i < d->pair_count; i++) {
        const uint32_t a = (uint32_t)(d->pairs[i] >> 32), b = (uint32_t)d->pairs[i];
        if (a >= b || b >= d->part_count)
            return BW_ERROR_ARGUMENT;
    }
    return BW_OK;
}

static size_t shared_bytes(const work *w)
{
    return ((size_t)w->pair_count + (size_t)w->ranks * CUTS) * sizeof(uint64_t);
}

/* Room for all pairs on every machine, or, where one has none to share, on every rank. */
static bw_result open_pairs(work *w)
{
    bw_result all;
    for (int alone = 0; alone < 2; alone++) {
        if (!mpi_node_open(&w->node, w->comm, alone))
            return BW_ERROR_MEMORY;
        if (w->pair_count <= SIZE_MAX / (2 * sizeof *w->pairs))
            w->pairs = mpi_node_share(&w->node, shared_bytes(w));
        if (mpi_agree(w->comm, w->pairs ? BW_OK : BW_ERROR_MEMORY, &all)) {
            w->cuts = w->pairs + w->pair_count;
            break;
        }
        mpi_node_unshare(&w->node, w->pairs, shared_bytes(w));
        w->pairs = NULL;
        mpi_node_close(&w->node);
    }
    return all;
}

/* Every machine gets the pairs of all, 8 bytes each: whoever is done early can then take any of them. */
static bw_result gather_pairs(work *w, const uint64_t *own, uint64_t own_count)
{
    uint64_t *counts = malloc((size_t)w->ranks * sizeof *counts), at = 0;
    bw_result result = counts ? BW_OK : BW_ERROR_MEMORY, all;
    if (!mpi_agree(w->comm, result, &all)) {
        free(counts);
        return all;
    }
    MPI_Allgather(&own_count, 1, MPI_UINT64_T, counts, 1, MPI_UINT64_T, w->comm);
    for (int r = 0; r < w->ranks; r++) {
        at += r < w->rank ? counts[r] : 0;
        w->pair_count += counts[r];
    }
    all = open_pairs(w);
    if (all == BW_OK) {
        if (own_count > 0)
            memcpy(w->pairs + at, own, (size_t)own_count * sizeof *own);
        mpi_wait_for_all(w->node.comm);
        at = 0;
        for (int r = 0; r < w->ranks && w->node.rank == 0 && w->node.leader_count > 1; r++)
            for (uint64_t left = counts[r]; left > 0;) {
                const int some = (int)(left < PAIRS_AT_A_TIME ? left : PAIRS_AT_A_TIME);
                MPI_Bcast(w->pairs + at, some, MPI_UINT64_T, w->node.leader_of[r], w->node.leaders);
                at += (uint64_t)some;
                left -= (uint64_t)some;
            }
    }
    free(counts);
    return all;
}

/* Orders the pairs and cuts them: a stretch for each rank, and chunks of each stretch. */
static bw_result order_pairs(const work *w)
{
    const size_t ranks = (size_t)w->ranks, count = (size_t)w->pair_count;
    size_t *cuts = malloc((ranks + 1 + CUTS) * sizeof *cuts), *stretches = cuts + CUTS;
    uint32_t *costs =
        cuts ? cluster_order(w->desc->boxes, w->desc->part_count, w->desc->primitives, w->pairs, count)
             : NULL;
    bw_result result = costs ? BW_OK : BW_ERROR_MEMORY;
    for (size_t i = 1; i < count && result == BW_OK; i++)
        if (w->pairs[i] == w->pairs[i - 1]) /* given twice */
            result = BW_ERROR_ARGUMENT;
    if (result == BW_OK) {
        cluster_cut(costs, count, (uint32_t)ranks, stretches);
        for (size_t r = 0; r < ranks; r++) {
            cluster_cut(costs + stretches[r], stretches[r + 1] - stretches[r], CHUNKS, cuts);
            for (size_t i = 0; i < CUTS; i++)
                w->cuts[r * CUTS + i] = stretches[r] + cuts[i];
        }
    }
    free(cuts);
    free(costs);
    return result;
}

/* One rank of each machine orders, while the others leave it the processor. */
static bw_result share_out(work *w)
{
    const size_t ranks = (size_t)w->ranks;
    w->left = malloc(ranks * sizeof *w->left);
    w->taken = malloc(ranks * sizeof *w->taken);
    bw_result result = w->left && w->taken ? BW_OK : BW_ERROR_MEMORY;
    for (size_t r = 0; r < ranks && result == BW_OK; r++)
        w->left[r] = CHUNKS;
    if (w->node.rank == 0 && result == BW_OK)
        result = order_pairs(w);
    mpi_wait_for_all(w->comm);
    return result;
}

/* Adds to a word of rank 0's window and returns what was there. */
static uint64_t fetch_add(const work *w, MPI_Aint word, uint64_t add)
{
    uint64_t was = 0;
    if (w->words)
        return __atomic_fetch_add(&w->words[word], add, __ATOMIC_SEQ_CST);
    MPI_Fetch_and_op(&add, &was, MPI_UINT64_T, 0, word, add == 0 ? MPI_NO_OP : MPI_SUM, w->window);
    MPI_Win_flush(0, w->window);
    return was;
}

/* The stretch with most chunks left, as far as is known; -1: all are taken. */
static int fullest(const work *w)
{
    int best = -1;
    for (int r = 0; r < w->ranks; r++)
        if (w->left[r] > 0 && (best < 0 || w->left[r] > w->left[best]))
            best = r;
    return best;
}

/* A counter has chunks that the owner took, from the front, in its low half, and those that others took, from the back, in its high
 * half: both then decide neighbours one after the other. Each may be counted beyond what is there. */
static uint64_t taken_of(uint64_t counter)
{
    return (counter & UINT32_MAX) + (counter >> 32);
}

static void look_around(work *w)
{
    if (w->words) {
        for (int r = 0; r < w->ranks; r++)
            w->taken[r] = __atomic_load_n(&w->words[r], __ATOMIC_SEQ_CST);
    } else {
        MPI_Get_accumulate(NULL, 0, MPI_UINT64_T, w->taken, w->ranks, MPI_UINT64_T, 0, 0, w->ranks,
                           MPI_UINT64_T, MPI_NO_OP, w->window);
        MPI_Win_flush(0, w->window);
    }
    for (int r = 0; r < w->ranks; r++)
        w->left[r] = taken_of(w->taken[r]) < CHUNKS ? (uint32_t)(CHUNKS - taken_of(w->taken[r])) : 0;
}

/* The next chunk for this rank: of its own stretch while there is one. */
static bool next_chunk(work *w, size_t *begin, size_t *end)
{
    for (int from = w->rank; from >= 0; from = fullest(w)) {
        if (w->left[from] == 0)
            continue;
        const bool own = from == w->rank;
        const uint64_t counter = fetch_add(w, from, own ? 1 : (uint64_t)1 << 32);
        const uint64_t chunk = own ? counter & UINT32_MAX : CHUNKS - 1 - (counter >> 32);
        if (taken_of(counter) >= CHUNKS) {
            w->left[from] = 0;
            look_around(w);
            continue;
        }
        const uint64_t *cuts = w->cuts + (size_t)from * CUTS;
        *begin = (size_t)cuts[chunk];
        *end = (size_t)cuts[chunk + 1];
        w->report.own_chunks++;
        w->report.taken_chunks += !own;
        return true;
    }
    return false;
}

/* Others ask rank 0 for chunks: without hardware that serves them, only calls of MPI do. Not after every pair, as such a call
 * gives the processor away where ranks share one. */
static void serve(work *w)
{
    double now = MPI_Wtime();
    int there;
    if (now < w->next_serve)
        return;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &there, MPI_STATUS_IGNORE);
    w->next_serve = now + 0.002;
}

static bw_result decide_chunk(work *w, size_t begin, size_t end, mpi_records *out)
{
    const bw_mpi_clash_desc *d = w->desc;
    for (size_t i = begin; i < end; i++) {
        const uint32_t a = (uint32_t)(w->pairs[i] >> 32), b = (uint32_t)w->pairs[i];
        bw_mpi_answer answer = {NULL, 0};
        bw_result result = d->decide(d->user, a, b, &answer);
        if (result != BW_OK)
            return result;
        if (answer.byte_count > 0 && !mpi_records_add(out, a, b, answer.bytes, answer.byte_count))
            return BW_ERROR_MEMORY;
        if (w->rank == 0 && !w->words)
            serve(w);
    }
    return BW_OK;
}

static bw_result decide_all(work *w, mpi_records *out)
{
    bw_result result = BW_OK;
    size_t begin, end;
    const MPI_Aint after = w->ranks;
    double start = MPI_Wtime();
    MPI_Win_lock_all(0, w->window);
    while (result == BW_OK && fetch_add(w, after + FAILED, 0) == 0 && next_chunk(w, &begin, &end)) {
        result = decide_chunk(w, begin, end, out);
        w->report.own_pairs += end - begin;
        uint64_t done = fetch_add(w, after + DONE, end - begin) + (end - begin);
        if (w->rank == 0 && w->desc->progress)
            w->desc->progress(w->desc->user, done, w->pair_count);
    }
    if (result != BW_OK)
        fetch_add(w, after + FAILED, 1);
    w->report.decide_seconds = MPI_Wtime() - start;
    start = MPI_Wtime();
    /* A rank that waits here still serves its window. */
    mpi_wait_for_all(w->comm);
    MPI_Win_unlock_all(w->window);
    w->report.wait_seconds = MPI_Wtime() - start;
    return result;
}

/* Where all ranks share memory the counters are words of it, and nobody has to serve anybody: a call of MPI would give the
 * processor away where ranks are more than processors. */
static bw_result open_window(work *w)
{
    uint64_t *words = NULL;
    const MPI_Aint bytes = w->rank == 0 ? (w->ranks + WORDS) * (MPI_Aint)sizeof *words : 0;
    const bool together = w->node.leader_count == 1;
    int code = together
                   ? MPI_Win_allocate_shared(bytes, sizeof *words, MPI_INFO_NULL, w->comm, &words, &w->window)
                   : MPI_Win_allocate(bytes, sizeof *words, MPI_INFO_NULL, w->comm, &words, &w->window);
    if (code != MPI_SUCCESS)
        return BW_ERROR_MEMORY;
    if (bytes > 0)
        memset(words, 0, (size_t)bytes);
    if (together) {
        MPI_Aint size;
        int unit;
        MPI_Win_shared_query(w->window, 0, &size, &unit, &w->words);
    }
    MPI_Barrier(w->comm);
    return BW_OK;
}

static bw_result run(work *w, bw_mpi_clashes *out)
{
    double start = MPI_Wtime();
    const bw_mpi_clash_desc *d = w->desc;
    bw_result own = d->pairs ? check_pairs(d) : find_pairs(w), all;
    if (!mpi_agree(w->comm, own, &all))
        return all;
    all = d->pairs ? gather_pairs(w, d->pairs, d->pair_count) : gather_pairs(w, w->own, w->own_count);
    free(w->own);
    w->own = NULL;
    if (all != BW_OK)
        return all;
    own = share_out(w);
    w->report.order_seconds = MPI_Wtime() - start;
    if (!mpi_agree(w->comm, own, &all))
        return all;
    own = open_window(w);
    if (!mpi_agree(w->comm, own, &all))
        return all;
    own = decide_all(w, &out->records);
    MPI_Win_free(&w->window);
    if (!mpi_agree(w->comm, own, &all))
        return all;
    start = MPI_Wtime();
    all = mpi_clashes_exchange(out, w->desc->part_count);
    w->report.deliver_seconds = MPI_Wtime() - start;
    return all;
}

static bool desc_sound(const bw_mpi_clash_desc *d)
{
    return d && (d->size == 0 || d->size >= sizeof *d) && d->boxes && d->decide && d->part_count > 0;
}

bw_result bw_mpi_clash(MPI_Comm comm, const bw_mpi_clash_desc *desc, bw_mpi_clashes **out,
                       bw_mpi_clash_report *report, bw_fault *fault)
{
    bw_mpi_clashes *clashes = calloc(1, sizeof *clashes);
    work w = {.desc = desc};
    bw_result result = !desc_sound(desc) || !out ? BW_ERROR_ARGUMENT
                       : !clashes                ? BW_ERROR_MEMORY
                                                 : BW_OK,
              all;
    if (mpi_agree(comm, result, &all)) {
        MPI_Comm_dup(comm, &clashes->comm);
        MPI_Comm_rank(clashes->comm, &clashes->rank);
        MPI_Comm_size(clashes->comm, &clashes->ranks);
        w.comm = clashes->comm;
        w.rank = clashes->rank;
        w.ranks = clashes->ranks;
        all = run(&w, clashes);
        w.report.pair_count = w.pair_count;
        uint64_t sums[2] = {clashes->records.count, mpi_records_bytes(&clashes->records)}, totals[2];
        MPI_Allreduce(sums, totals, 2, MPI_UINT64_T, MPI_SUM, clashes->comm);
        w.report.clash_count = totals[0];
        w.report.byte_count = totals[1];
    }
    if (w.pairs) {
        mpi_node_unshare(&w.node, w.pairs, shared_bytes(&w));
        mpi_node_close(&w.node);
    }
    free(w.own);
    free(w.left);
    free(w.taken);
    if (fault)
        *fault = (bw_fault){.result = all, .text = bw_result_string(all)};
    if (all != BW_OK) {
        if (clashes && clashes->ranks > 0)
            bw_mpi_clashes_destroy(clashes);
        else
            free(clashes);
        return all;
    }
    if (report) {
        w.report.size = report->size;
        *report = w.report;
    }
    *out = clashes;
    return BW_OK;
}
