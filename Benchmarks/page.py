#!/usr/bin/env python3
"""Measures the page of `geomapper serve` in Chromium, without a graphics card.

    page.py BINARY [LABEL=]DIR... [--rounds N] [--only first|frames]

The browser is running, its cache is empty, and the listings are in the system's cache:

* the first picture, from the navigation (`performance.timeOrigin`) to the frame after all tiles of the
  view were drawn in their final form, N times, each time on a server that has just started;
  and the server's share of that time (from the request of the page to the last answer of a tile);
* the time from then to the totals of all folders in that picture;
* the times between frames during a pan, and during a zoom by the wheel, over the middle of the land;
* memory of the server, and the bytes of the page that load before tiles.
"""

import argparse
import statistics
import sys
import time
from typing import Any, Dict

from harness import memory, summary

# pylint: disable=wrong-import-order
from browser import Browser, Page, browsing, find_browser
from outside import skip
from served import serving

# Records when the page is complete: in the frame after its last tile was drawn.
WATCH = """
globalThis.measured = {};
const look = (frameAt) => {
  const view = globalThis.geomapper?.view;
  const now = performance.now();
  if (view?.pictureAt < frameAt) measured.first ??= now;
  if (view?.isComplete && measured.wasComplete) measured.names ??= now;
  measured.wasComplete = Boolean(view?.isComplete);
  if (measured.first) measured.lands ??= view.landsInView().length;
  if (globalThis.geomapper?.totals.read && view.isDrawn && view.landsInView().some(({ files }) => files > 0))
    measured.totals ??= now;
  if (!measured.names || !measured.totals) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""

REQUESTS = """
performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource")).map((e) => (
  { name: e.name.replace(location.origin, ""), start: e.startTime, asked: e.requestStart, came: e.responseEnd, bytes: e.encodedBodySize }))
"""

GAPS = """
(() => { const gaps = globalThis.gaps = []; let last = performance.now();
  const next = (now) => { gaps.push(now - last); last = now; if (globalThis.gaps === gaps) requestAnimationFrame(next); };
  requestAnimationFrame(next); })()
"""


def first_picture(browser: Browser, address: str) -> Dict[str, Any]:
    """Visits the page in a new tab; times are milliseconds since the navigation."""
    page = browser.page()
    page.call("Network.setCacheDisabled", cacheDisabled=True)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    page.call("Page.navigate", url=address)
    time.sleep(1)
    page.wait("measured.first", "a first picture")
    page.wait("measured.totals", "totals", 120)
    found = page.run("measured")
    found["requests"] = page.run(REQUESTS)
    found["page"] = page
    return found


def frames(page: Page, act: Any) -> str:
    """The times between frames during an action, as text."""
    page.run(GAPS)
    act()
    return summary(page.run("(() => { const { gaps } = globalThis; globalThis.gaps = null; return gaps; })()"), 0)


def drag(page: Page) -> None:
    """Pans for two seconds."""
    page.mouse("mousePressed", 900, 500, button="left", clickCount=1)
    for step in range(120):
        page.mouse("mouseMoved", 900 - step * 4, 500 - step, button="left", buttons=1)
        time.sleep(0.016)
    page.mouse("mouseReleased", 424, 381, button="left", clickCount=1)


def wheel(page: Page, by: int) -> None:
    """Zooms for two seconds."""
    for _ in range(60):
        page.mouse("mouseWheel", 640, 400, deltaX=0, deltaY=by)
        time.sleep(0.033)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("folder", nargs="+", help="[LABEL=]DIR")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", choices=["first", "frames"])
    options = parser.parse_args()
    program = find_browser()
    if not program:
        skip("no Chromium here")
    rounds = []
    with browsing(program) as browser:
        for number in range(options.rounds + 1):
            with serving(options.binary, *options.folder) as server:
                found = first_picture(browser, server.address)
                # The first visit warms the browser up.
                if number > 0:
                    rounds.append(found)
                found["served"] = max(each["came"] for each in found["requests"]
                                      if "/tiles/" in each["name"] and each["came"] < found["first"])
                if number == options.rounds:
                    page = found.pop("page")
                    if options.only in (None, "frames"):
                        page.settle()
                        print(f"pan of the world         {frames(page, lambda: drag(page))}")
                        page.settle()
                        print(f"wheel, in                {frames(page, lambda: wheel(page, -40))}")
                        page.settle()
                        print(f"pan, close               {frames(page, lambda: drag(page))}")
                        page.settle()
                        print(f"wheel, out               {frames(page, lambda: wheel(page, 40))}")
                    print(f"memory of the server     {memory(server.process.pid)[0]:.0f} MiB, {memory(server.process.pid)[1]:.0f} at most")
    first = [found["first"] for found in rounds]
    if first:
        print(f"first picture            {summary(first, 0)}, {rounds[0]['lands']} lands")
        names = statistics.median(f["names"] for f in rounds)
        print(f"names on it              median {names:.0f} ms")
        print(f"last tile came           median {statistics.median(f['served'] for f in rounds):.0f} ms")
        print(f"totals after it          median {statistics.median(f['totals'] - f['first'] for f in rounds) / 1000:.2f} s")
        before = sum(each["bytes"] for each in found["requests"] if each["name"] == "/" or "/assets/" in each["name"])
        print(f"page before tiles        {before / 1000:.1f} kB packed, {len(found['requests'])} requests in all")


if __name__ == "__main__":
    sys.exit(main())
