"""Compares moments of histories on the page in a headless browser.

    check_page_span.py GEOMAPPER [--pictures FOLDER]

For any two commits of made repositories, which merge, turn files into folders and go back in time, the page lists the
same differences as a server of both commits: added, removed, changed and moved files, and their totals. check_changes.py
checks those of the tool. The second handle of the bar is dragged and moved by keys. Map, list, panel and address have to show the difference, and nothing of it
after the comparison ends.
"""

import json
import os
from typing import Any, Dict, List, Tuple

from browser import SELECTED, Page, driving
from check_page_play import put_away, recording
from check_page_time import DAY, START, TIME, histories, plant, show_history, wait_for_time, written
from outside import Repository, fail, put, same
from served import serving

SPAN = f"{TIME}.span"
LANDS = "geomapper.view.landsInView().map(({ path }) => path)"
def rows(told: Dict[str, Any]) -> List[Any]:
    """The rows of a list of changes by path: what page and server have in common."""
    return sorted([row["path"], row["change"], row["growth"], row.get("from", ""), row["files"] if row.get("folder") else -1]
                  for row in told["list"])


def check_pair(page: Page, binary: str, repository: str, before: Tuple[int, str], after: Tuple[int, str]) -> int:
    """Compares the page's list for two commits with that of a server of both; returns the number of moves."""
    told = page.run(
        f"(() => {{ const {{ timeline }} = {TIME}; const Made = {SPAN}.comparison.constructor;"
        f" return new Made(timeline, {before[0]}, {after[0]}).list({{ order: 'folder', limit: 1e9, names: ['a', 'b'],"
        " kinds: new Set(['added', 'removed', 'changed', 'moved']) }); })()")
    with serving(binary, "--port", "0", "--git", repository, "--since", before[1], after[1]) as server:
        known = json.loads(server.get("/changes?sort=folder&limit=5000").body)
    what = f"from {before} to {after}"
    same(f"{what}, rows", rows(told), rows(known))
    same(f"{what}, totals", {kind: number for kind, number in told["below"].items() if number}, known.get("below", {}))
    for name, members in (("states", ("files", "bytes")), ("grown", ("path", "bytes")), ("shrunk", ("path", "bytes"))):
        same(f"{what}, {name}", *([[one[member] for member in members] for one in all_[name]] for all_ in (told, known)))
    same(f"{what}, sizes of moves", *(sorted(move[4] for move in all_["moves"]) for all_ in (told, known)))
    return len(known["moves"])


def check_pairs(page: Page, binary: str) -> Tuple[int, int]:
    """Checks pairs of commits of made repositories; returns the numbers of pairs and of moved files."""
    count = moves = 0
    for repository, log, _ in histories(page, binary, range(300, 306)):
        wait_for_time(page)
        page.key("x")
        page.wait(f"{SPAN}?.comparison", "a comparison")
        numbered = [(number, name) for number, (name, _, _) in enumerate(log)]
        for after in numbered:
            for before in numbered[:after[0]]:
                moves += check_pair(page, binary, repository, before, after)
                count += 1
    if moves == 0:
        fail("nothing ever moved")
    return count, moves


def marks(page: Page) -> Dict[str, Any]:
    """The lands of the loaded tiles that have a change."""
    return dict(page.run("geomapper.view.landsInView().filter(({ change, below_bytes: bytes }) => change || bytes)"
                         ".map((land) => [land.path, land.change ?? 'below'])"))


def rows_of(page: Page) -> List[List[str]]:
    """The rows of the list: changes and paths."""
    return list(page.run(f"{SPAN}.view.list.shown.map(({{ change, path }}) => [change, path])"))


def ready(page: Page, before: int, after: int) -> None:
    """Waits until two states are compared and everything is shown."""
    page.wait(f"{SPAN}?.comparison?.before === {before} && {SPAN}.comparison.after === {after}", f"{before} beside {after}")
    page.wait(f"!{SPAN}.view.list.isLoading", "the list")
    page.settle()


