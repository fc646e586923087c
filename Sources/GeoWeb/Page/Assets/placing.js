// Where symbols and texts have room: apart from each other, next to their symbols, on their side of the coast.
import { contains } from "./geo.js";

// Pushes symbols apart that would hide each other.

const ROUNDS = 40;
const AGAIN = 8; // rounds after which near symbols are looked up again
const SLACK = 16; // pixels by which symbols may come nearer until then
const GAP = 2; // pixels between squares
/** A symbol less than this part of another's size may be on top of it. */
const SMALL = 0.25;
/** Squares of no land are on no circle, from this half side in pixels on. */
const LOOSE = 4;
/** A square may be over the rim of its own circle by this part of its half side. */
const OVER_RIM = 0.6;

/**
 * How far two symbols overlap too much: a vector that moves `b` away from `a`, or null. Both have `x`, `y`, and `r`, a
 * circle's radius or half a square's side; smaller ones are drawn on top.
 */
function excess(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  if (a.isSquare && b.isSquare) {
    const [ox, oy] = [a.r + b.r + GAP - Math.abs(dx), a.r + b.r + GAP - Math.abs(dy)];
    if (ox <= 0 || oy <= 0) return null;
    return ox < oy ? [ox * (dx < 0 ? -1 : 1), 0] : [0, oy * (dy < 0 ? -1 : 1)];
  }
  const [large, small] = a.r >= b.r ? [a, b] : [b, a];
  const isLoose = small.isSquare && small.group === undefined;
  if (isLoose ? small.r < LOOSE : small.r < SMALL * large.r) return null;
  const far = Math.hypot(dx, dy);
  const least = a.r + b.r;
  if (far >= least) return null;
  // Symbols at one place part along any direction, always the same one.
  const turn = (a.index * 2.4 + b.index) % (2 * Math.PI);
  const [ux, uy] = far > 1e-6 ? [dx / far, dy / far] : [Math.cos(turn), Math.sin(turn)];
  return [ux * (least - far), uy * (least - far)];
}

