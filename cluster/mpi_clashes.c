/* Answers sorted over all ranks, gathered, and written by MPI-IO. Counts have 64 bits; what is sent at a time stays below
 * what MPI's ints can count. */
#include "mpi_clashes.h"

#include "mpi_node.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that one message or one write has at most. */
enum { PIECE = 1 << 28, BUCKETS = 4096 };

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

bool mpi_records_add(mpi_records *r, uint32_t a, uint32_t b, const void *bytes, size_t byte_count)
{
    const mpi_record head = {a, b, byte_count};
    const size_t more = sizeof head + padded(byte_count);
    if (r->size + more > r->capacity) {
        size_t capacity = 2 * r->capacity + more + 4096;
        unsigned char *grown = realloc(r->bytes, capacity);
        if (!grown)
            return false;
        r->bytes = grown;
        r->capacity = capacity;
    }
    memcpy(r->bytes + r->size, &head, sizeof head);
    memcpy(r->bytes + r->size + sizeof head, bytes, byte_count);
    memset(r->bytes + r->size + sizeof head + byte_count, 0, padded(byte_count) - byte_count);
    r->size += more;
    r->count++;
    return true;
}

static mpi_record record_at(const mpi_records *r, size_t at)
{
    mpi_record head;
    memcpy(&head, r->bytes + at, sizeof head);
    return head;
}

uint64_t mpi_records_bytes(const mpi_records *r)
{
    uint64_t bytes = 0;
    for (size_t at = 0; at < r->size;) {
        mpi_record head = record_at(r, at);
        bytes += head.byte_count;
        at += sizeof head + padded((size_t)head.byte_count);
    }
    return bytes;
}

typedef struct place {
    uint32_t a, b;
    size_t at, size;
} place;

