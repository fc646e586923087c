// Words for changes between two states: kinds, sizes, order, captions, and the section of the panel.
import { byBytes, make, nameOf, parentOf, showBytes, showCount, showTime } from "./geo.js";
import { orders } from "./panel.js";
import { shortName, tellApart } from "./prominence.js";

export const LISTED_CHANGES = 500;

export const kindsOfChange = ["added", "removed", "changed", "moved"];
export const changeSigns = { added: "+", removed: "×", changed: "•", moved: "→", left: "↗" };

export const byPath = (a, b) => byBytes(a.path, b.path);
export const byFolder = (a, b) => byPath({ path: parentOf(a.path) }, { path: parentOf(b.path) }) || byPath(a, b);
export const byChangeTime = (a, b) => (b.modified ?? -Infinity) - (a.modified ?? -Infinity);

export function showGrowth(bytes) {
  if (bytes === 0) return "±0";
  return `${bytes > 0 ? "+" : "−"}${showBytes(Math.abs(bytes))}`;
}

/** The kind of change that has a colour of its own: what changed grew, shrank or stayed the same. */
export function kindOf(change, growth) {
  if (change !== "changed") return change === "left" ? "moved" : change;
  return growth > 0 ? "grew" : growth < 0 ? "shrank" : "same";
}

function countsInWords(counts, prefix = "") {
  return kindsOfChange.filter((kind) => counts[prefix + kind]).map((kind) => `${counts[prefix + kind].toLocaleString("en")} ${kind}`);
}

export const changeWords = { added: "new", removed: "gone", moved: "moved here", left: "moved away" };

export function changeNote({ change, bytes, below_bytes: growth, ...land }, kind = change) {
  if (kind in changeWords && kind !== "added") return changeWords[kind];
  if (change === "added") return ["new", bytes === undefined ? "" : showBytes(bytes)].filter(Boolean).join(" · ");
  const counts = countsInWords(land, "below_");
  if (counts.length === 0 && !growth) return "";
  return [growth === undefined ? "" : showGrowth(growth), counts.slice(0, 2).join(", ")].filter(Boolean).join(" · ");
}

function changeOf({ kind, change, size, was, below, states }) {
  // States have sizes by the measure in use.
  const known = states && states[1].bytes - states[0].bytes;
  if (kind === "poi") {
    if (!change) return null;
    const growth = known ?? { added: size, moved: size, removed: -size, left: -size, changed: size - was?.size }[change];
    return { change, growth, words: { moved: "moved here", left: "moved away" }[change] ?? change };
  }
  if (change) return { change, growth: known ?? below?.bytes, words: change };
  if (!below) return null;
  return { change: "changed", growth: known ?? below.bytes ?? 0, words: countsInWords(below).slice(0, 2).join(", ") || "moved away" };
}

function byChange(a, b) {
  const weigh = (child) => {
    const found = changeOf(child);
    return found ? 1 + Math.abs(found.growth || 0) : 0;
  };
  return weigh(b) - weigh(a) || orders.size(a, b);
}

// The panel of a node that differs between two states.

export function sizesFromTo(before, now, where, growth, said = showGrowth(growth)) {
  return [make("span", { class: "was", title: `${where}the old state` }, before), " → ", make("strong", { title: `${where}the new state` }, now),
    make("span", { class: `growth ${kindOf("changed", growth)}` }, said)];
}

export function differenceSection({ feature: { properties }, states }, open) {
  const { change, below, was, from, to, size } = properties;
  const sides = states ?? (change === "changed" ? [{ bytes: was?.size }, { bytes: size }] : null);
  const lines = [];
  if (sides?.[0].bytes !== undefined && sides[1].bytes !== undefined) {
    const [before, now] = sides.map(({ bytes }) => showBytes(bytes));
    lines.push(make("p", { class: "sizes" }, ...sizesFromTo(change === "added" ? "—" : before, change === "removed" ? "—" : now, "in ",
      sides[1].bytes - sides[0].bytes)));
  }
  if (states && states[0].files !== states[1].files) {
    lines.push(make("p", { class: "soft" }, `${states[0].files.toLocaleString("en")} → ${showCount(states[1].files, "file", "files")} below`));
  }
  const chips = kindsOfChange.filter((kind) => below?.[kind]).map((kind) => make("span", { class: `chip ${kind}` }, `${below[kind].toLocaleString("en")} ${kind}`));
  if (chips.length > 0) lines.push(make("p", { class: "row" }, chips));
  if (change) {
    const kind = kindOf(change, (size ?? 0) - (was?.size ?? size ?? 0));
    const words = { added: "It is new.", removed: "It is gone: this is where it was.", changed: "It has changed.", moved: "It was elsewhere: ", left: "It is elsewhere now: " };
    const [other, raw] = [from ?? to, properties.rawFrom ?? properties.rawTo];
    lines.push(make("p", { class: `change-label ${kind}` }, words[change],
      ...(other ? [make("button", { class: "crumb", onclick: () => open(other, true, raw) }, other)] : []),
      ...(change === "changed" && was?.modified !== undefined ? [make("span", { class: "soft" }, ` Before: ${showTime(was.modified)}.`)] : []),
      ...(was?.special ? [make("span", { class: "soft" }, ` It was a ${was.special === "regular" ? "regular file" : was.special}.`)] : [])));
  }
  return lines.length > 0 ? [make("section", { class: "difference" }, ...lines)] : [];
}

