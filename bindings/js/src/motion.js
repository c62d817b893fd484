// Things that move: steps of simulators, rigid motions, plans that are known, and who touches whom from when to when.
import { Body } from './core.js';
import { columns, enums, make, read, report, show, structs, write } from './layout.js';
import { BoxwoodError } from './memory.js';
import { Owned, live } from './owned.js';
import { choice, count, doubles, flag, indices, mesh, number, optional, options, point, pose, positions } from './values.js';

/** A mesh in memory that stays: the struct and its blocks. */
function keepMesh(m, p, i, blocks) {
    const at = m.alloc(structs.bw_mesh.size);
    blocks.push(at);
    const positionsAt = m.copy(p, true);
    blocks.push(positionsAt);
    let indicesAt = 0;
    if (i !== null) blocks.push((indicesAt = m.copy(i, true)));
    write(m, 'bw_mesh', at, { positions: positionsAt, scalar: p instanceof Float64Array ? enums.bw_scalar.f64 : enums.bw_scalar.f32, vertexCount: p.length / 3, indices: indicesAt, triangleCount: i === null ? 0 : i.length / 3 });
    return at;
}
/** Runs make with a list of blocks, which are freed where it throws. */
function guarded(m, f) {
    const blocks = [];
    try {
        return f(blocks);
    } catch (error) {
        for (const block of blocks) m.free(block);
        throw error;
    }
}
function created(m, f) {
    return m.call(() => {
        const out = m.zero(4);
        f(out);
        return m.v.u32[out >>> 2];
    });
}

// ---- steps ----

const CONTACT = { feature: 'feature', a: 'a', b: 'b', vertices: 'vertices', time: 'first.time', timeAfter: 'first.timeAfter', answer: 'first.answer' };

/** Candidates of steps, kept from one to the next: never changes an answer, only how long it takes. Made by `bw.sweptCache`. */
export class SweptCache extends Owned {
    constructor(core, opts) {
        super();
        const { m } = core, o = options(opts, ['margin'], 'sweptCache'), margin = optional(o.margin, 'margin');
        this.own(m, created(m, (out) => m.check(m.x.bw_swept_cache_create(make(m, 'bw_swept_cache_desc', { margin }), out, m.fault), 'sweptCache')), m.x.bw_swept_cache_destroy);
    }
    reset() { this.m.x.bw_swept_cache_reset(this.address); }
}
const cacheAt = (m, v) => (v === undefined || v === null ? 0 : live(v, SweptCache, m, 'cache').address);

