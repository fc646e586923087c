// A moment of a time line on the map: what exists then, and how it is drawn.
import { layers } from "./layers.js";
import { Schedule } from "./schedule.js";
import { THERE } from "./timeline.js";
import { TimeScene } from "./timescene.js";

/** The interval in milliseconds at which names follow appearing and vanishing lands while playing. */
const NAMES_PAUSE = 500;
/** The maximum number of lit changes, the newest. */
const MOST_LIT = 60000;

export class TimeLayer {
  level = 1;
  /** Nodes of other moments are not in the summary. */
  isDeep = true;
  /** For how many seconds of play a change is lit. */
  glow = 1.6;
  isTimed = true;

  /** `told` is recorded-only land, if the map lacks it. */
  constructor(view, timeline, { told = null } = {}) {
    this.view = view;
    this.timeline = timeline;
    this.schedule = new Schedule(timeline);
    this.time = timeline.start;
    this.state = -1;
    /** Seconds of play since the start of the time line. */
    this.play = 0;
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

  /** Goes to a moment, as if it was played up to there; of several states at it, to the last by default. */
  seek(time, state = this.timeline.stateAt(time)) {
    Object.assign(this, { time, state, play: this.schedule.playOf(time, state) });
    this.moved();
  }

  /** Goes to a second of play; after the end the last changes fade. */
  playTo(play) {
    Object.assign(this, { play, ...this.schedule.momentAt(play) });
    this.moved();
  }

  moved() {
    layers.each("timeMoved");
    this.view.ask();
  }

  /** Plays by another schedule; the moment stays. */
  follow(schedule) {
    this.schedule = schedule;
    this.play = schedule.playOf(this.time, this.state);
    this.view.ask();
  }

  /** Shows authors, or not. */
  showAuthors(isShown) { this.showsTravellers = isShown; }

  /** Sets how long changes are lit. */
  light(glow) {
    this.glow = glow;
    this.view.ask();
  }

  /** The seconds of play since a change; negative before it, also while other changes of its state have happened. */
  ageOf(change) { return this.play - this.schedule.playOfChange(change); }

  /** The changes that are lit: the first, and the end. */
  get lit() {
    const end = this.schedule.happened(this.play);
    return [Math.max(this.schedule.happened(this.play - this.glow), end - MOST_LIT), end];
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

  get groundKey() {
    const { before, after } = this.span?.comparison ?? {};
    return `${this.play}|${this.timeline.stateCount}|${before}|${after}`;
  }

  /** Sets whether time runs. */
  run(isRunning) { this.isRunning = isRunning; }

  /** Continues with another time line. */
  renew(timeline, schedule) {
    this.timeline = timeline;
    this.follow(schedule);
  }

  /** Shows a comparison with another moment, or none with null. */
  compare(span) { this.span = span; }

  /** Draws the moment over the tiles of a view; returns whether all is up to date. */
  paint(view, list, isAtRest) { return this.scene.paint(view, list, isAtRest); }

  paintAbove(context, camera) { this.scene.paintAbove(context, camera); }

  signs() { return this.scene.signs(); }

  get hiddenNames() { return this.scene.hiddenNames; }
}
