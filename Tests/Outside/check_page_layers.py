#!/usr/bin/env python3
"""Compares what the page shows of layers with sums in Python, served and published, in both themes and on a phone.

    check_page_layers.py GEOMAPPER [--pictures FOLDER]

A random tree has a table with a ratio, whole numbers, fractions of both signs and more words than there are colours;
one folder has no value at all. Classes, counts, colours, rows, lists, the panel, the tooltip and the tiles have to say
what follows from the table. Sizes follow files and a layer that adds up. What a live folder gains is summed up again.
"""

import bisect
import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union
from urllib.parse import unquote

from browser import Browser, Page, driving
from hosted import hosting
from outside import fail, run, same
from served import Served, serving

FOLDERS, WORDS = 14, [f"team {number}, é%" for number in range(13)]
OPTIONS = ("cov:ratio={0}#hit/found", "n={0}#n", "delta:mean={0}#delta", "team={0}#team")
LIGHT = "1896fc e7be40 dd65ba 20bc67 af8001 abb2f4 9c52be b4eb89 0f8651 7deff7".split()
DARK = "7a89fc e4ac3a 50894f ee6ca9 b2ba8d 852e79 9a7309 d9a0f1 8e1c16 1944a4".split()
OTHER = ("9a9790", "6b6966")
STRENGTH, WEAKEST, DRAWN = (0.8, 0.52), 0.25, 0.92
Value = Union[int, float, str, None]
Values = Dict[str, Value]


class File(NamedTuple):
    """A file with its values: `hit` of `found`, `n`, `delta` and `team`."""
    path: str
    size: int
    hit: Optional[int]
    found: int
    n: Optional[int]
    delta: Optional[float]
    team: Optional[str]


