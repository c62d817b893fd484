/* The parts of a clash that do not depend on who does the work. */
#include "clash/job.h"

#include "assembly_source.h"
#include "number.h"
#include "report/write.h"
#include "rules_options.h"

#include <boxwood/pool.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

static bool read_wish(const args *given, clash_wish *wish, fault *why)
{
    *wish = (clash_wish){.clearance = -1,
                         .contain = args_given(given, "contain"),
                         .all = args_given(given, "all"),
                         .limit = UINT64_MAX,
                         .measure = !args_given(given, "no-depth"),
                         .quarantine = args_given(given, "quarantine")};
    if (args_given(given, "limit") && !wish->all)
        return fault_set(why, "--limit goes with --all");
    if (args_given(given, "tolerance") && !wish->measure)
        return fault_set(why, "--tolerance is decided by depth: it does not go with --no-depth");
    return args_count(given, "limit", 0, UINT64_MAX, &wish->limit, why) &&
           args_number(given, "clearance", 0, DBL_MAX, "a distance", &wish->clearance, why) &&
           args_number(given, "tolerance", 0, DBL_MAX, "a depth", &wish->tolerance, why);
}

bool clash_job_read(clash_job *job, const args *given, fault *why)
{
    *job = (clash_job){.given = given, .threads = bw_pool_default_workers(), .memory = CLASH_MEMORY};
    const char *memory = args_value(given, "memory");
    job->from_store = given->count == 1 && store_is(given->names[0]);
    if (!read_wish(given, &job->wish, why) || !args_count(given, "top", 1, UINT64_MAX, &job->top, why) ||
        !args_count(given, "threads", 1, BW_MAX_WORKERS, &job->threads, why) ||
        !rules_of_args(given, &job->lines, why) || !unit_wish_read(given, given->count, &job->stated, why))
        return false;
    if (memory && !number_bytes(memory, &job->memory))
        return fault_set(why, "--memory %s is not a number of bytes, such as 512M or 2G", memory);
    if (memory && !job->from_store)
        return fault_set(why, "--memory goes with a part store as the only file: boxwood pack makes one");
    if (job->from_store && (args_given(given, "scale") || args_given(given, "up")))
        return fault_set(why,
                         "%s: a store has its unit and its up axis: give --scale and --up to boxwood pack",
                         given->names[0]);
    return true;
}

bool clash_job_open(clash_job *job, fault *why)
{
    const args *given = job->given;
    double start = seconds_now();
    assembly_desc desc = {.quarantine = job->wish.quarantine,
                          .keep_going = args_given(given, "keep-going"),
                          .units = &job->stated};
    bool fine = job->from_store
                    ? assembly_open(&job->assembly, given->names[0], job->memory, (uint32_t)job->threads, why)
                    : assembly_read(&job->assembly, given->names, (uint32_t)given->count, &desc, why);
    job->found.counts.read_seconds = seconds_now() - start;
    return fine;
}

/* What parts are called, for the rules. */
static bool resolve(const assembly *a, rules *lines, fault *why)
{
    if (!rules_any(lines))
        return true;
    rules_part *parts = tool_alloc(a->part_count, sizeof *parts);
    for (uint32_t i = 0; i < a->part_count; i++)
        parts[i] = (rules_part){a->files[a->parts[i].file].path, a->parts[i].name};
    bool fine = rules_resolve(lines, parts, a->part_count, why);
    free(parts);
    return fine;
}

bool clash_job_build(clash_job *job, const bw_tasks *tasks, fault *why)
{
    assembly *a = &job->assembly;
    double start = seconds_now();
    assembly_desc desc = {.quarantine = job->wish.quarantine,
                          .keep_going = args_given(job->given, "keep-going")};
    bool fine = (job->from_store || assembly_build(a, &desc, tasks, why)) && resolve(a, job->lines, why);
    /* Triangles that a store has set aside stay aside. */
    job->wish.quarantine |= job->from_store;
    job->wish.rules = job->lines;
    if (fine && job->wish.contain)
        assembly_close(a, tasks);
    job->found.counts.build_seconds = seconds_now() - start;
    return fine;
}

void clash_job_stream(clash_job *job, size_t memory, bool keep)
{
    job->streams = job->from_store && !job->wish.curves;
    if (job->streams)
        clash_stream_open(&job->stream, &job->assembly, job->wish.measure, keep, memory);
}

bool clash_job_tell(clash_job *job, fault *why)
{
    report_desc desc = {.top = job->top, .counts = args_given(job->given, "counts"), .pairs = job->wish.all};
    assembly_source source;
    /* Reports that show no geometry read no mesh again: what is kept of them makes room. */
    if (!job->wish.curves)
        assembly_drop(&job->assembly);
    report r =
        clash_report(&job->assembly, &job->wish, &job->found, job->streams ? &job->stream.report : NULL);
    assembly_source_start(&source, &job->assembly);
    if (job->from_store)
        r.source = &source.report;
    bool fine = report_output(&r, job->given, &desc, why);
    report_free(&r);
    return fine;
}

int clash_job_end(clash_job *job, bool fine, const fault *why)
{
    uint64_t found = 0;
    for (int i = 0; i < CLASH_KINDS; i++)
        found += job->found.kinds[i];
    return !fine ? complain("%s", why->text)
           : job->found.counts.finished < job->found.counts.candidates
               ? complain("interrupted: this is what was found until then")
           : found > 0 ? EXIT_CONTACT
                       : EXIT_APART;
}

void clash_job_free(clash_job *job)
{
    clash_result_free(&job->found);
    if (job->streams)
        clash_stream_close(&job->stream);
    assembly_free(&job->assembly);
    unit_wish_free(&job->stated);
    rules_free(job->lines);
}
