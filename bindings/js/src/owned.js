// Objects that own something in the module's memory: given back by `dispose`, or, as a net, when the object is garbage.
import { BoxwoodError } from './memory.js';

/** What is owned. It is freed when nobody holds it any more: its object, and what was made of it (a tree outlives what looks into it). */
class Holding {
    #holders = 1;
    #readers = 0;
    constructor(m, at, destroy, blocks, uses) {
        Object.assign(this, { m, at, destroy, blocks, uses });
        for (const used of uses) used.retain();
    }
    retain() { this.#holders++; }
    /** A query reads it that calls back into JavaScript: it must stay, and as it is. */
    read() {
        this.retain();
        this.#readers++;
    }
    readDone() {
        this.#readers--;
        this.release();
    }
    get busy() { return this.#readers > 0; }
    /** Holds on to another one from now on, and lets go of it. */
    use(other) {
        other.retain();
        this.uses.push(other);
    }
    unuse(other) {
        this.uses.splice(this.uses.indexOf(other), 1);
        other.release();
    }
    release() {
        if (--this.#holders > 0) return;
        if (this.at) this.destroy?.(this.at);
        for (const block of this.blocks) this.m.free(block);
        for (const used of this.uses) used.release();
        this.at = 0;
        this.blocks = [];
        this.uses = [];
    }
}

const garbage = typeof FinalizationRegistry === 'undefined' ? null : new FinalizationRegistry((holding) => holding.release());

export class Owned {
    #holding = null;
    #m;
    /** Takes over `at`, `blocks` of memory, and holds on to `uses`, other objects, until it is disposed of. */
    own(m, at, destroy, { blocks = [], uses = [] } = {}) {
        this.#m = m;
        this.#holding = new Holding(m, at, destroy, blocks, uses.map((object) => object.holding));
        garbage?.register(this, this.#holding, this);
    }
    get m() { return this.#m; }
    /** For objects that are made of this one. */
    get holding() {
        if (this.#holding === null) throw new BoxwoodError(`${this.constructor.name}: it was disposed of`, { result: 'error-stale' });
        return this.#holding;
    }
    /** The address in the module; throws once disposed of. */
    get address() { return this.holding.at; }
    /** The same, for what changes the object: not while a query reads it that has called back into JavaScript. */
    get changing() {
        if (this.holding.busy) throw new BoxwoodError(`${this.constructor.name}: a query that calls this function reads it, so it cannot be changed now`, { result: 'error-unsupported' });
        return this.holding.at;
    }
    get disposed() { return this.#holding === null; }
    /** Gives the memory back; a second time does nothing. Objects made of this one may go on. */
    dispose() {
        if (this.#holding === null) return;
        garbage?.unregister(this);
        const holding = this.#holding;
        this.#holding = null;
        holding.release();
    }
}
if (typeof Symbol.dispose === 'symbol') Owned.prototype[Symbol.dispose] = Owned.prototype.dispose;

/** That v is an object of this class, of this module, and not disposed of. */
export function live(v, kind, m, what) {
    if (!(v instanceof kind)) throw new BoxwoodError(`${what}: not a ${kind.name}`);
    if (v.holding.m !== m) throw new BoxwoodError(`${what}: a ${kind.name} of another module`);
    return v;
}
