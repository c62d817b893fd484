/* Steps of small meshes, any indices and coordinates: refused, or every contact is that of the pair asked
 * alone, with kept candidates too; the earliest alone, near pairs and safe steps agree with them, with edges,
 * points and thicknesses too; rigid motions: apart before the time that is told. */
#include "fuzz/bytes.h"

#include <boxwood/swept.h>
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_VERTICES = 12, MAX_TRIANGLES = 12, CAPACITY = 4096 };

typedef struct step {
    double start[MAX_VERTICES][3], end[MAX_VERTICES][3];
    uint32_t indices[MAX_TRIANGLES][3];
    bw_mesh a, b;
} step;

static double take_coordinate(bytes *b)
{
    uint8_t style = bytes_u8(b);
    double value;
    switch (style % 8) {
    case 0:
        bytes_take(b, &value, sizeof value);
        return value;
    case 1:
        return (double)(int8_t)bytes_u8(b) * 0x1p-7;
    default:
        return (double)((int8_t)bytes_u8(b) % 4);
    }
}

static void take_step(bytes *b, step *s)
{
    uint32_t vertices = 3 + bytes_u8(b) % (MAX_VERTICES - 2), triangles = bytes_u8(b) % (MAX_TRIANGLES + 1);
    for (uint32_t v = 0; v < vertices; v++)
        for (int k = 0; k < 3; k++) {
            s->start[v][k] = take_coordinate(b);
            s->end[v][k] = take_coordinate(b);
        }
    for (uint32_t t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++)
            s->indices[t][k] = bytes_u8(b) % (vertices + (bytes_u8(b) == 255));
    s->a = (bw_mesh){s->start, BW_F64, vertices, 0, s->indices[0], triangles};
    s->b = (bw_mesh){s->end, BW_F64, vertices, 0, s->indices[0], triangles};
}

static void check_contact(const bw_swept_contact *c, const step *x, const step *y, const bw_ccd_desc *desc)
{
    const step *of[4] = {x, x, y, y};
    if (c->feature == BW_CCD_VERTEX_FACE)
        of[1] = y;
    if (c->feature == BW_CCD_FACE_VERTEX) {
        of[0] = y;
        of[2] = of[3] = x;
    }
    bw_vec3 start[4], end[4];
    for (int i = 0; i < 4; i++) {
        must(c->vertices[i] < of[i]->a.vertex_count);
        start[i] = bw_mesh_vertex(&of[i]->a, c->vertices[i]);
        end[i] = bw_mesh_vertex(&of[i]->b, c->vertices[i]);
    }
    bw_ccd_result alone;
    must((c->feature == BW_CCD_EDGE_EDGE ? bw_ccd_edge_edge : bw_ccd_vertex_face)(start, end, desc, &alone) ==
         BW_OK);
    must(alone.answer == c->first.answer && alone.time == c->first.time &&
         alone.time_after == c->first.time_after && alone.answer != BW_CCD_APART);
}

/* Vertex and face pairs of one mesh, one by one. */
static uint64_t count_vertex_face(const step *s, const bw_ccd_desc *desc)
{
    uint64_t count = 0;
    for (uint32_t v = 0; v < s->a.vertex_count; v++) {
        bool used = false;
        for (uint32_t i = 0; i < 3 * s->a.triangle_count; i++)
            used |= s->a.indices[i] == v;
        for (uint32_t f = 0; used && f < s->a.triangle_count; f++) {
            const uint32_t *c = s->indices[f];
            if (c[0] == v || c[1] == v || c[2] == v)
                continue;
            bw_vec3 start[4] = {bw_mesh_vertex(&s->a, v)}, end[4] = {bw_mesh_vertex(&s->b, v)};
            for (int i = 0; i < 3; i++) {
                start[1 + i] = bw_mesh_vertex(&s->a, c[i]);
                end[1 + i] = bw_mesh_vertex(&s->b, c[i]);
            }
            bw_ccd_result alone;
            must(bw_ccd_vertex_face(start, end, desc, &alone) == BW_OK);
            count += alone.answer != BW_CCD_APART;
        }
    }
    return count;
}

