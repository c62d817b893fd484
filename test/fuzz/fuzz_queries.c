/* Distances, nearest points and rays of bodies of arbitrary bytes, whose trees may have holes, against brute
 * force over all primitives. Rays agree in every bit; whether bodies meet, exactly; distances up to the
 * rounding that the headers grant, a relative 1e-12 of the coordinates. */
#include <math.h>

#include "fuzz/fuzz_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct pair_truth {
    double *distance; /* of primitive i of a and j of b, NAN where one is not in its tree */
    double least, rounding;
} pair_truth;

static pair_truth measure(const fuzz_body *a, const fuzz_body *b)
{
    pair_truth truth = {malloc((size_t)FUZZ_MOST * FUZZ_MOST * sizeof(double)), INFINITY,
                        1e-12 * (fuzz_body_size(a) + fuzz_body_size(b))};
    must(truth.distance != NULL);
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            double *d = &truth.distance[i * FUZZ_MOST + j];
            *d = NAN;
            if (!a->in[i] || !b->in[j])
                continue;
            bw_vec3 ca[3], cb[3];
            fuzz_body_corners(a, i, ca);
            fuzz_body_corners(b, j, cb);
            *d = sqrt(bw_triangle_distance2(ca, cb, NULL, NULL));
            truth.least = fmin(truth.least, *d);
        }
    return truth;
}

/* A length of interest: nothing, small, about what there is, or any bits that are one. */
static double take_length(bytes *b, double near)
{
    uint8_t how = bytes_u8(b);
    double d;
    if (how < 60)
        return 0;
    if (how < 120)
        return (double)bytes_u8(b) / 8;
    if (how < 220)
        return isfinite(near) ? near * (1 + ((double)bytes_u8(b) - 128) / 1024) : 1;
    bytes_take(b, &d, sizeof d);
    return d >= 0 ? d : 1;
}

static double apart(bw_vec3 p, bw_vec3 q)
{
    return hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z);
}

static void try_distance(const fuzz_body *a, const fuzz_body *b, const pair_truth *truth, bytes *in)
{
    bw_distance_desc desc = {.max_distance = take_length(in, truth->least),
                             .stop_below = take_length(in, truth->least)};
    bw_distance_report report = {0};
    must(bw_distance(&a->body, &b->body, &desc, &report, NULL) == BW_OK);
    if (report.status == BW_LIMIT) {
        must(truth->least == INFINITY || (desc.max_distance > 0 && truth->least > 0 &&
                                          truth->least > desc.max_distance * (1 - 1e-12) - truth->rounding));
        return;
    }
    must(report.distance == truth->distance[report.a * FUZZ_MOST + report.b]);
    must(fabs(apart(report.point_a, report.point_b) - report.distance) <= 4 * truth->rounding);
    must(desc.max_distance == 0 || report.distance <= desc.max_distance * (1 + 1e-12));
    if (report.status == BW_FOUND) {
        must(report.distance > 0 && report.distance < desc.stop_below * (1 + 1e-12));
    } else {
        must((report.distance == 0) == (truth->least == 0));
        must(report.distance <= truth->least + truth->rounding);
    }
}

/* Says no to the question of this number. */
static bool until_tired(void *user)
{
    uint32_t *left = user;
    return *left == 0 || --*left > 0;
}

