// A city of boxes, and what a camera above its roofs sees: seen from above, and as the camera sees it.
import { count } from './meshes.js';

export const crowd = {
    id: 'crowd', name: 'Crowd', title: 'What a camera sees of 100,000 boxes', book: 'scenes',
    text: 'A camera stands among the roofs: what it sees is coloured, what others hide from it stays grey, and the small picture is drawn from what it sees alone. Every frame asks a tree over all boxes, which draws what is near into a depth buffer and leaves out whole quarters behind it.',
    keys: 'Keys: arrows walk and turn. Drag to look at the city from elsewhere.',
    create(stage) {
        const { bw, THREE, scene, colour, camera, orbit, canvas, stat } = stage, n = Number(stage.params.get('n') ?? 100000), side = Math.ceil(Math.sqrt(n)), pitch = 4;
        let seed = 7;
        const rnd = () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed / 4294967296; };
        const boxes = new Float32Array(6 * n), size = side * pitch;
        for (let i = 0; i < n; i++) {
            const x = ((i % side) + 0.5) * pitch - size / 2, z = (Math.floor(i / side) + 0.5) * pitch - size / 2, w = 0.7 + 0.9 * rnd(), d = 0.7 + 0.9 * rnd(), h = 1 + (rnd() < 0.06 ? 16 : 5) * rnd() * rnd();
            boxes.set([x - w, 0, z - d, x + w, h, z + d], 6 * i);
        }
        const objects = bw.scene(), ids = stage.timed('Inserting all', () => objects.insertMany(boxes)), place = new Map(Array.from(ids, (id, i) => [id, i]));
        const occluding = bw.cull({ occluders: 'boxes', width: 512, height: 256 }), frustum = bw.cull();
        const geometry = new THREE.BoxGeometry(1, 1, 1).translate(0.5, 0.5, 0.5), city = new THREE.InstancedMesh(geometry, new THREE.MeshLambertMaterial(), n), m = new THREE.Matrix4();
        const grey = new THREE.Color(colour.soft), seen = new THREE.Color(colour.b), back = new THREE.Color(colour.back), out = new THREE.Color();
        for (let i = 0; i < n; i++) {
            const b = boxes.subarray(6 * i, 6 * i + 6);
            m.makeScale(b[3] - b[0], b[4] - b[1], b[5] - b[2]).setPosition(b[0], b[1], b[2]);
            city.setMatrixAt(i, m);
            city.setColorAt(i, grey);
        }
        city.frustumCulled = false;
        scene.add(city);
        const own = new THREE.InstancedMesh(geometry, city.material.clone(), n), eye = new THREE.PerspectiveCamera((0.8 * 180) / Math.PI, 1.8, 0.1, 2 * size); // what the camera draws, and its eye
        own.frustumCulled = own.visible = false;
        scene.add(own);
        const far = Math.min(0.4 * size, 60 * pitch), cone = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(18), 3)), new THREE.LineBasicMaterial({ color: colour.hot, depthTest: false }));
        cone.frustumCulled = false;
        cone.renderOrder = 2;
        scene.add(cone);
        camera.far = 6 * size;
        camera.position.set(0.35 * far, 1.15 * far, 1.15 * far);
        orbit.target.set(0.1 * far, 0, 0.1 * far);
        orbit.maxDistance = 3 * size;
        orbit.update();
        const height = 4.2, state = { n, heading: 0.6, x: 0, z: 0, occlusion: true, visible: 0 };
        let turning = !matchMedia('(prefers-reduced-motion: reduce)').matches && !stage.params.has('still'), lit = [];
        const view = () => ({ eye: [state.x, height, state.z], forward: [Math.cos(state.heading), 0, Math.sin(state.heading)], up: [0, 1, 0], fovY: 0.8, aspect: 1.8, far });
        function ask() {
            const { ids: found, report } = stage.timed('Culling', () => (state.occlusion ? occluding : frustum).frame(objects, view()));
            for (const i of lit) city.setColorAt(i, grey);
            lit = Array.from(found, (id) => place.get(id));
            lit.forEach((i, k) => {
                const dx = boxes[6 * i] - state.x, dz = boxes[6 * i + 2] - state.z;
                city.getMatrixAt(i, m);
                own.setMatrixAt(k, m);
                own.setColorAt(k, out.copy(seen).multiplyScalar(0.55).lerp(back, Math.min(0.9, Math.sqrt(dx * dx + dz * dz) / far))); // what is far pales
            });
            own.count = lit.length;
            own.instanceMatrix.needsUpdate = true;
            if (own.instanceColor) own.instanceColor.needsUpdate = true;
            for (const i of lit) { const dx = boxes[6 * i] - state.x, dz = boxes[6 * i + 2] - state.z; city.setColorAt(i, out.copy(seen).lerp(grey, Math.min(0.4, 0.4 * Math.sqrt(dx * dx + dz * dz) / far))); }
            city.instanceColor.needsUpdate = true;
            const half = Math.atan(Math.tan(0.4) * 1.8), p = cone.geometry.attributes.position.array, ends = [state.heading - half, state.heading + half].map((t) => [state.x + (far / Math.cos(half)) * Math.cos(t), 1, state.z + (far / Math.cos(half)) * Math.sin(t)]);
            p.set([state.x, 1, state.z, ...ends[0], state.x, 1, state.z, ...ends[1], ...ends[0], ...ends[1]]);
            cone.geometry.attributes.position.needsUpdate = true;
            state.visible = lit.length;
            stat('Boxes', count(n));
            stat('Seen', count(lit.length), true);
            stat('Tested', count(report.testedCount));
            stat('Hidden parts left out', count(report.hiddenNodeCount));
            stat('Occluders drawn', count(report.occluderCount));
            stage.draw();
        }
        const slider = stage.control.slider('Heading', { min: 0, max: 360, step: 1, value: 34, show: (v) => `${v}°` }, (v) => { state.heading = (v * Math.PI) / 180; turning = turn.checked = false; ask(); });
        stage.control.check('Occlusion', true, (v) => { state.occlusion = v; ask(); });
        const turn = stage.control.check('Turn', turning, (v) => { turning = v; });
        stage.on(canvas, 'keydown', (e) => {
            const step = { ArrowUp: 1, ArrowDown: -1 }[e.key], by = { ArrowLeft: -0.05, ArrowRight: 0.05 }[e.key];
            if (step) { state.x += step * Math.cos(state.heading); state.z += step * Math.sin(state.heading); } else if (by) { state.heading += by; slider.set((((state.heading * 180) / Math.PI) % 360 + 360) % 360); } else return;
            e.preventDefault();
            turning = turn.checked = false;
            ask();
        });
        ask();
        return {
            state,
            /** The city from where the visitor is, and in a corner what the camera sees, of the boxes that culling left. */
            render(renderer, from) {
                own.visible = false;
                city.visible = cone.visible = true;
                renderer.render(scene, from);
                const w = canvas.clientWidth, wide = Math.round(Math.min(0.45 * w, 360)), high = Math.round(wide / 1.8), at = 12;
                own.visible = true;
                city.visible = cone.visible = false;
                eye.position.set(state.x, height, state.z);
                eye.lookAt(state.x + Math.cos(state.heading), height, state.z + Math.sin(state.heading));
                renderer.setScissorTest(true);
                renderer.setScissor(at - 2, at - 2, wide + 4, high + 4);
                renderer.setClearColor(colour.hot);
                renderer.clear();
                renderer.setViewport(at, at, wide, high);
                renderer.setScissor(at, at, wide, high);
                renderer.render(scene, eye);
                renderer.setScissorTest(false);
                renderer.setViewport(0, 0, w, canvas.clientHeight);
            },
            tick(seconds) { if (!turning) return false; state.heading += 0.25 * seconds; slider.set((((state.heading * 180) / Math.PI) % 360 + 360) % 360); ask(); return true; },
            questions(record) {
                const views = [];
                for (let i = 0; i < 3; i++) { state.heading = 0.6 + 0.7 * i; views.push(view()); }
                record.scene(boxes, [], new Float32Array(0), [0, 0, 0, 30], views, false);
            },
            frame(i) { state.heading = i / 50; ask(); },
            dispose() { for (const o of [objects, occluding, frustum]) o.dispose(); },
        };
    },
};
