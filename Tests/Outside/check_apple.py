"""Type-checks code that only Apple's platforms compile, against declarations of the API it uses.

    check_apple.py [BUILD]

Without Apple's frameworks the code can't run. The check shows that names, arguments and isolation agree with the
declarations in Tests/Apple, which follow Apple's documentation. BUILD is the folder of a debug build's modules, by
default .build/debug. The library is compiled again with these declarations, so that the code after `canImport` of
Core Location and MapKit is checked, too, and so are the blocks of the documentation that show a view.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
from typing import List, Tuple

from check_snippets import snippets
from outside import fail, skip

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
LOGGER_ERRORS = [
    ("courseAccuracy = location.courseAccuracy", "courseAccuracy = location.accuracyOfCourse"),
    ("override var level: Int", "override var level: Double"),
]
FRAMEWORKS = ["CoreLocation", "SwiftUI", "MapKit"]  # each before the modules that import it
# Errors that the check has to find: an undeclared name, a wrong type, a call from the wrong actor.
ERRORS = [
    ("Map(position: $position", "Map(place: $position"),
    ("model.select(model.node(at: GeoCoordinate(place),", "model.select(model.node(at: place,"),
    ("public init(model: GeoMapViewModel) { self.model = model }",
     "public init(model: GeoMapViewModel) { self.model = model }\n"
     "nonisolated func away() { model.reload() }"),
]


def sources(folder: str) -> List[str]:
    """All sources of a module."""
    files = glob.glob(os.path.join(REPOSITORY, folder, "**", "*.swift"), recursive=True)
    return sorted(file for file in files if ".docc" not in file)


class Compiler:
    """The compiler, with the built modules and those made here."""

    def __init__(self, build: str, at: str) -> None:
        self.at = at
        c_modules = glob.glob(os.path.join(REPOSITORY, "Sources", "C*", "include"))
        maps = glob.glob(os.path.join(build, "C*.build", "module.modulemap"))
        self.common = ["-swift-version", "6", "-package-name", os.path.basename(REPOSITORY).lower(),
                       "-I", at, "-I", os.path.join(build, "Modules")]
        self.common += [argument for folder in c_modules for argument in ("-Xcc", f"-I{folder}")]
        self.common += [argument for path in maps
                        for argument in ("-Xcc", f"-fmodule-map-file={path}")]

    def run(self, arguments: List[str]) -> "subprocess.CompletedProcess[str]":
        """Runs the compiler."""
        return subprocess.run(["swiftc", *self.common, *arguments], capture_output=True, text=True,
                              check=False, timeout=600)

    def module(self, name: str, files: List[str]) -> None:
        """Compiles a module."""
        done = self.run(["-emit-module", "-module-name", name, "-parse-as-library",
                         "-o", os.path.join(self.at, f"{name}.swiftmodule"), *files])
        if done.returncode != 0:
            fail(f"{name} can't be compiled:\n{done.stderr[-4000:]}")

    def check(self, name: str, files: List[str]) -> str:
        """The compiler's errors for a module; empty if there are no errors."""
        done = self.run(["-typecheck", "-module-name", name, "-parse-as-library",
                         "-warnings-as-errors", *files])
        return "" if done.returncode == 0 else done.stderr

    def check_module(self, name: str, mistaken: str, errors: List[Tuple[str, str]]) -> int:
        """Checks a module, and that mistakes made in one of its files are found; returns the
        number of its files."""
        files = sources(f"Sources/{name}")
        wrong = self.check(name, files)
        if wrong:
            fail(f"{name} does not agree with the declarations:\n{wrong[-6000:]}")
        # The check has to find these errors, or it would prove nothing.
        whole = next(file for file in files if file.endswith(mistaken))
        with open(whole, encoding="utf-8") as file:
            text = file.read()
        spoilt = os.path.join(self.at, mistaken)
        for right, mistake in errors:
            if right not in text:
                fail(f"{right!r} is not in {mistaken} any more: this check needs another mistake")
            with open(spoilt, "w", encoding="utf-8") as file:
                file.write(text.replace(right, mistake))
            if not self.check(name, [file for file in files if file != whole] + [spoilt]):
                fail(f"{mistake!r} was not found")
        return len(files)


    def check_snippets(self) -> int:
        """Checks the blocks of the documentation that show a view; returns their number."""
        shown = [snippet for snippet in snippets() if snippet.needs_apple()]
        for number, snippet in enumerate(shown):
            path = os.path.join(self.at, f"snippet-{number}.swift")
            with open(path, "w", encoding="utf-8") as file:
                file.write("import GeoMapView\nimport SwiftUI\n" + snippet.source(number))
            done = self.run(["-typecheck", "-parse-as-library", "-suppress-warnings", path])
            if done.returncode:
                fail(f"code in the documentation can't be compiled:\n{done.stderr[-4000:]}")
        return len(shown)


def main() -> None:
    build = sys.argv[1] if len(sys.argv) > 1 else os.path.join(REPOSITORY, ".build", "debug")
    if not shutil.which("swiftc"):
        skip("no swiftc here")
    if not os.path.isdir(os.path.join(build, "Modules")):
        skip(f"no debug build in {build}")
    with tempfile.TemporaryDirectory() as at:
        compiler = Compiler(build, at)
        for name in FRAMEWORKS:
            compiler.module(name, [os.path.join(REPOSITORY, "Tests", "Apple", f"{name}.swift")])
        compiler.module("GeoMap", sources("Sources/GeoMap"))
        count = compiler.check_module("GeoMapView", "ImmersiveMapView.swift", ERRORS)
        compiler.module("GeoMapView", sources("Sources/GeoMapView"))
        shown = compiler.check_snippets()
        count += compiler.check_module("GeoLogger", "GeoLocation.swift", LOGGER_ERRORS)
    mistakes = len(ERRORS) + len(LOGGER_ERRORS)
    print(f"{count} sources and {shown} blocks of the documentation agree with Apple's declarations, "
          f"{mistakes} mistakes were found")


if __name__ == "__main__":
    main()
