/* Contacts of bodies with themselves, bodies within bodies, and primitives that only their owner knows, from
 * arbitrary bytes: self-contacts against every pair of triangles, and on a lattice against the corners of
 * their intersection in rationals; containment in a tetrahedron by the sides of its faces; boxes pair by
 * pair. */
#include <math.h>

#include "collide/self/shared_features.h"
#include "fuzz/fuzz_body.h"
#include "oracle/brute_force.h"
#include "oracle/triangle_oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Small multiples of 1/8: the corners of intersections are then far apart compared with their rounding. */
static bool on_lattice(const bw_vec3 corners[3])
{
    for (int i = 0; i < 3; i++) {
        const double x[3] = {corners[i].x, corners[i].y, corners[i].z};
        for (int k = 0; k < 3; k++)
            if (!(fabs(x[k]) <= 16) || x[k] * 8 != floor(x[k] * 8))
                return false;
    }
    return true;
}

/* Whether a corner of the intersection lies beyond the vertices that both have. */
static bool beyond_shared(const bw_vec3 a[3], const uint32_t ia[3], const bw_vec3 b[3], const uint32_t ib[3])
{
    bw_vec3 shared[9];
    uint32_t names[9], count = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            bool known = ia[i] != ib[j];
            for (uint32_t k = 0; k < count; k++)
                known |= names[k] == ia[i];
            if (!known) {
                names[count] = ia[i];
                shared[count++] = a[i];
            }
        }
    if (count == 3)
        return !bw_collinear(&a[0], &a[1], &a[2]);
    bw_oracle_polygon polygon = bw_oracle_intersection(a, b);
    for (int i = 0; i < polygon.count; i++) {
        bw_vec3 point[3] = {polygon.points[i], polygon.points[i], polygon.points[i]};
        if (count == 0)
            return true;
        bw_vec3 hull[3] = {shared[0], shared[count - 1], shared[count - 1]};
        if (bw_oracle_triangle_triangle(point, hull) == BW_CONTACT_NONE)
            return true;
    }
    return false;
}

static bw_contact_kind self_truth(const fuzz_body *f, uint32_t i, uint32_t j, uint32_t *oracles)
{
    const bw_mesh *mesh = f->body.mesh;
    bw_vec3 a[3], b[3];
    bw_mesh_corners(mesh, i, a);
    bw_mesh_corners(mesh, j, b);
    if (mesh->indices == NULL)
        return bw_triangle_triangle(a, b);
    const uint32_t *ia = mesh->indices + 3 * (size_t)i, *ib = mesh->indices + 3 * (size_t)j;
    bool exact = false;
    bw_contact_kind kind = bw_contact_beyond_shared(a, ia, b, ib, &exact);
    must(bw_contact_beyond_shared(b, ib, a, ia, &exact) == kind);
    must(kind == BW_CONTACT_NONE || kind == bw_triangle_triangle(a, b));
    if (*oracles > 0 && on_lattice(a) && on_lattice(b)) {
        (*oracles)--;
        must((kind != BW_CONTACT_NONE) == beyond_shared(a, ia, b, ib));
    }
    return kind;
}

static void try_self(const fuzz_body *f)
{
    bw_hit *hits = malloc((size_t)FUZZ_MOST * FUZZ_MOST * sizeof *hits);
    must(hits != NULL);
    bw_collide_report report = {0}, other = {0};
    bw_collide_desc desc = {
        .mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = (uint64_t)FUZZ_MOST * FUZZ_MOST};
    must(bw_collide_self(&f->body, &desc, &report, NULL) == BW_OK && report.status == BW_DONE);
    bw_hits_sort(hits, (size_t)report.hit_count);
    uint64_t found = 0, touching = 0;
    uint32_t oracles = 40; /* rationals are slow */
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t j = i + 1; j < f->count; j++) {
            bw_contact_kind kind = f->in[i] && f->in[j] ? self_truth(f, i, j, &oracles) : BW_CONTACT_NONE;
            if (kind == BW_CONTACT_NONE)
                continue;
            must(found < report.hit_count && hits[found].a == i && hits[found].b == j &&
                 hits[found].kind == kind);
            found++;
            touching += kind == BW_CONTACT_TOUCHING;
        }
    must(found == report.hit_count && touching == report.touching_count);
    must(bw_collide_self(&f->body, NULL, &other, NULL) == BW_OK && other.hit_count == (found > 0));
    desc = (bw_collide_desc){.mode = BW_COLLIDE_COUNT};
    must(bw_collide_self(&f->body, &desc, &other, NULL) == BW_OK && other.hit_count == found);
    free(hits);
}

