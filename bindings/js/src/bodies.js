// What bodies can be asked beyond the core: where and how deep they meet, distances, batches, insides, regions.
import { Callbacks } from './callback.js';
import { Core, Tree } from './core.js';
import { columns, enums, make, names, read, report, show, structs, value } from './layout.js';
import { BoxwoodError } from './memory.js';
import { Owned, live } from './owned.js';
import { UserTree, collideUser, isUser } from './user.js';
import { box, count, doubles, flag, indices, mesh, number, optional, options, point, points, putPose, putRay } from './values.js';

structs.node_row = { size: 32, fields: { box: [0, 'f32', 6], depth: [24, 'u32', 0], triangles: [28, 'u32', 0] } }; // native/full.c

/** A tree, with what the core leaves out. */
class FullTree extends Tree {
    /** Takes triangles out of the tree, or back in. */
    remove(primitives) { this.#edit('bw_tree_remove', primitives); }
    insert(primitives) { this.#edit('bw_tree_insert', primitives); }
    #edit(name, primitives) {
        const list = indices(primitives, 'primitives', 1), m = this.m;
        void this.changing;
        const call = name === 'bw_tree_remove' ? m.x.bw_tree_remove : m.x.bw_tree_insert;
        m.call(() => m.check(call(this.address, this.mesh, m.copy(list), list.length, m.fault), name.slice(8)));
    }
    /** Makes the tree ready for many rays, distances, or (clearance: cells, 0 for the default) bodies that move around it. Any change drops it. */
    prepare(opts) {
        const m = this.m;
        const o = options(opts, ['rays', 'distances', 'clearance'], 'prepare');
        const rays = flag(o.rays, 'rays'), distances = flag(o.distances, 'distances');
        const cells = o.clearance === undefined || o.clearance === false ? null : o.clearance === true ? 0 : count(o.clearance, 'clearance');
        void this.changing;
        if (rays) m.check(m.x.bw_tree_prepare_rays(this.address, this.mesh, 0, m.fault), 'prepare');
        if (distances) m.check(m.x.bw_tree_prepare_distances(this.address, this.mesh, 0, m.fault), 'prepare');
        if (cells !== null) m.check(m.x.bw_tree_prepare_clearance(this.address, this.mesh, cells, 0, m.fault), 'prepare');
        return this;
    }
    stats() {
        const m = this.m;
        return m.call(() => {
            const at = report(m, 'bw_tree_stats');
            m.x.bw_tree_get_stats(this.address, at);
            return read(m, 'bw_tree_stats', at);
        });
    }
    /** The nodes down to a depth, parents before children, for pictures: six numbers of box, depth and number of triangles (of leaves; 0 for others) each. */
    nodes(depth = 32) {
        const m = this.m, most = count(depth, 'depth');
        return m.call(() => {
            const list = m.zero(16);
            try {
                m.check(m.x.bwx_tree_nodes(this.address, most, list, m.fault), 'nodes');
                const [at, n] = m.v.u32.slice(list >>> 2, (list >>> 2) + 2);
                return columns(m, 'node_row', at, n, { boxes: 'box', depth: 'depth', triangles: 'triangles' });
            } finally {
                m.free(m.v.u32[list >>> 2]);
            }
        });
    }
    /** Proves the invariants: null, or a sentence about the first that does not hold. */
    check() {
        const m = this.m;
        return m.text(m.x.bw_tree_check(this.address, this.mesh)) || null;
    }
}
Object.defineProperty(FullTree, 'name', { value: 'Tree' });

/** What queries of one pair of bodies keep from one to the next. Never changes an answer. */
export class PairCache extends Owned {
    constructor(core) {
        super();
        const { m } = core;
        const at = m.call(() => {
            const out = m.zero(4);
            m.check(m.x.bw_pair_cache_create(0, out, m.fault), 'pairCache');
            return m.v.u32[out >>> 2];
        });
        this.own(m, at, m.x.bw_pair_cache_destroy);
    }
    reset() { this.m.x.bw_pair_cache_reset(this.address); }
}

const REGION = ['kind', 'box', 'centre', 'radius', 'end', 'planes', 'pose', 'ray'];

export class Bodies extends Core {
    constructor(exports) {
        super(exports);
        this.callbacks = new Callbacks(exports);
    }
    /** Looks at every triangle of a mesh: how many have which defect, the first of them and its place, vertices that none names. */
    validate(given) {
        const { m } = this, { positions, indices: i } = mesh(given);
        return m.call(() => {
            const view = make(m, 'bw_mesh', { positions: m.copy(positions), scalar: positions instanceof Float64Array ? enums.bw_scalar.f64 : enums.bw_scalar.f32, vertexCount: positions.length / 3, indices: i === null ? 0 : m.copy(i), triangleCount: i === null ? 0 : i.length / 3 });
            const out = report(m, 'bw_mesh_report');
            m.check(m.x.bw_mesh_validate(view, 0, out, m.fault), 'validate');
            const { counts, ...told } = read(m, 'bw_mesh_report', out);
            return { ...told, counts: Object.fromEntries(counts.map((n, k) => [names.bw_defect[k], n])) };
        });
    }
    /** A tree over boxes, six numbers each, for primitives that only the caller knows. */
    userTree(boxes, opts) { return new UserTree(this, boxes, opts); }
    // With a test of the caller's, or where a tree over boxes takes part.
    any(a, b, o) {
        if (o?.test === undefined && !isUser(a) && !isUser(b)) return super.any(a, b, o);
        return collideUser(this, enums.bw_collide_mode.any, a, b, o, 'any').hitCount > 0;
    }
    count(a, b, o) { return o?.test === undefined && !isUser(a) && !isUser(b) ? super.count(a, b, o) : collideUser(this, enums.bw_collide_mode.count, a, b, o, 'count'); }
    pairs(a, b, o) { return o?.test === undefined && !isUser(a) && !isUser(b) ? super.pairs(a, b, o) : collideUser(this, enums.bw_collide_mode.all, a, b, o, 'pairs'); }

