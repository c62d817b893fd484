/* Boxwood: results, faults, versions, memory and task hooks shared by every other header.
 *
 * Rules that hold for the whole library (docs/decisions/0023-an-api-that-grows.md):
 * - Parameters come in one order: the object, the inputs, a descriptor (NULL: the defaults), the outputs, and
 *   last a bw_fault (NULL: not wanted). Fallible functions return bw_result; outputs are untouched on
 *   failure.
 * - Descriptors and reports begin with `size`, so that later versions can add to their ends: zero, or what
 *   BW_SIZED sets. Zero-initialise both: all zero asks for the defaults. A size that is neither zero nor at
 *   least that of the first version is BW_ERROR_LAYOUT; a descriptor that sets what this version does not
 *   know is BW_ERROR_UNSUPPORTED. Plain data (vectors, boxes, rays, meshes, hits) never changes its layout.
 * - Counts are called x_count, the elements that fit an array x_capacity. Callbacks return true to go on.
 * - `const` objects are not written, but for boxes of kinetic trees that wait for the first query that looks
 *   at them: any number of threads may (kinetic.h). What is remembered between calls lives in a cache object of
 *   the caller.
 * - The only global is a counter that gives trees their numbers. One writer or many readers may use an object
 *   at a time.
 */
#ifndef BOXWOOD_BASE_H
#define BOXWOOD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BW_VERSION_MAJOR 0
#define BW_VERSION_MINOR 2
#define BW_VERSION_PATCH 0
#define BW_VERSION_STRING "0.2.0"
/* As a number that grows with every version: 10000 major + 100 minor + patch. */
#define BW_VERSION (10000 * BW_VERSION_MAJOR + 100 * BW_VERSION_MINOR + BW_VERSION_PATCH)

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
    BW_ERROR_NOT_BUILT = 15,   /* an experimental structure that this build left out (BOXWOOD_RESEARCH=OFF) */
    BW_ERROR_LAYOUT = 16,      /* a descriptor or report that was not initialised, or is of another version */
    BW_ERROR_STOPPED = 17      /* the caller's progress ended what has no partial answer: all is as it was */
} bw_result;

/* A sentence in English; never NULL, for any value. */
BW_API const char *bw_result_string(bw_result result);

/* BW_VERSION and BW_VERSION_STRING of the library in use, which may differ from those of the header. */
BW_API uint32_t bw_version(void);
BW_API const char *bw_version_string(void);

/* A descriptor or report with its size set and all else zero, as an expression in C and in C++:
 *   bw_tree_desc desc = BW_SIZED(bw_tree_desc);
 * Plain {0} does as well, and means the layout of version 0.2. */
#ifdef __cplusplus
} /* extern "C" */
template <typename T> inline T bw_sized()
{
    T object{};
    object.size = sizeof(T);
    return object;
}
extern "C" {
#    define BW_SIZED(type) (bw_sized<type>())
#else
#    define BW_SIZED(type) ((type){.size = sizeof(type)})
#endif

/* How a query ended. */
typedef enum bw_status {
    BW_DONE = 0,    /* the answer is whole */
    BW_FOUND = 1,   /* the first hit was enough, and ended it */
    BW_STOPPED = 2, /* a callback returned false */
    BW_FULL = 3,    /* the search is whole and its counts are, but a buffer holds the first of them only */
    BW_LIMIT = 4    /* a bound that the caller set was reached: a distance, steps, time */
} bw_status;

/* No element, vertex, axis, primitive. */
#define BW_NONE UINT32_MAX

/* What can be wrong with a primitive of a mesh. The first that applies, in this order, is the one counted. */
typedef enum bw_defect {
    BW_DEFECT_NONE = 0,
    BW_DEFECT_INDEX = 1,     /* an index is not below vertex_count */
    BW_DEFECT_NAN = 2,       /* a coordinate is NaN */
    BW_DEFECT_INFINITE = 3,  /* a coordinate is infinite */
    BW_DEFECT_RANGE = 4,     /* a coordinate is outside the exact range */
    BW_DEFECT_ZERO_AREA = 5, /* the three corners lie on one line (never counted for points) */
    BW_DEFECT_COUNT = 6
} bw_defect;

/* A short name such as "NaN coordinate"; never NULL. */
BW_API const char *bw_defect_string(bw_defect defect);

/* What failed, and where: written by every call that is given one, with BW_OK where nothing failed. What does
 * not apply is BW_NONE, or zero. */
typedef struct bw_fault {
    bw_result result;
    bw_defect defect; /* of a mesh's primitive or vertex */
    uint32_t element; /* the primitive, keyframe, object or item of a batch, as the function says */
    uint32_t vertex;
    uint32_t axis;    /* 0, 1, 2 */
    double value;     /* the number at fault */
    const char *text; /* a sentence in English; never NULL after a failure; static */
} bw_fault;

/* The whole of a fault in words, such as "element 12, vertex 40, y = nan: a coordinate is NaN", cut off at
 * size and always terminated. Returns the length that it would have, like snprintf. */
BW_API int bw_fault_describe(const bw_fault *fault, char *buffer, size_t size);

/* Called now and then by a long call, from one thread at a time; returning false ends it (BW_STOPPED, or
 * BW_ERROR_STOPPED where there is no part of an answer to give). All zero: none. */
typedef struct bw_progress {
    bool (*go_on)(void *user);
    void *user;
} bw_progress;

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
