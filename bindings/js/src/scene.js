// Scenes of many boxes that move, scenes in scenes, and what a camera sees of them.
import { columns, make, read, report, show, structs } from './layout.js';
import { BoxwoodError } from './memory.js';
import { Owned, live } from './owned.js';
import { box, boxes, count, flag, id, ids, indices, mesh, number, optional, options, point, pose, putPose, putRay, RAY } from './values.js';

// Rows of the lists of native/full.c.
structs.object_row = { size: 16, fields: { id: [0, 'u64', 0], path: [8, 'u32', 0] } };
structs.pair_row = { size: 24, fields: { a: [0, 'u64', 0], b: [8, 'u64', 0], pathA: [16, 'u32', 0], pathB: [20, 'u32', 0] } };
/** Runs f with lists that C fills, and gives them back. */
function withLists(m, n, f) {
    const at = m.zero(16 * n), list = (i) => (at >>> 2) + 4 * i;
    try {
        return f((i) => at + 16 * i, (i, of, wanted) => {
            const { u32 } = m.v;
            if (u32[list(i) + 3] !== 0) throw new BoxwoodError('not enough memory for the answer', { result: 'error-memory' });
            return columns(m, of, u32[list(i)], u32[list(i) + 1], wanted);
        });
    } finally {
        for (let i = 0; i < n; i++) m.free(m.v.u32[list(i)]);
    }
}

