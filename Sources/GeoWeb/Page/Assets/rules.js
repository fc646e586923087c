// The rules of drawing the atlas, as pure functions of numbers.
//
// Other implementations that follow them look the same; tests have cases for each.
import { clamp, mix } from "./geo.js";
import { byBytes } from "./sorted.js";

/** The number of tints. */
const TINTS = 6;

/**
 * Gives each land a tint: its number modulo six, or the next that no neighbour has.
 *
 * `lands` are siblings with `id` and `path`, taken in order of paths; `neighbours` has the ids of neighbours by land.
 * `known` has earlier tints by id, which stay unless a neighbour has the same; new ones are added. If neighbours have
 * all six, the first is taken. Returns whether a known tint changed.
 */
export function giveTints(lands, neighbours, known) {
  let isChanged = false;
  const inOrder = [...lands].sort((a, b) => byBytes(a.path, b.path));
  const settled = new Set();
  for (const { id } of inOrder) {
    const old = known.get(id);
    const taken = new Set();
    for (const other of neighbours.get(id) ?? []) {
      // The later land yields, unless it was known before.
      if (settled.has(other) || (old === undefined && known.has(other))) taken.add(known.get(other));
    }
    const first = old ?? id % TINTS;
    let tint = first;
    for (let step = 0; step < TINTS && taken.has(tint); step += 1) tint = (first + step) % TINTS;
    if (taken.has(tint)) tint = first;
    if (old !== undefined && old !== tint) isChanged = true;
    known.set(id, tint);
    settled.add(id);
  }
  return isChanged;
}

const WANDER = 1.7; // pixels
const WANDER_CELL = 40; // pixels

/** A smooth field between −1 and 1 with a value for each grid corner. */
export function field(x, y, seed) {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const at = (cx, cy) => (mix(cx, cy, seed) & 0xffff) / 32767.5 - 1;
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const top = at(ix, iy) * (1 - sx) + at(ix + 1, iy) * sx;
  const bottom = at(ix, iy + 1) * (1 - sx) + at(ix + 1, iy + 1) * sx;
  return top * (1 - sy) + bottom * sy;
}

/**
 * The displacement of a line at a point, in pixels, so that it looks drawn by hand.
 *
 * The point is in pixels of the whole world at the tile's zoom: shared lines stay shared, and nested ones nested.
 */
export function wander(x, y) {
  return [WANDER * field(x / WANDER_CELL, y / WANDER_CELL, 7), WANDER * field(x / WANDER_CELL, y / WANDER_CELL, 8)];
}

/** The height of land with some bytes, 0 to 1: 50 kB are flat, 1.6 GB a mountain range. */
export function height(bytes) {
  return clamp((Math.log10(bytes + 1) - 4.7) / 4.5, 0, 1);
}

/** The wooded part of a land, 0 to 1, by the files below it; 30,000 fill it. */
function woodiness(files) {
  return files <= 0 ? 0 : clamp((Math.log10(files) - 0.8) / 3.7, 0, 1);
}

/** The dashes and gaps of a border by rank, in pixels; empty for a solid line. */
export function dashes(depth) {
  if (depth <= 1) return [];
  if (depth === 2) return [7, 2.5, 1.2, 2.5];
  if (depth === 3) return [4, 2.5];
  return [1.2, 2.2];
}

/** Width and opacity of the border of a land with a breadth in pixels. */
export function borderOf(depth, breadth) {
  const width = [1.5, 1.15, 0.95, 0.8][Math.min(depth, 3)];
  const alpha = [1, 0.85, 0.62, 0.5][Math.min(depth, 3)];
  // Tiny lands are only hinted at.
  const seen = clamp((breadth - 5) / 22, 0.12, 1);
  return { width: width * (0.6 + 0.4 * seen), alpha: depth < 2 ? Math.max(0.5, alpha * seen) : alpha * seen };
}

/**
 * How much of its own tint a land has instead of its parent's, 0 to 1.
 *
 * Countries always have theirs. Deeper lands, with all siblings, get their own once the land around them is wide enough
 * in pixels.
 */
