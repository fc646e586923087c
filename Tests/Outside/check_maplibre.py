#!/usr/bin/env python3
"""Draws the server's style with MapLibre GL JS in Chromium.

    check_maplibre.py BINARY DIR [PICTURE]

MapLibre is the copy in the pip package `maplibre`. A page of another origin, which the server allows, loads
/style.json unchanged. At several zooms MapLibre has to come to rest without an error and to have drawn lands, and
at the last one files. PICTURE gets the last drawing.
"""

import base64
import csv
import http.server
import importlib.util
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional

from outside import fail, skip
from served import serving

PATIENCE = 120  # seconds for the whole page

PAGE = """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/maplibre-gl.css">
<style>html, body, #map { margin: 0; width: 100%; height: 100% }</style><div id="map"></div>
<script src="/maplibre-gl.js"></script><script src="/check.js"></script>"""

SCRIPT = """
const errors = [], views = %s, found = [];
let picture = '';
const report = () =>
  fetch('/found', {method: 'POST', body: JSON.stringify({errors, found, picture})});
setTimeout(() => { errors.push('no rest'); report(); }, 60000);
window.onerror = message => { errors.push(String(message)); };
try {
  const map = new maplibregl.Map({
    container: 'map', style: %s, center: views[0].center, zoom: views[0].zoom, fadeDuration: 0});
  map.on('error', event => errors.push(String(event.error && event.error.message || event.error)));
  let next = 0;
  map.on('idle', () => {
    const counts = {};
    for (const feature of map.queryRenderedFeatures())
      counts[feature.layer.id] = (counts[feature.layer.id] || 0) + 1;
    found.push(counts);
    next += 1;
    if (next < views.length) map.jumpTo(views[next]);
    else if (next === views.length) {
      map.once('render', () => { picture = map.getCanvas().toDataURL(); report(); });
      map.triggerRepaint();
    }
  });
} catch (error) { errors.push(String(error)); report(); }
"""


def library() -> Optional[Path]:
    """The path of MapLibre GL JS in the pip package."""
    spec = importlib.util.find_spec("maplibre")
    for place in (spec.submodule_search_locations or []) if spec else []:
        if (Path(place) / "srcjs" / "maplibre-gl.js").exists():
            return Path(place) / "srcjs"
    return None


class Pages(http.server.ThreadingHTTPServer):
    """Serves the page that draws, and receives its results."""

    def __init__(self, files: Dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.found: Dict[str, Any] = {}
        self.done = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    """Handles the requests of the page."""

    server: Pages

    def do_GET(self) -> None:  # noqa: N802
        """Serves a file."""
        body = self.server.files.get(self.path)
        self.send_response(200 if body is not None else 404)
        kinds = {"js": "text/javascript", "css": "text/css"}
        self.send_header("Content-Type", kinds.get(self.path.rpartition(".")[2], "text/html"))
        self.end_headers()
        self.wfile.write(body or b"")

    def do_POST(self) -> None:  # noqa: N802
        """Receives the results of MapLibre."""
        length = int(self.headers["Content-Length"])
        self.server.found = json.loads(self.rfile.read(length))
        self.send_response(204)
        self.end_headers()
        self.server.done.set()

    def log_message(self, *arguments: object) -> None:
        """Suppresses the log."""


def chromium(url: str, profile: str) -> List[str]:
    """The command line of the browser, headless and with software rendering."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        skip("Chromium is missing")
    return [
        program, "--headless=new", "--no-sandbox", "--disable-gpu-sandbox",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-first-run",
        "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--window-size=1280,800",
        "--remote-debugging-port=0", url]


def file_view(binary: str, folder: str) -> Dict[str, Any]:
    """A view in which a file is visible."""
    table = subprocess.run(
        [binary, "map", "-q", "--zoom", "9", "--format", "csv", folder],
        capture_output=True, check=False).stdout.decode()
    for row in csv.DictReader(io.StringIO(table, newline="")):
        if row["kind"] == "poi":
            return {"center": [float(row["lon"]), float(row["lat"])], "zoom": int(row["minzoom"])}
    skip("no file is visible at zoom 9")


def main() -> None:
    binary, folder = sys.argv[1:3]
    source = library()
    if not source:
        skip("the Python package maplibre is missing")
    views = [{"center": [0, 0], "zoom": zoom} for zoom in (1, 3)] + [file_view(binary, folder)]
    pages = Pages({"/maplibre-gl.js": (source / "maplibre-gl.js").read_bytes(),
                   "/maplibre-gl.css": (source / "maplibre-gl.css").read_bytes(),
                   "/": PAGE.encode()})
    origin = f"http://127.0.0.1:{pages.server_port}"
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile, \
            serving(binary, "--allow-origin", origin, folder) as served:
        style = f"http://127.0.0.1:{served.port}/style.json"
        pages.files["/check.js"] = (SCRIPT % (json.dumps(views), json.dumps(style))).encode()
        browser = subprocess.Popen(
            chromium(origin + "/", profile), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            is_done = pages.done.wait(PATIENCE)
        finally:
            os.killpg(browser.pid, signal.SIGKILL)  # its children, too
            browser.wait()
        if not is_done:
            fail("MapLibre did not come to rest")
    if pages.found["errors"]:
        fail(f"MapLibre says: {pages.found['errors'][:5]}")
    drawn = pages.found["found"]
    if len(sys.argv) > 3:
        encoded = pages.found["picture"].partition(",")[2]
        Path(sys.argv[3]).write_bytes(base64.b64decode(encoded))
    if not all(counts.get("land") for counts in drawn):
        fail(f"no lands were drawn: {drawn}")
    if not drawn[-1].get("files"):
        fail(f"no files were drawn: {drawn}")
    print(f"MapLibre has drawn {', '.join(str(counts) for counts in drawn)}")


if __name__ == "__main__":
    main()
