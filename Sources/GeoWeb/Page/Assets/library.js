// The library of tracks, points and settings, loaded on demand.
import { Deletion } from "./deletion.js";
import { openFiles, Shelf } from "./files.js";
import { boxOfBoxes, byId, isNarrow, keptIn, make, showCount, showDistance, showNumber, showTime } from "./geo.js";
import { MAXIMUM_ADDED, Places } from "./places.js";
import { measure } from "./polylines.js";
import { Profile } from "./profile.js";
import { diagnostics, help, Settings } from "./settings.js";
import { MAXIMUM_SHOWN, TrackLayer } from "./tracklayer.js";

const DATED = /^(geo_log_)?(\d{4})-(\d\d)-(\d\d)(?:[_T ](\d\d)[-:.](\d\d)(?:[-:.](\d\d))?)?[_ -]*/;

/** The date at the start of a file name, with the time if given, and the rest as a title. */
function datedName(name) {
  const bare = name.replace(/\.(gpx|json|jsonl|geojson)$/i, "");
  const found = DATED.exec(bare);
  if (!found) return { title: bare };
  const [all, log, year, month, day, hour, minute, second] = found;
  const date = new Date(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0));
  if (date.getMonth() !== Number(month) - 1 || date.getDate() !== Number(day)) return { title: bare };
  const time = hour === undefined ? "" : ` ${hour}:${minute}${second === undefined ? "" : `:${second}`}`;
  return { date: date.getTime(), subtitle: `${year}-${month}-${day}${time}`, title: bare.slice(all.length) || (log ? "Recording" : "") };
}

const dayOf = (time) => showTime(time / 1000).slice(0, 10);

class Library {
  constructor(page, shelf, heads) {
    Object.assign(this, { page, shelf, heads });
    this.settings = new Settings();
    this.layer = new TrackLayer(page, this.settings);
    this.places = new Places(page, this.settings);
    this.deletion = new Deletion(page);
    this.profile = new Profile(page, this.layer, {
      choose: (shown) => { this.layer.choose(shown); this.profile.draw(); },
      hide: (shown) => this.hide(shown),
      fly: ({ lon, lat }) => page.goTo([lon, lat, lon, lat], page.view.camera.z),
    });
    Object.assign(this, { isSeveral: false, asked: 0, faults: [] });
    this.element = this.makeList();
    page.view.ask();
  }

  makeList() {
    const input = make("input", { type: "file", multiple: "", class: "unseen", "aria-label": "Tracks to open", tabindex: "-1",
      accept: ".gpx,.json,.jsonl,.geojson,application/gpx+xml,application/json,application/geo+json",
      onchange: () => { this.open([...input.files]); input.value = ""; } });
    this.several = make("button", { class: "chip", "aria-pressed": "false", onclick: () => this.setSeveral(!this.isSeveral) }, "Several at once");
    this.query = make("input", { type: "search", placeholder: "Search tracks", "aria-label": "Search tracks", oninput: () => this.draw() });
    this.list = make("div", {});
    this.message = make("div", { role: "status" });
    return make("div", { class: "library" },
      make("div", { class: "row" }, make("button", { class: "chip", onclick: () => input.click() }, "Open files…"), this.several, input),
      this.query, this.message, this.list);
  }

  pane() {
    this.draw();
    return this.element;
  }

  draw() {
    const wanted = this.query.value.trim().toLowerCase();
    const heads = this.heads.filter(({ title, subtitle, file }) => `${title} ${subtitle} ${file}`.toLowerCase().includes(wanted))
      .sort((a, b) => b.date - a.date || (a.title < b.title ? -1 : 1));
    const groups = new Map();
    for (const head of heads) keptIn(groups, head.star ? "Starred" : String(new Date(head.date).getFullYear()), () => []).push(head);
    const names = [...groups.keys()].sort((a, b) => (a === "Starred" ? -1 : b === "Starred" ? 1 : b - a));
    const focus = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.query.hidden = this.heads.length < 2;
    this.list.replaceChildren(...names.flatMap((name) => [make("h3", {}, name),
      make("ul", { class: "entries" }, ...groups.get(name).map((head) => this.row(head)))]));
    if (heads.length === 0) this.list.append(make("p", { class: "soft" }, this.heads.length > 0 ? "No track is called so."
      : "None yet: drop files on the map, or open them: GPX, GeoJSON, tracks as JSON, recordings."));
    if (!this.shelf.isKept) this.list.append(make("p", { class: "soft" }, "This browser keeps nothing for this page: tracks last as long as it is open."));
    if (focus) [...this.list.querySelectorAll("button")].find(({ dataset }) => dataset.key === focus)?.focus({ preventScroll: true });
  }

