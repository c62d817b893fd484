#!/usr/bin/env bash
# boxwood info: sizes, defects, edges and trees, as text and as JSON.
source "$(dirname "$0")/lib.bash"
write_cube >cube.obj

run 0 info cube.obj
out_has 'cube.obj (OBJ)'
out_has 'vertices: 8, triangles: 12, meshes: 1'
out_has 'bounds    (0, 0, 0) to (1, 1, 1)'
out_has 'defects   none'
out_has '18, at a boundary: 0, of more than two triangles: 0; closed'
out_has 'nodes: '
out_lacks 'mesh      '
err_empty

run 0 info cube.obj --parts --json
json 1 files
json cube.obj files 0 file
json triangles files 0 kind
json 8 files 0 vertices
json 12 files 0 triangles
json 0 files 0 defective
json 0 files 0 defects
json 18 files 0 edges count
json true files 0 edges closed
json true files 0 edges oriented
json 1 files 0 bounds max 2
json 12 files 0 tree primitives
json cube files 0 parts 0 mesh
json 6 files 0 parts 0 faces

# Without a lid, and with a face turned over, and with a fin.
grep -v '^f 5' cube.obj >open.obj
run 0 info open.obj
out_has 'at a boundary: 4, of more than two triangles: 0; open'
sed 's/^f 5 6 7 8/f 8 7 6 5/' cube.obj >turned.obj
run 0 info turned.obj --json
json true files 0 edges closed
json false files 0 edges oriented
{ cat cube.obj; printf 'v 0.5 0.5 2\ng fin\nf 5 6 9\n'; } >fin.obj
run 0 info fin.obj --json
json 1 files 0 edges nonmanifold
json 2 files 0 edges boundary
json 2 files 0 meshes
json_lacks files 0 parts
run 0 info fin.obj --parts
out_has '"fin": 1 triangles of 1 faces, from triangle 12, open'

# STL repeats vertices: edges see through that.
{
    printf 'solid cube\n'
    "$BOXWOOD" export cube.obj - | awk '/^v/ {p[++n] = $2 " " $3 " " $4}
        /^f/ {print "facet normal 0 0 0 outer loop"; for (i = 2; i <= 4; i++) print "vertex " p[$i]; print "endloop endfacet"}'
    printf 'endsolid cube\n'
} >cube.stl
run 0 info cube.stl --json
json 36 files 0 vertices
json 8 files 0 positions
json 18 files 0 edges count
json true files 0 edges oriented

# Defects by kind, the first of each named.
cat >bad.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v nan 0 0
v 0 -inf 0
v 0 0 1e300
v 2 0 0
v 7 7 7
f 1 2 3
f 1 2 7
f 1 2 4
f 1 2 5
f 1 2 6
f 1 2 12
f 1 3 4
f 1 2 -12
END
run 0 info bad.obj
out_has 'defects   7 triangles'
out_has 'NaN coordinate: 2, the first: bad.obj:4: triangle 2 (face 2, line 11): vertex 3: x = nan'
out_has ': 1, the first: bad.obj:5: triangle 3 (face 3, line 12): vertex 4: y = -inf'
out_has ': 1, the first: bad.obj:6: triangle 4 (face 4, line 13): vertex 5: z = 1e+300'
out_has ': 2, the first: bad.obj:14: triangle 5 (face 5, line 14): vertex 11 of 8'
out_has ': 1, the first: bad.obj:10: triangle 1 (face 1, line 10)'
out_has 'vertices that no triangle names: 1'
run 0 info bad.obj --json
json 7 files 0 defective
json 5 files 0 defects
json 6 files 0 tree quarantined
json 2 files 0 tree primitives
json 0 files 0 bounds min 1

# Several files, one of them bad: the others are still told, and the exit code says so.
run 2 info cube.obj missing.obj scene:clusters:50 --json
json 3 files
json 12 files 0 triangles
json 'missing.obj: No such file or directory' files 1 error
json points files 2 kind
json 50 files 2 vertices
err_has 'missing.obj: No such file or directory'
run 2 info missing.obj cube.obj
out_has 'triangles: 12'

# Polygons that cross themselves are cut somehow, and it is said.
printf 'v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 3 0\nf 1 2 3 4\n' >bow.obj
run 0 info bow.obj
err_has '1 polygons cross or touch themselves'
run 2 info
err_has 'usage: boxwood info'
finish
