"""Drives the tools of the page in a headless browser that check_page.py leaves out.

    check_page_tools.py GEOMAPPER [--pictures FOLDER]

The ruler, saving and printing, towns, favourites after a reload, reduced motion, colours after a reload, back and
forward, names that aren't text, pulses, and deep folders.
"""

import base64
import json
import os
import re
import time
from typing import List, Tuple
from xml.etree import ElementTree

from browser import PLACE, SELECTED, Browser, Page, driving
from check_page import check_place, pixel_of, plant
from outside import fail, put, same
from served import serving

RAW = b"caf\xe9.txt"  # Latin-1, which is not UTF-8
DEEP = 14  # nested folders, each with five siblings
# The files of the visible tiles: other tiles may be out of date.
FILES = ("geomapper.view.tiles.visible(geomapper.view.camera)"
         ".flatMap((t) => geomapper.view.tiles.get(t.z, t.x, t.y)?.data.files ?? [])")


def check_ruler(page: Page, root: str, shot: str) -> None:
    """Two taps measure the great-circle distance; Esc ends the ruler; keys alone can do it, too."""
    page.select(root)
    page.deselect()
    page.expect("a scale without the ruler", "document.getElementById('scale').hidden", True)
    page.press("#ruler")
    page.wait("!document.getElementById('scale').hidden && /m · zoom/.test(document.getElementById('scale').textContent)", "the scale")
    page.click(400, 300)
    page.click(700, 500)
    page.wait("/\\d (k|c|m)?m$/.test(document.getElementById('spoken').textContent)", "a length")
    spoken = page.run("document.getElementById('spoken').textContent")
    true = page.run(
        "(() => { const rad = (a) => a * Math.PI / 180;"
        " const at = (x, y) => { const [u, v] = geomapper.view.camera.toWorld(x, y);"
        "  return [rad(u * 360 - 180), Math.atan(Math.sinh(Math.PI * (1 - 2 * v)))]; };"
        " const [a, b] = [at(400, 300), at(700, 500)];"
        " return 6371.0088 * Math.acos(Math.sin(a[1]) * Math.sin(b[1])"
        "  + Math.cos(a[1]) * Math.cos(b[1]) * Math.cos(a[0] - b[0])); })()")
    said = float(spoken.split()[0].replace(",", "")) * {"km": 1, "m": 1e-3}[spoken.split()[1]]
    if abs(said / true - 1) > 0.006:
        fail(f"the ruler says {spoken}, it is {true} km")
    page.check("the ruler selects nothing", f"!{SELECTED}")
    page.shoot(shot)
    page.key("Escape")
    page.wait("document.getElementById('ruler').getAttribute('aria-pressed') === 'false' && document.getElementById('scale').hidden", "its end")
    page.focus("#map")
    page.key("r")
    page.key("Enter")
    page.key("ArrowRight")
    page.settle()
    page.run("document.getElementById('spoken').textContent = ''")
    page.key("Enter")
    page.wait("/m$/.test(document.getElementById('spoken').textContent)", "a length by keys")
    page.key("Escape")
    # The last point can be removed, or all.
    page.press("#ruler")
    for x in (500, 600, 700):
        page.click(x, 300)
    page.focus("#map")
    page.key("Backspace")
    page.says("#note", "Undo")
    for number in (0, 1):
        page.run(f"document.querySelectorAll('#note button')[{number}].click()")
    page.says("#note", "tap two points")
    page.key("Escape")


def saved(page: Page, key: str) -> Tuple[str, bytes]:
    """The name and bytes of the file that the browser saves when a key is pressed."""
    # The page's policy forbids scripts to fetch saved files, so the bytes are taken before.
    page.run(
        "globalThis.saved = globalThis.bytes = null; globalThis.press = HTMLAnchorElement.prototype.click;"
        " globalThis.addressOf ??= URL.createObjectURL;"
        " URL.createObjectURL = (blob) => { blob.arrayBuffer().then((all) => { globalThis.bytes ="
        " btoa(Array.from(new Uint8Array(all), (v) => String.fromCharCode(v)).join('')); });"
        " return 'data:,'; }; HTMLAnchorElement.prototype.click = function () {"
        " globalThis.saved = this.download; }; 0")
    page.focus("#map")
    page.key(key)
    page.wait("globalThis.saved && globalThis.bytes", "a file")
    page.run("HTMLAnchorElement.prototype.click = globalThis.press;"
             " URL.createObjectURL = globalThis.addressOf; 0")
    return page.run("globalThis.saved"), base64.b64decode(page.run("globalThis.bytes"))


