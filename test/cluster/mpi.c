/* bw_mpi_clash on any number of ranks, some of them slow: the answers are those of brute force, in their order, gathered and
 * written alike; failures of one rank are everybody's. Rank 0 prints a hash of what came: the same for any number of ranks. */
#define _POSIX_C_SOURCE 200809L
#include <boxwood/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PARTS = 3000 };

static bw_box boxes[PARTS];
static uint32_t primitives[PARTS];
static int rank, ranks;

#define NEED(good)                                                                                           \
    do {                                                                                                     \
        if (!(good)) {                                                                                       \
            fprintf(stderr, "rank %d of %d: line %d: %s\n", rank, ranks, __LINE__, #good);                   \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

static uint64_t state = 7;
static float next(float below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (float)(state >> 40) * 0x1p-24f * below;
}

static void make_boxes(void)
{
    for (int i = 0; i < PARTS; i++) {
        float size = i % 100 == 0 ? 6 : 0.6f; /* some that touch many */
        primitives[i] = i % 100 == 0 ? 5000 : 20;
        for (int k = 0; k < 3; k++) {
            boxes[i].min[k] = next(i % 2 ? 12 : 6);
            boxes[i].max[k] = boxes[i].min[k] + next(size);
        }
    }
}

static bool overlap(uint32_t a, uint32_t b)
{
    return bw_box_overlaps(&boxes[a], &boxes[b]);
}

typedef struct deciding {
    int fail_rank; /* -1: none */
    int slow_rank;
    uint64_t asked;
} deciding;

/* Clashes where the sum of both numbers is not a multiple of three: with 1 to 40 bytes that tell which. */
static size_t answer_of(uint32_t a, uint32_t b, char *out)
{
    if ((a + b) % 3 == 0)
        return 0;
    return (size_t)snprintf(out, 64, "%u+%u%.*s\n", a, b, (int)(a % 20), "....................");
}

static bw_result decide(void *user, uint32_t a, uint32_t b, bw_mpi_answer *out)
{
    static char text[64];
    deciding *d = user;
    NEED(a < b && b < PARTS && overlap(a, b));
    d->asked++;
    if (d->fail_rank == rank)
        return BW_ERROR_FORMAT;
    /* Others leave some for the one that fails, however little of the processor it gets. */
    if (d->fail_rank >= 0 || (d->slow_rank == rank && d->asked % 16 == 0))
        nanosleep(&(struct timespec){0, 200000}, NULL);
    *out = (bw_mpi_answer){text, answer_of(a, b, text)};
    return BW_OK;
}

static uint64_t last_done;
static void progress(void *user, uint64_t done, uint64_t count)
{
    (void)user;
    NEED(rank == 0 && done <= count);
    last_done = done;
}

typedef struct expecting {
    uint32_t a, b; /* where brute force is */
    uint64_t count, bytes, hash;
} expecting;

/* The next pair after (a, b) that clashes. */
static bool advance(expecting *e)
{
    char text[64];
    for (;;) {
        if (++e->b >= PARTS) {
            e->b = ++e->a + 1;
            if (e->a + 1 >= PARTS)
                return false;
        }
        if (overlap(e->a, e->b) && answer_of(e->a, e->b, text) > 0)
            return true;
    }
}

static bool take(void *user, uint32_t a, uint32_t b, const void *bytes, size_t byte_count)
{
    expecting *e = user;
    char text[64];
    NEED(advance(e) && e->a == a && e->b == b);
    NEED(answer_of(a, b, text) == byte_count && memcmp(text, bytes, byte_count) == 0);
    e->count++;
    e->bytes += byte_count;
    for (size_t i = 0; i < byte_count; i++)
        e->hash = (e->hash ^ (unsigned char)text[i]) * 1099511628211u;
    return true;
}

static void check_file(const char *path, const expecting *e)
{
    FILE *in = fopen(path, "rb");
    NEED(in != NULL);
    uint64_t hash = 1469598103934665603u, bytes = 0;
    NEED(fgetc(in) == '#' && fgetc(in) == '\n');
    for (int c; (c = fgetc(in)) != EOF; bytes++)
        hash = (hash ^ (unsigned char)c) * 1099511628211u;
    fclose(in);
    NEED(hash == e->hash && bytes == e->bytes);
}

static void check_answers(const uint64_t *pairs, uint64_t pair_count, const char *path)
{
    deciding d = {.fail_rank = -1, .slow_rank = ranks - 1};
    /* Each rank gives a share of the pairs. */
    const uint64_t begin = pair_count * (uint64_t)rank / (uint64_t)ranks,
                   end = pair_count * ((uint64_t)rank + 1) / (uint64_t)ranks;
    bw_mpi_clash_desc desc = {.boxes = boxes,
                              .part_count = PARTS,
                              .primitives = pairs ? NULL : primitives,
                              .pairs = pairs ? pairs + begin : NULL,
                              .pair_count = end - begin,
                              .decide = decide,
                              .progress = progress,
                              .user = &d};
    bw_mpi_clashes *clashes = NULL;
    bw_mpi_clash_report report = {0};
    bw_fault fault;
    NEED(bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, &report, &fault) == BW_OK && fault.result == BW_OK);
    uint64_t own = report.own_pairs, sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    NEED(sum == report.pair_count && d.asked == own && (pair_count == 0 || sum == pair_count));
    expecting e = {.hash = 1469598103934665603u};
    NEED(bw_mpi_clashes_gather(clashes, 0, take, &e, NULL) == BW_OK);
    NEED(rank != 0 || (!advance(&e) && e.count == report.clash_count && e.bytes == report.byte_count));
    NEED(rank != 0 || report.own_pairs == 0 || last_done > 0);
    NEED(bw_mpi_clashes_write(clashes, path, "#\n", 2) == MPI_SUCCESS);
    if (rank == 0)
        check_file(path, &e);
    int code = bw_mpi_clashes_write(clashes, "/nowhere/at/all", NULL, 0), most = 0, least = 0;
    MPI_Allreduce(&code, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&code, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    NEED(code != MPI_SUCCESS && most == least);
    bw_mpi_clashes_destroy(clashes);
    if (rank == 0)
        printf("%llu pairs, %llu clashes, hash %016llx\n", (unsigned long long)report.pair_count,
               (unsigned long long)report.clash_count, (unsigned long long)e.hash);
}

static bool count_answer(void *user, uint32_t a, uint32_t b, const void *bytes, size_t byte_count)
{
    expecting *e = user;
    e->count += a < b && bytes && byte_count > 0;
    return true;
}

static bw_result decide_on_last(void *user, uint32_t a, uint32_t b, bw_mpi_answer *out)
{
    bw_result result = decide(user, a, b, out);
    if (rank != ranks - 1)
        out->byte_count = 0;
    return result;
}

/* Ranks that have nothing for others, and get nothing of them. */
static void check_lopsided(void)
{
    deciding d = {.fail_rank = -1, .slow_rank = -1};
    bw_mpi_clash_desc desc = {.boxes = boxes, .part_count = PARTS, .decide = decide_on_last, .user = &d};
    bw_mpi_clashes *clashes = NULL;
    bw_mpi_clash_report report = {0};
    NEED(bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, &report, NULL) == BW_OK);
    expecting e = {.hash = 0};
    NEED(bw_mpi_clashes_gather(clashes, 0, count_answer, &e, NULL) == BW_OK);
    NEED(rank != 0 || e.count == report.clash_count);
    bw_mpi_clashes_destroy(clashes);
}

static void check_failures(void)
{
    deciding d = {.fail_rank = 0, .slow_rank = -1};
    bw_mpi_clash_desc desc = {.boxes = boxes, .part_count = PARTS, .decide = decide, .user = &d};
    bw_mpi_clashes *clashes = NULL;
    bw_fault fault;
    NEED(bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, NULL, &fault) == BW_ERROR_FORMAT && !clashes);
    NEED(fault.result == BW_ERROR_FORMAT);
    desc.decide = NULL;
    NEED(bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, NULL, NULL) == BW_ERROR_ARGUMENT && !clashes);
    const uint64_t odd = (uint64_t)7 << 32 | 7;
    desc = (bw_mpi_clash_desc){
        .boxes = boxes, .part_count = PARTS, .decide = decide, .user = &d, .pairs = &odd, .pair_count = 1};
    NEED(bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, NULL, NULL) == BW_ERROR_ARGUMENT && !clashes);
    /* A pair that two ranks give, or one rank twice. */
    const uint64_t twice[2] = {1, 1};
    desc.pairs = twice;
    desc.pair_count = rank == 0 ? 2 : 0;
    NEED(bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, NULL, NULL) == BW_ERROR_ARGUMENT && !clashes);
    desc.pair_count = 0;
    d.fail_rank = -1;
    bw_mpi_clash_report report = {0};
    NEED(bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, &report, NULL) == BW_OK && report.clash_count == 0);
    expecting e = {.hash = 0};
    NEED(bw_mpi_clashes_gather(clashes, ranks - 1, take, &e, NULL) == BW_OK && e.count == 0);
    NEED(bw_mpi_clashes_gather(clashes, ranks, take, &e, NULL) == BW_ERROR_ARGUMENT);
    bw_mpi_clashes_destroy(clashes);
    bw_mpi_clashes_destroy(NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[64] = {0};
    snprintf(path, sizeof path, "/tmp/boxwood-mpi-%ld", (long)getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    make_boxes();
    check_answers(NULL, 0, path);
    uint64_t *pairs = malloc(PARTS * (uint64_t)PARTS * sizeof *pairs / 2), count = 0;
    NEED(pairs != NULL);
    for (uint32_t a = PARTS; a-- > 0;)
        for (uint32_t b = a + 1; b < PARTS; b++)
            if (overlap(a, b))
                pairs[count++] = (uint64_t)a << 32 | b;
    check_answers(pairs, count, path);
    check_lopsided();
    check_failures();
    free(pairs);
    if (rank == 0)
        remove(path);
    MPI_Finalize();
    return 0;
}
