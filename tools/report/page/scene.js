// The scene on the graphics card. Parts whose mesh is theirs alone are drawn many at a time, meshes that stand in many
// places as instances; colours and poses come from textures by the number of the part, so that selecting one of a hundred
// thousand parts changes four bytes.
const SHARP = Math.cos(28 * Math.PI / 180);
const BOX = new Uint32Array([0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]);
const TEXELS = 1024; // of a row of both textures

class Scene {
  constructor(canvas, data) {
    this.canvas = canvas;
    this.data = data;
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: true, powerPreference: 'high-performance' });
    if (!gl) throw new Error('no WebGL2');
    this.gl = gl;
    this.programs = {
      parts: compile(gl, PARTS_VERTEX, PARTS_FRAGMENT),
      pick: compile(gl, PARTS_VERTEX, PICK_FRAGMENT),
      lines: compile(gl, LINES_VERTEX, LINES_FRAGMENT),
    };
    this.batches = [];
    this.films = [];
    this.lines = new Map();
    this.edges = true;
    this.time = data.manifest.begin;
    this.placeParts();
    this.makeTextures();
  }

  // ---- where parts are ----

  placeParts() {
    const { parts, meshes } = this.data.manifest;
    this.boxes = []; // of each part, in the world
    let low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const part of parts) {
      let box = part.box;
      if (!box) {
        const mesh = meshes[part.mesh], c = mesh.centre, b = mesh.box;
        box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
        for (let corner = 0; mesh.vertices && corner < 8; corner++) {
          const p = this.map(part, [c[0] + b[corner & 1 ? 3 : 0], c[1] + b[corner & 2 ? 4 : 1], c[2] + b[corner & 4 ? 5 : 2]]);
          for (let k = 0; k < 3; k++) {
            box[k] = Math.min(box[k], p[k]);
            box[3 + k] = Math.max(box[3 + k], p[k]);
          }
        }
      }
      this.boxes.push(box);
      low = low.map((x, k) => Math.min(x, box[k]));
      high = high.map((x, k) => Math.max(x, box[3 + k]));
    }
    if (!(low[0] <= high[0])) [low, high] = [[-1, -1, -1], [1, 1, 1]];
    this.low = low;
    this.high = high;
    this.centre = scale(add(low, high), 0.5);
    this.radius = Math.max(length(sub(high, low)) / 2, 1e-12);
  }

  map(part, p) {
    const m = part.pose;
    if (!m) return p;
    return [0, 4, 8].map((r) => m[r] * p[0] + m[r + 1] * p[1] + m[r + 2] * p[2] + m[r + 3]);
  }

  makeTextures() {
    const { gl } = this, { parts, meshes } = this.data.manifest, rows = Math.max(1, Math.ceil(parts.length * 4 / TEXELS));
    const poses = new Float32Array(rows * TEXELS * 4);
    parts.forEach((part, i) => {
      const m = part.box ? null : part.pose, at = this.map(part.box ? {} : part, part.box ? this.boxCentre(i) : meshes[part.mesh].centre ?? [0, 0, 0]);
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) poses[16 * i + 4 * r + c] = m ? m[4 * r + c] : Number(r === c);
        const shift = at[r] - this.centre[r];
        poses[16 * i + 4 * r + 3] = shift;
        poses[16 * i + 12 + r] = shift - Math.fround(shift);
      }
      poses[16 * i + 15] = m && dot([m[0], m[4], m[8]], cross([m[1], m[5], m[9]], [m[2], m[6], m[10]])) < 0 ? -1 : 1;
    });
    this.poses = this.texture(gl.RGBA32F, TEXELS, rows, gl.FLOAT, poses);
    this.lookRows = Math.max(1, Math.ceil(parts.length / TEXELS));
    this.lookBytes = new Uint8Array(this.lookRows * TEXELS * 4);
    this.looks = this.texture(gl.RGBA8, TEXELS, this.lookRows, gl.UNSIGNED_BYTE, this.lookBytes);
  }

  boxCentre(i) {
    const b = this.boxes[i];
    return [0, 1, 2].map((k) => (b[k] + b[3 + k]) / 2);
  }

  texture(format, width, height, type, bytes) {
    const { gl } = this, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, gl.RGBA, type, bytes);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return texture;
  }

  // look(part) gives [red, green, blue, alpha] from 0 to 1; an alpha of 1 is opaque, 0 hidden, between see-through.
  paint(look) {
    const { gl } = this;
    this.anyGhost = false;
    for (let i = 0; i < this.data.manifest.parts.length; i++) {
      const c = look(i);
      if (c[3] > 0 && c[3] < 1) this.anyGhost = true;
      for (let k = 0; k < 4; k++) this.lookBytes[4 * i + k] = Math.round(255 * c[k]);
    }
    gl.bindTexture(gl.TEXTURE_2D, this.looks);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, TEXELS, this.lookRows, gl.RGBA, gl.UNSIGNED_BYTE, this.lookBytes);
  }

  // ---- loading ----

  // Chunk by chunk; progress() is called after each, and returns a promise that lets the page breathe.
  async load(progress) {
    const { parts, meshes, films } = this.data.manifest, users = meshes.map(() => []);
    parts.forEach((part, i) => { if (!part.box) users[part.mesh].push(i); });
    this.triangles = 0;
    meshes.forEach((mesh, i) => { if (mesh.spot) this.triangles += mesh.triangles * users[i].length; });
    this.withEdges = this.triangles <= 1500000;
    this.loadBoxes(parts);
    const moving = new Map();
    for (const film of films) {
      if (!moving.has(film.mesh)) moving.set(film.mesh, []);
      moving.get(film.mesh).push(film);
    }
    const byChunk = new Map();
    meshes.forEach((mesh, i) => {
      if (!mesh.spot || !users[i].length || !mesh.vertices) return;
      if (!byChunk.has(mesh.spot[0])) byChunk.set(mesh.spot[0], []);
      byChunk.get(mesh.spot[0]).push(i);
    });
    let done = 0;
    for (const list of byChunk.values()) {
      let group = [];
      for (const i of list) {
        const geometry = await this.data.mesh(i);
        geometry.points = meshes[i].points;
        if (moving.has(i)) this.addFilm(geometry, users[i], i, moving.get(i));
        else if (users[i].length > 1 || geometry.points) this.addBatch([geometry], [users[i]], true);
        else group.push([geometry, users[i]]);
      }
      if (group.length) this.addBatch(group.map((g) => g[0]), group.map((g) => g[1]), false);
      group = null;
      await progress(++done / byChunk.size);
    }
  }

  loadBoxes(parts) {
    const indices = BOX;
    const geometries = [], users = [];
    parts.forEach((part, i) => {
      if (!part.box) return;
      const positions = new Float32Array(24), b = part.box, c = this.boxCentre(i);
      for (let v = 0; v < 8; v++) for (let k = 0; k < 3; k++) positions[3 * v + k] = b[k + (v >> k & 1 ? 3 : 0)] - c[k];
      geometries.push({ positions, indices });
      users.push([i]);
    });
    if (geometries.length) this.addBatch(geometries, users, false);
  }

  buffer(bytes, target = this.gl.ARRAY_BUFFER) {
    const { gl } = this, buffer = gl.createBuffer();
    gl.bindBuffer(target, buffer);
    gl.bufferData(target, bytes, gl.STATIC_DRAW);
    return buffer;
  }

  // Geometries with the parts that show them: joined, one part each; or a single one with instances.
  addBatch(geometries, users, instanced) {
    const { gl } = this, points = geometries[0].points;
    let vertices = 0, corners = 0;
    for (const g of geometries) { vertices += g.positions.length / 3; corners += g.indices.length; }
    const positions = new Float32Array(3 * vertices), indices = new Uint32Array(corners), sharp = [];
    const ids = instanced ? new Uint32Array(users[0]) : new Uint32Array(vertices);
    let v = 0, c = 0;
    geometries.forEach((g, i) => {
      positions.set(g.positions, 3 * v);
      for (let k = 0; k < g.indices.length; k++) indices[c + k] = g.indices[k] + v;
      if (!instanced) ids.fill(users[i][0], v, v + g.positions.length / 3);
      if (this.withEdges && !points) for (const e of sharpEdges(g.positions, g.indices)) sharp.push(e + v);
      v += g.positions.length / 3;
      c += g.indices.length;
    });
    const batch = { count: corners, vertices, instances: instanced ? users[0].length : 0, users: instanced ? users[0] : null, points, sharp: sharp.length, film: null };
    batch.array = gl.createVertexArray();
    gl.bindVertexArray(batch.array);
    batch.positions = this.buffer(positions);
    this.point(0, batch.positions);
    this.point(1, batch.positions);
    batch.ids = this.buffer(ids);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribIPointer(2, 1, gl.UNSIGNED_INT, 0, 0);
    gl.vertexAttribDivisor(2, instanced ? 1 : 0);
    // Faces, then edges, in one buffer.
    const all = new Uint32Array(corners + sharp.length);
    all.set(indices);
    all.set(sharp, corners);
    this.buffer(all, gl.ELEMENT_ARRAY_BUFFER);
    gl.bindVertexArray(null);
    this.batches.push(batch);
    if (instanced && users[0].length >= 16 && !points && corners > 100) batch.coarse = this.addCoarse(positions, users[0]);
    return batch;
  }

  // The box of a mesh, for instances that are far away.
  addCoarse(positions, users) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i++) {
      low[i % 3] = Math.min(low[i % 3], positions[i]);
      high[i % 3] = Math.max(high[i % 3], positions[i]);
    }
    const corners = new Float32Array(24);
    for (let v = 0; v < 8; v++) for (let k = 0; k < 3; k++) corners[3 * v + k] = v >> k & 1 ? high[k] : low[k];
    return this.addBatch([{ positions: corners, indices: BOX }], [users.slice(0, 1)], true);
  }

  // Which instances are in view, and which of these so small that their boxes stand for them.
  chooseDetail(camera) {
    const { gl, canvas } = this, eye = camera.eye, [x, y, z] = camera.axes(), f = 1 / Math.tan(FIELD_OF_VIEW / 2);
    const { offset } = camera, side = Math.hypot(1, f), aspect = canvas.width / canvas.height, sideX = Math.hypot(aspect, f);
    for (const batch of this.batches) {
      if (!batch.coarse) continue;
      const fine = [], coarse = [];
      for (const part of batch.users) {
        const b = this.boxes[part], p = [(b[0] + b[3]) / 2 - eye[0], (b[1] + b[4]) / 2 - eye[1], (b[2] + b[5]) / 2 - eye[2]];
        const r = Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]) / 2, depth = camera.flat ? camera.distance : -dot(p, z);
        if (depth < -r || Math.abs(dot(p, y) * f + offset[1] * depth) - depth > 2 * r * side ||
          Math.abs(dot(p, x) * f + offset[0] * depth * aspect) - depth * aspect > 2 * r * sideX) continue;
        (depth > r && r * f / depth * canvas.height < 12 ? coarse : fine).push(part);
      }
      for (const [which, list] of [[batch, fine], [batch.coarse, coarse]]) {
        gl.bindBuffer(gl.ARRAY_BUFFER, which.ids);
        gl.bufferData(gl.ARRAY_BUFFER, new Uint32Array(list), gl.DYNAMIC_DRAW);
        which.instances = list.length;
        which.empty = !list.length;
      }
    }
  }

  point(location, buffer) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
  }

  // ---- films ----

  addFilm(geometry, users, mesh, runs) {
    const batch = this.addBatch([geometry], [users], true);
    batch.film = { mesh, runs, times: this.data.manifest.clocks[runs[0].clock], step: runs[0].step, count: geometry.positions.length, buffers: new Map(), frame: 0, between: 0 };
    this.films.push(batch);
  }

  // The frame at or before a time, and how far it is to the next; at a jump: after it.
  static frameAt(times, time) {
    let low = 0, high = times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle; else high = middle;
    }
    const step = low + 1 < times.length ? times[low + 1] - times[low] : 0;
    return [low, step > 0 ? clamp((time - times[low]) / step, 0, 1) : 0];
  }

  // Puts the parts where they are at a time. False: some frames are still to be unpacked; ready() is called then.
  setTime(time, ready) {
    this.time = time;
    let complete = true;
    for (const batch of this.films) {
      const { film } = batch, [frame, between] = Scene.frameAt(film.times, time);
      const a = this.frameBuffer(film, frame, ready), b = between > 0 ? this.frameBuffer(film, frame + 1, ready) : a;
      if (!a || !b) { complete = false; continue; }
      const { gl } = this;
      gl.bindVertexArray(batch.array);
      this.point(0, a);
      this.point(1, b);
      gl.bindVertexArray(null);
      film.frame = frame;
      film.between = between;
    }
    return complete;
  }

  frameBuffer(film, frame, ready) {
    const run = film.runs.findLastIndex((r) => r.first <= frame);
    const held = film.buffers.get(run);
    if (!held) {
      const { first, spot: [chunk, offset, frames] } = film.runs[run];
      film.buffers.set(run, { first, list: null });
      this.data.chunk(chunk).then((bytes) => {
        const list = Data.frames(bytes, offset, frames, film.count, film.step).map((f) => this.buffer(f));
        film.buffers.set(run, { first, list });
        this.forget(film, run);
        ready();
      });
      return null;
    }
    // The next run is unpacked before it is needed.
    if (held.list && run + 1 < film.runs.length && frame - held.first > held.list.length / 2 && !film.buffers.has(run + 1))
      this.frameBuffer(film, film.runs[run + 1].first, () => {});
    return held.list && held.list[frame - held.first];
  }

  // Keeps some megabytes of frames about the present one.
  forget(film, run) {
    const most = Math.max(4, Math.ceil(48e6 / this.films.length / (1 << 20)));
    while (film.buffers.size > most) {
      let worst = null;
      for (const [number, held] of film.buffers)
        if (held.list && number !== run && (worst === null || Math.abs(number - run) > Math.abs(worst - run))) worst = number;
      if (worst === null) return;
      for (const buffer of film.buffers.get(worst).list) this.gl.deleteBuffer(buffer);
      film.buffers.delete(worst);
    }
  }

  // ---- lines ----

  // Segments about an origin, six numbers each; name replaces those of the same name; null removes them.
  setLines(name, lines) {
    const { gl } = this, old = this.lines.get(name);
    if (old) {
      gl.deleteBuffer(old.buffer);
      gl.deleteVertexArray(old.array);
      this.lines.delete(name);
    }
    if (!lines || !lines.segments.length) return;
    const array = gl.createVertexArray(), buffer = this.bufferOf(array, lines.segments);
    this.lines.set(name, { ...lines, array, buffer, count: lines.segments.length / 6, segments: null });
  }

  bufferOf(array, segments) {
    const { gl } = this;
    gl.bindVertexArray(array);
    const buffer = this.buffer(segments);
    for (const at of [0, 1]) {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 24, 12 * at);
      gl.vertexAttribDivisor(at, 1);
    }
    gl.bindVertexArray(null);
    return buffer;
  }

  // ---- drawing ----

  // The plane in numbers about the eye; cut: {normal, distance} in the world, or null.
  cutAt(cut, eye) {
    return cut ? [...cut.normal, cut.distance - dot(cut.normal, eye)] : [0, 0, 0, 0];
  }

  common(program, camera, cut, toClip) {
    const { gl } = this, { at } = program, eye = camera.eye;
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(at.toClip, false, toClip);
    gl.uniform4fv(at.cut, this.cutAt(cut, eye));
    gl.uniform1i(at.cutting, cut ? 1 : 0);
    if (!at.poses) return;
    const e = sub(eye, this.centre), high = e.map(Math.fround);
    gl.uniform3fv(at.eyeHigh, high);
    gl.uniform3fv(at.eyeLow, sub(e, high));
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.poses);
    gl.uniform1i(at.poses, 0);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.looks);
    gl.uniform1i(at.looks, 1);
    gl.activeTexture(gl.TEXTURE0);
  }

  drawBatch(batch, program, edges) {
    const { gl } = this, { at } = program;
    if (batch.empty || (edges && !batch.sharp)) return;
    gl.uniform1f(at.between, batch.film ? batch.film.between : 0);
    if (at.shape) gl.uniform1i(at.shape, edges ? 1 : batch.points ? 2 : 0);
    gl.bindVertexArray(batch.array);
    if (batch.points) {
      gl.drawArraysInstanced(gl.POINTS, 0, batch.vertices, batch.instances);
      return;
    }
    const mode = edges ? gl.LINES : gl.TRIANGLES, count = edges ? batch.sharp : batch.count, start = edges ? 4 * batch.count : 0;
    if (batch.instances) gl.drawElementsInstanced(mode, count, gl.UNSIGNED_INT, start, batch.instances);
    else gl.drawElements(mode, count, gl.UNSIGNED_INT, start);
  }

  extent(camera) { return this.radius + length(sub(camera.target, this.centre)); }

  draw(camera, { cut, ghost, edgeColour, ghostLight, quick }) {
    const { gl, canvas } = this, { parts } = this.programs;
    const toClip = camera.toClip(canvas.width / canvas.height, this.extent(camera));
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

    this.common(parts, camera, cut, toClip);
    const { at } = parts, [right, top, towards] = camera.axes(), up = [0, 0, 0];
    up[camera.upAxis] = 1;
    gl.uniform3fv(at.up, up);
    gl.uniform3fv(at.light, unit(add(add(scale(right, -0.45), scale(top, 0.75)), scale(towards, 0.6))));
    gl.uniform1f(at.ghost, ghost);
    gl.uniform1f(at.ghostLight, ghostLight);
    this.chooseDetail(camera);
    gl.uniform3fv(at.edge, edgeColour);
    gl.uniform1f(at.nearer, 0);
    for (const pass of this.anyGhost ? [0, 1] : [0]) {
      gl.uniform1i(at.pass, pass);
      gl.depthMask(pass === 0);
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1, 2);
      for (const batch of this.batches) this.drawBatch(batch, parts, false);
      gl.disable(gl.POLYGON_OFFSET_FILL);
      if (this.edges && !quick) {
        gl.depthMask(false);
        for (const batch of this.batches) this.drawBatch(batch, parts, true);
      }
      if (pass === 0) this.drawLines(camera, cut, toClip);
      if (pass === 0) this.common(parts, camera, cut, toClip);
    }
    gl.depthMask(true);
    gl.bindVertexArray(null);
  }

  // What is behind something else shows through it, faintly.
  drawLines(camera, cut, toClip) {
    const { gl, canvas } = this, program = this.programs.lines, { at } = program, eye = camera.eye;
    if (!this.lines.size) return;
    this.common(program, camera, null, toClip);
    gl.uniform2f(at.screen, canvas.width, canvas.height);
    gl.depthMask(false);
    for (const set of this.lines.values()) {
      if (set.still && this.time > this.data.manifest.begin) continue; // of the first frame only
      gl.uniform1i(at.cutting, cut && set.cut ? 1 : 0);
      gl.uniform4fv(at.cut, this.cutAt(cut, eye));
      gl.uniform3fv(at.origin, sub(set.origin, eye));
      gl.uniform1f(at.width, set.width * (window.devicePixelRatio || 1));
      gl.uniform1f(at.nearer, 2e-5);
      gl.bindVertexArray(set.array);
      for (const hidden of set.through > 0 ? [true, false] : [false]) {
        gl.depthFunc(hidden ? gl.GREATER : gl.LEQUAL);
        gl.uniform4f(at.colour_, ...set.colour, hidden ? set.through : set.alpha ?? 1);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, set.count);
      }
    }
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(true);
  }

  // ---- picking ----

  // {part, point} under a place of the canvas (in -1 to 1, y up), or null. The scene is drawn once more for a single pixel.
  pick(camera, cut, x, y) {
    const { gl, canvas } = this, program = this.programs.pick;
    if (!this.pickBuffer) {
      this.pickBuffer = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickBuffer);
      for (const [format, where] of [[gl.RGBA32UI, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
        const render = gl.createRenderbuffer();
        gl.bindRenderbuffer(gl.RENDERBUFFER, render);
        gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, where, gl.RENDERBUFFER, render);
      }
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickBuffer);
    gl.viewport(0, 0, 1, 1);
    gl.clearBufferuiv(gl.COLOR, 0, new Uint32Array(4));
    gl.clearBufferfv(gl.DEPTH, 0, new Float32Array([1]));
    const m = camera.toClip(canvas.width / canvas.height, this.extent(camera));
    for (let c = 0; c < 4; c++) { // the pixel fills the view
      m[4 * c] = canvas.width * (m[4 * c] - x * m[4 * c + 3]);
      m[4 * c + 1] = canvas.height * (m[4 * c + 1] - y * m[4 * c + 3]);
    }
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    const out = new Uint32Array(4);
    // Opaque parts first: a click goes through ghosts to what is solid behind them.
    this.chooseDetail(camera);
    for (const pass of [0, 1]) {
      this.common(program, camera, cut, m);
      gl.uniform1f(program.at.nearer, 0);
      gl.uniform1i(program.at.pass, pass);
      for (const batch of this.batches) this.drawBatch(batch, program, false);
      gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, out);
      if (out[0]) break;
    }
    gl.bindVertexArray(null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    if (!out[0]) return null;
    const rel = new Float32Array(out.buffer, 4, 3);
    return { part: out[0] - 1, point: add(camera.eye, Array.from(rel)) };
  }
}

