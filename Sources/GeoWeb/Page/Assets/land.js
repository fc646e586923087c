// Draws a tile: sea, land by rank in its tints, borders, built-up ground, and the files on it.
import { bordersOf, wandered } from "./borders.js";
import { boxOfRings, contains, mix, nameOf, parentOf } from "./geo.js";
import { drawGround, drawTowns } from "./ground.js";
import { layers } from "./layers.js";
import { TILE } from "./mercator.js";
import { drawRelief, drawWoods } from "./relief.js";
import { borderOf, dashes } from "./rules.js";
import { coastIn, drawSea } from "./sea.js";
import { drawFile, hatch, pathOf } from "./shapes.js";

/** The box of a land in a tile, reckoned once. */
function boxOf(land) { return (land.box ??= boxOfRings(land.rings)); }

/**
 * What a tile needs to be drawn, reckoned once: up to where each land is drawn, which is its cell if
 * it has one, and the borders. The true ring is kept for whoever asks what is where.
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
  // Of some there is no more here than the strip around them: nobody can be in it.
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
 * A drawer of tiles in the colours of a palette, which yields every few milliseconds: what is on the
 * canvas by then is no tile yet.
 *
 * `look()` says how one looks: `z` how close, `ahead` by how many zooms tiles are ahead of it,
 * `coasts`, whole, by path and in world coordinates, and `isPlain` whether there is land alone, without
 * what stands on it.
 */
export function tileDrawer(palette, tints, look) {
  return function* (canvas, entry, size) {
    prepare(entry, tints);
    const theme = palette.theme;
    const ratio = globalThis.devicePixelRatio || 1;
    const { ahead, coasts, z, isPlain } = look();
    const frame = { entry, size, ratio, px: size / 4096, palette, tints, theme, isPlain,
      /** Pixels to the width of the world where one looks from, whatever tile it is. */
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

/** Dots on land that nobody has taken, the same ones every day. */
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
    // Neighbours follow their common side at other points: a hair's breadth closes what is left.
    context.strokeStyle = colour.css;
    context.lineWidth = 0.7 * ratio;
    context.stroke(path);
    if (breadth > 30 && land.drawn.length > 0) drawEdge(context, frame, land, path, breadth);
    // Nobody may enter it.
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
  // Borders of those farther down first, so that the stronger lines lie over them.
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

/** How many pixels a land is across for whoever looks, the same in all its tiles. */
function breadthOf(land, { world, px, entry, size }) {
  if (land.breadth !== undefined) return land.breadth * world;
  const [west, north, east, south] = boxOf(land);
  return (Math.min(east - west, south - north) * px * world) / (size * 2 ** entry.z);
}

/** The tint is strongest along the border. */
function drawEdge(context, { px, palette, tints, ratio }, land, path, breadth) {
  context.save();
  context.clip(path);
  context.strokeStyle = palette.edge(land, tints.of(land));
  // Where the tile cuts the land off there is no border: the edge must not reach into the tile.
  const most = Math.min(land.depth > 2 ? 3.5 : 6, breadth / 14, (50 * px) / ratio);
  for (const [part, alpha] of [[1, 0.13], [0.5, 0.2]]) {
    context.globalAlpha = alpha;
    context.lineWidth = 2 * most * part * ratio;
    context.stroke(path);
  }
  context.restore();
}

/** The deepest land of a tile around a point of its grid, by its true ring, of those that are there. */
export function landAt(data, x, y) {
  let found = null;
  for (const land of data.land) {
    if ((!found || land.depth > found.depth) && layers.isThere(land) && land.rings.some((ring) => contains(ring, x, y))) {
      found = land;
    }
  }
  return found;
}
