// Samples: trends of bytes, files and free space, and charts of them.
import { firstFrom, make, optionsOf, penOf, showBytes, showTime, strokeIn } from "./geo.js";
import { dot } from "./shapes.js";

// Trends of a sampled quantity, as `geomapper recordings info` computes them.

const HOUR = 3600;
const SHORTEST = 1800; // half an hour in seconds: shorter series have no rate
const spans = [1, 6, 24, 168]; // the windows in hours
/** The change per hour, relative to the value, that counts as a trend, and as a fast one. */
const [SOME, MUCH] = [0.001, 0.05];

const arrows = { "rising fast": "⇈", rising: "↑", steady: "→", falling: "↓", "falling fast": "⇊" };

/** The last value, its change per hour, and the windows that the values fill, and the first that they don't. Times are in seconds. */
export function trendOf(times, values) {
  if (times.length === 0) return null;
  const [first, last, value] = [times[0], times.at(-1), values.at(-1)];
  const rate = last - first >= SHORTEST ? slope(times, values, last - HOUR) : null;
  const windows = [];
  for (const hours of spans) {
    windows.push({ hours, ...windowOf(times, values, last - hours * HOUR) });
    if (last - first < hours * HOUR) break;
  }
  return { value, rate, direction: rate === null ? null : directionOfRate(rate / Math.max(1, Math.abs(value))), windows };
}

function directionOfRate(part) {
  if (Math.abs(part) < SOME) return "steady";
  if (Math.abs(part) < MUCH) return part > 0 ? "rising" : "falling";
  return part > 0 ? "rising fast" : "falling fast";
}

function slope(times, values, start) {
  let [count, meanTime, meanValue, products, squares] = [0, 0, 0, 0, 0];
  // Welford's sums, which avoid cancellation of large values.
  for (let i = firstFrom(times, start); i < times.length; i += 1) {
    count += 1;
    const x = (times[i] - start) / HOUR;
    const fromTime = x - meanTime;
    meanTime += fromTime / count;
    meanValue += (values[i] - meanValue) / count;
    products += fromTime * (values[i] - meanValue);
    squares += fromTime * (x - meanTime);
  }
  return squares > 0 ? products / squares : null;
}

function windowOf(times, values, start) {
  const found = { least: values.at(-1), greatest: values.at(-1), average: 0 };
  const first = firstFrom(times, start);
  for (let i = first; i < times.length; i += 1) {
    found.least = Math.min(found.least, values[i]);
    found.greatest = Math.max(found.greatest, values[i]);
    found.average += (values[i] - found.average) / (i - first + 1);
  }
  return found;
}

function hoursUntilFull({ rate, direction }, free) {
  return rate > 0 && direction !== "steady" ? Math.max(0, free) / rate : null;
}

const quantities = [["bytes", "bytes", showBytes], ["files", "files", (count) => Math.round(count).toLocaleString("en")], ["free", "left on the disk", showBytes]];
/** Selectable spans in hours; the last shows all. */
const choices = [["1 h", 1], ["6 h", 6], ["24 h", 24], ["7 d", 168], ["all", Infinity]];
const MINIMUM_SPAN = 10; // the minimum span when zooming, in seconds

const changeOf = (rate, show) => `${rate < 0 ? "−" : "+"}${show(Math.abs(rate))} an hour`;

function remaining(hours) {
  if (hours < 48) return `${Math.round(hours)} h`;
  return hours < 1e6 ? `${Math.round(hours / 24)} days` : "more than a century";
}

