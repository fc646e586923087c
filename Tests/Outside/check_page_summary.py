"""Drives the summary of the page in a headless browser: what it answers without a click, and what it leads to.

    check_page_summary.py GEOMAPPER [--pictures FOLDER]

It follows the view, folds away, raises land, leads down the heaviest branch, and lists what to delete. The list's text
is read by a shell, and has to be the paths of the marked files.
"""

import json
import os
from pathlib import Path
from typing import List
from urllib.parse import quote

from browser import SELECTED, Browser, Page, driving
from hosted import hosting
from outside import fail, put, run, same
from served import serving

ODD = [b"it's $(touch owned) `x`", b"line\nbreak", b"-rf", b"caf\xe9.txt", b"two  blanks", "r\u202ecod".encode()]
SIZES = ((1440, 900), (1280, 800), (1024, 600), (390, 844))


def plant(root: str) -> None:
    """A tree with a heavy branch and odd names."""
    put(root, {"heavy/deep/core.bin": 900_000, "heavy/deep/notes.txt": 20_000, "heavy/log/core.bin": 90_000,
               "light/small.txt": 3000, "middle/half.bin": 200_000, **{f"light/{number:02}": number for number in range(30)},
               **{os.fsdecode(b"odd/" + name): 5000 for name in ODD}})
    os.makedirs(os.path.join(root, "empty"))


def opened(browser: Browser, address: str, width: int = 1280, height: int = 800, touch: bool = False) -> Page:
    """The page with complete figures."""
    page = browser.page(width, height, touch)
    page.open(address)
    page.wait("globalThis.geomapper?.page.level.current?.complete", "figures")
    page.settle()
    return page


def rows(page: Page, kind: str) -> List[str]:
    """The names of the rows of a list."""
    return list(page.run(f"[...document.querySelectorAll('#summary .{kind} .name')].map((name) => name.textContent)"))


def check_answers(page: Page) -> None:
    """Without a click it says which folder and which file is largest, and how much there is."""
    same("folders by size", rows(page, "land"), ["heavy", "middle", "light", "odd", "empty"])
    same("files by size", rows(page, "file")[:3], ["core.bin", "half.bin", "core.bin"])
    page.says("#summary", "box", "on disk", "apparent size", "41 files", "7 folders", "used", "free")
    if "legend" not in page.text("#summary").lower():
        fail("the summary has no legend")
    page.expect("the tab's title", "document.title", "box · geomapper")
    widths = page.run("[...document.querySelectorAll('#summary .land .bar span')].map((bar) => bar.clientWidth)")
    if widths != sorted(widths, reverse=True) or widths[0] < 4 * widths[1]:
        fail(f"the bars are {widths} pixels long")


def check_several(browser: Browser, binary: str, folder: str) -> None:
    """The folders of several roots are in one list, with the names of their roots."""
    with serving(binary, os.path.join(folder, "heavy"), os.path.join(folder, "odd"), os.path.join(folder, "light")) as server:
        page = opened(browser, server.address)
        same("folders of all roots", rows(page, "land"), ["heavy/deep", "heavy/log"])
        page.says("#summary", "3 roots")
        same("the largest file of all roots", rows(page, "file")[0], "core.bin")
        page.leave()


def check_folding(page: Page) -> None:
    """It folds to a small button by keyboard, and stays folded."""
    page.focus("#summary .fold")
    page.key("Enter")
    page.settle()
    left, top, right, bottom = page.box("#summary")
    if max(right - left, bottom - top) > 60:
        fail(f"folded, it takes {right - left} by {bottom - top} pixels")
    page.expect("what is covered at the right", "geomapper.view.camera.covered.right", 0)
    page.call("Page.reload")
    page.wait("globalThis.geomapper?.page.level.current?.complete", "the page again")
    page.settle()
    page.expect("folded", "document.querySelector('#summary .fold').ariaExpanded", "false")
    page.press("#summary .fold")
    page.wait("document.querySelectorAll('#summary .land').length === 5", "the summary again")