def check_picture(page: Page, root: str, shot: str) -> None:
    """The picture is a PNG of the map on the screen, named after the selected node."""
    page.select(f"{root}/meadow")
    name, data = saved(page, "p")
    if name != "meadow.png":
        fail(f"the picture is called {name}")
    size = [int.from_bytes(data[at:at + 4], "big") for at in (16, 20)]
    if data[:8] != b"\x89PNG\r\n\x1a\n" or size != [1280, 800] or len(data) < 20_000:
        fail(f"the picture is no PNG of the view: {data[:24]!r}, {len(data)} bytes")
    with open(shot, "wb") as file:
        file.write(data)


def check_shapes(page: Page, root: str, shots: str) -> None:
    """The view as SVG, as GeoJSON and printed."""
    page.select(root)
    name, data = saved(page, "v")
    tree = ElementTree.fromstring(data)
    space = "{http://www.w3.org/2000/svg}"
    words = ["".join(text.text or "" for text in group.iter(f"{space}text"))
             for group in tree.iter(f"{space}g")]
    if name != f"{root}.svg" or tree.get("width") != "1280" or "meadow" not in words:
        fail(f"{name} names {words}")
    with open(f"{shots}/saved.svg", "wb") as file:
        file.write(data)
    # It looks like the map: the same mean brightness, and the same colours of sea and land away from names.
    there = "[[30, 300], [640, 130], [900, 700]].map(([x, y]) => [...PEN.getImageData(x, y, 1, 1).data])"
    drawn, shown = (page.run(
        "(async () => { const canvas = document.createElement('canvas'); canvas.width = 1280;"
        " canvas.height = 800; const pen = canvas.getContext('2d', { willReadFrequently: true });"
        f" {what}; return {there.replace('PEN', 'pen')}; }})()") for what in (
            "const picture = new Image(); picture.src = 'data:image/svg+xml;base64,' + globalThis.bytes;"
            " await picture.decode(); pen.drawImage(picture, 0, 0)",
            "pen.drawImage(geomapper.view.canvas, 0, 0)"))
    for one, other in zip(drawn, shown):
        if max(abs(a - b) for a, b in zip(one, other)) > 24:
            fail(f"the SVG has {drawn}, the map {shown}")
    name, data = saved(page, "g")
    features = json.loads(data)["features"]
    paths = {feature["properties"]["path"]: feature for feature in features}
    meadow = page.run(f"geomapper.view.source.node('{root}/meadow').then((node) => node.feature)")
    if name != f"{root}.geojson" or paths[f"{root}/meadow"]["geometry"] != meadow["geometry"]:
        fail(f"{name} has {sorted(paths)}")
    paper = base64.b64decode(page.call("Page.printToPDF", landscape=True, printBackground=True)["data"])
    if not paper.startswith(b"%PDF") or len(re.findall(rb"/Type\s*/Page\b", paper)) != 1:
        fail(f"it is not printed on one sheet: {len(paper)} bytes")
    page.check("the caption", f"document.getElementById('caption').textContent.startsWith('{root}')")
    with open(f"{shots}/printed.pdf", "wb") as file:
        file.write(paper)
    page.settle()
    page.press("#picture")
    page.expect("the number of ways to save it", "document.querySelectorAll('#drawer p button').length", 4)
    # Printing uses the sheet that `draw` makes, once totals are known.
    page.run("fetch('/totals').then((answer) => answer.text())")
    page.run("globalThis.print = () => { const sheet = document.getElementById('sheet');"
             " globalThis.onPaper = [sheet?.naturalWidth ?? 0, document.body.classList.contains('sheet')]; }; 0")
    page.run("[...document.querySelectorAll('#drawer button')].at(-1).click()")
    page.wait("globalThis.onPaper !== undefined", "it is printed")
    page.settle()
    page.check("a wide sheet is on paper", "onPaper[0] >= 1000 && onPaper[1] && !document.getElementById('sheet')", "onPaper",
               "document.getElementById('note').textContent")
    page.key("Escape")


def check_towns(page: Page, root: str, shot: str) -> None:
    """The ground of files of deeper zooms has no figure: a part of a folder's files is not a count."""
    page.select(f"{root}/town")
    page.key("Escape")
    page.run("geomapper.view.camera.covered = { left: 0, top: 0, right: 0, bottom: 0 }; 0")
    page.run(f"geomapper.view.source.node('{root}/town').then((node) =>"
             " geomapper.view.camera.set(...Object.values(geomapper.view.camera.viewOf(node.bbox))))")
    page.settle()
    page.shoot(shot)
    page.check("there is a town", "[...geomapper.view.tiles.all.values()].flatMap((e) => e.data?.towns ?? [])"
               f".some(({{ folder }}) => folder === '{root}/town')")
    page.expect("figures of towns", "geomapper.view.labels.placed.map(({ sprite }) => sprite.letters.join(''))"
                ".filter((text) => /^[0-9,]+ files?$/.test(text))", [])


