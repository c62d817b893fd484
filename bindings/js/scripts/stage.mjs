// stage.mjs BUILD OUT: the package as npm would publish it, in the folder OUT, from the sources here and the modules built in BUILD (the preset wasm).
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [build, out] = process.argv.slice(2), here = dirname(dirname(fileURLToPath(import.meta.url)));
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const copy = (from, name) => copyFileSync(from, join(out, name));
for (const name of readdirSync(join(here, 'src'))) copy(join(here, 'src', name), name);
for (const name of readdirSync(join(here, 'types'))) copy(join(here, 'types', name), name);
copy(join(build, 'bindings/js/generated/generated.js'), 'generated.js');
copy(join(build, 'bindings/js/boxwood-core.wasm'), 'boxwood-core.wasm');
for (const name of ['boxwood.wasm', 'boxwood-motion.wasm', 'boxwood-budget.wasm']) copy(join(build, 'bindings/js/split', name), name);
for (const name of ['package.json', 'README.md']) copy(join(here, name), name);
copy(join(here, '../../LICENSE'), 'LICENSE');
