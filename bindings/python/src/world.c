/* World: bodies that move, contacts that begin, persist and end, and questions down to the triangle. */
#include "world.h"

#include <string.h>

static PyTypeObject *world_type;

static const field contact_fields[] = {FIELD(bw_world_contact, id, 'Q'),
                                       FIELD(bw_world_contact, a, 'Q'),
                                       FIELD(bw_world_contact, b, 'Q'),
                                       FIELD(bw_world_contact, primitive_a, 'n'),
                                       FIELD(bw_world_contact, primitive_b, 'n'),
                                       FIELD(bw_world_contact, feature, 'I'),
                                       FIELD_ENUM(bw_world_contact, kind, "Kind"),
                                       FIELD_ENUM(bw_world_contact, event, "Event"),
                                       FIELD_VEC3(bw_world_contact, point),
                                       FIELD_VEC3(bw_world_contact, normal),
                                       FIELD(bw_world_contact, depth, 'd'),
                                       END_OF_FIELDS};
static const field pair_fields[] = {FIELD(bw_world_pair, a, 'Q'),
                                    FIELD(bw_world_pair, b, 'Q'),
                                    FIELD_ENUM(bw_world_pair, event, "Event"),
                                    FIELD(bw_world_pair, first, 'I'),
                                    FIELD(bw_world_pair, count, 'I'),
                                    END_OF_FIELDS};
static const field impact_fields[] = {
    FIELD(bw_world_impact, time, 'd'),        FIELD(bw_world_impact, a, 'Q'),
    FIELD(bw_world_impact, b, 'Q'),           FIELD(bw_world_impact, primitive_a, 'n'),
    FIELD(bw_world_impact, primitive_b, 'n'), FIELD_VEC3(bw_world_impact, point),
    FIELD_VEC3(bw_world_impact, normal),      END_OF_FIELDS};
static schema contact_schema = {.record = "boxwood.WorldContact",
                                .table = "boxwood.WorldContacts",
                                .record_doc = DOC_WorldContact,
                                .table_doc = DOC_WorldContacts,
                                .size = sizeof(bw_world_contact),
                                .fields = contact_fields};
static schema pair_schema = {.record = "boxwood.WorldPair",
                             .table = "boxwood.WorldPairs",
                             .record_doc = DOC_WorldPair,
                             .table_doc = DOC_WorldPairs,
                             .size = sizeof(bw_world_pair),
                             .fields = pair_fields};
schema impact_schema = {.record = "boxwood.Impact",
                        .record_doc = DOC_Impact,
                        .size = sizeof(bw_world_impact),
                        .fields = impact_fields};

static const field body_fields[] = {FIELD(bw_world_body, fixed, '?'), FIELD(bw_world_body, layers, 'I'),
                                    FIELD(bw_world_body, mask, 'I'),  FIELD(bw_world_body, group, 'I'),
                                    FIELD(bw_world_body, user, 'Q'),  END_OF_FIELDS};
static schema body_schema = {.record = "boxwood.WorldBody",
                             .record_doc = DOC_WorldBody,
                             .size = sizeof(bw_world_body),
                             .fields = body_fields};

static PyObject *World_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(World);
    bw_world_desc desc = BW_SIZED(bw_world_desc);
    bw_fault fault;
    PyObject *pool;
    bw_tasks hook;
    if (!get_double(v[ARG_World_separation], "separation", &desc.separation) ||
        !tasks_of_object(v[ARG_World_pool], &pool, &hook))
        return NULL;
    World *made = new_object(type);
    if (made == NULL) {
        drop(pool);
        return NULL;
    }
    made->pool = pool;
    desc.tasks = pool == NULL ? NULL : &hook;
    const bw_result result = bw_world_create(&desc, &made->world, &fault);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

/* What it views counts how often, so that it is not closed meanwhile. */
static void entry_view(const entry *e, bool views)
{
    if (is_shape(e->object) || is_kinetic(e->object))
        ((viewed *)e->object)->worlds += views ? 1u : UINT32_MAX; /* one less */
}

