// Taken land: the ground of folders and files, grown by a rim, as coasts.
//
// Computed on a grid: distances to what is taken give a field that is negative on land, and its contour is the coast.
import { areaOf, boxOfRings, clamp } from "./geo.js";

const MAXIMUM_CELLS = 640; // the maximum number of cells along a side of the grid
const CELLS = 4; // the number of cells in the rim's reach; the contours run between cells
const ISLET = 0.4; // the reach of an islet around a file, as part of the rim's
const SHALLOW = 0.72; // how far shallow water reaches beyond the land, as part of the rim's reach
const STRAIT = 0.6; // the least width of the sea between two roots' land, as part of the rim's reach
const CLOSED = 0.8; // gaps narrower than this are closed: as part of the rim's reach, beyond it on each side

/** Covers the cells within a ring, in units of cells, and those along it if it is about as narrow as a cell. */
function cover(ring, cells, width, height) {
  let count = 0;
  const to = (index) => {
    cells[index] = 1;
    count += 1;
  };
  fill(ring, width, height, to);
  let around = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) around += Math.hypot(ring[i] - ring[j], ring[i + 1] - ring[j + 1]);
  if (count > around) return;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const steps = Math.ceil(Math.hypot(ring[i] - ring[j], ring[i + 1] - ring[j + 1])) + 1;
    for (let step = 0; step < steps; step += 1) {
      const [x, y] = [ring[j] + ((ring[i] - ring[j]) * step) / steps, ring[j + 1] + ((ring[i + 1] - ring[j + 1]) * step) / steps];
      to(clamp(Math.floor(y), 0, height - 1) * width + clamp(Math.floor(x), 0, width - 1));
    }
  }
}

/** Calls `to(index)` for each cell whose middle is within a ring, in units of cells. */
export function fill(ring, width, height, to) {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 1; i < ring.length; i += 2) {
    low = Math.min(low, ring[i]);
    high = Math.max(high, ring[i]);
  }
  const crossings = [];
  for (let y = Math.max(0, Math.ceil(low - 0.5)); y < height && y + 0.5 < high; y += 1) {
    const at = y + 0.5;
    crossings.length = 0;
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      if (ring[i + 1] > at === ring[j + 1] > at) continue;
      crossings.push(ring[i] + ((at - ring[i + 1]) * (ring[j] - ring[i])) / (ring[j + 1] - ring[i + 1]));
    }
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const last = Math.min(width - 1, Math.ceil(crossings[i + 1] - 0.5) - 1);
      for (let x = Math.max(0, Math.ceil(crossings[i] - 0.5)); x <= last; x += 1) to(y * width + x);
    }
  }
}

/**
 * The distance of each cell to the nearest marked one, up to `most` (Felzenszwalb and Huttenlocher, 2012): along columns
 * first, then as the lower envelope of each row's parabolas.
 */
export function distances(cells, width, height, most) {
  const field = new Float32Array(cells.length);
  for (let x = 0; x < width; x += 1) {
    let far = most;
    for (let y = 0, i = x; y < height; y += 1, i += width) {
      far = cells[i] === 1 ? 0 : far + 1;
      field[i] = far;
    }
    far = most;
    for (let y = height - 1, i = y * width + x; y >= 0; y -= 1, i -= width) {
      far = cells[i] === 1 ? 0 : far + 1;
      if (far < field[i]) field[i] = far;
    }
  }
  const squares = new Float32Array(width);
  const found = new Int32Array(width);
  const bounds = new Float32Array(width + 1);
  for (let first = 0; first < field.length; first += width) {
    let last = -1;
    for (let x = 0; x < width; x += 1) {
      const far = field[first + x];
      if (far > most) continue;
      const square = far * far;
      squares[x] = square;
      let from = -Infinity;
      while (last >= 0) {
        const other = found[last];
        from = (square + x * x - squares[other] - other * other) / (2 * (x - other));
        if (from > bounds[last]) break;
        last -= 1;
      }
      last += 1;
      found[last] = x;
      bounds[last] = last === 0 ? -Infinity : from;
    }
    for (let x = 0, at = 0; x < width; x += 1) {
      if (last < 0) {
        field[first + x] = most;
        continue;
      }
      while (at < last && bounds[at + 1] < x) at += 1;
      const across = x - found[at];
      const far = Math.sqrt(across * across + squares[found[at]]);
      field[first + x] = far < most ? far : most;
    }
  }
  return field;
}

