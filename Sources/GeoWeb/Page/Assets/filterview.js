// The filter view: its form and list, and the matches on the map.
import { linkButton } from "./address.js";
import { byId, fillIn, make, nameOf, optionsOf, parentOf, showBytes, showCount, showTime, strokeAll } from "./geo.js";
import { brightness, fitterOf, isAsked, MatchCounts, matchOrders, nothing, partOf } from "./matches.js";
import { fileTypes, veils } from "./palette.js";
import { Rows, unreadLines } from "./panel.js";
import { breadthIn, drawFile, drawGlow, fileSize, outlineBox, outlineOf, pathOf } from "./shapes.js";
import { TileBitmaps } from "./tiles.js";

const LISTED = 500;
const MATCH_ROW = 42; // pixels

const fieldChoices = {
  type: [["", "any type"], ...fileTypes.map((word) => [word, word])],
  size: [["", "any size"], ["+0", "not empty"], ["=0", "empty"], ["+10000", "over 10 kB"], ["+100000", "over 100 kB"], ["+1000000", "over 1 MB"],
    ["+10000000", "over 10 MB"], ["+100000000", "over 100 MB"], ["+1000000000", "over 1 GB"], ["-1000", "under 1 kB"]],
  age: [["", "any age"], ["-1", "changed today"], ["-7", "changed this week"], ["-30", "changed this month"], ["-365", "changed this year"],
    ["+30", "not for a month"], ["+365", "not for a year"], ["+1825", "not for five years"]],
};
const orderWords = { size: "largest first", newest: "newest first", oldest: "oldest first", name: "by name" };

export class FilterView {
  constructor(source, view, { open, changed, counted }) {
    Object.assign(this, { source, view });
    this.acts = { open, changed, counted };
    this.wanted = { ...nothing };
    this.order = "size";
    this.element = byId("table");
    this.button = byId("lights");
    this.found = [];
    this.build();
  }

  get isOpen() { return !this.element.hidden; }

