// The rules of drawing the atlas, as pure functions of numbers.
//
// Other implementations that follow them look the same; tests have cases for each.
import { clamp, mix } from "./geo.js";

const WANDER = 1.7; // pixels
const WANDER_CELL = 40; // pixels

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
 * The displacement in pixels of a line at a point, so that it looks drawn by hand. The point is in pixels of the whole world at the
 * tile's zoom: shared lines stay shared, and nested ones nested.
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
export function height(bytes) { return clamp((Math.log10(bytes + 1) - 4.7) / 4.5, 0, 1); }

const DASHES = [[], [7, 2.5, 1.2, 2.5], [4, 2.5], [1.2, 2.2]];
/** The dashes and gaps of a border by rank, in pixels; empty for a solid line. */
export function dashes(depth) { return DASHES[clamp(depth, 1, 4) - 1] ?? DASHES[3]; }

export function borderOf(depth, breadth) {
  const width = [1.5, 1.15, 0.95, 0.8][Math.min(depth, 3)];
  const alpha = [1, 0.85, 0.62, 0.5][Math.min(depth, 3)];
  // Tiny lands are only hinted at.
  const seen = clamp((breadth - 5) / 22, 0.12, 1);
  return { width: width * (0.6 + 0.4 * seen), alpha: depth < 2 ? Math.max(0.5, alpha * seen) : alpha * seen };
}

/** How much of its own tint a land has instead of its parent's, 0 to 1: a deeper land the more, the wider the one around it is. */
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
