import type { Body as CoreBody, Boxwood as Core, Builder, CollideReport, ContactKind, Defect, Disposable, Hits, Mesh, Numbers, Point, Points, Pose, Ray, Source, Status } from './core.js';
import { Tree as CoreTree } from './core.js';
export * from './core.js';

/** What a test of two primitives says: true is 'crossing'; false, null and undefined are 'none'. */
export type Meets = ContactKind | boolean | null | undefined;
/** Whether primitive a of the first body meets primitive b of the second. It may ask other queries, and throw; it may not change what is read. */
export interface UserTest { test?: (a: number, b: number) => Meets }
/** A tree over boxes that stand for anything. Six numbers each. */
export class UserTree implements Disposable {
    private constructor();
    readonly count: number;
    update(boxes: Numbers): void;
    refit(boxes: Numbers): void;
    bounds(): [number, number, number, number, number, number];
    check(): string | null;
    dispose(): void;
    readonly disposed: boolean;
}
export type UserBody = CoreBody<AnyTree | UserTree>;

export interface TreeStats { primitives: number; quarantined: number; nodes: number; leaves: number; depth: number; meanLeafDepth: number; sahCost: number; bytes: number }
export class Tree extends CoreTree {
    private constructor();
    insert(primitives: Numbers): void;
    remove(primitives: Numbers): void;
    /** Makes it ready for many rays, distances, or bodies that move around it (clearance: cells, true for the default). Any change drops it. */
    prepare(options: { rays?: boolean; distances?: boolean; clearance?: boolean | number }): this;
    stats(): TreeStats;
    /** Nodes down to a depth, parents first, for pictures: six numbers of box each; triangles: of leaves. */
    nodes(depth?: number): { count: number; boxes: Float32Array; depth: Uint32Array; triangles: Uint32Array };
    /** Null where all invariants hold. */
    check(): string | null;
}
/** What has a tree: of a mesh, or of one that moves by a plan. */
export type AnyTree = Tree | Kinetic;
export type Body = CoreBody<AnyTree>;
export interface QueryOptions {
    /** `self`: triangles connected by so many rings of vertices are left out. */
    rings?: number;
    /** Pairs that are no farther apart than this are hits, too. */
    separation?: number;
    /** Where nothing meets: is one inside the other? */
    containment?: boolean;
    cache?: PairCache;
}
export class PairCache implements Disposable { private constructor(); reset(): void; dispose(): void; readonly disposed: boolean }

type Vector = [number, number, number];
export interface ContactRegion { first: number; count: number; overlap: number; point: Vector; normal: Vector; length: number; translation: Vector; depthUpper: number; depthLower: number }
export interface Contacts {
    count: number; a: Uint32Array; b: Uint32Array; kind: Uint8Array; region: Uint32Array; pointCount: Uint32Array;
    /** Three numbers per contact; ends: six. */
    points: Float64Array; ends: Float64Array; normals: Float64Array; depths: Float64Array;
    regions: ContactRegion[];
    report: {
        status: Status; contactCount: number; touchingCount: number; regionCount: number; shallowContactCount: number; shallowRegionCount: number; closedA: boolean; closedB: boolean;
        containment: CollideReport['containment']; translation: Vector; depthUpper: number; depthLower: number; volume: number; volumeError: number;
    };
}
export interface Distance { status: Status; distance: number; a: number; b: number; pointA: Vector; pointB: Vector; nodesVisited: number; boxTests: number; primitiveTests: number }
export interface BodyPair { readonly a: Body; readonly b: Body }
export interface ContainsReport { closed: boolean; boundaryCount: number; insideCount: number; onCount: number }
export type Region =
    | { kind?: 'box'; box: Numbers | { min: Point; max: Point }; pose?: Pose }
    | { kind?: 'sphere'; centre: Point; radius: number; pose?: Pose }
    | { kind?: 'capsule'; centre: Point; end: Point; radius: number; pose?: Pose }
    | { kind?: 'planes'; planes: Numbers; pose?: Pose }
    | { kind?: 'ray'; ray: Ray };

