// A moment of a time line on the map: what exists then, how it is drawn, and its legend.
import { byId, clamp, fillIn, keptIn, make, showNumber, strokeDashed, strokeIn, strokeLines } from "./geo.js";
import { Layer, layers } from "./layers.js";
import { sample, signsIn } from "./legend.js";
import { drawDisc, initialsOf, People } from "./people.js";
import { Schedule } from "./schedule.js";
import { hatch } from "./shapes.js";
import { drawLight, Recent, timeColours, TimeLights } from "./timelights.js";
import { THERE } from "./timeline.js";
import { TimeNames } from "./timenames.js";
import { Tides, TimeTiles } from "./timetiles.js";

// The legend of a time line: what lights, discs and ruins mean, and the authors on the map.

const PAUSE = 500; // milliseconds between two lists of authors
const MAXIMUM_ROWS = 60;

function timeSigns({ theme, isDark }, { hasLives, hasAuthors }) {
  const colours = timeColours({ isDark });
  const light = (colour) => (pen, x, y) => drawLight(pen, x, y, 3.6, colour, isDark);
  const box = (pen, x, y) => {
    const path = new Path2D();
    path.rect(x - 9, y - 5, 18, 10);
    fillIn(pen, theme.shelf, path);
    return path;
  };
  return signsIn([
    ...["added", "changed", "removed"].map((words, kind) => [true, words, light(colours[kind])]),
    [hasAuthors, "author at work", (pen, x, y) => {
      const colour = isDark ? "#7cc7ff" : "#175a93";
      strokeLines(pen, colour, 1, ...[[11, -6], [12, 4]].map(([dx, dy]) => [x - 4, y, x + dx, y + dy]));
      drawDisc(pen, x - 4, y, 5.5, { initials: "", colour, paper: theme.paper });
    }],
    [hasLives, "new folder", (pen, x, y) => {
      const path = box(pen, x, y);
      fillIn(pen, theme.land, path);
      strokeIn(pen, colours[0], 1.4, path);
    }],
    [hasLives, "ruin of a folder", (pen, x, y) => {
      const path = box(pen, x, y);
      hatch(pen, path, [x - 9, y - 5, x + 9, y + 5], { colour: colours[2], alpha: 0.7, width: 1, step: 5, isRising: true });
      strokeDashed(pen, colours[2], 1.4, [3, 2], path);
    }],
    [hasLives, "nothing there yet", (pen, x, y) => strokeDashed(pen, theme.shelfedge, 1.4, [1.4, 3], box(pen, x, y))],
  ]);
}

class TimeKey {
  constructor(view, moment, people) {
    Object.assign(this, { view, moment, people, rows: new Map(), lookedAt: -Infinity });
    this.signs = make("ul", { "aria-label": "Legend" });
    this.authors = make("ul", { "aria-label": "At work" });
    this.element = make("div", { class: "key" }, this.signs, this.authors);
  }

  get options() {
    const { timeline, showsTravellers } = this.moment;
    return { hasLives: timeline.hasLives, hasAuthors: showsTravellers && timeline.authors.length > 0 };
  }

  /** Follows the moment, while time runs now and then. Authors have their number of commits so far. */
  follow(now) {
    if (this.moment.isRunning && now - this.lookedAt < PAUSE) return;
    this.lookedAt = now;
    const { palette } = this.view;
    const bar = byId("time");
    if (bar && this.element.parentNode !== bar) bar.append(this.element);
    const { hasLives, hasAuthors } = this.options;
    const kind = `${palette.isDark}|${hasLives}|${hasAuthors}`;
    if (kind !== this.kind) {
      this.kind = kind;
      this.signs.replaceChildren(...timeSigns(palette, this.options).map(({ words, draw }) => make("li", {}, sample(draw), make("span", {}, words))));
    }
    const active = hasAuthors ? this.people.active : [];
    const shown = `${kind}${JSON.stringify(active)}`;
    if (shown === this.shown) return;
    this.shown = shown;
    if (this.rows.size > MAXIMUM_ROWS) this.rows.clear();
    this.authors.replaceChildren(...active.map(({ name, colour, commits }) => {
      const row = this.rowOf(name, colour);
      row.lastChild.textContent = showNumber(commits);
      return row;
    }));
  }

  rowOf(name, colour) {
    const { paper } = this.view.palette.theme;
    const draw = (pen, x, y) => drawDisc(pen, x, y, 9, { initials: initialsOf(name), colour, paper });
    return keptIn(this.rows, `${colour}${name}`, () => make("li", {}, sample(draw, { width: 22, height: 20 }),
      make("span", { class: "name" }, name), make("span", { class: "soft" })));
  }
}

const LONGEST_STEP = 0.25; // seconds of what moves by itself
/** Milliseconds of a frame for the files of tiles: while time runs or the map moves, and at rest. */
const [BUSY, FREE] = [5, 25];

