/* Memory of a machine by shm_open, whose errors can be told from each other and survived; that of MPI ends the job, or hangs, where
 * there is no room for it. */
#define _POSIX_C_SOURCE 200809L
#include "mpi_node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static bool all_say(MPI_Comm comm, bool own)
{
    int mine = own, least = 0;
    MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, comm);
    return least != 0;
}

bool mpi_node_open(mpi_node *n, MPI_Comm comm, bool alone)
{
    const char *apart = getenv("BOXWOOD_MPI_APART");
    const int most = apart ? atoi(apart) : 0;
    int rank, ranks, leader = 0;
    *n = (mpi_node){.leaders = MPI_COMM_NULL};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (alone || most > 0)
        MPI_Comm_split(comm, alone ? rank : rank / most, rank, &n->comm);
    else
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &n->comm);
    MPI_Comm_rank(n->comm, &n->rank);
    MPI_Comm_size(n->comm, &n->ranks);
    MPI_Comm_split(comm, n->rank == 0 ? 0 : MPI_UNDEFINED, rank, &n->leaders);
    if (n->rank == 0) {
        MPI_Comm_rank(n->leaders, &leader);
        MPI_Comm_size(n->leaders, &n->leader_count);
    }
    MPI_Bcast(&leader, 1, MPI_INT, 0, n->comm);
    MPI_Bcast(&n->leader_count, 1, MPI_INT, 0, n->comm);
    n->leader_of = malloc((size_t)ranks * sizeof *n->leader_of);
    if (!all_say(comm, n->leader_of != NULL)) {
        mpi_node_close(n);
        return false;
    }
    MPI_Allgather(&leader, 1, MPI_INT, n->leader_of, 1, MPI_INT, comm);
    return true;
}

void mpi_node_close(mpi_node *n)
{
    free(n->leader_of);
    n->leader_of = NULL;
    if (n->leaders != MPI_COMM_NULL)
        MPI_Comm_free(&n->leaders);
    MPI_Comm_free(&n->comm);
}

/* Room is taken now: a page that has none later would be a signal. */
static bool reserve(int file, size_t bytes)
{
    int code;
    do
        code = posix_fallocate(file, 0, (off_t)bytes);
    while (code == EINTR);
    return code == 0;
}

void *mpi_node_share(const mpi_node *n, size_t bytes)
{
    bytes = bytes > 0 ? bytes : 1;
    if (n->ranks == 1)
        return calloc(bytes, 1);
    char name[64] = "";
    int file = -1;
    void *memory = MAP_FAILED;
    if (n->rank == 0) {
        static unsigned number;
        snprintf(name, sizeof name, "/boxwood-mpi.%ld.%u", (long)getpid(), number++);
        file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR);
        if (file >= 0 && !reserve(file, bytes)) {
            close(file);
            shm_unlink(name);
            file = -1;
        }
        if (file < 0)
            *name = 0;
    }
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, n->comm);
    if (*name && n->rank != 0)
        file = shm_open(name, O_RDWR, 0);
    if (file >= 0) {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    const bool fine = all_say(n->comm, memory != MAP_FAILED);
    if (*name && n->rank == 0)
        shm_unlink(name);
    if (!fine && memory != MAP_FAILED)
        munmap(memory, bytes);
    return fine ? memory : NULL;
}

void mpi_node_unshare(const mpi_node *n, void *memory, size_t bytes)
{
    if (n->ranks == 1)
        free(memory);
    else if (memory)
        munmap(memory, bytes > 0 ? bytes : 1);
}

void mpi_wait_quietly(MPI_Request *request)
{
    enum { SHORTEST = 20000, LONGEST = 1000000 }; /* nanoseconds */
    struct timespec pause = {0, SHORTEST};
    for (int done = 0;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < LONGEST ? 2 * pause.tv_nsec : LONGEST;
    }
}

void mpi_wait_for_all(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    mpi_wait_quietly(&request);
}
