// Lists of any length: rows of equal height, of which only visible ones are elements; and lists of folders.
import { make, optionsOf, rawWithin, showBytes, showTime } from "./geo.js";
import { fileType } from "./palette.js";
import { byBytes } from "./sorted.js";

export class Rows {
  /** `row` makes the element of an item, with a button identified by `data-name`. */
  constructor(height, label, row, scrolled = () => {}) {
    this.height = height;
    this.row = row;
    this.all = [];
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

/** Sort orders by apparent size. */
export const orders = ordersBy(apparentSize);

export class ChildList {
  /** `entries` comes from layers; `state` from a previous list of the folder. */
  constructor(node, { open, more, colourOf, entries, measure }, state) {
    this.node = node;
    this.acts = { open, more, colourOf, dress: entries?.dress };
    /** The size of a child: room on disk if the page shows it and it is known of all. */
    this.amount = (child) => (this.isRoom ? child.allocated : apparentSize(child));
    this.hasRoom = () => measure() === "allocated" && this.all.every(({ allocated }) => allocated !== undefined);
    this.rooms = null;
    this.orders = { ...entries?.orders, ...ordersBy(this.amount) };
    this.state = state ?? { order: Object.keys(this.orders)[0], text: "", top: 0 };
    this.all = node.children.shown;
    const { total } = node.children;
    this.heading = make("span", { class: "soft" });
    this.filter = make("input", { type: "search", placeholder: "Filter", "aria-label": "Filter what is in this folder",
      oninput: () => { this.state.text = this.filter.value; this.state.top = 0; this.arrange(); } });
    this.filter.value = this.state.text;
    this.order = make("select", { "aria-label": "Sort by",
      onchange: () => { this.state.order = this.order.value; this.arrange(); } },
    ...optionsOf(Object.keys(this.orders).map((name) => [name, `by ${name}`])));
    this.order.value = this.state.order;
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

  /** Takes the room on disk of entries by name. */
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
    const bar = make("span", { class: "bar" }, make("span", {}));
    bar.firstChild.style.width = `${bytes === undefined ? 0 : Math.max(0.6, (bytes / this.most) * 100)}%`;
    bar.firstChild.style.background = this.acts.colourOf(child) || "";
    const button = make("button", { class: isFile ? "file" : "folder", title: child.newest === undefined ? "" : showTime(child.newest),
      onclick: () => this.acts.open(`${properties.path}/${child.name}`, true, rawWithin(properties, child)) },
    child.name + (isFile ? "" : "/"));
    button.dataset.name = child.name;
    const item = make("li", {}, button, make("span", { class: "soft" }, bytes === undefined ? "" : showBytes(bytes)), bar);
    this.acts.dress?.(child, item);
    return item;
  }
}
