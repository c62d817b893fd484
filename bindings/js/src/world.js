// Worlds: bodies that move, their contacts from step to step, rays, sweeps, overlaps and distances.
import { Tree } from './core.js';
import { columns, make, read, report, show, structs, write } from './layout.js';
import { BoxwoodError } from './memory.js';
import { Kinetic, putMotion } from './motion.js';
import { Owned, live } from './owned.js';
import { placed, putShape } from './shape.js';
import { count, doubles, flag, id, ids, optional, options, pose, putPose, putRay, RAY } from './values.js';

const BODY = ['tree', 'shape', 'kinetic', 'pose', 'fixed', 'layers', 'mask', 'group', 'user'];
const CONTACT = { id: 'id', a: 'a', b: 'b', primitiveA: 'primitiveA', primitiveB: 'primitiveB', feature: 'feature', kind: 'kind', event: 'event', points: 'point', normals: 'normal', depth: 'depth' };
const RAY_HIT = { id: 'id', primitive: 'primitive', t: 't', points: 'point', normals: 'normal', weights: 'weights' };

/** Poses of n bodies: an array of them, or 12 n numbers. */
function poses(v, n, what) {
    const list = Array.isArray(v) && (v.length === 0 || typeof v[0] !== 'number') ? v : null;
    const out = list === null ? doubles(v, 12, what) : new Float64Array(12 * list.length);
    list?.forEach((p, i) => out.set(pose(p, `${what}, item ${i}`) ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * i));
    if (out.length !== 12 * n) throw new BoxwoodError(`${what}: ${out.length / 12} for ${n} bodies`, { result: 'error-mismatch', value: out.length / 12 });
    return out;
}
/** Which bodies a question is about, in scratch memory: { mask, except }; 0: all. */
function putFilter(m, o) {
    if (o.mask === undefined && o.except === undefined) return 0;
    return make(m, 'bw_world_filter', { mask: o.mask === undefined ? 0 : count(o.mask, 'mask'), except: o.except === undefined ? 0n : id(o.except, 'except') });
}
const impact = (i) => (i.a === 0n && i.b === 0n ? null : i);