def check_raising(page: Page, root: str) -> None:
    """A bar raises its land, by focus and by pointer; land raises its bar."""
    page.focus(f"[data-key='{root}/middle']")
    page.expect("raised by focus", "geomapper.page.level.raised", f"{root}/middle")
    page.run("document.activeElement.blur()")
    page.expect("raised after it", "geomapper.page.level.raised", None)
    left, top, _, _ = page.box(f"[data-key='{root}/heavy']")
    page.mouse("mouseMoved", left + 20, top + 8)
    page.wait(f"geomapper.page.level.raised === '{root}/heavy'", "the land of the bar under the pointer")
    x, y = page.run("(({ lon, lat }) => { const camera = geomapper.view.camera; const s = Math.sin(lat * Math.PI / 180);"
                    " return camera.toScreen(lon / 360 + 0.5, 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)); })"
                    f"(geomapper.page.level.current.lands.find(({{ path }}) => path === '{root}/middle'))")
    page.mouse("mouseMoved", x, y)
    page.wait("document.querySelector('#summary .raised')?.dataset.path.endsWith('/middle')", "the bar of the land under the pointer")


def check_where(page: Page, name: str) -> None:
    """The path at the top, the panel and the summary name the same folder."""
    page.expect("where one is", "['.crumb[aria-current]', '#panel h2', '#summary h2'].map((one) => document.querySelector(one).textContent)", [name] * 3)


def check_sight(page: Page, root: str) -> None:
    """A click on the largest land leaves most of it in sight."""
    page.key("0")
    page.settle()
    x, y = page.spot_in(f"{root}/heavy")
    page.click(x, y)
    page.wait(f"{SELECTED} === '{root}/heavy'", "the land")
    page.settle()
    seen = page.run(
        "(() => { const { camera } = geomapper.view; const { left, top, right, bottom } = camera.covered;"
        " const [w, n, e, s] = camera.boxOf(geomapper.selected.bbox); const free = [left, top, camera.width - right, camera.height - bottom];"
        " return (Math.min(e, free[2]) - Math.max(w, free[0])) / Math.min(e - w, free[2] - free[0]); })()")
    if seen < 0.6:
        fail(f"of the land {seen:.0%} is in sight")
    page.key("0")
    page.settle()
    page.expect("what 0 leaves selected", SELECTED, None)


def check_following(page: Page, root: str) -> None:
    """A click flies to a folder, and the summary follows; the path above leads back; a file is selected."""
    page.press(f"[data-key='{root}/heavy']")
    page.wait(f"geomapper.page.level.current.path === '{root}/heavy'", "the folder's level")
    same("its folders", rows(page, "land"), ["deep", "log"])
    check_where(page, "heavy")
    page.expect("the tab's title", "document.title", "heavy · geomapper")
    page.settle()
    page.run("history.back()")
    page.wait(f"!{SELECTED} && geomapper.page.level.current.path === '{root}'", "where it came from")
    page.press(f"[data-key='{root}/heavy']")
    page.wait(f"geomapper.page.level.current.path === '{root}/heavy'", "the folder again")
    page.press("#summary .above button")
    page.wait(f"geomapper.page.level.current.path === '{root}'", "the level of the root")
    check_where(page, root)
    page.press("#summary .file")
    page.wait(f"{SELECTED} === '{root}/heavy/deep/core.bin'", "the file")
    page.expect("the row of the selection", "document.querySelector('#summary [aria-current]')?.dataset.key",
                f"{root}/heavy/deep/core.bin")
    page.says("#panel", "901 kB\non disk", "900 kB\napparent size", "% of box")
    page.select(f"{root}/heavy")
    page.wait("document.querySelector('#panel .children li')?.innerText.includes('922 kB')", "the room of an entry")
    if page.run("document.querySelector('a[href^=file]')"):
        fail("a link to a file that browsers refuse")
    page.key("Escape")
    page.key("0")
    page.settle()


