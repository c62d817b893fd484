#!/usr/bin/env bash
# Bones and materials of contacts: an arm of single triangles, each 10 above the last, that slides into walls which reach some of
# them only. Whose triangles they are is known from how they are written.
source "$(dirname "$0")/lib.bash"
if ! "$BOXWOOD" --version | grep -q '^with .*jansson'; then
    echo 'skipped: this build is without glTF'
    exit 77
fi

# Little-endian floats, those that are needed below, and bytes.
f32() {
    local n
    for n in "$@"; do
        case $n in
            0) printf '\0\0\0\0' ;;
            .25) printf '\0\0\200\76' ;;
            .5) printf '\0\0\0\77' ;;
            .75) printf '\0\0\100\77' ;;
            1) printf '\0\0\200\77' ;;
            2.5) printf '\0\0\40\100' ;;
            2.75) printf '\0\0\60\100' ;;
            9) printf '\0\0\20\101' ;;
            10) printf '\0\0\40\101' ;;
            11) printf '\0\0\60\101' ;;
            20) printf '\0\0\240\101' ;;
            30) printf '\0\0\360\101' ;;
            *) fail "no bytes for $n" ;;
        esac
    done
}
u8() { local n; for n in "$@"; do printf '%b' "\\x0$n"; done; }

# Triangle 0 is pulled by the upper arm alone; 1 by the forearm: 1.75 to 1.25, though at its last corner the upper arm is
# stronger; 2 by the upper arm in another material; 3 by the forearm in a material without a name; 4 is of the chest, which
# stays, and in the way of triangle 1.
{
    for z in 0 10 20 30; do f32 0 0 $z 1 0 $z 0 1 $z; done
    f32 2.75 0 9 2.75 1 9 2.75 .5 11
    for joint in 0 1 0 1 2; do
        for corner in 0 1 2; do u8 $joint $((joint < 2 ? 1 - joint : 0)) 0 0; done
    done
    f32 1 0 0 0 1 0 0 0 1 0 0 0
    f32 .5 .5 0 0 1 0 0 0 .25 .75 0 0
    for corner in 1 2 3 4 5 6 7 8 9; do f32 1 0 0 0; done
    for n in 0 1 2 3 4 5 6 7 8 9 a b c d e; do u8 $n; done
    u8 0
    f32 0 1
    f32 0 0 0 2.5 0 0
} >buffer # 180 bytes of positions, 60 of joints, 240 of weights, 16 of indices, 8 of times, 24 of places
[ "$(wc -c <buffer)" = 528 ] || fail 'the buffer has another size'
cat >arm.gltf <<JSON
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 3]}],
"nodes": [{"name": "body", "skin": 0, "mesh": 0}, {"name": "UpperArm", "children": [2]}, {"name": "ForeArm"}, {"name": "Chest"}],
"skins": [{"joints": [1, 2, 3]}], "materials": [{"name": "Skin"}, {}, {"name": "Sleeve"}],
"meshes": [{"primitives": [
 {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3, "material": 0},
 {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 4, "material": 2},
 {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 5, "material": 1},
 {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 6}]}],
"animations": [{"samplers": [{"input": 7, "output": 8}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}],
"buffers": [{"byteLength": 528, "uri": "data:application/octet-stream;base64,$(base64 -w0 buffer)"}],
"bufferViews": [{"buffer": 0, "byteLength": 180}, {"buffer": 0, "byteOffset": 180, "byteLength": 60},
 {"buffer": 0, "byteOffset": 240, "byteLength": 240}, {"buffer": 0, "byteOffset": 480, "byteLength": 15},
 {"buffer": 0, "byteOffset": 496, "byteLength": 8}, {"buffer": 0, "byteOffset": 504, "byteLength": 24}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 15, "type": "VEC3", "min": [0, 0, 0], "max": [2.75, 1, 30]},
 {"bufferView": 1, "componentType": 5121, "count": 15, "type": "VEC4"},
 {"bufferView": 2, "componentType": 5126, "count": 15, "type": "VEC4"},
 {"bufferView": 3, "componentType": 5121, "count": 6, "type": "SCALAR"},
 {"bufferView": 3, "byteOffset": 6, "componentType": 5121, "count": 3, "type": "SCALAR"},
 {"bufferView": 3, "byteOffset": 9, "componentType": 5121, "count": 3, "type": "SCALAR"},
 {"bufferView": 3, "byteOffset": 12, "componentType": 5121, "count": 3, "type": "SCALAR"},
 {"bufferView": 4, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
 {"bufferView": 5, "componentType": 5126, "count": 2, "type": "VEC3"}]}
