/* Arbitrary bytes through the whole pipeline: mesh, validation, adjacency, tree, refit, collide. Every answer
 * is compared with a plain one: defects one by one, results that follow from them, contacts with brute force
 * over all pairs. */
#include <math.h>

#include <boxwood/collide.h>

#include "fuzz/pipeline_mesh.h"
#include "oracle/brute_force.h"
#include "oracle/tree_forms.h"
#include "tree/kind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_report(const bw_mesh *mesh, uint32_t look_for, const bw_mesh_report *report)
{
    uint32_t counts[BW_DEFECT_COUNT] = {0}, defective = 0;
    uint32_t primitives = bw_mesh_primitive_count(mesh);
    for (uint32_t i = 0; i < primitives; i++) {
        bw_defect defect = fuzz_mesh_defect(mesh, i);
        if ((look_for & BW_DEFECT_BIT(defect)) == 0)
            defect = BW_DEFECT_NONE;
        counts[defect]++;
        defective += defect != BW_DEFECT_NONE;
    }
    must(report->primitives == primitives && report->defective == defective);
    must(memcmp(report->counts, counts, sizeof counts) == 0);
    if (defective > 0) {
        must(report->first == fuzz_mesh_defect(mesh, report->first_primitive));
        must(strlen(bw_defect_string(report->first)) > 0);
    }
}

static void try_validate(const fuzz_mesh *m)
{
    bw_mesh_report report = {0};
    bw_result result = bw_mesh_validate(&m->mesh, NULL, &report, NULL);
    must(result == (m->readable ? BW_OK : BW_ERROR_ARGUMENT));
    if (result == BW_OK)
        expect_report(&m->mesh, BW_DEFECTS_ALL, &report);
}

static void try_adjacency(const fuzz_mesh *m)
{
    bw_adjacency *adjacency;
    bw_result result = bw_adjacency_create(&m->mesh, NULL, &adjacency, NULL), expected = BW_OK;
    if (!m->readable || m->mesh.indices == NULL)
        expected = BW_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < m->mesh.triangle_count && expected == BW_OK && m->mesh.indices != NULL; i++)
        if (fuzz_mesh_defect(&m->mesh, i) == BW_DEFECT_INDEX)
            expected = BW_ERROR_INDEX;
    must(result == expected);
    if (result != BW_OK)
        return;
    uint32_t uses = 0;
    for (uint32_t e = 0; e < adjacency->edge_count; e++)
        for (uint32_t u = 0; u < adjacency->edges[e].use_count; u++, uses++)
            must(adjacency->triangle_edges[adjacency->edge_uses[adjacency->edges[e].first_use + u]] == e);
    for (uint32_t i = 0; i < 3 * m->mesh.triangle_count; i++)
        uses += adjacency->triangle_edges[i] == BW_NONE;
    must(uses == 3 * m->mesh.triangle_count);
    bw_adjacency_destroy(adjacency);
}

static bool count_primitives(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                             uint32_t count)
{
    (void)depth;
    for (int k = 0; k < 3; k++)
        must(box->min[k] <= box->max[k]);
    must((primitives == NULL) == (count == 0));
    *(uint32_t *)user += count;
    return true;
}

static void expect_tree(const bw_tree *tree, const bw_mesh *mesh)
{
    const char *fault = bw_tree_check(tree, mesh);
    if (fault != NULL)
        fprintf(stderr, "%s\n", fault);
    must(fault == NULL);
    bw_tree_stats stats = {0};
    bw_tree_get_stats(tree, &stats);
    uint32_t seen = 0, quarantined;
    must(bw_tree_visit(tree, count_primitives, &seen, NULL) == BW_OK);
    bw_tree_quarantine(tree, &quarantined);
    must(seen == stats.primitives && quarantined == stats.quarantined);
    must(seen + quarantined == bw_mesh_primitive_count(mesh));
    bw_box bounds = bw_tree_bounds(tree);
    must(bw_box_overlaps(&bounds, &bounds));
}

/* A tree of the mesh, or NULL with the error that its defects ask for. */
static bw_tree *try_tree(const fuzz_mesh *m, const bw_tree_desc *desc)
{
    bw_tree *tree = NULL;
    bw_fault fault;
    bw_result result = bw_tree_create(desc, &m->mesh, &tree, &fault);
    if (!m->readable) {
        must(result == BW_ERROR_ARGUMENT);
        return NULL;
    }
    uint32_t primitives = bw_mesh_primitive_count(&m->mesh), left = 0;
    bw_defect fatal = BW_DEFECT_NONE;
    for (uint32_t i = 0; i < primitives; i++) {
        bw_defect defect = fuzz_mesh_defect(&m->mesh, i);
        bool out = (desc->quarantine & BW_DEFECT_BIT(defect)) != 0;
        left += !out;
        if (!out && fatal == BW_DEFECT_NONE && bw_defect_result(defect) != BW_OK) {
            fatal = defect;
            must(result == bw_defect_result(defect) && fault.defect == defect && fault.element == i);
        }
    }
    must(result == (fatal != BW_DEFECT_NONE ? bw_defect_result(fatal) : left == 0 ? BW_ERROR_EMPTY : BW_OK));
    if (result == BW_OK) {
        /* Few inputs have leaves so long that a tree gives them oriented boxes by itself. */
        if (tree->kind == &bw_kind_wide && primitives % 4 != 0)
            must(bw_wide_make_obbs(&tree->wide, NULL) == BW_OK);
        expect_tree(tree, &m->mesh);
    }
    return tree;
}