    get Tree() { return FullTree; }
    get queryOptions() { return ['separation', 'containment', 'rings', 'cache']; }
    cacheOf(v) { return live(v, PairCache, this.m, 'cache'); }
    pairCache() { return new PairCache(this); }

    /** Where two bodies meet: points, normals, regions; with depth the way out, with volume that of the overlap. */
    contacts(a, b, opts) {
        const { m } = this;
        const o = options(opts, ['depth', 'volume', 'tolerance', 'trials'], 'contacts');
        const q = { depth: flag(o.depth, 'depth'), volume: flag(o.volume, 'volume'), tolerance: optional(o.tolerance, 'tolerance'), trials: o.trials === undefined ? 0 : count(o.trials, 'trials') };
        return m.call(() => {
            const first = this.body(a, 'a'), second = this.body(b, 'b'), out = report(m, 'bw_contacts_report');
            let regions = 0, regionCapacity = 256, regionCount = 0;
            const run = (contacts, capacity) => {
                regions = m.take(regionCapacity * structs.bw_contact_region.size);
                m.check(m.x.bw_contacts(first, second, make(m, 'bw_contacts_desc', { ...q, regions, regionCapacity }), contacts, BigInt(capacity), out, m.fault), 'contacts');
                const r = read(m, 'bw_contacts_report', out);
                regionCount = r.regionCount;
                return r.contactCount;
            };
            let { at, n } = this.list('bw_contact', run, 256);
            if (regionCount > regionCapacity) { regionCapacity = regionCount; ({ at, n } = this.list('bw_contact', run, n)); }
            const answer = {
                ...columns(m, 'bw_contact', at, n, { a: 'a', b: 'b', kind: 'kind', region: 'region', pointCount: 'pointCount', points: 'point', ends: 'ends', normals: 'normal', depths: 'depth' }),
                regions: Array.from({ length: regionCount }, (_, i) => read(m, 'bw_contact_region', regions + i * structs.bw_contact_region.size)),
                report: read(m, 'bw_contacts_report', out),
            };
            answer.ends = ends(m, at, n);
            this.rest();
            return answer;
        });
    }

    /** How far apart two bodies are, and where. */
    distance(a, b, opts) {
        const { m } = this;
        const o = options(opts, ['maxDistance', 'stopBelow'], 'distance');
        const q = { maxDistance: optional(o.maxDistance, 'maxDistance'), stopBelow: optional(o.stopBelow, 'stopBelow') };
        return m.call(() => {
            const first = this.body(a, 'a'), second = this.body(b, 'b'), out = report(m, 'bw_distance_report');
            m.check(m.x.bw_distance(first, second, make(m, 'bw_distance_desc', q), out, m.fault), 'distance');
            return read(m, 'bw_distance_report', out);
        });
    }
    /** Every pair of triangles no farther apart than a distance. */
    within(a, b, distance) {
        const { m } = this;
        number(distance, 'distance');
        return m.call(() => {
            const first = this.body(a, 'a'), second = this.body(b, 'b'), out = report(m, 'bw_within_report');
            const { at, n } = this.list('bw_near', (pairs, pairCapacity) => {
                m.check(m.x.bw_within(first, second, make(m, 'bw_within_desc', { distance, pairs, pairCapacity }), out, m.fault), 'within');
                return read(m, 'bw_within_report', out).pairCount;
            });
            const answer = { ...columns(m, 'bw_near', at, n, { a: 'a', b: 'b', distance: 'distance' }), report: read(m, 'bw_within_report', out) };
            this.rest();
            return answer;
        });
    }

