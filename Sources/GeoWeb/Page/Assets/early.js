// Runs first in a served page, and requests the tiles of the first picture while the scripts load.
import { firstDepth } from "./mercator.js";

const MAXIMUM_DEPTH = 2; // at this zoom and before, a view of all roots needs most tiles

const { roots } = JSON.parse(document.getElementById("begin").textContent);
const depth = roots.length > 0 ? firstDepth(roots) : Infinity;
if (depth <= MAXIMUM_DEPTH) {
  const tiles = new Map();
  const count = 2 ** depth;
  // Middle ones first.
  const far = (at) => Math.abs((at % count) + 0.5 - count / 2) + Math.abs(Math.floor(at / count) + 0.5 - count / 2);
  for (const at of Array.from({ length: count * count }, (_, index) => index).sort((a, b) => far(a) - far(b))) {
    const address = `/tiles/${depth}/${at % count}/${Math.floor(at / count)}.mvt?soon`;
    // If it fails, the tile is requested again, and the error reported then.
    tiles.set(address, fetch(address, { cache: "no-cache" }).catch(() => null));
  }
  globalThis.early = tiles;
}
