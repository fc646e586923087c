"""Runs commands in rounds and measures them: the tool, the floor, and similar programs.

Commands are started by `launch`, a small program in C, which is built when it is needed. The folder of the checks is on
Python's path after this import.
"""

import functools
import os
import random
import shlex
import shutil
import subprocess
import sys
import time
from typing import Any, Callable, Dict, IO, List, NamedTuple, Optional, Sequence, Tuple

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "Tests", "Outside"))

from figures import Summary, significant, table  # noqa: E402

LIMIT = int(os.environ.get("GEOMAPPER_BENCH_LIMIT", 900))  # seconds after which a program is killed
FAILED = 2  # the lowest status that means failure; 1 means unreadable entries
MIB = 2 ** 20
CORES = os.cpu_count() or 1
MAP = ["map", "-o", "{out}", "{dir}"]


@functools.lru_cache(maxsize=None)
def program(name: str) -> str:
    """The path of a program in `native`, built if missing; GEOMAPPER_BENCH_PROGRAMS names another folder for them."""
    folder = os.environ.get("GEOMAPPER_BENCH_PROGRAMS", os.path.join(HERE, ".build"))
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        kind = ["-fPIC", "-shared"] if name.endswith(".so") else []
        source = os.path.join(HERE, "native", os.path.splitext(name)[0] + ".c")
        subprocess.run(["cc", "-std=c11", "-O2", "-pthread", *kind, source, "-o", path, "-ldl"], check=True)
    return path


def make_tree(shape: str, path: str, files: int, folders: int) -> None:
    subprocess.run([sys.executable, os.path.join(HERE, "make_tree.py"), shape, path, "--files", str(files), "--folders",
                    str(folders)], check=True, stdout=subprocess.DEVNULL)


class Subject(NamedTuple):
    """A command to measure, with `{dir}` and `{out}` for the tree and the output file."""

    name: str
    command: Sequence[str]
    version: str = ""
    sink: str = "file"  # or "null" for /dev/null, or "pipe"

    def words(self, folder: str, output: str) -> List[str]:
        target = {"file": output, "null": "/dev/null", "pipe": "-"}[self.sink]
        return [{"{dir}": folder, "{out}": target}.get(word, word) for word in self.command]

    def text(self, folder: str) -> str:
        """The command as a user would type it."""
        text = shlex.join(self.words(folder, "FILE"))
        if self.sink == "pipe":
            return text + " | cat > /dev/null"
        return text if "{out}" in self.command else text + (" > /dev/null" if self.sink == "null" else " > FILE")


class Run(NamedTuple):
    """One run of a command: its round, figures, and the bytes that it wrote. `peak` is in bytes."""

    round: int
    status: int
    seconds: float
    user: float
    system: float
    peak: int
    faults: int
    switches: int
    output: int = 0


class Series:
    def __init__(self, subject: Subject, folder: str) -> None:
        self.name, self.version, self.command = subject.name, subject.version, subject.text(folder)
        self.runs: List[Run] = []

    def values(self, figure: str) -> List[float]:
        return [getattr(run, figure) for run in self.runs]

    def median(self, figure: str) -> float:
        return Summary(self.values(figure)).median

    def ratio(self, other: "Series") -> Optional[float]:
        """The median of the ratios of this series' times to another's, round by round."""
        base = {run.round: run.seconds for run in other.runs}
        ratios = [run.seconds / base[run.round] for run in self.runs if base.get(run.round)]
        return Summary(ratios).median if ratios else None

    def json(self) -> Dict[str, Any]:
        return {"name": self.name, "command": self.command, "version": self.version, "runs": [run._asdict() for run in self.runs]}


def launch(command: Sequence[str], output: str, number: int, reader: Optional[Callable[[IO[bytes]], int]] = None) -> Run:
    """Measures one run of a command, with its output in a file, or in a pipe that `reader` reads."""
    receiver, sender = os.pipe()
    with subprocess.Popen(
            [program("launch"), str(sender), str(LIMIT), "-" if reader else output, *command], pass_fds=[sender],
            stdout=subprocess.PIPE if reader else None) as process:
        os.close(sender)
        written = reader(process.stdout) if reader and process.stdout else 0
        with os.fdopen(receiver) as report:
            figures = [int(word) for word in report.read().split()]
    if len(figures) != 7:
        sys.exit(f"{command[0]} could not be measured")
    status, clock, user, system, *others = figures
    return Run(number, status, clock / 1e9, user / 1e6, system / 1e6, *others, output=written)


