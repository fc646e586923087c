// What changed recently at a moment of a time line: files with their changes, and who made them.
import { clamp } from "./geo.js";
import { lastUpTo } from "./sorted.js";
import { ADDED, REMAINED, REMOVED } from "./timeline.js";

/** The longest step of what moves by itself, in seconds. */
const LONGEST_STEP = 0.25;

/** The time between frames. */
export class FrameClock {
  last = null;

  /** The seconds since the last call, not more than a step. */
  passed() {
    const now = performance.now() / 1000;
    const passed = this.last === null ? 0 : clamp(now - this.last, 0, LONGEST_STEP);
    this.last = now;
    return passed;
  }
}

/**
 * The files that changed within the glow of a moment, newest first, in columns: `nodes`, the newest of their `changes`,
 * its age in `ages`, the number of changes in `counts`, and what happened to each in `kinds`.
 */
export class Recent {
  constructor() {
    this.count = 0;
    this.key = "";
    this.stamp = 0;
    this.stamps = this.slots = new Int32Array(0);
    this.reserve(256);
  }

  reserve(size) {
    const grown = (Type, old) => {
      const column = new Type(size);
      if (old) column.set(old);
      return column;
    };
    this.nodes = grown(Int32Array, this.nodes);
    this.changes = grown(Int32Array, this.changes);
    this.counts = grown(Int32Array, this.counts);
    this.ages = grown(Float32Array, this.ages);
    this.kinds = grown(Uint8Array, this.kinds);
  }

  /** Follows a moment; returns whether anything may have changed. */
  look(moment) {
    const { timeline, time, state, play, glow } = moment;
    const key = `${time}|${state}|${play}|${glow}`;
    if (key === this.key && timeline === this.timeline) return false;
    if (timeline !== this.timeline) {
      this.stamps = new Int32Array(timeline.nodeCount);
      this.slots = new Int32Array(timeline.nodeCount);
      this.stamp = 0;
    }
    Object.assign(this, { key, timeline });
    this.collect(moment);
    return true;
  }

  collect(moment) {
    const { timeline: { nodes, kinds, isFolder }, stamps, slots } = this;
    const glow = moment.glow;
    const stamp = (this.stamp += 1);
    const [first, end] = moment.state < 0 ? [0, 0] : moment.lit;
    let count = 0;
    for (let change = end - 1; change >= first; change -= 1) {
      const kind = kinds[change];
      const node = nodes[change];
      if (kind === REMAINED || isFolder[node]) continue;
      if (stamps[node] === stamp) {
        const slot = slots[node];
        this.counts[slot] += 1;
        // What came lately is new, whatever changed since.
        if (kind === ADDED && this.kinds[slot] !== REMOVED) this.kinds[slot] = ADDED;
        continue;
      }
      const age = moment.ageOf(change);
      if (age < 0 || age > glow) continue;
      if (count === this.nodes.length) this.reserve(2 * count);
      [stamps[node], slots[node]] = [stamp, count];
      [this.nodes[count], this.changes[count], this.counts[count], this.ages[count], this.kinds[count]] = [node, change, 1, age, kind];
      count += 1;
    }
    this.count = count;
  }

  /** The number of changes of a file within the glow, 0 without any. */
  slotOf(node) { return this.stamps[node] === this.stamp && this.stamp > 0 ? this.slots[node] : -1; }
}

/** What happened to a file, in words. */
export function happened(kind, count) {
  if (kind === ADDED) return "new";
  if (kind === REMOVED) return "removed";
  return count === 1 ? "changed" : `changed ${count.toLocaleString("en")} times`;
}

/** The changes by which folders came and went, in order of time. */
export class FolderChanges {
  /** Follows a time line. */
  constructor(timeline) {
    this.timeline = timeline;
    const found = [];
    for (let change = 0; change < timeline.changeCount; change += 1) {
      const kind = timeline.kinds[change];
      if (timeline.isFolder[timeline.nodes[change]] && (kind === ADDED || kind === REMOVED)) found.push(change);
    }
    this.all = Int32Array.from(found);
  }

  /** The last `most` changes before the end of a state, newest first. */
  *before(state, most) {
    const { timeline, all } = this;
    const last = lastUpTo(all, timeline.firstChanges[state + 1] - 1);
    for (let at = last; at >= 0 && at > last - most; at -= 1) yield all[at];
  }
}
