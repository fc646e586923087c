// What the source answers, as it was at the moment of a time line.
import { make, nameOf } from "./geo.js";
import { fileType } from "./palette.js";
import { ADDED, GONE, NOT_YET, REMAINED, REMOVED, THERE } from "./timeline.js";
import { clockOf, showMoment } from "./timescale.js";

/**
 * A node with what was known of it at the moment: sizes, what is in it and below it. What is gone is as it was
 * last; of what is not there yet nothing is known.
 */
export function nodeAt(told, { timeline, state, span }) {
  const { properties } = told.feature;
  const isFolder = properties.kind !== "poi";
  const number = timeline.node(properties.path, isFolder);
  if (number === undefined) return told;
  const presence = timeline.presence(number, state);
  const version = timeline.version(number, state);
  const moment = { number, presence, version };
  const isGone = presence !== THERE;
  const at = (more) => ({ ...told.feature, properties: { ...properties, ...more } });
  if (!isFolder) {
    const known = version < 0 ? { size: undefined, modified: undefined } : fileAt(timeline, number, version, properties);
    return { ...told, feature: at(known), moment, isGone };
  }
  // A folder that is gone is shown as it was before.
  const then = presence === GONE ? timeline.states[timeline.lastChange(number, state)] - 1 : state;
  const known = new Map((told.children?.shown ?? []).map((child) => [`${child.name}${child.kind === "poi" ? "" : "/"}`, child]));
  const shown = [];
  // Where two moments are compared, what is in one of them is listed.
  for (const node of timeline.nodesIn(number, then, ...(span?.comparison ? [span.comparison.before, span.comparison.after] : []))) {
    const name = nameOf(timeline.paths[node]);
    if (timeline.isFolder[node]) {
      const { files, bytes, newest } = timeline.sumsOf(node, then);
      shown.push({ kind: "district", ...known.get(`${name}/`), name, files, bytes, newest });
    } else {
      const { size, modified } = fileAt(timeline, node, timeline.version(node, then), {});
      shown.push({ kind: "poi", type: fileType(name), ...known.get(name), name, size, newest: modified });
    }
  }
  const folders = shown.filter(({ kind }) => kind !== "poi").length;
  const children = { total: shown.length, folders, files: shown.length - folders, shown };
  return { ...told, feature: at({ size: shown.length, modified: undefined }), moment, isGone, children, isLive: false,
    totals: presence === NOT_YET ? undefined : timeline.sumsOf(number, then) };
}

/** The size and time of a version of a file; of the last one the source knows the time itself. */
function fileAt(timeline, node, version, { modified }) {
  const size = timeline.sizes[version];
  const isLast = timeline.version(node, timeline.stateCount) === version;
  return { size: Number.isNaN(size) ? undefined : size, modified: (isLast ? modified : undefined) ?? timeline.times[timeline.states[version]] };
}

/** A thing of the map, with its size and what is below it at the moment. */
export function thingAt(thing, { timeline, state }) {
  const number = timeline.node(thing.path, thing.kind !== "poi");
  if (number === undefined) return thing;
  const { files, bytes } = timeline.sumsOf(number, state);
  const isThere = timeline.presence(number, state) === THERE;
  return { ...thing, size: isThere ? bytes : undefined, bytes: isThere ? bytes : undefined, files };
}

/** What the panel says of the moment: whether the node is there, since which state it is so, and when it is another. */
export function momentSection({ moment }, { timeline, layer, wordsOf, go }) {
  if (!moment) return [];
  const { number, presence, version } = moment;
  const { state } = layer;
  const next = timeline.changesAfter(number, state);
  const [first, end] = [timeline.nodeFirsts[number], timeline.nodeFirsts[number + 1]];
  const when = (change) => showMoment(timeline.times[timeline.states[change]], clockOf(timeline));
  const leap = (word, change, title) => make("button", { type: "button", class: "crumb", title,
    onclick: () => go(timeline.times[timeline.states[change]], timeline.states[change]) }, word);
  const to = (place) => timeline.nodeChanges[place];
  const lines = [];
  if (presence === NOT_YET) {
    lines.push(make("p", { class: "fate" }, "Not there yet", ...(next < end ? [": it comes ", leap(when(to(next)), to(next), wordsOf(timeline.states[to(next)]))] : [])));
  } else if (presence === GONE) {
    const change = to(next - 1);
    lines.push(make("p", { class: "fate removed" }, "Gone since ", leap(when(change), change, wordsOf(timeline.states[change])), ": this is how it was before."));
  } else {
    const words = { [ADDED]: "As it came", [REMAINED]: "There by" };
    const word = timeline.isFolder[number] && timeline.kinds[version] !== REMAINED ? "There since" : words[timeline.kinds[version]] ?? "As changed";
    lines.push(make("p", { class: "fate" }, `${word} `, leap(when(version), version), make("span", { class: "soft" }, ` ${wordsOf(timeline.states[version])}`)));
  }
  const steps = [next - first > 1 && leap("‹ change before", to(next - 2)), next < end && next > first && leap(timeline.kinds[to(next)] === REMOVED ? "how it goes ›" : "next change ›", to(next))];
  if (steps.some(Boolean)) lines.push(make("p", { class: "row" }, ...steps.filter(Boolean)));
  return [make("section", { class: "moment" }, ...lines)];
}
