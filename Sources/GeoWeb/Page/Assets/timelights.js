// Events of a time line: recent changes are lit and fade, and authors move.
import { boxOfPlaces, clamp, fillAndStroke, hashText, overlap } from "./geo.js";
import { Lamps } from "./shapes.js";
import { lastUpTo } from "./sorted.js";
import { REMAINED } from "./timeline.js";

/** The maximum number of changes per frame, newest first. */
const MOST_LIT = 60000;
const LIT_CELL = 5; // pixels, in which one light is enough
const LIGHT = 15; // pixels
const LIGHT_DRAWN = 32; // pixels, from which it is scaled

/** The colours of changes: added, changed, removed. */
export function timeColours({ isDark }) { return isDark ? ["#35e0c2", "#ffc152", "#ff6f61"] : ["#00836b", "#c96a00", "#c8321f"]; }

export class TimeLights {
  /** `moment` has the `timeline`, its `time` and `state`, and `fade`, how long a change is lit. */
  constructor(palette, moment) {
    this.palette = palette;
    this.moment = moment;
    this.lamps = new Lamps();
    /** The number of lights drawn last. */
    this.count = 0;
  }

  /** The range of lit changes: first number, and end. */
  get range() {
    const { timeline, time, state, fade } = this.moment;
    const end = timeline.firstChanges[state + 1];
    const first = timeline.firstChanges[timeline.stateAt(time - fade) + 1] ?? 0;
    return [Math.max(first, end - MOST_LIT), end];
  }

  /** The box around lit changes, in world coordinates, or null. */
  get box() {
    const { timeline, state } = this.moment;
    if (state < 0) return null;
    const [first, end] = this.range;
    const places = timeline.nodes.subarray(first, end).filter((_, index) => timeline.kinds[first + index] !== REMAINED);
    return places.length > 0 ? boxOfPlaces(places, timeline.x, timeline.y) : null;
  }

  /** Draws lights, newest first; one for each spot. */
  draw(context, camera) {
    const { timeline, time, state, fade } = this.moment;
    if (state < 0) return;
    const width = Math.ceil(camera.width / LIT_CELL) + 6;
    const height = Math.ceil(camera.height / LIT_CELL) + 6;
    if (this.grid?.length !== width * height) this.grid = new Uint8Array(width * height);
    this.grid.fill(0);
    this.count = 0;
    const [first, end] = this.range;
    const colours = timeColours(this.palette);
    context.globalCompositeOperation = this.palette.isDark ? "lighter" : "source-over";
    for (let change = end - 1; change >= first; change -= 1) {
      const kind = timeline.kinds[change];
      const node = timeline.nodes[change];
      if (kind === REMAINED || timeline.isFolder[node]) continue;
      const [px, py] = camera.toScreen(timeline.x[node], timeline.y[node]);
      if (!camera.isNear(px, py, LIGHT)) continue;
      const cell = (Math.floor(py / LIT_CELL) + 3) * width + Math.floor(px / LIT_CELL) + 3;
      if (this.grid[cell]) continue;
      this.grid[cell] = 1;
      const left = 1 - (time - timeline.times[timeline.states[change]]) / fade;
      if (left <= 0) continue;
      const radius = LIGHT * (0.45 + 0.55 * left);
      context.globalAlpha = left ** 1.4;
      context.drawImage(this.light(colours[kind]), px - radius, py - radius, 2 * radius, 2 * radius);
      this.count += 1;
    }
    context.globalAlpha = 1;
    context.globalCompositeOperation = "source-over";
  }

  light(colour) {
    return this.lamps.of(colour, LIGHT_DRAWN, () => [[0, "#ffffff"], [0.14, colour], [0.28, `${colour}b0`], [0.6, `${colour}38`], [1, `${colour}00`]]);
  }
}

// Authors on the map: place at a moment, name, and path.

const MOST_TRAVELLERS = 12;
/** How long an inactive author is shown, in fades. */
const LINGER = 2;
const WAY_LENGTH = 12; // places

