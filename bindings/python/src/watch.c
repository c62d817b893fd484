/* Long calls: Ctrl-C, progress, functions of the caller, and pools of threads. */
#include "core.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { INTERVAL = 50 * 1000 * 1000 }; /* nanoseconds between two looks at signals */

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool watch_init(watch *w, PyObject *progress, uint64_t total)
{
    memset(w, 0, sizeof *w);
    w->total = total;
    if (progress == NULL || progress == Py_None)
        return true;
    w->bar = PyObject_HasAttrString(progress, "update");
    if (!w->bar && !PyCallable_Check(progress)) {
        PyErr_SetString(PyExc_TypeError,
                        "progress must be a function of (done, total) or have update(n), as tqdm's bars do");
        return false;
    }
    w->progress = progress;
    return true;
}

/* With the GIL. False to stop. */
static bool tell(watch *w)
{
    if (PyErr_CheckSignals() != 0)
        return false;
    if (w->progress == NULL)
        return true;
    PyObject *answer;
    if (w->bar)
        answer = PyObject_CallMethod(w->progress, "update", "K", (unsigned long long)(w->done - w->told));
    else if (w->total != 0)
        answer = PyObject_CallFunction(w->progress, "KK", (unsigned long long)w->done,
                                       (unsigned long long)w->total);
    else
        answer = PyObject_CallFunction(w->progress, "OO", Py_None, Py_None);
    w->told = w->done;
    if (answer == NULL)
        return false;
    w->stopped = answer == Py_False;
    drop(answer);
    return !w->stopped;
}

bool watch_go_on(void *user)
{
    watch *w = user;
    if (w->type != NULL || w->stopped)
        return false;
    const uint64_t time = now();
    if (w->next == 0) /* the first time: short calls never look at the clock */
        w->next = time + INTERVAL;
    if (time < w->next)
        return true;
    PyGILState_STATE state = PyGILState_Ensure();
    const bool fine = tell(w);
    if (PyErr_Occurred())
        PyErr_Fetch(&w->type, &w->value, &w->traceback);
    PyGILState_Release(state);
    w->next = now() + INTERVAL;
    return fine;
}

bool watch_part(watch *w, uint64_t done)
{
    w->done = done;
    return watch_go_on(w);
}

uint32_t pace_next(pace *p, uint32_t left)
{
    const uint64_t time = now();
    if (p->part == 0) {
        p->part = PACE_TRIAL < p->most ? PACE_TRIAL : p->most;
    } else {
        const uint64_t taken = time - p->began + 1;
        const double fitting = (double)p->part * p->intervals * INTERVAL / (double)taken;
        p->part = fitting >= p->most ? p->most : fitting < 1 ? 1 : (uint32_t)fitting;
    }
    p->began = time;
    return left < p->part ? left : p->part;
}

bw_progress watch_hook(watch *w)
{
    return (bw_progress){watch_go_on, w};
}

bool watch_end(watch *w)
{
    if (w->type != NULL) {
        PyErr_Restore(w->type, w->value, w->traceback);
        w->type = w->value = w->traceback = NULL;
        return false;
    }
    /* The last word of what was begun, so that a bar is full at the end. */
    if (w->progress != NULL && !w->stopped && w->total != 0 && w->told < w->total) {
        w->done = w->total;
        if (!tell(w) && PyErr_Occurred())
            return false;
    }
    return PyErr_CheckSignals() == 0;
}

/* ---- functions of the caller ---- */

bool callback_get(PyObject *object, const char *name, callback *out)
{
    *out = (callback){.function = NULL};
    if (object == NULL || object == Py_None)
        return true;
    if (!PyCallable_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be a function, not %R", name, object);
        return false;
    }
    out->function = object;
    return true;
}

PyObject *callback_call(callback *c, PyObject *args)
{
    PyObject *answer = args == NULL || c->type != NULL ? NULL : PyObject_CallObject(c->function, args);
    Py_XDECREF(args);
    if (PyErr_Occurred() && c->type == NULL)
        PyErr_Fetch(&c->type, &c->value, &c->traceback);
    else
        PyErr_Clear();
    return answer;
}

static PyObject *call_with(callback *c, const char *format, va_list values)
{
    return c->type != NULL ? NULL : callback_call(c, Py_VaBuildValue(format, values));
}

bool callback_true(callback *c, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = call_with(c, format, values);
    const int is_true = answer == NULL ? 0 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    if (is_true < 0)
        PyErr_Fetch(&c->type, &c->value, &c->traceback);
    PyGILState_Release(state);
    va_end(values);
    return is_true > 0;
}

/* Not False; takes over the answer. */
static bool is_yes(PyObject *answer)
{
    const bool yes = answer != NULL && answer != Py_False;
    Py_XDECREF(answer);
    return yes;
}

bool callback_go_on(callback *c, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    PyGILState_STATE state = PyGILState_Ensure();
    const bool fine = is_yes(call_with(c, format, values));
    PyGILState_Release(state);
    va_end(values);
    return fine;
}

