/* Meshes in known motion, and their kinetic trees. */
#include "core.h"

#include <math.h>
#include <string.h>

/* A mesh and its keyframes or velocities, held for the library, which only views them. */
typedef struct Motion {
    PyObject_HEAD bw_motion motion;
    Mesh *mesh;
    array times;
    array *arrays; /* of the frames, or positions and velocities */
    uint32_t array_total;
    const void **frames;
    bw_plan *plans;
} Motion;
typedef struct KineticMesh {
    PyObject_HEAD int users;
    uint32_t worlds; /* as of a viewed */
    bw_kinetic *kinetic;
    Motion *motion;
    bool lazy; /* boxes are written where queries look */
} KineticMesh;
static PyTypeObject *motion_type, *kinetic_type;

static const field report_fields[] = {
    FIELD(bw_kinetic_report, events, 'Q'),    FIELD(bw_kinetic_report, leaf_events, 'Q'),
    FIELD(bw_kinetic_report, updates, 'Q'),   FIELD(bw_kinetic_report, checks, 'Q'),
    FIELD(bw_kinetic_report, compared, 'Q'),  FIELD(bw_kinetic_report, segments, 'I'),
    FIELD(bw_kinetic_report, restarted, '?'), END_OF_FIELDS};
static const field stats_fields[] = {
    FIELD(bw_kinetic_stats, pending, 'I'),    FIELD(bw_kinetic_stats, boxes, 'I'),
    FIELD(bw_kinetic_stats, bytes, 'Q'),      FIELD(bw_kinetic_stats, extra, 'Q'),
    FIELD(bw_kinetic_stats, next_event, 'd'), END_OF_FIELDS};
static const field choice_fields[] = {FIELD(bw_kinetic_choice, reason, 's'),
                                      FIELD(bw_kinetic_choice, compiled_share, 'd'),
                                      FIELD(bw_kinetic_choice, refit, 'd'),
                                      FIELD(bw_kinetic_choice, interpolated, 'd'),
                                      FIELD(bw_kinetic_choice, compiled, 'd'),
                                      FIELD(bw_kinetic_choice, queue, 'd'),
                                      FIELD(bw_kinetic_choice, remembered, 'd'),
                                      FIELD(bw_kinetic_choice, switches, 'I'),
                                      END_OF_FIELDS};
static schema report_schema = {.record = "boxwood.KineticReport",
                               .record_doc = DOC_KineticReport,
                               .size = sizeof(bw_kinetic_report),
                               .fields = report_fields};
static schema stats_schema = {.record = "boxwood.KineticStats",
                              .record_doc = DOC_KineticStats,
                              .size = sizeof(bw_kinetic_stats),
                              .fields = stats_fields};
static schema choice_schema = {.record = "boxwood.KineticChoice",
                               .record_doc = DOC_KineticChoice,
                               .size = sizeof(bw_kinetic_choice),
                               .fields = choice_fields};
static bool present(PyObject *object)
{
    return object != NULL && object != Py_None;
}

/* ---- motions ---- */

static void Motion_dealloc(PyObject *self)
{
    Motion *m = (Motion *)self;
    for (uint32_t i = 0; i < m->array_total; i++)
        array_release(&m->arrays[i]);
    PyMem_Free(m->arrays);
    PyMem_Free(m->frames);
    PyMem_Free(m->plans);
    array_release(&m->times);
    drop(m->mesh);
    free_object(self);
}

/* Positions of all vertices, of one scalar for all; copied where they lie otherwise. */
static bool take_positions(Motion *m, PyObject *object, const char *name)
{
    array *a = &m->arrays[m->array_total];
    bw_scalar scalar;
    uint32_t stride;
    if (!array_vertices(object, name, a, &scalar, &stride))
        return false;
    m->array_total++;
    const uint32_t each = scalar == BW_F32 ? 12 : 24;
    if (a->shape[0] != (Py_ssize_t)m->mesh->mesh.vertex_count) {
        PyErr_Format(PyExc_ValueError, "%s has %zd vertices, the mesh %u", name, a->shape[0],
                     m->mesh->mesh.vertex_count);
        return false;
    }
    if (stride != 0 && stride != each && !array_close_rows(a, stride, each))
        return false;
    if (m->array_total == 1) {
        m->motion.scalar = scalar;
    } else if (m->motion.scalar != scalar) {
        PyErr_Format(PyExc_TypeError, "%s: all positions must be float32, or all float64", name);
        return false;
    }
    return true;
}

