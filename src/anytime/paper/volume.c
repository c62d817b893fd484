/* Sections 3.4 and 3.6: volumes of intersections, and from them how many cells lie there. */
#include "anytime/paper/paper.h"

#include <math.h>

double bw_paper_volume_equal(const double side[3], double d)
{
    /* a >= b >= c */
    double a = fmax(side[0], fmax(side[1], side[2])), c = fmin(side[0], fmin(side[1], side[2]));
    double b = side[0] + side[1] + side[2] - a - c, best = 0.0;
    double squares[3] = {a * a, a * a + b * b, a * a + b * b + c * c};
    for (int i = 0; i < 3; i++) {
        double left = 1.0 - d / sqrt(squares[i]), part = 1.0;
        for (int k = 0; k <= i && left > 0.0; k++)
            part *= left;
        best = fmax(best, left > 0.0 ? a * b * c * part : 0.0);
    }
    return best;
}

double bw_paper_volume_balls(double r, double s, double d)
{
    const double pi = 3.14159265358979323846;
    double small = fmin(r, s);
    if (d >= r + s)
        return 0.0;
    if (d <= fabs(r - s))
        return 4.0 / 3.0 * pi * small * small * small;
    /* Two caps. */
    double reach = r + s - d;
    return pi * reach * reach * (d * d + 2.0 * d * (r + s) - 3.0 * (r - s) * (r - s)) / (12.0 * d);
}

double bw_paper_refined(double cells, double ratio)
{
    return cells * ratio / cbrt(ratio);
}

typedef struct block {
    double middle[3], side[3], volume;
} block;

static block block_of(const bw_box *box)
{
    block b;
    b.volume = 1.0;
    for (int k = 0; k < 3; k++) {
        b.middle[k] = 0.5 * ((double)box->min[k] + (double)box->max[k]);
        b.side[k] = (double)box->max[k] - (double)box->min[k];
        b.volume *= b.side[k];
    }
    return b;
}

static block region_of(const block *b, int region)
{
    block r = *b;
    r.volume = b->volume / BW_PAPER_REGIONS;
    for (int k = 0; k < 3; k++) {
        r.side[k] = 0.5 * b->side[k];
        r.middle[k] = b->middle[k] + ((region >> k & 1) != 0 ? 0.25 : -0.25) * b->side[k];
    }
    return r;
}

static double half_diagonal(const block *b)
{
    return 0.5 * sqrt(b->side[0] * b->side[0] + b->side[1] * b->side[1] + b->side[2] * b->side[2]);
}

/* The share of x that lies in y, at most 1: boxes of about one size by the bound for aligned ones, others by
 * the balls about them ("above a certain threshold": here a factor of two in volume). */
static double share_inside(const block *x, const block *y, double d)
{
    double ratio = x->volume / y->volume, share;
    if (ratio >= 0.5 && ratio <= 2.0) {
        share = bw_paper_volume_equal(x->side, d) / x->volume;
    } else {
        const double pi = 3.14159265358979323846;
        double r = half_diagonal(x);
        share = bw_paper_volume_balls(r, half_diagonal(y), d) / (4.0 / 3.0 * pi * r * r * r);
    }
    return share < 1.0 ? share : 1.0;
}

static double distance(const double p[3], const double q[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (p[k] - q[k]) * (p[k] - q[k]);
    return sqrt(sum);
}

/* A node's block with its middle mapped to the common frame; NULL: as it is. Sizes stay: poses are rigid, or
 * the estimate is off by their scale. */
static block placed(block b, const bw_transform *map)
{
    if (map != NULL) {
        bw_vec3 p = bw_transform_point(map, (bw_vec3){b.middle[0], b.middle[1], b.middle[2]});
        b.middle[0] = p.x;
        b.middle[1] = p.y;
        b.middle[2] = p.z;
    }
    return b;
}

/* Section 3.4.3: the cells of a node that lie in another volume, by regions. */
static double cells_inside(const bw_paper_node *node, const bw_transform *map, const block *other)
{
    block whole = block_of(&node->box);
    double sum = 0.0;
    for (int r = 0; r < BW_PAPER_REGIONS; r++) {
        if (node->region[r] == 0)
            continue;
        block part = placed(region_of(&whole, r), map);
        sum += node->region[r] * share_inside(&part, other, distance(part.middle, other->middle));
    }
    return sum;
}

/* Eqs. 3 to 5: the cells of a larger node in a smaller volume, counted with nodes below that are no larger.
 */
static double cells_of_larger(const bw_paper *tree, uint32_t node, const bw_transform *map,
                              const block *small)
{
    const bw_paper_node *n = &tree->nodes[node];
    block b = placed(block_of(&n->box), map);
    if (distance(b.middle, small->middle) >= half_diagonal(&b) + half_diagonal(small))
        return 0.0;
    bool leaf = n->end == node + 1;
    if ((double)n->volume <= small->volume || leaf) {
        double cells = cells_inside(n, map, small), ratio = (double)n->volume / small->volume;
        return leaf && ratio > 1.0 ? bw_paper_refined(cells, ratio) : cells;
    }
    double sum = 0.0;
    for (uint32_t child = node + 1; child < n->end; child = tree->nodes[child].end)
        sum += cells_of_larger(tree, child, map, small);
    return sum;
}

static uint32_t rounded(double x, uint32_t most)
{
    return x >= (double)most ? most : (uint32_t)(x + 0.5);
}

bw_paper_parameters bw_paper_parameters_of(const bw_paper *a, uint32_t node_a, const bw_paper *b,
                                           uint32_t node_b, const bw_transform *map)
{
    const bw_paper_node *na = &a->nodes[node_a], *nb = &b->nodes[node_b];
    block ba = block_of(&na->box), bb = placed(block_of(&nb->box), map);
    bool a_smaller = ba.volume <= bb.volume;
    double ratio = ba.volume / bb.volume, d = distance(ba.middle, bb.middle);
    const block *small = a_smaller ? &ba : &bb, *large = a_smaller ? &bb : &ba;
    double s = share_inside(small, large, d) * BW_PAPER_CELLS; /* Eq. 2 */
    double of_a, of_b;
    if (ratio >= 0.5 && ratio <= 2.0) { /* section 3.4.1 */
        of_a = cells_inside(na, NULL, &bb);
        of_b = cells_inside(nb, map, &ba);
    } else { /* section 3.4.2 */
        of_a = a_smaller ? cells_inside(na, NULL, &bb) : cells_of_larger(a, node_a, NULL, &bb);
        of_b = a_smaller ? cells_of_larger(b, node_b, map, &ba) : cells_inside(nb, map, &ba);
    }
    bw_paper_parameters p = {rounded(s, BW_PAPER_CELLS), 0, 0};
    p.s_a = rounded(of_a, p.s);
    p.s_b = rounded(of_b, p.s);
    return p;
}

double bw_paper_probability(const bw_paper *a, uint32_t node_a, const bw_paper *b, uint32_t node_b,
                            const bw_transform *map)
{
    bw_paper_parameters p = bw_paper_parameters_of(a, node_a, b, node_b, map);
    uint32_t deepest = a->depth + b->depth, depth = (uint32_t)a->nodes[node_a].depth + b->nodes[node_b].depth;
    double lower_bound = deepest == 0 ? 1.0 : (double)depth / deepest; /* section 3.5.3 */
    return bw_paper_collision(p.s, p.s_a, p.s_b, lower_bound);
}
