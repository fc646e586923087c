// The panel of the selected node, and lists of any length.
import { barOf, byBytes, byId, copyButton, isNarrow, make, nameOf, optionsOf, placeOf, rawWithin, showAmount, showBytes, showCount, showShare, showTime } from "./geo.js";
import { fileType } from "./palette.js";

/** A line that opens the list of what could not be read, `count` entries, the first in `list`; `open` goes to one. */
export function unreadLines(unreadable, open) {
  if (!unreadable) return [];
  const { count, list } = unreadable;
  const rows = list.map(({ path, rawPath, reason }) => make("li", {}, make("button", { class: "crumb", onclick: () => open(path, true, rawPath) }, path), reason ? ` ${reason}` : ""));
  if (count > list.length) rows.push(make("li", {}, `and ${(count - list.length).toLocaleString("en")} more`));
  return [make("details", { class: "unread" }, make("summary", {}, `Not all could be read: ${showCount(count, "entry", "entries")}`), make("ul", {}, ...rows))];
}

/** Marks an element whose contents go on below its edge. */
export function hintMore(element) { element.classList.toggle("more", element.scrollHeight - element.scrollTop - element.clientHeight > 4); }

export class Rows {
  /** `row` makes the element of an item, with a button identified by `data-name`. */
  constructor(height, label, row, scrolled = () => {}) {
    Object.assign(this, { height, row, all: [] });
    this.list = make("ul", { class: "children", "aria-label": label });
    this.space = make("div", { class: "space" }, this.list);
    this.element = make("div", { class: "scroller", tabindex: "-1", onscroll: () => {
      scrolled(this.element.scrollTop);
      this.draw();
    } }, this.space);
  }

  show(all) {
    this.all = all;
    this.space.style.height = `${all.length * this.height}px`;
    this.draw();
  }

  draw() {
    const { element, list, height, all } = this;
    const first = Math.max(0, Math.floor(element.scrollTop / height) - 4);
    const last = Math.min(all.length, Math.ceil((element.scrollTop + (element.clientHeight || 300)) / height) + 4);
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    list.style.transform = `translateY(${first * height}px)`;
    list.replaceChildren(...all.slice(first, last).map((one) => this.row(one)));
    hintMore(element);
    if (focused === null) return;
    const again = [...list.querySelectorAll("button")].find((button) => button.dataset.name === focused);
    (again ?? element).focus({ preventScroll: true });
  }
}

// The contents of a folder as a list: sorted, filtered by typing, each with a bar for its size.

/** Pixels: a finger needs more room than a mouse. */
const ROW = matchMedia("(pointer: coarse)").matches ? 42 : 30;

const apparentSize = (child) => child.bytes ?? (child.kind === "poi" ? child.size : undefined);
const byName = (a, b) => byBytes(a.name, b.name);
const typeOfChild = (child) => child.type ?? (child.kind === "poi" ? fileType(child.name, child.special) : "");

/** Sort orders, each in its usual direction; `amount` is the size of a child. */
function ordersBy(amount) {
  const size = (a, b) => (amount(b) ?? -1) - (amount(a) ?? -1) || byName(a, b);
  return {
    size, name: byName,
    age: (a, b) => (b.newest ?? -Infinity) - (a.newest ?? -Infinity) || byName(a, b),
    type: (a, b) => (typeOfChild(a) < typeOfChild(b) ? -1 : typeOfChild(a) > typeOfChild(b) ? 1 : 0) || size(a, b),
  };
}

export const orders = ordersBy(apparentSize);

class ChildList {
  constructor(node, { open, more, colourOf, entries, measure, sizes }, state) {
    this.node = node;
    this.acts = { open, more, colourOf, dress: entries?.dress };
    /** The size of a child: room on disk if the page shows it and it is known of all. */
    this.amount = (child) => (sizes() ? sizes().amount(child) : this.isRoom ? child.allocated : apparentSize(child));
    this.hasRoom = () => measure() === "allocated" && this.all.every(({ allocated }) => allocated !== undefined);
    this.rooms = null;
    this.orders = { ...entries?.orders, ...ordersBy(this.amount) };
    this.state = state ?? { order: Object.keys(this.orders)[0], text: "", top: 0 };
    this.all = node.children.shown;
    const { total } = node.children;
    this.heading = make("span", { class: "soft" });
    this.filter = make("input", { type: "search", placeholder: "Filter", "aria-label": "Filter what is in this folder", value: this.state.text,
      oninput: () => { this.state.text = this.filter.value; this.state.top = 0; this.arrange(); } });
    this.order = make("select", { "aria-label": "Sort by", value: this.state.order, onchange: () => { this.state.order = this.order.value; this.arrange(); } },
      optionsOf(Object.keys(this.orders).map((name) => [name, `by ${name}`])));
    this.rows = new Rows(ROW, "In this folder", (child) => this.row(child), (top) => { this.state.top = top; });
    this.element = make("section", { class: "contents" },
      make("div", { class: "row" }, make("h3", {}, "Contents"), this.heading, this.order, ...(total > 7 ? [this.filter] : [])),
      this.rows.element);
    this.arrange();
    if (total > this.all.length) this.load();
  }

