// The module's memory: views that are never stale, scratch space for one call, and faults as exceptions.
import { read, structs } from './layout.js';

/** What the library refused, and where. `result` is the name of the result code; `element`, `vertex`, `axis` and `value` are null where they do not apply. */
export class BoxwoodError extends Error {
    constructor(message, { result = 'error-argument', defect = 'none', element = null, vertex = null, axis = null, value = null } = {}) {
        super(message);
        this.name = 'BoxwoodError';
        Object.assign(this, { result: result.replace(/^error-/, ''), defect, element, vertex, axis, value });
    }
}

export const NONE = 0xffffffff;
const SCRATCH = 1 << 16;

export class Memory {
    views = { u8: new Uint8Array(0) };
    #scratch;
    #used = 0;
    #blocks = [];
    constructor(exports) {
        this.x = exports;
        this.#scratch = this.alloc(SCRATCH);
        this.fault = this.alloc(structs.bw_fault.size);
    }
    /** The views, made again where the memory has grown since: the buffer of the old ones is then detached. */
    get v() {
        if (this.views.u8.length === 0) {
            const b = this.x.memory.buffer;
            this.views = {
                u8: new Uint8Array(b), u32: new Uint32Array(b), i32: new Int32Array(b), f32: new Float32Array(b), f64: new Float64Array(b),
                u64: new BigUint64Array(b), data: new DataView(b),
            };
        }
        return this.views;
    }
    /** Memory that stays until `free`; throws where there is none. */
    alloc(bytes) {
        if (!(bytes <= 0xfffff000)) throw new BoxwoodError(`${bytes} bytes are more than the module can hold`, { result: 'error-memory', value: bytes });
        const at = this.x.bwx_alloc(Math.max(1, bytes)) >>> 0;
        if (at === 0) throw new BoxwoodError(`not enough memory: ${bytes} bytes`, { result: 'error-memory', value: bytes });
        return at;
    }
    free(at) { if (at) this.x.bwx_free(at); }
    /** How many bytes are allocated and how large the memory is; for tests and curiosity. */
    get allocated() { return this.x.bwx_allocated() >>> 0; }

    /** Runs f; what it takes by `take` is given back when it ends. Calls nest where a query calls back into JavaScript. */
    call(f) {
        const used = this.#used, blocks = this.#blocks.length;
        try {
            return f();
        } finally {
            this.#used = used;
            while (this.#blocks.length > blocks) this.free(this.#blocks.pop());
        }
    }
    /** Memory for the present call, aligned to 16 bytes. */
    take(bytes) {
        const rounded = (bytes + 15) & ~15;
        if (bytes < SCRATCH && this.#used + rounded <= SCRATCH) {
            const at = this.#scratch + this.#used;
            this.#used += rounded;
            return at;
        }
        const at = this.alloc(bytes);
        this.#blocks.push(at);
        return at;
    }
    /** The same, all zero. */
    zero(bytes) {
        const at = this.take(bytes);
        this.v.u8.fill(0, at, at + bytes);
        return at;
    }
    /** A copy of a typed array, for the present call or (alloc) to keep. */
    copy(array, keep = false) {
        const at = keep ? this.alloc(array.byteLength) : this.take(array.byteLength);
        if (array.byteLength > 0) this.v.u8.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
        return at;
    }
    text(at) {
        const { u8 } = this.v;
        let s = '';
        for (let i = at; at !== 0 && u8[i] !== 0; i++) s += String.fromCharCode(u8[i]);
        return s;
    }
    /** Throws where a call that was given `fault` failed. */
    check(result, what = '') {
        if (result === 0) return;
        const fault = read(this, 'bw_fault', this.fault);
        const place = [];
        const name = (v) => (v === NONE ? null : v);
        const element = name(fault.element), vertex = name(fault.vertex), axis = name(fault.axis);
        const about = axis !== null || fault.value !== 0;
        if (element !== null) place.push(`element ${element}`);
        if (vertex !== null) place.push(`vertex ${vertex}`);
        if (axis !== null) place.push(`${'xyz'[axis] ?? `axis ${axis}`} = ${fault.value}`);
        else if (fault.value !== 0) place.push(`value ${fault.value}`);
        throw new BoxwoodError(`${what ? `${what}: ` : ''}${place.length ? `${place.join(', ')}: ` : ''}${this.text(fault.text) || fault.result}`,
            { result: fault.result, defect: fault.defect, element, vertex, axis, value: about ? fault.value : null });
    }
    /** The same for calls that take no fault. */
    plain(result, what = '') {
        if (result === 0) return;
        throw new BoxwoodError(`${what ? `${what}: ` : ''}${this.text(this.x.bw_result_string(result))}`, { result: Object.keys(this.results).find((k) => this.results[k] === result) });
    }
}
