/* Distances of two bodies, of many poses in one call, and pairs of primitives within a distance. */
#include "core.h"

static const field distance_fields[] = {FIELD(bw_distance_report, distance, 'd'),
                                        FIELD(bw_distance_report, a, 'n'),
                                        FIELD(bw_distance_report, b, 'n'),
                                        FIELD_VEC3(bw_distance_report, point_a),
                                        FIELD_VEC3(bw_distance_report, point_b),
                                        FIELD_ENUM(bw_distance_report, status, "Status"),
                                        END_OF_FIELDS};
static schema distance_schema = {.record = "boxwood.Distance",
                                 .record_doc = DOC_Distance,
                                 .size = sizeof(bw_distance_report),
                                 .fields = distance_fields};

static const field many_fields[] = {FIELD(bw_distance_answer, distance, 'd'),
                                    FIELD(bw_distance_answer, pair, 'n'),
                                    FIELD(bw_distance_answer, a, 'n'),
                                    FIELD(bw_distance_answer, b, 'n'),
                                    FIELD_VEC3(bw_distance_answer, point_a),
                                    FIELD_VEC3(bw_distance_answer, point_b),
                                    FIELD_ENUM(bw_distance_answer, status, "Status"),
                                    END_OF_FIELDS};
static schema many_schema = {.record = "boxwood.PoseDistance",
                             .table = "boxwood.PoseDistances",
                             .record_doc = DOC_PoseDistance,
                             .table_doc = DOC_PoseDistances,
                             .size = sizeof(bw_distance_answer),
                             .fields = many_fields};

static const field near_fields[] = {FIELD(bw_near, a, 'n'), FIELD(bw_near, b, 'n'),
                                    FIELD(bw_near, distance, 'd'), END_OF_FIELDS};
static schema near_schema = {.record = "boxwood.Near",
                             .table = "boxwood.Nears",
                             .record_doc = DOC_Near,
                             .table_doc = DOC_Nears,
                             .size = sizeof(bw_near),
                             .fields = near_fields};

FUNCTION(distance)
{
    (void)self;
    ARGUMENTS(distance);
    bw_distance_desc desc = BW_SIZED(bw_distance_desc);
    bw_distance_report report = BW_SIZED(bw_distance_report);
    bw_result result;
    bw_fault fault;
    held a, b;
    watch w;
    if (!get_limit(v[ARG_distance_max_distance], "max_distance", &desc.max_distance) ||
        !get_double(v[ARG_distance_stop_below], "stop_below", &desc.stop_below) || !watch_init(&w, NULL, 0) ||
        !held_get(v[ARG_distance_a], v[ARG_distance_pose_a], "a", "pose_a", &a))
        return NULL;
    if (!held_get(v[ARG_distance_b], v[ARG_distance_pose_b], "b", "pose_b", &b)) {
        held_done(&a);
        return NULL;
    }
    desc.progress = watch_hook(&w);
    UNLOCKED(result = bw_distance(&a.body, &b.body, &desc, &report, &fault));
    held_done(&a);
    held_done(&b);
    if (!watch_end(&w))
        return NULL;
    return result != BW_OK ? raise_fault(result, &fault) : record_new(&distance_schema, &report);
}