  build() {
    const field = (key, element) => {
      element.addEventListener(key === "name" ? "input" : "change", () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.search(this.filledIn), key === "name" ? 120 : 0);
      });
      return element;
    };
    const select = (key, word) => field(key, make("select", { "aria-label": word }, ...optionsOf(fieldChoices[key])));
    this.fields = {
      name: field("name", make("input", { type: "search", placeholder: "*.log, or part of a name", "aria-label": "Name", autocomplete: "off", spellcheck: "false" })),
      type: select("type", "Type"), size: select("size", "Size"), age: select("age", "Age"),
    };
    this.status = make("p", { role: "status", class: "soft" });
    this.sorter = make("select", { "aria-label": "Order", onchange: () => {
      this.order = this.sorter.value;
      this.arrange();
      // If not all are listed, another order lists others.
      if (this.files > this.found.length) this.search(this.wanted);
    } }, ...optionsOf(Object.entries(orderWords)));
    this.rows = new Rows(MATCH_ROW, "What fits", (file) => this.row(file));
    this.element.replaceChildren(
      make("div", { class: "head" }, make("h2", {}, "Filter view"),
        make("button", { class: "chip", "aria-label": "Lights off", onclick: () => this.close() }, "×")),
      make("div", { class: "row wide" }, this.fields.name),
      make("div", { class: "row wide" }, this.fields.type, this.fields.size, this.fields.age),
      this.status, make("div", { class: "row" }, this.sorter, linkButton(this.source, "Copy the address above")), this.rows.element);
  }

  get filledIn() {
    return Object.fromEntries(Object.entries(this.fields).map(([key, element]) => [key, element.value.trim()]));
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  open(wanted = this.wanted) {
    this.element.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    for (const [key, element] of Object.entries(this.fields)) {
      const value = wanted[key] ?? "";
      const isNew = element.tagName === "SELECT" && ![...element.options].some((option) => option.value === value);
      if (isNew) element.append(make("option", { value }, value));
      element.value = value;
    }
    this.sorter.value = this.order;
    this.search(wanted);
    this.fields.name.focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return false;
    this.abort?.abort();
    if (this.element.contains(document.activeElement)) this.button.focus();
    this.element.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.search({ ...nothing });
    return true;
  }

  /** Searches files; old matches disappear at once. */
  async search(wanted) {
    this.abort?.abort();
    clearTimeout(this.timer);
    const isOther = Object.keys(nothing).some((key) => (wanted[key] ?? "") !== this.wanted[key]);
    this.wanted = { ...nothing, ...wanted };
    [this.found, this.files, this.bytes, this.isDone] = [[], 0, 0, false];
    const { lights } = this.view;
    const now = Date.now() / 1000;
    let [fits, fault] = [null, ""];
    try {
      if (isAsked(this.wanted)) fits = fitterOf(this.wanted, now);
    } catch (error) {
      fault = error.message;
    }
    this.counts = new MatchCounts();
    lights.set(fits, this.counts);
    this.view.restyle();
    if (isOther) this.acts.changed();
    this.arrange();
    if (!fits) {
      this.status.textContent = fault || "Say what is to light up.";
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    this.say("looking…");
    try {
      await this.source.matches(this.wanted, { order: this.order, limit: LISTED, now }, abort.signal, (news) => {
        if (!abort.signal.aborted) this.receive(news);
      });
      if (!abort.signal.aborted && !this.isDone) this.say("broken off");
    } catch (error) {
      if (!abort.signal.aborted) this.status.textContent = `it failed: ${error.message}`;
    }
  }

  receive(news) {
    for (const [path, files, bytes] of news.folders) this.counts.add(path, files, bytes);
    if (news.folders.length > 0) {
      this.view.lights.changed();
      this.view.restyle();
      this.acts.counted();
    }
    [this.files, this.bytes, this.isDone] = [news.files, news.bytes, news.done];
    if (news.found.length > 0 || news.done) {
      this.found.push(...news.found);
      this.arrange();
    }
    this.say(news.done ? "" : `looking… ${showCount(news.lookedAt, "file", "files")} looked at`);
    if (news.done) this.status.append(...unreadLines(news.unreadable, this.acts.open));
  }

  say(note) {
    this.status.replaceChildren(make("strong", {}, this.files === 0 && this.isDone ? "no matches" : `${showCount(this.files, "match", "matches")}`),
      this.files > 0 ? ` · ${showBytes(this.bytes)} ` : " ", note);
    if (!this.isDone && note.startsWith("looking")) {
      this.status.append(" ", make("button", { class: "crumb", onclick: () => {
        this.abort.abort();
        this.say("stopped");
      } }, "stop"));
    }
  }

  arrange() {
    this.found.sort(matchOrders[this.order]);
    if (this.found.length > LISTED) this.found.length = LISTED;
    this.rows.show(this.found);
  }

  row(file) {
    const button = make("button", { title: file.path, dataset: { name: file.path }, onclick: () => this.acts.open(file.path, true, file.rawPath) },
      nameOf(file.path), make("small", {}, parentOf(file.path)));
    return make("li", {}, button, make("span", { class: "soft facts" }, file.size === undefined ? "" : showBytes(file.size),
      make("small", {}, file.modified === undefined ? "" : showTime(file.modified).slice(0, 10))));
  }
}

// The matches on the map: a veil covers it, and matches shine through, drawn once per tile into a bitmap.

/** The range of strength in which land shines. */
const [MAXIMUM_LIGHT, FAINT] = [0.42, 0.1];
const SMALL = 12; // pixels: smaller land is drawn as a glow

export function fillOf(strength) { return FAINT + (MAXIMUM_LIGHT - FAINT) * strength ** 1.5; }

export class MatchLayer {
  constructor(palette, clock) {
    Object.assign(this, { palette, clock });
    /** Tests a file; null while off. */
    Object.assign(this, { fits: null, counts: null });
    this.version = 0; // increases with every change of the picture
    /** The zooms from which folders and their files were seen. */
    Object.assign(this, { zooms: new Map(), fileZooms: new Map(), bitmaps: new TileBitmaps() });
    Object.assign(this, { sprites: new Map(), since: 0 });
  }

  get isOn() { return this.fits !== null; }

  set(fits, counts) {
    if (!this.fits) this.since = this.clock.now();
    Object.assign(this, { fits, counts });
    this.turn = {};
    this.version += 1;
    if (!fits) this.bitmaps = new TileBitmaps();
  }

  changed() { this.version += 1; }

  /** Whether a file matches, tested once. */
  isLit(file) {
    if (file.kind !== "poi") return (this.counts.folders.get(file.path)?.files ?? 0) > 0;
    if (file.turn !== this.turn) [file.turn, file.lit] = [this.turn, this.fits(file)];
    return file.lit;
  }

  count(path) { return this.counts?.folders.get(path)?.files ?? 0; }
  bytes(path) { return this.counts?.folders.get(path)?.bytes ?? 0; }
  /** The brightness of matches, as `files` and `bytes`; 0 without any. */
  strength(some) { return some.files > 0 ? brightness(partOf(some, this.counts.all)) : 0; }

  signs() {
    return [
      { words: "matching file; larger the more bytes", draw: (pen, x, y) => this.drawGlow(pen, x, y, 8) },
      { words: "folder with matches that come closer by", draw: (pen, x, y) => {
        pen.fillStyle = `rgba(${this.veiling.glow},${MAXIMUM_LIGHT})`;
        pen.fillRect(x - 9, y - 5, 18, 10);
      } },
    ];
  }

  get veiling() { return veils[this.palette.isDark ? 1 : 0]; }

  learn(entry) {
    if (entry.learnt === entry.version) return;
    entry.learnt = entry.version;
    if (this.zooms.size > 50000) this.zooms.clear();
    let isNew = false;
    const record = (map, path, zoom) => {
      if (map.get(path) <= zoom) return;
      map.set(path, zoom);
      isNew = true;
    };
    for (const land of entry.data.land) if (land.rings.length > 0) record(this.zooms, land.path, land.minzoom);
    for (const { kind, folder, path, minzoom } of entry.data.files) {
      if (kind === "poi") record(this.fileZooms, folder, minzoom);
      else record(this.zooms, path, minzoom);
    }
    if (isNew) this.version += 1;
  }

  veil(context, width, height, now, isCalm) {
    const part = isCalm ? 1 : Math.min(1, (now - this.since + 40) / 140);
    [context.globalAlpha, context.fillStyle] = [part, this.veiling.veil];
    context.fillRect(0, 0, width, height);
    context.globalAlpha = 1;
    return part < 1;
  }

  paint(context, camera, tiles, list, ratio, deadline) {
    // Other loaded tiles, too: matches may be just outside the view.
    for (const entry of tiles.all.values()) if (entry.data) this.learn(entry);
    return this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline,
      keyOf: (entry) => `${this.version}.${entry.version}.${this.palette.isDark}`,
      render: (pen, entry, size) => this.render(pen, entry, size, ratio, camera.z) });
  }

  render(context, entry, size, ratio, zoom) {
    context.lineJoin = "round";
    this.drawLands(context, entry, size, ratio);
    this.drawFiles(context, entry, size, ratio, zoom);
  }

  drawLands(context, entry, size, ratio) {
    const px = size / 4096;
    const { glow } = this.veiling;
    const isShown = (path) => this.zooms.get(path) <= entry.z;
    const small = [];
    const lit = new Set();
    for (const land of entry.data.land) {
      const outline = outlineOf(land);
      if (outline.length === 0) continue;
      const count = this.count(land.path);
      const breadth = breadthIn(land, { entry, size, px, ratio });
      if (lit.has(land.parent) && breadth >= 2) {
        // Lands within a shining land shine by themselves, or not at all.
        context.globalCompositeOperation = "destination-out";
        context.fill(pathOf(outline, px));
        context.globalCompositeOperation = "source-over";
      }
      if (count === 0) continue;
      const strength = this.strength(this.counts.hidden(land.path, isShown, this.fileZooms.get(land.path) <= entry.z));
      if (land.depth > 0 && breadth < SMALL) {
        const [west, north, east, south] = outlineBox(land);
        if (strength > 0) small.push([((west + east) / 2) * px, ((north + south) / 2) * px, strength]);
        continue;
      }
      lit.add(land.path);
      // Continents would outshine their contents.
      fillIn(context, `rgba(${glow},${land.depth > 0 || strength > 0 ? fillOf(strength) : FAINT / 3})`, pathOf(outline, px));
      if (land.depth === 0) continue;
      const light = 0.2 + 0.8 * Math.max(0.1, strength);
      strokeAll(context, `rgb(${glow})`, [[7, 0.1], [3.4, 0.2], [1.2, 0.75]].map(([width, alpha]) => [width * ratio, alpha * light]),
        pathOf(land.border ?? outline, px, !land.border));
    }
    for (const [x, y, strength] of small) this.drawGlow(context, x, y, (3.5 + 6 * strength) * ratio);
  }

  drawFiles(context, entry, size, ratio, zoom) {
    const px = size / 4096;
    const shown = entry.data.files.filter((file) => this.isLit(file));
    const sumOf = (file) => (file.kind === "poi" ? { files: 1, bytes: file.size ?? 0 } : this.counts.folders.get(file.path));
    for (const file of shown) this.drawGlow(context, file.x * px, file.y * px, (5.5 + 8.5 * this.strength(sumOf(file))) * ratio);
    for (const file of shown.filter(({ minzoom }) => fileSize(zoom - minzoom) >= 4)) {
      drawFile(context, file, file.x * px, file.y * px, zoom - file.minzoom, this.palette, ratio);
    }
  }

  drawGlow(context, x, y, radius) {
    const { glow, core } = this.veiling;
    drawGlow(this.sprites, context, x, y, radius, glow, () => [[0, `rgb(${core[0]})`], [0.16, `rgb(${core[1]})`], [0.26, `rgba(${glow},.75)`],
      [0.55, `rgba(${glow},.22)`], [1, `rgba(${glow},0)`]]);
  }
}
