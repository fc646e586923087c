// Times of a time line: words, scale ticks, the chart, counters and the caption.
import { make, penOf, showBytes, showCount } from "./geo.js";
import { timeColours } from "./timelights.js";
import { ADDED, CHANGED, REMAINED, REMOVED } from "./timeline.js";

const [SCALE_MINUTE, SCALE_HOUR, SCALE_DAY] = [60, 3600, 86400];
/** Distances between ticks, in seconds; then in months. */
const scaleSteps = [1, 2, 5, 10, 30, SCALE_MINUTE, 2 * SCALE_MINUTE, 5 * SCALE_MINUTE, 10 * SCALE_MINUTE, 30 * SCALE_MINUTE, SCALE_HOUR, 3 * SCALE_HOUR,
  6 * SCALE_HOUR, 12 * SCALE_HOUR, SCALE_DAY, 2 * SCALE_DAY, 7 * SCALE_DAY];
const monthSteps = [1, 3, 6, 12, 24, 60, 120, 240, 600];
const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const LONG_NAMES = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const FIRST_MONDAY = 4 * SCALE_DAY; // the first Monday of Unix time

/** The number of characters of a time with minutes, and with seconds. */
const [CLOCK_MINUTES, CLOCK_SECONDS] = [5, 8];
export const CLOCK_TENTHS = 10;

/** The precision of a history's times: with seconds if it is shorter than a day. */
export function clockOf({ start, end }) { return end - start < SCALE_DAY ? CLOCK_SECONDS : CLOCK_MINUTES; }

/** A time in UTC, with so many characters of the time of day. */
export function showMoment(time, clock) {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? "" : `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 11 + clock)}`;
}

