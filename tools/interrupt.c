#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static const int signals[] = {SIGINT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS];
static atomic_int asked; /* the signal; free of locks, so that a handler may write it */

static void ask(int signal_number)
{
    atomic_store(&asked, signal_number);
    signal(signal_number, SIG_DFL);
}

void interrupt_watch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = ask;
    action.sa_flags = SA_RESTART;
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void interrupt_unwatch(void)
{
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

bool interrupt_asked(void)
{
    return atomic_load_explicit(&asked, memory_order_relaxed) != 0;
}

void interrupt_obey(void)
{
    int signal_number = atomic_load(&asked);
    if (signal_number == 0)
        return;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}
