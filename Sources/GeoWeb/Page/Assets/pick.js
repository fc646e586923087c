// What a click selects: the name or sign under the pointer, else a land that can be seen there.

/** The least breadth in pixels of a land that a first click selects. */
const LEAST_SEEN = 60;

/** Whether a pixel is on the letters of a name or between them. */
export function isOnName(boxes, px, py) {
  const spans = (a, b, at, side) => at >= Math.min(a[side], b[side]) && at <= Math.max(a[side + 2], b[side + 2]);
  const covers = (box, i) => spans(boxes[Math.max(0, i - 1)], box, px, 0) && spans(boxes[Math.max(0, i - 1)], box, py, 1);
  return boxes.some(covers);
}

/** The deepest land of a chain that can be seen, else the outermost; null for an empty chain. */
export function landSeen(chain) { return chain.findLast(({ breadth }) => breadth >= LEAST_SEEN) ?? chain[0] ?? null; }

/**
 * The land that a click selects; `chain` has the lands at its place from the outside in, with breadths in pixels.
 *
 * A click at the place of the last one goes one land deeper than `last`, the path that was selected.
 */
export function landPicked(chain, last = null) {
  const at = chain.findIndex(({ path }) => path === last);
  return at < 0 ? landSeen(chain) : chain[Math.min(at + 1, chain.length - 1)];
}

/** How far from its sign a file is selected: less if it is only a dot. */
export function reachOf(size, slack) { return size + (size < 2 ? Math.min(slack, 2) : slack); }
