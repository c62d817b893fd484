#!/usr/bin/env bash
# boxwood export: what is written reads back as the same triangles with the same coordinates.
source "$(dirname "$0")/lib.bash"
write_cube >cube.obj

run 0 export cube.obj cut.obj
run 0 info cut.obj
out_has 'vertices: 8, triangles: 12'
out_has '; closed'
run 0 export cut.obj -
cmp -s <(grep -v '^#' out) <(grep -v '^#' cut.obj) || fail 'exported twice, another file'

# Poses are applied as check applies them: checking the exported files gives the same pairs and the same points.
for pose in 'rx=33 ry=12 t=0.5,0.1,0' 's=1,2,0.5 r=1,2,3,77 t=0.2,0,0.3'; do
    run 0 export scene:torus:3000 a.obj --pose "$pose"
    run 0 export scene:pot:3000 b.obj --pose rz=10
    run 1 check scene:torus:3000 scene:pot:3000 --pose-a "$pose" --pose-b rz=10 --all
    grep ' at ' out | sed 's/([^)]*, line [0-9]*)//g; s/([^)]*face [0-9]*)//g' >direct
    run 1 check a.obj b.obj --all
    grep ' at ' out | sed 's/([^)]*, line [0-9]*)//g; s/([^)]*face [0-9]*)//g' >exported
    [ -s direct ] || fail 'nothing in contact'
    cmp -s <(sort direct) <(sort exported) || fail 'the exported files give other contacts'
done

# Defects are refused, or left out with the vertices they alone used.
printf 'v 0 0 0\nv nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\nf 1 3 9\n' >bad.obj
run 2 export bad.obj never.obj
err_has 'bad.obj:2: triangle 0'
[ ! -e never.obj ] || fail 'a file was left behind'
run 0 export bad.obj sound.obj --quarantine
err_has '2 triangles with defects are left out'
cmp -s <(grep -v '^#' sound.obj) <(printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n') || fail 'not the sound triangle'
printf 'v 0 0 0\nv inf 0 0\nv 1 2 3\n' >points.obj
run 0 export points.obj - --quarantine
[ "$(grep -c ^v out)" = 2 ] || fail 'two points should be left'

run 2 export cube.obj no/such/folder/out.obj
err_has 'no/such/folder/out.obj: No such file or directory'
run 2 export cube.obj
err_has 'usage: boxwood export'
if [ -w /dev/full ]; then
    run 2 export scene:torus /dev/full
    err_has '/dev/full: No space left on device'
    [ -c /dev/full ] || fail 'export removed a device'
fi
# Half a mesh would pass for a whole one.
disk_full export scene:torus half.obj
err_has 'half.obj: File too large'
[ ! -e half.obj ] || fail 'half a file was left'
run 2 export cube.obj cube.ply
err_has 'cube.ply: what is written is an OBJ file'
[ ! -e cube.ply ] || fail 'a file was written all the same'
run 0 export cube.obj UPPER.OBJ
run 0 export cube.obj ./no-extension
finish
