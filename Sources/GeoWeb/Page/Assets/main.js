// Puts the page together.
import { Address, linkButton, readAddress } from "./address.js";
import { Flights, zoomEnd } from "./camera.js";
import { Drawer } from "./drawer.js";
import { kept, keptFor, Points } from "./favourites.js";
import { FilterView } from "./filterview.js";
import { byId, isNarrow, nameOf, parentOf, placeOf, rawWithin, showBytes, showCount } from "./geo.js";
import { hideTip, listenToKeys, listenToPointers, showTip, zoomTo } from "./input.js";
import { layers } from "./layers.js";
import { parts } from "./lazy.js";
import { Level } from "./level.js";
import { listenToChanges, Totals } from "./live.js";
import { MapView } from "./map.js";
import { isAsked, nothing } from "./matches.js";
import { fileType, keepTheme, onSystemTheme, Palette, showTheme } from "./palette.js";
import { Panel } from "./panel.js";
import { addCoasts, loadCoasts } from "./sea.js";
import { Crumbs, Selection } from "./selection.js";
import { openSource } from "./start.js";
import { Summary } from "./summary.js";

const END_PAUSE = 100; // milliseconds between two looks at where zooming ends, while the view moves

const source = await openSource();
const rootsOrError = await source.roots().catch((error) => error);
const roots = Array.isArray(rootsOrError) ? rootsOrError : [];
const palette = new Palette();
showTheme(palette);

const view = new MapView(byId("map"), source, palette);
const store = keptFor(roots);
const points = new Points(store);
const totals = new Totals(source, summed, (step) => summary.counting(step));
const note = (text) => { byId("note").textContent = text; };

const selection = new Selection(source, {
  note, fly: (node) => flights.toNode(node), age: () => totals.age, rooms,
  changed(node, isNew) {
    const hadFocus = byId("panel").contains(document.activeElement);
    if (node) panel.show(node);
    else panel.hide();
    showCrumbs();
    summary.light();
    view.select(node?.feature);
    // The panel covers a part of the view; the drawer only for a while.
    if (!drawer.shown) flights.cover();
    level.choose();
    showTitle();
    if (!node && hadFocus) view.canvas.focus();
    if (isNew) address.push();
  },
});
const open = (...wanted) => selection.open(...wanted);

/** The room on disk of a folder's entries by name; null if the page shows apparent sizes, or it is unknown. */
async function rooms({ path, rawPath }) {
  if (level.measure !== "allocated") return null;
  const found = level.current?.path === path ? level.current : await source.summary(path, rawPath).catch(() => null);
  return found && new Map([...found.lands, ...found.own].map((one) => [one.rawName ?? (one.rawPath ? nameOf(one.rawPath) : one.name), one.allocated]));
}

const level = new Level(view, source, () => selection.node);
view.follow(level);

const address = new Address(view, { selected: () => selection.properties, wanted: () => table.wanted, colours: () => palette.link,
  sizes: () => level.sizes?.name ?? (source.sizes === "bytes" ? "" : "bytes"), isOpening: () => selection.isOpening, restore });

/** The interface for layers and for parts loaded later. */
export const page = {
  view, source, palette, points, store, note, open, star, chooseTheme, address, level, roots,
  time: null,
  play(time) {
    if (this.time) layers.remove(this.time.layer);
    if (time) layers.add(time.layer);
    this.time = time;
  },
  totals,
  get coasts() { return coasts; },
  get drawer() { return drawer; },
  get table() { return table; },
  /** What is said of the user's own values; null until it is loaded. */
  get values() { return values; },
  selected: () => selection.node,
  isOpening: () => selection.isOpening,
  goTo: (...wanted) => flights.toBox(...wanted),
  seesAll: () => flights.seesAll,
  /** The view of the whole world; null if its extent is unknown. */
  whole: () => (roots.length > 0 ? flights.whole : null),
  get hasView() { return Boolean(first.view) || first.path !== null || first.raw !== null; },
  showWhere: () => showCrumbs(),
  /** Shows the whole world, unless the address has a view, or always. */
  fit(always = false) {
    if (!always && this.hasView) return;
    // Until the first picture what covers the map is hidden.
    if (document.body.classList.contains("starting")) this.isFitting = true;
    else flights.toWorld();
  },
  get deletion() { return marks; },
  marked() {
    panel.showMark();
    summary.draw();
    view.ask();
  },
  starred: () => panel.showStar(),
};
const flights = new Flights(page, roots, rootsOrError === roots ? "there is nothing" : `can't find the world: ${rootsOrError.message}`);
/** The list of what to delete, once the library is loaded. */
let marks;
const summary = new Summary(page, {
  toWorld: () => acts.world(),
  covered() {
    flights.cover();
    view.restyle();
  },
  titled: () => showTitle(),
});