static void rigid(bytes *b, const step *s)
{
    bw_tree *tree = NULL;
    if (bw_tree_create(NULL, &s->a, &tree, NULL) != BW_OK)
        return;
    bw_transform from = bw_transform_identity(), to;
    bw_vec3 axis = {1, (double)(bytes_u8(b) % 4), (double)(bytes_u8(b) % 4)};
    bw_vec3 shift = {(double)(int8_t)bytes_u8(b), (double)(int8_t)bytes_u8(b) * 0.25, 0}, zero = {0, 0, 0};
    to = bw_transform_compose(shift, axis, (double)(int8_t)bytes_u8(b) * 0.03, (bw_vec3){1, 1, 1});
    bw_rigid_motion move, rest = {.start = from};
    must(bw_rigid_motion_between(&from, &to, zero, &move) == BW_OK);
    rest.start.m[0][3] = (double)(int8_t)bytes_u8(b) * 0.25;
    bw_body body = {tree, &s->a, NULL};
    bw_swept_rigid_report report = {0};
    bw_swept_rigid_desc desc = {.tolerance = 1e-3, .max_steps = 60};
    bw_result result = bw_swept_rigid(&body, &move, &body, &rest, &desc, &report, NULL);
    if (result == BW_OK) {
        must(report.time >= 0 && report.time <= 1 && report.steps <= 60);
        for (int i = 0; i < 8; i++) {
            double time = report.time * i / 8;
            bw_transform pose;
            must(bw_rigid_motion_pose(&move, time, &pose) == BW_OK);
            bw_body now = {tree, &s->a, &pose}, other = {tree, &s->a, &rest.start};
            bw_collide_report hits = {0};
            if (bw_collide(&now, &other, NULL, &hits, NULL) == BW_OK)
                must(hits.hit_count == 0 || time >= report.time);
        }
    } else {
        must(result == BW_ERROR_RANGE || result == BW_ERROR_SINGULAR);
    }
    bw_tree_destroy(tree);
}

/* A cache changes no count, and candidates hold every contact. */
static void check_cache(bytes *b, const bw_swept *p, const bw_swept *q, const bw_swept_query *plain)
{
    static bw_swept_candidate pairs[CAPACITY];
    bw_swept_cache *cache = NULL;
    bw_swept_cache_desc desc = {.margin = (double)bytes_u8(b) * 0x1p-5};
    must(bw_swept_cache_create(&desc, &cache, NULL) == BW_OK);
    bw_swept_query query = {
        .mode = BW_SWEPT_COUNT, .tolerance = plain->tolerance, .separation = plain->separation};
    bw_swept_report before = {0}, after = {0};
    for (int i = 0; i < 3; i++) {
        query.cache = NULL;
        must((p == q ? bw_swept_self(p, &query, &before, NULL)
                     : bw_swept_pair(p, q, &query, &before, NULL)) == BW_OK);
        query.cache = cache;
        must((p == q ? bw_swept_self(p, &query, &after, NULL) : bw_swept_pair(p, q, &query, &after, NULL)) ==
             BW_OK);
        must(before.contact_count == after.contact_count && before.close_count == after.close_count &&
             before.tested == after.tested && before.vertex_face_candidates == after.vertex_face_candidates &&
             before.edge_edge_candidates == after.edge_edge_candidates &&
             before.earliest.first.time == after.earliest.first.time &&
             before.earliest.a == after.earliest.a);
        query.separation *= bytes_u8(b) % 2 == 0 ? 0.5 : 2;
        if (bytes_u8(b) == 0)
            bw_swept_cache_reset(cache);
    }
    query =
        (bw_swept_query){.mode = BW_SWEPT_CANDIDATES, .candidates = pairs, .candidate_capacity = CAPACITY};
    must((p == q ? bw_swept_self(p, &query, &after, NULL) : bw_swept_pair(p, q, &query, &after, NULL)) ==
         BW_OK);
    uint64_t found = after.candidate_count;
    for (uint64_t i = 0; i < found && i < CAPACITY; i++)
        must(pairs[i].feature >= BW_CCD_VERTEX_FACE && pairs[i].feature <= BW_CCD_VERTEX_VERTEX);
    bw_swept_cache_destroy(cache);
}

