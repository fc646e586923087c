// The lives of lands and files in tiles: what exists at a moment, and coasts that rise and sink.
import { canvasOf, fillIn, strokeAll, strokeDashed, strokeLines } from "./geo.js";
import { prepare, sidesOf, wandered } from "./land.js";
import { MomentSums } from "./momentsums.js";
import { breadthIn, drawFile, fileSize, outlineOf, pathOf } from "./shapes.js";
import { TileBitmaps } from "./tiles.js";
import { FolderChanges, timeColours } from "./timelights.js";
import { ADDED, THERE } from "./timeline.js";

// Tiles at a moment of a time line: which lands are in each, and its files.

/** The maximum number of dots for the files of a tile that are too dense to be shown. */
const MAXIMUM_DOTS = 1500;
/** Milliseconds between two drawings of a tile's lands while time runs; what is new has its outline at once. */
const PAUSE = 700;

export class TimeTiles {
  /** `moment` has the `timeline`, its `state`, the comparison `span`, and `presenceOf(node)`. */
  constructor(view, moment) {
    Object.assign(this, { view, moment, bitmaps: new TileBitmaps() });
    this.lands = 0; // changes whenever a land in view is drawn differently
    this.sums = null;
  }

  draw(context, camera, tiles, list, ratio, deadline) {
    const { timeline, state } = this.moment;
    if (this.sums?.timeline !== timeline) this.sums = new MomentSums(timeline);
    this.sums.goTo(state);
    this.lands = 0;
    this.isOld = false;
    const frameOf = (entry, size) => ({ entry, size, ratio, px: size / 4096, zoom: camera.z, known: this.known(entry) });
    const isSharp = this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline, keyOf: (entry) => this.keyOf(entry),
      render: (pen, entry, size) => this.render(pen, frameOf(entry, size)),
      renew: (pen, entry, size) => this.renew(pen, frameOf(entry, size)) });
    return isSharp && !this.isOld;
  }

  keyOf(entry) {
    const known = this.known(entry);
    this.update(known);
    // The tile itself draws the lands that are there.
    const now = this.view.clock.now();
    if (entry.look !== known.landHash && (!this.moment.isRunning || now - known.changedAt > PAUSE)) {
      [entry.look, known.changedAt, this.isOld] = [known.landHash, now, true];
    }
    return `${known.hash}${known.isRough && !this.moment.isRunning ? "+" : ""}`;
  }

  known(entry) {
    const { timeline } = this.moment;
    if (entry.timed?.version === entry.version && entry.timed.timeline === timeline) return entry.timed;
    prepare(entry);
    const nodesOf = (things) => Int32Array.from(things, (thing) => timeline.node(thing.path, thing.kind !== "poi") ?? -1);
    const { land, files } = entry.data;
    const dots = this.dotsIn(entry, new Set(files.map(({ path }) => path)));
    const lands = nodesOf(land);
    entry.timed = { version: entry.version, timeline, land: lands, files: nodesOf(files), dots, state: -2, hash: 0,
      indices: new Map([...lands].map((node, index) => [node, index])), look: "", isRough: false, changedAt: -Infinity,
      fileStates: new Uint8Array(files.length), dotStates: new Uint8Array(dots.length), drawnFiles: null, drawnDots: null };
    return entry.timed;
  }

  indexOf(entry, node) { return entry.timed?.indices.get(node); }

  /** Files that only deeper zooms show; a spread sample of very many. */
  dotsIn(entry, shown) {
    const { timeline } = this.moment;
    const count = 2 ** entry.z;
    const [west, north] = [entry.x / count, entry.y / count];
    const found = [];
    for (let node = 0; node < timeline.nodeCount; node += 1) {
      const [x, y] = [(timeline.x[node] - west) * count, (timeline.y[node] - north) * count];
      if (x >= 0 && y >= 0 && x < 1 && y < 1 && !timeline.isFolder[node] && !shown.has(timeline.paths[node])) found.push(node);
    }
    const step = Math.ceil(found.length / MAXIMUM_DOTS);
    return Int32Array.from(step > 1 ? found.filter((_, index) => index % step === 0) : found);
  }

  isThere(node) {
    if (node < 0 || this.sums.versions[node] >= 0) return true;
    return this.moment.span !== null && this.moment.presenceOf(node) === THERE;
  }

  update(known) {
    const { state } = this.moment;
    const comparison = this.moment.span?.comparison ?? null;
    if (known.state !== state || known.comparison !== comparison) {
      [known.state, known.comparison] = [state, comparison];
      known.hash = 0x811c9dc5;
      const mix = (is) => { known.hash = Math.imul(known.hash ^ is, 0x01000193); };
      for (const node of known.land) mix(Number(this.isThere(node)));
      known.landHash = known.hash;
      for (const [nodes, states] of [[known.files, known.fileStates], [known.dots, known.dotStates]]) {
        for (let i = 0; i < nodes.length; i += 1) {
          states[i] = Number(this.isThere(nodes[i]));
          mix(states[i]);
        }
      }
    }
    this.lands = Math.imul(this.lands ^ known.landHash, 0x01000193);
  }

  lookOf({ size, zoom, entry: { version } }) { return `${version}|${size}|${zoom.toFixed(2)}|${this.view.palette.key}`; }

  render(context, frame) {
    const { known } = frame;
    known.dotStates.forEach((is, index) => { if (is) this.drawDot(context, index, frame); });
    known.fileStates.forEach((is, index) => { if (is) this.drawFile(context, index, frame); });
    Object.assign(known, { look: this.lookOf(frame), isRough: false, drawnFiles: known.fileStates.slice(), drawnDots: known.dotStates.slice() });
  }

  /** Draws only what came and went since; false if all has to be drawn. */
  renew(context, frame) {
    const { known, px, ratio, size, zoom, entry } = frame;
    if (!this.moment.isRunning || known.look !== this.lookOf(frame)) return false;
    const { timeline } = this.moment;
    const count = 2 ** entry.z;
    const erase = (x, y, r) => {
      context.clearRect(x - r, y - r, 2 * r, 2 * r);
      // Neighbours may have lost a part.
      known.isRough = true;
    };
    known.dotStates.forEach((is, index) => {
      if (is === known.drawnDots[index]) return;
      const node = known.dots[index];
      if (is) this.drawDot(context, index, frame);
      else erase((timeline.x[node] * count - entry.x) * size, (timeline.y[node] * count - entry.y) * size, 1.5 * ratio);
    });
    known.fileStates.forEach((is, index) => {
      if (is === known.drawnFiles[index]) return;
      const file = entry.data.files[index];
      if (is) this.drawFile(context, index, frame);
      else erase(file.x * px, file.y * px, (fileSize(zoom - file.minzoom) + 1.5) * ratio);
    });
    known.drawnDots.set(known.dotStates);
    known.drawnFiles.set(known.fileStates);
    return true;
  }

  drawDot(context, index, { entry, known, size, ratio }) {
    const { x, y } = this.moment.timeline;
    const node = known.dots[index];
    const count = 2 ** entry.z;
    context.fillStyle = this.view.palette.theme.file;
    context.globalAlpha = 0.6;
    context.fillRect((x[node] * count - entry.x) * size - 0.6 * ratio, (y[node] * count - entry.y) * size - 0.6 * ratio, 1.3 * ratio, 1.3 * ratio);
    context.globalAlpha = 1;
  }

  drawFile(context, index, { entry, px, ratio, zoom }) {
    const file = entry.data.files[index];
    drawFile(context, file, file.x * px, file.y * px, zoom - file.minzoom, this.view.palette, ratio);
  }
}

