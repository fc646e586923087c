#!/usr/bin/env python3
"""Measures the cost of recordings, the delay of events, and whether events are complete after many changes.

    recordings.py GEOMAPPER [--scratch DIR] [--files N] [--seconds N] [--only PART,…] [--ways WAY,…]

The parts: `idle` (processor time and memory for a tree of N files, a million by default, without changes), `latency`
(from a change to its event on standard output), `storm` (two processes make, rename and remove 200,000 files in
100,000 folders; then the tree according to the events is compared with the disk), `replay` (the delay of played
events), `gpx` (a track of a million points). Each part that watches uses inotify and, if permitted, fanotify.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import select
import shutil
import subprocess
import sys
import tempfile
import time

from harness import compare, memory, processor, summary

from check_recordings import may, played, recording, there, wait_until_quiet  # pylint: disable=wrong-import-order

WAYS = ("inotify", "fanotify")


def idle(binary, scratch, files, seconds):
    root = os.path.join(scratch, "idle")
    for number in range(files // 20):
        folder = os.path.join(root, str(number % 200), str(number))
        os.makedirs(folder)
        for name in range(20):
            os.close(os.open(f"{folder}/file-{name:06}.txt", os.O_CREAT | os.O_WRONLY))
    ways = [(way, []) for way in WAYS] + [("fanotify", ["--no-repair", "-x"])] * ("fanotify" in WAYS)
    for way, options in ways:
        if not may(binary, way):
            continue
        start = time.monotonic()
        name = " ".join([way, *options[:1]])
        with recording(binary, way, os.path.join(scratch, f"idle-{name}.json"), root, *options) as process:
            ready = time.monotonic() - start
            time.sleep(2)
            before = processor(process.pid)
            time.sleep(seconds)
            after, (now, most) = processor(process.pid), memory(process.pid)
        print(f"idle, {name}: {files:,} files in {files // 20 + 200:,} folders read in {ready:.1f} s; "
              f"{100 * (after - before) / seconds:.2f} % of a processor over {seconds} s; {now:.1f} MiB, {most:.1f} at most", flush=True)
    shutil.rmtree(root)


def latency(binary, scratch, _files, _seconds):
    root = os.path.join(scratch, "late")
    os.makedirs(root)
    for number in range(2000):
        os.makedirs(f"{root}/{number % 40}/{number}")
    for way in WAYS:
        if not may(binary, way):
            continue
        times = []
        with recording(binary, way, "-", root) as process:
            process.stdout.readline()
            os.set_blocking(process.stdout.fileno(), False)
            rest = b""
            for number in range(2000):
                name = f"{way}-{number}"
                start = time.monotonic()
                os.close(os.open(f"{root}/{number % 40}/{number}/{name}", os.O_CREAT | os.O_WRONLY))
                while name.encode() not in rest:
                    if not select.select([process.stdout], [], [], 10)[0]:
                        sys.exit(f"{way}: {name} is not reported of")
                    rest = rest[-4096:] + (process.stdout.read() or b"")
                times.append(time.monotonic() - start)
                time.sleep(random.uniform(0, 0.004))
        print(f"latency, {way}: {summary([1000 * each for each in times])}", flush=True)
    shutil.rmtree(root)


def rage(root, seed, folders, files):
    """Makes, renames and removes files as fast as possible."""
    chance = random.Random(seed)
    paths = [root]
    made = 0
    for number in range(folders):
        path = f"{paths[chance.randrange(max(0, len(paths) - 500), len(paths))]}/{seed}-{number}"
        with contextlib.suppress(OSError):
            os.mkdir(path)
            paths.append(path)
        while made < files * (number + 1) // folders:
            made += 1
            folder = paths[chance.randrange(len(paths))]
            path = f"{folder}/f{seed}-{made}"
            with contextlib.suppress(OSError):
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
                act = chance.random()
                if act < 0.25:
                    os.rename(path, f"{paths[chance.randrange(len(paths))]}/r{seed}-{made}")
                elif act < 0.45:
                    os.unlink(path)
        if number % 50 == 49:
            at = chance.randrange(1, len(paths))
            with contextlib.suppress(OSError):
                os.rename(paths[at], f"{root}/m{seed}-{number}")
                paths[at] = f"{root}/m{seed}-{number}"


def storm(binary, scratch, _files, _seconds):
    for way in WAYS:
        if not may(binary, way):
            continue
        root, output = os.path.join(scratch, "storm"), os.path.join(scratch, f"storm-{way}.json")
        os.makedirs(root)
        with recording(binary, way, output, root) as process:
            start = time.monotonic()
            workers = [multiprocessing.Process(target=rage, args=(root, seed, 50_000, 100_000)) for seed in (1, 2)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            raged = time.monotonic() - start
            wait_until_quiet(output)
            _, most = memory(process.pid)
        with open(output, encoding="utf-8") as file:
            events = json.load(file)["events"]
        known, entries = played("storm", set(), events), there(root)
        lost = sum(event["type"] == "gap" for event in events)
        print(f"storm, {way}: {raged:.1f} s, {len(events):,} events; {len(entries):,} there, {len(entries - known)} of them not known, "
              f"{len(known - entries)} known that are not there; {lost} times changes were lost; {most:.0f} MiB at most", flush=True)
        shutil.rmtree(root)


def replay(binary, scratch, _files, _seconds):
    for speed in (0.1, 1, 10, 100, 1000):
        length, count = 8 * speed, 800
        name = os.path.join(scratch, "play.json")
        with open(name, "w", encoding="ascii") as file:
            file.write('{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","device":"d","systemVersion":"s"},"events":[\n')
            rows = [json.dumps({"type": "pause", "timestamp": "2026-01-05T14:30:00.000Z", "relativeTime": round(length * n / count, 6)},
                               separators=(",", ":")) for n in range(1, count + 1)]
            file.write(",\n".join(rows) + "\n]}\n")
        process = subprocess.Popen([binary, "replay", "--speed", str(speed), name], stdout=subprocess.PIPE)
        reader, times, rest = process.stdout.fileno(), [], b""
        while True:
            part = os.read(reader, 1 << 16)
            now = time.monotonic()
            if not part:
                break
            lines = (rest + part).split(b"\n")
            rest = lines.pop()
            times += [(json.loads(line)["relativeTime"] / speed, now) for line in lines if b'"relativeTime"' in line]
        process.wait()
        # The start is unknown: take it from the most punctual event.
        begin = min(now - due for due, now in times)
        late = [1000 * (now - due - begin) for due, now in times]
        print(f"replay, {speed:g} times, late by: {summary(late)}", flush=True)


def gpx(binary, scratch, _files, _seconds):
    name = os.path.join(scratch, "million.gpx")
    with open(name, "w", encoding="ascii") as file:
        file.write('<?xml version="1.0"?>\n<gpx version="1.1" creator="b" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n')
        for n in range(1_000_000):
            file.write(f'<trkpt lat="{45 + n % 9973 / 1e5:.7f}" lon="{8 + n / 1e5:.7f}"><ele>{n % 500}.5</ele>'
                       f"<time>2024-05-{1 + n // 86400:02}T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}Z</time></trkpt>\n")
        file.write("</trkseg></trk></gpx>\n")
    print(f"gpx: {os.path.getsize(name) / 1e6:.0f} MB")
    compare(binary, {"track info": [binary, "track", "info", name],
                     "track convert": [binary, "track", "convert", "-o", "/dev/null", name]}, 5)


PARTS = {"latency": latency, "replay": replay, "gpx": gpx, "storm": storm, "idle": idle}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("geomapper")
    parser.add_argument("--scratch", default=None)
    parser.add_argument("--files", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--ways", default=",".join(WAYS))
    given = parser.parse_args()
    globals()["WAYS"] = tuple(given.ways.split(","))
    for part in given.only.split(","):
        with tempfile.TemporaryDirectory(dir=given.scratch, prefix="geomapper-recordings.") as scratch:
            PARTS[part](os.path.abspath(given.geomapper), scratch, given.files, given.seconds)


if __name__ == "__main__":
    main()