  async load() {
    const node = await this.acts.more(this.node, this.node.children.total);
    if (!node?.children) return;
    this.all = node.children.shown;
    this.arrange();
  }

  setRooms(rooms) {
    this.rooms = rooms;
    this.arrange();
  }

  arrange() {
    if (this.rooms) for (const child of this.all) child.allocated = this.rooms.get(child.rawName ?? child.name);
    this.isRoom = this.hasRoom();
    const wanted = this.state.text.toLowerCase();
    this.shown = this.all.filter(({ name }) => name.toLowerCase().includes(wanted)).sort(this.orders[this.state.order]);
    this.most = Math.max(1, ...this.shown.map((child) => this.amount(child) ?? 0).slice(0, 100000));
    const { total } = this.node.children;
    this.heading.textContent = this.shown.length === total ? total.toLocaleString("en")
      : `${this.shown.length.toLocaleString("en")} of ${total.toLocaleString("en")}`;
    this.rows.show(this.shown);
  }

  /** Must be called once it is in the page. */
  measure() {
    this.rows.element.scrollTop = this.state.top;
    this.rows.draw();
  }

  row(child) {
    const { properties } = this.node.feature;
    const isFile = child.kind === "poi";
    const bytes = this.amount(child);
    const bar = barOf(bytes === undefined ? 0 : Math.max(0.006, bytes / this.most));
    bar.firstChild.style.background = this.acts.colourOf(child) || "";
    const button = make("button", { class: isFile ? "file" : "folder", title: child.newest === undefined ? "" : showTime(child.newest), dataset: { name: child.name },
      onclick: () => this.acts.open(`${properties.path}/${child.name}`, true, rawWithin(properties, child)) }, child.name + (isFile ? "" : "/"));
    const item = make("li", {}, button, make("span", { class: "soft" }, bytes === undefined ? "" : showAmount(bytes)), bar);
    this.acts.dress?.(child, item);
    return item;
  }
}

const kinds = { continent: "Continent (a root)", country: "Country", state: "State", district: "District" };

export class Panel {
  constructor(acts) {
    this.element = byId("panel");
    this.acts = acts;
  }

  static kind(properties) {
    if (properties.kind !== "poi") return kinds[properties.kind] ?? properties.kind;
    return properties.special ? `File: ${properties.special}` : "File";
  }

  static size({ properties, totals }) {
    if (properties.kind !== "poi" && totals?.bytes !== undefined) return showBytes(totals.bytes);
    if (properties.size === undefined) return "unknown";
    return properties.kind === "poi" ? showBytes(properties.size) : showCount(properties.size, "entry", "entries");
  }

  hide() {
    this.element.hidden = true;
    this.element.replaceChildren();
    document.body.classList.remove("chosen");
    this.node = null;
  }

  show(node) {
    const isSame = this.node?.feature.properties.path === node.feature.properties.path;
    const scroll = isSame ? this.list?.state : undefined;
    this.node = node;
    const { properties } = node.feature;
    this.star = make("button", { class: "chip star", "aria-label": "Favourite", title: "Favourite (s)", onclick: () => {
      this.acts.star();
      this.showStar();
    } }, "★");
    this.showStar();
    this.mark = make("button", { class: "chip", onclick: () => this.acts.mark() });
    this.showMark();
    this.element.replaceChildren(
      make("div", { class: "head" },
        make("div", {}, make("p", { class: "soft" }, Panel.kind(properties)), make("h2", {}, properties.name)),
        this.star, make("button", { class: "chip", "aria-label": "Close", onclick: this.acts.close }, "×")),
      this.facts(node, isSame));
    if (node.children) {
      this.list = new ChildList(node, this.acts, scroll);
      const { list } = this;
      this.element.append(list.element);
      list.measure();
      this.acts.rooms(properties).then((rooms) => { if (rooms && this.list === list) list.setRooms(rooms); });
    }
    this.element.hidden = false;
    this.list?.measure();
    document.body.classList.add("chosen");
    byId("spoken").textContent =
      `${properties.name}, ${Panel.kind(properties)}, ${Panel.size({ properties, totals: node.totals })}, ${properties.path}`;
  }

  showStar() { if (this.node) this.star.setAttribute("aria-pressed", String(this.acts.isStarred(this.node.feature.properties))); }

