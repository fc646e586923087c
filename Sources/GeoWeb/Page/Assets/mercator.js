// The world as a square of side 1 (Web Mercator), and its part in a window.

/** The side of a tile, in pixels. */
export const TILE = 512;

/** World coordinates from 0 to 1, x to the east and y to the south (Web Mercator). */
export function project(lon, lat) {
  const s = Math.sin((Math.max(-85.0511, Math.min(85.0511, lat)) * Math.PI) / 180);
  return { x: lon / 360 + 0.5, y: 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI) };
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

export function unproject(x, y) {
  return {
    lon: (x - 0.5) * 360,
    lat: (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI,
  };
}

/** The zoom at which the whole world is slightly smaller than a window. */
export function leastZoom(width, height) {
  return Math.log2(Math.min(width, height) / TILE) - 0.2;
}

/** The part of a window of a width that a flight's target fills. */
export function filledPart(width) { return width > 640 ? 0.86 : 0.88; }

/** And the part that taken land fills at the start; its rim and shallows are around it. */
export function wholePart(width) { return width > 640 ? 0.84 : 0.88; }

/**
 * The zoom at which an extent fills a `part` of a window; Infinity for a point. `free` is the uncovered part of the
 * window.
 */
export function fittingZoom(across, down, free, part) {
  const side = Math.max(across / (free.width * part), down / (free.height * part));
  return side > 0 ? -Math.log2(side * TILE) : Infinity;
}

/** How many zooms the tiles of a view are deeper than it: far out two, because few tiles show the whole world. */
export function tilesAhead(zoom) {
  return Math.floor(zoom + 1e-6) <= 0 ? 2 : 1;
}
