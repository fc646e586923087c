#!/usr/bin/env python3
"""Measures the answers of `geomapper serve` to a browser.

    serve.py BINARY [LABEL=]DIR... [--tiles N] [--seconds S] [--matches QUERY] [--fill]

The tree is in the system's cache. Measures the time from the start to the first full picture (a window
of 1280 by 800 pixels over the whole world); N tiles found by zooming in at random, each fetched uncached
and again; the largest tile; the first and the last answer of
/matches; and memory during S seconds of simulated browsing at full speed. Prints a line for each figure.

Memory grows until the caches are full, which takes a user hours. With --fill every tile that shows new nodes is fetched
first, so that the browsing begins with full caches.
"""

import csv
import io
import json
import random
import statistics
import subprocess
import sys
import time
import urllib.request
from typing import List, Set

from client import Address, Client, memory, nodes, project, walks
from figures import summary
import harness

from outside import given
from served import serving

QUERIES = ["name=*.log", "name=e", "type=code", "size=%2B1000000&older=1700000000", "newer=0"]


def measure_matches(address: str, query: str) -> None:
    """Measures the times to the filter view's first answer with files, and to its last."""
    first, last = [], []
    for _ in range(5):
        start, seen, size = time.monotonic(), None, 0
        with urllib.request.urlopen(f"{address}matches?{query}") as answer:
            for line in answer:
                size += len(line)
                if seen is None and b'"folders":[]' not in line:
                    seen = time.monotonic()
        last.append(time.monotonic() - start)
        first.append((seen or time.monotonic()) - start)
    print(f"matches of {query:13} first after {statistics.median(first):.3f} s, all after "
          f"{statistics.median(last):.3f} s, {size} bytes")


DEEPEST = 30  # the deepest zoom of a tile
BUFFER = 64 / 4096  # what a tile shows of its neighbours


def new_tiles(binary: str, folders: List[str]) -> Set[Address]:
    """The tiles that show nodes of their own zoom; the others show a part of their parent's content.

    They are those around each point and around each land's label, and the neighbours whose buffers contain it.
    """
    tiles: Set[Address] = set()
    with subprocess.Popen([binary, "map", "-q", "--format", "csv", *folders], stdout=subprocess.PIPE) as tool:
        assert tool.stdout
        for row in csv.DictReader(io.TextIOWrapper(tool.stdout, newline="")):
            zoom = int(row["minzoom"])
            x, y = (part * 2 ** zoom for part in project(float(row["lon"]), float(row["lat"])))
            if zoom <= DEEPEST:
                tiles |= {(zoom, int(x + i), int(y + j)) for i in (-BUFFER, BUFFER) for j in (-BUFFER, BUFFER)
                          if 0 <= x + i < 2 ** zoom and 0 <= y + j < 2 ** zoom}
    return tiles


def fill(client: Client, process: int, tiles: Set[Address]) -> None:
    """Fetches tiles, and prints the largest, their times and the server's memory.

    Nodes are counted only in tiles that may have more than the largest so far: ids have 53 bits of a hash, so a
    tile of N nodes has at least 6·N bytes.
    """
    largest = busiest = (0, (0, 0, 0))
    times = []
    for tile in sorted(tiles):
        status, body, taken = client.tile(tile)
        times.append(taken)
        if status == 200:
            largest = max(largest, (len(body), tile))
            if len(body) > 6 * busiest[0]:
                busiest = max(busiest, (len(nodes(body)), tile))
    kept = json.loads(client.get("/stats")[1])["cacheBytes"] / 2 ** 20
    print(f"{len(tiles)} tiles in which something is new: {summary(times)}\n"
          f"largest tile {largest[0] / 1000:.1f} kB, {largest[1]}; most nodes {busiest[0]}, {busiest[1]}\n"
          f"filled: {memory(process)[0]:.1f} MiB, of which {kept:.1f} MiB are kept listings and tiles", flush=True)


def main() -> None:
    options = given(__doc__, "binary", "folder+", tiles=2000, seconds=10.0, matches="", fill=False)
    chance = random.Random(1)
    start = time.perf_counter()
    with serving(options.binary, *options.folder) as server:
        client = Client(server.port)
        for path in ["/", "/tilejson.json", "/stats"]:
            client.get(path)
        for x in range(4):
            for y in range(4):
                client.tile((2, x, y))
        taken = (time.perf_counter() - start) * 1000
        print(f"start to first picture   {taken:.0f} ms (19 requests one after the other)")

        first = walks(client, options.tiles, chance)
        again = [client.tile(tile)[2] for tile, _, _ in first]
        for name, times in [("uncached", [time for _, _, time in first]), ("cached", again)]:
            print(f"tile, {name:9}          {summary(times)}")
        largest = max(first, key=lambda found: len(found[1]))
        print(f"largest tile             {len(largest[1]) / 1000:.1f} kB, {largest[0]}, "
              f"{len(nodes(largest[1]))} nodes")
        busiest = max((len(nodes(body)), tile) for tile, body, _ in first if body)
        print(f"most nodes in a tile     {busiest[0]}, {busiest[1]}")
        for query in [options.matches] if options.matches else QUERIES:
            measure_matches(server.address, query)
        if options.fill:
            fill(client, server.process.pid, new_tiles(options.binary, options.folder))
        end = time.perf_counter() + options.seconds
        readings, fetched = [], 0
        while time.perf_counter() < end:
            fetched += len(walks(client, 300, chance))
            readings.append(memory(server.process.pid)[0])
        now, most = memory(server.process.pid)
        print(f"memory                   {now:.0f} MiB after {fetched} tiles, {most:.0f} at most; half-way "
              f"{readings[len(readings) // 2]:.0f}, {min(readings):.0f} to {max(readings):.0f}")


if __name__ == "__main__":
    sys.exit(main())
