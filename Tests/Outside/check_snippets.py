"""Compiles the Swift code of the documentation: blocks of `swift` in articles, README.md and doc comments.

    check_snippets.py BUILD

BUILD is the folder of a debug build. Each block is the body of a function of its own, with its imports and Foundation, and
with the library that it documents (GeoMap for other modules) unless it imports one. Blocks with a view of SwiftUI are
compiled by check_apple.py.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
from typing import Iterator, List, NamedTuple

from outside import fail

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
LIBRARIES = ["GeoMap", "GeoScan", "GeoLogger", "GeoMapView"]
# What the text around a block explains.
GIVEN = {"bytes": "let bytes: [UInt8] = []", "decoder": "let decoder = JSONDecoder()"}


class Snippet(NamedTuple):
    """A block of Swift in a document."""

    path: str
    line: int  # of its first line, counted from 1
    text: str

    def imports(self) -> List[str]:
        """The modules that it imports."""
        return re.findall(r"^import (\w+)$", self.text, re.M)

    def needs_apple(self) -> bool:
        """Whether only Apple's platforms have what it uses."""
        return "SwiftUI" in self.imports() or "ImmersiveMapView" in self.text

    def source(self, number: int) -> str:
        """A source file with the block in a function; compilers name its lines as those of the document."""
        imports = set(self.imports()) | {"Foundation"}
        if not imports & {*LIBRARIES, "PackageDescription"}:
            folder = self.path.split("/")[1] if self.path.startswith("Sources/") else ""
            imports.add(folder if folder in LIBRARIES else "GeoMap")
        given = [text for name, text in GIVEN.items()
                 if re.search(rf"\b{name}\b", self.text) and not re.search(rf"(let|var) {name}\b", self.text)]
        body = re.sub(r"^import \w+$", "", self.text, flags=re.M)
        head = "\n".join(f"import {name}" for name in sorted(imports))
        return (f"{head}\n@MainActor func snippet{number}() async throws {{\n" + "\n".join(given)
                + f'\n#sourceLocation(file: "{self.path}", line: {self.line})\n{body}\n#sourceLocation()\n}}\n')


def blocks(path: str) -> Iterator[Snippet]:
    """The blocks of a document, or of the doc comments of a source."""
    with open(os.path.join(REPOSITORY, path), encoding="utf-8") as file:
        lines = file.read().splitlines()
    inside: List[str] = []
    begin = None
    for number, line in enumerate(lines, 1):
        if path.endswith(".swift"):
            comment = re.match(r" */// ?(.*)", line)
            line = comment.group(1) if comment else ""
        if begin is None and line.strip() == "```swift":
            begin, inside = number + 1, []
        elif begin is not None and line.strip() == "```":
            yield Snippet(path, begin, "\n".join(inside))
            begin = None
        elif begin is not None:
            inside.append(line)


def snippets() -> List[Snippet]:
    """All blocks of the documentation."""
    paths = ["README.md"]
    for pattern in ("Sources/**/*.md", "Sources/**/*.swift"):
        paths += sorted(os.path.relpath(path, REPOSITORY) for path in
                        glob.glob(os.path.join(REPOSITORY, pattern), recursive=True) if "/Resources/" not in path)
    return [snippet for path in paths for snippet in blocks(path)]


def main() -> None:
    """Runs the check."""
    build = sys.argv[1]
    here = [snippet for snippet in snippets() if not snippet.needs_apple()]
    if len(here) < 10:
        fail(f"only {len(here)} blocks were found")
    swiftc = subprocess.run(["sh", "-c", "readlink -f $(command -v swiftc)"], capture_output=True, text=True, check=True)
    manifests = os.path.join(os.path.dirname(swiftc.stdout.strip()), "..", "lib", "swift", "pm", "ManifestAPI")
    with tempfile.TemporaryDirectory(prefix="geomapper-snippets.") as at:
        files = []
        for number, snippet in enumerate(here, 1):
            files.append(os.path.join(at, f"snippet-{number}.swift"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(snippet.source(number))
        arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", "Snippets",
                     "-suppress-warnings", "-I", os.path.join(build, "Modules"), "-I", manifests,
                     "-enable-upcoming-feature", "MemberImportVisibility",
                     "-package-description-version", "6.2"]
        for path in glob.glob(os.path.join(build, "C*.build", "module.modulemap")):
            arguments += ["-Xcc", f"-fmodule-map-file={path}"]
        done = subprocess.run(arguments + files, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode:
            fail(f"code in the documentation can't be compiled:\n{done.stderr[-6000:]}")
        # The check has to find a mistake, or it would prove nothing.
        with open(files[0], "a", encoding="utf-8") as file:
            file.write("func mistake() { GeoWorld(dir: 1) }\n")
        if not subprocess.run(arguments + files, capture_output=True, check=False, timeout=300).returncode:
            fail("a mistake was not found")
    print(f"{len(here)} blocks of Swift in the documentation compile")


if __name__ == "__main__":
    main()
