// The filter view: matches shine on the map, and are in a list next to it.
import { byId, make, nameOf, optionsOf, parentOf, showBytes, showCount, showTime } from "./geo.js";
import { fitterOf, isAsked, LightCounts, matchOrders, nothing } from "./lights.js";
import { linkButton } from "./links.js";
import { Rows } from "./lists.js";
import { fileTypes } from "./palette.js";

const LISTED = 500;
const MATCH_ROW = 42; // pixels

const fieldChoices = {
  type: [["", "any type"], ...fileTypes.map((word) => [word, word])],
  size: [["", "any size"], ["+0", "not empty"], ["=0", "empty"], ["+10000", "over 10 kB"], ["+100000", "over 100 kB"], ["+1000000", "over 1 MB"],
    ["+10000000", "over 10 MB"], ["+100000000", "over 100 MB"], ["+1000000000", "over 1 GB"], ["-1000", "under 1 kB"]],
  age: [["", "any age"], ["-1", "changed today"], ["-7", "changed this week"], ["-30", "changed this month"], ["-365", "changed this year"],
    ["+30", "not for a month"], ["+365", "not for a year"], ["+1825", "not for five years"]],
};
const orderWords = { size: "largest first", newest: "newest first", oldest: "oldest first", name: "by name" };

export class LightTable {
  /** `open` flies to a path, `changed` is called when the filter changes. */
  constructor(source, view, { open, changed }) {
    this.source = source;
    this.view = view;
    this.acts = { open, changed };
    this.wanted = { ...nothing };
    this.order = "size";
    this.element = byId("table");
    this.button = byId("lights");
    this.found = [];
    this.build();
  }

  get isOpen() { return !this.element.hidden; }

  build() {
    const field = (key, element) => {
      element.addEventListener(key === "name" ? "input" : "change", () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.look(this.filledIn), key === "name" ? 120 : 0);
      });
      return element;
    };
    const select = (key, word) => field(key, make("select", { "aria-label": word }, ...optionsOf(fieldChoices[key])));
    this.fields = {
      name: field("name", make("input", { type: "search", placeholder: "*.log, or part of a name", "aria-label": "Name", autocomplete: "off", spellcheck: "false" })),
      type: select("type", "Type"), size: select("size", "Size"), age: select("age", "Age"),
    };
    this.status = make("p", { role: "status", class: "soft" });
    this.sorter = make("select", { "aria-label": "Order", onchange: () => {
      this.order = this.sorter.value;
      this.arrange();
      // If not all are listed, another order lists others.
      if (this.files > this.found.length) this.look(this.wanted);
    } }, ...optionsOf(Object.entries(orderWords)));
    this.rows = new Rows(MATCH_ROW, "What fits", (file) => this.row(file));
    this.element.replaceChildren(
      make("div", { class: "head" }, make("h2", {}, "Filter view"),
        make("button", { class: "chip", "aria-label": "Lights off", onclick: () => this.close() }, "×")),
      make("div", { class: "row wide" }, this.fields.name),
      make("div", { class: "row wide" }, this.fields.type, this.fields.size, this.fields.age),
      this.status, make("div", { class: "row" }, this.sorter, linkButton(this.source, "Copy the address above")), this.rows.element);
  }

  /** The filter in the form. */
  get filledIn() {
    return Object.fromEntries(Object.entries(this.fields).map(([key, element]) => [key, element.value.trim()]));
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  open(wanted = this.wanted) {
    this.element.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    for (const [key, element] of Object.entries(this.fields)) {
      const value = wanted[key] ?? "";
      if (element.tagName === "SELECT" && ![...element.options].some((option) => option.value === value)) {
        element.append(make("option", { value }, value));
      }
      element.value = value;
    }
    this.sorter.value = this.order;
    this.look(wanted);
    this.fields.name.focus({ preventScroll: true });
  }

  /** Ends the filter; false if it was off. */
  close() {
    if (!this.isOpen) return false;
    this.abort?.abort();
    if (this.element.contains(document.activeElement)) this.button.focus();
    this.element.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.look({ ...nothing });
    return true;
  }

  /** Searches files; old matches disappear at once. */
  async look(wanted) {
    this.abort?.abort();
    clearTimeout(this.timer);
    const isOther = Object.keys(nothing).some((key) => (wanted[key] ?? "") !== this.wanted[key]);
    this.wanted = { ...nothing, ...wanted };
    [this.found, this.files, this.bytes, this.isDone] = [[], 0, 0, false];
    const { lights } = this.view;
    const now = Date.now() / 1000;
    let fits = null;
    let fault = "";
    try {
      if (isAsked(this.wanted)) fits = fitterOf(this.wanted, now);
    } catch (error) {
      fault = error.message;
    }
    this.counts = new LightCounts();
    lights.set(fits, this.counts);
    this.view.restyle();
    if (isOther) this.acts.changed();
    this.arrange();
    if (!fits) {
      this.status.textContent = fault || "Say what is to light up.";
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    this.say("looking…");
    try {
      await this.source.matches(this.wanted, { order: this.order, limit: LISTED, now }, abort.signal, (news) => {
        if (!abort.signal.aborted) this.take(news);
      });
      if (!abort.signal.aborted && !this.isDone) this.say("broken off");
    } catch (error) {
      if (!abort.signal.aborted) this.status.textContent = `it failed: ${error.message}`;
    }
  }

  take(news) {
    for (const [path, files, bytes] of news.folders) this.counts.add(path, files, bytes);
    if (news.folders.length > 0) {
      this.view.lights.changed();
      this.view.restyle();
    }
    [this.files, this.bytes, this.isDone] = [news.files, news.bytes, news.done];
    if (news.found.length > 0 || news.done) {
      this.found.push(...news.found);
      this.arrange();
    }
    if (!news.done) this.say(`looking… ${showCount(news.lookedAt, "file", "files")} looked at`);
    else this.say(news.complete ? "" : "not all folders could be read");
  }

  say(note) {
    this.status.replaceChildren(make("strong", {}, this.files === 0 && this.isDone ? "no matches" : `${showCount(this.files, "match", "matches")}`),
      this.files > 0 ? ` · ${showBytes(this.bytes)} ` : " ", note);
    if (!this.isDone && note.startsWith("looking")) {
      this.status.append(" ", make("button", { class: "crumb", onclick: () => {
        this.abort.abort();
        this.say("stopped");
      } }, "stop"));
    }
  }

  arrange() {
    this.found.sort(matchOrders[this.order]);
    if (this.found.length > LISTED) this.found.length = LISTED;
    this.rows.show(this.found);
  }

  row(file) {
    const button = make("button", { title: file.path, onclick: () => this.acts.open(file.path, true, file.rawPath) },
      nameOf(file.path), make("small", {}, parentOf(file.path)));
    button.dataset.name = file.path;
    return make("li", {}, button, make("span", { class: "soft facts" }, file.size === undefined ? "" : showBytes(file.size),
      make("small", {}, file.modified === undefined ? "" : showTime(file.modified).slice(0, 10))));
  }
}
