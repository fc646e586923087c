// Built-up ground: settled where files are dense, in three steps, also before the files themselves are visible.
import { boxOfRings, mix } from "./geo.js";
import { pathOf } from "./shapes.js";

const NEAR = 7; // pixels within which files are neighbours
export const STEPS = [[0, 6.8], [2, 5.4], [5, 4.2]]; // minimum neighbours, and the reach of the ground

/** The step of ground for each file, −1 for none; `files` have places `x` and `y` in pixels. */
export function settledGround(files, near) {
  const cells = new Map();
  const key = (x, y) => `${Math.floor(x / near)},${Math.floor(y / near)}`;
  for (const file of files) {
    const at = key(file.x, file.y);
    if (!cells.has(at)) cells.set(at, []);
    cells.get(at).push(file);
  }
  return files.map((file) => {
    let count = -1;
    for (let dy = -near; dy <= near; dy += near) {
      for (let dx = -near; dx <= near; dx += near) {
        for (const other of cells.get(key(file.x + dx, file.y + dy)) ?? []) {
          if (Math.hypot(other.x - file.x, other.y - file.y) <= near) count += 1;
        }
      }
    }
    return STEPS.findLastIndex(([least]) => count >= least);
  });
}

/** Whether ground of a step is drawn for a file; single files have none. */
export function isSettled(own, step) { return own >= Math.max(1, step); }

/** Draws the ground under the files of a tile. */
export function drawGround(context, { entry, px, ratio, theme, palette }) {
  const { files } = entry.data;
  if (files.length === 0 || palette.mode !== "kind") return;
  const places = files.map((file) => ({ x: file.x * px, y: file.y * px }));
  const steps = settledGround(places, NEAR * ratio);
  STEPS.forEach(([, reach], step) => {
    const r = reach * ratio;
    context.beginPath();
    places.forEach(({ x, y }, index) => {
      if (!isSettled(steps[index], step)) return;
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, Math.PI * 2);
    });
    context.fillStyle = theme.ground[step];
    context.fill();
  });
}

/** The density of ground for so many files on so many pixels, as a step from 0 to 2. */
export function townStep(files, pixels) {
  const each = pixels / Math.max(1, files);
  return each > 60 ? 0 : each > 6 ? 1 : 2;
}

/** The density of a folder's ground, by its entries and its land's breadth in pixels, so that all tiles agree. */
export function densityOf(land, breadth) { return townStep(land?.size ?? 0, 0.95 * breadth * breadth); }

/**
 * Draws the ground of files that are not visible yet: fields and houses. `breadths` are the breadths of lands in
 * pixels.
 */
export function drawTowns(context, { entry, px, size, ratio, theme, taken }, breadths) {
  const step = 4.5 * ratio;
  const count = Math.round(size / step);
  const cell = size / count;
  const lands = new Map(entry.data.land.map((land) => [land.path, land]));
  for (const town of entry.data.towns ?? []) {
    const path = pathOf(town.rings, px);
    const [west, north, east, south] = boxOfRings(town.rings).map((value) => value * px);
    const dense = densityOf(lands.get(town.folder), breadths.get(town.folder) ?? 0);
    context.save();
    // Of a root's own files only what is on land.
    if (lands.get(town.folder)?.depth === 0) context.clip(taken);
    context.clip(path);
    context.globalAlpha = 0.55;
    context.fillStyle = theme.ground[dense];
    context.fill(path);
    context.globalAlpha = 0.8;
    context.fillStyle = theme.house;
    for (let y = Math.max(-1, Math.floor(north / cell)); y <= Math.min(count, south / cell); y += 1) {
      for (let x = Math.max(-1, Math.floor(west / cell)); x <= Math.min(count, east / cell); x += 1) {
        const h = mix(entry.x * count + x, entry.y * count + y, entry.z + 91);
        if ((h & 255) / 255 > [0.1, 0.28, 0.5][dense]) continue;
        context.fillRect((x + ((h >>> 8) & 255) / 400) * cell, (y + ((h >>> 16) & 255) / 400) * cell, 1.4 * ratio, 1.4 * ratio);
      }
    }
    context.restore();
  }
}
