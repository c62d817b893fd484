/* Contacts of two bodies, of a body with itself, and of many poses in one call. */
#include "core.h"

#include <string.h>

static const field hit_fields[] = {FIELD(bw_hit, a, 'n'), FIELD(bw_hit, b, 'n'),
                                   FIELD_ENUM(bw_hit, kind, "Kind"), END_OF_FIELDS};
static schema hit = {.record = "boxwood.Hit",
                     .table = "boxwood.Hits",
                     .record_doc = DOC_Hit,
                     .table_doc = DOC_Hits,
                     .size = sizeof(bw_hit),
                     .fields = hit_fields};

static const field report_fields[] = {FIELD_ENUM(bw_collide_report, status, "Status"),
                                      FIELD(bw_collide_report, hit_count, 'Q'),
                                      FIELD(bw_collide_report, touching_count, 'Q'),
                                      FIELD(bw_collide_report, near_count, 'Q'),
                                      FIELD_ENUM(bw_collide_report, containment, "Containment"),
                                      FIELD(bw_collide_report, nodes_visited, 'Q'),
                                      FIELD(bw_collide_report, box_tests, 'Q'),
                                      FIELD(bw_collide_report, primitive_tests, 'Q'),
                                      FIELD(bw_collide_report, exact_tests, 'Q'),
                                      END_OF_FIELDS};
static schema report_schema = {.record = "boxwood.CollideReport",
                               .record_doc = DOC_CollideReport,
                               .size = sizeof(bw_collide_report),
                               .fields = report_fields};

static const field answer_fields[] = {FIELD_ENUM(bw_collide_answer, status, "Status"),
                                      FIELD(bw_collide_answer, pair, 'n'),
                                      FIELD_AS("a", bw_collide_answer, hit.a, 'n'),
                                      FIELD_AS("b", bw_collide_answer, hit.b, 'n'),
                                      {"kind", 'e', offsetof(bw_collide_answer, hit.kind), 0, 0, "Kind"},
                                      FIELD(bw_collide_answer, hit_count, 'Q'),
                                      END_OF_FIELDS};
static schema answer = {.record = "boxwood.PoseHit",
                        .table = "boxwood.PoseHits",
                        .record_doc = DOC_PoseHit,
                        .table_doc = DOC_PoseHits,
                        .size = sizeof(bw_collide_answer),
                        .fields = answer_fields};

/* ---- caches ---- */

typedef struct PairCache {
    PyObject_HEAD int users;
    bw_pair_cache *cache;
} PairCache;
static PyTypeObject *cache_type;

