"""Drives the page's filter view in a headless browser, served and as a file.

    check_page_lights.py GEOMAPPER [--pictures FOLDER]

The highlighted, counted and listed files are compared with a walk of the tree. Four typical questions about a disk
are answered, and the actions that each takes are counted.
"""

import fnmatch
import os
import re
import subprocess
import tempfile
import time
from typing import Callable, Dict, List, NamedTuple, Tuple
from urllib.parse import quote

from browser import Browser, Page, browsing, page_arguments
from outside import fail
from served import serving

MOST_ACTIONS = 3  # for each question
NOW = int(time.time())
DAY = 86400
DONE = "geomapper.table.isDone"
SHOWN = "geomapper.table.found.map((file) => file.path)"


class Planted(NamedTuple):
    """A file of the tree."""

    path: str
    size: int
    age: int  # days


def plant(at: str) -> List[Planted]:
    """Makes a tree with files of many names, sizes and ages; the files are sparse."""
    files = []

    def add(path: str, size: int, age: int) -> None:
        place = os.path.join(at, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.truncate(size)
        os.utime(place, (NOW - age * DAY, NOW - age * DAY))
        files.append(Planted(path, size, age))

    for number in range(60):
        add(f"disk/logs/{number % 4}/run-{number}.log", number * 40, number)
    for number in range(30):
        add(f"disk/photos/{number % 3}/summer/IMG{number}.JPG", 3_000_000 + number, number * 30)
    for number in range(20):
        add(f"disk/backup/old-{number}.tar.gz", (number + 1) * 60_000_000, 300 + number * 10)
    for number in range(400):
        add(f"disk/source/{number % 20}/part{number}.c", number, number % 50)
    add("disk/source/1/build/deep/down/trace.LOG", 777, 2)
    add("disk/notes.txt", 12, 1)
    add("disk/source/log.txt", 5, 0)
    return files


def walked(files: List[Planted], fits: Callable[[Planted], bool]) -> Tuple[List[Planted], Dict[str, int]]:
    """The matching files, largest first, and their number in each folder."""
    found = sorted(filter(fits, files), key=lambda file: (-file.size, os.path.basename(file.path)))
    below: Dict[str, int] = {}
    for file in found:
        folder = os.path.dirname(file.path)
        while folder:
            below[folder] = below.get(folder, 0) + 1
            folder = os.path.dirname(folder)
    return found, below


def is_log(file: Planted) -> bool:
    """Whether a file matches *.log."""
    return fnmatch.fnmatch(file.path.lower(), "*.log")


def look(page: Page, **wanted: str) -> None:
    """Fills in the form, and waits for the end of the search."""
    for key, value in wanted.items():
        page.run(f"(() => {{ const field = geomapper.table.fields.{key}; field.value = {value!r};"
                 f" field.dispatchEvent(new Event({'input' if key == 'name' else 'change'!r},"
                 " { bubbles: true })); })()")
    expected = ", ".join(f"{key}: {value!r}" for key, value in wanted.items())
    page.wait(f"Object.entries({{{expected}}}).every(([key, value]) =>"
              f" geomapper.table.wanted[key] === value) && {DONE}", "the end of the search")


def compare(page: Page, files: List[Planted], fits: Callable[[Planted], bool], what: str) -> None:
    """Compares the list and all counts with a walk."""
    found, below = walked(files, fits)
    counts = page.run("Object.fromEntries([...geomapper.table.counts.folders]"
                      ".map(([path, { files }]) => [path, files]))")
    if counts != below:
        fail(f"{what}: counted {counts}, not {below}")
    sums = page.run("[geomapper.table.files, geomapper.table.bytes]")
    if sums != [len(found), sum(file.size for file in found)]:
        fail(f"{what}: {sums} in all")
    if page.run(SHOWN) != [file.path for file in found]:
        fail(f"{what}: the list has {page.run(SHOWN)[:5]}…, not {[f.path for f in found][:5]}…")


def pixel(page: Page, x: float, y: float) -> Tuple[int, int, int]:
    """The colour of the map at a position on the screen, averaged over a few pixels."""
    red, green, blue = page.run(
        f"(() => {{ const copy = document.createElement('canvas'); copy.width = copy.height = 1;"
        " const pen = copy.getContext('2d', { willReadFrequently: true });"
        f" pen.drawImage(geomapper.view.canvas, {x - 2}, {y - 2}, 5, 5, 0, 0, 1, 1);"
        " return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3); })()")
    return int(red), int(green), int(blue)


def inside(page: Page, path: str) -> Tuple[float, float]:
    """A position in a land, away from names and other lands."""
    spot = page.run(
        "(() => { const { view } = geomapper; const boxes = view.labels.placed.flatMap((l) => l.boxes);"
        " for (let y = 130; y < view.camera.height - 60; y += 5)"
        " for (let x = 390; x < view.camera.width - 400; x += 5) {"
        f" const at = (dx, dy) => view.landIn(x + dx, y + dy)?.path === {path!r};"
        " if (at(0, 0) && at(9, 0) && at(-9, 0) && at(0, 9) && at(0, -9)"
        " && !boxes.some((b) => b[0] < x + 9 && b[2] > x - 9 && b[1] < y + 9 && b[3] > y - 9))"
        " return [x, y]; } return null; })()")
    if not spot:
        fail(f"{path} is nowhere to be seen")
    return float(spot[0]), float(spot[1])


def check_lights(page: Page, files: List[Planted], shots: str) -> None:
    """Countries and single files light up, and everything else fades; switched off, the map is as before."""
    page.settle()
    place = page.run("[geomapper.view.camera.x, geomapper.view.camera.y, geomapper.view.camera.z]")
    lit, dark = inside(page, "disk/logs"), inside(page, "disk/photos")
    before = [pixel(page, *lit), pixel(page, *dark)]
    page.key("l")
    page.wait("geomapper.table.isOpen", "the table")
    look(page, name="*.log")
    compare(page, files, is_log, "*.log")
    page.settle()
    page.shoot(f"{shots}/lights.png")
    shining, faded = pixel(page, *lit), pixel(page, *dark)
    # The light theme stays light, and what does not fit is paler.
    if min(faded) < 200 or max(faded) - min(faded) > max(before[1]) - min(before[1]) + 8:
        fail(f"what does not fit is {faded}, was {before[1]}")
    if shining[0] - shining[2] < faded[0] - faded[2] + 25:
        fail(f"what fits is {shining}, all else {faded}")
    strengths = page.run("['disk/logs', 'disk/source'].map((path) => geomapper.view.lights.strength("
                         "geomapper.table.counts.folders.get(path)))")
    sizes = page.run("['disk/logs', 'disk/source'].map((path) => geomapper.table.counts.folders.get(path).bytes)")
    if (strengths[0] > strengths[1]) != (sizes[0] > sizes[1]):
        fail(f"brightness {strengths} doesn't follow bytes {sizes}")
    notes = page.run("geomapper.view.labels.noteOf({ path: 'disk/logs' })")
    size = page.run("geomapper.table.counts.folders.get('disk/logs').bytes")
    if not re.fullmatch(r"60 matches · [0-9.]+ (bytes|[kM]B)", notes) or size <= 0:
        fail(f"below the name stands {notes!r}")
    # Down to single files: matches glow, their neighbours don't.
    page.run("geomapper.open('disk/source/log.txt', true)")
    page.wait("geomapper.selected?.feature.properties.path === 'disk/source/log.txt'", "selected")
    page.run("geomapper.open('disk/source/1/build/deep/down/trace.LOG', true)")
    page.wait("geomapper.selected?.feature.properties.name === 'trace.LOG'", "the file selected")
    page.settle()
    page.shoot(f"{shots}/lights-file.png")
    state = dict(page.run(
        "geomapper.view.filesInView().map(({ file }) => [file.path, geomapper.view.lights.isLit(file)])"))
    if not state.get("disk/source/1/build/deep/down/trace.LOG"):
        fail(f"the file does not shine: {state}")
    wrong = [path for path, is_lit in state.items() if is_lit != path.lower().endswith(".log")]
    if wrong:
        fail(f"these shine wrongly, or don't: {wrong}")
    page.key("Escape")
    page.wait("!geomapper.selected", "nothing selected")
    page.run("document.getElementById('map').focus()")
    page.key("Escape")
    page.wait("!geomapper.table.isOpen && !geomapper.view.lights.isOn", "lights off")
    page.run(f"geomapper.view.camera.set(...{place})")
    page.settle()
    after = [pixel(page, *lit), pixel(page, *dark)]
    if max(abs(a - b) for one, other in zip(before, after) for a, b in zip(one, other)) > 12:
        fail(f"put out, it looks like {after}, not like {before}")


def check_conditions(page: Page, files: List[Planted]) -> None:
    """Each condition, and all of them together; searches in sequence, and cancelled ones."""
    page.key("l")
    page.wait("geomapper.table.isOpen", "the table")
    look(page, size="+100000000")
    compare(page, files, lambda file: file.size > 100_000_000, "size")
    look(page, age="+365")
    compare(page, files, lambda file: file.size > 100_000_000 and file.age > 365, "size and age")
    look(page, size="", age="-7", type="code")
    compare(page, files, lambda file: file.path.endswith(".c") and file.age < 7, "type and age")
    look(page, age="", type="", name="log")
    compare(page, files, lambda file: "log" in os.path.basename(file.path).lower(), "part of a name")
    page.run("geomapper.table.fields.name.value = '[x'; geomapper.table.fields.name.dispatchEvent("
             "new Event('input'))")
    page.wait("geomapper.table.status.textContent.includes('lacks its')", "what is wrong with it")
    if page.run("geomapper.view.lights.isOn"):
        fail("lights for no pattern")
    # If the form changes while typing, only the last search counts.
    for name in ("*.c", "*.JPG", "*.gz", "*.log"):
        page.run(f"geomapper.table.look({{ name: {name!r} }})")
    page.wait(f"{DONE} && geomapper.table.wanted.name === '*.log'", "the last of four")
    compare(page, files, is_log, "the last of four")
    for order, key in (("name", lambda file: os.path.basename(file.path)), ("oldest", lambda file: -file.age)):
        page.run(f"(() => {{ const {{ sorter }} = geomapper.table; sorter.value = {order!r};"
                 " sorter.dispatchEvent(new Event('change')); })()")
        page.wait(DONE, "sorted")
        expected = [key(file) for file in sorted(filter(is_log, files), key=key)]
        by_path = {file.path: file for file in files}
        if [key(by_path[path]) for path in page.run(SHOWN)] != expected:
            fail(f"by {order}: {page.run(SHOWN)[:4]}")
    page.run("geomapper.table.sorter.value = 'size'; geomapper.table.sorter.dispatchEvent(new Event('change'))")
    page.wait(DONE, "by size again")


def check_link(page: Page, files: List[Planted], shots: str) -> None:
    """The address contains the search; rows of the list fly to their files."""
    page.wait("decodeURIComponent(location.hash).includes('fit=name:*.log')", "the address")
    link = page.run("location.href")
    page.open(link)
    page.wait(f"globalThis.geomapper?.table.isDone && {DONE}", "the link's lights")
    compare(page, files, is_log, "the link")
    first = page.run("document.querySelector('#table .children button').dataset.name")
    page.run("document.querySelector('#table .children button').click()")
    page.wait(f"geomapper.selected?.feature.properties.path === {first!r}", "the first of the list")
    page.settle()
    page.shoot(f"{shots}/lights-list.png")
    place = page.run("geomapper.view.filesInView().map(({ file }) => file.path)")
    if first not in place:
        fail(f"{first} is not in view")
    page.run("geomapper.table.close()")
    page.wait("!location.hash.includes('fit=')", "the address without it")


def check_phone(page: Page, shots: str) -> None:
    """On a phone the filter view is a sheet that covers half, and nothing is beyond the edge."""
    page.resize(360, 640, touch=True)
    page.run("document.getElementById('lights').click()")
    look(page, name="*.log")
    page.settle()
    page.shoot(f"{shots}/lights-phone.png")
    top, width = page.run("(() => { const r = document.getElementById('table').getBoundingClientRect();"
                          " return [r.top, r.right]; })()")
    outside = page.run("[...document.querySelectorAll('#table *')].filter((e) => e.offsetParent !== null)"
                       ".filter((e) => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > 360; })"
                       ".map((e) => e.tagName)")
    if top < 300 or width > 360 or outside:
        fail(f"the sheet begins at {top}, is {width} wide, and has beyond the edge: {outside}")
    page.run("geomapper.table.close()")
    page.resize(1280, 800)


class Person:
    """A user of the page, whose actions are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def press(self, key: str) -> None:
        """Presses a key."""
        self.actions += 1
        self.page.key(key)

    def click(self, selector: str) -> None:
        """Clicks the middle of an element."""
        self.actions += 1
        x, y = self.page.run(
            f"(() => {{ const r = document.querySelector({selector!r}).getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        self.page.click(x, y)

    def choose(self, key: str, value: str) -> None:
        """Chooses an entry of one of the menus."""
        self.actions += 1
        look(self.page, **{key: value})

    def type(self, text: str) -> None:
        """Types a text into the focused element."""
        self.actions += 1
        self.page.type(text)


def ask(page: Page, address: str, what: str, answer: Callable[[Person], None]) -> None:
    """Answers one question, from the first picture on."""
    page.open(address)
    page.wait("globalThis.geomapper?.totals.read", "the totals")
    page.settle()
    person = Person(page)
    answer(person)
    if person.actions > MOST_ACTIONS:
        fail(f"{what} takes {person.actions} actions")
    print(f"{what} {person.actions} actions")


def check_questions(page: Page, address: str, files: List[Planted]) -> None:
    """Typical questions, each with few actions."""

    def where(person: Person) -> None:
        person.press("Enter")  # the continent, or the land in its middle
        page.wait("geomapper.selected", "something selected")
        if page.run("geomapper.selected.feature.properties.path") != "disk":
            person.click("#crumbs .crumb")
            page.wait("geomapper.selected.feature.properties.path === 'disk'", "the root")
        page.wait("geomapper.selected.totals", "its totals")
        rows = page.run("[...document.querySelectorAll('#panel .children li')].map((li) => li.innerText)")
        if not rows[0].startswith("backup/") or "12.6 GB" not in rows[0]:
            fail(f"the largest is {rows[:2]}")
        person.click("#panel .children button")
        page.wait("geomapper.selected.feature.properties.path === 'disk/backup'", "the largest folder")

    def large_and_old(person: Person) -> None:
        person.press("l")
        person.choose("size", "+1000000000")
        person.choose("age", "+365")
        compare(page, files, lambda file: file.size > 1e9 and file.age > 365, "large and old")

    def logs(person: Person) -> None:
        person.press("l")
        page.wait("document.activeElement === geomapper.table.fields.name", "the focus")
        person.type("*.log")
        page.wait(f"geomapper.table.wanted.name === '*.log' && {DONE}", "all of them")
        compare(page, files, is_log, "all logs")

    def show(person: Person) -> None:
        logs(person)
        page.wait("decodeURIComponent(location.hash).includes('fit=name:*.log')", "the address")
        person.click("#table .row .chip")
        page.wait("document.querySelector('#table .row .chip').textContent === 'Copied'", "copied")
        link = page.run("navigator.clipboard.readText()")
        other = page.browser.page()
        other.open(link)
        other.wait(f"globalThis.geomapper?.table.isDone && {DONE}", "the colleague's page")
        compare(other, files, is_log, "what the colleague sees")
        other.call("Page.close")

    page.browser.call("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    ask(page, address, "where has my disk gone?", where)
    ask(page, address, "what is large and old?", large_and_old)
    ask(page, address, "where are all the *.log?", logs)
    ask(page, address, "show it to a colleague:", show)


def check_file(browser: Browser, binary: str, folder: str, files: List[Planted], shots: str) -> None:
    """The same checks on a page written to disk, for the files it contains."""
    with tempfile.TemporaryDirectory() as at:
        name = os.path.join(at, "world.html")
        subprocess.run([binary, "map", "--format", "html", "-o", name, folder], check=True)
        page = browser.page()
        page.open("file://" + quote(name))
        page.wait("globalThis.geomapper?.view.isComplete", "the page from disk")
        page.key("l")
        page.wait("geomapper.table.isOpen", "the table")
        look(page, name="*.log")
        compare(page, files, is_log, "*.log in a file")
        look(page, name="", size="+100000000", age="+365")
        compare(page, files, lambda file: file.size > 100_000_000 and file.age > 365, "size and age in a file")
        page.settle()
        page.shoot(f"{shots}/lights-page-file.png")


def main() -> None:
    binary, shots, program = page_arguments(__doc__)
    with tempfile.TemporaryDirectory() as at, browsing(program) as browser:
        files = plant(at)
        folder = os.path.join(at, "disk")
        with serving(binary, folder) as server:
            page = browser.page()
            page.open(server.address)
            page.wait("globalThis.geomapper?.totals.read", "the totals")
            page.settle()
            check_lights(page, files, shots)
            check_conditions(page, files)
            check_link(page, files, shots)
            check_phone(page, shots)
            check_questions(page, server.address, files)
            page.open("about:blank")
        check_file(browser, binary, folder, files, shots)
        browser.check()
    print("the filter view shows what is there")


if __name__ == "__main__":
    main()
