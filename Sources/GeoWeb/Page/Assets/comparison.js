// Compares two states of a time line: moved files and folders, each node, and totals of folders.
import { byChangeTime, byFolder, byPath, LISTED_CHANGES } from "./changelabels.js";
import { byBytes, keptIn, nameOf } from "./geo.js";
import { unproject } from "./mercator.js";
import { summaryOf } from "./static.js";
import { REMOVED, THERE } from "./timeline.js";

// Moved files: the same contents disappear in one place and appear in another.

const OTHER = 2; // the contents kind of files that are not regular; see `HistoryTimeline`

/** The contents number of a regular file since a change; 0 if unknown or empty. */
function contentsOf(timeline, change) {
  const content = timeline.contents[change];
  return (content & 3) === OTHER || timeline.sizes[change] === 0 ? 0 : content >>> 2;
}

/**
 * Pairs of moved files by number, old place to new place, and back, as `geomapper diff` finds them: contents that still exist in
 * their old place may be copies. A single file on each side is a pair; of several, those with the same name are, in path order.
 */
function findMoves(timeline, { removed, added, unchanged }) {
  const sides = new Map();
  const add = (side, files) => {
    for (const [node, change] of files) {
      const key = contentsOf(timeline, change);
      if (key) keptIn(sides, key, () => [[], []])[side].push(node);
    }
  };
  add(0, removed);
  add(1, added);
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
  for (const node of after.sort(byPath)) keptIn(named, nameOf(paths[node]), () => []).push(node);
  for (const node of before.sort(byPath)) {
    const other = named.get(nameOf(paths[node]))?.shift();
    if (other !== undefined) pair(node, other);
  }
}

/** Outermost folders that moved with all their contents, as in `geomapper diff`: old place by new place. `others` pairs files. */
function findFolderMoves(timeline, others, { isAdded, isRemoved }) {
  const moves = new Map();
  const { isFolder, ends } = timeline;
  for (let node = 0; node < timeline.nodeCount;) {
    const from = isFolder[node] && isAdded(node) ? originOf(timeline, node, others, { isAdded, isRemoved }) : undefined;
    if (from !== undefined) moves.set(node, from);
    node = from === undefined ? node + 1 : ends[node];
  }
  return moves;
}

