// The view of two states: a layer, a slider between them, and a list that flies to changes.
import { changeNote, changeSigns, countsIn, differenceSection, entriesByChange, kindOf, movedFolders, movedInWords, movesBetween, rowsOfLevel, showGrowth, sizesFromTo } from "./changelabels.js";
import { ChangeLayer, changeNameInks, changeOfLand, partsAt, placeAt, receding, tileAt } from "./changelayer.js";
import { ChangeSymbols, shareColours } from "./changesymbols.js";
import { barOf, byId, isNarrow, make, nameOf, optionsOf, parentOf, showBytes, showCount, showTime } from "./geo.js";
import { Layer } from "./layers.js";
import { legend, line, signsIn, swatch } from "./legend.js";
import { rgbOf } from "./palette.js";
import { hintMore, Rows, unreadLines } from "./panel.js";

const MAXIMUM_MOVES = 20000; // rows of moves that are summed up

// The slider between the two states, which can be animated.

const PLAY = 2600; // milliseconds between states

class ChangeSlider {
  /** `layer` shows a moment; `moved` is called with the previous state when the shown state changes. */
  constructor(layer, { moved, isCalm }) {
    this.layer = layer;
    this.acts = { moved, isCalm };
    this.range = make("input", { type: "range", min: "0", max: "100", value: "50", step: "1", "aria-label": "From the old state to the new",
      oninput: () => this.stop(Number(this.range.value) / 100) });
    this.ends = [["old", 0], ["both", 0.5], ["new", 1]].map(([word, moment]) =>
      make("button", { class: "crumb", onclick: () => this.stop(moment) }, word));
    this.element = make("div", { class: "slide" }, this.range, make("div", { class: "ends" }, ...this.ends));
  }

  stop(moment) {
    cancelAnimationFrame(this.frame);
    this.set(moment);
  }

  /** Plays to the new state, or from there to the old one. */
  play() {
    cancelAnimationFrame(this.frame);
    const from = this.layer.moment;
    const to = from === 0 || (from < 1 && this.goal === 1) ? 1 : 0;
    this.goal = to;
    if (this.acts.isCalm()) return this.set(to);
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(1, ((now - start) / PLAY) / Math.max(0.2, Math.abs(to - from)));
      this.set(from + (to - from) * part);
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
    return undefined;
  }

  set(moment) {
    const before = this.layer.shown;
    this.layer.goTo(moment);
    this.range.value = String(Math.round(this.layer.moment * 100));
    this.say();
    this.acts.moved(before);
  }

  say() {
    const at = [0, 0.5, 1].indexOf(this.layer.shown);
    this.ends.forEach((button, index) => button.setAttribute("aria-pressed", String(index === at)));
    this.range.setAttribute("aria-valuetext", ["the old state", "both states", "the new state"][at]);
  }
}

// The list of differences: totals by kind, which can be filtered, and rows.

const CHANGE_ROW = 44; // pixels
const changeOrders = { size: "by size", folder: "by folder", time: "by time" };

