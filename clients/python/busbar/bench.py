"""A bench, over the HTTP API of its service."""

from __future__ import annotations

from functools import partialmethod
from typing import Any, Callable, List, Literal, Optional, Sequence, Union

from . import records
from ._http import Address
from ._operations import Operations
from ._request import StreamRequest
from .channel import Channel
from .frames import Frame, Gap, Sample, StateEvent
from .local import web_address
from .streams import BinaryStream, EventStream, Position, Stream

Texts = Union[str, Sequence[str]]
Payload = Union[str, bytes, bytearray]


def _hex(data: Payload) -> str:
    return data if isinstance(data, str) else bytes(data).hex().upper()


class _FrameEvents(EventStream[Frame]):
    def _decode(self, name: str, data: Any) -> Frame:
        return Frame.from_record(data)


class _SampleEvents(EventStream[Sample]):
    def _decode(self, name: str, data: Any) -> Sample:
        return Sample.from_record(data)


class _StateEvents(EventStream[StateEvent]):
    def _decode(self, name: str, data: Any) -> StateEvent:
        return StateEvent(name, data)


class Bench(Operations):
    """The bench of a Busbar service.

    Every operation of the API is a method, named after it: ``channel.open`` is :meth:`channel_open`. They answer
    with dictionaries as the service gives them (see :mod:`busbar.records`) and raise :class:`~busbar.BusbarError`.

    :param url: Where the service is, such as ``http://127.0.0.1:8080/``
    :param token: What it was started with, if anything
    :param timeout: Seconds that a request may take, where its call says nothing else
    :param cafile: Certificates to trust, where the service stands behind HTTPS with one of its own
    """

    def __init__(
        self,
        url: str,
        token: Optional[str] = None,
        *,
        timeout: float = 30.0,
        cafile: Optional[str] = None,
    ) -> None:
        super().__init__(Address(url, token, cafile=cafile), timeout)
        self._streams: List[Stream[Any]] = []

    @classmethod
    def local(cls, token: Optional[str] = None, *, program: str = "busbar", **options: Any) -> "Bench":
        """The bench of the daemon of this user, whose Web service must run.

        :param program: The command line, where it is not on the path
        """
        return cls(web_address(program), token, **options)

    @property
    def url(self) -> str:
        """Where the service is."""
        return self._address.url

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the streams that were begun here."""
        for stream in self._streams:
            stream.close()
        self._streams.clear()

    def open(self, channel: str, **settings: Any) -> Channel:
        """Opens a port, and closes it where it is used in a ``with`` statement.

        :param channel: Port to open
        :param settings: As :meth:`channel_open` takes them
        """
        return Channel(self, self.channel_open(channel, **settings))

    def send(self, channel: str, id: int, data: Payload = b"", **fields: Any) -> records.SendResult:
        """Sends a frame; data may be bytes or hex.

        :param fields: As :meth:`message_send` takes them
        """
        return self.message_send(channel, id=id, data=_hex(data), **fields)

    def newest_event_id(self) -> int:
        """The id of the newest event of all channels: what comes from now on is behind it."""
        return self.message_history(limit=1)["newest_available"]

    def history(
        self,
        channel: Optional[Texts] = None,
        *,
        after: Optional[int] = None,
        id: Optional[Texts] = None,
        direction: Optional[Literal["rx", "tx"]] = None,
    ) -> List[Frame]:
        """All events that are kept, up to now."""
        frames: List[Frame] = []
        end = self.newest_event_id()
        while True:
            page = self.message_history(
                channel=channel, after=after, id=id, direction=direction, limit=4096
            )
            frames += (Frame.from_record(event) for event in page["events"])
            if page["next_after"] == after or page["next_after"] >= end:
                return [frame for frame in frames if frame.event_id <= end]
            after = page["next_after"]

    def frames(
        self,
        channel: Optional[Texts] = None,
        *,
        after: Optional[int] = None,
        id: Optional[Texts] = None,
        direction: Optional[Literal["rx", "tx"]] = None,
        timeout: Optional[float] = None,
        reconnect: float = 60.0,
        binary: bool = False,
    ) -> Stream[Union[Frame, Gap]]:
        """Frames as they come, as server-sent events.

        :param channel: Channels to follow; all of them if left out
        :param after: Event id to go on behind; 0 begins with the oldest that is kept, None with what comes next
        :param id: Identifiers wanted, in hex as they are printed
        :param direction: Only what was received, or only what was sent
        :param timeout: Seconds to wait for an item before StreamTimeout is raised
        :param reconnect: Seconds during which attempts to connect again begin where the connection ends
        :param binary: Over WebSocket instead
        """
        chosen = {"channel": channel, "id": id, "direction": direction}
        # Where a stream begins is fixed before it is opened: it could not go on there otherwise.
        position = Position("instance_id", self.newest_event_id, after)
        if binary:
            return self._follow(
                BinaryStream, self._message_ws(**chosen), position, timeout, reconnect
            )
        request = self._message_stream(**chosen)
        return self._follow(_FrameEvents, request, position, timeout, reconnect)

    binary_frames = partialmethod(frames, binary=True)
    """The same over WebSocket, with less work for each frame. It does not tell the port, only the slot."""

    def samples(
        self,
        signal: Optional[Texts] = None,
        *,
        plan: Optional[Texts] = None,
        after: Optional[int] = None,
        timeout: Optional[float] = None,
        reconnect: float = 60.0,
    ) -> Stream[Union[Sample, Gap]]:
        """Values of signals as they come, of plans that there are.

        :param after: Sequence to go on behind; 0 begins with the oldest that is kept, None with what comes next
        """
        position = Position("stream_epoch", lambda: None, after)
        request = self._signal_stream(plan=plan, signal=signal)
        return self._follow(_SampleEvents, request, position, timeout, reconnect)

    def instance_events(
        self,
        instance: str,
        *,
        include: Optional[Sequence[Literal["tasks", "faults", "observed"]]] = None,
        timeout: Optional[float] = None,
        reconnect: float = 60.0,
    ) -> Stream[Union[StateEvent, Gap]]:
        """Signals and status of a gateway instance as they change. It ends when the instance is unloaded."""
        request = self._gateway_stream(instance, include=include)
        return self._follow(_StateEvents, request, None, timeout, reconnect)

    def modbus_events(
        self, *, timeout: Optional[float] = None, reconnect: float = 60.0, **server: Any
    ) -> Stream[Union[StateEvent, Gap]]:
        """Modbus sessions and servers once a second, and what a server holds when it changes.

        :param server: As :meth:`modbus_registers` takes it
        """
        request = self._modbus_stream(**server)
        return self._follow(_StateEvents, request, None, timeout, reconnect)

    def traffic(
        self, *, timeout: Optional[float] = None, reconnect: float = 60.0
    ) -> Stream[Union[StateEvent, Gap]]:
        """How busy the open channels are, once a second."""
        request = self._channel_traffic_stream()
        return self._follow(_StateEvents, request, None, timeout, reconnect)

    def _follow(
        self,
        kind: Callable[..., Any],
        request: StreamRequest,
        position: Optional[Position],
        timeout: Optional[float],
        reconnect: float,
    ) -> Any:
        stream = kind(
            self._address,
            request,
            position=position,
            timeout=timeout,
            reconnect=reconnect,
            connect_timeout=self.timeout,
        )
        self._streams = [known for known in self._streams if not known.is_closed]
        self._streams.append(stream)
        return stream
