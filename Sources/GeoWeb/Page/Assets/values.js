// Values of the user's own, layers of numbers or words: what is said of them, and the lists by them. Also scales and
// what sizes mean, of which a page that shows tints and bytes needs neither.
import { barOf, keyOf, make, showNumber, showShare } from "./geo.js";
import { Layer } from "./layers.js";
import { scaleOf, showValue, sizesOf, withPath } from "./scale.js";

const LISTED = 5; // how many folders and files lists have that begin with the highest, or with the lowest

export class Values extends Layer {
  constructor(page) {
    super();
    this.page = page;
  }

  get all() { return this.page.source.ownLayers; }
  scaleOf(link) { return scaleOf(link, this.all); }
  sizesOf(name) { return sizesOf(name, this.all); }
  /** The layer that colours show; undefined for none. */
  get shown() { return this.all.find(({ name }) => `layer.${name}` === this.page.palette.mode); }

  words({ name, how }, { layers }) {
    const value = layers?.[name];
    if (value === undefined) return undefined;
    const share = layers[`${name}_share`];
    return showValue(value, how === "ratio") + (share === undefined || share === 1 ? "" : ` (${showShare(share)})`);
  }

  said(thing) {
    const { shown } = this;
    return shown ? `${shown.name}: ${this.words(shown, thing) ?? (thing.files === undefined && thing.kind !== "poi" && !thing.layers ? "not known yet" : "no value")}` : "";
  }

  /** The same before the `amount` of a row of a list, without the name of the layer; undefined if its sizes say it. */
  rowed(thing, amount) {
    const { shown } = this;
    const value = shown && shown.name !== this.page.level.sizes?.name && this.words(shown, thing);
    return value ? [make("span", { class: "value" }, value), ` · ${amount}`] : undefined;
  }

  sections(node) {
    const rows = this.all.flatMap((layer) => {
      const words = this.words(layer, node);
      const count = node.layers?.[`${layer.name}_count`];
      return words === undefined ? [] : [make("div", {}, make("dd", {}, words), make("dt", {}, layer.name + (count === undefined ? "" : ` of ${showNumber(count)}`)))];
    });
    return rows.length > 0 ? [make("dl", { class: "figures values" }, ...rows)] : [];
  }

  /** The highest and the lowest of the folders and files in view by the numbers that colours show; `row` makes a row. */
  lists(current, row) {
    const { shown } = this;
    if (shown?.kind !== "number") return [];
    const value = ({ layers }) => layers?.[shown.name];
    const all = [...current.lands.map((thing) => ({ thing, isLand: true })), ...current.own.map((file) => ({ thing: withPath(current, file), isLand: false }))]
      .filter(({ thing }) => value(thing) !== undefined)
      .sort((a, b) => value(b.thing) - value(a.thing) || (keyOf(a.thing) < keyOf(b.thing) ? -1 : 1));
    if (all.length === 0) return [];
    const most = Math.max(...all.map(({ thing }) => Math.abs(value(thing)))) || 1;
    const rows = (some) => make("ol", { class: "largest values" }, ...some.map(({ thing, isLand }) =>
      row(thing, isLand, this.words(shown, thing), barOf(Math.abs(value(thing)) / (shown.how === "ratio" && most <= 1 ? 1 : most)))));
    const high = all.slice(0, LISTED);
    const low = all.slice(LISTED).toReversed().slice(0, LISTED);
    return [make("h3", {}, `Highest ${shown.name}`), rows(high), ...(low.length > 0 ? [make("h3", {}, `Lowest ${shown.name}`), rows(low)] : [])];
  }
}
