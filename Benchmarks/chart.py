"""A bar chart of a comparison as SVG, readable on light and dark pages."""

import html
from typing import TYPE_CHECKING

from figures import Summary, significant
from harness import MIB

if TYPE_CHECKING:
    from bench import Report

OWN = "geomapper"
LEFT_OUT = ("--version", " 2", " 16", "--threads 4", "/dev/null", "pipe")
WIDTH, TOP, HEIGHT = 760, 66, 26
STYLE = """<style>
text { font: 13px -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; font-variant-numeric: tabular-nums; }
.title { font-size: 15px; font-weight: 600; }
.small { font-size: 11px; fill: #59636e; }
.strong { font-weight: 600; }
.name { text-anchor: end; }
.own { fill: #1a7f64; }
.other { fill: #afb8c1; }
.floor { fill: #d8a657; }
path { fill: none; stroke: #59636e; stroke-width: 1.2; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small { fill: #9198a1; }
  .own { fill: #3fb68b; }
  .other { fill: #535c66; }
  .floor { fill: #b58a3c; }
  path { stroke: #9198a1; }
}
</style>"""


def text(words: str, x: float, y: float, style: str) -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}">{html.escape(words, quote=False)}</text>'


def draw(report: "Report") -> str:
    """The chart: bars of medians with quartiles, the ratio to the tool and peak memory."""
    rows = sorted(((Summary(one.values("seconds")), one) for one in report.series
                   if one.runs and not (one.name.startswith(OWN) and one.name.endswith(LEFT_OUT))),
                  key=lambda found: found[0].median)
    left = max(len(one.name) for _, one in rows) * 8.2 + 30
    scale = (WIDTH - left - 190) / max(time.upper for time, _ in rows)
    base = report.named(OWN)
    title = "Time to list and describe a tree"
    lines = [text(title, 16, 26, "title"), text(report.tree_text, 16, 45, "small")]
    for index, (time, one) in enumerate(rows):
        y = TOP + index * HEIGHT
        is_own = one.name.startswith(OWN)
        style = "own" if is_own else "floor" if one.name.startswith("floor") else "other"
        width, start, end = time.median * scale, left + time.lower * scale, left + time.upper * scale
        words = f"{significant(time.median)} s"
        if base and one is not base:
            words += f" · {significant(one.ratio(base))}×"
        words += f" · {significant(one.median('peak') / MIB)} MiB"
        lines += [
            text(one.name, left - 10, y + 14.5, ("strong " if is_own else "") + "name"),
            f'<rect class="{style}" x="{left:.1f}" y="{y + 3:.1f}" width="{max(0.5, width):.1f}" height="15" rx="2"/>',
            f'<path d="M{start:.1f} {y + 10.5:.1f}H{end:.1f}M{start:.1f} {y + 7.5:.1f}v6M{end:.1f} {y + 7.5:.1f}v6"/>',
            text(words, max(left + width, end) + 8, y + 14.5, "")]
    foot = TOP + len(rows) * HEIGHT + 18
    facts = report.machine
    lines.append(text(
        f"Medians of {len(rows[0][1].runs)} runs with quartiles, ratio to {OWN}, peak memory. {facts['processor']}, "
        f"{facts['cores']} cores, {facts['fileSystem']}, {report.date[:10]}", 16, foot, "small"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {foot + 16:.0f}" width="{WIDTH}" role="img">'
    return "\n".join([head, f"<title>{html.escape(f'{title}: {report.tree_text}')}</title>", STYLE, *lines, "</svg>"])
