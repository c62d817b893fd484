/* Makes the built-in models of src/anytime: `./dev calibrate` writes model/builtin.c. The same bytes every
 * time: bodies, poses and fits are made by arithmetic that rounds alike everywhere, and four digits are kept.
 * The objects are none of those that the bench measures. */
#include "calibrate_bodies.h"

#include "anytime/train/draw.h"
#include "anytime/train/train.h"

#include <boxwood/boxwood.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Of each family so many members; of each kind at most so many bodies. */
enum { MEMBERS = 6, MOST = 120, KINDS = BW_ANYTIME_KIND_LOOSE + 1, MODELS = 2 * KINDS };
/* Poses that a body is tried at as bw_anytime_create tries it: by these settings are chosen for it, and by
 * the others it is found out how well. */
enum { REHEARSED = 1024, LINE = 4 };

typedef struct object {
    bws_mesh mesh;
    bw_mesh view;
    bw_tree *tree;
    bw_anytime *anytime;
    uint32_t family, member;
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
    require(bw_tree_create(NULL, &o->view, &o->tree, NULL));
    require(bw_anytime_create(&(bw_anytime_desc){.tries = BW_NONE}, o->tree, &o->view, &o->anytime, NULL));
}

static void free_object(object *o)
{
    bw_anytime_destroy(o->anytime);
    bw_tree_destroy(o->tree);
    bws_mesh_free(&o->mesh);
}

static object objects[KINDS][MOST];
static uint32_t counts[KINDS], poses_each;
static bw_anytime_model models[MODELS];
static bw_prospect prospects[MODELS];
static bw_tally *tallies[MODELS]; /* of each body two: as it was rehearsed, and then */

/* All members of all families, each to those of its kind. */
static void make_objects(void)
{
    bws_mesh mesh;
    for (uint32_t member = 0; member < MEMBERS; member++)
        for (uint32_t family = 0; calibrate_body(family, member, &mesh); family++) {
            object made = {.mesh = mesh, .family = family, .member = member};
            make_object(&made);
            bw_anytime_stats stats = {0};
            bw_anytime_get_stats(made.anytime, &stats);
            const uint32_t kind = (uint32_t)stats.kind;
            fprintf(stderr,
                    "family %u, member %u: kind %u, density %.1f, rods %.2f, filling %.3f, solidity %.3f\n",
                    family, member, kind, stats.density, stats.rods, stats.filling, stats.solidity);
            if (counts[kind] == MOST)
                require(BW_ERROR_SIZE);
            object *kept = &objects[kind][counts[kind]++];
            *kept = made;
            kept->view = bws_view(&kept->mesh);
        }
}

/* What there is before any observation: the overlap of two normal distributions. */
static void start_model(bw_anytime_model *out)
{
    for (int s = 0; s < BW_ANYTIME_CLASSES; s++)
        for (int k = 0; k < BW_ANYTIME_KNOTS; k++)
            out->hazard[s][k] = (float)fmax(1e-4, 3.0 * exp(-0.5 * (k / 5.0) * (k / 5.0)));
    for (int k = 0; k < BW_ANYTIME_KNOTS; k++)
        out->whole[k] = out->hazard[0][k];
    for (int r = 0; r < BW_ANYTIME_ENDS; r++)
        for (int k = 0; k < BW_ANYTIME_LEVELS; k++)
            out->end[r][k] = (float)-expm1(-exp2(k / 2.0 - 9.0));
    for (int i = 0; i < BW_ANYTIME_SETTINGS; i++)
        out->setting[i] = (bw_anytime_setting){0};
}

static bw_transform *draw(const object *o, bw_anytime_poses kind, uint64_t seed, uint32_t count,
                          bool rehearsal)
{
    const bw_body body = {o->tree, &o->view, NULL};
    bw_transform *drawn = calloc(count, sizeof *drawn);
    bw_draw d;
    if (drawn == NULL)
        require(BW_ERROR_MEMORY);
    bw_draw_init(&d, &body, &body, NULL, seed);
    if (rehearsal && kind == BW_ANYTIME_POSES_CONTACT)
        for (uint32_t k = 0; k < count; k += LINE)
            require(bw_draw_line(&d, drawn + k, LINE));
    else
        for (uint32_t k = 0; k < count; k++)
            require(bw_draw_next(&d, kind, &drawn[k]));
    return drawn;
}

static void train(const object *of_kind, uint32_t count, bw_anytime_poses kind, uint32_t model)
{
    bw_anytime_example *examples = calloc(2 * (size_t)count, sizeof *examples);
    tallies[model] = calloc(2 * (size_t)count, sizeof *tallies[model]);
    if (examples == NULL || tallies[model] == NULL)
        require(BW_ERROR_MEMORY);
    bw_anytime_model start;
    start_model(&start);
    for (uint32_t i = 0; i < count; i++) {
        const object *o = &of_kind[i];
        const bw_anytime_body body = {o->anytime, &o->view, NULL};
        const uint32_t rehearsed = kind == BW_ANYTIME_POSES_CONTACT ? REHEARSED / 2 : REHEARSED;
        examples[2 * i] =
            (bw_anytime_example){body, body, draw(o, kind, 2, rehearsed, true), rehearsed, 1 + o->family};
        examples[2 * i + 1] = (bw_anytime_example){body, body, draw(o, kind, 1000 + i, poses_each, false),
                                                   poses_each, 1 + o->family};
    }
    /* The settings of a kind are for bodies that were not tried: they hold on average. */
    const bw_anytime_train_desc desc = {.prior = &start, .prior_weight = 4.0, .worst_share = 3.0};
    require(bw_train(examples, 2 * count, &desc, tallies[model], &models[model]));
    bw_prospect_of(&models[model], tallies[model], 2 * count, &prospects[model]);
    for (uint32_t i = 0; i < 2 * count; i++)
        free((void *)examples[i].poses);
    free(examples);
}

