// A page that plays a history: a time line over the world of all states, and answers for the current moment.
import { readAddress } from "./address.js";
import { byId, keptIn, make, nameOf } from "./geo.js";
import { Layer, layers } from "./layers.js";
import { parts } from "./lazy.js";
import { page } from "./main.js";
import { Matches } from "./searches.js";
import { MomentSums, trendsOf } from "./momentsums.js";
import { fileType } from "./palette.js";
import { TimeBar } from "./timebar.js";
import { TimeLayer } from "./timelayer.js";
import { ADDED, GONE, NOT_YET, REMAINED, REMOVED, THERE, Timeline } from "./timeline.js";
import { clockOf, showMoment } from "./timescale.js";
import { isRuin } from "./timetiles.js";

/** A node as of the moment: sizes, contents and totals. Removed nodes are as they were last; future ones are empty. */
function nodeAt(answer, { timeline, state, span }) {
  const { properties } = answer.feature;
  const isFolder = properties.kind !== "poi";
  const number = timeline.node(properties.path, isFolder);
  if (number === undefined) return answer;
  const presence = timeline.presence(number, state);
  const version = timeline.version(number, state);
  const moment = { number, presence, version };
  const isGone = presence !== THERE;
  const at = (more) => ({ ...answer.feature, properties: { ...properties, ...more } });
  if (!isFolder) {
    const known = version < 0 ? { size: undefined, modified: undefined } : fileAt(timeline, number, version, properties);
    return { ...answer, feature: at(known), moment, isGone };
  }
  // Show a removed folder as it was before.
  const then = presence === GONE ? timeline.states[timeline.lastChange(number, state)] - 1 : state;
  const known = new Map((answer.children?.shown ?? []).map((child) => [`${child.name}${child.kind === "poi" ? "" : "/"}`, child]));
  const shown = [];
  // When comparing, list the contents of both moments.
  for (const node of timeline.nodesIn(number, then, ...(span?.comparison ? [span.comparison.before, span.comparison.after] : []))) {
    const name = nameOf(timeline.paths[node]);
    if (timeline.isFolder[node]) {
      const { files, bytes, newest } = timeline.sumsOf(node, then);
      shown.push({ kind: "district", ...known.get(`${name}/`), name, files, bytes, newest });
    } else {
      const { size, modified } = fileAt(timeline, node, timeline.version(node, then), {});
      shown.push({ kind: "poi", type: fileType(name), ...known.get(name), name, size, newest: modified });
    }
  }
  const folders = shown.filter(({ kind }) => kind !== "poi").length;
  const children = { total: shown.length, folders, files: shown.length - folders, shown };
  return { ...answer, feature: at({ size: shown.length, modified: undefined }), moment, isGone, children, isLive: false,
    totals: presence === NOT_YET ? undefined : timeline.sumsOf(number, then) };
}

function fileAt(timeline, node, version, { modified }) {
  const size = timeline.sizes[version];
  const isLast = timeline.version(node, timeline.stateCount) === version;
  return { size: Number.isNaN(size) ? undefined : size, modified: (isLast ? modified : undefined) ?? timeline.times[timeline.states[version]] };
}

function thingAt(thing, { timeline, state }) {
  const number = timeline.node(thing.path, thing.kind !== "poi");
  if (number === undefined) return thing;
  const { files, bytes } = timeline.sumsOf(number, state);
  const isThere = timeline.presence(number, state) === THERE;
  return { ...thing, size: isThere ? bytes : undefined, bytes: isThere ? bytes : undefined, files };
}

