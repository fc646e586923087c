// What covers land: built-up ground, hills and trees.
import { boxOfRings, canvasOf, contains, fillIn, keptIn, mix, strokeIn } from "./geo.js";
import { field, height } from "./rules.js";
import { pathOf } from "./shapes.js";

const NEAR = 7; // pixels within which files are neighbours
export const STEPS = [[0, 6.8], [2, 5.4], [5, 4.2]]; // minimum neighbours, and the reach of the ground

/** The step of ground for each file, −1 for none; `files` have places `x` and `y` in pixels. */
export function settledGround(files, near) {
  const cells = new Map();
  const key = (x, y) => `${Math.floor(x / near)},${Math.floor(y / near)}`;
  for (const file of files) keptIn(cells, key(file.x, file.y), () => []).push(file);
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
    fillIn(context, theme.ground[step]);
  });
}

/** The density of ground for so many files on so many pixels, as a step from 0 to 2. */
export function townStep(files, pixels) {
  const each = pixels / Math.max(1, files);
  return each > 60 ? 0 : each > 6 ? 1 : 2;
}

/** The density of a folder's ground, by its entries and its land's breadth in pixels, so that all tiles agree. */
export function densityOf(land, breadth) { return townStep(land?.size ?? 0, 0.95 * breadth * breadth); }

/** Draws the ground of files that are not visible yet: fields and houses. `breadths` are those of lands in pixels. */
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
    fillIn(context, theme.ground[dense], path);
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

// Relief and woods, if they are chosen: height is the bytes below a land, trees are the files below it, both on one
// scale for the whole map.
//
// Ridges belong to the world and have the same form everywhere; a land only sets how high they are. So a land with
// more bytes never looks lower, whatever its area, and tiles fit together.

const GRID = 192; // cells per tile side
const EDGE = 3; // cells around it, as far as a tile knows its surroundings
const SIDE = GRID + 2 * EDGE;
const LIFT = 26; // exaggeration of heights
const CELL = 1.5; // cells to one of a grid of 128
const MINIMUM = 24; // pixels that a land within another has to be across to have its own height

/** Ridges from 0 to 1: sharp above, broad below. `x` and `y` are cells of the whole world. */
export function ridges(x, y) {
  let [sum, weight, size] = [0, 0.68, 15 * CELL];
  for (let octave = 0; octave < 3; octave += 1) {
    const value = 1 - Math.abs(field((x + 0.35 * y) / size, (y - 0.35 * x) / size, 51 + octave));
    sum += weight * value * value;
    weight *= 0.36;
    size *= 0.46;
  }
  return sum / 1.013;
}

/** The light on a slope that falls by `dx` and `dy` from the north-west, from −1 to 1; 0 is level. */
function lightOn(dx, dy) { return (dx + dy) / 2 / Math.sqrt(1 + dx * dx + dy * dy); }

/** Red, green, blue and opacity of relief, for a height from 0 to 1 and the slope of ridges there. Higher is never fainter. */
export function reliefAt(level, dx, dy, [shade, sun]) {
  const lift = LIFT * level * Math.sqrt(level);
  const light = lightOn(dx * lift, dy * lift);
  return light > 0 ? [...sun, 255 * Math.min(1, 0.62 * light * level + 0.1 * light)]
    : [...shade, 255 * Math.min(1, 0.1 * level - 0.5 * light * level - 0.08 * light)];
}

let paper = null;
let levelled = null;

function sheet(options) { return canvasOf(SIDE).getContext("2d", options); }

/** Draws the relief of a tile over its land, in steps. `lands` are by depth; `breadths` has their breadths in pixels by path. */
export function* drawRelief(context, { entry, size, theme }, lands, breadths) {
  const levels = drawLevels(lands, breadths);
  if (!levels) return;
  const [left, top] = [entry.x * GRID - EDGE, entry.y * GRID - EDGE];
  const picture = new ImageData(SIDE, SIDE);
  let above = null;
  let row = new Float32Array(SIDE + 1);
  for (let y = 0; y <= SIDE; y += 1) {
    [above, row] = [row, above ?? new Float32Array(SIDE + 1)];
    for (let x = 0; x <= SIDE; x += 1) row[x] = ridges(left + x, top + y);
    if (y === 0) continue;
    for (let x = 0; x < SIDE; x += 1) {
      const i = ((y - 1) * SIDE + x) * 4;
      if (levels[i] > 0) picture.data.set(reliefAt(levels[i] / 255, row[x + 1] - above[x], row[x] - above[x + 1], theme.relief), i);
    }
    if (y % 24 === 0) yield;
  }
  paper ??= sheet();
  paper.putImageData(picture, 0, 0);
  context.imageSmoothingQuality = "high";
  // All of it, so that cells beyond the edge are blended in.
  const cell = size / GRID;
  context.drawImage(paper.canvas, -EDGE * cell, -EDGE * cell, SIDE * cell, SIDE * cell);
}

