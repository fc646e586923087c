"""Statistics of measured figures, and numbers as text."""

import itertools
import math
import statistics
from typing import Dict, List, Optional, Sequence


class Summary:
    def __init__(self, values: Sequence[float]) -> None:
        self.median, self.minimum, self.maximum = statistics.median(values), min(values), max(values)
        quartiles = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        self.lower, self.upper = quartiles[0], quartiles[2]

    @property
    def spread(self) -> float:
        return (self.upper - self.lower) / self.median if self.median > 0 else 0.0


class Comparison:
    """The ratio of two lists of times, pairs of the same round, with its confidence bounds.

    The ratio is the Hodges–Lehmann estimate, the median of the means of all pairs of logarithms of ratios (Walsh
    averages). Its bounds come from the exact distribution of Wilcoxon's signed-rank statistic (Hollander, Wolfe:
    Nonparametric Statistical Methods, 3.2–3.3). They assume only that noise is symmetric on the logarithmic scale.
    """

    def __init__(self, first: Sequence[float], second: Sequence[float]) -> None:
        logs = [math.log(b / a) for a, b in zip(first, second) if a > 0 and b > 0]
        if len(logs) < 2:
            raise ValueError("a comparison needs two pairs")
        averages = sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(logs, 2))
        ways = signed_rank_ways(len(logs))
        total = 2 ** len(logs)
        # Cut off as many estimates at both ends as 95 % confidence allows.
        cut = tail = 0
        while cut < (len(averages) - 1) // 2 and (tail + ways[cut]) / total <= 0.025:
            tail += ways[cut]
            cut += 1
        low = max(0, cut - 1)
        self.confidence = 1 - 2 * (tail if cut else ways[0]) / total
        self.ratio = math.exp(statistics.median(averages))
        self.bounds = math.exp(averages[low]), math.exp(averages[-1 - low])

    def verdict(self, threshold: float) -> str:
        """The conclusion if differences below `threshold`, a fraction, don't matter."""
        if self.confidence < 0.95:
            return "too few runs"
        if self.bounds[0] > 1 and self.ratio > 1 + threshold:
            return "slower"
        if self.bounds[1] < 1 and self.ratio < 1 / (1 + threshold):
            return "faster"
        return "no difference beyond the noise"


def signed_rank_ways(count: int) -> List[int]:
    """For each sum of the positive ranks from 1 to `count`, the number of choices of signs that give it."""
    ways = [1]
    for rank in range(1, count + 1):
        ways = [a + b for a, b in zip(ways + [0] * rank, [0] * rank + ways)]
    return ways


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which this part of all values is."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def summary(times: Sequence[float], digits: int = 2, unit: str = "ms") -> str:
    return (f"median {statistics.median(times):.{digits}f} {unit}, p95 {percentile(times, 0.95):.{digits}f}, "
            f"p99 {percentile(times, 0.99):.{digits}f}, {min(times):.{digits}f} to {max(times):.{digits}f} "
            f"({len(times)} times)")


def significant(value: Optional[float]) -> str:
    """A number with three significant digits, or with all digits before the point."""
    if value is None:
        return "–"
    return f"{value:.{next((digits for digits, size in enumerate((100, 10, 1, 0.1)) if abs(value) >= size), 4)}f}"


def table(rows: List[List[str]]) -> str:
    """A table in plain text, without columns that have no figure; the first column is aligned to the left."""
    used = [column for column in range(len(rows[0]))
            if any(column < len(row) and row[column] not in ("", "–") for row in rows[1:])]
    cells = [[row[column] if column < len(row) else "" for column in used] for row in rows]
    widths: Dict[int, int] = {at: max(len(row[at]) for row in cells) for at in range(len(used))}
    return "\n".join("  ".join(cell.rjust(widths[at]) if at else cell.ljust(widths[at]) for at, cell in enumerate(row)).rstrip()
                     for row in cells)