static bool share_vertex(const bw_mesh *mesh, uint32_t i, uint32_t j)
{
    for (size_t k = 0; mesh->indices != NULL && k < 9; k++)
        if (mesh->indices[3 * (size_t)i + k / 3] == mesh->indices[3 * (size_t)j + k % 3])
            return true;
    return false;
}

/* With a separation: what meets, and what shares no vertex and is near. */
static void try_self_near(const fuzz_body *f, double separation)
{
    bw_hit *hits = malloc((size_t)FUZZ_MOST * FUZZ_MOST * sizeof *hits);
    must(hits != NULL);
    for (uint32_t rings = 0; rings < 2; rings++) {
        bw_collide_report report = {0};
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL,
                                .hits = hits,
                                .hit_capacity = (uint64_t)FUZZ_MOST * FUZZ_MOST,
                                .separation = separation,
                                .rings = rings};
        must(bw_collide_self(&f->body, &desc, &report, NULL) == BW_OK);
        bw_hits_sort(hits, (size_t)report.hit_count);
        uint64_t found = 0;
        uint32_t oracles = 0;
        for (uint32_t i = 0; i < f->count; i++)
            for (uint32_t j = i + 1; j < f->count; j++) {
                bw_vec3 a[3], b[3];
                if (!f->in[i] || !f->in[j] || (rings > 0 && share_vertex(f->body.mesh, i, j)))
                    continue;
                bw_contact_kind kind = self_truth(f, i, j, &oracles);
                bw_mesh_corners(f->body.mesh, i, a);
                bw_mesh_corners(f->body.mesh, j, b);
                if (kind == BW_CONTACT_NONE && separation > 0 && !share_vertex(f->body.mesh, i, j) &&
                    bw_triangle_distance2(a, b, NULL, NULL) <= separation * separation)
                    kind = BW_CONTACT_NEAR;
                if (kind == BW_CONTACT_NONE)
                    continue;
                must(found < report.hit_count && hits[found].a == i && hits[found].b == j &&
                     hits[found].kind == kind);
                found++;
            }
        must(found == report.hit_count);
        desc.rings = 2 + rings; /* more are left out */
        const uint64_t before = report.hit_count;
        const bw_result result = bw_collide_self(&f->body, &desc, &report, NULL);
        must(result == BW_ERROR_INDEX || (result == BW_OK && report.hit_count <= before));
    }
    free(hits);
}

/* Triangles around one vertex, most of them one after the other: folded, wound several times, doubled, turned
 * over, with gaps. */
static void try_fan(bytes *b)
{
    enum { RING = 12 };
    static fuzz_body f;
    float xyz[RING + 1][3];
    uint32_t indices[2 * RING][3], ring = 2 + bytes_u8(b) % (RING - 1u), count = 0;
    for (uint32_t v = 0; v <= ring; v++)
        for (int d = 0; d < 3; d++)
            xyz[v][d] = (float)((int)bytes_u8(b) - 128) / 8.0f;
    for (uint32_t i = 0; i < ring; i++) {
        uint32_t here = 1 + i, next = 1 + (i + 1) % ring, how = bytes_u8(b);
        for (uint32_t times = how < 16 ? 0 : how < 240 ? 1 : 2; times > 0; times--) {
            uint32_t *t = indices[count++];
            t[0] = 0;
            t[1] = how < 32 ? next : here;
            t[2] = how < 32 ? here : next;
        }
    }
    if (count == 0)
        return;
    bw_mesh mesh = {xyz, BW_F32, ring + 1, 0, indices[0], count};
    must(bw_tree_create(NULL, &mesh, &f.tree, NULL) == BW_OK);
    f.body = (bw_body){f.tree, &mesh, NULL};
    f.count = count;
    for (uint32_t i = 0; i < count; i++)
        f.in[i] = true;
    try_self(&f);
    bw_tree_destroy(f.tree);
}

