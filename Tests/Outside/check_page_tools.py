"""Drives the tools of the page in a headless browser that check_page.py leaves out.

    check_page_tools.py GEOMAPPER [--pictures FOLDER]

The ruler, saving and printing, towns, favourites after a reload, reduced motion, colours after a reload, back and
forward, names that aren't text, pulses, and deep folders.
"""

import base64
import json
import os
import re
import tempfile
import time
from typing import List, Tuple
from xml.etree import ElementTree

from browser import Browser, Page, browsing, page_arguments
from check_page import PLACE, SELECTED, pixel_of, plant, show
from outside import fail
from served import serving

RAW = b"caf\xe9.txt"  # Latin-1, which is not UTF-8
DEEP = 14  # nested folders, each with five siblings
# The files of the visible tiles: other tiles may be out of date.
FILES = ("geomapper.view.tiles.visible(geomapper.view.camera)"
         ".flatMap((t) => geomapper.view.tiles.get(t.z, t.x, t.y)?.data.files ?? [])")


def focus_map(page: Page) -> None:
    page.run("document.getElementById('map').focus()")


def reload(page: Page) -> None:
    """Reloads the page at its current address."""
    page.open(page.run("location.href"))
    page.wait("globalThis.geomapper?.view.isComplete", "the page anew")
    page.settle()


def check_ruler(page: Page, root: str, shot: str) -> None:
    """Two taps measure the great-circle distance; Esc ends the ruler; keys alone can do it, too."""
    show(page, root)
    page.key("Escape")
    page.wait(f"!{SELECTED}", "nothing selected")
    page.run("document.getElementById('ruler').click()")
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
    if page.run(f"Boolean({SELECTED})"):
        fail("the ruler selects")
    page.shoot(shot)
    page.key("Escape")
    page.wait("document.getElementById('ruler').getAttribute('aria-pressed') === 'false'", "its end")
    focus_map(page)
    page.key("r")
    page.key("Enter")
    page.key("ArrowRight")
    page.settle()
    page.run("document.getElementById('spoken').textContent = ''")
    page.key("Enter")
    page.wait("/m$/.test(document.getElementById('spoken').textContent)", "a length by keys")
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
    focus_map(page)
    page.key(key)
    page.wait("globalThis.saved && globalThis.bytes", "a file")
    page.run("HTMLAnchorElement.prototype.click = globalThis.press;"
             " URL.createObjectURL = globalThis.addressOf; 0")
    return page.run("globalThis.saved"), base64.b64decode(page.run("globalThis.bytes"))


def check_picture(page: Page, root: str, shot: str) -> None:
    """The picture is a PNG of the map on the screen, named after the selected node."""
    show(page, f"{root}/meadow")
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
    show(page, root)
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
    caption = page.run("document.getElementById('caption').textContent")
    if not paper.startswith(b"%PDF") or len(re.findall(rb"/Type\s*/Page\b", paper)) != 1:
        fail(f"it is not printed on one sheet: {len(paper)} bytes")
    if not caption.startswith(root):
        fail(f"below it stands {caption!r}")
    with open(f"{shots}/printed.pdf", "wb") as file:
        file.write(paper)
    page.settle()
    page.run("document.getElementById('picture').click()")
    if page.run("document.querySelectorAll('#drawer button').length") != 4:
        fail("there are not four ways to save it")
    # Printing uses the sheet that `draw` makes, once totals are known.
    page.run("fetch('/totals').then((answer) => answer.text())")
    page.run("globalThis.print = () => { const sheet = document.getElementById('sheet');"
             " globalThis.onPaper = [sheet?.naturalWidth ?? 0, document.body.classList.contains('sheet')]; }; 0")
    page.run("[...document.querySelectorAll('#drawer button')].at(-1).click()")
    page.wait("globalThis.onPaper !== undefined", "it is printed")
    wide, is_sheet = page.run("globalThis.onPaper")
    page.settle()
    if wide < 1000 or not is_sheet or page.run("document.getElementById('sheet') !== null"):
        fail(f"on paper is a picture {wide} wide, as a sheet: {is_sheet}; "
             + page.run("document.getElementById('note').textContent"))
    page.key("Escape")


