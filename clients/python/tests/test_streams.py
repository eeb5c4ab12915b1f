"""Streams and reconnects."""

from __future__ import annotations

import json
import socket
import time
from contextlib import closing, suppress
from decimal import Decimal
from threading import Event, Thread
from typing import Any, Callable, List, Union

import pytest

from busbar import Bench, BusbarError, Frame, Gap, Sample, StateEvent, Stream, StreamTimeout
from busbar._connection import Connection
from busbar._http import Address
from busbar._websocket import WebSocket
from busbar.errors import Unreachable
from busbar.streams import SUBPROTOCOL

from conftest import TOKEN, Service

DATABASE = """VERSION "1"
BU_: ECU
BO_ 256 Engine: 8 ECU
 SG_ EngineSpeed : 8|16@1+ (0.25,0) [0|8000] "rpm" ECU
"""

WITHIN = 30.0
Follow = Callable[..., Stream[Any]]
both_ways = pytest.mark.parametrize("way", ["frames", "binary_frames"])


@both_ways
def test_frames_come_as_they_are(client: Bench, way: str) -> None:
    follow: Follow = getattr(client, way)
    with client.open("SIM00001/0") as tester, client.open("SIM00001/1") as monitor:
        with follow(monitor.selector) as stream:
            tester.send(0x18FF50E5, bytes(range(12)), extended=True, fd=True, brs=True)
            frame = stream.next(WITHIN)
    assert isinstance(frame, Frame)
    assert (frame.id, frame.data, frame.dlc, frame.bus) == (0x18FF50E5, bytes(range(12)), 9, "canfd")
    assert frame.is_extended and frame.is_fd and frame.bitrate_switch and frame.is_rx
    assert not frame.is_remote and not frame.is_error and frame.count is None
    assert frame.channel == monitor.slot
    with pytest.raises(StopIteration):
        next(stream)


def test_both_ways_tell_the_same(client: Bench) -> None:
    with client.open("SIM00001/0") as tester:
        # Without an acknowledgement, errors are reported with their count.
        tester.send(0x123, b"\x01")
        items: List[List[Frame]] = []
        for follow in (client.frames, client.binary_frames):
            with follow(after=0) as stream:
                items.append([stream.next(WITHIN) for _ in range(12)])
    plain = [Frame(**{**vars(frame), "selector": None}) for frame in items[0]]
    assert plain == items[1]
    assert {frame.is_error for frame in plain} == {True}
    assert all(frame.count is not None for frame in plain)


@both_ways
def test_a_stream_begins_where_it_is_made_and_goes_on_behind_a_time_out(
    client: Bench, way: str
) -> None:
    with client.open("SIM00001/0") as tester, client.open("SIM00001/1") as monitor:
        tester.send(0x100, "00")
        # The frame is accepted, but may be received later.
        while not client.history(monitor.selector):
            pass
        stream = getattr(client, way)(monitor.selector)
        with pytest.raises(StreamTimeout):
            stream.next(0.01)
        tester.send(0x101, "01")
        tester.send(0x102, "02")
        assert [stream.next(WITHIN).id for _ in range(2)] == [0x101, 0x102]
        assert [frame.id for frame in client.history(monitor.selector)] == [0x100, 0x101, 0x102]


def test_streams_go_on_behind_a_stop_of_the_web_service(service: Service, client: Bench) -> None:
    with client.open("SIM00001/0") as tester, client.open("SIM00001/1") as monitor:
        quiet = [follow(monitor.selector) for follow in (client.frames, client.binary_frames)]
        busy = [follow(monitor.selector) for follow in (client.frames, client.binary_frames)]
        tester.send(0x200, "00")
        assert [stream.next(WITHIN).id for stream in busy] == [0x200, 0x200]
        service.run("web", "stop")
        # No listener, but the item is not lost.
        service.run("message", "send", tester.selector, "201#01")
        with pytest.raises(StreamTimeout):
            busy[0].next(0.2)
        service.start_web(f"--token={TOKEN}")
        assert [stream.next(WITHIN).id for stream in busy] == [0x201, 0x201]
        for stream in quiet:
            assert [stream.next(WITHIN).id for _ in range(2)] == [0x200, 0x201]


