#!/usr/bin/env bash
# The recipes of examples/cluster: shards by GNU parallel, and as a SLURM array. SLURM runs as a cluster of this one machine, made for the
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
