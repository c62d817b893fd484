/* Makes the built-in models of src/anytime: `./dev calibrate` writes model_builtin.c. The same bytes every
 * time: bodies, poses and fits are made by arithmetic that rounds alike everywhere, and four digits are kept.
 * The objects are none of those that the bench measures. */
#include "calibrate_bodies.h"

#include <boxwood/boxwood.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Of each family so many members; of each kind at most so many bodies. */
enum { MEMBERS = 6, MOST = 24, KINDS = BW_ADB_KIND_LOOSE + 1, MODELS = 2 * KINDS };

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

static void free_object(object *o)
{
    bw_adb_destroy(o->adb);
    bw_tree_destroy(o->tree);
    bws_mesh_free(&o->mesh);
}

static object objects[KINDS][MOST];
static uint32_t counts[KINDS], poses_each;
static bw_adb_model models[MODELS];

/* All members of all families, each to those of its kind. */
static void make_objects(void)
{
    bws_mesh mesh;
    for (uint32_t member = 0; member < MEMBERS; member++)
        for (uint32_t family = 0; calibrate_body(family, member, &mesh); family++) {
            object made = {.mesh = mesh};
            make_object(&made);
            bw_adb_stats stats;
            bw_adb_get_stats(made.adb, &stats);
            const uint32_t kind = (uint32_t)stats.kind;
            fprintf(stderr,
                    "family %u, member %u: kind %u, density %.1f, rods %.2f, filling %.3f, solidity %.3f\n",
                    family, member, kind, stats.density, stats.rods, stats.filling, stats.solidity);
            if (counts[kind] == MOST) {
                free_object(&made);
                continue;
            }
            objects[kind][counts[kind]++] = made;
        }
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

static void train(const object *of_kind, uint32_t count, bw_adb_poses kind, uint32_t poses, bw_adb_model *out)
{
    bw_adb_example examples[MOST] = {0};
    bw_adb_model start;
    start_model(&start);
    for (uint32_t i = 0; i < count; i++) {
        bw_adb_body body = {of_kind[i].adb, &of_kind[i].view, NULL};
        bw_transform *drawn = calloc(poses, sizeof *drawn);
        if (drawn == NULL)
            require(BW_ERROR_MEMORY);
        require(bw_adb_draw_poses(&body, &body, kind, 1000 + i, drawn, poses));
        examples[i] = (bw_adb_example){body, body, drawn, poses};
    }
    const bw_adb_train_desc desc = {.prior = &start, .prior_weight = 4.0};
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
    static const char *const of_poses[] = {"SPREAD", "CONTACT"}, *const of_kind[] = {"SHELL", "PARTS", "RODS",
                                                                                     "LIMBS", "LOOSE"};
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

/* Every other model from `start` on. */
static void *train_every_other(void *start)
{
    for (uint32_t m = *(uint32_t *)start; m < MODELS; m += 2)
        train(objects[m % KINDS], counts[m % KINDS], (bw_adb_poses)(m / KINDS), poses_each, &models[m]);
    return NULL;
}

int main(int argc, char **argv)
{
    poses_each = argc > 1 ? (uint32_t)atoi(argv[1]) : 1200;
    make_objects();
    pthread_t other;
    uint32_t first = 0, second = 1;
    if (pthread_create(&other, NULL, train_every_other, &second) != 0)
        require(BW_ERROR_MEMORY);
    train_every_other(&first);
    pthread_join(other, NULL);
    printf("/* Made by ./dev calibrate (bench/calibrate.c), %u poses an object: not to be edited. */\n"
           "#include \"anytime/model.h\"\n\n/* clang-format off */\n"
           "const bw_adb_model bw_adb_models[2][%d] = {\n",
           poses_each, KINDS);
    for (int m = 0; m < MODELS; m++)
        print_model(m / KINDS, m % KINDS, &models[m]);
    printf("};\n");
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < counts[kind]; i++)
            free_object(&objects[kind][i]);
    return 0;
}