/** Bodies that move, by ids (bigint). Made by `bw.world`. */
export class World extends Owned {
    #kept = new Map(); // what bodies are made of, by their ids: it stays as long as they do
    constructor(core, opts) {
        super();
        const { m } = core, o = options(opts, ['separation'], 'world'), separation = optional(o.separation, 'separation'), kept = this.#kept;
        const at = m.call(() => {
            const out = m.zero(4);
            m.check(m.x.bw_world_create(make(m, 'bw_world_desc', { separation }), out, m.fault), 'world');
            return m.v.u32[out >>> 2];
        });
        this.own(m, at, (address) => {
            m.x.bw_world_destroy(address);
            for (const holding of kept.values()) holding?.release();
            kept.clear();
        });
    }
    get count() { return this.m.x.bw_world_body_count(this.address) >>> 0; }
    /** Inserts bodies: each { tree }, { shape } or { kinetic }, with pose, fixed, layers, mask, group and user. All, or none where one is refused. */
    insertMany(bodies) {
        const { m } = this;
        if (!Array.isArray(bodies)) throw new BoxwoodError(`insertMany: ${show(bodies)} is not an array of bodies`);
        void this.address;
        return m.call(() => {
            const { size } = structs.bw_world_body, n = bodies.length, at = m.take(Math.max(1, n) * size), out = m.take(Math.max(1, n) * 8);
            const holdings = bodies.map((v, i) => {
                const what = `body ${i}`, o = options(v, BODY, what), bits = (name) => (o[name] === undefined ? 0 : count(o[name], `${what}.${name}`));
                const tree = o.tree === undefined || o.tree === null ? null : live(o.tree, Tree, m, `${what}.tree`), kinetic = o.kinetic === undefined || o.kinetic === null ? null : live(o.kinetic, Kinetic, m, `${what}.kinetic`);
                const shape = o.shape === undefined || o.shape === null ? 0 : putShape(m, o.shape, `${what}.shape`), where = putPose(m, o.pose ?? o.shape?.pose, `${what}.pose`);
                write(m, 'bw_world_body', at + i * size, {
                    tree: tree?.address ?? 0, mesh: tree?.mesh ?? 0, shape, kinetic: kinetic?.address ?? 0, pose: where, fixed: flag(o.fixed, `${what}.fixed`), layers: bits('layers'), mask: bits('mask'), group: bits('group'),
                    user: o.user === undefined ? 0 : count(o.user, `${what}.user`, Number.MAX_SAFE_INTEGER),
                });
                return (tree ?? kinetic ?? (shape !== 0 && o.shape.kind === 'hull' ? o.shape.hull : null))?.holding ?? null;
            });
            m.check(m.x.bw_world_insert_many(this.address, at, n, out, m.fault), 'insert');
            const made = m.v.u64.slice(out >>> 3, (out >>> 3) + n);
            made.forEach((key, i) => { holdings[i]?.retain(); this.#kept.set(key, holdings[i]); });
            return made;
        });
    }
    insert(body) { return this.insertMany([body])[0]; }
    remove(which) {
        const { m } = this, key = id(which);
        m.check(m.x.bw_world_remove(this.address, key, m.fault), 'remove');
        this.#kept.get(key)?.release();
        this.#kept.delete(key);
    }
    /** Other poses, from the next step or question on: of one body, or of many (an array of poses, or 12 numbers for each). */
    move(which, to) {
        const { m } = this, key = id(which);
        m.call(() => m.check(m.x.bw_world_move(this.address, key, putPose(m, to, 'pose'), m.fault), 'move'));
    }
    moveMany(which, to) {
        const { m } = this, list = ids(which, 'ids'), all = poses(to, list.length, 'poses');
        m.call(() => m.check(m.x.bw_world_move_many(this.address, m.copy(list), m.copy(all), list.length, m.fault), 'moveMany'));
    }
    /** The body's tree was updated, or its kinetic body advanced. */
    changed(which) { this.m.check(this.m.x.bw_world_changed(this.address, id(which), this.m.fault), 'changed'); }
    /** Layers, mask and group of a body. */
    setFilter(which, opts) {
        const { m } = this, o = options(opts, ['layers', 'mask', 'group'], 'setFilter'), bits = (name) => (o[name] === undefined ? 0 : count(o[name], name));
        m.check(m.x.bw_world_set_filter(this.address, id(which), bits('layers'), bits('mask'), bits('group'), m.fault), 'setFilter');
    }
    /** Contacts of these two are of no interest, or (false) are again. */
    allow(a, b, allowed = true) { this.m.check(this.m.x.bw_world_allow(this.address, id(a, 'a'), id(b, 'b'), flag(allowed, 'allowed') ? 1 : 0, this.m.fault), 'allow'); }
    /** A body as it is: pose, fixed, layers, mask, group, user. */
    get(which) {
        const { m } = this, key = id(which);
        return m.call(() => {
            const at = report(m, 'bw_world_body'), { fields } = structs.bw_world_body;
            m.check(m.x.bw_world_get(this.address, key, at, m.fault), 'get');
            const where = m.v.u32[(at + fields.pose[0]) >>> 2];
            return { ...read(m, 'bw_world_body', at), pose: where === 0 ? null : [...m.v.f64.slice(where >>> 3, (where >>> 3) + 12)] };
        });
    }
    /** All contacts of the bodies as they stand, what began, and what ended since the last step. Options: pairsOnly. */
    step(opts) {
        const { m } = this, o = options(opts, ['pairsOnly'], 'step'), pairsOnly = flag(o.pairsOnly, 'pairsOnly');
        return m.call(() => {
            const out = report(m, 'bw_world_step_report');
            m.check(m.x.bw_world_step(this.address, make(m, 'bw_world_step_desc', { pairsOnly }), out, m.fault), 'step');
            const told = read(m, 'bw_world_step_report', out), at = (name) => m.v.u32[(out + structs.bw_world_step_report.fields[name][0]) >>> 2];
            return {
                ...columns(m, 'bw_world_contact', at('contacts'), told.contactCount, CONTACT), ended: columns(m, 'bw_world_contact', at('ended'), told.endedCount, CONTACT),
                pairs: columns(m, 'bw_world_pair', at('pairs'), told.pairCount, { a: 'a', b: 'b', event: 'event', first: 'first', contacts: 'count' }), beganCount: told.beganCount, candidateCount: told.candidateCount,
            };
        });
    }
    /** Moves bodies steadily to poses and stops all at the first contact: { status, time, first, candidateCount }. Options: tolerance, stay (only find the time). */
    advance(which, to, opts) {
        const { m } = this, list = ids(which, 'ids'), all = poses(to, list.length, 'poses'), o = options(opts, ['tolerance', 'stay'], 'advance');
        const desc = { tolerance: optional(o.tolerance, 'tolerance'), stay: flag(o.stay, 'stay') };
        return m.call(() => {
            const out = report(m, 'bw_world_advance_report');
            m.check(m.x.bw_world_advance(this.address, m.copy(list), m.copy(all), list.length, make(m, 'bw_world_advance_desc', desc), out, m.fault), 'advance');
            const told = read(m, 'bw_world_advance_report', out);
            return { status: told.status, time: told.first.time, first: impact(told.first), candidateCount: told.candidateCount };
        });
    }
    /** The first hits along a ray, nearest first, at most one per body: ids, primitives (NONE for a shape), t, points, normals, weights. Options: most (1), mask, except. */
    raycast(ray, opts) {
        const { m } = this, o = options(opts, ['most', 'mask', 'except'], 'raycast'), most = o.most === undefined ? 1 : count(o.most, 'most', 1 << 24);
        return m.call(() => {
            const at = m.take(RAY), found = m.zero(4), hits = m.take(Math.max(1, most) * structs.bw_world_ray_hit.size);
            putRay(m, at, ray);
            m.check(m.x.bw_world_raycast(this.address, at, putFilter(m, o), hits, most, found, m.fault), 'raycast');
            return columns(m, 'bw_world_ray_hit', hits, m.v.u32[found >>> 2], RAY_HIT);
        });
    }
    /** The first hit of each of many rays, six numbers each (origin, direction) or, of width 7, with tMax: id 0n where there is none. */
    raycastMany(rays, opts) {
        const { m } = this, o = options(opts, ['width', 'between', 'mask', 'except'], 'raycastMany'), width = o.width === undefined ? 6 : count(o.width, 'width', 7), between = flag(o.between, 'between');
        if (width !== 6 && width !== 7) throw new BoxwoodError(`width: ${width} numbers per ray, not 6 or 7`, { value: width });
        const given = doubles(rays, width, 'rays'), n = given.length / width;
        return m.call(() => {
            const from = m.copy(given), at = m.take(Math.max(1, n) * RAY), hits = m.take(Math.max(1, n) * structs.bw_world_ray_hit.size);
            m.x.bwx_rays(from, width, n, between ? 1 : 0, at);
            m.check(m.x.bw_world_raycast_many(this.address, at, n, putFilter(m, o), hits, m.fault), 'raycastMany');
            return columns(m, 'bw_world_ray_hit', hits, n, RAY_HIT);
        });
    }
    /** The first body that a shape meets on its way, or null: { time, a, b, primitiveA, primitiveB, point, normal }. */
    sweep(shape, motion, opts) {
        const { m } = this, o = options(opts, ['mask', 'except'], 'sweep');
        return m.call(() => {
            const of = putShape(m, shape, 'shape'), way = putMotion(m, motion ?? {}, 'motion'), out = m.take(structs.bw_world_impact.size);
            m.check(m.x.bw_world_sweep(this.address, of, way, putFilter(m, o), out, m.fault), 'sweep');
            return impact(read(m, 'bw_world_impact', out));
        });
    }
    /** The bodies that a shape touches, by their ids. */
    overlap(shape, opts) {
        const { m } = this, o = options(opts, ['mask', 'except'], 'overlap');
        return m.call(() => {
            const of = placed(m, shape, 'shape'), most = this.count, found = m.zero(4), out = m.take(Math.max(1, most) * 8);
            m.check(m.x.bw_world_overlap(this.address, of, putFilter(m, o), out, most, found, m.fault), 'overlap');
            return m.v.u64.slice(out >>> 3, (out >>> 3) + m.v.u32[found >>> 2]);
        });
    }
    /** The body nearest to a shape: { id, primitive, distance, point, pointShape }, or null where none is within maxDistance. */
    distance(shape, opts) {
        const { m } = this, o = options(opts, ['maxDistance', 'mask', 'except'], 'distance'), most = optional(o.maxDistance, 'maxDistance');
        return m.call(() => {
            const of = placed(m, shape, 'shape'), out = report(m, 'bw_world_distance_report');
            m.check(m.x.bw_world_distance(this.address, of, most, putFilter(m, o), out, m.fault), 'distance');
            const told = read(m, 'bw_world_distance_report', out);
            return told.id === 0n ? null : told;
        });
    }
    check() { return this.m.text(this.m.x.bw_world_check(this.address)) || null; }
}
