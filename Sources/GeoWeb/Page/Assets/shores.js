// The shores of each root: the coasts of the land that its folders and files have taken, in world coordinates.
//
// What is taken comes with the tiles of one zoom, that of the view of the whole world. The shores are the same at every
// zoom, so that land neither grows nor moves while one zooms.
import { boxOfRings, hashText, overlap } from "./geo.js";
import { layers } from "./layers.js";
import { project, projectRing, worldPlace } from "./mercator.js";
import { emptyTile } from "./source.js";
import { Tiles } from "./tiles.js";
import { boxOfTaken, grownLand } from "./taken.js";

/** The rim of taken land, as a part of the whole world's longer side; 25 pixels at the start. */
const RIM = 1 / 30;
/** And at most as a part of a root's own land, so that small ones don't drown in it. */
const OWN_RIM = 1 / 12;
/** With more roots than this, their lands are too small: each root is all land. */
const CROWD = 64;
/** Milliseconds between two looks at what is there in a history. */
const PAUSE = 500;
/** With more tiles than this, shores are computed from a farther zoom. */
const MOST_TILES = 40;

/** The box of degrees as a box of the world: west, north, east, south. */
function boxInWorld([west, south, east, north]) {
  const [a, b] = [project(west, north), project(east, south)];
  return [a.x, a.y, b.x, b.y];
}

/** The longer side of a box, 0 of an empty one. */
function sideOf([west, north, east, south]) { return Math.max(0, east - west, south - north); }

/** The tiles of a zoom that meet boxes of the world. */
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

/**
 * The taken ground of a tile by root, in world coordinates: outlines of lands, ground and places of files, each with
 * the thing that took it.
 */
function takenIn(entry, labels) {
  const taken = new Map(labels.map((label) => [label, { lands: [], towns: [], files: [] }]));
  const { land, towns = [], files } = entry.data;
  const unit = 1 / 4096 / 2 ** entry.z;
  const inWorld = (ring) => {
    const world = new Array(ring.length);
    for (let i = 0; i < ring.length; i += 2) {
      world[i] = (entry.x * 4096 + ring[i]) * unit;
      world[i + 1] = (entry.y * 4096 + ring[i + 1]) * unit;
    }
    return world;
  };
  for (const one of land) if (one.depth === 1) taken.get(one.parent)?.lands.push({ thing: one, rings: one.outline.map(inWorld) });
  for (const { folder, rings } of towns) taken.get(folder)?.towns.push(...rings.map(inWorld));
  for (const one of files) taken.get(one.folder)?.files.push({ thing: one, place: worldPlace(entry, one.x, one.y) });
  return taken;
}

export class Shores {
  /** `changed` is called after each change. */
  constructor(changed) {
    this.changed = changed;
    /** Each root's `land` and `shallows` by its path, as rings in world coordinates, and a `box` around them. */
    this.all = new Map();
    /** Increases with each change. */
    this.version = 0;
    /** Whether each root is all land. */
    this.isCrowd = false;
    this.labels = [];
    /** The places of a root's own files, if they came with it. */
    this.islets = new Map();
    this.parts = new Map();
    /** The tiles that show it, and those of them that are not here yet. */
    this.wanted = new Set();
    this.missing = new Map();
    this.asked = new Set();
    this.lookedAt = -Infinity;
    this.lookedFor = "";
  }

  get isComplete() { return this.missing.size === 0; }

  /** Begins for the roots, with the tiles of a zoom. */
  begin(roots, z) {
    this.isCrowd = roots.length > CROWD;
    if (this.isCrowd) return;
    this.labels = roots.map(({ label }) => label);
    this.islets = new Map(roots.filter(({ islets }) => islets).map(({ label, islets }) => [label, projectRing(islets)]));
    const boxes = roots.map(({ taken, bbox }) => boxInWorld(taken ?? bbox));
    let zoom = z;
    while (zoom > 0 && tilesOf(boxes, zoom).size > MOST_TILES) zoom -= 1;
    this.missing = tilesOf(boxes, zoom);
    this.wanted = new Set(this.missing.keys());
  }

  /** Whether a tile shows what is taken. */
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
  look(now, key, isRunning) {
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
      const [now, ever] = [false, true].map((isEver) => layers.first("islets", label, isEver));
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