function momentSection({ moment }, { timeline, layer, wordsOf, go }) {
  if (!moment) return [];
  const { number, presence, version } = moment;
  const { state } = layer;
  const next = timeline.changesAfter(number, state);
  const [first, end] = [timeline.nodeFirsts[number], timeline.nodeFirsts[number + 1]];
  const when = (change) => showMoment(timeline.times[timeline.states[change]], clockOf(timeline));
  const leap = (word, change, title) => make("button", { class: "crumb", title,
    onclick: () => go(timeline.times[timeline.states[change]], timeline.states[change]) }, word);
  const to = (place) => timeline.nodeChanges[place];
  const lines = [];
  if (presence === NOT_YET) {
    lines.push(make("p", { class: "change-label" }, "Not there yet", ...(next < end ? [": it comes ", leap(when(to(next)), to(next), wordsOf(timeline.states[to(next)]))] : [])));
  } else if (presence === GONE) {
    const change = to(next - 1);
    lines.push(make("p", { class: "change-label removed" }, "Gone since ", leap(when(change), change, wordsOf(timeline.states[change])), ": this is how it was before."));
  } else {
    const words = { [ADDED]: "As it came", [REMAINED]: "There by" };
    const word = timeline.isFolder[number] && timeline.kinds[version] !== REMAINED ? "There since" : words[timeline.kinds[version]] ?? "As changed";
    lines.push(make("p", { class: "change-label" }, `${word} `, leap(when(version), version), make("span", { class: "soft" }, ` ${wordsOf(timeline.states[version])}`)));
  }
  const steps = [next - first > 1 && leap("‹ change before", to(next - 2)), next < end && next > first && leap(timeline.kinds[to(next)] === REMOVED ? "how it goes ›" : "next change ›", to(next))];
  if (steps.some(Boolean)) lines.push(make("p", { class: "row" }, ...steps.filter(Boolean)));
  return [make("section", { class: "moment" }, ...lines)];
}

/** The delay of lists before an update, in milliseconds: while playing, and otherwise. */
const LIST_PAUSES = [500, 60];
const SUM_PAUSES = [450, 20]; // the delay of sums before an update, likewise
const MAXIMUM_KEPT = 60; // the maximum number of cached answers, which save requests while playing

class HistoryLayer extends Layer {
  isSized = true;

  constructor(layer) {
    super();
    this.layer = layer;
    this.sums = new MomentSums(layer.timeline);
    Object.assign(this, { summedFor: -2, summing: 0, kept: new Map() });
    /** The state that lists show, and the timer of the next update. */
    Object.assign(this, { seen: layer.state, timer: 0, span: null });
    layers.add(this);
    const history = this;
    this.played = { layer, again: () => this.makeBar(), settle: () => this.settle(), get timeline() { return layer.timeline; }, get span() { return history.span; } };
    page.play(this.played);
    this.makeBar();
  }

  makeBar() {
    this.played.bar = new TimeBar(page, this.layer, "history", { title: "Time line of the history", compare: (since) => this.compare(since) });
  }

  async search(ask, text, limit, signal, found) {
    const { timeline, state } = this.layer;
    const isThere = (path) => [false, true].some((isFolder) => {
      const node = timeline.node(path, isFolder);
      return node !== undefined && timeline.presence(node, state) === THERE;
    });
    const seen = new Set();
    const end = await ask(text, limit, signal, (result) => {
      if (!isThere(result.path)) return;
      seen.add(result.path);
      found(result);
    });
    // Few of the best matches of all times may exist now: look for others of the name.
    let matches = 0;
    for (const result of signal.aborted ? [] : timeline.named(text, state)) {
      matches += 1;
      if (seen.size < limit && !seen.has(result.path)) found(result);
    }
    return { ...end, matches: Math.max(matches, seen.size) };
  }

  async matches(ask, wanted, options, signal, report) {
    const { timeline, time, state } = this.layer;
    const matches = new Matches(wanted, { ...options, now: time }, report);
    for (const file of timeline.filesIn(state)) matches.add(file.folder, [file]);
    if (!signal.aborted) matches.flush(true);
  }

  async node(ask, path, raw, children) {
    const key = `${children} ${raw ?? path}`;
    const answer = this.kept.get(key) ?? await ask(path, raw, children);
    if (answer) keptIn(this.kept, key, () => answer, MAXIMUM_KEPT);
    return answer && nodeAt(answer, this.layer);
  }

  async summary(ask, path) {
    await this.sums.reach(this.layer);
    return this.sums.summary(path);
  }

  trends(path) {
    const { timeline } = this.layer;
    if (this.grownIn !== timeline) [this.grownIn, this.grown] = [timeline, new Map()];
    return keptIn(this.grown, path, () => trendsOf(timeline, path));
  }

  thing(found) { return thingAt(found, this.layer); }

  isThere(thing) {
    const presence = this.layer.presence(thing);
    return presence === THERE || (presence === GONE && thing.kind !== "poi" && isRuin(this.layer, this.layer.timeline.node(thing.path, true)));
  }