def check_branch(page: Page, root: str, folder: str) -> None:
    """Each step goes to the largest child and says its share; the last one is a file with its path."""
    page.focus("#map")
    said = []
    for name in ("heavy", "deep", "core.bin"):
        page.key("h")
        page.wait(f"document.getElementById('spoken').textContent.startsWith('{name}: ')", name)
        said.append(page.run("document.getElementById('spoken').textContent"))
        page.settle()
        if name != "core.bin":
            check_where(page, name)
    if not said[0].startswith("heavy: 73 % of box") or "ends at this file" not in said[2]:
        fail(f"the steps say {said}")
    page.expect("the file", SELECTED, f"{root}/heavy/deep/core.bin")
    page.wait(f"document.querySelector('#summary .branch .path')?.textContent === {os.path.join(folder, 'heavy/deep/core.bin')!r}", "its path")
    page.key("h")
    page.wait("/^core.bin: the branch ends/.test(document.getElementById('spoken').textContent)", "the end")
    # Back takes one step at a time.
    for path in (f"{root}/heavy/deep", f"{root}/heavy"):
        page.run("history.back()")
        page.wait(f"{SELECTED} === '{path}' && geomapper.page.level.current.path === '{path}'", f"back at {path}")
        page.settle()
    page.key("0")
    page.settle()


def mark(page: Page, root: str, name: bytes) -> None:
    """Selects a node by the bytes of its path, and marks it."""
    page.run(f"geomapper.open(undefined, false, {f'{root}/{quote(name)}'!r})")
    try:
        name.decode()
        page.wait(f"{SELECTED} === {json.dumps(f'{root}/{name.decode()}')}", repr(name))
    except UnicodeDecodeError:
        page.wait(f"geomapper.selected?.feature.properties.rawPath === {f'{root}/{quote(name)}'!r}", repr(name))
    page.focus("#map")
    page.key("m")
    page.wait("document.getElementById('panel').innerText.includes('Remove the mark')", f"a mark of {name!r}")


def check_marks(page: Page, root: str, folder: bytes) -> None:
    """What is marked counts once; its text is read by a shell; its file has the bytes; both last."""
    marked = [b"odd/" + name for name in ODD] + [b"middle", b"middle/half.bin"]
    for name in marked:
        mark(page, root, name)
    page.wait("document.getElementById('summary').innerText.includes('marked to delete')", "the sign of marks in the legend")
    x, y = page.screen_of(f"{root}/middle")
    there = page.pixel(x + 10, y - 10, 2)
    sum_of_odd = len(ODD) * 8192
    page.says("#marked", f"{len(marked)} entries")
    page.press("#marked")
    page.wait("document.querySelectorAll('#drawer .deletion li').length === 8", "the list")
    page.says("#drawer", "1 entry is in other marked folders", "deletes nothing")
    amount = page.run("geomapper.page.deletion.sum")
    apparent = len(ODD) * 5000 + 200_000
    if amount["isPart"] or not apparent <= amount["sum"] <= apparent + sum_of_odd + 8192:
        fail(f"the sum is {amount}")
    wanted = sorted(os.path.join(folder, name) for name in marked[:-1])
    page.run("navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }; 0")
    page.press("#drawer .chip", "Copy as text")
    page.wait("globalThis.copied", "the copy")
    copied = str(page.run("copied"))
    same("lines", copied.count("\n"), len(wanted))
    words = run("bash", "-c", "printf '%s\\0' " + copied.replace("\n", " "))
    same("what a shell reads", sorted(words.split(b"\0")[:-1]), wanted)
    page.run("(() => { const make = URL.createObjectURL;"
             " URL.createObjectURL = (blob) => { globalThis.saved = blob; return make(new Blob()); }; })()")
    page.press("#drawer .chip", "Save as file")
    saved = bytes(page.run("saved.arrayBuffer().then((buffer) => [...new Uint8Array(buffer)])"))
    same("the file", sorted(saved.split(b"\0")[:-1]), wanted)
    page.call("Page.reload")
    page.wait("globalThis.geomapper?.page.deletion?.all.length === 8", "marks that last")
    page.settle()
    page.press("#marked")
    page.wait("document.querySelectorAll('#drawer .deletion li').length === 8", "the list again")
    page.press("#drawer .chip", "Remove all marks")
    page.wait("!document.getElementById('marked')", "no marks")
    page.wait("!document.getElementById('summary').innerText.includes('marked to delete')", "no sign in the legend")
    page.settle()
    if page.pixel(x + 10, y - 10, 2) == there:
        fail("marks are not on the map")
    page.key("Escape")


