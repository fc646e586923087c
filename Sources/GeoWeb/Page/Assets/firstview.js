// The view of the first picture, before the page's scripts are loaded.
import { fittingZoom, leastZoom, project, tilesAhead, wholePart } from "./mercator.js";

/** The part of the window that the summary leaves free; its size is that of the style sheet. */
function freeView() {
  try {
    if (localStorage.getItem("geomapper.folded") === "1") return { width: innerWidth, height: innerHeight - (innerWidth <= 640 ? 60 : 0) };
  } catch {
    // Without storage it is open.
  }
  if (innerWidth <= 640) return { width: innerWidth, height: innerHeight * 0.54 - 60 };
  return { width: innerWidth - Math.max(270, Math.min(324, innerWidth * 0.225)) - 10, height: innerHeight };
}

/** The zoom of the first picture: the address's, or the camera's for the whole world. */
function firstZoom(roots) {
  const told = /^#(-?[\d.]+)\//.exec(location.hash);
  if (told) return Number(told[1]);
  const [west, south, east, north] = [Math.min, Math.min, Math.max, Math.max].map((of, i) => of(...roots.map(({ bbox, taken }) => (taken ?? bbox)[i])));
  const [a, b] = [project(west, north), project(east, south)];
  const whole = fittingZoom(b.x - a.x, b.y - a.y, freeView(), wholePart(innerWidth));
  return Math.max(leastZoom(innerWidth, innerHeight), whole);
}

/** The zoom of the tiles of the first picture; `roots` have a `bbox` or a `taken` one. */
export function firstDepth(roots) {
  const zoom = firstZoom(roots);
  return Math.max(0, Math.floor(zoom + 1e-6) + tilesAhead(zoom));
}
