#include "pool.h"
#include "runner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct worker {
    bench_pool *pool;
    pthread_t thread;
    uint32_t index;
} worker;

struct bench_pool {
    bw_tasks tasks;
    worker *workers; /* the first is the caller */
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

static void look_for_round(bench_pool *pool, uint64_t seen)
{
    for (uint32_t look = 0; look < LOOKS && atomic_load(&pool->round) == seen && !atomic_load(&pool->stop);
         look++)
        pause_briefly();
}

static void look_for_end(bench_pool *pool)
{
    for (uint32_t look = 0; look < LOOKS && atomic_load(&pool->running) > 0; look++)
        pause_briefly();
}

/* Set in a worker while it runs a task: a parallel_for inside of one must not wait for the pool. */
static _Thread_local const worker *current;

static void take_ranges(bench_pool *pool, const worker *w)
{
    const worker *outer = current;
    current = w;
    for (;;) {
        const uint64_t begin = atomic_fetch_add_explicit(&pool->next, pool->grain, memory_order_relaxed);
        if (begin >= pool->count)
            break;
        const uint64_t end = begin + pool->grain;
        pool->fn(pool->context, (uint32_t)begin, end < pool->count ? (uint32_t)end : pool->count, w->index);
    }
    current = outer;
}

static void *work(void *argument)
{
    const worker *w = argument;
    bench_pool *pool = w->pool;
    uint64_t seen = 0;
    for (;;) {
        look_for_round(pool, seen);
        pthread_mutex_lock(&pool->mutex);
        while ((pool->round == seen || !pool->open) && !pool->stop)
            pthread_cond_wait(&pool->wake, &pool->mutex);
        if (pool->stop)
            break;
        seen = pool->round;
        pool->running++;
        pthread_mutex_unlock(&pool->mutex);
        take_ranges(pool, w);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->running == 0)
            pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void parallel_for(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    bench_pool *pool = user;
    if (current != NULL && current->pool == pool) {
        if (count > 0)
            fn(context, 0, count, current->index);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->fn = fn;
    pool->context = context;
    pool->count = count;
    pool->grain = grain > 0 ? grain : 1;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->open = true;
    pool->round++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    take_ranges(pool, &pool->workers[0]);
    pthread_mutex_lock(&pool->mutex);
    pool->open = false; /* nobody waits for a helper that has not woken up by now */
    pthread_mutex_unlock(&pool->mutex);
    look_for_end(pool);
    pthread_mutex_lock(&pool->mutex);
    while (pool->running > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

bench_pool *bench_pool_create(uint32_t workers)
{
    bench_require(workers >= 1 && workers <= BW_MAX_WORKERS, "a pool of that many threads is not possible");
    bench_pool *pool = bench_alloc(1, sizeof *pool);
    pool->tasks = (bw_tasks){parallel_for, pool, workers};
    pool->workers = bench_alloc(workers, sizeof *pool->workers);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    atomic_init(&pool->next, 0);
    for (uint32_t i = 0; i < workers; i++) {
        pool->workers[i].pool = pool;
        pool->workers[i].index = i;
        if (i > 0)
            bench_require(pthread_create(&pool->workers[i].thread, NULL, work, &pool->workers[i]) == 0,
                          "cannot start a thread");
    }
    return pool;
}

void bench_pool_destroy(bench_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 1; i < pool->tasks.worker_count; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_mutex_destroy(&pool->mutex);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    free(pool->workers);
    free(pool);
}

const bw_tasks *bench_pool_tasks(const bench_pool *pool)
{
    return &pool->tasks;
}
