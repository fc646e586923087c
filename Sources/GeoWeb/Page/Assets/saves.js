// Saves the view: as a picture, SVG, GeoJSON, or on paper.
import { make, nameOf, saveBlob, showCount } from "./geo.js";
import { densityOf, isSettled, settledGround, STEPS } from "./ground.js";
import { LEADER_END } from "./labels.js";
import { unproject } from "./mercator.js";
import { borderOf, dashes } from "./rules.js";
import { WATERLINES } from "./sea.js";
import { fileSize } from "./shapes.js";

// Exports the view as SVG: shapes and letters as drawn, without hills and trees.

function escapeXML(text) {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
}

const round = (value) => +value.toFixed(1);

function pathData(rings, isClosed = true) {
  return rings.map((ring) => {
    let text = "";
    for (let i = 0; i < ring.length; i += 2) text += `${i === 0 ? "M" : "L"}${round(ring[i])} ${round(ring[i + 1])}`;
    return text + (isClosed ? "Z" : "");
  }).join("");
}

function drawSVG(view, title) {
  const { camera, palette, tiles, coasts, shores, labels } = view;
  const { width, height } = camera;
  const { theme } = palette;
  const parts = [`<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escapeXML(title)}</title>`, `<rect width="${width}" height="${height}" fill="${theme.sea}"/>`];
  const dataOf = (rings) => pathData(rings.map((coast) => {
    const ring = [];
    for (let i = 0; i < coast.length; i += 2) ring.push(...camera.toScreen(coast[i], coast[i + 1]));
    return ring;
  }));
  const lands = [...shores.all.values()].filter(({ land }) => land.length > 0);
  const shelves = [...[...coasts.values()].map((coast) => dataOf([coast])), ...lands.map(({ shallows }) => dataOf(shallows))];
  const taken = lands.map(({ land }) => dataOf(land));
  const add = (data, look) => parts.push(`<path d="${data}" ${look} stroke-linejoin="round"/>`);
  for (const data of shelves) add(data, `fill="none" stroke="${theme.shelfedge}" stroke-width="2.2" stroke-dasharray="1.4 3"`);
  for (const data of shelves) add(data, `fill="${theme.shelf}"`);
  WATERLINES.forEach((_, index) => {
    const step = WATERLINES.length - 1 - index;
    for (const data of taken) {
      add(data, `fill="none" stroke="${theme.waterline[step]}" stroke-width="${2 * WATERLINES[step]}"`);
      add(data, `fill="none" stroke="${theme.shelf}" stroke-width="${2 * WATERLINES[step] - 1.6}"`);
    }
  });
  for (const data of taken) add(data, `fill="${theme.land}"`);
  for (const address of tiles.visible(camera)) parts.push(...drawTile(view, tiles, address));
  for (const data of taken) add(data, `fill="none" stroke="${theme.coast}" stroke-width="1.5"`);
  parts.push(...drawSymbols(view));
  for (const label of labels.placed) parts.push(drawLabel(label, camera, palette));
  return `${parts.join("\n")}\n</svg>\n`;
}

const SVG = ["http:", "", "www.w3.org", "2000", "svg"].join("/");