def check_many(page: Page, shot: str) -> None:
    """A search with more matches than it lists says how many there are, and leads to the filter view."""
    page.search("house-")
    page.wait("/^50 of 20,000 found/.test(document.getElementById('found').textContent)", "the number of matches")
    page.shoot(shot)
    page.press("#found button")
    page.wait("/^20,000 matches/.test(document.getElementById('table').querySelector('[role=status]').textContent)", "all of them")
    page.expect("the same words", "document.querySelector('#table input').value", "house-")
    page.press("#table [aria-label='Lights off']")
    page.search("town house-")
    page.wait("/^50 of 20,000 found$/.test(document.getElementById('found').textContent)", "no filter of several words")
    for _ in range(2):
        page.key("Escape")


def check_favourites(page: Page, root: str) -> None:
    """Favourites survive a reload and restore the view, even with a name that isn't text."""
    paths = [f"{root}/desert/dune", f"{root}/meadow/flower-09.txt"]
    for path in paths:
        page.select(path)
        page.focus("#map")
        page.key("s")
    page.select(f"{root}/odd")
    page.run("[...document.querySelectorAll('.children button')].at(-1).click()")
    page.wait(f"{SELECTED}?.startsWith('{root}/odd/')", "the odd one")
    page.focus("#map")
    page.key("s")
    page.reload()
    page.press("#stars")
    page.wait("document.querySelector('#drawer .title')", "the list")
    names = page.texts("#drawer .title")
    if len(names) != 3 or not names[0].startswith("★ dune") or not names[1].startswith("★ flower-09.txt"):
        fail(f"the favourites are {names}")
    for left, path in zip((2, 1, 0), paths + [f"{root}/odd/caf\ufffd.txt"]):
        page.press("#drawer .title")
        page.wait(f"{SELECTED} === {path!r}", f"the favourite {path!r}")
        page.settle()
        page.expect(f"the star of {path!r}", "document.querySelector('#panel .star').getAttribute('aria-pressed')", "true")
        page.press("#panel .star")
        page.wait(f"document.querySelectorAll('#drawer .title').length === {left}", "it is off the list")
    page.expect("what is kept", f"localStorage['geomapper.favourites@{root}']", "[]")
    page.key("Escape")


def check_links(browser: Browser, page: Page, binary: str, folder: str) -> None:
    """A copied link says where it works, and how to share the map; with a token the link has it."""
    copying = "navigator.clipboard.writeText = (text) => { globalThis.copied = text; return Promise.resolve(); }"
    page.run(copying)
    page.select("garden/desert")
    page.press("#panel button", "Copy link")
    page.wait("document.querySelector('#panel code')", "the command")
    page.says("#panel", "on this machine only", f"geomapper publish {folder} -o OUT")
    page.expect("whether a link without a token speaks of it", "document.getElementById('panel').innerText.includes('token')", False)
    page.expect("whether the link is the address", "copied === location.href", True)
    with serving(binary, "--token", folder) as server:
        other = browser.page()
        other.show(server.address)
        other.run(copying)
        other.select("garden/desert")
        time.sleep(0.5)
        other.press("#panel button", "Copy link")
        other.wait("document.getElementById('panel').innerText.includes('contains the token')", "the words about the token")
        link = other.run("copied")
        if link != server.address + other.run("location.hash") or "path=garden/desert" not in link:
            fail(f"the link {link} lacks the token or the view")
        other.leave()
    page.call("Page.bringToFront")


def check_odd_name(page: Page, root: str, shot: str) -> None:
    """A name that isn't UTF-8: in the list of its folder, by link, by search, and on the map."""
    page.select(f"{root}/odd")
    same("the list", page.texts(".children button"), ["caf\ufffd.txt"])
    page.press(".children button")
    page.wait(f"{SELECTED} === '{root}/odd/caf\ufffd.txt'", "the tap in the list")
    page.settle()
    page.expect("its bytes", "geomapper.selected.feature.properties.rawPath", f"{root}/odd/caf%E9.txt")
    page.shoot(shot)
    page.wait("location.hash.includes('raw=')", "its link")
    page.reload()
    page.wait(f"{SELECTED} === '{root}/odd/caf\ufffd.txt'", "the link")
    page.says("#panel", "caf\ufffd.txt")
    page.deselect()
    page.click(*pixel_of(page, "caf\ufffd.txt"))
    page.wait(f"{SELECTED} === '{root}/odd/caf\ufffd.txt'", "the tap on the map")


