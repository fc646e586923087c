// Tests what is arithmetic in the page's scripts, without a browser.
//
//     node page_scripts.mjs [--cases N]
//
// Runs the cases that Swift tests share (rules.json, tracks.json, moves.json, changes.json, the golden tiles), then properties of
// places, moves, the time scale, time lines, tiles, GPX and JSON with N random cases each (200). A failure names its
// seed. The names in all scripts are checked first (page_names.mjs). With GEOMAPPER_RECORD_RULES set, the results
// are written there instead.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { changeActs, moveActs, round, ruleActs, trackActs } from "./page_cases.mjs";
import { scripts } from "./page_modules.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--cases");
const CASES = at > 0 ? Number(process.argv[at + 1]) : 200;

/** Random numbers that are the same for the same seed (SplitMix32). */
class Random {
  constructor(seed) { this.state = seed >>> 0; }

  next() {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  }

  number(low, high) { return low + Math.floor(this.next() * (high - low + 1)); }
  between(low, high) { return low + this.next() * (high - low); }
  chance(part) { return this.next() < part; }
  pick(all) { return all[this.number(0, all.length - 1)]; }
  list(least, most, make) { return Array.from({ length: this.number(least, most) }, make); }
}

try {
  execFileSync(process.execPath, ["--expose-internals", join(here, "page_names.mjs")], { stdio: "inherit" });
} catch {
  process.exit(1);
}
// All that scripts export whose exports are tested.
const page = await scripts("address", "branch", "camera", "changelabels", "changelayer", "changesymbols", "charts", "comparison", "deletion", "favourites",
  "classes", "film", "filmsheet", "filterview", "follow", "geo", "gpx", "ground", "input", "lettering", "matches", "mercator", "momentsums", "overview",
  "palette", "people", "placing", "pmtiles", "polylines", "prominence", "published", "rules", "scale", "schedule", "searches", "source", "static", "summary", "taken",
  "timelights", "timeline", "timenames", "timescale", "timetiles", "trackjson");
const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a}, not ${b}`);
const read = (path) => readFileSync(join(here, path));

// MARK: Cases that Swift tests share

function checkCases(name, acts) {
  const path = join(here, name);
  const cases = JSON.parse(readFileSync(path, "utf8"));
  if (process.env.GEOMAPPER_RECORD_RULES) {
    for (const one of cases) one.output = acts[one.rule](one.input);
    writeFileSync(path, `[\n${cases.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);
  }
  for (const { rule, input, output } of cases) {
    const found = round(acts[rule](input));
    assert.ok(agree(found, output), `${rule} of ${JSON.stringify(input)}: ${JSON.stringify(found)}, not ${JSON.stringify(output)}`);
  }
  return cases.length;
}

/** Whether two values are one, to within what an engine's own functions leave open. */
function agree(one, other) {
  if (typeof one === "number" && typeof other === "number") return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return one === other;
  // JSON leaves out a member that is undefined.
  const keys = (value) => Object.keys(value).filter((key) => value[key] !== undefined);
  return keys(one).length === keys(other).length && keys(one).every((key) => agree(one[key] ?? null, other[key] ?? null));
}

/** The golden tile is what its GeoJSON says, to within a unit of its grid. */
function checkTile() {
  const tile = page.decodeTile(read("../GeoAtlasTests/Vector/Golden/sample.mvt"));
  const { features } = JSON.parse(read("../GeoAtlasTests/Vector/Golden/sample.geojson"));
  const place = { z: 2, x: 1, y: 2 };
  const unit = 2 ** -2 / 4096;
  const things = [...tile.land, ...tile.files];
  assert.equal(things.length, new Set(things.map(({ id }) => id)).size);
  assert.ok(features.length >= things.length && tile.land.length > 2 && tile.files.length > 0);
  for (const thing of things) {
    const { properties, geometry } = features.find(({ id }) => id === thing.id);
    const { path, name, kind, minzoom, depth } = properties;
    assert.equal(thing.path, path);
    assert.equal(thing.name, name);
    assert.equal(thing.minzoom, minzoom);
    if (thing.depth !== undefined) assert.equal(thing.depth, depth);
    if (kind === "poi") {
      const { x, y } = page.project(...geometry.coordinates);
      const [wx, wy] = page.worldPlace(place, thing.x, thing.y);
      near(wx, x, unit, path);
      near(wy, y, unit, path);
      continue;
    }
    // The ring may be a coarser one in the tile: all of its corners are near the other's box.
    const corners = geometry.coordinates[0].map(([lon, lat]) => page.project(lon, lat));
    const [west, east] = [Math.min(...corners.map(({ x }) => x)), Math.max(...corners.map(({ x }) => x))];
    for (let i = 0; i < thing.rings[0].length; i += 2) {
      const [x] = page.worldPlace(place, thing.rings[0][i], thing.rings[0][i + 1]);
      assert.ok(x >= west - unit && x <= east + unit, `${path} reaches ${x}, beyond ${west} to ${east}`);
    }
  }
  assert.deepEqual(page.decodeTile(read("../GeoAtlasTests/Vector/Golden/nothing.mvt")).land, []);
}

