// What is largest: names that tell files apart, and round sizes for the legend.

/**
 * For each file of a list, what tells it apart from others of its name: the deepest folder that only its path has, else
 * all of its folders; empty for a name that is there once.
 */
export function tellApart(files) {
  const foldersOf = ({ path }) => path.split("/").slice(0, -1);
  const named = new Map();
  for (const file of files) named.set(file.name, [...(named.get(file.name) ?? []), file]);
  return files.map((file) => {
    const others = named.get(file.name).filter((other) => other !== file).map((other) => new Set(foldersOf(other)));
    if (others.length === 0) return "";
    const own = foldersOf(file);
    return own.findLast((folder) => others.every((folders) => !folders.has(folder))) ?? own.join("/");
  });
}

/** The largest round amount (1, 2 or 5 and zeros) whose circle has at most a radius in pixels; 0 if none has. */
export function roundWithin(radius, most) {
  for (let power = 17; power >= 0; power -= 1) {
    for (const digit of [5, 2, 1]) if (radius(digit * 10 ** power) <= most) return digit * 10 ** power;
  }
  return 0;
}
