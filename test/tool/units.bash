#!/usr/bin/env bash
# The same thing in files of every format that states its unit and its up axis, in several of them: where files meet, one
# answer. A triangle with corners at 1, 2 and 3 m on the axes, moved by 10 m along x, below a triangle that hangs 2 m above
# its highest corner.
source "$(dirname "$0")/lib.bash"
needs_assimp

# point AXIS METRES X Y Z: a point in metres, z up, as a file with that axis up and units of so many metres has it.
point() {
    awk -v axis="$1" -v unit="$2" -v x="$3" -v y="$4" -v z="$5" 'BEGIN {
        if (axis == "y") printf "%.9g %.9g %.9g", x / unit, z / unit, -y / unit
        else if (axis == "x") printf "%.9g %.9g %.9g", z / unit, -x / unit, -y / unit
        else printf "%.9g %.9g %.9g", x / unit, y / unit, z / unit }'
}
corners() { # AXIS METRES
    point "$1" "$2" 1 0 0; printf ' '; point "$1" "$2" 0 2 0; printf ' '; point "$1" "$2" 0 0 3
}
commas() { tr ' ' ','; }

dae() { # AXIS METRES
    cat <<XML
<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="$2" name="u"/><up_axis>${1^}_UP</up_axis></asset>
<library_geometries><geometry id="g" name="t"><mesh><source id="p"><float_array id="pa" count="9">$(corners "$1" "$2")</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="a" name="Pump A"><translate>$(point "$1" "$2" 10 0 0)</translate>
<node id="b" name="Housing"><instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
XML
}

fbx() { # AXIS METRES
    local up=1 front=2 sign=1 coord=0 coord_sign=1
    [ "$1" = z ] && up=2 front=1 sign=-1
    [ "$1" = x ] && up=0 front=2 sign=1 coord=1 coord_sign=-1
    cat <<FBX
; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",$up
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",$front
		P: "FrontAxisSign", "int", "Integer", "",$sign
		P: "CoordAxis", "int", "Integer", "",$coord
		P: "CoordAxisSign", "int", "Integer", "",$coord_sign
		P: "UnitScaleFactor", "double", "Number", "",$(awk -v m="$2" 'BEGIN { printf "%.9g", 100 * m }')
	}
}
Definitions:  {
	Version: 100
	Count: 2
	ObjectType: "Model" {
		Count: 2
	}
	ObjectType: "Geometry" {
		Count: 1
	}
}
Objects:  {
	Geometry: 1000, "Geometry::t", "Mesh" {
		Vertices: *9 {
			a: $(corners "$1" "$2" | commas)
		}
		PolygonVertexIndex: *3 {
			a: 0,1,-3
		}
		GeometryVersion: 124
	}
	Model: 2000, "Model::Pump A", "Null" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",$(point "$1" "$2" 10 0 0 | commas)
		}
	}
	Model: 2001, "Model::Housing", "Mesh" {
		Version: 232
	}
}
Connections:  {
	C: "OO",2000,0
	C: "OO",2001,2000
	C: "OO",1000,2001
}
FBX
}

