#!/usr/bin/env bash
# A film beside a part store: read part by part, in whatever memory, it gives the bytes that the files give, whole or by shards; what
# is damaged or missing is named. The oracle is the file that the store was made of, which track reads whole.
source "$(dirname "$0")/lib.bash"

# Boxes in a grid, some of them touching, and two bars that swing through some of them; far boxes are never met.
boxes() {
    awk 'BEGIN {
        n = 0
        for (i = 0; i < 7; i++) for (j = 0; j < 7; j++) for (k = 0; k < 3; k++) {
            print "o box" i j k
            s = 0.3 + 0.1 * ((i + 2 * j + k) % 3)
            for (z = 0; z < 2; z++) for (y = 0; y < 2; y++) for (x = 0; x < 2; x++)
                print "v", i + s * x + 0.003 * j, j + s * y + 0.001 * k, k + s * z + 0.002 * i
            b = 8 * n++
            split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", f, " ")
            for (q = 0; q < 6; q++)
                print "f", b + f[4 * q + 1], b + f[4 * q + 2], b + f[4 * q + 3], b + f[4 * q + 4]
        }
    }'
}
bars() { # FRAME
    awk -v f="$1" 'BEGIN {
        for (p = 0; p < 2; p++) {
            print "o bar" p
            for (z = 0; z < 2; z++) for (y = 0; y < 2; y++) for (x = 0; x < 2; x++)
                print "v", 1.1 + 0.4 * x + 0.11 * f * p, 1 + 2 * y + 0.07 * f, 1.2 + 0.3 * z + sin(f * (p + 1) / 3)
            b = 8 * p
            split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", c, " ")
            for (q = 0; q < 6; q++)
                print "f", b + c[4 * q + 1], b + c[4 * q + 2], b + c[4 * q + 3], b + c[4 * q + 4]
        }
    }'
}
boxes >all.obj
for f in $(seq 10 25); do bars "$f" >bar_$f.obj; done
run 0 pack all.obj all.bws

# same EXPECTED: what was printed of the store is what the file gave.
same() { sed 's/all\.bws/all.obj/g' out >renamed; cmp -s renamed "$1"; }

options=('' '--no-depth' '--fps 7' '--pose-b rx=20' '--pose-b -1,0,0,6,0,1,0,0,0,0,1,0' '--between bar0 box[0-4]*' '--first' '--tolerance 0.05')
for option in "${options[@]}"; do
    set -f
    # shellcheck disable=SC2086
    set -- $option
    set +f
    run 1 track 'bar_##.obj' all.obj "$@" --json
    cp out whole.json
    [ "$(json_value findings)" -gt 0 ] || fail "no contacts: $option"
    for memory in 0 1G; do
        run 1 track 'bar_##.obj' all.bws "$@" --json --memory $memory
        same whole.json || fail "a store differs: $option, --memory $memory"
    done
    # The other way round, the store is the first.
    [[ $option != *pose* ]] || continue
    run 1 track all.obj 'bar_##.obj' "$@" --csv
    cp out turned.csv
    run 1 track all.bws 'bar_##.obj' "$@" --csv --memory 3K --threads 3
    same turned.csv || fail "a store as the first file differs: $option"
done

# Units and axes that are said, on the way to the common space.
run 1 track 'bar_##.obj' all.obj --scale all.obj=0.7 --up all.obj=z --up 'bar_##.obj=z' --csv
cp out whole.csv
run 1 track 'bar_##.obj' all.bws --scale all.bws=0.7 --up all.bws=z --up 'bar_##.obj=z' --csv --memory 1
same whole.csv || fail 'with units and axes a store differs'

# Something else stands there, too: it meets boxes from the first frame on.
run 1 track 'bar_##.obj' bar_10.obj all.obj --csv
cp out whole.csv
run 1 track 'bar_##.obj' bar_10.obj all.bws --csv --memory 0
same whole.csv || fail 'with a third file a store differs'

# Nothing comes near it.
run 0 track 'bar_##.obj' all.bws --pose-b t=100,0,0

# Shards.
run 1 track 'bar_##.obj' all.bws --json
cp out whole.json
for i in 3 1 2; do run 0 track 'bar_##.obj' all.bws --memory 0 --shard $i/3 -o part.$i; done
run 1 merge part.* --json
cmp -s out whole.json || fail 'shards of a track with a store differ'
run 2 merge part.1 part.3
err_has 'shard 2 of 3 is missing'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >other.obj
cp all.bws kept.bws
run 0 pack other.obj all.bws
run 2 merge part.* --json
err_has 'is not what the shards were made from'
cp kept.bws all.bws

# Reports that show geometry, and the options.
run 1 track 'bar_##.obj' all.bws -o film.html -o film.glb --memory 0
[ "$(stat -c %s film.glb)" -gt 20000 ] || fail 'the scene of a store is short'
run 2 track 'bar_##.obj' all.obj --memory 1G
err_has '--memory goes with one part store'
run 2 track 'bar_##.obj' all.bws --memory lots
err_has 'is not a number of bytes'

# Damage: a bit of a mesh that is met, the tables, the end.
size=$(stat -c %s all.bws)
caught=0
run 1 track 'bar_##.obj' all.bws --no-depth --json
cp out quick.json
for at in $(seq 200 9001 "$size"); do
    cp kept.bws all.bws
    printf '\377' | dd of=all.bws bs=1 seek="$at" conv=notrunc status=none
    "$BOXWOOD" track 'bar_##.obj' all.bws --no-depth --json --memory 0 >out 2>err
    code=$?
    if [ $code = 2 ]; then
        caught=$((caught + 1))
        grep -q 'all.bws' err || fail "byte $at: the store is not named"
        [ ! -s out ] || fail "byte $at: something was told all the same"
    else # a mesh that nothing comes near, or the byte was that already
        cmp -s out quick.json || fail "byte $at: a damaged store gives another answer"
    fi
done
[ $caught -gt 3 ] || fail "only $caught damages were seen"
for bytes in 0 50 1000 $((size - 1)); do
    head -c "$bytes" kept.bws >all.bws
    run 2 track 'bar_##.obj' all.bws --json
    [ ! -s out ] || fail 'a cut store tells something'
done
finish