def test_what_is_no_longer_kept_is_told_as_a_gap(service: Service, client: Bench) -> None:
    with client.open("SIM00001/0") as tester, client.open("SIM00001/1") as monitor:
        streams = [follow(monitor.selector) for follow in (client.frames, client.binary_frames)]
        tester.send(0x300, "00")
        firsts = [stream.next(WITHIN) for stream in streams]
        service.run("web", "stop")
        service.run("message", "send", tester.selector, "301#01", "--count=40")
        service.start_web(f"--token={TOKEN}", "--history-capacity=16")
        for stream, first in zip(streams, firsts):
            gap = stream.next(WITHIN)
            assert isinstance(gap, Gap)
            assert gap.reason == "lost"
            assert stream.next(WITHIN).event_id == gap.oldest_available > first.event_id + 1
        service.run("web", "stop")
        service.start_web(f"--token={TOKEN}")


def test_a_stream_ends_with_its_channel(client: Bench) -> None:
    with client.open("SIM00001/1") as monitor:
        stream = client.frames(monitor.selector)
    with pytest.raises(BusbarError, match="channel_not_open"):
        stream.next(WITHIN)


def test_a_connection_that_ends_without_an_answer_is_tried_again() -> None:
    """Responses of a reverse proxy during a restart."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        Thread(target=lambda: [listener.accept()[0].close() for _ in range(2)]).start()
        with pytest.raises(Unreachable):
            Bench(url).traffic()
        with pytest.raises(Unreachable):
            WebSocket(Address(url), "/", SUBPROTOCOL, WITHIN)


def test_a_service_that_ends_every_stream_is_asked_less_and_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: List[float] = []
    monkeypatch.setattr(Stream, "_sleep", lambda _, seconds: pauses.append(seconds))
    answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    event = b'event: traffic\ndata: {}\n\n'
    told = b"%x\r\n%b\r\n" % (len(event), event)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            for number in range(1, 10):
                with listener.accept()[0] as connection:
                    connection.recv(65536)
                    connection.sendall(answer + (told if number == 9 else b"0\r\n\r\n"))

        Thread(target=serve, daemon=True).start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        stream: Stream[Any] = Bench(url).traffic()
        while not isinstance(stream.next(WITHIN), StateEvent):
            pass
    assert pauses == [0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0]


def test_an_event_that_cannot_be_read_is_told_behind_those_before_it() -> None:
    events = b'event: traffic\ndata: {"n": 1}\n\nevent: traffic\ndata: {\n\nevent: traffic\ndata: {}\n\n'
    answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n" % (len(events), events)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            for _ in range(2):
                with listener.accept()[0] as connection:
                    connection.recv(65536)
                    connection.sendall(answer)

        Thread(target=serve, daemon=True).start()
        stream: Stream[Any] = Bench(f"http://127.0.0.1:{listener.getsockname()[1]}/").traffic()
        assert stream.next(WITHIN).data == {"n": 1}
        with pytest.raises(ValueError):
            stream.next(WITHIN)
        # After the reconnect, the unreadable item is requested again, and no later one was skipped.
        assert [type(stream.next(WITHIN)) for _ in range(2)] == [Gap, StateEvent]


def json_answer(text: str) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    return (head + text).encode()


def event_answer(text: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n{text}".encode()


class Silence:
    """Delays an answer until the test releases it."""

    def __init__(self) -> None:
        self.has_begun = Event()
        self.has_ended = Event()


class Proxy:
    """Answers connections one by one and closes each."""

    def __init__(self, *answers: Union[bytes, Silence], port: int = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = self._listener.getsockname()[1]
        self.targets: List[str] = []
        self._answers = answers
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def bench(self) -> Bench:
        return Bench(f"http://127.0.0.1:{self.port}/", timeout=WITHIN)

    def close(self) -> None:
        """Waits until all requests are answered; connections are refused from then on."""
        self._thread.join(WITHIN)
        self._listener.close()

    def _serve(self) -> None:
        answers = iter(self._answers)
        for answer in answers:
            with self._listener.accept()[0] as connection:
                self.targets.append(connection.recv(65536).decode().split(" ")[1])
                if isinstance(answer, Silence):
                    answer.has_begun.set()
                    answer.has_ended.wait(WITHIN)
                    answer = next(answers)
                connection.sendall(answer)


INFO = json_answer('{"service": {"instance_id": "a"}}')
TRAFFIC = event_answer("event: traffic\ndata: {}\n\n")


def frame_event(event_id: int) -> bytes:
    """JSON of a server-sent event."""
    fields = ["id", "dlc", "timestamp_us", "flags", "status", "source_sequence", "stream_epoch",
              "hardware_sequence", "filter_hit", "checksum"]  # fmt: skip
    record = {"event_id": event_id, "kind": "rx_frame", "bus": "can", "channel": 1, "data": "",
              "selector": "SIM00001/1", **dict.fromkeys(fields, 0)}  # fmt: skip
    return event_answer(f"id: {event_id}\nevent: frame\ndata: {json.dumps(record)}\n\n")


def test_a_call_waits_no_longer_for_a_connection_than_for_an_item() -> None:
    silence = Silence()
    with closing(Proxy(TRAFFIC, silence, TRAFFIC)) as proxy:
        stream: Stream[Any] = proxy.bench().traffic()
        assert isinstance(stream.next(WITHIN), StateEvent)
        for _ in range(3):
            with pytest.raises(StreamTimeout):
                stream.next(0.01)
        # The attempt has outlived the calls: it is answered now, and another one would not be.
        silence.has_ended.set()
        assert [type(stream.next(WITHIN)) for _ in range(2)] == [Gap, StateEvent]
    assert len(proxy.targets) == 2


class Trickle:
    """A socket that receives a byte every 0.4 seconds of simulated time."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timeout = 60.0

    def monotonic(self) -> float:
        return self.now

    def settimeout(self, timeout: float) -> None:
        self._timeout = timeout

    def sendall(self, _: bytes) -> None:
        pass

    def recv(self, _: int) -> bytes:
        self.now += min(self._timeout, 0.4)
        if self._timeout < 0.4:
            raise socket.timeout("timed out")
        return b"x"

    shutdown = close = lambda *_: None


