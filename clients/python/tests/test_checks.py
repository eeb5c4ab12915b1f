"""Checks of the open channels, and of trace files."""

from __future__ import annotations

from pathlib import Path

import pytest

from busbar import Bench, BusbarError, CheckFailed, Trace
from busbar.expect import MarkingBench

from conftest import TOKEN, Service

LOG = """(1767225600.000000) can0 123#01
(1767225600.010000) can0 123#02
(1767225600.020000) can0 7E0#0322F190
(1767225600.026000) can0 123#03
(1767225600.030000) can0 7E8#0462F190AA
(1767225600.036000) can0 123#04
"""


def test_live_checks_see_what_the_test_has_sent(service: Service, client: Bench) -> None:
    with MarkingBench(client.url, TOKEN) as bench, client.open("SIM00001/0"), client.open("SIM00001/1"):
        bench.mark()
        # Not an action of the test.
        client.send("SIM00001/0", id=0x7E0, data="0322F190")
        client.send("SIM00001/0", id=0x7E8, data="0462F190AA")
        client.send("SIM00001/0", id=0x7E0, data="0322F190")
        client.send("SIM00001/0", id=0x7E8, data="0462F190AA")
        how = {"channel": "SIM00001/1", "seconds": 0.1}
        report = bench.expect_answer("7E0#0322", "7E8#??62", within=600, **how)
        assert report["source"] == "live"
        assert {"name": "answered", "value": 2, "unit": ""} in report["checks"][0]["figures"]
        bench.expect_cycle(0x7E0, 600, tolerance=1, **how)
        bench.expect_never("frame 123 on SIM00001/1", seconds=0.1)
        with pytest.raises(CheckFailed) as failed:
            bench.expect_never("frame 7E8 on SIM00001/1", seconds=0.1)
        words = "never frame 7E8 on SIM00001/1 failed: The condition became true, and 1 more"
        assert str(failed.value) == words
        assert "7E8#0462F190AA" in failed.value.cut
        # Everything was before the last action.
        bench.mark()
        with pytest.raises(CheckFailed, match="cycle 7E0 .* was not observed: No frame of 7E0"):
            bench.expect_cycle(0x7E0, 0.01, **how)


def test_a_check_that_is_wrong_is_refused(client: Bench) -> None:
    with pytest.raises(BusbarError, match="channel_not_open"):
        client.check("never gap")
    with client.open("SIM00001/0"):
        with pytest.raises(BusbarError, match="no message Motor|there is no database"):
            client.expect_cycle("Motor", 0.02)


def test_a_trace_has_the_same_methods(service: Service, tmp_path: Path) -> None:
    (tmp_path / "drive.log").write_text(LOG)
    trace = Trace(tmp_path / "drive.log", program=service.program)
    trace.expect_answer("7E0#0322", "7E8#??62", within=0.01)
    trace.expect_never("frame 555")
    trace.expect_cycle(0x123, 0.01, tolerance=0.6, channel="can0")
    with pytest.raises(CheckFailed) as failed:
        trace.expect_cycle("123", 0.01)
    assert str(failed.value) == (
        "cycle 123 10000us +-10% failed: 16 ms after the frame before, not 9 ms to 11 ms"
    )
    assert failed.value.cut.splitlines()[1:3] == [
        "0.026000  16 ms after the frame before, not 9 ms to 11 ms",
        "    0.000000  1  123#01",
    ]
    assert "  > 0.026000  1  123#03" in failed.value.cut
    assert trace.check("never gap", "never frame 123")["failed"] == 1
    with pytest.raises(BusbarError, match="file_not_found"):
        Trace(tmp_path / "none.blf", program=service.program).expect_never("error")
    with pytest.raises(TypeError):
        trace.expect_never("error", seconds=1)
