// How well the name of something fits a text that is searched for.
import { matchesGlob, readGlob } from "./lights.js";

const nameEncoder = new TextEncoder();

/** 3 if the name, in small letters, is the text, 2 if it begins so, 1 if the text is in it, else 0. */
function rankOf(name, wanted) {
  const at = name.toLowerCase().indexOf(wanted);
  if (at !== 0) return at < 0 ? 0 : 1;
  return name.toLowerCase() === wanted ? 3 : 2;
}

/**
 * A text that is searched for: how well a name fits it (`rank`, 0 to 3), in small letters what all names that fit begin with
 * (`start`), and whether it is a glob (`isGlob`): with `*`, `?` or `[` it is one of whole names, unless it is no proper one.
 */
export function wantedName(text) {
  const start = text.toLowerCase();
  if (/[*?[]/.test(text)) {
    try {
      const glob = readGlob(text);
      return { rank: (name) => (matchesGlob(glob, nameEncoder.encode(name)) ? 3 : 0), start: /^[^*?[\\]*/.exec(start)[0], isGlob: true };
    } catch {
      // As the server does, it is taken for a part of a name.
    }
  }
  return { rank: (name) => rankOf(name, start), start, isGlob: false };
}

/** By what results are in order: by their ranks, and of one rank those first whose paths are short. */
export function scoreOf(rank, path) { return rank - Math.min(0.9, path.length / 1000); }
