#!/usr/bin/env bash
# Part stores and shards: the same answers as on the files, the same bytes for any number of shards and any memory, and whatever is
# cut, damaged, missing or without room is named and can be mended.
source "$(dirname "$0")/lib.bash"

# Bars along x, y and z that cross in many places, as parts of two OBJ files, and a cube inside another.
bar() { # NAME X0 Y0 Z0 X1 Y1 Z1 BASE
    local x y z
    echo "o $1"
    for z in $4 $7; do for y in $3 $6; do for x in $2 $5; do echo "v $x $y $z"; done; done; done
    local b=$8
    echo "f $((b + 1)) $((b + 3)) $((b + 4)) $((b + 2))"
    echo "f $((b + 5)) $((b + 6)) $((b + 8)) $((b + 7))"
    echo "f $((b + 1)) $((b + 2)) $((b + 6)) $((b + 5))"
    echo "f $((b + 3)) $((b + 7)) $((b + 8)) $((b + 4))"
    echo "f $((b + 1)) $((b + 5)) $((b + 7)) $((b + 3))"
    echo "f $((b + 2)) $((b + 4)) $((b + 8)) $((b + 6))"
}
n=0
for i in $(seq 0 11); do
    bar "x$i" 0 "$i" "0.$i" 12 "$i.5" "0.7$i" $n
    n=$((n + 8))
done >xs.obj
n=0
for i in $(seq 0 11); do
    bar "y$i" "$i" 0.1 "0.3$i" "$i.4" 12.3 "0.6" $n
    n=$((n + 8))
done >ys.obj
bar cube 20 20 20 24 24 24 0 >cube.obj
bar core 21 21 21 22 22 22 0 >core.obj

run 0 pack xs.obj ys.obj cube.obj core.obj all.bws
out_has '26 parts of 4 files, 26 meshes, 312 triangles'
run 0 info all.bws --verify
out_has 'parts: 26, triangles and points: 312, files: 4'
out_has 'every mesh'
run 0 info all.bws --json --parts
json 26 files 0 parts
json ys.obj files 0 parts 13 file
json y1 files 0 parts 13 name
run 0 pack xs.obj ys.obj cube.obj core.obj trees.bws --trees --threads 1
[ "$(stat -c %s trees.bws)" -gt "$(stat -c %s all.bws)" ] || fail 'trees take no room'

# The same as on the files, in every way that clash has.
for options in '' '--no-depth' '--contain' '--all --limit 3' '--clearance 0.2' '--clearance 0.2 --all --no-depth' \
    '--between x* y*' '--ignore x3 --tolerance 0.01'; do
    # shellcheck disable=SC2086
    set -f; set -- $options; set +f
    run 1 clash xs.obj ys.obj cube.obj core.obj "$@"
    cp out files.txt
    for store in all.bws trees.bws; do
        run 1 clash $store "$@" --memory 0
        cmp -s out files.txt || fail "clash $* differs on $store"
    done
    # Any number of shards, in any order.
    for shards in 1 2 5; do
        rm -f part.*
        for i in $(seq $shards); do run 0 clash all.bws "$@" --shard "$i/$shards" -o "part.$i" --threads 2; done
        # shellcheck disable=SC2046
        run 1 merge $(ls part.* | sort -r)
        cmp -s out files.txt || fail "$shards shards of clash $* differ"
    done
done
run 1 clash all.bws --json
cp out all.json
rm -f part.*
for i in 1 2 3; do run 0 clash all.bws --shard $i/3 -o part.$i; done
run 1 merge part.* --json -o merged.csv
cmp -s out all.json || fail 'JSON of shards differs'
[ "$(wc -l <merged.csv)" -gt 100 ] || fail 'the CSV is short'
# Findings that do not fit into memory, of shards and of one run, in several reports at once.
for memory in 0 1 3000 100K; do
    run 1 merge part.* --memory $memory --json -o sorted.csv
    cmp -s out all.json || fail "JSON of shards in $memory differs"
    cmp -s sorted.csv merged.csv || fail "CSV of shards in $memory differs"
    run 1 clash all.bws --memory $memory --json -o sorted.csv --threads 3
    cmp -s out all.json || fail "JSON in $memory differs"
    cmp -s sorted.csv merged.csv || fail "CSV in $memory differs"
