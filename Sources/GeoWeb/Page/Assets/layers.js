// The layers of the page, in addition to the map itself.

/**
 * The members of a layer, all optional.
 *
 * - `level`: 0 is drawn below 1, and 1 below all others (2).
 * - `begin(page)`: called once the page is put together, if the layer exists by then.
 * - `tile`, `node`, `summary`, `search`, `matches`: intercept questions to the source. The first argument passes a question on, the
 *   others are the question; see `Source`.
 * - `thing(found)`: a land or a file under the mouse, as the layer sees it.
 * - `frame(now)`: called at the start of each frame; `isRunning`, whether another frame follows.
 * - `paint(view, list, isAtRest)`: paints over tiles, below names; returns false while not everything is sharp.
 *   `paintAbove(context, camera)`: paints above names.
 *   `signs()`: what it draws, for the legend, as in `Level.signs`. `hiddenNames`: paths of files that it names in place of the map.
 * - `isDeep`: whether it has more to show than nodes, at every zoom.
 * - `isPlain`: whether tiles show land only, because the layer paints the rest.
 * - `sizing`: what circles and squares of the level show in place of sizes, as `ChangeSymbols`, or null. `isPlain` hides
 *   sizes, unless a layer `isSized`: it knows those of the moment. `isTimed`: symbols stand back behind what happens at a moment. `recedes`: whether lands have no tints, so that the layer's signs stand out;
 *   `receding(prominence, roots)`: how they stand out then.
 * - `isThere(thing)`: whether a land or a file is visible; `isStanding(thing)`, and not a ruin. `islets(root, isEver)`:
 *   the places of a root's own files now, or ever, in world coordinates, x and y in turn.
 *   `namesKey`: names are chosen again when it changes. `groundKey`: land comes or goes only when it changes.
 * - `noteOf(land)`: a second line below a name; undefined leaves it to other layers. `style(style, thing)`: changes font
 *   and ink of a name. `weightOf(file)`: the priority of a file's name.
 * - `sections(node)`: elements for the panel. `entries`: the panel's list of a folder: `orders` before the usual ones,
 *   and `dress(child, item)`, which adds to an entry's element.
 * - `trends(path)`: a promise of how the sub-folders of a folder grew: `times`, and `trends` with `path` and `bytes` for
 *   each of them. `chooser`: an element for the summary.
 * - `tap(x, y)`: whether it handles a tap. `keys`: actions by key; `help`: their keys and words in the help.
 * - `address`: its part of the page's address, from an ampersand on. `overMap`: an element over the map at the right.
 *   `isDark`: whether it is made for the dark theme.
 * - `summed()`: totals have changed. `historyChanged()`: the server has another history. `timeMoved()`: another moment
 *   is shown.
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

  /** The values of a member, from all layers that have it. */
  values(name) { return this.all.map((layer) => layer[name]).filter((value) => value !== undefined); }

  /** Calls a function of all layers that have it. */
  each(name, ...given) { return this.all.filter((layer) => layer[name]).map((layer) => layer[name](...given)); }

  /** The first answer of a layer, or undefined. */
  first(name, ...given) {
    for (const layer of this.all) {
      const answer = layer[name]?.(...given);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** Whether a member is true for any layer. */
  is(name) { return this.all.some((layer) => layer[name]); }

  isThere = (thing) => this.all.every((layer) => !layer.isThere || layer.isThere(thing));

  isStanding = (thing) => this.all.every((layer) => (layer.isStanding ? layer.isStanding(thing) : !layer.isThere || layer.isThere(thing)));

  /** A land, a file or null, as seen by all layers. */
  thing(found) { return found && this.all.reduce((thing, layer) => layer.thing?.(thing) ?? thing, found); }

  /** Asks a source a question through all layers that intercept it. */
  ask(name, source, question) {
    return this.all.reduceRight((ask, layer) => (layer[name] ? (...asked) => layer[name](ask, ...asked) : ask), source)(...question);
  }
}

export const layers = new Layers();
