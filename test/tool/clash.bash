#!/usr/bin/env bash
# boxwood clash: parts of many files and of one assembly, as text and as JSON, with exit codes and faults.
source "$(dirname "$0")/lib.bash"

# boxes NAME X Y Z SIZE...: cubes as objects of one OBJ file.
boxes() {
    local base=0 k
    while [ $# -gt 0 ]; do
        printf 'o %s\n' "$1"
        awk -v x="$2" -v y="$3" -v z="$4" -v s="$5" 'BEGIN {
            for (k = 0; k < 2; k++) for (j = 0; j < 2; j++) for (i = 0; i < 2; i++) print "v", x + s * i, y + s * j, z + s * k }'
        for k in '1 3 4 2' '5 6 8 7' '1 2 6 5' '3 7 8 4' '1 5 7 3' '2 4 8 6'; do
            # shellcheck disable=SC2086
            printf 'f %s %s %s %s\n' $(for v in $k; do echo $((base + v)); done)
        done
        base=$((base + 8))
        shift 5
    done
}

# One assembly: a and b cross, b and c touch in a corner, e floats in d, f is near a.
boxes a 0 0 0 2  b 1.5 1.25 1.125 2  c 3.5 3.25 3.125 1  d 10 0 0 4  e 11 1 1 1  f -1.5 0 0 1 >six.obj
run 1 clash six.obj
err_empty
out_has '1 file, 6 parts, 72 triangles'
out_has '   1. hard, 0.5 deep, overlap 0.3281, at (1.75, 1.625, 1.5625), 12 pairs of triangles'
out_has '   2. touching, at (3.5, 3.25, 3.125), '
out_has '      six.obj:a'
out_has '      six.obj:c'
out_has '2 clashes: 1 hard, 1 only touching'
out_lacks 'six.obj:e'
run 1 clash six.obj --json
json 6 parts
json 6 meshes
json 72 primitives
json 2 findings_found
json 1 kinds hard
json 1 kinds touching
json 0 kinds clearance
json 0 kinds contained
json 2 findings
json true measured
json six.obj findings 0 a file
json a findings 0 a name
json b findings 0 b name
json hard findings 0 kind
json 12 findings 0 pairs
json 1 findings 0 regions
json 1 findings 0 pair_list
json crossing findings 0 pair_list 0 kind
json touching findings 1 pair_list 0 kind
json 3.5 findings 1 pair_list 0 points 0 0
json 0.328125 findings 0 volume
json 0 findings 1 depth upper
json_lacks findings 0 distance
run 1 clash six.obj --no-depth --json
json false measured
json_lacks findings 0 depth
json_lacks findings 0 pairs
json crossing findings 0 pair_list 0 kind

# Near and inside.
run 1 clash six.obj --contain --clearance 0.5
out_has '   1. contained, 2 deep, overlap 1, at (11.5, 1.5, 1.5)'
out_has '      six.obj:e  (inside)'
out_has '   4. clearance, 0.5 apart, at (-0.25, '
out_has '4 clashes: 1 hard, 1 inside another, 1 only touching, 1 apart but within 0.5'
run 1 clash six.obj --contain --clearance 1 --json
json 4 findings_found
json 1 kinds clearance
json 1 kinds contained
json 1 clearance
json clearance findings 3 kind
json 0.5 findings 3 distance
json 0 findings 3 nearest 0 0
json -0.5 findings 3 nearest 1 0
json contained findings 0 kind
json b findings 0 inside
json 1 findings 0 distance
json_lacks findings 1 distance
json_lacks findings 1 nearest
run 1 clash six.obj --clearance 0.4999 --json
json 0 kinds clearance
run 1 clash six.obj --clearance 0 --json
json 2 findings_found
# Nothing is inside a box without a lid.
boxes d 10 0 0 4 | sed '$d' >open.obj
boxes e 11 1 1 1 >inner.obj
run 0 clash open.obj inner.obj --contain
out_has 'no clashes'
run 0 clash inner.obj open.obj --contain
boxes d 10 0 0 4 >whole.obj
run 1 clash inner.obj whole.obj --contain --json
json a findings 0 inside
# What is open may itself be inside.
boxes e 11 1 1 1 | sed '$d' >inner_open.obj
run 1 clash whole.obj inner_open.obj --contain
run 1 clash inner_open.obj whole.obj --contain
out_has '      inner_open.obj:e  (inside)'

