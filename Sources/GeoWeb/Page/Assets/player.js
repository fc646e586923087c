// The player of recordings: events on the map, at their times and places, also on land known only from the recording.
import { boxOfPlaces, byId, showBytes, showCount } from "./geo.js";
import { project } from "./mercator.js";
import { TimeBar } from "./timebar.js";
import { TimeLayer } from "./timelayer.js";
import { ADDED, CHANGED, REMOVED, Timeline } from "./timeline.js";
import { ToldLand } from "./toldland.js";

const recordedKinds = { created: ADDED, deleted: REMOVED };

/** The text of an event without a place, and its name. */
function recordedWords({ type, data = {}, description }) {
  if (type === "sample") return [type, `${data.path}: ${showCount(data.files ?? 0, "file", "files")}, ${showBytes(data.bytes ?? 0)}`];
  if (type === "error") return [type, description ?? ""];
  if (type === "alert") return [`alert ${data.state ?? ""}`, `${data.name || data.path}: ${data.rule ?? ""}`];
  if (type === "gap") return [type, "events were lost"];
  return [type, type === "pause" ? "nothing is recorded" : "it goes on"];
}

/** The node of an event: a file has another one wherever it is. */
function nodeOf(timeline, path, lon, lat) {
  const known = timeline.node(path, false);
  const { x, y } = project(lon, lat);
  return known !== undefined && timeline.x[known] === x && timeline.y[known] === y ? known : timeline.addNode(path, false, lon, lat);
}

/** The time line of a recording: one state per event. */
function timelineOf({ metadata, events, start, name }) {
  const places = events.filter(({ type }) => type === "location");
  // Without paths it is a single track, such as a person's.
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
    timeline.addChange(nodeOf(timeline, data.path ?? "", longitude, latitude), recordedKinds[data.change] ?? CHANGED, data.size);
  }
  return timeline.finish();
}

/** The recorded folders on the map: `all` with their contents, their `continents`, or none. */
async function onMap(page, labels) {
  const known = new Map((await page.source.roots().catch(() => [])).map((root) => [root.label ?? root.feature?.properties.path, root]));
  for (const label of labels) {
    if (!known.has(label)) return "";
    const node = await page.source.node(label, undefined, 0).catch(() => null);
    if (!(node?.feature.properties.size > 0)) return "continents";
  }
  return "all";
}

/** Plays a recording; the previous one goes on until it is ready. */
export async function openRecording(recording, page) {
  const { metadata, events, fault, name, speed } = recording;
  if (events.length === 0) throw new Error("there is nothing in the recording to play");
  const { view } = page;
  const timeline = timelineOf(recording);
  const known = await onMap(page, metadata.roots ?? []);
  const told = known === "all" ? null : new ToldLand(view, timeline, known === "continents");
  const layer = new TimeLayer(view, timeline, { told });
  // Below it is the page's own time line.
  const below = page.time?.again ? page.time : (page.time?.below ?? null);
  page.time?.bar.remove();
  const played = { layer, timeline, below };
  page.play(played);
  played.bar = new TimeBar(page, layer, "recording", { title: metadata.name || name, speed, close() {
    page.play(below);
    below?.again();
    view.restyle();
  } });
  if (fault) byId("note").textContent = `${name}: ${fault}`;
  fitRecording(page, timeline);
  view.restyle();
}

/** Shows the whole recording, unless the address has a view. */
function fitRecording(page, timeline) {
  if (/^#?-?[\d.]+\/-?[\d.]+\//.test(location.hash) && timeline.nodeCount === 0) return;
  const { camera } = page.view;
  const box = boxOfPlaces(Array(timeline.nodeCount).keys(), timeline.x, timeline.y);
  if (box[0] > box[2]) return;
  const inView = camera.toScreen(box[0], box[1]).concat(camera.toScreen(box[2], box[3]));
  const isSeen = inView[0] > 0 && inView[1] > 0 && inView[2] < camera.width && inView[3] < camera.height;
  if (!isSeen) page.fit(true);
}