static bw_result search(const bw_swept *p, const bw_swept *q, const bw_swept_query *query,
                        bw_swept_report *report)
{
    return q == NULL ? bw_swept_self(p, query, report, NULL) : bw_swept_pair(p, q, query, report, NULL);
}

static bool not_third(void *user, const bw_swept_candidate *pair)
{
    (void)user;
    return (pair->feature + pair->a + pair->b) % 3 != 0;
}

/* A witness has weights, a direction or none, and a distance. */
static void check_weights(const bw_swept_witness *w)
{
    double sum = 0,
           length2 = w->normal.x * w->normal.x + w->normal.y * w->normal.y + w->normal.z * w->normal.z;
    for (int i = 0; i < 4; i++) {
        must(w->weights[i] >= 0 && w->weights[i] <= 1 + 1e-9);
        sum += w->weights[i];
    }
    must(fabs(sum - 2) < 1e-9 && w->distance >= 0 && (length2 == 0 || fabs(length2 - 1) < 1e-9));
}

/* Contacts of all, the earliest alone, the safe step, what is near: one tale. q is NULL for p with itself. */
static void check_simulator(bytes *b, const bw_swept *p, const bw_swept *q, double separation)
{
    static bw_swept_contact contacts[CAPACITY];
    static bw_swept_witness witnesses[CAPACITY];
    static bw_swept_near_pair pairs[CAPACITY];
    bw_swept_query query = {.separation = separation,
                            .contacts = contacts,
                            .contact_capacity = CAPACITY,
                            .can_collide = bytes_u8(b) % 4 == 0 ? not_third : NULL};
    bw_swept_report all = {0}, first = {0};
    must(search(p, q, &query, &all) == BW_OK);
    uint64_t count = all.contact_count < CAPACITY ? all.contact_count : CAPACITY;
    must(bw_swept_witnesses(p, q, contacts, count, witnesses, NULL) == BW_OK);
    for (uint64_t i = 0; i < count; i++) {
        const bw_swept_candidate name = {contacts[i].feature, contacts[i].a, contacts[i].b};
        uint32_t vertices[4];
        must(query.can_collide == NULL || not_third(NULL, &name));
        must(bw_swept_candidate_vertices(p, q, &name, vertices) == BW_OK);
        for (int k = 0; k < 4; k++)
            must(vertices[k] == contacts[i].vertices[k]);
        check_weights(&witnesses[i]);
    }
    query.mode = BW_SWEPT_EARLIEST;
    must(search(p, q, &query, &first) == BW_OK);
    if (all.earliest.first.answer == BW_CCD_CLOSE)
        must(first.earliest.first.time >= all.earliest.first.time);
    else
        must(first.earliest.first.time == all.earliest.first.time && first.earliest.a == all.earliest.a &&
             first.earliest.b == all.earliest.b && first.earliest.feature == all.earliest.feature);
    const bw_swept_couple couple = {p, q};
    bw_swept_safe_desc desc = {.separation = separation, .can_collide = query.can_collide};
    bw_swept_safe_report safe = {0};
    must(bw_swept_safe_step(&couple, 1, &desc, &safe, NULL) == BW_OK);
    must(safe.step >= 0 && safe.step <= 1 && safe.near_count <= safe.tested);
    /* What is near already may stay so, and nothing else lets the step go on longer. */
    must(safe.near_count > 0 || (first.contact_count == 0) == (safe.step == 1));
    must(safe.near_count > 0 || safe.step <= first.earliest.first.time);
    bw_swept_near_query near = {.distance = separation + 0.5,
                                .time = (double)(bytes_u8(b) % 5) / 4,
                                .pairs = pairs,
                                .pair_capacity = CAPACITY};
    bw_swept_near_report found = {0};
    must(bw_swept_near(p, q, &near, &found, NULL) == BW_OK);
    must((found.status == BW_FULL) == (found.pair_count > CAPACITY));
    for (uint64_t i = 0; i < found.pair_count && i < CAPACITY; i++) {
        check_weights(&pairs[i].at);
        must(pairs[i].pair_count >= 1 && pairs[i].at.distance >= found.distance);
    }
}