function showTitle() {
  const name = selection.properties?.name ?? summary.title;
  document.title = name ? `${name} · geomapper` : "geomapper";
}

/** Saves the view: as `picture`, `vector`, `collection` or `printed`. */
const save = (how) => parts.saves().then(({ saveView }) => saveView[how](page)).catch((error) => note(`the view can't be saved: ${error.message}`));
const library = () => parts.library().then(async ({ openLibrary }) => {
  const all = await openLibrary(page);
  if (!marks) {
    marks = all.deletion;
    page.marked();
  }
  return all;
});

async function paneOf(name) {
  const all = await library();
  const panes = { marked: () => all.deletion.pane(), help: () => all.helpPane(), tracks: () => [all.pane()], stars: () => [all.places.pane()],
    settings: () => [all.settingsPane()], diagnostics: async () => [await all.diagnosticsPane()] };
  return panes[name]();
}

/** The view whose classes come from a link. */
let heldFor = "";
function viewKey() { return [view.camera.x, view.camera.y, view.camera.z].join(); }

function restore({ view: place, path, raw, fit, colours, sizes }) {
  const coloured = recolour(colours ?? "kind", Boolean(place));
  if (level.sizes || sizes) resize(sizes ?? source.sizes);
  if (fit && isAsked(fit)) table.open(fit);
  else table.close();
  if (place) {
    view.camera.set(place.x, place.y, place.z);
    view.camera.release();
  }
  if (path === null && raw === null) selection.clear(false);
  else open(path, !place, raw, false);
  return coloured;
}

/** What is said of the user's own values, scales, and what sizes mean, once they are needed. */
let values = null;
const withValues = () => parts.values().then(({ Values }) => {
  if (values) return values;
  values = new Values(page);
  if (source.ownLayers.length > 0) layers.add(values);
  return values;
});
let recoloured = 0;

/** Colours by a mode, perhaps with the classes of an address, which hold for the view if `isHeld`. */
async function recolour(link, isHeld = false) {
  const number = (recoloured += 1);
  const isPlain = ["kind", "type"].includes(link);
  const scale = isPlain ? null : await withValues().then((all) => all.scaleOf(link)).catch((error) => note(`colours can't be loaded: ${error.message}`));
  if (number !== recoloured) return;
  palette.colourBy(isPlain || scale ? link.split(":")[0] : "kind", scale);
  heldFor = scale?.isGiven && isHeld ? viewKey() : "";
  classify();
  if (drawer.shown === "colours") drawer.draw();
  summary.draw();
  showCrumbs();
  view.restyle();
}

async function resize(name) {
  const sizes = name === "bytes" ? null : await withValues().then((all) => all.sizesOf(name)).catch((error) => note(`sizes can't be loaded: ${error.message}`));
  if ((sizes?.name ?? null) === (level.sizes?.name ?? null)) return;
  await level.measureBy(sizes ?? null);
  if (drawer.shown === "colours") drawer.draw();
  selection.refresh();
  address.moved();
}

function star() {
  if (!selection.node) return;
  const { path, rawPath } = selection.properties;
  const [lon, lat] = placeOf(selection.node.feature);
  points.toggle({ path, rawPath, lon, lat });
  if (drawer.shown === "stars") drawer.draw();
  library().catch((error) => note(`points can't be shown: ${error.message}`));
  page.starred();
  view.ask();
}

