// What is below each folder is added up after the first picture: how far that is, and a stop to it.
import { byId, make, showNumber } from "./geo.js";

export class Totals {
  /** `changed` is told when there are other totals than before, with their `version`. */
  constructor(source, changed) {
    this.source = source;
    this.changed = changed;
    this.line = byId("progress");
    /** When they were read, in milliseconds; undefined as long as they were not. */
    this.read = undefined;
  }

  async start() {
    if (!this.source.totals) return;
    this.abort = new AbortController();
    try {
      await this.source.totals(this.abort.signal, (step) => this.show(step));
    } catch {
      // Stopped, or the server is gone: what is known stays.
    }
    this.line.hidden = true;
  }

  stop() {
    this.abort?.abort();
    this.line.hidden = true;
  }

  show(step) {
    if (step.done) {
      this.line.hidden = true;
      this.read = Date.now() - (step.age ?? 0) * 1000;
      this.changed({ version: step.version });
      return;
    }
    this.line.hidden = false;
    this.line.replaceChildren(`adding up: ${showNumber(step.files)} files `,
      make("button", { type: "button", class: "crumb", onclick: () => this.stop() }, "stop"));
  }

  /** How long ago they were read, in words, if that is long. */
  get age() {
    if (this.read === undefined) return "";
    const minutes = Math.floor((Date.now() - this.read) / 60000);
    if (minutes < 2) return "";
    return minutes < 120 ? `${minutes} minutes ago` : `${Math.floor(minutes / 60)} hours ago`;
  }
}