/* How to update, and which vertices may then differ from before: a range of at most half, or all. */
typedef struct update_plan {
    bw_update_desc desc;
    bw_vertex_range ranges[3];
} update_plan;

static void take_update(update_plan *plan, const fuzz_mesh *m, bytes *b)
{
    uint8_t how = bytes_u8(b);
    uint32_t count = m->mesh.vertex_count, first = bytes_u8(b) % (count + 1), most = count - first;
    uint32_t length = most < count / 2 ? most : count / 2;
    plan->ranges[0] = (bw_vertex_range){first, length / 2};
    plan->ranges[1] = (bw_vertex_range){first + length / 2, length - length / 2};
    plan->ranges[2] = (bw_vertex_range){first + length / 3, how & 16 ? length / 2 : 0}; /* an overlap */
    plan->desc = (bw_update_desc){.policy = (bw_update_policy)(how % 3), .count_changed = (how & 8) != 0};
    if (how >= 128) {
        plan->desc.ranges = plan->ranges;
        plan->desc.range_count = 3;
    }
}

/* The first defect of a primitive that stands in the tree. */
static bw_defect defect_in_tree(const bw_tree *tree, const bw_mesh *mesh)
{
    bool out[256] = {false};
    uint32_t quarantined;
    const uint32_t *quarantine = bw_tree_quarantine(tree, &quarantined);
    for (uint32_t i = 0; i < quarantined; i++)
        out[quarantine[i]] = true;
    bw_defect defect = BW_DEFECT_NONE;
    for (uint32_t i = 0; i < bw_mesh_primitive_count(mesh) && bw_defect_result(defect) == BW_OK; i++)
        defect = out[i] ? BW_DEFECT_NONE : fuzz_mesh_defect(mesh, i);
    return defect;
}

/* New coordinates. The tree follows, or stays as it was if a primitive of it got a defect. */
static void try_refit(fuzz_mesh *m, bw_tree *tree, bool wide, bytes *b)
{
    char *before = malloc(m->bytes + 1);
    must(before != NULL);
    memcpy(before, m->positions, m->bytes);
    update_plan plan;
    take_update(&plan, m, b);
    bw_update_report report = {0};
    if (plan.desc.ranges != NULL && !wide) {
        must(bw_tree_update(tree, &m->mesh, &plan.desc, &report, NULL) == BW_ERROR_UNSUPPORTED);
        plan.desc.ranges = NULL;
        plan.desc.range_count = 0;
    }
    fuzz_mesh_move(m, b);
    if (plan.desc.ranges != NULL) {
        size_t from = fuzz_mesh_offset(m, plan.ranges[0].first);
        size_t to = fuzz_mesh_offset(m, plan.ranges[1].first + plan.ranges[1].count);
        memcpy(m->positions, before, from < m->bytes ? from : m->bytes);
        if (to < m->bytes)
            memcpy((char *)m->positions + to, before + to, m->bytes - to);
    }
    bool plain = plan.desc.ranges == NULL && plan.desc.policy == BW_UPDATE_REFIT && plan.desc.count_changed;
    bw_result result =
        plain ? bw_tree_update(tree, &m->mesh, &(bw_update_desc){.count_changed = true}, &report, NULL)
              : bw_tree_update(tree, &m->mesh, &plan.desc, &report, NULL);
    must(result == bw_defect_result(defect_in_tree(tree, &m->mesh)));
    if (result == BW_OK)
        must(report.reason != NULL);
    else
        memcpy(m->positions, before, m->bytes);
    expect_tree(tree, &m->mesh);
    free(before);
}

/* Whether brute force can answer: the relative pose exists, and keeps every coordinate in the exact range. */
static bool answerable(const bw_body *a, const bw_body *b, const bw_transform *relative, bool posed)
{
    (void)a;
    for (uint32_t v = 0; v < b->mesh->vertex_count && posed; v++) {
        bw_vec3 p = bw_transform_point(relative, bw_mesh_vertex(b->mesh, v));
        if (!bw_exact_range(&p, 1))
            return false;
    }
    return true;
}

