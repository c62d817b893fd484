#!/usr/bin/env bash
# Good, empty, truncated, garbage and missing files: what can be read is read, everything else is a sentence and exit code 2.
source "$(dirname "$0")/lib.bash"

garbage() { # 4000 bytes that repeat from run to run
    local i x=12345 byte bytes=
    for ((i = 0; i < 4000; i++)); do
        x=$(((x * 1103515245 + 12345) % 2147483648))
        printf -v byte '\\x%02x' $((x / 65536 % 256))
        bytes+=$byte
    done
    printf '%b' "$bytes"
}
write_cube >cube.obj
garbage >garbage

# refused FILE TEXT: it cannot be read, and the file and the reason are named. The commands that read files take turns.
turn=0
refused() {
    turn=$(((turn + 1) % 4))
    case $turn in
        0) run 2 info "$1" ;;
        1) run 2 check cube.obj "$1" --json ;;
        2) run 2 check "$1" cube.obj ;;
        3) run 2 export "$1" never.obj --pose rx=90 ;;
    esac
    err_has "boxwood: $1"
    err_has "$2"
    [ ! -e never.obj ] || fail "export of $1 left a file"
}

refused missing.obj "No such file or directory"
mkdir folder.obj
refused folder.obj "is a directory"
for kind in obj ply stl off gltf glb fbx dae 3ds xyz; do
    : >"empty.$kind"
    refused "empty.$kind" "the file is empty"
    cp garbage "garbage.$kind"
    refused "garbage.$kind" ""
    refused "missing.$kind" "No such file or directory"
done
refused garbage ""
if [ "$(id -u)" != 0 ]; then
    cp cube.obj secret.obj && chmod 0 secret.obj
    refused secret.obj "Permission denied"
fi

# OBJ: the line at fault.
printf 'v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n' >short.obj
refused short.obj ':2: a vertex needs three numbers'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2' >cut.obj
refused cut.obj ':4: a face needs at least three corners'
printf 'v 0 0 0\nv 1 0 zero\nv 0 1 0\nf 1 2 3\n' >word.obj
refused word.obj ':2: a vertex needs three numbers, not "zero"'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n' >zeroth.obj
refused zeroth.obj ':4: vertices are numbered from 1'
printf 'v 0 0 0\nv 1 0 0\nl 1 2\n' >lines.obj
refused lines.obj 'no triangles, only lines'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n' >index.obj
run 2 check index.obj cube.obj
err_has 'index.obj:4: triangle 0 (face 0, line 4): vertex 8 of 3'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nsphere 1 2 3\n' >unknown.obj
run 0 info unknown.obj
err_has 'warning: unknown.obj:5: 1 lines of unknown statements are left out'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\np 1 2\n' >mixed.obj
run 0 info mixed.obj
err_has '2 points and 1 lines beside the triangles are left out'

# PLY: counts that the file does not hold, however large.
ply() { # ply FORMAT VERTICES FACES
    printf 'ply\nformat %s 1.0\nelement vertex %s\nproperty float x\nproperty float y\nproperty float z\n' "$1" "$2"
    printf 'element face %s\nproperty list uchar int vertex_indices\nend_header\n' "$3"
}
{ ply ascii 3 1; printf '0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'; } >good.ply
run 0 info good.ply
out_has 'triangles: 1,'
{ ply ascii 3 5; printf '0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'; } >faces.ply
refused faces.ply 'face 1 is missing: the file ends'
{ ply ascii 4000000000 1; printf '0 0 0\n1 0 0\n0 1 0\n'; } >huge.ply
refused huge.ply 'vertex 3 is missing: the file ends'
{ ply binary_little_endian 4000000000 4000000000; printf 'abcdefghijkl'; } >hugebinary.ply
refused hugebinary.ply 'vertex 1 is missing: the file ends'
ply ascii 3 1 | head -n 5 >head.ply
refused head.ply 'the file ends inside its head'
{ ply ascii 3 1; printf '0 0 0\n1 0\n0 1 0\n3 0 1 2\n'; } >short.ply
refused short.ply ':11: vertex 1 has too few numbers'
{ ply ascii 3 1; printf '0 0 0\n1 0 0\n0 1 0\n3 0 1 -2\n'; } >negative.ply
run 2 check negative.ply cube.obj
err_has 'negative.ply:13: triangle 0'

