"""Checks that a client of a library needs no other module: all types of its interface are among its symbols.

    check_library.py BUILD GRAPHS

BUILD is the folder of a debug build. The symbols of each library are extracted into a folder of its own in GRAPHS, with
those of the types that `Exports.swift` names: as one graph, from which DocC makes the catalogue. A declaration that
names a type of a module of this package has to name one that the library offers.
"""

import glob
import json
import os
import re
import subprocess
import sys
from typing import Dict, List, Set

from outside import fail

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Each library, and the libraries that it offers as a whole.
LIBRARIES = {"GeoMap": [], "GeoLogger": [], "GeoMapView": ["GeoMap"]}
OWN = re.compile(r"s:\d+(Geo[A-Z]\w*?)\d")


def exported(library: str) -> List[str]:
    """The modules whose types a library exports one by one."""
    path = os.path.join(REPOSITORY, "Sources", library, "Exports.swift")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return sorted(set(re.findall(r"@_exported import (?:struct|class|enum|protocol) (\w+)\.", file.read())))


def extract(build: str, library: str, to: str) -> List[dict]:
    """Extracts the symbols of a library as one graph, and returns them."""
    os.makedirs(to, exist_ok=True)
    arguments = ["swift", "symbolgraph-extract", "-module-name", library, "-I", os.path.join(build, "Modules"),
                 "-minimum-access-level", "public", "-output-dir", to]
    for path in glob.glob(os.path.join(build, "C*.build", "module.modulemap")):
        arguments += ["-Xcc", f"-fmodule-map-file={path}"]
    target = json.loads(
        subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True, timeout=60).stdout)
    arguments += ["-target", target["target"]["triple"]]
    if modules := exported(library):
        arguments.append("-experimental-allowed-reexported-modules=" + ",".join(modules))
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        fail(f"the symbols of {library} can't be extracted:\n{done.stderr[-3000:]}")
    main = os.path.join(to, f"{library}.symbols.json")
    with open(main, encoding="utf-8") as file:
        graph = json.load(file)
    # What the library adds to types of other modules is in graphs of their own.
    for path in sorted(glob.glob(os.path.join(to, f"{library}@*.symbols.json"))):
        with open(path, encoding="utf-8") as file:
            more = json.load(file)
        module = os.path.basename(path).split("@")[1].split(".")[0]
        if module in modules:
            graph["symbols"] += more["symbols"]
            graph["relationships"] += more["relationships"]
            os.remove(path)
    with open(main, "w", encoding="utf-8") as file:
        json.dump(graph, file)
    return graph["symbols"]


def main() -> None:
    """Runs the check."""
    build, graphs = sys.argv[1:3]
    offered: Dict[str, Set[str]] = {}
    named = 0
    lacking = []
    for library, others in LIBRARIES.items():
        own = extract(build, library, os.path.join(graphs, library))
        offered[library] = {symbol["identifier"]["precise"] for symbol in own}
        for other in others:
            offered[library] |= offered[other]
        for symbol in own:
            for fragment in symbol.get("declarationFragments", []):
                identifier = fragment.get("preciseIdentifier", "")
                if fragment["kind"] != "typeIdentifier" or not OWN.match(identifier):
                    continue
                named += 1
                if identifier not in offered[library]:
                    lacking.append(f"{library}: {'.'.join(symbol['pathComponents'])} names {fragment['spelling']}")
    if lacking:
        fail("types are missing in Exports.swift:\n" + "\n".join(sorted(set(lacking))))
    if not named:
        fail("no library names a type")
    print(f"{sum(map(len, offered.values()))} symbols name {named} types, and all of them are offered")


if __name__ == "__main__":
    main()
