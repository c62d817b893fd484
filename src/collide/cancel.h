/* Asking the caller of a long query now and then whether it is still wanted: from one thread at a time. */
#ifndef BW_COLLIDE_CANCEL_H
#define BW_COLLIDE_CANCEL_H

#include <boxwood/collide.h>

#include <stdatomic.h>

enum { BW_QUESTION_STEPS = 64 }; /* of a thread from one question to the next */

/* One a query, for all its threads. */
typedef struct bw_question {
    bw_progress_fn *progress;
    void *user;
    atomic_flag asking; /* a thread waits for the answer; the others go on */
    atomic_bool cancelled;
} bw_question;

/* NULL, which never ends a query, where nobody wants to be asked. */
static inline bw_question *bw_question_init(bw_question *question, bw_progress_fn *progress, void *user)
{
    if (progress == NULL)
        return NULL;
    question->progress = progress;
    question->user = user;
    atomic_flag_clear(&question->asking);
    atomic_init(&question->cancelled, false);
    return question;
}

/* A step of a thread, which counts down from BW_QUESTION_STEPS; false when the query is to end. */
static inline bool bw_question_step(bw_question *question, uint32_t *until)
{
    if (*until > 0) {
        --*until;
        return true;
    }
    *until = BW_QUESTION_STEPS - 1;
    if (!atomic_load(&question->cancelled) && !atomic_flag_test_and_set(&question->asking)) {
        if (!question->progress(question->user))
            atomic_store(&question->cancelled, true);
        atomic_flag_clear(&question->asking);
    }
    return !atomic_load(&question->cancelled);
}

#endif
