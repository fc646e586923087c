// Changes of entries between two states: sizes, words, order, and the panel's section.
import { make, parentOf, showBytes, showCount, showTime } from "./geo.js";
import { orders } from "./lists.js";
import { byBytes } from "./sorted.js";

/** The maximum number of listed changes. */
export const LISTED_CHANGES = 500;

/** The kinds of changes of a file. */
export const kindsOfChange = ["added", "removed", "changed", "moved"];
export const fateSigns = { added: "+", removed: "×", changed: "•", moved: "→", left: "↗" };

export const byPath = (a, b) => byBytes(a.path, b.path);
/** Orders of rows: by folder, and by latest change. */
export const byFolder = (a, b) => byPath({ path: parentOf(a.path) }, { path: parentOf(b.path) }) || byPath(a, b);
export const byChangeTime = (a, b) => (b.modified ?? -Infinity) - (a.modified ?? -Infinity);

/** A number of bytes with sign. */
export function showGrowth(bytes) {
  if (bytes === 0) return "±0";
  return `${bytes > 0 ? "+" : "−"}${showBytes(Math.abs(bytes))}`;
}

/** The number of changed files by kind, in words; `told` has the numbers by kind, after a prefix. */
function countsInWords(told, prefix = "") {
  return kindsOfChange.filter((kind) => told[prefix + kind]).map((kind) => `${told[prefix + kind].toLocaleString("en")} ${kind}`);
}

/** The changes below a land, in a few words; empty if none. */
export function changeNote({ change, bytes, below_bytes: growth, ...land }) {
  if (change === "removed") return "gone";
  if (change === "added") return ["new", bytes === undefined ? "" : showBytes(bytes)].filter(Boolean).join(" · ");
  const counts = countsInWords(land, "below_");
  if (counts.length === 0 && !growth) return "";
  return [growth === undefined ? "" : showGrowth(growth), counts.slice(0, 2).join(", ")].filter(Boolean).join(" · ");
}

/** The change of an entry of a folder, in bytes and in words; nothing if none. */
function fateOf({ kind, change, size, was, below }) {
  if (kind === "poi") {
    if (!change) return null;
    const growth = { added: size, moved: size, removed: -size, left: -size, changed: size - was?.size }[change];
    return { change, growth, words: { moved: "moved here", left: "moved away" }[change] ?? change };
  }
  if (change) return { change, growth: below?.bytes, words: change };
  if (!below) return null;
  return { change: "changed", growth: below.bytes ?? 0, words: countsInWords(below).slice(0, 2).join(", ") || "moved away" };
}

/** Largest changes first, then other changes, then unchanged. */
function byFate(a, b) {
  const weigh = (child) => {
    const fate = fateOf(child);
    return fate ? 1 + Math.abs(fate.growth || 0) : 0;
  };
  return weigh(b) - weigh(a) || orders.size(a, b);
}

// The panel of a node that differs between two states.

/** Two sizes and their difference; `where` names them. */
export function sizesFromTo(before, now, where, growth, said = showGrowth(growth)) {
  return [make("span", { class: "was", title: `${where}the old state` }, before), " → ", make("strong", { title: `${where}the new state` }, now),
    make("span", { class: `growth ${growth < 0 ? "less" : "more"}` }, said)];
}

/** A folder's contents in both states, or a file's old state; `open` goes to a path. */
export function differenceSection({ feature: { properties }, states }, open) {
  const { change, below, was, from, to, size } = properties;
  const lines = [];
  const sides = states ?? (change === "changed" ? [{ bytes: was?.size }, { bytes: size }] : null);
  if (sides?.[0].bytes !== undefined && sides[1].bytes !== undefined) {
    const [before, now] = sides.map(({ bytes }) => showBytes(bytes));
    lines.push(make("p", { class: "sizes" }, ...sizesFromTo(change === "added" ? "—" : before, change === "removed" ? "—" : now, "in ",
      sides[1].bytes - sides[0].bytes)));
  }
  if (states && states[0].files !== states[1].files) {
    lines.push(make("p", { class: "soft" }, `${states[0].files.toLocaleString("en")} → ${showCount(states[1].files, "file", "files")} below`));
  }
  if (below) {
    const words = kindsOfChange.filter((kind) => below[kind]).map((kind) => make("span", { class: `chip ${kind}` }, `${below[kind].toLocaleString("en")} ${kind}`));
    if (words.length > 0) lines.push(make("p", { class: "row" }, ...words));
  }
  if (change) {
    const words = { added: "It is new.", removed: "It is gone: this is where it was.", changed: "It has changed.", moved: "It was elsewhere: ", left: "It is elsewhere now: " };
    const other = from ?? to;
    const raw = properties.rawFrom ?? properties.rawTo;
    lines.push(make("p", { class: `fate ${change}` }, words[change],
      ...(other ? [make("button", { class: "crumb", onclick: () => open(other, true, raw) }, other)] : []),
      ...(change === "changed" && was?.modified !== undefined ? [make("span", { class: "soft" }, ` Before: ${showTime(was.modified)}.`)] : []),
      ...(was?.special ? [make("span", { class: "soft" }, ` It was a ${was.special === "regular" ? "regular file" : was.special}.`)] : [])));
  }
  return lines.length > 0 ? [make("section", { class: "difference" }, ...lines)] : [];
}

/** The list of a folder's entries, each changed one with sign, words and size. */
export const entriesByFate = { orders: { change: byFate }, dress(child, item) {
  const fate = fateOf(child);
  if (!fate) return;
  const { change, growth, words } = fate;
  const size = item.querySelector("button + span");
  item.prepend(make("i", { class: change, "aria-hidden": "true" }, fateSigns[change]));
  size.replaceWith(make("span", { class: "differs", title: size.textContent && `${size.textContent} ${child.kind === "poi" ? "in all" : "below"}` },
    make("span", { class: `fate ${change}` }, words), " ",
    make("strong", { class: `growth ${growth < 0 ? "less" : "more"}` }, Number.isNaN(growth ?? NaN) ? "" : showGrowth(growth))));
} };
