// Checks the names in the page's scripts: what each imports, exports and uses.
//
//     node --expose-internals page_names.mjs [FOLDER]
//
// Refuses scripts that import each other in a ring, imports of what is not exported or not used, exports that no script and
// no test imports, names that are neither the script's own, imported, nor the browser's, assignments into parts of the
// page from outside of them, and members of layers that layers.js lacks or no script uses. Reads
// the scripts with the parser that node brings with it, which is why node needs the option.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { parse } = createRequire(import.meta.url)("internal/deps/acorn/acorn/dist/acorn");
const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "../../Sources/GeoWeb/Page/Assets");

/** What browsers have that the page uses. */
const BROWSER = new Set(`AbortController Array Blob Boolean DOMParser DataView Date DecompressionStream Error EventSource Float32Array Float64Array
  HTMLCanvasElement ImageData Infinity Int32Array Intl JSON Map Math MediaRecorder MutationObserver NaN Number Object Path2D Promise RegExp
  ResizeObserver Response Set String TextDecoder TextDecoderStream TextEncoder URL URLSearchParams Uint32Array
  Uint8Array addEventListener cancelAnimationFrame clearInterval clearTimeout decodeURIComponent document encodeURI
  encodeURIComponent fetch getSelection globalThis history indexedDB innerHeight innerWidth localStorage location
  matchMedia navigator parseInt performance print requestAnimationFrame setInterval setTimeout undefined`.split(/\s+/));

/** Parts of the page, as scripts call them: what is in them they assign themselves. */
const PARTS = ["address", "camera", "drawer", "labels", "layer", "layers", "level", "lights", "page", "palette", "panel", "people", "points", "recent",
  "scene", "selection", "shores", "source", "symbols", "table", "tiles", "timeline", "view"];

const faults = [];

class Scope {
  constructor(outer = null) {
    this.outer = outer;
    this.names = new Set();
  }

  has(name) { return this.names.has(name) || Boolean(this.outer?.has(name)); }
}

/** The names that a pattern declares. */
function* namesOf(pattern) {
  if (!pattern) return;
  if (pattern.type === "Identifier") yield pattern.name;
  else if (pattern.type === "ObjectPattern") for (const one of pattern.properties) yield* namesOf(one.value ?? one.argument);
  else if (pattern.type === "ArrayPattern") for (const one of pattern.elements) yield* namesOf(one);
  else yield* namesOf(pattern.type === "AssignmentPattern" ? pattern.left : pattern.argument);
}

/** The names that statements declare for all of their block. */
function declare(scope, statements) {
  for (const one of statements) {
    const statement = one.type === "ExportNamedDeclaration" ? one.declaration : one;
    if (statement.type === "VariableDeclaration") for (const { id } of statement.declarations) for (const name of namesOf(id)) scope.names.add(name);
    if (["FunctionDeclaration", "ClassDeclaration"].includes(statement.type)) scope.names.add(statement.id.name);
    if (statement.type === "ImportDeclaration") for (const { local } of statement.specifiers) scope.names.add(local.name);
  }
}

/** Calls back with each node that has a fault, and with the fault; `used` takes all names that are used. */
function eachFault(node, scope, used, told) {
  if (Array.isArray(node)) return node.forEach((one) => eachFault(one, scope, used, told));
  if (!node || typeof node.type !== "string") return undefined;
  const inner = (child, within = scope) => eachFault(child, within, used, told);
  switch (node.type) {
  case "Identifier":
    used.add(node.name);
    return scope.has(node.name) || BROWSER.has(node.name) ? undefined : told(node, `${node.name} is not declared, not imported, and not the browser's`);
  case "AssignmentExpression": {
    const { object, property } = node.left;
    const part = object?.name ?? object?.property?.name;
    if (PARTS.includes(part)) told(node, `${part}.${property.name} is assigned from outside`);
    inner(node.left);
    return inner(node.right);
  }
  case "MemberExpression":
    inner(node.object);
    return node.computed ? inner(node.property) : undefined;
  case "Property":
  case "MethodDefinition":
  case "PropertyDefinition":
    if (node.computed) inner(node.key);
    return inner(node.value);
  case "ImportDeclaration":
  case "BreakStatement":
  case "ContinueStatement":
    return undefined;
  case "LabeledStatement":
    return inner(node.body);
  case "Program":
  case "BlockStatement":
  case "StaticBlock":
  case "SwitchStatement": {
    const within = new Scope(scope);
    declare(within, node.type === "SwitchStatement" ? node.cases.flatMap(({ consequent }) => consequent) : node.body);
    if (node.discriminant) inner(node.discriminant);
    return inner(node.body ?? node.cases, within);
  }
  case "ForStatement":
  case "ForOfStatement":
  case "ForInStatement": {
    const within = new Scope(scope);
    declare(within, [node.init ?? node.left].filter(Boolean));
    return ["init", "left", "right", "test", "update", "body"].forEach((key) => inner(node[key], within));
  }
  case "CatchClause": {
    const within = new Scope(scope);
    for (const name of namesOf(node.param)) within.names.add(name);
    inner(node.param, within);
    return inner(node.body, within);
  }
  case "FunctionDeclaration":
  case "FunctionExpression":
  case "ArrowFunctionExpression": {
    const within = new Scope(scope);
    if (node.id) within.names.add(node.id.name);
    for (const param of node.params) for (const name of namesOf(param)) within.names.add(name);
    inner(node.params, within);
    return inner(node.body, within);
  }
  default:
    for (const [key, child] of Object.entries(node)) if (!["type", "start", "end"].includes(key)) inner(child);
    return undefined;
  }
}

