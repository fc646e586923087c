"""Publishes a site, serves it with a plain static server that supports ranges, and drives it in a browser.

    check_publish.py GEOMAPPER [--pictures FOLDER]

The site is at a path of its host. The page's nodes, search results and texts are compared with the tree. No request
leaves the site, and the first picture is small. Summaries are those of a server, and of a page in one file. A second
run changes no file, and a change in the tree changes few. Redacted names are in no file, compressed or not.
SiteFolderTests checks which files a run removes.
"""

import contextlib
import gzip
import json
import os
import re
import shutil
import struct
import subprocess
import time
import zlib
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from browser import SELECTED, Browser, Page, driving
from check_page_time import shown_at
from hosted import Host, hosting
from outside import Repository, fail, features, put, run, same
from served import serving

FIRST = 480_000  # uncompressed bytes allowed up to the first picture


def plant(root: Path) -> None:
    """A tree with various entries, large enough for several parts."""
    put(str(root), {
        **{f"meadow/flower-{number:02}.txt": number * 100 for number in range(40)},
        **{f"wood/tree{number:03}/twig.txt": "twig" for number in range(400)},
        "forest/oak/leaf/needle.c": "needle.c", "forest/oak/leaf/größe <b>.txt": "odd",
        os.fsdecode(b"meadow/no \xff text"): "raw"})
    (root / "empty").mkdir()


def publish(binary: str, *arguments: object) -> None:
    """Runs the tool without messages."""
    run(binary, "publish", "-q", *arguments)


