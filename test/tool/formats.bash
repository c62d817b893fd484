#!/usr/bin/env bash
# Content decides the format, byte-order marks are no letters, numbers are decimal, and names are shown, never obeyed.
source "$(dirname "$0")/lib.bash"

printf 'v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n' >plain.obj
printf 'OFF\n3 1 0\n0 0 0\n0.1 0 0\n0 0.1 0\n3 0 1 2\n' >plain.off
printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n0.1 0 0\n0 0.1 0\n3 0 1 2\n' >plain.ply
printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0.1 0 0\nvertex 0 0.1 0\nendloop\nendfacet\nendsolid a\n' >plain.stl
# A binary STL file: a head of 80 bytes, a count, a normal, three corners, two bytes.
binary_stl() { # HEAD
    printf '%-80s' "$1"
    printf '\1\0\0\0'
    head -c 12 /dev/zero
    head -c 12 /dev/zero
    printf '\0\0\200\77\0\0\0\0\0\0\0\0'
    printf '\0\0\0\0\0\0\200\77\0\0\0\0'
    printf '\0\0'
}
binary_stl 'made by hand' >binary.stl

# reads FILE FORMAT: it is read as that.
reads() {
    run 0 info "$1" --json
    json "$2" files 0 format
    json 1 files 0 triangles
}
# Whatever the name, and a warning where that says something else.
for from in obj:OBJ off:OFF ply:PLY stl:STL; do
    for to in obj off ply stl bin txt; do
        [ "${from%%:*}" != $to ] || continue
        cp "plain.${from%%:*}" "other.$to"
        reads "other.$to" "${from##*:}"
        err_has "warning: other.$to: its name says something else, but it is read as what it holds: ${from##*:}"
    done
    reads "plain.${from%%:*}" "${from##*:}"
    err_empty
    cp "plain.${from%%:*}" "PLAIN.$(tr a-z A-Z <<<"${from%%:*}")"
    reads "PLAIN.$(tr a-z A-Z <<<"${from%%:*}")" "${from##*:}"
    err_empty
done
cp binary.stl other.obj
reads other.obj 'STL, binary'
err_has 'warning: other.obj: '
# What could be either stays what its name says: OFF without its keyword, an OBJ file without vertices at its head.
printf '3 1 0\n0 0 0\n0.1 0 0\n0 0.1 0\n3 0 1 2\n' >bare.off
reads bare.off OFF
err_empty
printf 'myprogram 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >odd.obj
reads odd.obj OBJ
printf 'v 1 2\nv 0 0 0\n' >short.ply
run 2 info short.ply
err_has 'short.ply:1: not a PLY file: it begins with "v"'

# Binary STL whose head begins as an ASCII one does: of the right size, and with bytes behind it or a part missing.
binary_stl 'solid of one' >solid.stl
reads solid.stl 'STL, binary'
{ cat solid.stl; printf 'tail'; } >tail.stl
reads tail.stl 'STL, binary'
head -c 120 solid.stl >cut.stl
run 2 info cut.stl
err_has 'cut.stl: binary STL of 1 triangles needs 134 bytes, and the file has 120'

# A UTF-8 byte-order mark is skipped, with a name and without; UTF-16 is refused.
for kind in obj:OBJ off:OFF ply:PLY stl:STL; do
    { printf '\357\273\277'; cat "plain.${kind%%:*}"; } >"mark.${kind%%:*}"
    reads "mark.${kind%%:*}" "${kind##*:}"
    err_empty
    cp "mark.${kind%%:*}" mark
    reads mark "${kind##*:}"
    for order in '\377\376:%s\0' '\376\377:\0%s'; do
        { printf "${order%%:*}"; while IFS= read -r -n 1 -d '' letter; do
            # shellcheck disable=SC2059
            printf "${order##*:}" "$letter"
        done <"plain.${kind%%:*}"; } >"wide.${kind%%:*}"
        run 2 info "wide.${kind%%:*}"
        err_has "wide.${kind%%:*}: text in UTF-16, which is not read: save it as UTF-8"
        tail -c +3 "wide.${kind%%:*}" >"bare.${kind%%:*}"
        run 2 info "bare.${kind%%:*}"
        err_has 'text in UTF-16'
    done
done
{ printf '\357\273\277'; printf 'v 0 0 0\nv 1 0\n'; } >mark.obj
run 2 info mark.obj
err_has 'mark.obj:2: a vertex needs three numbers'

