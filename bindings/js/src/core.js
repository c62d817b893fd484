// Trees over meshes, and what is asked of them most: contacts, nearest points, rays.
import { columns, enums, make, names, read, report, show, structs, value, write } from './layout.js';
import { BoxwoodError, Memory, NONE } from './memory.js';
import { Owned } from './owned.js';
import { choice, count, doubles, flag, indices, mesh, optional, options, point, points, positions, putPose, putRay, RAY } from './values.js';

export { BoxwoodError, NONE, names };

/** What can be given as a body: something that writes itself as one. */
export class Body extends Owned {}

/** A tree over a mesh that it keeps a copy of. Made by `bw.tree` and `bw.loadTree`. */
export class Tree extends Body {
    #mesh;
    #positions;
    #spare = 0;
    #scalar;
    #length;
    constructor(core, given, build) {
        super();
        const m = core.m, { positions: p, indices: i } = given;
        const blocks = [];
        try {
            blocks.push((this.#mesh = m.alloc(structs.bw_mesh.size)), (this.#positions = m.copy(p, true)));
            if (i !== null) blocks.push(m.copy(i, true));
            this.#scalar = p instanceof Float64Array ? Float64Array : Float32Array;
            this.#length = p.length;
            write(m, 'bw_mesh', this.#mesh, {
                positions: this.#positions, scalar: p instanceof Float64Array ? enums.bw_scalar.f64 : enums.bw_scalar.f32, vertexCount: p.length / 3,
                indices: i === null ? 0 : blocks[2], triangleCount: i === null ? 0 : i.length / 3,
            });
            const tree = m.call(() => {
                const out = m.zero(4);
                build(this.#mesh, out);
                return m.v.u32[out >>> 2];
            });
            this.own(m, tree, m.x.bw_tree_destroy, { blocks });
        } catch (error) {
            for (const block of blocks) m.free(block);
            throw error;
        }
        this.vertexCount = p.length / 3;
        this.triangleCount = i === null ? 0 : i.length / 3;
    }
    writeBody(m, at) {
        const { u32 } = m.v, k = at >>> 2;
        u32[k] = this.address;
        u32[k + 1] = this.#mesh;
    }
    get mesh() { return this.address && this.#mesh; }
    /** A copy of the positions as the tree knows them. */
    positions() {
        void this.address;
        return new this.#scalar(this.m.v.u8.buffer, this.#positions, this.#length).slice();
    }
    /** Follows a mesh that has moved or deformed: new positions (or none: the same), and a policy: 'refit' (default), 'auto', 'rebuild'. */
    update(given, opts) {
        const m = this.m;
        const o = options(opts, ['policy', 'ranges'], 'update');
        const policy = choice('bw_update_policy', o.policy, 0, 'policy');
        const ranges = o.ranges === undefined ? null : indices(o.ranges, 'ranges', 2);
        const p = given === undefined || given === null ? null : positions(given, 'positions');
        void this.changing;
        if (p !== null && p.length !== this.#length) {
            throw new BoxwoodError(`update: ${p.length / 3} vertices, not ${this.#length / 3}`, { result: 'error-mismatch', value: p.length / 3 });
        }
        return m.call(() => {
            const at = this.#mesh + structs.bw_mesh.fields.positions[0];
            if (p !== null) { // into the other of two blocks: the tree and its mesh stay as they are where the library refuses the new positions
                if (this.#spare === 0) this.holding.blocks.push((this.#spare = m.alloc(this.#length * this.#scalar.BYTES_PER_ELEMENT)));
                new this.#scalar(m.v.u8.buffer, this.#spare, this.#length).set(p);
                m.v.u32[at >>> 2] = this.#spare;
            }
            const plain = policy === 0 && ranges === null, desc = plain ? 0 : make(m, 'bw_update_desc', { policy, ranges: ranges === null ? 0 : m.copy(ranges), rangeCount: ranges === null ? 0 : ranges.length / 2 });
            const out = report(m, 'bw_update_report'), result = m.x.bw_tree_update(this.address, this.#mesh, desc, out, m.fault);
            if (p !== null && result === 0) [this.#positions, this.#spare] = [this.#spare, this.#positions];
            else m.v.u32[at >>> 2] = this.#positions;
            m.check(result, 'update');
            return read(m, 'bw_update_report', out);
        });
    }
    /** Fits the boxes to new positions. */
    refit(given) { return this.update(given); }
    /** The tree as bytes, of the format that every platform shares. The mesh is not part of it. */
    save() {
        const m = this.m;
        const size = m.x.bw_tree_saved_size(this.address) >>> 0;
        if (size === 0) throw new BoxwoodError('save: an empty tree cannot be saved', { result: 'error-unsupported' });
        return m.call(() => {
            const at = m.take(size);
            m.check(m.x.bw_tree_save(this.address, at, size, m.fault), 'save');
            return m.v.u8.slice(at, at + size);
        });
    }
    /** The box of everything in the tree: [xmin, ymin, zmin, xmax, ymax, zmax]. */
    bounds() {
        const m = this.m;
        return m.call(() => {
            const at = m.take(24);
            m.x.bw_tree_bounds(at, this.address);
            return [...m.v.f32.slice(at >>> 2, (at >>> 2) + 6)];
        });
    }
    /** The triangles that were left out (quarantine). */
    quarantined() {
        const m = this.m;
        return m.call(() => {
            const n = m.zero(4);
            const at = m.x.bw_tree_quarantine(this.address, n);
            return m.v.u32.slice(at >>> 2, (at >>> 2) + m.v.u32[n >>> 2]);
        });
    }
}

const HIT_COUNT = structs.bw_collide_report.fields.hitCount[0];
const HITS = { a: 'a', b: 'b', kind: 'kind' };

export class Core {
    #room = { at: 0, bytes: 0 };
    constructor(exports) {
        this.m = new Memory(exports);
        this.m.results = enums.bw_result;
    }
    get Tree() { return Tree; }
    get version() { return this.m.text(this.m.x.bw_version_string()); }
    /** Bytes that are allocated in the module, and bytes that its memory has. */
    memory() { return { allocated: this.m.allocated, bytes: this.m.x.memory.buffer.byteLength }; }

    /** A tree over { positions, indices }. Options: builder ('quality', 'fast'), deforms, compact, quarantine (defects to leave out, such as ['nan', 'zero-area'], or 'fatal'). */
    tree(given, opts) {
        const { m } = this;
        const o = options(opts, ['builder', 'deforms', 'compact', 'quarantine'], 'tree');
        const builder = choice('bw_builder', o.builder, 0, 'builder');
        const desc = { builder, deforms: flag(o.deforms, 'deforms'), compact: flag(o.compact, 'compact'), quarantine: quarantine(o.quarantine) };
        return new this.Tree(this, mesh(given), (view, out) => m.check(m.x.bw_tree_create(make(m, 'bw_tree_desc', desc), view, out, m.fault), 'tree'));
    }
    /** A saved tree, with the mesh that it was saved with. */
    loadTree(bytes, given) {
        const { m } = this;
        if (!(bytes instanceof Uint8Array) && !(bytes instanceof ArrayBuffer)) throw new BoxwoodError(`loadTree: ${show(bytes)} is neither a Uint8Array nor an ArrayBuffer`);
        const data = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
        return new this.Tree(this, mesh(given), (view, out) => {
            m.check(m.x.bw_tree_load(m.copy(data), data.length, 0, out, m.fault), 'loadTree');
            const tree = m.v.u32[out >>> 2], result = m.x.bw_tree_update(tree, view, 0, 0, m.fault); // whatever the mesh, the boxes are its own
            if (result !== 0) m.x.bw_tree_destroy(tree);
            m.check(result, 'loadTree');
        });
    }

    /** A body in scratch memory: a tree (or what else is one), or { tree, pose }. */
    body(v, what) {
        const { m } = this;
        const placed = v !== null && typeof v === 'object' && !(v instanceof Body);
        const of = placed ? v.tree : v, where = placed ? putPose(m, v.pose, `${what}.pose`) : 0;
        if (!(of instanceof Body)) throw new BoxwoodError(`${what}: ${show(v)} is neither a tree nor { tree, pose }`);
        if (of.holding.m !== m) throw new BoxwoodError(`${what}: a tree of another module`);
        const at = m.take(12);
        of.writeBody(m, at);
        m.v.u32[(at >>> 2) + 2] = where;
        return at;
    }
    /** Room for a list, kept for the next one. */
    room(bytes) {
        if (this.#room.bytes < bytes) {
            this.m.free(this.#room.at);
            this.#room = { at: 0, bytes: 0 };
            this.#room = { at: this.m.alloc(bytes), bytes };
        }
        return this.#room.at;
    }
    /** Runs a query into a list that may be too short, and again with as much room as it takes. run(at, capacity) returns how many there are. */
    list(of, run, least = 4096) {
        const { size } = structs[of];
        let capacity = Math.max(least, Math.floor(this.#room.bytes / size)), at = this.room(capacity * size);
        const n = run(at, capacity);
        if (n > capacity) {
            capacity = n;
            at = this.room(capacity * size);
            run(at, capacity);
        }
        return { at, n };
    }
    /** Lets go of a long list's memory. */
    rest() {
        if (this.#room.bytes > 1 << 24) { this.m.free(this.#room.at); this.#room = { at: 0, bytes: 0 }; }
    }

    /** What `any`, `pairs` and `self` can be told. */
    get queryOptions() { return []; }
    #query(o, what) {
        options(o, this.queryOptions, what);
        const cache = o?.cache === undefined || o.cache === null ? null : this.cacheOf(o.cache);
        return { separation: optional(o?.separation, 'separation'), containment: flag(o?.containment, 'containment'), rings: o?.rings === undefined ? 0 : count(o.rings, 'rings'), cache };
    }
    #collide(mode, a, b, o, what) {
        const { m } = this;
        const { cache, ...q } = this.#query(o, what);
        return m.call(() => {
            const first = this.body(a, 'a'), second = b === undefined ? 0 : this.body(b, 'b');
            const out = report(m, 'bw_collide_report');
            const run = (hits, hitCapacity) => {
                const desc = make(m, 'bw_collide_desc', { ...q, mode, hits, hitCapacity, cache: cache?.address ?? 0 });
                m.check(second === 0 ? m.x.bw_collide_self(first, desc, out, m.fault) : m.x.bw_collide(first, second, desc, out, m.fault), what);
                return Number(m.v.u64[(out + structs.bw_collide_report.fields.hitCount[0]) >>> 3]);
            };
            if (mode !== enums.bw_collide_mode.all) { run(0, 0); return read(m, 'bw_collide_report', out); }
            const { at, n } = this.list('bw_hit', run);
            const answer = { ...columns(m, 'bw_hit', at, n, HITS), report: read(m, 'bw_collide_report', out) };
            this.rest();
            return answer;
        });
    }
    /** Whether two bodies touch or cross (or, with a separation, are that near; with containment, one is inside the other). */
    any(a, b, o) {
        if (o === undefined) return this.#any(a, b);
        const r = this.#collide(enums.bw_collide_mode.any, a, b ?? null, o, 'any');
        return r.hitCount > 0 || r.containment !== 'none';
    }
    #any(a, b) { // the common case, without objects
        const { m } = this;
        return m.call(() => {
            const first = this.body(a, 'a'), second = this.body(b, 'b'), out = m.zero(structs.bw_collide_report.size);
            m.check(m.x.bw_collide(first, second, 0, out, m.fault), 'any');
            return m.v.u32[(out + HIT_COUNT) >>> 2] !== 0; // one at most
        });
    }
    /** The number of pairs of triangles in contact, and the whole report. */
    count(a, b, o) { return this.#collide(enums.bw_collide_mode.count, a, b ?? null, o, 'count'); }
    /** Every pair of triangles in contact. */
    pairs(a, b, o) { return this.#collide(enums.bw_collide_mode.all, a, b ?? null, o, 'pairs'); }
    /** Every pair of triangles of one body that meet beyond what they share. */
    self(a, o) { return this.#collide(enums.bw_collide_mode.all, a, undefined, o, 'self'); }

    /** The point of a body nearest to a point: { primitive, point, distance }; primitive is NONE where nothing is within maxDistance. */
    nearest(body, p, opts) {
        const { m } = this;
        const o = options(opts, ['maxDistance'], 'nearest');
        const most = optional(o.maxDistance, 'maxDistance'), [x, y, z] = point(p, 'point');
        return m.call(() => {
            const of = this.body(body, 'body'), at = m.take(24 + structs.bw_nearest_hit.size), desc = most === 0 ? 0 : make(m, 'bw_nearest_desc', { maxDistance: most });
            const { f64 } = m.v, k = at >>> 3;
            f64[k] = x, f64[k + 1] = y, f64[k + 2] = z;
            m.check(m.x.bw_nearest(of, at, desc, at + 24, 0, m.fault), 'nearest');
            const v = m.v, h = (at + 24) >>> 3;
            return { primitive: v.u32[(at + 24) >>> 2], point: [v.f64[h + 1], v.f64[h + 2], v.f64[h + 3]], distance: v.f64[h + 4] };
        });
    }
    nearestMany(body, given, opts) {
        const { m } = this;
        const o = options(opts, ['maxDistance'], 'nearestMany');
        const desc = { maxDistance: optional(o.maxDistance, 'maxDistance') }, p = points(given, 'points'), n = p.length / 3;
        return m.call(() => {
            const of = this.body(body, 'body'), hits = m.take(Math.max(1, n) * structs.bw_nearest_hit.size);
            m.check(m.x.bw_nearest_many(of, m.copy(p), n, make(m, 'bw_nearest_desc', desc), hits, 0, m.fault), 'nearestMany');
            return columns(m, 'bw_nearest_hit', hits, n, { primitive: 'primitive', points: 'point', distance: 'distance' });
        });
    }
    /** The first contact along a ray, or null: { primitive, kind, t }. mode: 'nearest' or 'any'. */
    raycast(body, ray, opts) {
        const { m } = this;
        const o = options(opts, ['mode'], 'raycast');
        const mode = choice('bw_ray_mode', o.mode, 0, 'mode');
        if (mode === enums.bw_ray_mode.all) throw new BoxwoodError("mode: 'all' is for raycastAll");
        return m.call(() => {
            const at = m.take(RAY + structs.bw_ray_hit.size), hit = at + RAY;
            putRay(m, at, ray);
            m.check(m.x.bw_raycast(this.body(body, 'body'), at, mode === 0 ? 0 : make(m, 'bw_raycast_desc', { mode }), hit, 0, m.fault), 'raycast');
            const { u32, f64 } = m.v, k = hit >>> 2;
            return u32[k] === NONE ? null : { primitive: u32[k], kind: names.bw_contact_kind[u32[k + 1]], t: f64[(hit + 8) >>> 3] };
        });
    }
    /** Every contact along a ray, nearest first. */
    raycastAll(body, ray) {
        const { m } = this;
        return m.call(() => {
            const at = m.take(RAY);
            putRay(m, at, ray);
            const of = this.body(body, 'body');
            const { at: hits, n } = this.list('bw_ray_hit', (to, capacity) => {
                const found = m.zero(4);
                m.check(m.x.bwx_raycast_all(of, at, to, capacity, found, m.fault), 'raycastAll');
                return m.v.u32[found >>> 2];
            }, 64);
            const { primitive, kind, t } = columns(m, 'bw_ray_hit', hits, n, { primitive: 'primitive', kind: 'kind', t: 't' });
            const order = Array.from(t.keys()).sort((i, k) => t[i] - t[k] || primitive[i] - primitive[k]);
            return { count: n, primitive: Uint32Array.from(order, (i) => primitive[i]), kind: Uint8Array.from(order, (i) => kind[i]), t: Float64Array.from(order, (i) => t[i]) };
        });
    }
    /** Many rays, six numbers each (origin, direction) or seven (and tMax, 0 without an end): primitive (NONE), kind and t of each. */
    raycastMany(body, rays, opts) {
        const { m } = this;
        const o = options(opts, ['mode', 'width', 'between'], 'raycastMany');
        const mode = choice('bw_ray_mode', o.mode, 0, 'mode'), width = o.width === undefined ? 6 : count(o.width, 'width', 7), between = flag(o.between, 'between');
        if (width !== 6 && width !== 7) throw new BoxwoodError(`width: ${width} numbers per ray, not 6 or 7`, { value: width });
        if (mode === enums.bw_ray_mode.all) throw new BoxwoodError("mode: 'all' is for raycastAll");
        const given = doubles(rays, width, 'rays'), n = given.length / width;
        return m.call(() => {
            const of = this.body(body, 'body'), from = m.copy(given), at = m.take(Math.max(1, n) * RAY), hits = m.take(Math.max(1, n) * structs.bw_ray_hit.size);
            m.x.bwx_rays(from, width, n, between ? 1 : 0, at);
            m.check(m.x.bw_raycast_many(of, at, n, make(m, 'bw_raycast_desc', { mode }), hits, 0, m.fault), 'raycastMany');
            return columns(m, 'bw_ray_hit', hits, n, { primitive: 'primitive', kind: 'kind', t: 't' });
        });
    }
}

function quarantine(v) {
    if (v === undefined || v === null) return 0;
    if (v === 'fatal') v = ['index', 'nan', 'infinite', 'range'];
    if (!Array.isArray(v)) throw new BoxwoodError(`quarantine: ${show(v)} is neither 'fatal' nor an array of defects`);
    return v.reduce((bits, name) => bits | (1 << value('bw_defect', name, 'quarantine')), 0);
}
