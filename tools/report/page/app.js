// The page: what is selected, what is seen, and what the mouse, fingers and keys do.
const PALETTE = [[0.90, 0.35, 0.22], [0.16, 0.50, 0.86], [0.93, 0.70, 0.13], [0.20, 0.65, 0.45], [0.60, 0.38, 0.78], [0.36, 0.72, 0.80]];
const NEUTRAL = { light: [0.74, 0.77, 0.80], dark: [0.56, 0.60, 0.65] };
const LAYER_COLOURS = { tree: [0.16, 0.56, 0.30], defects: [0.85, 0.10, 0.55], 'open edges': [0.95, 0.45, 0.05], 'nonmanifold edges': [0.75, 0.10, 0.75], 'self-contacts': [0.90, 0.10, 0.10] };
const CONTACT = [1.0, 0.92, 0.1], MEASURE = { light: [0.08, 0.10, 0.12], dark: [1, 1, 1] };
const AXES = { x: 0, y: 1, z: 2 };

class App {
  constructor(data) {
    this.data = data;
    this.manifest = data.manifest;
    this.units = new Units(data.manifest.unit);
    this.finding = -1;
    this.part = -1;
    this.others = 'ghost';
    this.ghost = 0.2;
    this.cut = { on: false, axis: '0', at: 0.5, flip: false };
    this.hidden = new Set();
    this.time = data.manifest.begin;
    this.camera = new Camera(AXES[data.manifest.up] ?? 2);
    this.flight = null;
    this.loaded = 0;
    this.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = this.theme;
  }

  start() {
    const { manifest } = this;
    byId('title').textContent = document.title = manifest.title;
    this.findings = new Findings(this);
    this.timeline = new Timeline(this);
    this.tell();
    this.makeParts();
    this.makeLayers();
    this.makeNotes();
    this.makeTabs();
    this.colourParts();
    try {
      this.scene = new Scene(byId('canvas'), this.data);
    } catch (error) {
      this.say(`No 3D here (${error.message}): this browser draws no WebGL2. The lists have everything else.`);
      for (const control of byId('toolbar').querySelectorAll('button, select, input'))
        control.disabled = control.id !== 'theme' && control.id !== 'ask';
      byId('timeline').hidden = true;
    }
    this.bindTools();
    this.bindKeys();
    if (this.scene) {
      this.bindPointers();
      new ResizeObserver(() => this.resize()).observe(byId('stage'));
      this.resize();
      this.camera.place = this.wholePlace();
      this.paint();
      for (const [number, on] of this.layers) if (on) this.showLayer(number, true);
      this.loading();
    } else {
      this.fromAddress();
    }
    addEventListener('hashchange', () => this.fromAddress());
  }

  say(text) {
    const message = byId('message');
    message.hidden = !text;
    message.replaceChildren(make('span', { text }));
  }

  async loading() {
    const { canvas } = this.scene;
    let breath = performance.now();
    canvas.addEventListener('webglcontextlost', () => this.say('The graphics card gave up on this scene. Load the page again to go on.'));
    try {
      await this.scene.load(async (done) => {
        this.loaded = done;
        this.redraw();
        if (performance.now() - breath < 40) return;
        if (done < 1) this.say(`Loading ${Math.round(100 * done)} %`);
        await new Promise((go) => setTimeout(go));
        breath = performance.now();
      });
    } catch (error) {
      this.say(`The scene cannot be shown: ${error.message}`);
      throw error;
    }
    this.loaded = 1;
    this.say('');
    if (this.scene.films.length) this.setTime(this.time);
    this.fromAddress();
    this.redraw();
    document.documentElement.dataset.ready = '';
  }

  // page.html#3 selects the third finding.
  fromAddress() {
    const number = Number(location.hash.slice(1));
    if (Number.isInteger(number) && number >= 1 && number <= this.manifest.findings.length && number - 1 !== this.finding) this.select(number - 1);
  }

  // ---- words ----

  tell() {
    const { findings, parts, command, begin, end } = this.manifest;
    const words = [counted(parts.length, 'part')];
    if (command !== 'view' || findings.length) words.unshift(counted(findings.length, 'clash', 'clashes'));
    if (end > begin) words.push(`${seconds(end - begin)} of film`);
    byId('summary').textContent = words.join(', ');
  }

