"""Receiving side of RFC 6455, sufficient for the binary stream."""

from __future__ import annotations

import base64
import hashlib
import os
from typing import Optional, Tuple, Union

from ._connection import Connection
from ._http import Address
from .errors import Unreachable

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_BINARY, _CLOSE, _PING, _PONG = 0x2, 0x8, 0x9, 0xA
_LARGEST_MESSAGE = 1 << 20


class WebSocket:
    """WebSocket for reading. Answers pings while reading."""

    def __init__(self, address: Address, target: str, protocol: str, timeout: float) -> None:
        key = base64.b64encode(os.urandom(16))
        headers = [
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key.decode()}",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Protocol: {protocol}",
        ]
        self._connection = Connection(address, target, headers, timeout)
        self._message = b""
        self._kind = 0
        try:
            if self._connection.status != 101:
                raise self._connection.refuse()
            accept = base64.b64encode(hashlib.sha1(key + _MAGIC).digest()).decode()
            if self._connection.headers.get("sec-websocket-accept") != accept:
                raise Unreachable("The server does not support WebSocket")
        except BaseException:
            self.close()
            raise

    def receive(self, timeout: float) -> Optional[Union[str, bytes]]:
        """Next message, or None at the end of the stream. Raises socket.timeout."""
        self._connection.set_timeout(timeout)
        while True:
            is_last, code, payload = self._frame()
            if code == _CLOSE:
                self._send(_CLOSE, payload[:2])
                return None
            if code == _PING:
                self._send(_PONG, payload)
            if code > _CLOSE:
                continue
            self._kind = code or self._kind
            self._message += payload
            if len(self._message) > _LARGEST_MESSAGE:
                raise Unreachable("A message exceeds the size limit of Busbar")
            if is_last:
                message, self._message = self._message, b""
                return message if self._kind == _BINARY else message.decode()

    def close(self) -> None:
        """Disconnects."""
        self._connection.close()

    def _frame(self) -> Tuple[bool, int, bytes]:
        head = self._connection.peek(2)
        length, size = head[1] & 0x7F, 2
        if length >= 126:
            size = 4 if length == 126 else 10
            length = int.from_bytes(self._connection.peek(size)[2:], "big")
        if length > _LARGEST_MESSAGE:
            raise Unreachable("A message exceeds the size limit of Busbar")
        whole = self._connection.take(size + length)
        return bool(head[0] & 0x80), head[0] & 0x0F, whole[size:]

    def _send(self, code: int, payload: bytes) -> None:
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
        self._connection.send(bytes([0x80 | code, 0x80 | len(payload)]) + mask + masked)