static void expect_hits(const bw_body *a, const bw_body *b, bw_box_test test, const bw_hit_list *truth)
{
    bw_hit *hits = malloc((truth->count + 1) * sizeof *hits);
    must(hits != NULL);
    bw_collide_report report = {0};
    bw_collide_desc desc = {
        .mode = BW_COLLIDE_ALL, .box_test = test, .hits = hits, .hit_capacity = truth->count + 1};
    must(bw_collide(a, b, &desc, &report, NULL) == BW_OK);
    must(report.status == BW_DONE && report.hit_count == truth->count);
    bw_hits_sort(hits, truth->count);
    uint64_t touching = 0;
    for (size_t i = 0; i < truth->count; i++) {
        must(hits[i].a == truth->hits[i].a && hits[i].b == truth->hits[i].b &&
             hits[i].kind == truth->hits[i].kind);
        touching += hits[i].kind == BW_CONTACT_TOUCHING;
    }
    must(report.touching_count == touching);
    desc = (bw_collide_desc){.mode = BW_COLLIDE_COUNT, .box_test = test};
    must(bw_collide(a, b, &desc, &report, NULL) == BW_OK && report.hit_count == truth->count);
    desc.mode = BW_COLLIDE_ANY;
    must(bw_collide(a, b, &desc, &report, NULL) == BW_OK && report.hit_count == (truth->count > 0));
    free(hits);
}

static void try_collide(const bw_body *a, const bw_body *b, uint32_t quarantine)
{
    bw_collide_report report = {0};
    bw_result result = bw_collide(a, b, &(bw_collide_desc){.mode = BW_COLLIDE_COUNT}, &report, NULL);
    bw_transform inverse, relative;
    if (a->pose != NULL && bw_transform_invert(a->pose, &inverse) != BW_OK) {
        must(result == bw_transform_invert(a->pose, &inverse));
        return;
    }
    bool posed = bw_brute_relative(a->pose, b->pose, &relative);
    if (!answerable(a, b, &relative, posed)) {
        must(result == BW_OK || result == BW_ERROR_RANGE || result == BW_ERROR_NOT_FINITE);
        return;
    }
    if (result == BW_ERROR_RANGE || result == BW_ERROR_NOT_FINITE)
        return; /* the bound that decides it is a little wider than the coordinates */
    must(result == BW_OK);
    bw_hit_list truth = bw_brute_force(a->mesh, b->mesh, posed ? &relative : NULL, quarantine);
    for (int test = BW_BOX_TEST_DEFAULT; test <= BW_BOX_TEST_SAT_LITE; test++)
        expect_hits(a, b, (bw_box_test)test, &truth);
    bw_hit_list_free(&truth);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    uint8_t form = bytes_u8(&b), set = bytes_u8(&b);
    if (form >= 128)
        bytes_go_on(&b);
    must(strlen(bw_result_string((bw_result)form)) > 0);
    uint32_t quarantine = set & BW_DEFECTS_ALL;
    if (set & 1)
        quarantine |= BW_DEFECTS_FATAL;
    bw_transform poses[2];
    const bw_transform *pose_a = fuzz_pose_take(&b, &poses[0]), *pose_b = fuzz_pose_take(&b, &poses[1]);
    bw_tree_desc desc = bw_tree_form_desc(bw_tree_forms[form % BW_TREE_FORMS]);
    desc.quarantine = quarantine;
    fuzz_mesh meshes[2];
    bw_tree *trees[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        fuzz_mesh_take(&meshes[i], &b);
        try_validate(&meshes[i]);
        try_adjacency(&meshes[i]);
        trees[i] = try_tree(&meshes[i], &desc);
    }
    bw_body bodies[2] = {{trees[0], &meshes[0].mesh, pose_a}, {trees[1], &meshes[1].mesh, pose_b}};
    if (trees[0] != NULL && trees[1] != NULL) {
        try_collide(&bodies[0], &bodies[1], quarantine);
        /* After a refit the quarantine is the one of the creation: brute force would look for new defects, so
         * only sets without zero areas can be compared. */
        bool wide = desc.volume == BW_VOLUME_AABB && desc.builder != BW_BUILDER_MIDPOINT;
        try_refit(&meshes[0], trees[0], wide, &b);
        if ((quarantine & BW_DEFECT_BIT(BW_DEFECT_ZERO_AREA)) == 0 &&
            bw_mesh_primitive_count(&meshes[0].mesh) > 0) {
            uint32_t out;
            bw_tree_quarantine(trees[0], &out);
            if (out == 0)
                try_collide(&bodies[0], &bodies[1], quarantine);
        }
    }
    for (int i = 0; i < 2; i++) {
        bw_tree_destroy(trees[i]);
        fuzz_mesh_free(&meshes[i]);
    }
    return 0;
}