def compare(page: Page, since: int, until: int) -> None:
    """Compares two states of the planted repository on the page."""
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[{until}], {until})")
    page.run(f"{TIME}.bar.compare({TIME}.timeline.times[{since}])")
    ready(page, since, until)


def check_span(page: Page, shots: str, name: str) -> None:
    """The second handle, and the differences it shows."""
    wait_for_time(page)
    page.expect("whether the comparison is loaded before its use",
                "performance.getEntriesByType('resource').some(({ name }) => name.includes('span'))", False)
    page.key("x")
    page.wait(f"{SPAN}?.isOn", "that x compares")
    compare(page, 2, 4)
    page.expect("the line", "document.querySelector('#time .said').textContent", "2 revisions between")
    same("rows", sorted(rows_of(page)), [
        ["added", f"{name}/new/part2/kept.cxx"], ["added", f"{name}/new/part2/last.txt"], ["removed", f"{name}/old"]])
    same("lands", marks(page).get(f"{name}/old"), "removed")
    same("its neighbour", marks(page).get(f"{name}/new"), "below")
    page.shoot(f"{shots}/span.png")
    # At the ends of the slider, only one state is shown.
    page.run(f"{SPAN}.view.slider.stop(1)")
    page.settle()
    page.check("the new state lacks what is gone", f"!{LANDS}.includes('{name}/old')")
    page.run(f"{SPAN}.view.slider.stop(0.5)")
    # By mouse to the left, by keys to the right.
    x, y = page.middle("#time .since")
    left = page.box("#time .track")[0]
    page.drag(x, y, ((x + left) / 2, y), (left + 1, y))
    ready(page, 0, 4)
    same("what a state without it had", marks(page).get(f"{name}/new"), "added")
    page.key("ArrowRight")
    ready(page, 1, 4)
    page.run("document.activeElement.blur()")
    # Entries missing in both states aren't shown.
    compare(page, 3, 4)
    page.check("what was gone before both states is not shown", f"!{LANDS}.includes('{name}/old')")
    # The moment may be the earlier one of the two.
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[0], 0)")
    ready(page, 0, 3)
    compare(page, 1, 4)
    check_told(page, name)
    check_address(page)
    # After the comparison ends, nothing of it is left.
    page.key("x")
    page.wait(f"!{SPAN}.isOn && {TIME}.layer.span === null", "that x puts it away")
    page.settle()
    same("marks of what is put away", marks(page), {})
    page.expect("whether its panel is hidden", "document.getElementById('changes').hidden", True)
    page.wait("!location.hash.includes('since=')", "an address without it")
    page.key(",")
    page.wait(f"{TIME}.layer.state === 3", "the state before")
    same("marks of what is put away", marks(page), {})


def check_told(page: Page, name: str) -> None:
    """The panel's text, and rows that fly to their nodes."""
    page.select(f"{name}/new/part1", False)
    page.wait("document.querySelector('#panel .difference')", "what differs in the panel")
    page.says("#panel .difference", "1 changed")
    listed = page.texts("#panel .contents li")
    if not any("3.txt" in row and "changed" in row for row in listed) or sum("changed" in row for row in listed) != 1:
        fail(f"the panel lists {listed}")
    page.run("[...document.querySelectorAll('#changes li button')].find((row) => row.innerText.includes('old/')).click()")
    page.wait(f"{SELECTED} === '{name}/old'", "a row's place")
    page.says("#panel", "It is gone", "Gone since")
    page.key("Escape")
    page.settle()


def check_address(page: Page) -> None:
    """The address has both moments, and restores them."""
    held = "(name, time) => location.hash.includes(`&${name}=${new Date(time * 1000).toISOString().slice(0, 19)}`)"
    page.wait(f"(({held})('at', {TIME}.layer.time)) && (({held})('since', {SPAN}.since))", "both moments in the address")
    page.settle()
    show_history(page, page.run("location.href"))
    ready(page, 1, 4)


