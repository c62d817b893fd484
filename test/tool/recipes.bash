#!/usr/bin/env bash
# The recipes of examples/cluster: shards by GNU parallel, by Dask, and as a SLURM array, and takes by GNU parallel. Dask runs where the Python
# that DASK_PYTHON names (python3) has it (pip install dask distributed): a scheduler and two workers of this machine. SLURM runs as a cluster of this one machine, made for the
# test, where slurmctld and slurmd are there and may be started (root); elsewhere a loop stands in for it that sets what SLURM sets.
source "$(dirname "$0")/lib.bash"
: "${MAKE:?boxwood-store-make}"
export BOXWOOD
recipes=$SOURCE/examples/cluster
"$MAKE" some.bws 600 80 >/dev/null
run 1 clash some.bws --no-depth -o one.csv

if command -v parallel >/dev/null; then
    PARALLEL_HOME=$work/.parallel "$recipes/shards.parallel" 5 some.bws by-parallel --no-depth >out 2>err </dev/null
    cmp -s one.csv by-parallel.csv || fail 'shards by GNU parallel differ'
    # One is lost, one is cut.
    rm by-parallel.part.2
    head -c 700 by-parallel.part.4 >cut && mv cut by-parallel.part.4
    touch -d 2001-01-01 by-parallel.part.3
    PARALLEL_HOME=$work/.parallel "$recipes/shards.parallel" 5 some.bws by-parallel --no-depth >out 2>err </dev/null
    cmp -s one.csv by-parallel.csv || fail 'shards by GNU parallel, run again, differ'
    [ "$(date -r by-parallel.part.3 +%Y)" = 2001 ] || fail 'a whole shard was written again'
    echo 'GNU parallel: done'
else
    echo 'GNU parallel: not here, left out'
fi

# Takes: a report for each, and what is done is not done again.
if command -v parallel >/dev/null; then
    mkdir takes
    for take in 1 2 3; do
        for f in 1 2 3; do
            printf 'v 0 0 %s\nv 1 0 %s\nv 0 1 %s\nf 1 2 3\n' $((3 * take - 2 * f)) $((4 - f)) $((5 - f)) >takes/t${take}_$f.obj
        done
        run 0 bake "takes/t${take}_#.obj" takes/t$take.pc2 --fps 2
    done
    cp takes/t1_1.obj takes/mesh.obj
    printf 'v -9 -9 0\nv 9 -9 0\nv 0 9 0\nf 1 2 3\n' >floor.obj
    for take in 1 2 3; do "$BOXWOOD" track takes/mesh.obj@takes/t$take.pc2 floor.obj -o want.$take.json >/dev/null; done
    PARALLEL_HOME=$work/.parallel "$recipes/takes.parallel" floor.obj reports takes/mesh.obj@takes/t{1,2,3}.pc2 >out 2>err </dev/null ||
        fail 'takes by GNU parallel'
    for take in 1 2 3; do cmp -s want.$take.json reports/t$take.pc2.json || fail "take $take by GNU parallel differs"; done
    rm reports/t2.pc2.json
    touch -d 2001-01-01 reports/t1.pc2.json
    PARALLEL_HOME=$work/.parallel "$recipes/takes.parallel" floor.obj reports takes/mesh.obj@takes/t{1,2,3}.pc2 >out 2>err </dev/null ||
        fail 'takes by GNU parallel, again'
    cmp -s want.2.json reports/t2.pc2.json || fail 'a take that was lost differs'
    [ "$(date -r reports/t1.pc2.json +%Y)" = 2001 ] || fail 'a take that was done is done again'
fi

python=${DASK_PYTHON:-python3}
if "$python" -c 'import dask.distributed' 2>/dev/null; then
    port=$((20000 + ($$ + 7) % 20000))
    "$python" -m distributed.cli.dask_scheduler --host 127.0.0.1 --port $port --no-dashboard >dask.log 2>&1 &
    dask=$!
    PATH=$(dirname "$BOXWOOD"):$PATH "$python" -m distributed.cli.dask_worker tcp://127.0.0.1:$port --nworkers 2 --nthreads 1 --no-dashboard \
        --local-directory "$work/dask" >>dask.log 2>&1 &
    dask="$dask $!"
    trap 'kill $dask 2>/dev/null; wait $dask 2>/dev/null; rm -rf "$work"' EXIT
    PATH=$(dirname "$BOXWOOD"):$PATH timeout 120 "$python" "$recipes/shards_dask.py" tcp://127.0.0.1:$port 5 "$work/some.bws" "$work/by-dask" \
        --no-depth >out 2>err </dev/null
    [ $? = 1 ] || fail "Dask: $(tail -n 3 dask.log)"
    cmp -s one.csv by-dask.csv || fail 'shards by Dask differ'
    # shellcheck disable=SC2086
    kill $dask 2>/dev/null
    # shellcheck disable=SC2086
    wait $dask 2>/dev/null
    trap 'rm -rf "$work"' EXIT
    echo 'Dask: a scheduler and two workers on this machine'
else
    echo 'Dask: not here, left out'
fi

start_slurm() {
    command -v slurmctld >/dev/null && command -v slurmd >/dev/null && [ "$(id -u)" = 0 ] || return 1
    local port=$((20000 + $$ % 20000)) name
    name=$(hostname -s)
    mkdir -p slurm/spool slurm/state
    export SLURM_CONF=$work/slurm/slurm.conf
    cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$name
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
JobAcctGatherType=jobacct_gather/none
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmdSpoolDir=$work/slurm/spool
StateSaveLocation=$work/slurm/state
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd.log
SlurmUser=root
SwitchType=switch/none
TaskPlugin=task/none
SelectType=select/cons_tres
NodeName=$name CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    slurmctld -D -c >slurm/out 2>&1 &
    daemons=$!
    slurmd -D >>slurm/out 2>&1 &
    daemons="$daemons $!"
    trap 'kill $daemons 2>/dev/null; wait $daemons 2>/dev/null; rm -rf "$work"' EXIT
    for _ in $(seq 50); do
        sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
        sleep 0.2
    done
    return 1
}

if start_slurm; then
    sbatch --wait --array=1-4 -o "$work/task.%a" "$recipes/shards.slurm" some.bws by-slurm --no-depth >out 2>err ||
        fail "sbatch: $(cat err task.* 2>/dev/null)"
    rm by-slurm.part.3
    run 2 merge by-slurm.part.*
    err_has 'shard 3 of 4 is missing'
    SHARDS=4 sbatch --wait --array=3 -o "$work/task.%a" "$recipes/shards.slurm" some.bws by-slurm --no-depth >out 2>err ||
        fail "sbatch of one task: $(cat err)"
    echo 'SLURM: an array on a cluster of this machine'
else
    for task in 1 2 3 4; do
        SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=4 bash "$recipes/shards.slurm" some.bws by-slurm --no-depth || fail "task $task"
    done
    echo 'SLURM: not here, a loop stood in for it'
fi
run 1 merge by-slurm.part.* -o by-slurm.csv
cmp -s one.csv by-slurm.csv || fail 'shards by SLURM differ'
finish