/** Moves a square back to the circle of its land; returns whether it was away. */
function keepTogether(circle, square) {
  const [dx, dy] = [square.x - circle.x, square.y - circle.y];
  const far = Math.hypot(dx, dy);
  const most = Math.max(0, circle.r - OVER_RIM * square.r);
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
 * at their circle, wherever that is pushed. Takes time with the square of their number.
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

// Places blocks of text next to symbols: in one of twelve directions, as near as there is room.

const STEPS = [3, 8, 13, 20, 30, 44, 62, 84, 110, 140, 180, 230];
/** From this distance in pixels on, a block has a line to its symbol. */
const LINE_FROM = 12;
/** Directions, the best first: right, left, above, below, then between. */
const ORDER = [0, 6, 9, 3, 11, 1, 5, 7, 10, 2, 4, 8];
/** What a later direction costs, in pixels of distance. */
const LATER = 0.7;
/** What it costs, in pixels of distance, if a line crosses another symbol, or a block with a line is so near one. */
const CROSSED = 55;
const NEARBY = 10;
const MISTAKEN = 40;
/** What leaving a block's former place costs. */
const MOVING = 26;

/**
 * A block's place in a direction (of twelve, clockwise from the right) at a distance: its box, how lines are aligned
 * (1 left, 0 middle, -1 right), and the ends of its line.
 */
function placeAt({ x, y, r, isSquare }, { width, height }, direction, gap) {
  const angle = (direction * Math.PI) / 6;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const edge = isSquare ? r / Math.max(Math.abs(cos), Math.abs(sin)) : r;
  const [px, py] = [x + (edge + gap) * cos, y + (edge + gap) * sin];
  const side = cos > 0.35 ? 1 : cos < -0.35 ? -1 : 0;
  const left = side === 1 ? px : side === -1 ? px - width : px - width / 2;
  const top = py - height / 2 + (sin * height) / 2;
  const box = [left, top, left + width, top + height];
  const near = [Math.max(box[0], Math.min(box[2], x)), Math.max(box[1], Math.min(box[3], y))];
  return { box, side, direction, gap, line: gap >= LINE_FROM ? [x + edge * cos, y + edge * sin, ...near] : null };
}

/**
 * The best free place of a block of text next to a symbol, or null.
 *
 * `symbol` has `x`, `y`, `r` and `isSquare`; `size` is `width` and `height`. `isFree(box)` says whether a box may be
 * taken at all, `isClear(line)` whether a line may be drawn, `cost(box, line)` how much it would rather not, in pixels
 * of distance; `line` is null for near ones. `before` is the block's former place, which it keeps unless another is much better. `order` has directions,
 * the best first.
 */
export function placeBlock(symbol, size, { isFree, isClear = () => true, cost = () => 0 }, before = null, order = ORDER) {
  let [best, least] = [null, Infinity];
  const consider = (direction, gap, price) => {
    if (price >= least) return;
    const place = placeAt(symbol, size, direction, gap);
    if (!isFree(place.box) || (place.line && !isClear(place.line))) return;
    const total = price + cost(place.box, place.line);
    if (total < least) [best, least] = [place, total];
  };
  if (before) consider(before.direction, before.gap, before.gap - MOVING);
  for (const gap of STEPS) {
    if (gap >= least) break;
    order.forEach((direction, rank) => consider(direction, gap, gap + LATER * rank));
  }
  return best;
}

/** Whether a line (x and y of both ends) meets a box. */
export function meets([x0, y0, x1, y1], [west, north, east, south]) {
  let [from, to] = [0, 1];
  for (const [start, way, low, high] of [[x0, x1 - x0, west, east], [y0, y1 - y0, north, south]]) {
    if (way === 0) {
      if (start < low || start > high) return false;
      continue;
    }
    const [a, b] = [(low - start) / way, (high - start) / way];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}

/** The distance of a point from a line. */
function distanceFrom(px, py, [x0, y0, x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = Math.max(0, Math.min(1, ((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(px - x0 - along * dx, py - y0 - along * dy);
}

/**
 * What a box over another symbol costs, in pixels of distance: more, the more of either is covered; squares more than
 * circles. So does a line across it, and a box with a line that seems to be the other symbol's.
 */
export function costOver(box, symbol, line = null) {
  const { x, y, r } = symbol;
  let astray = 0;
  if (line && r > 3) {
    if (distanceFrom(x, y, line) < r) astray += CROSSED;
    const apart = Math.hypot(Math.max(box[0] - x, 0, x - box[2]), Math.max(box[1] - y, 0, y - box[3])) - r;
    if (apart < NEARBY) astray += MISTAKEN;
  }
  return astray + costWithin(box, symbol);
}

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
  if (box[0] > x + r || box[2] < x - r || box[1] > y + r || box[3] < y - r) return 0;
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

// Where texts of a view are: on land or sea.

const CELL = 8; // pixels: places so near to each other count as one

/** The coasts of a view. */
export class Coastside {
  /** `shores` are those of all roots. */
  constructor(shores, camera) {
    this.camera = camera;
    this.known = new Map();
    const isNear = (ring) => {
      for (let i = 0; i < ring.length; i += 2) if (camera.isNear(...camera.toScreen(ring[i], ring[i + 1]), 60)) return true;
      return false;
    };
    const lands = [...shores.all.values()].map(({ land }) => land);
    // Without a coast in view nothing crosses one.
    this.lands = lands.some((rings) => rings.some(isNear)) ? lands : [];
  }

  isLand(px, py) {
    const key = Math.floor(px / CELL) * 65536 + Math.floor(py / CELL);
    let is = this.known.get(key);
    if (is === undefined) {
      const [x, y] = this.camera.toWorld(px, py);
      // Lakes are rings, too.
      is = this.lands.some((rings) => rings.reduce((inside, ring) => inside !== contains(ring, x, y), false));
      this.known.set(key, is);
    }
    return is;
  }

  /** Whether a box is partly on land and partly at sea. */
  crosses([west, north, east, south]) {
    if (this.lands.length === 0) return false;
    const middle = (north + south) / 2;
    const count = Math.max(2, Math.ceil((east - west) / 30));
    const first = this.isLand(west, middle);
    for (let i = 1; i <= count; i += 1) if (this.isLand(west + ((east - west) * i) / count, middle) !== first) return true;
    return false;
  }
}
