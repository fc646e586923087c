// The slider from the old of two states to the new one, and the way between them as a film.
import { clamp, make } from "./geo.js";

const PLAY = 2600; // milliseconds from one state to the other

export class ChangeSlider {
  /** `layer` is what shows a moment; `moved`, with what was shown before, is called once it shows another one. */
  constructor(layer, { moved, isCalm }) {
    this.layer = layer;
    this.acts = { moved, isCalm };
    this.range = make("input", { type: "range", min: "0", max: "100", value: "50", step: "1", "aria-label": "From the old state to the new",
      oninput: () => this.stop(Number(this.range.value) / 100) });
    this.ends = [["old", 0], ["both", 0.5], ["new", 1]].map(([word, moment]) =>
      make("button", { type: "button", class: "crumb", onclick: () => this.stop(moment) }, word));
    this.element = make("div", { class: "slide" }, this.range, make("div", { class: "ends" }, ...this.ends));
  }

  /** Goes to a moment, and stays there. */
  stop(moment) {
    cancelAnimationFrame(this.frame);
    this.set(moment);
  }

  /** From where it is to the new state, or from there to the old one. */
  play() {
    cancelAnimationFrame(this.frame);
    const from = this.layer.moment;
    const to = from === 0 || (from < 1 && this.goal === 1) ? 1 : 0;
    this.goal = to;
    if (this.acts.isCalm()) {
      this.set(to);
      return;
    }
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(1, ((now - start) / PLAY) / Math.max(0.2, Math.abs(to - from)));
      this.set(from + (to - from) * part);
      if (part < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  set(moment) {
    const before = this.layer.shown;
    this.layer.moment = clamp(moment, 0, 1);
    this.range.value = String(Math.round(this.layer.moment * 100));
    this.say();
    this.acts.moved(before);
  }

  /** Says which state is shown. */
  say() {
    const at = [0, 0.5, 1].indexOf(this.layer.shown);
    this.ends.forEach((button, index) => button.setAttribute("aria-pressed", String(index === at)));
    this.range.setAttribute("aria-valuetext", ["the old state", "both states", "the new state"][at]);
  }
}
