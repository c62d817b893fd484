/* Bernstein coefficients over parts of the time, exactly: de Casteljau's algorithm and Descartes' rule. */
#include "timeline/exact/big_polynomial.h"

#include "geom/polynomial/bernstein.h"

static void copy(bw_big_polynomial *out, const bw_big_polynomial *p)
{
    out->degree = p->degree;
    for (int i = 0; i <= p->degree; i++)
        bw_integer_copy(&out->c[i], &p->c[i]);
}

/* Each of at most nine levels of de Casteljau's algorithm rounds three times, once more the leading limbs; in
 * a cell of the grid a value changes by no more than 2 * 9 * 2^-52: 64 of 2^-53 of the largest covers both;
 * twice that. */
void bw_big_round(bw_big_polynomial *p)
{
    int limbs = 0;
    for (int i = 0; i <= p->degree; i++)
        limbs = p->c[i].count > limbs ? p->c[i].count : limbs;
    for (int i = 0; i <= p->degree; i++)
        p->rounded[i] = bw_integer_leading(&p->c[i], limbs * BW_LIMB_BITS);
    double largest = 0;
    for (int i = 0; i <= p->degree; i++)
        largest = fmax(largest, fabs(p->rounded[i]));
    p->error = 128 * 0x1p-53 * largest;
}

/* 0: not certain. */
static int rounded_sign(const bw_big_polynomial *p, double t)
{
    double d[BW_BIG_DEGREE + 1];
    for (int i = 0; i <= p->degree; i++)
        d[i] = p->rounded[i];
    for (int count = p->degree; count > 0; count--)
        for (int i = 0; i < count; i++)
            d[i] = (1 - t) * d[i] + t * d[i + 1];
    return d[0] > p->error ? 1 : d[0] < -p->error ? -1 : 0;
}

static int changes(const bw_big_polynomial *p)
{
    return bw_integers_changes(p->c, p->degree);
}

/* a = first * a + second * b. */
static void blend(bw_integer *a, const bw_integer *b, const bw_integer *first, const bw_integer *second,
                  bw_big_room *room)
{
    bw_integer_multiply(&room->product[0], a, first);
    bw_integer_multiply(&room->product[1], b, second);
    bw_integer_add(a, &room->product[0], &room->product[1]);
}

static void times(bw_integer *a, const bw_integer *b, bw_big_room *room)
{
    bw_integer_multiply(&room->product[0], a, b);
    bw_integer_copy(a, &room->product[0]);
}

/* room->now: some positive multiple of the coefficients over [index, index + 1] / 2^bits. First over [0,
 * high], high = index + 1, by the weights 2^bits - high and high; then over the last part of that, by the
 * weights 1 and index, over high. */
static void restrict_to(const bw_big_polynomial *p, const bw_integer *index, int bits, bw_big_room *room)
{
    bw_big_polynomial *out = &room->now;
    bw_integer *high = &room->weight[0], *rest = &room->weight[1];
    const int n = p->degree;
    copy(out, p);
    bw_integer_set(high, 1, 0);
    bw_integer_set(rest, 1, bits);
    bw_integer_add(high, high, index);
    bw_integer_subtract(rest, rest, high);
    if (rest->sign != 0) {
        for (int level = 1; level <= n; level++)
            for (int i = n; i >= level; i--)
                blend(&out->c[i], &out->c[i - 1], high, rest, room);
        for (int i = 0; i < n; i++) { /* as many levels for all */
            bw_integer_set(rest, 1, bits * (n - i));
            times(&out->c[i], rest, room);
        }
    }
    if (index->sign == 0)
        return;
    bw_integer_set(rest, 1, 0);
    for (int level = 1; level <= n; level++)
        for (int i = 0; i <= n - level; i++)
            blend(&out->c[i], &out->c[i + 1], rest, index, room);
    for (int i = 1; i <= n; i++)
        for (int k = 0; k < i; k++)
            times(&out->c[i], high, room);
}

