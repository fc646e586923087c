// Runs first in a published page, and requests the tiles of the first picture while the scripts load: all tiles of a
// zoom are adjacent in the archive.
import { firstDepth } from "./mercator.js";

const { archive, begin, roots } = JSON.parse(document.getElementById("world").textContent);

const depth = firstDepth(roots);
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
