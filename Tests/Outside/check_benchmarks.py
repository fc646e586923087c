"""Checks the statistics of the benchmarks, and runs all of `bench.py` on small trees.

    check_benchmarks.py GEOMAPPER
"""

import json
import math
import os
import random
import sys
import tempfile
import xml.dom.minidom

from outside import fail, given, run, same

BENCHMARKS = os.path.join(os.path.dirname(__file__), "../../Benchmarks")
sys.path.insert(0, BENCHMARKS)
from figures import Comparison, Summary, signed_rank_ways, significant, table  # noqa: E402


def rounded(*values: float) -> list:
    """Values to compare despite rounding."""
    return [round(value, 9) for value in values]


def check_summaries() -> None:
    """Quartiles are between neighbours; one figure is all of them."""
    one = Summary([4, 1, 3, 2])
    same("the summary of four", [one.minimum, one.lower, one.median, one.upper, one.maximum, one.spread],
         [1, 1.75, 2.5, 3.25, 4, 0.6])
    one = Summary([7])
    same("the summary of one", [one.minimum, one.lower, one.median, one.upper, one.maximum, one.spread], [7] * 5 + [0])
    same("the spread of zeros", Summary([0, 0, 0]).spread, 0)


def check_comparisons() -> None:
    """Ratios, bounds and confidence are those of the textbook, of all choices of signs, and of swapped sides."""
    # Hollander and Wolfe, Nonparametric Statistical Methods, examples 3.1, 3.3 and 3.4, which are about differences:
    # the depression scale of nine patients at the first and the second visit.
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    found = Comparison([math.exp(value) for value in before], [math.exp(value) for value in after])
    same("the textbook", rounded(math.log(found.ratio), *map(math.log, found.bounds), found.confidence),
         rounded(-0.46, -0.786, -0.010, 1 - 20 / 512))
    same("its verdicts", [found.verdict(0.01), found.verdict(0.60)], ["faster", "no difference beyond the noise"])
    for count in range(1, 10):
        counted = [0] * (count * (count + 1) // 2 + 1)
        for signs in range(1 << count):
            counted[sum((signs >> rank & 1) * (rank + 1) for rank in range(count))] += 1
        same(f"the signed ranks of {count}", signed_rank_ways(count), counted)
    six, five = Comparison([1] * 6, [2] * 6), Comparison([1] * 5, [2] * 5)
    same("six pairs", [six.ratio, six.confidence, six.verdict(0.01)], [2, 1 - 2 / 64, "slower"])
    same("five pairs", five.verdict(0.01), "too few runs")
    dice = random.Random(11)
    for _ in range(50):
        a, b = ([dice.randint(50, 150) for _ in range(8)] for _ in range(2))
        there, back, scaled = Comparison(a, b), Comparison(b, a), Comparison(a, [value * 3 for value in b])
        same("swapped sides and other units", rounded(there.ratio * back.ratio, there.bounds[0] * back.bounds[1],
                                                      scaled.ratio / there.ratio), [1, 1, 3])
        if not there.bounds[0] <= there.ratio <= there.bounds[1]:
            fail(f"{there.ratio} is outside {there.bounds}")


def check_noise() -> None:
    """A program differs from itself in at most one of twenty comparisons, even if a third of the rounds are slow for both.

    One that takes a tenth longer is detected.
    """
    dice, alarms, detected = random.Random(3), 0, 0
    for _ in range(400):
        machine = [1.7 if dice.random() < 0.33 else 1.0 for _ in range(12)]
        a, b = ([speed * dice.randint(950, 1050) for speed in machine] for _ in range(2))
        alarms += Comparison(a, b).verdict(0) != "no difference beyond the noise"
        detected += Comparison(a, [value * 1.1 for value in b]).verdict(0.01) == "slower"
    if not 0 < alarms <= 30 or detected < 380:  # without alarms the bounds are too wide
        fail(f"{alarms} alarms, {detected} detected, of 400")


def check_everything(binary: str) -> str:
    """All benchmarks run on small trees, and write their results."""
    with tempfile.TemporaryDirectory(prefix="geomapper-benchmarks.") as work:
        printed = run(sys.executable, os.path.join(BENCHMARKS, "bench.py"), "all", f"{work}/trees", "--tool", binary,
                      "--quick", "--out", f"{work}/results").decode()
        with open(f"{work}/results/results.json", encoding="utf-8") as file:
            results = json.load(file)
        xml.dom.minidom.parse(f"{work}/results/compare.svg")
        same("what is left", os.listdir(work), ["results"])
    same("the parts", set(results), {"compare", "scale", "cliffs"} | ({"latency"} if sys.platform == "linux" else set()))
    tree = results["compare"]["trees"][0]
    same("the tree", [tree["files"], tree["folders"]], [10_000, 600])
    count = 0
    for name, report in results.items():
        for tree in report["trees"]:
            for series in tree["series"]:
                count += len(series["runs"])
                if not series["runs"] or any(run["status"] or run["seconds"] <= 0 or run["peak"] <= 0 for run in series["runs"]):
                    fail(f"{name}: {series}")
    if "== in short" not in printed or "geomapper --no-stat / geomapper" not in printed:
        fail(f"bench.py prints {printed}")
    return f"{count} runs measured"


def main() -> None:
    options = given(__doc__, "binary")
    same("numbers", [significant(value) for value in (1234.5, 123.4, 12.34, 1.234, 0.1234, 0.01234)],
         ["1234", "123", "12.3", "1.23", "0.123", "0.0123"])
    same("a table", table([["", "a", "b"], ["one", "1", "–"], ["three", "22", ""]]), "        a\none     1\nthree  22")
    check_summaries()
    check_comparisons()
    check_noise()
    print(f"statistics: as in the textbook; {check_everything(options.binary)}")


if __name__ == "__main__":
    main()
