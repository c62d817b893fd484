/* Answers within a budget of time or steps, with a confidence. */
#include "core.h"

#include <string.h>

typedef struct Anytime {
    PyObject_HEAD int users;
    bw_anytime *anytime;
    Core *core;
    Mesh *mesh;
} Anytime;
typedef struct AnytimeCache {
    PyObject_HEAD int users;
    bw_anytime_cache *cache;
} AnytimeCache;
static PyTypeObject *anytime_type, *cache_type;

static const field answer_fields[] = {FIELD(bw_anytime_answer, collision, '?'),
                                      FIELD(bw_anytime_answer, proven, '?'),
                                      FIELD(bw_anytime_answer, confidence, 'd'),
                                      FIELD_ENUM(bw_anytime_answer, status, "Status"),
                                      FIELD_ENUM(bw_anytime_answer, reason, "Reason"),
                                      FIELD(bw_anytime_answer, steps, 'Q'),
                                      FIELD(bw_anytime_answer, pairs, 'Q'),
                                      FIELD(bw_anytime_answer, region_count, 'I'),
                                      END_OF_FIELDS};
static const field region_fields[] = {{"box", 'f', offsetof(bw_anytime_region, box), 2, 3, NULL},
                                      FIELD_VEC3(bw_anytime_region, point),
                                      FIELD_VEC3(bw_anytime_region, normal),
                                      FIELD(bw_anytime_region, probability, 'd'),
                                      FIELD(bw_anytime_region, proven, '?'),
                                      FIELD(bw_anytime_region, a, 'n'),
                                      FIELD(bw_anytime_region, b, 'n'),
                                      END_OF_FIELDS};
static schema answer_schema = {.record = "boxwood.AnytimeAnswer",
                               .record_doc = DOC_AnytimeAnswer,
                               .size = sizeof(bw_anytime_answer),
                               .fields = answer_fields};
static schema region_schema = {.record = "boxwood.AnytimeRegion",
                               .table = "boxwood.AnytimeRegions",
                               .record_doc = DOC_AnytimeRegion,
                               .table_doc = DOC_AnytimeRegions,
                               .size = sizeof(bw_anytime_region),
                               .fields = region_fields};

static PyObject *Anytime_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Anytime);
    bw_anytime_desc desc = BW_SIZED(bw_anytime_desc);
    bw_fault fault;
    bw_result result;
    held body;
    if (!get_u32(v[ARG_Anytime_tries], "tries", &desc.tries))
        return NULL;
    PyObject *given = v[ARG_Anytime_body];
    if (Py_TYPE(given) != tree_type && Py_TYPE(given) != mesh_type) {
        PyErr_Format(PyExc_TypeError, "body must be a boxwood.Tree or Mesh, not %R", given);
        return NULL;
    }
    if (!held_get(given, NULL, "body", "pose", &body))
        return NULL;
    Anytime *made = new_object(type);
    if (made == NULL) {
        held_done(&body);
        return NULL;
    }
    UNLOCKED(result = bw_anytime_create(&desc, body.body.tree, body.body.mesh, &made->anytime, &fault));
    keep(body.object);
    keep(body.mesh);
    made->core = body.object;
    made->mesh = body.mesh;
    held_done(&body);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void Anytime_dealloc(PyObject *self)
{
    Anytime *a = (Anytime *)self;
    bw_anytime_destroy(a->anytime);
    drop(a->core);
    drop(a->mesh);
    free_object(self);
}