function created(m, f) {
    return m.call(() => {
        const out = m.zero(8);
        f(out);
        return m.v.u32[out >>> 2];
    });
}
/** Objects with boxes, by ids (bigint). Made by `bw.scene`. */
export class Scene extends Owned {
    #core;
    #children = new Map(); // scenes by the ids of their instances
    #held = new Map(); // each of them: how many instances it has, and what is held for them
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
            m.check(m.x.bw_scene_insert_many(this.changing, m.copy(b), named === null ? 0 : m.copy(named), n, out, m.fault), 'insertMany');
            return m.v.u64.slice(out >>> 3, (out >>> 3) + n);
        });
    }
    insert(given, user = 0) { return this.insertMany(Float64Array.from(box(given, 'box')), [user])[0]; }
    moveMany(which, given) {
        const { m } = this, list = ids(which, 'ids'), b = boxes(given, 'boxes');
        if (b.length !== 6 * list.length) throw new BoxwoodError(`moveMany: ${list.length} ids, ${b.length / 6} boxes`);
        m.call(() => m.check(m.x.bw_scene_move_many(this.changing, m.copy(list), m.copy(b), list.length, m.fault), 'moveMany'));
    }
    move(which, given) { this.moveMany(BigUint64Array.of(id(which)), Float64Array.from(box(given, 'box'))); }
    removeMany(which) {
        const { m } = this, list = ids(which, 'ids');
        m.call(() => m.check(m.x.bw_scene_remove_many(this.changing, m.copy(list), list.length, m.fault), 'removeMany'));
        if (this.#children.size > 0) for (const key of list) this.#forget(key);
    }
    remove(which) { this.removeMany(BigUint64Array.of(id(which))); }
    /** The same by a sphere: the box around it. */
    insertSphere(centre, radius, user = 0) {
        const { m } = this, where = Float64Array.from(point(centre, 'centre')), r = number(radius, 'radius'), of = BigInt(count(user, 'user'));
        return this.#inserted((out) => m.check(m.x.bw_scene_insert_sphere(this.changing, m.copy(where), r, of, out, m.fault), 'insertSphere'));
    }
    moveSphere(which, centre, radius) {
        const { m } = this, key = id(which), where = Float64Array.from(point(centre, 'centre')), r = number(radius, 'radius');
        m.call(() => m.check(m.x.bw_scene_move_sphere(this.changing, key, m.copy(where), r, m.fault), 'moveSphere'));
    }
    /** Its box becomes that of its whole way from a box to where a displacement takes it: what it could meet on the way is a pair now. */
    moveSwept(which, given, displacement) {
        const { m } = this, key = id(which), b = boxes(Float64Array.from(box(given, 'box')), 'box'), way = Float64Array.from(point(displacement, 'displacement'));
        m.call(() => m.check(m.x.bw_scene_move_swept(this.changing, key, m.copy(b), m.copy(way), m.fault), 'moveSwept'));
    }
    setUser(which, user) {
        const { m } = this, key = id(which), of = BigInt(count(user, 'user'));
        m.check(m.x.bw_scene_set_user(this.changing, key, of, m.fault), 'setUser');
    }
    #inserted(insert) {
        const { m } = this;
        return m.call(() => {
            const out = m.zero(8);
            insert(out);
            return m.v.u64[out >>> 3];
        });
    }

    /** Places a scene in this one, under a pose (any affine map; null: none), and gives the id of the instance: an object like others, whose box follows the
     * child's. Queries that are given paths go into it. */
    insertScene(child, where = null, user = 0) {
        const { m } = this, of = BigInt(count(user, 'user')), at = pose(where) ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
        live(child, Scene, m, 'child');
        const key = this.#inserted((out) => m.check(m.x.bw_scene_insert_scene(this.changing, child.changing, m.copy(Float64Array.from(at)), of, out, m.fault), 'insertScene'));
        const held = this.#held.get(child);
        if (held !== undefined) held.count++;
        else {
            this.holding.use(child.holding); // a child that is disposed of stays as long as its instances do
            this.#held.set(child, { count: 1, holding: child.holding });
        }
        this.#children.set(key, child);
        return key;
    }
    /** Gives an instance another pose. */
    setPose(which, where) {
        const { m } = this, key = id(which), at = pose(where) ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
        m.call(() => m.check(m.x.bw_scene_set_pose(this.changing, key, m.copy(Float64Array.from(at)), m.fault), 'setPose'));
    }
    /** The scene of an instance and its pose, by rows: { scene, pose }; null of other objects. */
    child(which) {
        const { m } = this, key = id(which);
        return m.call(() => {
            const at = m.take(96);
            m.check(m.x.bw_scene_get(this.address, key, 0, 0, m.fault), 'child');
            if (m.x.bw_scene_child(this.address, key, at) === 0) return null;
            return { scene: this.#children.get(key), pose: [...m.v.f64.slice(at >>> 3, (at >>> 3) + 12)] };
        });
    }
    #forget(key) {
        const child = this.#children.get(key);
        if (child === undefined) return;
        this.#children.delete(key);
        const held = this.#held.get(child);
        if (--held.count > 0) return;
        this.#held.delete(child);
        this.holding.unuse(held.holding);
    }
    /** Paths for queries that go through scenes in scenes. */
    paths() { return new ScenePaths(this); }
    /** The scene at the end of instances, outermost first; null where one of them is gone. */
    follow(instances) {
        let at = this;
        for (const key of instances) at = at?.#children.get(key) ?? null;
        return at;
    }
    /** What is held of all scenes below this one. */
    #below(found = new Set()) {
        for (const [child, { holding }] of this.#held) if (!found.has(holding)) child.#below(found.add(holding));
        return found;
    }
    /** What searches need of `paths`. */
    #paths(v) {
        if (v === undefined || v === null) return null;
        live(v, ScenePaths, this.m, 'paths');
        if (v.scene !== this) throw new BoxwoodError('paths: they are of another scene: scene.paths() makes those of a scene');
        void v.changing;
        return v;
    }
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
    /** Does what was put off, everywhere or where a box meets it; worth it now and then. */
    prepare(region) {
        const { m } = this, b = region === undefined || region === null ? null : boxes(Float64Array.from(box(region, 'region')), 'region');
        return m.call(() => {
            const out = report(m, 'bw_prepare_report');
            m.check(m.x.bw_scene_prepare(this.changing, b === null ? 0 : m.copy(b), out, m.fault), 'prepare');
            return read(m, 'bw_prepare_report', out);
        });
    }
    /** The objects whose boxes a region meets. With paths those in scenes in scenes, too: `path` tells where each is. */
    query(region, opts) {
        const { m } = this, paths = this.#paths(options(opts, ['paths'], 'query').paths);
        return m.call(() => {
            const where = this.#core.putRegion(region), out = report(m, 'bw_scene_report');
            return this.found(paths, 'foundCount', (to) => {
                m.check(m.x.bw_scene_query(this.address, where, to, out, m.fault), 'query');
                return read(m, 'bw_scene_report', out);
            });
        });
    }
    /** Runs what writes objects to an output. */
    found(paths, told, run) {
        const { m } = this;
        if (paths !== null) return withLists(m, 1, (list, rows) => {
            const to = make(m, 'bw_scene_output', { paths: paths.address });
            m.x.bwx_list_objects(to, list(0));
            const answer = run(to), { id: found, path } = rows(0, 'object_row', { id: 'id', path: 'path' });
            return { ids: found, path, report: answer };
        });
        const size = Math.max(1024, this.count), at = this.#core.room(8 * size), answer = run(make(m, 'bw_scene_output', { ids: at, idCapacity: size }));
        return { ids: m.v.u64.slice(at >>> 3, (at >>> 3) + answer[told]), report: answer };
    }
    /** The same for culling. */
    visible(paths, run) { return this.found(this.#paths(paths), 'visibleCount', run); }
    /** Every two objects whose boxes overlap; with paths those in scenes in scenes, with pathA and pathB. */
    pairs(opts) {
        const { m } = this, paths = this.#paths(options(opts, ['paths'], 'pairs').paths);
        return m.call(() => {
            const out = report(m, 'bw_pair_report');
            if (paths !== null) return withLists(m, 1, (list, rows) => {
                const to = make(m, 'bw_pair_output', { paths: paths.address });
                m.x.bwx_list_pairs(to, list(0));
                m.check(m.x.bw_scene_pairs(this.address, to, out, m.fault), 'pairs');
                return { ...rows(0, 'pair_row', { a: 'a', b: 'b', pathA: 'pathA', pathB: 'pathB' }), report: read(m, 'bw_pair_report', out) };
            });
            const { at, n } = this.#core.list('bw_pair', (pairs, pairCapacity) => {
                m.check(m.x.bw_scene_pairs(this.address, make(m, 'bw_pair_output', { pairs, pairCapacity }), out, m.fault), 'pairs');
                return read(m, 'bw_pair_report', out).foundCount;
            });
            const answer = { ...columns(m, 'bw_pair', at, n, { a: 'a', b: 'b' }), report: read(m, 'bw_pair_report', out) };
            this.#core.rest();
            return answer;
        });
    }
    /** The pairs that began and those that ended to overlap since the last call; of a scene made with trackPairs. */
    pairsChanged() {
        const { m } = this;
        return m.call(() => withLists(m, 2, (list, rows) => {
            const to = [0, 1].map((i) => { const output = make(m, 'bw_pair_output'); m.x.bwx_list_pairs(output, list(i)); return output; });
            m.check(m.x.bw_scene_pairs_changed(this.changing, to[0], to[1], 0, 0, m.fault), 'pairsChanged');
            const [began, ended] = [0, 1].map((i) => rows(i, 'pair_row', { a: 'a', b: 'b' }));
            return { began, ended };
        }));
    }
    /** Runs a search: with `value` (id, path, bound, limit) objects are what that says they are, and not their boxes. */
    #search(o, what, search, squared) {
        const { m } = this, paths = this.#paths(o.paths), { value } = o, desc = { any: flag(o.any, 'any'), paths: paths?.address ?? 0, maxValue: optional(o.maxValue, what) };
        if (value === undefined || value === null) return search(make(m, 'bw_scene_search', desc));
        if (typeof value !== 'function') throw new BoxwoodError(`value: ${show(value)} is not a function`);
        const { callbacks } = this.#core, asked = (key, path, bound, limit) => {
            const v = squared ? value(key, path, Math.sqrt(bound), Math.sqrt(limit) * (1 + 2 ** -50)) : value(key, path, bound, limit);
            if (v === null || v === undefined) return -1;
            if (typeof v !== 'number') throw new BoxwoodError(`value: ${show(v)} is not a number`);
            return v >= 0 ? (squared ? v * v : v) : -1;
        };
        desc.valueOf = callbacks.pointer('value');
        const read = [this.holding, ...this.#below()];
        if (paths !== null) read.push(paths.holding);
        return callbacks.run({ value: asked }, read, () => search(make(m, 'bw_scene_search', desc)));
    }
    /** The object whose box a ray enters first: { id, t, path }, or null. Options: any (whichever is found first), paths, and value(id, path, bound, limit): where the ray
     * meets the object itself, at bound or later; null: not, or not up to limit. */
    cast(ray, opts) {
        const { m } = this, o = options(opts, ['any', 'paths', 'value'], 'cast');
        return m.call(() => {
            const at = m.take(RAY), out = m.take(structs.bw_scene_hit.size), of = this.address;
            putRay(m, at, ray);
            this.#search(o, 'cast', (desc) => m.check(m.x.bw_scene_cast(of, at, desc, out, m.fault), 'cast'), false);
            const hit = read(m, 'bw_scene_hit', out);
            return hit.id === 0n ? null : { id: hit.id, t: hit.value, path: hit.path };
        });
    }
    /** The objects nearest to a point, by the distance of their boxes: [{ id, distance, path }]. Options: maxDistance, paths, and value(id, path, bound, limit): the distance
     * of the object itself, at least bound; null: none, or none up to limit. */
    nearest(p, most = 1, opts) {
        const { m } = this, where = Float64Array.from(point(p, 'point')), n = count(most, 'most', 1 << 24), o = options(opts, ['maxDistance', 'paths', 'value'], 'nearest'), far = optional(o.maxDistance, 'maxDistance');
        return m.call(() => {
            const out = m.take(Math.max(1, n) * structs.bw_scene_hit.size), found = m.zero(4), at = m.copy(where), of = this.address;
            this.#search({ ...o, maxValue: far * far }, 'nearest', (desc) => m.check(m.x.bw_scene_nearest(of, at, desc, out, n, found, m.fault), 'nearest'), true);
            const c = columns(m, 'bw_scene_hit', out, m.v.u32[found >>> 2], { id: 'id', value: 'value', path: 'path' });
            return Array.from(c.id, (key, i) => ({ id: key, distance: Math.sqrt(c.value[i]), path: c.path[i] }));
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

/** Numbers for ways through scenes in scenes, of one outermost scene. Made by `scene.paths`. A path keeps its number until `reset`; 0 is the scene itself. */
export class ScenePaths extends Owned {
    constructor(scene) {
        super();
        const { m } = scene;
        void scene.address;
        const at = created(m, (out) => m.plain(m.x.bw_scene_paths_create(0, out), 'paths'));
        Object.defineProperty(this, 'scene', { value: scene });
        this.own(m, at, m.x.bw_scene_paths_destroy, { uses: [scene] });
    }
    /** Forgets all paths. */
    reset() { this.m.x.bw_scene_paths_reset(this.changing); }
    /** What a path stands for: { scene (that holds the objects; null where it is gone), instances (ids, outermost first), pose (from that scene to the outermost, by rows) }. */
    get(path) {
        const { m } = this, number = count(path, 'path');
        return m.call(() => {
            const out = report(m, 'bw_scene_path');
            m.check(m.x.bw_scene_paths_get(this.address, number, out, m.fault), 'paths');
            const { fields } = structs.bw_scene_path, u32 = m.v.u32, n = u32[(out + fields.instanceCount[0]) >>> 2], at = u32[(out + fields.instances[0]) >>> 2] >>> 3, p = (out + fields.pose[0]) >>> 3;
            const instances = m.v.u64.slice(at, at + n);
            return { scene: this.scene.follow(instances), instances, pose: [...m.v.f64.slice(p, p + 12)] };
        });
    }
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
    /** The objects of a scene that a view may see: { ids, report }; with paths those in scenes in scenes, and the `path` of each. */
    frame(scene, view, opts) {
        const { m } = this, { paths } = options(opts, ['paths'], 'frame');
        live(scene, Scene, m, 'scene');
        return m.call(() => {
            const camera = putView(m, view), out = report(m, 'bw_cull_report');
            return scene.visible(paths, (to) => {
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
