/* Asking the caller of a long call now and then whether it is still wanted: from one thread at a time. */
#ifndef BW_BASE_CANCEL_H
#define BW_BASE_CANCEL_H

#include <boxwood/base.h>

#include <stdatomic.h>

enum { BW_CANCEL_STEPS = 64 }; /* of a thread between two calls of the hook */

/* One per call, for all its threads. */
typedef struct bw_cancel {
    bw_progress progress;
    atomic_flag asking; /* a thread waits for the answer; the others go on */
    atomic_bool cancelled;
} bw_cancel;

/* NULL, which never ends a call, where nobody wants to be asked. */
static inline bw_cancel *bw_cancel_init(bw_cancel *cancel, bw_progress progress)
{
    if (progress.go_on == NULL)
        return NULL;
    cancel->progress = progress;
    atomic_flag_clear(&cancel->asking);
    atomic_init(&cancel->cancelled, false);
    return cancel;
}

/* A step of a thread, which counts down from BW_CANCEL_STEPS; false when the call is to end. */
static inline bool bw_cancel_step(bw_cancel *cancel, uint32_t *until)
{
    if (*until > 0) {
        --*until;
        return true;
    }
    *until = BW_CANCEL_STEPS - 1;
    if (!atomic_load(&cancel->cancelled) && !atomic_flag_test_and_set(&cancel->asking)) {
        if (!cancel->progress.go_on(cancel->progress.user))
            atomic_store(&cancel->cancelled, true);
        atomic_flag_clear(&cancel->asking);
    }
    return !atomic_load(&cancel->cancelled);
}

/* Asks at once; cancel may be NULL. */
static inline bool bw_cancel_go_on(bw_cancel *cancel)
{
    return cancel == NULL || bw_cancel_step(cancel, &(uint32_t){0});
}

#endif
