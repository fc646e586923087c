// The summary of what is in view: sums, the largest folders with bars, the largest files.
import { kept } from "./favourites.js";
import { barOf, byId, isNarrow, keyOf, make, nameOf, parentOf, showAmount, showBytes, showCount, showShare, showTime, strokeIn, trace } from "./geo.js";
import { layers } from "./layers.js";
import { parts } from "./lazy.js";
import { legend } from "./legend.js";
import { project } from "./mercator.js";
import { hintMore, unreadLines } from "./panel.js";
import { looseFiles, looseName } from "./prominence.js";

// How folders grew, as small lines.

const WIDTH = 44; // pixels
const HEIGHT = 12;
const MARGIN = 1.2;
const FINER = 2; // pixels of the picture to one of the page

/** The line of some sizes over time as points, none with less than two. Sizes are null where a folder wasn't there. */
export function sparkPoints(times, sizes) {
  const known = sizes.map((size, index) => [times[index], size]).filter(([, size]) => size !== null && size !== undefined);
  if (known.length < 2) return [];
  const [start, end] = [times[0], times.at(-1)];
  const most = Math.max(1, ...known.map(([, size]) => size));
  const x = (time) => MARGIN + ((time - start) / Math.max(1e-9, end - start)) * (WIDTH - 2 * MARGIN);
  const y = (size) => HEIGHT - MARGIN - (size / most) * (HEIGHT - 2 * MARGIN);
  return known.map(([time, size]) => [x(time), y(size)]);
}

function spark(times, sizes, colour) {
  const points = sparkPoints(times, sizes);
  if (points.length === 0) return null;
  const known = sizes.filter((size) => size !== null && size !== undefined);
  const canvas = make("canvas", { class: "spark", width: String(FINER * WIDTH), height: String(FINER * HEIGHT), role: "img",
    "aria-label": `${showBytes(known[0])} → ${showBytes(known.at(-1))}` });
  const pen = canvas.getContext("2d");
  pen.scale(FINER, FINER);
  pen.lineJoin = "round";
  trace(pen, ...points);
  strokeIn(pen, colour, 1.2);
  return canvas;
}

const FOLDERS = 12;
const FILES = 6;
const RUNNING_PAUSE = 1000; // the milliseconds after which figures follow while time runs
const MATCHES_PAUSE = 200; // milliseconds between two drawings while matches come

const MOST = 40; // how many letters the folders of a file may have in a list

/** The folders of a file within a folder, or in all, in words; where there are many letters, middle ones are left out. */
export function foldersWithin(path, folder) {
  const inner = path.slice(folder === undefined ? 0 : folder.length + 1).split("/").slice(0, -1);
  const names = inner.length > 0 ? inner : [nameOf(folder ?? parentOf(path))];
  const [first, ...rest] = names;
  let left = rest.length;
  const said = () => [first, ...(left < rest.length ? ["…"] : []), ...rest.slice(rest.length - left)].join(" / ");
  while (left > 1 && said().length > MOST) left -= 1;
  return said();
}

/** A list with its heading, and the words of how many are left out. */
const listOf = (title, rows, left, words) => [make("h3", {}, title), make("ol", { class: "largest" }, rows), ...(left > 0 ? [make("p", { class: "soft rest" }, words(left))] : [])];

export class Summary {
  /** `toWorld` goes to all roots; `covered` and `titled` are called when it is folded, and when it shows another folder. */
  constructor(page, acts) {
    Object.assign(this, { page, acts });
    this.branch = null;
    this.element = byId("summary");
    this.element.onscroll = () => hintMore(this.element);
    this.body = make("div", { class: "body", id: "summary-body" });
    this.toggle = make("button", { class: "fold", "aria-controls": "summary-body", onclick: () => this.fold(!this.isFolded) });
    this.element.append(this.toggle, this.body);
    this.isFolded = kept.get("folded") === "1";
    this.showFold();
    /** How sub-folders grew: the path of the folder, and sizes by path with their times. */
    this.grown = { path: undefined, times: [], sizes: new Map() };
    this.step = null; // the progress of totals while they are counted
  }

  begin() {
    this.page.level.listen(() => this.update());
    this.update();
  }

  get current() { return this.page.level.current; }

  fold(isFolded) {
    this.isFolded = isFolded;
    kept.set("folded", isFolded ? "1" : "0");
    this.showFold();
    this.explain();
    this.acts.covered();
  }

