#!/usr/bin/env python3
"""Measures the page of a large history while it plays, in Chromium without a graphics card.

    Benchmarks/playing.py GEOMAPPER [--commits N] [--seconds S] [--git REPO]

The repository is that of history.py, with about 1.5 changes a commit; or REPO. The whole history plays in a minute, in
a window of 1280 × 800; the first seconds are left out, in which the map is drawn for the first time. Prints the time
that scripts and drawing take for a frame, and the time from frame to frame.
"""

import contextlib
import os
import tempfile
import time

from figures import percentile, summary
import harness

from browser import browsing, find_browser
from history import make
from outside import given, skip
from served import serving

WATCH = """(() => {
  globalThis.drawn = []; globalThis.gaps = [];
  geomapper.view.frames.push = (time) => drawn.push(time);
  let last = 0;
  const look = (now) => { if (last) gaps.push(now - last); last = now; requestAnimationFrame(look); };
  requestAnimationFrame(look);
})()"""


def main() -> None:
    options = given(__doc__, "binary", commits=66_000, seconds=30.0, git="")
    program = find_browser()
    if not program:
        skip("no Chromium here")
    with contextlib.ExitStack() as stack:
        repository = options.git
        if not repository:
            repository = os.path.join(stack.enter_context(tempfile.TemporaryDirectory(prefix="geomapper-playing.")), "project.git")
            make(repository, options.commits)
        server = stack.enter_context(serving(options.binary, "--history", "--git", repository))
        page = stack.enter_context(browsing(program)).page()
        page.open(server.address)
        page.wait("globalThis.geomapper?.time && geomapper.view.isComplete", "the history", 300)
        events = page.run("geomapper.time.timeline.changeCount")
        page.key("Home")
        page.settle()
        page.key(" ")
        time.sleep(3)
        page.run(WATCH)
        time.sleep(options.seconds)
        drawn, gaps = page.run("[drawn, gaps]")
        shown = page.run("[geomapper.time.layer.play, geomapper.time.layer.schedule.length]")
    print(f"{events} changes, {shown[0]:.1f} of {shown[1]:.1f} s played\n"
          f"drawing a frame          {summary(drawn, 1)}, {len(drawn)} frames\n"
          f"from frame to frame      {summary(gaps, 1)}\n"
          f"frames over 17 ms        {100 * sum(one > 17 for one in drawn) / max(1, len(drawn)):.1f} %, p99 {percentile(drawn, 0.99):.1f} ms")


if __name__ == "__main__":
    main()
