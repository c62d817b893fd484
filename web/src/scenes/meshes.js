// Meshes of the page, by sums, products and roots where the native library is to get the same ones from the page itself.
import * as THREE from 'three';

/** What the library takes of a geometry, with vertices at one place made one. */
export function weld(geometry) {
    const p = geometry.attributes.position, index = geometry.index, n = index ? index.count : p.count, known = new Map(), positions = [], indices = new Uint32Array(n - (n % 3));
    for (let i = 0; i < indices.length; i++) {
        const v = index ? index.getX(i) : i, x = p.getX(v), y = p.getY(v), z = p.getZ(v), key = `${x},${y},${z}`;
        let at = known.get(key);
        if (at === undefined) { at = positions.length / 3; known.set(key, at); positions.push(x, y, z); }
        indices[i] = at;
    }
    return { positions: new Float32Array(positions), indices };
}
export function knot(tubular = 220, radial = 44, p = 2, q = 3) {
    return weld(new THREE.TorusKnotGeometry(1, 0.34, tubular, radial, p, q));
}
/** A ball with bumps. */
export function bumpy(detail = 28, radius = 1) {
    const g = new THREE.IcosahedronGeometry(radius, detail), p = g.attributes.position.array;
    for (let i = 0; i < p.length; i += 3) {
        const s = 1 + 0.12 * Math.sin(5 * p[i] / radius + 1) * Math.sin(6 * p[i + 1] / radius) * Math.sin(4 * p[i + 2] / radius + 2);
        for (let k = 0; k < 3; k++) p[i + k] *= s;
    }
    return weld(g);
}
/** A drawn mesh of corners of its own, so that single triangles can be lit. */
export class Lit extends THREE.Mesh {
    #base;
    #hot;
    #lit = new Set();
    constructor({ positions, indices }, base, hot, options = {}) {
        const g = new THREE.BufferGeometry(), corners = new Float32Array(3 * indices.length);
        super(g, new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.62, metalness: 0.05, side: THREE.DoubleSide, ...options }));
        g.setAttribute('position', new THREE.BufferAttribute(corners, 3));
        g.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * indices.length), 3));
        this.source = { positions, indices };
        this.#base = new THREE.Color(base);
        this.#hot = new THREE.Color(hot);
        for (let t = 0; t < indices.length / 3; t++) this.#paint(t, this.#base);
        this.move(positions);
    }
    move(positions) {
        const { indices } = this.source, to = this.geometry.attributes.position.array;
        for (let i = 0; i < indices.length; i++) { const v = 3 * indices[i]; to[3 * i] = positions[v]; to[3 * i + 1] = positions[v + 1]; to[3 * i + 2] = positions[v + 2]; }
        this.geometry.attributes.position.needsUpdate = true;
        this.geometry.computeVertexNormals();
        this.geometry.computeBoundingSphere();
    }
    #paint(t, { r, g, b }) { const c = this.geometry.attributes.color.array; for (let k = 9 * t; k < 9 * t + 9; k += 3) { c[k] = r; c[k + 1] = g; c[k + 2] = b; } }
    light(triangles) {
        const now = new Set(triangles);
        for (const t of this.#lit) if (!now.has(t)) this.#paint(t, this.#base);
        for (const t of now) if (!this.#lit.has(t)) this.#paint(t, this.#hot);
        this.#lit = now;
        this.geometry.attributes.color.needsUpdate = true;
    }
}
/** A pose of a Matrix4, twelve numbers by rows. */
export function rows({ elements: e }) {
    return [e[0], e[4], e[8], e[12], e[1], e[5], e[9], e[13], e[2], e[6], e[10], e[14]];
}
export const count = (n) => Math.round(n).toLocaleString('en');
/** Points of a line, in a buffer that grows where it must. */
export function fill(line, numbers) {
    const g = line.geometry;
    if (!(g.attributes.position?.array.length >= numbers.length)) { g.dispose(); g.setAttribute('position', new THREE.BufferAttribute(new Float32Array(Math.max(3072, 2 * numbers.length)), 3)); }
    g.attributes.position.array.set(numbers);
    g.attributes.position.needsUpdate = true;
    g.setDrawRange(0, numbers.length / 3);
}
