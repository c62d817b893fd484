/* boxwood demo: built-in scenes move, deform and collide. */
#include "commands.h"
#include "demo/album.h"
#include "json.h"
#include "progress.h"
#include "stage.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>

static const option_spec options[] = {
    {"size", "N", "triangles of each mesh, about (default 20000)"},
    {"out", "DIR", "leave pages with the acts in 3D, pictures, and an index.html in DIR"},
    {"json", NULL, "print one JSON document"},
    {NULL, NULL, NULL}};

/* Of the film; and its steps between two that are told. */
#define SECONDS_A_STEP 0.4
enum { FILM_STEPS = 5 };

typedef struct show {
    uint32_t size; /* triangles wanted */
    bool as_json;
    json_writer json;
    int act; /* the present one, from 1 */
    uint64_t contacts, sampled, wrong;
    album album;
    int finer; /* steps of the film to one that is told */
} show;

static void act_begins(show *s, const stage *g, const char *title, const char *text)
{
    cell c[4];
    s->act++;
    s->album.title = title;
    s->album.text = text;
    if (s->as_json) {
        json_writer *j = &s->json;
        jw_object(j, NULL);
        jw_string(j, "act", title);
        jw_count(j, "triangles_a", g->views[0].triangle_count);
        jw_count(j, "triangles_b", g->views[1].triangle_count);
        jw_number(j, "build_seconds_a", g->build_seconds[0]);
        jw_number(j, "build_seconds_b", g->build_seconds[1]);
        jw_array(j, "frames");
        return;
    }
    printf("%d. %s\n   %s\n", s->act, title, text);
    printf("   %s and %s triangles, trees built in %s and %s\n\n",
           count_cell(&c[0], g->views[0].triangle_count), count_cell(&c[1], g->views[1].triangle_count),
           time_cell(&c[2], g->build_seconds[0]), time_cell(&c[3], g->build_seconds[1]));
    printf("   %-14s %-9s %9s %9s %11s %14s %9s %9s\n", "when", "contact", "pairs", "touching", "box tests",
           "triangle tests", "refit", "query");
}

static const char *contact_word(const bw_collide_report *r)
{
    return r->hit_count == 0 ? "-" : r->touching_count < r->hit_count ? "CROSSING" : "TOUCHING";
}

static void act_frame(show *s, const char *when, const frame *f)
{
    const bw_collide_report *r = &f->report;
    s->contacts += r->hit_count;
    s->sampled += f->sampled;
    s->wrong += f->wrong;
    if (s->as_json) {
        json_writer *j = &s->json;
        jw_flat_object(j, NULL);
        jw_string(j, "when", when);
        jw_count(j, "pairs", r->hit_count);
        jw_count(j, "touching", r->touching_count);
        jw_count(j, "box_tests", r->box_tests);
        jw_count(j, "primitive_tests", r->primitive_tests);
        jw_count(j, "exact_tests", r->exact_tests);
        jw_number(j, "refit_seconds", f->refit_seconds);
        jw_number(j, "query_seconds", f->query_seconds);
        jw_count(j, "sampled", f->sampled);
        jw_count(j, "wrong", f->wrong);
        jw_object_end(j);
        return;
    }
    cell c[6];
    printf("   %-14s %-9s %9s %9s %11s %14s %9s %9s%s\n", when, contact_word(r),
           count_cell(&c[0], r->hit_count), count_cell(&c[1], r->touching_count),
           count_cell(&c[2], r->box_tests), count_cell(&c[3], r->primitive_tests),
           f->refit_seconds > 0 ? time_cell(&c[4], f->refit_seconds) : "-",
           time_cell(&c[5], f->query_seconds), f->wrong > 0 ? "  WRONG" : "");
    fflush(stdout);
}

static bool act_ends(show *s, stage *g, bool fine, fault *why)
{
    fine = fine && album_end_act(&s->album, g, why);
    stage_end(g);
    if (s->as_json) {
        jw_array_end(&s->json);
        jw_object_end(&s->json);
    } else {
        putchar('\n');
    }
    return fine;
}

static bool act_starts(show *s, stage *g, bw_result made, bws_mesh *a, bws_mesh *b, fault *why)
{
    if (made != BW_OK) {
        bws_mesh_free(a);
        bws_mesh_free(b);
        return fault_set(why, "making a scene: %s", bw_result_string(made));
    }
    progress_step("act %d", s->act + 1);
    bool fine = stage_start(g, a, b, why);
    progress_end();
    return fine;
}