def state(folder: Path) -> Dict[str, Tuple[int, int]]:
    """All files of a folder, with inode and time."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_ino, path.stat().st_mtime_ns)
            for path in found}


def check_folder(binary: str, scratch: Path, tree: Path) -> None:
    """The changes of the folder from run to run."""
    site = scratch / "site"
    publish(binary, "-o", site, tree)
    first = state(site)
    publish(binary, "-o", site, tree)
    if state(site) != first:
        fail("a second run changes the site")
    (tree / "meadow/new.txt").write_text("new")
    publish(binary, "-o", site, tree)
    second = state(site)
    touched = {name for name in second if second[name] != first.get(name)}
    gone = first.keys() - second.keys()
    scripts = {name for name in touched if name.startswith("assets/")}
    kinds = {"world" if name.startswith("world-") else name.split("/")[0] for name in touched}
    if scripts or not {"world.json", "world", "folders", "names"} <= kinds:
        fail(f"a change in one folder touches {sorted(touched)}")
    # A part of each kind, and the lists of parts.
    if len([name for name in touched if "/" in name]) > 6 or gone:
        fail(f"a change in one folder touches {sorted(touched)}, and removes {sorted(gone)}")
    if any(name in first for name in touched if name.endswith((".gz", ".pmtiles"))):
        fail("what a page reads that is open has changed")
    (tree / "meadow/new.txt").unlink()
    for _ in range(2):  # the second run removes files unused since before the first
        publish(binary, "-o", site, tree)
    same("the world that others read", json.loads((site / "world.json").read_text()), world_of(site))
    world = world_of(site)
    named = {part["folders"] for part in parts_of(site)} | {*files_of_names(site), world["parts"], world["names"]}
    same("folders and names", {name for name in state(site) if name.startswith(("folders/", "names/"))}, named)
    same("the number of files of the same tree", len(state(site)), len(first))

    # A site in the published tree doesn't contain itself either.
    for options in ([], ["--redact", "**/needle*", "--redact-key", scratch / "own.key"], ["-L"]):
        own = tree / "wood/site"
        for _ in range(3):  # the first changes the time of `wood`, and the third removes what the second replaced
            publish(binary, "-o", f"{own}/", *options, tree)
        publish(binary, "-o", scratch / "beside", *options, "--exclude", "wood/site", tree)
        before = state(own)
        publish(binary, "-o", own, *options, tree)
        if state(own) != before:
            fail(f"a site in its own tree changes with {options}")
        if b'"tree/wood/site' in names_of(own) or names_of(own) != names_of(scratch / "beside"):
            fail(f"a site shows itself with {options}")
        shutil.rmtree(own)


def check_whole(site: Path) -> None:
    """All files that the page requests exist and are complete."""
    page = (site / "index.html").read_text()
    world = world_of(site)
    for name in re.findall('(?:href|src)="(assets/[^"]*)"', page):
        if not (site / name).stat().st_size:
            fail(f"{name} is empty")
    data = (site / world["archive"]).read_bytes()
    if len(data) != sum(struct.unpack("<QQ", data[56:72])):
        fail(f"{world['archive']} is not whole")
    packed = [world[kind] for kind in ("parts", "search", "names")]
    packed += [part["folders"] for part in parts_of(site)] + files_of_names(site)
    packed += [file for _, file in list_of(site, "search")]
    for name in packed:
        gzip.decompress((site / name).read_bytes())


def check_summaries(binary: str, scratch: Path, tree: Path) -> None:
    """Server, site and page in one file give the same summaries: of a disk, and of a list without room on disk."""
    script = Path(__file__).with_name("page_summaries.mjs")
    listed = scratch / "tree.find"
    listed.write_bytes(run("find", tree.name, "-printf", r"%s %T@ %y %p\0", cwd=tree.parent))
    for words, has_page in (([tree], False), (["--files-from", listed, "--list-format", "find", "--null", tree.name], True)):
        site, page = scratch / f"summed-{has_page}", scratch / "summed.html"
        publish(binary, *words, "-o", site)
        run(binary, "map", "-q", "--totals", "-o", page, *words)
        with serving(binary, "--port", "0", *(str(word) for word in words)) as served:
            if served.get("/totals").status != 200:
                fail("the server counts no totals")
            run("node", script, served.address, site, page if has_page else "-", tree.name,
                *(f"{tree.name}/{path}" for path in ("meadow", "forest", "forest/oak/leaf", "empty", "wood", "wood/tree007")))


def check_endings(binary: str, scratch: Path, tree: Path) -> None:
    """A run that is ended at any moment leaves the old site or the new one, and no permanent garbage."""
    if not shutil.which("strace"):
        print("endings skipped: no strace here")
        return
    publish(binary, "-o", scratch / "before", tree)
    (tree / "meadow/new.txt").write_text("new")
    publish(binary, "-o", scratch / "after", tree)
    ended = 0
    for is_new, step in ((False, 3), (True, 16)):
        # Each pair begins at another moment, so that together they end a run at most of its calls.
        for first, (call, signal) in enumerate((("renameat", "KILL"), ("renameat", "TERM"), ("write", "KILL")), 1):
            for moment in range(first, 1000, step):
                site = scratch / "ended"
                shutil.rmtree(site, ignore_errors=True)
                if not is_new:
                    shutil.copytree(scratch / "before", site)
                ran = subprocess.run(
                    ["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                     f"inject={call}:signal={signal}:when={moment}", binary, "publish", "-q", "-o", site, tree],
                    stderr=subprocess.DEVNULL, check=False, timeout=60)
                if ran.returncode == 0:
                    break
                ended += 1
                if not is_new or (site / "index.html").exists():
                    check_whole(site)
                left = [path.name for path in site.glob("**/*.tmp")]
                if left and signal == "TERM" or len(left) > 1:
                    fail(f"{signal} at {call} {moment} leaves {left}")
                publish(binary, "-o", site, tree)
                check_whole(site)
                if list(site.glob("**/*.tmp")):
                    fail(f"what {signal} at {call} {moment} leaves stays")
                if (site / "index.html").read_bytes() != (scratch / "after/index.html").read_bytes():
                    fail(f"after {signal} at {call} {moment} another site is written")
    (tree / "meadow/new.txt").unlink()
    if ended < 20:
        fail(f"only {ended} runs were ended")


def check_page(page: Page, host: Host, tree: Path, shot: str) -> None:
    """The page itself."""
    start = time.monotonic()
    page.show(host.address)
    seconds = time.monotonic() - start
    weight = sum(length for _, length in host.asked)
    page.settle()
    page.shoot(shot)
    print(f"first picture after {seconds:.2f} s, {weight} bytes, {len(host.asked)} requests")
    if weight > FIRST:
        fail(f"the first picture takes {weight} bytes: {host.asked}")

    root = tree.name
    for path, words in ((f"{root}/forest/oak/leaf/needle.c", ["needle.c", "8 bytes"]),
                        (f"{root}/meadow", ["41\nfiles in all"]), (f"{root}/wood/tree399/twig.txt", ["4 bytes"])):
        page.select(path)
        page.says("#panel", *words)
    # The target is on the map: the file itself, from an archive that lacks most tiles.
    seen = page.run(
        "[...geomapper.view.tiles.all.values()].flatMap((e) => e.data?.files ?? [])"
        ".some((f) => f.path?.endsWith('tree399/twig.txt'))")
    if not seen:
        fail("the tiles do not show the file")
    for text, name in (("needl", "needle.c"), ("größe", "größe <b>.txt"), ("tree17", "tree17"), ("no ", "no ")):
        page.key("Escape")
        page.search(text)
        page.wait("/found/.test(document.getElementById('found').textContent)", f"an end of {text}")
        found = page.texts("#results li")
        if not any(name in line for line in found):
            fail(f"{text!r} finds {found}")
        page.key("Enter")
        page.wait(f"{SELECTED}?.includes({name!r})", f"the result {name!r}")
        page.settle()


def check_first_tiles(browser: Browser, host: Host) -> None:
    """One range has the tiles of the first picture, in windows of all shapes, even for an address without a slash; another
    part has the sizes."""
    before = ("performance.getEntriesByType('resource').filter((e) => e.startTime < geomapper.view.pictureAt)"
              ".map((e) => new URL(e.name).pathname)")
    for width, height in ((1280, 800), (1366, 630), (1920, 1080), (700, 560), (390, 844), (844, 390), (320, 480)):
        page = browser.page(width, height)
        page.open(host.address.rstrip("/"))
        page.wait("globalThis.geomapper?.view.hasPicture", f"a picture of {width} by {height}")
        asked = sorted(path.removeprefix(host.prefix).split("-")[0] for path in page.run(before))
        if [path for path in asked if not path.startswith("folders/")] != ["assets/page", "assets/style", "world"]:
            fail(f"{width} by {height} pixels ask for {asked} first")
        # After a while the address contains the view; a nearer view needs other tiles.
        for place, is_first in ((page.run("location.hash"), True), ("#5/10.5/20.5", False)):
            page.open(host.address + place)
            page.settle()
            if (page.run("globalThis.begun?.length") is not None) != is_first:
                fail(f"at {place} the first tiles are {'not' if is_first else ''} asked for")
        page.call("Page.close")


def check_disk(browser: Browser, site: Path) -> None:
    """Opened from disk, where browsers don't run it, the page shows what to do."""
    page = browser.page()
    page.open((site / "index.html").as_uri())
    page.wait("document.getElementById('unserved')", "a word about a page that nobody serves")
    left, top, right, bottom = page.box("#unserved")
    page.says("body", "web server")
    if min(left, top) < 0 or right - left < 300 or bottom - top < 15:
        fail(f"from a disk the text is at {left}, {top}, {right}, {bottom}")
    page.call("Page.close")
    # The browser reports the scripts that it didn't run.
    browser.problems.clear()


