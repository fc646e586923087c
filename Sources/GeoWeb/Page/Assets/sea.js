// The sea, the shallow water of each root, and the shores of land.
import { boxOfRings, clipRing, fillIn, hashText, overlap, strokeDashed, strokeIn, strokeLines } from "./geo.js";
import { layers } from "./layers.js";
import { boxInWorld, project, projectRing, TILE, worldPlace } from "./mercator.js";
import { wander } from "./rules.js";
import { pathOf } from "./shapes.js";
import { emptyTile } from "./source.js";
import { boxOfTaken, grownLand } from "./taken.js";
import { Tiles } from "./tiles.js";

// Whole outlines of roots, which are the edges of their shelves.

const MAXIMUM_COASTS = 64; // the maximum number of whole coasts

function addCoast(view, label, coast) { if (coast.length > 0) view.coasts.set(label, projectRing(coast)); }

export function addCoasts(view, roots) {
  for (const { label, coast } of roots.slice(0, MAXIMUM_COASTS)) if (coast) addCoast(view, label, coast);
}

export async function loadCoasts(view, source, roots) {
  const missing = roots.slice(0, MAXIMUM_COASTS).filter(({ coast }) => !coast);
  if (missing.length === 0) return;
  try {
    for (const { label } of missing) {
      const geometry = (await source.node(label, undefined, 0))?.feature.geometry;
      if (geometry?.type === "Polygon") addCoast(view, label, geometry.coordinates[0].slice(0, -1).flat());
    }
    view.restyle();
  } catch {
    // Each tile then draws its part.
  }
}

/** Distances of waterlines from the coast, in pixels. */
export const WATERLINES = [2.6, 5.4, 8.2, 11, 13.8, 16.6];
const CROWD = 100; // the number of coasts from which far waterlines are omitted, as other coasts cover them
const REACH = 24; // pixels beyond a tile's edge in which a coast matters
const SIDE = 5; // the length of a coast's sides, in pixels of a tile, so that it can wander

/** The part of a coast (in world coordinates) in a tile, in its pixels, displaced by the world's field. */
function coastIn(coast, { x: left, y: top, z }, size, ratio) {
  const side = size * 2 ** z;
  const ring = new Array(coast.length);
  for (let i = 0; i < coast.length; i += 2) {
    ring[i] = coast[i] * side - left * size;
    ring[i + 1] = coast[i + 1] * side - top * size;
  }
  const edge = REACH * ratio;
  return wanderedRing(clipRing(ring, [-edge, size + edge]), left, top, TILE / size);
}

/** A ring in pixels, with more points, that looks drawn by hand; `scale` is pixels of a tile to them. */
function wanderedRing(ring, left, top, scale) {
  const all = [];
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    const [ax, ay, bx, by] = [ring[i], ring[i + 1], ring[j], ring[j + 1]];
    const count = Math.max(1, Math.ceil((Math.hypot(bx - ax, by - ay) * scale) / SIDE));
    for (let step = 0; step < count; step += 1) {
      const [x, y] = [ax + ((bx - ax) * step) / count, ay + ((by - ay) * step) / count];
      const [worldX, worldY] = [left * TILE + x * scale, top * TILE + y * scale];
      const [dx, dy] = wander(worldX, worldY);
      const [fx, fy] = wander(worldX * FINE, worldY * FINE);
      all.push(x + (dx + fx * 0.4) / scale, y + (dy + fy * 0.4) / scale);
    }
  }
  return all;
}

const FINE = 4; // how much finer a coast's second wandering is

/** The parts of coasts in a tile, as a path; null for none. */
export function coastPath(coasts, entry, size, ratio) {
  const rings = coasts.map((coast) => coastIn(coast, entry, size, ratio)).filter((ring) => ring.length > 0);
  return rings.length > 0 ? pathOf(rings, 1) : null;
}

/** `shelves` are the edges of shallow water in a tile, and `coasts` those of land, as paths. */
export function* drawSea(context, entry, size, { shelves, coasts }, theme, ratio) {
  context.fillStyle = theme.sea;
  context.fillRect(0, 0, size, size);
  context.lineJoin = "round";
  // Half of each dotted edge is covered, and all of it within another shelf.
  for (const path of shelves) strokeDashed(context, theme.shelfedge, 2.2 * ratio, [1.4 * ratio, 3 * ratio], path);
  for (const path of shelves) fillIn(context, theme.shelf, path);
  yield;
  // From far to near: a line, and inside it shallow water.
  const lines = coasts.length > CROWD ? 2 : WATERLINES.length;
  for (let index = lines - 1; index >= 0 && coasts.length > 0; index -= 1) {
    const far = WATERLINES[index] * ratio;
    for (const [width, colour] of [[2 * far, theme.waterline[index]], [2 * far - 1.6 * ratio, theme.shelf]]) {
      for (const path of coasts) strokeIn(context, colour, width, path);
    }
    if (index % 2 === 0) yield;
  }
  drawGraticule(context, entry, size, theme, ratio);
}

