// The package as users meet it: answers that can be worked out by hand, errors with their place, memory that grows and is given back, both modules.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { Worker } from 'node:worker_threads';
import { boxwood, folder } from './where.mjs';

const { load, BoxwoodError, NONE, names } = await boxwood();
const all = { motion: true, budget: true }, bw = await load(all);
const cube = {
    positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1]),
    indices: new Uint32Array([0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5]),
};
const at = (x, y, z) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
const refused = (f, result, fields = {}) => assert.throws(f, (e) => {
    assert.ok(e instanceof BoxwoodError, String(e));
    assert.equal(e.result, result, e.message);
    for (const [name, v] of Object.entries(fields)) assert.deepEqual(e[name], v, `${name} of: ${e.message}`);
    return true;
});
/** A sphere of n by n quadrilaterals. */
function sphere(n, radius = 1) {
    const positions = [], indices = [];
    for (let i = 0; i <= n; i++) for (let k = 0; k < n; k++) { const a = (Math.PI * i) / n, b = (2 * Math.PI * k) / n; positions.push(radius * Math.sin(a) * Math.cos(b), radius * Math.sin(a) * Math.sin(b), radius * Math.cos(a)); }
    for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) { const a = i * n + k, b = i * n + ((k + 1) % n); indices.push(a, a + n, b, b, a + n, b + n); }
    return { positions: new Float32Array(positions), indices };
}

test('modules import nothing and are as small as said', () => {
    for (const [name, most] of [['boxwood.wasm', 250], ['boxwood-core.wasm', 120]]) {
        const bytes = readFileSync(join(folder, name));
        assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
        const size = gzipSync(bytes, { level: 9 }).length / 1000;
        assert.ok(size <= most, `${name}: ${size.toFixed(0)} KB, more than ${most}`);
    }
});

