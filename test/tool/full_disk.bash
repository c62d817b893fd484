#!/usr/bin/env bash
# A disk that is really full: every command that writes says so, leaves nothing half written under its name, loses nothing of
# what was whole, and completes when there is room. The disk is a small file system in memory, which needs root; where that cannot
# be, only /dev/full is tried, and that is said.
source "$(dirname "$0")/lib.bash"

# Bars that cross in many places, and a bar that moves through them.
bars() { # AXIS COUNT
    awk -v axis="$1" -v count="$2" 'BEGIN {
        for (i = 0; i < count; i++) {
            print "o " axis i
            x0 = axis == "x" ? 0 : i; x1 = axis == "x" ? count : i + 0.4
            y0 = axis == "x" ? i : 0; y1 = axis == "x" ? i + 0.4 : count
            for (z = 0; z < 2; z++) for (y = 0; y < 2; y++) for (x = 0; x < 2; x++)
                print "v", x ? x1 : x0, y ? y1 : y0, z * 0.5 + 0.001 * i
            b = 8 * i
            split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", f, " ")
            for (q = 0; q < 6; q++)
                print "f", b + f[4 * q + 1], b + f[4 * q + 2], b + f[4 * q + 3], b + f[4 * q + 4]
        }
    }'
}
bars x 12 >xs.obj
bars y 12 >ys.obj
bars x 3 >few.obj
for f in $(seq 10 35); do
    bars y 3 | awk -v f="$f" '/^v/ { print "v", $2, $3, $4 + 0.7 * sin(f / 2); next } { print }' >move_$f.obj
done
run 0 pack xs.obj ys.obj all.bws
run 1 clash all.bws --no-depth --json -o whole.csv
run 1 track 'move_##.obj' few.obj --json
cp out track.json

disk=$work/disk
mkdir "$disk"
unmount() { umount "$disk" 2>/dev/null || umount -l "$disk" 2>/dev/null; }
room() { mount -o "remount,size=$1" "$disk"; }
if ! mount -t tmpfs -o size=64k tmpfs "$disk" 2>/dev/null; then
    echo 'a file system cannot be mounted here: only /dev/full is tried'
    [ -w /dev/full ] || { echo 'skipped: there is no /dev/full'; exit 77; }
    for name in full.csv full.json full.txt; do
        ln -s /dev/full $name
        run 2 clash all.bws -o $name
        err_has "$name: No space left on device"
    done
    "$BOXWOOD" clash all.bws --json >/dev/full 2>"$work/err"
    [ $? = 2 ] || fail 'no error on a full standard output'
    finish
    exit
fi
trap 'unmount; rm -rf "$work"' EXIT

# full CODE-WITH-ROOM FILE COMMAND...: fails for a full disk and names the file, then completes.
full() {
    local then=$1 file=$2
    shift 2
    room 8k
    run 2 "$@"
    err_has "$file"
    err_has 'No space left on device'
    room 4m
}

# A store.
full 0 store.bws pack xs.obj ys.obj "$disk/store.bws"
[ ! -e "$disk/store.bws" ] || fail 'half a store has its name'
[ -z "$(ls "$disk")" ] || fail "a failed pack leaves $(ls "$disk")"
run 0 pack xs.obj ys.obj "$disk/store.bws"
cmp -s "$disk/store.bws" all.bws || fail 'the store differs'
# A store that is there is not lost by one that finds no room.
room 96k
head -c 8000000 /dev/zero >"$disk/filler" 2>/dev/null
run 2 pack xs.obj ys.obj xs.obj "$disk/store.bws"
cmp -s "$disk/store.bws" all.bws || fail 'a store was lost to one that found no room'
rm -f "$disk"/*

# Shards of clash and of track: whatever was whole is kept.
full 0 part.1 clash all.bws --no-depth --all --shard 1/1 -o "$disk/part.1"
err_has '--resume goes on from there'
[ -s "$disk/part.1" ] || fail 'nothing is kept'
run 0 clash all.bws --no-depth --all --shard 1/1 -o "$disk/part.1" --resume
run 1 merge "$disk/part.1"
cp out all.txt
run 1 clash all.bws --no-depth --all
cmp -s out all.txt || fail 'a shard that ran out of room differs'
rm -f "$disk"/*
full 0 take.1 track 'move_##.obj' few.obj --shard 1/1 -o "$disk/take.1"
err_has '--resume goes on from there'
run 0 track 'move_##.obj' few.obj --shard 1/1 -o "$disk/take.1" --resume
run 1 merge "$disk/take.1" --json
cmp -s out track.json || fail 'a shard of track that ran out of room differs'
rm -f "$disk"/*

# Reports.
for name in r.csv r.json r.html r.glb; do
    full 1 $name clash xs.obj ys.obj --no-depth -o "$disk/$name"
    [ ! -e "$disk/$name" ] || fail "half of $name is left"
    run 1 clash xs.obj ys.obj --no-depth -o "$disk/$name"
    [ -s "$disk/$name" ] || fail "$name is not there"
    rm -f "$disk"/*
done
run 1 clash all.bws --no-depth -o "$disk/r.csv"
cmp -s "$disk/r.csv" whole.csv || fail 'the report differs'
"$BOXWOOD" clash all.bws --json >/dev/full 2>"$work/err"
[ $? = 2 ] || fail 'no error on a full standard output'
finish