export const entriesByChange = { orders: { change: byChange }, dress(child, item) {
  const found = changeOf(child);
  if (!found) return;
  const { change, growth, words } = found;
  const kind = kindOf(change, growth);
  const size = item.querySelector("button + span");
  item.prepend(make("i", { class: kind, "aria-hidden": "true" }, changeSigns[change]));
  size.replaceWith(make("span", { class: "differs", title: size.textContent && `${size.textContent} ${child.kind === "poi" ? "in all" : "below"}` },
    make("span", { class: `change-label ${kind}` }, words), " ",
    make("strong", { class: `growth ${kind}` }, Number.isNaN(growth ?? NaN) ? "" : showGrowth(growth))));
} };

// What changed on a level: sizes before and after, the names of the largest changes, and sums of what moved.

/** How many changes are named, and how many of them have larger names. */
const [NAMED, TOP] = [12, 3];
const LITTLE = 1 / 1000; // changes of less than this part of the level's largest have no circle
const LARGE_FILE = 1 / 12; // new files are large from this part of the level's largest change on
const MAXIMUM_FILES = 4;
const MAXIMUM_ARROWS = 6;

/** How a land or file of a summary changed, from how many bytes to how many; null if it is unchanged, or its sizes are unknown. */
export function changeIn({ states, change, below, bytes, was }) {
  if (states) {
    const [before, after] = states.map((state) => state.bytes);
    if (before === undefined || after === undefined) return null;
    const kind = change && change !== "changed" ? change : after > before ? "grew" : after < before ? "shrank" : "same";
    return kind === "same" && !below ? null : { kind, before, after };
  }
  if (!change || bytes === undefined) return null;
  if (change === "added" || change === "moved") return { kind: change, before: 0, after: bytes };
  if (change === "removed" || change === "left") return { kind: change, before: bytes, after: 0 };
  const before = was?.size;
  if (before === undefined || before === bytes) return null;
  return { kind: bytes > before ? "grew" : "shrank", before, after: bytes };
}

/** No folders that moved as a whole: where they are, `here`, and where they were, `away`. */
export const NONE_MOVED = { here: new Set(), away: new Set() };

export function movedFolders(rows) {
  const folders = rows.filter(({ folder, from }) => folder && from !== undefined);
  return { here: new Set(folders.map(({ path }) => path)), away: new Set(folders.map(({ from }) => from)) };
}

export const growthOf = ({ before, after }) => after - before;

/** The things of a level that have a sign, each with its `change`, the largest difference first; `moved` has the folders that moved. */
export function changedOf(things, { here, away } = NONE_MOVED) {
  const kindOf = ({ path }, kind) => (kind === "added" && here.has(path) ? "moved" : kind === "removed" && away.has(path) ? "left" : kind);
  const all = things.map((thing) => [thing, changeIn(thing)]).map(([thing, change]) => ({ thing, change: change && { ...change, kind: kindOf(thing, change.kind) } })).filter(({ change }) => change && growthOf(change) !== 0);
  const weight = ({ change }) => Math.abs(growthOf(change));
  all.sort((a, b) => weight(b) - weight(a));
  return all.filter((one) => weight(one) >= weight(all[0]) * LITTLE);
}

/** By which factor something changed, such as ×4; empty without a factor. */
export function showFactor({ before, after }) {
  if (!(before > 0) || !(after > 0)) return "";
  const factor = after / before;
  if (factor < 0.01) return "×<0.01";
  if (factor >= 9.95) return `×${showCount(Math.round(factor), "", "").trim()}`;
  const near = Math.abs(factor - 1) < 0.095;
  const text = factor.toFixed(near ? 3 : factor < 0.995 ? 2 : 1);
  return `×${+text}`;
}

/** The lines of the name of something that changed: `[text, kind, ink]`; the largest have their rank, from 1 on. */
function changeLines({ name, files, states }, change, rank, other = "") {
  const isTop = rank <= TOP;
  const { kind, before, after } = change;
  const end = changeWords[kind] ?? showFactor(change);
  const count = (kind === "removed" || kind === "left" ? states?.[0].files : states?.[1].files) ?? files;
  const below = kind === "grew" || kind === "shrank" ? `${showBytes(before)} → ${showBytes(after)}` : count === undefined ? "" : showCount(count, "file", "files");
  return [
    [(isTop ? `${rank}. ` : "") + shortName(name) + (other ? ` (${shortName(other, 24)})` : ""), isTop ? "top" : "land"],
    [[showGrowth(growthOf(change)), end].filter(Boolean).join(" · "), "growth", `${kindOf(kind)}ink`],
    ...(below ? [[below, "figures"]] : []),
  ];
}

