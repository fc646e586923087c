#!/usr/bin/env python3
"""Measures the answers of `geomapper serve` to a browser.

    serve.py BINARY [LABEL=]DIR... [--tiles N] [--seconds S] [--matches QUERY]

The tree is in the system's cache. Measures the time from the start to the first full picture (a window
of 1280 by 800 pixels over the whole world); N tiles found by zooming in at random, each fetched uncached
and again; the largest tile; the first and the last answer of
/matches; and memory after S seconds of simulated browsing at full speed. Prints a line for each figure.
"""

import random
import statistics
import sys
import time
import urllib.request

from client import Client, memory, nodes, walks
from figures import summary
import harness  # pylint: disable=unused-import

# pylint: disable=wrong-import-order
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


def main() -> None:
    options = given(__doc__, "binary", "folder+", tiles=2000, seconds=10.0, matches="")
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
        end = time.perf_counter() + options.seconds
        readings, fetched = [], 0
        while time.perf_counter() < end:
            fetched += len(walks(client, 300, chance))
            readings.append(memory(server.process.pid)[0])
        now, most = memory(server.process.pid)
        print(f"memory                   {now:.0f} MiB after {fetched} tiles, {most:.0f} at most; "
              f"half-way {readings[len(readings) // 2]:.0f}")


if __name__ == "__main__":
    sys.exit(main())