def plant(root: str, generator: random.Random) -> List[File]:
    """Makes the tree and returns its files. The last folder has no values, the first one most teams."""
    files = []
    for folder in range(FOLDERS):
        for number in range(generator.randint(3, 12)):
            inner = generator.choice(("", "in/", "in/deep/"))
            path, size = f"f{folder:02}/{inner}x{number}.c", generator.randint(1, 200_000)
            is_blank = folder == FOLDERS - 1
            found = generator.randint(1, 500)
            files.append(File(
                path, size, None if is_blank else min(found, int(found * generator.random() ** (0.3 + folder / 5))), found,
                None if is_blank or generator.random() < 0.1 else generator.randint(0, 10 ** (1 + folder % 4)),
                None if is_blank else round(generator.uniform(-50, 50) + 8 * (folder - 6), 2),
                None if is_blank else generator.choice(WORDS[folder:] + [WORDS[folder % 13]] * 12)))
    for number in range(4):
        files.append(File(f"own{number}.txt", 1000 * number + 5, number, 4, number * 7, -1.5 * number, WORDS[number]))
    for file in files:
        path = os.path.join(root, file.path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(path).write_bytes(b"x" * file.size)
    return files


def write_table(path: Path, files: List[File]) -> None:
    """The values of files, in random order, and of a file to come."""
    rows = [f'{file.path},{"" if file.hit is None else file.hit},{"" if file.hit is None else file.found},'
            f'{"" if file.n is None else file.n},{"" if file.delta is None else file.delta},"{file.team or ""}"'
            for file in files]
    random.Random(7).shuffle(rows)
    path.write_text("\n".join(["path,hit,found,n,delta,team", *rows, 'f02/later.c,1,1,100000,0,"x"']) + "\n",
                    encoding="utf-8")


def values_of(files: List[File]) -> Values:
    """What some files say together."""
    known = [file for file in files if file.hit is not None]
    numbers = [file.n for file in files if file.n is not None]
    deltas = [file.delta for file in files if file.delta is not None]
    bytes_of: Dict[str, int] = {}
    for file in files:
        if file.team is not None:
            bytes_of[file.team] = bytes_of.get(file.team, 0) + file.size
    team = min(bytes_of, key=lambda word: (-bytes_of[word], word.encode())) if bytes_of else None
    return {
        "cov": sum(file.hit or 0 for file in known) / sum(file.found for file in known) if known else None,
        "n": sum(numbers) if numbers else None,
        "delta": sum(deltas) / len(deltas) if deltas else None,
        "team": team, "team_share": round(bytes_of[team] / sum(bytes_of.values()), 4) if team else None,
    }


class Oracle:
    """What nodes have to say."""

    def __init__(self, label: str, files: List[File]) -> None:
        self.files = {f"{label}/{file.path}": file for file in files}
        self.label = label

    def below(self, path: str) -> List[File]:
        """The files of a folder, or a file."""
        return [file for at, file in self.files.items() if at == path or at.startswith(path + "/")]

    def values(self, path: str) -> Values:
        """What a folder or file says."""
        found = values_of(self.below(path))
        if path in self.files:
            found["team_share"] = None
        return found

    @property
    def lands(self) -> List[str]:
        """The folders at the level of the root."""
        return sorted({"/".join(path.split("/")[:2]) for path in self.files if path.count("/") > 1})

    @property
    def own(self) -> List[str]:
        """The files of the root."""
        return [path for path in self.files if path.count("/") == 1]


def near(what: str, found: Optional[Dict[str, Any]], expected: Values) -> None:
    """Compares values; sums of fractions are not exact in Python."""
    found = {key: value for key, value in (found or {}).items() if not key.endswith("_count")}
    wanted = {key: value for key, value in expected.items() if value is not None}
    same(f"{what}: layers", sorted(found), sorted(wanted))
    for key, value in wanted.items():
        is_same = found[key] == value if isinstance(value, (str, int)) else abs(found[key] - value) < 1e-4 * max(1, abs(value))
        if not is_same:
            fail(f"{what}: {key} is {found[key]!r}, not {value!r}")


def look(page: Page, address: str, fragment: str = "") -> None:
    """Opens the page and waits for figures and values."""
    page.open(address + fragment)
    page.wait("globalThis.geomapper?.page.level.current?.complete && geomapper.page.values", "figures and values")
    page.settle()


def classes(page: Page) -> Tuple[str, List[str]]:
    """The mode of colours and the texts of its classes in the link."""
    page.wait("location.hash.includes('&colours=')", "the classes in the link")
    mode, _, given = page.run("geomapper.view.palette.link").partition(":")
    if f"&colours={mode}:{given}" not in page.run("location.hash"):
        fail(f"the link lacks {mode}:{given}: {page.run('location.hash')}")
    return mode, given.split(",") if given else []


def said(value: Value, is_ratio: bool = False) -> str:
    """A value in words, as far as these checks need them."""
    if isinstance(value, str):
        return value
    assert value is not None
    if is_ratio:
        percent = value * 100
        return f"{round(percent, 0 if percent >= 10 else 1 if percent >= 1 else 2):g} %"
    return f"{value:,}" if isinstance(value, int) else f"{float(f'{value:.3g}'):g}"


def expect_counts(page: Page, oracle: Oracle, found: Dict[str, Union[int, str]]) -> None:
    """The legend has the number of folders and files of each class."""
    rows = page.run("[...document.querySelectorAll('.key .legend li')].map((li) => [...li.querySelectorAll('span')].map((s) => s.textContent))")
    shown = {row[0]: row[1] if len(row) > 1 else "" for row in rows if row}
    names = {key: words for _, words, _, key in page.run("geomapper.view.palette.legend.map(([a, b, c, d]) => [a, b, c ?? '', String(d)])")}
    for key, words in names.items():
        counts = [sum(str(found[path]) == key for path in paths) for paths in (oracle.lands, oracle.own)]
        text = ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in zip(counts, ("folder", "file")) if count)
        if text or words in shown:
            same(f"the number of {words}", shown.get(words, ""), text)
    for path, wanted in found.items():
        thing = "lands" if path in oracle.lands else "own"
        page.expect(f"the class of {path}", f"String(geomapper.view.palette.classOf(geomapper.page.level.current.{thing}.find((one) =>"
                    f" (one.path ?? `{oracle.label}/${{one.name}}`) === {json.dumps(path)})))", str(wanted))


def rgb(colour: str) -> List[int]:
    """The parts of a colour."""
    return [int(colour.lstrip("#")[at:at + 2], 16) for at in (0, 2, 4)]