static bool take_frames(Motion *m, PyObject *times, PyObject *frames)
{
    const Py_ssize_t total = PySequence_Size(frames);
    if (total < 0 || !array_doubles(times, "times", &m->times))
        return false;
    if (array_count(&m->times) != total || total < 2) {
        PyErr_Format(PyExc_ValueError, "%u times and %zd frames: as many are needed, at least two",
                     array_count(&m->times), total);
        return false;
    }
    m->arrays = PyMem_Calloc((size_t)total, sizeof *m->arrays);
    m->frames = PyMem_Calloc((size_t)total, sizeof *m->frames);
    if (m->arrays == NULL || m->frames == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < total; i++) {
        PyObject *frame = PySequence_GetItem(frames, i);
        const bool fine = frame != NULL && take_positions(m, frame, "frames");
        Py_XDECREF(frame);
        if (!fine)
            return false;
        m->frames[i] = m->arrays[i].data;
    }
    m->motion.kind = BW_MOTION_KEYFRAMES;
    m->motion.frame_count = (uint32_t)total;
    m->motion.times = m->times.data;
    m->motion.frames = m->frames;
    return true;
}

static bool take_velocities(Motion *m, PyObject *velocities, PyObject *begin, PyObject *end)
{
    m->arrays = PyMem_Calloc(2, sizeof *m->arrays);
    if (m->arrays == NULL) {
        PyErr_NoMemory();
        return false;
    }
    PyObject *positions = PyObject_GetAttrString((PyObject *)m->mesh, "vertices");
    const bool fine = positions != NULL && take_positions(m, positions, "vertices") &&
                      take_positions(m, velocities, "velocities");
    Py_XDECREF(positions);
    m->motion.kind = BW_MOTION_VELOCITY;
    m->motion.begin = 0;
    m->motion.end = 1;
    if (!fine || !get_double(begin, "begin", &m->motion.begin) || !get_double(end, "end", &m->motion.end))
        return false;
    m->motion.positions = m->arrays[0].data;
    m->motion.velocities = m->arrays[1].data;
    return true;
}

/* A polynomial for each vertex: factors of 1, u, u^2, u^3, where u is the time since begin. */
static bool take_plans(Motion *m, PyObject *plans, PyObject *begin, PyObject *end)
{
    static const want wanted = {'d', 2, {4, 3, 0}, false, NULL};
    array factors;
    m->motion.kind = BW_MOTION_PLANS;
    m->motion.scalar = m->mesh->mesh.scalar;
    m->motion.begin = 0;
    m->motion.end = 1;
    if (!get_double(begin, "begin", &m->motion.begin) || !get_double(end, "end", &m->motion.end) ||
        !array_get(plans, "plans", &wanted, &factors))
        return false;
    const uint32_t count = m->motion.vertex_count;
    bool fine = factors.shape[0] == (Py_ssize_t)count;
    if (!fine)
        PyErr_Format(PyExc_ValueError, "plans has %zd vertices, the mesh %u", factors.shape[0], count);
    if (fine && (m->plans = PyMem_Calloc(count, sizeof *m->plans)) == NULL) {
        PyErr_NoMemory();
        fine = false;
    }
    const bw_vec3(*c)[4] = factors.data;
    for (uint32_t i = 0; fine && i < count; i++)
        m->plans[i] = (bw_plan){m->motion.begin, {c[i][0], c[i][1], c[i][2], c[i][3]}};
    m->motion.plans = m->plans;
    array_release(&factors);
    return fine;
}