/** A search for each glob of rules.json has the names that it matches, and no others, and what they begin with. */
function checkWantedNames() {
  let globs = 0;
  for (const { rule, input, output } of JSON.parse(readFileSync(join(here, "rules.json"), "utf8"))) {
    if (rule !== "glob") continue;
    const [text, name] = input;
    const wanted = page.wantedName(text);
    const isMeant = /[*?[]/.test(text) && output !== null;
    assert.equal(wanted.isGlob, isMeant, text);
    if (!isMeant) continue;
    globs += 1;
    assert.equal(wanted.rank(name) > 0, output, `${text} of ${name}`);
    if (output) assert.ok(name.toLowerCase().startsWith(wanted.start), `${name} begins with ${wanted.start}`);
  }
  assert.ok(globs > 10);
}

/** Percentages have at most three digits, and names that are there twice are told apart. */
function checkRanking() {
  const shares = [[0, "0 %"], [1.92e-9, "< 0.01 %"], [0.00012, "0.01 %"], [0.0123, "1.2 %"], [0.2, "20 %"], [0.7849, "78 %"], [0.9951, "99.5 %"], [0.99999, "> 99.9 %"], [1, "100 %"], [1.2, "100 %"]];
  for (const [part, text] of shares) assert.equal(page.showShare(part), text, String(part));
  const folders = [["usr/lib/jvm/modules", "usr", "lib / jvm"], ["usr/lib/jvm/modules", undefined, "usr / lib / jvm"], ["usr/one", "usr", "usr"], ["one", undefined, ""],
    [`usr/${"deep/".repeat(9)}last/one`, "usr", "deep / … / deep / deep / deep / last"], [`usr/${"long".repeat(12)}/in/${"name".repeat(9)}/one`, "usr", `${"long".repeat(12)} / … / ${"name".repeat(9)}`]];
  for (const [path, folder, words] of folders) assert.equal(page.foldersWithin(path, folder), words, path);
}

/** Names of others are no members of the page's objects, and a link that was cut off is read as far as it goes. */
function checkForeignNames() {
  const names = ["constructor", "__proto__", "toString"];
  const events = names.map((path, i) => JSON.stringify({ type: "sample", relativeTime: i, data: { path, bytes: i } }));
  const text = `{"metadata":{"recordedAt":"2026-01-05T14:30:00.000Z"},"events":[\n${events.join(",\n")}\n]}`;
  const { samples, fault } = page.readJSONText(text, new page.PolylineMaker()).recording;
  assert.deepEqual([fault, [...samples].map(([path, { bytes }]) => [path, bytes])], [null, names.map((path, i) => [path, [i]])]);
  const { fit, path } = page.readAddress("#1/2/3&path=a%C3%&fit=name:%2");
  assert.deepEqual([fit, path, page.decoded("%3"), page.decoded("a%20b")], [null, null, null, "a b"]);
}

/** The largest child by amount is a land or a file. */
function checkHeaviest() {
  const amount = ({ bytes }) => bytes;
  const [lib, core] = [{ name: "lib", bytes: 60 }, { name: "core", bytes: 70 }];
  assert.equal(page.heaviest({ lands: [], own: [] }, amount, 0), null);
  assert.equal(page.heaviest({ lands: [{ name: "empty", bytes: 0 }], own: [{ name: "unknown" }] }, amount, undefined), null);
  assert.deepEqual(page.heaviest({ lands: [lib], own: [] }, amount, 100), { thing: lib, isFile: false, amount: 60, share: 0.6 });
  assert.deepEqual(page.heaviest({ lands: [lib], own: [core] }, amount, undefined), { thing: core, isFile: true, amount: 70, share: undefined });
}

/** Marked paths are words of a shell, with these bytes and no others, and count once. */
function checkShellPaths() {
  const words = [
    ["usr/bin/bash", "usr/bin/bash"], ["a b", "'a b'"], ["it's", "'it'\\''s'"], ["$(reboot)", "'$(reboot)'"], ["`x`", "'`x`'"], ["-rf", "./-rf"], ["-r f", "'./-r f'"],
    ["a\nb", "$'a\\nb'"], ["it's\t\\", "$'it\\'s\\t\\\\'"], ["", "''"], ["~", "'~'"], ["é", "'é'"], ["a\u202eb", "$'a\\xe2\\x80\\xaeb'"], ["=ls", "'=ls'"], ["*?", "'*?'"],
    ["-\n", "$'./-\\n'"], ["\u00a0", "$'\\xc2\\xa0'"], ["\ufeff", "$'\\xef\\xbb\\xbf'"],
  ];
  for (const [path, word] of words) assert.equal(page.shellWord(page.bytesOf(path)), word, JSON.stringify(path));
  const raw = page.bytesOf("r/\ufffda", "r/%FFa%F0%9F%98%80");
  assert.deepEqual([...raw], [0x72, 0x2f, 0xff, 0x61, 0xf0, 0x9f, 0x98, 0x80]);
  assert.equal(page.shellWord(raw), "$'r/\\xffa😀'");
  const text = (bytes) => new TextDecoder().decode(bytes);
  const onDisk = (folder, path, root) => text(page.joinedPath(folder, page.bytesOf(path), root));
  assert.deepEqual([["/srv/usr", "usr/-rf", "usr"], ["/", "world/etc", "world"], ["/home/é/", "é/x", "é"], ["/", "world", "world"]].map((one) => onDisk(...one)), ["/srv/usr/-rf", "/etc", "/home/é/x", "/"]);
  assert.equal(text(page.zeroEnded([page.bytesOf("a\nb"), raw.subarray(0, 1)])), "a\nb\0r\0");
  assert.equal(page.zeroEnded([]).length, 0);
  const entries = [{ path: "r/a", bytes: 100 }, { path: "r/a/b", bytes: 60 }, { path: "r/ab", bytes: 7 }, { path: "r/\ufffd", rawPath: "r/%FF", bytes: 1 }, { path: "r/\ufffd/x", rawPath: "r/%FF/x", bytes: 1 }];
  assert.deepEqual(page.outermost(entries).map(({ path }) => path), ["r/a", "r/ab", "r/\ufffd"]);
  assert.deepEqual(page.sumOf(entries, ({ bytes }) => bytes), { sum: 108, isPart: false });
  assert.deepEqual(page.sumOf([{ path: "r" }, { path: "s", bytes: 2 }], ({ bytes }) => bytes), { sum: 2, isPart: true });
  assert.deepEqual(page.sumOf([], ({ bytes }) => bytes), { sum: 0, isPart: false });
}

/** A shell reads the words of random paths as these bytes. */
function checkShell() {
  const random = new Random(11);
  const paths = Array.from({ length: 20 + CASES }, (_, index) => {
    if (index < 255) return Uint8Array.of(0x61, index + 1);
    return Uint8Array.from(random.list(1, 12, () => random.pick([random.number(1, 255), 0x27, 0x5c, 0x2d, 0x24, 0x28, 0x0a, 0x20, 0x2a, 0xc3, 0xa9])));
  });
  paths.push(page.bytesOf("-rf"), page.bytesOf("it's $(touch /tmp/x)\n`id` \"q\" -- !! \\"), new Uint8Array());
  const said = execFileSync("bash", ["-c", `printf '%s\\0' ${page.shellLines(paths).replaceAll("\n", " ")}`], { encoding: "buffer", env: { ...process.env, LC_ALL: "C" } });
  const dash = 0x2d;
  const wanted = page.zeroEnded(paths.map((bytes) => (bytes[0] === dash ? Uint8Array.of(0x2e, 0x2f, ...bytes) : bytes)));
  assert.deepEqual([...said], [...wanted]);
  return paths.length;
}

/** The search of a site finds by names' beginnings, by globs, and by what is in names. */
async function checkSearchOfSite() {
  const [twice, once] = [["app.log", "App.LOG.1", "log"], ["login", "x.log"]];
  const files = {
    s0: [["[x", "r"], ...twice.map((name) => [name, "r", "r/two"])].map((line) => JSON.stringify(line)),
    s1: once.map((name) => JSON.stringify([name, "r"])),
    n0: [JSON.stringify({ path: "r", files: ["[x", ...twice, ...once], sizes: [1, 20, null, 300, 4000, 0], times: [5, 6, 7, 8, null, 9], special: { 3: "symlink" } })],
    n1: [JSON.stringify({ path: "r/two", files: twice, sizes: [1, 2, 3], times: [1, 2, 3] })],
  };
  const lists = { search: [["", "s0"], ["6c6f67", "s1"]], names: [["n0", 6, 4000, 5, 9], ["n1", 3, 3, 1, 3]] };
  const world = { archive: "a", begin: "", search: "search", names: "names", nameBytes: 1e9 };
  globalThis.document = { getElementById: () => ({ textContent: JSON.stringify(world) }) };
  const source = await page.openSource();
  const read = [];
  Object.assign(source, { list: async (file) => lists[file], part: async (file) => {
    read.push(file);
    return files[file];
  } });
  const search = async (text, nameBytes = 1e9) => {
    source.world.nameBytes = nameBytes;
    const found = [];
    const end = await source.search(text, 50, new AbortController().signal, ({ path }) => found.push(path));
    assert.ok(end.complete);
    return found.sort().join(" ");
  };
  assert.equal(await search("*.log"), "r/app.log r/two/app.log r/x.log");
  assert.equal(await search("APP*"), "r/App.LOG.1 r/app.log r/two/App.LOG.1 r/two/app.log");
  assert.equal(await search("lo?"), "r/log r/two/log");
  assert.equal(await search("log[i]*"), "r/login");
  assert.equal(await search("*og*", 1), "r/App.LOG.1 r/app.log r/log r/login r/two/App.LOG.1 r/two/app.log r/two/log r/x.log");
  // What is in a name is found where all names are few.
  assert.equal(await search("pp.l"), "");
  assert.equal(await search("pp.l", 1), "r/App.LOG.1 r/app.log r/two/App.LOG.1 r/two/app.log");
  // What is no proper glob is text.
  assert.equal(await search("[x"), "r/[x");
  assert.equal(await search("**"), "");
  // The filter view reads only files of names in which something can match.
  const matches = async (wanted) => {
    read.length = 0;
    const found = [];
    let last;
    await source.matches({ ...page.nothing, ...wanted }, { order: "name", limit: 9, now: 8 }, new AbortController().signal, (news) => {
      found.push(...news.found.map(({ path }) => path));
      last = news;
    });
    return [found.sort().join(" "), read.join(" "), last.files, last.bytes, last.lookedAt];
  };
  assert.deepEqual(await matches({ name: "*.log" }), ["r/app.log r/two/app.log r/x.log", "n0 n1", 3, 21, 9]);
  assert.deepEqual(await matches({ size: "+3" }), ["r/app.log r/log r/login", "n0", 3, 4320, 9]);
  assert.deepEqual(await matches({ size: "-1" }), ["r/x.log", "n0 n1", 1, 0, 9]);
  assert.deepEqual(await matches({ size: "+5000" }), ["", "", 0, 0, 9]);
  assert.deepEqual(await matches({ type: "link" }), ["r/log", "n0 n1", 1, 300, 9]);
}

/** What the browser keeps for a set of roots. */
function checkKept() {
  const values = new Map();
  globalThis.localStorage = { getItem: (name) => values.get(name) ?? null, setItem: (name, value) => values.set(name, value), removeItem: (name) => values.delete(name) };
  const roots = (...labels) => labels.map((label) => ({ label }));
  const [one, other] = [page.keptFor(roots("b", "a")), page.keptFor(roots("a"))];
  assert.equal(one.key, page.keptFor(roots("a", "b")).key);
  one.set("list", "1");
  other.set("list", "2");
  assert.deepEqual([one.get("list"), other.get("list"), page.keptFor(roots("a", "b")).get("list")], ["1", "2", "1"]);
  one.remove("list");
  assert.deepEqual([one.get("list"), other.get("list")], [null, "2"]);
  one.set("favourites", JSON.stringify([{ path: "a/b", star: true }, { lon: 1, lat: 2, star: false }, 7, null, { lon: 200, lat: 0 }]));
  assert.deepEqual(new page.Points(one).all, [{ path: "a/b", star: true }, { lon: 1, lat: 2, star: false }]);
  assert.deepEqual(new page.Points(other).all, []);
  delete globalThis.localStorage;
}

/** What a click selects. */
function checkPicks() {
  const chain = (...breadths) => breadths.map((breadth, i) => ({ path: "abcd".slice(0, i + 1), breadth }));
  const path = (...given) => page.landPicked(...given)?.path;
  assert.deepEqual([path(chain(900, 300, 60, 59)), path(chain(900, 30, 200, 3)), path(chain(50, 20)), path([])], ["abc", "abc", "a", undefined]);
  // Again at the same place, and after something else was selected.
  assert.deepEqual(["a", "abc", "abcd", "x"].map((last) => path(chain(900, 300, 60, 59), last)), ["ab", "abcd", "abcd", "abc"]);
  const placed = [{ key: "one", boxes: [[10, 10, 20, 20], [40, 12, 50, 22]] }, { key: "two", boxes: [[60, 10, 70, 20]] }];
  assert.deepEqual([[10, 10], [30, 21], [30, 23], [55, 15], [65, 15]].map((at) => placed.find(({ boxes }) => page.isOnName(boxes, ...at))?.key ?? null), ["one", "one", null, null, "two"]);
  assert.deepEqual([page.reachOf(1.1, 14), page.reachOf(1.7, 1), page.reachOf(8, 6)], [3.1, 2.7, 14]);
}

/** Links to copy, and what is said of them. */
function checkLinks() {
  const [href, hash] = ["http://127.0.0.1:50000/#1/2/3", "#1/2/3"];
  assert.equal(page.linkOf({}, { href, hash }), href);
  const link = page.linkOf({ link: "http://10.0.0.2:50000/?token=0a" }, { href, hash });
  assert.equal(link, "http://10.0.0.2:50000/?token=0a#1/2/3");
  const count = (...given) => page.linkWords(...given).length;
  assert.equal(page.linkWords(href, { hostname: "127.0.0.1", isServer: true })[0], "This link works on this machine only.");
  assert.ok(page.linkWords(link, { hostname: "10.0.0.2", isServer: true })[0].includes("token"));
  assert.deepEqual([count(`${href}?token=1`, { hostname: "[::1]", isServer: true }), count("file:///x.html#1", { hostname: "", isServer: false }),
    count("https://example.org/?token=#1", { hostname: "example.org", isServer: false })], [2, 1, 0]);
  const command = (...roots) => page.publishCommand(roots.map(([label, file]) => ({ label, file })));
  assert.equal(command(["usr", "/usr"], ["old", "/back/usr"]), "geomapper publish /usr old=/back/usr -o OUT");
  assert.equal(command(["a b", "/a b"], ["x", undefined], ["c", "/c'$(d)"]), "geomapper publish DIR -o OUT");
}

/** A palette that colours by a mode as in an address, with the classes of some lands and files. */
function coloured(link, all = [], lands = [], own = []) {
  const palette = new page.Palette();
  const scale = Object.assign(page.scaleOf(link, all), { now: 1e9 });
  palette.colourBy(link.split(":")[0], scale);
  scale.classify({ lands, own, amount: ({ bytes }) => bytes });
  return palette;
}

/** Classes of age, of land without files, and their link. */
function checkClasses() {
  const palette = coloured("size", [], [5.31e9, 134e6, 42].map((bytes) => ({ bytes })));
  const shades = [{ bytes: 5.31e9 }, { bytes: 134e6 }, { bytes: 42 }, { bytes: 0, files: 0 }, {}].map((land) => palette.shade(land));
  assert.equal(new Set(shades).size, 5);
  const words = new Map(palette.legend);
  assert.deepEqual(shades.map((shade) => words.get(shade)), ["3.00 GB or more", "under 3.00 GB in all", "under 100 MB in all", "empty", "not known yet"]);
  assert.equal(palette.link, "size:100000000,3000000000");
  const other = page.scaleOf(palette.link, []);
  assert.deepEqual([other.mode, other.bounds, other.isGiven], ["size", palette.scale.bounds, true]);
  assert.deepEqual([page.scaleOf("age:x,-1", []).isGiven, page.scaleOf("nonsense:1", []), page.scaleOf("layer.none", [])], [false, null, null]);
  const aged = new page.Palette();
  aged.colourBy("age", Object.assign(page.scaleOf("age:0.0416666,1", []), { now: 1e9 }));
  assert.deepEqual(aged.legend.map(([, word]) => word), ["changed within an hour", "within a day", "longer ago", "empty", "not known yet"]);
  const ages = [1800, 3600 * 5, 1e6].map((seconds) => words.size && new Map(aged.legend).get(aged.shade({ newest: 1e9 - seconds })));
  assert.deepEqual(ages, ["changed within an hour", "within a day", "longer ago"]);
  // Files have the colours of land.
  const files = (by, all) => all.map((file) => by.legend.find(([land, , colour = land]) => colour === by.file({ name: "n", ...file }))?.[1]);
  assert.deepEqual(files(aged, [1800, 3600 * 5, 1e6].map((seconds) => ({ modified: 1e9 - seconds }))), ages);
  assert.deepEqual(files(palette, [{ size: 5e9 }, { size: 2e9 }, { size: 0 }]), ["3.00 GB or more", "under 3.00 GB in all", "under 100 MB in all"]);
  const place = { z: 3, place: { lon: 1, lat: 2 } };
  const read = page.readAddress(page.writeAddress(place, undefined, {}, palette.link, "files"));
  assert.deepEqual([read.colours, read.sizes], [palette.link, "files"]);
}

/** Classes, words and sizes by values of the user's own. */
function checkValues() {
  const bounds = (...values) => page.numberBounds(values).join(" ");
  assert.deepEqual([bounds(), bounds(7), bounds(7, 7)], ["", "", ""]);
  assert.equal(page.numberBounds([0.1, 0.15, 0.95], true).join(" "), "0.2 0.4 0.6 0.8");
  assert.equal(page.numberBounds([0.81, 0.9, 0.99], true).join(" "), "0.84 0.88 0.92 0.96");
  assert.equal(bounds(100, 140, 180, 220), "120 140 160 180 200 220");
  assert.equal(bounds(5, 6, 7, 8), "6 7 8");
  assert.equal(bounds(3, 17, 40, 99, 250, 1200, 5000, 7, 12, 88), "10 40 50 200 1000");
  assert.equal(bounds(-3, -1, 2, 9, 14), "-5 -3 0 3 5");
  const all = [{ name: "cov", how: "ratio", kind: "number" }, { name: "team", how: "share", kind: "word" }, { name: "n", how: "sum", kind: "number" }];
  const land = (bytes, layers, files = 1) => ({ kind: "state", bytes, files, layers });
  const uncounted = { kind: "state" };
  const lands = [land(100, { cov: 0.1 }), land(9, { cov: 0.5 }), land(9, { cov: 1 }), land(5, undefined), uncounted];
  const palette = coloured("layer.cov", all, lands);
  assert.equal(palette.link, "layer.cov:0.2,0.4,0.6,0.8");
  assert.deepEqual(lands.map((one) => palette.classOf(one)), [0, 2, 4, "none", "unknown"]);
  assert.deepEqual(lands.map((one) => palette.isBlank(one)), [false, false, false, true, false]);
  assert.deepEqual(palette.legend.map(([, words]) => words), ["under 20 %", "20 % to 40 %", "40 % to 60 %", "60 % to 80 %", "80 % or more", "no value", "not known yet"]);
  assert.equal(palette.classOf({ name: "f", lon: 1, lat: 1 }, false), "none"); // a file
  assert.equal(palette.classOf({ path: "d" }), "unknown");
  // A word counts by the bytes that have it, and a land is the paler, the smaller the share.
  const teams = [land(100, { team: "b, %", team_share: 0.3 }), land(40, { team: "a", team_share: 1 }), land(10, { team: "b, %", team_share: 1 })];
  const words = coloured("layer.team", all, teams, [{ bytes: 1, lon: 0, layers: { team: "c" } }]);
  assert.equal(words.link, "layer.team:a,b%2C%20%25,c");
  assert.deepEqual(page.scaleOf(words.link, all).all, ["a", "b, %", "c"]);
  // Words of lands within those of the level come after these; what is beyond ten is other.
  const inside = page.scaleOf("layer.team", all);
  const inner = Array.from({ length: 11 }, (_, i) => land(1000 * (i + 1), { team: `w${i}`, team_share: 1 }));
  inside.classify({ lands: [land(1, { team: "own", team_share: 0.5 })], own: [], inner, amount: ({ bytes }) => bytes });
  assert.deepEqual([inside.all.length, inside.all[0], inside.all[1], inside.hasOther], [10, "own", "w10", true]);
  inside.classify({ lands: [], own: [], inner: inner.slice(0, 2), amount: ({ bytes }) => bytes });
  assert.deepEqual([inside.all, inside.hasOther], [["w1", "w0"], false]);
  assert.deepEqual(teams.map((one) => words.classOf(one)), [1, 0, 1]);
  assert.equal(new Set(teams.map((one) => words.shade(one))).size, 3);
  assert.equal(words.shade(teams[2]), words.legend[1][0]);
  const many = Array.from({ length: 14 }, (_, i) => land(100 - i, { team: `t${i}` }));
  const most = coloured("layer.team", all, many);
  assert.deepEqual(many.map((one) => most.classOf(one)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "other", "other", "other", "other"]);
  assert.equal(most.legend[10][1], "other");
  assert.deepEqual([[0.5, true], [1234.5678], [12], [-0.123456], [2.5e12], ["w"]].map((one) => page.showValue(...one)), ["50 %", "1230", "12", "-0.123", "2,500,000,000,000", "w"]);
  // Sizes.
  assert.deepEqual([page.sizesOf("bytes", all), page.sizesOf("cov", all), page.sizesOf("team", all)], [null, null, null]);
  const [files, sums] = [page.sizesOf("files", all), page.sizesOf("n", all)];
  const things = [land(1, { n: 5 }, 3), land(1, undefined, 2), uncounted, { kind: "poi", layers: { n: 7 } }, { lon: 1, lat: 2 }, { files: 9, layers: { n: 8 } }];
  assert.deepEqual(things.map((one) => files.amount(one)), [3, 2, undefined, 1, 1, 9]);
  assert.deepEqual(things.map((one) => sums.amount(one)), [5, 0, undefined, 7, 0, 8]);
  assert.deepEqual([files.show(1), files.show(1200), sums.show(12)], ["1 file", "1,200 files", "12 n"]);
  const summary = { path: "r", lands: [land(9, { n: 1 }), land(1, { n: 5 })], own: [{ name: "x", lon: 0, bytes: 9 }, { name: "y", rawName: "%FF", lon: 0, bytes: 1, layers: { n: 2 } }], largest: [{ path: "r/x" }] };
  const arranged = sums.arranged(summary);
  assert.deepEqual([arranged.lands.map(({ bytes }) => bytes), arranged.own.map(({ name }) => name), arranged.largest.map(({ path, rawPath }) => [path, rawPath])], [[1, 9], ["y", "x"], [["r/y", "r/%FF"]]]);
  assert.deepEqual(files.arranged(summary).largest, []);
}

/** Signposts: the nearest, each in another direction, at the edge of the view. */
function checkSignposts() {
  const targets = [["east", 0.6, 0.5], ["far east", 0.9, 0.5], ["south", 0.5, 0.8], ["south", 0.5, 0.7], ["west", 0.1, 0.5]].map(([path, x, y]) => ({ path, x, y }));
  const names = (most) => page.nearestTargets(targets, { x: 0.5, y: 0.5 }, most).map(({ path, y }) => `${path} ${y}`);
  assert.deepEqual(names(4), ["east 0.5", "south 0.7", "west 0.5"]);
  assert.deepEqual(names(1), ["east 0.5"]);
  const view = { width: 1000, height: 600 };
  assert.deepEqual([0, Math.PI / 2, Math.PI].map((angle) => page.postPlace(angle, view).map(Math.round)), [[825, 300], [500, 530], [175, 300]]);
  for (let angle = 0; angle < 7; angle += 0.1) {
    const [x, y] = page.postPlace(angle, view);
    assert.ok(x >= 174 && x <= 826 && y >= 69 && y <= 531, `${angle}: ${x} ${y}`);
  }
}

// MARK: Properties

const properties = {
  /** Classes of numbers cover them, in order, at round bounds, and as evenly as ties let them. */
  numbers(random) {
    const kind = random.number(0, 4);
    const value = [() => random.next(), () => random.number(0, 10 ** random.number(1, 6)), () => random.between(-1, 1) * 10 ** random.number(0, 6),
      () => 100 + random.between(0, 200), () => 10 ** random.between(-6, 12)][kind];
    const values = random.list(0, 60, value);
    const isRatio = kind === 0 && random.chance(0.5);
    const bounds = page.numberBounds(values, isRatio);
    const what = `${bounds} of ${values}`;
    const distinct = new Set(values).size;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    bounds.forEach((bound, i) => assert.ok(Number.isFinite(bound) && (i === 0 || bound > bounds[i - 1]), what));
    assert.ok(bounds.length <= 6 && (distinct < 5 || bounds.length >= (kind === 1 ? 2 : 4)), what);
    const counts = Array(bounds.length + 1).fill(0);
    for (const one of values) {
      const found = page.classIn(bounds, one);
      assert.ok((found === 0 || one >= bounds[found - 1]) && (found === bounds.length || one < bounds[found]), what);
      counts[found] += 1;
    }
    if (least < 0 && most > 0) assert.deepEqual(bounds, bounds.toReversed().map((bound) => 0 - bound), what);
    else if (!isRatio && bounds.length > 0) assert.ok(bounds[0] > least && bounds.at(-1) <= most, what);
    // Among many numbers bounds have few digits.
    if (distinct > 25 && !isRatio && kind !== 3 && least >= 0) {
      assert.ok(bounds.every((bound) => Number(bound.toPrecision(3)) === bound), what);
      if (kind === 4) assert.ok(Math.max(...counts) < 0.4 * values.length, `${what}: ${counts}`);
    }
  },

  /** Each class of age has a part of the ages, and no class is empty. */
  ages(random) {
    const round = random.chance(0.5);
    const ages = random.list(0, 60, () => (round ? random.number(0, 9) : 10 ** random.between(-4, 4)));
    const bounds = page.ageBounds(ages);
    if (round) assert.equal(bounds.length, Math.max(0, Math.min(5, new Set(ages).size) - 1));
    const counts = Array(bounds.length + 1).fill(0);
    for (const age of ages) counts[bounds.filter((bound) => age >= bound).length] += 1;
    if (ages.length > 0) assert.ok(counts.every((count) => count > 0), `${bounds} of ${ages}: ${counts}`);
    // Many different ages are shared out evenly.
    if (!round && ages.length > 20) assert.ok(Math.max(...counts) < 0.45 * ages.length, `${bounds} of ${ages}: ${counts}`);
  },

  /** The largest files are those of a sorted list; a summary of several roots is that of all their parts. */
  summaries(random) {
    let number = 0;
    const file = () => ({ path: `r/f${(number += 1)}`, bytes: random.chance(0.2) ? undefined : random.number(0, 40),
      change: random.chance(0.1) ? "removed" : undefined });
    const part = () => ({ path: `r${(number += 1)}`, totals: random.chance(0.9) ? { files: random.number(0, 9), bytes: random.number(0, 9) } : undefined,
      below: random.number(0, 5), lands: random.list(0, 6, file), own: random.list(0, 30, file), largest: random.list(0, 14, file) });
    const parts = random.list(0, 4, part);
    const all = parts.flatMap(({ own }) => own);
    const order = (a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1);
    const wanted = all.filter(({ bytes, change }) => bytes > 0 && change !== "removed").sort(order).slice(0, 14);
    assert.deepEqual(page.largestOf(all, "bytes"), wanted);
    const summary = page.summaryOf(parts, "bytes", true);
    assert.equal(summary.bytes, parts.reduce((sum, { totals }) => sum + (totals?.bytes ?? 0), 0));
    assert.equal(summary.own.length, all.length);
    for (const list of [summary.lands, summary.own]) {
      list.slice(1).forEach((one, index) => assert.ok((list[index].bytes ?? -1) >= (one.bytes ?? -1)));
    }
    assert.equal(page.summaryOf(parts, "bytes", false).bytes, undefined);
  },

  /** Each land stands out by the level in view, whatever tile it is in. */
  prominence(random) {
    const names = ["a", "b", "c", "ab"];
    const path = () => random.list(1, 4, () => random.pick(names)).join("/");
    const roots = random.chance(0.5) ? [path()] : ["a", "b"];
    const folder = roots.length === 1 ? roots[0] : undefined;
    const lands = [...new Set(random.list(0, 6, () => `${random.pick(roots)}/${random.pick(names)}`))].map((one) => ({ path: one, bytes: random.pick([0, 1, 900, 1e6]) }));
    const complete = random.pick([true, false, undefined]);
    const { key, of } = page.prominenceAt({ path: folder, roots, lands, own: [], complete }, ({ bytes }) => bytes);
    const sum = lands.reduce((all, { bytes }) => all + bytes, 0);
    for (let i = 0; i < 20; i += 1) {
      const land = path();
      const holder = lands.find((one) => land === one.path || land.startsWith(`${one.path}/`));
      const isInside = roots.some((root) => land.startsWith(`${root}/`));
      const isLittle = Boolean(holder) && complete !== false && sum > 0 && holder.bytes < sum / 1000;
      const isDeep = roots.some((root) => land.startsWith(`${root}/`) && land.slice(root.length + 1).includes("/"));
      const isAround = roots.some((root) => root === land || root.startsWith(`${land}/`));
      assert.equal(of(land), land === folder ? "current" : isInside ? (isLittle ? "little" : isDeep ? "deep" : "full") : isAround ? "around" : "beside", `${land} of ${key}`);
      assert.ok(page.strengthOf(of(land), 100) <= 0.66 && page.strengthOf("full", 100) > 6 * page.strengthOf("little", 100));
    }
  },

  /** Where changes stand out, no land has a tint, and only the level's lands and what holds them are as strong as before. */
  receding(random) {
    const roots = random.pick([["a"], ["a/b"], ["a", "b"]]);
    const before = page.prominenceAt({ path: roots.length === 1 ? roots[0] : undefined, roots, lands: [], own: [], complete: true }, () => 1);
    const { of } = page.receding(before, roots);
    const path = random.list(1, 4, () => random.pick(["a", "b", "c"])).join("/");
    const found = of(path);
    if (["current", "around"].includes(before.of(path))) assert.equal(found, before.of(path));
    else assert.equal(found, roots.includes(path.split("/").slice(0, -1).join("/")) ? "same" : "within", path);
    if (found !== "current") assert.equal(page.strengthOf(found, 50), 0);
  },

  /** The signs of changes are the largest differences of the level, whatever the order of its lands; factors tell them. */
  changes(random) {
    const amount = () => random.pick([0, 1, 5, 1000, 2_000_000, random.number(0, 1e9)]);
    const lands = random.list(0, 30, () => 0).map((_, index) => {
      const [before, after] = random.chance(0.3) ? Array(2).fill(amount()) : [amount(), amount()];
      return { path: `a/${index}`, name: `${index}`, change: before === 0 && after > 0 ? "added" : before > 0 && after === 0 ? "removed" : undefined,
        below: before === after ? undefined : { changed: 1 }, states: [{ files: 1, bytes: before }, { files: 2, bytes: after }] };
    });
    const found = page.changedOf(lands);
    const weights = found.map(({ change }) => Math.abs(page.growthOf(change)));
    assert.deepEqual(weights, [...weights].sort((a, b) => b - a));
    assert.deepEqual(page.changedOf(lands.toReversed()).map(({ change }) => Math.abs(page.growthOf(change))), weights);
    const most = Math.max(0, ...lands.map(({ states: [a, b] }) => Math.abs(b.bytes - a.bytes)));
    assert.equal(weights[0] ?? 0, most);
    assert.equal(found.length, lands.filter(({ states: [a, b] }) => a.bytes !== b.bytes && Math.abs(b.bytes - a.bytes) >= most / 1000).length);
    const captions = page.changeCaptions(found);
    assert.equal(captions.length, Math.min(12, found.length));
    captions.forEach(({ thing, lines }, index) => {
      const { kind, before, after } = page.changeIn(thing);
      assert.equal(lines[0][1], index < 3 ? "top" : "land");
      assert.equal(lines[0][0], index < 3 ? `${index + 1}. ${thing.name}` : thing.name);
      assert.ok(lines[1][0].startsWith(after > before ? "+" : "−"));
      assert.equal(lines[1][0].includes("×"), kind === "grew" || kind === "shrank", lines[1][0]);
      assert.equal(lines[1][2], `${kind}ink`);
    });
    const [before, after] = [random.number(1, 1e6), random.number(1, 1e6)];
    const factor = page.showFactor({ before, after });
    const value = Number(factor.slice(1).replace("<", "").replaceAll(",", ""));
    if (!factor.includes("<")) near(value, after / before, Math.max(0.051, 0.06 * (after / before)), factor);
    assert.equal(page.showFactor({ before: 0, after: 5 }), "");
    assert.equal(page.showFactor({ before: 5, after: 20 }), "×4");
  },

  /** The rows of a level are its circles, and add up to its growth with what has no row. */
  levelRows(random) {
    const amount = () => random.pick([0, 5, 1000, random.number(0, 1e6)]);
    const lands = random.list(0, 20, () => 0).map((_, index) => ({ path: `a/${index}`, name: `${index}`, states: [{ bytes: amount() }, { bytes: amount() }] }));
    const own = random.list(0, 5, () => 0).map((_, index) => ({ name: `f${index}`, ...random.pick([{ change: "added" }, { change: "removed" }, {}]), bytes: amount() }));
    const folders = random.list(0, 9, () => ({ path: `a/${random.number(0, 20)}/${random.pick(["b", "c/d"])}`, bytes: random.number(-1e6, 1e6) }));
    const { rows, rest } = page.rowsOfLevel({ path: "a", lands, own }, folders);
    const growths = [...lands, ...own].map((thing) => page.changeIn(thing)).filter((change) => change !== null).map((change) => page.growthOf(change));
    assert.equal(rows.reduce((sum, { bytes }) => sum + bytes, rest.bytes), growths.reduce((sum, growth) => sum + growth, 0));
    const circles = page.changedOf(lands.length > 0 ? lands : own).map(({ thing }) => thing.path ?? `a/${thing.name}`);
    const shown = rows.filter(({ files }) => files === undefined);
    assert.deepEqual(shown.map(({ path }) => path), circles.slice(0, shown.length));
    assert.deepEqual(shown.map(({ rank }) => rank), shown.map((_, index) => (index < 3 ? index + 1 : undefined)));
    assert.ok(rows.length <= 12 && rest.count >= 0);
    for (const { path, bytes, mostly } of rows) {
      if (mostly !== undefined) assert.ok(folders.some((one) => one.path === mostly && mostly.startsWith(`${path}/`) && one.bytes / bytes > 0.5));
    }
    const moved = page.movedFolders([{ path: "b/x", from: "a/0", folder: true }, { path: "b/y", from: "a/1", folder: false }]);
    const gone = [0, 1].map((index) => ({ path: `a/${index}`, name: `${index}`, change: "removed", states: [{ bytes: 5 }, { bytes: 0 }] }));
    assert.deepEqual(page.changedOf(gone, moved).map(({ change }) => change.kind), ["left", "removed"]);
    assert.deepEqual(page.rowsOfLevel({ path: "a", lands: gone, own: [] }, [], moved).rows.map(({ kind, all }) => [kind, all]), [["moved", "moved away"], ["removed", "gone"]]);
    const counts = page.countsIn({ lands: [{ below: { added: 2, moved: 1 } }, {}], own });
    assert.equal(counts.added, 2 + own.filter(({ change }) => change === "added").length);
    assert.equal(counts.moved, 1);
  },

  /** What moved between two lands is one sum; what stayed in one, or came from outside the level, is none. */
  moves(random) {
    const path = () => random.list(1, 4, () => random.pick(["a", "b", "c", "d"])).join("/");
    const partWith = (one) => (one.startsWith("a/") ? one.split("/").slice(0, 2).join("/") : null);
    const rows = random.list(0, 40, () => ({ path: path(), from: random.chance(0.1) ? undefined : path(), size: random.number(0, 1000), folder: random.chance(0.3), files: random.number(1, 9) }));
    const found = page.movesBetween(rows, partWith);
    for (const { from, to, files, bytes } of found) {
      assert.notEqual(from, to);
      const own = rows.filter((row) => row.from !== undefined && partWith(row.from) === from && partWith(row.path) === to);
      assert.equal(bytes, own.reduce((sum, { size }) => sum + size, 0));
      assert.equal(files, own.reduce((sum, row) => sum + (row.folder ? row.files : 1), 0));
    }
    const keys = found.map(({ from, to }) => `${from} ${to}`);
    assert.equal(new Set(keys).size, keys.length);
    for (const move of found) {
      const arrivals = found.filter(({ to }) => to === move.to);
      const words = page.movedInWords({ path: move.to, bytes: random.number(1, 3000) }, found);
      assert.ok(words.startsWith(page.showBytes(arrivals.reduce((sum, { bytes }) => sum + bytes, 0))) && words.includes("moved here from"), words);
      assert.equal(words.endsWith(` ${page.nameOf(move.from)}`), arrivals.length === 1);
    }
    assert.equal(page.movedInWords({ path: "elsewhere", bytes: 5 }, found), "");
    const isMove = ({ from, path: to }) => from !== undefined && partWith(from) !== null && partWith(to) !== null && partWith(from) !== partWith(to);
    assert.equal(keys.length, Math.min(6, new Set(rows.filter(isMove).map((row) => `${partWith(row.from)} ${partWith(row.path)}`)).size));
    const [start, end] = [[0, 0], [random.between(1, 100), random.between(-100, 100)]];
    const middle = page.pointOn(start, page.bowed(start, end), end, 0.5);
    near(Math.hypot(...middle), Math.hypot(middle[0] - end[0], middle[1] - end[1]), 1e-9, "the middle of an arrow");
    assert.deepEqual(page.pointOn(start, page.bowed(start, end), end, 0), start);
  },

  /** Each land of a tile is in one place for a level, and its own lands are those in its roots. */
  places(random) {
    const roots = random.pick([["a"], ["a/b"], ["a", "b"], ["a/b/c"], []]);
    const parts = random.list(1, 5, () => random.pick(["a", "b", "c"]));
    const path = parts.join("/");
    const parent = parts.slice(0, -1).join("/");
    const place = page.placeAt({ path, parent: parts.length > 1 ? parent : undefined, depth: parts.length - 1 }, roots);
    if (roots.some((root) => root === path || root.startsWith(`${path}/`)) || parts.length === 1) assert.equal(place, "around");
    else if (roots.includes(parent)) assert.equal(place, "level");
    else if (roots.some((root) => path.startsWith(`${root}/`))) assert.equal(place, "deep");
    else assert.equal(place, roots.some((root) => root.startsWith(`${parent}/`)) ? "beside" : "deep");
    const counts = { below_bytes: random.pick([undefined, -5, 0, 7]), below_moved: random.pick([undefined, 0, 2]), change: random.pick([undefined, undefined, "added", "removed"]) };
    const kind = page.changeOfLand(counts);
    assert.equal(kind === null, !counts.change && !counts.below_bytes && !counts.below_moved);
    if (counts.change) assert.equal(kind, counts.change);
    else if (counts.below_bytes) assert.equal(kind, counts.below_bytes > 0 ? "grew" : "shrank");
  },

  /** More bytes are never fainter, more files never fewer trees, and those that stand stay. */
  relief(random) {
    const [low, high] = [random.next(), random.next()].sort((a, b) => a - b);
    const [dx, dy] = [random.between(-0.5, 0.5), random.between(-0.5, 0.5)];
    const inks = [[1, 2, 3], [4, 5, 6]];
    const [one, other] = [low, high].map((level) => page.reliefAt(level, dx, dy, inks));
    assert.deepEqual(one.slice(0, 3), other.slice(0, 3));
    assert.ok(one[3] <= other[3] + 1e-9, `${low}: ${one[3]}, ${high}: ${other[3]}`);
    const breadth = random.between(22, 230);
    const [few, many] = [random.between(100, 1e5), random.between(100, 1e5)].sort((a, b) => a - b).map((files) => page.treesInGrove(files, breadth));
    assert.ok(few <= many);
    let [sum, count] = [0, 0];
    for (let column = 0; column < 20; column += 1) {
      const trees = (mean) => page.grove(column, random.state % 1000, 3, mean);
      const [less, more] = [trees(few), trees(many)];
      assert.deepEqual(more.slice(0, less.length), less);
      for (let row = 0; row < 20; row += 1) sum += page.grove(column, row, 3, few).length;
      count += 20;
    }
    near(sum / count, few, 0.6 + few * 0.1, "trees in a grove");
  },

  distances(random) {
    const [width, height] = [random.number(1, 14), random.number(1, 14)];
    const most = random.number(3, 20);
    const marks = Uint8Array.from({ length: width * height }, () => (random.chance(0.1) ? 1 : 0));
    page.distances(marks, width, height, most).forEach((far, i) => {
      let least = most;
      marks.forEach((mark, j) => {
        if (mark) least = Math.min(least, Math.hypot((i % width) - (j % width), Math.floor(i / width) - Math.floor(j / width)));
      });
      near(far, least, 1e-5, `cell ${i} of ${width} x ${height}`);
    });
  },

  /** Land reaches beyond what is taken by the rim, and not much farther than that. */
  grownLand(random) {
    const scale = random.pick([1, 1e-6, 1e3]);
    const box = () => [random.between(0, 400), random.between(0, 400), random.between(1, 120), random.between(1, 120)];
    const boxes = random.list(0, 6, box);
    const points = random.list(boxes.length > 0 ? 0 : 1, 4, () => [random.between(0, 400), random.between(0, 400)]);
    const rings = boxes.map(([x, y, w, h]) => [x, y, x + w, y, x + w, y + h, x, y + h].map((value) => value * scale));
    const reach = random.between(12, 30);
    const { land, shallows } = page.grownLand({ rings, towns: [], points: points.flat().map((value) => value * scale) }, reach * scale);
    const turns = (lines, x, y) => lines.filter((ring) => page.contains(ring, x * scale, y * scale)).reduce((sum, ring) => sum - Math.sign(page.areaOf(ring)), 0);
    const beside = ([x, y, w, h], px, py) => Math.hypot(Math.max(x - px, 0, px - x - w), Math.max(y - py, 0, py - y - h));
    for (let i = 0; i < 60; i += 1) {
      const [px, py] = [random.between(-80, 600), random.between(-80, 600)];
      const far = Math.min(...boxes.map((one) => beside(one, px, py) - reach), ...points.map(([x, y]) => Math.hypot(x - px, y - py) - 0.4 * reach));
      const cell = Math.max(reach / 4, 700 / 640);
      const isLand = turns(land, px, py) > 0;
      if (far < -1.5 * cell) assert.ok(isLand, `${px}, ${py} is land: ${far}`);
      // Gaps are closed, but nothing grows outwards.
      if (far > 0.8 * reach + 1.5 * cell) assert.ok(!isLand, `${px}, ${py} is sea: ${far}`);
      if (isLand) assert.ok(turns(shallows, px, py) > 0, "land is within its shallows");
    }
    assert.deepEqual(page.grownLand({ rings: [], towns: [], points: [] }, 1), { land: [], shallows: [] });
  },

  /** Places come back from the world, and from the pixels of a view. */
  places(random) {
    const [lon, lat] = [random.between(-180, 180), random.between(-85, 85)];
    const { x, y } = page.project(lon, lat);
    const back = page.unproject(x, y);
    near(back.lon, lon, 1e-9, "longitude");
    near(back.lat, lat, 1e-9, "latitude");
    assert.ok(x >= 0 && x <= 1 && y >= -1e-6 && y <= 1 + 1e-6);
    const camera = new page.Camera();
    camera.resize(random.number(200, 3000), random.number(200, 2000));
    camera.set(x, y, random.between(0, 20));
    const [px, py] = [random.between(0, camera.width), random.between(0, camera.height)];
    const [wx, wy] = camera.toWorld(px, py);
    const [sx, sy] = camera.toScreen(wx, wy);
    near(sx, px, 1e-3, "pixel");
    near(sy, py, 1e-3, "pixel");
    camera.zoomAt(px, py, random.between(-1, 1));
    // The middle of the view never leaves the world.
    const [nx, ny] = camera.toWorld(px, py);
    if (camera.x > 0 && camera.x < 1) near(nx, wx, 1e-9, "the place under the pointer");
    if (camera.y > 0 && camera.y < 1) near(ny, wy, 1e-9, "the place under the pointer");
    // The target box is in view, not covered by the panels over the map.
    camera.covered = { left: random.number(0, 60), top: random.number(0, 60), right: random.number(0, 60), bottom: random.number(0, 60) };
    const box = [lon, lat, Math.min(180, lon + random.between(0, 40)), Math.min(85, lat + random.between(0, 40))];
    Object.assign(camera, camera.viewOf(box));
    for (const corner of [page.project(box[0], box[1]), page.project(box[2], box[3])]) {
      const [cx, cy] = camera.toScreen(corner.x, corner.y);
      assert.ok(cx >= camera.covered.left - 1 && cx <= camera.width - camera.covered.right + 1, `${box}: ${cx} of ${camera.width}`);
      assert.ok(cy >= camera.covered.top - 1 && cy <= camera.height - camera.covered.bottom + 1, `${box}: ${cy} of ${camera.height}`);
    }
  },

  /** Distances are a metric, and a bearing leads to the other place. */
  distances(random) {
    const place = () => ({ lon: random.between(-180, 180), lat: random.between(-89, 89) });
    const [a, b, c] = [place(), place(), place()];
    near(page.distance(a, b), page.distance(b, a), 1e-6, "both ways");
    assert.ok(page.distance(a, c) <= page.distance(a, b) + page.distance(b, c) + 1e-6);
    assert.equal(page.distance(a, a), 0);
    const [rad, toward, far] = [Math.PI / 180, page.bearing(a, b) * Math.PI / 180, page.distance(a, b) / 6371008.8];
    assert.ok(toward >= 0 && toward < 2 * Math.PI);
    const lat = Math.asin(Math.sin(a.lat * rad) * Math.cos(far) + Math.cos(a.lat * rad) * Math.sin(far) * Math.cos(toward));
    near(lat / rad, b.lat, 1e-6, "where the bearing leads");
  },

  /** Round times are in order, between the two, no more than asked, and have words. */
  timeScale(random) {
    const start = random.pick([0, -1e10, 1.5e9, 1.7e9, -6e10]) + random.number(-1e6, 1e6);
    const end = start + 10 ** random.between(0, random.pick([2, 5, 8, 11])) + 1;
    const most = random.number(1, 20);
    const marks = page.scaleTicks(start, end, most);
    // As many steps fit, so there is one mark more where they begin and end with one.
    assert.ok(marks.length <= most + 1, `${marks.length} marks from ${start} to ${end}, at most ${most}`);
    let before = -Infinity;
    for (const { time, word } of marks) {
      assert.ok(time > before && time >= start && time <= end && Number.isInteger(time), `${time} from ${start} to ${end}`);
      assert.ok(word.length > 0);
      before = time;
    }
    const clock = page.clockOf({ start, end });
    const shown = page.showMoment(start, clock);
    if (start >= 0) assert.equal(Math.floor(Date.parse(`${shown.replace(" ", "T")}Z`) / 1000 / (clock === 8 ? 1 : 60)), Math.floor(start / (clock === 8 ? 1 : 60)));
  },

  /** Halving finds what looking at all finds. */
  sorted(random) {
    const numbers = random.list(0, 12, () => random.number(0, 9)).sort((a, b) => a - b);
    const value = random.number(-1, 10);
    assert.equal(page.lastUpTo(numbers, value), numbers.filter((one) => one <= value).length - 1);
    assert.equal(page.firstFrom(numbers, value), numbers.filter((one) => one < value).length);
    const texts = random.list(2, 2, () => String.fromCodePoint(...random.list(0, 4, () => random.pick([0x61, 0x2f, 0xe9, 0xffff, 0xe000, 0xd7ff, 0x1f600]))));
    const [a, b] = texts.map((text) => Buffer.from(text, "utf8"));
    assert.equal(Math.sign(page.byBytes(...texts)), Buffer.compare(a, b), JSON.stringify(texts));
  },

  /** Numbers of tiles fill each zoom, and tiles that follow each other touch. */
  tileNumbers(random) {
    const z = random.number(1, 6);
    const side = 2 ** z;
    const first = (4 ** z - 1) / 3;
    const [x, y] = [random.number(0, side - 1), random.number(0, side - 1)];
    const number = page.tileNumber(z, x, y);
    assert.ok(number >= first && number < first + 4 ** z);
    const neighbours = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]].filter((one) => one.every((n) => n >= 0 && n < side))
      .map(([a, b]) => page.tileNumber(z, a, b));
    assert.equal(new Set([number, ...neighbours]).size, neighbours.length + 1);
    if (number > first) assert.ok(neighbours.includes(number - 1), `${z}/${x}/${y}`);
    // The four below follow each other.
    const below = [0, 1, 2, 3].map((i) => page.tileNumber(z + 1, 2 * x + (i & 1), 2 * y + (i >> 1))).sort((a, b) => a - b);
    assert.equal(below[0], (4 ** (z + 1) - 1) / 3 + 4 * (number - first));
    assert.equal(below[3], below[0] + 3);
  },

  /** A tile that is cut or changed is read or refused, and never hangs. */
  brokenTiles(random) {
    const bytes = Uint8Array.from(read("../GeoAtlasTests/Vector/Golden/sample.mvt"));
    const cut = random.chance(0.3) ? bytes.slice(0, random.number(0, bytes.length)) : bytes;
    for (let i = random.number(0, 3); i > 0 && cut.length > 0; i -= 1) cut[random.number(0, cut.length - 1)] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.number(0, 255)]);
    try { page.decodeTile(cut); } catch (error) { assert.ok(error instanceof Error); }
  },

  /** A history is what its states say, node by node. */
  timelines(random) {
    const { timeline, states, paths } = historyOf(random);
    for (const [state, there] of states.entries()) {
      for (const [path, isFolder] of paths) {
        const node = timeline.node(path, isFolder);
        assert.equal(timeline.presence(node, state) === page.THERE, path in there && (there[path] === null) === isFolder, `${path} in state ${state}`);
        if (isFolder) {
          const files = Object.entries(there).filter(([other, known]) => known && other.startsWith(`${path}/`));
          const sums = timeline.sumsOf(node, state);
          assert.deepEqual([sums.files, sums.bytes], [files.length, files.reduce((sum, [, [size]]) => sum + size, 0)], `below ${path}`);
        }
      }
      assert.deepEqual([...timeline.filesIn(state)].map(({ path }) => path).sort(), Object.keys(there).filter((path) => there[path]).sort());
      assert.equal(timeline.stateAt(timeline.times[state]), state);
    }
    assert.equal(timeline.stateAt(timeline.start - 1), -1);
    const count = timeline.histogram(random.number(1, 9)).flatMap((part) => [...part]).reduce((a, b) => a + b, 0);
    assert.equal(count, [...timeline.kinds].filter((kind) => kind < page.REMAINED).length);
  },

  /** Sums at moments of a history are those of the files there, whichever way moments follow each other. */
  momentSums(random) {
    const { timeline, states, paths } = historyOf(random);
    const sums = new page.MomentSums(timeline);
    assert.equal(sums.summary("r").files, 0);
    for (const state of random.list(1, 12, () => random.number(0, states.length - 1))) {
      assert.ok(sums.goTo(state));
      for (const [path, isFolder] of paths) {
        if (!isFolder) continue;
        const below = Object.entries(states[state]).filter(([other]) => other.startsWith(`${path}/`));
        const files = below.filter(([, known]) => known).map(([other, [bytes]]) => ({ path: other, bytes }));
        const found = sums.summary(path);
        assert.deepEqual([found.files, found.bytes, found.folders, found.newest], [files.length, files.reduce((sum, { bytes }) => sum + bytes, 0),
          below.length - files.length, timeline.sumsOf(timeline.node(path, true), state).newest], path);
        const isIn = (other) => !other.slice(path.length + 1).includes("/");
        assert.deepEqual(found.lands.map((land) => land.path).sort(), below.filter(([other, known]) => !known && isIn(other)).map(([other]) => other).sort());
        assert.deepEqual(found.own.map(({ name }) => `${path}/${name}`).sort(), files.filter((file) => isIn(file.path)).map((file) => file.path).sort());
        for (const land of found.lands) {
          const { files: count, bytes } = sums.summary(land.path);
          assert.deepEqual([land.files, land.bytes], [count, bytes]);
        }
        const shown = new Map([...sums.bytesIn(timeline.node(path, true))].map(([node, bytes]) => [timeline.paths[node], bytes]));
        assert.deepEqual([...shown].sort(), found.lands.map((land) => [land.path, land.bytes]).sort());
        const largest = files.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
        assert.deepEqual(found.largest.map(({ bytes }) => bytes), largest.slice(0, 14).map(({ bytes }) => bytes));
      }
    }
  },

  /** What is lit is what changed within the glow, each file once, with its newest change first. */
  recent(random) {
    const { timeline } = historyOf(random);
    const recent = new page.Recent();
    for (const time of random.list(1, 6, () => random.between(timeline.start, timeline.end + 10))) {
      const glow = random.pick([0.1, 1.6, 60]);
      const schedule = new page.Schedule(timeline, { seconds: random.pick([2, 60]) });
      const state = timeline.stateAt(time);
      const play = schedule.playOf(time, state);
      const [first, end] = [play - glow, play].map((until) => schedule.happened(until));
      const ageOf = (change) => play - schedule.playOfChange(change);
      const moment = { timeline, time, state, glow, play, lit: [first, end], ageOf };
      recent.follow(moment);
      const found = new Map();
      for (let change = first; change < end; change += 1) {
        const node = timeline.nodes[change];
        if (timeline.isFolder[node] || timeline.kinds[change] === page.REMAINED) continue;
        const kinds = [...(found.get(node)?.kinds ?? []), timeline.kinds[change]];
        found.set(node, { kinds, change });
      }
      assert.equal(recent.count, found.size);
      for (const [node, { kinds, change }] of found) {
        const slot = recent.slotOf(node);
        assert.deepEqual([recent.nodes[slot], recent.changes[slot], recent.counts[slot]], [node, change, kinds.length]);
        const kind = kinds.at(-1) === page.REMOVED ? page.REMOVED : kinds.includes(page.ADDED) ? page.ADDED : page.CHANGED;
        assert.equal(recent.kinds[slot], kind);
        const age = ageOf(change);
        assert.ok(age >= 0 && age <= glow);
        near(recent.ages[slot], age, 1e-6 * (1 + age), "its age");
      }
      for (let slot = 1; slot < recent.count; slot += 1) assert.ok(recent.ages[slot] >= recent.ages[slot - 1]);
      assert.ok(!recent.follow(moment), "the same moment again");
    }
    // A moment that knows ages itself is asked, and what has yet to come is not lit.
    const late = { timeline, time: timeline.end, state: timeline.stateCount - 1, glow: 2, lit: [0, timeline.changeCount], ageOf: () => -1 };
    recent.follow(late);
    assert.equal(recent.count, 0);
    assert.equal(recent.slotOf(0), -1);
    const folders = new page.FolderChanges(timeline);
    const newest = [...folders.before(timeline.stateCount - 1, Infinity)];
    assert.deepEqual(newest, Array.from({ length: timeline.changeCount }, (_, change) => change).reverse()
      .filter((change) => timeline.isFolder[timeline.nodes[change]] && [page.ADDED, page.REMOVED].includes(timeline.kinds[change])));
    assert.equal([...folders.before(-1, 9)].length, 0);
  },

  /** Discs of authors keep apart, and are at their places where there is room. */
  spread(random) {
    const apart = random.between(10, 200);
    const count = random.number(1, 7);
    const places = Array.from({ length: 2 * count }, () => random.between(-1, 1) * random.pick([0, 1, 50, 1000]));
    const offsets = page.spread(places, apart);
    const at = places.map((value, i) => value + offsets[i]);
    for (let a = 0; a < count; a += 1) {
      for (let b = 0; b < a; b += 1) assert.ok(Math.hypot(at[2 * a] - at[2 * b], at[2 * a + 1] - at[2 * b + 1]) > 0.9 * apart, `${places} within ${apart}`);
    }
    const wide = places.map((value, i) => value + (i % 2 === 0 ? 5000 * i : 0));
    assert.ok(page.spread(wide, apart).every((offset) => offset === 0));
  },

  /** Names of changed files are beside their light, and more changes are more important. */
  namesOfChanges(random) {
    const size = { width: random.between(5, 300), height: random.between(10, 40) };
    const r = random.between(1, 30);
    const places = page.placesBeside(r, size);
    for (const { left, top, side } of places) {
      const [dx, dy] = [left, top].map((low, axis) => Math.max(low, 0, -low - [size.width, size.height][axis]));
      assert.ok(Math.hypot(dx, dy) > 0.7 * r, `${left}, ${top} beside ${r}`);
      assert.equal(side, left > 0 ? 1 : left + size.width < 0 ? -1 : 0);
    }
    const [count, part, bytes] = [random.number(1, 50), random.next(), random.number(0, 1e9)];
    assert.ok(page.weightOfChanges(count + 1, part, bytes) > page.weightOfChanges(count, part, bytes));
    assert.ok(page.weightOfChanges(count, part, bytes) <= page.weightOfChanges(count, 1, bytes));
    assert.ok(page.weightOfChanges(count, part, bytes) >= page.weightOfChanges(count, part, NaN));
    assert.ok(page.coreOf(2 * count) >= page.coreOf(count) && page.coreOf(1e9) < 12);
    assert.deepEqual([page.happened(page.ADDED, 3), page.happened(page.CHANGED, 1), page.happened(page.CHANGED, 1234), page.happened(page.REMOVED, 2)],
      ["new", "changed", "changed 1,234 times", "removed"]);
    const colours = [...Array(20).keys()].map((rank) => page.colourFor(rank, undefined, new Set(rank < 7 ? [] : [7, 9])));
    assert.ok(colours.slice(0, 7).every((colour, rank) => colour === rank) && colours.slice(7).every((colour) => colour > 7 && colour !== 9));
    assert.equal(page.colourFor(30, 11, new Set([7])), 11);
    assert.deepEqual(["Andrew Gallant", "dana", "dependabot[bot]", "  ", "Ana María de Souza", "李 明", "😀", "o'Brien-x"].map(page.initialsOf),
      ["AG", "D", "DB", "?", "AS", "李明", "?", "OX"]);
  },

  /** New land comes out of the water, and a ruin fades. */
  tides(random) {
    const glow = random.between(0.1, 10);
    const [early, late] = [random.between(-1, 4) * glow, random.between(-1, 4) * glow].sort((a, b) => a - b);
    const [rising, risen] = [page.risingAt(early, glow), page.risingAt(late, glow)];
    for (const { water, surf, outline } of [rising, risen]) for (const part of [water, surf, outline]) assert.ok(part >= 0 && part <= 1);
    assert.ok(risen.water <= rising.water && risen.outline <= rising.outline);
    assert.equal(page.risingAt(0, glow).water, 1);
    assert.deepEqual(page.risingAt(glow, glow), { water: 0, surf: 0, outline: 0, part: 1 });
    const [sinking, sunk] = [page.sinkingAt(early, glow), page.sinkingAt(late, glow)];
    assert.ok(sunk.land <= sinking.land && sunk.lines <= sinking.lines);
    assert.deepEqual(page.sinkingAt(2 * glow, glow), { land: 0, lines: 0 });
  },

  /** What differs between two states of a history is what their files say, and backwards the opposite. */
  moves(random) {
    const [before, after] = [statesOf(random), statesOf(random)];
    const forth = moveActs(page).moves([before, after]);
    const back = moveActs(page).moves([after, before]);
    const turned = (moves) => Object.fromEntries(Object.entries(moves).map(([from, to]) => [to, from]));
    assert.deepEqual(turned(back.files), forth.files, JSON.stringify([before, after]));
    assert.deepEqual(turned(back.folders), forth.folders, JSON.stringify([before, after]));
    for (const [from, to] of Object.entries(forth.files)) {
      assert.ok(before[from] && after[to] && !after[from] && !before[to]);
      assert.deepEqual(before[from], after[to]);
    }
  },

  /** The address of a view leads back to it, to less than a pixel. */
  addresses(random) {
    const camera = new page.Camera();
    camera.resize(800, 600);
    camera.set(random.between(0.01, 0.99), random.between(0.05, 0.95), Number(random.between(0, 24).toFixed(2)));
    const path = random.pick(["usr/a b", "usr/é&x=1", "usr/#/%", "usr/,:"]);
    const wanted = { name: random.pick(["", "*.c", "a,b:c", "é %"]), size: random.pick(["", "+1k"]) };
    const found = page.readAddress(page.writeAddress(camera, random.chance(0.5) ? { path } : { rawPath: "usr/%FF" }, wanted));
    assert.ok(found.path === path || found.raw === "usr/%FF");
    assert.deepEqual(found.fit, wanted.name || wanted.size ? Object.fromEntries(Object.entries(wanted).filter(([, value]) => value)) : null);
    near(found.view.z, camera.z, 0.005, "zoom");
    near((found.view.x - camera.x) * camera.scale, 0, 1, "pixels to the east");
    near((found.view.y - camera.y) * camera.scale, 0, 1, "pixels to the south");
  },

  /** The speed that is asked for can be chosen, in its place among the others; a long history takes a minute, and play ends. */
  playback(random) {
    const timeline = playedOf(random);
    const kind = page.timeKinds[random.pick(["history", "recording"])];
    const speed = random.pick([null, 0.001, 1, 7.5, 60, 1e6]);
    const playback = new page.PlaybackSpeed(kind, timeline, speed);
    if (speed) assert.deepEqual([playback.speed, playback.wanted.seconds], [speed, null]);
    assert.ok(playback.speeds.includes(playback.speed));
    assert.deepEqual(playback.speeds, [...new Set(playback.speeds)].sort((a, b) => a - b));
    assert.ok(playback.speedAfter(1) > playback.speed || playback.speed === playback.speeds.at(-1));
    if (!speed && (kind.isInRealTime || timeline.end - timeline.start <= 60)) assert.equal(playback.speed, 1);
    else if (!speed) assert.equal(playback.wanted.seconds, page.defaultTime(timeline));
    assert.ok(page.defaultTime(timeline) <= 60);
    playback.loops = random.chance(0.3);
    const length = random.pick([0, 0.3, 5]);
    let play = random.between(0, length);
    for (let i = 0; i < 50; i += 1) {
      const passed = random.between(0, 0.25);
      const then = playback.next(play, passed, length);
      assert.ok((then >= play && then <= Math.min(length, play + passed + 1e-9)) || (playback.loops && then === 0), `${play} to ${then}`);
      assert.equal(playback.endsAt(then, length), !playback.loops && then === length);
      play = then;
    }
  },

  /** Time runs on in a play, each change is played once and in order, and seeking to a moment shows the same as playing to it. */
  schedule(random) {
    const timeline = playedOf(random);
    const seconds = random.pick([null, 5, 60]);
    const wanted = { seconds, speed: random.pick([1, 60, 86400]), quickens: random.chance(0.5) };
    const schedule = new page.Schedule(timeline, wanted);
    const { length } = schedule;
    const span = timeline.end - timeline.start;
    if (span > 0 && seconds) near(length, seconds, 1e-6, "seconds of play");
    if (span > 0 && !seconds) assert.ok(length <= span / wanted.speed + 1e-6 && length >= span / wanted.speed / 6 - 1e-6);
    let [before, count] = [schedule.momentAt(-1), 0];
    assert.equal(schedule.happened(-1), 0);
    for (let step = 0; step <= 60; step += 1) {
      const play = (length * step) / 60;
      const moment = schedule.momentAt(play);
      assert.ok(moment.time >= before.time && moment.state >= before.state, `at ${play} of ${length}`);
      assert.ok(moment.time >= timeline.times[moment.state] && !(moment.time > timeline.times[moment.state + 1]));
      // No jump: quiet times are at most six times as fast as busy ones, and waves stand still.
      if (span > 0 && step > 0) assert.ok(moment.time - before.time <= (8.1 * span) / 60 + 1e-6, `${moment.time - before.time} of ${span} in a sixtieth`);
      const happened = schedule.happened(play);
      assert.ok(happened >= count && happened <= timeline.firstChanges[moment.state + 1]);
      if (happened > 0) assert.ok(schedule.playOfChange(happened - 1) <= play + 1e-9);
      if (happened < timeline.changeCount) assert.ok(schedule.playOfChange(happened) >= play - 1e-9);
      // The same moment, or within a wave the end of it.
      const sought = schedule.playOf(moment.time, moment.state);
      const left = timeline.firstChanges[moment.state + 1] - happened + 1;
      const by = 1e-6 * Math.max(1, length);
      assert.ok(sought > play - by && sought <= play + left * schedule.pauses[moment.state] + by, `${sought} from ${play}`);
      [before, count] = [moment, happened];
    }
    assert.deepEqual(schedule.momentAt(length + 1), { time: timeline.end, state: timeline.stateCount - 1 });
    assert.equal(schedule.happened(length + 1e-9), timeline.changeCount);
    near(schedule.playOf(timeline.end, timeline.stateCount - 1), length, 1e-6, "the play of the end");
  },

  /** Many simultaneous changes are a wave, few are not; quiet times are shorter, and all of it is as long. */
  waves(random) {
    assert.deepEqual([0, 1, 29].map(page.waveOf), [0, 0, 0]);
    assert.deepEqual([page.waveOf(5000), page.waveOf(1e6)], [1.5, 1.5]);
    const [few, many] = [random.number(30, 5000), random.number(30, 5000)].sort((a, b) => a - b);
    assert.ok(page.waveOf(few) <= page.waveOf(many));
    const timeline = new page.Timeline(5000, 3, 5002);
    for (let node = 0; node < 5000; node += 1) timeline.addNode(`r/${node}`, false, 0, 0);
    const start = random.number(0, 1e9);
    const addState = (time, count) => {
      timeline.addState(time, 0, "", "");
      for (let i = 0; i < count; i += 1) timeline.addChange(i, page.ADDED, 1);
    };
    for (const [time, count] of [[start, 1], [start + 86400 * random.number(1, 9), 5000], [start + 864000, 1]]) addState(time, count);
    const schedule = new page.Schedule(timeline.finish(), { seconds: 60, quickens: random.chance(0.5) });
    const [first, last] = [1, 5000].map((change) => schedule.playOfChange(change));
    near(last - first, 1.5, 0.01, "seconds of a wave");
    near(schedule.momentAt((first + last) / 2).time, timeline.times[1], 1, "time in a wave");
    const quick = (quickens) => new page.Schedule(timeline, { seconds: 60, quickens });
    const middle = (timeline.times[1] + timeline.times[2]) / 2;
    const pause = (one) => one.playOf(middle + 3600, 1) - one.playOf(middle - 3600, 1);
    assert.ok(pause(quick(true)) < pause(quick(false)), "quiet times are as slow as others");
  },

  /** The camera begins and ends with the whole, returns to it, stays within it, and never jerks. */
  shots(random) {
    const timeline = playedOf(random);
    const schedule = new page.Schedule(timeline, { seconds: random.pick([3, 20, 60, 300]), quickens: random.chance(0.5) });
    const whole = { x: 0.5, y: 0.5, z: random.between(0, 4), across: 0.8, down: 0.45, ox: random.pick([0, 0.05]), oy: random.pick([0, 0.02]) };
    const shots = new page.Shots(timeline, schedule, whole);
    const rest = { x: whole.x + whole.ox, y: whole.y + whole.oy, z: whole.z };
    for (const play of [-1, 0, schedule.length, schedule.length + 1]) assert.deepEqual(shots.at(play), rest);
    for (let i = 0; i <= shots.count; i += 1) assert.deepEqual(shots.at(i * shots.time), rest);
    assert.ok(shots.time < 18.1);
    const step = 1 / 30;
    let [a, b] = [shots.at(0), shots.at(step)];
    for (let play = 2 * step; play < Math.min(schedule.length, 40); play += step) {
      const c = shots.at(play);
      for (const [key, unit] of [["x", whole.across], ["y", whole.down], ["z", 1]]) {
        assert.ok(Math.abs(c[key] - b[key]) / unit / step < 1.8, `${key} moves by ${(c[key] - b[key]) / step} a second`);
        assert.ok(Math.abs(c[key] - 2 * b[key] + a[key]) / unit / step ** 2 < 4.5, `${key} jerks by ${(c[key] - 2 * b[key] + a[key]) / step ** 2}`);
      }
      const less = 2 ** (whole.z - c.z);
      assert.ok(c.z >= whole.z && Math.abs(c.x - whole.ox * less - whole.x) <= ((1 - less) / 2) * whole.across + 1e-9);
      // From the second of play alone.
      if (random.chance(0.05)) assert.deepEqual(new page.Shots(timeline, schedule, whole).at(play), c);
      [a, b] = [b, c];
    }
    near(page.eased(random.next()) + page.eased(1 - random.next()), 1, 1, "eased");
    assert.deepEqual([-1, 0, 0.5, 1, 2].map(page.eased), [0, 0, 0.5, 1, 1]);
  },

  /** The camera goes to where most happens. */
  focus(random) {
    const timeline = new page.Timeline(100, 100, 100);
    for (let node = 0; node < 100; node += 1) timeline.addNode(`r/${node}`, false, 0, 0);
    const [x, y] = [random.between(0.3, 0.7), random.between(0.4, 0.6)];
    for (let node = 0; node < 100; node += 1) [timeline.x[node], timeline.y[node]] = [x + random.between(-0.02, 0.02), y + random.between(-0.02, 0.02)];
    for (let state = 0; state < 100; state += 1) {
      timeline.addState(state * 1000, 0, "", "");
      timeline.addChange(state, page.CHANGED, 1);
    }
    const whole = { x: 0.5, y: 0.5, z: 2, across: 0.8, down: 0.45, ox: 0, oy: 0 };
    const shots = new page.Shots(timeline.finish(), new page.Schedule(timeline, { seconds: 60 }), whole);
    const at = shots.at(shots.time / 2);
    assert.ok(at.z > 3 && Math.abs(at.x - x) < Math.abs(0.5 - x) + 0.03, JSON.stringify(at));
    assert.ok(Math.abs(x - at.x) < (0.5 * 0.8) / 2 ** (at.z - 2), "what happens is seen");
  },

  /** Counters say what adding up each state says. */
  counters(random) {
    const { timeline, states } = historyOf(random);
    const counters = new page.Counters(timeline);
    for (const state of states.keys()) {
      const { files, bytes } = timeline.sumsOf(timeline.node("r", true), state);
      assert.deepEqual(counters.at(state), { files, bytes: files > 0 ? bytes : 0, states: state + 1 });
    }
    assert.deepEqual(counters.at(-1), { files: 0, bytes: 0, states: 0 });
    timeline.sizes.fill(NaN);
    const known = new page.Counters(timeline).at(0);
    assert.equal(known.bytes, known.files > 0 ? undefined : 0);
    const shown = page.showCounters(timeline, "history", counters.at(0));
    assert.match(shown, /^[\d,]+ files? · [\d.]+ (bytes?|kB) · 1 state$/);
    assert.deepEqual(page.captionOf(timeline, 99), { text: "", author: -1 });
  },

  /** The sheet of a film names the most active authors first, and a film has even sides. */
  films(random) {
    const timeline = playedOf(random);
    const first = random.number(0, timeline.changeCount);
    const end = random.number(first, timeline.changeCount);
    const active = page.mostActive(timeline, [first, end]);
    assert.equal(active.reduce((sum, { count }) => sum + count, 0), end - first);
    assert.ok(active.every(({ name, count }, i) => count > 0 && timeline.authors.includes(name) && !(count > active[i - 1]?.count)));
    const [width, height] = page.filmSize(random.number(1, 5000), random.number(1, 3000));
    assert.ok(width % 2 === 0 && height % 2 === 0 && width <= 1920 && height <= 1080 && width > 0 && height > 0);
    assert.equal(page.showDate(1535932800), "3 September 2018");
    assert.deepEqual(page.unitsOf(timeline, random.pick(["history"])), ["commit", "commits"]);
    assert.equal(page.unitsOf(timeline, "recording")[0], "event");
  },

  "symbols have areas in proportion to bytes, and take no more than their part of the land": (random) => {
    const amounts = () => random.list(0, 40, () => Math.floor(random.next() ** 8 * 1e10));
    const level = { lands: amounts(), files: amounts(), isWorld: random.chance(0.5), area: random.chance(0.2) ? Infinity : random.between(1e3, 1e6),
      side: random.between(200, 1500) };
    const all = [...level.lands, ...level.files];
    const [largest, sum] = [Math.max(0, ...all), all.reduce((a, b) => a + b, 0)];
    const unit = page.unitRadius(level);
    if (largest === 0) return assert.equal(unit, 0);
    const most = !level.lands.some((amount) => amount > 0) ? 75 / Math.sqrt(Math.PI) : level.isWorld ? 78 : 70;
    assert.ok(unit * Math.sqrt(largest) <= most * (1 + 1e-9));
    assert.ok(Math.PI * unit * unit * sum <= 0.2 * level.area * (1 + 1e-9));
    const tight = page.unitRadius({ ...level, parts: [{ sum: sum / 2, area: 1000 }, { sum: 0, area: 1 }] });
    assert.ok(tight <= unit && Math.PI * tight * tight * (sum / 2) <= 0.7 * 1000 * (1 + 1e-9));
    if (level.area === Infinity && level.side >= 560) near(unit * Math.sqrt(largest), most, 1e-6, "the largest");
    near(page.sideOf(3) ** 2, Math.PI * 9, 1e-9, "a square");
    near(page.leastAmount(sum) * 20000, sum, 1e-3, "the least amount");
    const references = page.referenceAmounts(unit, largest);
    assert.ok(references.length > 0);
    for (const amount of references) assert.match(String(amount).replace(/e\+\d+$/, ""), /^[125]0*$/);
    references.reduce((a, b) => assert.ok(a > b));
    return undefined;
  },

  "symbols that would hide each other are pushed apart": (random) => {
    const symbols = random.list(0, 40, () => ({ x: random.number(0, 60) * 10, y: random.number(0, 40) * 10, r: 2 + 60 * random.next() ** 3, isSquare: random.chance(0.4) }));
    const places = page.pushedApart(symbols);
    assert.deepEqual(places, page.pushedApart(symbols));
    const moved = symbols.map((symbol, i) => ({ ...symbol, x: places[2 * i], y: places[2 * i + 1] }));
    for (const { x, y } of moved) assert.ok(Number.isFinite(x) && Number.isFinite(y));
    // Few of many stay covered where there is no room; of two none.
    const [a, b] = moved;
    const alone = symbols.length < 2 ? [] : page.pushedApart([symbols[0], symbols[1]]);
    if (b && a.isSquare && b.isSquare) {
      assert.ok(Math.max(Math.abs(alone[2] - alone[0]), Math.abs(alone[3] - alone[1])) >= a.r + b.r - 0.01, "squares overlap");
    }
    if (b && !a.isSquare && !b.isSquare) {
      const [large, small] = [Math.max(a.r, b.r), Math.min(a.r, b.r)];
      const far = Math.hypot(alone[2] - alone[0], alone[3] - alone[1]);
      if (small >= 0.25 * large) assert.ok(far >= large + small - 0.5, "circles overlap");
      else near(far, Math.hypot(symbols[1].x - symbols[0].x, symbols[1].y - symbols[0].y), 1e-9, "a small circle");
    }
    if (b && a.isSquare !== b.isSquare && Math.min(a.r, b.r) >= 2.5) {
      assert.ok(Math.hypot(alone[2] - alone[0], alone[3] - alone[1]) >= a.r + b.r - 0.5, "a circle and a square of another land overlap");
    }
    // Squares stay at the circle of their land, and clusters of two lands part.
    const cluster = (group) => {
      const [x, y, r] = [random.between(0, 60), random.between(0, 60), random.between(20, 60)];
      return [{ x, y, r, group }, { x: x + random.between(-200, 200), y: y + random.between(-200, 200), r: random.between(3, 0.88 * r), isSquare: true, group }];
    };
    const clusters = [...cluster("a"), ...cluster("b")];
    const at = page.pushedApart(clusters);
    const far = (i, j) => Math.hypot(at[2 * i] - at[2 * j], at[2 * i + 1] - at[2 * j + 1]);
    for (const [circle, square] of [[0, 1], [2, 3]]) assert.ok(far(circle, square) <= clusters[circle].r + 0.01, "a square left its circle");
    assert.ok(far(0, 2) >= clusters[0].r + clusters[2].r - 1, "clusters overlap");
    const rooms = page.withRoom(clusters, at);
    for (const [circle, square] of [[0, 1], [2, 3]]) {
      const corner = Math.hypot(...[0, 1].map((axis) => Math.abs(at[2 * circle + axis] - at[2 * square + axis]) + clusters[square].r));
      assert.ok(rooms[circle] && (!rooms[square] || corner <= clusters[circle].r + 1), "a square without room");
      if (2 * clusters[square].r ** 2 < clusters[circle].r ** 2) assert.ok(rooms[square], "a square that fits its circle has room");
    }
    const lone = page.pushedApart([{ x: 3, y: 4, r: 9 }]);
    assert.deepEqual([...lone], [3, 4]);
  },

  "blocks of text take free places, near ones first, and keep theirs": (random) => {
    const symbol = { x: random.between(0, 500), y: random.between(0, 500), r: random.between(0, 80), isSquare: random.chance(0.4) };
    const size = { width: random.between(10, 160), height: random.between(10, 50) };
    const taken = random.list(0, 12, () => {
      const [x, y] = [symbol.x + random.between(-200, 200), symbol.y + random.between(-200, 200)];
      return [x, y, x + random.between(5, 120), y + random.between(5, 60)];
    });
    const isFree = (box) => !taken.some((other) => page.overlap(other, box));
    const place = page.placeBlock(symbol, size, { isFree, isClear: (line) => !taken.some((box) => page.meets(line, box)) });
    const free = page.placeBlock(symbol, size, { isFree: () => true });
    assert.equal(free.direction, 0);
    assert.equal(free.line, null);
    assert.equal(page.placeBlock(symbol, size, { isFree: () => false }), null);
    if (!place) return;
    assert.ok(isFree(place.box));
    near(place.box[2] - place.box[0], size.width, 1e-9, "the width");
    near(place.box[3] - place.box[1], size.height, 1e-9, "the height");
    assert.equal(place.line !== null, place.gap >= 12);
    if (place.line) assert.ok(page.meets(place.line, place.box) && !taken.some((box) => page.meets(place.line, box)));
    const over = { x: place.box[0], y: place.box[1], r: 500 };
    assert.ok(page.costOver(place.box, { ...over, isSquare: true }) > page.costOver(place.box, over));
    assert.equal(page.costOver(place.box, { ...over, x: place.box[2] + 600 }), 0);
    // A block stays where it is while that place is free.
    const again = page.placeBlock(symbol, size, { isFree: () => true }, { direction: 8, gap: 20, keeps: 45 });
    assert.deepEqual([again.direction, again.gap], [8, 20]);
  },

  "a box crosses a border if two grounds are in it, and else is in one": (random) => {
    const grounds = new page.Grounds({ width: 400, height: 300 });
    const box = () => {
      const [x, y] = [random.number(0, 60) * 4, random.number(0, 40) * 4];
      return [x, y, x + random.number(10, 40) * 4, y + random.number(10, 30) * 4];
    };
    const lands = random.list(1, 5, (_, index) => ({ path: `r/${index}`, box: box() }));
    for (const { path, box: [w, n, e, s] } of lands) grounds.add(path, [w / 8, n / 8, e / 8, n / 8, e / 8, s / 8, w / 8, s / 8], [0, 0], 8);
    grounds.close();
    const at = (x, y) => lands.findLast(({ box: [w, n, e, s] }) => x >= w && x < e && y >= n && y < s)?.path;
    const [x, y] = [random.between(10, 300), random.between(10, 240)];
    assert.equal(grounds.at(x, y), at(Math.floor(x / 4) * 4 + 2, Math.floor(y / 4) * 4 + 2));
    const text = [x, y, x + random.between(8, 90), y + random.between(8, 50)];
    const found = new Set();
    for (let i = text[0]; i < text[2]; i += 1) for (let j = text[1]; j < text[3]; j += 1) found.add(at(i, j));
    if (found.size > 1) assert.ok(grounds.borders(text) > 0, "a border that no box crosses");
    // Near a border the cells are on either side.
    const wide = new Set();
    for (let i = text[0] - 8; i < text[2] + 8; i += 1) for (let j = text[1] - 8; j < text[3] + 8; j += 1) wide.add(at(i, j));
    if (wide.size === 1) assert.equal(grounds.borders(text), 0);
  },

  "the largest, the fullest and the newest lands are named, and namesakes told apart": (random) => {
    const lands = random.list(0, 30, (_, i) => ({ path: `r/${i}`, name: `${i}`, bytes: Math.floor(random.next() ** 6 * 1e9), files: random.number(0, 50), newest: random.number(0, 1e9) }));
    const amount = ({ bytes }) => bytes;
    const least = lands.reduce((sum, { bytes }) => sum + bytes, 0) / 20000;
    const captions = page.landCaptions(lands, amount, least);
    const named = new Set(captions.map(({ thing }) => thing));
    assert.equal(named.size, captions.length);
    const known = lands.filter(({ bytes }) => bytes > 0);
    for (const land of [...known].sort((a, b) => b.bytes - a.bytes).slice(0, 12)) assert.equal(named.has(land) || land.bytes < least, true);
    if (known.length > 0) assert.ok(named.has(lands.reduce((a, b) => (b.newest > a.newest ? b : a))));
    assert.ok(named.size <= 16);
    for (const { lines } of captions) assert.ok(lines.every(([text]) => text.length > 0));
    const few = [{ path: "r/a", name: "a", bytes: 5e8, files: 9, newest: 5e8, largest: { name: "in", bytes: 2e8 } }, ...["b", "c", "d"].map((name) => ({ path: `r/${name}`, name, bytes: 100, files: 8, newest: 4e8 })),
      { path: "r/e", name: "e", bytes: 1, files: 1, newest: 9e8 }];
    const said = page.landCaptions(few, amount, 50);
    assert.deepEqual(said[0].lines.at(-1), ["most in in, 200 MB", "inner"]);
    assert.deepEqual([said.at(-1).lines[0], said.at(-1).lines.at(-1)], [["e", "minor"], [`changed last, ${page.showTime(9e8).slice(0, 10)}`, "last"]]);
    const files = [...new Set(random.list(0, 8, () => random.list(2, 4, () => random.pick(["a", "b", "c"])).join("/")))]
      .map((path) => ({ path, name: path.slice(path.lastIndexOf("/") + 1) }));
    const words = page.tellApart(files);
    files.forEach((file, i) => assert.equal(words[i] === "", files.filter(({ name }) => name === file.name).length === 1));
    assert.deepEqual(page.tellApart([{ path: "l/x/lib/m", name: "m" }, { path: "l/y/lib/m", name: "m" }]), ["x", "y"]);
  },

  "files in none of the folders are one sum, named where one of them is": (random) => {
    const lands = random.list(0, 6, () => ({ bytes: random.number(0, 1000), files: 3 }));
    const own = random.list(0, 9, () => ({ bytes: random.number(0, 1000) }));
    const amount = ({ bytes }) => bytes;
    const found = page.looseFiles({ lands, own }, amount);
    const sum = own.reduce((all, { bytes }) => all + bytes, 0);
    assert.deepEqual(found, lands.length > 0 && own.length > 0 ? { files: own.length, amount: sum } : null);
    const places = own.map(() => ({ x: random.next(), y: random.next() }));
    const caption = page.looseCaption({ lands, own }, amount, places);
    const all = sum + lands.reduce((total, { bytes }) => total + bytes, 0);
    assert.equal(caption !== null, found !== null && own.length > 1 && sum >= 0.05 * all);
    if (caption) assert.ok(places.some(({ x, y }) => x === caption.x && y === caption.y) && caption.lines[1][0].endsWith(`${own.length} files`));
  },

  "turned and bent names are at least ten pixels high": (random) => {
    const sizes = random.list(1, 6, () => random.number(8, 20));
    const line = { angle: random.between(-1.5, 1.5), sag: random.between(-20, 20), chord: 100 };
    const found = page.legibleSizes(line, sizes);
    assert.deepEqual(found, Math.abs(line.angle) + Math.atan(Math.abs(line.sag) / 25) > 0.15 ? sizes.filter((size) => size >= 10) : sizes);
    assert.deepEqual(page.legibleSizes({ angle: 0, sag: 0, chord: 100 }, sizes), sizes);
  },

  "the line of a folder's sizes stays in its box, with the largest on top": (random) => {
    const times = random.list(1, 24, () => random.number(0, 1e9)).sort((a, b) => a - b);
    const sizes = times.map(() => (random.chance(0.2) ? null : random.number(0, 1e9)));
    const points = page.sparkPoints(times, sizes);
    const known = sizes.filter((size) => size !== null);
    assert.equal(points.length, known.length < 2 ? 0 : known.length);
    for (const [x, y] of points) assert.ok(x >= 0 && x <= 44 && y >= 0 && y <= 12);
    const highest = Math.min(...points.map(([, y]) => y));
    points.forEach(([, y], i) => assert.ok(known[i] < Math.max(1, ...known) || y === highest));
  },

  "the level in view is the deepest land that fills more than half": (random) => {
    const chain = random.list(0, 6, (_, depth) => ({ path: `${depth}`, depth }));
    const samples = random.list(1, 60, () => chain.slice(0, random.number(0, chain.length)));
    const found = page.landThatFills(samples);
    const share = (land) => samples.filter((lands) => lands.includes(land)).length / samples.length;
    if (found) assert.ok(share(found) > 0.5);
    for (const land of chain) if (land.depth > (found?.depth ?? -1)) assert.ok(share(land) <= 0.5);
  },
};

