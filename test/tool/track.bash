#!/usr/bin/env bash
# boxwood track: when things in motion touch. The expected times come from plain arithmetic on the baked positions.
source "$(dirname "$0")/lib.bash"

# A triangle that sinks through a floor between its two frames, and one that only dips into it.
tip() { printf 'v 0 0 %s\nv 1 0 %s\nv 0 1 %s\nf 1 2 3\n' "$1" "$2" "$2"; }
printf 'v -8 -8 0\nv 8 -8 0\nv 8 8 0\nv -8 8 0\nf 1 2 3 4\n' >floor.obj
tip 3 4 >down_01.obj
tip -1 1 >down_02.obj
tip -2 -1 >down_03.obj
run 1 track 'down_##.obj' floor.obj --fps 1 --json
json true in_contact
json 1 contacts
json false contacts 0 to_the_end
near() { # TRUTH GOT TOLERANCE
    awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d < e && d > -e) }' || fail "$2 is not $1"
}
near 1.75 "$(json_value contacts 0 begin)" 1e-9 # from 1 s on it sinks from 3 to -1
near 2.5 "$(json_value contacts 0 end)" 1e-9
near 1.75 "$(json_value first_contact)" 1e-9
json 3 sampled
json 0 deepest 0 a
json triangles deepest 0 measure
run 1 track 'down_##.obj' floor.obj --fps 1
out_has 'first contact at 1.75 s'
out_has 'at 24 frames a second: 0 of 1 contact'
run 1 track 'down_##.obj' floor.obj --fps 1 --csv
out_has '"down_##.obj","floor.obj",1.7'
run 1 track 'down_##.obj' floor.obj --fps 1 --first
out_has 'first contact at 1.75 s'
out_lacks 'deepest'
run 1 track 'down_##.obj' floor.obj --fps 1 --svg line.svg
grep -q '<svg ' line.svg && grep -q '</svg>' line.svg || fail 'the picture is not whole'
run 0 track 'down_##.obj' floor.obj --fps 1 --pose-b t=0,0,-3
out_has 'apart from 1 to 3 s'
run 1 track 'down_##.obj' floor.obj --fps 1 --pose-a t=0,0,-1 --json
near 1.5 "$(json_value first_contact)" 1e-9

# A tip sinks into a closed box: the deepest frame is the one at which it is farthest from its walls.
box() { printf 'v %s %s %s\n' -4 -4 0 4 -4 0 4 4 0 -4 4 0 -4 -4 8 4 -4 8 4 4 8 -4 4 8
    printf 'f %s\n' '1 4 3 2' '5 6 7 8' '1 2 6 5' '2 3 7 6' '3 4 8 7' '4 1 5 8'; }
box >box.obj
needle() { printf 'v 0 0 %s\nv 0.5 0 20\nv 0 0.5 20\nf 1 2 3\n' "$1"; }
needle 9 >needle_1.obj
needle 5 >needle_2.obj
needle 7 >needle_3.obj
run 1 track 'needle_#.obj' box.obj --fps 1 --json
json solid deepest 0 measure
near 2 "$(json_value deepest 0 time)" 1e-9
near 3 "$(json_value deepest 0 depth)" 1e-9
run 1 track box.obj 'needle_#.obj' --fps 1
out_has "a vertex is inside the other's closed surface by 3"

# In and out again within a hundredth of a second: no frame shows it.
tip 1 2 >dip_1.obj
tip -0.25 1 >dip_2.obj
tip 1 2 >dip_3.obj
run 1 track 'dip_#.obj' floor.obj --fps 200 --json
json 1 contacts
json 1 sampled 0 missed
json 1 sampled 1 missed
json 1 sampled 2 missed

