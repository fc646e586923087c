// Draws a tile: sea, land tinted by rank, borders, built-up ground, and files.
import { areaOf, boxOfRings, contains, fillIn, nameOf, overlap, parentOf, strokeAll, strokeIn } from "./geo.js";
import { drawGround, drawRelief, drawTowns, drawWoods } from "./ground.js";
import { layers } from "./layers.js";
import { TILE } from "./mercator.js";
import { borderOf, dashes, wander } from "./rules.js";
import { coastPath, drawSea } from "./sea.js";
import { drawFile, hatch, pathOf } from "./shapes.js";

// The lines between lands of a tile, each once.
//
// All in units of the tile's grid, on the outlines of cells, which touch.

const RIM_LOW = -64;
const RIM_HIGH = 4160;
const PROBE = 12; // distance from a border to probe for the neighbour
const PARTS = 32; // of a tile, to find lands

/** Whether a side runs along the rim that cuts lands off. */
function isRim(ax, ay, bx, by) {
  return (ax === bx && (ax <= RIM_LOW || ax >= RIM_HIGH)) || (ay === by && (ay <= RIM_LOW || ay >= RIM_HIGH));
}

/** Finds the sibling of a land whose outline is around a point. */
class Siblings {
  constructor(lands) {
    /** Lands that may contain points of each part of the tile. */
    this.parts = new Array(PARTS * PARTS).fill(null);
    const groups = new Map();
    for (const land of lands) {
      const key = `${land.depth} ${land.parent}`;
      if (!groups.has(key)) groups.set(key, groups.size);
      land.group = groups.get(key);
      for (const ring of land.outline) {
        const [west, north, east, south] = boxOfRings([ring]);
        const item = { land, group: land.group, ring, west, north, east, south };
        for (let y = Siblings.part(north); y <= Siblings.part(south); y += 1) {
          for (let x = Siblings.part(west); x <= Siblings.part(east); x += 1) (this.parts[y * PARTS + x] ??= []).push(item);
        }
      }
    }
  }

  static part(value) { return Math.max(0, Math.min(PARTS - 1, Math.floor((value / 4096) * PARTS))); }

  at(land, x, y) {
    const items = this.parts[Siblings.part(y) * PARTS + Siblings.part(x)];
    if (items === null) return null;
    const { group } = land;
    for (let i = 0; i < items.length; i += 1) {
      const item = items[i];
      if (item.group === group && item.land !== land && x >= item.west && x <= item.east &&
        y >= item.north && y <= item.south && contains(item.ring, x, y)) return item.land;
    }
    return null;
  }
}

/** The sides of a ring that `isDrawn` is true for, as lines. */
function linesOf(ring, isDrawn) {
  const lines = [];
  let line = null;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    const [ax, ay, bx, by] = [ring[i], ring[i + 1], ring[j], ring[j + 1]];
    if (!isDrawn(ax, ay, bx, by)) line = null;
    else if (line) line.push(bx, by);
    else lines.push((line = [ax, ay, bx, by]));
  }
  return lines;
}

/** The parts of each land's outline to draw: all without a neighbour, and of a shared border the first land's. */
function bordersOf(lands) {
  const siblings = new Siblings(lands);
  return new Map(lands.map((land) => [land, land.outline.flatMap((ring) => {
    // Its inside is on the left or on the right.
    const side = areaOf(ring) < 0 ? -1 : 1;
    return linesOf(ring, (ax, ay, bx, by) => {
      const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
      if (length === 0 || isRim(ax, ay, bx, by)) return false;
      const far = (side * PROBE) / length;
      const other = siblings.at(land, (ax + bx) / 2 + far * (by - ay), (ay + by) / 2 + far * (ax - bx));
      return !other || land.path < other.path;
    });
  })]));
}

export function sidesOf({ outline }) { return outline.flatMap((ring) => linesOf(ring, (...side) => !isRim(...side))); }

/** A line or ring of a tile, displaced by the world's field. */
export function wandered(points, tile) {
  // Typed arrays are slow to make, and most lines are short.
  const moved = new Array(points.length);
  const left = tile.x * 4096;
  const top = tile.y * 4096;
  for (let i = 0; i < points.length; i += 2) {
    const by = wander((left + points[i]) / 8, (top + points[i + 1]) / 8);
    moved[i] = points[i] + by[0] * 8;
    moved[i + 1] = points[i + 1] + by[1] * 8;
  }
  return moved;
}

function boxOf(land) { return (land.box ??= boxOfRings(land.rings)); }