static void entry_drop(entry *e)
{
    entry_view(e, false);
    drop(e->object);
    drop(e->read);
    drop(e->mesh);
}

static void World_release(PyObject *self)
{
    World *w = (World *)self;
    const World old = *w;
    w->world = NULL;
    w->entries = NULL;
    w->count = w->capacity = 0;
    w->pool = NULL;
    bw_world_destroy(old.world);
    for (size_t i = 0; i < old.count; i++)
        entry_drop(&old.entries[i]);
    PyMem_Free(old.entries);
    drop(old.pool);
}

CLOSING(World, NULL)

static void World_dealloc(PyObject *self)
{
    World_release(self);
    free_object(self);
}

/* Reads all bodies until leave(): none is changed by another thread, and each still has the mesh that it came with. */
static void leave(World *w, size_t count)
{
    for (size_t i = 0; i < count; i++)
        shared_done(w->entries[i].read);
}

bool world_enter(World *w, bool write, tasks *threads)
{
    if (!(write ? shared_write(w) : shared_read(w)))
        return false;
    for (size_t i = 0; i < w->count; i++) {
        const entry *e = &w->entries[i];
        const Tree *t = Py_TYPE(e->object) == tree_type ? (Tree *)e->object : NULL;
        const bool same = e->mesh == NULL || t == NULL || (is_closed(t) ? t->last_mesh : t->mesh) == e->mesh;
        if (!same)
            PyErr_Format(PyExc_ValueError,
                         "body %llu: its tree was given other arrays; write into the array of its mesh, "
                         "update the tree and "
                         "call changed(), or remove and insert the body",
                         (unsigned long long)e->id);
        bw_body at = {.pose = NULL};
        if (!same || (e->read != NULL &&
                      !(is_kinetic(e->object) ? kinetic_body(e->object, &at) : shared_read(e->read)))) {
            leave(w, i);
            shared_done(w);
            return false;
        }
    }
    if (tasks_lend(w->pool, threads))
        return true;
    leave(w, w->count);
    shared_done(w);
    return false;
}

void world_leave(World *w, tasks *threads)
{
    tasks_return(threads);
    leave(w, w->count);
    shared_done(w);
}

static bool grow(World *w, size_t more)
{
    if (more <= w->capacity - w->count)
        return true;
    const size_t capacity = 2 * w->capacity + more + 16;
    entry *entries = PyMem_Realloc(w->entries, capacity * sizeof *entries);
    if (entries == NULL) {
        PyErr_NoMemory();
        return false;
    }
    w->entries = entries;
    w->capacity = capacity;
    return true;
}

/* A body of the caller's as one of the world; made is what held_done takes afterwards. */
static bool body_of(PyObject *object, bw_world_body *body, entry *e, held *made)
{
    *e = (entry){0, object, NULL, NULL};
    made->object = NULL;
    if (is_shape(object)) {
        if (!shape_enter(object))
            return false;
        keep(object);
        made->object = object;
        made->mesh = NULL;
        return shape_get(object, "body", &body->shape);
    }
    if (is_kinetic(object) &&
        kinetic_lazy(object)) { /* the world writes all boxes while others may still be looking */
        PyErr_SetString(PyExc_ValueError, "a lazy KineticMesh cannot be a body of a World");
        return false;
    }
    if (!held_get(object, NULL, "body", "pose", made)) /* of a KineticMesh with all boxes written */
        return false;
    if (is_kinetic(object)) {
        body->kinetic = kinetic_of(object);
        e->read = object;
        return true;
    }
    body->tree = made->body.tree;
    body->mesh = made->body.mesh;
    e->read = made->object;
    e->mesh = made->mesh;
    return true;
}

/* Room was made before. */
static void entry_add(World *w, entry e, bw_id id)
{
    e.id = id;
    keep(e.object);
    keep(e.read);
    keep(e.mesh);
    entry_view(&e, true);
    w->entries[w->count++] = e;
}

