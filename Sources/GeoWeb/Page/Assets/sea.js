// The sea, the shelf of each root, and waterlines along the land that is taken; the graticule.
import { project, projectRing, TILE } from "./mercator.js";
import { wander } from "./rules.js";
import { pathOf } from "./shapes.js";

// Whole outlines of roots, which are the edges of their shelves.

/** The maximum number of whole coasts. */
const MOST_COASTS = 64;

function addCoast(view, label, coast) {
  if (coast.length > 0) view.coasts.set(label, projectRing(coast));
}

/** Adds coasts that came with the roots. */
export function addCoasts(view, roots) {
  for (const { label, coast } of roots.slice(0, MOST_COASTS)) if (coast) addCoast(view, label, coast);
}

/** Requests missing coasts. */
export async function loadCoasts(view, source, roots) {
  const missing = roots.slice(0, MOST_COASTS).filter(({ coast }) => !coast);
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
/** The number of coasts from which far waterlines are omitted, as other coasts cover them. */
const CROWD = 100;
/** Pixels beyond a tile's edge in which a coast matters. */
const REACH = 24;
/** The length of a coast's sides, in pixels of a tile, so that it can wander. */
const SIDE = 5;

/** A ring, clipped to a square (Sutherland and Hodgman, 1974). */
export function clipRing(ring, low, high) {
  let points = ring;
  for (const [axis, limit, sign] of [[0, low, 1], [0, high, -1], [1, low, 1], [1, high, -1]]) {
    const cut = [];
    for (let i = 0; i < points.length; i += 2) {
      const j = (i + points.length - 2) % points.length;
      const here = (points[i + axis] - limit) * sign;
      const before = (points[j + axis] - limit) * sign;
      if (here >= 0 !== before >= 0) {
        const t = before / (before - here);
        cut.push(points[j] + (points[i] - points[j]) * t, points[j + 1] + (points[i + 1] - points[j + 1]) * t);
      }
      if (here >= 0) cut.push(points[i], points[i + 1]);
    }
    points = cut;
  }
  return points.length >= 6 ? points : [];
}

/** The part of a coast (in world coordinates) in a tile, in its pixels, displaced by the world's field. */
function coastIn(coast, { x: left, y: top, z }, size, ratio) {
  const side = size * 2 ** z;
  const ring = new Array(coast.length);
  for (let i = 0; i < coast.length; i += 2) {
    ring[i] = coast[i] * side - left * size;
    ring[i + 1] = coast[i + 1] * side - top * size;
  }
  const edge = REACH * ratio;
  return wanderedRing(clipRing(ring, -edge, size + edge), left, top, TILE / size);
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

/** How much finer a coast's second wandering is. */
const FINE = 4;

/** The parts of coasts in a tile, as a path; null for none. */
export function coastPath(coasts, entry, size, ratio) {
  const rings = coasts.map((coast) => coastIn(coast, entry, size, ratio)).filter((ring) => ring.length > 0);
  return rings.length > 0 ? pathOf(rings, 1) : null;
}

/**
 * Fills a tile with sea. `shelves` are the edges of shallow water in it, and `coasts` those of land, as paths.
 */
export function* drawSea(context, entry, size, { shelves, coasts }, theme, ratio) {
  context.fillStyle = theme.sea;
  context.fillRect(0, 0, size, size);
  context.lineJoin = "round";
  // Half of each dotted edge is covered, and all of it within another shelf.
  context.strokeStyle = theme.shelfedge;
  context.lineWidth = 2.2 * ratio;
  context.setLineDash([1.4 * ratio, 3 * ratio]);
  for (const path of shelves) context.stroke(path);
  context.setLineDash([]);
  context.fillStyle = theme.shelf;
  for (const path of shelves) context.fill(path);
  yield;
  // From far to near: a line, and inside it shallow water.
  const lines = coasts.length > CROWD ? 2 : WATERLINES.length;
  for (let index = lines - 1; index >= 0 && coasts.length > 0; index -= 1) {
    const far = WATERLINES[index] * ratio;
    for (const [width, colour] of [[2 * far, theme.waterline[index]], [2 * far - 1.6 * ratio, theme.shelf]]) {
      context.lineWidth = width;
      context.strokeStyle = colour;
      for (const path of coasts) context.stroke(path);
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
  const west = (entry.x / count - 0.5) * 360;
  const degrees = 360 / count;
  for (const isStrong of [false, true]) {
    context.beginPath();
    for (let at = Math.floor(west / step); at <= (west + degrees) / step + 1; at += 1) {
      if ((at % 3 === 0) !== isStrong) continue;
      const x = project(at * step, 0).x * side - entry.x * size;
      context.moveTo(x, 0);
      context.lineTo(x, size);
    }
    for (let at = Math.ceil(-85 / step); at * step <= 85; at += 1) {
      if ((at % 3 === 0) !== isStrong) continue;
      const y = project(0, at * step).y * side - entry.y * size;
      if (y < -2 || y > size + 2) continue;
      context.moveTo(0, y);
      context.lineTo(size, y);
    }
    context.strokeStyle = theme.graticule[isStrong ? 1 : 0];
    context.lineWidth = (isStrong ? 1.1 : 0.7) * ratio;
    context.stroke();
  }
}