function showNow() {
  const now = new Date();
  return `${now.toLocaleDateString("en-GB", { day: "numeric", month: "long" })} ${now.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

class ChangeList {
  constructor(differences, { fly, open, received }) {
    this.differences = differences;
    this.acts = { fly, open, received };
    this.order = "size";
    this.kinds = new Set(differences.kinds);
    Object.assign(this, { shown: undefined, asked: 0, isLoading: false });
    this.title = make("p", { class: "soft" });
    this.sizes = make("p", { class: "sizes" });
    this.counts = make("div", { class: "kinds", role: "group", "aria-label": "Kinds of change" });
    this.sorter = make("select", { "aria-label": "Order", onchange: () => {
      this.order = this.sorter.value;
      this.load();
    } }, ...optionsOf(Object.entries(changeOrders)));
    this.status = make("span", { class: "soft", role: "status" }, "comparing…");
    this.again = make("button", { class: "crumb", title: "Compare again", onclick: () => this.load(true) }, "again");
    this.unread = make("div");
    this.rows = new Rows(CHANGE_ROW, "Changes", (item) => this.row(item));
    this.bar = make("div", { class: "row" }, this.sorter, this.status, ...(differences.canAskAgain ? [this.again] : []));
  }

  async load(again = false) {
    const number = (this.asked += 1);
    this.isLoading = true;
    if (again) this.status.textContent = "comparing…";
    try {
      const known = await this.differences.list({ order: this.order, kinds: this.kinds, again });
      if (number !== this.asked) return;
      this.receive(known);
      this.isLoading = false;
    } catch (error) {
      if (number === this.asked) this.status.textContent = `it failed: ${error.message}`;
    }
  }

  receive(known) {
    const { states, below, total, list, complete } = known;
    this.measure = known.measure;
    this.states = states;
    this.showSizes(...states);
    this.counts.replaceChildren(...this.differences.kinds.map((kind) => make("button", { class: kind, "aria-pressed": String(this.kinds.has(kind)),
      onclick: () => this.choose(kind) },
    make("span", {}, make("strong", {}, (below?.[kind] ?? 0).toLocaleString("en")), below?.[kind] === 1 ? " file" : " files"), make("span", {}, kind), make("small", {}))));
    this.most = Math.max(1, ...list.map((item) => ChangeList.weightOf(item)));
    this.shown = list;
    this.rows.show(list);
    this.status.textContent = (list.length === 0 ? "nothing" : total > list.length ? `${list.length.toLocaleString("en")} of ${showCount(total, "row", "rows")}` : showCount(total, "row", "rows")) + (complete === false && !known.unreadable ? " · not all could be compared" : "");
    this.unread.replaceChildren(...unreadLines(known.unreadable, this.acts.open));
    this.acts.received(known);
  }

  showSizes(before, now) {
    this.title.replaceChildren(...[before, now].flatMap(({ files }, side) => {
      const { name, time } = this.states[side];
      // What is compared is mostly a folder as it is now.
      const isNow = time === undefined && side === 1 && this.differences.canAskAgain;
      const said = [`${side === 0 ? "before" : "after"}: ${isNow ? "now" : name ?? ""}`, isNow ? showNow() : time === undefined || (side === 0 && time === this.states[1].time) ? "" : showTime(time).slice(0, 16), files === undefined ? "" : showCount(files, "file", "files")];
      return [...(side === 0 ? [] : [make("br")]), said.filter(Boolean).join(", ")];
    }));
    const isKnown = before.bytes !== undefined && now.bytes !== undefined;
    const amount = (state) => (isKnown ? showBytes(state.bytes) : showCount(state.files ?? 0, "file", "files"));
    const growth = isKnown ? now.bytes - before.bytes : 0;
    this.sizes.replaceChildren(...sizesFromTo(amount(before), amount(now), "", growth, isKnown ? showGrowth(growth) : ""),
      ...(isKnown && this.measure ? [make("span", { class: "soft" }, this.measure === "allocated" ? " on disk" : " apparent size")] : []));
  }

  showCounts(counts) {
    for (const button of this.counts.children) {
      const kind = button.className;
      const number = counts?.[kind];
      button.title = `List the files and folders that were ${kind}, or don't`;
      button.querySelector("small").textContent = number === undefined ? "" : `${number.toLocaleString("en")} here`;
    }
  }

  choose(kind) {
    // The first click shows one kind alone; hiding the last one shows all.
    if (this.kinds.size === this.differences.kinds.length) this.kinds = new Set([kind]);
    else if (this.kinds.has(kind)) this.kinds.delete(kind);
    else this.kinds.add(kind);
    if (this.kinds.size === 0) this.kinds = new Set(this.differences.kinds);
    this.load();
  }

  static weightOf({ growth, size }) { return Math.abs(growth) || (size ?? 0); }

  row(item) {
    const { path, rawPath, change, growth, folder, files, size, was, from, modified } = item;
    const kind = kindOf(change, growth);
    const amount = change === "moved" ? (size === undefined ? "" : showBytes(size)) : showGrowth(growth);
    const bar = barOf(Math.max(0.01, ChangeList.weightOf(item) / this.most), kind);
    const what = [folder && files !== undefined ? showCount(files, "file", "files") : "", was === undefined ? "" : `${showBytes(was)} → ${showBytes(size ?? 0)}`,
      from === undefined ? "" : `from ${from}`].filter(Boolean);
    const around = parentOf(path).split("/").slice(1).join(" / ");
    const button = make("button", { class: folder ? "folder" : "file",
      title: [path, change, modified === undefined ? "" : showTime(modified)].filter(Boolean).join("\n"), onclick: () => this.acts.fly(item) },
    make("i", { class: kind, "aria-label": change }, changeSigns[change]),
    make("span", { class: "name" }, nameOf(path) + (folder ? "/" : ""), make("small", {}, [around, ...what].filter(Boolean).join(" · "))));
    button.dataset.name = rawPath ?? `${path} ${change}`;
    return make("li", {}, button, make("span", { class: `facts ${kind}` }, amount, bar));
  }
}

