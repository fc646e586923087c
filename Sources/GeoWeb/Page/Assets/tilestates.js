// Two states of a tree: a tile's nodes in the shown state, and differences below nested lands.
import { clamp } from "./geo.js";

/** The breadth in pixels from which a land shows the differences below it itself. */
const SHOWN_FROM = 9;
/** The maximum number of lands whose inner differences are kept. */
const MOST_INNER = 20000;

/** The visibility of the old and the new state at a moment, from 0, the old one, to 1. */
export function partsAt(moment) {
  return { old: clamp(2 - 2 * moment, 0, 1), new: clamp(2 * moment, 0, 1) };
}

/** Whether a node is in the shown state; in between both are shown. `absent` is in neither. */
function isIn(node, moment) {
  if (node.change === "absent") return false;
  if (moment <= 0) return node.change !== "added" && node.change !== "moved";
  if (moment >= 1) return node.change !== "removed" && node.change !== "left";
  return true;
}

/** The nodes of a tile in the shown state, in new arrays. */
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

/** The differences below the lands in each land, as far as known from tiles. */
export class InnerChanges {
  constructor() {
    /** By path of a land, then of the lands in it. */
    this.all = new Map();
    /** Increases with each change. */
    this.version = 0;
  }

  /** Drops what was known of other states. */
  forget() {
    this.all.clear();
    this.version += 1;
  }

  /** Adds a tile's lands in lands: no tile has all of them. */
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

  /** The differences below a land that lands in it don't show at a scale: files and bytes. */
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
