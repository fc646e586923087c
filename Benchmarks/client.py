"""A client of a server of maps that fetches tiles, and the memory and time of a process."""

import gzip
import http.client
import math
import os
import random
import re
import time
from typing import Dict, List, Set, Tuple

Address = Tuple[int, int, int]


class Client:
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
