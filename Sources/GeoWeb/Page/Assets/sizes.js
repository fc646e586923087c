// The sizes of symbols: areas in proportion to bytes, on one scale for a level.

/** The radius of the largest circle in pixels: of the world, and of a folder flown to. */
const LARGEST = { world: 78, folder: 70 };
/** The side of the largest square in a folder without sub-folders, in pixels. */
const LARGEST_SQUARE = 75;
/** The part of the level's land that all circles take at most, and all squares of a folder of files. */
const MOST_CIRCLES = 0.16;
/** The part of a root's land that its circles take at most, if the level has several roots. */
const MOST_OF_ROOT = 0.7;
const MOST_SQUARES = 0.2;
/** An amount has no circle if it is less than the level's sum divided by this. */
const FINEST = 20000;

/**
 * The radius of a circle of one byte in pixels; 0 without amounts.
 *
 * `lands` and `files` are the amounts of sub-folders and own files; `area` is that of the level's land in square
 * pixels, Infinity if unknown; `parts` has `sum` and `area` of each of several roots; `side` is the shorter side of the
 * view in pixels.
 */
export function unitRadius({ lands, files, isWorld, area = Infinity, parts = [], side = Infinity }) {
  let [largest, sum] = [0, 0];
  for (const amounts of [lands, files]) {
    for (const amount of amounts) {
      if (!(amount > 0)) continue;
      largest = Math.max(largest, amount);
      sum += amount;
    }
  }
  if (largest === 0) return 0;
  const hasLands = lands.some((amount) => amount > 0);
  const radius = hasLands ? LARGEST[isWorld ? "world" : "folder"] : LARGEST_SQUARE / Math.sqrt(Math.PI);
  const most = (hasLands ? MOST_CIRCLES : MOST_SQUARES) * area;
  const ofParts = parts.filter((part) => part.sum > 0).map((part) => Math.sqrt((MOST_OF_ROOT * part.area) / (Math.PI * part.sum)));
  return Math.min((radius * Math.min(1, side / 560)) / Math.sqrt(largest), Math.sqrt(most / (Math.PI * sum)), ...ofParts);
}

/** The least amount with a circle. */
export function leastAmount(sum) { return sum / FINEST; }

/** The side of the square that has the area of a circle. */
export function sideOf(radius) { return radius * Math.sqrt(Math.PI); }

/** A round amount near another: 1, 2 or 5 times a power of ten. */
function roundAmount(amount) {
  const ten = 10 ** Math.floor(Math.log10(amount));
  const first = amount / ten;
  return (first < 1.5 ? 1 : first < 3.5 ? 2 : first < 7.5 ? 5 : 10) * ten;
}

/** Two round amounts for a legend, the larger first, with circles of about 26 and 9 pixels, as far as `largest` allows. */
export function referenceAmounts(unit, largest) {
  if (!(unit > 0) || !(largest > 0)) return [];
  const first = Math.min((26 / unit) ** 2, largest * 0.6);
  return [...new Set([first, first / 8].map((amount) => Math.max(1, roundAmount(amount))))];
}

/**
 * The deepest land that fills more than half of a view, or null. `samples` has the lands at points spread evenly over
 * the view, each with `path` and `depth`.
 */
export function landThatFills(samples) {
  const counts = new Map();
  for (const lands of samples) for (const land of lands) counts.set(land, (counts.get(land) ?? 0) + 1);
  let found = null;
  for (const [land, count] of counts) if (2 * count > samples.length && (!found || land.depth > found.depth)) found = land;
  return found;
}
