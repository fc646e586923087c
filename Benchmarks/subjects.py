"""The commands to compare: the tool with its most important options, the floor, and similar programs."""

import os
import shutil
import subprocess
import sys
from typing import List, NamedTuple, Optional, Sequence, Tuple

from harness import HERE, Subject, program

CORES = os.cpu_count() or 1
MAP = ["map", "-o", "{out}", "{dir}"]


def version_line(path: str) -> str:
    ran = subprocess.run([path, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = ran.stdout.decode(errors="replace").strip()
    return " ".join(text.splitlines()[0].split()) if ran.returncode == 0 and text else "unknown"


def find_tool(path: Optional[str]) -> str:
    """The path of the given tool; by default the release build of this repository."""
    found = shutil.which(path or os.path.join(HERE, os.pardir, ".build", "release", "geomapper"))
    if not found:
        sys.exit(f"{path or 'the tool'} is not found: swift build -c release --product geomapper")
    return os.path.realpath(found)


def of_tool(tool: str, variations: bool = True) -> List[Subject]:
    """The tool with its most important options, and its start alone."""
    version = version_line(tool)

    def threads(count: int) -> Subject:
        return Subject(f"geomapper --threads {count}", [tool, "map", "--threads", str(count), "-o", "{out}", "{dir}"], version)

    subjects = [
        Subject("geomapper", [tool, *MAP], version),
        Subject("geomapper --no-stat", [tool, "map", "--no-stat", *MAP[1:]], version),
        Subject("geomapper --zoom 4", [tool, "map", "--zoom", "4", *MAP[1:]], version),
        threads(1), Subject("geomapper --version", [tool, "--version"], version)]
    return subjects + [
        threads(2), threads(4), threads(16), Subject("geomapper to /dev/null", [tool, *MAP], version, "null"),
        Subject("geomapper to a pipe", [tool, *MAP], version, "pipe")] if variations else subjects


def floors() -> List[Subject]:
    """The program that makes only the necessary system calls, with one thread and with all processors."""
    return [Subject(f"floor, {count} thread{'s' * (count > 1)}", [program("floor"), str(count), "{out}", "{dir}"])
            for count in sorted({1, CORES})] if sys.platform == "linux" else []


class Peer(NamedTuple):
    """A similar program to compare the tool with."""

    name: str
    programs: Sequence[str]
    arguments: Sequence[str]
    mark: str  # text in its version, because other programs have the same name
    package: str

    def at(self, path: Optional[str], name: str = "") -> Optional[Subject]:
        version = version_line(path) if path else ""
        return Subject(name or self.name, [path or "", *self.arguments], version) if self.mark in version else None

    def installed(self) -> Optional[Subject]:
        return next(filter(None, (self.at(shutil.which(name)) for name in self.programs)), None)


PRINTED = ["{dir}", "-printf", "%s %T@ %y %p\\n"]
PEERS = [
    Peer("find", ["find", "gfind"], PRINTED, "GNU", "findutils"),
    Peer("bfs", ["bfs"], PRINTED, "bfs", "bfs"),
    Peer("fd", ["fd", "fdfind"], ["--unrestricted", "--color=never", ".", "{dir}"], "fd", "fd-find"),
    Peer("du", ["du", "gdu"], ["-a", "--apparent-size", "--block-size=1", "--time", "--time-style=+%s", "{dir}"],
         "coreutils", "coreutils"),
    Peer("ncdu", ["ncdu"], ["-0", "-e", "-o", "{out}", "{dir}"], "ncdu", "ncdu"),
    Peer("gdu", ["gdu", "gdu-go"], ["--non-interactive", "--no-progress", "--output-file", "{out}", "{dir}"], "Version", "gdu"),
    Peer("tree", ["tree"], ["-a", "-J", "-s", "-D", "--timefmt", "%s", "{dir}"], "tree", "tree"),
    Peer("ls", ["ls", "gls"], ["-lARn", "--time-style=+%s", "{dir}"], "coreutils", "coreutils"),
]
NEWEST_BFS = "git clone https://github.com/tavianator/bfs && cd bfs && ./configure --enable-release && make, then --bfs bin/bfs"


def peers_here(bfs: Optional[str]) -> Tuple[List[Subject], List[Tuple[str, str]]]:
    """The installed peers, and the missing ones with how to install them; `bfs` is the path of a second bfs."""
    subjects, missing = [], []
    for peer in PEERS:
        found = peer.installed()
        if found:
            subjects.append(found)
        else:
            missing.append((peer.name, f"apt or brew install {peer.package}"))
        if peer.name == "bfs" and bfs:
            given = peer.at(os.path.abspath(bfs)) if os.path.exists(bfs) else None
            if not given:
                sys.exit(f"--bfs: {bfs} is not a bfs")
            subjects.append(given._replace(name=f"bfs, {given.version.split()[1]}"))
        elif peer.name == "bfs" and not (found and int(found.version.split()[1].split(".")[0]) >= 4):
            missing.append(("bfs 4", NEWEST_BFS))
    return subjects, missing