def check_history(browser: Browser, binary: str, scratch: Path) -> None:
    """The page of a site plays a history, with the contents of each commit."""
    tree, site = scratch / "told", scratch / "played"
    made, sizes = Repository(str(tree)), ({"a.txt": 3}, {"land/b.txt": 6}, {"a.txt": None}, {"c.txt": 16})
    for number, files in enumerate(sizes):
        made.commit(1_700_000_000 + number * 86400, f"commit {number}", files)
    publish(binary, "--history", "--git", tree, "-o", site)
    first = state(site)
    publish(binary, "--history", "--git", tree, "-o", site)
    same("the site of a history after a second run", state(site), first)
    with hosting(site) as host:
        page = browser.page()
        page.open(host.address)
        page.wait("globalThis.geomapper?.time?.bar", "the bar of the history")
        page.settle()
        known: Dict[str, int] = {}
        for number, files in enumerate(sizes):
            known = {name: size for name, size in {**known, **files}.items() if size}
            same(f"the page's files of commit {number}", shown_at(page, number), known)
        page.select("told/a.txt")
        check_others(page, host)
        page.call("Page.close")


def check_search(site: Path) -> None:
    """The search index has every name once, in order."""
    def part(name: str) -> List[str]:
        return gzip.decompress((site / name).read_bytes()).decode().splitlines()

    world = json.loads((site / "world.json").read_text())
    directory = json.loads(part(world["search"])[0])
    keys, paths = [], []
    for first, file in directory:
        lines = [json.loads(line) for line in part(file)]
        names = [name for name, *_ in lines]
        keys += [name.lower().encode()[:16] for name in names]
        if names[0].lower().encode()[:16].hex() != first and "\ufffd" not in names[0]:
            fail(f"{file} does not begin with {first}")
        for name, *folders in lines:
            paths += [folder["rawPath"] if isinstance(folder, dict) else f"{folder}/{name}".strip("/")
                      for folder in folders]
    if keys != sorted(keys):
        fail("the index for searches is in no order")
    wanted = []
    for line in names_of(site).splitlines():
        folder = json.loads(line)
        wanted.append(folder["path"])
        for file in folder["files"]:
            wanted.append(f"{folder['path']}/{file}" if isinstance(file, str) else
                          f"{folder['path']}/{file['rawName']}")
    if sorted(paths) != sorted(wanted):
        fail(f"the index has {len(paths)} names, the site {len(wanted)}: {set(paths) ^ set(wanted)}")


