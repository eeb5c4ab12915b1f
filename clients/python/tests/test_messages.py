"""Messages by name: send, change while running, receive with values."""

from __future__ import annotations

from decimal import Decimal
from enum import IntEnum
from typing import Iterator

import pytest

from busbar import Bench, BusbarError, Channel, Frame
from busbar.values import signal_texts, value_text

from conftest import Service

WITHIN = 30.0

DATABASE = """VERSION "1"
BU_: Engine_ECU Brake_ECU
BO_ 256 Engine: 8 Engine_ECU
 SG_ EngineSpeed : 8|16@1+ (0.25,0) [0|8000] "rpm" Brake_ECU
 SG_ Gear : 40|4@1+ (1,0) [0|15] "" Brake_ECU
 SG_ count : 48|4@1+ (1,0) [0|15] "" Brake_ECU
BO_ 512 Brakes: 2 Brake_ECU
 SG_ Pressure : 0|16@1+ (0.1,0) [0|200] "bar" Engine_ECU
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 3600000;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 256 20;
BA_ "GenMsgCycleTime" BO_ 512 50;
VAL_ 256 Gear 0 "Neutral" 2 "Second" ;
"""


@pytest.fixture
def tester(service: Service, client: Bench) -> Iterator[Channel]:
    (service.directory / "named.dbc").write_text(DATABASE)
    client.database_load("named.dbc")
    with client.open("SIM00001/0", name="tester") as tester, client.open("SIM00001/1"):
        tester.attach("named")
        yield tester
    client.database_unload("named")


def values(frame: object) -> "dict[str, str | None]":
    assert isinstance(frame, Frame)
    return {name: signal.value for name, signal in frame.signals.items()}


def test_a_message_is_sent_by_name(client: Bench, tester: Channel) -> None:
    sent = tester.send("Engine", EngineSpeed=780.75, Gear="Second")
    assert (sent["message"], sent["data"]) == ("Engine", "00330C0000020000")
    # The only channel whose databases have it.
    assert client.send("Engine", EngineSpeed=1)["channel"] == tester.selector
    assert client.send("Engine", channel="tester", EngineSpeed=1)["channel"] == "tester"
    assert client.send("tester", "Brakes", Pressure=Decimal("0.3"))["data"] == "0300"
    # Names of parameters are signals only in the mapping.
    sent = tester.send("Engine", signals={"count": 3}, count=2)
    assert (sent["accepted"], sent["data"]) == (2, "0000000000000300")
    assert tester.send("Engine", raw=True, EngineSpeed=5)["data"] == "0005000000000000"
    # Frames are sent as before.
    assert client.send("tester", id=0x123, data=b"\x01")["accepted"] == 1
    assert client.send(channel="tester", id=0x123)["accepted"] == 1


def test_a_name_that_is_wrong_is_refused(client: Bench, tester: Channel) -> None:
    with pytest.raises(BusbarError, match="signal_not_found.*EngineSpeed"):
        tester.send("Engine", EngineSped=780)
    with pytest.raises(BusbarError) as refused:
        tester.send("Engine", EngineSpeed=9000)
    assert refused.value.details["field"] == "signals.EngineSpeed"
    # A message by its identifier in hex is none by name.
    for name in ("Engin", "100"):
        with pytest.raises(BusbarError, match="message_not_found"):
            client.send(name)
    client.database_attach("SIM00001/1", "named")
    with pytest.raises(BusbarError, match="ambiguous_message") as several:
        client.send("Engine")
    assert several.value.details["channels"] == ["SIM00001/0", "SIM00001/1"]
    assert tester.send("Engine")["accepted"] == 1


def test_what_fits_neither_a_frame_nor_a_message_is_a_type_error(client: Bench) -> None:
    for wrong in (
        lambda: client.send("tester", "Engine", b"\x01"),
        lambda: client.send("tester", 0x123, signals={"EngineSpeed": 1}),
        lambda: client.send("tester", 0x123, channel="tester"),
        lambda: client.send(id="Engine"),
        lambda: client.send(),
        lambda: client.send("Engine", channel="tester", signals={"Gear": 1}, Gear=2),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError):
        client.frames(decode=True, binary=True)


def test_a_cyclic_message_changes_while_it_runs(client: Bench, tester: Channel) -> None:
    with client.frames("SIM00001/0", decode=True, timeout=WITHIN) as frames:
        with tester.cyclic("Engine", EngineSpeed=780, period=0.01) as task:
            assert task.record["period_us"] == 10_000
            assert values(next(frames))["EngineSpeed"] == "780"
            task.set(EngineSpeed=900, Gear="Second")
            changed = next(frame for frame in frames if values(frame)["EngineSpeed"] == "900")
            assert isinstance(changed, Frame) and changed.signals["Gear"].label == "Second"
            assert task.pause()["state"] == "paused"
            assert task.resume()["state"] == "running"
            assert task.set(period=0.02)["period_us"] == 20_000
    assert client.tx_task_list()["tx_tasks"] == []
    # Without a period, that of the database.
    task = client.cyclic("Brakes", Pressure=1.5)
    assert task.record["period_us"] == 50_000
    assert task.remove()["task_id"] == task.id
    with client.cyclic("tester", 0x123, "01", period=0.1, offload=False) as plain:
        assert plain.set(data=b"\x02")["data"] == "02"
    # Removed before, or closed with its channel.
    with tester.cyclic("Brakes") as task:
        task.remove()


def test_a_rest_bus_has_a_task_for_each_message(client: Bench, tester: Channel) -> None:
    assert set(tester.rest_bus("named", "Brake_ECU")) == {"Brakes"}
    tasks = client.rest_bus("tester", "named", "Engine_ECU")
    assert tasks["Engine"].set(EngineSpeed=1000)["data"] == "00A00F0000000000"


def test_received_messages_have_values(client: Bench, tester: Channel) -> None:
    client.database_attach("SIM00001/1", "named")
    with client.frames("SIM00001/1", decode=True, timeout=WITHIN) as frames:
        tester.send("Engine", EngineSpeed=780.75, Gear="Second")
        tester.send(0x7FF, b"\x01")
        engine, unknown = next(frames), next(frames)
    assert isinstance(engine, Frame) and isinstance(unknown, Frame)
    speed = engine.signals["EngineSpeed"]
    assert (engine.message, speed.value, speed.raw, speed.unit) == ("Engine", "780.75", "3123", "rpm")
    assert speed.number == Decimal("780.75")
    assert str(engine).endswith(":: Engine(EngineSpeed: 780.75 rpm, Gear: Second, count: 0)")
    assert (unknown.message, dict(unknown.signals)) == (None, {})
    assert hash(engine) != hash(unknown)
    decoded = client.history("SIM00001/1", decode=True)
    assert decoded == [engine, unknown]
    assert client.history("SIM00001/1")[0].message is None


class Gear(IntEnum):
    SECOND = 2


@pytest.mark.parametrize(
    "value, text",
    [
        (780, "780"),
        (True, "1"),
        (2**64 - 1, "18446744073709551615"),
        (0.1, "0.1"),
        (1e-7, "0.0000001"),
        (1e22, "10000000000000000000000"),
        (-2.5, "-2.5"),
        (Decimal("1.10"), "1.10"),
        (Decimal("1E+3"), "1000"),
        (Gear.SECOND, "2"),
        ("Second", "Second"),
        ("0.1", "0.1"),
    ],
)
def test_values_are_sent_as_exact_text(value: object, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), Decimal("NaN"), b"1", 1j])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        value_text(value)
    with pytest.raises(ValueError):
        signal_texts({"Gear": value}, {})  # type: ignore[dict-item]
