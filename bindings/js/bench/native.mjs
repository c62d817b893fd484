// node native.mjs PACKAGE NATIVE [20k,200k]: the module beside the native library on the same work, CPU time, best of several, in turn. NATIVE: boxwood_js_native of the
// release preset; beside it is boxwood_js_native_128, the same with vectors of 128 bits at most, as the module has them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, native, sizes = '20k,200k'] = process.argv.slice(2), { load } = await import(pathToFileURL(resolve(folder, 'index.js'))), bw = await load();
let seed = 1;
const rnd = (from = 0, to = 1) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return from + ((to - from) * seed) / 4294967296; };
/** A torus knot with bumps, as three.js makes its own. */
function knot(tubular, radial) {
    const positions = new Float32Array(3 * tubular * radial), indices = [], at = (u) => { const c = Math.cos(u), s = Math.sin(u), q = 1.5 * u, k = Math.cos(q); return [(2 + k) * 0.5 * c, (2 + k) * s * 0.5, Math.sin(q) * 0.5]; };
    for (let i = 0; i < tubular; i++) {
        const u = (i / tubular) * 4 * Math.PI, p = at(u), q = at(u + 0.01), t = q.map((v, k) => v - p[k]), n = q.map((v, k) => v + p[k]), cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], unit = (a) => { const l = Math.hypot(...a); return a.map((v) => v / l); };
        const b = unit(cross(t, n)), m = unit(cross(b, t));
        for (let k = 0; k < radial; k++) { const v = (k / radial) * 2 * Math.PI, r = 0.35 + 0.03 * Math.sin(9 * u) * Math.cos(7 * v); for (let c = 0; c < 3; c++) positions[3 * (i * radial + k) + c] = p[c] - r * Math.cos(v) * m[c] + r * Math.sin(v) * b[c]; }
    }
    for (let i = 0; i < tubular; i++) for (let k = 0; k < radial; k++) { const a = i * radial + k, b = ((i + 1) % tubular) * radial + k, c = ((i + 1) % tubular) * radial + ((k + 1) % radial), d = i * radial + ((k + 1) % radial); indices.push(a, b, d, b, c, d); }
    return { positions, indices: Uint32Array.from(indices) };
}
const turn = (far) => { let q; do q = [rnd(-1), rnd(-1), rnd(-1), rnd(-1)]; while (Math.hypot(...q) < 0.3); const l = Math.hypot(...q), [a, b, c, d] = q.map((v) => v / l), p = [rnd(-1), rnd(-1), rnd(-1)], k = far / Math.hypot(...p); return [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c), k * p[0], 2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b), k * p[1], 2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c), k * p[2]]; };
const cpu = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000; };
const temp = mkdtempSync(join(tmpdir(), 'boxwood-'));
for (const size of sizes.split(',')) {
    const mesh = knot(...{ '20k': [200, 50], '200k': [1000, 100] }[size]), poses = Array.from({ length: 100 }, () => turn(rnd(1.2, 2.8))), points = new Float64Array(15000).map(() => rnd(-1.5, 1.5)), rays = new Float64Array(30000).map((_, i) => (i % 6 < 3 ? rnd(-3, 3) : rnd(-1)));
    const parts = [mesh.positions, mesh.indices, Float64Array.from(poses.flat()), points, rays].flatMap((a) => { const b = Buffer.alloc((a.byteLength + 7) & ~7); Buffer.from(a.buffer, a.byteOffset, a.byteLength).copy(b); return [Buffer.from(Uint32Array.of(a.length, 0).buffer), b]; });
    writeFileSync(join(temp, size), Buffer.concat(parts));
    const tree = bw.tree(mesh), deforming = bw.tree(mesh, { deforms: true });
    const works = {
        any: () => { for (const pose of poses) bw.any(tree, { tree, pose }); }, all: () => { for (const pose of poses.slice(0, 8)) bw.pairs(tree, { tree, pose }); }, nearest: () => bw.nearestMany(tree, points), rays: () => bw.raycastMany(tree, rays),
        'refit, said to deform': () => deforming.refit(mesh.positions), 'build, fast': () => bw.tree(mesh, { builder: 'fast' }).dispose(), 'build, quality': () => bw.tree(mesh).dispose(),
    };
    const names = Object.keys(works), mine = names.map(() => Infinity), natives = [native, `${native}_128`], theirs = natives.map(() => names.map(() => Infinity));
    for (const name of names) for (const s = cpu(); cpu() - s < 300; ) works[name](); // compiled well before it is measured
    // The clock is looked at once per millisecond or so: asking it takes as long as some of the works.
    const batch = names.map((name) => { let n = 1; for (;;) { const s = cpu(); for (let k = 0; k < n; k++) works[name](); if (cpu() - s >= 1) return n; n *= 2; } });
    for (let round = 0; round < 5; round++) {
        names.forEach((name, i) => { let n = 0; const s = cpu(); do { for (let k = 0; k < batch[i]; k++) works[name](); n += batch[i]; } while (cpu() - s < 20); mine[i] = Math.min(mine[i], (cpu() - s) / n); });
        natives.forEach((program, k) => execFileSync(program, [join(temp, size), '2'], { encoding: 'utf8' }).trim().split('\n').forEach((v, i) => { theirs[k][i] = Math.min(theirs[k][i], Number(v)); }));
    }
    names.forEach((name, i) => console.log(`${size.padStart(5)}  ${name.padEnd(22)} ${mine[i].toFixed(3).padStart(10)} ms, native ${theirs[0][i].toFixed(3).padStart(9)} ms: ${(mine[i] / theirs[0][i]).toFixed(2)} x; of 128 bits ${theirs[1][i].toFixed(3).padStart(9)} ms: ${(mine[i] / theirs[1][i]).toFixed(2)} x`));
}
rmSync(temp, { recursive: true });
