// Favourites: nodes with a star, and points with title, sign and place.

/** Values in the browser's storage; without it they last as long as the page. */
export const kept = {
  values: new Map(),
  get(name) {
    try {
      return localStorage.getItem(`geomapper.${name}`);
    } catch {
      return this.values.get(name) ?? null;
    }
  },
  /** Returns false if the value lasts only as long as the page. */
  set(name, value) {
    this.values.set(name, value);
    try {
      localStorage.setItem(`geomapper.${name}`, value);
      return true;
    } catch {
      // Private windows and files on disk may have no storage.
      return false;
    }
  },
  remove(name) {
    this.values.delete(name);
    try {
      localStorage.removeItem(`geomapper.${name}`);
    } catch {
      // As above.
    }
  },
};

/** Old favourites were only a path, with its bytes if not UTF-8: all had a star. */
const unpack = (one) => (typeof one === "string" ? { path: one, star: true } : { star: true, ...one });
const isPlace = ({ lon, lat }) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
const same = (a) => (b) => a.path !== undefined && (a.rawPath ?? a.path) === (b.rawPath ?? b.path);

/**
 * Points, with or without the `path` of a node; `lon` and `lat` if known; and optionally `title`, `sign` and `star`.
 */
export class Points {
  constructor() {
    let all = [];
    try {
      all = JSON.parse(kept.get("favourites") ?? "[]");
    } catch {
      // Ignore foreign values.
    }
    this.all = Array.isArray(all) ? all.map(unpack).filter((one) => typeof one.path === "string" || isPlace(one)) : [];
  }

  has(node) { return this.all.some((one) => one.star && same(node)(one)); }

  /** Toggles the star of a node; without one, a point with title or sign stays. */
  toggle({ path, rawPath, lon, lat }) {
    const old = this.all.find(same({ path, rawPath }));
    if (!old) this.all.push({ path, rawPath, lon, lat, star: true });
    else if (!old.star || old.title || old.sign) old.star = !old.star;
    else this.all = this.all.filter((one) => one !== old);
    this.save();
  }

  add(...points) { this.all.push(...points); }

  remove(points) {
    const gone = new Set(points);
    this.all = this.all.filter((one) => !gone.has(one));
  }

  /** Saves all points except new, unfinished ones; false if storage is full. */
  save() { return kept.set("favourites", JSON.stringify(this.all.filter(({ isNew }) => !isNew))); }
}
