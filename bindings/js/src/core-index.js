// The smaller module: trees, and what is asked of them.
import { Core } from './core.js';
import { instantiate } from './load.js';

export { BoxwoodError, Core as Boxwood, NONE, Tree, names } from './core.js';

/** Loads the core module: from beside this file, or from a URL, a Response, bytes, or a WebAssembly.Module. */
export async function load(source) {
    return new Core(await instantiate(source ?? new URL('./boxwood-core.wasm', import.meta.url)));
}
