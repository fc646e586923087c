#!/usr/bin/env python3
"""Measures a published site: the time to write it, and the time to its first picture.

    site.py BINARY [LABEL=]DIR... [--rounds N] [--site FOLDER] [--only desk|phone]

* `publish`, N times into a new folder, and once more into a complete one;
* the first picture in Chromium without a graphics card, from the navigation to the frame after
  all tiles of the view were drawn in their final form, N times with an empty cache, from a plain host that
  supports ranges; and the requests and bytes until then;
* the same on a phone: 390 by 844 pixels at three device pixels each way, 1.6 Mbit/s, 150 ms to the host
  and back, a processor four times as slow.

With `--site` an existing site is measured, and nothing is written.
"""

import statistics
import sys
import tempfile
from pathlib import Path
from typing import List

from figures import summary
from harness import compare
from page import visit

from browser import Browser, browsing, find_browser
from hosted import hosting
from outside import given, skip


def measure_publish(binary: str, folders: List[str], rounds: int, scratch: Path) -> Path:
    compare({"publish": [
        "sh", "-c", 'tool=$0 at=$1; shift; exec "$tool" publish -q -o "$at/$$" "$@"',
        binary, str(scratch), *folders]}, rounds)
    site = next(scratch.iterdir())
    compare({"again, nothing new": [binary, "publish", "-q", "-o", str(site), *folders]}, 1)
    files = [path for path in site.rglob("*") if path.is_file()]
    print(f"files                    {len(files)}, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB")
    return site


def measure_pictures(browser: Browser, site: Path, rounds: int, is_phone: bool) -> None:
    visits = []
    with hosting(site, "/a/b/c/") as host:
        # The first visit warms the browser up.
        for number in range(rounds + 1):
            found = visit(browser, host.address, "names", is_phone)
            if number > 0:
                visits.append(found)
    first, names = ([each[name] for each in visits] for name in ("first", "names"))
    requests = [each for each in visits[-1]["requests"] if each["came"] <= visits[-1]["first"]]
    print(f"{'first picture, phone' if is_phone else 'first picture':<25}{summary(first, 0)}, "
          f"{visits[0]['lands']} lands, names after {statistics.median(names):.0f} ms; "
          f"{len(requests)} requests, {sum(each['bytes'] for each in requests) / 1000:.0f} kB")


def main() -> None:
    options = given(__doc__, "binary", "folder*", rounds=7, site="", only="")
    program = find_browser()
    with tempfile.TemporaryDirectory() as scratch:
        site = Path(options.site or measure_publish(options.binary, options.folder, options.rounds, Path(scratch)))
        if not program:
            skip("no Chromium here")
        with browsing(program) as browser:
            for kind in ("desk", "phone"):
                if options.only in ("", kind):
                    measure_pictures(browser, site, options.rounds, kind == "phone")


if __name__ == "__main__":
    sys.exit(main())