def between(a: List[float], b: List[float], part: float) -> List[float]:
    """A colour between two."""
    return [x + (y - x) * part for x, y in zip(a, b)]


def expect_pixels(page: Page, colours: Dict[str, List[float]]) -> None:
    """Lands have their colours, as far as a place in them is free of names and deeper lands."""
    count = 0
    for path, wanted in colours.items():
        try:
            x, y = page.spot_in(path)
        except SystemExit:
            continue
        found = page.pixel(x, y, 1)
        if max(abs(a - b) for a, b in zip(found, wanted)) > 4:
            fail(f"{path} is {found}, not {wanted}")
        count += 1
    if count < 5:
        fail(f"only {count} of {len(colours)} lands could be looked at")


def check_numbers(page: Page, oracle: Oracle, name: str) -> None:
    """Classes of numbers: bounds, counts, colours, rows and lists."""
    mode, given = classes(page)
    same("the mode", mode, f"layer.{name}")
    bounds = [float(bound) for bound in given]
    values = {path: oracle.values(path)[name] for path in oracle.lands + oracle.own}
    known = [value for value in values.values() if isinstance(value, (int, float))]
    if bounds != sorted(set(bounds)) or not 4 <= len(bounds) <= 6 or any(float(f"{bound:.3g}") != bound for bound in bounds):
        fail(f"bounds of {name}: {bounds}")
    if name == "cov":
        same("the bounds of a ratio", bounds, [0.2, 0.4, 0.6, 0.8])
    elif name == "delta":
        same("the arms about 0", [-bound for bound in bounds], bounds[::-1])
    else:
        sizes = [sum(bisect.bisect_right(bounds, value) == found for value in known) for found in range(len(bounds) + 1)]
        if min(sizes) == 0 or max(sizes) > 0.4 * len(known):
            fail(f"classes of {name}: {bounds} have {sizes}")
    found: Dict[str, Union[int, str]] = {
        path: "none" if value is None else bisect.bisect_right(bounds, float(value)) for path, value in values.items()}
    expect_counts(page, oracle, found)
    shades = page.run("geomapper.view.palette.legend.map(([colour]) => colour)")
    land = rgb(page.run("geomapper.view.palette.theme.land"))
    expect_pixels(page, {path: between(land, rgb(shades[number]), DRAWN) for path, number in found.items()
                         if path in oracle.lands and isinstance(number, int)})
    rows = page.run("[...document.querySelectorAll('#summary .largest:not(.values) .land')].map((row) => [row.dataset.path, row.querySelector('.amount').textContent])")
    for path, amount in rows:
        value = values[path]
        if value is not None:
            same(f"the row of {path}", amount.split(" · ")[0], said(value, name == "cov"))
    order = sorted((path for path in values if values[path] is not None), key=lambda path: (-float(values[path] or 0), path))
    lists = page.run("[...document.querySelectorAll('#summary .values')].map((list) => [...list.querySelectorAll('button')].map((row) => row.dataset.path))")
    same(f"the highest and the lowest {name}", lists, [order[:5], order[5:][::-1][:5]])


def check_blank(page: Page, path: str) -> None:
    """A land without a value is hatched."""
    x, y = page.spot_in(path)
    count = page.run(f"(() => {{ const data = geomapper.view.context.getImageData({x - 9}, {y - 9}, 18, 18).data; const all = new Set();"
                     " for (let i = 0; i < data.length; i += 4) all.add(data.slice(i, i + 3).join()); return all.size; })()")
    if count < 4:
        fail(f"{path} has {count} colours: it is not hatched")


