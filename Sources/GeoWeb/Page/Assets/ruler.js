// A ruler between tapped points.
import { byId, distance, make, showDistance, strokeIn } from "./geo.js";
import { Layer } from "./layers.js";
import { unproject } from "./mercator.js";
import { dot, write } from "./shapes.js";

export class Ruler extends Layer {
  constructor(view) {
    super();
    this.view = view;
    this.isOn = false;
    this.points = [];
    this.hover = null;
  }

  get isMeasured() { return this.isOn; }

  toggle(isOn = !this.isOn) {
    this.isOn = isOn;
    this.points = [];
    this.hover = null;
    byId("ruler").setAttribute("aria-pressed", String(isOn));
    this.view.canvas.classList.toggle("measuring", isOn);
    this.say();
    this.view.ask();
  }

  say() {
    const { points } = this;
    const button = (word, act) => make("button", { class: "crumb", onclick: act }, word);
    byId("note").replaceChildren(...(!this.isOn ? [] : points.length === 0 ? ["Ruler: tap two points or more, Esc ends"]
      : [`${showDistance(this.length(points))} `, button("Undo", () => this.undo()), button("Clear", () => this.clear())]));
  }

  undo() {
    this.points.pop();
    this.hover = null;
    this.say();
    this.view.ask();
  }

  clear() {
    this.points = [];
    this.hover = null;
    this.say();
    this.view.ask();
  }

  add(px, py) {
    const [x, y] = this.view.camera.toWorld(px, py);
    this.points.push({ x, y });
    this.hover = null;
    this.say();
    if (this.points.length > 1) {
      byId("spoken").textContent = showDistance(this.length(this.points));
    }
    this.view.ask();
  }

  move(px, py) {
    if (this.points.length === 0) return;
    const [x, y] = this.view.camera.toWorld(px, py);
    this.hover = { x, y };
    this.view.ask();
  }

  length(points) {
    let sum = 0;
    for (let i = 1; i < points.length; i += 1) {
      sum += distance(unproject(points[i - 1].x, points[i - 1].y), unproject(points[i].x, points[i].y));
    }
    return sum;
  }

  tap(px, py) {
    if (this.isOn) this.add(px, py);
    return this.isOn;
  }

  paintAbove(context, camera) {
    if (!this.isOn || this.points.length === 0) return;
    const theme = this.view.palette.theme;
    const points = this.hover ? [...this.points, this.hover] : this.points;
    const places = points.map(({ x, y }) => camera.toScreen(x, y));
    for (const [width, colour] of [[5, theme.paper], [2, theme.select]]) {
      context.beginPath();
      places.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      strokeIn(context, colour, width);
      for (const [x, y] of places) dot(context, x, y, width + 1, colour);
    }
    if (points.length < 2) return;
    const [x, y] = places.at(-1);
    const text = showDistance(this.length(points));
    context.font = "600 13px system-ui, 'DejaVu Sans', sans-serif";
    write(context, text, x + 12, y - 10, theme.halo, theme.ink[0]);
  }
}
