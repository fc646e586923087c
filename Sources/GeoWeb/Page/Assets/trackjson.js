// Reads tracks from JSON, GeoJSON and recordings. Errors give their place.
import { parsed } from "./favourites.js";
import { keptIn, showCount } from "./geo.js";
import { Fault, readTime } from "./gpx.js";

const SINCE_2001 = 978307200; // the offset of times that some programs count from 2001, in seconds

function parse(text, line) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault(`${line ? `line ${line}: ` : ""}not JSON: ${error.message}`);
  }
}

function number(value, where, least = -Infinity, most = Infinity) {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Fault(`${where} is not a number`);
  if (value < least || value > most) throw new Fault(`${where} is out of range`);
  return value;
}

function time(value, where) {
  if (value === undefined || value === null) return undefined;
  const read = typeof value === "number" ? (value + SINCE_2001) * 1000 : typeof value === "string" ? readTime(value) : undefined;
  if (read === undefined) throw new Fault(`${where} is no time`);
  return read;
}

/** What `read` returns; undefined if it is a value that can't be used, which `maker` notes. */
function usable(maker, read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    maker.leaveOut(error.message);
    return undefined;
  }
}

const list = (value, where) => {
  if (!Array.isArray(value)) throw new Fault(`${where} is not a list`);
  return value;
};
const textOf = (value) => (typeof value === "string" ? value : "");

function readTrack(track, where, maker) {
  maker.begin("track", textOf(track.name));
  maker.name ||= textOf(track.name);
  for (const [i, segment] of list(track.segments, `${where}segments`).entries()) {
    maker.segment();
    for (const [j, point] of list(segment?.coords, `${where}segments[${i}].coords`).entries()) {
      const at = `${where}segments[${i}].coords[${j}]`;
      const lon = usable(maker, () => number(point?.longitude, `${at}.longitude`, -180, 180));
      const lat = usable(maker, () => number(point?.latitude, `${at}.latitude`, -90, 90));
      if (lon === undefined || lat === undefined) continue;
      maker.add(lon, lat,
        point.altitude === undefined || point.altitude === null ? undefined : usable(maker, () => number(point.altitude, `${at}.altitude`)),
        usable(maker, () => time(point.time, `${at}.time`)));
    }
  }
  maker.end();
}

/** Reads lines and points of GeoJSON; returns how many features are neither. */
function readGeoJSON(value, where, maker, properties = {}) {
  const position = (place, at) => {
    list(place, at);
    return [number(place[0], `${at}[0]`, -180, 180), number(place[1], `${at}[1]`, -90, 90),
      typeof place[2] === "number" ? place[2] : undefined];
  };
  const name = textOf(properties.name) || textOf(properties.title);
  const line = (coordinates, times) => {
    maker.begin(properties.kind === "route" ? "route" : "track", name);
    for (const [i, segment] of coordinates.entries()) {
      maker.segment();
      for (const [j, place] of list(segment, `${where}coordinates[${i}]`).entries()) {
        const [lon, lat, ele] = usable(maker, () => position(place, `${where}coordinates[${i}][${j}]`)) ?? [];
        if (lon !== undefined) maker.add(lon, lat, ele, usable(maker, () => time(times?.[i]?.[j], `${where}times[${i}][${j}]`)));
      }
    }
    maker.end();
  };
  const times = properties.coordinateProperties?.times;
  switch (value?.type) {
    case "FeatureCollection":
      maker.name ||= textOf(value.name);
      return list(value.features, `${where}features`).reduce((left, feature, i) => left + readGeoJSON(feature, `${where}features[${i}].`, maker), 0);
    case "Feature": return value.geometry ? readGeoJSON(value.geometry, `${where}geometry.`, maker, value.properties ?? {}) : 1;
    case "GeometryCollection":
      return list(value.geometries, `${where}geometries`).reduce((left, geometry, i) => left + readGeoJSON(geometry, `${where}geometries[${i}].`, maker, properties), 0);
    case "LineString": line([list(value.coordinates, `${where}coordinates`)], Array.isArray(times?.[0]) ? times : [times]); return 0;
    case "MultiLineString": line(list(value.coordinates, `${where}coordinates`), times); return 0;
    case "Point": case "MultiPoint": {
      const isOne = value.type === "Point";
      for (const [i, place] of (isOne ? [value.coordinates] : list(value.coordinates, `${where}coordinates`)).entries()) {
        const [lon, lat] = usable(maker, () => position(place, `${where}coordinates${isOne ? "" : `[${i}]`}`)) ?? [];
        if (lon !== undefined) maker.place(lon, lat, name, isOne ? textOf(properties.sym) : "");
      }
      return 0;
    }
    case "Polygon": case "MultiPolygon": return 1;
    default: throw new Fault(`${where || "the file "}type is not one of GeoJSON`);
  }
}

