// What is selected: a node that was asked for, and those around and beside it.
import { nameOf, parentOf, rawWithin } from "./geo.js";

export class Selection {
  /**
   * `acts`: `note` says a text; `age` tells how old totals are; `changed`, with the node or null and whether one goes
   * back from it, is called once there is another; `fly` goes to a node.
   */
  constructor(source, acts) {
    this.source = source;
    this.acts = acts;
    /** What is selected; null if nothing is. */
    this.node = null;
    this.asked = 0;
    this.opening = 0;
  }

  /** Whether something is being asked for. */
  get isOpening() { return this.opening > 0; }

  get properties() { return this.node?.feature.properties; }

  /** The folder around it; undefined if nothing is selected, or a root. */
  get parent() { return this.node?.ancestors.at(-1); }

  /** Selects a node by its path; flies there if asked to. */
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
      // What an address names may be gone: then the nearest folder that is there.
      const isFirst = !this.node;
      for (let [near, nearRaw] = [path, raw]; !node && isFirst && number === this.asked;) {
        [near, nearRaw] = [near && parentOf(near), nearRaw && parentOf(nearRaw)];
        if (!near && !nearRaw) break;
        lost = `${nameOf(path ?? raw)} is not there: this is the nearest folder`;
        node = await this.source.node(near || undefined, nearRaw || undefined);
      }
    } catch (error) {
      note(`can't ask about it: ${error.message}`);
      return;
    }
    if (number !== this.asked) return;
    if (!node) {
      note(`${nameOf(path ?? raw)} is not there any more`);
      return;
    }
    note(lost);
    // What is gone is not added up, is no part of anything, and is at no place of the disk.
    const isGone = node.isGone || ["removed", "left"].includes(node.feature.properties.change);
    node.shares = isGone ? [] : await this.sharesOf(node);
    if (number !== this.asked) return;
    node.stale = this.acts.age();
    node.isLive ??= this.source.isLive && !isGone;
    if (isGone) node.file = undefined;
    this.node = node;
    this.acts.changed(node, isNew);
    if (flies) this.acts.fly(node);
  }

  /** Asks for it once more: what is known of it may be another by now. */
  refresh() {
    if (this.node) this.open(this.properties.path, false, this.properties.rawPath, false);
  }

  clear(isNew = true) {
    this.asked += 1;
    if (!this.node) return;
    this.node = null;
    this.acts.changed(null, isNew);
  }

  /** What the folder around a node and its root hold, if that is known. */
  async sharesOf(node) {
    const above = [node.ancestors.at(-1), node.ancestors[0]].filter((one, index, all) => one && all.indexOf(one) === index);
    const found = await Promise.all(above.map(({ path, rawPath }) => this.source.node(path, rawPath, 0).catch(() => null)));
    return found.filter((one) => one?.totals).map((one) => ({ path: one.feature.properties.path, bytes: one.totals.bytes }));
  }

  /** Goes to the entry so many after it in its folder. */
  openSibling(by) {
    const { parent } = this;
    if (!parent) return;
    const { path, rawPath } = this.properties;
    this.source.node(parent.path, parent.rawPath).then((node) => {
      const shown = node?.children.shown ?? [];
      if (shown.length === 0) return;
      const at = shown.findIndex((child) =>
        (rawPath ? rawWithin(parent, child) === rawPath : child.name === nameOf(path)));
      const next = shown[(Math.max(at, by < 0 ? 0 : -1) + by + shown.length) % shown.length];
      this.open(`${parent.path}/${next.name}`, true, rawWithin(parent, next));
    }, (error) => this.acts.note(error.message));
  }

  openParent() {
    const { parent } = this;
    if (parent) this.open(parent.path, true, parent.rawPath);
    else this.acts.note(this.node ? "this is a root: nothing is around it" : "nothing is selected: Enter takes what is in the middle");
  }

  openFirstChild() {
    const first = this.node?.children?.shown[0];
    if (first) this.open(`${this.properties.path}/${first.name}`, true, rawWithin(this.properties, first));
    else this.acts.note(this.node ? "nothing is in it" : "nothing is selected: Enter takes what is in the middle");
  }
}
