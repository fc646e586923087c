// The largest of a folder: names that distinguish files, and the way down the heaviest branch.
import { byId, copyButton, make, nameOf, rawWithin, showBytes, showShare } from "./geo.js";

/**
 * For each file of a list, what distinguishes it from others of its name: the deepest folder that only its path has, else
 * all of its folders; empty for a name that is there once.
 */
export function foldersApart(files) {
  const foldersOf = ({ path }) => path.split("/").slice(0, -1);
  const named = new Map();
  for (const file of files) named.set(file.name, [...(named.get(file.name) ?? []), file]);
  return files.map((file) => {
    const others = named.get(file.name).filter((other) => other !== file).map((other) => new Set(foldersOf(other)));
    if (others.length === 0) return "";
    const own = foldersOf(file);
    return own.findLast((folder) => others.every((folders) => !folders.has(folder))) ?? own.join("/");
  });
}

/**
 * The largest child of a summary by `amount`: the land or file, its `share` of `whole`, and whether it is a file;
 * null if nothing has bytes.
 */
export function heaviest({ lands, own }, amount, whole) {
  const [land, file] = [lands[0], own[0]];
  const [landAmount, fileAmount] = [land, file].map((thing) => (thing && amount(thing)) ?? 0);
  const most = Math.max(landAmount, fileAmount);
  if (most === 0) return null;
  const isFile = fileAmount > landAmount;
  return { thing: isFile ? file : land, isFile, amount: most, share: whole > 0 ? most / whole : undefined };
}

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