def check_paths_of_map(browser: Browser, binary: str, folder: str, at: str) -> None:
    """A page in a file knows no absolute paths, and says so; sizes are apparent there."""
    name = os.path.join(at, "box.html")
    run(binary, "map", "--totals", "--format", "html", "-o", name, os.path.join(folder, "heavy"))
    page = opened(browser, "file://" + quote(name))
    same("folders in a file", rows(page, "land"), ["deep", "log"])
    text = page.text("#summary")
    if "used" in text or "on disk ·" in text:
        fail(f"a file knows the disk: {text!r}")
    page.select("heavy/deep/core.bin")
    page.key("m")
    page.wait("document.getElementById('marked')", "the mark")
    page.press("#marked")
    page.wait("/paths of the map/.test(document.getElementById('drawer').innerText)", "that these are paths of the map")
    page.expect("the path", "document.querySelector('#drawer .paths').textContent", "heavy/deep/core.bin")
    page.leave()


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
                page.select(path)
            page.settle()
            page.shoot(f"{pictures}/summary-{width}{'-selected' if path else ''}.png")
            page.expect(f"overlaps at {width} by {height}, {path}", overlaps, [])
        if width < 640:
            seen = page.run("(() => { const end = document.querySelector('#panel .scroller').getBoundingClientRect().bottom;"
                            " return [...document.querySelectorAll('#panel .children li')].filter((one) => one.getBoundingClientRect().bottom <= Math.min(end, innerHeight)).length; })()")
            if seen < 5:
                fail(f"on a phone {seen} rows of the contents are in sight")
            page.press("#more")
            page.expect("words of a tool", "getComputedStyle(document.getElementById('lights'), '::after').content",
                        '"Filter view"')
            page.press("#more")
        page.key("Escape")
        page.key("0")
        page.settle()
    page.resize(1280, 800)


def check_corner(browser: Browser, address: str) -> None:
    """Tools have words from 1200 pixels on, in one column, else they are one row; the first view leaves their corner free."""
    covering = """(() => {
  const { left, top, right, bottom } = document.getElementById("tools").getBoundingClientRect();
  const inside = (ring, x, y) => { let is = false; for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const [[ax, ay], [bx, by]] = [ring[i], ring[j]]; if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) is = !is; } return is; };
  const rings = [...geomapper.view.shores.all.values()].flatMap(({ land }) => land).map((ring) => ring.flatMap((_, i) => (i % 2 ? [] : [geomapper.view.camera.toScreen(ring[i], ring[i + 1])])));
  return rings.some((ring) => ring.some(([x, y]) => x > left && x < right && y > top && y < bottom) || [[left, top], [right, top], [left, bottom], [right, bottom]].some(([x, y]) => inside(ring, x, y)));
})()"""
    for width, height in ((1200, 760), (1280, 800), (1440, 900), (1024, 768), (800, 900)):
        page = opened(browser, address, width, height)
        page.expect(f"whether tools cover land at {width} by {height}", covering, False)
        tools = page.run("[...document.querySelectorAll('#tools button:not(#more)')].map((tool) => [tool.offsetTop, getComputedStyle(tool, '::after').content])")
        has_words = width >= 1200
        same(f"rows of tools at {width} by {height}", len({top for top, _ in tools}), len(tools) if has_words else 1)
        same(f"tools with words at {width} by {height}", [words for _, words in tools if (words not in ("none", "normal")) != has_words], [])
        page.leave()


