// Random calls, most of them wrong: no trap, no other exception than BoxwoodError, no leak, and the module answers as before.
// BOXWOOD_FUZZ: how many calls (20000); BOXWOOD_SEED: other ones than those of seed 1.
import assert from 'node:assert/strict';
import test from 'node:test';
import { boxwood } from './where.mjs';
import { random } from './record.mjs';

const { load, BoxwoodError } = await boxwood();
const calls = Number(process.env.BOXWOOD_FUZZ ?? 20000), seed = Number(process.env.BOXWOOD_SEED ?? 1);

test(`${calls} random calls, seed ${seed}`, async () => {
    const bw = await load({ motion: true, budget: true }), r = random(seed), pick = (list) => list[Math.floor(r() * list.length)], whole = (n) => Math.floor(r() * n);
    const detached = () => { const a = new Float32Array(36); structuredClone(a.buffer, { transfer: [a.buffer] }); return a; };
    const nasty = () => pick([undefined, null, NaN, Infinity, -Infinity, -1, 0, 1, 0.5, 2 ** 32, 2 ** 53, 1e300, 1e-320, '', 'fast', 'all', 'nearest', true, false, 7n, -1n, 2n ** 64n, Symbol('s'), () => 1, {}, [], [1, 2, 3], [NaN, 0, 0],
        new Float32Array(3), new Float64Array(12), new Uint8Array(5), new BigInt64Array(2), new ArrayBuffer(8), new DataView(new ArrayBuffer(24)), detached(), new Date(), /x/, new Map(), { positions: 3 }, { elements: [1] }, new Proxy({}, {})]);
    const coordinate = () => (r() < 0.02 ? pick([NaN, Infinity, 1e308, -1e-310, 2 ** 200]) : pick([r(-1), Math.round(r(-3, 3)), r(-1) * 1e-6]));
    const vector = () => (r() < 0.03 ? nasty() : [coordinate(), coordinate(), coordinate()]);
    const mesh = () => {
        if (r() < 0.05) return nasty();
        const n = 1 + whole(40), m = whole(60), positions = pick([Array, Float32Array, Float64Array]) === Array ? Array.from({ length: 3 * n }, coordinate) : new (pick([Float32Array, Float64Array]))(3 * n).map(coordinate);
        return { positions: r() < 0.03 ? nasty() : positions, indices: r() < 0.05 ? nasty() : Array.from({ length: 3 * m }, () => (r() < 0.003 ? n + whole(3) : whole(n))) };
    };
    const pose = () => { const k = r(); if (k < 0.1) return nasty(); if (k < 0.3) return null; return Array.from({ length: 12 }, (_, i) => (i % 5 === 0 ? 1 : 0) + (i % 4 === 3 ? r(-1) : r(-0.2, 0.2))); };
    const pool = [];
    const some = (kind) => { const fit = pool.filter((o) => o.constructor.name === kind); return r() < 0.05 || fit.length === 0 ? pick([nasty(), ...pool]) : pick(fit); };
    const body = () => { const t = r() < 0.9 ? some('Tree') : some('Kinetic'); return r() < 0.5 ? t : { tree: t, pose: pose() }; };
    const options = (names) => { if (r() < 0.5) return undefined; if (r() < 0.05) return nasty(); const o = {}; for (const n of names) if (r() < 0.3) o[n] = r() < 0.4 ? nasty() : pick([true, 0.01, 3]); return o; };
    const shape = () => (r() < 0.05 ? nasty() : { kind: pick(['sphere', 'capsule', 'box', 'half-space', 'hull', 'hull', nasty()]), radius: pick([0, 0.5, nasty()]), half: pick([[0.3, 0.4, 0.5], vector()]), hull: some('Hull'), pose: pick([null, pose()]) });
    const motion = () => (r() < 0.05 ? nasty() : { start: pick([undefined, pose()]), translation: vector(), axis: vector(), angle: pick([0, 1, nasty()]) });
    const ray = () => (r() < 0.05 ? nasty() : r() < 0.5 ? { origin: vector(), direction: vector() } : { from: vector(), through: vector(), tMax: pick([1, undefined, nasty()]) });
    const region = () => (r() < 0.05 ? nasty() : pick([{ box: [-1, -1, -1, coordinate(), 1, 1] }, { centre: vector(), radius: pick([0.5, nasty()]) }, { centre: vector(), end: vector(), radius: 0.1 }, { planes: [1, 0, 0, coordinate()] }, { ray: ray() }, { kind: 'planes' }]));
    const boxes = () => (r() < 0.05 ? nasty() : Array.from({ length: 6 * whole(20) }, (_, i) => (i % 6 < 3 ? coordinate() : coordinate() + 2)));
    const ids = () => (r() < 0.1 ? nasty() : [pick([1n << 32n, (1n << 32n) + 1n, 5n, nasty()])]);
    const worldBody = () => (r() < 0.05 ? nasty() : pick([{ tree: some('Tree'), pose: pose() }, { shape: shape(), pose: pose(), layers: pick([1, 2, nasty()]) }, { kinetic: some('Kinetic') }, { tree: some('Tree'), fixed: true, group: 1 }, { tree: some('Tree'), shape: shape() }]));
    // what queries call: mostly right, sometimes nonsense, a throw, a question of its own, or an attempt to change what is read
    let ask, make, depth = 0;
    const thrown = new Error('of the fuzzer'), within = (f) => { if (depth > 2) return undefined; depth++; try { return f(); } catch (error) { if (r() < 0.5) throw error; return undefined; } finally { depth--; } };
    const called = (right) => (r() < 0.05 ? nasty() : (...args) => { const k = r(); if (k < 0.9) return right(...args); if (k < 0.92) throw thrown; if (k < 0.94) return nasty(); if (k < 0.97) { within(() => pick(ask)()); return right(...args); } if (k < 0.98) { within(() => pool.push(pick(make)())); return right(...args); } if (k < 0.99 && pool.length > 0) pick(pool).dispose(); return right(...args); });
    const test = () => called((a, b) => pick([true, false, null, undefined, 'touching', 'near', a === b])), valueOf = () => called((id, path, bound, limit) => pick([bound, bound + 0.5, null, limit, -1, NaN]));
    const userBody = () => { const t = some(pick(['UserTree', 'UserTree', 'Tree', 'Kinetic'])); return r() < 0.5 ? t : { tree: t, pose: pose() }; };
    const pathsOf = (scene) => pick([undefined, undefined, some('ScenePaths'), pool.find((o) => o.constructor.name === 'ScenePaths' && o.scene === scene), { nothing: 1 }]);
    make = [
        () => bw.sweptCache(options(['margin'])), () => bw.moving({ indices: [0, 1, 2], plans: pick([Array.from({ length: 36 }, coordinate), nasty()]), end: pick([1, nasty()]) }), () => bw.userTree(boxes(), options(['builder'])), () => bw.userTree(boxes()), () => some('Scene').paths(), () => some('Scene').paths(), () => { const outer = bw.scene(); for (let k = whole(4); k >= 0; k--) outer.insertScene(some('Scene'), pose()); return outer; },
        () => bw.tree(mesh(), options(['builder', 'deforms', 'compact', 'quarantine'])), () => bw.pairCache(), () => bw.swept(mesh(), pick([mesh(), nasty()]), options(['points', 'thickness', 'edges'])),
        () => { const m = mesh(), p = m?.positions; return bw.moving({ indices: m?.indices, times: pick([[0, 1], [0, 1, 2], nasty()]), frames: pick([[p, p], [p, p, p], nasty()]) }); },
        () => bw.kinetic(some('Moving'), options(['method', 'time'])), () => bw.separation(some('Moving'), some('Moving'), options(['method', 'time'])), () => bw.scene(options(['trackPairs'])), () => bw.cull(options(['width', 'occluders'])), () => bw.cull({ width: 64, height: 64, occluders: 'boxes' }),
        () => bw.cull({ width: 32, height: 32, occluders: [mesh()] }), () => bw.anytime(some('Tree'), { tries: pick([8, nasty()]) }), () => bw.anytimeCache(), () => bw.hull(pick([mesh()?.positions, nasty()])), () => bw.world(options(['separation'])), () => { const w = bw.world(); w.insertMany([worldBody(), worldBody(), worldBody()]); return w; }, () => bw.loadTree(pick([some('Tree')?.save?.(), new Uint8Array(whole(300)).map(() => whole(256)), nasty()]), mesh()),
    ];
    ask = [
        () => some('Kinetic').setPlans(pick([[0], [0, 1], nasty()]), pick([Array.from({ length: 12 }, coordinate), nasty()])), () => some('Kinetic').remove(pick([[0], nasty()])), () => some('Kinetic').insert(pick([[0], nasty()])), () => some('Kinetic').positions(), () => some('Kinetic').total(), () => some('Separation').setPlans(pick([0, 1, nasty()]), [0], Array.from({ length: 12 }, coordinate)), () => some('Separation').stats(), () => some('Separation').check(),
        () => some('Swept').self({ cache: some('SweptCache') }), () => some('Swept').pair(some('Swept'), { cache: some('SweptCache') }), () => some('SweptCache').reset(), () => bw.validate(mesh()), () => some('Tree').nodes(pick([1, 9, nasty()])),
        () => bw.any(userBody(), userBody(), { test: test() }), () => bw.pairs(userBody(), userBody(), { test: test() }), () => bw.count(userBody(), userBody(), { test: test() }), () => bw.pairs(userBody(), userBody()), () => some('UserTree').update(boxes()), () => some('UserTree').bounds(), () => some('UserTree').check(),
        () => some('Scene').insertScene(some('Scene'), pose(), pick([0, 3, nasty()])), () => some('Scene').setPose(pick([1n << 32n, nasty()]), pose()), () => some('Scene').child(pick([1n << 32n, nasty()])), () => some('ScenePaths').get(pick([0, 1, 2, nasty()])), () => some('ScenePaths').reset(), () => some('Scene').pairsChanged(),
        () => { const s = some('Scene'); return s.query(region(), { paths: pathsOf(s) }); }, () => { const s = some('Scene'); return s.pairs({ paths: pathsOf(s) }); }, () => { const s = some('Scene'); return s.cast(ray(), { paths: pathsOf(s), any: pick([true, false, nasty()]), value: valueOf() }); }, () => { const s = some('Scene'); return s.nearest(vector(), pick([3, nasty()]), { paths: pathsOf(s), maxDistance: pick([undefined, 2, nasty()]), value: valueOf() }); },
        () => { const s = some('Scene'); return s.nearest(vector(), 4, { value: valueOf() }); }, () => { const s = some('Scene'); return some('Cull').frame(s, { eye: [0, 0, -5], forward: [0, 0, 1], up: [0, 1, 0] }, { paths: pathsOf(s) }); }, () => some('Scene').insertSphere(vector(), pick([0.5, nasty()]), pick([1, nasty()])), () => some('Scene').moveSphere(1n << 32n, vector(), pick([0.5, nasty()])), () => some('Scene').moveSwept(1n << 32n, pick([[0, 0, 0, 1, 1, 1], boxes()]), vector()),
        () => some('Scene').setUser(pick([1n << 32n, nasty()]), pick([1, nasty()])), () => some('Scene').prepare(pick([undefined, [0, 0, 0, 1, 1, 1], nasty()])), () => some('Scene').check(),
        () => bw.any(body(), body(), options(['separation', 'containment', 'cache'])), () => bw.pairs(body(), body(), options(['separation', 'rings', 'containment'])), () => bw.self(body(), options(['separation', 'rings'])), () => bw.count(body(), body()),
        () => bw.contacts(body(), body(), options(['depth', 'volume', 'tolerance', 'trials'])), () => bw.distance(body(), body(), options(['maxDistance', 'stopBelow'])), () => bw.within(body(), body(), pick([0.1, nasty()])),
        () => bw.nearest(body(), vector()), () => bw.nearestMany(body(), pick([[vector(), vector()], nasty()])), () => bw.contains(body(), [vector()]), () => bw.signedDistance(body(), pick([[vector(), vector()], nasty()])), () => bw.raycast(body(), ray(), options(['mode'])), () => bw.raycastAll(body(), ray()),
        () => bw.raycastMany(body(), pick([[0, 0, 0, 1, 0, 0], nasty()]), options(['mode', 'width', 'between'])), () => bw.region(body(), region()), () => bw.anyMany(pick([[{ a: body(), b: body() }, { a: body(), b: body() }], nasty()]), options(['groupSize', 'coherent'])), () => bw.distanceMany(pick([[{ a: body(), b: body() }], nasty()])),
        () => bw.surfaceAt(body(), pick([[0, 1], nasty()]), [vector(), vector()]), () => some('Tree').refit(pick([mesh()?.positions, undefined, nasty()])), () => some('Tree').update(pick([undefined, nasty()]), options(['policy', 'ranges'])), () => some('Tree').save(), () => some('Tree').stats(), () => some('Tree').remove([whole(5)]),
        () => some('Tree').insert([whole(5)]), () => some('Tree').prepare(options(['rays', 'distances', 'clearance'])), () => some('Swept').self(options(['mode', 'separation', 'tolerance', 'witnesses'])), () => some('Swept').pair(some('Swept')), () => some('Swept').safeStep(options(['separation', 'others'])),
        () => some('Swept').near(pick([0.1, nasty()])), () => some('Kinetic').advance(pick([0.5, 1, nasty()])), () => some('Separation').advance(pick([0.5, nasty()])), () => some('Separation').pairs(), () => bw.timeline(pick([[some('Moving'), some('Moving')], nasty()]), options(['self', 'mode'])),
        () => some('Scene').insertMany(boxes(), pick([undefined, nasty()])), () => some('Scene').moveMany(ids(), boxes()), () => some('Scene').removeMany(ids()), () => some('Scene').query(region()), () => some('Scene').pairs(), () => some('Scene').cast(ray()), () => some('Scene').nearest(vector(), pick([3, nasty()])), () => some('Scene').get(pick([1n << 32n, nasty()])),
        () => some('Cull').frame(some('Scene'), pick([{ eye: vector(), forward: vector(), up: vector() }, nasty()])), () => some('Cull').depth(), () => bw.anyWithin(pick([some('Anytime'), { anytime: some('Anytime'), pose: pose() }]), some('Anytime'), options(['maxSteps', 'maxMilliseconds', 'regions', 'cache', 'wantedError'])), () => some('Anytime').update(),
        () => bw.shapeContact(shape(), shape(), options(['separation'])), () => bw.shapeDistance(shape(), shape()), () => bw.shapeCollide(shape(), body()), () => bw.shapeRaycast(shape(), ray()), () => bw.shapeSweep(shape(), motion(), shape(), motion()), () => bw.shapeSweepBody(shape(), motion(), body(), motion()), () => bw.sweptRigid(body(), motion(), body(), motion(), { maxSteps: 50 }), () => bw.motionPose(motion(), pick([0.5, nasty()])),
        () => some('World').insert(worldBody()), () => some('World').insertMany(pick([[worldBody(), worldBody()], nasty()])), () => some('World').remove(pick(ids() ?? [1n])), () => some('World').move(pick([1n << 32n, nasty()]), pose()), () => some('World').moveMany(ids(), pick([[pose()], nasty()])), () => some('World').changed(pick([1n << 32n, nasty()])), () => some('World').setFilter(1n << 32n, options(['layers', 'mask', 'group'])),
        () => some('World').allow(1n << 32n, (1n << 32n) + 1n, pick([true, false, nasty()])), () => some('World').get(pick([1n << 32n, nasty()])), () => some('World').step(options(['pairsOnly'])), () => some('World').step(), () => some('World').advance(ids(), pick([[pose()], nasty()]), options(['stay', 'tolerance'])), () => some('World').raycast(ray(), options(['most', 'mask', 'except'])), () => some('World').raycastMany(pick([[0, 0, 0, 1, 0, 0], nasty()])),
        () => some('World').sweep(shape(), motion()), () => some('World').overlap(shape(), options(['mask'])), () => some('World').distance(shape(), options(['maxDistance'])), () => some('World').check(),
    ];
    bw.tree({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] }).dispose();
    let right = 0, refused = 0;
    for (let i = 0; i < calls; i++) {
        const k = r();
        try {
            if (k < 0.15) pool.push(pick(make)());
            else if (k < 0.2 && pool.length > 0) pick(pool).dispose();
            else if (k < 0.23 && pool.length > 40) { const gone = pool.splice(0, 20); for (const o of gone) o.dispose(); }
            else pick(ask)();
            right++;
        } catch (error) {
            if (error !== thrown && !(error instanceof BoxwoodError) && !(error instanceof TypeError && /is not a function|of (undefined|null)|Symbol|is not iterable|incompatible receiver/.test(error.message))) throw new Error(`call ${i} of seed ${seed}: ${error.stack}`);
            refused++;
        }
    }
    assert.ok(right > calls / 20, `${right} calls had an answer, ${refused} were refused`);
    for (const o of pool) o.dispose();
    const tree = bw.tree({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
    assert.equal(bw.raycast(tree, { origin: [0.2, 0.2, 1], direction: [0, 0, -1] }).t, 1);
    tree.dispose();
    const rest = (await load({ motion: true, budget: true })).memory().allocated, room = 1 << 24; // a list of answers is kept for the next
    assert.ok(bw.memory().allocated - rest < room, `${bw.memory().allocated - rest} bytes are left`);
});
