"""Drives the page's filter view in a headless browser, served and as a file.

    check_page_lights.py GEOMAPPER [--pictures FOLDER]

The highlighted, counted and listed files are compared with a walk of the tree. Four typical questions about a disk
are answered, and the actions that each takes are counted.
"""

import fnmatch
import json
import os
import re
import time
from pathlib import Path
from typing import Callable, Dict, NamedTuple

from browser import PLACE, SELECTED, Browser, Page, driving
from outside import fail, run, same
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


FILES = [
    *(Planted(f"disk/logs/{number % 4}/run-{number}.log", number * 40, number) for number in range(60)),
    *(Planted(f"disk/photos/{number % 3}/summer/IMG{number}.JPG", 3_000_000 + number, number * 30) for number in range(30)),
    *(Planted(f"disk/backup/old-{number}.tar.gz", (number + 1) * 60_000_000, 300 + number * 10) for number in range(20)),
    *(Planted(f"disk/source/{number % 20}/part{number}.c", number, number % 50) for number in range(400)),
    Planted("disk/source/1/build/deep/down/trace.LOG", 777, 2),
    Planted("disk/notes.txt", 12, 1),
    Planted("disk/source/log.txt", 5, 0),
]


def plant(at: str) -> None:
    """Makes the files, which are sparse."""
    for path, size, age in FILES:
        place = os.path.join(at, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.truncate(size)
        os.utime(place, (NOW - age * DAY, NOW - age * DAY))


def is_log(file: Planted) -> bool:
    """Whether a file matches *.log."""
    return fnmatch.fnmatch(file.path.lower(), "*.log")


def is_large_and_old(file: Planted) -> bool:
    """Whether a file has more than 100 MB and is older than a year."""
    return file.size > 100_000_000 and file.age > 365


def open_table(page: Page) -> None:
    """Opens the filter view by its key."""
    page.key("l")
    page.wait("geomapper.table.isOpen", "the filter view")


def look(page: Page, **wanted: str) -> None:
    """Fills in the form, and waits for the end of the search."""
    for key, value in wanted.items():
        page.run(f"(() => {{ const field = geomapper.table.fields.{key}; field.value = {value!r};"
                 f" field.dispatchEvent(new Event({'input' if key == 'name' else 'change'!r}, {{ bubbles: true }})); }})()")
    page.wait(f"Object.entries({wanted!r}).every(([key, value]) => geomapper.table.wanted[key] === value) && {DONE}",
              "the end of the search")


def compare(page: Page, fits: Callable[[Planted], bool], what: str) -> None:
    """Compares the list, largest first, and all counts with the tree."""
    found = sorted(filter(fits, FILES), key=lambda file: (-file.size, os.path.basename(file.path)))
    below: Dict[str, int] = {}
    for file in found:
        for folder in map(str, list(Path(file.path).parents)[:-1]):
            below[folder] = below.get(folder, 0) + 1
    same(f"{what}, counts", page.run("Object.fromEntries([...geomapper.table.counts.folders]"
                                     ".map(([path, { files }]) => [path, files]))"), below)
    page.expect(f"{what}, totals", "[geomapper.table.files, geomapper.table.bytes]",
                [len(found), sum(file.size for file in found)])
    page.expect(f"{what}, the list", SHOWN, [file.path for file in found])


def show_with_totals(page: Page, address: str) -> None:
    """Opens the page, and waits for its totals."""
    page.open(address)
    page.wait("globalThis.geomapper?.totals.read", "the totals")
    page.settle()


def check_lights(page: Page, shots: str) -> None:
    """Countries and single files light up, and everything else fades; switched off, the map is as before."""
    place = page.run(PLACE)
    lit, dark = page.spot_in("disk/logs", 390), page.spot_in("disk/photos", 390)
    before = [page.pixel(*lit, 2), page.pixel(*dark, 2)]
    open_table(page)
    look(page, name="*.log")
    compare(page, is_log, "*.log")
    page.settle()
    # Summary and legend are of the matches, too.
    rows = page.run("[...document.querySelectorAll('#summary .land .name')].map((name) => name.textContent)")
    sums = page.run("geomapper.page.level.current.lands.map(({ path, name }) => [name, geomapper.view.lights.count(path), geomapper.view.lights.bytes(path)])")
    wanted = [f"{name} ({files} {'match' if files == 1 else 'matches'})"
              for name, files, _ in sorted((one for one in sums if one[1] > 0), key=lambda one: (-one[2], -one[1]))]
    page.wait(f"{json.dumps(wanted[:12])}.every((words, index) => document.querySelectorAll('#summary .land .name')[index]?.textContent === words)",
              f"the matches by folder, {wanted}, not {rows}")
    page.says("#summary .key", "matching file")
    page.expect("what else says how many files there are", "document.getElementById('crumbs').innerText.trim()", "disk")
    page.expect("the name of what is in view over the map", "geomapper.view.labels.placed.some(({ key }) => key === 'disk')", False)
    page.shoot(f"{shots}/lights.png")
    shining, faded = page.pixel(*lit, 2), page.pixel(*dark, 2)
    # The light theme stays light, and what does not fit is paler.
    if min(faded) < 200 or max(faded) - min(faded) > max(before[1]) - min(before[1]) + 8:
        fail(f"what does not fit is {faded}, was {before[1]}")
    if shining[0] - shining[2] < faded[0] - faded[2] + 25:
        fail(f"what fits is {shining}, all else {faded}")
    page.check("brightness follows bytes", "(([a, b]) => (a.bytes > b.bytes) === (geomapper.view.lights.strength(a) >"
               " geomapper.view.lights.strength(b)))(['disk/logs', 'disk/source'].map((path) =>"
               " geomapper.table.counts.folders.get(path)))")
    notes = page.run("geomapper.view.labels.noteOf({ path: 'disk/logs' })")
    if not re.fullmatch(r"60 matches · [1-9][0-9.]* (bytes|[kM]B)", notes):
        fail(f"below the name is {notes!r}")
    # Down to single files: matches glow, their neighbours don't.
    page.select("disk/source/log.txt")
    page.select("disk/source/1/build/deep/down/trace.LOG")
    page.shoot(f"{shots}/lights-file.png")
    state = dict(page.run("geomapper.view.filesInView().map(({ file }) => [file.path, geomapper.view.lights.isLit(file)])"))
    same("the files that shine", state, {path: path.lower().endswith(".log") for path in state})
    if "disk/source/1/build/deep/down/trace.LOG" not in state:
        fail(f"the file is not in view: {state}")
    page.deselect()
    page.focus("#map")
    page.key("Escape")
    page.wait("!geomapper.table.isOpen && !geomapper.view.lights.isOn", "lights off")
    page.run(f"geomapper.view.camera.set(...{place})")
    page.settle()
    after = [page.pixel(*lit, 2), page.pixel(*dark, 2)]
    if max(abs(a - b) for one, other in zip(before, after) for a, b in zip(one, other)) > 12:
        fail(f"put out, it looks like {after}, not like {before}")


def check_conditions(page: Page) -> None:
    """Each condition, and all of them together; searches in sequence, and cancelled ones."""
    open_table(page)
    look(page, size="+100000000")
    compare(page, lambda file: file.size > 100_000_000, "size")
    look(page, age="+365")
    compare(page, is_large_and_old, "size and age")
    look(page, size="", age="-7", type="code")
    compare(page, lambda file: file.path.endswith(".c") and file.age < 7, "type and age")
    look(page, age="", type="", name="log")
    compare(page, lambda file: "log" in os.path.basename(file.path).lower(), "part of a name")
    page.run("geomapper.table.fields.name.value = '[x'; geomapper.table.fields.name.dispatchEvent(new Event('input'))")
    page.wait("geomapper.table.status.textContent.includes('lacks its')", "what is wrong with it")
    page.check("no lights for no pattern", "!geomapper.view.lights.isOn")
    # If the form changes while typing, only the last search counts.
    for name in ("*.c", "*.JPG", "*.gz", "*.log"):
        page.run(f"geomapper.table.search({{ name: {name!r} }})")
    page.wait(f"{DONE} && geomapper.table.wanted.name === '*.log'", "the last of four")
    compare(page, is_log, "the last of four")
    by_path = {file.path: file for file in FILES}

    def sort(order: str) -> None:
        page.run(f"geomapper.table.sorter.value = {order!r}; geomapper.table.sorter.dispatchEvent(new Event('change'))")
        page.wait(DONE, f"sorted by {order}")

    for order, key in (("name", lambda file: os.path.basename(file.path)), ("oldest", lambda file: -file.age)):
        sort(order)
        same(f"by {order}", [key(by_path[path]) for path in page.run(SHOWN)], sorted(map(key, filter(is_log, FILES))))
    sort("size")


def check_link(page: Page, shots: str) -> None:
    """The address contains the search; rows of the list fly to their files."""
    page.wait("decodeURIComponent(location.hash).includes('fit=name:*.log')", "the address")
    page.open(page.run("location.href"))
    page.wait(f"globalThis.geomapper?.table.isDone && {DONE}", "the link's lights")
    compare(page, is_log, "the link")
    first = page.run("document.querySelector('#table .children button').dataset.name")
    page.press("#table .children button")
    page.wait(f"{SELECTED} === {first!r}", "the first of the list")
    page.settle()
    page.shoot(f"{shots}/lights-list.png")
    page.check(f"{first} is in view", f"geomapper.view.filesInView().some(({{ file }}) => file.path === {first!r})")
    page.run("geomapper.table.close()")
    page.wait("!location.hash.includes('fit=')", "the address without it")


def check_phone(page: Page, shots: str) -> None:
    """On a phone the filter view is a sheet that covers half, and nothing is beyond the edge."""
    page.resize(360, 640, touch=True)
    page.press("#lights")
    look(page, name="*.log")
    page.settle()
    page.shoot(f"{shots}/lights-phone.png")
    _, top, right, _ = page.box("#table")
    if top < 300 or right > 360:
        fail(f"the sheet begins at {top}, and ends at {right}")
    page.check_edges("#table *")
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
        self.page.click(*self.page.middle(selector))

    def choose(self, key: str, value: str) -> None:
        """Chooses an entry of one of the menus."""
        self.actions += 1
        look(self.page, **{key: value})

    def type(self, text: str) -> None:
        """Types a text into the focused element."""
        self.actions += 1
        self.page.type(text)


def where_has_it_gone(person: Person) -> None:
    """Finds the largest folder."""
    page = person.page
    person.press("Enter")  # the continent, or the land in its middle
    page.wait(SELECTED, "something selected")
    if page.run(SELECTED) != "disk":
        person.click("#crumbs .crumb")
        page.wait(f"{SELECTED} === 'disk'", "the root")
    page.wait("geomapper.selected.totals", "its totals")
    largest = page.texts("#panel .children li")[0]
    if not largest.startswith("backup/") or "12.6 GB" not in largest:
        fail(f"the largest is {largest}")
    person.click("#panel .children button")
    page.wait(f"{SELECTED} === 'disk/backup'", "the largest folder")


def what_is_large_and_old(person: Person) -> None:
    """Finds files by size and age."""
    person.press("l")
    person.choose("size", "+1000000000")
    person.choose("age", "+365")
    compare(person.page, lambda file: file.size > 1e9 and file.age > 365, "large and old")


def where_are_logs(person: Person) -> None:
    """Finds files by name."""
    person.press("l")
    person.page.wait("document.activeElement === geomapper.table.fields.name", "the focus")
    person.type("*.log")
    person.page.wait(f"geomapper.table.wanted.name === '*.log' && {DONE}", "all of them")
    compare(person.page, is_log, "all logs")


def show_to_a_colleague(person: Person) -> None:
    """Copies a link, which a colleague opens."""
    page = person.page
    where_are_logs(person)
    page.wait("decodeURIComponent(location.hash).includes('fit=name:*.log')", "the address")
    person.click("#table .row .chip")
    page.wait("document.querySelector('#table .row .chip').textContent === 'Copied'", "copied")
    link = page.run("navigator.clipboard.readText()")
    other = page.browser.page()
    other.open(link)
    other.wait(f"globalThis.geomapper?.table.isDone && {DONE}", "the colleague's page")
    compare(other, is_log, "what the colleague sees")
    other.call("Page.close")


def check_questions(page: Page, address: str) -> None:
    """Typical questions take few actions, from the first picture on."""
    page.browser.call("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    told = []
    for answer in (where_has_it_gone, what_is_large_and_old, where_are_logs, show_to_a_colleague):
        show_with_totals(page, address)
        person = Person(page)
        answer(person)
        told.append(f"{answer.__name__.replace('_', ' ')}: {person.actions}")
        if person.actions > MOST_ACTIONS:
            fail(f"too many actions: {told[-1]}")
    print("actions:", "; ".join(told))


def check_file(browser: Browser, binary: str, folder: str, name: str, shots: str) -> None:
    """The same checks on a page written to disk, for the files it contains."""
    run(binary, "map", "-q", "--format", "html", "-o", name, folder)
    page = browser.page()
    page.show(Path(name).as_uri())
    open_table(page)
    look(page, name="*.log")
    compare(page, is_log, "*.log in a file")
    look(page, name="", size="+100000000", age="+365")
    compare(page, is_large_and_old, "size and age in a file")
    page.settle()
    page.shoot(f"{shots}/lights-page-file.png")


def main() -> None:
    with driving(__doc__) as (binary, shots, browser, at):
        plant(at)
        with serving(binary, f"{at}/disk") as server:
            page = browser.page()
            show_with_totals(page, server.address)
            check_lights(page, shots)
            check_conditions(page)
            check_link(page, shots)
            check_phone(page, shots)
            check_questions(page, server.address)
            page.leave()
        check_file(browser, binary, f"{at}/disk", f"{at}/world.html", shots)
    print("the filter view shows what is there")


if __name__ == "__main__":
    main()