/* The same mesh with edges, points and thicknesses. */
static void check_loose(bytes *b, const step *s)
{
    uint32_t edges[4][2];
    double thickness[MAX_VERTICES];
    for (int e = 0; e < 4; e++)
        for (int k = 0; k < 2; k++)
            edges[e][k] = bytes_u8(b) % s->a.vertex_count;
    for (int v = 0; v < MAX_VERTICES; v++)
        thickness[v] = (double)(bytes_u8(b) % 3) * 0x1p-4;
    bw_swept_desc desc = {.edges = edges[0],
                          .edge_count = bytes_u8(b) % 5,
                          .points = bytes_u8(b) % 2 == 0,
                          .thickness = bytes_u8(b) % 2 == 0 ? thickness : NULL};
    bw_swept *p = NULL;
    bw_mesh start = s->a, end = s->b;
    if (bytes_u8(b) % 4 == 0)
        start.indices = end.indices = NULL;
    if (bw_swept_create(&desc, &start, &end, &p, NULL) != BW_OK)
        return;
    must(bw_swept_check(p) == NULL);
    check_simulator(b, p, NULL, (double)bytes_u8(b) * 0x1p-6);
    check_cache(b, p, p, &(bw_swept_query){0});
    bw_swept_destroy(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bw_swept_contact contacts[CAPACITY];
    bytes b = {data, size, 0};
    if (bytes_u8(&b) & 1)
        bytes_go_on(&b);
    step x, y;
    take_step(&b, &x);
    take_step(&b, &y);
    bw_swept *p = NULL, *q = NULL;
    bw_fault fault;
    bw_result first = bw_swept_create(NULL, &x.a, &x.b, &p, &fault);
    bw_result second = bw_swept_create(NULL, &y.a, &y.b, &q, &fault);
    must((first == BW_OK) == (p != NULL) && (second == BW_OK) == (q != NULL));
    bw_swept_query query = {.contacts = contacts, .contact_capacity = CAPACITY};
    if (bytes_u8(&b) % 2 == 0)
        query.separation = (double)bytes_u8(&b) * 0x1p-6;
    const bw_ccd_desc ccd = {.separation = query.separation};
    const bw_swept_query only_count = {
        .mode = BW_SWEPT_COUNT, .tolerance = query.tolerance, .separation = query.separation};
    bw_swept_report report = {0};
    if (p != NULL) {
        must(bw_swept_check(p) == NULL);
        must(bw_swept_edge_count(p) <= 3 * x.a.triangle_count);
        must(bw_swept_self(p, &query, &report, NULL) == BW_OK);
        must(report.contact_count <= CAPACITY && report.vertex_face_count == count_vertex_face(&x, &ccd));
        for (uint64_t i = 0; i < report.contact_count; i++)
            check_contact(&contacts[i], &x, &x, &ccd);
        /* Back again, and what was proven to meet still does, and nothing else; where the finest resolution
         * cannot tell, each way may say what it likes. */
        uint64_t before = report.contact_count, proven = before - report.close_count;
        must(bw_swept_update(p, &x.b, &x.a, NULL, &fault) == BW_OK);
        must(bw_swept_check(p) == NULL);
        must(bw_swept_self(p, &only_count, &report, NULL) == BW_OK);
        must(report.contact_count >= proven && report.contact_count - report.close_count <= before);
        must(bw_swept_update(p, &x.a, &x.b, NULL, &fault) == BW_OK);
        check_cache(&b, p, p, &query);
        rigid(&b, &x);
    }
    if (p != NULL && q != NULL) {
        must(bw_swept_pair(p, q, &query, &report, NULL) == BW_OK);
        for (uint64_t i = 0; i < report.contact_count && i < CAPACITY; i++)
            check_contact(&contacts[i], &x, &y, &ccd);
        check_cache(&b, p, q, &query);
        check_simulator(&b, p, q, query.separation);
    }
    if (p != NULL) {
        check_simulator(&b, p, NULL, query.separation);
        check_loose(&b, &x);
    }
    bw_swept_destroy(p);
    bw_swept_destroy(q);
    return 0;
}