export class ChangeView extends Layer {
  level = 0;

  /** `differences` have `kinds`, `list(wanted)` as `Source.changes`, `canAskAgain`, and `dressTile(tile)`, which adds changes to a tile. */
  constructor(differences, isOn = true) {
    super();
    this.differences = differences;
    this.layer = new ChangeLayer(isOn);
    this.element = make("aside", { id: "changes", "aria-label": "What changed" });
    this.element.hidden = !isOn;
    this.symbols = new ChangeSymbols(this.layer, () => this.resize());
  }

  get sizing() { return this.layer.isOn ? this.symbols : null; }
  get recedes() { return this.layer.isOn; }
  receding(...how) { return this.layer.isOn ? receding(...how) : undefined; }
  get overMap() { return this.element; }
  async tile(ask, ...address) { return this.shown(await ask(...address)); }
  shown(whole) { return { ...tileAt(this.differences.dressTile(whole), this.layer.shown), whole }; }

  /** Adds itself to the page; `button`, if given, switches it on and off. */
  begin(page, button = null) {
    const { view, palette, open, level, source } = page;
    Object.assign(this, { page, view, palette, open, source, scale: level });
    this.button = button ?? make("button", { id: "compare", title: "What changed (x)", "aria-label": "What changed", "aria-expanded": "true",
      onclick: () => this.toggle() }, "Δ");
    if (!button) byId("lights").before(this.button);
    this.build();
    byId("table").before(this.element, this.key);
    // The filter view takes its place.
    new MutationObserver(() => this.element.classList.toggle("aside", !byId("table").hidden)).observe(byId("table"), { attributes: true, attributeFilter: ["hidden"] });
    shareColours(palette);
    new MutationObserver(() => {
      shareColours(palette);
      this.drawLegend();
    }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.scale.listen(() => this.show());
    this.load();
  }

  paint(...where) { return this.layer.paint(...where); }

  signs() {
    const { layer, view, palette: { theme } } = this;
    if (!layer.isOn) return [];
    const roots = this.scale.current?.roots ?? [];
    const contents = view.shown.map(({ data }) => data);
    const lands = new Set(contents.flatMap(({ land }) => land.filter((one) => placeAt(one, roots) !== "around").map((one) => layer.kindOf(one))));
    const files = new Set(contents.flatMap((content) => layer.filesIn(content, view.camera.z, roots).map(({ change }) => change)));
    const tints = [["grew", "grew"], ["shrank", "shrank"], ["added", "new"], ["removed", "gone"]].filter(([kind]) => lands.has(kind));
    return signsIn([
      [tints.length > 0, `tinted or outlined: ${tints.map(([, word]) => word).join(", ")}`, swatch(...tints.map(([kind]) => theme[kind]))],
      [lands.has("moved") || lands.has("left"), "outline: folder that moved here, dashed: away", (pen, x, y) => {
        line(theme.moved, 1.5)(pen, x, y - 3);
        line(theme.moved, 1.5, [4, 3])(pen, x, y + 3);
      }],
      [lands.has("same"), "tinted without a ring: changed, its size did not", swatch(theme.same)],
      [["added", "changed", "moved"].some((kind) => files.has(kind)), "glow: file that is new or changed", (pen, x, y) => layer.drawGlow(pen, x, y, 6, rgbOf(theme.added).join(), rgbOf(theme.added).join())],
      [files.has("removed"), "file that is gone", (pen, x, y) => layer.drawGone(pen, x, y, 4, theme.removed, false, 1)],
      [files.has("left"), "file that moved away", (pen, x, y) => layer.drawGone(pen, x, y, 4, theme.moved, true, 1)],
    ]);
  }

  noteOf(land) { return this.layer.isOn && !this.view.lights.isOn ? changeNote(land, this.kindIn(land)) : undefined; }
  kindIn(land) { return land.change && this.layer.kindOf(land); }
  weightOf(file) { return this.layer.isOn && file.change ? 1e17 : 0; }

  style(style, land) {
    const { kind } = land;
    const change = kind === "poi" ? land.change : this.kindIn(land);
    if (!this.layer.isOn || this.view.lights.isOn) return;
    if (kind !== "poi" && changeOfLand(land) === null) style.ink = "faint";
    if (!change) return;
    const ink = changeNameInks(this.palette)[change];
    if (ink) style.ink = ink;
    if ((change === "removed" || change === "left") && !style.font.startsWith("italic")) style.font = `italic ${style.font.replace(/^\d+ /, "")}`;
    if (kind !== "poi" && (change === "removed" || change === "left")) style.caps = false;
  }

  build() {
    this.slider = new ChangeSlider(this.layer, { isCalm: () => this.view.isCalm, moved: (before) => {
      if (this.layer.shown !== before) this.retile();
      else this.view.ask();
    } });
    this.list = new ChangeList(this.differences, { fly: (item) => this.fly(item), open: this.open, received: (known) => this.receive(known) });
    [this.grown, this.shrunk] = [[], []];
    this.name = make("h2", {}, "What changed");
    this.folders = make("section", { class: "folders", "aria-label": "Largest changes here" });
    this.folders.onscroll = () => hintMore(this.folders);
    this.key = make("section", { class: "key", id: "key" });
    const { title, sizes, counts, bar, unread, rows } = this.list;
    this.element.replaceChildren(
      make("div", { class: "head" }, make("div", {}, this.name, title),
        make("button", { class: "chip", "aria-label": "Hide", onclick: () => this.fold() }, "×")),
      sizes, this.folders, counts, this.slider.element, bar, unread, rows.element);
    this.drawLegend();
    this.slider.say();
  }

  /** Takes rows of changes: places of moves, then all moves for their sums. */
  async receive({ moves, list, states, grown = [], shrunk = [] }) {
    this.layer.showMoves(moves);
    Object.assign(this, { states, grown, shrunk });
    this.show();
    this.view.ask();
    const number = (this.received = (this.received ?? 0) + 1);
    const ask = (kind) => this.differences.list({ order: "size", kinds: new Set([kind]), limit: MAXIMUM_MOVES });
    const [added, moved] = await Promise.all([ask("added"), moves.length > 0 ? ask("moved") : { list: [] }]).catch(() => [{ list }, { list }]);
    if (number !== this.received) return;
    const rows = moved.list.filter(({ change }) => change === "moved");
    this.layer.showMoved(movedFolders(rows));
    this.symbols.receive(added.list, rows, this.source);
    this.view.restyle();
  }

  resize() {
    this.scale?.measureAll();
    this.layer.leaveMoves(this.symbols.arrows.length > 0);
  }

  show() {
    if (!this.layer.isOn) return;
    this.layer.leaveMoves(this.symbols.arrows.length > 0);
    const { current } = this.scale;
    this.name.textContent = current?.path === undefined ? "What changed" : nameOf(current.path);
    const states = current?.states ?? this.states;
    if (this.states) this.list.showSizes(...states);
    // The counts at the top are those of all roots.
    const isAll = current?.path === undefined || (this.page.roots.length === 1 && !current.path.includes("/"));
    this.list.showCounts(isAll ? undefined : countsIn(current));
    const { rows, rest } = current ? rowsOfLevel(current, [...this.grown, ...this.shrunk], this.layer.moved) : { rows: [], rest: { count: 0 } };
    const most = Math.max(1, ...rows.map(({ bytes }) => Math.abs(bytes)));
    const moves = movesBetween(this.symbols.moves ?? [], (path) => this.scale.partWith(path));
    this.folders.replaceChildren(...(rows.length === 0 ? [] : [make("h3", {}, "Largest changes here"), make("ol", { class: "largest" }, ...rows.map((row) => this.bar(row, most, moves)))]),
      ...(rest.count > 0 ? [make("p", { class: "soft rest" }, `and ${showCount(rest.count, "smaller change", "smaller changes")}: ${showGrowth(rest.bytes)}`)] : []));
    hintMore(this.folders);
    this.drawLegend();
  }

  bar(row, most, moves) {
    // All of what is new or gone is.
    const { path, rawPath, name, bytes, kind, all, rank, mostly, files } = row;
    const bar = barOf(Math.max(0.01, Math.abs(bytes) / most), kind);
    const raise = () => this.scale.raise(path ?? null);
    const lower = () => this.scale.raise(null);
    const more = [mostly === undefined || all ? "" : `mostly ${mostly.slice(path.length + 1)}`,
      files === undefined ? movedInWords(row, moves) : showCount(files, "file", "files")].filter(Boolean);
    return make("li", {}, make("button", { class: `land ${kind}`, title: [path ?? name, all, ...more].filter(Boolean).join("\n"), onclick: () => { if (path !== undefined) this.fly({ path, rawPath, change: kind }); },
      onpointerenter: raise, onpointerleave: lower, onfocus: raise, onblur: lower },
    make("span", { class: "name" }, rank === undefined ? "" : `${rank}. `, name, ...(all ? [make("span", { class: "hint" }, ` ${all}`)] : [])),
    make("span", { class: "amount" }, showGrowth(bytes)), ...(more.length > 0 ? [make("span", { class: "before" }, more.join(", "))] : []), bar));
  }

  drawLegend() { if (!this.element.hidden) this.key.replaceChildren(...legend(this.page).childNodes); }
  load() { this.list.load(); }
  summed() { this.load(); }

  /** Goes to a row's place; shows both states if the shown one lacks it. */
  fly({ path, rawPath, change }) {
    if (partsAt(this.layer.moment)[change === "removed" ? "old" : "new"] < 0.5) this.slider.stop(0.5);
    if (isNarrow()) this.fold();
    this.open(path, true, rawPath);
  }

  retile() {
    for (const entry of this.view.tiles.all.values()) {
      if (!entry.data) continue;
      entry.data = this.shown(entry.data.whole ?? entry.data);
      entry.version += 1;
    }
    this.view.restyle();
  }

  sections(node) { return differenceSection(node, this.open); }
  get entries() { return entriesByChange; }

  /** Called after switching on or off. */
  switched() {}

  fold() {
    this.element.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.view.restyle();
  }

  toggle() {
    const isHidden = this.element.hidden && this.layer.isOn;
    this.layer.turn(isHidden || !this.layer.isOn);
    this.element.hidden = !this.layer.isOn;
    this.button.setAttribute("aria-expanded", String(this.layer.isOn));
    this.slider.say();
    this.switched(this.layer.isOn);
    this.symbols.renew();
    this.show();
    this.retile();
  }
}
