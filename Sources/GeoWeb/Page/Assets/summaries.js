// Summaries that the page puts together itself: those of a published site, and of a page in one file.
import { byBytes } from "./sorted.js";

/** The number of largest files. */
const LARGEST = 14;
/** The maximum number of lands, and of own files. */
const MOST = 20_000;

/** Things by a measure, the largest first, at most as many as a summary has; those without it come last. */
function bySize(things, measure) {
  const amount = (thing) => thing[measure] ?? -1;
  return [...things].sort((a, b) => amount(b) - amount(a)).slice(0, MOST);
}

/** The largest of some files with paths; files that take nothing, or are gone, are not among them. */
export function largestOf(files, measure) {
  const least = (best) => (best.length < LARGEST ? 0 : best.at(-1)[measure]);
  const order = (a, b) => b[measure] - a[measure] || byBytes(a.path, b.path);
  const best = [];
  for (const file of files) {
    if (!(file[measure] > 0) || file[measure] < least(best) || file.change === "removed") continue;
    const place = best.findIndex((other) => order(file, other) < 0);
    best.splice(place < 0 ? best.length : place, 0, file);
    if (best.length > LARGEST) best.pop();
  }
  return best;
}

/** The sum of what is known; undefined if a part is not. */
const sum = (numbers) => (numbers.includes(undefined) ? undefined : numbers.reduce((all, number) => all + number, 0));

/**
 * The summary of a folder, or of all roots, from their parts: `path`, `rawPath`, `totals`, `below` (number of folders),
 * `states`, `lands`, `own` and `largest`. Without totals it is not complete.
 */
export function summaryOf(parts, measure, complete) {
  const totals = parts.map((part) => part.totals).filter((one) => one !== undefined);
  const sumOf = (key) => (complete ? sum(totals.map((one) => one[key])) : undefined);
  const times = totals.map(({ newest }) => newest).filter((time) => time !== undefined);
  const states = parts.every((part) => part.states) ? [0, 1].map((index) => ({
    files: sum(parts.map((part) => part.states[index].files)), bytes: sum(parts.map((part) => part.states[index].bytes)) })) : undefined;
  const isOne = parts.length === 1;
  return {
    path: isOne ? parts[0].path : undefined, rawPath: isOne ? parts[0].rawPath : undefined,
    roots: parts.map(({ path }) => path), complete, measure,
    bytes: sumOf("bytes"), allocated: sumOf("allocated"), files: sumOf("files"),
    folders: complete ? sum(parts.map(({ below }) => below)) : undefined,
    newest: times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined, states: parts.length > 0 ? states : undefined,
    lands: bySize(parts.flatMap(({ lands }) => lands), measure),
    own: bySize(parts.flatMap(({ own }) => (isOne ? own.map(({ path, rawPath, ...file }) => file) : own)), measure),
    largest: complete ? largestOf(parts.flatMap(({ largest }) => largest), measure) : undefined,
  };
}