test('two cubes', () => {
    const tree = bw.tree(cube), body = (x, y, z) => ({ tree, pose: at(x, y, z) });
    assert.equal(bw.any(tree, body(0.5, 0.5, 0.5)), true);
    assert.equal(bw.any(tree, body(2, 0, 0)), false);
    assert.equal(bw.any(tree, body(1, 1, 1)), true, 'corners that touch are in contact');
    assert.equal(bw.any(tree, body(1 + 2 ** -23, 1, 1)), false);
    assert.equal(bw.any(tree, body(1.5, 0, 0), { separation: 0.5 }), true);
    assert.equal(bw.pairs(tree, body(1, 1, 1)).kind.every((k) => names.bw_contact_kind[k] === 'touching'), true);
    assert.equal(bw.self(tree).count, 0);
    const d = bw.distance(tree, body(3, 0, 0));
    assert.equal(d.distance, 2);
    assert.deepEqual(bw.nearest(tree, [2, 0.5, 0.5]).point, [1, 0.5, 0.5]);
    assert.equal(bw.nearest(tree, { x: 2, y: 0.5, z: 0.5 }, { maxDistance: 0.5 }).primitive, NONE);
    assert.deepEqual([...bw.contains(tree, [[0.5, 0.5, 0.5], [2, 2, 2], [1, 0.5, 0.5]]).side], [1, 0, 2]);
    assert.equal(bw.signedDistance(tree, [0.5, 0.5, 0.25]).distance[0], -0.25);
    assert.equal(bw.raycast(tree, { origin: [-1, 0.5, 0.4], direction: [2, 0, 0] }).t, 0.5);
    assert.equal(bw.raycast(tree, { origin: [-1, 0.5, 0.4], direction: [-1, 0, 0] }), null);
    refused(() => bw.raycast(tree, { origin: [-1, 0.5, 0.4], direction: [0, 0, 0] }), 'argument');
    refused(() => bw.raycastMany(tree, [-1, 0.5, 0.4, 1, 0, 0, -1, 5, 0, 0, 0, 0]), 'argument');
    assert.deepEqual([...bw.raycastAll(tree, { from: [-1, 0.5, 0.4], through: [0, 0.5, 0.4] }).t], [1, 2]);
    assert.deepEqual([...bw.raycastMany(tree, [-1, 0.5, 0.4, 1, 0, 0, -1, 5, 0, 1, 0, 0]).t], [1, Infinity]);
    const c = bw.contacts(tree, body(0.5, 0.25, 0.125), { depth: true, volume: true });
    assert.ok(Math.abs(c.report.depthUpper - 0.5) < 1e-9 && c.report.depthLower <= 0.5 && Math.abs(c.report.volume - 0.5 * 0.75 * 0.875) < 1e-9);
    assert.equal(bw.pairs(tree, { tree, pose: [0.5, 0, 0, 0.25, 0, 0.5, 0, 0.25, 0, 0, 0.5, 0.25] }, { containment: true }).report.containment, 'b-in-a');
    assert.equal(bw.region(tree, { box: [-1, -1, -1, 0.5, 2, 2] }).count, 10);
    assert.equal(bw.anyMany([{ a: tree, b: body(0.5, 0, 0) }, { a: tree, b: body(5, 0, 0) }]).hits[1], 0);
    tree.dispose();
});
test('poses by rows, by columns and as matrices are one', () => {
    const tree = bw.tree(cube), rows = [0, -1, 0, 1.5, 1, 0, 0, 0.25, 0, 0, 1, 0.5], columns = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1.5, 0.25, 0.5, 1];
    for (const pose of [columns, { elements: columns }, new Float64Array(rows)]) assert.deepEqual(bw.pairs(tree, { tree, pose }), bw.pairs(tree, { tree, pose: rows }));
    refused(() => bw.any(tree, { tree, pose: columns.with?.(3, 1) ?? [...columns.slice(0, 3), 1, ...columns.slice(4)] }), 'argument');
    refused(() => bw.any({ tree, pose: at(NaN, 0, 0) }, tree), 'not-finite');
    refused(() => bw.any({ tree, pose: new Array(12).fill(0) }, tree), 'singular');
});
test('errors name the place and the value', () => {
    refused(() => bw.tree({ positions: [0, 0, 0, 1, 0, 0, 0, NaN, 0], indices: [0, 1, 2] }), 'not-finite', { element: 0, vertex: 2, axis: 1, value: NaN, defect: 'nan' });
    refused(() => bw.tree({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 7] }), 'index', { element: 0, vertex: 7, value: null });
    refused(() => bw.tree({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, -1] }), 'index', { element: 0, value: -1 });
    refused(() => bw.tree({ positions: [0, 0, 0, 1], indices: [] }), 'argument', { value: 4 });
    refused(() => bw.tree({ positions: new Float32Array(0), indices: [] }), 'empty');
    refused(() => bw.tree(null), 'argument');
    refused(() => bw.tree(cube, { builder: 'best' }), 'argument');
    refused(() => bw.tree(cube, { deform: true }), 'argument');
    assert.throws(() => bw.tree(cube, { deform: true }), /no option "deform"; there are builder, deforms/);
    const tree = bw.tree(cube), other = bw.tree(cube);
    refused(() => tree.refit(new Float32Array(9)), 'mismatch');
    refused(() => tree.refit(cube.positions.with?.(4, Infinity) ?? Float32Array.from(cube.positions, (v, i) => (i === 4 ? Infinity : v))), 'not-finite', { vertex: 1, axis: 1, value: Infinity });
    assert.deepEqual(tree.positions(), cube.positions, 'a refused update changes nothing');
    assert.equal(bw.pairs(tree, { tree: other, pose: at(0.5, 0.5, 0.5) }).count, 18);
    refused(() => bw.loadTree(new Uint8Array(100), cube), 'format');
    refused(() => bw.raycastMany(tree, [0, 0, 0, 1, 0, 0, 0, NaN, 0, 1, 0, 0]), 'not-finite', { element: 1 });
    assert.deepEqual([...bw.tree({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, NaN, 0, 0], indices: [0, 1, 3, 0, 1, 2] }, { quarantine: 'fatal' }).quarantined()], [0]);
});
test('trees follow, are saved and loaded', () => {
    const tree = bw.tree(cube, { deforms: true }), moved = Float32Array.from(cube.positions, (v) => v + 10);
    assert.equal(tree.refit(moved).action, 'refit');
    assert.deepEqual(tree.bounds(), [10, 10, 10, 11, 11, 11]);
    assert.equal(tree.check(), null);
    const bytes = tree.save(), loaded = bw.loadTree(bytes, { positions: moved, indices: cube.indices });
    assert.deepEqual(loaded.save(), bytes);
    assert.equal(bw.any(loaded, { tree, pose: at(1, 0, 0) }), true);
    const elsewhere = bw.loadTree(bytes, cube); // another mesh of as many triangles: the tree is fitted to it
    assert.deepEqual(elsewhere.bounds(), [0, 0, 0, 1, 1, 1]);
    tree.remove([0, 1]);
    assert.equal(tree.stats().primitives, 10);
    tree.insert([0, 1]);
    assert.equal(tree.stats().primitives, 12);
});
test('steps, plans and timelines', () => {
    const far = Float32Array.from(cube.positions, (v, i) => v + (i % 3 === 0 ? 100 : 0)), wall = { positions: Float32Array.from(cube.positions, (v, i) => v + (i % 3 === 0 ? 50 : 0.25)), indices: cube.indices };
    const a = bw.swept(cube, far), b = bw.swept(wall, wall.positions), hit = a.pair(b);
    assert.ok(Math.abs(hit.report.earliest.first.time - 0.49) < 1e-6, 'nothing tunnels');
    assert.ok(Math.abs(a.safeStep({ others: b }).step - 0.49) < 1e-5);
    assert.equal(a.pair(b, { mode: 'earliest' }).report.earliest.first.time, hit.report.earliest.first.time);
    const moves = bw.moving({ indices: cube.indices, times: [0, 1], frames: [cube.positions, far] }), still = bw.moving({ indices: cube.indices, times: [0, 1], frames: [wall.positions, wall.positions] });
    const t = bw.timeline([moves, still], { mode: 'objects' });
    assert.deepEqual([...t.begins], [1, 0]);
    assert.ok(Math.abs(t.time[0] - 0.49) < 1e-12 && Math.abs(t.time[1] - 0.51) < 1e-12);
    const k = bw.kinetic(moves, { method: 'auto' }), s = bw.kinetic(still, { method: 'auto' }), list = bw.separation(moves, still);
    for (const [time, meets] of [[0.2, false], [0.5, true], [0.9, false]]) {
        k.advance(time);
        list.advance(time);
        assert.equal(bw.any(k, s), meets);
        assert.equal(list.pairs().count, bw.pairs(k, s).count);
        assert.equal(k.check(), null);
    }
    refused(() => bw.kinetic(moves, { method: 'fast' }), 'argument');
    refused(() => bw.moving({ indices: cube.indices, times: [0, 0], frames: [cube.positions, far] }), 'argument');
    const rigid = bw.sweptRigid(bw.tree(cube), { translation: [10, 0, 0] }, bw.tree(wall), { start: at(-45, 0, 0) });
    assert.ok(Math.abs(rigid.time - 0.4) < 1e-5);
    const turned = bw.motionPose({ axis: [0, 0, 1], angle: Math.PI }, 0.5);
    assert.ok(Math.abs(turned[1] + 1) < 1e-12 && Math.abs(turned[4] - 1) < 1e-12);
});
test('plans that change, caches of steps, validation and nodes', () => {
    const fall = (x, y) => [x, y, 0, 0, 0, 0, 0, -5, 0, 0, 0, 0], corners = [[0, 0], [1, 0], [0, 1]], moving = bw.moving({ indices: [0, 1, 2], plans: corners.flatMap(([x, y]) => fall(x, y)), end: 2 });
    assert.deepEqual([...moving.sample(1)], [0, -5, 0, 1, -5, 0, 0, -4, 0]);
    const kinetic = bw.kinetic(moving, { method: 'queue' }), list = bw.separation(moving, bw.moving({ indices: [0, 1, 2], positions: new Float64Array([0.1, -30, -1, 0.1, -30, 1, 0.1, 30, 0]), velocities: new Float64Array(9), end: 2 }), { method: 'events' });
    kinetic.advance(1);
    list.advance(1);
    assert.equal(list.pairs().count, 1);
    assert.deepEqual([...kinetic.positions()], [0, -5, 0, 1, -5, 0, 0, -4, 0]);
    const stay = corners.flatMap(([x, y]) => [x + 9, y, 0, ...new Array(9).fill(0)]);
    kinetic.setPlans([0, 1, 2], stay);
    list.setPlans(0, [0, 1, 2], stay);
    for (const o of [kinetic, list]) { o.advance(1.5); assert.equal(o.check(), null); }
    assert.deepEqual([...kinetic.positions()], [9, 0, 0, 10, 0, 0, 9, 1, 0]);
    assert.ok(list.pairs().count === 0 && list.stats().method === 'events' && list.total().events >= 0 && kinetic.total().segments === 0);
    kinetic.remove([0]);
    assert.equal(bw.any(kinetic, bw.tree(cube)), false);
    kinetic.insert([0]);
    refused(() => kinetic.insert([0]), 'argument');
    refused(() => kinetic.setPlans([7], stay.slice(0, 12)), 'index');
    refused(() => kinetic.setPlans([0], stay), 'mismatch');
    refused(() => kinetic.advance(0), 'unsupported');
    refused(() => bw.moving({ indices: [0, 1, 2], plans: [NaN, ...new Array(35).fill(0)] }), 'not-finite', { vertex: 0 });
    const step = (k) => Float32Array.from(cube.positions, (v, i) => v + (i % 3 === 0 ? 0.01 * k : 0)), wall = { positions: Float32Array.from(cube.positions, (v, i) => v + (i % 3 === 0 ? 1.035 : 0.25)), indices: cube.indices };
    const a = bw.swept(cube, step(1)), b = bw.swept(wall, wall.positions), cache = bw.sweptCache({ margin: 0.1 });
    let kept = 0;
    for (let k = 0; k < 6; k++) {
        a.update(step(k), step(k + 1));
        const with_ = a.pair(b, { cache }), without = a.pair(b);
        kept += with_.report.kept;
        assert.deepEqual([...with_.time], [...without.time]);
        assert.equal(with_.count > 0, k >= 3, `step ${k}`);
    }
    assert.ok(kept > 0, 'the cache was used');
    cache.reset();
    refused(() => bw.sweptCache({ margin: -1 }), 'argument');
    refused(() => a.pair(b, { cache: {} }), 'argument');
    const told = bw.validate({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, NaN, 0, 0, 5, 5, 5], indices: [0, 1, 2, 0, 1, 3, 0, 1, 9, 0, 0, 1] });
    assert.ok(told.primitives === 4 && told.defective === 3 && told.counts.nan === 1 && told.counts.index === 1 && told.counts['zero-area'] === 1 && told.first === 'nan' && told.firstPrimitive === 1 && told.firstVertex === 3);
    const nodes = bw.tree(sphere(20)).nodes(), top = bw.tree(sphere(20)).nodes(1);
    assert.equal(nodes.triangles.reduce((x, y) => x + y), 800);
    assert.ok(nodes.depth[0] === 0 && nodes.boxes[2] === -1 && nodes.boxes[5] === 1 && top.count < nodes.count && top.depth.every((d) => d <= 1));
});
test('scenes and cameras', () => {
    const scene = bw.scene(), ids = scene.insertMany([0, 0, 0, 1, 10, 10, 5, 4, 4, 6, 5, 5, 5, 40, 4, 6, 41, 5]);
    assert.equal(scene.count, 3);
    assert.equal(scene.pairs().count, 0);
    const view = { eye: [-10, 4.5, 4.5], forward: [1, 0, 0], up: [0, 0, 1], fovY: 1.2, aspect: 1 };
    assert.deepEqual([...bw.cull({ occluders: 'boxes' }).frame(scene, view).ids], [ids[0]], 'the second is behind the first, the third out of view');
    assert.deepEqual([...bw.cull().frame(scene, view).ids].sort(), [ids[0], ids[1]].sort());
    const wall = { positions: [0.5, 0, 0, 0.5, 10, 0, 0.5, 10, 10, 0.5, 0, 10], indices: [0, 1, 2, 0, 2, 3] }, named = bw.scene();
    const own = named.insertMany([0, 0, 0, 1, 10, 10, 5, 4, 4, 6, 5, 5], [1, 0]);
    assert.deepEqual([...bw.cull({ occluders: [wall] }).frame(named, view).ids], [own[0]]);
    scene.move(ids[1], { min: [0.5, 0, 0], max: [2, 1, 1] });
    assert.deepEqual([...scene.pairs().a], [ids[0]]);
    assert.equal(scene.cast({ origin: [-5, 0.5, 0.5], direction: [1, 0, 0] }).t, 5);
    assert.equal(scene.nearest([5.5, 40.5, 4.5])[0].id, ids[2]);
    scene.remove(ids[0]);
    assert.equal(scene.has(ids[0]), false);
    refused(() => scene.move(ids[0], [0, 0, 0, 1, 1, 1]), 'stale');
    refused(() => scene.insertMany([0, 0, 0, 1, -1, 1]), 'argument', { element: 0 });
    assert.deepEqual(scene.get(scene.insert([0.1, 0.1, 0.1, 0.2, 0.2, 0.2])).box.map((v, i) => (i < 3 ? v <= 0.1 : v >= 0.2)), new Array(6).fill(true), 'boxes are rounded outward');
    assert.equal(scene.check(), null);
});
test('scenes in scenes', () => {
    const car = bw.scene(), street = bw.scene(), town = bw.scene(), wheels = car.insertMany([0, 0, 0, 1, 1, 1, 4, 0, 0, 5, 1, 1], [1, 2]);
    const cars = [0, 10, 20].map((x) => street.insertScene(car, at(x, 0, 0), x)), streets = [0, 100].map((y) => town.insertScene(street, at(0, y, 0))), paths = town.paths();
    const q = town.query({ box: [9.5, 99, 0, 12, 101, 1] }, { paths });
    assert.deepEqual([...q.ids], [wheels[0]]);
    const { scene, instances, pose } = paths.get(q.path[0]);
    assert.ok(scene === car && pose[3] === 10 && pose[7] === 100);
    assert.deepEqual([...instances], [streets[1], cars[1]]);
    assert.deepEqual(paths.get(0).scene, town);
    assert.deepEqual([...town.query({ box: [9.5, 99, 0, 12, 101, 1] }).ids], [streets[1]], 'without paths an instance is an object');
    assert.ok(Math.abs(town.cast({ origin: [-5, 100.5, 0.5], direction: [1, 0, 0] }, { paths }).t - 5) < 1e-5);
    const near = town.nearest([13, 0.5, 0.5], 3, { paths });
    assert.ok(near.length === 3 && near[0].id === wheels[1] && paths.get(near[0].path).pose[3] === 10 && Math.abs(near[0].distance - 1) < 1e-5);
    assert.equal(town.nearest([13, 0.5, 0.5], 99, { paths, maxDistance: 2.5 }).length, 2);
    assert.equal(town.pairs({ paths }).count, 0);
    street.setPose(cars[1], at(0.5, 0, 0));
    const p = town.pairs({ paths });
    assert.ok(p.count === 4 && p.pathA.every((path, i) => path !== p.pathB[i]));
    assert.deepEqual(street.child(cars[1]), { scene: car, pose: at(0.5, 0, 0) });
    assert.equal(car.child(wheels[0]), null);
    assert.equal(street.get(cars[2]).user, 20);
    const view = { eye: [-10, 0.5, 0.5], forward: [1, 0, 0], up: [0, 0, 1], fovY: 0.5, aspect: 1 }, cull = bw.cull({ occluders: 'boxes' }), seen = cull.frame(town, view, { paths });
    assert.ok(seen.ids.length >= 1 && seen.ids.length < 12 && seen.path.length === seen.ids.length);
    refused(() => car.insertScene(town), 'cycle');
    refused(() => car.insertScene(car), 'cycle');
    refused(() => street.move(cars[0], [0, 0, 0, 1, 1, 1]), 'unsupported');
    refused(() => street.setPose(cars[0], at(NaN, 0, 0)), 'not-finite');
    refused(() => street.query({ box: [0, 0, 0, 1, 1, 1] }, { paths }), 'argument');
    refused(() => town.query({ box: [0, 0, 0, 1, 1, 1] }, { paths: {} }), 'argument');
    refused(() => paths.get(1000), 'argument');
    // a child that is disposed of stays as long as its instances do
    const before = bw.memory().allocated;
    car.dispose();
    assert.equal(town.query({ box: [-1, -1, -1, 200, 200, 2] }, { paths }).ids.length, 12);
    assert.equal(bw.memory().allocated >= before - 4096, true);
    street.removeMany(cars);
    assert.ok(bw.memory().allocated < before - 1000, 'the last instance takes the child with it');
    assert.equal(paths.get(q.path[0]).scene, null);
    assert.equal(town.query({ box: [-1, -1, -1, 200, 200, 2] }, { paths }).ids.length, 0);
    paths.reset();
    for (const o of [street, town, paths]) o.dispose();
    const tracked = bw.scene({ trackPairs: true }), [a, b] = tracked.insertMany([0, 0, 0, 1, 1, 1, 0.5, 0, 0, 2, 1, 1]);
    assert.deepEqual([...tracked.pairsChanged().began.a], [a]);
    tracked.moveSphere(b, [9, 0, 0], 1);
    assert.ok(tracked.pairsChanged().ended.count === 1 && tracked.get(b).box[3] >= 10);
    tracked.moveSwept(b, [9, 0, 0, 10, 1, 1], [-8.5, 0, 0]);
    assert.equal(tracked.pairsChanged().began.count, 1);
    tracked.setUser(a, 5);
    assert.equal(tracked.get(a).user, 5);
    refused(() => bw.scene().pairsChanged(), 'unsupported');
});
test('trees over primitives of the caller', () => {
    const balls = [[0, 0, 0], [1.8, 0, 0], [1.5, 1.5, 0], [9, 9, 9]], around = (list) => list.flatMap(([x, y, z]) => [x - 1, y - 1, z - 1, x + 1, y + 1, z + 1]), tree = bw.userTree(around(balls));
    const distance = (i, k, x = 0) => Math.hypot(balls[i][0] - balls[k][0] - x, balls[i][1] - balls[k][1], balls[i][2] - balls[k][2]);
    assert.ok(tree.count === 4 && tree.check() === null);
    assert.deepEqual(tree.bounds(), [-1, -1, -1, 10, 10, 10]);
    const boxes = bw.pairs(tree, tree), meets = bw.pairs(tree, tree, { test: (i, k) => i !== k && distance(i, k) <= 2 });
    assert.ok(boxes.count === 10 && meets.count === 4 && meets.kind.every((k) => names.bw_contact_kind[k] === 'crossing'), `${boxes.count} ${meets.count}`);
    assert.equal(bw.any(tree, { tree, pose: at(50, 0, 0) }), false);
    let asked = 0;
    assert.equal(bw.any(tree, tree, { test: () => { asked++; return 'touching'; } }), true);
    assert.equal(asked, 1, 'the first is enough');
    assert.equal(bw.count(tree, tree, { test: (i, k) => i === k }).hitCount, 4);
    assert.ok(bw.pairs(tree, { tree: bw.tree(cube), pose: at(8.5, 8.5, 8.5) }).a.every((i) => i === 3), 'a mesh, too');
    assert.equal(bw.pairs(bw.tree(cube), bw.tree(cube), { test: (i, k) => i === 3 && k === 5 }).count, 1);
    tree.update(around(balls.map(([x, y, z]) => [10 * x, y, z])));
    assert.equal(bw.pairs(tree, tree).count, 4);
    refused(() => tree.update([0, 0, 0, 1, 1, 1]), 'mismatch');
    refused(() => tree.update(around([[NaN, 0, 0], ...balls.slice(1)])), 'not-finite', { element: 0 });
    assert.equal(bw.pairs(tree, tree).count, 4, 'a refused update changes nothing');
    refused(() => bw.userTree([0, 0, 0, -1, 1, 1]), 'argument', { element: 0 });
    refused(() => bw.userTree([]), 'empty');
    refused(() => bw.pairs(tree, tree, { test: 3 }), 'argument');
    refused(() => bw.pairs(tree, tree, { test: () => 'maybe' }), 'argument');
    refused(() => bw.pairs(tree, tree, { separation: 1 }), 'argument');
    for (const f of [() => bw.distance(tree, tree), () => bw.nearest(tree, [0, 0, 0]), () => bw.raycast(tree, { origin: [0, 0, 0], direction: [1, 0, 0] }), () => bw.self(tree)]) assert.throws(f, BoxwoodError);
    tree.dispose();
    refused(() => tree.update([]), 'stale');
});
test('functions that queries call may throw, ask in turn, and dispose; they may not change what is read', () => {
    const line = (n) => Float32Array.from({ length: 6 * n }, (_, i) => Math.floor(i / 6) + (i % 6 < 3 ? 0 : 1)), tree = bw.userTree(line(50)), mesh = bw.tree(cube), scene = bw.scene(), inner = bw.scene();
    const ids = scene.insertMany(line(50)), ray = { origin: [-1, -1, -1], direction: [1, 1, 1] };
    inner.insertMany(line(5));
    scene.insertScene(inner, at(0, 0, 0));
    const paths = scene.paths(), before = bw.memory().allocated;
    let calls = 0;
    assert.throws(() => bw.pairs(tree, tree, { test: () => { calls++; throw new RangeError('mine'); } }), (e) => e instanceof RangeError && e.message === 'mine');
    assert.equal(calls, 1, 'nothing more is asked');
    assert.throws(() => scene.cast(ray, { value: () => { throw 7; } }), (e) => e === 7);
    assert.throws(() => scene.cast(ray, { value: () => { throw undefined; } }), (e) => e === undefined);
    refused(() => scene.cast(ray, { value: () => 'near' }), 'argument');
    const deep = (n) => bw.pairs(tree, tree, { test: (i, k) => i === k && (n === 0 || deep(n - 1) === 50) }).count;
    assert.equal(deep(1), 50, 'queries in queries');
    assert.equal(bw.count(tree, tree, { test: (i, k) => i === k && i < 3 && bw.any(mesh, mesh) && bw.pairs(mesh, { tree: mesh, pose: at(0.5, 0.5, 0.5) }).count === 18 }).hitCount, 3);
    let depth = 0;
    const endless = () => bw.any(tree, tree, { test: () => { depth++; return endless(); } });
    refused(endless, 'unsupported');
    assert.ok(depth > 4 && depth < 100);
    for (const change of [() => tree.update(line(50)), () => scene.insert([0, 0, 0, 1, 1, 1]), () => scene.remove(ids[0]), () => scene.prepare(), () => inner.insert([0, 0, 0, 1, 1, 1]), () => scene.insertScene(inner), () => bw.scene().insertScene(scene), () => paths.reset(), () => scene.query({ box: [0, 0, 0, 1, 1, 1] }, { paths })]) {
        refused(() => scene.cast(ray, { paths, value: () => bw.pairs(tree, tree, { test: change }) }), 'unsupported');
    }
    const other = scene.paths();
    assert.ok(scene.cast(ray, { paths, value: (id, path, bound) => (scene.query({ box: [0, 0, 0, 9, 9, 9] }, { paths: other }).ids.length > 9 && paths.get(path).instances.length <= 1 ? bound : null) }).t > 0);
    other.dispose();
    const gone = bw.userTree(line(9));
    assert.equal(bw.pairs(gone, gone, { test: () => { gone.dispose(); return true; } }).count, 25);
    assert.ok(gone.disposed);
    // a value that lies is no trap
    for (const v of [NaN, Infinity, -5, 1e300, 0]) scene.nearest([3, 3, 3], 5, { value: () => v });
    const grown = scene.nearest([3, 3, 3], 5, { value: (id, path, bound) => { bw.tree({ positions: new Float32Array(90000).map(Math.random), indices: Uint32Array.from({ length: 30000 }, (_, i) => i) }).dispose(); return bound; } });
    assert.deepEqual(grown.map((h) => h.id), scene.nearest([3, 3, 3], 5).map((h) => h.id), 'memory that grows meanwhile');
    assert.ok(Math.abs(bw.memory().allocated - before) < 4096, `${bw.memory().allocated - before} bytes are left`);
    for (const o of [paths, tree, mesh, scene, inner]) o.dispose();
});
test('budgets and shapes', () => {
    const tree = bw.tree(sphere(40)), anytime = bw.anytime(tree, { tries: 64 }), pose = at(1.2, 0.1, 0);
    const none = bw.anyWithin(anytime, { anytime, pose }, { maxSteps: 0 }), whole = bw.anyWithin(anytime, { anytime, pose }, { maxMilliseconds: 1e4, regions: 3 });
    assert.equal(none.confidence, 0.5);
    assert.ok(whole.proven && whole.collision && whole.regions.length > 0);
    const cache = bw.anytimeCache(), far = at(1.99, 0.1, 0);
    let answer = bw.anyWithin(anytime, { anytime, pose: far }, { maxSteps: 1, cache });
    for (let i = 0; i < 1000 && answer.status === 'limit'; i++) answer = bw.anyWithin(anytime, { anytime, pose: far }, { maxSteps: 1, cache, resume: true });
    assert.equal(answer.collision, bw.any(tree, { tree, pose: far }));
    tree.dispose(); // what was made of it goes on
    assert.ok(bw.anyWithin(anytime, { anytime, pose }).collision);
    const c = bw.shapeContact({ kind: 'sphere', radius: 1 }, { kind: 'box', half: [1, 1, 1], pose: at(1.5, 0, 0) });
    assert.ok(c.kind === 'crossing' && Math.abs(c.depth - 0.5) < 1e-12 && c.normal[0] === 1);
    const box = { kind: 'box', half: [1, 1, 1] }, pile = [box, { ...box, pose: at(0.2, 0.1, 1.9) }];
    assert.equal(bw.shapeContact(...pile).points.length, 4);
    assert.equal(bw.shapeContact(...pile, { maxPoints: 1 }).points.length, 1);
    assert.throws(() => bw.shapeContact(...pile, { maxPoints: 5 }), /maxPoints/);
    assert.equal(bw.shapeDistance({ kind: 'sphere', radius: 1 }, { kind: 'sphere', radius: 1, pose: at(5, 0, 0) }).distance, 3);
    const hull = bw.hull(cube.positions);
    assert.equal(bw.shapeOverlap({ kind: 'hull', hull }, { kind: 'sphere', radius: 0.5, pose: at(2, 0.5, 0.5) }), 'none');
    assert.equal(hull.mesh().positions.length, 24);
    assert.ok(Math.abs(bw.shapeSweep({ kind: 'sphere', radius: 1 }, { translation: [10, 0, 0] }, { kind: 'sphere', radius: 1 }, { start: at(5, 0, 0) }).time - 0.3) < 1e-5);
});
test('worlds: contacts begin, persist and end', () => {
    const tree = bw.tree(cube), world = bw.world(), [floor, a, ball] = world.insertMany([{ tree, fixed: true }, { tree, pose: at(0.5, 0.5, 0.5), user: 7 }, { shape: { kind: 'sphere', radius: 0.5 }, pose: at(5, 0, 0) }]);
    tree.dispose(); // the bodies hold on to it
    const first = world.step();
    assert.ok(first.count === 18 && first.beganCount === 18 && first.pairs.count === 1 && first.pairs.a[0] === floor && first.pairs.b[0] === a);
    assert.ok(first.depth.every((d) => Number.isFinite(d)) && first.event.every((e) => e === 0));
    world.move(a, at(0.5, 0.5, 0.25));
    const second = world.step();
    assert.ok(second.count > 0 && second.beganCount < second.count, 'some persist');
    world.move(a, at(3, 0, 0));
    const gone = world.step();
    assert.ok(gone.count === 0 && gone.ended.count === second.count && gone.pairs.event[0] === 2);
    assert.ok(world.get(a).user === 7 && world.get(a).pose[3] === 3 && world.count === 3);
    const hits = world.raycast({ origin: [-1, 0.5, 0.5], direction: [1, 0, 0] }, { most: 5 });
    assert.deepEqual([...hits.id], [floor, a]);
    assert.deepEqual([...hits.t], [1, 4]);
    assert.deepEqual([...world.raycastMany([-1, 0.5, 0.5, 1, 0, 0, -1, 9, 9, 1, 0, 0], { except: floor }).id], [a, 0n]);
    assert.deepEqual([...world.overlap({ kind: 'sphere', radius: 0.3, pose: at(1.2, 0.5, 0.5) })], [floor]);
    assert.ok(Math.abs(world.distance({ kind: 'sphere', radius: 0.5, pose: at(2, 0.5, 0.5) }, { except: a }).distance - 0.5) < 1e-12);
    assert.equal(world.distance({ kind: 'sphere', radius: 0.1, pose: at(0, 50, 0) }, { maxDistance: 1 }), null);
    const met = world.sweep({ kind: 'sphere', radius: 0.5 }, { start: at(-5, 0.5, 0.5), translation: [10, 0, 0] });
    assert.ok(Math.abs(met.time - 0.45) < 1e-5 && [met.a, met.b].includes(floor));
    const way = world.advance([ball], [at(-5, 0.5, 0.5)]);
    assert.ok(way.status === 'found' && way.time > 0 && way.time < 0.5 && [way.first.a, way.first.b].includes(a));
    assert.ok(Math.abs(world.get(ball).pose[3] - (5 - 10 * way.time)) < 1e-9, 'it stands where it stopped');
    world.allow(floor, a);
    world.move(a, at(0.5, 0.5, 0.5));
    assert.equal(world.step().pairs.a.includes(floor), false);
    world.remove(a);
    refused(() => world.move(a, null), 'stale');
    refused(() => world.insert({ tree: bw.tree(cube), shape: { kind: 'sphere', radius: 1 } }), 'argument');
    refused(() => world.insert({}), 'argument');
    assert.equal(world.check(), null);
    world.dispose();
    refused(() => world.step(), 'stale');
});
test('parts are loaded where they are wanted', async () => {
    const own = await load(), tree = own.tree(cube);
    for (const [call, part] of [[() => own.world(), 'motion'], [() => own.timeline([]), 'motion'], [() => own.shapeOverlap({}, {}), 'motion'], [() => own.pairCache(), 'motion'], [() => own.anytime(tree), 'budget']]) {
        refused(call, 'unsupported');
        assert.throws(call, new RegExp(`load\\(\\{ ${part}: true \\}\\)`));
    }
    await Promise.all([own.add('motion'), own.add('motion')]);
    assert.equal(own.swept(cube, cube).self().count, 0);
    refused(() => own.anytime(tree), 'unsupported');
    await own.add('budget', readFileSync(join(folder, 'boxwood-budget.wasm')));
    assert.ok(own.anyWithin(own.anytime(tree, { tries: 8 }), own.anytime(tree, { tries: 8 })).collision);
    await assert.rejects(own.add('sound'), /none of motion, budget/);
    await assert.rejects(load({ sound: true }), /there is no option "sound"/);
    const another = await load();
    await assert.rejects(another.add('motion', Uint8Array.of(0, 97, 115, 109)), WebAssembly.CompileError);
    await another.add('motion'); // a second try
    assert.deepEqual(WebAssembly.Module.imports(await WebAssembly.compile(readFileSync(join(folder, 'boxwood.wasm')))), [], 'the main module imports nothing');
});
test('memory grows without stale arrays, and all of it comes back', async () => {
    const own = await load(), small = own.tree(cube), before = own.pairs(small, { tree: small, pose: at(0.5, 0.5, 0.5) }), copy = before.a.slice(), bytes = own.memory().bytes;
    const start = own.memory().allocated, large = own.tree(sphere(500));
    assert.ok(own.memory().bytes > bytes, 'the memory has grown');
    assert.deepEqual(before.a, copy, 'answers are their own copies');
    assert.deepEqual(own.pairs(small, { tree: small, pose: at(0.5, 0.5, 0.5) }).a, copy);
    assert.ok(own.pairs(large, { tree: large, pose: at(0.3, 0.2, 0.1) }).count > 1000);
    large.dispose();
    large.dispose();
    assert.ok(large.disposed);
    refused(() => own.any(large, small), 'stale');
    refused(() => large.refit(), 'stale');
    refused(() => bw.any(small, small), 'argument');
    for (let i = 0; i < 50; i++) own.tree(sphere(20)).dispose();
    assert.ok(own.memory().allocated <= start + (1 << 21), 'a list of hits is kept for the next, and nothing else');
    const after = own.memory().allocated;
    for (let i = 0; i < 200; i++) { const t = own.tree(sphere(20)); own.pairs(t, { tree: t, pose: at(0.3, 0, 0) }); t.dispose(); }
    assert.equal(own.memory().allocated, after);
});
test('forgotten objects are given back', { skip: globalThis.gc ? false : 'node --expose-gc' }, async () => {
    const own = await load(all), start = own.memory().allocated;
    (() => { for (let i = 0; i < 50; i++) { const t = own.tree(sphere(20)); own.anytime(t, { tries: 8 }); own.swept(cube, cube); } })();
    for (let i = 0; i < 50 && own.memory().allocated > start; i++) { globalThis.gc(); await new Promise((done) => setTimeout(done, 10)); }
    assert.ok(own.memory().allocated - start < 20000, `${own.memory().allocated - start} bytes are left`);
});
test('the core module answers alike and refuses what it has not', async () => {
    const core = await (await boxwood('core-index.js')).load(), a = core.tree(cube), b = bw.tree(cube), pose = at(0.5, 0.25, 0.5);
    assert.deepEqual(core.pairs(a, { tree: a, pose }), bw.pairs(b, { tree: b, pose }));
    assert.deepEqual(core.self(a), bw.self(b));
    assert.deepEqual(core.raycastAll(a, { from: [-1, 0.5, 0.4], through: [0, 0.5, 0.4] }).t, Float64Array.of(1, 2));
    assert.deepEqual(core.nearestMany(a, [2, 0, 0, 3, 1, 1]), bw.nearestMany(b, [2, 0, 0, 3, 1, 1]));
    assert.deepEqual(core.raycastMany(a, [-1, 0.5, 0.4, 1, 0, 0]), bw.raycastMany(b, [-1, 0.5, 0.4, 1, 0, 0]));
    assert.deepEqual(core.loadTree(a.save(), cube).save(), b.save());
    refused(() => core.any(a, a, { separation: 1 }), 'argument');
});
test('modules from bytes, compiled, and in a worker', async () => {
    const bytes = readFileSync(join(folder, 'boxwood.wasm')), module = await WebAssembly.compile(bytes);
    for (const source of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), module]) {
        const own = await load(source), tree = own.tree(cube);
        assert.equal(own.any(tree, { tree, pose: at(0.5, 0, 0) }), true);
    }
    const code = `import { parentPort, workerData } from 'node:worker_threads';
        const { load } = await import(workerData.url), bw = await load(workerData.module), tree = bw.loadTree(workerData.bytes, workerData.mesh);
        parentPort.postMessage(bw.pairs(tree, { tree, pose: workerData.pose }).count);`;
    const tree = bw.tree(cube), worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(code)), { workerData: { url: new URL('index.js', `file://${folder}/`).href, module, bytes: tree.save(), mesh: cube, pose: at(0.5, 0.5, 0.5) } });
    assert.equal(await new Promise((done, fail) => { worker.on('message', done); worker.on('error', fail); }), 18);
});
