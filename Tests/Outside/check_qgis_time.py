#!/usr/bin/env python3
"""Filters histories as QGIS's temporal controller does, and compares the result with git.

    check_qgis_time.py BINARY [ROUNDS]

PyQGIS (python3-qgis) opens the GeoJSON that `history` writes, and uses `start` and `end` as the beginning and end
of each feature. At the time of each commit, its visible features have to be the nodes of `git ls-tree -r -t`.
Events are checked in the same way with their `time`.
"""

import json
import os
from typing import List, Set, Tuple

import check_history
from check_qgis import in_qgis, interpreter
from outside import given, path_in_root, run, same, skip

# The task is files and times, the answer the features visible at each time.
FILTERING = r"""
answer = []
for name, sorts, start, end in task["layers"]:
    at = [[] for _ in task["times"]]
    for sort in sorts:
        layer = QgsVectorLayer(f"{name}|geometrytype={sort}", "history", "ogr")
        if not layer.isValid():
            continue
        # GDAL 3.6, to which QGIS hands the filter of a file, leaves out whatever lacks one of the times: a layer
        # in memory is filtered by QGIS itself.
        layer = layer.materialize(QgsFeatureRequest())
        properties = layer.temporalProperties()
        properties.setIsActive(True)
        properties.setMode(
            QgsVectorLayerTemporalProperties.ModeFeatureDateTimeStartAndEndFromFields if end
            else QgsVectorLayerTemporalProperties.ModeFeatureDateTimeInstantFromField)
        properties.setStartField(start)
        properties.setEndField(end)
        field = layer.fields().field(start)
        if field.typeName().lower() != "datetime":
            sys.exit(f"{start} is a {field.typeName()} for QGIS")
        context = QgsVectorLayerTemporalContext()
        context.setLayer(layer)
        for index, time in enumerate(task["times"]):
            moment = QDateTime.fromSecsSinceEpoch(time, Qt.UTC)
            text = properties.createFilterString(context, QgsDateTimeRange(moment, moment))
            if not text:
                sys.exit("QGIS filters nothing")
            for feature in layer.getFeatures(QgsFeatureRequest().setFilterExpression(text)):
                names = feature.fields().names()
                raw = feature["rawPath"] if "rawPath" in names else None
                at[index].append([feature["path"], raw if isinstance(raw, str) else None, feature["kind"]])
    answer.append(at)
"""


def node(path: str, raw: str, kind: str) -> Tuple[bytes, bool]:
    """A node in the form of `git ls-tree`: its path, and whether it is a folder."""
    return path_in_root({"path": path, **({"rawPath": raw} if raw else {})}), kind != "poi"


def check(binary: str, program: str, seed: int, work: str, log: check_history.Log, states: List[check_history.State]) -> int:
    """Compares one repository, in the current folder; returns the number of moments."""
    last = {time: number for number, (_, time, _) in enumerate(log)}
    lives, events = (os.path.join(work, f"{name}.geojson") for name in ("lives", "events"))
    run(binary, "history", "--git", ".", "-o", lives)
    run(binary, "history", "--git", ".", "--events", "-o", events)
    with open(events, encoding="utf-8") as file:
        happened = [feature["properties"] for feature in json.load(file)["features"]]
    layers = [[lives, ["Polygon", "Point"], "start", "end"]]
    if happened:
        layers.append([events, ["Point"], "time", ""])
    found = in_qgis(program, FILTERING, {"times": list(last), "layers": layers})
    for index, (time, number) in enumerate(last.items()):
        there: Set[Tuple[bytes, bool]] = {node(*one) for one in found[0][index]} - {(b"", True)}
        same(f"seed {seed}: shown by QGIS at {time}", there, set(states[number]))
        if happened:
            told = sorted(node(*one) for one in found[1][index])
            expected = sorted((path_in_root(one), False) for one in happened
                              if check_history.seconds(one["time"]) == time)
            same(f"seed {seed}: events shown by QGIS at {time}", told, expected)
    return len(last)


def main() -> None:
    options = given(__doc__, "binary", "rounds?")
    program = interpreter()
    if not program:
        skip("PyQGIS (python3-qgis) is missing")
    count = 0
    for seed in range(int(options.rounds or 4)):
        with check_history.repository(seed) as (work, log, states):
            count += check(options.binary, program, seed, work, log, states)
    print(f"at {count} moments QGIS's temporal filter leaves what git has")


if __name__ == "__main__":
    main()
