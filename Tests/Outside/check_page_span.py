"""Compares moments of histories on the page in a headless browser, as a person would.

    check_page_span.py GEOMAPPER [--pictures FOLDER]

What the page says of any two commits of made repositories, which merge, turn files into folders and go back in
time, is held against what `git ls-tree` has of both and what `git log` touched between. The second handle of the
bar is dragged and moved by keys; map, list, panel and address have to tell the difference, and nothing of it once
it is put away.
"""

import json
import os
import subprocess
import tempfile
from typing import Any, Dict, List, Set
from urllib.parse import quote

import check_history
from browser import Page, browsing, page_arguments
from check_page_time import (DAY, START, TIME, commit, drop, files_at, folders_at, histories, plant, recording,
                             wait_for_time)
from outside import fail
from served import serving

SPAN = f"{TIME}.span"


def expect(what: str, found: Any, wanted: Any) -> None:
    """Two values that have to be the same."""
    if found != wanted:
        fail(f"{what}: {found!r}, not {wanted!r}")


def touched(repository: str, revision: str) -> Set[str]:
    """The paths that a commit touches, beside its first parent."""
    printed = check_history.run("git", "-C", repository, "log", "-1", "-m", "--first-parent", "--root", "--name-only", "--no-renames",
                                "-z", "--format=", revision)
    return {path.decode("utf-8", "replace") for path in printed.split(b"\0") if path}


def topmost(paths: Set[str]) -> Set[str]:
    """Those of some folders that are in no other of them."""
    return {path for path in paths if not any(path.startswith(f"{other}/") for other in paths)}


def check_pair(page: Page, states: List[check_history.State], paths: List[Set[str]], before: int, after: int) -> None:
    """What the page tells of two states, in sums and in rows."""
    told: Dict[str, Any] = page.run(
        f"(() => {{ const {{ timeline }} = {TIME}; const Made = {SPAN}.comparison.constructor;"
        f" return new Made(timeline, {before}, {after}).list({{ order: 'folder', limit: 1e9, names: ['a', 'b'],"
        " kinds: new Set(['added', 'removed', 'changed']) }); })()")
    old, new = files_at(states[before]), files_at(states[after])
    between = set().union(*paths[before + 1:after + 1])
    fates = {"added": set(new) - set(old), "removed": set(old) - set(new), "changed": set(old) & set(new) & between}
    what = f"from {before} to {after}"
    for kind, files in fates.items():
        expect(f"{what}, {kind}", told["below"].get(kind, 0), len(files))
    expect(f"{what}, bytes", [state["bytes"] for state in told["states"]], [sum(old.values()), sum(new.values())])
    expect(f"{what}, files", [state["files"] for state in told["states"]], [len(old), len(new)])
    lands = [folders_at(states[number]) for number in (before, after)]
    whole = {"added": topmost(lands[1] - lands[0]), "removed": topmost(lands[0] - lands[1]), "changed": set()}
    rows = {(row["change"], row["path"].partition("/")[2], row["folder"]): row for row in told["list"]}
    wanted = {(kind, path, True) for kind, found in whole.items() for path in found}
    for kind, files in fates.items():
        wanted |= {(kind, path, False) for path in files
                   if not any(path.startswith(f"{folder}/") for folder in whole[kind])}
    expect(f"{what}, rows", set(rows), wanted)
    for (kind, path, is_folder), row in rows.items():
        if not is_folder:
            expect(f"{what}, growth of {path}", row["growth"], new.get(path, 0) - old.get(path, 0))


def check_pairs(page: Page, binary: str) -> int:
    """Any two commits of made repositories; how many pairs."""
    count = 0
    for repository, log, states in histories(page, binary, range(300, 304)):
        paths = [touched(repository, name) for name, _, _ in log]
        wait_for_time(page)
        page.key("x")
        page.wait(f"{SPAN}?.comparison", "a comparison")
        for after in range(len(log)):
            for before in range(after + 1):
                check_pair(page, states, paths, before, after)
                count += 1
    return count


def marks(page: Page) -> Dict[str, Any]:
    """The lands of the tiles at hand that say how they differ."""
    return dict(page.run("geomapper.view.landsInView().filter(({ change, below_bytes: bytes }) => change || bytes)"
                         ".map((land) => [land.path, land.change ?? 'below'])"))


