// What somebody keeps: nodes with a star, and points of their own with a title, a sign and a place.

/** Values that the browser keeps; where it doesn't let us, they last as long as the page. */
export const kept = {
  values: new Map(),
  get(name) {
    try {
      return localStorage.getItem(`geomapper.${name}`);
    } catch {
      return this.values.get(name) ?? null;
    }
  },
  /** False if the value lasts only as long as the page. */
  set(name, value) {
    this.values.set(name, value);
    try {
      localStorage.setItem(`geomapper.${name}`, value);
      return true;
    } catch {
      // Private windows and files from disk may have no storage.
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

/** Once a favourite was only its path, or with its bytes where that is no text: all had a star. */
const unpack = (one) => (typeof one === "string" ? { path: one, star: true } : { star: true, ...one });
const isPlace = ({ lon, lat }) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
const same = (a) => (b) => a.path !== undefined && (a.rawPath ?? a.path) === (b.rawPath ?? b.path);

/**
 * Points, each with a `path` of a node or without; `lon` and `lat`, as far as they are known; and a `title`, a
 * `sign` and a `star`, as far as somebody has given it one.
 */
export class Points {
  constructor() {
    let all = [];
    try {
      all = JSON.parse(kept.get("favourites") ?? "[]");
    } catch {
      // What isn't ours is not read.
    }
    this.all = Array.isArray(all) ? all.map(unpack).filter((one) => typeof one.path === "string" || isPlace(one)) : [];
  }

  has(node) { return this.all.some((one) => one.star && same(node)(one)); }

  /** Puts a star to a node or takes it away; without one, what has a title or a sign stays. */
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

  /** Keeps them all, but for what is new and may yet be given up; false if the browser has no room for them. */
  save() { return kept.set("favourites", JSON.stringify(this.all.filter(({ isNew }) => !isNew))); }
}
