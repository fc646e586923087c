"""Builds the libraries with the oldest Swift that Package.swift names.

    check_oldest.py

The toolchain is the one in GEOMAPPER_OLDEST_SWIFT (a folder with `bin/swift`), or one that swiftly has installed. Without
one the check is skipped.
"""

import glob
import os
import re
import shutil
import subprocess
import tempfile
from typing import Optional

from outside import fail, skip

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILDING = 1500  # seconds


def oldest() -> str:
    """The version in the first line of Package.swift."""
    with open(os.path.join(REPOSITORY, "Package.swift"), encoding="utf-8") as file:
        found = re.match(r"// swift-tools-version:\s*(\d+\.\d+)", file.readline())
    if not found:
        fail("Package.swift names no version of Swift")
    return found.group(1)


def version(swift: str) -> Optional[str]:
    """The version of a compiler: major and minor."""
    done = subprocess.run([swift, "--version"], capture_output=True, text=True, check=False, timeout=60)
    found = re.search(r"Swift version (\d+\.\d+)", done.stdout + done.stderr)
    return found.group(1) if found else None


def main() -> None:
    """Runs the check."""
    wanted = oldest()
    folders = [os.environ.get("GEOMAPPER_OLDEST_SWIFT", "")]
    folders += sorted(glob.glob(os.path.expanduser(f"~/.local/share/swiftly/toolchains/{wanted}*/usr")))
    there = [os.path.join(folder, "bin", "swift") for folder in folders if folder]
    if usual := shutil.which("swift"):
        there.append(usual)
    swift = next((path for path in there if os.path.exists(path) and version(path) == wanted), None)
    if not swift:
        skip(f"no Swift {wanted} here: install it with swiftly, or name its folder in GEOMAPPER_OLDEST_SWIFT")
    with tempfile.TemporaryDirectory(prefix="geomapper-oldest.") as scratch:
        done = subprocess.run(
            [swift, "build", "--disable-index-store", "--package-path", REPOSITORY, "--scratch-path", scratch],
            capture_output=True, text=True, check=False, timeout=BUILDING)
    if done.returncode:
        fail(f"Swift {wanted} can't build the package:\n{(done.stdout + done.stderr)[-6000:]}")
    print(f"Swift {wanted} builds the package")


if __name__ == "__main__":
    main()