def test_what_comes_byte_by_byte_is_waited_for_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    trickle = Trickle()
    monkeypatch.setattr("busbar._connection.time", trickle)
    monkeypatch.setattr(Address, "socket", lambda *_: trickle)
    with pytest.raises(Unreachable, match="timed out"):
        Connection(Address("http://bench-3/"), "/", [], 1.0)
    assert trickle.now == pytest.approx(1.0)


@pytest.mark.parametrize("silent_at", ["info", "stream"])
def test_calls_that_end_before_the_connection_is_made_keep_the_place(silent_at: str) -> None:
    silence = Silence()
    again = [silence, INFO, frame_event(8)] if silent_at == "info" else [INFO, silence, frame_event(8)]
    with closing(Proxy(INFO, frame_event(7), *again)) as proxy:
        stream: Stream[Any] = proxy.bench().frames(after=6)
        assert stream.next(WITHIN).event_id == 7
        for _ in range(3):
            with pytest.raises(StreamTimeout):
                stream.next(0)
        silence.has_ended.set()
        assert stream.next(WITHIN).event_id == 8
    assert [target.partition("?")[2] for target in proxy.targets] == ["", "after=6", "", "after=7"]


def test_a_stream_that_is_closed_while_a_connection_is_silent_ends_at_once() -> None:
    silence = Silence()
    with closing(Proxy(TRAFFIC, silence, TRAFFIC)) as proxy:
        stream: Stream[Any] = proxy.bench().traffic()
        assert isinstance(stream.next(WITHIN), StateEvent)
        reader = Thread(target=lambda: list(stream), daemon=True)
        reader.start()
        assert silence.has_begun.wait(WITHIN)
        stream.close()
        # Sooner than the request would time out.
        reader.join(WITHIN / 2)
        assert not reader.is_alive()
        silence.has_ended.set()
    with pytest.raises(StopIteration):
        stream.next(WITHIN)


