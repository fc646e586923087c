// The sheet of a film: title and date above the map, the last commit, activity and legend below it.
import { canvasOf, firstWithout, keptIn, showCount } from "./geo.js";
import { dot } from "./shapes.js";
import { timeColours } from "./timelights.js";
import { ADDED, CHANGED, REMOVED } from "./timeline.js";
import { captionOf, scaleTicks, showCounters, showDate } from "./timescale.js";

/** The height for which all lengths below are given, in pixels. */
const DESIGNED = 900;
const EDGE = 40;
const LINES = { title: 61, counted: 87, date: 61, author: 94, subject: 802, name: 824, year: 889, legend: 808, signs: 827 };
const AUTHOR_LINE = 18.5;
const MAXIMUM_AUTHORS = 6;
/** The chart of activity: its baseline and height, the distance of bars, and its mark. */
const CHART = { base: 872, height: 46, bar: 5.07, above: 12 };
const [HEAD, FOOT] = [120, 160]; // what covers the map above and below, so that texts can be read on it
/** The parts of its height that a sheet takes from the map: above and below. */
export const SHEET_EDGES = { top: 58 / DESIGNED, bottom: 118 / DESIGNED };

const SERIF = "Georgia, 'Noto Serif', 'DejaVu Serif', serif";

const inks = [
  { ink: "#3a2413", soft: "#54493b", future: "#b3bdb6", mark: "#2b2118", veil: "247,243,234" },
  { ink: "#f0e6c8", soft: "#b8ad90", future: "#35464e", mark: "#f0e6c8", veil: "11,22,29" },
];

