// The lines between lands of a tile, each once.
//
// All in units of the tile's grid, on the outlines of cells, which touch.
import { boxOfRings, contains } from "./geo.js";
import { wander } from "./rules.js";

const RIM_LOW = -64;
const RIM_HIGH = 4160;
const PROBE = 12; // distance from a border to probe for the neighbour
const PARTS = 32; // of a tile, to find lands

/** Whether a side runs along the rim that cuts lands off. */
function isRim(ax, ay, bx, by) {
  return (ax === bx && (ax <= RIM_LOW || ax >= RIM_HIGH)) || (ay === by && (ay <= RIM_LOW || ay >= RIM_HIGH));
}

/** Finds the sibling of a land whose outline is around a point. */
class Siblings {
  constructor(lands) {
    /** Lands that may contain points of each part of the tile. */
    this.parts = new Array(PARTS * PARTS).fill(null);
    const groups = new Map();
    for (const land of lands) {
      const key = `${land.depth} ${land.parent}`;
      if (!groups.has(key)) groups.set(key, groups.size);
      land.group = groups.get(key);
      for (const ring of land.outline) {
        const [west, north, east, south] = boxOfRings([ring]);
        const item = { land, group: land.group, ring, west, north, east, south };
        for (let y = Siblings.part(north); y <= Siblings.part(south); y += 1) {
          for (let x = Siblings.part(west); x <= Siblings.part(east); x += 1) (this.parts[y * PARTS + x] ??= []).push(item);
        }
      }
    }
  }

  static part(value) { return Math.max(0, Math.min(PARTS - 1, Math.floor((value / 4096) * PARTS))); }

  at(land, x, y) {
    const items = this.parts[Siblings.part(y) * PARTS + Siblings.part(x)];
    if (items === null) return null;
    const { group } = land;
    for (let i = 0; i < items.length; i += 1) {
      const item = items[i];
      if (item.group === group && item.land !== land && x >= item.west && x <= item.east &&
        y >= item.north && y <= item.south && contains(item.ring, x, y)) return item.land;
    }
    return null;
  }
}

/** On which side of a ring its inside is: 1 or −1. */
function turn(ring) {
  let sum = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    sum += ring[j] * ring[i + 1] - ring[i] * ring[j + 1];
  }
  return sum < 0 ? -1 : 1;
}

/**
 * Returns the parts of each land's outline to draw: all without a neighbour, and of a shared border the first land's.
 *
 * `lands` have `depth`, `parent`, `path` and `outline`, an array of rings.
 */
export function bordersOf(lands) {
  const siblings = new Siblings(lands);
  const lines = new Map();
  for (const land of lands) {
    const own = [];
    for (const ring of land.outline) {
      const side = turn(ring);
      let line = null;
      for (let i = 0; i < ring.length; i += 2) {
        const j = (i + 2) % ring.length;
        const ax = ring[i];
        const ay = ring[i + 1];
        const bx = ring[j];
        const by = ring[j + 1];
        const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
        let isDrawn = length > 0 && !isRim(ax, ay, bx, by);
        if (isDrawn) {
          const far = (side * PROBE) / length;
          const other = siblings.at(land, (ax + bx) / 2 + far * (by - ay), (ay + by) / 2 + far * (ax - bx));
          if (other) isDrawn = land.path < other.path;
        }
        if (!isDrawn) line = null;
        else if (line) line.push(bx, by);
        else own.push((line = [ax, ay, bx, by]));
      }
    }
    lines.set(land, own);
  }
  return lines;
}

/** The whole outline of a land as lines, without the rim that cuts it off. */
export function sidesOf({ outline }) {
  const lines = [];
  for (const ring of outline) {
    let line = null;
    for (let i = 0; i < ring.length; i += 2) {
      const j = (i + 2) % ring.length;
      const [ax, ay, bx, by] = [ring[i], ring[i + 1], ring[j], ring[j + 1]];
      if (isRim(ax, ay, bx, by)) line = null;
      else if (line) line.push(bx, by);
      else lines.push((line = [ax, ay, bx, by]));
    }
  }
  return lines;
}

/** A line or ring of a tile, displaced by the world's field. */
export function wandered(points, tile) {
  // Typed arrays are slow to make, and most lines are short.
  const moved = new Array(points.length);
  const left = tile.x * 4096;
  const top = tile.y * 4096;
  for (let i = 0; i < points.length; i += 2) {
    const by = wander((left + points[i]) / 8, (top + points[i + 1]) / 8);
    moved[i] = points[i] + by[0] * 8;
    moved[i + 1] = points[i + 1] + by[1] * 8;
  }
  return moved;
}
