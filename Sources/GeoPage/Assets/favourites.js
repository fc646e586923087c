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

export class Favourites {
  constructor() {
    let paths = [];
    try {
      paths = JSON.parse(kept.get("favourites") ?? "[]");
    } catch {
      // What isn't ours is not read.
    }
    this.paths = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  }

  has(path) { return this.paths.includes(path); }

  toggle(path) {
    this.paths = this.has(path) ? this.paths.filter((other) => other !== path) : [...this.paths, path];
    kept.set("favourites", JSON.stringify(this.paths));
  }

  /** The list, as it is shown. */
  list(open) {
    if (this.paths.length === 0) {
      return [make("p", { class: "soft" }, "None yet: select something and press its star.")];
    }
    const list = make("ul", { class: "children" });
    for (const path of this.paths) {
      list.append(make("li", {}, make("button", { type: "button", onclick: () => open(path, true) },
        nameOf(path), make("span", { class: "soft" }, ` ${parentOf(path)}`))));
    }
    return [list];
  }
}