def check_others(page: Page, binary: str, at: str) -> None:
    """A dropped recording replaces the bar; afterwards moments can be compared again."""
    put(at, {"tree/file": "x"})
    page.key("x")
    page.wait(f"{SPAN}?.isOn", "a comparison")
    page.drop("rehearsal.json", "\n".join(recording(binary, os.path.join(at, "tree"))).encode())
    page.wait(f"{TIME}?.below && !{TIME}.below.span.isOn", "a recording in the place of the comparison")
    same("marks under a recording", marks(page), {})
    put_away(page, f"!{TIME}.below && {TIME}.timeline.stateCount === 5")
    page.key("x")
    page.wait(f"{SPAN}.isOn && document.querySelector('#time .since:not([hidden])')", "a comparison again")


def check_moves(page: Page, binary: str, at: str, shots: str) -> None:
    """A moved folder is one row, and its files have arcs; each leads to its old path."""
    made = Repository(f"{at}/moving")
    files = {f"src/{folder}/{n}.c": f"{folder} {n}\n" for folder in ("one", "two") for n in range(4)}
    made.commit(START, "begin", {**files, "stays.txt": "x", "turns.txt": "1", "copied.txt": "copied"})
    os.makedirs(f"{made.at}/lib")
    made.git("mv", "src/one", "lib/one")
    made.git("mv", "src/two/3.c", "three.c")
    made.commit(START + DAY, "move", {"turns.txt": "2", "lib/new.c": "new", "copy.txt": "copied"})
    made.commit(START + 2 * DAY, "back", {"turns.txt": "1"})
    show_history(page, written(binary, f"{at}/moving.html", "--git", made.at))
    page.key("x")
    page.wait(f"{SPAN}?.isOn", "that x compares")
    compare(page, 0, 2)
    same("what moved", sorted(rows_of(page)), [
        ["added", "moving/copy.txt"], ["added", "moving/lib"], ["moved", "moving/lib/one"], ["moved", "moving/three.c"]])
    page.expect("arcs", f"{SPAN}.view.layer.moves.length", 5)
    page.shoot(f"{shots}/span-moves.png")
    page.select("moving/three.c", False)
    page.wait("document.querySelector('#panel .difference button')", "where it was")
    page.press("#panel .difference button")
    page.wait(f"{SELECTED} === 'moving/src/two/3.c'", "its old place")
    page.says("#panel .difference", "elsewhere now", "moving/three.c")
    compare(page, 0, 1)
    same("what was changed only for a while", ["changed", "moving/turns.txt"] in rows_of(page), True)
    page.open("about:blank")


def check_phone(page: Page, address: str) -> None:
    """On a small screen the map has precedence, and the handle can be dragged."""
    page.resize(390, 800, touch=True)
    show_history(page, address)
    page.press("#time [aria-label^='What changed']")
    page.wait(f"{SPAN}?.isOn", "a comparison on a phone")
    page.expect("whether the list on a phone is hidden", "document.getElementById('changes').hidden", True)
    x, y = page.middle("#time .since")
    page.touch([(x, y)], [(20, y)])
    ready(page, 0, 4)
    page.resize(1280, 800)


def main() -> None:
    with driving(__doc__) as (binary, shots, browser, at):
        page = browser.page()
        count, moves = check_pairs(page, binary)
        check_moves(page, binary, at, shots)
        repository = plant(f"{at}/project")
        address = written(binary, f"{at}/project.html", "--git", repository.at)
        page.open(address)
        check_span(page, shots, "project")
        check_others(page, binary, at)
        check_phone(page, address)
        page.open("about:blank")
        with serving(binary, "--history", "--git", repository.at) as server:
            page.open(server.address)
            check_span(page, shots, "project")
            # If the moment is the last one, new commits count.
            compare(page, 2, 4)
            repository.commit(START + 32 * DAY, "more", {"more/1.txt": "1"})
            ready(page, 2, 5)
            page.expect("a new commit", f"{TIME}.layer.time", START + 32 * DAY)
            if ["added", "project/more"] not in rows_of(page):
                fail(f"a new commit is not among {rows_of(page)}")
            page.leave()
    print(f"{count} pairs of commits differ on the page as on the server, {moves} moves among them; moments are compared by mouse, keys and fingers")


if __name__ == "__main__":
    main()
