// Where a quantity goes that was sampled, as `geomapper recordings info` reckons it.
import { firstFrom } from "./sorted.js";

const HOUR = 3600;
/** Half an hour in seconds: what is shorter has no rate. */
const SHORTEST = 1800;
/** Hours of the windows. */
const spans = [1, 6, 24, 168];
/** What part of the value it has to change by in an hour to count as going somewhere, and fast. */
const [SOME, MUCH] = [0.001, 0.05];

const arrows = { "rising fast": "⇈", rising: "↑", steady: "→", falling: "↓", "falling fast": "⇊" };

/** An arrow for a direction. */
export function arrowOf(direction) { return arrows[direction]; }

/**
 * The value at the end, by how much it changes an hour and where that leads, and least, greatest and
 * average value of those windows that begin where there are values, and the first that doesn't; `times`
 * are in seconds. Null of no values.
 */
export function trendOf(times, values) {
  if (times.length === 0) return null;
  const [first, last, value] = [times[0], times.at(-1), values.at(-1)];
  const rate = last - first >= SHORTEST ? slope(times, values, last - HOUR) : null;
  const windows = [];
  for (const hours of spans) {
    windows.push({ hours, ...windowOf(times, values, last - hours * HOUR) });
    if (last - first < hours * HOUR) break;
  }
  return { value, rate, direction: rate === null ? null : directionOfRate(rate / Math.max(1, Math.abs(value))), windows };
}

function directionOfRate(part) {
  if (Math.abs(part) < SOME) return "steady";
  if (Math.abs(part) < MUCH) return part > 0 ? "rising" : "falling";
  return part > 0 ? "rising fast" : "falling fast";
}

/** The slope of the line that is nearest to the values, by least squares, an hour. */
function slope(times, values, start) {
  let [count, meanTime, meanValue, products, squares] = [0, 0, 0, 0, 0];
  // Welford's sums, which don't lose what large values have in common.
  for (let i = firstFrom(times, start); i < times.length; i += 1) {
    count += 1;
    const x = (times[i] - start) / HOUR;
    const fromTime = x - meanTime;
    meanTime += fromTime / count;
    meanValue += (values[i] - meanValue) / count;
    products += fromTime * (values[i] - meanValue);
    squares += fromTime * (x - meanTime);
  }
  return squares > 0 ? products / squares : null;
}

function windowOf(times, values, start) {
  const found = { least: values.at(-1), greatest: values.at(-1), average: 0 };
  const first = firstFrom(times, start);
  for (let i = first; i < times.length; i += 1) {
    found.least = Math.min(found.least, values[i]);
    found.greatest = Math.max(found.greatest, values[i]);
    found.average += (values[i] - found.average) / (i - first + 1);
  }
  return found;
}

/** In how many hours something is full that this takes from; null if never, at this rate. */
export function hoursUntilFull({ rate, direction }, free) {
  return rate > 0 && direction !== "steady" ? Math.max(0, free) / rate : null;
}
