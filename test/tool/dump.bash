#!/usr/bin/env bash
# boxwood dump: the line of JSON and the bytes behind it, counted and compared by hand.
source "$(dirname "$0")/lib.bash"

cat >two.obj <<'OBJ'
v 9 9 9
v 0 0 0
v 1 0 0
v 0 1 0
v 0.1 0.25 1e-30
o upper
f 3 4 5
o lower
f 2 3 4
f 2 3 5
OBJ
run 0 dump two.obj
err_empty
cp out bytes
head -n 1 bytes >out
json 1 dump
json 2 parts
json upper parts 0 name
json 1 parts 1 mesh
json 3 meshes 0 vertices
json 1 meshes 0 triangles
json 4 meshes 1 vertices
json 2 meshes 1 triangles
json 1 unused
tail -c +$(($(head -n 1 bytes | wc -c) + 1)) bytes >arrays
[ "$(wc -c <arrays)" = $((3 * 24 + 12 + 4 + 4 * 24 + 24 + 8)) ] || fail 'bytes are missing'
doubles() { od -An -v -t f8 -j "$1" -N "$2" arrays | xargs; }
words() { od -An -v -t u4 -j "$1" -N "$2" arrays | xargs; }
[ "$(doubles 0 72 | cut -d ' ' -f 1-7)" = '1 0 0 0 1 0 0.1' ] || fail "vertices of the first mesh: $(doubles 0 72)"
[ "$(words 72 16)" = '0 1 2 0' ] || fail "triangles of the first mesh: $(words 72 16)"
[ "$(words 184 32)" = '0 1 2 0 1 3 0 1' ] || fail "triangles of the second mesh: $(words 184 32)"

# Frames: one per file.
for i in 0 1 2; do printf 'v %s 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' $i >step$i.obj; done
run 0 dump 'step#.obj' --play --fps 2
cp out bytes
head -n 1 bytes >out
json 3 frames
json 3 vertices
size=$(json_value scalar)
tail -c +$(($(head -n 1 bytes | wc -c) + 1)) bytes >arrays
[ "$(wc -c <arrays)" = $((72 + 12 + 24 + 3 * 9 * size)) ] || fail 'bytes of the film are missing'
[ "$(doubles 84 24)" = '0 0.5 1' ] || fail "times: $(doubles 84 24)"
[ "$(od -An -v -t "f$size" -j $((108 + 2 * 9 * size)) -N "$size" arrays | xargs)" = 2 ] || fail 'the last frame'

# What goes wrong.
run 2 dump none.obj
err_has 'none.obj'
out_empty
run 2 dump two.obj --clip walk
err_has '--play'
run 2 dump
printf 'v 0 0 0\nv 1 0 0\nf 1 2 9\n' >far.obj
run 2 dump far.obj
err_has 'far.obj:3: triangle 0 has vertex 8, but there are 2'
run 2 dump far.obj --play
err_has 'far.obj:3'
printf 'v 0 0 zero\n' >bad.obj
run 2 dump bad.obj
err_has 'bad.obj:1'
finish
