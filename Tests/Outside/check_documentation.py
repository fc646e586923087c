"""Runs the commands of the documentation as written, and compares their output.

    check_documentation.py GEOMAPPER [--only NAME] [--show]

The documents are README.md, the articles of all catalogues and Benchmarks/distributed/README.md. Blocks of `sh` are
run as a whole. In blocks of `console`, each line after `$ ` is run, and its output has to be the lines that follow.
A block of Python after a line that names a script is written to that script. All commands of a document share a
folder, which contains the tree of the examples (`home`, made by make_tree.py: always the same) and the built
tool, where `swift build` puts it.

The examples of each command's help are run, too, one after the other, in a folder that has what they name of the
user's (`src`, a repository, a recording, a track); folders of the system such as /usr are replaced by small ones.

Programs are replaced: `swift` runs what is already built, `ssh` runs its command here; `xdg-open`, `systemctl` and
others do nothing. A command that serves runs until its document ends. Blocks that need a missing program are skipped, with
its name. With --show, the output of commands is printed, to be copied into a document.
"""

import contextlib
import glob
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from typing import Dict, List, Set

import catalogue
import postgres
from documented import Block, Command, blocks, is_like
from outside import fail, given, run, same

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
TREE = ["Benchmarks/make_tree.py", "home", "home", "--files", "12000", "--folders", "700"]
PATIENCE = 120  # seconds for one command
# Other programs that the documents use.
OTHERS = [
    "bfs", "borg", "bsdtar", "curl", "docker", "duckdb", "fd", "gdu", "git", "gpsbabel", "java", "jq", "man", "ncdu",
    "ogr2ogr", "ogrinfo", "rclone", "restic", "spark-submit", "spatialite", "sqlite3", "strace", "tippecanoe",
    "unzip",
]
SERVING = re.compile(r"(swift run -c release )?geomapper (serve .*|home|/usr/share)\s*")

STANDING_IN = {
    "swift": """case "$*" in
build*|test*) exit 0 ;;
"run -c release "*) shift 3; exec "$@" ;;
esac
echo "swift $*: nothing replaces that" >&2; exit 1""",
    "llvm-cov": "printf 'SF:Sources/a.swift\\nLF:2\\nLH:1\\nend_of_record\\n'",
    "ssh": 'shift; exec sh -c "$*"',
    "xdg-open": "exit 0",
    "systemctl": "exit 0",
    "notify-send": "exit 0",
    "less": "exec cat",
}

# The commands whose help is run, each after those that make its files.
HELPS = ["snapshot", "keep", "since", "serve", "map", "draw", "stats", "find", "locate", "whereis", "route", "diff",
         "history", "record", "replay", "recordings", "track", "publish", "verify", "split", "join"]
MOMENT = 3  # seconds, for commands that run until they are ended
ENDLESS = re.compile(r"geomapper (serve|record) ")
SYSTEM = re.compile(r"(?<![\w/.])/(usr|srv|data|var|home|bin)\b")


class Failed(Exception):
    """A command's result differs from its document."""