@pytest.mark.parametrize("timeout", [0.0, 0.01])
def test_a_stream_gives_up_over_calls_that_wait_for_less_and_the_next_one_starts_over(
    timeout: float,
) -> None:
    with closing(Proxy(TRAFFIC)) as proxy:
        stream: Stream[Any] = proxy.bench().traffic(timeout=timeout, reconnect=0.2)
        assert isinstance(stream.next(WITHIN), StateEvent)

    def give_up() -> None:
        deadline = time.monotonic() + WITHIN
        while time.monotonic() < deadline:
            with suppress(StreamTimeout):
                next(stream)

    for _ in range(2):
        with pytest.raises(Unreachable):
            give_up()
    with closing(Proxy(TRAFFIC, port=proxy.port)):
        assert [type(stream.next(WITHIN)) for _ in range(2)] == [Gap, StateEvent]


@both_ways
def test_a_thread_that_waits_is_told_when_the_stream_is_closed(client: Bench, way: str) -> None:
    stream: Stream[Any] = getattr(client, way)()
    items: List[Any] = []
    reader = Thread(target=lambda: items.extend(stream), daemon=True)
    reader.start()
    reader.join(0.3)
    stream.close()
    # Much sooner than the next keep-alive of the service would end it.
    reader.join(5)
    assert not reader.is_alive() and items == []


def test_a_stream_that_is_closed_does_not_try_again(service: Service, client: Bench) -> None:
    stream = client.traffic()
    service.run("web", "stop")
    try:
        reader = Thread(target=lambda: list(stream), daemon=True)
        reader.start()
        reader.join(0.3)
        stream.close()
        reader.join(5)
        assert not reader.is_alive()
    finally:
        service.start_web(f"--token={TOKEN}")


def test_a_stream_gives_up_after_a_while(service: Service, client: Bench) -> None:
    stream = client.traffic(reconnect=0)
    service.run("web", "stop")
    try:
        with pytest.raises(BusbarError) as refused:
            while True:
                stream.next(WITHIN)
        assert refused.value.retryable
    finally:
        service.start_web(f"--token={TOKEN}")


def test_samples_are_exact(service: Service, client: Bench) -> None:
    (service.directory / "engine.dbc").write_text(DATABASE)
    client.database_load("engine.dbc")
    with client.open("SIM00001/0") as tester, client.open("SIM00001/1") as monitor:
        plan = client.signal_plan_create(monitor.selector, database="engine", message="Engine")
        stream = client.samples("EngineSpeed", plan=plan["plan_id"])
        tester.send(0x100, "00330C0000000000")
        sample = stream.next(WITHIN)
        assert isinstance(sample, Sample)
        assert (sample.value, sample.number, sample.unit) == ("780.75", Decimal("780.75"), "rpm")
        # Signal plans end with the web service, so the stream ends instead of waiting forever.
        service.run("web", "stop")
        service.start_web(f"--token={TOKEN}")
        with pytest.raises(BusbarError, match="plan_not_found"):
            stream.next(WITHIN)
    client.database_unload("engine")


def test_states_are_told_anew_behind_a_gap(service: Service, client: Bench) -> None:
    stream = client.modbus_events()
    assert stream.next(WITHIN).name == "status"
    service.run("web", "stop")
    service.start_web(f"--token={TOKEN}")
    names: List[Any] = []
    while not any(isinstance(item, Gap) for item in names):
        names.append(stream.next(WITHIN))
    assert names[-1] == Gap("reconnected")
    state = stream.next(WITHIN)
    assert isinstance(state, StateEvent) and state.name == "status"


def test_a_new_daemon_is_told_as_a_gap_and_heard_from_its_beginning(
    service: Service, client: Bench
) -> None:
    client.channel_open("SIM00001/0")
    streams = [client.frames(), client.binary_frames()]
    service.run("daemon", "stop")
    service.start_web(f"--token={TOKEN}")
    with client.open("SIM00001/0") as tester, client.open("SIM00001/1"):
        tester.send(0x400, "04")
        for stream in streams:
            assert stream.next(WITHIN) == Gap("restarted")
            assert [stream.next(WITHIN).id for _ in range(2)] == [0x400, 0x400]