const panel = new Panel({
  open, linkButton: (...given) => linkButton(source, ...given), fly: (node) => flights.toNode(node), close: () => selection.clear(),
  isStarred: (node) => points.has(node), star, isMarked: (node) => marks?.has(node) === true, mark, measure: () => level.measure, sizes: () => level.sizes, rooms,
  more: ({ feature: { properties } }, count) =>
    source.node(properties.path, properties.rawPath, Math.min(20000, count)).catch(() => null),
  again: () => source.readAgain(selection.properties.path, selection.properties.rawPath),
  sections: (node) => layers.all.flatMap((layer) => layer.sections(node)),
  get entries() { return layers.first((layer) => layer.entries); },
  colourOf: (child) => palette.mode === "type" && palette.type(child.type ?? (child.kind === "poi" ? fileType(child.name, child.special) : "other")),
});
const crumbs = new Crumbs((path, flies, raw) => open(path, flies, raw));

/** Shows the folders around the selection, else those around the level in view; in a recording, around the middle of the view. */
function showCrumbs() {
  if (selection.node) {
    const { path, rawPath } = selection.properties;
    crumbs.show([...selection.node.ancestors, { path, rawPath, name: nameOf(path) }], true, values?.said({ ...selection.properties, ...selection.node.totals, layers: selection.node.layers }));
    return;
  }
  // The summary and the crumbs name the same folder.
  const land = level.current && (!page.time || layers.isSized) ? level.current : view.landSeenIn(...view.camera.middle);
  const notes = land === null || view.lights.isOn ? [] : [land.files !== undefined && showCount(land.files, "file", "files"), values?.said(land)].filter(Boolean);
  crumbs.show(land?.path ? Crumbs.partsOf(land.path) : [], false, notes.join(" · "));
}

let named = null; // the level that the crumbs show
level.listen(() => {
  if (level.current === named) return;
  named = level.current;
  showCrumbs();
  if (view.isComplete) endZoom();
});

let endedAt = -Infinity; // when the end of zooming was computed last

/** Ends zooming where nothing more can come; while the view moves only now and then. */
function endZoom(isAtRest = true) {
  const { camera } = view;
  const now = view.clock.now();
  if (isAtRest ? camera.isMoving : !camera.isFree || now - endedAt < END_PAUSE) return;
  endedAt = now;
  camera.endAt(zoomEnd(view, level));
  if (isAtRest) camera.turnBack(view.isCalm);
  byId("in").setAttribute("aria-disabled", String(camera.z > camera.limit - 0.01));
}

function mark() {
  library().then((all) => {
    if (selection.node) all.deletion.toggle(selection.node);
    else drawer.toggle("marked");
  }, (error) => note(`the list can't be shown: ${error.message}`));
}

let summedVersion;

/** Updates tiles and panel for other totals: only the selection is fetched if `folders` lists the changes since `summedVersion`. */
function summed({ version, from, folders } = {}) {
  if (version !== undefined && version === summedVersion) return;
  const isKnown = folders !== undefined && from === summedVersion;
  summedVersion = version ?? summedVersion;
  level.refresh();
  if (!isKnown) view.tiles.refresh(0, 0, 1, 1);
  if (isKnown && view.tiles.sum(folders, (land) => view.labels.noteOf(land))) view.restyle();
  else view.ask();
  if (!isKnown) for (const layer of layers.all) layer.summed();
  const path = selection.properties?.path;
  if (!isKnown || folders.some((folder) => folder.path === path)) selection.refresh();
}

const drawer = new Drawer(palette, {
  library: paneOf,
  changed: () => view.restyle(),
  saves: [["PNG", "a picture, as it is seen (p)", () => save("picture")], ["SVG", "shapes and letters, without hills (v)", () => save("vector")],
    ["GeoJSON", "the true lines of what is in view (g)", () => save("collection")], ["Print", "this view on a sheet", () => save("printed")]],
  ownLayers: source.ownLayers, sizes: () => level.sizes?.name ?? "bytes", resize,
  recolour(mode) {
    kept.set("mode", mode);
    recolour(mode).then(() => address.moved());
  },
});
let search; // the search, once its field was used
byId("query").addEventListener("focus", () => parts.search().then(({ Search }) => {
  search = new Search(source, open, (name) => {
    makeRoom();
    table.open({ ...nothing, name });
  });
}).catch((error) => note(`the search can't be loaded: ${error.message}`)), { once: true });
byId("search").addEventListener("submit", (event) => event.preventDefault());
const table = new FilterView(source, view, {
  open,
  changed() {
    palette.veil(view.lights.isOn);
    address.moved();
    summary.draw();
    showCrumbs();
  },
  counted: () => summary.counted(),
});