/** A mesh with its step: every vertex moves on a straight line. Made by `bw.swept`. */
export class Swept extends Owned {
    #core;
    #triangles;
    constructor(core, start, end, opts) {
        super();
        const { m } = core, o = options(opts, ['edges', 'points', 'thickness'], 'swept');
        const from = mesh(start, 'start'), to = positions(end?.positions ?? end, 'end');
        const edges = o.edges === undefined ? null : indices(o.edges, 'edges', 2), thickness = o.thickness === undefined ? null : doubles(o.thickness, 1, 'thickness');
        const lone = flag(o.points, 'points');
        if (to.length !== from.positions.length) throw new BoxwoodError(`swept: ${from.positions.length / 3} vertices at the start, ${to.length / 3} at the end`, { result: 'error-mismatch', value: to.length / 3 });
        if (thickness !== null && thickness.length !== to.length / 3) throw new BoxwoodError(`thickness: ${thickness.length} numbers for ${to.length / 3} vertices`, { result: 'error-mismatch' });
        const at = created(m, (out) => {
            const [a, b] = this.#views(m, from.positions, to, from.indices);
            const desc = make(m, 'bw_swept_desc', { edges: edges === null ? 0 : m.copy(edges), edgeCount: edges === null ? 0 : edges.length / 2, points: lone, thickness: thickness === null ? 0 : m.copy(thickness) });
            m.check(m.x.bw_swept_create(desc, a, b, out, m.fault), 'swept');
        });
        this.#core = core;
        this.#triangles = from.indices;
        this.vertexCount = to.length / 3;
        this.own(m, at, m.x.bw_swept_destroy);
    }
    #views(m, from, to, triangles) {
        const i = triangles === null ? 0 : m.copy(triangles);
        return [from, to].map((p) => make(m, 'bw_mesh', { positions: m.copy(p), scalar: p instanceof Float64Array ? 1 : 0, vertexCount: p.length / 3, indices: i, triangleCount: triangles === null ? 0 : triangles.length / 3 }));
    }
    /** The next step of the same mesh. */
    update(start, end) {
        const { m } = this, from = positions(start?.positions ?? start, 'start'), to = positions(end?.positions ?? end, 'end');
        void this.address;
        for (const p of [from, to]) if (p.length !== 3 * this.vertexCount) throw new BoxwoodError(`update: ${p.length / 3} vertices, not ${this.vertexCount}`, { result: 'error-mismatch', value: p.length / 3 });
        m.call(() => {
            const [a, b] = this.#views(m, from, to, this.#triangles);
            m.check(m.x.bw_swept_update(this.address, a, b, 0, m.fault), 'update');
        });
    }
    /** Every vertex that meets a face and every edge that meets an edge, and when. Options: mode ('all', 'count', 'earliest'), tolerance, separation, witnesses. */
    self(opts) { return this.#query(null, opts); }
    pair(other, opts) { return this.#query(live(other, Swept, this.m, 'other'), opts); }
    #query(other, opts) {
        const { m } = this, o = options(opts, ['mode', 'tolerance', 'separation', 'witnesses', 'cache'], 'swept'), cache = cacheAt(m, o.cache);
        const mode = choice('bw_swept_mode', o.mode, 0, 'mode'), q = { mode, cache, tolerance: optional(o.tolerance, 'tolerance'), separation: optional(o.separation, 'separation') };
        const wants = flag(o.witnesses, 'witnesses');
        return m.call(() => {
            const out = report(m, 'bw_swept_report');
            const run = (given) => {
                const desc = make(m, 'bw_swept_query', { ...q, ...given });
                m.check(other === null ? m.x.bw_swept_self(this.address, desc, out, m.fault) : m.x.bw_swept_pair(this.address, other.address, desc, out, m.fault), 'swept');
                return read(m, 'bw_swept_report', out);
            };
            if (mode === enums.bw_swept_mode.candidates) {
                const { at, n } = this.#core.list('bw_swept_candidate', (candidates, candidateCapacity) => run({ candidates, candidateCapacity }).candidateCount);
                return { ...columns(m, 'bw_swept_candidate', at, n, { feature: 'feature', a: 'a', b: 'b' }), report: read(m, 'bw_swept_report', out) };
            }
            if (mode !== enums.bw_swept_mode.all) return { count: 0, report: run({}) };
            const { at, n } = this.#core.list('bw_swept_contact', (contacts, contactCapacity) => run({ contacts, contactCapacity }).contactCount, 512);
            const answer = { ...columns(m, 'bw_swept_contact', at, n, CONTACT), report: read(m, 'bw_swept_report', out) };
            if (wants && n > 0) {
                const w = m.take(n * structs.bw_swept_witness.size);
                m.check(m.x.bw_swept_witnesses(this.address, other === null ? 0 : other.address, at, BigInt(n), w, m.fault), 'witnesses');
                Object.assign(answer, columns(m, 'bw_swept_witness', w, n, { weights: 'weights', pointsA: 'pointA', pointsB: 'pointB', normals: 'normal', distance: 'distance' }), { count: n });
            }
            this.#core.rest();
            return answer;
        });
    }
    /** What is near at a time of the step: within a distance. */
    near(distance, opts) {
        const { m } = this, o = options(opts, ['time', 'other', 'cache'], 'near'), cache = cacheAt(m, o.cache);
        const q = { cache, distance: number(distance, 'distance'), time: optional(o.time, 'time') }, other = o.other === undefined ? null : live(o.other, Swept, m, 'other');
        return m.call(() => {
            const out = report(m, 'bw_swept_near_report');
            const { at, n } = this.#core.list('bw_swept_near_pair', (pairs, pairCapacity) => {
                m.check(m.x.bw_swept_near(this.address, other === null ? 0 : other.address, make(m, 'bw_swept_near_query', { ...q, pairs, pairCapacity }), out, m.fault), 'near');
                return read(m, 'bw_swept_near_report', out).pairCount;
            }, 256);
            const answer = { ...columns(m, 'bw_swept_near_pair', at, n, { feature: 'feature', a: 'a', b: 'b', vertices: 'vertices', weights: 'at.weights', pointsA: 'at.pointA', pointsB: 'at.pointB', normals: 'at.normal', distance: 'at.distance' }), report: read(m, 'bw_swept_near_report', out) };
            this.#core.rest();
            return answer;
        });
    }
    /** How far along the step all may move before any contact. others: meshes to look at beside itself. */
    safeStep(opts) {
        const { m } = this, o = options(opts, ['tolerance', 'separation', 'keep', 'others', 'self'], 'safeStep');
        const q = { tolerance: optional(o.tolerance, 'tolerance'), separation: optional(o.separation, 'separation'), keep: optional(o.keep, 'keep') };
        const others = o.others === undefined ? [] : Array.isArray(o.others) ? o.others.map((s, i) => live(s, Swept, m, `others, item ${i}`)) : [live(o.others, Swept, m, 'others')];
        const own = o.self === undefined ? true : flag(o.self, 'self');
        return m.call(() => {
            const couples = [...(own ? [[this.address, 0]] : []), ...others.map((s) => [this.address, s.address])];
            const at = m.copy(Uint32Array.from(couples.flat())), out = report(m, 'bw_swept_safe_report');
            m.check(m.x.bw_swept_safe_step(at, couples.length, make(m, 'bw_swept_safe_desc', q), out, m.fault), 'safeStep');
            return read(m, 'bw_swept_safe_report', out);
        });
    }
}

