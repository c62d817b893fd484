#!/usr/bin/env bash
# Animations of every kind, baked and compared with positions worked out by hand; and whatever is wrong with them is a sentence
# that names the frame.
source "$(dirname "$0")/lib.bash"

# Little-endian floats and counts, as base64 glues them into a glTF file.
bytes() { # WORD...
    local word
    for word in "$@"; do
        case $word in
            0) printf '\0\0\0\0' ;;
            1) printf '\0\0\200\77' ;;
            2) printf '\0\0\0\100' ;;
            .5) printf '\0\0\0\77' ;;
            h) printf '\363\4\65\77' ;; # the square root of a half
            -1) printf '\0\0\200\277' ;;
            i*) printf '%b' "\\x${word:1}\\0" ;; # a 16-bit index
            b*) printf '%b' "\\x${word:1}" ;;
            nan) printf '\0\0\300\177' ;;
            *) fail "no bytes for $word" ;;
        esac
    done
}

# gltf NAME NODES EXTRAS MESH-EXTRAS ANIMATION OUTPUT-TYPE WORD...: one triangle in accessor 0 (corners at 0, 1 along x, 1
# along y), indices in 1, times 0 and 1 in 2, then what the words say in 3 of OUTPUT-TYPE and COUNT.
gltf() {
    local name=$1 nodes=$2 extras=$3 mesh=$4 animation=$5 type=$6 count=$7
    shift 7
    bytes 0 0 0 1 0 0 0 1 0 i0 i1 i2 b0 b0 0 1 "$@" >buffer
    local size
    size=$(wc -c <buffer)
    cat >"$name" <<JSON
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": $nodes, $extras
"meshes": [{"primitives": [{"attributes": {"POSITION": 0$mesh}, "indices": 1}]}],
"animations": [{"name": "go", "samplers": [{"input": 2, "output": 3}], "channels": [{"sampler": 0, "target": $animation}]}],
"buffers": [{"byteLength": $size, "uri": "data:application/octet-stream;base64,$(base64 -w0 buffer)"}],
"bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6},
 {"buffer": 0, "byteOffset": 44, "byteLength": 8}, {"buffer": 0, "byteOffset": 52, "byteLength": $((size - 52))}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
 {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
 {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
 {"bufferView": 3, "componentType": 5126, "count": $count, "type": "$type"}$accessors]}
JSON
}
accessors=

# sample FILE FRAME VERTICES: the coordinates of a frame of a PC2 cache, rounded to 5 digits, on one line.
sample() {
    od -An -v -tf4 -w4 -j$((32 + $2 * $3 * 12)) -N$(($3 * 12)) "$1" |
        awk '{ v = sprintf("%.5f", $1); sub(/^-0\.00000$/, "0.00000", v); printf "%s%s", (NR > 1 ? " " : ""), v + 0 } END { print "" }'
}
is() { # GIVEN WANTED WHAT
    [ "$1" = "$2" ] || fail "$3: \"$1\" instead of \"$2\""
}

# A node that moves by 2 along x within a second, below one that stands 1 higher.
gltf slide.gltf '[{"children": [1], "translation": [0, 0, 1]}, {"mesh": 0}]' '' '' '{"node": 1, "path": "translation"}' VEC3 2 \
    0 0 0 2 0 0
run 0 bake slide.gltf slide.pc2 --fps 4 --mesh slide.obj
out_has '5 samples of 3 vertices, 0 to 1 s, "go"'
is "$(sample slide.pc2 0 3)" '0 0 1 1 0 1 0 1 1' 'the first sample'
is "$(sample slide.pc2 1 3)" '0.5 0 1 1.5 0 1 0.5 1 1' 'a quarter of the way'
is "$(sample slide.pc2 4 3)" '2 0 1 3 0 1 2 1 1' 'the last sample'
# A step that does not divide the second: the last sample stands at the end, though it is named later.
run 0 bake slide.gltf third.pc2 --fps 1.5
out_has '3 samples'
is "$(sample third.pc2 2 3)" '2 0 1 3 0 1 2 1 1' 'the sample after the end'

# A quarter turn about z: half of it after half the time, along the arc.
gltf turn.gltf '[{"mesh": 0}]' '' '' '{"node": 0, "path": "rotation"}' VEC4 2 0 0 0 1 0 0 h h
run 0 bake turn.gltf turn.pc2 --fps 2
is "$(sample turn.pc2 1 3)" '0 0 0 0.70711 0.70711 0 -0.70711 0.70711 0' 'an eighth of a turn'
is "$(sample turn.pc2 2 3)" '0 0 0 0 1 0 -1 0 0' 'a quarter of a turn'