class Bench:
    """A folder to work in, with the tree of the examples."""

    def __init__(self, work: str, tool: str) -> None:
        self.work = os.path.join(work, "work")
        self.home = os.path.join(work, "user")
        self.servers: List["subprocess.Popen[bytes]"] = []
        programs = os.path.join(work, "bin")
        for folder in (programs, self.home, os.path.join(self.work, ".build/release")):
            os.makedirs(folder)
        os.symlink(tool, os.path.join(programs, "geomapper"))
        os.symlink(tool, os.path.join(self.work, ".build/release", "geomapper"))
        for name, script in STANDING_IN.items():
            with open(os.path.join(programs, name), "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{script}\n")
            os.chmod(os.path.join(programs, name), 0o755)
        for name in ("Benchmarks", "Sources"):
            os.symlink(os.path.join(REPOSITORY, name), os.path.join(self.work, name))
        self.environment = {
            **{name: value for name, value in os.environ.items()
               if name not in ("DISPLAY", "WAYLAND_DISPLAY")},
            "PATH": f"{programs}:{os.environ['PATH']}", "HOME": self.home, "TZ": "UTC",
            "LC_ALL": "C.UTF-8", "TERM": "dumb", "COLUMNS": "100",
        }
        self.kept: Set[str] = set(os.listdir(self.work)) | {"home"}

    def clear(self, makes_tree: bool) -> None:
        """Restores the folder's initial state, with the tree unless the document makes it."""
        self.stop()
        for name in set(os.listdir(self.work)) - (self.kept - {"home" if makes_tree else ""}):
            path = os.path.join(self.work, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        if not makes_tree and not os.path.exists(os.path.join(self.work, "home")):
            subprocess.run(
                TREE, cwd=self.work, env=self.environment, check=True,
                capture_output=True, timeout=PATIENCE)

    def stop(self) -> None:
        """Ends the servers."""
        for server in self.servers:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
        self.servers.clear()

    def run(self, command: Command) -> str:
        """Runs a command to its end, and returns its output, including errors."""
        lines = command.text.splitlines()
        serving = [line for line in lines if SERVING.fullmatch(line.partition(" #")[0])]
        for line in serving:
            printed = self.serve(command._replace(text=line))
        if serving and len(lines) == len(serving):
            return printed
        command = command._replace(text="\n".join(line for line in lines if line not in serving))
        process = subprocess.Popen(
            ["bash", "-e", "-o", "pipefail", "-c", command.text], cwd=self.work,
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)
        try:
            printed = process.communicate(timeout=PATIENCE)[0].decode(errors="replace")
        except subprocess.TimeoutExpired as error:
            raise Failed(f"no end after {PATIENCE} s") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        if process.returncode:
            raise Failed(f"status {process.returncode}:\n{printed}")
        return printed

    def serve(self, command: Command) -> str:
        """Starts a server on a terminal, and returns its messages once all are printed."""
        main, other = os.openpty()
        server = subprocess.Popen(
            ["bash", "-c", command.text], cwd=self.work, env=self.environment, stdin=other,
            stdout=other, stderr=other, start_new_session=True)
        os.close(other)
        os.set_blocking(main, False)
        self.servers.append(server)
        printed = b""
        end = time.monotonic() + PATIENCE
        wanted = command.output or "…http://…"
        while time.monotonic() < end:
            with contextlib.suppress(BlockingIOError, OSError):
                printed += os.read(main, 1 << 16)
            if is_like(wanted, printed.decode(errors="replace")):
                break
            if server.poll() is not None:
                raise Failed(f"status {server.returncode}:\n{printed.decode(errors='replace')}")
            time.sleep(0.05)
        os.close(main)
        return printed.decode(errors="replace")


def missing(text: str) -> List[str]:
    """The missing programs that a block needs."""
    names = [
        name for name in OTHERS
        if re.search(rf"(^|[|;&(\s]){re.escape(name)}\s", text, re.M) and not shutil.which(name)
    ]
    if re.search(r"\bby_spark\.py\b", text) and importlib.util.find_spec("pyspark") is None:
        names.append("pyspark")
    if re.search(r"\bpsql\b|\bPG:", text) and not (shutil.which("psql") and postgres.binaries()):
        names.append("PostGIS")
    if not names and "LOAD spatial" in text and not has_spatial():
        names.append("DuckDB's extension `spatial`")
    return names


def examples(tool: str, command: str) -> List[str]:
    """The command lines in the help of a command."""
    section = run(tool, command, "--help").decode().partition("\nExamples:\n")[2].partition("\nExit status:")[0]
    lines: List[str] = []
    for line in section.splitlines():
        if re.match(r"  \S", line):
            lines.append(line[2:])
        elif lines and lines[-1].endswith("|"):
            lines[-1] += "\n" + line.strip()
    return lines


def make_examples(bench: Bench) -> None:
    """Makes what the examples name: folders of the user and of the system, a repository, a recording and a track."""
    inputs = os.path.join(REPOSITORY, "Tests", "Cases", "inputs")
    bench.clear(makes_tree=True)
    script = f"""
        export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a
        export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a
        git init -q -b main .; mkdir -p src/report backups; echo 1 > src/report/a.c
        git add src; git commit -qm one; git tag v1.0; echo 2 > src/b.log; git add src; git commit -qm two
        mkdir backup; cp -r src backup/src; echo 3 >> src/b.log
        git clone -q . "$HOME/src"
        for name in usr/bin usr/share/doc srv/new data/a data/b var home bin; do
          mkdir -p sys/$name; echo $name > sys/$name/env
        done
        cp {inputs}/log.json log.json; cp log.json build.json; cp {inputs}/ride.gpx .
        geomapper snapshot -q -o usr.geosnap sys/usr; geomapper map -q -o usr.geojson sys/usr
        cp usr.geosnap backups/1.geosnap; geomapper snapshot -q -o backups/2.geosnap sys/usr
        mkdir -p "$HOME/.local/share/geomapper/recordings"; cp log.json "$HOME/.local/share/geomapper/recordings"
        geomapper keep -q .; geomapper keep -q ~; touch "$HOME/new"; geomapper keep -q ~
        printf 'all:\\n\\techo > made\\n' > Makefile"""
    subprocess.run(["bash", "-ec", script], cwd=bench.work, env=bench.environment, check=True, timeout=PATIENCE)


def check_helps(bench: Bench, tool: str, counts: "Counts") -> None:
    """Runs the examples of all helps."""
    make_examples(bench)
    kept = re.compile(r"\d{4}-\d\d-\d\dT[\d:]+(\.\d+)?Z")
    for name in HELPS:
        for line in examples(tool, name):
            lacking = missing(line + " ")
            if "png" in line and not shutil.which("rsvg-convert"):
                lacking.append("rsvg-convert")
            if lacking:
                counts.skipped[lacking[0]] = counts.skipped.get(lacking[0], 0) + 1
                continue
            if ".mp4" in line or "--install" in line and os.geteuid() == 0:
                continue  # check_film.py makes videos; root has no timers of a user
            text = SYSTEM.sub(r"sys/\1", line).replace("--root / ", "--root sys ")
            if "--drop" in text:
                states = subprocess.run(["geomapper", "keep", "--list"], cwd=bench.work, env=bench.environment,
                                        capture_output=True, text=True, check=True).stdout
                text = kept.sub([found[0] for found in kept.finditer(states)][-1], text)
            if ENDLESS.match(text):
                text = f"timeout {MOMENT} {text} >/dev/null || [ $? = 124 ]"
            try:
                bench.run(Command(0, text + "\n", None))
                counts.commands += 1
            except Failed as failure:
                counts.failed.append(f"help {name}: {line}\n{failure}")


class Counts:
    """The numbers of commands run and skipped."""

    def __init__(self) -> None:
        self.commands = self.compared = 0
        self.skipped: Dict[str, int] = {}
        self.failed: List[str] = []


def check_block(bench: Bench, name: str, block: Block, counts: Counts, show: bool) -> None:
    """Runs the commands of a block."""
    if script := block.script_name():
        with open(os.path.join(bench.work, script), "w", encoding="utf-8") as file:
            file.write(block.text)
    if block.language not in ("sh", "console"):
        return
    if lacking := missing(block.text):
        key = ", ".join(lacking)
        counts.skipped[key] = counts.skipped.get(key, 0) + 1
        return
    for command in block.commands():
        place = f"{name}:{command.line}: {command.text.strip()}"
        try:
            printed = bench.run(command)
        except Failed as failure:
            counts.failed.append(f"{place}\n{failure}")
            return
        counts.commands += 1
        if show:
            print(f"{place}\n{printed}")
        if command.output is None:
            continue
        counts.compared += 1
        if not is_like(command.output, printed):
            counts.failed.append(
                f"{place}\nhas to print\n{command.output}\nand not\n{printed}")


def check_options(tool: str) -> None:
    """The lists of the article about options equal those that the tool generates."""
    article = os.path.join(REPOSITORY, "Sources/GeoMap/GeoMap.docc/Options.md")
    with open(article, encoding="utf-8") as file:
        shown = file.read()
    if not shown.endswith(run(tool, "--generate", "article").decode()):
        fail(f"{article}: the lists are old; renew them by "
             f"sed -i '/^## All options/,$d' {article}; {tool} --generate article >> {article}")


def check_first_block() -> None:
    """The commands of README.md's first block are those that `.ci/run` runs."""
    readme = os.path.join(REPOSITORY, "README.md")
    shown = [line.partition("  #")[0].rstrip() for line in blocks(readme)[0].text.splitlines()]
    with open(os.path.join(REPOSITORY, ".ci/run"), encoding="utf-8") as file:
        ran = re.findall(r"^(?:first|second)_command='(.*)'$", file.read(), re.M)
    same("README.md's first block and the commands of .ci/run", shown, ran)


def check_folders() -> None:
    """The article about the repository names all modules; all articles name only files that exist."""
    article = os.path.join(REPOSITORY, "Sources/GeoMap/GeoMap.docc/Repository.md")
    with open(article, encoding="utf-8") as file:
        text = file.read()
    rows = re.findall(r"^\| \d* ?\| (`[^|]*`) \|", text, re.M)
    named = set(re.findall(r"\w+", " ".join(rows)))
    there = set(os.listdir(os.path.join(REPOSITORY, "Sources")))
    if named != there:
        fail(f"{article}: {sorted(named ^ there)} is in the table or among the sources, not both")
    paths = [
        os.path.join(folder, name) for top in ("Sources", "Tests", "Benchmarks")
        for folder, folders, files in os.walk(os.path.join(REPOSITORY, top)) for name in folders + files
    ]
    for article in glob.glob(os.path.join(os.path.dirname(article), "*.md")):
        with open(article, encoding="utf-8") as file:
            spans = re.findall(
                r"(?<!`)`((?:Geo\w+|geomapper|Tests|Benchmarks)/[\w+./]+|\w[\w+]*\.(?:swift|js))`", file.read())
        if gone := [span for span in spans if not any(path.endswith(f"/{span}") for path in paths)]:
            fail(f"{article}: these files are gone: {gone}")


def check_links(document: str) -> None:
    """The links and pictures of a document exist in the repository: it is read as a file, too (catalogue.py)."""
    with open(document, encoding="utf-8") as file:
        text = "".join(re.split(r"^```.*?^```$", file.read(), flags=re.M | re.S))
    if "<doc:" in text or "](doc:" in text:
        fail(f"{document}: a link of DocC leads nowhere in the file; link to ARTICLE.md")
    for target in re.findall(r"\]\(([^):]+)\)", text):
        name, _, heading = target.partition("#")
        path = os.path.join(os.path.dirname(document), name) if name else document
        if not os.path.exists(path):
            fail(f"{document}: there is no {name}")
        if heading and path.endswith(".md"):
            catalogue.heading_of(path, heading)


def has_spatial() -> bool:
    """Whether DuckDB has its spatial extension, or can install it."""
    command = ["duckdb", "-c", "INSTALL spatial; LOAD spatial"]
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=20).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def check_document(bench: Bench, path: str, counts: Counts, show: bool) -> None:
    """Runs the commands of a document, from the first block to the last."""
    name = os.path.relpath(path, REPOSITORY)
    found = blocks(path)
    if not any(block.language in ("sh", "console") for block in found):
        return
    text = "".join(block.text for block in found if block.language in ("sh", "console"))
    bench.clear(makes_tree="make_tree.py home home" in text)
    with contextlib.ExitStack() as stack:
        stack.callback(bench.stop)
        if re.search(r"\bpsql\b|\bPG:", text) and not missing("psql"):
            clients = stack.enter_context(postgres.serving(os.path.dirname(bench.work), "maps"))
            bench.environment.update(clients)
        for block in found:
            check_block(bench, name, block, counts, show)


