// Draws the signs of changes: rings between the sizes before and after, and arrows of what moved.
import { addColours } from "./palette.js";
import { hatch } from "./shapes.js";

/** The colours of changes and of their names, light and dark. */
addColours({
  grew: ["#d98a12", "#f0a93b"], shrank: ["#5c63dc", "#8f97ff"], added: ["#0f9f86", "#35e0c2"], removed: ["#cc3d26", "#ff6f61"], moved: ["#45423a", "#dcd8cd"], same: ["#8d8778", "#9aa09a"],
  grewink: ["#804c00", "#f0a93b"], shrankink: ["#434ac0", "#a9afff"], addedink: ["#00604f", "#35e0c2"], removedink: ["#a5301b", "#ff8a7d"], movedink: ["#33302a", "#e9e5da"],
  faint: ["#6b6455", "#9c978a"],
});

/** The middle of an arrow's curve, from one end to the other. */
export function bowed([x0, y0], [x1, y1]) {
  const bow = 0.2;
  return [(x0 + x1) / 2 - (y1 - y0) * bow, (y0 + y1) / 2 + (x1 - x0) * bow];
}

/** The point of a quadratic curve. */
export function pointOn(from, control, to, part) {
  const [a, b, c] = [(1 - part) ** 2, 2 * part * (1 - part), part ** 2];
  return [0, 1].map((axis) => a * from[axis] + b * control[axis] + c * to[axis]);
}

/** The path of a circle, or of a square. */
function shapeOf(x, y, r, isSquare) {
  const path = new Path2D();
  if (isSquare) path.rect(x - r, y - r, 2 * r, 2 * r);
  else path.arc(x, y, r, 0, Math.PI * 2);
  return path;
}

function stroke(pen, path, colour, width, dash = []) {
  [pen.strokeStyle, pen.lineWidth] = [colour, width];
  pen.setLineDash(dash);
  pen.stroke(path);
  pen.setLineDash([]);
}

function fill(pen, path, colour, part, rule = "nonzero") {
  const alpha = pen.globalAlpha;
  pen.globalAlpha = alpha * part;
  pen.fillStyle = colour;
  pen.fill(path, rule);
  pen.globalAlpha = alpha;
}

/**
 * Draws a change around a point. `r` is the radius of the larger size; `shown` is the state that is shown: 0, 1, or 0.5
 * for both.
 */
export function drawChange(pen, x, y, r, { kind, before, after }, { theme, isSquare = false, isRaised = false, shown = 0.5 }) {
  const colour = theme[kind === "left" ? "moved" : kind];
  const bold = isRaised ? 2.2 : 1;
  const most = Math.max(before, after);
  if (shown !== 0.5) {
    const size = r * Math.sqrt((shown === 0 ? before : after) / most);
    if (size < 0.5) return;
    const path = shapeOf(x, y, size, isSquare);
    fill(pen, path, colour, 0.35);
    stroke(pen, path, colour, 1.4 * bold);
    return;
  }
  const outer = shapeOf(x, y, r, isSquare);
  if (kind === "added" || kind === "moved") {
    fill(pen, outer, colour, isSquare ? 0.16 : 0.78);
    stroke(pen, outer, colour, (isSquare ? 1.8 : 1.2) * bold);
  } else if (kind === "removed" || kind === "left") {
    fill(pen, outer, theme.land, 0.5);
    if (r > 4) hatch(pen, outer, [x - r, y - r, x + r, y + r], { colour, alpha: 0.75 * pen.globalAlpha, width: 1, step: 6 });
    stroke(pen, outer, colour, 1.6 * bold, [4, 3]);
  } else {
    const size = r * Math.sqrt(Math.min(before, after) / most);
    const inner = shapeOf(x, y, size, isSquare);
    const ring = new Path2D(outer);
    ring.addPath(inner);
    fill(pen, inner, theme.land, 0.62);
    fill(pen, ring, colour, 0.68, "evenodd");
    stroke(pen, outer, colour, 1.2 * bold);
    // The line of the state before is full, that of the state after what shrank dashed.
    if (size > 0.8) stroke(pen, inner, theme.ink[1], 1.1, kind === "shrank" ? [2.5, 2] : []);
  }
}

/** Draws an arrow along a curve from one point to another. */
export function drawArrow(pen, from, to, width, { theme }) {
  const control = bowed(from, to);
  const end = pointOn(from, control, to, 0.985);
  const path = new Path2D();
  path.moveTo(...from);
  path.quadraticCurveTo(...control, ...end);
  pen.lineCap = "round";
  stroke(pen, path, theme.halo, width + 2.4);
  stroke(pen, path, theme.moved, width);
  pen.lineCap = "butt";
  const angle = Math.atan2(to[1] - control[1], to[0] - control[0]);
  const head = Math.min(9 + 1.6 * width, 0.5 * Math.hypot(to[0] - from[0], to[1] - from[1]));
  pen.beginPath();
  pen.moveTo(...to);
  for (const turn of [-0.42, 0.42]) pen.lineTo(to[0] - head * Math.cos(angle + turn), to[1] - head * Math.sin(angle + turn));
  pen.closePath();
  pen.fillStyle = theme.moved;
  pen.fill();
}