/* Two scenes by name. */
static bool cast(show *s, stage *g, const char *name_a, const char *name_b, fault *why)
{
    bws_mesh a = {.positions = NULL}, b = {.positions = NULL};
    bw_result made = bws_scene_find(name_a)->make(s->size, BW_F32, &a);
    if (made == BW_OK)
        made = bws_scene_find(name_b)->make(s->size, BW_F32, &b);
    return act_starts(s, g, made, &a, &b, why);
}

/* Every finer-th step is told; the others are for the film only. */
static bool show_frame(show *s, stage *g, int step, const char *when, const bw_transform *pose, bool deformed,
                       fault *why)
{
    frame f = {.refit_seconds = 0};
    bool told = step % s->finer == 0;
    uint64_t hits = 0;
    progress_step("act %d, %s", s->act, when);
    bool fine = (!deformed || stage_refit(g, &f, why)) &&
                (told ? stage_query(g, pose, &f, why) : stage_contacts(g, pose, &hits, why));
    progress_end();
    if (!fine)
        return false;
    if (told)
        act_frame(s, when, &f);
    album_add(&s->album, g, told ? f.report.hit_count : hits, pose, SECONDS_A_STEP * step / s->finer);
    return true;
}

/* Who is on the stage, for the film. */
static void name_cast(show *s, const char *a, const char *b)
{
    s->album.name_a = a;
    s->album.name_b = b;
}

static bool rigid_act(show *s, fault *why)
{
    stage g = {.hits = NULL};
    if (!cast(s, &g, "pot", "torus", why))
        return false;
    act_begins(s, &g, "A ring flies through a teapot", "The trees stay as they are: only the pose changes.");
    bool fine = true;
    name_cast(s, "Teapot", "Ring");
    for (int i = 0; i <= 10 * s->finer && fine; i++) {
        char when[32];
        double t = i / (10.0 * s->finer);
        bw_transform pose = bw_transform_compose((bw_vec3){4 - 8 * t, 0.2, 0.7}, (bw_vec3){1, 2, 3}, 5 * t,
                                                 (bw_vec3){1, 1, 1});
        snprintf(when, sizeof when, "t = %.1f", t);
        fine = show_frame(s, &g, i, when, &pose, false, why);
    }
    return act_ends(s, &g, fine, why);
}

static bool stretch_act(show *s, fault *why)
{
    stage g = {.hits = NULL};
    if (!cast(s, &g, "torus", "needles", why))
        return false;
    act_begins(s, &g, "A ball of needles is stretched through a ring",
               "Any affine pose works, a different scale along each axis too, and costs no refit.");
    bool fine = true;
    name_cast(s, "Ring", "Needles");
    for (int i = 0; i <= 6 * s->finer && fine; i++) {
        char when[32];
        double step = (double)i / s->finer, z = 0.4 + 0.4 * step, thin = 0.95 - 0.08 * step;
        bw_transform pose = bw_transform_compose((bw_vec3){0.1, 0, 0}, (bw_vec3){1, 0, 0}, 0.1 * step,
                                                 (bw_vec3){thin, 0.8 * thin, z});
        snprintf(when, sizeof when, "length %.1f", z);
        fine = show_frame(s, &g, i, when, &pose, false, why);
    }
    return act_ends(s, &g, fine, why);
}

static bool cloth_act(show *s, fault *why)
{
    uint32_t side = (uint32_t)fmax(1, sqrt(s->size / 2.0));
    bws_sheet_desc lower = {.columns = side, .rows = side}, upper = lower;
    upper.phase = 0.3;
    upper.waves = 3;
    bws_mesh a = {.positions = NULL}, b = {.positions = NULL};
    upper.origin.z = 0.3;
    bw_result made = bws_sheet(&lower, 0, BW_F32, &a);
    if (made == BW_OK)
        made = bws_sheet(&upper, 0, BW_F32, &b);
    stage g = {.hits = NULL};
    if (!act_starts(s, &g, made, &a, &b, why))
        return false;
    act_begins(s, &g, "Two waving cloths sink through each other",
               "Every vertex moves in every frame: both trees are refitted, not rebuilt.");
    bool fine = true;
    name_cast(s, "Lower cloth", "Upper cloth");
    for (int i = 0; i <= 12 * s->finer && fine; i++) {
        char when[32];
        double t = i / (12.0 * s->finer);
        upper.origin.z = 0.3 - 0.6 * t;
        bws_sheet_move(&lower, t, &g.meshes[0]);
        bws_sheet_move(&upper, t, &g.meshes[1]);
        snprintf(when, sizeof when, "t = %.2f", t);
        fine = show_frame(s, &g, i, when, NULL, true, why);
    }
    return act_ends(s, &g, fine, why);
}