export interface SweptReport {
    status: Status; contactCount: number; vertexFaceCount: number; edgeEdgeCount: number; vertexEdgeCount: number; vertexVertexCount: number; closeCount: number;
    earliest: { feature: string; a: number; b: number; vertices: number[]; first: { answer: 'apart' | 'contact' | 'close'; exact: boolean; time: number; timeAfter: number } };
    candidateCount: number; tested: number; exact: number; boxTests: number; kept: number;
}
export interface SweptContacts {
    count: number; report: SweptReport; feature?: Uint8Array; a?: Uint32Array; b?: Uint32Array; vertices?: Uint32Array; time?: Float64Array; timeAfter?: Float64Array; answer?: Uint8Array;
    weights?: Float64Array; pointsA?: Float64Array; pointsB?: Float64Array; normals?: Float64Array; distance?: Float64Array;
}
export interface SweptOptions { mode?: 'all' | 'count' | 'candidates' | 'earliest'; tolerance?: number; separation?: number; witnesses?: boolean; cache?: SweptCache | null }
/** Candidates of steps, kept from one to the next: never changes an answer. */
export class SweptCache implements Disposable { private constructor(); reset(): void; dispose(): void; readonly disposed: boolean }
/** A mesh with its step of time. */
export class Swept implements Disposable {
    private constructor();
    readonly vertexCount: number;
    update(start: Points | Mesh, end: Points | Mesh): void;
    self(options?: SweptOptions): SweptContacts;
    pair(other: Swept, options?: SweptOptions): SweptContacts;
    near(distance: number, options?: { time?: number; other?: Swept; cache?: SweptCache | null }): { count: number; feature: Uint8Array; a: Uint32Array; b: Uint32Array; vertices: Uint32Array; weights: Float64Array; pointsA: Float64Array; pointsB: Float64Array; normals: Float64Array; distance: Float64Array; report: { pairCount: number; distance: number } };
    safeStep(options?: { tolerance?: number; separation?: number; keep?: number; others?: Swept | readonly Swept[]; self?: boolean }): { step: number; earliest: SweptReport['earliest']; couple: number; candidateCount: number; tested: number; nearCount: number };
    dispose(): void;
    readonly disposed: boolean;
}
/** Two poses, or a start with a translation and a turn. */
export interface RigidMotion { start?: Pose; end?: Pose; centre?: Point; axis?: Point; angle?: number; translation?: Point }
export interface SweepReport { status: Status; time: number; distance: number; a: number; b: number; pointA: Vector; pointB: Vector; steps: number }

export type MovingInput = { indices?: Numbers | null; times: Numbers; frames: readonly Points[] } | { indices?: Numbers | null; positions: Points; velocities: Points; begin?: number; end?: number } | { indices?: Numbers | null; /** twelve numbers per vertex: position, velocity, factors of t^2 and t^3, from begin on */ plans: Numbers; begin?: number; end?: number };
export class Moving implements Disposable { private constructor(); readonly vertexCount: number; sample(time: number): Float32Array | Float64Array; dispose(): void; readonly disposed: boolean }
export type KineticMethod = 'default' | 'queue' | 'compiled' | 'interpolated' | 'refit' | 'auto';
export interface KineticReport { events: number; leafEvents: number; updates: number; checks: number; compared: number; segments: number; restarted: boolean }
export class Kinetic implements Disposable {
    private constructor();
    readonly time: number;
    advance(time: number): KineticReport;
    total(): KineticReport;
    positions(): Float32Array | Float64Array;
    /** Other plans from now on, twelve numbers per vertex, counted from origin (now). Methods queue, refit. */
    setPlans(vertices: Numbers, plans: Numbers, options?: { origin?: number }): void;
    insert(primitives: Numbers): void;
    remove(primitives: Numbers): void;
    stats(): { method: KineticMethod; pending: number; boxes: number; bytes: number; extra: number; nextEvent: number };
    choice(): { method: KineticMethod; compiledShare: number; reason: string; switches: number };
    check(): string | null;
    dispose(): void;
    readonly disposed: boolean;
}
export interface SeparationReport { events: number; compiled: number; traversed: boolean; restarted: boolean }
export class Separation implements Disposable {
    private constructor();
    readonly time: number;
    advance(time: number): SeparationReport;
    total(): SeparationReport;
    setPlans(side: 0 | 1, vertices: Numbers, plans: Numbers, options?: { origin?: number }): void;
    stats(): { method: string; innerApart: number; leavesApart: number; leavesMeeting: number; pending: number; nextEvent: number; bytes: number };
    check(): string | null;
    pairs(): Hits;
    dispose(): void;
    readonly disposed: boolean;
}
export interface Timeline {
    count: number; time: Float64Array; begins: Uint8Array; cut: Uint8Array; objectA: Uint32Array; objectB: Uint32Array; triangleA: Uint32Array; triangleB: Uint32Array;
    report: { status: Status; contactCount: number; instantCount: number; first: number; spans: number; candidates: number };
}