/* A witness of any bits changes nothing, nor does being asked; a no ends the query with a pair so far. */
static void try_distance_again(const fuzz_body *a, const fuzz_body *b, const pair_truth *truth, bytes *in)
{
    bw_distance_report plain = {0}, report = {0};
    bw_witness witness = {bytes_u8(in) > 20, bytes_u8(in), bytes_u8(in)};
    uint32_t left = 0;
    bw_distance_desc desc = {.max_distance = take_length(in, truth->least)};
    must(bw_distance(&a->body, &b->body, &desc, &plain, NULL) == BW_OK);
    desc.witness = &witness;
    for (int round = 0; round < 2; round++) { /* the second time with what the first has left */
        desc.progress.go_on = round == 0 ? NULL : until_tired;
        desc.progress.user = &left;
        must(bw_distance(&a->body, &b->body, &desc, &report, NULL) == BW_OK && report.status == plain.status);
        must(report.distance == plain.distance);
        if (report.distance > 0 && report.distance < INFINITY)
            must(report.a == plain.a && report.b == plain.b);
    }
    left = 1 + bytes_u8(in) % 8;
    must(bw_distance(&a->body, &b->body, &desc, &report, NULL) == BW_OK);
    if (report.status != BW_STOPPED)
        must(report.status == plain.status && report.distance == plain.distance);
    else if (report.distance < INFINITY)
        must(report.distance == truth->distance[report.a * FUZZ_MOST + report.b] &&
             report.distance >= plain.distance);
    bw_within_desc near = {.distance = take_length(in, truth->least)};
    bw_within_report whole = {0}, some = {0};
    must(bw_within(&a->body, &b->body, &near, &whole, NULL) == BW_OK);
    left = 1 + bytes_u8(in) % 8;
    near.progress.go_on = until_tired;
    near.progress.user = &left;
    must(bw_within(&a->body, &b->body, &near, &some, NULL) == BW_OK && some.pair_count <= whole.pair_count);
    must(some.status == BW_STOPPED || some.pair_count == whole.pair_count);
}

static bool count_near(void *user, const bw_near *pair)
{
    (void)pair;
    ++*(uint64_t *)user;
    return true;
}

/* What bw_within finds is found by bw_collide with a separation, but for rounding at the limit, where the first
 * body's pose has an inverse; and what meets, besides. */
static void try_separation(const fuzz_body *a, const fuzz_body *b, const pair_truth *truth, double separation)
{
    bw_hit *hits = malloc((size_t)FUZZ_MOST * FUZZ_MOST * sizeof *hits);
    must(hits != NULL);
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                            .hits = hits,
                            .hit_capacity = (uint64_t)FUZZ_MOST * FUZZ_MOST,
                            .separation = separation};
    bw_collide_report report = {0}, any = {0};
    const bw_result result = bw_collide(&a->body, &b->body, &desc, &report, NULL);
    must(result == BW_OK || result == BW_ERROR_SINGULAR || result == BW_ERROR_RANGE);
    if (result == BW_OK) {
        static bool found[FUZZ_MOST * FUZZ_MOST];
        const double step = 1 + 0x1p-50; /* squares are compared: roots of two of them may be the same */
        memset(found, 0, sizeof found);
        for (uint64_t i = 0; i < report.hit_count; i++) {
            const size_t at = (size_t)hits[i].a * FUZZ_MOST + hits[i].b;
            must(!found[at]);
            found[at] = true;
            must(hits[i].kind != BW_CONTACT_NEAR || truth->distance[at] <= separation * step);
        }
        for (uint32_t i = 0; i < a->count; i++)
            for (uint32_t j = 0; j < b->count; j++)
                must(!(truth->distance[i * FUZZ_MOST + j] * step <= separation) || found[i * FUZZ_MOST + j]);
        must(bw_collide(&a->body, &b->body, &(bw_collide_desc){.separation = separation}, &any, NULL) ==
             BW_OK);
        must(any.hit_count == (report.hit_count > 0));
        if (separation > 0) { /* a clearance changes nothing */
            bw_collide_report again = {0};
            must(bw_tree_prepare_clearance(a->tree, a->body.mesh, 60, NULL, NULL) == BW_OK);
            must(bw_collide(&a->body, &b->body, &desc, &again, NULL) == BW_OK);
            must(again.hit_count == report.hit_count && again.near_count == report.near_count);
            const bw_body_pair pairs[2] = {{a->body, b->body}, {b->body, a->body}};
            bw_collide_answer answers[2];
            bw_distance_answer least;
            const bw_collide_many_desc many = {.mode = BW_COLLIDE_COUNT, .separation = separation};
            must(bw_collide_many(pairs, 2, &many, answers, NULL, NULL) == BW_OK);
            must(answers[0].result == BW_OK && answers[0].hit_count == report.hit_count);
            const bw_distance_many_desc group = {.group_size = 2, .max_distance = separation};
            must(bw_distance_many(pairs, 2, &group, &least, NULL, NULL) == BW_OK);
            /* The other way round distances are rounded otherwise. */
            must(least.result != BW_OK || fabs(truth->least - separation) <= 2 * truth->rounding ||
                 (least.distance <= separation) == (truth->least <= separation));
        }
    }
    free(hits);
}

