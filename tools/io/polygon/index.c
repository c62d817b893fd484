/* A tree of boxes over corners in Morton order; the boxes decide by bounds, the corners exactly. */
#include "io/polygon/index.h"

#include "fault.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct key {
    uint64_t code;
    uint32_t corner;
} key;

static int by_code(const void *a, const void *b)
{
    const key *x = a, *y = b;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return x->corner < y->corner ? -1 : x->corner > y->corner;
}

/* Every second bit. */
static uint64_t spread(uint64_t bits)
{
    bits = (bits | bits << 16) & 0x0000ffff0000ffff;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
    bits = (bits | bits << 2) & 0x3333333333333333;
    return (bits | bits << 1) & 0x5555555555555555;
}

static uint64_t cell(double value, double low, double high)
{
    /* Halved, so that no difference overflows. */
    double part = high > low ? (0.5 * value - 0.5 * low) / (0.5 * high - 0.5 * low) : 0;
    return part >= 1 ? UINT32_MAX : (uint64_t)(part * 0x1p32);
}

static void sort_corners(corner_index *in)
{
    const plane_polygon *p = in->p;
    double low[2] = {p->at[0].x, p->at[0].y}, high[2] = {low[0], low[1]};
    for (uint32_t i = 0; i < p->count; i++) {
        low[0] = fmin(low[0], p->at[i].x);
        low[1] = fmin(low[1], p->at[i].y);
        high[0] = fmax(high[0], p->at[i].x);
        high[1] = fmax(high[1], p->at[i].y);
    }
    key *keys = tool_alloc(p->count, sizeof *keys);
    for (uint32_t i = 0; i < p->count; i++)
        keys[i] = (key){
            spread(cell(p->at[i].x, low[0], high[0])) | spread(cell(p->at[i].y, low[1], high[1])) << 1, i};
    qsort(keys, p->count, sizeof *keys, by_code);
    for (uint32_t i = 0; i < p->count; i++) {
        in->order[i] = keys[i].corner;
        in->place[keys[i].corner] = i;
    }
    free(keys);
}

static void include(index_box *box, const index_box *other)
{
    for (int k = 0; k < 2; k++) {
        box->low[k] = fmin(box->low[k], other->low[k]);
        box->high[k] = fmax(box->high[k], other->high[k]);
    }
    box->alive += other->alive;
}

corner_index index_create(const plane_polygon *p)
{
    uint32_t count = p->count, leaves = (count + INDEX_LEAF - 1) / INDEX_LEAF;
    corner_index in = {.p = p,
                       .order = tool_alloc(count, sizeof *in.order),
                       .place = tool_alloc(count, sizeof *in.place),
                       .out = tool_alloc(count, sizeof *in.out),
                       .boxes = tool_alloc(2 * (size_t)leaves + 32, sizeof *in.boxes)};
    memset(in.out, 0, count * sizeof *in.out);
    sort_corners(&in);
    uint32_t total = 0, wide = leaves;
    for (;; wide = (wide + 1) / 2) {
        in.level_first[in.levels] = total;
        in.level_count[in.levels++] = wide;
        total += wide;
        if (wide == 1)
            break;
    }
    for (uint32_t i = 0; i < total; i++)
        in.boxes[i] =
            (index_box){{(double)INFINITY, (double)INFINITY}, {-(double)INFINITY, -(double)INFINITY}, 0};
    for (uint32_t i = 0; i < count; i++) {
        const bw_vec3 *v = &p->at[in.order[i]];
        index_box one = {{v->x, v->y}, {v->x, v->y}, 1};
        include(&in.boxes[i / INDEX_LEAF], &one);
    }
    for (uint32_t level = 1; level < in.levels; level++)
        for (uint32_t i = 0; i < in.level_count[level - 1]; i++)
            include(&in.boxes[in.level_first[level] + i / 2], &in.boxes[in.level_first[level - 1] + i]);
    return in;
}