def rows_of(page: Page) -> List[List[str]]:
    """The list at the side: what became of what."""
    return list(page.run(f"{SPAN}.view.list.map(({{ change, path }}) => [change, path])"))


def ready(page: Page, before: int, after: int) -> None:
    """Two states are compared, and all of it is shown."""
    page.wait(f"{SPAN}?.comparison?.before === {before} && {SPAN}.comparison.after === {after}", f"{before} beside {after}")
    page.wait(f"!{SPAN}.view.isLoading", "the list")
    page.settle()


def place(page: Page, selector: str) -> List[float]:
    """The middle of an element of the page."""
    return [float(value) for value in page.run(
        f"(({{ left, top, width, height }}) => [left + width / 2, top + height / 2])"
        f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")]


def compare(page: Page, since: int, until: int) -> None:
    """Has the page compare two states of the planted repository."""
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[{until}], {until})")
    page.run(f"{TIME}.bar.compare({TIME}.timeline.times[{since}])")
    ready(page, since, until)


def check_span(page: Page, shots: str, name: str) -> None:
    """The second handle, and what it has the page tell."""
    wait_for_time(page)
    if page.run("performance.getEntriesByType('resource').some(({ name }) => name.includes('span'))"):
        fail("nobody compares, and what compares is loaded")
    page.key("x")
    page.wait(f"{SPAN}?.isOn", "that x compares")
    compare(page, 2, 4)
    expect("the line", page.run("document.querySelector('#time .said').textContent"), "2 revisions between")
    expect("rows", sorted(rows_of(page)), [["added", f"{name}/new/part2/last.txt"], ["removed", f"{name}/old"]])
    expect("lands", marks(page).get(f"{name}/old"), "removed")
    expect("its neighbour", marks(page).get(f"{name}/new"), "below")
    page.shoot(f"{shots}/span.png")
    # At the ends of the slider one state alone is shown.
    page.run(f"{SPAN}.view.stop(1)")
    page.settle()
    if f"{name}/old" in page.run("geomapper.view.landsInView().map(({ path }) => path)"):
        fail("the new state has what is gone")
    page.run(f"{SPAN}.view.stop(0.5)")
    # By mouse to the left, by keys to the right.
    x, y = place(page, "#time .since")
    left = page.run("document.querySelector('#time .track').getBoundingClientRect().left")
    page.mouse("mousePressed", x, y, button="left", clickCount=1, buttons=1)
    page.mouse("mouseMoved", (x + left) / 2, y, button="left", buttons=1)
    page.mouse("mouseMoved", left + 1, y, button="left", buttons=1)
    page.mouse("mouseReleased", left + 1, y, button="left", clickCount=1)
    ready(page, 0, 4)
    expect("what a state without it had", marks(page).get(f"{name}/new"), "added")
    page.key("ArrowRight")
    ready(page, 1, 4)
    page.run("document.activeElement.blur()")
    # What is in neither of two states is not there.
    compare(page, 3, 4)
    if f"{name}/old" in page.run("geomapper.view.landsInView().map(({ path }) => path)"):
        fail("what was gone before both states is shown")
    # The moment may be the earlier one of the two.
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[0], 0)")
    ready(page, 0, 3)
    compare(page, 1, 4)
    check_told(page, name)
    check_address(page)
    # Put away, nothing is left of it.
    page.key("x")
    page.wait(f"!{SPAN}.isOn && {TIME}.layer.span === null", "that x puts it away")
    page.settle()
    expect("marks of what is put away", marks(page), {})
    expect("its panel", page.run("document.getElementById('changes').hidden"), True)
    if "since=" in page.run("location.hash"):
        page.wait("!location.hash.includes('since=')", "an address without it")
    page.key(",")
    page.wait(f"{TIME}.layer.state === 3", "the state before")
    expect("marks of what is put away", marks(page), {})


