// Lands as they are drawn in a tile: their lines as paths, the boxes around them, how broad they are, and lines across them.
import { boxOfRings } from "./geo.js";

/** Rings, or lines that don't end where they begin, as a path; `px` is how many pixels a unit of theirs takes. */
export function pathOf(rings, px, isClosed = true) {
  const path = new Path2D();
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      if (i === 0) path.moveTo(ring[0] * px, ring[1] * px);
      else path.lineTo(ring[i] * px, ring[i + 1] * px);
    }
    if (isClosed) path.closePath();
  }
  return path;
}

/** Up to where a land is drawn, as rings in the units of its tile. */
export function outlineOf(land) { return land.drawn ?? land.outline ?? land.rings; }

/** The box around that, reckoned once. */
export function outlineBox(land) { return (land.outlineBox ??= boxOfRings(outlineOf(land))); }

/** How many pixels of the page a land is across; one whose tile doesn't tell as many as this tile shows of it. */
export function breadthIn(land, { entry, size, px, ratio }) {
  if (land.breadth !== undefined) return (land.breadth * size * 2 ** entry.z) / ratio;
  const [west, north, east, south] = outlineBox(land);
  return (Math.min(east - west, south - north) * px) / ratio;
}

/** Draws lines across what is within a path, `step` pixels from one to the next; `box` is around it, in pixels. */
export function hatch(context, path, [west, north, east, south], { colour, alpha, width, step, isRising = false }) {
  context.save();
  context.clip(path);
  context.strokeStyle = colour;
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.beginPath();
  const height = south - north;
  for (let x = Math.floor((west - height) / step) * step; x < east; x += step) {
    context.moveTo(x, isRising ? south : north);
    context.lineTo(x + height, isRising ? north : south);
  }
  context.stroke();
  context.restore();
}