static void try_within(const fuzz_body *a, const fuzz_body *b, const pair_truth *truth, bytes *in)
{
    bw_near *pairs = malloc((size_t)FUZZ_MOST * FUZZ_MOST * sizeof *pairs);
    must(pairs != NULL);
    uint64_t called = 0;
    bw_within_desc desc = {.distance = take_length(in, truth->least),
                           .pairs = pairs,
                           .pair_capacity = (uint64_t)FUZZ_MOST * FUZZ_MOST,
                           .on_pair = count_near,
                           .user = &called};
    bw_within_report report = {0};
    must(bw_within(&a->body, &b->body, &desc, &report, NULL) == BW_OK);
    must(report.status == BW_DONE && report.pair_count == called && called <= desc.pair_capacity);
    static bool found[FUZZ_MOST * FUZZ_MOST];
    memset(found, 0, sizeof found);
    for (uint64_t i = 0; i < report.pair_count; i++) {
        size_t at = (size_t)pairs[i].a * FUZZ_MOST + pairs[i].b;
        must(!found[at] && pairs[i].distance == truth->distance[at]);
        found[at] = true;
    }
    /* Contacts are exact; other distances are rounded, and may fall on either side of a limit. */
    double rounding = desc.distance > 0 ? truth->rounding + 1e-12 * desc.distance : 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            double d = truth->distance[i * FUZZ_MOST + j];
            if (d <= desc.distance - rounding)
                must(found[i * FUZZ_MOST + j]);
            if (!(d <= desc.distance + rounding))
                must(!found[i * FUZZ_MOST + j]);
        }
    free(pairs);
    if (desc.distance > 0)
        try_separation(a, b, truth, desc.distance);
}

static bw_vec3 take_point(const fuzz_body *f, bytes *b)
{
    uint8_t how = bytes_u8(b);
    bw_vec3 p = {(double)(int8_t)bytes_u8(b) / 8, (double)(int8_t)bytes_u8(b) / 8,
                 (double)(int8_t)bytes_u8(b) / 8};
    if (how < 16)
        bytes_take(b, &p, sizeof p);
    uint32_t primitive = bytes_u8(b);
    if (how >= 128 && primitive < f->count && f->in[primitive]) {
        bw_vec3 c[3];
        fuzz_body_corners(f, primitive, c);
        p = how < 192 ? c[0]
                      : (bw_vec3){0.5 * (c[0].x + c[1].x), 0.5 * (c[0].y + c[1].y), 0.5 * (c[0].z + c[1].z)};
    }
    return p;
}

