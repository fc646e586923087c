// Puts the page together.
import { Address, readAddress } from "./address.js";
import { Crumbs } from "./crumbs.js";
import { Drawer } from "./drawer.js";
import { extras } from "./extras.js";
import { kept, Points } from "./favourites.js";
import { byId, nameOf, parentOf, project, rawWithin, showBytes, showCount, showNumber, unproject } from "./geo.js";
import { listenToPointers, zoomTo } from "./input.js";
import { listenToKeys } from "./keyboard.js";
import { parts } from "./lazy.js";
import { LightTable } from "./lighttable.js";
import { listenToChanges } from "./live.js";
import { MapView } from "./map.js";
import { Overview } from "./overview.js";
import { fileType, Palette } from "./palette.js";
import { Panel } from "./panel.js";
import { Ruler, showScale } from "./ruler.js";
import { Search } from "./search.js";
import { isAsked } from "./lights.js";
import { classBounds } from "./rules.js";
import { printView } from "./sheet.js";
import { openSource } from "./start.js";
import { drawSVG } from "./svg.js";
import { Totals } from "./totals.js";

/** How many coasts are drawn whole. */
const MOST_COASTS = 64;
/** How many lands a collection holds at most. */
const MOST_SAVED = 2000;

const source = await openSource();
for (const extra of extras) extra.found?.(source);
let rootsError = null;
const roots = await source.roots().catch((error) => {
  rootsError = error;
  return [];
});
const palette = new Palette();
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function showTheme() {
  const chosen = kept.get("theme");
  palette.isDark = chosen ? chosen === "dark" : prefersDark.matches || extras.some(({ isDark }) => isDark);
  document.documentElement.dataset.theme = palette.isDark ? "dark" : "light";
  byId("theme").textContent = palette.isDark ? "☀" : "☾";
}
showTheme();

const view = new MapView(byId("map"), source, palette);
const points = new Points();
const ruler = new Ruler(view);
const overview = new Overview(view);
const totals = new Totals(source, summed);
let selected = null;
let asked = 0;
let opening = 0;

// Names stay clear of what lies over the map.
view.labels.obstacles = () => [byId("search"), byId("crumbs"), byId("panel"), byId("tools"), byId("drawer"),
  byId("table"), byId("scale"), byId("scale").firstElementChild, overview.canvas, byId("time"), ...document.querySelectorAll(".over")].filter(Boolean)
  .map((element) => element.getBoundingClientRect())
  .filter(({ width }) => width > 0)
  .map(({ left, top, right, bottom }) => [left - 3, top - 3, right + 3, bottom + 3]);
const note = (text) => { byId("note").textContent = text; };
const address = new Address(view, () => selected?.feature.properties, () => table.wanted, restore);

/** Tells the camera what the panel lies over. */
function cover() {
  const { clientWidth, clientHeight, offsetLeft } = byId("panel");
  const over = [byId("table"), ...extras.map(({ element }) => element)].find((one) => one?.clientWidth > 0) ?? byId("table");
  const isAtSide = over.clientWidth < view.camera.width * 0.6 && clientWidth < view.camera.width * 0.6;
  const atRight = [over, byId("drawer")].filter(({ clientWidth: breadth }) => breadth > 0);
  const below = byId("tracks-shown");
  view.camera.covered = {
    left: isAtSide && clientWidth > 0 ? offsetLeft + clientWidth : 0,
    right: isAtSide && innerWidth > 640 ? Math.max(0, ...atRight.map(({ offsetLeft: left }) => view.camera.width - left)) : 0,
    bottom: below?.clientHeight > 0 ? view.camera.height - below.offsetTop
      : (byId("time")?.clientHeight ?? 0) + (isAtSide ? 0 : Math.max(clientHeight, over.clientHeight)),
  };
}

/** Flies to a box of degrees, no nearer than to a zoom. */
function goTo(box, most = view.camera.most) {
  cover();
  view.camera.fly(view.camera.viewOf(box, Math.min(most, view.camera.most)), view.isCalm);
}

/** What the parts of the page that are loaded later work with. */
export const page = {
  view, source, palette, points, note, open, goTo, star, taps: [], selected: () => selected, isOpening: () => opening > 0, get drawer() { return drawer; },
  address, get table() { return table; },
  /** Whether the view is about that of the whole world. */
  seesAll: () => Math.abs((wholeWorld()?.z ?? Infinity) - view.camera.z) < 0.3,
  /** Goes to the whole world, if nobody has asked for another view, or always. */
  fit(always = false) { if (always || (!first.view && first.path === null && first.raw === null)) world(); },
  starred: () => panel.star?.setAttribute("aria-pressed", String(selected !== null && points.has(selected.feature.properties))),
  chooseTheme,
};
const library = () => parts.library().then(({ openLibrary }) => openLibrary(page));

