// Where tiles and answers come from: a server, or what a page brings with it.
import { byId } from "./geo.js";
import { timesOf } from "./lights.js";
import { decodeTile } from "./mvt.js";

export class ServerSource {
  constructor() {
    this.isLive = true;
    this.deepest = 30;
    this.most = 32;
    // The server has put into the page what it begins with.
    const told = byId("begin");
    this.begin = told ? JSON.parse(told.textContent) : null;
    told?.remove();
  }

  async tile(z, x, y, signal) {
    const response = await fetch(`/tiles/${z}/${x}/${y}.mvt`, { signal, cache: "no-cache" });
    if (response.status === 204) return { land: [], files: [], labels: [] };
    if (!response.ok) throw new Error(await reason(response));
    return decodeTile(new Uint8Array(await response.arrayBuffer()));
  }

  async node(path, raw, children) {
    let query = raw ? `rawPath=${raw}` : `path=${encodeURIComponent(path)}`;
    if (children !== undefined) query += `&children=${children}`;
    const response = await fetch(`/node?${query}`);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(await reason(response));
    return response.json();
  }

  /** Calls back with each result, best first as far as it is known; tells how it ended. */
  async search(text, limit, signal, found) {
    let end = { done: true, complete: false };
    await eachLine(`/search?q=${encodeURIComponent(text)}&limit=${limit}`, signal, (result) => {
      if (result.done) end = result;
      else found(result);
    });
    return end;
  }

  /** Looks for files that fit; calls back with what has come to them, and at the end. */
  async matches(wanted, { order, limit, now }, signal, told) {
    const { newer, older } = timesOf(wanted, now);
    const query = { name: wanted.name, type: wanted.type, size: wanted.size, newer, older, sort: order, limit };
    const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    await eachLine(`/matches?${parts.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`, signal, told);
  }

  /** Has what is below folders added up; calls back with how far it is, and at the end. */
  async totals(signal, told) { await eachLine("/totals", signal, told); }

  /** Has what is below a folder read again. */
  async mend(path, raw) {
    await fetch(`/totals?path=${raw ?? encodeURIComponent(path)}`);
  }

  /** A part of the world as a sheet to print: a drawing. */
  async sheet(wanted) {
    const response = await fetch(`/sheet.svg?${new URLSearchParams(wanted)}`);
    if (!response.ok) throw new Error(await reason(response));
    return response.blob();
  }

  /** The path of the deepest folder that is in sight at a place; nothing in the sea. */
  async landAt(lon, lat) {
    const response = await fetch(`/at?lon=${lon}&lat=${lat}&zoom=30`);
    return response.ok ? ((await response.json()).node?.properties.path ?? "") : "";
  }

  /** The roots: `label`, `bbox` and, where it is at hand, `coast`, longitudes and latitudes in turn. */
  async roots() {
    if (this.begin) return this.begin.roots;
    const response = await fetch("/stats");
    if (!response.ok) throw new Error(await reason(response));
    return (await response.json()).roots;
  }

  /**
   * Calls back with every change on disk in what is being looked at, and of what is below folders.
   *
   * Nobody listens for a page that is hidden, for browsers have six connections to a server in all;
   * once it is seen again, ``missed`` is told.
   */
  listen(changed, summed, missed) {
    let events = null;
    const react = (isSeen) => {
      if (isSeen === (events !== null)) return;
      events?.close();
      events = isSeen ? new EventSource("/events") : null;
      events?.addEventListener("totals", (event) => summed(JSON.parse(event.data)));
      events?.addEventListener("changes", () => summed());
      events?.addEventListener("history", () => this.onhistory?.());
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

/** Calls back with each line of an answer, as JSON. */
async function eachLine(address, signal, told) {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(await reason(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line !== "") told(JSON.parse(line));
  }
}

async function reason(response) {
  try {
    return (await response.json()).error;
  } catch {
    return `the server answers ${response.status}`;
  }
}
