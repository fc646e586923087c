// A time line: nodes, states and changes, in numeric columns sorted by time.
import { clamp, lastUpTo, linesIn, nameOf, parentOf, pause } from "./geo.js";
import { wantedName } from "./searches.js";
import { project, unproject } from "./mercator.js";

/** The presence of a node at a moment. */
export const [NOT_YET, THERE, GONE] = [0, 1, 2];
/** The kinds of changes; nodes that exist when the time line begins have only remained. */
export const [ADDED, CHANGED, REMOVED, REMAINED] = [0, 1, 2, 3];
const AT_A_TIME = 20000; // the number of rows to read before yielding to the browser

/**
 * A history as states, the moments of events in order of time. The changes of each state are adjacent, and those of each node
 * indexed, so that seeking takes a binary search. Places are in world coordinates.
 */
export class Timeline {
  /** Allocates nodes, states and changes; `hasLives` says whether nodes appear and vanish. */
  constructor(nodes, states, changes, { hasLives = true, authors = [] } = {}) {
    Object.assign(this, { hasLives, authors });
    this.paths = new Array(nodes);
    this.isFolder = new Uint8Array(nodes);
    this.x = new Float64Array(nodes);
    this.y = new Float64Array(nodes);
    this.times = new Float64Array(states);
    this.stateAuthors = new Int32Array(states);
    /** The name and the text of each state. */
    this.words = new Array(states);
    this.firstChanges = new Int32Array(states + 1);
    this.nodes = new Int32Array(changes);
    this.states = new Int32Array(changes);
    this.kinds = new Uint8Array(changes);
    this.sizes = new Float64Array(changes); // the bytes of a file since a change; NaN if unknown
    /** The contents of a file since a change: four times a number, plus its kind; 0 if unique or unknown. */
    this.contents = new Int32Array(changes);
    [this.nodeCount, this.stateCount, this.changeCount] = [0, 0, 0];
    Object.assign(this, { folders: new Map(), files: new Map() });
  }

  addNode(path, isFolder, lon, lat) {
    const node = this.nodeCount;
    const { x, y } = project(lon, lat);
    this.paths[node] = path;
    [this.x[node], this.y[node], this.isFolder[node]] = [x, y, isFolder ? 1 : 0];
    (isFolder ? this.folders : this.files).set(path, node);
    this.nodeCount += 1;
    return node;
  }

  addState(time, author, name, text) {
    const state = this.stateCount;
    [this.times[state], this.stateAuthors[state], this.words[state]] = [time, author, [name, text]];
    this.firstChanges[state + 1] = this.changeCount;
    this.stateCount += 1;
  }

  addChange(node, kind, size = NaN, content = 0) {
    const change = this.changeCount;
    [this.nodes[change], this.states[change], this.kinds[change]] = [node, this.stateCount - 1, kind];
    [this.sizes[change], this.contents[change]] = [size, content];
    this.changeCount += 1;
    this.firstChanges[this.stateCount] = this.changeCount;
  }

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
  /** The last state up to a time; −1 before the first. */
  stateAt(time) { return lastUpTo(this.times, time, this.stateCount); }
  partOf(time) { return (time - this.start) / Math.max(1e-9, this.end - this.start); }
  timeAt(part) { return this.start + clamp(part, 0, 1) * (this.end - this.start); }
  node(path, isFolder) { return (isFolder ? this.folders : this.files).get(path); }

