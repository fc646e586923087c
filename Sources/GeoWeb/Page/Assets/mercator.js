// The world as a square of side 1 (Web Mercator), its part in a window, and the view of the first picture.

export const TILE = 512; // the side of a tile, in pixels

/** World coordinates from 0 to 1, x to the east and y to the south (Web Mercator). */
export function project(lon, lat) {
  const s = Math.sin((Math.max(-85.0511, Math.min(85.0511, lat)) * Math.PI) / 180);
  return { x: lon / 360 + 0.5, y: 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI) };
}

/** A box of degrees (west, south, east, north) as one of the world: west, north, east, south. */
export function boxInWorld([west, south, east, north]) {
  const [a, b] = [project(west, north), project(east, south)];
  return [a.x, a.y, b.x, b.y];
}

/** A ring of degrees (longitude, latitude in turn) in world coordinates. */
export function projectRing(ring) {
  const world = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    const { x, y } = project(ring[i], ring[i + 1]);
    [world[i], world[i + 1]] = [x, y];
  }
  return world;
}

/** The world place of a point in a tile, given in units of its grid. */
export function worldPlace(tile, x, y) {
  const count = 2 ** tile.z;
  return [(tile.x + x / 4096) / count, (tile.y + y / 4096) / count];
}

export function gridPlace({ x, y, z }, worldX, worldY) { return [(worldX * 2 ** z - x) * 4096, (worldY * 2 ** z - y) * 4096]; }

export function unproject(x, y) {
  return { lon: (x - 0.5) * 360, lat: (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI };
}

/** The zoom at which the whole world is slightly smaller than a window. */
export function leastZoom(width, height) { return Math.log2(Math.min(width, height) / TILE) - 0.2; }
export function filledPart(width) { return width > 640 ? 0.86 : 0.88; }

/** And the part that taken land fills at the start; its rim and shallows are around it. */
export function wholePart(width) { return width > 640 ? 0.84 : 0.88; }

/** The zoom at which an extent fills a `part` of what is `free` in a window; Infinity for a point. */
export function fittingZoom(across, down, free, part) {
  const side = Math.max(across / (free.width * part), down / (free.height * part));
  return side > 0 ? -Math.log2(side * TILE) : Infinity;
}

/** How many zooms the tiles of a view are deeper than it: far out two, because few tiles show the whole world. */
export function tilesAhead(zoom) { return Math.floor(zoom + 1e-6) <= 0 ? 2 : 1; }

// The view of the first picture, before the page's scripts are loaded.

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
  const given = /^#(-?[\d.]+)\//.exec(location.hash);
  if (given) return Number(given[1]);
  const box = [Math.min, Math.min, Math.max, Math.max].map((of, i) => of(...roots.map(({ bbox, taken }) => (taken ?? bbox)[i])));
  const [west, north, east, south] = boxInWorld(box);
  const whole = fittingZoom(east - west, south - north, freeView(), wholePart(innerWidth));
  return Math.max(leastZoom(innerWidth, innerHeight), whole);
}

/** The zoom of the tiles of the first picture; `roots` have a `bbox` or a `taken` one. */
export function firstDepth(roots) {
  const zoom = firstZoom(roots);
  return Math.max(0, Math.floor(zoom + 1e-6) + tilesAhead(zoom));
}
