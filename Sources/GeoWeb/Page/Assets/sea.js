// The sea: paler towards coasts, with waterlines and the graticule; whole coasts.
import { project, projectRing } from "./mercator.js";

// Whole coasts of continents, so that waterlines continue across tiles.

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
const WATERLINES = [3, 7, 12, 18, 25.5, 34];
/** The number of coasts from which far waterlines are omitted, as other coasts cover them. */
const CROWD = 100;
const REACH = 60; // pixels beyond a tile's edge in which a coast matters

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

/** The part of a coast (in world coordinates) in a tile, in its pixels. */
export function coastIn(coast, entry, size) {
  const side = size * 2 ** entry.z;
  const ring = new Array(coast.length);
  for (let i = 0; i < coast.length; i += 2) {
    ring[i] = coast[i] * side - entry.x * size;
    ring[i + 1] = coast[i + 1] * side - entry.y * size;
  }
  return clipRing(ring, -REACH, size + REACH);
}

/** Fills a tile with sea; `paths` are the coasts in it. */
export function* drawSea(context, entry, size, paths, theme, ratio) {
  context.fillStyle = theme.sea;
  context.fillRect(0, 0, size, size);
  context.lineJoin = "round";
  // From far to near: a line, and inside it slightly paler water.
  const lines = paths.length > CROWD ? 2 : WATERLINES.length;
  for (let index = lines - 1; index >= 0 && paths.length > 0; index -= 1) {
    const far = WATERLINES[index] * ratio;
    for (const [width, colour] of [[2 * far, theme.waterline[index]], [2 * far - 1.7 * ratio, theme.shelf[index]]]) {
      context.lineWidth = width;
      context.strokeStyle = colour;
      for (const path of paths) context.stroke(path);
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
