// Spheres, capsules, boxes, half-spaces and hulls, with each other and against meshes.
import { putMotion } from './motion.js';
import { columns, enums, make, names, read, report, show, structs, value } from './layout.js';
import { BoxwoodError } from './memory.js';
import { Owned, live } from './owned.js';
import { count, optional, options, point, points, putPose, putRay, RAY } from './values.js';

/** The convex hull of points. Made by `bw.hull`. */
export class Hull extends Owned {
    constructor(core, given) {
        super();
        const { m } = core, p = points(given, 'points');
        const at = m.call(() => {
            const out = m.zero(4);
            m.check(m.x.bw_hull_create(0, m.copy(p), p.length / 3, out, m.fault), 'hull');
            return m.v.u32[out >>> 2];
        });
        this.own(m, at, m.x.bw_hull_destroy);
    }
    /** Its surface: { positions, indices }. */
    mesh() {
        const { m } = this;
        return m.call(() => {
            const at = m.take(structs.bw_mesh.size), f = structs.bw_mesh.fields;
            m.x.bw_hull_mesh(at, this.address);
            const u = (name) => m.v.u32[(at + f[name][0]) >>> 2];
            return { positions: m.v.f64.slice(u('positions') >>> 3, (u('positions') >>> 3) + 3 * u('vertexCount')), indices: m.v.u32.slice(u('indices') >>> 2, (u('indices') >>> 2) + 3 * u('triangleCount')) };
        });
    }
}

/** A shape in scratch memory: { sphere: r }, { capsule: [radius, half length] }, { box: [x, y, z] halves, radius }, { halfSpace: true }, { hull, radius }. */
export function putShape(m, v, what) {
    if (v === null || typeof v !== 'object') throw new BoxwoodError(`${what}: ${show(v)} is not a shape`);
    const o = options(v, ['kind', 'radius', 'half', 'hull', 'pose'], what);
    const kind = value('bw_shape_kind', o.kind, `${what}.kind`);
    const hull = kind === enums.bw_shape_kind.hull ? live(o.hull, Hull, m, `${what}.hull`) : null;
    return make(m, 'bw_shape', { kind, radius: optional(o.radius, `${what}.radius`), half: o.half === undefined ? [0, 0, 0] : point(o.half, `${what}.half`), hull: hull === null ? 0 : hull.address });
}
export function placed(m, v, what) {
    const shape = putShape(m, v, what);
    return make(m, 'bw_placed_shape', { shape, pose: putPose(m, v.pose, `${what}.pose`) });
}

