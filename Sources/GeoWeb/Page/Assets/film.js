// Films: frames for the program that makes a video of them, or a video by the browser.
import { FilmSheet, SHEET_EDGES } from "./filmsheet.js";
import { Shots, wholeOf } from "./follow.js";
import { boxOfBoxes, byId, make, nameOf, pause, saveBlob } from "./geo.js";
import { Schedule } from "./schedule.js";

// The stage of a film: the page's map without its controls, drawn for a second of play, with the sheet over it.

const FILLED = 0.96; // the part of the free room that the map fills
const TAIL = 1.5; // seconds after the last change, in which lights fade

/** The least height of the map in pixels: it is drawn larger for smaller films, so that names don't fill them. */
const MINIMUM = 810;

class FilmStage {
  constructor(page, bar, { width, height, seconds, title }) {
    Object.assign(this, { page, bar, width, height, seconds, title });
    this.canvas = make("canvas", { id: "film-canvas", "aria-hidden": "true", width, height });
    this.pen = this.canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  }

  get layer() { return this.bar.layer; }

  begin() {
    const { page: { view, roots }, layer, bar, width, height } = this;
    const { camera, canvas } = view;
    bar.play(false);
    this.before = { place: { x: camera.x, y: camera.y, z: camera.z }, time: layer.time, state: layer.state, schedule: layer.schedule, glow: layer.glow,
      travels: layer.showsTravellers, covered: camera.covered };
    document.body.classList.add("filming");
    view.drive(true);
    const scale = Math.max(1, MINIMUM / height);
    Object.assign(canvas.style, { width: `${scale * width}px`, height: `${scale * height}px` });
    view.resize();
    camera.cover({ left: 0, right: 0, top: SHEET_EDGES.top * scale * height, bottom: SHEET_EDGES.bottom * scale * height });
    layer.follow(new Schedule(layer.timeline, { seconds: Math.max(1, this.seconds - TAIL), quickens: bar.playback.quickens }));
    layer.light(1.6);
    layer.showAuthors(layer.timeline.authors.length > 0);
    layer.run(true);
    layer.scene.clear();
    const box = boxOfBoxes(roots.map(({ bbox, taken }) => taken ?? bbox));
    this.shots = new Shots(layer.timeline, layer.schedule, wholeOf(layer.timeline, camera, box && camera.viewOf(box, undefined, FILLED)));
    this.sheet = new FilmSheet(layer, bar.caption.counters, { width, height, title: this.title, kind: bar.caption.kind, isDark: view.palette.isDark });
  }

  go(play) {
    const { camera } = this.page.view;
    this.layer.playTo(play);
    const { x, y, z } = this.shots.at(play);
    if (camera.x !== x || camera.y !== y || camera.z !== z) camera.set(x, y, z);
  }

  draw(now) {
    const { view } = this.page;
    view.draw(now);
    this.pen.drawImage(view.canvas, 0, 0, this.width, this.height);
    this.sheet.draw(this.pen);
  }

  end() {
    const { page: { view }, layer, bar, before } = this;
    const { camera, canvas } = view;
    document.body.classList.remove("filming");
    Object.assign(canvas.style, { width: "", height: "" });
    view.drive(false);
    view.resize();
    camera.cover(before.covered);
    layer.run(false);
    layer.follow(before.schedule);
    layer.light(before.glow);
    layer.showAuthors(before.travels);
    bar.seek(before.time, before.state);
    camera.set(before.place.x, before.place.y, before.place.z);
  }
}

// Saves a play as a video: the browser records it while it runs, and then offers it as a download.

/** The formats that browsers can record, the first one that works is used. */
const FORMATS = [["video/mp4;codecs=avc1.640028", "mp4"], ["video/mp4", "mp4"], ["video/webm;codecs=vp9", "webm"], ["video/webm;codecs=vp8", "webm"], ["video/webm", "webm"]];
const FPS = 30;
const BITS = 8_000_000; // a second
const MAXIMUM_RECORDED = 60; // the longest film of a recording, in seconds: it plays in real time otherwise
const [MAXIMUM_WIDTH, MAXIMUM_HEIGHT] = [1920, 1080]; // the largest frame, in pixels

/** The size of a film in a window: even sides, as videos need them. */
export function filmSize(width, height) {
  const part = Math.min(1, MAXIMUM_WIDTH / width, MAXIMUM_HEIGHT / height);
  return [width, height].map((side) => Math.max(2, 2 * Math.round((side * part) / 2)));
}

