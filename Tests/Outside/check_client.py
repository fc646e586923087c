"""Builds and runs a client of the libraries, which takes them by version from a repository.

    check_client.py [--scratch-path FOLDER]

The checkout's files are committed into a new repository with the tag of their version. The package in Tests/Client
depends on that version; it is built with `--explicit-target-dependency-import-check error`, and its programs are
run. Each imports one library.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from typing import List

from outside import fail, skip

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILDING = 1500  # seconds
RUNNING = 120


def run(arguments: List[str], seconds: int, **more: object) -> str:
    """Runs a program to its end, and returns its output."""
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=seconds, **more)
    if done.returncode:
        fail(f"{' '.join(arguments)} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-6000:]}")
    return done.stdout + done.stderr


def version() -> str:
    """The version of the checkout."""
    with open(os.path.join(REPOSITORY, "Sources/geomapper/Tool.swift"), encoding="utf-8") as file:
        found = re.search(r'"(\d+\.\d+\.\d+)"', file.read())
    if not found:
        fail("Tool.swift has no version")
    return found.group(1)


def make_repository(at: str) -> str:
    """Commits the checkout's files into a new repository named geomapper, with a tag."""
    path = os.path.join(at, "geomapper")
    listed = subprocess.run(
        ["git", "-C", REPOSITORY, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--",
         "Package.swift", "Sources", "Tests"],
        capture_output=True, check=True, timeout=RUNNING).stdout
    for name in filter(None, os.fsdecode(listed).split("\0")):
        source, target = os.path.join(REPOSITORY, name), os.path.join(path, name)
        if os.path.isfile(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)
    git = ["git", "-C", path, "-c", "user.name=Check", "-c", "user.email=check@example.org"]
    run(["git", "init", "-q", path], RUNNING)
    run([*git, "add", "-A"], RUNNING)
    run([*git, "commit", "-q", "-m", "The checkout"], RUNNING)
    run([*git, "tag", version()], RUNNING)
    return path


def main() -> None:
    """Runs the check."""
    parser = argparse.ArgumentParser(description="Builds and runs a client of the libraries.")
    parser.add_argument("--scratch-path", help="a folder for the build, which is kept")
    arguments = parser.parse_args()
    for program in ("swift", "git"):
        if not shutil.which(program):
            skip(f"no {program} here")
    with tempfile.TemporaryDirectory(prefix="geomapper-client.") as at:
        path = make_repository(at)
        client = os.path.join(at, "client")
        shutil.copytree(os.path.join(REPOSITORY, "Tests/Client"), client, ignore=shutil.ignore_patterns(".build"))
        environment = {**os.environ, "GEOMAPPER_REPOSITORY": path}
        options = ["--package-path", client, "--scratch-path", arguments.scratch_path or os.path.join(at, "build")]
        # The index is for editors.
        strict = ["--disable-index-store", "--explicit-target-dependency-import-check", "error"]
        printed = run(["swift", "build", *options, *strict], BUILDING, env=environment)
        warnings = [line for line in printed.splitlines() if "/Sources/" in line and "warning:" in line]
        if warnings:
            fail("the client has warnings:\n" + "\n".join(warnings))
        programs = run(["swift", "build", *options, "--show-bin-path"], RUNNING, env=environment).strip()
        for line in run([os.path.join(programs, "maps"), path], RUNNING).splitlines():
            print(line)
        for name in ("scans", "recordings", "views"):
            print(run([os.path.join(programs, name)], RUNNING).strip())
    print(f"a client builds with version {version()} of the libraries, and its programs run")


if __name__ == "__main__":
    main()