/** The old folder of a folder, if all files come from there with the same relative path, and none stayed. */
function originOf(timeline, folder, others, { isAdded, isRemoved }) {
  const { paths, isFolder, ends } = timeline;
  let origin;
  let count = 0;
  for (let node = folder + 1; node < ends[folder]; node += 1) {
    if (isFolder[node]) continue;
    if (isAdded(node)) return undefined;
    const other = others.get(node);
    // The node is in neither state.
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

/** The change of a node, by number; a moved file has `left` its old place, where it isn't counted. */
const becameOf = ["", "added", "removed", "changed", "moved", "left"];
const [ADDITION, REMOVAL, ALTERATION, ARRIVAL, DEPARTURE] = [1, 2, 3, 4, 5];
const MAXIMUM_ARCS = 10 * LISTED_CHANGES; // the maximum number of arcs, the largest files first
const MAXIMUM_FOLDERS = 10; // the maximum number of folders that grew most, and of those that shrank most

/**
 * Two states of a time line, compared; reads every node once. The time line knows equal contents of different times,
 * so a reverted change is no change, and moved files are recognized.
 */
export class StateComparison {
  constructor(timeline, before, after) {
    Object.assign(this, { timeline, before, after });
    const columns = (Column) => [0, 1].map(() => new Column(timeline.nodeCount));
    this.became = new Uint8Array(timeline.nodeCount);
    /** By state: bytes and files at and below a node; NaN if unknown. */
    this.bytes = columns(Float64Array);
    this.files = columns(Int32Array);
    /** By change, from 1 on: files below a folder. */
    this.counts = becameOf.slice(0, DEPARTURE).map(() => new Int32Array(timeline.nodeCount));
    const found = { removed: [], added: [], unchanged: [] };
    for (let node = 0; node < timeline.nodeCount; node += 1) this.compare(node, found);
    this.others = findMoves(timeline, found); // moved files: the other place, by either
    for (const node of this.others.keys()) this.became[node] = this.became[node] === ADDITION ? ARRIVAL : DEPARTURE;
    this.sumUp();
  }

  compare(node, { removed, added, unchanged }) {
    const { timeline } = this;
    const versions = [this.before, this.after].map((state) => timeline.lastChange(node, state));
    const isThere = versions.map((change) => change >= 0 && timeline.kinds[change] !== REMOVED);
    const isFile = !timeline.isFolder[node];
    if (isFile) {
      for (const side of [0, 1]) {
        if (!isThere[side]) continue;
        this.files[side][node] = 1;
        this.bytes[side][node] = timeline.sizes[versions[side]];
      }
    }
    if (isThere[0] !== isThere[1]) {
      this.became[node] = isThere[1] ? ADDITION : REMOVAL;
      if (isFile) (isThere[1] ? added : removed).push([node, versions[isThere[1] ? 1 : 0]]);
    } else if (isThere[0] && isFile) {
      const [content, other] = versions.map((change) => timeline.contents[change]);
      if (versions[0] !== versions[1] && (content === 0 || content !== other)) this.became[node] = ALTERATION;
      else unchanged.push([node, versions[1]]);
    }
  }

  sumUp() {
    const { parents, nodeCount } = this.timeline;
    this.roots = [...this.timeline.childrenOf()];
    for (let node = nodeCount - 1; node >= 0; node -= 1) if (parents[node] >= 0) this.addUp(node, parents[node]);
  }

  addUp(node, parent) {
    for (const side of [0, 1]) {
      this.bytes[side][parent] += this.bytes[side][node];
      this.files[side][parent] += this.files[side][node];
    }
    const isFile = !this.timeline.isFolder[node];
    this.counts.forEach((count, kind) => { count[parent] += isFile ? Number(kind > 0 && this.became[node] === kind) : count[node]; });
  }

  has(node) { return [this.before, this.after].some((state) => this.timeline.presence(node, state) === THERE); }
  /** The change of a node, as tiles have it: `absent` if it is in neither state. */
  changeOf(node) { return becameOf[this.became[node]] || (this.has(node) ? undefined : "absent"); }
  growth(node) { return this.bytes[1][node] - this.bytes[0][node]; }

  below(node) {
    const below = {};
    for (let kind = 1; kind < DEPARTURE; kind += 1) if (this.counts[kind][node] > 0) below[becameOf[kind]] = this.counts[kind][node];
    const growth = this.growth(node);
    if (growth !== 0 && !Number.isNaN(growth)) below.bytes = growth;
    return Object.keys(below).length > 0 ? below : undefined;
  }

  numberOf({ path, kind }) { return this.timeline.node(path, kind !== "poi"); }

  dressTile(tile) {
    const changes = new Map();
    const land = tile.land.map((one) => {
      const node = this.numberOf(one);
      if (node === undefined) return one;
      const [below, change] = [this.below(node) ?? {}, this.changeOf(node)];
      changes.set(one.id, change);
      const bytes = knownOf(this.bytes[this.sideOf(node)][node]);
      return { ...one, change, bytes, below_added: below.added, below_removed: below.removed, below_changed: below.changed,
        below_moved: below.moved, below_bytes: below.bytes };
    });
    const cells = (tile.cells ?? []).map((cell) => (changes.get(cell.id) ? { ...cell, change: changes.get(cell.id) } : cell));
    return { ...tile, land, cells, files: tile.files.map((file) => ({ ...file, ...this.factsOf(file) })) };
  }

  factsOf(thing) {
    const node = this.numberOf(thing);
    const change = node === undefined ? undefined : this.changeOf(node);
    if (change === undefined) return {};
    if (thing.kind !== "poi") return { change };
    return { change, size: knownOf(this.bytes[this.sideOf(node)][node]), was_size: knownOf(this.bytes[0][node]) };
  }

  dress(answer) {
    const { properties } = answer.feature;
    const node = this.numberOf(properties);
    if (node === undefined) return answer;
    const feature = { ...answer.feature, properties: { ...properties, ...this.membersOf(node) } };
    if (properties.kind === "poi") return { ...answer, feature };
    const shown = answer.children?.shown.map((child) => {
      const number = this.numberOf({ path: `${properties.path}/${child.name}`, kind: child.kind });
      return number === undefined ? child : { ...child, ...this.membersOf(number) };
    });
    return { ...answer, feature, children: answer.children && { ...answer.children, shown },
      states: this.statesOf(node) };
  }

  summary(path) {
    const nodes = path === undefined ? this.roots.filter((node) => this.has(node)) : [this.timeline.node(path, true)];
    if (nodes.includes(undefined)) return null;
    return summaryOf(nodes.map((node) => this.summaryPart(node)), "bytes", true);
  }

  summaryPart(folder) {
    const { timeline } = this;
    const states = this.statesOf(folder);
    const [lands, own] = [[], []];
    for (const node of timeline.childrenOf(folder)) {
      if (!this.has(node)) continue;
      const known = { ...timeline.factsOf(node), bytes: knownOf(this.bytes[this.sideOf(node)][node]), ...this.membersOf(node) };
      if (timeline.isFolder[node]) lands.push({ ...known, files: this.files[this.sideOf(node)][node], states: this.statesOf(node) });
      else own.push(known);
    }
    return { path: timeline.paths[folder], totals: states[1], states, below: lands.length, lands, own, largest: [] };
  }

  statesOf(node) { return [0, 1].map((side) => ({ files: this.files[side][node], bytes: knownOf(this.bytes[side][node]) })); }

  membersOf(node) {
    const change = becameOf[this.became[node]] || undefined;
    if (this.timeline.isFolder[node]) return { change, below: this.below(node) };
    if (change === "changed") return { change, was: { size: knownOf(this.bytes[0][node]) } };
    const other = this.timeline.paths[this.others.get(node)];
    return { change, from: change === "moved" ? other : undefined, to: change === "left" ? other : undefined };
  }

  sideOf(node) { return this.became[node] === REMOVAL || this.became[node] === DEPARTURE ? 0 : 1; }

  /** The list of changes, as the server's `/changes`: a folder that is new, removed or moved as a whole is one row. */
  list({ order, kinds, limit, names }) {
    const rows = this.rows().filter(({ change }) => kinds.has(change));
    const weigh = ({ change, growth, size }) => (change === "moved" ? size ?? 0 : Math.abs(growth || 0));
    rows.sort({ size: (a, b) => weigh(b) - weigh(a) || byPath(a, b), folder: byFolder, time: (a, b) => byChangeTime(a, b) || byPath(a, b) }[order]);
    const sum = (column) => this.roots.reduce((all, root) => all + column[root], 0);
    const states = [0, 1].map((side) => ({ name: names[side], files: sum(this.files[side]), bytes: knownOf(sum(this.bytes[side])) }));
    const below = Object.fromEntries(this.counts.map((count, kind) => [becameOf[kind], sum(count)]).slice(1));
    below.bytes = knownOf(sum(this.bytes[1]) - sum(this.bytes[0]));
    return { states, below, measure: "apparent", ...this.folders(), total: rows.length, list: rows.slice(0, limit), moves: this.arcs(), complete: true };
  }

  /** What grew and shrank most, as `geomapper diff` lists it: folders, or the files in one, none part of another. */
  folders() {
    const { timeline, became } = this;
    const { isFolder, ends, nodeCount, parents, paths } = timeline;
    const [gain, loss] = [new Float64Array(nodeCount), new Float64Array(nodeCount)];
    const own = new Float64Array(nodeCount);
    for (let node = nodeCount - 1; node >= 0; node -= 1) {
      const parent = parents[node];
      if (parent < 0) continue;
      if (!isFolder[node]) {
        const growth = became[node] > 0 ? knownOf(this.growth(node)) ?? 0 : 0;
        own[parent] += growth;
        gain[node] = Math.max(0, growth);
        loss[node] = Math.max(0, -growth);
      }
      gain[parent] += gain[node];
      loss[parent] += loss[node];
    }
    const changeOf = (node) => gain[node] - loss[node];
    const parts = (node) => [...timeline.childrenOf(node)].filter((part) => isFolder[part]);
    const isRow = (node) => {
      const inner = parts(node).filter((part) => this.has(part));
      if (became[node] > 0 || inner.length === 0) return true;
      const change = changeOf(node);
      if (parents[node] < 0 || 4 * Math.abs(change) < 3 * (gain[node] + loss[node])) return false;
      const hasMost = (part) => part * change > 0 && 5 * Math.abs(part) >= 4 * Math.abs(change);
      return !hasMost(own[node]) && !inner.some((part) => hasMost(changeOf(part)));
    };
    const rows = [];
    for (let node = 0; node < nodeCount;) {
      if (!isFolder[node]) node += 1;
      else if (gain[node] + loss[node] === 0) node = ends[node];
      else if (isRow(node)) {
        rows.push({ node, path: paths[node], bytes: changeOf(node) });
        node = ends[node];
      } else {
        rows.push({ node, path: paths[node], bytes: own[node], part: "files" });
        node += 1;
      }
    }
    const first = (sign) => rows.filter(({ bytes }) => bytes * sign > 0).sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes) || byPath(a, b))
      .slice(0, MAXIMUM_FOLDERS).map(({ node, path, bytes, part }) => ({ path, bytes, part, mostly: part ? undefined : mostlyIn(node) }));
    const mostlyIn = (node) => {
      let place = node;
      for (let next = node; next !== undefined;) {
        place = next;
        next = parts(place).find((part) => changeOf(part) * changeOf(node) > 0 && 2 * Math.abs(changeOf(part)) > Math.abs(changeOf(node)));
      }
      return place === node ? undefined : paths[place];
    };
    return { grown: first(1), shrunk: first(-1) };
  }

  rows() {
    const { timeline, became, others } = this;
    const folders = findFolderMoves(timeline, others, { isAdded: (node) => became[node] === ADDITION, isRemoved: (node) => became[node] === REMOVAL });
    const origins = new Set(folders.values());
    const rows = [];
    const add = (first, end, isInWhole) => {
      for (let node = first; node < end;) {
        const isFolder = timeline.isFolder[node] === 1;
        const isWhole = isFolder && became[node] > 0;
        if (folders.has(node)) rows.push(this.wholeRow(node, ARRIVAL, folders.get(node)));
        else if (isWhole && !isInWhole && !origins.has(node)) {
          const row = this.wholeRow(node, became[node]);
          // A folder that is new only because of files moved there needs no row.
          if (row.files > 0 || !row.holdsOthers) rows.push(row);
          add(node + 1, timeline.ends[node], true);
        } else if (!isFolder && became[node] > 0 && became[node] !== DEPARTURE && (!isInWhole || became[node] === ARRIVAL)) rows.push(this.fileRow(node));
        const isDone = folders.has(node) || origins.has(node) || (isWhole && !isInWhole);
        node = isDone ? timeline.ends[node] : node + 1;
      }
    };
    add(0, timeline.nodeCount, false);
    return rows;
  }

  /** The row of a folder that is new, removed or moved; other moves in or out have rows. */
  wholeRow(folder, kind, from) {
    const { timeline } = this;
    const side = kind === REMOVAL ? 0 : 1;
    const row = { path: timeline.paths[folder], name: nameOf(timeline.paths[folder]), change: becameOf[kind], folder: true, growth: 0, files: 0,
      holdsOthers: false, from: timeline.paths[from], modified: timeline.times[timeline.states[timeline.lastChange(folder, this.after)]] };
    let bytes = 0;
    for (let node = folder + 1; node < timeline.ends[folder]; node += 1) {
      if (timeline.isFolder[node] || this.became[node] === 0) continue;
      if (this.became[node] !== kind) row.holdsOthers = true;
      else {
        row.files += 1;
        bytes += knownOf(this.bytes[side][node]) ?? 0;
      }
    }
    if (kind === ARRIVAL) row.size = bytes;
    else row.growth = kind === REMOVAL ? -bytes : bytes;
    return row;
  }

  fileRow(node) {
    const { timeline } = this;
    const [path, kind] = [timeline.paths[node], this.became[node]];
    return { path, name: nameOf(path), change: becameOf[kind], folder: false, growth: kind === ARRIVAL ? 0 : knownOf(this.growth(node)) ?? 0,
      size: knownOf(this.bytes[this.sideOf(node)][node]), was: kind === ALTERATION ? knownOf(this.bytes[0][node]) : undefined,
      from: kind === ARRIVAL ? timeline.paths[this.others.get(node)] : undefined, modified: timeline.times[timeline.states[timeline.lastChange(node, this.after)]] };
  }

  arcs() {
    const { timeline } = this;
    const size = (node) => knownOf(this.bytes[1][node]) ?? 0;
    const place = (node) => {
      const { lon, lat } = unproject(timeline.x[node], timeline.y[node]);
      return [lon, lat];
    };
    return [...this.others].filter(([node]) => this.became[node] === ARRIVAL).sort(([a], [b]) => size(b) - size(a)).slice(0, MAXIMUM_ARCS)
      .map(([node, from]) => [...place(from), ...place(node), size(node)]);
  }
}

function knownOf(number) { return Number.isNaN(number) ? undefined : number; }