def check_towns(page: Page, root: str, shot: str) -> None:
    """The ground of files of deeper zooms has no figure: a part of a folder's files is not a count."""
    show(page, f"{root}/town")
    page.key("Escape")
    page.run("geomapper.view.camera.covered = { left: 0, top: 0, right: 0, bottom: 0 }; 0")
    page.run(f"geomapper.view.source.node('{root}/town').then((node) =>"
             " geomapper.view.camera.set(...Object.values(geomapper.view.camera.viewOf(node.bbox))))")
    page.settle()
    page.shoot(shot)
    towns = page.run("[...geomapper.view.tiles.all.values()].flatMap((e) => e.data?.towns ?? [])"
                     f".filter(({{ folder }}) => folder === '{root}/town').length")
    named = page.run("geomapper.view.labels.placed.map(({ sprite }) => sprite.letters.join('')).filter((text) => /^[0-9,]+ files?$/.test(text))")
    if towns == 0 or named:
        fail(f"of {towns} parts of a town some have figures: {named}")


def check_favourites(page: Page, root: str) -> None:
    """Favourites survive a reload and restore the view, even with a name that isn't text."""
    paths = [f"{root}/desert/dune", f"{root}/meadow/flower-09.txt"]
    for path in paths:
        show(page, path)
        focus_map(page)
        page.key("s")
    show(page, f"{root}/odd")
    page.run("[...document.querySelectorAll('.children button')].at(-1).click()")
    page.wait(f"{SELECTED}?.startsWith('{root}/odd/')", "the odd one")
    focus_map(page)
    page.key("s")
    reload(page)
    page.run("document.getElementById('stars').click()")
    page.wait("document.querySelector('#drawer .title')", "the list")
    names = page.run("[...document.querySelectorAll('#drawer .title')].map((b) => b.innerText)")
    if len(names) != 3 or not names[0].startswith("★ dune") or not names[1].startswith("★ flower-09.txt"):
        fail(f"the favourites are {names}")
    for left, path in zip((2, 1, 0), paths + [f"{root}/odd/caf\ufffd.txt"]):
        page.run("document.querySelector('#drawer .title').click()")
        page.wait(f"{SELECTED} === {path!r}", f"the favourite {path!r}")
        page.settle()
        if page.run("document.querySelector('#panel .star').getAttribute('aria-pressed')") != "true":
            fail(f"the star of {path!r} is not lit")
        page.run("document.querySelector('#panel .star').click()")
        page.wait(f"document.querySelectorAll('#drawer .title').length === {left}", "it is off the list")
    if page.run(f"localStorage['geomapper.favourites@{root}']") != "[]":
        fail("a star was not taken away")
    page.key("Escape")


def check_links(browser: Browser, page: Page, binary: str, folder: str) -> None:
    """A copied link says where it works, and how to share the map; with a token the link has it."""
    page.run("navigator.clipboard.writeText = (text) => { globalThis.copied = text; return Promise.resolve(); }")
    press = ("[...document.querySelectorAll('#panel button')].find((b) => b.innerText === 'Copy link').click()")
    show(page, "garden/desert")
    page.run(press)
    page.wait("document.querySelector('#panel code')", "the command")
    text = page.run("document.getElementById('panel').innerText")
    if "on this machine only" not in text or f"geomapper publish {folder} -o OUT" not in text or "token" in text:
        fail(f"of a link the panel says {text!r}")
    if page.run("copied !== location.href"):
        fail("the link is not the address")
    with serving(binary, "--token", folder) as server:
        other = browser.page()
        other.open(server.address)
        other.wait("globalThis.geomapper?.view.isComplete", "first picture")
        other.run("navigator.clipboard.writeText = (text) => { globalThis.copied = text; return Promise.resolve(); }")
        show(other, "garden/desert")
        time.sleep(0.5)
        other.run(press)
        other.wait("document.getElementById('panel').innerText.includes('contains the token')", "the words about the token")
        link = other.run("copied")
        if link != server.address + other.run("location.hash") or "path=garden/desert" not in link:
            fail(f"the link {link} lacks the token or the view")
        other.call("Page.navigate", url="about:blank")
        other.wait("location.href === 'about:blank'", "the page to be left")
    page.call("Page.bringToFront")


OLD_TRACKS = """new Promise((resolve, reject) => {
  const request = indexedDB.open("geomapper.tracks", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("heads", { keyPath: "id" });
    request.result.createObjectStore("lines");
  };
  request.onerror = reject;
  request.onsuccess = () => {
    const work = request.result.transaction(["heads", "lines"], "readwrite");
    work.objectStore("heads").put({ id: "old", file: "old.gpx", title: "Old walk", date: 0, subtitle: "1970-01-01", length: 0, points: 0, places: 0 });
    work.objectStore("lines").put({ lines: [], places: [] }, "old");
    work.oncomplete = () => { request.result.close(); resolve(true); };
  };
})"""


