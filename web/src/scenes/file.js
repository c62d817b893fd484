// Files of one's own: against itself, or one against another.
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { PLYLoader } from 'three/examples/jsm/loaders/PLYLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { Lit, count, rows, weld } from './meshes.js';

/** All triangles of a file, in one coordinate system. */
async function read(THREE, name, bytes) {
    const kind = name.toLowerCase().split('.').pop(), text = () => new TextDecoder().decode(bytes);
    if (kind === 'stl') return weld(new STLLoader().parse(bytes));
    if (kind === 'ply') return weld(new PLYLoader().parse(bytes));
    let root;
    if (kind === 'obj') root = new OBJLoader().parse(text());
    else if (kind === 'glb' || kind === 'gltf') root = (await new Promise((done, fail) => new GLTFLoader().parse(kind === 'glb' ? bytes : text(), '', done, fail))).scene;
    else throw new Error(`${name}: only OBJ, STL, PLY and glTF are read here`);
    const parts = [];
    root.updateMatrixWorld(true);
    root.traverse((o) => { if (o.isMesh) parts.push(weld(o.geometry.clone().applyMatrix4(o.matrixWorld))); });
    const positions = new Float32Array(parts.reduce((s, p) => s + p.positions.length, 0)), indices = new Uint32Array(parts.reduce((s, p) => s + p.indices.length, 0));
    let v = 0, i = 0;
    for (const p of parts) { positions.set(p.positions, v); indices.set(p.indices.map((k) => k + v / 3), i); v += p.positions.length; i += p.indices.length; }
    if (indices.length === 0) throw new Error(`${name}: no triangles are in it`);
    return { positions, indices };
}

export const file = {
    id: 'file', name: 'Your file', title: 'Your own file', book: 'files-and-tool',
    text: 'Drop a mesh here: the triangles that run through each other light up. Drop a second one, and the two are asked against each other; nothing leaves this machine.',
    keys: 'OBJ, STL, PLY and glTF. Keys, with two files: arrows and Page Up, Page Down move the second.',
    create(stage) {
        const { bw, THREE, scene, colour, camera, orbit, canvas, stat } = stage, bodies = [], state = { files: 0, pairs: 0, names: [] };
        function show(name, mesh) {
            const tree = stage.timed('Building', () => bw.tree(mesh, { quarantine: 'fatal' })), drawn = new Lit(mesh, bodies.length === 0 ? colour.a : colour.b, colour.hot), left = tree.quarantined().length;
            if (bodies.length === 2) { for (const b of bodies.splice(0)) { scene.remove(b.drawn); b.drawn.geometry.dispose(); b.tree.dispose(); } }
            bodies.push({ name, mesh, tree, drawn });
            scene.add(drawn);
            const box = new THREE.Box3();
            for (const b of bodies) box.expandByObject(b.drawn);
            const centre = box.getCenter(new THREE.Vector3()), far = Math.max(1e-6, box.getSize(new THREE.Vector3()).length());
            camera.near = far / 1000;
            camera.far = 20 * far;
            camera.position.copy(centre).add(new THREE.Vector3(0.3, 0.35, 1).normalize().multiplyScalar(1.25 * far));
            camera.updateProjectionMatrix();
            orbit.target.copy(centre);
            orbit.update();
            stat(bodies.length === 1 ? 'File' : 'Second file', name);
            if (left > 0) stat('Left out as broken', count(left), true);
            ask();
        }
        function ask() {
            const [a, b] = bodies;
            if (b) b.drawn.updateMatrixWorld();
            const hits = stage.timed('Query', () => (b ? bw.pairs(a.tree, { tree: b.tree, pose: rows(b.drawn.matrixWorld) }) : bw.self(a.tree)));
            a.drawn.light(b ? hits.a : [...hits.a, ...hits.b]);
            b?.drawn.light(hits.b);
            Object.assign(state, { files: bodies.length, pairs: hits.count, names: bodies.map((x) => x.name) });
            stat('Triangles', bodies.map((x) => count(x.mesh.indices.length / 3)).join(' and '));
            stat(b ? 'Pairs in contact' : 'Pairs through itself', count(hits.count), hits.count > 0);
            stage.draw();
        }
        async function take(files) {
            for (const f of files.slice(0, 2)) {
                try {
                    show(f.name, await read(THREE, f.name, await f.arrayBuffer()));
                } catch (error) {
                    state.error = error.message;
                    stat('Not read', error.message, true);
                }
            }
        }
        const over = (e) => { e.preventDefault(); canvas.classList.add('drop'); };
        stage.on(document.body, 'dragover', over);
        stage.on(document.body, 'dragleave', () => canvas.classList.remove('drop'));
        stage.on(document.body, 'drop', (e) => { e.preventDefault(); canvas.classList.remove('drop'); take([...e.dataTransfer.files]); });
        stage.control.files('Choose files', take);
        const fresh = () => { for (const b of bodies.splice(0)) { scene.remove(b.drawn); b.drawn.geometry.dispose(); b.tree.dispose(); } stage.stat('Second file', ''); };
        stage.control.button('Begin again', () => { fresh(); show('a knot that runs through itself', crossed()); });
        const moves = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1] };
        stage.on(canvas, 'keydown', (e) => {
            if (!moves[e.key] || bodies.length < 2) return;
            e.preventDefault();
            bodies[1].drawn.position.addScaledVector(new THREE.Vector3(...moves[e.key]), 0.01 * camera.position.distanceTo(orbit.target));
            ask();
        });
        const crossed = () => weld(new THREE.TorusKnotGeometry(1, 0.62, 160, 24, 2, 3));
        show('a knot that runs through itself', crossed());
        return {
            state, take,
            questions(record) {
                const [a, b] = bodies, x = record.tree(a.mesh), y = b ? record.tree(b.mesh) : null, hits = y ? record.pairs(x, { tree: y, pose: rows(b.drawn.matrixWorld) }) : record.pairs(x, null);
                if (hits.count !== state.pairs) throw new Error(`the page shows ${state.pairs} pairs, not ${hits.count}`);
                x.dispose(); y?.dispose();
            },
            frame() { ask(); },
            dispose: fresh,
        };
    },
};
