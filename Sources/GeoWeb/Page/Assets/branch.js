// Down the heaviest branch: each step flies to the largest child and names its share, until a file.
import { byId, copyButton, make, nameOf, rawWithin, showBytes, showShare } from "./geo.js";
import { heaviest } from "./ranking.js";

export class Branch {
  /** `page` has source, level, view and selection; `fly` goes to a node, `drawn` shows the steps. */
  constructor(page, { fly, drawn }) {
    this.page = page;
    this.acts = { fly, drawn };
    /** The steps so far: `path`, `rawPath`, `name` and `share`; the last may be a file, with the `file` on disk. */
    this.steps = [];
    this.place = null;
  }

  /** Whether the view is still where the last step led. */
  get isThere() {
    const { camera } = this.page.view;
    const { x, y, z } = camera.flight?.target ?? camera;
    return this.place !== null && Math.abs(z - this.place.z) < 0.01 && Math.hypot(x - this.place.x, y - this.place.y) * camera.scale < 2;
  }

  /** Takes a step, or begins at the level in view. */
  async down() {
    const { source, level, note, view } = this.page;
    if (!level.current || this.isBusy) return;
    this.isBusy = true;
    try {
      const last = this.isThere ? this.steps.at(-1) : undefined;
      if (last?.isFile) {
        byId("spoken").textContent = `${last.name}: the branch ends at this file.`;
        return;
      }
      if (!last) this.steps = [];
      const from = last ? await source.summary(last.path, last.rawPath) : level.current;
      const found = from && heaviest(from, (thing) => level.amount(thing), level.amount(from));
      if (!found) {
        note(from?.complete === false ? "sizes are still being counted" : "nothing in this folder has bytes");
        return;
      }
      await this.step(from, found);
      const { x, y, z } = view.camera.flight?.target ?? view.camera;
      this.place = { x, y, z };
    } finally {
      this.isBusy = false;
      this.acts.drawn();
    }
  }

  async step(from, { thing, isFile, amount, share }) {
    const of = from.path === undefined ? "all" : nameOf(from.path);
    const step = { path: thing.path ?? `${from.path}/${thing.name}`, rawPath: thing.rawPath ?? rawWithin(from, thing), name: thing.name, share, isFile };
    const said = `${thing.name}: ${share === undefined ? "" : `${showShare(share)} of ${of}, `}${showBytes(amount)}`;
    if (isFile) {
      await this.page.open(step.path, true, step.rawPath);
      step.file = this.page.selected()?.file;
    } else {
      const node = await this.page.source.node(step.path, step.rawPath).catch(() => null);
      if (!node) return;
      await this.acts.fly(node);
    }
    this.steps.push(step);
    byId("spoken").textContent = isFile ? `${said}. The branch ends at this file.` : said;
  }

  /** The button, and the steps so far. */
  section() {
    const button = make("button", { class: "chip", title: "Fly to the largest folder or file in this folder (h)", onclick: () => this.down() }, "Down the heaviest branch");
    button.dataset.key = "/branch";
    const last = this.steps.at(-1);
    const steps = this.steps.map(({ name, share }, index) => make("li", {}, `${index > 0 ? "› " : ""}${name}`, ...(share === undefined ? [] : [make("span", { class: "soft" }, ` ${showShare(share)}`)])));
    const path = last?.isFile ? make("span", { class: "path" }, last.file ?? last.path) : null;
    return make("section", { class: "branch" }, button, ...(steps.length > 0 ? [make("ol", {}, ...steps)] : []),
      ...(path ? [make("p", {}, path), copyButton("Copy path", () => path.textContent, "Marked: press Ctrl-C", () => getSelection().selectAllChildren(path))] : []));
  }
}
