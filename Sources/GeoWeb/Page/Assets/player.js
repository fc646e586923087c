// The player of recordings: their events on the map, at their times and places, with the bar of a time line.
import { boxOfPlaces, byId, showBytes, showCount } from "./geo.js";
import { TimeBar } from "./timebar.js";
import { TimeLayer } from "./timelayer.js";
import { ADDED, CHANGED, REMOVED, Timeline } from "./timeline.js";
import { ToldLand } from "./toldland.js";

const recordedKinds = { created: ADDED, deleted: REMOVED };

/** What an event that has no place says, and what it is called. */
function recordedWords({ type, data = {}, description }) {
  if (type === "sample") return [type, `${data.path}: ${showCount(data.files ?? 0, "file", "files")}, ${showBytes(data.bytes ?? 0)}`];
  if (type === "error") return [type, description ?? ""];
  if (type === "alert") return [`alert ${data.state ?? ""}`, `${data.name || data.path}: ${data.rule ?? ""}`];
  if (type === "gap") return [type, "events were lost"];
  return [type, type === "pause" ? "nothing is recorded" : "it goes on"];
}

/** The time line of a recording: a state for each event. */
export function timelineOf({ metadata, events, start, name }) {
  const places = events.filter(({ type }) => type === "location");
  // What has no paths are the ways of somebody.
  const isWay = places.length > 0 && !places.some(({ data }) => data.path);
  const authors = isWay ? [metadata.name || metadata.device || name] : [];
  const timeline = new Timeline(places.length, events.length, places.length, { hasLives: false, authors });
  for (const event of events) {
    const { type, relativeTime, data } = event;
    const time = start / 1000 + relativeTime;
    if (type !== "location") {
      timeline.addState(time, -1, ...recordedWords(event));
      continue;
    }
    const { latitude, longitude } = data.coordinate;
    timeline.addState(time, isWay ? 0 : -1, data.change ?? "", data.path ?? `${latitude}, ${longitude}`);
    const node = timeline.addNode(data.path ?? "", false, longitude, latitude);
    timeline.addChange(node, recordedKinds[data.change] ?? CHANGED, data.size);
  }
  return timeline.finish();
}

/** Which of the folders that were recorded the map has: `all` with what is in them, their `continents`, or nothing. */
async function onMap(page, labels) {
  const known = new Map((await page.source.roots().catch(() => [])).map((root) => [root.label ?? root.feature?.properties.path, root]));
  for (const label of labels) {
    if (!known.has(label)) return "";
    const node = await page.source.node(label, undefined, 0).catch(() => null);
    if (!(node?.feature.properties.size > 0)) return "continents";
  }
  return "all";
}

/** Plays a recording that was read; what was played before is put away until this one is. */
export async function openRecording(recording, page) {
  const { metadata, events, fault, name, speed } = recording;
  if (events.length === 0) throw new Error("there is nothing in the recording to play");
  const { view } = page;
  const timeline = timelineOf(recording);
  const layer = new TimeLayer(view, timeline);
  layer.showsTravellers = timeline.authors.length > 0;
  const labels = metadata.roots ?? [];
  const known = await onMap(page, labels);
  if (known !== "all") layer.told = new ToldLand(view, timeline, known === "continents");
  const before = globalThis.geomapper.time;
  const below = before?.below ?? before;
  before?.bar.remove();
  view.time = layer;
  const bar = new TimeBar(page, layer, "recording", { title: metadata.name || name, speed, close() {
    view.time = below?.layer ?? null;
    globalThis.geomapper.time = below;
    if (below) below.bar = below.again();
    view.restyle();
  } });
  globalThis.geomapper.time = { bar, layer, timeline, below };
  if (fault) byId("note").textContent = `${name}: ${fault}`;
  fitRecording(page, timeline);
  view.restyle();
}

/** Goes where all of a recording is to be seen, unless the address says where to look. */
function fitRecording(page, timeline) {
  if (/^#?-?[\d.]+\/-?[\d.]+\//.test(location.hash) && timeline.nodeCount === 0) return;
  const { camera } = page.view;
  const box = boxOfPlaces(timeline.x.keys(), timeline.x, timeline.y);
  if (box[0] > box[2]) return;
  const inView = camera.toScreen(box[0], box[1]).concat(camera.toScreen(box[2], box[3]));
  const isSeen = inView[0] > 0 && inView[1] > 0 && inView[2] < camera.width && inView[3] < camera.height;
  if (!isSeen) page.fit(true);
}
