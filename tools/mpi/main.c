/* boxwood-mpi: clash of a part store by all ranks of an MPI job. */
#define _POSIX_C_SOURCE 200809L
#include "clash/shard.h"
#include "commands.h"
#include "mpi_node.h"
#include "report/write.h"
#include "shard/writer.h"
#include "table.h"

#include <boxwood/mpi.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct ranked {
    clash_job job;
    int rank, ranks;
    clash_worker worker;
    part_bytes answer; /* a frame and its clash */
    double next_word;  /* when rank 0 tells how far the work is */
    double work;       /* CPU seconds spent on pairs: no waiting, which MPI does busily */
    double start;
    uint64_t taken; /* findings that have come to rank 0 */
} ranked;

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What every rank says must be fine; only rank 0 complains where all found the same wrong. */
static bool all_fine(bool fine)
{
    int own = fine, least = 0;
    MPI_Allreduce(&own, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return least;
}

static bw_result decide(void *user, uint32_t a, uint32_t b, bw_mpi_answer *out)
{
    ranked *r = user;
    clash found;
    const double before = cpu_now();
    bw_result result = clash_decide(&r->worker, a, b, &found);
    if (result != BW_OK) {
        char name[2048];
        assembly_name(&r->job.assembly, a, name, sizeof name);
        complain("rank %d: %s", r->rank, r->worker.why ? r->worker.why->text : name);
    } else if (found.kind != CLASH_NONE) {
        part_frame frame = {.chunk = 0, .records = 1};
        r->answer.size = sizeof frame;
        clash_encode(&r->answer, &found);
        const part_bytes content = {r->answer.bytes + sizeof frame, r->answer.size - sizeof frame, 0};
        part_seal_frame(&frame, &content);
        memcpy(r->answer.bytes, &frame, sizeof frame);
        *out = (bw_mpi_answer){r->answer.bytes, r->answer.size};
    }
    clash_free(&found);
    r->work += cpu_now() - before;
    return result;
}

/* A line now and then, at twice the time of the last: logs of batch jobs are read by people. */
static void progress(void *user, uint64_t done, uint64_t count)
{
    ranked *r = user;
    double now = seconds_now() - r->start;
    if (now < r->next_word)
        return;
    cell n[2];
    r->next_word = 2 * now;
    fprintf(stderr, "boxwood-mpi: %s of %s pairs of parts (%.0f %%) in %.0f s\n", count_cell(&n[0], done),
            count_cell(&n[1], count), 100 * (double)done / (double)(count > 0 ? count : 1), now);
}

static bool take(void *user, uint32_t a, uint32_t b, const void *bytes, size_t byte_count)
{
    ranked *r = user;
    clash_result *found = &r->job.found;
    size_t at = sizeof(part_frame);
    clash c;
    fault why;
    const part_bytes content = {(unsigned char *)bytes, byte_count, 0}; /* only read */
    if (!clash_decode(&content, &at, r->job.assembly.part_count, &c))
        return false;
    bool fine = c.a == a && c.b == b;
    if (fine && r->job.streams) {
        fine = clash_stream_add(&r->job.stream, &c, &why);
        r->taken += fine;
    } else if (fine) {
        found->list = tool_grow(found->list, found->count, &found->capacity, sizeof *found->list);
        found->list[found->count++] = c;
        r->taken++;
    }
    found->kinds[c.kind] += fine;
    if (!fine || r->job.streams)
        clash_free(&c);
    return fine;
}

static void sum_counts(ranked *r, const clash_candidates *found)
{
    enum { COUNTS = 6 };
    const clash_counts *own = &r->worker.counts;
    uint64_t counts[COUNTS] = {own->shallow,         own->nodes_visited, own->box_tests,
                               own->primitive_tests, found->count,       found->aside},
             sums[COUNTS] = {0};
    MPI_Allreduce(counts, sums, COUNTS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    clash_counts *all = &r->job.found.counts;
    all->shallow = sums[0];
    all->nodes_visited = sums[1];
    all->box_tests = sums[2];
    all->primitive_tests = sums[3];
    all->candidates = all->finished = sums[4];
    all->aside = sums[5];
}

/* What each rank did, for --counts. */
static void tell_ranks(const ranked *r, const bw_mpi_clash_report *done, double cpu, double before)
{
    enum { COLUMNS = 12 };
    const store_cache_counts cache = store_cache_get_counts(r->job.assembly.cache);
    const double own[COLUMNS] = {(double)done->own_pairs,
                                 (double)done->own_chunks,
                                 (double)done->taken_chunks,
                                 before,
                                 r->work,
                                 cpu,
                                 done->decide_seconds,
                                 done->wait_seconds,
                                 done->deliver_seconds,
                                 (double)cache.reads,
                                 (double)cache.bytes_read,
                                 (double)cache.most_bytes};
    double *all = r->rank == 0 ? tool_alloc((size_t)r->ranks, sizeof own) : NULL;
    MPI_Gather(own, COLUMNS, MPI_DOUBLE, all, COLUMNS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (r->rank != 0)
        return;
    fprintf(stderr,
            "rank  pairs  chunks  taken  order/CPU s  work/CPU s  all/CPU s  decide/s  wait/s  deliver/s  "
            "reads  read/MB  held/MB\n");
    double sum = 0, most = 0, busy = 0, longest = 0, total = 0;
    for (int i = 0; i < r->ranks; i++) {
        const double *c = all + COLUMNS * i;
        fprintf(stderr, "%4d  %.0f  %.0f  %.0f  %.2f  %.2f  %.2f  %.2f  %.2f  %.2f  %.0f  %.1f  %.1f\n", i,
                c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10] * 1e-6, c[11] * 1e-6);
        total += c[3] + c[5];
        sum += c[4];
        most = c[4] > most ? c[4] : most;
        busy += c[6];
        longest = c[6] > longest ? c[6] : longest;
    }
    fprintf(
        stderr,
        "all ranks took %.2f s of CPU, %.2f of them to decide, most of one over the mean %.3f; by the clock "
        "%.3f\n",
        total, sum, most / (sum / r->ranks), longest / (busy / r->ranks));
    free(all);
}

/* The file that boxwood merge reads, written by all ranks. */
static bool write_part(ranked *r, bw_mpi_clashes *clashes, uint64_t count, const char *path, fault *why)
{
    const char *store_path = r->job.given->names[0];
    const uint64_t shallow = r->job.found.counts.shallow;
    part_bytes head = {NULL, 0, 0};
    part_head h = clash_work_head(&r->job);
    h.flags |= PART_SPARSE;
    h.shards = 1;
    h.chunks = 1;
    h.candidates = r->job.found.counts.candidates;
    h.aside = r->job.found.counts.aside;
    if (!all_fine(part_sum_rules(r->job.given, &h.rules, why)))
        return false;
    part_seal_head(&h, store_path, strlen(store_path) + 1);
    head.size = sizeof h + h.word_bytes;
    head.bytes = tool_alloc(head.size, 1);
    memcpy(head.bytes, &h, sizeof h);
    memcpy(head.bytes + sizeof h, store_path, h.word_bytes);
    int code = bw_mpi_clashes_write(clashes, path, head.bytes, head.size);
    free(head.bytes);
    bool fine = code == MPI_SUCCESS;
    if (!fine) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(code, text, &length);
        fault_set(why, "%s: %s", path, text);
    } else if (r->rank == 0) {
        const clash_counts *c = &r->job.found.counts;
        part_frame end = {.chunk = UINT64_MAX,
                          .records = count,
                          .finished = c->finished,
                          .shallow = shallow,
                          .nodes_visited = c->nodes_visited,
                          .box_tests = c->box_tests,
                          .primitive_tests = c->primitive_tests};
        FILE *out = fopen(path, "ab");
        errno = 0;
        fine = out && part_write_frame(out, &end, NULL);
        fine = out && fclose(out) == 0 && fine;
        if (!fine) {
            fault_set(why, "%s: %s", path, strerror(errno));
            remove(path);
        }
    }
    return fine;
}

static bool work(ranked *r, fault *why)
{
    clash_job *job = &r->job;
    const args *given = job->given;
    clash_candidates found = {.list = NULL};
    double before = cpu_now();
    r->start = seconds_now();
    r->next_word = 5;
    if (!all_fine(clash_job_open(job, why) && clash_job_build(job, NULL, why) &&
                  clash_find_candidates(&job->assembly, &job->wish, (uint32_t)r->rank, (uint32_t)r->ranks,
                                        NULL, &found, why))) {
        free(found.list);
        return false;
    }
    /* A rank without pairs still gives a list. */
    found.list = tool_grow(found.list, found.count, &found.capacity, sizeof *found.list);
    const store *s = job->assembly.store;
    uint32_t *primitives = tool_alloc(s->part_count, sizeof *primitives);
    for (uint32_t i = 0; i < s->part_count; i++)
        primitives[i] = s->meshes[s->parts[i].mesh].primitive_count;
    r->worker = (clash_worker){.assembly = &job->assembly, .wish = &job->wish, .placed = BW_NONE};
    r->answer = (part_bytes){tool_alloc(4096, 1), sizeof(part_frame), 4096};
    bw_mpi_clash_desc desc = {.boxes = s->boxes,
                              .part_count = s->part_count,
                              .primitives = primitives,
                              .pairs = found.list,
                              .pair_count = found.count,
                              .decide = decide,
                              .progress = progress,
                              .user = r};
    bw_mpi_clashes *clashes = NULL;
    bw_mpi_clash_report done = {0};
    double middle = cpu_now();
    bw_result result = bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, &done, NULL);
    double cpu = cpu_now() - middle;
    free(primitives);
    bool fine = result == BW_OK || fault_set(why, "%s: %s", given->names[0], bw_result_string(result));
    if (fine) {
        const char *part = args_value(given, "part");
        sum_counts(r, &found);
        if (r->rank == 0 && !part)
            clash_job_stream(job, job->memory < CLASH_STREAM_MEMORY ? job->memory : CLASH_STREAM_MEMORY,
                             true);
        if (part)
            fine = write_part(r, clashes, done.clash_count, part, why);
        else
            fine = bw_mpi_clashes_gather(clashes, 0, take, r, NULL) == BW_OK;
        fine = all_fine(fine);
        if (args_given(given, "counts"))
            tell_ranks(r, &done, cpu, middle - before);
        bw_mpi_clashes_destroy(clashes); /* the report needs the room */
        if (fine && !part && r->rank == 0)
            fine = r->taken == done.clash_count
                       ? clash_job_tell(job, why)
                       : fault_set(why, "%s: what the ranks sent does not hold together", given->names[0]);
    }
    free(found.list);
    clash_worker_free(&r->worker);
    free(r->answer.bytes);
    return fine;
}