  showMark() {
    if (!this.node) return;
    this.mark.textContent = this.acts.isMarked(this.node.feature.properties) ? "Remove the mark" : "Mark to delete";
    this.mark.title = `${this.mark.textContent} (m)`;
  }

  /** All facts; on a phone they fold in favour of the contents. */
  facts(node, isSame) {
    const isOpen = !isNarrow() || !node.children || (isSame && this.element.querySelector("details")?.open === true);
    const list = this.figures(node);
    const words = [...list.querySelectorAll("div")].slice(0, 2).map(({ children: [what, term] }) => `${what.textContent} ${term.textContent}`).join(" · ");
    return make("details", { class: "folding", open: isOpen && "open" }, make("summary", {}, words || "Facts"), list,
      this.acts.sections(node), this.share(node), this.buttons(node), this.faults(node).filter(Boolean));
  }

  figures(node) {
    const { properties } = node.feature;
    const { totals, children } = node;
    const list = make("dl", { class: "figures" });
    const say = (what, term, title) => list.append(make("div", { title }, make("dd", {}, what), make("dt", {}, term)));
    if (properties.kind === "poi") {
      if (this.hasRoom(properties)) say(showBytes(properties.allocated), "on disk", `${properties.allocated.toLocaleString("en")} bytes`);
      if (properties.size !== undefined) say(showBytes(properties.size), "apparent size", `${properties.size.toLocaleString("en")} bytes`);
    } else if (totals) {
      // Unknown values are missing.
      if (this.hasRoom(totals)) say(showBytes(totals.allocated), "on disk", `${totals.allocated.toLocaleString("en")} bytes`);
      if (totals.bytes !== undefined) say(showBytes(totals.bytes), "apparent size", `${totals.bytes.toLocaleString("en")} bytes`);
      say(totals.files.toLocaleString("en"), totals.files === 1 ? "file in all" : "files in all");
    } else if (node.isLive) say("…", "counting");
    if (children) say(`${children.folders.toLocaleString("en")} + ${children.files.toLocaleString("en")}`, "folders + files in it");
    const newest = totals?.newest ?? properties.modified;
    if (newest !== undefined) say(showTime(newest).slice(0, 10), totals?.newest ? "changed last" : "changed", showTime(newest));
    return list;
  }

  hasRoom(amounts) { return this.acts.measure() === "allocated" && amounts?.allocated !== undefined; }

  share({ feature: { properties: { kind, size, allocated } }, totals, shares, layers }) {
    const own = { layers, ...(kind === "poi" ? { kind, bytes: size, allocated } : totals) };
    const measure = this.hasRoom(own) && (shares ?? []).every((above) => this.hasRoom(above)) ? "allocated" : "bytes";
    const sizes = this.acts.sizes();
    const amountOf = (thing) => (sizes ? sizes.amount(thing) : thing[measure]);
    const amount = amountOf(own);
    if (amount === undefined) return [];
    return (shares ?? []).filter((above) => amountOf(above) > 0).map((above) => {
      const part = Math.min(1, amount / amountOf(above));
      return make("p", { class: "share" }, make("span", {}, `${showShare(part)} of ${nameOf(above.path)}`),
        make("span", { class: "soft" }, showAmount(amountOf(above))), barOf(Math.max(0.004, part)));
    });
  }

  buttons(node) {
    const { properties } = node.feature;
    const path = node.file ?? properties.path;
    // The path is selected, so one key copies it.
    const select = () => getSelection().selectAllChildren(this.element.querySelector(".path"));
    const copy = (word, text) => copyButton(word, text, "Marked: press Ctrl-C", select);
    const [lon, lat] = placeOf(node.feature);
    const row = make("div", { class: "row" },
      make("button", { class: "chip", onclick: () => this.acts.fly(node) }, "Fly there"), copy("Copy path", () => path), this.acts.linkButton("Marked: press Ctrl-C", select), this.mark);
    return make("div", {}, make("p", { class: "path" }, path), row,
      make("p", { class: "soft" }, Number.isFinite(lon) ? `${(+lon).toFixed(5)},${(+lat).toFixed(5)} · shown from zoom ${properties.minzoom}` : ""));
  }

  faults({ feature: { properties, geometry }, stale }) {
    return [
      properties.unreadable && make("p", { class: "fault" }, "It could not be read, or not all of it."),
      properties.kind !== "poi" && geometry.type === "Point" && make("p", { class: "soft" },
        "Too small to draw as an area: this folder and all in it are points in the nearest folder above that has land."),
      stale && make("p", { class: "soft" }, `Added up ${stale}. `, make("button", { class: "crumb", onclick: this.acts.again }, "Read again")),
    ];
  }
}
