// The playback of a time line: speed, skipping of quiet times, and looping.
import { clamp } from "./geo.js";

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
/** The seconds of play without events after which quiet times are skipped. */
const QUIET = 1.2;
/** The maximum length of a whole play at the initial speed, in seconds. */
const USUAL_PLAY = 100;
const END_PAUSE = 1; // seconds

/** Differences of histories and recordings: speeds, fades in seconds of the time line, and steps. */
export const timeKinds = {
  history: {
    speeds: [[1, "1 second/s"], [10, "10 seconds/s"], [MINUTE, "1 minute/s"], [10 * MINUTE, "10 minutes/s"], [HOUR, "1 hour/s"],
      [6 * HOUR, "6 hours/s"], [DAY, "1 day/s"], [3 * DAY, "3 days/s"], [7 * DAY, "1 week/s"], [14 * DAY, "2 weeks/s"], [30 * DAY, "1 month/s"], [91 * DAY, "3 months/s"], [365 * DAY, "1 year/s"]],
    fades: [["0", "fade: 2 s of play"], [MINUTE, "fade: a minute"], [HOUR, "fade: an hour"], [DAY, "fade: a day"], [7 * DAY, "fade: a week"],
      [30 * DAY, "fade: a month"], [365 * DAY, "fade: a year"]],
    steps: [[DAY, "a day"], [7 * DAY, "a week"]], unit: "revision", skips: true,
  },
  recording: {
    speeds: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((speed) => [speed, `× ${speed}`]),
    fades: [["0", "fade: 2 s of play"], [1, "fade: a second"], [10, "fade: 10 seconds"], [MINUTE, "fade: a minute"], [10 * MINUTE, "fade: 10 minutes"],
      [HOUR, "fade: an hour"]],
    steps: [[10, "10 seconds"], [MINUTE, "a minute"]], unit: "event", skips: false, isInRealTime: true,
  },
};

/** The same kind with an additional speed. */
export function withSpeed(kind, speed) {
  if (kind.speeds.some(([other]) => other === speed)) return kind;
  return { ...kind, speeds: [...kind.speeds, [speed, `× ${speed}`]].sort(([a], [b]) => a - b) };
}

export class Pace {
  /** Starts at the given speed; else a recording runs in real time, and a history fast enough to wait for its end. */
  constructor({ speeds, skips, isInRealTime }, seconds, speed = null) {
    this.speeds = speeds.map(([speed]) => speed);
    /** Seconds of the time line per second of play. */
    this.speed = speed ?? (isInRealTime ? 1 : this.speeds.find((speed) => seconds / speed < USUAL_PLAY) ?? this.speeds.at(-1));
    this.loops = false;
    this.skips = skips;
    /** The time of the last frame; 0 before the first. */
    this.last = 0;
    /** How long the end was shown, in seconds. */
    this.held = 0;
  }

  /** The speed so many steps from the current one. */
  speedAfter(by) {
    const { speeds } = this;
    return speeds[clamp(speeds.indexOf(this.speed) + by, 0, speeds.length - 1)];
  }

  /** The seconds since the last frame. */
  passed(now) {
    const passed = this.last ? Math.min(250, now - this.last) / 1000 : 0;
    this.last = now;
    return passed;
  }

  /** The time after so many seconds of play. */
  next(time, passed, timeline) {
    let next = time + passed * this.speed;
    if (this.skips) next = this.overQuiet(next, timeline);
    if (next < timeline.end) this.held = 0;
    // Show the end for a moment before starting again.
    else if (this.loops && (this.held += passed) > END_PAUSE) [next, this.held] = [timeline.start, 0];
    return next;
  }

  /** Returns a time, or if it is quiet, one shortly before the next event. */
  overQuiet(time, timeline) {
    const state = timeline.stateAt(time);
    const [before, after] = [timeline.times[state] ?? -Infinity, timeline.times[state + 1]];
    const quiet = QUIET * this.speed;
    return after - time > quiet && time - before > quiet ? after - 0.2 * this.speed : time;
  }

  /** Whether playback ends at a time. */
  endsAt(time, timeline) { return !this.loops && time >= timeline.end; }
}