class TimeScene {
  constructor(view, moment) {
    Object.assign(this, { view, moment });
    this.recent = new Recent();
    this.tiles = new TimeTiles(view, moment);
    this.tides = new Tides(view, moment);
    this.lights = new TimeLights(view.palette, moment, this.recent);
    this.people = new People(view, moment, this.recent);
    this.names = new TimeNames(view, moment, this.recent, this.people);
    this.key = new TimeKey(view, moment, this.people);
  }

  get hiddenNames() { return this.names.paths; }

  clear() {
    this.people.forget();
    this.names.clear();
  }

  paint({ context, camera, tiles, ratio }, list, isAtRest) {
    const { moment } = this;
    const now = this.view.clock.now();
    const { hasLives } = moment.timeline;
    let isDone = !hasLives || this.tiles.draw(context, camera, tiles, list, ratio, now + (isAtRest && !moment.isRunning ? FREE : BUSY));
    // A comparison lights its differences.
    this.isOn = !moment.span && moment.state >= 0;
    if (this.isOn && hasLives) this.tides.draw(context, camera, tiles, list, ratio, (entry, node) => this.tiles.indexOf(entry, node));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const passed = clamp((now - (this.paintedAt ?? now)) / 1000, 0, LONGEST_STEP);
    this.paintedAt = now;
    if (this.isOn) {
      this.recent.follow(moment);
      if (moment.showsTravellers) isDone = !this.people.advance(camera, passed) && isDone;
      else this.people.clear();
      isDone = !this.names.advance(camera, ratio, passed) && isDone;
      if (moment.showsTravellers) this.people.drawBeams(context, camera);
      this.lights.draw(context, camera, ratio);
    } else this.names.clear();
    this.key.follow(now);
    context.setTransform(1, 0, 0, 1, 0, 0);
    return isDone;
  }

  paintAbove(context, camera) {
    if (!this.isOn) return;
    const { ratio } = this.view;
    this.names.draw(context, camera, ratio);
    if (this.moment.showsTravellers) this.people.draw(context, camera, ratio);
  }

  /** Its signs, for the legend, unless the time bar shows them. */
  signs() { return this.key.element.clientHeight > 0 ? [] : timeSigns(this.view.palette, this.key.options); }
}

/** The interval in milliseconds at which names follow appearing and vanishing lands while playing. */
const NAMES_PAUSE = 500;
const MAXIMUM_LIT = 60000; // the maximum number of lit changes, the newest

export class TimeLayer extends Layer {
  level = 1;
  isDeep = true; // nodes of other moments are not in the summary
  glow = 1.6; // for how many seconds of play a change is lit
  isTimed = true;
  isRunning = false;

  constructor(view, timeline) {
    super();
    Object.assign(this, { view, timeline, time: timeline.start, state: -1 });
    this.schedule = new Schedule(timeline);
    this.play = 0; // seconds of play since the start of the time line
    this.showsTravellers = timeline.authors.length > 0;
    this.span = null;
    this.scene = new TimeScene(view, this);
    Object.assign(this, { lights: this.scene.lights, namesFor: 0, namesAt: 0 });
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
    for (const layer of layers.all) layer.timeMoved();
    this.view.ask();
  }

  follow(schedule) {
    this.schedule = schedule;
    this.play = schedule.playOf(this.time, this.state);
    this.view.ask();
  }

  showAuthors(isShown) { this.showsTravellers = isShown; }

  light(glow) {
    this.glow = glow;
    this.view.ask();
  }

  /** The seconds of play since a change; negative before it, also while other changes of its state have happened. */
  ageOf(change) { return this.play - this.schedule.playOfChange(change); }

  /** The changes that are lit: the first, and the end. */
  get lit() {
    const end = this.schedule.happened(this.play);
    return [Math.max(this.schedule.happened(this.play - this.glow), end - MAXIMUM_LIT), end];
  }

  get isPlain() { return this.timeline.hasLives; }

  /** The presence of a map object at the moment; unknown objects exist. */
  presence(thing) {
    if (!this.timeline.hasLives) return THERE;
    const node = this.timeline.node(thing.path, thing.kind !== "poi");
    return node === undefined ? THERE : this.presenceOf(node);
  }

  /** The presence of a node at the moment; when comparing, at either moment. */
  presenceOf(node) { return this.span?.comparison?.has(node) ? THERE : this.timeline.presence(node, this.state); }

  /** The key of chosen names; it follows appearing and vanishing lands, but not at once. */
  get namesKey() {
    const now = this.view.clock.now();
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

  run(isRunning) { this.isRunning = isRunning; }

  renew(timeline, schedule) {
    this.timeline = timeline;
    this.follow(schedule);
  }

  compare(span) { this.span = span; }
  paint(view, list, isAtRest) { return this.scene.paint(view, list, isAtRest); }
  paintAbove(context, camera) { this.scene.paintAbove(context, camera); }
  signs() { return this.scene.signs(); }
  get hiddenNames() { return this.scene.hiddenNames; }
}
