"""Bench, over the HTTP API of its service."""

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
    """Bench of a Busbar service.

    Every operation of the API is a method: ``channel.open`` is :meth:`channel_open`. Methods return dictionaries (see
    :mod:`busbar.records`) and raise :class:`~busbar.BusbarError`.

    :param url: Address of the service, such as ``http://127.0.0.1:8080/``
    :param token: Token of the service, if it has one
    :param timeout: Default request timeout in seconds
    :param cafile: Trusted certificates, for HTTPS with a private certificate
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
        """Bench of this user's daemon. Its web service must be running.

        :param program: Path of the ``busbar`` program, if it is not on the PATH
        """
        return cls(web_address(program), token, **options)

    @property
    def url(self) -> str:
        """Address of the service."""
        return self._address.url

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all streams of this bench."""
        for stream in self._streams:
            stream.close()
        self._streams.clear()

    def open(self, channel: str, **settings: Any) -> Channel:
        """Opens a port. A ``with`` statement closes it.

        :param channel: Port to open
        :param settings: Fields of :meth:`channel_open`
        """
        return Channel(self, self.channel_open(channel, **settings))

    def send(self, channel: str, id: int, data: Payload = b"", **fields: Any) -> records.SendResult:
        """Sends a frame; data may be bytes or hex.

        :param fields: Fields of :meth:`message_send`
        """
        return self.message_send(channel, id=id, data=_hex(data), **fields)

    def newest_event_id(self) -> int:
        """ID of the newest event of all channels."""
        return self.message_history(limit=1)["newest_available"]

    def history(
        self,
        channel: Optional[Texts] = None,
        *,
        after: Optional[int] = None,
        id: Optional[Texts] = None,
        direction: Optional[Literal["rx", "tx"]] = None,
    ) -> List[Frame]:
        """All stored events up to now."""
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
        """Frames as they arrive, over server-sent events.

        :param channel: Channels to follow; default: all
        :param after: Event ID to resume after; 0 starts with the oldest stored event, None with the next one
        :param id: Identifiers in hex
        :param direction: Only received or only sent frames
        :param timeout: Seconds to wait for an item before StreamTimeout is raised
        :param reconnect: Seconds to try to reconnect
        :param binary: Use a WebSocket
        """
        chosen = {"channel": channel, "id": id, "direction": direction}
        # Fix the start before the stream opens, so a reconnect can resume there.
        position = Position("instance_id", self.newest_event_id, after)
        if binary:
            return self._follow(
                BinaryStream, self._message_ws(**chosen), position, timeout, reconnect
            )
        request = self._message_stream(**chosen)
        return self._follow(_FrameEvents, request, position, timeout, reconnect)

    binary_frames = partialmethod(frames, binary=True)
    """Frames over WebSocket, with less CPU load. Frames contain the slot, not the port."""

    def samples(
        self,
        signal: Optional[Texts] = None,
        *,
        plan: Optional[Texts] = None,
        after: Optional[int] = None,
        timeout: Optional[float] = None,
        reconnect: float = 60.0,
    ) -> Stream[Union[Sample, Gap]]:
        """Signal samples of existing signal plans.

        :param after: Sequence number to resume after; 0 starts with the oldest stored sample, None with the next one
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
        """Changes of signals and status of a gateway instance, until it is unloaded."""
        request = self._gateway_stream(instance, include=include)
        return self._follow(_StateEvents, request, None, timeout, reconnect)

    def modbus_events(
        self, *, timeout: Optional[float] = None, reconnect: float = 60.0, **server: Any
    ) -> Stream[Union[StateEvent, Gap]]:
        """Modbus sessions and servers once per second, and registers of a server on change.

        :param server: Fields of :meth:`modbus_registers`
        """
        request = self._modbus_stream(**server)
        return self._follow(_StateEvents, request, None, timeout, reconnect)

    def traffic(
        self, *, timeout: Optional[float] = None, reconnect: float = 60.0
    ) -> Stream[Union[StateEvent, Gap]]:
        """Bus load of the open channels, once per second."""
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
