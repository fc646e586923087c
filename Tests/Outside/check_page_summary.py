"""Drives the summary of the page in a headless browser: what it answers without a click, and what it leads to.

    check_page_summary.py GEOMAPPER [--pictures FOLDER]

It follows the view, folds away, raises land, leads down the heaviest branch, and lists what to delete. The list's text
is read by a shell, and has to be the paths of the marked files.
"""

import json
import os
import subprocess
import tempfile
from typing import List
from urllib.parse import quote

from browser import Browser, Page, browsing, page_arguments
from check_page import SELECTED, leave, show
from outside import fail
from served import serving

TEXT = "document.getElementById('summary').innerText"
ODD = [b"it's $(touch owned) `x`", b"line\nbreak", b"-rf", b"caf\xe9.txt", b"two  blanks", "r\u202ecod".encode()]
SIZES = ((1440, 900), (1280, 800), (1024, 600), (390, 844))


def plant(root: bytes) -> None:
    """A tree with a heavy branch and odd names."""
    for name, size in ((b"heavy/deep/core.bin", 900_000), (b"heavy/deep/notes.txt", 20_000), (b"heavy/log/core.bin", 90_000),
                       (b"light/small.txt", 3000), (b"middle/half.bin", 200_000), *((b"odd/" + name, 5000) for name in ODD)):
        os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
        with open(os.path.join(root, name), "wb") as file:
            file.write(b"x" * size)
    os.makedirs(os.path.join(root, b"empty"))
    for number in range(30):
        with open(os.path.join(root, b"light/%02d" % number), "wb") as file:
            file.write(b"x" * number)


def opened(browser: Browser, address: str, width: int = 1280, height: int = 800, touch: bool = False) -> Page:
    """The page with complete figures."""
    page = browser.page(width, height, touch)
    page.open(address)
    page.wait("globalThis.geomapper?.page.level.current?.complete", "figures")
    page.settle()
    return page


