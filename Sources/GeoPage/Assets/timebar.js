// The bar of a time line: what happened when, and what one does with it: play, seek, step, follow.
import { byId, clamp, make, showCount } from "./geo.js";
import { keys } from "./keyboard.js";
import { timeColours } from "./timelayer.js";
import { ADDED, CHANGED, REMAINED, REMOVED } from "./timeline.js";
import { scaleMarks } from "./timescale.js";

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
/** How many characters of a clock tell minutes, seconds, and tenths of them. */
const [CLOCK_MINUTES, CLOCK_SECONDS, CLOCK_TENTHS] = [5, 8, 10];
const PART = 3; // pixels of a bar
const SCALE_ROOM = 64; // pixels from mark to mark of the scale, at least
const SCALE_EDGE = 18; // pixels
/** How many seconds of play nothing may happen until quiet times are passed over. */
const QUIET = 1.2;
/** What of a time line is one play at the speed that is chosen at first, in seconds. */
const USUAL_PLAY = 100;
const END_PAUSE = 1; // seconds
const FOLLOW_PAUSE = 900; // milliseconds
/** To which zoom one is led at most, unless one looks closer already. */
const FOLLOW_ZOOM = 7;

/** What differs between a history and a recording: speeds, fades in seconds of the time line, and steps. */
const timeKinds = {
  history: {
    speeds: [[1, "1 second/s"], [10, "10 seconds/s"], [MINUTE, "1 minute/s"], [10 * MINUTE, "10 minutes/s"], [HOUR, "1 hour/s"], [6 * HOUR, "6 hours/s"], [DAY, "1 day/s"], [3 * DAY, "3 days/s"], [7 * DAY, "1 week/s"],
      [14 * DAY, "2 weeks/s"], [30 * DAY, "1 month/s"], [91 * DAY, "3 months/s"], [365 * DAY, "1 year/s"]],
    fades: [["0", "fade: 2 s of play"], [MINUTE, "fade: a minute"], [HOUR, "fade: an hour"], [DAY, "fade: a day"], [7 * DAY, "fade: a week"], [30 * DAY, "fade: a month"],
      [365 * DAY, "fade: a year"]],
    steps: [[DAY, "a day"], [7 * DAY, "a week"]], unit: "revision", skips: true,
  },
  recording: {
    speeds: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((speed) => [speed, `× ${speed}`]),
    fades: [["0", "fade: 2 s of play"], [1, "fade: a second"], [10, "fade: 10 seconds"], [MINUTE, "fade: a minute"], [10 * MINUTE, "fade: 10 minutes"],
      [HOUR, "fade: an hour"]],
    steps: [[10, "10 seconds"], [MINUTE, "a minute"]], unit: "event", skips: false,
  },
};

/** How much of a clock a history shows: seconds, too, if it is shorter than a day. */
export function clockOf({ start, end }) { return end - start < DAY ? CLOCK_SECONDS : CLOCK_MINUTES; }

