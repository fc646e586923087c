// The address of the page holds the view and the selection, so that a link leads others there.
import { layers } from "./layers.js";
import { project } from "./mercator.js";

/** The view and the selection that an address tells; `null` where it doesn't. */
export function readAddress(hash) {
  const found = { view: null, path: null, raw: null, fit: null };
  for (const part of hash.replace(/^#/, "").split("&")) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? "" : part.slice(0, equals);
    if (name === "path" || name === "raw") {
      try {
        found[name] = name === "path" ? decodeURIComponent(part.slice(equals + 1)) : part.slice(equals + 1);
      } catch {
        // It was cut or mistyped: then nothing is selected.
      }
    } else if (name === "fit") {
      found.fit = readFit(part.slice(equals + 1));
    } else if (equals < 0) {
      const [z, lat, lon] = part.split("/").map(Number);
      if ([z, lat, lon].every(Number.isFinite)) found.view = { ...project(lon, lat), z };
    }
  }
  return found;
}

/** What is looked for: `key:value` and so on, separated by commas. */
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

/** The address of a view, a selection, and what is looked for; as many decimals as a pixel needs. */
export function writeAddress(camera, properties, wanted = {}) {
  const digits = Math.max(2, Math.min(13, Math.ceil((camera.z + 9) * 0.30103) - 1));
  const { lon, lat } = camera.place;
  let hash = `#${+camera.z.toFixed(2)}/${lat.toFixed(digits)}/${lon.toFixed(digits)}`;
  if (properties) {
    hash += properties.rawPath ? `&raw=${properties.rawPath}`
      : `&path=${encodeURIComponent(properties.path).replaceAll("%2F", "/")}`;
  }
  const fit = writeFit(wanted);
  return fit ? `${hash}&fit=${fit}` : hash;
}

export class Address {
  /**
   * `selected` and `wanted` tell what is selected and looked for, `isOpening` whether something else will be selected, and
   * `restore` goes where an address leads.
   */
  constructor(view, { selected, wanted, isOpening, restore }) {
    Object.assign(this, { view, selected, wanted, isOpening });
    this.timer = 0;
    // A time line may take its time to come, and finds its moments there.
    this.others = location.hash.split("&").slice(1).filter((part) => !/^(path|raw|fit)=/.test(part)).map((part) => `&${part}`).join("");
    globalThis.addEventListener("popstate", () => restore(readAddress(location.hash)));
  }

  /** Writes a new place into the history: one goes back from it to the one before. */
  push() { this.write("pushState"); }

  /** The view has moved on; the history need not know every step. */
  moved() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // The view of what is being opened is no place of what is still selected.
      if (this.view.camera.isMoving || this.isOpening()) this.moved();
      else this.write("replaceState");
    }, 250);
  }

  /** Writes no more of what only a layer knew that is gone. */
  forget() {
    this.others = "";
    this.write("replaceState");
  }

  write(how) {
    const own = layers.values("address").join("");
    const hash = writeAddress(this.view.camera, this.selected(), this.wanted()) + (own || this.others);
    if (hash !== location.hash) history[how](null, "", hash);
  }
}
