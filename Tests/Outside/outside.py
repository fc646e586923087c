"""What the checks from outside share: running the tool, ending with a message."""

import subprocess
import sys
from typing import NoReturn, Optional, Sequence

SKIPPED = 77


def fail(message: str) -> NoReturn:
    """Ends with status 1."""
    sys.stdout.flush()
    print(f"FAILED: {message}", file=sys.stderr)
    sys.exit(1)


def skip(reason: str) -> NoReturn:
    """Ends with the status that says: not checked."""
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def command_text(command: Sequence[object]) -> str:
    """A command line to read, and in most cases to paste."""
    return " ".join(ascii(part) if isinstance(part, bytes) else str(part) for part in command)


def run_map(binary: str, *arguments: str, out: Optional[str] = None) -> bytes:
    """What `map` writes; statuses 0 and 1 (something was unreadable) are fine."""
    command = [binary, "map", "-q", *arguments] + (["-o", out] if out else [])
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if ran.returncode not in (0, 1):
        fail(f"{command_text(command)}: status {ran.returncode}: {ran.stderr!r}")
    return ran.stdout
