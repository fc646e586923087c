// Land that nobody knows of but by what was recorded in it: around the places of each folder.
import { hashText, nameOf, parentOf } from "./geo.js";

/** Folders that are drawn at most, those with the most places first. */
const MOST_TOLD = 600;
/** How far land reaches beyond its places, in pixels, by how deep it lies. */
const SHORES = [26, 15, 8, 4];

/** The corners of the convex hull around points, in their order (Andrew's monotone chain). */
export function hullAround(points) {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (all) => {
    const hull = [];
    for (const point of all) {
      while (hull.length > 1) {
        const [a, b] = [hull.at(-2), hull.at(-1)];
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        hull.pop();
      }
      hull.push(point);
    }
    hull.pop();
    return hull;
  };
  return sorted.length < 3 ? sorted : [...chain(sorted), ...chain(sorted.reverse())];
}

export class ToldLand {
  /** `hasContinents` says whether the map has those that the folders lie in. */
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
      .map(([path, points]) => ({ path, depth: path.split("/").length - 1, hull: hullAround(points) }))
      .filter(({ depth }) => depth > 0 || !hasContinents)
      .sort((a, b) => a.depth - b.depth);
  }

  /** Draws what is in view, in pixels of the page. */
  draw(context, camera) {
    const { theme } = this.view.palette;
    context.lineJoin = context.lineCap = "round";
    const names = [];
    for (const { path, depth, hull } of this.lands) {
      const corners = hull.map(([x, y]) => camera.toScreen(x, y));
      const xs = corners.map(([x]) => x);
      const ys = corners.map(([, y]) => y);
      const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      if (east < -40 || south < -40 || west > camera.width + 40 || north > camera.height + 40) continue;
      const shore = SHORES[Math.min(depth, SHORES.length - 1)];
      context.beginPath();
      for (const [x, y] of corners) context.lineTo(x, y);
      context.closePath();
      const fill = depth === 0 ? theme.land : theme.tint[hashText(path) % theme.tint.length];
      // A broad stroke is the shore; under it a broader one is the coast line.
      for (const [width, colour] of [[2 * shore + 1.6, theme.border[Math.min(depth, 3)]], [2 * shore, fill]]) {
        context.strokeStyle = context.fillStyle = colour;
        context.lineWidth = width;
        context.stroke();
        context.fill();
      }
      if (east - west + 2 * shore < 60) continue;
      names.push([nameOf(path), depth, (west + east) / 2, depth === 0 ? north - shore + 16 : (north + south) / 2]);
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.strokeStyle = theme.paper;
    context.lineWidth = 3;
    for (const [name, depth, x, y] of names) {
      context.font = `${depth < 2 ? 600 : 400} ${depth === 0 ? 20 : 13}px Georgia, "DejaVu Serif", serif`;
      context.fillStyle = theme.ink[Math.min(depth, 3)];
      context.strokeText(name, x, y);
      context.fillText(name, x, y);
    }
  }
}