/** Prepares a tile once: the drawn extent of each land, its cell if it has one, and the borders. The true ring stays for hit tests. */
export function prepare(entry) {
  const { data } = entry;
  if (data.isPrepared) return entry;
  data.isPrepared = true;
  const cells = new Map(data.cells?.map((cell) => [cell.id, cell.rings]));
  for (const land of data.land) {
    land.outline = cells.get(land.id) ?? land.rings;
    cells.delete(land.id);
  }
  // Of some lands only the margin around them is here, which contains nothing.
  for (const cell of data.cells ?? []) {
    if (cells.has(cell.id)) data.land.push({ ...cell, name: nameOf(cell.path), outline: cell.rings, rings: [] });
  }
  data.land.sort((a, b) => a.depth - b.depth);
  for (const land of data.land) land.parent = parentOf(land.path);
  const inner = data.land.filter((land) => land.depth > 0);
  for (const land of inner) land.drawn = land.outline.map((ring) => wandered(ring, entry));
  setBorders(entry, inner);
  return entry;
}

function setBorders(entry, lands) {
  const lines = bordersOf(lands);
  for (const land of lands) land.border = lines.get(land).map((line) => wandered(line, entry));
  entry.bordered = lands.length;
}

function standingLands(entry) {
  const inner = entry.data.land.filter((land) => land.depth > 0);
  const there = inner.filter(layers.isStanding);
  // Without its neighbour a land has the whole of their common border.
  if (there.length < inner.length || entry.bordered < inner.length) setBorders(entry, there);
  return there;
}

/**
 * Makes a function that draws tiles and yields every few milliseconds; until its end the canvas is incomplete. `settings()` of the
 * view: `ahead`, the zooms that tiles are ahead of it; `prominence`; `recedes`, whether lands stand back behind what a layer draws.
 */
export function tileDrawer(palette, settings) {
  return function* (canvas, entry, size) {
    prepare(entry);
    const theme = palette.theme;
    const ratio = globalThis.devicePixelRatio || 1;
    const { ahead, coasts, shores, prominence, z, isPlain, recedes } = settings();
    const frame = { entry, size, ratio, lands: standingLands(entry), px: size / 4096, palette, theme, prominence, isPlain, recedes, isBare: isPlain || recedes,
      /** The world's width in pixels at the camera's zoom. */
      world: TILE * 2 ** (entry.z - ahead) * 1.35, past: z };
    const context = canvas.getContext("2d");
    context.lineJoin = "round";

    const { shelves, taken } = basePaths(entry, size, ratio, { coasts, shores });
    yield* drawSea(context, entry, size, { shelves, coasts: taken }, theme, ratio);
    for (const path of taken) fillIn(context, theme.land, path);
    yield;
    frame.taken = new Path2D();
    for (const path of taken) frame.taken.addPath(path);
    yield* drawLands(context, frame);
    for (const path of taken) strokeIn(context, theme.coast, 1.5 * ratio, path);
    if (isPlain) return;
    if (!recedes) drawGround(context, frame);
    yield;
    let count = 0;
    for (const file of entry.data.files) {
      drawFile(context, file, file.x * frame.px, file.y * frame.px, z - file.minzoom, palette, ratio);
      if ((count += 1) % 120 === 0) yield;
    }
  };
}

function basePaths(entry, size, ratio, { coasts, shores }) {
  const [shelves, taken] = [[], []];
  // A root that is all land has no shelf.
  const outlines = shores.isCrowd ? taken : shelves;
  const isThere = (path) => layers.isStanding({ path });
  for (const [path, coast] of coasts) if (isThere(path)) outlines.push(coastPath([coast], entry, size, ratio));
  for (const land of entry.data.land) {
    if (land.depth === 0 && !coasts.has(land.path) && isThere(land.path)) outlines.push(pathOf(land.rings, size / 4096));
  }
  const around = tileBox(entry);
  for (const [path, { land, shallows, box }] of shores.all) {
    if (!overlap(box, around) || !isThere(path)) continue;
    shelves.push(coastPath(shallows, entry, size, ratio));
    taken.push(coastPath(land, entry, size, ratio));
  }
  return { shelves: shelves.filter(Boolean), taken: taken.filter(Boolean) };
}

