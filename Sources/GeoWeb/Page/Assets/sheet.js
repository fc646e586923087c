// Prints the view: as the sheet that `geomapper draw` makes where a server can draw it, else as it is seen.
import { make } from "./geo.js";
import { unproject } from "./mercator.js";

/** How the colours of the page are called on a sheet. */
const shades = { kind: "tints", size: "size", age: "age", type: "type" };

/** Prints what is in view, with a title; tells why it is no sheet, where it could have been one. */
export async function printView(source, { camera, palette }, title, told) {
  const sheet = make("img", { id: "sheet", alt: title });
  if (source.sheet) {
    const [west, north] = camera.toWorld(0, 0).map(within);
    const [east, south] = camera.toWorld(camera.width, camera.height).map(within);
    const [a, b] = [unproject(west, north), unproject(east, south)];
    try {
      sheet.src = URL.createObjectURL(await source.sheet({
        bbox: [a.lon, b.lat, b.lon, a.lat].map((degrees) => degrees.toFixed(9)).join(","),
        shade: shades[palette.mode] ?? "tints", title, date: Math.floor(Date.now() / 1000),
        ...(palette.isDark ? { dark: 1 } : {}),
      }));
      await sheet.decode();
      document.body.append(sheet);
      document.body.classList.add("sheet");
    } catch (error) {
      told(`the view is printed as it is seen: ${error.message}`);
    }
  }
  print();
  document.body.classList.remove("sheet");
  sheet.remove();
  URL.revokeObjectURL(sheet.src);
}

const within = (value) => Math.min(1, Math.max(0, value));
