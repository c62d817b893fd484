// For three.js: trees of geometries, skinned and instanced meshes, with the calls that users of three-mesh-bvh know.
//   import * as THREE from 'three';
//   import { load } from 'boxwood';
//   import { adapt } from 'boxwood/three';
//   const { install } = adapt(THREE, await load());
//   install();                                     // geometry.computeBoundsTree(), and Mesh.raycast by it
import { BoxwoodError, NONE } from './core.js';

/** Positions of a geometry as the module wants them; attributes that are interleaved, normalised or not of floats are read vertex by vertex. */
export function positionsOf(geometry) {
    const p = geometry?.attributes?.position;
    if (!p) throw new BoxwoodError('geometry: it has no positions');
    if (!p.isInterleavedBufferAttribute && !p.normalized && p.itemSize === 3 && (p.array instanceof Float32Array || p.array instanceof Float64Array)) return p.array;
    const out = new Float32Array(3 * p.count);
    for (let i = 0; i < p.count; i++) { out[3 * i] = p.getX(i); out[3 * i + 1] = p.getY(i); out[3 * i + 2] = p.getZ(i); }
    return out;
}
/** Indices of a geometry; without an index three vertices in a row are a triangle. */
export function indicesOf(geometry) {
    if (geometry.index) return Uint32Array.from(geometry.index.array);
    return Uint32Array.from({ length: 3 * Math.floor(geometry.attributes.position.count / 3) }, (_, i) => i);
}
/** Positions of a mesh as it is posed now: by its morph targets and its skeleton, in the mesh's own coordinates. */
export function posedPositions(mesh, target) {
    const { count } = mesh.geometry.attributes.position, out = target ?? new Float32Array(3 * count), v = mesh.position.clone();
    for (let i = 0; i < count; i++) {
        mesh.getVertexPosition(i, v);
        out[3 * i] = v.x; out[3 * i + 1] = v.y; out[3 * i + 2] = v.z;
    }
    return out;
}

