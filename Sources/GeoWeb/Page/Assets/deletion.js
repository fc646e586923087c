// The list of what to delete, as a command of a shell.
import { parsed } from "./favourites.js";
import { attempt, bytesOf, circle, copyButton, encoder, fillAndStroke, keyOf, make, nameOf, placeOf, saveBlob, showBytes, showCount, strokeLines } from "./geo.js";
import { Layer, layers } from "./layers.js";
import { project } from "./mercator.js";

// Paths as bytes, and as words of a shell; sums of nested paths. Nothing here needs a browser.

/** Bytes that no shell interprets. A tilde, `=` and `%` mean something at the beginning of a word. */
const PLAIN = /^[A-Za-z0-9_@+:,./-]+$/;
/** Characters that change a line or how it looks: controls, formats, and separators other than the space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const ESCAPES = new Map([["\n", "\\n"], ["\t", "\\t"], ["\r", "\\r"], ["\\", "\\\\"], ["'", "\\'"]]);

/** The bytes of a folder on disk, with those of a path from its root on: without the root's name. */
export function joinedPath(folder, bytes, root) {
  const whole = Uint8Array.from([...encoder.encode(folder.replace(/\/$/, "")), ...bytes.subarray(encoder.encode(root).length)]);
  return whole.length > 0 ? whole : encoder.encode("/");
}

/** The characters of bytes, and bytes that belong to none as numbers. */
function* charactersOf(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at];
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    // Bytes that are not UTF-8 belong to no character.
    const text = attempt(() => decoder.decode(bytes.subarray(at, at + length)));
    yield text ?? first;
    at += text === null ? 1 : length;
  }
}

/** The bytes of a path as one word of a shell; `$'…'` if a character can't be seen, or a byte is not UTF-8. */
export function shellWord(bytes) {
  const parts = [...charactersOf(bytes)];
  // A word that begins with a dash is an option.
  if (parts[0] === "-") parts.unshift(".", "/");
  const text = parts.map((part) => (typeof part === "string" ? part : "\ufffd")).join("");
  if (PLAIN.test(text)) return text;
  const isSeen = (part) => typeof part === "string" && !UNSEEN.test(part);
  if (parts.every(isSeen)) return `'${text.replaceAll("'", "'\\''")}'`;
  const hex = (part) => [...(typeof part === "string" ? encoder.encode(part) : [part])].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  return `$'${parts.map((part) => ESCAPES.get(part) ?? (isSeen(part) ? part : hex(part))).join("")}'`;
}

export function shellLines(paths) { return paths.map((bytes) => `${shellWord(bytes)}\n`).join(""); }
export function zeroEnded(paths) { return Uint8Array.from(paths.flatMap((bytes) => [...bytes, 0])); }

/** The path as text that no two paths share. */
const textOf = ({ path, rawPath }) => rawPath ?? encodeURIComponent(path).replaceAll("%2F", "/");

/** The entries that are in no other: those in marked folders are marked with them. */
export function outermost(entries) {
  const marked = new Set(entries.map(textOf));
  return entries.filter((entry) => {
    const text = textOf(entry);
    for (let at = text.lastIndexOf("/"); at > 0; at = text.lastIndexOf("/", at - 1)) if (marked.has(text.slice(0, at))) return false;
    return true;
  });
}

export function sumOf(entries, amount) {
  const amounts = outermost(entries).map(amount);
  return { sum: amounts.reduce((sum, one) => sum + (one ?? 0), 0), isPart: amounts.includes(undefined) };
}

// Marked files and folders, on the map, their sum, and their paths for a shell or a program. Nothing is deleted here.

const MAXIMUM_REFRESHED = 200;

export class Deletion extends Layer {
  constructor(page) {
    super();
    this.page = page;
    this.element = make("div", { class: "deletion" });
    this.places = new Map(); // the folders of roots on disk by label; null where the source has none
    const all = parsed(page.store.get("marked"));
    /** Entries with `path`, `rawPath`, `isFolder`, and `bytes`, `allocated`, `lon` and `lat` if known. */
    this.all = Array.isArray(all) ? all.filter((one) => typeof one?.path === "string") : [];
    layers.add(this);
  }