export function newFileLines({ name, bytes }) { return [[shortName(name), "file", "addedink"], [`new · ${showBytes(bytes)}`, "figures"]]; }

export function changeCaptions(changed) {
  const named = changed.slice(0, NAMED);
  const others = tellApart(named.map(({ thing }) => ({ path: thing.path ?? thing.name, name: thing.name })));
  return named.map(({ thing, change }, index) => ({ thing, lines: changeLines(thing, change, index + 1, others[index]) }));
}

export function countsIn({ lands, own }) {
  const counts = Object.fromEntries(kindsOfChange.map((kind) => [kind, 0]));
  for (const { below } of lands) for (const kind of kindsOfChange) counts[kind] += below?.[kind] ?? 0;
  for (const { change } of own) if (change in counts) counts[change] += 1;
  return counts;
}

/**
 * What changed at a level, as rows: its lands as its circles are, in the same order and the first with their `rank`, and
 * its own files, each as a row without lands, else as one of `files`. A row has `kind`, `bytes` of its growth, and
 * `mostly`, the path deep in it with more than half of that, among the `folders` that changed most. `rest` has the
 * `count` and `bytes` of what has no row; `moved` has the folders that moved as a whole.
 */
export function rowsOfLevel({ path, lands, own }, folders, moved = NONE_MOVED, most = NAMED) {
  const circles = lands.length > 0 ? changedOf(lands, moved) : changedOf(own);
  const rows = circles.map(({ thing, change }, index) => {
    const at = thing.path ?? `${path}/${thing.name}`;
    const bytes = growthOf(change);
    return { path: at, rawPath: thing.rawPath, name: thing.name, kind: kindOf(change.kind), all: changeWords[change.kind], bytes, rank: index < TOP ? index + 1 : undefined, mostly: mostlyIn(at, bytes, folders) };
  });
  const loose = lands.length > 0 ? own.map(changeIn).filter((change) => change && growthOf(change) !== 0) : [];
  const bytes = loose.reduce((sum, change) => sum + growthOf(change), 0);
  if (bytes !== 0) {
    rows.push({ path, name: `files in ${path === undefined ? "the roots" : nameOf(path)}`, kind: kindOf("changed", bytes), bytes, files: loose.length });
    rows.sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes));
  }
  const shown = rows.slice(0, most);
  const all = [...lands, ...(lands.length > 0 ? [] : own)].map(changeIn).filter((change) => change && growthOf(change) !== 0);
  const whole = all.reduce((sum, change) => sum + growthOf(change), bytes);
  const rest = { count: all.length + (bytes === 0 ? 0 : 1) - shown.length, bytes: whole - shown.reduce((sum, row) => sum + row.bytes, 0) };
  return { rows: shown, rest };
}

function mostlyIn(path, bytes, folders) {
  const found = folders.find((one) => (one.path === path || one.path.startsWith(`${path}/`)) && one.bytes * bytes > 0 && 2 * Math.abs(one.bytes) > Math.abs(bytes));
  return found && (found.path === path ? found.mostly : found.path);
}

export function movedInWords({ path, bytes }, moves) {
  const [here, there] = bytes > 0 ? ["to", "from"] : ["from", "to"];
  const own = moves.filter((move) => move[here] === path);
  if (own.length === 0) return "";
  const sum = own.reduce((all, move) => all + move.bytes, 0);
  const other = own.length === 1 ? nameOf(own[0][there]) : showCount(own.length, "folder", "folders");
  return `${showBytes(sum)}${sum <= Math.abs(bytes) ? " of it" : ""} moved ${bytes > 0 ? "here from" : "away to"} ${other}`;
}

/** The large new files deep in the roots of a level, the largest first; files right in a root are its own. */
export function largeNewFiles(rows, roots, largest) {
  return rows.filter(({ path, change, folder, size }) => change === "added" && !folder && size >= largest * LARGE_FILE && !roots.includes(parentOf(path)) && roots.some((root) => path.startsWith(`${root}/`)))
    .sort((a, b) => b.size - a.size).slice(0, MAXIMUM_FILES);
}

/** The sums of what moved between the lands of a level, the largest first; `partWith(path)` is null outside the level. */
export function movesBetween(rows, partWith) {
  const sums = new Map();
  for (const { path, from, files, folder, size } of rows) {
    const ends = [from, path].map((end) => (end === undefined ? null : partWith(end)));
    if (ends.includes(null) || ends[0] === ends[1]) continue;
    const key = ends.join("\n");
    const sum = sums.get(key) ?? { from: ends[0], to: ends[1], files: 0, bytes: 0 };
    sum.files += folder ? files ?? 0 : 1;
    sum.bytes += size ?? 0;
    sums.set(key, sum);
  }
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes || b.files - a.files).slice(0, MAXIMUM_ARROWS);
}

export function moveLine({ files, bytes }) { return `moved: ${showCount(files, "file", "files")}, ${showBytes(bytes)}`; }