export function showDate(time) {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? "" : `${date.getUTCDate()} ${LONG_NAMES[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Round times between two, in seconds, with a maximum number of steps, and their labels. */
export function scaleTicks(start, end, most) {
  const seconds = scaleSteps.find((step) => (end - start) / step <= most);
  return seconds === undefined ? monthTicks(start, end, most) : evenTicks(start, end, seconds);
}

function evenTicks(start, end, step) {
  const offset = step === 7 * SCALE_DAY ? FIRST_MONDAY : 0;
  const ticks = [];
  for (let time = Math.ceil((start - offset) / step) * step + offset; time <= end; time += step) {
    const date = new Date(time * 1000);
    const clock = date.toISOString().slice(11, step < SCALE_MINUTE ? 19 : 16);
    const day = `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]}`;
    ticks.push({ time, word: step < SCALE_DAY && time % SCALE_DAY !== 0 ? clock : day });
  }
  return ticks;
}

function monthTicks(start, end, most) {
  const monthOf = (time) => {
    const date = new Date(time * 1000);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  const span = monthOf(end) - monthOf(start);
  // Beyond those, whole centuries.
  const step = monthSteps.find((months) => span / months <= most) ?? 1200 * Math.ceil(span / most / 1200);
  const ticks = [];
  for (let month = Math.floor(monthOf(start) / step) * step; month <= monthOf(end); month += step) {
    const year = Math.floor(month / 12);
    const time = new Date(0).setUTCFullYear(year, month - year * 12, 1) / 1000;
    if (time >= start && time <= end) ticks.push({ time, word: month % 12 === 0 ? String(year) : MONTH_NAMES[month - year * 12] });
  }
  return ticks;
}

// The chart of a time line: bars of changes by kind, and a scale.

const PART = 3; // pixels of a bar
const TICK_DISTANCE = 64; // pixels from tick to tick of the scale, at least
const SCALE_EDGE = 18; // pixels

export class TimeChart {
  constructor(palette) {
    this.palette = palette;
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.scale = make("div", { class: "scale", "aria-hidden": "true" });
    this.wasDark = null; // whether it was painted dark; null before
  }

  get isOld() { return this.wasDark !== null && this.wasDark !== this.palette.isDark; }

  /** Draws the bars: changes by time and kind, as square roots. */
  paint(timeline) {
    if (this.canvas.clientWidth === 0) return;
    const { pen, width, height } = penOf(this.canvas);
    const count = Math.max(1, Math.floor(width / PART));
    const parts = timeline.histogram(count);
    const allOf = (i) => parts[ADDED][i] + parts[CHANGED][i] + parts[REMOVED][i];
    const most = Math.max(1, ...Array.from({ length: count }, (_, i) => allOf(i)));
    const colours = timeColours(this.palette);
    for (let i = 0; i < count; i += 1) {
      const all = allOf(i);
      let top = height;
      for (let kind = ADDED; kind < REMAINED && all > 0; kind += 1) {
        const high = (parts[kind][i] / all) * Math.max(1.5, Math.sqrt(all / most) * (height - 2));
        pen.fillStyle = colours[kind];
        pen.fillRect((i * width) / count, top - high, width / count - 0.6, high);
        top -= high;
      }
    }
    this.wasDark = this.palette.isDark;
    this.drawScale(timeline, width);
  }

  drawScale(timeline, width) {
    const ticks = scaleTicks(timeline.start, timeline.end, width / TICK_DISTANCE).map(({ time, word }) => ({ word, x: timeline.partOf(time) * width }));
    this.scale.replaceChildren(...ticks.filter(({ x }) => x >= SCALE_EDGE && x <= width - SCALE_EDGE)
      .map(({ word, x }) => make("span", { style: { left: `${x.toFixed(1)}px` } }, word)));
  }
}

/** Adds up the files of each state and their bytes once, so that those of any moment are known at once. */
export class Counters {
  constructor(timeline) {
    const { stateCount, firstChanges, nodes, kinds, isFolder, sizes, nodeCount } = timeline;
    this.timeline = timeline;
    this.files = new Float64Array(stateCount);
    this.bytes = new Float64Array(stateCount);
    this.known = new Float64Array(stateCount); // the number of files of known size
    const own = new Float64Array(nodeCount).fill(NaN);
    const isThere = new Uint8Array(nodeCount);
    let [files, bytes, known] = [0, 0, 0];
    for (let state = 0; state < stateCount; state += 1) {
      for (let change = firstChanges[state]; change < firstChanges[state + 1]; change += 1) {
        const node = nodes[change];
        if (isFolder[node]) continue;
        const is = kinds[change] === REMOVED ? 0 : 1;
        files += is - isThere[node];
        isThere[node] = is;
        if (!Number.isNaN(own[node])) [bytes, known] = [bytes - own[node], known - 1];
        own[node] = is ? sizes[change] : NaN;
        if (!Number.isNaN(own[node])) [bytes, known] = [bytes + own[node], known + 1];
      }
      [this.files[state], this.bytes[state], this.known[state]] = [files, bytes, known];
    }
  }

  at(state) {
    const files = this.files[state] ?? 0;
    return { files, bytes: files > 0 && this.known[state] === 0 ? undefined : this.bytes[state] ?? 0, states: state + 1 };
  }
}

// The caption of a moment: date, counters, and what happened last.

const RECORDED_CLOCK = 8; // the number of characters of the time of day of a recording

export function unitsOf(timeline, kind) {
  if (kind === "recording") return ["event", "events"];
  return timeline.authors.length > 0 ? ["commit", "commits"] : ["state", "states"];
}

export function showCounters(timeline, kind, { files, bytes, states }) {
  return [...(timeline.hasLives ? [showCount(files, "file", "files")] : []),
    ...(timeline.hasLives && bytes !== undefined ? [showBytes(bytes)] : []), showCount(states, ...unitsOf(timeline, kind))].join(" · ");
}

/** What happened in a state, and the number of who did it, or −1. */
export function captionOf(timeline, state) {
  const [name, text] = timeline.words[state] ?? ["", ""];
  const author = timeline.stateAuthors[state] ?? -1;
  return { text: text || (/^[0-9a-f]{40,}$/.test(name) ? name.slice(0, 9) : name), author: timeline.authors[author] ? author : -1 };
}

export class TimeCaption {
  constructor(layer, kind) {
    Object.assign(this, { layer, kind });
    this.date = make("p", { class: "date" });
    this.counted = make("p", { class: "counted" });
    this.said = make("p", { class: "subject" });
    this.author = make("p", { class: "author" });
    // The bar announces the moment.
    this.element = make("section", { id: "moment", "aria-hidden": "true" }, this.date, this.counted, this.said, this.author);
    this.renew();
  }

  renew() {
    this.counters = new Counters(this.layer.timeline);
    this.shown = NaN;
  }

  show() {
    const { timeline, state, time } = this.layer;
    const date = this.kind === "recording" ? `${showDate(time)} ${showMoment(time, RECORDED_CLOCK).slice(-RECORDED_CLOCK)}` : showDate(time);
    if (date !== this.date.textContent) this.date.textContent = date;
    if (state === this.shown) return;
    this.shown = state;
    this.counted.textContent = showCounters(timeline, this.kind, this.counters.at(state));
    const { text, author } = captionOf(timeline, state);
    this.said.textContent = text;
    this.author.textContent = author < 0 ? "" : timeline.authors[author];
    this.author.style.color = author < 0 ? "" : this.layer.scene.people.colourOf(author);
  }
}
