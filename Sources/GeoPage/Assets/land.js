// Draws a tile: sea, coasts, land by rank, borders, wilderness, and the files on it.
import { contains, project } from "./geo.js";
import { drawFile } from "./points.js";
import { drawWilderness } from "./wild.js";

function trace(path, ring, px) {
  for (let i = 0; i < ring.length; i += 2) {
    if (i === 0) path.moveTo(ring[0] * px, ring[1] * px);
    else path.lineTo(ring[i] * px, ring[i + 1] * px);
  }
  path.closePath();
}

/** The box of a land in a tile, reckoned once. */
export function boxOf(land) {
  if (land.box) return land.box;
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of land.rings) {
    for (let i = 0; i < ring.length; i += 2) {
      west = Math.min(west, ring[i]);
      east = Math.max(east, ring[i]);
      north = Math.min(north, ring[i + 1]);
      south = Math.max(south, ring[i + 1]);
    }
  }
  land.box = [west, north, east, south];
  return land.box;
}

/** How many pixels a land is across, about; of one that the tile cuts off, at least as many as
 * its zoom tells, so that all its tiles draw it in the same way. */
function breadthOf(land, entry, px) {
  const [west, north, east, south] = boxOf(land);
  const seen = Math.min(east - west, south - north) * px;
  const isWhole = west > -60 && north > -60 && east < 4156 && south < 4156;
  // A land comes into sight when it is 8 pixels across, of 512 to a tile.
  return isWhole ? seen : Math.max(seen, 64 * px * 2 ** (entry.z - land.minzoom));
}

function pathOf(land, px) {
  const path = new Path2D();
  for (const ring of land.rings) trace(path, ring, px);
  return path;
}

/** The lands that lie directly in others, by the path of these. */
export function childrenOf(lands) {
  const children = new Map();
  for (const land of lands) {
    const slash = land.path.lastIndexOf("/");
    if (slash < 0) continue;
    const parent = land.path.slice(0, slash);
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(land);
  }
  return children;
}

const widths = [1.5, 1.35, 1.05, 0.85];

/** A drawer of tiles in the colours of a palette. `zoom()` says how close one looks. */
export function tileDrawer(palette, zoom) {
  return (canvas, entry, size) => {
    const theme = palette.theme;
    const ratio = globalThis.devicePixelRatio || 1;
    const px = size / 4096;
    const context = canvas.getContext("2d");
    context.fillStyle = theme.sea;
    context.fillRect(0, 0, size, size);
    context.lineJoin = "round";
    const lands = entry.data.land;
    const paths = new Map(lands.map((land) => [land, pathOf(land, px)]));

    drawGraticule(context, entry, size, theme, ratio);

    // The sea is paler the farther it is from a coast.
    const continents = lands.filter((land) => land.depth === 0);
    theme.shelf.forEach((colour, index) => {
      context.strokeStyle = colour;
      context.lineWidth = (14 - index * 4.5) * ratio;
      for (const land of continents) context.stroke(paths.get(land));
    });

    const children = childrenOf(lands);
    for (const land of lands) {
      const path = paths.get(land);
      const breadth = breadthOf(land, entry, px);
      context.fillStyle = palette.land(land);
      context.fill(path);
      if (breadth > 26 * ratio && land.rings.length > 0) {
        context.save();
        context.clip(path);
        band(context, path, land, palette, breadth, 62 * px, ratio);
        const within = (children.get(land.path) ?? []).flatMap((child) => child.rings);
        for (const ring of breadth > 40 * ratio ? land.rings : []) {
          drawWilderness(context, entry, land, ring, within, px, theme, ratio);
        }
        context.restore();
      }
      context.strokeStyle = land.depth === 0 ? theme.coast : palette.border(land.depth);
      context.lineWidth = widths[Math.min(land.depth, 3)] * ratio;
      context.globalAlpha = breadth > 14 * ratio ? 1 : 0.65;
      context.stroke(path);
      context.globalAlpha = 1;
      if (land.unreadable) hatch(context, path, boxOf(land), px, theme, ratio);
    }
    for (const file of entry.data.files) {
      drawFile(context, file, file.x * px, file.y * px, zoom() - file.minzoom, palette, ratio);
    }
  };
}

/** Meridians and parallels in the sea, every 15 degrees, as long as one sees much of the world. */
function drawGraticule(context, entry, size, theme, ratio) {
  if (entry.z > 4) return;
  const side = size * 2 ** entry.z;
  context.beginPath();
  for (let degrees = -165; degrees < 180; degrees += 15) {
    const { x } = project(degrees, 0);
    context.moveTo(x * side - entry.x * size, 0);
    context.lineTo(x * side - entry.x * size, size);
    if (Math.abs(degrees) > 85) continue;
    const { y } = project(0, degrees);
    context.moveTo(0, y * side - entry.y * size);
    context.lineTo(size, y * side - entry.y * size);
  }
  context.strokeStyle = theme.graticule;
  context.lineWidth = 0.8 * ratio;
  context.stroke();
}

/** The band of colour along a border, as old atlases have it. */
function band(context, path, land, palette, breadth, edge, ratio) {
  context.strokeStyle = palette.band(land);
  // Where the tile cuts the land off there is no border: the band must not reach into the tile.
  const isLow = land.depth > 2;
  const width = Math.min(isLow ? 5 : 11, breadth / (isLow ? 16 : 9) / ratio, edge / ratio);
  for (const [part, alpha] of [[1, 0.14], [0.5, 0.22]]) {
    context.globalAlpha = alpha;
    context.lineWidth = 2 * width * part * ratio;
    context.stroke(path);
  }
  context.globalAlpha = 1;
}

/** Lines across land that nobody may enter. */
function hatch(context, path, [west, north, east, south], px, theme, ratio) {
  context.save();
  context.clip(path);
  context.strokeStyle = theme.select;
  context.globalAlpha = 0.4;
  context.lineWidth = ratio;
  context.beginPath();
  const step = 7 * ratio;
  const height = (south - north) * px;
  for (let x = Math.floor((west * px - height) / step) * step; x < east * px; x += step) {
    context.moveTo(x, south * px);
    context.lineTo(x + height, north * px);
  }
  context.stroke();
  context.restore();
}

/** The deepest land of a tile around a point of its grid. */
export function landAt(data, x, y) {
  let found = null;
  for (const land of data.land) {
    if ((!found || land.depth > found.depth) && land.rings.some((ring) => contains(ring, x, y))) {
      found = land;
    }
  }
  return found;
}
