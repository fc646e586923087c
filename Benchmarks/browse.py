#!/usr/bin/env python3
"""Simulates a user who browses, and measures the server's memory.

    browse.py BINARY [LABEL=]DIR... [--minutes M] [--rate R] [--fill]

Each move is one that the page makes: a flight to a random node (the tiles of all zooms on the way, the
node and its folder), a pan, a zoom out, a search. A person makes a move every two seconds or so; the
simulation makes R each second. It fetches everything that a window of 1280 by 800 pixels shows,
unconditionally, as a browser with an empty cache does. Memory is read every 10 seconds. At the end it
prints the minimum and maximum of each tenth of the time, and the slope of a line through the second
half.

Memory grows until the caches are full, which takes hours of browsing. With --fill every tile that shows
new nodes is fetched first, so that the measurement begins with full caches; with --minutes 0 nothing else is done.
"""

import csv
import io
import json
import math
import random
import subprocess
import sys
import time
from typing import Any, Dict, List, Set, Tuple
from urllib.parse import quote

from client import Address, Client, memory, nodes, project
from figures import summary, slope
import harness  # pylint: disable=unused-import

# pylint: disable=wrong-import-order
from outside import given
from served import serving

WINDOW = (1280, 800)
TILE = 512
MOVE = 2.0  # seconds that a person takes for a move


class Person:
    """A simulated user who moves a window over the map."""

    def __init__(self, port: int, chance: random.Random) -> None:
        self.client = Client(port)
        self.chance = chance
        self.moves = self.tiles = 0
        self.x, self.y, self.z = 0.5, 0.5, 1
        self.roots: List[str] = [root["label"] for root in self.ask("/stats")["roots"]]
        self.words: List[str] = ["txt"]

    def ask(self, path: str) -> Any:
        status, body, _ = self.client.get(path)
        return json.loads(body) if status == 200 else {}

    def look(self) -> None:
        """Fetches the tiles that the window shows."""
        z = max(0, min(24, self.z))
        across = [side / 2 / TILE for side in WINDOW]
        count = 2 ** z
        for x in range(math.floor(self.x * count - across[0]), math.ceil(self.x * count + across[0])):
            for y in range(math.floor(self.y * count - across[1]), math.ceil(self.y * count + across[1])):
                if 0 <= x < count and 0 <= y < count:
                    self.client.tile((z, x, y))
                    self.tiles += 1

    def fly(self) -> None:
        """Flies to a random node, and fetches all tiles on the way."""
        path = self.chance.choice(self.roots)
        found: Dict[str, Any] = {}
        for _ in range(self.chance.randrange(1, 9)):
            node = self.ask(f"/node?path={quote(path)}")
            if not node:
                return
            found = node
            shown = node["children"]["shown"] if node.get("children") else []
            if not shown:
                break
            child = self.chance.choice(shown)["name"]
            self.words.append(child)
            path = f"{path}/{child}"
        west, south, east, north = found["bbox"]
        x, y = project((west + east) / 2, (south + north) / 2)
        deepest = int(found["feature"]["properties"]["minzoom"]) + self.chance.randrange(1, 4)
        lowest = max(0, min(self.z, deepest) - 2)
        while self.z > lowest:
            self.zoom(-1)
        self.x, self.y = x, y
        while self.z < min(24, deepest):
            self.zoom(1)

    def zoom(self, by: int) -> None:
        self.z += by
        self.look()

    def step(self) -> None:
        """Pans by a random part of the window."""
        self.x += self.chance.uniform(-1, 1) * WINDOW[0] / TILE / 2 ** self.z
        self.y += self.chance.uniform(-1, 1) * WINDOW[1] / TILE / 2 ** self.z
        self.x, self.y = min(1.0, max(0.0, self.x)), min(1.0, max(0.0, self.y))
        self.look()

    def search(self) -> None:
        word = self.chance.choice(self.words[-50:])[:6]
        self.client.get(f"/search?q={quote(word)}&limit=50")

    def move(self) -> None:
        kind = self.chance.random()
        if kind < 0.3:
            self.fly()
        elif kind < 0.8:
            self.step()
        elif kind < 0.98:
            self.zoom(self.chance.choice([1, -1]) if 0 < self.z < 24 else (1 if self.z == 0 else -1))
        else:
            self.search()
        self.moves += 1


DEEPEST = 30
BUFFER = 64 / 4096


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


def fill(person: Person, process: int, tiles: Set[Address]) -> None:
    """Fetches tiles, and prints the largest, their times and the server's memory.

    Nodes are counted only in tiles that may have more than the largest so far: ids have 53 bits of a hash, so a
    tile of N nodes has at least 6·N bytes.
    """
    largest = busiest = (0, (0, 0, 0))
    times = []
    for tile in sorted(tiles):
        status, body, taken = person.client.tile(tile)
        times.append(taken)
        if status == 200:
            largest = max(largest, (len(body), tile))
            if len(body) > 6 * busiest[0]:
                busiest = max(busiest, (len(nodes(body)), tile))
    kept = person.ask("/stats")["cacheBytes"] / 2 ** 20
    print(f"{len(tiles)} tiles in which something is new: {summary(times)}\n"
          f"largest tile {largest[0] / 1000:.1f} kB, {largest[1]}; most nodes {busiest[0]}, {busiest[1]}\n"
          f"filled: {memory(process)[0]:.1f} MiB, of which {kept:.1f} MiB are kept listings and tiles", flush=True)


def main() -> None:
    options = given(__doc__, "binary", "folder+", minutes=20.0, rate=10.0, fill=False)
    with serving(options.binary, *options.folder) as server:
        person = Person(server.port, random.Random(1))
        if options.fill:
            fill(person, server.process.pid, new_tiles(options.binary, options.folder))
        start = now = time.monotonic()
        end = start + options.minutes * 60
        readings: List[Tuple[float, float]] = []
        while now < end:
            person.move()
            now = time.monotonic()
            if now - start >= 10 * (len(readings) + 1):
                readings.append((now - start, memory(server.process.pid)[0]))
                print(f"{now - start:6.0f} s  {person.moves:7} moves  {person.tiles:8} tiles  "
                      f"{readings[-1][1]:6.1f} MiB", flush=True)
            time.sleep(max(0.0, start + person.moves / options.rate - now))
        if not readings:
            return
        hours = person.moves * MOVE / 3600
        print(f"{person.moves} moves, as of {hours:.1f} hours; {person.tiles} tiles")
        for part in range(10):
            some = [r[1] for r in readings[part * len(readings) // 10:(part + 1) * len(readings) // 10]]
            if some:
                print(f"tenth {part + 1:2}   {min(some):.1f} to {max(some):.1f} MiB")
        half = readings[len(readings) // 2:]
        if len(half) > 1:
            each = slope(half) * options.minutes * 60 / hours
            print(f"second half {each:+.2f} MiB for an hour of browsing; "
                  f"{memory(server.process.pid)[1]:.1f} MiB at most")


if __name__ == "__main__":
    sys.exit(main())
