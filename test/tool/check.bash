#!/usr/bin/env bash
# boxwood check: what touches and crosses, in which pose, with which exit code, as text and as JSON.
source "$(dirname "$0")/lib.bash"
write_cube >cube.obj

# Apart, touching along a face, crossing.
run 0 check cube.obj cube.obj --pose-b t=3,0,0
out_has 'apart'
err_empty
run 1 check cube.obj cube.obj --pose-b t=0.5,0.25,0.125
out_has 'in contact'
run 1 check cube.obj cube.obj --pose-b t=1,0,0 --json
json true in_contact

# A tetrahedron standing with its tip on the cube: touching in one point, named by mesh, face and line.
printf 'o tip\nv 0.25 0.5 1\nv 0 0 2\nv 1 0 2\nv 0 1 2\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n' >tip.obj
run 1 check cube.obj tip.obj --all --json
json true in_contact
json touching kind
json true complete
json 3 pairs_found
json 3 pairs_touching
json 3 pairs
json cube pairs 0 a mesh
json tip pairs 0 b mesh
json 1 pairs 0 a face
json 11 pairs 0 a line
json false pairs 0 coplanar
json 1 pairs 0 points
json 0.25 pairs 0 points 0 0
json 0.5 pairs 0 points 0 1
json 1 pairs 0 points 0 2
run 1 check cube.obj tip.obj --all
out_has 'in contact: 3 pairs, 0 crossing and 3 only touching'
out_has 'mesh "cube", face 1, line 11'
out_has 'touching at (0.25, 0.5, 1)'
# By the last bit: 2^-52 higher is apart, 2^-53 lower is crossing.
run 0 check cube.obj tip.obj --pose-b t=0,0,2.220446049250313e-16
run 1 check cube.obj tip.obj --pose-b t=0,0,-1.1102230246251565e-16 --all --json
json crossing kind

# Only the first, all, some.
run 1 check scene:torus:2000 scene:torus:2000 --pose-b 'rx=90 t=0.5,0,0' --json
json 1 pairs
json false complete
run 1 check scene:torus:2000 scene:torus:2000 --pose-b 'rx=90 t=0.5,0,0' --all --limit 5 --json --counts
json 5 pairs
[ "$(json_value pairs_found)" -gt 100 ] || fail 'too few pairs'
[ "$(json_value counts primitive_tests)" -gt 100 ] || fail 'too few tests'
run 1 check scene:torus:2000 scene:torus:2000 --pose-b 'rx=90 t=0.5,0,0' --all --limit 5
out_has 'that --limit leaves unlisted'
run 1 check scene:torus:2000 scene:torus:2000 --pose-b 'rx=90 t=0.5,0,0' --all --limit 0 --counts
out_has 'pairs of nodes'
run 0 check scene:torus scene:torus --pose-b 'rx=90 t=1,0,0' --json
json false in_contact
json true complete
json none kind
json 0 pairs

# Poses: the two ways to write one, their order, and who is moved.
pose_of() { # the twelve numbers of --pose-b as JSON knows them
    grep -o '"pose": \[[^]]*' out | sed 's/.*\[//; s/,//g'
}
expect_pose() { # expect_pose NUMBERS POSE
    local got
    "$BOXWOOD" check cube.obj cube.obj --json --pose-b "$2" >out 2>err
    got=$(pose_of | sed 's/-0\( \|$\)/0\1/g')
    [ "$got" = "$1" ] || fail "pose $2 is $got"
}
expect_pose '1 0 0 1 0 1 0 2 0 0 1 3' 't=1,2,3'
expect_pose '1 0 0 1 0 1 0 2 0 0 1 3' '  t=1,2,3  '
expect_pose '2 0 0 0 0 2 0 0 0 0 2 0' 's=2'
expect_pose '2 0 0 0 0 3 0 0 0 0 -4 0' 's=2,3,-4'
expect_pose '0 -1 0 0 1 0 0 0 0 0 1 0' 'rz=90'
expect_pose '1 0 0 0 0 0 -1 0 0 1 0 0' 'rx=90'
expect_pose '0 0 1 0 0 1 0 0 -1 0 0 0' 'ry=-270'
expect_pose '0 -1 0 0 1 0 0 0 0 0 1 0' 'r=0,0,5,450'
expect_pose '-1 0 0 0 0 -1 0 0 0 0 1 0' 'r=0,0,-1,180'
expect_pose '2 0 0 2 0 2 0 4 0 0 2 6' 't=1,2,3 s=2'
expect_pose '2 0 0 1 0 2 0 2 0 0 2 3' 's=2 t=1,2,3'
expect_pose '0 -1 0 -2 1 0 0 1 0 0 1 3' 't=1,2,3 rz=90'
expect_pose '1 2 3 4 5 6 7 8 9 10 11 12' '1,2,3,4,5,6,7,8,9,10,11,12'
expect_pose '1 2 3 4 5 6 7 8 9 10 11 12' '1 2 3 4  5 6 7 8  9 10 11 12'
for bad in '' ' ' 1 1,2,3 t=1,2 t=1,2,3,4 t= t s=1,2 q=1 r=0,0,0,90 r=1,2,3 rz=x s=nan s=inf rz=inf 't=1,2,3,' 't=1, 2,3' \
    1,2,3,4,5,6,7,8,9,10,11 1,2,3,4,5,6,7,8,9,10,11,12,13 1,2,3,4,5,6,7,8,9,10,11,x 't=1,2,3 s'; do
    run 2 check cube.obj cube.obj --pose-b "$bad"
    err_has 'boxwood: --pose-b'
    out_empty