FUNCTION(Anytime_update)
{
    ARGUMENTS(Anytime_update);
    Anytime *a = (Anytime *)self;
    bw_fault fault;
    bw_result result;
    held body;
    if (!held_get(v[ARG_Anytime_update_body], NULL, "body", "pose", &body))
        return NULL;
    if (body.object != a->core) {
        held_done(&body);
        PyErr_SetString(PyExc_ValueError, "body must have the tree that these statistics are of");
        return NULL;
    }
    if (!shared_write(a)) {
        held_done(&body);
        return NULL;
    }
    UNLOCKED(result = bw_anytime_update(a->anytime, body.body.mesh, &fault));
    shared_done(a);
    if (result == BW_OK) {
        Mesh *old = a->mesh;
        keep(body.mesh);
        a->mesh = body.mesh;
        drop(old);
    }
    held_done(&body);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

static PyObject *AnytimeCache_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(AnytimeCache);
    bw_fault fault;
    AnytimeCache *made = new_object(type);
    if (made == NULL)
        return NULL;
    const bw_result result = bw_anytime_cache_create(NULL, &made->cache, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void AnytimeCache_dealloc(PyObject *self)
{
    bw_anytime_cache_destroy(((AnytimeCache *)self)->cache);
    free_object(self);
}

static PyObject *AnytimeCache_get_resumable(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(bw_anytime_cache_resumable(((AnytimeCache *)self)->cache));
}

static bool body_get(PyObject *object, PyObject *pose, const char *name, const char *pose_name,
                     bw_transform *storage, bw_anytime_body *out)
{
    if (Py_TYPE(object) != anytime_type) {
        PyErr_Format(PyExc_TypeError, "%s must be a boxwood.Anytime, not %R", name, object);
        return false;
    }
    Anytime *a = (Anytime *)object;
    if (!get_pose(pose, pose_name, storage, &out->pose) || !shared_read(a))
        return false;
    if (!shared_read(a->core)) {
        shared_done(a);
        return false;
    }
    out->anytime = a->anytime;
    out->mesh = &a->mesh->mesh;
    return true;
}

static void body_done(PyObject *object)
{
    shared_done(((Anytime *)object)->core);
    shared_done(object);
}

static const char *const words_poses[] = {"spread", "contact", END_OF_WORDS};

FUNCTION(collides_within)
{
    (void)self;
    ARGUMENTS(collides_within);
    bw_anytime_query_desc desc = BW_SIZED(bw_anytime_query_desc);
    bw_anytime_answer answer = BW_SIZED(bw_anytime_answer);
    PyObject *a = v[ARG_collides_within_a], *b = v[ARG_collides_within_b],
             *cache = v[ARG_collides_within_cache];
    bw_transform at_a, at_b;
    bw_anytime_body x, y;
    bw_fault fault;
    bw_result result;
    int which = 0;
    double seconds = -1;
    if (!get_double(v[ARG_collides_within_wanted_error], "wanted_error", &desc.wanted_error) ||
        !get_double(v[ARG_collides_within_seconds], "seconds", &seconds) ||
        !get_u64(v[ARG_collides_within_steps], "steps", &desc.max_steps) ||
        !get_choice(v[ARG_collides_within_poses], "poses", words_poses, &which) ||
        !get_u32(v[ARG_collides_within_regions], "regions", &desc.region_capacity) ||
        !get_bool(v[ARG_collides_within_resume], "resume", &desc.resume) ||
        !get_bool(v[ARG_collides_within_coherent], "coherent", &desc.coherent))
        return NULL;
    desc.poses = (bw_anytime_poses)which;
    desc.limit_steps = v[ARG_collides_within_steps] != NULL && v[ARG_collides_within_steps] != Py_None;
    if (v[ARG_collides_within_seconds] != NULL && v[ARG_collides_within_seconds] != Py_None) {
        if (!(seconds >= 0 && seconds < 1e9)) {
            PyErr_Format(PyExc_ValueError, "seconds must be at least 0, not %R",
                         v[ARG_collides_within_seconds]);
            return NULL;
        }
        desc.limit_time = true;
        desc.max_nanoseconds = (uint64_t)(seconds * 1e9);
    }
    const bool remembers = cache != NULL && cache != Py_None;
    if (remembers && Py_TYPE(cache) != cache_type) {
        PyErr_Format(PyExc_TypeError, "cache must be a boxwood.AnytimeCache, not %R", cache);
        return NULL;
    }
    if (!body_get(a, v[ARG_collides_within_pose_a], "a", "pose_a", &at_a, &x))
        return NULL;
    if (!body_get(b, v[ARG_collides_within_pose_b], "b", "pose_b", &at_b, &y)) {
        body_done(a);
        return NULL;
    }
    if (desc.region_capacity > 1000000)
        desc.region_capacity = 1000000;
    desc.regions = block_alloc(desc.region_capacity, sizeof *desc.regions);
    PyObject *made = NULL;
    if (desc.regions != NULL && (!remembers || shared_write(cache))) {
        desc.cache = remembers ? ((AnytimeCache *)cache)->cache : NULL;
        if (desc.limit_time &&
            desc.max_nanoseconds < 1000000) /* shorter than it takes to give the GIL up and get it back */
            result = bw_anytime_query(&x, &y, &desc, &answer, &fault);
        else
            UNLOCKED(result = bw_anytime_query(&x, &y, &desc, &answer, &fault));
        if (remembers)
            shared_done(cache);
        if (result != BW_OK) {
            raise_fault(result, &fault);
        } else {
            PyObject *one = record_new(&answer_schema, &answer);
            PyObject *regions =
                one == NULL ? NULL : table_new(&region_schema, desc.regions, answer.region_count, NULL);
            if (one != NULL)
                desc.regions = NULL;
            made = regions == NULL ? NULL : PyTuple_Pack(2, one, regions);
            Py_XDECREF(one);
            Py_XDECREF(regions);
        }
    }
    block_free(desc.regions);
    body_done(b);
    body_done(a);
    return made;
}

static PyMethodDef anytime_methods[] = {ENTRY("update", Anytime_update), END_OF_METHODS};
static PyType_Slot anytime_slots[] = {{Py_tp_new, Anytime_new},
                                      {Py_tp_dealloc, Anytime_dealloc},
                                      {Py_tp_methods, anytime_methods},
                                      {Py_tp_doc, (void *)DOC_Anytime},
                                      {0, NULL}};
static PyType_Spec anytime_spec = {"boxwood.Anytime", sizeof(Anytime), 0, Py_TPFLAGS_DEFAULT, anytime_slots};
static PyGetSetDef cache_getters[] = {
    {"resumable", AnytimeCache_get_resumable, NULL, DOC_AnytimeCache_resumable, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot cache_slots[] = {{Py_tp_new, AnytimeCache_new},
                                    {Py_tp_dealloc, AnytimeCache_dealloc},
                                    {Py_tp_getset, cache_getters},
                                    {Py_tp_doc, (void *)DOC_AnytimeCache},
                                    {0, NULL}};
static PyType_Spec cache_spec = {"boxwood.AnytimeCache", sizeof(AnytimeCache), 0, Py_TPFLAGS_DEFAULT,
                                 cache_slots};
static PyMethodDef functions[] = {ENTRY("collides_within", collides_within), END_OF_METHODS};

bool anytime_init(PyObject *module)
{
    return schema_register(module, &answer_schema) && schema_register(module, &region_schema) &&
           add_type(module, &anytime_spec, &anytime_type) && add_type(module, &cache_spec, &cache_type) &&
           add_functions(module, functions);
}
