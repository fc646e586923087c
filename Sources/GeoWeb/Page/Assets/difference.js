// What the panel says of a node that differs between two states, and of what is in it.
import { byFate, fateOf, fateSigns, kindsOfChange, showGrowth } from "./fates.js";
import { make, showBytes, showCount, showTime } from "./geo.js";

/** From one size to another, and by how much that is more or less; `where` tells what they are the sizes of. */
export function sizesFromTo(before, now, where, growth, said = showGrowth(growth)) {
  return [make("span", { class: "was", title: `${where}the old state` }, before), " → ", make("strong", { title: `${where}the new state` }, now),
    make("span", { class: `growth ${growth < 0 ? "less" : "more"}` }, said)];
}

/** What a folder has in both states, and what a file was; `open` goes to a path. */
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
      ...(other ? [make("button", { type: "button", class: "crumb", onclick: () => open(other, true, raw) }, other)] : []),
      ...(change === "changed" && was?.modified !== undefined ? [make("span", { class: "soft" }, ` Before: ${showTime(was.modified)}.`)] : []),
      ...(was?.special ? [make("span", { class: "soft" }, ` It was a ${was.special === "regular" ? "regular file" : was.special}.`)] : [])));
  }
  return lines.length > 0 ? [make("section", { class: "difference" }, ...lines)] : [];
}

/** How the panel lists what is in a folder: each entry that differs with a sign, with words and with by how much. */
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
