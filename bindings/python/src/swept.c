/* Steps of simulators: the contacts of whole meshes whose vertices move on straight lines, and single continuous queries. */
#include "core.h"

#include <string.h>

typedef struct Step {
    PyObject_HEAD int users;
    bw_swept *swept;
    uint32_t vertex_count;
    PyObject *mesh; /* the faces of the step */
} Step;
typedef struct StepCache {
    PyObject_HEAD int users;
    bw_swept_cache *cache;
} StepCache;
static PyTypeObject *step_type, *cache_type;

#define CONTACT_FIELDS(structure, prefix)                                                                    \
    {"feature", 'e', offsetof(structure, prefix feature), 0, 0, "StepFeature"},                              \
        FIELD_AS("a", structure, prefix a, 'n'), FIELD_AS("b", structure, prefix b, 'n'),                    \
        FIELD_ROW("vertices", structure, prefix vertices, 'n', 4),                                           \
        {"answer", 'e', offsetof(structure, prefix first.answer), 0, 0, "Ccd"},                              \
        FIELD_AS("exact", structure, prefix first.exact, '?'),                                               \
        FIELD_AS("time", structure, prefix first.time, 'd'),                                                 \
        FIELD_AS("time_after", structure, prefix first.time_after, 'd')
static const field contact_fields[] = {CONTACT_FIELDS(bw_swept_contact, ), END_OF_FIELDS};
static const field report_fields[] = {FIELD_ENUM(bw_swept_report, status, "Status"),
                                      FIELD(bw_swept_report, contact_count, 'Q'),
                                      FIELD(bw_swept_report, vertex_face_count, 'Q'),
                                      FIELD(bw_swept_report, edge_edge_count, 'Q'),
                                      FIELD(bw_swept_report, vertex_edge_count, 'Q'),
                                      FIELD(bw_swept_report, vertex_vertex_count, 'Q'),
                                      FIELD(bw_swept_report, close_count, 'Q'),
                                      FIELD_AS("earliest_time", bw_swept_report, earliest.first.time, 'd'),
                                      FIELD(bw_swept_report, candidate_count, 'Q'),
                                      FIELD(bw_swept_report, tested, 'Q'),
                                      FIELD(bw_swept_report, exact, 'Q'),
                                      FIELD(bw_swept_report, kept, 'Q'),
                                      END_OF_FIELDS};
static const field candidate_fields[] = {FIELD_ENUM(bw_swept_candidate, feature, "StepFeature"),
                                         FIELD(bw_swept_candidate, a, 'n'), FIELD(bw_swept_candidate, b, 'n'),
                                         END_OF_FIELDS};
#define WITNESS_FIELDS(structure, prefix)                                                                    \
    FIELD_ROW("weights", structure, prefix weights, 'd', 4),                                                 \
        FIELD_ROW("point_a", structure, prefix point_a, 'd', 3),                                             \
        FIELD_ROW("point_b", structure, prefix point_b, 'd', 3),                                             \
        FIELD_ROW("normal", structure, prefix normal, 'd', 3),                                               \
        FIELD_AS("distance", structure, prefix distance, 'd')
static const field witness_fields[] = {WITNESS_FIELDS(bw_swept_witness, ), END_OF_FIELDS};
static const field near_fields[] = {FIELD_ENUM(bw_swept_near_pair, feature, "StepFeature"),
                                    FIELD(bw_swept_near_pair, a, 'n'),
                                    FIELD(bw_swept_near_pair, b, 'n'),
                                    FIELD_ROW("vertices", bw_swept_near_pair, vertices, 'n', 4),
                                    FIELD(bw_swept_near_pair, pair_count, 'I'),
                                    WITNESS_FIELDS(bw_swept_near_pair, at.),
                                    END_OF_FIELDS};
typedef struct safe_row {
    double step;
    uint32_t couple;
    bw_swept_contact earliest;
} safe_row;
static const field safe_fields[] = {FIELD(safe_row, step, 'd'), FIELD(safe_row, couple, 'n'),
                                    CONTACT_FIELDS(safe_row, earliest.), END_OF_FIELDS};