def expect(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        fail(f"{what}: {found!r}, not {wanted!r}")


def rows(page: Page, kind: str) -> List[str]:
    """The names of the rows of a list."""
    return list(page.run(f"[...document.querySelectorAll('#summary .{kind} .name')].map((name) => name.textContent)"))


def check_answers(page: Page) -> None:
    """Without a click it says which folder and which file is largest, and how much there is."""
    expect("folders by size", rows(page, "land"), ["heavy", "middle", "light", "odd", "empty"])
    expect("files by size", rows(page, "file")[:3], ["core.bin (deep)", "half.bin", "core.bin (log)"])
    text = page.run(TEXT)
    for part in ("box", "on disk", "apparent size", "41 files", "7 folders", "used", "free", "LEGEND"):
        if part not in text.replace("Legend", "LEGEND"):
            fail(f"the summary does not say {part!r}: {text!r}")
    expect("the tab's title", page.run("document.title"), "box · geomapper")
    widths = page.run("[...document.querySelectorAll('#summary .land .bar span')].map((bar) => bar.clientWidth)")
    if widths != sorted(widths, reverse=True) or widths[0] < 4 * widths[1]:
        fail(f"the bars are {widths} pixels long")


def check_several(browser: Browser, binary: str, folder: str) -> None:
    """The folders of several roots are in one list, with the names of their roots."""
    with serving(binary, os.path.join(folder, "heavy"), os.path.join(folder, "odd"), os.path.join(folder, "light")) as server:
        page = opened(browser, server.address)
        expect("folders of all roots", rows(page, "land"), ["heavy/deep", "heavy/log"])
        if "3 roots" not in page.run(TEXT):
            fail(f"no number of roots in {page.run(TEXT)!r}")
        expect("the largest file of all roots", rows(page, "file")[0], "core.bin (deep)")
        leave(page)


def check_folding(page: Page) -> None:
    """It folds to a small button by keyboard, and stays folded."""
    page.run("document.querySelector('#summary .fold').focus()")
    page.key("Enter")
    page.settle()
    size = page.run("(({ width, height }) => [width, height])(document.getElementById('summary').getBoundingClientRect())")
    if max(size) > 60:
        fail(f"folded, it takes {size} pixels")
    expect("what is covered at the right", page.run("geomapper.view.camera.covered.right"), 0)
    page.call("Page.reload")
    page.wait("globalThis.geomapper?.page.level.current?.complete", "the page again")
    page.settle()
    expect("folded", page.run("document.querySelector('#summary .fold').ariaExpanded"), "false")
    page.run("document.querySelector('#summary .fold').click()")
    page.wait("document.querySelectorAll('#summary .land').length === 5", "the summary again")


def check_raising(page: Page, root: str) -> None:
    """A bar raises its land, by focus and by pointer; land raises its bar."""
    page.run(f"document.querySelector('[data-key=\"{root}/middle\"]').focus()")
    expect("raised by focus", page.run("geomapper.page.level.raised"), f"{root}/middle")
    page.run("document.activeElement.blur()")
    expect("raised after it", page.run("geomapper.page.level.raised"), None)
    x, y = page.run(f"(({{ x, y }}) => [x + 20, y + 8])(document.querySelector('[data-key=\"{root}/heavy\"]').getBoundingClientRect())")
    page.mouse("mouseMoved", x, y)
    page.wait(f"geomapper.page.level.raised === '{root}/heavy'", "the land of the bar under the pointer")
    x, y = page.run("(({ lon, lat }) => { const camera = geomapper.view.camera; const s = Math.sin(lat * Math.PI / 180);"
                    " return camera.toScreen(lon / 360 + 0.5, 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)); })"
                    f"(geomapper.page.level.current.lands.find(({{ path }}) => path === '{root}/middle'))")
    page.mouse("mouseMoved", x, y)
    page.wait("document.querySelector('#summary .raised')?.dataset.path.endsWith('/middle')", "the bar of the land under the pointer")


def check_following(page: Page, root: str) -> None:
    """A click flies to a folder, and the summary follows; the path above leads back; a file is selected."""
    page.run(f"document.querySelector('[data-key=\"{root}/heavy\"]').click()")
    page.wait(f"geomapper.page.level.current.path === '{root}/heavy'", "the folder's level")
    expect("its folders", rows(page, "land"), ["deep", "log"])
    expect("nothing is selected", page.run(SELECTED), None)
    expect("the tab's title", page.run("document.title"), "heavy · geomapper")
    page.run("document.querySelector('#summary .above button').click()")
    page.wait(f"geomapper.page.level.current.path === '{root}'", "the level of the root")
    page.run("document.querySelector('#summary .file').click()")
    page.wait(f"{SELECTED} === '{root}/heavy/deep/core.bin'", "the file")
    expect("the row of the selection", page.run("document.querySelector('#summary [aria-current]')?.dataset.key"), f"{root}/heavy/deep/core.bin")
    text = page.run("document.getElementById('panel').innerText")
    for part in ("901 kB\non disk", "900 kB\napparent size", "% of box"):
        if part not in text:
            fail(f"the panel does not say {part!r}: {text!r}")
    show(page, f"{root}/heavy")
    page.wait("document.querySelector('#panel .children li')?.innerText.includes('922 kB')", "the room of an entry")
    if page.run("document.querySelector('a[href^=file]')"):
        fail("a link to a file that browsers refuse")
    page.key("Escape")
    page.key("0")
    page.settle()


def check_branch(page: Page, root: str, folder: str) -> None:
    """Each step goes to the largest child and says its share; the last one is a file with its path."""
    page.run("document.getElementById('map').focus()")
    said = []
    for name in ("heavy", "deep", "core.bin"):
        page.key("h")
        page.wait(f"document.getElementById('spoken').textContent.startsWith('{name}: ')", name)
        said.append(page.run("document.getElementById('spoken').textContent"))
        page.settle()
    if not said[0].startswith("heavy: 73 % of box") or "ends at this file" not in said[2]:
        fail(f"the steps say {said}")
    expect("the file", page.run(SELECTED), f"{root}/heavy/deep/core.bin")
    page.wait(f"document.querySelector('#summary .branch .path')?.textContent === {os.path.join(folder, 'heavy/deep/core.bin')!r}", "its path")
    page.key("h")
    page.wait("/^core.bin: the branch ends/.test(document.getElementById('spoken').textContent)", "the end")
    page.key("Escape")


def mark(page: Page, root: str, name: bytes) -> None:
    """Selects a node by the bytes of its path, and marks it."""
    page.run(f"geomapper.open(undefined, false, {f'{root}/{quote(name)}'!r})")
    try:
        name.decode()
        page.wait(f"{SELECTED} === {json.dumps(f'{root}/{name.decode()}')}", repr(name))
    except UnicodeDecodeError:
        page.wait(f"geomapper.selected?.feature.properties.rawPath === {f'{root}/{quote(name)}'!r}", repr(name))
    page.run("document.getElementById('map').focus()")
    page.key("m")
    page.wait("document.querySelector('#panel [aria-pressed=true]:not(.star)')", f"a mark of {name!r}")


def check_marks(page: Page, root: str, folder: bytes) -> None:
    """What is marked counts once; its text is read by a shell; its file has the bytes; both last."""
    marked = [b"odd/" + name for name in ODD] + [b"middle", b"middle/half.bin"]
    for name in marked:
        mark(page, root, name)
    sum_of_odd = len(ODD) * 8192
    text = page.run("document.getElementById('marked').textContent")
    if f"{len(marked)} entries" not in text:
        fail(f"the summary says {text!r}")
    page.run("document.getElementById('marked').click()")
    page.wait("document.querySelectorAll('#drawer .deletion li').length === 8", "the list")
    said = page.run("document.getElementById('drawer').innerText")
    for part in ("1 entry is in other marked folders", "deletes nothing"):
        if part not in said:
            fail(f"the list does not say {part!r}: {said!r}")
    amount = page.run("geomapper.page.deletion.sum")
    apparent = len(ODD) * 5000 + 200_000
    if amount["isPart"] or not apparent <= amount["sum"] <= apparent + sum_of_odd + 8192:
        fail(f"the sum is {amount}")
    wanted = sorted(os.path.join(folder, name) for name in marked[:-1])
    page.run("(() => { navigator.clipboard.writeText = async (text) => { globalThis.copied = text; };"
             " [...document.querySelectorAll('#drawer .chip')].find((one) => one.textContent === 'Copy as text').click(); })()")
    page.wait("globalThis.copied", "the copy")
    copied = str(page.run("copied"))
    expect("lines", copied.count("\n"), len(wanted))
    words = subprocess.run(["bash", "-c", "printf '%s\\0' " + copied.replace("\n", " ")], check=True, stdout=subprocess.PIPE).stdout
    expect("what a shell reads", sorted(words.split(b"\0")[:-1]), wanted)
    page.run("(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { globalThis.saved = blob; return make(new Blob()); };"
             " [...document.querySelectorAll('#drawer .chip')].find((one) => one.textContent === 'Save as file').click(); })()")
    saved = bytes(page.run("saved.arrayBuffer().then((buffer) => [...new Uint8Array(buffer)])"))
    expect("the file", sorted(saved.split(b"\0")[:-1]), wanted)
    page.call("Page.reload")
    page.wait("globalThis.geomapper?.page.deletion?.all.length === 8", "marks that last")
    page.settle()
    page.run("document.getElementById('marked').click()")
    page.wait("document.querySelectorAll('#drawer .deletion li').length === 8", "the list again")
    page.run("[...document.querySelectorAll('#drawer .chip')].find((one) => one.textContent === 'Remove all marks').click()")
    page.wait("!document.getElementById('marked')", "no marks")
    page.key("Escape")


def check_paths_of_map(browser: Browser, binary: str, folder: str, at: str) -> None:
    """A page in a file knows no absolute paths, and says so; sizes are apparent there."""
    name = os.path.join(at, "box.html")
    subprocess.run([binary, "map", "--totals", "--format", "html", "-o", name, os.path.join(folder, "heavy")], check=True)
    page = opened(browser, "file://" + quote(name))
    expect("folders in a file", rows(page, "land"), ["deep", "log"])
    text = page.run(TEXT)
    if "used" in text or "on disk ·" in text:
        fail(f"a file knows the disk: {text!r}")
    show(page, "heavy/deep/core.bin")
    page.key("m")
    page.wait("document.getElementById('marked')", "the mark")
    page.run("document.getElementById('marked').click()")
    page.wait("/paths of the map/.test(document.getElementById('drawer').innerText)", "that these are paths of the map")
    expect("the path", page.run("document.querySelector('#drawer .paths').textContent"), "heavy/deep/core.bin")
    leave(page)


def check_room(page: Page, root: str, pictures: str) -> None:
    """Nothing covers anything else in windows of several sizes, with and without a selection."""
    overlaps = """(() => {
  const ids = ["search", "tools", "more", "crumbs", "panel", "summary", "scale", "drawer"];
  const boxes = ids.map((id) => [id, document.getElementById(id)]).filter(([, one]) => one.checkVisibility?.() !== false && one.getBoundingClientRect().width > 0)
    .map(([id, one]) => [id, one.getBoundingClientRect()]).filter(([, { width, height }]) => width > 1 && height > 1);
  const found = boxes.filter(([, { left, right }]) => left < 0 || right > innerWidth).map(([id]) => `${id} outside`);
  boxes.forEach(([a, one], i) => boxes.slice(i + 1).forEach(([b, two]) => {
    if (a === "tools" && b === "more") return;
    if (one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1) found.push(`${a} ${b}`);
  }));
  return found;
})()"""
    for width, height in SIZES:
        page.resize(width, height, touch=width < 640)
        for path in (None, f"{root}/light"):
            if path:
                show(page, path)
            page.settle()
            page.shoot(f"{pictures}/summary-{width}{'-selected' if path else ''}.png")
            expect(f"overlaps at {width} by {height}, {path}", page.run(overlaps), [])
        if width < 640:
            seen = page.run("(() => { const end = document.querySelector('#panel .scroller').getBoundingClientRect().bottom;"
                            " return [...document.querySelectorAll('#panel .children li')].filter((one) => one.getBoundingClientRect().bottom <= Math.min(end, innerHeight)).length; })()")
            if seen < 5:
                fail(f"on a phone {seen} rows of the contents are in sight")
            page.run("document.getElementById('more').click()")
            words = page.run("getComputedStyle(document.getElementById('lights'), '::after').content")
            expect("words of a tool", words, '"Filter view"')
            page.run("document.getElementById('more').click()")
        page.key("Escape")
        page.key("0")
        page.settle()
    page.resize(1280, 800)


def check_contrast(page: Page) -> None:
    """Text of the summary has a contrast of 4.5 at least, light and dark."""
    script = """(() => {
  const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const rgb = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const paper = light(rgb(getComputedStyle(document.getElementById("summary")).backgroundColor));
  return [...document.querySelectorAll("#summary *")].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((one) => { const ink = light(rgb(getComputedStyle(one).color)); return [(Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05), one.className, one.textContent.slice(0, 20)]; })
    .filter(([ratio]) => ratio < 4.5);
})()"""
    for scheme in ("dark", "light"):
        page.prefer(prefers_color_scheme=scheme)
        page.settle()
        expect(f"faint text, {scheme}", page.run(script), [])


def main() -> None:
    binary, pictures, program = page_arguments(__doc__)
    with tempfile.TemporaryDirectory() as at, browsing(program) as browser:
        folder = os.path.join(at, "box")
        plant(os.fsencode(folder))
        with serving(binary, folder) as server:
            page = opened(browser, server.address)
            check_answers(page)
            check_folding(page)
            check_raising(page, "box")
            check_following(page, "box")
            check_branch(page, "box", folder)
            check_marks(page, "box", os.fsencode(folder))
            check_contrast(page)
            check_room(page, "box", pictures)
            leave(page)
        check_several(browser, binary, folder)
        check_paths_of_map(browser, binary, folder, at)
        browser.check()
    print("the summary answers, folds, raises, leads down the heaviest branch and lists what to delete")


if __name__ == "__main__":
    main()
