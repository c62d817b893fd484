#!/usr/bin/env bash
# boxwood-mpi: the same bytes as one process, on any number of ranks, gathered and written by MPI-IO; a rank that is killed or finds
# damage ends the job with an error, and running it again completes. Needs MPIRUN and BOXWOOD_MPI from the environment.
source "$(dirname "$0")/lib.bash"
: "${MPIRUN:?mpirun}" "${BOXWOOD_MPI:?the boxwood-mpi command}" "${MAKE:?boxwood-store-make}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { # N ARGS...
    local n=$1
    shift
    last="boxwood-mpi $*"
    "$MPIRUN" --oversubscribe -n "$n" "$BOXWOOD_MPI" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

"$MAKE" even.bws 400 60 >/dev/null
"$MAKE" odd.bws 400 300 --unequal >/dev/null
for store in even odd; do
    for options in '--no-depth' '--contain --clearance 0.05'; do
        # shellcheck disable=SC2086
        run 1 clash $store.bws $options
        cp out one.txt
        for n in 1 2 3 4; do
            # shellcheck disable=SC2086
            ranks $n clash $store.bws $options --memory 100K
            [ $code = 0 ] || fail "expected exit code 0 of $n ranks"
            cmp -s out one.txt || fail "$n ranks differ on $store.bws $options"
        done
        # As ranks of several machines share pairs and counters.
        for most in 1 2; do
            # shellcheck disable=SC2086
            BOXWOOD_MPI_APART=$most ranks 3 clash $store.bws $options --memory 100K
            [ $code = 0 ] || fail "expected exit code 0 of 3 ranks, $most at most on a machine"
            cmp -s out one.txt || fail "3 ranks, $most at most on a machine, differ on $store.bws $options"
        done
        # shellcheck disable=SC2086
        ranks 3 clash $store.bws $options --part all.part --counts
        [ $code = 0 ] || fail 'expected exit code 0'
        err_has 'most of one over the mean'
        run 1 merge all.part
        cmp -s out one.txt || fail "what 3 ranks wrote differs on $store.bws $options"
        head -c 1000 all.part >cut.part
        run 2 merge cut.part
        err_has 'cut.part'
    done
done

ranks 2 clash nothing.bws
[ $code != 0 ] || fail 'no error without a store'
ranks 2 clash even.bws --shard 1/2
err_has 'the ranks of MPI share the work'
ranks 2 clash even.bws --no-depth --part /nowhere/at/all
[ $code != 0 ] || fail 'no error where nothing can be written'
err_has '/nowhere/at/all'
cp even.bws flip.bws
printf '\377\377' | dd of=flip.bws bs=1 seek=20000 conv=notrunc status=none
ranks 3 clash flip.bws --no-depth
[ $code != 0 ] || fail 'no error of a damaged store'
err_has 'is damaged (checksum)'
out_empty

# A rank that dies. mpirun of Open MPI 4.1 was once seen to live on, with all its ranks dead: it is given two minutes.
timeout -k 5 120 "$MPIRUN" --oversubscribe -n 3 bash -c 'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then
    "$0" "$@" & sleep 0.05; kill -9 $!; wait $!; exit 137; else exec "$0" "$@"; fi' \
    "$BOXWOOD_MPI" clash odd.bws >"$work/out" 2>"$work/err" </dev/null
code=$?
[ $code != 0 ] || fail 'a dead rank is not noticed'
run 1 clash odd.bws
cp out one.txt
ranks 3 clash odd.bws
cmp -s out one.txt || fail 'what was run again after a dead rank differs'
finish
