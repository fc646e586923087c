"""Checks the timers of `keep` with the programs that read them: systemd reads the units and says when they elapse, the
shell reads the line for cron. The folders have awkward names. Then timers are installed and removed with a false
`systemctl`. TimerTests has the timers of the system.

    check_timer.py BINARY [--names N] [--seed N]
"""

import datetime
import os
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from outside import fail, given, run, same, skip

UNPRIVILEGED = 65534
SYSTEMD = next((path for path in ("/usr/lib/systemd/systemd", "/lib/systemd/systemd") if os.path.exists(path)), None)
AWKWARD = [
    b"plain", b"two words", b"100 %", b"%h%%i", b"$HOME", b"${HOME}$$", b'quo"te', b"it's", b"back\\slash", b"end\\",
    b"\\x41\\n", b"tab\tbed", b"bell\x07", b"\x1b[31m", b"\x7f", b"\xff\xfe", b"caf\xc3\xa9", "\u202e\u2028".encode(),
    b"-x", b"--list", b"a=b", b"=", b";", b"; rm", b"#", b"*?[a]", b"~", b"!", b"&|<>", b"`id`", b"$(id)", b"\\%", b"\\\\%",
    b"'%", b" ", b"\xc2\x9b",
]


def random_names(count: int, rng: random.Random) -> List[bytes]:
    letters = [letter for letter in range(1, 256) if letter not in b"/\n\r"]
    special = b"%$\"'\\ ;#{}x41"
    return [bytes(rng.choice(special if rng.random() < 0.6 else letters) for _ in range(rng.randrange(1, 20)))
            for _ in range(count)]


class User:
    """The user for which timers are made: an unprivileged one if this is root, who has only timers of the system."""

    def __init__(self, top: str) -> None:
        self.top = top
        self.home = os.path.join(top, "home")
        self.units = os.path.join(self.home, ".config/systemd/user")
        self.environment: Dict[str, str] = {
            "HOME": self.home, "PATH": os.path.join(top, "bin") + ":/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C",
            "XDG_RUNTIME_DIR": os.path.join(top, "run"), "LOG": os.path.join(top, "log"),
        }
        self.other = {"user": UNPRIVILEGED, "group": UNPRIVILEGED, "extra_groups": []} if os.geteuid() == 0 else {}
        for folder in ("home", "run", "bin"):
            os.mkdir(os.path.join(top, folder))
            os.chmod(os.path.join(top, folder), 0o777)
        os.chmod(top, 0o777)

    def run(self, *command: object, statuses: Sequence[int] = (0,)) -> bytes:
        return run(*command, statuses=tuple(statuses), env=self.environment, cwd=self.top, **self.other)


def systemd_words(line: bytes) -> List[bytes]:
    """The words of a command line as systemd prints it, after the expansion of `$$`."""
    words: List[bytes] = []
    word: Optional[bytearray] = None
    index = 0
    escapes = {b"a": 7, b"b": 8, b"f": 12, b"n": 10, b"r": 13, b"t": 9, b"v": 11}
    is_quoted = False
    while index < len(line):
        letter = line[index:index + 1]
        index += 1
        if letter == b" " and not is_quoted:
            if word is not None:
                words.append(bytes(word))
            word = None
            continue
        word = bytearray() if word is None else word
        if letter == b'"':
            is_quoted = not is_quoted
        elif letter == b"\\" and is_quoted:
            escaped = line[index:index + 1]
            if escaped in escapes:
                word.append(escapes[escaped])
                index += 1
            elif escaped.isdigit():
                word.append(int(line[index:index + 3], 8))
                index += 3
            else:
                word += escaped
                index += 1
        else:
            word += letter
    if word is not None:
        words.append(bytes(word))
    return words[:1] + [word.replace(b"$$", b"$") for word in words[1:]]


def as_systemd_reads(user: User, unit: str) -> Optional[List[bytes]]:
    """The words of a service that is in the user's folder; None if systemd can't be asked here."""
    if SYSTEMD is None:
        return None
    asked = subprocess.run([SYSTEMD, "--user", "--test", f"--unit={unit}"], capture_output=True, check=False, timeout=60,
                           env=user.environment, **user.other)
    part = asked.stdout.partition(f"-> Unit {unit}:".encode())[2]
    found = re.search(rb"Command Line: (.*)", part)
    return systemd_words(found.group(1)) if found else None


def cron_words(line: bytes, removing: bool) -> List[bytes]:
    """The words of a line for cron, which leaves or removes the backslash of `\\%`, as the shell reads them."""
    command = line.split(b" ", 5)[5]
    passed, is_escaped = bytearray(), False
    for letter in command:
        if is_escaped:
            if letter == ord("%") and removing:
                del passed[-1]
            is_escaped = False
        elif letter == ord("\\"):
            is_escaped = True
        elif letter == ord("%"):
            fail(f"cron cuts the line at '%': {line!r}")
        passed.append(letter)
    script = b"nice() { printf '%s\\0' \"$@\"; }; " + bytes(passed)
    return run("sh", "-c", script).split(b"\0")[2:-1]


