#define _POSIX_C_SOURCE 200809L
#include "oracle/pool.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct member {
    struct bw_pool *pool;
    uint32_t worker;
    pthread_t thread;
} member;

struct bw_pool {
    bw_tasks tasks;
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    /* The call under way. */
    bw_task_fn *fn;
    void *context;
    uint32_t count, grain, next, busy;
    bool stop;
    member *members; /* all workers but the caller, which is worker 0 */
};

static void need(bool good)
{
    if (!good)
        abort();
}

/* Takes ranges until there are none; the mutex is held before and after. */
static void take_ranges(bw_pool *pool, uint32_t worker)
{
    while (pool->next < pool->count) {
        uint32_t begin = pool->next;
        /* The last range takes what would be less than a grain. */
        uint32_t end = pool->count - begin < 2 * pool->grain ? pool->count : begin + pool->grain;
        pool->next = end;
        pool->busy++;
        bw_task_fn *fn = pool->fn;
        void *context = pool->context;
        need(pthread_mutex_unlock(&pool->mutex) == 0);
        fn(context, begin, end, worker);
        need(pthread_mutex_lock(&pool->mutex) == 0);
        pool->busy--;
    }
    if (pool->busy == 0)
        need(pthread_cond_signal(&pool->done) == 0);
}

static void *serve(void *argument)
{
    member *self = argument;
    bw_pool *pool = self->pool;
    need(pthread_mutex_lock(&pool->mutex) == 0);
    while (!pool->stop) {
        if (pool->next < pool->count)
            take_ranges(pool, self->worker);
        else
            need(pthread_cond_wait(&pool->work, &pool->mutex) == 0);
    }
    need(pthread_mutex_unlock(&pool->mutex) == 0);
    return NULL;
}

static void parallel_for(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    bw_pool *pool = user;
    need(pthread_mutex_lock(&pool->mutex) == 0);
    need(pool->next >= pool->count && pool->busy == 0 && grain > 0);
    pool->fn = fn;
    pool->context = context;
    pool->count = count;
    pool->grain = grain;
    pool->next = 0;
    need(pthread_cond_broadcast(&pool->work) == 0);
    take_ranges(pool, 0);
    while (pool->busy != 0)
        need(pthread_cond_wait(&pool->done, &pool->mutex) == 0);
    need(pthread_mutex_unlock(&pool->mutex) == 0);
}

bw_pool *bw_pool_create(uint32_t workers)
{
    bw_pool *pool = calloc(1, sizeof *pool);
    need(pool != NULL && workers >= 1 && workers <= BW_MAX_WORKERS);
    pool->tasks = (bw_tasks){parallel_for, pool, workers};
    need(pthread_mutex_init(&pool->mutex, NULL) == 0 && pthread_cond_init(&pool->work, NULL) == 0 &&
         pthread_cond_init(&pool->done, NULL) == 0);
    pool->members = calloc(workers, sizeof *pool->members);
    need(pool->members != NULL);
    for (uint32_t i = 1; i < workers; i++) {
        pool->members[i] = (member){.pool = pool, .worker = i};
        need(pthread_create(&pool->members[i].thread, NULL, serve, &pool->members[i]) == 0);
    }
    return pool;
}

void bw_pool_destroy(bw_pool *pool)
{
    need(pthread_mutex_lock(&pool->mutex) == 0);
    pool->stop = true;
    need(pthread_cond_broadcast(&pool->work) == 0);
    need(pthread_mutex_unlock(&pool->mutex) == 0);
    for (uint32_t i = 1; i < pool->tasks.worker_count; i++)
        need(pthread_join(pool->members[i].thread, NULL) == 0);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->members);
    free(pool);
}

const bw_tasks *bw_pool_tasks(const bw_pool *pool)
{
    return &pool->tasks;
}
