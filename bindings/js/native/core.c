/* What JavaScript needs beside the library itself: a count of its memory, and lists in place of
 * callbacks, since the module imports nothing. */
#include "door.h"

#include <stdlib.h>
#include <string.h>

/* Every block of the module, the library's and JavaScript's: the linker puts these in place of malloc and its kin (CMakeLists.txt). */
static size_t allocated;

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
size_t malloc_usable_size(void *block);

static void *counted(void *block)
{
    allocated += block != NULL ? malloc_usable_size(block) : 0;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return counted(__real_calloc(count, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return counted(__real_aligned_alloc(alignment, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    const size_t before = block != NULL ? malloc_usable_size(block) : 0;
    void *moved = __real_realloc(block, size);
    if (moved != NULL)
        allocated += malloc_usable_size(moved) - before;
    return moved;
}

void __wrap_free(void *block)
{
    allocated -= block != NULL ? malloc_usable_size(block) : 0;
    __real_free(block);
}

/* Aligned for every type, vectors among them. */
void *bwx_alloc(size_t size)
{
    return size <= SIZE_MAX - 15 ? aligned_alloc(16, (size + 15) & ~(size_t)15) : NULL;
}

void bwx_free(void *block)
{
    free(block);
}

size_t bwx_allocated(void)
{
    return allocated;
}

typedef struct ray_list {
    bw_ray_hit *hits;
    uint32_t capacity, count;
} ray_list;

static bool take_ray_hit(void *user, const bw_ray_hit *hit)
{
    ray_list *list = user;
    if (list->count < list->capacity)
        list->hits[list->count] = *hit;
    list->count++;
    return true;
}

bw_result bwx_raycast_all(const bw_body *body, const bw_ray *ray, bw_ray_hit *hits, uint32_t capacity,
                          uint32_t *count, bw_fault *fault)
{
    ray_list list = {hits, capacity, 0};
    const bw_raycast_desc desc = {.mode = BW_RAY_ALL, .on_hit = take_ray_hit, .user = &list};
    const bw_result result = bw_raycast(body, ray, &desc, NULL, NULL, fault);
    if (result != BW_OK)
        return result;
    *count = list.count;
    return BW_OK;
}

/* Rows of origin, direction (or second point) and, of width 7, t_max, as rays. */
void bwx_rays(const double *rows, uint32_t width, uint32_t count, uint32_t between, bw_ray *out)
{
    for (uint32_t i = 0; i < count; i++, rows += width)
        out[i] = (bw_ray){.origin = {rows[0], rows[1], rows[2]},
                          .direction = {rows[3], rows[4], rows[5]},
                          .t_max = width > 6 ? rows[6] : 0,
                          .between = between != 0};
}

/* One field of n rows, of so many words of 32 bits, in a row; or (words 0) the lowest byte of one word each. */
void bwx_column(const void *field, uint32_t stride, uint32_t n, uint32_t words, void *to)
{
    const char *from = field;
    uint32_t *out = to;
    uint8_t *bytes = to;
    switch (words) {
    case 0:
        for (uint32_t i = 0; i < n; i++, from += stride)
            bytes[i] = (uint8_t)*from;
        break;
    case 1:
        for (uint32_t i = 0; i < n; i++, from += stride)
            memcpy(out + i, from, 4);
        break;
    case 2:
        for (uint32_t i = 0; i < n; i++, from += stride)
            memcpy(out + 2 * (size_t)i, from, 8);
        break;
    default:
        for (uint32_t i = 0; i < n; i++, from += stride)
            memcpy(out + (size_t)words * i, from, (size_t)4 * words);
    }
}
