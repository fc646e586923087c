// The layers of the page, in addition to the map itself.

/** A layer. It answers questions, paints on the map and takes part in names as far as it overrides what is here. */
export class Layer {
  level = 2; // 0 is drawn below 1, and 1 below all others (2)

  /** Called once the page is put together, if the layer exists by then. */
  begin(page) {}

  // Answers. The first argument passes a question on, the others are the question; see `Source`.

  tile(ask, ...address) { return ask(...address); }
  node(ask, ...question) { return ask(...question); }
  summary(ask, ...question) { return ask(...question); }
  search(ask, ...question) { return ask(...question); }
  matches(ask, ...question) { return ask(...question); }
  /** A land or a file under the mouse, as the layer sees it. */
  thing(found) { return found; }
  /** Whether a land or a file is visible. */
  isThere(thing) { return true; }
  /** Whether it is visible, and not a ruin. */
  isStanding(thing) { return this.isThere(thing); }
  /** The places of a root's own files now, or ever, in world coordinates, x and y in turn. */
  islets(root, isEver) { return undefined; }
  /** How the sub-folders of a folder grew, a promise: `times`, and `trends` with `path` and `bytes` for each of them. */
  trends(path) { return undefined; }
  /** Whether it has more to show than nodes, at every zoom. */
  get isDeep() { return false; }
  /** Whether it shows distances, so that the map needs a scale. */
  get isMeasured() { return false; }
  /** Elements for the panel of a node. */
  sections(node) { return []; }
  /** The panel's list of a folder: `orders` before the usual ones, and `dress(child, item)`, which adds to an entry's element. */
  get entries() { return undefined; }
  /** An element for the summary. */
  get chooser() { return undefined; }
  /** Whether it handles a tap. */
  tap(x, y) { return false; }
  get keys() { return {}; }
  get help() { return []; }
  /** Its part of the page's address, from an ampersand on. */
  get address() { return ""; }

  // Events

  summed() {}
  historyChanged() {}
  timeMoved() {}

  // Paints

  frame(now) {}
  /** Whether another frame follows. */
  get isRunning() { return false; }
  /** Paints over tiles, below names; returns false while not everything is sharp. */
  paint(view, list, isAtRest) { return true; }
  paintAbove(context, camera) {}
  /** What it draws, for the legend, as in `Level.signs`. */
  signs() { return []; }
  /** Whether tiles show land only, because the layer paints the rest. It hides sizes too. */
  get isPlain() { return false; }
  /** Whether it knows the sizes of the moment, so that they are shown in spite of `isPlain`. */
  get isSized() { return false; }
  /** Whether symbols stand back behind what happens at a moment. */
  get isTimed() { return false; }
  /** What circles and squares of the level show in place of sizes, as `ChangeSymbols`. */
  get sizing() { return null; }
  /** Whether lands have no tints, so that the layer's signs stand out. */
  get recedes() { return false; }
  /** How lands stand out then. */
  receding(prominence, roots) { return undefined; }
  /** Land comes or goes only when this changes. */
  get groundKey() { return undefined; }
  /** An element over the map at the right. */
  get overMap() { return undefined; }
  /** Whether it is made for the dark theme. */
  get isDark() { return false; }

  // Names

  /** Names are chosen again when this changes. */
  get namesKey() { return undefined; }
  /** Paths of files that it names in place of the map. */
  get hiddenNames() { return undefined; }
  /** A second line below a name; undefined leaves it to other layers. */
  noteOf(land) { return undefined; }
  /** Changes font and ink of a name. */
  style(style, thing) {}
  /** The priority of a file's name. */
  weightOf(file) { return 0; }
}

class Layers {
  all = []; // from the lowest to the highest; the lowest is asked first

  add(layer) {
    const above = this.all.findIndex((other) => other.level > layer.level);
    this.all.splice(above < 0 ? this.all.length : above, 0, layer);
  }

  remove(layer) { this.all = this.all.filter((other) => other !== layer); }
  values(read) { return this.all.map(read).filter((value) => value !== undefined); }

  first(read) {
    for (const layer of this.all) {
      const value = read(layer);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  get isRunning() { return this.all.some((layer) => layer.isRunning); }
  get isDeep() { return this.all.some((layer) => layer.isDeep); }
  get isMeasured() { return this.all.some((layer) => layer.isMeasured); }
  get isDark() { return this.all.some((layer) => layer.isDark); }
  get isPlain() { return this.all.some((layer) => layer.isPlain); }
  get isSized() { return this.all.some((layer) => layer.isSized); }
  get isTimed() { return this.all.some((layer) => layer.isTimed); }
  get recedes() { return this.all.some((layer) => layer.recedes); }
  get sizing() { return this.all.find((layer) => layer.sizing)?.sizing ?? null; }
  isThere = (thing) => this.all.every((layer) => layer.isThere(thing));
  isStanding = (thing) => this.all.every((layer) => layer.isStanding(thing));
  /** A land, a file or null, as seen by all layers. */
  thing(found) { return found && this.all.reduce((thing, layer) => layer.thing(thing), found); }

  /** Passes a question to a source through all layers; `pass` calls a layer with the next one to ask, and the question. */
  ask(pass, source, question) {
    return this.all.reduceRight((ask, layer) => (...asked) => pass(layer, ask, ...asked), source)(...question);
  }
}

export const layers = new Layers();
