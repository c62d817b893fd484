// The page in Chromium: every scene loads, answers as the native library does, reacts, keeps its memory, and says nothing on the console.
// BOXWOOD_PAGE: the built page; BOXWOOD_REPLAY: the native judge; BOXWOOD_WORK: where pictures go; BOXWOOD_CHROMIUM: another browser than /usr/bin/chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../serve.mjs';

const here = dirname(fileURLToPath(import.meta.url)), page = resolve(process.env.BOXWOOD_PAGE ?? join(here, '../dist')), work = resolve(process.env.BOXWOOD_WORK ?? join(here, '../../build'));
const replay = process.env.BOXWOOD_REPLAY ? resolve(process.env.BOXWOOD_REPLAY) : null, pictures = join(work, 'pictures');
let browser, server, origin;

async function open(address, { width = 1000, height = 640, ...options } = {}, prepare = null) {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', ...options }), p = await context.newPage(), said = [];
    p.on('console', (m) => { if (m.type() === 'error' || (m.type() === 'warning' && !/GPU stall|GL Driver|swiftshader|software/i.test(m.text()))) said.push(m.text()); });
    p.on('pageerror', (e) => said.push(e.message));
    p.on('request', (r) => { if (!r.url().startsWith(origin) && !r.url().startsWith('data:') && !r.url().startsWith('blob:')) said.push(`asked for ${r.url()}`); });
    if (prepare) await p.addInitScript(prepare);
    p.setDefaultTimeout(120000);
    await p.goto(`${origin}/${address}`);
    await p.waitForFunction(() => window.page?.ready || window.page?.failed);
    return { p, said, close: () => context.close() };
}
const stat = (p, name) => p.evaluate((n) => [...document.querySelectorAll('dt')].find((d) => d.textContent === n)?.nextElementSibling.textContent, name);
const state = (p) => p.evaluate(() => JSON.parse(JSON.stringify(window.page.scene.state)));
const drawn = (p) => p.evaluate(() => { window.page.draw(); const c = document.getElementById('canvas'), g = c.getContext('webgl2'), pixels = new Uint8Array(4 * 64); const seen = new Set(); for (let i = 1; i < 60; i++) { g.readPixels(Math.floor((c.width * (i % 8 + 0.5)) / 8), Math.floor((c.height * (Math.floor(i / 8) + 0.5)) / 8), 1, 1, g.RGBA, g.UNSIGNED_BYTE, pixels); seen.add(pixels.slice(0, 3).join()); } return seen.size; });
/** What the scene asks in its first frames, asked of the native library. */
async function sameBits(p, name) {
    const { hashes, bytes } = await p.evaluate(async () => {
        const { Record } = await import('/test/record.mjs'), record = new Record(window.page.bw);
        window.page.scene.questions(record);
        let text = '';
        for (const b of record.bytes()) text += String.fromCharCode(b);
        return { hashes: record.hashes, bytes: btoa(text) };
    });
    assert.ok(hashes.length > 0);
    if (!replay) return;
    const file = join(work, `page-${name}.bin`);
    writeFileSync(file, Buffer.from(bytes, 'base64'));
    const native = execFileSync(replay, [file], { encoding: 'utf8' }).trim().split('\n');
    assert.deepEqual(hashes.map((h) => h.hash), native, hashes.map((h) => h.what).join(', '));
}
/** The module's memory is the same after many frames as after some. */
async function steady(p, frames) {
    const m = await p.evaluate(async (n) => {
        const { scene, bw } = window.page, at = [];
        for (let i = 0; i < n; i++) { scene.frame(i); if (i === Math.floor(n / 5) || i === n - 1) { for (let k = 0; k < 3; k++) { globalThis.gc?.(); await new Promise((done) => setTimeout(done, 20)); } at.push({ ...bw.memory(), heap: performance.memory?.usedJSHeapSize ?? 0 }); } }
        return at;
    }, frames);
    assert.ok(m[1].allocated <= m[0].allocated * 1.02 + 65536, `${m[0].allocated} bytes became ${m[1].allocated}`);
    assert.ok(m[1].bytes <= m[0].bytes * 1.1 + (1 << 20), `memory of ${m[0].bytes} became ${m[1].bytes}`);
    assert.ok(m[1].heap <= m[0].heap + 12e6, `heap of ${m[0].heap} became ${m[1].heap}`);
}
const frames = Number(process.env.BOXWOOD_FRAMES ?? 1000);

