/* Boxwood: result codes, memory and task hooks shared by every other header.
 *
 * Rules that hold for the whole library:
 * - Fallible functions return bw_result. Outputs come last and are untouched on failure.
 * - A descriptor whose bytes are all zero asks for the defaults.
 * - There are no globals. One writer or many readers may use an object at a time.
 */
#ifndef BOXWOOD_BASE_H
#define BOXWOOD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BW_VERSION_MAJOR 0
#define BW_VERSION_MINOR 1
#define BW_VERSION_PATCH 0
#define BW_VERSION_STRING "0.1.0"

/* On Windows who builds the shared library defines BW_BUILD_SHARED, and who uses it BW_USE_SHARED
 * (CMake's target boxwood::boxwood_shared does so); users of the static library define neither. */
#if defined(_WIN32)
#    if defined(BW_BUILD_SHARED)
#        define BW_API __declspec(dllexport)
#    elif defined(BW_USE_SHARED)
#        define BW_API __declspec(dllimport)
#    else
#        define BW_API
#    endif
#elif defined(__GNUC__)
#    define BW_API __attribute__((visibility("default")))
#else
#    define BW_API
#endif

/* Marks what may change or go in any version: the structures of the papers, kept to compare with. Builds with
 * BOXWOOD_RESEARCH=OFF leave them out, and asking for one gives BW_ERROR_NOT_BUILT. A caller who defines
 * BW_WARN_EXPERIMENTAL before the first include is warned of each use. */
#if defined(BW_WARN_EXPERIMENTAL) && (defined(__GNUC__) || defined(__clang__))
#    define BW_EXPERIMENTAL __attribute__((deprecated("experimental: may change or go in any version")))
#else
#    define BW_EXPERIMENTAL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are part of the interface: they are never reused or renumbered. */
typedef enum bw_result {
    BW_OK = 0,
    BW_ERROR_ARGUMENT = 1,     /* a NULL where one is not allowed, or a value outside its domain */
    BW_ERROR_MEMORY = 2,       /* an allocation failed; every object is as it was */
    BW_ERROR_NOT_FINITE = 3,   /* a NaN or an infinity in a coordinate, box, pose or time */
    BW_ERROR_RANGE = 4,        /* a finite coordinate outside the range in which answers are exact */
    BW_ERROR_INDEX = 5,        /* a vertex or triangle index out of range */
    BW_ERROR_EMPTY = 6,        /* nothing to build from: no triangle or point is left */
    BW_ERROR_SIZE = 7,         /* more elements than 32-bit indices can name */
    BW_ERROR_MISMATCH = 8,     /* a mesh (or other view) that does not belong to the object given with it */
    BW_ERROR_SINGULAR = 9,     /* a pose that must be inverted cannot be */
    BW_ERROR_FORMAT = 10,      /* stored data is not of the expected format, or is corrupt */
    BW_ERROR_VERSION = 11,     /* stored data is of a version that this library does not read */
    BW_ERROR_STALE = 12,       /* an id whose object has been removed */
    BW_ERROR_CYCLE = 13,       /* a scene would contain itself */
    BW_ERROR_UNSUPPORTED = 14, /* the combination asked for does not exist; the header says which do */
    BW_ERROR_NOT_BUILT = 15    /* an experimental structure that this build left out (BOXWOOD_RESEARCH=OFF) */
} bw_result;

/* A sentence in English; never NULL, for any value. */
BW_API const char *bw_result_string(bw_result result);

/* "major.minor.patch" of the library in use, which may differ from BW_VERSION_STRING of the header. */
BW_API const char *bw_version_string(void);

/* Where an object takes its memory from. NULL instead of a pointer to this means the C library's heap,
 * with large pages for large blocks where Linux has any to give.
 * alloc: size > 0, alignment a power of two of at most 64; returns NULL on failure.
 * free: is told the size that was asked for; never called with NULL.
 * Both may be called from several threads at once if the object is given a task hook. */
typedef struct bw_allocator {
    void *(*alloc)(void *user, size_t size, size_t alignment);
    void (*free)(void *user, void *memory, size_t size);
    void *user;
} bw_allocator;

/* Work on the items begin..end-1; worker is below bw_tasks.worker_count and no two calls that run at
 * the same time share it. */
typedef void bw_task_fn(void *context, uint32_t begin, uint32_t end, uint32_t worker);

/* How an object may use several threads. NULL instead of a pointer to this means serial.
 * parallel_for: covers the items 0..count-1 exactly once by calls of fn, in ranges of about grain items
 *   (never fewer, but for the last), and returns when all have returned.
 * The library gives the same bits for any worker_count and any order of the calls. */
typedef struct bw_tasks {
    void (*parallel_for)(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain);
    void *user;
    uint32_t worker_count; /* at least 1, at most BW_MAX_WORKERS */
} bw_tasks;

#define BW_MAX_WORKERS 256u

#ifdef __cplusplus
}
#endif
#endif
