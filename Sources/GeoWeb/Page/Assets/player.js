// The player of recordings: events on the map, at their times and places, also on recorded-only land.
import { boxOfPlaces, boxOfRings, byId, clipRing, hashText, keptIn, nameOf, parentOf, showBytes, showCount } from "./geo.js";
import { hullOf } from "./lettering.js";
import { project, TILE } from "./mercator.js";
import { AROUND_TILE, emptyTile } from "./source.js";
import { TimeBar } from "./timebar.js";
import { TimeLayer } from "./timelayer.js";
import { ADDED, CHANGED, REMOVED, Timeline } from "./timeline.js";

// Land known only from a recording: around the places of each folder.

const MAXIMUM_LANDS = 600; // the maximum number of folders with land, those with most places first
/** How far land extends around its places, in pixels by depth, in tiles at the zoom of the view. */
const REACH = [26, 15, 8, 4];
const AROUND = 12; // the number of points around a place at this distance

class RecordedLand {
  /** `hasContinents` says whether the map has the folders' continents; else it is shown in place of the map's land. */
  constructor(timeline, hasContinents) {
    this.hasContinents = hasContinents;
    const places = new Map();
    for (let node = 0; node < timeline.nodeCount; node += 1) {
      for (let path = parentOf(timeline.paths[node]); path !== ""; path = parentOf(path)) {
        keptIn(places, path, () => []).push([timeline.x[node], timeline.y[node]]);
      }
    }
    this.lands = [...places].sort((a, b) => b[1].length - a[1].length).slice(0, MAXIMUM_LANDS)
      .map(([path, points]) => ({ path, name: nameOf(path), id: hashText(path), kind: "district", isRecorded: true, depth: path.split("/").length - 1, minzoom: 0, hull: hullOf(points) }))
      .filter(({ depth }) => depth > 0 || !hasContinents);
    this.zooms = new Map();
  }

  at(z) {
    return keptIn(this.zooms, z, () => this.lands.map(({ hull, ...land }) => {
      const reach = REACH[Math.min(land.depth, REACH.length - 1)] / TILE / 2 ** (z - 1);
      const turns = Array.from({ length: AROUND }, (_, index) => (index / AROUND) * 2 * Math.PI);
      const ring = hullOf(hull.flatMap(([x, y]) => turns.map((turn) => [x + reach * Math.cos(turn), y + reach * Math.sin(turn)]))).flat();
      const [west, north, east, south] = boxOfRings([ring]);
      return { ...land, breadth: Math.min(east - west, south - north), ring };
    }));
  }

  addTo(whole, z, x, y) {
    const tile = this.hasContinents ? whole : emptyTile();
    const known = new Set(tile.land.map(({ path }) => path));
    const inTile = (ring) => clipRing(ring.map((value, i) => (value * 2 ** z - (i % 2 === 0 ? x : y)) * 4096), AROUND_TILE);
    const lands = this.at(z).filter(({ path }) => !known.has(path)).map(({ ring, ...land }) => ({ ...land, rings: [inTile(ring)] }));
    return { ...tile, isPrepared: false, land: [...tile.land, ...lands.filter(({ rings }) => rings[0].length > 0)], unrecorded: whole };
  }
}

class RecordingLayer extends TimeLayer {
  constructor(view, timeline, recordedLand) {
    super(view, timeline);
    this.recordedLand = recordedLand;
  }

  get isPlain() { return this.recordedLand?.hasContinents === false; }

  async tile(ask, z, x, y, ...more) {
    const tile = await ask(z, x, y, ...more);
    return this.recordedLand ? this.recordedLand.addTo(tile, z, x, y) : tile;
  }
}

const recordedKinds = new Map([["created", ADDED], ["deleted", REMOVED]]);

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
  const layer = new RecordingLayer(view, timeline, known === "all" ? null : new RecordedLand(timeline, known === "continents"));
  // Below it is the page's own time line.
  const below = page.time?.again ? page.time : (page.time?.below ?? null);
  page.time?.bar.remove();
  const played = { layer, timeline, below };
  page.play(played);
  played.bar = new TimeBar(page, layer, "recording", { title: metadata.name || name, speed, close() {
    page.play(below);
    below?.again();
    showLand(view, null);
  } });
  if (fault) byId("note").textContent = `${name}: ${fault}`;
  fitRecording(page, timeline);
  showLand(view, layer.recordedLand);
}

function showLand(view, land) {
  for (const entry of view.tiles.all.values()) {
    const { unrecorded } = entry.data ?? {};
    if (!entry.data || !(land || unrecorded)) continue;
    const whole = unrecorded ? { ...unrecorded, isPrepared: false } : entry.data;
    entry.data = land ? land.addTo(whole, entry.z, entry.x, entry.y) : whole;
    entry.version += 1;
    view.loaded(entry);
    entry.isStale = true;
  }
  view.restyle();
}

function fitRecording(page, timeline) {
  if (/^#?-?[\d.]+\/-?[\d.]+\//.test(location.hash) && timeline.nodeCount === 0) return;
  const { camera } = page.view;
  const box = boxOfPlaces(Array(timeline.nodeCount).keys(), timeline.x, timeline.y);
  if (box[0] > box[2]) return;
  const inView = camera.toScreen(box[0], box[1]).concat(camera.toScreen(box[2], box[3]));
  const isSeen = inView[0] > 0 && inView[1] > 0 && inView[2] < camera.width && inView[3] < camera.height;
  if (!isSeen) page.fit(true);
}
