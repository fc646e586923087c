// Draws the signs of size: circles of lands, squares of files, dots, and lines to the place they belong to.

const SHADED = 12; // pixels: smaller circles are filled evenly
const SPRITE = 160; // pixels

/** Shaded fills of circles by colour, scaled to each size. */
const fills = new Map();

function fillOf(colour) {
  let canvas = fills.get(colour);
  if (canvas) return canvas;
  canvas = document.createElement("canvas");
  canvas.width = canvas.height = SPRITE;
  const pen = canvas.getContext("2d");
  const half = SPRITE / 2;
  const glow = pen.createRadialGradient(half * 0.75, half * 0.7, half * 0.1, half, half, half);
  // 42 to 68 %.
  for (const [at, alpha] of [[0, "6b"], [1, "ad"]]) glow.addColorStop(at, colour + alpha);
  pen.fillStyle = glow;
  pen.beginPath();
  pen.arc(half, half, half, 0, Math.PI * 2);
  pen.fill();
  fills.set(colour, canvas);
  return canvas;
}

/**
 * Draws a circle; `look` may have `fill` and `rim`, six-digit colours, `isRaised` for a bold rim, and `isFaint` for
 * little fill, so that the ground shows.
 */
export function drawCircle(pen, x, y, r, { fill, rim, isRaised = false, isFaint = false }) {
  const alpha = pen.globalAlpha;
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  if (isFaint || r < SHADED) {
    pen.globalAlpha = alpha * (isFaint ? 0.16 : 0.62);
    pen.fillStyle = fill;
    pen.fill();
    pen.globalAlpha = alpha;
  } else pen.drawImage(fillOf(fill), x - r, y - r, 2 * r, 2 * r);
  pen.strokeStyle = rim;
  pen.lineWidth = isRaised ? 3.5 : isFaint ? 1.8 : r < 3 ? 0.8 : 1.2;
  pen.stroke();
}

/** Draws a square with half a side of `r`; `look` as for circles. */
export function drawSquare(pen, x, y, r, { fill, rim, isRaised = false }) {
  const alpha = pen.globalAlpha;
  pen.globalAlpha = alpha * 0.84;
  pen.fillStyle = fill;
  pen.fillRect(x - r, y - r, 2 * r, 2 * r);
  pen.globalAlpha = alpha;
  if (r < 2.5 && !isRaised) return;
  pen.strokeStyle = rim;
  pen.lineWidth = isRaised ? 3.5 : 1;
  pen.strokeRect(x - r, y - r, 2 * r, 2 * r);
}

/** Draws the line from a symbol that was pushed aside to its place. */
export function drawTether(pen, [x, y], [px, py], colour) {
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(px, py);
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y, 1.6, 0, Math.PI * 2);
  pen.fill();
}

/** Draws the place of a square on the square. */
export function drawDot(pen, x, y, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, 1.9, 0, Math.PI * 2);
  pen.fill();
}

/** The half side in pixels of the square of a file too small for one. */
export const DOT = 1.3;

/** The looks of symbols of lands and files in a theme. */
export function looks({ circle, circlerim, square, squarerim }) {
  return { land: { fill: circle, rim: circlerim }, file: { fill: square, rim: squarerim } };
}