FUNCTION(distance_many)
{
    (void)self;
    ARGUMENTS(distance_many);
    bw_distance_many_desc desc = BW_SIZED(bw_distance_many_desc);
    batch b;
    watch w;
    tasks threads;
    if (!get_limit(v[ARG_distance_many_max_distance], "max_distance", &desc.max_distance) ||
        !get_double(v[ARG_distance_many_stop_below], "stop_below", &desc.stop_below) ||
        !get_bool(v[ARG_distance_many_coherent], "coherent", &desc.coherent) ||
        !batch_get(v[ARG_distance_many_a], v[ARG_distance_many_b], v[ARG_distance_many_poses_a],
                   v[ARG_distance_many_poses_b], v[ARG_distance_many_pairs], &b))
        return NULL;
    if (!watch_init(&w, v[ARG_distance_many_progress], b.count) ||
        !tasks_get(v[ARG_distance_many_pool], &threads)) {
        batch_done(&b);
        return NULL;
    }
    const uint32_t part = batch_part(&b);
    desc.tasks = threads.hook;
    desc.group_size = b.group;
    desc.progress = watch_hook(&w);
    bw_distance_answer *answers = block_alloc(b.count, sizeof *answers);
    bw_body_pair *pairs = PyMem_Malloc((size_t)part * b.group * sizeof *pairs);
    bool fine = answers != NULL && pairs != NULL, stopped = false;
    if (!fine)
        PyErr_NoMemory();
    bw_distance_many_report report = BW_SIZED(bw_distance_many_report);
    bw_result result = BW_OK;
    bw_fault fault;
    uint32_t failed = BW_NONE;
    PyThreadState *state = PyEval_SaveThread();
    for (uint32_t done = 0; fine && !stopped && done < b.count && result == BW_OK && failed == BW_NONE;
         done += part) {
        const uint32_t count_now = b.count - done < part ? b.count - done : part;
        stopped = !watch_part(&w, done);
        if (stopped)
            break;
        batch_pairs(&b, done, count_now, pairs);
        result = bw_distance_many(pairs, count_now * b.group, &desc, answers + done, &report, &fault);
        stopped = result == BW_OK && report.status == BW_STOPPED;
        for (uint32_t i = done; result == BW_OK && i < done + count_now; i++) {
            if (answers[i].result != BW_OK && failed == BW_NONE)
                failed = i;
            if (answers[i].pair != BW_NONE)
                answers[i].pair %= b.group;
        }
    }
    PyEval_RestoreThread(state);
    PyMem_Free(pairs);
    tasks_done(&threads);
    fine = fine && watch_end(&w);
    if (fine && stopped) {
        raise_stopped();
        fine = false;
    }
    if (fine && result != BW_OK)
        fine = raise_fault(result, &fault) != NULL;
    if (fine && failed != BW_NONE)
        fine = batch_failed(&b, failed, answers[failed].pair, answers[failed].result);
    const uint32_t total = b.count;
    batch_done(&b);
    if (fine)
        return table_new(&many_schema, answers, total, NULL);
    block_free(answers);
    return NULL;
}

static bool add_near(void *user, const bw_near *pair)
{
    return grown_add(user, pair, 1);
}

FUNCTION(within)
{
    (void)self;
    ARGUMENTS(within);
    bw_within_desc desc = BW_SIZED(bw_within_desc);
    bw_within_report report = BW_SIZED(bw_within_report);
    grown rows = {.size = sizeof(bw_near)};
    bw_result result;
    bw_fault fault;
    held a, b;
    watch w;
    if (!get_double(v[ARG_within_distance], "distance", &desc.distance) ||
        !watch_init(&w, v[ARG_within_progress], 0) ||
        !held_get(v[ARG_within_a], v[ARG_within_pose_a], "a", "pose_a", &a))
        return NULL;
    if (!held_get(v[ARG_within_b], v[ARG_within_pose_b], "b", "pose_b", &b)) {
        held_done(&a);
        return NULL;
    }
    desc.on_pair = add_near;
    desc.user = &rows;
    desc.progress = watch_hook(&w);
    UNLOCKED(result = bw_within(&a.body, &b.body, &desc, &report, &fault));
    held_done(&a);
    held_done(&b);
    if (result == BW_OK && !rows.failed && watch_end(&w))
        return table_new(&near_schema, rows.data, rows.count, NULL);
    block_free(rows.data);
    return rows.failed ? PyErr_NoMemory() : result != BW_OK ? raise_fault(result, &fault) : NULL;
}

static PyMethodDef functions[] = {ENTRY("distance", distance), ENTRY("distance_many", distance_many),
                                  ENTRY("within", within), END_OF_METHODS};

bool distance_init(PyObject *module)
{
    return schema_register(module, &distance_schema) && schema_register(module, &many_schema) &&
           schema_register(module, &near_schema) && add_functions(module, functions);
}