/** A rigid motion in scratch memory: { start, end, centre } (two poses) or { start, translation, axis, angle, centre }. */
export function putMotion(m, v, what) {
    if (v === null || typeof v !== 'object') throw new BoxwoodError(`${what}: ${show(v)} is not a motion`);
    const o = options(v, ['start', 'end', 'centre', 'axis', 'angle', 'translation'], what);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    const start = pose(o.start, `${what}.start`) ?? identity, centre = o.centre === undefined ? [0, 0, 0] : point(o.centre, `${what}.centre`);
    if ('end' in o) {
        const end = pose(o.end, `${what}.end`) ?? identity;
        const out = m.take(structs.bw_rigid_motion.size), a = m.copy(Float64Array.from(start)), b = m.copy(Float64Array.from(end)), c = m.copy(Float64Array.from(centre));
        m.plain(m.x.bw_rigid_motion_between(a, b, c, out), what);
        return out;
    }
    return make(m, 'bw_rigid_motion', { start, centre, axis: o.axis === undefined ? [0, 0, 1] : point(o.axis, `${what}.axis`), angle: optional(o.angle, `${what}.angle`), translation: o.translation === undefined ? [0, 0, 0] : point(o.translation, `${what}.translation`) });
}

// ---- plans ----

/** Where every vertex is at every time: keyframes, or velocities. Made by `bw.motion`, of a mesh's triangles. */
export class Moving extends Owned {
    constructor(core, given) {
        super();
        const { m } = core;
        if (given === null || typeof given !== 'object') throw new BoxwoodError(`moving: ${show(given)} is not { indices, times, frames }`);
        const o = options(given, ['indices', 'times', 'frames', 'positions', 'velocities', 'plans', 'begin', 'end'], 'moving');
        const i = o.indices === undefined || o.indices === null ? null : indices(o.indices, 'indices');
        let kind, arrays, motion;
        if ('frames' in o) {
            const times = doubles(o.times, 1, 'times');
            if (!Array.isArray(o.frames)) throw new BoxwoodError(`frames: ${show(o.frames)} is not an array of positions`);
            const seen = new Map();
            arrays = [];
            const which = o.frames.map((f, k) => {
                if (!seen.has(f)) { seen.set(f, arrays.length); arrays.push(positions(f, `frame ${k}`)); }
                return seen.get(f);
            });
            if (times.length !== o.frames.length) throw new BoxwoodError(`moving: ${times.length} times for ${o.frames.length} frames`, { result: 'error-mismatch' });
            kind = 'keyframes';
            motion = { times, which };
        } else if ('plans' in o) {
            const c = doubles(o.plans, 12, 'plans');
            kind = 'plans';
            motion = { begin: optional(o.begin, 'begin'), end: optional(o.end, 'end', 1) };
            motion.plans = plansOf(c, motion.begin);
            arrays = [Float64Array.from({ length: c.length / 4 }, (_, k) => c[12 * Math.floor(k / 3) + (k % 3)])];
        } else {
            arrays = [positions(o.positions, 'positions'), positions(o.velocities, 'velocities')];
            kind = 'velocity';
            motion = { begin: optional(o.begin, 'begin'), end: optional(o.end, 'end', 1) };
        }
        if (arrays.length === 0) throw new BoxwoodError('moving: no frames', { result: 'error-empty' });
        const length = arrays[0].length, type = arrays[0].constructor;
        arrays.forEach((p, k) => {
            if (p.length !== length || p.constructor !== type) throw new BoxwoodError(`moving: array ${k} has ${p.length / 3} vertices of ${p.constructor.name}, the first ${length / 3} of ${type.name}`, { result: 'error-mismatch', element: k });
        });
        guarded(m, (blocks) => {
            const at = m.alloc(structs.bw_moving.size);
            blocks.push(at);
            const meshAt = keepMesh(m, arrays[0], i, blocks);
            const placed = [m.v.u32[meshAt >>> 2]];
            for (const p of arrays.slice(1)) { placed.push(m.copy(p, true)); blocks.push(placed.at(-1)); }
            const motionAt = m.alloc(structs.bw_motion.size);
            blocks.push(motionAt);
            const common = { kind: enums.bw_motion_kind[kind], vertexCount: length / 3, scalar: type === Float64Array ? 1 : 0 };
            if (kind === 'keyframes') {
                const times = m.copy(motion.times, true);
                blocks.push(times);
                const frames = m.copy(Uint32Array.from(motion.which, (k) => placed[k]), true);
                blocks.push(frames);
                write(m, 'bw_motion', motionAt, { ...common, frameCount: motion.which.length, times, frames });
            } else if (kind === 'plans') {
                const plans = m.copy(motion.plans, true);
                blocks.push(plans);
                write(m, 'bw_motion', motionAt, { ...common, plans, begin: motion.begin, end: motion.end });
            } else write(m, 'bw_motion', motionAt, { ...common, positions: placed[0], velocities: placed[1], begin: motion.begin, end: motion.end });
            m.check(m.x.bw_motion_validate(motionAt, m.fault), 'moving');
            write(m, 'bw_moving', at, { mesh: meshAt, motion: motionAt });
            this.own(m, 0, null, { blocks });
            Object.defineProperties(this, { movingAt: { value: at }, meshAt: { value: meshAt }, motionAt: { value: motionAt } });
        });
        this.scalar = type;
        this.vertexCount = length / 3;
    }
    /** All positions at a time. */
    sample(time) {
        const { m } = this;
        number(time, 'time');
        void this.holding;
        return m.call(() => {
            const bytes = 3 * this.vertexCount * this.scalar.BYTES_PER_ELEMENT, at = m.take(bytes);
            m.check(m.x.bw_motion_sample(this.motionAt, time, at, m.fault), 'sample');
            return new this.scalar(m.v.u8.buffer, at, 3 * this.vertexCount).slice();
        });
    }
}

