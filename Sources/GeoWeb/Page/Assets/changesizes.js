// What changed on a level: sizes before and after, the names of the largest changes, and sums of what moved.
import { shortName, tellApart } from "./captions.js";
import { showGrowth } from "./fates.js";
import { parentOf, showBytes, showCount } from "./geo.js";

/** How many changes are named, and how many of them have larger names. */
const NAMED = 12;
const TOP = 3;
/** Changes of less than this part of the level's largest have no circle. */
const LITTLE = 1 / 1000;
/** New files are large from this part of the level's largest change on. */
const LARGE_FILE = 1 / 12;
const MOST_FILES = 4;
const MOST_ARROWS = 6;

/**
 * How a land or file of a summary changed: `kind` is added, removed, grew, shrank, moved, left or same; `before` and
 * `after` are bytes. Null if it is unchanged, or its sizes are unknown.
 */
export function changeIn({ states, change, below, bytes, was }) {
  if (states) {
    const [before, after] = states.map((state) => state.bytes);
    if (before === undefined || after === undefined) return null;
    const kind = change === "added" || change === "removed" ? change : after > before ? "grew" : after < before ? "shrank" : "same";
    return kind === "same" && !below ? null : { kind, before, after };
  }
  if (!change || bytes === undefined) return null;
  if (change === "added" || change === "moved") return { kind: change, before: 0, after: bytes };
  if (change === "removed" || change === "left") return { kind: change, before: bytes, after: 0 };
  const before = was?.size;
  if (before === undefined || before === bytes) return null;
  return { kind: bytes > before ? "grew" : "shrank", before, after: bytes };
}

/** The difference of a change in bytes. */
export const growthOf = ({ before, after }) => after - before;

/** The things of a level that have a sign, each with its `change`, the largest difference first. */
export function changedOf(things) {
  const all = things.map((thing) => ({ thing, change: changeIn(thing) })).filter(({ change }) => change && growthOf(change) !== 0);
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

/** The lines of the name of something that changed: `[text, kind, ink]`. */
function changeLines({ name, files, states }, change, isTop, other = "") {
  const { kind, before, after } = change;
  const end = { added: "new", removed: "gone", moved: "moved here", left: "moved away" }[kind] ?? showFactor(change);
  const count = (kind === "removed" ? states?.[0].files : states?.[1].files) ?? files;
  const below = kind === "grew" || kind === "shrank" ? `${showBytes(before)} → ${showBytes(after)}` : count === undefined ? "" : showCount(count, "file", "files");
  return [
    [shortName(name) + (other ? ` (${shortName(other, 24)})` : ""), isTop ? "top" : "land"],
    [[showGrowth(growthOf(change)), end].filter(Boolean).join(" · "), "growth", `${inkOf(kind)}ink`],
    ...(below ? [[below, "figures"]] : []),
  ];
}

/** The lines of a large new file. */
export function newFileLines({ name, bytes }) { return [[shortName(name), "file", "addedink"], [`new · ${showBytes(bytes)}`, "figures"]]; }

/** The colour of a kind of change. */
function inkOf(kind) { return kind === "left" ? "moved" : kind; }

/** The named changes among those of a level, as `changedOf` has them, each with its lines. */
export function changeCaptions(changed) {
  const named = changed.slice(0, NAMED);
  const others = tellApart(named.map(({ thing }) => ({ path: thing.path ?? thing.name, name: thing.name })));
  return named.map(({ thing, change }, index) => ({ thing, lines: changeLines(thing, change, index < TOP, others[index]) }));
}

/** The large new files deep in the roots of a level, the largest first; files right in a root are its own. */
export function largeNewFiles(rows, roots, largest) {
  return rows.filter(({ path, change, folder, size }) => change === "added" && !folder && size >= largest * LARGE_FILE && !roots.includes(parentOf(path)) && roots.some((root) => path.startsWith(`${root}/`)))
    .sort((a, b) => b.size - a.size).slice(0, MOST_FILES);
}

/**
 * What moved between the lands of a level: `from` and `to` are their paths, with sums of `files` and `bytes`, the
 * largest first. `rows` are those of moves, `partWith(path)` gives the land of a path, or null outside the level.
 */
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
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes || b.files - a.files).slice(0, MOST_ARROWS);
}

/** The name of what moved between two lands. */
export function moveLine({ files, bytes }) { return `moved: ${showCount(files, "file", "files")}, ${showBytes(bytes)}`; }
