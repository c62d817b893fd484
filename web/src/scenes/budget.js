// An answer within a budget, and how sure it is.
import { Lit, bumpy, count, knot, rows } from './meshes.js';

export const budget = {
    id: 'budget', name: 'Budget', title: 'An answer in time', book: 'budgets',
    text: 'Do the two collide? The query gets only as many steps as the slider allows, and says how sure it is; what it cannot prove it estimates from statistics of the surfaces.',
    keys: 'Move the slider to give it more or less; the bar is its confidence, from a guess to a proof.',
    create(stage) {
        const { bw, THREE, scene, colour, stat } = stage;
        const a = new Lit(knot(160, 32), colour.a, colour.hot), b = new Lit(bumpy(20, 0.8), colour.b, colour.hot), treeA = bw.tree(a.source), treeB = bw.tree(b.source);
        scene.add(a, b);
        const x = stage.timed('Preparing', () => bw.anytime(treeA, { tries: 128 })), y = bw.anytime(treeB, { tries: 128 });
        const places = Array.from({ length: 6 }, () => { const m = new THREE.Mesh(new THREE.SphereGeometry(0.05, 12, 8), new THREE.MeshBasicMaterial({ color: colour.ok, depthTest: false, transparent: true })); m.renderOrder = 2; scene.add(m); return m; });
        const state = { steps: 8, right: 0, asked: 0, collision: false, confidence: 0 };
        let time = 0, moving = !matchMedia('(prefers-reduced-motion: reduce)').matches && !stage.params.has('still');
        const place = () => { b.position.set(1.9 * Math.cos(time), 0.7 * Math.sin(1.7 * time), 0.9 * Math.sin(0.9 * time)); b.rotation.set(0.5 * time, 0.8 * time, 0); b.updateMatrixWorld(); return rows(b.matrixWorld); };
        const bar = stage.control.bar();
        function ask() {
            const pose = place(), answer = stage.timed('Query', () => bw.anyWithin(x, { anytime: y, pose }, { maxSteps: state.steps, regions: places.length })), truth = stage.timed('Exact query', () => bw.any(treeA, { tree: treeB, pose }));
            Object.assign(state, { collision: answer.collision, confidence: answer.confidence, proven: answer.proven, asked: state.asked + 1, right: state.right + (answer.collision === truth ? 1 : 0) });
            bar(answer.proven ? 1 : 2 * answer.confidence - 1);
            stat('Answer', answer.collision ? 'collision' : 'free', answer.collision);
            stat('Confidence', answer.proven ? 'proven' : `${(100 * answer.confidence).toFixed(1)} %`);
            stat('Steps taken', count(answer.steps));
            stat('Exactly', truth ? 'collision' : 'free', truth);
            stat('Right so far', `${state.right} of ${state.asked}`);
            places.forEach((m, i) => { const r = answer.regions[i]; m.visible = r !== undefined; if (r) { m.position.fromArray(r.point); m.material.opacity = 0.25 + 0.75 * r.probability; m.material.color.set(r.proven ? colour.hot : colour.ok); } });
            stage.draw();
        }
        stage.control.slider('Steps', { min: 0, max: 9, step: 0.25, value: 3, show: (v) => count(v === 0 ? 0 : 2 ** v) }, (v) => { state.steps = v === 0 ? 0 : Math.round(2 ** v); state.asked = state.right = 0; ask(); });
        stage.control.check('Move', moving, (v) => { moving = v; });
        ask();
        return {
            state,
            tick(seconds) { if (!moving) return false; time += 0.5 * seconds; ask(); return true; },
            questions(record) {
                const p = record.tree(a.source), q = record.tree(b.source), poses = [];
                for (let i = 0; i < 5; i++) { time = 0.3 * i; poses.push(place()); }
                record.anytime(p, q, poses, { tries: 128, steps: state.steps });
                p.dispose(); q.dispose();
            },
            frame(i) { time = i / 30; ask(); },
            dispose() { for (const o of [x, y, treeA, treeB]) o.dispose(); },
        };
    },
};
