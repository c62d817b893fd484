// wasi.mjs PROGRAM.wasm ARGS...: runs a program of WebAssembly, with the files of this machine to read: how CTest runs what was built for it.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { WASI } from 'node:wasi';

process.removeAllListeners('warning'); // that WASI is experimental
const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2), preopens: { '/': '/' }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { wasi_snapshot_preview1: wasi.wasiImport });
process.exit(wasi.start(instance));