function drawTile({ camera, palette, prominence }, tiles, address) {
  const entry = tiles.get(address.z, address.x, address.y);
  if (!entry?.data.isPrepared) return [];
  const { x, y, width } = tiles.spot(camera, address, 1);
  const { theme } = palette;
  const px = width / 4096;
  const line = 'vector-effect="non-scaling-stroke" stroke-linejoin="round"';
  const parts = [`<svg x="${x}" y="${y}" width="${width}" height="${width}" viewBox="0 0 4096 4096">`];
  const lands = entry.data.land.filter(({ depth }) => depth > 0);
  const [colours, breadths] = [new Map(), new Map()];
  for (const land of lands) {
    const breadth = (land.breadth ?? 0) * camera.scale;
    const [standing, parent] = [prominence.of(land.path), colours.get(land.parent)];
    const colour = palette.land(land, breadth,
      { breadth: breadths.get(land.parent), rgb: parent?.rgb, isCurrent: parent?.standing === "current" }, standing);
    colours.set(land.path, { ...colour, standing });
    breadths.set(land.path, breadth);
    const data = pathData(land.drawn);
    if (data) parts.push(`<path d="${data}" fill="${colour.css}" stroke="${colour.css}" stroke-width="0.7" ${line}/>`);
  }
  for (const town of palette.mode === "kind" ? entry.data.towns ?? [] : []) {
    const land = entry.data.land.find(({ path }) => path === town.folder);
    const dense = densityOf(land, (land?.breadth ?? 0) * camera.scale);
    parts.push(`<path d="${pathData(town.rings)}" fill="${theme.ground[dense]}" fill-opacity="0.55"/>`);
  }
  for (const land of lands.toReversed()) {
    const breadth = breadths.get(land.path);
    if (breadth < 4 && land.depth > 1) continue;
    const { width: wide, alpha } = borderOf(land.depth, breadth);
    const dash = breadth > 40 && dashes(land.depth).length > 0 ? ` stroke-dasharray="${dashes(land.depth).join(" ")}"` : "";
    const data = pathData(land.border, false);
    if (data) {
      parts.push(`<path d="${data}" fill="none" stroke="${theme.border[Math.min(land.depth, 3)]}" stroke-width="${round(wide)}" ` +
        `stroke-opacity="${alpha.toFixed(2)}"${dash} ${line}/>`);
    }
  }
  parts.push(...drawSpots(entry, px, camera, palette), "</svg>");
  return parts;
}

function drawSpots({ data: { files } }, px, camera, palette) {
  const parts = [];
  const circle = (file, r, colour, more = "") =>
    `<circle cx="${round(file.x)}" cy="${round(file.y)}" r="${round(r / px)}" fill="${colour}"${more}/>`;
  if (palette.mode === "kind") {
    const steps = settledGround(files.map((file) => ({ x: file.x * px, y: file.y * px })), 7);
    STEPS.forEach(([, reach], step) => files.forEach((file, index) => {
      if (isSettled(steps[index], step)) parts.push(circle(file, reach, palette.theme.ground[step]));
    }));
  }
  for (const file of files) {
    parts.push(circle(file, Math.min(4, fileSize(camera.z - file.minzoom)), palette.file(file),
      ` stroke="${palette.theme.paper}" stroke-width="0.8" vector-effect="non-scaling-stroke"`));
  }
  return parts;
}

function drawSymbols({ camera, labels, palette, symbols }) {
  const parts = [...symbols.drawn(camera)].map(({ x, y, r, isSquare, look: { fill, rim, isHollow, isFaint }, isDot }) => {
    const edge = isDot ? "" : ` stroke="${rim}"`;
    if (isSquare) return `<rect x="${round(x - r)}" y="${round(y - r)}" width="${round(2 * r)}" height="${round(2 * r)}" fill="${fill}" fill-opacity="0.84"${edge}/>`;
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${isHollow ? "none" : fill}" fill-opacity="${isFaint ? 0.16 : 0.6}"${edge}/>`;
  });
  for (const { x, y, line } of labels.placed) {
    if (!line) continue;
    const [px, py] = camera.toScreen(x, y);
    parts.push(`<path d="M${round(px + line[0])} ${round(py + line[1])}L${round(px + line[2])} ${round(py + line[3])}" stroke="${palette.theme.soft}" stroke-width="0.9"/>`,
      `<circle cx="${round(px + line[0])}" cy="${round(py + line[1])}" r="${LEADER_END}" fill="${palette.theme.soft}"/>`);
  }
  return parts;
}