def check_update(page: Page, binary: str, site: Path, tree: Path) -> None:
    """An open page can finish reading its version of the site; when files are gone, it says so."""
    for number, wanted in ((1, "1 found"), (2, "published anew")):
        (tree / "meadow" / f"late{number}.txt").write_text("late")
        publish(binary, "-o", site, tree)
        page.search("needl")
        page.wait(f"document.getElementById('found').textContent.includes({wanted!r})", wanted)
        page.key("Escape")


def check_others(page: Page, host: Host) -> None:
    """Every request went to the site, and succeeded."""
    missing = [name for name, length in host.asked if length == 0]
    if missing:
        fail(f"asked for what isn't there: {missing}")
    asked = {
        event["params"]["request"]["url"] for event in page.browser.events
        if event.get("method") == "Network.requestWillBeSent" and event.get("sessionId") == page.session}
    foreign = [url for url in asked if not url.startswith((host.address, "data:", "blob:", "about:"))]
    if foreign:
        fail(f"requests leave the site: {foreign}")


def names_of(site: Path) -> bytes:
    """All names of a site, across its parts."""
    return b"".join(gzip.decompress((site / file).read_bytes()) for file in files_of_names(site))


def files_of_names(site: Path) -> List[str]:
    """The files with all names of a site, without their bounds."""
    return [file for file, *_ in list_of(site, "names")]


def world_of(site: Path) -> Dict[str, Any]:
    """The parsed data of the page's first request."""
    found = re.search('id="world">(.*)', (site / "index.html").read_text())
    return json.loads(found[1]) if found else fail(f"no world in {site}")


def list_of(site: Path, kind: str) -> List[Any]:
    """A list of the site, by its kind."""
    return json.loads(gzip.decompress((site / world_of(site)[kind]).read_bytes()))


def parts_of(site: Path) -> List[Dict[str, str]]:
    """The parts of the folder list, each with its first folder."""
    return list_of(site, "parts")


