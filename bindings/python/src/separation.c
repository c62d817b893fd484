/* Separation lists: which parts of two meshes in known motion are near each other, kept while time goes on. */
#include "core.h"

typedef struct Separation {
    PyObject_HEAD int users;
    bw_separation *separation;
    PyObject *a, *b; /* motions, which the library only views; b NULL: a with itself */
    PyObject *pool;  /* NULL: none */
} Separation;
static PyTypeObject *separation_type;

enum { LEAF = 8 }; /* primitives of a leaf */
typedef struct entry_row {
    bool meeting, leaves;
    bw_box a, b;
    uint32_t count_a, count_b;
    uint32_t primitives_a[LEAF], primitives_b[LEAF];
} entry_row;

static const field report_fields[] = {FIELD(bw_separation_report, events, 'Q'),
                                      FIELD(bw_separation_report, overlaps, 'Q'),
                                      FIELD(bw_separation_report, parents, 'Q'),
                                      FIELD(bw_separation_report, leaves, 'Q'),
                                      FIELD(bw_separation_report, box_changes, 'Q'),
                                      FIELD(bw_separation_report, checks, 'Q'),
                                      FIELD(bw_separation_report, tree_events, 'Q'),
                                      FIELD(bw_separation_report, compiled, 'I'),
                                      FIELD(bw_separation_report, traversed, '?'),
                                      FIELD(bw_separation_report, restarted, '?'),
                                      END_OF_FIELDS};
static const field stats_fields[] = {FIELD(bw_separation_stats, inner_apart, 'Q'),
                                     FIELD(bw_separation_stats, leaves_apart, 'Q'),
                                     FIELD(bw_separation_stats, leaves_meeting, 'Q'),
                                     FIELD(bw_separation_stats, pending, 'Q'),
                                     FIELD(bw_separation_stats, next_event, 'd'),
                                     FIELD(bw_separation_stats, bytes, 'Q'),
                                     END_OF_FIELDS};
static const field entry_fields[] = {FIELD(entry_row, meeting, '?'),
                                     FIELD(entry_row, leaves, '?'),
                                     {"box_a", 'f', offsetof(entry_row, a), 2, 3, NULL},
                                     {"box_b", 'f', offsetof(entry_row, b), 2, 3, NULL},
                                     FIELD(entry_row, count_a, 'I'),
                                     FIELD(entry_row, count_b, 'I'),
                                     FIELD_ROW("primitives_a", entry_row, primitives_a, 'n', LEAF),
                                     FIELD_ROW("primitives_b", entry_row, primitives_b, 'n', LEAF),
                                     END_OF_FIELDS};
static schema report_schema = {.record = "boxwood.SeparationReport",
                               .record_doc = DOC_SeparationReport,
                               .size = sizeof(bw_separation_report),
                               .fields = report_fields};
static schema stats_schema = {.record = "boxwood.SeparationStats",
                              .record_doc = DOC_SeparationStats,
                              .size = sizeof(bw_separation_stats),
                              .fields = stats_fields};
static schema entry_schema = {.record = "boxwood.SeparationEntry",
                              .table = "boxwood.SeparationEntries",
                              .record_doc = DOC_SeparationEntry,
                              .table_doc = DOC_SeparationEntries,
                              .size = sizeof(entry_row),
                              .fields = entry_fields};

static const char *const words_method[] = {"auto", "events", "compiled", "traverse", END_OF_WORDS};

static PyObject *Separation_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Separation);
    bw_separation_desc desc = BW_SIZED(bw_separation_desc);
    PyObject *a = v[ARG_Separation_a], *b = v[ARG_Separation_b];
    bw_moving first, second;
    int method = BW_SEPARATION_AUTO;
    tasks threads;
    bw_fault fault;
    bw_result result;
    if (b == Py_None)
        b = NULL;
    if (!moving_get(a, "a", &first) || (b != NULL && !moving_get(b, "b", &second)) ||
        !get_choice(v[ARG_Separation_method], "method", words_method, &method) ||
        !builder_get(v[ARG_Separation_builder], &desc.builder))
        return NULL;
    desc.method = (bw_separation_method)method;
    bw_motion_span(first.motion, &desc.time, NULL); /* clamped to what both have */
    PyObject *pool;
    bw_tasks hook;
    if (!get_double(v[ARG_Separation_time], "time", &desc.time) ||
        !tasks_of_object(v[ARG_Separation_pool], &pool, &hook))
        return NULL;
    Separation *made = new_object(type);
    if (made == NULL || !tasks_lend(pool, &threads)) {
        drop(pool);
        drop(made);
        return NULL;
    }
    keep(a);
    keep(b);
    made->a = a;
    made->b = b;
    made->pool = pool;
    desc.tasks = pool == NULL ? NULL : &hook;
    UNLOCKED(result =
                 bw_separation_create(&desc, &first, b == NULL ? NULL : &second, &made->separation, &fault));
    tasks_return(&threads);
    if (result == BW_OK)
        return (PyObject *)made;
    drop(made);
    return raise_fault(result, &fault);
}

