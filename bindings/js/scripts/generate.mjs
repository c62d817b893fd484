// generate.mjs ABI OUT SOURCE_FOLDER: what JavaScript must know of the C headers, from the binary interface that test/package/abi.txt states
// and a test keeps true. The file is of 64-bit platforms: sizes and offsets for wasm32 are computed here from the types and proven by
// the C compiler, which is given layout.c. Only what the sources name is written:
//   OUT/generated.js   layouts of the structs and the names of enums
//   OUT/layout.c       assertions about every offset
//   OUT/core.flags, OUT/full.flags   the functions that the sources call, as options of the linker
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [abi, out, folder] = process.argv.slice(2);
const structs = new Map(), enums = new Map(), functions = new Map();
let current = null;
for (const line of readFileSync(abi, 'utf8').split('\n')) {
    let match;
    if ((match = /^struct (\w+): \d+ bytes$/.exec(line))) structs.set(match[1], (current = []));
    else if ((match = /^enum (\w+)$/.exec(line))) enums.set(match[1], (current = []));
    else if ((match = /^function (.*?)(\w+)\((.*)\)$/.exec(line))) functions.set(match[2], { result: match[1].trim(), parameters: match[3] });
    else if ((match = /^    \d+ (\w+): (.*)$/.exec(line))) current.push({ name: match[1], type: match[2] });
    else if ((match = /^    (\w+) = (-?\d+)$/.exec(line))) current.push({ name: match[1], value: Number(match[2]) });
}

// [kind, size, alignment] of what is no struct
const plain = { uint32_t: 'u32', uint64_t: 'u64', bw_id: 'u64', double: 'f64', float: 'f32', _Bool: 'bool', size_t: 'u32', int: 'i32' };
const sizes = { u32: 4, i32: 4, u64: 8, f64: 8, f32: 4, bool: 1, pointer: 4 };
const layouts = new Map();
function layoutOf(name) {
    if (layouts.has(name)) return layouts.get(name);
    let offset = 0, alignment = 1;
    const fields = {};
    for (const { name: field, type } of structs.get(name)) {
        const of = typeOf(type);
        offset = Math.ceil(offset / of.alignment) * of.alignment;
        fields[field] = { ...of, offset };
        offset += of.size * of.count;
        alignment = Math.max(alignment, of.alignment);
    }
    const made = { size: Math.ceil(offset / alignment) * alignment, alignment, fields };
    layouts.set(name, made);
    return made;
}
function typeOf(type) {
    const array = /^(.*?)((?:\[\d+\])+)$/.exec(type);
    if (array) {
        const count = array[2].match(/\d+/g).reduce((n, k) => n * Number(k), 1);
        const of = typeOf(array[1]);
        return { ...of, count: of.count * count, array: true };
    }
    if (type.endsWith('*') || type.includes('(*)')) return { kind: 'pointer', size: 4, alignment: 4, count: 1 };
    const bare = type.replace(/^const /, '');
    if (plain[bare]) return { kind: plain[bare], size: sizes[plain[bare]], alignment: sizes[plain[bare]], count: 1 };
    if (enums.has(bare)) return { kind: 'enum', of: bare, size: 4, alignment: 4, count: 1 };
    if (bare === 'bw_vec3') return { kind: 'f64', size: 8, alignment: 8, count: 3, array: true };
    if (bare === 'bw_transform') return { kind: 'f64', size: 8, alignment: 8, count: 12, array: true };
    if (structs.has(bare)) { const of = layoutOf(bare); return { kind: 'struct', of: bare, size: of.size, alignment: of.alignment, count: 1 }; }
    throw new Error(`generate: the type ${type} is not known`);
}

// What the sources name
const sources = readdirSync(folder).filter((name) => name.endsWith('.js'));
const text = Object.fromEntries(sources.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const core = ['memory.js', 'layout.js', 'values.js', 'owned.js', 'core.js'];
function named(files, known) {
    const found = new Set();
    for (const file of files) for (const [name] of text[file].matchAll(/\bbwx?_\w+\b/g)) if (known(name)) found.add(name);
    return [...found].sort();
}
const wanted = new Set(named(sources, (name) => structs.has(name)));
for (const name of wanted) for (const field of Object.values(layoutOf(name).fields)) if (field.kind === 'struct') wanted.add(field.of);
const usedEnums = new Set(named(sources, (name) => enums.has(name)));
for (const name of wanted) for (const field of Object.values(layoutOf(name).fields)) if (field.kind === 'enum') usedEnums.add(field.of);

const camel = (name) => name.replace(/_(\w)/g, (_, c) => c.toUpperCase());
const js = ['// Made by scripts/generate.mjs from the headers of the library.', 'export const structs = {'];
for (const name of [...wanted].sort()) {
    const { size, fields } = layoutOf(name);
    const rows = Object.entries(fields).map(([field, f]) =>
        `${camel(field)}:[${f.offset},'${f.kind}',${f.array ? f.count : 0}${f.of ? `,'${f.of}'` : ''}]`);
    js.push(`${name}:{size:${size},fields:{${rows.join(',')}}},`);
}
js.push('};', 'export const enums = {');
for (const name of [...usedEnums].sort()) {
    const values = enums.get(name).filter((v) => !v.name.endsWith('_COUNT') || name !== 'bw_defect');
    let prefix = values[0].name;
    for (const { name: n } of values) while (!n.startsWith(prefix)) prefix = prefix.slice(0, -1);
    prefix = prefix.slice(0, prefix.lastIndexOf('_') + 1);
    js.push(`${name}:{${values.map((v) => `'${v.name.slice(prefix.length).toLowerCase().replace(/_/g, '-')}':${v.value}`).join(',')}},`);
}
js.push('};', '');

const check = ['/* Made by scripts/generate.mjs: the layouts that the JavaScript of the package takes for granted. */', '#include <boxwood/anytime_train.h>',
    '#include <boxwood/boxwood.h>', '#include <stddef.h>', ''];
for (const name of [...wanted].sort()) {
    const { size, fields } = layoutOf(name);
    check.push(`_Static_assert(sizeof(${name}) == ${size}, "${name}");`);
    for (const [field, f] of Object.entries(fields)) check.push(`_Static_assert(offsetof(${name}, ${field}) == ${f.offset}, "${name}.${field}");`);
}
for (const name of usedEnums) check.push(`_Static_assert(sizeof(${name}) == 4, "${name}");`);

const callable = (name) => functions.has(name) || name.startsWith('bwx_');
const exported = (files) => named(files, callable).map((name) => `-Wl,--export=${name}`).join('\n');
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'generated.js'), js.join('\n'));
writeFileSync(join(out, 'layout.c'), check.join('\n') + '\n');
writeFileSync(join(out, 'core.flags'), exported(core) + '\n');
writeFileSync(join(out, 'full.flags'), exported(sources.filter((s) => s !== 'three.js')) + '\n');
