/* boxwood scene: a scene of many objects, how its tree serves it, and what a camera sees. */
#include "commands.h"
#include "number.h"
#include "survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 100000 };

static const option_spec options[] = {
    {"spread", "NAME",
     "without files: how objects are spread: uniform, clustered, lissajous,\n"
     "sphere (Shagam's distributions, balls of radius 1 to 10) or city"},
    {"objects", "N", "without files: how many (default 100000)"},
    {"seed", "N", "of the random numbers (default 1)"},
    {"scale", "FILE=M", "a unit of FILE is M metres, whatever it says; all files are brought to metres"},
    {"up", "FILE=AXIS", "x, y or z points up in FILE, whatever it says; all files are turned to z up"},
    {"keep-going", NULL, "skip files and parts that cannot be used, and say so"},
    {"nesting", "NAME", "auto, modern, kd, ternary, octree, icoseptree or per-node (default auto)"},
    {"leafy", NULL, "with kd, ternary, octree, icoseptree: large objects go down to leaves, too"},
    {"eye", "X,Y,Z", "where a camera stands (default: outside, looking down on the whole)"},
    {"look", "X,Y,Z", "the point it looks at (default: the middle)"},
    {"fov", "DEGREES", "its vertical angle (default 50)"},
    {"occlusion", NULL, "leave out what is hidden behind other objects, too"},
    {"depth", "OUT.png", "with --occlusion: write the depth buffer"},
    {"svg", "OUT.svg", "draw all from above: what is visible, hidden, tested in vain, outside"},
    {"nodes", NULL, "with --svg: draw the tree's nodes that are in view"},
    {"json", NULL, "print one JSON document"},
    {NULL, NULL, NULL}};

static bool read_point(const args *given, const char *name, bw_vec3 *out, fault *why)
{
    const char *text = args_value(given, name);
    double v[3];
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        const char *end;
        if (!number_begins(at, &end, &v[i]) || *end != (i < 2 ? ',' : '\0') || !isfinite(v[i]))
            return fault_set(why, "--%s %s: not three numbers X,Y,Z", name, text);
        at = end + 1;
    }
    *out = (bw_vec3){v[0], v[1], v[2]};
    return true;
}

static bool read_nesting(const args *given, survey_wish *wish, fault *why)
{
    const char *text = args_value(given, "nesting");
    int kind = 0;
    while (text != NULL && kind < NESTING_COUNT && strcmp(text, nesting_names[kind]) != 0)
        kind++;
    if (kind == NESTING_COUNT)
        return fault_set(why,
                         "--nesting %s: not known; there are auto, modern, kd, ternary, octree, icoseptree, "
                         "per-node",
                         text);
    wish->nesting = (bw_nesting)kind;
    wish->leafy = args_given(given, "leafy");
    if (wish->leafy && (kind < BW_NESTING_KD || kind == BW_NESTING_PER_NODE))
        return fault_set(why, "--leafy goes with --nesting kd, ternary, octree or icoseptree");
    return true;
}

static bool read_camera(const args *given, const crowd *c, survey_wish *wish, fault *why)
{
    static const char *const means[] = {"eye", "look", "fov", "occlusion"};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        wish->camera |= args_given(given, means[i]);
    wish->occlusion = args_given(given, "occlusion");
    if (args_given(given, "depth") && !wish->occlusion)
        return fault_set(why, "--depth goes with --occlusion");
    if (args_given(given, "depth") && !SURVEY_PNG)
        return survey_write_png(NULL, args_value(given, "depth"), why);
    if (args_given(given, "nodes") && !args_given(given, "svg"))
        return fault_set(why, "--nodes goes with --svg");
    if (!wish->camera)
        return true;
    bw_box all = c->boxes[0];
    for (uint32_t i = 0; i < c->count; i++)
        for (int a = 0; a < 3; a++) {
            all.min[a] = fminf(all.min[a], c->boxes[i].min[a]);
            all.max[a] = fmaxf(all.max[a], c->boxes[i].max[a]);
        }
    double size[3], middle[3];
    for (int a = 0; a < 3; a++) {
        size[a] = (double)all.max[a] - (double)all.min[a];
        middle[a] = 0.5 * ((double)all.min[a] + (double)all.max[a]);
    }
    double reach = fmax(fmax(size[0], size[1]), size[2]);
    /* As seen with z up, then turned to where the files have it. */
    const bw_transform to_z = units_to_z_up(c->up);
    bw_transform from_z;
    bw_transform_invert(&to_z, &from_z);
    bw_vec3 look = {middle[0], middle[1], middle[2]};
    bw_vec3 back = bw_transform_point(&from_z, (bw_vec3){-0.8 * reach, -0.6 * reach, 0.5 * reach});
    bw_vec3 eye = {look.x + back.x, look.y + back.y, look.z + back.z};
    if ((args_given(given, "look") && !read_point(given, "look", &look, why)) ||
        (args_given(given, "eye") && !read_point(given, "eye", &eye, why)))
        return false;
    double degrees = 50;
    if (!args_number(given, "fov", 1, 170, "an angle from 1 to 170", &degrees, why))
        return false;
    bw_vec3 forward = {look.x - eye.x, look.y - eye.y, look.z - eye.z};
    if (forward.x == 0 && forward.y == 0 && forward.z == 0)
        return fault_set(why, "the camera looks at the place where it stands");
    const bw_vec3 seen = bw_transform_point(&to_z, forward);
    const bool upright = seen.x == 0 && seen.y == 0; /* then north is up, as on a map */
    wish->view = (bw_view){.eye = eye,
                           .forward = forward,
                           .up = bw_transform_point(&from_z, (bw_vec3){0, upright, !upright}),
                           .fov_y = degrees * 3.14159265358979 / 180,
                           .aspect = 2,
                           .near_distance = reach > 0 ? 1e-4 * reach : 0};
    return true;
}

