// A page of two states, whose source provides the differences.
import { byChangeTime, byFolder, kindsOfChange, LISTED_CHANGES } from "./changelabels.js";
import { ChangeView } from "./changeview.js";
import { layers } from "./layers.js";

class SourceChanges {
  kinds = kindsOfChange;
  begin({ source }) { this.source = source; }
  get canAskAgain() { return this.source.isLive; }
  /** Tiles contain the changes already. */
  dressTile(tile) { return tile; }

  async list(wanted) {
    const answer = await this.source.changes({ limit: LISTED_CHANGES, ...wanted });
    // A standalone page has all rows in one order.
    return this.source.isLive ? answer : arranged(answer, wanted);
  }
}

function arranged(answer, { order, kinds }) {
  const list = answer.list.filter(({ change }) => kinds.has(change));
  if (order === "folder") list.sort(byFolder);
  if (order === "time") list.sort(byChangeTime);
  return { ...answer, list, total: answer.total === answer.list.length ? list.length : answer.total };
}

class TwoStates extends ChangeView {
  isDark = true;
  keys = { o: () => this.slider.play(), b: () => this.slider.stop(0.5), x: () => this.toggle() };
  help = [["o", "from the old state to the new, and back"], ["b", "both states at once"], ["x", "what changed, on and off"]];

  begin(page) {
    this.differences.begin(page);
    super.begin(page);
  }
}

const changes = new TwoStates(new SourceChanges());
layers.add(changes);
// For tests and debugging.
globalThis.geomapperChanges = changes;