/** What a pane of the drawer shows of the library. */
async function paneOf(name) {
  const all = await library();
  if (name === "tracks" || name === "stars") return [(name === "tracks" ? all : all.places).pane()];
  return [name === "settings" ? all.settingsPane() : await all.diagnosticsPane()];
}

/** Flies to a node, near enough to see what is in it. */
async function fly(node) {
  const { properties, geometry } = node.feature;
  const isPoint = geometry.type === "Point";
  const most = isPoint ? Math.max(properties.minzoom + 2.6, 4) : Infinity;
  cover();
  let target = view.camera.viewOf(node.bbox, Math.min(most, view.camera.most));
  const { children } = node;
  if (!isPoint && children?.folders === 0 && children.files > 0) {
    // Its files may come into sight later than it: then to where some of them are.
    const first = children.shown[0];
    const file = await source.node(`${properties.path}/${first.name}`, rawWithin(properties, first)).catch(() => null);
    const least = (file?.feature.properties.minzoom ?? 0) + 0.1;
    if (file && least > target.z + 1) {
      const [lon, lat] = file.feature.geometry.coordinates;
      target = view.camera.viewOf([lon, lat, lon, lat], least);
    }
  }
  view.camera.fly(target, view.isCalm);
}

/** Selects a node by its path; flies there if asked to. */
async function open(...wanted) {
  opening += 1;
  try {
    await openNode(...wanted);
  } finally {
    opening -= 1;
  }
}

async function openNode(path, flies, raw, isNew = true) {
  const number = ++asked;
  let node;
  try {
    node = await source.node(path, raw);
  } catch (error) {
    note(`can't ask about it: ${error.message}`);
    return;
  }
  if (number !== asked) return;
  if (!node) {
    note(`${nameOf(path ?? raw)} is not there any more`);
    return;
  }
  note("");
  // What is gone is not added up, is no part of anything, and is at no place of the disk.
  const isGone = node.isGone || ["removed", "left"].includes(node.feature.properties.change);
  node.shares = isGone ? [] : await sharesOf(node);
  if (number !== asked) return;
  node.stale = totals.age;
  node.isLive ??= source.isLive && !isGone;
  if (isGone) node.file = undefined;
  selected = node;
  panel.show(node);
  showCrumbs();
  view.select(node.feature);
  document.title = `${node.feature.properties.name} · geomapper`;
  if (isNew) address.push();
  if (flies) fly(node);
}

function deselect(isNew = true) {
  asked += 1;
  if (!selected) return;
  selected = null;
  const hadFocus = byId("panel").contains(document.activeElement);
  panel.hide();
  showCrumbs();
  view.select(null);
  document.title = "geomapper";
  if (hadFocus) view.canvas.focus();
  if (isNew) address.push();
}

function restore({ view: place, path, raw, fit }) {
  if (fit && isAsked(fit)) table.open(fit);
  else table.close();
  if (place) view.camera.set(place.x, place.y, place.z);
  if (path === null && raw === null) deselect(false);
  else open(path, !place, raw, false);
}

function star() {
  if (!selected) return;
  const { properties, geometry } = selected.feature;
  const [lon, lat] = properties.lon === undefined ? geometry.coordinates : [properties.lon, properties.lat];
  points.toggle({ path: properties.path, rawPath: properties.rawPath, lon, lat });
  if (drawer.shown === "stars") drawer.draw();
  library().catch((error) => note(`points can't be shown: ${error.message}`));
  page.starred();
  view.ask();
}

/** What the folder around a node and its root hold, if that is known. */
async function sharesOf(node) {
  const above = [node.ancestors.at(-1), node.ancestors[0]].filter((one, index, all) => one && all.indexOf(one) === index);
  const found = await Promise.all(above.map(({ path, rawPath }) => source.node(path, rawPath, 0).catch(() => null)));
  return found.filter((one) => one?.totals).map((one) => ({ path: one.feature.properties.path, bytes: one.totals.bytes }));
}