static void Separation_release(PyObject *self)
{
    Separation *s = (Separation *)self;
    PyObject *a = s->a, *b = s->b, *pool = s->pool;
    bw_separation_destroy(s->separation);
    s->separation = NULL;
    s->a = s->b = s->pool = NULL;
    drop(a);
    drop(b);
    drop(pool);
}

CLOSING(Separation, NULL)

static void Separation_dealloc(PyObject *self)
{
    Separation_release(self);
    free_object(self);
}

/* All calls may change the list: one at a time. */
static bool enter(Separation *s, tasks *threads)
{
    if (!shared_write(s))
        return false;
    if (tasks_lend(s->pool, threads))
        return true;
    shared_done(s);
    return false;
}

static void leave(Separation *s, tasks *threads)
{
    tasks_return(threads);
    shared_done(s);
}

FUNCTION(Separation_advance)
{
    ARGUMENTS(Separation_advance);
    Separation *s = (Separation *)self;
    bw_separation_report report = BW_SIZED(bw_separation_report);
    double time = 0;
    tasks threads;
    bw_fault fault;
    bw_result result;
    if (!get_double(v[ARG_Separation_advance_time], "time", &time) || !enter(s, &threads))
        return NULL;
    UNLOCKED(result = bw_separation_advance(s->separation, time, &report, &fault));
    leave(s, &threads);
    return result != BW_OK ? raise_fault(result, &fault) : record_new(&report_schema, &report);
}

FUNCTION(Separation_collide)
{
    ARGUMENTS(Separation_collide);
    Separation *s = (Separation *)self;
    bw_collide_desc desc = BW_SIZED(bw_collide_desc);
    bw_collide_report report = BW_SIZED(bw_collide_report);
    hit_list l;
    watch w;
    tasks threads;
    bw_fault fault;
    bw_result result;
    if (!watch_init(&w, NULL, 0) || !hits_begin(v[ARG_Separation_collide_visit], &l, &desc) ||
        !enter(s, &threads))
        return NULL;
    UNLOCKED(result = bw_separation_collide(s->separation, &desc, &report, &fault));
    leave(s, &threads);
    return hits_end(&l, &w, result, &report, &fault);
}

FUNCTION(Separation_set_plans)
{
    ARGUMENTS(Separation_set_plans);
    static const char *const words_side[] = {"a", "b", END_OF_WORDS};
    Separation *s = (Separation *)self;
    plan_list list;
    int side = 0;
    if (!is_open(s))
        return NULL;
    double origin = bw_separation_time(s->separation);
    tasks threads;
    bw_fault fault;
    bw_result result = BW_OK;
    if (!get_choice(v[ARG_Separation_set_plans_side], "side", words_side, &side) ||
        !get_double(v[ARG_Separation_set_plans_origin], "origin", &origin) ||
        !plans_get(v[ARG_Separation_set_plans_vertices], v[ARG_Separation_set_plans_plans], origin, &list))
        return NULL;
    const bool fine = enter(s, &threads);
    if (fine) {
        UNLOCKED(result = bw_separation_set_plans(s->separation, (uint32_t)side, list.vertices.data,
                                                  list.plans, list.count, &fault));
        leave(s, &threads);
    }
    plans_done(&list);
    if (!fine || result != BW_OK)
        return fine ? raise_fault(result, &fault) : NULL;
    Py_RETURN_NONE;
}

typedef struct listing {
    grown rows;
    bool too_large;
} listing;

static bool add_entry(void *user, const bw_separation_entry *e)
{
    listing *l = user;
    entry_row row = {.meeting = e->meeting, .leaves = e->leaves, .a = e->a, .b = e->b};
    l->too_large = e->count_a > LEAF || e->count_b > LEAF;
    if (l->too_large)
        return false;
    row.count_a = e->count_a;
    row.count_b = e->count_b;
    for (uint32_t i = 0; i < LEAF; i++) {
        row.primitives_a[i] = i < e->count_a ? e->primitives_a[i] : BW_NONE;
        row.primitives_b[i] = i < e->count_b ? e->primitives_b[i] : BW_NONE;
    }
    return grown_add(&l->rows, &row, 1);
}

