#!/usr/bin/env python3
"""Checks what other programs draw where an archive leaves tiles out.

    check_tile_clients.py BINARY [PMTILES.JS [FOLDER]]

Below its complete zoom, a sparse archive has no tile where no node first appears. Each client is asked what it
draws in the middle of such a tile, and of one that exists; the expected result comes from the server's tiles, which
are complete. The clients are MapLibre GL JS in Chromium with pmtiles.js, both from the pip package `roadstyle`, and
QGIS with a server that has only the archive's tiles. MapLibre also gets a complete archive, which has no gaps, the
server's style from another origin, and the styles of a published site. These draw land at every zoom, though the
site's archive has gaps, and the second one draws names.

PMTILES.JS is another pmtiles.js. From version 4.1 on it supports `errorOnMissingTile`; for earlier ones the check
does the same. FOLDER gets pictures of the site.
"""

import contextlib
import importlib.util
import json
import math
import random
import re
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import check_qgis
from browser import Browser, Page, browsing, find_browser
from hosted import Host, hosting
from outside import fail, features, given, put, run, skip
from served import Served, serving

try:
    from check_pmtiles import Archive, served_tile, tileid_to_zxy, zxy_to_tileid
except ImportError:
    skip("the Python library pmtiles is missing")

SEED = 18
DEEPEST = 12
FULL = 8  # the deepest zoom of an archive without gaps
BACKGROUND = "#ffffff"
VIEWS = [3, 8, 10, 12, 15]  # of a site
SEA = [185, 211, 224]
FURTHEST = 4  # zooms from a view up to the nearest existing tile
PAGE = """<!doctype html><meta charset="utf-8"><div id="map" style="width: 400px; height: 400px"></div>
<script src="maplibre-gl.js"></script><script src="pmtiles.js"></script><script>
const protocol = new pmtiles.Protocol(), strict = new pmtiles.Protocol({errorOnMissingTile: true});
maplibregl.addProtocol('pmtiles', protocol.tile);
maplibregl.addProtocol('strict', async (asked, abort) => {
  const found = await strict.tile({...asked, url: asked.url.replace('strict', 'pmtiles')}, abort);
  if (asked.type === 'json') return {data: {...found.data, tiles: [`${asked.url}/{z}/{x}/{y}`]}};
  // Before version 4.1 the option isn't known.
  if (found.data.byteLength === 0) throw new Error('Tile not found.');
  return found;
});
async function lands(source, views, moves) {
  const map = new maplibregl.Map({container: 'map', fadeDuration: 0, ...views[0], style: {
    version: 8, sources: {world: {type: 'vector', ...source}},
    layers: [{id: 'land', type: 'fill', source: 'world', 'source-layer': 'land'}]}});
  const errors = [], found = [];
  map.on('error', event => errors.push(String(event.error?.message ?? event.error)));
  for (const view of views) {
    const rest = map.once('idle').then(() => true);
    map.jumpTo(view);
    for (let number = 0; number < moves; number += 1) {
      await new Promise(done => setTimeout(done, 50));
      map.jumpTo({...view, bearing: number % 2 / 1000});
    }
    const late = new Promise(done => setTimeout(() => done(false), 2000));
    const isAtRest = await Promise.race([rest, late]);
    if (!isAtRest) errors.push('no rest');
    const features = map.queryRenderedFeatures(map.project(view.center));
    found.push([...new Set(features.map(feature => feature.id))].sort((a, b) => a - b));
  }
  map.remove();
  return {errors, found};
}
async function draw(style, views) {
  // A site's style is for the page beside it.
  const map = new maplibregl.Map({container: 'map', fadeDuration: 0,
    canvasContextAttributes: {preserveDrawingBuffer: true}, ...views[0], style});
  const errors = [], found = [];
  map.on('error', event => errors.push(String(event.error?.message ?? event.error)));
  for (const view of views) {
    const rest = map.once('idle');
    map.jumpTo(view);
    await Promise.race([rest, new Promise(done => setTimeout(done, 5000))]);
    const at = type => map.queryRenderedFeatures(map.project(view.center)).filter(({layer}) => layer.type === type);
    const names = map.queryRenderedFeatures().filter(({layer}) => layer.type === 'symbol');
    const context = map.getCanvas().getContext('webgl2');
    const pixels = new Uint8Array(400 * 400 * 4);
    context.readPixels(0, 0, 400, 400, context.RGBA, context.UNSIGNED_BYTE, pixels);
    let hash = 0;
    for (const value of pixels) hash = (Math.imul(hash, 31) + value) | 0;
    found.push({layers: [...new Set(map.queryRenderedFeatures().map(({layer}) => layer.id))],
      land: at('fill').length, middle: [...pixels.slice(4 * 400 * 200 + 800, 4 * 400 * 200 + 803)],
      names: [...new Set(names.map(({properties}) => properties.name))], hash});
  }
  globalThis.drawn = map;
  return {errors, found};
}
</script>"""


