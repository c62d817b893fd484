// How a module comes into memory, in browsers, workers and node.
import { BoxwoodError } from './memory.js';

// A function with one SIMD instruction.
const simd = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** The functions of a module, as an object to which parts may add theirs. */
export async function instantiate(source) {
    if (typeof WebAssembly === 'undefined') throw new BoxwoodError('there is no WebAssembly here', { result: 'unsupported' });
    if (!WebAssembly.validate(simd)) throw new BoxwoodError('WebAssembly is without SIMD here: browsers have it since 2021, Safari since 16.4', { result: 'unsupported' });
    const module = await compile(source);
    const { exports } = await WebAssembly.instantiate(module, {});
    exports._initialize?.();
    return { ...exports };
}
/** A part of the library beside a main module that is there already: it shares its memory, and its functions join the others. */
export async function join(exports, source) {
    const module = await compile(source), wanted = WebAssembly.Module.imports(module).find(({ name }) => !(name in exports));
    if (wanted !== undefined) throw new BoxwoodError(`a part of another version than the main module: that has no ${wanted.name}`, { result: 'unsupported' });
    Object.assign(exports, (await WebAssembly.instantiate(module, { m: exports })).exports);
}
async function compile(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    if (typeof Response !== 'undefined' && source instanceof Response) return stream(source);
    const url = source instanceof URL ? source : new URL(String(source), typeof location === 'undefined' ? import.meta.url : location.href);
    if (url.protocol === 'file:') {
        const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
        return WebAssembly.compile(await readFile(url));
    }
    return stream(await fetch(url));
}
async function stream(response) {
    if (!response.ok) throw new BoxwoodError(`the module could not be loaded: ${response.url} gave ${response.status}`);
    // Hosts that do not know the type of the file are no reason to fail.
    if (response.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
}
