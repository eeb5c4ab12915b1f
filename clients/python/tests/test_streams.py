"""Streams, and what they outlive."""

from __future__ import annotations

import socket
from decimal import Decimal
from threading import Thread
from typing import Any, Callable, List

import pytest

from busbar import Bench, BusbarError, Frame, Gap, Sample, StateEvent, Stream, StreamTimeout
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
        # Nobody acknowledges, so that errors are told, with how many of them.
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
        # It is accepted, and may be heard only later.
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
        # Nobody listens, but it is not lost.
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
    """As a reverse proxy gives them that is just being started anew."""
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
    monkeypatch.setattr("busbar.streams.time.sleep", pauses.append)
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
        # Connected anew: what cannot be read is asked for again, and nothing behind it was skipped.
        assert [type(stream.next(WITHIN)) for _ in range(2)] == [Gap, StateEvent]


@both_ways
def test_a_thread_that_waits_is_told_when_the_stream_is_closed(client: Bench, way: str) -> None:
    stream: Stream[Any] = getattr(client, way)()
    items: List[Any] = []
    reader = Thread(target=lambda: items.extend(stream), daemon=True)
    reader.start()
    reader.join(0.3)
    stream.close()
    # Much sooner than the next sign of life of the service would end it.
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
        plan = client.signal_plan_create(monitor.selector, "engine", "Engine")
        stream = client.samples("EngineSpeed", plan=plan["plan_id"])
        tester.send(0x100, "00330C0000000000")
        sample = stream.next(WITHIN)
        assert isinstance(sample, Sample)
        assert (sample.value, sample.number, sample.unit) == ("780.75", Decimal("780.75"), "rpm")
        # Plans end with the Web service, and the stream says so rather than waiting for ever.
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
