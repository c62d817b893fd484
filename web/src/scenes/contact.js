// Two meshes, one of which is dragged through the other: the curve of contact lights up.
import { Lit, bumpy, count, fill, knot, rows } from './meshes.js';

export const contact = {
    id: 'contact', name: 'Contact', title: 'Two meshes meet', book: 'collision',
    text: 'Drag the yellow body through the blue one. Every frame finds all pairs of triangles that touch or cross, exactly, and the curve on which they do.',
    keys: 'Keys: arrows and Page Up, Page Down move the body, R turns it. Drag elsewhere to look around.',
    create(stage) {
        const { bw, THREE, scene, colour, camera, orbit, canvas, stat } = stage;
        const a = new Lit(knot(), colour.a, colour.hot), b = new Lit(bumpy(), colour.b, colour.hot), treeA = bw.tree(a.source), treeB = bw.tree(b.source);
        b.position.set(1.25, 0.35, 0.2);
        scene.add(a, b);
        const curve = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: colour.hot, depthTest: false }));
        curve.frustumCulled = false;
        curve.renderOrder = 2;
        const arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1, colour.ok, 0.14, 0.09);
        arrow.visible = false;
        scene.add(curve, arrow);
        const state = { pairs: 0, regions: 0 };
        const pose = () => { b.updateMatrixWorld(); return rows(b.matrixWorld); };
        function ask() {
            const c = stage.timed('Query', () => bw.contacts(treeA, { tree: treeB, pose: pose() }));
            a.light(c.a);
            b.light(c.b);
            fill(curve, c.ends);
            state.pairs = c.count;
            state.regions = c.regions.length;
            stat('Pairs of triangles', count(c.count), c.count > 0);
            stat('Curves', count(c.regions.length));
            stat('Length', c.regions.reduce((s, r) => s + r.length, 0).toFixed(2));
            arrow.visible = false;
            stage.draw();
        }
        stat('Triangles', `${count(a.source.indices.length / 3)} and ${count(b.source.indices.length / 3)}`);
        stage.control.button('Which way out?', () => {
            const c = stage.timed('Depth', () => bw.contacts(treeA, { tree: treeB, pose: pose() }, { depth: true, trials: 150 })), { translation, depthUpper, depthLower } = c.report, v = new THREE.Vector3(...translation);
            stat('Depth', c.count === 0 ? 'apart' : `${depthLower.toFixed(3)} to ${depthUpper.toFixed(3)}`);
            if (v.length() > 0) { arrow.position.copy(b.position); arrow.setDirection(v.clone().normalize()); arrow.setLength(Math.max(0.2, v.length()), 0.14, 0.09); arrow.visible = true; }
            state.depth = depthUpper;
            stage.draw();
        });
        // the drag: in the plane of the picture through the body
        const pointer = new THREE.Vector2(), ray = new THREE.Raycaster(), plane = new THREE.Plane(), at = new THREE.Vector3(), grip = new THREE.Vector3();
        let held = false;
        const aim = (e) => { const r = canvas.getBoundingClientRect(); pointer.set(((e.clientX - r.left) / r.width) * 2 - 1, 1 - ((e.clientY - r.top) / r.height) * 2); ray.setFromCamera(pointer, camera); };
        stage.on(canvas, 'pointerdown', (e) => {
            aim(e);
            const inverse = b.matrixWorld.clone().invert(), local = ray.ray.clone().applyMatrix4(inverse), hit = bw.raycast(treeB, local), other = bw.raycast(treeA, ray.ray);
            if (hit === null || (other !== null && other.t < hit.t)) return;
            held = true;
            orbit.enabled = false;
            canvas.setPointerCapture(e.pointerId);
            at.copy(ray.ray.origin).addScaledVector(ray.ray.direction, hit.t);
            plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), at);
            grip.subVectors(b.position, at);
        }, { capture: true });
        stage.on(canvas, 'pointermove', (e) => {
            if (!held) return;
            aim(e);
            if (ray.ray.intersectPlane(plane, at)) { b.position.addVectors(at, grip); ask(); }
        });
        const release = () => { held = false; orbit.enabled = true; };
        stage.on(canvas, 'pointerup', release);
        stage.on(canvas, 'pointercancel', release);
        const moves = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1] };
        stage.on(canvas, 'keydown', (e) => {
            if (moves[e.key]) b.position.addScaledVector(new THREE.Vector3(...moves[e.key]), 0.05);
            else if (e.key === 'r' || e.key === 'R') b.rotateY(0.1);
            else return;
            e.preventDefault();
            ask();
        });
        ask();
        return {
            state,
            body: b,
            // for tests: what the first frames ask, moved a little each
            questions(record) {
                const x = record.tree(a.source), y = record.tree(b.source);
                for (let i = 0; i < 3; i++) {
                    const c = record.contacts(x, { tree: y, pose: pose() });
                    if (c.count !== state.pairs) throw new Error(`the page shows ${state.pairs} pairs, not ${c.count}`);
                    b.position.x += 0.05;
                    ask();
                }
                x.dispose(); y.dispose();
            },
            frame(i) { b.position.set(1.2 + 0.5 * Math.sin(i / 20), 0.3 * Math.cos(i / 17), 0.2); ask(); },
            dispose() { treeA.dispose(); treeB.dispose(); },
        };
    },
};
