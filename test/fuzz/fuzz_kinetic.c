/* Motions and kinetic trees on any bytes: refused, or valid at every time, whatever plans do. */
#include <boxwood/boxwood.h>

#include <math.h>
#include <string.h>

#include "fuzz/bytes.h"

enum { VERTICES = 12, FRAMES = 4, TRIANGLES = 14 };

/* Numbers of every kind: small integers, so that they meet, any bits, and in between. */
static double number(bytes *b)
{
    uint8_t how = bytes_u8(b);
    double x;
    if (how < 160)
        return (double)(how % 16) - 8;
    if (how < 240)
        return ((double)how - 200) * 0.0625 * (1 + 0x1p-52 * bytes_u8(b));
    bytes_take(b, &x, sizeof x);
    return x;
}

static bw_plan plan_of(bytes *b)
{
    bw_plan plan = {.origin = number(b)};
    uint8_t degree = bytes_u8(b) % 4;
    for (int i = 0; i <= degree; i++)
        plan.c[i] = (bw_vec3){number(b), number(b), number(b)};
    return plan;
}

typedef struct input {
    double frames[FRAMES][3 * VERTICES], times[FRAMES];
    float floats[FRAMES][3 * VERTICES];
    const void *frame[FRAMES];
    bw_plan plans[VERTICES];
    uint32_t indices[3 * TRIANGLES];
    bw_motion motion;
    bw_mesh mesh;
} input;

static void read_input(bytes *b, input *in)
{
    double t = number(b);
    for (int k = 0; k < FRAMES; k++) {
        in->times[k] = t;
        t += fabs(number(b));
        for (int i = 0; i < 3 * VERTICES; i++) {
            double x = number(b);
            in->frames[k][i] = fabs(x) < 0x1p-80 ? 0 : x; /* mostly within the range */
        }
        in->frame[k] = in->frames[k];
    }
    for (int v = 0; v < VERTICES; v++)
        in->plans[v] = plan_of(b);
    for (int i = 0; i < 3 * TRIANGLES; i++)
        in->indices[i] = (uint32_t)(bytes_u8(b) % (VERTICES + (bytes_u8(b) == 255)));
    uint8_t how = bytes_u8(b);
    bool narrow = bytes_u8(b) & 1;
    for (int k = 0; k < FRAMES && narrow; k++) {
        for (int i = 0; i < 3 * VERTICES; i++)
            in->floats[k][i] = fabs(in->frames[k][i]) < 1e38 ? (float)in->frames[k][i] : NAN;
        in->frame[k] = in->floats[k];
    }
    in->motion = (bw_motion){.kind = (bw_motion_kind)(how % 3),
                             .vertex_count = VERTICES,
                             .scalar = narrow ? BW_F32 : BW_F64,
                             .frame_count = 2 + how % (FRAMES - 1),
                             .times = in->times,
                             .frames = in->frame,
                             .positions = in->frame[0],
                             .velocities = in->frame[1],
                             .plans = in->plans,
                             .begin = in->times[0],
                             .end = in->times[FRAMES - 1]};
    in->mesh = (bw_mesh){.scalar = BW_F64,
                         .vertex_count = VERTICES,
                         .indices = how & 64 ? NULL : in->indices,
                         .triangle_count = TRIANGLES};
}

static void try_crossing(bytes *b, const bw_plan *p, const bw_plan *q, double from, double to)
{
    int axis = bytes_u8(b) % 3;
    bw_crossing c;
    for (int i = 0; i < 8 && bw_plan_crossing(p, q, axis, from, to, &c); i++) {
        must(c.from >= from && c.to >= c.from && c.to <= to);
        double before = from + 0.5 * (c.from - from);
        if (before > from && before < c.from) {
            bw_vec3 u = bw_plan_position(p, before), v = bw_plan_position(q, before);
            double d = axis == 0 ? u.x - v.x : axis == 1 ? u.y - v.y : u.z - v.z;
            must(d * c.before >= 0);
        }
        if (c.order == 0 || c.to >= to)
            break;
        from = c.to;
    }
}

/* The boxes from the root down to the one visited, and whether all was inside. */
typedef struct boxes_above {
    const bw_mesh *mesh;
    bw_box box[64];
} boxes_above;

