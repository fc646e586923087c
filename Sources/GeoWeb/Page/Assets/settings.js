// Settings of the page, diagnostics, and help.
import { kept, parsed } from "./favourites.js";
import { make, optionsOf, showBytes, showCount, showTime } from "./geo.js";
import { layers } from "./layers.js";

const usual = { markers: 5, waypoints: true };
const steps = [0, 1, 3, 5, 10]; // units between markers; 0 for none

export class Settings {
  constructor() { this.read(); }

  read() {
    const all = parsed(kept.get("settings"));
    this.markers = steps.includes(all?.markers) ? all.markers : usual.markers;
    this.waypoints = typeof all?.waypoints === "boolean" ? all.waypoints : usual.waypoints;
  }

  set(name, value) {
    this[name] = value;
    kept.set("settings", JSON.stringify({ markers: this.markers, waypoints: this.waypoints }));
  }

  reset() {
    for (const name of ["settings", "theme", "mode", "relief"]) kept.remove(name);
    this.read();
  }

  /** The settings as a form; `changed` is called after each change, `reset` for all, `clear` deletes all tracks and points. */
  form(page, { changed, reset, clear }) {
    const choice = (name, value, options, act) => {
      const select = make("select", { "aria-label": name, onchange: () => { act(select.value); changed(); } },
        ...optionsOf(options));
      select.value = value;
      return make("label", { class: "setting" }, make("span", {}, name), select);
    };
    const waypoints = make("input", { type: "checkbox", onchange: () => { this.set("waypoints", waypoints.checked); changed(); } });
    waypoints.checked = this.waypoints;
    let isSure = false;
    const forget = make("button", { class: "chip", onclick: () => {
      if (isSure) clear();
      else forget.textContent = "Really? Once more removes all tracks and points";
      isSure = !isSure;
    } }, "Remove all tracks and points");
    return make("div", {},
      choice("Theme", kept.get("theme") ?? "system", [["system", "as the system"], ["light", "light"], ["dark", "dark"]],
        (value) => page.chooseTheme(value === "system" ? null : value)),
      choice("Distance markers", String(this.markers), steps.map((step) => [String(step), step === 0 ? "none" : `every ${step}`]),
        (value) => this.set("markers", Number(value))),
      make("p", { class: "soft" }, "in metres, kilometres, or what power of ten of them suits the view"),
      make("label", { class: "setting" }, make("span", {}, "Waypoints and their names"), waypoints),
      make("p", { class: "row" },
        make("button", { class: "chip", onclick: () => { this.reset(); page.chooseTheme(null); reset(); } }, "Reset settings"), forget));
  }
}

/** Requests, answers and failures, in the order of looking for a fault. */
export async function diagnostics(page, shelf) {
  const { view, source } = page;
  const { counts, failures, all, busy } = view.tiles;
  const asked = performance.getEntriesByType("resource").filter(({ name }) => /\/tiles\/|\.pmtiles/.test(name));
  const unchanged = asked.filter(({ transferSize, encodedBodySize }) => encodedBodySize > 0 && transferSize < encodedBodySize).length;
  const frames = [...view.frames].sort((a, b) => a - b);
  const part = (share) => (frames.length > 0 ? `${frames[Math.floor((frames.length - 1) * share)].toFixed(1)} ms` : "none yet");
  const storage = await navigator.storage?.estimate?.().catch(() => null);
  const rows = [
    ["Tiles from cache", `${counts.kept.toLocaleString("en")}, which the page had`],
    ["Tiles from " + (source.isLive ? "server" : "source"), `${counts.came.toLocaleString("en")} of ${counts.asked.toLocaleString("en")} that were asked for; ${counts.dropped.toLocaleString("en")} were wanted no more`],
    ["Unchanged", source.isLive ? `${unchanged} of the last ${asked.length}: the server said that the browser's copy is right` : "not applicable"],
    ["Errors", String(counts.failed)],
    ["In memory", `${showCount(all.size, "tile", "tiles")}, ${busy} on the way`],
    ["Drawing", `${part(0.5)} a frame, ${part(0.95)} at the 95th percentile`],
    ["Tracks", shelf.isKept ? "kept by the browser" : "not kept: this browser has no room for this page"],
    ["Room", storage?.quota ? `${showBytes(storage.usage)} used of ${showBytes(storage.quota)}` : "unknown"],
    ["View", `${view.canvas.width} × ${view.canvas.height} pixels, zoom ${view.camera.z.toFixed(2)}`],
    ["Browser", navigator.userAgent],
  ];
  return make("div", { class: "diagnostics" }, make("dl", {}, ...rows.flatMap(([term, what]) => [make("dt", {}, term), make("dd", {}, what)])),
    make("h3", {}, "Last errors"), failures.length === 0 ? make("p", { class: "soft" }, "none") : make("ul", {}, ...failures.map(({ time, what }) =>
      make("li", {}, `${showTime(time / 1000)} ${what}`))));
}

const keys = [
  ["← ↑ → ↓", "move; with Shift, farther"],
  ["+ −", "zoom in, out"],
  ["0", "whole world"],
  ["Enter", "select what is in the middle; again, what is deeper there"],
  ["i", "into the folder; Backspace to the one around"],
  ["n N", "next, previous in this folder"],
  ["h", "down the heaviest branch: to the largest folder or file in this one"],
  ["m", "mark what is selected to delete; else the list of marks"],
  ["/", "search"],
  ["l", "filter view: files by name, type, size, age"],
  ["f", "points; s puts a star to what is selected"],
  ["t", "tracks: a library of them"],
  ["c", "colours"],
  ["r", "ruler; Backspace takes a point back, Delete all"],
  ["p v g", "save the view as PNG, SVG, GeoJSON"],
  ["d", "light or dark"],
  ["?", "this help"],
  ["Esc", "close, or select nothing"],
];

export function help() {
  const list = make("dl");
  for (const [key, what] of [...keys, ...layers.all.flatMap((layer) => layer.help)]) list.append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, what));
  return [list, make("p", { class: "soft" },
    "Folders are land, files are points on it. Lands are drawn up to their neighbours; their own line, which " +
    "the selection shows, lies a little within, and is what counts for taps and in saved maps. Shallow water is ground of a root that " +
    "nothing has taken. Houses are files that come into sight closer by. Hills and trees are a choice under Colours. Drag to move, turn the wheel or pinch to zoom, " +
    "tap for what is there. Tracks and recordings can be dropped on the map. The address holds the view: a link leads others to it.")];
}
