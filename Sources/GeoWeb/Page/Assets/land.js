// Draws a tile: sea, land tinted by rank, borders, built-up ground, and files.
import { bordersOf, wandered } from "./borders.js";
import { boxOfRings, contains, mix, nameOf, parentOf } from "./geo.js";
import { drawGround, drawTowns } from "./ground.js";
import { layers } from "./layers.js";
import { TILE } from "./mercator.js";
import { drawRelief, drawWoods } from "./relief.js";
import { borderOf, dashes } from "./rules.js";
import { coastIn, drawSea } from "./sea.js";
import { drawFile, hatch, pathOf } from "./shapes.js";

/** The box of a land in a tile, cached. */
function boxOf(land) { return (land.box ??= boxOfRings(land.rings)); }

/**
 * Prepares a tile once: the drawn extent of each land, which is its cell if it has one, and the borders. The true ring
 * stays for hit tests.
 */
export function prepare(entry, tints) {
  const { data } = entry;
  if (data.isPrepared) return;
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
  const { neighbours, lines } = bordersOf(inner);
  for (const land of inner) {
    land.border = lines.get(land).map((line) => wandered(line, entry));
    land.drawn = land.outline.map((ring) => wandered(ring, entry));
  }
  tints.learn(inner, neighbours);
}

/**
 * Makes a function that draws tiles in a palette's colours and yields every few milliseconds; until its end the canvas
 * is incomplete.
 *
 * `look()` returns the view: `z`; `ahead`, the zooms that tiles are ahead of it; `coasts`, whole, by path in world
 * coordinates; and `isPlain`, whether to draw land only.
 */
export function tileDrawer(palette, tints, look) {
  return function* (canvas, entry, size) {
    prepare(entry, tints);
    const theme = palette.theme;
    const ratio = globalThis.devicePixelRatio || 1;
    const { ahead, coasts, z, isPlain } = look();
    const frame = { entry, size, ratio, px: size / 4096, palette, tints, theme, isPlain,
      /** The world's width in pixels at the camera's zoom. */
      world: TILE * 2 ** (entry.z - ahead) * 1.35, past: z };
    const context = canvas.getContext("2d");
    context.lineJoin = "round";

    const continents = new Map();
    for (const [path, coast] of coasts) {
      const ring = coastIn(coast, entry, size);
      if (ring.length > 0) continents.set(path, pathOf([ring], 1));
    }
    for (const land of entry.data.land) {
      if (land.depth === 0 && !coasts.has(land.path)) continents.set(land.path, pathOf(land.rings, frame.px));
    }
    yield* drawSea(context, entry, size, [...continents.values()], theme, ratio);
    for (const path of continents.values()) {
      context.fillStyle = theme.land;
      context.fill(path);
    }
    drawBare(context, frame, [...continents.values()]);
    yield;
    yield* drawLands(context, frame);
    for (const path of continents.values()) {
      context.strokeStyle = theme.coast;
      context.lineWidth = 1.3 * ratio;
      context.stroke(path);
    }
    if (isPlain) return;
    drawGround(context, frame);
    yield;
    let count = 0;
    for (const file of entry.data.files) {
      drawFile(context, file, file.x * frame.px, file.y * frame.px, z - file.minzoom, palette, ratio);
      if ((count += 1) % 120 === 0) yield;
    }
  };
}

/** Stable dots on empty land. */
function drawBare(context, { entry, size, ratio, theme }, paths) {
  if (paths.length === 0) return;
  const step = 11 * ratio;
  const count = Math.ceil(size / step);
  const stride = size / count;
  context.save();
  const all = new Path2D();
  for (const path of paths) all.addPath(path);
  context.clip(all);
  context.fillStyle = theme.bare;
  for (let y = 0; y < count; y += 1) {
    for (let x = 0; x < count; x += 1) {
      const h = mix(entry.x * count + x, entry.y * count + y, entry.z + 31);
      if (h % 3 === 0) continue;
      context.fillRect(Math.round((x + ((h >>> 8) & 255) / 255) * stride), Math.round((y + ((h >>> 16) & 255) / 255) * stride),
        ratio, ratio);
    }
  }
  context.restore();
}

function* drawLands(context, frame) {
  const { entry, px, palette, tints, ratio, theme } = frame;
  const colours = new Map();
  const paths = new Map();
  const inner = entry.data.land.filter((land) => land.depth > 0);
  let work = 0;
  const breadths = new Map(entry.data.land.map((land) => [land.path, breadthOf(land, frame)]));
  for (const land of inner) {
    const breadth = breadths.get(land.path);
    const around = { breadth: breadths.get(land.parent), rgb: colours.get(land.parent)?.rgb };
    const colour = palette.land(land, tints.of(land), breadth, around);
    colours.set(land.path, colour);
    const path = pathOf(land.drawn, px);
    paths.set(land, path);
    context.fillStyle = colour.css;
    context.fill(path);
    // Neighbours sample their common side differently: a hairline closes the gaps.
    context.strokeStyle = colour.css;
    context.lineWidth = 0.7 * ratio;
    context.stroke(path);
    if (breadth > 30 && land.drawn.length > 0) drawEdge(context, frame, land, path, breadth);
    // The folder can't be read.
    if (land.unreadable) {
      hatch(context, path, boxOf(land).map((value) => value * px), { colour: theme.select, alpha: 0.4, width: ratio, step: 7 * ratio });
    }
    if ((work += breadth > 30 ? 12 : 1) > 70) {
      work = 0;
      yield;
    }
  }
  yield;
  if (!frame.isPlain) drawTowns(context, frame, breadths);
  yield;
  if (palette.mode === "kind" && !frame.isPlain) {
    drawRelief(context, frame, inner, breadths);
    yield;
    drawWoods(context, frame, inner, breadths);
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
    context.globalAlpha = alpha;
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
}

/** The breadth of a land in pixels of the view, the same in all its tiles. */
function breadthOf(land, { world, px, entry, size }) {
  if (land.breadth !== undefined) return land.breadth * world;
  const [west, north, east, south] = boxOf(land);
  return (Math.min(east - west, south - north) * px * world) / (size * 2 ** entry.z);
}

/** Tints a land most strongly along its border. */
function drawEdge(context, { px, palette, tints, ratio }, land, path, breadth) {
  context.save();
  context.clip(path);
  context.strokeStyle = palette.edge(land, tints.of(land));
  // Where the tile cuts the land off there is no border, so the edge must not reach into the tile.
  const most = Math.min(land.depth > 2 ? 3.5 : 6, breadth / 14, (50 * px) / ratio);
  for (const [part, alpha] of [[1, 0.13], [0.5, 0.2]]) {
    context.globalAlpha = alpha;
    context.lineWidth = 2 * most * part * ratio;
    context.stroke(path);
  }
  context.restore();
}

/** The lands of a tile at a point of its grid, by their true rings, of those present; from the outside in. */
export function landsAt(data, x, y) {
  return data.land.filter((land) => layers.isThere(land) && land.rings.some((ring) => contains(ring, x, y)))
    .sort((a, b) => a.depth - b.depth);
}
