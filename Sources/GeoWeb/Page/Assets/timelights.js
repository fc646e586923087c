// What changed recently at a moment: files that glow, larger with more changes, and fade.
import { boxOfPlaces, canvasOf, circle, keptIn, lastUpTo, strokeIn } from "./geo.js";
import { dot } from "./shapes.js";
import { ADDED, REMAINED, REMOVED } from "./timeline.js";

/** The maximum number of lights per frame, newest first. */
const MAXIMUM_LIGHTS = 450;
const LIT_CELL = 5; // pixels, in which one light is enough
const SIZES = 7; // steps of size, each by a doubling of changes
/** The radius in pixels of the core of a light: of one change, and with each step. */
const [CORE, CORE_STEP] = [2.8, 1.15];
const HALO = 3.1; // how far the halo reaches, in radii of the core

export function timeColours({ isDark }) { return isDark ? ["#35e0c2", "#f0a93b", "#ff6f61"] : ["#0a8f79", "#d97f00", "#cc3d26"]; }
export function timeInks({ isDark }) { return isDark ? ["#35e0c2", "#f4b552", "#ff8a7d"] : ["#00604f", "#804c00", "#a5301b"]; }
function stepOf(count) { return Math.min(SIZES - 1, Math.floor(Math.log2(Math.max(1, count)) + 1e-9)); }
export function coreOf(count) { return CORE + CORE_STEP * stepOf(count); }

export class TimeLights {
  constructor(palette, moment, recent) {
    Object.assign(this, { palette, moment, recent, sprites: new Map() });
    this.count = 0; // the number of lights drawn last
    this.chosen = new Int32Array(MAXIMUM_LIGHTS);
  }

  get box() {
    const { timeline, state } = this.moment;
    if (state < 0) return null;
    const [first, end] = this.moment.lit;
    const places = timeline.nodes.subarray(first, end).filter((_, index) => timeline.kinds[first + index] !== REMAINED);
    return places.length > 0 ? boxOfPlaces(places, timeline.x, timeline.y) : null;
  }

  draw(context, camera, ratio) {
    const { recent, moment } = this;
    const { x, y } = moment.timeline;
    const width = Math.ceil(camera.width / LIT_CELL) + 12;
    const height = Math.ceil(camera.height / LIT_CELL) + 12;
    if (this.grid?.length !== width * height) this.grid = new Uint8Array(width * height);
    this.grid.fill(0);
    const [left, top] = camera.toScreen(0, 0);
    const reach = 5 * LIT_CELL;
    let count = 0;
    for (let i = 0; i < recent.count && count < MAXIMUM_LIGHTS; i += 1) {
      const node = recent.nodes[i];
      const [px, py] = [x[node] * camera.scale + left, y[node] * camera.scale + top];
      if (!camera.isNear(px, py, reach)) continue;
      const cell = (Math.floor(py / LIT_CELL) + 6) * width + Math.floor(px / LIT_CELL) + 6;
      // More changes are never behind fewer.
      const size = 1 + stepOf(recent.counts[i]);
      if (this.grid[cell] >= size) continue;
      this.grid[cell] = size;
      this.chosen[count] = i;
      count += 1;
    }
    const glow = moment.glow;
    for (let at = count - 1; at >= 0; at -= 1) {
      const i = this.chosen[at];
      const node = recent.nodes[i];
      const sprite = this.light(recent.kinds[i], stepOf(recent.counts[i]), ratio);
      const half = sprite.width / ratio / 2;
      context.globalAlpha = Math.max(0, 1 - recent.ages[i] / glow) ** 0.8;
      context.drawImage(sprite, x[node] * camera.scale + left - half, y[node] * camera.scale + top - half, 2 * half, 2 * half);
    }
    context.globalAlpha = 1;
    this.count = count;
  }

  light(kind, step, ratio) {
    const { isDark } = this.palette;
    const core = (CORE + CORE_STEP * step) * ratio;
    const half = Math.ceil(core * HALO + 1);
    return keptIn(this.sprites, `${kind}|${step}|${ratio}|${isDark}`, () =>
      canvasOf(2 * half, 2 * half, (pen) => drawLight(pen, half, half, core, timeColours(this.palette)[kind], isDark)));
  }
}

