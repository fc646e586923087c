// What a time line looks like: bars of how much changed when, by kind, and below them what times they are of.
import { make, penOf } from "./geo.js";
import { timeColours } from "./timelights.js";
import { ADDED, CHANGED, REMAINED, REMOVED } from "./timeline.js";
import { scaleMarks } from "./timescale.js";

const PART = 3; // pixels of a bar
const SCALE_ROOM = 64; // pixels from mark to mark of the scale, at least
const SCALE_EDGE = 18; // pixels

export class TimeChart {
  constructor(palette) {
    this.palette = palette;
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.scale = make("div", { class: "scale", "aria-hidden": "true" });
    /** Whether the theme is dark that it was painted for; null before. */
    this.wasDark = null;
  }

  /** Whether it was painted for another theme. */
  get isOld() { return this.wasDark !== null && this.wasDark !== this.palette.isDark; }

  /** Draws the bars: changes in each part of the time, by kind, as square roots. */
  paint(timeline) {
    if (this.canvas.clientWidth === 0) return;
    const { pen, width, height } = penOf(this.canvas);
    const count = Math.max(1, Math.floor(width / PART));
    const parts = timeline.histogram(count);
    const allOf = (i) => parts[ADDED][i] + parts[CHANGED][i] + parts[REMOVED][i];
    let most = 1;
    for (let i = 0; i < count; i += 1) most = Math.max(most, allOf(i));
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

  /** Says below the bars what times they are of. */
  drawScale(timeline, width) {
    const marks = scaleMarks(timeline.start, timeline.end, width / SCALE_ROOM).map(({ time, word }) => ({ word, x: timeline.partOf(time) * width }));
    this.scale.replaceChildren(...marks.filter(({ x }) => x >= SCALE_EDGE && x <= width - SCALE_EDGE).map(({ word, x }) => {
      const mark = make("span", {}, word);
      mark.style.left = `${x.toFixed(1)}px`;
      return mark;
    }));
  }
}
