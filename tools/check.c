/* boxwood check: do two files touch or cross, which triangles, where. */
#include "body.h"
#include "check_budget.h"
#include "commands.h"
#include "interrupt.h"
#include "pose.h"
#include "printable.h"
#include "progress.h"
#include "table.h"
#include "units.h"

#include <boxwood/collide.h>
#include <inttypes.h>
#include <stdlib.h>

static const option_spec options[] = {
    {"pose-a", "POSE", "place A first"},
    {"pose-b", "POSE", "place B first"},
    SCALE_OPTION,
    UP_OPTION,
    {"all", NULL, "find every pair of triangles in contact, not just whether there is one"},
    {"limit", "N", "with --all: list the first N pairs only; all are still counted"},
    {"budget", "TIME", "answer within this time, such as 2us, and say how far to trust the answer"},
    {"steps", "N", "the same, within N steps"},
    {"quality", "SHARE", "the same, as soon as no more than this share of answers is wrong, such as 0.5%"},
    {"near", NULL, "with these: the bodies are known to be close to contact"},
    {"verify", NULL, "with these: give the exact answer beside it"},
    {"quarantine", NULL,
     "leave out triangles with defects (NaN, infinite or huge coordinates,\n"
     "vertices that do not exist) instead of refusing the file"},
    {"counts", NULL, "say how many nodes were visited and how many tests were made"},
    {"json", NULL, "print one JSON document"},
    {NULL, NULL, NULL}};

/* Contacts that the progress line learns of at a time. */
enum { FOUND_AT_A_TIME = 256 };

typedef struct check {
    body a, b;
    bw_transform pose_a, pose_b;
    bool posed_a, posed_b;
    bool all;
    uint64_t limit; /* pairs to keep */
    bw_hit *hits;
    size_t kept, capacity;
    uint64_t taken; /* hits */
    double unit;    /* of the coordinates, in metres; 0: nobody says */
    model_up up;
    bw_collide_report report;
    double seconds;
} check;

static bool keep_hit(void *user, const bw_hit *hit)
{
    check *c = user;
    if (++c->taken % FOUND_AT_A_TIME == 0)
        progress_found(FOUND_AT_A_TIME);
    if (c->kept < c->limit) {
        c->hits = tool_grow(c->hits, c->kept, &c->capacity, sizeof *c->hits);
        c->hits[c->kept++] = *hit;
    }
    return true;
}

static bool still_wanted(void *user)
{
    (void)user;
    return !interrupt_asked();
}

static bool collide(check *c, fault *why)
{
    progress_step("checking %s against %s", c->a.model.file, c->b.model.file);
    bw_body a = {c->a.tree, &c->a.mesh, NULL}; /* its pose is in its vertices already */
    bw_body b = {c->b.tree, &c->b.mesh, c->posed_b ? &c->pose_b : NULL};
    bw_collide_desc desc = {.mode = c->all ? BW_COLLIDE_ALL : BW_COLLIDE_ANY,
                            .on_hit = keep_hit,
                            .user = c,
                            .progress = {still_wanted, NULL}};
    interrupt_watch();
    double start = seconds_now();
    bw_result result = bw_collide(&a, &b, &desc, &c->report, NULL);
    c->seconds = seconds_now() - start;
    interrupt_unwatch();
    progress_end();
    if (result == BW_ERROR_RANGE)
        return fault_set(why, CHECK_RANGE, c->b.model.file);
    return result == BW_OK || fault_set(why, "%s", bw_result_string(result));
}

/* Both in one space, then A at its pose. */
static bool read_both(const args *given, check *c, fault *why)
{
    unit_wish wish = {.scale = NULL};
    bool fine = unit_wish_read(given, 2, &wish, why) && body_read(given->names[0], NULL, &c->a, why) &&
                body_read(given->names[1], NULL, &c->b, why);
    if (fine) {
        units common;
        units_decide((const model *const[]){&c->a.model, &c->b.model}, 2, &wish, &common);
        if (common.moved[0])
            model_transform(&c->a.model, &common.maps[0]);
        if (common.moved[1])
            model_transform(&c->b.model, &common.maps[1]);
        if (c->posed_a)
            model_transform(&c->a.model, &c->pose_a);
        c->unit = common.unit;
        c->up = common.up;
        units_free(&common);
    }
    unit_wish_free(&wish);
    return fine;
}

static bool open_bodies(const args *given, check *c, fault *why)
{
    const char *pose_a = args_value(given, "pose-a"), *pose_b = args_value(given, "pose-b");
    bool quarantine = args_given(given, "quarantine");
    c->posed_a = pose_a != NULL;
    c->posed_b = pose_b != NULL;
    if ((pose_a && !pose_parse(pose_a, "pose-a", &c->pose_a, why)) ||
        (pose_b && !pose_parse(pose_b, "pose-b", &c->pose_b, why)))
        return false;
    return read_both(given, c, why) && body_build(&c->a, quarantine, why) &&
           body_build(&c->b, quarantine, why);
}

