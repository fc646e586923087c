#!/usr/bin/env python3
"""Fetches every tile of a world that shows new nodes, and prints the largest.

    walk_tiles.py BINARY DIR

A node becomes visible at its `minzoom`, and stays visible. So a tile without nodes of its own zoom shows
a part of its parent's content, and is left out. The others are found from the tool's own map: the tile
around each point and around each land's label, and the neighbours whose buffers contain it. Nodes are
counted only in tiles that may have more than the largest so far: ids have 53 bits of a hash, so a tile of
N nodes has at least 6·N bytes.
"""

import csv
import io
import json
import subprocess
import sys
import time
from typing import List, Set, Tuple

from harness import Client, memory, nodes, project, summary

from served import serving  # pylint: disable=wrong-import-order

DEEPEST = 30
BUFFER = 64 / 4096


def tiles_of(lon: float, lat: float, zoom: int) -> "Set[Tuple[int, int, int]]":
    count = 2 ** zoom
    x, y = (part * count for part in project(lon, lat))
    return {(zoom, int(x + i), int(y + j)) for i in (-BUFFER, BUFFER) for j in (-BUFFER, BUFFER)
            if 0 <= x + i < count and 0 <= y + j < count}


def new_tiles(binary: str, folders: List[str]) -> "Tuple[Set[Tuple[int, int, int]], int]":
    """The tiles that show new nodes, and the number of nodes."""
    tiles: Set[Tuple[int, int, int]] = set()
    count = 0
    with subprocess.Popen([binary, "map", "--format", "csv", *folders], stdout=subprocess.PIPE) as tool:
        assert tool.stdout
        for row in csv.DictReader(io.TextIOWrapper(tool.stdout, newline="")):
            zoom, lon, lat = int(row["minzoom"]), float(row["lon"]), float(row["lat"])
            count += 1
            if zoom <= DEEPEST:
                tiles |= tiles_of(lon, lat, zoom)
    return tiles, count


def main() -> None:
    binary, folder = sys.argv[1:]
    tiles, count = new_tiles(binary, [folder])
    print(f"{count} nodes, {len(tiles)} tiles in which something is new", flush=True)
    with serving(binary, folder) as server:
        client = Client(server.port)
        largest = busiest = (0, (0, 0, 0))
        times, empty, start, reports = [], 0, time.monotonic(), 0
        for tile in sorted(tiles):
            status, body, taken = client.tile(tile)
            times.append(taken)
            if status != 200:
                empty += 1
                continue
            largest = max(largest, (len(body), tile))
            if len(body) > 6 * busiest[0]:
                busiest = max(busiest, (len(nodes(body)), tile))
            if time.monotonic() - start > 10 * (reports + 1):
                reports += 1
                print(f"{len(times):8} tiles, {memory(server.process.pid)[0]:.1f} MiB", flush=True)
        print(f"largest tile  {largest[0] / 1000:.1f} kB, {largest[1]}")
        print(f"most nodes    {busiest[0]}, {busiest[1]}")
        print(f"time          {summary(times)}; {empty} tiles were empty")
        print(f"memory        {memory(server.process.pid)[0]:.1f} MiB, {memory(server.process.pid)[1]:.1f} at most")
        stats = json.loads(client.get("/stats")[1])
        print(f"kept          {stats['cacheBytes'] / 2 ** 20:.1f} MiB")


if __name__ == "__main__":
    main()
