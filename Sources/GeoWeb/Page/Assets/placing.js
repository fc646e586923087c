// Where symbols and texts have room: apart from each other, next to their symbols, on their side of the coast.
import { clamp, keptIn, overlap } from "./geo.js";
import { fill } from "./taken.js";

const ROUNDS = 40;
const AGAIN = 8; // rounds after which near symbols are looked up again
const SLACK = 16; // pixels by which symbols may come nearer until then
const GAP = 2; // pixels between squares
const TIED = 5; // pixels from its place from which a symbol has a line
const TOUCHING = 1; // pixels by which squares may be on each other, or over the rim of their circle
const SMALL = 0.25; // a symbol less than this part of another's size may be on top of it
/** A square and a circle of another land aren't on each other, from this half side or radius in pixels on. */
const MIXED = 2.5;

/** How far two symbols overlap too much: a vector that moves `b` away from `a`, or null; `r` is half a square's side. */
function excess(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  if (a.isSquare && b.isSquare) {
    const [ox, oy] = [a.r + b.r + GAP - Math.abs(dx), a.r + b.r + GAP - Math.abs(dy)];
    if (ox <= 0 || oy <= 0) return null;
    return ox < oy ? [ox * (dx < 0 ? -1 : 1), 0] : [0, oy * (dy < 0 ? -1 : 1)];
  }
  const [large, small] = a.r >= b.r ? [a, b] : [b, a];
  if (small.r < Math.min(SMALL * large.r, large.isSquare === small.isSquare ? Infinity : MIXED)) return null;
  const far = Math.hypot(dx, dy);
  const least = a.r + b.r;
  if (far >= least) return null;
  // Symbols at one place part along any direction, always the same one.
  const turn = (a.index * 2.4 + b.index) % (2 * Math.PI);
  const [ux, uy] = far > 1e-6 ? [dx / far, dy / far] : [Math.cos(turn), Math.sin(turn)];
  return [ux * (least - far), uy * (least - far)];
}

/** Moves a square back into the circle of its land, or to its middle if it's too large; returns whether it was away. */
function keepTogether(circle, square) {
  const [dx, dy] = [square.x - circle.x, square.y - circle.y];
  const far = Math.hypot(dx, dy);
  const most = Math.max(0, circle.r - Math.SQRT2 * square.r);
  if (far <= most + 1e-6) return false;
  [square.x, square.y] = [circle.x + (dx * most) / far, circle.y + (dy * most) / far];
  return true;
}

/** The pairs of symbols that meet, or may soon; a square and the circle of its land aren't kept apart. */
function nearPairs(symbols) {
  const pairs = [];
  symbols.forEach((a, i) => {
    for (let j = i + 1; j < symbols.length; j += 1) {
      const b = symbols[j];
      if (a.group !== undefined && a.group === b.group && a.isSquare !== b.isSquare) continue;
      const reach = a.r + b.r + SLACK;
      if (Math.abs(a.x - b.x) < reach && Math.abs(a.y - b.y) < reach) pairs.push([a, b]);
    }
  });
  return pairs;
}

/**
 * The places of symbols in pixels so that none hides another, `x` and `y` in turn; large ones move less. `symbols` have
 * `x`, `y`, `r` and `isSquare`. The circle of a land and the squares of files in it have the same `group`: squares stay
 * in their circle, wherever that is pushed. Takes time with the square of their number.
 */
export function pushedApart(symbols) {
  const all = symbols.map(({ x, y, r, isSquare, group }, index) => ({ x, y, r, isSquare: Boolean(isSquare), group, index }));
  const sorted = [...all].sort((a, b) => b.r - a.r);
  const circles = new Map(all.filter(({ isSquare, group }) => !isSquare && group !== undefined).map((one) => [one.group, one]));
  const kept = all.filter(({ isSquare, group }) => isSquare && circles.has(group)).map((square) => [circles.get(square.group), square]);
  for (const pair of kept) keepTogether(...pair);
  let pairs = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Symbols that are far apart don't meet within a few rounds.
    if (round % AGAIN === 0) pairs = nearPairs(sorted);
    let isMoved = false;
    for (const [a, b] of pairs) {
      const push = excess(a, b);
      if (!push) continue;
      isMoved = true;
      const part = (b.r * b.r) / (a.r * a.r + b.r * b.r);
      a.x -= push[0] * part;
      a.y -= push[1] * part;
      b.x += push[0] * (1 - part);
      b.y += push[1] * (1 - part);
    }
    for (const pair of kept) if (keepTogether(...pair)) isMoved = true;
    if (!isMoved) break;
  }
  const places = new Float64Array(2 * all.length);
  all.forEach(({ x, y }, i) => places.set([x, y], 2 * i));
  return places;
}