static PyObject *PairCache_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(PairCache);
    PairCache *made = new_object(type);
    bw_fault fault;
    if (made == NULL)
        return NULL;
    const bw_result result = bw_pair_cache_create(NULL, &made->cache, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void PairCache_release(PyObject *self)
{
    bw_pair_cache_destroy(((PairCache *)self)->cache);
    ((PairCache *)self)->cache = NULL;
}

CLOSING(PairCache, NULL)

static void PairCache_dealloc(PyObject *self)
{
    PairCache_release(self);
    free_object(self);
}

bool pair_cache_get(PyObject *object, bw_pair_cache **out, void **held_cache)
{
    *out = NULL;
    *held_cache = NULL;
    if (object == NULL || object == Py_None)
        return true;
    if (Py_TYPE(object) != cache_type) {
        PyErr_Format(PyExc_TypeError, "cache must be a boxwood.PairCache, not %R", object);
        return false;
    }
    if (!shared_write(object))
        return false;
    *out = ((PairCache *)object)->cache;
    *held_cache = object;
    return true;
}

FUNCTION(PairCache_reset)
{
    ARGUMENTS(PairCache_reset);
    if (!shared_write(self))
        return NULL;
    bw_pair_cache_reset(((PairCache *)self)->cache);
    shared_done(self);
    Py_RETURN_NONE;
}

static PyMethodDef cache_methods[] = {ENTRY("reset", PairCache_reset), CLOSING_ENTRIES(PairCache),
                                      END_OF_METHODS};
static PyType_Slot cache_slots[] = {{Py_tp_new, PairCache_new},
                                    {Py_tp_dealloc, PairCache_dealloc},
                                    {Py_tp_methods, cache_methods},
                                    {Py_tp_doc, (void *)DOC_PairCache},
                                    {0, NULL}};
static PyType_Spec cache_spec = {"boxwood.PairCache", sizeof(PairCache), 0, Py_TPFLAGS_DEFAULT, cache_slots};

/* ---- two bodies ---- */

FUNCTION(collides)
{
    (void)self;
    ARGUMENTS(collides);
    bw_collide_desc desc = BW_SIZED(bw_collide_desc);
    bw_collide_report report = BW_SIZED(bw_collide_report);
    bw_result result;
    bw_fault fault;
    held a, b;
    watch w;
    if (!get_double(v[ARG_collides_separation], "separation", &desc.separation) ||
        !get_bool(v[ARG_collides_containment], "containment", &desc.containment) ||
        !watch_init(&w, NULL, 0) || !held_get(v[ARG_collides_a], v[ARG_collides_pose_a], "a", "pose_a", &a))
        return NULL;
    if (!held_get(v[ARG_collides_b], v[ARG_collides_pose_b], "b", "pose_b", &b)) {
        held_done(&a);
        return NULL;
    }
    desc.progress = watch_hook(&w);
    UNLOCKED(result = bw_collide(&a.body, &b.body, &desc, &report, &fault));
    held_done(&a);
    held_done(&b);
    if (!watch_end(&w))
        return NULL;
    return result != BW_OK
               ? raise_fault(result, &fault)
               : PyBool_FromLong(report.hit_count != 0 || report.containment != BW_CONTAINMENT_NONE);
}

static bool add_hit(void *user, const bw_hit *one)
{
    grown *rows = user;
    if (rows->count == rows->capacity)
        return grown_add(rows, one, 1);
    ((bw_hit *)rows->data)[rows->count++] = *one;
    return true;
}

static bool visit_hit(void *user, const bw_hit *one)
{
    hit_list *l = user;
    return add_hit(&l->rows, one) && callback_record(&l->visit, &hit, one);
}

bool hits_begin(PyObject *visit, hit_list *l, bw_collide_desc *desc)
{
    *l = (hit_list){.rows = {.size = sizeof(bw_hit)}};
    if (!callback_get(visit, "visit", &l->visit))
        return false;
    desc->mode = BW_COLLIDE_ALL;
    desc->on_hit = l->visit.function != NULL ? visit_hit : add_hit;
    desc->user = l; /* whose first member the rows are */
    return true;
}

PyObject *hits_end(hit_list *l, watch *w, bw_result result, const bw_collide_report *report,
                   const bw_fault *fault)
{
    const bool fine = !PyErr_Occurred() && callback_end(&l->visit) && watch_end(w);
    if (!fine || result != BW_OK || l->rows.failed) {
        block_free(l->rows.data);
        return !fine ? NULL : l->rows.failed ? PyErr_NoMemory() : raise_fault(result, fault);
    }
    PyObject *told = record_new(&report_schema, report);
    if (told == NULL) {
        block_free(l->rows.data);
        return NULL;
    }
    return table_new(&hit, l->rows.data, l->rows.count, told);
}

/* b is NULL for a body with itself. */
static PyObject *all_hits(const bw_body *a, const bw_body *b, PyObject *visit, bw_collide_desc *desc,
                          watch *w)
{
    hit_list l;
    bw_collide_report report = BW_SIZED(bw_collide_report);
    bw_result result;
    bw_fault fault;
    if (!hits_begin(visit, &l, desc))
        return NULL;
    desc->progress = watch_hook(w);
    UNLOCKED(result = b == NULL ? bw_collide_self(a, desc, &report, &fault)
                                : bw_collide(a, b, desc, &report, &fault));
    return hits_end(&l, w, result, &report, &fault);
}

FUNCTION(collide)
{
    (void)self;
    ARGUMENTS(collide);
    bw_collide_desc desc = BW_SIZED(bw_collide_desc);
    held a, b = {.object = NULL};
    watch w;
    tasks threads = {NULL, NULL, NULL};
    void *cache = NULL;
    if (!get_double(v[ARG_collide_separation], "separation", &desc.separation) ||
        !get_bool(v[ARG_collide_containment], "containment", &desc.containment) ||
        !watch_init(&w, v[ARG_collide_progress], 0) ||
        !held_get(v[ARG_collide_a], v[ARG_collide_pose_a], "a", "pose_a", &a))
        return NULL;
    PyObject *made = NULL;
    if (held_get(v[ARG_collide_b], v[ARG_collide_pose_b], "b", "pose_b", &b) &&
        pair_cache_get(v[ARG_collide_cache], &desc.cache, &cache) &&
        tasks_get(v[ARG_collide_pool], &threads)) {
        desc.tasks = threads.hook;
        made = all_hits(&a.body, &b.body, v[ARG_collide_visit], &desc, &w);
    }
    tasks_done(&threads);
    shared_done(cache);
    held_done(&a);
    held_done(&b);
    return made;
}

FUNCTION(collide_self)
{
    (void)self;
    ARGUMENTS(collide_self);
    bw_collide_desc desc = BW_SIZED(bw_collide_desc);
    held a;
    watch w;
    tasks threads = {NULL, NULL, NULL};
    void *cache = NULL;
    if (!get_double(v[ARG_collide_self_separation], "separation", &desc.separation) ||
        !get_u32(v[ARG_collide_self_rings], "rings", &desc.rings) ||
        !watch_init(&w, v[ARG_collide_self_progress], 0) ||
        !held_get(v[ARG_collide_self_body], NULL, "body", "pose", &a))
        return NULL;
    PyObject *made = NULL;
    if (pair_cache_get(v[ARG_collide_self_cache], &desc.cache, &cache) &&
        tasks_get(v[ARG_collide_self_pool], &threads)) {
        desc.tasks = threads.hook;
        made = all_hits(&a.body, NULL, v[ARG_collide_self_visit], &desc, &w);
    }
    tasks_done(&threads);
    shared_done(cache);
    held_done(&a);
    return made;
}

/* ---- batches ---- */

static void side_done(batch_side *s)
{
    for (Py_ssize_t i = 0; i < s->count; i++)
        held_done(&s->bodies[i]);
    PyMem_Free(s->bodies);
    array_release(&s->poses.array);
    memset(s, 0, sizeof *s);
}

/* One body, or a list of bodies that move together. */
static bool side_get(PyObject *object, PyObject *at, const char *name, const char *pose_name, batch_side *s)
{
    memset(s, 0, sizeof *s);
    const bool list = PyList_Check(object) || PyTuple_Check(object);
    const Py_ssize_t count = list ? PySequence_Size(object) : 1;
    if (count == 0) {
        PyErr_Format(PyExc_ValueError, "%s: an empty list of bodies", name);
        return false;
    }
    s->bodies = PyMem_Calloc((size_t)count, sizeof *s->bodies);
    if (s->bodies == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = list ? PySequence_GetItem(object, i) : object;
        const bool fine = item != NULL && held_get(item, NULL, name, pose_name, &s->bodies[i]);
        if (list)
            drop(item);
        if (!fine)
            goto fail;
        s->count = i + 1;
    }
    if (poses_get(at, pose_name, count, &s->poses))
        return true;
fail:
    side_done(s);
    return false;
}

/* Which pairs of bodies: as given, or each with each. */
static bool batch_group(PyObject *pairs, batch *b)
{
    static const want wanted = {'i', 1, {2, 0, 0}, false, "(p, 2)"};
    if (pairs == NULL || pairs == Py_None) {
        b->group = (uint32_t)(b->a.count * b->b.count);
        return true;
    }
    if (!array_get(pairs, "pairs", &wanted, &b->pairs) || !count_fits(b->pairs.shape[0], "pairs", &b->group))
        return false;
    const uint32_t(*list)[2] = b->pairs.data;
    if (b->pairs.ndim != 2 || b->group == 0) {
        PyErr_SetString(PyExc_ValueError, "pairs must have the shape (p, 2), at least one");
        return false;
    }
    for (uint32_t i = 0; i < b->group; i++)
        if (list[i][0] >= b->a.count || list[i][1] >= b->b.count) {
            PyErr_Format(PyExc_ValueError, "pairs[%u] is (%u, %u), where a has %zd bodies and b has %zd", i,
                         list[i][0], list[i][1], b->a.count, b->b.count);
            return false;
        }
    return true;
}

bool batch_get(PyObject *a, PyObject *b, PyObject *poses_a, PyObject *poses_b, PyObject *pairs, batch *out)
{
    memset(out, 0, sizeof *out);
    if (!side_get(a, poses_a, "a", "poses_a", &out->a))
        return false;
    if (!side_get(b, poses_b, "b", "poses_b", &out->b)) {
        side_done(&out->a);
        return false;
    }
    const Py_ssize_t ca = out->a.poses.count, cb = out->b.poses.count;
    if (ca < 0 && cb < 0)
        PyErr_SetString(PyExc_ValueError, "poses_a or poses_b must be given");
    else if (ca >= 0 && cb >= 0 && ca != cb)
        PyErr_Format(PyExc_ValueError, "%zd poses_a and %zd poses_b: as many are needed", ca, cb);
    else if (count_fits(ca >= 0 ? ca : cb, "poses", &out->count) && batch_group(pairs, out))
        return true;
    batch_done(out);
    return false;
}

void batch_done(batch *b)
{
    side_done(&b->a);
    side_done(&b->b);
    array_release(&b->pairs);
}

static void batch_pair(const batch *b, uint32_t group, Py_ssize_t k, Py_ssize_t m, bw_body_pair *out)
{
    out->a = b->a.bodies[k].body;
    out->b = b->b.bodies[m].body;
    out->a.pose = poses_at(&b->a.poses, group, k);
    out->b.pose = poses_at(&b->b.poses, group, m);
}

/* The pairs of groups first .. first + count - 1. */
void batch_pairs(const batch *b, uint32_t first, uint32_t count, bw_body_pair *out)
{
    const uint32_t(*list)[2] = b->pairs.data;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; list != NULL && k < b->group; k++, out++)
            batch_pair(b, first + i, list[k][0], list[k][1], out);
        for (Py_ssize_t k = 0; list == NULL && k < b->a.count; k++)
            for (Py_ssize_t m = 0; m < b->b.count; m++, out++)
                batch_pair(b, first + i, k, m, out);
    }
}

