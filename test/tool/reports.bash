#!/usr/bin/env bash
# Reports as files: each format by the name, what it holds the same in all, names that are hard to write, faults. JSON and BCF
# are validated against their public schemas where BOXWOOD_PYTHON (or python3) has the modules (./dev reports gets them).
source "$(dirname "$0")/lib.bash"
python=${BOXWOOD_PYTHON:-python3}
validate=$here/report/validate.py
# public WHAT ARGS...: by Python; where its modules are missing that is said, and no failure.
public() {
    local got
    command -v "$python" >/dev/null || { echo 'skipped: there is no python3'; return; }
    "$python" "$validate" "$@" >said 2>&1
    got=$?
    [ $got = 0 ] || [ $got = 77 ] || fail "$* : $(tail -n 3 said)"
    [ $got = 0 ] || cat said
}

# Four cubes whose names hold what CSV, XML and terminals stumble over; they overlap by 0.5, 0.25 and 0.125.
data=AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAAAAAAIA/AACAPwAAgD8AAIA/AAAAAAAAgD8AAIA/AAACAAEAAAADAAIABAAFAAYABAAGAAcAAAABAAUAAAAFAAQAAQACAAYAAQAGAAUAAgADAAcAAgAHAAYAAwAAAAQAAwAEAAcA
cat >'odd, "names".gltf' <<END
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2,3]}],
"nodes":[{"mesh":0,"name":"=1+1"},{"mesh":0,"name":"a,b \"c\"\nd<&>\u00fc","translation":[0.5,0,0]},
{"mesh":0,"name":"'tis","translation":[1.25,0,0]},{"mesh":0,"name":"@\u001b[31m","translation":[2.125,0,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"buffers":[{"byteLength":168,"uri":"data:application/octet-stream;base64,$data"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":72}],
"accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}]}
END
if "$BOXWOOD" --version | grep -q '^with .*jansson'; then
    run 1 clash 'odd, "names".gltf' --contain --clearance 0.3 -o odd.json -o odd.csv -o odd.txt --output odd.JSON
    cmp -s odd.json odd.JSON || fail '-o and --output differ'
    cmp -s odd.txt out || fail 'the text in a file is another'
    cp odd.json out
    json 3 kinds hard
    json '=1+1' findings 0 a name
    grep -q "\"'=1+1\"" odd.csv || fail 'a formula in CSV'
    grep -q "\"''tis\"" odd.csv || fail 'an apostrophe in CSV is not doubled'
    grep -q '"a,b ""c""' odd.csv || fail 'quotes in CSV'
    ! grep -q "$(printf '\033')" odd.txt || fail 'a terminal escape in the text'
    public csv odd.csv odd.json
    public json "$SOURCE/docs/tool/report.schema.json" odd.json
    odd=('odd, "names".gltf')
else
    echo 'skipped: odd names (no jansson)'
    odd=()
fi

# The plant in all formats; schemas hold for every kind of finding and for what is not measured.
run 1 clash scene:plant:200 --contain --clearance 150 -o plant.json -o plant.csv
public json "$SOURCE/docs/tool/report.schema.json" plant.json
public csv plant.csv plant.json
run 1 clash scene:plant:200 --no-depth --all --limit 2 --counts -o plain.json
public json "$SOURCE/docs/tool/report.schema.json" plain.json
run 0 clash scene:torus:500 --json
cp out none.json
public json "$SOURCE/docs/tool/report.schema.json" none.json
run 1 clash scene:plant:200 --top 2 --json
json 2 findings
run 1 clash scene:plant:200 --csv
[ "$(tr -cd '\r' <out | wc -c)" = "$(wc -l <out)" ] || fail 'lines of CSV end with CR LF'

# A film: intervals, depth over time.
tip() { printf 'v 0 0 %s\nv 1 0 %s\nv 0 1 %s\nf 1 2 3\n' "$1" "$2" "$2"; }
printf 'v -8 -8 0\nv 8 -8 0\nv 8 8 0\nv -8 8 0\nf 1 2 3 4\n' >floor.obj
tip 3 4 >down_1.obj
tip -1 1 >down_2.obj
tip -2 -1 >down_3.obj
run 1 track 'down_#.obj' floor.obj --counts -o film.json -o film.csv
public json "$SOURCE/docs/tool/report.schema.json" film.json
public csv film.csv film.json
run 0 track 'down_#.obj' floor.obj --pose-b t=0,0,-9 -o film.json
public json "$SOURCE/docs/tool/report.schema.json" film.json

if "$BOXWOOD" --version | grep -q '^with .*minizip'; then
    run 1 track 'down_#.obj' floor.obj -o film.bcf
    public bcf film.bcf
    run 1 clash scene:plant:200 "${odd[@]}" --contain --clearance 150 --top 12 -o plant.bcf -o plant.bcfzip
    SOURCE_DATE_EPOCH=0 "$BOXWOOD" clash scene:plant:40 scene:plant:40 --no-depth --top 9 -o one.bcf >/dev/null
    SOURCE_DATE_EPOCH=0 "$BOXWOOD" clash scene:plant:40 scene:plant:40 --no-depth --top 9 -o two.bcf --threads 1 >/dev/null
    cmp -s one.bcf two.bcf || fail 'BCF does not repeat to the bit'
    public bcf plant.bcf one.bcf
    run 2 clash scene:plant:200 -o no/such/folder.bcf
    err_has 'no/such/folder.bcf: cannot be written'
else
    run 2 clash scene:plant:200 -o plant.bcf
    err_has 'without minizip'
fi

# Faults: before any work, and when it cannot be written.
for bad in report report.pdf .csv/x; do
    run 2 clash scene:plant:200 -o "$bad"
    err_has "-o $bad: no format has such a name"
    out_empty
done
run 2 clash scene:plant:200 -o
err_has 'option --output needs a value'
run 2 clash scene:plant:200 --json --csv
err_has 'one of them'
run 2 clash scene:plant:200 -o no/such/folder.csv
err_has 'no/such/folder.csv'
run 2 clash scene:plant:200 --top 0
err_has '--top 0: not a whole number'
disk_full clash scene:plant:200 -o full.json
err_has 'full.json'
[ ! -e full.json ] || fail 'half a file stays'
finish