static PyObject *Motion_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Motion);
    PyObject *mesh = v[ARG_Motion_mesh], *frames = v[ARG_Motion_frames],
             *velocities = v[ARG_Motion_velocities], *plans = v[ARG_Motion_plans];
    if (mesh_get(mesh, "mesh") == NULL)
        return NULL;
    if (present(frames) + present(velocities) + present(plans) != 1 ||
        present(frames) != present(v[ARG_Motion_times])) {
        PyErr_SetString(PyExc_TypeError, "times with frames, velocities or plans must be given");
        return NULL;
    }
    Motion *m = new_object(type);
    if (m == NULL)
        return NULL;
    keep(mesh);
    m->mesh = (Mesh *)mesh;
    m->motion.vertex_count = m->mesh->mesh.vertex_count;
    bool fine = present(frames)  ? take_frames(m, v[ARG_Motion_times], frames)
                : present(plans) ? take_plans(m, plans, v[ARG_Motion_begin], v[ARG_Motion_end])
                                 : take_velocities(m, velocities, v[ARG_Motion_begin], v[ARG_Motion_end]);
    if (fine) {
        bw_fault fault;
        bw_result result;
        UNLOCKED(result = bw_motion_validate(&m->motion, &fault));
        fine = result == BW_OK || raise_fault(result, &fault) != NULL;
    }
    if (fine)
        return (PyObject *)m;
    drop(m);
    return NULL;
}

static PyObject *Motion_get_span(PyObject *self, void *closure)
{
    (void)closure;
    double begin, end;
    bw_motion_span(&((Motion *)self)->motion, &begin, &end);
    return Py_BuildValue("(dd)", begin, end);
}

static PyObject *Motion_get_mesh(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef((PyObject *)((Motion *)self)->mesh);
}

static PyObject *Motion_repr(PyObject *self)
{
    static const char *const kinds[] = {"keyframes", "velocities", "plans"};
    const Motion *m = (Motion *)self;
    double begin, end;
    char text[96];
    bw_motion_span(&m->motion, &begin, &end);
    PyOS_snprintf(text, sizeof text, "%g to %g", begin, end);
    return PyUnicode_FromFormat("Motion(%u vertices, %s, %s)", m->motion.vertex_count, kinds[m->motion.kind],
                                text);
}

FUNCTION(Motion_sample)
{
    ARGUMENTS(Motion_sample);
    Motion *m = (Motion *)self;
    double time = 0;
    bw_fault fault;
    bw_result result;
    if (!get_double(v[ARG_Motion_sample_time], "time", &time))
        return NULL;
    const bool floats = m->motion.scalar == BW_F32;
    void *out = block_alloc(3 * (size_t)m->motion.vertex_count, floats ? 4 : 8);
    if (out == NULL)
        return NULL;
    UNLOCKED(result = bw_motion_sample(&m->motion, time, out, &fault));
    const Py_ssize_t shape[2] = {m->motion.vertex_count, 3};
    if (result == BW_OK)
        return array_new(out, floats ? 'f' : 'd', 2, shape);
    block_free(out);
    return raise_fault(result, &fault);
}

/* (copyreg.__newobj_ex__, (Motion, (mesh,), {...})) */
static PyObject *Motion_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    Motion *m = (Motion *)self;
    const char type = m->motion.scalar == BW_F32 ? 'f' : 'd';
    const Py_ssize_t vertices[2] = {m->motion.vertex_count, 3}, factors[3] = {m->motion.vertex_count, 4, 3},
                     frames[1] = {m->motion.frame_count};
    PyObject *kwargs = NULL;
    if (m->motion.kind == BW_MOTION_KEYFRAMES) {
        PyObject *times = array_plain(array_copy(m->motion.times, 'd', 1, frames)), *list = PyList_New(0);
        bool fine = times != NULL && list != NULL;
        for (uint32_t i = 0; fine && i < m->motion.frame_count; i++) {
            PyObject *frame = array_plain(array_copy(m->frames[i], type, 2, vertices));
            fine = frame != NULL && PyList_Append(list, frame) == 0;
            Py_XDECREF(frame);
        }
        if (fine)
            kwargs = Py_BuildValue("{sOsO}", "times", times, "frames", list);
        Py_XDECREF(times);
        Py_XDECREF(list);
    } else if (m->motion.kind == BW_MOTION_VELOCITY) {
        PyObject *velocities = array_plain(array_copy(m->motion.velocities, type, 2, vertices));
        if (velocities != NULL)
            kwargs = Py_BuildValue("{sNsdsd}", "velocities", velocities, "begin", m->motion.begin, "end",
                                   m->motion.end);
    } else {
        double(*rows)[12] = block_alloc(m->motion.vertex_count, sizeof *rows);
        for (uint32_t i = 0; rows != NULL && i < m->motion.vertex_count; i++)
            memcpy(rows[i], m->plans[i].c, sizeof *rows);
        PyObject *plans = rows == NULL ? NULL : array_plain(array_new(rows, 'd', 3, factors));
        if (plans != NULL)
            kwargs =
                Py_BuildValue("{sNsdsd}", "plans", plans, "begin", m->motion.begin, "end", m->motion.end);
    }
    PyObject *copyreg = kwargs == NULL ? NULL : PyImport_ImportModule("copyreg");
    PyObject *make = copyreg == NULL ? NULL : PyObject_GetAttrString(copyreg, "__newobj_ex__");
    PyObject *made = make == NULL ? NULL : Py_BuildValue("(O(O(O)O))", make, Py_TYPE(self), m->mesh, kwargs);
    Py_XDECREF(make);
    Py_XDECREF(copyreg);
    Py_XDECREF(kwargs);
    return made;
}

