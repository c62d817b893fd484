/* Ear cutting in its plainest form: every corner against every other, O(n^3), to compare with. */
#ifndef TEST_TOOL_POLYGON_PLAIN_EARS_H
#define TEST_TOOL_POLYGON_PLAIN_EARS_H

#include <stdbool.h>
#include <stdint.h>

enum { PLAIN_MOST = 32 };

typedef struct plain_polygon {
    int64_t x[PLAIN_MOST], y[PLAIN_MOST]; /* below 2^20 */
    uint32_t count;
} plain_polygon;

/* Twice the area of three corners, with the sign of their turn. */
int64_t plain_area(const plain_polygon *p, uint32_t a, uint32_t b, uint32_t c);
/* Of the whole. */
int64_t plain_whole_area(const plain_polygon *p);
/* Ears first, then corners without a turn; false: neither is left. The polygon runs counter-clockwise. */
bool plain_ears(const plain_polygon *p, uint32_t (*triangles)[3]);

typedef enum plain_kind {
    PLAIN_SIMPLE,
    PLAIN_TOUCHES,
    PLAIN_OVERLAPS,
    PLAIN_CROSSES,
    PLAIN_KINDS
} plain_kind;
/* What its edges do, every pair of them: no two meet but neighbours in their corner; some touch in a point;
 * some lie on each other; some cross in their insides. */
plain_kind plain_kind_of(const plain_polygon *p);

#endif
