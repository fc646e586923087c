"""The commands in a document: fenced blocks of `sh` and `console`, and scripts."""

import re
import subprocess
from typing import Iterator, List, NamedTuple, Optional

from outside import fail

FENCE = re.compile(r"^ *(`{3,}|~{3,})\s*(\S*)\s*$")


class Command(NamedTuple):
    """A command as written in a document."""

    line: int
    text: str
    output: Optional[str]  # the expected output; None if the document has none


class Block(NamedTuple):
    """A fenced block."""

    line: int  # of its first line, counted from 1
    language: str
    text: str
    before: str  # the last line of text before it

    def commands(self) -> List[Command]:
        """The commands to run: a block of `sh` as a whole, those of `console` one by one."""
        if self.language == "sh":
            return [Command(self.line, self.text, None)]
        return list(self._console())

    def _console(self) -> Iterator[Command]:
        lines = self.text.splitlines(keepends=True)
        at = 0
        while at < len(lines):
            line = self.line + at
            if not lines[at].startswith("$ "):
                fail(f"line {line}: output without a command")
            text = lines[at][2:]
            at += 1
            while at < len(lines) and not is_whole(text):
                text += lines[at][2:] if lines[at].startswith("> ") else lines[at]
                at += 1
            start = at
            while at < len(lines) and not lines[at].startswith("$ "):
                at += 1
            yield Command(line, text, "".join(lines[start:at]))

    def script_name(self) -> Optional[str]:
        """The file name for a Python block: the last one in the line before it."""
        names = re.findall(r"`([\w-]+\.py)`", self.before)
        return names[-1] if self.language == "python" and names else None


def is_whole(text: str) -> bool:
    """Whether a shell would take the text as complete."""
    if text.rstrip("\n").endswith("\\"):
        return False
    return subprocess.run(["bash", "-n", "-c", text], capture_output=True, check=False).returncode == 0


def blocks(path: str) -> List[Block]:
    """The fenced blocks of a Markdown file."""
    found: List[Block] = []
    mark, language, start, before = "", "", 0, ""
    lines: List[str] = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fence = FENCE.match(line)
            if not mark:
                if fence:
                    mark, language, start, lines = fence[1], fence[2], number + 1, []
                elif line.strip():
                    before = line.strip()
            elif fence and fence[1] == mark and not fence[2]:
                found.append(Block(start, language, "".join(lines), before))
                mark = ""
            else:
                lines.append(line)
    if mark:
        fail(f"{path}: the block at line {start} has no end")
    return found


def is_like(shown: str, printed: str) -> bool:
    """Whether the text of a document matches the output.

    An ellipsis matches anything. Durations, and spaces at the ends of lines, which editors remove, are ignored.
    """
    parts = []
    for piece in re.split(r"(…|\b\d+(?:\.\d+)? m?s\b)", _plain(shown)):
        if piece == "…":
            parts.append(r"(?s:.*?)")
        elif re.fullmatch(r"\d+(?:\.\d+)? m?s", piece):
            parts.append(r"\d+(?:\.\d+)? m?s")
        else:
            parts.append(re.escape(piece))
    return re.fullmatch("".join(parts), _plain(printed)) is not None


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").splitlines()).strip("\n")