/** Names of scripts that import each other in a ring, which begins and ends with the same; null if none do. */
export function findRing(imports) {
  const done = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of imports.get(name) ?? []) {
      const ring = visit(next, [...path, name]);
      if (ring) return ring;
    }
    done.add(name);
    return null;
  };
  for (const name of imports.keys()) {
    const ring = visit(name, []);
    if (ring) return ring;
  }
  return null;
}

const scripts = new Map(readdirSync(folder).filter((name) => name.endsWith(".js")).map((name) => {
  const text = readFileSync(join(folder, name), "utf8");
  return [name, { text, tree: parse(text, { ecmaVersion: "latest", sourceType: "module", locations: true }) }];
}));
const exported = new Map();
const imported = new Map();
for (const [name, { tree }] of scripts) {
  const own = new Scope();
  declare(own, tree.body.filter(({ type }) => type === "ExportNamedDeclaration"));
  exported.set(name, own.names);
  // Others get what a name has once its script has run.
  if (tree.body.some(({ declaration }) => declaration?.kind === "let")) faults.push(`${name} exports a name that can be assigned`);
  imported.set(name, tree.body.filter(({ type }) => type === "ImportDeclaration").map(({ source, specifiers }) =>
    ({ from: source.value.replace("./", ""), names: specifiers.map(({ imported: one }) => one.name) })));
}

const ring = findRing(new Map([...imported].map(([name, all]) => [name, all.map(({ from }) => from)])));
if (ring) faults.push(`scripts import each other in a ring: ${ring.join(" → ")}`);

const asked = new Set();
for (const [name, all] of imported) {
  for (const { from, names } of all) {
    for (const one of names) {
      asked.add(`${from} ${one}`);
      if (!exported.get(from)?.has(one)) faults.push(`${name} imports ${one}, which ${from} doesn't export`);
    }
  }
}
// What is loaded later, or in another script's place, is asked for by name; tests ask for what is reckoned.
const tests = readdirSync(here).filter((name) => /^(page_|check_page).*\.(mjs|py)$/.test(name) && name !== "page_names.mjs")
  .map((name) => readFileSync(join(here, name), "utf8")).join("\n");
const isTested = (name, one) => {
  const script = name.replace(".js", "");
  const object = `\\$${script}`;
  return new RegExp(`\\{[^}]*\\b${one}\\b[^}]*\\} = await scripts\\([^)]*"${script}"|\\b(page|library)\\.${one}\\b|\\{[^}]*\\b${one}\\b[^}]*\\} = .*\\)\\.${object}\\b|${object}: \\{[^}]*\\b${one}\\b`).test(tests);
};
const taken = ["saveFilm", "sendFilm", "openLibrary", "openKept", "openRecording", "makeSpan", "openSource", "saveView", "Search", "Overview", "Signposts", "Branch", "Values", "Ruler"];
for (const [name, names] of exported) {
  for (const one of names) {
    if (!asked.has(`${name} ${one}`) && !taken.includes(one) && !isTested(name, one)) {
      faults.push(`${name} exports ${one}, which no script and no test imports`);
    }
  }
}
for (const [name, { tree }] of scripts) {
  const used = new Set();
  eachFault(tree, new Scope(), used, ({ loc }, fault) => faults.push(`${name}:${loc.start.line}: ${fault}`));
  for (const { names } of imported.get(name)) for (const one of names) if (!used.has(one)) faults.push(`${name} imports ${one} and doesn't use it`);
}

// What layers are asked for is what layers.js says that a layer has, and what it says is asked for.
const membersOf = (name) => new Set(scripts.get("layers.js").tree.body.map(({ declaration, ...own }) => declaration ?? own)
  .find(({ id }) => id?.name === name).body.body.map(({ key }) => key.name));
const [ofLayer, ofLayers] = ["Layer", "Layers"].map(membersOf);
const asks = [[/\blayers\.(?!js")(\w+)/g, ofLayers], [/\blayers\.\w+(?:\.\w+)?\(\((?:\w+, )?layer(?:, [.\w]+)?\) => (?:\w+ \+ )?layer\.(\w+)/g, ofLayer],
  [/ of layers\.all\) layer\.(\w+)/g, ofLayer], [/\bthis\.all\.\w+\(\((?:\w+, )?layer\) => layer\.(\w+)/g, ofLayer]];
const wanted = new Set(["level"]);
for (const [name, { text }] of scripts) {
  for (const [ask, members] of asks) {
    for (const [, one] of text.matchAll(ask)) {
      if (members === ofLayer) wanted.add(one);
      if (!members.has(one)) faults.push(`${name} asks layers for ${one}, which layers.js doesn't declare`);
    }
  }
}
for (const one of ofLayer) if (!wanted.has(one)) faults.push(`no script asks layers for ${one}`);

for (const fault of faults) console.error(fault);
console.log(`${scripts.size} scripts: ${faults.length === 0 ? "all names are declared, imported or the browser's" : `${faults.length} faults`}`);
process.exitCode = faults.length > 0 ? 1 : 0;
