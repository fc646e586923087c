// When each change is played, and the speed of play.
import { clamp, lastUpTo } from "./geo.js";

/** How long the changes of one second of the time line take to play, in seconds: so many or more, and the fewest that are spread. */
const [WAVE, FULL_WAVE, MINIMUM_WAVE] = [1.5, 5000, 30];
const WAVES = 0.25; // the part of a play that such waves take at most
/** The number of steps for a second of play in which activity is counted, and the most of them. */
const [STEPS, MAXIMUM_STEPS] = [4, 2 ** 18];
const SPREAD = 2; // how many steps around it activity affects, applied twice
const QUICK = 6; // how much faster quiet times pass than busy ones

export function waveOf(count) { return count < MINIMUM_WAVE ? 0 : WAVE * Math.min(1, count / FULL_WAVE) ** 0.6; }

/**
 * Maps play to time and back, in seconds.
 *
 * Play is 0 at the start of the time line. Without `seconds`, its busy times run at `speed` seconds for a second of play;
 * with it, the whole time line takes that long. If it `quickens`, quiet times run up to six times as fast, and speed
 * changes gradually. The changes of one second of the time line are spread over a wave, in the order of the map; while
 * changes of a state are spread, time stands still.
 */
export class Schedule {
  constructor(timeline, { speed = 1, seconds = null, quickens = false } = {}) {
    this.timeline = timeline;
    this.span = timeline.end - timeline.start;
    const usual = seconds ?? this.span / speed;
    // The play of time alone at each step; 0 at the start.
    this.plays = playsOf(timeline, quickens && this.span > 0 ? clamp(Math.ceil(STEPS * usual), 1, MAXIMUM_STEPS) : 1);
    const part = seconds === null ? 1 : 1 / (this.plays.at(-1) || 1);
    const whole = this.span > 0 ? usual * this.plays.at(-1) * part : 0;
    const waves = this.spread(whole);
    this.length = Math.max(whole, waves); // the seconds of play of the whole time line
    const scale = (this.length - waves) / (this.plays.at(-1) || 1);
    for (let i = 0; i < this.plays.length; i += 1) this.plays[i] *= scale;
    this.begin();
  }

  spread(whole) {
    const { times, stateCount, firstChanges } = this.timeline;
    this.pauses = new Float64Array(stateCount); // the seconds from one change of a state to the next
    let sum = 0;
    for (let first = 0, end = 0; first < stateCount; first = end) {
      const second = Math.floor(times[first]);
      while (end < stateCount && Math.floor(times[end]) === second) end += 1;
      const count = firstChanges[end] - firstChanges[first];
      const wave = waveOf(count);
      if (wave > 0) this.pauses.fill(wave / count, first, end);
      sum += wave;
    }
    // If all changes are simultaneous, there is nothing else to play.
    const most = this.span > 0 ? WAVES * whole : Infinity;
    if (sum <= most) return sum;
    for (let state = 0; state < stateCount; state += 1) this.pauses[state] *= most / sum;
    return most;
  }

  begin() {
    const { times, stateCount } = this.timeline;
    /** When states begin, and the seconds of all waves up to the end of each, in seconds of play. */
    this.begins = new Float64Array(stateCount);
    this.waves = new Float64Array(stateCount);
    let sum = 0;
    for (let state = 0; state < stateCount; state += 1) {
      this.begins[state] = this.playOfTime(times[state]) + sum;
      sum += this.pauses[state] * this.countOf(state);
      this.waves[state] = sum;
    }
  }

  countOf(state) { return this.timeline.firstChanges[state + 1] - this.timeline.firstChanges[state]; }

  /** The play of a time without waves. */
  playOfTime(time) {
    const { plays, span, timeline } = this;
    if (span <= 0) return 0;
    const at = clamp((time - timeline.start) / span, 0, 1) * (plays.length - 1);
    const step = Math.min(Math.floor(at), plays.length - 2);
    return plays[step] + (at - step) * (plays[step + 1] - plays[step]);
  }

  timeOfPlay(play) {
    const { plays, span, timeline } = this;
    if (span <= 0) return timeline.start;
    const step = clamp(lastUpTo(plays, play), 0, plays.length - 2);
    const part = clamp((play - plays[step]) / (plays[step + 1] - plays[step]), 0, 1);
    return timeline.start + (span * (step + part)) / (plays.length - 1);
  }

  /** When a moment is played: a time, and the last of its states whose changes have happened. */
  playOf(time, state) { return this.playOfTime(time) + (this.waves[state] ?? 0); }

  /** The moment at a second of play: its time, and the last state that has begun. */
  momentAt(play) {
    const { times, stateCount } = this.timeline;
    const state = lastUpTo(this.begins, play, stateCount);
    if (state < 0) return { time: this.timeline.start, state };
    const time = this.timeOfPlay(play - this.waves[state]);
    // Rounding must lead neither before the state nor to the next one.
    return { time: clamp(time, times[state], Math.max(times[state], times[state + 1] ?? time)), state };
  }

