#!/usr/bin/env bash
# boxwood demo: four acts, contacts in each, and a sample that agrees.
source "$(dirname "$0")/lib.bash"

run 0 demo --size 1000
err_empty
for act in 1. 2. 3. 4.; do out_has "$act "; done
out_has CROSSING
out_has TOUCHING
out_has ', 0 answered otherwise'
out_lacks WRONG

run 0 demo --size 1000 --json
json 4 acts
json 0 wrong
json 11 acts 0 frames
json 0 acts 0 frames 0 pairs
# The ball: a gap of 1e-15 is one, at height 0 all contacts only touch, below they cross.
json 0 acts 3 frames 3 pairs
touching=$(json_value acts 3 frames 4 touching)
[ "$touching" -gt 0 ] || fail 'the ball does not touch the ground'
json "$touching" acts 3 frames 4 pairs
for act in 0 1 2 3; do
    most=0
    for ((i = 0; i < $(json_value acts $act frames); i++)); do
        pairs=$(json_value acts $act frames $i pairs)
        [ "$pairs" -le $most ] || most=$pairs
    done
    [ $most -gt 0 ] || fail "nothing collides in act $((act + 1))"
done
# The folder: a page, and a picture where PNG is there, for each act; what is told stays the same.
run 0 demo --size 500 --json
cp out without
run 0 demo --size 500 --json --out album
strip() { sed 's/"[a-z_]*seconds[a-z_]*": [0-9.e-]*//g' "$1"; }
[ "$(strip out)" = "$(strip without)" ] || fail 'with --out something else is told'
for act in 1 2 3 4; do
    [ -s album/act-$act.html ] || fail "act $act has no page"
    grep -q "href=\"act-$act.html\"" album/index.html || fail "the index lacks act $act"
    ! grep -q "act-$act.png" album/index.html || [ -s album/act-$act.png ] || fail "act $act has no picture"
done
run 0 demo --size 100 --out album
out_has album/index.html
echo file >taken
run 2 demo --size 100 --out taken
err_has '--out taken'
run 2 demo --size 5
err_has 'not a whole number from 100'
run 2 demo now
finish
