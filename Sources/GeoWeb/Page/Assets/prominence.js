// What stands out on a level: tints of lands, sizes of symbols, names with figures.
import { hashText, nameOf, showAmount, showCount, showTime } from "./geo.js";
import { tintStrength } from "./rules.js";

/** The strength of tints: of the level's lands, of little ones, of land outside the folder in view and around it. */
const STRENGTHS = { full: 0.6, deep: 0.6, little: 0.08, beside: 0.28, around: 0, same: 0, within: 0 };
export function strengthOf(standing, breadth) { return STRENGTHS[standing] ?? tintStrength(breadth); }

const LITTLE = 1 / 1000; // lands with less than this part of the level's sum recede

/** How lands stand out while no level is known: all are the same, and fade as one looks into them. */
export const NO_LEVEL = { key: "", of: () => "unknown" };

/**
 * How lands stand out at a level: `of(path)` is `full`, `deep` below those, `little`, `beside`, `around` for a folder around the one in view,
 * or `current` for that one. `key` changes with any of them. `amount` is the amount of a land.
 */
export function prominenceAt({ path, roots, lands, own, complete }, amount) {
  const little = new Set();
  const amounts = lands.map((land) => amount(land) ?? 0);
  const sum = [...amounts, ...own.map((file) => amount(file) ?? 0)].reduce((all, one) => all + one, 0);
  // While figures come, all is little at first.
  if (complete !== false && sum > 0) lands.forEach((land, index) => { if (amounts[index] < sum * LITTLE) little.add(land.path); });
  return {
    key: hashText(JSON.stringify([path, roots, [...little].sort()])),
    of(land) {
      if (land === path) return "current";
      const root = roots.find((one) => land.startsWith(`${one}/`));
      if (root === undefined) return roots.some((one) => one.startsWith(`${land}/`) || one === land) ? "around" : "beside";
      const end = land.indexOf("/", root.length + 1);
      if (little.has(end < 0 ? land : land.slice(0, end))) return "little";
      return end < 0 ? "full" : "deep";
    },
  };
}

// The sizes of symbols: areas in proportion to bytes, on one scale for a level.

/** The radius of the largest circle in pixels: of the world, and of a folder flown to. */
const LARGEST = { world: 78, folder: 70 };
const LARGEST_SQUARE = 75; // the side of the largest square in a folder without sub-folders, in pixels
/** The part of the level's land that all circles take at most, and all squares of a folder of files. */
const [MAXIMUM_CIRCLES, MAXIMUM_SQUARES] = [0.16, 0.2];
/** The part of a root's land that its circles take at most, if the level has several roots. */
const MAXIMUM_OF_ROOT = 0.7;
const FINEST = 20000; // an amount has no circle if it is less than the level's sum divided by this

/**
 * The radius of a circle of one byte in pixels; 0 without amounts. `area` is that of the level's land in square pixels, Infinity
 * if unknown; `parts` has `sum` and `area` of each of several roots; `side` is the shorter side of the view in pixels.
 */
export function unitRadius({ lands, files, isWorld, area = Infinity, parts = [], side = Infinity }) {
  // Once a frame while zooming, over up to 40,000 amounts.
  let [largest, sum] = [0, 0];
  for (const amounts of [lands, files]) for (const amount of amounts) if (amount > 0) [largest, sum] = [Math.max(largest, amount), sum + amount];
  if (largest === 0) return 0;
  const hasLands = lands.some((amount) => amount > 0);
  const radius = hasLands ? LARGEST[isWorld ? "world" : "folder"] : LARGEST_SQUARE / Math.sqrt(Math.PI);
  const most = (hasLands ? MAXIMUM_CIRCLES : MAXIMUM_SQUARES) * area;
  const ofParts = parts.filter((part) => part.sum > 0).map((part) => Math.sqrt((MAXIMUM_OF_ROOT * part.area) / (Math.PI * part.sum)));
  return Math.min((radius * Math.min(1, side / 560)) / Math.sqrt(largest), Math.sqrt(most / (Math.PI * sum)), ...ofParts);
}

export function leastAmount(sum) { return sum / FINEST; }
export function sideOf(radius) { return radius * Math.sqrt(Math.PI); }

/** A round amount near another: 1, 2 or 5 times a power of ten. */
function roundAmount(amount) {
  const ten = 10 ** Math.floor(Math.log10(amount));
  const first = amount / ten;
  return (first < 1.5 ? 1 : first < 3.5 ? 2 : first < 7.5 ? 5 : 10) * ten;
}

/** Two round amounts for a legend, the larger first, with circles of about 26 and 9 pixels, as far as `largest` allows. */
export function referenceAmounts(unit, largest) {
  if (!(unit > 0) || !(largest > 0)) return [];
  const first = Math.min((26 / unit) ** 2, largest * 0.6);
  return [...new Set([first, first / 8].map((amount) => Math.max(1, roundAmount(amount))))];
}

/** The deepest land that fills more than half of a view, or null; `samples` has the lands at points spread evenly over it. */
export function landThatFills(samples) {
  const counts = new Map();
  for (const lands of samples) for (const land of lands) counts.set(land, (counts.get(land) ?? 0) + 1);
  let found = null;
  for (const [land, count] of counts) if (2 * count > samples.length && (!found || land.depth > found.depth)) found = land;
  return found;
}

// What is named on a level, and with which figures.

const LARGEST_LANDS = 12;
const FULLEST_LANDS = 3;
export const NARROW = 560; // windows narrower than this, in pixels, have room for half as many names

/** So many lands have larger names, and the largest folder in them if it has this part of their bytes. */
const [TOP, TOP_PART] = [3, 0.2];
/** How many of the largest files are named among lands, and where there are no lands. */
export const LARGEST_FILES = [6, 14];