FUNCTION(World_insert)
{
    ARGUMENTS(World_insert);
    World *w = (World *)self;
    bw_world_body body = BW_SIZED(bw_world_body);
    bw_transform at;
    held made;
    entry e;
    bw_id id = 0;
    bw_fault fault;
    bw_result result;
    if (!get_pose(v[ARG_World_insert_pose], "pose", &at, &body.pose) ||
        !get_bool(v[ARG_World_insert_fixed], "fixed", &body.fixed) ||
        !get_u32(v[ARG_World_insert_layers], "layers", &body.layers) ||
        !get_u32(v[ARG_World_insert_mask], "mask", &body.mask) ||
        !get_u32(v[ARG_World_insert_group], "group", &body.group) ||
        !get_u64(v[ARG_World_insert_user], "user", &body.user) ||
        !body_of(v[ARG_World_insert_body], &body, &e, &made))
        return NULL;
    PyObject *told = NULL;
    if (shared_write(w)) {
        if (grow(w, 1)) {
            UNLOCKED(result = bw_world_insert(w->world, &body, &id, &fault));
            if (result == BW_OK) {
                entry_add(w, e, id);
                told = PyLong_FromUnsignedLongLong(id);
            } else {
                raise_fault(result, &fault);
            }
        }
        shared_done(w);
    }
    held_done(&made);
    return told;
}

/* Bodies and poses for one insert of many. */
typedef struct arrivals {
    PyObject *list; /* of the bodies; NULL: one for all */
    bw_world_body *bodies;
    bw_transform *transforms;
    entry *entries;
    held *held;
    uint32_t count, ready; /* ready: how many are held */
} arrivals;

static void arrivals_done(arrivals *a)
{
    for (uint32_t i = 0; i < a->ready; i++)
        held_done(&a->held[i]);
    PyMem_Free(a->bodies);
    PyMem_Free(a->transforms);
    PyMem_Free(a->entries);
    PyMem_Free(a->held);
    Py_XDECREF(a->list);
}

static bool arrivals_get(PyObject *given, PyObject *where, PyObject *users, const bw_world_body *same,
                         arrivals *out)
{
    static const want wanted = {'Q', 0, {0, 0, 0}, false, NULL};
    poses p;
    array numbers = {.ndim = 0};
    memset(out, 0, sizeof *out);
    if (!poses_get(where, "poses", 1, &p))
        return false;
    const bool single =
        is_shape(given) || is_kinetic(given) || Py_TYPE(given) == tree_type || Py_TYPE(given) == mesh_type;
    bool fine = true;
    Py_ssize_t total = p.count;
    if (!single) {
        out->list = PySequence_List(given);
        fine = out->list != NULL;
        total = fine ? PyList_Size(out->list) : 0;
    }
    if (fine && (p.count < 0 ? single : p.count != total)) {
        if (single)
            PyErr_SetString(PyExc_ValueError, "one body for all needs poses");
        else
            PyErr_Format(PyExc_ValueError, "%zd bodies and %zd poses: as many are needed", total, p.count);
        fine = false;
    }
    fine = fine && count_fits(total, "bodies", &out->count);
    if (fine && users != NULL && users != Py_None) {
        fine = array_get(users, "users", &wanted, &numbers);
        if (fine && (Py_ssize_t)array_count(&numbers) != total) {
            PyErr_Format(PyExc_ValueError, "%u users for %zd bodies", array_count(&numbers), total);
            fine = false;
        }
    }
    if (fine) {
        const size_t room = (size_t)total + 1;
        out->bodies = PyMem_Calloc(room, sizeof *out->bodies);
        out->transforms = PyMem_Calloc(room, sizeof *out->transforms);
        out->entries = PyMem_Calloc(room, sizeof *out->entries);
        out->held = PyMem_Calloc(room, sizeof *out->held);
        if (out->bodies == NULL || out->transforms == NULL || out->entries == NULL || out->held == NULL)
            fine = PyErr_NoMemory() != NULL;
    }
    for (uint32_t i = 0; fine && i < out->count; i++) {
        bw_world_body *body = &out->bodies[i];
        *body = *same;
        if (p.count >= 0) {
            out->transforms[i] = *poses_at(&p, i, 0);
            body->pose = &out->transforms[i];
        }
        if (numbers.data != NULL)
            body->user = ((const uint64_t *)numbers.data)[i];
        fine = body_of(single ? given : PyList_GetItem(out->list, i), body, &out->entries[i], &out->held[i]);
        out->ready += fine;
    }
    array_release(&p.array);
    array_release(&numbers);
    if (!fine)
        arrivals_done(out);
    return fine;
}

