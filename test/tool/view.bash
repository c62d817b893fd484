#!/usr/bin/env bash
# boxwood view: the page it writes, what it counts, and what it says where it cannot. The page itself: report/page.mjs.
source "$(dirname "$0")/lib.bash"
unset DISPLAY WAYLAND_DISPLAY

# Two triangles that cross in one part, a third alone, one without area: counted by hand.
cat >cross.obj <<'OBJ'
v 0 0 0
v 2 0 0
v 0 2 0
v 0.5 0.5 -1
v 0.5 0.5 1
v 1.5 1.5 1
v 5 5 5
v 6 5 5
v 7 5 5
o crossing
f 1 2 3
f 4 5 6
o flat
f 7 8 9
OBJ
run 0 view cross.obj -o page.html --no-open --json
err_empty
json page.html page
json 2 parts
json 1 layers Self-contacts
json 9 layers 'Open edges'
json 1 layers 'Triangles without area'
json 0 layers 'Edges of more than two triangles'
json "$(stat -c %s page.html)" bytes
grep -q '</html>' page.html || fail 'the page is not whole'
! grep -Eq '(src|href)="?(http|//)' page.html || fail 'the page loads something'

# Three triangles at one edge; a cube of triangles that repeat their vertices is closed.
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 0 1 0' 'v 0 -1 0' 'v 0 0 1' 'f 1 2 3' 'f 1 2 4' 'f 1 2 5' >fin.obj
run 0 view fin.obj -o page.html --no-open --json
json 1 layers 'Edges of more than two triangles'
json 6 layers 'Open edges'

# A mesh and its baked motion have the name of the mesh: two frames of one triangle, big-endian.
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 0 1 0' 'f 1 2 3' >flag.obj
one='\x3f\x80\0\0' none='\0\0\0\0'
printf '%b' '\0\0\0\x02' '\0\0\0\x03' "$none$one" "$none$none$none$one$none$none$none$one$none" "$none$none$one$one$none$one$none$one$one" >flag.mdd
run 0 view ./flag.obj@flag.mdd -o page.html --no-open --json
grep -q '<title>flag.obj[^@]*</title>' page.html || fail 'the title of a film names its cache'

run 0 export scene:pot:2000 pot.obj
run 0 view pot.obj -o page.html --no-open --json
json 0 layers 'Open edges'

# What cannot be drawn is said, and the rest is shown.
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 0 1 0' 'v nan 0 0' 'f 1 2 3' 'f 1 2 4' 'f 1 2 9' >bad.obj
run 0 view bad.obj -o page.html --no-open
out_has '1 part'
printf '%s\n' 'v nan 0 0' 'v 1 0 0' 'v 0 1 0' 'f 1 2 3' >worse.obj
run 0 view worse.obj -o page.html --no-open
printf '%s\n' 'v 0 0 0' 'v 1 0 0' >points.obj
run 0 view points.obj -o page.html --no-open --json
json 1 parts

run 0 view scene:dress -o page.html --no-open --no-layers --json
json 0 layers
[ "$(json_value end)" != 0 ] || fail 'the dress does not move'

# Without --output a file for a while, and a word where nothing opens it.
TMPDIR=$work run 0 view cross.obj
out_has 'open it in a browser'
page=$(sed -n 's/^\(.*\.html\): .*/\1/p' out)
[ -s "$page" ] || fail 'there is no page'

# A picture and a scene. The head of a PNG has its size.
if "$BOXWOOD" --version | grep -q 'with .*PNG'; then
    run 0 view cross.obj -o picture.png --size 40x30
    [ "$(od -An -tx1 -j16 -N8 picture.png | tr -d ' ')" = 000000280000001e ] || fail 'not a picture of 40 by 30'
    run 0 view scene:dress -o first.png --size 90x60
    run 0 view scene:dress -o later.png --size 90x60 --time 1
    ! cmp -s first.png later.png || fail 'the dress hangs still'
    run 2 view cross.obj -o picture.png --size 40
    err_has '--size 40'
    run 2 view scene:dress -o picture.png --time 99
    err_has '--time 99'
    [ ! -w /dev/full ] || { ln -s /dev/full full.png; run 2 view cross.obj -o full.png; err_has full.png; }
fi
run 2 view cross.obj --time 0 -o page.html
err_has '--time'
run 0 view cross.obj -o scene.glb
if "$BOXWOOD" --version | grep -q 'with .*glTF (jansson)'; then
    run 0 info scene.glb --json
    out_has cross.obj/flat
fi

run 2 view nothing.obj
err_has 'nothing.obj'
run 2 view cross.obj -o no/such/folder.html --no-open
err_has 'no/such/folder.html'
if [ -w /dev/full ]; then
    run 2 view cross.obj -o /dev/full --no-open
    err_has '/dev/full'
fi
run 2 view
finish