export const shapes = {
    /** How two shapes meet: { kind, normal, depth, depthLower, points: [{ pointA, pointB, depth, feature }] }. Options: separation, maxPoints (4). */
    shapeContact(core, a, b, opts) {
        const { m } = core, o = options(opts, ['separation', 'maxPoints'], 'shapeContact');
        const separation = optional(o.separation, 'separation'), maxPoints = o.maxPoints === undefined ? 0 : count(o.maxPoints, 'maxPoints', 4);
        return m.call(() => {
            const out = m.take(structs.bw_shape_contact.size);
            m.check(m.x.bw_shape_contact_pair(placed(m, a, 'a'), placed(m, b, 'b'), make(m, 'bw_shape_desc', { separation, maxPoints }), out, m.fault), 'shapeContact');
            return contact(m, out);
        });
    },
    shapeOverlap(core, a, b) {
        const { m } = core;
        return m.call(() => {
            const out = m.zero(4);
            m.check(m.x.bw_shape_overlap(placed(m, a, 'a'), placed(m, b, 'b'), out, m.fault), 'shapeOverlap');
            return names.bw_contact_kind[m.v.u32[out >>> 2]];
        });
    },
    shapeDistance(core, a, b) {
        const { m } = core;
        return m.call(() => {
            const out = m.take(structs.bw_shape_nearest.size);
            m.check(m.x.bw_shape_distance(placed(m, a, 'a'), placed(m, b, 'b'), 0, out, m.fault), 'shapeDistance');
            return read(m, 'bw_shape_nearest', out);
        });
    },
    shapeRaycast(core, shape, ray) {
        const { m } = core;
        return m.call(() => {
            const at = m.take(RAY), out = m.take(structs.bw_shape_ray_hit.size);
            putRay(m, at, ray);
            m.check(m.x.bw_shape_raycast(placed(m, shape, 'shape'), at, out, m.fault), 'shapeRaycast');
            const hit = read(m, 'bw_shape_ray_hit', out);
            return hit.hit ? hit : null;
        });
    },
    /** Every triangle of a body that a shape meets. */
    shapeCollide(core, shape, body, opts) {
        const { m } = core, o = options(opts, ['separation'], 'shapeCollide');
        const separation = optional(o.separation, 'separation');
        return m.call(() => {
            const of = placed(m, shape, 'shape'), to = core.body(body, 'body'), out = report(m, 'bw_shape_collide_report');
            const { at, n } = core.list('bw_shape_hit', (hits, hitCapacity) => {
                m.check(m.x.bw_shape_collide_body(of, to, make(m, 'bw_shape_collide_desc', { mode: enums.bw_collide_mode.all, separation, hits, hitCapacity }), out, m.fault), 'shapeCollide');
                return read(m, 'bw_shape_collide_report', out).hitCount;
            }, 256);
            const answer = { ...columns(m, 'bw_shape_hit', at, n, { primitive: 'primitive', kind: 'contact.kind', normals: 'contact.normal', depth: 'contact.depth' }), report: read(m, 'bw_shape_collide_report', out) };
            core.rest();
            return answer;
        });
    },
    shapeDistanceBody(core, shape, body, opts) {
        const { m } = core, o = options(opts, ['maxDistance'], 'shapeDistanceBody');
        const maxDistance = optional(o.maxDistance, 'maxDistance');
        return m.call(() => {
            const out = report(m, 'bw_shape_distance_report');
            m.check(m.x.bw_shape_distance_body(placed(m, shape, 'shape'), core.body(body, 'body'), make(m, 'bw_shape_distance_desc', { maxDistance }), out, m.fault), 'shapeDistanceBody');
            return read(m, 'bw_shape_distance_report', out);
        });
    },
    /** When two shapes that move first touch. */
    shapeSweep(core, a, motionA, b, motionB, opts) {
        const { m } = core, q = sweep(opts);
        return m.call(() => {
            const out = report(m, 'bw_shape_sweep_report'), first = putMotion(m, motionA ?? {}, 'motion of a'), second = putMotion(m, motionB ?? {}, 'motion of b');
            m.check(m.x.bw_shape_sweep(putShape(m, a, 'a'), first, putShape(m, b, 'b'), second, make(m, 'bw_shape_sweep_desc', q), out, m.fault), 'shapeSweep');
            return read(m, 'bw_shape_sweep_report', out);
        });
    },
    /** When a shape that moves first touches a body that moves. */
    shapeSweepBody(core, shape, motion, body, bodyMotion, opts) {
        const { m } = core, q = sweep(opts);
        return m.call(() => {
            const out = report(m, 'bw_shape_sweep_report'), first = putMotion(m, motion ?? {}, 'motion of the shape'), second = putMotion(m, bodyMotion ?? {}, 'motion of the body');
            m.check(m.x.bw_shape_sweep_body(putShape(m, shape, 'shape'), first, core.body(body, 'body'), second, make(m, 'bw_shape_sweep_desc', q), out, m.fault), 'shapeSweepBody');
            return read(m, 'bw_shape_sweep_report', out);
        });
    },
};
function sweep(opts) {
    const o = options(opts, ['tolerance', 'maxSteps'], 'sweep');
    return { tolerance: optional(o.tolerance, 'tolerance'), maxSteps: o.maxSteps === undefined ? 0 : count(o.maxSteps, 'maxSteps') };
}
function contact(m, at) {
    const c = read(m, 'bw_shape_contact', at), { fields } = structs.bw_shape_contact;
    c.points = Array.from({ length: c.pointCount }, (_, i) => read(m, 'bw_shape_point', at + fields.points[0] + i * structs.bw_shape_point.size));
    delete c.pointCount;
    return c;
}
