/* A binary heap in an array of any type, the best first: what waits in a best-first search. */
#ifndef BW_BASE_BEST_FIRST_H
#define BW_BASE_BEST_FIRST_H

#include <stddef.h>

/* Defines, for before(const type *, const type *), name_put: puts an item among count - 1 others, for which
 * there is room; and name_replace: puts one in the place of the first of count. Taking the first is reading
 * it, and putting the last in its place among those before it. */
/* NOLINTBEGIN(bugprone-macro-parentheses): there are none around a type */
#define BW_BEST_FIRST(name, type, before)                                                                    \
    static inline void name##_put(type *items, size_t count, type item)                                      \
    {                                                                                                        \
        size_t at = count - 1;                                                                               \
        for (; at > 0 && before(&item, &items[(at - 1) / 2]); at = (at - 1) / 2)                             \
            items[at] = items[(at - 1) / 2];                                                                 \
        items[at] = item;                                                                                    \
    }                                                                                                        \
    static inline void name##_replace(type *items, size_t count, type item)                                  \
    {                                                                                                        \
        size_t at = 0;                                                                                       \
        for (size_t child; (child = 2 * at + 1) < count; at = child) {                                       \
            child += child + 1 < count && before(&items[child + 1], &items[child]);                          \
            if (!before(&items[child], &item))                                                               \
                break;                                                                                       \
            items[at] = items[child];                                                                        \
        }                                                                                                    \
        items[at] = item;                                                                                    \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