/* A batch goes in parts, so that progress can be told and pairs take little memory. */
uint32_t batch_part(const batch *b)
{
    const uint32_t part = 8192 / b->group;
    return part == 0 ? 1 : part;
}

bool batch_failed(const batch *b, uint32_t group, uint32_t pair, bw_result result)
{
    PyErr_Format(error_type, "pose %u, pair %u of %u: %s", group, pair % b->group, b->group,
                 bw_result_string(result));
    return false;
}

static bw_collide_answer *run_batch(batch *b, bw_collide_many_desc *desc, watch *w, bw_status *status)
{
    const uint32_t part = batch_part(b);
    bw_collide_answer *answers = block_alloc(b->count, sizeof *answers);
    bw_body_pair *pairs = PyMem_Malloc((size_t)part * b->group * sizeof *pairs);
    bw_result result = BW_OK;
    bw_fault fault;
    if (answers == NULL || pairs == NULL) {
        block_free(answers);
        PyMem_Free(pairs);
        PyErr_NoMemory();
        return NULL;
    }
    bw_collide_many_report report = BW_SIZED(bw_collide_many_report);
    uint32_t failed = BW_NONE;
    *status = BW_DONE;
    desc->progress = watch_hook(w);
    PyThreadState *state = PyEval_SaveThread();
    for (uint32_t done = 0; done < b->count && result == BW_OK && failed == BW_NONE; done += part) {
        const uint32_t count = b->count - done < part ? b->count - done : part;
        if (*status == BW_STOPPED || !watch_part(w, done)) {
            *status = BW_STOPPED;
            for (uint32_t i = done; i < b->count; i++)
                answers[i] =
                    (bw_collide_answer){.status = BW_STOPPED, .pair = BW_NONE, .hit = {BW_NONE, BW_NONE, 0}};
            break;
        }
        batch_pairs(b, done, count, pairs);
        result = bw_collide_many(pairs, count * b->group, desc, answers + done, &report, &fault);
        if (result == BW_OK && report.status == BW_STOPPED)
            *status = BW_STOPPED;
        for (uint32_t i = done; result == BW_OK && report.failed_count != 0 && i < done + count; i++)
            if (answers[i].result != BW_OK && failed == BW_NONE)
                failed = i;
        for (uint32_t i = done; i < done + count; i++)
            if (answers[i].pair != BW_NONE && result == BW_OK)
                answers[i].pair %= b->group;
    }
    PyEval_RestoreThread(state);
    PyMem_Free(pairs);
    bool fine = watch_end(w);
    if (fine && result != BW_OK)
        fine = raise_fault(result, &fault) != NULL;
    if (fine && failed != BW_NONE)
        fine = batch_failed(b, failed, answers[failed].pair, answers[failed].result);
    if (fine)
        return answers;
    block_free(answers);
    return NULL;
}