/* A square in the plane z = 0. */
static bw_result ground(bws_mesh *out)
{
    bw_result made = bws_sheet(&(bws_sheet_desc){.columns = 1, .rows = 1, .size = 4}, 0, BW_F64, out);
    for (uint32_t v = 0; made == BW_OK && v < out->vertex_count; v++) {
        bw_vec3 p = bws_mesh_vertex(out, v);
        bws_mesh_set_vertex(out, v, (bw_vec3){p.x, p.y, 0});
    }
    return made;
}

static bool exact_act(show *s, fault *why)
{
    bws_mesh a = {.positions = NULL}, b = {.positions = NULL};
    bw_result made = ground(&a);
    if (made == BW_OK)
        made = bws_scene_find("bumpy-sphere")->make(s->size, BW_F64, &b);
    double lowest = 0;
    for (uint32_t v = 0; made == BW_OK && v < b.vertex_count; v++)
        lowest = fmin(lowest, bws_mesh_vertex(&b, v).z);
    stage g = {.hits = NULL};
    if (!act_starts(s, &g, made, &a, &b, why))
        return false;
    act_begins(s, &g, "A ball is set down on the ground", "No tolerance decides: a gap of 1e-15 is a gap.");
    static const double heights[] = {1, 1e-3, 1e-9, 1e-15, 0, -1e-15, -1e-9, -1e-3};
    bool fine = true;
    name_cast(s, "Ground", "Ball");
    for (int i = 0; i < (int)(sizeof heights / sizeof *heights) && fine; i++) {
        char when[32];
        bw_transform pose = bw_transform_identity();
        pose.m[2][3] = heights[i] - lowest;
        snprintf(when, sizeof when, "height %g", heights[i]);
        fine = show_frame(s, &g, i * s->finer, when, &pose, false, why);
    }
    return act_ends(s, &g, fine, why);
}

static int print_end(show *s)
{
    cell c[3];
    if (s->as_json) {
        jw_array_end(&s->json);
        jw_count(&s->json, "contacts", s->contacts);
        jw_count(&s->json, "sampled", s->sampled);
        jw_count(&s->json, "wrong", s->wrong);
        jw_object_end(&s->json);
        jw_finish(&s->json);
    } else {
        printf("%s contacts in all. To verify them, in each frame 40 triangles were tested against every\n"
               "triangle of the other mesh, without trees or boxes: %s pairs, %s answered otherwise.\n",
               count_cell(&c[0], s->contacts), count_cell(&c[1], s->sampled), count_cell(&c[2], s->wrong));
        if (s->album.folder)
            printf("\n%s/index.html shows the acts in 3D.\n", s->album.folder);
    }
    return s->wrong == 0 ? 0 : complain("the sample found wrong answers: this is a bug in boxwood");
}

static int run(const args *given)
{
    static bool (*const acts[])(show *, fault *) = {rigid_act, stretch_act, cloth_act, exact_act};
    fault why;
    uint64_t size = 20000;
    if (!args_count(given, "size", 100, 10000000, &size, &why))
        return complain("%s", why.text);
    show s = {.size = (uint32_t)size,
              .as_json = args_given(given, "json"),
              .json = jw_start(stdout),
              .finer = args_given(given, "out") ? FILM_STEPS : 1};
    if (s.as_json) {
        jw_object(&s.json, NULL);
        jw_array(&s.json, "acts");
    }
    bool fine = album_start(&s.album, args_value(given, "out"), &why);
    for (size_t i = 0; i < sizeof acts / sizeof *acts && fine; i++)
        fine = acts[i](&s, &why);
    fine = fine && album_finish(&s.album, &why);
    int result = fine ? print_end(&s) : complain("%s", why.text);
    album_free(&s.album);
    return result;
}

const command command_demo = {
    "demo",
    "built-in scenes move, deform and collide; no file needed",
    "[--size N] [--out DIR] [--json]",
    "Plays four short acts and prints what collided when, how many tests it took and how\n"
    "long: rigid motion, stretching, deforming cloth, and a ball set down to the last bit.\n"
    "Times are of one thread: refit of both trees together, queries for all pairs in contact\n"
    "(the median of five). A sample of every frame is compared with plain testing.",
    options,
    "examples:\n"
    "  boxwood demo\n"
    "  boxwood demo --size 200000\n"
    "  boxwood demo --out demo\n"
    "  boxwood demo --json\n"
    "\n"
    "exit codes: 0 shown, 2 error, or the sample found a wrong answer\n",
    0,
    0,
    run};
