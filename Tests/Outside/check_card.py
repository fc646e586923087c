#!/usr/bin/env python3
"""Runs the action that posts cards of pull requests.

    check_card.py GEOMAPPER

The steps of the released action run as written, on a repository with a pull request from a fork, with made-up programs
in place of `gh`, `sudo` and `apt-get`. ChangeCardTests has what is on a card.
"""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

from check_release import release
from documented import blocks
from outside import Repository, fail, given, run, same

ARTICLE = Path(__file__).resolve().parents[2] / "Sources/GeoMap/GeoMap.docc/PullRequests.md"
SIZE = (1200, 630)
HOSTILE = ["a&<b>\"'", "<script>alert(1)</script>".replace("/", "\u2215"), "]]>", "$(touch pwned)", "`touch pwned`"]
REPOSITORY = "ann/tree"

# Answers as GitHub's API, from a folder with its state, and keeps what is written.
GH = r'''
import os, sys
state, words = os.environ["STATE"], sys.argv[1:]
assert words.pop(0) == "api" and os.environ["GH_TOKEN"] == "token", words
method = words[words.index("--method") + 1] if "--method" in words else "GET"
place = next(word for word in words if word.startswith("repos/"))
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
if "/compare/" in place:
    print(kept("start " + place.rpartition("/")[2]))
elif method == "GET":
    sys.stdout.write("41\n42\n" if kept("comment") else "")
else:
    keep("comment", words[words.index("-f") + 1])
'''


class Step(NamedTuple):
    """A step of the action: its name, variables and script."""
    name: str
    variables: Dict[str, str]
    script: str


def steps(text: str) -> List[Step]:
    """The steps of the action."""
    found: List[Step] = []
    for part in re.split(r"^    - name: ", text, flags=re.M)[1:]:
        head, script = part.split("\n      run: |\n")
        if "${{" in script or "\n      shell: bash\n" not in head:
            fail(f"a script with an expression, in which a text becomes code, or without a shell: {part}")
        texts = re.sub(r" \|\n((?: {10}.*\n?)+)", lambda found: " " + " ".join(found[1].split()), head)
        variables = dict(re.findall(r"^        (\w+): (.*)$", texts, re.M))
        found.append(Step(head.partition("\n")[0], variables, re.sub(r"^ {8}", "", script, flags=re.M)))
    return found


def extent(png: bytes) -> Tuple[int, int]:
    """Width and height of a PNG."""
    if not png.startswith(b"\x89PNG\r\n\x1a\n"):
        fail("a card is no PNG")
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)


class Hub:
    """A repository with a pull request, and programs in place of those of the runner."""

    def __init__(self, work: str) -> None:
        self.work, self.state = work, f"{work}/state"
        for folder in ("bin", "state", "home"):
            os.makedirs(f"{work}/{folder}")
        for name, text in (("gh", f"#!{sys.executable}\n{GH}"), ("sudo", "#!/bin/sh\nexec \"$@\"\n"),
                           ("apt-get", "#!/bin/sh\nexit 0\n")):
            Path(work, "bin", name).write_text(text, encoding="utf-8")
            os.chmod(f"{work}/bin/{name}", 0o755)
        self.environment = {"PATH": f"{work}/bin:{os.environ['PATH']}", "HOME": f"{work}/home", "STATE": self.state,
                            "GIT_CONFIG_NOSYSTEM": "1", "RUNNER_TEMP": f"{work}/runner"}
        self.made, start = Repository(f"{work}/hub/{REPOSITORY}"), 1_700_000_000
        self.begin = self.made.commit(start, "x", {"src/a.c": 3000, "doc/b": 500})
        self.made.git("switch", "-q", "-c", "change")
        self.head = self.made.commit(start, "x", {"src/a.c": 9000, f"{HOSTILE[-1]}/{HOSTILE[0]}": 20_000})
        self.made.git("switch", "-q", "main")
        base = self.made.commit(start, "x", {"later": 7})
        # The commit of a fork is on no branch of the repository, which serves it nevertheless.
        self.made.git("update-ref", "refs/pull/7/head", self.head)
        self.made.git("branch", "-q", "-D", "change")
        self.made.git("config", "uploadpack.allowAnySHA1InWant", "true")
        Path(self.state, f"start {base}...{self.head}").write_text(self.begin, encoding="utf-8")
        self.values = {
            "github.event.pull_request.base.sha": base, "github.event.pull_request.head.sha": self.head,
            "github.event.pull_request.number": "7", "github.event.repository.name": "tree", "github.token": "token",
            "github.repository": REPOSITORY, "github.server_url": f"{work}/hub",
        }

    def run(self, step: Step) -> str:
        """Runs a step as a runner does, and returns its output."""
        environment = dict(self.environment)
        for name, value in step.variables.items():
            environment[name] = re.sub(r"\$\{\{ (.*?) \}\}", lambda found: self.values[found[1]], value.strip('"'))
        return run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.script, cwd=self.work,
                   env=environment).decode()

    def kept(self, name: str) -> str:
        """What the made-up GitHub has."""
        return Path(self.state, name).read_text(encoding="utf-8")