# A morph target that lifts the second corner by 2; the weight goes from 0 to 1.
accessors=', {"bufferView": 3, "byteOffset": 8, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 2]}'
gltf morph.gltf '[{"mesh": 0}]' '' '' '{"node": 0, "path": "weights"}' SCALAR 2 0 1 0 0 0 0 0 2 0 0 0
sed -i 's/"indices": 1[^}]*}/"indices": 1, "targets": [{"POSITION": 4}]}/' morph.gltf
run 0 bake morph.gltf morph.pc2 --fps 2
is "$(sample morph.pc2 0 3)" '0 0 0 1 0 0 0 1 0' 'the weight 0'
is "$(sample morph.pc2 1 3)" '0 0 0 1 0 1 0 1 0' 'the weight 1/2'
is "$(sample morph.pc2 2 3)" '0 0 0 1 0 2 0 1 0' 'the weight 1'

# A skin: the third corner hangs half on a joint that moves by 2 along x, the second wholly; the node of the mesh does not matter.
accessors=', {"bufferView": 3, "byteOffset": 24, "componentType": 5121, "count": 3, "type": "VEC4"},
 {"bufferView": 3, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC4"},
 {"bufferView": 3, "byteOffset": 84, "componentType": 5126, "count": 2, "type": "MAT4"}'
gltf skin.gltf '[{"children": [1, 2, 3]}, {"mesh": 0, "skin": 0, "translation": [0, 0, 7]}, {"name": "still"}, {"name": "moves"}]' \
    '"skins": [{"joints": [2, 3], "inverseBindMatrices": 6}],' ', "JOINTS_0": 4, "WEIGHTS_0": 5' '{"node": 3, "path": "translation"}' VEC3 2 \
    0 0 0 2 0 0 b0 b1 b0 b0 b0 b1 b0 b0 b0 b1 b0 b0 1 0 0 0 0 1 0 0 .5 .5 0 0 \
    1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
run 0 bake skin.gltf skin.pc2 --fps 2
is "$(sample skin.pc2 0 3)" '0 0 0 1 0 0 0 1 0' 'the skin at rest'
is "$(sample skin.pc2 2 3)" '0 0 0 3 0 0 1 1 0' 'the skin moved'
# At rest, too, the skin decides, in every command: here the second joint stands 2 away.
sed 's/"name": "moves"/"name": "moves", "translation": [2, 0, 0]/' skin.gltf >skinned.gltf
run 0 info skinned.gltf
out_has 'bounds    (0, 0, 0) to (3, 1, 0)'
run 0 export skinned.gltf skinned.obj
is "$(grep '^v ' skinned.obj | tr '\n' ' ')" 'v 0 0 0 v 3 0 0 v 1 1 0 ' 'the skin at rest, exported'
run 1 check skinned.gltf skinned.obj
run 1 clash skinned.gltf skinned.obj
printf 'v 2.9 -1 -1\nv 2.9 1 -1\nv 2.9 0 1\nf 1 2 3\n' >near.obj
run 1 check skinned.gltf near.obj
run 0 check skin.gltf near.obj
accessors=

# Which animation.
run 0 bake slide.gltf again.pc2 --fps 4 --clip go
cmp -s again.pc2 slide.pc2 || fail 'the clip by its name differs'
run 0 bake slide.gltf again.pc2 --fps 4 --clip 1
cmp -s again.pc2 slide.pc2 || fail 'the clip by its number differs'
run 2 bake slide.gltf never.pc2 --clip stop
err_has 'no animation "stop"; there are 1: "go"'
[ ! -e never.pc2 ] || fail 'a failed bake left a file'

# Back from PC2 and over to MDD and back: the same bits.
run 0 bake slide.obj@slide.pc2 back.pc2 --fps 4
cmp -s back.pc2 slide.pc2 || fail 'a cache baked again differs'
run 0 bake slide.obj@slide.pc2 slide.mdd --fps 4 --json
json 5 samples
run 0 bake slide.obj@slide.mdd back.pc2 --fps 4
cmp -s back.pc2 slide.pc2 || fail 'MDD and back differs'

# What stands still has one sample.
run 0 bake slide.obj still.pc2
out_has 'nothing moves'
run 0 bake slide.obj@still.pc2 back.pc2
cmp -s back.pc2 still.pc2 || fail 'one sample baked again differs'

# Caches that are not what they say.
refused() { # FILE TEXT
    run 2 bake "$1" never.pc2
    err_has "$2"
    [ ! -e never.pc2 ] || fail "$1 left a file"
}
head -c 200 slide.pc2 >cut.pc2
refused slide.obj@cut.pc2 'cut.pc2: frame 4 is missing or cut short'
(cat slide.pc2; printf x) >long.pc2
refused slide.obj@long.pc2 'long.pc2: has 1 bytes more'
head -c 20 slide.pc2 >head.pc2
refused slide.obj@head.pc2 'does not begin as a PC2 cache does'
(head -c 12 slide.pc2; printf '\7'; tail -c +14 slide.pc2) >version.pc2
refused slide.obj@version.pc2 'version 7'
(head -c 24 slide.pc2; bytes 0; tail -c +29 slide.pc2) >step.pc2
refused slide.obj@step.pc2 'with 0 frames from sample to sample'
(head -c 28 slide.pc2; bytes 0) >none.pc2
refused slide.obj@none.pc2 'has no frames'
(head -c $((32 + 36 * 2 + 16)) slide.pc2; bytes nan; tail -c +$((32 + 36 * 2 + 21)) slide.pc2) >nan.pc2
refused slide.obj@nan.pc2 'frame 2 (0.0833333 s): vertex 1: y = nan'
write_cube >cube.obj
refused cube.obj@slide.pc2 'has 3 points, and cube.obj has 8 vertices'
refused slide.obj@missing.pc2 'missing.pc2: No such file'
refused slide.pc2 'name its mesh before it, MESH@slide.pc2'
head -c 6 slide.mdd >head.mdd
refused slide.obj@head.mdd 'too short'
head -c 20 slide.mdd >times.mdd
refused slide.obj@times.mdd 'ends within the times of its 5 frames'
(head -c 12 slide.mdd; head -c 12 slide.mdd | tail -c 4; tail -c +17 slide.mdd) >same.mdd
refused slide.obj@same.mdd 'frame 1 is at 0 s, and the one before it at 0 s'

# A file a frame. The square is cut along another diagonal when it bends.
frame() { printf 'v 0 0 0\nv %s 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n' "$1"; }
frame 1 >f_008.obj
frame 1.5 >f_009.obj
frame 0.1 >f_010.obj
run 0 bake 'f_###.obj' f.pc2 --fps 2
out_has '3 samples of 4 vertices, 4 to 5 s'
is "$(sample f.pc2 1 4)" '0 0 0 1.5 0 0 1 1 0 0 1 0' 'the second file'
mkdir folder
mv f_008.obj f_009.obj f_010.obj folder
run 0 bake 'folder/f_###.obj' f2.pc2 --fps 2
cmp -s f.pc2 f2.pc2 || fail 'the same files in a folder differ'
frame 2 >folder/f_012.obj
refused 'folder/f_###.obj' 'frame 11 is missing (folder/f_011.obj): there are 4 from 8 to 12'
frame 2 | sed 's/v 1 1 0/v 1 1 0\nv 5 5 5/' >folder/f_011.obj
refused 'folder/f_###.obj' 'frame 11 has 5 vertices, and folder/f_008.obj has 4'
frame 2 | sed 's/f 1 2 3 4/f 1 2 3/' >folder/f_011.obj
refused 'folder/f_###.obj' 'frame 11 has 1 triangles'
frame 2 | sed 's/f 1 2 3 4/f 1 2 3\nf 1 3 4/' >folder/f_011.obj
refused 'folder/f_###.obj' 'frame 11 has another face'
frame nan >folder/f_011.obj
refused 'folder/f_###.obj' 'frame 3 (0.458333 s): vertex 1: x = nan'
refused 'none_##.obj' 'no such files'
refused 'nowhere/none_##.obj' 'No such file or directory'

# Built-in scenes; options that make no sense.
run 0 bake scene:dress:200 dress.pc2 --mesh dress.obj
run 0 bake dress.obj@dress.pc2 back.pc2
cmp -s back.pc2 dress.pc2 || fail 'the dress baked again differs'
refused scene:nothing 'there are: bumpy-sphere'
run 2 bake slide.obj out.txt
err_has 'a cache is called .pc2 or .mdd'
run 2 bake slide.obj never.pc2 --fps 0
err_has '--fps 0: not a number'
run 2 bake slide.obj no-folder/never.pc2
err_has 'no-folder/never.pc2: No such file'
run 2 bake scene:dress:200 never.pc2 --clip Run
err_has '--clip Run: scene:dress:200 has no animations to choose from'
[ ! -e never.pc2 ] || fail 'a cache was written all the same'
# No points: four billion frames of nothing would fit into the file.
printf 'POINTCACHE2\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\200?\377\377\377\377' >none.pc2
run 2 bake dress.obj@none.pc2 never.pc2
err_has 'none.pc2: has no points'
disk_full bake scene:dress:200 half.pc2
err_has 'half.pc2: File too large'
[ ! -e half.pc2 ] || fail 'half a cache was left'
finish