# Every pair of triangles, as check finds them.
boxes a 0 0 0 2 >a.obj
boxes b 1.5 1.25 1.125 2 >b.obj
run 1 check a.obj b.obj --all --json
pairs=$(json_value pairs_found)
run 1 clash a.obj b.obj --all --json
json "$pairs" findings 0 pairs
json "$pairs" findings 0 pair_list
run 1 clash a.obj b.obj --all
out_has ", $pairs pairs of triangles"
run 1 clash a.obj b.obj --all --no-depth --json
json "$pairs" findings 0 pairs
json "$pairs" findings 0 pair_list
run 1 clash a.obj b.obj --all --limit 1
out_has "and $((pairs - 1)) more that --limit leaves unlisted"
run 1 clash a.obj b.obj --all --limit 1 --json --counts
json 1 findings 0 pair_list
json 1 counts candidates
run 1 clash a.obj b.obj --all --clearance 0.1 --json
[ "$(json_value findings 0 pairs)" -ge "$pairs" ] || fail 'fewer pairs within a distance than in contact'
json 0 findings 0 pair_list 0 distance

# Built-in scenes, points, one part alone.
run 1 clash scene:torus:500 scene:torus:500 scene:clusters:100 --json
json 3 files
json hard findings 0 kind
run 0 clash a.obj
out_has 'no clashes'
run 0 clash a.obj whole.obj --counts
out_has 'tree_bytes '
out_has 'candidates       0'
out_has 'read_seconds '

# One mesh placed by four nodes of a scene: one tree, four parts, named by node. 1 and 2 touch, 2 and 3 cross, the last
# is mirrored, twice as large, and holds the first three; the answers are those for the exported coordinates.
printf 'AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAAAAAAIA/AACAPwAAgD8AAIA/AAAAAAAAgD8AAIA/AAACAAEAAAADAAIABAAFAAYABAAGAAcAAAABAAUAAAAFAAQAAQACAAYAAQAGAAUAAgADAAcAAgAHAAYAAwAAAAQAAwAEAAcA' >data
cat >four.gltf <<END
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2,3]}],
"nodes":[{"mesh":0,"name":"one"},{"mesh":0,"name":"two","translation":[1,0,0]},
{"mesh":0,"name":"three","translation":[1.5,0.5,0.5],"rotation":[0,0,0.38268343,0.92387953]},
{"mesh":0,"name":"hull","translation":[9,-3,-3],"scale":[-20,10,10]}],
"meshes":[{"name":"cube","primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"buffers":[{"byteLength":168,"uri":"data:application/octet-stream;base64,$(cat data)"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":72}],
"accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}]}
END
run 1 clash four.gltf --contain --no-depth --json
json 4 parts
json 1 meshes
json 48 primitives
json 5 findings_found
json 3 kinds contained
json one findings 0 a name
json two findings 0 b name
json hard findings 0 kind
json two findings 2 a name
json three findings 2 b name
json contained findings 1 kind
json a findings 1 inside
run 1 clash four.gltf --all --no-depth --json
found=$(json_value findings 1 pairs)
run 0 export four.gltf four.obj
for i in 1 2; do # the second and third cube of the exported file
    { grep '^v ' four.obj; grep '^f ' four.obj | sed -n "$((12 * i + 1)),$((12 * i + 12))p"; } >"cube$i.obj"
done
run 1 check cube1.obj cube2.obj --all --json
json "$found" pairs_found
run 0 info four.gltf --parts
out_has 'meshes: 4'
out_has '"three": 12 triangles of 12 faces, from triangle 24'

# A box of two materials is one closed part: it does not clash with itself, and what is in it is found.
sed -e 's/"indices":1}\]/"indices":1},{"attributes":{"POSITION":0},"indices":2}]/' \
    -e 's/"count":36,"type":"SCALAR"}/"count":18,"type":"SCALAR"},{"bufferView":1,"byteOffset":36,"componentType":5123,"count":18,"type":"SCALAR"}/' \
    -e 's/"nodes":\[0,1,2,3\]/"nodes":[0,3]/' -e 's/"name":"cube","prim/"prim/' four.gltf >materials.gltf
run 1 clash materials.gltf --contain --json
json 2 parts
json 24 primitives
json 1 findings_found
json one findings 0 a name
json hull findings 0 b name
json contained findings 0 kind
# The same where every material has vertices of its own.
sed -i -e 's/"POSITION":0},"indices":2/"POSITION":3},"indices":2/' \
    -e 's/"type":"SCALAR"}\]}$/"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"}]}/' materials.gltf
run 1 clash materials.gltf --contain --json
json 2 parts
json 1 kinds contained
run 0 info materials.gltf
out_has 'vertices: 32, triangles: 24, meshes: 2'