/* Whether the options go together; all ranks find the same. */
static bool check(ranked *r, const args *given, fault *why)
{
    clash_job *job = &r->job;
    bool curves = false;
    if (!clash_job_read(job, given, why) || !report_outputs_check(given, &curves, why))
        return false;
    job->threads = 1;
    if (!job->from_store)
        return fault_set(why, "give one part store, and nothing else: boxwood pack makes one");
    /* merge may be asked for a report that shows them */
    job->wish.curves = args_given(given, "part") ? job->wish.measure : curves;
    static const char *const not_here[] = {"shard", "resume", "threads", NULL};
    for (int i = 0; not_here[i]; i++)
        if (args_given(given, not_here[i]))
            return fault_set(why, "--%s: the ranks of MPI share the work, one thread each", not_here[i]);
    return true;
}

static int run(const args *given)
{
    static ranked r;
    fault why;
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
    bool fine = check(&r, given, &why);
    if (!fine && r.rank == 0)
        complain("%s", why.text);
    if (fine) {
        *why.text = 0;
        fine = work(&r, &why);
        if (!fine && *why.text && r.rank == 0)
            complain("%s", why.text);
        mpi_wait_for_all(MPI_COMM_WORLD); /* rank 0 has written the report */
        fine = all_fine(fine);
    }
    clash_job_free(&r.job);
    return fine ? 0 : EXIT_FAULT;
}

