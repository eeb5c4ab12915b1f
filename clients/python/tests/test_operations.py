"""Requests and their errors."""

from __future__ import annotations

import socket

import pytest

from busbar import Bench, BusbarError, RequestTimeout, Unreachable

from conftest import Service


def test_operations_answer_with_what_the_service_gives(client: Bench) -> None:
    assert client.info()["product"] == "Busbar"
    opened = client.channel_open("SIM00001/0", name="tester", bitrate=250_000)
    assert (opened["selector"], opened["bitrate"]) == ("SIM00001/0", 250_000)
    assert client.channel_show("SIM00001/0")["name"] == "tester"
    assert [channel["name"] for channel in client.channel_list()["channels"]] == ["tester"]
    assert client.channel_configure("tester", bitrate=500_000)["bitrate"] == 500_000
    assert client.metrics().startswith("#")
    assert client.channel_close("tester")["selector"] == "SIM00001/0"


def test_lists_are_repeated_in_queries_and_one_text_stands_for_itself(client: Bench) -> None:
    with client.open("SIM00001/0") as tester, client.open("SIM00001/1") as monitor:
        tester.send(0x123, b"\x01\x02")
        both = client.message_history(channel=[tester.selector, monitor.selector])
        assert [event["kind"] for event in both["events"]] == ["tx_complete", "rx_frame"]
        one = client.message_history(channel=monitor.selector, direction="rx")
        assert [event["data"] for event in one["events"]] == ["0102"]


def test_a_refusal_tells_its_code_and_the_field(client: Bench) -> None:
    with pytest.raises(BusbarError) as refused:
        client.channel_open("SIM00001/0", bitrate=-1)
    assert (refused.value.code, refused.value.status) == ("invalid_argument", 400)
    assert refused.value.details["field"] == "bitrate"
    assert not refused.value.retryable
    assert refused.value.request_id
    with pytest.raises(BusbarError, match="channel_not_open"):
        client.send("tester", 0x123, "00")


def test_a_wrong_token_is_refused_everywhere(service: Service) -> None:
    stranger = service.bench("wrong")
    for ask in (stranger.info, stranger.frames, stranger.binary_frames, stranger.traffic):
        with pytest.raises(BusbarError) as refused:
            ask()
        assert (refused.value.code, refused.value.status) == ("unauthorized", 401)


def test_a_stream_that_is_refused_tells_why(client: Bench) -> None:
    for follow in (client.frames, client.binary_frames):
        with pytest.raises(BusbarError, match="channel_not_open"):
            follow("SIM00001/0")
    with pytest.raises(BusbarError, match="plan_not_found"):
        client.samples(plan="plan-0")


def test_silence_ends_with_a_time_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        bench = Bench(f"http://127.0.0.1:{silent.getsockname()[1]}/", timeout=0.05)
        with pytest.raises(RequestTimeout):
            bench.info()
        with pytest.raises(Unreachable):
            bench.traffic()


def test_an_address_without_a_service_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(Unreachable) as refused:
        Bench(f"http://127.0.0.1:{port}/").info()
    assert refused.value.retryable
    with pytest.raises(ValueError):
        Bench("127.0.0.1:8080")


def test_the_local_daemon_is_found(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUSBAR_HOME", service.environment["BUSBAR_HOME"])
    from conftest import TOKEN

    assert Bench.local(TOKEN, program=service.program).info()["product"] == "Busbar"
    monkeypatch.setenv("BUSBAR_HOME", str(service.directory / "elsewhere"))
    with pytest.raises(BusbarError) as refused:
        Bench.local(program=service.program)
    assert refused.value.code == "web_not_running"
    assert "busbar web start" in (refused.value.hint or "")
    with pytest.raises(Unreachable):
        Bench.local(program=str(service.directory / "no-such-program"))