# Ten thousand parts: a grid of cubes of side 1 at a distance of 2, every hundredth of side 2, so that it touches its
# neighbour at x + 2, and every thousandth of side 2.5, which also crosses others. The same for any number of threads.
awk 'BEGIN { srand(1)
    for (n = 0; n < 10000; n++) {
        x = n % 25; y = int(n / 25) % 20; z = int(n / 500)
        s = n % 1000 == 0 ? 2.5 : n % 100 == 0 ? 2 : 1
        print "o part" n
        for (k = 0; k < 2; k++) for (j = 0; j < 2; j++) for (i = 0; i < 2; i++) print "v", 2*x + s*i, 2*y + s*j, 2*z + s*k
        split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", c, " ")
        for (f = 0; f < 6; f++) print "f", 8*n + c[4*f+1], 8*n + c[4*f+2], 8*n + c[4*f+3], 8*n + c[4*f+4]
    } }' >grid.obj
# The clashes of cubes are those of their boxes, by the same arithmetic on whole numbers (doubled).
awk 'function size(n) { return n % 1000 == 0 ? 5 : n % 100 == 0 ? 4 : 2 }
    BEGIN { for (n = 0; n < 10000; n += 100) {
        x = n % 25; y = int(n / 25) % 20; z = int(n / 500)
        for (dz = -1; dz <= 1; dz++) for (dy = -1; dy <= 1; dy++) for (dx = -1; dx <= 1; dx++) {
            X = x + dx; Y = y + dy; Z = z + dz
            if (X < 0 || X > 24 || Y < 0 || Y > 19 || Z < 0 || Z > 19) continue
            m = X + 25 * Y + 500 * Z
            if (m == n || (m % 100 == 0 && m < n)) continue
            s = size(n); t = size(m)
            if (4*x <= 4*X + t && 4*X <= 4*x + s && 4*y <= 4*Y + t && 4*Y <= 4*y + s && 4*z <= 4*Z + t && 4*Z <= 4*z + s)
                print (n < m ? n " " m : m " " n)
        } } }' | sort -n -k1,1 -k2,2 >expected
run 1 clash grid.obj --threads 1 --no-depth
sed -n 's/^      grid.obj:part//p' out | paste -d ' ' - - >found
[ -s expected ] || fail 'no clashes expected'
cmp -s expected found || fail 'other clashes than the boxes of the cubes'
out_has "10,000 parts, 120,000 triangles"
cp out single
run 1 clash grid.obj --threads 3 --no-depth
cmp -s out single || fail 'other output with three threads'
run 1 clash grid.obj --no-depth
cmp -s out single || fail 'other output with all processors'
# With depths: in the order of depth, again for any number of threads; the same pairs.
run 1 clash grid.obj --threads 1
cp out single
run 1 clash grid.obj --threads 3
cmp -s out single || fail 'other depths with three threads'
sed -n 's/^      grid.obj:part//p' out | paste -d ' ' - - | sort -n -k1,1 -k2,2 >found
cmp -s expected found || fail 'depths change what clashes'
run 1 clash grid.obj --tolerance 1e-6 --csv
# What is deeper than that: boxes that overlap by more than nothing along each axis.
awk 'function size(n) { return n % 1000 == 0 ? 5 : n % 100 == 0 ? 4 : 2 }
    function least(a, b) { return a < b ? a : b }
    function over(p, s, q, t) { return least(p + s, q + t) - (p > q ? p : q) }
    { s = size($1); t = size($2)
      x = over(4*($1%25), s, 4*($2%25), t); y = over(4*(int($1/25)%20), s, 4*(int($2/25)%20), t)
      z = over(4*int($1/500), s, 4*int($2/500), t); if (x > 0 && y > 0 && z > 0) print $1, $2 }' expected >deeper
sed -n 's/.*"part\([0-9]*\)","grid.obj","part\([0-9]*\)".*/\1 \2/p' out | sort -n -k1,1 -k2,2 >found
[ -s deeper ] || fail 'nothing is deep'
cmp -s deeper found || fail 'a tolerance leaves other clashes than those with an overlap'
run 1 clash grid.obj --json
json 10000 parts
json "$(wc -l <expected)" findings_found