static bool many_desc(PyObject *separation, PyObject *coherent, bw_collide_many_desc *desc)
{
    return get_double(separation, "separation", &desc->separation) &&
           get_bool(coherent, "coherent", &desc->coherent);
}

FUNCTION(collides_many)
{
    (void)self;
    ARGUMENTS(collides_many);
    bw_collide_many_desc desc = BW_SIZED(bw_collide_many_desc);
    batch b;
    watch w;
    tasks threads;
    bw_status status;
    if (!many_desc(v[ARG_collides_many_separation], v[ARG_collides_many_coherent], &desc) ||
        !batch_get(v[ARG_collides_many_a], v[ARG_collides_many_b], v[ARG_collides_many_poses_a],
                   v[ARG_collides_many_poses_b], v[ARG_collides_many_pairs], &b))
        return NULL;
    PyObject *made = NULL;
    if (watch_init(&w, v[ARG_collides_many_progress], b.count) &&
        tasks_get(v[ARG_collides_many_pool], &threads)) {
        desc.tasks = threads.hook;
        desc.group_size = b.group;
        bw_collide_answer *answers = run_batch(&b, &desc, &w, &status);
        tasks_done(&threads);
        if (answers != NULL && status == BW_STOPPED) {
            raise_stopped();
        } else if (answers != NULL) {
            bool *flags = block_alloc(b.count, sizeof *flags);
            const Py_ssize_t shape[1] = {b.count};
            for (uint32_t i = 0; flags != NULL && i < b.count; i++)
                flags[i] = answers[i].hit_count != 0;
            made = flags == NULL ? NULL : array_new(flags, '?', 1, shape);
        }
        block_free(answers);
    }
    batch_done(&b);
    return made;
}

