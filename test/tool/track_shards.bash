#!/usr/bin/env bash
# Shards of track: a film cut in time and put together gives the bytes of one run, for any number of shards, any order and any
# restart; what is cut, damaged, missing or of other films is named and can be mended.
source "$(dirname "$0")/lib.bash"

# A cloud of loose triangles in four parts that swing through each other and through a box: contacts that are short and long,
# that reach across borders of shards, and that are there at the beginning and at the end.
film() { # NAME FRAMES SEED
    awk -v name="$1" -v frames="$2" -v seed="$3" 'BEGIN {
        srand(seed)
        for (t = 0; t < 32; t++)
            for (a = 0; a < 3; a++) {
                base[t, a] = 4 * rand() - 2
                speed[t, a] = 0.2 + 0.5 * rand()
                for (k = 0; k < 3; k++) off[t, k, a] = rand() - 0.5
            }
        for (f = 0; f < frames; f++) {
            file = sprintf("%s_%03d.obj", name, f)
            for (t = 0; t < 32; t++)
                for (k = 0; k < 3; k++) {
                    line = "v"
                    for (a = 0; a < 3; a++)
                        line = line sprintf(" %.9g", base[t, a] + 1.5 * sin(f * speed[t, a] + t + a) + off[t, k, a])
                    print line >file
                }
            for (t = 0; t < 32; t++) {
                if (t % 8 == 0) print "o part" t / 8 >file
                print "f", 3 * t + 1, 3 * t + 2, 3 * t + 3 >file
            }
            close(file)
        }
    }'
}
film swing 61 7
printf 'v %s %s %s\n' -1 -1 0 1 -1 0 1 1 0 -1 1 0 -1 -1 1 1 -1 1 1 1 1 -1 1 1 >box.obj
printf 'f %s\n' '1 4 3 2' '5 6 7 8' '1 2 6 5' '2 3 7 6' '3 4 8 7' '4 1 5 8' >>box.obj
films=('swing_###.obj' box.obj)

# shards N OPTIONS...: all of them, into part.I, the last first.
shards() {
    local n=$1 i
    shift
    rm -f part.*
    for ((i = n; i >= 1; i--)); do run 0 track "${films[@]}" "$@" --shard "$i/$n" -o "part.$i" --threads $((1 + i % 3)); done
}
options=('--parts' '--parts --no-depth' '--parts --fps 3' '--parts --self --fps 100' '--parts --tolerance 0.2'
    '--parts --between part0 part[12] --ignore part3' '--pose-b t=0.5,0,0')
for option in "${options[@]}"; do
    set -f
    # shellcheck disable=SC2086
    set -- $option
    set +f
    run 1 track "${films[@]}" "$@" --json
    cp out whole.json
    [ "$(json_value findings)" -gt 2 ] || fail "few contacts: $option"
    for n in 1 2 3 8 13; do
        shards $n "$@"
        # shellcheck disable=SC2046
        run 1 merge $(ls part.* | sort -R --random-source=box.obj) --json
        cmp -s out whole.json || fail "$n shards of track $option differ"
    done
done

# Every kind of report, the timeline too.
run 1 track "${films[@]}" --parts -o whole.html -o whole.glb -o whole.csv --svg whole.svg
cp out whole.txt
shards 3 --parts
run 1 merge part.* -o parts.html -o parts.glb -o parts.csv --svg parts.svg
cmp -s out whole.txt || fail 'the text differs'
for kind in html glb csv svg; do cmp -s whole.$kind parts.$kind || fail "the $kind differs"; done
run 1 track "${films[@]}" --parts --json
cp out whole.json

# Damage to a shard: it is named, and only it runs again.
size=$(stat -c %s part.2)
for cut in 0 60 119 130 200 $((size / 2)) $((size - 88)) $((size - 1)); do
    head -c "$cut" part.2 >cut.2
    run 2 merge part.1 cut.2 part.3
    err_has 'cut.2'
    out_empty
    run 0 track "${films[@]}" --parts --shard 2/3 -o cut.2 --resume
    run 1 merge part.1 cut.2 part.3 --json
    cmp -s out whole.json || fail "a shard cut at $cut and resumed differs"