static bool is_finite(bw_vec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static void try_nearest(const fuzz_body *f, fuzz_range range, bytes *b)
{
    bw_vec3 p = take_point(f, b);
    bw_nearest_hit nearest;
    if (!is_finite(p)) {
        must(bw_nearest(&f->body, &p, NULL, &nearest, NULL, NULL) == BW_ERROR_NOT_FINITE);
        return;
    }
    double largest = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))), least = INFINITY;
    if (!bw_exact_range(&p, 1) || largest > BW_COORDINATE_MAX) {
        must(bw_nearest(&f->body, &p, NULL, &nearest, NULL, NULL) == BW_ERROR_RANGE);
        return;
    }
    if (!fuzz_answered(bw_nearest(&f->body, &p, NULL, &nearest, NULL, NULL), range, FUZZ_SURE))
        return;
    double rounding = 1e-12 * (largest + fuzz_body_size(f)), own = INFINITY;
    for (uint32_t i = 0; i < f->count; i++) {
        bw_vec3 c[3];
        if (!f->in[i])
            continue;
        fuzz_body_corners(f, i, c);
        double d = sqrt(bw_point_triangle_distance2(&p, c, NULL));
        least = fmin(least, d);
        if (nearest.primitive == i)
            own = d;
    }
    must((nearest.primitive != BW_NONE) == (least < INFINITY));
    if (nearest.primitive == BW_NONE)
        return;
    must(nearest.distance == own && (own == 0) == (least == 0) && own <= least + rounding);
    must(fabs(apart(p, nearest.point) - own) <= 4 * rounding);
    double limit = take_length(b, least);
    must(bw_nearest(&f->body, &p, &(bw_nearest_desc){.max_distance = limit}, &nearest, NULL, NULL) == BW_OK);
    if (limit == 0 || least < limit * (1 - 1e-12) - rounding)
        must(nearest.primitive != BW_NONE);
    if (limit > 0 && least > limit * (1 + 1e-12) + rounding)
        must(nearest.primitive == BW_NONE);
}

/* The point among others: each gets what it gets alone. */
static void try_points(const fuzz_body *f, bytes *b)
{
    enum { MANY = 9 };
    bw_vec3 points[MANY];
    double limits[MANY];
    bw_nearest_hit many[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        points[i] = take_point(f, b);
        limits[i] = take_length(b, 1);
        const double largest = fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z)));
        if (!is_finite(points[i]) || !bw_exact_range(&points[i], 1) || largest > BW_COORDINATE_MAX)
            points[i] = (bw_vec3){0, 0, 0};
        if (!(limits[i] >= 0))
            limits[i] = 0;
    }
    const bw_nearest_desc desc = {.max_distances = limits};
    bw_nearest_report report = {0};
    if (bw_nearest_many(&f->body, points, MANY, &desc, many, &report, NULL) != BW_OK)
        return; /* a mapped corner left the range */
    uint64_t found = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        bw_nearest_hit alone;
        if (bw_nearest(&f->body, &points[i], &(bw_nearest_desc){.max_distance = limits[i]}, &alone, NULL,
                       NULL) != BW_OK)
            continue; /* it looked at more, of which something left the range */
        must(alone.primitive == many[i].primitive && alone.distance == many[i].distance);
        must(alone.primitive == BW_NONE || memcmp(&alone.point, &many[i].point, sizeof alone.point) == 0);
        found += alone.primitive != BW_NONE;
    }
    must(report.hit_count >= found);
}

typedef struct ray_truth {
    uint64_t hits;
    bw_ray_hit all[FUZZ_MOST]; /* by primitive */
    bw_ray_hit first;
} ray_truth;

static bool compare_hit(void *user, const bw_ray_hit *hit)
{
    bw_ray_hit *known = &((ray_truth *)user)->all[hit->primitive];
    must(known->kind == hit->kind && known->t == hit->t);
    known->kind = BW_CONTACT_NONE; /* once only */
    return true;
}

static void find_hits(const fuzz_body *f, const bw_ray *ray, double limit, ray_truth *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < f->count; i++) {
        bw_vec3 c[3];
        bw_ray_hit hit = {.primitive = i};
        if (!f->in[i])
            continue;
        fuzz_body_corners(f, i, c);
        hit.kind = bw_ray_triangle(&ray->origin, &ray->direction, c, &hit.t);
        if (hit.kind == BW_CONTACT_NONE || hit.t > limit)
            continue;
        if (out->hits++ == 0 || hit.t < out->first.t)
            out->first = hit;
        out->all[i] = hit;
    }
}