FUNCTION(Motion_plans)
{
    ARGUMENTS(Motion_plans);
    Motion *m = (Motion *)self;
    array vertices = {.ndim = 0};
    double time = 0, begin, end;
    bw_motion_span(&m->motion, &begin, &end);
    if (!get_double(v[ARG_Motion_plans_time], "time", &time))
        return NULL;
    if (!(time >= begin && time <= end)) {
        PyErr_Format(PyExc_ValueError, "time must lie in the span of the motion, not %R",
                     v[ARG_Motion_plans_time]);
        return NULL;
    }
    const bool some = present(v[ARG_Motion_plans_vertices]);
    if (some && !array_indices(v[ARG_Motion_plans_vertices], "vertices", &vertices))
        return NULL;
    const uint32_t total = some ? array_count(&vertices) : m->motion.vertex_count;
    const uint32_t *list = vertices.data;
    bw_vec3(*factors)[4] = block_alloc(total, sizeof *factors);
    double origin = time;
    bool fine = factors != NULL;
    for (uint32_t i = 0; fine && i < total; i++) {
        const uint32_t vertex = some ? list[i] : i;
        fine = vertex < m->motion.vertex_count;
        if (!fine) {
            PyErr_Format(PyExc_ValueError, "vertices[%u] is %u, the mesh has %u", i, vertex,
                         m->motion.vertex_count);
            break;
        }
        const bw_plan plan = bw_motion_plan(&m->motion, vertex, time);
        origin = plan.origin; /* the same for all: the begin of the span, or of the segment */
        memcpy(factors[i], plan.c, sizeof plan.c);
    }
    array_release(&vertices);
    if (!fine) {
        block_free(factors);
        return NULL;
    }
    const Py_ssize_t shape[3] = {total, 4, 3};
    PyObject *made = array_new(factors, 'd', 3, shape);
    return made == NULL ? NULL : Py_BuildValue("(dN)", origin, made);
}

bool plans_get(PyObject *vertices, PyObject *plans, double origin, plan_list *out)
{
    static const want wanted = {'d', 2, {4, 3, 0}, false, NULL};
    array factors;
    memset(out, 0, sizeof *out);
    if (!array_indices(vertices, "vertices", &out->vertices))
        return false;
    if (!array_get(plans, "plans", &wanted, &factors)) {
        array_release(&out->vertices);
        return false;
    }
    out->count = array_count(&out->vertices);
    if (factors.shape[0] != (Py_ssize_t)out->count)
        PyErr_Format(PyExc_ValueError, "%u vertices and %zd plans: as many are needed", out->count,
                     factors.shape[0]);
    else if ((out->plans = PyMem_Calloc((size_t)out->count + 1, sizeof *out->plans)) == NULL)
        PyErr_NoMemory();
    const bw_vec3(*c)[4] = factors.data;
    for (uint32_t i = 0; out->plans != NULL && i < out->count; i++)
        out->plans[i] = (bw_plan){origin, {c[i][0], c[i][1], c[i][2], c[i][3]}};
    array_release(&factors);
    if (out->plans == NULL)
        array_release(&out->vertices);
    return out->plans != NULL;
}

void plans_done(plan_list *list)
{
    PyMem_Free(list->plans);
    array_release(&list->vertices);
}

