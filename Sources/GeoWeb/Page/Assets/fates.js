// What has become of entries between two states: which of them differ, by how much, in words and in which order.
import { orders } from "./children.js";
import { clamp, parentOf, showBytes } from "./geo.js";
import { byBytes } from "./sorted.js";

/** How many changes are listed at most. */
export const LISTED_CHANGES = 500;

/** What can have become of a file. */
export const kindsOfChange = ["added", "removed", "changed", "moved"];
export const fateSigns = { added: "+", removed: "×", changed: "•", moved: "→", left: "↗" };

export const byPath = (a, b) => byBytes(a.path, b.path);
/** Rows of the list by the folders that they are in, and what was changed last first. */
export const byFolder = (a, b) => byPath({ path: parentOf(a.path) }, { path: parentOf(b.path) }) || byPath(a, b);
export const byChangeTime = (a, b) => (b.modified ?? -Infinity) - (a.modified ?? -Infinity);

/** A number of bytes with its sign. */
export function showGrowth(bytes) {
  if (bytes === 0) return "±0";
  return `${bytes > 0 ? "+" : "−"}${showBytes(Math.abs(bytes))}`;
}

/** How large a change is beside the larger of two states, from 0 to 1. */
export function shareOf(now, growth) {
  const larger = Math.max(now, now - growth);
  return larger > 0 ? clamp(Math.abs(growth) / larger, 0, 1) : 1;
}

/** How many files differ, kind by kind, in words; `told` has their numbers by the names of the kinds, behind a prefix. */
function countsInWords(told, prefix = "") {
  return kindsOfChange.filter((kind) => told[prefix + kind]).map((kind) => `${told[prefix + kind].toLocaleString("en")} ${kind}`);
}

/** What differs below a land, in a few words; nothing if nothing does. */
export function changeNote({ change, bytes, below_bytes: growth, ...land }) {
  if (change === "removed") return "gone";
  if (change === "added") return ["new", bytes === undefined ? "" : showBytes(bytes)].filter(Boolean).join(" · ");
  const counts = countsInWords(land, "below_");
  if (counts.length === 0 && !growth) return "";
  return [growth === undefined ? "" : showGrowth(growth), counts.slice(0, 2).join(", ")].filter(Boolean).join(" · ");
}

/** How an entry of a folder differs: by how many bytes, and in words; nothing if it doesn't. */
export function fateOf({ kind, change, size, was, below }) {
  if (kind === "poi") {
    if (!change) return null;
    const growth = { added: size, moved: size, removed: -size, left: -size, changed: size - was?.size }[change];
    return { change, growth, words: { moved: "moved here", left: "moved away" }[change] ?? change };
  }
  if (change) return { change, growth: below?.bytes, words: change };
  if (!below) return null;
  return { change: "changed", growth: below.bytes ?? 0, words: countsInWords(below).slice(0, 2).join(", ") || "moved away" };
}

/** What differs by most bytes first, then the rest of what differs, then what doesn't. */
export function byFate(a, b) {
  const weigh = (child) => {
    const fate = fateOf(child);
    return fate ? 1 + Math.abs(fate.growth || 0) : 0;
  };
  return weigh(b) - weigh(a) || orders.size(a, b);
}
