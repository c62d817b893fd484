// Answers within a budget.
import { Tree } from './core.js';
import { make, read, report, show, structs } from './layout.js';
import { BoxwoodError } from './memory.js';
import { Owned, live } from './owned.js';
import { choice, count, flag, optional, options, putPose } from './values.js';

/** Statistics beside a tree, from which a query within a budget estimates. Made by `bw.anytime`; update it when the tree has changed. */
export class Anytime extends Owned {
    constructor(core, tree, opts) {
        super();
        const { m } = core, o = options(opts, ['tries'], 'anytime');
        const desc = { tries: o.tries === undefined ? 0 : count(o.tries, 'tries') };
        live(tree, Tree, m, 'tree');
        const at = m.call(() => {
            const out = m.zero(4);
            m.check(m.x.bw_anytime_create(make(m, 'bw_anytime_desc', desc), tree.address, tree.mesh, out, m.fault), 'anytime');
            return m.v.u32[out >>> 2];
        });
        Object.defineProperty(this, 'meshAt', { value: tree.mesh });
        this.own(m, at, m.x.bw_anytime_destroy, { uses: [tree] });
    }
    /** After the tree was updated. */
    update() { const { m } = this; m.check(m.x.bw_anytime_update(this.address, this.meshAt, m.fault), 'update'); }
    stats() {
        const { m } = this;
        return m.call(() => {
            const out = report(m, 'bw_anytime_stats');
            m.x.bw_anytime_get_stats(this.address, out);
            return read(m, 'bw_anytime_stats', out);
        });
    }
}

/** What one stream of queries carries from call to call. */
export class AnytimeCache extends Owned {
    constructor(core) {
        super();
        const { m } = core;
        const at = m.call(() => {
            const out = m.zero(4);
            m.check(m.x.bw_anytime_cache_create(0, out, m.fault), 'anytimeCache');
            return m.v.u32[out >>> 2];
        });
        this.own(m, at, m.x.bw_anytime_cache_destroy);
    }
    get resumable() { return this.m.x.bw_anytime_cache_resumable(this.address) !== 0; }
}

const SLICE = 16; // steps between two looks at the clock
const now = () => (globalThis.performance ?? Date).now();

/** Do two bodies collide, within steps or milliseconds? a, b: { anytime, pose } or an Anytime. Options: maxSteps, maxMilliseconds, wantedError, poses, resume, coherent, cache, regions. */
export function within(core, a, b, opts) {
    const { m } = core, o = options(opts, ['maxSteps', 'maxMilliseconds', 'wantedError', 'poses', 'resume', 'coherent', 'cache', 'regions', 'pMin', 'kMin', 'pPrune'], 'within');
    const cache = o.cache === undefined || o.cache === null ? null : live(o.cache, AnytimeCache, m, 'cache');
    const most = o.maxSteps === undefined || o.maxSteps === null ? null : count(o.maxSteps, 'maxSteps'), time = o.maxMilliseconds === undefined || o.maxMilliseconds === null ? null : optional(o.maxMilliseconds, 'maxMilliseconds');
    if (time !== null && !(time >= 0)) throw new BoxwoodError(`maxMilliseconds: ${time} is not at least 0`, { value: time });
    const regionCapacity = o.regions === undefined ? 0 : count(o.regions, 'regions', 4096);
    const q = { poses: choice('bw_anytime_poses', o.poses, 0, 'poses'), wantedError: optional(o.wantedError, 'wantedError'), pMin: optional(o.pMin, 'pMin'), kMin: o.kMin === undefined ? 0 : count(o.kMin, 'kMin'), pPrune: optional(o.pPrune, 'pPrune'), coherent: flag(o.coherent, 'coherent') };
    const resume = flag(o.resume, 'resume');
    if ((resume || q.coherent) && cache === null) throw new BoxwoodError('within: resume and coherent need a cache');
    const begin = now();
    const own = time !== null && cache === null ? new AnytimeCache(core) : null; // to go on from slice to slice
    try {
        return m.call(() => {
            const first = putBody(m, a, 'a'), second = putBody(m, b, 'b'), out = report(m, 'bw_anytime_answer');
            const regions = regionCapacity > 0 ? m.take(regionCapacity * structs.bw_anytime_region.size) : 0;
            const desc = m.take(structs.bw_anytime_query_desc.size);
            let done = 0, answer, goOn = resume;
            for (;;) {
                const slice = time === null ? most : Math.min(SLICE, most === null ? SLICE : most - done);
                const given = make(m, 'bw_anytime_query_desc', { ...q, limitSteps: slice !== null, maxSteps: slice ?? 0, cache: (cache ?? own)?.address ?? 0, resume: goOn, regions, regionCapacity });
                m.v.u8.copyWithin(desc, given, given + structs.bw_anytime_query_desc.size);
                m.check(m.x.bw_anytime_query(first, second, desc, out, m.fault), 'within');
                answer = read(m, 'bw_anytime_answer', out);
                done += slice ?? 0;
                if (answer.status !== 'limit' || time === null || now() - begin >= time || (most !== null && done >= most)) break;
                goOn = true;
            }
            answer.regions = Array.from({ length: answer.regionCount }, (_, i) => read(m, 'bw_anytime_region', regions + i * structs.bw_anytime_region.size));
            return answer;
        });
    } finally {
        own?.dispose();
    }
}
function putBody(m, v, what) {
    const placed = v !== null && typeof v === 'object' && !(v instanceof Anytime);
    const of = placed ? v.anytime : v, pose = placed ? putPose(m, v.pose, `${what}.pose`) : 0;
    if (!(of instanceof Anytime)) throw new BoxwoodError(`${what}: ${show(v)} is neither an Anytime nor { anytime, pose }`);
    live(of, Anytime, m, what);
    return make(m, 'bw_anytime_body', { anytime: of.address, mesh: of.meshAt, pose });
}
