// npm run build: the page as static files in dist/, from src/, the package in BOXWOOD_PACKAGE (../build/npm) and the pages of the book.
import { build } from 'esbuild';
import { cpSync, copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';

const here = dirname(fileURLToPath(import.meta.url)), out = resolve(process.env.BOXWOOD_PAGE ?? join(here, 'dist')), npm = resolve(process.env.BOXWOOD_PACKAGE ?? join(here, '../build/npm'));
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'book'), { recursive: true });
await build({ entryPoints: [join(here, 'src/main.js')], outfile: join(out, 'main.js'), bundle: true, minify: true, format: 'esm', target: 'es2022', alias: { boxwood: join(npm, 'index.js') }, external: ['node:fs/promises'], logLevel: 'warning', absWorkingDir: here, nodePaths: [join(here, 'node_modules')] });
copyFileSync(join(here, 'index.html'), join(out, 'index.html'));
copyFileSync(join(here, 'src/style.css'), join(out, 'style.css'));
for (const name of ['boxwood.wasm', 'boxwood-motion.wasm', 'boxwood-budget.wasm']) copyFileSync(join(npm, name), join(out, name));
// the book: pages of docs/ that stand beside each other
const docs = join(here, '../docs');
for (const name of readdirSync(docs).filter((f) => f.endsWith('.md'))) {
    const text = readFileSync(join(docs, name), 'utf8'), title = /^# (.*)$/m.exec(text)?.[1] ?? name;
    const html = marked.parse(text).replace(/href="([^":/]+)\.md(#[^"]*)?"/g, 'href="$1.html$2"');
    writeFileSync(join(out, 'book', name.replace(/md$/, 'html')), `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="../style.css"><article><p><a href="../index.html">The scenes</a> · <a href="README.html">The book</a></p>${html}</article></html>\n`);
}
cpSync(join(docs, 'figures'), join(out, 'book/figures'), { recursive: true });