/* Whether a point is strictly inside a tetrahedron: on one side of every face with the opposite corner. */
static bool in_tetrahedron(const bw_vec3 t[4], const bw_vec3 *p)
{
    for (int i = 0; i < 4; i++) {
        const bw_vec3 *a = &t[(i + 1) % 4], *b = &t[(i + 2) % 4], *c = &t[(i + 3) % 4];
        if (bw_orient3d(a, b, c, p) != bw_orient3d(a, b, c, &t[i]))
            return false;
    }
    return true;
}

static bool same_place(bw_vec3 p, bw_vec3 q)
{
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

/* Whether every edge of the body's triangles belongs to an even number of them, edge by edge. */
static bool is_closed(const fuzz_body *f)
{
    bw_vec3 ends[3 * FUZZ_MOST][2];
    uint32_t count = 0;
    if (f->body.mesh->indices == NULL)
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        bw_vec3 c[3];
        if (!f->in[i])
            continue;
        bw_mesh_corners(f->body.mesh, i, c);
        for (int k = 0; k < 3; k++) {
            const bw_vec3 p = c[k], q = c[(k + 1) % 3];
            bool paired = same_place(p, q);
            for (uint32_t e = 0; e < count && !paired; e++)
                if ((same_place(p, ends[e][0]) && same_place(q, ends[e][1])) ||
                    (same_place(q, ends[e][0]) && same_place(p, ends[e][1]))) {
                    paired = true;
                    memcpy(ends[e], ends[--count], sizeof ends[e]);
                }
            if (!paired) {
                ends[count][0] = p;
                ends[count++][1] = q;
            }
        }
    }
    return count == 0;
}

/* A hook that runs the ranges last first. */
static void run_backwards(void *user, bw_task_fn *fn, void *context, uint32_t count, uint32_t grain)
{
    (void)user;
    for (uint32_t end = count, begin; end > 0; end = begin) {
        begin = (end - 1) / grain * grain;
        fn(context, begin, end, begin % 2);
    }
}

/* Says no to the question of this number. */
static bool until_tired(void *user)
{
    uint32_t *left = user;
    return *left == 0 || --*left > 0;
}

/* Threads, caches, witnesses, whatever they name, and questions change no answer; a no ends it with a part of
 * it. */
static void try_options(const fuzz_body *f, bytes *b)
{
    bw_transform pose;
    const bw_body other = {.tree = f->tree, .mesh = f->body.mesh, .pose = fuzz_pose_take(b, &pose)};
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT};
    bw_collide_report plain = {0}, report = {0};
    const bw_result result = bw_collide(&f->body, &other, &desc, &plain, NULL);
    const bw_tasks tasks = {run_backwards, NULL, 2};
    desc.tasks = &tasks;
    must(bw_collide(&f->body, &other, &desc, &report, NULL) == result);
    must(result != BW_OK || memcmp(&plain, &report, sizeof plain) == 0);
    bw_pair_cache *cache = NULL;
    must(bw_pair_cache_create(NULL, &cache, NULL) == BW_OK);
    for (int i = 0; i < 3; i++) { /* of this pair, and of the body with itself, before and after */
        desc.cache = cache;
        must(bw_collide(&f->body, &other, &desc, &report, NULL) == result);
        must(result != BW_OK || memcmp(&plain, &report, sizeof plain) == 0);
        (void)bw_collide_self(&f->body, &desc, &report, NULL);
        if (i == 1)
            bw_pair_cache_reset(cache);
    }
    bw_pair_cache_destroy(cache);
    bw_witness witness = {bytes_u8(b) % 2 != 0, bytes_u8(b), bytes_u8(b) % 2 ? UINT32_MAX : bytes_u8(b)};
    desc = (bw_collide_desc){.mode = BW_COLLIDE_ANY, .witness = &witness};
    for (int i = 0; i < 2 && result == BW_OK; i++) {
        must(bw_collide(&f->body, &other, &desc, &report, NULL) == BW_OK);
        must((report.hit_count > 0) == (plain.hit_count > 0));
    }
    for (int i = 0; i < 4 && result == BW_OK; i++) {
        uint32_t left = i < 2 ? 0 : 1 + bytes_u8(b) % 8;
        desc = (bw_collide_desc){
            .mode = BW_COLLIDE_COUNT, .tasks = i % 2 == 0 ? NULL : &tasks, .progress = {until_tired, &left}};
        must(bw_collide(&f->body, &other, &desc, &report, NULL) == BW_OK);
        must(report.status == BW_STOPPED ? i >= 2 && report.hit_count <= plain.hit_count
                                         : memcmp(&plain, &report, sizeof plain) == 0);
    }
    const bw_tasks none = {NULL, NULL, 1};
    desc.tasks = &none;
    must(bw_collide(&f->body, &other, &desc, &report, NULL) == BW_ERROR_ARGUMENT);
}

