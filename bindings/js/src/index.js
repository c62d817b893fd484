// The whole library: `load` gives a Boxwood.
import { Anytime, AnytimeCache, within } from './anytime.js';
import { Bodies } from './bodies.js';
import { instantiate } from './load.js';
import { Kinetic, Moving, Separation, Swept, motionPose, sweptRigid, timeline } from './motion.js';
import { Cull, Scene } from './scene.js';
import { Hull, shapes } from './shape.js';

export { PairCache } from './bodies.js';
export { BoxwoodError, NONE, Tree, names } from './core.js';
export { Anytime, AnytimeCache, Cull, Hull, Kinetic, Moving, Scene, Separation, Swept };

export class Boxwood extends Bodies {
    /** A mesh with its step of time. */
    swept(start, end, opts) { return new Swept(this, start, end, opts); }
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
}
for (const [name, call] of Object.entries(shapes)) {
    Object.defineProperty(Boxwood.prototype, name, { value(...args) { return call(this, ...args); }, configurable: true, writable: true });
}

/** Loads the module: from beside this file, or from a URL, a Response, bytes, or a WebAssembly.Module. Calls may each load their own. */
export async function load(source) {
    return new Boxwood(await instantiate(source ?? new URL('./boxwood.wasm', import.meta.url)));
}
