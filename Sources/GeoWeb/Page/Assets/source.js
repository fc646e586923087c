// Where tiles and answers come from.
import { layers } from "./layers.js";

/** How far beyond a tile's edges what it shows reaches, in units of its grid. */
export const BUFFER = 64;

/** A tile that shows nothing. */
export const emptyTile = () => ({ land: [], cells: [], towns: [], files: [], labels: [] });

/** Whether a tile shows a place, so far beyond its edges. */
export const isInTile = (x, y, edge) => x >= -edge && y >= -edge && x < 4096 + edge && y < 4096 + edge;

/** The node of a file, with what is known of it. */
export function fileNode({ id, lon, lat, ...properties }, ancestors) {
  return { feature: { type: "Feature", id, geometry: { type: "Point", coordinates: [lon, lat] }, properties },
    bbox: [lon, lat, lon, lat], ancestors };
}

/**
 * The source of a page: a server (server.js), a published site (published.js), or what the page brings with it (embedded.js). The script in the place of start.js opens it.
 *
 * The page asks `tile`, `node`, `search` and `matches`, and its layers see question and answer; a source answers in `askTile`, `askNode`,
 * `askSearch` and `askMatches`, and in `roots()`: `label`, `bbox` and, where it is at hand, `coast`, longitudes and latitudes in turn.
 * Where there is one it also gives a `history()`, null if it is that of before, or what differs between two states, `changes(wanted)`.
 * What only servers do: `listen`, `totals`, `readAgain`, `sheet`, `landAt`, `samples`, `recording`; sites `lookAhead`.
 */
export class Source {
  /** Whether it reports changes on the disk. */
  isLive = false;
  /** The deepest zoom of tiles, and that of the camera. */
  deepest = 30;
  most = 32;

  /** What a tile shows, as lists of features. */
  tile(...address) { return layers.ask("tile", (...asked) => this.askTile(...asked), address); }

  /** The node of a path, or of its bytes percent-encoded where it is no text, with so many of its children; null if there is none. */
  node(...question) { return layers.ask("node", (...asked) => this.askNode(...asked), question); }

  /** `search(text, limit, signal, found)` calls `found` with each result, best first as far as it is known; returns how it ended. */
  search(...question) { return layers.ask("search", (...asked) => this.askSearch(...asked), question); }

  /** `matches(wanted, { order, limit, now }, signal, report)` looks for files that fit; reports what it found since the last report, and the end. */
  matches(...question) { return layers.ask("matches", (...asked) => this.askMatches(...asked), question); }
}
