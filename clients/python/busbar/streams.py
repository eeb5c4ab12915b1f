"""Streams that reconnect."""

from __future__ import annotations

import json
import socket
import time
from collections import deque
from threading import Condition, Thread
from typing import Any, Callable, Deque, Generic, Iterator, Optional, TypeVar, Union

from ._connection import Connection, read_chunk
from ._http import Address, call
from ._request import StreamRequest
from ._sse import EventParser, ServerSentEvent
from ._websocket import WebSocket
from .errors import BusbarError, RequestTimeout, Unreachable
from .frames import Frame, Gap

Item = TypeVar("Item")

SUBPROTOCOL = "svc.frames.v2"
_SILENCE = 50.0
"""The service sends something at least every 30 seconds, so a longer silence means a dead connection."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0


class StreamTimeout(TimeoutError):
    """No item in time. The stream stays usable."""


def _is_passing(error: BusbarError) -> bool:
    """Whether the connection failed, not the request."""
    return isinstance(error, (Unreachable, RequestTimeout)) or error.status in (502, 503, 504)


class Position:
    """Position in a stream, with the identity of its daemon."""

    def __init__(
        self, identity: str, newest: Callable[[], Optional[int]], after: Optional[int]
    ) -> None:
        self.identity_field = identity
        self.newest = newest
        self.identity: Optional[Any] = None
        self.after = after


class _Attempt:
    """Reconnect attempt in its own thread, which outlives the call that started it. Otherwise calls with short timeouts
    would never reconnect."""

    def __init__(self) -> None:
        self.has_ended = False
        self.error: Optional[Exception] = None
        self.is_last = False
        """Whether to raise the error instead of trying again."""


class Stream(Generic[Item], Iterator[Item]):
    """Items as they arrive, with a :class:`~busbar.Gap` in place of lost items.

    If the connection breaks, the stream reconnects and resumes after the last item. It tries for ``reconnect``
    seconds, then raises the last error; the next call starts over. Errors of the service, such as a closed channel, are
    raised immediately.
    """

    def __init__(
        self,
        address: Address,
        request: StreamRequest,
        *,
        position: Optional[Position],
        timeout: Optional[float],
        reconnect: float,
        connect_timeout: float,
    ) -> None:
        self._address = address
        self._request = request
        self._position = position
        self._timeout = timeout
        self._reconnect = reconnect
        self._connect_timeout = connect_timeout
        self._items: Deque[Any] = deque()
        self._due: Optional[Gap] = None
        self._failure: Optional[Exception] = None
        self._is_open = False
        self._is_over = False
        self._heard_at = self._dialed_at = time.monotonic()
        self._pause = 0.0
        self._attempt: Optional[_Attempt] = None
        self._give_up_at: Optional[float] = None
        self._changed = Condition()
        """Notified when an attempt ends and when the stream closes."""
        self._dial()

    def __iter__(self) -> "Stream[Item]":
        return self

    def __next__(self) -> Item:
        return self.next(self._timeout)

    def __enter__(self) -> "Stream[Item]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def next(self, timeout: Optional[float] = None) -> Item:
        """Next item. Raises StreamTimeout after the timeout in seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._items:
            if self._failure is not None:
                error, self._failure = self._failure, None
                raise error
            if self._is_over:
                raise StopIteration
            if self._attempt is not None or not self._is_open:
                self._dial_again(deadline)
                continue
            self._wait(deadline)
        return self._items.popleft()

    @property
    def is_closed(self) -> bool:
        """Whether the stream has ended."""
        return self._is_over and not self._items

    def close(self) -> None:
        """Closes the stream and wakes a thread that waits for an item."""
        with self._changed:
            self._is_over = True
            self._items.clear()
            self._changed.notify_all()
        self._hang_up()

    def _wait(self, deadline: Optional[float]) -> None:
        now = time.monotonic()
        silent_at = self._heard_at + _SILENCE
        until = silent_at if deadline is None else min(silent_at, deadline)
        try:
            goes_on = self._read(max(until - now, 0.0))
        except (socket.timeout, BlockingIOError):
            if time.monotonic() >= silent_at:
                self._hang_up()
            elif deadline is not None and time.monotonic() >= deadline:
                raise StreamTimeout("No item in time") from None
            return
        except (OSError, EOFError):
            self._hang_up()
            return
        except Exception as error:
            # Deliver earlier items first and no later ones: those would be skipped silently.
            self._hang_up()
            if not self._items:
                raise
            self._failure = error
            return
        self._heard_at = time.monotonic()
        if self._items or self._heard_at - self._dialed_at > _LONGEST_PAUSE:
            self._pause = 0.0
        if not goes_on:
            self._hang_up()

    def _hang_up(self) -> None:
        if self._is_open:
            self._is_open = False
            self._disconnect()

    def _dial_again(self, deadline: Optional[float]) -> None:
        while not self._is_over:
            if self._attempt is None:
                self._attempt = self._begin_attempt()
            attempt = self._attempt
            with self._changed:
                self._changed.wait_for(
                    lambda: attempt.has_ended or self._is_over,
                    None if deadline is None else deadline - time.monotonic(),
                )
            if self._is_over:
                return
            if not attempt.has_ended:
                raise StreamTimeout("No item in time; not connected yet")
            self._attempt = None
            if attempt.error is None:
                return
            if attempt.is_last:
                raise attempt.error
            if deadline is not None and time.monotonic() >= deadline:
                raise StreamTimeout(f"No item in time; {attempt.error}") from attempt.error

    def _begin_attempt(self) -> _Attempt:
        now = time.monotonic()
        if self._give_up_at is None:
            self._give_up_at = now + self._reconnect
        # The pause grows from attempt to attempt until a connection delivers items.
        pause = max(min(self._pause, self._give_up_at - now), 0.0)
        self._pause = min(max(self._pause * 2, _FIRST_PAUSE), _LONGEST_PAUSE)
        attempt = _Attempt()
        Thread(target=self._carry_out, args=(attempt, pause, self._give_up_at), daemon=True).start()
        return attempt

    def _carry_out(self, attempt: _Attempt, pause: float, give_up_at: float) -> None:
        try:
            self._sleep(pause)
            if not self._is_over:
                self._dial(again=True)
        except Exception as error:
            attempt.error = error
            is_passing = isinstance(error, BusbarError) and _is_passing(error)
            attempt.is_last = not is_passing or time.monotonic() >= give_up_at
        if attempt.error is None or attempt.is_last:
            self._give_up_at = None
        with self._changed:
            attempt.has_ended = True
            self._changed.notify_all()

    def _sleep(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_over, seconds)

    def _dial(self, again: bool = False) -> None:
        gap = self._take_place() if self._position else Gap("reconnected") if again else None
        # If this connection fails, the next one reports the gap.
        self._due = gap or self._due
        self._connect()
        self._heard_at = self._dialed_at = time.monotonic()
        with self._changed:
            self._is_open = True
            if self._due is not None and not self._is_over:
                self._items.append(self._due)
                self._due = None
        if self._is_over:
            # Closed by another thread.
            self._hang_up()

    def _take_place(self) -> Optional[Gap]:
        """Finds the position to resume at, and the loss after a restart of daemon or service."""
        position = self._position
        assert position is not None
        service = call(self._address, "GET", "/api/v1/info", None, self._connect_timeout)["service"]
        before, position.identity = position.identity, service[position.identity_field]
        if before is None:
            if position.after is None:
                position.after = position.newest()
            return None
        if before == position.identity:
            return None if position.after is not None else Gap("reconnected")
        position.after = 0
        return Gap("restarted")

    @property
    def _after(self) -> Optional[int]:
        return self._position.after if self._position else None

    def _connect(self) -> None:
        raise NotImplementedError

    def _disconnect(self) -> None:
        raise NotImplementedError

    def _read(self, timeout: float) -> bool:
        """Reads the next item; False at the end of the stream. Raises socket.timeout."""
        raise NotImplementedError


