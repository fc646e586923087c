// What there is to say of the selected node: on the screen and to a screen reader.
import { byId, make, nameOf, rawWithin, showBytes, showCount, showTime } from "./geo.js";

const kinds = { continent: "Continent (a root)", country: "Country", state: "State", district: "District" };

export class Panel {
  constructor({ open, fly, close, isStarred, star }) {
    this.element = byId("panel");
    this.crumbs = byId("crumbs");
    this.acts = { open, fly, close, isStarred, star };
  }

  /** What a kind is called; a file by what it is. */
  static kind(properties) {
    if (properties.kind !== "poi") return kinds[properties.kind] ?? properties.kind;
    return properties.special ? `File: ${properties.special}` : "File";
  }

  static size(properties) {
    if (properties.size === undefined) return "unknown";
    return properties.kind === "poi" ? showBytes(properties.size)
      : showCount(properties.size, "entry", "entries");
  }

  hide() {
    this.element.hidden = true;
    this.element.replaceChildren();
    this.crumbs.replaceChildren();
    document.body.classList.remove("chosen");
    this.node = null;
  }

  show(node) {
    this.node = node;
    const { properties } = node.feature;
    this.showCrumbs(node);
    const facts = make("dl");
    const say = (term, ...what) => facts.append(make("dt", {}, term), make("dd", {}, ...what));
    say("Kind", Panel.kind(properties));
    say("Size", Panel.size(properties));
    if (node.children) {
      const { folders, files } = node.children;
      say("Holds", `${showCount(folders, "folder", "folders")}, ${showCount(files, "file", "files")}`);
    }
    if (properties.modified !== undefined) say("Changed", showTime(properties.modified));
    say("Shown from", `zoom ${properties.minzoom}`);
    const [lon, lat] = properties.lon === undefined ? node.feature.geometry.coordinates
      : [properties.lon, properties.lat];
    if (Number.isFinite(lon)) say("Lon,lat", `${(+lon).toFixed(5)},${(+lat).toFixed(5)}`);
    say("Path", make("span", { class: "path" }, properties.path));
    const copy = make("button", { type: "button", class: "chip", onclick: () => this.copy(copy) }, "Copy path");
    const star = make("button", {
      type: "button", class: "chip star", "aria-pressed": String(this.acts.isStarred(properties)),
      "aria-label": "Favourite",
      onclick: () => {
        this.acts.star();
        star.setAttribute("aria-pressed", String(this.acts.isStarred(properties)));
      },
    }, "★");
    this.star = star;
    this.element.replaceChildren(
      make("div", { class: "head" },
        make("h2", {}, properties.name),
        star,
        make("button", { type: "button", class: "chip", "aria-label": "Close", onclick: this.acts.close }, "×")),
      facts,
      make("div", { class: "row" },
        make("button", { type: "button", class: "chip", onclick: () => this.acts.fly(node) }, "Fly there"), copy));
    if (properties.unreadable) {
      this.element.append(make("p", { class: "fault" }, "It could not be read, or not all of it."));
    }
    if (node.children) this.element.append(...this.listChildren(node));
    this.element.hidden = false;
    document.body.classList.add("chosen");
    byId("spoken").textContent =
      `${properties.name}, ${Panel.kind(properties)}, ${Panel.size(properties)}, ${properties.path}`;
  }

  showCrumbs(node) {
    const { path } = node.feature.properties;
    const parts = [];
    for (const ancestor of node.ancestors) {
      parts.push(make("button", { type: "button", class: "crumb",
        onclick: () => this.acts.open(ancestor.path, true, ancestor.rawPath) }, ancestor.name), "›");
    }
    parts.push(make("button", { type: "button", class: "crumb", "aria-current": "location",
      onclick: () => this.acts.fly(node) }, nameOf(path)));
    this.crumbs.replaceChildren(...parts);
  }

  listChildren(node) {
    const { properties } = node.feature;
    const { shown, total } = node.children;
    const list = make("ul", { class: "children", "aria-label": "In this folder" });
    for (const child of shown) {
      const isFile = child.kind === "poi";
      list.append(make("li", {},
        make("button", { type: "button", class: isFile ? "file" : "folder",
          onclick: () => this.acts.open(`${properties.path}/${child.name}`, true, rawWithin(properties, child)),
        }, child.name + (isFile ? "" : "/")),
        make("span", { class: "soft" }, isFile && child.size !== undefined ? showBytes(child.size) : "")));
    }
    const more = total - shown.length;
    return [list, ...(more > 0 ? [make("p", { class: "soft" }, `and ${showCount(more, "more", "more")}`)] : [])];
  }

  async copy(button) {
    const { path } = this.node.feature.properties;
    try {
      await navigator.clipboard.writeText(path);
      button.textContent = "Copied";
    } catch {
      // Without leave to write there, the path is marked, so that one key copies it.
      getSelection().selectAllChildren(this.element.querySelector(".path"));
      button.textContent = "Marked: press Ctrl-C";
    }
    setTimeout(() => { button.textContent = "Copy path"; }, 2000);
  }
}
