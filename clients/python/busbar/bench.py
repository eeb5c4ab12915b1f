"""Bench, over the HTTP API of its service."""

from __future__ import annotations

import time
from functools import partialmethod
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from . import records
from ._http import Address
from ._operations import Operations
from ._request import StreamRequest
from .channel import Channel
from .checks import Expectations, await_job, report_of
from .ecu import Ecu
from .errors import BusbarError
from .frames import Frame, Gap, Sample, StateEvent
from .local import web_address
from .recorder import Recorder
from .streams import BinaryStream, EventStream, Position, Stream
from .task import Task, micros
from .values import Payload, Value, hex_text, signal_texts

Texts = Union[str, Sequence[str]]

_JOB_INTERVAL = 0.05


_SEND_FIELDS = frozenset({"raw", "database", "count", "cycle_us", "timeout_ms", "timeout"})
_TASK_FIELDS = frozenset(
    {"kind", "raw", "database", "checksum", "count", "counter", "e2e", "offload", "timeout"}
)


def _split(words: Dict[str, Any], fields: "frozenset[str]") -> Tuple[Dict[str, Any], Dict[str, Value]]:
    """Fields of a request, and values of signals."""
    own = {name: words.pop(name) for name in fields & words.keys()}
    return own, words


class _FrameEvents(EventStream[Frame]):
    def _decode(self, name: str, data: Any) -> Frame:
        return Frame.from_record(data)


class _SampleEvents(EventStream[Sample]):
    def _decode(self, name: str, data: Any) -> Sample:
        return Sample.from_record(data)


class _StateEvents(EventStream[StateEvent]):
    def _decode(self, name: str, data: Any) -> StateEvent:
        return StateEvent(name, data)