export function ownTint(depth, around = Infinity) {
  if (depth <= 1) return depth;
  const t = clamp((around - 240) / 420, 0, 1);
  return t * t * (3 - 2 * t);
}

/** The strength of a tint: it fades as one looks into the land. */
export function tintStrength(breadth) {
  const t = clamp((breadth - 700) / 1800, 0, 1);
  return 0.66 - 0.36 * t;
}

/** The lower edges of the classes of the positive values, each once, in ascending order. */
function classEdges(values, leads) {
  const edges = values.filter((value) => value > 0).map((value) => {
    let ten = 1;
    while (ten * 10 <= value) ten *= 10;
    return (leads.findLast((lead) => lead * ten <= value) ?? 1) * ten;
  });
  return [...new Set(edges)].sort((a, b) => a - b);
}

/**
 * Round bounds of classes for some values: at most five, each 1 or 3 times a power of ten.
 *
 * Each class with a value has its own, the largest first; all values below the fifth share one. If this gives fewer than
 * four classes, bounds are 1, 2 or 5 times a power of ten.
 */
export function classBounds(values) {
  const coarse = classEdges(values, [1, 3]);
  const fine = coarse.length < 4 ? classEdges(values, [1, 2, 5]) : [];
  const edges = fine.length > coarse.length ? fine : coarse;
  return edges.slice(-Math.max(1, Math.min(edges.length - 1, 5)));
}

/** Ages that bound classes, in days, with their words. */
export const ageSteps = [[1 / 24, "an hour"], [1, "a day"], [7, "a week"], [30, "a month"], [90, "three months"], [365, "a year"],
  [730, "two years"], [1825, "five years"], [3650, "ten years"]];

/** Bounds of classes for some ages in days: at most five of the steps, each for a class with an age, the youngest first. */
export function ageBounds(ages) {
  const steps = ageSteps.map(([days]) => days);
  const bounds = [...new Set(ages.map((age) => steps.find((days) => age < days) ?? Infinity))].sort((a, b) => a - b);
  // All ages from the last bound on share a class.
  return bounds.slice(0, Math.max(1, Math.min(bounds.length - 1, 5))).filter((bound) => bound !== Infinity);
}

// The tints of lands, the same in all tiles, and known neighbours.

export class Tints {
  constructor() {
    this.known = new Map();
    /** Siblings by their parent's path: the known lands, and neighbours. */
    this.groups = new Map();
    /** Increases when a drawn land gets another tint. */
    this.version = 0;
  }

  /**
   * Adds the lands of a tile and their neighbours.
   *
   * Until a group is settled, its tints depend on all known lands, not on the order of tiles; after that, tints stay if
   * possible.
   */
  learn(lands, neighbours) {
    const touched = new Set();
    for (const land of lands) {
      let group = this.groups.get(land.parent);
      if (!group) this.groups.set(land.parent, (group = { lands: new Map(), neighbours: new Map(), isSettled: false }));
      if (!group.lands.has(land.id)) {
        group.lands.set(land.id, { id: land.id, path: land.path });
        touched.add(group);
      }
      for (const other of neighbours.get(land.id) ?? []) {
        const all = group.neighbours.get(land.id) ?? new Set();
        if (all.has(other)) continue;
        all.add(other);
        group.neighbours.set(land.id, all);
        touched.add(group);
      }
    }
    for (const group of touched) this.give(group);
  }

  give(group) {
    const tints = new Map();
    if (group.isSettled) for (const id of group.lands.keys()) if (this.known.has(id)) tints.set(id, this.known.get(id));
    giveTints([...group.lands.values()], group.neighbours, tints);
    let isChanged = false;
    for (const [id, tint] of tints) {
      if (this.known.has(id) && this.known.get(id) !== tint) isChanged = true;
      this.known.set(id, tint);
    }
    if (isChanged) this.version += 1;
  }

  /** Keeps known tints if possible from now on. */
  settle() { for (const group of this.groups.values()) group.isSettled = true; }

  of(land) { return this.known.get(land.id) ?? land.id % 6; }
}
