// Arcs over the map, from where files were to where they are.
import { mix } from "./geo.js";

const MOST_ARCS = 260;

/** The moves of which at least one end is in view, in pixels; those that begin and end side by side are one. */
function bundlesOf(moves, camera) {
  const bundles = new Map();
  for (const [ax, ay, bx, by] of moves) {
    const [x0, y0] = camera.toScreen(ax, ay);
    const [x1, y1] = camera.toScreen(bx, by);
    if (Math.hypot(x1 - x0, y1 - y0) < 3) continue;
    if (!camera.isNear(x0, y0, 20) && !camera.isNear(x1, y1, 20)) continue;
    const key = [x0, y0, x1, y1].map((value) => Math.round(value / 7)).join();
    const bundle = bundles.get(key);
    if (bundle) bundle.count += 1;
    else bundles.set(key, { x0, y0, x1, y1, count: 1 });
  }
  return [...bundles.values()].sort((a, b) => b.count - a.count).slice(0, MOST_ARCS);
}

/** Draws the arcs of moves, `[x, y, x, y, …]` in coordinates of the world each, so strongly. */
export function drawArcs(context, camera, moves, colour, strength) {
  context.strokeStyle = context.fillStyle = colour;
  for (const { x0, y0, x1, y1, count } of bundlesOf(moves, camera)) {
    // Bowed by a part of its length, each a little otherwise, so that neighbours are told apart.
    const bow = 0.22 + (mix(Math.round(x0 - x1), Math.round(y0 - y1)) % 100) / 1500;
    const [mx, my] = [(x0 + x1) / 2 - (y1 - y0) * bow, (y0 + y1) / 2 + (x1 - x0) * bow];
    context.beginPath();
    context.moveTo(x0, y0);
    context.quadraticCurveTo(mx, my, x1, y1);
    context.globalAlpha = strength * 0.72;
    context.lineWidth = Math.min(5, 0.8 + 0.55 * Math.log2(count));
    context.stroke();
    context.globalAlpha = strength;
    const angle = Math.atan2(y1 - my, x1 - mx);
    const head = 5 + context.lineWidth;
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - head * Math.cos(angle - 0.4), y1 - head * Math.sin(angle - 0.4));
    context.lineTo(x1 - head * Math.cos(angle + 0.4), y1 - head * Math.sin(angle + 0.4));
    context.fill();
  }
  context.globalAlpha = 1;
}
