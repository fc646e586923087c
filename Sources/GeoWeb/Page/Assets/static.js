// The answers of a page without a server, from folders that the page reads itself.
import { byBytes, nameOf, parentOf, pause, rawWithin } from "./geo.js";
import { boundsOf } from "./matches.js";
import { Matches, offering, wantedName } from "./searches.js";
import { Source } from "./source.js";

const BLOCK = 4096; // the usual size of blocks on disk
const SLICE = 40; // milliseconds of a search between two pauses for the browser

/**
 * The source of a published site (published.js) or of a page in one file (embedded.js), which answer as the server does.
 *
 * They read the facts: `askTile`, `roots`, and
 *
 * - `folder(path, raw)`: a folder with all its contents, as a node; null if missing. `children.minzoom` is the zoom of its
 *   files, `folders` the number of folders below it, and `largest` the largest files, if known. What a filter left out has
 *   no `feature`, and among the children no `id`.
 * - `filesBelow(node)`: the files of a folder and of all folders below it, as summaries have them.
 * - `names(signal, bounds, skip)`: all folders, each with `path`, `rawPath` and `files`. It may leave out files that are not
 *   within bounds, as in `boundsOf`, and calls `skip` with their number.
 * - `searchIndex(wanted, question, offer)`, optional: offers what an index finds; returns how the search ended, or nothing
 *   if all names have to be searched.
 */
export class StaticSource extends Source {
  /** The measure of sizes, and whether all totals are known. */
  measure = "bytes";
  hasTotals = true;

  async askNode(path, raw, most = 200) {
    const folder = await this.folder(path, raw);
    if (folder?.feature) return { ...folder, children: { ...folder.children, shown: folder.children.shown.slice(0, most) } };
    const [above, last] = [parentOf(raw ?? path), nameOf(raw ?? path)];
    const parent = above && await this.folder(raw ? undefined : above, raw ? above : undefined);
    const file = parent?.children?.shown.find((child) => child.kind === "poi" &&
      (raw ? (child.rawName ?? encodeURIComponent(child.name)) === last : child.name === last));
    return file ? nodeOfFile(parent, parent.feature?.properties ?? { path: above, name: nameOf(above) }, file, raw) : null;
  }

  async askSummary(path, raw) {
    const folders = path || raw ? [await this.folder(path, raw)]
      : await Promise.all((await this.roots()).map(({ label, rawPath }) => this.folder(label, rawPath)));
    if (folders.some((folder) => !folder?.feature)) return null;
    return summaryOf(await Promise.all(folders.map((node) => this.summaryPart(node))), this.measure, this.hasTotals);
  }

  async summaryPart(node) {
    const { feature: { properties }, children: { shown }, totals, states, folders, largest, layers } = node;
    const lands = shown.filter(({ kind, id }) => kind !== "poi" && id !== undefined).map((land) => ({ ...land, ...pathsIn(properties, land) }));
    const own = this.filesOf(node);
    return { path: properties.path, rawPath: properties.rawPath, totals, states, below: folders, layers, lands, own,
      largest: largest ?? largestOf(lands.length === 0 ? own : await this.filesBelow(node), this.measure) };
  }

  filesOf({ feature: { properties }, children: { shown, minzoom } }) {
    return shown.filter(({ kind }) => kind === "poi").map((file) => this.fileOf(properties, file, minzoom));
  }

  fileOf(folder, { name, rawName, lon, lat, size, allocated, newest, special, layers, change, was, from, to }, minzoom) {
    // Only unusual room is written.
    const usual = size === undefined ? undefined : Math.ceil(size / BLOCK) * BLOCK;
    return { ...pathsIn(folder, { name, rawName }), name, rawName, lon, lat, minzoom, bytes: size,
      allocated: this.measure === "allocated" ? allocated ?? usual : undefined, modified: newest, special, layers, change, was, from, to };
  }

  async askSearch(text, limit, signal, found) {
    const wanted = wantedName(text);
    const offer = offering(wanted, found);
    const end = await this.searchIndex?.(wanted, { text, limit, signal }, offer);
    if (end) return { ...end, matches: offer.count };
    let since = performance.now();
    for await (const folder of this.names(signal)) {
      offer(nameOf(folder.path), folder.path, folder.rawPath);
      for (const file of folder.files) {
        const { path, rawPath } = pathsIn(folder, file);
        offer(file.name, path, rawPath);
      }
      if (performance.now() - since < SLICE) continue;
      await pause();
      if (signal.aborted) break;
      since = performance.now();
    }
    return { complete: !signal.aborted, matches: offer.count };
  }

  async askMatches(wanted, options, signal, report) {
    const matches = new Matches(wanted, options, report);
    await matches.addAll(this.names(signal, boundsOf(wanted, options.now), (count) => matches.skip(count)), signal);
  }
}

const pathsIn = (folder, entry) => ({ path: `${folder.path}/${entry.name}`, rawPath: rawWithin(folder, entry) });

function nodeOfFile(parent, above, { id, name, lon, lat, size, newest, special, unreadable, depth, layers, change, was, from, to }, rawPath) {
  const properties = { path: `${above.path}/${name}`, rawPath, name, kind: "poi", size, modified: newest, special, unreadable,
    depth: depth ?? above.depth + 1, minzoom: parent.children.minzoom, change, was, from, to };
  return { feature: { type: "Feature", id, geometry: { type: "Point", coordinates: [lon, lat] }, properties }, bbox: [lon, lat, lon, lat], layers,
    ancestors: [...parent.ancestors, { path: above.path, rawPath: above.rawPath, name: above.name, kind: above.kind, bbox: parent.bbox }] };
}

// Summaries: those of sites and pages in one file, and of moments of a history.

export const LARGEST = 14; // the number of largest files
const MAXIMUM = 20_000; // the maximum number of lands, and of own files

/** Things by a measure, the largest first, at most as many as a summary has; those without it come last. */
function bySize(things, measure) {
  const amount = (thing) => thing[measure] ?? -1;
  return [...things].sort((a, b) => amount(b) - amount(a)).slice(0, MAXIMUM);
}

/** Adds a file with a path to the largest of some, the largest first, unless it takes nothing, or is gone. */
export function addLargest(best, file, measure) {
  if (!(file[measure] > 0) || file[measure] < best[LARGEST - 1]?.[measure] || file.change === "removed") return;
  const place = best.findIndex((other) => (other[measure] - file[measure] || byBytes(file.path, other.path)) < 0);
  best.splice(place < 0 ? best.length : place, 0, file);
  if (best.length > LARGEST) best.pop();
}

export function largestOf(files, measure) {
  const best = [];
  for (const file of files) addLargest(best, file, measure);
  return best;
}

/** The sum of what is known; undefined if a part is not. */
const sum = (numbers) => (numbers.includes(undefined) ? undefined : numbers.reduce((all, number) => all + number, 0));

/** The summary of a folder, or of all roots, from their parts; `below` is a number of folders. Without totals it is not complete. */
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
    layers: isOne ? parts[0].layers : undefined,
    newest: times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined, states: parts.length > 0 ? states : undefined,
    lands: bySize(parts.flatMap(({ lands }) => lands), measure),
    own: bySize(parts.flatMap(({ own }) => (isOne ? own.map(({ path, rawPath, ...file }) => file) : own)), measure),
    largest: complete ? largestOf(parts.flatMap(({ largest }) => largest), measure) : undefined,
  };
}
