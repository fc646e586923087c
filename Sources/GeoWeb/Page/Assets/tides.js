// Land that rises and sinks at a moment of a time line: what is new comes out of the water with surf, what is gone is a
// ruin that fades.
import { sidesOf, wandered } from "./borders.js";
import { FolderChanges } from "./recent.js";
import { breadthIn, outlineOf, pathOf } from "./shapes.js";
import { timeColours } from "./timelights.js";
import { ADDED } from "./timeline.js";

/** Folders per frame that rise or sink, the newest first. */
const MOST_TIDES = 60;
/** For how many glows a ruin is seen. */
const RUIN = 2;
/** The part of a glow in which land rises. */
const RISING = 0.45;
const LEAST = 5; // pixels across
const LEAST_SURF = 24;
/** The distance of a ruin's lines in pixels. */
const HATCH = 7;

/** Whether something that went is still a ruin. */
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
  constructor(view, moment) {
    Object.assign(this, { view, moment, folders: null });
  }

  /** The folders that come or go, by node: the change, and its age. */
  moving() {
    const { moment } = this;
    const { timeline, state } = moment;
    if (this.folders?.timeline !== timeline) this.folders = new FolderChanges(timeline);
    const found = new Map();
    const glow = moment.glow;
    for (const change of this.folders.before(state, 4 * MOST_TIDES)) {
      const node = timeline.nodes[change];
      const age = moment.ageOf(change);
      if (age > RUIN * glow || found.size >= MOST_TIDES) break;
      if (found.has(node)) continue;
      const isNew = timeline.kinds[change] === ADDED;
      if (isNew && age > glow) continue;
      found.set(node, { isNew, age });
    }
    return found;
  }

  /** Draws them in the tiles of a view; `indexOf(entry, node)` finds a land in a tile. */
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
          if (how.isNew !== isNew || land.depth === 0 || breadthIn(land, frame) < LEAST) continue;
          if (isNew) this.rise(context, land, how.age, frame);
          else this.sink(context, land, how.age, frame, camera);
        }
      }
      context.restore();
    }
    context.globalAlpha = 1;
  }

  /** The shape of a land on the screen, and the lines along its border. */
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
      context.fillStyle = theme.shelf;
      context.fill(shape);
    }
    if (surf > 0 && !this.view.isCalm && breadthIn(land, frame) > LEAST_SURF) {
      context.strokeStyle = isDark ? "#d9f4f2" : "#ffffff";
      const reach = land.depth === 1 ? 13 : 7;
      for (const [wide, alpha] of [[1, 0.16], [0.55, 0.24]]) {
        context.globalAlpha = alpha * surf;
        context.lineWidth = (2 + 2 * reach * wide * (0.35 + 0.65 * part)) * ratio;
        context.stroke(lines);
      }
    }
    context.strokeStyle = timeColours(this.view.palette)[0];
    context.globalAlpha = outline;
    context.lineWidth = (land.depth === 1 ? 2 : 1.5) * ratio;
    context.stroke(lines);
  }

  sink(context, land, age, frame, camera) {
    const { palette } = this.view;
    const { land: rest, lines: left } = sinkingAt(age, this.moment.glow);
    const { shape, lines } = this.pathsOf(land, frame);
    const { ratio } = frame;
    context.globalAlpha = rest;
    context.fillStyle = palette.isDark ? "#2b2624" : "#d8cfc0";
    context.fill(shape);
    const hatching = this.hatching(context, ratio);
    // The lines belong to the map, and move with it.
    hatching.setTransform({ e: (0.5 - camera.x) * camera.scale * ratio, f: (0.5 - camera.y) * camera.scale * ratio });
    context.globalAlpha = 0.6 * left;
    context.fillStyle = hatching;
    context.fill(shape);
    context.globalAlpha = 0.75 * left;
    context.strokeStyle = timeColours(palette)[2];
    context.lineWidth = 1.2 * ratio;
    context.setLineDash([4 * ratio, 3 * ratio]);
    context.stroke(lines);
    context.setLineDash([]);
  }

  /** A pattern of slanting lines. */
  hatching(context, ratio) {
    const colour = timeColours(this.view.palette)[2];
    const key = `${colour}|${ratio}`;
    if (this.hatched?.key !== key) {
      const side = Math.round(HATCH * ratio);
      const tile = document.createElement("canvas");
      tile.width = tile.height = side;
      const pen = tile.getContext("2d");
      pen.strokeStyle = colour;
      pen.lineWidth = 1.1 * ratio;
      pen.beginPath();
      for (const shift of [-side, 0, side]) {
        pen.moveTo(shift - 1, side + 1);
        pen.lineTo(shift + side + 1, -1);
      }
      pen.stroke();
      this.hatched = { key, pattern: context.createPattern(tile, "repeat") };
    }
    return this.hatched.pattern;
  }
}
