// How strongly lands are tinted at the level in view: those of the level fully, little ones and neighbours faintly.
import { hashText } from "./geo.js";
import { tintStrength } from "./rules.js";

/** The strength of tints: of the level's lands, of little ones, of land outside the folder in view and around it. */
const STRENGTHS = { full: 0.6, little: 0.2, beside: 0.28, around: 0, same: 0, within: 0 };
/** The strength of the tint of a land by how it stands out, and by its breadth in pixels. */
export function strengthOf(standing, breadth) { return STRENGTHS[standing] ?? tintStrength(breadth); }

/** Lands with less than this part of the level's sum recede. */
const LITTLE = 1 / 1000;

/** How lands stand out while no level is known: all are the same, and fade as one looks into them. */
export const NO_LEVEL = { key: "", of: () => "unknown" };

/**
 * How lands stand out at a level: `of(path)` is `full`, `little`, `beside`, `around` for a folder around the one in view,
 * or `current` for that one. `key` changes with any of them. `amount` is the amount of a land.
 */
export function prominenceAt({ path, roots, lands, own, complete }, amount) {
  const little = new Set();
  const amounts = lands.map((land) => amount(land) ?? 0);
  const sum = [...amounts, ...own.map((file) => amount(file) ?? 0)].reduce((all, one) => all + one, 0);
  // While figures come, all is little at first.
  if (complete !== false && sum > 0) lands.forEach((land, index) => { if (amounts[index] < sum * LITTLE) little.add(land.path); });
  return {
    key: hashText(JSON.stringify([path, roots, [...little].sort()])),
    of(land) {
      if (land === path) return "current";
      const root = roots.find((one) => land.startsWith(`${one}/`));
      if (root === undefined) return roots.some((one) => one.startsWith(`${land}/`) || one === land) ? "around" : "beside";
      const end = land.indexOf("/", root.length + 1);
      return little.has(end < 0 ? land : land.slice(0, end)) ? "little" : "full";
    },
  };
}
