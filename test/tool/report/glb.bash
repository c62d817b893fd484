#!/usr/bin/env bash
# Scenes of reports: read back by the command itself, and by the public validator, which is skipped where node or
# gltf-validator is missing; `./dev page-test` installs it.
source "$(dirname "$0")/../lib.bash"
: "${SAMPLES:?}" "${BINARY:?}"

# What is written is what was looked at: the same parts clash, by the same names and as deep. These coordinates are floats, also
# less the middle of their part.
box() { # NAME X0 Y0 Z0 X1 Y1 Z1
    printf 'o %s\n' "$1"
    for v in "$2 $3 $4" "$5 $3 $4" "$5 $6 $4" "$2 $6 $4" "$2 $3 $7" "$5 $3 $7" "$5 $6 $7" "$2 $6 $7"; do echo "v $v"; done
    printf '%s\n' 'f -5 -6 -7 -8' 'f -4 -3 -2 -1' 'f -8 -7 -3 -4' 'f -7 -6 -2 -3' 'f -6 -5 -1 -2' 'f -5 -8 -4 -1'
}
box plate 0 0 0 4 4 0.5 >plate.obj
box beam 1 1 0.25 1.5 1.5 6 >beam.obj
run 1 clash plate.obj beam.obj --json -o scene.glb
json 1 findings
pairs=$(json_value findings 0 pairs)
deep=$(json_value findings 0 depth upper)
if "$BOXWOOD" --version | grep -q 'with .*glTF (jansson)'; then
    run 1 clash scene.glb --json
    json 1 findings
    json "$pairs" findings 0 pairs
    json "$deep" findings 0 depth upper
    out_has '/beam"'
    out_has '/plate"'
fi
# A picture of the worst, of all, of none that is there.
if "$BOXWOOD" --version | grep -q 'with .*PNG'; then
    run 1 clash plate.obj beam.obj -o first.png -o page.html
    run 1 clash plate.obj beam.obj -o all.png --picture 0
    ! cmp -s first.png all.png || fail 'the picture of a clash is that of everything'
    run 2 clash plate.obj beam.obj -o first.png --picture 2
    err_has 'there are 1 findings'
    run 2 clash plate.obj beam.obj -o first.png --picture -1
fi
run 2 clash plate.obj beam.obj -o no/such/scene.glb
err_has 'no/such/scene.glb'

export BOXWOOD_NODE_MODULES=${BOXWOOD_NODE_MODULES:-$(cd "$BINARY/.." && pwd)/node/node_modules}
if ! command -v node >/dev/null || [ ! -d "$BOXWOOD_NODE_MODULES/gltf-validator" ]; then
    [ $failed = 0 ] || exit 1
    echo "SKIPPED: node or gltf-validator is not there: only our own reader has looked (./dev page-test installs it)"
    exit 77
fi
"$SAMPLES" . clash track odd empty >/dev/null
node "$here/report/glb.mjs" ./*.glb || fail 'the validator'
finish
