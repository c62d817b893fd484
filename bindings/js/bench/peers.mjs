// node peers.mjs PACKAGE [20k,200k] [--json]: this package beside three-mesh-bvh at its best settings, in one run, on the same work and with the same answers.
// CPU time of the process; both take turns, and the median of the rounds' ratios is told, with the least and the most.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
const [folder, sizes = '20k,200k'] = process.argv.slice(2).filter((a) => !a.startsWith('--'));
const json = process.argv.includes('--json'), quick = process.argv.includes('--quick');
const require = createRequire(resolve('web/package.json'));
const THREE = await import(pathToFileURL(require.resolve('three').replace('three.cjs', 'three.module.js')));
const { MeshBVH, CENTER, SAH } = await import(pathToFileURL(require.resolve('three-mesh-bvh').replace(/index\.umd\.cjs$/, 'index.module.js')));
const { load } = await import(pathToFileURL(resolve(folder, 'index.js')));
const bw = await load();

const cpu = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000; };
/** Milliseconds of one run: enough runs in a row for the clock. */
function time(f, least = 30) {
    let n = 1;
    for (;;) {
        const s = cpu();
        for (let i = 0; i < n; i++) f();
        const t = cpu() - s;
        if (t >= least) return t / n;
        n = Math.ceil(n * Math.min(100, Math.max(2, (1.2 * least) / Math.max(t, 0.1))));
    }
}
const median = (a) => [...a].sort((x, y) => x - y)[a.length >> 1];
let seed = 1;
const rnd = (from = 0, to = 1) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return from + ((to - from) * seed) / 4294967296; };

