#!/usr/bin/env python3
"""Measures how many questions a second the co-process answers on one core, with cached listings.

    swift build -c release
    Benchmarks/questions.py .build/release/geomapper DIR [QUESTIONS]

Files of the map of DIR are chosen at random, the same ones each time. Each is looked up by its path
(locate) and by its place (whereis), once to read the listings and twice more. The processor time of the
last two, beyond that of the first, is the cost of the questions: medians of some runs each.
"""

import csv
import io
import json
import random
import subprocess
import sys
import tempfile

from harness import compare

from outside import given

RUNS = 5


def sample(tool, folder, count):
    chosen = random.Random(1)
    kept = []
    with subprocess.Popen(
        [tool, "map", "-q", "--format", "csv", folder], stdout=subprocess.PIPE,
    ) as run, io.TextIOWrapper(run.stdout, encoding="utf-8", newline="") as text:
        files = (row for row in csv.reader(text) if row[1] == "poi")
        for number, row in enumerate(files):
            place = number if number < count else chosen.randrange(number + 1)
            if place < count:
                kept[place:place + 1] = [(row[0], row[6], row[7])]
    # Leave out paths that are not UTF-8: the output has replacement characters in place of their bytes.
    kept = [row for row in kept if "\ufffd" not in row[0]]
    chosen.shuffle(kept)
    return kept


def main():
    options = given(__doc__, "binary", "folder", "questions?")
    tool, folder = options.binary, options.folder
    files = sample(tool, folder, int(options.questions or 100_000))
    if not files:
        sys.exit(f"there is no file on the map of {folder}")
    kinds = {
        "locate": (json.dumps({"path": path}) for path, _, _ in files),
        "whereis": (f'{{"lon":{lon},"lat":{lat}}}' for _, lon, lat in files),
    }
    with tempfile.TemporaryDirectory() as scratch:
        commands = {}
        for kind, lines in kinds.items():
            questions = "".join(line + "\n" for line in lines)
            for times in (1, 3):
                name = f"{kind}, {times} times"
                with open(f"{scratch}/{name}", "w", encoding="utf-8") as file:
                    file.write(times * questions)
                commands[name] = ["sh", "-c", 'exec "$0" locate --coprocess --root "$1" < "$2"', tool, folder,
                                  f"{scratch}/{name}"]
        found = compare(commands, RUNS)
    for kind in kinds:
        first, thrice = (found[f"{kind}, {times} times"].processor for times in (1, 3))
        price = (thrice - first) / (2 * len(files))
        print(
            f"{kind:8} {price * 1e6:6.1f} µs, {1 / max(price, 1e-9):9,.0f} a second; "
            f"{first / len(files) * 1e6:.1f} µs while listings are read")


if __name__ == "__main__":
    main()
