// The caption of a moment: date, counters, and what happened last.
import { Counters } from "./counters.js";
import { make, showBytes, showCount } from "./geo.js";
import { showDate, showMoment } from "./timescale.js";

/** The number of characters of the time of day of a recording. */
const RECORDED_CLOCK = 8;

/** What the states of a time line are called: one, and several. */
export function unitsOf(timeline, kind) {
  if (kind === "recording") return ["event", "events"];
  return timeline.authors.length > 0 ? ["commit", "commits"] : ["state", "states"];
}

/** Files, bytes and states at a moment, in words. */
export function showCounters(timeline, kind, { files, bytes, states }) {
  return [...(timeline.hasLives ? [showCount(files, "file", "files")] : []),
    ...(timeline.hasLives && bytes !== undefined ? [showBytes(bytes)] : []), showCount(states, ...unitsOf(timeline, kind))].join(" · ");
}

/** What happened in a state, and the number of who did it, or −1. */
export function captionOf(timeline, state) {
  const [name, text] = timeline.words[state] ?? ["", ""];
  const author = timeline.stateAuthors[state] ?? -1;
  return { text: text || (/^[0-9a-f]{40,}$/.test(name) ? name.slice(0, 9) : name), author: timeline.authors[author] ? author : -1 };
}

export class TimeCaption {
  /** `layer` has the moment, `kind` is `history` or `recording`. */
  constructor(layer, kind) {
    Object.assign(this, { layer, kind });
    this.date = make("p", { class: "date" });
    this.counted = make("p", { class: "counted" });
    this.said = make("p", { class: "subject" });
    this.author = make("p", { class: "author" });
    // The bar announces the moment.
    this.element = make("section", { id: "moment", "aria-hidden": "true" }, this.date, this.counted, this.said, this.author);
    this.renew();
  }

  /** Counts another time line. */
  renew() {
    this.counters = new Counters(this.layer.timeline);
    this.shown = NaN;
  }

  /** Shows the moment; only what is new is written. */
  show() {
    const { timeline, state, time } = this.layer;
    const date = this.kind === "recording" ? `${showDate(time)} ${showMoment(time, RECORDED_CLOCK).slice(-RECORDED_CLOCK)}` : showDate(time);
    if (date !== this.date.textContent) this.date.textContent = date;
    if (state === this.shown) return;
    this.shown = state;
    this.counted.textContent = showCounters(timeline, this.kind, this.counters.at(state));
    const { text, author } = captionOf(timeline, state);
    this.said.textContent = text;
    this.author.textContent = author < 0 ? "" : timeline.authors[author];
    this.author.style.color = author < 0 ? "" : this.layer.scene.people.colourOf(author);
  }
}
