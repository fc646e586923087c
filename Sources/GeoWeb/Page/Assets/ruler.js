// A ruler between tapped points.
import { byId, distance, make, showDistance, strokeIn, trace } from "./geo.js";
import { Layer } from "./layers.js";
import { unproject } from "./mercator.js";
import { dot, write } from "./shapes.js";

export class Ruler extends Layer {
  constructor(view) {
    super();
    Object.assign(this, { view, isOn: false, points: [], hover: null });
  }

  get isMeasured() { return this.isOn; }

  toggle(isOn = !this.isOn) {
    this.isOn = isOn;
    byId("ruler").setAttribute("aria-pressed", String(isOn));
    this.view.canvas.classList.toggle("measuring", isOn);
    this.clear();
  }

  /** Shows other points, and instructions, or with two points the length. */
  show(points) {
    [this.points, this.hover] = [points, null];
    const button = (word, act) => make("button", { class: "crumb", onclick: act }, word);
    byId("note").replaceChildren(...(!this.isOn ? [] : points.length === 0 ? ["Ruler: tap two points or more, Esc ends"]
      : [`${showDistance(this.length(points))} `, button("Undo", () => this.undo()), button("Clear", () => this.clear())]));
    this.view.ask();
  }

  undo() { this.show(this.points.slice(0, -1)); }
  clear() { this.show([]); }

  add(px, py) {
    const [x, y] = this.view.camera.toWorld(px, py);
    this.show([...this.points, { x, y }]);
    if (this.points.length > 1) byId("spoken").textContent = showDistance(this.length(this.points));
  }

  move(px, py) {
    if (this.points.length === 0) return;
    const [x, y] = this.view.camera.toWorld(px, py);
    this.hover = { x, y };
    this.view.ask();
  }

  length(points) {
    const places = points.map(({ x, y }) => unproject(x, y));
    return places.slice(1).reduce((sum, place, i) => sum + distance(places[i], place), 0);
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
      trace(context, ...places);
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
