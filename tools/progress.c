/* The library's calls can be asked to stop but do not know how far they are, so a timer signal draws the
 * line: the handler only counts and writes. */
#define _XOPEN_SOURCE 700
#include "progress.h"

#include "printable.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { TICK_MS = 250, QUIET_TICKS = 2 };

static char line[64]; /* and the seconds: less than a terminal is wide, so that it never wraps */
static volatile sig_atomic_t line_length;
static volatile sig_atomic_t ticks;
static volatile sig_atomic_t drawn;
static atomic_uint_fast64_t done; /* free of locks, so that a handler may read it */
static atomic_uint_fast64_t total;
static atomic_uint_fast64_t found;
static bool running;

/* A terminal that takes no more is no reason to stop working. */
static void put(const char *bytes, size_t size)
{
    if (write(STDERR_FILENO, bytes, size) < 0)
        return;
}

/* " 12 s", by means that a signal handler may use. */
static void put_number(uint64_t value, const char *unit)
{
    char text[24];
    int end = (int)sizeof text;
    text[--end] = ' ';
    do
        text[--end] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    text[--end] = ' ';
    put(text + end, sizeof text - (size_t)end);
    put(unit, strlen(unit));
}

static void draw(int signal_number)
{
    (void)signal_number;
    int saved = errno;
    if (++ticks > QUIET_TICKS) {
        put("\r\033[K", 4);
        put(line, (size_t)line_length);
        uint64_t pieces = atomic_load(&total);
        if (pieces > 0)
            put_number((uint64_t)(100.0 * (double)atomic_load(&done) / (double)pieces), "%");
        if (atomic_load(&found) > 0)
            put_number(atomic_load(&found), "found");
        put_number((uint64_t)ticks * TICK_MS / 1000, "s");
        drawn = 1;
    }
    errno = saved;
}

static void set_timer(int milliseconds)
{
    struct itimerval timer = {{0, milliseconds * 1000}, {0, milliseconds * 1000}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void progress_total(uint64_t pieces)
{
    atomic_store(&done, 0);
    atomic_store(&total, pieces);
}

void progress_done(uint64_t pieces)
{
    atomic_fetch_add(&done, pieces);
}

void progress_found(uint64_t count)
{
    atomic_fetch_add_explicit(&found, count, memory_order_relaxed);
}

void progress_step(const char *format, ...)
{
    progress_end();
    if (!isatty(STDERR_FILENO))
        return;
    va_list args;
    va_start(args, format);
    char text[sizeof line];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printable_to(line, sizeof line, text);
    line_length = (sig_atomic_t)strlen(line);
    ticks = 0;
    progress_total(0);
    atomic_store(&found, 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = draw;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    running = true;
    set_timer(TICK_MS);
}

void progress_end(void)
{
    if (!running)
        return;
    set_timer(0);
    running = false;
    if (drawn) {
        put("\r\033[K", 4);
        drawn = 0;
    }
}
