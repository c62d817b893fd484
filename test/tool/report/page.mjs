// The page in a real browser, from the file system: node page.mjs SAMPLES SCREENSHOTS, with playwright-core in
// BOXWOOD_NODE_MODULES and a Chromium in CHROMIUM. What is expected comes from how the samples are made, and from
// projecting the boxes of the parts, not from earlier pictures.
import { createRequire } from 'node:module';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import assert from 'node:assert/strict';

const [, , samples, screenshots] = process.argv;
const { chromium } = createRequire(join(process.env.BOXWOOD_NODE_MODULES, 'x.js'))('playwright-core');
mkdirSync(screenshots, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

let troubles;
async function open(name, options = {}, before = null) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 700 }, ...options });
  const page = await context.newPage();
  troubles = [];
  page.on('console', (message) => { if (message.type() === 'error') troubles.push(message.text()); });
  page.on('pageerror', (error) => troubles.push(String(error.stack)));
  page.on('request', (request) => { if (!/^(file|data|blob):/.test(request.url())) troubles.push(`wants ${request.url()}`); });
  if (before) await page.addInitScript(before);
  await page.goto(`file://${join(samples, `${name}.html`)}`);
  if (!before) await page.waitForFunction(() => 'ready' in document.documentElement.dataset, null, { timeout: 120000 });
  return page;
}

async function close(page, name) {
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
  assert.deepEqual(troubles, [], `${name}: errors of the page`);
  await page.context().close();
}

// What is drawn: how many pixels, their box (0 to 1), and a hash of them all.
const drawn = (page) => page.evaluate(() => {
  boxwood.flight = null;
  boxwood.draw(performance.now() + 1e6);
  const canvas = document.getElementById('canvas'), copy = document.createElement('canvas');
  const [w, h] = [copy.width, copy.height] = [canvas.width, canvas.height];
  const flat = copy.getContext('2d', { willReadFrequently: true });
  flat.drawImage(canvas, 0, 0);
  const { data } = flat.getImageData(0, 0, w, h), box = [1, 1, 0, 0];
  let count = 0, hash = 0;
  for (let i = 0; i < w * h; i++) {
    hash = (Math.imul(hash, 31) + data[4 * i] + 3 * data[4 * i + 1] + 7 * data[4 * i + 2] + 11 * data[4 * i + 3]) | 0;
    if (!data[4 * i + 3]) continue;
    count++;
    const x = (i % w) / w, y = Math.floor(i / w) / h;
    box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y); box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
  }
  return { share: count / (w * h), box, hash };
});
const settle = (page) => page.waitForFunction(() => !boxwood.flight && !boxwood.pending);
const place = (page) => page.evaluate(() => JSON.stringify(boxwood.camera.place));

