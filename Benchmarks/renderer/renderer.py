#!/usr/bin/env python3
"""Compares canvas and WebGL 2 for the map: one scene, drawn by either while the view moves.

    renderer.py BINARY DIR [--zoom Z] [--more N] [--seconds S] [--pictures FOLDER]

The scene is the part of DIR's map, at one zoom, where a window of 1280 by 800 pixels shows most lands:
their coasts filled and outlined, files as points, names on it, two windows' breadth around the middle.
With --more it holds what comes into sight N zooms later, too, which is more than the page draws.
Chromium draws in software, without a graphics card. For each way of drawing: the time until the
first frame, and the median and 95th percentile of the time from one frame to the next.
"""

import argparse
import collections
import json
import math
import os
import subprocess
import sys
from typing import Any, Dict, List, Tuple
from urllib.parse import quote

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Tests/Outside"))

from browser import browsing, find_browser  # noqa: E402

WINDOW = (1280, 800)
TILE = 512
TINTS = [(0.95, 0.93, 0.85), (0.86, 0.9, 0.8), (0.94, 0.88, 0.78), (0.9, 0.86, 0.92), (0.98, 0.96, 0.92)]


def project(place: List[float], zoom: float) -> Tuple[float, float]:
    """Web Mercator, in pixels."""
    lon, lat = place
    s = math.sin(math.radians(max(-85.0511, min(85.0511, lat))))
    side = TILE * 2 ** zoom
    return (lon / 360 + 0.5) * side, (0.5 - math.log((1 + s) / (1 - s)) / (4 * math.pi)) * side


def scene(binary: str, folder: str, zoom: int, more: int) -> Dict[str, Any]:
    """What is drawn, in pixels around the middle of the fullest window."""
    done = subprocess.run([binary, "map", "-q", "--format", "geojsonl", "--zoom", str(zoom + more), folder],
                          stdout=subprocess.PIPE, check=False)
    nodes = [json.loads(line) for line in done.stdout.splitlines()]
    lands, points = [], []
    for node in nodes:
        places = node["geometry"]["coordinates"]
        if node["geometry"]["type"] == "Polygon":
            lands.append((node["properties"], [project(place, zoom) for place in places[0][:-1]]))
        else:
            points.append(project(places, zoom))
    full = collections.Counter(
        (round(ring[0][0] / WINDOW[0]), round(ring[0][1] / WINDOW[1])) for _, ring in lands)
    middle = full.most_common(1)[0][0]
    cx, cy = middle[0] * WINDOW[0], middle[1] * WINDOW[1]
    far = (2 * WINDOW[0], 2 * WINDOW[1])

    def near(places: List[Tuple[float, float]]) -> bool:
        xs, ys = zip(*places)
        return bool(max(xs) > cx - far[0] and min(xs) < cx + far[0]
                    and max(ys) > cy - far[1] and min(ys) < cy + far[1])

    drawn = [(facts, ring) for facts, ring in lands if near(ring)]
    return {
        "lands": [{
            "ring": [round(value, 2) for x, y in ring for value in (x - cx, y - cy)],
            "fill": TINTS[facts["depth"] % len(TINTS)], "line": max(0.7, 1.3 - facts["depth"] * 0.2),
        } for facts, ring in drawn],
        "points": [round(value, 2) for x, y in points if near([(x, y)]) for value in (x - cx, y - cy)],
        "labels": [[round(x - cx), round(y - cy), facts["name"][:30]] for facts, ring in drawn
                   for x, y in [project([facts["lon"], facts["lat"]], zoom)]
                   if max(p[0] for p in ring) - min(p[0] for p in ring) > 60],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--zoom", type=int, default=6)
    parser.add_argument("--more", type=int, default=0, help="zooms of detail beyond what the page shows")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--pictures")
    options = parser.parse_args()
    program = find_browser()
    if not program:
        sys.exit("no Chromium was found")
    found = scene(options.binary, options.folder, options.zoom, options.more)
    corners = sum(len(land["ring"]) // 2 for land in found["lands"])
    print(f"{len(found['lands'])} lands with {corners} corners, {len(found['points']) // 2} points, "
          f"{len(found['labels'])} names")
    with browsing(program, ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]) as browser:
        page = browser.page(*WINDOW)
        page.open("file://" + quote(os.path.join(HERE, "renderer.html")))
        page.wait("globalThis.bench", "the script")
        page.run(f"globalThis.scene = bench.makeReady({json.dumps(found)}); 0")
        for name in page.run("bench.names"):
            result = page.run(f"bench.measure({name!r}, scene, {options.seconds})")
            gaps = sorted(result["gaps"])
            print(f"{name:36} ready {result['ready']:6.0f} ms   frames {len(gaps):5}   "
                  f"p50 {gaps[len(gaps) // 2]:6.1f} ms   p95 {gaps[int(len(gaps) * 0.95)]:6.1f} ms",
                  flush=True)
            if options.pictures:
                os.makedirs(options.pictures, exist_ok=True)
                page.shoot(os.path.join(options.pictures, f"{name.split(',')[0]}.png".lower()))


if __name__ == "__main__":
    sys.exit(main())