export interface SceneReport { status: Status; foundCount: number; nodeCount: number; testedCount: number; untestedCount: number }
export interface Found<R> { ids: BigUint64Array; report: R }
export interface IdPairs { count: number; a: BigUint64Array; b: BigUint64Array }
export interface ScenePairs extends IdPairs { report: { status: Status; foundCount: number; testedCount: number } }
/** May ask other queries, and throw; it may not change what is read. */
export type SceneValue = (id: bigint, path: number, bound: number, limit: number) => number | null | undefined;
/** Numbers for ways through scenes in scenes, of one outermost scene. A path keeps its number until `reset`; 0 is the scene itself. */
export class ScenePaths implements Disposable {
    private constructor();
    readonly scene: Scene;
    reset(): void;
    /** The scene that holds the objects (null where it is gone), the instances on the way, outermost first, and the pose from that scene to the outermost, by rows. */
    get(path: number): { scene: Scene | null; instances: BigUint64Array; pose: number[] };
    dispose(): void;
    readonly disposed: boolean;
}
/** Boxes are six numbers each: the least corner, then the greatest. Ids are never used again. */
export class Scene implements Disposable {
    private constructor();
    readonly count: number;
    insert(box: Numbers | { min: Point; max: Point }, user?: number): bigint;
    insertMany(boxes: Numbers, users?: Numbers): BigUint64Array;
    move(id: bigint, box: Numbers | { min: Point; max: Point }): void;
    moveMany(ids: BigUint64Array | readonly bigint[], boxes: Numbers): void;
    remove(id: bigint): void;
    removeMany(ids: BigUint64Array | readonly bigint[]): void;
    has(id: bigint): boolean;
    get(id: bigint): { box: number[]; user: number };
    setUser(id: bigint, user: number): void;
    insertSphere(centre: Point, radius: number, user?: number): bigint;
    moveSphere(id: bigint, centre: Point, radius: number): void;
    /** The box of the whole way from a box to where the displacement takes it. */
    moveSwept(id: bigint, box: Numbers | { min: Point; max: Point }, displacement: Point): void;
    bounds(): number[];
    prepare(region?: Numbers | { min: Point; max: Point }): { splitCount: number; recalculatedCount: number; pendingCount: number };
    query(region: Region, options: { paths: ScenePaths }): Found<SceneReport> & { path: Uint32Array };
    query(region: Region, options?: { paths?: null }): Found<SceneReport>;
    pairs(options: { paths: ScenePaths }): ScenePairs & { pathA: Uint32Array; pathB: Uint32Array };
    pairs(options?: { paths?: null }): ScenePairs;
    /** What began and what ended to overlap since the last call; of scenes made with trackPairs. */
    pairsChanged(): { began: IdPairs; ended: IdPairs };
    /** any: whichever is found first. value: where the ray meets the object itself, at bound or later; null: not, or not up to limit. */
    cast(ray: Ray, options?: { any?: boolean; paths?: ScenePaths | null; value?: SceneValue }): { id: bigint; t: number; path: number } | null;
    /** value: the distance of the object itself, at least bound; null: none, or none up to limit. */
    nearest(point: Point, most?: number, options?: { maxDistance?: number; paths?: ScenePaths | null; value?: SceneValue }): { id: bigint; distance: number; path: number }[];
    /** Places a scene in this one: an object like others, whose box follows the child's. */
    insertScene(child: Scene, pose?: Pose | null, user?: number): bigint;
    setPose(instance: bigint, pose: Pose | null): void;
    child(id: bigint): { scene: Scene; pose: number[] } | null;
    /** For queries that go through scenes in scenes. */
    paths(): ScenePaths;
    stats(): { objectCount: number; nodeCount: number; leafCount: number; depth: number; bytes: number };
    check(): string | null;
    dispose(): void;
    readonly disposed: boolean;
}
export interface View { eye: Point; forward: Point; up?: Point; /** radians */ fovY?: number; aspect?: number; near?: number; far?: number }
export interface CullReport { status: Status; visibleCount: number; nodeCount: number; hiddenNodeCount: number; testedCount: number; hiddenObjectCount: number; occluderCount: number; lastFrameOccluderCount: number; triangleCount: number }
export interface CullOptions { width?: number; height?: number; occluderPixels?: number; occluders?: 'boxes' | readonly (Mesh & { closed?: boolean; pose?: Pose })[] }
export class Cull implements Disposable {
    private constructor();
    frame(scene: Scene, view: View, options: { paths: ScenePaths }): Found<CullReport> & { path: Uint32Array };
    frame(scene: Scene, view: View, options?: { paths?: null }): Found<CullReport>;
    reset(): void;
    depth(): { width: number; height: number; values: Float32Array };
    dispose(): void;
    readonly disposed: boolean;
}

