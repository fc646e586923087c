"""Checks that a map made in parts, two at a time, equals the map of one run.

    check_parts.py GEOMAPPER DIR [--spark]

With --spark it is also made on Apache Spark, and one task is killed meanwhile.
"""

import filecmp
import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

from outside import fail, run_map, skip

DISTRIBUTED = os.path.join(os.path.dirname(__file__), "..", "..", "Benchmarks", "distributed")


def run(*command: str) -> str:
    """Runs a command to its end, and returns its standard error."""
    ran = subprocess.run(command, capture_output=True, check=False, timeout=600)
    if ran.returncode not in (0, 1):
        fail(f"{command}: status {ran.returncode}: {ran.stderr[-2000:]!r}")
    return ran.stderr.decode(errors="replace")


def check(binary: str, tree: str, work: str, form: str, spark: bool) -> None:
    """Compares the map of one run with that of its parts."""
    whole, joined = os.path.join(work, "whole"), os.path.join(work, "joined")
    if spark:
        run_map(binary, "--format", "geojsonl", tree, out=whole)
        parts = os.path.join(work, "parts")
        said = run(
            sys.executable, os.path.join(DISTRIBUTED, "by_spark.py"), binary, tree, parts,
            "--parts", "12", "--kill", "5",
        )
        if "manifest 5, attempt 0" not in said:
            fail(f"no task was killed: {said[-2000:]}")
        run(binary, "join", "-q", "-o", joined, *sorted(glob.glob(f"{parts}/part-*")))
    else:
        run_map(binary, "--format", form, tree, out=whole)
        script = os.path.join(DISTRIBUTED, "by_xargs")
        run(script, binary, tree, joined, "9", "2", "--format", form)
    if not filecmp.cmp(whole, joined, shallow=False):
        fail(f"{joined} is not {whole}")


def main() -> None:
    """Runs the checks."""
    spark = "--spark" in sys.argv
    binary, tree = [os.path.abspath(word) for word in sys.argv[1:] if word != "--spark"]
    if spark and (importlib.util.find_spec("pyspark") is None or shutil.which("java") is None):
        skip("there is no pyspark, or no java: pip install pyspark, apt install default-jre-headless")
    with tempfile.TemporaryDirectory() as work:
        formats = ["geojsonl"] if spark else ["geojson", "csv"]
        for form in formats:
            check(binary, tree, work, form, spark)
    print(f"{', '.join(formats)}: the parts make the map" + (", one task killed" if spark else ""))


if __name__ == "__main__":
    main()
