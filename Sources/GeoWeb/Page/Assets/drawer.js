// The drawer: colours, export, and panes of the library.
import { byId, make } from "./geo.js";
import { chooseRelief } from "./palette.js";

const modes = [["kind", "tints"], ["size", "size"], ["age", "age"], ["type", "file type"]];

export class Drawer {
  /** `library` makes the contents of its panes by name: elements, or a promise. */
  constructor(palette, { recolour, resize, changed, saves, library, ownLayers, sizes }) {
    this.element = byId("drawer");
    this.palette = palette;
    this.acts = { recolour, resize, changed, saves, ownLayers, sizes };
    this.panes = {
      tracks: ["Tracks", () => library("tracks")], stars: ["Points", () => library("stars")],
      settings: ["Settings", () => library("settings")], diagnostics: ["Diagnostics", () => library("diagnostics")],
      marked: ["To delete", () => library("marked")],
      colours: ["Colours", () => [...this.choices(), this.relief()]], picture: ["Save the view", () => this.saves()], help: ["Keys", () => library("help")],
    };
    this.tabs = ["tracks", "stars", "settings", "diagnostics"];
    this.shown = null;
  }

  toggle(name) {
    if (this.shown === name) this.close();
    else this.open(name);
  }

  open(name) {
    this.close();
    this.shown = name;
    this.button = byId(name) ?? byId("tracks");
    this.button.setAttribute("aria-expanded", "true");
    this.element.hidden = false;
    this.draw(true);
    this.acts.changed();
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

  /** Draws the pane; `isNew` moves the focus there. */
  draw(isNew = false) {
    const name = this.shown;
    if (!name) return;
    const [title, content] = this.panes[name];
    const show = (parts) => {
      if (this.shown !== name) return;
      const isTab = this.tabs.includes(name);
      this.element.replaceChildren(make("div", { class: "head" }, isTab ? this.tabRow() : make("h2", {}, title),
        make("button", { class: "chip close", "aria-label": "Close", title: "Close (Esc)", onclick: () => this.close() }, "×")),
      ...(isTab ? [make("h2", { class: "unseen" }, title)] : []), ...parts);
      const first = this.element.querySelector("input:checked, [aria-current]") ?? this.element.querySelector("button:not(.close)");
      if (isNew) (first ?? this.element).focus({ preventScroll: true });
      this.acts.changed();
    };
    const made = content();
    if (made instanceof Promise) made.then(show, (error) => show([make("p", { class: "fault" }, `It can't be loaded: ${error.message}`)]));
    else show(made);
  }

  tabRow() {
    return make("nav", { class: "row tabs", "aria-label": "Library" }, ...this.tabs.map((name) => make("button", { class: "chip",
      "aria-current": name === this.shown ? "page" : undefined, onclick: () => this.open(name) }, this.panes[name][0])));
  }

  saves() {
    return this.acts.saves.map(([word, what, act]) => make("p", {}, make("button", { class: "chip", onclick: act }, word), make("span", { class: "soft" }, ` ${what}`)));
  }

  choices() {
    const { recolour, resize, ownLayers, sizes } = this.acts;
    const choice = (name, title, all, chosen, act, isSeen) => make("fieldset", {}, make("legend", { class: isSeen ? "" : "unseen" }, title), ...all.map(([value, word]) => {
      const input = make("input", { type: "radio", name, value, checked: value === chosen, onchange: () => act(value) });
      return make("label", {}, input, ` ${word}`);
    }));
    return [choice("mode", "Colour by", [...modes, ...ownLayers.map(({ name }) => [`layer.${name}`, name])], this.palette.mode, recolour),
      choice("sizes", "Sizes", [["bytes", "bytes"], ["files", "files"], ...ownLayers.filter(({ how }) => how === "sum").map(({ name }) => [name, name])], sizes(), resize, true)];
  }

  relief() {
    const input = make("input", { type: "checkbox", checked: this.palette.isRaised, onchange: () => {
      chooseRelief(this.palette, input.checked);
      this.acts.recolour(this.palette.mode);
    } });
    return make("label", { class: "relief" }, input, " hills for bytes, trees for files (with tints)");
  }
}