/* The corners as they were tested: those of B mapped as bw_collide maps them. */
static void contact_of(const check *c, const bw_hit *hit, bw_triangle_contact *out)
{
    bw_vec3 a[3], b[3];
    bw_mesh_corners(&c->a.mesh, hit->a, a);
    bw_mesh_corners(&c->b.mesh, hit->b, b);
    for (int k = 0; k < 3 && c->posed_b; k++)
        b[k] = bw_transform_point(&c->pose_b, b[k]);
    bw_triangle_triangle_contact(a, b, out);
}

static const char *kind_word(bw_contact_kind kind)
{
    return kind == BW_CONTACT_CROSSING ? "crossing" : kind == BW_CONTACT_TOUCHING ? "touching" : "none";
}

static bw_contact_kind whole_kind(const check *c)
{
    return c->report.hit_count == 0                         ? BW_CONTACT_NONE
           : c->report.touching_count < c->report.hit_count ? BW_CONTACT_CROSSING
                                                            : BW_CONTACT_TOUCHING;
}

static uint32_t quarantined(const body *b)
{
    uint32_t count;
    bw_tree_quarantine(b->tree, &count);
    return count;
}

static void print_body(const char *letter, const body *b)
{
    cell c[2];
    printf("%s: %s, %s %s", letter, printable(b->model.file),
           count_cell(&c[0], bw_mesh_primitive_count(&b->mesh)), body_kind(b));
    if (quarantined(b) > 0)
        printf(", %s of them with defects and left out", count_cell(&c[1], quarantined(b)));
    putchar('\n');
}

static void print_pair(const check *c, const bw_hit *hit)
{
    char a[640], b[640], x[3][32];
    bw_triangle_contact contact;
    contact_of(c, hit, &contact);
    body_name(&c->a, hit->a, a, sizeof a);
    body_name(&c->b, hit->b, b, sizeof b);
    printf("  A %s, B %s: %s%s at", printable(a), printable(b), kind_word(hit->kind),
           contact.coplanar ? " in one plane" : "");
    for (uint32_t i = 0; i < contact.point_count; i++) {
        const bw_vec3 *p = &contact.points[i];
        printf("%s (%s, %s, %s)", i > 0 ? " to" : "", number_text(p->x, x[0]), number_text(p->y, x[1]),
               number_text(p->z, x[2]));
    }
    putchar('\n');
}

static void print_text(const check *c, bool counts)
{
    cell n[4];
    const bw_collide_report *r = &c->report;
    print_body("A", &c->a);
    print_body("B", &c->b);
    bool cut = r->status == BW_STOPPED;
    if (cut && r->hit_count == 0)
        puts("interrupted: nothing was found until then, and not everything was looked at");
    else if (r->hit_count == 0)
        puts("apart: no two primitives touch or cross");
    else if (c->all)
        printf("in contact: %s%s pair%s, %s crossing and %s only touching\n", cut ? "interrupted after " : "",
               count_cell(&n[0], r->hit_count), plural(r->hit_count),
               count_cell(&n[1], r->hit_count - r->touching_count), count_cell(&n[2], r->touching_count));
    else
        puts("in contact; the first pair found (--all finds every one):");
    for (size_t i = 0; i < c->kept; i++)
        print_pair(c, &c->hits[i]);
    if (c->all && c->kept < r->hit_count)
        printf("  and %s more that --limit leaves unlisted\n", count_cell(&n[0], r->hit_count - c->kept));
    if (counts)
        printf(
            "visited %s pairs of nodes, %s box tests, %s triangle tests (%s needed exact arithmetic), %s\n",
            count_cell(&n[0], r->nodes_visited), count_cell(&n[1], r->box_tests),
            count_cell(&n[2], r->primitive_tests), count_cell(&n[3], r->exact_tests),
            time_cell(&(cell){""}, c->seconds));
}

static void json_body(json_writer *j, const char *key, const body *b, const bw_transform *pose)
{
    jw_object(j, key);
    jw_string(j, "file", b->model.file);
    jw_string(j, "kind", body_kind(b));
    jw_count(j, "vertices", b->mesh.vertex_count);
    jw_count(j, "primitives", bw_mesh_primitive_count(&b->mesh));
    jw_count(j, "quarantined", quarantined(b));
    if (pose) {
        jw_flat_array(j, "pose");
        for (int i = 0; i < 12; i++)
            jw_number(j, NULL, pose->m[i / 4][i % 4]);
        jw_array_end(j);
    }
    jw_object_end(j);
}

static void json_pair(json_writer *j, const check *c, const bw_hit *hit)
{
    bw_triangle_contact contact;
    contact_of(c, hit, &contact);
    jw_object(j, NULL);
    body_json(&c->a, hit->a, j, "a");
    body_json(&c->b, hit->b, j, "b");
    jw_string(j, "kind", kind_word(hit->kind));
    jw_bool(j, "coplanar", contact.coplanar);
    jw_flat_array(j, "points");
    for (uint32_t i = 0; i < contact.point_count; i++)
        jw_vec3(j, NULL, contact.points[i]);
    jw_array_end(j);
    jw_object_end(j);
}