/* The body and a tetrahedron, which is closed: where nothing meets, the body is inside with all its vertices
 * or not inside. */
static void try_containment(const fuzz_body *f, bytes *b)
{
    static const uint32_t indices[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    bw_vec3 corners[4];
    int scale = bytes_u8(b) % 32 - 4;
    for (int i = 0; i < 4; i++)
        corners[i] = (bw_vec3){ldexp((int8_t)bytes_u8(b), scale), ldexp((int8_t)bytes_u8(b), scale),
                               ldexp((int8_t)bytes_u8(b), scale)};
    if (bw_orient3d(&corners[0], &corners[1], &corners[2], &corners[3]) == 0)
        return;
    bw_mesh mesh = {
        .positions = corners, .scalar = BW_F64, .vertex_count = 4, .indices = indices, .triangle_count = 4};
    bw_transform pose;
    bw_body shell = {.mesh = &mesh, .pose = fuzz_pose_take(b, &pose)};
    bw_tree *tree;
    must(bw_tree_create(NULL, &mesh, &tree, NULL) == BW_OK);
    shell.tree = tree;
    bw_collide_desc desc = {.containment = true};
    bw_collide_report report = {0}, plain = {0};
    bw_result result = bw_collide(&shell, &f->body, &desc, &report, NULL);
    desc.containment = false;
    bw_result without = bw_collide(&shell, &f->body, &desc, &plain, NULL);
    must(result == without || (without == BW_OK && result == BW_ERROR_RANGE));
    bw_transform relative;
    bool inside = true, any = false, sure = result == BW_OK;
    bool posed = sure && bw_brute_relative(shell.pose, f->body.pose, &relative);
    for (uint32_t i = 0; i < f->count && sure; i++) {
        bw_vec3 c[3];
        if (!f->in[i])
            continue;
        any = true;
        bw_mesh_corners(f->body.mesh, i, c);
        for (int k = 0; k < 3; k++) {
            c[k] = posed ? bw_transform_point(&relative, c[k]) : c[k];
            sure = sure && bw_exact_range(&c[k], 1);
            inside = inside && sure && in_tetrahedron(corners, &c[k]);
        }
    }
    if (sure && report.hit_count == 0)
        must((report.containment == BW_CONTAINMENT_B_IN_A) == (any && inside));
    if (result == BW_OK && report.containment == BW_CONTAINMENT_A_IN_B)
        must(is_closed(f));
    if (result == BW_OK)
        must(report.hit_count == plain.hit_count && plain.containment == BW_CONTAINMENT_NONE &&
             (report.hit_count == 0 || report.containment == BW_CONTAINMENT_NONE));
    bw_tree_destroy(tree);
}

typedef struct owner {
    bw_box boxes[64];
    uint32_t count;
} owner;

static void give_box(void *user, uint32_t primitive, bw_box *out)
{
    *out = ((owner *)user)->boxes[primitive];
}

static void take_boxes(owner *o, bytes *b)
{
    for (uint32_t i = 0; i < o->count; i++)
        for (int k = 0; k < 3; k++) {
            uint8_t how = bytes_u8(b);
            o->boxes[i].min[k] = (float)((int8_t)bytes_u8(b)) / 8;
            o->boxes[i].max[k] = o->boxes[i].min[k] + (float)(bytes_u8(b) % 32) / 8;
            if (how < 2)
                bytes_take(b, how == 0 ? &o->boxes[i].min[k] : &o->boxes[i].max[k], sizeof(float));
        }
}

/* What is wrong with the first bad box. */
static bw_result blame(const owner *o, uint32_t *offender)
{
    for (uint32_t i = 0; i < o->count; i++) {
        const bw_box *box = &o->boxes[i];
        bw_result worst = BW_OK;
        *offender = i;
        for (int k = 0; k < 3; k++) {
            if (!isfinite(box->min[k]) || !isfinite(box->max[k]))
                return BW_ERROR_NOT_FINITE;
            bool far = (double)fmaxf(fabsf(box->min[k]), fabsf(box->max[k])) > BW_COORDINATE_MAX;
            if (worst == BW_OK)
                worst = box->min[k] > box->max[k] ? BW_ERROR_ARGUMENT : far ? BW_ERROR_RANGE : BW_OK;
        }
        if (worst != BW_OK)
            return worst;
    }
    return BW_OK;
}

typedef struct tested {
    uint8_t times[64][64];
} tested;

static bw_contact_kind note(void *user, uint32_t a, uint32_t b)
{
    must(((tested *)user)->times[a][b]++ == 0);
    return (a ^ b) & 1 ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
}

/* The box of the corners of a box, mapped. */
static bw_box image(const bw_box *box, const bw_transform *pose)
{
    bw_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] =
            (bw_vec3){(double)(i & 1 ? box->max : box->min)[0], (double)(i & 2 ? box->max : box->min)[1],
                      (double)(i & 4 ? box->max : box->min)[2]};
        if (pose != NULL)
            corners[i] = bw_transform_point(pose, corners[i]);
    }
    return bw_box_of_points(corners, 8);
}

