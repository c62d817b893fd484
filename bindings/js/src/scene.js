// Scenes of many boxes that move, and what a camera sees of them.
import { columns, make, read, report, show, structs } from './layout.js';
import { BoxwoodError } from './memory.js';
import { Owned, live } from './owned.js';
import { box, count, doubles, flag, id, ids, indices, mesh, optional, options, point, pose, putRay, RAY } from './values.js';

function created(m, f) {
    return m.call(() => {
        const out = m.zero(8);
        f(out);
        return m.v.u32[out >>> 2];
    });
}
/** Boxes, six floats each: Float32Array as it is, other numbers rounded outward. */
function boxes(v, what) {
    const d = v instanceof Float32Array && v.length > 0 && v.length % 6 === 0 ? null : doubles(v, 6, what);
    if (d === null) return v;
    const out = new Float32Array(d.length);
    for (let i = 0; i < d.length; i++) out[i] = outward(d[i], i % 6 < 3 ? -1 : 1);
    return out;
}
const f = new Float32Array(1), u = new Int32Array(f.buffer);
function outward(x, side) { // the nearest float that is not nearer to the middle
    f[0] = x;
    if (!Number.isFinite(x) || !Number.isFinite(f[0]) || (side > 0 ? f[0] >= x : f[0] <= x)) return f[0];
    if (f[0] === 0) return side * 2 ** -149;
    u[0] += f[0] > 0 === side > 0 ? 1 : -1;
    return f[0];
}