/** Plans, twelve numbers each (position, velocity, and the factors of t^2 and t^3, from an origin of time on), as the library has them. */
function plansOf(c, origin) {
    const out = new Float64Array((c.length / 12) * 13);
    for (let i = 0; i < c.length / 12; i++) {
        out[13 * i] = origin;
        out.set(c.subarray(12 * i, 12 * i + 12), 13 * i + 1);
    }
    return out;
}
/** Vertices, and a plan for each, in scratch memory. */
function putPlans(m, vertices, plans, opts, now, call) {
    const { origin } = options(opts, ['origin'], 'setPlans'), list = indices(vertices, 'vertices', 1), c = doubles(plans, 12, 'plans');
    if (c.length !== 12 * list.length) throw new BoxwoodError(`setPlans: ${list.length} vertices, ${c.length / 12} plans`, { result: 'error-mismatch' });
    const from = plansOf(c, optional(origin, 'origin', now));
    m.call(() => m.check(call(m.copy(list), m.copy(from), list.length), 'setPlans'));
}

/** A tree that follows a known motion; can be given wherever a tree is asked for. */
export class Kinetic extends Body {
    #moving; // its scalar, its number of vertices
    #mesh;
    constructor(core, moving, opts) {
        super();
        const { m } = core, o = options(opts, ['method', 'builder', 'time'], 'kinetic');
        live(moving, Moving, m, 'moving');
        const desc = { method: choice('bw_kinetic_method', o.method, 0, 'method'), builder: choice('bw_builder', o.builder, 0, 'builder'), time: optional(o.time, 'time') };
        const at = created(m, (out) => m.check(m.x.bw_kinetic_create(make(m, 'bw_kinetic_desc', desc), moving.meshAt, moving.motionAt, out, m.fault), 'kinetic'));
        this.#moving = { scalar: moving.scalar, vertexCount: moving.vertexCount };
        this.#mesh = moving.meshAt;
        this.own(m, at, m.x.bw_kinetic_destroy, { uses: [moving] });
    }
    writeBody(m, at) {
        m.check(m.x.bw_kinetic_query_body(this.address, at, m.fault), 'kinetic');
    }
    /** Goes to a time; what it took. */
    advance(time) {
        const { m } = this;
        number(time, 'time');
        return m.call(() => {
            const out = report(m, 'bw_kinetic_report');
            m.check(m.x.bw_kinetic_advance(this.changing, time, out, m.fault), 'advance');
            return read(m, 'bw_kinetic_report', out);
        });
    }
    get time() { return this.m.x.bw_kinetic_time(this.address); }
    /** The positions at the present time. */
    positions() {
        const { m } = this, { scalar, vertexCount } = this.#moving;
        return m.call(() => {
            const body = m.take(16);
            m.check(m.x.bw_kinetic_body(this.address, body, m.fault), 'positions');
            const { u32, u8 } = m.v, mesh = u32[(body >>> 2) + 1];
            return new scalar(u8.buffer, u32[(mesh + structs.bw_mesh.fields.positions[0]) >>> 2], 3 * vertexCount).slice();
        });
    }
    /** Gives vertices other plans from now on: twelve numbers each, position, velocity and the factors of t^2 and t^3, counted from `origin` (now). Methods 'queue', 'refit'. */
    setPlans(vertices, plans, opts) {
        const { m } = this;
        putPlans(m, vertices, plans, opts, this.time, (list, from, n) => m.x.bw_kinetic_set_plans(this.changing, list, from, n, m.fault));
    }
    /** Takes triangles out, or back in, at the present time. */
    remove(primitives) { const { m } = this, list = indices(primitives, 'primitives', 1); m.call(() => m.check(m.x.bw_kinetic_remove(this.changing, m.copy(list), list.length, m.fault), 'remove')); }
    insert(primitives) { const { m } = this, list = indices(primitives, 'primitives', 1); m.call(() => m.check(m.x.bw_kinetic_insert(this.changing, this.#mesh, 0, m.copy(list), list.length, m.fault), 'insert')); }
    /** The sums of all that `advance` told. */
    total() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_kinetic_report');
            m.x.bw_kinetic_get_total(this.address, out);
            return read(m, 'bw_kinetic_report', out);
        });
    }
    stats() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_kinetic_stats');
            m.x.bw_kinetic_get_stats(this.address, out);
            return read(m, 'bw_kinetic_stats', out);
        });
    }
    choice() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_kinetic_choice');
            m.x.bw_kinetic_get_choice(this.address, out);
            return read(m, 'bw_kinetic_choice', out);
        });
    }
    check() { return this.m.text(this.m.x.bw_kinetic_check(this.address)) || null; }
}

