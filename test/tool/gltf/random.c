/* Random scenes of everything at once, in four forms of file, against the oracle; and the public samples,
 * where BOXWOOD_DATA names them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "oracle/random.h"
#include "tool/gltf/compare.h"
#include "tool/gltf/figures.h"

static size_t compared;

static void random_scene(bws_random *random, void *user)
{
    (void)user;
    writer w = writer_start(random);
    figures_random(&w);
    size_t size[4];
    uint8_t *files[4] = {NULL};
    for (writer_form form = FORM_GLB; form <= FORM_TEXT_MESHOPT; form++) {
#ifndef BOXWOOD_MESHOPT
        if (form >= FORM_GLB_MESHOPT)
            continue;
#endif
        files[form] = writer_file(&w, form, &size[form]);
        bool packed = form >= FORM_GLB_MESHOPT;
        compare_desc desc = {
            .bytes = files[form], .size = size[form], .turned = packed, .times = form == FORM_GLB ? 5 : 1};
        desc.plain = packed ? files[form - FORM_GLB_MESHOPT] : NULL;
        desc.plain_size = packed ? size[form - FORM_GLB_MESHOPT] : 0;
        compared += compare_file("random.gltf", &desc);
    }
    for (int i = 0; i < 4; i++)
        free(files[i]);
    writer_free(&w);
}

static void test_random(void **state)
{
    (void)state;
    BW_EACH_SEED(100, random_scene, NULL);
    printf("%zu positions compared\n", compared);
}

static void test_samples(void **state)
{
    (void)state;
    static const char *const names[] = {"AnimatedMorphCube", "CesiumMan", "Fox", "RiggedFigure"};
    const char *folder = getenv("BOXWOOD_DATA");
    if (!folder || !*folder) {
        printf("skipped: BOXWOOD_DATA does not name the public data\n");
        skip();
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char file[4096];
        fault why;
        text whole;
        snprintf(file, sizeof file, "%s/gltf/%s.glb", folder, names[i]);
        if (!text_open(file, &whole, &why))
            fail_msg("%s", why.text);
        size_t count =
            compare_file(file, &(compare_desc){.bytes = whole.data, .size = whole.size, .times = 6});
        printf("%s: %zu positions compared\n", names[i], count);
        text_close(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
