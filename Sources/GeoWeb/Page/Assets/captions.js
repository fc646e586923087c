// What is named on a level, and with which figures.
import { showBytes, showCount } from "./geo.js";

const LARGEST_LANDS = 12;
const FULLEST_LANDS = 3;
/** Windows narrower than this, in pixels, have room for half as many names. */
export const NARROW = 560;

/** So many lands have larger names, and the largest folder in them if it has this part of their bytes. */
const TOP = 3;
const TOP_PART = 0.2;
/** How many of the largest files are named. */
export const LARGEST_FILES = { world: 5, folder: 6, files: 14 };

/** A name as on the map. */
export function shortName(name, most = 40) { return name.length > most ? `${name.slice(0, most - 2)}…` : name; }

/**
 * The words that distinguish things with the same name: for each the folder in which its path differs from all others, or
 * "" if its name is unique.
 */
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
 * kinds top, land, figures, inner and last. `least` is the amount under which a land is not named for its size.
 */
export function landCaptions(lands, amount, least) {
  const known = lands.filter((land) => amount(land) > 0).sort((a, b) => amount(b) - amount(a));
  const largest = known.slice(0, LARGEST_LANDS).filter((land) => amount(land) >= least);
  const fullest = [...lands].filter(({ files }) => files > 0).sort((a, b) => b.files - a.files).slice(0, FULLEST_LANDS);
  const newest = lands.reduce((best, land) => (land.newest !== undefined && !(best?.newest >= land.newest) ? land : best), null);
  const all = [...new Set([...largest, ...(known.length > 0 ? [...fullest, ...(newest ? [newest] : [])] : [])])];
  const others = tellApart(all);
  return all.map((land, index) => {
    const isTop = index < TOP && largest.includes(land);
    const name = shortName(land.name) + (others[index] ? ` (${shortName(others[index], 24)})` : "");
    const lines = [[name, isTop ? "top" : "land"]];
    lines.push(...figuresOf(amount(land), land.files));
    const inner = land.largest;
    if (isTop && inner && amount(inner) > TOP_PART * amount(land)) lines.push([`${shortName(inner.name, 28)} ${showBytes(amount(inner))}`, "inner"]);
    if (land === newest && lands.length > 1) lines.push(["changed last", "last"]);
    return { thing: land, lines };
  });
}

/** The name and figures of one of several roots. */
export function rootCaption({ path, sum, files }) { return [[shortName(path), "root"], ...figuresOf(sum || undefined, files || undefined)]; }

/** The name and figures of a land or file that is named because it is large in a view. */
export function captionOf({ name, thing, isLand }, amount) {
  return [[shortName(name), isLand ? "minor" : "file"], ...figuresOf(amount(thing), isLand ? thing.files : undefined)];
}

/** The line of figures, or none if both are unknown. */
function figuresOf(bytes, files) {
  const figures = [bytes === undefined ? "" : showBytes(bytes), files === undefined ? "" : showCount(files, "file", "files")].filter(Boolean);
  return figures.length > 0 ? [[figures.join(" · "), "figures"]] : [];
}

/** Files that are always named, with the lines of their names, of the kinds file and figures. */
export function fileCaptions(files, amount) {
  const others = tellApart(files);
  return files.map((file, index) => ({ thing: file, lines: [
    [shortName(file.name) + (others[index] ? ` (${shortName(others[index], 24)})` : ""), "file"],
    ...(amount(file) === undefined ? [] : [[showBytes(amount(file)), "figures"]]),
  ] }));
}
