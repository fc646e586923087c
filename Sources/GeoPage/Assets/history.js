// A page that plays a history: its time line over the world of all that was ever there.
import { byId } from "./geo.js";
import { fitterOf, matchOrders } from "./lights.js";
import { page } from "./main.js";
import { TimeBar } from "./timebar.js";
import { TimeLayer } from "./timelayer.js";
import { NOT_YET, THERE, Timeline } from "./timeline.js";

/** The rows of the history: those that the page brings with it, or the server's; null if they are those of before. */
let historyTag = null;
async function historyText() {
  const element = byId("world-time");
  if (element) {
    const text = element.textContent;
    element.remove();
    return text;
  }
  const response = await fetch("/history", { cache: "no-cache" });
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  const tag = response.headers.get("etag");
  if (tag !== null && tag === historyTag) return null;
  historyTag = tag;
  return response.text();
}

/** Has search and the light table find what is there at the moment, and the map name nothing else. */
function bindToMoment(layer) {
  const { source, view, table } = page;
  const isThere = (path) => [false, true].some((isFolder) => {
    const node = layer.timeline.node(path, isFolder);
    return node !== undefined && layer.timeline.presence(node, layer.state) === THERE;
  });
  const search = source.search.bind(source);
  source.search = (text, limit, signal, found) => search(text, limit, signal, (result) => { if (isThere(result.path)) found(result); });
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
  // What is below lands is told of all time: not of this moment.
  view.labels.noteOf = () => "";
  view.labels.isThere = (thing) => layer.presence(thing) !== NOT_YET;
  let [seen, timer] = [layer.state, 0];
  return () => {
    if (seen === layer.state || !table.isOpen || timer) return;
    timer = setTimeout(() => {
      [seen, timer] = [layer.state, 0];
      if (table.isOpen) table.look(table.wanted);
    }, 400);
  };
}

async function showHistory() {
  const note = byId("note");
  try {
    const timeline = await Timeline.read(await historyText());
    const layer = new TimeLayer(page.view, timeline);
    const follow = bindToMoment(layer);
    page.view.time = layer;
    const again = () => new TimeBar(page, layer, "history", { title: "Time line of the history" });
    layer.onseek = follow;
    const shown = { bar: again(), again, layer, get timeline() { return layer.timeline; } };
    globalThis.geomapper.time = shown;
    page.view.restyle();
    page.fit();
    const renew = async () => {
      const text = await historyText().catch(() => null);
      if (text === null) return;
      shown.bar.renew(await Timeline.read(text));
      page.view.tiles.refresh(0, 0, 1, 1);
      page.view.restyle();
    };
    page.source.onhistory = renew;
    // Nobody has listened meanwhile.
    document.addEventListener("visibilitychange", () => { if (page.source.isLive && document.visibilityState === "visible") renew(); });
  } catch (error) {
    note.textContent = `the history can't be shown: ${error.message}`;
  }
}

await showHistory();
