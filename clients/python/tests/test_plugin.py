"""The pytest plugin, run by pytest itself against the demonstration vehicle."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterator
from xml.etree import ElementTree

import pytest

from busbar.asc import asc_lines
from busbar.daemon import OwnDaemon
from busbar.frames import Frame, Gap
from busbar.local import run

PROGRAM = os.environ.get("BUSBAR_PROGRAM", "busbar")
pytest_plugins = ["pytester"]


@pytest.fixture(scope="module")
def vehicle() -> Iterator[OwnDaemon]:
    daemon = OwnDaemon("demo", program=PROGRAM)
    yield daemon
    daemon.close()


@pytest.fixture
def inner(
    pytester: pytest.Pytester, vehicle: OwnDaemon, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    monkeypatch.setenv("BUSBAR_URL", vehicle.url)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    return pytester


def test_expectations_are_met_since_the_last_action(inner: pytest.Pytester) -> None:
    inner.makepyfile(
        """
        import pytest
        from busbar import BusbarError

        @pytest.mark.busbar_channel("body-tap")
        def test_a_frame(channel, bench, expect_frame):
            channel.send(0x7DF, "02 01 0C")
            assert expect_frame(0x7DF, "02 .1 0C", direction="tx", within=30).channel == 3
            first = expect_frame(0x7DF, b"\\x02\\x01\\x0c", channel="body", within=30)
            mark = bench.mark()
            later = expect_frame(0x300, matching=lambda frame: len(frame.data) == 4, within=30)
            assert later.event_id > mark >= first.event_id
            assert expect_frame(0x300, since=0, within=30).event_id < later.event_id
            expect_frame(0x18FF50E5, within=30)

        def test_a_signal(bench, expect_signal):
            (server,) = bench.modbus_status()["servers"]
            bench.modbus_write(
                endpoint=server["endpoint"], unit=1, table="holding", address=0, value=["3"]
            )
            assert expect_signal("Wiper", "fast", within=30).value == "3"
            assert expect_signal("Wiper", between=(3, 3), channel="body-tap", within=30).valid
            expect_signal("Wiper", 2.5, tolerance=0.5, within=30)

        def test_what_is_open_stays_open(open_channel, bench):
            assert open_channel("SIM00001/0").record["name"] == "powertrain"
            with pytest.raises(BusbarError):
                open_channel("SIM00001/0", bitrate=250_000)

        def test_what_was_closed_nowhere(bench):
            assert len(bench.channel_list()["channels"]) == 6
            bench.channel_close("door-slave")

        def test_a_port_is_opened_for_a_test(open_channel, bench):
            assert open_channel("SIM00001/5", lin={"role": "slave"}).record["bus"] == "lin"

        def test_and_closed_behind_it(bench):
            assert len(bench.channel_list()["channels"]) == 5

        def test_signals_need_a_plan(expect_signal):
            with pytest.raises(BusbarError, match="signal_plan_create"):
                expect_signal("NoSuchSignal", within=0)
            with pytest.raises(ValueError):
                from busbar.expect import _pattern
                _pattern("0")
        """
    )
    inner.runpytest_subprocess("-p", "busbar.pytest_plugin").assert_outcomes(passed=7)


def test_ecus_are_left_as_they_were(inner: pytest.Pytester) -> None:
    inner.makepyfile(
        """
        import pytest
        from busbar import BusbarError

        def test_a_session(ecu):
            assert ecu.read("vin").startswith("WBA")
            assert "P0301-00" in [dtc.text for dtc in ecu.dtcs()]
            ecu.session("extended")
            ecu.security(1, "CAFEBABE")
            ecu.tester_present(period=0.5)

        def test_is_over(ecu):
            record = ecu.record()
            assert (record["session"], record["security_level"]) == (1, 0)
            assert not record["tester_present"]
            ecu.session("extended")
            ecu.bench.isotp_close(ecu.name)

        @pytest.mark.busbar_ecu(
            "absent", channel="powertrain-tap", request_id=0x7E1, response_id=0x7E9, p2_ms=20
        )
        def test_a_link_for_one_test(ecu):
            with pytest.raises(BusbarError, match="no_response"):
                ecu.read(0xF190)

        def test_is_closed(open_ecu):
            with pytest.raises(BusbarError, match="ecu_not_found"):
                open_ecu("absent")
        """
    )
    inner.runpytest_subprocess("-p", "busbar.pytest_plugin").assert_outcomes(passed=4)


def test_a_test_that_fails_has_a_trace(inner: pytest.Pytester) -> None:
    inner.makeini("[pytest]\nbusbar_traces = traces\n")
    inner.makepyfile(
        """
        def test_never(expect_frame):
            expect_frame(0x300, "FF", channel="body-tap", within=0.5)

        def test_signal(expect_signal):
            expect_signal("Wiper", 9, within=0.5)
        """
    )
    result = inner.runpytest_subprocess("-p", "busbar.pytest_plugin", "--junitxml=junit.xml")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "E*Frame 300 with FF on body-tap did not arrive within 0.5 s",
            "*- Busbar trace -*",
            "*traces/test_a_test_that_fails_has_a_trace.py-test_never.asc: * events since the test began*",
            "*Wiper = 9 did not arrive within 0.5 s",
        ]
    )
    trace = inner.path / "traces" / "test_a_test_that_fails_has_a_trace.py-test_never.asc"
    assert str(trace) in (inner.path / "junit.xml").read_text()
    # Busbar itself understands every line of it.
    summary = run(PROGRAM, ["trace", "info", str(trace)])
    assert summary["events"] > 10
    assert (summary["flaws"], summary["out_of_order"]) == ([], 0)


def test_a_bench_of_its_own_is_started(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BUSBAR_URL", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    pytester.makepyfile(
        """
        def test_echo(channel, open_channel, expect_frame):
            open_channel("SIM00001/1", name="monitor")
            channel.send(0x123, b"\\xde\\xad")
            expect_frame(0x123, "DE AD", channel="monitor", within=30)
        """
    )
    result = pytester.runpytest_subprocess("-p", "busbar.pytest_plugin", "--busbar-bench=virtual")
    result.assert_outcomes(passed=1)


def test_fixtures_that_fail_have_a_trace_too(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BUSBAR_URL", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def pair(channel, open_channel):
            open_channel("SIM00001/1")
            return channel

        @pytest.fixture
        def broken(pair, expect_frame):
            pair.send(0x123, "01")
            expect_frame(0x123, within=30)
            raise RuntimeError("not set up")

        @pytest.fixture
        def left_dirty(pair, expect_frame):
            yield
            pair.send(0x124, "02")
            expect_frame(0x124, within=30)
            raise RuntimeError("not cleaned up")

        def test_first(broken):
            pass

        def test_last(left_dirty):
            pass
        """
    )
    result = pytester.runpytest_subprocess("-p", "busbar.pytest_plugin", "--busbar-bench=virtual")
    result.assert_outcomes(passed=1, errors=2)
    traces = pytester.path / "busbar-traces"
    name = "test_fixtures_that_fail_have_a_trace_too.py-test_"
    assert " 123 " in (traces / f"{name}first.asc").read_text()
    # Also after the last test, whose fixtures are already torn down.
    assert " 124 " in (traces / f"{name}last.asc").read_text()