done
run 2 merge part.* --memory 1X
err_has '--memory 1X is not a number of bytes'
# No folder for them: merge says so; a run, whose work would be lost, goes on in memory.
TMPDIR=/nowhere/at/all run 2 merge part.* --memory 0
err_has '/nowhere/at/all'
out_empty
TMPDIR=/nowhere/at/all run 1 merge part.* --json
cmp -s out all.json || fail 'JSON of shards without a folder differs'
TMPDIR=/nowhere/at/all run 1 clash all.bws --memory 0 --json
cmp -s out all.json || fail 'JSON without a folder differs'
# None at all.
run 0 clash all.bws --ignore '*' --json --memory 0
json 0 findings
run 0 clash all.bws --ignore '*' --shard 1/1 -o none.part
run 0 merge none.part --memory 0

# Reports that show geometry: the bytes of those of the files, by one run and by shards. Pictures and their cameras go by boxes that
# are rounded outward.
run 1 clash xs.obj ys.obj cube.obj core.obj --contain -o files.html -o files.glb
run 1 clash all.bws --contain --memory 0 -o store.html -o store.glb -o store.bcf
for i in 1 2 3; do run 0 clash all.bws --contain --shard $i/3 -o shown.$i; done
run 1 merge shown.* -o parts.html -o parts.glb
for kind in html glb; do
    cmp -s files.$kind store.$kind || fail "the $kind of a store differs"
    cmp -s files.$kind parts.$kind || fail "the $kind of shards differs"
done
[ -s store.bcf ] || fail 'no BCF of a store'
run 0 view all.bws -o view.glb
run 0 view xs.obj ys.obj cube.obj core.obj -o view2.glb
[ "$(stat -c %s view.glb)" -gt 20000 ] || fail 'the scene of a store is short'
run 0 view all.bws -o view.html --no-open --json
json 26 parts
run 0 view all.bws cube.obj -o view3.html --no-open --no-layers
if ! "$BOXWOOD" --version | grep -q 'without.*libpng'; then
    run 1 clash all.bws -o store.png
    run 0 view all.bws -o view.png
fi
# One mesh is damaged: no picture is left that lacks it.
cp all.bws broken.bws
printf '\377' | dd of=broken.bws bs=1 seek=100 conv=notrunc status=none
run 2 view broken.bws -o broken.html --no-open
err_has 'broken.bws: mesh 0 at byte 64 is damaged (checksum)'
[ ! -e broken.html ] || fail 'a page that lacks a part is left'
run 2 clash broken.bws --between 'y*' 'cube' -o broken.glb
err_has 'broken.bws: mesh 0'
[ ! -e broken.glb ] || fail 'a scene that lacks a part is left'

# Stores of stores, and stores as files.
run 0 pack xs.obj ys.obj half.bws
run 0 pack half.bws cube.obj core.obj again.bws
cmp -s again.bws all.bws || fail 'a store made of a store differs'
run 0 check cube.obj xs.obj
run 0 export cube.obj cube1.obj
run 0 pack cube.obj cube.bws
run 0 export cube.bws cube2.obj
cmp -s <(tail -n +2 cube1.obj) <(tail -n +2 cube2.obj) || fail 'export of a store differs'
run 1 clash all.bws cube.obj --no-depth
run 2 clash all.bws cube.obj --memory 1M
err_has 'only file'
run 2 clash all.bws --memory 1X
err_has '--memory 1X is not a number of bytes'
run 2 clash all.bws --scale all.bws=0.001
err_has 'boxwood pack'
# A name that is given once too few.
run 2 pack xs.obj ys.obj
err_has 'ys.obj: is there already and is no part store'
grep -q '^o y0' ys.obj || fail 'a file was overwritten'
run 2 pack nothing.obj new.bws
err_has 'nothing.obj'
[ ! -e new.bws ] && [ ! -e new.bws.unfinished ] || fail 'something is left of a failed pack'
run 0 pack nothing.obj xs.obj new.bws --keep-going
err_has 'nothing.obj'
out_has '12 parts of 1 file'

# Defects.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 nan\nv 0 1 1\nf 1 2 3\nf 1 2 4\n' >bad.obj
run 2 pack bad.obj bad.bws
err_has 'bad.obj:3: triangle 0'
run 0 pack bad.obj bad.bws --quarantine
run 0 info bad.bws --verify
out_has 'defects   1, left out'
run 0 clash bad.bws

