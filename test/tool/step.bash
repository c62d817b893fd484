#!/usr/bin/env bash
# STEP, IGES and BREP: parts that OpenCASCADE itself wrote, by names, instances and units; clashes of known depth; broken files.
source "$(dirname "$0")/lib.bash"
if [ -z "${STEP_WRITE:-}" ]; then
    printf 'ISO-10303-21;\n' >a.step
    run 2 info a.step
    err_has 'a.step: STEP, IGES and BREP files are read through OpenCASCADE, which this build was made without'
    echo 'this build is without OpenCASCADE: only that it says so was tested'
    finish
fi
"$STEP_WRITE" two . >/dev/null || fail 'the files could not be written'
"$STEP_WRITE" many . >/dev/null || fail 'the assembly could not be written'
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d < e && d > -e) }' || fail "$2 is not $1"; }

# A pin that stands 2.5 mm deep in a plate, in one assembly: names are paths, the unit is known, the accuracy is told.
run 1 clash press.step --json
json 2 parts
json 0.001 unit
json 1 findings_found
json hard findings 0 kind
json 'Press/plate 1' findings 0 a name
json 'Press/pin ü' findings 0 b name
near 2.5 "$(json_value findings 0 depth lower)" 0.03
near 2.5 "$(json_value findings 0 depth upper)" 1e-6
near 125.66 "$(json_value findings 0 volume)" 2 # pi 4^2 2.5, less what a polygon leaves out
near 110 "$(json_value findings 0 place 0)" 0.5
json 1 notes
[[ $(json_value notes 0) = *'curved surfaces are cut into triangles that are off by at most '*' mm'* ]] || fail 'the accuracy is not told'
err_has 'curved surfaces are cut into triangles'
run 1 clash press.step
out_has 'press.step:Press/pin'
out_has '2.5 mm deep'

# The same from two files, from IGES (surfaces, no solids) and BREP (two solids of a compound).
for files in 'plate.stp pin.stp' both.brep; do
    # shellcheck disable=SC2086
    run 1 clash $files --json
    json 1 findings_found
    near 2.5 "$(json_value findings 0 depth upper)" 1e-6
done
run 0 info both.igs --json
run 0 info inches.step --json # written in inches, read in millimetres
near 20 "$(json_value files 0 bounds max 0)" 1e-9

# One bolt in five places: a mesh once, its neighbours 0.5 in each other.
run 1 clash machine.step --json
json 5 parts
json 1 meshes
json 4 findings_found
near 0.5 "$(json_value findings 0 depth upper)" 0.05
run 1 clash machine.step --no-depth --json
json 'Machine/row 1/bolt 0' findings 0 a name
run 0 export machine.step bolts.obj
grep -q '^v .* 15$' bolts.obj || fail 'places of assemblies in assemblies do not add up'

# Broken files: a clear error, no crash.
head -c 1500 press.step >cut.step
run 2 info cut.step
err_has 'cut.step: '
echo 'not a STEP file' >no.step
run 2 info no.step
err_has 'no.step: is damaged, or not what its name says: OpenCASCADE cannot read it'
out_empty
head -c 300 both.brep >cut.brep
run 2 info cut.brep
err_has 'cut.brep: '
: >empty.igs
run 2 info empty.igs
err_has 'the file is empty'
sed 's/CARTESIAN_POINT/CARTESIAN_PONT/' press.step >typo.step
"$BOXWOOD" info typo.step >out 2>err
code=$?
[ $code = 2 ] || grep -q 'faults in the file' err || fail 'faults of the file are not told'
run 2 clash plate.stp cut.step
run 0 clash plate.stp cut.step --keep-going
finish
