#!/usr/bin/env python3
"""Measures a published site: the time to write it, and the time to its first picture.

    site.py BINARY [LABEL=]DIR... [--rounds N] [--site FOLDER]

* `publish`, N times into a new folder, and once more into a complete one;
* the first picture in Chromium without a graphics card, from the navigation to the frame after
  all tiles of the view were drawn in their final form, N times with an empty cache, from a plain host that
  supports ranges; and the requests and bytes until then;
* the same on a phone: 390 by 844 pixels at three device pixels each way, 1.6 Mbit/s, 150 ms to the host
  and back, a processor four times as slow.

With `--site` an existing site is measured, and nothing is written.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List

from harness import compare, summary
from page import REQUESTS, WATCH

# pylint: disable=wrong-import-order
from browser import Browser, Page, browsing, find_browser
from hosted import hosting
from outside import skip


def measure_publish(binary: str, folders: List[str], rounds: int, scratch: Path) -> Path:
    """Measures `publish` into new folders, and then into a complete one."""
    compare(binary, {"publish": [
        "sh", "-c", 'tool=$0 at=$1; shift; exec "$tool" publish -q -o "$at/$$" "$@"', binary, str(scratch), *folders]}, rounds)
    site = next(scratch.iterdir())
    compare(binary, {"again, nothing new": [binary, "publish", "-q", "-o", str(site), *folders]}, 1)
    files = [path for path in site.rglob("*") if path.is_file()]
    print(f"files                    {len(files)}, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB")
    return site


def emulate_phone(page: Page) -> None:
    """Emulates a small screen, a slow network and a slow processor."""
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=3, mobile=True)
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    page.call("Network.emulateNetworkConditions", offline=False, latency=150, downloadThroughput=200_000,
              uploadThroughput=93_750)
    page.call("Emulation.setCPUThrottlingRate", rate=4)


def visit(browser: Browser, address: str, is_phone: bool) -> Dict[str, Any]:
    """Visits the site in a new tab of the browser."""
    page = browser.page()
    if is_phone:
        emulate_phone(page)
    page.call("Network.setCacheDisabled", cacheDisabled=True)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    page.call("Page.navigate", url=address)
    time.sleep(4 if is_phone else 1)
    page.wait("globalThis.measured?.names", "a first picture with names")
    found = page.run("measured")
    found["requests"] = [each for each in page.run(REQUESTS) if each["came"] <= found["first"]]
    browser.call("Target.closeTarget", {"targetId": page.call("Target.getTargetInfo")["targetInfo"]["targetId"]})
    return found


def measure_pictures(browser: Browser, site: Path, rounds: int, is_phone: bool) -> None:
    """Measures some visits."""
    visits = []
    with hosting(site, "/a/b/c/") as host:
        # The first visit warms the browser up.
        for number in range(rounds + 1):
            found = visit(browser, host.address, is_phone)
            if number > 0:
                visits.append(found)
    first, names = ([each[name] for each in visits] for name in ("first", "names"))
    requests = visits[-1]["requests"]
    print(f"{'first picture, phone' if is_phone else 'first picture':<25}{summary(first, 0)}, {visits[0]['lands']} lands, names after {statistics.median(names):.0f} ms; "
          f"{len(requests)} requests, {sum(each['bytes'] for each in requests) / 1000:.0f} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("folder", nargs="*", help="[LABEL=]DIR")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--site", type=Path)
    parser.add_argument("--only", choices=["desk", "phone"])
    options = parser.parse_args()
    program = find_browser()
    with tempfile.TemporaryDirectory() as scratch:
        site = options.site or measure_publish(options.binary, options.folder, options.rounds, Path(scratch))
        if not program:
            skip("no Chromium here")
        with browsing(program) as browser:
            for kind in ("desk", "phone"):
                if options.only in (None, kind):
                    measure_pictures(browser, site, options.rounds, kind == "phone")


if __name__ == "__main__":
    sys.exit(main())
