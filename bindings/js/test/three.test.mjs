// The adapters beside three.js itself and three-mesh-bvh; both from web/node_modules, without which this is skipped.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { boxwood } from './where.mjs';

const modules = resolve('web/node_modules'), there = existsSync(`${modules}/three/build/three.module.js`);
const skip = there ? false : 'three is not installed (npm --prefix web ci)';
const THREE = there ? await import(pathToFileURL(`${modules}/three/build/three.module.js`)) : null;
const { MeshBVH } = there ? await import(pathToFileURL(`${modules}/three-mesh-bvh/build/index.module.js`)).catch(() => import(pathToFileURL(`${modules}/three-mesh-bvh/src/index.js`))) : {};
const bw = await (await boxwood()).load(), { adapt, positionsOf } = await boxwood('three.js');
let seed = 1;
const rnd = (from = 0, to = 1) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return from + ((to - from) * seed) / 4294967296; };
const direction = () => new THREE.Vector3(rnd(-1), rnd(-1), rnd(-1)).normalize();
const pose = (far) => new THREE.Matrix4().compose(direction().multiplyScalar(far), new THREE.Quaternion(rnd(-1), rnd(-1), rnd(-1), rnd(-1)).normalize(), new THREE.Vector3(1, 1, 1));

test('answers are those of three-mesh-bvh', { skip }, () => {
    const { BoundsTree } = adapt(THREE, bw), g = new THREE.TorusKnotGeometry(1, 0.35, 100, 20), other = new THREE.IcosahedronGeometry(0.6, 4), theirs = new MeshBVH(g.clone()), ours = new BoundsTree(g), ours2 = new BoundsTree(other);
    const theirOther = other.clone();
    theirOther.boundsTree = new MeshBVH(theirOther);
    let meets = 0;
    for (let i = 0; i < 60; i++) {
        const m = pose(rnd(0.5, 3.5)), expected = theirs.intersectsGeometry(theirOther, m);
        assert.equal(ours.intersectsGeometry(ours2, m), expected);
        if (i % 10 === 0) assert.equal(ours.intersectsGeometry(other, m), expected, 'of a geometry without a tree');
        let n = 0, count = 0;
        theirs.bvhcast(theirOther.boundsTree, m, { intersectsTriangles: (s, t) => { if (s.intersectsTriangle(t)) n++; return false; } });
        ours.bvhcast(ours2, m, { intersectsTriangles: (s, t) => { assert.ok(s.a.isVector3 && t.a.isVector3); count++; } });
        assert.ok(count >= n, 'theirs may miss what only touches');
        meets += expected ? 1 : 0;
        const p = direction().multiplyScalar(rnd(0, 2)), target = {};
        assert.ok(Math.abs(theirs.closestPointToPoint(p, {}).distance - ours.closestPointToPoint(p, target).distance) < 1e-6 && target.point.isVector3);
        const near = ours.closestPointToGeometry(ours2, m);
        assert.equal(near.distance === 0, expected);
        for (const side of [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide]) {
            const ray = new THREE.Ray(direction().multiplyScalar(3), direction()), x = theirs.raycastFirst(ray, side), y = ours.raycastFirst(ray, side);
            assert.equal(x === null, y === null);
            if (x) assert.ok(Math.abs(x.distance - y.distance) < 1e-5 && y.face.normal.isVector3);
            assert.equal(ours.raycast(ray, side).length, theirs.raycast(ray, side).length);
        }
    }
    assert.ok(meets > 5 && meets < 55);
    const again = BoundsTree.deserialize(structuredClone(BoundsTree.serialize(ours)), g);
    assert.deepEqual(again.tree.save(), ours.tree.save());
    g.attributes.position.array.forEach((v, i, p) => { p[i] = v * 2; });
    ours.refit();
    assert.ok(Math.abs(ours.getBoundingBox(new THREE.Box3()).max.x - 2 * theirs.getBoundingBox(new THREE.Box3()).max.x) < 1e-5);
    assert.ok(ours.self().count > 0, 'the seam of the knot, of two vertices at each place, touches itself');
});
test('meshes, instances and skins are hit where three.js hits them', { skip }, () => {
    const { install, uninstall, BoundsTree, clash } = adapt(THREE, bw), g = new THREE.SphereGeometry(1, 24, 16), material = new THREE.MeshBasicMaterial();
    const mesh = new THREE.Mesh(g, material), many = new THREE.InstancedMesh(g, material, 5);
    mesh.position.set(1, 2, 3);
    mesh.scale.set(1, 2, 0.5);
    mesh.updateMatrixWorld();
    for (let i = 0; i < 5; i++) many.setMatrixAt(i, new THREE.Matrix4().makeTranslation(1.9 * i, 0, 0));
    const cloth = new THREE.PlaneGeometry(2, 2, 8, 8), bones = [new THREE.Bone(), new THREE.Bone()];
    bones[0].add(bones[1]);
    bones[1].position.y = 0.5;
    cloth.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(new Array(81).fill([0, 1, 0, 0]).flat(), 4));
    cloth.setAttribute('skinWeight', new THREE.Float32BufferAttribute(Array.from({ length: 81 }, (_, i) => { const w = Math.floor(i / 9) / 8; return [w, 1 - w, 0, 0]; }).flat(), 4));
    const skinned = new THREE.SkinnedMesh(cloth, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    skinned.add(bones[0]);
    skinned.bind(new THREE.Skeleton(bones));
    bones[1].rotation.x = 0.8;
    skinned.updateMatrixWorld(true);
    const rays = Array.from({ length: 200 }, () => new THREE.Raycaster(direction().multiplyScalar(12).add(new THREE.Vector3(3, 0, 0)), new THREE.Vector3(rnd(-4, 4), rnd(-2, 3), rnd(-2, 3)))).map((r) => { r.ray.direction.sub(r.ray.origin).normalize(); return r; });
    const objects = [mesh, many, skinned], expected = rays.map((r) => r.intersectObjects(objects, false));
    install();
    g.computeBoundsTree();
    skinned.boundsTree = new BoundsTree(skinned);
    let hits = 0;
    rays.forEach((r, i) => {
        const found = r.intersectObjects(objects, false);
        assert.equal(found.length, expected[i].length);
        found.forEach((f, k) => { hits++; assert.ok(Math.abs(f.distance - expected[i][k].distance) < 1e-4 && f.object === expected[i][k].object && f.instanceId === expected[i][k].instanceId); });
    });
    assert.ok(hits > 50);
    bones[1].rotation.x = -0.8;
    skinned.updateMatrixWorld(true);
    skinned.boundsTree.refit();
    const before = skinned.boundsTree.tree.positions(), raw = positionsOf(cloth);
    assert.notDeepEqual([...before], [...raw], 'it is posed');
    assert.deepEqual(clash([many]).map(({ instanceA, instanceB }) => [instanceA, instanceB]), [[0, 1], [1, 2], [2, 3], [3, 4]]);
    g.disposeBoundsTree();
    uninstall();
    assert.equal(THREE.BufferGeometry.prototype.computeBoundsTree, undefined);
});