def check_calm(page: Page, root: str) -> None:
    """With reduced motion, views change at once."""
    page.prefer(prefers_reduced_motion="reduce")
    page.select(root)
    page.check("it is there at once", f"await geomapper.open('{root}/forest/oak/leaf/needle.c', true).then(() =>"
               " !geomapper.view.camera.isMoving && geomapper.view.camera.z >= geomapper.selected.feature.properties.minzoom)")
    page.settle()
    page.focus("#map")
    zoom = page.run("geomapper.view.camera.z")
    page.key("-")
    page.check("a key doesn't fly", f"!geomapper.view.camera.isMoving && geomapper.view.camera.z <= {zoom} - 0.9")
    page.prefer(prefers_reduced_motion="no-preference")
    page.run(f"geomapper.open('{root}', true)")
    page.wait("geomapper.view.camera.isMoving", "a flight where nobody minds")
    page.settle()


def check_kept_colours(page: Page, root: str) -> None:
    """The colour mode and the theme survive a reload, with the right legend."""
    page.select(f"{root}/meadow")
    page.press("#colours")
    legends: List[str] = []
    for mode in ("kind", "size", "age", "type"):
        page.press(f"input[value={mode}]")
        page.settle()
        legends.append(page.text(".legend"))
        page.check(f"the legend of {mode}", "document.querySelectorAll('.legend li').length >= 4")
    same("the number of different legends", len(set(legends)), 4)
    page.press("#theme")
    page.reload()
    page.expect("the kept choice of colours", "[document.documentElement.dataset.theme, geomapper.view.palette.mode]",
                ["dark", "type"])
    page.press("#theme")
    page.press("#colours")
    page.settle()
    same("the legend of the choice", page.text(".legend"), legends[3])
    page.press("input[value=kind]")
    page.key("Escape")


def check_names(page: Page) -> None:
    """No name is under the panel, the tools or the search, and the names of different things don't overlap."""
    boxes = page.run("geomapper.view.labels.placed.flatMap(({ key, boxes }) => boxes.map((b) =>"
                     " [b[0], b[1], b[2], b[3], key.split('\\n')[0]]))")
    over = page.run("geomapper.view.labels.obstacles()")
    if len(boxes) < 5 or not over:
        fail(f"{len(boxes)} names, {len(over)} things over the map")
    for index, a in enumerate(boxes):
        for b in over + [other for other in boxes[:index] if other[4] != a[4]]:
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                fail(f"the name at {a} lies over another or under something: {b}")
    lines = page.run("geomapper.view.labels.placed.filter(({ line }) => line).map(({ key, line, x, y }) => { const [px, py] = geomapper.view.camera.toScreen(x, y);"
                     " return [key.split('\\n')[0], ...line.map((value, i) => value + (i % 2 ? py : px))]; })")
    for own, x0, y0, x1, y1 in lines:
        for west, north, east, south, other in boxes:
            if other != own and any(west < x0 + (x1 - x0) * part / 40 < east and north < y0 + (y1 - y0) * part / 40 < south for part in range(41)):
                fail(f"the line of {own} goes through the name of {other}")


def check_history(page: Page, root: str) -> None:
    """Back and forward lead through selections, each with its view."""
    steps = [f"{root}/desert", f"{root}/forest", f"{root}/forest/oak/leaf", f"{root}/empty"]
    places = []
    for path in steps:
        page.select(path)
        page.wait("location.hash.endsWith(geomapper.selected.feature.properties.path)", "its link")
        page.wait("location.hash.startsWith('#' + String(+geomapper.view.camera.z.toFixed(2)) + '/')",
                  "the view in the link")
        places.append(page.run(PLACE))
    def step(index: int, way: str) -> None:
        page.run(f"history.{way}()")
        page.wait(f"{SELECTED} === '{steps[index]}'", f"{way} to {steps[index]}")

    for index, way in ((2, "back"), (1, "back"), (0, "back"), (1, "forward"), (2, "forward")):
        step(index, way)
        page.settle()
        check_place(page, way, places[index])
    # The view changes before a slow server returns the node: the link contains both.
    page.run("(({ source }) => { const node = source.node.bind(source); source.node = async (...all) => {"
             " await new Promise((next) => setTimeout(next, 700)); return node(...all); }; })(geomapper.page)")
    for index, way in ((1, "back"), (0, "back"), (1, "forward"), (2, "forward")):
        step(index, way)
        page.check(f"the link of {way}", f"decodeURIComponent(location.hash).endsWith('path={steps[index]}')")
    page.run("delete geomapper.page.source.node")


