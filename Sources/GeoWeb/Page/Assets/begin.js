// Runs first in a published page, and requests the tiles of the first picture while the scripts load: all tiles of a
// zoom are adjacent in the archive.
import { fittingZoom, leastZoom, project, tilesAhead, wholePart } from "./mercator.js";

const { archive, begin, roots } = JSON.parse(document.getElementById("world").textContent);

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
function firstZoom() {
  const told = /^#(-?[\d.]+)\//.exec(location.hash);
  if (told) return Number(told[1]);
  const [west, south, east, north] = [Math.min, Math.min, Math.max, Math.max].map((of, i) => of(...roots.map(({ bbox, taken }) => (taken ?? bbox)[i])));
  const [a, b] = [project(west, north), project(east, south)];
  const whole = fittingZoom(b.x - a.x, b.y - a.y, freeView(), wholePart(innerWidth));
  return Math.max(leastZoom(innerWidth, innerHeight), whole);
}

const zoom = firstZoom();
const depth = Math.max(0, Math.floor(zoom + 1e-6) + tilesAhead(zoom));
const tilesBefore = (z) => (4 ** z - 1) / 3;
const [first, end] = [tilesBefore(depth), tilesBefore(depth + 1)];
const wanted = begin.tiles.map((tile, i) => i).filter((i) => begin.tiles[i] < end && begin.tiles[i] + begin.runs[i] > first);
if (end <= begin.end && wanted.length > 0) {
  const from = Math.min(...wanted.map((i) => begin.offsets[i]));
  const length = Math.max(...wanted.map((i) => begin.offsets[i] + begin.lengths[i])) - from;
  const response = fetch(archive, { headers: { Range: `bytes=${from}-${from + length - 1}` } });
  // If it fails, tiles are requested one by one, and errors reported then.
  response.catch(() => {});
  globalThis.begun = { from, length, response };
}

// Browsers don't load modules from disk.
if (location.protocol === "file:") {
  addEventListener("DOMContentLoaded", () => {
    const text = document.createElement("p");
    text.id = "unserved";
    text.textContent = "A browser shows this map only from a web server that sends ranges of files, not from a disk: upload the folder "
      + "that this page is in, or serve it, for instance by: npx http-server";
    document.body.replaceChildren(text);
    document.body.classList.remove("starting");
  });
}
