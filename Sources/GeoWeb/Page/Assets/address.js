// The page's address contains the view and the selection, so that links lead there.
import { layers } from "./layers.js";
import { project } from "./mercator.js";

/** Reads the view and the selection of an address; `null` where missing. */
export function readAddress(hash) {
  const found = { view: null, path: null, raw: null, fit: null, colours: null };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? "" : part.slice(0, equals);
    if (name === "path" || name === "raw") {
      try {
        found[name] = name === "path" ? decodeURIComponent(part.slice(equals + 1)) : part.slice(equals + 1);
      } catch {
        // The path is truncated or mistyped: select nothing.
      }
    } else if (name === "fit") {
      found.fit = readFit(part.slice(equals + 1));
    } else if (name === "colours") {
      found.colours = part.slice(equals + 1);
    } else if (equals < 0) {
      const [z, lat, lon] = part.split("/").map(Number);
      if ([z, lat, lon].every(Number.isFinite)) found.view = { ...project(lon, lat), z };
    }
  }
  return found;
}

/** Reads the filter: `key:value` pairs, separated by commas. */
function readFit(text) {
  const found = {};
  try {
    for (const pair of text.split(",")) {
      const colon = pair.indexOf(":");
      if (colon > 0) found[pair.slice(0, colon)] = decodeURIComponent(pair.slice(colon + 1));
    }
  } catch {
    return null;
  }
  return found;
}

function writeFit(wanted) {
  return Object.entries(wanted).filter(([, value]) => value !== "")
    .map(([key, value]) => `${key}:${encodeURIComponent(value)}`).join(",");
}

/** Returns the address of a view, a selection and a filter, with as many decimals as a pixel needs. */
export function writeAddress(camera, properties, wanted = {}, colours = "") {
  const digits = Math.max(2, Math.min(13, Math.ceil((camera.z + 9) * 0.30103) - 1));
  const { lon, lat } = camera.place;
  let hash = `#${+camera.z.toFixed(2)}/${lat.toFixed(digits)}/${lon.toFixed(digits)}`;
  if (properties) {
    hash += properties.rawPath ? `&raw=${properties.rawPath}`
      : `&path=${encodeURIComponent(properties.path).replaceAll("%2F", "/")}`;
  }
  if (colours) hash += `&colours=${colours}`;
  const fit = writeFit(wanted);
  return fit ? `${hash}&fit=${fit}` : hash;
}

export class Address {
  /**
   * `selected`, `wanted` and `colours` return the selection, the filter and the colours, `isOpening` whether a selection is loading, and
   * `restore` goes to an address.
   */
  constructor(view, { selected, wanted, colours, isOpening, restore }) {
    Object.assign(this, { view, selected, wanted, colours, isOpening });
    this.timer = 0;
    // A time line may load later, and then reads its moments here.
    this.others = location.hash.split("&").slice(1).filter((part) => !/^(path|raw|fit|colours)=/.test(part)).map((part) => `&${part}`).join("");
    globalThis.addEventListener("popstate", ({ state }) => {
      clearTimeout(this.timer);
      const found = readAddress(location.hash);
      // The entry knows its view exactly, and the first one has an address without.
      restore({ ...found, view: state?.view ?? found.view });
    });
  }

  /** The view, or where the camera flies to. */
  get place() {
    const { x, y, z } = this.view.camera.flight?.target ?? this.view.camera;
    return { view: { x, y, z } };
  }

  /** Adds a history entry, so that Back returns to the previous place and view. */
  push() {
    history.replaceState(this.place, "");
    this.write("pushState");
  }

  /** Updates the current history entry after the view moved. */
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
    const own = layers.values("address").join("");
    const hash = writeAddress(this.view.camera, this.selected(), this.wanted(), this.colours()) + (own || this.others);
    if (hash !== location.hash) history[how](this.place, "", hash);
  }
}