  has(node) { return this.all.some((one) => keyOf(one) === keyOf(node)); }
  /** Room on disk if the page shows it and it is known of all entries, else apparent size. */
  get measure() { return this.page.level.measure === "allocated" && this.all.every(({ allocated }) => allocated !== undefined) ? "allocated" : "bytes"; }
  get sum() { return sumOf(this.all, (entry) => entry[this.measure]); }

  toggle(node) {
    const { path, rawPath } = node.feature.properties;
    if (this.has({ path, rawPath })) return this.remove({ path, rawPath });
    this.all.push({ path, rawPath, ...factsOf(node) });
    return this.changed();
  }

  remove(entry) {
    this.all = this.all.filter((one) => keyOf(one) !== keyOf(entry));
    this.changed();
  }

  changed() {
    this.page.store.set("marked", JSON.stringify(this.all.map(({ isGone, ...kept }) => kept)));
    if (this.element.isConnected) this.draw();
    this.page.marked();
  }

  async pane() {
    await this.find();
    this.draw();
    return [this.element];
  }

  async find() {
    const { source, roots } = this.page;
    await Promise.all(roots.map(async ({ label }) => {
      if (this.places.has(label)) return;
      const node = await source.node(label, undefined, 0).catch(() => null);
      if (node) this.places.set(label, node.file ?? null);
    }));
    await Promise.all(this.all.slice(0, MAXIMUM_REFRESHED).map(async (entry) => {
      const node = await source.node(entry.path, entry.rawPath, 0).catch(() => undefined);
      if (node === undefined) return;
      entry.isGone = node === null;
      if (node) Object.assign(entry, factsOf(node));
    }));
  }

  rootOf({ path }) { return this.page.roots.map(({ label }) => label).filter((label) => path === label || path.startsWith(`${label}/`)).sort((a, b) => b.length - a.length)[0]; }

  bytesOf(entry) {
    const root = this.rootOf(entry);
    const place = this.places.get(root);
    const bytes = bytesOf(entry.path, entry.rawPath);
    return place ? joinedPath(place, bytes, root) : bytes;
  }

  get isOnDisk() { return this.all.every((entry) => this.places.get(this.rootOf(entry))); }
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

  paintAbove(context, camera) {
    for (const { lon, lat, isGone } of this.all) {
      if (isGone || lon === undefined) continue;
      const { x: wx, y: wy } = project(lon, lat);
      const [x, y] = camera.toScreen(wx, wy);
      if (camera.isNear(x, y, 20)) drawDeleted(context, x + 10, y - 10, this.page.palette.theme);
    }
  }

  signs() { return this.all.length > 0 ? [{ words: "marked to delete", draw: (pen, x, y) => drawDeleted(pen, x, y, this.page.palette.theme) }] : []; }

  row(entry) {
    const amount = entry[this.measure];
    const name = nameOf(entry.path) + (entry.isFolder ? "/" : "");
    const title = make("button", { class: "title", onclick: () => this.page.open(entry.path, true, entry.rawPath) }, name,
      make("small", {}, `${entry.isGone ? "not there any more" : amount === undefined ? "size unknown" : showBytes(amount)} · ${entry.path}`));
    return make("li", {}, title, make("button", { class: "chip", "aria-label": `Remove the mark of ${name}`, onclick: () => this.remove(entry) }, "×"));
  }

  save() { saveBlob(new Blob([zeroEnded(this.paths)], { type: "application/octet-stream" }), "paths-to-delete.bin"); }
}

const safe = () => make("p", { class: "soft" }, "geomapper deletes nothing.");

function factsOf({ feature, totals }) {
  const { properties } = feature;
  const isFolder = properties.kind !== "poi";
  const { bytes, allocated } = isFolder ? totals ?? {} : { ...properties, bytes: properties.size };
  const [lon, lat] = placeOf(feature);
  return { isFolder, bytes, allocated, lon, lat };
}

function drawDeleted(pen, x, y, { paper, select }) {
  circle(pen, x, y, 7.5);
  fillAndStroke(pen, paper, select, 2);
  strokeLines(pen, select, 2, ...[-1, 1].map((side) => [x - 3 * side, y - 3, x + 3 * side, y + 3]));
}
