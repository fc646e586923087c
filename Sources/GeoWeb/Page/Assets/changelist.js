// What differs between two states as a list: how much in all, by kinds that can be chosen, and row by row.
import { sizesFromTo } from "./difference.js";
import { fateSigns, showGrowth } from "./fates.js";
import { make, nameOf, optionsOf, parentOf, showBytes, showCount, showTime } from "./geo.js";
import { Rows } from "./rows.js";

const CHANGE_ROW = 44; // pixels
const changeOrders = { size: "by size", folder: "by folder", time: "by time" };

export class ChangeList {
  /**
   * `teller` knows what differs; see `ChangeView`. `fly` goes to what a row tells of, and `took` is called with all that there is
   * to be told, once it is another.
   */
  constructor(teller, { fly, took }) {
    this.teller = teller;
    this.acts = { fly, took };
    this.order = "size";
    this.kinds = new Set(teller.kinds);
    /** The rows; nothing before the first are there. */
    this.shown = undefined;
    this.asked = 0;
    this.isLoading = false;
    this.title = make("p", { class: "soft" });
    this.sizes = make("p", { class: "sizes" });
    this.counts = make("div", { class: "kinds", role: "group", "aria-label": "Kinds of change" });
    this.sorter = make("select", { "aria-label": "Order", onchange: () => {
      this.order = this.sorter.value;
      this.load();
    } }, ...optionsOf(Object.entries(changeOrders)));
    this.status = make("span", { class: "soft", role: "status" }, "comparing…");
    this.again = make("button", { type: "button", class: "crumb", title: "Compare again", onclick: () => this.load(true) }, "again");
    this.rows = new Rows(CHANGE_ROW, "Changes", (item) => this.row(item));
    /** The order, and how many there are. */
    this.bar = make("div", { class: "row" }, this.sorter, this.status, ...(teller.canAskAgain ? [this.again] : []));
  }

  /** Asks what differs, or looks at what the page brought with it. */
  async load(again = false) {
    const number = (this.asked += 1);
    this.isLoading = true;
    if (again) this.status.textContent = "comparing…";
    try {
      const known = await this.teller.list({ order: this.order, kinds: this.kinds, again });
      if (number !== this.asked) return;
      this.take(known);
      this.isLoading = false;
    } catch (error) {
      if (number === this.asked) this.status.textContent = `it failed: ${error.message}`;
    }
  }

  take(known) {
    const { states: [before, now], below, total, list, complete } = known;
    const when = ({ name, time }) => (time === undefined ? name : `${name}, ${showTime(time).slice(0, 16)}`);
    this.title.textContent = when(before) === when(now) ? when(now) : `${when(before)} → ${when(now)}`;
    const bytes = (state) => (state.bytes === undefined ? showCount(state.files ?? 0, "file", "files") : showBytes(state.bytes));
    const growth = below?.bytes ?? 0;
    this.sizes.replaceChildren(...sizesFromTo(bytes(before), bytes(now), "", growth,
      below?.bytes === undefined && before.bytes !== now.bytes ? "" : showGrowth(growth)));
    this.counts.replaceChildren(...this.teller.kinds.map((kind) => make("button", { type: "button", class: kind, "aria-pressed": String(this.kinds.has(kind)),
      title: `List what was ${kind}, or don't`, onclick: () => this.choose(kind) },
    make("strong", {}, (below?.[kind] ?? 0).toLocaleString("en")), make("span", {}, kind))));
    this.most = Math.max(1, ...list.map((item) => ChangeList.weightOf(item)));
    this.shown = list;
    this.rows.show(list);
    const more = total > list.length ? ` of ${total.toLocaleString("en")}` : "";
    this.status.textContent = (list.length === 0 ? "nothing" : `${list.length.toLocaleString("en")}${more}`) + (complete === false ? " · not all could be read" : "");
    this.acts.took(known);
  }

  choose(kind) {
    // The first click leaves one alone; the last one that goes brings all back.
    if (this.kinds.size === this.teller.kinds.length) this.kinds = new Set([kind]);
    else if (this.kinds.has(kind)) this.kinds.delete(kind);
    else this.kinds.add(kind);
    if (this.kinds.size === 0) this.kinds = new Set(this.teller.kinds);
    this.load();
  }

  /** How many bytes a row is about. */
  static weightOf({ growth, size }) { return Math.abs(growth) || (size ?? 0); }

  row(item) {
    const { path, rawPath, change, growth, folder, files, size, was, from, modified } = item;
    const isLess = growth < 0;
    const amount = change === "moved" ? (size === undefined ? "" : showBytes(size)) : showGrowth(growth);
    const bar = make("span", { class: "bar" }, make("span", { class: change === "changed" && isLess ? "shrank" : change }));
    bar.firstChild.style.width = `${Math.max(1, (ChangeList.weightOf(item) / this.most) * 100)}%`;
    const what = [folder && files !== undefined ? showCount(files, "file", "files") : "", was === undefined ? "" : `${showBytes(was)} → ${showBytes(size ?? 0)}`,
      from === undefined ? "" : `from ${from}`].filter(Boolean);
    const around = parentOf(path).split("/").slice(1).join(" / ");
    const button = make("button", { type: "button", class: folder ? "folder" : "file",
      title: [path, change, modified === undefined ? "" : showTime(modified)].filter(Boolean).join("\n"), onclick: () => this.acts.fly(item) },
    make("i", { class: change, "aria-label": change }, fateSigns[change]),
    make("span", { class: "name" }, nameOf(path) + (folder ? "/" : ""), make("small", {}, [around, ...what].filter(Boolean).join(" · "))));
    button.dataset.name = rawPath ?? `${path} ${change}`;
    return make("li", {}, button, make("span", { class: `facts ${change === "moved" ? "" : isLess ? "less" : "more"}` }, amount, bar));
  }
}
