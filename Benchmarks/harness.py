"""Shared parts of the benchmarks: commands timed in rounds, statistics of times, a client that fetches tiles.

Commands are measured by `geomapper-bench time`, which has to be in the folder of the tool. The code that starts
servers and browsers is that of the checks in Tests/Outside.
"""

import gzip
import http.client
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple, Sequence, Set, Tuple

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "Tests", "Outside"))


class Figures(NamedTuple):
    """Medians of the runs of a command, and its peak memory."""

    seconds: float
    processor: float  # processor seconds, including the system's
    peak: float  # MiB


def compare(binary: str, commands: Dict[str, Sequence[str]], rounds: int = 7) -> Dict[str, Figures]:
    """Runs all commands in rounds, prints a table with ratios to the first, and returns the figures."""
    with tempfile.TemporaryDirectory(prefix="geomapper-bench.") as folder:
        asked, reported = f"{folder}/commands.json", f"{folder}/results.json"
        with open(asked, "w", encoding="utf-8") as file:
            json.dump(commands, file)
        subprocess.run([binary + "-bench", "time", asked, "--runs", str(rounds), "--json", reported], check=True)
        with open(reported, encoding="utf-8") as file:
            series = json.load(file)["trees"][0]["series"]
    found = {}
    for one in series:
        runs = one["runs"]
        found[one["name"]] = Figures(
            statistics.median(run["seconds"] for run in runs),
            statistics.median(run["user"] + run["system"] for run in runs),
            max(run["peakBytes"] for run in runs) / 2**20)
    return found


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which this part of all values is."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def summary(times: Sequence[float], digits: int = 2, unit: str = "ms") -> str:
    """The statistics of times as text."""
    return (f"median {statistics.median(times):.{digits}f} {unit}, p95 {percentile(times, 0.95):.{digits}f}, "
            f"p99 {percentile(times, 0.99):.{digits}f}, {min(times):.{digits}f} to {max(times):.{digits}f} "
            f"({len(times)} times)")


Address = Tuple[int, int, int]


class Client:
    """A client with one persistent connection."""

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


def walks(client: Client, count: int, chance: random.Random):
    """Fetches the tiles of repeated random zooms, each tile once."""
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


def nodes(tile: bytes) -> Set[int]:
    """The ids of the nodes in the layers of a tile, without its labels, cells and towns."""
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


def memory(process: int) -> Tuple[float, float]:
    """The current and the peak memory of a process, in MiB."""
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        text = file.read()
    now, most = (re.search(rf"{name}:\s+([0-9]+) kB", text) for name in ("VmRSS", "VmHWM"))
    assert now and most
    return int(now[1]) / 1024, int(most[1]) / 1024


def processor(process: int) -> float:
    """The processor seconds that a process has used."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def project(lon: float, lat: float) -> Tuple[float, float]:
    """Web Mercator, from 0 to 1, x to the east and y to the south."""
    s = math.sin(math.radians(max(-85.0511, min(85.0511, lat))))
    return lon / 360 + 0.5, 0.5 - math.log((1 + s) / (1 - s)) / (4 * math.pi)
