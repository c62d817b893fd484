// Questions that the package answers, with hashes of the answers, written down for the library itself to answer (native/replay.c): the same bits or not.
/** A hash of words of 32 bits, as native/reader.h has it. */
export class Hash {
    low = 0x811c9dc5 | 0;
    high = 0x9e3779b9 | 0;
    add(...words) {
        for (const w of words) {
            this.low = Math.imul(this.low ^ w, 0x01000193);
            this.high = Math.imul(((this.high << 13) | (this.high >>> 19)) ^ w, 0x85ebca6b);
        }
        return this;
    }
    double(...values) {
        for (const v of values) { f64[0] = v; this.add(u32[0], u32[1]); }
        return this;
    }
    vector(array, i = 0) { return this.double(array[3 * i], array[3 * i + 1], array[3 * i + 2]); }
    ids(list) {
        for (const id of list) this.add(Number(id & 0xffffffffn) | 0, Number(id >> 32n) | 0);
        return this.add(list.length);
    }
    hits({ a, b, kind, count }) {
        for (let i = 0; i < count; i++) this.add(a[i], b[i], kind[i]);
        return this.add(count);
    }
    toString() { return (this.high >>> 0).toString(16).padStart(8, '0') + (this.low >>> 0).toString(16).padStart(8, '0'); }
}
const f64 = new Float64Array(1), u32 = new Int32Array(f64.buffer);
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const NONE = 0xffffffff;

// The order is that of `questions` in native/replay.c.
const Q = { tree: 0, update: 1, collide: 2, contacts: 3, distance: 4, within: 5, nearest: 6, signed: 7, rays: 8, region: 9, batch: 10, swept: 11, timeline: 12, kinetic: 13, scene: 14, anytime: 15, rigid: 16, shapes: 17, world: 18, nested: 19, user: 20, plans: 21, mesh: 22 };
const kinds = ['none', 'touching', 'crossing', 'near'], containments = ['none', 'a-in-b', 'b-in-a'], statuses = ['done', 'found', 'stopped', 'full', 'limit'];

export class Record {
    #parts = [];
    #meshes = new Map();
    #trees = new Map();
    constructor(bw) { Object.assign(this, { bw, hashes: [] }); }

