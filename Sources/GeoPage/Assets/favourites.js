// Favourites: paths with a star, kept by the browser; the list of them.
import { make, nameOf, parentOf } from "./geo.js";

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
  set(name, value) {
    this.values.set(name, value);
    try {
      localStorage.setItem(`geomapper.${name}`, value);
    } catch {
      // Private windows and files from disk may have no storage.
    }
  },
};

/** A favourite is kept as its path, or with its bytes where that is no text. */
const pack = ({ path, rawPath }) => (rawPath ? { path, rawPath } : path);
const unpack = (kept) => (typeof kept === "string" ? { path: kept } : kept);
const same = (a) => (b) => (a.rawPath ?? a.path) === (b.rawPath ?? b.path);

export class Favourites {
  constructor() {
    let all = [];
    try {
      all = JSON.parse(kept.get("favourites") ?? "[]");
    } catch {
      // What isn't ours is not read.
    }
    this.all = Array.isArray(all) ? all.map(unpack).filter((one) => typeof one?.path === "string") : [];
  }

  has(node) { return this.all.some(same(node)); }

  toggle(node) {
    this.all = this.has(node) ? this.all.filter((other) => !same(node)(other)) : [...this.all, node];
    kept.set("favourites", JSON.stringify(this.all.map(pack)));
  }

  /** The list, as it is shown. */
  list(open) {
    if (this.all.length === 0) {
      return [make("p", { class: "soft" }, "None yet: select something and press its star.")];
    }
    const list = make("ul", { class: "children" });
    for (const { path, rawPath } of this.all) {
      list.append(make("li", {}, make("button", { type: "button", onclick: () => open(path, true, rawPath) },
        nameOf(path), make("span", { class: "soft" }, ` ${parentOf(path)}`))));
    }
    return [list];
  }
}