export class Travellers {
  /** `moment` has the `timeline`, its `time` and `state`, and `fade`, how long a change is lit. */
  constructor(view, moment) {
    this.view = view;
    this.moment = moment;
    /** The visible authors. */
    this.shown = [];
  }

  /** Finds places and paths of authors, who move from their last change to the next. */
  look() {
    const { timeline, time, state, fade } = this.moment;
    const shown = [];
    timeline.ways.forEach(({ states, x, y }, author) => {
      if (states.length === 0) return;
      const last = lastUpTo(states, state);
      if (last < 0) return;
      const since = time - timeline.times[states[last]];
      const until = last + 1 < states.length ? timeline.times[states[last + 1]] - time : Infinity;
      if (since > LINGER * fade && until > fade) return;
      const gap = since + until;
      const travel = Math.min(gap, fade);
      const part = until < travel ? 1 - until / travel : 0;
      const eased = part * part * (3 - 2 * part);
      const next = Math.min(last + 1, states.length - 1);
      shown.push({ author, last, x: x[last] + (x[next] - x[last]) * eased, y: y[last] + (y[next] - y[last]) * eased,
        weight: Math.min(since, until), strength: clamp(1.2 - Math.min(since / LINGER, until) / fade, 0.25, 1), xs: x, ys: y });
    });
    this.shown = shown.sort((a, b) => a.weight - b.weight).slice(0, MOST_TRAVELLERS);
  }

  /** Draws the paths of authors. */
  drawWays(context, camera) {
    for (const traveller of this.shown) this.drawWay(context, camera, traveller);
    context.globalAlpha = 1;
  }

  drawWay(context, camera, { author, last, x, y, xs, ys, strength }) {
    const first = Math.max(0, last - (this.view.isCalm ? 4 : WAY_LENGTH));
    context.lineJoin = context.lineCap = "round";
    context.strokeStyle = this.colourOf(this.moment.timeline.authors[author]);
    let [px, py] = camera.toScreen(x, y);
    for (let at = last; at >= first; at -= 1) {
      const [qx, qy] = camera.toScreen(xs[at], ys[at]);
      context.beginPath();
      context.moveTo(clamp(px, -9999, 9999), clamp(py, -9999, 9999));
      context.lineTo(clamp(qx, -9999, 9999), clamp(qy, -9999, 9999));
      context.lineWidth = 1.6;
      context.globalAlpha = 0.75 * strength * (1 - (last - at) / (WAY_LENGTH + 1));
      context.stroke();
      [px, py] = [qx, qy];
    }
  }

  /** Draws the authors with their names, above the names of lands. */
  drawAbove(context, camera) {
    const { palette } = this.view;
    const spots = this.shown.map(({ author, x, y, strength }) => {
      const name = this.moment.timeline.authors[author];
      const [px, py] = camera.toScreen(x, y);
      return { name, px, py, strength, colour: this.colourOf(name) };
    }).filter(({ px, py }) => camera.isNear(px, py, 80, 20));
    for (const { px, py, strength, colour } of spots) {
      context.globalAlpha = strength;
      context.beginPath();
      context.arc(px, py, 5, 0, 2 * Math.PI);
      fillAndStroke(context, colour, palette.theme.paper, 1.5);
    }
    this.drawNames(context, spots);
    context.globalAlpha = 1;
  }

  /** Draws names next to the dots, without overlaps. */
  drawNames(context, spots) {
    context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.strokeStyle = this.view.palette.theme.paper;
    context.lineWidth = 3.5;
    const taken = [];
    for (const { name, px, py, strength, colour } of spots) {
      const width = context.measureText(name).width;
      const free = [9, -9 - width].map((dx) => [px + dx, py - 8, px + dx + width, py + 8])
        .find((box) => !taken.some((other) => overlap(other, box)));
      if (!free) continue;
      taken.push(free);
      context.globalAlpha = strength;
      context.fillStyle = colour;
      context.strokeText(name, free[0], py);
      context.fillText(name, free[0], py);
    }
  }

  colourOf(name) {
    const hue = hashText(name) % 360;
    return this.view.palette.isDark ? `hsl(${hue} 85% 74%)` : `hsl(${hue} 75% 32%)`;
  }
}
