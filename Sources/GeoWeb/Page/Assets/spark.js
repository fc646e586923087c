// How folders grew, as small lines.
import { make, showBytes } from "./geo.js";

const WIDTH = 44; // pixels
const HEIGHT = 12;
const MARGIN = 1.2;
const FINER = 2; // pixels of the picture to one of the page

/**
 * The line of some sizes over time, from 0 to the largest, as points [x, y]; none with less than two of them. Sizes are
 * null where a folder wasn't there.
 */
export function sparkPoints(times, sizes) {
  const known = sizes.map((size, index) => [times[index], size]).filter(([, size]) => size !== null && size !== undefined);
  if (known.length < 2) return [];
  const [start, end] = [times[0], times.at(-1)];
  const most = Math.max(1, ...known.map(([, size]) => size));
  const x = (time) => MARGIN + ((time - start) / Math.max(1e-9, end - start)) * (WIDTH - 2 * MARGIN);
  const y = (size) => HEIGHT - MARGIN - (size / most) * (HEIGHT - 2 * MARGIN);
  return known.map(([time, size]) => [x(time), y(size)]);
}

/** The line as an element; null without one. */
export function spark(times, sizes, colour) {
  const points = sparkPoints(times, sizes);
  if (points.length === 0) return null;
  const known = sizes.filter((size) => size !== null && size !== undefined);
  const canvas = make("canvas", { class: "spark", width: String(FINER * WIDTH), height: String(FINER * HEIGHT), role: "img",
    "aria-label": `${showBytes(known[0])} → ${showBytes(known.at(-1))}` });
  const pen = canvas.getContext("2d");
  pen.scale(FINER, FINER);
  pen.strokeStyle = colour;
  pen.lineWidth = 1.2;
  pen.lineJoin = "round";
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
  return canvas;
}