JSON

# wall X Z: a triangle that only the triangle at height Z can reach, as its tip is at X = 3.5 in the end.
wall() { printf 'v %s -9 %s\nv %s 9 %s\nv %s 0 %s\n' "$1" $(($2 - 1)) "$1" $(($2 - 1)) "$1" $(($2 + 9)); }
one_wall() { wall 3 "$1"; echo 'f 1 2 3'; }
at_height() { # Z DETAIL
    one_wall "$1" >wall.obj
    run 1 track arm.gltf wall.obj --json
    json 1 findings
    json "$2" findings 0 a detail
    json_lacks findings 0 b detail
}
at_height 0 'UpperArm, material Skin'
run 1 track arm.gltf wall.obj
out_has 'arm.gltf:body (UpperArm, material Skin)'
run 1 track wall.obj arm.gltf --csv
out_has ',,"UpperArm, material Skin"'
run 1 track arm.gltf wall.obj --no-depth --json
json 'UpperArm, material Skin' findings 0 a detail
run 1 track arm.gltf wall.obj --first --json
json 'UpperArm, material Skin' findings 0 a detail
at_height 10 'ForeArm, material Skin'
at_height 20 'UpperArm, material Sleeve'
at_height 30 'ForeArm'

# All four, and one of them meets two triangles: it comes first, the others by name. Faces before the first material have none.
{
    printf 'v 3 -90 -90\nv 3 90 -90\nv 3 0 200\n'
    wall 3.1 20
    printf 'f 1 2 3\nusemtl Brick wall\nf 4 5 6\nusemtl\n'
} >walls.obj
run 1 track arm.gltf walls.obj --json
json 'UpperArm, material Sleeve; ForeArm; ForeArm, material Skin; ...' findings 0 a detail
json 'material Brick wall' findings 0 b detail
mv out one
for threads in 1 3; do
    run 1 track arm.gltf walls.obj --json --threads $threads
    cmp -s out one || fail "other words with $threads threads"
done
run 1 track arm.gltf walls.obj
out_has 'walls.obj (material Brick wall)'

# With itself: both sides.
run 1 track arm.gltf --self --json
json 1 findings
json 'Chest; ForeArm, material Skin' findings 0 a detail
json_lacks findings 0 b detail
run 1 track arm.gltf --self --no-depth --json
json 'Chest; ForeArm, material Skin' findings 0 a detail

# Without a skin only materials are known; a mesh at two places, one of them mirrored, has them at both.
sed -e 's/"skin": 0, //' -e 's/"target": {"node": 1,/"target": {"node": 0,/' -e 's/"nodes": \[0, 1, 3\]/"nodes": [0, 4]/' \
    -e 's/{"name": "Chest"}/&, {"name": "twin", "mesh": 0, "translation": [0, 0, 100], "scale": [1, 1, -1]}/' arm.gltf >plain.gltf
run 1 track plain.gltf walls.obj --between body '*' --json
json 'material Skin; material Sleeve' findings 0 a detail
{ wall .5 80; echo 'f 1 2 3'; } >high.obj
run 1 track plain.gltf high.obj --json
json twin findings 0 a name
json 'material Sleeve' findings 0 a detail

# Who has no names gets none; a material that is not there is no fault.
one_wall 0 >wall.obj
sed -e 's/{"name": "Skin"}, {}, {"name": "Sleeve"}/{}, {}, {"name": ""}/' -e 's/"name": "UpperArm", //' arm.gltf >nameless.gltf
run 1 track nameless.gltf wall.obj --json
json_lacks findings 0 a detail
run 1 track nameless.gltf wall.obj
out_has 'nameless.gltf:body'
out_lacks 'body ('
sed -e 's/"material": 0/"material": 77/' arm.gltf >stray.gltf
run 1 track stray.gltf wall.obj --json
json 'UpperArm' findings 0 a detail
finish