def check_migration(page: Page, root: str) -> None:
    """Points and tracks that were kept for all maps of an address become those of its roots, once."""
    page.run(f"localStorage['geomapper.favourites'] = JSON.stringify([{root!r} + '/desert', 'elsewhere/file'])")
    page.run(OLD_TRACKS)
    for _ in range(2):
        reload(page)
        kept = page.run(f"['@{root}', ''].map((key) => JSON.parse(localStorage['geomapper.favourites' + key]).map((one) => one.path))")
        if kept != [[f"{root}/desert"], ["elsewhere/file"]]:
            fail(f"the points kept for a set of roots, and for others: {kept}")
        page.run("document.getElementById('tracks').click()")
        page.wait("document.getElementById('drawer').innerText.includes('Old walk')", "the track")
        page.key("Escape")
    bases = page.run("indexedDB.databases().then((all) => all.map(({ name }) => name))")
    if bases != [f"geomapper.tracks@{root}"]:
        fail(f"the databases are {bases}")
    page.run("localStorage.clear()")
    page.run("document.getElementById('tracks').click()")
    page.run("[...document.querySelectorAll('#drawer .entries button')].find((b) => b.title === 'Delete').click()")
    page.key("Escape")


def check_odd_name(page: Page, root: str, shot: str) -> None:
    """A name that isn't UTF-8: in the list of its folder, by link, by search, and on the map."""
    show(page, f"{root}/odd")
    buttons = page.run("[...document.querySelectorAll('.children button')].map((b) => b.innerText)")
    if buttons != ["caf\ufffd.txt"]:
        fail(f"the list says {buttons}")
    page.run("document.querySelector('.children button').click()")
    page.wait(f"{SELECTED} === '{root}/odd/caf\ufffd.txt'", "the tap in the list")
    page.settle()
    raw = page.run("geomapper.selected.feature.properties.rawPath")
    if raw != f"{root}/odd/caf%E9.txt":
        fail(f"its bytes are {raw}")
    page.shoot(shot)
    page.wait("location.hash.includes('raw=')", "its link")
    reload(page)
    page.wait(f"{SELECTED} === '{root}/odd/caf\ufffd.txt'", "the link")
    if "caf\ufffd.txt" not in page.run("document.getElementById('panel').innerText"):
        fail("the panel does not name it")
    page.key("Escape")
    page.wait(f"!{SELECTED}", "nothing selected")
    page.click(*pixel_of(page, "caf\ufffd.txt"))
    page.wait(f"{SELECTED} === '{root}/odd/caf\ufffd.txt'", "the tap on the map")


def check_calm(page: Page, root: str) -> None:
    """With reduced motion, views change at once."""
    page.prefer(prefers_reduced_motion="reduce")
    show(page, root)
    moving = page.run(
        f"geomapper.open('{root}/forest/oak/leaf/needle.c', true).then(() =>"
        " [geomapper.view.camera.isMoving, geomapper.view.camera.z,"
        " geomapper.selected.feature.properties.minzoom])")
    if moving[0] or moving[1] < moving[2]:
        fail(f"it flies, or is not there: {moving}")
    page.settle()
    focus_map(page)
    zoom = page.run("geomapper.view.camera.z")
    page.key("-")
    if page.run("geomapper.view.camera.isMoving") or page.run("geomapper.view.camera.z") > zoom - 0.9:
        fail("a key flies")
    page.prefer(prefers_reduced_motion="no-preference")
    page.run(f"geomapper.open('{root}', true)")
    page.wait("geomapper.view.camera.isMoving", "a flight where nobody minds")
    page.settle()


