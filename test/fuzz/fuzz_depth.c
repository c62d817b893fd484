/* Contacts with points, regions, depths and volumes from arbitrary bytes: the hits of bw_collide, region by
 * region; translations that take the bodies apart; bounds in order; with a tetrahedron and with itself. */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz_body.h"

#include <boxwood/contact.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = FUZZ_MOST * FUZZ_MOST };

static bw_contact contacts[MOST];
static bw_contact_region regions[MOST];

static bool is_finite(bw_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* Every hit once, and what is said of each is a number. */
static void check_contacts(const bw_body *a, const bw_body *b, const bw_contacts_report *report)
{
    static uint8_t found[FUZZ_MOST][FUZZ_MOST];
    static bw_hit hits[MOST];
    memset(found, 0, sizeof found);
    bw_collide_report plain = {0};
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = MOST};
    must(bw_collide(a, b, &desc, &plain, NULL) == BW_OK && plain.hit_count <= MOST);
    must(report->contact_count + report->shallow_contact_count == plain.hit_count);
    for (uint64_t i = 0; i < plain.hit_count; i++)
        found[hits[i].a][hits[i].b] = (uint8_t)hits[i].kind;
    uint64_t next = 0;
    for (uint64_t r = 0; r < report->region_count; r++) {
        must(regions[r].first == next && regions[r].count > 0);
        must(regions[r].depth_lower >= 0.0 && regions[r].depth_lower <= regions[r].depth_upper);
        for (uint64_t i = 0; i < regions[r].count; i++) {
            const bw_contact *c = &contacts[next++];
            must(c->region == r && found[c->a][c->b] == (uint8_t)c->kind);
            found[c->a][c->b] = 0;
            must(c->point_count >= 1 && c->point_count <= 6 && c->depth >= 0.0);
            must(is_finite(c->point) && is_finite(c->ends[0]) && is_finite(c->ends[1]) &&
                 is_finite(c->normal));
            const bw_vec3 n = c->normal;
            const double length = n.x * n.x + n.y * n.y + n.z * n.z;
            must(length == 0.0 || fabs(length - 1.0) < 1e-9);
        }
    }
    must(next == report->contact_count);
}

/* Moved as the report says, b is apart from a. */
static void check_translation(const bw_body *a, const bw_body *b, const bw_contacts_report *report)
{
    must(report->depth_lower >= 0.0 && report->depth_lower <= report->depth_upper);
    if (report->depth_upper == INFINITY || report->depth_upper == 0.0)
        return;
    bw_transform pose = b->pose == NULL ? bw_transform_identity() : *b->pose;
    pose.m[0][3] += report->translation.x;
    pose.m[1][3] += report->translation.y;
    pose.m[2][3] += report->translation.z;
    const bw_body moved = {b->tree, b->mesh, &pose};
    bw_collide_report there = {0};
    must(bw_collide(a, &moved, &(bw_collide_desc){.containment = true}, &there, NULL) == BW_OK);
    must(there.hit_count == 0 && there.containment == BW_CONTAINMENT_NONE);
}

static void try_pair(const bw_body *a, const bw_body *b, bytes *input)
{
    const uint8_t how = bytes_u8(input);
    bw_contacts_desc desc = {.depth = (how & 1) != 0,
                             .volume = (how & 2) != 0,
                             .tolerance = (how & 4) != 0 ? ldexp(1.0, (int8_t)bytes_u8(input) / 4) : 0.0,
                             .trials = 1 + bytes_u8(input) % 32u,
                             .regions = regions,
                             .region_capacity = MOST};
    bw_contacts_report report = {0};
    bw_collide_report plain = {0};
    const bw_result result = bw_contacts(a, b, &desc, contacts, MOST, &report, NULL);
    const bw_result without = bw_collide(a, b, NULL, &plain, NULL);
    must(result == without ||
         (without == BW_OK && (result == BW_ERROR_RANGE || result == BW_ERROR_UNSUPPORTED)) ||
         (result == BW_ERROR_RANGE && without != BW_OK));
    if (result != BW_OK)
        return;
    must(report.status == BW_DONE && report.volume >= 0.0 && report.volume_error >= 0.0);
    check_contacts(a, b, &report);
    check_translation(a, b, &report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    bytes b = {data, size, 0};
    static fuzz_body body;
    if (!fuzz_body_take(&body, &b))
        return 0;
    bw_vec3 corners[4];
    const int scale = bytes_u8(&b) % 32 - 4;
    for (int i = 0; i < 4; i++)
        corners[i] = (bw_vec3){ldexp((int8_t)bytes_u8(&b), scale), ldexp((int8_t)bytes_u8(&b), scale),
                               ldexp((int8_t)bytes_u8(&b), scale)};
    const bw_mesh mesh = {
        .positions = corners, .scalar = BW_F64, .vertex_count = 4, .indices = indices, .triangle_count = 4};
    bw_transform poses[2];
    bw_tree *tree;
    must(bw_tree_create(NULL, &mesh, &tree, NULL) == BW_OK);
    const bw_body shell = {tree, &mesh, fuzz_pose_take(&b, &poses[0])};
    const bw_body other = {body.tree, body.body.mesh, fuzz_pose_take(&b, &poses[1])};
    try_pair(&shell, &body.body, &b);
    try_pair(&body.body, &shell, &b);
    try_pair(&body.body, &other, &b);
    bw_tree_destroy(tree);
    fuzz_body_free(&body);
    return 0;
}
