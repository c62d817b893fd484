/* exact_triangles [PAIRS] [SEED]: compares bw_triangle_triangle with the oracle on PAIRS pairs of triangles,
 * divided among the families, and tells how many the floating-point filter decided. Fails if a single answer
 * is wrong, or if the filter decides no more than 99 % of the ordinary pairs. */
#include "geom/exact/triangle.h"
#include "geom/families.h"
#include "oracle/triangle_oracle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kind_name[] = {"none", "touching", "crossing"};

static void print_triangle(const char *name, const bw_vec3 t[3])
{
    for (int i = 0; i < 3; i++)
        printf("  %s[%d] = {%a, %a, %a}\n", name, i, t[i].x, t[i].y, t[i].z);
}

typedef struct tally {
    uint64_t pairs, kinds[3], wrong, filtered;
} tally;

static void compare(const bw_family *family, bws_random *random, tally *sum)
{
    bw_vec3 a[3], b[3];
    bw_family_pair(family, random, a, b);
    bool exact = false;
    bw_contact_kind kind = bw_triangle_triangle_counted(a, b, &exact);
    bw_contact_kind truth = bw_oracle_triangle_triangle(a, b);
    sum->pairs++;
    sum->kinds[truth]++;
    sum->filtered += !exact;
    if (kind == truth)
        return;
    if (sum->wrong++ < 3) {
        printf("%s: pair %" PRIu64 " is %s, found %s\n", family->name, sum->pairs - 1, kind_name[truth],
               kind_name[kind]);
        print_triangle("a", a);
        print_triangle("b", b);
    }
}

static void print_row(const char *name, const tally *t)
{
    double share = t->pairs == 0 ? 0 : 100.0 * (double)t->filtered / (double)t->pairs;
    printf("%-18s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %7" PRIu64 " %9.4f\n", name,
           t->pairs, t->kinds[BW_CONTACT_NONE], t->kinds[BW_CONTACT_TOUCHING], t->kinds[BW_CONTACT_CROSSING],
           t->wrong, share);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    uint64_t pairs = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    uint64_t families = (uint64_t)bw_family_count;
    if (argc > 3 || pairs == 0) {
        fprintf(stderr, "usage: %s [PAIRS] [SEED]\n", argv[0]);
        return 2;
    }
    printf("bw_triangle_triangle against exact integers: %" PRIu64 " pairs, seed %" PRIu64 "\n", pairs, seed);
    printf("%-18s %10s %10s %10s %10s %7s %9s\n", "family", "pairs", "none", "touching", "crossing", "wrong",
           "filter %");
    tally total = {0};
    bool unfiltered = false;
    for (uint64_t f = 0; f < families; f++) {
        bws_random random = bws_random_seeded(seed * families + f);
        tally sum = {0};
        uint64_t count = pairs / families + (f < pairs % families);
        for (uint64_t i = 0; i < count; i++)
            compare(&bw_families[f], &random, &sum);
        print_row(bw_families[f].name, &sum);
        if (bw_families[f].ordinary && (double)sum.filtered <= 0.99 * (double)sum.pairs) {
            printf("%s: the filter decides too few\n", bw_families[f].name);
            unfiltered = true;
        }
        total.pairs += sum.pairs;
        total.wrong += sum.wrong;
        total.filtered += sum.filtered;
        for (int k = 0; k < 3; k++)
            total.kinds[k] += sum.kinds[k];
    }
    print_row("all", &total);
    printf(total.wrong == 0 ? "none wrong\n" : "WRONG ANSWERS\n");
    return total.wrong != 0 || unfiltered;
}