export class Anytime implements Disposable { private constructor(); update(): void; stats(): { nodes: number; depth: number; bytes: number; kind: string }; dispose(): void; readonly disposed: boolean }
export class AnytimeCache implements Disposable { private constructor(); readonly resumable: boolean; dispose(): void; readonly disposed: boolean }
export type AnytimeBody = Anytime | { readonly anytime: Anytime; readonly pose?: Pose | null };
export interface AnytimeOptions {
    maxSteps?: number; maxMilliseconds?: number;
    /** The share of wrong answers that may be expected. */
    wantedError?: number;
    poses?: 'spread' | 'contact'; resume?: boolean; coherent?: boolean; cache?: AnytimeCache;
    /** How many likely places of contact are wanted. */
    regions?: number; pMin?: number; kMin?: number; pPrune?: number;
}
export interface AnytimeAnswer {
    collision: boolean; proven: boolean; confidence: number; status: Status; reason: 'proven' | 'enough' | 'pruned' | 'budget' | 'stopped'; steps: number; pairs: number; boxTests: number; primitiveTests: number;
    regions: { box: { min: number[]; max: number[] }; point: Vector; normal: Vector; probability: number; proven: boolean; a: number; b: number }[];
}

export class Hull implements Disposable { private constructor(); mesh(): { positions: Float64Array; indices: Uint32Array }; dispose(): void; readonly disposed: boolean }
/** half: of a box its half edges, of a capsule [0, 0, half its length]. */
export interface Shape { kind: 'sphere' | 'capsule' | 'box' | 'half-space' | 'hull'; radius?: number; half?: Point; hull?: Hull; pose?: Pose }
export interface ShapeContact { kind: ContactKind; normal: Vector; depth: number; depthLower: number; points: { pointA: Vector; pointB: Vector; depth: number; feature: number }[] }
export interface ShapeNearest { distance: number; pointA: Vector; pointB: Vector; normal: Vector }
export interface ShapeSweep { status: Status; time: number; distance: number; pointA: Vector; pointB: Vector; normal: Vector; primitive: number; steps: number }

