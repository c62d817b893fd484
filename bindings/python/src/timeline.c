/* The contact timeline of meshes in known motion: who touches whom from when to when. */
#include "core.h"

#include <math.h>

static const field event_fields[] = {
    FIELD(bw_timeline_event, time, 'd'),       FIELD(bw_timeline_event, begins, '?'),
    FIELD(bw_timeline_event, cut, '?'),        FIELD(bw_timeline_event, object_a, 'n'),
    FIELD(bw_timeline_event, object_b, 'n'),   FIELD(bw_timeline_event, triangle_a, 'n'),
    FIELD(bw_timeline_event, triangle_b, 'n'), END_OF_FIELDS};
static const field timeline_fields[] = {FIELD_ENUM(bw_timeline_report, status, "Status"),
                                        FIELD(bw_timeline_report, contact_count, 'Q'),
                                        FIELD(bw_timeline_report, instant_count, 'Q'),
                                        FIELD(bw_timeline_report, first, 'd'),
                                        FIELD(bw_timeline_report, spans, 'Q'),
                                        FIELD(bw_timeline_report, candidates, 'Q'),
                                        END_OF_FIELDS};
static schema event_schema = {.record = "boxwood.ContactEvent",
                              .table = "boxwood.ContactEvents",
                              .record_doc = DOC_ContactEvent,
                              .table_doc = DOC_ContactEvents,
                              .size = sizeof(bw_timeline_event),
                              .fields = event_fields};
static schema timeline_schema = {.record = "boxwood.TimelineReport",
                                 .record_doc = DOC_TimelineReport,
                                 .size = sizeof(bw_timeline_report),
                                 .fields = timeline_fields};

typedef struct listing {
    grown rows;
    watch w;
    callback visit;
} listing;

static bool add_event(void *user, const bw_timeline_event *event)
{
    listing *l = user;
    return watch_go_on(&l->w) && grown_add(&l->rows, event, 1) &&
           (l->visit.function == NULL || callback_record(&l->visit, &event_schema, event));
}

static const char *const words_mode[] = {"triangles", "objects", "first", END_OF_WORDS};

FUNCTION(timeline)
{
    (void)self;
    ARGUMENTS(timeline);
    bw_timeline_desc desc = BW_SIZED(bw_timeline_desc);
    bw_timeline_report report = BW_SIZED(bw_timeline_report);
    listing l = {.rows = {.size = sizeof(bw_timeline_event)}};
    int mode = BW_TIMELINE_OBJECTS;
    double from = NAN, to = NAN;
    tasks threads = {NULL, NULL, NULL};
    if (!get_choice(v[ARG_timeline_mode], "mode", words_mode, &mode) ||
        !get_bool(v[ARG_timeline_self_contacts], "self_contacts", &desc.self) ||
        !get_double(v[ARG_timeline_begin], "begin", &from) || !get_double(v[ARG_timeline_end], "end", &to) ||
        !callback_get(v[ARG_timeline_visit], "visit", &l.visit) ||
        !watch_init(&l.w, v[ARG_timeline_progress], 0))
        return NULL;
    PyObject *list = PySequence_List(v[ARG_timeline_motions]);
    if (list == NULL)
        return NULL;
    const Py_ssize_t total = PyList_Size(list);
    bw_moving *objects = PyMem_Calloc((size_t)total + 1, sizeof *objects);
    bool fine = objects != NULL;
    if (!fine)
        PyErr_NoMemory();
    double first = -INFINITY, last = INFINITY;
    for (Py_ssize_t i = 0; fine && i < total; i++) {
        fine = moving_get(PyList_GetItem(list, i), "motions", &objects[i]);
        if (!fine)
            break;
        double a, b;
        bw_motion_span(objects[i].motion, &a, &b);
        first = fmax(first, a);
        last = fmin(last, b);
    }
    if (fine && (fine = tasks_get(v[ARG_timeline_pool], &threads))) {
        bw_result result;
        bw_fault fault;
        desc.mode = (bw_timeline_mode)mode;
        desc.on_event = add_event;
        desc.user = &l;
        desc.tasks = threads.hook;
        desc.progress = watch_hook(&l.w);
        if (!isnan(from) || !isnan(to)) {
            desc.from = isnan(from) ? first : from;
            desc.to = isnan(to) ? last : to;
        }
        UNLOCKED(result = bw_contact_timeline(objects, (uint32_t)total, &desc, &report, &fault));
        tasks_done(&threads);
        fine = callback_end(&l.visit) && watch_end(&l.w) && (!l.rows.failed || PyErr_NoMemory() != NULL);
        if (fine && result != BW_OK)
            fine = raise_fault(result, &fault) != NULL;
    }
    PyMem_Free(objects);
    Py_DECREF(list);
    PyObject *told = fine ? record_new(&timeline_schema, &report) : NULL;
    if (told != NULL)
        return table_new(&event_schema, l.rows.data, l.rows.count, told);
    block_free(l.rows.data);
    return NULL;
}

static PyMethodDef functions[] = {ENTRY("timeline", timeline), END_OF_METHODS};

bool timeline_init(PyObject *module)
{
    return schema_register(module, &event_schema) && schema_register(module, &timeline_schema) &&
           add_functions(module, functions);
}
