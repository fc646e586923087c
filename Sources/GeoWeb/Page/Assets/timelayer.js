// A moment of a time line on the map: which one it is, what is there at it, and all that is drawn of it.
import { layers } from "./layers.js";
import { TimeLights, Travellers } from "./timelights.js";
import { THERE } from "./timeline.js";
import { TimeTiles } from "./timetiles.js";

/** How often names may follow lands that come and go while time runs, in milliseconds. */
const NAMES_PAUSE = 500;

export class TimeLayer {
  level = 1;

  /** `told` is land that only the time line tells of, if the map doesn't have it; `showsTravellers` whether authors are on the map. */
  constructor(view, timeline, { told = null, showsTravellers = false } = {}) {
    this.view = view;
    this.timeline = timeline;
    this.time = timeline.start;
    this.state = -1;
    /** How long a change is lit, in seconds of the time line. */
    this.fade = 1;
    this.showsTravellers = showsTravellers;
    /** How the moment differs from another one; null if that isn't shown. */
    this.span = null;
    this.tiles = new TimeTiles(view, this);
    this.lights = new TimeLights(view.palette, this);
    this.travellers = new Travellers(view, this);
    this.namesFor = 0;
    this.namesAt = 0;
    this.isRunning = false;
    this.told = told;
  }

  /** Goes to a moment; several states may be of one, of which the last counts if none is given. Changes are lit for `fade` seconds. */
  seek(time, state = this.timeline.stateAt(time), fade = this.fade) {
    Object.assign(this, { time, state, fade });
    layers.each("timeMoved");
    this.view.ask();
  }

  /** Whether the map is drawn without what comes and goes: that is drawn by the moment. */
  get isPlain() { return this.timeline.hasLives; }

  /** What a thing of the map is at the moment: what nobody knows of is there. */
  presence(thing) {
    if (!this.timeline.hasLives) return THERE;
    const node = this.timeline.node(thing.path, thing.kind !== "poi");
    return node === undefined ? THERE : this.presenceOf(node);
  }

  /** What a node is at the moment; where two are compared it is there if it is there at one of them. */
  presenceOf(node) {
    return this.span?.comparison?.has(node) ? THERE : this.timeline.presence(node, this.state);
  }

  /** What names are chosen for; it changes with lands that come and go, but not all the time. */
  get namesKey() {
    const now = performance.now();
    const { lands } = this.tiles;
    if (lands !== this.namesFor && (!this.isRunning || now - this.namesAt > NAMES_PAUSE)) {
      this.namesFor = lands;
      this.namesAt = now;
    }
    return this.namesFor;
  }

  /** Has time run, or stand. */
  run(isRunning) { this.isRunning = isRunning; }

  /** Goes on with another time line. */
  renew(timeline) { this.timeline = timeline; }

  /** Shows also how the moment differs from another one, or with null no longer. */
  compare(span) { this.span = span; }

  /** Draws the moment over the tiles of a view; whether all of it is as it is now. */
  paint({ context, camera, tiles, ratio }, list, isAtRest) {
    const isSharp = !this.timeline.hasLives ||
      this.tiles.draw(context, camera, tiles, list, ratio, performance.now() + (isAtRest ? 25 : 6));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.told?.draw(context, camera);
    // Where two moments are compared, what differs is lit.
    if (!this.span) this.lights.draw(context, camera);
    if (this.showsTravellers) this.travellers.look();
    else this.travellers.shown = [];
    this.travellers.drawWays(context, camera);
    context.setTransform(1, 0, 0, 1, 0, 0);
    return isSharp;
  }

  paintAbove(context, camera) { this.travellers.drawAbove(context, camera); }
}