export function mostActive({ states, stateAuthors, authors }, [first, end]) {
  const counts = new Map();
  for (let change = first; change < end; change += 1) {
    const author = stateAuthors[states[change]];
    if (author < authors.length) counts.set(author, (counts.get(author) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([author, count]) => ({ author, name: authors[author], count }));
}

export class FilmSheet {
  constructor(layer, counters, { width, height, title, kind, isDark }) {
    Object.assign(this, { layer, counters, width, height, title, kind, isDark });
    this.unit = height / DESIGNED;
    this.inks = inks[isDark ? 1 : 0];
    this.colours = timeColours({ isDark });
    this.known = new Map();
    this.make();
  }

  make() {
    const { width, height, unit } = this;
    this.veil = canvasOf(width, height, (pen) => {
      const colour = (alpha) => `rgba(${this.inks.veil},${alpha})`;
      const fill = (from, to, top, bottom) => {
        const shade = pen.createLinearGradient(0, from * unit, 0, to * unit);
        for (const [at, alpha] of [[0, 0.88], [0.45, 0.6], [1, 0]]) shade.addColorStop(at, colour(alpha));
        pen.fillStyle = shade;
        pen.fillRect(0, top * unit, width, (bottom - top) * unit);
      };
      fill(0, HEAD, 0, HEAD);
      fill(DESIGNED, DESIGNED - FOOT, DESIGNED - FOOT, DESIGNED);
    });
    const across = Math.max(1, width - 2 * EDGE * unit);
    const down = Math.ceil(CHART.height * unit);
    const bars = this.barsOf(Math.max(1, Math.round(across / (CHART.bar * unit))));
    [this.past, this.future] = [this.colours[CHANGED], this.inks.future].map((colour) => canvasOf(Math.ceil(across), down, (pen) => {
      pen.fillStyle = colour;
      const step = across / bars.length;
      bars.forEach((bar, i) => { if (bar > 0) pen.fillRect(i * step, down * (1 - bar), 0.8 * step, down * bar); });
    }));
    const { start, end } = this.layer.timeline;
    this.ticks = end > start ? scaleTicks(start, end, 14) : [];
  }

  /** The heights of bars, as square roots of changes, from 0 to 1. */
  barsOf(count) {
    const parts = this.layer.timeline.histogram(count);
    const sums = Array.from({ length: count }, (_, i) => parts[ADDED][i] + parts[CHANGED][i] + parts[REMOVED][i]);
    const most = Math.max(1, ...sums);
    return sums.map((sum) => (sum > 0 ? Math.max(0.05, Math.sqrt(sum / most)) : 0));
  }

  draw(pen) {
    const { layer, unit, width } = this;
    pen.save();
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.veil, 0, 0);
    pen.textBaseline = "alphabetic";
    const [right, half] = [width / unit - EDGE, width / unit / 2 - EDGE];
    this.write(pen, this.title, EDGE, LINES.title, { size: 32, ink: this.inks.ink, most: half });
    this.write(pen, showCounters(layer.timeline, this.kind, this.counters.at(layer.state)), EDGE, LINES.counted, { size: 14.5, ink: this.inks.soft, most: half });
    this.write(pen, showDate(layer.time), right, LINES.date, { size: 32, ink: this.inks.ink, align: "right", most: half });
    mostActive(layer.timeline, layer.lit).slice(0, MAXIMUM_AUTHORS).forEach(({ author, name, count }, i) => {
      const worked = i === 0 ? showCount(count, "change", "changes") : count;
      this.write(pen, `${name} · ${worked}`, right, LINES.author + i * AUTHOR_LINE, { size: 13, ink: this.colourOf(author), align: "right", most: half });
    });
    const { text, author } = captionOf(layer.timeline, layer.state);
    this.write(pen, text, EDGE, LINES.subject, { size: 21, ink: this.inks.ink, most: width / unit - 400 });
    if (author >= 0) this.write(pen, layer.timeline.authors[author], EDGE, LINES.name, { size: 14, ink: this.colourOf(author), most: half });
    this.drawChart(pen);
    this.drawLegend(pen, right);
    pen.restore();
  }

  colourOf(author) { return this.layer.scene.people.colourOf(author); }

  drawChart(pen) {
    const { layer: { timeline, time }, unit, past, future } = this;
    const [left, top] = [EDGE * unit, CHART.base * unit - past.height];
    const at = Math.round(past.width * timeline.partOf(time));
    pen.drawImage(future, left, top);
    if (at > 0) pen.drawImage(past, 0, 0, at, past.height, left, top, at, past.height);
    pen.fillStyle = this.inks.mark;
    pen.fillRect(left + at - unit, top + (past.height - CHART.height * unit), 2 * unit, CHART.height * unit + 3 * unit);
    for (const { time: tick, word } of this.ticks) {
      const x = EDGE + (past.width / unit) * timeline.partOf(tick);
      if (x > EDGE + CHART.above && x < this.width / unit - EDGE - CHART.above) this.write(pen, word, x, LINES.year, { size: 10.5, ink: this.inks.soft, align: "center" });
    }
  }

  drawLegend(pen, right) {
    let x = right + 16;
    for (const [kind, word] of [[REMOVED, "removed"], [CHANGED, "changed"], [ADDED, "added"]]) {
      x -= this.write(pen, word, x, LINES.legend, { size: 12, ink: this.inks.soft, align: "right" }) / this.unit + 10;
      dot(pen, x * this.unit, (LINES.legend - 5) * this.unit, 5 * this.unit, this.colours[kind]);
      x -= 22;
    }
    if (!this.layer.timeline.hasLives) return;
    this.write(pen, "circles: bytes of folders · hatched: folders that went", right + 16, LINES.signs, { size: 12, ink: this.inks.soft, align: "right" });
  }

  /** Writes a text at a place, shortened to a maximum width; returns its width in pixels. */
  write(pen, text, x, y, { size, ink, align = "left", most = Infinity }) {
    const { unit } = this;
    pen.font = `${size * unit}px ${SERIF}`;
    pen.textAlign = align;
    pen.fillStyle = ink;
    const shown = this.fitted(pen, text, most * unit);
    pen.fillText(shown.text, x * unit, y * unit);
    return shown.width;
  }

  fitted(pen, text, most) {
    return keptIn(this.known, `${pen.font}|${most}|${text}`, () => {
      const count = firstWithout(0, text.length, (length) => pen.measureText(shortened(text, length + 1)).width <= most);
      const shown = shortened(text, count);
      return { text: shown, width: pen.measureText(shown).width };
    }, 500);
  }
}

function shortened(text, count) { return count >= text.length ? text : `${text.slice(0, count).trimEnd()}…`; }