class View(NamedTuple):
    """A view of the middle of a tile."""

    zoom: int
    x: int
    y: int
    up: int  # zooms up to the nearest existing tile; 0 if this one exists

    def place(self) -> List[float]:
        """Longitude and latitude."""
        side = 1 << self.zoom
        return [(self.x + 0.5) / side * 360 - 180,
                math.degrees(math.atan(math.sinh(math.pi * (1 - (2 * self.y + 1) / side))))]

    def extent(self) -> List[float]:
        """The middle quarter of the tile, in EPSG:3857."""
        x, y = check_qgis.mercator(*self.place())
        half = 20037508.342789244 / (1 << self.zoom) / 4
        return [x - half, y - half, x + half, y + half]


def make_tree(folder: Path) -> None:
    """A tree whose files first appear at several zooms."""
    put(str(folder), {f"land{number}/{part}/file": "text" for number in range(6) for part in ("a", "b/c", "b/d/e")})


def views(archive: Archive, served: Served) -> List[View]:
    """Tiles of the archive, and tiles that it leaves out, all of which show lands."""
    chance = random.Random(SEED)
    found: List[View] = []
    while len(found) < 3 * (FURTHEST + 1):
        z, x, y = tileid_to_zxy(chance.choice(sorted(archive.tiles)))
        up = len(found) // 3
        inner = [(z + n, x << n | chance.randrange(1 << n), y << n | chance.randrange(1 << n))
                 for n in range(up + 1)]
        z, x, y = inner[-1]
        around = [zxy_to_tileid(z - n, x >> n, y >> n) in archive.tiles for n in range(up + 1)]
        if 0 < z <= DEEPEST and around.index(True) == up:
            body = served_tile(served, zxy_to_tileid(z, x, y))
            if body and b"land" in body:
                found.append(View(z, x, y, up))
    return found


def library(file: str) -> Optional[Path]:
    """The path of a script in the pip package `roadstyle`."""
    spec = importlib.util.find_spec("roadstyle")
    for place in (spec.submodule_search_locations or []) if spec else []:
        if (Path(place) / "vendor" / file).exists():
            return Path(place) / "vendor" / file
    return None


@contextlib.contextmanager
def maplibre(folder: Path, pmtiles: str) -> Iterator[Tuple[Host, Browser]]:
    """A host of a folder with MapLibre GL JS, pmtiles.js and the page `draw.html`, and a browser, within the block."""
    source, program = library("maplibre-gl.js"), find_browser()
    assert source and program
    (folder / "draw.html").write_text(PAGE)
    (folder / "maplibre-gl.js").write_bytes(source.read_bytes())
    (folder / "pmtiles.js").write_bytes((Path(pmtiles) if pmtiles else source.parent / "pmtiles.js").read_bytes())
    flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
    with hosting(folder, "/") as host, browsing(program, flags) as browser:
        yield host, browser


def open_page(host: Host, browser: Browser) -> Page:
    """A page with the functions `lands` and `draw`."""
    page = browser.page(400, 400)
    page.open(host.address + "draw.html")
    page.wait("globalThis.draw", "the page")
    return page