    /** Batches: many poses of one pair. pairs: [{ a, b }, ...] of bodies; groups of so many are one answer each. */
    anyMany(pairs, opts) {
        const { m } = this;
        const o = options(opts, ['groupSize', 'separation', 'coherent', 'count'], 'anyMany');
        const q = { groupSize: o.groupSize === undefined ? 1 : count(o.groupSize, 'groupSize'), separation: optional(o.separation, 'separation'), coherent: flag(o.coherent, 'coherent'),
            mode: flag(o.count, 'count') ? enums.bw_collide_mode.count : enums.bw_collide_mode.any };
        return m.call(() => {
            const { at, n, groups } = this.#list(pairs, q.groupSize);
            const answers = m.take(groups * structs.bw_collide_answer.size);
            m.check(m.x.bw_collide_many(at, n, make(m, 'bw_collide_many_desc', q), answers, 0, m.fault), 'anyMany');
            const c = columns(m, 'bw_collide_answer', answers, groups, { result: 'result', pair: 'pair', a: 'hit.a', b: 'hit.b', kind: 'hit.kind', hits: 'hitCount' });
            return { ...c, hits: Float64Array.from(c.hits, Number) };
        });
    }
    distanceMany(pairs, opts) {
        const { m } = this;
        const o = options(opts, ['groupSize', 'maxDistance', 'stopBelow', 'coherent'], 'distanceMany');
        const q = { groupSize: o.groupSize === undefined ? 1 : count(o.groupSize, 'groupSize'), maxDistance: optional(o.maxDistance, 'maxDistance'), stopBelow: optional(o.stopBelow, 'stopBelow'), coherent: flag(o.coherent, 'coherent') };
        return m.call(() => {
            const { at, n, groups } = this.#list(pairs, q.groupSize);
            const answers = m.take(groups * structs.bw_distance_answer.size);
            m.check(m.x.bw_distance_many(at, n, make(m, 'bw_distance_many_desc', q), answers, 0, m.fault), 'distanceMany');
            return columns(m, 'bw_distance_answer', answers, groups, { result: 'result', distance: 'distance', pair: 'pair', a: 'a', b: 'b', pointsA: 'pointA', pointsB: 'pointB' });
        });
    }
    #list(pairs, groupSize) {
        const { m } = this;
        if (!Array.isArray(pairs)) throw new BoxwoodError(`pairs: ${show(pairs)} is not an array of { a, b }`);
        const n = pairs.length, at = m.zero(24 * n);
        for (let i = 0; i < n; i++) {
            const p = pairs[i];
            if (p === null || typeof p !== 'object') throw new BoxwoodError(`pairs: item ${i}: ${show(p)} is not { a, b }`, { element: i });
            const a = this.body(p.a, `pair ${i}, a`), b = this.body(p.b, `pair ${i}, b`);
            const { u8 } = m.v;
            u8.copyWithin(at + 24 * i, a, a + 12);
            u8.copyWithin(at + 24 * i + 12, b, b + 12);
        }
        return { at, n, groups: Math.ceil(n / Math.max(1, groupSize)) };
    }