done
for at in 9 40 130 300 $((size / 2)) $((size - 90)) $((size - 10)); do
    cp part.2 flip.2
    printf "\\$(printf %o $(($(od -An -tu1 -j "$at" -N 1 part.2) ^ 16)))" | dd of=flip.2 bs=1 seek="$at" conv=notrunc status=none
    run 2 merge part.1 flip.2 part.3
    err_has 'flip.2'
    run 0 track "${films[@]}" --parts --shard 2/3 -o flip.2 --resume
    run 1 merge part.1 flip.2 part.3 --json
    cmp -s out whole.json || fail "a shard changed at $at and resumed differs"
done
run 2 merge part.1 part.3
err_has 'shard 2 of 3 is missing: boxwood track --shard 2/3 -o FILE --parts -- swing_###.obj box.obj'
out_empty
cp part.1 done.1
run 0 track "${films[@]}" --parts --shard 1/3 -o done.1 --resume
cmp -s part.1 done.1 || fail 'a whole shard was changed by --resume'
run 2 track "${films[@]}" --parts --fps 9 --shard 1/3 -o done.1 --resume
err_has 'other files, other options'
cmp -s part.1 done.1 || fail 'a shard of other work was changed'
run 0 track "${films[@]}" --parts --fps 9 --shard 2/3 -o other.2
run 2 merge part.1 other.2 part.3
err_has 'other.2: is of other files, other options'

# Killed at any time: what was done is kept, and the rest is done.
for after in 0.02 0.05 0.1 0.2; do
    rm -f killed.1
    "$BOXWOOD" track "${films[@]}" --parts --self --fps 2000 --shard 1/1 -o killed.1 --threads 1 >/dev/null 2>&1 &
    pid=$!
    sleep $after
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    run 0 track "${films[@]}" --parts --self --fps 2000 --shard 1/1 -o killed.1 --resume
    run 1 merge killed.1 --json
    [ $after = 0.02 ] && cp out killed.json
    cmp -s out killed.json || fail "killed after $after s and gone on with: differs"
done

# Films that have changed, or are gone.
cp swing_030.obj keep.obj
sed -i '1s/.*/v 9 9 9/' swing_030.obj
run 2 merge part.*
err_has 'swing_###.obj: is not what the shards were made from'
mv swing_030.obj gone.obj
run 2 merge part.*
err_has 'swing_'
mv keep.obj swing_030.obj
run 1 merge part.* --json
cmp -s out whole.json || fail 'with its films there again it differs'

# What does not go together.
run 2 track "${films[@]}" --parts --shard 1/3
err_has 'one -o'
run 2 track "${films[@]}" --parts --shard 4/3 -o p
err_has 'I from 1 to N'
run 2 track "${films[@]}" --parts --first --shard 1/3 -o p
err_has '--first does not go with --shard'
run 2 track "${films[@]}" --parts --json --shard 1/3 -o p
err_has '--json: is for boxwood merge'
run 2 track "${films[@]}" --parts --resume
err_has '--resume goes with --shard'
run 2 merge part.* --store box.obj
err_has '--store'
run 2 merge box.obj
err_has 'box.obj: is no file of clash --shard or track --shard'

# No room: a limit stands for a full disk.
trap '' XFSZ
(ulimit -f 4; "$BOXWOOD" track "${films[@]}" --parts --shard 1/1 -o full.1 >"$work/out" 2>"$work/err"; echo $? >code)
trap - XFSZ
[ "$(cat code)" = 2 ] || fail 'no error without room'
err_has 'full.1: File too large'
run 0 track "${films[@]}" --parts --shard 1/1 -o full.1 --resume
run 1 merge full.1 --json
cmp -s out whole.json || fail 'what was gone on with differs'
finish