def check_kept_colours(page: Page, root: str) -> None:
    """The colour mode and the theme survive a reload, with the right legend."""
    show(page, f"{root}/meadow")
    page.run("document.getElementById('colours').click()")
    legends: List[str] = []
    for mode in ("kind", "size", "age", "type"):
        page.run(f"document.querySelector('input[value={mode}]').click()")
        page.settle()
        legends.append(page.run("document.querySelector('.legend').innerText"))
    if len(set(legends)) != 4:
        fail("two legends are the same")
    page.run("document.getElementById('theme').click()")
    reload(page)
    if page.run("[document.documentElement.dataset.theme, geomapper.view.palette.mode]") != [
            "dark", "type"]:
        fail("the choice of colours is not kept")
    page.run("document.getElementById('theme').click()")
    page.run("document.getElementById('colours').click()")
    page.settle()
    legend = page.run("document.querySelector('.legend').innerText")
    if legend != legends[3]:
        fail(f"the legend is not that of the choice: {legend!r}, not {legends[3]!r}")
    page.run("document.querySelector('input[value=kind]').click()")
    page.key("Escape")


def check_names(page: Page, root: str) -> None:
    """No name is under the panel, the tools or the search, and no names overlap."""
    show(page, f"{root}/meadow")
    boxes = page.run(
        "geomapper.view.labels.placed.flatMap(({ boxes }, index) => boxes.map((b) =>"
        " [b[0], b[1], b[2], b[3], index]))")
    over = page.run("geomapper.view.labels.obstacles()")
    if len(boxes) < 5 or len(over) < 4:
        fail(f"{len(boxes)} names, {len(over)} things over the map")

    def clash(a: List[float], b: List[float]) -> bool:
        return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

    for index, box in enumerate(boxes):
        # The letters of one name may touch each other.
        others = [other for other in boxes[:index] if other[4] != box[4]]
        if any(clash(box, other) for other in over + others):
            fail(f"the name at {box} lies over another or under something")


def check_history(page: Page, root: str) -> None:
    """Back and forward lead through selections, each with its view."""
    steps = [f"{root}/desert", f"{root}/forest", f"{root}/forest/oak/leaf", f"{root}/empty"]
    places = []
    for path in steps:
        show(page, path)
        page.wait("location.hash.endsWith(geomapper.selected.feature.properties.path)", "its link")
        page.wait("location.hash.startsWith('#' + String(+geomapper.view.camera.z.toFixed(2)) + '/')",
                  "the view in the link")
        places.append(page.run(PLACE))
    for index, way in ((2, "back"), (1, "back"), (0, "back"), (1, "forward"), (2, "forward")):
        page.run(f"history.{way}()")
        page.wait(f"{SELECTED} === '{steps[index]}'", f"{way} to {steps[index]}")
        page.settle()
        there = page.run(PLACE)
        scale = 512 * 2 ** places[index][2]
        far = max(abs(a - b) * scale for a, b in zip(places[index][:2], there[:2]))
        if far > 4 or abs(places[index][2] - there[2]) > 0.02:
            fail(f"{way} leads to {there}, not {places[index]}")
    # The view changes before a slow server returns the node: the link contains both.
    page.run("(({ source }) => { const node = source.node.bind(source); source.node = async (...all) => {"
             " await new Promise((next) => setTimeout(next, 700)); return node(...all); }; })(geomapper.page)")
    for index, way in ((1, "back"), (0, "back"), (1, "forward"), (2, "forward")):
        page.run(f"history.{way}()")
        page.wait(f"{SELECTED} === '{steps[index]}'", f"{way} to {steps[index]} of a slow server")
        link = page.run("decodeURIComponent(location.hash)")
        if not link.endswith(f"path={steps[index]}"):
            fail(f"{way} to {steps[index]} makes the link {link}")
    page.run("delete geomapper.page.source.node")