static bool same_point(bw_vec3 a, bw_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The ray among others, more than are in flight at a time: each gets what it gets alone. */
static void try_rays(const fuzz_body *f, const bw_ray *first, const bw_ray_hit *first_hit, bytes *b)
{
    enum { MANY = 20 };
    bw_ray rays[MANY];
    bw_ray_hit hits[MANY];
    const uint32_t at = bytes_u8(b) % MANY, others = bytes_u8(b) % 3;
    const double limit = others == 2 ? (double)bytes_u8(b) / 64 : 0;
    for (uint32_t i = 0; i < MANY; i++) {
        rays[i] = *first;
        const bw_vec3 to = others == 0 ? first->direction : take_point(f, b);
        const bw_vec3 points[1] = {to};
        if (i != at && is_finite(to) && bw_exact_range(points, 1) && !same_point(first->origin, to))
            rays[i] = (bw_ray){.origin = first->origin, .direction = to, .t_max = limit, .between = true};
    }
    bw_raycast_desc desc = {0};
    bw_raycast_report report = {0};
    if (bw_raycast_many(&f->body, rays, MANY, &desc, hits, &report, NULL) != BW_OK)
        return; /* a mapped corner that only another ray meets left the range */
    must(hits[at].primitive == first_hit->primitive && hits[at].t == first_hit->t &&
         hits[at].kind == first_hit->kind);
    uint64_t found = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        bw_ray one_ray = {.origin = rays[i].origin,
                          .direction = rays[i].direction,
                          .between = true,
                          .t_max = rays[i].t_max};
        bw_raycast_desc one = {0};
        bw_raycast_report alone = {0};
        bw_ray_hit alone_hit;
        must(bw_raycast(&f->body, &one_ray, &one, &alone_hit, &alone, NULL) == BW_OK);
        must((hits[i].primitive != BW_NONE) == (alone.hit_count > 0));
        must(alone.hit_count == 0 || (hits[i].primitive == alone_hit.primitive && hits[i].t == alone_hit.t));
        found += alone.hit_count;
    }
    must(report.hit_count == found);
    desc.mode = BW_RAY_ANY;
    must(bw_raycast_many(&f->body, rays, MANY, &desc, hits, &report, NULL) == BW_OK &&
         report.hit_count == found);
}

/* A ray by its direction: what the ray through its second point gets. */
static void try_direction(const fuzz_body *f, const bw_ray *by_points)
{
    const bw_vec3 o = by_points->origin, p = by_points->direction;
    const bw_ray ray = {.origin = o, .direction = {p.x - o.x, p.y - o.y, p.z - o.z}};
    int k;
    const bw_vec3 second = bw_ray_second_point(&ray, &k);
    const bw_ray same = bw_ray_between(o, second);
    bw_ray_hit hit, other;
    must(k >= 0);
    const bw_result result = bw_raycast(&f->body, &ray, NULL, &hit, NULL, NULL);
    if (same_point(o, second)) /* the direction is beyond the digits of the origin, or none at all */
        return;
    must(result == bw_raycast(&f->body, &same, NULL, &other, NULL, NULL));
    if (result == BW_OK)
        must(hit.primitive == other.primitive && hit.kind == other.kind && hit.t == ldexp(other.t, k));
}

