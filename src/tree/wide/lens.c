/* Lenses made of corners, all in float with a margin, and checked in double. */
#include "tree/wide/lens.h"

#include "base/tasks.h"
#include "mesh/view.h"
#include "tree/wide/gather_corners.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(bw_lens) == 192, "the lenses of a node are three cache lines");

enum { GRAIN = 16 }; /* nodes */

/* Outside of these, squares of coordinates about a lens do not fit a float. */
static const float smallest = 0x1p-50f, largest = 0x1p50f;

typedef struct job {
    const bw_wide *wide;
    const bw_mesh *mesh;
    bw_lens *lenses;
    float (*normals)[3]; /* one per leaf */
} job;

/* The leaves below a child, at most BW_LENS_LEAVES; one more where there are more. */
typedef struct leaf_list {
    uint32_t count;
    uint32_t leaf[BW_LENS_LEAVES];
} leaf_list;

static void list_leaves(const bw_wide *wide, uint32_t ref, leaf_list *out)
{
    if (out->count > BW_LENS_LEAVES)
        return;
    if ((ref & BW_WIDE_LEAF) != 0) {
        if (out->count < BW_LENS_LEAVES)
            out->leaf[out->count] = ref & ~BW_WIDE_LEAF;
        out->count++;
        return;
    }
    for (uint32_t i = 0; i < wide->nodes[ref].count; i++)
        list_leaves(wide, wide->nodes[ref].child[i], out);
}

/* The sum of the normals of a leaf's triangles, as long as twice their areas. */
static void sum_normals(const bw_wide_corners *restrict c, uint32_t count, float sum[3])
{
    float n[3][BW_WIDTH];
    for (int k = 0; k < 3; k++) {
        int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
        for (int s = 0; s < BW_WIDTH; s++) {
            float ei = c->coordinate[1][i][s] - c->coordinate[0][i][s];
            float ej = c->coordinate[1][j][s] - c->coordinate[0][j][s];
            float fi = c->coordinate[2][i][s] - c->coordinate[0][i][s];
            float fj = c->coordinate[2][j][s] - c->coordinate[0][j][s];
            n[k][s] = ei * fj - ej * fi;
        }
    }
    for (int k = 0; k < 3; k++) {
        sum[k] = 0.0f;
        for (uint32_t s = 0; s < count; s++)
            sum[k] += n[k][s];
    }
}

static void sum_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *work = context;
    _Alignas(64) bw_wide_corners gathered;
    for (uint32_t leaf = begin; leaf < end; leaf++)
        if (work->wide->leaves[leaf].count > 0)
            sum_normals(bw_wide_leaf_corners(work->wide, work->mesh, leaf, &gathered),
                        work->wide->leaves[leaf].count, work->normals[leaf]);
}

/* A direction in float; any one where there is none. */
static void unit_of(const double n[3], float out[3])
{
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    bool good = length > 0x1p-500 && length < 0x1p500;
    for (int k = 0; k < 3; k++)
        out[k] = good ? (float)(n[k] / length) : k == 0 ? 1.0f : 0.0f;
}

typedef struct extent {
    float low[BW_WIDTH], high[BW_WIDTH], across2[BW_WIDTH]; /* by slot */
    float reach;                                            /* no coordinate about the middle is larger */
} extent;

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* Slot by slot, so that compilers take eight, or four, at a time. */
static void add_extent(const bw_wide_corners *restrict c, const float middle[3], const float n[3],
                       extent *restrict out)
{
    float shift[3], far = 0.0f;
    for (int k = 0; k < 3; k++) {
        shift[k] = (float)((double)c->origin[k] - (double)middle[k]);
        far = larger(far, fabsf(shift[k]));
    }
    out->reach = larger(out->reach, (c->magnitude + far) * (1.0f + 0x1p-22f));
    const float sx = shift[0], sy = shift[1], sz = shift[2], nx = n[0], ny = n[1], nz = n[2];
    for (int corner = 0; corner < 3; corner++) {
        const float *px = c->coordinate[corner][0], *py = c->coordinate[corner][1],
                    *pz = c->coordinate[corner][2];
        for (int s = 0; s < BW_WIDTH; s++) {
            const float x = px[s] + sx, y = py[s] + sy, z = pz[s] + sz;
            const float d = nx * x + ny * y + nz * z, across2 = (x * x + y * y + z * z) - d * d;
            out->low[s] = smaller(d, out->low[s]);
            out->high[s] = larger(d, out->high[s]);
            out->across2[s] = larger(across2, out->across2[s]);
        }
    }
}

static void set_lens(bw_lens *out, uint32_t lane, const float n[3], const extent *e)
{
    const float u = 0x1p-24f, r = e->reach;
    float low = e->low[0], high = e->high[0], across2 = e->across2[0];
    for (int s = 1; s < BW_WIDTH; s++) {
        low = smaller(low, e->low[s]);
        high = larger(high, e->high[s]);
        across2 = larger(across2, e->across2[s]);
    }
    if (!(r > smallest && r < largest))
        return;
    for (int k = 0; k < 3; k++)
        out->normal[k][lane] = n[k];
    out->low[lane] = low - 12.0f * u * r;
    out->high[lane] = high + 12.0f * u * r;
    out->radius[lane] = sqrtf(across2 + 48.0f * u * (r * r)) * (1.0f + 4.0f * u) + 4.0f * u * r;
}