FUNCTION(Separation_entries)
{
    ARGUMENTS(Separation_entries);
    Separation *s = (Separation *)self;
    listing l = {.rows = {.size = sizeof(entry_row)}};
    tasks threads;
    bw_fault fault;
    bw_result result;
    if (!enter(s, &threads))
        return NULL;
    UNLOCKED(result = bw_separation_visit(s->separation, add_entry, &l, &fault));
    leave(s, &threads);
    if (result == BW_OK && !l.rows.failed && !l.too_large)
        return table_new(&entry_schema, l.rows.data, l.rows.count, NULL);
    block_free(l.rows.data);
    if (l.too_large)
        PyErr_SetString(PyExc_RuntimeError, "a leaf of more primitives than a row holds");
    return l.too_large ? NULL : l.rows.failed ? PyErr_NoMemory() : raise_fault(result, &fault);
}

FUNCTION(Separation_stats)
{
    ARGUMENTS(Separation_stats);
    bw_separation_stats out = BW_SIZED(bw_separation_stats);
    if (!shared_write(self))
        return NULL;
    bw_separation_get_stats(((Separation *)self)->separation, &out);
    shared_done(self);
    return record_new(&stats_schema, &out);
}

FUNCTION(Separation_total)
{
    ARGUMENTS(Separation_total);
    bw_separation_report out = BW_SIZED(bw_separation_report);
    if (!shared_write(self))
        return NULL;
    bw_separation_get_total(((Separation *)self)->separation, &out);
    shared_done(self);
    return record_new(&report_schema, &out);
}

FUNCTION(Separation_check)
{
    ARGUMENTS(Separation_check);
    const char *fault;
    if (!shared_write(self))
        return NULL;
    UNLOCKED(fault = bw_separation_check(((Separation *)self)->separation));
    shared_done(self);
    if (fault == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(fault);
}

static PyObject *Separation_get_time(PyObject *self, void *closure)
{
    (void)closure;
    return is_open(self) ? PyFloat_FromDouble(bw_separation_time(((Separation *)self)->separation)) : NULL;
}

static PyObject *method_word(PyObject *self, void *closure)
{
    (void)closure;
    bw_separation_stats out = BW_SIZED(bw_separation_stats);
    if (!shared_write(self))
        return NULL;
    bw_separation_get_stats(((Separation *)self)->separation, &out);
    shared_done(self);
    return PyUnicode_FromString(words_method[out.method]);
}

static PyObject *Separation_repr(PyObject *self)
{
    if (is_closed(self))
        return closed_repr(self);
    PyObject *time = Separation_get_time(self, NULL), *word = time == NULL ? NULL : method_word(self, NULL);
    PyObject *made = word == NULL ? NULL : PyUnicode_FromFormat("Separation(%U, time=%R)", word, time);
    Py_XDECREF(time);
    Py_XDECREF(word);
    return made;
}

static PyMethodDef methods[] = {ENTRY("advance", Separation_advance),
                                ENTRY("collide", Separation_collide),
                                ENTRY("set_plans", Separation_set_plans),
                                ENTRY("entries", Separation_entries),
                                ENTRY("stats", Separation_stats),
                                ENTRY("total", Separation_total),
                                ENTRY("check", Separation_check),
                                CLOSING_ENTRIES(Separation),
                                END_OF_METHODS};
static PyGetSetDef getters[] = {{"time", Separation_get_time, NULL, DOC_Separation_time, NULL},
                                {"method", method_word, NULL, DOC_Separation_method, NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, Separation_new},
                              {Py_tp_dealloc, Separation_dealloc},
                              {Py_tp_repr, Separation_repr},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, getters},
                              {Py_tp_doc, (void *)DOC_Separation},
                              {0, NULL}};
static PyType_Spec spec = {"boxwood.Separation", sizeof(Separation), 0, Py_TPFLAGS_DEFAULT, slots};

bool separation_init(PyObject *module)
{
    return schema_register(module, &report_schema) && schema_register(module, &stats_schema) &&
           schema_register(module, &entry_schema) && add_type(module, &spec, &separation_type);
}
