// A page that plays a history: its time line over the world of all that was ever there.
import { readAddress } from "./address.js";
import { extras } from "./extras.js";
import { byId } from "./geo.js";
import { fitterOf, matchOrders } from "./lights.js";
import { parts } from "./lazy.js";
import { page } from "./main.js";
import { momentSection, nodeAt, thingAt } from "./moment.js";
import { TimeBar } from "./timebar.js";
import { TimeLayer } from "./timelayer.js";
import { NOT_YET, THERE, Timeline } from "./timeline.js";

/** How long what lists the moment waits for the next one, in milliseconds: while time runs, and else. */
const LIST_PAUSES = [500, 60];
/** How many answers are kept, so that nobody is asked again while time runs. */
const MOST_KEPT = 60;

/** The rows of the history: those that the page brings with it, a site's, or the server's; null if they are those of before. */
let historyTag = null;
async function historyText() {
  const element = byId("world-time");
  if (element) {
    const text = element.textContent;
    element.remove();
    return text;
  }
  if (page.source.history) return page.source.history();
  const response = await fetch("/history", { cache: "no-cache" });
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  const tag = response.headers.get("etag");
  if (tag !== null && tag === historyTag) return null;
  // Only what has come whole is known: what breaks off is fetched again.
  const text = await response.text();
  historyTag = tag;
  return text;
}

/** Has search, the light table and the panel tell what is there at the moment, and the map name nothing else. */
function bindToMoment(layer) {
  const { source, view, table } = page;
  const isThere = (path) => [false, true].some((isFolder) => {
    const node = layer.timeline.node(path, isFolder);
    return node !== undefined && layer.timeline.presence(node, layer.state) === THERE;
  });
  const search = source.search.bind(source);
  source.search = async (text, limit, signal, found) => {
    const seen = new Set();
    const end = await search(text, limit, signal, (result) => {
      if (!isThere(result.path)) return;
      seen.add(result.path);
      found(result);
    });
    // Of the best of all times few may be there: what else is so called comes after them.
    if (seen.size < limit && !signal.aborted) {
      for (const result of layer.timeline.named(text, layer.state)) if (!seen.has(result.path)) found(result);
    }
    return end;
  };
  source.matches = async (wanted, { order, limit }, signal, told) => {
    const fits = fitterOf(wanted, layer.time);
    const sums = { files: 0, bytes: 0, lookedAt: 0 };
    const folders = new Map();
    const found = [];
    for (const file of layer.timeline.filesIn(layer.state)) {
      sums.lookedAt += 1;
      if (!fits(file)) continue;
      sums.files += 1;
      sums.bytes += file.size ?? 0;
      found.push(file);
      const folder = folders.get(file.folder) ?? [file.folder, 0, 0];
      folders.set(file.folder, [file.folder, folder[1] + 1, folder[2] + (file.size ?? 0)]);
    }
    if (signal.aborted) return;
    found.sort(matchOrders[order]);
    told({ ...sums, folders: [...folders.values()], found: found.slice(0, limit), done: true, complete: true });
  };
  const kept = new Map();
  const node = source.node.bind(source);
  source.node = async (path, raw, children) => {
    const key = `${children} ${raw ?? path}`;
    let told = kept.get(key);
    if (!told) {
      told = await node(path, raw, children);
      if (kept.size >= MOST_KEPT) kept.clear();
      if (told) kept.set(key, told);
    }
    if (!told) return told;
    const now = nodeAt(told, layer);
    return layer.span?.dress(now) ?? now;
  };
  for (const name of ["hit", "landIn"]) {
    const find = view[name].bind(view);
    view[name] = (...where) => {
      const found = find(...where);
      return found && thingAt(found, layer);
    };
  }
  // What is below lands is told of all time: not of this moment.
  view.labels.noteOf = () => "";
  view.labels.isThere = (thing) => layer.presence(thing) !== NOT_YET;
  let [seen, timer] = [layer.state, 0];
  const list = () => {
    // What somebody opens just now comes first.
    if (page.isOpening()) {
      timer = setTimeout(list, LIST_PAUSES[1]);
      return;
    }
    [seen, timer] = [layer.state, 0];
    page.showWhere();
    if (table.isOpen) table.look(table.wanted);
    const { path, rawPath } = page.selected()?.feature.properties ?? {};
    if (path !== undefined) page.open(path, false, rawPath, false);
  };
  return {
    follow() {
      if (seen === layer.state || timer) return;
      timer = setTimeout(list, LIST_PAUSES[layer.isRunning ? 0 : 1]);
    },
    /** There is another history than before. */
    renew() {
      kept.clear();
      list();
    },
  };
}

async function showHistory() {
  const note = byId("note");
  try {
    const timeline = await Timeline.read(await historyText());
    const layer = new TimeLayer(page.view, timeline);
    const moment = bindToMoment(layer);
    page.view.time = layer;
    let span = null;
    /** Compares the moment with another one, or puts that on and away; with null for a moment, away. */
    const compare = async (since) => {
      if (since === null && !span) return;
      const { makeSpan } = await parts.span();
      if (!span) {
        span = makeSpan(page, layer, moment.renew);
        extras.unshift(span.extra);
      }
      span.attach(shown.bar);
      if (since === undefined) span.toggle();
      else if (since !== null) span.open(since);
      else if (span.isOn) span.toggle();
    };
    const again = () => new TimeBar(page, layer, "history", { title: "Time line of the history", compare });
    layer.onseek = () => {
      moment.follow();
      span?.follow();
    };
    const shown = { bar: again(), again, layer, get timeline() { return layer.timeline; }, get span() { return span; } };
    globalThis.geomapper.time = shown;
    extras.push({ sections: (node) => momentSection(node, { timeline: layer.timeline, layer, wordsOf: (state) => shown.bar.wordsOf(state),
      go: (...to) => shown.bar.go(...to) }) });
    // What the address has had selected was told of all time.
    const { path, raw, view: place } = readAddress(location.hash);
    if (path !== null || raw !== null) page.open(path, !place, raw, false);
    page.view.restyle();
    page.fit();
    const renewOnce = async () => {
      const text = await historyText().catch(() => null);
      if (text === null) return;
      shown.bar.renew(await Timeline.read(text));
      moment.renew();
      page.view.tiles.refresh(0, 0, 1, 1);
      page.view.restyle();
    };
    // One renewal at a time; what is asked for meanwhile is done once after it.
    let isRenewing = false;
    let isAsked = false;
    const renew = async () => {
      isAsked = true;
      if (isRenewing) return;
      isRenewing = true;
      try {
        while (isAsked) {
          isAsked = false;
          await renewOnce();
        }
      } finally {
        isRenewing = false;
      }
    };
    page.source.onhistory = renew;
    // Nobody has listened meanwhile.
    document.addEventListener("visibilitychange", () => { if (page.source.isLive && document.visibilityState === "visible") renew(); });
  } catch (error) {
    note.textContent = `the history can't be shown: ${error.message}`;
  }
}

await showHistory();
