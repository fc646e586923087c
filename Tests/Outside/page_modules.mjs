// Loads scripts of the page into node.
//
// The scripts are modules that a browser loads as they are. For node, copies of them get a package.json that says so,
// and the table of file types, which the program puts into the page.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const sources = join(dirname(fileURLToPath(import.meta.url)), "../../Sources");

/** The endings of names by type of file. */
function endingsOfTypes() {
  const source = readFileSync(join(sources, "GeoTree/Sums/FileType.swift"), "utf8").replaceAll(/\\\n\s*/g, "");
  const words = Object.fromEntries([...source.matchAll(/case \.(\w+): "([^"]+)"/g)].map(([, type, word]) => [type, word]));
  return Object.fromEntries([...source.matchAll(/\(\s*\.(\w+),\s*"+([^"]+)"+/g)].map(([, type, list]) => [words[type], list.trim()]));
}

/** What scripts export, all in one object. */
export async function scripts(...names) {
  const folder = mkdtempSync(join(tmpdir(), "geomapper-scripts-"));
  try {
    cpSync(join(sources, "GeoWeb/Page/Assets"), folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "filetypes.js"), `export const endings = ${JSON.stringify(endingsOfTypes())};`);
    // What scripts ask for while they are loaded.
    globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
    const modules = [];
    for (const name of names) modules.push(await import(pathToFileURL(join(folder, `${name}.js`))));
    return Object.assign({}, ...modules);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
