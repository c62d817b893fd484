// The page: chooses a scene by the address, gives it a stage, numbers and controls, and draws when something has changed.
import { load } from 'boxwood';
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { contact } from './scenes/contact.js';
import { cloth } from './scenes/cloth.js';
import { budget } from './scenes/budget.js';
import { crowd } from './scenes/crowd.js';
import { speed } from './scenes/speed.js';
import { file } from './scenes/file.js';

const scenes = [contact, cloth, budget, crowd, speed, file], $ = (id) => document.getElementById(id);
const dark = matchMedia('(prefers-color-scheme: dark)');
const page = (window.page = { ready: false, frames: 0, errors: [] });

function fail(text) {
    $('fallback').textContent = text;
    $('fallback').hidden = false;
    $('canvas').hidden = true;
    page.failed = text;
}
for (const s of scenes) {
    const a = document.createElement('a');
    a.href = `#${s.id}`;
    a.textContent = s.name;
    $('scenes').append(a);
}

/** Numbers beside the scene: stat('Pairs', 12). */
function stats() {
    const known = new Map();
    $('stats').replaceChildren();
    return (name, value, hot = false) => {
        if (!known.has(name)) {
            const dt = document.createElement('dt'), dd = document.createElement('dd');
            dt.textContent = name;
            $('stats').append(dt, dd);
            known.set(name, dd);
        }
        const dd = known.get(name);
        dd.textContent = value;
        dd.classList.toggle('hot', hot);
    };
}
function controls() {
    $('controls').replaceChildren();
    const add = (...nodes) => { $('controls').append(...nodes); return nodes[0]; };
    return {
        slider(name, { min, max, step = 'any', value, show = String }, change) {
            const label = document.createElement('label'), out = document.createElement('output'), input = Object.assign(document.createElement('input'), { type: 'range', min, max, step });
            input.value = value;
            input.setAttribute('aria-label', name);
            const head = document.createElement('span');
            head.append(name, out);
            label.append(head, input);
            const tell = () => { out.textContent = show(Number(input.value)); };
            input.addEventListener('input', () => { tell(); change(Number(input.value)); });
            tell();
            add(label);
            return { set(v) { input.value = v; tell(); }, input };
        },
        check(name, value, change) {
            const label = document.createElement('label'), input = Object.assign(document.createElement('input'), { type: 'checkbox', checked: value });
            label.className = 'line';
            label.append(input, name);
            input.addEventListener('change', () => change(input.checked));
            add(label);
            return input;
        },
        button(name, press) {
            const b = Object.assign(document.createElement('button'), { type: 'button', textContent: name });
            b.addEventListener('click', press);
            return add(b);
        },
        files(name, take) {
            const label = document.createElement('label'), input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, accept: '.obj,.stl,.ply,.glb,.gltf' });
            label.append(name, input);
            input.addEventListener('change', () => take([...input.files]));
            return add(label);
        },
        bar() {
            const bar = Object.assign(document.createElement('div'), { className: 'bar' }), fill = document.createElement('span');
            bar.append(fill);
            add(bar);
            return (share) => { fill.style.width = `${100 * share}%`; };
        },
        add,
    };
}

