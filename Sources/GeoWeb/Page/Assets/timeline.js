// What happened when: nodes, states and changes, in columns of numbers that are sorted by time.
import { clamp, nameOf, parentOf } from "./geo.js";
import { wantedName } from "./lights.js";
import { project } from "./mercator.js";
import { lastUpTo } from "./sorted.js";

/** What a node is at a moment. */
export const NOT_YET = 0;
export const THERE = 1;
export const GONE = 2;
/** What can happen to a node; what was there when the time line begins has only remained. */
export const [ADDED, CHANGED, REMOVED, REMAINED] = [0, 1, 2, 3];
/** How many rows are read until the browser may do something else. */
const AT_A_TIME = 20000;

/**
 * A time line.
 *
 * States are the moments at which something happened, in the order of time. The changes of each are
 * together, and those of each node can be found, so that what a node is at any moment takes a search by
 * halves: to seek costs nothing. Places are in world coordinates.
 */
export class Timeline {
  /** Room for so many nodes, states and changes; `hasLives` says whether nodes come and go by them. */
  constructor(nodes, states, changes, { hasLives = true, authors = [] } = {}) {
    this.hasLives = hasLives;
    this.authors = authors;
    this.paths = new Array(nodes);
    this.isFolder = new Uint8Array(nodes);
    this.x = new Float64Array(nodes);
    this.y = new Float64Array(nodes);
    this.times = new Float64Array(states);
    this.stateAuthors = new Int32Array(states);
    /** Of each state, what names it and what is said of it. */
    this.words = new Array(states);
    this.firstChanges = new Int32Array(states + 1);
    this.nodes = new Int32Array(changes);
    this.states = new Int32Array(changes);
    this.kinds = new Uint8Array(changes);
    /** How many bytes a file has since a change; NaN if nobody knows. */
    this.sizes = new Float64Array(changes);
    /** What a file has in it since a change: four times a number, plus its kind; 0 if that comes once, or nobody knows. */
    this.contents = new Int32Array(changes);
    [this.nodeCount, this.stateCount, this.changeCount] = [0, 0, 0];
    this.folders = new Map();
    this.files = new Map();
  }

  /** Adds a node; its number. */
  addNode(path, isFolder, lon, lat) {
    const node = this.nodeCount;
    const { x, y } = project(lon, lat);
    this.paths[node] = path;
    [this.x[node], this.y[node], this.isFolder[node]] = [x, y, isFolder ? 1 : 0];
    (isFolder ? this.folders : this.files).set(path, node);
    this.nodeCount += 1;
    return node;
  }

  /** Begins the next state, at a time in seconds. */
  addState(time, author, name, text) {
    const state = this.stateCount;
    [this.times[state], this.stateAuthors[state], this.words[state]] = [time, author, [name, text]];
    this.firstChanges[state + 1] = this.changeCount;
    this.stateCount += 1;
  }

  /** Adds a change to the state begun last. */
  addChange(node, kind, size = NaN, content = 0) {
    const change = this.changeCount;
    [this.nodes[change], this.states[change], this.kinds[change]] = [node, this.stateCount - 1, kind];
    [this.sizes[change], this.contents[change]] = [size, content];
    this.changeCount += 1;
    this.firstChanges[this.stateCount] = this.changeCount;
  }

  /** Finds the changes of each node, once all were added. */
  finish() {
    const firsts = new Int32Array(this.nodeCount + 1);
    for (const node of this.nodes) firsts[node + 1] += 1;
    for (let node = 0; node < this.nodeCount; node += 1) firsts[node + 1] += firsts[node];
    const next = firsts.slice();
    const changes = new Int32Array(this.changeCount);
    for (let change = 0; change < this.changeCount; change += 1) changes[next[this.nodes[change]]++] = change;
    [this.nodeFirsts, this.nodeChanges] = [firsts, changes];
    return this;
  }

  get start() { return this.times[0] ?? 0; }
  get end() { return this.times[this.stateCount - 1] ?? 0; }

  /** The last state that is no later than a time; −1 before the first. */
  stateAt(time) { return lastUpTo(this.times, time, this.stateCount); }

  /** How far along the time line a time is: 0 at its start, 1 at its end. */
  partOf(time) { return (time - this.start) / Math.max(1e-9, this.end - this.start); }

  /** The time so far along it. */
  timeAt(part) { return this.start + clamp(part, 0, 1) * (this.end - this.start); }

  /** The number of a path's node: the folder's, if one is meant; undefined if there is none. */
  node(path, isFolder) { return (isFolder ? this.folders : this.files).get(path); }