/** Reads an event of a recording, checking the parts used here. */
function readEvent(event, where, recording, maker) {
  if (typeof event !== "object" || event === null) throw new Fault(`${where} is no event`);
  const at = number(event.relativeTime, `${where}.relativeTime`, recording.events.at(-1)?.relativeTime ?? 0);
  const data = event.data ?? {};
  if (event.type === "location") {
    const { longitude, latitude } = data.coordinate ?? {};
    maker.add(number(longitude, `${where}.data.coordinate.longitude`, -180, 180), number(latitude, `${where}.data.coordinate.latitude`, -90, 90),
      typeof data.altitude === "number" ? data.altitude : undefined, recording.start + at * 1000, textOf(data.path));
  } else if (event.type === "sample") {
    const series = keptIn(recording.samples, textOf(data.path), () => ({ time: [], bytes: [], files: [], free: [] }));
    series.time.push(recording.start + at * 1000);
    for (const key of ["bytes", "files", "free"]) series[key].push(typeof data[key] === "number" ? data[key] : NaN);
  } else if (event.type === "pause" || event.type === "gap") maker.segment();
  recording.events.push(event);
}

/** Reads a recording, one event per line: metadata, events, samples, and its fault. Everything before a fault is used. */
function readRecording(text, maker) {
  const recording = { metadata: {}, events: [], samples: new Map(), start: 0, fault: null };
  let [line, start] = [0, 0];
  try {
    let [isStream, isOver] = [false, false];
    for (; start < text.length; line += 1) {
      const end = text.indexOf("\n", start);
      let row = text.slice(start, end < 0 ? text.length : end).trim();
      start = end < 0 ? text.length : end + 1;
      if (row === "") continue;
      if (isOver) throw new Fault(`line ${line + 1}: there is more after the end`);
      if (line === 0) {
        isStream = !/"events"\s*:\s*\[(?:\]\})?$/.test(row);
        isOver = !isStream && row.endsWith("]}");
        const { metadata } = parse(isStream || isOver ? row : `${row}]}`);
        recording.start = time(metadata?.recordedAt, "metadata.recordedAt");
        if (recording.start === undefined) throw new Fault("metadata.recordedAt is missing");
        recording.metadata = metadata;
        maker.begin("track", textOf(metadata.name));
        maker.name ||= textOf(metadata.name);
        continue;
      }
      if (row === "]}") {
        isOver = true;
        continue;
      }
      if (row.endsWith("]}") && parsed(row) === null) {
        isOver = true;
        row = row.slice(0, -2).trim();
      }
      readEvent(parse(!isStream && row.endsWith(",") ? row.slice(0, -1) : row, line + 1), `line ${line + 1}: the event`, recording, maker);
    }
    if (!isStream && !isOver) throw new Fault(`line ${line}: it breaks off`);
  } catch (error) {
    if (!(error instanceof Fault) || !maker.line) throw error;
    recording.fault = `${error.message}; ${showCount(recording.events.length, "event", "events")} before that can be used`;
  }
  maker.end();
  return recording;
}

/** Reads JSON into a track maker; returns its type, and the recording if it is one. */
export function readJSONText(text, maker) {
  const head = text.slice(0, 2000);
  if (/^\s*\{\s*"metadata"\s*:/.test(head)) {
    // Another layout is rearranged into lines.
    if (/^[^\n]*("events"\s*:\s*\[|\}\s*\}\s*|\]\s*\}\s*)(\n|$)/.test(text)) return { kind: "recording", recording: readRecording(text, maker) };
    const { metadata, events } = parse(text);
    const lines = [`{"metadata":${JSON.stringify(metadata)},"events":[`, ...list(events, "events").map((event, i) =>
      JSON.stringify(event) + (i + 1 < events.length ? "," : "")), "]}"];
    return { kind: "recording", recording: readRecording(lines.join("\n"), maker) };
  }
  let tracks;
  if (/^\s*\{[^\n]*\}\s*\n\s*\{/.test(text)) {
    tracks = text.split("\n").flatMap((row, line) => (row.trim() === "" ? [] : [[parse(row, line + 1), `line ${line + 1}: `]]));
  } else {
    const value = parse(text);
    tracks = Array.isArray(value) ? value.map((track, i) => [track, `[${i}].`]) : [[value, ""]];
  }
  let left = 0;
  for (const [value, where] of tracks) {
    if (typeof value !== "object" || value === null) throw new Fault(`${where}not a track`);
    if (value.segments !== undefined) readTrack(value, where, maker);
    else if (value.type !== undefined) left += readGeoJSON(value, where, maker);
    else throw new Fault(`${where}it is neither a track, GeoJSON nor a recording: it has no segments, no type, no metadata`);
  }
  return { kind: "track", left };
}
