// Which land has which tint, the same in all tiles; and what is known of neighbours.
import { giveTints } from "./rules.js";

export class Tints {
  constructor() {
    this.known = new Map();
    /** Siblings by the path of what they lie in: those known, and which of them have a border. */
    this.groups = new Map();
    /** Counts up when a land has got another tint than it was drawn with. */
    this.version = 0;
  }

  /**
   * Learns the lands of a tile and their neighbours.
   *
   * As long as a group is not settled, its tints follow from all that is known of it, whatever the
   * order in which tiles come; after that those stay that can.
   */
  learn(lands, neighbours) {
    const touched = new Set();
    for (const land of lands) {
      let group = this.groups.get(land.parent);
      if (!group) this.groups.set(land.parent, (group = { lands: new Map(), neighbours: new Map(), isSettled: false }));
      if (!group.lands.has(land.id)) {
        group.lands.set(land.id, { id: land.id, path: land.path });
        touched.add(group);
      }
      for (const other of neighbours.get(land.id) ?? []) {
        const all = group.neighbours.get(land.id) ?? new Set();
        if (all.has(other)) continue;
        all.add(other);
        group.neighbours.set(land.id, all);
        touched.add(group);
      }
    }
    for (const group of touched) this.give(group);
  }

  give(group) {
    const tints = new Map();
    if (group.isSettled) for (const id of group.lands.keys()) if (this.known.has(id)) tints.set(id, this.known.get(id));
    giveTints([...group.lands.values()], group.neighbours, tints);
    let isChanged = false;
    for (const [id, tint] of tints) {
      if (this.known.has(id) && this.known.get(id) !== tint) isChanged = true;
      this.known.set(id, tint);
    }
    if (isChanged) this.version += 1;
  }

  /** From now on tints that are known stay if they can. */
  settle() { for (const group of this.groups.values()) group.isSettled = true; }

  of(land) { return this.known.get(land.id) ?? land.id % 6; }
}
