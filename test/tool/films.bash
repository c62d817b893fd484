#!/usr/bin/env bash
# Clips, jumps, Quake's models, and films that are many times larger than what is held of them.
source "$(dirname "$0")/lib.bash"

# ---- bytes ----
i32() { # little-endian numbers of 32 bits
    local n
    for n in "$@"; do printf '%b' "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24 & 255)))"; done
}
i16() { for n in "$@"; do printf '%b' "$(printf '\\x%02x\\x%02x' $((n & 255)) $((n >> 8 & 255)))"; done; }
u8() { for n in "$@"; do printf '%b' "$(printf '\\x%02x' "$n")"; done; }
zeros() { head -c "$1" /dev/zero; }
f32() { # whole numbers and halves, by their bits
    local n
    for n in "$@"; do
        i32 "$(awk -v x="$n" 'BEGIN {
            if (x == 0) { print 0; exit }
            s = x < 0; if (s) x = -x
            e = 127; while (x >= 2) { x /= 2; e++ } while (x < 1) { x *= 2; e-- }
            printf "%d", s * 2147483648 + e * 8388608 + (x - 1) * 8388608 }')"
    done
}
padded() { printf '%s' "$1"; zeros $(($2 - ${#1})); }
# sample FILE FRAME VERTICES: the coordinates of a frame of a PC2 cache, on one line.
sample() {
    od -An -v -tf4 -w4 -j$((32 + $2 * $3 * 12)) -N$(($3 * 12)) "$1" |
        awk '{ v = sprintf("%.5f", $1); sub(/^-0\.00000$/, "0.00000", v); printf "%s%s", (NR > 1 ? " " : ""), v + 0 } END { print "" }'
}
is() { # GIVEN WANTED WHAT
    [ "$1" = "$2" ] || fail "$3: \"$1\" instead of \"$2\""
}

# ---- Quake's models: two triangles, four vertices, three frames; the frame lifts all by its number ----
corners() { # FRAME COMMAND...: gives the command three coordinates and a fourth byte or word for each vertex
    local f=$1
    shift
    "$@" 1 0 "$f" 0; "$@" 0 2 "$f" 0; "$@" 0 0 $((3 + f)) 0; "$@" 7 7 $((7 + f)) 0
}
sixty_fourths() { i16 $((64 * $1)) $((64 * $2)) $((64 * $3)) 0; }
names=(stand1 run1 run2)
{
    printf IDP2
    i32 8 4 4 56 0 4 0 2 0 3 68 68 68 92 260 260
    i16 0 1 2 0 0 0 1 3 2 0 0 0
    for f in 0 1 2; do f32 1 1 1 0 0 0; padded ${names[f]} 16; corners $f u8; done
} >q.md2
{
    printf IDPO
    i32 6
    f32 1 1 1 0 0 0 1 0 0 0
    i32 1 2 2 4 2 3 0 0
    f32 1
    i32 0; zeros 4 # a skin
    zeros 48       # texture coordinates
    i32 1 0 1 2 1 1 3 2
    for f in 0 1; do i32 0; zeros 8; padded ${names[f]} 16; corners $f u8; done
    # the third in a group of one
    i32 1 1; zeros 8; f32 0.5; zeros 8; padded ${names[2]} 16; corners 2 u8
} >q.mdl
{
    printf IDP3
    i32 15; padded model 64
    i32 0 3 0 1 0 108 276 276 612
    for f in 0 1 2; do zeros 40; padded ${names[f]} 16; done
    printf IDP3; padded skin 64
    i32 0 3 1 4 2 108 132 200 232 328
    i32 0 1 2 1 3 2
    padded texture 64; i32 0
    zeros 32
    for f in 0 1 2; do corners $f sixty_fourths; done
} >q.md3
for file in q.md2 q.mdl q.md3; do
    run 0 info $file --json
    json 4 files 0 vertices
    json 2 files 0 triangles
    json z files 0 up
    json 3 files 0 clips
    json all files 0 clips 0 name
    json 3 files 0 clips 0 keys
    json stand files 0 clips 1 name
    json run files 0 clips 2 name
    json 2 files 0 clips 2 keys
    run 0 bake $file q.pc2 --fps 10 --mesh q.obj
    out_has '3 samples of 4 vertices, 0 to 0.2 s, "all"'
    is "$(sample q.pc2 0 4)" '1 0 0 0 2 0 0 0 3 7 7 7' "$file: the first frame"
    is "$(sample q.pc2 2 4)" '1 0 2 0 2 2 0 0 5 7 7 9' "$file: the last frame"
    grep -q '^f 2 4 3$' q.obj || fail "$file: other triangles"
    run 0 bake $file q.pc2 --fps 10 --clip run
    out_has '2 samples of 4 vertices, 0.1 to 0.2 s, "run"'
    is "$(sample q.pc2 0 4)" '1 0 1 0 2 1 0 0 4 7 7 8' "$file: the first frame of a clip"
    run 0 bake $file q.pc2 --clip stand
    out_has 'nothing moves'
    run 2 bake $file never.pc2 --clip jump
    err_has "$file: no animation \"jump\"; there are 3: \"all\" \"stand\" \"run\""
    # Half a frame later everything is half way up.
    printf 'v 0 -1 3.5\nv 0 1 3.5\nv -1 0 3.5\nf 1 2 3\n' >plate.obj
    run 1 track $file plate.obj --fps 10 --no-depth --json
    first=$(json_value first_contact)
    awk -v t="$first" 'BEGIN { exit !(t > 0.0499999 && t < 0.0500001) }' || fail "$file: first contact at $first s"
    # Cut anywhere, it is a sentence.
    size=$(wc -c <$file)
    for keep in 8 40 100 $((size / 2)) $((size - 1)); do
        head -c $keep $file >cut.${file#*.}
        run 2 info cut.${file#*.}
        err_has 'cut.'
    done
done
(head -c 4 q.md2; i32 7; tail -c +9 q.md2) >version.md2
run 2 info version.md2
err_has 'version.md2: is of version 7 of MD2; only 8 is known'

# ---- jumps: a triangle that is at x = 0 for a second, then at x = 10; and one that slides there ----
floats='0 0 0  0 1 0  0 0 1'
moves() { # INTERPOLATION X...: the keys at 0, 1, 2, ... s
    local kind=$1 count
    shift
    count=$#
    # shellcheck disable=SC2086
    { f32 $floats; i16 0 1 2 0; f32 $(seq 0 $((count - 1))); for x in "$@"; do f32 "$x" 0 0; done; } >buffer
    cat <<JSON
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "thing"}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
"animations": [{"name": "go", "samplers": [{"input": 2, "output": 3, "interpolation": "$kind"}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]},
 {"name": "back", "samplers": [{"input": 2, "output": 3, "interpolation": "LINEAR"}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
"buffers": [{"byteLength": $(wc -c <buffer), "uri": "data:application/octet-stream;base64,$(base64 -w0 buffer)"}],
"bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}, {"buffer": 0, "byteOffset": 44, "byteLength": $((4 * count))}, {"buffer": 0, "byteOffset": $((44 + 4 * count)), "byteLength": $((12 * count))}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 1, 1]},
 {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
 {"bufferView": 2, "componentType": 5126, "count": $count, "type": "SCALAR", "min": [0], "max": [$((count - 1))]},
 {"bufferView": 3, "componentType": 5126, "count": $count, "type": "VEC3"}]}
JSON
}
moves STEP 0 10 10 0 >step.gltf
moves LINEAR 0 10 10 0 >linear.gltf
wall() { printf 'v %s -1 0\nv %s 2 0\nv %s 0 2\nf 1 2 3\n' "$1" "$1" "$1"; }
wall 5 >between.obj
wall 10 >there.obj
run 0 track step.gltf between.obj
run 1 track linear.gltf between.obj --no-depth --json
json 2 findings
# It is there from the very second at which it jumps, until the other jump.
run 1 track step.gltf there.obj --no-depth --json
json 1 findings
json 1 findings 0 from
json 3 findings 0 to
json false findings 0 at_begin
json false findings 0 at_end
json 1 first_contact
run 1 track step.gltf there.obj --first
out_has 'first contact at 1 s'
# Back at its old place at the very end, for an instant.
wall 0 >here.obj
run 1 track step.gltf here.obj --no-depth --json
json 2 findings
json 0 findings 0 from
json 1 findings 0 to
json true findings 0 at_begin
json 3 findings 1 from
json 3 findings 1 to
json true findings 1 at_end
# A slide would be deep in the wall between; jumps are not.
run 0 bake step.gltf step.pc2 --fps 2
is "$(sample step.pc2 1 3)" '0 0 0 0 1 0 0 0 1' 'half a second before the jump'
is "$(sample step.pc2 2 3)" '10 0 0 10 1 0 10 0 1' 'at the jump'

# The same through assimp, whose importer of COLLADA drops how keys are joined.
curves() { # THREE KINDS
    cat <<XML
<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1" name="u"/><up_axis>Z_UP</up_axis></asset>
<library_animations><animation id="an"><source id="in"><float_array id="ina" count="3">0 1 2</float_array><technique_common><accessor source="#ina" count="3" stride="1"><param name="TIME" type="float"/></accessor></technique_common></source>
<source id="out"><float_array id="outa" count="9">0 0 0 10 0 0 0 0 0</float_array><technique_common><accessor source="#outa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="it"><Name_array id="ita" count="3">$1</Name_array><technique_common><accessor source="#ita" count="3" stride="1"><param name="INTERPOLATION" type="name"/></accessor></technique_common></source>
<sampler id="sa"><input semantic="INPUT" source="#in"/><input semantic="OUTPUT" source="#out"/><input semantic="INTERPOLATION" source="#it"/></sampler><channel source="#sa" target="b/t"/></animation></library_animations>
<library_geometries><geometry id="g" name="t"><mesh><source id="p"><float_array id="pa" count="9">$floats</float_array><technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="b" name="thing"><translate sid="t">0 0 0</translate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
XML
}
if has_assimp; then
    curves 'STEP STEP STEP' >step.dae
    curves 'LINEAR LINEAR LINEAR' >linear.dae
    curves 'BEZIER STEP LINEAR' >curves.dae
    run 0 track step.dae between.obj
    run 1 track step.dae there.obj --no-depth --json
    json 1 findings
    json 1 findings 0 from
    json 2 findings 0 to
    run 1 track linear.dae between.obj
    run 1 track curves.dae between.obj
    err_has 'curves.dae: 2 of its 3 keys are STEP or curves, which its importer drops: they are joined by straight lines'
fi

# ---- which clip of which file ----
cp step.gltf other.gltf
run 0 track step.gltf between.obj --clip go
run 1 track step.gltf between.obj --clip back
run 1 track step.gltf between.obj --clip step.gltf:back
run 1 track step.gltf between.obj --clip step.gltf:2
run 0 track step.gltf other.gltf between.obj --clip step.gltf:back --clip other.gltf:go --pose-a t=0,50,0
run 1 track step.gltf other.gltf between.obj --clip step.gltf:go --clip other.gltf:back --pose-a t=0,50,0 --no-depth --json
json other.gltf findings 0 a file
run 2 track step.gltf other.gltf --clip back
err_has '--clip back: of which file? step.gltf and other.gltf both have animations: --clip FILE:NAME'
run 2 track step.gltf between.obj --clip between.obj:go
err_has '--clip between.obj:go: between.obj has no animations to choose from'
run 2 track step.gltf between.obj --clip step.gltf:stop
err_has 'step.gltf: no animation "stop"; there are 2: "go" "back"'
run 2 bake step.gltf never.pc2 --clip stop
err_has 'step.gltf: no animation "stop"; there are 2: "go" "back"'
run 0 info step.gltf
out_has 'clip 1    "go": 0 to 3 s, channels: 1, keys: 4'
out_has 'clip 2    "back": 0 to 3 s'
run 0 info step.gltf --json
json 2 files 0 clips
json back files 0 clips 1 name
json 3 files 0 clips 1 end
json 1 files 0 clips 1 channels

# ---- a cache baked into itself, twice as fast; a failed one leaves what was there ----
run 0 bake scene:dress:200 dress.pc2 --mesh dress.obj --fps 30
cp dress.pc2 before.pc2
run 0 bake dress.obj@dress.pc2 direct.pc2 --fps 15
run 0 bake dress.obj@dress.pc2 dress.pc2 --fps 15
cmp -s dress.pc2 direct.pc2 || fail 'a cache baked into itself differs'
head -c 1000 before.pc2 >cut.pc2
run 2 bake dress.obj@cut.pc2 direct.pc2
cmp -s dress.pc2 direct.pc2 || fail 'a failed bake took what was there'
[ -z "$(find . -name '*.tmp')" ] || fail 'a temporary file was left'
disk_full bake scene:dress:200 dress.pc2
cmp -s dress.pc2 direct.pc2 || fail 'a full disk took what was there'

has_assimp || finish

# ---- a character: a hundred nodes of a hundred vertices each, with fifteen hundred keys each, all at the same times ----
awk 'BEGIN {
    keys = 1500; nodes = 100; vertices = 99
    print "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset><unit meter=\"1\" name=\"m\"/><up_axis>Z_UP</up_axis></asset>"
    print "<library_animations>"
    for (n = 0; n < nodes; n++) {
        printf "<animation id=\"a%d\"><source id=\"i%d\"><float_array id=\"ia%d\" count=\"%d\">", n, n, n, keys
        for (k = 0; k < keys; k++) printf "%.7g ", k / 60
        printf "</float_array><technique_common><accessor source=\"#ia%d\" count=\"%d\" stride=\"1\"><param name=\"TIME\" type=\"float\"/></accessor></technique_common></source>", n, keys
        printf "<source id=\"o%d\"><float_array id=\"oa%d\" count=\"%d\">", n, n, keys
        for (k = 0; k < keys; k++) printf "%.5g ", n * 100 + k % 360
        printf "</float_array><technique_common><accessor source=\"#oa%d\" count=\"%d\" stride=\"1\"><param name=\"ANGLE\" type=\"float\"/></accessor></technique_common></source>", n, keys
        printf "<sampler id=\"s%d\"><input semantic=\"INPUT\" source=\"#i%d\"/><input semantic=\"OUTPUT\" source=\"#o%d\"/></sampler><channel source=\"#s%d\" target=\"n%d/turn.ANGLE\"/></animation>\n", n, n, n, n, n
    }
    print "</library_animations><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
    printf "<float_array id=\"pa\" count=\"%d\">", 3 * vertices
    for (v = 0; v < vertices; v++) printf "%g %g %g ", v % 3, int(v / 3), 1
    printf "</float_array><technique_common><accessor source=\"#pa\" count=\"%d\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"%d\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>", vertices, vertices / 3
    for (v = 0; v < vertices; v++) printf "%d ", v
    print "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">"
    for (n = 0; n < nodes; n++) printf "<node id=\"n%d\" name=\"bone\"><rotate sid=\"turn\">0 0 1 0</rotate><instance_geometry url=\"#g\"/></node>", n
    print "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>" }' >character.dae
run 0 bake character.dae character.pc2 --fps 60 --json
json 1500 samples
json 9900 vertices
[ "$(wc -c <character.pc2)" = $((32 + 1500 * 9900 * 12)) ] || fail 'another size'
# The second vertex of the first node is at (1, 0, 1), turned by 90 degrees at the 90th key.
is "$(od -An -v -tf4 -w12 -j$((32 + 90 * 9900 * 12 + 12)) -N12 character.pc2 | awk '{ printf "%d %d %d", $1 + 0.5, $2 + 0.5, $3 + 0.5 }')" '0 1 1' 'the 90th key'
finish
