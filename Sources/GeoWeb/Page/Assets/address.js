// The address of the page: the view and the selection in it, and links to copy.
import { attempt, copyButton, make } from "./geo.js";
import { layers } from "./layers.js";
import { project } from "./mercator.js";

/** The text of a part of an address; null if it is cut off or mistyped. */
export function decoded(text) { return attempt(() => decodeURIComponent(text)); }

export function readAddress(hash) {
  const found = { view: null, path: null, raw: null, fit: null, colours: null, sizes: null };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [, name, value] = /^([^=]*)(?:=(.*))?$/s.exec(part);
    if (value === undefined) {
      const [z, lat, lon] = part.split("/").map(Number);
      if ([z, lat, lon].every(Number.isFinite)) found.view = { ...project(lon, lat), z };
    } else if (name === "path") found.path = decoded(value);
    else if (name === "fit") found.fit = readFit(value);
    else if (["raw", "colours", "sizes"].includes(name)) found[name] = value;
  }
  return found;
}

/** Reads the filter: `key:value` pairs, separated by commas. */
function readFit(text) {
  const pairs = text.split(",").map((pair) => /^([^:]+):(.*)$/s.exec(pair)).filter(Boolean).map(([, key, value]) => [key, decoded(value)]);
  return pairs.some(([, value]) => value === null) ? null : Object.fromEntries(pairs);
}

function writeFit(wanted) {
  return Object.entries(wanted).filter(([, value]) => value !== "")
    .map(([key, value]) => `${key}:${encodeURIComponent(value)}`).join(",");
}

/** With as many decimals as a pixel needs. */
export function writeAddress(camera, properties, wanted = {}, colours = "", sizes = "") {
  const digits = Math.max(2, Math.min(13, Math.ceil((camera.z + 9) * 0.30103) - 1));
  const { lon, lat } = camera.place;
  let hash = `#${+camera.z.toFixed(2)}/${lat.toFixed(digits)}/${lon.toFixed(digits)}`;
  if (properties?.rawPath) hash += `&raw=${properties.rawPath}`;
  else if (properties) hash += `&path=${encodeURIComponent(properties.path).replaceAll("%2F", "/")}`;
  if (colours) hash += `&colours=${colours}`;
  if (sizes) hash += `&sizes=${sizes}`;
  const fit = writeFit(wanted);
  return fit ? `${hash}&fit=${fit}` : hash;
}

export class Address {
  /** `isOpening` says whether a selection is loading; `restore` goes to an address. */
  constructor(view, { selected, wanted, colours, sizes, isOpening, restore }) {
    Object.assign(this, { view, selected, wanted, colours, sizes, isOpening, timer: 0 });
    // A time line may load later, and then reads its moments here.
    this.others = location.hash.split("&").slice(1).filter((part) => !/^(path|raw|fit|colours|sizes)=/.test(part)).map((part) => `&${part}`).join("");
    globalThis.addEventListener("popstate", ({ state }) => {
      clearTimeout(this.timer);
      const found = readAddress(location.hash);
      // The entry knows its view exactly, and the first one has an address without.
      restore({ ...found, view: state?.view ?? found.view });
    });
  }

  get place() {
    const { x, y, z } = this.view.camera.flight?.target ?? this.view.camera;
    return { view: { x, y, z } };
  }

  /** Adds a history entry, so that Back returns to the previous place and view. */
  push() {
    history.replaceState(this.place, "");
    this.write("pushState");
  }

  moved() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // While a selection loads, the view doesn't belong to the old one.
      if (this.view.camera.isMoving || this.isOpening()) this.moved();
      else this.write("replaceState");
    }, 250);
  }

  /** Drops the parts of a layer that was removed. */
  forget() {
    this.others = "";
    this.write("replaceState");
  }

  write(how) {
    const own = layers.all.map((layer) => layer.address).join("");
    const hash = writeAddress(this.view.camera, this.selected(), this.wanted(), this.colours(), this.sizes()) + (own || this.others);
    if (hash !== location.hash) history[how](this.place, "", hash);
  }
}

// Links to this view: copying them, and what a user has to know of them.

const PLAIN = /^\/[A-Za-z0-9_@+:,./-]*$/; // paths that a shell takes as they are
const LOCAL = ["localhost", "127.0.0.1", "[::1]", ""];

export function linkOf({ link }, { href, hash }) { return link === undefined ? href : link + hash; }

export function linkWords(link, { hostname, isServer }) {
  const words = [];
  if (LOCAL.includes(hostname)) words.push("This link works on this machine only.");
  if (isServer && link.includes("?token=")) words.push("It contains the token: others who have the link can open this map.");
  return words;
}

export function publishCommand(roots) {
  const operands = roots.map(({ label, file }) => {
    if (file === undefined || !PLAIN.test(file) || !PLAIN.test(`/${label}`)) return "DIR";
    return file.slice(file.lastIndexOf("/") + 1) === label ? file : `${label}=${file}`;
  });
  return `geomapper publish ${[...new Set(operands)].join(" ")} -o OUT`;
}

export function linkButton(source, hint, select) {
  const button = copyButton("Copy link", () => linkOf(source, location), hint, select);
  const status = make("div", { class: "soft", role: "status" });
  button.addEventListener("click", async () => {
    const link = new URL(linkOf(source, location));
    const words = linkWords(link.href, { hostname: link.hostname, isServer: source.isLive });
    if (words.length === 0) return;
    (button.closest(".row") ?? button).after(status);
    status.replaceChildren(make("p", {}, words.join(" ")));
    if (!source.isLive || !LOCAL.includes(link.hostname)) return;
    const roots = await source.roots().catch(() => []);
    const files = await Promise.all(roots.map(({ label }) => source.node(label, undefined, 0).catch(() => null)));
    const command = publishCommand(roots.map(({ label }, i) => ({ label, file: files[i]?.file })));
    status.append(make("p", {}, "To share the map, publish it: ", make("code", {}, command), " ", copyButton("Copy command", () => command, "Copy it by hand")));
  });
  return button;
}
