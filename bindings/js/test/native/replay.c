/* The library itself as the judge of its package for JavaScript: reads questions that JavaScript has answered (test/record.mjs writes them)
 * and prints a hash of each answer, one per line, which must be the one that JavaScript has.
 *
 * usage: replay FILE           answers the questions of FILE
 *        replay --scenes DIR   writes the built-in scenes, as meshes for questions: DIR/NAME.mesh
 * Exit status: 0; 2 error. */
#include "questions.h"
#include "scenes/scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order is that of `questions` in test/record.mjs. */
static hash (*const questions[])(reader *) = {
    tree_question,    update_question,  collide_question,  contacts_question, distance_question,
    within_question,  nearest_question, signed_question,   rays_question,     region_question,
    batch_question,   swept_question,   timeline_question, kinetic_question,  scene_question,
    anytime_question, rigid_question,   shapes_question,   world_question,    nested_question,
    user_question,    plans_question};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* ---- the scenes ---- */

static void write_mesh(const char *folder, const char *name, bws_mesh *mesh)
{
    const bw_mesh view = bws_view(mesh);
    char path[4096];
    require(snprintf(path, sizeof path, "%s/%s.mesh", folder, name) < (int)sizeof path, "a long path");
    FILE *file = fopen(path, "wb");
    require(file != NULL, "a scene cannot be written");
    const uint32_t head[4] = {view.scalar == BW_F64, view.vertex_count, view.triangle_count, 0};
    const size_t scalar = view.scalar == BW_F64 ? 8 : 4;
    require(view.stride == 0 || view.stride == 3 * scalar, "a mesh with gaps");
    fwrite(head, sizeof head, 1, file);
    fwrite(view.positions, scalar, (size_t)3 * view.vertex_count, file);
    fwrite(view.indices, 4, (size_t)3 * view.triangle_count, file);
    require(fclose(file) == 0, "a scene cannot be written");
    bws_mesh_free(mesh);
}

static void write_scenes(const char *folder)
{
    bws_mesh mesh;
    const bws_sphere_desc sphere = {.frequency = 16, .seed = 1}, large = {.frequency = 40, .seed = 2};
    succeed(bws_bumpy_sphere(&sphere, BW_F32, &mesh), NULL);
    write_mesh(folder, "bumpy", &mesh);
    succeed(bws_bumpy_sphere(&sphere, BW_F64, &mesh), NULL);
    write_mesh(folder, "bumpy-double", &mesh);
    succeed(bws_bumpy_sphere(&large, BW_F32, &mesh), NULL);
    write_mesh(folder, "bumpy-large", &mesh);
    succeed(bws_lathe(&(bws_lathe_desc){.triangles = 3000}, BW_F32, &mesh), NULL);
    write_mesh(folder, "pot", &mesh);
    succeed(bws_needle_sphere(&(bws_needle_desc){.triangles = 3000}, BW_F32, &mesh), NULL);
    write_mesh(folder, "needles", &mesh);
    succeed(bws_soup(&(bws_soup_desc){.triangles = 1500, .size = 0.15, .seed = 4}, BW_F64, &mesh), NULL);
    write_mesh(folder, "soup", &mesh);
    for (int i = 0; i < 4; i++) {
        char name[16];
        const bws_sheet_desc sheet = {
            .columns = 30, .rows = 30, .size = 3, .amplitude = 0.5, .origin = {0, 0, 1.6 - 0.5 * i}};
        succeed(bws_sheet(&sheet, 0.2 * i, BW_F64, &mesh), NULL);
        (void)snprintf(name, sizeof name, "sheet-%d", i);
        write_mesh(folder, name, &mesh);
    }
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--scenes") == 0) {
        write_scenes(words[2]);
        return 0;
    }
    require(count == 2, "usage: replay FILE | replay --scenes DIR");
    reader r = read_file(words[1]);
    while (r.at < r.size) {
        const uint32_t question = read_u32(&r);
        if (question == QUESTIONS) {
            read_mesh(&r);
            continue;
        }
        require(question < QUESTIONS, "no such question");
        const hash h = questions[question](&r);
        printf("%08" PRIx32 "%08" PRIx32 "\n", h.high, h.low);
    }
    for (uint32_t i = 0; i < tree_count; i++)
        bw_tree_destroy(trees[i]);
    free(r.bytes);
    return 0;
}