def check_pulses(page: Page, root: str, folder: str) -> None:
    """A changed file pulses where it is visible, otherwise its folder; then the map is at rest again."""
    # A new file's place depends on its name: it is made once in advance, to find the view around it.
    late, flower = "meadow/late.txt", "meadow/flower-03.txt"
    put(folder, {late: "late"})
    page.select(f"{root}/{late}")
    place = page.run(PLACE)
    page.deselect()
    os.remove(os.path.join(folder, late))
    page.wait(f"!{FILES}.some((f) => f.name === 'late.txt')", "the file goes")
    page.select(f"{root}/{flower}")
    page.wait("geomapper.view.pulses.all.length === 0", "quiet")
    page.settle()
    page.run("globalThis.seen = []; geomapper.view.pulses.start = (box) => { seen.push(box); }; 0")
    put(folder, {flower: 304})
    page.wait("seen.length > 0", "a pulse")
    box = page.run("seen[0]")
    x, y = page.run(f"geomapper.view.camera.toScreen({box[0]}, {box[1]})")
    at = pixel_of(page, "flower-03.txt")
    if box[0] != box[2] or max(abs(x - at[0]), abs(y - at[1])) > 1:
        fail(f"something pulses at {x}, {y}, the file is at {at}")
    page.run("geomapper.view.camera.set({}, {}, {})".format(*place))
    page.settle()
    page.run("seen.length = 0; 0")
    put(folder, {late: "late"})
    page.wait(f"{FILES}.some((f) => f.name === 'late.txt')", "the new file")
    page.wait("seen.some((b) => b[0] === b[2])", "the new file pulses")
    page.settle()
    page.run("seen.length = 0; 0")
    os.remove(os.path.join(folder, late))
    page.wait("seen.some((b) => b[0] === b[2])", "what goes pulses where it was")
    page.wait(f"!{FILES}.some((f) => f.name === 'late.txt')", "the file goes")
    # At low zooms, the folder pulses instead of its files.
    page.run("geomapper.view.camera.set(0.5, 0.5, 0)")
    page.settle()
    page.run("delete geomapper.view.pulses.start; for (const [key, e] of geomapper.view.tiles.all)"
             " if (e.z > 1) geomapper.view.tiles.all.delete(key); 0")
    put(folder, {flower: 308})
    page.wait("geomapper.view.pulses.all.some((p) => p.box[0] < p.box[2])", "the folder pulses")
    page.wait("geomapper.view.pulses.all.length === 0", "quiet")


def check_deep(page: Page, root: str, shot: str) -> None:
    """Deep down there are still tiles: a file in many folders is drawn, and can be tapped."""
    path = "/".join([root, *["d"] * DEEP, "bottom.txt"])
    page.select(path)
    zooms = "[geomapper.selected.feature.properties.minzoom, geomapper.view.camera.z]"
    page.check("the view is where the file is shown", f"(([most, zoom]) => most > 24 && zoom >= Math.min(most, 30) && zoom > 24)({zooms})",
               zooms)
    page.shoot(shot)
    page.deselect()
    page.click(*pixel_of(page, "bottom.txt"))
    page.wait(f"{SELECTED} === {path!r}", "the tap deep down")


def main() -> None:
    with driving(__doc__) as (binary, shots, browser, at):
        folder = os.path.join(at, "garden")
        plant(folder)
        put(folder, {f"town/house-{number}": "" for number in range(20_000)})
        for depth in range(DEEP):
            for name in "dvwxyz":
                os.makedirs(os.path.join(folder, *["d"] * depth, name))
        put(folder, {"/".join(["d"] * DEEP + ["bottom.txt"]): "here", os.path.join("odd", os.fsdecode(RAW)): "here"})
        with serving(binary, folder) as server:
            page = browser.page()
            page.show(server.address)
            check_ruler(page, "garden", f"{shots}/ruler.png")
            check_picture(page, "garden", f"{shots}/saved.png")
            check_shapes(page, "garden", shots)
            check_towns(page, "garden", f"{shots}/towns.png")
            check_many(page, f"{shots}/many.png")
            check_odd_name(page, "garden", f"{shots}/odd-name.png")
            check_favourites(page, "garden")
            check_links(browser, page, binary, folder)
            check_calm(page, "garden")
            check_kept_colours(page, "garden")
            check_history(page, "garden")
            page.select("garden/meadow")
            check_names(page)
            check_pulses(page, "garden", folder)
            check_deep(page, "garden", f"{shots}/deep.png")
    print("the page's tools do what they should")


if __name__ == "__main__":
    main()
