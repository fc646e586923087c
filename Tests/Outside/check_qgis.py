#!/usr/bin/env python3
"""Draws the server's tiles with QGIS, by the server's style.

    check_qgis.py BINARY [PICTURE]

PyQGIS (python3-qgis) reads /style.json and the tiles without a screen, like a vector tile layer with the style's
address. QGIS has to accept every expression of the style. Lands have to have the colour of their kind, files
theirs, and unreadable ones another. For that the server runs as a user who may not read all of the tree. PICTURE
gets the last drawing.
"""

import json
import math
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional

from outside import fail, given, put, run, skip
from served import Served, serving

NOBODY = 65534
SEA, CONTINENT, COUNTRY, STATE = "#b9d3e0", "#efe8d3", "#e6e0bf", "#dcd9ac"
FILES, SPECIAL, UNREADABLE = "#2f4b5c", "#6c4f8f", "#b03a2e"

# Around each script for PyQGIS: it gets a task, and sets an answer.
BEFORE = """
import collections, json, os, sys
from qgis.core import *
from qgis.PyQt.QtCore import QDateTime, QSize, Qt
from qgis.PyQt.QtGui import QColor
task = json.load(sys.stdin)
application = QgsApplication([], False)
application.initQgis()
"""
AFTER = """
json.dump(answer, sys.stdout)
sys.stdout.flush()
os._exit(0)  # QGIS takes its parts down in an order that may end by a signal
"""

# The answer is the colours of each picture with their numbers of pixels.
DRAWING = r"""
converter = QgsMapBoxGlStyleConverter()
context = QgsMapBoxGlStyleConversionContext()
outcome = converter.convert(task["style"], context)
if outcome != QgsMapBoxGlStyleConverter.Success or converter.warnings():
    sys.exit(f"the style: {converter.errorMessage()} {converter.warnings()}")
layer = QgsVectorTileLayer(
    f"type=xyz&url={task['tiles']}&zmin=0&zmax=24&styleUrl={task['styleUrl']}", "world")
error, is_loaded = layer.loadDefaultStyle()
if not layer.isValid() or not is_loaded:
    sys.exit(f"the layer: valid {layer.isValid()}, {error}")
answer = []
for view in task["views"]:
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    settings.setExtent(QgsRectangle(*view["extent"]))
    settings.setOutputSize(QSize(view["size"], view["size"]))
    settings.setBackgroundColor(QColor("#ffffff"))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    colors = collections.Counter(
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height()))
    answer.append(colors)
    if task.get("picture"):
        image.save(task["picture"], "PNG")
"""


def interpreter() -> Optional[str]:
    """A Python with PyQGIS: this one, or the system's."""
    for program in filter(shutil.which, [sys.executable, "/usr/bin/python3"]):
        if subprocess.run([program, "-c", "import qgis.core"], capture_output=True, check=False).returncode == 0:
            return program
    return None


def in_qgis(program: str, script: str, task: Any) -> Any:
    """The answer of a script that an interpreter with PyQGIS runs without a screen."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TZ": "UTC"}
    environment.pop("PYTHONPATH", None)  # of another version of Python, perhaps
    return json.loads(run(program, "-c", BEFORE + script + AFTER, input=json.dumps(task).encode(), env=environment))


def make_tree(folder: Path) -> str:
    """A tree with lands of each kind, files, a link, and files whose metadata can't be read."""
    tree = folder / "world"
    put(str(tree), {f"country-{country}/state-{state}/district/file": "" for country in range(4) for state in range(4)})
    # The names in the closed folder can be listed, and no more.
    put(str(tree), {f"{place}file-{number}": "" for place in ("", "closed/") for number in range(12)})
    for number in range(12):
        (tree / f"link-{number}").symlink_to("nowhere")
    closed = tree / "closed"
    closed.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    return str(tree)


def views(binary: str, tree: str, user: Optional[int]) -> List[Dict[str, Any]]:
    """The whole world at zoom 2, and views around a file, a link and a file with unreadable metadata."""
    whole = 20037508.342789244
    found = [{"extent": [-whole, -whole, whole, whole], "size": 2048}]
    lines = run(binary, "map", "-q", "--format", "geojsonl", tree, statuses=(0, 1), user=user).splitlines()
    wanted = ["world/file-0", "world/link-0", "world/closed/file-0"]
    for line in lines:
        feature = json.loads(line)
        if feature["properties"]["path"] not in wanted:
            continue
        if ("closed" in feature["properties"]["path"]) != ("unreadable" in feature["properties"]):
            fail(f"what can be read is not what was meant: {feature}")
        longitude, latitude = feature["geometry"]["coordinates"]
        x, y = mercator(longitude, latitude)
        half = whole / (1 << feature["properties"]["minzoom"] + 8)
        found.append({"extent": [x - half, y - half, x + half, y + half], "size": 512})
    if len(found) != 1 + len(wanted):
        fail(f"the map has {len(found) - 1} of the files")
    return found


def mercator(longitude: float, latitude: float) -> List[float]:
    """A position in the units of EPSG:3857."""
    radius = 6378137.0
    return [math.radians(longitude) * radius,
            math.asinh(math.tan(math.radians(latitude))) * radius]


def check(served: Served, program: str, shown: List[Dict[str, Any]], picture: str) -> None:
    """Draws the views, and checks for the expected colours."""
    address = f"http://127.0.0.1:{served.port}"
    pictures = in_qgis(program, DRAWING, {
        "style": json.loads(served.get("/style.json").body), "picture": picture, "views": shown,
        "styleUrl": f"{address}/style.json", "tiles": f"{address}/tiles/{{z}}/{{x}}/{{y}}.mvt"})
    world = pictures[0]
    pixels = sum(world.values())
    for color, share in [(SEA, 0.1), (CONTINENT, 0.05), (COUNTRY, 0.02), (STATE, 0.005)]:
        if world.get(color, 0) < share * pixels:
            fail(f"{color} on {world.get(color, 0)} of {pixels} pixels: {common(world)}")
    # QGIS 3.22 draws markers of 4 pixels at all zooms.
    for place, color in enumerate([FILES, SPECIAL, UNREADABLE], 1):
        if pictures[place].get(color, 0) < 4:
            fail(f"no {color} where it has to be: {common(pictures[place])}")
    for place in (1, 2):
        if pictures[place].get(UNREADABLE, 0):
            fail(f"what can be read is drawn as if it could not: {common(pictures[place])}")


def common(picture: Dict[str, int]) -> Dict[str, int]:
    """The colours that cover most of a picture."""
    return dict(sorted(picture.items(), key=lambda item: -item[1])[:12])


def main() -> None:
    options = given(__doc__, "binary", "picture?")
    binary, picture = options.binary, os.path.abspath(options.picture) if options.picture else ""
    program = interpreter()
    if not program:
        skip("PyQGIS (python3-qgis) is missing")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        user = None
        if os.geteuid() == 0:  # root may read everything
            binary, user = shutil.copy(binary, folder / "geomapper"), NOBODY
        tree = make_tree(folder)
        try:
            shown = views(str(binary), tree, user)
            with serving(str(binary), tree, user=user) as served:
                check(served, program, shown, picture)
        finally:
            Path(tree, "closed").chmod(0o755)
    print(f"QGIS has drawn {len(shown)} pictures in the colours of the style")


if __name__ == "__main__":
    main()
