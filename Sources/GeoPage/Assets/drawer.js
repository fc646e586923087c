// The drawer beside the tools: colours with their legend, favourites, or help.
import { byId, make } from "./geo.js";
import { keys } from "./keyboard.js";

const modes = [["kind", "rank"], ["size", "size"], ["age", "age"], ["type", "file type"]];

export class Drawer {
  constructor(palette, favourites, { recolour, open, changed, saves }) {
    this.element = byId("drawer");
    this.palette = palette;
    this.favourites = favourites;
    this.acts = { recolour, open, changed, saves };
    this.shown = null;
  }

  toggle(name, button) {
    const isOpen = this.shown !== name;
    this.close();
    if (!isOpen) return;
    this.shown = name;
    this.button = button;
    button.setAttribute("aria-expanded", "true");
    this.draw();
    this.element.hidden = false;
    this.acts.changed();
    (this.element.querySelector("input:checked, button") ?? this.element).focus({ preventScroll: true });
  }

  close() {
    if (!this.shown) return false;
    this.shown = null;
    this.button.setAttribute("aria-expanded", "false");
    if (this.element.contains(document.activeElement)) this.button.focus();
    this.element.hidden = true;
    this.acts.changed();
    return true;
  }

  draw() {
    if (this.shown === "stars") {
      this.element.replaceChildren(make("h2", {}, "Favourites"), ...this.favourites.list(this.acts.open));
    } else if (this.shown === "colours") {
      this.element.replaceChildren(make("h2", {}, "Colours"), this.choices(), this.legend());
    } else if (this.shown === "picture") {
      this.element.replaceChildren(make("h2", {}, "Save the view"), ...this.acts.saves.map(([word, what, act]) =>
        make("p", {}, make("button", { type: "button", class: "chip", onclick: act }, word), make("span", { class: "soft" }, ` ${what}`))));
    } else if (this.shown === "help") {
      const list = make("dl");
      for (const [key, what] of keys) list.append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, what));
      this.element.replaceChildren(make("h2", {}, "Keys"), list, make("p", { class: "soft" },
        "Folders are land, files are points on it. Lands are drawn up to their neighbours; their own line, which " +
        "the selection shows, lies a little within, and is what counts for taps and in saved maps. Hills are bytes " +
        "below, trees files below, houses files that come into sight closer by. Drag to move, turn the wheel or pinch to zoom, " +
        "tap for what is there. The address holds the view: a link leads others to it."));
    }
  }

  choices() {
    const set = make("fieldset", {}, make("legend", { class: "unseen" }, "Colour by"));
    for (const [mode, word] of modes) {
      const input = make("input", { type: "radio", name: "mode", value: mode,
        onchange: () => { this.acts.recolour(mode); this.element.querySelector(".legend").replaceWith(this.legend()); } });
      input.checked = this.palette.mode === mode;
      set.append(make("label", {}, input, ` ${word}`));
    }
    return set;
  }

  legend() {
    const list = make("ul", { class: "legend" });
    for (const [colour, word] of this.palette.legend) {
      const sample = make("canvas", { width: 26, height: 15, "aria-hidden": "true" });
      const context = sample.getContext("2d");
      context.fillStyle = colour;
      context.fillRect(0, 0, 26, 15);
      list.append(make("li", {}, sample, word));
    }
    return list;
  }
}