static void make_lens(const job *work, const leaf_list *list, const float middle[3], bw_lens *out,
                      uint32_t lane)
{
    const bw_wide *wide = work->wide;
    _Alignas(64) bw_wide_corners gathered;
    double sum[3] = {0.0, 0.0, 0.0};
    float n[3];
    extent e = {.reach = 0.0f};
    for (uint32_t i = 0; i < list->count; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += (double)work->normals[list->leaf[i]][k];
    unit_of(sum, n);
    for (int s = 0; s < BW_WIDTH; s++) {
        e.low[s] = INFINITY;
        e.high[s] = -INFINITY;
        e.across2[s] = 0.0f;
    }
    for (uint32_t i = 0; i < list->count; i++)
        add_extent(bw_wide_leaf_corners(wide, work->mesh, list->leaf[i], &gathered), middle, n, &e);
    set_lens(out, lane, n, &e);
}

static void make_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *work = context;
    for (uint32_t index = begin; index < end; index++) {
        const bw_wide_node *node = &work->wide->nodes[index];
        bw_lens *out = &work->lenses[index];
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
            out->normal[0][lane] = out->normal[1][lane] = out->normal[2][lane] = 0.0f;
            out->low[lane] = -INFINITY;
            out->high[lane] = out->radius[lane] = INFINITY;
        }
        for (uint32_t lane = 0; lane < node->count; lane++) {
            leaf_list list;
            float middle[3];
            list.count = 0;
            for (int k = 0; k < 3; k++)
                middle[k] = bw_lens_middle(node->min[k][lane], node->max[k][lane]);
            list_leaves(work->wide, node->child[lane], &list);
            if (list.count <= BW_LENS_LEAVES)
                make_lens(work, &list, middle, out, lane);
        }
    }
}

bw_result bw_wide_make_lenses(bw_wide *wide, const bw_mesh *mesh, const bw_tasks *tasks)
{
    if (wide->node_count == 0)
        return BW_OK;
    bw_lens *lenses = bw_allocate(&wide->allocator, wide->node_count, sizeof *lenses);
    float(*normals)[3] = bw_allocate(&wide->allocator, wide->leaf_count, sizeof *normals);
    const bool room = lenses != NULL && normals != NULL;
    if (room) {
        job work = {wide, mesh, lenses, normals};
        bw_parallel(tasks, sum_range, &work, wide->leaf_count, GRAIN * BW_WIDTH);
        bw_parallel(tasks, make_range, &work, wide->node_count, GRAIN);
        bw_wide_drop_lenses(wide);
        wide->lenses = lenses;
        wide->lens_count = wide->node_count;
    } else {
        bw_release(&wide->allocator, lenses, wide->node_count, sizeof *lenses);
    }
    bw_release(&wide->allocator, normals, wide->leaf_count, sizeof *normals);
    return room ? BW_OK : BW_ERROR_MEMORY;
}

void bw_wide_drop_lenses(bw_wide *wide)
{
    bw_release(&wide->allocator, wide->lenses, wide->lens_count, sizeof *wide->lenses);
    wide->lenses = NULL;
    wide->lens_count = 0;
}

/* In double: what it rounds is far below the margins of lenses. */
static bool is_within(const bw_lens *lens, uint32_t lane, const bw_wide_node *node, const bw_vec3 *point)
{
    const double p[3] = {point->x, point->y, point->z};
    double along = 0.0, square = 0.0, n2 = 0.0;
    for (int k = 0; k < 3; k++) {
        double n = (double)lens->normal[k][lane];
        double x = p[k] - (double)bw_lens_middle(node->min[k][lane], node->max[k][lane]);
        along += n * x;
        square += x * x;
        n2 += n * n;
    }
    double radius = (double)lens->radius[lane], across2 = square - along * along / n2;
    return along >= (double)lens->low[lane] && along <= (double)lens->high[lane] &&
           across2 <= radius * radius;
}

const char *bw_wide_check_lenses(const bw_wide *wide, const bw_mesh *mesh)
{
    if (wide->lenses == NULL)
        return wide->lens_count == 0 ? NULL : "lenses are counted but not there";
    if (wide->lens_count != wide->node_count)
        return "there is not one set of lenses per node";
    for (uint32_t index = 0; index < wide->node_count; index++)
        for (uint32_t lane = 0; lane < wide->nodes[index].count; lane++) {
            leaf_list list;
            const bw_lens *lens = &wide->lenses[index];
            if (!(lens->radius[lane] < INFINITY))
                continue;
            list.count = 0;
            list_leaves(wide, wide->nodes[index].child[lane], &list);
            if (list.count > BW_LENS_LEAVES)
                return "a lens is around more leaves than it may";
            for (uint32_t i = 0; i < list.count; i++)
                for (uint32_t slot = 0; slot < wide->leaves[list.leaf[i]].count; slot++) {
                    bw_vec3 corners[3];
                    bw_mesh_view_corners(mesh, wide->primitives[(size_t)list.leaf[i] * BW_WIDTH + slot],
                                         corners);
                    for (int c = 0; c < 3; c++)
                        if (!is_within(lens, lane, &wide->nodes[index], &corners[c]))
                            return "a corner is outside of a lens above it";
                }
        }
    return NULL;
}