class Bench(Operations, Expectations):
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

    def send(
        self,
        name: Optional[str] = None,
        /,
        id: Union[int, str, None] = None,
        data: Payload = b"",
        *,
        channel: Optional[str] = None,
        signals: Optional[Mapping[str, Value]] = None,
        **fields: Any,
    ) -> records.SendResult:
        """Sends a frame, or a message of an attached database.

        - ``send("tester", 0x123, b"\\x01")`` sends a frame.
        - ``send("tester", "Engine", EngineSpeed=780)`` sends a message on a channel.
        - ``send("Engine", EngineSpeed=780)`` sends a message that the databases of only one channel have.

        :param id: Identifier, or name of a message
        :param data: Bytes or hex, of a frame
        :param channel: Channel, instead of the first argument
        :param signals: Signals whose names are those of parameters
        :param fields: Fields of :meth:`message_send`; of a message also signals, with numbers or labels
        """
        where, message = self._place(name, channel, id, data, signals)
        if message is None:
            return self.message_send(where, id=id, data=hex_text(data), **fields)
        own, named = _split(fields, _SEND_FIELDS)
        texts = signal_texts(signals, named)
        return self.message_send(where, message=message, signals=texts, **own)

    def cyclic(
        self,
        name: Optional[str] = None,
        /,
        id: Union[int, str, None] = None,
        data: Payload = b"",
        *,
        period: Optional[float] = None,
        channel: Optional[str] = None,
        signals: Optional[Mapping[str, Value]] = None,
        **fields: Any,
    ) -> Task:
        """Sends a frame or a message cyclically, with the first arguments of :meth:`send`.

        :param period: Cycle time in seconds; default: that of the message in the database
        :param fields: Fields of :meth:`tx_task_add`; of a message also signals, with numbers or labels
        """
        where, message = self._place(name, channel, id, data, signals)
        cycle = micros(period)
        if message is None:
            record = self.tx_task_add(where, id=id, data=hex_text(data), period_us=cycle, **fields)
            return Task(self, record)
        own, named = _split(fields, _TASK_FIELDS)
        texts = signal_texts(signals, named)
        record = self.tx_task_add(
            where, message=message, signals=texts, period_us=cycle, **own
        )
        return Task(self, record)

    def rest_bus(self, channel: str, database: str, node: Optional[str] = None) -> Dict[str, Task]:
        """Sends all periodic messages of a loaded database, or of one of its nodes.

        :return: Tasks by name of the message
        """
        answer = self.tx_task_import(channel, database, node=node)
        return {str(record["message"]): Task(self, record) for record in answer["tasks"]}

    def recorder(self, name: str, file: str, **settings: Any) -> Recorder:
        """Adds a recorder. A ``with`` statement starts it, and stops and removes it at the end.

        :param file: Pattern of its files, such as ``run-{n}.blf``
        :param settings: Fields of :meth:`recorder_add`
        """
        return Recorder(self, self.recorder_add(name, file, **settings))

    def ecu(self, name: str, *, timeout: float = 60.0) -> Ecu:
        """ECU of the bench file, or of a link that :meth:`isotp_open` opened.

        :param timeout: Seconds for a whole request, with all its pending responses
        """
        return Ecu(self, name, timeout)

    def check(
        self,
        *checks: str,
        seconds: float = 1.0,
        channel: Optional[Texts] = None,
        since: Optional[int] = None,
    ) -> records.CheckReport:
        """Report of checks of the open channels. Does not raise on a failed check.

        :param seconds: Time to check, from now
        :param channel: Channels to check; default: all open ones
        :param since: Event ID to start after, as far as events are stored; default: the newest one
        """
        channels = [channel] if isinstance(channel, str) else channel
        job = self.check_start(
            checks=[{"check": check} for check in checks],
            seconds=seconds,
            channels=channels,
            after=since,
        )
        try:
            job = await_job(job, self.job_show, lambda: time.sleep(_JOB_INTERVAL))
        except BaseException:
            self.job_cancel(job["job_id"])
            raise
        return report_of(job)

    def _checked(
        self, check: str, channel: Optional[str], how: Mapping[str, Any]
    ) -> records.CheckReport:
        return self.check(check, channel=channel, **how)

    def _place(
        self,
        name: Optional[str],
        channel: Optional[str],
        id: Union[int, str, None],
        data: Payload,
        signals: Optional[Mapping[str, Value]],
    ) -> Tuple[str, Optional[str]]:
        """Channel, and name of the message; None for a frame."""
        if isinstance(id, int):
            if signals:
                raise TypeError("A frame has data, not signals")
        elif data:
            raise TypeError("A message has signals, not data")
        if id is None:
            if name is None:
                raise TypeError("A message or an identifier is required")
            return channel or self._channel_of(name), name
        if (name is None) == (channel is None):
            raise TypeError("One channel is required")
        return name or channel or "", None if isinstance(id, int) else id

    def _channel_of(self, message: str) -> str:
        has: Dict[str, bool] = {}
        found: List[str] = []
        for channel in self.channel_list()["channels"]:
            for database in channel["databases"]:
                if database not in has:
                    has[database] = self._has_message(database, message)
            if any(has[database] for database in channel["databases"]):
                found.append(channel["selector"])
        if len(found) == 1:
            return found[0]
        if found:
            raise BusbarError(
                "ambiguous_message",
                f"Several channels have a message {message}",
                details={"message": message, "channels": found},
                hint="Name one with channel=.",
            )
        raise BusbarError(
            "message_not_found",
            f"No attached database has a message {message}",
            details={"message": message},
            hint="bench.database_attach attaches a database to a channel.",
        )

    def _has_message(self, database: str, message: str) -> bool:
        try:
            shown = self.database_show(database, message=message)
        except BusbarError as error:
            if error.code == "message_not_found":
                return False
            raise
        # An identifier in hex would match, too.
        return any(each["name"] == message for each in shown["message_page"])

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
        decode: bool = False,
    ) -> List[Frame]:
        """All stored events up to now.

        :param decode: Add messages and signals of the attached databases
        """
        frames: List[Frame] = []
        end = self.newest_event_id()
        while True:
            page = self.message_history(
                channel=channel,
                after=after,
                id=id,
                direction=direction,
                decode=decode or None,
                limit=4096,
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
        decode: bool = False,
        binary: bool = False,
    ) -> Stream[Union[Frame, Gap]]:
        """Frames as they arrive, over server-sent events.

        :param channel: Channels to follow; default: all
        :param after: Event ID to resume after; 0 starts with the oldest stored event, None with the next one
        :param id: Identifiers in hex
        :param direction: Only received or only sent frames
        :param timeout: Seconds to wait for an item before StreamTimeout is raised
        :param reconnect: Seconds to try to reconnect
        :param decode: Add messages and signals of the attached databases: ``frame.signals["EngineSpeed"].number``
        :param binary: Use a WebSocket, which has no signals
        """
        if decode and binary:
            raise ValueError("Frames over WebSocket have no signals")
        chosen = {"channel": channel, "id": id, "direction": direction}
        # Fix the start before the stream opens, so a reconnect can resume there.
        position = Position("instance_id", self.newest_event_id, after)
        if binary:
            return self._follow(
                BinaryStream, self._message_ws(**chosen), position, timeout, reconnect
            )
        request = self._message_stream(**chosen, decode=decode or None)
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