  isStanding(thing) { return this.layer.presence(thing) === THERE; }

  islets(root, isEver) {
    const { timeline } = this.layer;
    const folder = timeline.node(root, true);
    if (folder === undefined) return undefined;
    const places = [];
    for (const node of timeline.childrenOf(folder)) {
      if (!timeline.isFolder[node] && (isEver || this.layer.presenceOf(node) === THERE)) places.push(timeline.x[node], timeline.y[node]);
    }
    return places;
  }

  /** Totals of lands are of all time, not of this moment. */
  noteOf() { return ""; }

  sections(node) {
    return momentSection(node, { timeline: this.layer.timeline, layer: this.layer, wordsOf: (state) => this.played.bar.wordsOf(state),
      go: (...to) => this.played.bar.go(...to) });
  }

  timeMoved() {
    this.sumUp();
    if (this.seen === this.layer.state || this.timer) return;
    this.timer = setTimeout(() => this.list(), LIST_PAUSES[this.layer.isRunning ? 0 : 1]);
  }

  /** Updates the sums of the level in view; once an update is under way, the next one waits for it. */
  sumUp() {
    if (this.summedFor === this.layer.state || this.summing || this.isSettled) return;
    this.summing = setTimeout(async () => {
      if (this.isSettled) return;
      this.summedFor = this.layer.state;
      await page.level.refresh();
      this.summing = 0;
      this.sumUp();
    }, SUM_PAUSES[this.layer.isRunning ? 0 : 1]);
  }

  /** Brings the sums of the level in view to the moment at once; from then on only when it is called. */
  async settle() {
    this.isSettled = true;
    this.summedFor = this.layer.state;
    await page.level.refresh();
  }

  list() {
    // What is being opened comes first.
    if (page.isOpening()) {
      this.timer = setTimeout(() => this.list(), LIST_PAUSES[1]);
      return;
    }
    [this.seen, this.timer] = [this.layer.state, 0];
    page.showWhere();
    const { table } = page;
    if (table.isOpen) table.search(table.wanted);
    const { path, rawPath } = page.selected()?.feature.properties ?? {};
    if (path !== undefined) page.open(path, false, rawPath, false);
  }

  /** Compares with another moment, or toggles the comparison; null ends it. */
  async compare(since) {
    if (since === null && !this.span) return;
    const { makeSpan } = await parts.span();
    this.span ??= makeSpan(page, this.layer, () => this.renew());
    this.span.attach(this.played.bar);
    if (since === undefined) this.span.toggle();
    else if (since !== null) this.span.open(since);
    else if (this.span.isOn) this.span.toggle();
  }

  renew() {
    this.kept.clear();
    if (this.sums.timeline !== this.layer.timeline) {
      this.sums = new MomentSums(this.layer.timeline);
      this.summedFor = -2;
      this.sumUp();
    }
    this.list();
  }

  /** One renewal at a time; further requests are done once after it. */
  async historyChanged() {
    this.isOld = true;
    if (this.isRenewing) return;
    this.isRenewing = true;
    try {
      while (this.isOld) {
        this.isOld = false;
        await this.renewOnce();
      }
    } finally {
      this.isRenewing = false;
    }
  }

  async renewOnce() {
    const text = await page.source.history().catch(() => null);
    if (text === null) return;
    this.played.bar.renew(await Timeline.read(text));
    this.renew();
    page.view.tiles.refresh(0, 0, 1, 1);
    page.view.restyle();
  }
}

async function showHistory() {
  try {
    const layer = new TimeLayer(page.view, await Timeline.read(await page.source.history()));
    const history = new HistoryLayer(layer);
    // The selection of the address was shown as of all time.
    const { path, raw, view: place } = readAddress(location.hash);
    if (path !== null || raw !== null) page.open(path, !place, raw, false);
    page.view.restyle();
    page.fit();
    if (byId("film")) parts.film().then(({ sendFilm }) => sendFilm(page, page.time));
    // A hidden page gets no events.
    document.addEventListener("visibilitychange", () => { if (page.source.isLive && document.visibilityState === "visible") history.historyChanged(); });
  } catch (error) {
    byId("note").textContent = `the history can't be shown: ${error.message}`;
  }
}

await showHistory();