def check_rights(workflow: str, made: List[Step]) -> None:
    """The workflow runs nothing from the pull request, and draws without a token that could write."""
    same("the lines of the workflow", len(workflow.splitlines()), 4)
    if "on: pull_request_target\npermissions: { contents: write, pull-requests: write }\n" not in workflow:
        fail(f"the workflow has other rights: {workflow}")
    same("the steps with a token", [step.name for step in made if "${{ github.token }}" in step.variables.values()],
         ["Fetch", "Post"])
    for step in made:
        if re.search(r"checkout|\bgit (clone|switch|worktree)|uses:", step.script):
            fail(f"the step {step.name} could take files of the pull request out: {step.script}")


def check_action(binary: str, work: str) -> str:
    """Runs the action for a pull request, and again for its next commit."""
    files = f"{work}/files/releases/download"
    made = release(binary, f"{work}/made", f"file://{work}/files")
    version = run(binary, "--version").decode().split()[1]
    shutil.copytree(made, f"{files}/{version}")
    action = steps(Path(made, "action.yml").read_text(encoding="utf-8"))
    same("the steps", [step.name for step in action], ["Install", "Fetch", "Draw", "Post"])
    check_rights(next(block.text for block in blocks(str(ARTICLE)) if block.language == "yaml"), action)
    if not shutil.which("rsvg-convert") or not shutil.which("curl"):
        return "skipped: the action needs rsvg-convert and curl"
    hub = Hub(work)
    card, runner = f"{work}/runner/geomapper/card.png", f"{work}/runner"
    for answer in ("POST repos/ann/tree/issues/7/comments", "PATCH repos/ann/tree/issues/comments/41"):
        shutil.rmtree(runner, ignore_errors=True)
        os.mkdir(runner)
        printed = "".join(hub.run(step) for step in action)
        if f"old      {hub.begin[:10]}" not in printed or "added    1 file" not in printed:
            fail(f"the pull request isn't compared with where it began: {printed}")
        same("the last call", hub.kept("calls").splitlines()[-1], answer)
        commit = hub.made.git("rev-parse", "refs/cards/7")
        same("the comment", hub.kept("comment"), f"body=<!-- geomapper card --> ![What changes]({work}/hub/{REPOSITORY}"
             f"/blob/{commit}/card.png?raw=true)")
        same("what is kept", hub.made.git("ls-tree", "-r", "--name-only", commit), "card.png")
        same("commits for the picture", hub.made.git("rev-list", "--count", commit), "1")
        same("the size of the card", extent(Path(card).read_bytes()), SIZE)
        picture = run("git", "-C", hub.made.at, "cat-file", "blob", f"{commit}:card.png")
        same("the picture", picture, Path(card).read_bytes())
    same("branches", hub.made.git("branch", "--format", "%(refname:short)"), "main")
    if found := list(Path(work).glob("**/pwned")):
        fail(f"a name ran as a command: {found}")
    shutil.rmtree(runner)
    os.mkdir(runner)
    with open(next(Path(files, version).glob("*.tar.gz")), "ab") as file:
        file.write(b"more")
    ran = subprocess.run(["bash", "-eo", "pipefail", "-c", action[0].script], cwd=work, capture_output=True, check=False,
                         env={**hub.environment, **action[0].variables}, timeout=120)
    if ran.returncode == 0 or os.path.exists(f"{runner}/geomapper/bin"):
        fail("the action installs an archive with another sum")
    return "the action draws a card and posts it; skipped: GitHub doesn't run it here"


def main() -> None:
    """Runs the check."""
    binary = given(__doc__, "binary").binary
    with tempfile.TemporaryDirectory(prefix="geomapper-card.") as work:
        print("cards:", check_action(binary, work))


if __name__ == "__main__":
    main()