def test_a_trace_tells_error_frames_from_frames(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BUSBAR_URL", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    pytester.makepyfile(
        """
        def test_nobody_acknowledges(bench, channel):
            channel.send(0x123, "01")
            with bench.frames(after=0) as frames:
                assert not frames.next(30).is_error
        """
    )
    result = pytester.runpytest_subprocess("-p", "busbar.pytest_plugin", "--busbar-bench=virtual")
    result.assert_outcomes(failed=1)
    result.stdout.re_match_lines(
        [r".*- Busbar trace -", r" +0\.000000  SIM00001/0  RX  20[0-9A-F]{6}  \[8\] .*   ERRORFRAME"]
    )


def test_every_test_that_fails_has_a_trace_of_its_own(inner: pytest.Pytester) -> None:
    inner.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("value", ["a/b", "a:b", "a-b", "x" * 300])
        def test_alike(bench, value):
            assert not value

        @pytest.fixture
        def fails_at_last(bench):
            yield
            assert not bench

        def test_teardown(fails_at_last):
            pass
        """
    )
    result = inner.runpytest_subprocess("-p", "busbar.pytest_plugin", "--junitxml=report.xml")
    result.assert_outcomes(failed=4, passed=1, errors=1)
    traces = sorted(path.name for path in (inner.path / "busbar-traces").iterdir())
    assert len(traces) == 5
    report = ElementTree.parse(inner.path / "report.xml")
    told = [each.get("value") or "" for each in report.iter("property")]
    assert sorted(Path(path).name for path in told) == traces


def frame(**fields: object) -> Frame:
    known = dict(
        event_id=1, kind="rx_frame", bus="can", channel=0, id=0x7E8, dlc=0, data=b"",
        timestamp_us=1_741_963_267_250_000 + 1_234_567,
    )  # fmt: skip
    return Frame(**{**known, **fields})  # type: ignore[arg-type]


FD_TAIL = "        0    0     3000" + "        0" * 5


@pytest.mark.parametrize(
    "item, line",
    [
        (frame(dlc=2, data=b"\x02\x41"), "   1.234567 1  7E8             Rx   d 2 02 41"),
        (frame(flags=3, id=0x1FFFFFFF, dlc=4), "   1.234567 1  1FFFFFFFx       Rx   r 4"),
        (
            frame(bus="canfd", flags=0b1100, dlc=9, data=bytes(range(1, 13))),
            f"   1.234567 CANFD   1 Rx        7E8{'':35}1 0 9 12"
            f" 01 02 03 04 05 06 07 08 09 0A 0B 0C{FD_TAIL}",
        ),
        (
            frame(bus="lin", id=0x23, flags=256, checksum=0x43, data=b"\x4a\x55"),
            "   1.234567 Li 23              Rx     2 4A 55  checksum = 43  CSM = enhanced",
        ),
        (
            frame(bus="lin", kind="tx_complete", channel=3, id=3, flags=512, checksum=5, data=b"\1"),
            "   1.234567 L4 3               CSErr Tx     1 01  checksum = 05  CSM = classic",
        ),
        (frame(bus="lin", id=0x23, flags=1024, status=4), "   1.234567 Li 23 TransmErr"),
        (frame(flags=32, status=1, count=513), "   1.234567 1  ErrorFrame"),
        (frame(flags=32, status=8, id=0), "//    1.234567 The device of channel 1 was lost"),
        (Gap("lost"), "//    0.000000 Events are missing here"),
    ],
)
def test_a_trace_is_laid_out_as_the_daemon_does(item: Frame, line: str) -> None:
    lines = list(asc_lines([item], start_us=1_741_963_267_250_000, name=lambda _: "a\nb"))
    assert lines[-2] == line
    assert lines[5].startswith("// channel") == isinstance(item, Frame)


def test_messages_are_sent_and_expected_by_name(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BUSBAR_URL", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    pytester.makepyfile(
        """
        from decimal import Decimal
        from pathlib import Path

        import pytest
        from busbar.expect import ExpectationFailed

        DATABASE = '''VERSION "1"
        BU_: ECU
        BO_ 256 Engine: 8 ECU
         SG_ EngineSpeed : 8|16@1+ (0.25,0) [0|8000] "rpm" ECU
         SG_ Gear : 40|4@1+ (1,0) [0|15] "" ECU
        VAL_ 256 Gear 0 "Neutral" 2 "Second" ;
        '''

        @pytest.fixture
        def pair(bench, channel, open_channel):
            root = bench.info()["service"]["project_root"]
            lines = [line.removeprefix("        ") for line in DATABASE.splitlines()]
            Path(root, "plugin.dbc").write_text("\\n".join(lines) + "\\n")
            if not bench.database_list()["databases"]:
                bench.database_load("plugin.dbc")
            monitor = open_channel("SIM00001/1", name="monitor")
            channel.attach("plugin")
            monitor.attach("plugin")
            return channel

        def test_a_message(pair, expect_message):
            pair.send("Engine", EngineSpeed=780.75, Gear="Second")
            frame = expect_message(
                "Engine", channel="monitor", within=30, EngineSpeed=780.75, Gear="Second"
            )
            assert frame.signals["EngineSpeed"].number == Decimal("780.75")
            expect_message("Engine", within=30, signals={"Gear": 2}, EngineSpeed="780.75")
            with pytest.raises(ExpectationFailed, match="EngineSpeed: 780.75 rpm"):
                expect_message("Engine", within=0.2, EngineSpeed=781)
            with pytest.raises(ExpectationFailed):
                expect_message("Engine", within=0.2, NoSuchSignal=1)

        def test_a_cyclic_message(pair, cyclic, expect_message):
            task = cyclic(pair.selector, "Engine", EngineSpeed=780, period=0.01)
            expect_message("Engine", within=30, EngineSpeed=780)
            task.set(EngineSpeed=900)
            expect_message("Engine", within=30, EngineSpeed=900)

        def test_a_cyclic_frame(bench, cyclic):
            bench.channel_open("SIM00001/2", name="stays")
            assert cyclic("stays", 0x123, "00", period=0.01).record["state"] == "running"

        def test_tasks_end_with_their_test_not_with_the_channel(bench):
            assert bench.channel_show("stays")["state"] == "open"
            assert bench.tx_task_list()["tx_tasks"] == []
        """
    )
    result = pytester.runpytest_subprocess("-p", "busbar.pytest_plugin", "--busbar-bench=virtual")
    result.assert_outcomes(passed=4)


def test_a_failed_check_shows_the_events_around_it(inner: pytest.Pytester) -> None:
    inner.makepyfile(
        """
        def test_silence(bench):
            bench.expect_never("frame 300 on body", seconds=0.2, since=0)
        """
    )
    result = inner.runpytest_subprocess("-p", "busbar.pytest_plugin")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*CheckFailed: never frame 300 on body failed: The condition became true*",
            "*Busbar check*",
            "never frame 300 on body failed: *",
            "  > *  300#*",
        ]
    )