const panel = new Panel({
  open, fly, close: () => deselect(), isStarred: (node) => points.has(node), star,
  more: ({ feature: { properties } }, count) =>
    source.node(properties.path, properties.rawPath, Math.min(20000, count)).catch(() => null),
  again: () => {
    const { path, rawPath } = selected.feature.properties;
    source.mend(path, rawPath);
  },
  sections: (node) => extras.flatMap((extra) => extra.sections?.(node) ?? []),
  get entries() { return extras.find(({ entries }) => entries)?.entries; },
  colourOf: (child) => palette.type(child.type ?? (child.kind === "poi" ? fileType(child.name, child.special) : "other")),
});
const crumbs = new Crumbs((path, flies, raw) => open(path, flies, raw));

/** The folders around what is selected, or around the middle of the view. */
function showCrumbs() {
  if (selected) {
    const { path, rawPath } = selected.feature.properties;
    crumbs.show([...selected.ancestors, { path, rawPath, name: nameOf(path) }], true);
    return;
  }
  const land = view.landIn(...middle());
  crumbs.show(land ? Crumbs.partsOf(land.path) : [], false, land?.files === undefined ? "" : showCount(land.files, "file", "files"));
}

let summedVersion;

/** Other totals than before, told in several ways: the tiles in view have them, and the panel. */
function summed(version) {
  if (version !== undefined && version === summedVersion) return;
  summedVersion = version;
  view.tiles.refresh(0, 0, 1, 1);
  view.ask();
  for (const extra of extras) extra.summed?.();
  if (selected) open(selected.feature.properties.path, false, selected.feature.properties.rawPath, false);
}

/** What else is said of a land below its name. */
view.labels.noteOf = (land) => {
  if (view.lights.isOn) {
    const count = view.lights.count(land.path);
    return count > 0 ? `${showNumber(count)} here` : "";
  }
  if (land.bytes === undefined) return "";
  if (land.files === 0) return "empty";
  return `${showBytes(land.bytes)} · ${showCount(land.files, "file", "files")}`;
};

const drawer = new Drawer(palette, {
  library: paneOf,
  changed: () => view.restyle(),
  saves: [["PNG", "a picture, as it is seen (p)", () => picture()], ["SVG", "shapes and letters, without hills (v)", () => vector()],
    ["GeoJSON", "the true lines of what is in view (g)", () => collection()], ["Print", "this view on a sheet", () => printed()]],
  recolour(mode) {
    palette.mode = mode;
    kept.set("mode", mode);
    view.restyle();
  },
});
const search = new Search(source, open);
const table = new LightTable(source, view, {
  open,
  changed() {
    palette.isVeiled = view.lights.isOn;
    address.moved();
  },
});

/** Coasts are drawn whole, so that waterlines run on from tile to tile. */
function addCoast(label, coast) {
  const ring = new Float64Array(coast.length);
  for (let i = 0; i < coast.length; i += 2) {
    const { x, y } = project(coast[i], coast[i + 1]);
    [ring[i], ring[i + 1]] = [x, y];
  }
  if (ring.length > 0) view.coasts.set(label, ring);
}

/** Asks for the coasts that are not at hand. */
async function loadCoasts() {
  const missing = roots.slice(0, MOST_COASTS).filter(({ coast }) => !coast);
  if (missing.length === 0) return;
  try {
    for (const { label } of missing) {
      const geometry = (await source.node(label, undefined, 0))?.feature.geometry;
      if (geometry?.type === "Polygon") addCoast(label, geometry.coordinates[0].slice(0, -1).flat());
    }
    view.restyle();
  } catch {
    // Then each tile draws what it has of them.
  }
}

/** The view of the whole world; nothing if nobody knows where it is. */
function wholeWorld() {
  const boxes = roots.map(({ bbox }) => bbox);
  if (boxes.length === 0) {
    note(rootsError ? `can't find the world: ${rootsError.message}` : "there is nothing");
    return null;
  }
  cover();
  return view.camera.viewOf([0, 1].map((i) => Math.min(...boxes.map((box) => box[i])))
    .concat([2, 3].map((i) => Math.max(...boxes.map((box) => box[i])))));
}

function world() {
  const target = wholeWorld();
  if (target) view.camera.fly(target, view.isCalm);
}

function tap(px, py, pointer = "mouse") {
  if (ruler.isOn) {
    ruler.add(px, py);
    return;
  }
  if (page.taps.some((take) => take(px, py))) return;
  const found = view.hit(px, py, pointer === "touch" ? 14 : 6);
  if (found) open(found.path, false, found.rawPath ?? rawWithin({ path: found.folder, rawPath: found.rawFolder }, found));
  else deselect();
}

