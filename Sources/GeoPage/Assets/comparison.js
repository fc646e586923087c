// What differs between two states of a time line: of each node, and summed up below each folder.
import { byChangeTime, byFolder, byPath } from "./changeview.js";
import { nameOf } from "./geo.js";
import { REMOVED, THERE } from "./timeline.js";

/** What became of a node, by number; of a file that is in both, whether anything happened to it between. */
const becameOf = ["", "added", "removed", "changed"];

/**
 * Two states of a time line side by side.
 *
 * It takes a look at every node of the time line, once. What a file has in it is not known: one that was
 * changed and changed back has changed, and one that moved was removed and added.
 */
export class StateComparison {
  constructor(timeline, before, after) {
    Object.assign(this, { timeline, before, after });
    const columns = (Column) => [0, 1].map(() => new Column(timeline.nodeCount));
    this.became = new Uint8Array(timeline.nodeCount);
    /** By state: how many bytes and files are at and below a node; NaN if nobody knows. */
    this.bytes = columns(Float64Array);
    this.files = columns(Int32Array);
    /** By what became of them, from 1 on: how many files there are below a folder. */
    this.counts = becameOf.map(() => new Int32Array(timeline.nodeCount));
    this.roots = [];
    const way = [];
    const leave = (end) => {
      while (way.length > 0 && timeline.ends[way.at(-1)] <= end) this.addUp(way.pop(), way.at(-1));
    };
    for (let node = 0; node < timeline.nodeCount; node += 1) {
      leave(node);
      if (way.length === 0) this.roots.push(node);
      this.look(node);
      if (timeline.isFolder[node]) way.push(node);
      else this.addUp(node, way.at(-1));
    }
    leave(timeline.nodeCount);
  }

  look(node) {
    const { timeline } = this;
    const versions = [this.before, this.after].map((state) => timeline.lastChange(node, state));
    const isThere = versions.map((change) => change >= 0 && timeline.kinds[change] !== REMOVED);
    if (!timeline.isFolder[node]) {
      for (const side of [0, 1]) {
        if (!isThere[side]) continue;
        this.files[side][node] = 1;
        this.bytes[side][node] = timeline.sizes[versions[side]];
      }
    }
    if (isThere[0] !== isThere[1]) this.became[node] = isThere[1] ? 1 : 2;
    else if (isThere[0] && versions[0] !== versions[1] && !timeline.isFolder[node]) this.became[node] = 3;
  }

  addUp(node, parent) {
    if (parent === undefined) return;
    for (const side of [0, 1]) {
      this.bytes[side][parent] += this.bytes[side][node];
      this.files[side][parent] += this.files[side][node];
    }
    const isFile = !this.timeline.isFolder[node];
    for (let kind = 1; kind < becameOf.length; kind += 1) {
      this.counts[kind][parent] += isFile ? Number(this.became[node] === kind) : this.counts[kind][node];
    }
  }

  /** Whether a node is in one of the two states at least. */
  has(node) {
    return [this.before, this.after].some((state) => this.timeline.presence(node, state) === THERE);
  }

  /** What became of a node, as the map tells it: `absent` if it is in neither state. */
  changeOf(node) { return becameOf[this.became[node]] || (this.has(node) ? undefined : "absent"); }

  /** By how many bytes a node, and all below it, is larger in the later state; NaN if nobody knows. */
  growth(node) { return this.bytes[1][node] - this.bytes[0][node]; }

  /** What differs below a folder, as a node of the map says it; undefined if nothing does. */
  below(node) {
    const below = {};
    for (let kind = 1; kind < becameOf.length; kind += 1) if (this.counts[kind][node] > 0) below[becameOf[kind]] = this.counts[kind][node];
    const growth = this.growth(node);
    if (growth !== 0 && !Number.isNaN(growth)) below.bytes = growth;
    return Object.keys(below).length > 0 ? below : undefined;
  }

  /** The number of a thing of the map; undefined if the time line knows nothing of it. */
  numberOf({ path, kind }) { return this.timeline.node(path, kind !== "poi"); }