  makeTabs() {
    const { findings, parts, layers, command } = this.manifest;
    const panels = [['findings', `Clashes ${findings.length ? findings.length.toLocaleString('en') : ''}`, command !== 'view' || findings.length > 0],
      ['parts', `Parts ${parts.length.toLocaleString('en')}`, true], ['layers', 'Layers', layers.length > 0], ['notes', 'About', true]].filter((p) => p[2]);
    const show = (name) => {
      for (const panel of document.querySelectorAll('[data-panel]')) panel.hidden = panel.dataset.panel !== name;
      for (const tab of byId('tabs').children) tab.setAttribute('aria-selected', tab.dataset.tab === name);
    };
    byId('tabs').append(...panels.map(([name, text]) => make('button', { role: 'tab', 'data-tab': name, text: text.trim(), onclick: () => show(name) })));
    show(layers.length && !findings.length ? 'layers' : panels[0][0]);
    this.showTab = show;
  }

  makeParts() {
    const { parts, files } = this.manifest;
    let shown = [];
    this.parts = new List(byId('parts'), 42, (i) => {
      const part = shown[i], off = this.hidden.has(part);
      return make('div', { class: `row part-row${off ? ' off' : ''}`, title: `${parts[part].name}\n${files[parts[part].file]}` },
        make('div', { class: 'name' }, make('bdi', { text: parts[part].name })),
        make('button', { text: off ? 'Show' : 'Hide', onclick: (event) => {
          event.stopPropagation();
          if (off) this.hidden.delete(part); else this.hidden.add(part);
          this.parts.select(this.parts.selected);
          this.paint();
        } }));
    }, (i) => this.selectPart(shown[i], true));
    const names = parts.map((p) => p.name.toLowerCase());
    this.refreshParts = () => {
      const words = byId('part-filter').value.toLowerCase().split(/\s+/).filter(Boolean);
      shown = parts.map((_, i) => i).filter((i) => words.every((w) => names[i].includes(w)));
      this.parts.show(shown.length, shown.indexOf(this.part));
    };
    this.partRow = (part) => shown.indexOf(part);
    byId('part-filter').addEventListener('input', this.refreshParts);
    byId('show-all').addEventListener('click', () => { this.hidden.clear(); this.refreshParts(); this.paint(); });
    this.refreshParts();
  }

  makeNotes() {
    const { notes, boxwood, command, unit, up, tolerance, clearance, files } = this.manifest;
    const facts = [['made by', `boxwood ${boxwood} ${command}`], ['files', files.join('\n')],
      ['unit', unit > 0 ? (unit === 1 ? 'metres' : unit === 0.001 ? 'millimetres' : `${plain(unit)} m`) : 'not stated: numbers are as in the files'],
      ['up', up ?? 'not stated: z is taken']];
    if (tolerance > 0) facts.push(['tolerance', this.units.length(tolerance)]);
    if (clearance >= 0) facts.push(['clearance', this.units.length(clearance)]);
    byId('notes').append(
      notes.length ? make('ul', {}, ...notes.map((text) => make('li', { text }))) : '',
      make('dl', {}, ...facts.flatMap(([key, value]) => [make('dt', { text: key }), make('dd', { text: value })])),
      make('p', { class: 'empty', text: 'This page holds all its data and loads nothing: it can be kept, mailed and opened anywhere.' }));
  }

  // ---- layers: boxes of trees by level, edges, defects ----