/** Draws a light: a core with a halo, which on a light map is white, so that it shines instead of scorching. */
export function drawLight(pen, x, y, core, colour, isDark) {
  const far = core * HALO;
  const halo = pen.createRadialGradient(x, y, core * 0.6, x, y, far);
  const stops = isDark ? [[0, `${colour}d0`], [0.3, `${colour}66`], [0.65, `${colour}22`], [1, `${colour}00`]]
    : [[0, "#fffffff8"], [0.42, "#ffffffd8"], [0.7, "#ffffff70"], [1, "#ffffff00"]];
  for (const [at, one] of stops) halo.addColorStop(at, one);
  dot(pen, x, y, far, halo);
  dot(pen, x, y, core, colour);
  if (isDark) return;
  // A thin ring in the colour of the change holds the light together.
  circle(pen, x, y, core * 1.75);
  strokeIn(pen, `${colour}90`, Math.max(0.8, core * 0.22));
}

// What changed recently at a moment of a time line: files with their changes, and who made them.

/** The files that changed within the glow of a moment, in columns, newest first: the newest of their `changes`, and how many. */
export class Recent {
  constructor() {
    Object.assign(this, { count: 0, key: "", stamp: 0 });
    this.stamps = this.slots = new Int32Array(0);
    this.reserve(256);
  }

  reserve(size) {
    const types = { nodes: Int32Array, changes: Int32Array, counts: Int32Array, ages: Float32Array, kinds: Uint8Array };
    for (const [name, Type] of Object.entries(types)) {
      const column = new Type(size);
      column.set(this[name] ?? []);
      this[name] = column;
    }
  }

  /** Follows a moment; returns whether anything may have changed. */
  follow(moment) {
    const { timeline, time, state, play, glow } = moment;
    const key = `${time}|${state}|${play}|${glow}`;
    if (key === this.key && timeline === this.timeline) return false;
    if (timeline !== this.timeline) {
      this.stamps = new Int32Array(timeline.nodeCount);
      this.slots = new Int32Array(timeline.nodeCount);
      this.stamp = 0;
    }
    Object.assign(this, { key, timeline });
    this.collect(moment);
    return true;
  }

  collect(moment) {
    const { timeline: { nodes, kinds, isFolder }, stamps, slots } = this;
    const glow = moment.glow;
    const stamp = (this.stamp += 1);
    const [first, end] = moment.state < 0 ? [0, 0] : moment.lit;
    let count = 0;
    for (let change = end - 1; change >= first; change -= 1) {
      const kind = kinds[change];
      const node = nodes[change];
      if (kind === REMAINED || isFolder[node]) continue;
      if (stamps[node] === stamp) {
        const slot = slots[node];
        this.counts[slot] += 1;
        // What came lately is new, whatever changed since.
        if (kind === ADDED && this.kinds[slot] !== REMOVED) this.kinds[slot] = ADDED;
        continue;
      }
      const age = moment.ageOf(change);
      if (age < 0 || age > glow) continue;
      if (count === this.nodes.length) this.reserve(2 * count);
      [stamps[node], slots[node]] = [stamp, count];
      [this.nodes[count], this.changes[count], this.counts[count], this.ages[count], this.kinds[count]] = [node, change, 1, age, kind];
      count += 1;
    }
    this.count = count;
  }

  /** The slot of a file that changed within the glow, or −1. */
  slotOf(node) { return this.stamps[node] === this.stamp && this.stamp > 0 ? this.slots[node] : -1; }
}

export function happened(kind, count) {
  if (kind === ADDED) return "new";
  if (kind === REMOVED) return "removed";
  return count === 1 ? "changed" : `changed ${count.toLocaleString("en")} times`;
}

/** The changes by which folders came and went, in order of time. */
export class FolderChanges {
  constructor(timeline) {
    this.timeline = timeline;
    const { changeCount, kinds, isFolder, nodes } = timeline;
    const comesOrGoes = (change) => isFolder[nodes[change]] && (kinds[change] === ADDED || kinds[change] === REMOVED);
    const found = [];
    for (let change = 0; change < changeCount; change += 1) if (comesOrGoes(change)) found.push(change);
    this.all = Int32Array.from(found);
  }

  /** The last `most` changes before the end of a state, newest first. */
  *before(state, most) {
    const { timeline, all } = this;
    const last = lastUpTo(all, timeline.firstChanges[state + 1] - 1);
    for (let at = last; at >= 0 && at > last - most; at -= 1) yield all[at];
  }
}
