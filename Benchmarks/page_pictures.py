#!/usr/bin/env python3
"""Takes the pictures of the page for the documentation, with a headless Chromium.

    Benchmarks/page_pictures.py GEOMAPPER DIR PATH [--pictures FOLDER]
    Benchmarks/page_pictures.py GEOMAPPER OLD NEW --git REPOSITORY [--pictures FOLDER]
    Benchmarks/page_pictures.py GEOMAPPER DIR --layers OPTIONS [--pictures FOLDER]

DIR is the folder to map, PATH a folder in it to fly to, beginning with its label. With --git the pictures show the
changes between two revisions of a repository, and its history. With --layers there is one for each layer of such
options of serve as '--layer cov.info --gitignore'. They go to Benchmarks/pictures by default.
"""

import os
import sys
import time
from typing import List

from harness import HERE

from browser import Page, browsing, find_browser
from outside import fail, given, skip
from served import serving

MOST = 500_000  # bytes of a picture: hills and trees don't compress well


def shoot(page: Page, folder: str, name: str) -> None:
    """Writes one picture when it is complete and nothing moves."""
    page.settle()
    time.sleep(0.6)
    path = os.path.join(folder, f"page-{name}.png")
    page.shoot(path)
    size = os.path.getsize(path)
    if size > MOST:
        fail(f"{path} has {size} bytes")
    print(f"{path}: {size} bytes")


def shoot_times(binary: str, program: str, git: List[str], pictures: str) -> None:
    """Takes pictures of the changes between two revisions, in dark colours, and of the history up to the newer one."""
    repository, old, new = git
    with browsing(program) as browser, serving(
            binary, "--git", repository, "--since", old, new) as server:
        page = browser.page()
        page.prefer(prefers_color_scheme="dark")
        page.resize(1280, 800)
        page.open(server.address)
        page.wait("globalThis.geomapperChanges?.list?.shown?.length", "the list of changes", 120)
        shoot(page, pictures, "changes")
    with browsing(program) as browser, serving(
            binary, "--history", "--git", repository, new) as server:
        page = browser.page(1280, 800)
        page.open(server.address)
        page.wait("globalThis.geomapper?.time?.timeline", "a time line", 120)
        page.run("(({ bar, timeline }) => bar.go(timeline.start + 0.62 * (timeline.end - timeline.start)))"
                 "(geomapper.time)")
        shoot(page, pictures, "history")


def shoot_layers(binary: str, program: str, directory: str, layers: List[str], pictures: str) -> None:
    """Takes pictures of a folder coloured by each layer, and sized by those that add up."""
    with browsing(program) as browser, serving(binary, *layers, directory) as server:
        page = browser.page(1280, 800)
        page.open(server.address)
        page.wait("globalThis.geomapper?.totals.read", "totals", 120)
        for layer in page.run("geomapper.page.source.ownLayers"):
            chosen = ["mode", f"layer.{layer['name']}"], ["sizes", layer["name"] if layer["how"] == "sum" else "bytes"]
            page.run("document.getElementById('colours').click();" + "".join(
                f" document.querySelector('input[name={name}][value=\"{value}\"]').click();" for name, value in chosen)
                + " document.getElementById('colours').click()")
            shoot(page, pictures, layer["name"].replace("_", "-"))


def main() -> None:
    options = given(__doc__, "binary", "directory+", git="", layers="", pictures=os.path.join(HERE, "pictures"))
    program = find_browser()
    if not program:
        skip("no Chromium here")
    if options.layers:
        return shoot_layers(options.binary, program, options.directory[0], options.layers.split(), options.pictures)
    if len(options.directory) != 2:
        sys.exit("give DIR and PATH, or OLD and NEW with --git")
    if options.git:
        return shoot_times(options.binary, program, [options.git, *options.directory], options.pictures)
    directory, path = options.directory
    with browsing(program) as browser, serving(options.binary, directory) as server:
        page = browser.page(1280, 800)
        page.open(server.address)
        page.wait("globalThis.geomapper?.totals.read", "totals", 120)
        shoot(page, options.pictures, "countries")
        page.run(f"geomapper.open({path!r}, true)")
        page.wait("geomapper.selected", "a folder")
        shoot(page, options.pictures, "files")
        page.run("document.getElementById('colours').click();"
                 " document.querySelector('input[value=size]').click()")
        shoot(page, options.pictures, "size")
        page.run("document.querySelector('input[value=kind]').click();"
                 " document.getElementById('colours').click()")
        page.prefer(prefers_color_scheme="dark")
        shoot(page, options.pictures, "dark")
        page.prefer(prefers_color_scheme="light")
        page.resize(390, 844, touch=True)
        page.run("geomapper.open(geomapper.selected.feature.properties.path, true)")
        shoot(page, options.pictures, "phone")


if __name__ == "__main__":
    main()
