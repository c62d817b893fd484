#!/usr/bin/env bash
# Parts as their authors made them, through assimp: one part for each node whatever its materials, called by its path, shared
# where it stands several times; skins at rest.
source "$(dirname "$0")/lib.bash"
needs_assimp

# cube ID CENTRE HALF: a COLLADA mesh of a cube, its lower and upper halves in two materials, cut at the middle, so that their
# edges meet exactly: each half alone is open, both together are closed.
cube() {
    awk -v id="$1" -v c="$2" -v h="$3" 'BEGIN {
        split(c, m, " ")
        printf "<geometry id=\"%s\"><mesh><source id=\"%s-p\"><float_array id=\"%s-a\" count=\"36\">", id, id, id
        for (z = -1; z <= 1; z++) {
            printf "%g %g %g ", m[1] - h, m[2] - h, m[3] + z * h
            printf "%g %g %g ", m[1] + h, m[2] - h, m[3] + z * h
            printf "%g %g %g ", m[1] + h, m[2] + h, m[3] + z * h
            printf "%g %g %g ", m[1] - h, m[2] + h, m[3] + z * h
        }
        printf "</float_array><technique_common><accessor source=\"#%s-a\" count=\"12\" stride=\"3\">", id
        printf "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
        printf "</technique_common></source><vertices id=\"%s-v\"><input semantic=\"POSITION\" source=\"#%s-p\"/></vertices>", id, id
        for (s = 0; s < 2; s++) {
            printf "<polylist material=\"m%d\" count=\"5\"><input semantic=\"VERTEX\" source=\"#%s-v\" offset=\"0\"/>", s, id
            printf "<vcount>4 4 4 4 4</vcount><p>"
            printf s == 0 ? "3 2 1 0" : "8 9 10 11"
            for (k = 0; k < 4; k++) {
                n = (k + 1) % 4
                printf " %d %d %d %d", 4 * s + k, 4 * s + n, 4 * s + 4 + n, 4 * s + 4 + k
            }
            printf "</p></polylist>"
        }
        print "</mesh></geometry>" }'
}
material='<bind_material><technique_common><instance_material symbol="m0" target="#m0"/><instance_material symbol="m1" target="#m1"/></technique_common></bind_material>'
instance() { echo "<instance_geometry url=\"#$1\">$material</instance_geometry>"; }
dae() { # GEOMETRIES NODES
    cat <<XML
<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1" name="m"/><up_axis>Z_UP</up_axis></asset>
<library_effects>$(for m in 0 1; do echo "<effect id=\"e$m\"><profile_COMMON><technique sid=\"t\"><phong><diffuse><color>$m 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect>"; done)</library_effects>
<library_materials><material id="m0"><instance_effect url="#e0"/></material><material id="m1"><instance_effect url="#e1"/></material></library_materials>
<library_geometries>$1</library_geometries>
<library_visual_scenes><visual_scene id="s">$2</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
XML
}

# A node of two materials does not clash with itself, and is closed: what is inside it is found.
dae "$(cube large '0 0 0' 2)$(cube small '0 0 0' 0.5)" \
    "<node id=\"a\" name=\"Pump A\"><node id=\"b\" name=\"Housing\">$(instance large)</node><node id=\"c\" name=\"Rotor\">$(instance small)</node></node>" >pump.dae
run 0 clash pump.dae --json
json 2 parts
run 1 clash pump.dae --contain
out_has '1 clash'
out_has 'pump.dae:Pump A/Housing'
out_has 'pump.dae:Pump A/Rotor  (inside)'
run 1 clash pump.dae --contain --json
json 1 findings_found
json 1 kinds contained
run 0 info pump.dae --parts --json
json 2 files 0 meshes
json true files 0 parts 0 edges closed
json 20 files 0 parts 0 triangles

# Nodes that hold the same meshes share them, and each has a name of its own.
dae "$(cube one '0 0 0' 0.5)" \
    "$(for i in 0 1 2 3; do
        echo "<node id=\"n$i\" name=\"Bolt\"><translate>$((2 * i)) 0 0</translate>$(instance one)</node>"
    done)<node id=\"m\"><translate>0 2 0</translate>$(instance one)</node><node id=\"f\" name=\"Bolt (2)\"><translate>2 2 0</translate>$(instance one)</node>" >bolts.dae
run 0 clash bolts.dae --json
json 6 parts
json 1 meshes
run 0 info bolts.dae --parts
for name in Bolt 'Bolt (2)' 'Bolt (3)' 'Bolt (4)'; do
    [ "$(grep -cF "\"$name\":" out)" = 1 ] || fail "not exactly one part is called $name"