/** Whether a symbol of a size is so far from its place, in pixels, that a line leads there: it isn't over that. */
export const isAway = (dx, dy, r) => Math.hypot(dx, dy) >= Math.max(TIED, r);

/**
 * Which symbols, the largest first, have room at `places` as of `pushedApart`: circles always, squares that are in their
 * circle, or near their place if they have none, and not on a larger square.
 */
export function withRoom(symbols, places) {
  const circles = new Map(symbols.flatMap(({ isSquare, group }, i) => (isSquare ? [] : [[group, i]])));
  const squares = [];
  return symbols.map(({ x, y, r, isSquare, group }, i) => {
    if (!isSquare) return true;
    const far = (j) => [0, 1].map((axis) => Math.abs(places[2 * j + axis] - places[2 * i + axis]));
    const own = group === undefined ? undefined : circles.get(group);
    if (own === undefined ? isAway(places[2 * i] - x, places[2 * i + 1] - y, r) : Math.hypot(...far(own).map((value) => value + r)) > symbols[own].r + TOUCHING) return false;
    if (squares.some((j) => Math.max(...far(j)) < symbols[j].r + r - TOUCHING)) return false;
    squares.push(i);
    return true;
  });
}

// Places blocks of text next to symbols: in one of twelve directions, as near as there is room, or anywhere around.

const STEPS = [3, 8, 13, 20, 30, 44, 62, 84, 110, 140, 180, 230, 290];
const LINE_FROM = 12; // from this distance in pixels on, a block has a line to its symbol
/** Directions, the best first: right, left, above, below, then between. */
const ORDER = [0, 12, 18, 6, 22, 2, 10, 14, 20, 4, 8, 16];
const LATER = 0.7; // what a later direction costs, in pixels of distance
/** What it costs, in pixels of distance, if a block covers another symbol, or, with a line, is so near one. */
const [NEARBY, MISTAKEN, COVERED] = [10, 40, 90];
/** Directions from this one on are places in a symbol, within the radius `inner`: these parts of it right of its middle, and below. */
const INSIDE = 24;
const WITHIN_AT = [[0, 0], [0, -0.5], [0, 0.5], [0.45, 0], [-0.45, 0]];
const WITHIN = 12; // what these cost
const FINER = 13; // from this distance in pixels on there are twice as many directions
/** Blocks are tried all around by steps in pixels, finer ones nearby, up to a distance. */
const [STEP, FINE, NEARER, FARTHEST] = [16, 8, 112, 400];
const AT_ONCE = 250; // blocks that are tried between two breaks
/** The parts of its former distance at which a block may stay on its side. */
const [KEPT_AT, KEPT_WITHIN] = [[1, 1.1, 1.2, 1.32, 0.92, 0.84, 0.75], 1.4];
const SHIFTING = 18; // what another distance costs

export const distanceOf = ([west, north, east, south], x, y) => Math.hypot(Math.max(west - x, 0, x - east), Math.max(north - y, 0, y - south));

/**
 * A block's place in a direction (of 24, clockwise from the right) at a distance: its box, how lines are aligned
 * (1 left, 0 middle, -1 right), and the ends of its line; null if it should be in its symbol and does not fit.
 */