int main(int argc, char **argv)
{
    enum { MOST = ARGS_OPTIONS + 1 };
    static option_spec options[MOST];
    int count = 0, result = EXIT_FAULT, rank;
    for (; command_clash.options[count].name && count + 2 < MOST; count++)
        options[count] = command_clash.options[count];
    options[count] =
        (option_spec){"part", "FILE",
                      "write what is found to FILE, from all ranks by MPI-IO, for boxwood merge,\n"
                      "instead of telling it"};
    command here = command_clash;
    here.options = options;
    here.run = run;
    here.least = 1;
    here.examples = "examples, after mpirun -n 64:\n"
                    "  boxwood-mpi clash plant.bws --no-depth -o clashes.csv\n"
                    "  boxwood-mpi clash plant.bws --memory 2G --counts\n"
                    "\n"
                    "exit codes: 0 done, clashes or not; 2 error\n";
    if (argc >= 2 && strcmp(argv[1], "--help") == 0) {
        puts("usage: mpirun -n RANKS boxwood-mpi clash STORE [options of boxwood clash] [--part FILE]");
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc >= 2 && strcmp(argv[1], "clash") == 0) {
        /* What is wrong with the arguments, and --help, is told once. */
        if (rank != 0 && !freopen("/dev/null", "w", stdout))
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAULT);
        result = command_run(&here, argc - 2, argv + 2);
    } else if (rank == 0) {
        complain("the command is clash: boxwood-mpi clash STORE; boxwood-mpi --help");
    }
    if (rank == 0 && (fflush(stdout) != 0 || ferror(stdout)))
        result = complain("the output could not be written");
    MPI_Finalize();
    return result;
}