class EventStream(Stream[Item]):
    """Stream of server-sent events."""

    def _decode(self, name: str, data: Any) -> Optional[Item]:
        """Item of an event, or None if the caller does not need it."""
        raise NotImplementedError

    def _connect(self) -> None:
        after = self._after
        target = self._request.target() if after is None else self._request.target(after=after)
        headers = ["Accept: text/event-stream", "Connection: close"]
        connection = Connection(self._address, target, headers, self._connect_timeout)
        try:
            if connection.status != 200:
                raise connection.refuse()
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        self._is_chunked = connection.headers.get("transfer-encoding", "").lower() == "chunked"
        self._parser = EventParser()
        self._rest = b""

    def _disconnect(self) -> None:
        self._connection.close()

    def _read(self, timeout: float) -> bool:
        self._connection.set_timeout(timeout)
        goes_on, part = (
            read_chunk(self._connection) if self._is_chunked else (True, self._connection.rest())
        )
        *lines, self._rest = (self._rest + part).split(b"\n")
        for line in lines:
            event = self._parser.feed(line.rstrip(b"\r").decode())
            if event is not None:
                self._take(event)
        return goes_on

    def _take(self, event: ServerSentEvent) -> None:
        if event.name is not None:
            self._tell(event.name, json.loads(event.data))
        # Advance only after reading: unreadable items are requested again.
        if event.last_id and self._position:
            self._position.after = int(event.last_id)

    def _tell(self, name: str, data: Any) -> None:
        if name == "gap":
            self._items.append(
                Gap("lost", data["missed"], data["oldest_available"], data["newest_available"])
            )
            return
        item = self._decode(name, data)
        if item is not None:
            self._items.append(item)
        if name == "end" and data.get("reason") == "unloaded":
            self._is_over = True


class BinaryStream(Stream[Union[Frame, Gap]]):
    """Stream of frames over WebSocket, with the lowest CPU load."""

    def _connect(self) -> None:
        target = self._request.target(after=self._after)
        self._socket = WebSocket(self._address, target, SUBPROTOCOL, self._connect_timeout)

    def _disconnect(self) -> None:
        self._socket.close()

    def _read(self, timeout: float) -> bool:
        message = self._socket.receive(timeout)
        position = self._position
        assert position is not None
        if message is None:
            return False
        if isinstance(message, bytes):
            frame = Frame.from_bytes(message)
            position.after = frame.event_id
            self._items.append(frame)
            return True
        gap = json.loads(message)
        position.after = gap["oldest_available"] - 1
        self._items.append(
            Gap("lost", gap.get("missed"), gap["oldest_available"], gap["newest_available"])
        )
        return True