const tests = {
  async 'a report of clashes'() {
    const page = await open('clash');
    const first = await drawn(page);
    assert.ok(first.share > 0.02 && first.share < 0.9, `drawn: ${first.share}`);
    // The boxes of the parts, projected here, hold what is drawn, and nearly fill it.
    const outline = await page.evaluate(() => {
      const { camera, scene } = boxwood, [x, y, z] = camera.axes(), eye = camera.eye, tan = Math.tan(19 * Math.PI / 180), out = [1, 1, 0, 0];
      const aspect = scene.canvas.width / scene.canvas.height, dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
      for (const b of scene.boxes) for (let c = 0; c < 8; c++) {
        const p = [0, 1, 2].map((k) => b[k + (c >> k & 1 ? 3 : 0)] - eye[k]), d = -dot(p, z);
        const u = 0.5 + 0.5 * dot(p, x) / d / tan / aspect, v = 0.5 - 0.5 * dot(p, y) / d / tan;
        out[0] = Math.min(out[0], u); out[1] = Math.min(out[1], v); out[2] = Math.max(out[2], u); out[3] = Math.max(out[3], v);
      }
      return out;
    });
    for (let k = 0; k < 4; k++) {
      const slack = k < 2 ? first.box[k] - outline[k] : outline[k] - first.box[k];
      assert.ok(slack > -0.01 && slack < 0.08, `side ${k}: drawn to ${first.box[k]}, projected ${outline[k]}`);
    }
    await page.screenshot({ path: join(screenshots, 'clash-all.png') });

    // Sorted by depth, the deepest first.
    const depths = await page.evaluate(() => boxwood.manifest.findings.filter((f) => f.kind === 'hard').map((f) => f.depth));
    assert.deepEqual(depths, [...depths].sort((a, b) => b - a));
    assert.equal(depths.length, 5);
    const was = await place(page);
    await page.click('#findings .row >> nth=0');
    await settle(page);
    assert.notEqual(await place(page), was, 'a click moves the camera');
    assert.equal(await page.getAttribute('#findings .row >> nth=0', 'aria-selected'), 'true');
    assert.match(await page.textContent('#card'), /Pot 0/);
    const near = await drawn(page);
    assert.notEqual(near.hash, first.hash);
    // The camera looks at the place of the clash, and the label tells its depth there.
    const [middle, offset] = await page.evaluate(() => [boxwood.camera.project(boxwood.manifest.findings[0].place, 2, 2), boxwood.camera.offset]);
    assert.ok(Math.abs(middle[0] - 1 - offset[0]) < 1e-6 && Math.abs(middle[1] - 1 + offset[1]) < 1e-6 && offset[0] < 0);
    assert.equal(await page.textContent('.label'), await page.evaluate(() => `${boxwood.units.length(boxwood.manifest.findings[0].upper)} to come out`));
    await page.screenshot({ path: join(screenshots, 'clash-selected.png') });

    await page.click('[data-others="hidden"]');
    const alone = await drawn(page);
    assert.ok(alone.share < near.share, 'the others are hidden');
    await page.click('#cut');
    const cut = await drawn(page);
    assert.notEqual(cut.hash, alone.hash);
    await page.selectOption('#cut-axis', 'clash');
    await page.screenshot({ path: join(screenshots, 'clash-cut.png') });
    await page.click('#cut');
    assert.equal((await drawn(page)).hash, alone.hash, 'without the cut as before');

    await page.keyboard.press('j');
    assert.equal(await page.evaluate(() => boxwood.finding), 1);
    await page.keyboard.press('k');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => boxwood.finding), -1);
    await page.keyboard.press('f');
    await settle(page);

    // A click on a part in the picture selects that part.
    const [part, x, y] = await page.evaluate(() => {
      const { scene, camera } = boxwood, canvas = scene.canvas, part = 24, b = scene.boxes[part]; // a pot that stands free
      return [part, ...camera.project([0, 1, 2].map((k) => (b[k] + b[3 + k]) / 2), canvas.clientWidth, canvas.clientHeight)];
    });
    await page.click('#canvas', { position: { x, y } });
    assert.equal(await page.evaluate(() => boxwood.part), part);
    await page.keyboard.press('Escape');

    const yaw = await page.evaluate(() => boxwood.camera.yaw);
    await page.mouse.move(800, 300);
    await page.mouse.down();
    await page.mouse.move(900, 300, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await page.evaluate(() => boxwood.camera.yaw), yaw, 'dragging turns');
    const far = await page.evaluate(() => boxwood.camera.distance);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((d) => boxwood.camera.distance < d, far);

    await page.fill('#filter', 'loop c');
    assert.equal(await page.locator('#findings .row').count(), 1);
    await page.fill('#filter', 'nowhere');
    assert.match(await page.textContent('#findings'), /Nothing matches/);
    await page.fill('#filter', '');
    await page.selectOption('#sort', 'pairs');
    const pairs = await page.evaluate(() => boxwood.findings.shown.map((i) => boxwood.manifest.findings[i].pairs));
    assert.deepEqual(pairs, [...pairs].sort((a, b) => b - a));
    await page.click('#kinds button >> nth=0');
    assert.equal(await page.locator('#findings .row').count(), 2);
    await page.click('[data-tab="parts"]');
    await page.fill('#part-filter', 'ball 14');
    const all = await drawn(page);
    await page.click('#parts .row button');
    assert.notEqual((await drawn(page)).hash, all.hash, 'a hidden part');
    await page.click('[data-tab="notes"]');
    assert.match(await page.textContent('#notes'), /mated faces/);
    await close(page, 'clash');
  },

  async 'an address with a number selects'() {
    const page = await open('clash');
    await page.evaluate(() => { location.hash = '#3'; });
    await page.waitForFunction(() => boxwood.finding === 2);
    await close(page, 'clash-address');
  },

  async 'dark, and on a phone'() {
    let page = await open('clash', { colorScheme: 'dark' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.click('#findings .row >> nth=1');
    await settle(page);
    await close(page, 'clash-dark');
    page = await open('clash', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await page.tap('#findings .row >> nth=0');
    await settle(page);
    assert.equal(await page.evaluate(() => boxwood.finding), 0);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
    await close(page, 'clash-phone');
  },

  async 'a film'() {
    const page = await open('track');
    const at = async (time) => {
      await page.evaluate((t) => {
        const slider = document.getElementById('time');
        slider.value = t;
        slider.dispatchEvent(new Event('input'));
      }, time);
      await page.waitForFunction(() => !boxwood.waiting);
      return drawn(page);
    };
    const pictures = [await at(0), await at(1), await at(1.01), await at(2)];
    assert.equal(new Set(pictures.map((p) => p.hash)).size, 4, 'the slider changes the picture');
    // The ring is a turned torus about (0, 0, 1.2 - 1.2 t): its middle tells the frame that was unpacked.
    for (const time of [0, 0.5, 1.5]) {
      const middle = await page.evaluate(async (t) => {
        const film = boxwood.scene.films[1].film, [frame] = boxwood.scene.constructor.frameAt(film.times, t);
        const run = film.runs.findLastIndex((r) => r.first <= frame), { first, spot } = film.runs[run];
        const bytes = await boxwood.data.chunk(spot[0]);
        const frames = boxwood.data.constructor.frames(bytes, spot[1], spot[2], film.count, film.step), p = frames[frame - first];
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        for (let i = 0; i < p.length; i++) { low[i % 3] = Math.min(low[i % 3], p[i]); high[i % 3] = Math.max(high[i % 3], p[i]); }
        return low.map((x, k) => (x + high[k]) / 2 + boxwood.manifest.meshes[1].centre[k]);
      }, time);
      assert.ok(Math.abs(middle[2] - (1.2 - 1.2 * time)) < 1e-3 && Math.abs(middle[0]) < 1e-3, `at ${time}: ${middle}`);
    }
    await page.click('#findings .row >> nth=0');
    await settle(page);
    const f = await page.evaluate(() => boxwood.manifest.findings[0]);
    assert.equal(await page.evaluate(() => boxwood.time), f.deepest);
    await page.screenshot({ path: join(screenshots, 'track-selected.png') });
    await page.click('#play');
    await page.waitForFunction((t) => boxwood.time > t + 0.1 || boxwood.time < t, f.deepest);
    await page.keyboard.press(' ');
    const before = await page.evaluate(() => boxwood.time);
    await page.keyboard.press(']');
    assert.ok(await page.evaluate(() => boxwood.time) > before, 'one frame on');
    await close(page, 'track');
    await close(await open('track-few'), 'track-few');
  },

  async 'names are text'() {
    const page = await open('odd');
    assert.equal(await page.evaluate(() => window.hit), undefined);
    assert.equal(await page.locator('img').count(), 0);
    assert.match(await page.textContent('#title'), /^<\/title><script>window.hit=1<\/script>$/);
    const names = (await page.locator('#findings .name').allTextContents()).join('\n');
    assert.match(names, /<img src=x onerror=/);
    assert.match(names, /\\u202e turned/);
    assert.doesNotMatch(names, /\u202e/);
    const picture = await drawn(page);
    assert.ok(picture.share > 0.02, 'four thousand kilometres from the origin something is drawn');
    await page.click('#findings .row >> nth=0');
    await settle(page);
    assert.equal(await page.evaluate(() => window.hit), undefined);
    await close(page, 'odd');
  },

  async 'twenty thousand parts, ten thousand clashes'() {
    for (const name of ['large', 'boxes']) {
      const start = performance.now(), page = await open(name, { viewport: { width: 700, height: 420 } }), ready = performance.now() - start;
      assert.ok((await drawn(page)).share > 0.05);
      assert.ok(await page.locator('#findings .row').count() < 40, 'only rows that are seen are made');
      const spent = await page.evaluate(() => {
        const start = performance.now();
        document.getElementById('filter').value = 'area 3 08123';
        boxwood.findings.refresh();
        return [performance.now() - start, boxwood.findings.shown.length];
      });
      assert.equal(spent[1], 2); // with the item before and the one after
      await page.evaluate(() => { document.getElementById('filter').value = ''; boxwood.findings.refresh(); });
      await page.focus('#findings');
      await page.keyboard.press('End');
      assert.equal(await page.evaluate(() => boxwood.finding), 9999);
      const { size } = statSync(join(samples, `${name}.html`));
      console.log(`${name}: ${(size / 1e6).toFixed(2)} MB, shown after ${(ready / 1000).toFixed(1)} s by a software renderer, filtered in ${spent[0].toFixed(0)} ms`);
      await close(page, name);
    }
  },

  async 'nothing, and no WebGL'() {
    let page = await open('empty');
    assert.match(await page.textContent('#findings'), /No clashes/);
    await close(page, 'empty');
    page = await open('clash', {}, () => { HTMLCanvasElement.prototype.getContext = () => null; });
    await page.waitForSelector('#message:not([hidden])');
    assert.match(await page.textContent('#message'), /No 3D here/);
    await page.click('#findings .row >> nth=2');
    assert.match(await page.textContent('#card'), /Clash 3/);
    await close(page, 'without-webgl');
  },

  async 'files by boxwood view'() {
    let page = await open('view');
    const first = await drawn(page);
    assert.ok(first.share > 0.02);
    assert.match(await page.textContent('#layers'), /Self-contacts/);
    await page.locator('#layers input[type="range"]').fill('1');
    const level = await drawn(page);
    assert.notEqual(level.hash, first.hash, 'boxes of the tree');
    await page.locator('#layers input[type="range"]').fill('3');
    assert.notEqual((await drawn(page)).hash, level.hash);
    await close(page, 'view');
    page = await open('view-film');
    await page.evaluate(() => boxwood.setTime(boxwood.manifest.end / 2));
    await page.waitForFunction(() => !boxwood.waiting);
    await close(page, 'view-film');
  },
};

tests['the folder of boxwood demo'] = async () => {
  const page = await open('demo/index', {}, () => {});
  assert.equal(await page.locator('main a').count(), 4);
  assert.ok(await page.evaluate(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0)));
  await page.screenshot({ path: join(screenshots, 'demo.png'), fullPage: true });
  await page.click('main a >> nth=2');
  await page.waitForFunction(() => 'ready' in document.documentElement.dataset, null, { timeout: 120000 });
  assert.ok((await drawn(page)).share > 0.02);
  await page.click('#findings .row >> nth=0');
  await settle(page);
  await close(page, 'demo-act');
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.stack}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
