// A cloth that falls on a body: its motion is known, so contacts are followed in time, and listed from when to when.
import { Lit, bumpy, count } from './meshes.js';

/** Keyframes of a sheet that falls on a body: springs of fixed length, relaxed step by step, and vertices that the body pushes out by its signed distances. */
function simulate(bw, body, n, frames) {
    const margin = 0.006, cache = bw.pairCache();
    const positions = new Float64Array(3 * n * n), indices = [], links = [], at = (i, k) => i * n + k, size = 2.6;
    for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) { const v = 3 * at(i, k); positions[v] = (k / (n - 1) - 0.5) * size; positions[v + 1] = 1.55 + 0.02 * ((i * 7 + k * 5) % 4); positions[v + 2] = (i / (n - 1) - 0.5) * size; }
    for (let i = 0; i + 1 < n; i++) for (let k = 0; k + 1 < n; k++) { const a = at(i, k), b = at(i, k + 1), c = at(i + 1, k), d = at(i + 1, k + 1); indices.push(a, c, b, b, c, d); }
    const link = (a, b) => links.push([3 * a, 3 * b, Math.hypot(positions[3 * a] - positions[3 * b], positions[3 * a + 2] - positions[3 * b + 2])]);
    for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) { if (k + 1 < n) link(at(i, k), at(i, k + 1)); if (i + 1 < n) link(at(i, k), at(i + 1, k)); if (k + 2 < n) link(at(i, k), at(i, k + 2)); if (i + 2 < n) link(at(i, k), at(i + 2, k)); }
    const before = positions.slice(), out = [Float32Array.from(positions)], steps = 3, h = 1 / 45 / steps;
    for (let f = 1; f < frames; f++) {
        for (let s = 0; s < steps; s++) {
            for (let v = 0; v < positions.length; v += 3) for (let k = 0; k < 3; k++) { const p = positions[v + k], next = p + (p - before[v + k]) * 0.995 - (k === 1 ? 9.8 * h * h : 0); before[v + k] = p; positions[v + k] = next; }
            for (let r = 0; r < 12; r++) {
                for (const [a, b, rest] of links) {
                    const x = positions[b] - positions[a], y = positions[b + 1] - positions[a + 1], z = positions[b + 2] - positions[a + 2], d = Math.sqrt(x * x + y * y + z * z), w = (0.5 * (d - rest)) / d;
                    positions[a] += w * x; positions[a + 1] += w * y; positions[a + 2] += w * z; positions[b] -= w * x; positions[b + 1] -= w * y; positions[b + 2] -= w * z;
                }
            }
            const near = bw.signedDistance(body, positions, { cache, maxDistance: 0.3 });
            for (let i = 0; i < near.count; i++) {
                if (!(near.distance[i] < margin)) continue;
                for (let k = 3 * i; k < 3 * i + 3; k++) { positions[k] = near.points[k] + margin * near.normals[k]; before[k] += (positions[k] - before[k]) * 0.7; } // out, and slower by friction
            }
        }
        out.push(Float32Array.from(positions));
    }
    cache.dispose();
    return { indices: Uint32Array.from(indices), frames: out };
}

