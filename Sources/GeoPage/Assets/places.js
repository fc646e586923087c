// Where the name of a land stands: in its middle, or beside the lands in it where these would be covered.
import { contains } from "./geo.js";
import { boxOf, childrenOf } from "./land.js";

const STEPS = [-0.375, -0.25, -0.125, 0, 0.125, 0.25, 0.375];

/** The lands of a tile by their paths, and those that lie in each; made once. */
function indexOf(data) {
  data.index ??= {
    lands: new Map(data.land.map((land) => [land.path, land])),
    children: childrenOf(data.land),
  };
  return data.index;
}

/** Whether a box of a tile touches one of some lands. */
function isCovered(lands, [west, north, east, south]) {
  return lands.some((land) => {
    const box = boxOf(land);
    return box[0] < east && box[2] > west && box[1] < south && box[3] > north;
  });
}

/** Whether a box lies in a land. */
function lies(land, [west, north, east, south]) {
  const middle = (west + east) / 2;
  return land.rings.some((ring) => [west, middle, east].every((x) =>
    contains(ring, x, north) && contains(ring, x, south)));
}

export class LabelPlaces {
  constructor() {
    this.moved = new Map();
  }

  /**
   * How far from the middle of its land a name stands, as parts of the world: not at all, or at the
   * nearest place that is free of the lands in it.
   *
   * `entry` is the tile of the label, `entries` are all in view; `width` and `height` are the text's
   * in units of the tile. A shift is kept as long as nothing comes to lie under the name, for then it
   * fits at every closer zoom.
   */
  shift(entries, entry, label, width, height) {
    const boxAt = (x, y) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
    const parts = [];
    for (const other of entries) {
      if (other.z !== entry.z) continue;
      const { lands, children } = indexOf(other.data);
      const land = lands.get(label.path);
      if (land) {
        parts.push({ land, within: children.get(label.path) ?? [],
          x: (other.x - entry.x) * 4096, y: (other.y - entry.y) * 4096 });
      }
    }
    const isFree = (x, y) =>
      !parts.some((part) => isCovered(part.within, boxAt(x - part.x, y - part.y)));
    const unit = 4096 * 2 ** entry.z;
    const old = this.moved.get(label.path);
    if (old && isFree(label.x + old[0] * unit, label.y + old[1] * unit)) return old;
    if (isFree(label.x, label.y)) return [0, 0];
    let best = null;
    for (const { land, x: left, y: top } of parts) {
      const [west, north, east, south] = boxOf(land);
      for (const down of STEPS) {
        for (const right of STEPS) {
          const x = (west + east) / 2 + right * (east - west);
          const y = (north + south) / 2 + down * (south - north);
          const far = Math.hypot(left + x - label.x, top + y - label.y);
          if (best && far >= best.far) continue;
          if (lies(land, boxAt(x, y)) && isFree(left + x, top + y)) best = { x: left + x, y: top + y, far };
        }
      }
    }
    if (!best) return [0, 0];
    if (this.moved.size > 2000) this.moved.clear();
    const shift = [(best.x - label.x) / unit, (best.y - label.y) / unit];
    this.moved.set(label.path, shift);
    return shift;
  }
}