# The first time at which a moving thing reaches a wall: the least of the times at which a vertex does.
wall_case() { # MESH@CACHE AXIS(1..3) SIGN FPS: a wall in its way along an axis, or against it
    local file=$1 cache=${1#*@} axis=$2 sign=$3 fps=$4 vertices start truth
    od -An -v -t f4 -w12 -j32 "$cache" >positions.txt
    vertices=$(od -An -t u4 -j16 -N4 "$cache" | tr -d ' ')
    start=$(od -An -t f4 -j20 -N4 "$cache")
    # Where the wall stands: 0.37 of the way from as far as it reaches at first to as far as it ever does.
    read -r -a truth < <(awk -v n="$vertices" -v a="$axis" -v s="$sign" -v fps="$fps" -v start="$start" '
        { v = (NR - 1) % n; f = int((NR - 1) / n); y = s * $a; x[f, v] = y; last = f
          if (NR == 1 || y < low) low = y
          if (NR == 1 || y > high) high = y
          if (NR == 1 || (f == 0 && y > first)) first = y }
        END { c = first + 0.37 * (high - first); best = 1e9
              if (high - first < 1e-3 * (high - low)) { print "0 never"; exit }
              for (f = 0; f < last; f++) for (v = 0; v < n; v++) if (x[f, v] < c && x[f + 1, v] >= c) {
                  t = (start + f + (c - x[f, v]) / (x[f + 1, v] - x[f, v])) / fps; if (t < best) best = t }
              printf "%.17g %.17g\n", s * c, best }' positions.txt)
    if [ "${truth[1]}" = never ]; then
        echo "skipped: $file does not go that way (axis $axis, $sign)"
        return
    fi
    awk -v c="${truth[0]}" -v a="$axis" 'BEGIN { split("-1 -1 1 -1 1 1 -1 1", u, " ")
        for (i = 0; i < 4; i++) { p = 1e3 * u[2 * i + 1]; q = 1e3 * u[2 * i + 2]
            if (a == 1) printf "v %.17g %g %g\n", c, p, q; else if (a == 2) printf "v %g %.17g %g\n", p, c, q
            else printf "v %g %g %.17g\n", p, q, c }
        print "f 1 2 3 4" }' >wall.obj
    run 1 track "$file" wall.obj --fps "$fps" --first --json
    near "${truth[1]}" "$(json_value first_contact)" 1e-5
}
run 0 bake scene:dress:600 dress.pc2 --fps 30 --mesh dress.obj
wall_case dress.obj@dress.pc2 1 1 30
wall_case dress.obj@dress.pc2 2 -1 30
wall_case dress.obj@dress.pc2 3 -1 30

if [ -n "${BOXWOOD_DATA:-}" ]; then
    for name in CesiumMan Fox RiggedFigure AnimatedMorphCube; do
        run 0 bake "$BOXWOOD_DATA/gltf/$name.glb" "$name.pc2" --fps 60 --mesh "$name.obj"
        for axis in 1 2 3; do
            wall_case "$name.obj@$name.pc2" $axis 1 60
            wall_case "$name.obj@$name.pc2" $axis -1 60
        done
    done
else
    echo 'skipped: the glTF samples (BOXWOOD_DATA is not set)'
fi

# Neighbours that repeat the vertices of their edge do not touch themselves, unless the edge opens and closes.
leaves() { printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 %s\nv 0 1 %s\nv 1 1 %s\nf 1 2 3\nf 4 6 5\n' "$1" "$1" "$2"; }
leaves 0 0 >leaves_1.obj
leaves 0 1 >leaves_2.obj
run 0 track 'leaves_#.obj' --self --fps 1
out_has 'taken as one with it: 2'
leaves 1 1 >leaves_2.obj
leaves 0 0 >leaves_3.obj
run 1 track 'leaves_#.obj' --self --fps 1
out_lacks 'taken as one'

# With itself: a strip that folds onto itself.
strip() { printf 'v 0 0 0\nv 4 0 0\nv 4 1 0\nv 0 1 0\nv %s 0 %s\nv %s 1 %s\nv %s 0.25 %s\nv %s 0.75 %s\nf 1 2 3\nf 1 3 4\nf 2 5 6\nf 2 6 3\nf 5 7 8\nf 5 8 6\n' "$1" "$2" "$1" "$2" "$3" "$4" "$3" "$4"; }
strip 6 2 6 4 >fold_1.obj
strip 6 2 2 -1 >fold_2.obj
run 1 track 'fold_#.obj' --self --fps 1 --json
json true in_contact
json 0 contacts 0 a
json 0 contacts 0 b

# Shrunk into a point each triangle touches every other: told at once where they are many, counted where they are few.
fan() { # TRIANGLES X SCALE
    awk -v n="$1" -v x="$2" -v s="$3" 'BEGIN {
        for (i = 0; i < 3 * n; i++) print "v", x + s * i, s * (i % 3), s * (i % 3 == 1)
        for (i = 0; i < n; i++) print "f", 3 * i + 1, 3 * i + 2, 3 * i + 3 }'
}
fan 1000 0 1 >fan_1.obj
fan 1000 1 1 >fan_2.obj
run 2 track 'fan_#.obj' --self --fps 1 --pose-a s=0
err_has 'fan_#.obj: 1000 triangles are shrunk into one point, (0, 0, 0), at 1 s: up to 499500 contacts'
run 2 track 'fan_#.obj' --self --first --fps 1 --pose-a 's=0 t=1,2,3'
err_has '(1, 2, 3)'
run 0 track 'fan_#.obj' floor.obj --fps 1 --pose-a 's=0 t=0,0,1'
run 2 track 'fan_#.obj' fan_1.obj --fps 1 --pose-a s=0 --pose-b s=-0
err_has '2000 triangles are shrunk into one point, (0, 0, 0), at 1 s: up to 1000000 contacts'
run 0 track 'fan_#.obj' fan_1.obj --fps 1 --pose-a s=0 --pose-b 's=0 t=1,0,0'
fan 1000 1 0 >fan_3.obj # hidden in the last frame only
run 2 track 'fan_#.obj' --self --fps 1
err_has '(1, 0, 0), at 3 s'
fan 6 0 1 >few_1.obj
fan 6 1 1 >few_2.obj
run 1 track 'few_#.obj' --self --fps 1 --pose-a s=0 --json
json 15 triangle_contacts

# What is refused, and where it is at fault.
run 2 track floor.obj floor.obj
err_has 'nothing moves'
run 2 track 'down_##.obj'
err_has 'give another, or --self'
run 2 track 'down_##.obj' floor.obj --csv --json
err_has 'one of them'
run 2 track 'down_##.obj' floor.obj --fps 0
err_has '--fps 0'
run 2 track 'down_##.obj' floor.obj --rate x
err_has '--rate x'
run 2 track 'down_##.obj' nowhere.obj
err_has 'nowhere.obj'
run 2 track 'down_##.obj' floor.obj --fps 1 --svg no/such/folder.svg
err_has 'no/such/folder.svg'
run 2 track 'down_##.obj' floor.obj --fps 1 --pose-a s=1e300
err_has 'frame 0'
tip nan 1 >down_04.obj
run 2 track 'down_##.obj' floor.obj --fps 1
err_has 'frame 3'
rm down_03.obj
run 2 track 'down_##.obj' floor.obj --fps 1
err_has 'frame 3 is missing'
finish