async function start() {
    let bw, renderer;
    try {
        const at = (name) => new URL(name, location.href);
        bw = await load({ main: at('boxwood.wasm'), motion: at('boxwood-motion.wasm'), budget: at('boxwood-budget.wasm') });
    } catch (error) {
        return fail(`This page needs WebAssembly with SIMD, which this browser does not have: ${error.message}`);
    }
    page.bw = bw;
    try {
        renderer = new THREE.WebGLRenderer({ canvas: $('canvas'), antialias: true, preserveDrawingBuffer: true });
    } catch {
        return fail('This page draws with WebGL, which this browser does not give it. The library itself works here: the answers are computed, only the picture is missing.');
    }
    let current = null, wanted = true;
    const colours = () => (dark.matches ? { back: '#101216', a: '#5b8def', b: '#e0b13c', hot: '#ff5348', soft: '#39404a', line: '#8a93a0', ok: '#5fd0a5' } : { back: '#eceae5', a: '#3f6fd1', b: '#cf9a1a', hot: '#d42a1c', soft: '#c9c6bf', line: '#6b7078', ok: '#0b6e4f' });

    function open() {
        const of = scenes.find((s) => `#${s.id}` === location.hash.split('?')[0]) ?? scenes[0];
        current?.dispose();
        for (const a of $('scenes').children) a.toggleAttribute('aria-current', a.getAttribute('href') === `#${of.id}`);
        $('title').textContent = of.title;
        $('text').textContent = of.text;
        $('keys').textContent = of.keys;
        $('book').href = `book/${of.book}.html`;
        $('chart').hidden = true;
        const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(42, 1, 0.05, 4000), colour = colours();
        scene.background = new THREE.Color(colour.back);
        scene.add(new THREE.HemisphereLight(0xffffff, 0x888078, 2.1));
        const sun = new THREE.DirectionalLight(0xffffff, 2.2);
        sun.position.set(2, 4, 3);
        scene.add(sun);
        camera.position.set(0, 0.6, 6.4);
        const orbit = new OrbitControls(camera, $('canvas'));
        orbit.addEventListener('change', () => { wanted = true; });
        orbit.enableDamping = false;
        const params = new URLSearchParams(location.hash.split('?')[1] ?? location.search);
        const owned = [], times = new Map();
        const on = (target, type, f, options) => { target.addEventListener(type, f, options); owned.push(() => target.removeEventListener(type, f, options)); };
        const stage = {
            bw, THREE, scene, camera, orbit, colour, params, canvas: $('canvas'), chart: $('chart'), stat: stats(), control: controls(), on, renderer,
            draw() { wanted = true; },
            /** Runs f, tells how long it took, and returns what it returned. Browsers round their clocks, some to a tenth of a millisecond: the mean of the last calls is told. */
            timed(name, f) {
                const t = performance.now(), out = f(), ms = performance.now() - t, last = times.get(name) ?? { sum: 0, weight: 0 };
                last.sum = 0.95 * last.sum + ms;
                last.weight = 0.95 * last.weight + 1;
                times.set(name, last);
                const mean = last.sum / last.weight;
                this.stat(name, mean >= 10 ? `${mean.toFixed(0)} ms` : mean >= 0.1 ? `${mean.toFixed(2)} ms` : last.sum > 0 ? `${Math.max(1, 1000 * mean).toFixed(0)} µs` : '< 0.1 ms');
                return out;
            },
        };
        const made = of.create(stage);
        current = { of, made, camera, scene, dispose() { for (const f of owned) f(); orbit.dispose(); made.dispose?.(); scene.traverse((o) => { o.geometry?.dispose(); for (const m of [o.material].flat()) m?.dispose?.(); o.dispose?.(); }); } };
        Object.assign(page, { scene: made, id: of.id, stage, ready: true });
        size();
    }
    function size() {
        const c = $('canvas'), w = Math.max(2, c.clientWidth), h = Math.max(2, c.clientHeight);
        renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        renderer.setSize(w, h, false);
        if (current) { current.camera.aspect = w / h; current.camera.fov = w >= h ? 42 : (360 / Math.PI) * Math.atan(Math.tan((21 * Math.PI) / 180) * (h / w)); current.camera.updateProjectionMatrix(); current.made.resize?.(); }
        wanted = true;
    }
    addEventListener('hashchange', open);
    addEventListener('resize', size);
    dark.addEventListener('change', open);
    let last = performance.now();
    page.step = (seconds) => { if (current.made.tick?.(seconds)) wanted = true; page.frames++; };
    page.draw = () => { current.made.render ? current.made.render(renderer, current.camera) : renderer.render(current.scene, current.camera); };
    function loop(now) {
        const seconds = Math.min(0.1, (now - last) / 1000);
        last = now;
        if (!page.paused && !document.hidden) page.step(seconds);
        if (wanted) { wanted = false; page.draw(); }
        requestAnimationFrame(loop);
    }
    page.pause = (paused) => { page.paused = paused; };
    if (new URLSearchParams(location.search).has('paused')) page.paused = true;
    open();
    requestAnimationFrame(loop);
}
addEventListener('error', (e) => page.errors.push(String(e.message)));
addEventListener('unhandledrejection', (e) => page.errors.push(String(e.reason)));
start();