/** Meridians and parallels: every 10 degrees, stronger every 30, closer on zooming in. */
function drawGraticule(context, entry, size, theme, ratio) {
  const side = size * 2 ** entry.z;
  const steps = [10, 5, 1, 0.5, 0.1, 0.05, 0.01];
  const step = steps[Math.min(steps.length - 1, Math.max(0, Math.floor((entry.z - 1) / 1.6)))];
  if (entry.z > 12) return;
  const count = 2 ** entry.z;
  const [west, degrees] = [(entry.x / count - 0.5) * 360, 360 / count];
  for (const isStrong of [false, true]) {
    const lines = [];
    for (let at = Math.floor(west / step); at <= (west + degrees) / step + 1; at += 1) {
      if ((at % 3 === 0) !== isStrong) continue;
      const x = project(at * step, 0).x * side - entry.x * size;
      lines.push([x, 0, x, size]);
    }
    for (let at = Math.ceil(-85 / step); at * step <= 85; at += 1) {
      if ((at % 3 === 0) !== isStrong) continue;
      const y = project(0, at * step).y * side - entry.y * size;
      if (y >= -2 && y <= size + 2) lines.push([0, y, size, y]);
    }
    strokeLines(context, theme.graticule[isStrong ? 1 : 0], (isStrong ? 1.1 : 0.7) * ratio, ...lines);
  }
}

// The shores of each root: the coasts of the land that its folders and files have taken, in world coordinates.
//
// What is taken comes with the tiles of one zoom, that of the view of the whole world. The shores are the same at every
// zoom, so that land neither grows nor moves while one zooms.

/** The rim of taken land, as a part of the whole world's longer side; 25 pixels at the start. */
const RIM = 1 / 30;
const OWN_RIM = 1 / 12; // and at most as a part of a root's own land, so that small ones don't drown in it
const MAXIMUM_SHORES = 64; // with more roots than this, their lands are too small: each root is all land
const PAUSE = 500; // milliseconds between two looks at what is there in a history
const MAXIMUM_TILES = 40; // with more tiles than this, shores are computed from a farther zoom

function sideOf([west, north, east, south]) { return Math.max(0, east - west, south - north); }

function tilesOf(boxes, z) {
  const count = 2 ** z;
  const at = (value) => Math.max(0, Math.min(count - 1, Math.floor(value * count)));
  const found = new Map();
  for (const [west, north, east, south] of boxes) {
    for (let y = at(north); y <= at(south); y += 1) {
      for (let x = at(west); x <= at(east); x += 1) found.set(Tiles.key(z, x, y), { z, x, y });
    }
  }
  return found;
}

/** The taken ground of a tile by root, in world coordinates: outlines of lands, ground and places of files, with what took it. */
function takenIn(entry, labels) {
  const taken = new Map(labels.map((label) => [label, { lands: [], towns: [], files: [] }]));
  const { land, towns = [], files } = entry.data;
  const unit = 1 / 4096 / 2 ** entry.z;
  const inWorld = (ring) => {
    const world = new Array(ring.length);
    for (let i = 0; i < ring.length; i += 1) world[i] = ((i % 2 === 0 ? entry.x : entry.y) * 4096 + ring[i]) * unit;
    return world;
  };
  for (const one of land) if (one.depth === 1) taken.get(one.parent)?.lands.push({ thing: one, rings: one.outline.map(inWorld) });
  for (const { folder, rings } of towns) taken.get(folder)?.towns.push(...rings.map(inWorld));
  for (const one of files) taken.get(one.folder)?.files.push({ thing: one, place: worldPlace(entry, one.x, one.y) });
  return taken;
}

export class Shores {
  constructor(changed) {
    this.changed = changed;
    /** Each root's `land` and `shallows` by its path, as rings in world coordinates, and a `box` around them. */
    this.all = new Map();
    this.version = 0; // increases with each change
    this.isCrowd = false; // whether each root is all land
    this.labels = [];
    /** The places of a root's own files, if they came with it. */
    Object.assign(this, { islets: new Map(), parts: new Map() });
    /** The tiles that show it, and those of them that are not here yet. */
    Object.assign(this, { wanted: new Set(), missing: new Map(), asked: new Set(), lookedAt: -Infinity, lookedFor: "" });
  }

