"""A server that takes the frames of a film from a history page, in place of `geomapper history --film`."""

import contextlib
import http.server
import json
import threading
import urllib.request
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional

TOKEN = "f00d"
Keep = Callable[[int, bytes], None]


class Taken(NamedTuple):
    """What came from the page."""

    address: str
    frames: List[int]
    failures: List[str]
    done: threading.Event


@contextlib.contextmanager
def filming(address: str, wanted: Dict[str, Any], keep: Keep, stop: Optional[int] = None) -> Iterator[Taken]:
    """Serves a history page with the film's line in its head, from the server at an address.

    `keep` is called for each frame. The frame `stop` is refused.
    """
    frames: List[int] = []
    failures: List[str] = []
    done = threading.Event()
    film = json.dumps({**wanted, "token": TOKEN}).replace("<", "\\u003c")
    line = f'<script type="application/json" id="film">{film}</script>\n<title>'

    class Handler(http.server.BaseHTTPRequestHandler):
        """Passes on questions, and takes frames."""

        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:  # pylint: disable=arguments-differ
            pass

        def do_GET(self) -> None:  # pylint: disable=invalid-name
            """Passes a question on; a film doesn't follow the disk."""
            if self.path == "/events":
                self.send_error(404)
                return
            with urllib.request.urlopen(address.rstrip("/") + self.path, timeout=60) as answer:
                body = answer.read()
                self.send_response(answer.status)
                for name in ("Content-Type", "Content-Encoding", "Content-Security-Policy"):
                    if answer.headers[name]:
                        self.send_header(name, answer.headers[name])
            if self.path == "/":
                body = body.replace(b"<title>", line.encode(), 1)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:  # pylint: disable=invalid-name
            """Takes a frame or a failure."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            name, _, query = self.path.removeprefix("/film/").partition("?")
            status = 204
            if query != f"token={TOKEN}":
                status = 403
            elif name == "failed":
                failures.append(body.decode("utf-8", "replace"))
            elif int(name) != len(frames) or int(name) == stop:
                status = 409
            else:
                frames.append(int(name))
                keep(int(name), body)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()
            if status != 204 or name == "failed" or len(frames) == wanted["frames"]:
                done.set()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Taken(f"http://127.0.0.1:{server.server_address[1]}/", frames, failures, done)
        finally:
            server.shutdown()