def check_words(page: Page, oracle: Oracle, is_dark: bool) -> None:
    """Words: the ten with the largest share in view have colours, in that order."""
    mode, given = classes(page)
    same("the mode", mode, "layer.team")
    sums: Dict[str, float] = {}
    rooms = page.run("Object.fromEntries([...geomapper.page.level.current.lands, ...geomapper.page.level.current.own].map((one) =>"
                     f" [one.path ?? `{oracle.label}/${{one.name}}`, geomapper.page.level.amount(one)]))")
    values = {path: oracle.values(path) for path in oracle.lands + oracle.own}
    for path, value in values.items():
        if isinstance(value["team"], str):
            share = value["team_share"] if isinstance(value["team_share"], float) else 1
            sums[value["team"]] = sums.get(value["team"], 0) + rooms[path] * share
    words = sorted(sums, key=lambda word: (-sums[word], word))
    same("the words with colours", [unquote(word) for word in given], words[:10])
    if len(words) < 11:
        fail(f"there are only {len(words)} words in view")
    found: Dict[str, Union[int, str]] = {}
    colours = {}
    base = rgb(page.run("geomapper.view.palette.theme.land"))
    for path, value in values.items():
        word = value["team"]
        found[path] = "none" if word is None else words.index(str(word)) if word in words[:10] else "other"
        if word is not None and path in oracle.lands:
            number = found[path]
            colour = rgb((DARK if is_dark else LIGHT)[number] if isinstance(number, int) else OTHER[is_dark])
            strength = STRENGTH[is_dark] * (WEAKEST + (1 - WEAKEST) * float(value["team_share"] or 1))
            shade = between(base if is_dark else [255, 255, 255], colour, strength)
            colours[path] = between(base, shade, DRAWN)
    expect_counts(page, oracle, found)
    expect_pixels(page, colours)


def check_tiles(page: Page, oracle: Oracle) -> None:
    """Lands, cells and files of tiles have all values."""
    for kind, key in (("land", "path"), ("files", "path")):
        things = page.run(f"[...geomapper.view.tiles.all.values()].flatMap(({{ data }}) => (data?.{kind} ?? []).map((one) => [one.{key}, one.layers ?? null]))")
        if len(things) < 10:
            fail(f"only {len(things)} of {kind}")
        for path, layers in things:
            near(f"{kind} {path}", layers, oracle.values(path))


def check_panel(page: Page, oracle: Oracle) -> None:
    """The panel has all values of a folder and of a file, and the tooltip and the crumbs that of the layer in colours."""
    for path in (f"{oracle.label}/f01", oracle.own[1]):
        page.select(path)
        value = oracle.values(path)
        share = value["team_share"]
        team = str(value["team"]) + (f" ({said(share, True)})" if isinstance(share, float) and share < 1 else "")
        same(f"the panel of {path}", page.texts("#panel .values dd"),
             [said(value["cov"], True), said(value["n"]), said(value["delta"]), team])
        page.says("#crumbs", f"cov: {said(value['cov'], True)}")
    page.deselect()
    page.key("0")
    page.settle()
    x, y = page.spot_in(f"{oracle.label}/f03")
    page.mouse("mouseMoved", x, y)
    page.wait("!document.querySelector('#tip').hidden", "a tooltip")
    page.says("#tip", "f03/", f"cov: {said(oracle.values(f'{oracle.label}/f03')['cov'], True)}")
    page.mouse("mouseMoved", 5, 795)


def sized(page: Page, oracle: Oracle, name: str) -> None:
    """Circles, rows, shares and the branch follow sizes by files or by a layer."""
    amounts = {path: len(oracle.below(path)) if name == "files" else oracle.values(path)[name] or 0 for path in oracle.lands + oracle.own}
    page.expect("what sizes mean", "geomapper.page.level.sizes.name", name)
    page.expect(f"amounts by {name}", "Object.fromEntries([...geomapper.page.level.current.lands, ...geomapper.page.level.current.own].map((one) =>"
                f" [one.path ?? `{oracle.label}/${{one.name}}`, geomapper.page.level.amount(one)]))", amounts)
    order = sorted(oracle.lands, key=lambda path: -int(amounts[path] or 0))
    shown = page.run("[...document.querySelectorAll('#summary .largest:not(.values) .land')].map((row) => row.dataset.path)")
    same(f"rows by {name}", [amounts[path] for path in shown], [amounts[path] for path in order[:len(shown)]])
    radii = page.run("geomapper.view.symbols.all.filter(({ isLand }) => isLand).map(({ path, r }) => [path, r])")
    largest = max(radius for _, radius in radii)
    most = max(int(amounts[path] or 0) for path in oracle.lands)
    for path, radius in radii:
        wanted = largest * (int(amounts[path] or 0) / most) ** 0.5
        if abs(radius - wanted) > 0.5 and radius > 7:
            fail(f"{path} has a radius of {radius} by {name}, not {wanted}")
    page.says("#summary", f"folder: area is its {'number of files' if name == 'files' else name}")
    page.expect("the name of sizes in the link", "new URLSearchParams(location.hash.slice(1)).get('sizes')", name)
    page.key("h")
    page.wait(f"document.querySelector('#spoken').textContent.startsWith({json.dumps(order[0].split('/')[1] + ':')})", "the heaviest branch")
    page.wait("geomapper.selected", "a selection")
    page.settle()
    unit = ("file" if amounts[order[0]] == 1 else "files") if name == "files" else name
    page.says("#spoken", f"{amounts[order[0]]:,} {unit}")
    share = int(amounts[order[0]] or 0) / sum(int(amount or 0) for amount in amounts.values())
    page.says("#panel .share", f"{said(share, True)} of {oracle.label}")
    page.deselect()
    page.key("0")
    page.settle()


