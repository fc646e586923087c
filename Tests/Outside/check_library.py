"""Checks what the libraries offer: all that a client needs, nothing else, and each with a sentence.

    check_library.py BUILD GRAPHS

BUILD is the folder of a debug build. The symbols of each library are extracted into a folder of its own in GRAPHS, with
those of the types that `Exports.swift` names: as one graph, from which DocC makes the catalogue.

- A declaration that names a type of a module of this package has to name one that the library offers.
- What is `public` in a lower module has to be offered by a library.
- Each declaration has a documentation comment.
- Each error is a `LocalizedError`.
- A library offers no more types and symbols than it may: what newcomers read has to stay short.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, List, Set, Tuple

from outside import fail

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Each library, and the libraries that it offers as a whole.
LIBRARIES = {"GeoMap": [], "GeoScan": ["GeoMap"], "GeoLogger": [], "GeoMapView": ["GeoMap"]}
LOWER = sorted(name for name in os.listdir(os.path.join(REPOSITORY, "Sources"))
               if name.startswith("Geo") and name not in LIBRARIES)
# The most types and symbols of a library, without those that the compiler makes.
MOST = {"GeoMap": (38, 450), "GeoScan": (49, 349), "GeoLogger": (14, 120), "GeoMapView": (1, 11)}
OWN = re.compile(r"s:\d+(Geo[A-Z]\w*?)\d")


def exported(library: str) -> List[str]:
    """The modules whose types a library exports one by one."""
    path = os.path.join(REPOSITORY, "Sources", library, "Exports.swift")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return sorted(set(re.findall(r"@_exported import (?:struct|class|enum|protocol) (\w+)\.", file.read())))


def run_extraction(build: str, module: str, to: str, *more: str) -> None:
    """Extracts the public symbols of a module into a folder."""
    os.makedirs(to, exist_ok=True)
    arguments = ["swift", "symbolgraph-extract", "-module-name", module, "-I", os.path.join(build, "Modules"),
                 "-minimum-access-level", "public", "-output-dir", to, *more]
    for path in glob.glob(os.path.join(build, "C*.build", "module.modulemap")):
        arguments += ["-Xcc", f"-fmodule-map-file={path}"]
    target = json.loads(
        subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True, timeout=60).stdout)
    arguments += ["-target", target["target"]["triple"]]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        fail(f"the symbols of {module} can't be extracted:\n{done.stderr[-3000:]}")


def add_extensions(build: str, module: str, graph: dict) -> None:
    """Adds members that a lower module declares in extensions of the types that a library offers."""
    known = {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    types = {symbol["pathComponents"][0] for symbol in graph["symbols"]}
    with tempfile.TemporaryDirectory(prefix="geomapper-symbols.") as to:
        run_extraction(build, module, to, "-skip-synthesized-members")
        with open(os.path.join(to, f"{module}.symbols.json"), encoding="utf-8") as file:
            part = json.load(file)
    added = {symbol["identifier"]["precise"]: symbol for symbol in part["symbols"]
             if symbol["pathComponents"][0] in types and symbol["identifier"]["precise"] not in known}
    graph["symbols"] += added.values()
    graph["relationships"] += [relation for relation in part["relationships"] if relation["source"] in added]


def extract(build: str, library: str, to: str, offered: Set[str]) -> Tuple[List[dict], List[dict]]:
    """Extracts the symbols of a library as one graph, and returns them and their relationships.

    What a library that it includes offers is left out.
    """
    modules = exported(library)
    run_extraction(build, library, to,
                   *(["-experimental-allowed-reexported-modules=" + ",".join(modules)] if modules else []))
    main = os.path.join(to, f"{library}.symbols.json")
    with open(main, encoding="utf-8") as file:
        graph = json.load(file)
    # What the library adds to types of other modules is in graphs of their own.
    others, relations = [], []
    for path in sorted(glob.glob(os.path.join(to, f"{library}@*.symbols.json"))):
        with open(path, encoding="utf-8") as file:
            part = json.load(file)
        if os.path.basename(path).split("@")[1].split(".")[0] in modules:
            graph["symbols"] += part["symbols"]
            graph["relationships"] += part["relationships"]
            os.remove(path)
        else:
            others += part["symbols"]
            relations += part["relationships"]
    for module in modules:
        add_extensions(build, module, graph)
    graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in offered]
    graph["relationships"] = [relation for relation in graph["relationships"] if relation["source"] not in offered]
    with open(main, "w", encoding="utf-8") as file:
        json.dump(graph, file)
    return graph["symbols"] + others, graph["relationships"] + relations


def unworded(symbols: List[dict], relations: List[dict]) -> List[str]:
    """The errors of a library that `localizedDescription` says nothing about."""
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in symbols
             if symbol["kind"]["identifier"] != "swift.protocol"}
    conforming: Dict[str, Set[str]] = {}
    for relation in relations:
        if relation["kind"] == "conformsTo" and relation["source"] in names:
            protocol = relation.get("targetFallback", relation["target"]).split(".")[-1]
            conforming.setdefault(names[relation["source"]], set()).add(protocol)
    return sorted(name for name, protocols in conforming.items()
                  if "Error" in protocols and "LocalizedError" not in protocols)


def place(symbol: dict) -> str:
    """Where a symbol is declared, and its name."""
    location = symbol.get("location", {})
    path = location.get("uri", "").replace(f"file://{REPOSITORY}/", "")
    line = location.get("position", {}).get("line", -1) + 1
    return f"{path}:{line}: {'.'.join(symbol['pathComponents'])}"


def size(library: str, symbols: List[dict]) -> str:
    """How many types and symbols a library offers, which may not be more than it should."""
    own = [symbol for symbol in symbols if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]]
    types = sum(len(symbol["pathComponents"]) == 1 and symbol["kind"]["identifier"] != "swift.extension" for symbol in own)
    if types > MOST[library][0] or len(own) > MOST[library][1]:
        fail(f"{library} offers {types} types and {len(own)} symbols, and may have {MOST[library]}")
    return f"{library} {types} types, {len(own)} symbols"


def not_offered(build: str, module: str, offered: Set[str]) -> List[str]:
    """What is public in a lower module, and offered by no library."""
    with tempfile.TemporaryDirectory(prefix="geomapper-symbols.") as to:
        run_extraction(build, module, to, "-skip-synthesized-members")
        found = []
        for path in glob.glob(os.path.join(to, "*.symbols.json")):
            with open(path, encoding="utf-8") as file:
                found += [place(symbol) for symbol in json.load(file)["symbols"]
                          if symbol["identifier"]["precise"] not in offered]
    return found


def main() -> None:
    """Runs the check."""
    build, graphs = sys.argv[1:3]
    offered: Dict[str, Set[str]] = {}
    named = 0
    lacking = []
    silent = []
    sizes = []
    for library, others in LIBRARIES.items():
        included = set().union(*(offered[other] for other in others))
        own, relations = extract(build, library, os.path.join(graphs, library), included)
        silent += [f"{name} is not a LocalizedError" for name in unworded(own, relations)]
        offered[library] = included | {symbol["identifier"]["precise"] for symbol in own}
        sizes.append(size(library, own))
        for symbol in own:
            # Without a location, the compiler made it.
            if "location" in symbol and not symbol.get("docComment"):
                silent.append(place(symbol))
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
    if silent:
        fail("declarations without documentation, errors without words:\n" + "\n".join(sorted(set(silent))))
    everything = set().union(*offered.values())
    with ThreadPoolExecutor(2) as pool:
        surplus = sum(pool.map(lambda module: not_offered(build, module, everything), LOWER), [])
    if surplus:
        fail("public, but no library offers it: make it package, or name its type in Exports.swift\n"
             + "\n".join(sorted(set(surplus))))
    print(f"{sum(map(len, offered.values()))} symbols, all documented, name {named} types, all offered; "
          f"{len(LOWER)} lower modules have nothing else public; {'; '.join(sizes)}")


if __name__ == "__main__":
    main()
