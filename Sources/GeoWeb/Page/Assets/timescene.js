// What happens at a moment of a time line, drawn on the map: land that comes and goes, lights, names, authors.
import { People } from "./people.js";
import { FrameClock, Recent } from "./recent.js";
import { Tides } from "./tides.js";
import { TimeKey, timeSigns } from "./timekey.js";
import { TimeLights } from "./timelights.js";
import { TimeNames } from "./timenames.js";
import { TimeTiles } from "./timetiles.js";

/** Milliseconds of a frame for the files of tiles: while time runs or the map moves, and at rest. */
const [BUSY, FREE] = [5, 25];

export class TimeScene {
  /** `moment` is the time layer. */
  constructor(view, moment) {
    Object.assign(this, { view, moment });
    this.clock = new FrameClock();
    this.recent = new Recent();
    this.tiles = new TimeTiles(view, moment);
    this.tides = new Tides(view, moment);
    this.lights = new TimeLights(view.palette, moment, this.recent);
    this.people = new People(view, moment, this.recent);
    this.names = new TimeNames(view, moment, this.recent, this.people);
    this.key = new TimeKey(view, moment, this.people);
  }

  /** The files that it names in place of the map. */
  get hiddenNames() { return this.names.paths; }

  /** Forgets what was drawn before. */
  clear() {
    this.people.knownIn = null;
    this.people.clear();
    this.names.clear();
  }

  /** Draws what is below names; returns whether all is up to date. */
  paint({ context, camera, tiles, ratio }, list, isAtRest) {
    const { moment } = this;
    const now = performance.now();
    const { hasLives } = moment.timeline;
    let isDone = !hasLives || this.tiles.draw(context, camera, tiles, list, ratio, now + (isAtRest && !moment.isRunning ? FREE : BUSY));
    // A comparison lights its differences.
    this.isOn = !moment.span && moment.state >= 0;
    if (this.isOn && hasLives) this.tides.draw(context, camera, tiles, list, ratio, (entry, node) => this.tiles.indexOf(entry, node));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    moment.told?.draw(context, camera);
    const passed = this.clock.passed();
    if (this.isOn) {
      this.recent.look(moment);
      if (moment.showsTravellers) isDone = !this.people.look(camera, passed) && isDone;
      else this.people.clear();
      isDone = !this.names.look(camera, ratio, passed) && isDone;
      if (moment.showsTravellers) this.people.drawBeams(context, camera);
      this.lights.draw(context, camera, ratio);
    } else this.names.clear();
    this.key.look(now);
    context.setTransform(1, 0, 0, 1, 0, 0);
    return isDone;
  }

  /** Draws what is above names of the map. */
  paintAbove(context, camera) {
    if (!this.isOn) return;
    const { ratio } = this.view;
    this.names.draw(context, camera, ratio);
    if (this.moment.showsTravellers) this.people.draw(context, camera, ratio);
  }

  /** Its signs, for the legend. */
  signs() { return timeSigns(this.view.palette, this.key.options); }
}
