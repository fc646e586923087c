// Tracks and routes: lines of places with elevations and times, and measurements along them, as by `geomapper track`.
import { distance, emptyBox, extend, firstFrom } from "./geo.js";
import { Fault } from "./gpx.js";
import { project } from "./mercator.js";

/** The maximum number of points of a file, and of places in no line. */
const [MAXIMUM_POINTS, MAXIMUM_PLACES] = [5_000_000, 100_000];
/** Metres per second: slower is noise of the receiver; metres: smaller climbs are noise, too. */
const [MOVING, STEP] = [0.5 / 3.6, 3];
const MINIMUM_TURN = 20; // degrees: the minimum bend of a turn

const rad = Math.PI / 180;

/** A column of numbers, of which unknown ones are NaN; null if none is known. */
const known = (values) => (values.some((value) => !Number.isNaN(value)) ? Float64Array.from(values) : null);

export class PolylineMaker {
  constructor() {
    // `left` is the number of values that can't be used.
    Object.assign(this, { name: "", lines: [], places: [], count: 0, line: null, left: 0, firstFault: null });
  }

  leaveOut(reason) {
    this.left += 1;
    this.firstFault ??= reason;
  }

  begin(kind, name = "") { this.line = { kind, name, starts: [], lon: [], lat: [], ele: [], time: [], names: [] }; }
  segment() { this.isNew = true; }

  add(lon, lat, ele, time, name) {
    const { line } = this;
    this.count += 1;
    if (this.count > MAXIMUM_POINTS) throw new Fault(`there are more than ${MAXIMUM_POINTS.toLocaleString("en")} points`);
    if (this.isNew || line.starts.length === 0) line.starts.push(line.lon.length);
    this.isNew = false;
    line.lon.push(lon);
    line.lat.push(lat);
    line.ele.push(ele ?? NaN);
    line.time.push(time ?? NaN);
    if (name) line.names[line.lon.length - 1] = name;
  }

  end() {
    const { line } = this;
    this.line = null;
    if (line.lon.length === 0) return;
    const { kind, name, starts, names } = line;
    const [lon, lat, ele, time] = [line.lon, line.lat, line.ele, line.time].map(known);
    this.lines.push({ kind, name, starts, lon, lat, ele, time, names: names.length > 0 ? names : null });
  }

  place(lon, lat, name = "", sign = "") {
    if (this.places.length >= MAXIMUM_PLACES) throw new Fault(`there are more than ${MAXIMUM_PLACES.toLocaleString("en")} waypoints`);
    this.places.push({ lon, lat, name, sign });
  }
}

const placeOf = (line, index) => ({ lon: line.lon[index], lat: line.lat[index] });

/** The initial bearing of a great circle in degrees clockwise from north; null for equal places. */
export function bearing(a, b) {
  if (a.lon === b.lon && a.lat === b.lat) return null;
  const turn = (b.lon - a.lon) * rad;
  const y = Math.sin(turn) * Math.cos(b.lat * rad);
  const x = Math.cos(a.lat * rad) * Math.sin(b.lat * rad) - Math.sin(a.lat * rad) * Math.cos(b.lat * rad) * Math.cos(turn);
  const degrees = (Math.atan2(y, x) / rad + 360) % 360;
  return degrees < 360 ? degrees : 0;
}

const directions = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

export function directionOf(degrees) { return directions[Math.round(degrees / 45) % 8]; }

/** Metres from the start to each point, without gaps between segments. */
export function distancesOf(line) {
  const along = new Float64Array(line.lon.length);
  const starts = new Set(line.starts);
  for (let i = 1; i < along.length; i += 1) {
    along[i] = along[i - 1] + (starts.has(i) ? 0 : distance(placeOf(line, i - 1), placeOf(line, i)));
  }
  return along;
}