// Two at a time: a page draws by software, and waits as often as it computes.
describe('the page', { concurrency: 2 }, () => {
before(async () => {
    mkdirSync(pictures, { recursive: true });
    mkdirSync(join(work, 'scenes'), { recursive: true });
    if (replay) execFileSync(replay, ['--scenes', join(work, 'scenes')]);
    server = await serve({ '/': page, '/test/': join(here, '../../bindings/js/test'), '/meshes/': join(work, 'scenes') });
    origin = `http://127.0.0.1:${server.address().port}`;
    browser = await chromium.launch({
        executablePath: process.env.BOXWOOD_CHROMIUM ?? '/usr/bin/chromium', headless: true,
        args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
    });
});
after(async () => {
    await browser?.close();
    server?.close();
});
test('contact: a body is dragged through another', async () => {
    const { p, said, close } = await open('?paused#contact');
    assert.ok(Number((await stat(p, 'Pairs of triangles')).replaceAll(',', '')) > 0);
    assert.match(await stat(p, 'Query'), /ms$/);
    assert.ok((await drawn(p)) > 3);
    await p.screenshot({ path: join(pictures, 'contact.png') });
    const before = await state(p), box = await p.evaluate(() => { const { stage, scene } = window.page, v = scene.body.position.clone().project(stage.camera), r = stage.canvas.getBoundingClientRect(); return { x: r.left + ((v.x + 1) / 2) * r.width, y: r.top + ((1 - v.y) / 2) * r.height }; });
    await p.mouse.move(box.x, box.y);
    await p.mouse.down();
    await p.mouse.move(box.x - 60, box.y + 10, { steps: 3 });
    await p.mouse.up();
    assert.notEqual((await state(p)).pairs, before.pairs, 'a drag changes the contacts');
    await p.focus('#canvas');
    for (let i = 0; i < 60; i++) await p.keyboard.press('ArrowRight');
    assert.equal((await state(p)).pairs, 0, 'the arrows move it away');
    await p.keyboard.press('ArrowLeft');
    for (let i = 0; i < 40; i++) await p.keyboard.press('ArrowLeft');
    assert.ok((await state(p)).pairs > 0);
    await p.click('text=Which way out?');
    assert.ok((await state(p)).depth > 0);
    await sameBits(p, 'contact');
    await steady(p, frames);
    assert.deepEqual(said, []);
    await close();
});
test('cloth: the timeline is scrubbed', async () => {
    const { p, said, close } = await open('?paused#cloth?small');
    assert.ok((await state(p)).events > 100);
    const r = await p.locator('#chart').boundingBox();
    await p.mouse.move(r.x + 5, r.y + 40);
    await p.mouse.down();
    await p.mouse.move(r.x + r.width * 0.8, r.y + 40, { steps: 3 });
    await p.mouse.up();
    const late = await state(p);
    assert.ok(late.time > 0.4 && late.pairs > 0, JSON.stringify(late));
    await p.screenshot({ path: join(pictures, 'cloth.png') });
    await p.focus('#chart');
    await p.keyboard.press('Home');
    assert.equal((await state(p)).time, 0);
    assert.equal((await state(p)).pairs, 0, 'nothing touches at the beginning');
    await sameBits(p, 'cloth');
    await steady(p, frames);
    assert.deepEqual(said, []);
    await close();
});
test('budget: more steps make surer', async () => {
    const { p, said, close } = await open('?paused#budget?still');
    const slide = (v) => p.locator('input[type=range]').evaluate((e, to) => { e.value = to; e.dispatchEvent(new Event('input', { bubbles: true })); }, v);
    await slide(0);
    assert.equal((await state(p)).confidence, 0.5, 'no step: a guess');
    await slide(9);
    assert.ok((await state(p)).proven);
    await slide(2);
    assert.equal((await state(p)).steps, 4);
    await p.screenshot({ path: join(pictures, 'budget.png') });
    await sameBits(p, 'budget');
    await steady(p, frames);
    const told = await state(p);
    assert.ok(told.right > 0.8 * told.asked, `${told.right} of ${told.asked} right`);
    assert.deepEqual(said, []);
    await close();
});
test('crowd: what is hidden is left out', async () => {
    const { p, said, close } = await open('?paused#crowd?n=3000&still');
    const culled = (await state(p)).visible;
    await p.locator('input[type=checkbox]').first().uncheck();
    const all = (await state(p)).visible;
    assert.ok(culled > 0 && culled < all / 2, `${culled} of ${all}`);
    await p.locator('input[type=checkbox]').first().check();
    await p.screenshot({ path: join(pictures, 'crowd.png') });
    await p.focus('#canvas');
    await p.keyboard.press('ArrowUp');
    await p.locator('input[type=range]').evaluate((e) => { e.value = 200; e.dispatchEvent(new Event('input', { bubbles: true })); });
    assert.notEqual((await state(p)).visible, culled);
    await sameBits(p, 'crowd');
    await steady(p, frames);
    assert.deepEqual(said, []);
    await close();
});
test('speed: what frames miss is found', async () => {
    const { p, said, close } = await open('?paused#speed');
    const slide = (v) => p.locator('input[type=range]').evaluate((e, to) => { e.value = to; e.dispatchEvent(new Event('input', { bubbles: true })); }, v);
    await slide(0.4);
    const slow = await state(p);
    assert.ok(slow.seen !== null && slow.time !== null);
    await slide(2.6);
    const fast = await state(p);
    assert.ok(fast.missed && fast.time !== null, JSON.stringify(fast));
    await slide(1.8);
    await p.screenshot({ path: join(pictures, 'speed.png') });
    await sameBits(p, 'speed');
    await steady(p, frames);
    assert.deepEqual(said, []);
    await close();
});
test('file: a mesh is dropped, then another', async () => {
    const { p, said, close } = await open('?paused#file');
    assert.ok((await state(p)).pairs > 0, 'the knot runs through itself');
    await p.screenshot({ path: join(pictures, 'file.png') });
    const drop = (name, text) => p.evaluate(async ([n, t]) => { const d = new DataTransfer(); d.items.add(new File([t], n)); document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: d, bubbles: true, cancelable: true })); }, [name, text]);
    const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
    await p.click('text=Begin again');
    await drop('tetrahedron.obj', tetrahedron);
    await p.waitForFunction(() => window.page.scene.state.files === 2);
    assert.deepEqual((await state(p)).names.at(-1), 'tetrahedron.obj');
    await sameBits(p, 'file');
    await p.setInputFiles('input[type=file]', { name: 'one.stl', mimeType: 'model/stl', buffer: Buffer.from('solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n') });
    await p.waitForFunction(() => window.page.scene.state.names.includes('one.stl'));
    await drop('broken.xyz', 'nothing');
    await p.waitForFunction(() => window.page.scene.state.error);
    assert.match(await stat(p, 'Not read'), /broken\.xyz: only OBJ/);
    await steady(p, frames);
    assert.deepEqual(said, []);
    await close();
});
test('dark, small, and without WebGL', async () => {
    const phone = await open('?paused#contact', { width: 390, height: 760, colorScheme: 'dark', hasTouch: true, isMobile: true });
    assert.ok(await phone.p.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    assert.equal(await phone.p.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(20, 22, 26)');
    await phone.p.screenshot({ path: join(pictures, 'phone.png'), fullPage: true });
    assert.ok(await phone.p.evaluate(() => [...document.querySelectorAll('nav a')].every((a) => { const r = a.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth && r.height >= 28; })), 'every scene can be reached by a thumb');
    const finger = await phone.p.context().newCDPSession(phone.p), pairs = (await state(phone.p)).pairs;
    const from = await phone.p.evaluate(() => { const { stage, scene } = window.page, v = scene.body.position.clone().project(stage.camera), r = stage.canvas.getBoundingClientRect(); return { x: r.left + ((v.x + 1) / 2) * r.width, y: r.top + ((1 - v.y) / 2) * r.height }; });
    const touch = (type, dx) => finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: from.x + dx, y: from.y }] });
    await touch('touchStart', 0);
    for (const dx of [-10, -25, -40]) await touch('touchMove', dx);
    await touch('touchEnd', 0);
    assert.notEqual((await state(phone.p)).pairs, pairs, 'a finger drags the body');
    await phone.p.context().setOffline(true); // all is there once the page is
    for (const id of ['cloth?small', 'budget?still', 'crowd?n=500&still', 'speed', 'file']) {
        await phone.p.evaluate((to) => { location.hash = to; }, id);
        await phone.p.waitForFunction((to) => window.page.id === to, id.split('?')[0]);
    }
    assert.deepEqual(await phone.p.evaluate(() => window.page.errors), []);
    assert.deepEqual(phone.said, []);
    await phone.close();
    const none = await open('#contact', {}, () => { HTMLCanvasElement.prototype.getContext = () => null; });
    assert.match(await none.p.locator('#fallback').innerText(), /WebGL/);
    await none.close();
    const book = await open('?paused#cloth?small');
    await book.p.click('#book');
    assert.match(await book.p.locator('h1').innerText(), /./);
    await book.close();
});
test('every query gives the bits of the native library, in the browser too', { skip: replay && existsSync(join(work, 'hashes.json')) ? false : 'the tests in node write what to compare with' }, async () => {
    const { p, close } = await open('?paused#speed'), expected = JSON.parse(readFileSync(join(work, 'hashes.json'), 'utf8'));
    const hashes = await p.evaluate(async () => {
        const { Record, everyQuery, parseMesh } = await import('/test/record.mjs'), names = ['bumpy', 'bumpy-double', 'bumpy-large', 'pot', 'needles', 'soup', 'sheet-0', 'sheet-1', 'sheet-2', 'sheet-3'], meshes = {};
        for (const name of names) meshes[name] = parseMesh(await (await fetch(`/meshes/${name}.mesh`)).arrayBuffer());
        const record = new Record(window.page.bw);
        everyQuery(record, (name) => meshes[name]);
        return record.hashes;
    });
    assert.deepEqual(hashes, expected);
    await close();
});
});
