#!/usr/bin/env python3
"""Runs the tool on a folder of cases and compares its output, byte for byte.

    cases.py GEOMAPPER [--update] [WORD ...]

A case is a file Tests/Cases/COMMAND/ARGUMENTS. Its name is the command line: "_" replaces a space between
arguments, %XX any byte. Its content is the expected standard output, or one line:

    = OTHER         the same bytes as the case OTHER of the same command
    sha256 HEX N    N bytes with this checksum (binary formats, and long texts)

ARGUMENTS.err holds standard error, and the exit status unless it is 0. The argument "out.NAME" is a file that the
command writes; its bytes are compared instead of standard output.

A case in Tests/Cases/GET/ARGUMENTS/ is an address that "serve ARGUMENTS" answers.

Every case runs in a folder made from Tests/Cases/inputs. For NAME.txt it has a directory NAME, and the same tree as
a list of find (NAME.find), of names (NAME.lines) and an export of ncdu (NAME.ncdu). For NAME.git, a stream of git
fast-import, it has a bare repository NAME. Other files are copied, such as NAME.geosnap, a snapshot of the export.

WORDs select the cases whose path contains one of them. --update writes the tool's output into the cases.
"""

import difflib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, List, Optional, Tuple
from urllib.parse import unquote_to_bytes

from outside import given
from served import Served, serving

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "Cases")
LONGEST_TEXT = 6000  # the longest output in bytes that is stored as text
Output = Tuple[bytes, bytes]  # standard output or the written file, and the rest


class Entry:
    """A line of an input: TYPE SIZE MTIME PATH [-> TARGET], paths percent-encoded."""

    def __init__(self, line: str) -> None:
        self.kind, size, time, path, *target = line.split(" ")
        self.size, self.time = int(size), int(time)
        self.path = unquote_to_bytes(path)
        self.target = unquote_to_bytes(target[1]) if target else b""


def read_entries(path: str) -> List[Entry]:
    with open(path, encoding="ascii") as lines:
        return [Entry(line.rstrip("\n")) for line in lines if line.strip() and line[0] != "#"]


def make_directory(top: bytes, entries: List[Entry]) -> None:
    for entry in entries:
        path = os.path.join(top, entry.path)
        if entry.kind == "d":
            os.makedirs(path, exist_ok=True)
        elif entry.kind == "l":
            os.symlink(entry.target, path)
        elif entry.kind == "p":
            os.mkfifo(path)
        else:
            with open(path, "wb") as file:
                file.truncate(entry.size)
    for entry in reversed(entries):  # each folder after its contents
        os.utime(os.path.join(top, entry.path), (entry.time, entry.time), follow_symlinks=False)


def size_of(entry: Entry) -> int:
    return len(entry.target) if entry.kind == "l" else entry.size


def make_lists(stem: str, name: bytes, entries: List[Entry]) -> None:
    with open(f"{stem}.find", "wb") as find, open(f"{stem}.lines", "wb") as lines:
        for entry in entries:
            path = os.path.normpath(os.path.join(name, entry.path))
            find.write(b"%d %d.0000000000 %s %s\0"
                       % (size_of(entry), entry.time, entry.kind.encode(), path))
            if b"\n" not in path:
                lines.write(path + (b"/" if entry.kind == "d" else b"") + b"\n")
    folders: Dict[bytes, list] = {}
    for entry in entries:
        path = os.path.normpath(entry.path)
        facts = {"name": (os.path.basename(path) if path != b"." else b"/x/" + name).decode("latin-1"),
                 "asize": size_of(entry), "mtime": entry.time}
        if entry.kind in "lp":
            facts["notreg"] = True
        node: object = [facts] if entry.kind == "d" else facts
        if path != b".":
            folders[os.path.dirname(path) or b"."].append(node)
        if isinstance(node, list):
            folders[path] = node
    text = json.dumps([1, 2, {"progname": "other", "progver": "1", "timestamp": entries[0].time}, folders[b"."]],
                      ensure_ascii=False)
    with open(f"{stem}.ncdu", "wb") as file:
        file.write(text.encode("latin-1"))  # names are bytes, as ncdu writes them


def environment(folder: str) -> Dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": folder, "XDG_DATA_HOME": folder + "/data", "TZ": "UTC", "LC_ALL": "C",
            "TERM": "dumb", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}


def make_inputs(folder: str) -> None:
    inputs = os.path.join(CASES, "inputs")
    for file in sorted(os.listdir(inputs)):
        name, ending = os.path.splitext(file)
        path, stem = os.path.join(inputs, file), os.path.join(folder, name)
        if ending == ".txt":
            entries = read_entries(path)
            make_directory(os.fsencode(stem), entries)
            make_lists(stem, name.encode(), entries)
        elif ending == ".git":
            subprocess.run(["git", "init", "-q", "--bare", "-b", "main", stem], check=True,
                           env=environment(folder))
            with open(path, "rb") as stream:
                subprocess.run(["git", "-C", stem, "fast-import", "--quiet"], stdin=stream, check=True,
                               env=environment(folder))
        else:
            shutil.copy(path, folder)
            os.chmod(os.path.join(folder, file), 0o600)