function placeAt({ x, y, r, isSquare, inner = r }, { width, height }, direction, gap) {
  if (direction >= INSIDE) {
    const [across, down] = WITHIN_AT[direction - INSIDE].map((part) => part * inner);
    const reach = isSquare ? Math.max : Math.hypot;
    if (reach(Math.abs(across) + width / 2, Math.abs(down) + height / 2) > inner - 2) return null;
    const [left, top] = [x - width / 2 + across, y - height / 2 + down];
    return { box: [left, top, left + width, top + height], side: 0, direction, gap, isInside: true, line: null };
  }
  const angle = (direction * Math.PI) / 12;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const edge = isSquare ? r / Math.max(Math.abs(cos), Math.abs(sin)) : r;
  const [px, py] = [x + (edge + gap) * cos, y + (edge + gap) * sin];
  // Between, blocks are over the middle of their line.
  const side = direction % 2 === 1 ? 0 : cos > 0.35 ? 1 : cos < -0.35 ? -1 : 0;
  const left = side === 1 ? px : side === -1 ? px - width : px - width / 2;
  const top = py - height / 2 + (sin * height) / 2;
  const box = [left, top, left + width, top + height];
  // Corners of wide blocks keep off the rim, too.
  const isOver = () => (isSquare ? overlap(box, [x - r, y - r, x + r, y + r]) : distanceOf(box, x, y) < r + 2);
  for (let step = 0; step < 30 && isOver(); step += 1) for (const axis of [0, 1, 2, 3]) box[axis] += 3 * [cos, sin][axis % 2];
  const near = [clamp(x, box[0], box[2]), clamp(y, box[1], box[3])];
  return { box, side, direction, gap, line: gap >= LINE_FROM ? [x + edge * cos, y + edge * sin, ...near] : null };
}

function placeOff({ x, y, r, isSquare }, { width, height }, off) {
  const [left, top] = [x + off[0] - width / 2, y + off[1] - height / 2];
  const box = [left, top, left + width, top + height];
  const near = [clamp(x, box[0], box[2]), clamp(y, box[1], box[3])];
  const [dx, dy] = [near[0] - x, near[1] - y];
  const far = Math.hypot(dx, dy);
  const edge = isSquare ? (r * far) / Math.max(Math.abs(dx), Math.abs(dy)) : r;
  const gap = far - edge;
  if (!(gap > STEPS[0])) return null;
  const length = Math.hypot(off[0], off[1]);
  return { box, side: 0, direction: [off[0] / length, off[1] / length], far: length, gap, line: gap >= LINE_FROM ? [x + (dx * edge) / far, y + (dy * edge) / far, ...near] : null };
}

/**
 * The best free place of a block of text next to a symbol, with its `cost`, or null.
 *
 * `symbol` has `x`, `y`, `r` and `isSquare`, and `isOpen` if a block may be in it; `size` is `width` and `height`. `isFree(box, isInside)` says whether a
 * box, inside the symbol or not, may be taken at all, `isClear(line)` whether a line may be drawn, `toll(line)` what that costs, and
 * `cost(box, line, most, isInside)` how much it would rather not, in
 * pixels of distance, at least up to `most`; `line` is null for near ones. `before` is the block's former place, on whose side it stays unless another
 * place is better by `keeps`. `order` has directions, the best first.
 */
export function placeBlock(symbol, size, test, before = null, order = ORDER) {
  const found = new Best(test);
  const toward = (direction, gap, price) => { if (price < found.least) found.consider(placeAt(symbol, size, direction, gap), price); };
  if (before) keepSide(found, symbol, size, before);
  if (symbol.isOpen) WITHIN_AT.forEach((_, index) => toward(INSIDE + index, 0, WITHIN));
  for (const gap of STEPS) {
    if (gap >= found.least) break;
    order.forEach((direction, rank) => toward(direction, gap, gap + LATER * rank));
    if (gap >= FINER) order.forEach((direction, rank) => toward(direction + 1, gap, gap + LATER * (12 + rank)));
  }
  return found.best;
}

function keepSide(found, symbol, size, { direction, gap, far, keeps }) {
  if (Array.isArray(direction)) {
    for (const part of KEPT_AT) {
      const place = placeOff(symbol, size, direction.map((one) => one * far * part));
      if (place) found.consider({ ...place, direction }, place.gap + (part === 1 ? 0 : SHIFTING) - keeps);
    }
  } else if (direction >= INSIDE) {
    if (symbol.isOpen) found.consider(placeAt(symbol, size, direction, gap), WITHIN - keeps);
  } else for (const other of STEPS) if (other < KEPT_WITHIN * gap + FINER) found.consider(placeAt(symbol, size, direction, other), other + (other === gap ? 0 : SHIFTING) - keeps);
}

class Best {
  best = null;
  least = Infinity;
  constructor({ isFree, isClear = () => true, toll = () => 0, cost = () => 0 }) { Object.assign(this, { isFree, isClear, toll, cost }); }
  consider(place, price) { if (place && price < this.least && this.isFree(place.box, Boolean(place.isInside))) this.weigh(place, price); }

