import type * as Three from 'three';
import type { Boxwood, Hits, QueryOptions, Tree, TreeOptions } from './index.js';

export function positionsOf(geometry: Three.BufferGeometry): Float32Array | Float64Array;
export function indicesOf(geometry: Three.BufferGeometry): Uint32Array;
/** As the mesh is posed now, by morph targets and skeleton, in its own coordinates. */
export function posedPositions(mesh: Three.Mesh, target?: Float32Array): Float32Array;

export interface HitPoint { point: Three.Vector3; distance: number; faceIndex: number }
export interface RayIntersection { distance: number; point: Three.Vector3; faceIndex: number; face: { a: number; b: number; c: number; normal: Three.Vector3; materialIndex: number }; object: Three.Object3D | null; instanceId?: number }
export interface BoundsTree {
    readonly tree: Tree;
    readonly geometry: Three.BufferGeometry;
    refit(): void;
    intersectsGeometry(other: Three.BufferGeometry | BoundsTree, matrix: Three.Matrix4): boolean;
    intersectsSphere(sphere: Three.Sphere): boolean;
    intersectsBox(box: Three.Box3, matrix?: Three.Matrix4): boolean;
    bvhcast(other: BoundsTree, matrix: Three.Matrix4, callbacks: { intersectsTriangles(a: Three.Triangle, b: Three.Triangle, i: number, j: number): boolean | void }): boolean;
    triangle(i: number, target?: Three.Triangle): Three.Triangle;
    closestPointToPoint(point: Three.Vector3, target?: Partial<HitPoint>, min?: number, max?: number): HitPoint | null;
    closestPointToGeometry(other: Three.BufferGeometry | BoundsTree, matrix: Three.Matrix4, target?: Partial<HitPoint>, target2?: Partial<HitPoint>, min?: number, max?: number): HitPoint | null;
    raycastFirst(ray: Three.Ray, side?: Three.Side, near?: number, far?: number): RayIntersection | null;
    raycast(ray: Three.Ray, side?: Three.Side, near?: number, far?: number): RayIntersection[];
    getBoundingBox(target: Three.Box3): Three.Box3;
    self(options?: QueryOptions): Hits;
    dispose(): void;
}
export interface BoundsTreeConstructor {
    new (source: Three.BufferGeometry | Three.Mesh, options?: TreeOptions): BoundsTree;
    serialize(tree: BoundsTree): { tree: Uint8Array };
    deserialize(data: { tree: Uint8Array }, geometry: Three.BufferGeometry, options?: TreeOptions): BoundsTree;
}
export interface Adapters {
    BoundsTree: BoundsTreeConstructor;
    /** Adds computeBoundsTree and disposeBoundsTree to geometries, and casts rays by them. */
    install(): void;
    uninstall(): void;
    bodiesOf(object: Three.Mesh): { tree: Tree; pose: Three.Matrix4 }[];
    /** Which of many meshes, instances alone, are in contact. */
    clash(objects: readonly Three.Mesh[], options?: { separation?: number }): { a: Three.Mesh; b: Three.Mesh; instanceA: number | null; instanceB: number | null }[];
}
export function adapt(three: typeof Three, bw: Boxwood): Adapters;
declare module 'three' {
    interface BufferGeometry { boundsTree?: BoundsTree | null; computeBoundsTree(options?: TreeOptions): BoundsTree; disposeBoundsTree(): void }
    interface Mesh { boundsTree?: BoundsTree | null }
    interface Raycaster { firstHitOnly?: boolean }
}