  get isComplete() { return this.missing.size === 0; }

  begin(roots, z) {
    this.isCrowd = roots.length > MAXIMUM_SHORES;
    if (this.isCrowd) return;
    this.labels = roots.map(({ label }) => label);
    this.islets = new Map(roots.filter(({ islets }) => islets).map(({ label, islets }) => [label, projectRing(islets)]));
    const boxes = roots.map(({ taken, bbox }) => boxInWorld(taken ?? bbox));
    let zoom = z;
    while (zoom > 0 && tilesOf(boxes, zoom).size > MAXIMUM_TILES) zoom -= 1;
    this.missing = tilesOf(boxes, zoom);
    this.wanted = new Set(this.missing.keys());
  }

  wants({ z, x, y }) { return this.wanted.has(Tiles.key(z, x, y)); }

  /** Adds what is taken in a prepared tile; once all are there, the shores follow. */
  learn(entry) {
    if (!this.wants(entry)) return;
    const key = Tiles.key(entry.z, entry.x, entry.y);
    this.parts.set(key, takenIn(entry, this.labels));
    this.missing.delete(key);
    if (this.isComplete) this.settle();
  }

  /** Requests the tiles that the view doesn't; `prepared` makes entries of them. */
  async load(source, tiles, prepared) {
    const others = [...this.missing].filter(([key]) => !tiles.all.has(key) && !this.asked.has(key));
    await Promise.all(others.map(async ([key, address]) => {
      this.asked.add(key);
      const data = await source.tile(address.z, address.x, address.y, new AbortController().signal).catch(() => emptyTile());
      if (this.missing.has(key)) this.learn(prepared({ ...address, data }));
    }));
  }

  /** Follows lands that come and go in a history: at once at another moment, of which there is a `key`, now and then while time runs. */
  follow(now, key, isRunning) {
    if (key === this.lookedFor || (isRunning && now - this.lookedAt < PAUSE) || !this.isComplete) return;
    [this.lookedAt, this.lookedFor] = [now, key];
    this.settle();
  }

  /** Computes the shores of what is taken and visible, if that changed. */
  settle() {
    const parts = [...this.parts.values()];
    const all = new Map(this.labels.map((label) => {
      const of = (name) => parts.flatMap((part) => part.get(label)[name]);
      const islets = this.islets.get(label);
      const [now, ever] = [false, true].map((isEver) => layers.first((layer) => layer.islets(label, isEver)));
      // Known files need no ground.
      const own = { towns: islets || ever ? [] : of("towns"), files: ever ? [] : of("files") };
      return [label, { lands: of("lands"), ...own, islets: now ?? islets ?? [], ever: ever ?? islets ?? [] }];
    }));
    const takenOf = ({ lands, towns, files }, islets, isThere) => ({ rings: lands.filter(({ thing }) => isThere(thing)).flatMap(({ rings }) => rings),
      towns, points: [...files.filter(({ thing }) => isThere(thing)).flatMap(({ place }) => place), ...islets] });
    const taken = new Map([...all].map(([label, one]) => [label, takenOf(one, one.islets, layers.isStanding)]));
    const key = hashText(JSON.stringify([...taken.values()].map(({ rings, towns, points }) => [rings.map((ring) => [ring[0], ring[1], ring.length]), towns.length, points])));
    if (key === this.key) return;
    this.key = key;
    // The rim doesn't change with time.
    const boxes = new Map([...all].map(([label, one]) => {
      const { rings, towns, points } = takenOf(one, one.ever, () => true);
      return [label, boxOfTaken({ rings: [...rings, ...towns], points })];
    }));
    const whole = sideOf(boxOfRings(boxes.values()));
    this.all = new Map([...taken].map(([label, one]) => {
      const box = boxes.get(label);
      const reach = Math.min(whole * RIM, sideOf(box) * OWN_RIM);
      const near = [box[0] - 4 * reach, box[1] - 4 * reach, box[2] + 4 * reach, box[3] + 4 * reach];
      const others = [...taken].filter(([other]) => other !== label && overlap(boxes.get(other), near)).flatMap(([, { rings }]) => rings);
      return [label, { ...grownLand(one, reach, others), box: near }];
    }).filter(([, { land }]) => land.length > 0));
    this.version += 1;
    this.changed();
  }
}
