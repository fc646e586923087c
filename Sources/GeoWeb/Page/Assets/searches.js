// Searches in a tree that the page has: names by rank, and matches of a filter.
import { attempt, encoder, pause } from "./geo.js";
import { fitterOf, matchesGlob, matchOrders, readGlob } from "./matches.js";

/** 3 if the name, in lower case, equals the text, 2 if it starts with it, 1 if it contains it, else 0. */
function rankOf(name, wanted) {
  const at = name.toLowerCase().indexOf(wanted);
  if (at !== 0) return at < 0 ? 0 : 1;
  return name.toLowerCase() === wanted ? 3 : 2;
}

/** A searched text: its `rank` of a name (0 to 3), the lower-case `start` of all matches; a valid glob matches whole names. */
export function wantedName(text) {
  const start = text.toLowerCase();
  // An invalid glob is a part of a name, as on the server.
  const glob = /[*?[]/.test(text) ? attempt(() => readGlob(text)) : null;
  if (!glob) return { rank: (name) => rankOf(name, start), start, isGlob: false };
  return { rank: (name) => (matchesGlob(glob, encoder.encode(name)) ? 3 : 0), start: /^[^*?[\\]*/.exec(start)[0], isGlob: true };
}

function scoreOf(rank, path) { return rank - Math.min(0.9, path.length / 1000); }

/** Returns a function that reports matching names, each path once; its `count` is the number of matches. */
export function offering(wanted, found) {
  const seen = new Set();
  const offer = (name, path, rawPath) => {
    const rank = wanted.rank(name);
    if (rank === 0 || seen.has(rawPath ?? path)) return;
    seen.add(rawPath ?? path);
    offer.count += 1;
    found({ path, rawPath, name, score: scoreOf(rank, path) });
  };
  offer.count = 0;
  return offer;
}

export class Matches {
  constructor(wanted, { order, limit, now }, report) {
    Object.assign(this, { fits: fitterOf(wanted, now), order: matchOrders[order], limit, report });
    this.sums = { files: 0, bytes: 0, lookedAt: 0 };
    this.forget();
  }

  forget() { [this.folders, this.found] = [new Map(), []]; }
  /** Counts files that can't match. */
  skip(count) { this.sums.lookedAt += count; }

  add(folder, files) {
    this.sums.lookedAt += files.length;
    for (const file of files) {
      if (!this.fits(file)) continue;
      const { name, size, modified, special } = file;
      const sums = this.folders.get(folder) ?? [folder, 0, 0];
      this.folders.set(folder, [folder, sums[1] + 1, sums[2] + (size ?? 0)]);
      this.sums.files += 1;
      this.sums.bytes += size ?? 0;
      this.found.push({ path: `${folder}/${name}`, name, size, modified, special });
    }
  }

  async addAll(folders, signal) {
    let since = performance.now();
    for await (const { path, files } of folders) {
      this.add(path, files);
      if (performance.now() - since < 40) continue;
      this.flush(false);
      await pause();
      if (signal.aborted) return;
      since = performance.now();
    }
    this.flush(true);
  }

  flush(isDone) {
    this.found.sort(this.order);
    this.report({ ...this.sums, folders: [...this.folders.values()], found: this.found.slice(0, this.limit), done: isDone, complete: isDone });
    this.forget();
  }
}