/** Which parts of two moving meshes (or of one with itself) are near, kept while time goes on. */
export class Separation extends Owned {
    #core;
    constructor(core, a, b, opts) {
        super();
        const { m } = core, o = options(opts, ['method', 'builder', 'time'], 'separation');
        live(a, Moving, m, 'a');
        if (b !== undefined && b !== null) live(b, Moving, m, 'b');
        const desc = { method: choice('bw_separation_method', o.method, 0, 'method'), builder: choice('bw_builder', o.builder, 0, 'builder'), time: optional(o.time, 'time') };
        const at = created(m, (out) => m.check(m.x.bw_separation_create(make(m, 'bw_separation_desc', desc), a.movingAt, b ? b.movingAt : 0, out, m.fault), 'separation'));
        this.#core = core;
        this.own(m, at, m.x.bw_separation_destroy, { uses: b ? [a, b] : [a] });
    }
    advance(time) {
        const { m } = this;
        number(time, 'time');
        return m.call(() => {
            const out = report(m, 'bw_separation_report');
            m.check(m.x.bw_separation_advance(this.address, time, out, m.fault), 'advance');
            return read(m, 'bw_separation_report', out);
        });
    }
    get time() { return this.m.x.bw_separation_time(this.address); }
    /** Gives vertices of the first (side 0) or the second mesh (1) other plans from now on, as `kinetic.setPlans`. Method 'events'. */
    setPlans(side, vertices, plans, opts) {
        const { m } = this, which = count(side, 'side', 1);
        putPlans(m, vertices, plans, opts, this.time, (list, from, n) => m.x.bw_separation_set_plans(this.address, which, list, from, n, m.fault));
    }
    /** The sums of all that `advance` told. */
    total() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_separation_report');
            m.x.bw_separation_get_total(this.address, out);
            return read(m, 'bw_separation_report', out);
        });
    }
    stats() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_separation_stats');
            m.x.bw_separation_get_stats(this.address, out);
            return read(m, 'bw_separation_stats', out);
        });
    }
    check() { return this.m.text(this.m.x.bw_separation_check(this.address)) || null; }
    /** The contacts at the present time. */
    pairs() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_collide_report');
            const { at, n } = this.#core.list('bw_hit', (hits, hitCapacity) => {
                m.check(m.x.bw_separation_collide(this.address, make(m, 'bw_collide_desc', { mode: enums.bw_collide_mode.all, hits, hitCapacity }), out, m.fault), 'pairs');
                return read(m, 'bw_collide_report', out).hitCount;
            });
            const answer = { ...columns(m, 'bw_hit', at, n, { a: 'a', b: 'b', kind: 'kind' }), report: read(m, 'bw_collide_report', out) };
            this.#core.rest();
            return answer;
        });
    }
}