/** Where there is no room for both, the filter view takes the place of the panel. */
function makeRoom() { if (isNarrow()) selection.clear(); }

/** The last tap on the map: its place in the world, the zoom, and the path that it selected. */
let lastTap = null;

function tap(px, py, pointer = "mouse") {
  if (layers.all.some((layer) => layer.tap(px, py))) return;
  const { camera } = view;
  const far = lastTap?.z === camera.z ? camera.toScreen(...lastTap.at) : [Infinity, Infinity];
  const isAgain = lastTap && lastTap.path === selection.properties?.path && Math.hypot(px - far[0], py - far[1]) < 8;
  const found = view.pick(px, py, { slack: pointer === "touch" ? 14 : 6, named: level.at(px, py), last: isAgain ? lastTap.path : null });
  lastTap = found && { at: camera.toWorld(px, py), z: camera.z, path: found.path };
  if (!found) selection.clear();
  else {
    open(found.path, false, found.rawPath ?? rawWithin({ path: found.folder, rawPath: found.rawFolder }, found)).then(() => {
      if (selection.properties?.path === found.path) flights.reveal(selection.node);
    });
  }
}

function chooseTheme(name) {
  keepTheme(name);
  showTheme(palette);
  recolour(kept.get("mode") ?? "kind");
}

/** The ruler, once it was used. */
let ruler;
const measure = () => (ruler ? ruler.toggle() : parts.ruler().then(({ Ruler }) => {
  layers.add(ruler = new Ruler(view));
  ruler.toggle();
}).catch((error) => note(`the ruler can't be loaded: ${error.message}`)));

function escape() {
  if (search?.isOpen) {
    search.show(false);
    view.canvas.focus();
  } else if (ruler?.isOn) ruler.toggle(false);
  else if (drawer.close()) view.ask();
  else if (selection.node) selection.clear();
  else table.close();
}

