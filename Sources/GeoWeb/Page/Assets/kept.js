// The kept states of live folders: how folders grew by them, and a list of their moments.
import { keptIn, make, optionsOf, showBytes, showCount, showTime } from "./geo.js";
import { Layer, layers } from "./layers.js";

class KeptLayer extends Layer {
  constructor(page, states) {
    super();
    Object.assign(this, { page, states, known: new Map() });
    const amount = ({ allocated, bytes }) => allocated ?? bytes;
    const options = states.map((state, index) => [String(index), [showTime(state.time).slice(0, 16), showBytes(amount(state)), showCount(state.files, "file", "files")].join(" · ")]);
    this.list = make("select", { "aria-label": "Kept states", title: "How to see what changed since a kept state", onchange: () => this.choose(Number(this.list.value)) },
      ...optionsOf([["-1", `${showCount(states.length, "kept state", "kept states")} since ${showTime(states[0].time).slice(0, 10)}`], ...options.reverse()]));
    this.advice = make("code", { role: "status" });
    this.element = make("p", { class: "kept" }, this.list, this.advice);
  }

  trends(path) { return keptIn(this.known, path, () => this.page.source.kept(path).catch(() => null)); }
  get chooser() { return this.element; }

  choose(index) {
    const state = this.states[index];
    const time = state && new Date(state.time * 1000).toISOString().replace(".000Z", "Z");
    this.advice.textContent = state ? `geomapper serve --since kept:${time} DIR` : "";
  }
}

export async function openKept(page) {
  const { states } = (await page.source.kept()) ?? { states: [] };
  if (states.length > 0) layers.add(new KeptLayer(page, states));
  return states.length > 0;
}