  makeLayers() {
    const { layers } = this.manifest, box = byId('layers'), tree = layers.filter((l) => l.role === 'tree');
    this.layers = new Map(); // number: whether it is shown
    if (layers.length && this.manifest.end > this.manifest.begin) box.append(make('p', { class: 'empty', text: 'Of the first frame: shown at its time.' }));
    const toggle = (numbers, on) => { for (const n of numbers) this.showLayer(n, on); };
    layers.forEach((layer, i) => {
      if (layer.role === 'tree') return;
      const elements = layer.count;
      const input = make('input', { type: 'checkbox', onchange: () => toggle([i], input.checked) });
      box.append(make('label', {}, input, this.swatch(layer.role), make('span', { text: layer.name }), make('span', { text: elements.toLocaleString('en') })));
      input.disabled = elements === 0;
      input.checked = elements > 0;
      this.layers.set(i, elements > 0);
    });
    if (!tree.length) return;
    const levels = Math.max(...tree.map((l) => l.level)) + 1;
    const count = make('span', {}), show = make('input', { type: 'checkbox' }), level = make('input', { type: 'range', min: 0, max: levels - 1, step: 1, value: Math.min(2, levels - 1), 'aria-label': 'Level of the tree' });
    const refresh = () => {
      let boxes = 0;
      layers.forEach((layer, i) => {
        if (layer.role !== 'tree') return;
        if (layer.level === Number(level.value)) boxes += layer.count;
        toggle([i], show.checked && layer.level === Number(level.value));
      });
      count.textContent = `${counted(boxes, 'box', 'boxes')}, level ${level.value}`;
    };
    show.addEventListener('change', refresh);
    level.addEventListener('input', () => { show.checked = true; refresh(); });
    box.append(make('label', {}, show, this.swatch('tree'), make('span', { text: 'Boxes of the tree' }), count), level);
    this.refreshTree = refresh;
    refresh();
  }

  swatch(role) {
    const swatch = make('span', { class: 'swatch' });
    swatch.style.background = `rgb(${LAYER_COLOURS[role].map((c) => Math.round(255 * c)).join(' ')})`;
    return swatch;
  }

  async showLayer(number, on) {
    this.layers.set(number, on);
    if (!this.scene) return;
    const layer = this.manifest.layers[number], name = `layer ${number}`;
    if (!on) { this.scene.setLines(name, null); this.redraw(); return; }
    const points = await this.data.layer(layer);
    if (!this.layers.get(number)) return; // switched off meanwhile
    const segments = layer.shape === 'boxes' ? boxLines(points) : layer.shape === 'points' ? dots(points) : points;
    this.scene.setLines(name, { segments, origin: layer.origin, colour: LAYER_COLOURS[layer.role], cut: true, still: true,
      width: layer.shape === 'points' ? 7 : layer.role === 'tree' ? 1.2 : 3, alpha: layer.role === 'tree' ? 0.8 : 1, through: layer.role === 'tree' ? 0.25 : 0.45 });
    this.redraw();
  }

  // ---- colours ----

  // Parts that clash have different colours as long as six suffice.
  colourParts() {
    const { parts, findings } = this.manifest, taken = new Uint8Array(parts.length);
    this.colours = new Int8Array(parts.length).fill(-1);
    for (const f of findings) {
      for (const [own, other] of [[f.a, f.b], [f.b, f.a]]) {
        if (this.colours[own] < 0) {
          let colour = 0;
          while (colour < PALETTE.length - 1 && taken[own] >> colour & 1) colour++;
          this.colours[own] = colour;
        }
        taken[other] |= 1 << this.colours[own];
      }
    }
    if (!findings.length) for (let i = 0; i < parts.length; i++) this.colours[i] = parts.length > 1 ? i % PALETTE.length : 1;
  }

  // A part by itself: its colour, softened where nothing clashes.
  ownColour(i) {
    const neutral = NEUTRAL[this.theme], c = this.colours[i];
    if (c < 0) return neutral;
    const share = this.manifest.findings.length ? 0.8 : 0.55;
    return neutral.map((n, k) => lerp(n, PALETTE[c][k], share));
  }

  paint() {
    if (!this.scene) return;
    const f = this.manifest.findings[this.finding], neutral = NEUTRAL[this.theme];
    const rest = { shown: 1, ghost: 0.5, hidden: 0 }[this.others]; // any alpha below 1 means see-through
    this.scene.paint((i) => {
      if (this.hidden.has(i)) return [0, 0, 0, 0];
      if (f) {
        if (i === f.a) return [...PALETTE[0], 1];
        if (i === f.b) return [...PALETTE[1], 1];
        return [...neutral, rest];
      }
      if (this.part >= 0) return i === this.part ? [...PALETTE[this.colours[i] < 0 ? 0 : this.colours[i]], 1] : [...neutral, rest];
      return [...this.ownColour(i), 1];
    });
    this.redraw();
  }

  // ---- selecting ----

