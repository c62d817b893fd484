#!/usr/bin/env bash
# What counts as a clash: sets, pairs that are compared, parts and pairs left out, depths that are allowed; and the files
# that are looked at: folders, lists, compressed ones, the standard input.
source "$(dirname "$0")/lib.bash"

# box NAME X Y Z W D H [FIRST]: a box as an object of an OBJ file; FIRST: vertices before it.
box() {
    printf 'o %s\n' "$1"
    awk -v x="$2" -v y="$3" -v z="$4" -v w="$5" -v d="$6" -v h="$7" 'BEGIN {
        for (k = 0; k < 2; k++) for (j = 0; j < 2; j++) for (i = 0; i < 2; i++) print "v", x + w * i, y + d * j, z + h * k }'
    awk -v b="${8:-0}" 'BEGIN { split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", c, " ")
        for (f = 0; f < 6; f++) print "f", b + c[4*f+1], b + c[4*f+2], b + c[4*f+3], b + c[4*f+4] }'
}
# A plate with two bolts in it, 0.01 and 0.2 too deep, a pipe through it, and a lamp that touches it.
{ box 'Steel/plate' 0 0 0 10 10 1; box 'Bolts/M8[1]' 1 1 0.99 0.5 0.5 2 8; box 'Bolts/M8[2]' 3 1 0.8 0.5 0.5 2 16
  box 'Pipes/water' 5 5 -3 1 1 7 24; box 'lamp' 8 8 1 1 1 1 32; } >plant.obj
pairs() { sed -n 's/^      plant.obj://p' out | paste -d '|' - -; }
run 1 clash plant.obj
[ "$(pairs | tr '\n' ' ')" = 'Steel/plate|Pipes/water Steel/plate|Bolts/M8[2] Steel/plate|Bolts/M8[1] Steel/plate|lamp ' ] ||
    fail "another order: $(pairs)"
run 1 clash plant.obj --tolerance 0.05
[ "$(pairs | wc -l)" = 2 ] || fail 'a tolerance leaves something else'
out_has '2 too shallow to count'
run 1 clash plant.obj --tolerance 0.3
[ "$(pairs)" = 'Steel/plate|Pipes/water' ] || fail 'only the pipe is deeper'
run 0 clash plant.obj --tolerance 100
run 1 clash plant.obj --top 1
out_has '3 more, not as deep, are left out by --top'
out_lacks 'lamp'

# Between, ignore: by name, by pattern, by the last word of a path, by file, by file and name.
run 1 clash plant.obj --between 'Bolts/*' '*/plate'
[ "$(pairs | wc -l)" = 2 ] || fail 'between bolts and plate'
run 1 clash plant.obj --between 'M8[[]*' plate
[ "$(pairs | wc -l)" = 2 ] || fail 'between by the last words'
run 1 clash plant.obj --between 'Bolts/M8[2]' plant.obj
[ "$(pairs)" = 'Steel/plate|Bolts/M8[2]' ] || fail 'a name that is there to the letter is no pattern'
run 1 clash plant.obj --between lamp plant.obj --between plant.obj:Pipes/water 'plant.obj:Steel/*'
[ "$(pairs | wc -l)" = 2 ] || fail 'two lines of between'
run 0 clash plant.obj --between 'Bolts/*' 'Pipes/*'
out_has 'no clashes'
run 1 clash plant.obj --ignore 'Bolts/*' --ignore lamp
[ "$(pairs)" = 'Steel/plate|Pipes/water' ] || fail 'ignored parts'