export class Charts {
  constructor(page) {
    this.page = page;
    this.path = make("select", { "aria-label": "Folder", onchange: () => this.choose() });
    this.quantity = make("select", { "aria-label": "Quantity", onchange: () => this.choose() }, optionsOf(quantities));
    this.spans = choices.map(([word, hours]) => make("button", { class: "chip", "aria-pressed": "false", onclick: () => this.zoomTo(hours) }, word));
    this.canvas = make("canvas", { class: "profile chart", tabindex: "0", role: "img" });
    this.sums = make("p", { class: "soft" });
    this.table = make("table", {});
    this.summary = make("summary", {}, "Samples");
    this.element = make("details", { class: "charts", ontoggle: () => this.paint() }, this.summary,
      make("div", { class: "row" }, this.path, this.quantity, ...this.spans), this.canvas, this.sums, this.table);
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomBy(2 ** (event.deltaY / 300), event.offsetX / this.canvas.clientWidth);
    }, { passive: false });
    this.canvas.addEventListener("pointermove", ({ movementX, buttons, offsetX }) => {
      if (buttons & 1) this.shift((-movementX / this.canvas.clientWidth) * (this.to - this.from));
      this.pointed = offsetX / this.canvas.clientWidth;
      this.paint();
    });
    this.canvas.addEventListener("pointerleave", () => { this.pointed = undefined; this.paint(); });
    this.canvas.addEventListener("keydown", (event) => {
      const acts = { ArrowLeft: () => this.shift((this.from - this.to) / 5), ArrowRight: () => this.shift((this.to - this.from) / 5),
        "+": () => this.zoomBy(0.5, 0.5), "-": () => this.zoomBy(2, 0.5) };
      if (!acts[event.key]) return;
      event.preventDefault();
      event.stopPropagation();
      acts[event.key]();
    });
    new ResizeObserver(() => this.paint()).observe(this.canvas);
  }

  show(samples) {
    const paths = [...samples?.keys() ?? []].sort();
    this.samples = samples;
    this.element.hidden = paths.length === 0;
    if (paths.length === 0) return;
    this.path.replaceChildren(...optionsOf(paths.map((path) => [path, path])));
    this.path.hidden = paths.length < 2;
    this.choose();
  }

  /** Replaces the samples with newer ones; a zoomed section stays. */
  renew(samples) {
    const { from, to, hours } = this;
    const isAtEnd = to >= (this.times.at(-1) ?? 0);
    this.samples = samples;
    this.choose();
    if (hours !== null) return this.zoomTo(hours);
    const shift = isAtEnd ? this.times.at(-1) - to : 0;
    [this.from, this.to] = [from + shift, to + shift];
    return this.keep();
  }

  choose() {
    const series = this.samples.get(this.path.value);
    const values = series[this.quantity.value] ?? [];
    const known = series.time.map((_, i) => i).filter((i) => Number.isFinite(values[i]));
    this.times = known.map((i) => Math.floor(series.time[i] / 1000));
    this.values = known.map((i) => values[i]);
    this.format = quantities.find(([key]) => key === this.quantity.value)[2];
    const trend = trendOf(this.times, this.values);
    const free = series.free?.filter(Number.isFinite).at(-1);
    const full = trend && this.quantity.value === "bytes" && free !== undefined ? hoursUntilFull(trend, free) : null;
    this.summary.textContent = trend === null ? "Samples" : `Samples: ${this.format(trend.value)}` + (trend.direction
      ? ` ${arrows[trend.direction]} ${trend.direction}, ${changeOf(trend.rate, this.format)}${full === null ? "" : `, full in ${remaining(full)}`}` : "");
    const cells = (tag, texts) => make("tr", {}, ...texts.map((text) => make(tag, {}, text)));
    this.table.replaceChildren(cells("th", ["", "least", "greatest", "average"]), ...(trend?.windows ?? []).map(({ hours, least, greatest, average }) =>
      cells("td", [`last ${hours === 168 ? "7 d" : `${hours} h`}`, ...[least, greatest, average].map(this.format)])));
    this.zoomTo(Infinity);
  }

  zoomTo(hours) {
    this.hours = hours;
    const last = this.times.at(-1) ?? 0;
    this.to = last;
    this.from = Math.max(this.times[0] ?? 0, last - hours * 3600);
    if (this.to - this.from < MINIMUM_SPAN) this.from = this.to - MINIMUM_SPAN;
    this.spans.forEach((button, i) => button.setAttribute("aria-pressed", String(choices[i][1] === hours)));
    this.paint();
  }

  zoomBy(factor, part) {
    const span = Math.max(MINIMUM_SPAN, (this.to - this.from) * factor);
    this.from += (this.to - this.from - span) * part;
    this.to = this.from + span;
    this.keep();
  }

  shift(seconds) {
    [this.from, this.to] = [this.from + seconds, this.to + seconds];
    this.keep();
  }

  keep() {
    this.hours = null;
    const [first, last] = [this.times[0], Math.max(this.times.at(-1), this.times[0] + MINIMUM_SPAN)];
    const span = Math.min(this.to - this.from, last - first);
    this.from = Math.min(Math.max(first, this.from), last - span);
    this.to = this.from + span;
    for (const button of this.spans) button.setAttribute("aria-pressed", "false");
    this.paint();
  }

  paint() {
    const { canvas, times, values } = this;
    if (!times || !this.element.open || canvas.clientWidth === 0) return;
    const { pen, width, height } = penOf(canvas);
    const first = Math.max(0, firstFrom(times, this.from) - 1);
    const last = Math.min(times.length, firstFrom(times, this.to + 1) + 1);
    let [low, high] = [Infinity, -Infinity];
    for (let i = first; i < last; i += 1) [low, high] = [Math.min(low, values[i]), Math.max(high, values[i])];
    const x = (time) => ((time - this.from) / (this.to - this.from)) * width;
    const y = (value) => height - 4 - (high > low ? (value - low) / (high - low) : 0.5) * (height - 20);
    const { theme } = this.page.palette;
    pen.beginPath();
    // Draw only minimum and maximum of each pixel.
    let [column, least, greatest] = [NaN, 0, 0];
    const flush = () => {
      if (Number.isNaN(column)) return;
      pen.lineTo(column, y(least));
      if (greatest !== least) pen.lineTo(column, y(greatest));
    };
    for (let i = first; i < last; i += 1) {
      const at = Math.round(x(times[i]) * 2) / 2;
      if (at !== column) {
        flush();
        [column, least, greatest] = [at, values[i], values[i]];
      } else [least, greatest] = [Math.min(least, values[i]), Math.max(greatest, values[i])];
    }
    flush();
    pen.lineJoin = "round";
    strokeIn(pen, theme.select, 1.5);
    pen.fillStyle = theme.ink[1];
    pen.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    pen.fillText(this.format(high), 3, 11);
    if (high > low) pen.fillText(this.format(low), 3, height - 5);
    let [sum, count] = [0, 0];
    for (let i = firstFrom(times, this.from); i < times.length && times[i] <= this.to; i += 1) [sum, count] = [sum + values[i], count + 1];
    const say = `${showTime(this.from)} to ${showTime(this.to)}: least ${this.format(low)}, greatest ${this.format(high)}` +
      (count > 0 ? `, average ${this.format(sum / count)} of ${count.toLocaleString("en")}` : "");
    this.sums.textContent = say;
    canvas.setAttribute("aria-label", say);
    if (this.pointed === undefined) return;
    const time = this.from + this.pointed * (this.to - this.from);
    const at = Math.min(times.length - 1, Math.max(0, firstFrom(times, time)));
    dot(pen, x(times[at]), y(values[at]), 4, theme.select);
    this.sums.textContent = `${showTime(times[at])}: ${this.format(values[at])}`;
  }
}
