// Settings of the page, and diagnostics.
import { kept } from "./favourites.js";
import { make, optionsOf, showBytes, showCount, showTime } from "./geo.js";

const usual = { markers: 5, waypoints: true };
/** Units between markers; 0 for none. */
const steps = [0, 1, 3, 5, 10];

/** Settings of tracks. */
export class Settings {
  constructor() {
    this.read();
  }

  read() {
    let all = {};
    try {
      all = JSON.parse(kept.get("settings") ?? "{}");
    } catch {
      // Ignore foreign values.
    }
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

  /**
   * The settings as a form; `changed` is called after each change, `reset` for all, `clear` deletes all tracks and
   * points.
   */
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
