// The data inside the page. Chunks are base64, deflated (zlib) where the manifest's element says so, and unpacked when
// they are first needed. Numbers in bulk are words of 32 bits, as differences, their bytes sorted into four planes (pack.h).
class Data {
  static async open() {
    const data = new Data();
    const element = document.getElementById('manifest');
    if (!element) throw new Error('This page holds no data: it was cut short.');
    data.chunks = new Map();
    Data.deflated = element.hasAttribute('data-deflated');
    const bytes = await Data.unpack(element.textContent);
    data.manifest = JSON.parse(new TextDecoder().decode(bytes));
    element.remove();
    const m = data.manifest;
    m.title = shown(m.title);
    m.files = m.files.map(shown);
    m.notes = m.notes.map(shown);
    for (const part of m.parts) part.name = shown(part.name) || m.files[part.file] || 'no name';
    for (const f of m.findings) {
      if (f.detail_a) f.detail_a = shown(f.detail_a);
      if (f.detail_b) f.detail_b = shown(f.detail_b);
    }
    return data;
  }

  static async unpack(text) {
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    if (!Data.deflated) return bytes;
    if (typeof DecompressionStream === 'undefined')
      throw new Error('This browser cannot unpack the page: it needs Chrome 97, Firefox 113, Safari 16.4 or later.');
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // The bytes of a chunk. They stay unpacked only as long as somebody holds them; the text stays in the page.
  chunk(number) {
    let chunk = this.chunks.get(number);
    if (!chunk) {
      chunk = Data.unpack(document.getElementById(`chunk-${number}`).textContent);
      this.chunks.set(number, chunk);
      while (this.chunks.size > 64) this.chunks.delete(this.chunks.keys().next().value);
    }
    return chunk;
  }

  static words(bytes, offset, count, stride) {
    const out = new Uint32Array(count), b = bytes, p1 = offset + count, p2 = p1 + count, p3 = p2 + count;
    for (let i = 0; i < count; i++) {
      const word = b[offset + i] | b[p1 + i] << 8 | b[p2 + i] << 16 | b[p3 + i] << 24;
      out[i] = i < stride ? word : word + out[i - stride];
    }
    return out;
  }

  static floats(bytes, offset, count) {
    return new Float32Array(Data.words(bytes, offset, count, 3).buffer);
  }

  // Frames that stand one after the other in a chunk, as multiples of a step: each by its differences from where the two
  // before it led to (pack_steps).
  static frames(bytes, offset, frames, count, step) {
    const out = [];
    let last = null, before = null;
    for (let f = 0; f < frames; f++) {
      const b = bytes, p0 = offset + 4 * f * count, p1 = p0 + count, p2 = p1 + count, p3 = p2 + count;
      const now = new Int32Array(count), positions = new Float32Array(count);
      for (let i = 0; i < count; i++) {
        const word = b[p0 + i] | b[p1 + i] << 8 | b[p2 + i] << 16 | b[p3 + i] << 24;
        now[i] = (word >>> 1 ^ -(word & 1)) + (before ? 2 * last[i] - before[i] : last ? last[i] : i < 3 ? 0 : now[i - 3]);
        positions[i] = now[i] * step;
      }
      before = last;
      last = now;
      out.push(positions);
    }
    return out;
  }

  // Positions and indices of a mesh.
  async mesh(number) {
    const mesh = this.manifest.meshes[number], [chunk, offset] = mesh.spot;
    const bytes = await this.chunk(chunk);
    return {
      positions: Data.floats(bytes, offset, 3 * mesh.vertices),
      indices: Data.words(bytes, offset + 12 * mesh.vertices, 3 * mesh.triangles, 1),
    };
  }

  // The segments of a finding about its place: six numbers each.
  async segments(finding) {
    const [chunk, offset, count] = finding.segments;
    return count ? Data.floats(await this.chunk(chunk), offset, 6 * count) : new Float32Array(0);
  }

  async layer(layer) {
    const [chunk, offset, count] = layer.spot;
    return count ? Data.floats(await this.chunk(chunk), offset, 3 * count) : new Float32Array(0);
  }
}
