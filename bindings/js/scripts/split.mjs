// split.mjs RAW MAP OUT [WASM_OPT...]: one linked module becomes a main module without any import, OUT/boxwood.wasm, and parts that are loaded when they are wanted,
// OUT/boxwood-NAME.wasm, which import the main module's memory, table, stack pointer and functions. RAW is what the linker wrote, MAP its map, which
// tells the object of each function and of each piece of data. A function belongs to the part that its source file does, unless the main module or another part
// calls it, too: then it belongs to the main module. A function of the C library belongs to a part if nothing but that part calls it. wasm-dis, wasm-as and wasm-opt are those of binaryen.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [raw, map, out, ...passes] = process.argv.slice(2);
// Where the library's rooms go; all that is not named is in the main module.
const parts = {
    motion: /src\/(swept|kinetic|timeline|motion|shape|world|geom\/ccd|geom\/polynomial|collide\/span)\/|js\/.*native\/motion\.c/,
    budget: /src\/anytime\//,
};
// Functions of parts that the main module calls where it is given an object of theirs, which is there only if the part is: it finds them in the table.
const doors = /\/bw_pair_cache_(query|closed|boundary|fans)$/;
const partOf = (object) => Object.keys(parts).find((name) => parts[name].test(object)) ?? 'main';
const features = ['--enable-simd', '--enable-bulk-memory', '--enable-nontrapping-float-to-int', '--enable-sign-ext', '--enable-mutable-globals'];
const tool = (name, ...args) => execFileSync(name, [...features, ...args], { stdio: ['ignore', 'ignore', 'inherit'], maxBuffer: 1 << 28 });

// ---- what the map tells: objects of functions, in the order of the module, and ranges of data that belong to a part ----
const objects = [], ranges = [];
let section = '';
for (const line of readFileSync(map, 'utf8').split('\n')) {
    const row = /^\s*(\S+)\s+([0-9a-f]+)\s+([0-9a-f]+)(\s+)(\S.*)$/.exec(line);
    if (row === null) continue;
    const [, address, , size, indent, what] = row;
    if (indent.length === 1) { section = what; continue; }
    const piece = /^(.+):\((.*)\)$/.exec(what);
    if (piece === null) continue;
    const of = partOf(piece[1]), libc = /libc\.a\((\w+)\.o\)$/.exec(piece[1])?.[1];
    if (section === 'CODE') objects.push({ of, libc, symbol: piece[2] });
    else if (address !== '-' && (of !== 'main' || libc)) ranges.push({ of, libc, from: parseInt(address, 16), to: parseInt(address, 16) + parseInt(size, 16) });
}

// ---- names that are unique and tell the part ----
const bytes = readFileSync(raw);
let at = 8;
const leb = () => { let v = 0, shift = 0, b; do { b = bytes[at++]; v += (b & 127) * 2 ** shift; shift += 7; } while (b & 128); return v; };
const toLeb = (v) => { const b = []; do { b.push((v & 127) | (v > 127 ? 128 : 0)); v >>>= 7; } while (v > 0); return b; };
const kept = [bytes.subarray(0, 8)];
while (at < bytes.length) {
    const start = at, id = bytes[at++], length = leb(), end = at + length;
    if (id === 10 && leb() !== objects.length) throw new Error(`split: the map tells of ${objects.length} functions, the module has others`);
    if (id !== 0) kept.push(bytes.subarray(start, end));
    at = end;
}
const rows = objects.flatMap(({ of, symbol }, i) => { const name = Buffer.from(`${of}/${i}/${symbol}`, 'latin1'); return [...toLeb(i), ...toLeb(name.length), ...name]; });
const list = [...toLeb(objects.length), ...rows], names = [4, ...Buffer.from('name'), 1, ...toLeb(list.length), ...list];
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'named.wasm'), Buffer.concat([...kept, Buffer.from([0, ...toLeb(names.length), ...names])]));
tool('wasm-dis', join(out, 'named.wasm'), '-o', join(out, 'named.wat'));

