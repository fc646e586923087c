#!/usr/bin/env python3
"""Measures what it costs a server that files in a tree change: touches.py GEOMAPPER DIR [COUNT].

A page looks at all of DIR with totals; then a file at its root is changed each second, and at the end 100,000 changes
come at once. It prints processor time of the server for each change and tiles that the page fetched. DIR gets a file
and a folder that are gone afterwards.
"""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "Tests", "Outside"))
# pylint: disable=wrong-import-position
from browser import Page, browsing, find_browser  # noqa: E402

STORM = 100_000
ASKED = "geomapper.view.tiles.counts.asked"


def used(process: int) -> float:
    """Processor time of a process so far, in milliseconds."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def append(path: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write("more")


def measure(page: Page, process: int, folder: str, count: int) -> None:
    name = os.path.join(folder, "touched")
    append(name)
    time.sleep(3)
    page.settle()
    time.sleep(5)
    start, fetched = used(process), page.run(ASKED)
    time.sleep(count)
    idle, idle_fetched = used(process) - start, page.run(ASKED) - fetched
    start, fetched = used(process), page.run(ASKED)
    for _ in range(count):
        append(name)
        time.sleep(1)
    cost, asked = used(process) - start - idle, page.run(ASKED) - fetched - idle_fetched
    shown = page.run("geomapper.view.tiles.visible(geomapper.view.camera).length")
    print(f"a change a second, {count} times: {cost / count:.2f} ms each, {asked / count:.2f} tiles fetched of "
          f"{shown} in view; without changes {idle / count:.2f} ms a second")
    os.unlink(name)
    storm = os.path.join(folder, "storm")
    os.mkdir(storm)
    time.sleep(5)
    start, fetched, begun = used(process), page.run(ASKED), time.monotonic()
    for number in range(STORM // 2):
        path = os.path.join(folder if number % 2 else storm, f"storm{number}")
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        os.unlink(path)
    seconds = time.monotonic() - begun
    time.sleep(20)
    print(f"{STORM:,} changes in {seconds:.1f} s: {used(process) - start:.0f} ms in all, "
          f"{page.run(ASKED) - fetched} tiles fetched")
    os.rmdir(storm)


def main() -> None:
    binary, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    program = find_browser()
    if not program:
        sys.exit("touches.py: needs a Chromium")
    with browsing(program) as browser, subprocess.Popen(
            [binary, "serve", "--port", "0", folder], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        address = server.stdout.readline().strip()
        page = browser.page()
        page.resize(1280, 800)
        page.open(address)
        page.settle()
        page.wait("geomapper.totals.read !== undefined", "totals", 300)
        page.settle()
        measure(page, server.pid, folder, count)
        server.terminate()


if __name__ == "__main__":
    main()
