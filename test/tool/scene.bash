#!/usr/bin/env bash
# boxwood scene: statistics of made crowds and of files, cameras, occlusion, pictures.
source "$(dirname "$0")/lib.bash"

run 0 scene --objects 3000
out_has 'objects   3,000 (uniform)'
out_has 'nesting   modern'
out_has 'bytes per object'
out_has 'working set'
out_lacks 'camera'
err_empty

# Every nesting holds the same objects and finds the same.
found=
paper="kd ternary octree icoseptree per-node"
"$BOXWOOD" --version | grep -q "without.*structures of the papers" && paper=
for nesting in auto modern $paper; do
    run 0 scene --objects 3000 --spread clustered --nesting $nesting --eye -50,-50,40 --json
    json 3000 objects
    [ $nesting = auto ] || json $nesting nesting
    now=$(grep -E '"(found|pairs|in_view)"' out)
    [ -z "$found" ] || [ "$now" = "$found" ] || fail "$nesting finds otherwise"
    found=$now
done
if [ -n "$paper" ]; then
    run 0 scene --objects 3000 --nesting octree --leafy --json
    json true leafy
    json 'chosen by the caller' reason
else
    run 2 scene --objects 3000 --nesting octree
    err_has BOXWOOD_RESEARCH
fi

# Occlusion sees less than the view volume, and pictures are what they are called.
run 0 scene --spread city --objects 20000 --eye 340,305,2 --look 700,310,6 --occlusion --depth d.png --svg s.svg --nodes --json
json 20000 objects
json 2 camera frames
visible=$(sed -n 's/.*"visible": \([0-9]*\).*/\1/p' out | sort -n | tail -n 1)
view=$(sed -n 's/.*"in_view": \([0-9]*\).*/\1/p' out)
[ "$visible" -gt 0 ] && [ "$((10 * visible))" -lt "$view" ] || fail "$visible of $view are visible"
[ "$(head -c 8 d.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail 'd.png is no PNG'
[ "$(head -c 4 s.svg)" = '<svg' ] && [ "$(tail -n 1 s.svg)" = '</svg>' ] || fail 's.svg is no SVG'
[ "$(grep -c '<path' s.svg)" = 6 ] || fail 's.svg lacks a part'
run 0 scene --objects 500 --svg plain.svg --nodes
[ "$(grep -c '<path' plain.svg)" = 5 ] || fail 'plain.svg should have no camera'
run 0 scene --objects 1 --fov 90 --occlusion
out_has 'frame 2'

# Files: a cube hides another behind it, and not one beside it.
write_cube >cube.obj
for shift in 0,0,0 5,0,0 0,5,0; do
    name=c${shift//,/}
    awk -v s="$shift" 'BEGIN { split(s, d, ",") } /^v / { $2 += d[1]; $3 += d[2]; $4 += d[3] } { print }' cube.obj >$name.obj
done
run 0 scene c000.obj c500.obj c050.obj --eye -6,0.5,0.5 --look 20,2,0.5 --fov 80 --occlusion --json
json files spread
json 3 objects
json 3 camera in_view
json 2 camera frames 1 visible
json 1 camera fates hidden

run 2 scene --spread nowhere
err_has '--spread nowhere: not known'
run 2 scene --nesting tree
err_has '--nesting tree: not known'
run 2 scene --leafy
err_has '--leafy goes with'
run 2 scene --objects 0
err_has '--objects'
run 2 scene --eye 1,2
err_has '--eye 1,2: not three numbers'
run 2 scene --fov 200
err_has '--fov 200'
run 2 scene --objects 10 --eye 1,2,3 --look 1,2,3
err_has 'at the place where it stands'
run 2 scene --objects 10 --eye 1e300,0,0
err_has 'no view can be made'
run 2 scene --objects 10 --depth d.png
err_has '--depth goes with --occlusion'
run 2 scene --objects 10 --nodes
err_has '--nodes goes with --svg'
run 2 scene cube.obj --objects 10
err_has '--objects goes without files'
run 2 scene nothing.obj
err_has 'nothing.obj'
run 2 scene --objects 10 --svg none/s.svg
err_has 'none/s.svg: No such file'
run 2 scene --objects 10 --occlusion --depth none/d.png
err_has 'none/d.png: No such file'
# What cannot be written whole is not left half written; a device is left alone.
disk_full scene --objects 1000 --svg half.svg
err_has 'half.svg: File too large'
disk_full scene --objects 1000 --occlusion --depth half.png
err_has 'half.png: File too large'
[ ! -e half.svg ] && [ ! -e half.png ] || fail 'half a picture was left'
if [ -c /dev/full ] && [ -w /dev/full ]; then
    run 2 scene --objects 1000 --occlusion --depth /dev/full
    err_has '/dev/full: No space left on device'
    [ -c /dev/full ] || fail 'scene removed a device'
fi
# Straight down, as a map is seen: y is up.
run 0 scene --objects 100 --eye 0,0,500 --look 0,0,0 --occlusion --svg map.svg --json
json 100 camera in_view
# A hint that fits the command.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 nan\nf 1 2 3\nf 2 3 4\n' >bad.obj
run 2 scene bad.obj
err_has '(--keep-going leaves such triangles and points out)'
run 0 scene bad.obj --keep-going
finish
