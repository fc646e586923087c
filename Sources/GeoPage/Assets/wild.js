// Wilderness: woods and hills where a folder's land is empty, the same ones every day.
//
// The world is cut into cells, four of which make one of the zoom before. Each cell has one symbol
// at most; a cell that holds its parent's symbol keeps it. So what has once come into sight stays
// where it is while one zooms in, and others join it.
import { clamp, contains, mix } from "./geo.js";

const CELLS = 5; // to a tile's side, as a power of two

/** Where a cell's symbol is, as fractions of the cell. */
function spot(level, x, y, seed) {
  // The whole number of a cell may need more than 32 bits: high and low parts are mixed.
  const h = mix(mix(x % 4294967296, y % 4294967296, level), mix(x / 4294967296, y / 4294967296), seed);
  return [(h & 1023) / 1024, ((h >>> 10) & 1023) / 1024, h >>> 20];
}

function symbol(level, x, y, seed, least) {
  let cell = spot(Math.min(level, least), Math.floor(x / 2 ** Math.max(0, level - least)),
    Math.floor(y / 2 ** Math.max(0, level - least)), seed);
  // From the coarsest level down: either the symbol of the parent, or one's own.
  for (let at = least + 1; at <= level; at += 1) {
    const cx = Math.floor(x / 2 ** (level - at));
    const cy = Math.floor(y / 2 ** (level - at));
    const px = cell[0] * 2 - (cx % 2);
    const py = cell[1] * 2 - (cy % 2);
    cell = px >= 0 && px < 1 && py >= 0 && py < 1 ? [px, py, cell[2]] : spot(at, cx, cy, seed);
  }
  return cell;
}

/** A smooth field from 0 to 1 that says what grows where. */
function field(x, y, seed) {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const fx = x - ix;
  const fy = y - iy;
  const at = (dx, dy) => (mix(ix + dx, iy + dy, seed) & 4095) / 4095;
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const top = at(0, 0) * (1 - sx) + at(1, 0) * sx;
  const bottom = at(0, 1) * (1 - sx) + at(1, 1) * sx;
  return top * (1 - sy) + bottom * sy;
}

function boxed(ring) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    box[0] = Math.min(box[0], ring[i]);
    box[1] = Math.min(box[1], ring[i + 1]);
    box[2] = Math.max(box[2], ring[i]);
    box[3] = Math.max(box[3], ring[i + 1]);
  }
  return { ring, box };
}

function tree(context, x, y, r) {
  context.moveTo(x + r, y - r);
  context.arc(x, y - r, r, 0, Math.PI * 2);
  context.moveTo(x, y);
  context.lineTo(x, y + r * 0.9);
}

function pine(context, x, y, r) {
  context.moveTo(x - r, y);
  context.lineTo(x, y - r * 2.6);
  context.lineTo(x + r, y);
  context.closePath();
  context.moveTo(x, y);
  context.lineTo(x, y + r * 0.8);
}

function hill(context, x, y, r) {
  context.moveTo(x - r * 2.4, y + r);
  context.quadraticCurveTo(x - r * 0.8, y - r * 1.9, x + r * 0.2, y - r * 1.3);
  context.quadraticCurveTo(x + r * 1.3, y - r * 0.6, x + r * 2.2, y + r);
  for (let i = 0; i < 3; i += 1) {
    context.moveTo(x + r * (0.35 + i * 0.55), y - r * (0.95 - i * 0.5));
    context.lineTo(x + r * (0.1 + i * 0.7), y + r * (0.15 + i * 0.22));
  }
}

/**
 * Draws the wilderness of one land within a tile.
 *
 * `ring` is its coast in units of the tile, `holes` are the lands in it, `px` the pixels to a unit.
 */
export function drawWilderness(context, entry, land, ring, holes, px, theme, density) {
  const [west, north, east, south] = boxed(ring).box;
  const seed = (land.id % 4294967296) >>> 0;
  const count = 2 ** CELLS;
  const size = 4096 / count;
  const level = entry.z + CELLS;
  const least = Math.max(CELLS, land.minzoom + CELLS - 1);
  const range = (low, high) => [clamp(Math.floor(low / size), -1, count), clamp(Math.ceil(high / size), -1, count)];
  const [x0, x1] = range(west, east);
  const [y0, y1] = range(north, south);
  const woods = new Path2D();
  const hills = new Path2D();
  const near = holes.filter((hole) => hole.length > 0).map(boxed);
  for (let cy = y0; cy <= y1; cy += 1) {
    for (let cx = x0; cx <= x1; cx += 1) {
      const x = entry.x * count + cx;
      const y = entry.y * count + cy;
      if (x < 0 || y < 0) continue;
      const [fx, fy, kind] = symbol(level, x, y, seed, least);
      const ux = (cx + fx) * size;
      const uy = (cy + fy) * size;
      // The field is fixed to the world, as coarse as the land itself.
      const coarse = 2 ** Math.max(0, level - least - 2) * 5;
      const grown = field((x + fx) / coarse, (y + fy) / coarse, seed);
      if (grown > 0.42 && grown < 0.54) continue;
      // Thinner towards the edge of a wood or a range.
      if ((kind >>> 4) % 16 > 4 + Math.abs(grown - 0.48) * 60) continue;
      const margin = 5 / px;
      if (!contains(ring, ux, uy) || !contains(ring, ux, uy + margin) || !contains(ring, ux, uy - margin)) continue;
      if (near.some(({ ring: hole, box }) => ux > box[0] - margin && ux < box[2] + margin &&
        uy > box[1] - margin && uy < box[3] + margin && (contains(hole, ux, uy) ||
        contains(hole, ux + margin, uy) || contains(hole, ux - margin, uy) ||
        contains(hole, ux, uy - margin)))) continue;
      const r = (1.7 + (kind % 16) / 12) * density;
      if (grown >= 0.54) (kind & 1 ? tree : pine)(woods, ux * px, uy * px, r);
      else if (kind % 5 < 2) hill(hills, ux * px, uy * px, r * (1.2 + (0.48 - grown) * 1.6));
    }
  }
  context.lineWidth = 0.9 * density;
  context.lineJoin = "round";
  context.strokeStyle = theme.wild;
  context.stroke(woods);
  context.strokeStyle = theme.hill;
  context.stroke(hills);
}
