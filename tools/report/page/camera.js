// Vectors as arrays of three numbers, and the camera: it turns about a target, in double precision.
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => { const l = length(a); return l > 0 ? scale(a, 1 / l) : [0, 0, 0]; };
const lerp = (a, b, t) => a + (b - a) * t;
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

const FIELD_OF_VIEW = 38 * Math.PI / 180;

class Camera {
  constructor(up) { // 0, 1, 2: x, y, z
    this.upAxis = up;
    this.target = [0, 0, 0];
    this.distance = 1;
    this.yaw = -0.7;
    this.pitch = 0.45;
    this.flat = false; // no perspective
    this.offset = [0, 0]; // where the target is in the picture, from -1 to 1
  }

  // From the target to the eye.
  outward(yaw = this.yaw, pitch = this.pitch) {
    const out = [0, 0, 0], [right, back, sign] = [[1, 2, -1], [0, 2, 1], [0, 1, -1]][this.upAxis];
    out[right] = -Math.cos(pitch) * Math.sin(yaw);
    out[back] = sign * Math.cos(pitch) * Math.cos(yaw);
    out[this.upAxis] = Math.sin(pitch);
    return out;
  }

  get eye() { return add(this.target, scale(this.outward(), this.distance)); }

  // Right, up on the screen, and towards the eye.
  axes() {
    const z = this.outward(), up = [0, 0, 0];
    up[this.upAxis] = 1;
    let x = cross(up, z);
    if (length(x) < 1e-9) x = sub(this.outward(this.yaw - 1e-3, 0), this.outward(this.yaw + 1e-3, 0));
    x = unit(x);
    return [x, cross(z, x), z];
  }

  // Column by column, for points about the eye. extent: how far the scene reaches from the target.
  toClip(aspect, extent) {
    const [x, y, z] = this.axes(), f = 1 / Math.tan(FIELD_OF_VIEW / 2);
    const far = this.distance + 2 * extent + 1e-30;
    const near = this.flat ? -far : Math.max(this.distance * 0.01, far * 1e-6);
    let rows;
    if (this.flat) {
      const s = f / this.distance;
      rows = [[...scale(x, s / aspect), 0], [...scale(y, s), 0], [...scale(z, -2 / (far - near)), -(far + near) / (far - near)],
        [0, 0, 0, 1]];
    } else {
      rows = [[...scale(x, f / aspect), 0], [...scale(y, f), 0],
        [...scale(z, -(far + near) / (far - near)), -2 * far * near / (far - near)], [...scale(z, -1), 0]];
    }
    for (let k = 0; k < 2; k++) rows[k] = rows[k].map((value, c) => value + this.offset[k] * rows[3][c]);
    const out = new Float32Array(16);
    for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) out[4 * c + r] = rows[r][c];
    return out;
  }

  // In pixels from the top left, or null behind the eye.
  project(point, width, height) {
    const [x, y, z] = this.axes(), p = sub(point, this.eye), f = 1 / Math.tan(FIELD_OF_VIEW / 2);
    const depth = this.flat ? this.distance : -dot(p, z);
    if (depth <= 0) return null;
    return [width / 2 * (1 + this.offset[0]) + dot(p, x) * f / depth * height / 2,
      height / 2 * (1 - this.offset[1]) - dot(p, y) * f / depth * height / 2];
  }

  turn(dx, dy) {
    this.yaw += dx;
    this.pitch = clamp(this.pitch + dy, -Math.PI / 2, Math.PI / 2);
  }

  // What is at the target moves by so many pixels.
  pan(dx, dy, height) {
    const [x, y] = this.axes(), pixel = 2 * Math.tan(FIELD_OF_VIEW / 2) * this.distance / height;
    this.target = add(this.target, add(scale(x, -dx * pixel), scale(y, dy * pixel)));
  }

  // Nearer by a factor; the point under the cursor (in -1 to 1, y up) stays there.
  zoom(factor, cx, cy, aspect) {
    const [x, y] = this.axes(), half = Math.tan(FIELD_OF_VIEW / 2) * this.distance;
    const at = add(scale(x, (cx - this.offset[0]) * half * aspect), scale(y, (cy - this.offset[1]) * half));
    this.target = add(this.target, scale(at, 1 - factor));
    this.distance *= factor;
  }

  // The distance from which a ball fills the view.
  distanceFor(radius, aspect) {
    return Math.max(radius, 1e-12) / Math.sin(FIELD_OF_VIEW / 2) / Math.min(1, aspect) * 1.05;
  }

  get place() { return { target: this.target.slice(), distance: this.distance, yaw: this.yaw, pitch: this.pitch }; }

  set place(place) { Object.assign(this, place); }

  // A place on the way, t from 0 to 1. Distances grow and shrink by equal factors; a far flight rises in between.
  static between(from, to, t) {
    const s = t * t * (3 - 2 * t), way = length(sub(to.target, from.target));
    const rise = 1 + Math.min(4, 0.35 * way / Math.max(from.distance, to.distance)) * Math.sin(Math.PI * s);
    let turn = (to.yaw - from.yaw) % (2 * Math.PI);
    if (turn > Math.PI) turn -= 2 * Math.PI;
    if (turn < -Math.PI) turn += 2 * Math.PI;
    return {
      target: add(from.target, scale(sub(to.target, from.target), s)),
      distance: Math.exp(lerp(Math.log(from.distance), Math.log(to.distance), s)) * rise,
      yaw: from.yaw + turn * s,
      pitch: lerp(from.pitch, to.pitch, s),
    };
  }
}