  showFold() {
    this.element.classList.toggle("folded", this.isFolded);
    document.body.classList.toggle("folded", this.isFolded);
    this.body.hidden = this.isFolded;
    const words = this.isFolded ? "Show the summary" : "Fold the summary away";
    for (const name of ["aria-label", "title"]) this.toggle.setAttribute(name, words);
    this.toggle.setAttribute("aria-expanded", String(!this.isFolded));
    this.toggle.textContent = this.isFolded ? "☷" : isNarrow() ? "⌄" : "»";
  }

  counting(step) {
    this.step = step;
    const line = this.body.querySelector(".counting");
    if (line && step) line.textContent = this.progress;
    else if (step || this.page.source.unreadable) this.draw();
  }

  get progress() {
    if (!this.step) return "counting…";
    const { files, folders, expected, entries, basis, waiting, seconds } = this.step;
    const wait = waiting === undefined ? "" : `; no answer from ${waiting} for ${seconds} s`;
    if (expected > 0) return `reading sizes: ${showShare(Math.min(1, files / expected))} of ${showCount(expected, "file", "files")}${wait}`;
    const part = entries > 0 ? (files + folders) / entries : 1;
    const left = part < 1 ? `, about ${showShare(part)} by ${basis}` : "";
    return `counting: at least ${showCount(files, "file", "files")}${left}${wait}`;
  }