static bool all_inside(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                       uint32_t count)
{
    boxes_above *above = user;
    must(depth < 64);
    above->box[depth] = *box;
    const uint32_t *indices = above->mesh->indices;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t corner = 0; corner < (indices != NULL ? 3 : 1); corner++) {
            uint32_t v = indices != NULL ? indices[3 * primitives[i] + corner] : primitives[i];
            bw_vec3 p = bw_mesh_vertex(above->mesh, v);
            for (uint32_t d = 0; d <= depth; d++) {
                const float *min = above->box[d].min, *max = above->box[d].max;
                must((double)min[0] <= p.x && p.x <= (double)max[0] && (double)min[1] <= p.y &&
                     p.y <= (double)max[1] && (double)min[2] <= p.z && p.z <= (double)max[2]);
            }
        }
    return true;
}

static bool contained(const bw_body *body)
{
    boxes_above above = {.mesh = body->mesh};
    return bw_tree_visit(body->tree, all_inside, &above, NULL) == BW_OK;
}

static void prove(bw_kinetic *k)
{
    bw_body body;
    const char *fault = bw_kinetic_check(k);
    if (fault != NULL)
        fprintf(stderr, "%s\n", fault);
    must(fault == NULL);
    must(bw_kinetic_query_body(k, &body, NULL) == BW_OK);
    bw_nearest_hit near;
    must(bw_nearest(&body, &(bw_vec3){0, 0, 0}, NULL, &near, NULL, NULL) == BW_OK);
    bw_tree_stats held = {0};
    bw_tree_get_stats(body.tree, &held);
    must((near.primitive != BW_NONE) == (held.primitives > 0)); /* all may have been removed */
    must(bw_kinetic_body(k, &body, NULL) == BW_OK);
    bw_kinetic_choice choice = {0};
    bw_kinetic_get_choice(k, &choice);
    must(choice.reason != NULL && choice.method != BW_KINETIC_AUTO);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    bw_kinetic_report total = {0};
    bw_kinetic_get_total(k, &total);
    must(total.events >= total.leaf_events && total.updates >= total.events);
    if (stats.method == BW_KINETIC_INTERPOLATED || stats.method == BW_KINETIC_BOXTREE ||
        stats.method == BW_KINETIC_AUTO ||
        (stats.method == BW_KINETIC_COMPILED && body.mesh->scalar == BW_F64))
        must(contained(&body));
    else
        must(bw_tree_check(body.tree, body.mesh) == NULL);
    must(stats.next_event > bw_kinetic_time(k));
}

static void try_kinetic(bytes *b, const input *in, double begin, double end)
{
    bw_kinetic_desc desc = {.method = (bw_kinetic_method)(bytes_u8(b) % (BW_KINETIC_AUTO + 1)),
                            .time = begin};
    bw_kinetic *k = NULL;
    bw_result result = bw_kinetic_create(&desc, &in->mesh, &in->motion, &k, NULL);
    must(result == BW_OK || result == BW_ERROR_INDEX ||
         (result == BW_ERROR_UNSUPPORTED && desc.method == BW_KINETIC_COMPILED) ||
         (result == BW_ERROR_NOT_BUILT && desc.method == BW_KINETIC_BOXTREE && !BW_RESEARCH));
    if (result != BW_OK)
        return;
    prove(k);
    for (int i = 0; i < 8; i++) {
        double t = begin + (end - begin) * bytes_u8(b) / 255;
        bw_kinetic_stats stats = {0};
        bw_kinetic_get_stats(k, &stats);
        if (bytes_u8(b) < 100 && stats.next_event <= end)
            t = stats.next_event;
        t = t > end ? end : t;
        bw_kinetic_report report = {0};
        result = bw_kinetic_advance(k, t, &report, NULL);
        must(result == BW_OK || (result == BW_ERROR_UNSUPPORTED && t < bw_kinetic_time(k)));
        prove(k);
        uint32_t vertices[2] = {bytes_u8(b) % VERTICES, bytes_u8(b) % VERTICES};
        bw_plan plans[2] = {plan_of(b), plan_of(b)};
        uint8_t how = bytes_u8(b);
        if (how < 60)
            bw_kinetic_set_plan(k, vertices[0], plans, NULL);
        else if (how < 120)
            bw_kinetic_set_plans(k, vertices, plans, 2, NULL);
        prove(k);
    }
    bw_kinetic_destroy(k);
}

