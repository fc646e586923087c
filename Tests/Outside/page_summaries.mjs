// Compares the summaries of one tree from a server, a published site and a page in one file.
//
//     node page_summaries.mjs ADDRESS SITE PAGE PATH...
//
// ADDRESS is that of the server, SITE the folder of the site, PAGE the file; PAGE may be "-". The whole world is
// compared, too. Used and free space are the server's alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "./page_modules.mjs";

const [address, site, file, ...paths] = process.argv.slice(2);

/** The text of a data element of a page. */
function dataOf(page, id) {
  const text = readFileSync(page, "utf8");
  const start = text.indexOf(`id="${id}">`) + id.length + 6;
  return text.slice(start, text.indexOf("</script>", start));
}

const elements = { world: dataOf(join(site, "index.html"), "world") };
if (file !== "-") elements["world-rows"] = dataOf(file, "world-rows");
globalThis.document = { getElementById: (id) => (id in elements ? { textContent: elements[id], remove() {} } : null) };
const plainFetch = globalThis.fetch;
globalThis.fetch = (name) => (String(name).startsWith("http") ? plainFetch(name) : new Response(readFileSync(join(site, name))));

/** The sources that the page's scripts open. */
const sources = [];
for (const name of file === "-" ? ["published"] : ["published", "embedded"]) {
  sources.push([name, await (await scripts(name)).openSource()]);
}

/** Fails at the first member or element that differs. */
function compare(found, wanted, what) {
  const isObject = (value) => typeof value === "object" && value !== null;
  if (!isObject(found) || !isObject(wanted)) assert.strictEqual(found, wanted, `${what}: ${found}, not ${wanted}`);
  else for (const key of new Set([...Object.keys(wanted), ...Object.keys(found)])) compare(found[key], wanted[key], `${what} ${key}`);
}

/** Without the bytes of names, which a page in one file doesn't have. */
const withoutRaw = (answer) => JSON.parse(JSON.stringify(answer, (key, value) => (key.startsWith("raw") ? undefined : value)));
const asJSON = (summary) => JSON.parse(JSON.stringify(summary));
let count = 0;
for (const [name, source] of sources) {
  for (const path of [undefined, ...paths]) {
    const { disk, ...wanted } = await (await fetch(`${address}summary${path ? `?path=${encodeURIComponent(path)}` : ""}`)).json();
    const found = asJSON(await source.summary(path));
    compare(found, name === "embedded" ? withoutRaw(wanted) : wanted, `${name}: ${path ?? "the world"}:`);
    count += 1;
  }
  assert.equal(await source.summary("no such folder"), null);
}
console.log(`${count} summaries of sites and pages are the server's`);
