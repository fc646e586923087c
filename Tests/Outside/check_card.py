#!/usr/bin/env python3
"""Runs the workflows that post cards of pull requests.

    check_card.py GEOMAPPER

The steps of the article PullRequests run as written, in a temporary repository, with made-up programs in place of
`gh`, `swift` and `apt-get`: the first workflow as for a fork, the second with what the fork hands over, which may be
anything. ChangeCardTests has what is on a card.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

from documented import blocks
from outside import Repository, fail, given, same

ARTICLE = Path(__file__).resolve().parents[2] / "Sources/GeoMap/GeoMap.docc/PullRequests.md"
SIZE = (1200, 630)
HOSTILE = ["a&<b>\"'", "<script>alert(1)</script>".replace("/", "\u2215"), "]]>", "$(touch pwned)", "`touch pwned`"]
REPOSITORY = "ann/tree"

# Answers as GitHub's API, from a folder with its state, and keeps what is written.
GH = r'''
import json, os, sys
state, words = os.environ["STATE"], sys.argv[1:]
assert words.pop(0) == "api" and os.environ["GH_TOKEN"] == "token", words
method = words[words.index("--method") + 1] if "--method" in words else "GET"
place = next(word for word in words if word.startswith("repos/"))
kind = place.split("/")[3]
def kept(name):
    try:
        with open(os.path.join(state, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""
def keep(name, text):
    with open(os.path.join(state, name), "w", encoding="utf-8") as file:
        file.write(text)
keep("calls", kept("calls") + f"{method} {place}\n")
if kind == "pulls":
    print(json.loads(kept("pulls")).get(place.split("/")[4], "null"))
elif kind == "contents" and method == "GET":
    sys.exit(0 if kept("picture") else 1)
elif kind == "contents":
    with open(words[words.index("--input") + 1], encoding="utf-8") as file:
        keep("picture", file.read())
elif method == "GET":
    sys.stdout.write("41\n42\n" if kept("comment") else "")
else:
    keep("comment", words[words.index("-f") + 1])
'''
SWIFT = '''#!/bin/sh
case "$*" in "build -c release --product geomapper --package-path .geomapper") ;; *) exit 9 ;; esac
mkdir -p .geomapper/.build/release && ln -s "$GEOMAPPER" .geomapper/.build/release/geomapper
'''


class Step(NamedTuple):
    """A step of a workflow with its script, and its variables by name."""
    name: str
    variables: Dict[str, str]
    script: str


def steps(text: str) -> Dict[str, Step]:
    """The steps of a workflow that have scripts, by name."""
    found: Dict[str, Step] = {}
    for part in re.split(r"^      - ", text, flags=re.M)[1:]:
        if "\n        run: |\n" not in part:
            continue
        head, script = part.split("\n        run: |\n")
        if "${{" in script:
            fail(f"an expression in a script, where anybody's text becomes code: {script}")
        name = re.match(r"name: (.*)", head)
        variables = dict(re.findall(r"^          (\w+): (.*)$", head, re.M))
        if not name:
            fail(f"a step without a name: {head}")
        found[name[1]] = Step(name[1], variables, re.sub(r"^ {10}", "", script, flags=re.M))
    return found


def extent(png: bytes) -> Tuple[int, int]:
    """Width and height of a PNG."""
    if not png.startswith(b"\x89PNG\r\n\x1a\n"):
        fail("a card is no PNG")
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)


class Hub:
    """A repository with a pull request, and programs in place of those of the runner."""

    def __init__(self, binary: str, work: str) -> None:
        self.work, self.state = work, f"{work}/state"
        for folder in ("bin", "state", "home"):
            os.makedirs(f"{work}/{folder}")
        for name, text in (("gh", f"#!{sys.executable}\n{GH}"), ("swift", SWIFT), ("apt-get", "#!/bin/sh\nexit 0\n")):
            Path(work, "bin", name).write_text(text, encoding="utf-8")
            os.chmod(f"{work}/bin/{name}", 0o755)
        self.environment = {"PATH": f"{work}/bin:{os.environ['PATH']}", "HOME": f"{work}/home", "STATE": self.state,
                            "GEOMAPPER": binary, "GIT_CONFIG_NOSYSTEM": "1"}
        made, start = Repository(f"{work}/tree"), 1_700_000_000
        begin = made.commit(start, "x", {"src/a.c": 3000, "doc/b": 500})
        made.git("switch", "-q", "-c", "change")
        head = made.commit(start, "x", {"src/a.c": 9000, f"{HOSTILE[-1]}/{HOSTILE[0]}": 20_000})
        made.git("switch", "-q", "main")
        self.values = {
            "github.event.pull_request.base.sha": made.commit(start, "x", {"later": 7}),
            "github.event.pull_request.head.sha": head, "github.event.pull_request.number": "7",
            "github.event.repository.name": "tree", "github.token": "token", "github.repository": REPOSITORY,
            "github.event.workflow_run.head_sha": head,
        }
        self.begin, self.head = begin, head
        Path(self.state, "pulls").write_text(json.dumps({"7": head, "8": begin}), encoding="utf-8")

    def run(self, step: Step, shell: List[str], folder: str) -> "subprocess.CompletedProcess[str]":
        """Runs a step as a runner does."""
        environment = dict(self.environment)
        for name, value in step.variables.items():
            environment[name] = re.sub(r"\$\{\{ (.*?) \}\}", lambda found: self.values[found[1]], value.strip('"'))
        return subprocess.run([*shell, "-e", "-c", step.script], cwd=folder, env=environment, capture_output=True,
                              text=True, check=False, timeout=120)

    def expect(self, step: Step, shell: List[str], folder: str, passes: bool = True) -> str:
        """Runs a step that has to pass or to fail."""
        ran = self.run(step, shell, folder)
        if (ran.returncode == 0) != passes:
            fail(f"the step {step.name} ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def kept(self, name: str) -> str:
        """What the made-up GitHub has."""
        file = Path(self.state, name)
        return file.read_text(encoding="utf-8") if file.exists() else ""


def check_rights(make: str, post: str) -> None:
    """The first workflow may only read, the second runs nothing from the pull request."""
    if "on: pull_request\npermissions:\n  contents: read\njobs:" not in make or make.count("permissions:") != 1:
        fail("the workflow for forks has more rights than reading")
    if "write" in make or "secrets" in make + post or make.count("persist-credentials: false") != make.count("checkout"):
        fail("the workflow for forks could write")
    if "checkout" in post or "\npermissions: {}\n" not in post or "pull_request_target" in make + post:
        fail("the workflow that posts could run a fork's code")


def check_workflows(binary: str, work: str) -> str:
    """Runs both workflows for a pull request."""
    make, post = (block.text for block in blocks(str(ARTICLE)) if block.language == "yaml")
    check_rights(make, post)
    if not shutil.which("rsvg-convert"):
        return "skipped: the workflows need rsvg-convert, which is not installed"
    hub = Hub(binary, work)
    first, second = steps(make), steps(post)
    same("steps with scripts", [*first, *second], ["Install", "Draw", "Check", "Post"])
    tree, job = f"{work}/tree", f"{work}/job"
    hub.expect(first["Install"], ["sh"], tree)
    summary = hub.expect(first["Draw"], ["sh"], tree)
    if f"old      {hub.begin[:7]}" not in summary or "added    1 file" not in summary:
        fail(f"the pull request isn't compared with where it began: {summary}")
    same("the size of the card", extent(Path(tree, "card/card.png").read_bytes()), SIZE)

    def hand_over(number: str, picture: bytes) -> None:
        shutil.rmtree(job, ignore_errors=True)
        os.makedirs(f"{job}/card")
        Path(job, "card/number").write_text(number, encoding="utf-8")
        Path(job, "card/card.png").write_bytes(picture)

    card = Path(tree, "card/card.png").read_bytes()
    other = card[:16] + struct.pack(">II", 9000, 9000) + card[24:]
    for number, picture in (
            ("8", card), ("9", card), ("0", card), ("", card), ("7;touch pwned", card), ("../../x", card), ("7\n8", card),
            ("$(touch pwned)", card), ("7", b"<svg onload='x'/>"), ("7", other), ("7", card + b"x" * 2_000_000)):
        hand_over(number, picture)
        hub.expect(second["Check"], ["bash"], job, passes=False)
    if re.search("^(POST|PUT|PATCH)", hub.kept("calls"), re.M):
        fail(f"something was written before all was checked: {hub.kept('calls')}")
    for answer in ("POST repos/ann/tree/issues/7/comments", "PATCH repos/ann/tree/issues/comments/41"):
        hand_over(Path(tree, "card/number").read_text(encoding="utf-8"), card)
        Path(hub.state, "calls").unlink()
        for name in ("Check", "Post"):
            hub.expect(second[name], ["bash"], job)
        same("the last call", hub.kept("calls").splitlines()[-1], answer)
        same("the comment", hub.kept("comment"),
             f"body=<!-- geomapper card --> ![What changes](https://github.com/{REPOSITORY}/blob/cards/{hub.head}.png"
             "?raw=true)")
    sent = json.loads(hub.kept("picture"))
    same("the branch", (sent["branch"], sent["message"]), ("cards", "Card of #7"))
    for folder in (tree, job):
        if os.path.exists(f"{folder}/pwned"):
            fail("a name ran as a command")
    return "both workflows run, and post what was checked"


def main() -> None:
    """Runs the check."""
    binary = given(__doc__, "binary").binary
    with tempfile.TemporaryDirectory(prefix="geomapper-card.") as work:
        print("cards:", check_workflows(binary, work))


if __name__ == "__main__":
    main()