/** One of tree, shape and kinetic. Bodies with layers meet those whose layers their mask has; of one group (other than 0) they do not meet. */
export interface WorldBody { tree?: Tree; shape?: Shape; kinetic?: Kinetic; pose?: Pose | null; fixed?: boolean; layers?: number; mask?: number; group?: number; user?: number }
/** event: 0 begins, 1 persists, 2 has ended; ids stay as long as a contact does. Three numbers per contact in points and normals; the normal goes from a to b. */
export interface WorldContacts { count: number; id: BigUint64Array; a: BigUint64Array; b: BigUint64Array; primitiveA: Uint32Array; primitiveB: Uint32Array; feature: Uint32Array; kind: Uint8Array; event: Uint8Array; points: Float64Array; normals: Float64Array; depth: Float64Array }
export interface WorldStep extends WorldContacts { ended: WorldContacts; pairs: { count: number; a: BigUint64Array; b: BigUint64Array; event: Uint8Array; first: Uint32Array; contacts: Uint32Array }; beganCount: number; candidateCount: number }
export interface WorldImpact { time: number; a: bigint; b: bigint; primitiveA: number; primitiveB: number; point: Vector; normal: Vector }
export interface WorldRayHits { count: number; id: BigUint64Array; primitive: Uint32Array; t: Float64Array; points: Float64Array; normals: Float64Array; weights: Float64Array }
export interface WorldFilter { /** layers */ mask?: number; except?: bigint }
/** Bodies that move, and their contacts from step to step. What a body is made of stays as long as the body does. */
export class World implements Disposable {
    private constructor();
    readonly count: number;
    insert(body: WorldBody): bigint;
    insertMany(bodies: readonly WorldBody[]): BigUint64Array;
    remove(id: bigint): void;
    move(id: bigint, pose: Pose | null): void;
    moveMany(ids: BigUint64Array | readonly bigint[], poses: Numbers | readonly (Pose | null)[]): void;
    /** The body's tree was updated, or its kinetic body advanced. */
    changed(id: bigint): void;
    setFilter(id: bigint, filter: { layers?: number; mask?: number; group?: number }): void;
    /** Contacts of these two are of no interest, or (false) are again. */
    allow(a: bigint, b: bigint, allowed?: boolean): void;
    get(id: bigint): { pose: number[] | null; fixed: boolean; layers: number; mask: number; group: number; user: number };
    step(options?: { pairsOnly?: boolean }): WorldStep;
    /** Moves bodies steadily to poses and stops all at the first contact. */
    advance(ids: BigUint64Array | readonly bigint[], poses: Numbers | readonly (Pose | null)[], options?: { tolerance?: number; stay?: boolean }): { status: Status; time: number; first: WorldImpact | null; candidateCount: number };
    raycast(ray: Ray, options?: WorldFilter & { most?: number }): WorldRayHits;
    raycastMany(rays: Numbers, options?: WorldFilter & { width?: 6 | 7; between?: boolean }): WorldRayHits;
    sweep(shape: Shape, motion: RigidMotion, options?: WorldFilter): WorldImpact | null;
    overlap(shape: Shape, options?: WorldFilter): BigUint64Array;
    distance(shape: Shape, options?: WorldFilter & { maxDistance?: number }): { distance: number; id: bigint; primitive: number; point: Vector; pointShape: Vector } | null;
    check(): string | null;
    dispose(): void;
    readonly disposed: boolean;
}

