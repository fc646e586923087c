// Sums of folders at a moment of a history, from the versions of files that it follows from state to state.
import { keptIn, nameOf, pause } from "./geo.js";
import { addLargest, LARGEST, summaryOf } from "./static.js";
import { REMOVED } from "./timeline.js";

/** How long it computes before yielding to the browser, in milliseconds, and changes between two looks at the clock. */
const [SLICE, AT_A_TIME] = [5, 4000];

/** Files, known bytes and the newest time of a folder while files are added; `largest` is its largest sub-folder. */
class Sums {
  files = 0;
  known = 0;
  bytes = 0;
  newest = -Infinity;
  largest = null;
  constructor(node) { this.node = node; }

  add(size, time) {
    this.files += 1;
    if (!Number.isNaN(size)) {
      this.known += 1;
      this.bytes += size;
    }
    if (time > this.newest) this.newest = time;
  }

  /** As summaries have them; files of unknown size are left out of bytes. */
  get totals() {
    const { files, known, bytes, newest } = this;
    return { files, bytes: files > 0 && known === 0 ? undefined : bytes, newest: files > 0 ? newest : undefined };
  }
}

export class MomentSums {
  constructor(timeline) {
    this.timeline = timeline;
    /** The last change of each node up to a state; −1 if it isn't there. */
    this.versions = new Int32Array(timeline.nodeCount).fill(-1);
    this.state = -1;
  }

  /** Goes to the state of a moment, which may move meanwhile; yields to the browser now and then. */
  async reach(moment) { while (!this.goTo(moment.state, performance.now() + SLICE)) await pause(); }

  /** Goes toward a state until a deadline; returns whether it is there. */
  goTo(state, deadline = Infinity) {
    const { firstChanges } = this.timeline;
    const [here, there] = [firstChanges[this.state + 1], firstChanges[state + 1]];
    // From the start it may be shorter than back.
    if (there < here - there) this.restart();
    let count = 0;
    while (this.state !== state) {
      const next = this.state < state ? this.state + 1 : this.state;
      if (this.state < state) this.apply(next);
      else this.undo(next);
      if ((count += 1 + firstChanges[next + 1] - firstChanges[next]) < AT_A_TIME) continue;
      count = 0;
      if (performance.now() > deadline) return this.state === state;
    }
    return true;
  }

  restart() {
    this.versions.fill(-1);
    this.state = -1;
  }

  apply(state) {
    const { firstChanges, nodes, kinds } = this.timeline;
    for (let change = firstChanges[state]; change < firstChanges[state + 1]; change += 1) {
      this.versions[nodes[change]] = kinds[change] === REMOVED ? -1 : change;
    }
    this.state = state;
  }

  undo(state) {
    const { firstChanges, nodes } = this.timeline;
    for (let change = firstChanges[state]; change < firstChanges[state + 1]; change += 1) {
      this.versions[nodes[change]] = this.timeline.living(nodes[change], state - 1);
    }
    this.state = state - 1;
  }

  /** The summary of a folder, or of all roots without a path, as `Source.summary`; null if the history lacks it. */
  summary(path) {
    const nodes = path === undefined ? this.roots : [this.timeline.node(path, true)];
    if (nodes.includes(undefined)) return null;
    return summaryOf(nodes.map((node) => this.part(node)), "bytes", true);
  }

  get roots() {
    return (this.knownRoots ??= [...this.timeline.childrenOf()].filter((node) => this.timeline.isFolder[node]));
  }

  /** A folder's part of a summary, in one pass over what is in it; empty while the folder isn't there. */
  part(folder) {
    const { timeline: { isFolder, ends, sizes, times, states, paths }, versions } = this;
    const whole = new Sums(folder);
    const [lands, own] = [[], []];
    let [below, land, landEnd, inner, innerEnd] = [0, null, 0, null, 0];
    const closeInner = () => { if (inner && inner.bytes > (land.largest?.bytes ?? 0)) land.largest = inner; };
    const end = versions[folder] < 0 ? folder : ends[folder];
    const best = [];
    for (let node = folder + 1; node < end;) {
      const version = versions[node];
      if (version < 0) {
        node = isFolder[node] ? ends[node] : node + 1;
        continue;
      }
      if (node >= innerEnd) {
        closeInner();
        inner = null;
      }
      if (node >= landEnd) land = null;
      if (isFolder[node]) {
        below += 1;
        if (!land) {
          lands.push(land = new Sums(node));
          landEnd = ends[node];
        } else if (!inner) [inner, innerEnd] = [new Sums(node), ends[node]];
      } else {
        const [size, time] = [sizes[version], times[states[version]]];
        whole.add(size, time);
        land?.add(size, time);
        inner?.add(size, time);
        if (!land) own.push(node);
        if (size > 0 && !(size < best[LARGEST - 1]?.bytes)) addLargest(best, { node, path: paths[node], bytes: size }, "bytes");
      }
      node += 1;
    }
    closeInner();
    return {
      path: paths[folder], totals: whole.totals, below,
      lands: lands.map((sums) => this.landOf(sums)), own: own.map((node) => this.fileOf(node)),
      largest: best.map(({ node }) => this.fileOf(node)),
    };
  }

  bytesIn(folder) {
    const { isFolder, ends, sizes } = this.timeline;
    const found = new Map();
    for (const node of this.timeline.childrenOf(folder)) {
      if (!isFolder[node] || this.versions[node] < 0) continue;
      let sum = 0;
      for (let inner = node + 1; inner < ends[node]; inner += 1) {
        const version = this.versions[inner];
        if (version >= 0 && !isFolder[inner] && !Number.isNaN(sizes[version])) sum += sizes[version];
      }
      found.set(node, sum);
    }
    return found;
  }

  landOf({ node, totals, largest }) {
    return { ...this.timeline.factsOf(node), ...totals, largest: largest ? { name: nameOf(this.timeline.paths[largest.node]), bytes: largest.bytes } : undefined };
  }

  fileOf(node) {
    const { sizes, times, states } = this.timeline;
    const version = this.versions[node];
    const size = sizes[version];
    return { ...this.timeline.factsOf(node), bytes: Number.isNaN(size) ? undefined : size, modified: times[states[version]] };
  }
}

const MAXIMUM_STATES = 24; // the number of states that a trend has at most

/** How the sub-folders of a folder grew in a history, as the server's `/kept`; null if the history lacks the folder. */
export async function trendsOf(timeline, path) {
  const folder = timeline.node(path, true);
  if (folder === undefined || timeline.stateCount < 2) return null;
  const sums = new MomentSums(timeline);
  const count = Math.min(MAXIMUM_STATES, timeline.stateCount);
  const times = Array.from({ length: count }, (_, index) => timeline.timeAt(index / (count - 1)));
  const trends = new Map();
  for (const [index, time] of times.entries()) {
    const state = timeline.stateAt(time);
    await sums.reach({ state });
    for (const [node, bytes] of sums.bytesIn(folder)) keptIn(trends, node, () => new Array(count).fill(null))[index] = bytes;
    await pause();
  }
  return { times, trends: [...trends].map(([node, bytes]) => ({ path: timeline.paths[node], bytes })) };
}
