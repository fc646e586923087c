// Two states of one tree, reckoned: what of a tile is in the state that is shown, and what of a difference the lands in a land show.
import { clamp } from "./geo.js";

/** From how many pixels across on a land shows what differs below it for itself. */
const SHOWN_FROM = 9;
/** Of how many lands at most it is kept what differs below those in them. */
const MOST_INNER = 20000;

/** How much there is to be seen of the old and of the new state at a moment, from 0, the old one, to 1. */
export function partsAt(moment) {
  return { old: clamp(2 - 2 * moment, 0, 1), new: clamp(2 * moment, 0, 1) };
}

/** Whether a node is in the state that is shown; in between both are. What is `absent` is in neither. */
function isIn(node, moment) {
  if (node.change === "absent") return false;
  if (moment <= 0) return node.change !== "added" && node.change !== "moved";
  if (moment >= 1) return node.change !== "removed" && node.change !== "left";
  return true;
}

/** What of a tile is in the state that is shown; the arrays are new ones. */
export function tileAt(whole, moment) {
  const land = whole.land.filter((one) => isIn(one, moment));
  const others = whole.land.filter((one) => !isIn(one, moment));
  const gone = new Set(others.map(({ id }) => id));
  const paths = new Set(others.map(({ path }) => path));
  return { ...whole, isPrepared: false, land,
    cells: (whole.cells ?? []).filter((one) => !gone.has(one.id) && isIn(one, moment)),
    towns: (whole.towns ?? []).filter(({ folder }) => !paths.has(folder)),
    files: whole.files.filter((one) => isIn(one, moment)) };
}

const countBelow = (land) => (land.below_added ?? 0) + (land.below_removed ?? 0) + (land.below_changed ?? 0) + (land.below_moved ?? 0);

/** Whether anything differs below a land. */
export const hasChanged = (land) => countBelow(land) > 0 || Boolean(land.below_bytes);

/** What differs below the lands in each land, as far as tiles have told. */
export class InnerChanges {
  constructor() {
    /** By the path of a land, then by theirs. */
    this.all = new Map();
    /** Counts up with that. */
    this.version = 0;
  }

  /** What was known was of two other states. */
  forget() {
    this.all.clear();
    this.version += 1;
  }

  /** Takes in what a tile tells of lands in lands: no tile has all of them. */
  learn(entry) {
    if (entry.compared === entry.version) return;
    entry.compared = entry.version;
    if (this.all.size > MOST_INNER) this.all.clear();
    for (const land of entry.data.land) {
      if (land.depth < 2 || land.breadth === undefined) continue;
      let inner = this.all.get(land.parent);
      if (!inner) this.all.set(land.parent, (inner = new Map()));
      const [count, growth] = [countBelow(land), land.below_bytes ?? 0];
      const known = inner.get(land.path);
      if (known?.count === count && known.growth === growth) continue;
      inner.set(land.path, { count, growth, breadth: land.breadth });
      this.version += 1;
    }
  }

  /** What differs below a land and is not shown by lands in it, at a scale: how many files, and by how many bytes. */
  hidden(land, scale) {
    let [count, growth] = [countBelow(land), land.below_bytes ?? 0];
    for (const inner of this.all.get(land.path)?.values() ?? []) {
      if (inner.breadth * scale < SHOWN_FROM) continue;
      count -= inner.count;
      growth -= inner.growth;
    }
    return { count, growth };
  }
}