# vertices AXIS METRES FORMAT: three points by a printf format.
vertices() {
    # shellcheck disable=SC2059,SC2046
    printf "$3" $(corners "$1" "$2")
}
threemf() { # NAME UNIT METRES
    mkdir -p package/_rels package/3D
    cat >'package/[Content_Types].xml' <<'XML'
<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>
XML
    cat >package/_rels/.rels <<'XML'
<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>
XML
    local unit=
    [ -z "$2" ] || unit="unit=\"$2\""
    cat >package/3D/3dmodel.model <<XML
<?xml version="1.0" encoding="UTF-8"?>
<model $unit xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources><object id="1" type="model"><mesh><vertices>$(vertices z "$3" '<vertex x="%s" y="%s" z="%s"/>')</vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh></object></resources><build><item objectid="1" transform="1 0 0 0 1 0 0 0 1 $(point z "$3" 10 0 0)"/></build></model>
XML
    (cd package && "$CMAKE" -E tar cf "../$1" --format=zip '[Content_Types].xml' _rels/.rels 3D/3dmodel.model)
}
amf() { # UNIT METRES
    local n
    n=$(point z "$2" 10 0 0)
    printf '<?xml version="1.0"?><amf unit="%s"><object id="0"><mesh><vertices>' "$1"
    vertices z "$2" '<vertex><coordinates><x>%s</x><y>%s</y><z>%s</z></coordinates></vertex>' |
        awk -v by="${n%% *}" '{ while (match($0, /<x>[^<]*/)) { printf "%s<x>%.9g", substr($0, 1, RSTART - 1), substr($0, RSTART + 3, RLENGTH - 3) + by; $0 = substr($0, RSTART + RLENGTH) } print }'
    printf '</vertices><volume><triangle><v1>0</v1><v2>1</v2><v3>2</v3></triangle></volume></mesh></object></amf>\n'
}

ifc() { # PREFIX METRES
    local a b c at
    a=$(point z "$2" 1 0 0 | commas) b=$(point z "$2" 0 2 0 | commas) c=$(point z "$2" 0 0 3 | commas) at=$(point z "$2" 10 0 0 | commas)
    # Numbers of IFC have a point.
    cat <<IFC | sed -E '/IFCCARTESIANPOINT/s/([(,])(-?[0-9]+)([,)])/\1\2.\3/g; /IFCCARTESIANPOINT/s/([(,])(-?[0-9]+)([,)])/\1\2.\3/g'
ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('','',(''),(''),'','','');
FILE_SCHEMA(('IFC2X3'));
ENDSEC;
DATA;
#1=IFCORGANIZATION(\$,'o',\$,\$,\$);
#2=IFCPERSON(\$,'p',\$,\$,\$,\$,\$,\$);
#3=IFCPERSONANDORGANIZATION(#2,#1,\$);
#4=IFCAPPLICATION(#1,'1','a','a');
#5=IFCOWNERHISTORY(#3,#4,\$,.ADDED.,\$,\$,\$,0);
#6=IFCSIUNIT(*,.LENGTHUNIT.,$1,.METRE.);
#7=IFCUNITASSIGNMENT((#6));
#8=IFCCARTESIANPOINT((0.,0.,0.));
#9=IFCAXIS2PLACEMENT3D(#8,\$,\$);
#10=IFCGEOMETRICREPRESENTATIONCONTEXT(\$,'Model',3,1.E-05,#9,\$);
#11=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',#5,'proj',\$,\$,\$,\$,(#10),#7);
#12=IFCLOCALPLACEMENT(\$,#9);
#13=IFCSITE('1YvctVUKr0kugbFTf53O9L',#5,'site',\$,\$,#12,\$,\$,.ELEMENT.,\$,\$,\$,\$,\$);
#14=IFCBUILDING('2YvctVUKr0kugbFTf53O9L',#5,'building',\$,\$,#12,\$,\$,.ELEMENT.,\$,\$,\$);
#15=IFCBUILDINGSTOREY('3YvctVUKr0kugbFTf53O9L',#5,'storey',\$,\$,#12,\$,\$,.ELEMENT.,0.);
#16=IFCRELAGGREGATES('4YvctVUKr0kugbFTf53O9L',#5,\$,\$,#11,(#13));
#17=IFCRELAGGREGATES('5YvctVUKr0kugbFTf53O9L',#5,\$,\$,#13,(#14));
#18=IFCRELAGGREGATES('6YvctVUKr0kugbFTf53O9L',#5,\$,\$,#14,(#15));
#20=IFCCARTESIANPOINT(($a));
#21=IFCCARTESIANPOINT(($b));
#22=IFCCARTESIANPOINT(($c));
#23=IFCPOLYLOOP((#20,#21,#22));
#24=IFCFACEOUTERBOUND(#23,.T.);
#25=IFCFACE((#24));
#29=IFCCLOSEDSHELL((#25));
#30=IFCFACETEDBREP(#29);
#31=IFCSHAPEREPRESENTATION(#10,'Body','Brep',(#30));
#32=IFCPRODUCTDEFINITIONSHAPE(\$,\$,(#31));
#33=IFCCARTESIANPOINT(($at));
#34=IFCAXIS2PLACEMENT3D(#33,\$,\$);
#35=IFCLOCALPLACEMENT(#12,#34);
#36=IFCBUILDINGELEMENTPROXY('7YvctVUKr0kugbFTf53O9L',#5,'Wall',\$,\$,#35,#32,\$,\$);
#37=IFCRELCONTAINEDINSPATIALSTRUCTURE('8YvctVUKr0kugbFTf53O9L',#5,\$,\$,(#36),#15);
ENDSEC;
END-ISO-10303-21;
IFC
}

