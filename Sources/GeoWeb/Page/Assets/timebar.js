// The bar of a time line: play, seek, step, follow.
import { decoded } from "./address.js";
import { Follower, wholeOf } from "./follow.js";
import { byId, clamp, make, optionsOf, showCount } from "./geo.js";
import { Layer, layers } from "./layers.js";
import { parts } from "./lazy.js";
import { PlaybackSpeed, Schedule, timeKinds } from "./schedule.js";
import { REMAINED } from "./timeline.js";
import { CLOCK_TENTHS, clockOf, showMoment, TimeCaption, TimeChart } from "./timescale.js";

const MAXIMUM_STATES = 400; // more states than this are not listed

export class TimeBar extends Layer {
  /** `close` removes the time line, `compare(since)` compares with another moment, or stops; `speed` is the initial speed. */
  constructor(page, layer, kind, { title = "Time line", close = null, compare = null, speed = null } = {}) {
    super();
    Object.assign(this, { page, layer, kind: timeKinds[kind], title, close, compare });
    this.timeline = layer.timeline;
    this.playback = new PlaybackSpeed(this.kind, this.timeline, speed);
    this.chart = new TimeChart(page.view.palette);
    this.caption = new TimeCaption(layer, kind);
    // Who chose a view wants to see it.
    this.follows = kind === "recording" || !page.hasView;
    this.follower = new Follower(page.view, { whole: () => wholeOf(this.timeline, page.view.camera, page.whole()), left: () => this.leave() });
    this.switches = { quickens: [this.playback, "quickens"], loops: [this.playback, "loops"], follows: [this, "follows"], travels: [layer, "showsTravellers"] };
    this.build();
    this.listen();
    layers.add(this);
    this.plan();
    this.restore() || this.seek(kind === "recording" ? this.timeline.start : this.timeline.end);
  }

  get isRunning() { return this.layer.isRunning; }

  build() {
    const button = (text, label, act, more = {}) => make("button", { title: label, "aria-label": label, onclick: act, ...more }, text);
    const toggle = (text, label, name) => (this.toggles[name] = button(text, label, () => this.toggle(name), { "aria-pressed": "false" }));
    const select = (label, options, act) => make("select", { "aria-label": label, title: label, onchange: (event) => act(Number(event.target.value)) },
      ...optionsOf(options));
    const { kind } = this;
    this.toggles = {};
    this.player = button("▶", "Play (space)", () => this.play(!this.isRunning), { class: "player" });
    this.moment = make("span", { class: "moment" });
    this.said = make("span", { class: "said" });
    this.speeds = select("Speed (< and >)", this.playback.all, (value) => this.setSpeed(value));
    this.glows = select("How long a change is lit", kind.glows, (value) => this.layer.light(value));
    this.handle = make("div", { class: "handle" });
    this.track = make("div", { class: "track", role: "slider", tabindex: "0", "aria-label": this.title, "aria-valuemin": "0", "aria-valuemax": "100" },
      this.chart.canvas, this.handle);
    this.states = select("States", [], (state) => {
      this.play(false);
      this.go(this.timeline.times[state], state);
    });
    const buttons = [this.player, button("‹", `Back by a ${kind.unit} (,)`, () => this.stepBy(-1)), button("›", `On by a ${kind.unit} (.)`, () => this.stepBy(1)),
      this.moment, this.states, this.said, this.speeds, this.glows, toggle("⇥", "Faster through quiet times", "quickens"),
      toggle("↻", "Again from the start at the end", "loops"), toggle("◎", "Follow what happens (o)", "follows")];
    if (this.timeline.authors.length > 0) buttons.push(toggle("☻", "Authors (a)", "travels"));
    if (this.compare) buttons.push(this.comparer = button("Δ", "What changed since another moment (x)", () => this.compare(), { "aria-pressed": "false" }));
    // Browsers that can't record a canvas have no button.
    if (globalThis.MediaRecorder && HTMLCanvasElement.prototype.captureStream) {
      buttons.push(this.saver = button("Save film", "Save film: the whole play as a video", () => this.saveFilm(), { class: "saver" }));
    }
    if (this.close) buttons.push(button("×", "Put it away", () => {
      this.remove();
      this.close();
    }));
    document.body.append(this.caption.element);
    this.width = 0;
    this.element = make("section", { id: "time", "aria-label": this.title },
      make("div", { class: "controls" }, ...buttons), this.track, this.chart.scale);
    document.body.append(this.element);
    document.body.classList.add("timed");
    this.speeds.value = String(this.playback.speed);
    this.listStates();
    this.showToggles();
    this.watcher = new ResizeObserver(() => {
      // Elements above the bar make room for all its lines.
      document.body.style.setProperty("--bar", `${this.element.offsetHeight}px`);
      this.redraw();
    });
    this.watcher.observe(this.track);
    this.watcher.observe(this.element);
  }

