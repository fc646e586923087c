// Land known only from a recording: around the places of each folder, in shallow water.
import { boxOfRings, hashText, nameOf, parentOf } from "./geo.js";
import { hullOf } from "./names.js";
import { tintOf } from "./palette.js";

/** The maximum number of drawn folders, those with most places first. */
const MOST_TOLD = 600;
/** How far land extends around its places, in pixels by depth, and shallow water around that. */
const SHORES = [26, 15, 8, 4];
const SHALLOW = 18;
/** Pixels across from which a folder is drawn, and named. */
const [LEAST, LEAST_NAMED] = [3, 60];

export class ToldLand {
  /** `hasContinents` says whether the map has the folders' continents. */
  constructor(view, timeline, hasContinents) {
    this.view = view;
    const places = new Map();
    for (let node = 0; node < timeline.nodeCount; node += 1) {
      for (let path = parentOf(timeline.paths[node]); path !== ""; path = parentOf(path)) {
        if (!places.has(path)) places.set(path, []);
        places.get(path).push([timeline.x[node], timeline.y[node]]);
      }
    }
    this.lands = [...places].sort((a, b) => b[1].length - a[1].length).slice(0, MOST_TOLD)
      .map(([path, points]) => ({ path, depth: path.split("/").length - 1, hull: hullOf(points) }))
      .filter(({ depth }) => depth > 0 || !hasContinents)
      .sort((a, b) => a.depth - b.depth);
    this.canvas = document.createElement("canvas");
    /** The boxes of the drawn names. */
    this.boxes = [];
  }

  /** Draws visible land, in page pixels; as an image as long as the view stays. */
  draw(context, camera) {
    const { palette, ratio, tiles } = this.view;
    const key = [camera.z, camera.x, camera.y, camera.width, camera.height, ratio, palette.key, tiles.counts.came].join();
    if (key !== this.key) {
      this.key = key;
      [this.canvas.width, this.canvas.height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
      const pen = this.canvas.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.render(pen, camera);
    }
    context.drawImage(this.canvas, 0, 0, camera.width, camera.height);
  }

  render(pen, camera) {
    const { theme } = this.view.palette;
    const listed = new Map(this.view.landsInView().map((land) => [land.path, land]));
    pen.lineJoin = pen.lineCap = "round";
    const lands = this.lands.map(({ path, depth, hull }) => {
      const corners = hull.map(([x, y]) => camera.toScreen(x, y));
      return { path, depth, corners, box: boxOfRings(corners), shore: SHORES[Math.min(depth, SHORES.length - 1)] };
    }).filter(({ box: [west, north, east, south], shore }) => Math.max(east - west, south - north) + shore > LEAST &&
      east > -60 && south > -60 && west < camera.width + 60 && north < camera.height + 60);
    const outline = ({ corners }) => {
      pen.beginPath();
      for (const [x, y] of corners) pen.lineTo(x, y);
      pen.closePath();
    };
    const paint = (land, wide, colour) => {
      outline(land);
      pen.strokeStyle = pen.fillStyle = colour;
      pen.lineWidth = wide;
      pen.stroke();
      pen.fill();
    };
    const least = Math.min(...lands.map(({ depth }) => depth));
    const outer = lands.filter(({ depth }) => depth === least);
    for (const [more, colour] of [[2 * SHALLOW + 1.6, theme.shelfedge], [2 * SHALLOW, theme.shelf], [9, theme.waterline[1]], [7, theme.shelf]]) {
      for (const land of outer) paint(land, 2 * land.shore + more, colour);
    }
    for (const land of lands) {
      const tint = theme.tint[listed.has(land.path) ? tintOf(listed.get(land.path)) : hashText(land.path) % theme.tint.length];
      paint(land, 2 * land.shore + (land.depth === least ? 3 : 1.6), land.depth === least ? theme.coast : theme.border[Math.min(land.depth, 3)]);
      paint(land, 2 * land.shore, land.depth === 0 ? theme.land : tint);
    }
    this.name(pen, lands);
  }

  name(pen, lands) {
    const { theme } = this.view.palette;
    [pen.textAlign, pen.textBaseline, pen.strokeStyle, pen.lineWidth] = ["center", "middle", this.view.palette.halo, 3.4];
    this.boxes = [];
    for (const { path, depth, box: [west, north, east, south], shore } of lands) {
      if (east - west + 2 * shore < LEAST_NAMED) continue;
      const at = [(west + east) / 2, depth === 0 ? north - shore + 16 : (north + south) / 2];
      pen.font = `${depth < 2 ? 600 : 400} ${depth === 0 ? 20 : 13}px Georgia, "DejaVu Serif", serif`;
      pen.fillStyle = theme.ink[Math.min(depth, 3)];
      const half = pen.measureText(nameOf(path)).width / 2;
      this.boxes.push([at[0] - half, at[1] - 7, at[0] + half, at[1] + 7]);
      pen.strokeText(nameOf(path), ...at);
      pen.fillText(nameOf(path), ...at);
    }
  }
}