/** Statistics of lines: metres, milliseconds, metres per second, and a box in degrees; see `TrackMeasures`. */
export function measure(lines, places = []) {
  const sums = { points: 0, length: 0, duration: 0, moving: 0, climb: 0, descent: 0 };
  const box = emptyBox();
  const all = [Infinity, -Infinity];
  for (const line of lines) {
    const starts = new Set(line.starts);
    let [level, from, to, timed, at] = [NaN, NaN, NaN, NaN, 0];
    for (let i = 0; i < line.lon.length; i += 1) {
      sums.points += 1;
      extend(box, line.lon[i], line.lat[i]);
      if (starts.has(i)) [level, from, to, timed] = [NaN, NaN, NaN, NaN];
      else sums.length += distance(placeOf(line, i - 1), placeOf(line, i));
      const time = line.time ? line.time[i] : NaN;
      if (!Number.isNaN(time)) {
        if (time < from) sums.duration += from - time;
        if (time > to) sums.duration += time - to;
        [from, to] = Number.isNaN(from) ? [time, time] : [Math.min(from, time), Math.max(to, time)];
        [all[0], all[1]] = [Math.min(all[0], time), Math.max(all[1], time)];
        // Speeds are between times that ascend; others are passed.
        if (time > timed) {
          const speed = (sums.length - at) / ((time - timed) / 1000);
          if (speed >= MOVING) sums.moving += time - timed;
          sums.greatest = Math.max(sums.greatest ?? 0, speed);
        }
        if (!(time <= timed)) [timed, at] = [time, sums.length];
      }
      const ele = line.ele ? line.ele[i] : NaN;
      if (Number.isNaN(ele)) continue;
      sums.lowest = Math.min(sums.lowest ?? ele, ele);
      sums.highest = Math.max(sums.highest ?? ele, ele);
      if (Number.isNaN(level)) level = ele;
      else if (ele - level >= STEP) [sums.climb, level] = [sums.climb + ele - level, ele];
      else if (level - ele >= STEP) [sums.descent, level] = [sums.descent + level - ele, ele];
    }
  }
  for (const { lon, lat } of places) extend(box, lon, lat);
  sums.duration = Math.min(sums.duration, Math.max(0, all[1] - all[0]));
  sums.moving = Math.min(sums.moving, sums.duration);
  return { ...sums, box: box[0] <= box[2] ? box : null };
}

/** Mean elevations of `count` pieces of equal length; a piece without points has the previous one's. */
export function profileOf(line, along, count) {
  if (!line.ele) return [];
  const [sums, numbers] = [new Float64Array(count), new Uint32Array(count)];
  const length = along.at(-1) || 1;
  for (let i = 0; i < along.length; i += 1) {
    if (Number.isNaN(line.ele[i])) continue;
    const piece = Math.min(count - 1, Math.floor((along[i] / length) * count));
    sums[piece] += line.ele[i];
    numbers[piece] += 1;
  }
  let level = line.ele.find((ele) => !Number.isNaN(ele));
  return Array.from(sums, (sum, piece) => {
    if (numbers[piece] > 0) level = sum / numbers[piece];
    return level;
  });
}

/** The cues of a planned route: `start` in a direction, `turn` by degrees to the right, `arrival`; with metres from the start. */
export function cuesOf(line) {
  const cues = [];
  let [along, last, heading] = [0, 0, null];
  for (let i = 1; i < line.lon.length; i += 1) {
    const [a, b] = [placeOf(line, last), placeOf(line, i)];
    const toward = bearing(a, b);
    if (toward === null) continue;
    if (heading === null) cues.push({ what: "start", degrees: toward, along, index: last });
    else {
      const turn = turnOf(heading, toward);
      if (Math.abs(turn) >= MINIMUM_TURN) cues.push({ what: "turn", degrees: turn, along, index: last });
    }
    along += distance(a, b);
    // The bearing of a great circle changes on the way: it arrives with another.
    heading = (bearing(b, a) + 180) % 360;
    last = i;
  }
  if (line.lon.length > 0) cues.push({ what: "arrival", along, index: last });
  return cues;
}

function turnOf(from, to) {
  const turn = (to - from) % 360;
  return turn > 180 ? turn - 360 : turn <= -180 ? turn + 360 : turn;
}

export function wordsOf({ what, degrees }) {
  if (what === "arrival") return "arrive";
  if (what === "start") return `go ${directionOf(degrees)} (${Math.round(degrees)}°)`;
  const [side, size] = [degrees > 0 ? "right" : "left", Math.abs(degrees)];
  return `turn ${size < 60 ? `slightly ${side}` : size < 120 ? side : size < 160 ? `sharp ${side}` : "back"}`;
}

export function pointAlong(line, along, metres) {
  const low = Math.min(firstFrom(along, metres), along.length - 1);
  const before = Math.max(0, low - 1);
  const part = along[low] > along[before] ? (metres - along[before]) / (along[low] - along[before]) : 1;
  const [a, b] = [before, low].map((i) => project(line.lon[i], line.lat[i]));
  const between = (column) => column[before] + (column[low] - column[before]) * part;
  const time = line.time ? between(line.time) : NaN;
  const span = line.time ? line.time[low] - line.time[before] : NaN;
  return {
    x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part, index: part < 1 ? before : low, metres,
    ele: line.ele ? between(line.ele) : NaN, time,
    speed: span > 0 ? (along[low] - along[before]) / (span / 1000) : NaN, name: line.names?.[part < 1 ? before : low],
  };
}
