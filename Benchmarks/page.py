#!/usr/bin/env python3
"""Measures the page of `geomapper serve` in Chromium, without a graphics card.

    page.py BINARY [LABEL=]DIR... [--rounds N]

The browser is running, its cache is empty, and the listings are in the system's cache:

* the first picture, from the navigation (`performance.timeOrigin`) to the frame after all tiles of the
  view were drawn in their final form, N times, each time on a server that has just started;
  and the server's share of that time (from the request of the page to the last answer of a tile);
* the time from then to the totals of all folders in that picture;
* memory of the server, and the bytes of the page that load before tiles.

check_page.py measures frames while the map is dragged.
"""

import statistics
import sys
import time
from typing import Any, Dict

from client import memory
from figures import summary
import harness

from browser import Browser, Page, browsing, find_browser
from outside import given, skip
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
  { name: e.name.replace(location.origin, ""), came: e.responseEnd, bytes: e.encodedBodySize }))
"""


def emulate_phone(page: Page) -> None:
    """Emulates a small screen, a slow network and a slow processor."""
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=3, mobile=True)
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    page.call("Network.emulateNetworkConditions", offline=False, latency=150, downloadThroughput=200_000,
              uploadThroughput=93_750)
    page.call("Emulation.setCPUThrottlingRate", rate=4)


def visit(browser: Browser, address: str, last: str, is_phone: bool = False) -> Dict[str, Any]:
    """Visits a page in a new tab until `last` is measured; times are milliseconds since the navigation."""
    page = browser.page()
    if is_phone:
        emulate_phone(page)
    page.call("Network.setCacheDisabled", cacheDisabled=True)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    page.call("Page.navigate", url=address)
    time.sleep(4 if is_phone else 1)
    page.wait(f"globalThis.measured?.{last}", last, 120)
    found = page.run("measured")
    found["requests"] = page.run(REQUESTS)
    browser.call("Target.closeTarget", {"targetId": page.call("Target.getTargetInfo")["targetInfo"]["targetId"]})
    return dict(found)


def main() -> None:
    options = given(__doc__, "binary", "folder+", rounds=7)
    program = find_browser()
    if not program:
        skip("no Chromium here")
    rounds = []
    with browsing(program) as browser:
        for _ in range(options.rounds + 1):
            with serving(options.binary, *options.folder) as server:
                found = visit(browser, server.address, "totals")
                found["served"] = max(each["came"] for each in found["requests"]
                                      if "/tiles/" in each["name"] and each["came"] < found["first"])
                rounds.append(found)
                now, most = memory(server.process.pid)
    rounds = rounds[1:]  # the first visit warms the browser up

    def median(last: str, first: str = "") -> float:
        return statistics.median(each[last] - each.get(first, 0) for each in rounds)

    before = sum(each["bytes"] for each in found["requests"] if each["name"] == "/" or "/assets/" in each["name"])
    print(f"first picture            {summary([each['first'] for each in rounds], 0)}, {found['lands']} lands\n"
          f"names on it              median {median('names'):.0f} ms\n"
          f"last tile came           median {median('served'):.0f} ms\n"
          f"totals after it          median {median('totals', 'first') / 1000:.2f} s\n"
          f"memory of the server     {now:.0f} MiB, {most:.0f} at most\n"
          f"page before tiles        {before / 1000:.1f} kB packed, {len(found['requests'])} requests in all")


if __name__ == "__main__":
    sys.exit(main())