bool moving_get(PyObject *object, const char *name, bw_moving *out)
{
    if (Py_TYPE(object) != motion_type) {
        PyErr_Format(PyExc_TypeError, "%s must be a boxwood.Motion, not %R", name, object);
        return false;
    }
    *out = (bw_moving){&((Motion *)object)->mesh->mesh, &((Motion *)object)->motion};
    return true;
}

/* ---- kinetic trees ---- */

static const char *const words_method[] = {NULL,    "queue",   "compiled", "interpolated",
                                           "refit", "boxtree", "auto",     END_OF_WORDS};

static PyObject *KineticMesh_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(KineticMesh);
    bw_kinetic_desc desc = BW_SIZED(bw_kinetic_desc);
    int method = BW_KINETIC_AUTO;
    tasks threads;
    bw_fault fault;
    bw_result result;
    PyObject *motion = v[ARG_KineticMesh_motion];
    if (Py_TYPE(motion) != motion_type) {
        PyErr_Format(PyExc_TypeError, "motion must be a boxwood.Motion, not %R", motion);
        return NULL;
    }
    bw_motion_span(&((Motion *)motion)->motion, &desc.time, NULL);
    bool lazy = false;
    if (!get_choice(v[ARG_KineticMesh_method], "method", words_method, &method) ||
        !get_bool(v[ARG_KineticMesh_lazy], "lazy", &lazy) ||
        !get_double(v[ARG_KineticMesh_time], "time", &desc.time) ||
        !tasks_get(v[ARG_KineticMesh_pool], &threads))
        return NULL;
    KineticMesh *made = new_object(type);
    if (made == NULL) {
        tasks_done(&threads);
        return NULL;
    }
    desc.tasks = threads.hook;
    keep(motion);
    made->motion = (Motion *)motion;
    made->lazy = lazy;
    desc.method = (bw_kinetic_method)method;
    UNLOCKED(result = bw_kinetic_create(&desc, &made->motion->mesh->mesh, &made->motion->motion,
                                        &made->kinetic, &fault));
    tasks_done(&threads);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void KineticMesh_release(PyObject *self)
{
    KineticMesh *k = (KineticMesh *)self;
    Motion *motion = k->motion;
    bw_kinetic_destroy(k->kinetic);
    k->kinetic = NULL;
    k->motion = NULL;
    drop(motion);
}

CLOSING(KineticMesh, no_world_has)

static void KineticMesh_dealloc(PyObject *self)
{
    KineticMesh_release(self);
    free_object(self);
}

FUNCTION(KineticMesh_advance)
{
    ARGUMENTS(KineticMesh_advance);
    KineticMesh *k = (KineticMesh *)self;
    bw_kinetic_report report = BW_SIZED(bw_kinetic_report);
    double time = 0;
    bw_fault fault;
    bw_result result;
    if (!get_double(v[ARG_KineticMesh_advance_time], "time", &time) || !shared_write(k))
        return NULL;
    UNLOCKED(result = bw_kinetic_advance(k->kinetic, time, &report, &fault));
    shared_done(k);
    return result != BW_OK ? raise_fault(result, &fault) : record_new(&report_schema, &report);
}

FUNCTION(KineticMesh_set_plans)
{
    ARGUMENTS(KineticMesh_set_plans);
    KineticMesh *k = (KineticMesh *)self;
    if (!is_open(k))
        return NULL;
    double origin = bw_kinetic_time(k->kinetic);
    plan_list list;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!get_double(v[ARG_KineticMesh_set_plans_origin], "origin", &origin) ||
        !plans_get(v[ARG_KineticMesh_set_plans_vertices], v[ARG_KineticMesh_set_plans_plans], origin, &list))
        return NULL;
    const bool fine = shared_write(k);
    if (fine) {
        UNLOCKED(result =
                     bw_kinetic_set_plans(k->kinetic, list.vertices.data, list.plans, list.count, &fault));
        shared_done(k);
    }
    plans_done(&list);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    Py_RETURN_NONE;
}

