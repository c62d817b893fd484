// What callers give: numbers, points, poses, rays, arrays of positions and indices; each checked, with the place and the value where it is wrong.
import { show, value } from './layout.js';
import { BoxwoodError, NONE } from './memory.js';

export function number(v, what) {
    if (typeof v !== 'number') throw new BoxwoodError(`${what}: ${show(v)} is not a number`);
    return v;
}
export function optional(v, what, otherwise = 0) {
    return v === undefined || v === null ? otherwise : number(v, what);
}
export function count(v, what, most = NONE) {
    if (typeof v !== 'number' || !Number.isInteger(v) || v < 0 || v > most) {
        throw new BoxwoodError(`${what}: ${show(v)} is not a whole number from 0 to ${most}`, { value: typeof v === 'number' ? v : null });
    }
    return v;
}
export function options(v, known, what) {
    if (v === undefined || v === null) return {};
    if (typeof v !== 'object' || Array.isArray(v) || ArrayBuffer.isView(v)) throw new BoxwoodError(`${what}: options are an object, not ${show(v)}`);
    for (const name in v) if (!known.includes(name)) throw new BoxwoodError(`${what}: there is no option ${show(name)}; there are ${known.join(', ')}`);
    return v;
}
export function choice(of, v, otherwise, what) {
    return v === undefined || v === null ? otherwise : value(of, v, what);
}
export function flag(v, what) {
    if (v === undefined || v === null || v === false) return false;
    if (v === true) return true;
    throw new BoxwoodError(`${what}: ${show(v)} is neither true nor false`);
}

function isArray(v) {
    if (Array.isArray(v)) return true;
    if (!ArrayBuffer.isView(v) || v instanceof DataView) return false;
    if (v.length === 0 && detached(v.buffer)) throw new BoxwoodError('the buffer of an array was detached: its numbers are elsewhere now');
    return true;
}
function detached(buffer) {
    if ('detached' in buffer) return buffer.detached;
    try {
        return new Uint8Array(buffer).length < 0;
    } catch {
        return true;
    }
}
/** Numbers as Float64Array, of a length that is a multiple of `width` (or exactly it). */
export function doubles(v, width, what, exact = false) {
    if (!isArray(v)) throw new BoxwoodError(`${what}: ${show(v)} is not an array of numbers`);
    const n = v.length;
    if (exact ? n !== width : n % width !== 0) throw new BoxwoodError(`${what}: ${n} numbers, not ${exact ? width : `a multiple of ${width}`}`, { value: n });
    if (v instanceof Float64Array) return v;
    const out = new Float64Array(n);
    if (ArrayBuffer.isView(v)) {
        if (v instanceof BigInt64Array || v instanceof BigUint64Array) throw new BoxwoodError(`${what}: 64-bit integers are not coordinates`);
        out.set(v);
    } else {
        for (let i = 0; i < n; i++) {
            if (typeof v[i] !== 'number') throw new BoxwoodError(`${what}: item ${i}: ${show(v[i])} is not a number`, { element: i });
            out[i] = v[i];
        }
    }
    return out;
}
/** A point: [x, y, z], or an object with x, y and z, as three.js has it. */
export function point(v, what) {
    if (v !== null && typeof v === 'object' && !isArray(v) && 'x' in v) return [number(v.x, `${what}.x`), number(v.y, `${what}.y`), number(v.z, `${what}.z`)];
    return doubles(v, 3, what, true);
}
/** Many points: numbers in a row, or an array of points. */
export function points(v, what) {
    if (Array.isArray(v) && v.length > 0 && typeof v[0] !== 'number') {
        const out = new Float64Array(3 * v.length);
        for (let i = 0; i < v.length; i++) out.set(point(v[i], `${what}, point ${i}`), 3 * i);
        return out;
    }
    return doubles(v, 3, what);
}
export function box(v, what) {
    if (v !== null && typeof v === 'object' && !isArray(v) && 'min' in v && 'max' in v) return [...point(v.min, `${what}.min`), ...point(v.max, `${what}.max`)];
    return doubles(v, 6, what, true);
}

