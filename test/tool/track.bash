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
json 1 findings
json false findings 0 at_end
json false findings 0 at_begin
near() { # TRUTH GOT TOLERANCE
    awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d < e && d > -e) }' || fail "$2 is not $1"
}
near 1.75 "$(json_value findings 0 from)" 1e-9 # from 1 s on it sinks from 3 to -1
near 2.5 "$(json_value findings 0 to)" 1e-9
near 1.75 "$(json_value first_contact)" 1e-9
json 'down_##.obj' findings 0 a file
json floor.obj findings 0 b file
json 4 findings 0 pair_list 0 a line
run 1 track 'down_##.obj' floor.obj --fps 1
out_has 'first contact at 1.75 s'
out_has 'at 24 frames a second would have missed 0 of 1 contact'
run 1 track 'down_##.obj' floor.obj --fps 1 --csv
out_has '1,hard,"down_##.obj","","floor.obj","",'
run 1 track 'down_##.obj' floor.obj --fps 1 --first
out_has 'first contact at 1.75 s'
out_lacks 'deepest at'
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
near 2 "$(json_value findings 0 deepest)" 1e-9
near 3 "$(json_value findings 0 depth lower)" 1e-6
near 3 "$(json_value findings 0 depth_over_time 0 1)" 1e-6
json 2 findings 0 depth_over_time # frames at 2 s and 3 s
near 1 "$(json_value findings 0 depth_over_time 1 1)" 1e-6
run 1 track box.obj 'needle_#.obj' --fps 1
out_has 'deepest at 2 s, 3 deep'

# In and out again within a hundredth of a second: no frame shows it.
tip 1 2 >dip_1.obj
tip -0.25 1 >dip_2.obj
tip 1 2 >dip_3.obj
run 1 track 'dip_#.obj' floor.obj --fps 200 --counts --json
json 1 findings
json 1 counts missed_at_24
json 1 counts missed_at_30
json 1 counts missed_at_60

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
json 1 findings
json 'fold_#.obj' findings 0 b file

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
run 1 track 'few_#.obj' --self --fps 1 --pose-a s=0 --counts --json
json 15 counts triangle_contacts

# Parts of one file, by name: a hand that goes into a wall of the same file, and a foot that stands on its floor from the
# first frame on. The box of the hand is 1 wide and moves along x by 1 a second; the wall begins at 3.
person() { # X OF THE HAND
    local n=0
    block() { # NAME X Y Z W D H
        printf 'o %s\n' "$1"
        awk -v x="$2" -v y="$3" -v z="$4" -v w="$5" -v d="$6" -v h="$7" 'BEGIN {
            for (k = 0; k < 2; k++) for (j = 0; j < 2; j++) for (i = 0; i < 2; i++) print "v", x + w * i, y + d * j, z + h * k }'
        awk -v b="$n" 'BEGIN { split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", c, " ")
            for (f = 0; f < 6; f++) print "f", b + c[4*f+1], b + c[4*f+2], b + c[4*f+3], b + c[4*f+4] }'
        n=$((n + 8))
    }
    block floor -9 -9 -1 8 18 1
    block foot -3 0 0 1 1 1
    block hand "$1" 2 2 1 1 1
    block wall 3 -9 0 2 18 9
}
person 0 >person_1.obj
person 1 >person_2.obj
person 2.5 >person_3.obj
run 0 track 'person_#.obj' --self --fps 1 --between hand hand # a box does not meet itself
run 1 track 'person_#.obj' --parts --fps 1 --json
json 2 findings
json hand findings 0 a name
json wall findings 0 b name
near 2.66666666667 "$(json_value findings 0 from)" 1e-9 # from 1 at 2 s to 2.5 at 3 s: its far side is at 3 after 2/3 s
json true findings 0 at_end
near 3 "$(json_value findings 0 deepest)" 1e-9
near 0.5 "$(json_value findings 0 depth lower)" 1e-6
near 0.5 "$(json_value findings 0 depth upper)" 1e-6
json foot findings 1 b name
json true findings 1 at_begin
json touching findings 1 kind
cp out one
run 1 track 'person_#.obj' --parts --fps 1 --json --threads 3
cmp -s out one || fail 'other contacts with three threads'
run 1 track 'person_#.obj' --parts --fps 1
out_has 'hard, 2.66667 to 3 s (the end), deepest at 3 s, 0.5 deep'
out_has 'touching, 1 to 3 s (the end), from the first frame on'
run 1 track 'person_#.obj' --parts --fps 1 --tolerance 0.1
out_lacks ':foot'
out_has '1 too shallow to count'
run 0 track 'person_#.obj' --parts --fps 1 --tolerance 0.6
run 1 track 'person_#.obj' --parts --fps 1 --between foot floor
out_lacks ':hand'
printf 'touch foot floor\nallow hand wall\n' >person.rules
run 0 track 'person_#.obj' --parts --fps 1 --rules person.rules
run 1 track 'person_#.obj' --parts --fps 1 --ignore foot -o person.csv -o person.json --svg person.svg
[ "$(wc -l <person.csv)" = 2 ] || fail 'one contact in CSV'
grep -q 'hand / wall' person.svg || fail 'the timeline names no parts'
run 1 track 'person_#.obj' --parts --fps 1 --first --ignore foot
out_has 'first contact at 2.66666667 s'
run 2 track 'person_#.obj' --parts --fps 1 --ignore nobody
err_has '--ignore: no part is called "nobody"'
run 2 track 'person_#.obj' --parts --fps 1 --no-depth --tolerance 1
err_has '--tolerance is decided by depth'

# What is refused, and where it is at fault.
run 2 track floor.obj floor.obj
err_has 'nothing moves'
run 2 track 'down_##.obj'
err_has 'give another, or --parts, or --self'
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
