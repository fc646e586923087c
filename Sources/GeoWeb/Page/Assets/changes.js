// A page of two states: what differs is told by the server, or stands in the page.
import { ChangeView } from "./changeview.js";
import { extras } from "./extras.js";
import { byChangeTime, byFolder, kindsOfChange, LISTED_CHANGES } from "./fates.js";
import { byId } from "./geo.js";
import { keys } from "./keyboard.js";

class ToldChanges {
  kinds = kindsOfChange;

  get canAskAgain() { return this.source.isLive; }

  /** Tiles have it already. */
  mark(tile) { return tile; }

  list(wanted) { return this.source.isLive ? this.ask(wanted) : this.brought(wanted); }

  async ask({ order, kinds, again }) {
    const query = new URLSearchParams({ sort: order, kind: [...kinds].join("|"), limit: LISTED_CHANGES });
    if (again) query.set("again", "1");
    const response = await fetch(`/changes?${query}`);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  }

  /** What a page in a file has of it, in the order that is wanted. */
  brought({ order, kinds }) {
    this.known ??= JSON.parse(byId("world-changes").textContent);
    const list = this.known.list.filter(({ change }) => kinds.has(change));
    if (order === "folder") list.sort(byFolder);
    if (order === "time") list.sort(byChangeTime);
    const isWhole = this.known.total === this.known.list.length;
    return { ...this.known, list, total: isWhole ? list.length : this.known.total };
  }
}

class TwoStates extends ChangeView {
  isDark = true;
  keys = { o: () => this.slider.play(), b: () => this.slider.stop(0.5), x: () => this.toggle() };

  constructor() {
    super(new ToldChanges());
    keys.splice(keys.length - 3, 0, ["o", "from the old state to the new, and back"], ["b", "both states at once"], ["x", "what changed, on and off"]);
  }

  found(source) {
    this.teller.source = source;
    super.found(source);
  }
}

const changes = new TwoStates();
extras.push(changes);
// For tests and the curious.
globalThis.geomapperChanges = changes;
