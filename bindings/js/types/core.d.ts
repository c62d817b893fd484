/** What the library refused, and where: what does not apply is null. */
export class BoxwoodError extends Error {
    readonly name: 'BoxwoodError';
    readonly result: 'argument' | 'memory' | 'not-finite' | 'range' | 'index' | 'empty' | 'size' | 'mismatch' | 'singular' | 'format' | 'version' | 'stale' | 'cycle' | 'unsupported' | 'not-built' | 'layout';
    readonly defect: string;
    readonly element: number | null;
    readonly vertex: number | null;
    readonly axis: number | null;
    readonly value: number | null;
}
/** No primitive. */
export const NONE: 0xffffffff;
/** The names of the numbers in columns of answers, by enum: names.bw_contact_kind[hits.kind[i]]. */
export const names: Readonly<Record<string, readonly string[]>>;

export type Numbers = readonly number[] | Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;
export type Point = Numbers | { readonly x: number; readonly y: number; readonly z: number };
export type Points = Numbers | readonly Point[];
/** Twelve numbers by rows, sixteen by columns (as WebGL has them), or three's Matrix4. */
export type Pose = Numbers | { readonly elements: ArrayLike<number> };
export interface Mesh {
    /** x, y, z of each vertex. Float32Array and Float64Array are taken as they are. */
    readonly positions: Points;
    /** Three per triangle; without them every vertex is a point of its own. */
    readonly indices?: Numbers | null;
}
export type Ray = { readonly origin: Point; readonly direction: Point; readonly tMax?: number } | { readonly from: Point; readonly through: Point; readonly tMax?: number };
export type ContactKind = 'none' | 'touching' | 'crossing' | 'near';
export type Status = 'done' | 'found' | 'stopped' | 'full' | 'limit';
export type Defect = 'index' | 'nan' | 'infinite' | 'range' | 'zero-area';
export type Builder = 'default' | 'fast' | 'quality';

/** What owns memory of the module. */
export interface Disposable {
    /** Gives the memory back; a second time does nothing. Forgotten objects are given back when they are garbage. */
    dispose(): void;
    readonly disposed: boolean;
}
export interface TreeOptions {
    builder?: Builder;
    /** The mesh will deform: refits are fastest. */
    deforms?: boolean;
    /** Keep no copy of the coordinates in the tree: less memory. */
    compact?: boolean;
    /** Defects whose triangles are left out instead of refused. */
    quarantine?: 'fatal' | readonly Defect[];
}
export interface UpdateOptions {
    policy?: 'refit' | 'auto' | 'rebuild';
    /** Pairs of first vertex and count: only these have moved. */
    ranges?: Numbers;
}
export interface UpdateReport { action: 'refit' | 'restructure' | 'rebuild'; reason: string; quality: number; boxes: number; changed: number }

/** A tree over a mesh, of which it keeps a copy. */
export class Tree implements Disposable {
    private constructor();
    readonly vertexCount: number;
    readonly triangleCount: number;
    positions(): Float32Array | Float64Array;
    update(positions?: Points | null, options?: UpdateOptions): UpdateReport;
    refit(positions?: Points | null): UpdateReport;
    save(): Uint8Array;
    bounds(): [number, number, number, number, number, number];
    quarantined(): Uint32Array;
    dispose(): void;
    readonly disposed: boolean;
}
/** A tree, or one with a pose. */
export type Body<T = Tree> = T | { readonly tree: T; readonly pose?: Pose | null };

export interface CollideReport {
    status: Status; hitCount: number; touchingCount: number; nearCount: number; nodesVisited: number; boxTests: number; primitiveTests: number; exactTests: number;
    containment: 'none' | 'a-in-b' | 'b-in-a';
}
/** Pairs of triangles: of the first body, of the second, and how they meet. */
export interface Hits { count: number; a: Uint32Array; b: Uint32Array; kind: Uint8Array; report: CollideReport }
/** The core has none. */
export type CoreQueryOptions = Record<string, never>;
export interface Nearest { primitive: number; point: [number, number, number]; distance: number }
export interface NearestMany { count: number; primitive: Uint32Array; points: Float64Array; distance: Float64Array }
export interface RayHit { primitive: number; kind: ContactKind; t: number }
export interface RayHits { count: number; primitive: Uint32Array; kind: Uint8Array; t: Float64Array }

/** The module, with trees and what is asked of them most. */
export class Boxwood<T extends Tree = Tree, B = T, Q = CoreQueryOptions> {
    readonly version: string;
    memory(): { allocated: number; bytes: number };
    tree(mesh: Mesh, options?: TreeOptions): T;
    loadTree(bytes: Uint8Array | ArrayBuffer, mesh: Mesh): T;
    any(a: Body<B>, b: Body<B>, options?: Q): boolean;
    count(a: Body<B>, b: Body<B>, options?: Q): CollideReport;
    pairs(a: Body<B>, b: Body<B>, options?: Q): Hits;
    self(a: Body<B>, options?: Q): Hits;
    nearest(body: Body<B>, point: Point, options?: { maxDistance?: number }): Nearest;
    nearestMany(body: Body<B>, points: Points, options?: { maxDistance?: number }): NearestMany;
    /** The first contact along a ray, or null. */
    raycast(body: Body<B>, ray: Ray, options?: { mode?: 'nearest' | 'any' }): RayHit | null;
    /** Every contact, nearest first. */
    raycastAll(body: Body<B>, ray: Ray): RayHits;
    /** Rays of six numbers each, origin and direction; or seven, with tMax. primitive is NONE where nothing is met. */
    raycastMany(body: Body<B>, rays: Numbers, options?: { mode?: 'nearest' | 'any'; width?: 6 | 7; between?: boolean }): RayHits;
}
export type Source = string | URL | Response | BufferSource | WebAssembly.Module;
/** Loads the module: from beside this file, or from elsewhere. */
export function load(source?: Source): Promise<Boxwood>;
