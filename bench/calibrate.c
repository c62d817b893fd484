/* Makes the built-in models of src/anytime: `./dev calibrate` writes model_builtin.c. The same bytes every
 * time: bodies, poses and fits are made by arithmetic that rounds alike everywhere, and four digits are kept.
 * The objects are none of those that the bench measures. */
#include "scenes/scenes.h"

#include <boxwood/boxwood.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };

typedef struct object {
    bws_mesh mesh;
    bw_mesh view;
    bw_tree *tree;
    bw_adb *adb;
} object;

static void require(bw_result result)
{
    if (result == BW_OK)
        return;
    fprintf(stderr, "calibrate: %s\n", bw_result_string(result));
    exit(1);
}

static void make_object(object *o)
{
    o->view = bws_view(&o->mesh);
    require(bw_tree_create(NULL, &o->view, NULL, &o->tree));
    require(bw_adb_create(NULL, o->tree, &o->view, &o->adb));
}

static uint32_t make_shells(object *out)
{
    uint32_t n = 0;
    require(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 50, .amplitude = 0.3, .waves = 5, .seed = 71},
                             BW_F32, &out[n++].mesh));
    require(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 70, .amplitude = 0.04, .waves = 25, .seed = 72},
                             BW_F32, &out[n++].mesh));
    require(bws_torus(NULL, BW_F32, &out[n++].mesh));
    require(bws_lathe(&(bws_lathe_desc){.triangles = 40000}, BW_F32, &out[n++].mesh));
    require(bws_sheet(&(bws_sheet_desc){.amplitude = 0.15, .waves = 1.5}, 0.0, BW_F32, &out[n++].mesh));
    require(bws_needle_sphere(&(bws_needle_desc){.triangles = 12000, .aspect = 20, .twist = 1}, BW_F32,
                              &out[n++].mesh));
    return n;
}

static uint32_t make_parts(object *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 3; i++) {
        require(bws_pipes(
            &(bws_parts_desc){.triangles = 20000 + 15000 * i, .parts = 9 + 12 * i, .seed = 73 + 10 * i},
            BW_F32, &out[n++].mesh));
        require(bws_plates(
            &(bws_parts_desc){.triangles = 40000 - 10000 * i, .parts = 12 + 14 * i, .seed = 74 + 10 * i},
            BW_F32, &out[n++].mesh));
    }
    return n;
}

static uint32_t make_rods(object *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 4; i++)
        require(bws_spikes(
            &(bws_parts_desc){.triangles = 15000 + 10000 * i, .parts = 25 + 20 * i, .seed = 75 + 10 * i},
            BW_F32, &out[n++].mesh));
    return n;
}

/* What there is before any observation: the overlap of two normal distributions. */
static void start_model(bw_adb_model *out)
{
    for (int s = 0; s < BW_ADB_CLASSES; s++)
        for (int k = 0; k < BW_ADB_KNOTS; k++)
            out->hazard[s][k] = (float)fmax(1e-4, 3.0 * exp(-0.5 * (k / 5.0) * (k / 5.0)));
    for (int k = 0; k < BW_ADB_KNOTS; k++)
        out->whole[k] = out->hazard[0][k];
    for (int r = 0; r < BW_ADB_ENDS; r++)
        for (int k = 0; k < BW_ADB_LEVELS; k++)
            out->end[r][k] = (float)-expm1(-exp2(k / 2.0 - 9.0));
    for (int i = 0; i < BW_ADB_SETTINGS; i++)
        out->setting[i] = (bw_adb_setting){0};
}