// ---- the items of the module, as text ----
const items = readFileSync(join(out, 'named.wat'), 'utf8').split(/\n(?= [(;])/).slice(1).map((text) => text.replace(/\n\)\s*$/, ''));
const kind = (text) => /^ \((\w+)/.exec(text)?.[1];
const functions = new Map(items.filter((text) => kind(text) === 'func').map((text) => [/^ \(func (\S+)/.exec(text)[1].replace(/\)$/, ''), text]));
const calls = new Map([...functions].map(([name, text]) => [name, new Set([...text.matchAll(/\(call (\$[^\s()]+)/g)].map((m) => m[1]))]));
const place = new Map([...functions.keys()].map((name) => [name, /^\$(\w+)\//.exec(name)[1]]));
for (let changed = true; changed; ) {
    changed = false;
    for (const [name, called] of calls) for (const other of called) {
        if (doors.test(other) && place.get(name) === 'main') continue;
        if (place.get(other) !== 'main' && place.get(other) !== place.get(name)) { place.set(other, 'main'); changed = true; }
    }
}

// The C library: what only one part calls moves there, with the data of its object (and of what looks into them, where they are an object of their own).
const called = new Map([...functions.keys()].map((name) => [name, []]));
for (const [name, others] of calls) for (const other of others) if (other !== name) called.get(other).push(name);
const fixed = new Set(items.filter((text) => ['elem', 'export', 'start'].includes(kind(text))).flatMap((text) => [...text.matchAll(/\$[^\s()]+/g)].map((m) => m[0])));
const libcOf = (name) => objects[Number(/^\$\w+\/(\d+)\//.exec(name)[1])].libc;
for (let changed = true; changed; ) {
    changed = false;
    for (const name of functions.keys()) {
        if (place.get(name) !== 'main' || !libcOf(name) || fixed.has(name)) continue;
        const callers = new Set(called.get(name).map((caller) => place.get(caller)));
        if (callers.size === 1 && !callers.has('main')) { place.set(name, [...callers][0]); changed = true; }
    }
}
const readers = { log_data: ['log'], exp_data: ['exp', 'pow'], pow_data: ['pow'] };
for (const range of ranges.filter((r) => r.libc)) {
    const by = [...functions.keys()].filter((name) => (readers[range.libc] ?? [range.libc]).includes(libcOf(name))).map((name) => place.get(name));
    if (by.length > 0 && by.every((of) => of === by[0])) range.of = by[0];
}

const one = (what) => { const found = items.filter((text) => kind(text) === what); if (found.length !== 1) throw new Error(`split: ${found.length} items ${what}, not one`); return found[0]; };
const signature = (name) => /^ \(func \S+?((?: \((?:param|result) [^()]*\))*)\)?(?:\n|$)/.exec(functions.get(name))[1].replace(/\(param \$\S+ /g, '(param ');

// ---- data: those of a part are zero in the main module, where zeros take no room ----
const decode = (text) => Buffer.from(text.replace(/\\([0-9a-f]{2})|\\(.)/g, (_, hex, c) => (hex ? String.fromCharCode(parseInt(hex, 16)) : { t: '\t', n: '\n', r: '\r' }[c] ?? c)), 'latin1');
const encode = (b) => Array.from(b, (v) => `\\${v.toString(16).padStart(2, '0')}`).join('');
const data = [];
for (const text of items.filter((item) => kind(item) === 'data')) {
    const [, from, body] = /^ \(data \(i32\.const (\d+)\) "(.*)"\)$/s.exec(text), b = decode(body), begin = Number(from);
    for (const r of ranges) {
        if (r.of === 'main' || r.from < begin || r.to > begin + b.length) continue; // of another segment, or all zero
        data.push({ of: r.of, from: r.from, bytes: Buffer.from(b.subarray(r.from - begin, r.to - begin)) });
        b.fill(0, r.from - begin, r.to - begin);
    }
    data.push({ of: 'main', from: begin, bytes: b });
}

// ---- elements: each part writes its own into the table; until then they are null ----
const elements = [];
for (const text of items.filter((item) => kind(item) === 'elem')) {
    const [, from, body] = /^ \(elem (?:\$\S+ )?\(i32\.const (\d+)\) (?:func )?(.*)\)$/s.exec(text);
    body.trim().split(/\s+/).forEach((name, i) => elements.push({ index: Number(from) + i, name }));
}
const table = one('table'), size = Number(/(\d+) \d+ funcref/.exec(table)[1]), thunks = [];
for (const [name] of functions) {
    if (!doors.test(name) || place.get(name) === 'main') continue;
    const index = size + thunks.length, types = signature(name), n = (types.match(/[if](32|64)|v128/g) ?? []).length - (types.includes('(result') ? 1 : 0);
    elements.push({ index, name });
    thunks.push(` (func ${name}${types} (call_indirect${types} ${Array.from({ length: n }, (_, i) => `(local.get ${i})`).join(' ')} (i32.const ${index})))`);
}
// Eight more may be put in by JavaScript: functions that queries call (src/callback.js).
const room = table.replace(/\d+ \d+ funcref/, `${size + thunks.length} ${size + thunks.length + 8} funcref`);
const exported = items.filter((text) => kind(text) === 'export').map((text) => ({ text, of: place.get(/\(func (\$[^\s()]+)\)/.exec(text)?.[1]) ?? 'main' }));
const types = items.filter((text) => kind(text) === 'type');
const pointer = one('global'), shared = new Map();
const common = (of) => [...elements.filter((e) => place.get(e.name) === of).map((e) => ` (elem (i32.const ${e.index}) ${e.name})`), ...data.filter((d) => d.of === of).map((d) => ` (data (i32.const ${d.from}) "${encode(d.bytes)}")`), ...exported.filter((e) => e.of === of).map((e) => e.text), ...[...functions].filter(([name]) => place.get(name) === of).map(([, text]) => text)];
const texts = {};
for (const of of Object.keys(parts)) {
    const wanted = new Set([...calls].filter(([name]) => place.get(name) === of).flatMap(([, called]) => [...called].filter((other) => place.get(other) !== of)));
    for (const name of wanted) if (!shared.has(name)) shared.set(name, `f${shared.size.toString(36)}`);
    texts[of] = ['(module', ...types, ` (import "m" "memory" ${one('memory').trim()})`, ` (import "m" "table" ${room.trim()})`, ` (import "m" "stack" (global $global$0 (mut i32)))`,
        ...[...wanted].map((name) => ` (import "m" "${shared.get(name)}" (func ${name}${signature(name)}))`), ...common(of), ')'].join('\n');
}
texts.main = ['(module', ...types, pointer, one('memory'), room, ' (export "table" (table $0))', ' (export "stack" (global $global$0))', ...[...shared].map(([name, short]) => ` (export "${short}" (func ${name}))`), ...common('main'), ...thunks, ')'].join('\n');
for (const [of, text] of Object.entries(texts)) {
    const wat = join(out, `${of}.wat`), made = join(out, of === 'main' ? 'boxwood.wasm' : `boxwood-${of}.wasm`);
    writeFileSync(wat, text);
    tool('wasm-as', wat, '-o', made);
    tool('wasm-opt', ...passes, '--strip-debug', '--strip-producers', '--strip-target-features', made, '-o', made);
}