static bool gather(const args *given, crowd *c, uint64_t seed, fault *why)
{
    static const char *const made[] = {"spread", "objects"}, *const of_files[] = {"scale", "up"};
    uint64_t count = OBJECTS;
    for (size_t i = 0; i < sizeof made / sizeof *made && given->count > 0; i++)
        if (args_given(given, made[i]))
            return fault_set(why, "--%s goes without files", made[i]);
    if (given->count > 0) {
        unit_wish stated;
        bool fine = unit_wish_read(given, given->count, &stated, why) &&
                    crowd_read(c, given->names, given->count, &stated, args_given(given, "keep-going"), why);
        unit_wish_free(&stated);
        return fine;
    }
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
        if (args_given(given, of_files[i]))
            return fault_set(why, "--%s goes with files", of_files[i]);
    return args_count(given, "objects", 1, 1u << 26, &count, why) &&
           crowd_make(c, args_value(given, "spread"), (uint32_t)count, seed, why);
}

static int run(const args *given)
{
    fault why;
    crowd c = {.count = 0};
    survey s = {.scene = NULL};
    survey_wish wish = {.seed = 1};
    const char *depth = args_value(given, "depth"), *svg = args_value(given, "svg");
    bool fine = args_count(given, "seed", 0, UINT64_MAX, &wish.seed, &why) &&
                read_nesting(given, &wish, &why) && gather(given, &c, wish.seed, &why) &&
                read_camera(given, &c, &wish, &why) && survey_run(&s, &c, &wish, &why);
    if (fine)
        (args_given(given, "json") ? survey_print_json : survey_print_text)(&s);
    fine = fine && (depth == NULL || survey_write_png(&s, depth, &why)) &&
           (svg == NULL || survey_write_svg(&s, svg, args_given(given, "nodes"), &why));
    survey_free(&s);
    crowd_free(&c);
    return fine ? 0 : complain("%s", why.text);
}

const command command_scene = {
    "scene",
    "a scene of many objects: its tree, queries, and what a camera sees",
    "[FILE...] [--spread NAME] [--objects N] [--nesting NAME] [--eye X,Y,Z] [--occlusion]",
    "Puts the parts of files (as boxwood clash has them), or a made crowd, into one scene and\n"
    "prints how they are nested and why, memory, depth, and the time of building, of small box\n"
    "queries, of moving objects in batches and of finding all overlapping pairs of boxes. With a\n"
    "camera: what is in view, and with --occlusion what is not hidden: from files, triangles hide\n"
    "what is behind them, in a crowd of balls the cube inside each, in a city its houses.\n"
    "Up is where the files say, z where none does. " UNITS_HELP,
    options,
    "examples:\n"
    "  boxwood scene\n"
    "  boxwood scene --spread clustered --objects 1000000 --nesting octree --leafy\n"
    "  boxwood scene --spread city --eye 700,1705,2 --look 1000,1720,8 --occlusion --depth city.png\n"
    "  boxwood scene --objects 2000 --eye 0,0,60 --look 60,50,60 --svg crowd.svg --nodes\n"
    "  boxwood scene factory.glb --occlusion --svg factory.svg --json\n"
    "\n"
    "exit codes: 0 done, 2 error\n",
    0,
    -1,
    run};
