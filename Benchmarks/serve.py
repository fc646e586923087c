#!/usr/bin/env python3
"""Measures `geomapper serve` as a browser meets it.

    serve.py BINARY [LABEL=]DIR... [--tiles N] [--seconds S]

On a tree that is in the system's cache: from the start to the first full picture (a window of
1280 by 800 pixels over the whole world); N tiles found by zooming in at random, each fetched
uncached and again; tiles a second over 32 connections; the largest tile; and memory after S seconds
of browsing replayed as fast as it goes. One line of text for each figure.
"""

import argparse
import random
import re
import selectors
import socket
import statistics
import sys
import time
from typing import Dict, List

from tile_client import Address, Client, memory, node_ids, percentile, serving, walks


def throughput(port: int, tiles: List[Address], connections: int, seconds: float) -> float:
    """Tiles a second over many connections, each with one request at a time."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("folder", nargs="+", help="[LABEL=]DIR")
    parser.add_argument("--tiles", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=10)
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
            print(f"tile, {name:9}          median {statistics.median(times):.2f} ms, "
                  f"p99 {percentile(times, 0.99):.2f} ms, longest {max(times):.2f} ms "
                  f"({len(times)} tiles)")
        largest = max(first, key=lambda found: len(found[1]))
        print(f"largest tile             {len(largest[1]) / 1000:.1f} kB, {largest[0]}, "
              f"{node_ids(largest[1])} nodes")
        busiest = max((node_ids(body), tile) for tile, body, _ in first if body)
        print(f"most nodes in a tile     {busiest[0]}, {busiest[1]}")
        tiles = [tile for tile, body, _ in first if body][:200]
        rate = throughput(server.port, tiles, 32, min(options.seconds, 5))
        print(f"cached tiles a second    {rate:.0f} (32 connections, {len(tiles)} tiles)")
        end = time.perf_counter() + options.seconds
        readings, fetched = [], 0
        while time.perf_counter() < end:
            fetched += len(walks(client, 300, chance))
            readings.append(memory(server.process)[0])
        now, most = memory(server.process)
        print(f"memory                   {now:.0f} MiB after {fetched} tiles, {most:.0f} at most; "
              f"half-way {readings[len(readings) // 2]:.0f}")


if __name__ == "__main__":
    sys.exit(main())