export const cloth = {
    id: 'cloth', name: 'Cloth', title: 'A cloth falls on a body', book: 'moving',
    text: 'The motion is known, so a kinetic tree follows it and the timeline below holds every contact of the fall, from when to when, between frames too. Drag along the timeline to any time, and see what touches then.',
    keys: 'Keys on the timeline: arrows step, Home and End jump, Space plays.',
    create(stage) {
        const { bw, scene, colour, camera, orbit, chart, stat } = stage, small = stage.params.has('small');
        const body = bumpy(small ? 8 : 12, 0.97), bodyTree = bw.tree(body), { indices, frames } = simulate(bw, bodyTree, small ? 16 : 30, small ? 36 : 60), times = Float64Array.from(frames, (_, i) => i / 45), end = times.at(-1);
        const sheet = new Lit({ positions: frames[0], indices }, colour.b, colour.hot), ball = new Lit(body, colour.a, colour.hot);
        scene.add(sheet, ball);
        camera.position.set(2.4, 2.2, 4.2);
        orbit.target.set(0, 0.1, 0);
        orbit.update();
        const moves = bw.moving({ indices, times, frames }), still = bw.moving({ indices: body.indices, times: [0, end], frames: [body.positions, body.positions] });
        const all = stage.timed('Whole timeline', () => bw.timeline([moves, still]));
        const kinetic = bw.kinetic(moves, { method: 'auto' }), fixed = bw.kinetic(still, { method: 'auto' }), cache = bw.pairCache();
        const bins = 400, open = new Float64Array(bins), rise = new Float64Array(bins + 1);
        for (let i = 0; i < all.count; i++) rise[Math.min(bins, Math.round((all.time[i] / end) * (bins - 1)) + (all.begins[i] ? 0 : 1))] += all.begins[i] ? 1 : -1;
        for (let i = 0, n = 0; i < bins; i++) open[i] = n += rise[i];
        const most = Math.max(1, ...open), state = { time: 0, pairs: 0, events: all.count, first: all.report.first };
        stat('Triangles', `${count(indices.length / 3)} and ${count(body.indices.length / 3)}`);
        stat('Contacts in all', count(all.report.contactCount));
        stat('First contact', `${all.report.first.toFixed(4)} s`);
        chart.hidden = false;
        function drawChart() {
            const w = (chart.width = chart.clientWidth * devicePixelRatio), h = (chart.height = chart.clientHeight * devicePixelRatio), g = chart.getContext('2d'), pad = 10 * devicePixelRatio;
            g.clearRect(0, 0, w, h);
            g.fillStyle = colour.hot;
            g.beginPath();
            g.moveTo(0, h - pad);
            for (let i = 0; i < bins; i++) g.lineTo((i / (bins - 1)) * w, h - pad - ((h - 2.6 * pad) * open[i]) / most);
            g.lineTo(w, h - pad);
            g.fill();
            g.fillStyle = colour.line;
            g.font = `${11 * devicePixelRatio}px system-ui`;
            g.textAlign = 'right';
            g.fillText(`pairs in contact, at most ${count(most)}`, w - pad, 1.4 * pad);
            g.fillStyle = colour.ok;
            g.fillRect((state.time / end) * w - devicePixelRatio, 0, 2 * devicePixelRatio, h);
            chart.setAttribute('aria-valuemin', 0);
            chart.setAttribute('aria-valuemax', end.toFixed(2));
            chart.setAttribute('aria-valuenow', state.time.toFixed(3));
        }
        function go(time) {
            state.time = Math.min(end, Math.max(0, time));
            const hits = stage.timed('Step and query', () => { kinetic.advance(state.time); return bw.pairs(kinetic, fixed, { cache }); });
            sheet.move(moves.sample(state.time));
            sheet.light(hits.a);
            ball.light(hits.b);
            state.pairs = hits.count;
            stat('Time', `${state.time.toFixed(3)} s`);
            stat('Pairs now', count(hits.count), hits.count > 0);
            stat('Method', kinetic.choice().method);
            drawChart();
            stage.draw();
        }
        let playing = !small && !matchMedia('(prefers-reduced-motion: reduce)').matches;
        const play = stage.control.check('Play', playing, (v) => { playing = v; });
        const stop = () => { playing = false; play.checked = false; };
        const scrub = (e) => { const r = chart.getBoundingClientRect(); stop(); go(((e.clientX - r.left) / r.width) * end); };
        let held = false;
        stage.on(chart, 'pointerdown', (e) => { held = true; chart.setPointerCapture(e.pointerId); scrub(e); });
        stage.on(chart, 'pointermove', (e) => { if (held) scrub(e); });
        for (const type of ['pointerup', 'pointercancel']) stage.on(chart, type, () => { held = false; });
        stage.on(chart, 'keydown', (e) => {
            const to = { ArrowLeft: state.time - end / 100, ArrowRight: state.time + end / 100, Home: 0, End: end }[e.key];
            if (e.key === ' ') { playing = !playing; play.checked = playing; } else if (to === undefined) return; else { stop(); go(to); }
            e.preventDefault();
        });
        go(0);
        return {
            state,
            tick(seconds) { if (!playing) return false; go(state.time >= end ? 0 : state.time + seconds / 2); return true; },
            resize: drawChart,
            questions(record) {
                const a = { indices, times, frames }, b = { indices: body.indices, times: [0, end], frames: [body.positions, body.positions] }, t = record.timeline([a, b]);
                if (t.count !== state.events) throw new Error(`the page has ${state.events} events, not ${t.count}`);
                record.kinetic(a, b, [0, end / 3, end / 2, end]);
            },
            frame(i) { go((i % 60) / 60 * end); },
            go,
            dispose() { for (const o of [kinetic, fixed, cache, moves, still, bodyTree]) o.dispose(); },
        };
    },
};