def run_case(binary: str, command: str, name: str, inputs: str) -> Output:
    arguments = [unquote_to_bytes(word) for word in name.split("_") if word]
    with tempfile.TemporaryDirectory() as top:
        work = os.path.join(top, "work")  # a fixed last name, because it becomes the label
        os.mkdir(work)
        for entry in os.listdir(inputs):
            os.symlink(os.path.join(inputs, entry), os.path.join(work, entry))
        ran = subprocess.run([os.fsencode(binary), command.encode(), *arguments], cwd=work,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=600,
                             env=environment(work), check=False)
        output = ran.stdout
        for word in arguments:
            if word.startswith(b"out.") and os.path.exists(os.path.join(os.fsencode(work), word)):
                with open(os.path.join(os.fsencode(work), word), "rb") as file:
                    output = file.read()
    output = re.sub(rb'"now":\d+', b'"now":0', output)  # the only current time in an answer
    rest = ran.stderr + (b"status %d\n" % ran.returncode if ran.returncode else b"")
    return output, rest.replace(os.fsencode(top), b"TOP")


def get(server: Served, name: str) -> Output:
    """The answer to the request of a case."""
    answer = server.get("/" + unquote_to_bytes(name).decode("latin-1"))
    body = answer.body.replace(server.address[:-1].encode(), b"http://HOST")
    return body, f"{answer.status} {answer.fields.get('content-type')}\n".encode()


def is_text(data: bytes) -> bool:
    return b"\0" not in data and len(data) <= LONGEST_TEXT


class Cases:
    """The cases of one command, with their contents."""

    def __init__(self, folder: str, words: List[str]) -> None:
        self.folder = folder
        self.all = sorted(name for name in os.listdir(folder) if not name.endswith(".err"))
        where = os.path.relpath(folder, CASES)
        self.names = [name for name in self.all if not words or any(w in f"{where}/{name}" for w in words)]

    def content(self, name: str, ending: str = "") -> bytes:
        try:
            with open(os.path.join(self.folder, name + ending), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""

    def expected(self, name: str) -> bytes:
        content = self.content(name)
        while content.startswith(b"= ") and content.count(b"\n") == 1:
            content = self.content(content[2:-1].decode())
        return content

    @staticmethod
    def checksum(output: bytes) -> bytes:
        return b"sha256 %s %d\n" % (hashlib.sha256(output).hexdigest().encode(), len(output))

    def fault(self, name: str, found: Output) -> Optional[str]:
        """The difference from the expected output, if any."""
        expected, output = self.expected(name), found[0]
        if expected.startswith(b"sha256 "):
            output = self.checksum(output)
        for wanted, made in ((expected, output), (self.content(name, ".err"), found[1])):
            if wanted != made:
                lines = [text.decode(errors="backslashreplace").split("\n") for text in (wanted, made)]
                return "\n".join(line[:300] for line in
                                 list(difflib.unified_diff(*lines, "expected", "found", lineterm="", n=1))[:12])
        return None

    def update(self, found: Dict[str, Output]) -> None:
        first: Dict[bytes, str] = {self.content(name): name for name in self.all if name not in found}
        for name in self.names:
            output, rest = found[name]
            kept = output if is_text(output) else self.checksum(output)
            same = first.setdefault(kept, name)
            if same != name and len(kept) > len(same) + 3:
                kept = f"= {same}\n".encode()
            for ending, data in (("", kept), (".err", rest)):
                path = os.path.join(self.folder, name + ending)
                if data or not ending:
                    with open(path, "wb") as file:
                        file.write(data)
                elif os.path.exists(path):
                    os.remove(path)


def main() -> None:
    options = given(__doc__, "binary", "words*", update=False)
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as inputs:
        make_inputs(inputs)
        commands = sorted(set(os.listdir(CASES)) - {"inputs", "GET"})
        folders = [(command, os.path.join(CASES, command)) for command in commands]
        served = os.path.join(CASES, "GET")
        folders += [("GET " + name, os.path.join(served, name)) for name in sorted(os.listdir(served))]
        for command, folder in folders:
            cases = Cases(folder, options.words)
            if not cases.names:
                continue
            if command.startswith("GET "):
                words = [unquote_to_bytes(word) for word in command[4:].split("_") if word]
                with serving(options.binary, "--port", "0", *words, cwd=inputs, env=environment(inputs),
                             stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
                    if b"--since" in words:
                        server.get("/changes")  # until it ends, tiles don't know what changed
                    found = {name: get(server, name) for name in cases.names}
            else:
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    outputs = pool.map(
                        lambda name: run_case(options.binary, command, name, inputs), cases.names)
                    found = dict(zip(cases.names, outputs))
            if options.update:
                cases.update(found)
                passed += len(found)
                continue
            for name, output in found.items():
                fault = cases.fault(name, output)
                if fault:
                    failed += 1
                    print(f"{command} {name.replace('_', ' ')}\n{fault}", file=sys.stderr)
                else:
                    passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