  async select(number, fly = true) {
    this.finding = number;
    this.part = -1;
    const f = this.manifest.findings[number], card = byId('card');
    card.hidden = !f;
    this.findings.list.select(this.findings.shown.indexOf(number));
    this.parts.select(-1);
    if (f) {
      card.replaceChildren(...this.findings.card(number));
      history.replaceState(null, '', `#${number + 1}`);
    } else if (location.hash) {
      history.replaceState(null, '', location.pathname + location.search);
    }
    if (!this.scene) return;
    this.segments = null;
    this.shownMoment = null;
    this.scene.setLines('contact', null);
    this.measureLines(f);
    this.paint();
    if (f && f.from !== undefined) this.setTime(f.deepest);
    if (f && fly) this.flyTo(this.findingPlace(f));
    if (this.cut.on && this.cut.axis === 'clash') this.showCut();
    this.timeline.draw();
    if (!f) return;
    const segments = await this.data.segments(f);
    if (this.finding !== number) return;
    this.segments = segments;
    this.showContact();
  }

  // The curve in which the surfaces meet; of films, at the nearest moment that is known.
  showContact() {
    const f = this.manifest.findings[this.finding];
    if (!f || !this.segments) return;
    let { segments } = this;
    if (f.moments && f.moments.length) {
      let best = null;
      if (this.time >= f.from - 1e-9 && this.time <= f.to + 1e-9)
        for (const m of f.moments) if (!best || Math.abs(m[0] - this.time) < Math.abs(best[0] - this.time)) best = m;
      if (best === this.shownMoment && best) return;
      this.shownMoment = best;
      segments = best ? segments.subarray(6 * best[2], 6 * (best[2] + best[3])) : new Float32Array(0);
    }
    this.scene.setLines('contact', { segments, origin: f.place, colour: CONTACT, width: 3.5, through: 0.5, cut: false });
    this.redraw();
  }

