// Where tiles and answers come from: a server, or what a page brings with it.
import { decodeTile } from "./mvt.js";

export class ServerSource {
  constructor() {
    this.isLive = true;
    this.deepest = 30;
    this.most = 32;
  }

  async tile(z, x, y, signal) {
    const response = await fetch(`/tiles/${z}/${x}/${y}.mvt`, { signal, cache: "no-cache" });
    if (response.status === 204) return { land: [], files: [], labels: [] };
    if (!response.ok) throw new Error(await reason(response));
    return decodeTile(new Uint8Array(await response.arrayBuffer()));
  }

  async node(path, raw) {
    const query = raw ? `rawPath=${raw}` : `path=${encodeURIComponent(path)}`;
    const response = await fetch(`/node?${query}`);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(await reason(response));
    return response.json();
  }

  /** Calls back with each result, best first as far as it is known; tells how it ended. */
  async search(text, limit, signal, found) {
    const response = await fetch(`/search?q=${encodeURIComponent(text)}&limit=${limit}`, { signal });
    if (!response.ok) throw new Error(await reason(response));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let end = { done: true, complete: false };
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return end;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        if (line === "") continue;
        const result = JSON.parse(line);
        if (result.done) end = result;
        else found(result);
      }
    }
  }

  async roots() {
    const response = await fetch("/stats");
    if (!response.ok) throw new Error(await reason(response));
    return (await response.json()).roots;
  }

  /** Calls back with every change on disk in what is being looked at. */
  listen(changed) {
    const events = new EventSource("/events");
    events.addEventListener("change", (event) => changed(JSON.parse(event.data)));
    return events;
  }
}

async function reason(response) {
  try {
    return (await response.json()).error;
  } catch {
    return `the server answers ${response.status}`;
  }
}
