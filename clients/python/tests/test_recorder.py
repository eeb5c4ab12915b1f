"""Recorders that run while a block does."""

from __future__ import annotations

import pytest

from busbar import Bench, BusbarError

from conftest import Service


def names(bench: Bench) -> "list[str]":
    return [recorder["name"] for recorder in bench.recorder_list()["recorders"]]


def test_a_recorder_runs_while_its_block_does(service: Service, client: Bench) -> None:
    with client.open("SIM00001/0", name="tester") as tester, client.open("SIM00001/1"):
        with client.recorder("run", "run-{n}.asc", channels=["tester"]) as recorder:
            assert recorder.show()["state"] == "running"
            with pytest.raises(BusbarError) as refused:
                client.recorder("run", "other.asc")
            assert refused.value.code == "already_exists"
            tester.send(0x123, b"\x01\x02", count=3)
            while recorder.show()["frames"] < 3:
                pass
    assert names(client) == []
    assert (recorder.name, recorder.record["state"]) == ("run", "idle")
    (file,) = recorder.record["files"]
    text = (service.directory / file["file"]).read_text()
    assert text.endswith("End TriggerBlock\n")
    assert f"Last event id: {file['last_event_id']}\n" in text


def test_a_recorder_that_does_not_start_is_removed(service: Service, client: Bench) -> None:
    (service.directory / "mine.asc").write_text("mine")
    with pytest.raises(BusbarError) as refused:
        with client.recorder("run", "mine.asc"):
            raise AssertionError("it records over a file")
    assert (refused.value.code, names(client)) == ("already_exists", [])
    assert (service.directory / "mine.asc").read_text() == "mine"


def test_a_recorder_that_another_client_removed_is_no_error(client: Bench) -> None:
    with client.recorder("run", "removed-{n}.asc") as recorder:
        client.recorder_stop(recorder.name)
        client.recorder_remove(recorder.name)
    assert names(client) == []
