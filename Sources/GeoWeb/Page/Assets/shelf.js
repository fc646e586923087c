// Tracks in the browser's storage: list data, and separately the lines.

const HEADS = "heads";
const LINES = "lines";

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The tracks in the browser's database; in memory if unavailable. */
export class Shelf {
  static async open() {
    const shelf = new Shelf();
    shelf.memory = new Map();
    try {
      const request = indexedDB.open("geomapper.tracks", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(HEADS, { keyPath: "id" });
        request.result.createObjectStore(LINES);
      };
      shelf.base = await done(request);
    } catch {
      // Private windows and some pages on disk have none.
      shelf.base = null;
    }
    return shelf;
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
      await new Promise((resolve, reject) => {
        work.oncomplete = resolve;
        work.onabort = () => reject(work.error);
      });
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
    await new Promise((resolve, reject) => {
      work.oncomplete = resolve;
      work.onabort = () => reject(work.error);
    });
  }
}
