// The rules of drawing the atlas, as pure functions of numbers.
//
// Other implementations that follow them look the same; tests have cases for each.
import { clamp, mix } from "./geo.js";

const WANDER = 1.7; // pixels
const WANDER_CELL = 40; // pixels

/** The value of a field at a corner of its grid. */
const corner = (x, y, seed) => (mix(x, y, seed) & 0xffff) / 32767.5 - 1;

/** A smooth field between −1 and 1 with a value for each grid corner. */
export function field(x, y, seed) {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  return between(corner(ix, iy, seed), corner(ix + 1, iy, seed), corner(ix, iy + 1, seed), corner(ix + 1, iy + 1, seed), x - ix, y - iy);
}

/** The value at a place in a cell, 0 to 1 on each axis, from those of its corners. */
function between(northWest, northEast, southWest, southEast, fx, fy) {
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const top = northWest * (1 - sx) + northEast * sx;
  const bottom = southWest * (1 - sx) + southEast * sx;
  return top * (1 - sy) + bottom * sy;
}

/** The last cell of the wandering field, and its corners' values: those of both fields in turn. */
const last = { x: NaN, y: NaN, corners: new Array(8).fill(0) };

/**
 * The displacement of a line at a point, in pixels, so that it looks drawn by hand.
 *
 * The point is in pixels of the whole world at the tile's zoom: shared lines stay shared, and nested ones nested.
 */
export function wander(x, y) {
  const ix = Math.floor(x / WANDER_CELL);
  const iy = Math.floor(y / WANDER_CELL);
  const { corners: at } = last;
  if (ix !== last.x || iy !== last.y) {
    last.x = ix;
    last.y = iy;
    // Points of a line are mostly in the same cell.
    for (let i = 0; i < 8; i += 1) at[i] = corner(ix + (i & 1), iy + ((i >> 1) & 1), i < 4 ? 7 : 8);
  }
  const fx = x / WANDER_CELL - ix;
  const fy = y / WANDER_CELL - iy;
  return [WANDER * between(at[0], at[1], at[2], at[3], fx, fy), WANDER * between(at[4], at[5], at[6], at[7], fx, fy)];
}

/** The height of land with some bytes, 0 to 1: 50 kB are flat, 1.6 GB a mountain range. */
export function height(bytes) {
  return clamp((Math.log10(bytes + 1) - 4.7) / 4.5, 0, 1);
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

const HOUR = 1 / 24; // days
/** Ages that bound classes, in days, with their words: the ones to prefer, and those between them. */
const ageSteps = [[HOUR, "an hour"], [1, "a day"], [7, "a week"], [30, "a month"], [90, "three months"], [365, "a year"],
  [730, "two years"], [1825, "five years"], [3650, "ten years"]];
const finerAges = [[HOUR / 6, "ten minutes"], [HOUR / 2, "half an hour"], [3 * HOUR, "three hours"], [6 * HOUR, "six hours"], [0.5, "twelve hours"],
  [2, "two days"], [3, "three days"], [5, "five days"], [10, "ten days"], [14, "two weeks"], [21, "three weeks"], [45, "six weeks"],
  [60, "two months"], [120, "four months"], [180, "six months"], [270, "nine months"], [455, "15 months"], [545, "18 months"],
  [640, "21 months"], [1095, "three years"], [1460, "four years"], [2190, "six years"], [2920, "eight years"], [5475, "15 years"],
  [7300, "20 years"]];
/** What a bound other than the first ones costs, in parts of a class. */
const [FINER, ODD] = [0.25, 0.5];
const MAXIMUM_AGES = 5;
/** Ages are in one class if they differ by less than this factor. */
const APART = 1.01;

/** An age in words. */
export function wordsOfAge(days) {
  const step = [...ageSteps, ...finerAges].find(([bound]) => Math.abs(bound - days) < 1e-3);
  if (step) return step[1];
  const [unit, word] = [[1, "days"], [HOUR, "hours"], [HOUR / 60, "minutes"]].find(([one]) => days >= 3 * one) ?? [HOUR / 3600, "seconds"];
  return `${+(days / unit).toPrecision(3)} ${word}`;
}

/** The roundest age that is over one and at most another, and what it costs. */
function roundAge(low, high) {
  for (const [steps, cost] of [[ageSteps, 0], [finerAges, FINER]]) {
    const found = steps.find(([days]) => days > low && days <= high);
    if (found) return [found[0], cost];
  }
  for (const unit of [1000, 100, 10, 1, HOUR, HOUR / 60]) {
    const found = Math.floor(high / unit) * unit;
    if (found > low && found <= high) return [found, ODD];
  }
  return [high, ODD];
}

/**
 * Bounds of classes for some ages in days, the youngest first: so that each of five classes has about as many ages, and
 * none is empty. There are fewer for fewer than five ages that differ.
 */
export function ageBounds(ages) {
  const sorted = ages.map((age) => Math.max(0, age)).sort((a, b) => a - b);
  const cuts = [];
  for (let at = 1; at < sorted.length; at += 1) {
    if (sorted[at] > APART * sorted[at - 1]) cuts.push([at, ...roundAge(sorted[at - 1], sorted[at])]);
  }
  const count = Math.min(MAXIMUM_AGES, cuts.length + 1);
  const part = sorted.length / count;
  const bounds = [];
  let first = 0;
  for (let number = 1; number < count; number += 1) {
    let [best, least] = [first, Infinity];
    // Later classes need a cut each, too.
    for (let i = first; i <= cuts.length - (count - number); i += 1) {
      const price = Math.abs(cuts[i][0] - number * part) / part + cuts[i][2];
      if (price < least) [best, least] = [i, price];
    }
    bounds.push(cuts[best][1]);
    first = best + 1;
  }
  return bounds;
}
