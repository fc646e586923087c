// A moment of a time line on the map: what exists then, and how it is drawn.
import { layers } from "./layers.js";
import { THERE } from "./timeline.js";
import { TimeScene } from "./timescene.js";

/** The interval in milliseconds at which names follow appearing and vanishing lands while playing. */
const NAMES_PAUSE = 500;

export class TimeLayer {
  level = 1;
  /** Nodes of other moments are not in the summary. */
  isDeep = true;
  isTimed = true;

  /** `told` is recorded-only land, if the map lacks it. */
  constructor(view, timeline, { told = null } = {}) {
    this.view = view;
    this.timeline = timeline;
    this.time = timeline.start;
    this.state = -1;
    /** How long a change is lit, in seconds of the time line. */
    this.fade = 1;
    /** Whether authors are shown, if they are known. */
    this.showsTravellers = timeline.authors.length > 0;
    /** The comparison with another moment, or null. */
    this.span = null;
    this.scene = new TimeScene(view, this);
    this.lights = this.scene.lights;
    this.namesFor = 0;
    this.namesAt = 0;
    this.isRunning = false;
    this.told = told;
  }

  /** Goes to a moment; of several states at it, to the last by default. Changes are lit for `fade` seconds. */
  seek(time, state = this.timeline.stateAt(time), fade = this.fade) {
    Object.assign(this, { time, state, fade });
    layers.each("timeMoved");
    this.view.ask();
  }

  /** Whether tiles show land only, because the layer draws what changes. */
  get isPlain() { return this.timeline.hasLives; }

  /** The presence of a map object at the moment; unknown objects exist. */
  presence(thing) {
    if (!this.timeline.hasLives) return THERE;
    const node = this.timeline.node(thing.path, thing.kind !== "poi");
    return node === undefined ? THERE : this.presenceOf(node);
  }

  /** The presence of a node at the moment; when comparing, at either moment. */
  presenceOf(node) {
    return this.span?.comparison?.has(node) ? THERE : this.timeline.presence(node, this.state);
  }

  /** The key of chosen names; it follows appearing and vanishing lands, but not at once. */
  get namesKey() {
    const now = performance.now();
    const { lands } = this.scene.tiles;
    if (lands !== this.namesFor && (!this.isRunning || now - this.namesAt > NAMES_PAUSE)) {
      this.namesFor = lands;
      this.namesAt = now;
    }
    return this.namesFor;
  }

  /** Sets whether time runs. */
  run(isRunning) { this.isRunning = isRunning; }

  /** Continues with another time line. */
  renew(timeline) { this.timeline = timeline; }

  /** Shows a comparison with another moment, or none with null. */
  compare(span) { this.span = span; }

  /** Draws the moment over the tiles of a view; returns whether all is up to date. */
  paint(view, list, isAtRest) { return this.scene.paint(view, list, isAtRest); }

  paintAbove(context, camera) { this.scene.paintAbove(context, camera); }

  signs() { return this.scene.signs(); }

  get hiddenNames() { return this.scene.hiddenNames; }
}