// Edges worth a line: where a surface ends, where it bends sharply, where more than two triangles meet. Pairs of vertices.
function sharpEdges(positions, indices) {
  const triangles = indices.length / 3, normals = new Float32Array(indices.length);
  for (let t = 0; t < triangles; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * t + k]);
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx, l = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    normals[3 * t] = nx / l;
    normals[3 * t + 1] = ny / l;
    normals[3 * t + 2] = nz / l;
  }
  // A table of edges by their lower vertex and higher vertex: the first triangle + 1, and what was found so far.
  let size = 16;
  while (size < 2 * indices.length) size *= 2;
  const low = new Uint32Array(size), high = new Uint32Array(size), owner = new Uint32Array(size), state = new Uint8Array(size);
  for (let t = 0; t < triangles; t++) {
    for (let k = 0; k < 3; k++) {
      let a = indices[3 * t + k], b = indices[3 * t + (k + 1) % 3];
      if (a > b) [a, b] = [b, a];
      let slot = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 0;
      slot = (slot ^ slot >>> 15) & (size - 1);
      while (owner[slot] && (low[slot] !== a || high[slot] !== b)) slot = (slot + 1) & (size - 1);
      if (!owner[slot]) {
        low[slot] = a;
        high[slot] = b;
        owner[slot] = t + 1;
        state[slot] = 1; // one triangle: an end of the surface
      } else {
        const n = 3 * (owner[slot] - 1), m = 3 * t;
        const bend = normals[n] * normals[m] + normals[n + 1] * normals[m + 1] + normals[n + 2] * normals[m + 2];
        state[slot] = state[slot] === 1 && bend > SHARP ? 2 : 3; // smooth, or sharp
      }
    }
  }
  const out = [];
  for (let slot = 0; slot < size; slot++) if (state[slot] === 1 || state[slot] === 3) out.push(low[slot], high[slot]);
  return out;
}
