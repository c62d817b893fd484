// Calls from the module back into JavaScript. The module imports nothing: a function of JavaScript is put into its table, where C finds it as a pointer to a
// function, by way of a module of some forty bytes that gives it a type of WebAssembly and is made when it is first needed.
import { BoxwoodError } from './memory.js';

// Types of WebAssembly: parameters and result of each kind of call.
const I32 = 0x7f, I64 = 0x7e, F64 = 0x7c;
const kinds = {
    test: { parameters: [I32, I32, I32], result: I32 }, // bw_user_pair_fn
    value: { parameters: [I32, I64, I32, F64, F64], result: F64 }, // bw_scene_value_fn
    goOn: { parameters: [I32], result: I32 }, // bw_progress
};

/** A function of JavaScript as one of WebAssembly: a module that exports what it imports. */
function typed({ parameters, result }, f) {
    const section = (id, ...content) => [id, content.length, ...content];
    const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, ...section(1, 1, 0x60, parameters.length, ...parameters, 1, result), ...section(2, 1, 1, 109, 1, 102, 0, 0), ...section(7, 1, 1, 102, 0, 0));
    return new WebAssembly.Instance(new WebAssembly.Module(bytes), { m: { f } }).exports.f;
}

/** What one query asks of JavaScript. */
class Frame {
    failed = false;
    error = undefined;
    constructor(answers) { this.answers = answers; }
    /** Runs the caller's function; where it throws nothing more is asked, and `otherwise` ends the query. */
    ask(kind, otherwise, args) {
        if (this.failed) return otherwise;
        try {
            return this.answers[kind](...args);
        } catch (error) {
            this.failed = true;
            this.error = error;
            return otherwise;
        }
    }
}

/** The calls back of one module. */
export class Callbacks {
    #x;
    #frames = [];
    #indices = {};
    #least;
    constructor(exports) {
        this.#x = exports;
        this.#least = (exports.stack?.value ?? 0) / 2;
    }
    /** The pointer to the function for a kind of call: the one function answers for whichever query runs. */
    pointer(kind) {
        if (this.#indices[kind] === undefined) {
            const top = () => this.#frames[this.#frames.length - 1];
            const answer = {
                test: (_, a, b) => top().ask('test', 0, [a >>> 0, b >>> 0]),
                value: (_, id, path, bound, limit) => top().ask('value', -1, [BigInt.asUintN(64, id), path >>> 0, bound, limit]),
                goOn: () => (top().failed ? 0 : top().answers.goOn === undefined ? 1 : top().ask('goOn', 0, [])),
            }[kind];
            const { table } = this.#x, at = table.grow(1);
            table.set(at, typed(kinds[kind], answer));
            this.#indices[kind] = at;
        }
        return this.#indices[kind];
    }
    /** Runs a query that calls back. What is `held` may be read meanwhile, by other queries, too, and disposed of, but not changed. What `answers` throw comes out
     * when the query has ended: none of its own memory stays behind. */
    run(answers, held, query) {
        // The other half of the module's stack is for what the functions ask.
        if (this.#x.stack.value < this.#least) throw new BoxwoodError(`${this.#frames.length} queries in functions that queries call: there is no room for more`, { result: 'error-unsupported' });
        const frame = new Frame(answers), { stack } = this.#x, level = stack.value;
        for (const h of held) h.read();
        this.#frames.push(frame);
        let done = false;
        try {
            const out = query();
            done = true;
            if (frame.failed) throw frame.error;
            return out;
        } catch (error) {
            if (frame.failed) throw frame.error;
            throw error;
        } finally {
            if (!done) stack.value = level; // the engine ended the query because its own stack overflowed
            this.#frames.pop();
            for (const h of held) h.readDone();
        }
    }
}