FUNCTION(World_insert_many)
{
    ARGUMENTS(World_insert_many);
    World *w = (World *)self;
    bw_world_body same = BW_SIZED(bw_world_body);
    arrivals a;
    tasks threads;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!get_bool(v[ARG_World_insert_many_fixed], "fixed", &same.fixed) ||
        !get_u32(v[ARG_World_insert_many_layers], "layers", &same.layers) ||
        !get_u32(v[ARG_World_insert_many_mask], "mask", &same.mask) ||
        !get_u32(v[ARG_World_insert_many_group], "group", &same.group) ||
        !arrivals_get(v[ARG_World_insert_many_bodies], v[ARG_World_insert_many_poses],
                      v[ARG_World_insert_many_users], &same, &a))
        return NULL;
    bw_id *ids = block_alloc(a.count, sizeof *ids);
    bool fine = ids != NULL && shared_write(w);
    if (fine) {
        fine = grow(w, a.count) && tasks_lend(w->pool, &threads);
        if (fine) {
            UNLOCKED(result = bw_world_insert_many(w->world, a.bodies, a.count, ids, &fault));
            tasks_return(&threads);
            for (uint32_t i = 0; result == BW_OK && i < a.count; i++)
                entry_add(w, a.entries[i], ids[i]);
        }
        shared_done(w);
    }
    const Py_ssize_t shape[1] = {a.count};
    arrivals_done(&a);
    if (fine && result == BW_OK)
        return array_new(ids, 'Q', 1, shape);
    block_free(ids);
    return fine ? raise_fault(result, &fault) : NULL;
}

FUNCTION(World_remove)
{
    ARGUMENTS(World_remove);
    World *w = (World *)self;
    uint64_t id = 0;
    bw_fault fault;
    if (!get_u64(v[ARG_World_remove_id], "id", &id) || !shared_write(w))
        return NULL;
    const bw_result result = bw_world_remove(w->world, id, &fault);
    for (size_t i = 0; result == BW_OK && i < w->count; i++) {
        if (w->entries[i].id == id) {
            entry old = w->entries[i];
            w->entries[i] = w->entries[--w->count];
            entry_drop(&old);
            break;
        }
    }
    shared_done(w);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

/* Ids and as many poses, one or many. */
typedef struct moves {
    array ids;
    poses poses;
    bw_transform *transforms;
    uint64_t id;
    uint32_t count;
} moves;

static void moves_done(moves *m)
{
    array_release(&m->ids);
    array_release(&m->poses.array);
    PyMem_Free(m->transforms);
}

static bool moves_get(PyObject *ids, PyObject *where, moves *out)
{
    static const want wanted = {'Q', 0, {0, 0, 0}, false, NULL};
    memset(out, 0, sizeof *out);
    if (PyLong_Check(ids)) {
        const bw_transform *pose;
        out->count = 1;
        out->transforms = PyMem_Calloc(1, sizeof *out->transforms);
        if (out->transforms == NULL) {
            PyErr_NoMemory();
            return false;
        }
        if (get_u64(ids, "ids", &out->id) && get_pose(where, "poses", out->transforms, &pose)) {
            if (pose == NULL)
                *out->transforms = bw_transform_identity();
            return true;
        }
        moves_done(out);
        return false;
    }
    if (!array_get(ids, "ids", &wanted, &out->ids))
        return false;
    if (!poses_get(where, "poses", 1, &out->poses)) {
        array_release(&out->ids);
        return false;
    }
    out->count = array_count(&out->ids);
    bool fine = out->poses.count == (Py_ssize_t)out->count;
    if (!fine)
        PyErr_Format(PyExc_ValueError, "%u ids and %zd poses: as many are needed", out->count,
                     out->poses.count < 0 ? 0 : out->poses.count);
    out->transforms = fine ? PyMem_Malloc(out->count * sizeof *out->transforms + 1) : NULL;
    if (fine && out->transforms == NULL)
        fine = PyErr_NoMemory() != NULL;
    for (uint32_t i = 0; fine && i < out->count; i++)
        out->transforms[i] = *poses_at(&out->poses, i, 0);
    if (!fine)
        moves_done(out);
    return fine;
}

static const bw_id *moves_ids(const moves *m)
{
    return m->ids.data == NULL ? &m->id : m->ids.data;
}

FUNCTION(World_move)
{
    ARGUMENTS(World_move);
    World *w = (World *)self;
    tasks threads;
    moves m;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!moves_get(v[ARG_World_move_ids], v[ARG_World_move_poses], &m))
        return NULL;
    const bool fine = world_enter(w, true, &threads);
    if (fine) {
        UNLOCKED(result = bw_world_move_many(w->world, moves_ids(&m), m.transforms, m.count, &fault));
        world_leave(w, &threads);
    }
    moves_done(&m);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    Py_RETURN_NONE;
}