/** A time in UTC, with as many characters of its clock. */
export function showMoment(time, clock) {
  const date = new Date(time * 1000);
  if (Number.isNaN(date.getTime())) return "";
  const text = date.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 11 + clock)}`;
}

export class TimeBar {
  /**
   * `page` is what main.js tells of itself, `kind` `history` or `recording`; `close`, if it is there, takes
   * the time line away again, and `compare(since)` compares the moment with another one, or ends that.
   */
  constructor(page, layer, kind, { title = "Time line", close = null, compare = null } = {}) {
    Object.assign(this, { page, layer, kind: timeKinds[kind], title, close, compare });
    this.timeline = layer.timeline;
    this.isRecording = kind === "recording";
    [this.isRunning, this.loops, this.follows, this.skips] = [false, false, kind === "recording", this.kind.skips];
    const span = this.timeline.end - this.timeline.start;
    this.speed = kind === "recording" ? 1
      : (this.kind.speeds.find(([speed]) => span / speed < USUAL_PLAY) ?? this.kind.speeds.at(-1))[0];
    this.fade = 0;
    this.build();
    this.listen();
    layer.onframe = (now) => this.step(now);
    this.restore() || this.seek(kind === "recording" ? this.timeline.start : this.timeline.end);
  }

  build() {
    const button = (text, label, act, more = {}) => make("button", { type: "button", title: label, "aria-label": label, onclick: act, ...more }, text);
    const toggle = (text, label, name) => {
      const element = button(text, label, () => this.toggle(name), { "aria-pressed": "false" });
      return (this.toggles[name] = element);
    };
    const select = (label, options, act) => make("select", { "aria-label": label, title: label, onchange: (event) => act(Number(event.target.value)) },
      ...options.map(([value, word]) => make("option", { value }, word)));
    const { kind } = this;
    this.toggles = {};
    this.player = button("▶", "Play (space)", () => this.play(!this.isRunning), { class: "player" });
    this.moment = make("span", { class: "moment" });
    this.said = make("span", { class: "said" });
    this.speeds = select("Speed (< and >)", kind.speeds, (value) => this.setSpeed(value));
    this.fades = select("How long a change is lit", kind.fades, (value) => { this.fade = value; this.seek(this.layer.time); });
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.handle = make("div", { class: "handle" });
    this.track = make("div", { class: "track", role: "slider", tabindex: "0", "aria-label": this.title, "aria-valuemin": "0", "aria-valuemax": "100" },
      this.canvas, this.handle);
    const buttons = [this.player, button("‹", `Back by a ${kind.unit} (,)`, () => this.stepBy(-1)), button("›", `On by a ${kind.unit} (.)`, () => this.stepBy(1)),
      this.moment, this.said, this.speeds, this.fades];
    if (kind.skips) buttons.push(toggle("⇥", "Pass over quiet times", "skips"));
    buttons.push(toggle("↻", "Again from the start at the end", "loops"), toggle("◎", "Follow what happens (o)", "follows"));
    if (this.timeline.authors.length > 0) buttons.push(toggle("☻", "Authors and their ways (a)", "travels"));
    if (this.compare) buttons.push(this.comparer = button("Δ", "What changed since another moment (x)", () => this.compare(), { "aria-pressed": "false" }));
    if (this.close) buttons.push(button("×", "Put it away", () => {
      this.remove();
      this.close();
    }));
    this.scale = make("div", { class: "scale", "aria-hidden": "true" });
    this.element = make("section", { id: "time", "aria-label": this.title },
      make("div", { class: "controls" }, ...buttons), this.track, this.scale);
    document.body.append(this.element);
    document.body.classList.add("timed");
    this.speeds.value = String(this.speed);
    this.showToggles();
    this.watcher = new ResizeObserver(() => {
      // What stands above the bar makes room for it, however many lines it takes.
      document.body.style.setProperty("--bar", `${this.element.offsetHeight}px`);
      this.paint();
    });
    this.watcher.observe(this.track);
    this.watcher.observe(this.element);
  }

  listen() {
    this.ears = new AbortController();
    const on = (target, event, act, options = {}) => target.addEventListener(event, act, { signal: this.ears.signal, ...options });
    const drag = (event) => {
      const { left, width } = this.track.getBoundingClientRect();
      const { start, end } = this.timeline;
      this.seek(start + clamp((event.clientX - left) / width, 0, 1) * (end - start));
    };
    on(this.track, "pointerdown", (event) => {
      if (event.button !== 0) return;
      this.track.setPointerCapture(event.pointerId);
      this.wasRunning = this.isRunning;
      this.isDragged = true;
      drag(event);
      event.preventDefault();
      this.track.focus({ preventScroll: true });
    });
    on(this.track, "pointermove", (event) => { if (this.isDragged) drag(event); });
    for (const name of ["pointerup", "pointercancel"]) on(this.track, name, () => {
      this.isDragged = false;
      this.moved();
    });
    const small = this.kind.steps[0][0];
    const acts = {
      " ": () => this.play(!this.isRunning), ",": () => this.stepBy(-1), ".": () => this.stepBy(1),
      "[": () => this.jump(-small), "]": () => this.jump(small), "{": () => this.jump(-this.kind.steps[1][0]), "}": () => this.jump(this.kind.steps[1][0]),
      "<": () => this.changeSpeed(-1), ">": () => this.changeSpeed(1), Home: () => this.go(this.timeline.start), End: () => this.go(this.timeline.end),
      a: () => this.toggle("travels"), o: () => this.toggle("follows"),
      ...(this.compare ? { x: () => this.compare() } : {}),
    };
    on(this.track, "keydown", (event) => {
      const act = { ArrowLeft: acts[","], ArrowDown: acts[","], ArrowRight: acts["."], ArrowUp: acts["."], PageDown: acts["["], PageUp: acts["]"] }[event.key];
      if (!act) return;
      act();
      event.preventDefault();
      event.stopPropagation();
    });
    on(document, "keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
      // A button that has the focus is pressed by the space bar.
      if (event.key === " " && event.target.matches("button, a, [role=option]")) return;
      const act = acts[event.key];
      if (!act) return;
      act();
      event.preventDefault();
    });
    on(globalThis, "popstate", () => this.restore());
    // Whoever moves the map goes where he will.
    const leave = () => { if (this.follows) this.toggle("follows"); };
    on(this.page.view.canvas, "wheel", leave, { passive: true });
    on(this.page.view.canvas, "pointermove", (event) => { if (event.buttons > 0) leave(); });
    on(document, "keydown", (event) => {
      if (/^(Arrow.*|[-+=_0])$/.test(event.key) && [this.page.view.canvas, document.body].includes(event.target)) leave();
    });
    for (const name of ["in", "out", "world"]) on(byId(name), "click", leave);
    this.added = [["space", "play, pause"], [", .", `back, on by a ${this.kind.unit}`],
      ["[ ] { }", `back, on by ${this.kind.steps.map(([, word]) => word).join(", ")}`], ["< >", "slower, faster"], ["Home End", "beginning, end of the time line"],
      ["o", "follow what happens"], ...(this.timeline.authors.length > 0 ? [["a", "authors and their ways"]] : []),
      ...(this.compare ? [["x", "what changed since another moment"]] : [])];
    keys.push(...this.added);
    const member = (name, time) => `&${name}=${new Date(time * 1000).toISOString().replace(".000Z", "Z")}`;
    this.page.address.more = () => member("at", this.layer.time) + (this.layer.span ? member("since", this.layer.span.since) : "");
  }

  /** Goes to the moment that the address holds, if it does. */
  restore() {
    const [time, since] = ["at", "since"].map((name) => {
      const found = new RegExp(`[#&]${name}=([^&]+)`).exec(location.hash);
      return found ? Date.parse(decodeURIComponent(found[1])) / 1000 : NaN;
    });
    if (Number.isNaN(time)) return false;
    this.play(false);
    this.seek(time);
    if (this.compare && (this.layer.span || !Number.isNaN(since))) this.compare(Number.isNaN(since) ? null : since);
    return true;
  }

  /** Goes on with a longer time line; who was at the end of the one before is so again. */
  renew(timeline) {
    const wasAtEnd = this.layer.time >= this.timeline.end;
    this.timeline = this.layer.timeline = timeline;
    this.paint();
    this.seek(wasAtEnd ? timeline.end : this.layer.time);
  }

  /** Takes the bar away. */
  remove() {
    this.play(false);
    if (this.layer.span) this.compare(null);
    this.ears.abort();
    this.watcher.disconnect();
    this.element.remove();
    document.body.classList.remove("timed");
    for (const key of this.added) keys.splice(keys.indexOf(key), 1);
    this.page.address.more = () => "";
    // At once: the next bar begins where the address says.
    this.page.address.write("replaceState");
    this.layer.onframe = () => {};
  }

  // Where it is

  /** Goes to a moment; to a state of it, if one is given. */
  seek(time, state) {
    this.layer.fade = this.fade || 2 * this.speed;
    this.layer.seek(clamp(time, this.timeline.start, this.timeline.end), state);
    this.show();
  }

  /** Goes there for somebody, who gets to know where that is. */
  go(time, state) {
    this.seek(time, state);
    this.moved();
  }

  moved() {
    this.page.address.moved();
    if (!this.isRunning) byId("spoken").textContent = `${this.moment.textContent}, ${this.said.textContent}`;
  }

  jump(by) { this.go(this.layer.time + by); }

  /** To the state before or after the one at hand. */
  stepBy(by) {
    this.play(false);
    const { layer, timeline } = this;
    const isBetween = layer.state >= 0 && layer.time > timeline.times[layer.state];
    const state = clamp(layer.state + (by < 0 && isBetween ? 0 : by), 0, timeline.stateCount - 1);
    this.go(timeline.times[state], state);
  }

  // How it goes

  play(isOn) {
    if (isOn && this.layer.time >= this.timeline.end) this.seek(this.timeline.start);
    if (this.isRunning === isOn) return;
    this.isRunning = isOn;
    this.last = 0;
    this.player.textContent = isOn ? "❚❚" : "▶";
    this.player.title = isOn ? "Pause (space)" : "Play (space)";
    this.player.setAttribute("aria-label", this.player.title);
    this.layer.isRunning = isOn;
    this.page.view.ask();
    if (!isOn) this.moved();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.speeds.value = String(speed);
    this.seek(this.layer.time, this.layer.state);
  }

  changeSpeed(by) {
    const all = this.kind.speeds.map(([speed]) => speed);
    this.setSpeed(all[clamp(all.indexOf(this.speed) + by, 0, all.length - 1)]);
  }

  toggle(name) {
    if (name === "travels") this.layer.showsTravellers = !this.layer.showsTravellers;
    else this[name] = !this[name];
    this.showToggles();
    this.page.view.ask();
  }

  showToggles() {
    for (const [name, element] of Object.entries(this.toggles)) {
      element.setAttribute("aria-pressed", String(name === "travels" ? this.layer.showsTravellers : this[name]));
    }
  }

  /** A frame is drawn: time goes on. */
  step(now) {
    if (this.painted && this.painted !== this.layer.theme) this.paint();
    if (this.follows) this.follow(now);
    if (!this.isRunning) return;
    const passed = this.last ? Math.min(250, now - this.last) / 1000 : 0;
    this.last = now;
    if (this.isDragged) return;
    const { timeline, layer } = this;
    let time = layer.time + passed * this.speed;
    const next = timeline.times[timeline.stateAt(time) + 1];
    if (this.skips && next - time > QUIET * this.speed && time - (timeline.times[timeline.stateAt(time)] ?? -Infinity) > QUIET * this.speed) {
      time = next - 0.2 * this.speed;
    }
    if (time < timeline.end) this.held = 0;
    else if (!this.loops) this.play(false);
    // The end is seen for a moment before all begins again.
    else if ((this.held = (this.held ?? 0) + passed) > END_PAUSE) [time, this.held] = [timeline.start, 0];
    this.seek(time);
  }

  /** Flies where something happens, until somebody moves the map. */
  follow(now) {
    const { camera, isCalm } = this.page.view;
    if (camera.isMoving || !this.isRunning || now - (this.flownAt ?? 0) < FOLLOW_PAUSE) return;
    const box = this.layer.litBox();
    if (!box) return;
    this.flownAt = now;
    const [west, north, east, south] = box;
    const [px, py] = camera.toScreen(west, north);
    const [qx, qy] = camera.toScreen(east, south);
    const covered = this.element.clientHeight;
    const isSeen = px > 40 && py > 40 && qx < camera.width - 40 && qy < camera.height - covered - 20;
    if (isSeen && Math.max(qx - px, qy - py) > 60) return;
    const side = Math.max((east - west) / (camera.width * 0.6), (south - north) / ((camera.height - covered) * 0.6), 1e-12);
    const z = Math.min(Math.log2(1 / (side * 512)), Math.max(camera.z, FOLLOW_ZOOM));
    if (isSeen && z <= camera.z + 0.5) return;
    camera.fly({ x: (west + east) / 2, y: (north + south) / 2 + covered / 2 / (512 * 2 ** z), z }, isCalm);
  }

  // How it looks

  show() {
    const { timeline, layer } = this;
    const span = Math.max(1e-9, timeline.end - timeline.start);
    const part = (layer.time - timeline.start) / span;
    this.handle.style.transform = `translateX(${part * this.track.clientWidth}px)`;
    layer.span?.show();
    const [moment, between] = layer.span?.words ?? [showMoment(layer.time, this.isRecording ? CLOCK_TENTHS : clockOf(timeline)), null];
    if (moment !== this.moment.textContent) {
      this.moment.textContent = moment;
      this.track.setAttribute("aria-valuenow", String(Math.round(part * 100)));
      this.track.setAttribute("aria-valuetext", moment);
    }
    const shown = between ?? layer.state;
    if (shown === this.shownState) return;
    this.shownState = shown;
    this.said.textContent = between ?? (layer.state < 0 ? "" : this.wordsOf(layer.state));
    this.said.title = this.said.textContent;
  }

  /** What is said of a state in a line. */
  wordsOf(state) {
    const { timeline } = this;
    const [name, text] = timeline.words[state] ?? ["", ""];
    const author = timeline.authors[timeline.stateAuthors[state]] ?? "";
    const first = timeline.firstChanges[state];
    const count = timeline.firstChanges[state + 1] - first;
    // A part of a history begins with all that came before it.
    if (count > 0 && timeline.kinds[first] === REMAINED) return "what was there already";
    return [/^[0-9a-f]{40,}$/.test(name) ? name.slice(0, 9) : name, author, text || showCount(count, "change", "changes")].filter(Boolean).join(" · ");
  }

  /** Draws the bars: changes in each part of the time, by kind, as square roots. */
  paint() {
    const { clientWidth, clientHeight } = this.track;
    const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
    if (clientWidth === 0) return;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    const count = Math.max(1, Math.floor(clientWidth / PART));
    const parts = this.timeline.histogram(count);
    let most = 1;
    for (let i = 0; i < count; i += 1) most = Math.max(most, parts[ADDED][i] + parts[CHANGED][i] + parts[REMOVED][i]);
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const colours = timeColours[this.layer.theme];
    const high = clientHeight - 2;
    for (let i = 0; i < count; i += 1) {
      const all = parts[ADDED][i] + parts[CHANGED][i] + parts[REMOVED][i];
      let top = clientHeight;
      for (let kind = ADDED; kind < REMAINED && all > 0; kind += 1) {
        const height = (parts[kind][i] / all) * Math.max(1.5, Math.sqrt(all / most) * high);
        context.fillStyle = colours[kind];
        context.fillRect((i * clientWidth) / count, top - height, clientWidth / count - 0.6, height);
        top -= height;
      }
    }
    this.painted = this.layer.theme;
    this.drawScale(clientWidth);
    this.show();
  }

  /** Says below the bars what times they are of. */
  drawScale(width) {
    const { start, end } = this.timeline;
    const place = (time) => ((time - start) / Math.max(1e-9, end - start)) * width;
    const marks = scaleMarks(start, end, width / SCALE_ROOM).filter(({ time }) => place(time) >= SCALE_EDGE && place(time) <= width - SCALE_EDGE);
    this.scale.replaceChildren(...marks.map(({ time, word }) => {
      const mark = make("span", {}, word);
      mark.style.left = `${place(time).toFixed(1)}px`;
      return mark;
    }));
  }
}