    // ---- what is written ----
    #u32(...values) { for (const v of values) this.#parts.push(Uint32Array.of(v, 0)); }
    #double(...values) { this.#parts.push(Float64Array.from(values)); }
    #array(array) {
        this.#u32(array.length);
        const bytes = new Uint8Array((array.byteLength + 7) & ~7);
        bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
        this.#parts.push(bytes);
    }
    #answer(what, hash) { this.hashes.push({ what, hash: String(hash) }); }
    /** Everything, for replay. */
    bytes() {
        const views = this.#parts.map((p) => new Uint8Array(p.buffer, p.byteOffset, p.byteLength)), out = new Uint8Array(views.reduce((n, v) => n + v.length, 0));
        let at = 0;
        for (const v of views) { out.set(v, at); at += v.length; }
        return out;
    }
    mesh({ positions, indices }) {
        const key = positions;
        if (!this.#meshes.has(key)) {
            this.#u32(Q.mesh, positions instanceof Float64Array ? 1 : 0);
            this.#array(positions);
            this.#u32(indices ? 1 : 0);
            if (indices) this.#array(indices);
            this.#meshes.set(key, this.#meshes.size);
        }
        return this.#meshes.get(key);
    }
    #body(v) {
        const tree = v.tree ?? v;
        this.#u32(this.#trees.get(tree), v.pose ? 1 : 0);
        if (v.pose) this.#double(...v.pose);
    }
    #moving({ times, frames, indices }) {
        const ids = frames.map((positions) => this.mesh({ positions, indices }));
        return () => { this.#array(Float64Array.from(times)); this.#u32(...ids); };
    }

    // ---- questions ----
    tree(mesh, { builder = 'default', deforms = false } = {}) {
        const id = this.mesh(mesh), tree = this.bw.tree(mesh, { builder, deforms });
        this.#u32(Q.tree, id, { default: 0, fast: 2, quality: 3 }[builder], deforms ? 1 : 0);
        this.#trees.set(tree, this.#trees.size);
        const hash = new Hash();
        for (const byte of tree.save()) hash.add(byte);
        this.#answer(`tree by ${builder}`, hash);
        return tree;
    }
    update(tree, mesh, policy = 'refit') {
        const id = this.mesh(mesh);
        this.#u32(Q.update, this.#trees.get(tree), id, { refit: 0, auto: 1, rebuild: 2 }[policy]);
        tree.update(mesh.positions, { policy });
        const hash = new Hash();
        for (const byte of tree.save()) hash.add(byte);
        this.#answer(`update by ${policy}`, hash);
    }
    pairs(a, b, { separation = 0, containment = false, rings = 0 } = {}) {
        this.#u32(Q.collide, b === null ? 1 : 0);
        this.#body(a);
        if (b !== null) this.#body(b);
        this.#double(separation);
        this.#u32(containment ? 1 : 0, rings);
        const answer = b === null ? this.bw.self(a, { separation, rings }) : this.bw.pairs(a, b, { separation, containment, rings });
        this.#answer(b === null ? 'self' : 'pairs', new Hash().hits(answer).add(answer.report.touchingCount, answer.report.nearCount, containments.indexOf(answer.report.containment)));
        return answer;
    }
    contacts(a, b, { depth = false, volume = false, tolerance = 0 } = {}) {
        this.#u32(Q.contacts);
        this.#body(a);
        this.#body(b);
        this.#u32(depth ? 1 : 0, volume ? 1 : 0);
        this.#double(tolerance);
        const c = this.bw.contacts(a, b, { depth, volume, tolerance }), hash = new Hash();
        for (let i = 0; i < c.count; i++) hash.add(c.a[i], c.b[i], c.kind[i], c.region[i]).vector(c.ends, 2 * i).vector(c.ends, 2 * i + 1).vector(c.points, i).vector(c.normals, i).double(c.depths[i]);
        for (const r of c.regions) hash.vector(r.point).vector(r.translation).double(r.depthUpper, r.depthLower);
        this.#answer('contacts', hash.vector(c.report.translation).double(c.report.depthUpper, c.report.depthLower, c.report.volume));
        return c;
    }
    distance(a, b) {
        this.#u32(Q.distance);
        this.#body(a);
        this.#body(b);
        const d = this.bw.distance(a, b), hash = new Hash().double(d.distance);
        if (d.distance > 0) hash.add(d.a, d.b).vector(d.pointA).vector(d.pointB);
        this.#answer('distance', hash);
    }
    within(a, b, distance) {
        this.#u32(Q.within);
        this.#body(a);
        this.#body(b);
        this.#double(distance);
        const n = this.bw.within(a, b, distance), hash = new Hash();
        for (let i = 0; i < n.count; i++) hash.add(n.a[i], n.b[i]).double(n.distance[i]);
        this.#answer('within', hash);
    }
    nearest(body, points) {
        this.#u32(Q.nearest);
        this.#body(body);
        this.#array(points);
        const n = this.bw.nearestMany(body, points), hash = new Hash();
        for (let i = 0; i < n.count; i++) {
            hash.add(n.primitive[i]).vector(n.points, i).double(n.distance[i]);
            if (i % 50 === 0) { // one by one it is the same
                const one = this.bw.nearest(body, points.slice(3 * i, 3 * i + 3));
                if (one.primitive !== n.primitive[i] || one.distance !== n.distance[i]) throw new Error('nearest is not nearestMany');
            }
        }
        this.#answer('nearest', hash);
    }
    signed(body, points) {
        this.#u32(Q.signed);
        this.#body(body);
        this.#array(points);
        const s = this.bw.signedDistance(body, points), side = this.bw.contains(body, points).side, hash = new Hash().add(s.report.closed ? 1 : 0);
        for (let i = 0; i < s.count; i++) {
            if (side[i] !== s.side[i]) throw new Error('contains is not signedDistance');
            hash.double(s.distance[i]).add(s.side[i], s.primitive[i], s.feature[i]).vector(s.points, i).vector(s.normals, i).vector(s.weights, i);
        }
        this.#answer('signed distance', hash);
    }
    rays(body, rows, between = false) {
        this.#u32(Q.rays);
        this.#body(body);
        this.#u32(between ? 1 : 0);
        this.#array(rows);
        const r = this.bw.raycastMany(body, rows, { between }), hash = new Hash();
        for (let i = 0; i < r.count; i++) {
            hash.add(r.primitive[i], r.kind[i]).double(r.t[i]);
            if (i % 50 === 0) {
                const p = rows.slice(6 * i, 6 * i + 3), q = rows.slice(6 * i + 3, 6 * i + 6);
                const one = this.bw.raycast(body, between ? { from: p, through: q } : { origin: p, direction: q });
                const all = this.bw.raycastAll(body, between ? { from: p, through: q } : { origin: p, direction: q });
                if ((one?.primitive ?? NONE) !== r.primitive[i] || (one?.t ?? Infinity) !== r.t[i] || (all.count > 0) !== (one !== null) || (one && all.t[0] !== one.t)) throw new Error('raycast is not raycastMany');
            }
        }
        this.#answer('rays', hash);
    }
    region(body, centre, end, radius) {
        this.#u32(Q.region);
        this.#body(body);
        this.#double(...centre, ...end, radius);
        const r = this.bw.region(body, { centre, end, radius }), hash = new Hash();
        for (let i = 0; i < r.count; i++) hash.add(r.primitive[i], r.inside[i]);
        this.#answer('region', hash);
    }
    batch(a, b, poses) {
        this.#u32(Q.batch);
        this.#body(a);
        this.#body(b);
        this.#array(Float64Array.from(poses.flat()));
        const pairs = poses.map((pose) => ({ a, b: { tree: b.tree ?? b, pose } }));
        const any = this.bw.anyMany(pairs), far = this.bw.distanceMany(pairs), hash = new Hash();
        for (let i = 0; i < poses.length; i++) {
            hash.add(any.a[i], any.b[i]).double(far.distance[i]);
            if ((any.hits[i] > 0) !== this.bw.any(a, pairs[i].b)) throw new Error('any is not anyMany');
        }
        this.#answer('batch', hash);
    }
    swept(from, to, other = null, separation = 0) {
        const ids = [this.mesh(from), this.mesh(to), other === null ? NONE : this.mesh(other[0]), other === null ? NONE : this.mesh(other[1])];
        this.#u32(Q.swept, ...ids);
        this.#double(separation);
        const a = this.bw.swept(from, to.positions), b = other === null ? null : this.bw.swept(other[0], other[1].positions);
        const s = b === null ? a.self({ separation, witnesses: true }) : a.pair(b, { separation, witnesses: true }), hash = new Hash().double(s.report.earliest.first.time);
        for (let i = 0; i < s.count; i++) hash.add(s.feature[i], s.a[i], s.b[i]).double(s.time[i]).vector(s.pointsA, i).vector(s.normals, i);
        this.#answer('swept', hash.double(a.safeStep({ separation, others: b === null ? [] : [b] }).step));
        a.dispose();
        b?.dispose();
        return s;
    }
    timeline(objects, { self = false, mode = 'triangles' } = {}) {
        const write = objects.map((o) => this.#moving(o));
        this.#u32(Q.timeline, self ? 1 : 0, { triangles: 0, objects: 1, first: 2 }[mode], objects.length);
        for (const w of write) w();
        const made = objects.map((o) => this.bw.moving(o)), t = this.bw.timeline(made, { self, mode }), hash = new Hash();
        for (let i = 0; i < t.count; i++) hash.double(t.time[i]).add(t.begins[i], t.cut[i], t.objectA[i], t.objectB[i], t.triangleA[i], t.triangleB[i]);
        this.#answer('timeline', hash);
        for (const m of made) m.dispose();
        return t;
    }
    kinetic(a, b, times, method = 'auto') {
        const write = [this.#moving(a), this.#moving(b)];
        this.#u32(Q.kinetic);
        for (const w of write) w();
        this.#array(Float64Array.from(times));
        this.#u32({ default: 0, queue: 1, compiled: 2, interpolated: 3, refit: 4, boxtree: 5, auto: 6 }[method]);
        const [ma, mb] = [this.bw.moving(a), this.bw.moving(b)], [ka, kb] = [this.bw.kinetic(ma, { method }), this.bw.kinetic(mb, { method })], list = this.bw.separation(ma, mb), hash = new Hash();
        for (const time of times) {
            ka.advance(time);
            kb.advance(time);
            list.advance(time);
            hash.hits(this.bw.pairs(ka, kb)).hits(list.pairs());
        }
        this.#answer(`kinetic ${method}`, hash);
        for (const object of [ka, kb, list, ma, mb]) object.dispose();
    }
    scene(boxes, moved, to, ball, views, pairs = true) {
        this.#u32(Q.scene);
        this.#array(boxes);
        this.#array(Uint32Array.from(moved));
        this.#array(to);
        this.#u32(pairs ? 1 : 0);
        this.#double(...ball);
        this.#array(Float64Array.from(views.flatMap((v) => [...v.eye, ...v.forward, ...v.up, v.fovY, v.aspect, v.far])));
        const scene = this.bw.scene(), cull = this.bw.cull({ occluders: 'boxes' }), ids = scene.insertMany(boxes), hash = new Hash();
        scene.moveMany(BigUint64Array.from(moved, (i) => ids[i]), to);
        if (pairs) {
            const p = scene.pairs(), both = [];
            for (let i = 0; i < p.count; i++) both.push(p.a[i], p.b[i]);
            hash.ids(both);
        }
        hash.ids(scene.query({ centre: ball.slice(0, 3), radius: ball[3] }).ids);
        for (const view of views) hash.ids(cull.frame(scene, view).ids);
        this.#answer('scene and culling', hash);
        scene.dispose();
        cull.dispose();
    }
    /** A scene in a scene in a scene, and beside it: everything that goes through, and the paths. */
    nested({ boxes, others, inMiddle, inOuter, beside, ball, rays, points, views }) {
        this.#u32(Q.nested);
        this.#array(boxes);
        this.#array(others);
        for (const poses of [inMiddle, inOuter, beside]) this.#array(Float64Array.from(poses.flat()));
        this.#double(...ball);
        this.#array(rays);
        this.#array(points);
        this.#array(Float64Array.from(views.flatMap((v) => [...v.eye, ...v.forward, ...v.up, v.fovY, v.aspect, v.far])));
        const [child, middle, outer] = [0, 1, 2].map(() => this.bw.scene()), paths = outer.paths(), hash = new Hash(), centre = ball.slice(0, 3), radius = ball[3], way = [0.5, 0.25, 0.125];
        const ids = child.insertMany(boxes), id = (v) => hash.add(Number(v & 0xffffffffn) | 0, Number(v >> 32n) | 0);
        let last, top = 0;
        const path = (number) => { hash.add(number); top = Math.max(top, number); };
        inMiddle.forEach((pose, i) => { last = middle.insertScene(child, pose, i); });
        inOuter.forEach((pose, i) => { last = outer.insertScene(middle, pose, i); });
        beside.forEach((pose, i) => { last = outer.insertScene(child, pose, i); });
        outer.setPose(last, beside[0]);
        middle.insertMany(others);
        const round = child.insertSphere(centre, radius, 7);
        child.moveSphere(round, centre, radius / 2);
        child.moveSwept(ids[0], boxes.slice(0, 6), way);
        const found = (q) => q.ids.forEach((v, i) => { id(v); path(q.path[i]); });
        found(outer.query({ centre, radius }, { paths }));
        const p = outer.pairs({ paths }), pair = (q, i) => { hash.ids([q.a[i], q.b[i]]); };
        for (let i = 0; i < p.count; i++) { pair(p, i); path(p.pathA[i]); path(p.pathB[i]); }
        const behind = (v, _, bound) => (v % 5n === 0n ? null : bound + 0.25 * Number(v & 3n)), hit = (h, value) => { hash.ids([h.id]).double(value); path(h.path); };
        for (let i = 0; i < rays.length; i += 6) {
            const ray = { origin: rays.slice(i, i + 3), direction: rays.slice(i + 3, i + 6) };
            for (const h of [outer.cast(ray, { paths }), outer.cast(ray, { paths, value: behind })]) if (h !== null) hit(h, h.t);
        }
        for (let i = 0; i < points.length; i += 3) for (const value of [null, behind]) for (const h of outer.nearest(points.slice(i, i + 3), 5, { paths, value })) hit(h, h.distance);
        const cull = this.bw.cull({ occluders: 'boxes' });
        for (const view of views) found(cull.frame(outer, view, { paths }));
        for (let i = 0; i <= top; i++) { const { instances, pose } = paths.get(i); hash.ids(instances).double(...pose); }
        const tracked = this.bw.scene({ trackPairs: true }), own = tracked.insertMany(boxes), changes = () => { const { began, ended } = tracked.pairsChanged(); for (const q of [began, ended]) for (let i = 0; i < q.count; i++) { pair(q, i); hash.add(0, 0); } return began.count + ended.count; };
        const before = changes();
        for (let i = 0; i < own.length; i += 2) tracked.moveSwept(own[i], boxes.slice(6 * i, 6 * i + 6), way);
        const after = changes();
        if (top < 5 || p.count === 0 || before === 0 || after === 0) throw new Error('nested: too little to compare');
        this.#answer('scenes in scenes', hash);
        for (const o of [cull, paths, tracked, outer, middle, child]) o.dispose();
    }
    /** Boxes against boxes and against a mesh, with and without a test, before and after they have moved. */
    user(boxes, moved, pose, body) {
        this.#u32(Q.user);
        this.#array(boxes);
        this.#array(moved);
        this.#double(...pose);
        this.#body(body);
        const tree = this.bw.userTree(boxes), there = { tree, pose }, hash = new Hash(), test = (a, b) => kinds[(7 * a + 3 * b) % 4];
        for (let round = 0; round < 2; round++) {
            for (const [a, options] of [[tree, undefined], [tree, { test }], [body, undefined], [body, { test }]]) {
                const hits = this.bw.pairs(a, there, options);
                hash.hits(hits).add(hits.report.touchingCount);
                if (this.bw.count(a, there, options).hitCount !== hits.count || this.bw.any(a, there, options) !== hits.count > 0) throw new Error('count and any are not pairs');
            }
            const [x, y, z, X, Y, Z] = tree.bounds();
            hash.double(x, X, y, Y, z, Z);
            tree.update(moved);
        }
        this.#answer('user primitives', hash);
        tree.dispose();
    }
    /** A mesh that moves by plans against a body; at the middle time some vertices get others. */
    plans(mesh, plans, body, times, vertices, others) {
        const id = this.mesh(mesh), hash = new Hash();
        this.#u32(Q.plans, id);
        this.#array(plans);
        this.#body(body);
        this.#array(Float64Array.from(times));
        this.#array(vertices);
        this.#array(others);
        const moving = this.bw.moving({ indices: mesh.indices, plans, end: times.at(-1) }), kinetic = this.bw.kinetic(moving, { method: 'queue' });
        let found = 0;
        times.forEach((time, k) => {
            kinetic.advance(time);
            if (k === Math.floor(times.length / 2)) kinetic.setPlans(vertices, others);
            const hits = this.bw.pairs(kinetic, body);
            found += hits.count;
            hash.hits(hits).double(...kinetic.positions());
        });
        if (found === 0) throw new Error('plans: nothing meets');
        this.#answer('plans', hash);
        kinetic.dispose();
        moving.dispose();
    }
    anytime(a, b, poses, { tries = 64, steps = 6 } = {}) {
        this.#u32(Q.anytime);
        this.#body(a);
        this.#body(b);
        this.#u32(tries, steps ?? NONE);
        this.#array(Float64Array.from(poses.flat()));
        const x = this.bw.anytime(a, { tries }), y = this.bw.anytime(b, { tries }), hash = new Hash();
        for (const pose of poses) {
            const r = this.bw.anyWithin(x, { anytime: y, pose }, steps === null ? {} : { maxSteps: steps });
            hash.add(r.collision ? 1 : 0, r.proven ? 1 : 0, r.steps).double(r.confidence);
        }
        this.#answer('budget', hash);
        x.dispose();
        y.dispose();
    }
    rigid(a, motionA, b, motionB) {
        this.#u32(Q.rigid);
        this.#body(a);
        this.#body(b);
        for (const m of [motionA, motionB]) this.#double(...(m.start ?? identity), ...(m.centre ?? [0, 0, 0]), ...(m.axis ?? [0, 0, 1]), m.angle ?? 0, ...(m.translation ?? [0, 0, 0]));
        const r = this.bw.sweptRigid(a, motionA, b, motionB);
        this.#answer('rigid motion', new Hash().add(statuses.indexOf(r.status)).double(r.time, r.distance));
        return r;
    }
    shapes(body, list) {
        this.#u32(Q.shapes);
        this.#body(body);
        const numbers = { sphere: 0, capsule: 1, box: 2, 'half-space': 3 };
        this.#array(Float64Array.from(list.flatMap((s) => [numbers[s.kind], s.radius ?? 0, ...(s.half ?? [0, 0, 0]), ...(s.pose ?? identity)])));
        const hash = new Hash();
        list.forEach((s, i) => {
            for (const other of list.slice(0, i)) {
                const c = this.bw.shapeContact(s, other);
                hash.add(kinds.indexOf(c.kind)).vector(c.normal).double(c.depth, c.depthLower, this.bw.shapeDistance(s, other).distance);
            }
            const hits = this.bw.shapeCollide(s, body);
            for (let k = 0; k < hits.count; k++) hash.add(hits.primitive[k], hits.kind[k]).double(hits.depth[k]);
        });
        this.#answer('shapes', hash);
    }
    /** Copies of a tree that move from step to step (the first is fixed), and shapes; then rays, and what is at a ball. */
    world(tree, steps, shapes, { separation = 0, rays = new Float64Array(0), ball = [0, 0, 0, 1] } = {}) {
        const n = steps[0].length, numbers = { sphere: 0, capsule: 1, box: 2, 'half-space': 3 }, hash = new Hash();
        this.#u32(Q.world);
        this.#body(tree);
        this.#u32(n, steps.length);
        this.#array(Float64Array.from(steps.flat(2)));
        this.#array(Float64Array.from(shapes.flatMap((s) => [numbers[s.kind], s.radius ?? 0, ...(s.half ?? [0, 0, 0]), ...(s.pose ?? identity)])));
        this.#double(separation);
        this.#array(rays);
        this.#double(...ball);
        const world = this.bw.world({ separation }), ids = world.insertMany([...steps[0].map((pose, i) => ({ tree, pose, fixed: i === 0 })), ...shapes.map((shape) => ({ shape, pose: shape.pose ?? identity }))]);
        const id = (v) => hash.add(Number(v & 0xffffffffn) | 0, Number(v >> 32n) | 0), contacts = (c) => {
            for (let i = 0; i < c.count; i++) {
                for (const v of [c.id[i], c.a[i], c.b[i]]) id(v);
                hash.add(c.primitiveA[i], c.primitiveB[i], c.feature[i], c.kind[i], c.event[i]).vector(c.points, i).vector(c.normals, i).double(c.depth[i]);
            }
            hash.add(c.count);
        };
        let found = 0;
        for (const poses of steps) {
            world.moveMany(ids.slice(0, n), poses);
            const t = world.step();
            contacts(t);
            contacts(t.ended);
            for (let i = 0; i < t.pairs.count; i++) { id(t.pairs.a[i]); id(t.pairs.b[i]); hash.add(t.pairs.event[i], t.pairs.contacts[i]); }
            found += t.count;
        }
        const hits = world.raycastMany(rays);
        for (let i = 0; i < hits.count; i++) { id(hits.id[i]); if (hits.id[i] !== 0n) hash.add(hits.primitive[i]).double(hits.t[i]); }
        const sphere = { kind: 'sphere', radius: ball[3], pose: [1, 0, 0, ball[0], 0, 1, 0, ball[1], 0, 0, 1, ball[2]] };
        for (const v of world.overlap(sphere)) id(v);
        const d = world.distance(sphere);
        id(d.id);
        hash.double(d.distance);
        this.#answer('world', hash);
        world.dispose();
        return found;
    }
}

/** Random numbers that are the same everywhere. */
export function random(seed) {
    let s = seed >>> 0;
    return (from = 0, to = 1) => {
        s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
        return from + ((to - from) * s) / 4294967296;
    };
}

/** A mesh that replay has written. */
export function parseMesh(buffer) {
    const [double, vertices, triangles] = new Uint32Array(buffer, 0, 4), size = 3 * vertices * (double ? 8 : 4);
    return { positions: new (double ? Float64Array : Float32Array)(buffer.slice(16, 16 + size)), indices: new Uint32Array(buffer.slice(16 + size, 16 + size + 12 * triangles)) };
}

/** A rotation from a random quaternion, with a translation: products and sums alone, the same bits in every engine. */
export function rigid(r, x, y, z) {
    let q;
    do q = [r(-1), r(-1), r(-1), r(-1)]; while (q.reduce((s, v) => s + v * v, 0) < 0.1);
    const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), [a, b, c, d] = q.map((v) => v / n);
    return [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c), x, 2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b), y, 2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c), z];
}