def drain(pipe: IO[bytes], rate: float = 0, seconds: float = 0) -> int:
    """Reads a pipe to its end, at first at `rate` bytes a second; returns the number of bytes."""
    begin, total = time.monotonic(), 0
    while data := os.read(pipe.fileno(), 1 << 16):
        total += len(data)
        passed = time.monotonic() - begin
        if passed < seconds and total / rate > passed:
            time.sleep(min(total / rate, seconds) - passed)
    return total


def drop_caches() -> None:
    """Drops the kernel's caches of disks; needs Linux and root."""
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3\n")


def measure_once(subject: Subject, folder: str, output: str, number: int) -> Run:
    """Runs a subject once; its output is a new file, flushed to disk so that the next run need not wait for it."""
    words = subject.words(folder, output)
    if subject.sink == "pipe":
        return launch(words, "-", number, drain)
    if subject.sink == "null":
        return launch(words, "/dev/null", number)
    if os.path.exists(output):
        os.remove(output)
    run = launch(words, "/dev/null" if "{out}" in subject.command else output, number)
    if not os.path.exists(output):
        return run
    with open(output, "rb") as file:
        os.fsync(file.fileno())
    return run._replace(output=os.path.getsize(output))


def measure(subjects: Sequence[Subject], folder: str = "", output: str = "", runs: int = 7, cold: bool = False,
            quiet: bool = True) -> List[Series]:
    """Measures subjects on a tree, each once to warm up and then in rounds, in another order each time.

    Outputs go to `output` with the number of the subject. Subjects that fail are named and left out.
    """
    series = [Series(subject, folder) for subject in subjects]
    broken = set()
    dice = random.Random(1)
    for number in range(runs + 1):
        # The order is random because a run leaves traces in caches, which affect the next one.
        for index in dice.sample(range(len(subjects)), len(subjects)):
            if index in broken:
                continue
            if cold:
                drop_caches()
            run = measure_once(subjects[index], folder, f"{output}.{index}", number)
            if run.status >= FAILED:
                why = "takes too long and is killed" if run.seconds >= LIMIT > 0 else f"fails with status {run.status}"
                note(f"{subjects[index].name} {why}")
                broken.add(index)
            elif number > 0:
                series[index].runs.append(run)
        if not quiet:
            note(f"round {number} of {runs}" if number else "warmed up")
    return [one for index, one in enumerate(series) if index not in broken]


def note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


COLUMNS = ["", "median s", "min–max s", "IQR", "ratio", "ns/entry", "peak MiB", "user s", "system s", "output MiB", "status"]


def row(series: Series, base: Optional[Series] = None, entries: int = 0) -> List[str]:
    """The figures of a series as `COLUMNS`; ratios are to `base`."""
    if not series.runs:
        return [series.name]
    time_taken = Summary(series.values("seconds"))
    ratio = series.ratio(base) if base else None
    output = series.median("output")
    return [
        series.name, significant(time_taken.median),
        f"{significant(time_taken.minimum)}–{significant(time_taken.maximum)}", f"{time_taken.spread * 100:.1f} %",
        f"{significant(ratio)}×" if ratio is not None else "–",
        significant(time_taken.median / entries * 1e9) if entries else "–", significant(series.median("peak") / MIB),
        significant(series.median("user")), significant(series.median("system")),
        significant(output / MIB) if output else "–", str(max(run.status for run in series.runs))]


class Figures(NamedTuple):
    """Medians of the runs of a command, and its peak memory."""

    seconds: float
    processor: float  # processor seconds, including the system's
    peak: float  # MiB


def compare(commands: Dict[str, Sequence[str]], rounds: int = 7) -> Dict[str, Figures]:
    """Runs all commands in rounds, prints a table with ratios to the first, and returns the figures."""
    for command in commands.values():
        if not shutil.which(command[0]):
            sys.exit(f"{command[0]} is not installed")
    series = measure([Subject(name, command, sink="null") for name, command in commands.items()], runs=rounds)
    print(table([COLUMNS] + [row(one, series[0]) for one in series]), flush=True)
    if len(series) != len(commands):
        sys.exit("a command fails: see above")
    return {one.name: Figures(
        one.median("seconds"), Summary([run.user + run.system for run in one.runs]).median,
        max(one.values("peak")) / MIB) for one in series}


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

    def mapped(options: str, name: str = "", sink: str = "file") -> Subject:
        return Subject(f"geomapper{name or options}", [tool, "map", *options.split(), *MAP[1:]], version, sink)

    subjects = [mapped(options) for options in ("", " --no-stat", " --zoom 4", " --threads 1")]
    subjects.append(Subject("geomapper --version", [tool, "--version"], version))
    return subjects + [mapped(f" --threads {count}") for count in (2, 4, 16)] + [
        mapped("", " to /dev/null", "null"), mapped("", " to a pipe", "pipe")] if variations else subjects


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
