#!/usr/bin/env python3
"""Maps a tree again and again while another process changes it at full speed.

    soak.py BINARY [--seconds N] [--files N] [--seed N]

Every map parses strictly, each feature comes after its folder, that folder's land contains it (if shapely is
installed), the status is 0 or 1, and nothing hangs. A `geomapper locate` that runs all the time may not gain
descriptors or memory. Between the maps, small deep trees are mapped with up to 1,000 threads, which must give the
same bytes as one thread.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from multiprocessing import Process
from pathlib import Path
from typing import List, Set, Tuple

from fuzz import parsed
from outside import fail, given, importable, raw_path, run, same, strict_json

if importable("shapely"):
    import check_geometry
else:
    check_geometry = None

FORMATS = ("geojson", "geojsonl", "geojsonseq", "csv", "gpx")


def change(tree: str, seed: int) -> None:
    """Creates, renames and deletes files without end."""
    chance, made = random.Random(seed), 0
    while True:
        folder = f"{tree}/{chance.randrange(100)}/{chance.randrange(10)}"
        made += 1
        try:
            os.mkdir(f"{folder}/new{made}")
            open(f"{folder}/new{made}/file", "w").close()
            os.rename(f"{folder}/new{made}", f"{folder}/old{made % 50}")
            os.rename(folder, f"{folder}x")
            os.rename(f"{folder}x", folder)
            if made % 3 == 0:
                shutil.rmtree(f"{folder}/old{made % 50}")
                os.symlink("/", f"{folder}/old{made % 50}")
                os.unlink(f"{folder}/old{made % 50}")
        except OSError:
            pass


def held(process: int) -> Tuple[int, int]:
    """A process's open descriptors and its memory in KiB."""
    status = Path(f"/proc/{process}/status").read_text()
    memory = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return len(os.listdir(f"/proc/{process}/fd")), int(memory.split()[1])


def mapped(binary: str, tree: str, kind: str, threads: int) -> Tuple[bytes, int]:
    """A map, and the peak of its memory in KiB."""
    # A small process in between, because the system counts the memory of the parent process for its child.
    launcher = (
        "import resource, subprocess, sys; status = subprocess.call(sys.argv[2:]);"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss;"
        "print(peak, file=open(sys.argv[1], 'w')); sys.exit(status)")
    with tempfile.NamedTemporaryFile() as peak:
        text = run(sys.executable, "-S", "-c", launcher, peak.name, binary, "map", "-q", "--threads", threads,
                   "--format", kind, tree, statuses=(0, 1))
        return text, int(peak.read())


def contained(lines: bytes) -> int:
    """The number of features whose folder comes before them and contains them."""
    seen: Set[bytes] = set()
    for line in lines.splitlines():
        feature = strict_json(line)
        path = raw_path(feature)
        if path in seen or (b"/" in path and path.rpartition(b"/")[0] not in seen):
            fail(f"{path!r} comes twice, or before its folder")
        if feature["properties"]["kind"] != "poi":
            seen.add(path)
    return check_geometry.check_settled(check_geometry.World(lines))["containments"] if check_geometry else 0


def hand_over(binary: str, tree: Path, chance: random.Random) -> None:
    """Maps a small deep tree with many threads and with one."""
    at = tree
    for _ in range(chance.randint(1, 40)):
        for number in range(chance.randint(1, 4)):
            (at / str(number)).mkdir(parents=True)
            (at / str(number) / "file").touch()
        at = at / "0"
    wanted, _ = mapped(binary, str(tree), "geojsonl", 1)
    for _ in range(20):
        threads = chance.choice((3, 8, 64, chance.randint(3, 1000), 1000))
        same(f"the map by {threads} threads", mapped(binary, str(tree), "geojsonl", threads)[0], wanted)
    shutil.rmtree(tree)


def question(resident: "subprocess.Popen[bytes]", chance: random.Random) -> None:
    """Asks a co-process about a path that may exist, or about a place."""
    assert resident.stdin is not None and resident.stdout is not None
    line = f'{{"path":"r/{chance.randrange(101)}/{chance.randrange(10)}/{chance.randrange(101)}"}}'
    if chance.random() < 0.3:
        line = f'{{"lon":{chance.uniform(-180, 180):.6f},"lat":{chance.uniform(-90, 90):.6f}}}'
    resident.stdin.write(line.encode() + b"\n")
    resident.stdin.flush()
    answer = resident.stdout.readline()
    if not answer.endswith(b"\n"):
        fail(f"the co-process ended at {line}: {answer!r}, status {resident.poll()}")
    strict_json(answer[:-1])


def main() -> None:
    options = given(__doc__, "binary", seconds=300.0, files=100_000, seed=1)
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="geomapper-soak-") as base:
        tree = f"{base}/tree"
        for number in range(1000):
            folder = f"{tree}/{number // 10}/{number % 10}"
            os.makedirs(folder)
            for file in range(options.files // 1000):
                open(f"{folder}/{file}", "w").close()
        changer = Process(target=change, args=(tree, options.seed), daemon=True)
        resident = subprocess.Popen([options.binary, "locate", "--root", f"r={tree}",
                                     "--coprocess"], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE)
        asked: List[Tuple[int, int]] = []
        end = time.monotonic() + options.seconds
        maps = pairs = handed = 0
        peaks: List[int] = []
        changer.start()
        try:
            while time.monotonic() < end:
                kind, threads = FORMATS[maps % len(FORMATS)], chance.randint(1, 8)
                text, peak = mapped(options.binary, tree, kind, threads)
                parsed(kind, text)
                if kind == "geojsonl":
                    pairs += contained(text)
                maps += 1
                peaks.append(peak)
                for _ in range(200):
                    question(resident, chance)
                asked.append(held(resident.pid))
                hand_over(options.binary, Path(base, "deep"), chance)
                handed += 20
        finally:
            changer.kill()
            resident.kill()
        # By half-time the tree has reached its size, and the co-process has cached the listings it needs.
        half = len(asked) // 2
        settled, final = asked[half], asked[-1]
        if final[0] > settled[0] or final[1] > settled[1] * 1.25 + 8192:
            fail(f"the co-process grows from {settled} to {final} (descriptors, KiB)")
        first, last = max(peaks[:half + 1]), max(peaks[half:])
        if last > first * 1.25 + 8192:
            fail(f"memory grows: {first} KiB in the first half's maps, {last} in the second's")
    print(f"soak: {maps} maps of {options.files} files under change, {pairs} features contained, "
          f"peak {min(peaks)} to {max(peaks)} KiB, the co-process from {asked[0]} at first to "
          f"{final} in the end, {settled} at half-time (descriptors, KiB); {handed} maps with up "
          f"to 1,000 threads" + ("" if check_geometry else "; containment was not looked at: no shapely"))


if __name__ == "__main__":
    main()
