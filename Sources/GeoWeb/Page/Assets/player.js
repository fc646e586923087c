// The player of recordings: events on the map, at their times and places, also on land known only from the recording.
import { boxOfPlaces, boxOfRings, byId, hashText, nameOf, parentOf, showBytes, showCount } from "./geo.js";
import { tintOf } from "./palette.js";
import { TimeBar } from "./timebar.js";
import { TimeLayer } from "./timelayer.js";
import { ADDED, CHANGED, REMOVED, Timeline } from "./timeline.js";

// Recorded-only land: around the places of each folder.

/** The maximum number of drawn folders, those with most places first. */
const MOST_TOLD = 600;
/** How far land extends around its places, in pixels by depth. */
const SHORES = [26, 15, 8, 4];

/** The convex hull of points, in order (Andrew's monotone chain). */
function hullAround(points) {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (all) => {
    const hull = [];
    for (const point of all) {
      while (hull.length > 1) {
        const [a, b] = [hull.at(-2), hull.at(-1)];
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        hull.pop();
      }
      hull.push(point);
    }
    hull.pop();
    return hull;
  };
  return sorted.length < 3 ? sorted : [...chain(sorted), ...chain(sorted.reverse())];
}

class ToldLand {
  /** `hasContinents` says whether the map has the folders' continents. */
  constructor(view, timeline, hasContinents) {
    this.view = view;
    const places = new Map();
    for (let node = 0; node < timeline.nodeCount; node += 1) {
      for (let path = parentOf(timeline.paths[node]); path !== ""; path = parentOf(path)) {
        if (!places.has(path)) places.set(path, []);
        places.get(path).push([timeline.x[node], timeline.y[node]]);
      }
    }
    this.lands = [...places].sort((a, b) => b[1].length - a[1].length).slice(0, MOST_TOLD)
      .map(([path, points]) => ({ path, depth: path.split("/").length - 1, hull: hullAround(points) }))
      .filter(({ depth }) => depth > 0 || !hasContinents)
      .sort((a, b) => a.depth - b.depth);
  }

  /** Draws visible land, in page pixels. */
  draw(context, camera) {
    const { theme } = this.view.palette;
    const listed = new Map(this.view.landsInView().map((land) => [land.path, land]));
    context.lineJoin = context.lineCap = "round";
    const names = [];
    for (const { path, depth, hull } of this.lands) {
      const corners = hull.map(([x, y]) => camera.toScreen(x, y));
      const [west, north, east, south] = boxOfRings(corners);
      if (east < -40 || south < -40 || west > camera.width + 40 || north > camera.height + 40) continue;
      const shore = SHORES[Math.min(depth, SHORES.length - 1)];
      context.beginPath();
      for (const [x, y] of corners) context.lineTo(x, y);
      context.closePath();
      const fill = depth === 0 ? theme.land : theme.tint[listed.has(path) ? tintOf(listed.get(path)) : hashText(path) % theme.tint.length];
      // A broad stroke makes the shore, a broader one under it the coast line.
      for (const [width, colour] of [[2 * shore + 1.6, theme.border[Math.min(depth, 3)]], [2 * shore, fill]]) {
        context.strokeStyle = context.fillStyle = colour;
        context.lineWidth = width;
        context.stroke();
        context.fill();
      }
      if (east - west + 2 * shore < 60) continue;
      names.push([nameOf(path), depth, (west + east) / 2, depth === 0 ? north - shore + 16 : (north + south) / 2]);
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.strokeStyle = theme.paper;
    context.lineWidth = 3;
    for (const [name, depth, x, y] of names) {
      context.font = `${depth < 2 ? 600 : 400} ${depth === 0 ? 20 : 13}px Georgia, "DejaVu Serif", serif`;
      context.fillStyle = theme.ink[Math.min(depth, 3)];
      context.strokeText(name, x, y);
      context.fillText(name, x, y);
    }
  }
}

const recordedKinds = { created: ADDED, deleted: REMOVED };

/** The text of an event without a place, and its name. */
function recordedWords({ type, data = {}, description }) {
  if (type === "sample") return [type, `${data.path}: ${showCount(data.files ?? 0, "file", "files")}, ${showBytes(data.bytes ?? 0)}`];
  if (type === "error") return [type, description ?? ""];
  if (type === "alert") return [`alert ${data.state ?? ""}`, `${data.name || data.path}: ${data.rule ?? ""}`];
  if (type === "gap") return [type, "events were lost"];
  return [type, type === "pause" ? "nothing is recorded" : "it goes on"];
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
    const node = timeline.addNode(data.path ?? "", false, longitude, latitude);
    timeline.addChange(node, recordedKinds[data.change] ?? CHANGED, data.size);
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
  const layer = new TimeLayer(view, timeline, { told, showsTravellers: timeline.authors.length > 0 });
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
  const box = boxOfPlaces(timeline.x.keys(), timeline.x, timeline.y);
  if (box[0] > box[2]) return;
  const inView = camera.toScreen(box[0], box[1]).concat(camera.toScreen(box[2], box[3]));
  const isSeen = inView[0] > 0 && inView[1] > 0 && inView[2] < camera.width && inView[3] < camera.height;
  if (!isSeen) page.fit(true);
}
