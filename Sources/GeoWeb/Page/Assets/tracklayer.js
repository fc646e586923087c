// Draws tracks on the map: only visible and distinguishable points.
import { boxOfPlaces, clamp, fillAndStroke, keptIn, overlap, showDistance, strokeAll, strokeDashed } from "./geo.js";
import { Layer, layers } from "./layers.js";
import { project, TILE } from "./mercator.js";
import { clipLine } from "./placing.js";
import { distancesOf } from "./polylines.js";
import { dot, write } from "./shapes.js";

/** Colours of tracks, light and dark, distinguishable for all eyes; and of planned routes. */
const colours = [
  ["#0b6bcb", "#6cb8ff"], ["#c2410c", "#ff9a5c"], ["#5b8c00", "#b4e05a"], ["#8f1d6b", "#f08bd0"],
  ["#00796b", "#5ce0cd"], ["#8a6100", "#f2cf52"], ["#4a3fb5", "#b3a8ff"], ["#37474f", "#c4d0d6"],
];
const planned = ["#a3009e", "#ff86fb"];
export const MAXIMUM_SHOWN = colours.length;

/** Pixels: nearer points are merged; points per piece; minimum distance of markers. */
const [SAME, PIECE, APART] = [0.75, 256, 48];
const FAR = 4000; // pixels outside the view within which a canvas is precise

/** A line in the world, with its distinguishable points by zoom. */
class Shape {
  constructor(line) {
    Object.assign(this, { line, count: line.lon.length });
    this.xs = new Float64Array(this.count);
    this.ys = new Float64Array(this.count);
    this.starts = new Set(line.starts);
    this.isWrapped = false; // whether it crosses the antimeridian
    for (let i = 0; i < this.count; i += 1) {
      const { x, y } = project(line.lon[i], line.lat[i]);
      const turns = i > 0 && !this.starts.has(i) ? Math.round(this.xs[i - 1] - x) : 0;
      this.xs[i] = x + turns;
      this.ys[i] = y;
      this.isWrapped ||= turns !== 0;
    }
    this.along = distancesOf(line);
    this.levels = new Map();
  }

  get length() { return this.along.at(-1); }

  level(z) {
    const zoom = clamp(Math.ceil(z), 0, 32);
    return keptIn(this.levels, zoom, () => this.thin(SAME / (TILE * 2 ** zoom)));
  }

  thin(least) {
    const { xs, ys, starts } = this;
    const kept = [];
    for (let i = 0; i < this.count; i += 1) {
      const last = kept.at(-1);
      if (i === 0 || starts.has(i) || starts.has(i + 1) || i === this.count - 1 ||
        Math.abs(xs[i] - xs[last]) + Math.abs(ys[i] - ys[last]) >= least) kept.push(i);
    }
    const pieces = [];
    for (let first = 0; first < kept.length; first += PIECE) {
      const points = kept.slice(first, first + PIECE + 1);
      pieces.push({ points, box: boxOfPlaces(points, xs, ys) });
    }
    return pieces;
  }

  /** Calls back with all segments that may be in view: two pixels, and the points' numbers. */
  inView(camera, found) {
    const [west, north] = camera.toWorld(-FAR / 40, -FAR / 40);
    const [east, south] = camera.toWorld(camera.width + FAR / 40, camera.height + FAR / 40);
    for (const shift of this.isWrapped ? [-1, 0, 1] : [0]) {
      for (const { points, box } of this.level(camera.z)) {
        if (box[0] + shift > east || box[2] + shift < west || box[1] > south || box[3] < north) continue;
        let before = null;
        for (const i of points) {
          const here = camera.toScreen(this.xs[i] + shift, this.ys[i]);
          if (before && !this.starts.has(i)) {
            const part = clipLine([...before.here, ...here], [-FAR, -FAR, camera.width + FAR, camera.height + FAR]);
            if (part) found(part, before.i, i);
          }
          before = { here, i };
        }
      }
    }
  }
}

/** The distance of markers: 1, 3, 5 or 10 of the smallest unit that keeps them apart. */
function markerStep(units, metresOfPixel) {
  const least = metresOfPixel * APART;
  return units * 10 ** Math.ceil(Math.log10(least / units) - 1e-9);
}

export class TrackLayer extends Layer {
  constructor(page, settings) {
    super();
    Object.assign(this, { page, settings, cursor: null, markers: [] });
    this.shown = []; // the shown tracks, each with head, shapes, places and colour
    this.active = null; // the track of the profile
    layers.add(this);
  }

  /** Shows a track as the active one, in an unused colour; drops the first if there are too many. */
  show(head, { lines, places, samples }) {
    this.shown = this.shown.filter((one) => one.head.id !== head.id).slice(1 - MAXIMUM_SHOWN);
    const used = new Set(this.shown.map(({ colour }) => colour));
    const colour = colours.find((one) => !used.has(one)) ?? colours[0];
    const named = lines.filter(({ kind, names }) => kind === "route" && names).flatMap(({ names, lon, lat }) =>
      names.map((name, i) => ({ name, lon: lon[i], lat: lat[i] })).filter(Boolean));
    const shown = { head, samples, places: [...places, ...named], colour, shapes: lines.map((line) => new Shape(line)) };
    this.shown.push(shown);
    this.active = shown;
  }

