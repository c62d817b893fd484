/* The grid of distances beside a tree: its cells and its memory. */
#include "tree/clearance.h"

#include "geom/box.h"

#include <math.h>

static size_t bytes_of(size_t value_count)
{
    return sizeof(bw_clearance) + value_count * sizeof(float);
}

bw_clearance *bw_clearance_create(const bw_wide *wide, uint32_t cells)
{
    double extent[3], most = 0.0;
    for (int k = 0; k < 3; k++) {
        extent[k] = (double)wide->bounds.max[k] - (double)wide->bounds.min[k];
        most = extent[k] > most ? extent[k] : most;
    }
    /* Cubes: as many as fit, of the largest side at which there are not too many. A flat body has one layer. */
    double low = most / (double)cells, high = most > 0.0 ? most : 1.0;
    uint32_t count[3] = {1, 1, 1};
    for (int step = 0; step < 60 && most > 0.0; step++) {
        const double middle = 0.5 * (low + high);
        double product = 1.0;
        for (int k = 0; k < 3; k++)
            product *= floor(extent[k] / middle) + 1.0;
        if (product <= (double)cells)
            high = middle;
        else
            low = middle;
    }
    size_t value_count = 1;
    for (int k = 0; k < 3; k++) {
        count[k] = (uint32_t)floor(extent[k] / high) + 1;
        value_count *= count[k];
    }
    bw_clearance *grid = bw_allocate(&wide->allocator, 1, bytes_of(value_count));
    if (grid == NULL)
        return NULL;
    *grid = (bw_clearance){.cell = high, .value_count = value_count};
    for (int k = 0; k < 3; k++) {
        grid->count[k] = count[k];
        grid->min[k] = (double)wide->bounds.min[k];
        grid->extent[k] = bw_float_up(extent[k] / high * (1.0 + 0x1p-40));
    }
    return grid;
}

size_t bw_clearance_bytes(const bw_clearance *grid)
{
    return grid == NULL ? 0 : bytes_of(grid->value_count);
}

void bw_clearance_set(bw_wide *wide, bw_clearance *grid)
{
    if (wide->clearance != NULL)
        bw_release(&wide->allocator, wide->clearance, 1, bw_clearance_bytes(wide->clearance));
    wide->clearance = grid;
}

bw_vec3 bw_clearance_middle(const bw_clearance *grid, size_t index)
{
    const size_t nx = grid->count[0], ny = grid->count[1];
    return (bw_vec3){grid->min[0] + ((double)(index % nx) + 0.5) * grid->cell,
                     grid->min[1] + ((double)(index / nx % ny) + 0.5) * grid->cell,
                     grid->min[2] + ((double)(index / nx / ny) + 0.5) * grid->cell};
}