def check_unreadable(browser: Browser, binary: str, at: str) -> None:
    """What could not be read is a line that opens its list: of a server, of two states, in files and on a site."""
    entries = ('{"name":"/tree"},{"name":"a.bin","asize":500000,"dsize":503808},[{"name":"full"},{"name":"b.bin","asize":%d,"dsize":700416}],'
               '[{"name":"shut","read_error":true}],[{"name":"dim"},{"name":"c.bin","read_error":true}]')
    states = [os.path.join(at, name) for name in ("old.geosnap", "new.geosnap")]
    for state, size in zip(states, (300000, 700000)):
        put(at, {"list.json": '[1,0,{"progname":"ncdu","progver":"1.18","timestamp":1790000000},[' + entries % size + "]]"})
        run(binary, "snapshot", "-q", "-o", state, "--files-from", os.path.join(at, "list.json"), "--list-format", "ncdu", "/tree", statuses=(1,))
    page_of_map, page_of_changes, site = (os.path.join(at, name) for name in ("unread.html", "unread-changes.html", "unread-site"))
    run(binary, "map", "-q", "--format", "html", "-o", page_of_map, states[1], statuses=(1,))
    run(binary, "diff", "-q", "--format", "html", "-o", page_of_changes, *states, statuses=(1,))
    run(binary, "publish", "-q", "-o", site, states[1], statuses=(1,))
    page = browser.page()

    def look(address: str, panel: str, reason: str) -> None:
        page.show(address)
        page.settle()
        page.wait(f"document.querySelector('{panel} .unread')", "the line of what could not be read")
        page.says(f"{panel} .unread", "Not all could be read: 2 entries")
        page.expect("the list before a click", f"document.querySelector('{panel} .unread ul').checkVisibility()", False)
        page.press(f"{panel} .unread summary")
        page.says(f"{panel} .unread", "tree/shut", "tree/dim/c.bin", reason)
        page.press(f"{panel} .unread button", "tree/shut")
        page.wait("geomapper.selected?.feature.properties.path === 'tree/shut'", "the folder of the row")
        page.leave()

    look(f"file://{page_of_map}", "#summary", "")
    reason = "could not be read when the list was made"
    look(f"file://{page_of_changes}", "#changes", reason)
    with hosting(Path(site)) as host:
        look(host.address, "#summary", reason)
    with serving(binary, states[1]) as server:
        look(server.address, "#summary", reason)
        page.open(server.address)
        page.wait("globalThis.geomapper?.totals.read", "the totals")
        page.run("geomapper.table.open({ name: '*.bin' })")
        page.wait("document.querySelector('#table .unread')", "the line in the filter view")
        page.leave()
    with serving(binary, "--since", *states) as server:
        look(server.address, "#changes", reason)
        known = json.loads(server.get("/changes").body)
        same("what could not be read", [known["complete"], known["unreadable"]], [False, {"count": 2, "list": [
            {"path": "tree/dim/c.bin", "reason": reason}, {"path": "tree/shut", "reason": reason}]}])
        same("the order of the answer", list(known)[:5], ["version", "age", "complete", "unreadable", "states"])


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
        page.expect(f"faint text, {scheme}", script, [])


def main() -> None:
    with driving(__doc__) as (binary, pictures, browser, at):
        folder = os.path.join(at, "box")
        plant(folder)
        with serving(binary, folder) as server:
            page = opened(browser, server.address)
            check_answers(page)
            check_folding(page)
            check_raising(page, "box")
            check_sight(page, "box")
            check_following(page, "box")
            check_branch(page, "box", folder)
            check_marks(page, "box", os.fsencode(folder))
            check_contrast(page)
            check_room(page, "box", pictures)
            page.leave()
            check_corner(browser, server.address)
        check_several(browser, binary, folder)
        check_paths_of_map(browser, binary, folder, at)
        check_unreadable(browser, binary, at)
    print("the summary answers, folds, raises, leads down the heaviest branch and lists what to delete")


if __name__ == "__main__":
    main()