def check_names(binary: str, user: User, names: Sequence[bytes]) -> str:
    """All readers find the words that were meant, and the command they find keeps the folder."""
    asked = crons = 0
    for name in names:
        folder = os.path.join(user.top.encode(), b"roots", name)
        os.makedirs(folder, exist_ok=True)
        store = os.path.join(user.top, "store")
        arguments = [binary, "keep", "--every", "1h", "--store", store, b"--exclude=" + name.replace(b"\\", b"")
                     .replace(b"[", b"") or b"x", b"name=" + folder]
        printed = user.run(*arguments)
        expected = [binary.encode(), b"keep", b"--store=" + store.encode(), arguments[-2],
                    (b"" if name == b"name" else b"name=") + folder]
        last = printed.rstrip(b"\n").split(b"\n")[-1]
        if any(letter < 0x20 or letter == 0x7F for letter in name):
            if b"control characters" not in last:
                fail(f"a line for cron with control characters: {last!r}")
        else:
            crons += 1
            for removing in (False, True):
                same("the words that cron reads", cron_words(last, removing), expected)
        user.run(*arguments, "--install")
        units = sorted(os.listdir(user.units))
        if len(units) != 2:
            fail(f"{units} are there, not two units")
        paths = [os.path.join(user.units, unit) for unit in units]
        verified = subprocess.run(["systemd-analyze", "verify", "--user", *paths], capture_output=True, check=False,
                                  timeout=60, env=user.environment, **user.other)
        if verified.returncode != 0 or verified.stderr:
            fail(f"systemd-analyze verify of {name!r}: {verified.returncode}: {verified.stderr!r}")
        words = as_systemd_reads(user, units[0])
        if words is not None:
            asked += 1
            same("the words that systemd reads", words, expected)
            if asked % 8 == 1:
                user.run(*words)
        user.run(binary, "keep", "--remove", folder)
        same(f"what is left of {name!r}", os.listdir(user.units), [])
    if not asked:
        print("skipped: reading by systemd, which can't be run here")
    return f"{len(names)} names, {asked} read by systemd and {crons} by cron"


def check_intervals(binary: str, user: User) -> str:
    """The times of a calendar are as far apart as asked; intervals without a calendar are monotonic."""
    calendars = 0
    os.makedirs(os.path.join(user.top, "roots/plain"), exist_ok=True)
    for span, seconds in (("1m", 60), ("5m", 300), ("90s", 90), ("7m", 420), ("15m", 900), ("30m", 1800), ("1h", 3600),
                          ("90m", 5400), ("2h", 7200), ("5h", 18000), ("6h", 21600), ("12h", 43200), ("24h", 86400),
                          ("2d", 172800), ("7d", 604800), ("30d", 2592000)):
        printed = user.run(binary, "keep", "--every", span, "roots/plain").decode()
        found = re.search(r"^OnCalendar=(.*)$", printed, re.MULTILINE)
        if not found:
            if f"OnUnitActiveSec={seconds}s\n" not in printed or "No line for cron" not in printed:
                fail(f"no timer for {span}: {printed}")
            continue
        calendars += 1
        if "\nPersistent=true\n" not in printed or "# For cron" not in printed:
            fail(f"a calendar without persistence, or without a line for cron: {printed}")
        times = user.run("systemd-analyze", "calendar", "--iterations=4", found.group(1)).decode()
        moments = [datetime.datetime.fromisoformat(f"{day} {time}") for day, time in
                   re.findall(r"(?:Next elapse|Iter\. #\d+|Iteration #\d+): \w+ (\S+) (\S+) UTC", times)]
        gaps = {int((late - early).total_seconds()) for early, late in zip(moments, moments[1:])}
        if len(moments) != 4 or gaps != {seconds}:
            fail(f"{span} elapses at {moments}")
    return f"{calendars} calendars"


FALSE_SYSTEMCTL = """#!/bin/sh
echo "$*" >> "$LOG"
exit ${SYSTEMCTL_STATUS:-0}
"""


def check_statuses(binary: str, user: User) -> str:
    """The statuses where systemctl fails and where files or the right are missing; TimerTests has files and commands."""
    folder = os.path.join(user.top, "roots/plain")
    install = [binary, "keep", "--every", "1h", "--install", folder]
    user.environment["SYSTEMCTL_STATUS"] = "1"
    user.run(*install, statuses=(1,))
    del user.environment["SYSTEMCTL_STATUS"]
    # A file without the mark stays, and the timer of a folder that is gone is removed by its path.
    service = next(Path(user.units).glob("*.service"))
    own = service.read_bytes()
    service.write_bytes(own.replace(b"made by", b"changed by"))
    for command in (install, [binary, "keep", "--remove", folder]):
        user.run(*command, statuses=(2,))
    service.write_bytes(own)
    shutil.rmtree(folder)
    for _ in range(2):
        user.run(binary, "keep", "--remove", folder)
    same("the units that are left", os.listdir(user.units), [])
    user.run(*install[:-1], "--system", user.home, statuses=(2,))
    return "installed and removed"


def main() -> None:
    arguments = given(__doc__, "binary", names=20, seed=1)
    if not shutil.which("systemd-analyze"):
        skip("no systemd-analyze")
    with tempfile.TemporaryDirectory() as top:
        user = User(os.path.realpath(top))
        binary = os.path.join(user.top, "bin", "geomapper")
        shutil.copy(arguments.binary, binary)
        systemctl = os.path.join(user.top, "bin", "systemctl")
        with open(systemctl, "w", encoding="utf-8") as file:
            file.write(FALSE_SYSTEMCTL)
        with open(user.environment["LOG"], "w", encoding="utf-8"):
            pass
        for path, mode in ((binary, 0o755), (systemctl, 0o755), (user.environment["LOG"], 0o666)):
            os.chmod(path, mode)
        names = AWKWARD + random_names(arguments.names, random.Random(arguments.seed))
        parts = [check_names(binary, user, names), check_intervals(binary, user), check_statuses(binary, user)]
    print("; ".join(parts))


if __name__ == "__main__":
    main()