static void print_json(const check *c, bool counts)
{
    const bw_collide_report *r = &c->report;
    json_writer j = jw_start(stdout);
    jw_object(&j, NULL);
    json_body(&j, "a", &c->a, c->posed_a ? &c->pose_a : NULL);
    json_body(&j, "b", &c->b, c->posed_b ? &c->pose_b : NULL);
    units_json(c->unit, c->up, &j);
    jw_bool(&j, "in_contact", r->hit_count > 0);
    jw_bool(&j, "complete", r->status == BW_DONE);
    jw_string(&j, "kind", kind_word(whole_kind(c)));
    jw_count(&j, "pairs_found", r->hit_count);
    jw_count(&j, "pairs_touching", r->touching_count);
    jw_array(&j, "pairs");
    for (size_t i = 0; i < c->kept; i++)
        json_pair(&j, c, &c->hits[i]);
    jw_array_end(&j);
    if (counts) {
        jw_object(&j, "counts");
        jw_count(&j, "nodes_visited", r->nodes_visited);
        jw_count(&j, "box_tests", r->box_tests);
        jw_count(&j, "primitive_tests", r->primitive_tests);
        jw_count(&j, "exact_tests", r->exact_tests);
        jw_number(&j, "seconds", c->seconds);
        jw_object_end(&j);
    }
    jw_object_end(&j);
    jw_finish(&j);
}

/* The answer within a budget, which need not be exact. */
static int run_budget(const args *given, budget *limits)
{
    fault why;
    check c = {.limit = UINT64_MAX};
    bool fine =
        open_bodies(given, &c, &why) && budget_run(limits, &c.a, &c.b, c.posed_b ? &c.pose_b : NULL, &why);
    if (fine && args_given(given, "json")) {
        json_writer j = jw_start(stdout);
        jw_object(&j, NULL);
        json_body(&j, "a", &c.a, c.posed_a ? &c.pose_a : NULL);
        json_body(&j, "b", &c.b, c.posed_b ? &c.pose_b : NULL);
        budget_print_json(limits, &j);
        jw_object_end(&j);
        jw_finish(&j);
    } else if (fine) {
        print_body("A", &c.a);
        print_body("B", &c.b);
        budget_print(limits);
    }
    int result = !fine ? complain("%s", why.text) : limits->answer.collision ? EXIT_CONTACT : EXIT_APART;
    body_free(&c.a);
    body_free(&c.b);
    return result;
}

static int run(const args *given)
{
    fault why;
    budget limits;
    if (!budget_parse(given, &limits, &why))
        return complain("%s", why.text);
    if (limits.given)
        return run_budget(given, &limits);
    check c = {.all = args_given(given, "all"), .limit = UINT64_MAX};
    if (args_given(given, "limit") && !c.all)
        return complain("--limit goes with --all");
    bool fine = args_count(given, "limit", 0, UINT64_MAX, &c.limit, &why) && open_bodies(given, &c, &why) &&
                collide(&c, &why);
    if (fine)
        (args_given(given, "json") ? print_json : print_text)(&c, args_given(given, "counts"));
    int result = !fine                           ? complain("%s", why.text)
                 : c.report.status == BW_STOPPED ? complain("interrupted: this is what was found until then")
                 : c.report.hit_count > 0        ? EXIT_CONTACT
                                                 : EXIT_APART;
    free(c.hits);
    body_free(&c.a);
    body_free(&c.b);
    return result;
}

const command command_check = {
    "check",
    "do two files touch or cross, which triangles, where",
    "A B [--pose-a POSE] [--pose-b POSE] [--all] [--json]",
    "Looks for triangles (or points of a cloud) of A and B that share a point. The answer is\n"
    "exact for the coordinates in the files, mapped by the poses and rounded to doubles: no\n"
    "tolerance, touching included. Only surfaces meet: a body that floats inside another is\n"
    "apart from it. Points of contact are rounded. Numbers of triangles, faces and points\n"
    "count from 0, lines from 1; triangles are those of boxwood export.\n" UNITS_HELP "\n"
    "\n"
    "With --budget, --steps or --quality the answer may be an estimate; then its confidence is\n"
    "printed, calibrated on poses at which bodies commonly overlap (--near: on poses close to\n"
    "contact), and the places where contact is likeliest.\n"
    "\n" POSE_HELP,
    options,
    "examples:\n"
    "  boxwood check bunny.obj teapot.stl\n"
    "  boxwood check cup.glb table.obj --pose-a \"rz=45 t=0,0,0.75\" --all --limit 10\n"
    "  boxwood check a.ply b.ply --pose-b 1,0,0,5,0,1,0,0,0,0,1,0 --all --json\n"
    "  boxwood check scene:torus scene:pot --counts && echo they are apart\n"
    "  boxwood check a.ply b.ply --budget 2us --verify\n"
    "\n"
    "exit codes: 0 apart, 1 in contact, 2 error\n",
    2,
    2,
    run};