bool callback_record(callback *c, const schema *of, const void *structure)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *record = c->type != NULL ? NULL : record_new(of, structure);
    const bool fine = is_yes(callback_call(c, record == NULL ? NULL : Py_BuildValue("(N)", record)));
    PyGILState_Release(state);
    return fine;
}

bool callback_end(callback *c)
{
    if (c->type == NULL)
        return true;
    PyErr_Restore(c->type, c->value, c->traceback);
    c->type = c->value = c->traceback = NULL;
    return false;
}

/* ---- pools ---- */

struct Pool {
    PyObject_HEAD int users;
    bw_pool *pool;
    uint32_t workers;
    pid_t process; /* threads do not survive a fork */
};
static PyTypeObject *pool_type;

static PyObject *Pool_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    CONSTRUCTOR(Pool);
    uint32_t workers = 0;
    bw_fault fault;
    if (!get_u32(v[ARG_Pool_workers], "workers", &workers))
        return NULL;
    if (workers == 0)
        workers = bw_pool_default_workers();
    bw_pool *pool = NULL;
    const bw_result result = bw_pool_create(workers, &pool, &fault);
    if (result != BW_OK)
        return raise_fault(result, &fault);
    Pool *made = new_object(type);
    if (made == NULL) {
        bw_pool_destroy(pool);
        return NULL;
    }
    made->pool = pool;
    made->workers = workers;
    made->process = getpid();
    return (PyObject *)made;
}

static void Pool_release(PyObject *self)
{
    Pool *p = (Pool *)self;
    bw_pool *pool = p->pool;
    p->pool = NULL;
    if (p->process == getpid() && pool != NULL)
        UNLOCKED(bw_pool_destroy(pool));
}

CLOSING(Pool, NULL)

static void Pool_dealloc(PyObject *self)
{
    Pool_release(self);
    free_object(self);
}

static PyObject *Pool_get_workers(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(((Pool *)self)->workers);
}

static PyObject *Pool_repr(PyObject *self)
{
    return is_closed(self) ? closed_repr(self)
                           : PyUnicode_FromFormat("Pool(%u workers)", ((Pool *)self)->workers);
}

bool tasks_get(PyObject *object, tasks *out)
{
    *out = (tasks){NULL, NULL, NULL};
    if (object == NULL || object == Py_None)
        return true;
    if (Py_TYPE(object) != pool_type) {
        PyErr_Format(PyExc_TypeError, "pool must be a boxwood.Pool, not %R", object);
        return false;
    }
    Pool *p = (Pool *)object;
    if (!is_open(p))
        return false;
    /* One call at a time has the threads; another one does without, with the same answer. */
    if (p->users != 0 || p->process != getpid())
        return true;
    p->users = 1;
    out->pool = p;
    out->hook = bw_pool_tasks(p->pool);
    return true;
}

void tasks_done(tasks *t)
{
    if (t->pool != NULL)
        t->pool->users = 0;
    t->pool = NULL;
}

/* What the thread has been lent. Pieces of work carry it along, so that work within work finds it on any thread. */
static _Thread_local const bw_tasks *lent;

typedef struct lending {
    const bw_tasks *hook;
    bw_task_fn *fn;
    void *context;
} lending;

static void run_lent(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    const lending *l = context;
    const bw_tasks *before = lent;
    lent = l->hook;
    l->fn(l->context, begin, end, worker);
    lent = before;
}

static void parallel_for_lent(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    const Pool *own = user;
    lending l = {lent, fn, context};
    if (lent != NULL && lent == bw_pool_tasks(own->pool))
        lent->parallel_for(lent->user, run_lent, &l, count, grain);
    else if (count != 0)
        fn(context, 0, count, 0);
}

bool tasks_of_object(PyObject *object, PyObject **pool, bw_tasks *out)
{
    tasks now;
    *pool = NULL;
    if (!tasks_get(object, &now))
        return false;
    tasks_done(&now);
    if (object == NULL || object == Py_None)
        return true;
    *out = (bw_tasks){parallel_for_lent, object, ((Pool *)object)->workers};
    keep(object);
    *pool = object;
    return true;
}

bool tasks_lend(PyObject *pool, tasks *out)
{
    if (!tasks_get(pool, out))
        return false;
    out->before = lent;
    lent = out->hook;
    return true;
}

void tasks_return(tasks *t)
{
    lent = t->before;
    tasks_done(t);
}

static PyMethodDef pool_methods[] = {CLOSING_ENTRIES(Pool), END_OF_METHODS};
static PyGetSetDef pool_getters[] = {{"workers", Pool_get_workers, NULL, DOC_Pool_workers, NULL},
                                     {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot pool_slots[] = {{Py_tp_new, Pool_new},
                                   {Py_tp_dealloc, Pool_dealloc},
                                   {Py_tp_repr, Pool_repr},
                                   {Py_tp_methods, pool_methods},
                                   {Py_tp_getset, pool_getters},
                                   {Py_tp_doc, (void *)DOC_Pool},
                                   {0, NULL}};
static PyType_Spec pool_spec = {"boxwood.Pool", sizeof(Pool), 0, Py_TPFLAGS_DEFAULT, pool_slots};

bool pool_init(PyObject *module)
{
    return add_type(module, &pool_spec, &pool_type);
}
