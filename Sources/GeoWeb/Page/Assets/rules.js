// The rules of drawing the atlas, as pure functions of numbers.
//
// Other implementations that follow them look the same; tests have cases for each.
import { clamp, mix } from "./geo.js";

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

/**
 * Class bounds for some values: at most five, about equally far apart in ratio, and round: 1 or 3 times a power of ten.
 *
 * They exclude the extremes of the values.
 */
export function classBounds(values) {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  if (sorted.length === 0) return [];
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  const [low, high] = [Math.log10(at(0.15)), Math.log10(at(0.97))];
  const bounds = [];
  for (let step = 0.5; step < 5; step += 1) {
    const value = low + ((high - low) * step) / 5;
    const ten = Math.floor(value);
    const bound = (value - ten < 0.2386 ? 1 : value - ten < 0.7386 ? 3 : 10) * 10 ** ten;
    if (bounds.length === 0 || bound > bounds.at(-1)) bounds.push(bound);
  }
  return bounds;
}
