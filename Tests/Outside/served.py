"""Shared by the checks of the server: starting it, and plain requests over sockets."""

import contextlib
import re
import socket
import subprocess
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

from outside import fail

PATIENCE = 30  # seconds for one answer


class Answer(NamedTuple):
    """An answer on a connection."""

    status: int
    fields: Dict[str, str]
    body: bytes


class Served(NamedTuple):
    """A running server."""

    process: "subprocess.Popen[bytes]"
    address: str
    host: str
    port: int

    def connect(self) -> socket.socket:
        """Opens a connection."""
        return socket.create_connection((self.host, self.port), timeout=PATIENCE)

    def send(self, raw: bytes) -> List[Answer]:
        """All answers to the sent bytes, up to the end of the connection."""
        with self.connect() as connection:
            with contextlib.suppress(ConnectionError):
                connection.sendall(raw)
            return answers(read_all(connection))

    def get(self, path: str, fields: Optional[Dict[str, str]] = None) -> Answer:
        """The answer to a valid request."""
        every = {"Host": f"127.0.0.1:{self.port}", "Connection": "close", **(fields or {})}
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in every.items())]
        found = self.send(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        if len(found) != 1:
            fail(f"{path}: {len(found)} answers")
        return found[0]


@contextlib.contextmanager
def serving(binary: str, *arguments: Any, **options: Any) -> Iterator[Served]:
    """Runs a server within the block, with further options of the process such as `user`."""
    process = subprocess.Popen([binary, "serve", *arguments], stdout=subprocess.PIPE, **options)
    try:
        assert process.stdout
        address = process.stdout.readline().decode().strip()
        match = re.fullmatch(r"http://([^/]+):([0-9]+)/(?:\?token=[0-9a-f]+)?", address)
        if not match:
            fail(f"no address: {address!r}")
        yield Served(process, address, "127.0.0.1", int(match[2]))
        if process.poll() is not None:
            fail(f"the server has ended with status {process.returncode}")
    finally:
        process.kill()
        process.wait()


def read_all(connection: socket.socket) -> bytes:
    """All bytes up to the end of a connection."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while True:
            part = connection.recv(1 << 16)
            if not part:
                break
            parts.append(part)
    return b"".join(parts)


def answers(raw: bytes) -> List[Answer]:
    """Parses the answers of one connection."""
    found = []
    while raw:
        head, mark, rest = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        match = re.fullmatch(r"HTTP/1\.1 ([0-9]{3}) [A-Za-z ]+", lines[0])
        if not mark or not match:
            fail(f"no answer of HTTP: {raw[:200]!r}")
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            if name.lower() in fields:
                fail(f"a field occurs twice: {line}")
            fields[name.lower()] = value
        status = int(match[1])
        if fields.get("transfer-encoding") == "chunked":
            body = b""
            while True:
                size, _, rest = rest.partition(b"\r\n")
                length = int(size, 16)
                body, rest = body + rest[:length], rest[length + 2:]
                if not length:
                    break
        else:
            length = 0 if status in (204, 304) else int(fields.get("content-length", len(rest)))
            body, rest = rest[:length], rest[length:]
        found.append(Answer(status, fields, body))
        raw = rest
    return found