  row(head) {
    const shown = this.layer.shown.find((one) => one.head.id === head.id);
    const swatch = make("span", { class: "swatch", style: shown ? { background: this.layer.colourOf(shown, head.isPlan) } : {} });
    const says = [head.subtitle, head.length > 0 && showDistance(head.length), head.isPlan && "planned", head.isRecording && "recording",
      head.points === 0 && head.places > 0 && showCount(head.places, "point", "points")].filter(Boolean).join(" · ");
    const button = (key, word, label, act, more = {}) => make("button", { class: "chip", "aria-label": `${label} ${head.title}`, title: label,
      dataset: { key: `${key} ${head.id}` }, onclick: act, ...more }, word);
    if (this.renamed === head) return make("li", {}, this.nameField(head));
    const tap = make("button", { class: "title", "aria-pressed": String(Boolean(shown)), dataset: { key: `tap ${head.id}` },
      onclick: (event) => this.tap(head, event.ctrlKey || event.metaKey) }, swatch, head.title, make("small", {}, says));
    return make("li", {}, tap,
      button("star", "★", "Star of", () => this.change(head, { star: !head.star }), { class: "chip star", "aria-pressed": String(Boolean(head.star)) }),
      button("name", "✎", "Rename", () => { this.renamed = head; this.draw(); this.list.querySelector("input").select(); }),
      button("gone", "×", "Delete", () => this.delete(head)),
      ...(head.places > 0 ? [button("points", "Add to points", "Add to points:", () => this.addToPoints(head), { class: "chip own-line",
        title: `Add ${showCount(head.places, "waypoint", "waypoints")} to the points` })] : []));
  }