def check_pulses(page: Page, root: str, folder: str) -> None:
    """A changed file pulses where it is visible, otherwise its folder; then the map is at rest again."""
    # A new file's place depends on its name: it is made once in advance, to find the view around it.
    late = os.path.join(folder, "meadow/late.txt")
    with open(late, "w", encoding="ascii") as file:
        file.write("late")
    show(page, f"{root}/meadow/late.txt")
    place = page.run(PLACE)
    page.key("Escape")
    page.wait(f"!{SELECTED}", "nothing selected")
    os.remove(late)
    page.wait(f"!{FILES}.some((f) => f.name === 'late.txt')", "the file goes")
    show(page, f"{root}/meadow/flower-03.txt")
    page.wait("geomapper.view.pulses.all.length === 0", "quiet")
    page.settle()
    page.run("globalThis.seen = []; geomapper.view.pulses.start = (box) => { seen.push(box); }; 0")
    with open(os.path.join(folder, "meadow/flower-03.txt"), "a", encoding="ascii") as file:
        file.write("more")
    page.wait("seen.length > 0", "a pulse")
    box = page.run("seen[0]")
    x, y = page.run(f"geomapper.view.camera.toScreen({box[0]}, {box[1]})")
    at = pixel_of(page, "flower-03.txt")
    if box[0] != box[2] or max(abs(x - at[0]), abs(y - at[1])) > 1:
        fail(f"something pulses at {x}, {y}, the file is at {at}")
    page.run("geomapper.view.camera.set({}, {}, {})".format(*place))
    page.settle()
    page.run("seen.length = 0; 0")
    with open(late, "w", encoding="ascii") as file:
        file.write("late")
    page.wait(f"{FILES}.some((f) => f.name === 'late.txt')", "the new file")
    page.wait("seen.some((b) => b[0] === b[2])", "the new file pulses")
    page.settle()
    page.run("seen.length = 0; 0")
    os.remove(late)
    page.wait("seen.some((b) => b[0] === b[2])", "what goes pulses where it was")
    page.wait(f"!{FILES}.some((f) => f.name === 'late.txt')", "the file goes")
    # At low zooms, the folder pulses instead of its files.
    page.run("geomapper.view.camera.set(0.5, 0.5, 0)")
    page.settle()
    page.run("delete geomapper.view.pulses.start; for (const [key, e] of geomapper.view.tiles.all)"
             " if (e.z > 1) geomapper.view.tiles.all.delete(key); 0")
    with open(os.path.join(folder, "meadow/flower-03.txt"), "a", encoding="ascii") as file:
        file.write("more")
    page.wait("geomapper.view.pulses.all.some((p) => p.box[0] < p.box[2])", "the folder pulses")
    page.wait("geomapper.view.pulses.all.length === 0", "quiet")


def check_deep(page: Page, root: str, shot: str) -> None:
    """Deep down there are still tiles: a file in many folders is drawn, and can be tapped."""
    path = "/".join([root, *["d"] * DEEP, "bottom.txt"])
    show(page, path)
    most = page.run("geomapper.selected.feature.properties.minzoom")
    if most <= 24:
        fail(f"nothing deep: {most}")
    zoom = page.run("geomapper.view.camera.z")
    if zoom < min(most, 30) or zoom <= 24:
        fail(f"the page stops at zoom {zoom}, the file comes into sight at {most}")
    page.shoot(shot)
    page.key("Escape")
    page.wait(f"!{SELECTED}", "nothing selected")
    page.click(*pixel_of(page, "bottom.txt"))
    page.wait(f"{SELECTED} === {path!r}", "the tap deep down")


def main() -> None:
    binary, shots, program = page_arguments(__doc__)
    with tempfile.TemporaryDirectory() as at, browsing(program) as browser:
        folder = os.path.join(at, "garden")
        plant(folder)
        os.makedirs(os.path.join(folder, "odd"))
        os.makedirs(os.path.join(folder, "town"))
        for number in range(20_000):
            os.close(os.open(f"{folder}/town/house-{number}", os.O_CREAT | os.O_WRONLY))
        for depth in range(DEEP):
            for name in "dvwxyz":
                os.makedirs(os.path.join(folder, *["d"] * depth, name))
        for name in (os.path.join(os.fsencode(folder), b"odd", RAW),
                     os.path.join(os.fsencode(folder), *[b"d"] * DEEP, b"bottom.txt")):
            with open(name, "wb") as file:
                file.write(b"here")
        with serving(binary, folder) as server:
            page = browser.page()
            page.open(server.address)
            page.wait("globalThis.geomapper?.view.isComplete", "first picture")
            check_ruler(page, "garden", f"{shots}/ruler.png")
            check_picture(page, "garden", f"{shots}/saved.png")
            check_shapes(page, "garden", shots)
            check_towns(page, "garden", f"{shots}/towns.png")
            check_odd_name(page, "garden", f"{shots}/odd-name.png")
            check_favourites(page, "garden")
            check_migration(page, "garden")
            check_links(browser, page, binary, folder)
            check_calm(page, "garden")
            check_kept_colours(page, "garden")
            check_history(page, "garden")
            check_names(page, "garden")
            check_pulses(page, "garden", folder)
            check_deep(page, "garden", f"{shots}/deep.png")
        browser.check()
    print("the page's tools do what they should")


if __name__ == "__main__":
    main()