export function shortName(name, most = 40) { return name.length > most ? `${name.slice(0, most - 2)}…` : name; }

/** The words that distinguish things with the same name: the folder in which a path differs from all others, "" if unique. */
export function tellApart(things) {
  const groups = new Map();
  for (const thing of things) groups.set(thing.name, [...(groups.get(thing.name) ?? []), thing]);
  return things.map((thing) => {
    const group = groups.get(thing.name);
    if (group.length === 1) return "";
    const parts = group.map(({ path }) => path.split("/").reverse());
    const own = parts[group.indexOf(thing)];
    const differs = (index) => parts.filter((other) => other[index] === own[index]).length === 1;
    const found = own.findIndex((part, index) => index > 0 && differs(index));
    return own[found > 0 ? found : 1] ?? "";
  });
}

/**
 * The lands of a level that are always named, by importance, each with the lines of its name: `[text, kind]` of the
 * kinds top, land, minor, figures, inner, most and last. `least` is the amount under which a land is not named for its size, `most`
 * has the files with most of a land's bytes.
 */
export function landCaptions(lands, amount, least, most = new Map()) {
  const known = lands.filter((land) => amount(land) > 0).sort((a, b) => amount(b) - amount(a));
  const largest = known.slice(0, LARGEST_LANDS).filter((land) => amount(land) >= least);
  const fullest = [...lands].filter(({ files }) => files > 0).sort((a, b) => b.files - a.files).slice(0, FULLEST_LANDS);
  const newest = lands.reduce((best, land) => (land.newest !== undefined && !(best?.newest >= land.newest) ? land : best), null);
  const all = [...new Set([...largest, ...(known.length > 0 ? [...fullest, ...(newest ? [newest] : [])] : [])])];
  const others = tellApart(all);
  return all.map((land, index) => {
    const isTop = index < TOP && largest.includes(land);
    const name = shortName(land.name) + (others[index] ? ` (${shortName(others[index], 24)})` : "");
    // What is named for its time alone isn't set as if it were large.
    const lines = [[name, isTop ? "top" : largest.includes(land) || fullest.includes(land) ? "land" : "minor"]];
    lines.push(...figuresOf(amount(land), land.files));
    const [inner, file] = [land.largest, most.get(land)];
    if (file) lines.push(mostlyLine(file.name, amount(file)));
    else if (isTop && inner && amount(inner) > TOP_PART * amount(land)) lines.push([`most in ${shortName(inner.name, 28)}, ${showAmount(amount(inner))}`, "inner"]);
    if (land === newest && lands.length > 1) lines.push(lastLine(land));
    return { thing: land, lines };
  });
}

function mostlyLine(name, amount) { return [`mostly ${shortName(name, 28)}, ${showAmount(amount)}`, "most"]; }
export function lastLine({ newest }) { return [`changed last, ${showTime(newest).slice(0, 10)}`, "last"]; }

/** How many files a summary lists at most, and from which part of a level's sum on its loose files have a name on the map. */
const LISTED = 20_000;
export const LOOSE_PART = 0.05;

/** The number and amount of the folder's files that are in none of its sub-folders; null without such files or sub-folders. */
export function looseFiles({ lands, own, ...whole }, amount) {
  if (lands.length === 0 || own.length === 0) return null;
  const sum = (things, of) => things.reduce((all, thing) => all + (of(thing) ?? 0), 0);
  if (own.length < LISTED) return { files: own.length, amount: sum(own, amount) };
  return { files: (whole.files ?? NaN) - sum(lands, ({ files }) => files), amount: (amount(whole) ?? NaN) - sum(lands, amount) };
}

export function looseName(path) { return path === undefined ? "files in no folder" : `files of ${shortName(nameOf(path), 28)} here`; }

/** The name and figures of loose files, where many of them are; null if they are few or small. `places` are theirs. */
export function looseCaption(summary, amount, places) {
  const loose = looseFiles(summary, amount);
  if (!loose || loose.files < 2 || !(loose.amount >= LOOSE_PART * (loose.amount + summary.lands.reduce((sum, land) => sum + (amount(land) ?? 0), 0)))) return null;
  const middle = ["x", "y"].map((axis) => places.map((place) => place[axis]).sort((a, b) => a - b)[Math.floor(places.length / 2)]);
  const far = ({ x, y }) => Math.hypot(x - middle[0], y - middle[1]);
  const place = places.reduce((best, one) => (far(one) < far(best) ? one : best));
  return { ...place, lines: [[`${looseName(summary.path)}:`, "loose"], ...figuresOf(loose.amount, loose.files)] };
}

export function rootCaption({ path, sum, files }) { return [[shortName(path), "root"], ...figuresOf(sum || undefined, files || undefined)]; }

export function captionOf({ name, thing, isLand }, amount) {
  return [[shortName(name), isLand ? "minor" : "file"], ...figuresOf(amount(thing), isLand ? thing.files : undefined)];
}

function figuresOf(bytes, files) {
  const figures = new Set([bytes === undefined ? "" : showAmount(bytes), files === undefined ? "" : showCount(files, "file", "files")].filter(Boolean));
  return figures.size > 0 ? [[[...figures].join(" · "), "figures"]] : [];
}

export function fileCaptions(files, amount) {
  const others = tellApart(files);
  return files.map((file, index) => ({ thing: file, lines: [
    [shortName(file.name) + (others[index] ? ` (${shortName(others[index], 24)})` : ""), "file"],
    ...(amount(file) === undefined ? [] : [[showAmount(amount(file)), "figures"]]),
  ] }));
}
