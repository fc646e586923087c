// Where tiles and answers come from.
import { layers } from "./layers.js";

/** How far beyond its edges a tile shows features, in grid units. */
export const BUFFER = 64;

/** An empty tile. */
export const emptyTile = () => ({ land: [], cells: [], towns: [], files: [], labels: [] });

/** Whether a place is in a tile, with a margin. */
export const isInTile = (x, y, edge) => x >= -edge && y >= -edge && x < 4096 + edge && y < 4096 + edge;

/**
 * The source of a page: a server (server.js), or what the page reads itself (static.js): a published site (published.js)
 * or rows in the page (embedded.js). start.js or its replacement opens it.
 *
 * The page calls `tile`, `node`, `summary`, `search` and `matches`, and its layers see question and answer; a source
 * implements `askTile`, `askNode`, `askSummary`, `askSearch` and `askMatches`, and `roots()`: `label`, `bbox` and, if available, `coast`,
 * longitudes and latitudes in turn. Optionally it has `history()`, null if unchanged, or `changes(wanted)`, the
 * differences of two states. Only servers have `listen`, `totals`, `readAgain`, `sheet`, `landAt`, `samples`,
 * `kept`, `recording`; only sites `lookAhead`.
 */
export class Source {
  /** Whether it reports changes on disk. */
  isLive = false;
  /** The deepest zoom of tiles, and that of the camera. */
  deepest = 30;
  most = 32;

  /** The contents of a tile, as lists of features. */
  tile(...address) { return layers.ask("tile", (...asked) => this.askTile(...asked), address); }

  /** The node of a path, or of its bytes percent-encoded if not UTF-8, with so many children; null if missing. */
  node(...question) { return layers.ask("node", (...asked) => this.askNode(...asked), question); }

  /**
   * The sums of a folder, its lands and own files by size, and the largest files in it; without a path, of the whole
   * world; null if missing.
   */
  summary(...question) { return layers.ask("summary", (...asked) => this.askSummary(...asked), question); }

  /**
   * `search(text, limit, signal, found)` calls `found` with each result, best first if possible; returns how it ended.
   */
  search(...question) { return layers.ask("search", (...asked) => this.askSearch(...asked), question); }

  /**
   * `matches(wanted, { order, limit, now }, signal, report)` searches matching files; reports new matches, and the end.
   */
  matches(...question) { return layers.ask("matches", (...asked) => this.askMatches(...asked), question); }
}