  /** The index of the first change of a node after a state. */
  changesAfter(node, state) {
    let [low, high] = [this.nodeFirsts[node], this.nodeFirsts[node + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.states[this.nodeChanges[middle]] <= state) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Path, name and place of a node, as summaries have them. */
  factsOf(node) { return { path: this.paths[node], name: nameOf(this.paths[node]), ...unproject(this.x[node], this.y[node]) }; }

  lastChange(node, state) {
    const next = this.changesAfter(node, state);
    return next > this.nodeFirsts[node] ? this.nodeChanges[next - 1] : -1;
  }

  /** The change since which a node is there in a state, or −1. */
  living(node, state) {
    const change = this.lastChange(node, state);
    return change >= 0 && this.kinds[change] !== REMOVED ? change : -1;
  }

  /** The change that gave a node its form in a state, or its last one; −1 before it existed. */
  version(node, state) {
    const change = this.lastChange(node, state);
    if (change < 0 || this.kinds[change] !== REMOVED) return change;
    return this.lastChange(node, this.states[change] - 1);
  }

  presence(node, state) {
    const change = this.lastChange(node, state);
    if (change < 0) return NOT_YET;
    return this.kinds[change] === REMOVED ? GONE : THERE;
  }

  /** For each node the folder that it is in, or −1; for each folder the end of its nodes, which follow it. */
  get forest() {
    if (this.knownForest) return this.knownForest;
    const [parents, ends] = [0, 1].map(() => new Int32Array(this.nodeCount));
    const way = [];
    for (let node = 0; node < this.nodeCount; node += 1) {
      const isFolder = this.isFolder[node];
      while (isFolder && way.length > 0 && !this.paths[node].startsWith(`${this.paths[way.at(-1)]}/`)) ends[way.pop()] = node;
      parents[node] = way.at(-1) ?? -1;
      if (isFolder) way.push(node);
    }
    for (const node of way) ends[node] = this.nodeCount;
    return (this.knownForest = { parents, ends });
  }

  get parents() { return this.forest.parents; }
  get ends() { return this.forest.ends; }

  /** The nodes in a folder, files first; without one, the roots. */
  *childrenOf(folder = -1) {
    const { ends } = this;
    const end = folder < 0 ? this.nodeCount : ends[folder];
    for (let node = folder + 1; node < end; node = this.isFolder[node] ? ends[node] : node + 1) yield node;
  }

  *nodesIn(folder, ...states) {
    for (const node of this.childrenOf(folder)) if (states.some((state) => this.presence(node, state) === THERE)) yield node;
  }

  /** Totals of a node in a state: files, bytes if all are known, and the newest time. */
  sumsOf(node, state) {
    const sums = { files: 0, bytes: 0, newest: undefined };
    const end = this.isFolder[node] ? this.ends[node] : node + 1;
    for (let at = node; at < end; at += 1) {
      if (this.isFolder[at]) continue;
      const change = this.living(at, state);
      if (change < 0) continue;
      const time = this.times[this.states[change]];
      sums.files += 1;
      sums.bytes += this.sizes[change];
      if (!(sums.newest >= time)) sums.newest = time;
    }
    if (Number.isNaN(sums.bytes)) sums.bytes = undefined;
    return sums;
  }

  histogram(count, start = this.start, end = this.end) {
    const parts = [ADDED, CHANGED, REMOVED].map(() => new Float64Array(count));
    const span = Math.max(1e-9, end - start);
    for (let state = 0; state < this.stateCount; state += 1) {
      const part = Math.min(count - 1, Math.floor(((this.times[state] - start) / span) * count));
      for (let change = this.firstChanges[state]; change < this.firstChanges[state + 1]; change += 1) {
        if (this.kinds[change] < REMAINED) parts[this.kinds[change]][part] += 1;
      }
    }
    return parts;
  }

  *named(text, state) {
    const wanted = wantedName(text);
    for (let node = 0; node < this.nodeCount; node += 1) {
      const path = this.paths[node];
      const name = nameOf(path);
      // Paths that are not UTF-8 can't be requested.
      if (wanted.rank(name) === 0 || path.includes("\ufffd") || this.presence(node, state) !== THERE) continue;
      yield { path, name, score: 1 - clamp(path.length / 1000, 0, 0.9) };
    }
  }

  *filesIn(state) {
    for (let node = 0; node < this.nodeCount; node += 1) {
      if (this.isFolder[node]) continue;
      const change = this.living(node, state);
      if (change < 0) continue;
      const path = this.paths[node];
      const size = this.sizes[change];
      yield { path, name: nameOf(path), folder: parentOf(path), size: Number.isNaN(size) ? undefined : size, modified: this.times[this.states[change]] };
    }
  }

  static async read(text) {
    let [timeline, count] = [null, 0];
    for (const line of linesIn(text)) {
      const row = JSON.parse(line);
      if (!timeline) {
        if (row.version !== 2) throw new Error("the history is of another version than this page");
        timeline = new Timeline(row.nodes, row.states, row.changes, { authors: row.authors });
      } else if (typeof row[0] === "string") {
        const [path, lon, lat, , files] = row;
        timeline.addNode(path, true, lon, lat);
        for (let at = 0; at < files.length; at += 3) timeline.addNode(`${path}/${files[at]}`, false, files[at + 1], files[at + 2]);
        count += files.length / 3;
      } else {
        const [time, author, name, said, changes, sizes, contents = []] = row;
        timeline.addState(time, author, name, said);
        let [node, next, known, marked] = [0, 0, 0, contents[0]];
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
      await pause();
    }
    if (!timeline) throw new Error("there is no history");
    return timeline.finish();
  }
}