FUNCTION(World_changed)
{
    ARGUMENTS(World_changed);
    World *w = (World *)self;
    tasks threads;
    uint64_t id = 0;
    bw_fault fault;
    if (!get_u64(v[ARG_World_changed_id], "id", &id) || !world_enter(w, true, &threads))
        return NULL;
    const bw_result result = bw_world_changed(w->world, id, &fault);
    world_leave(w, &threads);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

FUNCTION(World_allow)
{
    ARGUMENTS(World_allow);
    World *w = (World *)self;
    uint64_t a = 0, b = 0;
    bool allowed = true;
    bw_fault fault;
    if (!get_u64(v[ARG_World_allow_a], "a", &a) || !get_u64(v[ARG_World_allow_b], "b", &b) ||
        !get_bool(v[ARG_World_allow_allowed], "allowed", &allowed) || !shared_write(w))
        return NULL;
    const bw_result result = bw_world_allow(w->world, a, b, allowed, &fault);
    shared_done(w);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

FUNCTION(World_set_filter)
{
    ARGUMENTS(World_set_filter);
    World *w = (World *)self;
    uint64_t id = 0;
    uint32_t layers = 0, mask = 0, group = 0;
    bw_fault fault;
    if (!get_u64(v[ARG_World_set_filter_id], "id", &id) ||
        !get_u32(v[ARG_World_set_filter_layers], "layers", &layers) ||
        !get_u32(v[ARG_World_set_filter_mask], "mask", &mask) ||
        !get_u32(v[ARG_World_set_filter_group], "group", &group) || !shared_write(w))
        return NULL;
    const bw_result result = bw_world_set_filter(w->world, id, layers, mask, group, &fault);
    shared_done(w);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Py_RETURN_NONE;
}

/* A copy of rows of the world as a table. */
static PyObject *copied(const schema *s, const void *rows, size_t count)
{
    void *copy = block_alloc(count, s->size);
    if (copy == NULL)
        return NULL;
    if (count != 0)
        memcpy(copy, rows, count * s->size);
    return table_new(s, copy, count, NULL);
}

/* A call that asks the caller which bodies may meet, and that it or Ctrl-C may end. */
typedef struct asking {
    callback may_meet;
    watch w;
} asking;

static bool may_meet_pair(void *user, bw_id a, bw_id b)
{
    asking *q = user;
    return callback_true(&q->may_meet, "(KK)", (unsigned long long)a, (unsigned long long)b);
}

static bool go_on(void *user)
{
    asking *q = user;
    return q->may_meet.type == NULL && watch_go_on(&q->w);
}

/* False with an exception. */
static bool asking_end(asking *q, bw_result result, const bw_fault *fault)
{
    return callback_end(&q->may_meet) && watch_end(&q->w) &&
           (result == BW_OK || raise_fault(result, fault) != NULL);
}

FUNCTION(World_step)
{
    ARGUMENTS(World_step);
    World *w = (World *)self;
    tasks threads;
    bw_world_step_desc desc = BW_SIZED(bw_world_step_desc);
    bw_world_step_report report = BW_SIZED(bw_world_step_report);
    bw_fault fault;
    bw_result result;
    asking q;
    if (!get_bool(v[ARG_World_step_pairs_only], "pairs_only", &desc.pairs_only) ||
        !callback_get(v[ARG_World_step_may_meet], "may_meet", &q.may_meet) ||
        !watch_init(&q.w, v[ARG_World_step_progress], 0) || !world_enter(w, true, &threads))
        return NULL;
    desc.may_meet = q.may_meet.function == NULL ? NULL : may_meet_pair;
    desc.user = &q;
    desc.progress = (bw_progress){go_on, &q};
    UNLOCKED(result = bw_world_step(w->world, &desc, &report, &fault));
    PyObject *made = NULL;
    if (asking_end(&q, result, &fault)) {
        PyObject *contacts = copied(&contact_schema, report.contacts, report.contact_count);
        PyObject *ended = copied(&contact_schema, report.ended, report.ended_count);
        PyObject *pairs = copied(&pair_schema, report.pairs, report.pair_count);
        if (contacts != NULL && ended != NULL && pairs != NULL)
            made = PyTuple_Pack(3, contacts, ended, pairs);
        Py_XDECREF(contacts);
        Py_XDECREF(ended);
        Py_XDECREF(pairs);
    }
    world_leave(w, &threads);
    return made;
}

FUNCTION(World_advance)
{
    ARGUMENTS(World_advance);
    World *w = (World *)self;
    tasks threads;
    bw_world_advance_desc desc = BW_SIZED(bw_world_advance_desc);
    bw_world_advance_report report = BW_SIZED(bw_world_advance_report);
    moves m;
    asking q;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!get_double(v[ARG_World_advance_tolerance], "tolerance", &desc.tolerance) ||
        !get_bool(v[ARG_World_advance_stay], "stay", &desc.stay) ||
        !callback_get(v[ARG_World_advance_may_meet], "may_meet", &q.may_meet) ||
        !watch_init(&q.w, v[ARG_World_advance_progress], 0) ||
        !moves_get(v[ARG_World_advance_ids], v[ARG_World_advance_poses], &m))
        return NULL;
    desc.may_meet = q.may_meet.function == NULL ? NULL : may_meet_pair;
    desc.user = &q;
    desc.progress = (bw_progress){go_on, &q};
    const bool fine = world_enter(w, true, &threads);
    if (fine) {
        UNLOCKED(result = bw_world_advance(w->world, moves_ids(&m), m.transforms, m.count, &desc, &report,
                                           &fault));
        world_leave(w, &threads);
    }
    moves_done(&m);
    return fine && asking_end(&q, result, &fault) ? record_new(&impact_schema, &report.first) : NULL;
}

FUNCTION(World_pose)
{
    ARGUMENTS(World_pose);
    World *w = (World *)self;
    uint64_t id = 0;
    bw_world_body body = BW_SIZED(bw_world_body);
    bw_fault fault;
    if (!get_u64(v[ARG_World_pose_id], "id", &id) || !shared_read(w))
        return NULL;
    const bw_result result = bw_world_get(w->world, id, &body, &fault);
    bw_transform pose = bw_transform_identity();
    if (result == BW_OK && body.pose != NULL)
        pose = *body.pose;
    shared_done(w);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    double matrix[16] = {[15] = 1};
    memcpy(matrix, &pose, sizeof pose);
    const Py_ssize_t shape[2] = {4, 4};
    return array_copy(matrix, 'd', 2, shape);
}

FUNCTION(World_get)
{
    ARGUMENTS(World_get);
    World *w = (World *)self;
    uint64_t id = 0;
    bw_world_body body = BW_SIZED(bw_world_body);
    bw_fault fault;
    if (!get_u64(v[ARG_World_get_id], "id", &id) || !shared_read(w))
        return NULL;
    const bw_result result = bw_world_get(w->world, id, &body, &fault);
    shared_done(w);
    return result != BW_OK ? raise_fault(result, &fault) : record_new(&body_schema, &body);
}

FUNCTION(World_body)
{
    ARGUMENTS(World_body);
    World *w = (World *)self;
    uint64_t id = 0;
    bw_world_body body = BW_SIZED(bw_world_body);
    bw_fault fault;
    if (!get_u64(v[ARG_World_body_id], "id", &id) || !shared_read(w))
        return NULL;
    const bw_result result = bw_world_get(w->world, id, &body, &fault);
    PyObject *made = NULL;
    for (size_t i = 0; result == BW_OK && made == NULL && i < w->count; i++)
        if (w->entries[i].id == id)
            made = Py_NewRef(w->entries[i].object);
    shared_done(w);
    return result != BW_OK ? raise_fault(result, &fault) : made;
}

static PyObject *World_get_ids(PyObject *self, void *closure)
{
    (void)closure;
    const World *w = (World *)self;
    if (!is_open(w))
        return NULL;
    bw_id *ids = block_alloc(w->count, sizeof *ids);
    if (ids == NULL)
        return NULL;
    for (size_t i = 0; i < w->count; i++)
        ids[i] = w->entries[i].id;
    const Py_ssize_t shape[1] = {(Py_ssize_t)w->count};
    return array_new(ids, 'Q', 1, shape);
}

static PyObject *World_repr(PyObject *self)
{
    const World *w = (World *)self;
    return is_closed(w) ? closed_repr(self)
                        : PyUnicode_FromFormat("World(%u bodies)", bw_world_body_count(w->world));
}

static Py_ssize_t World_length(PyObject *self)
{
    return is_open(self) ? (Py_ssize_t)bw_world_body_count(((World *)self)->world) : -1;
}

FUNCTION(World_check)
{
    ARGUMENTS(World_check);
    World *w = (World *)self;
    const char *fault;
    if (!shared_read(w))
        return NULL;
    UNLOCKED(fault = bw_world_check(w->world));
    shared_done(w);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

static PyMethodDef methods[] = {ENTRY("insert", World_insert),
                                ENTRY("check", World_check),
                                ENTRY("set_filter", World_set_filter),
                                ENTRY("insert_many", World_insert_many),
                                ENTRY("rays_all", World_rays_all),
                                ENTRY("get", World_get),
                                ENTRY("body", World_body),
                                ENTRY("remove", World_remove),
                                ENTRY("move", World_move),
                                ENTRY("changed", World_changed),
                                ENTRY("allow", World_allow),
                                ENTRY("step", World_step),
                                ENTRY("advance", World_advance),
                                ENTRY("rays", World_rays),
                                ENTRY("overlap", World_overlap),
                                ENTRY("distance", World_distance),
                                ENTRY("sweep", World_sweep),
                                ENTRY("pose", World_pose),
                                CLOSING_ENTRIES(World),
                                END_OF_METHODS};
static PyGetSetDef getters[] = {{"ids", World_get_ids, NULL, DOC_World_ids, NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, World_new},         {Py_tp_getset, getters},
                              {Py_tp_dealloc, World_dealloc}, {Py_tp_methods, methods},
                              {Py_sq_length, World_length},   {Py_tp_repr, World_repr},
                              {Py_tp_doc, (void *)DOC_World}, {0, NULL}};
static PyType_Spec spec = {"boxwood.World", sizeof(World), 0, Py_TPFLAGS_DEFAULT, slots};

bool world_init(PyObject *module)
{
    return schema_register(module, &body_schema) && schema_register(module, &contact_schema) &&
           schema_register(module, &pair_schema) && schema_register(module, &impact_schema) &&
           world_queries_init(module) && add_type(module, &spec, &world_type);
}
