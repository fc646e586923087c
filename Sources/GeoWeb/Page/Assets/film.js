// Films: frames for the program that makes a video of them, or a video by the browser.
import { FilmStage } from "./filmstage.js";
import { byId } from "./geo.js";
import { recordFilm } from "./savefilm.js";

/** The frames of two changes of figures on the map. */
const FIGURES = 15;
/** The frames that are drawn before the first one, thirty a second, so that nothing fades in. */
const LEAD = 45;
const LEAD_RATE = 30;
/** The time of the first frame in milliseconds, after all that the page did before. */
const START = 1e8;
/** How long tiles may take, in seconds. */
const PATIENCE = 60;

/** The answer to each frame. */
const TAKEN = 204;

/**
 * Draws all frames of a film, one after the other, and sends each to the server of the film.
 *
 * The time of frames takes the place of the clock, so that a frame depends on its number only, and is complete: whatever
 * works up to a deadline goes on to its end.
 */
class SentFilm {
  constructor(page, time, wanted) {
    Object.assign(this, { page, time, wanted });
    this.stage = new FilmStage(page, time.bar, wanted);
    this.clock = performance.now.bind(performance);
    this.now = START;
  }

  /** The address of a frame, or of a failure. */
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
    palette.isDark = isDark;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    performance.now = () => this.now;
    await this.time.settle?.();
    await totals.start();
    await coasts;
    await this.until(() => this.hasTiles && level.asked.size === 0, "the map");
    view.draw(this.now);
    await this.until(() => !document.body.classList.contains("starting"), "the first picture");
    stage.begin();
  }

  /** Draws a frame: a second of play, at a second of the film. */
  async draw(play, second, countsAnew) {
    this.now = START + 1000 * second;
    this.stage.go(play);
    if (countsAnew) await this.time.settle?.();
    await this.until(() => this.hasTiles, "the tiles");
    this.stage.draw(this.now);
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

  /** Waits for something that comes from the server. */
  async until(isThere, what) {
    const end = this.clock() + 1000 * PATIENCE;
    while (!isThere()) {
      if (this.clock() > end) throw new Error(`${what} did not come within ${PATIENCE} s`);
      await pause();
    }
  }
}

/** Lets the browser go on with everything else. */
function pause() { return new Promise((next) => setTimeout(next)); }

/** Sends the film that the page's server wants, if it wants one. */
export async function sendFilm(page, time) {
  const wanted = JSON.parse(byId("film").textContent);
  const film = new SentFilm(page, time, wanted);
  try {
    await film.send();
  } catch (error) {
    await fetch(film.address("failed"), { method: "POST", body: String(error?.message ?? error) }).catch(() => {});
  }
}

export const saveFilm = recordFilm;