/** A torus knot with bumps. */
function bumpy(tubular, radial) {
    const g = new THREE.TorusKnotGeometry(1, 0.35, tubular, radial), p = g.attributes.position.array, n = g.attributes.normal.array;
    for (let i = 0; i < p.length; i += 3) {
        const b = 0.03 * Math.sin(9 * p[i]) * Math.cos(7 * p[i + 1]) * Math.sin(8 * p[i + 2]);
        for (let k = 0; k < 3; k++) p[i + k] += b * n[i + k];
    }
    g.deleteAttribute('uv');
    g.deleteAttribute('normal');
    g.setIndex(new THREE.BufferAttribute(new Uint32Array(g.index.array), 1));
    return g;
}
const rows = [];
for (const size of sizes.split(',')) {
    const g = bumpy(...({ '20k': [200, 50], '200k': [1000, 100], '2k': [50, 20] }[size])), mesh = { positions: g.attributes.position.array, indices: g.index.array };
    // theirs: for queries the tree by surface area, for builds each against its like
    const ga = g.clone(), gb = g.clone(), A = new MeshBVH(ga, { strategy: SAH }), B = (gb.boundsTree = new MeshBVH(gb, { strategy: SAH }));
    const a = bw.tree(mesh), b = bw.tree(mesh), deforming = bw.tree(mesh, { deforms: true });
    const poses = Array.from({ length: 100 }, () => new THREE.Matrix4().compose(
        new THREE.Vector3(rnd(-1), rnd(-1), rnd(-1)).normalize().multiplyScalar(rnd(1.2, 2.8)), new THREE.Quaternion(rnd(-1), rnd(-1), rnd(-1), rnd(-1)).normalize(), new THREE.Vector3(1, 1, 1)));
    const close = poses.slice(0, 8), points = Array.from({ length: 5000 }, () => new THREE.Vector3(rnd(-1.5, 1.5), rnd(-1.5, 1.5), rnd(-1, 1)));
    const rays = Array.from({ length: 5000 }, () => { const o = new THREE.Vector3(rnd(-1), rnd(-1), rnd(-1)).normalize().multiplyScalar(4); return new THREE.Ray(o, new THREE.Vector3(rnd(-1), rnd(-1), rnd(-0.5, 0.5)).sub(o).normalize()); });
    const flatPoints = Float64Array.from(points.flatMap((p) => p.toArray())), flatRays = Float64Array.from(rays.flatMap((r) => [...r.origin.toArray(), ...r.direction.toArray()]));
    const target = {};
    // the answers are the same, but for contacts that only touch, which they do not see
    const any = poses.map((m) => bw.any(a, { tree: b, pose: m })), theirs = poses.map((m) => A.bvhcast(B, m, { intersectsTriangles: (s, t) => s.intersectsTriangle(t) }));
    const differ = any.filter((v, i) => v !== theirs[i]).length;
    const count = close.map((m) => bw.pairs(a, { tree: b, pose: m }).count), theirCount = close.map((m) => { let n = 0; A.bvhcast(B, m, { intersectsTriangles: (s, t) => { if (s.intersectsTriangle(t)) n++; return false; } }); return n; });
    const d = bw.nearestMany(a, flatPoints).distance, worst = points.reduce((w, p, i) => Math.max(w, Math.abs(A.closestPointToPoint(p, target).distance - d[i])), 0);
    const t = bw.raycastMany(a, flatRays).t, rayDiffer = rays.filter((r, i) => { const h = A.raycastFirst(r, THREE.DoubleSide); return (h ? Math.abs(h.distance - t[i]) > 1e-5 : t[i] !== Infinity); }).length;
    if (differ > 2 || worst > 1e-5 || rayDiffer > 5) throw new Error(`${size}: other answers: any ${differ}, nearest ${worst}, rays ${rayDiffer}`);
    const found = { size, any: any.filter(Boolean).length, anyDiffer: differ, pairs: count.reduce((x, y) => x + y, 0), theirPairs: theirCount.reduce((x, y) => x + y, 0), worstNearest: worst, raysDiffer: rayDiffer };
    const works = {
        any: [() => { for (const m of poses) bw.any(a, { tree: b, pose: m }); }, () => { for (const m of poses) A.bvhcast(B, m, { intersectsTriangles: (s, u) => s.intersectsTriangle(u, undefined, true) }); }],
        all: [() => { for (const m of close) bw.pairs(a, { tree: b, pose: m }); }, () => { for (const m of close) { let n = 0; A.bvhcast(B, m, { intersectsTriangles: (s, u) => { if (s.intersectsTriangle(u, undefined, true)) n++; return false; } }); } }],
        'nearest, one by one': [() => { for (const p of points) bw.nearest(a, p); }, () => { for (const p of points) A.closestPointToPoint(p, target); }],
        'nearest, in one call': [() => bw.nearestMany(a, flatPoints), () => { for (const p of points) A.closestPointToPoint(p, target); }],
        'rays, one by one': [() => { for (const r of rays) bw.raycast(a, r); }, () => { for (const r of rays) A.raycastFirst(r, THREE.DoubleSide); }],
        'rays, in one call': [() => bw.raycastMany(a, flatRays), () => { for (const r of rays) A.raycastFirst(r, THREE.DoubleSide); }],
        refit: [() => a.refit(mesh.positions), () => A.refit()],
        'refit, said to deform': [() => deforming.refit(mesh.positions), () => A.refit()],
        'build, fast': [() => bw.tree(mesh, { builder: 'fast' }).dispose(), () => new MeshBVH(g.clone(), { strategy: CENTER })],
        'build, quality': [() => bw.tree(mesh).dispose(), () => new MeshBVH(g.clone(), { strategy: SAH })],
    };
    const clone = time(() => g.clone());
    for (const [work, [ours, their]] of Object.entries(works)) {
        const ratios = [], mine = [], other = [];
        if (work.startsWith('rays')) { a.prepare({ rays: true }); } else if (work.startsWith('nearest')) { a.prepare({ distances: true }); }
        time(ours, 200); // both are compiled well before they are measured
        time(their, 200);
        for (let k = 0; k < (quick ? 1 : 5); k++) {
            const x = time(ours), y = time(their) - (work.startsWith('build') ? clone : 0);
            mine.push(x); other.push(y); ratios.push(y / x);
        }
        rows.push({ size, work, ms: median(mine), theirs: median(other), ratio: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) });
        if (!json) { const r = rows.at(-1); console.log(`${size.padStart(5)}  ${work.padEnd(22)} ${r.ms.toFixed(3).padStart(10)} ms ${r.theirs.toFixed(3).padStart(10)} ms   ${r.ratio.toFixed(1).padStart(6)} x  (${r.least.toFixed(1)} to ${r.most.toFixed(1)})`); }
    }
    if (json) for (const r of rows.filter((row) => row.size === size)) console.log(JSON.stringify(r));
    console.log(json ? JSON.stringify(found) : `${size.padStart(5)}  ${found.any} of ${poses.length} poses in contact; pairs of ${close.length}: ${found.pairs}, theirs ${found.theirPairs}; nearest differ by ${worst.toExponential(1)}`);
}
