// The same as main.c, from C++.
#include <boxwood/boxwood.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

int main()
{
    const std::vector<double> positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::vector<uint32_t> indices = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    bw_mesh mesh = {};
    mesh.positions = positions.data();
    mesh.scalar = BW_F64;
    mesh.vertex_count = 4;
    mesh.indices = indices.data();
    mesh.triangle_count = 4;
    bw_tree *made = nullptr;
    if (bw_result result = bw_tree_create(nullptr, &mesh, &made, nullptr); result != BW_OK) {
        std::fprintf(stderr, "%s\n", bw_result_string(result));
        return 1;
    }
    std::unique_ptr<bw_tree, void (*)(bw_tree *)> tree(made, bw_tree_destroy);
    int failures = std::string(bw_version_string()) != BW_VERSION_STRING;
    for (bool far : {false, true}) {
        bw_transform pose = bw_transform_identity();
        pose.m[0][3] = far ? 10 : 0.25;
        bw_body a = {}, b = {};
        a.tree = b.tree = tree.get();
        a.mesh = b.mesh = &mesh;
        b.pose = &pose;
        bw_collide_report report = {};
        failures +=
            bw_collide(&a, &b, nullptr, &report, nullptr) != BW_OK || report.hit_count != (far ? 0u : 1u);
    }
    return failures;
}
