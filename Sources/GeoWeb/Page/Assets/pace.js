// The speeds of a time line, and its play: from the start to the end, and again.
import { clamp } from "./geo.js";

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
/** The times in which a whole time line can be played, in seconds, and their words; the usual one of a long one. */
const WHOLE = [[30, "all in 30 s"], [60, "all in 1 min"], [120, "all in 2 min"], [300, "all in 5 min"]];
const USUAL = 60;
/** A time line of few states takes so many seconds for each of them. */
const STATE_TIME = 2.5;
const LEAST_USUAL = 5;
const END_PAUSE = 1; // seconds

/** How long a change is lit, in seconds of play. */
const GLOWS = [[1.6, "lit for 1.6 s"], [5, "lit for 5 s"], [15, "lit for 15 s"], [60, "lit for a minute"]];

/** Differences of histories and recordings: speeds, and steps. */
export const timeKinds = {
  history: {
    speeds: [[1, "real time"], [10, "10 seconds/s"], [MINUTE, "1 minute/s"], [10 * MINUTE, "10 minutes/s"], [HOUR, "1 hour/s"],
      [6 * HOUR, "6 hours/s"], [DAY, "1 day/s"], [3 * DAY, "3 days/s"], [7 * DAY, "1 week/s"], [14 * DAY, "2 weeks/s"], [30 * DAY, "1 month/s"], [91 * DAY, "3 months/s"], [365 * DAY, "1 year/s"]],
    glows: GLOWS, steps: [[DAY, "a day"], [7 * DAY, "a week"]], unit: "revision", quickens: true,
  },
  recording: {
    speeds: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((speed) => [speed, speed === 1 ? "real time" : `× ${speed}`]),
    glows: GLOWS, steps: [[10, "10 seconds"], [MINUTE, "a minute"]], unit: "event", quickens: false, isInRealTime: true,
  },
};

/** The time in which a time line is played as a whole by default, in seconds. */
export function usualTime({ stateCount }) { return clamp(Math.round(STATE_TIME * stateCount), LEAST_USUAL, USUAL); }

/** The speeds of a time line with their words, the slowest first; `wholes` has the seconds of those that are for all of it. */
function speedsOf({ speeds }, timeline, own = null) {
  const span = timeline.end - timeline.start;
  const usual = usualTime(timeline);
  const times = WHOLE.some(([time]) => time === usual) ? WHOLE : [[usual, `all in ${usual} s`], ...WHOLE];
  const wholes = new Map(times.map(([time]) => [span / time, time]).filter(([speed]) => speed > 1));
  const words = new Map([...(own === null ? [] : [[own, `× ${own}`]]), ...times.map(([time, word]) => [span / time, word]).filter(([speed]) => wholes.has(speed)), ...speeds]);
  if (own !== null) wholes.delete(own);
  for (const [speed] of speeds) wholes.delete(speed);
  // What takes no longer in real time needs no other speed.
  return { all: [...words].sort(([a], [b]) => a - b), wholes, usual: span > USUAL && wholes.has(span / usual) ? span / usual : null };
}

export class Pace {
  /** Starts at the given speed; else a recording runs in real time, and a history is played as a whole in a minute, or slower. */
  constructor(kind, timeline, speed = null) {
    const { all, wholes, usual } = speedsOf(kind, timeline, speed);
    Object.assign(this, { all, wholes });
    this.speeds = all.map(([one]) => one);
    /** Seconds of the time line per second of play. */
    this.speed = speed ?? (kind.isInRealTime || usual === null ? 1 : usual);
    this.loops = false;
    this.quickens = kind.quickens;
    /** The time of the last frame; 0 before the first. */
    this.last = 0;
    /** How long the end was shown, in seconds. */
    this.held = 0;
  }

  /** What a schedule needs. */
  get wanted() { return { speed: this.speed, seconds: this.wholes.get(this.speed) ?? null, quickens: this.quickens }; }

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

  /** The second of play after so many others. */
  next(play, passed, length) {
    const next = play + passed;
    if (next < length) this.held = 0;
    // Show the end for a moment before starting again.
    else if (this.loops && (this.held += passed) > END_PAUSE) {
      this.held = 0;
      return 0;
    }
    return Math.min(next, length);
  }

  /** Whether playback ends at a second of play. */
  endsAt(play, length) { return !this.loops && play >= length; }
}