def check_gaps(scratch: Path, shown: List[View], binary: str, tree: Path, pmtiles: str) -> str:
    """MapLibre GL JS with the protocol: the lands in the middle of each tile."""
    places = json.dumps([{"center": view.place(), "zoom": view.zoom} for view in shown])
    with maplibre(scratch, pmtiles) as (host, browser), \
            serving(binary, "--allow-origin", host.address[:-1], str(tree)) as served:
        page, address = open_page(host, browser), host.address

        def ask(moves: int = 0, **source: object) -> Dict[str, Any]:
            return dict(page.run(f"lands({json.dumps(source)}, {places}, {moves})"))

        server = f"http://127.0.0.1:{served.port}/tiles/{{z}}/{{x}}/{{y}}.mvt"
        wanted = ask(tiles=[server], maxzoom=DEEPEST)
        plain = ask(url=f"pmtiles://{address}world.pmtiles")
        strict = ask(url=f"strict://{address}world.pmtiles")
        moved = ask(12, url=f"strict://{address}world.pmtiles")
        full = ask(url=f"pmtiles://{address}full.pmtiles")
        version = page.run("maplibregl.getVersion()")
        knows = page.run("strict.errorOnMissingTile === true")
    furthest = int(re.findall(r"maxOverzooming=(\d+)", (scratch / "maplibre-gl.js").read_text())[0])
    for view, all_lands, *others in zip(
            shown, *(answer["found"] for answer in (wanted, plain, strict, moved))):
        expected = [all_lands if view.up <= most else [] for most in (0, 0, furthest)]
        # Further up, it may have the tile from an earlier view.
        if others != expected and (view.up <= furthest or others[:2] != expected[:2]):
            fail(f"MapLibre at {view}: {others}, not {expected}")
    seen = {view.up for view, all_lands in zip(shown, wanted["found"]) if all_lands}
    if seen != set(range(FURTHEST + 1)):
        fail(f"lands are in the middle of tiles {seen} zooms below those of the archive alone")
    # An archive that leaves out no tile has no gaps, not even beyond the deepest zoom.
    for view, all_lands, found in zip(shown, wanted["found"], full["found"]):
        # Nodes that first appear at deeper zooms aren't in it.
        if found != all_lands and (view.zoom <= FULL or bool(found) != bool(all_lands)):
            fail(f"MapLibre at {view} with all tiles down to {FULL}: {found}, not {all_lands}")
    if full["errors"]:
        fail(f"MapLibre with all tiles down to {FULL}: {full['errors']}")
    if wanted["errors"] or plain["errors"]:
        fail(f"MapLibre: {wanted['errors']}, {plain['errors']}")
    if "no rest" not in strict["errors"] or set(moved["errors"]) - {"no rest"} != {"Tile not found."}:
        fail(f"MapLibre: {strict['errors']}, {moved['errors']}")
    return (
        f"MapLibre {version} draws {furthest} zooms larger what is left out if a missing tile is an error"
        f"{'' if knows else ' (made by the check)'}, once it is moved, else nothing, and of a complete archive has no gap")


def check_server(scratch: Path, binary: str, tree: Path, pmtiles: str) -> str:
    """The server's style, loaded by a page of another origin: lands at each zoom, and a file."""
    file = next(node["properties"] | node["geometry"] for node in features(binary, str(tree))
                if node["properties"]["kind"] == "poi")
    views = [{"center": [0, 0], "zoom": zoom} for zoom in (1, 3)]
    views.append({"center": file["coordinates"], "zoom": file["minzoom"]})
    with maplibre(scratch, pmtiles) as (host, browser), \
            serving(binary, "--allow-origin", host.address[:-1], str(tree)) as served:
        style = f"http://127.0.0.1:{served.port}/style.json"
        answer = open_page(host, browser).run(f"draw('{style}', {json.dumps(views)})")
    drawn = [found["layers"] for found in answer["found"]]
    if answer["errors"] or not all("land" in layers for layers in drawn) or "files" not in drawn[-1]:
        fail(f"MapLibre with the server's style: {answer['errors'][:5]}, {drawn}")
    return "it draws lands and files by the server's style"