static void train(object *objects, uint32_t count, bw_adb_poses kind, uint32_t poses, bw_adb_model *out)
{
    bw_adb_example examples[MOST] = {0};
    bw_adb_model start;
    start_model(&start);
    for (uint32_t i = 0; i < count; i++) {
        bw_adb_body body = {objects[i].adb, &objects[i].view, NULL};
        bw_transform *drawn = calloc(poses, sizeof *drawn);
        if (drawn == NULL)
            require(BW_ERROR_MEMORY);
        require(bw_adb_draw_poses(&body, &body, kind, 1000 + i, drawn, poses));
        examples[i] = (bw_adb_example){body, body, drawn, poses};
    }
    bw_adb_train_desc desc = {.prior = &start, .prior_weight = 4.0};
    if (kind == BW_ADB_POSES_SPREAD) { /* errors vary less from body to body than near contact */
        desc.mean_share = 0.6;
        desc.worst_share = 2.0;
    }
    require(bw_adb_train(examples, count, &desc, out));
    for (uint32_t i = 0; i < count; i++)
        free((void *)examples[i].poses);
}

/* C wants a point or an exponent in a float. */
static void print_float(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    bool plain = true;
    for (const char *c = text; *c != '\0'; c++)
        plain &= *c != '.' && *c != 'e';
    printf("%s%sf", text, plain ? ".0" : "");
}

static void print_row(const char *name, const float *values, int count)
{
    printf("    .%s = {", name);
    for (int k = 0; k < count; k++) {
        printf("%s", k == 0 ? "" : ", ");
        print_float((double)values[k]);
    }
    printf("},\n");
}

static void print_rows(const char *name, const float *values, int rows, int columns)
{
    printf("    .%s =\n        {\n", name);
    for (int r = 0; r < rows; r++) {
        printf("            {");
        for (int k = 0; k < columns; k++) {
            printf("%s", k == 0 ? "" : ", ");
            print_float((double)values[r * columns + k]);
        }
        printf("},\n");
    }
    printf("        },\n");
}

static void print_model(int poses, int kind, const bw_adb_model *m)
{
    static const char *const of_poses[] = {"SPREAD", "CONTACT"}, *const of_kind[] = {"SHELL", "PARTS",
                                                                                     "RODS"};
    printf("    [BW_ADB_POSES_%s][BW_ADB_KIND_%s] = {\n", of_poses[poses], of_kind[kind]);
    print_rows("hazard", &m->hazard[0][0], BW_ADB_CLASSES, BW_ADB_KNOTS);
    print_row("whole", m->whole, BW_ADB_KNOTS);
    print_rows("end", &m->end[0][0], BW_ADB_ENDS, BW_ADB_LEVELS);
    printf("    .setting =\n        {\n");
    for (int i = 0; i < BW_ADB_SETTINGS && m->setting[i].error > 0.0f; i++) {
        const bw_adb_setting *s = &m->setting[i];
        printf("            {");
        print_float((double)s->error);
        printf(", {");
        for (int k = 0; k < BW_ADB_STAGES; k++) {
            printf("%s", k == 0 ? "" : ", ");
            print_float((double)s->sure[k]);
        }
        printf("}, ");
        print_float((double)s->prune);
        printf("},\n");
    }
    printf("        },\n    },\n");
}

enum { KINDS = 3 };

int main(int argc, char **argv)
{
    object objects[KINDS][MOST];
    uint32_t count[KINDS] = {make_shells(objects[BW_ADB_KIND_SHELL]), make_parts(objects[BW_ADB_KIND_PARTS]),
                             make_rods(objects[BW_ADB_KIND_RODS])},
             poses = argc > 1 ? (uint32_t)atoi(argv[1]) : 2000;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < count[kind]; i++)
            make_object(&objects[kind][i]);
    printf("/* Made by ./dev calibrate (bench/calibrate.c), %u poses an object: not to be edited. */\n"
           "#include \"anytime/model.h\"\n\n/* clang-format off */\n"
           "const bw_adb_model bw_adb_models[2][%d] = {\n",
           poses, KINDS);
    for (int drawn = 0; drawn < 2; drawn++)
        for (int kind = 0; kind < KINDS; kind++) {
            bw_adb_model model;
            train(objects[kind], count[kind], (bw_adb_poses)drawn, poses, &model);
            print_model(drawn, kind, &model);
        }
    printf("};\n");
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < count[kind]; i++) {
            bw_adb_destroy(objects[kind][i].adb);
            bw_tree_destroy(objects[kind][i].tree);
            bws_mesh_free(&objects[kind][i].mesh);
        }
    return 0;
}
