// Tests what is arithmetic in the page's scripts, without a browser.
//
//     node page_scripts.mjs [--cases N]
//
// Runs the cases that Swift tests share (rules.json, tracks.json, moves.json, the golden tiles), then properties of
// places, moves, the time scale, time lines, tiles, GPX and JSON with N random cases each (200). A failure names its
// seed. The names in all scripts are checked first (page_names.mjs). With GEOMAPPER_RECORD_RULES set, the results of
// moves.json are written there instead.
//
// The scripts are modules that a browser loads as they are. For node, copies of them get a package.json that says so.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { moveActs, round, ruleActs, trackActs } from "./page_cases.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--cases");
const CASES = at > 0 ? Number(process.argv[at + 1]) : 200;

/** The scripts whose exports are tested, all that is exported in one object. */
async function scripts() {
  const folder = mkdtempSync(join(tmpdir(), "geomapper-scripts-"));
  try {
    cpSync(join(here, "../../Sources/GeoWeb/Page/Assets"), folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    // What scripts ask for while they are loaded.
    globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
    const names = ["address", "camera", "comparison", "favourites", "geo", "gpx", "ground", "lights", "links", "mercator", "mvt", "names", "palette",
      "pace", "pick", "pmtiles", "published", "rules", "signposts", "sorted", "timeline", "timescale", "trackjson", "charts", "ways", "glow"];
    const modules = [];
    for (const name of names) modules.push(await import(pathToFileURL(join(folder, `${name}.js`))));
    return Object.assign({}, ...modules);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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
const page = await scripts();
const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a}, not ${b}`);
const read = (path) => readFileSync(join(here, path));

// MARK: Cases that Swift tests share

function checkCases(name, acts) {
  const path = join(here, name);
  const cases = JSON.parse(readFileSync(path, "utf8"));
  if (process.env.GEOMAPPER_RECORD_RULES && name === "moves.json") {
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

/** The search of a site finds by names' beginnings, by globs, and by what is in names. */
async function checkSearchOfSite() {
  const [twice, once] = [["app.log", "App.LOG.1", "log"], ["login", "x.log"]];
  const files = {
    s0: [["[x", "r"], ...twice.map((name) => [name, "r", "r/two"])].map((line) => JSON.stringify(line)),
    s1: once.map((name) => JSON.stringify([name, "r"])),
    n0: [JSON.stringify({ path: "r", files: ["[x", ...twice, ...once] }), JSON.stringify({ path: "r/two", files: twice })],
  };
  const lists = { search: [["", "s0"], ["6c6f67", "s1"]], names: ["n0"] };
  const world = { archive: "a", begin: "", search: "search", names: "names", nameBytes: 1e9 };
  globalThis.document = { getElementById: () => ({ textContent: JSON.stringify(world) }) };
  const source = await page.openSource();
  Object.assign(source, { list: async (file) => lists[file], part: async (file) => files[file] });
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
}

/** What the browser keeps for a set of roots, and points that were kept for all maps of an address. */
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
  const [a, ab, abroad, place] = [{ path: "a" }, { path: "a/b" }, { path: "ab/c" }, { lon: 1, lat: 2 }];
  assert.deepEqual(page.divide([a, abroad, ab, place], ["a"]), [[a, ab, place], [abroad]]);
  page.kept.set("favourites", JSON.stringify(["a/b", "ab/c", { lon: 1, lat: 2 }, 7]));
  const points = (...labels) => new page.Points(roots(...labels), page.keptFor(roots(...labels))).all;
  assert.deepEqual(points("a"), [{ path: "a/b", star: true }, { lon: 1, lat: 2, star: true }]);
  assert.deepEqual(JSON.parse(page.kept.get("favourites")), [{ path: "ab/c", star: true }]);
  assert.equal(points("a").length, 2);
  assert.deepEqual(points("ab"), [{ path: "ab/c", star: true }]);
  assert.equal(page.kept.get("favourites"), null);
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
  assert.deepEqual([[10, 10], [30, 21], [30, 23], [55, 15], [65, 15]].map((at) => page.nameAt(placed, ...at)), ["one", "one", null, null, "two"]);
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

/** Classes of age, of land without files, and their link. */
function checkClasses() {
  assert.deepEqual(page.ageBounds([]), []);
  assert.deepEqual(page.ageBounds([0.01, 0.5, 0.6, 20, 300, 5000]), [1 / 24, 1, 30, 365]);
  assert.deepEqual(page.ageBounds([0.5, 0.6]), [1]);
  assert.deepEqual(page.ageBounds([5000]), []);
  assert.deepEqual(page.ageBounds([0.01, 0.5, 5, 20, 60, 300, 500, 5000]), [1 / 24, 1, 7, 30, 90]);
  const palette = Object.assign(new page.Palette(), { mode: "size", now: 1e9 });
  palette.bounds = page.classBounds([5.31e9, 134e6, 42]);
  const shades = [{ bytes: 5.31e9 }, { bytes: 134e6 }, { bytes: 42 }, { bytes: 0, files: 0 }, {}].map((land) => palette.shade(land));
  assert.equal(new Set(shades).size, 5);
  const words = new Map(palette.legend);
  assert.deepEqual(shades.map((shade) => words.get(shade)), ["3.00 GB or more", "under 3.00 GB in all", "under 100 MB in all", "empty", "not known yet"]);
  assert.equal(palette.link, "size:100000000,3000000000");
  const other = new page.Palette();
  assert.ok(other.read(palette.link));
  assert.deepEqual([other.mode, other.bounds], ["size", palette.bounds]);
  assert.deepEqual([other.read("age:x,-1"), other.mode, other.ages, other.read("nonsense:1"), other.mode], [false, "age", undefined, false, "age"]);
  Object.assign(palette, { mode: "age", ages: [1 / 24, 1] });
  assert.deepEqual(palette.legend.map(([, word]) => word), ["changed within an hour", "within a day", "longer ago", "empty", "not known yet"]);
  const ages = [1800, 3600 * 5, 1e6].map((seconds) => words.size && new Map(palette.legend).get(palette.shade({ newest: 1e9 - seconds })));
  assert.deepEqual(ages, ["changed within an hour", "within a day", "longer ago"]);
  const place = { z: 3, place: { lon: 1, lat: 2 } };
  assert.equal(page.readAddress(page.writeAddress(place, undefined, {}, palette.link)).colours, palette.link);
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
    camera.covered = { left: random.number(0, 60), right: random.number(0, 60), bottom: random.number(0, 60) };
    const box = [lon, lat, Math.min(180, lon + random.between(0, 40)), Math.min(85, lat + random.between(0, 40))];
    Object.assign(camera, camera.viewOf(box));
    for (const corner of [page.project(box[0], box[1]), page.project(box[2], box[3])]) {
      const [cx, cy] = camera.toScreen(corner.x, corner.y);
      assert.ok(cx >= camera.covered.left - 1 && cx <= camera.width - camera.covered.right + 1, `${box}: ${cx} of ${camera.width}`);
      assert.ok(cy >= -1 && cy <= camera.height - camera.covered.bottom + 1, `${box}: ${cy} of ${camera.height}`);
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
    const marks = page.scaleMarks(start, end, most);
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

  /** Whatever the pieces are that GPX comes in, it says the same, or is wrong in the same way. */
  gpx(random) {
    const text = gpxOf(random);
    const outcome = (piece) => {
      const maker = new page.WaysMaker();
      const reader = page.gpxReader(maker);
      try {
        for (let at = 0; at < text.length; at += piece) reader.push(text.slice(at, at + piece));
        reader.push("", true);
        return [maker.name, maker.lines.map(({ kind, name, starts, lon, lat, ele, time }) => [kind, name, starts, lon, lat, ele, time]), maker.places];
      } catch (error) {
        assert.ok(error instanceof page.Fault, String(error.stack));
        return error.message;
      }
    };
    const whole = outcome(text.length);
    for (const piece of [1, 2, 7, 50]) assert.deepEqual(outcome(piece), whole, text);
  },

  /** Valid JSON is read to its end; malformed JSON is refused at a position. */
  json(random) {
    const value = (depth) => (depth > 3 || random.chance(0.4)
      ? random.pick([0, -1.5, 1e30, true, false, null, "", "a\"\\\n\u2028", "é"])
      : random.chance(0.5) ? random.list(0, 3, () => value(depth + 1))
        : Object.fromEntries(random.list(0, 3, () => [random.pick(["a", "b\"", ""]), value(depth + 1)])));
    let text = JSON.stringify(value(0), null, random.number(0, 2));
    assert.equal(page.breakIn(text), text.length, text);
    for (let i = random.number(0, 3); i > 0; i -= 1) {
      const at = random.number(0, text.length);
      text = text.slice(0, at) + random.pick(["", "{", "}", "[", "]", ",", ":", "\"", "0", "-", "t", " ", "\\"]) + text.slice(at + random.number(0, 1));
    }
    let isJSON = true;
    try { JSON.parse(text); } catch { isJSON = false; }
    // What breaks off does so at its end.
    const end = page.breakIn(text);
    assert.ok(isJSON ? end === text.length : end >= 0 && end <= text.length, JSON.stringify(text));
    assert.equal(page.breakIn(text.slice(0, end)), end, JSON.stringify(text));
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

  /** Time runs on, over quiet times at most to shortly before what comes next. */
  pace(random) {
    const { timeline } = historyOf(random);
    const kind = page.timeKinds[random.pick(["history", "recording"])];
    const speed = random.pick([null, 0.001, 1, 7.5, 60, 1e6]);
    const pace = new page.Pace(speed ? page.withSpeed(kind, speed) : kind, timeline.end - timeline.start, speed);
    // The speed that is asked for can be chosen, in its place among the others.
    if (speed) assert.equal(pace.speed, speed);
    assert.ok(pace.speeds.includes(pace.speed));
    assert.deepEqual(pace.speeds, [...new Set(pace.speeds)].sort((a, b) => a - b));
    assert.ok(pace.speedAfter(1) > pace.speed || pace.speed === pace.speeds.at(-1));
    pace.loops = random.chance(0.3);
    let time = timeline.start;
    for (let i = 0; i < 50; i += 1) {
      const [passed, next] = [random.between(0, 0.25), timeline.times[timeline.stateAt(time) + 1] ?? Infinity];
      const then = pace.next(time, passed, timeline);
      const hasBegunAgain = pace.loops && then === timeline.start;
      assert.ok(then >= time || hasBegunAgain, `${time} to ${then}`);
      if (then > time + passed * pace.speed + 1e-9) assert.ok(then < next, `${then} is after ${next}`);
      time = then;
    }
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

/** GPX that may be wrong in places. */
function gpxOf(random) {
  const number = (most) => (random.chance(0.05) ? random.pick(["", "x", "1e9", " 1 "]) : random.between(-most, most).toFixed(random.number(0, 6)));
  const name = () => (random.chance(0.5) ? "" : `<name>${random.pick(["a", "&amp;b", "<![CDATA[<c>]]>", "&#x1F600;", " é ", "<!-- x -->d", "&bad;"])}</name>`);
  const point = (tag) => `<${tag} lat="${number(90)}" lon='${number(180)}'>${name()}${random.chance(0.3) ? `<ele>${number(100)}</ele>` : ""}`
    + `${random.chance(0.3) ? `<time>${random.pick(["2024-05-01T06:00:00Z", "2024-02-30T00:00:00Z", "2024-05-01T06:00:00.5+02:00"])}</time>` : ""}</${tag}>`;
  const parts = random.list(0, 4, () => random.pick([
    () => point("wpt"),
    () => `<rte>${name()}${random.list(0, 3, () => point("rtept")).join("\n")}</rte>`,
    () => `<trk>${name()}${random.list(0, 2, () => `<trkseg>${random.list(0, 3, () => point("trkpt")).join("")}</trkseg>`).join("")}</trk>`,
    () => "<extensions><x:y xmlns:x='z'><trkpt/></x:y></extensions>",
  ])());
  let text = `<?xml version="1.0"?>\n<gpx version="1.1">${parts.join("\n")}</gpx>\n`;
  for (let i = random.chance(0.5) ? random.number(1, 2) : 0; i > 0; i -= 1) {
    const at = random.number(0, text.length);
    text = text.slice(0, at) + random.pick(["", "<", ">", "\"", "&", "/", "]]>", "\n"]) + text.slice(at + random.number(0, 2));
  }
  return text;
}

// MARK: All of it

let shared = checkCases("rules.json", ruleActs(page));
shared += checkCases("tracks.json", trackActs(page));
shared += checkCases("moves.json", moveActs(page));
checkTile();
checkWantedNames();
checkKept();
checkPicks();
checkLinks();
checkClasses();
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
console.log(`${shared} cases that Swift tests share, the golden tiles, ${Object.keys(properties).length} properties in ${CASES} cases each`);
