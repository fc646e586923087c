"""Checks the rules by which the page draws, against cases that other renderers can use, too.

    check_page_rules.py GEOMAPPER [--pictures FOLDER]

The server shares the rules of globs: GeoTreeTests checks it with the same cases. The cases are in rules.json in
this folder. With GEOMAPPER_RECORD_RULES set, the page's results are written there instead. The contrast of all text
with all its backgrounds is measured.
"""

import json
import os
import tempfile
from typing import Any, Dict, List

from browser import browsing, page_arguments
from outside import fail
from served import serving

CASES = os.path.join(os.path.dirname(__file__), "rules.json")
LEAST = 4.5  # the minimum contrast of text, by WCAG 2
LEAST_LARGE = 3.0  # for the names of continents, which are large

CONTRAST = """
(async () => {
  const { Palette, rgbOf } = (await import('/assets/page.js')).$palette;
  const palette = new Palette();
  const light = (rgb) => { const [r, g, b] = rgb.map((v) => { const s = v / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05); };
  const found = [];
  for (const isDark of [false, true]) for (const mode of ['kind', 'size', 'age', 'type']) {
    Object.assign(palette, { isDark, mode });
    const { theme } = palette;
    const grounds = [['bare land', rgbOf(theme.land)], ['sea', rgbOf(theme.sea)], ['shelf', rgbOf(theme.shelf)], ['near', rgbOf(theme.near)]];
    const types = palette.legend.map(([, word]) => word);
    for (let depth = 1; depth < 5; depth += 1) for (let tint = 0; tint < 6; tint += 1)
      for (const breadth of [20, 400, 3000]) for (const bytes of [undefined, 1, 3e5, 3e6, 3e7, 3e8, 1e12])
        for (const newest of [undefined, palette.now, palette.now - 86400 * 20, palette.now - 86400 * 300, 0])
          for (const type of mode === 'type' ? types : [undefined])
            for (const standing of mode === 'kind' ? ['unknown', 'full', 'little', 'beside', 'around', 'current'] : ['full'])
              grounds.push([`${depth} ${tint} ${breadth} ${bytes} ${type} ${standing}`,
                palette.land({ depth, bytes, newest, type, tint }, breadth, { breadth: 500 }, standing).rgb]);
    for (let depth = 1; depth < 5; depth += 1)
      grounds.push([`${depth} empty`, palette.land({ depth, bytes: 0, files: 0, tint: 0 }, 400, { breadth: 500 }, 'full').rgb]);
    const inks = [['continent', 0], ['country', 1], ['state', 2], ['district', 3], ['figures', 'soft'],
      ['file', 'file'], ['large file', 'squareink'], ['largest folder', 'accent']].map(([name, which]) => [name, palette.ink(which)]);
    for (const [name, ink] of inks) {
      let [least, where] = [Infinity, ''];
      for (const [ground, rgb] of grounds) if (['continent', 'figures', 'large file', 'largest folder', 'country'].includes(name) || !['sea', 'shelf'].includes(ground)) {
        const value = contrast(rgbOf(ink), rgb);
        if (value < least) [least, where] = [value, ground];
      }
      found.push([isDark ? 'dark' : 'light', mode, name, +least.toFixed(2), where]);
    }
  }
  // Over the veil: what shines is named on ground of any brightness, all else where none is.
  const { veils } = (await import('/assets/page.js')).$palette;
  const { fillOf } = (await import('/assets/page.js')).$glow;
  const numbers = (text) => text.match(/[.0-9]+/g).map(Number);
  const over = (rgb, [r, g, b], part) => [r, g, b].map((v, i) => rgb[i] + (v - rgb[i]) * part);
  for (const isDark of [false, true]) for (const mode of ['kind', 'size', 'age', 'type']) {
    Object.assign(palette, { isDark, mode });
    const { theme } = palette;
    const { veil: text, glow } = veils[isDark ? 1 : 0];
    const veil = numbers(text);
    const grounds = [theme.land, theme.near, theme.pale, theme.sea, theme.shelf, theme.unknown, ...theme.tint, ...palette.landRamp, ...theme.ground]
      .map(rgbOf).map((rgb) => over(rgb, veil, veil[3]));
    const bright = grounds.flatMap((rgb) => [0, 0.5, 1].map((strength) => over(rgb, numbers(glow), fillOf(strength))));
    for (const [name, ink, all] of [['lit', 'lit', [...grounds, ...bright]], ['unlit', 'unlit', grounds]])
      found.push([isDark ? 'dark' : 'light', `${mode}, veiled`, name,
        +Math.min(...all.map((rgb) => contrast(rgbOf(palette.ink(ink)), rgb))).toFixed(2), 'the veil']);
  }
  return JSON.stringify(found);
})()
"""


def check_contrast(found: List[List[Any]]) -> None:
    """All text has the minimum contrast."""
    for theme, mode, name, least, where in found:
        if least < (LEAST_LARGE if name == "continent" else LEAST):
            fail(f"{theme}, shading by {mode}: contrast of the names of a {name} is {least} on {where}")
    print(f"least contrast {min(row[3] for row in found if row[2] != 'continent')}")


def main() -> None:
    binary, _, program = page_arguments(__doc__)
    with open(CASES, encoding="utf-8") as file:
        cases: List[Dict[str, Any]] = json.load(file)
    with tempfile.TemporaryDirectory() as at, browsing(program) as browser:
        with serving(binary, at) as server:
            page = browser.page()
            page.open(server.address)
            page.wait("globalThis.geomapper?.view.isComplete", "first picture")
            results = page.run_cases("ruleActs", "/assets/page.js", cases)
            check_contrast(json.loads(page.run(CONTRAST)))
        browser.check()
    if os.environ.get("GEOMAPPER_RECORD_RULES"):
        lines = [json.dumps({**case, "output": result}) for case, result in zip(cases, results)]
        with open(CASES, "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(lines) + "\n]\n")
        return
    for case, result in zip(cases, results):
        if case["output"] != result:
            fail(f"{case['rule']} of {json.dumps(case['input'])}: {result}, not {case['output']}")
    print(f"{len(cases)} cases of the page's rules hold")


if __name__ == "__main__":
    main()