function* drawLands(context, frame) {
  const { entry, px, palette, ratio, theme, prominence, lands: inner } = frame;
  const drawn = new Map();
  let work = 0;
  const breadths = new Map(entry.data.land.map((land) => [land.path, breadthOf(land, frame)]));
  for (const land of inner) {
    const breadth = breadths.get(land.path);
    const standing = prominence.of(land.path);
    const parent = drawn.get(land.parent);
    const around = { breadth: breadths.get(land.parent), rgb: parent?.rgb, isCurrent: parent?.standing === "current" };
    const colour = palette.land(land, breadth, around, standing);
    const path = pathOf(land.drawn, px);
    const isBlank = palette.isBlank(land);
    drawn.set(land.path, { rgb: colour.rgb, standing, path, isBlank });
    // What is in hatched land is hatched already.
    if (!isBlank || !parent?.isBlank) {
      fillIn(context, colour.css, path);
      // Neighbours sample their common side differently: a hairline closes the gaps.
      strokeIn(context, colour.css, 0.7 * ratio, path);
      if (isBlank) hatch(context, path, boxOf(land).map((value) => value * px), { colour: theme.border[3], alpha: 0.35, width: ratio, step: 7 * ratio });
    }
    if (breadth > 30 && land.drawn.length > 0 && !EDGELESS.includes(standing)) drawEdge(context, frame, land, path, breadth, FAINT[standing] ?? 1);
    if (land.unreadable) hatch(context, path, boxOf(land).map((value) => value * px), { colour: theme.select, alpha: 0.4, width: ratio, step: 7 * ratio });
    if ((work += breadth > 30 ? 12 : 1) > 70) {
      work = 0;
      yield;
    }
  }
  yield;
  if (!frame.isBare && palette.mode === "kind") drawTowns(context, frame, breadths);
  yield;
  if (palette.isRaised && palette.mode === "kind" && !frame.isBare) {
    yield* drawRelief(context, frame, inner, breadths);
    yield* drawWoods(context, frame, inner, breadths);
    yield;
  }
  // Draw deeper borders first, so that stronger lines cover them.
  for (const land of inner.toReversed()) {
    const breadth = breadths.get(land.path);
    if (breadth < 4 && land.depth > 1) continue;
    const path = pathOf(land.border, px, false);
    const { width, alpha } = borderOf(land.depth, breadth);
    context.strokeStyle = theme.border[Math.min(land.depth, 3)];
    context.lineWidth = width * ratio;
    context.globalAlpha = alpha * (FAINT[drawn.get(land.path).standing] ?? 1);
    context.setLineDash(breadth > 40 ? dashes(land.depth).map((length) => length * ratio) : []);
    context.stroke(path);
    if ((work += breadth > 40 ? 4 : 1) > 60) {
      work = 0;
      context.globalAlpha = 1;
      yield;
    }
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
  for (const land of inner) if (drawn.get(land.path).standing === "current") drawCurrent(context, frame, land, drawn.get(land.path).path);
}

const FAINT = { deep: 0.4, little: 0.55, beside: 0.55, same: 0.55, within: 0.22 };

/** Lands that stand out so have no tint along their border. */
const EDGELESS = ["deep", "little", "same", "within"];

function drawCurrent(context, { palette, ratio, recedes }, land, path) {
  // Among signs of changes it has none of their colours.
  strokeAll(context, recedes ? palette.theme.border[0] : palette.edge(land), [[7 * ratio, 0.18], [1.8 * ratio, 1]], path);
}

function tileBox({ x, y, z }) {
  const count = 2 ** z;
  return [(x - 0.1) / count, (y - 0.1) / count, (x + 1.1) / count, (y + 1.1) / count];
}

/** The breadth of a land in pixels of the view, the same in all its tiles. */
function breadthOf(land, { world, px, entry, size }) {
  if (land.breadth !== undefined) return land.breadth * world;
  const [west, north, east, south] = boxOf(land);
  return (Math.min(east - west, south - north) * px * world) / (size * 2 ** entry.z);
}

function drawEdge(context, { px, palette, ratio }, land, path, breadth, strength) {
  context.save();
  context.clip(path);
  // Where the tile cuts the land off there is no border, so the edge must not reach into the tile.
  const most = Math.min(land.depth > 2 ? 3.5 : 6, breadth / 14, (50 * px) / ratio);
  strokeAll(context, palette.edge(land), [[2 * most * ratio, 0.13 * strength], [most * ratio, 0.2 * strength]], path);
  context.restore();
}

/** The lands of a tile at a point of its grid, by their true rings, of those present and known; from the outside in. */
export function landsAt(data, x, y) {
  return data.land.filter((land) => !land.isRecorded && layers.isThere(land) && land.rings.some((ring) => contains(ring, x, y)))
    .sort((a, b) => a.depth - b.depth);
}