// Land that rises and sinks at a moment of a time line: what is new comes out of the water with surf, what is gone is a
// ruin that fades.

const MAXIMUM_TIDES = 60; // folders per frame that rise or sink, the newest first
const RUIN = 2; // for how many glows a ruin is seen
const RISING = 0.45; // the part of a glow in which land rises
const MINIMUM = 5; // pixels across
const MINIMUM_SURF = 24;
const HATCH = 7; // the distance of a ruin's lines in pixels

export function isRuin(moment, node) {
  const change = moment.timeline.lastChange(node, moment.state);
  return change >= 0 && moment.ageOf(change) < RUIN * moment.glow;
}

/** How land that came `age` seconds ago looks: the parts of water over it, of surf around it, and of its outline. */
export function risingAt(age, glow) {
  const part = Math.max(0, Math.min(1, age / glow));
  const left = Math.max(0, 1 - part / RISING);
  return { water: left * left * (3 - 2 * left), surf: Math.min(1, 6 * part) * (1 - part) ** 1.5, outline: 1 - part ** 3, part };
}

/** How land that went `age` seconds ago looks: the parts of land, and of its lines. */
export function sinkingAt(age, glow) {
  const part = Math.max(0, Math.min(1, age / (RUIN * glow)));
  return { land: 0.75 * Math.max(0, 1 - 2 * part), lines: (1 - part) ** 0.8 };
}

export class Tides {
  constructor(view, moment) { Object.assign(this, { view, moment, folders: null }); }

