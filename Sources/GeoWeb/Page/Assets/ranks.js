// How well the name of something fits a text that is searched for.

/** 3 if the name, in small letters, is the text, 2 if it begins so, 1 if the text is in it, else 0. */
export function rankOf(name, wanted) {
  const at = name.toLowerCase().indexOf(wanted);
  if (at !== 0) return at < 0 ? 0 : 1;
  return name.toLowerCase() === wanted ? 3 : 2;
}

/** By what results are in order: by their ranks, and of one rank those first whose paths are short. */
export function scoreOf(rank, path) { return rank - Math.min(0.9, path.length / 1000); }
