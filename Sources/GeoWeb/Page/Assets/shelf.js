// Tracks in the browser's storage: list data, and separately the lines.

const HEADS = "heads";
const LINES = "lines";

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const ended = (work) => new Promise((resolve, reject) => {
  work.oncomplete = resolve;
  work.onabort = () => reject(work.error);
});

/** Opens a database; fails if it is missing, unless it `makes` it. */
function open(name, makes) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    if (!makes) {
      request.transaction.abort();
      return;
    }
    request.result.createObjectStore(HEADS, { keyPath: "id" });
    request.result.createObjectStore(LINES);
  };
  return done(request);
}

/** The tracks in the browser's database; in memory if unavailable. */
export class Shelf {
  /** Opens the tracks of a set of roots, by its key. */
  static async open(key) {
    const shelf = new Shelf();
    shelf.memory = new Map();
    try {
      shelf.base = await open(`geomapper.tracks@${key}`, true);
    } catch {
      // Private windows and some pages on disk have none.
      shelf.base = null;
    }
    if (shelf.base && key !== "") await shelf.migrate().catch(() => {});
    return shelf;
  }

  /** Takes over the tracks that were kept for all maps of this address. */
  async migrate() {
    const old = await open("geomapper.tracks", false);
    const heads = await done(old.transaction(HEADS).objectStore(HEADS).getAll());
    for (const head of heads) {
      const lines = await done(old.transaction(LINES).objectStore(LINES).get(head.id));
      const work = this.base.transaction([HEADS, LINES], "readwrite");
      work.objectStore(HEADS).put(head);
      work.objectStore(LINES).put(lines, head.id);
      await ended(work);
    }
    old.close();
    if (heads.length > 0) indexedDB.deleteDatabase("geomapper.tracks");
  }

  get isKept() { return this.base !== null; }

  /** The list data of each track. */
  async heads() {
    const kept = this.base ? await done(this.base.transaction(HEADS).objectStore(HEADS).getAll()) : [];
    return [...kept, ...[...this.memory.values()].map(({ head }) => head)];
  }

  /** The lines, places and samples of a track. */
  async lines(id) {
    return this.memory.get(id)?.lines ?? (this.base ? done(this.base.transaction(LINES).objectStore(LINES).get(id)) : undefined);
  }

  /** Saves a track; without lines, only its list data. False if only in memory. */
  async put(head, lines) {
    const own = this.memory.get(head.id);
    if (own) own.head = head;
    if (own || !this.base) {
      if (!own) this.memory.set(head.id, { head, lines });
      return false;
    }
    try {
      const work = this.base.transaction([HEADS, LINES], "readwrite");
      work.objectStore(HEADS).put(head);
      if (lines) work.objectStore(LINES).put(lines, head.id);
      await ended(work);
      return true;
    } catch {
      // Storage is full: it lasts as long as the page.
      this.memory.set(head.id, { head, lines });
      return false;
    }
  }

  async delete(id) {
    this.memory.delete(id);
    if (!this.base) return;
    const work = this.base.transaction([HEADS, LINES], "readwrite");
    work.objectStore(HEADS).delete(id);
    work.objectStore(LINES).delete(id);
    await ended(work);
  }
}