FUNCTION(KineticMesh_insert)
{
    ARGUMENTS(KineticMesh_insert);
    KineticMesh *k = (KineticMesh *)self;
    PyObject *grown_motion = v[ARG_KineticMesh_insert_motion];
    array list;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!present(grown_motion))
        grown_motion = NULL;
    if (grown_motion != NULL && Py_TYPE(grown_motion) != motion_type) {
        PyErr_Format(PyExc_TypeError, "motion must be a boxwood.Motion, not %R", grown_motion);
        return NULL;
    }
    if (!array_indices(v[ARG_KineticMesh_insert_primitives], "primitives", &list))
        return NULL;
    const bool fine = shared_write(k);
    if (fine) {
        Motion *m = (Motion *)grown_motion;
        UNLOCKED(result =
                     bw_kinetic_insert(k->kinetic, m == NULL ? NULL : &m->mesh->mesh,
                                       m == NULL ? NULL : &m->motion, list.data, array_count(&list), &fault));
        if (result == BW_OK && m != NULL) {
            Motion *old = k->motion;
            keep(m);
            k->motion = m;
            drop(old);
        }
        shared_done(k);
    }
    array_release(&list);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    Py_RETURN_NONE;
}

FUNCTION(KineticMesh_remove)
{
    ARGUMENTS(KineticMesh_remove);
    KineticMesh *k = (KineticMesh *)self;
    array list;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!array_indices(v[ARG_KineticMesh_remove_primitives], "primitives", &list))
        return NULL;
    const bool fine = shared_write(k);
    if (fine) {
        UNLOCKED(result = bw_kinetic_remove(k->kinetic, list.data, array_count(&list), &fault));
        shared_done(k);
    }
    array_release(&list);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    Py_RETURN_NONE;
}

FUNCTION(KineticMesh_stats)
{
    ARGUMENTS(KineticMesh_stats);
    bw_kinetic_stats out = BW_SIZED(bw_kinetic_stats);
    if (!shared_write(self))
        return NULL;
    bw_kinetic_get_stats(((KineticMesh *)self)->kinetic, &out);
    shared_done(self);
    return record_new(&stats_schema, &out);
}

FUNCTION(KineticMesh_total)
{
    ARGUMENTS(KineticMesh_total);
    bw_kinetic_report out = BW_SIZED(bw_kinetic_report);
    if (!shared_write(self))
        return NULL;
    bw_kinetic_get_total(((KineticMesh *)self)->kinetic, &out);
    shared_done(self);
    return record_new(&report_schema, &out);
}

FUNCTION(KineticMesh_choice)
{
    ARGUMENTS(KineticMesh_choice);
    bw_kinetic_choice out = BW_SIZED(bw_kinetic_choice);
    if (!shared_write(self))
        return NULL;
    bw_kinetic_get_choice(((KineticMesh *)self)->kinetic, &out);
    shared_done(self);
    return record_new(&choice_schema, &out);
}

