// The list of what to delete: marked files and folders, their sum, and their paths for a shell or a program. It deletes
// nothing.
import { copyButton, keyOf, make, nameOf, showBytes, showCount } from "./geo.js";
import { bytesOfPath, joinedPath, outermost, shellLines, shellWord, sumOf, zeroEnded } from "./shellpaths.js";

const MOST_REFRESHED = 200;

export class Deletion {
  /** `page` has the source, the level, the roots, the selection, and `store`, which keeps values for its roots. */
  constructor(page) {
    this.page = page;
    this.element = make("div", { class: "deletion" });
    /** The folders of roots on disk by label; null where the source has none. */
    this.places = new Map();
    let all = [];
    try {
      all = JSON.parse(page.store.get("marked") ?? "[]");
    } catch {
      // Ignore foreign values.
    }
    /** Entries with `path`, `rawPath`, `isFolder`, and `bytes` and `allocated` if known. */
    this.all = Array.isArray(all) ? all.filter((one) => typeof one?.path === "string") : [];
  }

  has(node) { return this.all.some((one) => keyOf(one) === keyOf(node)); }

  /** Room on disk if the page shows it and it is known of all entries, else apparent size. */
  get measure() { return this.page.level.measure === "allocated" && this.all.every(({ allocated }) => allocated !== undefined) ? "allocated" : "bytes"; }

  /** The sum of all entries. */
  get sum() { return sumOf(this.all, (entry) => entry[this.measure]); }

  /** Adds or removes a node. */
  toggle(node) {
    const { path, rawPath } = node.feature.properties;
    if (this.has({ path, rawPath })) this.remove({ path, rawPath });
    else {
      this.all.push({ path, rawPath, ...amountsOf(node) });
      this.changed();
    }
  }

  remove(entry) {
    this.all = this.all.filter((one) => keyOf(one) !== keyOf(entry));
    this.changed();
  }

  changed() {
    this.page.store.set("marked", JSON.stringify(this.all.map(({ path, rawPath, isFolder, bytes, allocated }) => ({ path, rawPath, isFolder, bytes, allocated }))));
    if (this.element.isConnected) this.draw();
    this.page.marked();
  }

  /** The list, with amounts of now. */
  async pane() {
    await this.find();
    this.draw();
    return [this.element];
  }

  /** Finds the folders of the roots on disk, and asks for amounts again. */
  async find() {
    const { source, roots } = this.page;
    await Promise.all(roots.map(async ({ label }) => {
      if (this.places.has(label)) return;
      const node = await source.node(label, undefined, 0).catch(() => null);
      if (node) this.places.set(label, node.file ?? null);
    }));
    await Promise.all(this.all.slice(0, MOST_REFRESHED).map(async (entry) => {
      const node = await source.node(entry.path, entry.rawPath, 0).catch(() => undefined);
      if (node === undefined) return;
      entry.isGone = node === null;
      if (node) Object.assign(entry, amountsOf(node));
    }));
  }

  /** The label of the root that an entry is in. */
  rootOf({ path }) { return this.page.roots.map(({ label }) => label).filter((label) => path === label || path.startsWith(`${label}/`)).sort((a, b) => b.length - a.length)[0]; }

  /** The bytes of an entry's path: on disk if known, else on the map. */
  bytesOf(entry) {
    const root = this.rootOf(entry);
    const place = this.places.get(root);
    return place ? joinedPath(place, bytesOfPath(entry), root) : bytesOfPath(entry);
  }

  get isOnDisk() { return this.all.every((entry) => this.places.get(this.rootOf(entry))); }

  /** The paths for a shell or a program: without those in other marked folders. */
  get paths() { return outermost(this.all).filter(({ isGone }) => !isGone).map((entry) => this.bytesOf(entry)); }

  draw() {
    const { all } = this;
    const node = this.page.selected();
    const add = node && !this.has(node.feature.properties)
      ? [make("button", { class: "chip", onclick: () => this.toggle(node) }, `Add ${node.feature.properties.name}`)] : [];
    if (all.length === 0) {
      this.element.replaceChildren(make("p", {}, "Nothing is marked. Select a file or folder and press m."), ...add, safe());
      return;
    }
    const focused = this.element.contains(document.activeElement);
    const { sum, isPart } = this.sum;
    const within = all.length - outermost(all).length;
    const text = make("pre", { class: "paths", tabindex: "0", "aria-label": "Paths" }, this.paths.map(shellWord).join("\n"));
    this.element.replaceChildren(
      make("p", { class: "sum" }, make("strong", {}, `${isPart ? "at least " : ""}${showBytes(sum)}`), ` ${this.measure === "allocated" ? "on disk" : "apparent size"} · ${showCount(all.length, "entry", "entries")}`),
      ...(within > 0 ? [make("p", { class: "soft" }, `${showCount(within, "entry is", "entries are")} in other marked folders and count once.`)] : []),
      make("ul", { class: "entries" }, ...all.map((entry) => this.row(entry))),
      make("div", { class: "row" }, copyButton("Copy as text", () => shellLines(this.paths), "Marked: press Ctrl-C", () => getSelection().selectAllChildren(text)),
        make("button", { class: "chip", onclick: () => this.save() }, "Save as file"),
        make("button", { class: "chip", onclick: () => { this.all = []; this.changed(); } }, "Remove all marks"), ...add),
      ...(this.isOnDisk ? [] : [make("p", { class: "soft" }, "These are paths of the map: where the roots are on disk is not known here.")]),
      text, make("p", { class: "soft" }, "The text has one path a line, quoted for a shell. The file has plain paths, each ended by a zero byte, as for xargs -0."), safe());
    if (focused && !this.element.contains(document.activeElement)) this.element.querySelector("button")?.focus();
  }

  row(entry) {
    const amount = entry[this.measure];
    const name = nameOf(entry.path) + (entry.isFolder ? "/" : "");
    const title = make("button", { class: "title", onclick: () => this.page.open(entry.path, true, entry.rawPath) }, name,
      make("small", {}, `${entry.isGone ? "not there any more" : amount === undefined ? "size unknown" : showBytes(amount)} · ${entry.path}`));
    return make("li", {}, title, make("button", { class: "chip", "aria-label": `Remove the mark of ${name}`, onclick: () => this.remove(entry) }, "×"));
  }

  save() {
    const link = make("a", { href: URL.createObjectURL(new Blob([zeroEnded(this.paths)], { type: "application/octet-stream" })), download: "paths-to-delete.bin" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}

const safe = () => make("p", { class: "soft" }, "geomapper deletes nothing.");

/** What an entry keeps of a node. */
function amountsOf({ feature: { properties }, totals }) {
  const isFolder = properties.kind !== "poi";
  return isFolder ? { isFolder, bytes: totals?.bytes, allocated: totals?.allocated } : { isFolder, bytes: properties.size, allocated: properties.allocated };
}
