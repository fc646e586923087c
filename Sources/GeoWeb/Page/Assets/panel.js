// The panel of the selected node, for the screen and screen readers.
import { byId, copyButton, isNarrow, make, nameOf, showBytes, showCount, showShare, showTime } from "./geo.js";
import { ChildList } from "./lists.js";

const kinds = { continent: "Continent (a root)", country: "Country", state: "State", district: "District" };

export class Panel {
  /** `acts` are its actions, and the sections of others. */
  constructor(acts) {
    this.element = byId("panel");
    this.acts = acts;
  }

  /** The name of a kind; for files, the type. */
  static kind(properties) {
    if (properties.kind !== "poi") return kinds[properties.kind] ?? properties.kind;
    return properties.special ? `File: ${properties.special}` : "File";
  }

  static size({ properties, totals }) {
    if (properties.kind !== "poi") {
      return totals?.bytes !== undefined ? showBytes(totals.bytes) : properties.size === undefined ? "unknown" : showCount(properties.size, "entry", "entries");
    }
    return properties.size === undefined ? "unknown" : showBytes(properties.size);
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
    const star = make("button", {
      class: "chip star", "aria-pressed": String(this.acts.isStarred(properties)),
      "aria-label": "Favourite", title: "Favourite (s)",
      onclick: () => {
        this.acts.star();
        star.setAttribute("aria-pressed", String(this.acts.isStarred(properties)));
      },
    }, "★");
    this.star = star;
    this.mark = make("button", { class: "chip", "aria-pressed": String(this.acts.isMarked(properties)), title: "Mark to delete (m)", onclick: () => this.acts.mark() }, "Mark to delete");
    this.element.replaceChildren(
      make("div", { class: "head" },
        make("div", {}, make("p", { class: "soft" }, Panel.kind(properties)), make("h2", {}, properties.name)),
        star,
        make("button", { class: "chip", "aria-label": "Close", onclick: this.acts.close }, "×")),
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

  /** All facts; on a phone they fold in favour of the contents. */
  facts(node, isSame) {
    const isOpen = !isNarrow() || !node.children || (isSame && this.element.querySelector("details")?.open === true);
    const list = this.figures(node);
    const words = [...list.querySelectorAll("div")].slice(0, 2).map(({ children: [what, term] }) => `${what.textContent} ${term.textContent}`).join(" · ");
    return make("details", { class: "folding", open: isOpen && "open" }, make("summary", {}, words || "Facts"), list,
      ...this.acts.sections(node), ...this.share(node), this.buttons(node), ...this.faults(node));
  }

  /** The main figures, each with a label. */
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

  /** Whether the page shows room on disk, and it is known here. */
  hasRoom(amounts) { return this.acts.measure() === "allocated" && amounts?.allocated !== undefined; }

  /** Its share of its folder and its root. */
  share({ feature: { properties }, totals, shares }) {
    const own = properties.kind === "poi" ? { bytes: properties.size, allocated: properties.allocated } : totals;
    const measure = this.hasRoom(own) && (shares ?? []).every((above) => this.hasRoom(above)) ? "allocated" : "bytes";
    const amount = own?.[measure];
    if (amount === undefined) return [];
    return (shares ?? []).filter((above) => above[measure] > 0).map((above) => {
      const part = Math.min(1, amount / above[measure]);
      const bar = make("span", { class: "bar" }, make("span", {}));
      bar.firstChild.style.width = `${Math.max(0.4, part * 100)}%`;
      return make("p", { class: "share" }, make("span", {}, `${showShare(part)} of ${nameOf(above.path)}`),
        make("span", { class: "soft" }, showBytes(above[measure])), bar);
    });
  }

  buttons(node) {
    const { properties, geometry } = node.feature;
    const path = node.file ?? properties.path;
    // The path is selected, so one key copies it.
    const mark = () => getSelection().selectAllChildren(this.element.querySelector(".path"));
    const copy = (word, text) => copyButton(word, text, "Marked: press Ctrl-C", mark);
    const [lon, lat] = properties.lon === undefined ? geometry.coordinates : [properties.lon, properties.lat];
    const row = make("div", { class: "row" },
      make("button", { class: "chip", onclick: () => this.acts.fly(node) }, "Fly there"), copy("Copy path", () => path), this.acts.linkButton("Marked: press Ctrl-C", mark), this.mark);
    return make("div", {}, make("p", { class: "path" }, path), row,
      make("p", { class: "soft" }, Number.isFinite(lon) ? `${(+lon).toFixed(5)},${(+lat).toFixed(5)} · shown from zoom ${properties.minzoom}` : ""));
  }

  faults({ feature: { properties, geometry }, stale }) {
    const found = [];
    if (properties.unreadable) found.push(make("p", { class: "fault" }, "It could not be read, or not all of it."));
    if (properties.kind !== "poi" && geometry.type === "Point") {
      found.push(make("p", { class: "soft" }, "Too small to draw as an area: this folder and all in it are points in the nearest folder above " +
        "that has land."));
    }
    if (stale) {
      found.push(make("p", { class: "soft" }, `Added up ${stale}. `,
        make("button", { class: "crumb", onclick: this.acts.again }, "Read again")));
    }
    return found;
  }
}
