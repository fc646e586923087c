// Below the map: the shown tracks, the profile of one with a scrubber, and the next turn of a planned route.
import { Charts } from "./charts.js";
import { byId, clamp, fillIn, make, penOf, showDistance, showTime, strokeIn, trace } from "./geo.js";
import { unproject } from "./mercator.js";
import { cuesOf, pointAlong, profileOf, wordsOf } from "./polylines.js";

const STEPS = 2000; // of the scrubber
const PIECES = 512;

export class Profile {
  constructor(page, layer, acts) {
    Object.assign(this, { page, layer, acts });
    this.legend = make("ul", { class: "shown", "aria-label": "Tracks that are shown" });
    this.canvas = make("canvas", { class: "profile", "aria-hidden": "true" });
    this.range = make("input", { type: "range", min: "0", max: String(STEPS), value: "0", "aria-label": "Place along the track",
      oninput: () => this.scrub(Number(this.range.value) / STEPS) });
    this.said = make("output", { class: "soft" });
    this.charts = new Charts(page);
    this.element = make("section", { id: "tracks-shown", class: "over", "aria-label": "Tracks on the map", hidden: true },
      this.legend, this.canvas, this.range, this.said, this.charts.element);
    this.cue = make("button", { id: "cue", class: "over", "aria-live": "polite", hidden: true, onclick: () => this.goOn() });
    byId("drawer").before(this.element);
    byId("bar").append(this.cue);
    for (const event of ["pointerdown", "pointermove"]) {
      this.canvas.addEventListener(event, ({ offsetX, buttons, pointerType }) => {
        if (event === "pointermove" && pointerType !== "mouse" && buttons === 0) return;
        this.range.value = String(Math.round((offsetX / this.canvas.clientWidth) * STEPS));
        this.scrub(offsetX / this.canvas.clientWidth);
      });
    }
    new ResizeObserver(() => this.paint()).observe(this.canvas);
  }

  draw() {
    const { shown, active } = this.layer;
    this.element.hidden = shown.length === 0;
    document.body.classList.toggle("tracked", shown.length > 0);
    this.legend.replaceChildren(...shown.map((one) => {
      const background = this.layer.colourOf(one, one.shapes.some(({ line }) => line.kind === "route"));
      return make("li", {}, make("button", { "aria-pressed": String(one === active), onclick: () => this.acts.choose(one) },
        make("span", { class: "swatch", style: { background } }), one.head.title, make("span", { class: "soft" }, one.head.length > 0 ? ` ${showDistance(one.head.length)}` : "")),
      make("button", { class: "chip", "aria-label": `Put ${one.head.title} away`, onclick: () => this.acts.hide(one) }, "×"));
    }));
    if (this.of !== active) {
      this.of = active;
      this.begin();
    }
    this.paint();
    // Names avoid it.
    this.page.view.restyle();
  }

  /** Starts with another track, following its longest line. */
  begin() {
    const shapes = this.of?.shapes ?? [];
    this.shape = shapes.reduce((best, one) => (!best || one.length > best.length ? one : best), null);
    const has = this.shape !== null && this.shape.length > 0;
    this.range.hidden = this.said.hidden = !has;
    this.heights = has ? profileOf(this.shape.line, this.shape.along, PIECES) : [];
    this.canvas.hidden = this.heights.length === 0;
    this.cues = has && this.shape.line.kind === "route" ? cuesOf(this.shape.line) : [];
    this.charts.show(this.of?.samples);
    this.range.value = "0";
    this.layer.moveCursor(null);
    this.metres = 0;
    this.cue.hidden = true;
    this.said.textContent = has ? `${showDistance(this.shape.length)}${this.climbOf(this.of.head)}` : "";
    if (this.cues.length > 0) this.sayNext();
  }

  climbOf({ climb, descent, highest }) {
    const metres = (value) => `${Math.round(value).toLocaleString("en")} m`;
    return highest === undefined ? "" : ` · up ${metres(climb)}, down ${metres(descent)}`;
  }

  /** Marks a place along the line, and describes it; `part` is 0 at the start, 1 at the end. */
  scrub(part) {
    const { shape } = this;
    this.metres = clamp(part, 0, 1) * shape.length;
    const at = pointAlong(shape.line, shape.along, this.metres);
    at.x -= Math.floor(at.x);
    this.layer.moveCursor(at);
    this.said.textContent = [showDistance(at.metres), Number.isFinite(at.ele) && `${Math.round(at.ele).toLocaleString("en")} m high`,
      Number.isFinite(at.time) && showTime(at.time / 1000), Number.isFinite(at.speed) && `${showDistance(at.speed * 3600)}/h`, at.name]
      .filter(Boolean).join(" · ");
    this.range.setAttribute("aria-valuetext", this.said.textContent);
    if (this.cues.length > 0) this.sayNext();
    this.paint();
    this.page.view.ask();
  }

  sayNext() {
    const next = this.cues.find((cue) => cue.along > this.metres + 1e-6 * this.shape.length) ?? this.cues.at(-1);
    const isStart = this.metres === 0 && this.layer.cursor === null;
    const cue = isStart ? this.cues[0] : next;
    const after = this.cues[this.cues.indexOf(cue) + 1];
    const words = wordsOf(cue);
    const ahead = cue.along - this.metres;
    this.next = cue;
    this.cue.replaceChildren(`${words[0].toUpperCase()}${words.slice(1)}${isStart || ahead <= 0 ? "" : ` in ${showDistance(ahead)}`}`);
    const place = make("small");
    this.cue.append(place);
    this.cue.hidden = false;
    const leg = after ? `for ${showDistance(after.along - cue.along)} to ` : "";
    // The target of the leg after the cue: a route's own name, or the land there.
    const index = (after ?? cue).index;
    const { line } = this.shape;
    const say = (name) => { if (this.next === cue) place.textContent = name ? leg + name : leg.replace(/ to $/, ""); };
    say(line.names?.[index]);
    if (!line.names?.[index]) this.page.source.landAt?.(line.lon[index], line.lat[index]).then(say, () => say(""));
  }

  goOn() {
    const { next, shape } = this;
    this.range.value = String(Math.round((next.along / shape.length) * STEPS));
    this.scrub(next.along / shape.length);
    const { x, y } = this.layer.cursor;
    this.acts.fly(unproject(x, y));
  }

  paint() {
    const { canvas, heights } = this;
    if (canvas.hidden || canvas.clientWidth === 0) return;
    const { pen, width, height } = penOf(canvas);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const y = (value) => height - 3 - (high > low ? (value - low) / (high - low) : 0.5) * (height - 18);
    const colour = this.layer.colourOf(this.of, this.shape.line.kind === "route");
    trace(pen, ...heights.map((value, i) => [(i / (heights.length - 1)) * width, y(value)]));
    strokeIn(pen, colour, 1.5);
    pen.lineTo(width, height);
    pen.lineTo(0, height);
    pen.globalAlpha = 0.25;
    fillIn(pen, colour);
    pen.globalAlpha = 1;
    const { theme } = this.page.palette;
    pen.fillStyle = theme.ink[1];
    pen.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    pen.fillText(`${Math.round(high).toLocaleString("en")} m`, 3, 11);
    const bottom = `${Math.round(low).toLocaleString("en")} m`;
    pen.fillText(bottom, width - pen.measureText(bottom).width - 3, height - 5);
    if (!this.layer.cursor) return;
    pen.fillStyle = theme.select;
    pen.fillRect((this.metres / this.shape.length) * width - 1, 0, 2, height);
  }
}
