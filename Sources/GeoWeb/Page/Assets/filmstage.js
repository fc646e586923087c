// The stage of a film: the page's map without its controls, drawn for a second of play, with the sheet over it.
import { FilmSheet, SHEET_ROOM } from "./filmsheet.js";
import { Shots, wholeOf } from "./follow.js";
import { boxOfBoxes, make } from "./geo.js";
import { Schedule } from "./schedule.js";

/** The part of the free room that the map fills. */
const FILLED = 0.96;
/** Seconds after the last change, in which lights fade. */
export const TAIL = 1.5;

/** The least height of the map in pixels: it is drawn larger for smaller films, so that names don't fill them. */
const LEAST = 810;

export class FilmStage {
  /** Draws a film of the time line `bar` plays; `seconds` is the length of the film, `width` and `height` are its pixels. */
  constructor(page, bar, { width, height, seconds, title }) {
    Object.assign(this, { page, bar, width, height, seconds, title });
    this.canvas = make("canvas", { id: "film-canvas", "aria-hidden": "true" });
    [this.canvas.width, this.canvas.height] = [width, height];
    this.pen = this.canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  }

  get layer() { return this.bar.layer; }

  /** Hides the controls and makes the map fill the film. */
  begin() {
    const { page: { view, roots }, layer, bar, width, height } = this;
    const { camera, canvas } = view;
    bar.play(false);
    this.before = { place: { x: camera.x, y: camera.y, z: camera.z }, time: layer.time, state: layer.state, schedule: layer.schedule, glow: layer.glow,
      travels: layer.showsTravellers, covered: camera.covered };
    document.body.classList.add("filming");
    view.drive(true);
    const scale = Math.max(1, LEAST / height);
    [canvas.style.width, canvas.style.height] = [`${scale * width}px`, `${scale * height}px`];
    view.resize();
    camera.cover({ left: 0, right: 0, top: SHEET_ROOM.top * scale * height, bottom: SHEET_ROOM.bottom * scale * height });
    layer.follow(new Schedule(layer.timeline, { seconds: Math.max(1, this.seconds - TAIL), quickens: bar.pace.quickens }));
    layer.light(1.6);
    layer.showAuthors(layer.timeline.authors.length > 0);
    layer.run(true);
    layer.scene.clear();
    const box = boxOfBoxes(roots.map(({ bbox, taken }) => taken ?? bbox));
    this.shots = new Shots(layer.timeline, layer.schedule, wholeOf(layer.timeline, camera, box && camera.viewOf(box, undefined, FILLED)));
    this.sheet = new FilmSheet(layer, bar.caption.counters, { width, height, title: this.title, kind: bar.caption.kind, isDark: view.palette.isDark });
  }

  /** Goes to a second of play. */
  go(play) {
    const { camera } = this.page.view;
    this.layer.playTo(play);
    const { x, y, z } = this.shots.at(play);
    if (camera.x !== x || camera.y !== y || camera.z !== z) camera.set(x, y, z);
  }

  /** Draws the map, at a time in milliseconds, and the sheet. */
  draw(now) {
    const { view } = this.page;
    view.draw(now);
    this.pen.drawImage(view.canvas, 0, 0, this.width, this.height);
    this.sheet.draw(this.pen);
  }

  /** Shows the page again, as it was. */
  end() {
    const { page: { view }, layer, bar, before } = this;
    const { camera, canvas } = view;
    document.body.classList.remove("filming");
    canvas.style.removeProperty("width");
    canvas.style.removeProperty("height");
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
