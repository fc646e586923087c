#!/usr/bin/env python3
"""Measures `geomapper map`: README.md has the commands and what the figures mean."""

import argparse
import contextlib
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import chart
from figures import Comparison, significant, table
from harness import COLUMNS, CORES, MAP, MIB, PEERS, Series, Subject, drain, find_tool, floors, launch, make_tree, measure
from harness import note, of_tool, peers_here, program, row, version_line

# The usual files and folders of the awkward shapes; make_tree.py explains them.
SHAPES = {"flat": (1_000_000, 1), "wide": (0, 300_001), "deep": (3_000, 3_000), "empty": (0, 100_000),
          "lopsided": (520_000, 5_001), "long": (20_000, 2_000)}
SLOW = "slow pipe"  # its times mean nothing
RATE = 1 << 20  # bytes a second


class Tree(NamedTuple):
    name: str
    path: str
    files: int
    folders: int

    @property
    def entries(self) -> int:
        return self.files + self.folders


class Trees(contextlib.AbstractContextManager):
    """A folder of made trees for one run: existing ones are used again, those made are removed at the end, unless kept.

    All trees are made before the first measurement: for some minutes, ext4 avoids the inodes of removed files and takes
    ten times as long to find others. An incomplete tree has another name.
    """

    def __init__(self, path: str, keep: bool = False) -> None:
        self.path, self.keep = os.path.abspath(path), keep
        self.is_new = not os.path.exists(path)
        os.makedirs(path, exist_ok=True)
        self.made: List[str] = []
        self.output = f"{self.path}/output"  # on the file system of the trees, but in none of them

    def tree(self, shape: str, files: int, folders: int) -> Tree:
        path = f"{self.path}/{shape}-{files}-{folders}"
        if not os.path.isdir(path):
            draft = f"{path}.part"
            if os.path.exists(draft):
                sys.exit(f"{draft} was not completed, or is being made: remove it, or wait")
            self.made += [draft, path]
            start = time.monotonic()
            make_tree(shape, draft, files, folders)
            os.rename(draft, path)
            note(f"made {shape}, {files + folders:,} entries, in {time.monotonic() - start:.1f} s")
        return Tree(shape, path, files, folders)

    def homes(self, maximum: int) -> List[Tree]:
        """Homes of 1,000 files, ten times as many, and so on."""
        sizes = [1000 * 10 ** power for power in range(10) if 1000 * 10 ** power <= maximum]
        return [self.tree("home", files, files * 6 // 100) for files in sizes]

    def awkward(self, factor: float = 1, sizes: Optional[Dict[str, int]] = None, only: Optional[List[str]] = None) -> List[Tree]:
        """Trees of the awkward shapes, each a factor or a number times its usual size."""
        made = []
        for shape in only or SHAPES:
            usual = SHAPES[shape]
            part = sizes[shape] / max(usual) if sizes and shape in sizes else factor
            made.append(self.tree(shape, int(usual[0] * part), max(1, int(usual[1] * part))))
        return made

    def waiting(self, files: int) -> Tree:
        """A home with more folders than usual, because each folder causes waits."""
        return self.tree("home", files, max(1, files // 10))

    def __exit__(self, *_: object) -> None:
        if self.keep:
            return
        for path in self.made:
            shutil.rmtree(path, ignore_errors=True)
        with contextlib.suppress(OSError):
            if self.is_new:
                os.rmdir(self.path)


def machine(folder: str) -> Dict[str, Any]:
    processor = memory = None
    if sys.platform == "linux":
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            processor = re.search(r"model name\s*: (.*)", file.read())
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    kind = subprocess.run(["df", "--output=fstype", folder], capture_output=True, text=True, check=False).stdout.split()
    return {"processor": processor[1] if processor else platform.processor() or "unknown", "cores": CORES, "memory": memory,
            "kernel": f"{platform.system()} {platform.release()}", "fileSystem": kind[-1] if kind else "unknown"}


class Report:
    def __init__(self, kind: str, folder: str, conditions: str = "") -> None:
        self.kind, self.machine, self.conditions = kind, machine(folder), conditions
        self.date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.trees: List[Tuple[Optional[Tree], List[Series]]] = []
        self.missing: List[Tuple[str, str]] = []

    @property
    def series(self) -> List[Series]:
        return self.trees[0][1]

    @property
    def versions(self) -> List[Tuple[str, str]]:
        """The measured programs, each once."""
        return list(dict.fromkeys((one.name.split(",")[0].split()[0], one.version) for one in self.series if one.version))

    def named(self, name: str) -> Optional[Series]:
        return next((one for one in self.series if one.name == name), None)

    @property
    def tree_text(self) -> str:
        tree = self.trees[0][0]
        counts = f"{tree.files:,} files in {tree.folders:,} folders" if tree and len(self.trees) == 1 else ""
        return ", ".join(filter(None, [counts, self.conditions]))

    def text(self) -> str:
        """The figures of all series, the versions, and the missing programs."""
        several = len(self.trees) > 1
        rows = [(["tree", "entries"] if several else []) + COLUMNS]
        for tree, series in self.trees:
            base = next((one for one in series if one.name == "geomapper"), series[0])
            for one in series:
                place = [tree.name, f"{tree.entries:,}"] if tree and several else []
                rows.append(place + row(one, base, tree.entries if tree and one.name != SLOW else 0))
        lines = [table(rows), "", f"ratios are to {self.series[0].name}"]
        if self.kind == "compare":
            lines += [f"{name}: {version}" for name, version in self.versions]
        lines += [f"missing: {name} ({source})" for name, source in self.missing]
        peaks = {tree.name: (tree.files, series[0].median("peak")) for tree, series in self.trees if tree}
        if self.kind == "cliffs" and peaks.get("flat", (0, 0))[0] >= 100_000 and "empty" in peaks:
            files, peak = peaks["flat"]
            lines.append(f"a listing on the current path takes {significant((peak - peaks['empty'][1]) / files)} bytes a name "
                         "(peak of flat less that of empty)")
        return "\n".join(lines)

    def json(self) -> Dict[str, Any]:
        return {"kind": self.kind, "schema": 4, "date": self.date, "machine": self.machine, "conditions": self.conditions,
                "versions": dict(self.versions), "missing": dict(self.missing),
                "trees": [{**(tree._asdict() if tree else {}), "series": [one.json() for one in series]}
                          for tree, series in self.trees]}

    def print(self) -> None:
        facts = self.machine
        memory = f"{facts['memory'] >> 30} GiB, " if facts["memory"] else ""
        print(f"{facts['processor']}, {facts['cores']} cores, {memory}{facts['kernel']}, {facts['fileSystem']}",
              *filter(None, [self.tree_text]), "", self.text(), sep="\n", flush=True)

    def publish(self, options: argparse.Namespace) -> None:
        self.print()
        if options.json:
            write(options.json, json.dumps(self.json(), indent=1))
        if getattr(options, "chart", None):
            write(options.chart, chart.draw(self))


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "\n")


def counts_of_map(path: str) -> Tuple[int, int]:
    """The numbers of files and folders, from the summary in the last line of a map."""
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 200))
        tail = file.read().decode(errors="replace")
    files, folders = (re.search(rf'"{name}":([0-9]+)', tail) for name in ("files", "folders"))
    return (int(files[1]), int(folders[1])) if files and folders else (0, 0)


def select(subjects: List[Subject], only: Optional[str]) -> List[Subject]:
    """The subjects with the given names; a name that ends in `*` matches all that begin with it."""
    if not only:
        return subjects

    def matches(subject: Subject, name: str) -> bool:
        return subject.name.startswith(name[:-1]) if name.endswith("*") else name in (subject.name, subject.name.split(",")[0])

    for name in only.split(","):
        if not any(matches(subject, name) for subject in subjects):
            sys.exit(f"--only: there is no {name} here")
    return [subject for subject in subjects if any(matches(subject, name) for name in only.split(","))]


def remove_outputs(output: str, count: int) -> None:
    for index in range(count):
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{output}.{index}")


def measure_peers(folder: str, tool: str, options: argparse.Namespace, output: str, cold: bool) -> Report:
    """Measures the tool, the floor and the peers on a tree."""
    peers, missing = peers_here(options.bfs)
    subjects = select(of_tool(tool) + floors() + peers, getattr(options, "only", None))
    report = Report("compare", folder, f"{'cold' if cold else 'warm'} cache, {options.runs} rounds")
    report.missing = missing
    try:
        series = measure(subjects, folder, output, options.runs, cold, quiet=False)
        whole = next((index for index, one in enumerate(subjects) if one.name == "geomapper" or " --threads" in one.name), None)
        files, folders = counts_of_map(f"{output}.{whole}") if whole is not None else (0, 0)
    finally:
        remove_outputs(output, len(subjects))
    report.trees = [(Tree("", folder, files, folders) if folders else None, series)]
    return report


def measure_sizes(trees: List[Tree], tool: str, output: str, runs: Optional[int]) -> Report:
    find = PEERS[0].installed()
    subjects = of_tool(tool)[:1] + floors()[-1:] + ([find] if find else [])
    report = Report("scale", os.path.dirname(output))
    for tree in trees:
        usual = 15 if tree.entries < 20_000 else 7 if tree.entries < 2_000_000 else 3
        report.trees.append((tree, measure(subjects, tree.path, output, runs or usual)))
        remove_outputs(output, len(subjects))
        note(f"measured {tree.entries:,} entries")
    return report


def measure_shapes(trees: List[Tree], tool: str, output: str, runs: int, slow: float) -> Report:
    """Measures trees of awkward shapes into a file, /dev/null, a pipe, and a pipe that is read slowly for some seconds."""
    version = version_line(tool)
    subjects = [Subject(name, [tool, *MAP], version, sink)
                for name, sink in (("file", "file"), ("/dev/null", "null"), ("pipe", "pipe"))]
    report = Report("cliffs", os.path.dirname(output))
    slowly = subjects[2]._replace(name=SLOW)
    for tree in trees:
        series = measure(subjects, tree.path, output, runs)
        remove_outputs(output, len(subjects))
        last = Series(slowly, tree.path)
        last.runs.append(launch(slowly.words(tree.path, "-"), "-", 1, lambda pipe: drain(pipe, RATE, slow)))
        report.trees.append((tree, [*series, last]))
        note(f"measured {tree.name}")
    return report


def measure_waits(tree: Tree, tool: str, output: str, delay: int, threads: List[int], runs: int) -> Report:
    """Measures the tool with more and more threads while each system call waits `delay` microseconds."""
    if sys.platform != "linux":
        sys.exit("latency needs Linux")
    version = version_line(tool)
    env = ["env", f"LD_PRELOAD={program('delay.so')}", f"GEOMAPPER_DELAY={delay}", tool]
    subjects = [Subject(f"{count} thread{'s' * (count > 1)}", [*env, "map", "--threads", str(count), *MAP[1:]], version)
                for count in threads]
    subjects.append(Subject("default", [*env, *MAP], version))
    report = Report("latency", tree.path, f"{delay} µs for each call")
    report.trees = [(tree, measure(subjects, tree.path, output, runs))]
    remove_outputs(output, len(subjects))
    return report


def compare_command(options: argparse.Namespace) -> None:
    folder = os.path.realpath(options.folder)
    output = options.output or f"{folder}.bench-output"
    measure_peers(folder, find_tool(options.tool), options, output, options.cold).publish(options)


def diff_command(options: argparse.Namespace) -> None:
    """`diff --tool A --tool B DIR`: measures two builds in alternation, and compares their times pair by pair."""
    if len(options.tool or []) != 2:
        sys.exit("give --tool twice")
    folder = os.path.realpath(options.folder)
    # The variations are measured only if --only names them.
    sides = [select(of_tool(find_tool(tool), bool(options.only)), options.only) for tool in options.tool]
    subjects = [one for pair in zip(*sides) for one in pair]
    output = options.output or f"{folder}.bench-output"
    series = measure(subjects, folder, output, max(2, options.runs), quiet=False)
    remove_outputs(output, len(subjects))
    if len(series) != len(subjects):
        sys.exit("a tool fails: see above")
    rows = [["", "A median s", "B median s", "B/A", "bounds", "confidence", "peak B/A", ""]]
    verdicts: Dict[str, List[str]] = {"slower": [], "faster": []}
    for old, new in zip(series[::2], series[1::2]):
        comparison = Comparison(old.values("seconds"), new.values("seconds"))
        verdict = comparison.verdict(options.threshold / 100)
        verdicts.setdefault(verdict, []).append(old.name)
        rows.append([
            old.name, significant(old.median("seconds")), significant(new.median("seconds")), f"{comparison.ratio:.3f}×",
            "{:.3f}–{:.3f}".format(*comparison.bounds), f"{comparison.confidence * 100:.1f} %",
            f"{new.median('peak') / old.median('peak'):.2f}×", verdict])
    print(table(rows), end="\n\n")
    for verdict in ("slower", "faster"):
        print(f"{verdict}: {'; '.join(verdicts[verdict]) or 'nothing'}")


def scale_command(options: argparse.Namespace) -> None:
    with Trees(options.folder) as trees:
        measure_sizes(trees.homes(options.max), find_tool(options.tool), trees.output, options.runs).publish(options)


def cliffs_command(options: argparse.Namespace) -> None:
    sizes = {shape: number(text) for shape, _, text in (size.partition("=") for size in options.size or [])}
    only = options.only.split(",") if options.only else None
    if unknown := [shape for shape in [*sizes, *(only or [])] if shape not in SHAPES]:
        sys.exit(f"there is no shape {unknown[0]}; there are {', '.join(SHAPES)}")
    with Trees(options.folder) as trees:
        made = trees.awkward(options.scale, sizes, only)
        measure_shapes(made, find_tool(options.tool), trees.output, options.runs, options.slow).publish(options)


def latency_command(options: argparse.Namespace) -> None:
    with Trees(options.folder) as trees:
        measure_waits(trees.waiting(options.files), find_tool(options.tool), trees.output, options.delay,
                      [int(count) for count in options.threads.split(",")], options.runs).publish(options)


def all_command(options: argparse.Namespace) -> None:
    """`all DIR`: measures everything, prints tables, and writes one JSON file and charts."""
    start, tool, quick = time.monotonic(), find_tool(options.tool), options.quick
    options.runs = options.runs or (2 if quick else 7)
    os.makedirs(options.out, exist_ok=True)
    for name, source in peers_here(options.bfs)[1]:
        note(f"missing: {name} ({source})")
    with Trees(options.folder, options.keep) as trees:
        main = options.tree or trees.tree("home", *((10_000, 600) if quick else (1_000_000, 60_000))).path
        waiting = trees.waiting(500 if quick else 4_000)
        homes = trees.homes(min(options.max, 10_000) if quick else options.max)
        awkward = trees.awkward(0.01 if quick else 1)
        parts = {"compare": lambda: measure_peers(os.path.realpath(main), tool, options, trees.output, False)}
        if options.cold:
            parts["cold"] = lambda: measure_peers(os.path.realpath(main), tool, options, trees.output, True)
        if sys.platform == "linux":
            parts["latency"] = lambda: measure_waits(waiting, tool, trees.output, 200, THREADS, 2 if quick else 5)
        parts["scale"] = lambda: measure_sizes(homes, tool, trees.output, 2 if quick else None)
        parts["cliffs"] = lambda: measure_shapes(awkward, tool, trees.output, 1 if quick else 3, 0.3 if quick else 3)
        reports = {}
        for name, part in parts.items():
            print(f"\n== {name}\n", flush=True)
            reports[name] = part()
            reports[name].print()
    print(f"\n== in short\n\n{in_short(reports)}")
    write(f"{options.out}/results.json", json.dumps({name: report.json() for name, report in reports.items()}, indent=1))
    for name in {"compare", "cold"} & reports.keys():
        write(f"{options.out}/{name}.svg", chart.draw(reports[name]))
    print(f"\nresults.json and the charts are in {options.out}; it took {(time.monotonic() - start) / 60:.1f} minutes")


def in_short(reports: Dict[str, Report]) -> str:
    rows = [["", "figure", "bounds", "confidence"]]
    compared = reports["compare"]

    def add(first: Optional[Series], second: Optional[Series]) -> None:
        if first and second and len(first.runs) > 1:
            comparison = Comparison(second.values("seconds"), first.values("seconds"))
            rows.append([f"{first.name} / {second.name}", f"{first.ratio(second) or 0:.3f}×",
                         "{:.2f}–{:.2f}".format(*comparison.bounds), f"{comparison.confidence * 100:.0f} %"])

    own, two = compared.named("geomapper"), compared.named("geomapper --threads 2")
    for other in compared.series:
        if not other.name.startswith("geomapper"):
            add(own, other)
    for name, base in ((" --no-stat", own), (" --threads 1", two), (" --threads 16", two), (" to /dev/null", own),
                       (" to a pipe", own)):
        add(compared.named(f"geomapper{name}"), base)
    for name in ("geomapper --zoom 4", "geomapper --version"):
        if series := compared.named(name):
            rows.append([name, f"{significant(series.median('seconds') * 1000)} ms"])
    for tree, series in reports["scale"].trees:
        if tree and tree.entries >= 1_000_000:
            rows.append([f"peak memory, {tree.entries:,} entries", f"{significant(series[0].median('peak') / MIB)} MiB"])
    if latency := reports.get("latency"):
        slow, fast = latency.series[0], latency.series[-1]
        rows.append([f"{slow.name} / {fast.name}, {latency.conditions}", f"{significant(slow.ratio(fast))}×"])
    return table(rows)


def number(text: str) -> int:
    """A whole number, such as `1000`, `1k`, `2M` or `1_000`."""
    factor = {"k": 1_000, "K": 1_000, "M": 1_000_000}.get(text[-1:], 1)
    return int(text[:-1] if factor > 1 else text) * factor


THREADS = [1, 2, 4, 8, 16, 32]
OPTIONS: Dict[str, Dict[str, Any]] = {
    "--bfs": {"metavar": "PATH", "help": "a second bfs to measure"},
    "--chart": {"metavar": "FILE", "help": "draw a chart"},
    "--cold": {"action": "store_true", "help": "drop caches before each run (Linux, root)"},
    "--delay": {"type": int, "default": 200, "help": "microseconds that each call waits [200]"},
    "--files": {"type": number, "default": 4_000, "help": "files of the tree [4000]"},
    "--json": {"metavar": "FILE", "help": "write all runs"},
    "--keep": {"action": "store_true", "help": "keep the trees; the next run uses them again"},
    "--max": {"type": number, "default": 1_000_000, "help": "files of the largest tree [1M]"},
    "--only": {"metavar": "NAMES", "help": "measure only these, with commas between; NAME* for all that begin so"},
    "--out": {"metavar": "FOLDER", "default": "Benchmarks/results", "help": "where the results go [Benchmarks/results]"},
    "--output": {"metavar": "FILE", "help": "where the programs write [next to DIR]"},
    "--quick": {"action": "store_true", "help": "small trees and few rounds: the figures mean nothing"},
    "--runs": {"type": int, "help": "rounds"},
    "--scale": {"type": float, "default": 1, "help": "a factor for the sizes of all trees"},
    "--size": {"action": "append", "metavar": "SHAPE=N", "help": "the size of one tree"},
    "--slow": {"type": float, "default": 3, "help": "seconds for which a pipe is read slowly [3]"},
    "--threads": {"default": ",".join(map(str, THREADS)), "help": "numbers of threads"},
    "--threshold": {"type": float, "default": 1, "help": "the smallest difference that counts, in percent [1]"},
    "--tool": {"metavar": "PATH", "help": "the tool [.build/release/geomapper]"},
    "--tree": {"metavar": "DIR", "help": "compare on an existing tree"},
}
# Each with its options and the usual number of rounds.
COMMANDS = [
    (all_command, "out tool bfs tree max runs quick keep cold", None,
     "measure everything, and write tables, a JSON file and charts"),
    (compare_command, "tool bfs runs output only json chart cold", 7, "measure the tool and its peers on a folder"),
    (scale_command, "max runs tool json", None, "measure time and memory by the size of the tree"),
    (cliffs_command, "tool scale size only runs slow json", 3,
     "run the tool on trees of awkward shapes, with each kind of output"),
    (latency_command, "tool delay threads files runs json", 5,
     "run the tool with more and more threads on an artificially slow file system"),
    (diff_command, "tool runs only output threshold", 15, "show what became slower or faster between two builds")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for function, names, runs, explanation in COMMANDS:
        command = commands.add_parser(function.__name__.removesuffix("_command"), help=explanation)
        command.add_argument("folder", metavar="DIR")
        for option in names.split():
            # Two tools are compared by `diff`.
            both = {"action": "append"} if function is diff_command and option == "tool" else {}
            command.add_argument(f"--{option}", **OPTIONS[f"--{option}"], **both)
        command.set_defaults(function=function, runs=runs)
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    main()
