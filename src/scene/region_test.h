/* The tests behind bw_region, made ready once a query. Each is monotone in the box, also as computed: what a
 * box meets, any box around it meets, since every operation rounds monotonely. So testing the boxes of nodes
 * loses nothing, and the answer of a tree equals that of a loop, without any epsilon. */
#ifndef BW_SCENE_REGION_TEST_H
#define BW_SCENE_REGION_TEST_H

#include <boxwood/scene.h>

typedef struct bw_region_test {
    bw_region_kind kind;
    float query[8]; /* BOX: max x, y, z, negated min x, y, z, and two that count for nothing */
    double centre[3], radius2;
    double origin[3], direction[3], t_max;
    double slack;  /* RAY: how much farther, as a share, a box may seem to be left; 0: as computed */
    double radius; /* RAY and CAPSULE: by which boxes are grown; 0 for a ray */
    const bw_plane *planes;
    uint32_t plane_count;
    bw_view_cache *cache;
} bw_region_test;

bw_result bw_region_test_prepare(const bw_region *region, bw_region_test *out);
bw_result bw_region_test_ray(const bw_ray *ray, bw_region_test *out);
/* packed: min x, y, z, negated max x, y, z. */
bool bw_region_test_meets(const bw_region_test *test, const float packed[6]);
/* Where the ray enters a box, or a negative number. */
double bw_region_ray_enters(const bw_region_test *test, const float packed[6]);
double bw_region_distance2(const double point[3], const float packed[6]);
/* The plane evaluated at the corner farthest along its normal, and at the opposite one. */
float bw_region_plane_far(const bw_plane *plane, const float packed[6]);
float bw_region_plane_near(const bw_plane *plane, const float packed[6]);
/* Of the planes in mask, those that cut the box; *outside tells that one turns it away. */
uint32_t bw_region_planes_cut(const bw_region_test *test, const float packed[6], uint32_t mask,
                              bool *outside);

/* One bit for each plane. */
static inline uint32_t bw_region_all_planes(const bw_region_test *test)
{
    return test->plane_count == 32 ? UINT32_MAX : (1u << test->plane_count) - 1u;
}

/* Why a box cannot be an object's: BW_OK if it can. where (may be NULL) receives the axis and the value. */
bw_result bw_object_box_check(const bw_box *box, bw_fault *where);

struct bw_view_cache {
    bw_allocator allocator;
    uint8_t *planes; /* by node: 1 + the plane that turned all of it away last; 0: none */
    uint32_t capacity;
};

/* Room for so many nodes; without memory it stays as it is, and says so by its capacity. */
void bw_view_cache_reserve(bw_view_cache *cache, uint32_t nodes);

#endif
