// What has changed a short while before a moment of a time line: it is lit, and fades.
import { boxOfPlaces } from "./geo.js";
import { Lamps } from "./lamps.js";
import { REMAINED } from "./timeline.js";

/** Changes that are looked at for a frame at most, the newest first. */
const MOST_LIT = 60000;
const LIT_CELL = 5; // pixels, in which one light is enough
const LIGHT = 15; // pixels
const LIGHT_DRAWN = 32; // pixels, from which it is scaled

/** How changes are lit, by kind: added, changed, removed. */
export function timeColours({ isDark }) { return isDark ? ["#35e0c2", "#ffc152", "#ff6f61"] : ["#00836b", "#c96a00", "#c8321f"]; }

export class TimeLights {
  /** `moment` tells the `timeline`, the `time` and the `state` that it is in, and how long a change is lit, `fade`. */
  constructor(palette, moment) {
    this.palette = palette;
    this.moment = moment;
    this.lamps = new Lamps();
    /** How many were drawn last. */
    this.count = 0;
  }

  /** The changes that are lit, by their numbers: the first one, and where they end. */
  get range() {
    const { timeline, time, state, fade } = this.moment;
    const end = timeline.firstChanges[state + 1];
    const first = timeline.firstChanges[timeline.stateAt(time - fade) + 1] ?? 0;
    return [Math.max(first, end - MOST_LIT), end];
  }

  /** The box around what is lit, in world coordinates; null if nothing is. */
  get box() {
    const { timeline, state } = this.moment;
    if (state < 0) return null;
    const [first, end] = this.range;
    const places = timeline.nodes.subarray(first, end).filter((_, index) => timeline.kinds[first + index] !== REMAINED);
    return places.length > 0 ? boxOfPlaces(places, timeline.x, timeline.y) : null;
  }

  /** Draws lights, those of the newest changes first; of what is in one spot, one. */
  draw(context, camera) {
    const { timeline, time, state, fade } = this.moment;
    if (state < 0) return;
    const width = Math.ceil(camera.width / LIT_CELL) + 6;
    const height = Math.ceil(camera.height / LIT_CELL) + 6;
    if (this.grid?.length !== width * height) this.grid = new Uint8Array(width * height);
    this.grid.fill(0);
    this.count = 0;
    const [first, end] = this.range;
    const colours = timeColours(this.palette);
    context.globalCompositeOperation = this.palette.isDark ? "lighter" : "source-over";
    for (let change = end - 1; change >= first; change -= 1) {
      const kind = timeline.kinds[change];
      const node = timeline.nodes[change];
      if (kind === REMAINED || timeline.isFolder[node]) continue;
      const [px, py] = camera.toScreen(timeline.x[node], timeline.y[node]);
      if (!camera.isNear(px, py, LIGHT)) continue;
      const cell = (Math.floor(py / LIT_CELL) + 3) * width + Math.floor(px / LIT_CELL) + 3;
      if (this.grid[cell]) continue;
      this.grid[cell] = 1;
      const left = 1 - (time - timeline.times[timeline.states[change]]) / fade;
      if (left <= 0) continue;
      const radius = LIGHT * (0.45 + 0.55 * left);
      context.globalAlpha = left ** 1.4;
      context.drawImage(this.light(colours[kind]), px - radius, py - radius, 2 * radius, 2 * radius);
      this.count += 1;
    }
    context.globalAlpha = 1;
    context.globalCompositeOperation = "source-over";
  }

  light(colour) {
    return this.lamps.of(colour, LIGHT_DRAWN, () => [[0, "#ffffff"], [0.14, colour], [0.28, `${colour}b0`], [0.6, `${colour}38`], [1, `${colour}00`]]);
  }
}