def check_site(scratch: Path, binary: str, pmtiles: str, picture: str) -> str:
    """The styles of a site whose archive has gaps, drawn by MapLibre GL JS without the site's scripts."""
    tree, site = scratch / "home", scratch / "published"
    make_tree(tree)
    run(binary, "publish", "-q", "--max-zoom", 13, "-o", site, tree)
    complete = json.loads((site / "world.json").read_text())["complete"]
    zooms = {(one["minzoom"], one["maxzoom"])
             for one in json.loads((site / "style.json").read_text())["sources"].values()}
    deepest = json.loads((site / "tilejson.json").read_text())["maxzoom"]
    if complete >= 8 or zooms != {(0, complete), (complete + 1, deepest)} or deepest != 13:
        fail(f"a site complete to {complete}, of {deepest}, has the sources {zooms}")
    land = next(node["properties"] for node in features(binary, str(tree)) if node["properties"]["path"] == "home/land3/b")
    views = json.dumps([{"center": [land["lon"], land["lat"]], "zoom": zoom} for zoom in VIEWS])
    answers = {}
    with maplibre(site, pmtiles) as (host, browser):
        for style in ("style.json", "style-labels.json"):
            page = open_page(host, browser)
            answers[style] = dict(page.run(f"draw('{style}', {views})"))
            for view in json.loads(views) if picture else []:
                page.run(f"drawn.jumpTo({json.dumps(view)}); drawn.once('idle').then(() => 1)")
                page.shoot(f"{picture}/{style}-{view['zoom']}.png")
    for style, answer in answers.items():
        if answer["errors"]:
            fail(f"MapLibre with {style}: {answer['errors'][:3]}")
        for zoom, found in zip(VIEWS, answer["found"]):
            if not found["land"] or found["middle"] == SEA:
                fail(f"MapLibre with {style} draws no land at zoom {zoom}: {found}")
    plain, named = (answer["found"] for answer in answers.values())
    if any(found["names"] for found in plain) or not named[0]["names"]:
        fail(f"names are drawn: {plain}, {named}")
    if plain[0]["hash"] == named[0]["hash"]:
        fail("names take no pixel")
    return f"a site complete to zoom {complete} shows land at zooms {VIEWS}, and names without glyphs"


def check_qgis_tiles(scratch: Path, archive: Archive, shown: List[View], served: Served) -> str:
    """QGIS with a server of the archive's tiles: the colours in the middle of each tile."""
    program = check_qgis.interpreter()
    if not program:
        return "no QGIS (python3-qgis)"
    host = f"http://127.0.0.1:{served.port}"
    task = {
        "style": json.loads(served.get("/style.json").body), "styleUrl": f"{host}/style.json",
        "tiles": f"{host}/tiles/{{z}}/{{x}}/{{y}}.mvt",
        "views": [{"extent": view.extent(), "size": 128} for view in shown]}
    wanted = check_qgis.in_qgis(program, check_qgis.DRAWING, task)
    for number in archive.tiles:
        file = scratch / "tiles" / "/".join(map(str, tileid_to_zxy(number)))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(archive.tile(number) or b"")
    with hosting(scratch / "tiles", "/") as tiles:
        drawn = check_qgis.in_qgis(program, check_qgis.DRAWING, {**task, "tiles": tiles.address + "{z}/{x}/{y}"})
    for view, all_colors, colors in zip(shown, wanted, drawn):
        if BACKGROUND in all_colors or colors != (all_colors if view.up == 0 else {BACKGROUND: 128 ** 2}):
            fail(f"QGIS at {view}: {check_qgis.common(colors)}, not {check_qgis.common(all_colors)}")
    return "QGIS draws nothing where a tile is left out"


def main() -> None:
    options = given(__doc__, "binary", "pmtiles?", "folder?")
    binary, words = options.binary, []
    with tempfile.TemporaryDirectory() as name:
        scratch, tree = Path(name) / "site", Path(name) / "world"
        scratch.mkdir()
        make_tree(tree)
        path = scratch / "world.pmtiles"
        run(binary, "map", "-q", "--format", "pmtiles", "--sparse", "--max-zoom", DEEPEST, "-o", path, tree)
        run(binary, "map", "-q", "--format", "pmtiles", "--max-zoom", FULL, "-o", scratch / "full.pmtiles", tree)
        archive = Archive(path)
        with serving(binary, str(tree)) as served:
            shown = views(archive, served)
            if library("maplibre-gl.js") and find_browser():
                words += [check_gaps(scratch, shown, binary, tree, options.pmtiles),
                          check_server(scratch, binary, tree, options.pmtiles),
                          check_site(Path(name), binary, options.pmtiles, options.folder)]
            else:
                words.append("no MapLibre GL JS (pip package roadstyle, and Chromium)")
            words.append(check_qgis_tiles(scratch, archive, shown, served))
    print("; ".join(words))


if __name__ == "__main__":
    main()
