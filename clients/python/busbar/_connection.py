"""Connection that consumes bytes only when complete, so a timeout loses nothing."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import Dict, Sequence, Tuple

from ._http import Address, error_of
from .errors import BusbarError, Unreachable

_LARGEST_HEAD = 64 * 1024


class Connection:
    """Sends a request and reads the response as it arrives."""

    def __init__(self, address: Address, target: str, headers: Sequence[str], timeout: float) -> None:
        self.address = address
        self._deadline = time.monotonic() + timeout
        self._socket = address.socket(timeout)
        self._buffer = bytearray()
        self._at = 0
        self.status = 0
        self.headers: Dict[str, str] = {}
        try:
            self._ask(target, headers)
        except (OSError, EOFError) as error:
            self.close()
            raise Unreachable(f"{address.url} cannot be reached: {error}") from error
        except BaseException:
            self.close()
            raise

    def _ask(self, target: str, headers: Sequence[str]) -> None:
        host = f"[{self.address.host}]" if ":" in self.address.host else self.address.host
        lines = [
            f"GET {self.address.prefix}{target} HTTP/1.1",
            f"Host: {host}:{self.address.port}",
            *(f"{name}: {value}" for name, value in self.address.headers().items()),
            *headers,
        ]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        head = self.take_until(b"\r\n\r\n", _LARGEST_HEAD).decode("latin-1")
        status_line, *fields = head.split("\r\n")
        words = status_line.split(" ")
        if len(words) < 2 or not words[1].isdigit():
            raise Unreachable(f"The server is not Busbar: {status_line[:200]!r}")
        self.status = int(words[1])
        self.headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (field.partition(":") for field in fields)
        }

    def refuse(self) -> BusbarError:
        """Error of a failed response."""
        length = int(self.headers.get("content-length", "0"))
        try:
            return error_of(self.status, self.take(length))
        except (OSError, EOFError) as error:
            return Unreachable(f"{self.address.url} closed the connection: {error}")

    def set_timeout(self, timeout: float) -> None:
        """Sets the total time to wait for the next read."""
        self._deadline = time.monotonic() + timeout

    def send(self, content: bytes) -> None:
        """Sends all bytes."""
        self._socket.sendall(content)

    def peek(self, count: int) -> bytes:
        """Returns the next bytes without consuming them. Raises EOFError at the end."""
        while len(self._buffer) - self._at < count:
            self._receive()
        return bytes(self._buffer[self._at : self._at + count])

    def skip(self, count: int) -> None:
        """Consumes peeked bytes."""
        self._at += count

    def take(self, count: int) -> bytes:
        """Consumes the next bytes."""
        taken = self.peek(count)
        self.skip(count)
        return taken

    def take_until(self, end: bytes, limit: int) -> bytes:
        """Consumes bytes up to a terminator and returns them without it."""
        taken = self.peek_until(end, limit)
        self.skip(len(taken) + len(end))
        return taken

    def peek_until(self, end: bytes, limit: int) -> bytes:
        """Returns the bytes up to a terminator without consuming them."""
        while True:
            found = self._buffer.find(end, self._at)
            if found >= 0:
                return bytes(self._buffer[self._at : found])
            if len(self._buffer) - self._at > limit:
                raise Unreachable("The server is not Busbar: endless response")
            self._receive()

    def rest(self) -> bytes:
        """Consumes the available bytes, at least one."""
        if len(self._buffer) == self._at:
            self._receive()
        taken = bytes(self._buffer[self._at :])
        self._at = len(self._buffer)
        return taken

    def close(self) -> None:
        """Disconnects and wakes a thread that waits for bytes, which closing alone does not."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _receive(self) -> None:
        self._socket.settimeout(max(self._deadline - time.monotonic(), 1e-6))
        chunk = self._socket.recv(65536)
        if not chunk:
            raise EOFError("The connection was closed")
        if self._at > 0:
            del self._buffer[: self._at]
            self._at = 0
        self._buffer += chunk


def read_chunk(connection: Connection) -> Tuple[bool, bytes]:
    """Whether a chunked body continues, and its next part."""
    line = connection.peek_until(b"\r\n", 1024)
    size = int(line.split(b";")[0], 16)
    whole = connection.peek(len(line) + 2 + size + 2)
    connection.skip(len(whole))
    return size > 0, whole[len(line) + 2 : -2]
