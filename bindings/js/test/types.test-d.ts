// Compiled by tsc, never run: the types as users write them.
import { load, BoxwoodError, type Hits, type Mesh, type Tree } from 'boxwood';
import { load as loadCore } from 'boxwood/core';

const bw = await load({ motion: true, budget: new URL('https://example.org/boxwood-budget.wasm') });
await (await load()).add('motion');
const mesh: Mesh = { positions: new Float32Array(9), indices: [0, 1, 2] };
const tree: Tree = bw.tree(mesh, { builder: 'fast', quarantine: ['nan'] });
const hits: Hits = bw.pairs(tree, { tree, pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] }, { separation: 0.1 });
const first: number = hits.a[0] + hits.report.hitCount;
const moving = bw.moving({ indices: [0, 1, 2], times: [0, 1], frames: [new Float64Array(9), new Float64Array(9)] });
const kinetic = bw.kinetic(moving, { method: 'auto' });
const meets: boolean = bw.any(kinetic, tree);
const ids: BigUint64Array = bw.scene().insertMany(new Float32Array(6));
const t: number | undefined = bw.raycast(tree, { origin: [0, 0, 0], direction: { x: 1, y: 0, z: 0 } })?.t;
const core = await loadCore();
core.pairs(core.tree(mesh), core.tree(mesh));
try { tree.refit(); } catch (error) { if (error instanceof BoxwoodError) console.log(error.element, error.value); }
console.log(first, meets, ids, t);
const world = bw.world({ separation: 0.1 }), body: bigint = world.insert({ tree, layers: 2 }), depth: number = world.step().depth[0];
console.log(world.raycast({ origin: [0, 0, 0], direction: [1, 0, 0] }, { except: body }).t[0], depth);
const boxes = bw.userTree(new Float32Array(6)), met: Hits = bw.pairs(boxes, { tree, pose: null }, { test: (a, b) => (a === b ? 'touching' : null) });
const outer = bw.scene({ trackPairs: true }), instance: bigint = outer.insertScene(bw.scene(), null), paths = outer.paths();
const where: Uint32Array = outer.query({ centre: [0, 0, 0], radius: 1 }, { paths }).path, inner = paths.get(where[0]).scene?.count;
console.log(met, instance, inner, outer.cast({ origin: [0, 0, 0], direction: [1, 0, 0] }, { paths, value: (id, path, bound) => (id === instance ? null : bound + path) })?.path, outer.pairsChanged().began.a, bw.cull().frame(outer, { eye: [0, 0, 0], forward: [1, 0, 0] }, { paths }).path);
kinetic.setPlans([0], new Float64Array(12));
console.log(bw.validate(mesh).counts['zero-area'], tree.nodes(2).boxes, bw.swept(mesh, mesh).self({ cache: bw.sweptCache() }).count, kinetic.total().events, bw.separation(moving).stats().pending);
// @ts-expect-error: boxes have no distances
bw.distance(boxes, tree);
// @ts-expect-error: paths are asked for
outer.query({ centre: [0, 0, 0], radius: 1 }).path;
// @ts-expect-error: no such part
await bw.add('sound');
// @ts-expect-error: no such builder
bw.tree(mesh, { builder: 'best' });
// @ts-expect-error: the core has no separation
core.any(core.tree(mesh), core.tree(mesh), { separation: 1 });
// @ts-expect-error: not a body
bw.any(tree, 3);
import * as THREE from 'three';
import { adapt } from 'boxwood/three';
const { install, BoundsTree, clash } = adapt(THREE, bw);
install();
const g = new THREE.BoxGeometry();
const bounds = g.computeBoundsTree({ deforms: true });
const contact: boolean = bounds.intersectsGeometry(new BoundsTree(g), new THREE.Matrix4());
console.log(contact, clash([new THREE.Mesh(g)])[0].a, bounds.raycastFirst(new THREE.Ray())?.point.x);