  nameField(head) {
    const field = make("input", { type: "text", "aria-label": "New name", maxlength: "200", value: head.title, onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      leave(event.key === "Enter");
    }, onblur: () => leave(true) });
    const leave = (keeps) => {
      if (this.renamed !== head) return;
      this.renamed = null;
      const title = field.value.trim();
      if (keeps && title !== "") this.change(head, { title });
      else this.draw();
    };
    return field;
  }

  say(text, ...more) {
    this.message.replaceChildren(...(text ? [make("p", { class: "soft" }, text, ...more)] : []), ...this.faults.map((fault) => make("p", { class: "fault" }, fault)));
  }

  setSeveral(isSeveral) {
    this.isSeveral = isSeveral;
    this.several.setAttribute("aria-pressed", String(isSeveral));
  }

  /** Toggles a track and fits the view to it; the last of several taps wins. */
  async tap(head, adds = false) {
    const number = (this.asked += 1);
    const old = this.layer.shown.find((one) => one.head.id === head.id);
    if (old) return this.hide(old);
    const lines = await this.shelf.lines(head.id).catch(() => undefined);
    if (number !== this.asked) return undefined;
    if (!lines) return this.say(`${head.title} can't be read: the browser has lost it.`);
    if (!this.isSeveral && !adds) this.layer.clear();
    this.show(head, lines);
    this.fit();
    // It covers a small screen.
    if (isNarrow()) this.page.drawer.close();
    return undefined;
  }

  show(head, lines) {
    this.layer.show(head, lines);
    this.profile.draw();
    this.draw();
  }

  fit() {
    const box = boxOfBoxes(this.layer.shown.map(({ head }) => head.box).filter(Boolean));
    if (box) this.page.goTo(box);
  }

  hide(shown) {
    this.asked += 1;
    this.layer.hide(shown);
    this.profile.draw();
    this.draw();
  }

  /** Adds the waypoints of a track to the points, without duplicates. */
  async addToPoints(head) {
    const all = await this.shelf.lines(head.id).catch(() => undefined);
    if (!all) return this.say(`${head.title} can't be read: the browser has lost it.`);
    const waypoints = showCount(all.places.length, "waypoint", "waypoints");
    if (all.places.length > MAXIMUM_ADDED) return this.say(`${head.title} has ${waypoints}. At most ${showNumber(MAXIMUM_ADDED)} can be added to the points.`);
    const { added, isKept } = this.places.addAll(all.places);
    if (added.length === 0) return this.say(`The points already have the ${waypoints} of ${head.title}.`);
    const warning = isKept ? "" : "The browser has no room to keep them: they last as long as the page is open. ";
    return this.say(`Added ${showCount(added.length, "waypoint", "waypoints")} of ${head.title} to the points. ${warning}`,
      make("button", { class: "crumb", onclick: () => {
        this.places.removeAll(added);
        this.say("");
      } }, "Undo"));
  }

  async change(head, parts) {
    Object.assign(head, parts);
    this.draw();
    if (this.layer.shown.length > 0) this.profile.draw();
    await this.shelf.put(head);
  }

  async delete(head) {
    const lines = await this.shelf.lines(head.id).catch(() => undefined);
    const shown = this.layer.shown.find((one) => one.head.id === head.id);
    this.heads = this.heads.filter((one) => one !== head);
    if (shown) this.hide(shown);
    else this.draw();
    const gone = this.shelf.delete(head.id);
    if (lines) this.say(`${head.title} is deleted. `, make("button", { class: "crumb", onclick: async () => {
      await gone;
      this.heads.push(head);
      await this.shelf.put(head, lines);
      this.say("");
      this.draw();
    } }, "Undo"));
    await gone;
  }

  async clear() {
    this.layer.clear();
    this.page.points.remove(this.page.points.all);
    this.page.points.save();
    for (const { id } of this.heads) await this.shelf.delete(id);
    this.heads = [];
    this.profile.draw();
    this.places.changed();
    this.draw();
    this.page.note("all tracks and points are removed");
  }

  async open(files) {
    const opened = [];
    this.faults = [];
    await openFiles(files, this.page, {
      took: async (file, read) => opened.push(await this.add(file, read)),
      failed: (file, reason) => this.faults.push(`${file.name}: ${reason}`),
    });
    if (opened.length > 1) this.setSeveral(true);
    if (!this.isSeveral) this.layer.clear();
    for (const { head, lines } of opened.slice(-MAXIMUM_SHOWN)) this.show(head, lines);
    if (opened.length > 0) this.fit();
    const unkept = opened.filter(({ isKept }) => !isKept).length;
    this.say(unkept > 0 && this.shelf.isKept ? `The browser has no room for ${showCount(unkept, "track", "tracks")}: as long as the page is open they are there.` : "");
    this.draw();
    if (this.faults.length > 0) byId("spoken").textContent = this.faults.join("; ");
    if (this.faults.length > 0 || opened.length > 1) this.page.drawer.open("tracks");
  }

  /** Adds a file; a known one replaces itself. */
  async add(file, read) {
    const { lines, places, count, name, recording } = read;
    const { box, length, climb, descent, highest, duration } = measure(lines, places);
    const dated = datedName(file.name);
    const date = dated.date ?? file.lastModified;
    const id = `${file.name}|${file.size}|${file.lastModified}`;
    const old = this.heads.find((one) => one.id === id);
    const title = this.ownTitle((recording ? name || dated.title : dated.title || name) || "Track", old);
    const head = { id, file: file.name, title, date, subtitle: dated.subtitle ?? dayOf(date), star: false, length, box, climb, descent,
      highest, duration, points: count, places: places.length, isPlan: lines.some(({ kind }) => kind === "route"), isRecording: Boolean(recording), ...(old && { star: old.star, title: old.title }) };
    this.heads = [...this.heads.filter((one) => one !== old), head];
    const all = { lines, places, samples: recording?.samples };
    return { head, lines: all, isKept: await this.shelf.put(head, all) };
  }

  ownTitle(title, old) {
    const taken = new Set(this.heads.filter((one) => one !== old).map((one) => one.title));
    let own = title;
    for (let number = 2; taken.has(own); number += 1) own = `${title} (${number})`;
    return own;
  }

  settingsPane() {
    return this.settings.form(this.page, {
      changed: () => this.profile.draw(),
      reset: () => { this.profile.draw(); this.page.drawer.draw(); },
      clear: () => this.clear().then(() => this.page.drawer.draw()),
    });
  }

  helpPane() { return help(); }
  diagnosticsPane() { return diagnostics(this.page, this.shelf); }
}

let library;

export function openLibrary(page) {
  library ??= Shelf.open(page.store.key).then(async (shelf) => new Library(page, shelf, await shelf.heads().catch(() => [])));
  return library;
}