/** What is loaded only where it is wanted. motion: steps, known motions, timelines, shapes, worlds, pair caches; budget: answers within a budget. */
export type Part = 'motion' | 'budget';
/** The whole library. */
export class Boxwood extends Core<Tree, AnyTree, QueryOptions> {
    /** Loads a part, from beside this file or from elsewhere. */
    add(part: Part, source?: Source): Promise<void>;
    /** A tree over boxes, six numbers each, for primitives that only the caller knows: for `any`, `count` and `pairs`. */
    userTree(boxes: Numbers, options?: { builder?: Builder }): UserTree;
    any(a: Body, b: Body, options?: QueryOptions): boolean;
    /** With a test of the caller's; without one every two boxes that meet are a pair. */
    any(a: UserBody, b: UserBody, options?: UserTest): boolean;
    count(a: Body, b: Body, options?: QueryOptions): CollideReport;
    count(a: UserBody, b: UserBody, options?: UserTest): CollideReport;
    pairs(a: Body, b: Body, options?: QueryOptions): Hits;
    pairs(a: UserBody, b: UserBody, options?: UserTest): Hits;
    pairCache(): PairCache;
    contacts(a: Body, b: Body, options?: { depth?: boolean; volume?: boolean; tolerance?: number; trials?: number }): Contacts;
    distance(a: Body, b: Body, options?: { maxDistance?: number; stopBelow?: number }): Distance;
    within(a: Body, b: Body, distance: number): { count: number; a: Uint32Array; b: Uint32Array; distance: Float64Array; report: { pairCount: number } };
    anyMany(pairs: readonly BodyPair[], options?: { groupSize?: number; separation?: number; coherent?: boolean; count?: boolean }): { count: number; result: Uint8Array; pair: Uint32Array; a: Uint32Array; b: Uint32Array; kind: Uint8Array; hits: Float64Array };
    distanceMany(pairs: readonly BodyPair[], options?: { groupSize?: number; maxDistance?: number; stopBelow?: number; coherent?: boolean }): { count: number; result: Uint8Array; distance: Float64Array; pair: Uint32Array; a: Uint32Array; b: Uint32Array; pointsA: Float64Array; pointsB: Float64Array };
    contains(body: Body, points: Points, options?: { cache?: PairCache }): { count: number; side: Uint8Array; certain: Uint8Array; winding: Float64Array; report: ContainsReport };
    signedDistance(body: Body, points: Points, options?: { maxDistance?: number; cache?: PairCache }): { count: number; distance: Float64Array; side: Uint8Array; primitive: Uint32Array; feature: Uint8Array; points: Float64Array; normals: Float64Array; weights: Float64Array; report: ContainsReport };
    surfaceAt(body: Body, primitives: Numbers, points: Points): { count: number; primitive: Uint32Array; feature: Uint8Array; corner: Uint32Array; points: Float64Array; normals: Float64Array; weights: Float64Array };
    region(body: Body, region: Region, options?: { insideOnly?: boolean }): { count: number; primitive: Uint32Array; inside: Uint8Array; report: { hitCount: number; insideCount: number } };
    /** Looks at every triangle; what is found first is named. */
    validate(mesh: Mesh): { primitives: number; defective: number; counts: Record<'none' | Defect, number>; first: 'none' | Defect; firstPrimitive: number; firstVertex: number; firstAxis: number; firstValue: number; unusedVertices: number };
    sweptCache(options?: { margin?: number }): SweptCache;
    swept(start: Mesh, end: Points | Mesh, options?: { edges?: Numbers; points?: boolean; thickness?: Numbers }): Swept;
    sweptRigid(a: Body, motionA: RigidMotion | null, b: Body, motionB: RigidMotion | null, options?: { tolerance?: number; maxSteps?: number }): SweepReport;
    motionPose(motion: RigidMotion, time: number): number[];
    moving(motion: MovingInput): Moving;
    kinetic(moving: Moving, options?: { method?: KineticMethod; builder?: Builder; time?: number }): Kinetic;
    separation(a: Moving, b?: Moving | null, options?: { method?: 'auto' | 'events' | 'compiled' | 'traverse'; builder?: Builder; time?: number }): Separation;
    timeline(objects: readonly Moving[], options?: { mode?: 'triangles' | 'objects' | 'first'; self?: boolean; from?: number; to?: number; builder?: Builder }): Timeline;
    scene(options?: { trackPairs?: boolean }): Scene;
    cull(options?: CullOptions): Cull;
    anytime(tree: Tree, options?: { tries?: number }): Anytime;
    anytimeCache(): AnytimeCache;
    anyWithin(a: AnytimeBody, b: AnytimeBody, options?: AnytimeOptions): AnytimeAnswer;
    hull(points: Points): Hull;
    world(options?: { separation?: number }): World;
    shapeContact(a: Shape, b: Shape, options?: { separation?: number; maxPoints?: number }): ShapeContact;
    shapeOverlap(a: Shape, b: Shape): ContactKind;
    shapeDistance(a: Shape, b: Shape): ShapeNearest;
    shapeRaycast(shape: Shape, ray: Ray): { hit: true; t: number; point: Vector; normal: Vector } | null;
    shapeCollide(shape: Shape, body: Body, options?: { separation?: number }): { count: number; primitive: Uint32Array; kind: Uint8Array; normals: Float64Array; depth: Float64Array; report: { hitCount: number } };
    shapeDistanceBody(shape: Shape, body: Body, options?: { maxDistance?: number }): { status: Status; primitive: number; nearest: ShapeNearest };
    shapeSweep(a: Shape, motionA: RigidMotion | null, b: Shape, motionB: RigidMotion | null, options?: { tolerance?: number; maxSteps?: number }): ShapeSweep;
    shapeSweepBody(shape: Shape, motion: RigidMotion | null, body: Body, bodyMotion: RigidMotion | null, options?: { tolerance?: number; maxSteps?: number }): ShapeSweep;
}
/** Loads the module, from beside this file or from elsewhere, and the parts that are named. */
export function load(source?: Source | { main?: Source; motion?: boolean | Source; budget?: boolean | Source }): Promise<Boxwood>;