static const field ccd_fields[] = {FIELD_ENUM(bw_ccd_result, answer, "Ccd"), FIELD(bw_ccd_result, exact, '?'),
                                   FIELD(bw_ccd_result, time, 'd'), FIELD(bw_ccd_result, time_after, 'd'),
                                   END_OF_FIELDS};

static schema contact = {.record = "boxwood.StepContact",
                         .table = "boxwood.StepContacts",
                         .record_doc = DOC_StepContact,
                         .table_doc = DOC_StepContacts,
                         .size = sizeof(bw_swept_contact),
                         .fields = contact_fields};
static schema report_schema = {.record = "boxwood.StepReport",
                               .record_doc = DOC_StepReport,
                               .size = sizeof(bw_swept_report),
                               .fields = report_fields};
static schema candidate = {.record = "boxwood.StepCandidate",
                           .table = "boxwood.StepCandidates",
                           .record_doc = DOC_StepCandidate,
                           .table_doc = DOC_StepCandidates,
                           .size = sizeof(bw_swept_candidate),
                           .fields = candidate_fields};
static schema witness = {.record = "boxwood.StepWitness",
                         .table = "boxwood.StepWitnesses",
                         .record_doc = DOC_StepWitness,
                         .table_doc = DOC_StepWitnesses,
                         .size = sizeof(bw_swept_witness),
                         .fields = witness_fields};
static schema near_schema = {.record = "boxwood.StepNear",
                             .table = "boxwood.StepNears",
                             .record_doc = DOC_StepNear,
                             .table_doc = DOC_StepNears,
                             .size = sizeof(bw_swept_near_pair),
                             .fields = near_fields};
static schema safe_schema = {.record = "boxwood.SafeStep",
                             .record_doc = DOC_SafeStep,
                             .size = sizeof(safe_row),
                             .fields = safe_fields};
static schema ccd_schema = {.record = "boxwood.CcdResult",
                            .table = "boxwood.CcdResults",
                            .record_doc = DOC_CcdResult,
                            .table_doc = DOC_CcdResults,
                            .size = sizeof(bw_ccd_result),
                            .fields = ccd_fields};

/* ---- making a step ---- */

static PyObject *Step_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Step);
    bw_swept_desc desc = BW_SIZED(bw_swept_desc);
    Mesh *start = mesh_get(v[ARG_Step_mesh], "mesh");
    Mesh *end = start == NULL ? NULL : (Mesh *)mesh_with_vertices(start, v[ARG_Step_end]);
    if (end == NULL)
        return NULL;
    array edges = {.ndim = 0}, thickness = {.ndim = 0};
    tasks threads = {NULL, NULL, NULL};
    static const want pairs = {'i', 1, {2, 0, 0}, false, NULL};
    bw_swept *swept = NULL;
    bool fine = get_bool(v[ARG_Step_points], "points", &desc.points);
    if (fine && v[ARG_Step_edges] != NULL && v[ARG_Step_edges] != Py_None)
        fine = array_get(v[ARG_Step_edges], "edges", &pairs, &edges);
    if (fine && v[ARG_Step_thickness] != NULL && v[ARG_Step_thickness] != Py_None) {
        fine = array_doubles(v[ARG_Step_thickness], "thickness", &thickness);
        if (fine && array_count(&thickness) != start->mesh.vertex_count) {
            PyErr_Format(PyExc_ValueError, "%u values of thickness for %u vertices", array_count(&thickness),
                         start->mesh.vertex_count);
            fine = false;
        }
    }
    if (fine && tasks_get(v[ARG_Step_pool], &threads)) {
        bw_result result;
        bw_fault fault;
        desc.tasks = threads.hook;
        desc.edges = edges.data;
        desc.edge_count = array_count(&edges);
        desc.thickness = thickness.data;
        UNLOCKED(result = bw_swept_create(&desc, &start->mesh, &end->mesh, &swept, &fault));
        tasks_done(&threads);
        if (result != BW_OK)
            raise_fault(result, &fault);
    }
    array_release(&edges);
    array_release(&thickness);
    drop(end);
    Step *made = swept == NULL ? NULL : new_object(type);
    if (made == NULL) {
        bw_swept_destroy(swept);
        return NULL;
    }
    made->swept = swept;
    made->vertex_count = start->mesh.vertex_count;
    keep(start);
    made->mesh = (PyObject *)start;
    return (PyObject *)made;
}

