#!/usr/bin/env python3
"""Measures the cost of recordings, and the delay of events.

    recordings.py GEOMAPPER [--scratch DIR] [--files N] [--seconds N] [--only PART,…]

The parts: `idle` (processor time and memory for a tree of N files, a million by default, without changes), `latency`
(from a change to its event on standard output), `gpx` (a track of a million points). check_recordings.py checks that events are complete after many changes.
"""

import os
import random
import select
import shutil
import sys
import tempfile
import time

from client import memory, processor
from figures import summary
from harness import compare

from check_recordings import recording
from outside import given


def idle(binary, scratch, files, seconds):
    root = os.path.join(scratch, "idle")
    for number in range(files // 20):
        folder = os.path.join(root, str(number % 200), str(number))
        os.makedirs(folder)
        for name in range(20):
            os.close(os.open(f"{folder}/file-{name:06}.txt", os.O_CREAT | os.O_WRONLY))
    start = time.monotonic()
    with recording(binary, os.path.join(scratch, "idle.json"), root) as process:
        ready = time.monotonic() - start
        time.sleep(2)
        before = processor(process.pid)
        time.sleep(seconds)
        after, (now, most) = processor(process.pid), memory(process.pid)
    print(f"idle: {files:,} files in {files // 20 + 200:,} folders read in {ready:.1f} s; "
          f"{100 * (after - before) / seconds:.2f} % of a processor over {seconds} s; "
          f"{now:.1f} MiB, {most:.1f} at most", flush=True)
    shutil.rmtree(root)


def latency(binary, scratch, _files, _seconds):
    root = os.path.join(scratch, "late")
    os.makedirs(root)
    for number in range(2000):
        os.makedirs(f"{root}/{number % 40}/{number}")
    times = []
    with recording(binary, "-", root) as process:
        process.stdout.readline()
        os.set_blocking(process.stdout.fileno(), False)
        rest = b""
        for number in range(2000):
            name = f"new-{number}"
            start = time.monotonic()
            os.close(os.open(f"{root}/{number % 40}/{number}/{name}", os.O_CREAT | os.O_WRONLY))
            while name.encode() not in rest:
                if not select.select([process.stdout], [], [], 10)[0]:
                    sys.exit(f"{name} is not reported")
                rest = rest[-4096:] + (process.stdout.read() or b"")
            times.append(time.monotonic() - start)
            time.sleep(random.uniform(0, 0.004))
    print(f"latency: {summary([1000 * each for each in times])}", flush=True)
    shutil.rmtree(root)


def gpx(binary, scratch, _files, _seconds):
    name = os.path.join(scratch, "million.gpx")
    with open(name, "w", encoding="ascii") as file:
        file.write('<?xml version="1.0"?>\n<gpx version="1.1" creator="b" '
                   'xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n')
        for n in range(1_000_000):
            time_of_day = f"{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}"
            file.write(f'<trkpt lat="{45 + n % 9973 / 1e5:.7f}" lon="{8 + n / 1e5:.7f}"><ele>{n % 500}.5</ele>'
                       f"<time>2024-05-{1 + n // 86400:02}T{time_of_day}Z</time></trkpt>\n")
        file.write("</trkseg></trk></gpx>\n")
    print(f"gpx: {os.path.getsize(name) / 1e6:.0f} MB")
    compare({"track info": [binary, "track", "info", name],
             "track convert": [binary, "track", "convert", "-o", "/dev/null", name]}, 5)


PARTS = {"latency": latency, "gpx": gpx, "idle": idle}


def main():
    options = given(__doc__, "binary", scratch=None, files=1_000_000, seconds=60, only=",".join(PARTS))
    for part in options.only.split(","):
        with tempfile.TemporaryDirectory(dir=options.scratch, prefix="geomapper-recordings.") as scratch:
            PARTS[part](options.binary, scratch, options.files, options.seconds)


if __name__ == "__main__":
    main()