  update() {
    const { current } = this;
    const key = current && [current.path, current.complete, current.bytes, current.allocated, current.files, current.folders, current.newest].join();
    if (current !== this.shown || key !== this.key) {
      const now = this.page.view.clock.now();
      if (layers.isRunning && current && this.shown && current.path === this.shown.path && now - this.drawnAt < RUNNING_PAUSE) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.update();
        }, RUNNING_PAUSE);
        return;
      }
      [this.shown, this.key, this.drawnAt] = [current, key, now];
      this.draw();
      this.acts.titled();
    }
    this.light();
  }

  get title() {
    const { current } = this;
    return current ? (current.path === undefined ? showCount(current.roots.length, "root", "roots") : nameOf(current.path)) : undefined;
  }

  /** Draws all of it; the focus stays on its row. */
  draw() {
    const { current } = this;
    if (!current) {
      // The legend comes with the picture.
      this.body.replaceChildren(make("p", { class: "soft" }, "…"));
      return;
    }
    const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.follow(current);
    const parts = this.page.view.lights.isOn ? this.matches(current)
      : [...layers.values((layer) => layer.chooser), ...this.marks(), ...this.folders(current), this.branches(), ...this.valued(current)];
    this.lists = make("div", { class: "lists", onscroll: () => hintMore(this.lists) }, ...parts);
    this.body.replaceChildren(this.head(current), this.lists, ...(this.page.view.lights.isOn ? [] : this.files(current)), legend(this.page, this.grown.sizes.size > 0));
    this.hint();
    if (focused !== undefined) (this.rowOf(focused) ?? this.toggle).focus({ preventScroll: true });
    this.light();
  }

  async down() {
    const { Branch } = await parts.branch();
    this.branch ??= new Branch(this.page, () => this.draw());
    await this.branch.down();
  }

  branches() {
    const button = make("button", { class: "chip", title: "Go to the largest folder or file in this folder (h)", dataset: { key: "/branch" }, onclick: () => this.down() },
      "Down the heaviest branch");
    return this.branch?.section(button) ?? make("section", { class: "branch" }, button);
  }

  async follow({ path }) {
    if (this.isFolded || path === undefined || this.grown.path === path) return;
    const asked = layers.first((layer) => layer.trends(path));
    if (!asked) return;
    const grown = (this.grown = { path, times: [], sizes: new Map() });
    const known = await asked;
    if (!known || this.grown !== grown) return;
    this.grown = { path, times: known.times, sizes: new Map(known.trends.map((one) => [one.path, one.bytes])) };
    if (this.current?.path === path) this.draw();
  }

  lineOf({ path }) {
    const { times, sizes } = this.grown;
    this.lined = this.page.palette.theme.circlerim;
    return sizes.has(path) ? spark(times, sizes.get(path), this.lined) : null;
  }

  explain() {
    if (this.isFolded) return;
    // Lines of growth have a colour of the theme.
    if (this.lined && this.lined !== this.page.palette.theme.circlerim) return this.draw();
    const key = this.body.querySelector(".key");
    if (key) key.replaceWith(legend(this.page, this.grown.sizes.size > 0));
    else this.body.append(legend(this.page, this.grown.sizes.size > 0));
    this.hint();
  }

  hint() { for (const one of [this.element, this.lists].filter(Boolean)) hintMore(one); }
  rowOf(key) { return [...this.body.querySelectorAll("[data-key]")].find((row) => row.dataset.key === key); }

  light() {
    const { raised } = this.page.level;
    const selected = this.page.selected()?.feature.properties;
    for (const row of this.body.querySelectorAll("[data-key]")) {
      row.classList.toggle("raised", row.dataset.path === raised);
      if (selected && row.dataset.key === keyOf(selected)) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  head(current) {
    const { path } = current;
    const count = this.page.roots.length;
    const above = make("p", { class: "above" });
    if (path !== undefined && count > 1) above.append(make("button", { class: "crumb", onclick: this.acts.toWorld }, showCount(count, "root", "roots")), " / ");
    (path ?? "").split("/").slice(0, -1).forEach((name, index, names) => {
      const go = () => this.page.open(names.slice(0, index + 1).join("/"), true, current.rawPath?.split("/").slice(0, index + 1).join("/"));
      above.append(make("button", { class: "crumb", onclick: go }, name), " / ");
    });
    const sums = this.page.view.lights.isOn ? [this.sumOfMatches(current)] : this.sums(current);
    return make("header", {}, above, make("h2", {}, this.title), ...sums);
  }

  sums(current) {
    const { bytes, allocated, files, folders, disk, measure, complete } = current;
    const [lines, parts] = [[], []];
    if (measure === "allocated" && allocated !== undefined) parts.push(make("strong", {}, `${showBytes(allocated)} on disk`));
    if (bytes !== undefined) parts.push(make("span", {}, `${showBytes(bytes)} apparent size`));
    if (!complete) lines.push(make("p", { class: "counting" }, this.progress));
    if (parts.length > 0) lines.push(make("p", { class: "sum" }, ...parts.flatMap((part, index) => (index > 0 ? [" · ", part] : [part]))));
    const counts = [files !== undefined && showCount(files, "file", "files"), folders !== undefined && showCount(folders, "folder", "folders")].filter(Boolean);
    if (counts.length > 0) lines.push(make("p", {}, counts.join(" · ")));
    if (this.page.level.isWorld) lines.push(...unreadLines(this.page.source.unreadable, this.page.open));
    const said = this.page.values?.said(current);
    if (said) lines.push(make("p", { class: "said" }, said));
    if (measure === "bytes") lines.push(make("p", { class: "soft" }, "Sizes are apparent: the room on disk is not known."));
    if (disk) {
      lines.push(make("p", { class: "disk" }, make("span", {}, `File system: ${showBytes(disk.used)} used`), " · ", make("span", {}, `${showBytes(disk.free)} free`),
        barOf(disk.used / Math.max(1, disk.used + disk.free))));
    }
    return lines;
  }

  marks() {
    const { deletion, drawer } = this.page;
    if (!deletion?.all.length) return [];
    const { sum, isPart } = deletion.sum;
    return [make("p", {}, make("button", { class: "chip", id: "marked", "aria-expanded": String(drawer.shown === "marked"), dataset: { key: "/marked" },
      onclick: () => drawer.toggle("marked") }, `To delete: ${showCount(deletion.all.length, "entry", "entries")}, ${isPart ? "at least " : ""}${showBytes(sum)}`))];
  }

  folders(current) {
    const all = current.lands.slice(0, FOLDERS);
    if (all.length === 0) return [];
    const { level } = this.page;
    const loose = looseFiles(current, (thing) => level.amount(thing));
    const most = Math.max(1, loose?.amount || 0, ...all.map((land) => level.amount(land) ?? 0));
    const of = current.path === undefined ? "all" : nameOf(current.path);
    const whole = level.amount(current);
    const rows = all.map((land) => {
      const amount = level.amount(land);
      const bar = barOf(amount === undefined ? 0 : amount / most);
      const facts = [whole > 0 && amount !== undefined && `${showShare(amount / whole)} of ${of}`, land.files !== undefined && showCount(land.files, "file", "files"),
        land.newest > 0 && `changed last ${showTime(land.newest).slice(0, 10)}`].filter(Boolean);
      return this.row(land, { class: "land", title: facts.join(" · "), act: () => this.page.open(land.path, true, land.rawPath) }, current.path === undefined ? this.root(land) : "",
        this.amountOf(land, amount === undefined ? "counting…" : showAmount(amount)), bar, this.lineOf(land));
    });
    if (loose) {
      const before = all.filter((land) => (level.amount(land) ?? 0) >= loose.amount).length;
      rows.splice(before, 0, this.looseRow(current, loose, most));
    }
    return listOf("Largest folders here", rows, current.lands.length - all.length, (left) => `and ${showCount(left, "smaller folder", "smaller folders")}`);
  }

  looseRow({ path, rawPath }, { files, amount }, most) {
    return this.row({ path: `${path ?? ""}/`, name: looseName(path) }, { class: "own", title: "Files that are in none of these folders",
      act: () => (path === undefined ? this.acts.toWorld() : this.page.open(path, true, rawPath)) }, "",
    amount >= 0 ? showAmount(amount) : "", barOf(amount >= 0 ? amount / most : 0), make("span", { class: "within" }, showCount(files, "file", "files")));
  }

  counted() {
    this.matchTimer ??= setTimeout(() => {
      this.matchTimer = undefined;
      this.draw();
    }, MATCHES_PAUSE);
  }

  sumOfMatches({ roots }) {
    const { lights } = this.page.view;
    const [matches, bytes] = ["count", "bytes"].map((of) => roots.reduce((all, root) => all + lights[of](root), 0));
    return make("p", { class: "sum" }, make("strong", {}, showCount(matches, "match", "matches")), ` · ${showBytes(bytes)}`);
  }

  matches({ path, lands }) {
    const { lights } = this.page.view;
    const all = lands.map((land) => ({ land, files: lights.count(land.path), bytes: lights.bytes(land.path) })).filter(({ files }) => files > 0)
      .sort((a, b) => b.bytes - a.bytes || b.files - a.files);
    if (all.length === 0) return [];
    const most = Math.max(1, all[0].bytes);
    const rows = all.slice(0, FOLDERS).map(({ land, files, bytes }) => this.row(land, { class: "land", title: land.path, act: () => this.page.open(land.path, true, land.rawPath) },
      path === undefined ? this.root(land) : "", showBytes(bytes), barOf(bytes / most), make("span", { class: "hint" }, ` (${showCount(files, "match", "matches")})`)));
    return listOf("Matches by folder", rows, all.length - FOLDERS, (left) => `and ${showCount(left, "folder", "folders")} with fewer bytes`);
  }

  root(land) { return this.page.roots.length > 1 ? `${parentOf(land.path)}/` : ""; }

  files(current) {
    const all = (current.largest ?? []).slice(0, FILES);
    if (all.length === 0) return [];
    const rows = all.map((file) => this.row(file, { class: "file", title: file.path, act: () => this.select(file) }, "",
      this.amountOf(file, showAmount(this.page.level.amount(file) ?? 0)), ...(current.lands.length > 0 ? [make("span", { class: "within" }, `in ${foldersWithin(file.path, current.path)}`)] : [])));
    return [make("section", { class: "heaviest" }, make("h3", {}, "Largest files"), make("ol", { class: "largest files" }, ...rows))];
  }

  /** An amount in words, after what colours say of the land or file if they show values of the user's own. */
  amountOf(thing, words) { return this.page.values?.rowed(thing, words) ?? words; }

  valued(current) {
    return this.page.values?.lists(current, (thing, isLand, ...parts) => this.row(thing, { class: isLand ? "land" : "file", title: thing.path,
      act: () => (isLand ? this.page.open(thing.path, true, thing.rawPath) : this.select(thing)) }, "", ...parts)) ?? [];
  }

  /** A row: a button that raises its land or file on the map while it is pointed at. */
  row(thing, { class: name, title, act }, before, amount, ...parts) {
    const { level } = this.page;
    const raise = () => level.raise(thing.path);
    const lower = () => level.raise(null);
    const shown = parts.filter(Boolean);
    const [line, hints] = ["spark", "hint"].map((kind) => shown.filter(({ className }) => className === kind));
    const more = shown.filter((part) => !line.includes(part) && !hints.includes(part));
    return make("li", {}, make("button", { class: name, title, dataset: { key: keyOf(thing), path: thing.path }, onclick: act,
      onpointerenter: raise, onpointerleave: lower, onfocus: raise, onblur: lower },
    make("span", { class: "name" }, before ? make("span", { class: "before" }, before) : null, thing.name, hints), line, make("span", { class: "amount" }, amount), more));
  }

  select({ path, rawPath, lon, lat }) {
    const { camera } = this.page.view;
    const { x, y } = project(lon, lat);
    const [px, py] = camera.toScreen(x, y);
    const { left, right, bottom } = camera.covered;
    const isSeen = px > left && py > 0 && px < camera.width - right && py < camera.height - bottom;
    this.page.open(path, !isSeen, rawPath);
  }
}
