/* The pool: ranges are handed out by one counter to whoever is free; who waits looks for a while before it sleeps. */
#define _POSIX_C_SOURCE 200809L
#include <boxwood/pool.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct worker {
    bw_pool *pool;
    pthread_t thread;
    uint32_t index;
} worker;

struct bw_pool {
    bw_tasks tasks;
    worker *workers; /* the first is the caller */
    uint32_t started;
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    atomic_uint_fast64_t round;   /* of parallel_for; these three are written under the mutex only */
    atomic_uint_fast32_t running; /* helpers in this round */
    atomic_bool stop;
    bool open; /* helpers may still join the round; guarded by mutex */
    /* This round's work, constant while it runs. */
    bw_task_fn *fn;
    void *context;
    uint32_t count, grain;
    atomic_uint_fast64_t next; /* the first item that nobody has taken */
};

/* A call of the library is a few rounds close together: whoever waits looks for about as long as it would
 * take to fall asleep and be woken, some ten microseconds each, before it does. */
enum { LOOKS = 4000 };

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void look_for_round(bw_pool *p, uint64_t seen)
{
    for (uint32_t look = 0; look < LOOKS && atomic_load(&p->round) == seen && !atomic_load(&p->stop); look++)
        pause_briefly();
}

static void look_for_end(bw_pool *p)
{
    for (uint32_t look = 0; look < LOOKS && atomic_load(&p->running) > 0; look++)
        pause_briefly();
}

/* Set in a worker while it runs a task: a parallel_for inside of one must not wait for the pool. */
static _Thread_local const worker *current;

static void take_ranges(bw_pool *p, const worker *w)
{
    const worker *outer = current;
    current = w;
    for (;;) {
        const uint64_t begin = atomic_fetch_add_explicit(&p->next, p->grain, memory_order_relaxed);
        if (begin >= p->count)
            break;
        const uint64_t end = begin + p->grain;
        p->fn(p->context, (uint32_t)begin, end < p->count ? (uint32_t)end : p->count, w->index);
    }
    current = outer;
}

static void *work(void *argument)
{
    const worker *w = argument;
    bw_pool *p = w->pool;
    uint64_t seen = 0;
    for (;;) {
        look_for_round(p, seen);
        pthread_mutex_lock(&p->mutex);
        while ((p->round == seen || !p->open) && !p->stop)
            pthread_cond_wait(&p->wake, &p->mutex);
        if (p->stop)
            break;
        seen = p->round;
        p->running++;
        pthread_mutex_unlock(&p->mutex);
        take_ranges(p, w);
        pthread_mutex_lock(&p->mutex);
        if (--p->running == 0)
            pthread_cond_signal(&p->done);
        pthread_mutex_unlock(&p->mutex);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

static void parallel_for(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    bw_pool *p = user;
    bool inner = current != NULL && current->pool == p;
    if (inner || p->tasks.worker_count == 1 || count <= grain) {
        if (count > 0)
            fn(context, 0, count, inner ? current->index : 0);
        return;
    }
    pthread_mutex_lock(&p->mutex);
    p->fn = fn;
    p->context = context;
    p->count = count;
    p->grain = grain > 0 ? grain : 1;
    atomic_store_explicit(&p->next, 0, memory_order_relaxed);
    p->open = true;
    p->round++;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    take_ranges(p, &p->workers[0]);
    pthread_mutex_lock(&p->mutex);
    p->open = false; /* nobody waits for a helper that has not woken up by now */
    pthread_mutex_unlock(&p->mutex);
    look_for_end(p);
    pthread_mutex_lock(&p->mutex);
    while (p->running > 0)
        pthread_cond_wait(&p->done, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

static bw_result fail(bw_fault *fault, bw_result result, uint32_t element, double value, const char *text)
{
    if (fault)
        *fault = (bw_fault){result, BW_DEFECT_NONE, element, BW_NONE, BW_NONE, value, text};
    return result;
}

/* Signals, such as the timer of a progress line, stay with the calling thread. Returns the number of workers that
 * run, the caller counted. */
static uint32_t start_workers(bw_pool *p)
{
#ifndef _WIN32
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
#endif
    uint32_t started = 0;
    for (; started < p->tasks.worker_count; started++) {
        worker *w = &p->workers[started];
        w->pool = p;
        w->index = started;
        if (started > 0 && pthread_create(&w->thread, NULL, work, w) != 0)
            break;
    }
#ifndef _WIN32
    pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
    return started;
}

bw_result bw_pool_create(uint32_t worker_count, bw_pool **out, bw_fault *fault)
{
    if (out == NULL)
        return fail(fault, BW_ERROR_ARGUMENT, BW_NONE, 0, "out is NULL");
    if (worker_count > BW_MAX_WORKERS)
        return fail(fault, BW_ERROR_ARGUMENT, BW_NONE, worker_count, "more workers than BW_MAX_WORKERS");
    const uint32_t count = worker_count > 0 ? worker_count : bw_pool_default_workers();
    bw_pool *p = calloc(1, sizeof *p);
    worker *each = calloc(count, sizeof *each);
    if (p == NULL || each == NULL) {
        free(p);
        free(each);
        return fail(fault, BW_ERROR_MEMORY, BW_NONE, 0, "no memory for the pool");
    }
    p->tasks = (bw_tasks){parallel_for, p, count};
    p->workers = each;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->done, NULL);
    p->started = start_workers(p);
    if (p->started < count) {
        const uint32_t first = p->started;
        bw_pool_destroy(p);
        return fail(fault, BW_ERROR_MEMORY, first, count, "a thread of the pool could not be started");
    }
    *out = p;
    if (fault)
        *fault = (bw_fault){BW_OK, BW_DEFECT_NONE, BW_NONE, BW_NONE, BW_NONE, 0, NULL};
    return BW_OK;
}

void bw_pool_destroy(bw_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->mutex);
    p->stop = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    for (uint32_t i = 1; i < p->started; i++)
        pthread_join(p->workers[i].thread, NULL);
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->wake);
    pthread_cond_destroy(&p->done);
    free(p->workers);
    free(p);
}

const bw_tasks *bw_pool_tasks(const bw_pool *p)
{
    return &p->tasks;
}

uint32_t bw_pool_default_workers(void)
{
#ifdef _WIN32
    const long processors = pthread_num_processors_np();
#else
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return processors < 1 ? 1 : processors > (long)BW_MAX_WORKERS ? BW_MAX_WORKERS : (uint32_t)processors;
}
