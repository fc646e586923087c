#!/usr/bin/env python3
"""Measures the answers of `geomapper serve` to a browser.

    serve.py BINARY [LABEL=]DIR... [--tiles N] [--seconds S] [--matches QUERY]...

The tree is in the system's cache. Measures the time from the start to the first full picture (a window
of 1280 by 800 pixels over the whole world); N tiles found by zooming in at random, each fetched uncached
and again; tiles a second over 32 connections; the largest tile; the first and the last answer of
/matches; and memory after S seconds of simulated browsing at full speed. Prints a line for each figure.
"""

import argparse
import random
import re
import selectors
import socket
import statistics
import sys
import time
import urllib.request
from typing import Dict, List

from harness import Address, Client, memory, nodes, summary, walks

from served import serving  # pylint: disable=wrong-import-order

QUERIES = ["name=*.log", "name=e", "type=code", "size=%2B1000000&older=1700000000", "newer=0"]


def throughput(port: int, tiles: List[Address], connections: int, seconds: float) -> float:
    """The number of tiles a second over many connections, each with one request at a time."""
    selector = selectors.DefaultSelector()
    requests = [
        (f"GET /tiles/%d/%d/%d.mvt HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
         "Accept-Encoding: gzip\r\n\r\n" % tile).encode() for tile in tiles]
    state: Dict[socket.socket, List[int]] = {}
    for index in range(connections):
        connection = socket.create_connection(("127.0.0.1", port))
        selector.register(connection, selectors.EVENT_READ)
        state[connection] = [index, 0]
        connection.sendall(requests[index % len(requests)])
    length = re.compile(rb"Content-Length: ([0-9]+)")
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for key, _ in selector.select():
            connection = key.fileobj
            assert isinstance(connection, socket.socket)
            mine = state[connection]
            data = connection.recv(1 << 18)
            if mine[1] == 0:
                head = data.index(b"\r\n\r\n") + 4
                match = length.search(data, 0, head)
                mine[1] = head + (int(match[1]) if match else 0)
            mine[1] -= len(data)
            if mine[1] == 0:
                done += 1
                mine[0] += 1
                connection.sendall(requests[mine[0] % len(requests)])
    return done / (time.perf_counter() - start)


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
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("folder", nargs="+", help="[LABEL=]DIR")
    parser.add_argument("--tiles", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--matches", action="append", metavar="QUERY", help="in place of some usual ones")
    options = parser.parse_args()
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
        tiles = [tile for tile, body, _ in first if body][:200]
        rate = throughput(server.port, tiles, 32, min(options.seconds, 5))
        print(f"cached tiles a second    {rate:.0f} (32 connections, {len(tiles)} tiles)")
        for query in options.matches or QUERIES:
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