static void corners_of(const bw_mesh *mesh, uint32_t i, bw_vec3 out[3])
{
    for (uint32_t c = 0; c < 3; c++)
        out[c] = bw_mesh_vertex(mesh, mesh->indices == NULL ? i : mesh->indices[3 * i + c]);
}

static uint64_t contacts_of(const bw_mesh *a, const bw_mesh *b)
{
    uint64_t contacts = 0;
    uint32_t count_a = a->indices == NULL ? a->vertex_count : a->triangle_count;
    uint32_t count_b = b->indices == NULL ? b->vertex_count : b->triangle_count;
    for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t j = 0; j < count_b; j++) {
            bw_vec3 p[3], q[3];
            corners_of(a, i, p);
            corners_of(b, j, q);
            contacts += bw_triangle_triangle(p, q) != BW_CONTACT_NONE;
        }
    return contacts;
}

/* Two bodies in small steps, so that queries remember what they found, one of them with its frames in another
 * order: the contacts of every pair tried. */
static void try_pair(bytes *b, const input *in, double begin, double end)
{
    bw_motion other = in->motion;
    const void *frames[FRAMES];
    for (uint32_t i = 0; i < in->motion.frame_count; i++)
        frames[i] = in->frame[in->motion.frame_count - 1 - i];
    other.frames = frames;
    bw_kinetic_desc desc = {.method = BW_KINETIC_AUTO, .time = begin};
    bw_kinetic *k[2] = {NULL, NULL};
    if (bw_kinetic_create(&desc, &in->mesh, &in->motion, &k[0], NULL) != BW_OK)
        return;
    desc.method = bytes_u8(b) % 4 == 0 ? BW_KINETIC_REFIT : BW_KINETIC_AUTO;
    must(bw_kinetic_create(&desc, &in->mesh, &other, &k[1], NULL) == BW_OK);
    bw_pair_cache *cache = NULL;
    must(bw_pair_cache_create(NULL, &cache, NULL) == BW_OK);
    for (int i = 1; i <= 32; i++) {
        bw_body bodies[2];
        double t = begin + (end - begin) * (bytes_u8(b) == 0 ? bytes_u8(b) % 32 : i) / 32;
        for (int j = 0; j < 2; j++) {
            must(bw_kinetic_advance(k[j], t < end ? t : end, NULL, NULL) == BW_OK);
            must(bw_kinetic_body(k[j], &bodies[j], NULL) == BW_OK);
        }
        bw_collide_report report = {0};
        bw_collide_desc count = {.mode = BW_COLLIDE_COUNT, .cache = cache};
        must(bw_collide(&bodies[0], &bodies[1], &count, &report, NULL) == BW_OK);
        must(report.hit_count == contacts_of(bodies[0].mesh, bodies[1].mesh));
    }
    bw_pair_cache_destroy(cache);
    bw_kinetic_destroy(k[0]);
    bw_kinetic_destroy(k[1]);
}

/* What should be in the tree. */
typedef struct members {
    bool in[VERTICES + TRIANGLES];
    uint32_t seen[VERTICES + TRIANGLES];
} members;

static bool count_member(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                         uint32_t count)
{
    (void)box;
    (void)depth;
    for (uint32_t i = 0; i < count; i++)
        ((members *)user)->seen[primitives[i]]++;
    return true;
}

static void prove_members(bw_kinetic *k, members *m)
{
    bw_body body;
    prove(k);
    memset(m->seen, 0, sizeof m->seen);
    must(bw_kinetic_body(k, &body, NULL) == BW_OK &&
         bw_tree_visit(body.tree, count_member, m, NULL) == BW_OK);
    for (int i = 0; i < VERTICES + TRIANGLES; i++)
        must(m->seen[i] == m->in[i]);
}

/* The result that a list of primitives asks for. */
static bw_result expected(const bw_mesh *mesh, const members *m, const uint32_t *list, uint32_t count,
                          bool insert)
{
    uint32_t known = mesh->indices == NULL ? mesh->vertex_count : mesh->triangle_count;
    for (uint32_t i = 0; i < count; i++)
        for (int corner = 0; corner < 3; corner++)
            if (list[i] >= known || (mesh->indices != NULL &&
                                     mesh->indices[3 * list[i] + (uint32_t)corner] >= mesh->vertex_count))
                return BW_ERROR_INDEX;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++)
            if (list[j] == list[i])
                return BW_ERROR_ARGUMENT;
        if (m->in[list[i]] == insert)
            return BW_ERROR_ARGUMENT;
    }
    return BW_OK;
}