  playOfChange(change) {
    const { firstChanges, states } = this.timeline;
    const state = states[change];
    return this.begins[state] + this.pauses[state] * (change - firstChanges[state]);
  }

  happened(play) {
    const state = lastUpTo(this.begins, play, this.timeline.stateCount);
    if (state < 0) return 0;
    const [count, pause] = [this.countOf(state), this.pauses[state]];
    const since = pause > 0 ? Math.floor((play - this.begins[state]) / pause) + 1 : count;
    return this.timeline.firstChanges[state] + Math.min(count, since);
  }
}

/** The play at each of some equal steps of a time line, 1 for all of it if nothing is quickened. */
function playsOf(timeline, steps) {
  const plays = new Float64Array(steps + 1);
  const activity = steps > 1 ? activityOf(timeline, steps) : null;
  // The activity around a typical state.
  const busy = activity ? activity.reduce((sum, one) => sum + one * one, 0) / activity.reduce((sum, one) => sum + one, 0) : 1;
  for (let step = 0; step < steps; step += 1) {
    const part = activity ? clamp(Math.sqrt(activity[step] / busy), 1 / QUICK, 1) : 1;
    plays[step + 1] = plays[step] + part / steps;
  }
  return plays;
}

/** The number of states in each of some equal steps, spread over their neighbours. */
function activityOf({ times, stateCount, start, end }, steps) {
  let counts = new Float64Array(steps);
  for (let state = 0; state < stateCount; state += 1) {
    counts[Math.min(steps - 1, Math.floor(((times[state] - start) / (end - start)) * steps))] += 1;
  }
  for (let turn = 0; turn < 2; turn += 1) counts = spreadOut(counts);
  return counts;
}

function spreadOut(numbers) {
  const spread = new Float64Array(numbers.length);
  let sum = 0;
  for (let i = -SPREAD; i < numbers.length; i += 1) {
    sum += numbers[i + SPREAD] ?? 0;
    sum -= numbers[i - SPREAD - 1] ?? 0;
    if (i >= 0) spread[i] = Math.max(0, sum) / (2 * SPREAD + 1);
  }
  return spread;
}

// The speeds of a time line, and its play: from the start to the end, and again.

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
/** The times in which a whole time line can be played, in seconds, and their words; the usual one of a long one. */
const WHOLE = [[30, "all in 30 s"], [60, "all in 1 min"], [120, "all in 2 min"], [300, "all in 5 min"]];
const DEFAULT_TIME = 60;
const STATE_TIME = 2.5; // a time line of few states takes so many seconds for each of them
const MINIMUM_TIME = 5;
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

export function defaultTime({ stateCount }) { return clamp(Math.round(STATE_TIME * stateCount), MINIMUM_TIME, DEFAULT_TIME); }

/** The speeds of a time line with their words, the slowest first; `wholes` has the seconds of those that are for all of it. */
function speedsOf({ speeds }, timeline, own = null) {
  const [span, usual] = [timeline.end - timeline.start, defaultTime(timeline)];
  const times = WHOLE.some(([time]) => time === usual) ? WHOLE : [[usual, `all in ${usual} s`], ...WHOLE];
  const wholes = new Map(times.map(([time]) => [span / time, time]).filter(([speed]) => speed > 1));
  const words = new Map([...(own === null ? [] : [[own, `× ${own}`]]), ...times.map(([time, word]) => [span / time, word]).filter(([speed]) => wholes.has(speed)), ...speeds]);
  if (own !== null) wholes.delete(own);
  for (const [speed] of speeds) wholes.delete(speed);
  // What takes no longer in real time needs no other speed.
  return { all: [...words].sort(([a], [b]) => a - b), wholes, usual: span > DEFAULT_TIME && wholes.has(span / usual) ? span / usual : null };
}

export class PlaybackSpeed {
  /** Starts at the given speed; else a recording runs in real time, and a history is played as a whole in a minute, or slower. */
  constructor(kind, timeline, speed = null) {
    const { all, wholes, usual } = speedsOf(kind, timeline, speed);
    Object.assign(this, { all, wholes, loops: false, quickens: kind.quickens });
    this.speeds = all.map(([one]) => one);
    /** Seconds of the time line per second of play. */
    this.speed = speed ?? (kind.isInRealTime || usual === null ? 1 : usual);
    this.last = 0; // the time of the last frame; 0 before the first
    this.held = 0; // how long the end was shown, in seconds
  }

  get wanted() { return { speed: this.speed, seconds: this.wholes.get(this.speed) ?? null, quickens: this.quickens }; }

  speedAfter(by) {
    const { speeds } = this;
    return speeds[clamp(speeds.indexOf(this.speed) + by, 0, speeds.length - 1)];
  }

  passed(now) {
    const passed = this.last ? Math.min(250, now - this.last) / 1000 : 0;
    this.last = now;
    return passed;
  }

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

  endsAt(play, length) { return !this.loops && play >= length; }
}
