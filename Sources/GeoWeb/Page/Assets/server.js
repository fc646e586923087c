// A server as the source of the page.
import { byId } from "./geo.js";
import { timesOf } from "./matches.js";
import { decodeTile, emptyTile, Source } from "./source.js";

export class ServerSource extends Source {
  isLive = true;

  constructor() {
    super();
    // The server puts the first answer into the page.
    const element = byId("begin");
    this.begin = element ? JSON.parse(element.textContent) : null;
    element?.remove();
    this.describe(this.begin ?? undefined);
    this.link = this.begin?.link; // the address with the token, if visitors need one
  }

  /** `partial`, if given, is called if the tile has only what is known so far, because reading takes long. */
  async askTile(z, x, y, signal, partial) {
    const address = `/tiles/${z}/${x}/${y}.mvt${partial ? "?soon" : ""}`;
    // early.js has requested the first ones.
    const early = await globalThis.early?.get(address);
    globalThis.early?.delete(address);
    const response = early?.ok ? early : await get(address, { signal, cache: "no-cache" });
    if (response.headers.get("Geomapper-Partial")) partial?.();
    return response.status === 204 ? emptyTile() : decodeTile(new Uint8Array(await response.arrayBuffer()));
  }

  async askNode(path, raw, children) {
    return ask(`/node?${raw ? `rawPath=${raw}` : `path=${encodeURIComponent(path)}`}${children === undefined ? "" : `&children=${children}`}`);
  }

  async askSummary(path, raw) { return ask(`/summary${raw ? `?rawPath=${raw}` : path ? `?path=${encodeURIComponent(path)}` : ""}`); }

  async askSearch(text, limit, signal, found) {
    let end = { done: true, complete: false };
    await eachLine(`/search?q=${encodeURIComponent(text)}&limit=${limit}`, signal, (result) => {
      if (result.done) end = result;
      else found(result);
    });
    return end;
  }

  async askMatches(wanted, { order, limit, now }, signal, report) {
    const { newer, older } = timesOf(wanted, now);
    const query = { name: wanted.name, type: wanted.type, size: wanted.size, newer, older, sort: order, limit };
    const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    await eachLine(`/matches?${parts.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`, signal, report);
  }

  async roots() { return this.begin?.roots ?? (await (await get("/stats")).json()).roots; }

  async history() {
    const response = await get("/history", { cache: "no-cache" });
    const tag = response.headers.get("etag");
    if (tag !== null && tag === this.historyTag) return null;
    // Only complete answers are cached.
    const text = await response.text();
    this.historyTag = tag;
    return text;
  }

  async changes({ order, kinds, limit, again }) {
    const query = new URLSearchParams({ sort: order, kind: [...kinds].join("|"), limit });
    if (again) query.set("again", "1");
    return (await get(`/changes?${query}`)).json();
  }

  /** The samples of a folder; without a path, the sampled folders. */
  async samples(path) { return (await get(path === undefined ? "/samples" : `/samples?path=${encodeURIComponent(path)}`)).json(); }
  /** The kept states of the folders; with a path, how its sub-folders grew by them. Null if the server has none. */
  async kept(path) { return ask(path === undefined ? "/kept" : `/kept?path=${encodeURIComponent(path)}`); }
  async recording() { return (await get("/recording")).text(); }

  async totals(signal, report) {
    await eachLine("/totals", signal, (step) => {
      if (step.done) this.unreadable = step.unreadable;
      report(step);
    });
  }

  async readAgain(path, raw) { await fetch(`/totals?path=${raw ?? encodeURIComponent(path)}`); }
  async sheet(wanted) { return (await get(`/sheet.svg?${new URLSearchParams(wanted)}`)).blob(); }

  async landAt(lon, lat) {
    const response = await fetch(`/at?lon=${lon}&lat=${lat}&zoom=30`);
    return response.ok ? ((await response.json()).node?.properties.path ?? "") : "";
  }

  /**
   * Calls back with changes on disk, totals, and another history. A hidden page doesn't listen, because browsers allow six
   * connections per server; once visible again, `missed` is called.
   */
  listen({ changed, summed, historyChanged, missed }) {
    let events = null;
    const react = (isSeen) => {
      if (isSeen === (events !== null)) return;
      events?.close();
      events = isSeen ? new EventSource("/events") : null;
      events?.addEventListener("totals", (event) => summed(JSON.parse(event.data)));
      events?.addEventListener("changes", () => summed());
      events?.addEventListener("history", historyChanged);
      events?.addEventListener("change", (event) => changed(JSON.parse(event.data)));
    };
    react(true);
    const seen = () => {
      if (events === null) missed();
      react(true);
    };
    document.addEventListener("visibilitychange", () => (document.visibilityState === "hidden" ? react(false) : seen()));
    globalThis.addEventListener("pagehide", () => react(false));
    globalThis.addEventListener("pageshow", seen);
  }
}

async function get(address, options, allowed) {
  const response = await fetch(address, options);
  if (response.ok || response.status === allowed) return response;
  throw new Error((await response.json().catch(() => null))?.error ?? `the server answers ${response.status}`);
}

/** The answer as JSON; null if the server has none. */
async function ask(address) {
  const response = await get(address, {}, 404);
  return response.status === 404 ? null : response.json();
}

async function eachLine(address, signal, report) {
  const response = await get(address, { signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line !== "") report(JSON.parse(line));
  }
}
