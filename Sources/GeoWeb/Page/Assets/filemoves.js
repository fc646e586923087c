// Files that moved between two states of a time line: the same contents are gone at one place and new at another.
import { nameOf } from "./geo.js";
import { byBytes } from "./sorted.js";

/** Contents of a kind of file that is no regular one; see `HistoryTimeline`. */
const OTHER = 2;

/** What stands for the contents of a regular file since a change, however it may be used; 0 if nobody knows, or it is empty. */
function contentsOf(timeline, change) {
  const content = timeline.contents[change];
  return (content & 3) === OTHER || timeline.sizes[change] === 0 ? 0 : content >>> 2;
}

/**
 * Pairs of files, by their numbers: where each was before and where it is after, and the other way round.
 *
 * As `geomapper diff` has it: contents that are still where they were may be copies, so nothing is said of them. Of one file
 * on each side it is the same one; of more, those of the same name in the order of their paths are.
 *
 * `removed`, `added` and `unchanged` are pairs of a node and the change that it has its contents since.
 */
export function findMoves(timeline, { removed, added, unchanged }) {
  const sides = new Map();
  const note = (side, files) => {
    for (const [node, change] of files) {
      const key = contentsOf(timeline, change);
      if (!key) continue;
      if (!sides.has(key)) sides.set(key, [[], []]);
      sides.get(key)[side].push(node);
    }
  };
  note(0, removed);
  note(1, added);
  for (const [, change] of unchanged) sides.delete(contentsOf(timeline, change));
  const others = new Map();
  const pair = (before, after) => others.set(before, after).set(after, before);
  for (const [before, after] of sides.values()) {
    if (before.length === 1 && after.length === 1) pair(before[0], after[0]);
    else if (before.length > 0 && after.length > 0) pairByName(timeline, before, after, pair);
  }
  return others;
}

function pairByName({ paths }, before, after, pair) {
  const byPath = (a, b) => byBytes(paths[a], paths[b]);
  const named = new Map();
  for (const node of after.sort(byPath)) {
    const name = nameOf(paths[node]);
    if (!named.has(name)) named.set(name, []);
    named.get(name).push(node);
  }
  for (const node of before.sort(byPath)) {
    const other = named.get(nameOf(paths[node]))?.shift();
    if (other !== undefined) pair(node, other);
  }
}

/**
 * Folders that moved with all that is below them, none of them below another: where each was by where it is, as
 * `geomapper diff` finds them. `others` are the pairs of files; `isAdded` and `isRemoved` tell of all that is no part of a pair.
 */
export function findFolderMoves(timeline, others, { isAdded, isRemoved }) {
  const moves = new Map();
  const { isFolder, ends } = timeline;
  for (let node = 0; node < timeline.nodeCount;) {
    const from = isFolder[node] && isAdded(node) ? originOf(timeline, node, others, { isAdded, isRemoved }) : undefined;
    if (from !== undefined) moves.set(node, from);
    node = from === undefined ? node + 1 : ends[node];
  }
  return moves;
}

/** The folder that one was, if all its files come from there, each from the same path in it, and none stayed behind. */
function originOf(timeline, folder, others, { isAdded, isRemoved }) {
  const { paths, isFolder, ends } = timeline;
  let origin;
  let count = 0;
  for (let node = folder + 1; node < ends[folder]; node += 1) {
    if (isFolder[node]) continue;
    if (isAdded(node)) return undefined;
    const other = others.get(node);
    // It is in neither state.
    if (other === undefined) continue;
    const rest = paths[node].slice(paths[folder].length);
    if (!paths[other].endsWith(rest)) return undefined;
    const from = paths[other].slice(0, paths[other].length - rest.length);
    if (from !== (origin ??= from)) return undefined;
    count += 1;
  }
  const from = origin === undefined ? undefined : timeline.node(origin, true);
  if (from === undefined || !isRemoved(from)) return undefined;
  for (let node = from + 1; node < ends[from]; node += 1) {
    if (isFolder[node]) continue;
    if (isRemoved(node)) return undefined;
    if (others.has(node)) count -= 1;
  }
  return count === 0 ? from : undefined;
}
