// Search while typing, with results in batches.
import { byId, make, parentOf, showNumber } from "./geo.js";

const LIMIT = 50;

export class Search {
  constructor(source, open, filter) {
    Object.assign(this, { source, open, filter, results: [], chosen: -1, timer: 0 });
    this.query = byId("query");
    this.list = byId("results");
    this.status = byId("found");
    this.query.addEventListener("input", () => this.later());
    this.query.addEventListener("focus", () => { if (this.results.length > 0) this.show(true); });
    this.query.addEventListener("keydown", (event) => this.key(event));
    byId("search").addEventListener("submit", () => this.choose(Math.max(0, this.chosen)));
    document.addEventListener("pointerdown", (event) => {
      if (!byId("search").contains(event.target)) this.show(false);
    });
    // What was typed while this was loaded.
    if (this.query.value) this.later();
  }

  get isOpen() { return !this.list.hidden || !this.status.hidden; }

  show(isShown) {
    this.list.hidden = !isShown || this.results.length === 0;
    this.status.hidden = !isShown;
    this.query.setAttribute("aria-expanded", String(!this.list.hidden));
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), 90);
  }

  async run() {
    this.abort?.abort();
    const text = this.query.value.trim();
    this.results = [];
    this.chosen = -1;
    if (text === "") {
      this.draw();
      this.show(false);
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    this.status.textContent = "searching…";
    let isAsked = false;
    const found = (result) => {
      if (abort.signal.aborted) return;
      const at = this.results.findIndex((other) => other.path === result.path);
      if (at >= 0) this.results.splice(at, 1);
      this.results.push(result);
      this.results.sort((a, b) => b.score - a.score);
      this.results.length = Math.min(this.results.length, LIMIT);
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => { isAsked = false; this.draw(); });
    };
    try {
      const end = await this.source.search(text, LIMIT, abort.signal, found);
      if (abort.signal.aborted) return;
      this.say(text, end);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.status.textContent = `the search failed: ${error.message}`;
    }
    this.draw();
  }

  say(text, { matches = 0, complete, hint }) {
    const count = this.results.length;
    const found = count === 0 ? "nothing found" : matches > count ? `${count} of ${showNumber(matches)} found` : `${count} found`;
    // The filter view takes a part of a name, not several words.
    const more = matches > count && !/[\s/]/.test(text)
      ? [" · ", make("button", { type: "button", class: "crumb", onclick: () => { this.show(false); this.filter(text); } }, "show all files in the filter view")] : [];
    this.status.replaceChildren(found + (complete ? "" : "; not all folders were looked into") + (hint ? `; ${hint}` : ""), ...more);
  }

  draw() {
    const kept = this.results[this.chosen]?.path;
    this.list.replaceChildren(...this.results.map((result, index) => make("li", { role: "option", id: `result-${index}`, onclick: () => this.choose(index),
      "aria-selected": String(result.path === kept) }, result.name, make("small", {}, parentOf(result.path) || "root"))));
    this.show(this.query.value.trim() !== "" && document.activeElement === this.query);
  }

  key(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const count = this.results.length;
    if (count === 0) return;
    this.chosen = (this.chosen + (event.key === "ArrowDown" ? 1 : count - (this.chosen < 0 ? 0 : 1))) % count;
    [...this.list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.chosen)));
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.query.setAttribute("aria-activedescendant", `result-${this.chosen}`);
  }

  choose(index) {
    const result = this.results[index];
    if (!result) return;
    this.show(false);
    this.open(result.path, true, result.rawPath);
    byId("map").focus();
  }
}