  moving() {
    const { moment } = this;
    const { timeline, state } = moment;
    if (this.folders?.timeline !== timeline) this.folders = new FolderChanges(timeline);
    const [found, glow] = [new Map(), moment.glow];
    for (const change of this.folders.before(state, 4 * MAXIMUM_TIDES)) {
      const node = timeline.nodes[change];
      const age = moment.ageOf(change);
      if (age > RUIN * glow || found.size >= MAXIMUM_TIDES) break;
      if (found.has(node)) continue;
      const isNew = timeline.kinds[change] === ADDED;
      if (isNew && age > glow) continue;
      found.set(node, { isNew, age });
    }
    return found;
  }

  draw(context, camera, tiles, list, ratio, indexOf) {
    const moving = this.moving();
    if (moving.size === 0) return;
    context.lineJoin = context.lineCap = "round";
    for (const address of list) {
      const entry = tiles.best(address);
      if (!entry) continue;
      const found = [...moving].map(([node, how]) => [indexOf(entry, node), how]).filter(([index]) => index !== undefined);
      if (found.length === 0) continue;
      const spot = tiles.spot(camera, address, ratio);
      const up = 2 ** (address.z - entry.z);
      const size = spot.width * up;
      const frame = { entry, size, px: size / 4096, ratio, x: spot.x - (address.x % up) * spot.width, y: spot.y - (address.y % up) * spot.height };
      context.save();
      context.beginPath();
      context.rect(spot.x, spot.y, spot.width, spot.height);
      context.clip();
      // Gone land first, so that new land is above it.
      for (const isNew of [false, true]) {
        for (const [index, how] of found) {
          const land = entry.data.land[index];
          if (how.isNew !== isNew || land.depth === 0 || breadthIn(land, frame) < MINIMUM) continue;
          if (isNew) this.rise(context, land, how.age, frame);
          else this.sink(context, land, how.age, frame, camera);
        }
      }
      context.restore();
    }
    context.globalAlpha = 1;
  }

  pathsOf(land, { entry, px, x, y }) {
    if (land.tide?.px !== px) {
      land.sides ??= sidesOf(land).map((line) => wandered(line, entry));
      land.tide = { px, shape: pathOf(outlineOf(land), px), lines: pathOf(land.sides, px, false) };
    }
    const moved = (path) => {
      const there = new Path2D();
      there.addPath(path, { e: x, f: y });
      return there;
    };
    return { shape: moved(land.tide.shape), lines: moved(land.tide.lines) };
  }

  rise(context, land, age, frame) {
    const { theme, isDark } = this.view.palette;
    const { water, surf, outline, part } = risingAt(age, this.moment.glow);
    const { shape, lines } = this.pathsOf(land, frame);
    const { ratio } = frame;
    if (water > 0 && land.depth === 1) {
      context.globalAlpha = 0.42 * water;
      fillIn(context, theme.shelf, shape);
    }
    if (surf > 0 && !this.view.isCalm && breadthIn(land, frame) > MINIMUM_SURF) {
      const reach = land.depth === 1 ? 13 : 7;
      const widthOf = (wide) => (2 + 2 * reach * wide * (0.35 + 0.65 * part)) * ratio;
      strokeAll(context, isDark ? "#d9f4f2" : "#ffffff", [[widthOf(1), 0.16 * surf], [widthOf(0.55), 0.24 * surf]], lines);
    }
    strokeAll(context, timeColours(this.view.palette)[0], [[(land.depth === 1 ? 2 : 1.5) * ratio, outline]], lines);
  }

  sink(context, land, age, frame, camera) {
    const { palette } = this.view;
    const { land: rest, lines: left } = sinkingAt(age, this.moment.glow);
    const { shape, lines } = this.pathsOf(land, frame);
    const { ratio } = frame;
    context.globalAlpha = rest;
    fillIn(context, palette.isDark ? "#2b2624" : "#d8cfc0", shape);
    const hatching = this.hatching(context, ratio);
    // The lines belong to the map, and move with it.
    hatching.setTransform({ e: (0.5 - camera.x) * camera.scale * ratio, f: (0.5 - camera.y) * camera.scale * ratio });
    context.globalAlpha = 0.6 * left;
    fillIn(context, hatching, shape);
    context.globalAlpha = 0.75 * left;
    strokeDashed(context, timeColours(palette)[2], 1.2 * ratio, [4 * ratio, 3 * ratio], lines);
  }

  hatching(context, ratio) {
    const colour = timeColours(this.view.palette)[2];
    const key = `${colour}|${ratio}`;
    if (this.hatched?.key !== key) {
      const side = Math.round(HATCH * ratio);
      const lines = [-side, 0, side].map((shift) => [shift - 1, side + 1, shift + side + 1, -1]);
      const tile = canvasOf(side, side, (pen) => strokeLines(pen, colour, 1.1 * ratio, ...lines));
      this.hatched = { key, pattern: context.createPattern(tile, "repeat") };
    }
    return this.hatched.pattern;
  }
}