def check_sizes(page: Page, address: str, oracle: Oracle) -> None:
    """The control of sizes, and links with it."""
    look(page, address)
    page.press("#colours")
    same("what sizes can mean", [text.strip() for text in page.texts("#drawer fieldset:nth-of-type(2) label")], ["bytes", "files", "n"])
    for name in ("files", "n"):
        page.press(f"#drawer input[name=sizes][value={name}]")
        page.wait(f"geomapper.page.level.sizes?.name === '{name}' && geomapper.page.level.current.sizes === '{name}'"
                  f" && location.hash.includes('&sizes={name}')", f"sizes by {name}")
        page.settle()
        page.key("Escape")
        sized(page, oracle, name)
        page.press("#colours")
    page.reload()
    page.wait("geomapper.page.level.current?.sizes === 'n'", "the sizes of a link")
    page.settle()
    page.press("#colours")
    page.press("#drawer input[name=sizes][value=bytes]")
    page.wait("geomapper.page.level.sizes === null && !location.hash.includes('sizes')", "sizes by bytes")
    page.key("Escape")


def check_page(page: Page, address: str, oracle: Oracle, shots: str, is_dark: bool) -> None:
    """All that colours show."""
    page.prefer(prefers_color_scheme="dark" if is_dark else "light")
    look(page, address)
    page.press("#colours")
    same("what colours can show", [text.strip() for text in page.texts("#drawer fieldset:first-of-type label")][4:], ["cov", "n", "delta", "team"])
    for name in ("n", "delta", "team", "cov"):
        page.press(f"input[value='layer.{name}']")
        page.wait(f"geomapper.view.palette.mode === 'layer.{name}'", f"colours by {name}")
        page.key("Escape")
        page.settle()
        if name == "team":
            check_words(page, oracle, is_dark)
        else:
            check_numbers(page, oracle, name)
        page.shoot(f"{shots}-{name}.png")
        page.press("#colours")
    page.key("Escape")
    check_blank(page, f"{oracle.label}/f{FOLDERS - 1}")
    check_panel(page, oracle)
    check_tiles(page, oracle)
    # A link has the classes, which hold until the view is moved.
    look(page, address, "#1/0/0&colours=layer.n:5,50")
    page.expect("classes of a link", "geomapper.view.palette.link", "layer.n:5,50")
    page.run("geomapper.view.camera.zoomAt(640, 400, 0.01)")
    page.settle()
    page.check("classes follow the view", "geomapper.view.palette.scale.bounds.length > 2")
    look(page, address, "#colours=layer.gone&sizes=cov")
    page.expect("what no layer has", "[geomapper.view.palette.mode, geomapper.page.level.sizes]", ["kind", None])


def check_phone(browser: Browser, address: str, shots: str) -> None:
    """A small window has classes and values too."""
    page = browser.page(390, 844, True)
    look(page, address, "#colours=layer.cov")
    page.says("#summary", "cov: ")
    page.check_edges("#summary *")
    page.shoot(f"{shots}-phone.png")
    page.leave()