def check_told(page: Page, name: str) -> None:
    """The panel, and rows that lead there."""
    page.run(f"geomapper.open('{name}/new/part1', false)")
    page.wait("document.querySelector('#panel .difference')", "what differs in the panel")
    told = page.run("document.querySelector('#panel .difference').innerText")
    if "1 changed" not in told:
        fail(f"the panel says {told!r}")
    listed = page.run("[...document.querySelectorAll('#panel .contents li')].map((row) => row.innerText)")
    if not any("3.txt" in row and "changed" in row for row in listed) or sum("changed" in row for row in listed) != 1:
        fail(f"the panel lists {listed}")
    page.run("[...document.querySelectorAll('#changes li button')].find((row) => row.innerText.includes('old/')).click()")
    page.wait(f"geomapper.selected?.feature.properties.path === '{name}/old'", "a row's place")
    told = page.run("document.getElementById('panel').innerText")
    if "It is gone" not in told or "Gone since" not in told:
        fail(f"of what is gone the panel says {told!r}")
    page.key("Escape")
    page.settle()


def check_address(page: Page) -> None:
    """The address has both moments, and leads back to them."""
    held = "(name, time) => location.hash.includes(`&${name}=${new Date(time * 1000).toISOString().slice(0, 19)}`)"
    page.wait(f"(({held})('at', {TIME}.layer.time)) && (({held})('since', {SPAN}.since))", "both moments in the address")
    page.settle()
    address = page.run("location.href")
    page.open("about:blank")
    page.open(address)
    wait_for_time(page)
    ready(page, 1, 4)


def check_others(page: Page, binary: str, at: str) -> None:
    """A recording that is dropped takes the bar; afterwards moments can be compared again."""
    folder = os.path.join(at, "tree")
    os.makedirs(folder)
    with open(os.path.join(folder, "file"), "w", encoding="utf-8") as file:
        file.write("x")
    page.key("x")
    page.wait(f"{SPAN}?.isOn", "a comparison")
    drop(page, "rehearsal.json", "\n".join(recording(binary, folder)))
    page.wait(f"{TIME}?.below && !{TIME}.below.span.isOn", "a recording in the place of the comparison")
    expect("marks under a recording", marks(page), {})
    page.run("document.querySelector('#time [aria-label=\"Put it away\"]').click()")
    page.wait(f"!{TIME}.below && {TIME}.timeline.stateCount === 5", "the history again")
    page.key("x")
    page.wait(f"{SPAN}.isOn && document.querySelector('#time .since:not([hidden])')", "a comparison again")


def check_phone(page: Page, address: str) -> None:
    """On a small screen the map comes first, and the handle can be dragged."""
    page.open("about:blank")
    page.resize(390, 800, touch=True)
    page.open(address)
    wait_for_time(page)
    page.run("document.querySelector('#time [aria-label^=\"What changed\"]').click()")
    page.wait(f"{SPAN}?.isOn", "a comparison on a phone")
    expect("the list on a phone", page.run("document.getElementById('changes').hidden"), True)
    x, y = place(page, "#time .since")
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": 20, "y": y}])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    ready(page, 0, 4)
    page.resize(1280, 800)


def main() -> None:
    binary, shots, program = page_arguments(__doc__)
    os.environ.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
    shots = os.path.abspath(shots)
    with tempfile.TemporaryDirectory(prefix="geomapper-span.") as at, browsing(program) as browser:
        page = browser.page()
        count = check_pairs(page, binary)
        repository = os.path.join(at, "project")
        plant(repository)
        name = os.path.join(at, "history.html")
        subprocess.run([binary, "history", "--git", repository, "--format", "html", "-o", name], check=True)
        page.open("file://" + quote(name))
        check_span(page, shots, "project")
        check_others(page, binary, at)
        check_phone(page, "file://" + quote(name))
        page.open("about:blank")
        with serving(binary, "--history", "--git", repository) as server:
            page.open(server.address)
            check_span(page, shots, "project")
            # What is committed meanwhile counts, where the moment is the last one.
            compare(page, 2, 4)
            commit(repository, 32, "more", {"more/1.txt": "1"})
            ready(page, 2, 5)
            expect("a new commit", START + 32 * DAY, page.run(f"{TIME}.layer.time"))
            if ["added", "project/more"] not in rows_of(page):
                fail(f"a new commit is not among {rows_of(page)}")
            page.open("about:blank")
        browser.check()
    print(f"{count} pairs of commits differ on the page as in git; moments are compared by mouse, keys and fingers")


if __name__ == "__main__":
    main()