/* ---- how bodies do that are tried by models which know none of their family ---- */

static double wrong_share(const bw_tally *t, bw_choice c)
{
    return c.exact ? 0.0 : (double)(t->mistaken[c.sure][c.prune] + t->missed[c.sure][c.prune]) / t->poses;
}

static void report(uint32_t model, double wanted)
{
    const uint32_t kind = model % KINDS, count = counts[kind];
    const object *of_kind = objects[kind];
    bw_tally *others = calloc(2 * (size_t)count, sizeof *others);
    if (others == NULL)
        require(BW_ERROR_MEMORY);
    uint32_t exact = 0, broken = 0;
    double sum = 0.0, worst = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t known = 0;
        for (uint32_t k = 0; k < 2 * count; k++)
            if (of_kind[k / 2].family != of_kind[i].family)
                others[known++] = tallies[model][k];
        bw_prospect prospect;
        bw_prospect_of(&models[model], others, known, &prospect);
        const bw_tally *after = &tallies[model][2 * i + 1];
        const bw_choice c = bw_choose(&tallies[model][2 * i], &prospect, wanted, (double)INFINITY);
        const double wrong = wrong_share(after, c);
        exact += c.exact;
        broken += wrong > wanted;
        sum += wrong / count;
        worst = fmax(worst, wrong);
        if (wrong > wanted)
            fprintf(stderr, "  family %u, member %u: %.2f %%\n", of_kind[i].family, of_kind[i].member,
                    100.0 * wrong);
    }
    fprintf(stderr,
            "poses %u, kind %u, %.2f %% wanted: %u of %u bodies above, %u exact; mean %.3f, most %.2f %%\n",
            model / KINDS, kind, 100.0 * wanted, broken, count, exact, 100.0 * sum, 100.0 * worst);
    free(others);
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

static const char *const of_poses[] = {"SPREAD", "CONTACT"}, *const of_kind[] = {"SHELL", "PARTS", "RODS",
                                                                                 "LIMBS", "LOOSE"};

static void print_model(int poses, int kind, const bw_anytime_model *m)
{
    printf("    [BW_ANYTIME_POSES_%s][BW_ANYTIME_KIND_%s] = {\n", of_poses[poses], of_kind[kind]);
    print_rows("hazard", &m->hazard[0][0], BW_ANYTIME_CLASSES, BW_ANYTIME_KNOTS);
    print_row("whole", m->whole, BW_ANYTIME_KNOTS);
    print_rows("end", &m->end[0][0], BW_ANYTIME_ENDS, BW_ANYTIME_LEVELS);
    printf("    .setting =\n        {\n");
    for (int i = 0; i < BW_ANYTIME_SETTINGS && m->setting[i].error > 0.0f; i++) {
        const bw_anytime_setting *s = &m->setting[i];
        printf("            {");
        print_float((double)s->error);
        printf(", {");
        for (int k = 0; k < BW_ANYTIME_STAGES; k++) {
            printf("%s", k == 0 ? "" : ", ");
            print_float((double)s->sure[k]);
        }
        printf("}, ");
        print_float((double)s->prune);
        printf("},\n");
    }
    printf("        },\n    },\n");
}

static void print_prospect(int poses, int kind, const bw_prospect *p)
{
    printf("    [BW_ANYTIME_POSES_%s][BW_ANYTIME_KIND_%s] = {\n    .grid = {\n", of_poses[poses],
           of_kind[kind]);
    print_rows("sure", &p->grid.sure[0][0], BW_TRIAL_SURES, BW_ANYTIME_STAGES);
    printf("    },\n");
    print_row("mistaken", p->mistaken, BW_TRIAL_SURES);
    print_row("missed", p->missed, BW_TRIAL_PRUNES);
    printf("    },\n");
}

/* Every other model from `start` on. */
static void *train_every_other(void *start)
{
    for (uint32_t m = *(uint32_t *)start; m < MODELS; m += 2)
        train(objects[m % KINDS], counts[m % KINDS], (bw_anytime_poses)(m / KINDS), m);
    return NULL;
}

int main(int argc, char **argv)
{
    poses_each = argc > 1 ? (uint32_t)atoi(argv[1]) : 2048;
    make_objects();
    pthread_t other;
    uint32_t first = 0, second = 1;
    if (pthread_create(&other, NULL, train_every_other, &second) != 0)
        require(BW_ERROR_MEMORY);
    train_every_other(&first);
    pthread_join(other, NULL);
    printf("/* Made by ./dev calibrate (bench/calibrate.c), %u poses an object: not to be edited. */\n"
           "#include \"anytime/model/choose.h\"\n\n/* clang-format off */\n"
           "const bw_anytime_model bw_anytime_models[2][%d] = {\n",
           poses_each, KINDS);
    for (int m = 0; m < MODELS; m++)
        print_model(m / KINDS, m % KINDS, &models[m]);
    printf("};\n\nconst bw_prospect bw_anytime_prospects[2][%d] = {\n", KINDS);
    for (int m = 0; m < MODELS; m++)
        print_prospect(m / KINDS, m % KINDS, &prospects[m]);
    printf("};\n");
    for (uint32_t m = 0; m < MODELS; m++) {
        report(m, m < KINDS ? 0.005 : 0.01);
        report(m, m < KINDS ? 0.001 : 0.002);
        free(tallies[m]);
    }
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t i = 0; i < counts[kind]; i++)
            free_object(&objects[kind][i]);
    return 0;
}