/** Objects with boxes, by ids (bigint). Made by `bw.scene`. */
export class Scene extends Owned {
    #core;
    constructor(core, opts) {
        super();
        const { m } = core, o = options(opts, ['trackPairs'], 'scene');
        const trackPairs = flag(o.trackPairs, 'trackPairs');
        const at = created(m, (out) => m.check(m.x.bw_scene_create(make(m, 'bw_scene_desc', { trackPairs }), out, m.fault), 'scene'));
        this.#core = core;
        this.own(m, at, m.x.bw_scene_destroy);
    }
    get count() { return this.m.x.bw_scene_count(this.address) >>> 0; }
    /** Inserts many boxes (six numbers each) and gives their ids; users: a number for each (0), which culling takes as the number of its occluder. */
    insertMany(given, users) {
        const { m } = this, b = boxes(given, 'boxes'), n = b.length / 6;
        const named = users === undefined || users === null ? null : BigUint64Array.from(indices(users, 'users', 1), BigInt);
        if (named !== null && named.length !== n) throw new BoxwoodError(`insertMany: ${n} boxes, ${named.length} users`);
        return m.call(() => {
            const out = m.take(Math.max(1, n) * 8);
            m.check(m.x.bw_scene_insert_many(this.address, m.copy(b), named === null ? 0 : m.copy(named), n, out, m.fault), 'insertMany');
            return m.v.u64.slice(out >>> 3, (out >>> 3) + n);
        });
    }
    insert(given, user = 0) { return this.insertMany(Float64Array.from(box(given, 'box')), [user])[0]; }
    moveMany(which, given) {
        const { m } = this, list = ids(which, 'ids'), b = boxes(given, 'boxes');
        if (b.length !== 6 * list.length) throw new BoxwoodError(`moveMany: ${list.length} ids, ${b.length / 6} boxes`);
        m.call(() => m.check(m.x.bw_scene_move_many(this.address, m.copy(list), m.copy(b), list.length, m.fault), 'moveMany'));
    }
    move(which, given) { this.moveMany(BigUint64Array.of(id(which)), Float64Array.from(box(given, 'box'))); }
    removeMany(which) {
        const { m } = this, list = ids(which, 'ids');
        m.call(() => m.check(m.x.bw_scene_remove_many(this.address, m.copy(list), list.length, m.fault), 'removeMany'));
    }
    remove(which) { this.removeMany(BigUint64Array.of(id(which))); }
    has(which) { return this.m.x.bw_scene_has(this.address, id(which)) !== 0; }
    /** The box of an object and its user number. */
    get(which) {
        const { m } = this, key = id(which);
        return m.call(() => {
            const at = m.take(24), user = m.take(8);
            m.check(m.x.bw_scene_get(this.address, key, at, user, m.fault), 'get');
            return { box: [...m.v.f32.slice(at >>> 2, (at >>> 2) + 6)], user: Number(m.v.u64[user >>> 3]) };
        });
    }
    bounds() {
        const { m } = this;
        return m.call(() => {
            const at = m.take(24);
            m.x.bw_scene_bounds(at, this.address);
            return [...m.v.f32.slice(at >>> 2, (at >>> 2) + 6)];
        });
    }
    /** Does what was put off; worth it now and then. */
    prepare() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_prepare_report');
            m.check(m.x.bw_scene_prepare(this.address, 0, out, m.fault), 'prepare');
            return read(m, 'bw_prepare_report', out);
        });
    }
    /** The objects whose boxes a region meets. */
    query(region) {
        const { m } = this;
        return m.call(() => {
            const where = this.#core.putRegion(region), out = report(m, 'bw_scene_report');
            return this.#ids((to) => {
                m.check(m.x.bw_scene_query(this.address, where, to, out, m.fault), 'query');
                return read(m, 'bw_scene_report', out);
            });
        });
    }
    #ids(run, found = 'foundCount') {
        const { m } = this, core = this.#core;
        const size = Math.max(1024, this.count);
        const at = core.room(8 * size);
        const told = run(make(m, 'bw_scene_output', { ids: at, idCapacity: size }));
        return { ids: m.v.u64.slice(at >>> 3, (at >>> 3) + told[found]), report: told };
    }
    /** The same for culling. */
    visible(run) { return this.#ids(run, 'visibleCount'); }
    /** Every two objects whose boxes overlap. */
    pairs() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_pair_report');
            const { at, n } = this.#core.list('bw_pair', (pairs, pairCapacity) => {
                m.check(m.x.bw_scene_pairs(this.address, make(m, 'bw_pair_output', { pairs, pairCapacity }), out, m.fault), 'pairs');
                return read(m, 'bw_pair_report', out).foundCount;
            });
            const answer = { ...columns(m, 'bw_pair', at, n, { a: 'a', b: 'b' }), report: read(m, 'bw_pair_report', out) };
            this.#core.rest();
            return answer;
        });
    }
    /** The object whose box a ray enters first: { id, t }, or null. */
    cast(ray) {
        const { m } = this;
        return m.call(() => {
            const at = m.take(RAY), out = m.take(structs.bw_scene_hit.size);
            putRay(m, at, ray);
            m.check(m.x.bw_scene_cast(this.address, at, 0, out, m.fault), 'cast');
            const hit = read(m, 'bw_scene_hit', out);
            return hit.id === 0n ? null : { id: hit.id, t: hit.value };
        });
    }
    /** The objects nearest to a point, by the distance of their boxes: [{ id, distance }]. */
    nearest(p, most = 1) {
        const { m } = this, where = Float64Array.from(point(p, 'point')), n = count(most, 'most', 1 << 24);
        return m.call(() => {
            const out = m.take(Math.max(1, n) * structs.bw_scene_hit.size), found = m.zero(4);
            m.check(m.x.bw_scene_nearest(this.address, m.copy(where), 0, out, n, found, m.fault), 'nearest');
            const c = columns(m, 'bw_scene_hit', out, m.v.u32[found >>> 2], { id: 'id', value: 'value' });
            return Array.from(c.id, (key, i) => ({ id: key, distance: Math.sqrt(c.value[i]) }));
        });
    }
    stats() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_scene_stats');
            m.x.bw_scene_get_stats(this.address, out);
            return read(m, 'bw_scene_stats', out);
        });
    }
    check() { return this.m.text(this.m.x.bw_scene_check(this.address)) || null; }
}

/** A camera in scratch memory: { eye, forward, up, fovY (radians), aspect, near, far }. */
export function putView(m, v, what = 'view') {
    if (v === null || typeof v !== 'object') throw new BoxwoodError(`${what}: ${show(v)} is not a view`);
    const o = options(v, ['eye', 'forward', 'up', 'fovY', 'aspect', 'near', 'far'], what);
    return make(m, 'bw_view', {
        eye: point(o.eye, `${what}.eye`), forward: point(o.forward, `${what}.forward`), up: o.up === undefined ? [0, 0, 1] : point(o.up, `${what}.up`),
        fovY: optional(o.fovY, 'fovY'), aspect: optional(o.aspect, 'aspect'), nearDistance: optional(o.near, 'near'), farDistance: o.far === Infinity ? 0 : optional(o.far, 'far'),
    });
}