const acts = {
  in: () => zoomTo(view, ...view.camera.middle, 1), out: () => zoomTo(view, ...view.camera.middle, -1),
  world() {
    selection.clear();
    flights.toWorld();
  },
  lights() {
    if (!table.isOpen) makeRoom();
    table.toggle();
  },
  ...Object.fromEntries(["stars", "tracks", "colours", "help", "picture"].map((name) => [name, () => drawer.toggle(name)])),
  ruler: measure, theme: () => chooseTheme(palette.isDark ? "light" : "dark"),
};
const showTools = (isOpen) => byId("more").setAttribute("aria-expanded", String(byId("tools").classList.toggle("open", isOpen)));
for (const [id, act] of Object.entries(acts)) {
  byId(id).addEventListener("click", () => {
    if (id !== "in" && id !== "out") showTools(false);
    act();
  });
}
byId("more").addEventListener("click", () => showTools());
listenToKeys(view, {
  0: acts.world, l: acts.lights, f: acts.stars, t: acts.tracks, c: acts.colours, r: acts.ruler, d: acts.theme, s: star, m: mark, h: () => summary.down(), "?": acts.help,
  p: () => save("picture"), v: () => save("vector"), g: () => save("collection"),
  "/": () => { byId("query").focus(); byId("query").select(); }, n: () => selection.openSibling(1), N: () => selection.openSibling(-1), Escape: escape,
  Enter: () => (ruler?.isOn ? ruler.add(...view.camera.middle) : tap(...view.camera.middle)),
  Delete: () => { if (ruler?.isOn) ruler.clear(); },
  Backspace: () => (ruler?.isOn ? ruler.undo() : selection.openParent()),
  i: () => selection.openFirstChild(),
});
listenToPointers(view, tap, (x, y) => {
  const named = level.at(x, y);
  if (ruler?.isOn) ruler.move(x, y);
  else showTip(view, x, y, named, (node) => values?.said(node));
  const path = (named ?? view.landIn(x, y))?.path;
  level.raise(path === undefined ? null : level.partWith(path));
});
view.canvas.addEventListener("pointerleave", () => {
  hideTip();
  level.raise(null);
});
document.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
});
document.addEventListener("drop", (event) => {
  if (event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  library().then((all) => all.open(files)).catch((error) => note(`files can't be opened: ${error.message}`));
});
onSystemTheme(() => {
  showTheme(palette);
  view.restyle();
});
globalThis.addEventListener("beforeprint", () => {
  const { totals } = selection.node ?? {};
  const sums = totals && `${showBytes(totals.bytes)}, ${showCount(totals.files, "file", "files")}`;
  const lit = view.lights.isOn && `lit: ${Object.values(table.wanted).filter(Boolean).join(", ")}: ${showCount(table.files, "file", "files")}`;
  byId("caption").textContent = [selection.properties?.path ?? view.landSeenIn(...view.camera.middle)?.path, sums, lit, new Date().toISOString().slice(0, 10)]
    .filter(Boolean).join(" · ");
});
view.on({
  failed: (error) => note(`tiles are missing: ${error.message}`),
  moved() {
    if (around) around.signposts.element.hidden = true;
    address.moved();
    hideTip();
    level.choose(false);
    endZoom(false);
  },
  rested() {
    lookAround();
    showCrumbs();
    level.choose();
    endZoom();
    classify();
    summary.explain();
  },
  // Overlays take time, so they come with the next frame.
  started: () => requestAnimationFrame(() => {
    document.body.classList.remove("starting");
    flights.cover();
    if (page.isFitting) flights.toWorld();
    level.choose();
  }),
  finished() {
    totals.start();
    source.lookAhead?.();
    if (source.ownLayers.length > 0) withValues().then(() => summary.draw(), () => {});
    // Only servers of live folders, which know their disks, have kept states; those that play recordings have none.
    if (source.kept && level.current?.disk && !document.querySelector('meta[name="recording"]')) parts.kept().then(({ openKept }) => openKept(page)).then((has) => has && summary.draw(), () => {});
    // Points are on the map even if their list is closed.
    if (points.all.length > 0 || store.get("marked")) library().catch((error) => note(`points can't be shown: ${error.message}`));
  },
});

/** The map of the whole world, and signposts: loaded once not all is in view. */
let around = null;
let isAway = false;

async function lookAround() {
  if (!isAway && view.hasPicture && !view.isWhole) {
    isAway = true;
    const { Overview, Signposts } = await parts.overview();
    around = { overview: new Overview(view), signposts: new Signposts(view, open) };
  }
  // Names avoid it.
  if (around?.overview.draw()) view.restyle();
  around?.signposts.draw();
}

function classify() {
  // The classes of a link hold until the view is moved.
  if (!palette.scale || heldFor === viewKey()) return;
  const inView = view.landsInView();
  const { lands = inView.filter(({ depth }) => depth > 0), own = [], largest = [] } = level.current ?? {};
  if (lands.length + own.length === 0 || !palette.scale.classify({ lands, own, inner: [...inView, ...largest], amount: (thing) => level.amount(thing) })) return;
  if (drawer.shown === "colours") drawer.draw();
  view.restyle();
  address.moved();
}
listenToChanges(view, source, {
  changed(paths) {
    const path = selection.properties?.path;
    if (path !== undefined && (paths.has(path) || paths.has(parentOf(path)))) selection.refresh();
  },
  summed,
  historyChanged() { for (const layer of layers.all) layer.historyChanged(); },
});

for (const layer of layers.all) layer.begin(page);
summary.begin();
const first = readAddress(location.hash);
addCoasts(view, roots);
const whole = flights.whole;
if (!first.view && whole) view.camera.begin(whole);
const colours = first.colours ?? kept.get("mode") ?? "kind";
const coloured = (first.view || first.path !== null || first.raw !== null || first.fit || first.colours || first.sizes ? restore({ ...first, colours }) : recolour(colours));
if (!first.sizes) resize(source.sizes);
// The frames of a film are drawn one by one.
if (byId("film")) view.drive(true);
// The first picture has its colours, for which a part of the page may have to come, and waits for this script.
coloured.then(() => view.begin(roots, whole?.z ?? 0));
const coasts = loadCoasts(view, source, roots);
coasts.then(lookAround);
level.choose();
// For tests and debugging.
globalThis.geomapper = { view, open, totals, table, library, page, get selected() { return selection.node; }, get time() { return page.time; } };