# Metres and y up, as glTF always is: floats 1 0 0, 0 0 -2, 0 3 0 and indices.
glb() {
    printf '\0\0\200\77\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\300\0\0\0\0\0\0\100\100\0\0\0\0\0\0\1\0\2\0' >buffer
    cat <<JSON
{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "scene": 0,
"nodes": [{"name": "Pump A", "translation": [10, 0, 0], "children": [1]}, {"name": "Housing", "mesh": 0}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
"buffers": [{"byteLength": 42, "uri": "data:application/octet-stream;base64,$(base64 -w0 buffer)"}],
"bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, -2], "max": [1, 3, 0]},
 {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}]}
JSON
}

for axis in x y z; do
    for metres in 1 0.01 0.0254 0.3048; do
        dae $axis $metres >dae-$axis-$metres.dae
        fbx $axis $metres >fbx-$axis-$metres.fbx
    done
done
for unit in micron:1e-6 millimeter:1e-3 centimeter:1e-2 inch:0.0254 foot:0.3048 meter:1; do
    threemf "3mf-${unit%:*}.3mf" "${unit%:*}" "${unit#*:}"

done
threemf 3mf-none.3mf '' 1e-3
for unit in micron:1e-6 millimeter:1e-3 inch:0.0254 feet:0.3048 meter:1; do
    amf "${unit%:*}" "${unit#*:}" >"amf-${unit%:*}.amf"
done
ifc '$' 1 >ifc-m.ifc
ifc .MILLI. 0.001 >ifc-mm.ifc
ifc .CENTI. 0.01 >ifc-cm.ifc
glb >gltf-y.gltf

# What hangs above, as COLLADA in metres, z up.
dae z 1 | sed 's|<float_array.*</float_array>|<float_array id="pa" count="9">-1 -1 5 1 -1 5 0 2 5</float_array>|' >above.dae

# A file alone keeps its coordinates, and says what they are.
run 0 info dae-y-0.01.dae --json --parts
json 0.01 files 0 unit
json y files 0 up
json 1100 files 0 bounds max 0
json 300 files 0 bounds max 1
json 'Pump A/Housing' files 0 parts 0 mesh
run 0 info fbx-z-0.0254.fbx --parts
out_has 'units     inches, z is up'
out_has '"Pump A/Housing"'
run 0 info ifc-mm.ifc
out_has '(10000, 0, 0) to (11000, 2000, 3000)'
out_has 'units     millimetres, z is up'
run 0 info 3mf-none.3mf
out_has '(10000, 0, 0) to (11000, 2000, 3000)'
out_has 'units     millimetres, z is up'
run 0 info amf-feet.amf
out_has 'units     feet, z is up'
run 0 export dae-y-0.01.dae out.obj
grep -q '^v 1100 0 0$' out.obj || fail 'export changed the coordinates of a file'
write_cube >cube.obj
run 0 info cube.obj --json
json_lacks files 0 unit
json_lacks files 0 up

