// The breadcrumbs: the folders from the root to the selection, or to the middle of the view.
import { byId, make, nameOf } from "./geo.js";

const SHOWN = 4;

export class Crumbs {
  constructor(open) {
    this.element = byId("crumbs");
    this.open = open;
    this.isUnfolded = false;
    this.path = "";
    // Long names need several lines: the panel starts below.
    new ResizeObserver(() => {
      const { bottom } = this.element.getBoundingClientRect();
      document.documentElement.style.setProperty("--where", `${Math.ceil(bottom) + 7}px`);
    }).observe(this.element);
  }

  /** Shows a path; `parts` are its folders with their paths, the subject last. */
  show(parts, isSelected, note = "") {
    const path = `${parts.at(-1)?.path ?? ""}|${isSelected}|${note}`;
    if (path === this.path) return;
    if (this.path.split("|")[0] !== path.split("|")[0]) this.isUnfolded = false;
    this.path = path;
    this.draw(parts, isSelected, note);
  }

  draw(parts, isSelected, note) {
    const folded = !this.isUnfolded && parts.length > SHOWN ? [parts[0], null, ...parts.slice(-2)] : parts;
    const shown = folded.flatMap((part, index) => {
      const sign = index > 0 ? ["›"] : [];
      if (!part) {
        return [...sign, make("button", { class: "crumb", "aria-label": "Show all folders", onclick: () => {
          this.isUnfolded = true;
          this.draw(parts, isSelected, note);
        } }, "…")];
      }
      const isLast = index === folded.length - 1;
      return [...sign, make("button", { class: "crumb", "aria-current": isLast ? "location" : undefined,
        onclick: () => this.open(part.path, true, part.rawPath) }, part.name ?? nameOf(part.path))];
    });
    this.element.replaceChildren(...shown, ...(note ? [make("span", { class: "soft" }, ` ${note}`)] : []));
  }

  /** The folders of a path, from the root on. */
  static partsOf(path) {
    const names = path.split("/");
    return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join("/") }));
  }
}
