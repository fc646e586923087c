// Marks on the map: the selection, and the middle, where Enter acts.
import { clamp } from "./geo.js";
import { project } from "./mercator.js";

/** Pixels outside the view within which a canvas is precise. */
const FAR_OFF = 30000;

export class Marks {
  constructor(palette) {
    this.palette = palette;
    this.selection = null;
  }

  /** Marks a node, or none; its geometry is as in map files. */
  select(feature) {
    this.selection = null;
    if (!feature) return;
    const { type, coordinates } = feature.geometry;
    const ring = type === "Polygon" ? coordinates[0] : [coordinates];
    this.selection = { isPoint: type === "Point", ring: ring.map(([lon, lat]) => project(lon, lat)) };
  }

  drawSelection(context, camera) {
    if (!this.selection) return;
    const { isPoint, ring } = this.selection;
    const { theme } = this.palette;
    context.beginPath();
    if (isPoint) {
      const [x, y] = camera.toScreen(ring[0].x, ring[0].y);
      context.arc(x, y, 12, 0, Math.PI * 2);
    } else {
      // Clamp a huge outline.
      for (const { x, y } of ring) context.lineTo(...camera.toScreen(x, y).map((value) => clamp(value, -FAR_OFF, FAR_OFF)));
    }
    context.lineJoin = "round";
    context.strokeStyle = theme.paper;
    context.lineWidth = 5;
    context.stroke();
    context.strokeStyle = theme.select;
    context.lineWidth = 2.5;
    context.stroke();
  }

  drawCrosshair(context, camera) {
    const { theme } = this.palette;
    const [x, y] = camera.middle;
    for (const [width, colour] of [[4, theme.paper], [1.5, theme.select]]) {
      context.beginPath();
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        context.moveTo(x + dx * 4, y + dy * 4);
        context.lineTo(x + dx * 13, y + dy * 13);
      }
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    }
  }
}
