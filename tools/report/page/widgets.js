// Small things of the page: elements, numbers for people, and lists of any length of which only what is seen is made.

// make('div', {class: 'row', text: name}, child, ...). Names from files only ever become text.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'text') element.textContent = value;
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

// Names as they may be shown: what a stranger wrote must not turn the direction of writing or hide.
const shown = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
  (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

const byId = (id) => document.getElementById(id);

// The digits that matter, without a tail of zeros.
function plain(x, digits = 3) {
  if (!Number.isFinite(x)) return 'unknown';
  if (x === 0) return '0';
  if (Math.abs(x) >= 10 ** digits && Math.abs(x) < 1e7) return Math.round(x).toLocaleString('en');
  const text = x.toPrecision(digits);
  return text.includes('e') ? text.replace(/\.?0+e/, 'e') : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

class Units {
  constructor(metres) { this.metres = metres; } // to a unit; 0: nobody says

  length(x) {
    if (!Number.isFinite(x)) return 'unknown';
    if (!(this.metres > 0)) return plain(x);
    const m = x * this.metres, size = Math.abs(m);
    if (size === 0) return '0 mm';
    return size >= 1 ? `${plain(m)} m` : size >= 1e-4 ? `${plain(m * 1e3)} mm` : size >= 1e-7 ? `${plain(m * 1e6)} µm` : `${plain(m * 1e9)} nm`;
  }

  volume(x) {
    if (!Number.isFinite(x)) return 'unknown';
    if (!(this.metres > 0)) return plain(x);
    const m = x * this.metres ** 3, size = Math.abs(m);
    return size >= 1e-3 || size === 0 ? `${plain(m)} m³` : size >= 1e-6 ? `${plain(m * 1e6)} cm³` : `${plain(m * 1e9)} mm³`;
  }

  // Coordinates as the file has them, to a millionth of the size of the scene.
  place(p, size) {
    const digits = clamp(6 - Math.ceil(Math.log10(size)), 0, 20);
    return p.map((x) => String(Number(x.toFixed(digits)) + 0)).join(', ');
  }
}

const seconds = (t) => `${t.toFixed(3)} s`;
const counted = (n, one, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

// A list whose rows all have one height. row(index) makes the element; choose(index) is called when one is clicked, or
// reached by the arrow keys.
class List {
  constructor(element, height, row, choose) {
    Object.assign(this, { element, height, row, choose, count: 0, selected: -1 });
    this.space = make('div', { class: 'space' });
    element.append(this.space);
    element.addEventListener('scroll', () => this.fill(), { passive: true });
    new ResizeObserver(() => this.fill()).observe(element);
    element.addEventListener('keydown', (event) => {
      const page = Math.max(1, Math.floor(element.clientHeight / height) - 1);
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
      if (!step || !this.count) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(clamp(this.selected + step, 0, this.count - 1));
    });
  }

  show(count, selected = -1) {
    this.count = count;
    this.selected = selected;
    this.space.style.height = `${count * this.height}px`;
    this.made = null;
    this.fill();
  }

  // Makes the rows that can be seen.
  fill() {
    const from = Math.max(0, Math.floor(this.element.scrollTop / this.height) - 3);
    const to = Math.min(this.count, Math.ceil((this.element.scrollTop + this.element.clientHeight) / this.height) + 3);
    const made = `${from} ${to} ${this.selected}`;
    if (made === this.made) return;
    this.made = made;
    const rows = [];
    for (let i = from; i < to; i++) {
      const row = this.row(i);
      row.style.top = `${i * this.height}px`;
      row.style.height = `${this.height}px`;
      row.setAttribute('role', 'option');
      row.setAttribute('aria-selected', i === this.selected);
      row.addEventListener('click', () => this.choose(i));
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
  }

  select(index) {
    this.selected = index;
    if (index >= 0) {
      const top = index * this.height, { scrollTop, clientHeight } = this.element;
      if (top < scrollTop) this.element.scrollTop = top;
      else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
    }
    this.made = null;
    this.fill();
  }
}
