// A page of two states: what differs is told by the server, or stands in the page.
import { ChangeView } from "./changeview.js";
import { byChangeTime, byFolder, kindsOfChange, LISTED_CHANGES } from "./fates.js";
import { layers } from "./layers.js";

class ToldChanges {
  kinds = kindsOfChange;

  begin({ source }) { this.source = source; }

  get canAskAgain() { return this.source.isLive; }

  /** Tiles have it already. */
  mark(tile) { return tile; }

  async list(wanted) {
    const told = await this.source.changes({ ...wanted, limit: LISTED_CHANGES });
    // A page in a file has all of it, in one order.
    return this.source.isLive ? told : arranged(told, wanted);
  }
}

function arranged(told, { order, kinds }) {
  const list = told.list.filter(({ change }) => kinds.has(change));
  if (order === "folder") list.sort(byFolder);
  if (order === "time") list.sort(byChangeTime);
  return { ...told, list, total: told.total === told.list.length ? list.length : told.total };
}

class TwoStates extends ChangeView {
  isDark = true;
  keys = { o: () => this.slider.play(), b: () => this.slider.stop(0.5), x: () => this.toggle() };
  help = [["o", "from the old state to the new, and back"], ["b", "both states at once"], ["x", "what changed, on and off"]];

  begin(page) {
    this.teller.begin(page);
    super.begin(page);
  }
}

const changes = new TwoStates(new ToldChanges());
layers.add(changes);
// For tests and the curious.
globalThis.geomapperChanges = changes;
