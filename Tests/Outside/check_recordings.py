"""Checks recordings with independent readers: Python's JSON reads them, gpsbabel and xmllint the tracks made of them.
Two processes make, rename and remove files at full speed; the recorded events have to lead from the initial state
to the final one.

    check_recordings.py BINARY [--files N]
"""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from typing import Any, Dict, List, Optional, Set

from outside import fail

COORDINATES = {"latitude": 90, "longitude": 180}


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


def check_format(path: str) -> Dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    recording = json.loads(text)
    lines = text.split("\n")
    metadata, events = recording["metadata"], recording["events"]
    if lines[-2:] != ["]}", ""] or len(lines) != len(events) + 3 - (not events):
        fail(f"{path}: an event isn't on a line of its own")
    if metadata["version"] != "1.0" or metadata["eventCount"] != len(events):
        fail(f"{path}: the metadata is wrong: {metadata}")
    for name in ("duration", "eventCount"):
        field = lines[0].split(f'"{name}":', 1)[1].split(",", 1)[0]
        if len(field) != 20:
            fail(f"{path}: {name} takes {len(field)} columns")
    last = 0.0
    before: Optional[str] = None
    for event in events:
        if event["relativeTime"] < last or (before is not None and event["timestamp"] < before):
            fail(f"{path}: events aren't in the order of time: {event}")
        last, before = event["relativeTime"], event["timestamp"]
        if event["type"] == "location":
            data = event["data"]
            for name, most in COORDINATES.items():
                if abs(data["coordinate"][name]) > most:
                    fail(f"{path}: no place: {event}")
            if data["altitude"] != 100 * data["floor"] or data["floor"] != data["path"].count("/"):
                fail(f"{path}: another depth: {event}")
    if metadata["duration"] < last:
        fail(f"{path}: a duration of {metadata['duration']}, and an event at {last}")
    return recording


def check_places(binary: str, root: str, events: List[Dict[str, Any]]) -> int:
    """The places of remaining nodes equal those of the map, except where folders came or went since."""
    command = [binary, "map", "-q", root]
    features = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)["features"]
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


def record(binary: str, options: List[str], root: str, path: str) -> subprocess.Popen:
    process = subprocess.Popen([binary, "record", *options, "-o", path, root],
                               stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    if "recording" not in line:
        fail(f"it didn't begin: {line}")
    return process


def finish(process: subprocess.Popen) -> str:
    process.send_signal(signal.SIGTERM)
    try:
        said = process.communicate(timeout=300)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        fail("it doesn't end")
    if process.returncode != 0:
        fail(f"status {process.returncode}: {said}")
    return said


def tracks(binary: str, path: str, temporary: str, points: int) -> List[str]:
    gpx = os.path.join(temporary, "track.gpx")
    with open(gpx, "wb") as file:
        subprocess.run([binary, "track", "from", path], stdout=file, check=True)
    done = []
    if shutil.which("xmllint"):
        subprocess.run(["xmllint", "--noout", gpx], check=True)
        done.append("xmllint")
    if shutil.which("gpsbabel"):
        read = subprocess.run(
            ["gpsbabel", "-i", "gpx", "-f", gpx, "-o", "gpx", "-F", "-"],
            capture_output=True, check=True).stdout
        if read.count(b"<trkpt") != points:
            fail(f"gpsbabel read {read.count(b'<trkpt')} points of {points}")
        done.append("gpsbabel")
    return done


def wait_until_quiet(path: str) -> None:
    """Waits until the file stops growing: late changes are reported within two seconds, and then flushed."""
    size, since = -1, time.monotonic()
    while time.monotonic() - since < 3:
        now = os.stat(path).st_size
        if now != size:
            size, since = now, time.monotonic()
        time.sleep(0.2)


def may(binary: str, way: str) -> bool:
    """Whether a watching backend is available here."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([binary, "record", "-q", "--watch", way, "--for", "1ms", "-o", "-", folder],
                              capture_output=True, check=False).returncode == 0


def check(binary: str, way: str, files: int) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        root = os.path.join(temporary, "root")
        os.mkdir(root)
        for number in range(50):
            os.makedirs(os.path.join(root, f"old{number % 7}"), exist_ok=True)
            with open(os.path.join(root, f"old{number % 7}", f"f{number}"), "w") as file:
                file.write("x")
        start = there(root)
        path = os.path.join(temporary, "log.json")
        process = record(binary, ["--sample", "1s", "--watch", way], root, path)
        for number in range(20):
            with open(os.path.join(root, f"top{number}"), "w") as file:
                file.write("x" * number)
        workers = [multiprocessing.Process(target=storm, args=(os.path.join(root, f"old{n}"), n,
                                                              files)) for n in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        wait_until_quiet(path)
        said = finish(process)
        recording = check_format(path)
        events = recording["events"]
        lost = [event for event in events if event["type"] == "gap"]
        end, known = there(root), played(start, events)
        if known != end:
            few = sorted(known ^ end)[:10]
            fail(f"{len(known - end)} too many, {len(end - known)} too few: {few}")
        checked = check_places(binary, root, events)
        samples = [event["data"] for event in events if event["type"] == "sample"]
        plain = [path for path in end if not path.endswith("/")]
        sizes = sum(os.lstat(os.path.join(temporary, path)).st_size for path in plain)
        if not samples or (samples[-1]["files"], samples[-1]["bytes"]) != (len(plain), sizes):
            fail(f"the last sample says {samples[-1:]}, not {len(plain)} files of {sizes} bytes")
        points = sum(event["type"] == "location" for event in events)
        readers = tracks(binary, path, temporary, points)
        print(f"{way}: {len(events)} events, {len(lost)} gaps, {len(end)} entries at the end, all known; "
              f"{checked} places as on the map; read by json, {', '.join(readers) or 'nobody else'}; "
              f"{said.strip().splitlines()[-1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--files", type=int, default=20000, help="steps of each of two processes")
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.binary)
    for way in ("inotify", "fanotify"):
        if way == "inotify" or may(binary, way):
            check(binary, way, arguments.files)


if __name__ == "__main__":
    main()
