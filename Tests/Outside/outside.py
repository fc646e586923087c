"""Shared by the checks: arguments, running programs, comparing, reading GeoJSON, messages."""

import argparse
import importlib.util
import itertools
import json
import os
import shutil
import subprocess
import sys
from typing import Any, Dict, Iterable, List, NoReturn, Optional, Sequence, Tuple
from urllib.parse import unquote_to_bytes

os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")

SKIPPED = 77
PATIENCE = 300  # seconds for one map

Feature = Dict[str, Any]


def fail(message: str) -> NoReturn:
    """Prints a message and exits with status 1."""
    sys.stdout.flush()
    print(f"FAILED: {message}", file=sys.stderr)
    sys.exit(1)


def skip(reason: str) -> NoReturn:
    """Prints the reason and exits with the status for skipped checks."""
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def given(description: Optional[str], *positional: str, **options: Any) -> argparse.Namespace:
    """The command line: positional arguments (`name?`, `name*` and `name+` take others than one), options with defaults.

    `binary` becomes an absolute path. Options whose default is False are flags.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in positional:
        parser.add_argument(name.rstrip("?*+"), nargs=name[-1] if name[-1] in "?*+" else None,
                            type=os.path.abspath if name == "binary" else str)
    for name, default in options.items():
        if default is False:
            parser.add_argument(f"--{name}", action="store_true")
        else:
            parser.add_argument(f"--{name}", default=default, type=str if default is None else type(default))
    return parser.parse_intermixed_args()


def installed(*names: str) -> List[str]:
    """Those of some programs that are installed."""
    return [name for name in names if shutil.which(name)]


def importable(*names: str) -> List[str]:
    """Those of some Python modules that can be imported."""
    return [name for name in names if importlib.util.find_spec(name)]


def same(what: object, found: Any, expected: Any) -> None:
    """Fails unless two values are equal; names the first difference of texts, collections and dictionaries."""
    if found == expected:
        return
    if isinstance(found, bytes) and isinstance(expected, bytes):
        found, expected = found.splitlines(), expected.splitlines()
    if isinstance(found, (set, frozenset)) or isinstance(found, type({}.keys())):
        ours, theirs = sorted(set(found) - set(expected))[:5], sorted(set(expected) - set(found))[:5]
        fail(f"{what}: only found {ours!r}, only expected {theirs!r}")
    if isinstance(found, dict):
        keys = sorted(key for key in {**found, **expected} if found.get(key) != expected.get(key))[:5]
        fail(f"{what}: " + "; ".join(f"{key!r} is {found.get(key)!r}, not {expected.get(key)!r}" for key in keys))
    if isinstance(found, list):
        pairs = enumerate(itertools.zip_longest(found, expected))
        at, (found, expected) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
        what = f"{what}, number {at + 1}"
    if isinstance(found, (bytes, str)) and isinstance(expected, type(found)):
        start = max(0, len(os.path.commonprefix([found, expected])) - 200)
        what, found, expected = f"{what}, from column {start + 1}", found[start:], expected[start:]
    fail(f"{what}: {found!r:.1000}, not {expected!r:.1000}")


def command_text(command: Sequence[object]) -> str:
    """A readable command line, which can be pasted in most cases."""
    return " ".join(ascii(part) if isinstance(part, bytes) else str(part) for part in command)


def run_map(binary: str, *arguments: str, out: Optional[str] = None) -> bytes:
    """The output of `map`; statuses 0 and 1 (unreadable entries) are accepted."""
    return run(binary, "map", "-q", *arguments, *(["-o", out] if out else []), statuses=(0, 1))


def run(*command: object, statuses: Tuple[int, ...] = (0,), patience: int = PATIENCE, **options: Any) -> bytes:
    """The output of a command, which has to end with one of the statuses."""
    try:
        ran = subprocess.run([part if isinstance(part, bytes) else str(part) for part in command],
                             capture_output=True, check=False, timeout=patience, **options)
    except subprocess.TimeoutExpired:
        fail(f"{command_text(command)}: no end after {patience} s")
    if ran.returncode not in statuses:
        fail(f"{command_text(command)}: status {ran.returncode}: {ran.stderr[-2000:]!r}")
    return ran.stdout


class Number(str):
    """A JSON number as written, which differs from a string."""


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


def _no_duplicates(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError(f"a key occurs twice: {[key for key, _ in pairs]}")
    return members


STRICT = json.JSONDecoder(
    object_pairs_hook=_no_duplicates, parse_constant=_no_constant,
    parse_float=Number, parse_int=Number,
)


def strict_json(raw: bytes) -> Any:
    """A strictly parsed JSON value: UTF-8, no duplicate keys, no NaN; numbers stay as written."""
    try:
        text = raw.decode("utf-8")
        if text != text.strip():
            raise ValueError("white space around the value")
        return STRICT.decode(text)
    except ValueError as error:
        fail(f"no strict JSON: {error}: {raw[:400]!r}")


def put(root: str, files: Dict[str, Any]) -> None:
    """Makes files in a folder by their paths: of a text, of bytes, or of a number of letters."""
    for name, contents in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        contents = "x" * contents if isinstance(contents, int) else contents
        with open(path, "wb") as file:
            file.write(contents.encode() if isinstance(contents, str) else contents)


class Repository:
    """A git repository that is made in a folder; its commits are by Ann, at given times."""

    def __init__(self, at: str) -> None:
        self.at = at
        run("git", "init", "-q", "-b", "main", at)

    def git(self, *words: object, **environment: str) -> str:
        """The output of a git command."""
        return run("git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-C", self.at, *words,
                   env={**os.environ, **environment}).decode().strip()

    def commit(self, time: float, message: str, files: Dict[str, Any]) -> str:
        """Commits files as `put` makes them; None removes a file. Returns the name of the commit."""
        put(self.at, {name: contents for name, contents in files.items() if contents is not None})
        for name in files:
            if files[name] is None:
                os.remove(os.path.join(self.at, name))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message, GIT_COMMITTER_DATE=f"{round(time)} +0000")
        return self.git("rev-parse", "HEAD")


def features(binary: str, *arguments: str) -> List[Feature]:
    """The features of a map."""
    return [json.loads(line) for line in run_map(binary, "--format", "geojsonl", *arguments).splitlines()]


def raw_path(feature: Feature) -> bytes:
    """The bytes of a feature's path."""
    return raw_member(feature["properties"], "path") or b""