static int by_parts(const void *p, const void *q)
{
    const place *x = p, *y = q;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

/* Sorts by a, then b; false: no memory. */
static bool sort_records(mpi_records *r)
{
    if (r->count == 0)
        return true;
    place *places = malloc((size_t)r->count * sizeof *places);
    unsigned char *sorted = malloc(r->size);
    if (places && sorted) {
        size_t count = 0, to = 0;
        for (size_t at = 0; at < r->size;) {
            mpi_record head = record_at(r, at);
            size_t size = sizeof head + padded((size_t)head.byte_count);
            places[count++] = (place){head.a, head.b, at, size};
            at += size;
        }
        qsort(places, count, sizeof *places, by_parts);
        for (size_t i = 0; i < count; i++) {
            memcpy(sorted + to, r->bytes + places[i].at, places[i].size);
            to += places[i].size;
        }
        free(r->bytes);
        r->bytes = sorted;
        r->capacity = r->size;
    }
    bool fine = places && sorted;
    if (!fine)
        free(sorted);
    free(places);
    return fine;
}

static uint32_t bucket_of(uint32_t a, uint32_t part_count)
{
    return (uint32_t)((uint64_t)a * BUCKETS / part_count);
}

/* Which rank gets which parts: about the same number of bytes each. */
static void choose_ranges(const bw_mpi_clashes *c, uint32_t part_count, int owner[BUCKETS])
{
    static const uint64_t zeros[BUCKETS];
    uint64_t own[BUCKETS], all[BUCKETS], total = 0, until = 0;
    memcpy(own, zeros, sizeof own);
    for (size_t at = 0; at < c->records.size;) {
        mpi_record head = record_at(&c->records, at);
        size_t size = sizeof head + padded((size_t)head.byte_count);
        own[bucket_of(head.a, part_count)] += size;
        at += size;
    }
    MPI_Allreduce(own, all, BUCKETS, MPI_UINT64_T, MPI_SUM, c->comm);
    for (int i = 0; i < BUCKETS; i++)
        total += all[i];
    for (int i = 0; i < BUCKETS; i++) {
        owner[i] = total == 0 ? 0 : (int)((double)until / (double)total * c->ranks);
        owner[i] = owner[i] < c->ranks ? owner[i] : c->ranks - 1;
        until += all[i];
    }
}

/* Sends and receives any number of bytes; where there are none, no message: the other side may not wait for one. */
static void swap_bytes(MPI_Comm comm, int to, const unsigned char *out, uint64_t out_bytes, int from,
                       unsigned char *in, uint64_t in_bytes)
{
    while (out_bytes > 0 || in_bytes > 0) {
        int send = (int)(out_bytes < PIECE ? out_bytes : PIECE),
            take = (int)(in_bytes < PIECE ? in_bytes : PIECE);
        MPI_Sendrecv(out, send, MPI_BYTE, send > 0 ? to : MPI_PROC_NULL, 1, in, take, MPI_BYTE,
                     take > 0 ? from : MPI_PROC_NULL, 1, comm, MPI_STATUS_IGNORE);
        out += send;
        in += take;
        out_bytes -= (uint64_t)send;
        in_bytes -= (uint64_t)take;
    }
}

/* The records are sorted, so those for one rank stand together. */
static void count_by_owner(const bw_mpi_clashes *c, uint32_t part_count, const int owner[BUCKETS],
                           uint64_t *bytes, uint64_t *counts)
{
    for (int r = 0; r < c->ranks; r++)
        bytes[r] = counts[r] = 0;
    for (size_t at = 0; at < c->records.size;) {
        mpi_record head = record_at(&c->records, at);
        size_t size = sizeof head + padded((size_t)head.byte_count);
        int to = owner[bucket_of(head.a, part_count)];
        bytes[to] += size;
        counts[to]++;
        at += size;
    }
}

bw_result mpi_clashes_exchange(bw_mpi_clashes *c, uint32_t part_count)
{
    const size_t ranks = (size_t)c->ranks;
    uint64_t *sizes = malloc(4 * ranks * sizeof *sizes);
    int *owner = malloc(BUCKETS * sizeof *owner);
    bw_result all, own = sizes && owner && sort_records(&c->records) ? BW_OK : BW_ERROR_MEMORY;
    mpi_records in = {0};
    if (!mpi_agree(c->comm, own, &all))
        goto end;
    uint64_t *send = sizes, *send_counts = sizes + ranks, *take = sizes + 2 * ranks,
             *take_counts = sizes + 3 * ranks;
    choose_ranges(c, part_count, owner);
    count_by_owner(c, part_count, owner, send, send_counts);
    MPI_Alltoall(send, 1, MPI_UINT64_T, take, 1, MPI_UINT64_T, c->comm);
    MPI_Alltoall(send_counts, 1, MPI_UINT64_T, take_counts, 1, MPI_UINT64_T, c->comm);
    for (size_t r = 0; r < ranks; r++) {
        in.size += (size_t)take[r];
        in.count += take_counts[r];
    }
    in.bytes = malloc(in.size > 0 ? in.size : 1);
    in.capacity = in.size;
    own = in.bytes ? BW_OK : BW_ERROR_MEMORY;
    if (!mpi_agree(c->comm, own, &all))
        goto end;
    for (int step = 0; step < c->ranks; step++) {
        const int to = (c->rank + step) % c->ranks, from = (c->rank - step + c->ranks) % c->ranks;
        size_t out_at = 0, in_at = 0;
        for (int r = 0; r < to; r++)
            out_at += (size_t)send[r];
        for (int r = 0; r < from; r++)
            in_at += (size_t)take[r];
        if (step == 0)
            memcpy(in.bytes + in_at, c->records.bytes ? c->records.bytes + out_at : in.bytes,
                   (size_t)send[to]);
        else
            swap_bytes(c->comm, to, c->records.bytes + out_at, send[to], from, in.bytes + in_at, take[from]);
    }
    free(c->records.bytes);
    c->records = in;
    in.bytes = NULL;
    own = sort_records(&c->records) ? BW_OK : BW_ERROR_MEMORY;
    mpi_agree(c->comm, own, &all);
end:
    free(in.bytes);
    free(sizes);
    free(owner);
    return all;
}

void bw_mpi_clashes_destroy(bw_mpi_clashes *c)
{
    if (!c)
        return;
    MPI_Comm_free(&c->comm);
    free(c->records.bytes);
    free(c);
}

static bool visit(const mpi_records *r, bw_mpi_answer_fn *take, void *user)
{
    for (size_t at = 0; at < r->size;) {
        mpi_record head = record_at(r, at);
        if (!take(user, head.a, head.b, r->bytes + at + sizeof head, (size_t)head.byte_count))
            return false;
        at += sizeof head + padded((size_t)head.byte_count);
    }
    return true;
}

void bw_mpi_clashes_visit(const bw_mpi_clashes *c, bw_mpi_answer_fn *take, void *user)
{
    visit(&c->records, take, user);
}

bw_result bw_mpi_clashes_gather(bw_mpi_clashes *c, int root, bw_mpi_answer_fn *take, void *user,
                                bw_fault *fault)
{
    bw_result own = root < 0 || root >= c->ranks || (c->rank == root && !take) ? BW_ERROR_ARGUMENT : BW_OK,
              all;
    uint64_t size = c->records.size, most = 0;
    mpi_records in = {0};
    MPI_Allreduce(&size, &most, 1, MPI_UINT64_T, MPI_MAX, c->comm);
    if (own == BW_OK && c->rank == root) {
        in.bytes = malloc((size_t)most + 1);
        own = in.bytes ? BW_OK : BW_ERROR_MEMORY;
    }
    bool go_on = true;
    if (mpi_agree(c->comm, own, &all))
        for (int r = 0; r < c->ranks; r++) {
            if (c->rank == root && r == root) {
                go_on = go_on && visit(&c->records, take, user);
            } else if (c->rank == root) {
                MPI_Send(NULL, 0, MPI_BYTE, r, 3, c->comm);
                MPI_Recv(&size, 1, MPI_UINT64_T, r, 2, c->comm, MPI_STATUS_IGNORE);
                in.size = (size_t)size;
                swap_bytes(c->comm, MPI_PROC_NULL, NULL, 0, r, in.bytes, size);
                go_on = go_on && visit(&in, take, user);
            } else if (c->rank == r) {
                /* Its turn may come late. */
                MPI_Request turn;
                MPI_Irecv(NULL, 0, MPI_BYTE, root, 3, c->comm, &turn);
                mpi_wait_quietly(&turn);
                MPI_Send(&size, 1, MPI_UINT64_T, root, 2, c->comm);
                swap_bytes(c->comm, root, c->records.bytes, size, MPI_PROC_NULL, NULL, 0);
            }
        }
    free(in.bytes);
    if (fault)
        *fault = (bw_fault){.result = all, .text = bw_result_string(all)};
    return all;
}

typedef struct writing {
    MPI_File file;
    MPI_Offset at;
    unsigned char *buffer;
    size_t used;
    int code;
} writing;

enum { BUFFER = 1 << 22 };

static void flush(writing *w)
{
    if (w->code == MPI_SUCCESS && w->used > 0)
        w->code = MPI_File_write_at(w->file, w->at, w->buffer, (int)w->used, MPI_BYTE, MPI_STATUS_IGNORE);
    w->at += (MPI_Offset)w->used;
    w->used = 0;
}

static bool write_answer(void *user, uint32_t a, uint32_t b, const void *bytes, size_t byte_count)
{
    (void)a;
    (void)b;
    writing *w = user;
    for (const unsigned char *from = bytes; byte_count > 0 && w->code == MPI_SUCCESS;) {
        size_t room = BUFFER - w->used, some = byte_count < room ? byte_count : room;
        memcpy(w->buffer + w->used, from, some);
        w->used += some;
        from += some;
        byte_count -= some;
        if (w->used == BUFFER)
            flush(w);
    }
    return w->code == MPI_SUCCESS;
}

static int worst(MPI_Comm comm, int code)
{
    int most = code;
    MPI_Allreduce(&code, &most, 1, MPI_INT, MPI_MAX, comm);
    return most;
}

int bw_mpi_clashes_write(bw_mpi_clashes *c, const char *path, const void *head, size_t head_bytes)
{
    uint64_t own = mpi_records_bytes(&c->records), before = 0;
    writing w = {.buffer = malloc(BUFFER), .code = MPI_SUCCESS};
    MPI_Exscan(&own, &before, 1, MPI_UINT64_T, MPI_SUM, c->comm);
    w.at = c->rank == 0 ? 0 : (MPI_Offset)(before + head_bytes);
    w.code = worst(c->comm, w.buffer ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    if (w.code == MPI_SUCCESS)
        w.code = worst(
            c->comm, MPI_File_open(c->comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &w.file));
    if (w.code == MPI_SUCCESS) {
        MPI_File_set_size(w.file, 0);
        if (c->rank == 0)
            write_answer(&w, 0, 0, head, head_bytes);
        visit(&c->records, write_answer, &w);
        flush(&w);
        /* Both are collective: every rank takes part, whatever became of its own writes. */
        int synced = MPI_File_sync(w.file), closed = MPI_File_close(&w.file);
        w.code = worst(c->comm, w.code != MPI_SUCCESS ? w.code : synced != MPI_SUCCESS ? synced : closed);
        if (w.code != MPI_SUCCESS && c->rank == 0)
            MPI_File_delete(path, MPI_INFO_NULL);
    }
    free(w.buffer);
    return w.code;
}