/** Records the play of a bar from its start to its end, unless it is stopped; what there is by then is saved. */
export async function saveFilm(page, bar) {
  const [type, ending] = FORMATS.find(([name]) => MediaRecorder.isTypeSupported(name)) ?? ["", "webm"];
  const [width, height] = filmSize(innerWidth, innerHeight);
  const title = page.roots.map(({ label }) => label).join(", ") || nameOf(bar.title);
  const { length } = bar.layer.schedule;
  const seconds = TAIL + (bar.kind.isInRealTime ? Math.min(MAXIMUM_RECORDED, length) : length);
  const stage = new FilmStage(page, bar, { width, height, title, seconds });
  const recorder = new MediaRecorder(stage.canvas.captureStream(FPS), { ...(type ? { mimeType: type } : {}), videoBitsPerSecond: BITS });
  const chunks = [];
  recorder.addEventListener("dataavailable", ({ data }) => { if (data.size > 0) chunks.push(data); });
  const stopped = new Promise((resolve, reject) => {
    recorder.addEventListener("stop", resolve);
    recorder.addEventListener("error", ({ error }) => reject(error ?? new Error("the browser can't record")));
  });
  let isStopped = false;
  const stop = make("button", { class: "chip", onclick: () => { isStopped = true; } }, "Stop and save");
  const progress = make("progress", { max: "1", value: "0", "aria-label": "Film" });
  const left = make("span", { class: "left" });
  const panel = make("section", { id: "recording", "aria-label": "Saving a film" }, stage.canvas, make("p", {}, progress, left, stop));
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") isStopped = true;
    // The bar's keys would move the play.
    event.stopPropagation();
  });
  document.body.append(panel);
  try {
    stage.begin();
    stop.focus();
    stage.go(0);
    stage.draw(performance.now());
    recorder.start(1000);
    const begun = performance.now();
    for (let play = 0; play < seconds && !isStopped && recorder.state === "recording";) {
      const now = await new Promise((next) => requestAnimationFrame(next));
      play = Math.max(0, Math.min(seconds, (now - begun) / 1000));
      stage.go(play);
      stage.draw(now);
      progress.value = play / seconds;
      const rest = `${Math.ceil(seconds - play)} s left`;
      if (left.textContent !== rest) left.textContent = rest;
    }
    if (recorder.state !== "inactive") recorder.stop();
    await stopped;
    saveBlob(new Blob(chunks, { type: recorder.mimeType }), `${title.replace(/[^\p{L}\p{N} ._-]+/gu, "-")}.${ending}`);
  } catch (error) {
    page.note(`the film can't be saved: ${error.message}`);
  } finally {
    if (recorder.state !== "inactive") recorder.stop();
    stage.end();
    panel.remove();
  }
}

const FIGURES = 15; // the frames of two changes of figures on the map
/** The frames that are drawn before the first one, thirty a second, so that nothing fades in. */
const [LEAD, LEAD_RATE] = [45, 30];
const START = 1e8; // the time of the first frame in milliseconds, after all that the page did before
const PATIENCE = 60; // how long tiles may take, in seconds

const TAKEN = 204; // the answer to each frame

/**
 * Sends all frames of a film to its server. The clock of the map stands still at the time of each frame, so that a frame
 * depends on its number only, and is complete: whatever works up to a deadline goes on to its end.
 */
class SentFilm {
  constructor(page, time, wanted) {
    Object.assign(this, { page, time, wanted });
    this.stage = new FilmStage(page, time.bar, wanted);
  }

  address(name) { return `/film/${name}?token=${encodeURIComponent(this.wanted.token)}`; }

  async send() {
    const { stage, wanted: { width, height, fps, frames, seconds, dark } } = this;
    await this.begin(dark);
    for (let frame = -LEAD; frame <= 0; frame += 1) await this.draw(0, frame / LEAD_RATE, frame % FIGURES === 0);
    let sent = Promise.resolve(TAKEN);
    for (let frame = 0; frame < frames; frame += 1) {
      if (frame > 0) await this.draw((frame * seconds) / frames, frame / fps, frame % FIGURES === 0);
      const body = stage.pen.getImageData(0, 0, width, height).data;
      if ((await sent) !== TAKEN) return;
      sent = fetch(this.address(frame), { method: "POST", body }).then(({ status }) => status, () => 0);
    }
    await sent;
  }

  /** Waits for all that would change the map during the film, and shows it. */
  async begin(isDark) {
    const { page: { view, palette, totals, level, coasts }, stage } = this;
    palette.darken(isDark);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    view.clock.hold(START);
    await this.time.settle?.();
    await totals.start();
    await coasts;
    await this.until(() => this.hasTiles && level.asked.size === 0, "the map");
    view.draw(START);
    await this.until(() => !document.body.classList.contains("starting"), "the first picture");
    stage.begin();
  }

  /** Draws a frame: a second of play, at a second of the film. */
  async draw(play, second, countsAnew) {
    const now = START + 1000 * second;
    this.page.view.clock.hold(now);
    this.stage.go(play);
    if (countsAnew) await this.time.settle?.();
    await this.until(() => this.hasTiles, "the tiles");
    this.stage.draw(now);
    // What works without the network is done by then.
    await pause();
  }

  /** Requests the tiles of the view; returns whether all of them are here. */
  get hasTiles() {
    const { tiles, camera, shores } = this.page.view;
    const list = tiles.visible(camera);
    tiles.want(list);
    return tiles.busy === 0 && shores.isComplete && list.every(({ z, x, y }) => tiles.get(z, x, y)?.isStale === false);
  }

  async until(isThere, what) {
    const end = performance.now() + 1000 * PATIENCE;
    while (!isThere()) {
      if (performance.now() > end) throw new Error(`${what} did not come within ${PATIENCE} s`);
      await pause();
    }
  }
}

export async function sendFilm(page, time) {
  const wanted = JSON.parse(byId("film").textContent);
  const film = new SentFilm(page, time, wanted);
  try {
    await film.send();
  } catch (error) {
    await fetch(film.address("failed"), { method: "POST", body: String(error?.message ?? error) }).catch(() => {});
  }
}