def archive_of(site: Path) -> Path:
    """The archive of tiles, whose name depends on its contents."""
    return site / json.loads((site / "world.json").read_text())["archive"]


def check_documents(binary: str, scratch: Path, tree: Path) -> None:
    """Style, TileJSON and meta tags; also for a list and a snapshot."""
    site = scratch / "placed"
    publish(binary, "-o", site, "--base-url", "https://example.org/a&b", "--max-zoom", "5", tree)
    style, tiles, world, labelled = (json.loads((site / name).read_text()) for name in (
        "style.json", "tilejson.json", "world.json", "style-labels.json"))
    wanted = [f"pmtiles://https://example.org/a&b/{archive_of(site).name}/{{z}}/{{x}}/{{y}}"]
    sources = style["sources"].values()
    same("addresses of tiles", [one["tiles"] for one in (*sources, tiles)], [wanted] * (len(sources) + 1))
    # Complete tiles are drawn at all zooms, and deeper tiles above them.
    complete = world["complete"]
    same("zooms", [(one["minzoom"], one["maxzoom"]) for one in sources],
         [(0, complete), (complete + 1, 5)] if complete < 5 else [(0, 5)])
    same("the tiles", (tiles["maxzoom"], tiles["name"]), (5, "tree"))
    same("sources of the style with names", labelled["sources"], style["sources"])
    if "symbol" not in {one["type"] for one in labelled["layers"]}:
        fail("a style without names")
    picture = (site / "share.png").read_bytes() if (site / "share.png").exists() else None
    if picture is None and any(shutil.which(name) for name in ("rsvg-convert", "chromium")):
        fail("no picture")
    inside = list(tree.rglob("*"))
    folders = 1 + sum(path.is_dir() for path in inside)
    size = sum(path.stat().st_size for path in inside if path.is_file())
    text = f"A map of tree: {len(inside) + 1 - folders:,} files in {folders:,} folders, {size / 1000:.1f} kB. "
    tags = [f'name="description" content="{text}', f'property="og:description" content="{text}',
            'property="og:title" content="tree"', 'name="twitter:card" content="summary']
    if picture is not None:
        width, height = struct.unpack(">II", picture[16:24])
        if not picture.startswith(b"\x89PNG") or not (1100 < width < 1300 and 600 < height < 700):
            fail(f"a picture of {width} by {height}")
        tags += ['property="og:image" content="https://example.org/a&amp;b/share.png">',
                 f'property="og:image:width" content="{width}">']
    page = (site / "index.html").read_text()
    for tag in tags:
        if f"<meta {tag}" not in page:
            fail(f"no {tag} in {page[:2000]}")
    for count, title in ((2, "a and b"), (3, "a, b and c"), (5, "a, b and 3 more")):
        roots = [f"{label}={tree / 'meadow'}" for label in "abcde"[:count]]
        publish(binary, "-o", scratch / "roots", "--max-zoom", "1", *roots)
        if f"<title>{title} · geomapper</title>" not in (scratch / "roots/index.html").read_text():
            fail(f"{count} roots are not called {title}")
    snapshot = scratch / "tree.geosnap"
    run(binary, "snapshot", "-q", "-o", snapshot, tree)
    (scratch / "list").write_bytes(run("find", tree, "-printf", "%s %T@ %y %p\\0"))
    plain = scratch / "plain"
    publish(binary, "-o", plain, tree)
    for name, source in (("kept", [snapshot]), (
            "listed", ["--files-from", scratch / "list", "--list-format", "find", tree])):
        publish(binary, "-o", scratch / name, *source)
        styles = [(site / "style.json").read_bytes() for site in (scratch / name, plain)]
        pages = [(site / "index.html").read_text() for site in (scratch / name, plain)]
        if name == "listed":
            # This list doesn't know the room on disk, so its tiles differ, and lacks some facts about a folder.
            styles = [re.sub(rb"world-[0-9a-f]{16}", b"world", style) for style in styles]
            pages = [re.sub('.*id="world".*', "", page) for page in pages]
        same(f"{name}: the style", *styles)
        same(f"{name}: the page", *pages)
        if names_of(scratch / name) != names_of(plain):
            fail(f"{name}: other names")
    one, other = archive_of(scratch / "kept"), archive_of(plain)
    if one.name != other.name or one.read_bytes() != other.read_bytes():
        fail("other tiles of a snapshot")