/** The heights of lands, cell by cell, as the red of a picture; lands in lands have their own. Null if all is flat. */
function drawLevels(lands, breadths) {
  if (!lands.some(({ bytes }) => height(bytes ?? 0) > 0)) return null;
  levelled ??= sheet({ willReadFrequently: true });
  levelled.resetTransform();
  levelled.fillStyle = "#000";
  levelled.fillRect(0, 0, SIDE, SIDE);
  levelled.translate(EDGE, EDGE);
  for (const land of lands) {
    if (land.bytes === undefined || (land.depth > 1 && breadths.get(land.path) < MINIMUM)) continue;
    fillIn(levelled, `rgb(${Math.round(255 * height(land.bytes))},0,0)`, pathOf(land.drawn, GRID / 4096));
  }
  return levelled.getImageData(0, 0, SIDE, SIDE).data;
}

// Woods: a tree for each hundred files below, until the land is full; in groves, which belong to the world.

const TREE = 6; // pixels of a tree and the room around it
const GROVE = 30; // pixels between the middles of groves
const MAXIMUM_TREES = 14; // in a grove: more would touch each other
const WOOD_MINIMUM = 22; // pixels that a land has to be across
const WOOD_MAXIMUM = 230; // and with more, its parts have woods of their own
const FILES_TO_A_TREE = 100;

/** The lands with woods at a zoom: of nested lands the widest that is not too wide. */
function woodedLands(lands, breadths) {
  return lands.filter((land) => {
    const [breadth, around] = [breadths.get(land.path), breadths.get(land.parent)];
    return land.files >= FILES_TO_A_TREE && breadth >= WOOD_MINIMUM && breadth <= WOOD_MAXIMUM && (land.depth === 1 || !(around <= WOOD_MAXIMUM));
  });
}

/** The mean number of trees in a grove, for the files of a land with a breadth in pixels. */
export function treesInGrove(files, breadth) {
  // A land's area is about a third more than the square of its breadth.
  return Math.min(MAXIMUM_TREES, ((files / FILES_TO_A_TREE) * GROVE * GROVE) / (1.35 * breadth * breadth));
}

/**
 * The trees of a grove as places in pixels, by its column and row in the world, and the mean number of trees. With
 * more, the first ones stay. Few trees stand together in few groves.
 */
export function grove(column, row, zoom, mean) {
  const h = mix(column, row, 77 + zoom);
  const least = 3 + ((h >>> 20) % 4);
  // A grove of a few trees, or none, so that the mean is right.
  const count = mean >= least ? Math.round(mean) : (h & 1023) / 1024 < mean / least ? least : 0;
  const [x, y] = [(column + 0.25 + (0.5 * ((h >>> 10) & 31)) / 31) * GROVE, (row + 0.25 + (0.5 * ((h >>> 15) & 31)) / 31) * GROVE];
  const turn = (h >>> 4) & 63;
  return Array.from({ length: count }, (_, index) => {
    // A spiral of equal distances, each tree a little off it.
    const off = mix(column, row, 1000 + index);
    const far = TREE * 0.62 * Math.sqrt(index + 0.4) + (off & 15) / 12;
    const angle = turn + index * 2.39996 + ((off >>> 4) & 15) / 20;
    return [x + far * Math.cos(angle) * 1.12, y + far * Math.sin(angle) * 0.92];
  });
}

/** Draws the woods of a tile, in steps; `world` is its width in pixels as it is seen. */
export function* drawWoods(context, { entry, size, px, theme, ratio, world }, lands, breadths) {
  const scale = (size * 2 ** entry.z) / world;
  const cell = GROVE * scale;
  const [crowns, trunks] = [new Path2D(), new Path2D()];
  const r = 1.75 * scale;
  const [left, top] = [entry.x * size, entry.y * size];
  for (const land of woodedLands(lands, breadths)) {
    const mean = treesInGrove(land.files, breadths.get(land.path));
    for (const ring of land.drawn) {
      const [west, north, east, south] = boxOfRings([ring]).map((value) => value * px);
      const isIn = (x, y) => contains(ring, x / px, y / px);
      for (let row = Math.floor((north + top) / cell) - 1; row <= (south + top) / cell + 1; row += 1) {
        for (let column = Math.floor((west + left) / cell) - 1; column <= (east + left) / cell + 1; column += 1) {
          for (const [worldX, worldY] of grove(column, row, entry.z, mean)) {
            const [x, y] = [worldX * scale - left, worldY * scale - top];
            if (!isIn(x, y + r) || !isIn(x, y - 2.5 * r) || !isIn(x + 2 * r, y) || !isIn(x - 2 * r, y)) continue;
            crowns.moveTo(x + r, y - r);
            crowns.arc(x, y - r, r, 0, Math.PI * 2);
            trunks.moveTo(x, y);
            trunks.lineTo(x, y + r * 0.9);
          }
        }
      }
    }
    yield;
  }
  strokeIn(context, theme.trunk, 0.7 * ratio, trunks);
  fillIn(context, theme.wood, crowns);
  context.stroke(crowns);
}