/** Files of some paths: of each its size and what is in it. Folders have null. */
function statesOf(random) {
  const state = {};
  for (let i = random.number(0, 10); i > 0; i -= 1) {
    const parts = random.list(1, 3, () => random.pick(["a", "b", "c-", "😀", "！"]));
    const folders = parts.map((_, index) => parts.slice(0, index).join("/")).slice(1);
    if (folders.some((one) => state[one]) || parts.join("/") in state) continue;
    for (const one of folders) state[one] = null;
    state[parts.join("/")] = random.chance(0.15) ? null : [random.number(0, 2), random.number(1, 3)];
  }
  return state;
}

/** A random history as a time line, what is there in each of its states, and all its nodes. */
function historyOf(random) {
  const states = random.list(1, 5, () => Object.fromEntries(Object.entries({ ...statesOf(random) }).map(([path, known]) => [`r/${path}`, known])));
  for (const state of states) state.r = null;
  return { states, ...moveActs(page).timelineOf(states, random.number(0, 1e9), () => random.number(1, 1e6)) };
}

/** A time line of any rhythm: pauses, bursts, simultaneous states, large commits; at random places. */
function playedOf(random) {
  const states = random.number(1, 60);
  const pause = () => random.pick([() => 0, () => 0, () => random.number(1, 50), () => random.number(1, 86400), () => random.number(1, 1e7)])();
  const counts = Array.from({ length: states }, () => random.pick([0, 1, 2, 5, random.chance(0.1) ? 400 : 3]));
  const sum = counts.reduce((a, b) => a + b, 0);
  const timeline = new page.Timeline(40, states, sum, { authors: ["Ann", "Bo", "Ü"] });
  for (let node = 0; node < 40; node += 1) timeline.addNode(`r/${node}`, node % 10 === 0, random.between(-100, 100), random.between(-60, 60));
  let time = random.number(0, 1e9);
  for (const count of counts) {
    timeline.addState(time, random.number(0, 2), "", "");
    for (let i = 0; i < count; i += 1) timeline.addChange(random.number(0, 39), random.pick([page.ADDED, page.CHANGED, page.REMOVED]), 1);
    time += pause();
  }
  return timeline.finish();
}