def raw_member(properties: Dict[str, Any], name: str) -> Optional[bytes]:
    """The bytes of a path in properties (`path`, `from`, `to`), if present."""
    raw = properties.get("raw" + name.capitalize())
    if raw is not None:
        return unquote_to_bytes(raw)
    return str(properties[name]).encode() if name in properties else None


def path_in_root(properties: Dict[str, Any], name: str = "path") -> bytes:
    """The bytes of a path without the label of the root."""
    return (raw_member(properties, name) or b"").partition(b"/")[2]


def ancestors(path: bytes) -> List[bytes]:
    """The paths of all ancestors of a path, nearest first."""
    found = []
    while b"/" in path:
        path = path.rpartition(b"/")[0]
        found.append(path)
    return found


def same_places(binary: str, written: bytes, nodes: Iterable[Tuple[bytes, bool]]) -> None:
    """The places of a map's features are those of a map of the list of nodes: paths, and whether they are folders.

    Does nothing if a path is a file and a folder, which no list can have.
    """
    nodes = sorted(nodes)
    if len({path for path, _ in nodes}) < len(nodes):
        return
    listing = b"".join(path + (b"/\0" if is_folder else b"\0") for path, is_folder in nodes)
    label = nodes[0][0].partition(b"/")[0]
    listed = run(binary, "map", "-q", "--files-from", "-", "-0", label, input=listing)
    places = {raw_path(feature): feature for feature in json.loads(listed)["features"]}
    for feature in json.loads(written)["features"]:
        other = places[raw_path(feature)]
        same(f"the place of {raw_path(feature)!r}", (feature["geometry"], feature["properties"]["minzoom"]),
             (other["geometry"], other["properties"]["minzoom"]))
