/* Two tetrahedra, one moved over the other: they meet, and far away they do not. */
#include <boxwood/boxwood.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    bw_mesh mesh = {.positions = positions, .vertex_count = 4, .indices = indices, .triangle_count = 4};
    bw_tree *tree = NULL;
    bw_result result = bw_tree_create(NULL, &mesh, &tree, NULL);
    if (result != BW_OK) {
        fprintf(stderr, "%s\n", bw_result_string(result));
        return 1;
    }
    int failures = strcmp(bw_version_string(), BW_VERSION_STRING) != 0;
    for (int far = 0; far < 2; far++) {
        bw_transform pose = bw_transform_compose((bw_vec3){far ? 10 : 0.25, 0, 0}, (bw_vec3){0, 0, 1}, 0.5,
                                                 (bw_vec3){1, 1, 1});
        bw_body a = {.tree = tree, .mesh = &mesh}, b = {.tree = tree, .mesh = &mesh, .pose = &pose};
        bw_collide_report report = {0};
        result = bw_collide(&a, &b, NULL, &report, NULL);
        failures += result != BW_OK || report.hit_count != (far ? 0u : 1u);
    }
    bw_tree_destroy(tree);
    return failures;
}