  weigh(place, price) {
    const { box, line, isInside = false } = place;
    const way = line ? price + this.toll(line) : price;
    if (way >= this.least || (line && !this.isClear(line))) return;
    const total = way + this.cost(box, line, this.least - way, isInside);
    if (total < this.least) [this.best, this.least] = [{ ...place, cost: total }, total];
  }
}

/** Distances from a symbol at which blocks are tried, the nearest first: across, down, and their length. */
const around = [];
for (const [step, from, to] of [[FINE, 0, NEARER], [STEP, NEARER, FARTHEST]])
  for (let x = -to; x <= to; x += step)
    for (let y = -to; y <= to; y += step) if (Math.max(Math.abs(x), Math.abs(y)) >= from) around.push([x, y, Math.hypot(x, y)]);
around.sort((a, b) => a[2] - b[2]);

/** The best free place of a block all around a symbol, by steps in pixels, as `placeBlock`; of those that cost less than `most`. */
export function* placeAround(symbol, size, test, most) {
  const found = new Best(test);
  found.least = most;
  // No block is nearer to its symbol than its middle less half of both.
  const reach = Math.hypot(size.width, size.height) / 2 + symbol.r * (symbol.isSquare ? Math.SQRT2 : 1) - LATER * 24;
  let count = 0;
  for (const off of around) {
    if (off[2] - reach >= found.least) break;
    if ((count += 1) % AT_ONCE === 0) yield;
    const [left, top] = [symbol.x + off[0] - size.width / 2, symbol.y + off[1] - size.height / 2];
    if (!test.isFree([left, top, left + size.width, top + size.height], false)) continue;
    const place = placeOff(symbol, size, off);
    if (place) found.weigh(place, place.gap + LATER * 24);
  }
  return found.best;
}

export function meetEachOther([ax, ay, bx, by], [cx, cy, dx, dy]) {
  const side = (px, py, qx, qy, x, y) => Math.sign((qx - px) * (y - py) - (qy - py) * (x - px));
  return side(ax, ay, bx, by, cx, cy) !== side(ax, ay, bx, by, dx, dy) && side(cx, cy, dx, dy, ax, ay) !== side(cx, cy, dx, dy, bx, by);
}

