// The layers of the page: what it shows besides the map itself.

/**
 * What a layer is. All of its members may be missing.
 *
 * - `level`: 0 lies below 1, and that below all others (2).
 * - `begin(page)`: called once the page is put together, if the layer is there by then.
 * - `tile`, `node`, `search`, `matches`: stand between the page and its source. The first argument asks on, the others are the question; see `Source`.
 * - `thing(found)`: a land or a file under the mouse, as the layer has it.
 * - `frame(now)`: called at the beginning of each frame; `isRunning`, whether there is to be another frame after it.
 * - `paint(view, list, isAtRest)`: paints over tiles, below names; false if not all of it is sharp yet. `paintAbove(context, camera)`: paints above names.
 * - `isPlain`: whether tiles are drawn without what stands on the land, because the layer paints that.
 * - `isThere(thing)`: whether a land or a file can be seen. `namesKey`: names are chosen again if it is another one.
 * - `noteOf(land)`: a second line below a name; undefined leaves it to other layers. `style(style, thing)`: changes font and ink of a name.
 *   `weightOf(file)`: by how much the name of a file comes before others'.
 * - `sections(node)`: elements for the panel. `entries`: how the panel lists what is in a folder, `orders` before the usual ones, and `dress(child, item)`,
 *   which adds to an entry's element.
 * - `tap(x, y)`: whether it takes a tap. `keys`: acts by key; `help`: what the help says of them, keys and words.
 * - `address`: what the page's address holds of it, from an ampersand on. `overMap`: an element that lies over the map at the right. `isDark`: whether it is made for the dark.
 * - `summed()`: more is known of folders. `historyChanged()`: the server has another history. `timeMoved()`: another moment is shown.
 */
class Layers {
  /** From the lowest to the highest; the lowest is asked first. */
  all = [];

  add(layer) {
    const level = ({ level: own = 2 }) => own;
    const above = this.all.findIndex((other) => level(other) > level(layer));
    this.all.splice(above < 0 ? this.all.length : above, 0, layer);
  }

  remove(layer) { this.all = this.all.filter((other) => other !== layer); }

  /** What all layers that have a member have there. */
  values(name) { return this.all.map((layer) => layer[name]).filter((value) => value !== undefined); }

  /** Calls all layers that have a function. */
  each(name, ...given) { return this.all.filter((layer) => layer[name]).map((layer) => layer[name](...given)); }

  /** The first answer of a layer, undefined if none has any. */
  first(name, ...given) {
    for (const layer of this.all) {
      const answer = layer[name]?.(...given);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** Whether any layer is so. */
  is(name) { return this.all.some((layer) => layer[name]); }

  isThere = (thing) => this.all.every((layer) => !layer.isThere || layer.isThere(thing));

  /** A land or a file, or null, as the layers have it. */
  thing(found) { return found && this.all.reduce((thing, layer) => layer.thing?.(thing) ?? thing, found); }

  /** Asks a question of a source, through all layers that have a say in it. */
  ask(name, source, question) {
    return this.all.reduceRight((ask, layer) => (layer[name] ? (...asked) => layer[name](ask, ...asked) : ask), source)(...question);
  }
}

export const layers = new Layers();