/** The adapters, for one copy of three.js and one module. */
export function adapt(THREE, bw) {
    const inverse = new THREE.Matrix4(), local = new THREE.Ray(), a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3(), relative = new THREE.Matrix4();

    /** A tree of a geometry, or of a skinned or morphed mesh as it is posed. */
    class BoundsTree {
        constructor(source, options = {}) {
            const { tree, ...rest } = options;
            this.mesh = source.isMesh ? source : null;
            this.geometry = source.isMesh ? source.geometry : source;
            this.posed = Boolean(source.isSkinnedMesh || source.morphTargetInfluences?.length);
            this.indices = indicesOf(this.geometry);
            const mesh = { positions: this.#positions(), indices: this.indices };
            this.tree = tree ? bw.loadTree(tree, mesh) : bw.tree(mesh, { deforms: this.posed, ...rest });
        }
        #positions() { return this.posed ? posedPositions(this.mesh) : positionsOf(this.geometry); }
        /** Follows the geometry's positions, or the pose of a skinned mesh. */
        refit() { this.tree.refit(this.#positions()); }
        /** Whether a geometry, or another BoundsTree, is in contact; the matrix maps it into the coordinates of this one. */
        intersectsGeometry(other, matrix) {
            if (other instanceof BoundsTree) return bw.any(this.tree, { tree: other.tree, pose: matrix });
            if (other.boundsTree instanceof BoundsTree) return bw.any(this.tree, { tree: other.boundsTree.tree, pose: matrix });
            const once = bw.tree({ positions: positionsOf(other), indices: indicesOf(other) }, { builder: 'fast' });
            try { return bw.any(this.tree, { tree: once, pose: matrix }); } finally { once.dispose(); }
        }
        intersectsSphere(sphere) { return bw.region(this.tree, { centre: sphere.center, radius: sphere.radius }).count > 0; }
        intersectsBox(box, matrix) { return bw.region(this.tree, { box, pose: matrix ?? undefined }).count > 0; }
        /** Calls intersectsTriangles(triangle1, triangle2, i1, i2) for every pair of triangles in contact (never for pairs that are not); true ends it, and is returned. */
        bvhcast(other, matrix, { intersectsTriangles }) {
            const hits = bw.pairs(this.tree, { tree: other.tree, pose: matrix }), one = new THREE.Triangle(), two = new THREE.Triangle();
            for (let i = 0; i < hits.count; i++) {
                this.triangle(hits.a[i], one);
                other.triangle(hits.b[i], two);
                if (matrix) for (const corner of [two.a, two.b, two.c]) corner.applyMatrix4(matrix);
                if (intersectsTriangles(one, two, hits.a[i], hits.b[i])) return true;
            }
            return false;
        }
        /** The corners of a triangle. */
        triangle(i, target = new THREE.Triangle()) {
            [target.a, target.b, target.c].forEach((corner, k) => this.#corner(this.indices[3 * i + k], corner));
            return target;
        }
        #corner(v, target) { return this.posed ? this.mesh.getVertexPosition(v, target) : target.fromBufferAttribute(this.geometry.attributes.position, v); }
        closestPointToPoint(point, target = {}, min = 0, max = Infinity) {
            const hit = bw.nearest(this.tree, point, max === Infinity ? undefined : { maxDistance: max });
            if (hit.primitive === NONE) return null;
            target.point = (target.point ?? new THREE.Vector3()).fromArray(hit.point);
            target.distance = hit.distance;
            target.faceIndex = hit.primitive;
            return target;
        }
        closestPointToGeometry(other, matrix, target = {}, target2 = {}, min = 0, max = Infinity) {
            const there = other.boundsTree ?? (other instanceof BoundsTree ? other : new BoundsTree(other));
            const d = bw.distance(this.tree, { tree: there.tree, pose: matrix }, max === Infinity ? undefined : { maxDistance: max });
            if (there !== other.boundsTree && there !== other) there.dispose();
            if (d.a === NONE) return null;
            target.point = (target.point ?? new THREE.Vector3()).fromArray(d.pointA);
            Object.assign(target, { distance: d.distance, faceIndex: d.a });
            target2.point = (target2.point ?? new THREE.Vector3()).fromArray(d.pointB).applyMatrix4(inverse.copy(matrix).invert());
            Object.assign(target2, { distance: d.distance, faceIndex: d.b });
            return target;
        }
        /** The first hit of a ray in the geometry's coordinates, on the sides that three.js counts; or null. */
        raycastFirst(ray, side = THREE.FrontSide, near = 0, far = Infinity) {
            const first = bw.raycast(this.tree, ray);
            if (first === null) return null;
            const hit = this.#intersection(ray, first.primitive, first.t, side, near, far);
            return hit ?? (side === THREE.DoubleSide && near === 0 ? null : this.raycast(ray, side, near, far)[0] ?? null);
        }
        /** All hits, nearest first. */
        raycast(ray, side = THREE.FrontSide, near = 0, far = Infinity) {
            const hits = bw.raycastAll(this.tree, ray), out = [];
            for (let i = 0; i < hits.count; i++) { const hit = this.#intersection(ray, hits.primitive[i], hits.t[i], side, near, far); if (hit) out.push(hit); }
            return out;
        }
        #intersection(ray, faceIndex, t, side, near, far) {
            const distance = t * ray.direction.length();
            if (distance < near || distance > far) return null;
            const [i, j, k] = this.indices.subarray(3 * faceIndex, 3 * faceIndex + 3);
            this.#corner(i, a); this.#corner(j, b); this.#corner(k, c);
            const normal = new THREE.Vector3().crossVectors(b.sub(a), c.sub(a)), facing = normal.dot(ray.direction);
            if (side !== THREE.DoubleSide && (side === THREE.BackSide ? facing < 0 : facing > 0)) return null;
            const point = new THREE.Vector3().copy(ray.origin).addScaledVector(ray.direction, t);
            return { distance, point, faceIndex, face: { a: i, b: j, c: k, normal: normal.normalize(), materialIndex: 0 }, object: null };
        }
        getBoundingBox(target) { const [x, y, z, X, Y, Z] = this.tree.bounds(); target.min.set(x, y, z); target.max.set(X, Y, Z); return target; }
        /** Contacts with itself. */
        self(options) { return bw.self(this.tree, options); }
        dispose() { this.tree.dispose(); }
        /** { tree: bytes }, which structuredClone and servers take; the native library writes the same bytes. */
        static serialize(of) { return { tree: of.tree.save() }; }
        static deserialize({ tree }, geometry, options) { return new BoundsTree(geometry, { ...options, tree }); }
    }

    /** Mesh.raycast by the geometry's boundsTree, or by the mesh's own where it is skinned; otherwise three's own. */
    function raycast(raycaster, intersects) {
        const tree = this.boundsTree ?? this.geometry.boundsTree;
        if (!(tree instanceof BoundsTree) || this.material === undefined) return own.call(this, raycaster, intersects);
        cast(this, tree, this.matrixWorld, raycaster, intersects, null);
    }
    function raycastInstances(raycaster, intersects) {
        const tree = this.geometry.boundsTree;
        if (!(tree instanceof BoundsTree)) return ownInstanced.call(this, raycaster, intersects);
        for (let i = 0; i < this.count; i++) {
            this.getMatrixAt(i, relative);
            cast(this, tree, relative.premultiply(this.matrixWorld), raycaster, intersects, i);
        }
    }
    function cast(object, tree, matrix, raycaster, intersects, instanceId) {
        local.copy(raycaster.ray).applyMatrix4(inverse.copy(matrix).invert());
        const side = Array.isArray(object.material) ? THREE.DoubleSide : object.material.side, found = raycaster.firstHitOnly ? [tree.raycastFirst(local, side)].filter(Boolean) : tree.raycast(local, side);
        for (const hit of found) {
            hit.point.applyMatrix4(matrix);
            hit.distance = hit.point.distanceTo(raycaster.ray.origin);
            if (hit.distance < raycaster.near || hit.distance > raycaster.far) continue;
            hit.object = object;
            if (instanceId !== null) hit.instanceId = instanceId;
            intersects.push(hit);
        }
    }
    let own = null, ownInstanced = null;
    /** Adds computeBoundsTree and disposeBoundsTree to geometries, and casts rays by them. */
    function install() {
        if (own !== null) return;
        own = THREE.Mesh.prototype.raycast;
        ownInstanced = THREE.InstancedMesh.prototype.raycast;
        THREE.Mesh.prototype.raycast = raycast;
        THREE.InstancedMesh.prototype.raycast = raycastInstances;
        THREE.BufferGeometry.prototype.computeBoundsTree = function (options) { this.boundsTree?.dispose(); return (this.boundsTree = new BoundsTree(this, options)); };
        THREE.BufferGeometry.prototype.disposeBoundsTree = function () { this.boundsTree?.dispose(); this.boundsTree = null; };
    }
    /** Takes all of it back. */
    function uninstall() {
        if (own === null) return;
        THREE.Mesh.prototype.raycast = own;
        THREE.InstancedMesh.prototype.raycast = ownInstanced;
        delete THREE.BufferGeometry.prototype.computeBoundsTree;
        delete THREE.BufferGeometry.prototype.disposeBoundsTree;
        own = ownInstanced = null;
    }

    /** Bodies for the queries of the module: of a mesh, or of every instance of an instanced one, in world coordinates. */
    function bodiesOf(object) {
        object.updateWorldMatrix(true, false);
        const tree = (object.boundsTree ?? object.geometry.boundsTree ?? object.geometry.computeBoundsTree()).tree;
        if (!object.isInstancedMesh) return [{ tree, pose: object.matrixWorld.clone() }];
        return Array.from({ length: object.count }, (_, i) => { const pose = new THREE.Matrix4(); object.getMatrixAt(i, pose); return { tree, pose: pose.premultiply(object.matrixWorld) }; });
    }
    /** Which of many meshes (instances count alone) are in contact: [{ a, b, instanceA, instanceB }], by boxes first, then exactly. */
    function clash(objects, options) {
        const all = objects.flatMap((object) => bodiesOf(object).map((body, i) => ({ object, instance: object.isInstancedMesh ? i : null, body })));
        const boxes = new Float64Array(6 * all.length), box = new THREE.Box3(), separation = options?.separation ?? 0;
        all.forEach(({ body }, i) => {
            const [x, y, z, X, Y, Z] = body.tree.bounds();
            box.min.set(x, y, z);
            box.max.set(X, Y, Z);
            box.applyMatrix4(body.pose).expandByScalar(separation / 2 + 1e-6 * box.getSize(a).length());
            boxes.set([...box.min.toArray(), ...box.max.toArray()], 6 * i);
        });
        const scene = bw.scene();
        try {
            const ids = scene.insertMany(boxes), place = new Map(Array.from(ids, (id, i) => [id, i])), pairs = scene.pairs(), out = [];
            for (let k = 0; k < pairs.count; k++) {
                const i = place.get(pairs.a[k]), j = place.get(pairs.b[k]);
                if (bw.any(all[i].body, all[j].body, separation > 0 ? { separation } : undefined)) out.push({ a: all[i].object, b: all[j].object, instanceA: all[i].instance, instanceB: all[j].instance, order: [Math.min(i, j), Math.max(i, j)] });
            }
            out.sort((x, y) => x.order[0] - y.order[0] || x.order[1] - y.order[1]);
            return out.map(({ order, ...rest }) => rest);
        } finally {
            scene.dispose();
        }
    }
    return { BoundsTree, bodiesOf, clash, install, uninstall };
}