static const char *const words_many_mode[] = {"any", NULL, "count", END_OF_WORDS};

FUNCTION(collide_many)
{
    (void)self;
    ARGUMENTS(collide_many);
    bw_collide_many_desc desc = BW_SIZED(bw_collide_many_desc);
    batch b;
    watch w;
    tasks threads;
    bw_status status;
    int mode = BW_COLLIDE_ANY;
    if (!many_desc(v[ARG_collide_many_separation], v[ARG_collide_many_coherent], &desc) ||
        !get_choice(v[ARG_collide_many_mode], "mode", words_many_mode, &mode) ||
        !batch_get(v[ARG_collide_many_a], v[ARG_collide_many_b], v[ARG_collide_many_poses_a],
                   v[ARG_collide_many_poses_b], v[ARG_collide_many_pairs], &b))
        return NULL;
    PyObject *made = NULL;
    if (watch_init(&w, v[ARG_collide_many_progress], b.count) &&
        tasks_get(v[ARG_collide_many_pool], &threads)) {
        desc.tasks = threads.hook;
        desc.group_size = b.group;
        desc.mode = (bw_collide_mode)mode;
        bw_collide_answer *answers = run_batch(&b, &desc, &w, &status);
        tasks_done(&threads);
        made = answers == NULL ? NULL : table_new(&answer, answers, b.count, NULL);
    }
    batch_done(&b);
    return made;
}

static PyMethodDef functions[] = {ENTRY("collides", collides),         ENTRY("collide", collide),
                                  ENTRY("collide_self", collide_self), ENTRY("collides_many", collides_many),
                                  ENTRY("collide_many", collide_many), END_OF_METHODS};

bool collide_init(PyObject *module)
{
    return schema_register(module, &hit) && schema_register(module, &report_schema) &&
           schema_register(module, &answer) && add_type(module, &cache_spec, &cache_type) &&
           add_functions(module, functions);
}