# Shards that are wrong.
run 2 clash all.bws --shard 0/3 -o p
err_has 'I from 1 to N'
run 2 clash all.bws --shard 4/3 -o p
run 2 clash all.bws --shard 3 -o p
run 2 clash all.bws --shard 1/3
err_has 'one -o'
run 2 clash xs.obj --shard 1/3 -o p
err_has 'part store'
run 2 clash all.bws --resume
err_has '--resume goes with --shard'
run 2 merge part.1 part.3
err_has 'shard 2 of 3 is missing: boxwood clash --shard 2/3 -o FILE all.bws'
out_empty
run 2 merge part.1 part.2 part.3 part.1
err_has 'both are shard 1 of 3'
run 0 clash all.bws --no-depth --shard 2/3 -o other.2
run 2 merge part.1 other.2 part.3
err_has 'other.2: is of other files, other options'
mkdir moved && mv all.bws moved
run 2 merge part.*
err_has 'all.bws'
run 1 merge part.* --store moved/all.bws --json
cmp -s out all.json || fail 'JSON of shards with a moved store differs'
run 2 merge part.* --store trees.bws
err_has 'is not the store'
mv moved/all.bws .

# Damage, of every kind, to any shard: it is named, and only it must run again.
size=$(stat -c %s part.2)
[ "$size" -gt 2000 ] || fail 'the second shard has found nothing'
for cut in 0 50 119 150 300 $((size / 2)) $((size - 88)) $((size - 1)); do
    head -c "$cut" part.2 >cut.2
    run 2 merge part.1 cut.2 part.3
    err_has 'cut.2'
    out_empty
    run 0 clash all.bws --shard 2/3 -o cut.2 --resume
    run 1 merge part.1 cut.2 part.3 --json
    cmp -s out all.json || fail "a shard cut at $cut and resumed differs"
done
for at in 9 40 130 260 $((size / 2)) $((size - 90)) $((size - 10)); do
    cp part.2 flip.2
    printf "\\$(printf %o $(($(od -An -tu1 -j "$at" -N 1 part.2) ^ 16)))" | dd of=flip.2 bs=1 seek="$at" conv=notrunc status=none
    run 2 merge part.1 flip.2 part.3
    err_has 'flip.2'
    run 0 clash all.bws --shard 2/3 -o flip.2 --resume
    run 1 merge part.1 flip.2 part.3 --json
    cmp -s out all.json || fail "a shard changed at $at and resumed differs"
done
cp part.1 done.1
run 0 clash all.bws --shard 1/3 -o done.1 --resume
cmp -s part.1 done.1 || fail 'a whole shard was changed by --resume'
run 2 clash all.bws --no-depth --shard 1/3 -o done.1 --resume
err_has 'other files, other options'
cmp -s part.1 done.1 || fail 'a shard of other work was changed'
head -c 2000 all.bws >cut.bws
run 2 clash cut.bws
err_has 'cut.bws: has no end'
cp all.bws flip.bws
printf '\377' | dd of=flip.bws bs=1 seek=100 conv=notrunc status=none
run 2 clash flip.bws
err_has 'flip.bws: mesh 0 at byte 64 is damaged (checksum)'
run 2 clash flip.bws --shard 1/1 -o flip.1
err_has 'flip.bws: mesh 0 at byte 64 is damaged'
run 2 info flip.bws --verify
run 2 pack flip.bws repacked.bws
run 0 pack xs.obj ys.obj cube.obj core.obj flip.bws
run 0 clash flip.bws --shard 1/1 -o flip.1 --resume
run 1 merge flip.1 --json
cmp -s out all.json || fail 'what a mended store gives differs'

# No room: limits stand for a full disk.
trap '' XFSZ
(ulimit -f 1; "$BOXWOOD" pack xs.obj ys.obj full.bws >"$work/out" 2>"$work/err"; echo $? >code)
[ "$(cat code)" != 0 ] || fail 'a store was written without room'
[ ! -e full.bws ] || fail 'half a store has its name'
(ulimit -f 2; "$BOXWOOD" clash all.bws --shard 1/1 --all -o full.1 >"$work/out" 2>"$work/err"; echo $? >code)
[ "$(cat code)" = 2 ] || fail 'no error without room'
err_has 'full.1: File too large'
err_has '--resume goes on from there'
trap - XFSZ
run 0 clash all.bws --shard 1/1 --all -o full.1 --resume
run 1 merge full.1
cp out all.txt
run 1 clash all.bws --all
cmp -s out all.txt || fail 'what was gone on with differs'
finish
