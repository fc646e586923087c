// How folders grew, as small lines.
import { make, showBytes } from "./geo.js";

const WIDTH = 44; // pixels
const HEIGHT = 12;
const MARGIN = 1.2;

/**
 * The line of some sizes over time, from 0 to the largest, as points `x,y`; empty with less than two of them. Sizes are
 * null where a folder wasn't there.
 */
export function sparkPoints(times, sizes) {
  const known = sizes.map((size, index) => [times[index], size]).filter(([, size]) => size !== null && size !== undefined);
  if (known.length < 2) return "";
  const [start, end] = [times[0], times.at(-1)];
  const most = Math.max(1, ...known.map(([, size]) => size));
  const x = (time) => MARGIN + ((time - start) / Math.max(1e-9, end - start)) * (WIDTH - 2 * MARGIN);
  const y = (size) => HEIGHT - MARGIN - (size / most) * (HEIGHT - 2 * MARGIN);
  return known.map(([time, size]) => `${x(time).toFixed(1)},${y(size).toFixed(1)}`).join(" ");
}

/** The line as an element; null without one. */
export function spark(times, sizes) {
  const points = sparkPoints(times, sizes);
  if (points === "") return null;
  const known = sizes.filter((size) => size !== null && size !== undefined);
  const line = make("span", { class: "spark", role: "img", "aria-label": `${showBytes(known[0])} → ${showBytes(known.at(-1))}` });
  line.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}"><polyline points="${points}"/></svg>`;
  return line;
}