/* The halves of room->now, times 2^degree: room->left and room->right. */
static void halve(bw_big_room *room)
{
    bw_big_polynomial *p = &room->now;
    const int n = p->degree;
    room->left.degree = room->right.degree = n;
    for (int level = 0; level <= n; level++) {
        bw_integer_shift(&room->left.c[level], &p->c[0], n - level);
        bw_integer_shift(&room->right.c[n - level], &p->c[n - level], n - level);
        for (int i = 0; i < n - level; i++)
            bw_integer_add(&p->c[i], &p->c[i], &p->c[i + 1]);
    }
}

/* Changes of sign of the coefficients over a cell: roots in it there are as many or fewer by an even number
 * (Descartes' rule). */
static int sign_changes(const bw_big_polynomial *p, const bw_big_time *cell, bw_big_room *room)
{
    restrict_to(p, &cell->index, cell->bits, room);
    return changes(&room->now);
}

static int sign_at(const bw_big_polynomial *p, const bw_integer *index, int bits, bw_big_room *room)
{
    bw_integer *after = &room->weight[0], *before = &room->weight[1];
    bw_integer_set(before, 1, bits);
    bw_integer_copy(after, index);
    bw_integer_subtract(before, before, after);
    if (after->sign == 0)
        return p->c[0].sign;
    if (before->sign == 0)
        return p->c[p->degree].sign;
    bw_big_polynomial *c = &room->right;
    copy(c, p);
    for (int count = p->degree; count > 0; count--)
        for (int i = 0; i < count; i++)
            blend(&c->c[i], &c->c[i + 1], before, after, room);
    return c->c[0].sign;
}

int bw_big_sign(const bw_big_polynomial *p, const bw_big_time *time, bw_big_room *room)
{
    int first = p->c[0].sign;
    bool same = true;
    for (int i = 1; i <= p->degree; i++)
        same &= p->c[i].sign == first;
    if (same)
        return first;
    if (time->bits == BW_BIG_GRID_BITS) {
        int sign = rounded_sign(p, bw_integer_leading(&time->index, BW_BIG_GRID_BITS));
        if (sign != 0)
            return sign;
    }
    if (!time->cell)
        return sign_at(p, &time->index, time->bits, room);
    int found = sign_changes(p, time, room);
    room->roots += found;
    if (found > 0)
        return 0;
    for (int i = 0; i <= p->degree; i++)
        if (room->now.c[i].sign != 0)
            return room->now.c[i].sign;
    return 0;
}

static int grid_sign(const bw_big_polynomial *p, uint64_t at, bw_big_room *room)
{
    bw_integer index;
    bw_integer_set(&index, (int64_t)at, 0);
    return sign_at(p, &index, BW_BIG_GRID_BITS, room);
}

/* ---- roots ---- */

/* A part of the time of which room->now are the coefficients. */
typedef struct piece {
    uint64_t index;
    int bits;
} piece;

static void take_piece(const bw_big_polynomial *p, piece at, bw_big_room *room)
{
    bw_integer index;
    bw_integer_set(&index, (int64_t)at.index, 0);
    restrict_to(p, &index, at.bits, room);
}

/* The one root of room->now, from a guess in doubles: 1, found and visited; 0, not found, but *at and
 * room->now may have become a smaller part that holds it. */
