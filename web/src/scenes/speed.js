// Continuous collision: a thing that flies through a thin wall between two frames.
import { Lit, bumpy, count } from './meshes.js';

export const speed = {
    id: 'speed', name: 'Speed', title: 'Nothing tunnels', book: 'continuous',
    text: 'A ball flies at a thin sheet that swings to meet it. Frame by frame (the pale balls) it is often on one side, then on the other, and no contact is seen; the continuous query finds the time of the first touch at any speed.',
    keys: 'Move the slider; the red ball stands where it touches first.',
    create(stage) {
        const { bw, THREE, scene, colour, camera, orbit, stat } = stage, ball = bumpy(7, 0.22), n = 16, sheet = { positions: new Float32Array(3 * n * n), indices: [] };
        for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) sheet.positions.set([0.25 * Math.sin(i / 3) * Math.sin(k / 4), (i / (n - 1) - 0.5) * 2.4, (k / (n - 1) - 0.5) * 2.4], 3 * (i * n + k));
        for (let i = 0; i + 1 < n; i++) for (let k = 0; k + 1 < n; k++) { const a = i * n + k; sheet.indices.push(a, a + 1, a + n, a + 1, a + n + 1, a + n); }
        sheet.indices = Uint32Array.from(sheet.indices);
        const wall = new Lit(sheet, colour.a, colour.hot, { transparent: true, opacity: 0.72 }), hit = new Lit(ball, colour.hot, colour.hot), ghosts = [];
        const shift = (p, by) => { const out = p.slice(); for (let i = 0; i < out.length; i++) out[i] += by[i % 3]; return out; };
        const ghost = (i) => (ghosts[i] ??= (() => { const g = new Lit(ball, colour.b, colour.hot, { transparent: true, opacity: 0.38 }); scene.add(g); return g; })());
        const path = new THREE.Line(new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3)), new THREE.LineDashedMaterial({ color: colour.line, dashSize: 0.08, gapSize: 0.06 }));
        path.frustumCulled = false;
        scene.add(wall, hit, path);
        camera.position.set(-3.4, 2.2, 5.6);
        orbit.update();
        const fps = 30, swing = 0.6, state = { speed: 60, missed: false, time: null };
        const from = [-3, 0.21, 0.13], step = (i) => ({ ball: shift(ball.positions, [from[0] + (state.speed * i) / fps, from[1], from[2]]), wall: shift(sheet.positions, [-(swing * i) / fps, 0, 0]) });
        let sweptBall = null, sweptWall = null;
        function ask() {
            const most = Math.min(60, Math.ceil((6 / state.speed) * fps) + 1);
            let seen = null, first = null;
            const treeBall = bw.tree(ball), treeWall = bw.tree(sheet, { deforms: true });
            stage.timed('Query by frames', () => { for (let i = 0; i <= most && seen === null; i++) { treeWall.refit(step(i).wall); if (bw.any(treeWall, { tree: treeBall, pose: [1, 0, 0, from[0] + (state.speed * i) / fps, 0, 1, 0, from[1], 0, 0, 1, from[2]] })) seen = i; } });
            treeBall.dispose();
            treeWall.dispose();
            stage.timed('Continuous query', () => {
                for (let i = 0; i < most && first === null; i++) {
                    const a = step(i), b = step(i + 1);
                    if (sweptBall === null) { sweptBall = bw.swept({ positions: a.ball, indices: ball.indices }, b.ball); sweptWall = bw.swept({ positions: a.wall, indices: sheet.indices }, b.wall); } else { sweptBall.update(a.ball, b.ball); sweptWall.update(a.wall, b.wall); }
                    const { earliest } = sweptBall.pair(sweptWall, { mode: 'earliest' }).report;
                    if (earliest.first.answer !== 'apart') first = { frame: i, time: earliest.first.time, feature: earliest.feature };
                }
            });
            Object.assign(state, { missed: seen === null && first !== null, time: first === null ? null : (first.frame + first.time) / fps, seen });
            stat('Frame by frame', seen === null ? 'nothing seen' : `seen at frame ${seen}`, seen === null && first !== null);
            stat('Continuous', first === null ? 'apart' : `at ${(1000 * state.time).toFixed(3)} ms`, first !== null);
            stat('In frames', first === null ? '' : (first.frame + first.time).toFixed(4));
            for (let i = 0; i <= Math.max(most, ghosts.length - 1); i++) { if (i <= most && i < 24) { const g = ghost(i); g.visible = from[0] + (state.speed * i) / fps < 4; g.position.set(from[0] + (state.speed * i) / fps, from[1], from[2]); } else if (ghosts[i]) ghosts[i].visible = false; }
            hit.visible = first !== null;
            if (first) { hit.position.set(from[0] + state.speed * state.time, from[1], from[2]); wall.position.x = -swing * state.time; }
            path.geometry.attributes.position.array.set([...from, from[0] + 7, from[1], from[2]]);
            path.geometry.attributes.position.needsUpdate = true;
            path.computeLineDistances();
            stage.draw();
        }
        stage.control.slider('Speed', { min: 0, max: 3, step: 0.02, value: Math.log10(60), show: (v) => `${count(10 ** v)} m/s` }, (v) => { state.speed = Math.round(10 ** v); ask(); });
        ask();
        return {
            state,
            questions(record) {
                for (const v of [20, 60, 300]) { state.speed = v; const a = step(0), b = step(1), c = step(2); record.swept({ positions: a.ball, indices: ball.indices }, { positions: c.ball, indices: ball.indices }, [{ positions: a.wall, indices: sheet.indices }, { positions: b.wall, indices: sheet.indices }]); }
            },
            frame(i) { state.speed = 20 + (i % 200); ask(); },
            dispose() { sweptBall?.dispose(); sweptWall?.dispose(); },
        };
    },
};