function drawLabel({ x: wx, y: wy, dx, dy, sprite }, camera, palette) {
  const [x, y] = camera.toScreen(wx, wy);
  const { letters, places, size, style, left, top, width, height } = sprite;
  const [, face, weight, family] = style.font.match(/^(italic )?([0-9]+ )?1px (.*)$/);
  const texts = places.map((place, index) => {
    const degrees = round((place.angle * 180) / Math.PI);
    const [px, py] = [round(place.x), round(place.y)];
    return `<text x="${px}" y="${py}"${degrees ? ` transform="rotate(${degrees} ${px} ${py})"` : ""}>${escapeXML(letters[index])}</text>`;
  });
  return `<g transform="translate(${round(x + dx - width / 2 - left)} ${round(y + dy - height / 2 - top)})" font-family="${escapeXML(family)}" ` +
    `font-size="${size}"${face ? ' font-style="italic"' : ""}${weight ? ` font-weight="${weight.trim()}"` : ""} fill="${palette.ink(style.ink)}" ` +
    `stroke="${palette.haloOf(style.ink)}" stroke-width="${Math.max(3.2, Math.min(4.4, size / 4))}" stroke-linejoin="round" paint-order="stroke" ` +
    `text-anchor="middle" dominant-baseline="central" xml:space="preserve">${texts.join("")}</g>`;
}

// Prints the view: as a sheet of `geomapper draw` if a server can draw it, else as shown.

const shades = { kind: "tints", size: "size", age: "age", type: "type" };

async function printView(source, { camera, palette }, title, report) {
  const sheet = make("img", { id: "sheet", alt: title });
  if (source.sheet) {
    const [west, north, east, south] = camera.box.map(within);
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
      report(`the view is printed as it is seen: ${error.message}`);
    }
  }
  print();
  document.body.classList.remove("sheet");
  sheet.remove();
  URL.revokeObjectURL(sheet.src);
}

const within = (value) => Math.min(1, Math.max(0, value));

const MAXIMUM_SAVED = 2000; // the maximum number of lands in a collection

/** What is saved has the name of the selection. */
const selectedIn = (page) => page.selected()?.feature.properties;
const save = (page, blob, ending) => saveBlob(blob, `${selectedIn(page)?.name ?? "world"}.${ending}`);

/** Ways to save a view; `page` has the view, the source, `note` and what is `selected`. */
export const saveView = {
  picture(page) {
    page.view.draw(page.view.clock.now());
    page.view.canvas.toBlob((blob) => save(page, blob, "png"));
  },

  vector(page) {
    save(page, new Blob([drawSVG(page.view, selectedIn(page)?.path ?? "geomapper")], { type: "image/svg+xml" }), "svg");
  },

  /** Its title is the selection, the land around the middle, or all. */
  printed(page) {
    const { source, view, note } = page;
    const path = selectedIn(page)?.path ?? view.landSeenIn(...view.camera.middle)?.path;
    return printView(source, view, nameOf(path ?? "geomapper"), note);
  },

  async collection(page) {
    const { source, view, note } = page;
    const features = [];
    const lands = view.landsInView().slice(0, MAXIMUM_SAVED);
    note(`collecting ${showCount(lands.length, "land", "lands")}…`);
    for (let first = 0; first < lands.length; first += 16) {
      const nodes = await Promise.all(lands.slice(first, first + 16).map(({ path, rawPath }) =>
        source.node(path, rawPath, 0).catch(() => null)));
      features.push(...nodes.filter(Boolean).map(({ feature }) => ({ type: "Feature", ...feature })));
    }
    for (const { file, x, y } of view.filesInView()) {
      const { lon, lat } = unproject(x, y);
      const { path, name, kind, depth, minzoom, size, modified, special } = file;
      features.push({ type: "Feature", geometry: { type: "Point", coordinates: [lon, lat] },
        properties: { path, name, kind, depth, minzoom, size, modified, special } });
    }
    note("");
    save(page, new Blob([JSON.stringify({ type: "FeatureCollection", features })], { type: "application/geo+json" }), "geojson");
  },
};