/** Who touches whom, from when to when: events in order of time. Options: mode ('triangles', 'objects', 'first'), self, from, to, builder. */
export function timeline(core, objects, opts) {
    const { m } = core, o = options(opts, ['mode', 'self', 'from', 'to', 'builder'], 'timeline');
    if (!Array.isArray(objects)) throw new BoxwoodError(`timeline: ${show(objects)} is not an array of moving objects`);
    const q = { mode: choice('bw_timeline_mode', o.mode, 0, 'mode'), self: flag(o.self, 'self'), from: optional(o.from, 'from'), to: optional(o.to, 'to'), builder: choice('bw_builder', o.builder, 0, 'builder') };
    return m.call(() => {
        objects.forEach((v, i) => live(v, Moving, m, `object ${i}`));
        const n = objects.length, list = m.zero(Math.max(1, n) * 8), out = report(m, 'bw_timeline_report');
        objects.forEach((v, i) => m.v.u8.copyWithin(list + 8 * i, v.movingAt, v.movingAt + 8));
        const { at, n: events } = core.list('bw_timeline_event', (to, capacity) => {
            const found = m.zero(4);
            m.check(m.x.bwx_timeline(list, n, make(m, 'bw_timeline_desc', q), to, capacity, found, out, m.fault), 'timeline');
            return m.v.u32[found >>> 2];
        });
        const answer = { ...columns(m, 'bw_timeline_event', at, events, { time: 'time', begins: 'begins', cut: 'cut', objectA: 'objectA', objectB: 'objectB', triangleA: 'triangleA', triangleB: 'triangleB' }), report: read(m, 'bw_timeline_report', out) };
        core.rest();
        return answer;
    });
}

/** When two rigid bodies that move and turn first touch. */
export function sweptRigid(core, a, motionA, b, motionB, opts) {
    const { m } = core, o = options(opts, ['tolerance', 'maxSteps'], 'sweptRigid');
    const q = { tolerance: optional(o.tolerance, 'tolerance'), maxSteps: o.maxSteps === undefined ? 0 : count(o.maxSteps, 'maxSteps') };
    return m.call(() => {
        const first = putMotion(m, motionA ?? {}, 'motion of a'), second = putMotion(m, motionB ?? {}, 'motion of b'), out = report(m, 'bw_swept_rigid_report');
        m.check(m.x.bw_swept_rigid(core.body(a, 'a'), first, core.body(b, 'b'), second, make(m, 'bw_swept_rigid_desc', q), out, m.fault), 'sweptRigid');
        return read(m, 'bw_swept_rigid_report', out);
    });
}
/** The pose at a time of a rigid motion, twelve numbers by rows. */
export function motionPose(core, motion, time) {
    const { m } = core;
    number(time, 'time');
    return m.call(() => {
        const at = putMotion(m, motion, 'motion'), out = m.take(96);
        m.plain(m.x.bw_rigid_motion_pose(at, time, out), 'motionPose');
        return [...m.v.f64.slice(out >>> 3, (out >>> 3) + 12)];
    });
}