/** A pose as twelve doubles by rows: of twelve numbers by rows, or of sixteen by columns as WebGL and three.js (Matrix4) have them. Null: none. */
export function pose(v, what = 'pose') {
    if (v === undefined || v === null) return null;
    const e = typeof v === 'object' && !isArray(v) && 'elements' in v ? v.elements : v;
    if (!isArray(e) || (e.length !== 12 && e.length !== 16)) throw new BoxwoodError(`${what}: a pose is 12 numbers by rows, or 16 by columns, or a Matrix4`);
    if (ArrayBuffer.isView(e) && (e instanceof BigInt64Array || e instanceof BigUint64Array)) throw new BoxwoodError(`${what}: 64-bit integers are not numbers here`);
    for (let i = 0; i < e.length; i++) if (typeof e[i] !== 'number') throw new BoxwoodError(`${what}: item ${i}: ${show(e[i])} is not a number`, { element: i });
    if (e.length === 12) return e;
    if (e[3] !== 0 || e[7] !== 0 || e[11] !== 0 || e[15] !== 1) throw new BoxwoodError(`${what}: the last row of a matrix must be 0 0 0 1, not ${e[3]} ${e[7]} ${e[11]} ${e[15]}`);
    return [e[0], e[4], e[8], e[12], e[1], e[5], e[9], e[13], e[2], e[6], e[10], e[14]];
}
/** In scratch memory; 0: none. */
export function putPose(m, v, what) {
    if (v === undefined || v === null) return 0;
    const e = v.elements ?? v, at = m.take(96), { f64 } = m.v, k = at >>> 3;
    if (e instanceof Float64Array || (Array.isArray(e) && e.every(isNumber))) { // what is usual, without another copy
        if (e.length === 12) { f64.set(e, k); return at; }
        if (e.length === 16 && e[3] === 0 && e[7] === 0 && e[11] === 0 && e[15] === 1) {
            for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) f64[k + 4 * r + c] = e[r + 4 * c];
            return at;
        }
    }
    f64.set(pose(v, what), k);
    return at;
}
const isNumber = (x) => typeof x === 'number';

/** A ray: { origin, direction, tMax } or { from, through, tMax }, or three's Ray. Sixty-four bytes at `at`. */
export function putRay(m, at, v, what = 'ray') {
    if (v === null || typeof v !== 'object') throw new BoxwoodError(`${what}: ${show(v)} is not a ray`);
    const between = 'from' in v;
    const o = point(between ? v.from : v.origin, between ? 'ray.from' : 'ray.origin'), d = point(between ? v.through : v.direction, between ? 'ray.through' : 'ray.direction');
    const tMax = v.tMax === undefined || v.tMax === null || v.tMax === Infinity ? 0 : number(v.tMax, 'ray.tMax'), { f64, u8 } = m.v, k = at >>> 3;
    f64[k] = o[0], f64[k + 1] = o[1], f64[k + 2] = o[2], f64[k + 3] = d[0], f64[k + 4] = d[1], f64[k + 5] = d[2], f64[k + 6] = tMax;
    u8.fill(0, at + 56, at + 64);
    u8[at + 56] = between ? 1 : 0;
}
export const RAY = 64;

/** Positions of a mesh: Float32Array and Float64Array as they are, small integers as floats, other numbers as doubles. */
export function positions(v, what) {
    if (isArray(v) && (v instanceof Float32Array || v instanceof Float64Array)) {
        if (v.length % 3 !== 0) throw new BoxwoodError(`${what}: ${v.length} numbers, not a multiple of 3`, { value: v.length });
        return v;
    }
    if (v instanceof Int8Array || v instanceof Uint8Array || v instanceof Uint8ClampedArray || v instanceof Int16Array || v instanceof Uint16Array) return new Float32Array(doubles(v, 3, what));
    return Array.isArray(v) && v.length > 0 && typeof v[0] !== 'number' ? points(v, what) : doubles(v, 3, what);
}
/** Indices: three for each triangle (width 3), or of another width. */
export function indices(v, what, width = 3) {
    if (!isArray(v)) throw new BoxwoodError(`${what}: ${show(v)} is not an array of indices`);
    if (v.length % width !== 0) throw new BoxwoodError(`${what}: ${v.length} indices, not a multiple of ${width}`, { value: v.length });
    if (v instanceof Uint32Array) return v;
    const out = new Uint32Array(v.length);
    if (v instanceof Uint16Array || v instanceof Uint8Array) { out.set(v); return out; }
    for (let i = 0; i < v.length; i++) {
        const k = v[i];
        if (typeof k !== 'number' || !Number.isInteger(k) || k < 0 || k >= NONE) {
            throw new BoxwoodError(`${what}: item ${i}: ${show(k)} is not an index`, { result: 'error-index', defect: 'index', element: Math.floor(i / width), value: typeof k === 'number' ? k : null });
        }
        out[i] = k;
    }
    return out;
}
/** A mesh: { positions, indices }; without indices every vertex is a point of its own. */
export function mesh(v, what = 'mesh') {
    if (v === null || typeof v !== 'object') throw new BoxwoodError(`${what}: ${show(v)} is not a mesh: { positions, indices }`);
    const p = positions(v.positions, `${what}.positions`);
    return { positions: p, indices: v.indices === undefined || v.indices === null ? null : indices(v.indices, `${what}.indices`) };
}
export function ids(v, what) {
    if (!isArray(v)) throw new BoxwoodError(`${what}: ${show(v)} is not an array of ids`);
    if (v instanceof BigUint64Array) return v;
    const out = new BigUint64Array(v.length);
    for (let i = 0; i < v.length; i++) out[i] = id(v[i], `${what}, item ${i}`);
    return out;
}
export function id(v, what = 'id') {
    if (typeof v !== 'bigint' || v < 0n || v >= 1n << 64n) throw new BoxwoodError(`${what}: ${show(v)} is not an id (a bigint)`);
    return v;
}

/** Boxes, six floats each: Float32Array as it is, other numbers rounded outward. */
export function boxes(v, what) {
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
