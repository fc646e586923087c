// Two states side by side: what changed in all, a slider from the old state to the new, and a list that flies there.
import { changeSamples, ChangeLayer, nameInks, partsAt, tileAt } from "./changelayer.js";
import { orders } from "./children.js";
import { byId, make, nameOf, parentOf, showBytes, showCount, showTime } from "./geo.js";
import { project } from "./mercator.js";
import { Rows } from "./rows.js";

/** How many changes are listed at most. */
export const LISTED_CHANGES = 500;
const CHANGE_ROW = 44; // pixels
const PLAY = 2600; // milliseconds from one state to the other

/** What can have become of a file. */
export const kindsOfChange = ["added", "removed", "changed", "moved"];
const marks = { added: "+", removed: "×", changed: "•", moved: "→", left: "↗" };
const changeOrders = { size: "by size", folder: "by folder", time: "by time" };

export const byPath = (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
/** Rows of the list by the folders that they are in, and what was changed last first. */
export const byFolder = (a, b) => byPath({ path: parentOf(a.path) }, { path: parentOf(b.path) }) || byPath(a, b);
export const byChangeTime = (a, b) => (b.modified ?? -Infinity) - (a.modified ?? -Infinity);

/** A number of bytes with its sign. */
export function showGrowth(bytes) {
  if (bytes === 0) return "±0";
  return `${bytes > 0 ? "+" : "−"}${showBytes(Math.abs(bytes))}`;
}

/** What differs below a land, in a few words; nothing if nothing does. */
export function changeNote({ change, bytes, files, below_bytes: growth, ...land }) {
  if (change === "removed") return "gone";
  const counts = kindsOfChange.filter((kind) => land[`below_${kind}`]).map((kind) => `${land[`below_${kind}`].toLocaleString("en")} ${kind}`);
  if (change === "added") return ["new", bytes === undefined ? "" : showBytes(bytes)].filter(Boolean).join(" · ");
  if (counts.length === 0 && !growth) return "";
  return [growth === undefined ? "" : showGrowth(growth), counts.slice(0, 2).join(", ")].filter(Boolean).join(" · ");
}

/** How an entry of a folder differs: by how many bytes, and in words; nothing if it doesn't. */
export function fateOf({ kind, change, size, was, below }) {
  if (kind === "poi") {
    if (!change) return null;
    const growth = { added: size, moved: size, removed: -size, left: -size, changed: size - was?.size }[change];
    return { change, growth, words: { moved: "moved here", left: "moved away" }[change] ?? change };
  }
  if (change) return { change, growth: below?.bytes, words: change };
  if (!below) return null;
  const counts = kindsOfChange.filter((one) => below[one]).map((one) => `${below[one].toLocaleString("en")} ${one}`);
  return { change: "changed", growth: below.bytes ?? 0, words: counts.slice(0, 2).join(", ") || "moved away" };
}

/** What differs by most bytes first, then the rest of what differs, then what doesn't. */
function byChange(a, b) {
  const weigh = (child) => {
    const fate = fateOf(child);
    return fate ? 1 + Math.abs(fate.growth || 0) : 0;
  };
  return weigh(b) - weigh(a) || orders.size(a, b);
}

export class ChangeView {
  /**
   * `teller` knows what differs: `kinds` are those that it can tell apart, `list(wanted)` answers as the server's `/changes`
   * does, `canAskAgain` says whether another answer may come of it, and `mark(tile)` is the tile with what became of its nodes.
   */
  constructor(teller) {
    this.teller = teller;
    this.layer = new ChangeLayer();
    this.order = "size";
    this.kinds = new Set(teller.kinds);
    this.element = make("aside", { id: "changes", "aria-label": "What changed" });
    /** Called when all of it is put away or brought back. */
    this.onswitch = () => {};
  }

  found(source) {
    const tile = source.tile.bind(source);
    source.tile = async (...address) => this.tile(await tile(...address));
  }

  /** A tile as it is shown: what is not in the state at hand is not in it. */
  tile(told) { return { ...tileAt(this.teller.mark(told), this.shown), told }; }

  /** Takes its place on the page; `button`, if there is one already, switches it on and off. */
  begin({ view, palette, open }, button = null) {
    Object.assign(this, { view, palette, open });
    view.layers.push(this.layer);
    const { labels, tiles } = view;
    const [note, obstacles, weight] = [labels.noteOf, labels.obstacles, labels.weightOf];
    labels.noteOf = (land) => (this.layer.isOn && !view.lights.isOn ? changeNote(land) : note(land));
    labels.obstacles = () => {
      const { left, top, right, bottom, width } = this.element.getBoundingClientRect();
      return width > 0 ? [...obstacles(), [left - 3, top - 3, right + 3, bottom + 3]] : obstacles();
    };
    labels.weightOf = (file) => weight(file) + (this.layer.isOn && file.change ? 1e17 : 0);
    labels.styled = (style, node) => this.style(style, node);
    this.tiles = tiles;
    this.button = button ?? make("button", { id: "compare", type: "button", title: "What changed (x)", "aria-label": "What changed", "aria-expanded": "true",
      onclick: () => this.toggle() }, "Δ");
    if (!button) byId("lights").before(this.button);
    this.build();
    byId("table").before(this.element);
    // On a small screen the map comes first.
    if (innerWidth <= 640) this.fold();
    // The light table takes its place.
    new MutationObserver(() => this.element.classList.toggle("aside", !byId("table").hidden)).observe(byId("table"), { attributes: true, attributeFilter: ["hidden"] });
    new MutationObserver(() => this.drawLegend()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.load();
  }

  /** The state that tiles show: at the ends of the slider one, else both. */
  get shown() {
    const { moment, isOn } = this.layer;
    if (!isOn) return 1;
    return moment > 0 && moment < 1 ? 0.5 : moment;
  }

  style(style, { change, kind }) {
    if (!this.layer.isOn || this.view.lights.isOn || !change) return;
    const ink = (this.palette.isDark ? nameInks.dark : nameInks.light)[change];
    if (ink) style.ink = ink;
    if ((change === "removed" || change === "left") && !style.font.startsWith("italic")) style.font = `italic ${style.font.replace(/^\d+ /, "")}`;
    if (kind !== "poi" && change === "removed") style.caps = false;
  }

  build() {
    this.title = make("p", { class: "soft" });
    this.sizes = make("p", { class: "sizes" });
    this.counts = make("div", { class: "kinds", role: "group", "aria-label": "Kinds of change" });
    this.slider = make("input", { type: "range", min: "0", max: "100", value: "50", step: "1", "aria-label": "From the old state to the new",
      oninput: () => {
        cancelAnimationFrame(this.frame);
        this.set(Number(this.slider.value) / 100);
      } });
    this.ends = [make("button", { type: "button", class: "crumb", onclick: () => this.stop(0) }, "old"),
      make("button", { type: "button", class: "crumb", onclick: () => this.stop(0.5) }, "both"),
      make("button", { type: "button", class: "crumb", onclick: () => this.stop(1) }, "new")];
    this.sorter = make("select", { "aria-label": "Order", onchange: () => {
      this.order = this.sorter.value;
      this.load();
    } }, ...Object.entries(changeOrders).map(([value, word]) => make("option", { value }, word)));
    this.status = make("span", { class: "soft", role: "status" }, "comparing…");
    this.again = make("button", { type: "button", class: "crumb", title: "Compare again", onclick: () => this.load(true) }, "again");
    this.rows = new Rows(CHANGE_ROW, "Changes", (item) => this.row(item));
    this.legend = make("ul", { class: "legend" });
    this.element.replaceChildren(
      make("div", { class: "head" }, make("div", {}, make("h2", {}, "What changed"), this.title),
        make("button", { type: "button", class: "chip", "aria-label": "Hide", onclick: () => this.fold() }, "×")),
      this.sizes, this.counts, make("div", { class: "slide" }, this.slider, make("div", { class: "ends" }, ...this.ends)),
      make("div", { class: "row" }, this.sorter, this.status, ...(this.teller.canAskAgain ? [this.again] : [])), this.rows.element, this.legend);
    this.drawLegend();
    this.say();
  }

  /** Asks what differs, or looks at what the page brought with it. */
  async load(again = false) {
    const number = (this.asked = (this.asked ?? 0) + 1);
    this.isLoading = true;
    if (again) this.status.textContent = "comparing…";
    try {
      const known = await this.teller.list({ order: this.order, kinds: this.kinds, again });
      if (number !== this.asked) return;
      this.take(known);
      this.isLoading = false;
    } catch (error) {
      if (number === this.asked) this.status.textContent = `it failed: ${error.message}`;
    }
  }

  take({ states, below, total, list, moves, complete }) {
    const [before, now] = states;
    const when = ({ name, time }) => (time === undefined ? name : `${name}, ${showTime(time).slice(0, 16)}`);
    this.title.textContent = when(before) === when(now) ? when(now) : `${when(before)} → ${when(now)}`;
    const bytes = (state) => (state.bytes === undefined ? showCount(state.files ?? 0, "file", "files") : showBytes(state.bytes));
    this.sizes.replaceChildren(make("span", { class: "was", title: "the old state" }, bytes(before)), " → ", make("strong", { title: "the new state" }, bytes(now)),
      make("span", { class: `growth ${(below?.bytes ?? 0) < 0 ? "less" : "more"}` }, below?.bytes === undefined && before.bytes !== now.bytes ? "" : showGrowth(below?.bytes ?? 0)));
    this.counts.replaceChildren(...this.teller.kinds.map((kind) => make("button", { type: "button", class: kind, "aria-pressed": String(this.kinds.has(kind)),
      title: `List what was ${kind}, or don't`, onclick: () => this.choose(kind) },
    make("strong", {}, (below?.[kind] ?? 0).toLocaleString("en")), make("span", {}, kind))));
    this.most = Math.max(1, ...list.map(({ growth, size }) => Math.abs(growth) || (size ?? 0)));
    this.list = list;
    this.total = total;
    this.rows.show(list);
    const more = total > list.length ? ` of ${total.toLocaleString("en")}` : "";
    this.status.textContent = (list.length === 0 ? "nothing" : `${list.length.toLocaleString("en")}${more}`) + (complete === false ? " · not all could be read" : "");
    this.layer.moves = moves.map(([lon0, lat0, lon1, lat1, size]) => {
      const [a, b] = [project(lon0, lat0), project(lon1, lat1)];
      return [a.x, a.y, b.x, b.y, size];
    });
    this.view.ask();
  }

  choose(kind) {
    // The first click leaves one alone; the last one that goes brings all back.
    if (this.kinds.size === this.teller.kinds.length) this.kinds = new Set([kind]);
    else if (this.kinds.has(kind)) this.kinds.delete(kind);
    else this.kinds.add(kind);
    if (this.kinds.size === 0) this.kinds = new Set(this.teller.kinds);
    this.load();
  }

  row(item) {
    const { path, rawPath, change, growth, folder, files, size, was, from, modified } = item;
    const isLess = growth < 0;
    const amount = change === "moved" ? (size === undefined ? "" : showBytes(size)) : showGrowth(growth);
    const bar = make("span", { class: "bar" }, make("span", { class: change === "changed" && isLess ? "shrank" : change }));
    bar.firstChild.style.width = `${Math.max(1, ((Math.abs(growth) || (size ?? 0)) / this.most) * 100)}%`;
    const what = [folder && files !== undefined ? showCount(files, "file", "files") : "", was === undefined ? "" : `${showBytes(was)} → ${showBytes(size ?? 0)}`,
      from === undefined ? "" : `from ${from}`].filter(Boolean);
    const around = parentOf(path).split("/").slice(1).join(" / ");
    const button = make("button", { type: "button", class: folder ? "folder" : "file",
      title: [path, change, modified === undefined ? "" : showTime(modified)].filter(Boolean).join("\n"), onclick: () => this.fly(item) },
    make("i", { class: change, "aria-label": change }, marks[change]),
    make("span", { class: "name" }, nameOf(path) + (folder ? "/" : ""), make("small", {}, [around, ...what].filter(Boolean).join(" · "))));
    button.dataset.name = rawPath ?? `${path} ${change}`;
    return make("li", {}, button, make("span", { class: `facts ${change === "moved" ? "" : isLess ? "less" : "more"}` }, amount, bar));
  }

  /** Goes to a row's place; where the state that is shown doesn't have it, to both. */
  fly({ path, rawPath, change }) {
    if (partsAt(this.layer.moment)[change === "removed" ? "old" : "new"] < 0.5) this.stop(0.5);
    if (innerWidth <= 640) this.fold();
    this.open(path, true, rawPath);
  }

  // MARK: From the old state to the new

  stop(moment) {
    cancelAnimationFrame(this.frame);
    this.set(moment);
  }

  /** From where it is to the new state, or from there to the old one. */
  play() {
    cancelAnimationFrame(this.frame);
    const from = this.layer.moment;
    const to = from === 0 || (from < 1 && this.goal === 1) ? 1 : 0;
    this.goal = to;
    if (this.view.isCalm) {
      this.set(to);
      return;
    }
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(1, ((now - start) / PLAY) / Math.max(0.2, Math.abs(to - from)));
      this.set(from + (to - from) * part);
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  set(moment) {
    const before = this.shown;
    this.layer.moment = Math.max(0, Math.min(1, moment));
    this.slider.value = String(Math.round(this.layer.moment * 100));
    this.say();
    if (this.shown !== before) this.retile();
    else this.view.ask();
  }

  /** Says which state is shown. */
  say() {
    const at = [0, 0.5, 1].indexOf(this.shown);
    this.ends.forEach((button, index) => button.setAttribute("aria-pressed", String(index === at)));
    this.slider.setAttribute("aria-valuetext", ["the old state", "both states", "the new state"][at]);
  }

  /** Has the tiles at hand show what is in the state that is shown. */
  retile() {
    for (const entry of this.tiles.all.values()) {
      if (!entry.data) continue;
      entry.data = this.tile(entry.data.told ?? entry.data);
      entry.version += 1;
    }
    this.view.restyle();
  }

  // MARK: On and off

  fold() {
    this.element.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.view.restyle();
  }

  toggle() {
    const isHidden = this.element.hidden && this.layer.isOn;
    this.layer.isOn = isHidden || !this.layer.isOn;
    this.element.hidden = !this.layer.isOn;
    this.button.setAttribute("aria-expanded", String(this.layer.isOn));
    this.say();
    this.onswitch(this.layer.isOn);
    this.retile();
  }

  /** How the panel lists what is in a folder: each entry that differs with a sign, with words and with by how much. */
  get entries() {
    return { orders: { change: byChange }, dress: (child, item) => {
      const fate = fateOf(child);
      if (!fate) return;
      const { change, growth, words } = fate;
      const size = item.querySelector("button + span");
      item.prepend(make("i", { class: change, "aria-hidden": "true" }, marks[change]));
      size.replaceWith(make("span", { class: "differs", title: size.textContent && `${size.textContent} ${child.kind === "poi" ? "in all" : "below"}` },
        make("span", { class: `fate ${change}` }, words), " ",
        make("strong", { class: `growth ${growth < 0 ? "less" : "more"}` }, Number.isNaN(growth ?? NaN) ? "" : showGrowth(growth))));
    } };
  }

  /** There may be other differences than before. */
  summed() { this.load(); }

  /** What a folder has in both states, and what a file was, for the panel. */
  sections({ feature: { properties }, states }) {
    const { change, below, was, from, to, size } = properties;
    const lines = [];
    const sides = states ?? (change === "changed" ? [{ bytes: was?.size }, { bytes: size }] : null);
    if (sides?.[0].bytes !== undefined && sides[1].bytes !== undefined) {
      const growth = sides[1].bytes - sides[0].bytes;
      lines.push(make("p", { class: "sizes" }, make("span", { class: "was", title: "in the old state" }, change === "added" ? "—" : showBytes(sides[0].bytes)), " → ",
        make("strong", { title: "in the new state" }, change === "removed" ? "—" : showBytes(sides[1].bytes)),
        make("span", { class: `growth ${growth < 0 ? "less" : "more"}` }, showGrowth(growth))));
    }
    if (states && states[0].files !== states[1].files) {
      lines.push(make("p", { class: "soft" }, `${states[0].files.toLocaleString("en")} → ${showCount(states[1].files, "file", "files")} below`));
    }
    if (below) {
      const words = kindsOfChange.filter((kind) => below[kind]).map((kind) => make("span", { class: `chip ${kind}` }, `${below[kind].toLocaleString("en")} ${kind}`));
      if (words.length > 0) lines.push(make("p", { class: "row" }, ...words));
    }
    if (change) {
      const words = { added: "It is new.", removed: "It is gone: this is where it was.", changed: "It has changed.", moved: "It was elsewhere: ", left: "It is elsewhere now: " };
      const other = from ?? to;
      const raw = properties.rawFrom ?? properties.rawTo;
      lines.push(make("p", { class: `fate ${change}` }, words[change],
        ...(other ? [make("button", { type: "button", class: "crumb", onclick: () => this.open(other, true, raw) }, other)] : []),
        ...(change === "changed" && was?.modified !== undefined ? [make("span", { class: "soft" }, ` Before: ${showTime(was.modified)}.`)] : []),
        ...(was?.special ? [make("span", { class: "soft" }, ` It was a ${was.special === "regular" ? "regular file" : was.special}.`)] : [])));
    }
    return lines.length > 0 ? [make("section", { class: "difference" }, ...lines)] : [];
  }

  drawLegend() {
    this.legend.replaceChildren(...changeSamples(this.palette.isDark).filter(({ arc }) => !arc || this.teller.kinds.includes("moved")).map(({ fill, line, dash, hatch, arc, word }) => {
      const sample = make("canvas", { width: 26, height: 15, "aria-hidden": "true" });
      const pen = sample.getContext("2d");
      if (arc) {
        pen.strokeStyle = arc;
        pen.lineWidth = 1.5;
        pen.beginPath();
        pen.moveTo(3, 12);
        pen.quadraticCurveTo(13, -4, 23, 11);
        pen.stroke();
      } else {
        pen.fillStyle = fill;
        pen.fillRect(0, 0, 26, 15);
        if (hatch) {
          pen.strokeStyle = hatch;
          pen.beginPath();
          for (let x = -15; x < 26; x += 5) {
            pen.moveTo(x, 0);
            pen.lineTo(x + 15, 15);
          }
          pen.stroke();
        }
        pen.strokeStyle = line;
        pen.lineWidth = 2;
        pen.setLineDash(dash ?? []);
        pen.strokeRect(1, 1, 24, 13);
      }
      return make("li", {}, sample, word);
    }));
  }
}