# Numbers are decimal: file, line and word are named.
for bad in 0x10 0X1p3 1,5 infinity -Infinity 'nan(1)' 1.#QNAN 1e 1e+ . + - 1_000 1d3 0x ٣; do
    printf 'v 0 0 0\nv %s 0 0\nv 0 1 0\nf 1 2 3\n' "$bad" >number.obj
    run 2 info number.obj
    err_has "number.obj:2: a vertex needs three numbers, not \"$bad\""
    printf 'OFF\n3 1 0\n0 0 0\n1 %s 0\n0 1 0\n3 0 1 2\n' "$bad" >number.off
    run 2 info number.off
    err_has "number.off:4: vertex 1 needs three numbers, not \"$bad\""
    sed "s/^0.1 0 0/0.1 0 $bad/" plain.ply >number.ply
    run 2 info number.ply
    err_has 'number.ply:11: vertex 1 has too few numbers, or no number'
    sed "s/vertex 0.1 0 0/vertex 0.1 0 $bad/" plain.stl >number.stl
    run 2 info number.stl
    err_has "number.stl:5: a vertex needs three numbers, not \"$bad\""
done
printf 'v 0 0 0\nv +1. .5e+0 -1E-1\nv 0 1 00.0\nf 1 2 3\n' >number.obj
run 0 info number.obj
out_has 'bounds    (0, 0, -0.1) to (1, 1, 0)'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0x3\n' >corner.obj
run 2 info corner.obj
err_has 'corner.obj:4: "0x3" is not a corner of a face'
# On the command line, too.
for bad in 0x10 1,5 inf nan infinity '' ' 1' '1 ' 1e 1e999; do
    run 2 clash plain.obj plain.stl --clearance "$bad"
    err_has "--clearance $bad: not a distance"
    run 2 track plain.obj plain.stl --fps "$bad"
    err_has "--fps $bad: not a number a second"
    run 2 bake plain.obj out.pc2 --fps "$bad"
    err_has "--fps $bad: not a number of frames a second"
    run 2 scene --objects 10 --fov "$bad"
    err_has "--fov $bad: not an angle"
    run 2 check plain.obj plain.stl --quality "$bad"
    err_has 'not "'
    run 2 check plain.obj plain.stl --budget "${bad}us"
    err_has "not \"${bad}us\""
done
for bad in 0x10 ' 1' -1 +1 1.5 '' 99999999999999999999999; do
    run 2 clash plain.obj plain.stl --all --limit "$bad"
    err_has "--limit $bad: not a whole number"
done
run 2 check plain.obj plain.stl --pose-b t=0x10,0,0
run 2 scene --objects 10 --eye 0x10,0,0
err_has '--eye 0x10,0,0: not three numbers'

# Names are shown, not obeyed: in text and in errors as \x1b, in JSON as \u001b, and what is not UTF-8 is never printed.
bad=$'\033[31mred\a\x9b\xff\xc2\x9b\xe2\x80\xae'
shown='\x1b[31mred\x07\x9b\xff\u009b\u202e'
clean() { ! LC_ALL=C grep -q $'[\001-\010\013-\037\177]' out err || fail 'a control character was printed'; }
valid() { iconv -f UTF-8 -t UTF-8 out >valid 2>&1 && iconv -f UTF-8 -t UTF-8 err >valid 2>&1 || fail 'not UTF-8'; }
printf 'o %s\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n' "$bad" >"name $bad.obj"
sed '/f 1 2 9/d' "name $bad.obj" >"good $bad.obj"
printf 'o %s\nv 0 0 0\nv 1 0 0\nv 0 1 zero\n' "$bad" >"word $bad.obj"
told() { # CODE ARGS...: the name is in what is printed, escaped
    run "$@"
    cat out err | grep -qF -- "$shown" || fail "lacks $shown"
    clean
    valid
}
told 0 info "good $bad.obj" --parts
told 2 info "word $bad.obj"
told 2 info "missing $bad.obj"
told 0 info "name $bad.obj"
told 2 check "name $bad.obj" plain.obj
told 1 check "good $bad.obj" plain.obj --all
told 1 clash "good $bad.obj" plain.obj --all
told 0 clash "name $bad.obj" plain.obj --keep-going
told 0 bake "good $bad.obj" "out $bad.pc2"
printf 'v 0 0 -1\nv 1 0 -1\nv 0 1 -1\nf 1 2 3\n' >"film $bad 1.obj"
printf 'v 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\n' >"film $bad 2.obj"
told 1 track "film $bad #.obj" plain.obj
told 0 export "good $bad.obj" -
told 2 "$bad"
told 2 info "--$bad"
told 2 info "-$bad"
told 2 clash plain.obj "good $bad.obj" --clearance "$bad"
run 1 track "film $bad #.obj" plain.obj --svg out.svg
mv out.svg out
out_has '</svg>'
clean
valid
for command in 'info' 'info --parts' 'clash --all' 'track' 'check --all'; do
    name="good $bad.obj"
    [ "$command" != track ] || name="film $bad #.obj"
    # shellcheck disable=SC2086
    "$BOXWOOD" $command --json "$name" plain.obj >out 2>err
    last="$command --json"
    grep -qF '\u001b[31mred\u0007\ufffd\ufffd\u009b' out || fail 'the name is not in the JSON'
    clean
    valid
done
finish
