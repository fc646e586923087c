// The camera of a play: it goes to where most happens, and returns to the whole.
import { boxOfPlaces, clamp, keptIn } from "./geo.js";
import { TILE } from "./mercator.js";
import { REMAINED } from "./timeline.js";

/** Seconds of play: from one view of the whole to the next, at most; the shortest such time with a movement. */
const [SHOT, MINIMUM_SHOT] = [12, 5];
/** Seconds of a movement, and the parts of a shot that movements begin and end at, and last at most. */
const EASE = 2.4;
const [EASE_FROM, EASE_UNTIL, EASE_PART] = [0.1, 0.9, 0.3];
/** How many zooms the camera goes nearer: at most, and at least for it to move at all. */
const [NEARER, MINIMUM_NEARER] = [1.2, 0.35];
/** The part of what is seen that the activity fills, and the part of changes that may be outside it on each side. */
const [FILLED, OUTSIDE] = [0.6, 0.1];
const MAXIMUM_CHANGES = 1000; // the maximum number of changes that are looked at for a shot

/** A step from 0 to 1 whose speed and acceleration begin and end at 0. */
export function eased(part) {
  const t = clamp(part, 0, 1);
  return t * t * t * (t * (6 * t - 15) + 10);
}

/**
 * The view at each second of a play, from the schedule alone. In each shot the camera shows the `whole`, as of `wholeOf`,
 * moves toward the changes of the shot, rests, and moves back.
 */
export class Shots {
  constructor(timeline, schedule, whole) {
    Object.assign(this, { timeline, schedule, whole });
    this.count = Math.max(1, Math.round(schedule.length / SHOT));
    this.time = schedule.length / this.count;
    this.focuses = new Map();
  }

  at(play) {
    const { time, whole } = this;
    const index = Math.floor(play / time);
    const { x, y, z, ox, oy } = whole;
    const focus = index >= 0 && index < this.count ? this.focus(index) : null;
    if (!focus) return { x: x + ox, y: y + oy, z };
    const ease = Math.min(EASE, EASE_PART * time);
    const at = play - index * time;
    const part = eased((at - EASE_FROM * time) / ease) * eased((EASE_UNTIL * time - at) / ease);
    // A zoom about a fixed place.
    const less = 2 ** (-focus.nearer * part);
    const moved = (1 - less) / (1 - 2 ** -focus.nearer);
    return { x: x + focus.dx * moved + ox * less, y: y + focus.dy * moved + oy * less, z: z + focus.nearer * part };
  }

  /** Where a shot goes: how many zooms nearer, and how far; null if it stays. */
  focus(index) { return keptIn(this.focuses, index, () => (this.time < MINIMUM_SHOT ? null : this.findFocus(index)), 2000); }

  findFocus(index) {
    const { schedule, time, whole } = this;
    const [first, end] = [EASE_FROM, EASE_UNTIL].map((part) => schedule.happened((index + part) * time));
    const box = boxOfMost(this.placesOf(first, end));
    if (!box) return null;
    const [west, north, east, south] = box;
    const space = Math.min(whole.across / Math.max(east - west, 1e-12), whole.down / Math.max(south - north, 1e-12));
    const nearer = Math.min(NEARER, Math.log2(space * FILLED));
    if (nearer < MINIMUM_NEARER) return null;
    // What is seen stays within the whole.
    const free = (1 - 2 ** -nearer) / 2;
    return { nearer, dx: clamp((west + east) / 2 - whole.x, -free * whole.across, free * whole.across),
      dy: clamp((north + south) / 2 - whole.y, -free * whole.down, free * whole.down) };
  }

  placesOf(first, end) {
    const { nodes, kinds, isFolder, x, y } = this.timeline;
    const [places, step] = [[], Math.max(1, Math.ceil((end - first) / MAXIMUM_CHANGES))];
    for (let change = first; change < end; change += step) {
      const node = nodes[change];
      if (!isFolder[node] && kinds[change] !== REMAINED) places.push([x[node], y[node]]);
    }
    return places;
  }
}

function boxOfMost(places) {
  if (places.length === 0) return null;
  const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]).sort((a, b) => a - b));
  const [low, high] = [Math.floor(OUTSIDE * (places.length - 1)), Math.ceil((1 - OUTSIDE) * (places.length - 1))];
  return [xs[low], ys[low], xs[high], ys[high]];
}

/**
 * The view of everything on a time line, perhaps `found` already: its middle, the extent of what is free in the window,
 * and how far the camera is from that middle, `ox` and `oy`, in world coordinates.
 */
export function wholeOf(timeline, camera, found) {
  const { x, y, z } = found ?? camera.viewAround(boxOfPlaces(timeline.x.keys(), timeline.x, timeline.y), {});
  const { left, top, right, bottom } = camera.covered;
  const scale = TILE * 2 ** z;
  const [ox, oy] = [(right - left) / 2 / scale, (bottom - top) / 2 / scale];
  return { x: x - ox, y: y - oy, z, ox, oy, across: (camera.width - left - right) / scale, down: (camera.height - top - bottom) / scale };
}

const COMING = 1200; // milliseconds in which the camera comes to a play that runs already

export class Follower {
  /** `whole()` returns the view of everything; `left` is called once the map is moved by something else. */
  constructor(view, { whole, left }) {
    Object.assign(this, { view, whole, left });
    this.stop();
  }

  stop() { this.shots = this.from = this.last = null; }

  frame(now, play, timeline, schedule) {
    const { camera, isCalm } = this.view;
    if (this.last && (camera.isMoving || ["x", "y", "z"].some((key) => camera[key] !== this.last[key]))) return this.left();
    // A flight ends first.
    if (camera.isMoving) return undefined;
    const window = [camera.width, camera.height, ...Object.values(camera.covered)].join();
    if (this.shots?.schedule !== schedule || this.window !== window) {
      this.shots = new Shots(timeline, schedule, this.whole());
      this.window = window;
      this.come(now);
    }
    // Seeking is no movement either.
    if (Math.abs(play - this.play) > 1) this.come(now);
    this.play = play;
    const to = this.shots.at(isCalm ? -1 : play);
    const part = isCalm ? 1 : eased((now - this.since) / COMING);
    const at = (key) => (part < 1 ? this.from[key] + (to[key] - this.from[key]) * part : to[key]);
    if (["x", "y", "z"].some((key) => camera[key] !== at(key))) camera.set(at("x"), at("y"), at("z"));
    const { x, y, z } = camera;
    this.last = { x, y, z };
    return undefined;
  }

  come(now) {
    const { x, y, z } = this.view.camera;
    [this.from, this.since] = [{ x, y, z }, now];
  }
}
