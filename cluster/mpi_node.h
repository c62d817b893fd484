/* What ranks of one machine do together: memory that they share, and waiting that leaves the processor to others. */
#ifndef CLUSTER_MPI_NODE_H
#define CLUSTER_MPI_NODE_H

#include <boxwood/math.h>

#include <mpi.h>

typedef struct mpi_node {
    MPI_Comm comm; /* of the ranks of this machine */
    int rank, ranks;
    MPI_Comm leaders; /* of the first ranks of all machines; MPI_COMM_NULL on other ranks */
    int *leader_of;   /* of each rank of all: the number of its machine among the leaders */
    int leader_count; /* of all machines */
} mpi_node;

/* Collective over comm, as is everything here over the node's or the given communicator. alone: every rank as if it had a machine of its
 * own. False, on all ranks: no memory. BOXWOOD_MPI_APART in the environment, for tests: machines of so many ranks. */
bool mpi_node_open(mpi_node *node, MPI_Comm comm, bool alone);
void mpi_node_close(mpi_node *node);

/* Zeros that all ranks of the node read and write; NULL, on all ranks of the node: there is no room. */
void *mpi_node_share(const mpi_node *node, size_t bytes);
void mpi_node_unshare(const mpi_node *node, void *memory, size_t bytes);

/* Until all ranks are here, or the request is done; mostly asleep, as MPI waits busily. */
void mpi_wait_for_all(MPI_Comm comm);
void mpi_wait_quietly(MPI_Request *request);

#endif
