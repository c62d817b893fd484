/* Clash of parts that an MPI program has in its own memory: a ring of tetrahedra, of which neighbours touch or cross. Prints, on rank 0,
 * which parts clash and how many pairs of triangles meet: the same for any number of ranks.
 *   mpirun -n 4 ./mpi_clash */
#include <boxwood/collide.h>
#include <boxwood/mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 40 };

static float positions[PARTS][4][3];
static const uint32_t indices[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
static bw_mesh meshes[PARTS];
static bw_tree *trees[PARTS];
static bw_box boxes[PARTS];

static void make_part(uint32_t i)
{
    for (uint32_t v = 0; v < 4; v++) {
        positions[i][v][0] = (float)i * 0.75f + (v == 1);
        positions[i][v][1] = (float)(i % 3) * 0.25f + (v == 2);
        positions[i][v][2] = v == 3;
    }
    meshes[i] =
        (bw_mesh){.positions = positions[i], .vertex_count = 4, .indices = indices[0], .triangle_count = 4};
    if (bw_tree_create(NULL, &meshes[i], &trees[i], NULL) != BW_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    boxes[i] = bw_tree_bounds(trees[i]);
}

static bw_result decide(void *user, uint32_t a, uint32_t b, bw_mpi_answer *out)
{
    static bw_collide_report found;
    bw_body first = {trees[a], &meshes[a], NULL}, second = {trees[b], &meshes[b], NULL};
    bw_collide_desc count = {.mode = BW_COLLIDE_COUNT};
    (void)user;
    found = (bw_collide_report){0};
    bw_result result = bw_collide(&first, &second, &count, &found, NULL);
    if (result == BW_OK && found.hit_count > 0)
        *out = (bw_mpi_answer){&found.hit_count, sizeof found.hit_count};
    return result;
}

static bool print(void *user, uint32_t a, uint32_t b, const void *bytes, size_t byte_count)
{
    (void)user;
    (void)byte_count;
    printf("%u and %u: %llu pairs\n", a, b, (unsigned long long)*(const uint64_t *)bytes);
    return true;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (uint32_t i = 0; i < PARTS; i++)
        make_part(i); /* every rank has all of them here; a cache of a file would do */
    bw_mpi_clash_desc desc = {.boxes = boxes, .part_count = PARTS, .decide = decide};
    bw_mpi_clashes *clashes = NULL;
    bw_fault fault;
    if (bw_mpi_clash(MPI_COMM_WORLD, &desc, &clashes, NULL, &fault) != BW_OK) {
        fprintf(stderr, "%s\n", fault.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    bw_mpi_clashes_gather(clashes, 0, print, NULL, NULL);
    bw_mpi_clashes_destroy(clashes);
    for (uint32_t i = 0; i < PARTS; i++)
        bw_tree_destroy(trees[i]);
    MPI_Finalize();
    return 0;
}
