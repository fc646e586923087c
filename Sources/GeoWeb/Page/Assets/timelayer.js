// A moment of a time line on the map: which one it is, what is there at it, and all that is drawn of it.
import { TimeLights } from "./timelights.js";
import { THERE } from "./timeline.js";
import { TimeTiles } from "./timetiles.js";
import { Travellers } from "./travellers.js";

/** How often names may follow lands that come and go while time runs, in milliseconds. */
const NAMES_PAUSE = 500;

export class TimeLayer {
  constructor(view, timeline) {
    this.view = view;
    this.timeline = timeline;
    this.time = timeline.start;
    this.state = -1;
    /** How long a change is lit, in seconds of the time line. */
    this.fade = 1;
    this.showsTravellers = false;
    /** What is shown besides: how the moment differs from another one; null if that isn't asked for. */
    this.span = null;
    this.tiles = new TimeTiles(view, this);
    this.lights = new TimeLights(view.palette, this);
    this.travellers = new Travellers(view, this);
    this.namesFor = 0;
    this.namesAt = 0;
    this.isRunning = false;
    /** Land that only the time line tells of; null if the map has it. */
    this.told = null;
    /** Called at the beginning of each frame, and when the moment is another one. */
    this.onframe = () => {};
    this.onseek = () => {};
  }

  /** Goes to a moment; several states may be of one, of which the last counts if none is given. */
  seek(time, state = this.timeline.stateAt(time)) {
    this.time = time;
    this.state = state;
    this.onseek();
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

  /** Draws the moment over the tiles of a view; whether all of it is as it is now. */
  draw(context, camera, tiles, list, ratio, isAtRest) {
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

  /** Draws what stands above the names of lands. */
  drawAbove(context, camera) { this.travellers.drawAbove(context, camera); }
}
