// The whole library: `load` gives a Boxwood.
import { Anytime, AnytimeCache, within } from './anytime.js';
import { Bodies } from './bodies.js';
import { BoxwoodError } from './core.js';
import { show } from './layout.js';
import { instantiate, join } from './load.js';
import { Kinetic, Moving, Separation, Swept, SweptCache, motionPose, sweptRigid, timeline } from './motion.js';
import { Cull, Scene, ScenePaths } from './scene.js';
import { Hull, shapes } from './shape.js';
import { options } from './values.js';
import { World } from './world.js';

export { PairCache } from './bodies.js';
export { UserTree } from './user.js';
export { BoxwoodError, NONE, Tree, names } from './core.js';
export { Anytime, AnytimeCache, Cull, Hull, Kinetic, Moving, Scene, ScenePaths, Separation, Swept, SweptCache, World };

// What is loaded only where it is wanted.
const parts = { motion: new URL('./boxwood-motion.wasm', import.meta.url), budget: new URL('./boxwood-budget.wasm', import.meta.url) };
const needs = {
    motion: ['swept', 'sweptCache', 'sweptRigid', 'motionPose', 'moving', 'kinetic', 'separation', 'timeline', 'hull', 'world', 'pairCache', ...Object.keys(shapes)],
    budget: ['anytime', 'anytimeCache', 'anyWithin'],
};

export class Boxwood extends Bodies {
    #parts = new Map();
    /** Loads a part of the library, 'motion' or 'budget', once: from beside this file, or from what `load` takes, too. */
    async add(part, source) {
        if (!Object.hasOwn(parts, part)) throw new BoxwoodError(`add: ${show(part)} is none of ${Object.keys(parts).join(', ')}`);
        if (!this.#parts.has(part)) {
            const loading = join(this.m.x, source ?? parts[part]);
            this.#parts.set(part, loading);
            loading.catch(() => this.#parts.delete(part)); // to be tried again
        }
        await this.#parts.get(part);
    }
    /** A mesh with its step of time. */
    swept(start, end, opts) { return new Swept(this, start, end, opts); }
    /** Candidates of steps, kept from one to the next. Options: margin, how far a vertex may move until they are found again. */
    sweptCache(opts) { return new SweptCache(this, opts); }
    sweptRigid(a, motionA, b, motionB, opts) { return sweptRigid(this, a, motionA, b, motionB, opts); }
    motionPose(motion, time) { return motionPose(this, motion, time); }
    /** A mesh whose motion is known: { indices, times, frames } or { indices, positions, velocities, begin, end }. */
    moving(given) { return new Moving(this, given); }
    kinetic(moving, opts) { return new Kinetic(this, moving, opts); }
    separation(a, b, opts) { return new Separation(this, a, b, opts); }
    timeline(objects, opts) { return timeline(this, objects, opts); }
    scene(opts) { return new Scene(this, opts); }
    cull(opts) { return new Cull(this, opts); }
    anytime(tree, opts) { return new Anytime(this, tree, opts); }
    anytimeCache() { return new AnytimeCache(this); }
    anyWithin(a, b, opts) { return within(this, a, b, opts); }
    hull(points) { return new Hull(this, points); }
    /** Bodies that move: trees, shapes and kinetic bodies, their contacts from step to step, and questions about them. */
    world(opts) { return new World(this, opts); }
}
for (const [name, call] of Object.entries(shapes)) {
    Object.defineProperty(Boxwood.prototype, name, { value(...args) { return call(this, ...args); }, configurable: true, writable: true });
}
const landmarks = { motion: 'bw_swept_create', budget: 'bw_anytime_create' };
for (const [part, names] of Object.entries(needs)) for (const name of names) {
    const call = Boxwood.prototype[name];
    Object.defineProperty(Boxwood.prototype, name, { value(...args) {
        if (!(landmarks[part] in this.m.x)) throw new BoxwoodError(`${name}: it is in the part '${part}', which is not loaded: load({ ${part}: true }), or await bw.add('${part}')`, { result: 'error-unsupported' });
        return call.apply(this, args);
    }, configurable: true, writable: true });
}

/** Loads the module: from beside this file, or from a URL, a Response, bytes, or a WebAssembly.Module; or with parts of the library that are left out
 * otherwise, { motion: true, budget: true }, each of which may be such a source, as may `main`. Calls may each load their own. */
export async function load(given) {
    const plain = given !== null && typeof given === 'object' && Object.getPrototypeOf(given) === Object.prototype;
    const o = plain ? options(given, ['main', ...Object.keys(parts)], 'load') : { main: given };
    const from = (v) => (v === true ? undefined : v);
    const bw = new Boxwood(await instantiate(from(o.main) ?? new URL('./boxwood.wasm', import.meta.url)));
    await Promise.all(Object.keys(parts).filter((part) => o[part]).map((part) => bw.add(part, from(o[part]))));
    return bw;
}
