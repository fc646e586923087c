"""A plain static host: the files of one folder at a path, whole or in ranges."""

import contextlib
import http.server
import re
import threading
from pathlib import Path
from typing import Iterator, List, Tuple

KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".png": "image/png",
         ".json": "application/json"}


class Host(http.server.ThreadingHTTPServer):
    """A host with its folder, its path, and its requests."""

    daemon_threads = True

    def __init__(self, folder: Path, prefix: str) -> None:
        super().__init__(("127.0.0.1", 0), Ranges)
        self.folder = folder
        self.prefix = prefix
        self.asked: List[Tuple[str, int]] = []

    @property
    def address(self) -> str:
        """The address of the folder."""
        return f"http://127.0.0.1:{self.server_address[1]}{self.prefix}"


class Ranges(http.server.BaseHTTPRequestHandler):
    """Answers several requests on one connection, as hosts do."""

    protocol_version = "HTTP/1.1"
    # Headers and body are sent together; otherwise the body waits for an acknowledgement of the headers.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    server: Host

    def do_GET(self) -> None:  # pylint: disable=invalid-name
        """Serves a file."""
        name, prefix = self.path.split("?")[0], self.server.prefix
        if name + "/" == prefix:
            self.answer(301, [("Location", prefix)])
            return
        file = self.server.folder / (name[len(prefix):] or "index.html")
        if not name.startswith(prefix) or not file.is_file():
            self.server.asked.append((name, 0))
            self.answer(404, [])
            return
        size = file.stat().st_size
        start, end, fields = 0, size, [("Content-Type", KINDS.get(file.suffix, "application/octet-stream"))]
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if found and int(found[1]) < size:
            start, end = int(found[1]), min(int(found[2]) + 1, size)
            fields.append(("Content-Range", f"bytes {start}-{end - 1}/{size}"))
        with file.open("rb") as opened:
            opened.seek(start)
            data = opened.read(end - start)
        self.server.asked.append((name, len(data)))
        self.answer(206 if len(fields) > 1 else 200, fields, data)

    def answer(self, status: int, fields: List[Tuple[str, str]], data: bytes = b"") -> None:
        """Sends an answer."""
        self.send_response(status)
        for field, value in [*fields, ("Content-Length", str(len(data)))]:
            self.send_header(field, value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Suppresses the log."""


@contextlib.contextmanager
def hosting(folder: Path, prefix: str = "/some/where/") -> Iterator[Host]:
    """Serves a folder at a path, within the block."""
    host = Host(folder, prefix)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    try:
        yield host
    finally:
        host.shutdown()
        host.server_close()
