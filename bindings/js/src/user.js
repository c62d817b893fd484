// Trees over primitives that only their owner knows, by their boxes, and contacts by a test of the owner's.
import { Body } from './core.js';
import { columns, enums, make, read, report, show, structs, value } from './layout.js';
import { BoxwoodError } from './memory.js';
import { boxes, choice, options } from './values.js';

/** A tree over boxes, six numbers each, that stand for anything. Made by `bw.userTree`; can be given to `any`, `count` and `pairs`. */
export class UserTree extends Body {
    #boxes; // that the tree asks for: where their address is
    #spare = 0;
    constructor(core, given, opts) {
        super();
        const { m } = core, o = options(opts, ['builder'], 'userTree'), builder = choice('bw_builder', o.builder, 0, 'builder'), b = boxes(given, 'boxes'), blocks = [];
        try {
            blocks.push((this.#boxes = m.alloc(16)));
            const at = m.copy(b, true);
            blocks.push(at);
            m.v.u32[this.#boxes >>> 2] = at;
            const tree = m.call(() => {
                const out = m.zero(4);
                m.check(m.x.bwx_user_tree(make(m, 'bw_tree_desc', { builder }), this.#boxes, b.length / 6, out, m.fault), 'userTree');
                return m.v.u32[out >>> 2];
            });
            this.own(m, tree, m.x.bw_tree_destroy, { blocks });
        } catch (error) {
            for (const block of blocks) m.free(block);
            throw error;
        }
        this.count = b.length / 6;
    }
    writeBody(m, at) {
        const { u32 } = m.v, k = at >>> 2;
        u32[k] = this.address;
        u32[k + 1] = 0;
    }
    /** Fits the tree to new boxes, as many as it has. */
    update(given) {
        const { m } = this, b = boxes(given, 'boxes');
        void this.changing;
        if (b.length !== 6 * this.count) throw new BoxwoodError(`update: ${b.length / 6} boxes, not ${this.count}`, { result: 'error-mismatch', value: b.length / 6 });
        if (this.#spare === 0) this.holding.blocks.push((this.#spare = m.alloc(b.byteLength)));
        m.v.f32.set(b, this.#spare >>> 2); // into the other of two blocks: the tree stays as it is where the library refuses the new boxes
        const swap = () => { const { u32 } = m.v, k = this.#boxes >>> 2; [u32[k], this.#spare] = [this.#spare, u32[k]]; };
        swap();
        const result = m.x.bw_tree_refit_user(this.address, m.fault);
        if (result !== 0) swap();
        m.check(result, 'update');
    }
    refit(given) { this.update(given); }
    bounds() {
        const { m } = this;
        return m.call(() => {
            const at = m.take(24);
            m.x.bw_tree_bounds(at, this.address);
            return [...m.v.f32.slice(at >>> 2, (at >>> 2) + 6)];
        });
    }
    /** Proves the invariants: null, or a sentence about the first that does not hold. */
    check() { return this.m.text(this.m.x.bw_tree_check(this.address, 0)) || null; }
}

/** Whether a query is one for bw_collide_user. */
export const isUser = (v) => v instanceof UserTree || v?.tree instanceof UserTree;

/** What a test says of a pair: false, null and undefined that it does not meet, true that it crosses, or a kind by its name. */
function kindOf(v, a, b) {
    if (v === true) return enums.bw_contact_kind.crossing;
    if (v === false || v === null || v === undefined) return 0;
    return value('bw_contact_kind', v, `test of ${a} and ${b}`);
}

/** `any`, `count` and `pairs` with a test(a, b) of the caller's; without one every two boxes that meet are a pair. */
export function collideUser(core, mode, a, b, opts, what) {
    const { m } = core, { test } = options(opts, ['test'], what);
    if (test !== undefined && test !== null && typeof test !== 'function') throw new BoxwoodError(`test: ${show(test)} is not a function`);
    return m.call(() => {
        const first = core.body(a, 'a'), second = core.body(b, 'b'), out = report(m, 'bw_collide_report');
        const all = mode === enums.bw_collide_mode.all;
        if (typeof test !== 'function') {
            const run = (hits, hitCapacity) => {
                m.check(m.x.bwx_collide_boxes(first, second, make(m, 'bw_collide_desc', { mode, hits, hitCapacity }), out, m.fault), what);
                return Number(m.v.u64[(out + structs.bw_collide_report.fields.hitCount[0]) >>> 3]);
            };
            if (!all) { run(0, 0); return read(m, 'bw_collide_report', out); }
            const { at, n } = core.list('bw_hit', run), answer = { ...columns(m, 'bw_hit', at, n, { a: 'a', b: 'b', kind: 'kind' }), report: read(m, 'bw_collide_report', out) };
            core.rest();
            return answer;
        }
        // The test knows what it said yes to, in the order of the query's hits.
        const hits = [[], [], []], { callbacks } = core, goOn = callbacks.pointer('goOn'), ask = callbacks.pointer('test');
        const asked = (i, k) => {
            const kind = kindOf(test(i, k), i, k);
            if (all && kind !== 0) { hits[0].push(i); hits[1].push(k); hits[2].push(kind); }
            return kind;
        };
        const desc = make(m, 'bw_collide_desc', { mode, progress: { goOn } });
        callbacks.run({ test: asked }, [a, b].map((v) => (v.tree ?? v).holding), () => m.check(m.x.bw_collide_user(first, second, ask, 0, desc, out, m.fault), what));
        const told = read(m, 'bw_collide_report', out);
        return all ? { count: hits[0].length, a: Uint32Array.from(hits[0]), b: Uint32Array.from(hits[1]), kind: Uint8Array.from(hits[2]), report: told } : told;
    });
}
