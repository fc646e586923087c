// What is largest: names that distinguish files, and the heaviest branch.

/**
 * For each file of a list, what distinguishes it from others of its name: the deepest folder that only its path has, else
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

/**
 * The largest child of a summary by `amount`: the land or file, its `share` of `whole`, and whether it is a file;
 * null if nothing has bytes.
 */
export function heaviest({ lands, own }, amount, whole) {
  const [land, file] = [lands[0], own[0]];
  const [landAmount, fileAmount] = [land, file].map((thing) => (thing && amount(thing)) ?? 0);
  const most = Math.max(landAmount, fileAmount);
  if (most === 0) return null;
  const isFile = fileAmount > landAmount;
  return { thing: isFile ? file : land, isFile, amount: most, share: whole > 0 ? most / whole : undefined };
}
