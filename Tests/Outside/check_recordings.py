"""Checks recordings with independent readers: Python's JSON reads them, gpsbabel and xmllint the tracks made of them.
Two processes make, rename and remove files at full speed; the recorded events have to lead from the initial state
to the final one.

    check_recordings.py BINARY [--files N]
"""

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from typing import Any, Dict, Iterator, List, Set

from outside import fail, given, installed, put, run, run_map, same


def storm(root: str, seed: int, steps: int) -> None:
    """Makes, renames and removes files and folders in a root, while other processes do the same."""
    rng = random.Random(seed)
    folders = [root]
    for step in range(steps):
        folder = folders[rng.randrange(len(folders))]
        path = os.path.join(folder, f"{seed}-{step}")
        try:
            action = rng.random()
            if action < 0.35:
                os.mkdir(path)
                folders.append(path)
            elif action < 0.75:
                with open(path, "w", encoding="utf-8") as file:
                    file.write("x" * rng.randrange(40))
            elif action < 0.9:
                names = os.listdir(folder)
                if names:
                    target = os.path.join(folders[rng.randrange(len(folders))], f"r{seed}-{step}")
                    os.rename(os.path.join(folder, rng.choice(names)), target)
            else:
                names = os.listdir(folder)
                if names:
                    victim = os.path.join(folder, rng.choice(names))
                    if os.path.isdir(victim) and rng.random() < 0.3:
                        shutil.rmtree(victim, ignore_errors=True)
                    elif not os.path.isdir(victim):
                        os.remove(victim)
        except OSError:
            folders = [folder for folder in folders if os.path.isdir(folder)] or [root]


def there(root: str) -> Set[str]:
    """The paths on the disk, those of folders with a slash at the end."""
    found: Set[str] = set()
    for folder, folders, files in os.walk(root):
        below = os.path.relpath(folder, os.path.dirname(root))
        found.update(os.path.join(below, name) + "/" for name in folders)
        found.update(os.path.join(below, name) for name in files)
    return found


def played(start: Set[str], events: List[Dict[str, Any]]) -> Set[str]:
    """The final state, computed only from the events."""
    paths = set(start)
    for event in events:
        if event["type"] != "location":
            continue
        data = event["data"]
        end = "" if data["kind"] == "poi" else "/"
        path = data["path"] + end
        if data["change"] == "deleted":
            paths.discard(path)
        elif data["change"] == "moved":
            old = data["from"] + end
            moved = {p for p in paths if p == old or end and p.startswith(old)}
            paths = (paths - moved) | {path + p[len(old):] for p in moved}
            paths.add(path)
        else:
            paths.add(path)
    return paths


def check_format(path: str) -> List[Dict[str, Any]]:
    """Reads a recording: events in the order of time, with their depths; RecordingFormatTests has the rest."""
    with open(path, encoding="utf-8") as file:
        recording = json.load(file)
    events, metadata = recording["events"], recording["metadata"]
    same("the number of events", metadata["eventCount"], len(events))
    times = [(event["relativeTime"], event["timestamp"]) for event in events]
    if any(late[0] < early[0] or late[1] < early[1] for early, late in zip(times, times[1:])):
        fail(f"{path}: events aren't in the order of time")
    if times and metadata["duration"] < times[-1][0]:
        fail(f"{path}: a duration of {metadata['duration']}, and an event at {times[-1]}")
    for data in (event["data"] for event in events if event["type"] == "location"):
        place, floor = data["coordinate"], data["path"].count("/")
        if abs(place["latitude"]) > 90 or abs(place["longitude"]) > 180 or (data["floor"], data["altitude"]) != (floor, 100 * floor):
            fail(f"{path}: no place, or another depth: {data}")
    return events


def check_places(binary: str, root: str, events: List[Dict[str, Any]]) -> int:
    """The places of remaining nodes equal those of the map, except where folders came or went since."""
    features = json.loads(run_map(binary, root))["features"]
    places = {f["properties"]["path"]: f["geometry"]["coordinates"] for f in features
              if f["geometry"]["type"] == "Point"}
    checked = 0
    for event in events:
        data = event.get("data", {})
        if event["type"] != "location" or data["kind"] != "poi":
            continue
        if data["change"] != "deleted" and data["path"].count("/") == 1 and data["path"] in places:
            # Directly in the root, where the test makes no folders.
            place = [data["coordinate"]["longitude"], data["coordinate"]["latitude"]]
            if place != places[data["path"]]:
                fail(f"{data['path']} is at {places[data['path']]}, not at {place}")
            checked += 1
    return checked


@contextlib.contextmanager
def recording(binary: str, output: str, root: str, *options: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Runs a recorder within the block, which begins after its scan."""
    process = subprocess.Popen([binary, "record", "-o", output, *options, root],
                               stdout=subprocess.PIPE if output == "-" else None, stderr=subprocess.PIPE)
    assert process.stderr
    for line in process.stderr:
        if b"Ctrl-C ends it" in line:
            break
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.stderr.read()
    same("the recorder's status", process.wait(), 0)


def tracks(binary: str, path: str, temporary: str, points: int) -> List[str]:
    """Makes a track; other programs have to read all its points. Returns their names."""
    gpx = os.path.join(temporary, "track.gpx")
    run(binary, "track", "from", "-o", gpx, path)
    readers = installed("xmllint", "gpsbabel")
    if "xmllint" in readers:
        run("xmllint", "--noout", gpx)
    if "gpsbabel" in readers:
        read = run("gpsbabel", "-i", "gpx", "-f", gpx, "-o", "gpx", "-F", "-")
        same("points read by gpsbabel", read.count(b"<trkpt"), points)
    return readers


def wait_until_quiet(path: str) -> None:
    """Waits until the file stops growing: late changes are reported within two seconds, and then flushed."""
    size, since = -1, time.monotonic()
    while time.monotonic() - since < 3:
        now = os.stat(path).st_size
        if now != size:
            size, since = now, time.monotonic()
        time.sleep(0.2)


def check(binary: str, steps: int) -> None:
    """Records two processes that change a tree, and checks the recording."""
    with tempfile.TemporaryDirectory() as temporary:
        root, path = os.path.join(temporary, "root"), os.path.join(temporary, "log.json")
        put(root, {f"old{number % 7}/f{number}": "x" for number in range(50)})
        start = there(root)
        with recording(binary, path, root, "--sample", "1s"):
            put(root, {f"top{number}": number for number in range(20)})
            workers = [multiprocessing.Process(target=storm, args=(os.path.join(root, f"old{n}"), n, steps))
                       for n in range(2)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            wait_until_quiet(path)
        events = check_format(path)
        lost = [event for event in events if event["type"] == "gap"]
        end = there(root)
        same("the entries by the events", played(start, events), end)
        checked = check_places(binary, root, events)
        samples = [(event["data"]["files"], event["data"]["bytes"]) for event in events if event["type"] == "sample"]
        plain = [path for path in end if not path.endswith("/")]
        sizes = sum(os.lstat(os.path.join(temporary, path)).st_size for path in plain)
        same("the last sample", samples[-1:], [(len(plain), sizes)])
        readers = tracks(binary, path, temporary, sum(event["type"] == "location" for event in events))
        print(f"{len(events)} events, {len(lost)} gaps, {len(end)} entries at the end, all known; "
              f"{checked} places as on the map; read by json, {', '.join(readers) or 'no other'}")


def main() -> None:
    options = given(__doc__, "binary", files=10000)  # steps of each of two processes
    check(options.binary, options.files)


if __name__ == "__main__":
    main()
