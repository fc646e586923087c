// Changes between two moments of a history: a second handle on the bar, and differences on the page.
import { LISTED_CHANGES } from "./changelabels.js";
import { ChangeView } from "./changeview.js";
import { StateComparison } from "./comparison.js";
import { clamp, isNarrow, make, showCount } from "./geo.js";
import { Layer, layers } from "./layers.js";
import { clockOf, showMoment } from "./timescale.js";

/** The delay before comparing the next moment, in milliseconds: while playing, and otherwise. */
const SPAN_PAUSES = [400, 60];
const DEFAULT_SPAN = 0.75; // the part of the time before a moment where the span starts at first

class SpanView extends ChangeView {
  sections(node) { return this.layer.isOn ? super.sections(node) : []; }
  get entries() { return this.layer.isOn ? super.entries : undefined; }
  switched(isOn) { this.differences.switched(isOn); }
  switchBy(button) { this.button = button; }
}

/** A span of a history, between a fixed moment, `since`, and the current one, in either order; `renew` updates the selection. */
class Span extends Layer {
  level = 0;
  kinds = ["added", "removed", "changed", "moved"];
  canAskAgain = false;

  constructor(page, layer, renew) {
    super();
    Object.assign(this, { page, layer, renew, comparison: null });
    this.build();
    this.view = new SpanView(this, false);
    for (const one of [this.view, this]) layers.add(one);
  }

  attach(bar) {
    if (this.bar === bar) return;
    if (!this.bar) this.view.begin(this.page, bar.comparer);
    this.view.switchBy(bar.comparer);
    this.bar = bar;
    bar.track.append(this.band, this.handle);
  }

  get isOn() { return this.view.layer.isOn; }

  // Answers for the view

  dressTile(tile) { return this.isOn && this.comparison ? this.comparison.dressTile(tile) : tile; }

  list(wanted) {
    if (!this.comparison) return { states: [{ name: "" }, { name: "" }], below: {}, total: 0, list: [], moves: [] };
    return this.comparison.list({ limit: LISTED_CHANGES, ...wanted, names: this.endNames });
  }

  /** The earlier moment, and the later one. */
  get ends() { return [this.since, this.layer.time].sort((a, b) => a - b); }
  get endNames() { return this.ends.map((time) => showMoment(time, clockOf(this.layer.timeline))); }

  get words() {
    const { timeline } = this.layer;
    const [before, after] = this.ends.map((time) => timeline.stateAt(time));
    return [this.endNames.join(" → "), `${showCount(after - before, this.bar.kind.unit, `${this.bar.kind.unit}s`)} between`];
  }

  /** Compares from a moment, by default the previous one. */
  open(since = this.since) {
    const { start, end } = this.layer.timeline;
    this.since = clamp(since ?? start + DEFAULT_SPAN * (this.layer.time - start), start, end);
    if (this.isOn) this.timeMoved();
    else {
      const sawAll = this.page.seesAll();
      this.view.toggle();
      if (isNarrow()) this.view.fold();
      if (sawAll) this.page.fit(true);
    }
    this.bar.show();
  }

  switched(isOn) {
    this.layer.compare(isOn ? this : null);
    this.handle.hidden = this.band.hidden = !isOn;
    this.view.button.setAttribute("aria-pressed", String(isOn));
    if (!isOn || !this.compare()) this.renew();
    this.page.level.refresh();
    this.bar.show();
    this.page.address.moved();
  }

  toggle() {
    if (this.isOn) this.view.toggle();
    else this.open();
  }

  timeMoved() {
    if (!this.isOn || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (this.isOn && this.compare()) this.view.retile();
    }, SPAN_PAUSES[this.layer.isRunning ? 0 : 1]);
  }

  /** Compares; returns whether the result is new. */
  compare() {
    const { timeline } = this.layer;
    const [before, after] = this.ends.map((time) => timeline.stateAt(time));
    const { comparison: old } = this;
    if (old?.timeline === timeline && old.before === before && old.after === after) {
      // Other moments of the same states have other names.
      this.view.load();
      return false;
    }
    this.comparison = new StateComparison(timeline, before, after);
    this.page.level.refresh();
    this.view.load();
    this.renew();
    return true;
  }

  async node(ask, ...question) {
    const answer = await ask(...question);
    return answer && this.isOn && this.comparison ? this.comparison.dress(answer) : answer;
  }

  async summary(ask, ...question) {
    return this.isOn && this.comparison ? this.comparison.summary(question[0]) : ask(...question);
  }

  build() {
    this.band = make("div", { class: "band", hidden: true });
    this.handle = make("div", { class: "handle since", role: "slider", tabindex: "0", "aria-label": "Compared with", "aria-valuemin": "0", "aria-valuemax": "100", hidden: true });
    this.handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.handle.setPointerCapture(event.pointerId);
      event.stopPropagation();
      event.preventDefault();
      this.handle.focus({ preventScroll: true });
    });
    this.handle.addEventListener("pointermove", (event) => { if (this.handle.hasPointerCapture(event.pointerId)) this.go(this.bar.timeUnder(event)); });
    this.handle.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!by) return;
      this.step(by);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  step(by) {
    const { timeline } = this.layer;
    this.go(timeline.times[clamp(timeline.stateAt(this.since) + by, 0, timeline.stateCount - 1)]);
  }

  go(time) {
    this.since = time;
    this.bar.show();
    this.timeMoved();
    this.page.address.moved();
  }

  show() {
    const [since, low, high] = [this.since, ...this.ends].map((time) => this.layer.timeline.partOf(time) * 100);
    this.handle.style.left = `${since}%`;
    this.handle.setAttribute("aria-valuenow", String(Math.round(since)));
    this.handle.setAttribute("aria-valuetext", showMoment(this.since, clockOf(this.layer.timeline)));
    Object.assign(this.band.style, { left: `${low}%`, width: `${high - low}%` });
  }
}

export function makeSpan(page, layer, renew) { return new Span(page, layer, renew); }