# Where it meets another, every one is 2 m below it.
for file in dae-* fbx-* 3mf-*.3mf amf-* ifc-* gltf-*; do
    run 1 clash "$file" above.dae --clearance 100 --json
    json 1 findings_found
    distance=$(json_value findings 0 distance)
    awk -v d="$distance" 'BEGIN { exit !(d > 1.99999 && d < 2.00001) }' || fail "$file: $distance m instead of 2"
    json 1 unit
    json z up
    run 0 check "$file" above.dae
    run 1 check "$file" above.dae --pose-b t=0,0,-2.0005
    run 0 check above.dae "$file" --pose-b t=0,0,1.9995
    run 1 check above.dae "$file" --pose-b t=0,0,2.0005
done
run 0 check dae-x-0.01.dae above.dae
err_has 'different units: dae-x-0.01.dae (centimetres), above.dae (metres): all are brought to metres'
err_has 'different axes point up: dae-x-0.01.dae (x), above.dae (z): all are turned to z up'

# Files that agree stay as they are.
run 1 clash fbx-y-0.01.fbx dae-y-0.01.dae --json
err_empty
json 0.01 unit
json y up
run 1 check dae-y-0.01.dae dae-y-0.01.dae --all --json
json 0.01 unit

# What does not say is taken along, or in metres and z up, with a word.
printf 'v 9 -1 5\nv 11 -1 5\nv 10 2 5\nf 1 2 3\n' >above.obj
printf 'v 9000 -1000 5000\nv 11000 -1000 5000\nv 10000 2000 5000\nf 1 2 3\n' >millimetres.obj
printf 'v 9 5 1\nv 11 5 1\nv 10 5 -2\nf 1 2 3\n' >y-up.obj
distance() { # FILES...: of the only two parts
    run 1 clash "$@" --clearance 3000 --json
    json_value findings 0 distance
}
near() { awk -v d="$1" -v w="$2" 'BEGIN { exit !(d > w - 1e-5 * w && d < w + 1e-5 * w) }' || fail "$1 instead of $2"; }
near "$(distance 3mf-none.3mf millimetres.obj)" 2000
run 1 clash 3mf-none.3mf millimetres.obj --clearance 3000
err_has 'no unit is stated by millimetres.obj: taken as millimetres; --scale FILE=METRES says otherwise'
err_has 'no up axis is stated by millimetres.obj: taken as z up like the others; --up FILE=AXIS says otherwise'
near "$(distance 3mf-none.3mf above.obj --scale above.obj=1)" 2
near "$(distance fbx-y-0.01.fbx millimetres.obj --scale millimetres.obj=0.001 --up millimetres.obj=z)" 2
near "$(distance gltf-y.gltf y-up.obj)" 2
near "$(distance gltf-y.gltf above.obj --up above.obj=z)" 2
near "$(distance y-up.obj dae-z-1.dae --up y-up.obj=y)" 2
near "$(distance millimetres.obj dae-z-1.dae --scale=millimetres.obj=0.001)" 2
# Neither says: nothing happens, unless it is told.
run 0 clash above.obj cube.obj
err_empty
run 0 clash above.obj millimetres.obj
run 1 clash above.obj millimetres.obj --scale millimetres.obj=0.001
err_has "no unit is stated by above.obj: taken as metres"
# A wrong statement is corrected.
fbx z 1 | sed 's/"UnitScaleFactor", "double", "Number", "",100/"UnitScaleFactor", "double", "Number", "",1/' >wrong.fbx
near "$(distance wrong.fbx above.dae --scale wrong.fbx=1)" 2

# Options that make no sense.
run 2 clash above.obj cube.obj --scale 0.001
err_has '--scale 0.001: does not begin with a file and "=": FILE=0.001, where FILE is one of: above.obj cube.obj'
run 2 clash above.obj cube.obj --scale other.obj=1
err_has 'FILE is one of: above.obj cube.obj'
for value in 0 -1 x '' 1e99 0x10; do
    run 2 check above.obj cube.obj "--scale=cube.obj=$value"
    err_has 'is not a number of metres'
