"""Shared by the checks: running the tool, reading its GeoJSON, messages."""

import json
import subprocess
import sys
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple
from urllib.parse import unquote_to_bytes

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


def command_text(command: Sequence[object]) -> str:
    """A readable command line, which can be pasted in most cases."""
    return " ".join(ascii(part) if isinstance(part, bytes) else str(part) for part in command)


def run_map(binary: str, *arguments: str, out: Optional[str] = None) -> bytes:
    """The output of `map`; statuses 0 and 1 (unreadable entries) are accepted."""
    command = [binary, "map", "-q", *arguments] + (["-o", out] if out else [])
    try:
        ran = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        fail(f"{command_text(command)}: no end after {PATIENCE} s")
    if ran.returncode not in (0, 1):
        fail(f"{command_text(command)}: status {ran.returncode}: {ran.stderr!r}")
    return ran.stdout


def run(*command: object, statuses: Tuple[int, ...] = (0,), **options: Any) -> bytes:
    """The output of a command, which has to end with one of the statuses."""
    try:
        ran = subprocess.run([part if isinstance(part, bytes) else str(part) for part in command],
                             capture_output=True, check=False, timeout=PATIENCE, **options)
    except subprocess.TimeoutExpired:
        fail(f"{command_text(command)}: no end after {PATIENCE} s")
    if ran.returncode not in statuses:
        fail(f"{command_text(command)}: status {ran.returncode}: {ran.stderr[-2000:]!r}")
    return ran.stdout


class Number(str):
    """A JSON number as written, which differs from a string."""


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


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
