/* Answers of bw_mpi_clash while they are collected, sorted and sent. */
#ifndef CLUSTER_MPI_CLASHES_H
#define CLUSTER_MPI_CLASHES_H

#include <boxwood/mpi.h>

/* One after the other: a record, its bytes, zeros up to a multiple of eight. */
typedef struct mpi_record {
    uint32_t a, b;
    uint64_t byte_count;
} mpi_record;

typedef struct mpi_records {
    unsigned char *bytes;
    size_t size, capacity;
    uint64_t count;
} mpi_records;

struct bw_mpi_clashes {
    MPI_Comm comm;
    int rank, ranks;
    mpi_records records;
};

/* False: no memory. */
bool mpi_records_add(mpi_records *r, uint32_t a, uint32_t b, const void *bytes, size_t byte_count);
/* Of the answers alone. */
uint64_t mpi_records_bytes(const mpi_records *r);
/* Gives each rank the answers of a range of parts, sorted. Collective; the same result everywhere. */
bw_result mpi_clashes_exchange(bw_mpi_clashes *clashes, uint32_t part_count);
/* Whether all ranks say BW_OK; otherwise what one of them says. */
bool mpi_agree(MPI_Comm comm, bw_result own, bw_result *all);

#endif
