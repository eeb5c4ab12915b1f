"""Decoding of bytes, without a service."""

from __future__ import annotations

import struct
from typing import Any, Dict

import pytest

from busbar import Frame
from busbar._request import target
from busbar._sse import EventParser, ServerSentEvent

HEADER = struct.Struct(">4s4BH2B3I4QH2BI")


def record(data: bytes, *, flags: int = 0, status: int = 0, dlc: int = 2, magic: bytes = b"FRM2") -> bytes:
    header = HEADER.pack(
        magic, 2, 64, 1, 1, 3, len(data), dlc, 0x7E8, flags, status, 10, 11, 12, 13, 14, 15, 16, 0
    )
    return header + data


def test_a_record_is_read_whole() -> None:
    frame = Frame.from_bytes(record(b"\xca\xfe", flags=0b1))
    assert frame == Frame(
        event_id=10, kind="rx_frame", bus="can", channel=3, id=0x7E8, dlc=2, data=b"\xca\xfe",
        timestamp_us=13, flags=1, source_sequence=11, stream_epoch=12, hardware_sequence=14,
        filter_hit=15, checksum=16,
    )  # fmt: skip
    assert str(frame) == "slot 3  RX  000007E8  [2]  CA FE"


@pytest.mark.parametrize(
    "fields, told",
    [
        ({}, "RX  7E8  [2]  CA FE"),
        ({"kind": "tx_complete"}, "TX  7E8  [2]  CA FE"),
        ({"data": b""}, "RX  7E8  [0]"),
        ({"flags": 1 << 1, "dlc": 4, "data": b""}, "RX  7E8  [4]  remote request"),
        ({"bus": "canfd", "flags": 0b11100}, "RX  7E8  [02]  CA FE  BRS ESI"),
        (
            {"id": 4, "flags": 1 << 5, "status": 1, "count": 1},
            f"RX  20000004  [2]  {'CA FE':23}   ERRORFRAME  BUS-ERROR",
        ),
        (
            {"id": 0x2A0, "flags": 1 << 5, "status": 2, "count": 704, "data": bytes(8)},
            "RX  200002A0  [8]  00 00 00 00 00 00 00 00   ERRORFRAME ×704  NO-ACKNOWLEDGE",
        ),
        ({"kind": "tx_complete", "status": 2}, "TX  7E8  [2]  CA FE  NO-ACKNOWLEDGE"),
        ({"status": 99}, "RX  7E8  [2]  CA FE  STATUS-99"),
        ({"bus": "lin", "id": 0x3C, "flags": 1 << 8}, "RX  3C  [2]  CA FE"),
        ({"bus": "lin", "id": 0x3C, "flags": 1 << 9, "status": 5}, "RX  3C  [2]  CA FE  CHECKSUM-ERROR"),
        ({"bus": "lin", "id": 1, "flags": 1 << 10, "status": 4, "data": b""}, "RX  01  [0]  NO-RESPONSE"),
    ],
)
def test_a_frame_is_told_as_what_it_is(fields: Dict[str, Any], told: str) -> None:
    known = dict(
        event_id=1, kind="rx_frame", bus="can", channel=0, id=0x7E8, dlc=2, data=b"\xca\xfe",
        timestamp_us=0, selector="SIM00001/0",
    )  # fmt: skip
    assert str(Frame(**{**known, **fields})) == f"SIM00001/0  {told}"


def test_the_count_behind_an_error_is_no_data() -> None:
    counted = Frame.from_bytes(record(b"\x01\x02\x00\x00\x02\xc0", flags=1 << 5, status=2))
    assert (counted.data, counted.count) == (b"\x01\x02", 704)
    assert Frame.from_bytes(record(b"\x01\x02", flags=1 << 5, status=2)).count == 1


@pytest.mark.parametrize(
    "damaged", [b"", record(b"\x01\x02")[:-1], record(b"\x01", magic=b"FRM1"), record(b"")[:63]]
)
def test_what_is_no_record_is_refused(damaged: bytes) -> None:
    with pytest.raises(ValueError):
        Frame.from_bytes(damaged)


def test_events_are_read_line_by_line() -> None:
    parser = EventParser()
    lines = [": hello", "", "id: 7", "event: gap", "data: {", "data: }", "", "id: 9", "", "data:x", ""]
    assert [event for event in map(parser.feed, lines) if event] == [
        ServerSentEvent("gap", "{\n}", "7"),
        ServerSentEvent(None, "", "9"),
        ServerSentEvent("message", "x", "9"),
    ]


def test_a_query_repeats_lists_and_leaves_out_what_is_none() -> None:
    assert target("/a", {"id": ["1", "2"], "b": True, "c": None}) == "/a?id=1&id=2&b=true"
    assert target("/a", {"b": None}) == target("/a", None) == "/a"
