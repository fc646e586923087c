// Lights of a time line: each file that changed recently glows, larger with more changes, and fades.
import { boxOfPlaces } from "./geo.js";
import { REMAINED } from "./timeline.js";

/** The maximum number of lights per frame, newest first. */
const MOST_LIGHTS = 450;
const LIT_CELL = 5; // pixels, in which one light is enough
/** Steps of size, each by a doubling of changes. */
const SIZES = 7;
/** The radius in pixels of the core of a light: of one change, and with each step. */
const [CORE, CORE_STEP] = [2.8, 1.15];
/** How far the halo reaches, in radii of the core. */
const HALO = 3.1;

/** The colours of changes: added, changed, removed. */
export function timeColours({ isDark }) { return isDark ? ["#35e0c2", "#f0a93b", "#ff6f61"] : ["#0a8f79", "#d97f00", "#cc3d26"]; }

/** And those of words. */
export function timeInks({ isDark }) { return isDark ? ["#35e0c2", "#f4b552", "#ff8a7d"] : ["#00604f", "#804c00", "#a5301b"]; }

/** The step of size for a number of changes. */
function stepOf(count) { return Math.min(SIZES - 1, Math.floor(Math.log2(Math.max(1, count)) + 1e-9)); }

/** The radius in pixels of the core of a light. */
export function coreOf(count) { return CORE + CORE_STEP * stepOf(count); }

export class TimeLights {
  /** `moment` has the `timeline`, its `time` and `state`; `recent` the files that are lit. */
  constructor(palette, moment, recent) {
    this.palette = palette;
    this.moment = moment;
    this.recent = recent;
    this.sprites = [];
    /** The number of lights drawn last. */
    this.count = 0;
    this.chosen = new Int32Array(MOST_LIGHTS);
  }

  /** The box around lit changes, in world coordinates, or null. */
  get box() {
    const { timeline, state } = this.moment;
    if (state < 0) return null;
    const [first, end] = this.moment.lit;
    const places = timeline.nodes.subarray(first, end).filter((_, index) => timeline.kinds[first + index] !== REMAINED);
    return places.length > 0 ? boxOfPlaces(places, timeline.x, timeline.y) : null;
  }

  /** Draws lights, newest on top; one for each spot. */
  draw(context, camera, ratio) {
    const { recent, moment } = this;
    const { x, y } = moment.timeline;
    const width = Math.ceil(camera.width / LIT_CELL) + 12;
    const height = Math.ceil(camera.height / LIT_CELL) + 12;
    if (this.grid?.length !== width * height) this.grid = new Uint8Array(width * height);
    this.grid.fill(0);
    const left = camera.width / 2 - camera.x * camera.scale;
    const top = camera.height / 2 - camera.y * camera.scale;
    const reach = 5 * LIT_CELL;
    let count = 0;
    for (let i = 0; i < recent.count && count < MOST_LIGHTS; i += 1) {
      const node = recent.nodes[i];
      const [px, py] = [x[node] * camera.scale + left, y[node] * camera.scale + top];
      if (!camera.isNear(px, py, reach)) continue;
      const cell = (Math.floor(py / LIT_CELL) + 6) * width + Math.floor(px / LIT_CELL) + 6;
      // More changes are never behind fewer.
      const size = 1 + stepOf(recent.counts[i]);
      if (this.grid[cell] >= size) continue;
      this.grid[cell] = size;
      this.chosen[count] = i;
      count += 1;
    }
    const glow = moment.glow;
    for (let at = count - 1; at >= 0; at -= 1) {
      const i = this.chosen[at];
      const node = recent.nodes[i];
      const sprite = this.light(recent.kinds[i], stepOf(recent.counts[i]), ratio);
      const half = sprite.width / ratio / 2;
      context.globalAlpha = Math.max(0, 1 - recent.ages[i] / glow) ** 0.8;
      context.drawImage(sprite, x[node] * camera.scale + left - half, y[node] * camera.scale + top - half, 2 * half, 2 * half);
    }
    context.globalAlpha = 1;
    this.count = count;
  }

  /** The sprite of a light, drawn once for each size. */
  light(kind, step, ratio) {
    const { isDark } = this.palette;
    if (ratio !== this.spritesFor?.ratio || isDark !== this.spritesFor.isDark) [this.spritesFor, this.sprites] = [{ ratio, isDark }, []];
    const index = kind * SIZES + step;
    let sprite = this.sprites[index];
    if (sprite) return sprite;
    const core = (CORE + CORE_STEP * step) * ratio;
    const half = Math.ceil(core * HALO + 1);
    sprite = document.createElement("canvas");
    sprite.width = sprite.height = 2 * half;
    drawLight(sprite.getContext("2d"), half, half, core, timeColours(this.palette)[kind], isDark);
    this.sprites[index] = sprite;
    return sprite;
  }
}

/** Draws a light: a core with a halo, which on a light map is white, so that it shines instead of scorching. */
export function drawLight(pen, x, y, core, colour, isDark) {
  const far = core * HALO;
  const halo = pen.createRadialGradient(x, y, core * 0.6, x, y, far);
  const stops = isDark ? [[0, `${colour}d0`], [0.3, `${colour}66`], [0.65, `${colour}22`], [1, `${colour}00`]]
    : [[0, "#fffffff8"], [0.42, "#ffffffd8"], [0.7, "#ffffff70"], [1, "#ffffff00"]];
  for (const [at, one] of stops) halo.addColorStop(at, one);
  pen.fillStyle = halo;
  pen.beginPath();
  pen.arc(x, y, far, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, core, 0, 2 * Math.PI);
  pen.fill();
  if (isDark) return;
  // A thin ring in the colour of the change holds the light together.
  pen.strokeStyle = `${colour}90`;
  pen.lineWidth = Math.max(0.8, core * 0.22);
  pen.beginPath();
  pen.arc(x, y, core * 1.75, 0, 2 * Math.PI);
  pen.stroke();
}