# The same in a file, with sets, pairs that may touch and pairs that are allowed.
cat >plant.rules <<'END'
# Bolts may sit in steel, by a tenth.
set bolts "Bolts/M8[1]" Bolts/M8[[]2]   # two of them
set steel Steel/*
touch bolts steel 0.1
allow "Pipes/water" steel
touch lamp steel
END
run 1 clash plant.obj --rules plant.rules
[ "$(pairs)" = 'Steel/plate|Bolts/M8[2]' ] || fail "rules leave: $(pairs)"
run 1 clash plant.obj --rules plant.rules --json
json 2 left_out shallow
run 1 clash plant.obj --rules plant.rules --between bolts plant.obj
run 0 clash plant.obj --rules plant.rules --between lamp plant.obj
printf 'ignore lamp\r\n\r\nbetween steel steel' | cat - <(printf '\nset steel Steel/*\n') >crlf.rules
run 0 clash plant.obj --rules crlf.rules

# Faults name the file, the line and the word.
bad() { # TEXT OF THE RULE, WHAT IS SAID
    printf '\n%s\n' "$1" >bad.rules
    run 2 clash plant.obj --rules bad.rules
    err_has "bad.rules:2: $2"
}
bad 'betwen a b' '"betwen": not one of set, between, ignore, allow, touch'
bad 'between a' '1 word after "between": between A B'
bad 'ignore a b' '2 words after "ignore": ignore A'
bad 'ignore nobody*' 'no part is called "nobody*" or matches it'
bad 'set s lamp nobody' 'no part is called "nobody" or matches it'
bad 'touch lamp plate deep' '"deep": not a depth'
bad 'touch lamp plate -1' '"-1": not a depth'
bad 'ignore "lamp' 'a quote without its end'
bad 'ignore "lamp"s' 'a quote that ends within a word'
bad 'ignore ""' 'an empty name'
printf 'set s lamp\nset s plate\n' >bad.rules
run 2 clash plant.obj --rules bad.rules
err_has 'bad.rules:2: a set "s" is there already: bad.rules:1'
printf 'set s lamp\nset t s\n' >bad.rules
run 2 clash plant.obj --rules bad.rules
err_has '"s" is a set: sets are made of patterns'
printf 'ignore la\0mp\n' >bad.rules
run 2 clash plant.obj --rules bad.rules
err_has 'a zero byte'
run 2 clash plant.obj --rules missing.rules
err_has 'missing.rules: No such file'
run 2 clash plant.obj --between lamp
err_has 'option --between needs two values: --between A B'
run 2 clash plant.obj --between nobody lamp
err_has '--between: no part is called "nobody"'
run 2 clash plant.obj --no-depth --tolerance 1
err_has '--tolerance is decided by depth'

# Folders and lists. What is no mesh by its name is left alone.
mkdir -p parts/deep/er
box a 0 0 0 2 2 2 >parts/a.obj
box b 1 1 1 2 2 2 >parts/deep/er/b.obj
echo 'not a mesh' >parts/readme.txt
echo 'not a mesh' >parts/.hidden.obj
run 1 clash parts --json
json 2 files
json parts/a.obj files 0 file
json parts/deep/er/b.obj files 1 file
run 1 clash parts/deep parts/a.obj --between parts/a.obj b.obj
mkdir -p empty
run 2 clash empty
err_has 'empty: no file in this folder has a name of a format that is read here'
printf 'parts/a.obj\r\n\nparts/deep\n' >list
run 1 clash --files-from list --scale parts/deep/er/b.obj=1 --json
json 2 files
printf 'parts/a.obj\nnowhere.obj\n' >list
run 2 clash --files-from list
err_has 'nowhere.obj: No such file'
run 2 clash --files-from nowhere
err_has '--files-from nowhere: No such file'
: >list
run 2 clash --files-from list
err_has 'names no file'

# Compressed, and from the standard input.
if "$BOXWOOD" --version | grep -q '^with .*zlib' && command -v gzip >/dev/null; then
    gzip -c parts/a.obj >a.obj.gz
    gzip -c parts/deep/er/b.obj >b.gz # only what it holds tells
    run 1 clash a.obj.gz b.gz --json
    json a.obj.gz findings 0 a file
    { gzip -c parts/a.obj; box c 20 0 0 1 1 1 8 | gzip -c; } >two.obj.gz # gzip allows several members
    run 0 info two.obj.gz --json
    json 16 files 0 vertices
    mkdir -p packed
    cp a.obj.gz packed
    run 0 clash packed
    head -c 60 a.obj.gz >short.obj.gz
    run 2 info short.obj.gz
    err_has 'short.obj.gz: compressed by gzip, and damaged: the compressed data ends early'
    { cat a.obj.gz; echo garbage; } >tail.obj.gz
    run 2 info tail.obj.gz
    err_has 'something that is not gzip stands behind the compressed data'
    dd if=/dev/zero bs=1000 count=70 2>/dev/null | gzip -c >none.fbx.gz
    run 2 info none.fbx.gz
    err_has 'none.fbx.gz: compressed or from a pipe, only OBJ, PLY'
    "$BOXWOOD" clash - b.gz <a.obj.gz >out 2>err || [ $? = 1 ] || fail 'compressed standard input'
    out_has '      -:a'
else
    echo 'skipped: compressed files (this build is without zlib, or there is no gzip)'
fi
{ printf 'ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n'
  printf 'element face 1\nproperty list uchar int vertex_indices\nend_header\n'
  printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200?\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200?\0\0\0\0\3\0\0\0\0\1\0\0\0\2\0\0\0'; } >tri.ply
cat tri.ply | "$BOXWOOD" clash - parts/a.obj >out 2>err
[ $? = 1 ] || fail 'PLY on the standard input'
out_has '      parts/a.obj:a'
if [ -n "${BOXWOOD_DATA:-}" ] && "$BOXWOOD" --version | grep -q '^with .*jansson'; then
    run 1 track "$BOXWOOD_DATA/gltf/Fox.glb" --self --first --json
    first=$(json_value findings 0 pair_list 0 a index)
    cat "$BOXWOOD_DATA/gltf/Fox.glb" | "$BOXWOOD" track - --self --first --json >out 2>err
    json "$first" findings 0 pair_list 0 a index
    json - files 0 file
else
    echo 'skipped: glb on the standard input (BOXWOOD_DATA is not set, or no jansson)'
fi
finish