# STL and OFF.
printf 'solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n' >good.stl
run 0 info good.stl
out_has 'triangles: 1,'
head -n 5 good.stl >cut.stl
refused cut.stl 'expected "vertex", not "end of file"'
head -n 8 good.stl >open.stl
refused open.stl 'expected "endsolid"'
{ printf '%080d' 0; printf '\xff\xff\xff\xff'; printf '%050d' 0; } >huge.stl
refused huge.stl 'binary STL of 4294967295 triangles needs 214748364834 bytes, and the file has 134'
printf 'OFF\n4000000000 1 0\n0 0 0\n' >huge.off
refused huge.off 'the file ends after 1 of 4000000000 vertices'
printf 'OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1\n' >short.off
refused short.off ':7: face 1 needs 3 vertex numbers'
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' >good.off
run 1 check good.off good.stl

# A scene of nodes. The same square twice, once moved by 10 along x.
cat >nodes.gltf <<'END'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
 "nodes": [{"mesh": 0, "name": "here"}, {"mesh": 0, "name": "there", "translation": [10, 0, 0]}],
 "meshes": [{"name": "square", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
               {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
 "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
 "buffers": [{"byteLength": 60, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAABAAIAAAACAAMA"}]}
END
run 0 info nodes.gltf --parts
out_has 'vertices: 8, triangles: 4, meshes: 2'
out_has 'bounds    (0, 0, 0) to (11, 1, 0)'
out_has '"there"'
run 1 check cube.obj nodes.gltf --pose-a t=10,0,0 --all
out_has 'mesh "there"'
out_lacks 'mesh "here"'
head -c 600 nodes.gltf >cut.gltf
refused cut.gltf 'cut.gltf: JSON, line 7, column 22: premature end'

# Files without an extension, pipes and the standard input are known by what is in them, to the last digit.
printf '# a comment\n\nv 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n' >plain
printf 'OFF # of three\n3 1 0\n0 0 0\n0.1 0 0\n0 0.1 0\n3 0 1 2\n' >plain_off
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n0.1 0 0\n0 0.1 0\n3 0 1 2\n' >plain_ply
printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0.1 0 0\nvertex 0 0.1 0\nendloop\nendfacet\nendsolid a\n' >plain_stl
{ head -c 80 /dev/zero; printf '\1\0\0\0'; head -c 50 /dev/zero; } >plain_binary
for plain in plain:OBJ plain_off:OFF plain_ply:PLY plain_stl:STL plain_binary:'STL, binary'; do
    run 0 info "${plain%%:*}" --json
    json "${plain##*:}" files 0 format
    [ "${plain%%:*}" = plain_binary ] || out_has '"max": [0.1, 0.1, 0]'
    code=0
    "$BOXWOOD" info - <"${plain%%:*}" >out 2>err || code=$?
    last="info - <$plain"
    [ "$code" = 0 ] || fail 'the standard input was not read'
    cat "${plain%%:*}" | "$BOXWOOD" info /dev/stdin >out 2>err || fail 'a pipe was not read'
done
refused - 'is empty'
printf '{ "asset": 1 }' | "$BOXWOOD" info /dev/stdin >out 2>err && fail 'a pipe of who knows what was read'
err_has 'compressed or from a pipe, only OBJ, PLY'
# What is wrong is shown, not what stands behind it.
printf 'OFF\n99999999999 1 0\n' >count.off
refused count.off 'expected a count of vertices of at most 4294967294, not "99999999999"'
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1.5 2\n' >broken.off
refused broken.off 'face 0 needs 3 vertex numbers, not "1.5"'
printf 'ply\nformat ascii 1.0\nelement vertex -3\nend_header\n' >count.ply
refused count.ply 'an element needs a name and a count, not "-3"'

# Built-in scenes are files too.
run 0 info scene:torus:1000
run 2 info scene:nothing
err_has 'no such scene; there are: '
for size in 0 -5 x 99999999999999; do
    run 2 info "scene:torus:$size"
    err_has 'not a count'
done
finish
