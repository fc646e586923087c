#!/usr/bin/env python3
"""Takes away room and time from a comparison that doesn't fit into memory.

    check_scratch.py BINARY

Two states differ in so much that part of it goes into a scratch file. Scratch files may have more and more room, up to
enough: each time the output is whole, or there is none, an older file is as it was, and a message names TMPDIR. Then
signals end it while it has put something away. Nothing may be left of scratch files.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from typing import List, Optional, Tuple

from outside import fail

FILES = 120_000
OPTIONS = ["diff", "-q", "--format", "csv"]
PATIENCE = 60  # seconds
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)


def make(work: str) -> List[str]:
    """Two lists as `find -printf '%s %T@ %y %p\\0'` has them, without a file in common."""
    names = []
    for name in ("old", "new"):
        names.append(os.path.join(work, name))
        with open(names[-1], "w", encoding="utf-8") as file:
            file.write("0 1700000000.5 d /r\0")
            for number in range(FILES):
                file.write(f"{number + 1} {1_700_000_000 + number}.25 f /r/{name} {number}\0")
    return names


class Run:
    """A comparison that writes to a file which is there already."""

    def __init__(self, binary: str, work: str, states: List[str], most: Optional[int] = None) -> None:
        self.scratch = os.path.join(work, "scratch")
        self.output = os.path.join(work, "out", "changes.csv")
        for path in (self.scratch, self.output):
            os.makedirs(path if path == self.scratch else os.path.dirname(path), exist_ok=True)
        with open(self.output, "w", encoding="utf-8") as file:
            file.write("old")

        def limit() -> None:
            if most is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [binary, *OPTIONS, "-o", self.output, *states], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ, TMPDIR=self.scratch), preexec_fn=limit)

    def scratch_files(self) -> List[int]:
        """The sizes of the files without a name that it has open."""
        sizes = []
        folder = f"/proc/{self.process.pid}/fd"
        for number in os.listdir(folder) if os.path.isdir(folder) else []:
            try:
                if os.readlink(f"{folder}/{number}").startswith(self.scratch):
                    sizes.append(os.stat(f"{folder}/{number}").st_size)
            except OSError:
                continue
        return sizes

    def finish(self) -> Tuple[int, str, bytes]:
        """Its status, what it says, and what is in the output file."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        if os.listdir(self.scratch):
            fail(f"of scratch files {os.listdir(self.scratch)} are left")
        if self.process.returncode != -signal.SIGKILL and os.listdir(os.path.dirname(self.output)) != ["changes.csv"]:
            fail(f"beside the output are {os.listdir(os.path.dirname(self.output))}")
        with open(self.output, "rb") as file:
            return self.process.returncode, errors.decode(), file.read()


def check_room(binary: str, work: str, states: List[str], usual: bytes) -> int:
    """With a little more room each time; how often there was too little."""
    most, count = 16 << 10, 0
    while True:
        status, errors, written = Run(binary, work, states, most).finish()
        if status == 0:
            if written != usual:
                fail(f"with {most} bytes a file the output is another one")
            return count
        if status != 3 or written != b"old" or "File too large" not in errors:
            fail(f"with {most} bytes a file: status {status}, {errors!r}, {written[:40]!r}")
        if "TMPDIR" not in errors and "can't write" not in errors:
            fail(f"with {most} bytes a file nobody says what to do: {errors!r}")
        most, count = most * 2, count + 1


def check_signal(binary: str, work: str, states: List[str], number: signal.Signals) -> bool:
    """A signal once three scratch files hold something, those of both lists and the comparison's; whether it came in time."""
    run = Run(binary, work, states)
    start = time.monotonic()
    while run.process.poll() is None and sum(size > 0 for size in run.scratch_files()) < 3:
        if time.monotonic() - start > PATIENCE:
            fail("it has no scratch file of its own")
    run.process.send_signal(number)
    status, errors, written = run.finish()
    if status == 0:
        return False
    if status != -number or errors or written != b"old":
        fail(f"{number.name}: status {status}, {errors!r}, {written[:40]!r}")
    return True


def main() -> None:
    binary = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="geomapper-scratch.") as work:
        states = make(work)
        status, errors, usual = Run(binary, work, states).finish()
        if status != 0 or usual.count(b"\r\n") < FILES:
            fail(f"status {status}: {errors}")
        count = check_room(binary, work, states, usual)
        for number in SIGNALS:
            if not any(check_signal(binary, work, states, number) for _ in range(10)):
                fail(f"{number.name} never came in time")
            for name in os.listdir(os.path.join(work, "out")):
                os.remove(os.path.join(work, "out", name))
    print(f"{count} times there was too little room, and {len(SIGNALS)} signals came: nothing was left, and no file was half written")


if __name__ == "__main__":
    main()