  /** A tile whose nodes say what became of them. */
  mark(tile) {
    const fates = new Map();
    const land = tile.land.map((one) => {
      const node = this.numberOf(one);
      if (node === undefined) return one;
      const below = this.below(node) ?? {};
      const change = this.changeOf(node);
      fates.set(one.id, change);
      const bytes = knownOf(this.bytes[change === "removed" ? 0 : 1][node]);
      return { ...one, change, bytes, below_added: below.added, below_removed: below.removed, below_changed: below.changed, below_bytes: below.bytes };
    });
    const cells = (tile.cells ?? []).map((cell) => (fates.get(cell.id) ? { ...cell, change: fates.get(cell.id) } : cell));
    return { ...tile, land, cells, files: tile.files.map((file) => ({ ...file, ...this.factsOf(file) })) };
  }

  /** What became of a file, or of a folder without land, as tiles tell it. */
  factsOf(thing) {
    const node = this.numberOf(thing);
    const change = node === undefined ? undefined : this.changeOf(node);
    if (change === undefined) return {};
    if (thing.kind !== "poi") return { change };
    return { change, size: knownOf(this.bytes[change === "removed" ? 0 : 1][node]), was_size: knownOf(this.bytes[0][node]) };
  }

  /** What the panel is told of a node, with what became of it and of what is in it. */
  dress(told) {
    const { properties } = told.feature;
    const node = this.numberOf(properties);
    if (node === undefined) return told;
    const feature = { ...told.feature, properties: { ...properties, ...this.membersOf(node) } };
    if (properties.kind === "poi") return { ...told, feature };
    const shown = told.children?.shown.map((child) => {
      const number = this.numberOf({ path: `${properties.path}/${child.name}`, kind: child.kind });
      return number === undefined ? child : { ...child, ...this.membersOf(number) };
    });
    return { ...told, feature, children: told.children && { ...told.children, shown },
      states: [0, 1].map((side) => ({ files: this.files[side][node], bytes: knownOf(this.bytes[side][node]) })) };
  }

  membersOf(node) {
    const change = becameOf[this.became[node]] || undefined;
    if (this.timeline.isFolder[node]) return { change, below: this.below(node) };
    return change === "changed" ? { change, was: { size: knownOf(this.bytes[0][node]) } } : { change };
  }

  /** The list of what differs, as the server's `/changes` tells it: a folder that is all new, or all gone, is one row. */
  list({ order, kinds, limit, names }) {
    const { timeline } = this;
    const rows = [];
    for (let node = 0; node < timeline.nodeCount;) {
      const change = becameOf[this.became[node]];
      const isWhole = timeline.isFolder[node] && change !== "";
      if (change !== "" && kinds.has(change)) rows.push(this.row(node, change));
      node = isWhole ? timeline.ends[node] : node + 1;
    }
    rows.sort({
      size: (a, b) => Math.abs(b.growth || 0) - Math.abs(a.growth || 0) || byPath(a, b),
      folder: byFolder,
      time: (a, b) => byChangeTime(a, b) || byPath(a, b),
    }[order]);
    const sum = (column) => this.roots.reduce((all, root) => all + column[root], 0);
    const states = [0, 1].map((side) => ({ name: names[side], files: sum(this.files[side]), bytes: knownOf(sum(this.bytes[side])) }));
    const below = Object.fromEntries(becameOf.map((kind, index) => [kind, sum(this.counts[index])]).slice(1));
    below.bytes = knownOf(sum(this.bytes[1]) - sum(this.bytes[0]));
    return { states, below, total: rows.length, list: rows.slice(0, limit), moves: [], complete: true };
  }

  row(node, change) {
    const { timeline } = this;
    const path = timeline.paths[node];
    const isFolder = timeline.isFolder[node] === 1;
    const side = change === "removed" ? 0 : 1;
    const last = timeline.lastChange(node, this.after);
    return { path, name: nameOf(path), change, folder: isFolder, growth: knownOf(this.growth(node)) ?? 0, files: isFolder ? this.files[side][node] : undefined,
      size: isFolder ? undefined : knownOf(this.bytes[side][node]), was: change === "changed" ? knownOf(this.bytes[0][node]) : undefined,
      modified: timeline.times[timeline.states[last]] };
  }
}

function knownOf(number) { return Number.isNaN(number) ? undefined : number; }