def unpacked(data: bytes) -> Iterator[bytes]:
    """A file's bytes, and everything in it that is compressed by gzip."""
    yield data
    start = data.find(b"\x1f\x8b\x08\x00")
    while start >= 0:
        with contextlib.suppress(zlib.error):
            yield zlib.decompressobj(31).decompress(data[start:])
        start = data.find(b"\x1f\x8b\x08\x00", start + 1)


def varint(number: int) -> bytes:
    """A number as encoded in tiles."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def check_redaction(binary: str, scratch: Path, tree: Path) -> None:
    """No file of a site or an archive contains a hidden name, its id or its place."""
    options = ["--redact", "meadow/**", "--redact", "**/needle*", "--redact", "**/tree1*", "--redact-key"]
    names, traces = (b"flower-", b"needle", b"tree17"), []
    for feature in features(binary, str(tree)):
        if any(name.decode() in feature["properties"]["path"] for name in names):
            traces += [str(feature["id"]).encode(), varint(feature["id"])]
            if feature["properties"]["kind"] == "poi":
                traces.append(b",".join(b"%.9g" % degree for degree in feature["geometry"]["coordinates"]))
    if len(traces) < 100:
        fail(f"only {len(traces)} traces to look for")
    sites = {}
    for name, key in (("one", "key"), ("same", "key"), ("other", "other.key")):
        publish(binary, "-o", scratch / name, *options, scratch / key, tree)
        sites[name] = {
            path.relative_to(scratch / name): path.read_bytes()
            for path in (scratch / name).rglob("*") if path.is_file()}
    if sites["one"] != sites["same"]:
        fail("the same key gives another site")
    if sites["one"].keys() == sites["other"].keys():
        fail("another key gives the same site")
    if (scratch / "key").stat().st_mode & 0o777 != 0o600:
        fail("others can read the key")
    key = (scratch / "key").read_bytes().strip()
    archive = run(binary, "map", "-q", "--format", "pmtiles", *options, scratch / "key", tree)
    files = {**sites["one"], Path("archive"): archive}
    texts = {file: list(unpacked(data)) for file, data in files.items()}
    for file, parts in texts.items():
        for part in parts:
            # The page's scripts may contain words that are also names in the tree.
            wanted = [key] if file.parts[0] == "assets" else [*names, *traces, key]
            for trace in wanted:
                if trace in part:
                    fail(f"{file} tells {trace!r}")
    whole = b"".join(part for parts in texts.values() for part in parts)
    for trace in (b"forest", b"leaf", b"tree099", b"meadow", b"~"):
        if trace not in whole:
            fail(f"nothing tells {trace!r}")


def main() -> None:
    """Checks a small site."""
    with driving(__doc__) as (binary, pictures, browser, at):
        scratch = Path(at)
        tree = scratch / "tree"
        plant(tree)
        check_folder(binary, scratch, tree)
        check_endings(binary, scratch, tree)
        check_documents(binary, scratch, tree)
        check_search(scratch / "site")
        check_summaries(binary, scratch, tree)
        check_redaction(binary, scratch, tree)
        with hosting(scratch / "site") as host:
            page = browser.page()
            check_page(page, host, tree, os.path.join(pictures, "published.png"))
            check_others(page, host)
            check_first_tiles(browser, host)
            check_history(browser, binary, scratch)
            browser.check()
            check_disk(browser, scratch / "site")
            check_update(page, binary, scratch / "site", tree)
            browser.problems.clear()  # files of an old version are missing
        print(f"a site of {len(state(scratch / 'site'))} files, changed only where the tree is, in a browser")


if __name__ == "__main__":
    main()
