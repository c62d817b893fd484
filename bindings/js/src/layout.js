// Structs of C in the module's memory: written from plain objects, read as plain objects, or column by column from arrays.
import { enums, structs } from './generated.js';
import { BoxwoodError } from './memory.js';
export { enums, structs };

/** The value of an enum by its name. */
export function value(of, name, what = 'option') {
    if (typeof name === 'string' && Object.hasOwn(enums[of], name)) return enums[of][name];
    throw new BoxwoodError(`${what}: ${show(name)} is none of ${Object.keys(enums[of]).join(', ')}`);
}
const names = {};
for (const [of, values] of Object.entries(enums)) {
    names[of] = [];
    for (const [name, v] of Object.entries(values)) names[of][v] = name;
}
/** The names of an enum by value, as in columns of answers. */
export { names };
/** A value for a message, whatever it is. */
export function show(v) {
    if (typeof v === 'string') return JSON.stringify(v.length > 40 ? v.slice(0, 40) + '…' : v);
    if (typeof v === 'bigint') return `${v}n`;
    if (typeof v === 'number' || v === null || v === undefined || typeof v === 'boolean') return String(v);
    return Array.isArray(v) ? 'an array' : typeof v === 'function' ? 'a function' : typeof v === 'symbol' ? 'a symbol' : 'an object';
}

/** Writes a struct: all zero but for what is given. Structs that begin with `size` get theirs. Numbers are taken as they are: callers have checked them. */
export function write(m, of, at, given) {
    const { size, fields } = structs[of];
    const { u8, data } = m.v;
    u8.fill(0, at, at + size);
    if (fields.size && !('size' in given)) data.setUint32(at, size, true);
    for (const name in given) {
        const v = given[name];
        if (v === undefined || v === null) continue;
        const [offset, kind, count, struct] = fields[name];
        const p = at + offset;
        if (kind === 'struct') write(m, struct, p, v);
        else if (count) for (let i = 0; i < count; i++) put(data, kind, p, i, v[i]);
        else put(data, kind, p, 0, v);
    }
    return at;
}
function put(data, kind, at, i, v) {
    switch (kind) {
        case 'f64': data.setFloat64(at + 8 * i, v, true); break;
        case 'f32': data.setFloat32(at + 4 * i, v, true); break;
        case 'u64': data.setBigUint64(at + 8 * i, typeof v === 'bigint' ? v : BigInt(v), true); break;
        case 'bool': data.setUint8(at + i, v ? 1 : 0); break;
        default: data.setUint32(at + 4 * i, v, true);
    }
}
/** A struct in scratch memory. */
export function make(m, of, given = {}) {
    return write(m, of, m.take(structs[of].size), given);
}
/** Room for a report, with its size set. */
export function report(m, of) {
    return make(m, of);
}

/** Reads a struct: enums by name, 64-bit counts as numbers (ids as bigint), vectors as arrays. Pointers, `size` and `user` are left out. */
const ids = new Set(['id', 'a', 'b', 'except']);
export function read(m, of, at) {
    const out = {};
    const { data } = m.v;
    for (const name in structs[of].fields) {
        const [offset, kind, count, more] = structs[of].fields[name];
        if (name === 'size') continue;
        const p = at + offset;
        if (kind === 'pointer') { if (name === 'text' || name === 'reason') out[name] = name === 'text' ? data.getUint32(p, true) : m.text(data.getUint32(p, true)); }
        else if (count && kind !== 'struct') out[name] = Array.from({ length: count }, (_, i) => get(data, kind, p, i));
        else if (kind === 'struct') { if (!count) out[name] = read(m, more, p); }
        else if (kind === 'enum') { const v = data.getUint32(p, true); out[name] = names[more][v] ?? v; }
        else if (kind === 'u64') { const v = data.getBigUint64(p, true); out[name] = ids.has(name) ? v : Number(v); }
        else out[name] = get(data, kind, p, 0);
    }
    return out;
}
function get(data, kind, at, i) {
    switch (kind) {
        case 'f64': return data.getFloat64(at + 8 * i, true);
        case 'f32': return data.getFloat32(at + 4 * i, true);
        case 'u64': return data.getBigUint64(at + 8 * i, true);
        case 'i32': return data.getInt32(at + 4 * i, true);
        case 'bool': return data.getUint8(at + i) !== 0;
        default: return data.getUint32(at + 4 * i, true);
    }
}

const words = { f64: 2, f32: 1, u32: 1, i32: 1, u64: 2, enum: 0 };
const arrays = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, i32: Int32Array, u64: BigUint64Array, bool: Uint8Array, enum: Uint8Array };
/** An array of n structs as typed arrays of its fields, each a copy of its own. wanted: { column: 'field' } or { column: 'struct.field' }. */
export function columns(m, of, at, n, wanted) {
    const out = { count: n };
    const { size } = structs[of];
    for (const column in wanted) {
        const [offset, kind, count] = place(of, wanted[column]), width = count || 1;
        if (n < 128 || kind === 'bool') { out[column] = few(m, at + offset, size, n, kind, width); continue; }
        out[column] = m.call(() => {
            const type = arrays[kind], to = m.take(n * width * type.BYTES_PER_ELEMENT);
            m.x.bwx_column(at + offset, size, n, words[kind] * width, to);
            return new type(m.v.u8.buffer, to, n * width).slice();
        });
    }
    return out;
}
/** The same for a few, without a call. */
function few(m, p, size, n, kind, width) {
    const { u8, u32, f64, f32, u64 } = m.v, to = new arrays[kind](n * width);
    switch (kind) {
        case 'f64': for (let i = 0, k = 0; i < n; i++, p += size) for (let j = 0; j < width; j++) to[k++] = f64[(p >>> 3) + j]; break;
        case 'f32': for (let i = 0, k = 0; i < n; i++, p += size) for (let j = 0; j < width; j++) to[k++] = f32[(p >>> 2) + j]; break;
        case 'u64': for (let i = 0; i < n; i++, p += size) to[i] = u64[p >>> 3]; break;
        case 'bool': for (let i = 0; i < n; i++, p += size) to[i] = u8[p]; break;
        default: for (let i = 0, k = 0; i < n; i++, p += size) for (let j = 0; j < width; j++) to[k++] = u32[(p >>> 2) + j];
    }
    return to;
}
function place(of, path) {
    let offset = 0, struct = of, field;
    for (const name of path.split('.')) {
        field = structs[struct].fields[name];
        offset += field[0];
        struct = field[3];
    }
    return [offset, field[1], field[2]];
}
