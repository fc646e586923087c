// Two states on the map and beside it: the layer that shows them, a slider from the old one to the new, and a list that flies there.
import { changeLegend, changeNameInks } from "./changeinks.js";
import { ChangeLayer } from "./changelayer.js";
import { ChangeList } from "./changelist.js";
import { ChangeSlider } from "./changeslider.js";
import { differenceSection, entriesByFate } from "./difference.js";
import { changeNote } from "./fates.js";
import { byId, isNarrow, make, roomsOf } from "./geo.js";
import { project } from "./mercator.js";
import { partsAt, tileAt } from "./tilestates.js";

export class ChangeView {
  /**
   * `teller` knows what differs: `kinds` are those that it can tell apart, `list(wanted)` answers as the server's `/changes`
   * does, `canAskAgain` says whether another answer may come of it, and `mark(tile)` is the tile with what became of its nodes.
   */
  constructor(teller) {
    this.teller = teller;
    this.layer = new ChangeLayer();
    this.element = make("aside", { id: "changes", "aria-label": "What changed" });
    /** Called when all of it is put away or brought back. */
    this.onswitch = () => {};
  }

  found(source) {
    const tile = source.tile.bind(source);
    source.tile = async (...address) => this.tile(await tile(...address));
  }

  /** A tile as it is shown: what is not in the state at hand is not in it. */
  tile(told) { return { ...tileAt(this.teller.mark(told), this.layer.shown), told }; }

  /** Takes its place on the page; `button`, if there is one already, switches it on and off. */
  begin({ view, palette, open }, button = null) {
    Object.assign(this, { view, palette, open });
    view.layers.push(this.layer);
    this.bindNames(view.labels);
    this.button = button ?? make("button", { id: "compare", type: "button", title: "What changed (x)", "aria-label": "What changed", "aria-expanded": "true",
      onclick: () => this.toggle() }, "Δ");
    if (!button) byId("lights").before(this.button);
    this.build();
    byId("table").before(this.element);
    // On a small screen the map comes first.
    if (isNarrow()) this.fold();
    // The light table takes its place.
    new MutationObserver(() => this.element.classList.toggle("aside", !byId("table").hidden)).observe(byId("table"), { attributes: true, attributeFilter: ["hidden"] });
    new MutationObserver(() => this.drawLegend()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.load();
  }

  /** Has names tell what differs, and stay clear of the list. */
  bindNames(labels) {
    const [note, obstacles, weight] = [labels.noteOf, labels.obstacles, labels.weightOf];
    labels.noteOf = (land) => (this.layer.isOn && !this.view.lights.isOn ? changeNote(land) : note(land));
    labels.obstacles = () => [...obstacles(), ...roomsOf([this.element])];
    labels.weightOf = (file) => weight(file) + (this.layer.isOn && file.change ? 1e17 : 0);
    labels.styled = (style, node) => this.style(style, node);
  }

  style(style, { change, kind }) {
    if (!this.layer.isOn || this.view.lights.isOn || !change) return;
    const ink = changeNameInks(this.palette)[change];
    if (ink) style.ink = ink;
    if ((change === "removed" || change === "left") && !style.font.startsWith("italic")) style.font = `italic ${style.font.replace(/^\d+ /, "")}`;
    if (kind !== "poi" && change === "removed") style.caps = false;
  }

  build() {
    this.slider = new ChangeSlider(this.layer, { isCalm: () => this.view.isCalm, moved: (before) => {
      if (this.layer.shown !== before) this.retile();
      else this.view.ask();
    } });
    this.list = new ChangeList(this.teller, { fly: (item) => this.fly(item), took: ({ moves }) => this.showMoves(moves) });
    this.legend = make("ul", { class: "legend" });
    const { title, sizes, counts, bar, rows } = this.list;
    this.element.replaceChildren(
      make("div", { class: "head" }, make("div", {}, make("h2", {}, "What changed"), title),
        make("button", { type: "button", class: "chip", "aria-label": "Hide", onclick: () => this.fold() }, "×")),
      sizes, counts, this.slider.element, bar, rows.element, this.legend);
    this.drawLegend();
    this.slider.say();
  }

  drawLegend() { this.legend.replaceChildren(...changeLegend(this.palette, this.teller.kinds.includes("moved"))); }

  /** Asks what differs: other than before, perhaps. */
  load() { this.list.load(); }

  /** There may be other differences than before. */
  summed() { this.load(); }

  showMoves(moves) {
    this.layer.moves = moves.map(([lon0, lat0, lon1, lat1, size]) => {
      const [a, b] = [project(lon0, lat0), project(lon1, lat1)];
      return [a.x, a.y, b.x, b.y, size];
    });
    this.view.ask();
  }

  /** Goes to a row's place; where the state that is shown doesn't have it, to both. */
  fly({ path, rawPath, change }) {
    if (partsAt(this.layer.moment)[change === "removed" ? "old" : "new"] < 0.5) this.slider.stop(0.5);
    if (isNarrow()) this.fold();
    this.open(path, true, rawPath);
  }

  /** Has the tiles at hand show what is in the state that is shown. */
  retile() {
    for (const entry of this.view.tiles.all.values()) {
      if (!entry.data) continue;
      entry.data = this.tile(entry.data.told ?? entry.data);
      entry.version += 1;
    }
    this.view.restyle();
  }

  // What the panel says

  sections(node) { return differenceSection(node, this.open); }

  get entries() { return entriesByFate; }

  // On and off

  fold() {
    this.element.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.view.restyle();
  }

  toggle() {
    const isHidden = this.element.hidden && this.layer.isOn;
    this.layer.isOn = isHidden || !this.layer.isOn;
    this.element.hidden = !this.layer.isOn;
    this.button.setAttribute("aria-expanded", String(this.layer.isOn));
    this.slider.say();
    this.onswitch(this.layer.isOn);
    this.retile();
  }
}