/** Culling, frame by frame, for one camera. Made by `bw.cull`. Options: width, height (of the depth buffer), occluders: 'boxes' (every object hides by its own
 * box, which must be solid), or an array of { positions, indices, closed, pose } that objects name by their users, from 1 on. */
export class Cull extends Owned {
    #set = false;
    constructor(core, opts) {
        super();
        const { m } = core, o = options(opts, ['width', 'height', 'occluders', 'occluderPixels'], 'cull');
        const desc = { width: o.width === undefined ? 0 : count(o.width, 'width', 16384), height: o.height === undefined ? 0 : count(o.height, 'height', 16384), occluderPixels: optional(o.occluderPixels, 'occluderPixels') };
        const given = o.occluders ?? null;
        if (given !== null && given !== 'boxes' && !Array.isArray(given)) throw new BoxwoodError(`occluders: ${show(given)} is neither 'boxes' nor an array of meshes`);
        const table = Array.isArray(given) ? given.map((g, i) => ({ ...mesh(g, `occluder ${i}`), closed: flag(g.closed, 'closed'), pose: pose(g.pose, `occluder ${i}, pose`) })) : [];
        const blocks = [];
        let all = 0, at = 0;
        try {
            if (given !== null) {
                all = m.x.bwx_occluders_create(given === 'boxes' ? 1 : 0) >>> 0;
                if (all === 0) throw new BoxwoodError('cull: not enough memory', { result: 'error-memory' });
            }
            m.call(() => {
                const keep = (array) => { const to = m.copy(array, true); blocks.push(to); return to; };
                const rows = table.map((g) => {
                    const view = m.alloc(structs.bw_mesh.size);
                    blocks.push(view);
                    const fields = { positions: keep(g.positions), scalar: g.positions instanceof Float64Array ? 1 : 0, vertexCount: g.positions.length / 3, indices: g.indices === null ? 0 : keep(g.indices), triangleCount: g.indices === null ? 0 : g.indices.length / 3 };
                    const scratch = make(m, 'bw_mesh', fields);
                    m.v.u8.copyWithin(view, scratch, scratch + structs.bw_mesh.size);
                    return { mesh: view, pose: g.pose === null ? 0 : keep(Float64Array.from(g.pose)), closed: g.closed };
                });
                const list = m.take(Math.max(1, rows.length) * structs.bw_occluder.size);
                rows.forEach((row, i) => { const r = make(m, 'bw_occluder', row); m.v.u8.copyWithin(list + i * structs.bw_occluder.size, r, r + structs.bw_occluder.size); });
                if (rows.length > 0 && !m.x.bwx_occluders_set(all, list, rows.length)) throw new BoxwoodError('cull: not enough memory', { result: 'error-memory' });
                const out = m.zero(4);
                m.check(m.x.bwx_cull_create(all, make(m, 'bw_cull_desc', desc), out, m.fault), 'cull');
                at = m.v.u32[out >>> 2];
            });
        } catch (error) {
            if (all) m.x.bwx_occluders_destroy(all);
            for (const block of blocks) m.free(block);
            throw error;
        }
        this.own(m, at, (address) => { m.x.bw_cull_destroy(address); if (all) m.x.bwx_occluders_destroy(all); }, { blocks });
    }
    /** The objects of a scene that a view may see: { ids, report }. */
    frame(scene, view) {
        const { m } = this;
        live(scene, Scene, m, 'scene');
        return m.call(() => {
            const camera = putView(m, view), out = report(m, 'bw_cull_report');
            return scene.visible((to) => {
                m.check(m.x.bw_cull_frame(this.address, scene.address, camera, to, out, m.fault), 'frame');
                return read(m, 'bw_cull_report', out);
            });
        });
    }
    /** Forgets the last frame. */
    reset() { this.m.x.bw_cull_reset(this.address); }
    /** The depth buffer as the last frame left it: { width, height, values } of 1 / depth, 0 where nothing was drawn. */
    depth() {
        const { m } = this;
        return m.call(() => {
            const size = m.zero(8), of = m.x.bw_cull_depth(this.address);
            const at = m.x.bw_depth_values(of, size, size + 4), [width, height] = m.v.u32.slice(size >>> 2, (size >>> 2) + 2);
            return { width, height, values: m.v.f32.slice(at >>> 2, (at >>> 2) + width * height) };
        });
    }
}
