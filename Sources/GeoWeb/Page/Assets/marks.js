// Marks on the map: the selection, the middle and the scale.
import { byId, circle, clamp, showDistance, strokeIn, strokeLines } from "./geo.js";
import { project, TILE, worldPlace } from "./mercator.js";
import { BUFFER } from "./source.js";

const FAR_OFF = 30000; // pixels outside the view within which a canvas is precise

export class Marks {
  constructor(palette) { Object.assign(this, { palette, selection: null }); }

  select(feature) {
    const { type, coordinates } = feature?.geometry ?? {};
    const ring = type === "Polygon" ? coordinates[0] : [coordinates];
    this.selection = feature ? { path: feature.properties.path, isPoint: type === "Point", ring: ring.map(([lon, lat]) => project(lon, lat)) } : null;
  }

  drawSelection(context, camera, entries) {
    if (!this.selection) return;
    const { path, isPoint, ring } = this.selection;
    const { theme } = this.palette;
    const drawn = isPoint ? [] : entries.flatMap((entry) => entry.data.land.filter((land) => land.path === path && land.drawn).map((land) => ({ entry, land })));
    context.beginPath();
    if (isPoint) circle(context, ...camera.toScreen(ring[0].x, ring[0].y), 12);
    else if (drawn.length > 0) {
      for (const { entry, land } of drawn) land.drawn.forEach((one, index) => lineWithin(context, camera, entry, one, land.outline[index]));
    } else {
      // Clamp a huge outline.
      for (const { x, y } of ring) context.lineTo(...camera.toScreen(x, y).map((value) => clamp(value, -FAR_OFF, FAR_OFF)));
    }
    context.lineJoin = "round";
    strokeIn(context, theme.paper, 5);
    strokeIn(context, theme.select, 2.5);
  }

  /** Draws the outlines of lands, each `[colour, width]` by its path; `entries` are the tiles of the view. */
  drawOutlines(context, camera, lines, entries) {
    if (lines.size === 0) return;
    context.lineJoin = context.lineCap = "round";
    for (const entry of entries) {
      for (const land of entry.data.land) {
        const line = lines.get(land.path);
        if (!line) continue;
        context.beginPath();
        land.drawn?.forEach((ring, index) => lineWithin(context, camera, entry, ring, land.outline[index]));
        strokeIn(context, ...line);
      }
    }
  }

  /** Draws the frame of the world, where the graticule ends. */
  drawFrame(context, camera) {
    const side = TILE * 2 ** camera.z;
    const [left, top] = camera.toScreen(0, 0);
    if (left < -2 && top < -2 && left + side > camera.width + 2 && top + side > camera.height + 2) return;
    context.strokeStyle = this.palette.theme.waterline[0];
    for (const [out, width] of [[1, 1.2], [5, 2.4]]) {
      context.lineWidth = width;
      context.strokeRect(left - out, top - out, side + 2 * out, side + 2 * out);
    }
  }

  drawCrosshair(context, camera) {
    const { theme } = this.palette;
    const [x, y] = camera.middle;
    const arms = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => [x + dx * 4, y + dy * 4, x + dx * 13, y + dy * 13]);
    for (const [width, colour] of [[4, theme.paper], [1.5, theme.select]]) strokeLines(context, colour, width, ...arms);
  }
}

/** Adds a ring of a tile to the path, without the sides along which the tile cuts it off; `outline` is it undisplaced. */
function lineWithin(context, camera, entry, ring, outline) {
  const isRim = (i, j) => [0, 1].some((axis) => outline[i + axis] === outline[j + axis] &&
    (outline[i + axis] <= -BUFFER || outline[i + axis] >= 4096 + BUFFER));
  let isOpen = false;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    if (isRim(i, j)) {
      isOpen = false;
      continue;
    }
    if (!isOpen) context.moveTo(...camera.toScreen(...worldPlace(entry, ring[i], ring[i + 1])));
    context.lineTo(...camera.toScreen(...worldPlace(entry, ring[j], ring[j + 1])));
    isOpen = true;
  }
}

export function showScale(camera, isShown) {
  const bar = byId("scale");
  if (bar.hidden === isShown) bar.hidden = !isShown;
  if (!isShown) return;
  const metres = camera.metresOfPixel;
  const most = metres * 110;
  const ten = 10 ** Math.floor(Math.log10(most));
  const length = ten * [5, 2, 1].find((factor) => factor * ten <= most);
  bar.style.width = `${Math.round(length / metres)}px`;
  bar.firstElementChild.textContent = `${showDistance(length)} · zoom ${camera.z.toFixed(1)}`;
}