  hide(shown) {
    this.shown = this.shown.filter((one) => one !== shown);
    if (this.active === shown) this.active = this.shown.at(-1) ?? null;
  }

  clear() { [this.shown, this.active] = [[], null]; }
  choose(shown) { this.active = shown; }
  get isDeep() { return this.shown.length > 0; }
  get isMeasured() { return this.shown.length > 0; }
  moveCursor(place) { this.cursor = place; }
  colourOf(shown, isPlan = false) { return (isPlan ? planned : shown.colour)[this.page.palette.isDark ? 1 : 0]; }

  paintAbove(context, camera) {
    if (this.shown.length === 0) return;
    const { theme } = this.page.palette;
    context.save();
    context.lineJoin = "round";
    context.lineCap = "round";
    const [left, top] = camera.toScreen(0, 0);
    context.beginPath();
    context.rect(left, top, camera.scale, camera.scale);
    // A deep zoom shows no edge of the world, and a canvas would lose precision.
    if (camera.z < 10) context.clip();
    for (const shown of this.shown) for (const shape of shown.shapes) this.drawShape(context, camera, shown, shape);
    context.restore();
    this.markers = [];
    for (const shown of this.shown) {
      if (this.settings.markers > 0) for (const shape of shown.shapes) this.drawMarkers(context, camera, shown, shape);
      this.drawPlaces(context, camera, shown);
    }
    if (!this.cursor) return;
    const [x, y] = camera.toScreen(this.cursor.x, this.cursor.y);
    for (const [size, colour] of [[9, theme.paper], [6.5, theme.select]]) dot(context, x, y, size, colour);
  }

  drawShape(context, camera, shown, shape) {
    const isPlan = shape.line.kind === "route";
    const path = new Path2D();
    let [x, y] = [NaN, NaN];
    shape.inView(camera, ({ ax, ay, bx, by }) => {
      if (ax !== x || ay !== y) path.moveTo(ax, ay);
      [x, y] = [bx, by];
      path.lineTo(x, y);
    });
    const colour = this.colourOf(shown, isPlan);
    const isActive = this.active === shown && this.shown.length > 1;
    strokeAll(context, this.page.palette.theme.paper, [[isActive ? 8 : 6, 0.85]], path);
    strokeDashed(context, colour, isActive ? 4.5 : 3, isPlan ? [10, 7] : [], path);
    for (const [index, fill] of [[0, this.page.palette.theme.paper], [shape.count - 1, colour]]) {
      const [px, py] = camera.toScreen(shape.xs[index], shape.ys[index]);
      if (!camera.isNear(px, py, 20)) continue;
      dot(context, px, py, 6, colour);
      dot(context, px, py, 3.5, fill);
    }
  }

  drawMarkers(context, camera, shown, shape) {
    const [step, taken] = [markerStep(this.settings.markers, camera.metresOfPixel), []];
    context.font = "600 11px system-ui, 'DejaVu Sans', sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    shape.inView(camera, ({ ax, ay, bx, by, from, to }, i, j) => {
      const span = shape.along[j] - shape.along[i];
      if (!(span > 0)) return;
      const last = shape.along[i] + span * to;
      for (let at = Math.max(1, Math.ceil((shape.along[i] + span * from) / step)) * step; at <= last; at += step) {
        const part = ((at - shape.along[i]) / span - from) / (to - from);
        const [x, y] = [ax + (bx - ax) * part, ay + (by - ay) * part];
        if (!camera.isNear(x, y, 20) || taken.some(([ox, oy]) => Math.hypot(x - ox, y - oy) < APART * 0.7)) continue;
        taken.push([x, y]);
        this.markers.push({ x, y, metres: at });
        this.tag(context, x, y, showDistance(at), this.colourOf(shown, shape.line.kind === "route"));
        if (taken.length > 200) return;
      }
    });
    context.textAlign = "start";
    context.textBaseline = "alphabetic";
  }

  tag(context, x, y, text, colour) {
    const width = context.measureText(text).width + 10;
    context.beginPath();
    context.roundRect(x - width / 2, y - 8, width, 16, 8);
    fillAndStroke(context, this.page.palette.theme.paper, colour, 1.5);
    context.fillStyle = this.page.palette.theme.ink[1];
    context.fillText(text, x, y + 0.5);
  }

  drawPlaces(context, camera, shown) {
    if (!this.settings.waypoints) return;
    const { theme } = this.page.palette;
    const taken = [];
    context.font = "600 12px system-ui, 'DejaVu Sans', sans-serif";
    for (const { lon, lat, name } of shown.places) {
      const place = project(lon, lat);
      const [x, y] = camera.toScreen(place.x, place.y);
      if (!camera.isNear(x, y, 20)) continue;
      context.beginPath();
      for (const [dx, dy] of [[0, -7], [6, 0], [0, 7], [-6, 0]]) context.lineTo(x + dx, y + dy);
      context.closePath();
      fillAndStroke(context, this.colourOf(shown), theme.paper, 1.5);
      if (!name) continue;
      const text = name.length > 40 ? `${name.slice(0, 39)}…` : name;
      const box = [x + 8, y - 8, x + 12 + context.measureText(text).width, y + 8];
      if (taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      write(context, text, x + 9, y + 4, theme.halo, theme.ink[1]);
    }
  }
}