/* Primitives that come and go, of a mesh and a motion that grow. */
static void try_edits(bytes *b, const input *in, double begin, double end)
{
    bw_mesh mesh = in->mesh;
    bw_motion motion = in->motion;
    uint32_t total = mesh.indices == NULL ? VERTICES : TRIANGLES, start = 1 + bytes_u8(b) % total;
    mesh.triangle_count = start;
    if (mesh.indices == NULL)
        mesh.vertex_count = motion.vertex_count = start;
    bw_kinetic_desc desc = {.method = (bw_kinetic_method)(bytes_u8(b) % (BW_KINETIC_AUTO + 1)),
                            .time = begin};
    bw_kinetic *k = NULL;
    if (bw_kinetic_create(&desc, &mesh, &motion, &k, NULL) != BW_OK)
        return;
    members m = {{false}, {0}};
    for (uint32_t i = 0; i < start; i++)
        m.in[i] = true;
    for (int i = 0; i < 12; i++) {
        double t = fmin(begin + (end - begin) * bytes_u8(b) / 255, end);
        if (t > bw_kinetic_time(k))
            must(bw_kinetic_advance(k, t, NULL, NULL) == BW_OK);
        uint32_t list[8], count = bytes_u8(b) % 8;
        for (uint32_t j = 0; j < count; j++)
            list[j] = bytes_u8(b) % (total + 1);
        bool insert = bytes_u8(b) & 1, grow = bytes_u8(b) & 1;
        if (insert && grow) {
            mesh.triangle_count += bytes_u8(b) % (total - start + 1);
            mesh.triangle_count = mesh.triangle_count > total ? total : mesh.triangle_count;
            if (mesh.indices == NULL)
                mesh.vertex_count = motion.vertex_count = mesh.triangle_count;
        }
        bw_result should = expected(&mesh, &m, list, count, insert);
        bw_result result = insert ? bw_kinetic_insert(k, &mesh, &motion, list, count, NULL)
                                  : bw_kinetic_remove(k, list, count, NULL);
        must(result == should || (!insert && result == BW_ERROR_INDEX && should == BW_ERROR_ARGUMENT));
        for (uint32_t j = 0; j < count && result == BW_OK; j++)
            m.in[list[j]] = insert;
        prove_members(k, &m);
        bw_plan plan = plan_of(b);
        if (bytes_u8(b) < 60)
            bw_kinetic_set_plan(k, bytes_u8(b) % VERTICES, &plan, NULL);
        prove_members(k, &m);
    }
    bw_kinetic_destroy(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    static input in;
    if (bytes_u8(&b) & 1)
        bytes_go_on(&b);
    read_input(&b, &in);
    bw_fault fault;
    if (bw_motion_validate(&in.motion, &fault) != BW_OK) {
        char words[160];
        must(bw_fault_describe(&fault, words, sizeof words) > 0 && words[0] != 0);
        return 0;
    }
    double begin, end;
    bw_motion_span(&in.motion, &begin, &end);
    double t = begin + 0.4 * (end - begin), positions[3 * VERTICES];
    t = t > end ? end : t;
    must(bw_motion_sample(&in.motion, t, positions, NULL) == BW_OK);
    bw_mesh sample = {.positions = positions, .scalar = in.motion.scalar, .vertex_count = VERTICES};
    for (uint32_t v = 0; v < VERTICES; v++) {
        bw_vec3 p = bw_motion_position(&in.motion, v, t), q = bw_mesh_vertex(&sample, v);
        must(memcmp(&p, &q, sizeof p) == 0 && isfinite(p.x + p.y + p.z));
    }
    bw_plan p = bw_motion_plan(&in.motion, 0, t), q = bw_motion_plan(&in.motion, 1, t);
    double last = in.motion.kind == BW_MOTION_KEYFRAMES ? t : end;
    if (t < last)
        try_crossing(&b, &p, &q, t, last);
    try_kinetic(&b, &in, begin, end);
    if (in.motion.kind == BW_MOTION_KEYFRAMES)
        try_pair(&b, &in, begin, end);
    try_edits(&b, &in, begin, end);
    return 0;
}