static void try_user(bytes *b)
{
    static owner owners[2];
    bw_transform pose;
    bw_body bodies[2] = {{NULL, NULL, NULL}, {NULL, NULL, fuzz_pose_take(b, &pose)}};
    bw_tree *trees[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        owners[i].count = bytes_u8(b) % 65;
        take_boxes(&owners[i], b);
        bw_primitives primitives = {owners[i].count, give_box, &owners[i]};
        bw_tree_desc desc = {.builder = bytes_u8(b) & 1 ? BW_BUILDER_FAST : BW_BUILDER_QUALITY};
        uint32_t wanted = BW_NONE;
        bw_fault fault;
        bw_result expected = owners[i].count == 0 ? BW_ERROR_EMPTY : blame(&owners[i], &wanted);
        must(bw_tree_create_user(&desc, &primitives, &trees[i], &fault) == expected);
        must(expected == BW_OK || fault.element == wanted);
        if (expected == BW_OK) {
            owner before = owners[i];
            take_boxes(&owners[i], b);
            expected = blame(&owners[i], &wanted);
            must(bw_tree_refit_user(trees[i], &fault) == expected);
            must(expected == BW_OK || fault.element == wanted);
            if (expected != BW_OK)
                owners[i] = before;
            must(bw_tree_check(trees[i], NULL) == NULL);
        }
        bodies[i].tree = trees[i];
    }
    tested pairs = {{{0}}};
    bw_collide_report report = {0};
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT};
    if (trees[0] != NULL && trees[1] != NULL &&
        bw_collide_user(&bodies[0], &bodies[1], note, &pairs, &desc, &report, NULL) == BW_OK) {
        uint64_t crossing = 0;
        for (uint32_t i = 0; i < owners[0].count; i++)
            for (uint32_t j = 0; j < owners[1].count; j++) {
                bw_box mapped = image(&owners[1].boxes[j], bodies[1].pose);
                bool meet = bw_box_overlaps(&owners[0].boxes[i], &mapped);
                must(meet ? pairs.times[i][j] == 1 : bodies[1].pose != NULL || pairs.times[i][j] == 0);
                crossing += pairs.times[i][j] && ((i ^ j) & 1);
            }
        must(report.hit_count == crossing);
    }
    bw_tree_destroy(trees[0]);
    bw_tree_destroy(trees[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    if (bytes_u8(&b) >= 128)
        bytes_go_on(&b);
    static fuzz_body body;
    if (fuzz_body_take(&body, &b)) {
        try_self(&body);
        for (int i = 0; i < 3; i++)
            try_containment(&body, &b);
        try_options(&body, &b);
        try_self_near(&body, ldexp(1.0, (int)(size % 12) - 6));
        fuzz_body_free(&body);
    }
    try_user(&b);
    try_fan(&b);
    return 0;
}