def check_answers(page: Page, server: Served, oracle: Oracle, folder: str) -> None:
    """Answers of the server, and what changes in a live folder."""
    look(page, server.address, "#colours=layer.n")
    description = json.loads(server.get("/tilejson.json").body)
    for layer in description["vector_layers"]:
        fields = {name: layer["fields"].get(name) for name in ("cov", "cov_count", "n", "delta", "team", "team_share")}
        kinds = ["Number"] * 4 + ["String", "Number"] if layer["id"] in ("land", "cells", "files") else [None] * 6
        same(f"fields of {layer['id']}", list(fields.values()), kinds)
    summary = json.loads(server.get("/summary").body)
    near("the summary", summary["layers"], oracle.values(oracle.label))
    for land in summary["lands"]:
        near(land["path"], land.get("layers"), oracle.values(land["path"]))
    for file in summary["largest"]:
        near(file["path"], file.get("layers"), oracle.values(file["path"]))
    more = int(summary["layers"]["n"]) + 100_000
    Path(folder, "f02", "later.c").write_bytes(b"y" * 100)
    page.wait(f"geomapper.page.level.current.layers.n === {more}", "the value of a new file in the sums", 40)
    page.settle()
    land = f"[...geomapper.view.tiles.all.values()].flatMap(({{ data }}) => data?.land ?? []).find(({{ path }}) => path === '{oracle.label}/f02').layers.n"
    page.wait(f"{land} > 100000", "the value of a new file in a tile")
    same("the summary with a new file", json.loads(server.get("/summary").body)["layers"]["n"], more)


def check_first_sizes(browser: Browser, binary: str, folder: str, table: Path, oracle: Oracle, site: Path) -> None:
    """`--measure` is what sizes mean at first, and a link can say bytes."""
    with serving(binary, "-q", "--layer", f"n={table}#n", "--measure", "n", folder) as server, hosting(site) as host:
        page = browser.page()
        for address in (server.address, host.address):
            look(page, address)
            page.wait("geomapper.page.level.current.sizes === 'n'", "sizes by the option")
            page.settle()
            sized(page, oracle, "n")
            look(page, address, "#0/0/0&sizes=bytes")
            page.expect("sizes by bytes", "geomapper.page.level.sizes", None)
        page.leave()


def main() -> None:
    """Checks pages of one tree."""
    with driving(__doc__) as (binary, pictures, browser, at):
        folder, table, site = os.path.join(at, "work"), Path(at) / "values.csv", Path(at) / "site"
        files = plant(folder, random.Random(46))
        write_table(table, files)
        oracle = Oracle("work", files)
        layers = [word for option in OPTIONS for word in ("--layer", option.format(table))]
        run(binary, "publish", "-q", *layers, "--measure", "n", "-o", site, folder)
        description = json.loads((site / "tilejson.json").read_text("utf-8"))
        same("layers of the site", [one["name"] for one in json.loads(description["geomapper:layers"])] if isinstance(description["geomapper:layers"], str)
             else [one["name"] for one in description["geomapper:layers"]], ["cov", "n", "delta", "team"])
        check_first_sizes(browser, binary, folder, table, oracle, site)
        run(binary, "publish", "-q", *layers, "-o", site, folder)
        with hosting(site) as host:
            page = browser.page()
            check_page(page, host.address, oracle, f"{pictures}/layers-site", True)
            check_sizes(page, host.address, oracle)
            page.leave()
        with serving(binary, "--port", "0", *layers, folder, stderr=subprocess.PIPE) as server:
            page = browser.page()
            for is_dark in (False, True):
                check_page(page, server.address, oracle, f"{pictures}/layers-{'dark' if is_dark else 'light'}", is_dark)
            check_sizes(page, server.address, oracle)
            # A note says which rows have no file, once all is counted.
            assert server.process.stderr
            same("the note about rows", server.process.stderr.readline().decode(),
                 "geomapper: 4 rows of layers without a file or folder on the map: 'work/f02/later.c'\n")
            check_answers(page, server, oracle, folder)
            page.leave()
            check_phone(browser, server.address, f"{pictures}/layers")
    print("the page shows values of the user's own as a table has them, served and published")


if __name__ == "__main__":
    main()
