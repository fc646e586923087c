#!/usr/bin/env python3
"""Compares archives of tiles by geomapper and by tippecanoe.

    Benchmarks/archives.py GEOMAPPER SOURCE FOLDER [--part PART,…] [--tippecanoe PROGRAM]

SOURCE is a folder or a snapshot. FOLDER gets the archives (some gigabytes for a million files), and
keeps them for another run. The parts, all in this order by default: `nine` and `useful` are archives
to zoom 9 and to the zoom that the tool chooses, `tippecanoe` is tippecanoe's archive to zoom 9 of the
same nodes, from GeoJSON that the tool writes. Each row has seconds, processor seconds, peak memory,
bytes, tiles, distinct tiles, and nodes, counted by their ids in all tiles. Tiles are read with the
library pmtiles (pip).
"""

import os
import re
import sys
from typing import List, Set, Tuple

from client import nodes
from harness import compare

from outside import given, run

from pmtiles.reader import MmapSource, Reader
from pmtiles.tile import deserialize_directory


def contents(path: str) -> Tuple[int, Set[Tuple[int, int]], int]:
    """The number of tiles of an archive, the places of the distinct ones, and its deepest zoom."""
    with open(path, "rb") as file:
        source = MmapSource(file)
        header = Reader(source).header()
        count, places = 0, set()
        directories = [(header["root_offset"], header["root_length"])]
        while directories:
            for entry in deserialize_directory(source(*directories.pop())):
                if entry.run_length == 0:
                    directories.append((header["leaf_directory_offset"] + entry.offset, entry.length))
                else:
                    count += entry.run_length
                    places.add((header["tile_data_offset"] + entry.offset, entry.length))
        return count, places, header["max_zoom"]


def measure(binary: str, command: List[str], path: str) -> None:
    clock, processors, most = compare({"it": command}, rounds=1)["it"]
    count, places, zoom = contents(path)
    ids: Set[int] = set()
    with open(path, "rb") as file:
        source = MmapSource(file)
        for place in sorted(places):
            ids |= nodes(source(*place))
    print(
        f"| `{' '.join(os.path.basename(word) for word in command)}` | zoom {zoom} | {clock:.1f} s | "
        f"{processors:.1f} s | {most:.0f} MiB | {os.path.getsize(path) / 1e6:.0f} MB | {count:,}, "
        f"{len(places):,} | {len(ids):,} |", flush=True)


def main() -> None:
    options = given(__doc__, "binary", "source", "folder", part="nine,useful,tippecanoe", tippecanoe="tippecanoe")
    os.makedirs(options.folder, exist_ok=True)
    snapshot, lines = f"{options.folder}/w.geosnap", f"{options.folder}/w.geojsonl"
    tool = [options.binary, "map", "-q"]
    if not os.path.exists(snapshot):
        run(options.binary, "snapshot", "-q", "-o", snapshot, options.source, patience=3600)
    print(re.sub(r"\s+", " ", run(options.binary, "stats", snapshot).decode())[:200])
    for part in options.part.split(","):
        path = f"{options.folder}/{part}.pmtiles"
        if part == "tippecanoe":
            if not os.path.exists(lines):
                run(*tool, "--format", "geojsonl", "--tippecanoe", "-o", lines, snapshot, patience=3600)
            measure(options.binary, [options.tippecanoe, "-q", "-f", "-P", "-z9", "-o", path, "-l", "nodes", lines], path)
        else:
            zoom = ["--max-zoom", "9"] if part == "nine" else ["--sparse"]
            measure(options.binary, [*tool, "--format", "pmtiles", *zoom, "-o", path, snapshot], path)


if __name__ == "__main__":
    sys.exit(main())