static void Step_release(PyObject *self)
{
    Step *s = (Step *)self;
    PyObject *mesh = s->mesh;
    bw_swept_destroy(s->swept);
    s->swept = NULL;
    s->mesh = NULL;
    drop(mesh);
}

CLOSING(Step, NULL)

static void Step_dealloc(PyObject *self)
{
    Step_release(self);
    free_object(self);
}

static PyObject *Step_repr(PyObject *self)
{
    const Step *s = (Step *)self;
    if (is_closed(s))
        return closed_repr(self);
    return PyUnicode_FromFormat("Step(%u vertices, %u edges)", s->vertex_count,
                                bw_swept_edge_count(s->swept));
}

FUNCTION(Step_update)
{
    ARGUMENTS(Step_update);
    Step *s = (Step *)self;
    if (!is_open(s))
        return NULL;
    Mesh *mesh = (Mesh *)s->mesh;
    keep(mesh);
    Mesh *start = (Mesh *)mesh_with_vertices(mesh, v[ARG_Step_update_start]);
    Mesh *end = start == NULL ? NULL : (Mesh *)mesh_with_vertices(mesh, v[ARG_Step_update_end]);
    tasks threads = {NULL, NULL, NULL};
    bool fine = end != NULL && tasks_get(v[ARG_Step_update_pool], &threads) && shared_write(s);
    if (fine) {
        bw_result result;
        bw_fault fault;
        UNLOCKED(result = bw_swept_update(s->swept, &start->mesh, &end->mesh, threads.hook, &fault));
        shared_done(s);
        fine = result == BW_OK || raise_fault(result, &fault) != NULL;
    }
    tasks_done(&threads);
    drop(start);
    drop(end);
    drop(mesh);
    if (!fine)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *Step_get_edge_count(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? PyLong_FromUnsignedLong(bw_swept_edge_count(((Step *)self)->swept)) : NULL;
}

/* ---- caches ---- */

static PyObject *StepCache_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(StepCache);
    bw_swept_cache_desc desc = BW_SIZED(bw_swept_cache_desc);
    bw_fault fault;
    if (!get_double(v[ARG_StepCache_margin], "margin", &desc.margin))
        return NULL;
    StepCache *made = new_object(type);
    if (made == NULL)
        return NULL;
    const bw_result result = bw_swept_cache_create(&desc, &made->cache, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void StepCache_release(PyObject *self)
{
    bw_swept_cache_destroy(((StepCache *)self)->cache);
    ((StepCache *)self)->cache = NULL;
}

CLOSING(StepCache, NULL)

static void StepCache_dealloc(PyObject *self)
{
    StepCache_release(self);
    free_object(self);
}

FUNCTION(StepCache_reset)
{
    ARGUMENTS(StepCache_reset);
    if (!shared_write(self))
        return NULL;
    bw_swept_cache_reset(((StepCache *)self)->cache);
    shared_done(self);
    Py_RETURN_NONE;
}

static bool cache_get(PyObject *object, bw_swept_cache **out, void **held_cache)
{
    *out = NULL;
    *held_cache = NULL;
    if (object == NULL || object == Py_None)
        return true;
    if (Py_TYPE(object) != cache_type) {
        PyErr_Format(PyExc_TypeError, "cache must be a boxwood.StepCache, not %R", object);
        return false;
    }
    if (!shared_write(object))
        return false;
    *out = ((StepCache *)object)->cache;
    *held_cache = object;
    return true;
}

/* ---- queries ---- */

/* The other step of a query, or NULL for a step with itself; read until shared_done. */
static bool other_get(PyObject *object, Step **out)
{
    *out = NULL;
    if (object == NULL || object == Py_None)
        return true;
    if (Py_TYPE(object) != step_type) {
        PyErr_Format(PyExc_TypeError, "other must be a boxwood.Step, not %R", object);
        return false;
    }
    if (!shared_read(object))
        return false;
    *out = (Step *)object;
    return true;
}

/* A query that progress, Ctrl-C or a function of the caller's that raises may end. */
typedef struct asking {
    watch *w;
    callback can_collide;
    grown rows; /* of contacts */
} asking;

static bool may_collide(void *user, const bw_swept_candidate *pair)
{
    asking *q = user;
    bool may = false;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *feature = enum_new("StepFeature", (int32_t)pair->feature);
    PyObject *args = feature == NULL ? NULL : Py_BuildValue("(OII)", feature, pair->a, pair->b);
    PyObject *answer = callback_call(&q->can_collide, args);
    const int truth = answer == NULL ? 0 : PyObject_IsTrue(answer);
    if (truth < 0 && q->can_collide.type == NULL)
        PyErr_Fetch(&q->can_collide.type, &q->can_collide.value, &q->can_collide.traceback);
    PyErr_Clear();
    may = truth > 0;
    Py_XDECREF(answer);
    Py_XDECREF(feature);
    PyGILState_Release(state);
    return may;
}

static bool go_on(void *user)
{
    asking *q = user;
    return q->can_collide.type == NULL && watch_go_on(q->w);
}

static bool add_contact(void *user, const bw_swept_contact *one)
{
    asking *q = user;
    return watch_go_on(q->w) && grown_add(&q->rows, one, 1);
}

/* False with an exception. */
static bool asking_end(asking *q)
{
    return callback_end(&q->can_collide) && watch_end(q->w);
}

typedef struct step_query {
    bw_swept_query query;
    bw_swept_report report;
    Step *other;
    void *cache;
    tasks threads;
    asking asking;
} step_query;

static bool begin(Step *s, PyObject *other, PyObject *tolerance, PyObject *separation, PyObject *cache,
                  PyObject *pool, PyObject *can_collide, watch *w, step_query *q)
{
    memset(q, 0, sizeof *q);
    q->query.size = sizeof q->query;
    q->report.size = sizeof q->report;
    if (!callback_get(can_collide, "can_collide", &q->asking.can_collide))
        return false;
    q->asking.w = w;
    q->query.progress = (bw_progress){go_on, &q->asking};
    q->query.can_collide = q->asking.can_collide.function == NULL ? NULL : may_collide;
    q->query.user = &q->asking;
    if (!get_double(tolerance, "tolerance", &q->query.tolerance) ||
        !get_double(separation, "separation", &q->query.separation) || !shared_read(s))
        return false;
    if (other_get(other, &q->other)) {
        if (cache_get(cache, &q->query.cache, &q->cache)) {
            if (tasks_get(pool, &q->threads)) {
                q->query.tasks = q->threads.hook;
                return true;
            }
            shared_done(q->cache);
        }
        shared_done(q->other);
    }
    shared_done(s);
    return false;
}

/* Runs the query; false with an exception. */
static bool run(Step *s, step_query *q)
{
    bw_result result;
    bw_fault fault;
    UNLOCKED(result = q->other == NULL
                          ? bw_swept_self(s->swept, &q->query, &q->report, &fault)
                          : bw_swept_pair(s->swept, q->other->swept, &q->query, &q->report, &fault));
    return asking_end(&q->asking) && (result == BW_OK || raise_fault(result, &fault) != NULL);
}

/* The same, for what has no part of an answer to give where progress ends it. */
static bool run_whole(Step *s, step_query *q)
{
    return run(s, q) && (q->report.status != BW_STOPPED || raise_stopped() != NULL);
}

static void finish(Step *s, step_query *q)
{
    tasks_done(&q->threads);
    shared_done(q->cache);
    shared_done(q->other);
    shared_done(s);
}

FUNCTION(Step_contacts)
{
    ARGUMENTS(Step_contacts);
    Step *s = (Step *)self;
    step_query q;
    watch w;
    if (!watch_init(&w, v[ARG_Step_contacts_progress], 0) ||
        !begin(s, v[ARG_Step_contacts_other], v[ARG_Step_contacts_tolerance], v[ARG_Step_contacts_separation],
               v[ARG_Step_contacts_cache], v[ARG_Step_contacts_pool], v[ARG_Step_contacts_can_collide], &w,
               &q))
        return NULL;
    grown *rows = &q.asking.rows;
    rows->size = sizeof(bw_swept_contact);
    q.query.mode = BW_SWEPT_ALL;
    q.query.on_contact = add_contact;
    const bool fine = run(s, &q) && (!rows->failed || PyErr_NoMemory() != NULL);
    finish(s, &q);
    PyObject *told = fine ? record_new(&report_schema, &q.report) : NULL;
    if (told != NULL)
        return table_new(&contact, rows->data, rows->count, told);
    block_free(rows->data);
    return NULL;
}

FUNCTION(Step_earliest)
{
    ARGUMENTS(Step_earliest);
    Step *s = (Step *)self;
    step_query q;
    watch w;
    if (!watch_init(&w, v[ARG_Step_earliest_progress], 0) ||
        !begin(s, v[ARG_Step_earliest_other], v[ARG_Step_earliest_tolerance], v[ARG_Step_earliest_separation],
               v[ARG_Step_earliest_cache], v[ARG_Step_earliest_pool], v[ARG_Step_earliest_can_collide], &w,
               &q))
        return NULL;
    q.query.mode = BW_SWEPT_EARLIEST;
    const bool fine = run_whole(s, &q);
    finish(s, &q);
    return fine ? record_new(&contact, &q.report.earliest) : NULL;
}

FUNCTION(Step_candidates)
{
    ARGUMENTS(Step_candidates);
    Step *s = (Step *)self;
    step_query q;
    watch w;
    if (!watch_init(&w, v[ARG_Step_candidates_progress], 0) ||
        !begin(s, v[ARG_Step_candidates_other], NULL, v[ARG_Step_candidates_separation],
               v[ARG_Step_candidates_cache], v[ARG_Step_candidates_pool], v[ARG_Step_candidates_can_collide],
               &w, &q))
        return NULL;
    q.query.mode = BW_SWEPT_CANDIDATES;
    /* Room by the vertices at first; a second time where there are more. */
    size_t capacity = 4 * (size_t)s->vertex_count + 1024;
    bool fine = true;
    bw_swept_candidate *rows = NULL;
    for (int trial = 0; fine && trial < 2; trial++) {
        block_free(rows);
        rows = block_alloc(capacity, sizeof *rows);
        q.query.candidates = rows;
        q.query.candidate_capacity = capacity;
        fine = rows != NULL && run_whole(s, &q);
        if (q.report.status != BW_FULL)
            break;
        capacity = q.report.candidate_count;
    }
    finish(s, &q);
    PyObject *told = fine ? record_new(&report_schema, &q.report) : NULL;
    if (told != NULL)
        return table_new(&candidate, rows, q.report.candidate_count, told);
    block_free(rows);
    return NULL;
}

FUNCTION(Step_candidate_vertices)
{
    ARGUMENTS(Step_candidate_vertices);
    Step *s = (Step *)self;
    Step *other;
    size_t total;
    const bw_swept_candidate *pairs =
        table_rows(v[ARG_Step_candidate_vertices_candidates], &candidate, &total);
    if (pairs == NULL || !shared_read(s))
        return NULL;
    if (!other_get(v[ARG_Step_candidate_vertices_other], &other)) {
        shared_done(s);
        return NULL;
    }
    uint32_t(*out)[4] = block_alloc(total, sizeof *out);
    bw_result result = out == NULL ? BW_ERROR_MEMORY : BW_OK;
    size_t i = 0;
    PyThreadState *state = PyEval_SaveThread();
    for (; result == BW_OK && i < total; i++)
        result =
            bw_swept_candidate_vertices(s->swept, other == NULL ? NULL : other->swept, &pairs[i], out[i]);
    PyEval_RestoreThread(state);
    shared_done(other);
    shared_done(s);
    const Py_ssize_t shape[2] = {(Py_ssize_t)total, 4};
    if (result == BW_OK)
        return array_new(out, 'n', 2, shape);
    if (out != NULL)
        PyErr_Format(error_type, "candidate %zu: these steps have no such features", i - 1);
    block_free(out);
    return NULL;
}

FUNCTION(Step_check)
{
    ARGUMENTS(Step_check);
    const char *fault;
    if (!shared_read(self))
        return NULL;
    UNLOCKED(fault = bw_swept_check(((Step *)self)->swept));
    shared_done(self);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

FUNCTION(Step_near)
{
    ARGUMENTS(Step_near);
    Step *s = (Step *)self;
    bw_swept_near_query query = BW_SIZED(bw_swept_near_query);
    bw_swept_near_report report = BW_SIZED(bw_swept_near_report);
    step_query q;
    watch w;
    if (!watch_init(&w, v[ARG_Step_near_progress], 0) ||
        !get_double(v[ARG_Step_near_distance], "distance", &query.distance) ||
        !get_double(v[ARG_Step_near_time], "time", &query.time) ||
        !begin(s, v[ARG_Step_near_other], NULL, NULL, v[ARG_Step_near_cache], v[ARG_Step_near_pool],
               v[ARG_Step_near_can_collide], &w, &q))
        return NULL;
    query.can_collide = q.query.can_collide;
    query.user = q.query.user;
    query.progress = q.query.progress;
    query.tasks = q.query.tasks;
    query.cache = q.query.cache;
    query.pair_capacity = (size_t)s->vertex_count + 1024;
    bw_result result = BW_OK;
    bw_fault fault;
    for (int trial = 0; trial < 2; trial++) {
        block_free(query.pairs);
        query.pairs = block_alloc(query.pair_capacity, sizeof *query.pairs);
        if (query.pairs == NULL)
            break;
        UNLOCKED(result = bw_swept_near(s->swept, q.other == NULL ? NULL : q.other->swept, &query, &report,
                                        &fault));
        if (result != BW_OK || report.status != BW_FULL)
            break;
        query.pair_capacity = report.pair_count;
    }
    finish(s, &q);
    if (!asking_end(&q.asking) || (result == BW_OK && report.status == BW_STOPPED)) {
        block_free(query.pairs);
        return PyErr_Occurred() ? NULL : raise_stopped();
    }
    if (query.pairs != NULL && result == BW_OK)
        return table_new(&near_schema, query.pairs, report.pair_count, NULL);
    block_free(query.pairs);
    return result != BW_OK ? raise_fault(result, &fault) : NULL;
}

FUNCTION(Step_witnesses)
{
    ARGUMENTS(Step_witnesses);
    Step *s = (Step *)self;
    Step *other;
    size_t total;
    const bw_swept_contact *contacts = table_rows(v[ARG_Step_witnesses_contacts], &contact, &total);
    if (contacts == NULL || !shared_read(s))
        return NULL;
    if (!other_get(v[ARG_Step_witnesses_other], &other)) {
        shared_done(s);
        return NULL;
    }
    bw_swept_witness *out = block_alloc(total, sizeof *out);
    bw_result result = BW_OK;
    bw_fault fault;
    if (out != NULL)
        UNLOCKED(result = bw_swept_witnesses(s->swept, other == NULL ? NULL : other->swept, contacts, total,
                                             out, &fault));
    shared_done(other);
    shared_done(s);
    if (out != NULL && result == BW_OK)
        return table_new(&witness, out, total, NULL);
    block_free(out);
    return result != BW_OK ? raise_fault(result, &fault) : NULL;
}

FUNCTION(safe_step)
{
    (void)self;
    ARGUMENTS(safe_step);
    bw_swept_safe_desc desc = BW_SIZED(bw_swept_safe_desc);
    bw_swept_safe_report report = BW_SIZED(bw_swept_safe_report);
    tasks threads = {NULL, NULL, NULL};
    watch w;
    asking q = {.w = &w};
    if (!watch_init(&w, v[ARG_safe_step_progress], 0) ||
        !callback_get(v[ARG_safe_step_can_collide], "can_collide", &q.can_collide) ||
        !get_double(v[ARG_safe_step_tolerance], "tolerance", &desc.tolerance) ||
        !get_double(v[ARG_safe_step_separation], "separation", &desc.separation) ||
        !get_double(v[ARG_safe_step_keep], "keep", &desc.keep))
        return NULL;
    PyObject *list = PySequence_List(v[ARG_safe_step_couples]);
    if (list == NULL)
        return NULL;
    const Py_ssize_t total = PyList_Size(list);
    bw_swept_couple *couples = PyMem_Calloc((size_t)total + 1, sizeof *couples);
    Step **readers = PyMem_Calloc(2 * (size_t)total + 1, sizeof *readers);
    bool fine = couples != NULL && readers != NULL;
    if (!fine)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; fine && i < total; i++) {
        PyObject *item = PyList_GetItem(list, i), *a = item, *b = NULL;
        if (PyTuple_Check(item) && PyTuple_Size(item) == 2) {
            a = PyTuple_GetItem(item, 0);
            b = PyTuple_GetItem(item, 1);
        }
        fine = other_get(a, &readers[2 * i]) && other_get(b, &readers[2 * i + 1]);
        if (fine && readers[2 * i] == NULL) {
            PyErr_SetString(PyExc_TypeError, "couples are Steps, or pairs of Steps");
            fine = false;
        }
        if (fine)
            couples[i] = (bw_swept_couple){readers[2 * i]->swept,
                                           readers[2 * i + 1] == NULL ? NULL : readers[2 * i + 1]->swept};
    }
    if (fine && (fine = tasks_get(v[ARG_safe_step_pool], &threads))) {
        bw_result result;
        bw_fault fault;
        desc.tasks = threads.hook;
        desc.can_collide = q.can_collide.function == NULL ? NULL : may_collide;
        desc.user = &q;
        desc.progress = (bw_progress){go_on, &q};
        UNLOCKED(result = bw_swept_safe_step(couples, (uint32_t)total, &desc, &report, &fault));
        tasks_done(&threads);
        fine = asking_end(&q) && (result == BW_OK || raise_fault(result, &fault) != NULL) &&
               (report.status != BW_STOPPED || raise_stopped() != NULL);
    }
    for (Py_ssize_t i = 0; readers != NULL && i < 2 * total; i++)
        shared_done(readers[i]);
    PyMem_Free(couples);
    PyMem_Free(readers);
    Py_DECREF(list);
    if (!fine)
        return NULL;
    const safe_row row = {report.step, report.couple, report.earliest};
    return record_new(&safe_schema, &row);
}

/* ---- single queries ---- */

typedef bw_result ccd_fn(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                         bw_ccd_result *out);

static PyObject *many_ccd(PyObject *start, PyObject *end, PyObject *tolerance, PyObject *separation,
                          ccd_fn *query)
{
    static const want wanted = {'d', 2, {4, 3, 0}, true, NULL};
    bw_ccd_desc desc = BW_SIZED(bw_ccd_desc);
    array a, b;
    if (!get_double(tolerance, "tolerance", &desc.tolerance) ||
        !get_double(separation, "separation", &desc.separation) || !array_get(start, "start", &wanted, &a))
        return NULL;
    if (!array_get(end, "end", &wanted, &b)) {
        array_release(&a);
        return NULL;
    }
    const bool one = a.ndim == 2;
    const Py_ssize_t total = one ? 1 : a.shape[0];
    if (a.ndim != b.ndim || a.ndim > 3 || a.shape[0] != b.shape[0]) {
        array_release(&a);
        array_release(&b);
        PyErr_SetString(PyExc_ValueError, "start and end must have the same shape, (n, 4, 3) or (4, 3)");
        return NULL;
    }
    bw_ccd_result *rows = block_alloc((size_t)total, sizeof *rows);
    bw_result result = BW_OK;
    Py_ssize_t at = 0;
    watch w;
    bool fine = rows != NULL && watch_init(&w, NULL, 0);
    if (fine) {
        PyThreadState *state = PyEval_SaveThread();
        for (; at < total && result == BW_OK; at++) {
            if (at % 4096 == 4095 && !watch_go_on(&w))
                break;
            result =
                query((const bw_vec3 *)a.data + 4 * at, (const bw_vec3 *)b.data + 4 * at, &desc, &rows[at]);
        }
        PyEval_RestoreThread(state);
        fine = watch_end(&w);
    }
    array_release(&a);
    array_release(&b);
    if (fine && result != BW_OK) {
        PyErr_Format(error_type, "query %zd: %s", at - 1, bw_result_string(result));
        fine = false;
    }
    if (fine && !one)
        return table_new(&ccd_schema, rows, (size_t)total, NULL);
    PyObject *made = fine ? record_new(&ccd_schema, rows) : NULL;
    block_free(rows);
    return made;
}

FUNCTION(ccd_vertex_face)
{
    (void)self;
    ARGUMENTS(ccd_vertex_face);
    return many_ccd(v[ARG_ccd_vertex_face_start], v[ARG_ccd_vertex_face_end],
                    v[ARG_ccd_vertex_face_tolerance], v[ARG_ccd_vertex_face_separation], bw_ccd_vertex_face);
}

FUNCTION(ccd_edge_edge)
{
    (void)self;
    ARGUMENTS(ccd_edge_edge);
    return many_ccd(v[ARG_ccd_edge_edge_start], v[ARG_ccd_edge_edge_end], v[ARG_ccd_edge_edge_tolerance],
                    v[ARG_ccd_edge_edge_separation], bw_ccd_edge_edge);
}

static PyMethodDef step_methods[] = {ENTRY("update", Step_update),
                                     ENTRY("contacts", Step_contacts),
                                     ENTRY("earliest", Step_earliest),
                                     ENTRY("candidates", Step_candidates),
                                     ENTRY("near", Step_near),
                                     ENTRY("witnesses", Step_witnesses),
                                     ENTRY("candidate_vertices", Step_candidate_vertices),
                                     ENTRY("check", Step_check),
                                     CLOSING_ENTRIES(Step),
                                     END_OF_METHODS};
static PyGetSetDef step_getters[] = {{"edge_count", Step_get_edge_count, NULL, DOC_Step_edge_count, NULL},
                                     {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot step_slots[] = {{Py_tp_new, Step_new},
                                   {Py_tp_dealloc, Step_dealloc},
                                   {Py_tp_repr, Step_repr},
                                   {Py_tp_methods, step_methods},
                                   {Py_tp_getset, step_getters},
                                   {Py_tp_doc, (void *)DOC_Step},
                                   {0, NULL}};
static PyType_Spec step_spec = {"boxwood.Step", sizeof(Step), 0, Py_TPFLAGS_DEFAULT, step_slots};
static PyMethodDef cache_methods[] = {ENTRY("reset", StepCache_reset), CLOSING_ENTRIES(StepCache),
                                      END_OF_METHODS};
static PyType_Slot cache_slots[] = {{Py_tp_new, StepCache_new},
                                    {Py_tp_dealloc, StepCache_dealloc},
                                    {Py_tp_methods, cache_methods},
                                    {Py_tp_doc, (void *)DOC_StepCache},
                                    {0, NULL}};
static PyType_Spec cache_spec = {"boxwood.StepCache", sizeof(StepCache), 0, Py_TPFLAGS_DEFAULT, cache_slots};
static PyMethodDef functions[] = {ENTRY("safe_step", safe_step), ENTRY("ccd_vertex_face", ccd_vertex_face),
                                  ENTRY("ccd_edge_edge", ccd_edge_edge), END_OF_METHODS};

bool swept_init(PyObject *module)
{
    return schema_register(module, &contact) && schema_register(module, &report_schema) &&
           schema_register(module, &candidate) && schema_register(module, &witness) &&
           schema_register(module, &near_schema) && schema_register(module, &safe_schema) &&
           schema_register(module, &ccd_schema) && add_type(module, &step_spec, &step_type) &&
           add_type(module, &cache_spec, &cache_type) && add_functions(module, functions);
}
