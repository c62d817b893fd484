// The slider for films: play, step, and a strip that shows when something clashes and how deep.
class Timeline {
  constructor(app) {
    this.app = app;
    const { begin, end, clocks } = app.manifest;
    this.there = end > begin;
    this.playing = false;
    if (!this.there) return;
    document.body.classList.add('timed');
    byId('timeline').hidden = false;
    this.slider = byId('time');
    Object.assign(this.slider, { min: begin, max: end, value: begin });
    this.slider.addEventListener('input', () => { this.pause(); this.app.setTime(Number(this.slider.value)); });
    byId('play').addEventListener('click', () => this.toggle());
    this.times = [...new Set(clocks.flat())].sort((a, b) => a - b);
    new ResizeObserver(() => this.draw()).observe(byId('strip'));
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  pause() {
    this.playing = false;
    byId('play').textContent = '▶';
  }

  play() {
    if (!this.there) return;
    const { begin, end } = this.app.manifest;
    this.playing = true;
    byId('play').textContent = '❚❚';
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      let time = this.app.time + (now - last) / 1000 * Number(byId('speed').value);
      last = now;
      if (time > end) time = begin;
      this.app.setTime(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  // To the next or previous frame of the film.
  step(by) {
    if (!this.there) return;
    this.pause();
    const { time } = this.app;
    const next = by > 0 ? this.times.find((t) => t > time) : this.times.findLast((t) => t < time);
    if (next !== undefined) this.app.setTime(next);
  }

  show() {
    if (!this.there) return;
    this.slider.value = this.app.time;
    byId('clock').textContent = seconds(this.app.time);
  }

  draw() {
    if (!this.there) return;
    const canvas = byId('strip'), ratio = window.devicePixelRatio || 1, { begin, end, findings } = this.app.manifest;
    const width = canvas.width = Math.max(1, canvas.clientWidth * ratio), height = canvas.height = Math.max(1, canvas.clientHeight * ratio);
    const draw = canvas.getContext('2d'), style = getComputedStyle(document.documentElement);
    const x = (t) => (t - begin) / (end - begin) * width, wide = (f) => Math.max(ratio, x(f.to) - x(f.from));
    draw.fillStyle = style.getPropertyValue('--hover');
    draw.fillRect(0, 0, width, height);
    // How many at once, as a shade.
    const at = new Float32Array(Math.ceil(width) + 1);
    for (const f of findings) {
      if (f.from === undefined) continue;
      at[clamp(Math.floor(x(f.from)), 0, at.length - 1)]++;
      at[clamp(Math.ceil(x(f.from) + wide(f)), 0, at.length - 1)]--;
    }
    let now = 0, most = 1;
    at.forEach((d) => { now += d; most = Math.max(most, now); });
    now = 0;
    draw.fillStyle = style.getPropertyValue('--dim');
    at.forEach((d, i) => {
      now += d;
      draw.globalAlpha = this.app.finding < 0 ? 0.55 : 0.2;
      if (now > 0) draw.fillRect(i, height * (1 - 0.15 - 0.85 * now / most), 1, height);
    });
    const f = findings[this.app.finding];
    if (!f || f.from === undefined) return;
    draw.globalAlpha = 0.35;
    draw.fillStyle = style.getPropertyValue(`--${f.kind}`);
    draw.fillRect(x(f.from), 0, wide(f), height);
    draw.globalAlpha = 1;
    const known = f.moments.filter((m) => m[1] !== null), deepest = Math.max(...known.map((m) => m[1]), 1e-300);
    if (known.length > 1) {
      draw.beginPath();
      known.forEach((m, i) => draw[i ? 'lineTo' : 'moveTo'](x(m[0]), height * (0.95 - 0.85 * m[1] / deepest)));
      draw.strokeStyle = style.getPropertyValue(`--${f.kind}`);
      draw.lineWidth = 2 * ratio;
      draw.stroke();
    }
    draw.fillRect(x(f.deepest) - ratio, 0, 2 * ratio, height);
  }
}