    /** Which points are inside a body: side 0 outside, 1 inside, 2 on the surface. */
    contains(body, given, opts) {
        const { m } = this;
        const o = options(opts, ['cache'], 'contains');
        const cache = o.cache === undefined ? null : live(o.cache, PairCache, m, 'cache'), p = points(given, 'points'), n = p.length / 3;
        return m.call(() => {
            const of = this.body(body, 'body'), out = m.take(Math.max(1, n) * structs.bw_location.size), told = report(m, 'bw_contains_report');
            m.check(m.x.bw_contains_many(of, m.copy(p), n, make(m, 'bw_contains_desc', { cache: cache?.address ?? 0 }), out, told, m.fault), 'contains');
            return { ...columns(m, 'bw_location', out, n, { side: 'side', certain: 'certain', winding: 'winding' }), report: read(m, 'bw_contains_report', told) };
        });
    }
    /** Distances with a sign, negative inside, and what is nearest. */
    signedDistance(body, given, opts) {
        const { m } = this;
        const o = options(opts, ['maxDistance', 'cache'], 'signedDistance');
        const cache = o.cache === undefined ? null : live(o.cache, PairCache, m, 'cache'), p = points(given, 'points'), n = p.length / 3;
        const q = { maxDistance: optional(o.maxDistance, 'maxDistance') };
        return m.call(() => {
            const of = this.body(body, 'body'), out = m.take(Math.max(1, n) * structs.bw_signed_hit.size), told = report(m, 'bw_contains_report');
            m.check(m.x.bw_signed_distance_many(of, m.copy(p), n, make(m, 'bw_signed_desc', { ...q, cache: cache?.address ?? 0 }), out, told, m.fault), 'signedDistance');
            return {
                ...columns(m, 'bw_signed_hit', out, n, { distance: 'distance', side: 'location.side', primitive: 'nearest.primitive', feature: 'nearest.feature', points: 'nearest.point', normals: 'nearest.normal', weights: 'nearest.weights' }),
                report: read(m, 'bw_contains_report', told),
            };
        });
    }
    /** Normal, barycentric weights and feature of points on primitives, such as nearestMany gives. */
    surfaceAt(body, primitives, given) {
        const { m } = this;
        const list = indices(primitives, 'primitives', 1), p = points(given, 'points');
        if (p.length !== 3 * list.length) throw new BoxwoodError(`surfaceAt: ${list.length} primitives, ${p.length / 3} points`);
        return m.call(() => {
            const out = m.take(Math.max(1, list.length) * structs.bw_surface_point.size);
            m.check(m.x.bw_surface_at_many(this.body(body, 'body'), m.copy(list), m.copy(p), list.length, out, m.fault), 'surfaceAt');
            return columns(m, 'bw_surface_point', out, list.length, { primitive: 'primitive', feature: 'feature', corner: 'corner', points: 'point', normals: 'normal', weights: 'weights' });
        });
    }
    /** The triangles that a region of space meets. */
    region(body, given, opts) {
        const { m } = this;
        const o = options(opts, ['insideOnly'], 'region');
        const insideOnly = flag(o.insideOnly, 'insideOnly');
        return m.call(() => {
            const where = this.putRegion(given), of = this.body(body, 'body'), out = report(m, 'bw_region_report');
            const { at, n } = this.list('bw_region_hit', (hits, hitCapacity) => {
                m.check(m.x.bw_collide_region(of, where, make(m, 'bw_region_desc', { mode: enums.bw_collide_mode.all, insideOnly, hits, hitCapacity }), out, m.fault), 'region');
                return read(m, 'bw_region_report', out).hitCount;
            });
            const answer = { ...columns(m, 'bw_region_hit', at, n, { primitive: 'primitive', inside: 'inside' }), report: read(m, 'bw_region_report', out) };
            this.rest();
            return answer;
        });
    }
    /** A region in scratch memory: { box }, { centre, radius }, { centre, end, radius }, { planes } or, for scenes, { ray }. */
    putRegion(given) {
        const { m } = this;
        if (given === null || typeof given !== 'object') throw new BoxwoodError(`region: ${show(given)} is not a region`);
        const o = options(given, REGION, 'region');
        const kind = o.kind ?? ('box' in o ? 'box' : 'planes' in o ? 'planes' : 'ray' in o ? 'ray' : 'end' in o ? 'capsule' : 'sphere');
        const desc = { kind: value('bw_region_kind', kind, 'region.kind'), pose: putPose(m, o.pose, 'region.pose') };
        if (kind === 'box') { const b = box(o.box, 'region.box'); desc.box = { min: [b[0], b[1], b[2]], max: [b[3], b[4], b[5]] }; }
        if (kind === 'sphere' || kind === 'capsule') Object.assign(desc, { centre: point(o.centre, 'region.centre'), radius: number(o.radius, 'region.radius') });
        if (kind === 'capsule') desc.end = point(o.end, 'region.end');
        if (kind === 'planes') { const p = Float32Array.from(doubles(o.planes, 4, 'region.planes')); desc.planes = m.copy(p); desc.planeCount = p.length / 4; }
        const at = make(m, 'bw_region', desc);
        if (kind === 'ray') putRay(m, at + structs.bw_region.fields.ray[0], o.ray, 'region.ray');
        return at;
    }
}

function ends(m, at, n) { // two points each
    const out = new Float64Array(6 * n), { f64 } = m.v, { size, fields } = structs.bw_contact;
    for (let i = 0; i < n; i++) { const p = (at + i * size + fields.ends[0]) >>> 3; for (let k = 0; k < 6; k++) out[6 * i + k] = f64[p + k]; }
    return out;
}