static void try_ray(const fuzz_body *f, fuzz_range range, bytes *b)
{
    bw_ray ray_ray = {.origin = take_point(f, b), .direction = take_point(f, b), .between = true};
    bw_raycast_desc ray = {0};
    const bw_vec3 points[2] = {ray_ray.origin, ray_ray.direction};
    bw_raycast_report report = {0};
    bw_ray_hit report_hit;
    bw_result result = bw_raycast(&f->body, &ray_ray, &ray, &report_hit, &report, NULL);
    if (!is_finite(ray_ray.origin) || !is_finite(ray_ray.direction)) {
        must(result == BW_ERROR_NOT_FINITE);
        return;
    }
    if (same_point(points[0], points[1])) {
        must(result == BW_ERROR_ARGUMENT);
        return;
    }
    if (!bw_exact_range(points, 2)) {
        must(result == BW_ERROR_RANGE);
        return;
    }
    if (!fuzz_answered(result, range, FUZZ_SURE))
        return;
    try_direction(f, &ray_ray);
    try_rays(f, &ray_ray, &report_hit, b);
    ray_truth truth;
    find_hits(f, &ray_ray, INFINITY, &truth);
    for (int round = 0; round < 2; round++) {
        must(report.hit_count == (truth.hits > 0));
        if (truth.hits > 0)
            must(report_hit.primitive == truth.first.primitive && report_hit.kind == truth.first.kind &&
                 report_hit.t == truth.first.t);
        ray.mode = BW_RAY_ANY;
        must(bw_raycast(&f->body, &ray_ray, &ray, &report_hit, &report, NULL) == BW_OK &&
             report.hit_count == (truth.hits > 0));
        if (truth.hits > 0)
            must(report_hit.t == truth.all[report_hit.primitive].t);
        ray.mode = BW_RAY_ALL;
        ray.on_hit = compare_hit;
        ray.user = &truth;
        must(bw_raycast(&f->body, &ray_ray, &ray, &report_hit, &report, NULL) == BW_OK &&
             report.hit_count == truth.hits);
        /* Again with a limit, often one at which there is a contact. */
        uint8_t pick = bytes_u8(b);
        ray_ray.t_max =
            pick < f->count && truth.all[pick].t > 0 ? truth.all[pick].t : (double)pick / 64 + 0.001;
        ray.mode = BW_RAY_NEAREST;
        ray.on_hit = NULL;
        must(bw_raycast(&f->body, &ray_ray, &ray, &report_hit, &report, NULL) == BW_OK);
        find_hits(f, &ray_ray, ray_ray.t_max, &truth);
    }
}

/* Some bodies are prepared, which changes no answer. */
static void prepare_some(fuzz_body *f, bytes *b)
{
    if (bytes_u8(b) < 128)
        return;
    must(bw_tree_prepare_distances(f->tree, f->body.mesh, NULL, NULL) == BW_OK);
    must(bw_tree_check(f->tree, f->body.mesh) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    if (bytes_u8(&b) >= 128)
        bytes_go_on(&b);
    static fuzz_body bodies[2];
    if (!fuzz_body_take(&bodies[0], &b))
        return 0;
    fuzz_range range = fuzz_body_range(&bodies[0]);
    prepare_some(&bodies[0], &b);
    for (int i = 0; i < 4; i++) {
        try_nearest(&bodies[0], range, &b);
        if (i == 2) { /* with the layout for rays from now on; a second time it is made again */
            must(bw_tree_prepare_rays(bodies[0].tree, bodies[0].body.mesh, NULL, NULL) == BW_OK);
            must(bw_tree_prepare_rays(bodies[0].tree, bodies[0].body.mesh, NULL, NULL) == BW_OK);
            must(bw_tree_check(bodies[0].tree, bodies[0].body.mesh) == NULL);
        }
        try_ray(&bodies[0], range, &b);
    }
    try_points(&bodies[0], &b);
    if (fuzz_body_take(&bodies[1], &b)) {
        prepare_some(&bodies[1], &b);
        bw_distance_report report = {0};
        bw_result result = bw_distance(&bodies[0].body, &bodies[1].body, NULL, &report, NULL);
        if (fuzz_answered(result, range, fuzz_body_range(&bodies[1]))) {
            pair_truth truth = measure(&bodies[0], &bodies[1]);
            for (int i = 0; i < 3; i++) {
                try_distance(&bodies[0], &bodies[1], &truth, &b);
                try_distance_again(&bodies[0], &bodies[1], &truth, &b);
                try_within(&bodies[0], &bodies[1], &truth, &b);
            }
            free(truth.distance);
        }
        fuzz_body_free(&bodies[1]);
    }
    fuzz_body_free(&bodies[0]);
    return 0;
}
