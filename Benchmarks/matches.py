#!/usr/bin/env python3
"""Measures how soon the light table has its first answer and its last.

    Benchmarks/matches.py GEOMAPPER DIR [QUERY...]

Serves DIR and asks /matches for each QUERY (some usual ones if none is given), each several times; told
are the times to the first line with files, to the last line, and the bytes of the answer.
"""

import os
import statistics
import sys
import time
import urllib.request

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "Tests", "Outside"))

# pylint: disable=wrong-import-position
from served import serving  # noqa: E402

QUERIES = ["name=*.log", "name=e", "type=code", "size=%2B1000000&older=1700000000", "newer=0"]
TIMES = 5


def main() -> None:
    binary, directory, *queries = sys.argv[1:]
    with serving(binary, directory) as server:
        for query in queries or QUERIES:
            first, last, size, files = [], [], 0, b""
            for _ in range(TIMES):
                start = time.monotonic()
                size, seen = 0, None
                with urllib.request.urlopen(f"{server.address}matches?{query}") as answer:
                    for line in answer:
                        size += len(line)
                        if seen is None and b'"folders":[]' not in line:
                            seen = time.monotonic() - start
                        files = line
                last.append(time.monotonic() - start)
                first.append(last[-1] if seen is None else seen)
            count = files.split(b",", 1)[0].decode().rpartition(":")[2]
            print(f"{query}: {count} files, first after {statistics.median(first):.3f} s, all after"
                  f" {statistics.median(last):.3f} s, {size} bytes")


if __name__ == "__main__":
    main()
