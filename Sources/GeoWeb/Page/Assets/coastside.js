// Where texts and squares of a view are: on land or sea, and in which land.
import { contains } from "./geo.js";

const CELL = 8; // pixels: places so near to each other count as one
const AROUND = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];
/** Distances to try, in half sides of a square, and directions. */
const STEPS = [0.35, 0.7, 1.05, 1.4, 1.8];
const DIRECTIONS = 16;

/** The coasts of a view. */
export class Coastside {
  /** `shores` are those of all roots. */
  constructor(shores, camera) {
    this.camera = camera;
    this.known = new Map();
    const isNear = (ring) => {
      for (let i = 0; i < ring.length; i += 2) if (camera.isNear(...camera.toScreen(ring[i], ring[i + 1]), 60)) return true;
      return false;
    };
    const lands = [...shores.all.values()].map(({ land }) => land);
    // Without a coast in view nothing crosses one.
    this.lands = lands.some((rings) => rings.some(isNear)) ? lands : [];
  }

  isLand(px, py) {
    const key = Math.floor(px / CELL) * 65536 + Math.floor(py / CELL);
    let is = this.known.get(key);
    if (is === undefined) {
      const [x, y] = this.camera.toWorld(px, py);
      // Lakes are rings, too.
      is = this.lands.some((rings) => rings.reduce((inside, ring) => inside !== contains(ring, x, y), false));
      this.known.set(key, is);
    }
    return is;
  }

  /** Whether a box is partly on land and partly at sea. */
  crosses([west, north, east, south]) {
    if (this.lands.length === 0) return false;
    const middle = (north + south) / 2;
    const count = Math.max(2, Math.ceil((east - west) / 30));
    const first = this.isLand(west, middle);
    for (let i = 1; i <= count; i += 1) if (this.isLand(west + ((east - west) * i) / count, middle) !== first) return true;
    return false;
  }
}

/** Whether pixels of a view are in the land of a path, as far as tiles have it. */
function landOf(view, path) {
  const known = new Map();
  return (px, py) => {
    const at = view.tileAt(px, py);
    if (!at) return false;
    if (!known.has(at.entry)) known.set(at.entry, at.entry.data.land.find((land) => land.path === path));
    const land = known.get(at.entry);
    return land !== undefined && (land.outline ?? land.rings).some((ring) => contains(ring, at.ux, at.uy));
  };
}

/** How far a square has to move so that it is in the land of a path; `[0, 0]` if it is, null if it can't be. */
export function wayInto(view, path, { x, y, r }) {
  const isIn = landOf(view, path);
  const fits = (px, py) => AROUND.every(([dx, dy]) => isIn(px + dx * r, py + dy * r));
  if (fits(x, y)) return [0, 0];
  for (const far of STEPS) {
    for (let i = 0; i < DIRECTIONS; i += 1) {
      const [dx, dy] = [far * r * Math.cos((i / DIRECTIONS) * 2 * Math.PI), far * r * Math.sin((i / DIRECTIONS) * 2 * Math.PI)];
      if (fits(x + dx, y + dy)) return [dx, dy];
    }
  }
  return null;
}