function sibling(by) {
  if (!selected) return;
  const { path, rawPath } = selected.feature.properties;
  const parent = selected.ancestors.at(-1);
  if (!parent) return;
  source.node(parent.path, parent.rawPath).then((node) => {
    const shown = node?.children.shown ?? [];
    if (shown.length === 0) return;
    const at = shown.findIndex((child) =>
      (rawPath ? rawWithin(parent, child) === rawPath : child.name === nameOf(path)));
    const next = shown[(Math.max(at, by < 0 ? 0 : -1) + by + shown.length) % shown.length];
    open(`${parent.path}/${next.name}`, true, rawWithin(parent, next));
  }, (error) => note(error.message));
}

/** Takes a theme: light, dark, or without one the system's. */
function chooseTheme(name) {
  if (name === null) kept.remove("theme");
  else kept.set("theme", name);
  palette.mode = kept.get("mode") ?? "kind";
  showTheme();
  if (drawer.shown === "colours") drawer.draw();
  view.restyle();
}

const theme = () => chooseTheme(palette.isDark ? "light" : "dark");

/** Has the browser save a file. */
function save(blob, ending) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${selected ? selected.feature.properties.name : "world"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function picture() {
  view.draw(performance.now());
  view.canvas.toBlob((blob) => save(blob, "png"));
}

function vector() {
  save(new Blob([drawSVG(view, selected?.feature.properties.path ?? "geomapper")], { type: "image/svg+xml" }), "svg");
}

/** What is in view has a name: what is selected, the land around the middle, or all. */
function printed() {
  const path = selected?.feature.properties.path ?? view.landIn(...middle())?.path;
  return printView(source, view, nameOf(path ?? "geomapper"), note);
}

/** The nodes in view, with their true geometry, as a collection of GeoJSON. */
async function collection() {
  const features = [];
  const lands = view.landsInView().slice(0, MOST_SAVED);
  note(`collecting ${showCount(lands.length, "land", "lands")}…`);
  for (let first = 0; first < lands.length; first += 16) {
    const nodes = await Promise.all(lands.slice(first, first + 16).map(({ path, rawPath }) =>
      source.node(path, rawPath, 0).catch(() => null)));
    features.push(...nodes.filter(Boolean).map(({ feature }) => ({ type: "Feature", ...feature })));
  }
  for (const { file, x, y } of view.filesInView()) {
    const { lon, lat } = unproject(x, y);
    const { path, name, kind, depth, minzoom, size, modified, special } = file;
    features.push({ type: "Feature", geometry: { type: "Point", coordinates: [lon, lat] },
      properties: { path, name, kind, depth, minzoom, size, modified, special } });
  }
  note("");
  save(new Blob([JSON.stringify({ type: "FeatureCollection", features })], { type: "application/geo+json" }), "geojson");
}

function escape() {
  if (search.isOpen) {
    search.show(false);
    view.canvas.focus();
  } else if (ruler.isOn) ruler.toggle(false);
  else if (drawer.close()) view.ask();
  else if (selected) deselect();
  else table.close();
}

const middle = () => [view.camera.width / 2, view.camera.height / 2];
const acts = {
  in: () => zoomTo(view, ...middle(), 1), out: () => zoomTo(view, ...middle(), -1), world,
  lights() {
    // Side by side there is no room for both.
    if (!table.isOpen && innerWidth <= 640) deselect();
    table.toggle();
  },
  ...Object.fromEntries(["stars", "tracks", "colours", "help", "picture"].map((name) => [name, () => drawer.toggle(name)])),
  ruler: () => ruler.toggle(), theme,
};
for (const [id, act] of Object.entries(acts)) byId(id).addEventListener("click", act);
byId("more").addEventListener("click", () => {
  byId("more").setAttribute("aria-expanded", String(byId("tools").classList.toggle("open")));
});
listenToKeys(view, {
  0: world, l: acts.lights, f: acts.stars, t: acts.tracks, c: acts.colours, r: acts.ruler, p: picture, v: vector, g: collection, d: theme, s: star, "?": acts.help,
  ...Object.assign({}, ...extras.map(({ keys }) => keys)),
  "/": () => search.focus(), n: () => sibling(1), N: () => sibling(-1), Escape: escape,
  Enter: () => (ruler.isOn ? ruler.add(...middle()) : tap(...middle())),
  Delete: () => { if (ruler.isOn) ruler.clear(); },
  Backspace: () => {
    if (ruler.isOn) {
      ruler.undo();
      return;
    }
    const parent = selected?.ancestors.at(-1);
    if (parent) open(parent.path, true, parent.rawPath);
    else note(selected ? "this is a root: nothing is around it" : "nothing is selected: Enter takes what is in the middle");
  },
  i: () => {
    const first = selected?.children?.shown[0];
    if (first) open(`${selected.feature.properties.path}/${first.name}`, true, rawWithin(selected.feature.properties, first));
    else note(selected ? "nothing is in it" : "nothing is selected: Enter takes what is in the middle");
  },
});
listenToPointers(view, tap, (x, y) => {
  if (ruler.isOn) ruler.move(x, y);
  else point(x, y);
});

/** The name of what is under the mouse. */
function point(x, y) {
  const found = view.hit(x, y);
  const tip = byId("tip");
  tip.hidden = !found;
  view.canvas.classList.toggle("pointing", Boolean(found));
  if (!found) return;
  const bytes = found.kind === "poi" ? found.size : found.bytes;
  tip.textContent = found.name + (found.kind === "poi" ? "" : "/") + (bytes === undefined ? "" : ` · ${showBytes(bytes)}`);
  tip.style.transform = `translate(${Math.min(x + 14, view.camera.width - tip.offsetWidth - 8)}px, ${Math.min(y + 16, view.camera.height - 34)}px)`;
}
view.canvas.addEventListener("pointerleave", () => { byId("tip").hidden = true; });
/** Files that are dropped anywhere go into the library. */
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
prefersDark.addEventListener("change", () => {
  showTheme();
  view.restyle();
});
/** What a printed sheet says below the map. */
globalThis.addEventListener("beforeprint", () => {
  const properties = selected?.feature.properties;
  byId("caption").textContent = [properties?.path ?? Crumbs.partsOf(view.landIn(...middle())?.path ?? "").at(-1)?.path,
    selected?.totals && `${showBytes(selected.totals.bytes)}, ${showCount(selected.totals.files, "file", "files")}`,
    view.lights.isOn && `lit: ${Object.values(table.wanted).filter(Boolean).join(", ")}: ${showCount(table.files, "file", "files")}`,
    new Date().toISOString().slice(0, 10)].filter(Boolean).join(" · ");
});
view.tiles.onfail = (error) => note(`tiles are missing: ${error.message}`);
view.onmove = () => {
  showScale(view.camera);
  address.moved();
  byId("tip").hidden = true;
};
view.onrest = () => {
  // Names make room for it.
  if (overview.draw()) view.restyle();
  showCrumbs();
  classify();
};

/** Has the classes of sizes suit what is in view. */
function classify() {
  if (palette.mode !== "size") return;
  const bounds = classBounds(view.landsInView().filter(({ depth }) => depth > 0).map(({ bytes }) => bytes ?? 0));
  if (bounds.length < 2 || bounds.join() === palette.bounds?.join()) return;
  palette.bounds = bounds;
  if (drawer.shown === "colours") drawer.draw();
  view.restyle();
}
listenToChanges(view, source, (paths) => {
  if (!selected) return;
  const { path, rawPath } = selected.feature.properties;
  if (paths.has(path) || paths.has(parentOf(path))) open(path, false, rawPath, false);
}, summed);

for (const extra of extras) extra.begin?.({ view, source, palette, table, open, note, deselect });
palette.mode = kept.get("mode") ?? "kind";
const first = readAddress(location.hash);
for (const { label, coast } of roots.slice(0, MOST_COASTS)) if (coast) addCoast(label, coast);
if (!first.view) Object.assign(view.camera, wholeWorld());
if (first.view || first.path !== null || first.raw !== null || first.fit) restore(first);
// What lies over the map takes its time, and comes with the frame after.
view.onstart = () => requestAnimationFrame(() => document.body.classList.remove("starting"));
view.begin();
loadCoasts().then(() => overview.draw());
view.onfirst = () => {
  totals.start();
  source.lookAhead?.();
  // Points lie on the map, whether their list is open or not.
  if (points.all.length > 0) library().catch((error) => note(`points can't be shown: ${error.message}`));
};
showScale(view.camera);
// For tests and the curious.
globalThis.geomapper = { view, open, totals, table, library, page, get selected() { return selected; } };