done
run 0 check cube.obj cube.obj --pose-a t=3,0,0
run 1 check cube.obj cube.obj --pose-a t=3,0,0 --pose-b=t=3.5,0,0
# The two bodies' poses do not cancel exactly, but each is applied as it is given.
run 0 check cube.obj tip.obj --pose-a 's=3 t=0,0,-2' --pose-b t=0.5,0.5,1
run 1 check cube.obj tip.obj --pose-a 's=3 t=0,0,-2' --pose-b t=0.5,0.5,0
run 2 check cube.obj cube.obj --pose-b s=1e100
err_has 'out of the range'
run 2 check cube.obj cube.obj --pose-a s=1e40
err_has 'outside the exact range'

# Defects: refused with their place, or left out on request.
printf 'v 0 0 0.5\nv 5 0 0.5\nv 0 5 0.5\nv nan 0 0\nv inf 0 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\nf 1 2 99\n' >bad.obj
run 2 check cube.obj bad.obj
err_has 'bad.obj:4: triangle 1 (face 1, line 7): vertex 3: x = nan: NaN coordinate'
run 1 check cube.obj bad.obj --quarantine --json --all
json 3 b quarantined
json 4 b primitives
json 0 a quarantined
run 1 check cube.obj bad.obj --quarantine
out_has '3 of them with defects and left out'
# A triangle without area is answered as the segment it is.
printf 'v 0.5 0.25 -1\nv 0.5 0.25 0.5\nv 0.5 0.25 2\nf 1 2 3\n' >needle.obj
run 1 check cube.obj needle.obj --all --json
json crossing kind

# Point clouds.
printf 'v 0.5 0.5 1\nv 9 9 9\nv 0.25 0.25 0.25\n' >points.obj
run 1 check points.obj cube.obj --all --json
json points a kind
json 0 pairs 0 a index
run 0 check points.obj cube.obj --pose-a t=0,0,0.1
run 1 check points.obj points.obj --all --json
json 3 pairs_found

# Arguments.
run 2 check cube.obj
err_has 'usage: boxwood check'
run 2 check cube.obj cube.obj cube.obj
run 2 check cube.obj cube.obj --limit 5
err_has '--limit goes with --all'
for bad in -1 x '' 1.5 99999999999999999999999; do
    run 2 check cube.obj cube.obj --all --limit "$bad"
    err_has 'not a whole number'
done
run 2 check cube.obj cube.obj --bogus
err_has 'check has no option --bogus'
run 2 check cube.obj cube.obj --pose-a
err_has 'option --pose-a needs a value'
run 2 check cube.obj cube.obj --all=yes
err_has 'option --all takes no value'
run 2 check cube.obj -v
err_has 'options are written with two dashes'
cp cube.obj ./--odd.obj
run 1 check -- cube.obj --odd.obj
# A name that JSON must escape.
cp cube.obj 'a"b\c.obj'
run 1 check 'a"b\c.obj' cube.obj --json
json 'a"b\c.obj' a file
bytes=$'bad\xff\x01.obj'
cp cube.obj "$bytes"
run 1 check "$bytes" cube.obj --json
json true in_contact

# Within a budget: the answer, its confidence, what it cost; with --verify the exact answer beside it.
run 1 check scene:torus scene:pot --quality 0.5% --verify
out_has 'in contact, confidence'
out_has 'the answer is right'
run 0 check cube.obj cube.obj --pose-b t=3,0,0 --budget 1s --json --verify
json false in_contact
json true proven
json 1 confidence
json proven status
json true exact agrees
run 0 check cube.obj cube.obj --steps 0
out_has 'apart, confidence 50%: the budget is spent'
run 1 check cube.obj cube.obj --pose-b t=0.5,0.25,0.125 --budget 1s --near --json
json true proven
json true places 0 proven
run 2 check cube.obj cube.obj --budget 2u
err_has '--budget wants a time'
run 2 check cube.obj cube.obj --quality 0
err_has '--quality wants'
run 2 check cube.obj cube.obj --verify
err_has '--verify goes with'
run 2 check cube.obj cube.obj --budget 1ms --all
err_has 'cannot be answered within a budget'
for exact in '--limit=5' --counts; do
    run 2 check cube.obj cube.obj --budget 1ms "$exact"
    err_has 'goes with the exact answer'
done
run 2 check cube.obj cube.obj --budget 1ms --pose-b s=1e100
err_has 'cube.obj: --pose-b moves a coordinate out of the range'
run 1 check cube.obj bad.obj --quarantine --budget 1s --pose-b t=0,0,0.25 --json
json bad.obj b file
json 3 b quarantined
json 12 b pose

# Interrupted: what was found until then is told, is called incomplete, and the shell learns of the signal.
many_points 30000 >many.obj
interrupted INT 130 check many.obj many.obj --all --limit 2 --json
err_has 'interrupted'
json true in_contact
json false complete
json 2 pairs
interrupted TERM 143 check many.obj many.obj --all --limit 2
out_has 'in contact: interrupted after '
out_has 'that --limit leaves unlisted'

# An answer that cannot be written is no answer.
if [ -w /dev/full ]; then
    "$BOXWOOD" check cube.obj cube.obj >/dev/full 2>err
    [ $? = 2 ] || fail 'a full disk went unnoticed'
fi
finish
