// Where zooming ends: once all nodes in view are shown, and their signs are as large as they get.
import { meets } from "./blocks.js";
import { contains, overlap } from "./geo.js";
import { layers } from "./layers.js";
import { project } from "./mercator.js";
import { outlineBox, outlineOf } from "./shapes.js";

/** So many zooms after a file appears, its sign has its full size. */
const FULL = 5;
/** A summary with so many files may lack others. */
const MOST_FILES = 20_000;

/** The places of the last summary. */
const last = { summary: null, places: [] };

/** The places of a summary's lands and files, with the zooms from which they are shown. */
function placesOf(summary) {
  if (last.summary === summary) return last.places;
  const things = [...summary.lands, ...summary.own].filter(({ lon, minzoom }) => lon !== undefined && minzoom !== undefined);
  last.summary = summary;
  last.places = things.map(({ lon, lat, minzoom }) => ({ ...project(lon, lat), minzoom }));
  return last.places;
}

/** Whether a ring of a tile meets a box in units of its grid. */
function ringMeets(ring, box) {
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) if (meets([ring[j], ring[j + 1], ring[i], ring[i + 1]], box)) return true;
  return contains(ring, box[0], box[1]);
}

/** Whether a view shows land other than the level's folder and those around it: what is in it is unknown. */
function hasOtherLand({ camera, tiles }, { path, roots }) {
  const isAround = (land) => land.depth === 0 || roots.includes(land.path) || (path !== undefined && path.startsWith(`${land.path}/`));
  const [west, north] = camera.toWorld(0, 0);
  const [east, south] = camera.toWorld(camera.width, camera.height);
  return [...new Set(tiles.visible(camera).map((address) => tiles.best(address)))].some((entry) => {
    if (!entry) return true;
    const at = (x, y) => [(x * 2 ** entry.z - entry.x) * 4096, (y * 2 ** entry.z - entry.y) * 4096];
    const box = [...at(west, north), ...at(east, south)];
    return entry.data.land.some((land) => !isAround(land) && outlineOf(land).length > 0 && overlap(box, outlineBox(land)) &&
      outlineOf(land).some((ring) => ringMeets(ring, box)));
  });
}

/** The zoom at which nothing more can come in a view; infinite if that is unknown. `level` is the level in view. */
export function zoomEnd(view, level) {
  const { camera } = view;
  const { current } = level;
  if (!current || !level.isSettled || layers.is("isDeep") || hasOtherLand(view, current)) return Infinity;
  const places = placesOf(current);
  const near = current.own.length < MOST_FILES ? places.filter(({ x, y }) => camera.isNear(...camera.toScreen(x, y), 0)) : places;
  const fullAt = (all) => all.reduce((most, { minzoom }) => Math.max(most, minzoom), 0) + FULL;
  return near.length === 0 ? Math.min(camera.z, fullAt(places)) : fullAt(near);
}