done
run 2 clash above.obj cube.obj --up above.obj=w
err_has '--up above.obj=w: w is not x, y or z'
run 2 scene --up above.obj=y
err_has '--up goes with files'

# A film meets what stands: the cloth in metres falls onto a floor in millimetres.
run 0 bake scene:dress:200 dress.pc2 --mesh dress.obj
run 1 track dress.obj@dress.pc2 dress.obj --scale dress.obj=1 --first
run 0 track dress.obj@dress.pc2 millimetres.obj --scale millimetres.obj=0.001 --json
json 1 unit

# The camera and the picture follow the axis: the same city in both axes is the same picture and the same view.
city() { # z up, boxes of different heights
    local n=0
    for at in '0 0 1' '2 0 2' '4 0 3' '0 2 4' '2 2 1' '4 2 5'; do
        # shellcheck disable=SC2086
        set -- $at
        echo "o house$n"
        for c in "0 0 0" "1 0 0" "1 1 0" "0 1 0" "0 0 $3" "1 0 $3" "1 1 $3" "0 1 $3"; do
            # shellcheck disable=SC2086
            set -- $1 $2 $3 $c
            echo "v $(($1 + $4)) $(($2 + $5)) $6"
        done
        for f in '4 3 2 1' '5 6 7 8' '1 2 6 5' '2 3 7 6' '3 4 8 7' '4 1 5 8'; do
            # shellcheck disable=SC2086
            set -- $f
            echo "f $((8 * n + $1)) $((8 * n + $2)) $((8 * n + $3)) $((8 * n + $4))"
        done
        n=$((n + 1))
    done
}
city >z.obj
awk '$1 == "v" { print "v", $2, $4, -$3; next } { print }' z.obj >y.obj
awk '$1 == "v" { print "v", $4, -$2, -$3; next } { print }' z.obj >x.obj
run 0 scene z.obj --occlusion --svg z.svg --depth z.png --json
json z up
visible=$(json_value camera fates visible)
for axis in x y; do
    run 0 scene $axis.obj --up $axis.obj=$axis --occlusion --svg $axis.svg --depth $axis.png --json
    json z up
    json "$visible" camera fates visible
    cmp -s $axis.svg z.svg || fail "the picture from above differs with $axis up"
    cmp -s $axis.png z.png || fail "the view differs with $axis up"
done
# A file that states y up is not turned: its camera is.
cat >city.dae <<XML
<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1" name="m"/><up_axis>Y_UP</up_axis></asset><library_geometries>$(
    for n in 0 1 2 3 4 5; do
        printf '<geometry id="g%s"><mesh><source id="p%s"><float_array id="a%s" count="24">' $n $n $n
        grep '^v' y.obj | sed -n "$((8 * n + 1)),$((8 * n + 8))s/^v //p" | tr '\n' ' '
        printf '</float_array><technique_common><accessor source="#a%s" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v%s"><input semantic="POSITION" source="#p%s"/></vertices><polylist count="6"><input semantic="VERTEX" source="#v%s" offset="0"/><vcount>4 4 4 4 4 4</vcount><p>3 2 1 0 4 5 6 7 0 1 5 4 1 2 6 5 2 3 7 6 3 0 4 7</p></polylist></mesh></geometry>' $n $n $n $n
    done)</library_geometries><library_visual_scenes><visual_scene id="s">$(
    for n in 0 1 2 3 4 5; do printf '<node id="n%s" name="house"><instance_geometry url="#g%s"/></node>' $n $n; done)</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
XML
run 0 scene city.dae --occlusion --svg city.svg --depth city.png --json
json y up
json "$visible" camera fates visible
cmp -s city.svg z.svg || fail 'the picture from above differs for a file that states y up'
cmp -s city.png z.png || fail 'the view differs for a file that states y up'
run 0 scene city.dae
out_has 'up        y'
finish