FUNCTION(KineticMesh_check)
{
    ARGUMENTS(KineticMesh_check);
    const char *fault;
    if (!shared_write(self))
        return NULL;
    UNLOCKED(fault = bw_kinetic_check(((KineticMesh *)self)->kinetic));
    shared_done(self);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

static PyObject *KineticMesh_get_motion(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? Py_NewRef((PyObject *)((KineticMesh *)self)->motion) : NULL;
}

static PyObject *KineticMesh_repr(PyObject *self)
{
    const KineticMesh *k = (KineticMesh *)self;
    if (is_closed(k))
        return closed_repr(self);
    PyObject *time = PyFloat_FromDouble(bw_kinetic_time(k->kinetic));
    PyObject *made = time == NULL ? NULL
                                  : PyUnicode_FromFormat("KineticMesh(%u vertices, time=%R)",
                                                         k->motion->motion.vertex_count, time);
    Py_XDECREF(time);
    return made;
}

static PyObject *KineticMesh_get_time(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? PyFloat_FromDouble(bw_kinetic_time(((KineticMesh *)self)->kinetic)) : NULL;
}

static PyObject *KineticMesh_get_vertices(PyObject *self, void *closure)
{
    (void)closure;
    KineticMesh *k = (KineticMesh *)self;
    bw_body body;
    bw_fault fault;
    if (!shared_write(k))
        return NULL;
    const bw_result result = bw_kinetic_body(k->kinetic, &body, &fault);
    shared_done(k);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    const Py_ssize_t shape[2] = {body.mesh->vertex_count, 3};
    return array_copy(body.mesh->positions, body.mesh->scalar == BW_F32 ? 'f' : 'd', 2, shape);
}

static PyObject *KineticMesh_get_method(PyObject *self, void *closure)
{
    (void)closure;
    bw_kinetic_choice choice = BW_SIZED(bw_kinetic_choice);
    if (!is_open(self))
        return NULL;
    bw_kinetic_get_choice(((KineticMesh *)self)->kinetic, &choice);
    const char *word = words_method[choice.method];
    return PyUnicode_FromString(word == NULL ? "queue" : word);
}

bool is_kinetic(PyObject *object)
{
    return Py_TYPE(object) == kinetic_type;
}

bool kinetic_lazy(PyObject *object)
{
    return ((KineticMesh *)object)->lazy;
}

/* A body at the present time, which must not be advanced meanwhile. */
bool kinetic_body(PyObject *object, bw_body *out)
{
    KineticMesh *k = (KineticMesh *)object;
    if (!shared_read(k))
        return false;
    const bw_transform *pose = out->pose;
    bw_fault fault;
    const bw_result result =
        k->lazy ? bw_kinetic_query_body(k->kinetic, out, &fault) : bw_kinetic_body(k->kinetic, out, &fault);
    out->pose = pose;
    if (result == BW_OK)
        return true;
    shared_done(k);
    return raise_fault(result, &fault) != NULL;
}

bw_kinetic *kinetic_of(PyObject *object)
{
    return ((KineticMesh *)object)->kinetic;
}

static PyMethodDef motion_methods[] = {ENTRY("sample", Motion_sample),
                                       ENTRY("plans", Motion_plans),
                                       {"__reduce__", Motion_reduce, METH_NOARGS, NULL},
                                       END_OF_METHODS};
static PyGetSetDef motion_getters[] = {{"span", Motion_get_span, NULL, DOC_Motion_span, NULL},
                                       {"mesh", Motion_get_mesh, NULL, DOC_Motion_mesh, NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot motion_slots[] = {{Py_tp_new, Motion_new},
                                     {Py_tp_dealloc, Motion_dealloc},
                                     {Py_tp_repr, Motion_repr},
                                     {Py_tp_methods, motion_methods},
                                     {Py_tp_getset, motion_getters},
                                     {Py_tp_doc, (void *)DOC_Motion},
                                     {0, NULL}};
static PyType_Spec motion_spec = {"boxwood.Motion", sizeof(Motion), 0, Py_TPFLAGS_DEFAULT, motion_slots};
static PyMethodDef kinetic_methods[] = {
    ENTRY("advance", KineticMesh_advance), ENTRY("set_plans", KineticMesh_set_plans),
    ENTRY("insert", KineticMesh_insert),   ENTRY("remove", KineticMesh_remove),
    ENTRY("stats", KineticMesh_stats),     ENTRY("total", KineticMesh_total),
    ENTRY("choice", KineticMesh_choice),   ENTRY("check", KineticMesh_check),
    CLOSING_ENTRIES(KineticMesh),          END_OF_METHODS};
static PyGetSetDef kinetic_getters[] = {
    {"motion", KineticMesh_get_motion, NULL, DOC_KineticMesh_motion, NULL},
    {"time", KineticMesh_get_time, NULL, DOC_KineticMesh_time, NULL},
    {"vertices", KineticMesh_get_vertices, NULL, DOC_KineticMesh_vertices, NULL},
    {"method", KineticMesh_get_method, NULL, DOC_KineticMesh_method, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot kinetic_slots[] = {{Py_tp_new, KineticMesh_new},
                                      {Py_tp_dealloc, KineticMesh_dealloc},
                                      {Py_tp_methods, kinetic_methods},
                                      {Py_tp_getset, kinetic_getters},
                                      {Py_tp_repr, KineticMesh_repr},
                                      {Py_tp_doc, (void *)DOC_KineticMesh},
                                      {0, NULL}};
static PyType_Spec kinetic_spec = {"boxwood.KineticMesh", sizeof(KineticMesh), 0, Py_TPFLAGS_DEFAULT,
                                   kinetic_slots};
bool kinetic_init(PyObject *module)
{
    return schema_register(module, &report_schema) && schema_register(module, &stats_schema) &&
           schema_register(module, &choice_schema) && add_type(module, &motion_spec, &motion_type) &&
           add_type(module, &kinetic_spec, &kinetic_type);
}
