// The player of recordings: events on the map, at their times and places, also on recorded-only land.
import { boxOfPlaces, boxOfRings, byId, hashText, nameOf, parentOf, showBytes, showCount } from "./geo.js";
import { hullOf } from "./lettering.js";
import { project } from "./mercator.js";
import { tintOf } from "./palette.js";
import { TimeBar } from "./timebar.js";
import { TimeLayer } from "./timelayer.js";
import { ADDED, CHANGED, REMOVED, Timeline } from "./timeline.js";

// Land known only from a recording: around the places of each folder, in shallow water.

/** The maximum number of drawn folders, those with most places first. */
const MOST_LANDS = 600;
/** How far land extends around its places, in pixels by depth, and shallow water around that. */
const SHORES = [26, 15, 8, 4];
const SHALLOW = 18;
/** Pixels across from which a folder is drawn, and named. */
const [LEAST, LEAST_NAMED] = [3, 60];

class RecordedLand {
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
    this.lands = [...places].sort((a, b) => b[1].length - a[1].length).slice(0, MOST_LANDS)
      .map(([path, points]) => ({ path, depth: path.split("/").length - 1, hull: hullOf(points) }))
      .filter(({ depth }) => depth > 0 || !hasContinents)
      .sort((a, b) => a.depth - b.depth);
    this.canvas = document.createElement("canvas");
    /** The boxes of the drawn names. */
    this.boxes = [];
  }

  /** Draws visible land, in page pixels; as an image as long as the view stays. */
  draw(context, camera) {
    const { palette, ratio, tiles } = this.view;
    const key = [camera.z, camera.x, camera.y, camera.width, camera.height, ratio, palette.key, tiles.counts.came].join();
    if (key !== this.key) {
      this.key = key;
      [this.canvas.width, this.canvas.height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
      const pen = this.canvas.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.render(pen, camera);
    }
    context.drawImage(this.canvas, 0, 0, camera.width, camera.height);
  }

  render(pen, camera) {
    const { theme } = this.view.palette;
    const listed = new Map(this.view.landsInView().map((land) => [land.path, land]));
    pen.lineJoin = pen.lineCap = "round";
    const lands = this.lands.map(({ path, depth, hull }) => {
      const corners = hull.map(([x, y]) => camera.toScreen(x, y));
      return { path, depth, corners, box: boxOfRings(corners), shore: SHORES[Math.min(depth, SHORES.length - 1)] };
    }).filter(({ box: [west, north, east, south], shore }) => Math.max(east - west, south - north) + shore > LEAST &&
      east > -60 && south > -60 && west < camera.width + 60 && north < camera.height + 60);
    const outline = ({ corners }) => {
      pen.beginPath();
      for (const [x, y] of corners) pen.lineTo(x, y);
      pen.closePath();
    };
    const paint = (land, wide, colour) => {
      outline(land);
      pen.strokeStyle = pen.fillStyle = colour;
      pen.lineWidth = wide;
      pen.stroke();
      pen.fill();
    };
    const least = Math.min(...lands.map(({ depth }) => depth));
    const outer = lands.filter(({ depth }) => depth === least);
    for (const [more, colour] of [[2 * SHALLOW + 1.6, theme.shelfedge], [2 * SHALLOW, theme.shelf], [9, theme.waterline[1]], [7, theme.shelf]]) {
      for (const land of outer) paint(land, 2 * land.shore + more, colour);
    }
    for (const land of lands) {
      const tint = theme.tint[listed.has(land.path) ? tintOf(listed.get(land.path)) : hashText(land.path) % theme.tint.length];
      paint(land, 2 * land.shore + (land.depth === least ? 3 : 1.6), land.depth === least ? theme.coast : theme.border[Math.min(land.depth, 3)]);
      paint(land, 2 * land.shore, land.depth === 0 ? theme.land : tint);
    }
    this.name(pen, lands);
  }

  name(pen, lands) {
    const { theme } = this.view.palette;
    [pen.textAlign, pen.textBaseline, pen.strokeStyle, pen.lineWidth] = ["center", "middle", this.view.palette.halo, 3.4];
    this.boxes = [];
    for (const { path, depth, box: [west, north, east, south], shore } of lands) {
      if (east - west + 2 * shore < LEAST_NAMED) continue;
      const at = [(west + east) / 2, depth === 0 ? north - shore + 16 : (north + south) / 2];
      pen.font = `${depth < 2 ? 600 : 400} ${depth === 0 ? 20 : 13}px Georgia, "DejaVu Serif", serif`;
      pen.fillStyle = theme.ink[Math.min(depth, 3)];
      const half = pen.measureText(nameOf(path)).width / 2;
      this.boxes.push([at[0] - half, at[1] - 7, at[0] + half, at[1] + 7]);
      pen.strokeText(nameOf(path), ...at);
      pen.fillText(nameOf(path), ...at);
    }
  }
}

const recordedKinds = new Map([["created", ADDED], ["deleted", REMOVED]]);

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
    timeline.addChange(nodeOf(timeline, data.path ?? "", longitude, latitude), recordedKinds.get(data.change) ?? CHANGED, data.size);
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
  const recordedLand = known === "all" ? null : new RecordedLand(view, timeline, known === "continents");
  const layer = new TimeLayer(view, timeline, { recordedLand });
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