// MARK: Links

/** Links copied from the page of version 0.1.0 still lead to their place, selection and filter. */
function checkEarlierLinks() {
  const links = [
    ["#2.7/59.231/-52.746&path=usr/lib", { lat: 59.231, lon: -52.746, z: 2.7, path: "usr/lib", raw: null, fit: null }],
    ["#12.34/-5.123457/101.765432&path=a%20b/%C3%BC%26%3D%23%25/x",
      { lat: -5.123457, lon: 101.765432, z: 12.34, path: "a b/ü&=#%/x", raw: null, fit: null }],
    ["#25/11.7436421235/4.8689871235&raw=usr/%FFa&fit=name:*.log,type:code%7Ctext,size:%2B10M",
      { lat: 11.7436421235, lon: 4.8689871235, z: 25, path: null, raw: "usr/%FFa", fit: { name: "*.log", type: "code|text", size: "+10M" } }],
  ];
  for (const [link, { lat, lon, z, path, raw, fit }] of links) {
    const { view, ...read } = page.readAddress(link);
    assert.deepEqual(read, { path, raw, fit, colours: null, sizes: null }, link);
    assert.deepEqual(view, { ...page.project(lon, lat), z }, link);
  }
}

// MARK: All of it

let shared = checkCases("rules.json", ruleActs(page));
shared += checkCases("tracks.json", trackActs(page));
shared += checkCases("moves.json", moveActs(page));
shared += checkCases("changes.json", changeActs(page));
checkTile();
checkWantedNames();
checkEarlierLinks();
checkRanking();
checkHeaviest();
checkForeignNames();
checkShellPaths();
const words = checkShell();
checkKept();
checkPicks();
checkLinks();
checkClasses();
checkValues();
checkSignposts();
await checkSearchOfSite();
for (const [name, property] of Object.entries(properties)) {
  for (let seed = 1; seed <= CASES; seed += 1) {
    try {
      property(new Random(seed * 7919 + name.length));
    } catch (error) {
      console.error(`FAILED: ${name}, seed ${seed}: ${error.stack}`);
      process.exit(1);
    }
  }
}
console.log(`${shared} cases that Swift tests share, the golden tiles, ${Object.keys(properties).length} properties in ${CASES} cases each, ${words} paths read by a shell`);
