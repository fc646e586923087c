// Saves a play as a video: the browser records it while it runs, and then offers it as a download.
import { FilmStage, TAIL } from "./filmstage.js";
import { make, nameOf, saveBlob } from "./geo.js";

/** The formats that browsers can record, the first one that works is used. */
const FORMATS = [["video/mp4;codecs=avc1.640028", "mp4"], ["video/mp4", "mp4"], ["video/webm;codecs=vp9", "webm"], ["video/webm;codecs=vp8", "webm"], ["video/webm", "webm"]];
const FPS = 30;
const BITS = 8_000_000; // a second
/** The longest film of a recording, in seconds: it plays in real time otherwise. */
const MOST_RECORDED = 60;
/** The largest frame, in pixels. */
const [MOST_WIDTH, MOST_HEIGHT] = [1920, 1080];

/** The size of a film in a window: even sides, as videos need them. */
export function filmSize(width, height) {
  const part = Math.min(1, MOST_WIDTH / width, MOST_HEIGHT / height);
  return [width, height].map((side) => Math.max(2, 2 * Math.round((side * part) / 2)));
}

/** Records the play of a bar from its start to its end, unless it is stopped; what there is by then is saved. */
export async function recordFilm(page, bar) {
  const [type, ending] = FORMATS.find(([name]) => MediaRecorder.isTypeSupported(name)) ?? ["", "webm"];
  const [width, height] = filmSize(innerWidth, innerHeight);
  const title = page.roots.map(({ label }) => label).join(", ") || nameOf(bar.title);
  const { length } = bar.layer.schedule;
  const seconds = TAIL + (bar.kind.isInRealTime ? Math.min(MOST_RECORDED, length) : length);
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