  /** Where among the changes of a node those begin that come after a state. */
  changesAfter(node, state) {
    let [low, high] = [this.nodeFirsts[node], this.nodeFirsts[node + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.states[this.nodeChanges[middle]] <= state) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last change of a node up to a state, or −1. */
  lastChange(node, state) {
    const next = this.changesAfter(node, state);
    return next > this.nodeFirsts[node] ? this.nodeChanges[next - 1] : -1;
  }

  /** The change by which a node became what it is in a state, or was when it was there last; −1 before it came. */
  version(node, state) {
    const change = this.lastChange(node, state);
    if (change < 0 || this.kinds[change] !== REMOVED) return change;
    return this.lastChange(node, this.states[change] - 1);
  }

  /** What a node is in a state: ``NOT_YET``, ``THERE`` or ``GONE``. */
  presence(node, state) {
    const change = this.lastChange(node, state);
    if (change < 0) return NOT_YET;
    return this.kinds[change] === REMOVED ? GONE : THERE;
  }

  /** For each folder where the nodes below it end, which follow it. */
  get ends() {
    if (this.knownEnds) return this.knownEnds;
    const ends = new Int32Array(this.nodeCount);
    const way = [];
    for (let node = 0; node < this.nodeCount; node += 1) {
      if (!this.isFolder[node]) continue;
      while (way.length > 0 && !this.paths[node].startsWith(`${this.paths[way.at(-1)]}/`)) ends[way.pop()] = node;
      way.push(node);
    }
    for (const node of way) ends[node] = this.nodeCount;
    this.knownEnds = ends;
    return ends;
  }

  /** What is in a folder in one of some states, files first: the numbers of nodes. */
  *nodesIn(folder, ...states) {
    for (let node = folder + 1; node < this.ends[folder]; node = this.isFolder[node] ? this.ends[node] : node + 1) {
      if (states.some((state) => this.presence(node, state) === THERE)) yield node;
    }
  }

  /** What is at and below a node in a state: how many files, their bytes if all are known, and when the newest of them came to be so. */
  sumsOf(node, state) {
    const sums = { files: 0, bytes: 0, newest: undefined };
    const end = this.isFolder[node] ? this.ends[node] : node + 1;
    for (let at = node; at < end; at += 1) {
      if (this.isFolder[at]) continue;
      const change = this.lastChange(at, state);
      if (change < 0 || this.kinds[change] === REMOVED) continue;
      const time = this.times[this.states[change]];
      sums.files += 1;
      sums.bytes += this.sizes[change];
      if (!(sums.newest >= time)) sums.newest = time;
    }
    if (Number.isNaN(sums.bytes)) sums.bytes = undefined;
    return sums;
  }

  /** How many changes there are by kind in each of so many parts of the time between two. */
  histogram(count, start = this.start, end = this.end) {
    const parts = [ADDED, CHANGED, REMOVED].map(() => new Float64Array(count));
    const span = Math.max(1e-9, end - start);
    for (let state = 0; state < this.stateCount; state += 1) {
      const part = Math.min(count - 1, Math.floor(((this.times[state] - start) / span) * count));
      for (let change = this.firstChanges[state]; change < this.firstChanges[state + 1]; change += 1) {
        const kind = this.kinds[change];
        if (kind < REMAINED) parts[kind][part] += 1;
      }
    }
    return parts;
  }

  /** Where each author's states touched the map: states in the order of time, and the middles of what they did. */
  get ways() {
    if (this.knownWays) return this.knownWays;
    const ways = this.authors.map(() => ({ states: [], x: [], y: [] }));
    for (let state = 0; state < this.stateCount; state += 1) {
      const way = ways[this.stateAuthors[state]];
      let [x, y, count] = [0, 0, 0];
      for (let change = this.firstChanges[state]; change < this.firstChanges[state + 1]; change += 1) {
        const node = this.nodes[change];
        if (this.isFolder[node]) continue;
        [x, y, count] = [x + this.x[node], y + this.y[node], count + 1];
      }
      if (!way || count === 0) continue;
      way.states.push(state);
      way.x.push(x / count);
      way.y.push(y / count);
    }
    this.knownWays = ways;
    return ways;
  }

  /** What is there in a state and has a text in its name, or a name that a glob matches, as results of a search. */
  *named(text, state) {
    const wanted = wantedName(text);
    for (let node = 0; node < this.nodeCount; node += 1) {
      const path = this.paths[node];
      const name = nameOf(path);
      // What is no text can't be asked for by its path.
      if (wanted.rank(name) === 0 || path.includes("\ufffd") || this.presence(node, state) !== THERE) continue;
      yield { path, name, score: 1 - clamp(path.length / 1000, 0, 0.9) };
    }
  }

  /** Files that are there in a state, as pages list them. */
  *filesIn(state) {
    for (let node = 0; node < this.nodeCount; node += 1) {
      if (this.isFolder[node]) continue;
      const change = this.lastChange(node, state);
      if (change < 0 || this.kinds[change] === REMOVED) continue;
      const path = this.paths[node];
      const size = this.sizes[change];
      yield { path, name: nameOf(path), folder: parentOf(path), size: Number.isNaN(size) ? undefined : size,
        modified: this.times[this.states[change]] };
    }
  }

  /** Reads the lines of a history. */
  static async read(text) {
    let timeline = null;
    let count = 0;
    for (let start = 0; start < text.length;) {
      let end = text.indexOf("\n", start);
      if (end < 0) end = text.length;
      const line = text.slice(start, end).trim();
      start = end + 1;
      if (line === "") continue;
      const row = JSON.parse(line);
      if (!timeline) {
        if (row.version !== 2) throw new Error("the history is of another version than this page");
        timeline = new Timeline(row.nodes, row.states, row.changes, { authors: row.authors });
      } else if (typeof row[0] === "string") {
        const [path, lon, lat, , files] = row;
        timeline.addNode(path, true, lon, lat);
        for (let at = 0; at < files.length; at += 3) {
          timeline.addNode(`${path}/${files[at]}`, false, files[at + 1], files[at + 2]);
        }
        count += files.length / 3;
      } else {
        const [time, author, name, said, changes, sizes, contents = []] = row;
        timeline.addState(time, author, name, said);
        let [node, next] = [0, 0];
        let [known, marked] = [0, contents[0]];
        for (const change of changes) {
          node += change >>> 2;
          if (timeline.isFolder[node] || (change & 3) === REMOVED) {
            timeline.addChange(node, change & 3);
            continue;
          }
          const content = next === marked ? contents[known + 1] : 0;
          if (content) marked += contents[known += 2];
          const size = sizes[next++];
          timeline.addChange(node, change & 3, size < 0 ? NaN : size, content);
        }
        count += changes.length;
      }
      if ((count += 1) < AT_A_TIME) continue;
      count = 0;
      await new Promise((next) => setTimeout(next));
    }
    if (!timeline) throw new Error("there is no history");
    return timeline.finish();
  }
}
