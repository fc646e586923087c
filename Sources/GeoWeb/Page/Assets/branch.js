// The way down the heaviest branch of a folder.
import { byId, copyButton, keyOf, make, nameOf, rawWithin, showAmount, showShare } from "./geo.js";

/** The largest child of a summary by `amount`, its `share` of `whole`, and whether it is a file; null if nothing has bytes. */
export function heaviest({ lands = [], own = [] }, amount, whole) {
  const [land, file] = [lands[0], own[0]];
  const [landAmount, fileAmount] = [land, file].map((thing) => (thing && amount(thing)) ?? 0);
  const most = Math.max(landAmount, fileAmount);
  if (most === 0) return null;
  const isFile = fileAmount > landAmount;
  return { thing: isFile ? file : land, isFile, amount: most, share: whole > 0 ? most / whole : undefined };
}

export class Branch {
  constructor(page, drawn) {
    Object.assign(this, { page, drawn });
    /** The steps so far: `path`, `rawPath`, `name` and `share`; the last may be a file, with the `file` on disk. */
    this.steps = [];
  }

  async down() {
    const { source, level, note } = this.page;
    if (!level.current || this.isBusy) return;
    this.isBusy = true;
    try {
      const selected = this.page.selected()?.feature.properties;
      const last = this.steps.at(-1);
      const isNext = last && selected && keyOf(selected) === keyOf(last);
      if (isNext && last.isFile) {
        byId("spoken").textContent = `${last.name}: the branch ends at this file.`;
        return;
      }
      if (!isNext) this.steps = [];
      const from = selected && selected.kind !== "poi" ? level.arranged(await source.summary(selected.path, selected.rawPath)) : level.current;
      const found = from && heaviest(from, (thing) => level.amount(thing), level.amount(from));
      if (!found) {
        note(from?.complete === false ? "sizes are still being counted" : "nothing in this folder has bytes");
        return;
      }
      await this.step(from, found);
    } finally {
      this.isBusy = false;
      this.drawn();
    }
  }

  async step(from, { thing, isFile, amount, share }) {
    const of = from.path === undefined ? "all" : nameOf(from.path);
    const step = { path: thing.path ?? `${from.path}/${thing.name}`, rawPath: thing.rawPath ?? rawWithin(from, thing), name: thing.name, share, isFile };
    const said = `${thing.name}: ${share === undefined ? "" : `${showShare(share)} of ${of}, `}${showAmount(amount)}`;
    await this.page.open(step.path, true, step.rawPath);
    const node = this.page.selected();
    if (!node || keyOf(node.feature.properties) !== keyOf(step)) return;
    step.file = node.file;
    this.steps.push(step);
    byId("spoken").textContent = isFile ? `${said}. The branch ends at this file.` : said;
  }

  section(button) {
    const last = this.steps.at(-1);
    const steps = this.steps.map(({ name, share }, index) => make("li", {}, `${index > 0 ? "› " : ""}${name}`, share !== undefined && make("span", { class: "soft" }, ` ${showShare(share)}`)));
    const path = last?.isFile && make("span", { class: "path" }, last.file ?? last.path);
    return make("section", { class: "branch" }, button, steps.length > 0 && make("ol", {}, steps),
      path && [make("p", {}, path), copyButton("Copy path", () => path.textContent, "Marked: press Ctrl-C", () => getSelection().selectAllChildren(path))]);
  }
}