/** The part of a line in a box: its ends, and their position in the line from 0 to 1; null if it does not meet the box. */
export function clipLine([ax, ay, bx, by], [west, north, east, south]) {
  let [from, to] = [0, 1];
  for (const [start, way, low, high] of [[ax, bx - ax, west, east], [ay, by - ay, north, south]]) {
    if (way === 0) {
      if (start < low || start > high) return null;
      continue;
    }
    const [a, b] = [(low - start) / way, (high - start) / way];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  if (from > to) return null;
  return { ax: ax + (bx - ax) * from, ay: ay + (by - ay) * from, bx: ax + (bx - ax) * to, by: ay + (by - ay) * to, from, to };
}

export function meets(line, box) { return clipLine(line, box) !== null; }

function distanceFrom(px, py, [x0, y0, x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = Math.max(0, Math.min(1, ((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(px - x0 - along * dx, py - y0 - along * dy);
}

/** What a box over another symbol costs, in pixels of distance, the more for squares; and if its line seems to be the other's. */
export function costOver(box, symbol, line = null) {
  const within = costWithin(box, symbol);
  const isMistaken = line && symbol.r > 3 && distanceOf(box, symbol.x, symbol.y) - symbol.r < NEARBY;
  return within + (within > 0 ? COVERED : 0) + (isMistaken ? MISTAKEN : 0);
}

export function crosses(line, { x, y, r, isSquare }) { return isSquare ? meets(line, [x - r, y - r, x + r, y + r]) : distanceFrom(x, y, line) < r; }
export function covers(box, symbol) { return costWithin(box, symbol) > 0; }

function costWithin(box, symbol) {
  const { x, y, r, isSquare } = symbol;
  const part = coveredPart(box, symbol);
  if (part === 0) return 0;
  const shared = [0, 1].map((axis) => Math.max(0, Math.min(box[axis + 2], [x, y][axis] + r) - Math.max(box[axis], [x, y][axis] - r)));
  const hidden = Math.min(1, (shared[0] * shared[1]) / (4 * r * r));
  return part * (isSquare ? 150 : 105) + hidden * Math.min(1, r / 6) * (isSquare ? 90 : 45);
}

/** The part of a box that a symbol covers, 0 to 1, by points of the box. */
function coveredPart(box, { x, y, r, isSquare }) {
  if (box[0] > x + r || box[2] < x - r || box[1] > y + r || box[3] < y - r || (!isSquare && distanceOf(box, x, y) >= r)) return 0;
  let count = 0;
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      const [dx, dy] = [box[0] + ((i + 0.5) / 6) * (box[2] - box[0]) - x, box[1] + ((j + 0.5) / 3) * (box[3] - box[1]) - y];
      if (isSquare ? Math.max(Math.abs(dx), Math.abs(dy)) < r : dx * dx + dy * dy < r * r) count += 1;
    }
  }
  // A small symbol may be between the points.
  return Math.max(count / 18, 0.12);
}

// Where texts of a view are: at sea, on the land of a root, or in a land of the level.

const CELL = 4; // pixels
const LINE_STEP = 6; // pixels between points of a line

/** What is where in a view, in cells: lands by their paths, and the borders and coasts between them. */
export class Grounds {
  constructor({ width, height }) {
    [this.width, this.height] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
    this.cells = new Int32Array(this.width * this.height);
    this.numbers = new Map();
    this.paths = [undefined];
    this.sums = null;
  }

  /** Adds a ring of a land over those added before; of the sea without a path. `at` is its origin and `scale` its unit, in pixels. */
  add(path, ring, at, scale) {
    const number = path === undefined ? 0 : keptIn(this.numbers, path, () => this.paths.push(path) - 1);
    fill(Float64Array.from(ring, (value, i) => (value * scale + at[i % 2]) / CELL), this.width, this.height, (index) => { this.cells[index] = number; });
  }

  /** Adds up the cells with a border, once all rings are there. */
  close() {
    const { cells, width, height } = this;
    this.sums = new Uint32Array((width + 1) * (height + 1));
    for (let y = 0; y < height; y += 1) {
      for (let x = 0, sum = 0; x < width; x += 1) {
        const at = y * width + x;
        if ((x > 0 && cells[at] !== cells[at - 1]) || (y > 0 && cells[at] !== cells[at - width])) sum += 1;
        this.sums[(y + 1) * (width + 1) + x + 1] = this.sums[y * (width + 1) + x + 1] + sum;
      }
    }
  }

  /** For each land whether a condition on its path holds, for `outside`. */
  which(test) { return Uint8Array.from(this.paths, (path) => Number(test(path))); }

  /** The pixels of a line that are on land of which `which` is false, roughly. */
  outside([x0, y0, x1, y1], which) {
    const { cells, width, height } = this;
    const count = Math.ceil(Math.hypot(x1 - x0, y1 - y0) / LINE_STEP);
    let sum = 0;
    for (let i = 0; i <= count; i += 1) {
      const column = clamp(Math.floor((x0 + ((x1 - x0) * i) / count) / CELL), 0, width - 1);
      const row = clamp(Math.floor((y0 + ((y1 - y0) * i) / count) / CELL), 0, height - 1);
      if (which[cells[row * width + column]] === 0) sum += LINE_STEP;
    }
    return sum;
  }

  /** The path of the land in whose ground a box is as a whole, undefined at sea; null across a border or a coast. */
  under(box) { return this.borders(box) > 0 ? null : this.at((box[0] + box[2]) / 2, (box[1] + box[3]) / 2); }

  at(x, y) {
    const [column, row] = [x / CELL, y / CELL].map((value, axis) => clamp(Math.floor(value), 0, [this.width, this.height][axis] - 1));
    return this.paths[this.cells[row * this.width + column]];
  }

  /** The length in pixels of the borders and coasts in a box, roughly. */
  borders({ 0: west, 1: north, 2: east, 3: south }) {
    const [x0, x1] = [Math.floor(west / CELL), Math.floor(east / CELL) + 1].map((x) => clamp(x, 0, this.width));
    const [y0, y1] = [Math.floor(north / CELL), Math.floor(south / CELL) + 1].map((y) => clamp(y, 0, this.height));
    if (x1 <= x0 || y1 <= y0) return 0;
    const sum = (x, y) => this.sums[y * (this.width + 1) + x];
    return CELL * (sum(x1, y1) - sum(x0, y1) - sum(x1, y0) + sum(x0, y0));
  }
}