  // How deep and which way, or how far apart: a line with a label.
  measureLines(f) {
    this.label = null;
    let ends = null;
    if (f && f.kind === 'clearance' && f.near_a) ends = [f.near_a, f.near_b];
    else if (f && f.upper > 0 && length(f.direction) > 0) ends = [f.place, add(f.place, scale(f.direction, f.upper))];
    if (!ends) { this.scene.setLines('measure', null); return; }
    const [a, b] = ends, d = sub(b, a), l = length(d), e = unit(d), side = unit(cross(e, Math.abs(e[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), tip = Math.min(0.18 * l, l);
    const at = [[0, 0, 0], d];
    if (f.kind !== 'clearance')
      for (const s of [tip * 0.5, -tip * 0.5]) at.push(d, add(sub(d, scale(e, tip)), scale(side, s)));
    this.scene.setLines('measure', { segments: new Float32Array(at.flat()), origin: a, colour: MEASURE[this.theme], width: 2.5, through: 0.8, cut: false });
    this.label = { at: f.kind === 'clearance' ? add(a, scale(d, 0.5)) : b, text: f.kind !== 'clearance' && hooked(f) ? `${this.units.length(f.upper)} to come out` : this.findings.measure(f) };
  }

  selectPart(part, fly) {
    if (this.finding >= 0) this.select(-1, false);
    this.part = part;
    this.parts.select(part < 0 ? -1 : this.partRow(part));
    const card = byId('card'), { parts, files, meshes, findings } = this.manifest;
    card.hidden = part < 0;
    if (part >= 0) {
      const mine = findings.map((_, i) => i).filter((i) => findings[i].a === part || findings[i].b === part);
      const box = this.scene?.boxes[part] ?? [], mesh = meshes[parts[part].mesh], facts = [['file', files[parts[part].file]]];
      if (mesh.triangles) facts.push(['triangles', mesh.triangles.toLocaleString('en')]);
      if (box.length && Number.isFinite(box[0])) facts.push(['size', [0, 1, 2].map((k) => this.units.length(box[3 + k] - box[k])).join(' × ')]);
      card.replaceChildren(make('button', { class: 'close', text: 'Close', onclick: () => this.selectPart(-1, false) }),
        make('h2', { text: parts[part].name }),
        make('dl', {}, ...facts.flatMap(([key, value]) => [make('dt', { text: key }), make('dd', { text: value })])),
        ...mine.slice(0, 20).map((i) => make('button', { text: `Clash ${i + 1}: ${this.findings.measure(findings[i])}`, onclick: () => this.select(i) })),
        mine.length > 20 ? make('span', { text: ` and ${mine.length - 20} more` }) : '');
    }
    if (!this.scene) return;
    this.paint();
    if (fly && part >= 0) this.flyTo(this.placeFor(this.scene.boxes[part]));
  }

  // ---- the camera ----

  get aspect() { return Math.max(0.1, byId('canvas').clientWidth / Math.max(1, byId('canvas').clientHeight)); }

  // The nearest place, in the present direction or another, from which a box is seen as a whole.
  placeFor(box, view = this.camera.place) {
    const low = box.slice(0, 3), high = box.slice(3);
    if (!Number.isFinite(low[0])) return { ...view, target: this.scene.centre.slice(), distance: this.camera.distance };
    const centre = scale(add(low, high), 0.5), camera = new Camera(this.camera.upAxis), half = Math.tan(FIELD_OF_VIEW / 2) * 0.92;
    camera.place = view;
    const [x, y, z] = camera.axes();
    let distance = this.scene.radius * 1e-6;
    for (let corner = 0; corner < 8; corner++) {
      const p = sub([0, 1, 2].map((k) => (corner >> k & 1 ? high[k] : low[k])), centre);
      distance = Math.max(distance, dot(p, z) + Math.max(Math.abs(dot(p, x)) / half / this.aspect, Math.abs(dot(p, y)) / half));
    }
    return { ...view, target: centre, distance };
  }

  wholePlace(view) { return this.placeFor([...this.scene.low, ...this.scene.high], view); }

  // Near enough to see the contact, far enough to see what it belongs to; from the side, where the depth shows.
  findingPlace(f) {
    const box = f.low ? length(sub(f.high, f.low)) / 2 : 0, depth = f.kind === 'clearance' ? f.distance : f.upper ?? f.depth;
    const size = (i) => { const b = this.scene.boxes[i], s = length(sub(b.slice(3), b.slice(0, 3))) / 2; return Number.isFinite(s) ? s : this.scene.radius; };
    const parts = Math.min(size(f.a), size(f.b));
    const radius = clamp(Math.max(1.6 * box, 3 * Math.abs(depth), 0.25 * parts), this.scene.radius * 1e-6, this.scene.radius);
    const place = { ...this.camera.place, target: f.place.slice(), distance: this.camera.distanceFor(radius, this.aspect) };
    // Slightly from above, across the way out, from the side of the smaller part, and not far from where one looks from.
    const middle = (i) => { const b = this.scene.boxes[i]; return [0, 1, 2].map((k) => (b[k] + b[3 + k]) / 2); };
    const aside = unit(size(f.b) < size(f.a) ? sub(middle(f.b), middle(f.a)) : sub(middle(f.a), middle(f.b)));
    let best = -Infinity;
    for (let i = 0; i < 16; i++) {
      const yaw = this.camera.yaw + i * Math.PI / 8, pitch = 0.4, out = this.camera.outward(yaw, pitch);
      const merit = 0.7 * (Number.isFinite(aside[0]) ? dot(out, aside) : 0) - Math.abs(dot(out, f.direction)) - 0.5 * Math.min(i, 16 - i) / 16;
      if (merit > best) { best = merit; place.yaw = yaw; place.pitch = pitch; }
    }
    return place;
  }

  flyTo(place) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) { this.camera.place = place; this.redraw(); return; }
    this.flight = { from: this.camera.place, to: place, start: performance.now() };
    this.redraw();
  }

  look(name) {
    const half = Math.PI / 2, views = { free: [-0.7, 0.45], front: [0, 0], back: [2 * half, 0], left: [half, 0], right: [-half, 0], top: [0, half], bottom: [0, -half] };
    if (!views[name]) return;
    const [yaw, pitch] = views[name];
    const view = { ...this.camera.place, yaw, pitch };
    this.flyTo(this.finding < 0 && this.part < 0 ? this.wholePlace(view) : view);
  }

  fit() {
    const f = this.manifest.findings[this.finding];
    this.flyTo(f ? this.findingPlace(f) : this.part >= 0 ? this.placeFor(this.scene.boxes[this.part]) : this.wholePlace());
  }

  // ---- time ----

  setTime(time) {
    const { begin, end } = this.manifest;
    this.time = clamp(time, begin, end);
    this.timeline.show();
    if (!this.scene) return;
    this.waiting = !this.scene.setTime(this.time, () => this.setTime(this.time));
    this.showContact();
    this.redraw();
  }

  // ---- the cut ----

  cutNormal() {
    const { axis } = this.cut, f = this.manifest.findings[this.finding];
    if (axis === 'view') return this.cutView ??= this.camera.outward();
    if (axis === 'clash') {
      if (!f || !(length(f.direction) > 0)) return [0, 0, 1];
      const up = [0, 0, 0];
      up[this.camera.upAxis] = 1;
      const across = cross(f.direction, up); // so that the depth lies in the plane of the cut
      return unit(length(across) > 0.1 ? across : [1, 0, 0]);
    }
    return [0, 1, 2].map((k) => Number(k === Number(axis)));
  }

  // Along the normal, from the first to the last corner of the scene.
  cutRange(normal) {
    const { low, high } = this.scene;
    let [from, to] = [0, 0];
    for (let k = 0; k < 3; k++) {
      from += normal[k] * (normal[k] > 0 ? low[k] : high[k]);
      to += normal[k] * (normal[k] > 0 ? high[k] : low[k]);
    }
    return [from, to];
  }

  cutPlane() {
    if (!this.cut.on || !this.scene) return null;
    const normal = this.cutNormal(), [from, to] = this.cutRange(normal), distance = lerp(from, to, this.cut.at);
    return this.cut.flip ? { normal: scale(normal, -1), distance: -distance } : { normal, distance };
  }

  cutThrough(point) {
    const normal = this.cutNormal(), [from, to] = this.cutRange(normal);
    this.cut.at = to > from ? clamp((dot(normal, point) - from) / (to - from), 0, 1) : 0.5;
    this.showCut();
  }

  toggleCut() {
    this.cut.on = !this.cut.on;
    this.turnCut();
  }

  // The near side goes, through the selected clash if there is one.
  turnCut() {
    const f = this.manifest.findings[this.finding];
    this.cut.flip = dot(this.cutNormal(), this.camera.outward()) < 0;
    if (f) this.cutThrough(f.place); else this.showCut();
  }

  showCut() {
    byId('cutting').hidden = !this.cut.on;
    byId('cut').setAttribute('aria-pressed', this.cut.on);
    byId('cut-at').value = this.cut.at;
    byId('cut-axis').value = this.cut.axis;
    byId('cut-here').disabled = this.finding < 0;
    if (this.cut.on) {
      const [from, to] = this.cutRange(this.cutNormal());
      byId('cut-value').textContent = this.units.length(lerp(from, to, this.cut.at));
    }
    this.redraw();
  }

  // ---- drawing ----

  resize() {
    const canvas = byId('canvas'), ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    this.redraw();
  }

  redraw() {
    if (this.pending || !this.scene) return;
    this.pending = true;
    requestAnimationFrame((now) => {
      this.pending = false;
      this.draw(now);
    });
  }

  draw(now) {
    // Where drawing takes long, edges wait until nothing moves.
    const since = now - (this.lastDraw ?? 0);
    this.lastDraw = now;
    this.moving = since < 400;
    if (this.moving && !this.timeline.playing) this.slow = since > 90;
    clearTimeout(this.rest);
    if (this.slow) this.rest = setTimeout(() => this.redraw(), 450);
    if (this.flight) {
      const t = clamp((now - this.flight.start) / 650, 0, 1);
      this.camera.place = Camera.between(this.flight.from, this.flight.to, t);
      if (t === 1) this.flight = null; else this.redraw();
    }
    this.aim();
    this.scene.draw(this.camera, { cut: this.cutPlane(), ghost: this.ghost, edgeColour: this.theme === 'dark' ? [0.05, 0.06, 0.08] : [0.1, 0.12, 0.15],
      ghostLight: this.theme === 'dark' ? 0.45 : 0, quick: this.moving && this.slow });
    const labels = byId('labels'), canvas = byId('canvas');
    const at = this.label && this.camera.project(this.label.at, canvas.clientWidth, canvas.clientHeight);
    if (!at) { labels.replaceChildren(); return; }
    if (!labels.firstChild) labels.append(make('div', { class: 'label' }));
    labels.firstChild.textContent = this.label.text;
    labels.firstChild.style.left = `${at[0]}px`;
    labels.firstChild.style.top = `${at[1]}px`;
  }

  // The target stands in the middle of what the card leaves free.
  aim() {
    const card = byId('card'), stage = byId('stage'), narrow = stage.clientWidth < 2 * card.offsetWidth;
    const wanted = card.hidden ? [0, 0] : narrow ? [0, card.offsetHeight / stage.clientHeight] : [-(card.offsetWidth + 10) / stage.clientWidth, 0];
    const share = this.flight ? 0.3 : 1;
    this.camera.offset = this.camera.offset.map((o, k) => lerp(o, wanted[k], share));
  }

  savePicture() {
    this.draw(performance.now());
    byId('canvas').toBlob((blob) => {
      const link = make('a', { href: URL.createObjectURL(blob), download: `${this.manifest.title.replace(/[^\w.-]+/g, '-') || 'boxwood'}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  setTheme(theme) {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    if (this.scene) this.measureLines(this.manifest.findings[this.finding]);
    this.paint();
    this.timeline.draw();
  }

  setOthers(others) {
    this.others = others;
    for (const button of byId('others').children) {
      button.setAttribute('role', 'radio');
      button.setAttribute('aria-checked', button.dataset.others === others);
    }
    this.paint();
  }

  // ---- mouse, fingers, keys ----

  bindTools() {
    const on = (id, what, type = 'click') => byId(id).addEventListener(type, what);
    on('fit', () => this.fit());
    on('views', (event) => { this.look(event.target.value); event.target.value = ''; }, 'change');
    for (const button of byId('others').children) button.addEventListener('click', () => this.setOthers(button.dataset.others));
    byId('ghost').value = this.ghost;
    on('ghost', (event) => { this.ghost = Number(event.target.value); this.redraw(); }, 'input');
    on('cut', () => this.toggleCut());
    on('cut-axis', (event) => {
      this.cut.axis = event.target.value;
      this.cutView = null;
      this.turnCut();
    }, 'change');
    on('cut-at', (event) => { this.cut.at = Number(event.target.value); this.showCut(); }, 'input');
    on('cut-flip', () => { this.cut.flip = !this.cut.flip; this.showCut(); });
    on('cut-here', () => { const f = this.manifest.findings[this.finding]; if (f) this.cutThrough(f.place); });
    on('edges', () => this.toggleEdges());
    on('picture', () => this.savePicture());
    on('theme', () => this.setTheme(this.theme === 'dark' ? 'light' : 'dark'));
    on('ask', () => byId('help').showModal());
    this.setOthers(this.others);
  }

  toggleEdges() {
    this.scene.edges = !this.scene.edges;
    byId('edges').setAttribute('aria-pressed', this.scene.edges);
    this.redraw();
  }

  bindKeys() {
    addEventListener('keydown', (event) => {
      if (event.target.closest('input[type="search"], select, dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
      const { camera } = this, turn = event.shiftKey ? 0.35 : 0.1, free = () => { this.flight = null; };
      const keys = {
        ArrowLeft: () => camera.turn(turn, 0), ArrowRight: () => camera.turn(-turn, 0), ArrowUp: () => camera.turn(0, turn), ArrowDown: () => camera.turn(0, -turn),
        '+': () => camera.zoom(0.8, 0, 0, 1), '=': () => camera.zoom(0.8, 0, 0, 1), '-': () => camera.zoom(1.25, 0, 0, 1),
      };
      const others = {
        f: () => this.fit(), j: () => this.findings.step(1), n: () => this.findings.step(1), k: () => this.findings.step(-1),
        Escape: () => (this.part >= 0 ? this.selectPart(-1, false) : this.select(-1)),
        t: () => this.setOthers(this.others === 'ghost' ? 'shown' : 'ghost'), h: () => this.setOthers(this.others === 'hidden' ? 'ghost' : 'hidden'),
        x: () => this.toggleCut(), X: () => { this.cut.flip = !this.cut.flip; this.showCut(); }, e: () => this.toggleEdges(),
        d: () => this.setTheme(this.theme === 'dark' ? 'light' : 'dark'), o: () => { camera.flat = !camera.flat; }, p: () => this.savePicture(),
        ' ': () => this.timeline.toggle(), '[': () => this.timeline.step(-1), ']': () => this.timeline.step(1),
        '/': () => { (byId('filter').offsetParent ? byId('filter') : byId('part-filter')).focus(); }, '?': () => byId('help').showModal(),
      };
      ['free', 'front', 'back', 'left', 'right', 'top', 'bottom'].forEach((view, i) => { others[String(i + 1)] = () => this.look(view); });
      const range = event.target.matches('input[type="range"]');
      if (range && (event.key.startsWith('Arrow') || event.key === ' ')) return;
      if (event.key === ' ' && event.target.closest('button')) return;
      const withoutScene = ['j', 'n', 'k', 'Escape', 'd', '/', '?'].includes(event.key);
      const act = keys[event.key] ?? others[event.key] ?? others[event.key.toLowerCase()];
      if (!act || (!this.scene && !withoutScene)) return;
      event.preventDefault();
      if (keys[event.key]) free();
      act();
      this.redraw();
    });
  }

  bindPointers() {
    const canvas = byId('canvas'), held = new Map();
    let moved = 0, still = 0;
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return [2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height];
    };
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      if (!held.size) moved = 0;
      held.set(event.pointerId, [event.clientX, event.clientY]);
      this.flight = null;
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const dx = event.clientX - before[0], dy = event.clientY - before[1], { clientHeight } = canvas;
      moved += Math.abs(dx) + Math.abs(dy);
      if (held.size === 2) {
        const other = [...held].find(([id]) => id !== event.pointerId)[1];
        const far = Math.hypot(before[0] - other[0], before[1] - other[1]), now = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
        if (far > 5 && now > 5) {
          const box = canvas.getBoundingClientRect();
          this.camera.zoom(far / now, (event.clientX + other[0] - 2 * box.left) / box.width - 1, 1 - (event.clientY + other[1] - 2 * box.top) / box.height, this.aspect);
        }
        this.camera.pan(dx / 2, dy / 2, clientHeight);
      } else if (event.shiftKey || event.buttons & 6) this.camera.pan(dx, dy, clientHeight);
      else this.camera.turn(dx * 0.008, dy * 0.008);
      held.set(event.pointerId, [event.clientX, event.clientY]);
      this.redraw();
    });
    const release = (event) => {
      if (!held.delete(event.pointerId) || event.type !== 'pointerup' || moved > 6 || event.button !== 0 || event.detail > 1) return;
      const hit = this.scene.pick(this.camera, this.cutPlane(), ...at(event));
      still = performance.now();
      if (!hit) { if (this.part >= 0) this.selectPart(-1, false); return; }
      // A part of the selected clash: that stays. Any other part is selected by itself.
      const f = this.manifest.findings[this.finding];
      if (f && (hit.part === f.a || hit.part === f.b)) return;
      this.selectPart(hit.part, false);
    };
    canvas.addEventListener('pointerup', release);
    canvas.addEventListener('pointercancel', release);
    canvas.addEventListener('dblclick', (event) => {
      const hit = this.scene.pick(this.camera, this.cutPlane(), ...at(event));
      if (hit && performance.now() - still < 2000) this.flyTo({ ...this.camera.place, target: hit.point, distance: this.camera.distance * 0.7 });
    });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.flight = null;
      const lines = event.deltaMode === 1 ? 20 : 1;
      this.camera.zoom(Math.exp(clamp(event.deltaY * lines, -200, 200) * 0.0016), ...at(event), this.aspect);
      this.redraw();
    }, { passive: false });
  }
}

// Corners of boxes (lowest, highest) to their twelve edges.
function boxLines(points) {
  const edges = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7], out = new Float32Array(points.length / 6 * 72);
  for (let i = 0, o = 0; i < points.length; i += 6)
    for (const corner of edges) for (let k = 0; k < 3; k++) out[o++] = points[i + k + (corner >> k & 1 ? 3 : 0)];
  return out;
}

function dots(points) {
  const out = new Float32Array(2 * points.length);
  for (let i = 0; i < points.length; i += 3) for (let k = 0; k < 3; k++) out[2 * i + k] = out[2 * i + 3 + k] = points[i + k];
  return out;
}

Data.open().then((data) => {
  const app = new App(data);
  window.boxwood = app; // for who wants to drive the page from outside
  app.start();
}).catch((error) => {
  byId('title').textContent = document.title;
  const message = byId('message');
  message.hidden = false;
  message.replaceChildren(make('span', { text: error.message }));
  console.error(error);
});