/** Every query of the package over the built-in scenes. scene(name) gives a mesh. */
export function everyQuery(record, scene) {
    const r = random(1), names = ['bumpy', 'bumpy-double', 'pot', 'needles', 'soup'];
    for (const name of names) {
        const mesh = scene(name);
        record.tree(mesh, { builder: 'fast' });
        const tree = record.tree(mesh), at = (x, y, z) => ({ tree, pose: rigid(r, x, y, z) });
        const near = at(0.7, 0.2, 0.1), far = at(4, 1, 0);
        record.pairs(tree, near);
        record.pairs(near, at(0.5, 0.5, 0.2), { containment: true });
        record.pairs(tree, near, { separation: 0.01 });
        record.pairs(tree, null);
        record.pairs(tree, null, { separation: 0.01, rings: 2 });
        record.distance(tree, far);
        record.within(tree, near, 0.005);
        const points = new Float64Array(900).map(() => r(-1.5, 1.5)), rays = new Float64Array(1800).map((_, i) => (i % 6 < 3 ? r(-2, 2) : r(-0.4, 0.4)));
        record.nearest(near, points);
        record.signed(near, points);
        record.rays(near, rays);
        record.rays(tree, rays, true);
        record.region(near, [-0.5, 0, 0], [0.25, 1, 0.5], 0.3);
        record.batch(tree, tree, Array.from({ length: 40 }, () => rigid(r, r(-2, 2), r(-2, 2), r(-2, 2))));
        record.shapes(near, [{ kind: 'sphere', radius: 0.8 }, { kind: 'capsule', radius: 0.4, half: [0, 0, 0.7], pose: rigid(r, 0.5, 0.3, 0) }, { kind: 'box', half: [0.5, 0.6, 0.7], pose: rigid(r, 0.2, 0.4, 0) }, { kind: 'half-space', pose: rigid(r, 0, 0, -0.5) }]);
        record.rigid(tree, { translation: [3, 0.1, 0.2] }, tree, { start: rigid(r, 4, 0, 0) });
        // turns are of the C library's sine: not their last bits
        if (name !== 'soup' && name !== 'needles') record.contacts(tree, near, { depth: true, volume: true });
        else record.contacts(tree, near);
        if (name !== 'soup') record.anytime(tree, tree, Array.from({ length: 30 }, (_, i) => rigid(r, 1.5 + 0.02 * i, 0, 0)));
        const spread = Array.from({ length: 6 }, () => rigid(r, r(-2, 2), r(-2, 2), r(-2, 2)));
        const drift = [0, 0.3, 0.6].map((t) => spread.map((pose, i) => pose.map((v, k) => (i > 0 && k % 4 === 3 ? v * (1 - t) : v))));
        record.world(tree, drift, [{ kind: 'sphere', radius: 0.8, pose: rigid(r, 0.5, 0, 0) }, { kind: 'box', half: [0.5, 0.6, 0.7], pose: rigid(r, 0.2, 0.4, 0) }, { kind: 'half-space', pose: rigid(r, 0, 0, -0.5) }], { separation: name === 'pot' ? 0.01 : 0, rays: rays.slice(0, 600), ball: [0.5, 0.5, 0.5, 0.4] });
        const deforming = record.tree(mesh, { deforms: true });
        for (const policy of ['refit', 'auto', 'rebuild']) {
            const moved = { positions: mesh.positions.map((v) => Math.fround(v * 1.1 + r(-0.01, 0.01))), indices: mesh.indices };
            record.update(deforming, moved, policy);
            record.pairs(deforming, { tree, pose: rigid(r, 0.4, 0, 0) });
        }
    }
    const large = record.tree(scene('bumpy-large'));
    record.pairs(large, { tree: large, pose: rigid(r, 0.6, 0.3, 0.1) });

    const sheets = [0, 1, 2, 3].map((i) => scene(`sheet-${i}`)), ball = scene('bumpy-double');
    const { indices } = sheets[0];
    record.swept(sheets[0], sheets[3]);
    record.swept(sheets[0], sheets[3], null, 1e-3);
    record.swept(sheets[0], sheets[3], [ball, ball]);
    const cloth = { indices, times: [0, 1, 2, 3], frames: sheets.map((s) => s.positions) }, still = { indices: ball.indices, times: [0, 3], frames: [ball.positions, ball.positions] };
    record.timeline([cloth, still], { self: true });
    record.timeline([cloth, still], { mode: 'objects' });
    for (const method of ['auto', 'queue', 'compiled', 'interpolated', 'refit']) record.kinetic(cloth, still, [0, 0.3, 0.9, 1, 1.7, 2.2, 3], method);

    const n = 3000, boxes = new Float32Array(6 * n);
    for (let i = 0; i < n; i++) for (let axis = 0; axis < 3; axis++) { boxes[6 * i + axis] = r(0, 100); boxes[6 * i + 3 + axis] = boxes[6 * i + axis] + r(0.5, 5); }
    const moved = Array.from({ length: 1000 }, (_, i) => 3 * i), to = new Float32Array(6000);
    moved.forEach((k, i) => { for (let axis = 0; axis < 6; axis++) to[6 * i + axis] = boxes[6 * k + axis] + (axis === 3 ? 4 : 0); });
    const views = [0, 1, 2].map((k) => ({ eye: [-20, 50 + 5 * k, 50], forward: [1, 0.1 * k, 0], up: [0, 0, 1], fovY: 1, aspect: 2, far: 200 }));
    record.scene(boxes, moved, to, [50, 50, 50, 30], views);

    const few = (k) => boxes.slice(0, 6 * k).map((v) => v / 10), scatter = (k, size) => Array.from({ length: k }, () => rigid(r, r(0, size), r(0, size), r(0, size)));
    record.nested({
        boxes: few(200), others: few(40), inMiddle: [...scatter(4, 20), [2, 0.5, 0, 3, 0, 1, 0, 1, 0, 0, 0.25, 5]], inOuter: scatter(5, 60), beside: scatter(3, 60), ball: [20, 20, 20, 15],
        rays: new Float64Array(240).map((_, i) => (i % 6 < 3 ? r(0, 60) : r(-1))), points: new Float64Array(60).map(() => r(0, 60)), views: [0, 1].map((k) => ({ eye: [-20, 30 + 5 * k, 30], forward: [1, 0.1 * k, 0], up: [0, 0, 1], fovY: 1, aspect: 2, far: 200 })),
    });
    const pot = record.tree(scene('pot'));
    record.user(few(500).map((v) => v / 4), few(500).map((v) => v / 4 + 0.25), rigid(r, 0.3, 0.2, 0.1), { tree: pot, pose: rigid(r, 1, 1, 1) });
    const sheet = sheets[0], course = (v) => Float64Array.from({ length: 12 * v.length }, (_, i) => (i % 12 < 3 ? sheet.positions[3 * v[Math.floor(i / 12)] + (i % 12)] : r(-0.5, 0.5) - (i % 12 === 5 ? 0.5 : 0))), every = Array.from({ length: sheet.positions.length / 3 }, (_, i) => i), some = every.filter((v) => v % 7 === 0);
    record.plans(sheet, course(every), record.tree(ball), [0, 0.25, 0.5, 0.75, 1, 1.5], Uint32Array.from(some), course(some));
}
