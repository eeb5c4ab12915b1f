"""Diagnostics with a simulated ECU."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Dict, Iterator, List

import pytest

from busbar import Bench, BusbarError, Ecu, EcuTimeout, NegativeResponse, TransportError

from conftest import Service

VIN = "WBABUSBAR00000001"
MODEL: Dict[str, Any] = {
    "dids": {
        "F190": {"text": VIN, "writable": True},
        "F40C": {"hex": "0C55"},
        "0101": {"hex": "5A", "writable": True},
    },
    "dtcs": [
        {"dtc": "030100", "status": 0x2F, "snapshot": "01F40C0C55", "extended": "05"},
        {"dtc": "C10000", "status": 0x08},
    ],
    "security": {"1": {"seed": "DEADBEEF", "key": "CAFEBABE"}},
    "routines": {"0203": {"duration_ms": 100, "result": "FF"}},
    "memory": {"address": 0x08000000, "size": 4096},
}
DIDS = {
    "F190": {"name": "vin", "length": 17, "codec": "ascii"},
    "F40C": {
        "name": "engine_speed",
        "length": 2,
        "codec": {"kind": "linear", "raw": "unsigned", "factor": 0.25},
    },
}
ADDRESS = {"request_id": 0x7E0, "response_id": 0x7E8, "functional_id": 0x7DF}


def serve(client: Bench, service: Service, **changes: Any) -> None:
    """Starts an ECU, instead of the one before."""
    for record in client.ecu_list()["simulated_ecus"]:
        client.ecu_stop(record["ecu_id"])
    (service.directory / "engine.json").write_text(json.dumps({**MODEL, **changes}))
    client.ecu_serve(channel="vehicle", file="engine.json", **ADDRESS)


@pytest.fixture
def engine(client: Bench, service: Service) -> Iterator[Ecu]:
    with client.open("SIM00001/0", name="tester"), client.open("SIM00001/1", name="vehicle"):
        serve(client, service)
        # Longer than the pauses of a busy machine.
        client.isotp_open("tester", "engine", dids=DIDS, p2_ms=500, **ADDRESS)
        yield client.ecu("engine")
        client.isotp_close("engine")


def test_identifiers_have_values_by_their_codecs(engine: Ecu) -> None:
    assert engine.read("vin") == VIN
    speed = engine.read("engine_speed")
    assert (speed, speed.number, speed.data) == ("789.25", Decimal("789.25"), b"\x0c\x55")
    both = engine.read_many("engine_speed", 0xF190)
    assert both == {"engine_speed": "789.25", "F190": VIN}
    engine.write("vin", "WBABUSBAR00000002")
    assert engine.read(0xF190).data == b"WBABUSBAR00000002"
    engine.write(0x0101, b"\xa5")
    assert engine.read("0101") == "A5"


def test_trouble_codes_are_read_and_cleared(engine: Ecu) -> None:
    first, second = engine.dtcs()
    assert (first.text, first.status, "confirmed" in first.bits) == ("P0301-00", 0x2F, True)
    assert [dtc.dtc for dtc in engine.dtcs(mask=0x01)] == ["030100"]
    assert engine.dtc_count() == 2
    (snapshot,) = engine.snapshot(first)["snapshots"]
    assert snapshot["values"][0]["value"] == "789.25"
    assert engine.extended_data(0x030100)["extended_data"][0]["data"] == "05"
    assert str(second) == "U0100-00 (confirmed)"
    engine.clear()
    assert engine.dtcs() == []


def test_security_takes_a_key_or_computes_it(engine: Ecu) -> None:
    engine.session("extended")
    assert engine.record()["session"] == 3
    seeds: List[bytes] = []

    def key(seed: bytes) -> bytes:
        seeds.append(seed)
        return bytes.fromhex("CAFEBABE")

    with pytest.raises(ValueError, match="key"):
        engine.security(1)
    engine.security(1, key)
    assert engine.record()["security_level"] == 1
    assert seeds == [bytes.fromhex("DEADBEEF")]
    engine.session(3)
    with pytest.raises(NegativeResponse, match="invalid key"):
        engine.security(1, "00000000")
    engine.security(1, b"\xca\xfe\xba\xbe")


def test_routines_memory_and_reset(engine: Ecu) -> None:
    assert engine.start_routine(0x0203) == b"\xff"
    assert engine.routine_result("0203") == b"\xff"
    engine.session("extended")
    engine.write_memory(0x08000000, b"\x01\x02\x03")
    assert engine.read_memory(0x08000000, 4) == b"\x01\x02\x03\xff"
    engine.reset("soft")
    assert engine.record()["session"] == 1


def test_refusals_raise_and_can_be_returned(engine: Ecu) -> None:
    with pytest.raises(NegativeResponse) as refused:
        engine.read("FFFF")
    error = refused.value
    assert (error.nrc, error.name, error.response) == (
        0x31,
        "request out of range",
        b"\x7f\x22\x31",
    )
    assert str(error) == "negative_response: engine refused 22FFFF: 0x31 request out of range"
    answer = engine.request("22FFFF", check=False)
    assert (answer.positive, answer.nrc, answer.hex()) == (False, 0x31, "7F2231")
    assert engine.bench.uds_read("engine", ["FFFF"])["nrc"] == 0x31


def test_requests_are_bytes_or_hex(engine: Ecu) -> None:
    assert engine.request(b"\x22\xf4\x0c").data == b"\x62\xf4\x0c\x0c\x55"
    assert engine.request("3E80").data is None
    assert engine.request("31010203").pending >= 1
    (response,) = engine.request("1003", functional=True).responses
    assert (response.id, response.address, response.positive) == (0x7E8, None, True)
    assert response.data[:2] == b"\x50\x03"


def test_ecus_that_share_an_identifier_are_told_apart_by_address(
    client: Bench, service: Service
) -> None:
    shared = {"request_id": 0x6F1, "response_id": 0x600, "functional_id": 0x6F1}
    addressing = {"addressing": "extended", "functional_target": 0xDF, **shared}
    (service.directory / "any.json").write_text(json.dumps(MODEL))
    with client.open("SIM00001/0", name="tester"), client.open("SIM00001/1", name="vehicle"):
        for name, source, target in (("engine", 0xF1, 0x10), ("door", 0xF2, 0x11)):
            ends = {"source": source, "target": target, **addressing}
            client.ecu_serve(channel="vehicle", file="any.json", **ends)
            client.isotp_open("tester", name, p2_ms=500, **ends)
        responses = client.ecu("engine").request("22F190", functional=True).responses
        assert sorted((each.id, each.address or 0, each.data[3:]) for each in responses) == [
            (0x600, 0xF1, VIN.encode()),
            (0x600, 0xF2, VIN.encode()),
        ]
        client.isotp_close("engine")
        client.isotp_close("door")


def test_what_an_ecu_does_wrong_has_a_type(engine: Ecu, client: Bench, service: Service) -> None:
    serve(client, service, faults=[{"kind": "silent"}])
    with pytest.raises(EcuTimeout) as silent:
        engine.read("vin")
    assert silent.value.code == "no_response"
    serve(client, service, faults=[{"kind": "sequence", "frame": 3}])
    with pytest.raises(TransportError) as wrong:
        engine.read("vin")
    assert (wrong.value.code, wrong.value.status) == ("sequence_error", 502)


def test_tester_present_lasts_as_long_as_its_block_or_longer(engine: Ecu) -> None:
    with engine.tester_present(period=0.05):
        assert engine.record()["tester_present_ms"] == 50
        with engine.tester_present(period=1):
            assert engine.record()["tester_present_ms"] == 1000
        assert engine.record()["tester_present_ms"] == 50
    assert not engine.record()["tester_present"]
    engine.tester_present()
    assert engine.bench.ecu("engine").record()["tester_present"]


def test_an_image_is_flashed_with_progress(engine: Ecu, service: Service) -> None:
    (service.directory / "app.bin").write_bytes(bytes(range(256)) * 8)
    steps = [{"step": "session", "session": "extended"}, {"step": "download"}]
    (service.directory / "steps.json").write_text(json.dumps({"steps": steps}))
    seen: List[float] = []
    report = engine.flash(
        "app.bin",
        "steps.json",
        address=0x08000000,
        on_progress=lambda progress: seen.append(progress["percent"]),
    )
    assert (report["bytes"], seen[-1]) == (2048, 100)
    assert engine.read_memory(0x080000FF, 2) == b"\xff\x00"
    with pytest.raises(BusbarError) as refused:
        engine.flash("app.bin", "steps.json", address=0x09000000)
    assert "0x31" in str(refused.value) or refused.value.details.get("nrc") == 0x31


def test_an_unknown_ecu_is_refused(client: Bench) -> None:
    with pytest.raises(BusbarError) as refused:
        client.ecu("nobody").read("vin")
    assert (refused.value.code, refused.value.status) == ("ecu_not_found", 404)