static bool find_guessed(const bw_big_polynomial *p, piece *at, bw_big_root_fn *visit, void *context,
                         bw_big_room *room)
{
    double c[BW_BIG_DEGREE + 1];
    int limbs = 0;
    for (int i = 0; i <= p->degree; i++)
        limbs = room->now.c[i].count > limbs ? room->now.c[i].count : limbs;
    for (int i = 0; i <= p->degree; i++)
        c[i] = bw_integer_leading(&room->now.c[i], limbs * BW_LIMB_BITS);
    double guess = bw_bernstein_root(c, p->degree);
    for (int bits = BW_BIG_GRID_BITS; bits > at->bits + 2; bits -= 10) {
        const int up = bits - at->bits, down = BW_BIG_GRID_BITS - bits;
        const uint64_t lowest = at->index << up, highest = lowest + (UINT64_C(1) << up);
        uint64_t low = lowest + (uint64_t)(guess * (double)(highest - lowest));
        low = low >= highest ? highest - 1 : low;
        int first = grid_sign(p, low << down, room), last = grid_sign(p, (low + 1) << down, room);
        if (first * last > 0 && bits == BW_BIG_GRID_BITS && low > lowest) { /* a cell away? */
            last = first;
            first = grid_sign(p, --low << down, room);
            if (first * last > 0 && low + 2 < highest) {
                low += 2;
                first = last;
                last = grid_sign(p, (low + 1) << down, room);
            }
        }
        if (first == 0 || last == 0) {
            uint64_t root = (first == 0 ? low : low + 1) << down;
            if (root > lowest << down && root < highest << down) {
                visit(context, root, false);
                return true;
            }
        }
        if (first * last < 0) {
            if (bits == BW_BIG_GRID_BITS) {
                visit(context, low, true);
                return true;
            }
            *at = (piece){low, bits};
            take_piece(p, *at, room);
            return false;
        }
    }
    take_piece(p, *at, room);
    return false;
}

void bw_big_roots(const bw_big_polynomial *p, bw_big_root_fn *visit, void *context, bw_big_room *room)
{
    /* What waits has a change of sign, and all together have no more than the whole. */
    piece waiting[BW_BIG_DEGREE] = {{0, 0}};
    for (int count = 1; count > 0;) {
        piece at = waiting[--count];
        bool guessed = false;
        take_piece(p, at, room);
        for (int found; (found = changes(&room->now)) > 0;) {
            if (at.bits == BW_BIG_GRID_BITS) {
                visit(context, at.index, true);
                break;
            }
            if (found == 1 && !guessed) {
                guessed = true;
                if (find_guessed(p, &at, visit, context, room))
                    break;
                continue;
            }
            halve(room);
            at = (piece){2 * at.index, at.bits + 1};
            if (room->right.c[0].sign == 0)
                visit(context, (at.index + 1) << (BW_BIG_GRID_BITS - at.bits), false);
            bool left = changes(&room->left) > 0, right = changes(&room->right) > 0;
            if (left && right)
                waiting[count++] = (piece){at.index + 1, at.bits};
            if (!left)
                at.index++;
            copy(&room->now, left ? &room->left : &room->right);
        }
    }
}

bool bw_big_deep_roots(const bw_big_polynomial *p, uint64_t low, bw_big_deep_fn *visit, void *context,
                       bw_big_room *room)
{
    bw_big_time *waiting = room->waiting;
    waiting[0].bits = BW_BIG_GRID_BITS;
    waiting[0].cell = true;
    bw_integer_set(&waiting[0].index, (int64_t)low, 0);
    bw_integer one;
    bw_integer_set(&one, 1, 0);
    for (int count = 1; count > 0;) {
        bw_big_time at = waiting[--count];
        restrict_to(p, &at.index, at.bits, room);
        while (changes(&room->now) > 0) {
            if (at.bits == BW_BIG_DEEP_BITS) {
                if (visit(context, &at))
                    return true;
                break;
            }
            halve(room);
            bw_integer_shift(&at.index, &at.index, 1);
            at.bits++;
            bool left = changes(&room->left) > 0, right = changes(&room->right) > 0;
            bw_big_time middle = {.bits = at.bits, .cell = false};
            bw_integer_add(&middle.index, &at.index, &one);
            bool root = room->right.c[0].sign == 0;
            copy(&room->now, left ? &room->left : &room->right);
            if (left && right) {
                waiting[count] = middle;
                waiting[count++].cell = true;
            }
            if (!left)
                at.index = middle.index;
            /* A visit may use the room. */
            if (root) {
                if (visit(context, &middle))
                    return true;
                restrict_to(p, &at.index, at.bits, room);
            }
        }
    }
    return false;
}
