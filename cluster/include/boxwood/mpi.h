/* Boxwood over MPI: which of many parts collide, decided by all ranks of a communicator.
 *
 * Every rank knows the boxes of all parts (24 bytes each); geometry is the caller's, who gives an answer for two parts
 * whenever it is asked: from memory, from a file, through a cache. Pairs of parts whose boxes meet are put in an order in
 * which neighbours follow each other; each rank begins with a stretch of it and, when that is done, takes work from the
 * others, so that slow ranks delay nobody. The answers are sorted by the numbers of the parts: the same bytes for any number
 * of ranks. A library of its own, boxwood::mpi, built with -DBOXWOOD_MPI=ON; see docs/beyond-one-machine.md.
 *
 * All functions are collective over the communicator, which is duplicated: the caller's own messages are not in the way. A
 * rank that fails makes the call fail on every rank, with the same result. A rank that dies ends the job, as MPI has it. */
#ifndef BOXWOOD_MPI_H
#define BOXWOOD_MPI_H

#include <boxwood/math.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What two parts do. bytes: owned by the callback, valid until its next call; of any length and content. */
typedef struct bw_mpi_answer {
    const void *bytes;
    size_t byte_count; /* 0: they do not clash, and nothing is kept of them */
} bw_mpi_answer;

/* Decides parts a < b. Each rank calls it on one thread, for pairs of its own. Anything but BW_OK ends the work on all ranks:
 * bw_mpi_clash returns it. */
typedef bw_result bw_mpi_decide_fn(void *user, uint32_t a, uint32_t b, bw_mpi_answer *out);
/* Called on rank 0 now and then, where it has work: so many pairs are done on all ranks. */
typedef void bw_mpi_progress_fn(void *user, uint64_t done_count, uint64_t pair_count);

typedef struct bw_mpi_clash_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* The same on every rank, as is everything here but pairs and user. */
    const bw_box *boxes;
    uint32_t part_count;
    /* Triangles of each part, to share the work by; NULL: all alike. */
    const uint32_t *primitives;
    /* Pairs to decide, a in the high half of each, b > a in the low; in any order. Each is given by one rank, whichever: pairs and
     * their number are not the same everywhere. NULL, on all ranks: those whose boxes overlap. */
    const uint64_t *pairs;
    uint64_t pair_count;
    bw_mpi_decide_fn *decide;
    bw_mpi_progress_fn *progress; /* may be NULL */
    void *user;                   /* given to both */
} bw_mpi_clash_desc;

typedef struct bw_mpi_clash_report {
    uint32_t size;          /* zero, or as BW_SIZED sets it */
    uint64_t pair_count;    /* of all ranks */
    uint64_t clash_count;   /* of all ranks */
    uint64_t byte_count;    /* of all answers of all ranks */
    uint64_t own_pairs;     /* decided by this rank */
    uint64_t own_chunks;    /* pieces of work that it took */
    uint64_t taken_chunks;  /* of these, from other ranks' stretches */
    double order_seconds;   /* of this rank: to find and order the pairs */
    double decide_seconds;  /* to decide its own */
    double wait_seconds;    /* from its last to everybody's last */
    double deliver_seconds; /* to sort and send the answers */
} bw_mpi_clash_report;

/* The answers: every rank holds a range of parts a, ascending with the ranks, sorted by a, then b. */
typedef struct bw_mpi_clashes bw_mpi_clashes;

/* Decides all pairs. desc: see there; report may be NULL. BW_ERROR_ARGUMENT: no boxes or no decide, a pair of parts that are
 * not there, with a >= b, or given twice; BW_ERROR_NOT_FINITE, BW_ERROR_RANGE: a box that a scene does not take; BW_ERROR_MEMORY. */
bw_result bw_mpi_clash(MPI_Comm comm, const bw_mpi_clash_desc *desc, bw_mpi_clashes **out,
                       bw_mpi_clash_report *report, bw_fault *fault);
/* Collective, as it frees the communicator. NULL is allowed, on all ranks or none. */
void bw_mpi_clashes_destroy(bw_mpi_clashes *clashes);

/* Receives one answer after the other; returns true to go on. */
typedef bool bw_mpi_answer_fn(void *user, uint32_t a, uint32_t b, const void *bytes, size_t byte_count);

/* Calls take for this rank's answers. */
void bw_mpi_clashes_visit(const bw_mpi_clashes *clashes, bw_mpi_answer_fn *take, void *user);
/* Sends all answers to rank `root`, rank by rank, and calls take there, in their order; on other ranks take is not called.
 * What root holds at once are the answers of one rank. */
bw_result bw_mpi_clashes_gather(bw_mpi_clashes *clashes, int root, bw_mpi_answer_fn *take, void *user,
                                bw_fault *fault);
/* Writes the bytes of all answers one after the other into a file, by MPI-IO, each rank its own, after `head`, which rank 0
 * writes (head_bytes may be 0): the same bytes for any number of ranks. MPI_SUCCESS, or on all ranks the code of an error of
 * MPI, as MPI_Error_string tells it; the file is then removed. */
int bw_mpi_clashes_write(bw_mpi_clashes *clashes, const char *path, const void *head, size_t head_bytes);

#ifdef __cplusplus
}
#endif
#endif