function smooth(field, width) {
  for (const step of [1, width]) {
    const last = field.length - step;
    const next = field.slice();
    for (let i = step; i < last; i += 1) next[i] = (field[i - step] + 2 * field[i] + field[i + step]) / 4;
    field.set(next);
  }
}

/** Links the edges of a cell that lines pass, from where a line enters it; `kind` has a bit for each corner on land. */
function linkCell(kind, i, width, link) {
  const [top, left, right, bottom] = [2 * i, 2 * i + 1, 2 * i + 3, 2 * (i + width)];
  if (kind === 5) {
    link(left, top);
    link(right, bottom);
  } else if (kind === 10) {
    link(top, right);
    link(bottom, left);
  } else {
    // Along a cell's corners, clockwise: the line leaves where land ends, and enters where it begins.
    const sides = [top, right, bottom, left];
    const isLand = [1, 2, 4, 8].map((corner) => (kind & corner) > 0);
    const enters = sides[isLand.findIndex((land, at) => land && !isLand[(at + 1) % 4])];
    const leaves = sides[isLand.findIndex((land, at) => !land && isLand[(at + 1) % 4])];
    link(leaves, enters);
  }
}

/** The lines where a field is 0, as closed rings in cells, negative on the same side; the field is positive along its edges. */
function contours(field, width, height) {
  // Each cell corner's edge to the right is 2i, the one downwards 2i + 1.
  const next = new Map();
  const link = (from, to) => next.set(from, to);
  for (let y = 0; y + 1 < height; y += 1) {
    const first = y * width;
    const last = first + width - 1;
    let right = (field[first] < 0 ? 2 : 0) | (field[first + width] < 0 ? 4 : 0);
    for (let i = first; i < last; i += 1) {
      // The right corners of a cell are the left ones of the next.
      const left = right === 0 ? 0 : right === 6 ? 9 : right === 2 ? 1 : 8;
      right = (field[i + 1] < 0 ? 2 : 0) | (field[i + width + 1] < 0 ? 4 : 0);
      const kind = left | right;
      if (kind === 0 || kind === 15) continue;
      linkCell(kind, i, width, link);
    }
  }
  const rings = [];
  for (const first of next.keys()) {
    const ring = [];
    for (let edge = first; edge !== undefined;) {
      const i = edge >> 1;
      const isDown = (edge & 1) === 1;
      const part = field[i] / (field[i] - field[i + (isDown ? width : 1)]);
      const x = i % width;
      ring.push(isDown ? x : x + part, (i - x) / width + (isDown ? part : 0));
      const after = next.get(edge);
      next.delete(edge);
      edge = next.has(after) ? after : undefined;
    }
    if (ring.length >= 6) rings.push(ring);
  }
  return rings;
}

/** A ring without points that are nearer than `far` to the line between those that stay (Douglas and Peucker). */
function simplified(ring, far) {
  const count = ring.length / 2;
  const stays = new Uint8Array(count + 1);
  // The ring is closed: it is split at its first point and the one farthest from it.
  let [middle, most] = [0, -1];
  for (let i = 0; i < count; i += 1) {
    const distance = Math.hypot(ring[2 * i] - ring[0], ring[2 * i + 1] - ring[1]);
    if (distance > most) [most, middle] = [distance, i];
  }
  stays[0] = stays[middle] = stays[count] = 1;
  const work = [[0, middle], [middle, count]];
  while (work.length > 0) {
    const [first, last] = work.pop();
    const [ax, ay, bx, by] = [ring[2 * first], ring[2 * first + 1], ring[2 * (last % count)], ring[2 * (last % count) + 1]];
    const square = (bx - ax) ** 2 + (by - ay) ** 2;
    let [found, worst] = [-1, far * far];
    for (let i = first + 1; i < last; i += 1) {
      const x = ring[2 * i] - ax;
      const y = ring[2 * i + 1] - ay;
      const along = square > 0 ? (x * (bx - ax) + y * (by - ay)) / square : 0;
      const t = along < 0 ? 0 : along > 1 ? 1 : along;
      const dx = x - t * (bx - ax);
      const dy = y - t * (by - ay);
      if (dx * dx + dy * dy > worst) [found, worst] = [i, dx * dx + dy * dy];
    }
    if (found < 0) continue;
    stays[found] = 1;
    work.push([first, found], [found, last]);
  }
  const kept = [];
  for (let i = 0; i < count; i += 1) if (stays[i]) kept.push(ring[2 * i], ring[2 * i + 1]);
  return kept;
}

