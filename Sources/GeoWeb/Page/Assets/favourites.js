// Favourites: nodes with a star, and points with title, sign and place.
import { attempt, keyOf } from "./geo.js";

/** Values in the browser's storage; without it, as in private windows and files on disk, they last as long as the page. */
export const kept = {
  values: new Map(),
  get(name) { return attempt(() => localStorage.getItem(`geomapper.${name}`), this.values.get(name) ?? null); },
  /** Returns false if the value lasts only as long as the page. */
  set(name, value) {
    this.values.set(name, value);
    return attempt(() => localStorage.setItem(`geomapper.${name}`, value), false) !== false;
  },
  remove(name) {
    this.values.delete(name);
    attempt(() => localStorage.removeItem(`geomapper.${name}`));
  },
};

/** Values as in `kept`, for a set of roots in any order: other maps at the same address have their own. */
export function keptFor(roots) {
  const key = roots.map(({ label }) => label).sort().join("/");
  const own = (name) => `${name}@${key}`;
  return { key, get: (name) => kept.get(own(name)), set: (name, value) => kept.set(own(name), value), remove: (name) => kept.remove(own(name)) };
}

/** A kept value; null if it is missing or foreign. */
export function parsed(text) { return attempt(() => JSON.parse(text)); }
const isPlace = ({ lon, lat }) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
const same = (a) => (b) => a.path !== undefined && keyOf(a) === keyOf(b);

/** Points, with or without the `path` of a node; `lon` and `lat` if known; and optionally `title`, `sign` and `star`. */
export class Points {
  constructor(store) {
    this.store = store;
    const all = parsed(store.get("favourites"));
    this.all = Array.isArray(all) ? all.filter((one) => one && (typeof one.path === "string" || isPlace(one))) : [];
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
  save() { return this.store.set("favourites", JSON.stringify(this.all.filter(({ isNew }) => !isNew))); }
}
