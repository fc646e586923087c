// Files, bytes and states of a time line up to each state.
import { REMOVED } from "./timeline.js";

/** Adds up the files of each state and their bytes once, so that those of any moment are known at once. */
export class Counters {
  constructor(timeline) {
    const { stateCount, firstChanges, nodes, kinds, isFolder, sizes, nodeCount } = timeline;
    this.timeline = timeline;
    this.files = new Float64Array(stateCount);
    this.bytes = new Float64Array(stateCount);
    /** The number of files of known size. */
    this.known = new Float64Array(stateCount);
    const own = new Float64Array(nodeCount).fill(NaN);
    const isThere = new Uint8Array(nodeCount);
    let [files, bytes, known] = [0, 0, 0];
    for (let state = 0; state < stateCount; state += 1) {
      for (let change = firstChanges[state]; change < firstChanges[state + 1]; change += 1) {
        const node = nodes[change];
        if (isFolder[node]) continue;
        const is = kinds[change] === REMOVED ? 0 : 1;
        files += is - isThere[node];
        isThere[node] = is;
        if (!Number.isNaN(own[node])) [bytes, known] = [bytes - own[node], known - 1];
        own[node] = is ? sizes[change] : NaN;
        if (!Number.isNaN(own[node])) [bytes, known] = [bytes + own[node], known + 1];
      }
      [this.files[state], this.bytes[state], this.known[state]] = [files, bytes, known];
    }
  }

  /** Files, bytes (undefined if unknown) and states up to a state. */
  at(state) {
    const files = this.files[state] ?? 0;
    return { files, bytes: files > 0 && this.known[state] === 0 ? undefined : this.bytes[state] ?? 0, states: state + 1 };
  }
}