function straits(others, width, height, most) {
  const cells = new Uint8Array(width * height);
  for (const ring of others) fill(ring, width, height, (index) => { cells[index] = 1; });
  return cells.includes(1) ? distances(cells, width, height, most) : null;
}

export function boxOfTaken({ rings, points }) { return boxOfRings([...rings, points]); }

/**
 * The coasts of `land` that `rings` have taken, grown by `reach`, of `towns` and `points`, grown by the reach of an
 * islet, and of narrow gaps between them; and the edges of the `shallows` around it. What is nearer to the rings of
 * `others` stays sea. All in the same units; lakes turn the other way round than coasts.
 */
export function grownLand({ rings, towns, points }, reach, others = []) {
  const box = boxOfTaken({ rings: [...rings, ...towns], points });
  if (!(box[0] <= box[2]) || !(reach > 0)) return { land: [], shallows: [] };
  const rim = reach * (1.3 + CLOSED);
  const cell = Math.max(reach / CELLS, (Math.max(box[2] - box[0], box[3] - box[1]) + 2 * rim) / MAXIMUM_CELLS);
  const [left, top] = [box[0] - rim - 3 * cell, box[1] - rim - 3 * cell];
  const width = Math.ceil((box[2] + rim - left) / cell) + 4;
  const height = Math.ceil((box[3] + rim - top) / cell) + 4;
  const inCells = (ring) => {
    const cells = new Float64Array(ring.length);
    for (let i = 0; i < ring.length; i += 2) [cells[i], cells[i + 1]] = [(ring[i] - left) / cell, (ring[i + 1] - top) / cell];
    return cells;
  };
  const cells = new Uint8Array(width * height);
  for (const ring of rings) cover(inCells(ring), cells, width, height);
  const islets = new Uint8Array(width * height);
  for (const ring of towns) cover(inCells(ring), islets, width, height);
  const places = inCells(points);
  for (let i = 0; i < places.length; i += 2) cover(places.subarray(i, i + 2), islets, width, height);
  const far = reach / cell;
  const [small, gap] = [far * ISLET, far * CLOSED];
  const most = far + gap + 4;
  const field = distances(cells, width, height, most);
  const toIslets = towns.length + points.length > 0 ? distances(islets, width, height, most) : null;
  const strait = straits(others.map(inCells), width, height, most);
  for (let i = 0; i < field.length; i += 1) {
    const own = field[i];
    field[i] -= far;
    if (toIslets) field[i] = Math.min(field[i], toIslets[i] - small);
    if (strait) strait[i] = (Math.min(own, toIslets?.[i] ?? own) + STRAIT * far - strait[i]) / 2;
  }
  // Grown further, then shrunk as much, it has no narrow gaps.
  for (let i = 0; i < field.length; i += 1) cells[i] = field[i] >= gap ? 1 : 0;
  const open = distances(cells, width, height, most);
  for (let i = 0; i < field.length; i += 1) field[i] = Math.max(Math.min(field[i], gap - open[i] + 0.5), strait?.[i] ?? -most);
  smooth(field, width);
  const least = 8 * far * far;
  const lines = () => contours(field, width, height).map((ring) => [areaOf(ring), ring])
    .filter(([area]) => area < 0 || area > least)
    .map(([, ring]) => simplified(ring, 0.2).map((value, i) => (value + 0.5) * cell + (i % 2 === 0 ? left : top)));
  const land = lines();
  for (let i = 0; i < field.length; i += 1) field[i] -= far * SHALLOW;
  return { land, shallows: lines() };
}