def main() -> None:
    arguments = given(__doc__, "binary", only=None, show=False)
    documents = [
        os.path.join(REPOSITORY, "README.md"),
        *sorted(glob.glob(os.path.join(REPOSITORY, "Sources/*/*.docc/*.md"))),
        os.path.join(REPOSITORY, "Benchmarks/distributed/README.md"),
    ]
    counts = Counts()
    check_options(arguments.binary)
    check_folders()
    check_first_block()
    with tempfile.TemporaryDirectory(prefix="geomapper-documents.") as work:
        os.chmod(work, 0o755)  # PostgreSQL runs as another user
        bench = Bench(work, arguments.binary)
        if arguments.only is None or arguments.only == "help":
            check_helps(bench, arguments.binary, counts)
        for document in documents:
            check_links(document)
            if arguments.only is None or arguments.only in document:
                check_document(bench, document, counts, arguments.show)
    for program, count in sorted(counts.skipped.items()):
        print(f"skipped: {program} is not installed: {count} block{'s' if count > 1 else ''}")
    if counts.failed:
        fail("\n\n".join(counts.failed))
    if not counts.compared and arguments.only is None:
        fail("no command was found")
    print(f"{counts.commands} commands of the documentation do what it says; the output of "
          f"{counts.compared} was compared")


if __name__ == "__main__":
    main()
