// The list of findings: order, filter, kinds; and the card that tells all of one.
const KINDS = ['hard', 'contained', 'touching', 'clearance'];

// How deep, as it is shown and sorted: what is nearer than wished comes after everything that meets. How far a part has to
// move to come out (upper) may be more, where parts are hooked into each other.
const depthOf = (f) => (f.kind === 'clearance' ? -f.distance : f.depth);
const hooked = (f) => f.upper !== null && f.upper > 1.001 * f.depth;

class Findings {
  constructor(app) {
    this.app = app;
    const { findings, parts } = app.manifest;
    this.all = findings;
    this.shown = findings.map((_, i) => i); // numbers of findings, in the order of the list
    this.kinds = new Set(KINDS);
    this.text = findings.map((f) => `${parts[f.a].name}\n${parts[f.b].name}\n${f.detail_a ?? ''}\n${f.detail_b ?? ''}`.toLowerCase());
    this.list = new List(byId('findings'), findings.some((f) => f.from !== undefined) ? 78 : 72, (i) => this.row(this.shown[i]), (i) => app.select(this.shown[i]));
    const orders = [['worst', 'Worst first'], ['depth', 'Deepest'], ['name', 'By name']];
    if (findings.some((f) => f.volume !== undefined)) orders.push(['volume', 'Largest volume']);
    orders.push(['pairs', 'Most triangles']);
    if (findings.some((f) => f.from !== undefined)) orders.push(['from', 'By time']);
    byId('sort').append(...orders.map(([value, text]) => make('option', { value, text })));
    byId('sort').addEventListener('change', () => this.refresh());
    byId('filter').addEventListener('input', () => this.refresh());
    this.makeKinds();
    this.refresh();
  }

  makeKinds() {
    const counts = Object.fromEntries(KINDS.map((k) => [k, this.all.filter((f) => f.kind === k).length]));
    const there = KINDS.filter((k) => counts[k] > 0);
    byId('kinds').hidden = there.length < 2;
    byId('kinds').append(...there.map((kind) => {
      const button = make('button', { 'aria-pressed': 'true', onclick: () => {
        if (this.kinds.has(kind)) this.kinds.delete(kind); else this.kinds.add(kind);
        button.setAttribute('aria-pressed', this.kinds.has(kind));
        this.refresh();
      } }, make('span', { class: `kind ${kind}` }), `${kind} ${counts[kind].toLocaleString('en')}`);
      return button;
    }));
  }

  refresh() {
    const words = byId('filter').value.toLowerCase().split(/\s+/).filter(Boolean), order = byId('sort').value;
    const { parts } = this.app.manifest;
    this.shown = [];
    this.all.forEach((f, i) => { if (this.kinds.has(f.kind) && words.every((w) => this.text[i].includes(w))) this.shown.push(i); });
    const by = {
      depth: (f, g) => depthOf(g) - depthOf(f),
      name: (f, g) => parts[f.a].name.localeCompare(parts[g.a].name) || parts[f.b].name.localeCompare(parts[g.b].name),
      volume: (f, g) => (g.volume ?? -1) - (f.volume ?? -1),
      pairs: (f, g) => g.pairs - f.pairs,
      from: (f, g) => f.from - g.from,
    }[order];
    if (by) this.shown.sort((i, j) => by(this.all[i], this.all[j]) || i - j);
    this.list.show(this.shown.length, this.shown.indexOf(this.app.finding));
    if (!this.shown.length)
      this.list.space.replaceChildren(make('p', { class: 'empty', text: this.all.length ? 'Nothing matches.' : 'No clashes: nothing was found.' }));
  }

  measure(f) {
    const { units } = this.app;
    if (f.kind === 'clearance') return `${units.length(f.distance)} apart`;
    if (f.kind === 'contained' && !(f.depth > 0)) return 'inside';
    return f.depth > 0 || f.upper !== null ? units.length(f.depth) : '';
  }

  row(i) {
    const f = this.all[i], { parts } = this.app.manifest;
    const name = (part, side, detail) => make('div', { class: `line ${side}`, title: parts[part].name },
      make('div', { class: 'name' }, make('bdi', { text: parts[part].name + (detail ? ` (${detail})` : '') })));
    return make('div', { class: 'row' },
      make('div', { class: 'top' }, make('span', { class: 'number', text: String(i + 1) }), make('span', { class: `kind ${f.kind}`, title: f.kind }),
        make('span', { text: f.kind }),
        f.from === undefined ? '' : make('span', { class: 'when', text: `${f.from.toFixed(2)} – ${f.to.toFixed(2)} s` }),
        make('span', { class: 'measure', text: this.measure(f) })),
      name(f.a, 'a', f.detail_a),
      f.a === f.b ? make('div', { class: 'line b' }, make('div', { text: 'itself' })) : name(f.b, 'b', f.detail_b));
  }

  // The one after or before the selected, in the order of the list.
  step(by) {
    if (!this.shown.length) return;
    const at = this.shown.indexOf(this.app.finding);
    this.app.select(this.shown[at < 0 ? (by > 0 ? 0 : this.shown.length - 1) : clamp(at + by, 0, this.shown.length - 1)]);
  }

  card(i) {
    const f = this.all[i], { manifest, units } = this.app, { parts, files } = manifest;
    const name = (part, side, detail) => make('div', {}, make('i', { class: side }),
      make('span', {}, parts[part].name + (detail ? ` (${detail})` : ''), make('small', { text: files[parts[part].file] })));
    const rows = [], more = [];
    const tell = (list, key, value) => list.push(make('dt', { text: key }), make('dd', { text: value }));
    if (f.kind === 'clearance') tell(rows, 'distance', units.length(f.distance));
    else if (f.depth > 0 || f.upper !== null) tell(rows, 'depth', units.length(f.depth));
    if (hooked(f)) tell(rows, 'to come out', units.length(f.upper));
    if (f.kind === 'contained') tell(rows, 'inside', f.b_inside ? 'the second is in the first' : 'the first is in the second');
    if (length(f.direction) > 0) tell(more, 'way out', `second part along ${f.direction.map((x) => Number(x.toFixed(3)) + 0).join(', ')}`);
    if (f.volume !== undefined) tell(rows, 'overlap', units.volume(f.volume));
    if (f.from !== undefined) {
      tell(rows, 'time', `${f.at_begin ? 'from the first frame' : seconds(f.from)} to ${f.at_end ? 'the last frame' : seconds(f.to)}`);
      tell(rows, 'deepest at', seconds(f.deepest));
    }
    tell(more, 'place', units.place(f.place, this.app.scene?.radius ?? 1));
    if (f.pairs) tell(more, 'triangles', counted(f.pairs, 'pair'));
    if (f.regions) tell(more, 'regions', f.regions.toLocaleString('en'));
    return [
      make('button', { class: 'close', text: 'Close', onclick: () => this.app.select(-1) }),
      make('h2', {}, make('span', { class: `kind ${f.kind}` }), `Clash ${i + 1}: ${f.kind} ${this.measure(f)}`),
      make('div', { class: 'names' }, name(f.a, 'a', f.detail_a), f.a === f.b ? make('div', { text: 'with itself' }) : name(f.b, 'b', f.detail_b)),
      make('dl', {}, ...rows), make('dl', { class: 'more' }, ...more),
    ];
  }
}