  listen() {
    this.ears = new AbortController();
    const on = (target, event, act, options = {}) => target.addEventListener(event, act, { signal: this.ears.signal, ...options });
    const drag = (event) => this.seek(this.timeUnder(event));
    on(this.track, "pointerdown", (event) => {
      if (event.button !== 0) return;
      this.track.setPointerCapture(event.pointerId);
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
    on(this.track, "keydown", (event) => {
      const act = this.keys[{ ArrowLeft: ",", ArrowDown: ",", ArrowRight: ".", ArrowUp: ".", PageDown: "[", PageUp: "]" }[event.key]];
      if (!act) return;
      act();
      event.preventDefault();
      event.stopPropagation();
    });
    on(globalThis, "popstate", () => this.restore());
    const leave = () => this.leave();
    on(this.page.view.canvas, "wheel", leave, { passive: true });
    on(this.page.view.canvas, "pointermove", (event) => { if (event.buttons > 0) leave(); });
    on(document, "keydown", (event) => {
      if (/^(Arrow.*|[-+=_0])$/.test(event.key) && [this.page.view.canvas, document.body].includes(event.target)) leave();
    });
    for (const name of ["in", "out", "world"]) on(byId(name), "click", leave);
  }

  get keys() {
    const [[small], [large]] = this.kind.steps;
    return {
      " ": () => this.play(!this.isRunning), ",": () => this.stepBy(-1), ".": () => this.stepBy(1),
      "[": () => this.jump(-small), "]": () => this.jump(small), "{": () => this.jump(-large), "}": () => this.jump(large),
      "<": () => this.changeSpeed(-1), ">": () => this.changeSpeed(1), Home: () => this.go(this.timeline.start), End: () => this.go(this.timeline.end),
      a: () => this.toggle("travels"), o: () => this.toggle("follows"),
      ...(this.compare ? { x: () => this.compare() } : {}),
    };
  }

  get help() {
    return [["space", "play, pause"], [", .", `back, on by a ${this.kind.unit}`],
      ["[ ] { }", `back, on by ${this.kind.steps.map(([, word]) => word).join(", ")}`], ["< >", "slower, faster"], ["Home End", "beginning, end of the time line"],
      ["o", "follow what happens"], ...(this.timeline.authors.length > 0 ? [["a", "authors"]] : []),
      ...(this.compare ? [["x", "what changed since another moment"]] : [])];
  }

  /** Moving the map ends following. */
  leave() { if (this.follows) this.toggle("follows"); }
  plan() { this.layer.follow(new Schedule(this.timeline, this.playback.wanted)); }

  get address() {
    const member = (name, time) => `&${name}=${new Date(time * 1000).toISOString().replace(".000Z", "Z")}`;
    return member("at", this.layer.time) + (this.layer.span ? member("since", this.layer.span.since) : "");
  }

  timeUnder({ clientX }) {
    const { left, width } = this.track.getBoundingClientRect();
    return this.timeline.timeAt((clientX - left) / width);
  }

  restore() {
    const [time, since] = ["at", "since"].map((name) => {
      const found = new RegExp(`[#&]${name}=([^&]+)`).exec(location.hash);
      return found ? Date.parse(decoded(found[1])) / 1000 : NaN;
    });
    if (Number.isNaN(time)) return false;
    this.play(false);
    this.seek(time);
    if (this.compare && (this.layer.span || !Number.isNaN(since))) this.compare(Number.isNaN(since) ? null : since);
    return true;
  }

  /** Continues with a longer time line; at the old end, goes to the new one. */
  renew(timeline) {
    const wasAtEnd = this.layer.time >= this.timeline.end;
    this.timeline = timeline;
    this.layer.renew(timeline, new Schedule(timeline, this.playback.wanted));
    this.caption.renew();
    this.listStates();
    this.redraw();
    this.seek(wasAtEnd ? timeline.end : this.layer.time);
  }

  /** Lists the states of a history, unless they are commits or very many. */
  listStates() {
    const { timeline } = this;
    this.states.hidden = !this.compare || timeline.authors.length > 0 || timeline.stateCount < 2 || timeline.stateCount > MAXIMUM_STATES;
    if (this.states.hidden) return;
    const words = (time, state) => [showMoment(time, clockOf(timeline)), timeline.words[state][0]].filter(Boolean).join(" · ");
    this.states.replaceChildren(...optionsOf(Array.from(timeline.times, (time, state) => [state, words(time, state)])));
  }

  remove() {
    this.play(false);
    if (this.layer.span) this.compare(null);
    this.ears.abort();
    this.watcher.disconnect();
    this.element.remove();
    this.caption.element.remove();
    document.body.classList.remove("timed");
    layers.remove(this);
    // At once, because the next bar reads the address.
    this.page.address.forget();
  }

  seek(time, state) {
    this.layer.seek(clamp(time, this.timeline.start, this.timeline.end), state);
    this.show();
  }

  /** Goes to a moment on request, and announces it. */
  go(time, state) {
    this.seek(time, state);
    this.moved();
  }

  moved() {
    this.page.address.moved();
    if (!this.isRunning) byId("spoken").textContent = `${this.moment.textContent}, ${this.said.textContent}`;
  }

  jump(by) { this.go(this.layer.time + by); }

  stepBy(by) {
    this.play(false);
    const { layer, timeline } = this;
    const isBetween = layer.state >= 0 && layer.time > timeline.times[layer.state];
    const state = clamp(layer.state + (by < 0 && isBetween ? 0 : by), 0, timeline.stateCount - 1);
    this.go(timeline.times[state], state);
  }

  play(isOn) {
    if (isOn && this.layer.play >= this.layer.schedule.length) this.playTo(0);
    if (this.isRunning === isOn) return;
    this.layer.run(isOn);
    this.playback.last = 0;
    this.follower.stop();
    this.player.textContent = isOn ? "❚❚" : "▶";
    this.player.title = isOn ? "Pause (space)" : "Play (space)";
    this.player.setAttribute("aria-label", this.player.title);
    this.page.view.ask();
    if (!isOn) this.moved();
  }

  setSpeed(speed) {
    this.playback.speed = speed;
    this.speeds.value = String(speed);
    this.plan();
  }

  changeSpeed(by) { this.setSpeed(this.playback.speedAfter(by)); }

  toggle(name) {
    const [owner, member] = this.switches[name];
    owner[member] = !owner[member];
    if (name === "quickens") this.plan();
    if (name === "follows") this.follower.stop();
    this.showToggles();
    this.page.view.ask();
  }

  showToggles() {
    for (const [name, element] of Object.entries(this.toggles)) {
      const [owner, member] = this.switches[name];
      element.setAttribute("aria-pressed", String(owner[member]));
    }
  }

  frame(now) {
    if (this.chart.isOld) this.redraw();
    if (!this.isRunning || this.page.view.isDriven) return;
    const { timeline, layer, playback } = this;
    const passed = playback.passed(now);
    if (!this.isDragged) {
      const { length } = layer.schedule;
      const play = playback.next(layer.play, passed, length);
      if (playback.endsAt(play, length)) this.play(false);
      this.playTo(play);
    }
    if (this.follows) this.follower.frame(now, layer.play, timeline, layer.schedule);
  }

  playTo(play) {
    this.layer.playTo(play);
    this.show();
  }

  async saveFilm() {
    this.play(false);
    const { saveFilm } = await parts.film();
    await saveFilm(this.page, this);
    this.saver.focus();
  }

  show() {
    const { timeline, layer } = this;
    const part = timeline.partOf(layer.time);
    this.handle.style.transform = `translateX(${part * this.width}px)`;
    layer.span?.show();
    const [moment, between] = layer.span?.words ?? [showMoment(layer.time, this.kind.isInRealTime ? CLOCK_TENTHS : clockOf(timeline)), null];
    if (moment !== this.moment.textContent) {
      this.moment.textContent = moment;
      this.track.setAttribute("aria-valuenow", String(Math.round(part * 100)));
      this.track.setAttribute("aria-valuetext", moment);
    }
    this.caption.show();
    const shown = between ?? layer.state;
    if (shown === this.shownState) return;
    this.shownState = shown;
    this.states.value = String(layer.state);
    this.said.textContent = between ?? (layer.state < 0 ? "" : this.wordsOf(layer.state));
    this.said.title = this.said.textContent;
  }

  wordsOf(state) {
    const { timeline } = this;
    const [name, text] = timeline.words[state] ?? ["", ""];
    const author = timeline.authors[timeline.stateAuthors[state]] ?? "";
    const first = timeline.firstChanges[state];
    const count = timeline.firstChanges[state + 1] - first;
    // A part of a history starts with everything before it.
    if (count > 0 && timeline.kinds[first] === REMAINED) return "what was there already";
    return [/^[0-9a-f]{40,}$/.test(name) ? name.slice(0, 9) : name, author, text || showCount(count, "change", "changes")].filter(Boolean).join(" · ");
  }

  redraw() {
    this.chart.paint(this.timeline);
    // Asking for it in each frame would lay out the page.
    this.width = this.track.clientWidth;
    this.show();
  }
}
