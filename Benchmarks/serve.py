#!/usr/bin/env python3
"""Measures `geomapper serve` as a browser meets it.

    serve.py BINARY [LABEL=]DIR... [--tiles N] [--seconds S]

On a tree that is in the system's cache: from the start to the first full picture (a window of
1280 by 800 pixels over the whole world); N tiles found by zooming in at random, each fetched
uncached and again; tiles a second over 32 connections; the largest tile; and memory after S seconds
of browsing replayed as fast as it goes. One line of text for each figure.
"""

import argparse
import gzip
import http.client
import random
import re
import selectors
import socket
import statistics
import subprocess
import sys
import time
from typing import Dict, List, Set, Tuple

Address = Tuple[int, int, int]


def percentile(values: List[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


class Client:
    """One connection that stays open."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def get(self, path: str) -> Tuple[int, bytes, float]:
        start = time.perf_counter()
        self.connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        answer = self.connection.getresponse()
        body = answer.read()
        return answer.status, body, (time.perf_counter() - start) * 1000

    def tile(self, tile: Address) -> Tuple[int, bytes, float]:
        return self.get("/tiles/%d/%d/%d.mvt" % tile)


def node_ids(tile: bytes) -> int:
    """How many different nodes a tile has."""
    return len(nodes(tile))


def nodes(tile: bytes) -> Set[int]:
    """The ids of the nodes in the layers of a tile, those of its labels, cells and towns left out."""
    ids: Set[int] = set()
    for field, layer in messages(gzip.decompress(tile)):
        if field != 3:
            continue
        parts = list(messages(layer))
        if dict(p for p in parts if p[0] == 1)[1] in (b"labels", b"cells", b"towns"):
            continue
        ids.update(dict(messages(feature))[1] for number, feature in parts if number == 2)
    return ids


def messages(data: bytes):
    """The fields of a message of Protocol Buffers."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 2:
            length = varint()
            yield key >> 3, data[at:at + length]
            at += length
        elif key & 7 == 1:
            yield key >> 3, data[at:at + 8]
            at += 8
        else:
            yield key >> 3, varint()


def memory(process: "subprocess.Popen[bytes]") -> Tuple[float, float]:
    """Mebibytes in memory now, and the most so far."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        text = file.read()
    now, most = (re.search(rf"{name}:\s+([0-9]+) kB", text) for name in ("VmRSS", "VmHWM"))
    assert now and most
    return int(now[1]) / 1024, int(most[1]) / 1024


def walks(client: Client, count: int, chance: random.Random):
    """Tiles as somebody meets them who zooms in again and again, each for the first time."""
    seen: Dict[Address, bool] = {}
    found: List[Tuple[Address, bytes, float]] = []
    while len(found) < count:
        z, x, y = 0, 0, 0
        while z < 20 and len(found) < count:
            if (z, x, y) not in seen:
                status, body, time_taken = client.tile((z, x, y))
                seen[z, x, y] = status == 200
                found.append(((z, x, y), body, time_taken))
            if not seen[z, x, y]:
                break
            z, x, y = z + 1, 2 * x + chance.randrange(2), 2 * y + chance.randrange(2)
    return found


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
    process = subprocess.Popen(
        [options.binary, "serve", *options.folder], stdout=subprocess.PIPE)
    try:
        assert process.stdout
        port = int(process.stdout.readline().split(b":")[2].strip(b"/\n"))
        client = Client(port)
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
        rate = throughput(port, tiles, 32, min(options.seconds, 5))
        print(f"cached tiles a second    {rate:.0f} (32 connections, {len(tiles)} tiles)")
        end = time.perf_counter() + options.seconds
        readings, fetched = [], 0
        while time.perf_counter() < end:
            fetched += len(walks(client, 300, chance))
            readings.append(memory(process)[0])
        now, most = memory(process)
        print(f"memory                   {now:.0f} MiB after {fetched} tiles, {most:.0f} at most; "
              f"half-way {readings[len(readings) // 2]:.0f}")
    finally:
        process.kill()


if __name__ == "__main__":
    sys.exit(main())