done
[ "$(grep -o '^  mesh *"[^"]*"' out | sort | uniq -d | wc -l)" = 0 ] || fail 'two parts are called the same'
[ "$(grep -c '^  mesh ' out)" = 6 ] || fail 'not six parts'

# Two nodes that overlap clash once, whatever their materials.
dae "$(cube one '0 0 0' 0.5)" \
    "<node id=\"a\" name=\"A\">$(instance one)</node><node id=\"b\" name=\"B\"><translate>0.75 0.25 0.25</translate>$(instance one)</node>" >two.dae
run 1 clash two.dae --json
json 1 findings_found

# 3MF names its objects; components stand in them.
mkdir -p package/_rels package/3D
echo '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>' >'package/[Content_Types].xml'
echo '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>' >package/_rels/.rels
mesh='<mesh><vertices><vertex x="1" y="0" z="0"/><vertex x="0" y="2" z="0"/><vertex x="0" y="0" z="3"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>'
cat >package/3D/3dmodel.model <<XML
<?xml version="1.0" encoding="UTF-8"?><model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>
<object id="1" type="model" name="Bolt &amp; nut">$mesh</object><object id="3" type="model">$mesh</object>
<object name='Pump' id="2" type="model"><components><component objectid="1"/><component objectid="1" transform="1 0 0 0 1 0 0 0 1 100 0 0"/></components></object></resources>
<build><item objectid="2"/><item objectid="3" transform="1 0 0 0 1 0 0 0 1 0 50 0"/></build></model>
XML
(cd package && "$CMAKE" -E tar cf ../pump.3mf --format=zip '[Content_Types].xml' _rels/.rels 3D/3dmodel.model)
run 0 info pump.3mf --parts --json
json 3 files 0 parts
json 'Pump/Bolt & nut' files 0 parts 0 mesh
json 'Pump/Bolt & nut (2)' files 0 parts 1 mesh
json Object_3 files 0 parts 2 mesh
run 0 clash pump.3mf --json
json 2 meshes

# The groups of an OBJ file are told apart, too; those without a name by their number.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\ng x\nf 1 2 3\ng y\nf 1 2 3\ng x\nf 1 2 3\ng\nf 1 2 3\n' >groups.obj
run 0 info groups.obj --parts --json
json x files 0 parts 0 mesh
json y files 0 parts 1 mesh
json 'x (2)' files 0 parts 2 mesh
json 'part 3' files 0 parts 3 mesh

# A skin: a triangle bound to two joints; the second stands 5 higher than where it was bound, and half of the third
# corner hangs on it. At rest the node of the mesh does not matter, and every command agrees.
cat >skin.dae <<'XML'
<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1" name="m"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
<source id="j"><Name_array id="ja" count="2">still moved</Name_array><technique_common><accessor source="#ja" count="2" stride="1"><param name="JOINT" type="name"/></accessor></technique_common></source>
<source id="i"><float_array id="ia" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</float_array><technique_common><accessor source="#ia" count="2" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="w"><float_array id="wa" count="2">1 0.5</float_array><technique_common><accessor source="#wa" count="2" stride="1"><param name="WEIGHT" type="float"/></accessor></technique_common></source>
<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#i"/></joints>
<vertex_weights count="3"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/><vcount>1 1 2</vcount><v>0 0 1 0 0 1 1 1</v></vertex_weights></skin></controller></library_controllers>
<library_visual_scenes><visual_scene id="s"><node id="still" sid="still" name="still" type="JOINT"><node id="moved" sid="moved" name="moved" type="JOINT"><translate>0 0 5</translate></node></node>
<node id="m" name="body"><translate>100 0 0</translate><instance_controller url="#c"><skeleton>#still</skeleton></instance_controller></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
XML
run 0 info skin.dae --parts
out_has '(0, 0, 0) to (1, 1, 5)'
out_has '"body"'
run 0 export skin.dae skin.obj
[ "$(grep '^v' skin.obj | tr '\n' ' ')" = 'v 0 0 0 v 1 0 5 v 0 1 2.5 ' ] || fail 'the skin stands elsewhere'
printf 'v 0.9 -1 4\nv 0.9 1 4\nv 0.9 0 6\nf 1 2 3\n' >plate.obj
run 1 check skin.dae plate.obj
run 1 clash skin.dae plate.obj
run 0 check skin.dae plate.obj --pose-a t=100,0,0
run 0 bake skin.dae skin.pc2
[ "$(od -An -v -tf4 -w36 -j32 skin.pc2 | tr -s ' ')" = ' 0 0 0 1 0 5 0 1 2.5' ] || fail 'the baked skin stands elsewhere'
finish
