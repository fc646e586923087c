// The selection: a node with its ancestors and siblings, and the folders around it.
import { byId, make, nameOf, parentOf, rawWithin } from "./geo.js";

// The breadcrumbs: the folders from the root to the selection, or to the middle of the view.

const SHOWN = 4;
const NOTHING = "nothing is selected: Enter takes what is in the middle";

export class Crumbs {
  constructor(open) {
    this.element = byId("crumbs");
    Object.assign(this, { open, isUnfolded: false, path: "" });
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
    const unfold = () => {
      this.isUnfolded = true;
      this.draw(parts, isSelected, note);
    };
    const shown = folded.flatMap((part, index) => [...(index > 0 ? ["›"] : []), part
      ? make("button", { class: "crumb", "aria-current": part === parts.at(-1) ? "location" : undefined, onclick: () => this.open(part.path, true, part.rawPath) },
        part.name ?? nameOf(part.path))
      : make("button", { class: "crumb", "aria-label": "Show all folders", onclick: unfold }, "…")]);
    this.element.replaceChildren(...shown, ...(note ? [make("span", { class: "soft" }, ` ${note}`)] : []));
  }

  static partsOf(path) {
    const names = path.split("/");
    return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join("/") }));
  }
}

export class Selection {
  /**
   * `acts`: `note` shows a text; `age` returns the age of totals; `changed` gets the new node or null, and whether to
   * add a history entry; `fly` goes to a node; `rooms` finds the room on disk of a folder's entries.
   */
  constructor(source, acts) { Object.assign(this, { source, acts, node: null, asked: 0, opening: 0 }); }
  get isOpening() { return this.opening > 0; }
  get properties() { return this.node?.feature.properties; }
  /** Its folder; undefined for a root or no selection. */
  get parent() { return this.node?.ancestors.at(-1); }

  async open(...wanted) {
    this.opening += 1;
    try {
      await this.ask(...wanted);
    } finally {
      this.opening -= 1;
    }
  }

  async ask(path, flies, raw, isNew = true) {
    const { note } = this.acts;
    const number = ++this.asked;
    let node;
    let lost = "";
    try {
      node = await this.source.node(path, raw);
      // The address's node may be gone: use the nearest existing folder.
      const isFirst = !this.node;
      for (let [near, nearRaw] = [path, raw]; !node && isFirst && number === this.asked;) {
        [near, nearRaw] = [near && parentOf(near), nearRaw && parentOf(nearRaw)];
        if (!near && !nearRaw) break;
        lost = `${nameOf(path ?? raw)} is not there: this is the nearest folder`;
        node = await this.source.node(near || undefined, nearRaw || undefined);
      }
    } catch (error) {
      return note(`can't ask about it: ${error.message}`);
    }
    if (number !== this.asked) return undefined;
    if (!node) return note(`${nameOf(path ?? raw)} is not there any more`);
    note(lost);
    // A removed node has no totals, no shares and no place on disk.
    const isGone = node.isGone || ["removed", "left"].includes(node.feature.properties.change);
    [node.shares] = isGone ? [[]] : await Promise.all([this.sharesOf(node), this.addRoom(node)]);
    if (number !== this.asked) return undefined;
    node.stale = this.acts.age();
    node.isLive ??= this.source.isLive && !isGone;
    if (isGone) node.file = undefined;
    this.node = node;
    this.acts.changed(node, isNew);
    if (flies) this.acts.fly(node);
    return undefined;
  }

  refresh() { if (this.node) this.open(this.properties.path, false, this.properties.rawPath, false); }

  clear(isNew = true) {
    this.asked += 1;
    if (!this.node) return;
    this.node = null;
    this.acts.changed(null, isNew);
  }

  async addRoom({ feature: { properties }, ancestors }) {
    const folder = ancestors.at(-1);
    if (properties.kind !== "poi" || !folder) return;
    properties.allocated ??= (await this.acts.rooms(folder))?.get(nameOf(properties.rawPath ?? properties.path));
  }

  /** The totals of a node's folder and root, if known. */
  async sharesOf(node) {
    const above = [node.ancestors.at(-1), node.ancestors[0]].filter((one, index, all) => one && all.indexOf(one) === index);
    const found = await Promise.all(above.map(({ path, rawPath }) => this.source.node(path, rawPath, 0).catch(() => null)));
    return found.filter((one) => one?.totals).map((one) => ({ path: one.feature.properties.path, layers: one.layers, ...one.totals }));
  }

  openSibling(by) {
    const { parent } = this;
    if (!parent) return;
    const { path, rawPath } = this.properties;
    this.source.node(parent.path, parent.rawPath).then((node) => {
      const shown = node?.children.shown ?? [];
      if (shown.length === 0) return;
      const at = shown.findIndex((child) => (rawPath ? rawWithin(parent, child) === rawPath : child.name === nameOf(path)));
      const next = shown[(Math.max(at, by < 0 ? 0 : -1) + by + shown.length) % shown.length];
      this.open(`${parent.path}/${next.name}`, true, rawWithin(parent, next));
    }, (error) => this.acts.note(error.message));
  }

  openParent() {
    const { parent } = this;
    if (parent) this.open(parent.path, true, parent.rawPath);
    else this.acts.note(this.node ? "this is a root: nothing is around it" : NOTHING);
  }

  openFirstChild() {
    const first = this.node?.children?.shown[0];
    if (first) this.open(`${this.properties.path}/${first.name}`, true, rawWithin(this.properties, first));
    else this.acts.note(this.node ? "nothing is in it" : NOTHING);
  }
}