void index_free(corner_index *in)
{
    free(in->order);
    free(in->place);
    free(in->out);
    free(in->boxes);
}

void index_take(corner_index *in, uint32_t corner)
{
    uint32_t at = in->place[corner] / INDEX_LEAF;
    in->out[corner] = true;
    for (uint32_t level = 0; level < in->levels; level++, at /= 2)
        in->boxes[in->level_first[level] + at].alive--;
}

typedef struct search {
    const corner_index *in;
    uint32_t corners[3];
    double low[2], high[2];
    index_copy_fn *copy;
    const void *user;
} search;

/* Whether the box is certainly right of an edge from a to b: its corner that is farthest to the left is. */
static bool is_outside(const bw_vec3 *a, const bw_vec3 *b, const index_box *box)
{
    double ux = b->x - a->x, uy = b->y - a->y;
    double px = (uy > 0 ? box->low[0] : box->high[0]) - a->x;
    double py = (ux > 0 ? box->high[1] : box->low[1]) - a->y;
    double left = ux * py, right = uy * px;
    /* Shewchuk's bound for the turn of three points, (3 + 16 e) e with e = 2^-53, rounded up. */
    return left - right < -4e-16 * (fabs(left) + fabs(right)) - 0x1p-1000;
}

static bool may_meet(const search *s, const index_box *box)
{
    if (box->alive == 0)
        return false;
    for (int k = 0; k < 2; k++)
        if (box->high[k] < s->low[k] || box->low[k] > s->high[k])
            return false;
    const bw_vec3 *at = s->in->p->at;
    for (int k = 0; k < 3; k++)
        if (is_outside(&at[s->corners[k]], &at[s->corners[(k + 1) % 3]], box))
            return false;
    return true;
}

static bool is_inside(const search *s, uint32_t q)
{
    const plane_polygon *p = s->in->p;
    const bw_vec3 *v = &p->at[q];
    if (v->x < s->low[0] || v->x > s->high[0] || v->y < s->low[1] || v->y > s->high[1])
        return false;
    if (plane_same(p, q, s->corners[1]))
        return q != s->corners[1] && s->copy(s->user, s->corners[0], s->corners[1], s->corners[2], q);
    if (plane_same(p, q, s->corners[0]) || plane_same(p, q, s->corners[2]))
        return false;
    for (int k = 0; k < 3; k++)
        if (plane_side(p, s->corners[k], s->corners[(k + 1) % 3], q) < 0)
            return false;
    return true;
}

static uint32_t look(const search *s, uint32_t level, uint32_t at)
{
    const corner_index *in = s->in;
    if (!may_meet(s, &in->boxes[in->level_first[level] + at]))
        return BW_NONE;
    if (level > 0) {
        uint32_t found = look(s, level - 1, 2 * at);
        if (found == BW_NONE && 2 * at + 1 < in->level_count[level - 1])
            found = look(s, level - 1, 2 * at + 1);
        return found;
    }
    uint32_t end = INDEX_LEAF * (at + 1) < in->p->count ? INDEX_LEAF * (at + 1) : in->p->count;
    for (uint32_t i = INDEX_LEAF * at; i < end; i++)
        if (!in->out[in->order[i]] && is_inside(s, in->order[i]))
            return in->order[i];
    return BW_NONE;
}

uint32_t index_inside(const corner_index *in, uint32_t a, uint32_t b, uint32_t c, index_copy_fn *copy,
                      const void *user)
{
    const bw_vec3 *x = &in->p->at[a], *y = &in->p->at[b], *z = &in->p->at[c];
    search s = {in,
                {a, b, c},
                {fmin(fmin(x->x, y->x), z->x), fmin(fmin(x->y, y->y), z->y)},
                {fmax(fmax(x->x, y->x), z->x), fmax(fmax(x->y, y->y), z->y)},
                copy,
                user};
    return look(&s, in->levels - 1, 0);
}