# Bad files among good ones: refused with their name, or skipped with a warning.
run 2 clash a.obj missing.obj b.obj
err_has 'boxwood: missing.obj: No such file or directory'
out_empty
run 1 clash a.obj missing.obj b.obj --keep-going --json
err_has 'warning: missing.obj: No such file or directory; skipped'
json 1 skipped_files
json 'missing.obj: No such file or directory' files 1 error
json 1 findings_found
run 0 clash a.obj missing.obj --keep-going
out_has '1 file skipped'
run 2 clash missing.obj gone.obj --keep-going
err_has 'none of the files could be read'
# Bad parts: the triangle, its mesh and line are named; skipped, or used without the triangle.
{ boxes a 0 0 0 2 b 1 1 1 2; printf 'o broken\nv nan 0 0\nv 9 9 9\nv 8 9 9\nf 17 18 19\nf 16 18 19\n'; } >bad.obj
run 2 clash bad.obj
err_has 'bad.obj:32: triangle 24 (mesh "broken", face 0, line 35): vertex 16: x = nan: NaN coordinate'
run 1 clash bad.obj --keep-going --json
json 1 skipped_parts
json 2 parts
err_has 'bad.obj:broken is skipped'
run 1 clash bad.obj --quarantine --json
json 3 parts
json 1 quarantined
printf 'o sound\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no far\nf 1 2 99\n' >index.obj
run 2 clash index.obj
err_has 'index.obj:7: triangle 1 (mesh "far", face 0, line 7): vertex 98 of 3'
run 2 clash index.obj --quarantine
err_has 'index.obj:far: '
run 0 clash index.obj --quarantine --keep-going
printf 'o only\nv 0 0 0\nv 1 0 0\nf 1 2 99\n' >none.obj
run 2 clash none.obj --quarantine --keep-going
err_has 'none of the parts can be used'
sed 's/"translation":\[1,0,0\]/"translation":[1e38,0,0]/' four.gltf >far.gltf
run 2 clash far.gltf
err_has 'far.gltf:two: its place moves a coordinate out of the range'
run 1 clash far.gltf --keep-going --contain
out_has '1 part skipped'

# Interrupted: what was found until then, called incomplete; of one pair of parts, and of many on several threads.
many_points 30000 >many.obj
interrupted INT 130 clash many.obj many.obj --all --limit 2 --json
err_has 'interrupted'
json false complete
json 1 findings_found
json false findings 0 complete
json 2 findings 0 pair_list
interrupted TERM 143 clash many.obj many.obj many.obj many.obj --all --limit 0 --threads 3
out_has 'interrupted when '
out_has ' of 6 pairs of parts had been looked at: '
out_has 'hard, depth not known, at (1, 2, 3), at least '
out_has ' (interrupted)'
interrupted INT 130 clash many.obj many.obj many.obj --clearance 1 --all --limit 1 --threads 2
out_has ' of 3 pairs of parts had been looked at: '
run 1 clash six.obj --json
json true complete
json_lacks findings 0 complete

# The built-in plant, whose clashes tool_plant knows: names are whole paths, the worst first.
run 1 clash scene:plant --contain --tolerance 1 --json
json 2000 parts
json 44 findings_found
json 4 kinds contained
json 40 kinds hard
json 990 left_out shallow
json 0.001 unit
json scene:plant findings 0 a file
[[ $(json_value findings 0 a name) = Level\ ?/Bay\ ?*/Process/tank ]] || fail 'a name is not the whole path'

# Public engine, where Debian's assimp-testmodels is: every clash that is found without depths is found with them; a
# tolerance takes away the shallow ones and none that is deeper.
engine=/usr/share/assimp/models/glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb
if [ -f "$engine" ] && "$BOXWOOD" --version | grep -q '^with .*jansson'; then
    run 1 clash "$engine" --no-depth --csv
    cut -d , -f 3-6 out | sort >plain
    run 1 clash "$engine" --csv
    cut -d , -f 3-6 out | sort >measured
    cmp -s plain measured || fail 'depths change what clashes'
    awk -F , 'NR > 1 && $8 > 0.1 { print $3, $4, $6 }' out | sort >deeper
    awk -F , 'NR > 2 && $8 > 0 && last > 0 && $8 > last { exit 1 } NR > 1 { last = $8 }' out || fail 'not the deepest first'
    run 1 clash "$engine" --tolerance 0.1 --csv
    awk -F , 'NR > 1 { print $3, $4, $6 }' out | sort >left
    [ -z "$(comm -23 deeper left)" ] || fail 'a tolerance takes away a deeper clash'
    [ "$(wc -l <left)" -lt "$(($(wc -l <measured) - 1))" ] || fail 'a tolerance takes away nothing'
else
    echo 'skipped: the public engine (assimp-testmodels is not there, or no jansson)'
fi

# Arguments.
run 2 clash
err_has 'no files: usage: boxwood clash'
run 2 clash a.obj --limit 3
err_has '--limit goes with --all'
for bad in -1 x '' nan inf ' 1' 1e999; do
    run 2 clash a.obj b.obj --clearance "$bad"
    err_has 'not a distance'
done
for bad in 0 257 x -1; do
    run 2 clash a.obj b.obj --threads "$bad"
    err_has 'not a whole number from 1 to 256'
done
run 1 clash a.obj b.obj --threads 256
finish
